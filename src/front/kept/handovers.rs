//! Sweeps that need what stands directly before them in the same step folds, as in `sum = dot(u, u); scale(u, 1 / sqrt(sum));`.
//!
//! No device has what a step folds before the step is over. If the host does something in between, it can hand that on: it gives the
//! scalar what it holds, `sum = (double)sum;`, see [`crate::rewrite::hand_over`].

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::fed::{changed, steps_within};
use super::names;
use super::program::{Program, Trust};
use crate::front::file_tree::FileTree;
use crate::front::qualifiers::Qualifiers;
use crate::front::tree::{Unit, children, declared_identifier, fields, is_loop, loop_at, nodes_in};
use crate::ir::ScalarType;
use crate::source::Span;

/// A scalar that the host can hand on to a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handover {
    /// The statement.
    pub before: Span,
    /// The scalar,
    pub name: String,
    /// and its type.
    pub ty: ScalarType,
}

/// What the host can hand on in marked loops.
pub fn handovers(unit: &Unit, root: Node) -> Vec<Handover> {
    let program = Program::new(unit, &FileTree::new(root), Trust::Sound);
    let outer = (0..unit.pragmas.len()).filter_map(|index| loop_at(root, unit.start_behind_pragma(index)));
    outer.flat_map(|outer| handovers_in(&program, outer)).collect()
}

fn handovers_in<'t>(program: &Program<'_, '_, 't>, outer: Node<'t>) -> Vec<Handover> {
    let Some(body) = outer.child_by_field_name("body").filter(|it| it.kind() == "compound_statement") else {
        return Vec::new();
    };
    let statements = children(body);
    let is_core = |it: &Node<'t>| program.computes(*it) && (program.sweeps(*it) || program.loops(*it));
    match statements.iter().copied().filter(is_core).collect::<Vec<_>>()[..] {
        [inner] if is_loop(inner) => return handovers_in(program, inner),
        _ => {}
    }
    let (mut folded, mut found, mut end) = (BTreeSet::<String>::new(), Vec::new(), 0);
    let within = steps_within(program, &statements);
    for statement in statements {
        let span = program.unit.span(statement);
        // What a macro makes of several statements stands at one place.
        let is_behind = std::mem::replace(&mut end, span.end) <= span.start;
        let own = changed(program, statement);
        let needed = folded.iter().filter(|name| !own.contains(*name) && names::has(program.unit, statement, name));
        let needed: Vec<String> = needed.cloned().collect();
        let is_handed_on = !needed.is_empty();
        if !is_core(&statement) {
            // The host hands on what it makes something of.
            let names_one = folded.iter().any(|name| names::has(program.unit, statement, name));
            if names_one || !program.computes(statement) {
                folded.clear();
            }
            continue;
        }
        if is_handed_on && is_behind && program.sweeps(statement) {
            found.extend(needed.into_iter().filter_map(|name| handover(program, statement, name)));
            folded.clear();
        }
        if program.loops(statement) {
            folded.extend(own);
        }
    }
    match within {
        Some(inner) if found.is_empty() => handovers_in(program, inner),
        _ => found,
    }
}

fn handover<'t>(program: &Program<'_, '_, 't>, statement: Node<'t>, name: String) -> Option<Handover> {
    let scope = program.scope_at(statement);
    let variable = scope.variable(&name).filter(|it| !it.is_volatile && !it.is_static)?;
    let ty = variable.ty.number()?;
    let unit = program.unit;
    let before = unit.span(statement);
    let is_here = unit.file_at(statement.start_byte()).is_none() && before.start < before.end;
    (is_here && !may_be_constant(program, &name)).then_some(Handover { before, name, ty })
}

/// Whether something of that name is declared that nobody may assign.
fn may_be_constant(program: &Program, name: &str) -> bool {
    let is_it = |declarator: &Node| declared_identifier(*declarator).is_some_and(|it| program.text(it) == name);
    nodes_in(program.root).filter(|it| matches!(it.kind(), "declaration" | "parameter_declaration")).any(|node| {
        let declarators = fields(node, "declarator");
        declarators.into_iter().filter(is_it).any(|it| Qualifiers::of(program.unit, node, it).is_const)
    })
}

#[cfg(test)]
mod tests {
    use crate::front::tests::handovers;

    /// What is handed on in a kept loop of these statements.
    fn found(code: &str) -> Vec<String> {
        let before =
            "static double add(int n, double *a) { double s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }";
        let text = format!(
            "{before}\nvoid run(int n, double *a, double *b, double s, float f)\n{{\nint i, k = 0; static double kept;\n\
             #pragma stencil\nwhile (k++ < n) {{\n{code}\n}} }}\n"
        );
        handovers(&text).into_iter().map(|it| it.name).collect()
    }

    #[test]
    fn sweeps_get_what_stands_before_them() {
        let scale = "for (i = 0; i < n; i++)\n b[i] = a[i] * s;";
        for fold in ["s = add(n, a);", "for (i = 0; i < n; i++)\n s += a[i];"] {
            assert_eq!(found(&format!("{fold}\n{scale}")), ["s"], "{fold}");
        }
        assert_eq!(found("for (i = 0; i < n; i++)\n k += a[i] > 0;\nfor (i = 0; i < n; i++)\n b[i] = k;"), ["k"]);
        assert_eq!(found("double t = add(n, a);\nfor (i = 0; i < n; i++)\n b[i] = t;"), ["t"]);
        assert_eq!(found("for (i = 0; i < n; i++)\n f += a[i];\nfor (i = 0; i < n; i++)\n b[i] = f;"), ["f"]);
    }

    #[test]
    fn steps_of_frames_get_it_too() {
        let step = "for (i = 0; i < n; i++) s += a[i];\nfor (i = 0; i < n; i++)\n b[i] = a[i] * s;";
        let fold = "double sum = 0; for (i = 0; i < n; i++)\n sum += b[i];";
        assert_eq!(found(&format!("for (int m = 0; m < 9; m++) {{\n{step}\n}}\n{fold}")), ["s"]);
        assert!(found(&format!("for (i = 0; i < n; i++) b[i] = s;\n{fold}")).is_empty());
    }

    #[test]
    fn others_are_left() {
        for code in [
            "s = add(n, a);\ns = 1 / s;\nfor (i = 0; i < n; i++)\n b[i] = s;",
            "const double t = add(n, a);\nfor (i = 0; i < n; i++)\n b[i] = t;",
            "kept = add(n, a);\nfor (i = 0; i < n; i++)\n b[i] = kept;",
            "s = add(n, a);\nfor (i = 0; i < n; i++) {\n s = a[i];\n b[i] = s; }",
        ] {
            assert!(found(code).is_empty(), "{code}");
        }
    }
}
