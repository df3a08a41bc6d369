//! Printing of the stages between a nest and its text.

use std::collections::BTreeMap;

use super::plans::write_plans;
use crate::back::{MacroUse, NestToWrite, write_nest_kernels, write_steps};
use crate::ir::{Access, Handle, Nest, display};
use crate::kernel::{Kernel, Role};
use crate::poly::{Dependence, ONE_A_ROW, Origin, Recurrences, ResultCells, ResultSlot, SlotChoice};
use crate::text::Writer;
use crate::tile::{CellBox, Tile};

/// What can be printed on the way from a nest to its kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dump {
    /// What the programmer wrote.
    Nest,
    /// The recurrences that follow from it.
    Flow,
    /// The overlapped time tiles.
    Tiles,
    /// Strategy and sizes of each plan, a JSON object a line.
    Plan,
    /// The kernels.
    Kernel,
    /// The steps on the host.
    Steps,
}

/// What is asked for of a nest, as text for people.
pub fn write_dump(plan: &NestToWrite<'_>, dump: Dump) -> String {
    let mut writer = Writer::unwrapped();
    match dump {
        Dump::Nest => return write_nest(&plan.place.name, plan.nest()),
        Dump::Flow => write_flow(&mut writer, plan),
        Dump::Tiles => write_tiles(&mut writer, plan),
        Dump::Plan => write_plans(&mut writer, plan),
        Dump::Steps => write_steps(&mut writer, plan),
        Dump::Kernel => return write_nest_kernels(plan, MacroUse::Plain),
    }
    writer.finish()
}

/// What was read, under the nest's name.
pub fn write_nest(name: &str, nest: &Nest) -> String {
    format!("nest {name}\n{nest}")
}

/// Fields, sweeps with their dependences, and where the results are.
fn write_flow(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let recurrences = plan.recurrences();
    writer.block(format_args!("nest {}", plan.place.name), |writer| {
        write_fields(writer, recurrences);
        for &index in &recurrences.order {
            write_sweep(writer, plan, index);
        }
        for ResultCells { result, .. } in &plan.results {
            let name = display::buffer(plan.nest(), &plan.nest().arrays[result.array].buffers[result.buffer]);
            let slots = recurrences.storage.fields[result.field].slots;
            let slot = match result.slot {
                ResultSlot::EveryStep(shift) => format!("t + {shift} of each step t"),
                _ if slots == 1 => "0".to_owned(),
                ResultSlot::Fixed(slot) => slot.to_string(),
                ResultSlot::AfterSteps(shift) => slot_of("time_steps", shift, slots),
            };
            writer.line(format_args!("result `{name}`: field {}, slot {slot}", result.field));
            writer.line(format_args!("    elements {}", result.elements));
        }
    });
}

fn write_fields(writer: &mut Writer, recurrences: &Recurrences) {
    for (index, field) in recurrences.storage.fields.iter().enumerate() {
        let kind = if field.is_written { "field" } else { "constant field" };
        let slots = match field.slots {
            _ if field.is_history() => "a slot a row".to_owned(),
            1 => "1 slot".to_owned(),
            slots => format!("{slots} slots"),
        };
        writer.line(format_args!(
            "{kind} {index} `{}`: {}, rank {}, {slots}",
            field.name,
            field.element.c_name(),
            field.rank
        ));
    }
    for statement in &recurrences.eliminated {
        writer.line(format_args!("statement {statement} is a copy that is looked through"));
    }
}

/// A sweep: what it computes, and for each read where the value may come from.
fn write_sweep(writer: &mut Writer, plan: &NestToWrite<'_>, index: usize) {
    let recurrences = plan.recurrences();
    let sweep = &recurrences.sweeps.sweeps[index];
    let (field, ring) = recurrences.storage.writes[index];
    let slot = ring_slot(ring, recurrences.storage.fields[field].slots);
    let head = format!("sweep {index} (statement {}): field {field}, slot {slot}", sweep.statement);
    writer.block(head, |writer| {
        writer.line(format_args!("domain {}", sweep.domain));
        let mut origins: BTreeMap<Handle<Access>, Vec<String>> = BTreeMap::new();
        for dependence in recurrences.sweeps.dependences.iter().filter(|d| d.sweep == index) {
            for (read, offset) in &dependence.reads {
                origins.entry(*read).or_default().push(origin(dependence, offset.as_deref()));
            }
        }
        for (read, mut origins) in origins {
            origins.sort();
            writer.line(format_args!("{} from {}", display::access(plan.nest(), read), origins.join(", ")));
        }
    });
}

