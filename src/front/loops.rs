//! `for` loops in canonical form.

use tree_sitter::Node;

use super::Failable;
use super::exits::Exit;
use super::headers::counting;
use super::integers::is_invariant;
use super::objects::Place;
use super::reader::{Binding, Change, Reader, Unknown};
use super::trails::{BeforeLoop, Trailed};
use super::tree::{fields, mentions, nodes_in, strip_parentheses};
use super::types::{CType, declared};
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, HostValue, Loop, Replay, ScalarType};
use crate::source::{Diagnostic, Span};

use super::counting::Test;

/// The largest amount by which a loop may count.
const MAX_STEP: u64 = i32::MAX as u64;

/// What one assignment adds to a variable, or takes off.
pub enum Amount<'t> {
    /// `++` and `--`.
    One { is_added: bool },
    /// The value of an expression.
    Of { amount: Node<'t>, is_added: bool },
}

/// The beginning of a loop's header.
pub struct Start<'t> {
    /// The loop variable.
    pub variable: Handle<HostValue>,
    /// Its type.
    pub ty: ScalarType,
    /// Whether it is declared before the nest.
    pub outlives: bool,
    /// First value, of the variable's type, as C computes it.
    pub first: Handle<Expr>,
    /// The condition.
    pub condition: Node<'t>,
    /// What counts the variable.
    pub update: Node<'t>,
    /// What follows each iteration, this included; nothing if the body counts.
    pub updates: Vec<Node<'t>>,
    /// Whether the loop counts with a floating-point variable, and the one here with its steps.
    pub is_real: bool,
    /// Whether the first iteration comes before the first test.
    pub runs_first: bool,
}

impl<'t> Reader<'_, '_, 't> {
    /// Executes a loop: its body once, for a symbolic index.
    pub fn for_statement(&mut self, node: Node<'t>) -> Failable<()> {
        self.check_loop_depth(node)?;
        let mark = self.scope.enter();
        let body = self.field(node, "body")?;
        let mut changed = self.changed_in(node);
        self.leave_out_restored(node, body, &mut changed);
        let start = match self.start_real_loop(node)? {
            Some(start) => start,
            None => self.start(node)?,
        };
        self.sort_out_changes(node, start.variable, &mut changed);
        self.add_changed_elements(node, &mut changed);
        if let Some(size) = self.strip_size(&start) {
            if !self.multiples_loop(node, body, (&start, size), &changed)? {
                self.strip_loop(node, &start, size, &changed)?;
            }
        } else if let Some(window) = self.wanted_window(body, &start)?.filter(|_| !start.is_real) {
            self.bounded_loop(node, body, &start, window)?;
        } else if self.runs_in_rounds(node) {
            self.unrolled_loop(node, body, &start)?;
        } else if !start.is_real && self.is_to_unroll(body, &start)? {
            match self.loops.is_empty() {
                true => self.unrolled_nest(node, &start, &changed)?,
                false => self.unrolled_loop(node, body, &start)?,
            }
        } else {
            self.ordinary_loop(node, body, start, &changed)?;
        }
        self.leave_scope(mark);
        Ok(())
    }

    fn ordinary_loop(&mut self, node: Node<'t>, body: Node<'t>, start: Start<'t>, changed: &[Change]) -> Failable<()> {
        let span = self.header_span(node, body);
        let (this, other_bounds) = match start.is_real {
            true => (self.real_loop(&start, span), Vec::new()),
            false => self.header(node, &start, changed, span)?,
        };
        self.note_counting(node, this);
        if other_bounds.is_empty()
            && let Some(digits) = self.digits(node, body, &start, this)
        {
            return self.digit_loops(node, body, (&digits, &start), changed);
        }
        let variable = start.variable;
        let in_row = Some(this).filter(|_| other_bounds.is_empty() && !start.is_real && !start.runs_first);
        let in_row = in_row.and_then(|this| self.count_from_row(body, &start, this));
        let mut counters = self.counters(node, variable, changed);
        if !other_bounds.is_empty() && (self.loops.is_empty() || !counters.is_empty()) {
            return self.not_canonical(node);
        }
        self.note_before_loop(changed);
        self.note_firsts(changed);
        let before = self.prepare_trails(node, changed);
        let folding = self.without_trails(changed);
        self.settle_folds(&folding);
        self.open_loop(this, changed);
        self.bindings.insert(variable, Binding::Index(this));
        self.enter_counters(this, &mut counters);
        self.enter_step(this, changed)?;
        self.enter_folds(&folding);
        if start.is_real {
            self.enter_real_loop(&start)?;
        }
        let outer = std::mem::take(&mut self.replay);
        let index = in_row.map_or_else(|| self.running(this, &start), Binding::Scalar);
        self.bindings.insert(variable, index);
        let guards = self.guards.len();
        self.enter_bounds(node, this, &other_bounds)?;
        self.within(Exit::Iteration, |reader| reader.statement(body))?;
        self.update_variables(this, &start)?;
        self.leave_counters(&counters)?;
        let trailed = self.close_loop(this, changed, &before, (outer, guards))?;
        self.note_counted(this, counters);
        let counted = Some(this).filter(|_| other_bounds.is_empty() && in_row.is_none());
        let runs_to_its_end = nodes_in(body).all(|it| !["break_statement", "goto_statement"].contains(&it.kind()));
        for (scalar, span, trailed) in trailed.into_iter().filter(|_| counted.is_some() && runs_to_its_end) {
            self.bindings.insert(scalar, Binding::Unknown(Unknown::OnTrail(trailed), span));
        }
        self.bindings.insert(variable, Binding::Unknown(Unknown::LeftByLoop(counted), span));
        Ok(())
    }

