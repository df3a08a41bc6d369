//! What pragmas ask for, and the words that clauses, flags and tuning files share.

use serde::Deserialize;

use crate::ir::{Handle, HostValue};

/// What a pragma asks for; `None` and empty where it is silent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clauses {
    /// `time_tile(T)`: time steps per kernel launch.
    pub time_tile: Option<u32>,
    /// `tile(x, y, z)`: output tile, fastest dimension first.
    pub tile: Vec<u32>,
    /// `per_item(e)`: points per work-item along the fastest dimension.
    pub per_item: Option<u32>,
    /// `work_group(x, y, z)`: work-group shape, fastest dimension first.
    pub work_group: Vec<u32>,
    /// `strategy(name)`.
    pub strategy: Option<StrategyName>,
    /// `fp(mode)`.
    pub fp: Option<FpMode>,
    /// `reduction(order)`.
    pub reduction: Option<Order>,
    /// `name(id)`: name of the generated host function.
    pub name: Option<String>,
    /// `scratch(A, ...)`: arrays whose contents after the nest do not matter.
    pub scratch: Vec<Handle<HostValue>>,
    /// `restrict(A, B, ...)`: arrays the user vouches do not overlap.
    pub restrict: Vec<Handle<HostValue>>,
}

/// A kernel strategy by its name in clauses, flags and tuning files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StrategyName {
    /// One work-item a point, one launch a sweep.
    Direct,
    /// Overlapped time tiles in local memory.
    Local,
    /// Overlapped time tiles streamed through registers.
    Stream,
    /// Overlapped time tiles streamed through the cache, a row at a time.
    Rows,
}

/// How far device arithmetic may differ from the original.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FpMode {
    /// Bit-identical to the original compiled without contraction.
    #[default]
    Strict,
    /// `a * b + c` may be fused.
    Contract,
    /// Anything `-cl-fast-relaxed-math` allows.
    Fast,
}

/// The order in which real numbers are summed over points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// That of the original loops.
    #[default]
    Original,
    /// Whichever is fast on a device.
    Any,
}

impl Order {
    /// What one can ask for.
    pub const ALL: [Self; 1] = [Self::Any];

    /// `any_order`
    pub fn name(self) -> &'static str {
        match self {
            Self::Original => "original_order",
            Self::Any => "any_order",
        }
    }
}

impl StrategyName {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Direct, Self::Local, Self::Stream, Self::Rows];

    /// `direct`, `local`, `stream` or `rows`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Local => "local",
            Self::Stream => "stream",
            Self::Rows => "rows",
        }
    }
}

impl FpMode {
    /// All of them, the stricter first.
    pub const ALL: [Self; 3] = [Self::Strict, Self::Contract, Self::Fast];

    /// `strict`, `contract` or `fast`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Contract => "contract",
            Self::Fast => "fast",
        }
    }
}
