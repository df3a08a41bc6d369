//! Single loops over all elements of flat arrays that other loops go through by rows and columns.
//!
//! Example: beside `b[i * m + j] = a[(i - 1) * m + j];` the loop `for (k = 0; k < n * m; k++) a[k] = b[k];` becomes one over `n`
//! rows and one over `m` columns, with the row times `m` plus the column for `k`: the same iterations in the same order, as the
//! driver makes sure that no size is negative.

use std::collections::BTreeSet;

use super::delinearize::{Flat, delinearize};
use super::folds::replace_in;
use super::integers::is_invariant;
use super::polynomial::{Indeterminate, Polynomial, Ranges};
use super::reader::Reader;
use crate::ir::{Access, BinaryOp, Expr, ExprKind, Handle, Loop, MODERATE, RangeCheck, RangeFact, Replay};
use crate::source::Span;

/// A loop, and the loops that take its place.
struct Split {
    whole: Handle<Loop>,
    /// Number of iterations of each loop, outermost first.
    sizes: Vec<Polynomial>,
    /// What an iteration of each counts for in the index of the whole loop.
    strides: Vec<Polynomial>,
}

impl Reader<'_, '_, '_> {
    /// Splits loops over whole arrays into those over their rows and columns.
    pub fn split_whole_loops(&mut self) {
        // The shape that one loop gives an array may tell that of another one.
        while let Some(split) = self.whole_loop() {
            let span = self.nest.loops.span(split.whole);
            let loops: Vec<_> = split.sizes.iter().map(|size| self.loop_over(size, span)).collect();
            self.check_sizes(&loops);
            let Some(index) = Self::index_of(&loops, &split.strides) else { return };
            self.replace_index(split.whole, &index, span);
            self.replace_loop(split.whole, &loops);
        }
    }

    fn whole_loop(&self) -> Option<Split> {
        let ranges = self.ranges();
        self.nest.loops.handles().skip(1).find_map(|whole| self.as_whole_loop(whole, &ranges))
    }

    fn as_whole_loop(&self, whole: Handle<Loop>, ranges: &Ranges) -> Option<Split> {
        let &Loop { first, relation, bound, step, .. } = &self.nest.loops[whole];
        let counts = relation == BinaryOp::Less && step == 1 && self.constant(first) == Some(0);
        let is_looked_at = self.is_checked_in(whole) || self.leaves_more_than_index(whole, &self.replay);
        if !counts || !is_invariant(self, bound) || is_looked_at {
            return None;
        }
        let (within, beside): (Vec<_>, Vec<_>) =
            self.nest.accesses.handles().partition(|access| self.nest.accesses[*access].loops.contains(&whole));
        if within.is_empty() || !within.iter().all(|access| self.is_plainly_in(*access, whole)) {
            return None;
        }
        let strides = self.common_strides(&within, &beside, ranges)?;
        let mut sizes = vec![self.polynomial(bound)?.exactly_divided(&strides[0])?];
        for pair in strides.windows(2) {
            sizes.push(pair[0].exactly_divided(&pair[1])?);
        }
        Some(Split { whole, sizes, strides })
    }

    /// Whether the driver checks something in each iteration of a loop.
    fn is_checked_in(&self, whole: Handle<Loop>) -> bool {
        let checks = self.nest.range_checks.iter().map(|check| &check.loops);
        checks.chain(self.nest.covers.iter().map(|cover| &cover.loops)).any(|loops| loops.contains(&whole))
    }

    /// Whether a loop's last iteration sets scalars that outlive the nest, beside its counter.
    fn leaves_more_than_index(&self, whole: Handle<Loop>, replay: &[Replay]) -> bool {
        replay.iter().any(|it| match it {
            Replay::Loop(this, inner) => {
                *this == whole && !inner.is_empty() || self.leaves_more_than_index(whole, inner)
            }
            Replay::Scalar(_) => false,
            Replay::Setting(_) => true,
        })
    }

    /// Whether a loop is the only one around an access beside the outermost, and no condition on its index is there.
    fn is_plainly_in(&self, access: Handle<Access>, whole: Handle<Loop>) -> bool {
        let Access { loops, guards, subscripts, .. } = &self.nest.accesses[access];
        let is_it = |part: &Expr| is_index_of(&part.kind, whole);
        if subscripts.iter().any(|it| self.polynomial(*it).is_none()) {
            return false;
        }
        loops.len() == 2 && loops[1] == whole && !guards.iter().any(|guard| self.any(*guard, &is_it))
    }

    /// The strides that accesses beside a loop show of the flat arrays within it, if all that show some show the same.
    fn common_strides(
        &self,
        within: &[Handle<Access>],
        beside: &[Handle<Access>],
        ranges: &Ranges,
    ) -> Option<Vec<Polynomial>> {
        let mut common: Option<Vec<Polynomial>> = None;
        for array in self.nest.arrays.handles() {
            let is_of = |access: &&Handle<Access>| self.nest.accesses[**access].array == array;
            if !within.iter().any(|access| is_of(&access)) {
                continue;
            }
            let flat: Option<Vec<_>> =
                beside.iter().filter(is_of).map(|access| self.only_subscript(*access, ranges)).collect();
            let shape = flat.and_then(|flat| delinearize(&flat, ranges, &BTreeSet::new()));
            let Some(strides) = shape.map(|shape| shape.strides).filter(|strides| strides.len() > 1) else { continue };
            if common.get_or_insert_with(|| strides.clone()) != &strides {
                return None;
            }
        }
        common.filter(|strides| strides[0].as_constant().is_none())
    }

    fn only_subscript(&self, access: Handle<Access>, ranges: &Ranges) -> Option<Flat> {
        if self.nest.accesses[access].subscripts.len() == 1 { self.flat(access, 0, ranges) } else { None }
    }

    /// The driver checks that the loops have the iterations that their sizes say.
    fn check_sizes(&mut self, loops: &[Handle<Loop>]) {
        let bounds = loops.iter().map(|this| self.nest.loops[*this].bound);
        let bounds: Vec<_> = bounds.filter(|bound| self.constant(*bound).is_none()).collect();
        let at_least_zero = |value| RangeCheck {
            value,
            least: 0,
            greatest: MODERATE,
            loops: Vec::new(),
            guards: Vec::new(),
            says: RangeFact::Integers,
        };
        self.nest.range_checks.extend(bounds.into_iter().map(at_least_zero));
    }

    /// The index of the whole loop, by those of the loops in its place.
    fn index_of(loops: &[Handle<Loop>], strides: &[Polynomial]) -> Option<Polynomial> {
        let parts = loops
            .iter()
            .zip(strides)
            .map(|(this, stride)| Polynomial::term(vec![Indeterminate::Index(*this)], 1).times(stride));
        parts.into_iter().try_fold(Polynomial::default(), |sum, part| sum.plus(&part?, 1))
    }

    /// Lets `index` take the place of a loop's index in subscripts, and in values as an integer of the loop's type.
    fn replace_index(&mut self, whole: Handle<Loop>, index: &Polynomial, span: Span) {
        for access in self.nest.accesses.handles().collect::<Vec<_>>() {
            for dimension in 0..self.nest.accesses[access].subscripts.len() {
                let subscript = self.nest.accesses[access].subscripts[dimension];
                if let Some(moved) = self.with_index_of(subscript, whole, index) {
                    self.nest.accesses[access].subscripts[dimension] = self.polynomial_expr(&moved, span);
                }
            }
        }
        let value = self.polynomial_expr(index, span);
        let value = self.convert(value, self.nest.loops[whole].ty);
        for expr in self.nest.exprs.handles().collect::<Vec<_>>() {
            if is_index_of(&self.nest.exprs[expr].kind, whole) {
                self.nest.exprs[expr].kind = self.nest.exprs[value].kind.clone();
            }
        }
    }

    fn with_index_of(&self, subscript: Handle<Expr>, whole: Handle<Loop>, index: &Polynomial) -> Option<Polynomial> {
        let this = Indeterminate::Index(whole);
        let moves = self.any(subscript, &|part| is_index_of(&part.kind, whole));
        let subscript = self.polynomial(subscript).filter(|_| moves)?;
        subscript.substituted(&|it| Some(if it == this { index.clone() } else { Polynomial::term(vec![it], 1) }))
    }

    fn replace_loop(&mut self, whole: Handle<Loop>, loops: &[Handle<Loop>]) {
        for access in self.nest.accesses.handles().collect::<Vec<_>>() {
            let Access { loops: around, position, .. } = &mut self.nest.accesses[access];
            replace_in(around, position, whole, loops);
        }
        self.folds.replace_loop(whole, loops);
    }
}

