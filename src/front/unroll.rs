//! Loops with constant bounds that accumulate a value, or whose body counts too, are executed iteration by iteration. So are
//! those over the directions of a lattice, whose subscripts come from tables, also around the whole nest: then all of them are
//! one step. Loops that `break` leaves are executed so as well, and short ones that store at places that arrays list.
//!
//! The header is evaluated as C does, with the variable's value of each iteration, so conversions and wrap-around need no
//! care of their own: `for (int k = -1; k < 3u; k++)` runs no iteration.

use tree_sitter::Node;

use super::Failable;
use super::exits::{Exit, Left};
use super::headers::has_break;
use super::limits::MAX_EXPRESSIONS;
use super::loops::Start;
use super::numbers::Constant;
use super::reader::{Binding, Change, Reader};
use super::tree::{assigned, children, nodes_in, strip_parentheses, walk};
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, Loop, ScalarType, UnaryOp};

/// More iterations than this are not unrolled.
pub const MAX_ITERATIONS: usize = 64;

/// The most iterations of an unrolled loop that stores the same elements in each of them.
pub const MAX_ROUNDS: usize = 8;

/// Expressions that are more than arithmetic of scalars.
pub const REACHES: [&str; 4] = ["subscript_expression", "pointer_expression", "call_expression", "field_expression"];

/// Scalars that each iteration of a loop gives a value of its own.
struct Own {
    all: Vec<String>,
    /// The loop's variable, and those whose values are made of it.
    moving: Vec<String>,
}

impl<'t> Reader<'_, '_, 't> {
    /// Whether the loop is an inner one with few constant iterations that accumulates or changes its variable, or with none, or
    /// any one over directions.
    pub fn is_to_unroll(&mut self, body: Node<'t>, start: &Start<'t>) -> Failable<bool> {
        let variable = self.name(start.variable).to_owned();
        let is_open = self.constant(start.first).is_none() && !self.accumulates_within(body, &variable);
        if start.runs_first || is_open {
            return Ok(false);
        }
        let Some(count) = self.constant_iterations(start)? else {
            self.want_length(body, start)?;
            return Ok(false);
        };
        if self.loops.is_empty() {
            return Ok((1..=MAX_ITERATIONS).contains(&count) && self.is_directed_by(body, &variable));
        }
        let variable = variable.as_str();
        let needs_constants =
            count <= MAX_ITERATIONS && self.needs_constant_subscripts(body, variable, count > MAX_ROUNDS);
        let is_needed = count == 0
            || needs_constants
            || start.updates.len() > 1
            || !start.updates.is_empty() && self.changes(body, start.variable)
            || has_break(body)
            || self.accumulates(body, variable) && !self.folds_over(body, count);
        let repeats = count <= MAX_ROUNDS && (self.stores_the_same(body, variable) || self.scatters(body, variable));
        let is_short = needs_constants || count.saturating_mul(self.written_out(body)) <= MAX_EXPRESSIONS;
        Ok(is_needed && count <= MAX_ITERATIONS && is_short || repeats)
    }

    /// The least number of expressions in `node` with its loops of constant length written out: a sum over a grid is none of a
    /// point's.
    fn written_out(&mut self, node: Node<'t>) -> usize {
        let inside = children(node).into_iter().map(|child| self.written_out(child));
        let inside =
            inside.fold(usize::from(matches!(node.kind(), "identifier" | "number_literal")), usize::saturating_add);
        if node.kind() == "for_statement" { inside.saturating_mul(self.plain_count(node).unwrap_or(1)) } else { inside }
    }

    /// How many iterations the header of a loop says in constants, as in `for (i = 1; i < 99; i++)`.
    fn plain_count(&mut self, node: Node<'t>) -> Option<usize> {
        let bound = node.child_by_field_name("condition")?.child_by_field_name("right")?;
        let [first, bound] = [first_value(node)?, bound].map(|side| self.constant_here(side));
        usize::try_from(bound?.checked_sub(first?)?).ok().filter(|count| *count > 0)
    }

