//! Comparisons of a scalar that the host makes between steps, read from its own text: `sqrt(err / (n * m)) > tol`.
//!
//! What is compared grows with the scalar or falls with it, also as computed: square roots, and products and quotients with a
//! number, are rounded correctly, so they keep the order. So a comparison that comes out alike for two values of the scalar does for
//! all between them. The numbers do not change while the loop runs; the call of a step brings them.

use std::ops::Range;

use tree_sitter::Node;

use super::values::{Around, is_declared_once};
use crate::front::declarations::has_word;
use crate::front::headers::assignments;
use crate::front::tree::{ancestors, children, fields, is_loop, nodes_in, strip_parentheses};
use crate::ir::{BinaryOp, ScalarType};

/// Words of types whose values `double` holds, or which C converts to it beside one.
const NUMBERS: &[&str] = &["double", "float", "char", "short", "int", "long", "signed", "unsigned", "size_t"];

/// Functions that tell whether a value is a number and finite, as headers write them.
const NUMBER_TESTS: &[&str] =
    &["isnan", "isinf", "isfinite", "__builtin_isnan", "__builtin_isinf", "__builtin_isinf_sign", "__builtin_isfinite"];

/// The largest finite `double`, and the smallest.
const LARGEST: &str = "1.7976931348623157e308";
const SMALLEST: &str = "-1.7976931348623157e308";

/// Types have names of names so deep.
const MAX_NAMES: usize = 8;

/// A comparison, the scalar on its left.
#[derive(Clone, Debug)]
pub struct Written {
    /// What is made of the scalar, the innermost first.
    pub operations: Vec<Operation>,
    /// The relation.
    pub op: BinaryOp,
    /// What that is compared with.
    pub with: Number,
}

/// What is made of a value.
#[derive(Clone, Debug)]
pub enum Operation {
    /// `double`
    Widened,
    /// The square root, in the value's own type.
    Root,
    /// A product of two of type `double`.
    Times(Number),
    /// A quotient of two of type `double`.
    Over(Number),
}

/// A number of type `double` that does not change while the loop runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Number {
    /// A constant, by its digits.
    Digits(String),
    /// What a C expression comes to where the call of the step stands.
    Text(String),
}

impl<'p, 't> Around<'_, 'p, '_, 't> {
    /// All comparisons of a scalar in the host's code, and where they stand.
    pub fn comparisons(&self, name: &str, ty: ScalarType) -> Vec<(Range<usize>, Written)> {
        let mut found = Vec::new();
        self.walk_host(&mut |node| {
            let written =
                self.comparison(node, name, ty).map(|it| vec![it]).or_else(|| self.number_test(node, name, ty));
            let is_none = written.is_none();
            found.extend(written.into_iter().flatten().map(|written| (node.byte_range(), written)));
            is_none
        });
        found
    }

    fn comparison(&self, node: Node<'t>, name: &str, ty: ScalarType) -> Option<Written> {
        let (left, op, right) = self.binary(node)?;
        let op = match op {
            "<" => BinaryOp::Less,
            "<=" => BinaryOp::LessEqual,
            ">" => BinaryOp::Greater,
            ">=" => BinaryOp::GreaterEqual,
            _ => return None,
        };
        let read = |side, number, op| {
            let (mut operations, ty) = self.operations(side, name, ty)?;
            widen(&mut operations, ty);
            // Beside a `float` C rounds an integer to one.
            let is_kept = ty == ScalarType::F64 || self.is_real(number);
            Some(Written { operations, op, with: self.number(number).filter(|_| is_kept)? })
        };
        read(left, right, op).or_else(|| read(right, left, op.turned()))
    }

    /// `isnan(x)` and the like, where `x` is made of the scalar: the comparisons that tell whether it is a finite number.
    fn number_test(&self, node: Node<'t>, name: &str, ty: ScalarType) -> Option<Vec<Written>> {
        let function = self.program.called(node).filter(|it| !self.program.defines(it))?;
        let [argument] = children(node.child_by_field_name("arguments")?)[..] else { return None };
        let (mut operations, ty) = self.operations(argument, name, ty).filter(|_| NUMBER_TESTS.contains(&function))?;
        widen(&mut operations, ty);
        let compared = |op, largest: &str| {
            let with = Number::Digits(largest.to_owned());
            Written { operations: operations.clone(), op, with }
        };
        Some(vec![compared(BinaryOp::LessEqual, LARGEST), compared(BinaryOp::GreaterEqual, SMALLEST)])
    }

