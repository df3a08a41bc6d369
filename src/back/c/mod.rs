//! Kernels in dialects of C: what these have in common, and what each spells in its own way.

mod arithmetic;
mod body;
mod cell;
mod location;
mod position;

pub use arithmetic::Arithmetic;
pub use body::Body;

use crate::ir::{Function, Nest, ScalarType};
use crate::kernel::{Held, Kernel, Shuffle, Subject};
use crate::options::FpMode;
use crate::text::Writer;

/// A dialect of C for kernels.
pub trait Dialect {
    /// How it spells indices and conditions.
    fn arithmetic(&self) -> &'static Arithmetic;

    /// What every kernel file needs, once.
    fn write_prelude(&self, writer: &mut Writer, nests: &[&Nest], fp: FpMode);

    /// What a kernel needs before it, piece by piece; other kernels may need the same, which a file has once.
    fn helpers(&self, kernel: &Kernel) -> Vec<String>;

    /// A kernel without its helpers; its statements are [`Body`]'s.
    fn write_kernel(&self, writer: &mut Writer, subject: &Subject<'_>, kernel: &Kernel);

    /// The type of positions in buffers.
    fn position_type(&self) -> &'static str;

    /// The type of masks of 32 bits.
    fn mask_type(&self) -> &'static str;

    /// What holds where kernels may choose between texts that wait.
    fn may_choose(&self) -> &'static str;

    /// Declares a pointer to elements of a buffer that are only read.
    fn read_pointer(&self, element: ScalarType, name: &str) -> String;

    /// A call of a function of the nest's.
    fn call(&self, function: Function, ty: ScalarType, arguments: &[String]) -> String;

    /// Asks compilers to repeat the body of the next loop without jumps.
    fn write_unroll(&self, writer: &mut Writer);

    /// Declares which work-item of its sub-group this is and, if there are several, which of the sub-groups.
    fn write_sub_group(&self, writer: &mut Writer, kernel: &Kernel, lane: &str, member: Option<&str>);

    /// One exchange of several registers within a sub-group.
    fn write_shuffles(&self, writer: &mut Writer, kernel: &Kernel, element: ScalarType, shuffles: &[Shuffle]);

    /// Loads consecutive cells, several as a vector.
    fn write_load(&self, writer: &mut Writer, element: ScalarType, to: &[String], from: &str);

    /// Stores consecutive cells, several as a vector.
    fn write_store(&self, writer: &mut Writer, element: ScalarType, to: &str, from: &[String], leaves_first: bool);

    /// Brings a cell near the processor.
    fn write_prefetch(&self, writer: &mut Writer, from: &str);

    /// Declares what a work-item holds of each level when there is no value yet.
    fn write_hold(&self, writer: &mut Writer, levels: &[Held]);

    /// Combines values with what is held if a condition holds.
    fn write_fold(&self, writer: &mut Writer, held: &Held, values: &[String], holds: &str);

    /// Stores what is held of each level, that of all work-items of the launch behind that of the level before.
    fn write_given(&self, writer: &mut Writer, buffer: &str, levels: &[Held]);

    /// Waits for all work-items of the work-group.
    fn write_barrier(&self, writer: &mut Writer);

    /// Waits for the sub-groups next to one.
    fn write_meeting(&self, writer: &mut Writer, kernel: &Kernel, member: &str);
}
