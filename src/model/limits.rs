//! Limits on what may be asked of a kernel, above what any device can run.

use crate::ir::Nest;
use crate::options::Tuning;
use crate::poly::{Failure, Recurrences, Result};
use crate::source::Diagnostic;
use crate::tile::Tile;

use super::local_bytes;

/// Sweeps that one launch may run through, all steps together: each is a piece of the kernel's text.
const MAX_STAGES: usize = 512;

/// Cells of a tile, and of the work-items' shares of it, in one dimension.
const MAX_EXTENT: u64 = 65_536;

/// Cells of a tile in all dimensions.
const MAX_CELLS: u64 = 1 << 24;

/// Work-items of a work-group.
const MAX_WORK_ITEMS: u64 = 65_536;

/// Bytes of a tile's local memory, which kernels count in 32 bits.
const MAX_LOCAL_BYTES: i64 = i32::MAX as i64;

/// Refuses tuning values that no device can run and that would make kernels endless.
///
/// # Errors
/// The first value that is too large, with the largest one.
pub fn check_tuning(nest: &Nest, recurrences: &Recurrences, tuning: &Tuning) -> Result<()> {
    let sweeps = recurrences.sweeps.sweeps.len();
    if let Some(steps) = tuning.time_tile.filter(|steps| (*steps as usize).saturating_mul(sweeps) > MAX_STAGES) {
        let most = (MAX_STAGES / sweeps).max(1);
        return Err(too_large(nest, format!("a time tile of {steps} steps is too deep"), format!("{most} steps")));
    }
    let product = |extents: &[u32]| extents.iter().fold(1_u64, |all, extent| all.saturating_mul((*extent).into()));
    if tuning.tile.iter().any(|extent| u64::from(*extent) > MAX_EXTENT) || product(&tuning.tile) > MAX_CELLS {
        let most = format!("{MAX_EXTENT} cells in each dimension and {MAX_CELLS} in all");
        return Err(too_large(nest, format!("a tile of {} cells is too large", by(&tuning.tile)), most));
    }
    if product(&tuning.work_group) > MAX_WORK_ITEMS {
        let message = format!("a work-group of {} work-items is too large", by(&tuning.work_group));
        return Err(too_large(nest, message, format!("{MAX_WORK_ITEMS} work-items")));
    }
    match tuning.per_item.filter(|points| u64::from(*points) > MAX_EXTENT) {
        None => Ok(()),
        Some(points) => {
            let message = format!("{points} points per work-item are too many");
            Err(too_large(nest, message, format!("{MAX_EXTENT} points")))
        }
    }
}

/// Refuses a tile whose local memory kernels cannot address.
pub fn check_tile(nest: &Nest, recurrences: &Recurrences, tile: &Tile) -> Result<()> {
    let bytes = local_bytes(recurrences, tile);
    if bytes <= MAX_LOCAL_BYTES {
        return Ok(());
    }
    let message = format!("a tile of this nest would need {bytes} bytes of local memory");
    Err(too_large(nest, message, format!("a tile and time tile that need {MAX_LOCAL_BYTES} bytes")))
}

fn too_large(nest: &Nest, message: String, most: String) -> Failure {
    Diagnostic::error("tuning-too-large", message, nest.pragma)
        .because("the flags and clauses of this nest ask for it")
        .with_help(format!("choose at most {most}, or leave the choice to the tool"))
        .into()
}

/// `4 x 8`
fn by(extents: &[u32]) -> String {
    extents.iter().map(u32::to_string).collect::<Vec<_>>().join(" x ")
}
