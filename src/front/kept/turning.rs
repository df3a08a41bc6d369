//! What the host does itself, around a step, to pointers and to numbers of buffers.
//!
//! In `sweep; if (t % 100 == 0) print(b); tmp = a; a = b; b = tmp;` the pointers are exchanged behind what the host does. The nest
//! is read as if it exchanged them itself, and so is what chooses buffers directly before its sweeps, as in `int to = 1 - from;`:
//!
//! ```c
//! for (...) { sweep; tmp = a; a = b; b = tmp; } if (t % 100 == 0) print(b); tmp = a; a = b; b = tmp;
//! ```
//!
//! The copies are never run. Memory is the same before an exchange and behind it, and each call tells where pointers lead and what
//! such numbers are: a call that brings others than the copies foresee begins a recording anew.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::equations::{Equation, equations, one_line};
use super::exchanges::{
    begins_with_one_of, declares_pointer, is_plain_dereference, is_pointer_element, is_real, may_be_pointer, rotates,
};
use super::names::{self, Changed};
use super::needs::is_variable;
use super::program::Program;
use super::step::{Foresight, Step, declares_for};
use crate::front::Failable;
use crate::front::removal::remove_accumulators;
use crate::front::tree::{address_of, children, declared_identifier, fields, nodes_in, stores, strip_parentheses};
use crate::front::types::CType;
use crate::ir::{Handle, HostValue, LeftPointer, Nest, Param, ParamValue, Replay};
use crate::source::Diagnostic;

/// The host's statements that are read as if they were of the step, too.
#[derive(Clone, Default)]
pub struct Turning<'t> {
    /// Equations that hold where each iteration begins.
    equations: Vec<Equation<'t>>,
    /// Those directly before it.
    before: Vec<Node<'t>>,
    /// Those behind it and what else the host does, in the order in which they run.
    behind: Vec<Node<'t>>,
}

impl<'t> Turning<'t> {
    /// What is known of numbers for sure; `None` if that is nothing.
    pub fn known(program: &Program<'_, '_, 't>, root: Node<'t>, step: &Step<'t>) -> Option<Self> {
        let equations = equations(program, root, step);
        (!equations.is_empty()).then(|| Self { equations, ..Self::default() })
    }

    /// Of a step, with what is `known`; `None` if there are none.
    pub fn of(program: &Program<'_, '_, 't>, step: &Step<'t>, known: Option<&Self>) -> Option<Self> {
        let (before, behind) = step.beside();
        let is_chosen = |it: &Node<'t>| chooses(program, *it) && !touches_structure(program, *it, step);
        let chosen = before.iter().rev().take_while(|it| is_chosen(it)).count();
        let (first, before) = before.split_at(before.len() - chosen);
        let before = before.to_vec();
        let equations = known.map_or_else(Vec::new, |it| it.equations.clone());
        let mut found = Self { equations, before, behind: Vec::new() };
        for statement in behind.into_iter().chain(first.iter().copied()) {
            if found.exchanges(program, statement, step) {
                found.behind.push(statement);
            }
        }
        found.leave_out_others(program, step);
        (!found.before.is_empty() || !found.behind.is_empty()).then_some(found)
    }

    /// Leaves out declarations before the step that nothing read with it needs.
    fn leave_out_others(&mut self, program: &Program<'_, '_, 't>, step: &Step<'t>) {
        let mut needing = [step.statements.as_slice(), &self.behind].concat();
        for statement in std::mem::take(&mut self.before).into_iter().rev() {
            if declares_for(program, statement, &needing) {
                needing.push(statement);
                self.before.insert(0, statement);
            }
        }
    }

    /// How sure that is. Equations foresee nothing.
    pub fn foresight(&self) -> Foresight {
        match (self.before.as_slice(), self.behind.as_slice()) {
            ([], []) => Foresight::Nothing,
            (_, []) => Foresight::Certain,
            _ => Foresight::Likely,
        }
    }

    /// The statements as they are put before the step.
    pub fn text_before(&self, program: &Program) -> String {
        let equations = self.equations.iter().map(|it| it.text.clone());
        let before = self.before.iter().map(|it| one_line(program, *it));
        equations.chain(before).map(|it| it + " ").collect()
    }

