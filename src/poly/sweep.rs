//! Statements as sweeps over the cells they write, dependences as distances and offsets.

use std::collections::BTreeMap;
use std::ops::Range;

use isl_bindings::{DimKind, Map, Set};

use super::needed::{Needed, Needs};
use super::read_groups::ReadGroup;
use super::{Affine, Memory, Refusal, Result};
use crate::ir::{Access, Array, Handle};

/// One stencil function applied to its sub-grid in every time step.
pub struct Sweep {
    /// Index of the statement in the nest.
    pub statement: usize,
    /// The array it writes.
    pub array: Handle<Array>,
    /// The cells it computes in every step, `[p] -> { [x, y] }`.
    pub domain: Set,
    /// Whether the domain is a box for all parameters.
    pub is_box: bool,
    /// From statement instances to computed cells, `[p] -> { S3[t, i, j] -> K0[t, x, y] }`; bijective.
    pub instances: Map,
    /// The element it writes, `[p] -> { K0[t, x, y] -> A0[b, x, y] }`.
    pub write: Map,
    /// The reads its value needs.
    pub reads: Vec<Handle<Access>>,
}

/// Where a read gets its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// From the sweep of that index.
    Sweep(usize),
    /// From what the array held before the nest.
    Initial(Handle<Array>),
}

/// A group of reads of a sweep.
pub struct Reading {
    /// The reading sweep.
    pub sweep: usize,
    /// The reads.
    pub group: ReadGroup,
    /// The elements, `[p] -> { K0[t, x, y, o] -> A0[b, x', y'] }`.
    pub touched: Map,
    /// For each read `(x' - x, y' - y)`, if that is constant.
    pub offsets: Vec<Option<Vec<i64>>>,
    /// Where its sources stand among the dependences.
    pub sources: Range<usize>,
    /// The first reading of the same elements and values at the same points, but for the plane that the sweep writes; often
    /// itself.
    pub like: usize,
}

/// A flow dependence of a sweep, or its use of initial memory.
pub struct Dependence {
    /// The reading sweep.
    pub sweep: usize,
    /// The first read of the group that gets the value.
    pub read: Handle<Access>,
    /// The reads that get it, each with `(x' - x, y' - y)` if that is constant.
    pub reads: BTreeMap<Handle<Access>, Option<Vec<i64>>>,
    /// What gives the value.
    pub origin: Origin,
    /// What any of the reads needs, `[p] -> { K0[t, x, y] -> K1[t', x', y'] }`, or
    /// `[p] -> { K0[t, x, y] -> A0[b, x', y'] }`.
    pub relation: Map,
    /// What each needs, `[p] -> { K0[t, x, y, o] -> K1[t', x', y'] }`, or `[p] -> { K0[t, x, y, o] -> A0[b, x', y'] }`.
    pub of_each: Map,
    /// `t - t'`, if it is constant; `None` for initial memory.
    pub distance: Option<i64>,
    /// What a read alone needs of initial memory, if its offset is constant.
    pub needed: Option<Needed>,
}

impl Reading {
    /// The reads of a group by a sweep; when they are evaluated is `[p] -> { K0[t, x, y, o] -> R5[t, i, o] }`.
    pub(super) fn new(memory: &Memory<'_>, sweep: usize, group: &ReadGroup, evaluation: &Map) -> Result<Self> {
        let touched = evaluation.apply_range(&memory.reads[&group.first()])?;
        let rank = evaluation.dim(DimKind::In)? - group.wide().count();
        let is_same_rank = touched.dim(DimKind::Out)? == rank;
        let offsets = match is_same_rank && touched.is_empty()? {
            // A read that never happens, say under a condition that no point fulfils, may have any offset.
            true => vec![Some(vec![0; rank - 1]); group.members.len()],
            false => offsets(group, &group.members.iter().collect::<Vec<_>>(), &touched)?,
        };
        Ok(Self { sweep, group: group.clone(), touched, offsets, sources: 0..0, like: usize::MAX })
    }

    /// `(x' - x, y' - y)` of one of the reads, if that is constant.
    pub fn offset(&self, read: Handle<Access>) -> Option<Vec<i64>> {
        let place = self.group.members.iter().position(|(member, _)| *member == read)?;
        self.offsets[place].clone()
    }

    /// Each of the reads alone, with its evaluation.
    pub(super) fn apart(&self, evaluation: &Map) -> Result<Vec<(Self, Map)>> {
        let evaluations = self.group.apart(evaluation)?.into_iter();
        let parts = evaluations.zip(self.group.apart(&self.touched)?).zip(&self.offsets);
        let reading = |(((group, evaluation), (_, touched)), offset): ((_, (_, _)), &Option<_>)| {
            let offsets = vec![offset.clone()];
            (Self { sweep: self.sweep, group, touched, offsets, sources: 0..0, like: self.like }, evaluation)
        };
        Ok(parts.map(reading).collect())
    }