    /// Whether each iteration stores elements, and none whose subscripts have the loop's variable or a scalar made of it: the
    /// loop counts the colours of a red-black order, say, or the stages of a step.
    fn stores_the_same(&self, body: Node<'t>, variable: &str) -> bool {
        let mut own = Own { all: Vec::new(), moving: vec![variable.to_owned()] };
        let (mut stores, mut moves) = (false, false);
        for node in nodes_in(body) {
            match node.kind() {
                "init_declarator" if !is_in_header(node) => {
                    if let Some(name) = node.child_by_field_name("declarator") {
                        self.note_own(self.text(name), node.child_by_field_name("value"), &mut own);
                    }
                }
                "assignment_expression" | "update_expression" if !is_in_header(node) => {
                    if let Some(target) = assigned(node) {
                        if target.kind() == "identifier" {
                            self.note_own(self.text(target), node.child_by_field_name("right"), &mut own);
                        } else {
                            stores = true;
                            moves |= self.moves(target, &own);
                        }
                    }
                }
                "call_expression" => {
                    moves |= node.child_by_field_name("arguments").is_some_and(|it| self.moves(it, &own))
                }
                _ => {}
            }
        }
        stores && !moves
    }

    /// How many iterations the header alone gives, if that is a constant; its bounds need not be one. More than the limit stands
    /// for any number.
    fn constant_iterations(&mut self, start: &Start<'t>) -> Failable<Option<usize>> {
        if !self.is_plain_header(start) {
            return Ok(None);
        }
        let (saved, assigned) = (self.bindings.clone(), self.assigned.clone());
        self.bindings.insert(start.variable, Binding::Scalar(start.first));
        let mut count = 0;
        let found = loop {
            match self.holds(start) {
                // What cannot be read is refused where the loop is read as an ordinary one.
                Err(_) | Ok(None) => break None,
                Ok(Some(false)) => break Some(count),
                Ok(Some(true)) if count > MAX_ITERATIONS => break Some(count),
                Ok(Some(true)) => {}
            }
            self.expression_statement(start.update, start.update)?;
            count += 1;
        };
        (self.bindings, self.assigned) = (saved, assigned);
        Ok(found)
    }

