//! What all sweeps read, and where it comes from.

use std::collections::BTreeMap;
use std::ops::Range;

use isl_bindings::Map;

use super::needed::Needs;
use super::planes::{InPlane, Plane};
use super::read_groups::ReadGroup;
use super::sweep::{Dependence, Origin, Reading, Sweep};
use super::{Memory, Result};
use crate::ir::{Access, Handle};

/// Sources of reads as computed cells, `[p] -> { R5[t, i] -> K1[t, x, y] }`, or as initial elements.
pub type Origins = BTreeMap<Handle<Access>, Vec<(Origin, Map)>>;

/// The readings of all sweeps and their sources, as far as they are known.
#[derive(Default)]
pub struct Readings {
    pub readings: Vec<Reading>,
    pub dependences: Vec<Dependence>,
    needs: Needs,
    /// What a sweep that is like no earlier one reads by a group, if that is anything.
    shared: BTreeMap<(usize, Handle<Access>), Range<usize>>,
    /// For a reading that others are like what it touches, and where that comes from, whichever the plane.
    in_planes: BTreeMap<usize, (InPlane, Vec<InPlane>)>,
}

impl Readings {
    /// The readings of `sweeps`.
    pub fn new(memory: &Memory<'_>, sweeps: &[Sweep], origins: &Origins) -> Result<Self> {
        let mut found = Self::default();
        let mut planes: Vec<Plane> = Vec::new();
        for (index, sweep) in sweeps.iter().enumerate() {
            let back = sweep.instances.reverse()?;
            let plane = Plane::of(memory, index, sweep, &back)?;
            let like = planes.iter().find_map(|other| match other.is_like(&plane) {
                Ok(false) => None,
                is_like => Some(is_like.map(|_| other)),
            });
            let like = like.transpose()?;
            for group in memory.groups_of(sweep.statement) {
                let shared = like.and_then(|other| Some((other, found.shared.get(&(other.sweep, group.first()))?)));
                match shared {
                    Some((other, places)) => found.add_moved(other, places.clone(), &plane)?,
                    None => found.add_group(memory, (index, sweep.statement), group, &back, origins)?,
                }
            }
            if like.is_none() {
                planes.push(plane);
            }
        }
        Ok(found)
    }

    /// Adds what a sweep like that of `other` reads by the groups of these readings.
    fn add_moved(&mut self, other: &Plane, places: Range<usize>, plane: &Plane) -> Result<()> {
        for place in places {
            let sources = self.readings[place].sources.clone();
            if !self.in_planes.contains_key(&place) {
                let touched = other.of_any(&self.readings[place].touched)?;
                let of_each = |source: &Dependence| other.of_any(&source.of_each);
                let of_each = self.dependences[sources.clone()].iter().map(of_each).collect::<Result<_>>()?;
                self.in_planes.insert(place, (touched, of_each));
            }
            let (touched, of_each) = &self.in_planes[&place];
            let reading = other.moved_reading(&self.readings[place], touched, plane)?;
            let moved = |(source, of_each)| other.moved_dependence(source, of_each, &reading, plane);
            let moved = self.dependences[sources].iter().zip(of_each).map(moved).collect::<Result<Vec<_>>>()?;
            self.add(reading, moved);
        }
        Ok(())
    }

    /// Adds what a sweep reads by a group, the reads apart if they get values of different sweeps or steps; `back` is
    /// `[p] -> { K0[t, x, y] -> S3[t, i, j] }`.
    fn add_group(
        &mut self,
        memory: &Memory<'_>,
        (sweep, statement): (usize, usize),
        group: &ReadGroup,
        back: &Map,
        origins: &Origins,
    ) -> Result<()> {
        let first = self.readings.len();
        let evaluation = group.for_each_offset(back)?.apply_range(memory.evaluation(statement, group.first()))?;
        let whole = Reading::new(memory, sweep, group, &evaluation)?;
        let is_anything = !whole.touched.is_empty()?;
        let sources = |reading: &Reading, evaluation: &Map| match origins.get(&group.first()) {
            Some(origins) => reading.dependences(memory, evaluation, origins),
            None => Ok(Vec::new()),
        };
        let found = sources(&whole, &evaluation)?;
        if whole.group.members.len() == 1 || found.iter().all(|source| source.is_of_all(&whole)) {
            self.add_new(whole, found)?;
        } else {
            for (reading, evaluation) in whole.apart(&evaluation)? {
                let found = sources(&reading, &evaluation)?;
                self.add_new(reading, found)?;
            }
        }
        if is_anything {
            self.shared.insert((sweep, group.first()), first..self.readings.len());
        }
        Ok(())
    }

    /// Adds a reading that is like no other one.
    fn add_new(&mut self, reading: Reading, mut sources: Vec<Dependence>) -> Result<()> {
        for source in &mut sources {
            source.needed = source.needs(&mut self.needs)?;
        }
        self.add(Reading { like: self.readings.len(), ..reading }, sources);
        Ok(())
    }

    fn add(&mut self, reading: Reading, sources: Vec<Dependence>) {
        let first = self.dependences.len();
        self.dependences.extend(sources);
        self.readings.push(Reading { sources: first..self.dependences.len(), ..reading });
    }
}
