//! Expressions, conditions and elements, with no more parentheses than C's grammar needs.

use super::super::model::{Condition, Expr, Program, Reference, Slot, Subscript};
use super::nest::write_bound;
use super::{FIELDS, PLACES, SCALARS, SIZES, extents};

/// How strongly an expression holds together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    /// Operators that compilers want in parentheses, `?:` and comparisons.
    Loose,
    Sum,
    Product,
    Unary,
}

pub fn write_expr(program: &Program, expr: &Expr) -> String {
    write_within(program, expr, Precedence::Loose)
}

/// `expr`, in parentheses if it holds together less than `least`.
fn write_within(program: &Program, expr: &Expr, least: Precedence) -> String {
    let (text, precedence) = write_open(program, expr);
    if precedence < least { format!("({text})") } else { text }
}

fn write_open(program: &Program, expr: &Expr) -> (String, Precedence) {
    match expr {
        Expr::Read(reference) => (write_reference(program, reference), Precedence::Unary),
        Expr::Real(tenths) if *tenths < 0 => (format!("-{}", write_tenths(-tenths)), Precedence::Sum),
        Expr::Real(tenths) => (write_tenths(*tenths), Precedence::Unary),
        Expr::Integer(value) => (value.to_string(), if *value < 0 { Precedence::Sum } else { Precedence::Unary }),
        Expr::Scalar(index) => (SCALARS[*index].to_string(), Precedence::Unary),
        Expr::Step => ("t".to_string(), Precedence::Unary),
        Expr::Place(axis) => (PLACES[*axis].to_string(), Precedence::Unary),
        Expr::Binary(op, left, right) => write_binary(program, op, left, right),
        Expr::Negate(inner) => (format!("-{}", write_within(program, inner, Precedence::Unary)), Precedence::Sum),
        Expr::Call(name, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(|argument| write_expr(program, argument)).collect();
            (format!("{name}({})", arguments.join(", ")), Precedence::Unary)
        }
        Expr::Select(condition, then, otherwise) => {
            let part = |expr| write_within(program, expr, Precedence::Sum);
            let condition = write_condition(program, condition);
            (format!("{condition} ? {} : {}", part(then), part(otherwise)), Precedence::Loose)
        }
        Expr::Cast(element, inner) => {
            (format!("({}){}", element.names().0, write_within(program, inner, Precedence::Unary)), Precedence::Unary)
        }
    }
}

/// `0.3`, or in another spelling of the same kind of constant.
fn write_tenths(tenths: i64) -> String {
    match tenths % 4 {
        1 => format!("{tenths}e-1"),
        2 => format!("0x{tenths:x}p-3"),
        3 => format!("{}.{}f", tenths / 10, tenths % 10),
        _ => format!("{}.{}", tenths / 10, tenths % 10),
    }
}

fn write_binary(program: &Program, op: &str, left: &Expr, right: &Expr) -> (String, Precedence) {
    let (own, of_left, of_right) = match op {
        "+" => (Precedence::Sum, Precedence::Sum, Precedence::Product),
        "-" => (Precedence::Sum, Precedence::Sum, Precedence::Product),
        "*" | "/" | "%" => (Precedence::Product, Precedence::Product, Precedence::Unary),
        _ => (Precedence::Loose, Precedence::Unary, Precedence::Unary),
    };
    let left = write_within(program, left, of_left);
    let right = write_within(program, right, of_right);
    (format!("{left} {op} {right}"), own)
}

pub fn write_condition(program: &Program, condition: &Condition) -> String {
    match condition {
        Condition::Place { axis, op, bound } => format!("{} {op} {}", PLACES[*axis], write_bound(*axis, *bound)),
        Condition::Parity { axes, remainder } => {
            let places: Vec<&str> = axes.iter().map(|axis| PLACES[*axis]).collect();
            format!("({}) % 2 == {remainder}", places.join(" + "))
        }
        Condition::StepModulo { modulus, remainder } => format!("t % {modulus} == {remainder}"),
        Condition::StepFrom(step) => format!("t >= {step}"),
        Condition::Data(left, op, right) => {
            let part = |expr| write_within(program, expr, Precedence::Sum);
            format!("{} {op} {}", part(left), part(right))
        }
        Condition::Both(a, b) => format!("{} && {}", write_condition(program, a), write_condition(program, b)),
    }
}

