//! Limits on what may be asked of a kernel, above what any device can run.

use super::plan::by;
use crate::ir::{Nest, Param, ParamValue};
use crate::options::{TunedPlan, Tuning};
use crate::poly::Recurrences;
use crate::source::Diagnostic;
use crate::tile::most_levels;

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

/// Those of `depths`, which fall, that a tile of a nest may have.
pub fn possible_depths<'d>(depths: &'d [usize], recurrences: &Recurrences) -> &'d [usize] {
    let most = most_levels(recurrences);
    &depths[depths.partition_point(|levels| *levels > most)..]
}

/// Refuses tuning values that no device can run and that would make kernels endless.
///
/// # Errors
/// The first value that is too large, with the largest one.
pub fn check_tuning(
    nest: &Nest,
    recurrences: &Recurrences,
    tuning: &Tuning,
    origin: &str,
) -> Result<(), Box<Diagnostic>> {
    let too_large = |message: String, most: String| too_large(nest, message, most, origin);
    let sweeps = recurrences.sweeps.sweeps.len();
    let most = (MAX_STAGES / sweeps).min(most_levels(recurrences)).max(1);
    if let Some(steps) = tuning.time_tile.filter(|steps| *steps as usize > most) {
        return Err(too_large(format!("a time tile of {steps} steps is too deep"), format!("{most} steps")));
    }
    let product = |extents: &[u32]| extents.iter().fold(1_u64, |all, extent| all.saturating_mul((*extent).into()));
    if tuning.tile.iter().any(|extent| u64::from(*extent) > MAX_EXTENT) || product(&tuning.tile) > MAX_CELLS {
        let most = format!("{MAX_EXTENT} cells in each dimension and {MAX_CELLS} in all");
        return Err(too_large(format!("a tile of {} cells is too large", by(&tuning.tile)), most));
    }
    if product(&tuning.work_group) > MAX_WORK_ITEMS {
        let message = format!("a work-group of {} work-items is too large", by(&tuning.work_group));
        return Err(too_large(message, format!("{MAX_WORK_ITEMS} work-items")));
    }
    match tuning.per_item.filter(|points| u64::from(*points) > MAX_EXTENT) {
        None => Ok(()),
        Some(points) => {
            let message = format!("{points} points per work-item are too many");
            Err(too_large(message, format!("{MAX_EXTENT} points")))
        }
    }
}

/// Refuses a tile whose local memory kernels cannot address.
pub fn check_tile(nest: &Nest, bytes: i64, origin: &str) -> Result<(), Box<Diagnostic>> {
    if bytes <= MAX_LOCAL_BYTES {
        return Ok(());
    }
    let message = format!("a tile of this nest would need {bytes} bytes of local memory");
    Err(too_large(nest, message, format!("a tile and time tile that need {MAX_LOCAL_BYTES} bytes"), origin))
}

fn too_large(nest: &Nest, message: String, most: String, origin: &str) -> Box<Diagnostic> {
    Diagnostic::error("tuning-too-large", message, nest.pragma)
        .because(origin)
        .with_help(format!("choose at most {most}, or leave the choice to the tool"))
        .into()
}

/// Tuned plans of one nest: all of them become text of the driver.
const MAX_PLANS: usize = 32;

/// Refuses more tuned plans for one nest than a program should carry.
pub fn check_count(nest: &Nest, tuned: &[TunedPlan]) -> Result<(), Box<Diagnostic>> {
    let Some(first) = tuned.get(MAX_PLANS) else { return Ok(()) };
    let message = format!("there are {} tuned plans for this nest", tuned.len());
    Err(too_large(nest, message, format!("{MAX_PLANS} plans"), &format!("{} is one more", first.place)))
}

/// Refuses sizes of what is no integer parameter of the nest.
pub fn check_sizes(nest: &Nest, plan: &TunedPlan) -> Result<(), Box<Diagnostic>> {
    let known = size_parameters(nest);
    let Some(name) = plan.sizes.keys().find(|name| !known.contains(&name.as_str())) else { return Ok(()) };
    let parameters = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    let error = Diagnostic::error("tuning-size", format!("`{name}` is no integer parameter of this nest"), nest.pragma)
        .because(format!("{} gives its size", plan.place))
        .with_help(format!("its integer parameters: {parameters}"))
        .with_help("correct the tuning file, or run with --no-tuning");
    Err(error.into())
}

/// The user's integer variables that the nest's sizes come from.
pub fn size_parameters(nest: &Nest) -> Vec<&str> {
    let is_size = |param: &Param| param.ty.is_integer() && matches!(param.value, ParamValue::Variable(_));
    let sizes = nest.params.iter().filter(|(_, param)| is_size(param));
    sizes.map(|(handle, _)| nest.param_name(handle)).collect()
}
