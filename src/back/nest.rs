//! Everything that the text of one rewritten nest is made from.

use crate::ir::{Access, Array, Handle, HostValue, Nest, Param};
use crate::kernel::{ArgumentKind, PlanKernels, Subject};
use crate::model::{KernelPlan, size_parameters};
use crate::options::{Clauses, DeviceKindName, FpMode, Options, Order};
use crate::poly::{Analysis, Footprint, Names, Recurrences, ResultCells, StencilResult};
use crate::tile::last_single_steps;

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

/// What a nest is called and where it stands.
#[derive(Clone, Debug)]
pub struct NestPlace {
    /// Name of the host function, e.g. `heat_stencil_1`.
    pub name: String,
    /// Its number in the file, from 1.
    pub number: usize,
    /// File and line, e.g. `heat.c:12`.
    pub location: String,
    /// Its place among nests whose arrays stay on the device from one to the next.
    pub chain: Option<ChainPlace>,
}

/// A nest's place in a chain: nests that follow each other, with nothing between them that needs their arrays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainPlace {
    /// Name of what they share in the driver.
    pub name: String,
    /// Whether the nest is the first one in the text, which defines that.
    pub is_first: bool,
    /// How many calls the nests of the chain are expected to have.
    pub expected: usize,
    /// Whether it is the last one, whose `end` brings the arrays back to the host.
    pub is_last: bool,
}

/// A nest ready to be written.
pub struct NestToWrite<'a> {
    /// Recurrences and layouts.
    pub subject: &'a Subject<'a>,
    /// The nest as the program has it, with nothing staged.
    pub program: &'a Nest,
    /// What the nest is called and where it stands.
    pub place: NestPlace,
    /// What its pragma asks for.
    pub clauses: &'a Clauses,
    /// Pairs of [`footprints`](Self::footprints) whose arrays may be the same memory. One whose contents nobody asks for
    /// afterwards is apart from all others.
    pub aliases: Vec<(usize, usize)>,
    /// What is copied back to the host.
    pub results: Vec<&'a ResultCells>,
    /// Scalars that kernels take, in the order of the call's table.
    pub scalars: Vec<Scalar>,
    /// What was chosen for devices and kinds of devices, in order of preference.
    pub choices: &'a [KernelPlan],
    /// The kernels of these choices, in the same order.
    pub plans: Vec<PlanKernels>,
    /// The floating-point mode.
    pub fp: FpMode,
    /// The order of sums.
    pub order: Order,
    /// Whether a failure ends the program.
    pub no_fallback: bool,
    /// Whether the host function takes all steps on the host.
    pub takes_steps: bool,
    /// The only kind of device that there are kernels for; `None`: there are kernels for both.
    pub kernels_for: Option<DeviceKindName>,
}

impl<'a> NestToWrite<'a> {
    /// A nest with the kernels of all its plans; `choices` are those plans.
    pub fn new(
        subject: &'a Subject<'a>,
        program: &'a Nest,
        choices: &'a [KernelPlan],
        plans: Vec<PlanKernels>,
        place: NestPlace,
        clauses: &'a Clauses,
        options: &Options,
    ) -> Self {
        let Analysis { nest, footprints, aliases, results, .. } = subject.analysis;
        let is_scratch = |array: Handle<Array>, buffer: usize| {
            clauses.scratch.contains(&nest.arrays[array].buffers[buffer].variable)
        };
        let is_wanted = |StencilResult { array, buffer, .. }: &StencilResult| !is_scratch(*array, *buffer);
        let is_asked_for = |place: usize| !is_scratch(footprints[place].array, footprints[place].buffer);
        let is_seen = |(one, other): &(usize, usize)| is_asked_for(*one) && is_asked_for(*other);
        let mut scalars: Vec<Scalar> = plans
            .iter()
            .flat_map(|plan| plan.kernels.iter().flat_map(|kernel| &kernel.arguments))
            .filter_map(|argument| Scalar::of(argument.kind))
            .collect();
        scalars.sort();
        scalars.dedup();
        Self {
            subject,
            program,
            place,
            aliases: aliases.iter().copied().filter(is_seen).collect(),
            results: results.iter().filter(|cells| is_wanted(&cells.result)).collect(),
            scalars,
            choices,
            plans,
            clauses,
            fp: options.fp_for(clauses),
            order: options.order_for(clauses),
            no_fallback: options.no_fallback,
            takes_steps: options.takes_steps,
            kernels_for: options.kernels_for,
        }
    }

    /// The nest that the kernels are of.
    pub fn nest(&self) -> &'a Nest {
        self.subject.analysis.nest
    }

    /// Whether its steps are recorded: the host keeps its loop, or folds what their points give, or other nests go on with the
    /// arrays.
    pub fn is_recorded(&self) -> bool {
        self.place.chain.is_some()
            || self.nest().clock.end().is_some()
            || !self.nest().step.folds.accumulators.is_empty()
    }

    /// Whether the host function runs all of it, and what it computes stays on the device for other nests.
    pub fn is_whole_in_chain(&self) -> bool {
        self.place.chain.is_some() && self.nest().clock.end().is_none()
    }

    /// Its names.
    pub fn names(&self) -> &'a Names {
        self.subject.analysis.names
    }

    /// Elements that the nest touches, by buffer.
    pub fn footprints(&self) -> &'a [Footprint] {
        &self.subject.analysis.footprints
    }

    /// Whether an array overlaps no other one: the user vouches for it, or it is the driver's own.
    pub fn is_apart(&self, base: Handle<HostValue>) -> bool {
        self.clauses.restrict.contains(&base) || self.nest().is_of_driver(base)
    }

    /// Where the memory of values that the host folds is, in the tables of a call.
    pub fn base_in_tables(&self, array: Handle<Array>) -> String {
        self.find_array_index(array, 0).map_or("NULL".to_owned(), |place| format!("arrays[{place}].base"))
    }

    /// Its recurrences.
    pub fn recurrences(&self) -> &'a Recurrences {
        self.subject.recurrences()
    }

    /// Ranks of the layouts.
    pub fn layout_ranks(&self) -> &[usize] {
        &self.subject.layout_ranks
    }

    /// Rank of the grid.
    pub fn rank(&self) -> usize {
        self.recurrences().rank()
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
        self.footprints().iter().position(|f| f.array == array && f.buffer == buffer)
    }

    /// As [`find_array_index`](Self::find_array_index) for a buffer that the nest touches.
    pub fn array_index(&self, array: Handle<Array>, buffer: usize) -> usize {
        self.find_array_index(array, buffer).expect("results are touched")
    }

    /// Boxes of the generated geometry that lie in a layout.
    pub fn boxes_of_layout(&self, layout: usize) -> Vec<String> {
        let storage = &self.recurrences().storage;
        let in_layout = |field: usize| self.subject.layouts[field] == layout;
        let mut boxes = Vec::new();
        for (index, footprint) in self.footprints().iter().enumerate() {
            let holds = |(field, info): (usize, &crate::poly::Field)| {
                in_layout(field) && (info.arrays.contains(&footprint.array))
            };
            if storage.fields.iter().enumerate().any(holds) {
                boxes.push(match self.nest().arrays[footprint.array].history {
                    Some(_) => format!("stencil_without_rows(geometry.used[{index}])"),
                    None => format!("geometry.used[{index}]"),
                });
            }
        }
        for (index, (field, _)) in storage.writes.iter().enumerate() {
            if in_layout(*field) {
                boxes.push(format!("geometry.domain[{index}]"));
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
