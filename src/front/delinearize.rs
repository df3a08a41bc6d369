//! Recovers the dimensions of arrays that are reached by flat subscripts.
//!
//! Example: `a[(z*n + y)*m + x - m]` gives the strides `n*m`, `m` and 1, and the subscripts `[z][y - 1][x]`.

use std::collections::{BTreeMap, BTreeSet};

use super::polynomial::{Indeterminate, Polynomial, Ranges};
use super::splits::{Score, lengths, whole_part};

/// Strides, outermost first, the last 1, and for each access one subscript per stride.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Distance in elements between neighbours in each dimension.
    pub strides: Vec<Polynomial>,
    /// For each access its subscripts.
    pub subscripts: Vec<Vec<Polynomial>>,
}

/// A flat subscript, and the ranges of indices where the conditions around it hold: each way to tell them is true.
pub type Flat = (Polynomial, Vec<Ranges>);

/// Splits the flat subscripts of one array's accesses into dimensions; `ranges` are those of the loops, and `products` the
/// variables that the program makes of sizes by multiplying them.
///
/// `None` if a subscript has a product of two indices, or the order of the strides cannot be told.
pub fn delinearize(flat: &[Flat], ranges: &Ranges, products: &BTreeSet<Indeterminate>) -> Option<Shape> {
    let split: Vec<_> = flat.iter().map(|(flat, _)| flat.by_index()).collect::<Option<_>>()?;
    let quotients = flat.iter().flat_map(|(_, ways)| ways).flat_map(|way| way.keys().copied());
    let quotients = quotients.filter(|it| matches!(it, Indeterminate::Param(_))).collect();
    let sizes = Sizes { quotients: &quotients, products };
    let strides = find_strides(&split, ranges, &sizes)?;
    with_strides(flat, strides)
}

/// Splits the flat subscripts by strides that are known.
pub fn with_strides(flat: &[Flat], strides: Vec<Polynomial>) -> Option<Shape> {
    let lengths = lengths(&strides);
    let mut subscripts: Vec<Vec<Polynomial>> = Vec::with_capacity(flat.len());
    for (at, one) in flat.iter().enumerate() {
        // Programs write the same subscript again and again.
        let known = flat[..at].iter().position(|other| other == one);
        subscripts.push(match known {
            Some(known) => subscripts[known].clone(),
            None => distribute(one, &Rows { strides: &strides, lengths: &lengths })?,
        });
    }
    Some(Shape { strides, subscripts })
}

type Linear = (BTreeMap<Indeterminate, Polynomial>, Polynomial);

/// What is known of the variables that subscripts are made of.
struct Sizes<'s> {
    /// Those that are parts of sizes.
    quotients: &'s BTreeSet<Indeterminate>,
    /// Those that are products of sizes.
    products: &'s BTreeSet<Indeterminate>,
}

/// The strides of all subscripts.
fn find_strides(split: &[Linear], ranges: &Ranges, sizes: &Sizes) -> Option<Vec<Polynomial>> {
    let mut candidates: Vec<(Polynomial, usize)> = Vec::new();
    for (this, coefficient) in split.iter().flat_map(|(coefficients, _)| coefficients) {
        let coefficient = with_positive_lead(coefficient)?;
        match candidates.iter_mut().find(|(other, _)| *other == coefficient) {
            Some((_, depth)) => *depth = (*depth).min(nesting(*this)),
            None => candidates.push((coefficient, nesting(*this))),
        }
    }
    candidates.sort_by_key(|(coefficient, _)| {
        (
            coefficient.degree(),
            coefficient.terms().count(),
            coefficient.as_constant(),
            coefficient.terms().map(|it| it.1).max(),
        )
    });
    let mut strides: Vec<(Polynomial, usize)> = vec![(Polynomial::constant(1), usize::MAX)];
    for (candidate, depth) in candidates {
        let is_new = match candidate.as_constant() {
            Some(value) => value > 1 && constant_stride(value, split, ranges).is_some(),
            None => !is_combination(&candidate, &strides)?,
        };
        if is_new {
            strides.push((candidate, depth));
        }
    }
    add_planes(&mut strides, split, sizes)?;
    order(&mut strides)?;
    Some(strides.into_iter().map(|(stride, _)| stride).collect())
}

