//! Why steps of a loop that the host keeps cannot run in time tiles: it needs arrays after each of them, or gives each of them
//! other buffers or sizes in a way that nothing tells before.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::Need;
use super::counter::counter;
use super::kept_loop::{Part, Place};
use super::names::{self, Changed};
use super::operands::Stands;
use super::own_arrays::is_array;
use super::program::Program;
use super::step::Step;
use crate::front::tree::{declared_identifier, fields, is_loop, nodes_in, strip_parentheses};
use crate::ir::{Nest, ParamValue};
use crate::source::{Diagnostic, Span};

/// What is said of a statement that needs arrays, if it runs after each step.
pub fn note_needed(place: &Place) -> Option<Diagnostic> {
    let Place { span, need, parts, reads_anything, stored, is_each_step, is_within, .. } = place;
    let reads_much = *reads_anything || parts.is_empty() && stored.is_empty() || !parts.iter().all(is_element);
    if !is_each_step || *is_within || !matches!(need, Need::Read | Need::Store) || !reads_much {
        return None;
    }
    let note =
        Diagnostic::note("kept-each-step", "steps run one by one, as the host needs arrays after each of them", *span);
    let is_told = !reads_anything && !parts.is_empty();
    let note = if is_told { note } else { note.because("which elements it reads cannot be told, so all come back") };
    Some(note.with_help("do this every so many steps if that is enough, as in `if (t % 100 == 0)`"))
}

/// Whether a part is one element.
fn is_element(part: &Part) -> bool {
    let ends_behind = |to: &String| *to == format!("{} + 1", part.from) || is_next(&part.from, to);
    part.pieces.is_none() && part.to.as_ref().is_some_and(ends_behind)
}

/// Whether the last subscripts are numbers, the second of which is greater by one.
fn is_next(element: &str, next: &str) -> bool {
    let [element, next] = [element, next].map(|it| it.strip_suffix(']').and_then(|it| it.rsplit_once('[')));
    let (Some((row, index)), Some((same, other))) = (element, next) else { return false };
    let next = index.parse::<u64>().ok().and_then(|it| it.checked_add(1));
    row == same && next.is_some_and(|it| it.to_string() == other)
}

/// What is said of buffers and integers of which each call may bring another, if any: then a recording has one step.
pub fn note_changed<'t>(nest: &Nest, program: &Program<'_, '_, 't>, step: &Step<'t>) -> Option<Diagnostic> {
    let left = nest.left_scalars().into_iter().map(|(variable, _)| Changed::of(&nest.values[variable]));
    let changed = changed_around(program, step, left.collect());
    let is_changed = |variable| changed.contains(&Changed::of(&nest.values[variable]));
    let is_counter = |variable| step.counter.as_ref().is_some_and(|counter| counter.name == nest.values.text(variable));
    let mut integers = nest.params.iter().filter_map(|(handle, param)| match param.value {
        ParamValue::Variable(it) if param.ty.is_integer() && nest.clock.end() != Some(handle) => Some((handle, it)),
        _ => None,
    });
    let is_on_wheel = |param| nest.step.varying.contains(&param);
    let number = integers
        .find(|(param, it)| is_changed(*it) && !nest.step.is_turned(*it) && !is_counter(*it) && !is_on_wheel(*param));
    let is_exchanged = |variable| nest.step.exchanged_pointers().any(|pointer| pointer.variable == variable);
    let mut buffers = nest.buffers().map(|buffer| buffer.variable);
    let (variable, span) = match number {
        Some((handle, variable)) => (variable, nest.params.span(handle)),
        None => (buffers.find(|it| is_changed(*it) && !is_exchanged(*it))?, nest.span),
    };
    let name = nest.values.text(variable);
    let body = step.outer().child_by_field_name("body");
    let is_counted = body.and_then(|body| counter(program, step.outer(), body)).is_some_and(|it| it.name == name);
    Some(note_brought(name, span, is_counted))
}

