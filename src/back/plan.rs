//! Everything that the text of one rewritten nest is made from.

use std::collections::BTreeMap;

use crate::ir::{Access, Array, FpMode, Handle, Nest, Param};
use crate::kernel::{ArgumentKind, Kernel, Subject, direct_kernels, tile_kernels};
use crate::model::{KernelPlan, TileStorage, size_parameters};
use crate::options::DeviceKindName;
use crate::poly::{
    Footprint, Memory, Names, Recurrences, Result, StencilResult, changed_elements, compute_aliases, footprints, is_box,
};
use crate::source::Diagnostic;
use crate::tile::{CellBox, Tile, last_single_steps};

/// The kernels for one kind of device.
pub struct PlanKernels {
    /// `gpu`, `cpu`, or `tuned_3`.
    pub name: String,
    /// Whether it is meant for GPUs.
    pub is_gpu: bool,
    /// Where its tiles keep their values.
    pub storage: TileStorage,
    /// Part of the names of the devices that it is for.
    pub device: Option<String>,
    /// Values of integer parameters that it is for.
    pub sizes: BTreeMap<String, i64>,
    /// Tile kernels of decreasing depth, then one kernel a sweep. Neighbours of the same name have one text.
    pub kernels: Vec<Kernel>,
    /// Cells before each tile that kernels may load, outermost dimension first.
    pub margin_lo: Vec<i64>,
    /// Cells behind it.
    pub margin_hi: Vec<i64>,
}

impl PlanKernels {
    /// The kernels, those of one text together.
    pub fn texts(&self) -> impl Iterator<Item = &[Kernel]> {
        self.kernels.chunk_by(|one, other| one.name == other.name)
    }
}

/// A value that the host passes to kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scalar {
    /// A scalar parameter of the nest.
    Param(Handle<Param>),
    /// An array element that the nest reads.
    Element(Handle<Access>),
}

impl Scalar {
    /// The scalar that an argument holds, if it holds one.
    pub fn of(argument: ArgumentKind) -> Option<Self> {
        match argument {
            ArgumentKind::Scalar { param } => Some(Self::Param(param)),
            ArgumentKind::Element { read } => Some(Self::Element(read)),
            _ => None,
        }
    }
}

/// A nest ready to be written.
pub struct RegionPlan<'a> {
    /// Recurrences and layouts.
    pub subject: Subject<'a>,
    /// Where the nest stands, e.g. `heat.c:12`.
    pub location: String,
    /// Number of the nest in its file, from 1.
    pub number: usize,
    /// Elements that the nest touches, per buffer.
    pub footprints: Vec<Footprint>,
    /// Pairs of places in the call's table of arrays that may be the same memory.
    pub aliases: Vec<(usize, usize)>,
    /// For each result whether its elements are a box.
    pub is_result_box: Vec<bool>,
    /// Scalars that kernels take, in the order of the call's table.
    pub scalars: Vec<Scalar>,
    /// What was chosen for devices and kinds of devices, in order of preference.
    pub choices: &'a [KernelPlan],
    /// The kernels of these choices, in the same order.
    pub plans: Vec<PlanKernels>,
    /// The floating-point mode.
    pub fp: FpMode,
    /// Whether a failure ends the program.
    pub no_fallback: bool,
    /// The only kind of device that there are kernels for; `None`: there are kernels for both.
    pub kernels_for: Option<DeviceKindName>,
    /// What the user should know of the plans.
    pub notes: Vec<Diagnostic>,
    results: Vec<StencilResult>,
}

impl<'a> RegionPlan<'a> {
    /// Builds the kernels of all plans.
    ///
    /// # Errors
    /// See [`footprints`]; isl's errors.
    pub fn new(
        memory: &'a Memory<'a>,
        recurrences: &'a Recurrences,
        choices: &'a [KernelPlan],
        location: String,
        number: usize,
    ) -> Result<Self> {
        let subject = Subject::new(memory, recurrences)?;
        let scratch = &memory.nest.clauses.scratch;
        let is_wanted = |result: &&StencilResult| {
            let array = &memory.nest.arrays[result.array];
            !scratch.contains(&array.buffers[result.buffer].variable)
        };
        let mut results = Vec::new();
        for result in recurrences.storage.results.iter().filter(is_wanted) {
            let changed = changed_elements(memory, result.array, result.buffer)?;
            if let Some(elements) = changed.filter(|elements| !elements.is_empty().unwrap_or(false)) {
                results.push(StencilResult { elements, ..result.clone() });
            }
        }
        let mut is_result_box = Vec::new();
        for result in &results {
            is_result_box.push(is_box(&result.elements)?);
        }
        let plans: Vec<PlanKernels> = choices.iter().map(|plan| plan_kernels(&subject, plan)).collect();
        let mut scalars: Vec<Scalar> = plans
            .iter()
            .flat_map(|plan| plan.kernels.iter().flat_map(|kernel| &kernel.arguments))
            .filter_map(|argument| Scalar::of(argument.kind))
            .collect();
        scalars.sort();
        scalars.dedup();
        let footprints = footprints(memory)?;
        let aliases = aliases(memory, &footprints);
        Ok(Self {
            subject,
            location,
            number,
            footprints,
            aliases,
            is_result_box,
            scalars,
            choices,
            plans,
            fp: FpMode::Strict,
            no_fallback: false,
            kernels_for: None,
            notes: Vec::new(),
            results,
        })
    }