    /// Executes `body` as that of a loop whose header has been read, and that carries nothing from point to point.
    pub fn run_loop(
        &mut self,
        node: Node<'t>,
        this: Handle<Loop>,
        changed: &[Change],
        body: impl FnOnce(&mut Self) -> Failable<()>,
    ) -> Failable<()> {
        self.note_before_loop(changed);
        self.note_firsts(changed);
        let before = self.prepare_trails(node, &[]);
        self.settle_folds(changed);
        self.open_loop(this, changed);
        self.enter_step(this, changed)?;
        self.enter_folds(changed);
        let (outer, guards) = (std::mem::take(&mut self.replay), self.guards.len());
        body(self)?;
        self.close_loop(this, changed, &before, (outer, guards)).map(drop)
    }

    /// Begins the iteration that stands for all of a loop.
    fn open_loop(&mut self, this: Handle<Loop>, changed: &[Change]) {
        self.enter_loop(changed);
        self.loops.push(this);
        self.changing.push(changed.iter().map(|(changed, _)| *changed).collect());
        self.position.push(0);
    }

    /// Ends it; `outer` is what has been executed around the loop, which had so many `guards`. Returns the scalars that have trails.
    fn close_loop(
        &mut self,
        this: Handle<Loop>,
        changed: &[Change],
        before: &BeforeLoop,
        (outer, guards): (Vec<Replay>, usize),
    ) -> Failable<Vec<(Handle<HostValue>, Span, Trailed)>> {
        self.leave_step(this)?;
        self.continue_trails()?;
        let folded = self.leave_folds(this);
        self.note_iteration(changed);
        self.guards.truncate(guards);
        let inner = std::mem::replace(&mut self.replay, outer);
        self.note_loop(this, inner, changed);
        self.position.pop();
        self.loops.pop();
        self.changing.pop();
        let trailed = self.begin_trails(this, before);
        if self.loops.is_empty() {
            self.note_rotation(changed)?;
        }
        self.next_position();
        for (changed, span) in changed.iter().filter(|(changed, _)| !folded.contains(changed)) {
            self.bindings.insert(*changed, Binding::Unknown(Unknown::LeftByLoop(None), *span));
        }
        Ok(trailed)
    }

    /// From `for` to the closing parenthesis of the header.
    fn header_span(&self, node: Node<'t>, body: Node<'t>) -> Span {
        let header = &self.unit.text[node.start_byte()..body.start_byte()];
        let end = node.start_byte() + header.trim_end().len();
        self.span_between(node, end)
    }

    /// What a loop changes has no known value at the start of an iteration; a pointer that the outermost loop changes
    /// holds its slot of the rotation.
    pub fn enter_loop(&mut self, changed: &[Change]) {
        for (changed, span) in changed {
            if self.is_scalar(*changed) || !self.loops.is_empty() {
                self.bindings.insert(*changed, Binding::Unknown(Unknown::Carried, *span));
            }
        }
    }

