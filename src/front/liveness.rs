//! Scalars that a nest assigns must not be needed afterwards: the rewritten program does not compute them.

use tree_sitter::Node;

use super::Failable;
use super::reader::Reader;
use super::tree::{children, fields, strip_parentheses, walk};
use super::types::{CType, declared};
use crate::source::Diagnostic;

/// What a piece of code does first to a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// It may read the value that the variable had.
    Read,
    /// It gives the variable a new value, or ends the function, on every path.
    Killed,
    /// Neither.
    None,
}

impl<'t> Reader<'_, '_, 't> {
    /// Refuses a nest that leaves a value in a scalar that may be read later.
    pub fn check_liveness(&self, nest: Node<'t>) -> Failable<()> {
        for (name, span) in &self.assigned {
            let Some(variable) = self.scope.variable(name) else { continue };
            if !matches!(variable.ty, CType::Scalar(_)) {
                continue;
            }
            let reason = if variable.is_static {
                Some("it lives outside the function, so other code may read it")
            } else if self.has_address_taken(name) {
                Some("its address is taken, so other code may read it")
            } else if self.is_read_after(nest, name) {
                Some("its value may be read after the nest")
            } else {
                None
            };
            if let Some(reason) = reason {
                let message = format!("`{name}` is assigned in the nest and outlives it");
                let help = format!("declare `{name}` inside the loop that assigns it");
                return Err(Box::new(
                    Diagnostic::error("scalar-live-out", message, *span).because(reason).with_help(help),
                ));
            }
        }
        Ok(())
    }

    fn has_address_taken(&self, name: &str) -> bool {
        let Some(function) = self.enclosing_function() else { return false };
        let mut found = false;
        walk(function, &mut |node| {
            let is_address = node.kind() == "pointer_expression"
                && node.child_by_field_name("operator").is_some_and(|operator| self.text(operator) == "&");
            let target = node.child_by_field_name("argument").map(strip_parentheses);
            found |=
                is_address && target.is_some_and(|target| target.kind() == "identifier" && self.text(target) == name);
            !found
        });
        found
    }

    /// Whether what the nest leaves in `name` may be read after it.
    pub fn is_read_after(&self, nest: Node<'t>, name: &str) -> bool {
        if let Some(function) = self.enclosing_function().filter(|function| has_goto(*function)) {
            return self.use_outside(function, nest, name);
        }
        let mut here = nest;
        for &parent in &self.ancestors {
            match parent.kind() {
                "function_definition" | "translation_unit" => return false,
                "for_statement" | "while_statement" | "do_statement" => match self.back_edge(parent, nest, name) {
                    Use::Read => return true,
                    // The loop may also end, so what follows it is looked at in any case.
                    Use::Killed | Use::None => {}
                },
                "compound_statement" | "case_statement" => {
                    let later = children(parent).into_iter().filter(|child| child.start_byte() >= here.end_byte());
                    match self.sequence(later, name) {
                        Use::Read => return true,
                        Use::Killed => return false,
                        Use::None => {}
                    }
                }
                _ => {}
            }
            here = parent;
        }
        false
    }

    /// Whether `name` stands anywhere in `function` outside `nest`, but for its declaration.
    fn use_outside(&self, function: Node<'t>, nest: Node<'t>, name: &str) -> bool {
        let mut found = false;
        walk(function, &mut |node| {
            if node == nest || node.kind() == "declaration" && !self.mentions_in_initialiser(node, name) {
                return false;
            }
            found |= node.kind() == "identifier" && self.text(node) == name;
            !found
        });
        found
    }

    fn mentions_in_initialiser(&self, declaration: Node<'t>, name: &str) -> bool {
        let values = fields(declaration, "declarator").into_iter().filter_map(|it| it.child_by_field_name("value"));
        values.into_iter().any(|value| self.mentions(value, name))
    }

    /// What the next iteration of a loop around the nest does before it reaches the nest.
    fn back_edge(&self, parent: Node<'t>, nest: Node<'t>, name: &str) -> Use {
        for part in ["update", "condition"] {
            match parent.child_by_field_name(part).map(|node| self.expression_use(node, name)) {
                Some(Use::None) | None => {}
                Some(found) => return found,
            }
        }
        let Some(body) = parent.child_by_field_name("body") else { return Use::None };
        let before = if body.kind() == "compound_statement" { children(body) } else { vec![body] };
        self.sequence(before.into_iter().take_while(|child| child.start_byte() <= nest.start_byte()), name)
    }

    fn sequence(&self, nodes: impl Iterator<Item = Node<'t>>, name: &str) -> Use {
        for node in nodes {
            match self.statement_use(node, name) {
                Use::None => {}
                found => return found,
            }
        }
        Use::None
    }

