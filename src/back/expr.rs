//! Expressions of the nest as C text, for kernels and for the host.

use crate::ir::{
    Access, BinaryOp, Expr, ExprKind, Function, Handle, Local, Loop, NAN, Nest, Param, ScalarType, UnaryOp,
};

/// How tightly an operator binds, loosest first (C99 6.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Precedence {
    Conditional,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Relation,
    Shift,
    Sum,
    Product,
    Unary,
    Primary,
}

/// The names that a place in the generated text gives to what expressions refer to.
pub trait Scope {
    /// A scalar parameter.
    fn param(&self, param: Handle<Param>) -> String;
    /// A loop variable's value, of the variable's type.
    fn index(&self, l: Handle<Loop>) -> String;
    /// The number of complete iterations of a loop.
    fn iteration(&self, l: Handle<Loop>) -> String;
    /// A scalar that was computed before.
    fn local(&self, local: Handle<Local>) -> String;
    /// An array element.
    fn read(&self, access: Handle<Access>) -> String;
    /// The type's name.
    fn type_name(&self, ty: ScalarType) -> &'static str;
    /// What a scalar holds so far that the host folds.
    fn accumulator(&self, _: usize) -> String {
        unreachable!("folds alone have accumulators")
    }
    /// The text of an expression whose value is there already.
    fn known(&self, _: Handle<Expr>) -> Option<String> {
        None
    }
    /// A call of a function whose arguments are already text.
    fn call(&self, function: Function, ty: ScalarType, arguments: &[String]) -> String;
}

/// `expr` as C text.
pub fn write_expr(nest: &Nest, scope: &dyn Scope, expr: Handle<Expr>) -> String {
    write(nest, scope, expr, Precedence::Conditional)
}

fn write(nest: &Nest, scope: &dyn Scope, expr: Handle<Expr>, at_least: Precedence) -> String {
    let (text, precedence) = write_bare(nest, scope, expr);
    if precedence < at_least { format!("({text})") } else { text }
}

fn write_bare(nest: &Nest, scope: &dyn Scope, expr: Handle<Expr>) -> (String, Precedence) {
    if let Some(text) = scope.known(expr) {
        return (text, Precedence::Primary);
    }
    if let Some((operand, result)) = decided_by_sign(nest, expr) {
        let operand = write(nest, scope, operand, Precedence::Unary);
        return (format!("((void){operand}, {result})"), Precedence::Primary);
    }
    let Expr { ty, kind } = &nest.exprs[expr];
    match kind {
        ExprKind::Binary(op @ (BinaryOp::Div | BinaryOp::Rem), left, right)
            if ty.is_integer() && may_trap(nest, *right) =>
        {
            (total_division(nest, scope, *op, *ty, *left, *right), Precedence::Primary)
        }
        ExprKind::Int(value) => integer(*value, *ty),
        ExprKind::Float(digits) => (float(digits, *ty), Precedence::Primary),
        ExprKind::Index(l) => (scope.index(*l), Precedence::Unary),
        ExprKind::Iteration(l) => (scope.iteration(*l), Precedence::Unary),
        ExprKind::Param(param) => (scope.param(*param), Precedence::Primary),
        ExprKind::Local(local) => (scope.local(*local), Precedence::Primary),
        ExprKind::Read(access) => (scope.read(*access), Precedence::Primary),
        ExprKind::Accumulator(number) => (scope.accumulator(*number), Precedence::Primary),
        ExprKind::Unary(UnaryOp::Not, inner) => {
            (format!("!{}", truth(nest, scope, *inner, Precedence::Unary)), Precedence::Unary)
        }
        ExprKind::Unary(op, inner) => {
            let sign = if *op == UnaryOp::Negate { "-" } else { "~" };
            let operand = write(nest, scope, *inner, Precedence::Unary);
            // `--x` would be another operator.
            let operand = if operand.starts_with('-') { format!("({operand})") } else { operand };
            (format!("{sign}{operand}"), Precedence::Unary)
        }
        ExprKind::Binary(op, left, right) => {
            let own = precedence(*op);
            let symbol = op.symbol();
            let text = if matches!(op, BinaryOp::And | BinaryOp::Or) {
                // Compilers ask for parentheses around `&&` within `||`.
                let inner = if *op == BinaryOp::Or { tighter(Precedence::And) } else { own };
                let (a, b) = (truth(nest, scope, *left, inner), truth(nest, scope, *right, tighter(own).max(inner)));
                format!("{a} {symbol} {b}")
            } else {
                let (left_needs, right_needs) = operand_precedence(own);
                let (a, b) = (write(nest, scope, *left, left_needs), write(nest, scope, *right, right_needs));
                format!("{a} {symbol} {b}")
            };
            (text, own)
        }
        ExprKind::Select(condition, then, otherwise) => {
            let condition = truth(nest, scope, *condition, Precedence::Or);
            let then = write(nest, scope, *then, Precedence::Or);
            let otherwise = write(nest, scope, *otherwise, Precedence::Conditional);
            (format!("{condition} ? {then} : {otherwise}"), Precedence::Conditional)
        }
        ExprKind::Convert(inner) => {
            (format!("({}){}", scope.type_name(*ty), write(nest, scope, *inner, Precedence::Unary)), Precedence::Unary)
        }
        ExprKind::Call(function, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(|a| write_expr(nest, scope, *a)).collect();
            (scope.call(*function, *ty, &arguments), Precedence::Unary)
        }
    }
}

