//! Strategy `local`: overlapped time tiles in local memory (Holewinski et al., ICS 2012, Algorithms 3 and 4).
//!
//! A work-group loads the tile's input with its ghost zone, computes all stages level by level with a barrier between
//! those that exchange values, and stores its core. Every work-item computes any number of points. With a single
//! work-item a group, loops are plain and there is no barrier: this is the form for CPUs where rows cannot stream.

use std::collections::BTreeSet;

use super::cells::{around_origin, constant, from_origin, intersection, reaches_out, tile_origin};
use super::inputs::{Arguments, steps_before};
use super::{ArgumentKind, Condition, Index, Kernel, LocalArray, Location, Role, Statement, Subject, Tiles};
use crate::tile::{CellBox, SlotUse, Stage, Tile};

/// The kernel that advances a tile by its levels in one launch.
pub fn local_kernel(subject: &Subject<'_>, name: &str, tile: &Tile, work_group: [u32; 3]) -> Kernel {
    let mut builder = Builder {
        subject,
        tile,
        work_group,
        arguments: Arguments::default(),
        local_arrays: Vec::new(),
        slots: Vec::new(),
    };
    builder.declare_local_arrays();
    let mut body = tile_origin(&constant(&tile.core), &mut builder.arguments);
    body.extend(builder.loads());
    body.extend(builder.stages());
    Kernel {
        name: name.to_string(),
        role: Role::Tiles(Tiles::of(tile)),
        rank: tile.core.len(),
        work_group,
        reach: tile.region_around_core(),
        arguments: builder.arguments.finish(),
        local_arrays: builder.local_arrays,
        body,
    }
}

struct Builder<'a> {
    subject: &'a Subject<'a>,
    tile: &'a Tile,
    work_group: [u32; 3],
    arguments: Arguments,
    local_arrays: Vec<LocalArray>,
    /// The field and relative slot of each local array.
    slots: Vec<(usize, usize)>,
}