fn is_index_of(kind: &ExprKind, this: Handle<Loop>) -> bool {
    matches!(kind, ExprKind::Index(it) if *it == this)
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read};

    const ROWS: &str =
        "for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) b[i * m + j] = a[(i - 1) * m + j];";

    fn text(body: &str) -> String {
        let steps = format!("#pragma stencil\nfor (int t = 0; t < steps; t++) {{ {body} }}");
        read(&function("int n, int m, int steps, double *a, double *b", &steps)).to_string().replace("(long long)", "")
    }

    #[test]
    fn a_loop_over_all_elements_is_one_over_rows_and_columns() {
        let text = text(&format!("{ROWS} for (int k = 0; k < n * m; k++) a[k] = b[k] + k;"));
        assert!(text.contains("loop long long value_element = 0; value_element < n;"), "{text}");
        assert!(text.contains("loop long long value_element_2 = 0; value_element_2 < m;"), "{text}");
        assert!(text.contains("a[value_element][value_element_2] = (b[value_element][value_element_2] + "), "{text}");
    }

    #[test]
    fn other_loops_stay_as_they_are() {
        for other in [
            "for (int k = 0; k < n; k++) a[k] = b[k];",
            "for (int k = 1; k < n * m; k++) a[k] = b[k];",
            "for (int k = 0; k < n * m; k++) if (k > 3) a[k] = b[k];",
        ] {
            let text = text(&format!("{ROWS} {other}"));
            assert!(!text.contains("element"), "{text}");
        }
        let flat = text("for (int k = 0; k < n * m; k++) a[k] = b[k];");
        assert!(!flat.contains("element"), "{flat}");
    }
}
