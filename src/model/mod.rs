//! Choice of strategy, time tile, tile and work-group without running anything.
//!
//! A tile's time is that of its transfers plus the larger of its local memory and arithmetic times, which grow with
//! redundant cells and idle work-items (EBISU, ICS 2023, section 5; Holewinski et al., ICS 2012, section 5.2).

mod choose;
mod cost;
mod direct;
mod estimate;
mod granted;
mod limits;
mod local;
mod plan;
mod profile;
mod registers;
mod rows;
mod strategies;
mod strategy;
mod stream;
mod stream_rate;
mod stream_shape;
#[cfg(test)]
mod tests;
mod work;

pub use choose::Plans;
pub use cost::{CallCost, Pace};
pub use estimate::Estimate;
pub use limits::size_parameters;
pub use plan::{KernelPlan, TileStorage};
pub use profile::Profile;
pub use strategies::points_per_item;
