//! Where in an expression a call can stand so that it is made only if what needs it is computed.
//!
//! Of `t % 100 == 0 && save(u, n)` the right operand alone needs arrays, in one step of a hundred:
//!
//! ```c
//! if (t % 100 == 0 && (legacy_stencil_1_sync(), save(u, n)))
//! ```

use tree_sitter::Node;

use crate::front::tree::{Unit, children, strip_parentheses};
use crate::source::{Span, tokens};

/// How a statement or an expression stands before which calls are put.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stands {
    /// A statement among others in braces.
    #[default]
    InBlock,
    /// The only statement of an `if` or a loop.
    Alone,
    /// An operand of `&&`, `||` or `?:`.
    AsOperand,
}

/// The smallest operand within the condition of an `if`, or within a statement that is an expression, in which all is that `needs`
/// says, if it may be passed by, and its place in the user's file.
pub fn operand_in<'t>(unit: &Unit, statement: Node<'t>, needs: &impl Fn(Node<'t>) -> bool) -> Option<(Node<'t>, Span)> {
    let expression = match statement.kind() {
        "if_statement" => statement.child_by_field_name("condition")?,
        "expression_statement" => children(statement).first().copied()?,
        _ => return None,
    };
    let operand = smallest(unit, expression, needs)?;
    Some((operand, written(unit, operand, &OPERATORS)?))
}

/// What may stand before an operand that may be passed by,
const OPERATORS: [&str; 4] = ["&&", "||", "?", ":"];
/// and what before the condition of a loop.
const OPENING: [&str; 2] = ["(", ";"];

/// The same in the condition of a loop, all of which it may be: nothing can be put before that.
pub fn operand_of_head<'t>(
    unit: &Unit,
    condition: Node<'t>,
    needs: &impl Fn(Node<'t>) -> bool,
) -> Option<(Node<'t>, Span)> {
    let part = smallest(unit, condition, needs).and_then(|it| Some((it, written(unit, it, &OPERATORS)?)));
    let whole = strip_parentheses(condition);
    part.or_else(|| Some((whole, written(unit, whole, &OPENING)?)))
}

