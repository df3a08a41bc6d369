//! Loops that count through all points of a grid by one number, which the body takes apart:
//! `for (k = 0; k < ny * nx; k++) { y = k / nx; x = k % nx; ... }`.
//!
//! Such a loop is one loop for each digit of the number: `for (y = 0; y < ny; y++) for (x = 0; x < nx; x++)` with `k` as
//! `y * nx + x`, in the same order. The driver sees before the nest that rows are not empty. What the number is divided by is known
//! only when the body has been read, so the nest is read once more then.

use tree_sitter::Node;

use super::Failable;
use super::exits::Exit;
use super::integers::is_invariant;
use super::left::Lost;
use super::loops::Start;
use super::polynomial::{Indeterminate, Polynomial};
use super::reader::{Binding, Change, Reader, Unknown};
use super::wanted::Divisor;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, Loop, RangeCheck, RangeFact, ScalarType};
use crate::source::Span;

/// What is known of a loop over numbers that the body may divide.
#[derive(Clone, Debug)]
pub struct Counting {
    /// Where the loop begins in the file.
    start: usize,
    /// How far apart neighbours of the loop are in the number.
    stride: Polynomial,
    /// How many values the index has, from 0 on, if it is a digit but the first one.
    length: Option<Polynomial>,
    /// Whether the index is a digit, the first one or another.
    is_digit: bool,
}

/// Loops for the digits of a number, outermost first, with their strides.
pub struct Digits(Vec<(Handle<Loop>, Polynomial)>);

impl<'t> Reader<'_, '_, 't> {
    /// The quotient or the remainder of a number and what it is divided by, or the difference of two numbers, where digits tell;
    /// notes what a number is divided by where they do not.
    pub fn of_digits(
        &mut self,
        op: BinaryOp,
        ty: ScalarType,
        (left, right): (Handle<Expr>, Handle<Expr>),
        span: Span,
    ) -> Option<Handle<Expr>> {
        if op == BinaryOp::Sub && ty.is_integer() {
            return self.digit_left(ty, (left, right), span);
        }
        if !ty.is_integer() || !matches!(op, BinaryOp::Div | BinaryOp::Rem) {
            return None;
        }
        let divisor = self.divisor(left, right)?;
        let parts = self.polynomial(left).and_then(|number| self.parts(&number, &divisor));
        let Some((quotient, remainder)) = parts else {
            self.want_digits(left, &divisor);
            return None;
        };
        self.plain_sum(if op == BinaryOp::Div { &quotient } else { &remainder }, ty, span)
    }

    /// What a number is divided by; a quotient is a number of its own where the other one is a loop's.
    fn divisor(&mut self, left: Handle<Expr>, right: Handle<Expr>) -> Option<Polynomial> {
        self.polynomial(right).or_else(|| {
            let is_number = is_invariant(self, right) && self.counted_number(left).is_some();
            let number = is_number.then(|| self.normalised(right))?;
            self.polynomial(number)
        })
    }

    /// The digit that is left of a number without its other digits: `k - y * nx` is `x`.
    fn digit_left(
        &mut self,
        ty: ScalarType,
        (left, right): (Handle<Expr>, Handle<Expr>),
        span: Span,
    ) -> Option<Handle<Expr>> {
        if self.counting.values().all(|it| !it.is_digit) {
            return None;
        }
        let difference = self.polynomial(left)?.plus(&self.polynomial(right)?, -1)?;
        let (digit, _) = self.counting.iter().find(|(this, counting)| {
            counting.is_digit && difference == Polynomial::term(vec![Indeterminate::Index(**this)], 1)
        })?;
        let digit = Some(*digit).filter(|digit| self.nest.loops[*digit].ty == ty)?;
        Some(self.expr(ty, ExprKind::Index(digit), span))
    }

    /// Quotient and remainder of a sum of digits.
    fn parts(&self, number: &Polynomial, divisor: &Polynomial) -> Option<(Polynomial, Polynomial)> {
        let (by_index, rest) = number.by_index()?;
        let (mut quotient, mut remainder, mut greatest) = <(Polynomial, Polynomial, Polynomial)>::default();
        if !rest.is_zero() || by_index.is_empty() {
            return None;
        }
        for (indeterminate, factor) in by_index {
            let Indeterminate::Index(this) = indeterminate else { return None };
            let digit = self.counting.get(&this).filter(|it| it.is_digit)?;
            if !self.is_stride(&factor, digit.start) {
                return None;
            }
            let index = Polynomial::term(vec![indeterminate], 1);
            if let Some(whole) = factor.exactly_divided(divisor).filter(|whole| self.is_stride(whole, digit.start)) {
                quotient = quotient.plus(&whole.times(&index)?, 1)?;
            } else {
                let last = digit.length.as_ref()?.plus(&Polynomial::constant(1), -1)?;
                remainder = remainder.plus(&factor.times(&index)?, 1)?;
                greatest = greatest.plus(&factor.times(&last)?, 1)?;
            }
        }
        let left = divisor.plus(&Polynomial::constant(1), -1)?.plus(&greatest, -1)?;
        left.as_constant().filter(|left| *left >= 0)?;
        Some((quotient, remainder))
    }