    /// Whether condition and update are made of scalars, and nothing but the variable is assigned.
    pub fn is_plain_header(&self, start: &Start<'t>) -> bool {
        let target = start.update.child_by_field_name("argument").or_else(|| start.update.child_by_field_name("left"));
        let counts = target.map(strip_parentheses).is_some_and(|target| self.text(target) == self.name(start.variable));
        let is_plain = |part: Node<'t>| {
            nodes_in(part).all(|node| {
                let changes =
                    matches!(node.kind(), "assignment_expression" | "update_expression") && node != start.update;
                !changes && !REACHES.contains(&node.kind())
            })
        };
        counts && is_plain(start.condition) && is_plain(start.update)
    }

    /// Whether the condition holds for what the variable holds now, if both are constant.
    fn holds(&mut self, start: &Start<'t>) -> Failable<Option<bool>> {
        let condition = self.scalar(start.condition)?;
        let condition = self.truth(condition);
        let decided = self.constant(condition).map(|value| value != 0);
        Ok(decided.or_else(|| self.holds_by_difference(condition)))
    }

    /// Whether a comparison holds of which the sides are a constant apart, as in `for (k = i - 1; k <= i + 1; k++)`; their signed
    /// sums do not overflow.
    pub fn holds_by_difference(&self, condition: Handle<Expr>) -> Option<bool> {
        let ExprKind::Binary(op, left, right) = *self.kind(condition) else { return None };
        let difference = self.polynomial(left)?.plus(&self.polynomial(right)?, -1)?.as_constant()?;
        let difference = Constant::from_bits(ScalarType::I64, difference);
        Some(difference.binary(op, Constant::from_bits(ScalarType::I64, 0))?.is_true()).filter(|_| op.is_comparison())
    }

    /// Whether an iteration of `body` continues a scalar or an element of an earlier one.
    ///
    /// A scalar that the body assigns plainly before anything else is its own in each iteration, and an element whose subscript
    /// has the loop's variable, or a scalar made of it, is another one in each.
    pub fn accumulates(&mut self, body: Node<'t>, variable: &str) -> bool {
        self.continues_in(body, variable, Self::is_short)
    }

    /// The same, whatever bounds the loops in it have.
    pub fn accumulates_within(&mut self, body: Node<'t>, variable: &str) -> bool {
        self.continues_in(body, variable, |_, _| true)
    }

    fn continues_in(
        &mut self,
        body: Node<'t>,
        variable: &str,
        is_of_point: impl Fn(&mut Self, Node<'t>) -> bool,
    ) -> bool {
        // A `while` counts in its body.
        let mut own = Own { all: vec![variable.to_owned()], moving: vec![variable.to_owned()] };
        let mut found = false;
        walk(body, &mut |node| {
            match node.kind() {
                "for_statement" => return !found && is_of_point(self, node),
                "assignment_expression" | "update_expression" => found |= self.continues(node, &mut own),
                "init_declarator" => {
                    if let Some(name) = node.child_by_field_name("declarator") {
                        self.note_own(self.text(name), node.child_by_field_name("value"), &mut own);
                    }
                }
                _ => {}
            }
            !found
        });
        found
    }

    /// A loop without constant bounds runs over space, unless these are a constant apart; what it does is no accumulation of a
    /// short loop.
    fn is_short(&mut self, node: Node<'t>) -> bool {
        let condition = node.child_by_field_name("condition");
        let side = |side| condition.and_then(|condition| condition.child_by_field_name(side));
        let sides: Vec<_> = ["left", "right"].into_iter().filter_map(side).collect();
        sides.iter().any(|side| self.constant_here(*side).is_some())
            || first_value(node).zip(sides.last().copied()).is_some_and(|(first, last)| self.are_near(first, last))
    }

    /// Whether two expressions that stand here are a constant apart.
    fn are_near(&mut self, one: Node<'t>, other: Node<'t>) -> bool {
        let is_known = |node: Node<'t>| match node.kind() {
            "identifier" => self.is_bound_here(node),
            kind => !REACHES.contains(&kind) && !matches!(kind, "assignment_expression" | "update_expression"),
        };
        if ![one, other].into_iter().flat_map(nodes_in).all(is_known) {
            return false;
        }
        let [one, other] = [one, other].map(|it| self.scalar(it).ok().and_then(|it| self.polynomial(it)));
        let difference = one.zip(other).and_then(|(one, other)| one.plus(&other, -1));
        difference.is_some_and(|it| it.as_constant().is_some())
    }

    fn note_own(&self, name: &str, value: Option<Node<'t>>, own: &mut Own) {
        own.all.push(name.to_owned());
        if value.is_some_and(|value| self.moves(value, own)) {
            own.moving.push(name.to_owned());
        }
    }

    fn moves(&self, node: Node<'t>, own: &Own) -> bool {
        own.moving.iter().any(|name| self.mentions(node, name))
    }

    fn continues(&self, node: Node<'t>, own: &mut Own) -> bool {
        let Some(target) = assigned(node) else { return false };
        let is_plain = node.child_by_field_name("operator").is_some_and(|operator| self.text(operator) == "=");
        let right = node.child_by_field_name("right");
        if target.kind() != "identifier" {
            let text = self.text(target);
            let reads_itself = !is_plain || right.is_some_and(|right| self.text(right).contains(text));
            return reads_itself && !self.moves(target, own);
        }
        let name = self.text(target);
        let is_scalar = self.scope.variable(name).is_some_and(|variable| variable.ty.number().is_some());
        let is_header = node.parent().is_some_and(|parent| parent.kind() == "for_statement");
        if !is_scalar || is_header || self.restores_named(name) || own.all.iter().any(|other| other == name) {
            return false;
        }
        if is_plain && !right.is_some_and(|right| self.mentions(right, name)) {
            self.note_own(name, right, own);
            return false;
        }
        true
    }

    /// Executes the iterations of a loop around the whole nest as one step.
    pub fn unrolled_nest(&mut self, node: Node<'t>, start: &Start<'t>, changed: &[Change]) -> Failable<()> {
        let (body, span) = (self.field(node, "body")?, self.span(node));
        let variable = self.undeclared(format!("all_of_{}", self.name(start.variable)));
        let [first, bound] = [0, 1].map(|value| self.int(ScalarType::I32, value, span));
        let relation = BinaryOp::Less;
        let step = Loop { variable, ty: ScalarType::I32, outlives: false, first, relation, bound, step: 1 };
        let this = self.nest.loops.push(step, span);
        self.note_before_loop(changed);
        self.enter_loop(changed);
        self.prepare_trails(node, &[]);
        self.loops.push(this);
        self.changing.push(changed.iter().map(|(changed, _)| *changed).chain([start.variable]).collect());
        self.position.push(0);
        let outer = std::mem::take(&mut self.replay);
        self.unrolled_loop(node, body, start)?;
        self.note_iteration(changed);
        let inner = std::mem::replace(&mut self.replay, outer);
        self.note_loop(this, inner, changed);
        self.position.pop();
        self.changing.pop();
        self.loops.pop();
        self.leave_trails();
        self.note_rotation(changed)?;
        self.next_position();
        Ok(())
    }

    /// Executes `body` as often as the loop runs.
    pub fn unrolled_loop(&mut self, node: Node<'t>, body: Node<'t>, start: &Start<'t>) -> Failable<()> {
        self.bindings.insert(start.variable, Binding::Scalar(start.first));
        self.within(Exit::Loop, |reader| reader.iterations(node, body, start, 0))?;
        if start.outlives {
            let span = self.span(node);
            self.assigned.entry(start.variable).or_insert(span);
        }
        Ok(())
    }

    /// Executes the iterations behind the first `count` ones: where one of them is left by `break`, not those that follow it.
    fn iterations(&mut self, node: Node<'t>, body: Node<'t>, start: &Start<'t>, mut count: usize) -> Failable<()> {
        while self.is_next(body, start)? {
            count += 1;
            if count > MAX_ITERATIONS {
                let help = "let the loop's variable change in its header alone";
                return self.refuse(node, "loop-variable", "this loop may run for ever", help);
            }
            let (before, span) = (self.jumps.len(), self.span(node));
            self.within(Exit::Iteration, |reader| reader.statement(body))?;
            match self.left_since(before, span) {
                Left::Never => self.update(start)?,
                Left::Always => break,
                Left::If(condition) => {
                    let opposite = self.unary(UnaryOp::Not, condition, span);
                    return self.where_holds(opposite, span, |reader| {
                        reader.update(start)?;
                        reader.iterations(node, body, start, count)
                    });
                }
            }
        }
        Ok(())
    }

    fn update(&mut self, start: &Start<'t>) -> Failable<()> {
        start.updates.iter().try_for_each(|update| self.expression_statement(*update, *update))
    }

    fn is_next(&mut self, body: Node<'t>, start: &Start<'t>) -> Failable<bool> {
        if let Some(holds) = self.holds(start)? {
            return Ok(holds);
        }
        let name = self.name(start.variable);
        let message = format!("what the loop's body adds to `{name}` is not known before the nest runs");
        let help = "use another variable, so that the loop's iterations are known before it starts";
        self.refuse(body, "loop-variable", message, help)
    }
}