    fn binary(&self, node: Node<'t>) -> Option<(Node<'t>, &'p str, Node<'t>)> {
        let part = |name| node.child_by_field_name(name).filter(|_| node.kind() == "binary_expression");
        Some((part("left")?, self.program.text(part("operator")?), part("right")?))
    }

    /// What an expression makes of the scalar, and the type that this has.
    fn operations(&self, node: Node<'t>, name: &str, ty: ScalarType) -> Option<(Vec<Operation>, ScalarType)> {
        let node = strip_parentheses(node);
        match node.kind() {
            "identifier" => (self.program.text(node) == name).then(|| (Vec::new(), ty)),
            "call_expression" => {
                let function = self.program.called(node).filter(|it| !self.program.defines(it))?;
                let [argument] = children(node.child_by_field_name("arguments")?)[..] else { return None };
                let (mut operations, ty) = self.operations(argument, name, ty)?;
                match (function, ty) {
                    ("sqrt", _) => widen(&mut operations, ty),
                    ("sqrtf", ScalarType::F32) => {}
                    _ => return None,
                }
                operations.push(Operation::Root);
                Some((operations, if function == "sqrt" { ScalarType::F64 } else { ty }))
            }
            "cast_expression" => {
                let is_double = node.child_by_field_name("type").is_some_and(|it| self.program.text(it) == "double");
                let (mut operations, ty) = self.operations(node.child_by_field_name("value")?, name, ty)?;
                widen(&mut operations, ty);
                is_double.then_some((operations, ScalarType::F64))
            }
            _ => {
                let (left, op, right) = self.binary(node)?;
                let made = |side, number, operation: fn(Number) -> Operation| {
                    let (mut operations, ty) = self.operations(side, name, ty)?;
                    operations.push(operation(self.number(number)?));
                    (ty == ScalarType::F64).then_some((operations, ty))
                };
                match op {
                    "*" => made(left, right, Operation::Times).or_else(|| made(right, left, Operation::Times)),
                    "/" => made(left, right, Operation::Over),
                    _ => None,
                }
            }
        }
    }