    /// Whether a factor is what some digits of a number have in the number or in a part of it, which is at least 1.
    fn is_stride(&self, factor: &Polynomial, start: usize) -> bool {
        let strides = || self.counting.values().filter(|it| it.is_digit && it.start == start).map(|it| &it.stride);
        strides().any(|one| strides().any(|other| one.exactly_divided(other).as_ref() == Some(factor)))
    }

    /// Notes by what a number would have to be divided so that digits tell its quotients.
    fn want_digits(&self, left: Handle<Expr>, divisor: &Polynomial) {
        let Some((this, stride)) = self.counted_number(left) else { return };
        let Some(counting) = self.counting.get(&this) else { return };
        let divisor = counting.stride.times(&stride).and_then(|stride| stride.times(divisor));
        let Some(divisor) = divisor.and_then(|divisor| self.portable(&divisor)) else { return };
        let is_of_space = self.loops.first() != Some(&this);
        let mut wanted = self.unit.wanted.borrow_mut();
        wanted.is_needed |= is_of_space && divisor.iter().any(|(factors, _)| !factors.is_empty());
        wanted.ways.digits.entry(counting.start).or_default().insert(divisor);
    }

    /// The loop whose number this is a part of, and by what it has been divided.
    fn counted_number(&self, expr: Handle<Expr>) -> Option<(Handle<Loop>, Polynomial)> {
        match *self.kind(expr) {
            ExprKind::Index(this) => Some((this, Polynomial::constant(1))),
            ExprKind::Convert(inner) => self.counted_number(inner),
            ExprKind::Binary(BinaryOp::Rem, number, _) => self.counted_number(number),
            ExprKind::Binary(BinaryOp::Div, number, divisor) => {
                let (this, stride) = self.counted_number(number)?;
                Some((this, stride.times(&self.polynomial(divisor)?)?))
            }
            _ => match self.polynomial(expr)?.by_index()? {
                (by_index, rest) if rest.is_zero() && by_index.len() == 1 => {
                    let (index, factor) = by_index.into_iter().next()?;
                    let Indeterminate::Index(this) = index else { return None };
                    Some((this, Polynomial::constant(1))).filter(|_| factor.as_constant() == Some(1))
                }
                _ => None,
            },
        }
    }

    /// A product of the host's variables as another reading finds it.
    fn portable(&self, polynomial: &Polynomial) -> Option<Divisor> {
        let factor = |symbol: &Indeterminate| match symbol {
            Indeterminate::Param(param) => self.size_in(*param),
            _ => None,
        };
        let term = |(monomial, coefficient): (&Vec<Indeterminate>, i64)| {
            Some((monomial.iter().map(factor).collect::<Option<_>>()?, coefficient))
        };
        polynomial.terms().map(term).collect()
    }

    fn found(&mut self, divisor: &Divisor, span: Span) -> Option<Polynomial> {
        let mut sum = Polynomial::default();
        for (factors, coefficient) in divisor {
            let mut product = Polynomial::constant(*coefficient);
            for size in factors {
                let size = self.size(size, span)?;
                product = product.times(&self.polynomial(size)?)?;
            }
            sum = sum.plus(&product, 1)?;
        }
        Some(sum)
    }

    /// Notes that a loop counts.
    pub fn note_counting(&mut self, node: Node<'t>, this: Handle<Loop>) {
        let start = self.unit.original(node.start_byte());
        let counting = Counting { start, stride: Polynomial::constant(1), length: None, is_digit: false };
        self.counting.insert(this, counting);
    }

