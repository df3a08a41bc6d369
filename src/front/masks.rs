//! Remainders by masks whose width only the program knows: `(i - 1) & (n - 1)` is never negative, and goes round a grid of `n`
//! points where `n` is a power of two. The driver sees before the nest that it is one.

use super::integers::is_invariant;
use super::integral::Trust;
use super::polynomial::Polynomial;
use super::reader::Reader;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, ScalarType};

impl Reader<'_, '_, '_> {
    /// A value and what it is a remainder by if `masked` is one by a mask that no loop moves.
    pub fn masked_sums(&mut self, masked: Handle<Expr>) -> Option<(Polynomial, Polynomial)> {
        let (value, mask) = self.mask_of(masked)?;
        let here = self.here();
        // The low bits of what wraps around are those of the integer that does not.
        let value = self.congruent(value, here.clone()).ok()?;
        let mask = self.integral(mask, here, Trust::Checks).ok()?;
        let modulus = self.polynomial(mask)?.plus(&Polynomial::constant(1), 1)?;
        let is_still = modulus.by_index()?.0.is_empty();
        Some((self.polynomial(value)?, modulus)).filter(|_| is_still)
    }

    /// Leaves it to the driver to check that the mask of `masked`, if it has one, keeps low bits and no others.
    pub fn check_mask(&mut self, masked: Handle<Expr>) {
        let Some((_, mask)) = self.mask_of(masked) else { return };
        let span = self.nest.exprs.span(masked);
        let (bits, one) = (self.convert(mask, ScalarType::U64), self.int(ScalarType::U64, 1, span));
        let next = self.binary(BinaryOp::Add, bits, one, span);
        let common = self.binary(BinaryOp::BitAnd, bits, next, span);
        let none = self.int(ScalarType::U64, 0, span);
        let keeps_others = self.binary(BinaryOp::NotEqual, common, none, span);
        self.check_on_host(keeps_others, true);
    }

    /// What is masked and the mask, which no loop changes and no constant tells.
    fn mask_of(&self, masked: Handle<Expr>) -> Option<(Handle<Expr>, Handle<Expr>)> {
        let ExprKind::Binary(BinaryOp::BitAnd, left, right) = *self.kind(masked) else { return None };
        let (value, mask) = if is_invariant(self, right) { (left, right) } else { (right, left) };
        let is_mask = is_invariant(self, mask) && !is_invariant(self, value) && self.constant(mask).is_none();
        is_mask.then_some((value, mask))
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read};

    fn text(subscript: &str) -> String {
        let body = format!(
            "#pragma stencil\nfor (int t = 0; t < steps; t++) {{ for (int i = 0; i < n; i++) b[i] = a[{subscript}]; for (int i = 0; i < n; i++) a[i] = b[i]; }}"
        );
        read(&function("int n, int steps, double *a, double *b", &body)).to_string().replace("(long long)", "")
    }

    #[test]
    fn what_goes_round_by_a_mask_is_a_choice_between_sums() {
        for subscript in ["(i - 1) & (n - 1)", "(n - 1) & (i - 1)", "(i - 1u) & (n - 1u)"] {
            let text = text(subscript);
            assert!(text.contains("? a[((i + n) - 1)] : a[(i - 1)]"), "{subscript}: {text}");
        }
        assert!(text("(i + 1) & (n - 1)").contains("? a[(i + 1)] : a[((i - n) + 1)]"));
    }

    #[test]
    fn the_driver_sees_that_a_mask_keeps_low_bits_alone() {
        let text = text("(i - 1) & (n - 1)");
        assert!(text.contains("& ("), "{text}");
    }
}
