//! Which of several ways to split a flat subscript over dimensions is the program's.

use super::polynomial::{Polynomial, Ranges};

/// From this size on arrays are not small.
const SOME_SIZE: i64 = 8;

/// What speaks against a split, the gravest first.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score {
    /// Inner subscripts that are surely outside their rows.
    outside: usize,
    /// Those that are outside in arrays that are not small, as `m / 2 + 1 - m` is and `m / 2 + 1` is not.
    unlikely: usize,
    /// Their terms of parameters: programs do not add the length of a row without need.
    terms: usize,
    /// Inner subscripts of which nothing is sure.
    doubtful: usize,
    /// The size of their constants.
    constants: i64,
}

/// The lengths of rows, for each stride: of the strides further out the nearest that is so many of this one counts, as others may
/// be those of accesses with fewer dimensions.
pub fn lengths(strides: &[Polynomial]) -> Vec<Option<Polynomial>> {
    let length = |level: usize| strides[..level].iter().rev().find_map(|outer| outer.exactly_divided(&strides[level]));
    (0..strides.len()).map(length).collect()
}

impl Score {
    /// With what speaks against a subscript within rows of the given length. More subscripts never make a score better.
    pub fn with_inner(&self, subscript: &Polynomial, length: Option<&Polynomial>, ranges: &[Ranges]) -> Self {
        let mut score = self.clone();
        let Some((_, rest)) = subscript.by_index() else { return score };
        let is_within = |least: i64| {
            let length = length?;
            ranges.iter().find_map(|ranges| is_within(subscript, length, ranges, least))
        };
        match is_within(1) {
            Some(true) => {}
            Some(false) => score.outside += 1,
            None => {
                score.doubtful += 1;
                score.unlikely += usize::from(is_within(SOME_SIZE) == Some(false));
            }
        }
        score.terms += rest.terms().filter(|(monomial, _)| !monomial.is_empty()).count();
        score.constants = score.constants.saturating_add(whole_part(&rest).saturating_abs());
        score
    }
}

/// Whether the subscript is in `0..length`, if either is sure where sizes are `from` or more.
fn is_within(subscript: &Polynomial, length: &Polynomial, ranges: &Ranges, from: i64) -> Option<bool> {
    let (least, largest) = ends_from(subscript, ranges, from)?;
    let zero = Polynomial::default();
    if least.is_nonnegative_from(from) && is_less_from(&largest, length, from)? {
        return Some(true);
    }
    let is_outside = is_less_from(&largest, &zero, from)? || least.plus(length, -1)?.is_nonnegative_from(from);
    is_outside.then_some(false)
}

/// The least and the greatest value of a sum over the ranges of its indices, if their factors are constants, and of its quotients.
pub fn ends(sum: &Polynomial, ranges: &Ranges) -> Option<(Polynomial, Polynomial)> {
    ends_from(sum, ranges, 1)
}

/// The same where sizes are `from` or more.
fn ends_from(sum: &Polynomial, ranges: &Ranges, from: i64) -> Option<(Polynomial, Polynomial)> {
    let (coefficients, rest) = sum.by_index()?;
    let end = |is_upper: bool| {
        let end = sum.substituted(&|this| {
            let is_rising = coefficients.get(&this)?.as_constant()? > 0;
            let (first, last) = ranges.get(&this)?;
            Some(if is_rising == is_upper { last.clone() } else { first.clone() })
        })?;
        rest.terms().try_fold(end, |end, (monomial, factor)| {
            let [this] = monomial.as_slice() else { return Some(end) };
            let Some(range) = ranges.get(this) else { return Some(end) };
            let value = end_of_quotient(range, (factor > 0) == is_upper, from)?;
            end.plus(&Polynomial::term(monomial.clone(), 1), factor.checked_neg()?)?.plus(&value, factor)
        })
    };
    Some((end(false)?, end(true)?))
}

/// The first or last value of a quotient: half of 8 is 4 less than that, half of 1 is 1 less, as the range says.
fn end_of_quotient((first, last): &(Polynomial, Polynomial), is_last: bool, from: i64) -> Option<Polynomial> {
    if is_last { last.plus(&Polynomial::constant((from - 1) / 2), -1) } else { Some(first.clone()) }
}

/// Whether one integer is surely less than another; `None` if their difference is too large.
pub fn is_less(one: &Polynomial, other: &Polynomial) -> Option<bool> {
    is_less_from(one, other, 1)
}

fn is_less_from(one: &Polynomial, other: &Polynomial, from: i64) -> Option<bool> {
    Some(other.plus(one, -1)?.plus(&Polynomial::constant(1), -1)?.is_nonnegative_from(from))
}

/// The constant term.
pub fn whole_part(polynomial: &Polynomial) -> i64 {
    polynomial.coefficient(&Vec::new())
}
