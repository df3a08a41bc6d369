//! The rewritten source file: edits as data, the two ways to lay them out, the way back, and the unified diff.
//!
//! Everything here works on bytes, so that Latin-1 text and either line ending survive. A source is patched once; no
//! stage reads text that another has changed.

mod apart;
mod changed;
mod diff;
mod edit;
mod hand_over;
mod hide;
mod host;
mod in_place;
mod include;
mod kept;
mod layout;
mod lend;
mod marks;
mod member_macros;
mod omp;
mod replacement;
mod restore;
mod restore_kept;
mod words;

pub use apart::steps_apart;
pub use changed::Changed;
pub use diff::write_diff;
pub use edit::{Edit, Edits};
pub use hand_over::hand_over;
pub use hide::hide;
pub use host::compute_host_edits;
pub use in_place::write_out;
pub use layout::TextStyle;
pub use lend::lend;
pub use member_macros::name_member_macros;
pub use omp::{has_shared_conditionals, pragma_beside_code};
pub use replacement::{KeptEdits, KeptEnd, KeptPlace, Replacement};
pub use restore::Original;
pub use words::drop_words;
