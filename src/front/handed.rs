//! Small arrays that calls hand to functions by their names, as in `flux(&u[i], f, s)`: what these do with the elements, found by
//! names before the calls are executed.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::function_pointers::Callee;
use super::reader::{Change, Reader};
use super::tree::{assigned, children, named, nodes_in, parameter_list, strip_parentheses, subscripted};
use super::types::{CType, declared};

/// A parameter of a function that gets a pointer to the first element of an array.
#[derive(Clone)]
pub struct Handed<'t> {
    definition: Node<'t>,
    /// The name of the parameter.
    parameter: String,
}

/// A function that wants to see what is named behind a pointer: an element with the body around it, or nothing where the pointer is
/// named in another way. It says whether it wants to see more.
type Look<'l, 'u, 's, 't> = dyn FnMut(&mut Reader<'u, 's, 't>, Option<(Node<'t>, Node<'t>)>) -> bool + 'l;

impl<'u, 's, 't> Reader<'u, 's, 't> {
    /// The calls in `node` that get arrays by their names, each with that name and the function's parameter.
    pub fn handed_in(&mut self, node: Node<'t>) -> Vec<(Node<'t>, &'u str, Handed<'t>)> {
        let calls = nodes_in(node).filter(|it| it.kind() == "call_expression");
        let lists = calls.filter_map(|call| Some((call, call.child_by_field_name("arguments")?)));
        let arguments = lists.flat_map(|(call, list)| children(list).into_iter().map(move |argument| (call, argument)));
        let names: Vec<_> = arguments.filter(|(_, argument)| argument.kind() == "identifier").collect();
        let mut found = Vec::new();
        for (call, argument) in names {
            let name = self.text(argument);
            let is_array = self.scope.variable(name).is_some_and(|it| matches!(it.ty, CType::Array(..)));
            if is_array && let Some(handed) = self.handed(argument) {
                found.push((call, name, handed));
            }
        }
        found
    }

    /// The parameter that an argument gives its value, if the function is the program's own.
    pub fn handed(&mut self, argument: Node<'t>) -> Option<Handed<'t>> {
        let list = argument.parent().filter(|it| it.kind() == "argument_list")?;
        let place = children(list).iter().position(|it| *it == argument)?;
        let function = list.parent()?.child_by_field_name("function")?;
        let Callee::Own(definition) = self.found_callee(function)? else { return None };
        let parameters = definition.child_by_field_name("declarator").and_then(parameter_list).map(children)?;
        let parameter = parameters.get(place)?.child_by_field_name("declarator")?;
        let parameter = declared(self.unit, parameter, CType::Other(String::new())).0;
        Some(Handed { definition, parameter })
    }

    /// Whether a function, or one to which it hands the pointer on, assigns elements behind it.
    pub fn stores_behind(&mut self, handed: &Handed<'t>) -> bool {
        self.looks_behind(handed, &mut BTreeSet::new(), &mut |_, _| true).is_some_and(|stores| stores)
    }

    /// Whether a function, and those to which it hands the pointer on, name nothing but elements behind it, of which `is_known` holds
    /// of all, and assign some.
    pub fn stores_only_known(
        &mut self,
        handed: &Handed<'t>,
        mut is_known: impl FnMut(&mut Self, Node<'t>, &[Node<'t>]) -> bool,
    ) -> bool {
        let mut seen = BTreeSet::new();
        let mut are_known = true;
        let stores = self.looks_behind(handed, &mut seen, &mut |reader, element| {
            let known = element.is_some_and(|(body, element)| {
                reader.subscripted_name(element).is_some_and(|(_, subscripts)| {
                    are_known &= is_known(reader, body, &subscripts);
                    true
                })
            });
            are_known &= known;
            are_known
        });
        stores == Some(true) && are_known
    }

    /// Whether elements are assigned; `None` where `look` wants to see no more.
    fn looks_behind(
        &mut self,
        handed: &Handed<'t>,
        seen: &mut BTreeSet<(usize, String)>,
        look: &mut Look<'_, 'u, 's, 't>,
    ) -> Option<bool> {
        if !seen.insert((handed.definition.start_byte(), handed.parameter.clone())) {
            return Some(false);
        }
        let body = handed.definition.child_by_field_name("body")?;
        let mut stores = Some(false);
        self.inside(handed.definition, |reader| {
            for identifier in named(reader.unit, body, &handed.parameter).collect::<Vec<_>>() {
                let element = Some(subscripted(identifier)).filter(|it| *it != identifier);
                let found = match (element, reader.handed(identifier)) {
                    (Some(element), _) => look(reader, Some((body, element))).then(|| is_assigned(element)),
                    (None, Some(inner)) => reader.looks_behind(&inner, seen, look),
                    (None, None) => look(reader, None).then_some(false),
                };
                stores = stores.zip(found).map(|(before, here)| before || here);
            }
        });
        stores
    }

    /// Adds the elements of local arrays that functions assign to which the loop `node` hands these.
    pub fn add_handed_elements(&mut self, node: Node<'t>, changed: &mut Vec<Change>) {
        for (call, name, handed) in self.handed_in(node) {
            let Some(shape) = self.local_array(name) else { continue };
            if !self.stores_behind(&handed) {
                continue;
            }
            let span = self.span(call);
            for place in shape.places() {
                let element = self.element_variable(name, &shape, &place);
                if !changed.iter().any(|(other, _)| *other == element) {
                    changed.push((element, span));
                }
            }
        }
    }
}

/// Whether an element is what an assignment or a count changes.
fn is_assigned(element: Node) -> bool {
    let around = std::iter::successors(element.parent(), Node::parent);
    let changes = around.take_while(|it| it.kind().ends_with("_expression")).find_map(assigned);
    changes.is_some_and(|place| strip_parentheses(place) == element)
}
