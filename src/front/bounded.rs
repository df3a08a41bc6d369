//! Loops at a point whose length is known only when the program runs, as in
//! `for (k = -radius; k <= radius; k++) sum += w[k + radius] * a[i + k];` where nothing tells the radius.
//!
//! Kernels have as many iterations written out as there is room for, each under the condition that the loop has it. The driver
//! sees before the nest whether the loop has more, and leaves the nest to the original loops then. Only what cannot be read
//! otherwise is read so. Loops that end at walls have no more iterations than those near the point.

use tree_sitter::Node;

use super::Failable;
use super::clamped::Near;
use super::exits::Exit;
use super::headers::has_break;
use super::left::Lost;
use super::loops::Start;
use super::polynomial::Polynomial;
use super::reader::{Binding, Reader, Unknown};
use super::tree::{nodes_in, strip_parentheses};
use super::types::CType;
use crate::ir::{Access, BinaryOp, Expr, ExprKind, Handle, Loop, RangeCheck, RangeFact, ScalarType};
use crate::source::{Diagnostic, Span};

/// How many iterations of a loop are written out, by the number of loops of unknown length in one another.
const ROOM: [i64; 3] = [33, 9, 5];

/// The iterations of a loop that are written out: its variable is `base` and one of the offsets.
pub struct Window {
    /// What the variable is relative to; nothing stands for zero.
    base: Option<Handle<Expr>>,
    /// From the first iteration to the last.
    offsets: Vec<i64>,
    /// Where the loop begins and ends, relative to the same: the lower and the upper one of the two.
    ends: [Polynomial; 2],
    /// What must hold so that the loop has no other iterations.
    lengths: Vec<Limited>,
    /// Whether the loop may begin behind the first of them though that is a constant apart.
    is_clamped: bool,
}

/// A polynomial of parameters with its least and its greatest value.
type Limited = (Polynomial, i64, i64);

/// From where to where a loop counts.
struct Course {
    /// What each iteration adds: 1 or -1.
    step: i64,
    /// The least and the greatest value of the variable, if there is any iteration.
    ends: [Polynomial; 2],
    /// Whether the condition compares without signs.
    is_unsigned: bool,
}

impl<'t> Reader<'_, '_, 't> {
    /// Notes that a loop might be read as one of bounded length.
    pub fn want_window(&mut self, body: Node<'t>, start: &Start<'t>) -> Failable<()> {
        if self.window(body, start)?.is_some() {
            self.unit.wanted.borrow_mut().bounded.insert(start.condition.start_byte());
        }
        Ok(())
    }

    /// The iterations that are written out of a loop that is to be read so.
    pub fn wanted_window(&mut self, body: Node<'t>, start: &Start<'t>) -> Failable<Option<Window>> {
        match self.unit.taken.bounded.contains(&start.condition.start_byte()) {
            true => self.window(body, start),
            false => Ok(None),
        }
    }

    fn window(&mut self, body: Node<'t>, start: &Start<'t>) -> Failable<Option<Window>> {
        let is_counted = start.updates.len() == 1 && !start.runs_first && !self.changes(body, start.variable);
        if self.loops.is_empty()
            || self.loops.len() == 1 && self.is_step_of_host()
            || !is_counted
            || has_break(body)
            || !self.is_plain_header(start)
        {
            return Ok(None);
        }
        let (room, along) = (self.room(body), self.elements_along(body, start));
        let window = self.course(start)?.and_then(|course| self.window_of(start, course, room, along));
        Ok(window.or_else(|| self.clamped_window(start, room)))
    }

    /// The iterations of a loop over those neighbours that are there.
    fn clamped_window(&mut self, start: &Start<'t>, room: i64) -> Option<Window> {
        let Near { moving, ends: [least, greatest] } = self.near_ends(start)?;
        let is_short = greatest.checked_sub(least).is_some_and(|more| more < room);
        let base = Some(self.part_that_is(&moving, start).filter(|_| is_short)?);
        let (offsets, lengths) = ((least..=greatest).collect(), Vec::new());
        Some(Window { base, offsets, ends: [least, greatest].map(Polynomial::constant), lengths, is_clamped: true })
    }

    fn room(&self, body: Node<'t>) -> i64 {
        self.room.unwrap_or_else(|| ROOM[loops_in_one_another(body).min(ROOM.len() - 1)])
    }

