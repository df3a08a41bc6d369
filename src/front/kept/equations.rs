//! Equations between numbers that hold wherever an iteration of a kept loop begins.
//!
//! Of `int now = 0, next = 1; for (...) { sweep from u[now] to u[next]; print(t); now = next; next = 1 - now; }` each call of a step
//! brings `now` and `next`, and nothing in the step tells that they differ. But the last assignment to `next` is made in each iteration,
//! what it reads is not changed until the next step, and before the loop the two are so, too. So the nest is read with
//! `next = 1 - now;` before its sweeps, which changes nothing. Of two numbers that each iteration exchanges, as in
//! `tmp = now; now = next; next = tmp;`, and nothing else changes, the sum stays what it is before the loop.

use tree_sitter::Node;

use super::program::Program;
use super::step::Step;
use crate::front::before::{small_value, value_before};
use crate::front::declarations::has_word;
use crate::front::headers::places_of_assignments;
use crate::front::tree::{
    ancestors, children, declared_identifier, fields, mentions, nodes_in, plain_assignment, strip_parentheses,
};

/// What holds wherever an iteration begins.
#[derive(Clone)]
pub struct Equation<'t> {
    /// It, as a statement that changes nothing there.
    pub text: String,
    /// The statements of the loop that make it true.
    pub statements: Vec<Node<'t>>,
}

/// The equations that statements of the loop around a step, in it or behind it, make true: those of `next = 1 - now;` and of exchanges.
pub fn equations<'t>(program: &Program<'_, '_, 't>, root: Node<'t>, step: &Step<'t>) -> Vec<Equation<'t>> {
    let outer = step.outer();
    let Some(body) = outer.child_by_field_name("body").filter(|body| body.kind() == "compound_statement") else {
        return Vec::new();
    };
    let jumps = ["continue_statement", "labeled_statement", "case_statement", "goto_statement", "gnu_asm_expression"];
    if !step.gaps.is_empty() || nodes_in(outer).any(|node| jumps.contains(&node.kind())) {
        return Vec::new();
    }
    let around = Around { program, root, outer, step };
    let statements = children(body);
    let of_statement = |it: &Node<'t>| Equation { text: one_line(program, *it), statements: vec![*it] };
    let plain = statements.iter().filter(|it| around.holds(**it)).map(of_statement);
    let exchanged = statements.windows(3).filter_map(|it| around.exchanged(it, it));
    let braced = statements.iter().filter_map(|it| around.exchanged(&children(*it), std::slice::from_ref(it)));
    plain.chain(exchanged).chain(braced).collect()
}

/// A step and what is around it.
struct Around<'a, 'p, 's, 't> {
    program: &'a Program<'p, 's, 't>,
    root: Node<'t>,
    outer: Node<'t>,
    step: &'a Step<'t>,
}

