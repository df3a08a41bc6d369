//! What the fuzz targets share: how bytes become a case, what is done with it, and how cases are mutated.

mod case;
mod mutate;
mod random;
mod translate;

pub use case::Case;
pub use mutate::mutate;
pub use translate::{enter_empty_folder, translate};
