//! Value-based dataflow: for every read the last write of its element before it (Feautrier 1991, as isl computes it).
//!
//! isl's effort grows with the square of the writes that a read may see. Writes of one array that never touch the same
//! element, as those of `f[0][i]` and `f[1][i]`, are told apart before: a read's part for each is computed alone.

use isl_bindings::{AccessInfo, Context, DimKind, Map, Set, UnionMap};

use super::{Result, are_in_other_planes};

/// The instances of a read or of a write.
pub struct Instances {
    /// What they touch, `[p] -> { S[t, i] -> A[x] }`.
    pub touched: Map,
    /// When, `[p] -> { S[t, i] -> [time] }`, lexicographic, with as many dimensions for all.
    pub schedule: UnionMap,
}

/// Where reads get their values.
pub struct Sources {
    /// The last write before, `[p] -> { R[t, i] -> S[t, i] }`.
    pub writes: UnionMap,
    /// The element for which there is no write before, `[p] -> { R[t, i] -> A[x] }`.
    pub initial: UnionMap,
}

/// The sources of `reads`, which may be `writes`.
pub fn compute_sources(context: &Context, reads: &[Instances], writes: &[Instances]) -> Result<Sources> {
    let mut sources = Sources::none(context)?;
    let (alone, apart) = overlapping(writes)?;
    // What needs no care goes to isl as a whole, with the reads of arrays that nothing writes.
    let mut rest = Vec::new();
    for read in reads {
        let mut initial = read.touched.clone();
        let elements = read.touched.range()?;
        let mut is_apart = false;
        for group in &apart {
            if !group.is_read_by(read)? {
                continue;
            }
            is_apart = true;
            if are_in_other_planes(&elements, &group.elements)? {
                continue;
            }
            let touched = read.touched.intersect_range(&group.elements)?;
            if !touched.is_empty()? {
                initial = initial.subtract(&touched)?;
                let read = Instances { touched, schedule: read.schedule.clone() };
                sources.add(&[&read], &group.of(writes))?;
            }
        }
        if is_apart {
            sources.initial = sources.initial.union(&initial.to_union()?)?;
        } else {
            rest.push(read);
        }
    }
    let writes: Vec<_> = alone.iter().flat_map(|group| group.of(writes)).collect();
    sources.add(&rest, &writes)?;
    Ok(sources)
}

/// Whether some of `reads` comes behind one of `writes` to its element. Which of several is the last one is not asked, which is
/// what takes isl time.
pub fn see_writes(context: &Context, reads: &[&Instances], writes: &[&Instances]) -> Result<bool> {
    let (sink, source, schedule) = unions(context, reads, writes)?;
    let must_source = UnionMap::empty(context)?;
    let flow = AccessInfo { sink, must_source, may_source: Some(source), schedule }.compute_flow()?;
    Ok(!flow.may_dependence.is_empty()?)
}

/// What all reads and all writes touch, and the order of both.
fn unions(context: &Context, reads: &[&Instances], writes: &[&Instances]) -> Result<(UnionMap, UnionMap, UnionMap)> {
    let empty = UnionMap::empty(context)?;
    let (mut read, mut written, mut schedule) = (empty.clone(), empty.clone(), empty);
    for write in writes {
        written = written.union(&write.touched.to_union()?)?;
        schedule = schedule.union(&write.schedule)?;
    }
    for it in reads {
        read = read.union(&it.touched.to_union()?)?;
        schedule = schedule.union(&it.schedule)?;
    }
    Ok((read, written, schedule))
}

impl Sources {
    /// None yet.
    pub fn none(context: &Context) -> Result<Self> {
        Ok(Self { writes: UnionMap::empty(context)?, initial: UnionMap::empty(context)? })
    }

    /// All of both.
    pub fn union(&self, other: &Self) -> Result<Self> {
        Ok(Self { writes: self.writes.union(&other.writes)?, initial: self.initial.union(&other.initial)? })
    }

    /// Adds the sources of `reads` among `writes`.
    fn add(&mut self, reads: &[&Instances], writes: &[&Instances]) -> Result<()> {
        let (sink, must_source, schedule) = unions(self.writes.context(), reads, writes)?;
        let flow = AccessInfo { sink, must_source, may_source: None, schedule }.compute_flow()?;
        self.writes = self.writes.union(&flow.must_dependence.reverse()?)?;
        self.initial = self.initial.union(&flow.must_no_source)?;
        Ok(())
    }
}

/// Writes each of which has elements in common with another.
struct Overlapping {
    members: Vec<usize>,
    /// The elements that they write.
    elements: Set,
}

impl Overlapping {
    fn of<'w>(&self, writes: &'w [Instances]) -> Vec<&'w Instances> {
        self.members.iter().map(|member| &writes[*member]).collect()
    }

    fn has_array_of(&self, other: &Self) -> Result<bool> {
        Ok(self.elements.tuple_name()? == other.elements.tuple_name()?)
    }

    fn is_apart_from(&self, other: &Self) -> Result<bool> {
        Ok(are_in_other_planes(&self.elements, &other.elements)? || self.elements.is_disjoint(&other.elements)?)
    }

    fn is_read_by(&self, read: &Instances) -> Result<bool> {
        Ok(self.elements.tuple_name()? == read.touched.tuple_name(DimKind::Out)?)
    }
}

/// `writes` by the elements that they have in common: those that are alone in their arrays, and those that are not.
fn overlapping(writes: &[Instances]) -> Result<(Vec<Overlapping>, Vec<Overlapping>)> {
    let mut groups: Vec<Overlapping> = Vec::new();
    for (index, write) in writes.iter().enumerate() {
        let mut new = Overlapping { members: vec![index], elements: write.touched.range()? };
        let mut others = Vec::new();
        for group in groups {
            if !group.has_array_of(&new)? || group.is_apart_from(&new)? {
                others.push(group);
            } else {
                new.members.splice(0..0, group.members);
                new.elements = new.elements.union(&group.elements)?;
            }
        }
        others.push(new);
        groups = others;
    }
    let (mut alone, mut apart) = (Vec::new(), Vec::new());
    let names: Vec<_> = groups.iter().map(|group| group.elements.tuple_name()).collect::<isl_bindings::Result<_>>()?;
    for (group, name) in groups.into_iter().zip(&names) {
        let is_alone = names.iter().filter(|other| *other == name).count() == 1;
        if is_alone { alone.push(group) } else { apart.push(group) }
    }
    Ok((alone, apart))
}
