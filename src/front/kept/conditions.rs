//! Steps that conditions compute, as in `while (sweep(u, v) > tol)` and `if ((change = sweep(u, v)) < tol) break;`, and those of whose
//! values statements make more, see [`super::made_of_steps`].
//!
//! Nothing can be put around the former, and a nest folds into variables alone. Where it is computed before all else, such a step can
//! stand in a statement of its own before what is made of its value, see [`crate::rewrite::steps_apart`].

use tree_sitter::Node;

use super::program::{Program, Trust};
use crate::front::file_tree::FileTree;
use crate::front::tree::{Unit, children, declared_identifier, fields, loop_at, mentions, nodes_in, strip_parentheses};
use crate::front::types::CType;
use crate::source::Span;

/// What names begin with that are put into the file.
pub const OWN_NAMES: &str = "stencil_value_";

/// A step that a condition computes, or of whose value a statement makes more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepInCondition {
    /// The marked loop.
    pub marked: Span,
    /// The call, or the assignment of what it returns.
    pub step: Span,
    /// What is before it: from the word `if` or `while` on, from the operator `&&`, or from where the statement begins.
    pub before: Span,
    /// The variable that gets what the call returns; none: the condition gets it, and it has this type.
    pub value: Result<String, String>,
    /// Where the condition stands.
    pub stands: Condition,
    /// Whether it does no more than fold scalars.
    pub only_folds: bool,
    /// Others behind it that do, too, of whose values the statement makes something with its own.
    pub more: Vec<NextStep>,
}

/// A step behind another one in the same statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextStep {
    /// What is between them.
    pub before: Span,
    /// The call.
    pub step: Span,
    /// The type of what it returns.
    pub ty: String,
}

impl StepInCondition {
    /// Whether it stands in no condition.
    pub const fn is_in_statement(&self) -> bool {
        matches!(self.stands, Condition::Statement { .. })
    }
}

/// Where a condition with a step stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// In an `if`.
    If {
        /// It.
        whole: Span,
        /// Whether no braces are around it.
        is_alone: bool,
    },
    /// In the head of a loop, from the beginning of its condition on.
    Head {
        /// The loop.
        whole: Span,
        /// The parenthesis that closes the condition.
        end: usize,
        /// What is repeated.
        body: Body,
    },
    /// Behind `&&` there.
    Rest {
        /// Where the condition ends.
        end: usize,
        /// What follows in a `for`: `; t++)`
        update: Option<Span>,
        /// What is repeated.
        body: Body,
    },
    /// In no condition, but in a statement alone.
    Statement {
        /// The statement.
        whole: Span,
        /// Whether no braces are around it.
        is_alone: bool,
    },
    /// At the end of `do { ... } while (...)`.
    Tail {
        /// The brace that closes the body.
        brace: usize,
        /// The parenthesis that closes the condition.
        end: usize,
    },
}

/// What a loop repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// Statements behind this brace.
    Braced(usize),
    /// One statement, which ends here.
    Alone(usize),
}

/// The steps in conditions of marked loops, those of one loop in order.
pub fn steps_in_conditions(unit: &Unit, root: Node) -> Vec<StepInCondition> {
    if unit.text.contains(OWN_NAMES) {
        return Vec::new();
    }
    let program = Program::new(unit, &FileTree::new(root), Trust::Sound);
    let outer = (0..unit.pragmas.len()).filter_map(|index| loop_at(root, unit.start_behind_pragma(index)));
    let search = |outer| {
        let find = |folds| {
            let mut finder = Finder { program: &program, root, marked: unit.span(outer), folds, found: Vec::new() };
            finder.visit_loop(outer);
            finder.found
        };
        let mut found = find(false);
        let is_other = |fold: &StepInCondition| found.iter().all(|it| it.before.start != fold.before.start);
        let folds: Vec<StepInCondition> = find(true).into_iter().filter(is_other).collect();
        found.extend(folds.into_iter().filter(|it| it.only_folds));
        found
    };
    outer.flat_map(search).collect()
}