    /// A number that does not change while the loop runs, and that has a value whenever the step is called.
    fn number(&self, node: Node<'t>) -> Option<Number> {
        let node = strip_parentheses(node);
        let text = self.program.text(node);
        let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit() || b".e+-E".contains(&byte));
        match node.kind() {
            "number_literal" if is_decimal && text.contains(['.', 'e', 'E']) => Some(Number::Digits(text.to_owned())),
            "number_literal" if is_decimal && text.len() < 10 && (text == "0" || !text.starts_with('0')) => {
                Some(Number::Digits(format!("{text}.0")))
            }
            _ => self.is_fixed(node).then(|| Number::Text(text.to_owned())),
        }
    }

    /// Whether a number has a floating type, or is a small constant.
    fn is_real(&self, node: Node<'t>) -> bool {
        let node = strip_parentheses(node);
        let text = self.program.text(node);
        let part = |name| node.child_by_field_name(name).is_some_and(|it| self.is_real(it));
        match node.kind() {
            "number_literal" => text.contains(['.', 'p']) || text.len() < 8,
            "identifier" => {
                let ty = self.type_of(text).unwrap_or_default();
                self.is_number(ty, &["double", "float"], 0)
            }
            "unary_expression" => part("argument"),
            "cast_expression" => {
                matches!(node.child_by_field_name("type").map(|it| self.program.text(it)), Some("double" | "float"))
            }
            _ => part("left") || part("right"),
        }
    }

    fn is_fixed(&self, node: Node<'t>) -> bool {
        let node = strip_parentheses(node);
        match node.kind() {
            "number_literal" => !is_long_double(self.program.text(node)),
            "identifier" => self.is_fixed_variable(self.program.text(node)),
            "unary_expression" => {
                let is_sign = node.child_by_field_name("operator").is_some_and(|it| self.program.text(it) == "-");
                is_sign && node.child_by_field_name("argument").is_some_and(|it| self.is_fixed(it))
            }
            "cast_expression" => {
                let is_number = node
                    .child_by_field_name("type")
                    .is_some_and(|it| self.is_number(self.program.text(it), NUMBERS, 0));
                is_number && node.child_by_field_name("value").is_some_and(|it| self.is_fixed(it))
            }
            _ => self.binary(node).is_some_and(|(left, op, right)| {
                let has_value = matches!(op, "+" | "-" | "*") || op == "/" && is_not_zero(self.program.text(right));
                has_value && self.is_fixed(left) && self.is_fixed(right)
            }),
        }
    }

    /// Whether a name is a variable of the function's own, a number, that the loop leaves alone.
    fn is_fixed_variable(&self, name: &str) -> bool {
        let unit = self.program.unit;
        let declared_at = || Some(self.program.scope_at(self.outer).variable(name)?.declared_at);
        declared_at().is_some_and(|it| !unit.takes_address_of(self.root, name, it))
            && assignments(unit, self.outer, name, None) == 0
            && self.type_of(name).is_some_and(|ty| self.is_number(ty, NUMBERS, 0))
    }

    /// The type of a variable of the function's own that has one declaration.
    fn type_of(&self, name: &str) -> Option<&'p str> {
        let around = ancestors(self.root, self.outer);
        let function = around.iter().copied().find(|it| it.kind() == "function_definition")?;
        let declaration = self.declaration(function, name)?;
        let is_parameter = declaration.kind() == "parameter_declaration";
        let is_seen = is_parameter || declaration.parent().is_some_and(|it| around.contains(&it));
        let is_volatile = has_word(self.program.unit, declaration, "type_qualifier", "volatile");
        let is_known = is_declared_once(self.program, function, self.outer, name) && is_seen && !is_volatile;
        declaration.child_by_field_name("type").filter(|_| is_known).map(|ty| self.program.text(ty))
    }

    /// The declaration of a variable that is no array, pointer or function.
    fn declaration(&self, function: Node<'t>, name: &str) -> Option<Node<'t>> {
        let is_it = |declarator: Node| {
            let inner = declarator.child_by_field_name("declarator").filter(|_| declarator.kind() == "init_declarator");
            let inner = inner.unwrap_or(declarator);
            inner.kind() == "identifier" && self.program.text(inner) == name
        };
        let declarations = |node: &Node| matches!(node.kind(), "declaration" | "parameter_declaration");
        nodes_in(function).filter(declarations).find(|node| fields(*node, "declarator").into_iter().any(is_it))
    }

    /// Whether a type is one of such numbers, or a name of one.
    fn is_number(&self, ty: &str, numbers: &[&str], depth: usize) -> bool {
        let words: Vec<&str> = ty.split_whitespace().filter(|word| *word != "const").collect();
        let is_long_double = words.contains(&"long") && words.contains(&"double");
        if !words.is_empty() && words.iter().all(|word| numbers.contains(word)) {
            return !is_long_double;
        }
        let [name] = words[..] else { return false };
        let is_it = |it: &Node| it.kind() == "type_identifier" && self.program.text(*it) == name;
        let meanings = children(self.root).into_iter().filter(|it| it.kind() == "type_definition");
        let meanings: Vec<Node> = meanings.filter(|it| fields(*it, "declarator").iter().any(is_it)).collect();
        let [meaning] = meanings[..] else { return false };
        let meaning = meaning.child_by_field_name("type").map(|it| self.program.text(it));
        meaning.is_some_and(|meaning| depth < MAX_NAMES && self.is_number(meaning, numbers, depth + 1))
    }
}

fn widen(operations: &mut Vec<Operation>, ty: ScalarType) {
    if ty == ScalarType::F32 {
        operations.push(Operation::Widened);
    }
}

/// Whether a constant's digits are not all zeros.
fn is_not_zero(literal: &str) -> bool {
    let digits = literal.split(['e', 'E']).next().unwrap_or_default();
    let is_decimal = digits.bytes().all(|it| it.is_ascii_digit() || it == b'.');
    is_decimal && digits.contains(|it: char| ('1'..='9').contains(&it))
}

