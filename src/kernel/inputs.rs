//! What every strategy builds kernels from, and the bookkeeping of arguments.

use std::collections::{BTreeMap, BTreeSet};

use super::early::{conditions, early_reads, reach_of};
use super::{Argument, ArgumentKind, Compute, Condition, Index, Location};
use crate::index::Operator;
use crate::ir::{Access, Expr, ExprKind, Handle, Loop, Param, ScalarType};
use crate::poly::{Affine, Analysis, FieldRead, Recurrences, is_in_margin};
use crate::tile::{CellBox, slot_at};

/// A nest, its recurrences, and the layouts of its fields.
pub struct Subject<'a> {
    /// What is known of the nest.
    pub analysis: &'a Analysis<'a>,
    /// For each field its layout on the device.
    pub layouts: Vec<usize>,
    /// Ranks of the layouts.
    pub layout_ranks: Vec<usize>,
    /// Reads that find the same element in all cells and steps, and the first read of that element.
    uniform: BTreeMap<Handle<Access>, Handle<Access>>,
    /// Reads of sweeps that are made where the program may not.
    early: BTreeSet<(usize, Handle<Access>)>,
    /// For each sweep what its value needs besides array elements.
    needs: Vec<Needs>,
}

/// What a sweep's value needs besides array elements.
#[derive(Clone, Debug, Default)]
struct Needs {
    loops: BTreeMap<Handle<Loop>, Index>,
    params: BTreeSet<Handle<Param>>,
    step: bool,
    membership: Option<Condition>,
}

impl<'a> Subject<'a> {
    /// Prepares the recurrences for code generation.
    ///
    /// Fields that are read and written at constant offsets share one layout; every other field has its own.
    pub fn new(analysis: &'a Analysis<'a>) -> Self {
        let recurrences = &analysis.recurrences;
        let storage = &recurrences.storage;
        let grid_rank = recurrences.rank();
        let mut layout_ranks = vec![grid_rank];
        let mut layouts = Vec::new();
        for (index, field) in storage.fields.iter().enumerate() {
            let mut reads = storage.reads.values().filter(|read| read.field == index);
            if field.rank == grid_rank && reads.all(|read| read.offset.is_some()) {
                layouts.push(0);
            } else {
                layouts.push(layout_ranks.len());
                layout_ranks.push(field.rank);
            }
        }
        let uniform = uniform_reads(analysis);
        let early = early_reads(analysis);
        let sweeps = recurrences.sweeps.sweeps.len();
        let mut subject = Self { analysis, layouts, layout_ranks, uniform, early, needs: Vec::new() };
        subject.needs = (0..sweeps).map(|index| Needs::new(&subject, index)).collect();
        subject
    }

