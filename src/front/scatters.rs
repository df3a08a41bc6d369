//! Short loops over places that arrays list, such as the sources of a wave: `for (s = 0; s < 1; s++) p[x[s]][z[s]] += w[t];`.
//!
//! Where such a loop stores is data, unless each of its iterations is taken alone: then it stores at one place, which the host knows.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::reader::Reader;
use super::tree::{assigned_element, nodes_in};

impl<'t> Reader<'_, '_, 't> {
    /// Whether the code in `node`, the body of a loop that counts `variable`, stores in elements whose subscripts are elements that
    /// the variable moves, or made of such.
    pub fn scatters(&self, node: Node<'t>, variable: &str) -> bool {
        let moved = self.moved_by(node, variable);
        let mut listed = BTreeSet::new();
        loop {
            let known = listed.len();
            for inner in nodes_in(node) {
                let value =
                    inner.child_by_field_name(if inner.kind() == "init_declarator" { "value" } else { "right" });
                if value.is_some_and(|value| self.is_listed(value, &moved, &listed)) {
                    listed.extend(self.names_set_by(inner));
                }
            }
            if listed.len() == known {
                break;
            }
        }
        let mut subscripts = nodes_in(node).filter_map(assigned_element).flat_map(subscripts_of);
        subscripts.any(|index| self.is_listed(index, &moved, &listed))
    }

    /// Whether an expression is made of elements that `moved` moves, or of scalars that are.
    fn is_listed(&self, expression: Node<'t>, moved: &BTreeSet<String>, listed: &BTreeSet<String>) -> bool {
        let mut elements =
            nodes_in(expression).filter(|it| it.kind() == "subscript_expression").flat_map(subscripts_of);
        elements.any(|index| self.mentions_any(index, moved)) || self.mentions_any(expression, listed)
    }
}

/// The subscripts of an element, without those of the elements in them.
fn subscripts_of(element: Node<'_>) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    let mut here = Some(element);
    while let Some(node) = here.filter(|it| it.kind() == "subscript_expression") {
        found.extend(node.child_by_field_name("index"));
        here = node.child_by_field_name("argument");
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};

    /// A wave with `rounds` of sources whose places are listed.
    fn wave(rounds: &str, place: &str) -> String {
        let sweep = "for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];";
        let source = format!("for (int s = 0; s < {rounds}; s++) {{ int at = x[s]; b[{place}] += w[t]; }}");
        let turn = "double *old = a; a = b; b = old;";
        let body = format!("#pragma stencil\nfor (int t = 0; t < steps; t++) {{ {sweep} {source} {turn} }}");
        function("int n, int m, int steps, double *a, double *b, const double *w, const int *x", &body)
    }

    #[test]
    fn sources_at_listed_places_are_taken_one_by_one() {
        for place in ["x[s]", "at", "at / m + 3"] {
            let nest = read(&wave("2", place)).to_string();
            assert!(nest.contains("param int x[0]\n") && nest.contains("param int x[1]\n"), "{place}: {nest}");
        }
    }

    #[test]
    fn many_sources_are_not() {
        for rounds in ["9", "m"] {
            assert_ne!(refusal(&wave(rounds, "x[s]")).code, "syntax");
        }
    }
}
