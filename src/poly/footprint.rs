//! The elements of the user's arrays that a nest touches.

use isl_bindings::{AstBuild, DimKind, Set};

use super::performed::surely_touched;
use super::row_bounds::{row_bounds, row_hull};
use super::{CellBounds, Memory, Refusal, Result, bounding_box, values};
use crate::index::Condition;
use crate::ir::{Access, Array, BinaryOp, Expr, ExprKind, Given, Handle, History, Nest};

/// Fields that are interleaved more coarsely count as overlapping.
const MAX_SPACING: i64 = 64;

/// The elements of one buffer that the nest touches.
pub struct Footprint {
    /// The array.
    pub array: Handle<Array>,
    /// Its buffer.
    pub buffer: usize,
    /// The box around the elements, which are there for some parameters; of a history with the rows as first dimension.
    pub bounds: CellBounds,
    /// Where rows are found through tables of pointers, the elements of each row in terms of its position; `None` if all rows
    /// are as long as the box.
    pub rows: Option<CellBounds>,
    /// Along the fastest dimension, elements are multiples of this apart: 2 for `z[2 * i]`.
    pub spacing: i64,
    /// Whether it holds elements that are used under conditions on data alone and that nothing shows to exist. The driver makes
    /// sure that there is memory.
    pub is_assumed: bool,
    /// Whether it holds elements that are there if they are within the stated size, and that nothing else shows to exist. The driver
    /// makes sure that all are.
    pub is_bounded: bool,
    /// For which sizes it holds elements that are used under conditions on data alone and that nothing shows to exist, although what
    /// the nest uses else shows it for others. The driver leaves the nest to the original loops then.
    pub lacking: Option<Condition>,
}

/// Footprints of all buffers that the nest touches.
///
/// # Errors
/// An access that is guarded by data and reaches elements whose existence nothing else shows, of an array with a stated size.
pub fn footprints(memory: &Memory<'_>) -> Result<Vec<Footprint>> {
    let nest = memory.nest;
    let mut certain: Vec<Option<Set>> = vec![None; nest.arrays.len()];
    let mut is_assumed = vec![false; nest.arrays.len()];
    let mut is_bounded = vec![false; nest.arrays.len()];
    let mut lacking: Vec<Option<Set>> = vec![None; nest.arrays.len()];
    let mut speculative = Vec::new();
    for (index, statement) in nest.step.statements.iter().enumerate() {
        let write = &nest.accesses[statement.write];
        let elements = memory.elements(statement.write, &memory.writes[index])?;
        if write.is_speculative || nest.keeps_old(statement.value) && may_be_assumed(nest, statement.write) {
            speculative.push((statement.write, elements));
        } else {
            extend(&mut certain[write.array.index()], elements)?;
        }
    }
    for (&read, map) in &memory.reads {
        let elements = memory.elements(read, map)?;
        let access = &nest.accesses[read];
        if access.is_speculative {
            speculative.push((read, elements));
        } else {
            extend(&mut certain[access.array.index()], elements)?;
        }
    }
    let under_conditions: Vec<_> = speculative.iter().map(|(access, _)| *access).collect();
    let mut are_performed = vec![false; nest.arrays.len()];
    let possible = memory.possible_steps()?;
    // What is known to be there, as long as nothing else is.
    let mut around: Vec<Option<Set>> = vec![None; nest.arrays.len()];
    for (read, elements) in speculative {
        let access = &nest.accesses[read];
        let elements = elements.intersect_params(&possible)?;
        let known = &mut certain[access.array.index()];
        let around = &mut around[access.array.index()];
        let mut is_known = is_around(memory, access.array, (known.as_ref(), &mut *around), &elements)?;
        if !is_known && !std::mem::replace(&mut are_performed[access.array.index()], true) {
            for touched in surely_touched(memory, access.array, under_conditions.iter().copied())? {
                extend(known, touched)?;
            }
            *around = None;
            is_known = is_around(memory, access.array, (known.as_ref(), &mut *around), &elements)?;
        }
        if !is_known {
            *around = None;
            let declared = declared_elements(memory, access.array)?;
            let allocated = allocated_elements(memory, access.array)?;
            let is_within = |all: &Option<Set>| all.as_ref().map_or(Ok(false), |all| elements.is_subset(all));
            let is_declared = is_within(&declared)? || is_within(&allocated)?;
            if !is_declared && !is_within_length(memory, access.array, known.as_ref(), &elements)? {
                match may_be_assumed(nest, read) {
                    true => is_assumed[access.array.index()] = true,
                    false if may_be_declared(memory, access.array, declared.as_ref(), &elements)? => {
                        is_bounded[access.array.index()] = true;
                    }
                    false => {
                        let others = [declared, allocated]
                            .into_iter()
                            .flatten()
                            .try_fold(elements.clone(), |rest, all| rest.subtract(&all))?;
                        let Some(sizes) = sizes_without(memory, access.array, known.as_ref(), (&elements, others))?
                        else {
                            return Err(Refusal::ElementMayNotExist(read));
                        };
                        extend(&mut lacking[access.array.index()], sizes)?;
                    }
                }
            }
        }
        extend(known, elements)?;
    }
    let mut found = Vec::new();
    for (array, elements) in nest.arrays.handles().zip(certain) {
        let Some(elements) = elements else { continue };
        for buffer in 0..nest.arrays[array].buffers.len() {
            let touched = match nest.arrays[array].history {
                Some(_) => elements.reset_tuple_id()?.coalesce()?,
                None if nest.step.wheel_of(nest.arrays[array].buffers[0].variable).is_some() => whole_wheel(memory)?,
                None => of_buffer(&elements, buffer)?,
            };
            if !touched.is_empty()? {
                let (bounds, spacing) = (memory.known.bounds(&touched)?, spacing(memory, array, &touched)?);
                let has_row_tables = nest.arrays[array].has_row_tables();
                let rows = if has_row_tables { row_bounds(memory, &touched)? } else { None };
                let (is_assumed, is_bounded) = (is_assumed[array.index()], is_bounded[array.index()]);
                let lacking = lacking[array.index()].as_ref().map(holds_of_sizes).transpose()?;
                found.push(Footprint { array, buffer, bounds, rows, spacing, is_assumed, is_bounded, lacking });
            }
        }
    }
    Ok(found)
}

