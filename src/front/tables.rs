//! Tables of constant integers, such as the directions of a lattice: their elements are constants where subscripts tell which,
//! so that they may stand in subscripts themselves.

use tree_sitter::Node;

use super::Failable;
use super::local_arrays::{Shape, initialiser};
use super::numbers::Constant;
use super::reader::Reader;
use super::tree::{children, strip_parentheses, target, walk};
use super::types::{CType, base_type};
use crate::ir::{Expr, Handle, ScalarType};

/// What is looked up in an element of a table.
struct Entry {
    ty: ScalarType,
    /// The place of a member.
    member: Option<usize>,
}

/// A place, the name of what it is an element of, its subscripts and the member that it is.
type Found<'u, 't> = (Node<'t>, &'u str, Vec<Node<'t>>, Option<&'u str>);

impl<'u, 't> Reader<'u, '_, 't> {
    /// The element of a table of constant integers, or the member of one of structures, that `place` names, if its subscripts
    /// are constants.
    pub fn table_value(&mut self, place: Node<'t>) -> Failable<Option<Handle<Expr>>> {
        let Some((name, subscripts, member)) = self.table_place(place) else { return Ok(None) };
        let Some((shape, entry)) = self.table(name, member) else { return Ok(None) };
        if subscripts.len() != shape.extents.len() || !subscripts.iter().all(|index| is_arithmetic(*index)) {
            return Ok(None);
        }
        let mut indices = Vec::new();
        for (index, extent) in subscripts.into_iter().zip(&shape.extents) {
            let value = self.scalar(index)?;
            let Some(value) = self.constant(value).filter(|value| (0..*extent).contains(value)) else {
                return Ok(None);
            };
            indices.push(value as usize);
        }
        indices.extend(entry.member);
        let value = self.listed_constant(initialiser(&shape.variable), &indices, entry.ty);
        let span = self.span(place);
        Ok(value.and_then(|value| self.constant_expr(value, span)))
    }

    /// For `name[i]` and `name[i].member` the name, the subscripts and the member.
    fn table_place(&self, place: Node<'t>) -> Option<(&'u str, Vec<Node<'t>>, Option<&'u str>)> {
        if place.kind() != "field_expression" {
            return self.subscripted_name(place).map(|(name, subscripts)| (name, subscripts, None));
        }
        let (whole, member) = (place.child_by_field_name("argument")?, place.child_by_field_name("field")?);
        let (name, subscripts) = self.subscripted_name(strip_parentheses(whole))?;
        Some((name, subscripts, Some(self.text(member))))
    }

    /// The shape of `name`, if it is an array of integers that never change, or of structures with such a member, declared before
    /// the nest; and what is looked up in it.
    fn table(&mut self, name: &str, member: Option<&str>) -> Option<(Shape<'t>, Entry)> {
        let shape = self.shape_of_any(name).filter(|shape| !shape.variable.is_inside)?;
        let entry = self.entry(&shape.element, member)?;
        let variable = self.host_value(name).filter(|_| initialiser(&shape.variable).is_some())?;
        self.qualifiers(variable).is_const.then_some((shape, entry))
    }

    /// Whether `name` is a table of constant integers.
    pub fn is_table(&mut self, name: &str) -> bool {
        self.table(name, None).is_some()
    }

    /// The integer that elements of type `element` are, or hold in `member` among members that are all numbers.
    fn entry(&self, element: &CType<'t>, member: Option<&str>) -> Option<Entry> {
        let integer = |ty: &CType| match ty {
            CType::Scalar(ty) if ty.is_integer() => Some(*ty),
            _ => None,
        };
        let Some(member) = member else { return integer(element).map(|ty| Entry { ty, member: None }) };
        let structure = self.scope.structure(element)?;
        let names = structure.names(self.unit);
        let types = names.iter().map(|name| Some(structure.member(self.unit, &self.scope, name)?.ty));
        let types = types.collect::<Option<Vec<_>>>()?;
        let place = names.iter().position(|name| name == member)?;
        let is_flat = types.iter().all(|ty| matches!(ty, CType::Scalar(_)));
        integer(&types[place]).filter(|_| is_flat).map(|ty| Entry { ty, member: Some(place) })
    }

    /// The constant that the initialiser `list` gives to what is found in it by `indices`; what has none is zero.
    fn listed_constant(&self, list: Option<Node<'t>>, indices: &[usize], ty: ScalarType) -> Option<Constant> {
        let mut place = list?;
        for index in indices {
            let values = (place.kind() == "initializer_list").then(|| children(place))?;
            if values.iter().any(|value| value.kind() == "initializer_pair") {
                return None;
            }
            match values.get(*index) {
                Some(value) => place = *value,
                None => return Some(Constant::from_bits(ty, 0)),
            }
        }
        self.scope.typed_constant(self.unit, place).filter(|_| is_number(place))?.converted(ty)
    }

    /// Whether the code in `node` needs constant subscripts: it names an element of a local array, or computes an integer from a
    /// table of constants.
    pub fn needs_constant_subscripts(&mut self, node: Node<'t>) -> bool {
        let is_needed = |reader: &mut Self, (element, name, _, member): Found<'u, 't>| {
            reader.local_pointer(name).is_some()
                || reader.is_in_integer(element) && reader.table(name, member).is_some()
        };
        self.table_places(node).into_iter().any(|found| is_needed(self, found))
    }

    /// Whether the code in `node` computes integers from a table of constants by subscripts with `variable` in them.
    pub fn is_directed_by(&mut self, node: Node<'t>, variable: &str) -> bool {
        let is_it = |reader: &mut Self, (element, name, subscripts, member): Found<'u, 't>| {
            subscripts.iter().any(|index| reader.mentions(*index, variable))
                && reader.is_in_integer(element)
                && reader.table(name, member).is_some()
        };
        self.table_places(node).into_iter().any(|found| is_it(self, found))
    }

    fn table_places(&self, node: Node<'t>) -> Vec<Found<'u, 't>> {
        let mut places = Vec::new();
        walk(node, &mut |inner| {
            let found = self.table_place(inner);
            places.extend(found.map(|(name, subscripts, member)| (inner, name, subscripts, member)));
            true
        });
        places
    }

    /// Whether an element is part of a subscript, or of what an integer variable or a condition gets.
    fn is_in_integer(&self, element: Node<'t>) -> bool {
        let is_integer = |ty: &CType<'t>| matches!(ty, CType::Scalar(ty) if ty.is_integer());
        let mut inner = element;
        while let Some(outer) = inner.parent() {
            match outer.kind() {
                "subscript_expression" if outer.child_by_field_name("index") == Some(inner) => return true,
                "declaration" => return is_integer(&base_type(self.unit, &self.scope, outer)),
                "assignment_expression" => {
                    let name = target(outer).map(|target| self.text(target));
                    return name.and_then(|name| self.scope.variable(name)).is_some_and(|it| is_integer(&it.ty));
                }
                "if_statement" | "for_statement" => return true,
                kind if kind.ends_with("_statement") => return false,
                _ => inner = outer,
            }
        }
        false
    }
}

