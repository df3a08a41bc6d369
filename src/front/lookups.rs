//! Elements of small arrays that data chooses: `alive[count]` of `int alive[9] = {0, 0, 0, 1};`.
//!
//! The elements of the nest's own arrays are scalars of the point, those of others are elements at constant places. So what the
//! subscript finds is a choice among their values. C leaves open what is found where there is no such element, or none that has a value.

use tree_sitter::Node;

use super::Failable;
use super::arrays::Element;
use super::expressions::Value;
use super::local_arrays::Shape;
use super::reader::Reader;
use super::types::CType;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, HostValue, ScalarType};
use crate::source::Span;

/// Elements among which a subscript may choose.
const MAX_CHOICES: i64 = 64;

impl<'t> Reader<'_, '_, 't> {
    /// The value of the element of a local array that `place` names by a subscript that is no constant; `None` if it does not.
    pub fn looked_up(&mut self, place: Node<'t>) -> Failable<Option<Handle<Expr>>> {
        let Some((name, indices)) = self.subscripted_name(place) else { return Ok(None) };
        let Some(shape) = self.local_array(name).filter(|it| it.extents.len() == indices.len()) else {
            return Ok(None);
        };
        let mut subscripts = Vec::with_capacity(indices.len());
        for index in &indices {
            subscripts.push(self.scalar(*index)?);
        }
        let open = subscripts.iter().zip(&shape.extents).filter(|(it, _)| self.constant(**it).is_none());
        let choices = open.map(|(_, extent)| *extent).try_fold(1, i64::checked_mul);
        let is_open = subscripts.iter().any(|it| self.constant(*it).is_none());
        let is_small = choices.is_some_and(|choices| choices <= MAX_CHOICES);
        let are_places = subscripts.iter().all(|it| self.ty(*it).is_integer() && !self.is_row(*it));
        if !is_open || !is_small || !are_places {
            return Ok(None);
        }
        let subscripts: Vec<_> = subscripts.into_iter().zip(indices).map(|(it, node)| self.named(it, node)).collect();
        self.choice(place, name, &shape, &subscripts, Vec::new()).map(Some)
    }

    /// A subscript under a name of its own, as it is compared several times.
    fn named(&mut self, subscript: Handle<Expr>, node: Node<'t>) -> Handle<Expr> {
        if self.constant(subscript).is_some() {
            return subscript;
        }
        let span = self.span(node);
        self.local("place", subscript, span)
    }

    /// What the remaining `subscripts` find behind those of `found`.
    fn choice(
        &mut self,
        node: Node<'t>,
        name: &str,
        shape: &Shape<'t>,
        subscripts: &[Handle<Expr>],
        found: Vec<i64>,
    ) -> Failable<Handle<Expr>> {
        let Some((subscript, rest)) = subscripts.split_first() else {
            let element = self.element_variable(name, shape, &found);
            return self.element_value(node, element);
        };
        let behind =
            |reader: &mut Self, at: i64| reader.choice(node, name, shape, rest, [found.as_slice(), &[at]].concat());
        if let Some(at) = self.constant(*subscript) {
            let exists = (0..shape.extents[found.len()]).contains(&at);
            return if exists { behind(self, at) } else { self.refuse_whole(node, name) };
        }
        let value = |reader: &mut Self, at: i64| match behind(reader, at) {
            Err(refusal) if refusal.code == "uninitialised" => Ok(None),
            value => value.map(Some),
        };
        let chosen = self.among(*subscript, shape.extents[found.len()], self.span(node), value)?;
        match chosen {
            Some(chosen) => Ok(chosen),
            None => {
                self.refuse(node, "uninitialised", format!("no element of `{name}` has a value"), "give it one first")
            }
        }
    }

    /// The one of `count` values that a subscript chooses, of those that there are.
    fn among(
        &mut self,
        subscript: Handle<Expr>,
        count: i64,
        span: Span,
        value: impl Fn(&mut Self, i64) -> Failable<Option<Handle<Expr>>>,
    ) -> Failable<Option<Handle<Expr>>> {
        let place = self.ty(subscript);
        let mut chosen = None;
        for at in (0..count).rev() {
            let Some(value) = value(self, at)? else { continue };
            let number = self.int(place, at, span);
            chosen = Some(match chosen {
                None => value,
                Some(others) => {
                    let is_here = self.binary(BinaryOp::Equal, subscript, number, span);
                    self.expr(self.ty(value), ExprKind::Select(is_here, value, others), span)
                }
            });
        }
        Ok(chosen)
    }