/// Looks for steps in a marked loop.
pub struct Finder<'a, 'p, 's, 't> {
    /// The program.
    pub program: &'a Program<'p, 's, 't>,
    /// The whole text's tree.
    pub root: Node<'t>,
    marked: Span,
    /// Whether functions count that only fold, too.
    pub folds: bool,
    found: Vec<StepInCondition>,
}

impl<'t> Finder<'_, '_, '_, 't> {
    fn visit_loop(&mut self, node: Node<'t>) {
        let found = match node.kind() {
            "do_statement" => self.tail(node),
            _ => self.head(node),
        };
        self.found.extend(found);
        let Some(body) = node.child_by_field_name("body") else { return };
        let statements = if body.kind() == "compound_statement" { children(body) } else { vec![body] };
        for statement in statements {
            if !self.computes(statement) {
                continue;
            }
            match statement.kind() {
                "if_statement" => {
                    let found = self.condition(statement, statement == body);
                    self.found.extend(found);
                }
                "for_statement" | "while_statement" | "do_statement" => self.visit_loop(statement),
                "expression_statement" | "declaration" => {
                    let is_alone = statement == body;
                    let found = self.statement(statement, is_alone).or_else(|| self.folds_of(statement, is_alone));
                    self.found.extend(found);
                }
                _ => {}
            }
        }
    }

    /// Whether code sweeps, or folds if that counts.
    pub fn computes(&self, code: Node<'t>) -> bool {
        self.program.sweeps(code) || self.folds && self.program.folds(code)
    }

    fn condition(&self, node: Node<'t>, is_alone: bool) -> Option<StepInCondition> {
        let condition = node.child_by_field_name("condition").filter(|it| self.computes(*it))?;
        let (step, value) = self.leading(condition)?;
        self.found_at((node, step), value, Condition::If { whole: self.span(node), is_alone })
    }

    fn head(&self, node: Node<'t>) -> Option<StepInCondition> {
        let condition = node.child_by_field_name("condition").filter(|it| self.computes(*it))?;
        let body = node.child_by_field_name("body")?;
        let place = match body.kind() {
            "compound_statement" => Body::Braced(self.byte(body.start_byte(), b'{')?),
            _ => Body::Alone(self.span(body).end),
        };
        let is_for = node.kind() == "for_statement";
        let end = if is_for { self.span(condition).end } else { self.byte(condition.end_byte() - 1, b')')? };
        if let Some((operator, rest)) = self.last_operands(strip_parentheses_once(condition)) {
            let (step, value) = self.leading(rest)?;
            let update = node.child_by_field_name("update").filter(|_| is_for);
            let update = update.map(|it| self.program.unit.span_between(condition.end_byte(), it.end_byte() + 1));
            let is_whole = !is_for || update.is_some_and(|it| it.start == end && self.is_update(it));
            return self
                .found_at((operator, step), value, Condition::Rest { end, update, body: place })
                .filter(|_| is_whole);
        }
        let (step, value) = self.leading(condition).filter(|_| !is_for)?;
        self.found_at((node, step), value, Condition::Head { whole: self.span(node), end, body: place })
    }

    fn tail(&self, node: Node<'t>) -> Option<StepInCondition> {
        let condition = node.child_by_field_name("condition").filter(|it| self.computes(*it))?;
        let body = node.child_by_field_name("body").filter(|it| it.kind() == "compound_statement" && !goes_on(*it))?;
        let mut declared = children(body).into_iter().flat_map(|it| fields(it, "declarator"));
        let is_hidden = declared.any(|it| self.may_be_meant(it, condition));
        let (step, value) = self.leading(condition).filter(|_| !is_hidden)?;
        let word = children_with_words(node).into_iter().find(|it| it.kind() == "while")?;
        let (brace, end) = (self.byte(body.end_byte() - 1, b'}')?, self.byte(condition.end_byte() - 1, b')')?);
        self.found_at((word, step), value, Condition::Tail { brace, end })
    }

    /// Whether a condition has the name that something declares.
    fn may_be_meant(&self, declarator: Node<'t>, condition: Node<'t>) -> bool {
        let name = declared_identifier(declarator).map(|name| self.program.text(name));
        name.is_none_or(|name| mentions(self.program.unit, condition, name))
    }

    /// Whether this is `; t++)` on one line.
    fn is_update(&self, span: Span) -> bool {
        let text = self.program.unit.source.bytes().get(span.start..span.end).unwrap_or_default();
        text.trim_ascii_start().starts_with(b";") && text.ends_with(b")") && !text.contains(&b'\n')
    }

    /// The step that an expression computes before all else, and what gets its value.
    pub fn leading(&self, node: Node<'t>) -> Option<(Node<'t>, Result<String, String>)> {
        let node = strip_parentheses(node);
        match node.kind() {
            "call_expression" => self.call(node),
            "assignment_expression" => {
                let [place, value] = ["left", "right"].map(|side| node.child_by_field_name(side));
                let is_plain = node.child_by_field_name("operator").is_some_and(|it| self.program.text(it) == "=");
                let place = place.filter(|it| is_plain && matches!(it.kind(), "identifier" | "field_expression"))?;
                let is_call = strip_parentheses(value?).kind() == "call_expression";
                is_call.then(|| (node, Ok(self.program.text(place).to_owned())))
            }
            "unary_expression" => self.leading(node.child_by_field_name("argument")?),
            "cast_expression" => self.leading(node.child_by_field_name("value")?),
            "binary_expression" | "comma_expression" => {
                let [first, second] = ["left", "right"].map(|side| node.child_by_field_name(side));
                let (first, second) = (first?, second?);
                if self.is_fixed(first) && !is_in_order(self.program, node) {
                    return self.leading(second);
                }
                self.leading(first).filter(|_| !self.computes(second))
            }
            _ => None,
        }
    }

    /// A call of a function that sweeps, or of one that is given what such a function returns, and else what does not change.
    fn call(&self, node: Node<'t>) -> Option<(Node<'t>, Result<String, String>)> {
        let name = self.program.called(node)?;
        let arguments = node.child_by_field_name("arguments").map(children).unwrap_or_default();
        let (sweeping, others): (Vec<_>, Vec<_>) = arguments.into_iter().partition(|it| self.computes(*it));
        if let [argument] = sweeping[..] {
            let scope = self.program.scope_at(node);
            let is_function = scope.variable(name).is_none_or(|it| matches!(it.ty, CType::Function(_)));
            return self.leading(argument).filter(|_| is_function && others.iter().all(|it| self.is_fixed(*it)));
        }
        let definition = self.program.definition(name).filter(|_| sweeping.is_empty())?;
        let ty = self.program.text(definition.child_by_field_name("type")?);
        let returns = definition.child_by_field_name("declarator")?.kind() == "function_declarator" && ty != "void";
        returns.then(|| (node, Err(ty.to_owned())))
    }

    /// Of operands of `&&` the operator before the first one that computes, which is not the first, and that operand.
    fn last_operands(&self, node: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
        let operator = node.child_by_field_name("operator").filter(|_| node.kind() == "binary_expression")?;
        let [left, right] = ["left", "right"].map(|side| node.child_by_field_name(side));
        let (left, right) = (left?, right?);
        match self.program.text(operator) {
            "&&" if self.computes(left) && !self.computes(right) => self.last_operands(left),
            "&&" if !self.computes(left) => Some((operator, right)),
            _ => None,
        }
    }

    /// A step behind `from`, if the user's file has all that is before it as it is read, and itself.
    pub fn found_at(
        &self,
        (from, step): (Node<'t>, Node<'t>),
        value: Result<String, String>,
        stands: Condition,
    ) -> Option<StepInCondition> {
        let unit = self.program.unit;
        let span = self.span(step);
        let start = unit.span_between(from.start_byte(), from.start_byte() + 1).start;
        let before = span.at(start, span.start.max(start));
        let text = |span: Span| unit.source.bytes().get(span.start..span.end);
        let blanks = |bytes: &[u8]| bytes.iter().copied().filter(|it| !it.is_ascii_whitespace()).collect::<Vec<u8>>();
        let read = &unit.text.as_bytes()[from.start_byte()..step.start_byte()];
        let is_alike = unit.file_at(from.start_byte()).is_none()
            && blanks(text(before)?) == blanks(read)
            && !text(before)?.contains(&b'\n')
            && !text(before)?.windows(2).any(|two| two == b"*/")
            && text(span)?.ends_with(b")");
        let only_folds = !self.program.sweeps(step);
        let (marked, more) = (self.marked, Vec::new());
        is_alike.then_some(StepInCondition { marked, step: span, before, value, stands, only_folds, more })
    }

    /// Where a node stands in the user's file.
    pub fn span(&self, node: Node) -> Span {
        self.program.unit.span(node)
    }

    /// Where a byte of the text stands in the user's file, if it is this one there, too.
    fn byte(&self, offset: usize, byte: u8) -> Option<usize> {
        let place = self.program.unit.span_between(offset, offset + 1);
        let is_there = place.end > place.start && self.program.unit.source.bytes().get(place.end - 1) == Some(&byte);
        is_there.then_some(place.start)
    }
}

