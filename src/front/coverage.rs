//! Scalars that branches assign, without a last `else`: `if (i == 0) d = x; else if (i > 0) d = y;`.
//!
//! Such a scalar has a value where one of the conditions holds. Whether that is everywhere where it is read, integer sets say
//! later for conditions on places ([`Cover`]), and [`super::exhaustive`] for comparisons of data with constants; elsewhere it would
//! hold what an earlier iteration left.
//!
//! Where parameters alone decide, as in `double dy = 0; ... if (rank == 2) dy = x;`, no iteration assigns it if one does not. So it
//! holds what it held before the nest, if that is a constant and no other `if` assigns it.

use tree_sitter::Node;

use super::Failable;
use super::expressions::Value;
use super::reader::{Binding, Reader, Unknown};
use super::tree::{nodes_in, target};
use crate::ir::{BinaryOp, Cover, Covered, Expr, ExprKind, Handle, HostValue, UnaryOp};
use crate::source::Span;

/// A value that a scalar has in some cases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partly {
    /// The value, of the scalar's type.
    pub value: Handle<Expr>,
    /// Where the scalar has it; `None` is everywhere.
    taken: Option<Handle<Expr>>,
    /// Where a condition decides.
    at: Span,
}

impl<'t> Reader<'_, '_, 't> {
    /// What a scalar holds behind an `if` of which a branch, or a part of one, did not assign it.
    pub fn partly_joined(
        &mut self,
        condition: Handle<Expr>,
        then: Option<&Binding<'t>>,
        otherwise: Option<&Binding<'t>>,
        span: Span,
    ) -> Option<Binding<'t>> {
        if let (Some(Binding::Partly(one)), Some(Binding::Partly(other))) = (then, otherwise)
            && one == other
        {
            return Some(Binding::Partly(*one));
        }
        let is_whole = |binding: Option<&Binding>| matches!(binding, Some(Binding::Scalar(_)));
        if is_whole(then) && is_whole(otherwise) {
            return None;
        }
        let opposite = self.unary(UnaryOp::Not, condition, span);
        let then = self.part_of(then?, condition, span)?;
        let otherwise = self.part_of(otherwise?, opposite, span)?;
        Some(Binding::Partly(match (then, otherwise) {
            (Some(then), Some(otherwise)) => {
                let ty = self.ty(then.value);
                let rest = self.convert(otherwise.value, ty);
                let value = self.expr(ty, ExprKind::Select(condition, then.value, rest), span);
                let taken = then.taken.zip(otherwise.taken);
                Partly { value, taken: taken.map(|(a, b)| self.binary(BinaryOp::Or, a, b, span)), at: then.at }
            }
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => return None,
        }))
    }

    /// The value that a branch under `condition` gives, or that it gives none; `None` for what is no scalar.
    fn part_of(&mut self, binding: &Binding<'t>, condition: Handle<Expr>, span: Span) -> Option<Option<Partly>> {
        match *binding {
            Binding::Scalar(value) => Some(Some(Partly { value, taken: Some(condition), at: span })),
            Binding::Partly(Partly { value, taken, at }) => {
                let taken = taken.map(|taken| self.binary(BinaryOp::And, condition, taken, span));
                Some(Some(Partly { value, taken, at }))
            }
            Binding::Unknown(Unknown::Branch | Unknown::Uncopied, _) => None,
            Binding::Unknown(..) => Some(None),
            _ => None,
        }
    }

    /// Such a value where it is read: one of the branches must have been taken there.
    pub fn partly_assigned(
        &mut self,
        node: Node<'t>,
        variable: Handle<HostValue>,
        part: Partly,
    ) -> Failable<Value<'t>> {
        let Some(taken) = part.taken.filter(|taken| !self.is_certain(*taken)) else {
            return Ok(Value::Scalar(part.value));
        };
        if let Some(held) = self.held_if_skipped(variable, part, taken) {
            let ty = self.ty(part.value);
            let value = self.expr(ty, ExprKind::Select(taken, part.value, held), self.span(node));
            return Ok(Value::Scalar(value));
        }
        let Ok(taken) = self.integral_condition(taken, self.here()) else {
            return Err(self.unknown_value(node, variable, Unknown::Skipped, part.at));
        };
        let is_known = |cover: &Cover| (cover.taken, &cover.loops, &cover.guards) == (taken, &self.loops, &self.guards);
        if !self.nest.covers.iter().any(is_known) {
            self.nest.covers.push(Cover {
                of: Covered::Scalar { variable, outlives: self.is_from_outside(variable) },
                loops: self.loops.clone(),
                guards: self.guards.clone(),
                taken,
                read: self.span(node),
                branches: part.at,
            });
        }
        Ok(Value::Scalar(part.value))
    }

    /// What a scalar holds in all iterations if it is assigned in none: parameters decide that, in one `if`.
    fn held_if_skipped(
        &mut self,
        variable: Handle<HostValue>,
        part: Partly,
        taken: Handle<Expr>,
    ) -> Option<Handle<Expr>> {
        let is_held = self.is_from_outside(variable) && self.is_own_local(variable) && self.is_same_everywhere(taken);
        if !is_held || !self.is_assigned_in_one_if(variable, part.at) {
            return None;
        }
        let ty = self.ty(part.value);
        self.number_before(variable, ty)
    }

    /// Whether an expression is the same in all iterations.
    fn is_same_everywhere(&self, expr: Handle<Expr>) -> bool {
        match self.kind(expr) {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Param(_) => true,
            ExprKind::Local(local) => self.is_same_everywhere(self.nest.locals[*local].value),
            ExprKind::Index(_) | ExprKind::Iteration(_) | ExprKind::Read(_) | ExprKind::Accumulator(_) => false,
            kind => kind.operands().into_iter().all(|operand| self.is_same_everywhere(operand)),
        }
    }

    /// Whether all that assigns a variable of the function stands in the `if` whose condition stands there.
    fn is_assigned_in_one_if(&self, variable: Handle<HostValue>, condition: Span) -> bool {
        let name = self.name(variable);
        let assigned =
            |node: Node<'t>| nodes_in(node).filter(|it| target(*it).is_some_and(|it| self.text(it) == name)).count();
        let is_it = |node: &Node<'t>| {
            let decides = node.child_by_field_name("condition").map(|it| self.span(it));
            node.kind() == "if_statement" && decides == Some(condition)
        };
        nodes_in(self.node).find(is_it).is_some_and(|it| assigned(it) == assigned(self.node))
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, point_nest, read, refusal};

    #[test]
    fn a_chain_of_conditions_on_places_is_left_to_integer_sets() {
        for chain in [
            "double d; if (i == 0) d = 1; else if (i > 0) d = b[i]; a[i] = d;",
            "double d; if (i == 0) d = 1; if (i > 0) d = b[i]; a[i] = d;",
            "double d; if (i < 3) { if (i == 1) d = 2; else if (i > 1) d = 3; } else if (i > 2) d = 4; a[i] = d;",
        ] {
            let nest = read(&point_nest("", chain));
            assert_eq!(nest.covers.len(), 1, "{chain}: {nest}");
        }
        let whole = read(&point_nest("", "double d; if (i == 0) d = 1; else d = 2; a[i] = d;"));
        assert!(whole.covers.is_empty());
    }

    #[test]
    fn what_parameters_leave_unassigned_holds_what_it_held_before() {
        let text = |before: &str, body: &str| {
            let loops = "for (int t = 0; t < m; t++) for (int i = 1; i < n; i++)";
            function(
                "int n, int m, double *a, double *b",
                &format!("double d{before}; int k = 0;\n#pragma stencil\n{loops} {body}"),
            )
        };
        let nest = read(&text(" = 0.5", "{ if (m > 3) d = b[i]; a[i] = d; }"));
        assert!(nest.covers.is_empty() && nest.to_string().contains("0.5"), "{nest}");
        for (before, body) in [
            ("", "{ if (m > 3) d = b[i]; a[i] = d; }"),
            (" = n", "{ if (m > 3) d = b[i]; a[i] = d; }"),
            (" = 0.5; d++", "{ if (m > 3) d = b[i]; a[i] = d; }"),
            (" = 0.5", "{ if (t > 3) d = b[i]; a[i] = d; }"),
            (" = 0.5", "{ if (m > 3) d = b[i]; a[i] = d; if (m < 2) d = 7; }"),
            (" = 0.5", "{ if (m > 3) d = b[i]; a[i] = d; d = 2; }"),
        ] {
            assert_eq!(read(&text(before, body)).covers.len(), 1, "{before} {body}");
        }
        let under_data = text(" = 0.5", "{ if (b[i] > 3) { if (m > 3) d = b[i]; } a[i] = d; }");
        assert_eq!(refusal(&under_data).code, "scalar-carried");
        assert_eq!(refusal(&text(" = 0.5, *p = &d", "{ if (m > 3) d = b[i]; a[i] = d; }")).code, "scalar-live-out");
    }

    #[test]
    fn conditions_on_data_cover_nothing() {
        let chain = "double d; if (b[i] < 0) d = 1; else if (b[i] >= 0) d = 2; a[i] = d;";
        assert_eq!(refusal(&point_nest("", chain)).code, "uninitialised");
        let mixed = "double d; if (b[i] < 0) { if (i > 2) d = 1; else if (i < 2) d = 3; } else d = 2; a[i] = d;";
        assert_eq!(refusal(&point_nest("", mixed)).code, "uninitialised");
    }
}