fn smallest<'t>(unit: &Unit, node: Node<'t>, needs: &impl Fn(Node<'t>) -> bool) -> Option<Node<'t>> {
    let node = strip_parentheses(node);
    let is_within = matches!(
        node.kind(),
        "binary_expression" | "unary_expression" | "conditional_expression" | "assignment_expression"
    );
    let parts = if is_within { children(node) } else { Vec::new() };
    let mut needing = parts.iter().filter(|part| needs(**part));
    let (part, None) = (needing.next()?, needing.next()) else { return None };
    let is_passed_by = Some(part) != parts.first()
        && match node.kind() {
            "conditional_expression" => true,
            _ => node.child_by_field_name("operator").is_some_and(|it| matches!(unit.text(it), "&&" | "||")),
        };
    smallest(unit, *part, needs).or(is_passed_by.then_some(*part))
}

/// The place of an operand in the user's file, if it stands there behind one of these and between the operators between which it is
/// read, and what stands before and behind it is not made by the same macro.
fn written(unit: &Unit, operand: Node, leading: &[&str]) -> Option<Span> {
    let span = unit.file_at(operand.start_byte()).is_none().then(|| unit.span(operand))?;
    let before = unit.text[..operand.start_byte()].trim_end().len().checked_sub(1)?;
    let behind = unit.text.len() - unit.text[operand.end_byte()..].trim_start().len();
    let is_apart = unit.span_between(before, before + 1).end <= span.start
        && unit.span_between(behind, behind + 1).start >= span.end;
    let bytes = unit.source.bytes();
    let (left, right) = (bytes[..span.start].trim_ascii_end(), bytes[span.end..].trim_ascii_start());
    let begins = leading.iter().any(|it| left.ends_with(it.as_bytes()));
    let ends = ["&&", "||", ":", ")", ";"].iter().any(|operator| right.starts_with(operator.as_bytes()));
    (is_apart && begins && ends && is_balanced(bytes, span)).then_some(span)
}

/// Whether each parenthesis is closed where it is opened.
fn is_balanced(bytes: &[u8], span: Span) -> bool {
    let mut depth = 0;
    let never_closes = tokens(bytes, span).into_iter().all(|token| {
        let word = &bytes[token.start..token.end];
        depth += i32::from(word == b"(") - i32::from(word == b")");
        depth >= 0
    });
    never_closes && depth == 0
}

#[cfg(test)]
mod tests {
    use super::Stands;
    use crate::front::tests::{function, places};

    /// The texts before which something is put, and how they stand.
    fn put_before(before: &str, code: &str) -> Vec<(String, Stands)> {
        let sweeps = "for (int i = 1; i < n - 1; i++) b[i] = a[i - 1]; for (int i = 1; i < n - 1; i++) a[i] = b[i];";
        let body = format!("int k = 0;\n#pragma stencil\nwhile (k < n) {{ k += 1 + k % 2;\n{sweeps}\n{code}\n}}");
        let text = before.to_owned() + &function("int n, double *a, double *b", &body);
        let written = |place: &crate::front::Place| text[place.span.start..place.span.end].to_owned();
        places(&text).iter().map(|place| (written(place), place.stands)).collect()
    }

    #[test]
    fn operands_that_may_be_passed_by_wait() {
        let before = "#define DUE(k, x) ((k) % 3 == 0 && (x) > 1)\n#define FIRST a[0]\n#define TWICE(x) (x + x)\nvoid save(double *);\n";
        for (code, expected) in [
            ("if (k % 9 == 0 && a[1] > 0) k++;", "a[1] > 0"),
            ("if (!(k % 9 == 0 && (k > 5 && a[1] > 0))) k++;", "a[1] > 0"),
            ("if (k > 5 || a[1] > a[2]) k++;", "a[1] > a[2]"),
            ("if (k % 9 ? k > 3 : a[n - 1] < 2) k++;", "a[n - 1] < 2"),
            ("k += k % 9 == 0 && a[1] > 0;", "a[1] > 0"),
            ("k % 9 == 0 && a[FIRST > 2] > 0 && k++;", "a[FIRST > 2] > 0"),
            ("if (k % 9 == 0 && FIRST > 0) k++;", "FIRST > 0"),
            ("if (k % 9 == 0 && FIRST) k++;", "FIRST"),
            ("if (k % 9 == 0 && 2 * TWICE(a[1]) > k) k++;", "2 * TWICE(a[1]) > k"),
            ("if (k == 3 && 2 < TWICE(a[1])) k++;", "2 < TWICE(a[1])"),
        ] {
            assert_eq!(put_before(before, code), [(expected.to_owned(), Stands::AsOperand)], "{code}");
        }
        for code in ["if (a[1] > 0 && k > 2) k++;", "if (k == 1 && a[1] > 0 || a[2] > 1) k++;"] {
            assert_eq!(put_before(before, code), [(code.to_owned(), Stands::InBlock)], "{code}");
        }
    }

    #[test]
    fn what_macros_hide_is_needed_before_the_statement() {
        let before = "#define DUE(k, x) ((k) % 3 == 0 && (x) > 1)\n#define EITHER a[1] > 2 || k == 7\n#define AND(x) && x\n\
            #define TWICE(x) (x + x)\n#define IF(c, x) if (c && x)\n#define OR(x, y) x || y\n";
        for code in [
            "if (DUE(k, a[1])) k++;",
            "if (k == 3 && EITHER) k++;",
            "if (k == 3 AND(a[1] > 2)) k++;",
            "if (k == 3 && TWICE(a[1]) > 2) k++;",
            "if (OR(k == 3, a[1] > 2) && k) k++;",
            "IF(k == 3, a[1] > 2) k++;",
        ] {
            assert_eq!(put_before(before, code), [(code.to_owned(), Stands::InBlock)], "{code}");
        }
    }
}