/// Whether a constant has a suffix that makes it longer than `double`, or that is none of C's.
fn is_long_double(literal: &str) -> bool {
    let is_hexadecimal = literal.starts_with("0x") || literal.starts_with("0X");
    let is_real = literal.contains('.') || literal.contains(if is_hexadecimal { ['p', 'P'] } else { ['e', 'E'] });
    let suffixes: &[char] = if is_real { &['f', 'F'] } else { &['u', 'U', 'l', 'L'] };
    let known = |it: char| it.is_ascii_hexdigit() || ".+-pPxX".contains(it) || suffixes.contains(&it);
    !literal.chars().all(known)
}

/// Whether what is around a name may be evaluated without it.
fn may_pass_by(around: Node, name: Node) -> bool {
    let is_in =
        |part: &str| around.child_by_field_name(part).is_some_and(|it| it.byte_range().contains(&name.start_byte()));
    match around.kind() {
        "if_statement" | "conditional_expression" => !is_in("condition"),
        "binary_expression" => is_in("right") && around.child(1).is_some_and(|it| matches!(it.kind(), "&&" | "||")),
        _ => false,
    }
}

/// Whether each step comes by a use of a scalar outside comparisons.
pub fn escapes_in_each_step(around: &Around, name: &str, compared: &[Range<usize>]) -> bool {
    let innermost =
        ancestors(around.outer, around.step.statements[0]).into_iter().find(|it| is_loop(*it)).unwrap_or(around.outer);
    let mut found = false;
    around.walk_host(&mut |node| {
        if node.kind() == "identifier" && around.program.text(node) == name {
            let near = ancestors(around.outer, node).into_iter().take_while(|it| !around.step.is_in(*it));
            let is_sure = !near.into_iter().any(|it| may_pass_by(it, node));
            found |= is_sure && innermost.byte_range().contains(&node.start_byte());
        }
        !found && !compared.contains(&node.byte_range())
    });
    found
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read_marked};

    /// The comparisons that are read of a loop with this head and this code behind its step.
    fn comparisons(head: &str, code: &str) -> Vec<String> {
        let text = format!(
            "double err = 9, other = 0; float f = 9; int k = 0; double tol = 0.1; const long double wide = 1;
            #pragma stencil\nwhile ({head}) {{ k++; err = 0; f = 0;
            for (int i = 1; i < n; i++) {{ b[i] = a[i - 1]; err += b[i] * b[i]; f += fabsf(b[i]); }}
            for (int i = 1; i < n; i++) a[i] = b[i];
            {code} }}\nprintf(\"%g %g\", err, f);"
        );
        let text = format!("#include <stdio.h>\n{}", function("int n, double *a, double *b", &text));
        let mut marked = read_marked(&text, &[]).remove(0).expect("it is accepted");
        marked.bound_folds();
        marked.nest.to_string().lines().filter_map(|line| line.strip_prefix("compare ")).map(str::to_owned).collect()
    }

    #[test]
    fn what_grows_with_a_sum_is_compared() {
        assert_eq!(comparisons("err > 1e-6 && k < n", ""), ["err > 1e-6"]);
        assert_eq!(comparisons("!(0 >= err)", ""), ["err <= 0.0"]);
        assert_eq!(comparisons("sqrt(err / (n * n)) > tol", ""), ["sqrt((err / limit_n)) > limit_tol"]);
        assert_eq!(comparisons("k < n", "if (2 * err < -tol) break;"), ["(err * 2.0) < limit_tol"]);
        assert_eq!(comparisons("sqrtf(f) > 2", ""), ["(double)sqrt(f) > 2.0"]);
        assert_eq!(comparisons("f > tol * n", ""), ["(double)f > limit_tol"]);
    }

    #[test]
    fn all_else_needs_the_sum_itself() {
        for (head, code) in [
            ("err > k", ""),
            ("err > wide", ""),
            ("err != 0", ""),
            ("err > 1e-6L", ""),
            ("err > 0.1", "printf(\"%g\", other + err);"),
            ("err > tol", "tol *= 2;"),
            ("f / 3 > 1", ""),
            ("f > n", ""),
            ("f > 16777217", ""),
            ("fabs(err) > 1", ""),
            ("err > 0.1", "printf(\"%g\", err);"),
        ] {
            assert_eq!(comparisons(head, code), [""; 0], "{head} {code}");
        }
        assert_eq!(comparisons("err > 0.1", "if (k % 5 == 0) printf(\"%g\", err);").len(), 1);
    }
}