impl<'t> Around<'_, '_, '_, 't> {
    fn holds(&self, statement: Node<'t>) -> bool {
        let expression = children(statement).first().copied().filter(|_| statement.kind() == "expression_statement");
        let sides = expression.and_then(|it| plain_assignment(self.program.unit, strip_parentheses(it)));
        let Some((place, value)) = sides.filter(|(place, _)| place.kind() == "identifier") else { return false };
        let name = self.program.text(place);
        let operands = nodes_in(value).filter(|node| node.kind() == "identifier");
        let operands: Vec<&str> = operands.map(|node| self.program.text(node)).collect();
        let is_last = self.changes_within(name) == [expression.map_or(0, |it| strip_parentheses(it).start_byte())];
        let is_settled = |it: &&str| self.is_settled(it, statement.start_byte());
        let first = || small_value(self.program.unit, value, &|operand| self.begins_with(operand));
        statement.start_byte() >= self.step.start()
            && !operands.is_empty()
            && is_last
            && !operands.contains(&name)
            && self.chooses(name)
            && operands.iter().all(is_settled)
            && self.is_own(name)
            && operands.iter().all(|it| self.is_own(it))
            && self.begins_with(name).is_some_and(|begins| first() == Some(begins))
    }

    /// The equation of two numbers that three statements exchange by a third one, and that nothing else in the loop changes; these are
    /// or make up the statements `whole` of the loop.
    fn exchanged(&self, statements: &[Node<'t>], whole: &[Node<'t>]) -> Option<Equation<'t>> {
        let [saving, first, second] = statements else { return None };
        let (saved, one) = self.given(*saving)?;
        let (one_again, other) = self.given(*first)?;
        let (other_again, saved_again) = self.given(*second)?;
        let is_exchange = one == one_again && other == other_again && saved == saved_again;
        let is_single = |name: &str, from: &Node| {
            let within = self.changes_within(name);
            within.len() == 1 && from.byte_range().contains(&within[0])
        };
        let (numbers, saving_of) = ([one, other], self.declarations(saved));
        let holds = is_exchange
            && one != other
            && !numbers.contains(&saved)
            && is_single(one, first)
            && is_single(other, second)
            && whole[0].start_byte() >= self.step.start()
            && numbers.iter().all(|it| self.chooses(it) && self.is_own(it))
            && !saving_of.is_empty()
            && saving_of.iter().all(|it| self.is_number(*it));
        let [one_begins, other_begins] = [one, other].map(|it| self.begins_with(it).map(i32::from));
        let (sum, is_choice) = (one_begins? + other_begins?, one_begins != other_begins);
        let equation = || Equation { text: format!("{other} = {sum} - {one};"), statements: whole.to_vec() };
        (holds && is_choice).then(equation)
    }

    /// The variables of `a = b;` or `int a = b;`.
    fn given(&self, statement: Node<'t>) -> Option<(&str, &str)> {
        let (place, value) = match statement.kind() {
            "declaration" => {
                let [declarator] = fields(statement, "declarator")[..] else { return None };
                (declarator.child_by_field_name("declarator")?, declarator.child_by_field_name("value")?)
            }
            "expression_statement" => {
                plain_assignment(self.program.unit, strip_parentheses(*children(statement).first()?))?
            }
            _ => return None,
        };
        let are_variables = [place, value].iter().all(|it| it.kind() == "identifier");
        are_variables.then(|| (self.program.text(place), self.program.text(value)))
    }

    /// Whether a variable is in a subscript of the step.
    fn chooses(&self, name: &str) -> bool {
        let nodes = self.step.statements.iter().flat_map(|it| nodes_in(*it));
        nodes.filter_map(|it| it.child_by_field_name("index")).any(|index| mentions(self.program.unit, index, name))
    }

    fn changes_within(&self, name: &str) -> Vec<usize> {
        places_of_assignments(self.program.unit, self.outer, name, None)
    }

    /// Whether a variable is changed in the loop between the start of the step and a place alone.
    fn is_settled(&self, name: &str, end: usize) -> bool {
        self.changes_within(name).into_iter().all(|at| self.step.start() <= at && at < end)
    }

    /// Whether a variable is an integer of the function around the loop, and nothing else can reach it.
    fn is_own(&self, name: &str) -> bool {
        let found = self.declarations(name);
        let [declaration] = found.as_slice() else { return false };
        let has = |word| has_word(self.program.unit, *declaration, "storage_class_specifier", word);
        let is_around = !self.outer.byte_range().contains(&declaration.start_byte());
        let is_alone = !self.program.unit.takes_address(self.root, name);
        self.is_number(*declaration) && is_around && is_alone && !has("static") && !has("extern")
    }

    /// The declarations in the function around the loop that declare a variable of that name.
    fn declarations(&self, name: &str) -> Vec<Node<'t>> {
        let function = ancestors(self.root, self.outer).into_iter().find(|it| it.kind() == "function_definition");
        let declarations = function.into_iter().flat_map(nodes_in).filter(|node| node.kind() == "declaration");
        declarations.filter(|it| fields(*it, "declarator").into_iter().any(|it| self.declares(it, name))).collect()
    }

    /// Whether what is declared are integers that hold what they are given.
    fn is_number(&self, declaration: Node) -> bool {
        let is_integer = declaration.child_by_field_name("type").is_some_and(|ty| {
            let is_other = ["bool", "_Bool", "float", "double"].iter().any(|it| self.program.text(ty).contains(it));
            ["primitive_type", "sized_type_specifier"].contains(&ty.kind()) && !is_other
        });
        is_integer && !has_word(self.program.unit, declaration, "type_qualifier", "volatile")
    }

    fn declares(&self, declarator: Node, name: &str) -> bool {
        declared_identifier(declarator).is_some_and(|it| self.program.text(it) == name)
    }

    /// The value of a variable before the loop.
    fn begins_with(&self, name: &str) -> Option<i8> {
        let value = value_before(self.program.unit, self.outer, name)?;
        small_value(self.program.unit, value, &|_| None)
    }
}

