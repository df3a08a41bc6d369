//! Subscripts that choose, as in `a[i == 0 ? n - 1 : i - 1]` or `a[(i + 1) % n]`: the choice is made between elements.
//!
//! No integer set has such a subscript, but it has each of the values that the subscript may take, and the places where it
//! takes them. So an element behind one is read as `i == 0 ? a[n - 1] : a[i - 1]`, and stored by one statement a piece.
//! Every element is split on its own: seven neighbours with an edge each are fourteen pieces, not 2^7.

use super::Failable;
use super::arrays::Element;
use super::integers::is_invariant;
use super::integral::Trust;
use super::polynomial::Indeterminate;
use super::reader::Reader;
use super::splits::ends;
use crate::ir::{BinaryOp, Expr, ExprKind, Function, Handle, ScalarType, UnaryOp};
use crate::source::Span;

/// Conditions that may choose one element; its pieces are at most two to this power.
const MAX_CHOICES: usize = 8;

impl Reader<'_, '_, '_> {
    /// The value of an element, or the choice of elements that its subscripts are.
    pub fn read_chosen(&mut self, element: &Element, span: Span) -> Failable<Handle<Expr>> {
        self.read_pieces(element.clone(), MAX_CHOICES, span)
    }

    fn read_pieces(&mut self, element: Element, choices: usize, span: Span) -> Failable<Handle<Expr>> {
        let element = self.opened(element);
        let Some(condition) = self.choosing(&element).filter(|_| choices > 0) else {
            return Ok(match self.chosen_by_data(&element, span) {
                Some(chosen) => chosen,
                None => self.read_element(&element, span),
            });
        };
        let opposite = self.unary(UnaryOp::Not, condition, span);
        let (then, otherwise) = (self.piece(&element, condition, true), self.piece(&element, condition, false));
        let then = self.under(condition, |reader| reader.read_pieces(then, choices - 1, span))?;
        let otherwise = self.under(opposite, |reader| reader.read_pieces(otherwise, choices - 1, span))?;
        Ok(self.expr(element.ty, ExprKind::Select(condition, then, otherwise), span))
    }

    /// Stores `value` in an element, or in the one that its subscripts choose.
    pub fn store_chosen(&mut self, element: Element, value: Handle<Expr>, place: Span, span: Span) -> Failable<()> {
        self.store_pieces(element, value, MAX_CHOICES, (place, span))
    }

    fn store_pieces(
        &mut self,
        element: Element,
        value: Handle<Expr>,
        choices: usize,
        (place, span): (Span, Span),
    ) -> Failable<()> {
        let element = self.opened(element);
        let condition = self.choosing(&element).filter(|_| choices > 0);
        // Where data chooses, nothing says that the other element exists.
        let Some(condition) = condition.filter(|it| self.integral_condition(*it, self.here()).is_ok()) else {
            return self.store(element, value, place, span);
        };
        let opposite = self.unary(UnaryOp::Not, condition, span);
        for (guard, holds) in [(condition, true), (opposite, false)] {
            let piece = self.piece(&element, condition, holds);
            self.under(guard, |reader| reader.store_pieces(piece, value, choices - 1, (place, span)))?;
        }
        Ok(())
    }

    /// The element where a condition that its subscripts have holds, or does not.
    fn piece(&mut self, element: &Element, condition: Handle<Expr>, holds: bool) -> Element {
        let subscripts = element.subscripts.iter().map(|it| self.settled(*it, condition, holds)).collect();
        Element { subscripts, ..element.clone() }
    }

    /// The element with every choice in its subscripts as one between expressions.
    fn opened(&mut self, element: Element) -> Element {
        let opened = |it: &Handle<Expr>| {
            let is_of_row = self.scales_remainder(*it, false) || self.has_place_in_row(*it);
            let it = if is_of_row { self.with_remainders_opened(*it) } else { *it };
            self.opened_part(it)
        };
        let subscripts = element.subscripts.iter().map(opened).collect();
        Element { subscripts, ..element }
    }

    /// Whether a remainder by a constant is multiplied, as the row is in the subscript `(i + 1) % 20 * 30 + j`.
    fn scales_remainder(&self, expr: Handle<Expr>, is_scaled: bool) -> bool {
        match *self.kind(expr) {
            _ if is_invariant(self, expr) || self.ty(expr).is_float() => false,
            ExprKind::Binary(BinaryOp::Rem, _, modulus) if is_scaled && self.constant(modulus).is_some() => true,
            ExprKind::Local(local) => self.scales_remainder(self.nest.locals[local].value, is_scaled),
            ExprKind::Binary(BinaryOp::Mul, left, right) => {
                self.scales_remainder(left, true) || self.scales_remainder(right, true)
            }
            ref kind => kind.operands().into_iter().any(|operand| self.scales_remainder(operand, is_scaled)),
        }
    }

    /// Whether a remainder by a constant is a place within a row of so many elements, as in `j * 20 + (i + 1) % 20`. The outermost loop
    /// goes by no such places: `2 * i + t % 2` has levels of time.
    fn has_place_in_row(&self, expr: Handle<Expr>) -> bool {
        if is_invariant(self, expr) || self.ty(expr).is_float() {
            return false;
        }
        let mut addends = Vec::new();
        self.add_addends(expr, &mut addends);
        let coefficients = |it: &Handle<Expr>| self.polynomial(*it).and_then(|it| it.by_index()).map(|(all, _)| all);
        let lengths: Vec<i64> = addends.iter().filter_map(|it| self.length_of_row(*it)).collect();
        let rows = addends.iter().filter_map(coefficients).flat_map(|all| all.into_values().collect::<Vec<_>>());
        let strides: Vec<i64> = rows.filter_map(|it| it.as_constant()).filter(|it| *it != 0).collect();
        lengths.into_iter().any(|length| strides.iter().any(|stride| stride % length == 0))
    }

    /// What an integer is the sum of, behind the names of values and conversions.
    fn add_addends(&self, expr: Handle<Expr>, found: &mut Vec<Handle<Expr>>) {
        match *self.kind(expr) {
            ExprKind::Local(local) => self.add_addends(self.nest.locals[local].value, found),
            ExprKind::Convert(inner) if self.ty(inner).is_integer() => self.add_addends(inner, found),
            ExprKind::Binary(BinaryOp::Add, left, right) => {
                self.add_addends(left, found);
                self.add_addends(right, found);
            }
            _ => found.push(expr),
        }
    }

    /// The constant of a remainder that the outermost loop does not change.
    fn length_of_row(&self, expr: Handle<Expr>) -> Option<i64> {
        let ExprKind::Binary(BinaryOp::Rem, value, modulus) = *self.kind(expr) else { return None };
        let indices = self.polynomial(value)?.by_index()?.0;
        let outermost = self.loops.first().map(|it| Indeterminate::Index(*it));
        let is_steady = !indices.is_empty() && indices.keys().all(|it| Some(*it) != outermost);
        self.constant(modulus).filter(|length| *length > 1 && is_steady)
    }

    /// A subscript of several dimensions with its remainders by constants as choices between sums, which make dimensions.
    fn with_remainders_opened(&mut self, expr: Handle<Expr>) -> Handle<Expr> {
        if is_invariant(self, expr) || self.ty(expr).is_float() {
            return expr;
        }
        if let ExprKind::Local(local) = *self.kind(expr) {
            let value = self.nest.locals[local].value;
            let opened = self.with_remainders_opened(value);
            return if opened == value { expr } else { opened };
        }
        let operands = self.kind(expr).operands();
        let opened: Vec<_> = operands.iter().map(|operand| self.with_remainders_opened(*operand)).collect();
        let whole = if opened == operands { expr } else { self.with_parts(expr, &opened) };
        match (self.kind(whole).clone(), opened.as_slice()) {
            (ExprKind::Binary(BinaryOp::Rem, ..), [value, modulus]) if self.constant(*modulus).is_some() => {
                self.remainder_by_periods(whole, *value, *modulus).unwrap_or(whole)
            }
            _ => whole,
        }
    }

    /// The condition that chooses first in the subscripts of an element.
    fn choosing(&mut self, element: &Element) -> Option<Handle<Expr>> {
        element.subscripts.iter().find_map(|subscript| self.first_choice(*subscript))
    }

    fn first_choice(&mut self, expr: Handle<Expr>) -> Option<Handle<Expr>> {
        let kind = self.kind(expr).clone();
        match kind {
            _ if is_invariant(self, expr) => None,
            // Equal values are told apart by place: they may be different distances away.
            ExprKind::Select(condition, then, otherwise)
                if self.is_same(then, otherwise) || !self.has_integral_form(expr) =>
            {
                self.first_choice(condition).or(Some(condition))
            }
            ExprKind::Select(..) | ExprKind::Call(..) => None,
            _ => kind.operands().into_iter().find_map(|operand| self.first_choice(operand)),
        }
    }

    /// Whether integer sets have the expression as it stands.
    pub fn has_integral_form(&mut self, expr: Handle<Expr>) -> bool {
        let (checks, naturals) = (self.nest.range_checks.len(), self.naturals.clone());
        let is_integral = self.integral(expr, self.here(), Trust::Checks).is_ok();
        self.nest.range_checks.truncate(checks);
        self.naturals = naturals;
        is_integral
    }

    /// `expr` where `condition` holds, or does not.
    fn settled(&mut self, expr: Handle<Expr>, condition: Handle<Expr>, holds: bool) -> Handle<Expr> {
        if let ExprKind::Select(chooser, then, otherwise) = *self.kind(expr)
            && self.is_same(chooser, condition)
        {
            return self.settled(if holds { then } else { otherwise }, condition, holds);
        }
        let operands = self.kind(expr).operands();
        let settled: Vec<_> = operands.iter().map(|operand| self.settled(*operand, condition, holds)).collect();
        if settled == operands { expr } else { self.with_parts(expr, &settled) }
    }

    /// `expr` with other operands of the same values, perhaps of wider types.
    pub fn with_parts(&mut self, expr: Handle<Expr>, parts: &[Handle<Expr>]) -> Handle<Expr> {
        let span = self.nest.exprs.span(expr);
        match (self.kind(expr).clone(), parts) {
            (ExprKind::Binary(op, ..), [left, right]) => self.binary(op, *left, *right, span),
            (ExprKind::Unary(op, _), [operand]) => self.unary(op, *operand, span),
            (ExprKind::Convert(_), [operand]) => self.convert(*operand, self.ty(expr)),
            (ExprKind::Select(..), [condition, then, otherwise]) => {
                let common = self.ty(*then).common(self.ty(*otherwise));
                let (then, otherwise) = (self.convert(*then, common), self.convert(*otherwise, common));
                self.expr(common, ExprKind::Select(*condition, then, otherwise), span)
            }
            (ExprKind::Call(function, _), arguments) => {
                self.expr(self.ty(expr), ExprKind::Call(function, arguments.to_vec()), span)
            }
            _ => expr,
        }
    }

    /// An integer with remainders, truth values, absolute values and scalars that choose as choices between expressions.
    fn opened_part(&mut self, expr: Handle<Expr>) -> Handle<Expr> {
        if is_invariant(self, expr) || self.ty(expr).is_float() {
            return expr;
        }
        let kind = self.kind(expr).clone();
        match kind {
            ExprKind::Local(local) => {
                let value = self.nest.locals[local].value;
                let opened = self.opened_part(value);
                let is_known = opened != value && self.plain_polynomial(opened).is_some();
                if is_known || self.first_choice(opened).is_some() { opened } else { expr }
            }
            ExprKind::Read(access) => match self.by_rule(access) {
                Some(rule) => self.opened_part(rule),
                None => expr,
            },
            ExprKind::Unary(UnaryOp::Not, _) => self.opened_truth(expr),
            ExprKind::Binary(op, ..) if op.is_logical() => self.opened_truth(expr),
            ExprKind::Select(condition, then, otherwise) => {
                let opened = self.opened_condition(condition);
                let expr = if opened == condition { expr } else { self.with_parts(expr, &[opened, then, otherwise]) };
                self.with_constant_offsets(expr)
            }
            _ => self.opened_operation(expr),
        }
    }

    fn opened_operation(&mut self, expr: Handle<Expr>) -> Handle<Expr> {
        if let Some(wrapped) = self.wrapped_by_periods(expr) {
            return wrapped;
        }
        let operands = self.kind(expr).operands();
        let opened: Vec<_> = operands.iter().map(|operand| self.opened_part(*operand)).collect();
        let whole = if opened == operands { expr } else { self.with_parts(expr, &opened) };
        if opened.iter().any(|operand| self.first_choice(*operand).is_some()) {
            return whole;
        }
        match (self.kind(whole).clone(), opened.as_slice()) {
            (ExprKind::Binary(BinaryOp::Rem, ..), [value, modulus])
                if self.constant(*modulus).is_none() || self.begins_negative(*value) =>
            {
                self.remainder_by_periods(whole, *value, *modulus).unwrap_or(whole)
            }
            (ExprKind::Call(Function::Abs, _), [value]) => self.opened_absolute_value(whole, *value),
            _ => whole,
        }
    }

    /// Whether a sum runs from a negative constant to another constant: sets round its remainders otherwise than C.
    fn begins_negative(&self, value: Handle<Expr>) -> bool {
        let ends = self.polynomial(value).and_then(|value| ends(&value, &self.ranges_here()));
        ends.is_some_and(|(first, last)| first.as_constant().is_some_and(|it| it < 0) && last.as_constant().is_some())
    }

    fn opened_absolute_value(&mut self, whole: Handle<Expr>, value: Handle<Expr>) -> Handle<Expr> {
        let (ty, span) = (self.ty(whole), self.nest.exprs.span(whole));
        let zero = self.int(ty, 0, span);
        let is_negative = self.binary(BinaryOp::Less, value, zero, span);
        let opposite = self.unary(UnaryOp::Negate, value, span);
        let choice = self.expr(ty, ExprKind::Select(is_negative, opposite, value), span);
        self.with_constant_offsets(choice)
    }

    /// A truth value that is counted with, as in `i + (i < n - 1)`.
    fn opened_truth(&mut self, expr: Handle<Expr>) -> Handle<Expr> {
        if self.has_integral_form(expr) {
            return expr;
        }
        if let Some(turning) = self.turning_truth(expr) {
            return turning;
        }
        let span = self.nest.exprs.span(expr);
        let condition = self.opened_condition(expr);
        let (one, zero) = (self.int(ScalarType::I32, 1, span), self.int(ScalarType::I32, 0, span));
        self.expr(ScalarType::I32, ExprKind::Select(condition, one, zero), span)
    }

    fn opened_condition(&mut self, condition: Handle<Expr>) -> Handle<Expr> {
        let is_word = match self.kind(condition) {
            ExprKind::Binary(op, ..) => matches!(op, BinaryOp::And | BinaryOp::Or),
            ExprKind::Unary(op, _) => *op == UnaryOp::Not,
            _ => false,
        };
        let operands = self.kind(condition).operands();
        let open = if is_word { Self::opened_condition } else { Self::opened_part };
        let opened: Vec<_> = operands.iter().map(|operand| open(self, *operand)).collect();
        if opened == operands { condition } else { self.with_parts(condition, &opened) }
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};

    const PARAMETERS: &str = "int n, int m, double (*a)[m], double (*b)[m], const int *flags";

    /// The text of a nest over all points of `b` that assigns `statement`.
    fn text(statement: &str) -> String {
        let loops = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)";
        let nest = function(PARAMETERS, &format!("#pragma stencil\n{loops} {{ {statement} }}"));
        read(&format!("int abs(int);\n{nest}")).to_string().replace("(long long)", "")
    }

    #[test]
    fn a_subscript_that_chooses_is_a_choice_of_elements() {
        let text = text("b[i][j] = a[i == 0 ? n - 1 : i - 1][j];");
        assert!(text.contains("= ((i == 0) ? a[(n - 1)][j] : a[(i - 1)][j])"), "{text}");
        assert!(text.contains("if (i == 0) a[(n - 1)][j]") && text.contains("if !(i == 0) a[(i - 1)][j]"), "{text}");
    }

    #[test]
    fn temporaries_that_an_if_changes_choose() {
        let text = text("int s = i + 1; if (s >= n) s -= n; if (s < 0) s += n; b[i][j] = a[s][j];");
        assert!(text.contains("a[((i + 1) - n)][j]") && text.contains("a[(i + 1)][j]"), "{text}");
    }

    #[test]
    fn truth_values_and_absolute_values_choose() {
        let truth = text("b[i][j] = a[i + (i < n - 1)][j];");
        assert!(truth.contains("((i < (n - 1)) ? a[(i + 1)][j] : a[i][j])"), "{truth}");
        let absolute = text("b[i][j] = a[abs(i - 1)][j];");
        assert!(absolute.contains("(((i - 1) < 0) ? a[-(i - 1)][j] : a[(i - 1)][j])"), "{absolute}");
    }

    #[test]
    fn a_condition_chooses_in_all_subscripts_alike() {
        let text = text("int s = j > 0 ? 1 : 0; b[i][j] = a[i + s * m - s * m][j - s];");
        assert_eq!(text.matches("read ").count(), 2, "{text}");
    }

    #[test]
    fn places_in_rows_of_a_constant_length_choose() {
        let flat = |subscript: &str, loops: &str| {
            let body = format!("#pragma stencil\n{loops} {{ d[i * 20 + j] = c[{subscript}]; c[i * 20 + j] = 1; }}");
            read(&function("int n, double *c, double *d", &body)).to_string().replace("(long long)", "")
        };
        let loops = "for (int i = 0; i < n; i++) for (int j = 0; j < 20; j++)";
        for subscript in ["i * 20 + (j + 1) % 20", "(j + 1) % 20 + 20 * i"] {
            let text = flat(subscript, loops);
            assert!(text.contains("c[i][(j + 1)]") && text.contains("c[i][(j - 19)]"), "{text}");
        }
        let before = flat("i * 20 + (j + 19) % 20", loops);
        assert!(before.contains("c[i][(j + 19)]") && before.contains("c[i][(j - 1)]"), "{before}");
    }

    #[test]
    fn stores_go_to_each_of_the_elements() {
        let text = text("b[(i + 1) % n][j] = a[i][j];");
        assert!(text.contains("if (i < (n - 1)) b[(i + 1)][j] = a[i][j]"), "{text}");
        assert!(text.contains("if !(i < (n - 1)) b[((i - n) + 1)][j] = a[i][j]"), "{text}");
    }

    #[test]
    fn data_choose_what_is_read_but_not_what_is_stored() {
        let read = text("int s = flags[j] > 0 ? j : 0; b[i][j] = a[i][s];");
        assert!(read.contains("? a[i][j] : a[i][0])"), "{read}");
        let flat = "#pragma stencil\nfor (int i = 0; i < n; i++) { int s = flags[i] > 0 ? i : 0; c[s] = 1; }";
        assert_eq!(refusal(&function("int n, const int *flags, double *c", flat)).code, "subscript");
    }
}
