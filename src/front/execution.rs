//! The execution of code in front of a nest, as far as it computes with constants that the text tells: what it leaves in small
//! arrays of integers, such as the directions of a lattice.
//!
//! What cannot be told is unknown, and loops that fill no such array are passed over. The result is a conjecture: pointers are not
//! followed, and a name is taken for the same variable wherever it stands.

use std::collections::BTreeMap;

use tree_sitter::Node;

use super::expressions::unary_operator;
use super::numbers::Constant;
use super::reader::Reader;
use super::tree::{assigned, children, declared_identifier, fields, nodes_in, strip_parentheses};
use super::types::CType;
use crate::ir::{BinaryOp, ScalarType};

/// Statements and expressions that are executed at most.
const MAX_NODES: u32 = 50_000;

/// A variable, or an element of an array.
type Place<'u> = (&'u str, Vec<usize>);

/// The state of an execution.
struct Execution<'r, 'u, 's, 't> {
    reader: &'r Reader<'u, 's, 't>,
    /// Where it ends in the text.
    end: usize,
    /// What is known.
    values: BTreeMap<Place<'u>, Constant>,
    /// How much may still be executed.
    left: u32,
}

/// Where control goes behind a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Statement,
    End,
}

impl<'u, 't> Reader<'u, '_, 't> {
    /// What the elements of the array `name` hold behind the statements of `body` before the offset `end`, as far as that can be
    /// told.
    pub fn left_by(&self, body: Node<'t>, end: usize, name: &str) -> BTreeMap<Vec<usize>, Constant> {
        let mut execution = Execution { reader: self, end, values: BTreeMap::new(), left: MAX_NODES };
        execution.execute(body);
        let values = if execution.left == 0 { BTreeMap::new() } else { execution.values };
        let elements = values.into_iter().filter(|((array, at), _)| *array == name && !at.is_empty());
        elements.map(|((_, at), value)| (at, value)).collect()
    }

    /// The type of the elements of a small array of integers.
    fn type_of_elements(&self, name: &str) -> Option<ScalarType> {
        match self.shape(name)?.element {
            CType::Scalar(ty) => Some(ty).filter(|ty| ty.is_integer()),
            _ => None,
        }
    }
}

impl<'u, 't> Execution<'_, 'u, '_, 't> {
    fn execute(&mut self, node: Node<'t>) -> Next {
        if node.start_byte() >= self.end || !self.may_go_on() {
            return Next::End;
        }
        let has_end = node.byte_range().contains(&self.end);
        match node.kind() {
            "compound_statement" => return self.execute_all(node),
            "declaration" => self.declare(node),
            "expression_statement" => {
                for part in children(node) {
                    self.evaluate(part);
                }
            }
            "if_statement" if !has_end => return self.choose(node),
            "for_statement" if !has_end && self.fills_table(node) => self.repeat(node),
            "return_statement" | "goto_statement" => return Next::End,
            _ => {
                self.forget(node);
                if has_end {
                    return self.execute_all(node);
                }
            }
        }
        Next::Statement
    }

    fn execute_all(&mut self, node: Node<'t>) -> Next {
        let has_ended = children(node).into_iter().any(|it| self.execute(it) == Next::End);
        if has_ended { Next::End } else { Next::Statement }
    }

    fn may_go_on(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }

    fn declare(&mut self, node: Node<'t>) {
        for declarator in fields(node, "declarator") {
            let Some(name) = declared_identifier(declarator) else { continue };
            let value = declarator.child_by_field_name("value").and_then(|value| self.evaluate(value));
            self.forget_name(self.reader.text(name));
            self.set(Some((self.reader.text(name), Vec::new())), value);
        }
    }

    fn choose(&mut self, node: Node<'t>) -> Next {
        let condition = node.child_by_field_name("condition").and_then(|it| self.evaluate(it));
        let chosen = match condition.map(Constant::is_true) {
            None => {
                self.forget(node);
                return Next::Statement;
            }
            Some(true) => node.child_by_field_name("consequence"),
            Some(false) => node.child_by_field_name("alternative").and_then(|it| it.named_child(0)),
        };
        chosen.map_or(Next::Statement, |chosen| self.execute(chosen))
    }

    fn repeat(&mut self, node: Node<'t>) {
        let part = |name| node.child_by_field_name(name);
        match part("initializer") {
            Some(start) if start.kind() == "declaration" => self.declare(start),
            start => _ = start.and_then(|start| self.evaluate(start)),
        }
        while self.may_go_on() {
            match part("condition").and_then(|it| self.evaluate(it)).map(Constant::is_true) {
                Some(false) => return,
                Some(true) => _ = part("body").map(|it| self.execute(it)),
                None => break,
            }
            part("update").and_then(|it| self.evaluate(it));
        }
        self.forget(node);
    }

    /// Whether a loop stores in a small array of integers, and goes through all its iterations.
    fn fills_table(&self, node: Node<'t>) -> bool {
        let is_table = |place| {
            self.reader.subscripted_name(place).is_some_and(|(name, _)| self.reader.type_of_elements(name).is_some())
        };
        let jumps = ["break_statement", "continue_statement", "return_statement", "goto_statement"];
        nodes_in(node).filter_map(assigned).any(is_table) && !nodes_in(node).any(|it| jumps.contains(&it.kind()))
    }

