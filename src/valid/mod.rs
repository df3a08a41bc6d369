//! From recurrences to a verdict: one `check_*` per rule, every refusal explained in the user's terms.

mod numbers;
mod order;

pub use numbers::note_inexact_functions;
pub use order::{check_order, storage_not_found};
