//! Which elements of each row a nest touches: rows behind tables of pointers need not be equally long, nor all be there.

use isl_bindings::{DimKind, Map, Set};

use super::{CellBounds, Memory, Result, bounding_box};

/// For each row that has an element in a set, `[p] -> { [x, y] }`, all elements from its first one to its last; the tuple
/// keeps its name.
pub(super) fn row_hull(set: &Set) -> isl_bindings::Result<Set> {
    let (unnamed, rank) = (set.reset_tuple_id()?, set.dim(DimKind::SET)?);
    let outer: Vec<String> = (1..rank).map(|d| format!("e{d}")).collect();
    let towards = |relation: &str| {
        let (from, to) = ([outer.clone(), vec!["x".into()]].concat(), [outer.clone(), vec!["y".into()]].concat());
        let text = format!("{{ [{}] -> [{}] : y {relation} x }}", from.join(", "), to.join(", "));
        unnamed.apply(&Map::parse(set.context(), &text)?)
    };
    let hull = towards(">=")?.intersect(&towards("<=")?)?.coalesce()?;
    match set.tuple_name()? {
        Some(name) => hull.set_tuple_name(&name),
        None => Ok(hull),
    }
}

/// The bounds of the elements of each row of a set, `[p] -> { [x, y] }`, in terms of its outer coordinates and parameters;
/// `None` if all rows of the box around it are as long as the box.
pub(super) fn row_bounds(memory: &Memory<'_>, set: &Set) -> Result<Option<CellBounds>> {
    let (hull, rank) = (row_hull(set)?, set.dim(DimKind::SET)?);
    if hull.is_equal(&bounding_box(set)?)? {
        return Ok(None);
    }
    // The hull has the same first and last elements as the set, but as many parts as there are pairs of the set's.
    let mut named = if hull.n_basic_set()? > set.n_basic_set()? { set.clone() } else { hull };
    for (d, name) in memory.names.cells(rank - 1).iter().enumerate() {
        named = named.set_dim_name(DimKind::SET, d, name)?;
    }
    let params = named.dim(DimKind::Param)?;
    Ok(Some(CellBounds::of(&named.move_dims((DimKind::Param, params), (DimKind::SET, 0), rank - 1)?)?))
}
