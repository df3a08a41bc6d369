//! Expressions, conditions and elements, with no more parentheses than C's grammar needs.

use super::super::model::{Condition, Expr, Reference, Subscript, Wall};
use super::super::ways::{Packing, Parts};
use super::PLACES;
use super::carried;
use super::loops::write_bound;
use super::scope::Scope;
use super::turns::write_slot;
use super::walls::write_walled;

/// How strongly an expression holds together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    /// Operators that compilers want in parentheses, `?:` and comparisons.
    Loose,
    Sum,
    Product,
    Unary,
}

pub fn write_expr(scope: &Scope, expr: &Expr) -> String {
    write_within(scope, expr, Precedence::Loose)
}

/// `expr`, in parentheses if it holds together less than `least`.
fn write_within(scope: &Scope, expr: &Expr, least: Precedence) -> String {
    let (text, precedence) = write_open(scope, expr);
    if precedence < least { format!("({text})") } else { text }
}

fn write_open(scope: &Scope, expr: &Expr) -> (String, Precedence) {
    match expr {
        Expr::Read(reference) => (write_read(scope, reference), Precedence::Unary),
        Expr::Real(tenths) if *tenths < 0 => (format!("-{}", write_tenths(-tenths)), Precedence::Sum),
        Expr::Real(tenths) => (write_tenths(*tenths), Precedence::Unary),
        Expr::Integer(value) => (value.to_string(), if *value < 0 { Precedence::Sum } else { Precedence::Unary }),
        Expr::Scalar(index) => (scope.scalar(*index), Precedence::Unary),
        Expr::Step => ("t".to_string(), Precedence::Unary),
        Expr::Place(axis) => (PLACES[*axis].to_string(), Precedence::Unary),
        Expr::Binary(op, left, right) => write_binary(scope, op, left, right),
        Expr::Negate(inner) => (format!("-{}", write_within(scope, inner, Precedence::Unary)), Precedence::Sum),
        Expr::Call(name, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(|argument| write_expr(scope, argument)).collect();
            (format!("{name}({})", arguments.join(", ")), Precedence::Unary)
        }
        Expr::Select(condition, then, otherwise) => {
            let part = |expr| write_within(scope, expr, Precedence::Sum);
            let condition = write_condition(scope, condition);
            (format!("{condition} ? {} : {}", part(then), part(otherwise)), Precedence::Loose)
        }
        Expr::Total(total) => (format!("total{}", total.number), Precedence::Unary),
        Expr::Fold(fold) => (scope.fold(*fold), Precedence::Unary),
        Expr::Cast(element, inner) => {
            (format!("({}){}", element.names().0, write_within(scope, inner, Precedence::Unary)), Precedence::Unary)
        }
    }
}

