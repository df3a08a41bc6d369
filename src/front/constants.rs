//! Constant expressions.

use tree_sitter::Node;

use super::declarations::Scope;
use super::expressions::unary_operator;
use super::literals::{char_value, float_literal, float_value, integer_literal};
use super::numbers::Constant;
use super::symbols::Symbol;
use super::tree::{Unit, children, strip_parentheses};
use super::types::CType;
use crate::ir::{BinaryOp, ScalarType, UnaryOp};

impl<'t> Scope<'t> {
    /// The value of an integer constant expression, if it has 64 bits with a sign.
    pub fn constant(&self, unit: &Unit, node: Node<'t>) -> Option<i64> {
        self.typed_constant(unit, node)?.as_i64()
    }

    /// The value and the type of a constant expression; `None` for anything else and for what C leaves undefined.
    pub fn typed_constant(&self, unit: &Unit, node: Node<'t>) -> Option<Constant> {
        let node = strip_parentheses(node);
        let field = |name| self.typed_constant(unit, node.child_by_field_name(name)?);
        match node.kind() {
            "number_literal" => number(unit.text(node)),
            "char_literal" => self.character(unit, node),
            "identifier" | "true" | "false" => self.named_constant(unit, node),
            "unary_expression" => {
                let operator = unit.text(node.child_by_field_name("operator")?);
                let operand = field("argument")?;
                match unary_operator(operator) {
                    Some(op) => operand.unary(op),
                    None if operator == "+" => operand.converted(operand.ty.promoted()),
                    None => None,
                }
            }
            "binary_expression" => {
                let op = BinaryOp::of_symbol(unit.text(node.child_by_field_name("operator")?))?;
                let left = field("left")?;
                // The right operand of a decided `&&` or `||` need not have a value.
                if op == BinaryOp::And && !left.is_true() || op == BinaryOp::Or && left.is_true() {
                    return left.binary(op, left);
                }
                left.binary(op, field("right")?)
            }
            "conditional_expression" => self.constant_choice(unit, node),
            "cast_expression" | "call_expression" => {
                let (CType::Scalar(ty), operand) = self.cast_of(unit, node)? else { return None };
                self.typed_constant(unit, operand)?.converted(ty)
            }
            "sizeof_expression" => self.size_of(unit, &self.measured_type(unit, node)?),
            _ => None,
        }
    }

    /// An enumerator, or a constant variable with a constant initialiser.
    fn named_constant(&self, unit: &Unit, node: Node<'t>) -> Option<Constant> {
        match (self.get(unit.text(node)), unit.text(node)) {
            (Some(Symbol::Constant(value)), _) => Some(*value),
            (Some(Symbol::Variable(variable)), _) => variable.constant,
            (Some(Symbol::Type(_)), _) => None,
            (None, "true") => Some(Constant::from_bits(ScalarType::I32, 1)),
            (None, "false") => Some(Constant::from_bits(ScalarType::I32, 0)),
            _ => None,
        }
    }

    /// A character constant; bytes that did not survive preprocessing stand as `?`.
    pub fn character(&self, unit: &Unit, node: Node) -> Option<Constant> {
        let text = unit.text(node);
        let is_lost = text == "'?'" && !unit.preprocessed.is_utf8();
        let value = char_value(text, unit.preprocessed.target().char_is_unsigned).filter(|_| !is_lost)?;
        Some(Constant::from_bits(ScalarType::I32, value))
    }

    /// The chosen operand in the common type of both.
    fn constant_choice(&self, unit: &Unit, node: Node<'t>) -> Option<Constant> {
        let field = |name| node.child_by_field_name(name);
        let is_true = self.typed_constant(unit, field("condition")?)?.is_true();
        let chosen = field(if is_true { "consequence" } else { "alternative" })?;
        let CType::Scalar(common) = self.type_of(unit, node)? else { return None };
        self.typed_constant(unit, chosen)?.converted(common)
    }

    /// Size in bytes of a type, a constant of type `size_t`.
    pub fn size_of(&self, unit: &Unit, ty: &CType<'t>) -> Option<Constant> {
        let bytes = |size: usize| Constant::from_bits(ScalarType::U64, size as i64);
        match ty {
            CType::Scalar(ty) => Some(bytes(ty.size())),
            CType::Bool => Some(bytes(1)),
            CType::Pointer(_) => Some(bytes(8)),
            CType::Array(inner, Some(size)) => {
                let length = self.array_length(unit, *size)?.converted(ScalarType::U64)?;
                length.binary(BinaryOp::Mul, self.size_of(unit, inner)?)
            }
            _ => None,
        }
    }

    /// The type and the operand of a cast; the grammar takes `(real)(x)` for a call.
    pub fn cast_of(&self, unit: &Unit, node: Node<'t>) -> Option<(CType<'t>, Node<'t>)> {
        if node.kind() == "cast_expression" {
            return Some((self.type_name(unit, node.child_by_field_name("type")?), node.child_by_field_name("value")?));
        }
        let function = node.child_by_field_name("function").filter(|it| it.kind() == "parenthesized_expression")?;
        let name = unit.text(strip_parentheses(function));
        let ty = match self.get(name) {
            Some(Symbol::Type(ty)) => ty.clone(),
            None if name == "_Bool" => CType::Bool,
            _ => return None,
        };
        match children(node.child_by_field_name("arguments")?).as_slice() {
            [operand] => Some((ty, *operand)),
            _ => None,
        }
    }
}

/// An integer or floating constant.
fn number(text: &str) -> Option<Constant> {
    if let Some(integer) = integer_literal(text) {
        return Some(integer);
    }
    let (digits, ty) = float_literal(text.trim_start_matches(['-', '+']))?;
    let magnitude = float_value(&digits, ty)?;
    if text.starts_with('-') { magnitude.unary(UnaryOp::Negate) } else { Some(magnitude) }
}
