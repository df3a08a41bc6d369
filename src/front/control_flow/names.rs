//! Which declaration a name belongs to.

use tree_sitter::Node;

use super::{Builder, Event, PointId};
use crate::front::qualifiers::Qualifiers;
use crate::front::tree::{Own, children, fields, nodes_in, walk};
use crate::front::types::{CType, declared};

/// A local variable: the offset of its declarator.
pub type Variable = usize;

/// The local names in scope; an inner one follows those that it hides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Names {
    variables: Vec<(String, Variable)>,
}

impl Names {
    /// The variable of that name; `None` where the function declares none.
    pub fn get(&self, name: &str) -> Option<Variable> {
        self.variables.iter().rev().find(|(other, _)| other == name).map(|(_, variable)| *variable)
    }

    /// A mark to which [`Names::leave`] goes back.
    pub fn enter(&self) -> usize {
        self.variables.len()
    }

    /// Forgets what was declared since `mark`.
    pub fn leave(&mut self, mark: usize) {
        self.variables.truncate(mark);
    }

    fn declare(&mut self, name: String, variable: Variable) {
        self.variables.push((name, variable));
    }
}

impl<'t> Builder<'_, '_, 't> {
    /// The parameters of a function, those of an old-style definition included.
    pub(super) fn parameters(&mut self, function: Node<'t>) {
        let mut declarator = function.child_by_field_name("declarator");
        while let Some(here) = declarator.filter(|node| node.kind() != "function_declarator") {
            declarator = here.child_by_field_name("declarator");
        }
        let list = declarator.and_then(|declarator| declarator.child_by_field_name("parameters"));
        for parameter in list.map(children).unwrap_or_default() {
            self.declare(parameter);
        }
        for declaration in children(function).into_iter().filter(|child| child.kind() == "declaration") {
            self.declare(declaration);
        }
    }

    /// Brings the names of a declaration or a parameter into scope.
    fn declare(&mut self, declaration: Node<'t>) {
        for declarator in fields(declaration, "declarator") {
            self.declare_one(declaration, declarator);
        }
    }

    fn declare_one(&mut self, declaration: Node<'t>, declarator: Node<'t>) -> Variable {
        let (name, _) = declared(self.unit, declarator, CType::Other(String::new()));
        let variable = declarator.start_byte();
        self.graph.qualifiers.insert(variable, Qualifiers::of(self.unit, declaration, declarator));
        self.names.declare(name, variable);
        variable
    }

    /// A declaration within the function: a variable begins without a value, or with that of its initialiser.
    pub(super) fn declaration(&mut self, node: Node<'t>, mut at: PointId) -> PointId {
        if let Some(ty) = node.child_by_field_name("type") {
            at = self.expression(ty, at);
        }
        for declarator in fields(node, "declarator") {
            at = self.sizes(declarator, at);
            let variable = self.declare_one(node, declarator);
            if let Some(value) = declarator.child_by_field_name("value") {
                at = self.expression(value, at);
            }
            at = self.event(at, Event::Kill(variable));
        }
        at
    }

    /// Brings the variable of a thread's own into scope, which may begin with what that of the same name outside holds.
    pub(super) fn declare_own(&mut self, own: Own, at: PointId) -> PointId {
        let outside = self.names.get(&own.name).filter(|_| own.is_copied);
        let at = outside.map_or(at, |variable| self.event(at, Event::Read(variable)));
        self.graph.qualifiers.insert(own.made_at, Qualifiers::default());
        self.names.declare(own.name, own.made_at);
        self.event(at, Event::Kill(own.made_at))
    }

    /// What the sizes of an array declarator read.
    fn sizes(&mut self, declarator: Node<'t>, mut at: PointId) -> PointId {
        let mut sizes = Vec::new();
        walk(declarator, &mut |node| {
            if node.kind() == "array_declarator" {
                sizes.extend(node.child_by_field_name("size"));
            }
            node.kind() != "initializer_list"
        });
        for size in sizes {
            at = self.expression(size, at);
        }
        at
    }

    /// A function within the function may be called from anywhere, with the variables that it names.
    pub(super) fn nested_function(&mut self, node: Node<'t>) {
        let names = nodes_in(node).filter(|inner| inner.kind() == "identifier");
        let named: Vec<_> = names.filter_map(|inner| self.names.get(self.text(inner))).collect();
        self.graph.exposed.extend(named);
    }
}