/// The sizes, `[p] -> { : }`, for which some of `elements` are not shown to exist, by those of `known` or as all but the `others` are;
/// `None` if there are no other sizes for which there are elements.
fn sizes_without(
    memory: &Memory<'_>,
    array: Handle<Array>,
    known: Option<&Set>,
    (elements, others): (&Set, Set),
) -> Result<Option<Set>> {
    let Some(known) = known.filter(|_| memory.nest.arrays[array].history.is_none()) else { return Ok(None) };
    let beyond = others.subtract(&surroundings(memory, array, &known.coalesce()?)?)?;
    let of_sizes = |set: &Set| {
        let sizes = set.params()?;
        match sizes.find_dim_by_name(DimKind::Param, memory.names.steps())? {
            Some(steps) => sizes.project_out(DimKind::Param, steps, 1),
            None => Ok(sizes),
        }
    };
    let (all, lacking) = (of_sizes(elements)?, of_sizes(&beyond)?.coalesce()?);
    Ok((!all.is_subset(&lacking)?).then_some(lacking))
}

/// Whether the sizes of a call are in a set, `[p] -> { : }`.
fn holds_of_sizes(sizes: &Set) -> Result<Condition> {
    let universe = Set::parse(sizes.context(), "{ : }")?;
    Ok(values::condition(&AstBuild::from_context(&universe)?.expr_from_set(sizes)?)?)
}

/// Whether to copy an element that may not be there does no harm where there is memory: nothing says how large its array is. The
/// driver looks at index arrays before it knows that there is memory.
fn may_be_assumed(nest: &Nest, access: Handle<Access>) -> bool {
    let handle = nest.accesses[access].array;
    let array = &nest.arrays[handle];
    let is_declared = array.length.is_some() || array.extents.first().is_some_and(Option::is_some);
    let has_size = is_declared || !array.allocated.is_empty();
    let is_index_array = nest.index_arrays.iter().any(|it| nest.accesses[it.read].array == handle);
    !has_size && !is_index_array
}