/// Adds the sizes of planes that no loop moves over; a size that is a stride already is the outermost one.
fn add_planes(strides: &mut Vec<(Polynomial, usize)>, split: &[Linear], sizes: &Sizes) -> Option<()> {
    let beside_rows = beside_rows(strides, split)?;
    for plane in planes(split.iter().map(|(_, rest)| rest), sizes.products) {
        if let Some((_, depth)) = strides.iter_mut().find(|(stride, _)| *stride == plane) {
            *depth = 0;
            continue;
        }
        let divides = |(stride, _): &(Polynomial, usize)| {
            stride.as_constant() != Some(1) && plane.exactly_divided(stride).is_some()
        };
        // What is a part of a row's length, as `n` of `n + 4`, is added where rows are.
        let is_part = |(stride, _): &(Polynomial, usize)| {
            stride.terms().any(|(monomial, _)| plane.terms().any(|(other, _)| other == monomial))
        };
        // A part of a size is a place within a row.
        let is_place = plane.terms().any(|(monomial, _)| monomial.iter().any(|it| sizes.quotients.contains(it)));
        if strides.len() > 1
            && !is_place
            && !strides.iter().any(is_part)
            && !strides.iter().any(divides)
            && planes(&beside_rows, sizes.products).contains(&plane)
            && !is_combination(&plane, strides)?
        {
            strides.push((plane, 0));
        }
    }
    Some(())
}

/// What is added to subscripts besides whole rows: nothing in `(n - 1) * m + j`, although `n` is added in `n * m + 2 * n`.
fn beside_rows(strides: &[(Polynomial, usize)], split: &[Linear]) -> Option<Vec<Polynomial>> {
    let rows = || strides.iter().rev().map(|(stride, _)| stride).filter(|stride| stride.as_constant().is_none());
    split.iter().map(|(_, rest)| rows().try_fold(rest.clone(), |rest, row| Some(rest.divided(row)?.1))).collect()
}

/// The sizes of planes: what subscripts add that no loop moves, nothing, once and more often, as in `f[2 * n + y * m + x]`. A product
/// of sizes need not be added more often than once.
fn planes<'a>(
    sums: impl IntoIterator<Item = &'a Polynomial, IntoIter: Clone>,
    products: &BTreeSet<Indeterminate>,
) -> Vec<Polynomial> {
    let sums = sums.into_iter();
    let all: BTreeSet<_> = sums.clone().flat_map(|sum| sum.terms().map(|(monomial, _)| monomial)).collect();
    let is_plane = |monomial: &&&Vec<Indeterminate>| {
        let counts: BTreeSet<i64> = sums.clone().map(|sum| sum.coefficient(monomial)).collect();
        // A number of rows of a length that is a sum, as in `k * (p + 2)`, is none.
        let is_part =
            all.iter().any(|it| it.len() > monomial.len() && monomial.iter().all(|factor| it.contains(factor)));
        let is_product = matches!(monomial.as_slice(), [size] if products.contains(size));
        let least = if is_product { 1 } else { 2 };
        !monomial.is_empty() && !is_part && counts.first() == Some(&0) && counts.last() >= Some(&least)
    };
    all.iter().filter(is_plane).map(|monomial| Polynomial::term(monomial.to_vec(), 1)).collect()
}

/// How far outside a symbol varies: smaller is further out.
fn nesting(symbol: Indeterminate) -> usize {
    match symbol {
        Indeterminate::Index(this) => this.index() + 1,
        Indeterminate::Parity(_) => usize::MAX,
        Indeterminate::Time(_) | Indeterminate::Param(_) => 0,
    }
}

/// The polynomial or its opposite, so that the coefficient of its highest term is positive.
pub fn with_positive_lead(polynomial: &Polynomial) -> Option<Polynomial> {
    let (_, lead) = polynomial.terms().max_by_key(|(monomial, _)| (monomial.len(), (*monomial).clone()))?;
    if lead < 0 { Polynomial::default().plus(polynomial, -1) } else { Some(polynomial.clone()) }
}

/// A constant is a stride if in some access another index moves by less, and in all accesses what moves by less stays
/// within it.
fn constant_stride(value: i64, split: &[Linear], ranges: &Ranges) -> Option<()> {
    let mut has_inner = false;
    for (coefficients, _) in split {
        let mut width = Some(0);
        for (this, coefficient) in coefficients {
            let factor = coefficient.as_constant().and_then(i64::checked_abs);
            let Some(factor) = factor.filter(|factor| *factor < value) else { continue };
            has_inner |= coefficients
                .values()
                .any(|other| other.as_constant().is_none_or(|other| other.unsigned_abs() >= value.unsigned_abs()));
            let extent = match ranges.get(this).and_then(|(first, last)| last.plus(first, -1)) {
                Some(extent) => Some(extent.as_constant()?),
                None => None,
            };
            let moved = extent.and_then(|extent: i64| factor.checked_mul(extent.checked_abs()?));
            width = width.zip(moved).and_then(|(width, moved): (i64, i64)| width.checked_add(moved));
        }
        if width.is_some_and(|width| width >= value) {
            return None;
        }
    }
    has_inner.then_some(())
}

