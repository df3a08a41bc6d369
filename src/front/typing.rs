//! The types of expressions that are not evaluated: operands of `sizeof`, and what a constant `?:` does not choose.

use tree_sitter::Node;

use super::calls::result_type;
use super::declarations::Scope;
use super::literals::{float_literal, integer_literal};
use super::symbols::Symbol;
use super::tree::{Unit, children};
use super::types::{CType, base_type, declared};
use crate::ir::{BinaryOp, ScalarType};

impl<'t> Scope<'t> {
    /// The type of an expression; `None` where it is not known. Arrays have not decayed.
    pub fn type_of(&self, unit: &Unit, node: Node<'t>) -> Option<CType<'t>> {
        let field = |name| self.type_of(unit, node.child_by_field_name(name)?);
        let scalar = |ty| Some(CType::Scalar(ty));
        match node.kind() {
            "parenthesized_expression" => self.type_of(unit, *children(node).first()?),
            "identifier" | "true" | "false" => self.type_of_name(unit, node),
            "number_literal" => type_of_number(unit.text(node)).map(CType::Scalar),
            "char_literal" => self.character(unit, node).map(|character| CType::Scalar(character.ty)),
            "subscript_expression" => {
                let sides = [field("argument")?, field("index")?];
                sides.into_iter().find_map(pointee)
            }
            "pointer_expression" => {
                let is_address = unit.text(node.child_by_field_name("operator")?) == "&";
                let operand = field("argument")?;
                if is_address { Some(CType::Pointer(Box::new(operand))) } else { pointee(operand) }
            }
            "field_expression" => {
                let operator = unit.text(node.child_by_field_name("operator")?);
                let object = if operator == "->" { pointee(field("argument")?)? } else { field("argument")? };
                let name = unit.text(node.child_by_field_name("field")?);
                self.structure(&object)?.member(unit, self, name).map(|member| member.ty)
            }
            "unary_expression" => match (unit.text(node.child_by_field_name("operator")?), field("argument")?) {
                ("!", _) => scalar(ScalarType::I32),
                (_, CType::Scalar(ty)) => scalar(ty.promoted()),
                _ => None,
            },
            "binary_expression" => {
                let op = BinaryOp::of_symbol(unit.text(node.child_by_field_name("operator")?))?;
                type_of_operation(op, field("left")?.decayed(), field("right")?.decayed())
            }
            "conditional_expression" => match (field("consequence")?.decayed(), field("alternative")?.decayed()) {
                (CType::Scalar(then), CType::Scalar(otherwise)) => scalar(then.common(otherwise)),
                (then, otherwise) => (then == otherwise).then_some(then),
            },
            "cast_expression" => self.cast_of(unit, node).map(|(ty, _)| ty),
            "call_expression" => self.cast_of(unit, node).map(|(ty, _)| ty).or_else(|| self.type_of_call(unit, node)),
            "sizeof_expression" => scalar(ScalarType::U64),
            "update_expression" => field("argument"),
            "assignment_expression" => field("left"),
            "comma_expression" => Some(field("right")?.decayed()),
            _ => None,
        }
    }

    fn type_of_name(&self, unit: &Unit, node: Node) -> Option<CType<'t>> {
        match self.get(unit.text(node))? {
            Symbol::Variable(variable) => Some(variable.ty.clone()),
            // The grammar takes `sizeof(real)` for a name in parentheses.
            Symbol::Type(ty) => Some(ty.clone()),
            Symbol::Constant(constant) => Some(CType::Scalar(constant.ty)),
        }
    }

    fn type_of_call(&self, unit: &Unit, node: Node<'t>) -> Option<CType<'t>> {
        let function = node.child_by_field_name("function")?;
        match self.get(unit.text(function)) {
            Some(Symbol::Variable(variable)) => match &variable.ty {
                CType::Function(result) => Some((**result).clone()),
                _ => None,
            },
            Some(_) => None,
            None => unit.text(function).starts_with("__builtin_").then(|| result_type(unit.text(function)))?,
        }
    }

    /// The type whose size a `sizeof` expression tells.
    pub fn measured_type(&self, unit: &Unit, node: Node<'t>) -> Option<CType<'t>> {
        match (node.child_by_field_name("type"), node.child_by_field_name("value")) {
            (Some(ty), _) => Some(self.type_name(unit, ty)),
            // `sizeof (int) -1` is a difference, whatever the grammar takes for a cast.
            (None, Some(value)) if value.kind() == "cast_expression" => None,
            (None, Some(value)) => self.type_of(unit, value),
            (None, None) => None,
        }
    }

    /// The type that the type name `node` stands for.
    pub fn type_name(&self, unit: &Unit, node: Node<'t>) -> CType<'t> {
        let base = base_type(unit, self, node);
        match node.child_by_field_name("declarator") {
            Some(declarator) => declared(unit, declarator, base).1,
            None => base,
        }
    }
}

fn pointee<'t>(ty: CType<'t>) -> Option<CType<'t>> {
    match ty {
        CType::Pointer(inner) | CType::Array(inner, _) => Some(*inner),
        _ => None,
    }
}

fn type_of_number(text: &str) -> Option<ScalarType> {
    let integer = integer_literal(text).map(|constant| constant.ty);
    integer.or_else(|| float_literal(text.trim_start_matches(['-', '+'])).map(|(_, ty)| ty))
}

fn type_of_operation<'t>(op: BinaryOp, left: CType<'t>, right: CType<'t>) -> Option<CType<'t>> {
    use CType::{Pointer, Scalar};
    if op.is_logical() {
        return Some(Scalar(ScalarType::I32));
    }
    let is_shift = matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
    match (left, right) {
        (Scalar(left), Scalar(_)) if is_shift => Some(Scalar(left.promoted())),
        (Scalar(left), Scalar(right)) => Some(Scalar(left.common(right))),
        (Pointer(_), Pointer(_)) => (op == BinaryOp::Sub).then_some(Scalar(ScalarType::I64)),
        (pointer @ Pointer(_), Scalar(_)) | (Scalar(_), pointer @ Pointer(_)) => Some(pointer),
        _ => None,
    }
}
