//! Types and reads expressions.

use tree_sitter::Node;

use super::Failable;
use super::declarations::Symbol;
use super::literals::{char_value, float_literal, integer_literal};
use super::reader::{Binding, PointerValue, Reader, Unknown};
use super::tree::{children, strip_parentheses};
use super::types::{CType, base_type, declared};
use crate::ir::{BinaryOp, Expr, ExprKind, Function, Handle, Param, ParamValue, ScalarType, UnaryOp};
use crate::source::Diagnostic;

/// The value of an expression.
#[derive(Clone, Debug)]
pub enum Value<'t> {
    /// A number.
    Scalar(Handle<Expr>),
    /// A pointer, or an array that decayed to one.
    Pointer(PointerValue<'t>),
}

impl<'t> Reader<'_, '_, 't> {
    /// Reads an expression that must be a number.
    pub fn scalar(&mut self, node: Node<'t>) -> Failable<Handle<Expr>> {
        match self.value(node)? {
            Value::Scalar(expr) => Ok(expr),
            Value::Pointer(_) => {
                self.refuse(node, "pointer-value", "a pointer is used as a number", "use an array element instead")
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
            "subscript_expression" => {
                let base = self.field(node, "argument")?;
                let index = self.field(node, "index")?;
                return self.subscript(node, base, index);
            }
            "pointer_expression" => return self.pointer_expression(node),
            "number_literal" => self.number(node)?,
            "true" => self.int(ScalarType::I32, 1, span),
            "false" => self.int(ScalarType::I32, 0, span),
            "char_literal" => match char_value(self.text(node)) {
                Some(value) => self.int(ScalarType::I32, value, span),
                None => return self.unsupported(node),
            },
            "unary_expression" => self.unary_expression(node)?,
            "binary_expression" => return self.binary_expression(node),
            "conditional_expression" => return self.conditional(node),
            "cast_expression" => return self.cast(node),
            "call_expression" => return self.call_or_cast(node),
            "sizeof_expression" => self.sizeof(node)?,
            "update_expression" => {
                let message = format!("`{}` changes a variable within an expression", self.text(node));
                let help = "compute the element from the loop variables, as in `a[i]`, or change the variable in a statement of its own";
                return self.refuse(node, "assignment-in-expression", message, help);
            }
            "assignment_expression" => {
                let help = "make the assignment a statement of its own before this one";
                return self.refuse(node, "assignment-in-expression", "an assignment is used as a value", help);
            }
            "field_expression" => {
                let help = "copy the member into a local variable before the nest, or use an array of its own";
                return self.refuse(node, "struct-member", "members of structures are not supported in a nest", help);
            }
            _ => return self.unsupported(node),
        };
        Ok(Value::Scalar(expr))
    }

    fn unsupported<T>(&self, node: Node<'t>) -> Failable<T> {
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
        if let Some((value, ty)) = integer_literal(text) {
            return Ok(self.int(ty, value, span));
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
        let (name, span) = (self.text(node), self.span(node));
        let Some(symbol) = self.scope.get(name).cloned() else {
            let message = format!("`{name}` is not declared where the nest can see it");
            return self.refuse(node, "undeclared", message, "declare it before the nest");
        };
        let variable = match symbol {
            Symbol::Constant(value) => {
                let ty = if i32::try_from(value).is_ok() { ScalarType::I32 } else { ScalarType::I64 };
                return Ok(Value::Scalar(self.int(ty, value, span)));
            }
            Symbol::Type(_) => {
                let help = format!("put the operand of the cast into parentheses: `({name})(...)`");
                return self.refuse(node, "unsupported-cast", "this cast is not understood", &help);
            }
            Symbol::Variable(variable) => variable,
        };
        if variable.is_volatile {
            let help = "copy it into a variable that is not volatile before the nest";
            return self.refuse(node, "volatile", format!("`{name}` is volatile"), help);
        }
        match self.bindings.get(name).cloned() {
            Some(Binding::Index(this)) => {
                let ty = self.nest.loops[this].ty;
                return Ok(Value::Scalar(self.expr(ty, ExprKind::Index(this), span)));
            }
            Some(Binding::Scalar(expr)) => return Ok(Value::Scalar(expr)),
            Some(Binding::Pointer(pointer)) => return Ok(Value::Pointer(pointer)),
            Some(Binding::Unknown(why, assigned)) => return Err(self.unknown_value(node, name, why, assigned)),
            None => {}
        }
        match &variable.ty {
            CType::Scalar(ty) => match variable.constant {
                Some(value) => Ok(Value::Scalar(self.int(*ty, value, span))),
                None => Ok(Value::Scalar(self.param(name, *ty, span))),
            },
            CType::Pointer(inner) | CType::Array(inner, _) => {
                self.check_element(node, name, &variable.ty)?;
                let root = self.root(name, &variable.ty, variable.declared_at, span);
                let zero = self.int(ScalarType::I64, 0, span);
                Ok(Value::Pointer(PointerValue { root, subscripts: vec![zero], pointee: (**inner).clone() }))
            }
            CType::Other(ty) => {
                let message = format!("`{name}` has the type `{ty}`, which a nest cannot use");
                self.refuse(node, "unsupported-type", message, "use integer, `float` or `double` scalars and arrays")
            }
        }
    }

    /// The elements must be numbers behind at most one pointer.
    fn check_element(&self, node: Node<'t>, name: &str, ty: &CType<'t>) -> Failable<()> {
        let mut inner = match ty {
            CType::Pointer(inner) | CType::Array(inner, _) => inner,
            _ => return Ok(()),
        };
        while let CType::Array(next, _) = &**inner {
            inner = next;
        }
        match &**inner {
            CType::Scalar(_) => Ok(()),
            CType::Pointer(_) => {
                let message = format!("`{name}` is an array of pointers, so its rows may lie anywhere in memory");
                let help = "use one contiguous array and index it as `a[i*m + j]` or through `double (*a)[m]`";
                self.refuse(node, "pointer-to-pointer", message, help)
            }
            _ => {
                let message = format!("the elements of `{name}` are not numbers");
                self.refuse(node, "unsupported-type", message, "use arrays of integers, `float` or `double`")
            }
        }
    }

    fn unknown_value(
        &self,
        node: Node<'t>,
        name: &str,
        why: Unknown,
        assigned: crate::source::Span,
    ) -> Box<Diagnostic> {
        let (code, message, help) = match why {
            Unknown::Uninitialised => {
                ("uninitialised", format!("`{name}` is read before it has a value"), "give it a value first")
            }
            Unknown::Carried => (
                "scalar-carried",
                format!("`{name}` carries a value from one iteration to the next"),
                "sums and other reductions over points are not supported: compute it outside the nest, or keep it in an \
                 array with one element a point",
            ),
            Unknown::LeftByLoop => (
                "scalar-carried",
                format!("`{name}` is read after the loop that assigns it"),
                "compute it outside the nest, or write the loop's terms in one expression",
            ),
            Unknown::Branch => (
                "pointer-branch",
                format!("what `{name}` points to depends on a condition"),
                "write the two cases as two statements, or swap pointers at the end of the time loop",
            ),
        };
        let diagnostic = Diagnostic::error(code, message, self.span(node)).with_help(help);
        let is_elsewhere = assigned != self.span(node);
        Box::new(if is_elsewhere { diagnostic.with_label(assigned, "assigned here") } else { diagnostic })
    }

    /// The parameter for the variable `name`.
    pub fn param(&mut self, name: &str, ty: ScalarType, span: crate::source::Span) -> Handle<Expr> {
        let known = self.nest.params.iter().find(|(_, param)| param.name == name).map(|(handle, _)| handle);
        let handle = known.unwrap_or_else(|| {
            self.nest.params.push(Param { name: name.to_owned(), ty, value: ParamValue::Variable }, span)
        });
        self.expr(ty, ExprKind::Param(handle), span)
    }

    fn unary_expression(&mut self, node: Node<'t>) -> Failable<Handle<Expr>> {
        let operator = self.field(node, "operator")?;
        let operand = self.field(node, "argument")?;
        let operand = self.scalar(operand)?;
        let span = self.span(node);
        Ok(match self.text(operator) {
            "-" => self.unary(UnaryOp::Negate, operand, span),
            "!" => self.unary(UnaryOp::Not, operand, span),
            "~" if self.ty(operand).is_integer() => self.unary(UnaryOp::Complement, operand, span),
            "+" => self.convert(operand, self.ty(operand).promoted()),
            _ => return self.unsupported(node),
        })
    }

    fn binary_expression(&mut self, node: Node<'t>) -> Failable<Value<'t>> {
        let operator = self.field(node, "operator")?;
        let Some(op) = binary_operator(self.text(operator)) else { return self.unsupported(node) };
        let (left_node, right_node) = (self.field(node, "left")?, self.field(node, "right")?);
        let left = self.value(left_node)?;
        if let (BinaryOp::And | BinaryOp::Or, Value::Scalar(left)) = (op, &left) {
            return self.short_circuit(node, op, *left, right_node).map(Value::Scalar);
        }
        let right = self.value(right_node)?;
        let span = self.span(node);
        match (left, right) {
            (Value::Scalar(left), Value::Scalar(right)) => self.arithmetic(node, op, left, right).map(Value::Scalar),
            (Value::Pointer(pointer), Value::Scalar(index)) if op == BinaryOp::Add => {
                Ok(Value::Pointer(self.moved(pointer, index, span)))
            }
            (Value::Scalar(index), Value::Pointer(pointer)) if op == BinaryOp::Add => {
                Ok(Value::Pointer(self.moved(pointer, index, span)))
            }
            (Value::Pointer(pointer), Value::Scalar(index)) if op == BinaryOp::Sub => {
                let index = self.convert(index, ScalarType::I64);
                let index = self.unary(UnaryOp::Negate, index, span);
                Ok(Value::Pointer(self.moved(pointer, index, span)))
            }
            _ => self.refuse(node, "pointer-value", "pointers are compared or subtracted", "use indices instead"),
        }
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
        let left = self.truth(left);
        let span = self.span(node);
        let condition = if op == BinaryOp::And { left } else { self.unary(UnaryOp::Not, left, span) };
        let right = self.under(condition, |reader| reader.scalar(right))?;
        let right = self.truth(right);
        Ok(self.binary(op, left, right, span))
    }

    fn conditional(&mut self, node: Node<'t>) -> Failable<Value<'t>> {
        let condition = self.field(node, "condition")?;
        let (then, otherwise) = (self.field(node, "consequence")?, self.field(node, "alternative")?);
        let span = self.span(node);
        let condition = self.scalar(condition)?;
        let condition = self.truth(condition);
        if let Some(value) = self.constant(condition) {
            let chosen = self.value(if value != 0 { then } else { otherwise })?;
            return Ok(chosen);
        }
        let opposite = self.unary(UnaryOp::Not, condition, span);
        let then = self.under(condition, |reader| reader.scalar(then))?;
        let otherwise = self.under(opposite, |reader| reader.scalar(otherwise))?;
        let common = self.ty(then).common(self.ty(otherwise));
        let (then, otherwise) = (self.convert(then, common), self.convert(otherwise, common));
        Ok(Value::Scalar(self.expr(common, ExprKind::Select(condition, then, otherwise), span)))
    }

    fn cast(&mut self, node: Node<'t>) -> Failable<Value<'t>> {
        let (ty, operand) = (self.field(node, "type")?, self.field(node, "value")?);
        let target = self.type_name(ty);
        match (self.value(operand)?, target) {
            (Value::Scalar(expr), CType::Scalar(ty)) => Ok(Value::Scalar(self.convert(expr, ty))),
            (Value::Pointer(pointer), CType::Pointer(pointee))
                if *pointee == pointer.pointee || matches!(&*pointee, CType::Other(name) if name == "void") =>
            {
                Ok(Value::Pointer(pointer))
            }
            _ => self.refuse(
                node,
                "unsupported-cast",
                "a nest cannot look at memory through another type",
                "cast the pointer before the nest and use the new pointer for every access",
            ),
        }
    }

    fn type_name(&self, node: Node<'t>) -> CType<'t> {
        let base = base_type(self.unit, &self.scope, node);
        match node.child_by_field_name("declarator") {
            Some(declarator) => declared(self.unit, declarator, base).1,
            None => base,
        }
    }

    /// `(real)(x)` looks like a call to the grammar.
    fn call_or_cast(&mut self, node: Node<'t>) -> Failable<Value<'t>> {
        let (function, arguments) = (self.field(node, "function")?, self.field(node, "arguments")?);
        let name = strip_parentheses(function);
        let Some(Symbol::Type(ty)) = self.scope.get(self.text(name)).cloned() else {
            return self.call(node).map(Value::Scalar);
        };
        match (ty, children(arguments).as_slice()) {
            (CType::Scalar(ty), [argument]) => {
                let value = self.scalar(*argument)?;
                Ok(Value::Scalar(self.convert(value, ty)))
            }
            _ => self.unsupported(node),
        }
    }

    fn call(&mut self, node: Node<'t>) -> Failable<Handle<Expr>> {
        let (function, arguments) = (self.field(node, "function")?, self.field(node, "arguments")?);
        let name = self.text(function);
        if let Some(ty) = infinity(name) {
            return Ok(self.infinity(ty, node));
        }
        let Some((function, ty)) = library_function(name) else {
            let message = format!("the function `{name}` cannot be called in a nest");
            let help = "write its body as a macro or in place; functions of math.h are known";
            return self.refuse(node, "unknown-function", message, help);
        };
        let arguments = children(arguments);
        if arguments.len() != function.arity() {
            let message = format!("`{name}` takes {} argument(s)", function.arity());
            return self.refuse(node, "syntax", message, "call it as math.h declares it");
        }
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let value = self.scalar(argument)?;
            values.push(self.convert(value, ty));
        }
        let span = self.span(node);
        Ok(self.expr(ty, ExprKind::Call(function, values), span))
    }

    /// One divided by zero, which every OpenCL compiler takes.
    fn infinity(&mut self, ty: ScalarType, node: Node<'t>) -> Handle<Expr> {
        let span = self.span(node);
        let one = self.expr(ty, ExprKind::Float("1.0".into()), span);
        let zero = self.expr(ty, ExprKind::Float("0.0".into()), span);
        self.binary(BinaryOp::Div, one, zero, span)
    }

    fn sizeof(&mut self, node: Node<'t>) -> Failable<Handle<Expr>> {
        let ty = match (node.child_by_field_name("type"), node.child_by_field_name("value")) {
            (Some(ty), _) => Some(self.type_name(ty)),
            (None, Some(value)) => self.static_type(value),
            (None, None) => None,
        };
        match ty {
            Some(ty) => self.size_of_type(node, &ty),
            None => self.unsupported(node),
        }
    }

    /// The type of an expression of names, subscripts and dereferences, which is not evaluated.
    fn static_type(&self, node: Node<'t>) -> Option<CType<'t>> {
        match node.kind() {
            "parenthesized_expression" => self.static_type(*children(node).first()?),
            "identifier" => match self.scope.get(self.text(node))? {
                Symbol::Variable(variable) => Some(variable.ty.clone()),
                Symbol::Type(ty) => Some(ty.clone()),
                Symbol::Constant(_) => Some(CType::Scalar(ScalarType::I32)),
            },
            "subscript_expression" | "pointer_expression" => {
                let is_address =
                    node.child_by_field_name("operator").is_some_and(|operator| self.text(operator) == "&");
                match self.static_type(node.child_by_field_name("argument")?)? {
                    CType::Pointer(inner) | CType::Array(inner, _) if !is_address => Some(*inner),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn size_of_type(&mut self, node: Node<'t>, ty: &CType<'t>) -> Failable<Handle<Expr>> {
        let span = self.span(node);
        match ty {
            CType::Scalar(ty) => Ok(self.int(ScalarType::U64, ty.size() as i64, span)),
            CType::Pointer(_) => Ok(self.int(ScalarType::U64, 8, span)),
            CType::Array(inner, Some(size)) => {
                let inner = self.size_of_type(node, inner)?;
                let size = self.scalar(*size)?;
                let size = self.convert(size, ScalarType::U64);
                Ok(self.binary(BinaryOp::Mul, size, inner, span))
            }
            _ => self.unsupported(node),
        }
    }
}

fn binary_operator(text: &str) -> Option<BinaryOp> {
    use BinaryOp::*;
    const ALL: [BinaryOp; 18] = [
        Add,
        Sub,
        Mul,
        Div,
        Rem,
        ShiftLeft,
        ShiftRight,
        BitAnd,
        BitOr,
        BitXor,
        Less,
        LessEqual,
        Greater,
        GreaterEqual,
        Equal,
        NotEqual,
        And,
        Or,
    ];
    ALL.into_iter().find(|op| op.symbol() == text)
}

/// The operator of a compound assignment such as `+=`.
pub fn compound_operator(text: &str) -> Option<BinaryOp> {
    binary_operator(text.strip_suffix('=')?)
}

/// The type of what `INFINITY`, `HUGE_VAL` and `HUGE_VALF` expand to.
fn infinity(name: &str) -> Option<ScalarType> {
    match name {
        "__builtin_inf" | "__builtin_huge_val" => Some(ScalarType::F64),
        "__builtin_inff" | "__builtin_huge_valf" => Some(ScalarType::F32),
        _ => None,
    }
}

/// The function that C calls `name`, and the type of its arguments and result.
fn library_function(name: &str) -> Option<(Function, ScalarType)> {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    match name {
        "abs" => return Some((Function::Abs, ScalarType::I32)),
        "labs" | "llabs" => return Some((Function::Abs, ScalarType::I64)),
        _ => {}
    }
    if let Some(function) = Function::from_name(name) {
        return Some((function, ScalarType::F64));
    }
    let function = Function::from_name(name.strip_suffix('f')?)?;
    (function != Function::Abs).then_some((function, ScalarType::F32))
}