    /// Reads the loop's first value; a variable declared here comes into scope.
    fn start(&mut self, node: Node<'t>) -> Failable<Start<'t>> {
        if let Some(counting) = counting(self.unit, node) {
            return self.start_counting(node, counting);
        }
        let Some(initialiser) = node.child_by_field_name("initializer") else { return self.not_canonical(node) };
        let (variable, ty, first_node) = self.initialiser(node, initialiser)?;
        if initialiser.kind() == "declaration" {
            self.declared_in.insert(variable, self.loops.len());
        }
        let first = self.bound_expression(first_node)?;
        let first = self.convert(first, ty);
        let part = |name| node.child_by_field_name(name).map(strip_parentheses);
        let (Some(condition), Some(update)) = (part("condition"), part("update")) else {
            return self.not_canonical(node);
        };
        self.start_at(node, (variable, ty), first, (condition, update))
    }

    /// The beginning of a loop that tests before each iteration and counts once behind it.
    pub fn start_at(
        &mut self,
        node: Node<'t>,
        (variable, ty): (Handle<HostValue>, ScalarType),
        first: Handle<Expr>,
        (condition, update): (Node<'t>, Node<'t>),
    ) -> Failable<Start<'t>> {
        let (outlives, updates) = (self.outlives(node, variable)?, vec![update]);
        Ok(Start { variable, ty, outlives, first, condition, update, updates, is_real: false, runs_first: false })
    }

    /// Reads the rest of the header, and returns the loop with the bounds but one that it has; the loop's integers are what C
    /// computes, or the driver checks it.
    fn header(
        &mut self,
        node: Node<'t>,
        start: &Start<'t>,
        changed: &[Change],
        span: Span,
    ) -> Failable<(Handle<Loop>, Vec<Handle<Expr>>)> {
        if let Some(this) = self.strip_header(node, start, changed, span)? {
            return Ok((this, Vec::new()));
        }
        let &Start { variable, ty, outlives, first, .. } = start;
        let step = self.step(start)?;
        // The condition is read with the index of the loop that it belongs to.
        let relation = BinaryOp::NotEqual;
        let unfinished = Loop { variable, ty, outlives, first, relation, bound: first, step };
        let this = self.nest.loops.push(unfinished, span);
        let saved = self.bindings.clone();
        for (changed, span) in changed {
            self.bindings.insert(*changed, Binding::Unknown(Unknown::Carried, *span));
        }
        self.bindings.insert(variable, Binding::Index(this));
        let aim = self.aim(start.condition, changed);
        let refused = |error| match aim {
            Some(name) => until_reached(error, &name),
            None => changing_bound(error),
        };
        let (test, other_bounds) = self.in_header(|reader| reader.test(start.condition, this)).map_err(refused)?;
        self.bindings = saved;
        let counted = self.counted(node, first, test, this, step)?;
        if start.runs_first {
            self.require_iteration(node, &counted, step)?;
        }
        let entry = &mut self.nest.loops[this];
        (entry.first, entry.relation, entry.bound) = (counted.first, counted.relation, counted.bound);
        Ok((this, other_bounds))
    }

    pub fn not_counting<T>(&self, update: Node<'t>) -> Failable<T> {
        let help =
            "count by a constant, and choose with an `if` inside, as in `if ((i & (i - 1)) == 0)` for powers of two";
        self.refuse(update, "loop-form", "the iterations of this loop are not known before it starts", help)
    }

    /// Refuses a loop whose iterations are not known.
    pub fn not_canonical<T>(&self, node: Node<'t>) -> Failable<T> {
        if node.kind() == "comma_expression" {
            let help = "keep one variable and compute the other from it in the body, as in `k = n - 1 - i`";
            return self.refuse(node, "loop-form", "this loop counts with several variables", help);
        }
        let help =
            "write it as `for (i = first; i < bound; i++)` with one variable, one comparison and a constant step";
        self.refuse(node, "loop-form", "the iterations of this loop are not known before it starts", help)
    }

    /// The loop variable, its type and its first value; a variable declared here comes into scope.
    fn initialiser(
        &mut self,
        node: Node<'t>,
        initialiser: Node<'t>,
    ) -> Failable<(Handle<HostValue>, ScalarType, Node<'t>)> {
        let (name, value) = match initialiser.kind() {
            "assignment_expression" => {
                let (left, right) = (self.field(initialiser, "left")?, self.field(initialiser, "right")?);
                let is_plain = self.text(self.field(initialiser, "operator")?) == "=";
                let left = strip_parentheses(left);
                if !is_plain {
                    return self.not_canonical(initialiser);
                }
                if left.kind() != "identifier" {
                    let (variable, ty) = self.counter_member(left, initialiser)?;
                    return Ok((variable, ty, right));
                }
                (self.text(left).to_owned(), right)
            }
            "declaration" => {
                let declarators = fields(initialiser, "declarator");
                let [declarator] = declarators.as_slice() else { return self.not_canonical(initialiser) };
                let Some(value) = declarator.child_by_field_name("value") else { return self.not_canonical(node) };
                self.scope.declare(self.unit, initialiser, false, true);
                let name = declared(self.unit, *declarator, CType::Other(String::new())).0;
                (name, value)
            }
            _ => return self.not_canonical(initialiser),
        };
        let help = format!("declare it, as in `for (int {name} = ...`");
        let (variable, ty) = self.counter_variable(&name, initialiser, &help)?;
        Ok((variable, ty, value))
    }

