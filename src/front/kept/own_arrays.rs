//! What functions of the host's reach that is no array of a nest: arrays that they declare for themselves, and variables of their
//! callers whose addresses they get.

use tree_sitter::Node;

use super::host_code::{HostCode, Own};
use super::needs::is_variable;
use crate::front::declarations::has_word;
use crate::front::headers::assignments;
use crate::front::tree::{
    address_of, children, declared_identifier, fields, mentions, named, nodes_in, parameter_list, strip_parentheses,
};
use crate::front::types::CType;

impl<'p, 't> HostCode<'p, '_, 't> {
    /// What is a function's own where it is called with these arguments in a function with such.
    pub fn own(&self, body: Node<'t>, arguments: &[Node<'t>], caller: &Own) -> Own {
        let given = self.own_parameters(body, arguments, caller);
        Own {
            arrays: [self.own_arrays(body), self.own_memory(body), given].concat(),
            pointers: self.own_pointers(body, arguments),
        }
    }

    /// Parameters that lead to what is the caller's own, as their arguments do.
    fn own_parameters(&self, body: Node<'t>, arguments: &[Node<'t>], caller: &Own) -> Vec<String> {
        let declared = self.declared_in(body);
        let pairs = parameters(body).into_iter().zip(arguments);
        let own = pairs.filter(|(_, argument)| self.leads_to_own(Some(**argument), caller));
        let names = own.filter_map(|(parameter, _)| {
            let declarator = parameter.child_by_field_name("declarator").filter(is_one_pointer)?;
            self.declared_name(declarator)
        });
        let is_steady = |name: &&str| assignments(self.unit(), body, name, None) == 0 && !declared.contains(name);
        names.filter(is_steady).map(str::to_owned).collect()
    }

    /// Parameters that get addresses of variables, and which the body does nothing with but follow them: `*p`.
    fn own_pointers(&self, body: Node, arguments: &[Node]) -> Vec<String> {
        let is_variable_of_caller = |argument: Node| {
            let place = address_of(self.unit(), strip_parentheses(argument));
            place.is_some_and(|place| is_variable(place) && !self.may_be_element(place) || self.is_buffer(place))
        };
        let declared = self.declared_in(body);
        let pairs =
            parameters(body).into_iter().zip(arguments).filter(|(_, argument)| is_variable_of_caller(**argument));
        let names = pairs.filter_map(|(parameter, _)| self.declared_name(parameter.child_by_field_name("declarator")?));
        names.filter(|name| !declared.contains(name) && self.only_follows(body, name)).map(str::to_owned).collect()
    }

    /// Whether `name` stands in a body only in `*name`.
    fn only_follows(&self, body: Node, name: &str) -> bool {
        named(self.unit(), body, name).all(|node| {
            let mut around = std::iter::successors(node.parent(), Node::parent);
            let around = around.find(|it| it.kind() != "parenthesized_expression");
            around.is_some_and(|it| it.kind() == "pointer_expression" && address_of(self.unit(), it).is_none())
        })
    }

    /// Whether an expression is a variable of the caller's, behind a pointer to it.
    pub fn is_own_pointer(&self, followed: Node, own: &Own) -> bool {
        let pointer = followed.child_by_field_name("argument").map(strip_parentheses);
        pointer.is_some_and(|it| own.pointers.iter().any(|name| name == self.program().text(it)))
    }

    /// The names of variables that are declared in a body.
    pub fn declared_in(&self, body: Node) -> Vec<&'p str> {
        let declarations = nodes_in(body).filter(|node| node.kind() == "declaration");
        let declarators = declarations.flat_map(|declaration| fields(declaration, "declarator"));
        declarators.filter_map(|declarator| self.declared_name(declarator)).collect()
    }

    /// The arrays that a function's body declares for each of its calls, or for all of them if nothing but their elements is used.
    /// Their names mean nothing else in it: they are declared once, in its outermost block, and not used before.
    fn own_arrays(&self, body: Node<'t>) -> Vec<String> {
        let declared = self.declared_in(body);
        let is_once = |name: &&str| declared.iter().filter(|other| *other == name).count() == 1;
        let mut found = Vec::new();
        for declaration in children(body).into_iter().filter(|child| child.kind() == "declaration") {
            let before = children(body).into_iter().take_while(|child| child.start_byte() < declaration.start_byte());
            let before: Vec<_> = before.collect();
            let is_new = |name: &&str| !before.iter().any(|it| mentions(self.unit(), *it, name));
            let is_extern = has_word(self.unit(), declaration, "storage_class_specifier", "extern");
            let is_static = has_word(self.unit(), declaration, "storage_class_specifier", "static");
            let is_own = |it: &Node| !is_extern && (!is_static || self.is_only_indexed(body, *it));
            let arrays = fields(declaration, "declarator").into_iter().filter(|it| is_array(*it)).filter(is_own);
            let names = arrays.filter_map(|it| self.declared_name(it)).filter(is_once).filter(is_new);
            found.extend(names.filter(|name| self.leads_to_numbers(declaration, name)).map(str::to_owned));
        }
        found
    }

    /// Whether an array stands in a body only in subscripts that give single elements, whose addresses nothing takes.
    fn is_only_indexed(&self, body: Node<'t>, declarator: Node<'t>) -> bool {
        let Some(name) = self.declared_name(declarator) else { return false };
        let rank = nodes_in(declarator).filter(|it| it.kind() == "array_declarator").count();
        named(self.unit(), body, name).filter(|it| !declarator.byte_range().contains(&it.start_byte())).all(|mention| {
            let mut element = mention;
            for _ in 0..rank {
                let around = element.parent().filter(|it| it.kind() == "subscript_expression");
                match around.filter(|it| it.child_by_field_name("argument") == Some(element)) {
                    Some(around) => element = around,
                    None => return false,
                }
            }
            let mut around = std::iter::successors(element.parent(), Node::parent);
            let around = around.find(|it| it.kind() != "parenthesized_expression");
            around.is_none_or(|it| address_of(self.unit(), it).is_none())
        })
    }

    /// The variable that a declarator declares, with or without a value.
    fn declared_name(&self, declarator: Node) -> Option<&'p str> {
        Some(self.program().text(declared_identifier(declarator)?))
    }

    /// Whether an element is one of an array of the function's own.
    pub fn is_own_array(&self, element: Node<'t>, own: &Own) -> bool {
        let here = strip_parentheses(element);
        match here.child_by_field_name("argument").filter(|_| here.kind() == "subscript_expression") {
            Some(inner) => self.is_own_array(inner, own),
            None => self.leads_to_own(Some(here), own),
        }
    }

    /// The same for `*p`.
    pub fn is_own_element(&self, place: Node<'t>, own: &Own) -> bool {
        match place.kind() {
            "pointer_expression" => self.leads_to_own(place.child_by_field_name("argument"), own),
            _ => self.is_own_array(place, own),
        }
    }

    /// Whether all arrays of the nest are arrays in static storage.
    pub fn are_all_static(&self, outer: Node<'t>) -> bool {
        let scope = self.scope_at(outer);
        let is_static = |name: &str| scope.variable(name).is_some_and(|it| it.is_static && is_of_numbers(&it.ty));
        self.plain_bases().is_some_and(|mut bases| bases.all(is_static))
    }

    /// Whether a name is that of an array in static storage, as all arrays of the nest are, and of none of these.
    fn is_other_array(&self, name: Node<'t>) -> bool {
        let is_other = || {
            let scope = self.scope_at(name);
            scope.variable(self.program().text(name)).is_some_and(|it| it.is_static && is_of_numbers(&it.ty))
        };
        self.has_only_static && !self.leads_to_array(self.program().text(name)) && is_other()
    }

    /// Whether a pointer leads to an array of the function's own, or to text that stands there.
    pub fn leads_to_own(&self, pointer: Option<Node<'t>>, own: &Own) -> bool {
        let Some(pointer) = pointer.map(strip_parentheses) else { return false };
        let text = |node: Node| self.program().text(node);
        match pointer.kind() {
            "identifier" => own.arrays.iter().any(|name| name == text(pointer)) || self.is_other_array(pointer),
            "string_literal" | "concatenated_string" => true,
            "cast_expression" => {
                let is_to_numbers =
                    pointer.child_by_field_name("type").is_some_and(|ty| text(ty).matches('*').count() == 1);
                is_to_numbers && self.leads_to_own(pointer.child_by_field_name("value"), own)
            }
            "binary_expression" => {
                let is_sum = pointer.child_by_field_name("operator").is_some_and(|it| ["+", "-"].contains(&text(it)));
                is_sum && children(pointer).into_iter().any(|it| self.leads_to_own(Some(it), own))
            }
            _ => address_of(self.unit(), pointer)
                .is_some_and(|place| place.kind() == "subscript_expression" && self.is_own_array(place, own)),
        }
    }
}

/// Whether a type is that of an array of numbers.
fn is_of_numbers(ty: &CType) -> bool {
    let is_array = matches!(ty, CType::Array(..));
    let mut ty = ty;
    while let CType::Array(element, _) = ty {
        ty = element;
    }
    is_array && matches!(ty, CType::Scalar(_))
}

/// The parameters of the function with this body.
fn parameters(body: Node) -> Vec<Node> {
    let declarator = body.parent().and_then(|it| it.child_by_field_name("declarator"));
    declarator.and_then(parameter_list).map(children).unwrap_or_default()
}

/// Whether a declarator is one of a pointer to no other, `T *p` or `T p[]`.
fn is_one_pointer(declarator: &Node) -> bool {
    let inner = declarator.child_by_field_name("declarator");
    matches!(declarator.kind(), "pointer_declarator" | "array_declarator")
        && inner.is_some_and(|it| it.kind() == "identifier")
}

/// Whether a declarator, with or without a value, is one of an array, and not of a pointer to one.
pub fn is_array(declarator: Node) -> bool {
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