/// The text of a statement without line ends.
pub fn one_line(program: &Program, statement: Node) -> String {
    program.text(statement).replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read};
    use crate::ir::{Nest, ParamValue};

    /// A kept loop over a sweep from `u[now]` to `u[next]`, with `declared` before it, `within` before the sweep and `behind` at its end.
    fn kept(declared: &str, within: &str, behind: &str) -> Nest {
        let sweep = "for (int i = 1; i < n - 1; i++) u[next][i] = u[now][i - 1] + u[now][i + 1];";
        let body = format!(
            "{declared}\n#pragma stencil\nfor (int t = 0; t < steps; t++) {{ {within} {sweep} if (t % 5 == 0) print(t); {behind} }}"
        );
        read(&format!("void print(int);\n{}", function("int n, int steps, double (*u)[100]", &body)))
    }

    /// Whether calls bring both numbers.
    fn is_given_both(nest: &Nest) -> bool {
        let is_given = |name: &str| {
            nest.params.iter().any(|(_, param)| match param.value {
                ParamValue::Variable(variable) => nest.values.text(variable) == name,
                _ => false,
            })
        };
        is_given("now") && is_given("next")
    }

    #[test]
    fn what_each_iteration_makes_true_holds_in_the_next() {
        for (declared, behind) in [
            ("int now = 0, next = 1;", "now = next; next = 1 - now;"),
            ("int now, next; now = 1; next = 0;", "now = next; next = (now + 1) % 2;"),
            ("int now = 0, next = 1;", "now = 1 - now; next = !now;"),
            ("unsigned now = 0, next = 1;", "next = now; now = 1 - next;"),
            ("int now = 0, next = 1, old;", "old = now; now = next; next = old;"),
            ("int now = 1, next = 0;", "int old = next; next = now; now = old;"),
            ("int now = 0, next = 1;", "{ int old = now; now = next; next = old; }"),
        ] {
            assert!(!is_given_both(&kept(declared, "", behind)), "{declared} {behind}");
        }
    }

    #[test]
    fn what_may_be_otherwise_is_not_known() {
        let (declared, behind) = ("int now = 0, next = 1;", "now = next; next = 1 - now;");
        for (declared, within, behind) in [
            ("int now = 0, next = 0;", "", behind),
            ("int now = 0, next = n;", "", behind),
            ("int now = 0; static int next = 1;", "", behind),
            ("int now = 0, next = 1, *p = &next; *p = n;", "", behind),
            (declared, "if (t == 7) now = next;", behind),
            (declared, "if (t == 7) continue;", behind),
            (declared, "", "now = next; next = 1 - now; if (t == 7) now = next;"),
            (declared, "", "now = next; if (t == 7) next = 1 - now;"),
            (declared, "", "int old = now; if (t == 7) old = next; now = next; next = old;"),
            (declared, "", "if (t == 7) { int old = now; now = next; next = old; }"),
            (declared, "", "int old = now; now = next; next = old; if (t == 7) now = next;"),
            (declared, "", "_Bool old = now; now = next; next = old;"),
            ("int now = 0, next = 0;", "", "int old = now; now = next; next = old;"),
            ("int now = 0, next = n;", "", "int old = now; now = next; next = old;"),
        ] {
            assert!(is_given_both(&kept(declared, within, behind)), "{declared} {within} {behind}");
        }
    }
}
