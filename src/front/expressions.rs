//! Types and reads expressions.

use tree_sitter::Node;

use super::function_pointers::Callee;
use super::literals::{double_of_long, float_literal, integer_literal};
use super::local_pointers::LocalPointer;
use super::reader::{PointerValue, Reader};
use super::structures::size;
use super::symbols::Symbol;
use super::tree::{children, strip_parentheses};
use super::types::{COMPLEX, CType};
use super::{Failable, TWO_ARRAYS};
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, HostValue, Param, ParamValue, ScalarType, UnaryOp};
use crate::source::{Diagnostic, Span};

/// The remedy for elements of other types.
const NUMBERS: &str = "use arrays of integers, `float` or `double`";

/// The value of an expression.
#[derive(Clone, Debug)]
pub enum Value<'t> {
    /// A number.
    Scalar(Handle<Expr>),
    /// A pointer into an array, or an array that decayed to one.
    Pointer(PointerValue<'t>),
    /// A pointer to an object.
    Address(Handle<HostValue>),
    /// A structure.
    Structure(Handle<HostValue>),
    /// A structure in an array.
    StructureAt(PointerValue<'t>),
    /// A pointer to a function.
    Function(Callee<'t>),
    /// A pointer into a local array.
    Local(LocalPointer<'t>),
    /// A null pointer.
    Null,
}

impl<'t> Reader<'_, '_, 't> {
    /// Reads an expression that must be a number.
    pub fn scalar(&mut self, node: Node<'t>) -> Failable<Handle<Expr>> {
        match self.value(node)? {
            Value::Scalar(expr) => Ok(expr),
            Value::Pointer(_) | Value::Address(_) | Value::Function(_) | Value::Local(_) | Value::Null => {
                self.refuse(node, "pointer-value", "a pointer is used as a number", "use an array element instead")
            }
            Value::Structure(_) | Value::StructureAt(_) => {
                self.refuse(node, "unsupported-type", "a structure is used as a number", "use one of its members")
            }
        }
    }

    /// Reads an expression.
    pub fn value(&mut self, node: Node<'t>) -> Failable<Value<'t>> {
        self.check_growth(node)?;
        let span = self.span(node);
        let expr = match node.kind() {
            "parenthesized_expression" => match children(node).first() {
                Some(inner) => return self.value(*inner),
                None => return self.unsupported(node),
            },
            "identifier" => return self.variable(node),
            "true" | "false" if self.scope.get(self.text(node)).is_some() => return self.variable(node),
            "subscript_expression" => {
                if let Some(value) = self.table_value(node)? {
                    return Ok(Value::Scalar(value));
                }
                if let Some(value) = self.looked_up(node)? {
                    return Ok(Value::Scalar(value));
                }
                if let Some(row) = self.local_row(node)? {
                    return Ok(Value::Local(row));
                }
                return self.load(node);
            }
            "pointer_expression" => return self.pointer_expression(node),
            "number_literal" => self.number(node)?,
            "true" | "false" if self.text(node) == node.kind() => {
                self.int(ScalarType::I32, i64::from(node.kind() == "true"), span)
            }
            "char_literal" => {
                let character = self.scope.character(self.unit, node);
                match character.and_then(|character| self.constant_expr(character, span)) {
                    Some(value) => value,
                    None => return self.unsupported(node),
                }
            }
            "unary_expression" => self.unary_expression(node)?,
            "binary_expression" => return self.binary_expression(node),
            "conditional_expression" => return self.conditional(node),
            "cast_expression" => return self.cast(node),
            "call_expression" => return self.call_or_cast(node),
            "sizeof_expression" => self.sizeof(node)?,
            "update_expression" if let Some(variable) = self.counted_apart(node) => return self.value(variable),
            "update_expression" => {
                let message = format!("`{}` changes a variable within an expression", self.text(node));
                let error = Diagnostic::error("assignment-in-expression", message, self.span(node));
                // What a condition on data counts is no sum of loop variables.
                return Err(Box::new(if self.data_conditions.is_empty() {
                    error.with_help("compute the element from the loop variables, as in `a[i]`")
                } else {
                    error.because("its value depends on data, and so does the element").without_remedy()
                }));
            }
            "assignment_expression" => {
                let help = "make the assignment a statement of its own before this one";
                return self.refuse(node, "assignment-in-expression", "an assignment is used as a value", help);
            }
            "field_expression" => match self.table_value(node)? {
                Some(value) => return Ok(Value::Scalar(value)),
                None => return self.load(node),
            },
            "compound_literal_expression" => return self.compound_literal(node),
            _ => return self.unsupported(node),
        };
        Ok(Value::Scalar(expr))
    }

    /// Refuses an expression that no nest can have.
    pub fn unsupported<T>(&self, node: Node<'t>) -> Failable<T> {
        let what = match node.kind() {
            "comma_expression" => "the comma operator".to_owned(),
            "string_literal" | "concatenated_string" => "a string".to_owned(),
            "ERROR" => "code that is not understood".to_owned(),
            kind => kind.replace('_', " "),
        };
        let message = format!("{what} is not supported in a nest");
        self.refuse(
            node,
            "unsupported-expression",
            message,
            "rewrite it with plain arithmetic, or move it out of the nest",
        )
    }

    fn number(&mut self, node: Node<'t>) -> Failable<Handle<Expr>> {
        let (text, span) = (self.text(node), self.span(node));
        if let Some(integer) = integer_literal(text).and_then(|constant| self.constant_expr(constant, span)) {
            return Ok(integer);
        }
        match float_literal(text.trim_start_matches(['-', '+'])) {
            Some((digits, ty)) => {
                let magnitude = self.expr(ty, ExprKind::Float(digits), span);
                Ok(if text.starts_with('-') { self.unary(UnaryOp::Negate, magnitude, span) } else { magnitude })
            }
            None => {
                let message = format!("the constant `{text}` has a type that devices do not have");
                self.refuse(node, "unsupported-type", message, "use a `double` or `float` constant")
            }
        }
    }

    fn variable(&mut self, node: Node<'t>) -> Failable<Value<'t>> {
        if let Some(callee) = self.function_value(node) {
            return Ok(Value::Function(callee));
        }
        if let Some(pointer) = self.local_pointer(self.text(node)) {
            return Ok(Value::Local(pointer));
        }
        let (name, span) = (self.text(node), self.span(node));
        let Some(symbol) = self.scope.get(name).cloned() else {
            let message = format!("`{name}` is not declared where the nest can see it");
            return self.refuse(node, "undeclared", message, "declare it before the nest");
        };
        match symbol {
            Symbol::Constant(value) => {
                let value = self.constant_expr(value, span);
                value.map_or_else(|| self.unsupported(node), |value| Ok(Value::Scalar(value)))
            }
            Symbol::Type(_) => {
                let help = format!("put the operand of the cast into parentheses: `({name})(...)`");
                self.refuse(node, "unsupported-cast", "this cast is not understood", &help)
            }
            Symbol::Variable(_) => match self.host_value(name) {
                Some(value) => self.object(node, value),
                None => self.unsupported(node),
            },
        }
    }

    /// Refuses a variable of a type that no nest can use.
    pub fn refuse_type<T>(&self, node: Node<'t>, name: &str, ty: &CType<'t>) -> Failable<T> {
        let usable = "use integer, `float` or `double` scalars and arrays";
        let (message, help) = match ty {
            CType::Function(_) | CType::Untyped(_) => {
                (format!("`{name}` is a function, which a nest cannot use as a value"), usable)
            }
            CType::Unknown(ty) => {
                let help = if *ty == COMPLEX { TWO_ARRAYS } else { usable };
                (format!("`{name}` has {ty}, which a nest cannot use"), help)
            }
            CType::Other(ty) => (format!("`{name}` has the type `{ty}`, which a nest cannot use"), usable),
            _ => (format!("`{name}` has a type that a nest cannot use"), usable),
        };
        self.refuse(node, "unsupported-type", message, help)
    }

    /// The elements must be numbers, or structures of numbers.
    pub fn check_element(&self, node: Node<'t>, name: &str, inner: &CType<'t>) -> Failable<()> {
        match inner.element().0 {
            CType::Scalar(_) | CType::Bool | CType::Structure(_) => Ok(()),
            other => {
                let (message, help) = match other {
                    CType::Unknown(COMPLEX) => (format!("the elements of `{name}` are complex"), TWO_ARRAYS),
                    CType::Unknown(ty) => (format!("the elements of `{name}` have {ty}"), NUMBERS),
                    _ => (format!("the elements of `{name}` are not numbers"), NUMBERS),
                };
                self.refuse(node, "unsupported-type", message, help)
            }
        }
    }

    /// The parameter for a variable.
    pub fn param(&mut self, variable: Handle<HostValue>, ty: ScalarType, span: Span) -> Handle<Expr> {
        let value = ParamValue::Variable(variable);
        let known = self.nest.params.iter().find(|(_, param)| param.value == value).map(|(handle, _)| handle);
        let handle = known.unwrap_or_else(|| self.nest.params.push(Param { ty, value }, span));
        self.expr(ty, ExprKind::Param(handle), span)
    }

    fn unary_expression(&mut self, node: Node<'t>) -> Failable<Handle<Expr>> {
        let operator = self.field(node, "operator")?;
        let operand = self.field(node, "argument")?;
        let is_not = self.text(operator) == "!";
        let operand = if is_not { self.condition(operand)? } else { self.scalar(operand)? };
        let span = self.span(node);
        match (self.text(operator), unary_operator(self.text(operator))) {
            (_, Some(op)) if op != UnaryOp::Complement || self.ty(operand).is_integer() => {
                Ok(self.unary(op, operand, span))
            }
            ("+", _) => Ok(self.convert(operand, self.ty(operand).promoted())),
            _ => self.unsupported(node),
        }
    }

    fn binary_expression(&mut self, node: Node<'t>) -> Failable<Value<'t>> {
        let operator = self.field(node, "operator")?;
        let Some(op) = BinaryOp::of_symbol(self.text(operator)) else { return self.unsupported(node) };
        let (left_node, right_node) = (self.field(node, "left")?, self.field(node, "right")?);
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            let left = self.condition(left_node)?;
            return self.short_circuit(node, op, left, right_node).map(Value::Scalar);
        }
        if let Some(test) = self.null_comparison(op, left_node, right_node)? {
            return Ok(Value::Scalar(test));
        }
        let span = self.span(node);
        let left = self.value(left_node)?;
        let right = self.value(right_node)?;
        match (self.steppable(left, span), self.steppable(right, span)) {
            (Value::Scalar(left), Value::Scalar(right)) => self.arithmetic(node, op, left, right).map(Value::Scalar),
            (Value::Pointer(pointer), Value::Scalar(index)) if op == BinaryOp::Add => {
                self.moved(node, pointer, index).map(Value::Pointer)
            }
            (Value::Scalar(index), Value::Pointer(pointer)) if op == BinaryOp::Add => {
                self.moved(node, pointer, index).map(Value::Pointer)
            }
            (Value::Local(pointer), Value::Scalar(index)) | (Value::Scalar(index), Value::Local(pointer))
                if op == BinaryOp::Add =>
            {
                let moved = self.constant(index).and_then(|by| pointer.clone().moved(by));
                let name = self.name(pointer.array).to_owned();
                moved.map_or_else(|| self.refuse_whole(node, &name), |moved| Ok(Value::Local(moved)))
            }
            (Value::Pointer(pointer), Value::Scalar(index)) if op == BinaryOp::Sub => {
                let index = self.convert(index, ScalarType::I64);
                let index = self.unary(UnaryOp::Negate, index, span);
                self.moved(node, pointer, index).map(Value::Pointer)
            }
            _ => self.refuse(node, "pointer-value", "pointers are compared or subtracted", "use indices instead"),
        }
    }

    /// A pointer to a structure as one into an array of them.
    fn steppable(&mut self, value: Value<'t>, span: Span) -> Value<'t> {
        let Value::Address(object) = value else { return value };
        self.elements_behind(object, span).map_or(value, Value::Pointer)
    }

    /// A binary operation on two numbers, with C's constraint that some operators take integers only.
    pub fn arithmetic(
        &mut self,
        node: Node<'t>,
        op: BinaryOp,
        left: Handle<Expr>,
        right: Handle<Expr>,
    ) -> Failable<Handle<Expr>> {
        use BinaryOp::{BitAnd, BitOr, BitXor, Rem, ShiftLeft, ShiftRight};
        let is_integer_only = matches!(op, Rem | ShiftLeft | ShiftRight | BitAnd | BitOr | BitXor);
        if op == Rem {
            self.want_number_of_buffers(node, right);
        }
        if is_integer_only && (self.ty(left).is_float() || self.ty(right).is_float()) {
            let message = format!("`{}` does not take floating-point operands", op.symbol());
            return self.refuse(node, "syntax", message, "use fmod for a floating-point remainder");
        }
        let span = self.span(node);
        Ok(self.binary(op, left, right, span))
    }

    fn short_circuit(
        &mut self,
        node: Node<'t>,
        op: BinaryOp,
        left: Handle<Expr>,
        right: Node<'t>,
    ) -> Failable<Handle<Expr>> {
        let span = self.span(node);
        // The right operand of a decided operator is not evaluated.
        if self.constant(left).is_some_and(|left| (left != 0) == (op == BinaryOp::Or)) {
            return Ok(left);
        }
        let condition = if op == BinaryOp::And { left } else { self.unary(UnaryOp::Not, left, span) };
        let right = self.under(condition, |reader| reader.condition(right))?;
        Ok(self.binary(op, left, right, span))
    }

    fn conditional(&mut self, node: Node<'t>) -> Failable<Value<'t>> {
        let condition = self.field(node, "condition")?;
        let (then, otherwise) = (self.field(node, "consequence")?, self.field(node, "alternative")?);
        let span = self.span(node);
        let condition = self.condition(condition)?;
        if let Some(value) = self.constant(condition) {
            let (chosen, other) = if value != 0 { (then, otherwise) } else { (otherwise, then) };
            return self.chosen(chosen, other);
        }
        let opposite = self.unary(UnaryOp::Not, condition, span);
        let then = self.under(condition, |reader| reader.scalar(then))?;
        let otherwise = self.under(opposite, |reader| reader.scalar(otherwise))?;
        let common = self.ty(then).common(self.ty(otherwise));
        let (then, otherwise) = (self.convert(then, common), self.convert(otherwise, common));
        Ok(Value::Scalar(self.chosen_value(condition, [then, otherwise], span)))
    }

    /// The operand of a `?:` that a constant chooses, in the common type of both; the other one is not evaluated.
    fn chosen(&mut self, chosen: Node<'t>, other: Node<'t>) -> Failable<Value<'t>> {
        let value = match self.value(chosen)? {
            Value::Scalar(value) => value,
            other => return Ok(other),
        };
        let Some(CType::Scalar(ty)) = self.scope.type_of(self.unit, other) else {
            let message = "the type of this operand, and so that of the whole `?:`, is not known";
            return self.refuse(other, "unsupported-type", message, "write the operand that is meant");
        };
        let common = self.ty(value).common(ty);
        Ok(Value::Scalar(self.convert(value, common)))
    }

    fn cast(&mut self, node: Node<'t>) -> Failable<Value<'t>> {
        let Some((target, operand)) = self.scope.cast_of(self.unit, node) else { return self.unsupported(node) };
        if let (CType::Scalar(ScalarType::F64), Some(digits)) =
            (&target, double_of_long(self.text(strip_parentheses(operand))))
        {
            return Ok(Value::Scalar(self.expr(ScalarType::F64, ExprKind::Float(digits), self.span(node))));
        }
        match (self.value(operand)?, target) {
            (Value::Scalar(expr), CType::Scalar(ty)) => Ok(Value::Scalar(self.convert(expr, ty))),
            (Value::Scalar(expr), CType::Bool) => Ok(Value::Scalar(self.truth(expr))),
            (Value::Scalar(_), CType::Other(ty)) if !ty.is_empty() && self.scope.variable(&ty).is_none() => {
                let message = format!("`{ty}` is a type that a nest cannot use");
                self.refuse(node, "unsupported-type", message, "convert to an integer type, `float` or `double`")
            }
            (Value::Null, CType::Pointer(_)) => Ok(Value::Null),
            (Value::Scalar(zero), CType::Pointer(_)) if self.constant(zero) == Some(0) => Ok(Value::Null),
            (Value::Pointer(pointer), CType::Pointer(pointee)) => match self.seen_as(&pointee, pointer) {
                Some(pointer) => Ok(Value::Pointer(pointer)),
                None => self.unsupported_cast(node),
            },
            (Value::Address(object), CType::Pointer(pointee)) => match self.is_of_type(object, &pointee) {
                true => Ok(Value::Address(object)),
                false => self.unsupported_cast(node),
            },
            _ => self.unsupported_cast(node),
        }
    }

    /// Whether a variable is of that type.
    fn is_of_type(&mut self, object: Handle<HostValue>, ty: &CType<'t>) -> bool {
        let declared = self.declaration_of(object).map(|it| it.ty.clone());
        declared.is_some_and(|declared| self.is_same_type(&declared, ty))
    }

    fn unsupported_cast<T>(&self, node: Node<'t>) -> Failable<T> {
        let help = "cast the pointer before the nest and use the new pointer for every access";
        self.refuse(node, "unsupported-cast", "a nest cannot look at memory through another type", help)
    }

    /// `(real)(x)` looks like a call to the grammar.
    fn call_or_cast(&mut self, node: Node<'t>) -> Failable<Value<'t>> {
        match self.scope.cast_of(self.unit, node) {
            Some(_) => self.cast(node),
            None => self.call(node),
        }
    }

    fn sizeof(&mut self, node: Node<'t>) -> Failable<Handle<Expr>> {
        match self.scope.measured_type(self.unit, node) {
            Some(ty) => self.size_of_type(node, &ty),
            None => self.unsupported(node),
        }
    }

    /// The size in bytes of `ty`, which `node` measures.
    fn size_of_type(&mut self, node: Node<'t>, ty: &CType<'t>) -> Failable<Handle<Expr>> {
        let span = self.span(node);
        if let Some(size) = self.scope.size_of(self.unit, ty) {
            return Ok(self.int(size.ty, size.bits().unwrap_or_default(), span));
        }
        match ty {
            CType::Array(inner, Some(length)) => {
                let inner = self.size_of_type(node, inner)?;
                let length = self.array_length(node, *length)?;
                let length = self.convert(length, ScalarType::U64);
                Ok(self.binary(BinaryOp::Mul, length, inner, span))
            }
            _ => match size(self.unit, &self.scope, ty) {
                Some(bytes) => Ok(self.int(ScalarType::U64, bytes, span)),
                None => self.unsupported(node),
            },
        }
    }
}

/// The unary arithmetic operator that C spells `text`.
pub fn unary_operator(text: &str) -> Option<UnaryOp> {
    match text {
        "-" => Some(UnaryOp::Negate),
        "!" => Some(UnaryOp::Not),
        "~" => Some(UnaryOp::Complement),
        _ => None,
    }
}

/// The operator of a compound assignment such as `+=`.
pub fn compound_operator(text: &str) -> Option<BinaryOp> {
    BinaryOp::of_symbol(text.strip_suffix('=')?)
}