/// Where a read gets its value, e.g. `sweep 0 at (t - 1, x + (0, -1))`.
fn origin(dependence: &Dependence, offset: Option<&[i64]>) -> String {
    let Origin::Sweep(sweep) = dependence.origin else { return "before the nest".to_owned() };
    let time = match dependence.distance {
        Some(0) => "t".to_owned(),
        Some(distance) => format!("t - {distance}"),
        None => "an earlier t".to_owned(),
    };
    let space = match offset {
        Some(offset) if offset.iter().all(|o| *o == 0) => "x".to_owned(),
        Some(offset) => format!("x + {}", tuple(offset)),
        None => "a varying x".to_owned(),
    };
    format!("sweep {sweep} at ({time}, {space})")
}

/// The kernels of every plan with the regions of their tiles.
fn write_tiles(writer: &mut Writer, plan: &NestToWrite<'_>) {
    for (kernels, choice) in plan.plans.iter().zip(plan.choices) {
        writer.block(format_args!("plan {}", kernels.name), |writer| {
            let (lo, hi) = (tuple(&kernels.margin_lo), tuple(&kernels.margin_hi));
            writer.line(format_args!("margins {lo} before and {hi} behind each tile"));
            // Behind the kernels of tiles stand those of single sweeps.
            let tiles = choice.tiles.iter().map(Some).chain(std::iter::repeat(None));
            for (kernel, tile) in kernels.kernels.iter().zip(tiles) {
                write_kernel(writer, plan.recurrences(), kernel, tile);
            }
        });
    }
}

/// Regions are relative to the tile's origin, slots to the first step of the launch.
fn write_kernel(writer: &mut Writer, recurrences: &Recurrences, kernel: &Kernel, tile: Option<&Tile>) {
    let [x, y, z] = kernel.work_group;
    if let Role::Sweep(sweep) = kernel.role {
        writer.line(format_args!("{}: sweep {sweep}, work-group {x} x {y} x {z}", kernel.name));
    }
    let Some(tile) = tile else { return };
    writer.block(format_args!("{}", kernel.name), |writer| {
        let (levels, core, bytes) = (tile.levels, tuple(&tile.core), kernel.local_bytes());
        writer.line(format_args!(
            "{levels} levels, core {core}, work-group {x} x {y} x {z}, {bytes} bytes of local memory"
        ));
        writer.line(format_args!("{:.3} times the work of tiles without overlap", tile.redundancy()));
        for ((field, slot), need) in &tile.slots {
            let name = &recurrences.storage.fields[*field].name;
            let uses = match (need.has_input, need.has_halo) {
                (true, true) => ", input and halo",
                (true, false) => ", input",
                (false, true) => ", halo",
                (false, false) => "",
            };
            writer.line(format_args!("field {field} `{name}` slot {slot}: {}{uses}", region(&need.region)));
        }
        for stage in &tile.stages {
            let output = if stage.is_output { ", output" } else { "" };
            let cells = region(&stage.region);
            writer.line(format_args!("level {} sweep {}: {cells}{output}", stage.level, stage.sweep));
        }
    });
}

/// The bounds of a box, e.g. `[-1, 16] x [-1, 8]`.
fn region(region: &CellBox) -> String {
    let sides = region.lo.iter().zip(&region.hi).map(|(lo, hi)| format!("[{lo}, {hi}]"));
    sides.collect::<Vec<_>>().join(" x ")
}

/// `(1, 0)`.
fn tuple(numbers: &[i64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
    format!("({})", numbers.join(", "))
}

fn ring_slot(ring: SlotChoice, slots: usize) -> String {
    match ring {
        SlotChoice::Rotating(_) if slots == 1 => "0".to_owned(),
        SlotChoice::Rotating(shift) => slot_of("t", shift, slots),
        SlotChoice::Fixed(slot) => slot.to_string(),
    }
}

/// `(t + 1) mod 3`.
fn slot_of(time: &str, shift: i64, slots: usize) -> String {
    match shift.rem_euclid(slots as i64) {
        0 if slots == ONE_A_ROW => time.to_owned(),
        shift if slots == ONE_A_ROW => format!("{time} + {shift}"),
        0 => format!("{time} mod {slots}"),
        shift => format!("({time} + {shift}) mod {slots}"),
    }
}