    /// Sweeps and storage.
    pub fn recurrences(&self) -> &'a Recurrences {
        &self.analysis.recurrences
    }

    /// Rank of the cells that a sweep computes.
    pub fn sweep_rank(&self, sweep: usize) -> usize {
        let (field, _) = self.recurrences().storage.writes[sweep];
        self.recurrences().storage.fields[field].rank
    }

    /// Cell coordinates as indices, outermost first.
    pub fn cell(&self, rank: usize) -> Vec<Index> {
        self.analysis.names.cells(rank).iter().map(Index::name).collect()
    }

    /// The condition that a cell of a sweep's bounding box belongs to its domain, if the domain is no box.
    pub fn membership(&self, sweep: usize) -> Option<Condition> {
        self.needs[sweep].membership.clone()
    }

    /// How far beside the cells of the nest's rank that sweeps compute kernels may read though the program does not.
    pub fn early_reach(&self) -> CellBox {
        reach_of(&self.early, self.recurrences(), self.layout_ranks[0])
    }

    /// The conditions that a read must get because neither the box nor the margin of its buffer need have its element.
    fn guards(&self, sweep: usize, read: Handle<Access>) -> Vec<Handle<Expr>> {
        let recurrences = self.recurrences();
        let offset = &recurrences.storage.reads[&(sweep, read)].offset;
        if is_in_margin(offset.as_deref(), self.layout_ranks[0])
            || !self.early.contains(&(sweep, read))
            || self.uniform.contains_key(&read)
        {
            return Vec::new();
        }
        conditions(self.analysis.nest, recurrences, sweep, read)
    }

    /// Whether a computation needs local variables.
    pub fn has_locals(&self, compute: &Compute) -> bool {
        let nest = self.analysis.nest;
        let is_local = |expr| matches!(nest.exprs[expr].kind, ExprKind::Local(_));
        let known = compute.known.as_ref().map(|(known, _)| *known);
        nest.reachable_without([compute.value], known).into_iter().any(is_local)
    }

    /// A computation without destinations, `step` being the number of complete steps, and the arguments that it needs.
    pub fn compute(&self, sweep: usize, step: Index, arguments: &mut Arguments) -> Compute {
        let needs = &self.needs[sweep];
        for &param in &needs.params {
            arguments.add(self.analysis.names.param(param), ArgumentKind::Scalar { param });
        }
        if needs.step {
            arguments.add("first_step", ArgumentKind::Step);
        }
        Compute {
            sweep,
            value: self.analysis.nest.step.statements[self.recurrences().sweeps.sweeps[sweep].statement].value,
            known: None,
            reads: BTreeMap::new(),
            general: BTreeMap::new(),
            guards: BTreeMap::new(),
            loops: needs.loops.clone(),
            step: needs.step.then_some(step),
            stores: Vec::new(),
        }
    }

    /// The field that a read finds its element in, and the relative slot at a level.
    pub fn slot_read(&self, sweep: usize, read: Handle<Access>, level: usize) -> (usize, usize) {
        let storage = &self.recurrences().storage;
        let FieldRead { field, slot, .. } = storage.reads[&(sweep, read)];
        (field, slot_at(slot, level, storage.fields[field].slots))
    }

    /// The cell that a read with a constant offset touches.
    pub fn touched(&self, sweep: usize, read: Handle<Access>) -> Option<Vec<Index>> {
        let offset = self.recurrences().storage.reads[&(sweep, read)].offset.as_ref()?;
        Some(self.cell(offset.len()).into_iter().zip(offset).map(|(x, o)| x.plus(*o)).collect())
    }

    /// Declares the place of an element in a device buffer and the arguments it needs.
    pub fn global(&self, buffer: ArgumentKind, cell: Vec<Index>, arguments: &mut Arguments) -> Location {
        let (ArgumentKind::Input { field, slot }
        | ArgumentKind::Output { field, slot }
        | ArgumentKind::InPlace { field, slot }) = buffer
        else {
            unreachable!("only buffers have elements")
        };
        let layout = self.layouts[field];
        self.declare_layout(layout, arguments);
        let suffix = match buffer {
            ArgumentKind::Input { .. } => "in",
            ArgumentKind::Output { .. } => "out",
            _ => "",
        };
        let name = format!("f{field}_{slot}{suffix}");
        arguments.add(&name, buffer);
        Location::Global { buffer: name, layout, base: origin(layout), cell }
    }

    /// Lets a computation read from a device buffer: the given cell, or what the read's own subscripts say. An element
    /// that is the same everywhere is an argument instead: such tables of weights stand in registers or constants.
    pub fn add_read(
        &self,
        compute: &mut Compute,
        read: Handle<Access>,
        buffer: ArgumentKind,
        cell: Option<Vec<Index>>,
        arguments: &mut Arguments,
    ) {
        if let Some(&read_first) = self.uniform.get(&read) {
            let name = format!("uniform{}", read_first.index());
            arguments.add(&name, ArgumentKind::Element { read: read_first });
            compute.reads.insert(read, Location::Register(name));
            return;
        }
        let is_constant = cell.is_some();
        let place = self.global(buffer, cell.unwrap_or_default(), arguments);
        let guards = self.guards(compute.sweep, read);
        if !guards.is_empty() {
            compute.guards.insert(read, guards);
        }
        match place {
            Location::Global { buffer, layout, .. } if !is_constant => {
                compute.general.insert(read, (buffer, layout));
            }
            place => {
                compute.reads.insert(read, place);
            }
        }
    }

    fn declare_layout(&self, layout: usize, arguments: &mut Arguments) {
        arguments.add(&origin(layout), ArgumentKind::Origin { layout });
        for dimension in 0..self.layout_ranks[layout].saturating_sub(1) {
            arguments.add(&format!("stride{layout}_{dimension}"), ArgumentKind::Stride { layout, dimension });
        }
    }

    /// Declares the bounds of a sweep's domain: first and last cell of each dimension.
    pub fn domain(&self, sweep: usize, arguments: &mut Arguments) -> Vec<(Index, Index)> {
        (0..self.sweep_rank(sweep))
            .map(|dimension| {
                let (lo, hi) = (format!("lo{sweep}_{dimension}"), format!("hi{sweep}_{dimension}"));
                arguments.add(&lo, ArgumentKind::DomainLo { sweep, dimension });
                arguments.add(&hi, ArgumentKind::DomainHi { sweep, dimension });
                (Index::name(lo), Index::name(hi))
            })
            .collect()
    }
}

