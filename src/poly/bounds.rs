//! The box around a set of cells.

use isl_bindings::{AstBuild, DimKind, Set};

use super::{Result, values};
use crate::index::{Condition, Index};

/// With more disjuncts it is faster to look at the coordinates of each dimension alone, which have fewer.
const MANY: usize = 4;

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
        // Of many disjuncts the sides become little simpler, and that takes most of the time.
        let context = if inhabited.n_basic_set()? > MANY { &universe } else { &inhabited };
        let build = AstBuild::from_context(context)?;
        let mut sides = Vec::new();
        for d in 0..set.dim(DimKind::SET)? {
            let (of, d) = if set.n_basic_set()? > MANY { (&coordinates(set, d)?, 0) } else { (set, d) };
            let lo = values::index(&build.expr_from_pw_aff(&of.dim_min(d)?.coalesce()?)?)?;
            let hi = values::index(&build.expr_from_pw_aff(&of.dim_max(d)?.coalesce()?)?)?;
            sides.push((lo, hi));
        }
        Ok(Self { condition, sides })
    }
}

/// The coordinates `d` of the elements of a set, `[p] -> { [x] }`.
pub(super) fn coordinates(set: &Set, d: usize) -> isl_bindings::Result<Set> {
    let rank = set.dim(DimKind::SET)?;
    set.project_out(DimKind::SET, d + 1, rank - d - 1)?.project_out(DimKind::SET, 0, d)?.coalesce()
}