/// That steps run one by one because of an integer or a buffer, or of what their loop counts.
fn note_brought(name: &str, span: Span, is_counted: bool) -> Diagnostic {
    let message = format!("steps run one by one, as each of them may bring another `{name}`");
    let note = Diagnostic::note("kept-each-step", message, span);
    if is_counted {
        return note
            .because("which elements a step stores or reads, or how it does, goes by it")
            .with_help("let all steps store the same elements, in arrays that have no row for each step");
    }
    note.because("nothing tells how it changes from step to step, and what steps compute goes by it").with_help(
        "exchange pointers by `tmp = a; a = b; b = tmp;`, or turn the number of a buffer by `now = (now + 1) % 3`",
    )
}

/// What a step changes, with what the host changes in each iteration, beside the step or between its legs. Arrays that it declares there
/// stay where they are, and what is declared with a value that nothing changes has that each time.
fn changed_around<'t>(program: &Program<'_, '_, 't>, step: &Step<'t>, by_step: BTreeSet<Changed>) -> BTreeSet<Changed> {
    let unit = program.unit;
    let (before, behind) = step.beside();
    let is_plain = |it: &Node| matches!(it.kind(), "expression_statement" | "declaration" | "compound_statement");
    let between = step.gaps.iter().flat_map(|gap| gap.statements.iter().copied());
    let statements =
        before.into_iter().chain(behind).chain(between).filter(is_plain).chain(step.update()).collect::<Vec<_>>();
    let bodies = program.bodies_of(statements.clone(), |_| true);
    let mut changed: BTreeSet<Changed> = bodies.flat_map(|body| names::changed(unit, body, false)).collect();
    changed.extend(by_step);
    let in_step = program.bodies_of(step.statements.clone(), |_| true);
    let in_step: BTreeSet<Changed> = in_step.flat_map(|body| names::changed(unit, body, true)).collect();
    let mut declared: Vec<Node> = statements.iter().filter(|it| it.kind() == "declaration").copied().collect();
    declared.sort_unstable_by_key(Node::start_byte);
    for declarator in declared.into_iter().flat_map(|it| fields(it, "declarator")) {
        let value = declarator.child_by_field_name("value");
        let is_steady = |value: Node| [&changed, &in_step].into_iter().all(|it| is_steady(program, value, it));
        if !is_array(declarator) && !value.is_some_and(is_steady) {
            changed.extend(declared_identifier(declarator).map(|it| Changed::named(program.text(it))));
        }
    }
    changed
}

/// Whether an expression is made of variables and members that are not among the changed ones.
fn is_steady(program: &Program, value: Node, changed: &BTreeSet<Changed>) -> bool {
    nodes_in(value).all(|node| match node.kind() {
        "identifier" | "field_identifier" => !changed.contains(&Changed::named(program.text(node))),
        "call_expression" | "subscript_expression" | "pointer_expression" | "initializer_list" => false,
        _ => true,
    })
}

/// Whether a statement runs after each step: nothing that may be passed by is around it in the loop of the step.
pub fn is_each_step(step: &Step, code: Node, stands: Stands) -> bool {
    let around = std::iter::successors(Some(code), Node::parent);
    let is_reached = around.zip(std::iter::successors(code.parent(), Node::parent)).find_map(|(below, it)| {
        let is_condition = it.child_by_field_name("condition") == Some(below);
        match it.kind() {
            "for_statement" | "while_statement" | "do_statement" if step.is_in(it) => Some(step.is_directly_in(it)),
            "if_statement" if is_condition => None,
            "compound_statement" | "parenthesized_expression" => None,
            _ => Some(false),
        }
    });
    (stands != Stands::AsOperand || is_all_of_head(code)) && is_reached == Some(true)
}