/// Reads of unwritten arrays whose subscripts are made of parameters and constants, each with the first read of the
/// same element.
///
/// What is read only under a condition on data is left out: the element may not exist otherwise.
fn uniform_reads(analysis: &Analysis<'_>) -> BTreeMap<Handle<Access>, Handle<Access>> {
    let Analysis { nest, names, recurrences, .. } = analysis;
    let affine = Affine { nest, names };
    let is_variable = |expr| matches!(nest.exprs[expr].kind, ExprKind::Index(_) | ExprKind::Iteration(_));
    let (mut uniform, mut first_reads) = (BTreeMap::new(), BTreeMap::new());
    for ((_, read), place) in &recurrences.storage.reads {
        let access = &nest.accesses[*read];
        let is_written = recurrences.storage.fields[place.field].is_written;
        if is_written || place.offset.is_some() || access.buffer.is_some() || access.is_speculative {
            continue;
        }
        if nest.reachable(access.subscripts.iter().copied()).into_iter().any(is_variable) {
            continue;
        }
        let subscripts =
            access.subscripts.iter().map(|it| affine.expression(*it).ok()).collect::<Option<Vec<String>>>();
        if let Some(subscripts) = subscripts {
            let first = *first_reads.entry((access.array, subscripts)).or_insert(*read);
            uniform.insert(*read, first);
        }
    }
    uniform
}

/// Steps complete before a level of a launch. The number of the level is written where it is 0 too: then the texts of all
/// levels are alike.
pub fn steps_before(level: usize) -> Index {
    Index::binary(Operator::Add, Index::name("first_step"), Index::Const(level as i64))
}

/// The argument with the position of cell (0, ..., 0) in the buffers of a layout.
pub fn origin(layout: usize) -> String {
    format!("origin{layout}")
}

impl Needs {
    fn new(subject: &Subject<'_>, index: usize) -> Self {
        let analysis = subject.analysis;
        let Analysis { nest, recurrences, cells, .. } = analysis;
        let (sweep, cells) = (&recurrences.sweeps.sweeps[index], &cells[index]);
        let mut needs = Self::default();
        let mut loops = Vec::new();
        let mut roots = vec![nest.step.statements[sweep.statement].value];
        for read in &sweep.reads {
            if recurrences.storage.reads[&(index, *read)].offset.is_none() && !subject.uniform.contains_key(read) {
                roots.extend(&nest.accesses[*read].subscripts);
            }
            roots.extend(subject.guards(index, *read));
        }
        let is_time =
            |expr: &Handle<Expr>| matches!(nest.exprs[*expr].kind, ExprKind::Index(l) if nest.clock.counts(l));
        if nest.reachable(roots.clone()).iter().any(is_time) {
            roots.extend(nest.clock.time().map(|time| nest.loops[time].first));
        }
        for expr in nest.reachable(roots) {
            match nest.exprs[expr].kind {
                ExprKind::Index(l) | ExprKind::Iteration(l) if nest.clock.counts(l) => needs.step = true,
                ExprKind::Index(l) | ExprKind::Iteration(l) => {
                    loops.extend(cells.loops.get(&l).map(|value| (l, value.clone())));
                }
                ExprKind::Param(param) => {
                    needs.params.insert(param);
                }
                _ => {}
            }
        }
        let mut value = |name| needs.variable(analysis, name);
        let loops = loops.into_iter().map(|(l, index)| (l, index.replaced(&mut value))).collect();
        let membership = cells.membership.clone();
        let membership = membership.map(|condition| Condition::Group(Box::new(condition.replaced(&mut value))));
        Self { loops, membership, ..needs }
    }

    /// The value of a variable in what isl finds. isl counts in integers, where `n - x` may be negative, and C in the type of
    /// `n`: what stands for a parameter of unsigned type there is its signed representative.
    fn variable(&mut self, analysis: &Analysis<'_>, name: String) -> Index {
        let mut params = analysis.nest.params.iter();
        let Some((param, of_nest)) = params.find(|(param, _)| analysis.names.param(*param) == name) else {
            return Index::Name(name);
        };
        self.params.insert(param);
        match (of_nest.ty.is_unsigned(), of_nest.ty.representative()) {
            (false, _) => Index::Name(name),
            (true, ScalarType::I64) => Index::Name(name).converted(ScalarType::I64),
            (true, signed) => Index::Name(name).converted(signed).converted(ScalarType::I64),
        }
    }
}

/// The arguments of a kernel, each once, in a fixed order.
#[derive(Debug, Default)]
pub struct Arguments {
    all: BTreeMap<ArgumentKind, String>,
}

impl Arguments {
    /// Declares an argument; declaring it again changes nothing.
    pub fn add(&mut self, name: &str, kind: ArgumentKind) {
        self.all.entry(kind).or_insert_with(|| name.to_string());
    }

    /// Buffers first, then layouts, domains, scalars.
    pub fn finish(self) -> Vec<Argument> {
        self.all.into_iter().map(|(kind, name)| Argument { name, kind }).collect()
    }
}