    /// The same behind it.
    pub fn text_behind(&self, program: &Program) -> String {
        self.behind.iter().map(|it| format!(" {}", one_line(program, *it))).collect()
    }

    /// Whether a statement only exchanges what the step uses.
    fn exchanges(&self, program: &Program<'_, '_, 't>, statement: Node<'t>, step: &Step<'t>) -> bool {
        let cores = [self.before.as_slice(), &step.statements].concat();
        if let Some(statements) = braced(program, statement) {
            let turns = |count: usize| turns(program, statements[count], &cores, &statements[..count]);
            return !statements.is_empty() && (0..statements.len()).all(turns);
        }
        turns(program, statement, &cores, &self.behind)
    }

    /// Lets the host leave what these statements change, as it runs them itself.
    ///
    /// # Errors
    /// The step changes the same, or calls could not tell whether the host does as these statements say.
    pub fn leave_to_host(&self, nest: &mut Nest, program: &Program<'_, '_, 't>, step: &Step<'t>) -> Failable<()> {
        let changed = self.changed(program, step);
        let is_changed = |value: &HostValue| changed.contains(&Changed::of(value));
        let (foreseen, left): (Vec<LeftPointer>, _) = std::mem::take(&mut nest.step.left_pointers)
            .into_iter()
            .partition(|it| is_changed(&nest.values[it.variable]));
        nest.step.left_pointers = left;
        nest.step.foreseen_pointers = foreseen;
        if step.gaps.is_empty() {
            // What a step that folds would make of scalars beside that, as of `old = new;`.
            remove_accumulators(nest, is_changed);
        }
        let values = &nest.values;
        nest.step.replay.retain_mut(|it| is_kept(it, &|scalar| !is_changed(&values[scalar])));
        let is_apart = !step.changes_one_of(program, &self.changed_apart(program, step, &changed));
        if is_apart && is_told(nest, &is_changed) { Ok(()) } else { Err(not_foreseen(nest)) }
    }

    /// What of this the step must not change: where pointers in arrays are exchanged, and the step stores none, it stores what they
    /// lead to.
    fn changed_apart(
        &self,
        program: &Program<'_, '_, 't>,
        step: &Step<'t>,
        changed: &BTreeSet<Changed>,
    ) -> BTreeSet<Changed> {
        let statements = self.before.iter().chain(&self.behind);
        let has_elements = statements.copied().flat_map(nodes_in).any(|it| is_pointer_element(program, it));
        let mut bodies = program.bodies_of(step.statements.clone(), |_| true);
        let leaves_pointers = has_elements && !bodies.any(|body| stores(body, |place| may_be_pointer(program, place)));
        changed.iter().filter(|it| !(it.is_element && leaves_pointers)).cloned().collect()
    }

    /// What the statements change, themselves or in functions that they call. What the step makes true it leaves itself.
    fn changed(&self, program: &Program<'_, '_, 't>, step: &Step<'t>) -> BTreeSet<Changed> {
        let equations = self.equations.iter().flat_map(|it| &it.statements).filter(|it| !step.has(**it));
        let all: Vec<Node> = equations.chain(&self.before).chain(&self.behind).copied().collect();
        let bodies = program.bodies_of(all.clone(), |_| true);
        bodies.flat_map(|body| names::changed(program.unit, body, all.contains(&body))).collect()
    }
}

/// Whether a nest that foresees computes and leaves to the host what the same nest does that foresees nothing: copies only turn.
pub fn only_turns(foreseeing: &Nest, plain: &Nest) -> bool {
    foreseeing.step.statements.len() == plain.step.statements.len() && what_is_left(foreseeing) == what_is_left(plain)
}

/// What a nest leaves in the host's variables, by their names.
fn what_is_left(nest: &Nest) -> (BTreeSet<&str>, BTreeSet<(&str, Vec<&str>)>) {
    let text = |variable: Handle<HostValue>| nest.values.text(variable);
    let scalars = nest.left_scalars().into_iter().map(|(variable, _)| variable);
    let folded = nest.step.folds.left().map(|it| it.variable);
    let pointer = |it: &LeftPointer| (text(it.variable), it.held.iter().map(|held| text(*held)).collect());
    let (left_scalars, left_pointers) = (scalars.chain(folded), nest.step.left_pointers.iter());
    (left_scalars.map(text).collect(), left_pointers.map(pointer).collect())
}