/// Whether `candidate` is a sum of integer multiples of the strides.
fn is_combination(candidate: &Polynomial, strides: &[(Polynomial, usize)]) -> Option<bool> {
    let mut rest = candidate.clone();
    for (stride, _) in strides.iter().rev().filter(|(stride, _)| stride.as_constant().is_none()) {
        let (quotient, _) = rest.divided(stride)?;
        rest = rest.plus(stride, whole_part(&quotient).checked_neg()?)?;
    }
    Some(rest.as_constant().is_some())
}

/// Sorts the strides, largest first: a stride that another divides is larger, else the one of the outer loop.
fn order(strides: &mut [(Polynomial, usize)]) -> Option<()> {
    let is_larger = |a: &(Polynomial, usize), b: &(Polynomial, usize)| {
        if a.0.exactly_divided(&b.0).is_some() {
            return Some(true);
        }
        if b.0.exactly_divided(&a.0).is_some() {
            return Some(false);
        }
        match (a.0.as_constant(), b.0.as_constant()) {
            (Some(a), Some(b)) => Some(a > b),
            (Some(_), None) => Some(false),
            (None, Some(_)) => Some(true),
            (None, None) => (a.1 != b.1).then_some(a.1 < b.1),
        }
    };
    for at in 1..strides.len() {
        let mut here = at;
        while here > 0 && is_larger(&strides[here], &strides[here - 1])? {
            strides.swap(here, here - 1);
            here -= 1;
        }
    }
    Some(())
}

/// The strides, and for each the length of its rows as [`lengths`] tells it.
#[derive(Clone, Copy)]
struct Rows<'a> {
    strides: &'a [Polynomial],
    lengths: &'a [Option<Polynomial>],
}

/// Distributes the terms of one flat subscript over the dimensions.
fn distribute((flat, ranges): &Flat, rows: &Rows) -> Option<Vec<Polynomial>> {
    let (coefficients, rest) = flat.by_index()?;
    let mut subscripts = vec![Polynomial::default(); rows.strides.len()];
    for (this, coefficient) in coefficients {
        let mut left = coefficient;
        for (stride, subscript) in rows.strides.iter().zip(&mut subscripts) {
            let (quotient, _) = left.divided(stride)?;
            let is_last = stride.as_constant() == Some(1);
            let factor = if is_last { left.as_constant()? } else { whole_part(&quotient) };
            left = left.plus(stride, factor.checked_neg()?)?;
            *subscript = subscript.plus(&Polynomial::term(vec![this], factor), 1)?;
        }
        if !left.is_zero() {
            return None;
        }
    }
    let mut best = None;
    let tried = Split { rest, subscripts, score: Score::default() };
    spread(0, tried, *rows, ranges, &mut best);
    best.map(|best| best.subscripts)
}

/// A part of the terms without index is with the subscripts that are settled.
struct Split {
    rest: Polynomial,
    subscripts: Vec<Polynomial>,
    score: Score,
}

impl Split {
    /// With `part` in the subscript of a level, and its score.
    fn with(&self, level: usize, part: &Polynomial, rest: Polynomial, rows: Rows, ranges: &[Ranges]) -> Option<Self> {
        let mut subscripts = self.subscripts.clone();
        subscripts[level] = subscripts[level].plus(part, 1)?;
        let score = match level {
            0 => self.score.clone(),
            _ => self.score.with_inner(&subscripts[level], rows.lengths[level].as_ref(), ranges),
        };
        Some(Self { rest, subscripts, score })
    }
}

