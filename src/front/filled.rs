//! Tables that the program fills in front of the nest, by `ex[1] = 1; ex[3] = -1;` or by loops that look for opposite directions.
//!
//! A nest is read with the numbers that the code leaves there by all that its text tells. Nothing is concluded from that: the
//! driver compares the elements with these numbers before it starts.

use std::rc::Rc;

use tree_sitter::Node;

use super::reader::{Elements, Reader};
use super::symbols::Variable;
use super::tree::{function_definitions, is_assigned, named, subscripted};

impl<'t> Reader<'_, '_, 't> {
    /// What the elements of the table `name` hold that one function fills, if nothing but its elements is ever named.
    pub fn filled_table(&mut self, name: &str, variable: &Variable<'t>) -> Option<Elements> {
        if let Some(known) = self.filled.get(&variable.declared_at) {
            return known.clone();
        }
        let filled = self.filling_of(name, variable).map(|(body, end)| Rc::new(self.left_by(body, end, name)));
        let filled = filled.filter(|elements| !elements.is_empty());
        self.filled.insert(variable.declared_at, filled.clone());
        filled
    }

    /// The body of the only function that stores in elements of a table, and where in the text the nest ends it.
    fn filling_of(&self, name: &str, variable: &Variable<'t>) -> Option<(Node<'t>, usize)> {
        let (file, around, nest) = (*self.ancestors.last()?, self.enclosing_function()?, self.node.start_byte());
        let seen = if variable.is_static { file } else { around };
        let places: Vec<_> = named(self.unit, seen, name).filter(|it| !is_declared(*it)).map(subscripted).collect();
        if !places.iter().all(|place| place.kind() == "subscript_expression" && !is_addressed(*place)) {
            return None;
        }
        let stores: Vec<_> =
            places.into_iter().filter(|place| is_assigned(*place)).map(|place| place.start_byte()).collect();
        let first = *stores.first()?;
        let function = function_definitions(file).into_iter().find(|it| it.byte_range().contains(&first))?;
        let is_around = function.id() == around.id();
        let is_before = |store: &usize| function.byte_range().contains(store) && !(is_around && *store >= nest);
        let end = if is_around { nest } else { usize::MAX };
        stores.iter().all(is_before).then_some((function.child_by_field_name("body")?, end))
    }
}

/// Whether an identifier is declared where it stands.
fn is_declared(identifier: Node) -> bool {
    let declarator = identifier.parent().and_then(|outer| outer.child_by_field_name("declarator"));
    declarator == Some(identifier)
}

fn is_addressed(place: Node) -> bool {
    place.parent().is_some_and(|outer| outer.kind() == "pointer_expression")
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{point_nest, read, read_all};

    const SUM: &str = "double s = 0; for (int k = 0; k < 3; k++) s += b[i - cx[k]]; a[i] = s;";

    #[test]
    fn elements_are_what_the_code_before_leaves_there() {
        for filling in [
            "int cx[3]; cx[0] = 0; cx[1] = 1; cx[2] = -1;",
            "int cx[3] = {5, 5, 5}, k; for (k = 0; k < 3; k++) { cx[k] = k % 3; if (k == 2) cx[k] = -1; }",
            "int cx[3], k = 1; cx[0] = 0; cx[k++] = 4; cx[k] = -1; cx[--k] -= 3;",
        ] {
            let nest = read(&point_nest(filling, SUM));
            assert_eq!(nest.index_arrays.len(), 3, "{filling}: {nest}");
            assert!(nest.to_string().replace("(long long)", "").contains("b[(i + 1)]"), "{nest}");
        }
    }

    #[test]
    fn what_cannot_be_told_stays_open() {
        for filling in [
            "int cx[3]; cx[0] = 0; cx[1] = 1; cx[2] = n;",
            "int cx[3]; cx[0] = 0; cx[1] = 1; cx[2] = -1; fill(cx);",
            "int cx[3]; cx[0] = 0; cx[1] = 1; cx[2] = -1; fill(&cx[1]);",
            "int cx[3]; cx[0] = 0; cx[1] = 1; cx[2] = -1; if (n > 5) cx[1] = 3;",
            "int cx[3]; for (int k = 0; k < n; k++) cx[k] = rand();",
        ] {
            let nest = read_all(&point_nest(filling, SUM)).remove(0);
            assert!(nest.is_err() || nest.is_ok_and(|nest| nest.index_arrays.len() < 3), "{filling}");
        }
    }
}
