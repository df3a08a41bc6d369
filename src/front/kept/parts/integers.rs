//! Integers of host code at both ends of their ranges, as C expressions.

use tree_sitter::Node;

use super::{Frame, Meaning, Parts};
use crate::front::declarations::Symbol;
use crate::front::kept::corners::{Code, Corners};
use crate::front::literals::integer_literal;
use crate::front::tree::strip_parentheses;
use crate::front::types::CType;
use crate::ir::ScalarType;

impl<'t> Parts<'_, '_, '_, 't> {
    /// The values of an integer expression.
    pub(super) fn integer(&self, node: Node<'t>, frame: &Frame<'t>) -> Option<Corners> {
        let node = strip_parentheses(node);
        let corners = match node.kind() {
            "identifier" => self.named_integer(self.text(node), frame)?,
            "number_literal" => self.number(self.text(node))?,
            "field_expression" => {
                let path = self.path(node, frame)?;
                let declared = || match frame.scope.type_of(self.unit(), node)? {
                    CType::Scalar(ty) if ty.is_integer() => Some(ty),
                    _ => None,
                };
                let ty = self.code.type_of(&path).or_else(declared);
                Corners::steady(Code::primary(path), ty)
            }
            "unary_expression" if self.text(node.child_by_field_name("operator")?) == "-" => {
                let zero = Corners::steady(Code::primary("0"), Some(ScalarType::I32));
                zero.minus(&self.integer(node.child_by_field_name("argument")?, frame)?)
            }
            "cast_expression" | "call_expression" => match frame.scope.cast_of(self.unit(), node)? {
                (CType::Scalar(ty), value) if ty.is_integer() => self.integer(value, frame)?.cast(ty),
                _ => return None,
            },
            "sizeof_expression" => {
                let size = frame.scope.typed_constant(self.unit(), node)?;
                Corners::steady(Code::primary(size.as_i64()?.to_string()), Some(size.ty))
            }
            "binary_expression" => self.binary(node, frame)?,
            _ => return None,
        };
        Some(corners)
    }

    fn binary(&self, node: Node<'t>, frame: &Frame<'t>) -> Option<Corners> {
        let [left, right] = ["left", "right"].map(|side| node.child_by_field_name(side));
        let (left, right) = (self.integer(left?, frame)?, self.integer(right?, frame)?);
        match self.text(node.child_by_field_name("operator")?) {
            "+" => Some(left.plus(&right)),
            "-" => Some(left.minus(&right)),
            "*" => left.times(&right),
            operator @ ("/" | "%") => left.divided(operator, &right).or_else(|| {
                let is_natural = left.doubts.iter().all(|it| frame.naturals.contains(it));
                left.remainder(&right).filter(|_| operator == "%" && is_natural)
            }),
            _ => None,
        }
    }

    fn number(&self, text: &str) -> Option<Corners> {
        let constant = integer_literal(text)?;
        let code = if text.starts_with('-') { Code::other(text) } else { Code::primary(text) };
        Some(Corners::steady(code, Some(constant.ty)))
    }

    fn named_integer(&self, name: &str, frame: &Frame<'t>) -> Option<Corners> {
        match frame.meanings.get(name) {
            Some(Meaning::Integer(corners)) => return Some(corners.clone()),
            Some(_) => return None,
            None => {}
        }
        if let Some(Symbol::Constant(constant)) = self.outer.get(name)
            && !self.declares(frame.body, name)
        {
            let is_same = matches!(frame.scope.get(name), Some(Symbol::Constant(here)) if here == constant);
            return is_same.then(|| Corners::steady(Code::primary(name), Some(constant.ty)));
        }
        match self.steady_type(name, frame)? {
            CType::Scalar(ty) if ty.is_integer() => Some(Corners::steady(Code::primary(name), Some(ty))),
            _ => None,
        }
    }
}
