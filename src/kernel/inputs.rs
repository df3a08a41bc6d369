//! What every strategy builds kernels from, and the bookkeeping of arguments.

use std::collections::{BTreeMap, BTreeSet};

use super::{Argument, ArgumentKind, Compute, Index, Place};
use crate::ir::{Access, Expr, ExprKind, Handle, Loop};
use crate::poly::{Affine, Analysis, Recurrences};

/// A nest, its recurrences, and the layouts of its fields.
pub struct Subject<'a> {
    /// What is known of the nest.
    pub analysis: &'a Analysis<'a>,
    /// Sweeps and storage.
    pub recurrences: &'a Recurrences,
    /// For each field its layout on the device.
    pub layouts: Vec<usize>,
    /// Ranks of the layouts.
    pub layout_ranks: Vec<usize>,
    /// Reads that find the same element in all cells and steps, and the first read of that element.
    uniform: BTreeMap<Handle<Access>, Handle<Access>>,
    /// For each sweep what its value needs besides array elements.
    needs: Vec<Needs>,
}

/// What a sweep's value needs besides array elements.
#[derive(Clone, Debug, Default)]
struct Needs {
    loops: BTreeMap<Handle<Loop>, String>,
    params: BTreeSet<Handle<crate::ir::Param>>,
    step: bool,
    membership: Option<String>,
}

impl<'a> Subject<'a> {
    /// Prepares the recurrences for code generation.
    ///
    /// Fields that are read and written at constant offsets share one layout; every other field has its own.
    pub fn new(analysis: &'a Analysis<'a>) -> Self {
        let recurrences = &analysis.recurrences;
        let storage = &recurrences.storage;
        let grid_rank = storage.writes.first().map_or(0, |(field, _)| storage.fields[*field].rank);
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
        let sweeps = 0..recurrences.sweeps.sweeps.len();
        let needs = sweeps.map(|index| Needs::new(analysis, index, &uniform)).collect();
        Self { analysis, recurrences, layouts, layout_ranks, uniform, needs }
    }

    /// Rank of the cells that a sweep computes.
    pub fn sweep_rank(&self, sweep: usize) -> usize {
        let (field, _) = self.recurrences.storage.writes[sweep];
        self.recurrences.storage.fields[field].rank
    }

    /// Cell coordinates as indices, outermost first.
    pub fn cell(&self, rank: usize) -> Vec<Index> {
        self.analysis.names.cells(rank).iter().map(Index::name).collect()
    }

    /// The condition that a cell of a sweep's bounding box belongs to its domain, if the domain is no box.
    pub fn membership(&self, sweep: usize) -> Option<&str> {
        self.needs[sweep].membership.as_deref()
    }

    /// Whether a computation needs local variables.
    pub fn has_locals(&self, compute: &Compute) -> bool {
        let nest = self.analysis.nest;
        let is_local = |expr| matches!(nest.exprs[expr].kind, ExprKind::Local(_));
        let known = compute.known.as_ref().map(|(known, _)| *known);
        nest.reachable_without([compute.value], known).into_iter().any(is_local)
    }

    /// A computation without destinations, `step` being the number of complete steps.
    pub fn compute(&self, sweep: usize, step: String) -> Compute {
        let needs = &self.needs[sweep];
        Compute {
            sweep,
            value: self.analysis.nest.statements[self.recurrences.sweeps.sweeps[sweep].statement].value,
            known: None,
            reads: BTreeMap::new(),
            general: BTreeMap::new(),
            loops: needs.loops.clone(),
            step: needs.step.then_some(step),
            stores: Vec::new(),
        }
    }

    /// The cell that a read with a constant offset touches.
    pub fn touched(&self, sweep: usize, read: Handle<Access>) -> Option<Vec<Index>> {
        let offset = self.recurrences.storage.reads[&(sweep, read)].offset.as_ref()?;
        Some(self.cell(offset.len()).into_iter().zip(offset).map(|(x, o)| x.plus(*o)).collect())
    }

