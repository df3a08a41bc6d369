//! Time loops that count with a floating-point variable: `for (t = 0; t < end; t += dt)`.
//!
//! The variable is a scalar that steps change by a rule, and the loop one over an integer that nobody declares. How many
//! steps there are the driver finds by taking them, rules alone, until the loop's condition does not hold: see [`Until`].

use tree_sitter::Node;

use super::Failable;
use super::headers::{comma_parts, counting};
use super::loops::Start;
use super::reader::{Binding, Reader};
use super::tree::{strip_parentheses, target};
use super::types::{CType, base_type};
use crate::ir::{BinaryOp, Handle, Loop, ScalarType, Until};
use crate::source::Span;

impl<'t> Reader<'_, '_, 't> {
    /// The beginning of the outermost loop, if that counts with a floating-point variable, which gets its first value.
    pub fn start_real_loop(&mut self, node: Node<'t>) -> Failable<Option<Start<'t>>> {
        let is_tested_first = node.kind() != "do_statement";
        let Some(name) = self.real_counter(node).filter(|_| self.loops.is_empty() && is_tested_first) else {
            return Ok(None);
        };
        let Some(condition) = node.child_by_field_name("condition").map(strip_parentheses) else { return Ok(None) };
        self.initialise(node, node.child_by_field_name("initializer"))?;
        let (variable, span) = (self.undeclared(format!("step_of_{name}")), self.span(condition));
        let updates = node.child_by_field_name("update").map(comma_parts).unwrap_or_default();
        let first = self.int(ScalarType::I32, 0, span);
        let ty = ScalarType::I32;
        Ok(Some(Start {
            variable,
            ty,
            outlives: false,
            first,
            condition,
            update: condition,
            updates,
            is_real: true,
            runs_first: false,
        }))
    }

    /// The name of the floating-point variable with which a loop counts.
    fn real_counter(&self, node: Node<'t>) -> Option<String> {
        let counting = counting(self.unit, node).map(|it| it.update);
        let counter = target(counting.or_else(|| node.child_by_field_name("update"))?)?;
        let name = self.text(counter);
        let declaration = node.child_by_field_name("initializer").filter(|it| it.kind() == "declaration");
        let ty = match declaration {
            Some(declaration) => base_type(self.unit, &self.scope, declaration),
            None => self.scope.variable(name)?.ty.clone(),
        };
        matches!(ty, CType::Scalar(ty) if ty.is_float()).then(|| name.to_owned())
    }

    /// The loop over steps of which there are as many as the driver finds.
    pub fn real_loop(&mut self, start: &Start<'t>, span: Span) -> Handle<Loop> {
        let &Start { variable, ty, first, .. } = start;
        let bound = self.int(ty, Until::MAX_STEPS, span);
        let relation = BinaryOp::Less;
        self.nest.loops.push(Loop { variable, ty, outlives: false, first, relation, bound, step: 1 }, span)
    }

    /// Reads the condition under which there is a step.
    ///
    /// # Errors
    /// More goes into it than what rules and the host know.
    pub fn enter_real_loop(&mut self, start: &Start<'t>) -> Failable<()> {
        let condition = self.scalar(start.condition)?;
        let condition = self.truth(condition);
        if !self.is_ruled(condition) {
            let help = "let the loop run to a bound that is set before the nest, and choose with an `if` inside";
            return self.refuse(start.condition, "loop-bound", "the bound of a loop depends on data", help);
        }
        self.nest.step.until = Some(Until { condition });
        Ok(())
    }

    /// Reads what stands behind the second semicolon.
    pub fn update_real_loop(&mut self, this: Handle<Loop>, start: &Start<'t>) -> Failable<()> {
        for part in &start.updates {
            self.expression_statement(*part, *part)?;
        }
        self.bindings.insert(start.variable, Binding::Index(this));
        Ok(())
    }

    /// Refuses a loop over space that counts so.
    pub fn check_real_loop(&self, node: Node<'t>) -> Failable<()> {
        if self.nest.step.until.is_some() && !self.nest.clock.has_steps() {
            let help = "count with an integer and compute the floating-point value from it";
            return self.refuse(node, "loop-form", "a loop over space counts with a floating-point variable", help);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};

    fn nest(head: &str, rest: &str) -> String {
        let sweep = "for (int i = 1; i < n; i++) b[i] = a[i] * x; for (int i = 1; i < n; i++) a[i] = b[i];";
        let body = format!("double x = 0.5;\n#pragma stencil\n{head} {{ {sweep} {rest} }}\nb[0] = x;");
        function("int n, double end, double dt, double *a, double *b", &body)
    }

    #[test]
    fn steps_are_taken_while_the_condition_holds() {
        for (head, rest) in [
            ("for (x = 0; x < end; x += dt)", ""),
            ("for (; x < end;)", "x += dt;"),
            ("while (x < end)", "x = x + dt;"),
            ("for (x = 0; x < end && a; x += dt)", ""),
        ] {
            let text = read(&nest(head, rest)).to_string();
            assert!(text.contains("loop int step_of_x = 0; step_of_x < 2147483647; step_of_x += 1 time\n"), "{text}");
            assert!(text.contains("while ") && text.contains("(x[#step_of_x] < end)"), "{text}");
            assert!(text.contains("leave x = x[(#step_of_x + 1)]\n"), "{text}");
        }
    }

    #[test]
    fn other_rules_go_into_the_condition() {
        let text = read(&nest("for (x = 0; x < end; x += dt)", "dt = dt * 0.5; end = end - dt;")).to_string();
        assert!(
            text.contains("while (x[#step_of_x] < end[#step_of_x])") && text.matches("rule ").count() == 3,
            "{text}"
        );
    }

    #[test]
    fn what_data_decides_is_the_hosts() {
        for (head, rest) in [("for (x = 0; x < a[0]; x += dt)", ""), ("for (x = 0; x < end; x += dt)", "end = a[1];")] {
            let nest = read(&nest(head, rest));
            assert!(nest.clock.end().is_some() && nest.step.until.is_none(), "{head} {rest}: {nest}");
        }
        assert_eq!(refusal(&nest("for (x = 0; x < end; x += a[0])", "")).code, "kept-step");
    }

    #[test]
    fn loops_over_space_count_by_integers() {
        let space = "double x;\n#pragma stencil\nfor (x = 0; x < end; x += 1) a[n] = x;";
        refusal(&function("int n, double end, double *a", &space.replace("a[n]", "a[(int)x]")));
    }
}