/// Whether an operator's first operand decides whether the second is computed, or stands before it for what it does.
fn is_in_order(program: &Program, node: Node) -> bool {
    let operator = node.child_by_field_name("operator").map(|it| program.text(it));
    operator.is_none_or(|operator| matches!(operator, "&&" | "||"))
}

/// The condition in the parentheses of a head.
fn strip_parentheses_once(node: Node) -> Node {
    if node.kind() == "parenthesized_expression" { node.named_child(0).unwrap_or(node) } else { node }
}

/// Whether a loop's body goes on with the next iteration somewhere.
fn goes_on(body: Node) -> bool {
    nodes_in(body).any(|node| node.kind() == "continue_statement")
}

fn children_with_words(node: Node) -> Vec<Node> {
    (0..node.child_count()).filter_map(|index| node.child(index)).collect()
}

#[cfg(test)]
mod tests {
    use super::Condition;
    use crate::front::tests::steps_in_conditions;
    use crate::source::Span;

    /// The steps that are found in a marked loop, with what is before them and what gets their values.
    fn found(code: &str) -> Vec<(String, String, Result<String, String>)> {
        let before = "double fabs(double); double limit(void); int show(char *, ...); static int count; static double table[9]; \
                      struct t { double x, *y, *z; int k, m; }; static struct t s, *p; static int *held = &s.m;\nstatic double f(int n, double *a) { double s = 0; for (int i = 0; i < n; i++) { a[i] = i; s += a[i]; } return s; }\n\
                      static double g(struct t *q) { for (int i = 0; i < 9; i++) q->z[i] = q->k; count++; return *q->z; }\n\
                      static double h(struct t *q) { for (int i = 0; i < 9; i++) q->z[i] = count; return *q->z; }\n";
        let text = format!("{before}void run(int n, double *a, double d)\n{{\n#pragma stencil\n{code}\n}}\n");
        let written = |span: Span| text[span.start..span.end].to_owned();
        let steps = steps_in_conditions(&text).into_iter();
        steps.map(|it| (written(it.before), written(it.step), it.value)).collect()
    }