    /// The nest.
    pub fn nest(&self) -> &'a Nest {
        self.subject.memory.nest
    }

    /// Its names.
    pub fn names(&self) -> &'a Names {
        self.subject.memory.names
    }

    /// Its accesses.
    pub fn memory(&self) -> &'a Memory<'a> {
        self.subject.memory
    }

    /// Its recurrences.
    pub fn recurrences(&self) -> &'a Recurrences {
        self.subject.recurrences
    }

    /// What is copied back to the host.
    pub fn results(&self) -> &[StencilResult] {
        &self.results
    }

    /// Ranks of the layouts.
    pub fn layout_ranks(&self) -> &[usize] {
        &self.subject.layout_ranks
    }

    /// Rank of the grid.
    pub fn rank(&self) -> usize {
        self.subject.layout_ranks[0]
    }

    /// How many single steps must follow launches that leave no results.
    pub fn last_single_steps(&self) -> usize {
        last_single_steps(self.recurrences())
    }

    /// What a sweep writes, for people.
    pub fn sweep_name(&self, sweep: usize) -> &str {
        let (field, _) = self.recurrences().storage.writes[sweep];
        &self.recurrences().storage.fields[field].name
    }

    /// Position of a buffer in the call's table of arrays.
    pub fn find_array_index(&self, array: Handle<Array>, buffer: usize) -> Option<usize> {
        self.footprints.iter().position(|f| f.array == array && f.buffer == buffer)
    }

    /// As [`find_array_index`](Self::find_array_index) for a buffer that the nest touches.
    pub fn array_index(&self, array: Handle<Array>, buffer: usize) -> usize {
        self.find_array_index(array, buffer).expect("results are touched")
    }

    /// Members of the generated geometry whose boxes lie in a layout.
    pub fn boxes_of_layout(&self, layout: usize) -> Vec<String> {
        let storage = &self.recurrences().storage;
        let in_layout = |field: usize| self.subject.layouts[field] == layout;
        let mut boxes = Vec::new();
        for (index, footprint) in self.footprints.iter().enumerate() {
            let holds = |(field, info): (usize, &crate::poly::Field)| {
                in_layout(field) && (info.arrays.contains(&footprint.array))
            };
            if storage.fields.iter().enumerate().any(holds) {
                boxes.push(format!("used[{index}]"));
            }
        }
        for (index, (field, _)) in storage.writes.iter().enumerate() {
            if in_layout(*field) {
                boxes.push(format!("domain[{index}]"));
            }
        }
        boxes
    }

    /// The parameters whose values choose among plans for different sizes; none if no plan is for some sizes only.
    pub fn size_parameters(&self) -> Vec<&'a str> {
        let is_used = |name: &&str| self.plans.iter().any(|plan| plan.sizes.contains_key(*name));
        size_parameters(self.nest()).into_iter().filter(is_used).collect()
    }
}

/// The pairs of footprints of arrays that may be the same memory.
fn aliases(memory: &Memory<'_>, footprints: &[Footprint]) -> Vec<(usize, usize)> {
    let place = |array| footprints.iter().position(|footprint| footprint.array == array);
    compute_aliases(memory).into_iter().filter_map(|(one, other)| Some((place(one)?, place(other)?))).collect()
}

fn plan_kernels(subject: &Subject<'_>, plan: &KernelPlan) -> PlanKernels {
    let prefix = format!("{}_{}", subject.memory.nest.name, plan.name);
    let names = tile_names(&prefix, plan);
    let mut kernels = tile_kernels(subject, &plan.storage, &names, &plan.tiles, plan.tile_work_group);
    let around = CellBox::cell(subject.layout_ranks[0]);
    let around = kernels.iter().fold(around, |around, kernel| around.hull(&kernel.reach));
    if plan.has_sweep_kernels {
        kernels.extend(direct_kernels(subject, &prefix, plan.sweep_work_group));
    }
    PlanKernels {
        name: plan.name.clone(),
        is_gpu: plan.profile.is_gpu,
        storage: plan.storage,
        device: plan.device.clone(),
        sizes: plan.sizes.clone(),
        kernels,
        margin_lo: around.lo.iter().map(|lo| -lo).collect(),
        margin_hi: around.hi,
    }
}

/// Names of the tile kernels: `steps8`, and `last8` for the other one of as many levels.
fn tile_names(prefix: &str, plan: &KernelPlan) -> Vec<String> {
    let name = |(index, tile): (usize, &Tile)| {
        let is_twin = plan.tiles[..index].iter().any(|other| other.levels == tile.levels);
        format!("{prefix}_{}{}", if is_twin { "last" } else { "steps" }, tile.levels)
    };
    plan.tiles.iter().enumerate().map(name).collect()
}