/// Whether calls bring all that is changed and that the nest is given, and are compared with what is foreseen.
fn is_told(nest: &Nest, is_changed: &impl Fn(&HostValue) -> bool) -> bool {
    let turned = |param: &Param| nest.step.turns.iter().any(|turn| param.value == ParamValue::Variable(turn.variable));
    let is_foreseen =
        |variable| nest.step.foreseen_pointers.iter().any(|it| it.variable == variable && it.offset.is_none());
    let params = nest.params.iter().all(|(_, param)| match param.value {
        ParamValue::Variable(variable) => !is_changed(&nest.values[variable]) || turned(param),
        ParamValue::IsSet { pointer, .. } => !is_changed(&nest.values[pointer]),
        ParamValue::Expression { .. } => true,
    });
    let is_folded = nest.step.folds.accumulators.iter().any(|it| is_changed(&nest.values[it.variable]));
    params && !is_folded && nest.buffers().all(|it| !is_changed(&nest.values[it.variable]) || is_foreseen(it.variable))
}

fn not_foreseen(nest: &Nest) -> Box<Diagnostic> {
    let message = "what the host does around this step is no exchange that can be foreseen";
    Box::new(Diagnostic::error("kept-step", message, nest.span).with_help("exchange pointers behind the last sweep"))
}

/// Whether something is left of a replay without scalars that are not wanted.
fn is_kept(replay: &mut Replay, is_wanted: &impl Fn(Handle<HostValue>) -> bool) -> bool {
    match replay {
        Replay::Scalar(scalar) => is_wanted(scalar.variable),
        Replay::Setting(_) => true,
        Replay::Loop(_, inner) => {
            inner.retain_mut(|it| is_kept(it, is_wanted));
            true
        }
    }
}

/// Whether a statement before a step declares pointers or numbers by which it may choose its buffers, or that hold one of these.
fn chooses(program: &Program, statement: Node) -> bool {
    let declarators = fields(statement, "declarator");
    let names: Vec<&str> = names_of(program, &declarators);
    let is_real = |words: &str| words.split_whitespace().any(|word| ["float", "double"].contains(&word));
    let ty = statement.child_by_field_name("type").map_or("", |ty| program.text(ty));
    let has_value = |it: &Node, is_pointer: bool| {
        let value = it.child_by_field_name("value");
        value.is_some_and(|value| is_plain(program, value) && (is_pointer || !reads_element(value)))
    };
    let is_chosen = |it: &Node| has_value(it, declares_pointer(*it)) && (declares_pointer(*it) || !is_real(ty));
    let is_lasting = |it: &Node| ["static", "volatile", "extern", "register"].contains(&program.text(*it));
    statement.kind() == "declaration"
        && !children(statement).iter().any(is_lasting)
        && names.len() == declarators.len()
        && declarators.iter().all(is_chosen)
}

/// Whether the step changes something in a structure that a statement before it declares: the host may look at that behind the step.
fn touches_structure<'t>(program: &Program<'_, '_, 't>, declaration: Node<'t>, step: &Step<'t>) -> bool {
    let declarators = fields(declaration, "declarator");
    names_of(program, &declarators).into_iter().any(|name| {
        step.statements.iter().any(|it| {
            let scope = program.scope_at(*it);
            let is_structure = scope.variable(name).is_some_and(|variable| matches!(variable.ty, CType::Structure(_)));
            is_structure && names::is_touched(program.unit, &scope, *it, name)
        })
    })
}

fn names_of<'p>(program: &Program<'p, '_, '_>, declarators: &[Node]) -> Vec<&'p str> {
    let names = declarators.iter().filter_map(|it| declared_identifier(*it));
    names.map(|name| program.text(name)).collect()
}