    fn statement_use(&self, node: Node<'t>, name: &str) -> Use {
        if node.kind() == "return_statement" {
            return if self.mentions(node, name) { Use::Read } else { Use::Killed };
        }
        if !self.mentions(node, name) {
            return Use::None;
        }
        match node.kind() {
            "expression_statement" => children(node).first().map_or(Use::None, |it| self.expression_use(*it, name)),
            "declaration" => {
                let declares = fields(node, "declarator")
                    .into_iter()
                    .any(|it| declared(self.unit, it, CType::Other(String::new())).0 == name);
                if self.mentions_in_initialiser(node, name) {
                    Use::Read
                } else if declares {
                    Use::Killed
                } else {
                    Use::Read
                }
            }
            "compound_statement" => match self.sequence(children(node).into_iter(), name) {
                // A variable of the same name declared inside says nothing about the outer one.
                Use::Killed if self.declares(node, name) => Use::None,
                found => found,
            },
            "if_statement" => self.if_use(node, name),
            "for_statement" => {
                let initialiser = node.child_by_field_name("initializer");
                match initialiser {
                    Some(declaration) if declaration.kind() == "declaration" => {
                        match self.statement_use(declaration, name) {
                            Use::Killed => Use::None,
                            Use::Read => Use::Read,
                            Use::None => self.loop_use(node, name),
                        }
                    }
                    Some(expression) => match self.expression_use(expression, name) {
                        Use::None => self.loop_use(node, name),
                        found => found,
                    },
                    None => self.loop_use(node, name),
                }
            }
            "while_statement" => self.loop_use(node, name),
            _ => Use::Read,
        }
    }

    fn declares(&self, block: Node<'t>, name: &str) -> bool {
        children(block).into_iter().filter(|child| child.kind() == "declaration").any(|child| {
            fields(child, "declarator")
                .into_iter()
                .any(|it| declared(self.unit, it, CType::Other(String::new())).0 == name)
        })
    }

    /// A loop may run no iteration, so it never surely kills.
    fn loop_use(&self, node: Node<'t>, name: &str) -> Use {
        let condition = node.child_by_field_name("condition").map_or(Use::None, |it| self.expression_use(it, name));
        if condition != Use::None {
            return condition;
        }
        let body = node.child_by_field_name("body").map_or(Use::None, |it| self.statement_use(it, name));
        let update = node.child_by_field_name("update").map_or(Use::None, |it| self.expression_use(it, name));
        let reads = body == Use::Read || body == Use::None && update == Use::Read;
        if reads { Use::Read } else { Use::None }
    }

    fn if_use(&self, node: Node<'t>, name: &str) -> Use {
        if node.child_by_field_name("condition").is_some_and(|condition| self.mentions(condition, name)) {
            return Use::Read;
        }
        let then = node.child_by_field_name("consequence").map_or(Use::None, |it| self.statement_use(it, name));
        let clause = node.child_by_field_name("alternative").and_then(|clause| children(clause).first().copied());
        let otherwise = clause.map_or(Use::None, |it| self.statement_use(it, name));
        match (then, otherwise) {
            (Use::Read, _) | (_, Use::Read) => Use::Read,
            (Use::Killed, Use::Killed) => Use::Killed,
            _ => Use::None,
        }
    }

    fn expression_use(&self, node: Node<'t>, name: &str) -> Use {
        let node = strip_parentheses(node);
        match node.kind() {
            "comma_expression" => {
                let parts = [node.child_by_field_name("left"), node.child_by_field_name("right")];
                parts.into_iter().flatten().map(|part| self.expression_use(part, name)).find(|it| *it != Use::None)
            }
            "assignment_expression" => self.assignment_use(node, name),
            _ => None,
        }
        .unwrap_or(if self.mentions(node, name) { Use::Read } else { Use::None })
    }

    fn assignment_use(&self, node: Node<'t>, name: &str) -> Option<Use> {
        let (left, right) = (node.child_by_field_name("left")?, node.child_by_field_name("right")?);
        let is_plain = self.text(node.child_by_field_name("operator")?) == "=";
        let left = strip_parentheses(left);
        let is_target = left.kind() == "identifier" && self.text(left) == name;
        (is_plain && is_target && !self.mentions(right, name)).then_some(Use::Killed)
    }

    /// Whether a variable that gives the size of an array may have changed since the array's declaration.
    pub fn has_changed_since(&self, nest: Node<'t>, name: &str, declared_at: usize) -> bool {
        let Some(function) = self.enclosing_function() else { return false };
        let mut end = nest.end_byte();
        for parent in &self.ancestors {
            let is_loop = matches!(parent.kind(), "for_statement" | "while_statement" | "do_statement");
            if is_loop && declared_at < parent.start_byte() {
                end = parent.end_byte();
            }
        }
        let mut found = false;
        walk(function, &mut |node| {
            let target = match node.kind() {
                "assignment_expression" => node.child_by_field_name("left"),
                "update_expression" | "pointer_expression" => node.child_by_field_name("argument"),
                _ => None,
            };
            let is_target = target
                .map(strip_parentheses)
                .is_some_and(|target| target.kind() == "identifier" && self.text(target) == name);
            found |= is_target && node.start_byte() > declared_at && node.start_byte() < end;
            !found
        });
        found
    }

    fn enclosing_function(&self) -> Option<Node<'t>> {
        self.ancestors.iter().find(|around| around.kind() == "function_definition").copied()
    }
}

fn has_goto(function: Node) -> bool {
    let mut found = false;
    walk(function, &mut |node| {
        found |= node.kind() == "goto_statement";
        !found
    });
    found
}
