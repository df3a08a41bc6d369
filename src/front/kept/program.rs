//! What functions of the program do, as far as their text tells it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::iter;
use std::rc::Rc;

use tree_sitter::Node;

use super::elements::{stores_behind_declared, stores_behind_given};
use super::known::known_functions;
use crate::front::calls::{is_ending, is_known_to_nests, is_message};
use crate::front::declarations::Scope;
use crate::front::file_tree::FileTree;
use crate::front::grids::is_of_grid;
use crate::front::headers::{has_jump, is_counting_while};
use crate::front::known_functions::{Doings, KnownFunctions};
use crate::front::settings::is_setting;
use crate::front::tree::{Unit, ancestors, assigned_element, children, is_loop, nodes_in, strip_parentheses, walk};
use crate::front::value_names::ValueNames;

/// Functions look into functions so deep.
const MAX_DEPTH: usize = 12;

/// Functions of the library that copy or fill memory.
const COPIES: [&str; 3] = ["memcpy", "memmove", "memset"];

/// The functions that the program defines.
pub struct Program<'p, 's, 't> {
    /// The text.
    pub unit: &'p Unit<'s>,
    /// The tree of that.
    pub root: Node<'t>,
    known: Rc<KnownFunctions<'t>>,
    trust: Trust,
    has_trusted: Cell<bool>,
    /// Where statements begin that are the host's, whatever they do.
    of_host: BTreeSet<usize>,
    /// What is made of a folded scalar behind a sweep belongs to the step.
    pub joins_derived: bool,
}

/// What is thought of functions that sweep, and write a message or end the program where something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// A nest may be able to do what they do, as nothing is wrong.
    Sound,
    /// They are the host's.
    Doubt,
}

impl<'p, 's, 't> Program<'p, 's, 't> {
    /// The functions of a tree.
    pub fn new(unit: &'p Unit<'s>, file: &FileTree<'t>, trust: Trust) -> Self {
        Self::knowing(unit, file.root, file.known_of_functions(|| known_functions(unit, file)), trust)
    }

    fn knowing(unit: &'p Unit<'s>, root: Node<'t>, known: Rc<KnownFunctions<'t>>, trust: Trust) -> Self {
        Self { unit, root, known, trust, has_trusted: Cell::new(false), of_host: BTreeSet::new(), joins_derived: false }
    }

    /// The same functions, with all statements that they can do.
    pub fn anew(&self, trust: Trust) -> Self {
        Self::knowing(self.unit, self.root, Rc::clone(&self.known), trust)
    }

    fn doings(&self) -> &RefCell<Doings> {
        &self.known.doings[self.trust as usize]
    }

    /// Whether statements store where the variable `name` counts, which `find` tells once.
    pub fn known_over_space(&self, statements: &[Node], name: &str, find: impl FnOnce() -> bool) -> bool {
        let asked = (statements.iter().map(Node::id).collect::<Vec<_>>(), name.to_owned());
        let known = self.known.over_space.borrow().get(&asked).copied();
        known.unwrap_or_else(|| {
            let found = find();
            self.known.over_space.borrow_mut().insert(asked, found);
            found
        })
    }

    /// Names whose values are more than numbers and pointers.
    pub fn value_names(&self) -> &ValueNames {
        self.known.value_names.get_or_init(|| ValueNames::new(self.unit, self.root))
    }

    /// Leaves statements to the host that it could do.
    pub fn leave_to_host(&mut self, statements: &[Node<'t>]) {
        self.of_host.extend(statements.iter().map(Node::start_byte));
    }

    /// The text of `node`.
    pub fn text(&self, node: Node) -> &'p str {
        let unit: &'p Unit<'s> = self.unit;
        &unit.text[node.byte_range()]
    }

    /// The names visible where a node stands.
    pub fn scope_at(&self, node: Node<'t>) -> Scope<'t> {
        self.scope_around(node, node.start_byte())
    }

    /// The names visible at a place within what is around a node.
    pub fn scope_around(&self, node: Node<'t>, place: usize) -> Scope<'t> {
        let ancestors = ancestors(self.root, node);
        match self.known.names.get(&self.unit.section(place).start) {
            Some(names) => Scope::within(names.clone(), self.unit, &ancestors, place),
            None => Scope::at(self.unit, &ancestors, place),
        }
    }

    /// Statements with the bodies of all functions that they may call, as far as calls of these names are followed.
    pub fn bodies_of(
        &self,
        statements: Vec<Node<'t>>,
        follows: impl Fn(&str) -> bool,
    ) -> impl Iterator<Item = Node<'t>> {
        let (mut bodies, mut next) = (statements, 0);
        iter::from_fn(move || {
            let body = bodies.get(next).copied()?;
            next += 1;
            for name in self.calls_in(body).filter(|name| follows(name)) {
                bodies.extend(self.body(name).filter(|it| !bodies.contains(it)));
            }
            Some(body)
        })
    }

    /// The name of the function that a call calls, if it is called by its name.
    pub fn called(&self, call: Node) -> Option<&'p str> {
        let function = call.child_by_field_name("function")?;
        (function.kind() == "identifier").then(|| self.text(function))
    }

