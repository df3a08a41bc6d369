//! Real numbers that are whole: what is added to places by tables of directions that are declared `double`.
//!
//! In `int east = x + e[k].x;` C computes in `double` and converts back. Sums of few numbers of 32 bits are exact there, and what
//! does not fit the integer in the end has no meaning in C, so that the sum may be one of integers.

use super::numbers::Constant;
use super::reader::Reader;
use crate::ir::Expr;
use crate::ir::{BinaryOp, ExprKind, Handle, ScalarType, UnaryOp};
use crate::source::Span;

/// Sums have so many levels.
const MAX_LEVELS: usize = 4;

impl Reader<'_, '_, '_> {
    /// The sum of integers that `expr`, a sum of whole numbers in `double`, is as a value of the integer type `ty`.
    pub fn whole_sum(&mut self, expr: Handle<Expr>, ty: ScalarType) -> Option<Handle<Expr>> {
        if let ExprKind::Convert(inner) = *self.kind(expr)
            && ty.is_integer()
            && self.ty(expr) == ScalarType::F64
            && self.constant(inner).is_some()
        {
            return self.whole_leaf(expr, ty);
        }
        let ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, left, right) = *self.kind(expr) else { return None };
        if self.ty(expr) != ScalarType::F64 || !ty.is_integer() {
            return None;
        }
        // One sum of `int` is out of range where the result is.
        let is_plain = [left, right].into_iter().all(|side| self.whole_leaf(side, ScalarType::I32).is_some());
        let within = if ty == ScalarType::I32 && is_plain { ty } else { ScalarType::I64 };
        let sum = self.whole(expr, within, MAX_LEVELS)?;
        Some(self.convert(sum, ty))
    }

    fn whole(&mut self, expr: Handle<Expr>, ty: ScalarType, levels: usize) -> Option<Handle<Expr>> {
        let span = self.nest.exprs.span(expr);
        match *self.kind(expr) {
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) if levels > 0 => {
                let (left, right) = (self.whole(left, ty, levels - 1)?, self.whole(right, ty, levels - 1)?);
                Some(self.binary(op, left, right, span))
            }
            ExprKind::Unary(UnaryOp::Negate, inner) if levels > 0 => {
                let (zero, inner) = (self.int(ty, 0, span), self.whole(inner, ty, levels - 1)?);
                Some(self.binary(BinaryOp::Sub, zero, inner, span))
            }
            _ => self.whole_leaf(expr, ty),
        }
    }

    /// The value of a constant in `double` that is whole and has few digits.
    pub fn whole_double(&self, expr: Handle<Expr>) -> Option<i64> {
        if self.ty(expr) != ScalarType::F64 {
            return None;
        }
        let value = match *self.kind(expr) {
            ExprKind::Unary(UnaryOp::Negate, inner) => self.whole_double(inner).map(|value| -value),
            ExprKind::Convert(inner) => self.constant(inner),
            _ => self.literal(expr).and_then(whole_number),
        };
        value.filter(|value| i32::try_from(*value).is_ok())
    }

    /// An integer of 32 bits that is converted, or a whole constant.
    fn whole_leaf(&mut self, expr: Handle<Expr>, ty: ScalarType) -> Option<Handle<Expr>> {
        let span = self.nest.exprs.span(expr);
        if let ExprKind::Convert(inner) = *self.kind(expr)
            && self.constant(inner).is_none()
        {
            let fits = self.ty(inner).is_integer() && self.ty(inner).size() <= 4 && self.ty(inner) != ScalarType::U32;
            return fits.then(|| self.convert(inner, ty));
        }
        let value = match *self.kind(expr) {
            ExprKind::Convert(inner) => self.constant(inner),
            _ => self.literal(expr).and_then(whole_number),
        };
        value.filter(|value| i32::try_from(*value).is_ok()).map(|value| self.int(ty, value, span))
    }

    /// An integer in `double` for a constant that is whole.
    pub fn whole_constant(&mut self, constant: Constant, span: Span) -> Option<Handle<Expr>> {
        let value = self.int(ScalarType::I64, whole_number(constant)?, span);
        Some(self.convert(value, ScalarType::F64))
    }
}

/// The integer that a constant is.
pub fn whole_number(constant: Constant) -> Option<i64> {
    let whole = constant.converted(ScalarType::I64)?;
    let difference = whole.converted(constant.ty)?.binary(BinaryOp::Equal, constant)?;
    whole.as_i64().filter(|_| difference.is_true())
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, read_all};

    fn nest(before: &str, body: &str) -> String {
        let text = format!("#pragma stencil\nfor (int i = 2; i < n - 2; i++) for (int k = 0; k < 3; k++) {{ {body} }}");
        format!("{before}\n{}", function("int n, const double *a, double (*b)[99]", &text))
    }

    #[test]
    fn whole_numbers_of_tables_are_added_to_places() {
        let flat = "static const double e[3] = {0.0, 1.0, -2};";
        let text = read(&nest(flat, "int j = i + e[k]; b[k][j] = a[i];")).to_string();
        assert!(text.contains("b[1][(i + 1)] = ") && text.contains("b[2][(i + -2)] = "), "{text}");
        let members = "static const struct { double x, y; } e[3] = {{0.0, 0}, {1.0, 0}, {-1.0, 0}};";
        let text = read(&nest(members, "b[k][(int)(i - e[k].x + e[k].y)] = a[i];")).to_string();
        assert!(text.contains("b[2]["), "{text}");
        let chosen = read(&nest(members, "if (e[k].x != -1.0) b[k][i] = a[i];")).to_string();
        assert!(chosen.contains("b[1][i]") && !chosen.contains("b[2][i]") && !chosen.contains("guard"), "{chosen}");
        let cast = read(&nest(members, "b[k][i - (int)e[k].x] = *(a + i + 2 * (long)e[k].x);")).to_string();
        let cast = cast.replace("(long long)", "");
        assert!(cast.contains("b[2][(i - -1)] = a[(i - 2)]"), "{cast}");
    }

    #[test]
    fn other_numbers_are_data() {
        for table in ["static const double e[3] = {0.0, 0.5, 1};", "static double e[3] = {0.0, 1.0, -1.0};"] {
            let is_accepted = read_all(&nest(table, "int j = i + e[k]; b[k][j] = a[i];")).remove(0);
            let is_moved = is_accepted.is_ok_and(|nest| nest.to_string().contains("b[1][(i + 1)]"));
            assert!(!is_moved, "{table}");
        }
    }
}