/// Whether this is the whole condition of a loop.
fn is_all_of_head(code: Node) -> bool {
    let around = std::iter::successors(code.parent(), Node::parent).find(|it| it.kind() != "parenthesized_expression");
    let condition = around.filter(|it| is_loop(*it)).and_then(|it| it.child_by_field_name("condition"));
    condition.is_some_and(|it| strip_parentheses(it) == code)
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, read_marked};

    /// What is said of a kept loop with this code around its sweeps.
    fn said(before: &str, code: &str) -> Option<String> {
        let sweeps = "for (int i = 1; i < n - 1; i++) b[i] = a[i - 1]; for (int i = 1; i < n - 1; i++) a[i] = b[i];";
        let body =
            format!("#pragma stencil\nfor (int k = 0; k < n; k++) {{ putchar('.'); {before}\n{sweeps}\n{code}\n}}");
        let parameters = "int n, int m, double *a, double *b, int *at";
        let text = format!("#include <stdio.h>\n{}", function(parameters, &body));
        let kept = read_marked(&text, &[]).remove(0).expect("it is a nest").kept.expect("the host keeps it");
        kept.alone.map(|note| note.message)
    }

    #[test]
    fn what_each_step_needs_is_told() {
        let needed = Some("steps run one by one, as the host needs arrays after each of them".to_owned());
        for code in [
            "fwrite(a, sizeof *a, n, stdout);",
            "for (int i = 0; i < n; i++) printf(\"%g\", a[i]);",
            "for (int i = 0; i < n; i++) printf(\"%g\", a[at[i]]);",
            "if (fwrite(a, sizeof *a, n, stdout)) break;",
        ] {
            assert_eq!(said("", code), needed, "{code}");
        }
        for code in [
            "printf(\"%g\", a[n / 2]);",
            "printf(\"%g\", a[3]);",
            "printf(\"%g\", *a);",
            "if (k % 9 == 0) fwrite(a, sizeof *a, n, stdout);",
            "if (k % 9 == 0 && fwrite(a, sizeof *a, n, stdout)) break;",
            "printf(\"%d\", k);",
        ] {
            assert_eq!(said("", code), None, "{code}");
        }
    }

    #[test]
    fn heads_that_need_arrays_are_told() {
        let told = |head: &str| {
            let sweeps =
                "for (int i = 1; i < n - 1; i++) b[i] = a[i - 1]; for (int i = 1; i < n - 1; i++) a[i] = b[i];";
            let before = "static double most(const double *a, int n) { double m = 0; for (int i = 0; i < n; i++) if (a[i] > m) m = a[i]; return m; }";
            let body = format!("int k = 0;\n#pragma stencil\n{head} {{ {sweeps}\nk++; }}");
            let text = format!("{before}\n{}", function("int n, double *a, double *b", &body));
            let kept = read_marked(&text, &[]).remove(0).expect("it is a nest").kept.expect("the host keeps it");
            kept.alone.is_some()
        };
        assert!(told("while (most(a, n) > 1)"));
        assert!(told("for (; most(a, n) > 1 && k < 9;)"));
        assert!(!told("while (k % 10 || most(a, n) > 1)"));
        assert!(!told("while (a[1] > 1)"));
    }

    #[test]
    fn sizes_that_change_are_told() {
        let changed = Some("steps run one by one, as each of them may bring another `n`".to_owned());
        assert_eq!(said("n--;", ""), changed);
        assert_eq!(said("if (k == 5) n--;", ""), None);
        assert_eq!(said("m--;", ""), None);
        assert_eq!(said("int n = m;", ""), None);
        assert!(said("int n = m;", "m++;").is_some());
        assert_eq!(said("int n = *at;", ""), changed);
    }

    #[test]
    fn rows_ahead_are_those_that_later_iterations_store() {
        for (head, read_rows, expected) in [
            ("int i = 1; i < 9; i++", "a[i - 1][j] + a[i + 1][j]", true),
            ("int i = 1; i < 9; i++", "a[i - 1][j] + a[i][j + 1]", false),
            ("int i = 9; i > 0; i--", "a[i + 1][j]", false),
            ("int i = 9; i > 0; i--", "a[-1 + i][j] + a[i + 1][j]", true),
            ("int i = 1; i < 9; i++", "a[0][j] + a[n][j]", false),
        ] {
            let body =
                format!("#pragma stencil\nfor ({head}) {{ for (int j = 1; j < 9; j++) a[i][j] = {read_rows}; }}");
            let nest = read(&function("int n, double (*a)[10]", &body));
            assert_eq!(nest.reads_rows_ahead(), expected, "{head}: {read_rows}");
        }
    }
}
