//! Divisors that integer sets can take.

use super::{Affine, Memory, Refusal, Result};
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, Nest};

/// The longest period of all remainders and strides of a nest together. Beyond it isl's numbers grow so long that its
/// operations, which are counted, take any time.
const LONGEST_PERIOD: u64 = 1 << 31;

/// Refuses a nest whose remainders, quotients and strides repeat together only after very many iterations.
///
/// # Errors
/// The one that makes the period too long.
pub fn check_divisors(memory: &Memory<'_>) -> Result<()> {
    let nest = memory.nest;
    let affine = Affine { nest, names: memory.names };
    let strides = nest.loops.iter().map(|(_, this)| (this.step.unsigned_abs(), nest.exprs.span(this.first)));
    let divisor = |expr: Handle<Expr>| match nest.exprs[expr].kind {
        ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, divisor) => {
            Some((affine.constant(divisor)?.unsigned_abs(), nest.exprs.span(expr)))
        }
        _ => None,
    };
    let divisors = nest.reachable(subscripts_and_bounds(nest)).into_iter().filter_map(divisor);
    let mut period = 1;
    for (divisor, span) in strides.chain(divisors).filter(|(divisor, _)| *divisor > 0) {
        period = least_common_multiple(period, divisor);
        if period > LONGEST_PERIOD {
            return Err(Refusal::LongPeriod { span, most: LONGEST_PERIOD });
        }
    }
    Ok(())
}

fn subscripts_and_bounds(nest: &Nest) -> Vec<Handle<Expr>> {
    let bounds = nest.loops.iter().flat_map(|(_, this)| [this.first, this.bound]);
    let accesses = nest.accesses.iter().flat_map(|(_, access)| {
        access.subscripts.iter().chain(&access.guards).chain(&access.buffer).copied().collect::<Vec<_>>()
    });
    bounds.chain(accesses).collect()
}

fn least_common_multiple(one: u64, other: u64) -> u64 {
    let (mut divisor, mut rest) = (one, other);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    (one / divisor).saturating_mul(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_of_remainders_multiply_unless_they_share_divisors() {
        assert_eq!(least_common_multiple(1, 64), 64);
        assert_eq!(least_common_multiple(64, 48), 192);
        assert_eq!(least_common_multiple(1_000_003, 999_983), 1_000_003 * 999_983);
        assert_eq!(least_common_multiple(u64::MAX, 2), u64::MAX);
    }
}