    /// The names of functions that are called in `node`.
    pub fn calls_in(&self, node: Node<'t>) -> impl Iterator<Item = &'p str> {
        nodes_in(node).filter(|inner| inner.kind() == "call_expression").filter_map(|call| self.called(call))
    }

    /// The only function of that name.
    pub fn definition(&self, name: &str) -> Option<Node<'t>> {
        match self.known.definitions.get(name)?.as_slice() {
            [definition] => Some(*definition),
            _ => None,
        }
    }

    /// Its body.
    pub fn body(&self, name: &str) -> Option<Node<'t>> {
        self.definition(name)?.child_by_field_name("body")
    }

    /// Whether the program itself has a function of that name.
    pub fn defines(&self, name: &str) -> bool {
        self.known.definitions.contains_key(name)
    }

    /// Whether the file with the loop, or a header of it, declares something of that name.
    pub fn declares(&self, name: &str) -> bool {
        self.known.declared.contains(name)
    }

    /// Whether a nest may be able to do what a statement does: it calls nothing that a device has not, and control goes on
    /// behind it.
    pub fn computes(&self, node: Node) -> bool {
        !self.of_host.contains(&node.start_byte()) && self.may_compute(node)
    }

    fn may_compute(&self, node: Node) -> bool {
        let known = self.doings().borrow().statements.get(&node.id()).copied();
        let (computes, is_trusted) = known.unwrap_or_else(|| {
            let find = || {
                !has_jump(node) && self.only_computes(node, 0, self.trust == Trust::Sound && self.stores(node, true, 0))
            };
            let found = self.noting_trust(find);
            self.doings().borrow_mut().statements.insert(node.id(), found);
            found
        });
        self.has_trusted.set(self.has_trusted.get() || is_trusted);
        computes
    }

    /// What is found, and whether that trusts some function.
    fn noting_trust(&self, find: impl FnOnce() -> bool) -> (bool, bool) {
        let before = self.has_trusted.replace(false);
        (find(), self.has_trusted.replace(before))
    }

    /// Whether some function was taken to do what it does when nothing is wrong.
    pub fn has_trusted(&self) -> bool {
        self.has_trusted.get()
    }

    fn only_computes(&self, node: Node, depth: usize, trusts: bool) -> bool {
        let mut result = depth < MAX_DEPTH;
        walk(node, &mut |inner| {
            result &= match inner.kind() {
                "call_expression" => self.called(inner).is_some_and(|name| match self.body(name) {
                    Some(body) => self.body_computes(body, depth + 1, trusts),
                    None if self.defines(name) => false,
                    None if depth > 0 && (self.is_for_grid(inner, name) || is_setting(name)) => true,
                    None if is_known_to_nests(name) || COPIES.contains(&name) => true,
                    None => trusts && self.is_for_the_worst(inner, name),
                }),
                "while_statement" => is_counting_while(self.unit, inner),
                "do_statement" if !self.repeats(inner) => true,
                "do_statement" | "goto_statement" | "labeled_statement" | "gnu_asm_expression" => false,
                _ => true,
            };
            result
        });
        result
    }

    fn body_computes(&self, body: Node, depth: usize, trusts: bool) -> bool {
        let key = (body.start_byte(), depth, trusts);
        let known = self.doings().borrow().computes.get(&key).copied();
        let (computes, is_trusted) = known.unwrap_or_else(|| {
            let found = self.noting_trust(|| self.only_computes(body, depth, trusts));
            self.doings().borrow_mut().computes.insert(key, found);
            found
        });
        self.has_trusted.set(self.has_trusted.get() || is_trusted);
        computes
    }

    /// Whether a statement is a loop that may run more than once: macros of several statements are `do { ... } while (0)`.
    pub fn repeats(&self, statement: Node) -> bool {
        let condition = statement.child_by_field_name("condition").filter(|_| statement.kind() == "do_statement");
        is_loop(statement) && condition.is_none_or(|it| self.text(strip_parentheses(it)) != "0")
    }

    /// A call in a statement that no nest can make, and the function of the program that makes it, if that is another one.
    pub fn obstacle(&self, statement: Node<'t>) -> Option<(&'p str, Option<&'p str>)> {
        self.obstacle_in(statement, None, 0)
    }

    fn obstacle_in(
        &self,
        node: Node<'t>,
        function: Option<&'p str>,
        depth: usize,
    ) -> Option<(&'p str, Option<&'p str>)> {
        nodes_in(node).filter(|inner| inner.kind() == "call_expression").find_map(|call| {
            let name = self.called(call)?;
            match self.body(name) {
                Some(body) if depth < MAX_DEPTH => self.obstacle_in(body, Some(name), depth + 1),
                _ => {
                    let is_obstacle = !self.only_computes(call, depth, false) && !is_of_grid(self.unit, call, name);
                    is_obstacle.then_some((name, function))
                }
            }
        })
    }

    /// Whether a call writes a message on standard error or ends the program.
    fn is_for_the_worst(&self, call: Node, name: &str) -> bool {
        let is_it = is_ending(name) || is_message(self.unit, call);
        self.has_trusted.set(self.has_trusted.get() || is_it);
        is_it
    }

    /// Whether a call gives or takes back memory of the step's own, as far as may be thought.
    fn is_for_grid(&self, call: Node, name: &str) -> bool {
        let is_it = self.trust == Trust::Sound && is_of_grid(self.unit, call, name);
        self.has_trusted.set(self.has_trusted.get() || is_it);
        is_it
    }

    /// Whether a statement is a loop, or gives a variable what a function of the program makes of a loop.
    pub fn loops(&self, node: Node) -> bool {
        matches!(node.kind(), "for_statement" | "while_statement")
            || matches!(node.kind(), "expression_statement" | "declaration") && self.calls_loop(node, 0)
    }

    /// Whether code calls a function of the program that has a loop, or calls one that has.
    fn calls_loop(&self, node: Node, depth: usize) -> bool {
        let is_loop = |node: Node| matches!(node.kind(), "for_statement" | "while_statement");
        let mut bodies = self.calls_in(node).filter_map(|name| self.body(name));
        depth < MAX_DEPTH
            && bodies.any(|body| children(body).into_iter().any(is_loop) || self.calls_loop(body, depth + 1))
    }

    /// Whether code calls a function of the program that makes something of a loop, and stores nothing.
    pub fn folds(&self, node: Node) -> bool {
        let mut bodies = self.calls_in(node).filter_map(|name| self.body(name));
        self.calls_loop(node, 0) && bodies.any(|body| !self.sweeps(body) && self.only_computes(body, 1, false))
    }

    /// Whether a statement stores elements of arrays in a loop, or copies arrays.
    pub fn sweeps(&self, node: Node) -> bool {
        let known = self.doings().borrow().sweeps.get(&node.id()).copied();
        known.unwrap_or_else(|| {
            let sweeps = self.stores(node, false, 0);
            self.doings().borrow_mut().sweeps.insert(node.id(), sweeps);
            sweeps
        })
    }

    /// Where functions of the library that are called in a statement copy to.
    pub fn copied(&self, node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
        nodes_in(node).filter(|inner| inner.kind() == "call_expression").filter_map(|call| {
            let name = self.called(call).filter(|name| COPIES.contains(name) && !self.defines(name));
            name.and_then(|_| children(call.child_by_field_name("arguments")?).first().copied())
        })
    }

    /// The places where a statement itself stores elements.
    pub fn stored(&self, node: Node<'t>) -> Vec<Node<'t>> {
        nodes_in(node).filter_map(assigned_element).chain(self.copied(node)).collect()
    }

    fn stores(&self, node: Node, is_in_loop: bool, depth: usize) -> bool {
        let is_in_loop = is_in_loop || matches!(node.kind(), "for_statement" | "while_statement");
        if is_in_loop && (assigned_element(node).is_some() || stores_behind_declared(self.unit, node)) {
            return true;
        }
        if node.kind() == "call_expression"
            && let Some(name) = self.called(node)
        {
            let is_copy = COPIES.contains(&name) && !self.defines(name);
            let body = self.body(name).filter(|_| depth < MAX_DEPTH);
            let given = self.definition(name).filter(|_| is_in_loop);
            let stores_given = given.is_some_and(|it| stores_behind_given(self.unit, node, it));
            if is_copy || stores_given || body.is_some_and(|body| self.body_stores(body, is_in_loop, depth + 1)) {
                return true;
            }
        }
        children(node).into_iter().any(|child| self.stores(child, is_in_loop, depth))
    }

    fn body_stores(&self, body: Node, is_in_loop: bool, depth: usize) -> bool {
        let key = (body.start_byte(), depth, is_in_loop);
        let known = self.doings().borrow().stores.get(&key).copied();
        known.unwrap_or_else(|| {
            let stores = self.stores(body, is_in_loop, depth);
            self.doings().borrow_mut().stores.insert(key, stores);
            stores
        })
    }
}