/// An element, or the scalar that has it.
fn write_read(scope: &Scope, reference: &Reference) -> String {
    let is_carried = scope.carried.as_ref().is_some_and(|carried| carried.is(reference));
    if is_carried { carried::NAME.to_string() } else { write_reference(scope, reference) }
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

fn write_binary(scope: &Scope, op: &str, left: &Expr, right: &Expr) -> (String, Precedence) {
    let (own, of_left, of_right) = match op {
        "+" => (Precedence::Sum, Precedence::Sum, Precedence::Product),
        "-" => (Precedence::Sum, Precedence::Sum, Precedence::Product),
        "*" | "/" | "%" => (Precedence::Product, Precedence::Product, Precedence::Unary),
        _ => (Precedence::Loose, Precedence::Unary, Precedence::Unary),
    };
    let left = write_within(scope, left, of_left);
    let right = write_within(scope, right, of_right);
    (format!("{left} {op} {right}"), own)
}

pub fn write_condition(scope: &Scope, condition: &Condition) -> String {
    match condition {
        Condition::Place { axis, op, bound } => format!("{} {op} {}", PLACES[*axis], write_bound(scope, *axis, *bound)),
        Condition::Parity { axes, remainder } => {
            let places: Vec<&str> = axes.iter().map(|axis| PLACES[*axis]).collect();
            format!("({}) % 2 == {remainder}", places.join(" + "))
        }
        Condition::StepModulo { modulus, remainder } => format!("t % {modulus} == {remainder}"),
        Condition::StepFrom(step) => format!("t >= {step}"),
        Condition::StepIs(step) => format!("t == {step}"),
        Condition::Data(left, op, right) => {
            let part = |expr| write_within(scope, expr, Precedence::Sum);
            format!("{} {op} {}", part(left), part(right))
        }
        Condition::Both(a, b) => format!("{} && {}", write_condition(scope, a), write_condition(scope, b)),
    }
}

/// `a[i][j - 1]`, or `a[i * m + j - 1]` in one of its spellings.
pub fn write_reference(scope: &Scope, reference: &Reference) -> String {
    let subscripts: Vec<String> =
        write_subscripts(scope, reference).into_iter().chain(last_part(scope, reference)).collect();
    write_element(scope, reference.field, &subscripts, reference.spelling)
}

/// The subscript behind those of the dimensions, where elements are arrays of parts.
fn last_part(scope: &Scope, reference: &Reference) -> Option<String> {
    let packing = scope.program.fields[reference.field].packing.filter(|packing| packing.kind == Parts::Last);
    packing.map(|packing| packing.part.to_string())
}

/// The subscripts of a field's slot, if it has several, and of its dimensions.
pub fn write_subscripts(scope: &Scope, reference: &Reference) -> Vec<String> {
    let field = &scope.program.fields[reference.field];
    let slot = (field.slots > 1).then(|| write_slot(scope, reference.slot, field.slots, reference.spelling));
    let subscripts =
        reference.subscripts.iter().map(|subscript| write_subscript(scope, *subscript, reference.spelling));
    slot.into_iter().chain(subscripts).collect()
}

/// The element that a reference names where the loop variable in one of its subscripts has the value `place`.
pub fn write_element_at(scope: &Scope, reference: &Reference, dimension: usize, place: &str) -> String {
    let slots = usize::from(scope.program.fields[reference.field].slots > 1);
    let mut subscripts = write_subscripts(scope, reference);
    subscripts[slots + dimension] = match reference.subscripts[dimension].offset {
        0 => place.to_string(),
        offset if offset < 0 => format!("{place} - {}", -offset),
        offset => format!("{place} + {offset}"),
    };
    subscripts.extend(last_part(scope, reference));
    write_element(scope, reference.field, &subscripts, 0)
}

/// The element of a field with these subscripts, those of slots and parts included.
pub fn write_element(scope: &Scope, field: usize, subscripts: &[String], spelling: u8) -> String {
    let (name, extents) = (&scope.field(field), scope.extents(field));
    let field = &scope.program.fields[field];
    let element = if field.form.is_flat() {
        write_flat(name, subscripts, &extents, spelling)
    } else {
        write_array(name, subscripts, spelling)
    };
    match field.packing {
        Some(packing) => write_part(&element, packing),
        None => element,
    }
}

/// `a[i].p1`, `(*(a + i)).part[1]`
fn write_part(element: &str, packing: Packing) -> String {
    let is_bare = element.starts_with('*') && packing.kind != Parts::Last;
    let element = if is_bare { format!("({element})") } else { element.to_string() };
    match packing.kind {
        Parts::Last => element,
        Parts::Members => format!("{element}.p{}", packing.part),
        Parts::Listed => format!("{element}.part[{}]", packing.part),
    }
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

/// A sum in parentheses, a name or a member as it is.
fn factor(text: &str) -> String {
    if text.replace("->", ".").bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.".contains(&byte)) {
        text.to_string()
    } else {
        format!("({text})")
    }
}

/// `i + s - 2` in a loop over `s` that begins at 0, `i + s` in one that begins at the first place.
fn write_in_run(place: &str, first: i64) -> String {
    match first {
        0 => format!("{place} + s"),
        first if first < 0 => format!("{place} + s - {}", -first),
        first => format!("{place} + s + {first}"),
    }
}

/// `2 * i + 1`, `n - 1`, `n - 1 - i`
fn write_subscript(scope: &Scope, subscript: Subscript, spelling: u8) -> String {
    let place = PLACES[subscript.axis];
    if let Some((axis, first)) = scope.run
        && axis == subscript.axis
    {
        return write_in_run(place, first);
    }
    let mut text = match (subscript.size, subscript.scale) {
        (0, 0) => return subscript.offset.to_string(),
        (0, 1) if spelling % 5 == 3 && subscript.offset > 0 && subscript.wall == Wall::Open => {
            return format!("{} + {place}", subscript.offset);
        }
        (0, 1) => place.to_string(),
        (0, scale) => format!("{scale} * {place}"),
        (_, 0) => scope.size(subscript.axis),
        _ => format!("{} - {place}", scope.size(subscript.axis)),
    };
    match subscript.offset {
        0 => {}
        offset if offset < 0 => text += &format!(" - {}", -offset),
        offset => text += &format!(" + {offset}"),
    }
    if subscript.wall == Wall::Open || subscript.offset == 0 {
        return text;
    }
    write_walled(scope, subscript, &text, spelling)
}