/// Whether the driver can tell which elements an array has, as numbers say how many in each dimension, and these may be all.
fn may_be_declared(memory: &Memory<'_>, array: Handle<Array>, declared: Option<&Set>, elements: &Set) -> Result<bool> {
    let Some(declared) = declared.filter(|_| has_fixed_size(memory, array)) else { return Ok(false) };
    let others = elements.subtract(declared)?;
    Ok(!elements.params()?.is_subset(&others.params()?)?)
}

/// Whether numbers say how many elements an array has in each dimension.
fn has_fixed_size(memory: &Memory<'_>, array: Handle<Array>) -> bool {
    let Array { extents, history, buffers, .. } = &memory.nest.arrays[array];
    let is_number = |extent: &Option<Handle<Expr>>| {
        extent.is_some_and(|extent| matches!(memory.nest.exprs[extent].kind, ExprKind::Int(_)))
    };
    let is_wheel = memory.nest.step.wheel_of(buffers[0].variable).is_some();
    !extents.is_empty() && extents.iter().all(is_number) && history.is_none() && !is_wheel
}

/// Whether elements exist if those of `known` do, around which those are that `around` has, if that is known yet.
fn is_around(
    memory: &Memory<'_>,
    array: Handle<Array>,
    (known, around): (Option<&Set>, &mut Option<Set>),
    elements: &Set,
) -> Result<bool> {
    let Some(known) = known else { return Ok(false) };
    let around = match around {
        Some(around) => around,
        None => around.insert(surroundings(memory, array, &known.coalesce()?)?),
    };
    Ok(elements.is_subset(around)?)
}

/// The elements that exist if those of `known` do: arrays are boxes, but each row behind a table of pointers is by itself.
fn surroundings(memory: &Memory<'_>, array: Handle<Array>, known: &Set) -> isl_bindings::Result<Set> {
    if memory.nest.arrays[array].has_row_tables() { row_hull(known) } else { bounding_box(known) }
}

/// The largest constant factor of a subscript of the fastest dimension that is the distance of elements along it; 1 if
/// there is none.
fn spacing(memory: &Memory<'_>, array: Handle<Array>, elements: &Set) -> Result<i64> {
    let nest = memory.nest;
    let accesses = nest.accesses.iter().filter(|(_, access)| access.array == array);
    let fastest = accesses.filter_map(|(_, access)| access.subscripts.last().copied());
    let mut factors: Vec<i64> = nest
        .reachable(fastest)
        .into_iter()
        .filter_map(|part| match nest.exprs[part].kind {
            ExprKind::Binary(BinaryOp::Mul, left, right) => {
                [left, right].into_iter().find_map(|side| match nest.exprs[side].kind {
                    ExprKind::Int(factor) => Some(factor),
                    _ => None,
                })
            }
            _ => None,
        })
        .chain(nest.loops.iter().map(|(_, this)| this.step.abs()))
        .filter(|factor| (2..=MAX_SPACING).contains(factor))
        .collect();
    factors.sort_unstable();
    factors.dedup();
    let rank = elements.dim(DimKind::SET)?;
    let fastest = elements.project_out(DimKind::SET, 0, rank - 1)?;
    for factor in factors.into_iter().rev() {
        // { [x] -> [y] } for elements that are not a multiple of the factor apart.
        let apart = memory.texts.map(&format!("{{ [x] -> [y] : (y - x) mod {factor} != 0 }}"))?;
        if fastest.apply(&apart)?.is_disjoint(&fastest)? {
            return Ok(factor);
        }
    }
    Ok(1)
}

/// The elements of a buffer, or of each row of a history, that the program may change, `[p] -> { [x, y] }`; `None` if it has no
/// such statement.
pub fn changed_elements(memory: &Memory<'_>, array: Handle<Array>, buffer: usize) -> Result<Option<Set>> {
    let mut elements = None;
    for (statement, map) in memory.nest.step.statements.iter().zip(&memory.writes) {
        if memory.nest.accesses[statement.write].array == array {
            extend(&mut elements, memory.elements(statement.write, map)?)?;
        }
    }
    let of_rows = |all: &Set| Ok(all.reset_tuple_id()?.project_out(DimKind::SET, 0, 1)?.coalesce()?);
    let is_history = memory.nest.arrays[array].history.is_some();
    elements.map(|all| if is_history { of_rows(&all) } else { of_buffer(&all, buffer) }).transpose()
}

