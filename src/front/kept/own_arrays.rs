//! What functions of the host's reach that is no array of a nest: arrays that they declare for themselves, and variables of their
//! callers whose addresses they get.

use tree_sitter::Node;

use super::host_code::{HostCode, Own, is_variable};
use crate::front::declarations::has_word;
use crate::front::tree::{
    address_of, children, declared_identifier, fields, mentions, parameter_list, strip_parentheses, walk,
};

impl<'p> HostCode<'p, '_, '_> {
    /// What is a function's own where it is called with these arguments.
    pub fn own(&self, body: Node, arguments: &[Node]) -> Own {
        Own { arrays: self.own_arrays(body), pointers: self.own_pointers(body, arguments) }
    }

    /// Parameters that get addresses of variables, and which the body does nothing with but follow them: `*p`.
    fn own_pointers(&self, body: Node, arguments: &[Node]) -> Vec<String> {
        let declarator = body.parent().and_then(|it| it.child_by_field_name("declarator"));
        let parameters = declarator.and_then(parameter_list).map(children).unwrap_or_default();
        let is_variable_of_caller = |argument: Node| {
            let place = address_of(self.unit(), strip_parentheses(argument));
            place.is_some_and(|place| is_variable(place) && !self.may_be_element(place))
        };
        let declared = self.declared_in(body);
        let pairs = parameters.into_iter().zip(arguments).filter(|(_, argument)| is_variable_of_caller(**argument));
        let names = pairs.filter_map(|(parameter, _)| self.declared_name(parameter.child_by_field_name("declarator")?));
        names.filter(|name| !declared.contains(name) && self.only_follows(body, name)).map(str::to_owned).collect()
    }

    /// Whether `name` stands in a body only in `*name`.
    fn only_follows(&self, body: Node, name: &str) -> bool {
        let mut only = true;
        walk(body, &mut |node| {
            let is_followed = || {
                let mut around = std::iter::successors(node.parent(), Node::parent);
                let around = around.find(|it| it.kind() != "parenthesized_expression");
                around.is_some_and(|it| it.kind() == "pointer_expression" && address_of(self.unit(), it).is_none())
            };
            only &= node.kind() != "identifier" || self.program().text(node) != name || is_followed();
            only
        });
        only
    }

    /// Whether an expression is a variable of the caller's, behind a pointer to it.
    pub fn is_own_pointer(&self, followed: Node, own: &Own) -> bool {
        let pointer = followed.child_by_field_name("argument").map(strip_parentheses);
        pointer.is_some_and(|it| own.pointers.iter().any(|name| name == self.program().text(it)))
    }

    /// The names of variables that are declared in a body.
    fn declared_in(&self, body: Node) -> Vec<&'p str> {
        let mut declared = Vec::new();
        walk(body, &mut |node| {
            if node.kind() == "declaration" {
                declared.extend(fields(node, "declarator").into_iter().filter_map(|it| self.declared_name(it)));
            }
            true
        });
        declared
    }

    /// The arrays that a function's body declares for each of its calls. Their names mean nothing else in it: they are declared
    /// once, in its outermost block, and not used before.
    fn own_arrays(&self, body: Node) -> Vec<String> {
        let declared = self.declared_in(body);
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
    pub fn is_own_array(&self, element: Node, own: &Own) -> bool {
        let mut here = strip_parentheses(element);
        while here.kind() == "subscript_expression"
            && let Some(inner) = here.child_by_field_name("argument")
        {
            here = strip_parentheses(inner);
        }
        here.kind() == "identifier" && own.arrays.iter().any(|name| name == self.program().text(here))
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