    /// The value of an element of a small array from outside of the nest, `kappa[material[i]]` of `double kappa[3]`, that data
    /// choose; `None` if places do.
    pub fn chosen_by_data(&mut self, element: &Element, span: Span) -> Option<Handle<Expr>> {
        let variable = self.roots[element.root].variable;
        let declared = self.declaration_of(variable).filter(|it| matches!(it.ty, CType::Array(..)))?.clone();
        let extents = self.shape_of_variable(self.name(variable), declared)?.extents;
        let (outer, members) = element.subscripts.split_at_checked(extents.len())?;
        let by_data: Vec<_> = outer.iter().map(|it| self.is_chosen_by_data(*it)).collect();
        let choices = extents.iter().zip(&by_data).filter(|(_, by_data)| **by_data).map(|(extent, _)| *extent);
        choices.reduce(|all, one| all.saturating_mul(one)).filter(|choices| *choices <= MAX_CHOICES)?;
        let places = outer.iter().zip(&by_data);
        let mut subscripts: Vec<_> =
            places.map(|(it, by_data)| if *by_data { self.local("place", *it, span) } else { *it }).collect();
        subscripts.extend(members);
        let element = Element { subscripts, ..element.clone() };
        self.element_among(element, &extents, &by_data, span).ok()
    }

    /// Whether a subscript is an integer that comes from elements, and none that sets of places have.
    fn is_chosen_by_data(&mut self, subscript: Handle<Expr>) -> bool {
        let is_read = |expr: &Expr| matches!(expr.kind, ExprKind::Read(_) | ExprKind::Local(_));
        self.ty(subscript).is_integer() && self.any(subscript, &is_read) && !self.has_integral_form(subscript)
    }

    /// The value of an element of which data choose some subscripts.
    fn element_among(
        &mut self,
        element: Element,
        extents: &[i64],
        by_data: &[bool],
        span: Span,
    ) -> Failable<Handle<Expr>> {
        let Some(dimension) = by_data.iter().position(|by_data| *by_data) else {
            return Ok(self.read_element(&element, span));
        };
        let (subscript, mut rest) = (element.subscripts[dimension], by_data.to_vec());
        rest[dimension] = false;
        let value = |reader: &mut Self, at: i64| {
            let mut element = element.clone();
            element.subscripts[dimension] = reader.int(ScalarType::I64, at, span);
            reader.element_among(element, extents, &rest, span).map(Some)
        };
        let chosen = self.among(subscript, extents[dimension], span, value)?;
        Ok(chosen.expect("small arrays have elements"))
    }

    fn element_value(&mut self, node: Node<'t>, element: Handle<HostValue>) -> Failable<Handle<Expr>> {
        match self.object(node, element)? {
            Value::Scalar(value) => Ok(value),
            _ => self.unsupported(node),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{point_nest, read, refusal};

    fn stored(body: &str) -> String {
        let text = read(&point_nest("", body)).to_string().replace("(long long)", "");
        text.lines().find(|line| line.contains("] a[")).map(str::to_owned).unwrap_or(text)
    }

    #[test]
    fn data_chooses_among_values() {
        let one = stored("double w[3] = {1, 2, 3}; w[1] = b[i]; a[i] = w[c[i]];");
        assert!(one.contains(" ? ") && one.matches("place").count() == 2, "{one}");
        let two = stored("int w[2][2] = {{1, 2}, {3, 4}}; a[i] = w[c[i]][c[i + 1]];");
        assert_eq!(two.matches(" ? ").count(), 3, "{two}");
        let row = stored("int w[2][2] = {{1, 2}, {3, 4}}; a[i] = w[1][c[i]];");
        assert_eq!(row.matches(" ? ").count(), 1, "{row}");
    }

    #[test]
    fn what_has_no_value_is_no_choice() {
        let some = stored("double w[4]; w[1] = b[i]; w[3] = 2; a[i] = w[c[i]];");
        assert_eq!(some.matches(" ? ").count(), 1, "{some}");
        assert_eq!(refusal(&point_nest("", "double w[4]; a[i] = w[c[i]];")).code, "uninitialised");
        for body in ["double w[2] = {1, 2}; w[c[i]] = 3; a[i] = w[0];", "double w[65] = {1}; a[i] = w[c[i]];"] {
            assert_eq!(refusal(&point_nest("", body)).code, "local-array", "{body}");
        }
    }
}