/// `a[i][j - 1]`, or `a[i * m + j - 1]` in one of its spellings.
pub fn write_reference(program: &Program, reference: &Reference) -> String {
    let field = &program.fields[reference.field];
    let name = FIELDS[reference.field];
    let slot = (field.slots > 1).then(|| write_slot(reference, field.slots));
    let subscripts = reference.subscripts.iter().map(|subscript| write_subscript(*subscript, reference.spelling));
    let subscripts: Vec<String> = slot.into_iter().chain(subscripts).collect();
    if field.form.is_flat() {
        return write_flat(name, &subscripts, &extents(field), reference.spelling);
    }
    write_array(name, &subscripts, reference.spelling)
}

fn write_array(name: &str, subscripts: &[String], spelling: u8) -> String {
    let (last, outer) = subscripts.split_last().expect("an array has a dimension");
    let outer: String = outer.iter().map(|subscript| format!("[{subscript}]")).collect();
    match spelling % 6 {
        4 => format!("*({name}{outer} + {last})"),
        5 => format!("({name}{outer})[({last})]"),
        _ => format!("{name}{outer}[{last}]"),
    }
}

fn write_flat(name: &str, subscripts: &[String], extents: &[String], spelling: u8) -> String {
    let index = match spelling % 6 {
        1 => expanded(subscripts, extents),
        2 => expanded_backwards(subscripts, extents),
        5 => format!("(long)({})", nested(subscripts, extents)),
        _ => nested(subscripts, extents),
    };
    if spelling % 6 == 4 { format!("*({name} + {index})") } else { format!("{name}[{index}]") }
}

/// `(i * m + j) * p + k`
fn nested(subscripts: &[String], extents: &[String]) -> String {
    let first = factor(&subscripts[0]);
    let rest = subscripts[1..].iter().zip(&extents[1..]);
    let (text, _) = rest.fold((first, true), |(text, is_factor), (subscript, extent)| {
        let text = if is_factor { text } else { format!("({text})") };
        (format!("{text} * {} + {subscript}", factor(extent)), false)
    });
    if subscripts.len() == 1 { subscripts[0].clone() } else { text }
}

/// The terms of a sum: `i * m * p`, `j * p`, `k`.
fn terms(subscripts: &[String], extents: &[String]) -> Vec<String> {
    let term = |(d, subscript): (usize, &String)| {
        if d + 1 == subscripts.len() {
            return subscript.clone();
        }
        let widths: Vec<String> = extents[d + 1..].iter().map(|extent| factor(extent)).collect();
        format!("{} * {}", factor(subscript), widths.join(" * "))
    };
    subscripts.iter().enumerate().map(term).collect()
}

fn expanded(subscripts: &[String], extents: &[String]) -> String {
    terms(subscripts, extents).join(" + ")
}

fn expanded_backwards(subscripts: &[String], extents: &[String]) -> String {
    let mut terms = terms(subscripts, extents);
    terms.reverse();
    terms.join(" + ")
}

/// A sum in parentheses, a single name as it is.
fn factor(text: &str) -> String {
    if text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        text.to_string()
    } else {
        format!("({text})")
    }
}

fn write_slot(reference: &Reference, slots: usize) -> String {
    match (reference.slot, reference.spelling % 3) {
        (Slot::Fixed(slot), _) => slot.to_string(),
        (Slot::Step(0), 1) if slots == 2 => "(t & 1)".to_string(),
        (Slot::Step(0), _) => format!("t % {slots}"),
        (Slot::Step(1), 1) if slots == 2 => "1 - t % 2".to_string(),
        (Slot::Step(1), 2) if slots == 2 => "((t + 1) & 1)".to_string(),
        (Slot::Step(shift), _) => format!("(t + {shift}) % {slots}"),
    }
}

/// `2 * i + 1`, `n - 1`, `n - 1 - i`
fn write_subscript(subscript: Subscript, spelling: u8) -> String {
    let place = PLACES[subscript.axis];
    let mut text = match (subscript.size, subscript.scale) {
        (0, 0) => return subscript.offset.to_string(),
        (0, 1) if spelling % 5 == 3 && subscript.offset > 0 => return format!("{} + {place}", subscript.offset),
        (0, 1) => place.to_string(),
        (0, scale) => format!("{scale} * {place}"),
        (_, 0) => SIZES[subscript.axis].to_string(),
        _ => format!("{} - {place}", SIZES[subscript.axis]),
    };
    match subscript.offset {
        0 => {}
        offset if offset < 0 => text += &format!(" - {}", -offset),
        offset => text += &format!(" + {offset}"),
    }
    text
}