    /// From where to where the variable goes, so that it is a subscript, alone or with a constant, of elements that declared arrays
    /// have.
    fn elements_along(&self, body: Node<'t>, start: &Start<'t>) -> (i64, i64) {
        let mut along = (i64::MIN, i64::MAX);
        for (array, beyond) in self.places_along(body, start) {
            let Some(CType::Array(_, Some(size))) = self.scope.type_of(self.unit, array) else { continue };
            if let Some(count) = self.scope.constant(self.unit, size) {
                along = (along.0.max(beyond.saturating_neg()), along.1.min((count - 1).saturating_sub(beyond)));
            }
        }
        along
    }

    /// The arrays of which the variable of a loop is a subscript, and what is added to it there.
    fn places_along(&self, body: Node<'t>, start: &Start<'t>) -> Vec<(Node<'t>, i64)> {
        let name = self.name(start.variable);
        let is_it = |node: &Node<'t>| node.kind() == "identifier" && self.text(*node) == name;
        let constant = |node: Node<'t>| self.scope.constant(self.unit, node);
        let beyond = |index: Node<'t>| {
            if is_it(&index) {
                return Some(0);
            }
            let side = |name: &str| index.child_by_field_name(name).map(strip_parentheses);
            let (left, right) = (side("left")?, side("right")?);
            match self.text(index.child_by_field_name("operator")?) {
                "+" if is_it(&left) => constant(right),
                "+" if is_it(&right) => constant(left),
                "-" if is_it(&left) => constant(right)?.checked_neg(),
                _ => None,
            }
        };
        let place = |node: Node<'t>| {
            let index = strip_parentheses(node.child_by_field_name("index")?);
            Some((node.child_by_field_name("argument")?, beyond(index)?))
        };
        nodes_in(body).filter_map(place).collect()
    }

    /// Whether a loop goes over the elements of an array of the point's own.
    fn is_over_local_array(&mut self, body: Node<'t>, start: &Start<'t>) -> bool {
        let arrays = self.places_along(body, start).into_iter().map(|(array, _)| array);
        let names: Vec<&str> = arrays.filter(|it| it.kind() == "identifier").map(|it| self.text(it)).collect();
        names.into_iter().any(|name| self.local_pointer(name).is_some())
    }

    /// What the header says, if it counts by one.
    fn course(&mut self, start: &Start<'t>) -> Failable<Option<Course>> {
        let (first, next, second) = self.with_variable(start, start.first, |reader| {
            let (first, next) = (reader.compared(start), reader.next_value(start));
            (first, next, reader.compared(start))
        });
        let next = next?;
        let course = || {
            let (op, difference, is_unsigned) = first?;
            let begin = self.polynomial(start.first)?;
            let step = self.polynomial(next?)?.plus(&begin, -1)?.as_constant()?;
            let slope = second?.1.plus(&difference, -1)?.as_constant()?.checked_mul(step)?;
            if step.abs() != 1 || slope.abs() != 1 {
                return None;
            }
            // The variable is compared with this.
            let bound = begin.plus(&difference, -slope)?;
            let end = |beyond: i64| bound.plus(&Polynomial::constant(beyond), 1);
            let ends = match (step, if slope == 1 { op } else { op.turned() }) {
                (1, BinaryOp::Less) => [begin, end(-1)?],
                (1, BinaryOp::LessEqual) => [begin, end(0)?],
                (-1, BinaryOp::Greater) => [end(1)?, begin],
                (-1, BinaryOp::GreaterEqual) => [end(0)?, begin],
                _ => return None,
            };
            Some(Course { step, ends, is_unsigned })
        };
        Ok(course())
    }

    /// Looks at a loop's header while its variable holds `value`.
    pub fn with_variable<T>(&mut self, start: &Start<'t>, value: Handle<Expr>, look: impl FnOnce(&mut Self) -> T) -> T {
        let saved = (self.bindings.clone(), self.assigned.clone());
        self.bindings.insert(start.variable, Binding::Scalar(value));
        let seen = look(self);
        (self.bindings, self.assigned) = saved;
        seen
    }

    /// Counts, and returns what the variable holds then.
    pub fn next_value(&mut self, start: &Start<'t>) -> Failable<Option<Handle<Expr>>> {
        self.expression_statement(start.update, start.update)?;
        Ok(match self.bindings.get(&start.variable) {
            Some(Binding::Scalar(next)) => Some(*next),
            _ => None,
        })
    }

    /// The comparison that the condition is for what the variable holds now: its operator, the difference of its sides, and
    /// whether it compares without signs.
    fn compared(&mut self, start: &Start<'t>) -> Option<(BinaryOp, Polynomial, bool)> {
        let condition = self.scalar(start.condition).ok()?;
        let ExprKind::Binary(op, left, right) = *self.kind(condition) else { return None };
        let difference = self.polynomial(left)?.plus(&self.polynomial(right)?, -1)?;
        op.is_comparison().then(|| (op, difference, self.ty(left).is_unsigned()))
    }

    fn window_of(&self, start: &Start<'t>, course: Course, room: i64, along: (i64, i64)) -> Option<Window> {
        let [low, high] = &course.ends;
        let ends = [low.by_index()?.1, high.by_index()?.1];
        let moving = low.plus(&ends[0], -1)?;
        if moving != high.plus(&ends[1], -1)? {
            return None;
        }
        let base = if moving.is_zero() { None } else { Some(self.part_that_is(&moving, start)?) };
        let (least, greatest) = match (ends[0].as_constant(), ends[1].as_constant()) {
            (Some(_), Some(_)) => return None,
            (Some(least), None) => (least, least.checked_add(room - 1)?),
            (None, Some(greatest)) => (greatest.checked_sub(room - 1)?, greatest),
            (None, None) if grows(&ends[0], -1) && grows(&ends[1], 1) => (-room / 2, room / 2),
            (None, None) => return None,
        };
        // The iterations of an end that nothing checks are all there.
        let is_open = |end: &Polynomial| base.is_none() && end.as_constant().is_none();
        let least = if is_open(&ends[0]) { along.0.max(least) } else { least };
        let greatest = if is_open(&ends[1]) { along.1.min(greatest) } else { greatest };
        // A conversion to an unsigned type keeps what is not negative.
        if course.is_unsigned && (base.is_some() || ends[0].as_constant().is_none_or(|least| least < 0)) {
            return None;
        }
        let offsets = least..=greatest;
        let offsets = if course.step == 1 { offsets.collect() } else { offsets.rev().collect() };
        let checked = [(&ends[0], Some(least), None), (&ends[1], None, Some(greatest))];
        let checked = checked.into_iter().filter(|(end, ..)| end.as_constant().is_none());
        let lengths = checked.map(|(end, least, greatest)| within(end, least, greatest)).collect::<Option<_>>()?;
        Some(Window { base, offsets, ends, lengths, is_clamped: false })
    }

    /// What of the loop's first value is the polynomial, in the type of its variable.
    fn part_that_is(&self, polynomial: &Polynomial, start: &Start<'t>) -> Option<Handle<Expr>> {
        let is_it =
            |part: &Handle<Expr>| self.ty(*part) == start.ty && self.polynomial(*part).as_ref() == Some(polynomial);
        self.nest.reachable([start.first]).into_iter().find(is_it)
    }

    /// Executes the iterations of a window, each where the loop has it.
    ///
    /// # Errors
    /// What is in the way of that, or nothing there is near the point.
    pub fn bounded_loop(&mut self, node: Node<'t>, body: Node<'t>, start: &Start<'t>, window: Window) -> Failable<()> {
        let (span, known, stored) = (self.span(node), self.nest.accesses.len(), self.nest.step.statements.len());
        let outer = self.room.replace(self.room(body));
        let mut wanted = self.unit.wanted.borrow_mut();
        wanted.windows.insert(start.condition.start_byte());
        wanted.has_clamped |= window.is_clamped;
        drop(wanted);
        if let [outermost] = self.loops[..] {
            self.windows_of_outermost.push((outermost, span));
        }
        window.lengths.iter().for_each(|length| self.check_length(length, span));
        for offset in &window.offsets {
            let number = self.int(start.ty, *offset, span);
            let value = match window.base {
                Some(base) => self.binary(BinaryOp::Add, base, number, span),
                None => number,
            };
            self.bindings.insert(start.variable, Binding::Scalar(value));
            let Some(condition) = self.is_iteration(start, &window, value, span)? else { continue };
            self.where_holds(condition, span, |reader| {
                reader.within(Exit::Loop, |reader| reader.within(Exit::Iteration, |reader| reader.statement(body)))
            })?;
        }
        self.room = outer;
        if start.outlives {
            self.assigned.entry(start.variable).or_insert(span);
            self.lose(start.variable, Lost::Value("it counts a loop whose length is known only when the program runs"));
        }
        self.bindings.insert(start.variable, Binding::Unknown(Unknown::LeftByLoop(None), span));
        if self.stores_near(stored) && (self.reads_near(known) || self.is_over_local_array(body, start)) {
            return Ok(());
        }
        let help = "compute it in a loop of its own that is not marked";
        self.refuse(node, "scalar-carried", "this loop runs over points, and the nest itself needs what it gives", help)
    }

    /// Whether the loop has the iteration with that value; `None` if it surely does not.
    fn is_iteration(
        &mut self,
        start: &Start<'t>,
        window: &Window,
        value: Handle<Expr>,
        span: Span,
    ) -> Failable<Option<Handle<Expr>>> {
        let condition = self.scalar(start.condition)?;
        let condition = self.truth(condition);
        let is_up = window.offsets.first() <= window.offsets.last();
        let (op, first) = if is_up { (BinaryOp::GreaterEqual, 0) } else { (BinaryOp::LessEqual, 1) };
        let begins = match window.ends[first].as_constant() {
            Some(_) if !window.is_clamped => None,
            _ => Some(self.binary(op, value, start.first, span)),
        };
        let mut all = None;
        let mut parts: Vec<Handle<Expr>> = begins.into_iter().chain([condition]).collect();
        if window.is_clamped {
            parts = parts.into_iter().flat_map(|part| self.compared_with_chosen(part, span)).collect();
        }
        for part in parts {
            let known = self.constant(part).map(|it| it != 0);
            match known.or_else(|| self.holds_by_difference(part).filter(|_| window.is_clamped)) {
                Some(false) => return Ok(None),
                Some(true) => {}
                None => all = Some(all.map_or(part, |all| self.binary(BinaryOp::And, all, part, span))),
            }
        }
        Ok(Some(match all {
            Some(all) => all,
            None => self.int(ScalarType::I32, 1, span),
        }))
    }

    /// The steps of a loop over time have no loops of bounded length outside of those over space.
    pub fn check_windows(&self, time: Handle<Loop>) -> Failable<()> {
        let Some((_, span)) = self.windows_of_outermost.iter().find(|(around, _)| *around == time) else {
            return Ok(());
        };
        let message = "how many iterations this loop has is known only when the program runs";
        let error = Diagnostic::error("scalar-carried", message, *span);
        Err(Box::new(error.with_help("compute what it gives before the loop over time steps, or by loops over space")))
    }

    /// Lets the driver see what a loop's length is made of.
    fn check_length(&mut self, (length, least, greatest): &Limited, span: Span) {
        let is_same = |it: &RangeCheck| {
            (it.least, it.greatest) == (*least, *greatest) && self.polynomial(it.value).as_ref() == Some(length)
        };
        if self.nest.lengths().any(is_same) {
            return;
        }
        let value = self.polynomial_expr(length, span);
        let (loops, guards, says) = (Vec::new(), Vec::new(), RangeFact::Length);
        self.nest.range_checks.push(RangeCheck { value, least: *least, greatest: *greatest, loops, guards, says });
    }

    /// Whether one of the accesses behind the first `known` ones is of an element that the place of the point decides.
    fn reads_near(&self, known: usize) -> bool {
        self.nest.accesses.handles().skip(known).any(|access| self.is_near(access))
    }

    /// Whether all statements behind the first `known` ones store such elements: others are sums over points.
    fn stores_near(&self, known: usize) -> bool {
        self.nest.step.statements[known..].iter().all(|statement| self.is_near(statement.write))
    }

    fn is_near(&self, access: Handle<Access>) -> bool {
        self.loops.iter().any(|this| self.nest.moves_with(&self.nest.accesses[access], *this))
    }
}