    /// The member of a structure with which a loop counts.
    fn counter_member(&mut self, place: Node<'t>, node: Node<'t>) -> Failable<(Handle<HostValue>, ScalarType)> {
        match self.place(place)? {
            Some(Place::Object(member)) => self.counter_of(member, node),
            Some(Place::Element(_)) => {
                let help = "count with a variable of its own, as in `for (int i = first; i < bound; i++)`, and store what it holds behind the loop if that is needed";
                self.refuse(node, "loop-form", "what this loop counts with is no variable", help)
            }
            None => self.not_canonical(node),
        }
    }

    /// Whether `place` names the variable of a loop.
    fn is_counter(&mut self, place: Node<'t>, variable: Handle<HostValue>) -> bool {
        self.text(place) == self.name(variable)
            || place.kind() != "identifier"
                && matches!(self.place(place), Ok(Some(Place::Object(member))) if member == variable)
    }

    /// An expression of a loop's header: an integer of parameters and outer indices.
    pub fn bound_expression(&mut self, node: Node<'t>) -> Failable<Handle<Expr>> {
        let expr = self.scalar(node)?;
        self.check_bound(node, expr)?;
        Ok(expr)
    }

    /// Whether an expression has other parts than indices and what the host computes of parameters.
    pub fn is_made_of_data(&self, expr: Handle<Expr>) -> bool {
        let parts = || self.kind(expr).operands().into_iter();
        !is_invariant(self, expr) && (is_data(&self.nest.exprs[expr]) || parts().any(|part| self.is_made_of_data(part)))
    }

    pub fn check_bound(&mut self, node: Node<'t>, expr: Handle<Expr>) -> Failable<()> {
        self.fix_elements(expr);
        if self.is_made_of_data(expr) {
            let help = "let the loop run to a bound that is set before the nest, and choose with an `if` inside";
            return self.refuse(node, "loop-bound", "the bound of a loop depends on data", help);
        }
        Ok(())
    }

    /// The comparison that a loop's condition is, with the index of `this` on its left side alone, and those beside it.
    fn test(&mut self, node: Node<'t>, this: Handle<Loop>) -> Failable<(Test, Vec<Handle<Expr>>)> {
        let condition = self.scalar(node)?;
        self.check_bound(node, condition)?;
        let condition = self.truth(condition);
        let mut tests = self.bound_tests(condition).into_iter();
        let first = tests.next().unwrap_or(condition);
        let others: Vec<_> = tests.collect();
        for other in &others {
            self.index_test_of(node, *other, this)?;
        }
        Ok((self.index_test_of(node, first, this)?, others))
    }

    fn index_test_of(&self, node: Node<'t>, condition: Handle<Expr>, this: Handle<Loop>) -> Failable<Test> {
        let ExprKind::Binary(relation, left, right) = *self.kind(condition) else { return self.not_canonical(node) };
        let is_index = |part: &Expr| matches!(part.kind, ExprKind::Index(it) if it == this);
        let test = match (self.any(left, &is_index), self.any(right, &is_index)) {
            (true, false) => Test { side: left, relation, bound: right },
            (false, true) => Test { side: right, relation: relation.turned(), bound: left },
            _ => return self.not_canonical(node),
        };
        use BinaryOp::{Greater, GreaterEqual, Less, LessEqual, NotEqual};
        if matches!(test.relation, Less | LessEqual | Greater | GreaterEqual | NotEqual) {
            Ok(test)
        } else {
            self.not_canonical(node)
        }
    }