    #[test]
    fn what_is_computed_first_is_found() {
        let own = || Err("double".to_owned());
        for (code, before, step, value) in [
            ("while (f(n, a) > d) n--;", "while (", "f(n, a)", own()),
            ("while (!((d = f(n, a)) > 1)) n--;", "while (!((", "d = f(n, a)", Ok("d".to_owned())),
            ("while (n > 3 && f(n, a) > d) n--;", "&& ", "f(n, a)", own()),
            ("while (d < f(n, a)) n--;", "while (d < ", "f(n, a)", own()),
            ("for (;;) if (1e-3 > fabs(f(n, a))) break;", "if (1e-3 > fabs(", "f(n, a)", own()),
            ("for (int i = 0; i < n && fabs(f(n, a)) > d; i++) d++;", "&& fabs(", "f(n, a)", own()),
            ("do { n--; } while ((int)f(n, a) > d);", "while ((int)", "f(n, a)", own()),
            ("for (;;) { if (f(n, a) < d || n < 3) break; n--; }", "if (", "f(n, a)", own()),
        ] {
            assert_eq!(found(code), [(before.to_owned(), step.to_owned(), value)], "{code}");
        }
    }

    #[test]
    fn elements_get_what_is_computed_where_they_stay_the_same() {
        for (code, before, step) in [
            ("for (int i = 0; i < 9; i++) a[i + 1] = f(n, a);", "a[i + 1] = ", "f(n, a)"),
            (
                "for (int i = 0; i < 9; i++) { a[2 * n] = (float)(2 * f(n, a)) / n; }",
                "a[2 * n] = (float)(2 * ",
                "f(n, a)",
            ),
        ] {
            assert_eq!(found(code), [(before.to_owned(), step.to_owned(), Err("double".to_owned()))], "{code}");
        }
        for code in [
            "for (int i = 0; i < 9; i++) a[i] += f(n, a);",
            "for (int i = 0; i < 9; i++) a[(int)a[0]] = f(n, a);",
            "for (int *p = &n; n < 9; n++) a[n] = f(*p, a);",
            "for (int i = 0; i < 9; i++) a[i] = f(n, a) + f(n + 1, a);",
            "for (int i = 0; i < 9; i++) a[i] = limit() + f(n, a);",
        ] {
            assert_eq!(found(code), [], "{code}");
        }
    }