/// Whether a division by this integer may have no result.
fn may_trap(nest: &Nest, divisor: Handle<Expr>) -> bool {
    !matches!(nest.exprs[divisor].kind, ExprKind::Int(value) if value != 0 && value != -1)
}

/// A division that has some result for all operands: generated code divides where the original may not, for a value that
/// is not used then. Processors trap at a divisor of zero, and at the quotient of the least number and -1.
fn total_division(
    nest: &Nest,
    scope: &dyn Scope,
    op: BinaryOp,
    ty: ScalarType,
    left: Handle<Expr>,
    right: Handle<Expr>,
) -> String {
    let (a, b) = (write(nest, scope, left, Precedence::Unary), write(nest, scope, right, Precedence::Unary));
    let division = format!("{a} {} {b}", op.symbol());
    if ty.is_unsigned() {
        return format!("({b} != 0 ? {division} : 0)");
    }
    // A product with -1 is the quotient; compilers warn of comparisons that the range of a narrow divisor decides.
    let (signed, unsigned) = (scope.type_name(ty), scope.type_name(ty.unsigned()));
    let rest = match op {
        BinaryOp::Div => format!("({signed})(({unsigned}){a} * ({unsigned}){b})"),
        _ => "0".into(),
    };
    format!("(({unsigned}){b} + 1u < 2u ? {rest} : {division})")
}

/// The unsigned operand of a comparison with zero that its type decides, and the result. Compilers warn of such tests.
fn decided_by_sign(nest: &Nest, expr: Handle<Expr>) -> Option<(Handle<Expr>, u8)> {
    let ExprKind::Binary(op, left, right) = nest.exprs[expr].kind else { return None };
    let is_zero = |side: Handle<Expr>| matches!(nest.exprs[side].kind, ExprKind::Int(0));
    let is_unsigned = |side: Handle<Expr>| nest.exprs[side].ty.is_unsigned();
    let operand = match op {
        BinaryOp::GreaterEqual | BinaryOp::Less if is_zero(right) => left,
        BinaryOp::LessEqual | BinaryOp::Greater if is_zero(left) => right,
        _ => return None,
    };
    let result = u8::from(matches!(op, BinaryOp::GreaterEqual | BinaryOp::LessEqual));
    is_unsigned(operand).then_some((operand, result))
}

/// An operand of a logical operator; OpenCL C wants integers there.
fn truth(nest: &Nest, scope: &dyn Scope, expr: Handle<Expr>, at_least: Precedence) -> String {
    if nest.exprs[expr].ty.is_float() {
        format!("({} != 0)", write(nest, scope, expr, tighter(Precedence::Equality)))
    } else {
        write(nest, scope, expr, at_least)
    }
}

