//! Conditions on places that must hold everywhere, as one of the branches must have been taken that assign a scalar where it is read.

use isl_bindings::Set;

use super::{Affine, Memory, NonAffine, Refusal, Result};
use crate::ir::Cover;

/// Checks that no scalar is read where it would hold what an earlier iteration left, and that each `while` loop that is read as an
/// `if` has no second iteration.
///
/// # Errors
/// One that may be.
pub fn check_covers(memory: &Memory<'_>) -> Result<()> {
    for (index, cover) in memory.nest.covers.iter().enumerate() {
        let Ok(left_out) = left_out(memory, cover) else { return Err(Refusal::NotAssigned(index)) };
        if rounds(memory, cover) || !Set::parse(&memory.context, &left_out)?.is_empty()? {
            return Err(Refusal::NotAssigned(index));
        }
    }
    Ok(())
}

/// Whether a condition has `/` or `%`, where C truncates and isl floors.
fn rounds(memory: &Memory<'_>, cover: &Cover) -> bool {
    let mut operands = Vec::new();
    affine(memory).nonnegative_operands(cover.taken, &mut operands);
    !operands.is_empty() || !affine(memory).is_signed(cover.taken)
}

/// The instances at which the condition does not hold, `[p] -> { U[t, i, j] }`, as text.
fn left_out(memory: &Memory<'_>, cover: &Cover) -> std::result::Result<String, NonAffine> {
    let (nest, names) = (memory.nest, memory.names);
    let time = memory.time_name();
    let mut instance = vec![time.clone()];
    let mut all = vec![format!("0 <= {time} < {}", names.steps())];
    for this in nest.clock.space(&cover.loops) {
        instance.push(names.loop_variable(this).to_string());
        all.push(memory.loop_constraint(this)?);
    }
    for &guard in &cover.guards {
        let mut operands = Vec::new();
        affine(memory).nonnegative_operands(guard, &mut operands);
        // Without a guard more instances are looked at.
        if operands.is_empty() {
            all.push(format!("({})", affine(memory).condition(guard)?));
        }
    }
    all.push(format!("not ({})", affine(memory).condition(cover.taken)?));
    Ok(format!("{}{{ U[{}] : {} }}", names.prefix(), instance.join(", "), all.join(" and ")))
}

fn affine<'a>(memory: &Memory<'a>) -> Affine<'a> {
    Affine { nest: memory.nest, names: memory.names }
}