    #[test]
    fn statements_make_more_of_what_is_computed() {
        for (code, before) in [
            ("d = fabs(f(n, a) / n);", "d = fabs("),
            ("d += 2 * f(n, a);", "d += 2 * "),
            ("double e = fabs(f(n, a));", "double e = fabs("),
            ("show(\"%d\", n, f(n, a));", "show(\"%d\", n, "),
            ("a[n++] = f(3, a);", "a[n++] = "),
            ("s.x = -f(n, a);", "s.x = -"),
            ("p->x = -f(n, a);", "p->x = -"),
            ("*p->y = -f(n, a);", "*p->y = -"),
            ("p->y[s.k] = f(n, a);", "p->y[s.k] = "),
            ("d = g(p) / n;", "d = "),
            ("s.x = -g(&s);", "s.x = -"),
        ] {
            let steps = found(&format!("for (int i = 0; i < 9; i++) {{ {code} }}"));
            assert_eq!(steps.into_iter().map(|it| it.0).collect::<Vec<_>>(), [before], "{code}");
        }
        for code in [
            "d = f(n, a);",
            "double e = f(n, a);",
            "count += 2 * f(n, a);",
            "show(\"%g\", count, f(n, a));",
            "show(\"%g\", *a, f(n, a));",
            "show(\"%g\", limit(), f(n, a));",
            "s.x += 2 * f(n, a);",
            "s.y[p->k] = g(p);",
            "s.y[s.k++] = g(p);",
            "table[count] = -g(p);",
            "table[count++] = -h(p);",
            "p->z[s.m] = f(n, a);",
            "double e = 2 * f(n, &e);",
        ] {
            assert_eq!(found(&format!("for (int i = 0; i < 9; i++) {{ {code} }}")), [], "{code}");
        }
    }

    #[test]
    fn what_may_not_be_computed_or_later_is_not() {
        for code in [
            "while (limit() < f(n, a)) n--;",
            "while (*a < f(n, a)) n--;",
            "while (n > 3 || f(n, a) > d) n--;",
            "do { if (n == 7) continue; n--; } while (f(n, a) > d);",
            "for (int i = 0; f(n, a) > d; i++) d++;",
            "while (f(n, a) > f(n - 1, a)) n--;",
            "while (limit() > d) n--;",
        ] {
            assert_eq!(found(code), [], "{code}");
        }
    }

    #[test]
    fn alone_is_what_no_braces_are_around() {
        let text = "static int f(double *a) { for (int i = 0; i < 9; i++) a[i] = i; return 1; }\nvoid g(double *a)\n{\n#pragma stencil\nfor (;;) if (f(a)) break;\n}\n";
        let stands = steps_in_conditions(text).remove(0).stands;
        assert!(matches!(stands, Condition::If { is_alone: true, .. }), "{stands:?}");
    }
}
