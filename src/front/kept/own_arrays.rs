//! Arrays that functions of the host's declare for themselves: no array of a nest.

use tree_sitter::Node;

use super::host_code::{HostCode, OwnArrays};
use crate::front::declarations::has_word;
use crate::front::tree::{children, declared_identifier, fields, mentions, strip_parentheses, walk};

impl<'p> HostCode<'p, '_, '_> {
    /// The arrays that a function's body declares for each of its calls. Their names mean nothing else in it: they are declared
    /// once, in its outermost block, and not used before.
    pub fn own_arrays(&self, body: Node) -> OwnArrays {
        let mut declared = Vec::new();
        walk(body, &mut |node| {
            if node.kind() == "declaration" {
                declared.extend(fields(node, "declarator").into_iter().filter_map(|it| self.declared_name(it)));
            }
            true
        });
        let is_once = |name: &&str| declared.iter().filter(|other| *other == name).count() == 1;
        let mut found = Vec::new();
        for declaration in children(body).into_iter().filter(|child| child.kind() == "declaration") {
            let before = children(body).into_iter().take_while(|child| child.start_byte() < declaration.start_byte());
            let before: Vec<_> = before.collect();
            let is_new = |name: &&str| !before.iter().any(|it| mentions(self.unit(), *it, name));
            let is_automatic = !has_word(self.unit(), declaration, "storage_class_specifier", "static")
                && !has_word(self.unit(), declaration, "storage_class_specifier", "extern");
            let arrays = fields(declaration, "declarator").into_iter().filter(|it| is_automatic && is_array(*it));
            let names = arrays.filter_map(|it| self.declared_name(it)).filter(is_once).filter(is_new);
            found.extend(names.map(str::to_owned));
        }
        found
    }

    /// The variable that a declarator declares, with or without a value.
    fn declared_name(&self, declarator: Node) -> Option<&'p str> {
        Some(self.program().text(declared_identifier(declarator)?))
    }

    /// Whether an element is one of an array of the function's own.
    pub fn is_own_array(&self, element: Node, own: &OwnArrays) -> bool {
        let mut here = strip_parentheses(element);
        while here.kind() == "subscript_expression"
            && let Some(inner) = here.child_by_field_name("argument")
        {
            here = strip_parentheses(inner);
        }
        here.kind() == "identifier" && own.iter().any(|name| name == self.program().text(here))
    }
}

/// Whether a declarator, with or without a value, is one of an array, and not of a pointer to one.
fn is_array(declarator: Node) -> bool {
    let inner = declarator.child_by_field_name("declarator").filter(|_| declarator.kind() == "init_declarator");
    let declarator = inner.unwrap_or(declarator);
    let mut here = declarator;
    while here.kind() == "array_declarator"
        && let Some(inner) = here.child_by_field_name("declarator")
    {
        here = inner;
    }
    here.kind() == "identifier" && here != declarator
}