impl Builder<'_> {
    fn rank(&self) -> usize {
        self.tile.core.len()
    }

    fn declare_local_arrays(&mut self) {
        for &(field, slot) in self.tile.slots.keys() {
            let region = self.tile.field_region(field).expect("the field has this slot");
            self.local_arrays.push(LocalArray {
                name: format!("local{field}_{slot}"),
                element: self.subject.recurrences().storage.fields[field].element,
                extents: region.extents(),
                lo: region.lo,
            });
            self.slots.push((field, slot));
        }
    }

    fn local_array(&self, field: usize, slot: usize) -> Option<usize> {
        self.slots.iter().position(|key| *key == (field, slot))
    }

    /// Loads what earlier launches computed, and halo cells where the tile reaches them.
    fn loads(&mut self) -> Vec<Statement> {
        let mut body = Vec::new();
        let slots: Vec<_> = self.tile.slots.iter().map(|(key, slot)| (*key, slot.clone())).collect();
        for ((field, slot), used) in slots {
            if !used.has_input && !used.has_halo {
                continue;
            }
            let name = &self.subject.recurrences().storage.fields[field].name;
            let mut load = vec![Statement::Comment(format!("`{name}`, slot {slot}"))];
            load.extend(self.load(field, slot, &used.region));
            match self.full_tile_condition(field, &used) {
                Some(outside) => body.push(Statement::If { condition: outside, body: load }),
                None => body.extend(load),
            }
        }
        if !body.is_empty() {
            body.extend(self.barrier());
        }
        body
    }

    fn load(&mut self, field: usize, slot: usize, region: &CellBox) -> Vec<Statement> {
        let array = self.local_array(field, slot).expect("declared before");
        let cell = self.subject.cell(self.rank());
        let from = self.subject.global(ArgumentKind::Input { field, slot }, cell.clone(), &mut self.arguments);
        let copy = Statement::Copy { to: Location::Local { array, cell }, from };
        self.subject.loops(&around_origin(region), self.work_group, vec![copy])
    }

    /// The condition under which a slot that holds only halo cells must be loaded: the tile reaches outside the box
    /// that the field's one sweep writes. `None` if it must always be loaded.
    fn full_tile_condition(&mut self, field: usize, used: &SlotUse) -> Option<Condition> {
        if used.has_input {
            return None;
        }
        let storage = &self.subject.recurrences().storage;
        let mut writers = (0..storage.writes.len()).filter(|sweep| storage.writes[*sweep].0 == field);
        let (writer, None) = (writers.next()?, writers.next()) else { return None };
        if self.subject.membership(writer).is_some() {
            return None;
        }
        let domain = self.subject.domain(writer, &mut self.arguments);
        Some(reaches_out(&around_origin(&used.region), &domain))
    }

    fn stages(&mut self) -> Vec<Statement> {
        let mut body = Vec::new();
        let mut read_since_barrier = BTreeSet::new();
        let mut written_since_barrier = BTreeSet::new();
        for stage in &self.tile.stages {
            let (reads, write) = self.slots_touched(stage);
            let conflicts = reads.iter().any(|slot| written_since_barrier.contains(slot))
                || read_since_barrier.contains(&write)
                || written_since_barrier.contains(&write);
            if conflicts {
                body.extend(self.barrier());
                read_since_barrier.clear();
                written_since_barrier.clear();
            }
            read_since_barrier.extend(reads);
            written_since_barrier.insert(write);
            body.extend(self.stage(stage));
        }
        body
    }

    /// The field slots that a stage reads, and the one that it writes.
    fn slots_touched(&self, stage: &Stage) -> (Vec<(usize, usize)>, (usize, usize)) {
        let reads = self.subject.recurrences().sweeps.sweeps[stage.sweep].reads.iter();
        let slots = reads.map(|read| self.subject.slot_read(stage.sweep, *read, stage.level));
        (slots.collect(), stage.slot(self.subject.recurrences()))
    }

    fn stage(&mut self, stage: &Stage) -> Vec<Statement> {
        let sweep = stage.sweep;
        let domain = self.subject.domain(sweep, &mut self.arguments);
        let bounds = intersection(&around_origin(&stage.region), &domain);
        let compute = self.compute(stage);
        let point = match self.subject.membership(sweep) {
            Some(condition) => vec![Statement::If { condition, body: vec![compute] }],
            None => vec![compute],
        };
        let mut body = vec![self.subject.remark(stage, &format!("level {}", stage.level))];
        body.extend(self.subject.loops(&bounds, self.work_group, point));
        body
    }

    fn compute(&mut self, stage: &Stage) -> Statement {
        let subject = self.subject;
        let mut compute = subject.compute(stage.sweep, steps_before(stage.level), &mut self.arguments);
        for &read in &subject.recurrences().sweeps.sweeps[stage.sweep].reads {
            let (field, slot) = subject.slot_read(stage.sweep, read, stage.level);
            match (self.local_array(field, slot), subject.touched(stage.sweep, read)) {
                (Some(array), Some(cell)) => _ = compute.reads.insert(read, Location::Local { array, cell }),
                (None, _) => subject.add_input(&mut compute, stage.level, read, None, &mut self.arguments),
                (Some(_), None) => unreachable!("time tiles need constant offsets"),
            }
        }
        compute.stores = self.stores(stage);
        Statement::Compute(compute)
    }

    /// Local memory if a later stage reads the value there, and the output buffer for core cells of results.
    fn stores(&mut self, stage: &Stage) -> Vec<(Location, Option<Condition>)> {
        let subject = self.subject;
        let (field, slot) = stage.slot(subject.recurrences());
        let cell = subject.cell(self.rank());
        let mut stores = Vec::new();
        if let Some(array) = self.local_array(field, slot)
            && self.is_read_later(stage, field, slot)
        {
            stores.push((Location::Local { array, cell: cell.clone() }, None));
        }
        if stage.is_output {
            let place = subject.global(ArgumentKind::Output { field, slot }, cell.clone(), &mut self.arguments);
            stores.push((place, self.core_condition(&stage.region, &cell)));
        }
        stores
    }

    fn is_read_later(&self, stage: &Stage, field: usize, slot: usize) -> bool {
        let this = self.tile.stages.iter().position(|other| other == stage).expect("a stage of this tile");
        self.tile.stages[this + 1..].iter().any(|later| self.slots_touched(later).0.contains(&(field, slot)))
    }

    fn core_condition(&self, region: &CellBox, cell: &[Index]) -> Option<Condition> {
        let mut inside = Vec::new();
        for (d, x) in cell.iter().enumerate() {
            let last = self.tile.core[d] - 1;
            if region.lo[d] < 0 {
                inside.push(Condition::less_equal(from_origin(d, 0), x.clone()));
            }
            if region.hi[d] > last {
                inside.push(Condition::less_equal(x.clone(), from_origin(d, last)));
            }
        }
        if inside.is_empty() { None } else { Some(Condition::All(inside)) }
    }

    fn barrier(&self) -> Option<Statement> {
        (self.work_group != [1, 1, 1]).then_some(Statement::Barrier)
    }
}