    /// Makes loops for the digits of the number through which `this` counts, if the nest is to be read so.
    pub fn digits(&mut self, node: Node<'t>, body: Node<'t>, start: &Start<'t>, this: Handle<Loop>) -> Option<Digits> {
        let begin = self.unit.original(node.start_byte());
        let wanted = self.unit.taken.ways.digits.get(&begin)?;
        let Loop { first, relation, bound, step, ty, .. } = self.nest.loops[this].clone();
        let is_plain = start.updates.len() == 1 && !start.is_real && !start.runs_first && step == 1;
        let is_checked = |check: &RangeCheck| check.loops.contains(&this);
        if !is_plain || self.changes(body, start.variable) || self.nest.range_checks.iter().any(is_checked) {
            return None;
        }
        let beyond = match relation {
            BinaryOp::Less => 0,
            BinaryOp::LessEqual => 1,
            _ => return None,
        };
        let span = self.nest.loops.span(this);
        let strides: Vec<_> = wanted.iter().filter_map(|divisor| self.found(divisor, span)).collect();
        self.want_square_tiles(&strides, bound);
        let (first, end) = (self.polynomial(first)?, self.polynomial(bound)?.plus(&Polynomial::constant(beyond), 1)?);
        let strides = chain(strides, &first, &end);
        let Some(outer) = strides.first() else {
            self.want_assigned_end(&end);
            return None;
        };
        let (first, end) = (first.exactly_divided(outer)?, end.exactly_divided(outer)?);
        // C cuts quotients of negative numbers towards 0.
        first.as_constant().filter(|first| *first >= 0)?;
        let lengths: Vec<_> =
            strides.windows(2).map(|pair| pair[0].exactly_divided(&pair[1])).collect::<Option<_>>()?;
        self.plain_sum(&strides[0], ty, span)?;
        let name = self.name(start.variable).to_owned();
        let mut digits = Vec::with_capacity(strides.len());
        for (level, stride) in strides.into_iter().enumerate() {
            let length = level.checked_sub(1).map(|outer| lengths[outer].clone());
            if let Some(length) = &length {
                self.require_length(length, span);
            }
            let (first, end) = match &length {
                Some(length) => (Polynomial::default(), length),
                None => (first.clone(), &end),
            };
            let variable = self.undeclared(format!("digit_{level}_of_{name}"));
            let (first, bound) = (self.polynomial_expr(&first, span), self.polynomial_expr(end, span));
            let entry = Loop { variable, ty, outlives: false, first, relation: BinaryOp::Less, bound, step: 1 };
            let digit = if level == 0 { this } else { self.nest.loops.push(entry.clone(), span) };
            self.nest.loops[digit] = entry;
            let counting = Counting { start: begin, stride: stride.clone(), length, is_digit: true };
            self.counting.insert(digit, counting);
            digits.push((digit, stride));
        }
        Some(Digits(digits))
    }

    /// Leaves it to the driver to see that rows are not empty.
    fn require_length(&mut self, length: &Polynomial, span: Span) {
        if length.as_constant().is_some_and(|length| length >= 1) {
            return;
        }
        let value = self.polynomial_expr(length, span);
        let guards: Vec<_> = self.guards.iter().copied().filter(|guard| is_invariant(self, *guard)).collect();
        let (loops, says, greatest) = (Vec::new(), RangeFact::Integers, i64::from(i32::MAX));
        self.nest.range_checks.push(RangeCheck { value, least: 1, greatest, loops, guards, says });
    }

