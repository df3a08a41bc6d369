//! Scalars that branches assign, without a last `else`: `if (i == 0) d = x; else if (i > 0) d = y;`.
//!
//! Such a scalar has a value where one of the conditions holds. Whether that is everywhere where it is read, integer sets say
//! later for conditions on places ([`Cover`]), and [`super::exhaustive`] for comparisons of data with constants; elsewhere it would
//! hold what an earlier iteration left.

use tree_sitter::Node;

use super::Failable;
use super::expressions::Value;
use super::reader::{Binding, Reader, Unknown};
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
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{point_nest, read, refusal};

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
    fn conditions_on_data_cover_nothing() {
        let chain = "double d; if (b[i] < 0) d = 1; else if (b[i] >= 0) d = 2; a[i] = d;";
        assert_eq!(refusal(&point_nest("", chain)).code, "uninitialised");
        let mixed = "double d; if (b[i] < 0) { if (i > 2) d = 1; else if (i < 2) d = 3; } else d = 2; a[i] = d;";
        assert_eq!(refusal(&point_nest("", mixed)).code, "uninitialised");
    }
}
