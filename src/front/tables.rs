//! Tables of constant integers, or of whole real numbers, such as the directions of a lattice: their elements are constants where
//! subscripts tell which, so that they may stand in subscripts themselves. A table that is not `const` is taken to hold what it is
//! declared with, or what the code leaves there that fills it, and the driver compares it with that before it starts.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;

use super::Failable;
use super::local_arrays::Shape;
use super::numbers::Constant;
use super::reader::{Reader, Root};
use super::tree::{
    ancestors, assigned_element, children, declared_identifier, is_assigned, named, nodes_in, strip_parentheses,
    subscripted, target,
};
use super::types::{CType, base_type};
use crate::ir::{Access, Expr, Handle, HostValue, IndexArray, ScalarType, Selector};
use crate::source::Span;

/// What is looked up in an element of a table.
struct Entry {
    ty: ScalarType,
    /// The place of a member.
    member: Option<usize>,
    /// Whether it never changes.
    is_const: bool,
}

/// A place, the name of what it is an element of, its subscripts and the member that it is.
type Found<'u, 't> = (Node<'t>, &'u str, Vec<Node<'t>>, Option<&'u str>);

impl<'u, 't> Reader<'u, '_, 't> {
    /// The element of a table of constant integers, or the member of one of structures, that `place` names, if its subscripts
    /// are constants.
    pub fn table_value(&mut self, place: Node<'t>) -> Failable<Option<Handle<Expr>>> {
        let Some((name, subscripts, member)) = self.table_place(place) else { return Ok(None) };
        let Some((shape, entry)) = self.table(name, member) else { return Ok(None) };
        if (!entry.is_const || entry.ty.is_float()) && !self.is_in_integer(place) {
            return Ok(None);
        }
        if subscripts.len() != shape.extents.len() || !subscripts.iter().all(|index| is_arithmetic(*index)) {
            return Ok(None);
        }
        let mut indices: Vec<usize> = Vec::new();
        for (index, extent) in subscripts.into_iter().zip(&shape.extents) {
            let value = self.scalar(index)?;
            let Some(value) = self.constant(value).filter(|value| (0..*extent).contains(value)) else {
                return Ok(None);
            };
            indices.push(value as usize);
        }
        indices.extend(entry.member);
        let value = match !entry.is_const && self.is_stored_in(name) {
            true => self.filled_table(name, &shape.variable).and_then(|elements| elements.get(&indices).copied()),
            false => self.listed_constant(self.listed_values(name, &shape.variable), &indices, entry.ty),
        };
        let span = self.span(place);
        let value = match entry.ty.is_float() {
            true => value.and_then(|value| self.whole_constant(value, span)),
            false => value.and_then(|value| self.constant_expr(value, span)),
        };
        if let Some(value) = value.filter(|_| !entry.is_const) {
            self.compare_entry((name, &shape), &indices, value, span);
        }
        Ok(value)
    }

    /// Leaves it to the driver to see that an element of a table is `value`.
    fn compare_entry(&mut self, (name, shape): (&str, &Shape<'t>), indices: &[usize], value: Handle<Expr>, span: Span) {
        let Some(variable) = self.host_value(name) else { return };
        let root = self.root(variable, &shape.variable.ty, span);
        let array = self.root_array(root);
        let is_it = |subscripts: &[Handle<Expr>]| {
            subscripts.iter().zip(indices).all(|(it, index)| self.constant(*it) == Some(*index as i64))
        };
        let accesses = self.nest.index_arrays.iter().map(|known| &self.nest.accesses[known.read]);
        if accesses.into_iter().any(|access| access.array == array && is_it(&access.subscripts)) {
            return;
        }
        let subscripts = indices.iter().map(|index| self.int(ScalarType::I64, *index as i64, span)).collect();
        let access = self.access(root, subscripts, span);
        let read =
            Access { loops: Vec::new(), position: vec![0], guards: Vec::new(), ..self.nest.accesses[access].clone() };
        self.nest.accesses[access] = Access { is_speculative: false, conditions: Vec::new(), ..read };
        self.nest.index_arrays.push(IndexArray { read: access, rule: value });
        self.tables.insert(root, shape.places());
    }

    /// The elements of tables that the driver compares, as variables, with their types.
    pub fn compared_entries(&mut self) -> Vec<(Handle<HostValue>, Option<ScalarType>)> {
        let mut entries = Vec::new();
        for (root, places) in self.tables.clone() {
            let Root { variable, ty, .. } = self.roots[root].clone();
            for place in places {
                let HostValue { variable, mut path } = self.nest.values[variable].clone();
                path.extend(place.into_iter().map(Selector::Element));
                entries.push((self.nest.values.intern(HostValue { variable, path }), Some(ty.element_type())));
            }
        }
        entries
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
        let is_listed = self.listed_values(name, &shape.variable).is_some();
        let variable = self.host_value(name)?;
        let is_const = is_listed && self.qualifiers(variable).is_const;
        let is_open = member.is_none() && entry.ty.is_integer();
        let is_filled = is_open && !is_const && self.is_stored_in(name);
        let is_known = match is_filled {
            true => self.filled_table(name, &shape.variable).is_some(),
            false => is_const || is_open && is_listed,
        };
        is_known.then_some((shape, Entry { is_const, ..entry }))
    }

    /// Whether `name` is an array that is declared before the nest with a list of values, or filled, as tables are.
    fn may_be_table(&self, name: &str) -> bool {
        let shape = self.shape_of_any(name).filter(|shape| !shape.variable.is_inside);
        shape.is_some_and(|shape| self.listed_values(name, &shape.variable).is_some() || self.is_stored_in(name))
    }

    /// Whether some code of the file stores in elements of `name`.
    fn is_stored_in(&self, name: &str) -> bool {
        let names = self.ancestors.last().into_iter().flat_map(|file| named(self.unit, *file, name));
        names.map(subscripted).any(is_assigned)
    }

    /// Whether `name` is a table of integers that are `const`.
    pub fn is_table(&mut self, name: &str) -> bool {
        self.table(name, None).is_some_and(|(_, entry)| entry.is_const && entry.ty.is_integer())
    }

    /// The number that elements of type `element` are, or hold in `member` among members that are all numbers.
    fn entry(&self, element: &CType<'t>, member: Option<&str>) -> Option<Entry> {
        let number = |ty: &CType| match ty {
            CType::Scalar(ty) if ty.is_integer() || *ty == ScalarType::F64 => Some(*ty),
            _ => None,
        };
        let Some(member) = member else {
            return number(element).map(|ty| Entry { ty, member: None, is_const: false });
        };
        let structure = self.scope.structure(element)?;
        let names = structure.names(self.unit);
        let types = names.iter().map(|name| Some(structure.member(self.unit, &self.scope, name)?.ty));
        let types = types.collect::<Option<Vec<_>>>()?;
        let place = names.iter().position(|name| name == member)?;
        let is_flat = types.iter().all(|ty| matches!(ty, CType::Scalar(_)));
        number(&types[place]).filter(|_| is_flat).map(|ty| Entry { ty, member: Some(place), is_const: false })
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

    /// Whether the code in `node`, the body of a loop that counts `variable`, needs that to be a constant: it names an element of
    /// a local array, in a long loop one that the variable moves, or computes an integer from a table of constants by that.
    pub fn needs_constant_subscripts(&mut self, node: Node<'t>, variable: &str, is_long: bool) -> bool {
        let (moved, is_over_space) = (OnceCell::new(), OnceCell::new());
        // A sum over many neighbours names the same array again and again.
        let (mut lead_to_locals, mut may_be_tables) = (BTreeMap::new(), BTreeMap::new());
        let mut is_needed = |reader: &mut Self, (element, name, subscripts, member): Found<'u, 't>| {
            let moves = |reader: &Self| {
                let moved = moved.get_or_init(|| reader.moved_by(node, variable));
                subscripts.iter().any(|index| reader.mentions_any(*index, moved))
            };
            *lead_to_locals.entry(name).or_insert_with(|| reader.local_pointer(name).is_some())
                && (!is_long || element.kind() == "pointer_expression" || moves(reader))
                || *may_be_tables.entry(name).or_insert_with(|| reader.may_be_table(name))
                    && moves(reader)
                    && reader.is_in_integer(element)
                    && reader.directs(name, member, |reader| {
                        *is_over_space.get_or_init(|| reader.stores_by_alone(node, variable))
                    })
        };
        self.table_places(node).into_iter().any(|found| is_needed(self, found))
    }

    /// Whether loops take turns with constants from a table: those over space do not with what the program fills, which is data there.
    fn directs(&mut self, name: &'u str, member: Option<&'u str>, is_over_space: impl FnOnce(&Self) -> bool) -> bool {
        let table = self.table(name, member);
        table.is_some_and(|(_, entry)| entry.is_const || !is_over_space(self) || !self.is_stored_in(name))
    }

    /// Whether the code in `node`, the body of a loop that counts `variable`, stores in elements for which that alone says which, so that
    /// it is a loop over space.
    fn stores_by_alone(&self, node: Node<'t>, variable: &str) -> bool {
        let set: BTreeSet<String> = nodes_in(self.node).filter_map(|inner| self.names_set_by(inner)).collect();
        nodes_in(node).filter_map(assigned_element).any(|element| {
            let mut names = nodes_in(element).filter(|it| it.kind() == "identifier").map(|it| self.text(it));
            self.mentions(element, variable) && !names.any(|name| name != variable && set.contains(name))
        })
    }

    /// `variable` and what is made of it in `node`: scalars, and the counters of loops whose headers name such.
    pub fn moved_by(&self, node: Node<'t>, variable: &str) -> BTreeSet<String> {
        let mut moved = BTreeSet::from([variable.to_owned()]);
        loop {
            let known = moved.len();
            for inner in nodes_in(node) {
                if self.is_made_of(inner, &moved) {
                    moved.extend(self.names_set_by(inner));
                }
            }
            if moved.len() == known {
                return moved;
            }
        }
    }

    /// Whether what a declaration, an assignment or the header of a loop sets is made of `names`.
    fn is_made_of(&self, node: Node<'t>, names: &BTreeSet<String>) -> bool {
        let parts: &[&str] = match node.kind() {
            "init_declarator" => &["value"],
            "assignment_expression" => &["right"],
            "for_statement" => &["initializer", "condition", "update"],
            _ => &[],
        };
        parts.iter().filter_map(|part| node.child_by_field_name(part)).any(|part| self.mentions_any(part, names))
    }

    pub fn names_set_by(&self, node: Node<'t>) -> Option<String> {
        let set = match node.kind() {
            "init_declarator" => declared_identifier(node.child_by_field_name("declarator")?),
            "for_statement" => target(node.child_by_field_name("update")?),
            _ => target(node),
        };
        set.map(|set| self.text(set).to_owned())
    }

    pub fn mentions_any(&self, node: Node<'t>, names: &BTreeSet<String>) -> bool {
        names.iter().any(|name| self.mentions(node, name))
    }

    /// Whether the code in `node` computes integers from a table of constants by subscripts with `variable` in them.
    pub fn is_directed_by(&mut self, node: Node<'t>, variable: &str) -> bool {
        let is_over_space = OnceCell::new();
        let is_it = |reader: &mut Self, (element, name, subscripts, member): Found<'u, 't>| {
            subscripts.iter().any(|index| reader.mentions(*index, variable))
                && reader.is_in_integer(element)
                && reader.directs(name, member, |reader| {
                    *is_over_space.get_or_init(|| reader.stores_by_alone(node, variable))
                })
        };
        self.table_places(node).into_iter().any(|found| is_it(self, found))
    }

    fn table_places(&self, node: Node<'t>) -> Vec<Found<'u, 't>> {
        let place = |inner| self.table_place(inner).map(|(name, subscripts, member)| (inner, name, subscripts, member));
        nodes_in(node).filter_map(place).collect()
    }

    /// Whether an element is part of a subscript, of what is made an integer, or of what an integer variable or a condition gets.
    fn is_in_integer(&self, element: Node<'t>) -> bool {
        let is_integer = |ty: &CType<'t>| matches!(ty, CType::Scalar(ty) if ty.is_integer());
        let Some(file) = self.ancestors.last() else { return false };
        let mut inner = element;
        for outer in ancestors(*file, element) {
            match outer.kind() {
                "subscript_expression" if outer.child_by_field_name("index") == Some(inner) => return true,
                "cast_expression" if self.scope.cast_of(self.unit, outer).is_some_and(|(ty, _)| is_integer(&ty)) => {
                    return true;
                }
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
    nodes_in(expression).all(|node| {
        let kinds = [
            "identifier",
            "number_literal",
            "unary_expression",
            "binary_expression",
            "parenthesized_expression",
            "subscript_expression",
        ];
        kinds.contains(&node.kind())
    })
}

/// Whether an expression means the same wherever it stands: it names nothing.
fn is_number(expression: Node) -> bool {
    nodes_in(expression).all(|node| node.kind() != "identifier")
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

    #[test]
    fn tables_that_may_change_are_compared() {
        let sum = "double s = 0; for (int k = 0; k < 3; k++) s += b[i - cx[k]] * cx[k]; a[i] = s;";
        let nest = read(&point_nest("int cx[3] = {0, 1, -1};", sum));
        assert_eq!(nest.index_arrays.len(), 3, "{nest}");
        assert!(nest.watched.is_empty(), "{nest}");
        assert!(nest.to_string().replace("(long long)", "").contains("b[(i + 1)]"), "{nest}");
        let stored = read(&point_nest("int cx[3] = {0, 1, -1}; cx[1] = n;", sum));
        assert!(stored.index_arrays.is_empty(), "{stored}");
    }
}