/// The terms of a polynomial without the constant, with signs turned if all of them are negative, and what they must be between so
/// that the polynomial is between these numbers.
fn within(polynomial: &Polynomial, least: Option<i64>, greatest: Option<i64>) -> Option<Limited> {
    let constant = polynomial.coefficient(&Vec::new());
    let terms = polynomial.plus(&Polynomial::constant(constant), -1)?;
    let shifted = |limit: Option<i64>| limit.map(|it| it.checked_sub(constant));
    let (least, greatest) = match (shifted(least), shifted(greatest)) {
        (Some(None), _) | (_, Some(None)) => return None,
        (least, greatest) => (least.flatten(), greatest.flatten()),
    };
    let (terms, least, greatest) = match grows(&terms, -1) {
        true => (Polynomial::default().plus(&terms, -1)?, negated(greatest), negated(least)),
        false => (terms, least, greatest),
    };
    Some((terms, least.unwrap_or(i64::MIN), greatest.unwrap_or(i64::MAX)))
}

fn negated(limit: Option<i64>) -> Option<i64> {
    limit.and_then(i64::checked_neg)
}

/// Whether all terms but the constant have that sign.
fn grows(polynomial: &Polynomial, sign: i64) -> bool {
    polynomial.terms().all(|(monomial, coefficient)| monomial.is_empty() || coefficient.signum() == sign)
}