    /// Where the values come from; `origins` are those of evaluations.
    pub(super) fn dependences(
        &self,
        memory: &Memory<'_>,
        evaluation: &Map,
        origins: &[(Origin, Map)],
    ) -> Result<Vec<Dependence>> {
        let mut found = Vec::new();
        for (origin, map) in origins {
            let relation = evaluation.apply_range(map)?;
            if !relation.is_empty()? {
                found.push(Dependence::new(memory, self, *origin, relation.coalesce()?)?);
            }
        }
        Ok(found)
    }
}

impl Dependence {
    fn new(memory: &Memory<'_>, reading: &Reading, origin: Origin, of_each: Map) -> Result<Self> {
        let Reading { sweep, group, .. } = reading;
        let relation = group.joined(&of_each)?;
        let deltas = deltas(&relation)?;
        let distance = match (origin, &deltas) {
            (Origin::Sweep(_), Some(deltas)) => constant_distance(memory, deltas)?,
            _ => None,
        };
        let members = group.members_in(&of_each)?;
        let offsets = match group.members.len() {
            1 => vec![deltas.as_ref().map(constant_offset).transpose()?.flatten()],
            _ => offsets(group, &members, &of_each)?,
        };
        let reads = members.iter().map(|(read, _)| *read).zip(offsets).collect();
        Ok(Self { sweep: *sweep, read: group.first(), reads, origin, relation, of_each, distance, needed: None })
    }

    /// What it needs of initial memory, if that is known to be needed by others too.
    pub(super) fn needs(&self, needs: &mut Needs) -> Result<Option<Needed>> {
        let has_constant_offset = self.reads.len() == 1 && self.reads.values().all(Option::is_some);
        match self.origin {
            Origin::Initial(_) if has_constant_offset => needs.add(self.read, &self.relation).map(Some),
            _ => Ok(None),
        }
    }

    /// Whether all reads of a group get the sweep's values, and of one step, so that they find them in one place.
    pub(super) fn is_of_all(&self, reading: &Reading) -> bool {
        let is_of_all = self.distance.is_some() && self.reads.len() == reading.group.members.len();
        is_of_all || matches!(self.origin, Origin::Initial(_))
    }
}

impl Sweep {
    /// The sweep of a statement, with its number among the sweeps.
    ///
    /// # Errors
    /// A statement that writes an element twice in a step, or other cells in some steps than in others.
    pub(super) fn new(memory: &Memory<'_>, statement: usize, index: usize) -> Result<Self> {
        let nest = memory.nest;
        let write_map = &memory.writes[statement];
        let access = nest.step.statements[statement].write;
        let array = nest.accesses[access].array;
        let instances = instances(memory, statement, index)?;
        if !instances.is_injective()? {
            return Err(Refusal::WrittenTwice(statement));
        }
        let computed = instances.range()?;
        let domain = computed.project_out(DimKind::SET, 0, 1)?.coalesce()?;
        check_same_cells_each_step(memory, statement, &computed, &domain)?;
        let write = instances.reverse()?.apply_range(write_map)?;
        let is_box = memory.known.is_box(&domain)?;
        let reads = memory.reads_of[statement].clone();
        Ok(Self { statement, array, domain, is_box, instances, write, reads })
    }
}

/// `[p] -> { S3[t, i, j] -> K0[t, x, y] }`: the cell that an instance writes.
pub(super) fn instances(memory: &Memory<'_>, statement: usize, index: usize) -> Result<Map> {
    let nest = memory.nest;
    let write = &nest.accesses[nest.step.statements[statement].write];
    let affine = Affine { nest, names: memory.names };
    let space = nest.clock.space(&write.loops).map(|this| memory.names.loop_variable(this));
    let instance: Vec<String> = std::iter::once(memory.time_name()).chain(space.map(str::to_string)).collect();
    let cells = write.subscripts.iter().map(|s| affine.expression(*s).expect("checked by the access map"));
    let cell: Vec<String> = std::iter::once(memory.time_name()).chain(cells).collect();
    let text = format!(
        "{}{{ S{statement}[{}] -> K{index}[{}] }}",
        memory.names.prefix(),
        instance.join(", "),
        cell.join(", ")
    );
    Ok(Map::parse(&memory.context, &text)?.intersect_domain(&memory.writes[statement].domain()?)?)
}

