//! What isl has found of sets, so that it is asked once.
//!
//! Sweeps of one loop have the same cells but for the plane that each writes, and leave results there; arrays are touched where
//! others are. isl takes as long for bounds as for much of the dataflow.

use std::cell::RefCell;

use isl_bindings::{DimKind, Set};

use super::{CellBounds, Result, is_box};
use crate::index::Index;

/// What is known of the sets of a nest.
#[derive(Default)]
pub struct KnownSets {
    bounds: Answers<CellBounds>,
    are_boxes: Answers<bool>,
}

/// Sets by their hashes, with what was found of them.
type Answers<T> = RefCell<Vec<(u32, Set, T)>>;

impl KnownSets {
    /// The bounds of `set`, `[p] -> { [x, y] }`.
    pub fn bounds(&self, set: &Set) -> Result<CellBounds> {
        let plane = plane(set)?;
        let CellBounds { condition, sides } = answer(&self.bounds, &within(set, &plane)?, CellBounds::of)?;
        let mut sides = sides.into_iter();
        let side = |fixed: Option<i64>| match fixed {
            Some(value) => (Index::Const(value), Index::Const(value)),
            None => sides.next().expect("a dimension that is not fixed has bounds"),
        };
        Ok(CellBounds { condition, sides: plane.into_iter().map(side).collect() })
    }

    /// Whether `set`, `[p] -> { [x, y] }`, is a box.
    pub fn is_box(&self, set: &Set) -> Result<bool> {
        answer(&self.are_boxes, &within(set, &plane(set)?)?, |set| Ok(is_box(set)?))
    }
}

fn answer<T: Clone>(known: &Answers<T>, set: &Set, find: impl Fn(&Set) -> Result<T>) -> Result<T> {
    // isl sorts the disjuncts that it hashes, and what is written of them comes in their order.
    if set.n_basic_set()? != 1 {
        return find(set);
    }
    let hash = set.plain_hash();
    for (of, other, found) in known.borrow().iter() {
        if *of == hash && other.plain_is_equal(set)? {
            return Ok(found.clone());
        }
    }
    let found = find(set)?;
    known.borrow_mut().push((hash, set.clone(), found.clone()));
    Ok(found)
}

/// The coordinates that all cells share, `4` for `{ [x, 4] }`; of a single cell not the first one.
fn plane(set: &Set) -> Result<Vec<Option<i64>>> {
    let fixed = |d| Ok(set.plain_fixed_value(DimKind::SET, d)?);
    let mut plane = (0..set.dim(DimKind::SET)?).map(fixed).collect::<Result<Vec<_>>>()?;
    if plane.iter().all(Option::is_some) {
        plane[0] = None;
    }
    Ok(plane)
}

/// The set without these coordinates.
fn within(set: &Set, plane: &[Option<i64>]) -> Result<Set> {
    let mut within = set.clone();
    for d in (0..plane.len()).rev().filter(|d| plane[*d].is_some()) {
        within = within.project_out(DimKind::SET, d, 1)?;
    }
    Ok(within)
}

#[cfg(test)]
mod tests {
    use isl_bindings::Context;

    use super::*;

    #[test]
    fn planes_have_the_bounds_of_each() -> Result<()> {
        let context = Context::new()?;
        let known = KnownSets::default();
        let texts = [
            "[n] -> { [4, x] : 0 <= x < n }",
            "[n] -> { [5, x] : 0 <= x < n }",
            "[n] -> { [x, 5] : 1 <= x < n }",
            "[n] -> { [x] : 0 <= x < n or x = 2 * n }",
            "[n] -> { [3, 4] : n > 7 }",
        ];
        for text in texts {
            let set = Set::parse(&context, text)?;
            let (alone, shared) = (CellBounds::of(&set)?, known.bounds(&set)?);
            assert_eq!(format!("{alone:?}"), format!("{shared:?}"), "{text}");
            assert_eq!(known.is_box(&set)?, is_box(&set)?, "{text}");
        }
        assert_eq!(known.bounds.borrow().len(), 3, "two planes of one set are one, and several disjuncts are not kept");
        Ok(())
    }
}
