//! Which slot of a ring a time step uses.

use isl_bindings::Map;

use super::{Memory, Result};

/// Slots of a field that has one for each row of a history: more than there are steps, so that none comes round again.
pub const ONE_A_ROW: usize = 1 << 30;

/// A slot of a field with `slots` slots, seen from time step `t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SlotChoice {
    /// Slot `(t + shift) mod slots`.
    Rotating(i64),
    /// The same slot in every step.
    Fixed(usize),
}

impl SlotChoice {
    /// Whether the two are different slots in every step.
    pub fn is_never(self, other: Self, slots: usize) -> bool {
        match (self, other) {
            (Self::Rotating(a), Self::Rotating(b)) => (a - b).rem_euclid(slots as i64) != 0,
            (Self::Fixed(a), Self::Fixed(b)) => a != b,
            _ => false,
        }
    }

    /// The slot of step `t` in isl's notation.
    pub fn expression(self, time: &str, slots: usize) -> String {
        match self {
            Self::Rotating(shift) if slots == ONE_A_ROW => format!("({time} + {shift})"),
            Self::Rotating(shift) => format!("({time} + {}) mod {slots}", shift.rem_euclid(slots as i64)),
            Self::Fixed(slot) => slot.to_string(),
        }
    }
}

/// Which row of a history an access with map `[p] -> { R5[t, i] -> A0[b, x, y] }` touches; `None` if it is never made.
pub fn row_choice(access: &Map) -> Result<Option<SlotChoice>> {
    use isl_bindings::DimKind;
    let (ins, outs) = (access.dim(DimKind::In)?, access.dim(DimKind::Out)?);
    let rows = access.project_out(DimKind::In, 1, ins - 1)?.project_out(DimKind::Out, 1, outs - 1)?;
    let shift = rows.deltas()?.coalesce()?.plain_fixed_value(DimKind::SET, 0)?;
    Ok(shift.map(SlotChoice::Rotating))
}

/// How an access with map `[p] -> { R5[t, i] -> A0[b, x, y] }` chooses among `buffers` buffers: `b = sign * slot`.
///
/// `None` if it is neither constant nor a rotation with that sign.
pub fn buffer_choice(memory: &Memory<'_>, access: &Map, buffers: usize, sign: i64) -> Result<Option<SlotChoice>> {
    use isl_bindings::DimKind;
    if let Some(buffer) = access.plain_fixed_value(DimKind::Out, 0)? {
        return Ok(Some(SlotChoice::Fixed(usize::try_from(buffer).unwrap_or(usize::MAX))));
    }
    let ins = access.dim(DimKind::In)?;
    let outs = access.dim(DimKind::Out)?;
    let unnamed = access.project_out(DimKind::In, 1, ins - 1)?.project_out(DimKind::Out, 1, outs - 1)?;
    for shift in 0..buffers as i64 {
        let slot = format!("({sign} * (t + {shift})) mod {buffers}");
        let candidate = memory.texts.map(&format!("{{ [t] -> [b] : b = {slot} }}"))?;
        if unnamed.is_subset(&candidate)? {
            return Ok(Some(SlotChoice::Rotating(shift)));
        }
    }
    Ok(None)
}
