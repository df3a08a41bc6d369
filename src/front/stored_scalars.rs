//! Scalars that carry data from one step to the next: `old = older; older = a[1];`.
//!
//! What a step makes of elements no rule tells before the device starts. So the memory of such a scalar is an array of one
//! element: what reads the scalar reads the element, and what assigns it stores there. All that is known of arrays holds then.

use tree_sitter::Node;

use super::Failable;
use super::forms::Form;
use super::objects::Place;
use super::reader::{PointerValue, Reader};
use super::types::CType;
use crate::ir::{Expr, ExprKind, Handle, HostValue, Selector};

impl<'t> Reader<'_, '_, 't> {
    /// What `node` designates; `None` for what is no place.
    pub fn place(&mut self, node: Node<'t>) -> Failable<Option<Place<'t>>> {
        let place = self.designated(node)?;
        Ok(place.map(|place| match place {
            Place::Object(object) => self.memory_of(object).map_or(Place::Object(object), Place::Element),
            element => element,
        }))
    }

    /// The element that a scalar is, if it carries data from step to step.
    pub fn memory_of(&mut self, scalar: Handle<HostValue>) -> Option<PointerValue<'t>> {
        if *self.rules.form_of(&self.nest.values[scalar])? != Form::Stored {
            return None;
        }
        let variable = self.declaration_of(scalar)?.clone();
        let (pointee, span) = (variable.ty.clone(), self.unit.span(variable.declarator.unwrap_or(self.node)));
        let mut value = self.nest.values[scalar].clone();
        value.path.push(Selector::Address);
        let ty = CType::Array(Box::new(pointee.clone()), None);
        let array = self.part(value, variable.part(ty.clone(), false));
        Some(self.first_of(array, &ty, &pointee, span))
    }

    /// Scouted scalars whose value before a step matters and that hold what a step makes of data, if steps sweep.
    pub fn carried_by_data(&self, ruled: &[Handle<HostValue>]) -> Vec<Handle<HostValue>> {
        let sweeps = self.nest.step.statements.iter().any(|it| self.nest.accesses[it.write].loops.len() > 1);
        let is_carried = |variable: &Handle<HostValue>| {
            let end = self.scouted_end(*variable).filter(|end| !self.is_made_of_folds(*end));
            let is_assigned = end.is_some() && !ruled.contains(variable);
            let is_plain = self.declaration_of(*variable).is_some_and(|it| !it.is_volatile);
            sweeps && is_assigned && is_plain && self.is_needed(*variable)
        };
        self.by_name(self.rules.scouted().filter(is_carried))
    }

    fn is_made_of_folds(&self, value: Handle<Expr>) -> bool {
        let mut parts = self.nest.reachable([value]).into_iter();
        parts.any(|part| matches!(self.kind(part), ExprKind::Accumulator(_)))
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};

    /// A nest of steps with `rest` behind a sweep that adds `value`.
    fn nest(value: &str, rest: &str) -> String {
        let sweep = format!("for (int i = 1; i < n; i++) a[i] = 0.5 * a[i] + {value};");
        let body = format!(
            "double old = 0, older = 1;\n#pragma stencil\nfor (int t = 0; t < steps; t++) {{ {sweep} {rest} }}"
        );
        function("int n, int steps, double *a", &body)
    }

    #[test]
    fn what_carries_data_is_an_array_of_one_element() {
        let text = read(&nest("0", "a[0] = older; older = old; old = a[1];")).to_string();
        for line in
            ["array double old[] strides 1 buffers old\n", "a[0] = older[0]", "older[0] = old[0]", "old[0] = a[1]"]
        {
            assert!(text.contains(line), "{line}\n{text}");
        }
        let text = read(&nest("old", "if (a[1] > 0) old += a[1];")).to_string();
        assert!(text.contains("+ old[0]") && text.contains("old[0] = "), "{text}");
    }

    #[test]
    fn what_follows_a_rule_is_none() {
        let nest = read(&nest("old", "old += 0.5; a[0] = older; older = a[1];"));
        assert_eq!(nest.step.rules.len(), 1, "{nest}");
        assert_eq!(nest.arrays.handles().filter(|array| nest.is_scalar(*array)).count(), 1, "{nest}");
    }

    #[test]
    fn what_points_carry_is_none() {
        let rest = "for (int i = 0; i < n; i++) { a[i] = old; old = a[i] + 1; }";
        assert_eq!(refusal(&nest("old", rest)).code, "scalar-carried");
    }
}
