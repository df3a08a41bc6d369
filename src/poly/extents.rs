//! Accesses that leave an array whose size is declared.

use isl_bindings::{AstBuild, DimKind, Map, Set};

use super::{Affine, Memory, Refusal, Result};
use crate::ir::{Array, Handle};

/// Refuses accesses that leave the declared size of their array whatever values the parameters have, as long as the access
/// is executed at all. Each dimension counts for itself, as it does in all that follows: a subscript that runs over the end of
/// a row into the next one would hide what the next row's accesses depend on.
///
/// Accesses under conditions on data are left out, since the program may know better.
///
/// # Errors
/// The first such access; isl's errors.
pub fn check_extents(memory: &Memory<'_>) -> Result<()> {
    let nest = memory.nest;
    let writes = nest.statements.iter().zip(&memory.writes).map(|(statement, map)| (statement.write, map));
    let reads = memory.reads.iter().map(|(read, map)| (*read, map));
    let mut outsides: Vec<Option<Vec<Outside>>> = nest.arrays.handles().map(|_| None).collect();
    for (access, map) in writes.chain(reads).filter(|(access, _)| !nest.accesses[*access].is_speculative) {
        let array = nest.accesses[access].array;
        let known = &mut outsides[array.index()];
        let outsides = match known {
            Some(outsides) => outsides,
            None => known.insert(outsides_of(memory, array)?),
        };
        for outside in outsides.iter() {
            if is_surely_outside(map, &outside.elements)? {
                let index = index_reached(map, outside).ok().flatten();
                let Outside { dimension, extent, .. } = outside;
                let (dimension, extent) = (*dimension, extent.clone());
                return Err(Refusal::OutsideArray { access, dimension, extent, index });
            }
        }
    }
    Ok(())
}

/// What is beyond an array in one dimension.
struct Outside {
    dimension: usize,
    /// The declared extent as isl reads it.
    extent: String,
    /// `[p] -> { A0[b, x, y] }`
    elements: Set,
}

/// For each dimension with a declared extent that is affine.
fn outsides_of(memory: &Memory<'_>, array: Handle<Array>) -> Result<Vec<Outside>> {
    let affine = Affine { nest: memory.nest, names: memory.names };
    let Array { extents, strides, .. } = &memory.nest.arrays[array];
    let mut found = Vec::new();
    for (dimension, extent) in extents.iter().enumerate().filter(|_| extents.len() == strides.len()) {
        let Some(Ok(extent)) = extent.map(|extent| affine.expression(extent)) else { continue };
        let cells: Vec<String> = (0..extents.len()).map(|d| format!("e{d}__")).collect();
        let text = format!(
            "{}{{ A{}[b__, {}] : e{dimension}__ < 0 or e{dimension}__ >= {extent} }}",
            memory.names.prefix(),
            array.index(),
            cells.join(", "),
        );
        found.push(Outside { dimension, extent, elements: Set::parse(&memory.context, &text)? });
    }
    Ok(found)
}

/// Whether some instance of an access, `[p] -> { R5[t, i] -> A0[b, x, y] }`, is outside for all parameters for which there is
/// an instance.
fn is_surely_outside(map: &Map, outside: &Set) -> Result<bool> {
    let leaving = map.intersect_range(outside)?;
    Ok(!leaving.is_empty()? && map.domain()?.params()?.is_subset(&leaving.domain()?.params()?)?)
}

/// The largest index beyond the end as a C expression, or the smallest before the start, if it is short.
fn index_reached(map: &Map, outside: &Outside) -> Result<Option<String>> {
    let rank = map.dim(DimKind::Out)? - 1;
    let leaving = map.intersect_range(&outside.elements)?.range()?.reset_tuple_id()?;
    let behind = leaving.project_out(DimKind::SET, outside.dimension + 2, rank - outside.dimension - 1)?;
    let indices = behind.project_out(DimKind::SET, 0, outside.dimension + 1)?;
    let build = AstBuild::from_context(&map.domain()?.params()?)?;
    let least = build.expr_from_pw_aff(&indices.dim_min(0)?.coalesce()?)?.to_c_str()?;
    let index = match least.starts_with('-') {
        true => least,
        false => build.expr_from_pw_aff(&indices.dim_max(0)?.coalesce()?)?.to_c_str()?,
    };
    Ok((index.len() <= LONGEST_INDEX).then_some(index))
}

/// Characters of an expression that people still read.
const LONGEST_INDEX: usize = 40;