    /// What an expression gives, after what it does.
    fn evaluate(&mut self, node: Node<'t>) -> Option<Constant> {
        if !self.may_go_on() {
            return None;
        }
        let node = strip_parentheses(node);
        let part = |name| node.child_by_field_name(name);
        match node.kind() {
            "identifier" | "subscript_expression" => {
                let place = self.place(node);
                let known = place.and_then(|place| self.values.get(&place).copied());
                known.or_else(|| self.reader.scope.typed_constant(self.reader.unit, node))
            }
            "unary_expression" => {
                let operand = self.evaluate(part("argument")?);
                operand?.unary(unary_operator(self.reader.text(part("operator")?))?)
            }
            "binary_expression" => {
                let op = BinaryOp::of_symbol(self.reader.text(part("operator")?))?;
                let left = self.evaluate(part("left")?);
                if let Some(left) =
                    left.filter(|left| op == BinaryOp::And && !left.is_true() || op == BinaryOp::Or && left.is_true())
                {
                    return left.binary(op, left);
                }
                let right = self.evaluate(part("right")?);
                left?.binary(op, right?)
            }
            "conditional_expression" => {
                let is_true = self.evaluate(part("condition")?)?.is_true();
                self.evaluate(part(if is_true { "consequence" } else { "alternative" })?)
            }
            "comma_expression" => {
                self.evaluate(part("left")?);
                self.evaluate(part("right")?)
            }
            "cast_expression" => match self.reader.scope.cast_of(self.reader.unit, node)? {
                (CType::Scalar(ty), operand) => self.evaluate(operand)?.converted(ty),
                _ => None,
            },
            "assignment_expression" => self.assign(node),
            "update_expression" => self.count(node),
            "number_literal" | "char_literal" | "sizeof_expression" => {
                self.reader.scope.typed_constant(self.reader.unit, node)
            }
            _ => {
                self.forget(node);
                None
            }
        }
    }

    fn assign(&mut self, node: Node<'t>) -> Option<Constant> {
        let target = strip_parentheses(node.child_by_field_name("left")?);
        let place = self.place(target);
        let right = self.evaluate(node.child_by_field_name("right")?);
        let value = match self.reader.text(node.child_by_field_name("operator")?) {
            "=" => right,
            operator => {
                let op = BinaryOp::of_symbol(operator.trim_end_matches('='));
                let before = place.as_ref().and_then(|place| self.values.get(place).copied());
                before.zip(op).zip(right).and_then(|((before, op), right)| before.binary(op, right))
            }
        };
        self.store(target, place, value)
    }

    fn count(&mut self, node: Node<'t>) -> Option<Constant> {
        let target = strip_parentheses(node.child_by_field_name("argument")?);
        let place = self.place(target);
        let before = place.as_ref().and_then(|place| self.values.get(place).copied());
        let op = if self.reader.text(node).contains("++") { BinaryOp::Add } else { BinaryOp::Sub };
        let value = before.and_then(|before| before.binary(op, Constant::from_bits(ScalarType::I32, 1)));
        self.store(target, place, value)?;
        let is_prefix = node.child_by_field_name("operator")?.start_byte() < target.start_byte();
        if is_prefix { value } else { before }
    }

    /// Stores in what `target` names, which is `place` if that can be told.
    fn store(&mut self, target: Node<'t>, place: Option<Place<'u>>, value: Option<Constant>) -> Option<Constant> {
        match &place {
            Some(_) => self.set(place, value),
            None => self.forget_target(target),
        }
        value
    }

    fn set(&mut self, place: Option<Place<'u>>, value: Option<Constant>) {
        let Some(place) = place else { return };
        let value = match self.reader.type_of_elements(place.0) {
            Some(ty) => value.and_then(|value| value.converted(ty)),
            None => value,
        };
        match value {
            Some(value) => self.values.insert(place, value),
            None => self.values.remove(&place),
        };
    }

    /// The variable or the element that an expression names, if its subscripts are known.
    fn place(&mut self, node: Node<'t>) -> Option<Place<'u>> {
        if node.kind() == "identifier" {
            return Some((self.reader.text(node), Vec::new()));
        }
        let (name, subscripts) = self.reader.subscripted_name(node)?;
        let at = subscripts.into_iter().map(|it| usize::try_from(self.evaluate(it)?.as_i64()?).ok());
        Some((name, at.collect::<Option<_>>()?))
    }

    /// Forgets all that code may change: what it assigns, and what it hands to functions or takes the address of.
    fn forget(&mut self, node: Node<'t>) {
        for inner in nodes_in(node) {
            match inner.kind() {
                "assignment_expression" | "update_expression" => {
                    assigned(inner).into_iter().for_each(|target| self.forget_target(target));
                }
                "declaration" => {
                    for name in fields(inner, "declarator").into_iter().filter_map(declared_identifier) {
                        self.forget_name(self.reader.text(name));
                    }
                }
                "argument_list" | "pointer_expression" => {
                    let names = nodes_in(inner).filter(|it| it.kind() == "identifier");
                    names.for_each(|name| self.forget_name(self.reader.text(name)));
                }
                _ => {}
            }
        }
    }

    fn forget_target(&mut self, target: Node<'t>) {
        let first = nodes_in(target).find(|it| it.kind() == "identifier");
        first.into_iter().for_each(|name| self.forget_name(self.reader.text(name)));
    }

    fn forget_name(&mut self, name: &str) {
        self.values.retain(|(known, _), _| *known != name);
    }
}
