//! Scalars that each iteration leaves as it finds them: `int n = 0; for (...) { ... n++; ... u[i] = n; n = 0; }`.
//!
//! Such a scalar begins every iteration with the constant that it has in front of the loop, as the last thing that an iteration does to it
//! is to give it that again. For the loops around it is as if they did not change it.

use tree_sitter::Node;

use super::headers::declares;
use super::numbers::Constant;
use super::reader::{Binding, Change, Reader};
use super::tree::{child_around, children, mentions, nodes_in, plain_assignment, strip_parentheses, takes_address_in};
use crate::ir::{Expr, ExprKind, Handle, HostValue};

impl<'t> Reader<'_, '_, 't> {
    /// Takes out of what a loop changes the scalars that it restores.
    pub fn leave_out_restored(&mut self, node: Node<'t>, body: Node<'t>, changed: &mut Vec<Change>) {
        changed.retain(|(scalar, _)| {
            let is_restored = self.is_restored(node, body, *scalar);
            if is_restored {
                self.restored.insert(*scalar);
            }
            !is_restored
        });
    }

    /// Whether a loop around leaves the scalar called `name` here as it finds it.
    pub fn restores_named(&self, name: &str) -> bool {
        let value = self.scope.variable(name).map(|it| it.identity(self.unit.source.id(), name));
        let value = value.map(|variable| HostValue { variable, path: Vec::new() });
        value.and_then(|value| self.nest.values.find(&value)).is_some_and(|it| self.restored.contains(&it))
    }

    fn is_restored(&self, node: Node<'t>, body: Node<'t>, scalar: Handle<HostValue>) -> bool {
        let Some(Binding::Scalar(before)) = self.bindings.get(&scalar) else { return false };
        let Some(before) = self.constant_of_scalar(*before) else { return false };
        let value = &self.nest.values[scalar];
        let name = value.variable.name.as_str();
        let is_this = |variable: &super::symbols::Variable| {
            !variable.is_static && variable.identity(self.unit.source.id(), name) == value.variable
        };
        value.path.is_empty()
            && self.scope.variable(name).is_some_and(is_this)
            && !self.function_takes_address(name, value.variable.declared_at)
            && self.restores(node, body, name, before)
    }

    /// Whether `&name` stands in the function around a declaration.
    fn function_takes_address(&self, name: &str, declared_at: usize) -> bool {
        let Some(file) = self.ancestors.last() else { return true };
        let around = child_around(*file, declared_at).filter(|it| it.kind() == "function_definition");
        around.is_none_or(|function| takes_address_in(self.unit, function, name))
    }

    /// The constant that a value of a scalar is.
    fn constant_of_scalar(&self, value: Handle<Expr>) -> Option<Constant> {
        let known = match *self.kind(value) {
            ExprKind::Local(local) => self.constant_of_scalar(self.nest.locals[local].value),
            ExprKind::Convert(inner) => self.constant_of_scalar(inner),
            _ => self.literal(value),
        };
        known?.converted(self.ty(value))
    }

    /// Whether every iteration of a loop over space, whatever way it takes, ends with `name` as it was in front of the loop.
    fn restores(&self, node: Node<'t>, body: Node<'t>, name: &str, before: Constant) -> bool {
        let is_header = |part: &Node<'t>| part.start_byte() < body.start_byte();
        let in_header = children(node).into_iter().filter(is_header).any(|part| mentions(self.unit, part, name));
        let jumps =
            ["break_statement", "continue_statement", "goto_statement", "return_statement", "labeled_statement"];
        !in_header
            && !nodes_in(body).any(|part| jumps.contains(&part.kind()))
            && !declares(self.unit, body, name)
            && self.is_restored_by(body, name, before)
    }

    fn is_restored_by(&self, statement: Node<'t>, name: &str, before: Constant) -> bool {
        match statement.kind() {
            "compound_statement" => {
                let all = children(statement);
                let mut of_it = all.into_iter().filter(|part| mentions(self.unit, *part, name));
                let Some(last) = of_it.next_back() else { return false };
                // A loop without iterations leaves what stands before it.
                let may_be_skipped = last.kind() == "for_statement" && of_it.next().is_some();
                !may_be_skipped && self.is_restored_by(last, name, before)
            }
            "for_statement" => match statement.child_by_field_name("body") {
                Some(body) => self.restores(statement, body, name, before),
                None => false,
            },
            "expression_statement" => {
                let first = children(statement).first().copied();
                first.is_some_and(|expression| self.gives_back(expression, name, before))
            }
            _ => false,
        }
    }

    /// Whether an expression is `name = constant`, or a chain of such assignments.
    fn gives_back(&self, expression: Node<'t>, name: &str, before: Constant) -> bool {
        let (mut here, mut is_target) = (strip_parentheses(expression), false);
        while here.kind() == "assignment_expression" {
            let Some((left, right)) = plain_assignment(self.unit, here).filter(|(left, _)| left.kind() == "identifier")
            else {
                return false;
            };
            is_target |= self.unit.text(left) == name;
            here = right;
        }
        // Zeros of both signs are equal.
        let has_sign = before.ty.is_float() && self.unit.text(here).contains('-');
        let given = || self.scope.typed_constant(self.unit, here)?.converted(before.ty);
        is_target && !has_sign && given() == Some(before)
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};

    /// A step with a loop over points that has `body`, in a block that begins with `before`.
    fn step(before: &str, body: &str) -> String {
        let point = format!("for (int i = 1; i < n - 1; i++) {{ {body} }}");
        function(
            "int n, int steps, double *a, double *b",
            &format!("#pragma stencil\nfor (int t = 0; t < steps; t++) {{ {before} {point} }}"),
        )
    }

    #[test]
    fn what_each_iteration_gives_back_is_carried_by_none() {
        for last in ["k = 0;", "{ k = (0); }", "k = l = 0;"] {
            let nest = read(&step("int k = 0, l = 0;", &format!("if (b[i] > 0) k++; a[i] = k + l; {last}")));
            assert!(nest.step.folds.actions.is_empty(), "{last}: {nest}");
        }
        let rows = "for (int j = 1; j < n; j++) { if (b[j * n + i] > 0) x += 0.5; a[j * n + i] = x; x = 0.; }";
        read(&step("double x = 0;", rows));
    }

    #[test]
    fn what_an_iteration_may_leave_otherwise_is_carried() {
        for (before, body) in [
            ("int k = 0;", "if (b[i] > 0) k++; a[i] = k; k = 1;"),
            ("int k = 0;", "if (b[i] > 0) k++; a[i] = k; if (i > 3) k = 0;"),
            ("int k = 0;", "if (b[i] > 0) k++; a[i] = k; if (b[i] > 9) continue; k = 0;"),
            ("double x = 0;", "if (b[i] > 0) x++; a[i] = x; x = -0.0;"),
            ("int k = n;", "if (b[i] > 0) k++; a[i] = k; k = 0;"),
            ("int k = 0, *p = &k;", "if (b[i] > 0) k++; a[i] = k; k = 0; *p = 2;"),
            ("int k = 0;", "a[i] = k; k = 3; for (int j = i; j < 2; j++) { a[i] += k; k = 0; }"),
        ] {
            refusal(&step(before, body));
        }
    }
}