/// Whether a statement exchanges pointers, or sets a number by which buffers are chosen.
fn turns<'t>(program: &Program<'_, '_, 't>, statement: Node<'t>, cores: &[Node], between: &[Node]) -> bool {
    rotates(program, statement, cores, between) && names_all(program, statement)
        || counts_buffers(program, statement, cores)
        || saves_number(program, statement, cores)
}

/// Whether a statement declares a number that holds one that sweeps use, as `int old = now;` does.
fn saves_number(program: &Program, statement: Node, cores: &[Node]) -> bool {
    let declarators = fields(statement, "declarator");
    let values: Vec<Node> = declarators.iter().filter_map(|it| it.child_by_field_name("value")).collect();
    let is_used = |value: &Node| value.kind() == "identifier" && begins_with_one_of(program, *value, cores);
    let is_number = |it: &Node| !declares_pointer(*it);
    chooses(program, statement) && declarators.iter().all(is_number) && values.iter().all(is_used)
}

/// Whether what a statement changes has names: functions store nothing but `*p`, and get addresses of variables for that.
fn names_all<'t>(program: &Program<'_, '_, 't>, statement: Node<'t>) -> bool {
    let mut calls = nodes_in(statement).filter_map(|node| node.child_by_field_name("arguments"));
    let is_named = |place: Node| is_variable(place) || is_pointer_element(program, place);
    let is_address = |argument: Node| address_of(program.unit, argument).is_some_and(is_named);
    let gets_addresses = calls.all(|arguments| children(arguments).into_iter().all(is_address));
    let is_element = |place: Node| !(gets_addresses && is_plain_dereference(place));
    !program.bodies_of(vec![statement], |_| true).any(|body| stores(body, is_element))
}

/// Whether a statement gives an integer that sweeps use another value, as `now = 1 - now;` does.
fn counts_buffers(program: &Program, statement: Node, cores: &[Node]) -> bool {
    let expression = children(statement).first().copied().filter(|_| statement.kind() == "expression_statement");
    let Some(expression) = expression.map(strip_parentheses).filter(|it| it.kind() == "assignment_expression") else {
        return false;
    };
    let sides = ["left", "right"].map(|side| expression.child_by_field_name(side));
    let [Some(place), Some(value)] = sides else { return false };
    let operator = expression.child_by_field_name("operator").map_or("", |it| program.text(it));
    let turns = matches!(operator, "=" | "^=" | "%=");
    matches!(place.kind(), "identifier" | "field_expression")
        && turns
        && !is_real(program, place)
        && begins_with_one_of(program, place, cores)
        && is_plain(program, value)
}

/// Whether an expression calls nothing, assigns nothing and has no real constants.
fn is_plain(program: &Program, value: Node) -> bool {
    nodes_in(value).all(|node| match node.kind() {
        "call_expression" | "assignment_expression" | "update_expression" | "initializer_list" => false,
        "number_literal" => !program.text(node).contains('.'),
        _ => true,
    })
}

fn reads_element(value: Node) -> bool {
    nodes_in(value).any(|node| matches!(node.kind(), "subscript_expression" | "pointer_expression"))
}

