//! The box around a set of cells.

use isl_bindings::{AstBuild, DimKind, Set};

use super::{Result, values};
use crate::index::{Condition, Index};

/// The box around a set of cells, in terms of the parameters.
#[derive(Clone, Debug)]
pub struct CellBounds {
    /// When there are cells.
    pub condition: Condition,
    /// If so, the first and the last cell in each dimension, outermost first.
    pub sides: Vec<(Index, Index)>,
}

impl CellBounds {
    /// The bounds of `set`, `[p] -> { [x, y] }`.
    pub(super) fn of(set: &Set) -> Result<Self> {
        let universe = Set::parse(set.context(), "{ : }")?;
        let inhabited = set.params()?.coalesce()?;
        let condition = values::condition(&AstBuild::from_context(&universe)?.expr_from_set(&inhabited)?)?;
        let build = AstBuild::from_context(&inhabited)?;
        let mut sides = Vec::new();
        for d in 0..set.dim(DimKind::SET)? {
            let lo = values::index(&build.expr_from_pw_aff(&set.dim_min(d)?.coalesce()?)?)?;
            let hi = values::index(&build.expr_from_pw_aff(&set.dim_max(d)?.coalesce()?)?)?;
            sides.push((lo, hi));
        }
        Ok(Self { condition, sides })
    }
}