fn integer(value: i64, ty: ScalarType) -> (String, Precedence) {
    let suffix = match ty {
        ScalarType::U32 => "u",
        ScalarType::I64 => "L",
        ScalarType::U64 => "uL",
        _ => "",
    };
    if value == i64::MIN {
        return (format!("(-{}{suffix} - 1)", i64::MAX), Precedence::Primary);
    }
    let precedence = if value < 0 { Precedence::Unary } else { Precedence::Primary };
    // The magnitude of INT_MIN is no `int`.
    if ty == ScalarType::I32 && value == i64::from(i32::MIN) {
        return ("(-2147483647 - 1)".into(), Precedence::Primary);
    }
    let text = if ty == ScalarType::U64 { format!("{}{suffix}", value as u64) } else { format!("{value}{suffix}") };
    (text, precedence)
}

/// A floating constant always shows that it is one.
fn float(digits: &str, ty: ScalarType) -> String {
    if digits == NAN {
        return if ty == ScalarType::F32 { NAN.into() } else { format!("(({})({NAN}))", ty.c_name()) };
    }
    let is_hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
    let has_point =
        digits.contains('.') || (!is_hexadecimal && digits.contains(['e', 'E'])) || digits.contains(['p', 'P']);
    let point = if has_point { "" } else { ".0" };
    let suffix = if ty == ScalarType::F32 { "f" } else { "" };
    format!("{digits}{point}{suffix}")
}

fn precedence(op: BinaryOp) -> Precedence {
    match op {
        BinaryOp::Or => Precedence::Or,
        BinaryOp::And => Precedence::And,
        BinaryOp::BitOr => Precedence::BitOr,
        BinaryOp::BitXor => Precedence::BitXor,
        BinaryOp::BitAnd => Precedence::BitAnd,
        BinaryOp::Equal | BinaryOp::NotEqual => Precedence::Equality,
        BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => Precedence::Relation,
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => Precedence::Shift,
        BinaryOp::Add | BinaryOp::Sub => Precedence::Sum,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => Precedence::Product,
    }
}

/// What the operands of an operator need: more than the grammar asks for where compilers warn of easy mistakes.
fn operand_precedence(own: Precedence) -> (Precedence, Precedence) {
    match own {
        Precedence::BitOr | Precedence::BitXor | Precedence::BitAnd | Precedence::Shift => {
            (Precedence::Unary, Precedence::Unary)
        }
        Precedence::Equality | Precedence::Relation => (Precedence::Sum, Precedence::Sum),
        other => (other, tighter(other)),
    }
}

/// The next tighter level: what the right operand of a left-associative operator needs.
fn tighter(precedence: Precedence) -> Precedence {
    match precedence {
        Precedence::Conditional => Precedence::Or,
        Precedence::Or => Precedence::And,
        Precedence::And => Precedence::BitOr,
        Precedence::BitOr => Precedence::BitXor,
        Precedence::BitXor => Precedence::BitAnd,
        Precedence::BitAnd => Precedence::Equality,
        Precedence::Equality => Precedence::Relation,
        Precedence::Relation => Precedence::Shift,
        Precedence::Shift => Precedence::Sum,
        Precedence::Sum => Precedence::Product,
        Precedence::Product => Precedence::Unary,
        Precedence::Unary | Precedence::Primary => Precedence::Primary,
    }
}

/// Locals that expressions use when `known` is known, each after those it needs itself.
pub fn locals_of(nest: &Nest, exprs: &[Handle<Expr>], known: Option<Handle<Expr>>) -> Vec<Handle<Local>> {
    fn visit(
        nest: &Nest,
        expr: Handle<Expr>,
        seen: &mut std::collections::HashSet<Handle<Expr>>,
        found: &mut Vec<Handle<Local>>,
    ) {
        if !seen.insert(expr) {
            return;
        }
        match &nest.exprs[expr].kind {
            ExprKind::Local(local) => {
                visit(nest, nest.locals[*local].value, seen, found);
                if !found.contains(local) {
                    found.push(*local);
                }
            }
            kind => kind.operands().into_iter().for_each(|operand| visit(nest, operand, seen, found)),
        }
    }
    let mut found = Vec::new();
    let mut seen = known.into_iter().collect();
    exprs.iter().for_each(|expr| visit(nest, *expr, &mut seen, &mut found));
    found
}
