//! The host function of a loop that the host keeps: each call asks for one step.
//!
//! What a call is given is kept as a structure, `NAME_arguments`; that of the first step stands for the whole recording. From it
//! and a number of steps `NAME_act` makes the tables of a call of so many steps, whenever the runtime needs them (`record.c`).
//! A call that is not for the next of those steps, because other sizes or other pointers are passed, begins anew.
//!
//! Where the host does something within a step there is a call for each leg, the first of which is `NAME`. The last one makes a step
//! of them; before that the host can take them itself, from what the recording holds (`legs.c`).

mod act;
mod arguments;
mod ends;
mod follows;
mod leave;
mod legs;
mod memory;
mod step;

pub use ends::prototypes;
pub use legs::write_legs;
pub use step::write_step;

use super::folds::{write_fold, write_outcomes};
use super::nest::NestToWrite;
use crate::text::Writer;

/// Writes what the host function calls, and what brings the arrays back.
pub fn write_recorded(writer: &mut Writer, plan: &NestToWrite<'_>) {
    arguments::write_arguments(writer, plan);
    memory::write_memory(writer, plan);
    write_fold(writer, plan);
    write_outcomes(writer, plan);
    act::write_act(writer, plan);
    if plan.nest().clock.end().is_some() {
        follows::write_follows(writer, plan);
        follows::write_adopt(writer, plan);
    }
    ends::write_ends(writer, plan);
}