/// Whether an expression has names, numbers, operators and elements alone, so that it may be read twice.
pub fn is_arithmetic(expression: Node) -> bool {
    let mut is_arithmetic = true;
    walk(expression, &mut |node| {
        let kinds = [
            "identifier",
            "number_literal",
            "unary_expression",
            "binary_expression",
            "parenthesized_expression",
            "subscript_expression",
        ];
        is_arithmetic &= kinds.contains(&node.kind());
        is_arithmetic
    });
    is_arithmetic
}

/// Whether an expression means the same wherever it stands: it names nothing.
fn is_number(expression: Node) -> bool {
    let mut is_number = true;
    walk(expression, &mut |node| {
        is_number &= node.kind() != "identifier";
        is_number
    });
    is_number
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{point_nest, read};

    #[test]
    fn tables_of_constants_are_constants_in_subscripts() {
        let tables = "static const int cx[3] = {0, 1, -1};";
        let text = read(&point_nest(tables, "double s = 0; for (int k = 0; k < 3; k++) s += b[i - cx[k]]; a[i] = s;"));
        assert!(!text.to_string().contains("cx"), "{text}");
        let pairs = "static const struct { int x; double w; } dir[3] = {{0, 1}, {1, 2}, {-1}};";
        let text =
            read(&point_nest(pairs, "double s = 0; for (int k = 0; k < 3; k++) s += b[i - dir[k].x]; a[i] = s;"));
        assert!(!text.to_string().contains("dir"), "{text}");
        let data = read(&point_nest("double t[2] = {1, 2};", "a[i] = b[i] * t[1];")).to_string();
        assert!(data.contains("array double t[2]"), "{data}");
    }
}