    /// Declares the arguments that the values of a sweep need.
    pub fn declare_needs(&self, sweep: usize, arguments: &mut Arguments) {
        for &param in &self.needs[sweep].params {
            arguments.add(self.analysis.names.param(param), ArgumentKind::Scalar { param });
        }
        if self.needs[sweep].step {
            arguments.add("first_step", ArgumentKind::Step);
        }
    }

    /// Declares the place of an element in a device buffer and the arguments it needs.
    pub fn global(&self, buffer: ArgumentKind, cell: Vec<Index>, arguments: &mut Arguments) -> Place {
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
        Place::Global { buffer: name, layout, base: origin(layout), cell }
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
            compute.reads.insert(read, Place::Register(name));
            return;
        }
        let is_constant = cell.is_some();
        let place = self.global(buffer, cell.unwrap_or_default(), arguments);
        match place {
            Place::Global { buffer, layout, .. } if !is_constant => {
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

/// The argument with the position of cell (0, ..., 0) in the buffers of a layout.
pub fn origin(layout: usize) -> String {
    format!("origin{layout}")
}

impl Needs {
    fn new(analysis: &Analysis<'_>, index: usize, uniform: &BTreeMap<Handle<Access>, Handle<Access>>) -> Self {
        let Analysis { nest, names, recurrences, cells, .. } = analysis;
        let (sweep, cells) = (&recurrences.sweeps.sweeps[index], &cells[index]);
        let mut needs = Self { membership: cells.membership.clone(), ..Self::default() };
        let mut roots = vec![nest.statements[sweep.statement].value];
        for read in &sweep.reads {
            if recurrences.storage.reads[&(index, *read)].offset.is_none() && !uniform.contains_key(read) {
                roots.extend(&nest.accesses[*read].subscripts);
            }
        }
        let is_time =
            |expr: &Handle<Expr>| matches!(nest.exprs[*expr].kind, ExprKind::Index(l) if Some(l) == nest.time);
        if nest.reachable(roots.clone()).iter().any(is_time) {
            roots.extend(nest.time.map(|time| nest.loops[time].first));
        }
        for expr in nest.reachable(roots) {
            match nest.exprs[expr].kind {
                ExprKind::Index(l) | ExprKind::Iteration(l) if Some(l) == nest.time => needs.step = true,
                ExprKind::Index(l) | ExprKind::Iteration(l) => {
                    needs.loops.extend(cells.loops.get(&l).map(|value| (l, value.clone())));
                }
                ExprKind::Param(param) => {
                    needs.params.insert(param);
                }
                _ => {}
            }
        }
        let texts: Vec<&str> = needs.loops.values().chain(&needs.membership).map(String::as_str).collect();
        for param in nest.params.handles() {
            if texts.iter().any(|text| mentions(text, names.param(param))) {
                needs.params.insert(param);
            }
        }
        for text in needs.loops.values_mut().chain(&mut needs.membership) {
            *text = with_signed_params(analysis, text);
        }
        needs
    }
}

/// A text of isl's with its parameters of unsigned types converted: isl counts in integers, where `n - x` may be
/// negative, and C in the type of `n`. What stands for such a parameter there is its signed representative.
fn with_signed_params(analysis: &Analysis<'_>, text: &str) -> String {
    let params = analysis.nest.params.iter().filter(|(_, param)| param.ty.is_unsigned());
    let types: BTreeMap<&str, &str> =
        params.map(|(handle, it)| (analysis.names.param(handle), it.ty.representative().opencl_name())).collect();
    let mut signed = String::new();
    for word in text.split_inclusive(|c: char| !is_word(c)) {
        let (name, rest) = word.split_at(word.find(|c: char| !is_word(c)).unwrap_or(word.len()));
        signed += &match types.get(name) {
            Some(&"long") => format!("(long){name}{rest}"),
            Some(ty) => format!("(long)({ty}){name}{rest}"),
            None => word.to_string(),
        };
    }
    signed
}

/// Whether an identifier stands in a text.
fn mentions(text: &str, name: &str) -> bool {
    text.split(|c: char| !is_word(c)).any(|word| word == name)
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
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
