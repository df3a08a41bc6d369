//! The tables of kernels' arguments, and of the slots that launches swap.

use std::collections::{BTreeMap, BTreeSet};

use super::initializer::initializer;
use super::nest::{NestToWrite, Scalar};
use crate::kernel::{ArgumentKind, Kernel};
use crate::text::Writer;
use crate::tile::Leaves;

/// A slot of a field relative to the step with which a launch starts: of several numbers the least one that is not negative.
type FieldSlot = (usize, usize);

/// The tables, one for all kernels that take the same.
#[derive(Default)]
pub struct ArgumentTables {
    /// For each kernel its own name and those of its tables.
    tables: BTreeMap<String, Tables>,
    /// The tables by what is in them.
    known: BTreeMap<String, Tables>,
}

/// What a kernel's row says of its arguments.
#[derive(Clone, Debug)]
pub struct Tables {
    /// The name of the table of arguments.
    pub args: String,
    /// How many slots its launches swap.
    pub swap_count: usize,
    /// The name of their table; `NULL` if there are none.
    pub swaps: String,
}

impl ArgumentTables {
    /// The tables of a kernel.
    pub fn of(&self, kernel: &Kernel) -> &Tables {
        &self.tables[&kernel.name]
    }

    /// Writes the tables of a kernel unless there are some with the same arguments.
    pub fn write(&mut self, writer: &mut Writer, plan: &NestToWrite<'_>, kernel: &Kernel) {
        let swaps = swapped_slots(plan, kernel);
        let rows = kernel.arguments.iter().map(|argument| argument_row(plan, &swaps, argument.kind));
        let rows = rows.collect::<Vec<_>>().join(", ");
        let tables = self.known.entry(rows.clone()).or_insert_with(|| {
            let args = format!("{}_args", kernel.name);
            write_table(writer, "stencil_arg", &args, rows);
            Tables { args, swap_count: swaps.len(), swaps: write_swaps(writer, kernel, &swaps) }
        });
        self.tables.insert(kernel.name.clone(), tables.clone());
    }
}

fn write_table(writer: &mut Writer, structure: &str, name: &str, rows: String) {
    writer.block_with_end(format_args!("static const {structure} {name}[] ="), "};", |writer| writer.line(rows));
    writer.line("");
}

/// Writes the table of swaps if there are any; its name.
fn write_swaps(writer: &mut Writer, kernel: &Kernel, swaps: &BTreeSet<FieldSlot>) -> String {
    if swaps.is_empty() {
        return "NULL".into();
    }
    let name = format!("{}_swaps", kernel.name);
    let row = |(field, slot): &FieldSlot| initializer("stencil_swap", &[("field", field), ("slot", slot)]);
    write_table(writer, "stencil_swap", &name, swaps.iter().map(row).collect::<Vec<_>>().join(", "));
    name
}

/// The slots that a launch both reads and writes, but not in place. Rows of histories stay where they are if it reads nothing
/// there but what no launch writes. A launch that folds its steps may be taken back: it swaps all that it writes.
fn swapped_slots(plan: &NestToWrite<'_>, kernel: &Kernel) -> BTreeSet<FieldSlot> {
    let kinds = || kernel.arguments.iter().map(|argument| argument.kind);
    let read = kinds().filter_map(|kind| match kind {
        ArgumentKind::Input { field, slot } => Some(place(plan, field, slot)),
        _ => None,
    });
    let written = kinds().filter_map(|kind| match kind {
        ArgumentKind::Output { field, slot } => Some(place(plan, field, slot)),
        _ => None,
    });
    let written: BTreeSet<_> = written.collect();
    if kernel.tiles().is_some_and(|tiles| tiles.leaves == Leaves::Folds) {
        return written;
    }
    let mut both = &read.collect::<BTreeSet<_>>() & &written;
    both.retain(|(field, _)| plan.recurrences().storage.fields[*field].rows.is_none_or(|rows| rows.is_updated));
    both
}

fn place(plan: &NestToWrite<'_>, field: usize, slot: usize) -> FieldSlot {
    (field, slot % plan.recurrences().storage.fields[field].slots)
}

/// What the members of an argument's row are that count something.
#[derive(Default)]
struct Operands {
    field: usize,
    slot: usize,
    layout: usize,
    dimension: usize,
    sweep: usize,
    scalar: usize,
    levels: usize,
    room: usize,
}

fn argument_row(plan: &NestToWrite<'_>, swaps: &BTreeSet<FieldSlot>, argument: ArgumentKind) -> String {
    let none = Operands::default();
    let (kind, operands) = match argument {
        ArgumentKind::Input { field, slot } => ("INPUT", Operands { field, slot, ..none }),
        ArgumentKind::Output { field, slot } => {
            let is_swapped = swaps.contains(&place(plan, field, slot));
            (if is_swapped { "OTHER" } else { "OUTPUT" }, Operands { field, slot, ..none })
        }
        ArgumentKind::InPlace { field, slot } => ("IN_PLACE", Operands { field, slot, ..none }),
        ArgumentKind::Origin { layout } => ("ORIGIN", Operands { layout, ..none }),
        ArgumentKind::Stride { layout, dimension } => ("STRIDE", Operands { layout, dimension, ..none }),
        ArgumentKind::DomainLo { sweep, dimension } => ("DOMAIN_LO", Operands { sweep, dimension, ..none }),
        ArgumentKind::DomainHi { sweep, dimension } => ("DOMAIN_HI", Operands { sweep, dimension, ..none }),
        ArgumentKind::TileLo { dimension } => ("TILE_LO", Operands { dimension, ..none }),
        ArgumentKind::TileHi { dimension } => ("TILE_HI", Operands { dimension, ..none }),
        ArgumentKind::Chunk => ("CHUNK", none),
        ArgumentKind::WholeParts => ("WHOLE_PARTS", none),
        ArgumentKind::StreamEnd => ("STREAM_END", none),
        ArgumentKind::Scalar { .. } | ArgumentKind::Element { .. } => {
            let scalar = plan.scalars.iter().position(|it| Some(*it) == Scalar::of(argument));
            ("SCALAR", Operands { scalar: scalar.expect("scalars of all kernels are collected"), ..none })
        }
        ArgumentKind::Step => ("STEP", none),
        ArgumentKind::Skipped { levels } => ("SKIPPED", Operands { levels, ..none }),
        ArgumentKind::Results => ("RESULTS", none),
        ArgumentKind::Held { value, .. } => ("HELD", Operands { room: value, ..none }),
    };
    let Operands { field, slot, layout, dimension, sweep, scalar, levels, room } = operands;
    let kind = format!("STENCIL_ARG_{kind}");
    initializer(
        "stencil_arg",
        &[
            ("kind", &kind),
            ("field", &field),
            ("slot", &slot),
            ("layout", &layout),
            ("dimension", &dimension),
            ("sweep", &sweep),
            ("scalar", &scalar),
            ("levels", &levels),
            ("room", &room),
        ],
    )
}