    /// What `update`, which assigns or counts `variable`, adds to it or takes off, if it does that.
    pub fn counted_amount(&self, update: Node<'t>, variable: &str) -> Option<Amount<'t>> {
        let operator = self.text(update.child_by_field_name("operator")?);
        if update.kind() == "update_expression" {
            return Some(Amount::One { is_added: operator == "++" });
        }
        let right = strip_parentheses(update.child_by_field_name("right")?);
        let (amount, is_added) = match operator {
            "+=" => (right, true),
            "-=" => (right, false),
            "=" => self.offset_from(right, variable)?,
            _ => return None,
        };
        Some(Amount::Of { amount, is_added })
    }

    /// For `variable + c`, `c + variable` and `variable - c`: `c`, and whether it is added.
    fn offset_from(&self, node: Node<'t>, variable: &str) -> Option<(Node<'t>, bool)> {
        if node.kind() != "binary_expression" {
            return None;
        }
        let is_variable = |node: Node| self.text(node) == variable;
        let (left, right) = (node.child_by_field_name("left")?, node.child_by_field_name("right")?);
        match self.text(node.child_by_field_name("operator")?) {
            "+" if is_variable(left) && !self.mentions(right, variable) => Some((right, true)),
            "+" if is_variable(right) && !self.mentions(left, variable) => Some((left, true)),
            "-" if is_variable(left) && !self.mentions(right, variable) => Some((right, false)),
            _ => None,
        }
    }

    /// Whether the identifier `name` stands anywhere in `node`.
    pub fn mentions(&self, node: Node<'t>, name: &str) -> bool {
        mentions(self.unit, node, name)
    }

    /// The number that an inner loop computes and whose condition looks at it, as `res` in `it < most && res > eps`.
    fn aim(&self, condition: Node<'t>, changed: &[Change]) -> Option<String> {
        if self.loops.is_empty() {
            return None;
        }
        let is_number = |it: &Handle<HostValue>| {
            self.declaration_of(*it).is_some_and(|it| matches!(&it.ty, CType::Scalar(ty) if ty.is_float()))
        };
        let numbers = changed.iter().map(|(changed, _)| *changed).filter(is_number);
        numbers.map(|number| self.name(number)).find(|name| self.mentions(condition, name)).map(str::to_owned)
    }

    /// What the loop adds to its variable.
    pub fn step(&mut self, start: &Start<'t>) -> Failable<i64> {
        let update = start.update;
        let target = update.child_by_field_name("argument").or_else(|| update.child_by_field_name("left"));
        let Some(target) = target.map(strip_parentheses).filter(|it| self.is_counter(*it, start.variable)) else {
            return self.not_canonical(update);
        };
        let variable = self.text(target).to_owned();
        let (amount, is_added) = match self.counted_amount(update, &variable) {
            Some(Amount::One { is_added }) => return Ok(if is_added { 1 } else { -1 }),
            Some(Amount::Of { amount, is_added }) => (amount, is_added),
            None => return self.not_counting(update),
        };
        match self.scope.constant(self.unit, amount) {
            Some(amount) if amount.unsigned_abs() > MAX_STEP => {
                let message = format!("the step of this loop is larger than {MAX_STEP}");
                self.refuse(update, "loop-form", message, "use a smaller step")
            }
            Some(amount) => Ok(if is_added { amount } else { -amount }),
            None => {
                let help = "count by a constant, and multiply in the subscripts, as in `a[k * stride]`";
                self.refuse(update, "loop-form", "the step of this loop is not a constant", help)
            }
        }
    }
}

/// Makes of a refusal that an inner loop goes on until its iterations have reached something.
fn until_reached(mut diagnostic: Box<Diagnostic>, name: &str) -> Box<Diagnostic> {
    if diagnostic.code == "scalar-carried" {
        diagnostic.code = "loop-bound";
        diagnostic.message = format!("how often this loop runs depends on `{name}`, which it computes");
        diagnostic.help = vec![
            "mark this loop, or the loops inside it, and those beside it on their own: the host then decides how often it runs".into(),
        ];
    }
    diagnostic
}

/// Adds to a refusal that the variable without a known value is a bound.
fn changing_bound(mut diagnostic: Box<Diagnostic>) -> Box<Diagnostic> {
    if diagnostic.code == "scalar-carried" {
        diagnostic.code = "loop-bound";
        diagnostic.message = "the bound of this loop changes while the nest runs".into();
        diagnostic.help = vec![
            "keep the bound fixed: run over all elements in every step and choose with an `if` inside the loop".into(),
        ];
    }
    diagnostic
}

pub fn is_data(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Read(_) | ExprKind::Local(_) | ExprKind::Accumulator(_)) || expr.ty.is_float()
}
