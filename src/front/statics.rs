//! Static variables of functions that are called in a step: their values outlive the calls, and a device has none of them.
//!
//! It makes no difference where each call gives such a variable a value before it looks at it, or where nothing assigns it.

use tree_sitter::Node;

use super::reader::Reader;
use super::tree::{
    assigned, children, declared_identifier, fields, mentions, nodes_in, plain_assignment, strip_parentheses,
    takes_address_in,
};
use super::types::{CType, base_type, declared};

/// How a call of its function uses a static scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StaticUse {
    /// It gives it a value first.
    AssignedFirst,
    /// It only looks at the value that the declaration gives it.
    Constant,
}

impl<'t> Reader<'_, '_, 't> {
    /// How the block around a declaration uses the static scalars that it declares; `None` if their values may go from one
    /// call to another.
    pub fn use_of_statics(&self, declaration: Node<'t>) -> Option<StaticUse> {
        let block = declaration.parent().filter(|block| block.kind() == "compound_statement")?;
        let is_of_switch = block.parent().is_none_or(|around| around.kind() == "switch_statement");
        if is_of_switch || nodes_in(block).any(|part| matches!(part.kind(), "labeled_statement" | "goto_statement")) {
            return None;
        }
        let behind = children(block).into_iter().filter(|part| part.start_byte() > declaration.start_byte());
        let behind: Vec<Node<'t>> = behind.collect();
        let declarators = fields(declaration, "declarator");
        let mut uses = declarators.into_iter().map(|declarator| self.use_of_static(declaration, declarator, &behind));
        let first = uses.next()??;
        uses.all(|other| other == Some(first)).then_some(first)
    }

    fn use_of_static(&self, declaration: Node<'t>, declarator: Node<'t>, behind: &[Node<'t>]) -> Option<StaticUse> {
        let ty = declared(self.unit, declarator, base_type(self.unit, &self.scope, declaration)).1;
        let name = self.unit.text(declared_identifier(declarator)?);
        let is_addressed = behind.iter().any(|part| takes_address_in(self.unit, *part, name));
        if !matches!(ty, CType::Scalar(_)) || is_addressed {
            return None;
        }
        let is_it = |target: Node<'t>| target.kind() == "identifier" && self.unit.text(target) == name;
        if !behind.iter().any(|part| nodes_in(*part).any(|node| assigned(node).is_some_and(is_it))) {
            let is_known = declarator.child_by_field_name("value").is_some();
            return is_known.then_some(StaticUse::Constant);
        }
        let first = behind.iter().find(|part| mentions(self.unit, **part, name))?;
        let assignment = children(*first).first().copied().map(strip_parentheses)?;
        let (left, right) = plain_assignment(self.unit, assignment)?;
        (first.kind() == "expression_statement" && is_it(left) && !mentions(self.unit, right, name))
            .then_some(StaticUse::AssignedFirst)
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{read, refusal};

    /// A nest whose points call a function with this body.
    fn called(body: &str) -> String {
        format!(
            "static double f(double x)\n{{ {body} }}\nvoid g(int n, double *a, const double *b)\n{{\n#pragma stencil\n\
             for (int i = 0; i < n; i++) a[i] = f(b[i]);\n}}\n"
        )
    }

    #[test]
    fn what_each_call_assigns_first_is_no_state() {
        for body in [
            "static double s; s = x * x; return s + 1;",
            "static double s, r; s = x; r = 2 * s; if (x > 0) s = r; return s;",
            "static double s = 3, r = 4; return s * x + r;",
            "static double s = 3; s = x; return s;",
        ] {
            read(&called(body));
        }
    }

    #[test]
    fn what_goes_from_call_to_call_is_refused() {
        for body in [
            "static double s; if (x > 0) s = x; return s;",
            "static double s = 0; s += x; return s;",
            "static double s = 1; s = s * x; return s;",
            "static double s = 3, r; r = x; return s + r;",
            "static double s; return s;",
            "static double s[2]; s[0] = x; return s[0];",
            "static double s; static double *p = &s; s = x; *p += 1; return s;",
            "static int first = 1; if (first) { first = 0; return 0; } return x;",
        ] {
            assert_eq!(refusal(&called(body)).code, "unsupported-statement", "{body}");
        }
    }
}
