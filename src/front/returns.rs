//! What calls of the program's own functions return.

use tree_sitter::Node;

use super::Failable;
use super::exits::Exit;
use super::expressions::Value;
use super::frames::Frame;
use super::reader::Reader;
use super::tree::{children, defined_name, nodes_in};
use super::types::CType;
use crate::ir::ExprKind;

impl<'t> Reader<'_, '_, 't> {
    /// `return`, with or without a value.
    pub fn return_statement(&mut self, node: Node<'t>) -> Failable<()> {
        if self.frames.last().is_none_or(|frame| frame.loops != self.loops.len()) || !self.is_in_no_other_loop() {
            return self.refuse_statement(node);
        }
        let value = children(node).first().map(|value| self.whole_value(*value)).transpose()?;
        let value = value.map(|value| self.kept_structure(node, value)).transpose()?;
        let conditions = self.conditions.clone();
        if let (Some(value), Some(frame)) = (value, self.frames.last_mut()) {
            frame.returned.push((conditions, value));
        }
        self.jump(&[Exit::Function]);
        Ok(())
    }

    /// What the call `node` returned: the first value whose conditions hold.
    pub fn returned(&mut self, node: Node<'t>, frame: &Frame<'t>) -> Failable<Option<Value<'t>>> {
        let Some(((_, last), earlier)) = frame.returned.split_last() else { return Ok(None) };
        let ty = self.result_type(frame);
        let span = self.span(node);
        let mut result = self.as_result(node, &ty, last.clone())?;
        if !frame.definition.child_by_field_name("body").is_some_and(|body| self.always_returns(body)) {
            let help = "let every way through the function end with a `return`";
            return self.refuse(node, "uninitialised", "the function may end without a value", help);
        }
        for (conditions, value) in earlier.iter().rev() {
            let value = self.as_result(node, &ty, value.clone())?;
            let Some(condition) = self.conditions_since(conditions, frame.conditions, span) else {
                result = value;
                continue;
            };
            result = match (value, result) {
                (Value::Scalar(value), Value::Scalar(rest)) => {
                    let condition = self.local("condition", condition, span);
                    Value::Scalar(self.expr(self.ty(value), ExprKind::Select(condition, value, rest), span))
                }
                (Value::Structure(value), Value::Structure(rest)) => {
                    let condition = self.local("condition", condition, span);
                    Value::Structure(self.chosen_structure(node, condition, (value, rest), span)?)
                }
                _ => {
                    let message = "where the pointer leads that this function returns depends on a condition";
                    return self.refuse(node, "pointer-branch", message, "return numbers, or one pointer");
                }
            };
        }
        if let Value::Scalar(value) = result {
            let name = defined_name(self.unit, frame.definition).unwrap_or_default();
            result = Value::Scalar(self.local(name, value, span));
        }
        Ok(Some(result))
    }

    /// Whether a statement leaves the function on every way through it, or ends the program.
    fn always_returns(&mut self, statement: Node<'t>) -> bool {
        match statement.kind() {
            "return_statement" => true,
            "compound_statement" | "case_statement" => {
                children(statement).last().is_some_and(|last| self.always_returns(*last))
            }
            "switch_statement" => self.switch_returns(statement),
            "else_clause" => children(statement).first().is_some_and(|inner| self.always_returns(*inner)),
            "if_statement" => ["consequence", "alternative"]
                .into_iter()
                .all(|branch| statement.child_by_field_name(branch).is_some_and(|it| self.always_returns(it))),
            _ => self.ends_program(statement),
        }
    }

    /// Whether one of the cases of a `switch` is always taken, and nothing leaves it but a `return`.
    fn switch_returns(&mut self, statement: Node<'t>) -> bool {
        let cases = statement.child_by_field_name("body").map(children).unwrap_or_default();
        let has_default = cases.iter().any(|case| case.child_by_field_name("value").is_none());
        let has_break = nodes_in(statement).any(|node| node.kind() == "break_statement");
        has_default && !has_break && cases.last().is_some_and(|last| self.always_returns(*last))
    }

    fn result_type(&self, frame: &Frame<'t>) -> Option<CType<'t>> {
        match &frame.caller.variable(defined_name(self.unit, frame.definition)?)?.ty {
            CType::Function(result) => Some((**result).clone()),
            _ => None,
        }
    }

    /// A returned value as one of the function's type.
    fn as_result(&mut self, node: Node<'t>, ty: &Option<CType<'t>>, value: Value<'t>) -> Failable<Value<'t>> {
        match (value, ty) {
            (value @ Value::Structure(_), _) => Ok(value),
            (Value::Scalar(value), Some(CType::Scalar(ty))) => Ok(Value::Scalar(self.convert(value, *ty))),
            (Value::Scalar(value), Some(CType::Bool)) => Ok(Value::Scalar(self.truth(value))),
            (Value::Pointer(pointer), Some(CType::Pointer(pointee))) => match self.seen_as(pointee, pointer) {
                Some(pointer) => Ok(Value::Pointer(pointer)),
                None => self.refuse(
                    node,
                    "pointer-type",
                    "the function returns a pointer of another type",
                    "return it as it is",
                ),
            },
            (value @ Value::Address(_), _) => Ok(value),
            _ => {
                let help = "let it return an integer, `float`, `double` or a pointer";
                self.refuse(node, "unsupported-type", "the type that this function returns cannot be used here", help)
            }
        }
    }
}
