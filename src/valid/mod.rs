//! From what the analysis found to a verdict: every refusal explained in the user's terms, with a remedy.

mod accesses;
mod lent;
mod limits;
mod numbers;
mod order;
mod recorded;
mod statements;

pub use lent::note_lent;
pub use numbers::{
    note_bounded, note_equal_sizes, note_held, note_inexact_functions, note_order_of_nothing, note_tiled_sizes,
};
pub use recorded::{check_recorded, check_replay};
pub use statements::note_never_executed;

use crate::ir::Nest;
use crate::poly::Refusal;
use crate::source::Diagnostic;

/// Why `nest` is refused, for its author.
pub fn explain(nest: &Nest, refusal: &Refusal) -> Diagnostic {
    match refusal {
        Refusal::NotAffine { access, part, role } => accesses::not_affine(nest, *access, part, *role),
        Refusal::NegativeRemainder(operand) => accesses::negative_remainder(nest, *operand),
        Refusal::OutsideArray { access, dimension, extent, index } => {
            accesses::outside_array(nest, *access, *dimension, extent, index.as_deref())
        }
        Refusal::ElementMayNotExist(access) => accesses::element_may_not_exist(nest, *access),
        Refusal::NotStored(read) => accesses::not_stored(nest, *read),
        Refusal::NotAssigned(cover) => statements::not_assigned(nest, *cover),
        Refusal::NeverExecuted(statement) => statements::never_executed(nest, *statement),
        Refusal::WrittenTwice(statement) => statements::written_twice(nest, *statement),
        Refusal::CellsChangeWithTime(statement) => statements::cells_change_with_time(nest, *statement),
        Refusal::NeedsItself { statement, carrier, reads } => order::needs_itself(nest, *statement, *carrier, reads),
        Refusal::NeedEachOther { statement, origin, read } => order::need_each_other(nest, *statement, *origin, *read),
        Refusal::NoStorage { array, .. } => order::no_storage(nest, *array),
        Refusal::LongPeriod { span, most } => limits::long_period(*span, *most),
        Refusal::TooComplex => limits::too_complex(nest),
        Refusal::Failed(message) => limits::failed(nest, message),
    }
}