/// The statements of `{ ... }` or of `do { ... } while (0)`.
fn braced<'t>(program: &Program, statement: Node<'t>) -> Option<Vec<Node<'t>>> {
    match statement.kind() {
        "compound_statement" => Some(children(statement)),
        "do_statement" if !program.repeats(statement) => Some(children(statement.child_by_field_name("body")?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read};
    use crate::ir::Nest;

    /// A kept loop with `before` in front of a sweep from `from` to `to`, and `behind` behind what the host does.
    fn kept(before: &str, [from, to]: [&str; 2], behind: &str) -> Nest {
        let sweep = format!("for (int i = 1; i < n - 1; i++) {to}[i] = {from}[i - 1] + {from}[i + 1];");
        let body = format!(
            "double *tmp; int now = 0;\n#pragma stencil\nfor (int t = 0; t < steps; t++) {{\n{before}\n{sweep}\nif (t % 5 == 0) print(t);\n{behind}\n}}"
        );
        read(&format!(
            "void print(int);\n{}",
            function("int n, int steps, double *a, double *b, double (*u)[100]", &body)
        ))
    }

    fn foreseen(nest: &Nest) -> Vec<&str> {
        let variables = nest.step.foreseen_pointers.iter().map(|it| nest.values.text(it.variable));
        let turned = nest.step.turns.iter().map(|it| nest.values.text(it.variable));
        assert!(nest.step.left_pointers.is_empty() && nest.step.replayed().is_empty(), "{nest}");
        variables.chain(turned).collect()
    }

    #[test]
    fn exchanges_behind_the_hosts_doings_are_foreseen() {
        for behind in [
            "tmp = a; a = b; b = tmp;",
            "double *c = a; a = b; b = c;",
            "{ double *c = a; a = b; b = c; }",
            "do { double *c = a; a = b; b = c; } while (0);",
            "tmp = a, a = b, b = tmp;",
            "(tmp = a, (a = b, b = tmp));",
        ] {
            assert_eq!(foreseen(&kept("", ["a", "b"], behind)), ["a", "b"], "{behind}");
        }
        let levels = ["u[now]", "u[1 - now]"];
        for behind in ["now = 1 - now;", "now = !now;", "now = (now + 1) % 2;"] {
            assert_eq!(foreseen(&kept("", levels, behind)), ["now"], "{behind}");
        }
        assert_eq!(foreseen(&kept("int next = 1 - now;", ["u[now]", "u[next]"], "now = next;")), ["now"]);
        let behind = "int old = now; now = 1 - old;";
        assert_eq!(foreseen(&kept("", levels, behind)), ["now"]);
    }

    #[test]
    fn what_runs_now_and_then_is_not_foreseen() {
        for behind in ["if (t % 2) { tmp = a; a = b; b = tmp; }", "print(t);"] {
            assert!(foreseen(&kept("", ["a", "b"], behind)).is_empty(), "{behind}");
        }
    }

    #[test]
    fn what_stores_elements_is_not_foreseen() {
        let functions = "double *u, *v; int m;\
            void end(void) { u[0] = u[1]; }\
            void last(void) { *v = *u; }\
            void sweep(double *from, double *to) { for (int i = 1; i < m - 1; i++) to[i] = from[i - 1] + from[i + 1]; }\
            void print(int);\n";
        for call in ["end", "last"] {
            let body = format!(
                "#pragma stencil\nfor (int t = 0; t < steps; t++) {{ {call}(); sweep(u, v); if (t % 5 == 0) print(t); }}"
            );
            let nest = read(&(functions.to_owned() + &function("int steps", &body)));
            assert_eq!(nest.step.statements.len(), 1, "{call}: {nest}");
        }
    }

    #[test]
    fn what_calls_cannot_tell_is_not_foreseen() {
        // `next` is what the host makes it, and no call is compared with what `now` would be.
        let before = "int next = 1 - now; if (t % 4 == 3) next = now;";
        assert!(foreseen(&kept(before, ["u[now]", "u[next]"], "now = next;")).is_empty());
    }

    #[test]
    fn structures_that_a_step_changes_are_not_foreseen() {
        let source = |change: &str| {
            let sweep = |to: &str, from: &str| {
                format!(
                    "for (int i = 1; i < n - 1; i++) {to}[i] = own.w * {from}[i - 1] + own.in.p[1] * {from}[i + 1];"
                )
            };
            let (first, second) = (sweep("b", "a"), sweep("a", "b"));
            let body = format!(
                "#pragma stencil\nfor (int t = 0; t < steps; t++) {{ struct all own = given; {first} {change} {second} print(own.w); }}"
            );
            let types =
                "struct all { double w; struct { double p[2]; } in; };\nvoid print(double); void change(double *);\n";
            types.to_owned() + &function("int n, int steps, double *a, double *b, struct all given", &body)
        };
        assert_eq!(read(&source("")).step.statements.len(), 2);
        for change in ["own.w = 0.5 * own.w;", "(own).w += 1;"] {
            let nest = read(&source(change));
            let left: Vec<_> =
                nest.left_scalars().into_iter().map(|(variable, _)| nest.values.text(variable)).collect();
            assert_eq!(left, ["own.w"], "{change}: {nest}");
        }
    }
}