    /// Executes the body for all digits.
    pub fn digit_loops(
        &mut self,
        node: Node<'t>,
        body: Node<'t>,
        (digits, start): (&Digits, &Start<'t>),
        changed: &[Change],
    ) -> Failable<()> {
        const APART: Lost = Lost::Value("its loop is read as several loops, one in another");
        self.digit_loop(node, body, (digits, 0, start), changed)?;
        let span = self.span(node);
        self.bindings.insert(start.variable, Binding::Unknown(Unknown::LeftByLoop(None), span));
        if start.outlives {
            self.lose(start.variable, APART);
            self.assigned.entry(start.variable).or_insert(span);
        }
        Ok(())
    }

    fn digit_loop(
        &mut self,
        node: Node<'t>,
        body: Node<'t>,
        (digits, level, start): (&Digits, usize, &Start<'t>),
        changed: &[Change],
    ) -> Failable<()> {
        let Some((this, _)) = digits.0.get(level) else {
            let number = self.number_of(digits, start);
            self.bindings.insert(start.variable, Binding::Scalar(number));
            return self.within(Exit::Iteration, |reader| reader.statement(body));
        };
        let inner = |reader: &mut Self| reader.digit_loop(node, body, (digits, level + 1, start), changed);
        self.run_loop(node, *this, changed, inner)
    }

    /// The number that the digits are.
    fn number_of(&mut self, Digits(digits): &Digits, start: &Start<'t>) -> Handle<Expr> {
        let span = self.nest.loops.span(digits[0].0);
        let mut number = Polynomial::default();
        for (digit, stride) in digits {
            let part = stride.times(&Polynomial::term(vec![Indeterminate::Index(*digit)], 1));
            number = part.and_then(|part| number.plus(&part, 1)).unwrap_or_default();
        }
        let sum = self.plain_sum(&number, start.ty, span);
        sum.unwrap_or_else(|| unreachable!("the strides are numbers of that type"))
    }

    /// A sum that C computes in `ty` or in 64 bits; `None` if parameters in it have other types.
    pub fn plain_sum(&mut self, polynomial: &Polynomial, ty: ScalarType, span: Span) -> Option<Handle<Expr>> {
        let mut terms = polynomial.terms();
        if let (Some((monomial, 1)), None) = (terms.next(), terms.next())
            && let [Indeterminate::Index(this)] = monomial.as_slice()
            && self.nest.loops[*this].ty == ty
        {
            return Some(self.expr(ty, ExprKind::Index(*this), span));
        }
        if ty.size() == 8 {
            let sum = self.polynomial_expr(polynomial, span);
            return Some(self.convert(sum, ty));
        }
        let mut sum = self.int(ty, 0, span);
        for (monomial, coefficient) in polynomial.terms().filter(|_| ty == ScalarType::I32) {
            let mut product = self.int(ty, i64::from(i32::try_from(coefficient).ok()?), span);
            for symbol in monomial {
                let factor = match *symbol {
                    Indeterminate::Param(param) if self.nest.params[param].ty == ty => ExprKind::Param(param),
                    Indeterminate::Index(this) if self.nest.loops[this].ty == ty => ExprKind::Index(this),
                    _ => return None,
                };
                let factor = self.expr(ty, factor, span);
                product = match self.constant(product) {
                    Some(1) => factor,
                    _ => self.binary(BinaryOp::Mul, product, factor, span),
                };
            }
            sum = self.binary(BinaryOp::Add, sum, product, span);
        }
        Some(sum).filter(|_| ty == ScalarType::I32)
    }
}

/// Those of some divisors of which each divides the next, and the last one where a loop begins and ends; the largest one first, and 1
/// behind them.
fn chain(mut divisors: Vec<Polynomial>, first: &Polynomial, end: &Polynomial) -> Vec<Polynomial> {
    divisors.sort_by_key(Polynomial::degree);
    let one = Polynomial::constant(1);
    let mut chain = vec![one.clone()];
    for divisor in divisors {
        let is_large = divisor.as_constant().is_none_or(|divisor| divisor > 1);
        let is_whole = is_large && [first, end].into_iter().all(|it| it.exactly_divided(&divisor).is_some());
        let last = chain.last().unwrap_or(&one);
        if is_whole && divisor != *last && divisor.exactly_divided(last).is_some() {
            chain.push(divisor);
        }
    }
    chain.reverse();
    if chain.len() > 1 { chain } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read};

    /// What a nest is with a loop of that header, and what is in it.
    fn nest(header: &str, body: &str) -> String {
        let nest = format!("#pragma stencil\nfor (int t = 0; t < 9; t++) for ({header}) {{ {body} }}");
        read(&function("int n, int m, int l, double *a, const double *b", &nest)).to_string()
    }

    #[test]
    fn digits_have_loops() {
        for body in [
            "int y = k / n, x = k % n; a[y * n + x] += b[k];",
            "int y = k / n, x = k - y * n; a[y * n + x] += b[k];",
            "if (k % n > 0 && k / n < m - 1) a[k + n - 1] += b[k];",
            "int q = k; int x = q % n; q /= n; a[q * n + x] += b[k];",
        ] {
            let read = nest("int k = 0; k < n * m; k++", body);
            for (level, end) in ["m", "n"].iter().enumerate() {
                let digit = format!("digit_{level}_of_k");
                let header = format!("loop int {digit} = 0; {digit} < (long long){end}; {digit} += 1");
                assert!(read.contains(&header) && !read.contains("/ n"), "{body}: {read}");
            }
        }
    }

    #[test]
    fn numbers_may_begin_and_end_with_any_row_and_have_any_number_of_digits() {
        let some_rows = nest("long k = n; k <= (long)n * (m - 1) - 1; k++", "if (k % n) a[k] = b[k - n];");
        assert!(some_rows.contains("digit_0_of_k = 1; digit_0_of_k < ((long long)m - 1)"), "{some_rows}");
        let planes =
            "int z = k / (n * m), rest = k % (n * m), y = rest / n, x = rest % n; a[k] = b[k] + x + 2 * y + z;";
        let planes = nest("int k = 0; k < n * m * l; k++", planes);
        assert!(planes.contains("digit_2_of_k") && !planes.contains('/'), "{planes}");
    }

    #[test]
    fn other_numbers_have_one_loop() {
        for (header, body) in [
            ("int k = 0; k < n * m - 1; k++", "if (k % n) a[k] = b[k];"),
            ("int k = 0; k < n * m; k += 2", "if (k % n) a[k] = b[k];"),
            ("int k = -n; k < n * m; k++", "if (k % n) a[k + n] = b[k + n];"),
            ("int k = n * m - 1; k >= 0; k--", "if (k % n) a[k] = b[k];"),
            ("int k = 0; k < n * m; k++", "if (k % l) a[k] = b[k];"),
            ("int k = l * n; k < n * m; k++", "if (k % n) a[k] = b[k];"),
        ] {
            let read = nest(header, body);
            assert!(!read.contains("digit_"), "{header} {body}: {read}");
        }
    }
}