/// How many loops of a body are in one another.
fn loops_in_one_another(body: Node) -> usize {
    let around = |inner: Node| {
        let outwards = std::iter::successors(Some(inner), |it| if *it == body { None } else { it.parent() });
        outwards.filter(|it| it.kind() == "for_statement").count()
    };
    nodes_in(body).map(around).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};
    use crate::ir::{Nest, RangeCheck, display};

    /// A nest over `i` with `loops` that make something of `s` at each point.
    fn point(loops: &str) -> String {
        let body = format!(
            "int k, l; static const double c[6][99];\n#pragma stencil\nfor (int i = r; i < n - r; i++) {{ double s = 0; {loops} b[i] = s; }}"
        );
        function("int n, int r, unsigned m, const double *a, double *b, const double *w", &body)
    }

    fn limits(nest: &Nest) -> Vec<(String, i64, i64)> {
        let limit = |it: &RangeCheck| (display::expression(nest, it.value), it.least, it.greatest);
        nest.lengths().map(limit).collect()
    }

    fn reads(nest: &Nest) -> usize {
        nest.accesses.len() - nest.step.statements.len()
    }

    #[test]
    fn windows_lie_around_what_is_known_of_a_loop() {
        let upper = |limit| vec![("(long long)r".to_owned(), i64::MIN, limit)];
        for (header, count, limits_here) in [
            ("k = -r; k <= r; k++", 33, upper(16)),
            ("k = r; k >= -r; k--", 33, upper(16)),
            ("k = 0; k < r; k++", 33, upper(33)),
            ("k = 1; k <= 2 * r; k += 1", 33, vec![("(2 * (long long)r)".to_owned(), i64::MIN, 33)]),
            ("k = r; k > 0; k--", 33, upper(33)),
            ("k = i - r; k <= i + r; k++", 33, upper(16)),
            ("k = i; k <= i + r; k++", 33, upper(32)),
        ] {
            let element = if header.contains('i') { "a[k]" } else { "a[i + k]" };
            let nest = read(&point(&format!("for ({header}) s += {element};")));
            assert_eq!((nest.loops.len(), reads(&nest)), (1, count), "{header}: {nest}");
            assert_eq!(limits(&nest), limits_here, "{header}");
        }
    }

    #[test]
    fn declared_arrays_and_loops_in_one_another_say_how_long_they_are() {
        let nest = read(&point("for (k = 0; k < r; k++) s += c[k][i];"));
        assert_eq!((reads(&nest), limits(&nest)), (6, vec![("(long long)r".to_owned(), i64::MIN, 6)]), "{nest}");
        let nest = read(&point("for (k = -r; k <= r; k++) for (l = -r; l <= r; l++) s += a[i + k + 9 * l];"));
        assert_eq!((reads(&nest), limits(&nest)), (81, vec![("(long long)r".to_owned(), i64::MIN, 4)]), "{nest}");
    }

    #[test]
    fn what_is_no_loop_over_neighbours_is_refused_as_before() {
        for loops in [
            "for (k = 0; k < n; k++) s += w[k];",
            "for (k = 0; k <= i; k++) s += a[k];",
            "for (k = 0; k < r; k += 2) s += a[i + k];",
            "for (k = 0; k != r; k++) s += a[i + k];",
            "for (k = -r; k < m; k++) s += a[i + k];",
        ] {
            let refused = refusal(&point(loops));
            assert_eq!(refused.code, "scalar-carried", "{loops}");
            assert!(refused.message.contains("cannot be unrolled"), "{loops}: {refused:?}");
        }
        // Its own value is of no use behind it.
        assert_eq!(refusal(&point("for (k = 0; k < r; k++) s += a[i + k]; s += k;")).code, "scalar-carried");
    }
}