/// All elements of a wheel, whose steps come round.
fn whole_wheel(memory: &Memory<'_>) -> Result<Set> {
    let last = Given::WHEEL - 1;
    Ok(Set::parse(&memory.context, &format!("{}{{ [x] : 0 <= x <= {last} }}", memory.names.prefix()))?)
}

/// `{ [x, y] }` of `{ A0[b, x, y] }` for a buffer.
fn of_buffer(elements: &Set, buffer: usize) -> Result<Set> {
    let elements = elements.fix_si(DimKind::SET, 0, buffer as i64)?;
    Ok(elements.reset_tuple_id()?.project_out(DimKind::SET, 0, 1)?.coalesce()?)
}

fn extend(set: &mut Option<Set>, more: Set) -> Result<()> {
    *set = Some(match set.take() {
        Some(elements) => elements.union(&more)?,
        None => more,
    });
    Ok(())
}

/// All elements of the rows that the program has allocated, `[p] -> { A0[b, x, y] }`, where that is known.
fn allocated_elements(memory: &Memory<'_>, array: Handle<Array>) -> Result<Option<Set>> {
    let affine = super::Affine { nest: memory.nest, names: memory.names };
    let [rows, length] = memory.nest.arrays[array].allocated[..] else { return Ok(None) };
    let (Ok(rows), Ok(length)) = (affine.expression(rows), affine.expression(length)) else { return Ok(None) };
    let (prefix, name) = (memory.names.prefix(), array.index());
    let text = format!("{prefix}{{ A{name}[b__, r__, e__] : 0 <= r__ < {rows} and 0 <= e__ < {length} }}");
    Ok(Some(Set::parse(&memory.context, &text)?))
}

/// All elements that the array's type declares, `[p] -> { A0[b, x, y] }`, where every extent is known and affine.
fn declared_elements(memory: &Memory<'_>, array: Handle<Array>) -> Result<Option<Set>> {
    let affine = super::Affine { nest: memory.nest, names: memory.names };
    let mut bounds = Vec::new();
    let mut cells = Vec::new();
    for (d, extent) in memory.nest.arrays[array].extents.iter().enumerate() {
        let Some(Ok(extent)) = extent.map(|extent| affine.expression(extent)) else { return Ok(None) };
        bounds.push(format!("0 <= e{d}__ < {extent}"));
        cells.push(format!("e{d}__"));
    }
    if let Some(History { rows, .. }) = memory.nest.arrays[array].history {
        let Some(Ok(rows)) = rows.map(|rows| affine.expression(rows)) else { return Ok(None) };
        bounds.push(format!("0 <= b__ < {rows}"));
    }
    let text = format!(
        "{}{{ A{}[b__, {}] : {} }}",
        memory.names.prefix(),
        array.index(),
        cells.join(", "),
        bounds.join(" and ")
    );
    Ok(Some(Set::parse(&memory.context, &text)?))
}

/// Whether `elements`, with all of a box around them and `known` ones, `[p] -> { A0[b, x, y] }`, are within the declared length
/// of a flat array.
fn is_within_length(memory: &Memory<'_>, array: Handle<Array>, known: Option<&Set>, elements: &Set) -> Result<bool> {
    let Array { strides, length: Some(length), .. } = &memory.nest.arrays[array] else { return Ok(false) };
    let mut place = Vec::new();
    for (d, stride) in strides.iter().enumerate() {
        let ExprKind::Int(stride) = memory.nest.exprs[*stride].kind else { return Ok(false) };
        place.push(format!("{stride} * e{d}__"));
    }
    let cells: Vec<String> = (0..strides.len()).map(|d| format!("e{d}__")).collect();
    let text = format!("{{ A{}[b__, {}] : 0 <= {} < {length} }}", array.index(), cells.join(", "), place.join(" + "));
    let all = known.map_or(Ok(elements.clone()), |known| known.union(elements))?;
    Ok(bounding_box(&all)?.is_subset(&Set::parse(&memory.context, &text)?)?)
}