/// What the header of a `for` gives its variable first.
fn first_value(node: Node) -> Option<Node> {
    let initialiser = node.child_by_field_name("initializer")?;
    let declared = initialiser.child_by_field_name("declarator").and_then(|it| it.child_by_field_name("value"));
    declared.or_else(|| initialiser.child_by_field_name("right"))
}

/// Whether an assignment or a declaration stands in the header of a `for`.
fn is_in_header(node: Node) -> bool {
    let parent = node.parent();
    let outer = parent.filter(|parent| parent.kind() == "declaration").and_then(|parent| parent.parent());
    outer.or(parent).is_some_and(|parent| parent.kind() == "for_statement")
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};

    /// A nest over `i` that leaves in `b[i]` what `loops` make of `s`.
    fn nest(loops: &str) -> String {
        let body =
            format!("#pragma stencil\nfor (int i = 0; i < n; i++) {{ double s = 0, r = 1; {loops} b[i] = s + r; }}");
        function("int n, const double *a, const double (*c)[99], double *b, double (*d)[99]", &body)
    }

    fn loops_left(loops: &str) -> usize {
        read(&nest(loops)).loops.len() - 1
    }

    #[test]
    fn as_many_iterations_as_the_limit_are_executed() {
        assert_eq!(loops_left("for (int k = 0; k < 64; k++) s += a[i + k];"), 0);
        assert_eq!(refusal(&nest("for (int k = 0; k < 65; k++) s += a[i + k];")).code, "scalar-carried");
        assert_eq!(loops_left("for (int k = 0; k < 65; k++) d[i][k] = c[i][k];"), 1);
        assert_eq!(refusal(&nest("for (int k = 0; k < 9; k++) if (k == 8) k = 0;")).code, "loop-variable");
        assert_eq!(loops_left("for (int k = 3; k < 3; k++) d[i][k] = 1;"), 0);
        assert_eq!(loops_left("for (int k = 0; k < 9; k++) { if (k == i) break; d[i][k] = 1; }"), 0);
        let cases = "for (int k = 0; k < 9; k++) { switch (k) { case 1: d[i][k] = 1; break; default: d[i][k] = 2; } }";
        assert_eq!(loops_left(cases), 1);
    }

    #[test]
    fn loops_that_continue_nothing_stay_loops() {
        assert_eq!(loops_left("for (int k = 0; k < 4; k++) d[i][k] = c[i][k];"), 1);
        assert_eq!(loops_left("for (int k = 0; k < 4; k++) d[i][k] += c[i][k];"), 1);
        assert_eq!(loops_left("for (int k = 0; k < 4; k++) { s = c[i][k]; s *= 2; d[i][k] = s; } s = 0;"), 1);
        assert_eq!(loops_left("for (int k = 0; k < 4; k++) { double q = c[i][k]; q *= 2; d[i][k] = q; }"), 1);
    }

    #[test]
    fn loops_that_store_the_same_elements_are_executed() {
        assert_eq!(loops_left("for (int k = 0; k < 4; k++) for (int l = 0; l < n; l++) d[i][l] = k;"), 4);
        assert_eq!(
            loops_left("for (int k = 0; k < 8; k++) { int m = k; for (int l = m; l < n; l++) d[i][l] = m; }"),
            8
        );
        assert_eq!(loops_left("for (int k = 0; k < 9; k++) for (int l = 0; l < n; l++) d[i][l] = k;"), 2);
        assert_eq!(
            loops_left("for (int k = 0; k < 4; k++) { int m = k + 1; for (int l = 0; l < n; l++) d[m][l] = k; }"),
            2
        );
    }

    #[test]
    fn loops_that_continue_a_value_are_executed() {
        assert_eq!(loops_left("for (int k = 0; k < 4; k++) b[i] += c[i][k];"), 0);
        assert_eq!(loops_left("for (int k = 0; k < 4; k++) b[i] = b[i] + c[i][k];"), 0);
        assert_eq!(loops_left("for (int k = 0; k < 4; k++) s = s + c[i][k];"), 0);
        assert_eq!(loops_left("for (int k = 0; k < 4; k++) for (int l = 0; l < 3; l++) s += c[l][k];"), 0);
        assert_eq!(loops_left("for (int k = 0; k < 4; k++) { s++; d[i][k] = s; }"), 0);
        assert_eq!(loops_left("for (int k = i - 1; k <= i + 1; k++) s += a[k];"), 0);
        assert_eq!(loops_left("for (int k = n; k != n - 3; k--) s += a[k];"), 0);
        assert_eq!(refusal(&nest("for (int k = i; k < n + 2; k++) s += a[k];")).code, "scalar-carried");
    }

    #[test]
    fn directions_around_the_nest_are_one_step() {
        let text = |header: &str, body: &str| {
            let tables = "static const int c[3] = {0, 1, -1};";
            let nest = format!("#pragma stencil\n{header} for (int i = 1; i < n - 1; i++) {{ {body} }}");
            format!("{tables}\n{}", function("int n, double (*f)[99], double (*g)[99]", &nest))
        };
        let header = "for (int q = 0; q < 3; q++)";
        let nest = read(&text(header, "g[q][i] = f[q][i - c[q]];"));
        assert_eq!((nest.loops.len(), nest.step.statements.len()), (4, 3), "{nest}");
        assert!(nest.clock.has_steps(), "{nest}");
        // Without a table the loop stays, as that over the steps of a nest does which is no direction.
        assert_eq!(read(&text(header, "g[q][i] = f[q][i - 1];")).loops.len(), 2);
        let steps = "for (int t = 0; t < 5; t++) for (int q = 0; q < 3; q++)";
        assert_eq!(read(&text(steps, "g[q][i] = f[q][i - c[q]];")).loops.len(), 4);
    }

    #[test]
    fn sums_over_grids_are_told_from_sums_over_neighbours() {
        let sum = |rows: u32| {
            let loops = format!("for (int k = 0; k < {rows}; k++) for (int l = 0; l < 60; l++)");
            nest(&format!("{loops} {{ s += c[k][l] * c[k][l] + a[k] * a[l] - 0.5 * c[k + 1][l]; }}"))
        };
        let refused = refusal(&sum(60));
        assert_eq!(refused.code, "scalar-carried");
        assert!(refused.help.iter().any(|help| help.contains("loop of its own")), "{refused:?}");
        assert_eq!(read(&sum(2)).loops.len(), 1);
    }

    #[test]
    fn headers_that_need_more_than_scalars_are_no_counts() {
        assert_eq!(refusal(&nest("for (int k = 0; k < a[0]; k++) s += k;")).code, "loop-bound");
        assert_eq!(refusal(&nest("for (int k = 0; k < 3; r++) s += k;")).code, "loop-form");
    }
}