/// `(x' - x, y' - y)` for some members of a group, if that is constant, `relation` being
/// `[p] -> { K0[t, x, y, o] -> A0[b, x', y'] }`, or with a computed cell in the place of the element.
fn offsets(
    group: &ReadGroup,
    members: &[&(Handle<Access>, Vec<i64>)],
    relation: &Map,
) -> Result<Vec<Option<Vec<i64>>>> {
    let Some((_, first)) = members.first() else { return Ok(Vec::new()) };
    let deltas = deltas(&group.joined(&group.at(relation, first)?)?)?;
    let of_first = deltas.as_ref().map(constant_offset).transpose()?.flatten();
    let moved = |member: &[i64]| -> Option<Vec<i64>> {
        Some((0..member.len()).zip(of_first.as_ref()?).map(|(d, offset)| offset + member[d] - first[d]).collect())
    };
    Ok(members.iter().map(|(_, member)| moved(member)).collect())
}

/// `(x' - x, y' - y)` of a read, if it is constant.
fn constant_offset(deltas: &Set) -> Result<Option<Vec<i64>>> {
    let rank = deltas.dim(DimKind::SET)?;
    (1..rank).map(|d| fixed_value(deltas, d)).collect()
}

/// The value of a dimension if all elements have the same; isl may see that only where disjuncts are joined.
fn fixed_value(set: &Set, d: usize) -> Result<Option<i64>> {
    match set.plain_fixed_value(DimKind::SET, d)? {
        Some(value) => Ok(Some(value)),
        None => Ok(set.coalesce()?.plain_fixed_value(DimKind::SET, d)?),
    }
}

/// The differences of a dependence in time and space, `[p] -> { D[t, x, y] }`.
fn deltas(relation: &Map) -> Result<Option<Set>> {
    // Initial elements have the buffer where instances have the time.
    if relation.dim(DimKind::In)? != relation.dim(DimKind::Out)? {
        return Ok(None);
    }
    let deltas = relation.set_tuple_name(DimKind::In, "D")?.set_tuple_name(DimKind::Out, "D")?.deltas()?;
    Ok(Some(deltas))
}

/// The largest distance in time that is looked for where isl does not see that it is constant.
const LONGEST_DISTANCE: i64 = 8;

/// How many steps before a value is read it is written, if that is constant. isl may describe a rotation of three buffers or
/// more with remainders, and does not see it.
fn constant_distance(memory: &Memory<'_>, deltas: &Set) -> Result<Option<i64>> {
    if let Some(delta) = fixed_value(deltas, 0)? {
        return Ok(Some(-delta));
    }
    let times = deltas.reset_tuple_id()?.project_out(DimKind::SET, 1, deltas.dim(DimKind::SET)? - 1)?;
    steps_before(memory, &times, "0", LONGEST_DISTANCE)
}

/// The same for a dependence between sweeps, `[p] -> { K0[t, x, y] -> K1[t', x'] }`, over arrays of whatever ranks.
pub(super) fn distance_in_time(memory: &Memory<'_>, relation: &Map) -> Result<Option<i64>> {
    let (ins, outs) = (relation.dim(DimKind::In)?, relation.dim(DimKind::Out)?);
    let times = relation.project_out(DimKind::In, 1, ins - 1)?.project_out(DimKind::Out, 1, outs - 1)?;
    deltas(&times)?.map_or(Ok(None), |deltas| constant_distance(memory, &deltas))
}

/// By how many steps, up to `most`, all of `times`, a set `{ [t] }`, are before a moment in terms of the number of steps.
pub(super) fn steps_before(memory: &Memory<'_>, times: &Set, moment: &str, most: i64) -> Result<Option<i64>> {
    let steps = memory.names.steps();
    for distance in 0..=most {
        let then = format!("[{steps}] -> {{ [t] : t = {moment} - {distance} }}");
        if times.is_subset(&memory.texts.set(&then)?)? {
            return Ok(Some(distance));
        }
    }
    Ok(None)
}

fn check_same_cells_each_step(memory: &Memory<'_>, statement: usize, computed: &Set, domain: &Set) -> Result<()> {
    let prefix = memory.names.prefix();
    let steps = memory.texts.set(&format!("{prefix}{{ [t__] : 0 <= t__ < {} }}", memory.names.steps()))?;
    let tuple = computed.tuple_name()?.unwrap_or_default();
    let every_step = steps.flat_product(domain)?.set_tuple_name(&tuple)?;
    if computed.is_equal(&every_step)? {
        return Ok(());
    }
    Err(Refusal::CellsChangeWithTime(statement))
}