/// Tries the ways to split the terms without index over the dimensions and keeps the one that most surely stays within
/// the rows. What is no better than the best one before all its terms are split cannot become so.
fn spread(level: usize, tried: Split, rows: Rows, ranges: &[Ranges], best: &mut Option<Split>) {
    let is_worse = |split: &Split, best: &Option<Split>| best.as_ref().is_some_and(|best| split.score >= best.score);
    if level + 1 == rows.strides.len() {
        let split = tried.with(level, &tried.rest, Polynomial::default(), rows, ranges);
        if let Some(split) = split.filter(|split| !is_worse(split, best)) {
            *best = Some(split);
        }
        return;
    }
    let (stride, inner) = (&rows.strides[level], &rows.strides[level + 1]);
    let Some((quotient, _)) = tried.rest.divided(stride) else { return };
    let shifted = [0, 1, -1].into_iter().filter_map(|shift| quotient.plus(&Polynomial::constant(shift), 1));
    let mut quotients: Vec<_> = shifted.collect();
    // A stride of accesses with fewer dimensions, no multiple of the next one, may divide what belongs to those further inside.
    let is_beside = stride.exactly_divided(inner).is_none();
    if is_beside && !quotients.iter().any(Polynomial::is_zero) {
        quotients.push(Polynomial::default());
    }
    for quotient in quotients {
        let Some(left) = quotient.times(stride).and_then(|part| tried.rest.plus(&part, -1)) else { continue };
        let Some(next) = tried.with(level, &quotient, left, rows, ranges) else { continue };
        if !is_worse(&next, best) {
            spread(level + 1, next, rows, ranges, best);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};

    /// The text form of a nest that assigns `statement` at points of `loops`.
    fn text(loops: &str, statement: &str) -> String {
        let parameters = "int n, int m, int l, int pitch, int plane, double *a, double *b";
        read(&function(parameters, &format!("#pragma stencil\n{loops} {statement}")))
            .to_string()
            .replace("(long long)", "")
    }

    const ROWS: &str = "for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)";
    const BOX: &str = "for (int k = 1; k < l - 1; k++) for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)";

    #[test]
    fn the_ends_of_rows_belong_to_their_rows() {
        let text = text(
            "for (int i = 1; i < n - 1; i++) for (int j = 1; j < 2; j++)",
            "b[i*m + j] = a[i*m + m-1] + a[i*m + j-1];",
        );
        assert!(text.contains("= (a[i][(m - 1)] + a[i][(j - 1)])"), "{text}");
    }

    #[test]
    fn elements_before_the_end_of_a_row_belong_to_it() {
        let text = self::text("for (int i = 1; i < n - 1; i++)", "b[i*m + m-1] = a[i*m + m-2] + a[i*m + m-5];");
        assert!(text.contains("= (a[i][(m - 2)] + a[i][(m - 5)])"), "{text}");
    }

    #[test]
    fn quotients_of_sizes_are_rows_and_columns() {
        let text = text(ROWS, "b[i*m + j] = b[n/2*m + m/2] + b[(n/2 + 1)*m + (m - 1)/2 - 1];");
        assert!(text.contains("= (b[value_n_over_2][value_m_over_2] +"), "{text}");
        assert!(text.contains("+ b[value_n_over_2_plus_1][(value_m_minus_1_over_2 - 1)])"), "{text}");
        let last = self::text(BOX, "b[(k*n + i)*m + j] = b[(l/2*n + n-1)*m + m/2] + b[((0*n + n/2)*n + n - 1)*m];");
        assert!(last.contains("= (b[value_l_over_2][(n - 1)][value_m_over_2] +"), "{last}");
        let flat = self::text("for (int i = 0; i < n; i++)", "b[i] = a[n/2*m + m/2];");
        assert!(flat.contains("array double a[] strides 1"), "{flat}");
    }

    #[test]
    fn quotients_of_sizes_are_no_planes() {
        let body = "{ b[(i*m + j)*4 + 1] = a[i*m + j]; b[(m/2)*4 + 1] = 3; }";
        let text = text(ROWS, body);
        assert!(text.contains("b[0][((4 * value_m_over_2) + 1)] = "), "{text}");
    }

    #[test]
    fn numbers_of_padded_rows_are_no_planes() {
        let rows = "for (int i = 0; i < n; i++)";
        let text = text(rows, "a[i*(m + 2)*(l + 2) + plane] = 2*a[(i*(m + 2) + pitch)*(l + 2) + plane];");
        assert!(text.starts_with("param int n") && text.contains("array double a[][] strides "), "{text}");
    }

    #[test]
    fn sizes_in_last_rows_are_no_planes() {
        let rows = "for (int i = 1; i < n - 1; i++) for (int j = 0; j < m; j++)";
        let text = self::text(rows, "b[i*(m + 2) + j] = b[(n - 1)*(m + 2) + j] + a[(n - i - 1)*(m + 2) + j];");
        assert!(text.contains("array double b[][] strides (m + 2), 1"), "{text}");
        assert!(text.contains("= (b[(n - 1)][j] + a[((n - i) - 1)][j])"), "{text}");
    }

    #[test]
    fn columns_two_apart_are_no_rows_of_two_where_others_are_one_apart() {
        let text = text(ROWS, "b[i*m + j] = a[2*i*(2*m) + 2*j] + a[i*(2*m) + m - j - 1];");
        assert!(text.contains("array double a[][] strides (2 * m), 1"), "{text}");
    }

    #[test]
    fn three_dimensions_and_constant_offsets() {
        let text = text(BOX, "b[(k*n + i)*m + j] = a[(k*n + i - 1)*m + j + 1] + a[k*n*m + i*m + j - n*m];");
        assert!(
            text.contains("strides value_n_times_m, m, 1") || text.contains("strides value_m_times_n, m, 1"),
            "{text}"
        );
        assert!(text.contains("= (a[k][(i - 1)][(j + 1)] + a[(k - 1)][i][j])"), "{text}");
    }

    #[test]
    fn rows_that_go_round_stay_rows_however_far_they_go() {
        let rows = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)";
        for row in ["m", "(m + 1)"] {
            for before in ["j < 2 ? j - 2 + m : j - 2", "j - 2 < 0 ? j - 2 + m : j - 2"] {
                let text = text(rows, &format!("b[i*{row} + j] = a[i*{row} + ({before})];"));
                assert!(text.contains("? a[i][((j + m) - 2)] : a[i][(j - 2)])"), "{text}");
            }
            let text = self::text(rows, &format!("b[i*{row} + j] = a[i*{row} + (j >= m - 2 ? j + 2 - m : j + 2)];"));
            assert!(text.contains("? a[i][((j - m) + 2)] : a[i][(j + 2)])"), "{text}");
        }
    }

    #[test]
    fn accesses_with_fewer_dimensions_leave_the_ends_of_rows_where_they_are() {
        let nest = format!(
            "if (plane) {{ {ROWS} b[i*m + j] = a[i*m + j]; }} else for (int k = 1; k < l - 1; k++) {{ \
             for (int i = 1; i < m - 1; i++) for (int j = 0; j < pitch - 1; j++) \
             b[(k*m + i)*(pitch-1) + j] = a[(k*m + i-1)*(pitch-1) + j]; \
             for (int j = 0; j < pitch - 1; j++) b[(k*m + m-1)*(pitch-1) + j] = a[(k*m + m-2)*(pitch-1) + j]; }}"
        );
        let text = text("", &format!("for (int t = 0; t < n; t++) {{ {nest} }}"));
        assert!(text.contains("b[k][0][(m - 1)][j] = a[k][0][(m - 2)][j]"), "{text}");
    }

    #[test]
    fn padded_rows_and_independent_strides() {
        let padded = text(ROWS, "b[i*(m+2) + j] = a[(i-1)*(m+2) + j + 1];");
        assert!(padded.contains("strides (m + 2), 1") && padded.contains("= a[(i - 1)][(j + 1)]"), "{padded}");
        let planes = text(BOX, "b[k*plane + i*pitch + j] = a[(k-1)*plane + i*pitch - pitch + j];");
        assert!(planes.contains("strides plane, pitch, 1") && planes.contains("= a[(k - 1)][(i - 1)][j]"), "{planes}");
        let counted =
            text(ROWS, "b[i*pitch + j] = a[2*plane + i*pitch + j] + a[plane + i*pitch + j] - a[i*pitch + j];");
        assert!(counted.contains("= ((a[2][i][j] + a[1][i][j]) - a[0][i][j])"), "{counted}");
        let shifted = text(ROWS, "b[i*pitch + j] = a[plane + i*pitch + j] - a[i*pitch + j];");
        assert!(shifted.contains("= (a[i][(j + plane)] - a[i][j])"), "{shifted}");
    }

    #[test]
    fn constant_widths_and_interleaved_fields() {
        let constant =
            text("for (int i = 1; i < n; i++) for (int j = 1; j < 11; j++)", "b[i*12 + j] = a[12*i + j - 13];");
        assert!(constant.contains("strides 12, 1") && constant.contains("= a[(i - 1)][(j - 1)]"), "{constant}");
        let window = text("for (int i = 1; i < n; i++) for (int j = 0; j < 5; j++)", "b[i*5 + j] = a[2*i + j];");
        assert!(window.contains("array double a[] strides 1"), "{window}");
        assert!(
            text("for (int i = 1; i < n; i++)", "b[n - i] = a[2*i + 1];").contains("b[(n - i)] = a[((2 * i) + 1)]")
        );
    }

    #[test]
    fn a_product_of_indices_is_refused_when_written() {
        let body = format!("#pragma stencil\n{ROWS} b[i*j] = a[i];");
        assert_eq!(refusal(&function("int n, int m, double *a, double *b", &body)).code, "flat-subscript");
    }
}
