//! Choice of streamed tiles.
//!
//! The deeper a tile, the fewer transfers a step, until its registers leave too few sub-groups on a multiprocessor to
//! hide the latencies of the others (EBISU, ICS 2023, section 5). The bounds below, and the shapes to try, are fitted to
//! kernel times, see `examples/bench/README.md`.

use super::limits::possible_depths;
use super::plan::{KernelPlan, TileStorage, halved, with_last};
use super::profile::{self, Profile};
use super::registers::{Carried, work_items};
use super::strategy::{Expected, Request, Strategy};
use super::stream_rate::Streamed;
use super::stream_shape::{Character, MOST_CELLS, Preset, flags, shape, shapes};
use super::work::{arithmetic_seconds, slow_operations};
use crate::ir::Nest;
use crate::options::{FpMode, StrategyName, Tuning};
use crate::poly::Recurrences;
use crate::tile::{Leaves, MOST_NEIGHBOURS, Reaches, StreamShape, Tile, exchanged_bytes, stream_obstacle};

/// Depths to try by rank, deepest first.
const DEPTHS: [&[usize]; 4] =
    [&[], &[32, 24, 20, 16, 12, 10, 8, 6, 5, 4, 3, 2], &[12, 10, 8, 7, 6, 5, 4, 3, 2], &[6, 5, 4, 3, 2]];

/// Depths to try in three dimensions where a step reads no neighbour's value: nothing but the kernel's text grows with them.
const DEPTHS_OF_POINTWISE: &[usize] = &[16, 12, 8, 6, 5, 4, 3, 2];

/// Slow operations that a tile of one or two dimensions may have above each other, unless it is of two steps. With more,
/// deeper tiles are slower than shallow ones.
const MOST_SLOW: usize = 6;

/// Strategy `stream`.
pub(super) struct Streaming;

impl Strategy for Streaming {
    fn name(&self) -> StrategyName {
        StrategyName::Stream
    }

    fn is_tried(&self, asked: Option<StrategyName>, profile: &Profile) -> bool {
        asked.map_or(profile.is_gpu, |asked| asked == self.name())
    }

    fn obstacle(&self, nest: &Nest, recurrences: &Recurrences) -> Option<String> {
        match recurrences.rank() {
            1..=3 => stream_obstacle(nest, recurrences),
            _ => Some("streams have at most three dimensions".into()),
        }
    }

    fn takes_few_places(&self) -> bool {
        false
    }

    fn propose(&self, request: &Request<'_>, plan: &KernelPlan) -> Option<KernelPlan> {
        let (shape, tiles) = choose(request)?;
        let Request { reaches, rank, .. } = request;
        let levels = tiles.first().map(|tile| tile.levels).filter(|levels| *levels > 1 && reaches.folded().is_some());
        let folding_tile = levels.and_then(|levels| shape.tile(reaches, *rank, levels, Leaves::Folds));
        Some(KernelPlan { storage: TileStorage::Registers(shape), tiles, folding_tile, ..plan.clone() })
    }

    fn expected(&self, plan: &KernelPlan, nest: &Nest, recurrences: &Recurrences, fp: FpMode) -> Expected {
        let Some(tile) = plan.tiles.first() else { return Expected::default() };
        let (shape, profile) = (shape_of(&plan.storage), &plan.profile);
        let is_known = profile.is_gpu && slow_operations(nest, recurrences) == 0;
        let arithmetic = arithmetic_seconds(nest, recurrences, &profile.instructions, fp != FpMode::Strict);
        let streamed = Streamed { recurrences, tile, shape, profile, arithmetic };
        let registers = Carried::new(nest, recurrences, tile, shape).registers;
        Expected { rate: is_known.then(|| streamed.rate()), registers: Some(registers) }
    }

    fn flags(&self, plan: &KernelPlan, tile: &Tile) -> Tuning {
        flags(shape_of(&plan.storage), tile)
    }

    fn per_item(&self, storage: &TileStorage, _: i64, _: i64) -> i64 {
        shape_of(storage).columns
    }

    fn why_per_item(&self) -> &'static str {
        "streams take a power of two, and no more than a vector holds"
    }

    fn fixed_work_group(&self, storage: &TileStorage, rank: usize) -> Option<([u32; 3], &'static str)> {
        let why = "a sub-group is 32 work-items in a row, and there are at most 32";
        Some((shape_of(storage).work_group(rank), why))
    }

    fn has_open_width(&self) -> bool {
        true
    }
}

/// The shape of a stream.
fn shape_of(storage: &TileStorage) -> &StreamShape {
    match storage {
        TileStorage::Registers(shape) => shape,
        _ => unreachable!("streams keep their values in registers"),
    }
}

/// The shape and the tiles of a stream, deepest first, as far as the user's choices leave them open; `None` if a stream would
/// not pay.
fn choose(request: &Request<'_>) -> Option<(StreamShape, Vec<Tile>)> {
    let &Request { nest, recurrences, reaches, tuning, profile, rank, .. } = request;
    // Streams are made for GPUs; a CPU that is to run one gets theirs.
    let profile = if profile.is_gpu { profile } else { &profile::GPU };
    // Products and sums are fused in rows and planes, whose rates were fitted to such kernels.
    let arithmetic = arithmetic_seconds(nest, recurrences, &profile.instructions, rank > 1);
    let character = character(nest, reaches, recurrences, rank);
    let choice = Choice { nest, reaches, recurrences, tuning, profile, rank, character, arithmetic };
    let Candidate { shape, carried, tile } = choice.candidate()?;
    let edge_sets = if 2 * exchanged_bytes(&carried.blocks, &shape) <= MOST_OF_TWO_SETS { 2 } else { 1 };
    let is_paired = pairs_pay(shape.sub_groups, tile.levels);
    let shorter = halved(tile.levels);
    let tiles = with_last(tile, shorter, |levels, leaves| shape.tile(reaches, rank, levels, leaves));
    Some((StreamShape { edge_sets, is_paired, ..shape }, tiles))
}

/// A tile that may be chosen.
struct Candidate {
    shape: StreamShape,
    carried: Carried,
    tile: Tile,
}

/// What the choice depends on.
struct Choice<'a> {
    nest: &'a Nest,
    reaches: &'a Reaches<'a>,
    recurrences: &'a Recurrences,
    tuning: &'a Tuning,
    profile: &'a Profile,
    rank: usize,
    character: Character,
    arithmetic: f64,
}

fn character(nest: &Nest, reaches: &Reaches<'_>, recurrences: &Recurrences, rank: usize) -> Character {
    if rank == 3 {
        let two_steps = Tile::new(reaches, &[1; 3], 2, Leaves::Inputs);
        return if two_steps.region().volume() == 1 { Character::Pointwise } else { Character::Usual };
    }
    match slow_operations(nest, recurrences) {
        0 => Character::Usual,
        operations => Character::Slow(operations),
    }
}

impl Choice<'_> {
    /// The candidate that promises most; if the user's depth does not pay, the last shape has it nevertheless.
    fn candidate(&self) -> Option<Candidate> {
        let shapes = shapes(self.recurrences, self.rank, self.character);
        let all_depths = if self.character == Character::Pointwise { DEPTHS_OF_POINTWISE } else { DEPTHS[self.rank] };
        let all_depths = possible_depths(all_depths, self.recurrences);
        let wanted_depth = self.tuning.time_tile.map(|levels| levels as usize);
        let depths = wanted_depth.as_ref().map_or(all_depths, std::slice::from_ref);
        let paying = |preset: &Preset| -> Vec<Candidate> {
            let all = depths.iter().filter_map(|levels| self.make(preset, *levels));
            all.filter(|candidate| self.pays(candidate, preset)).collect()
        };
        let best = match (self.rank, self.character) {
            (2, Character::Usual) => most(shapes.iter().flat_map(paying).collect(), |candidate| {
                let groups = candidate.carried.resident_groups(work_items(&candidate.shape));
                let streamed = self.streamed(candidate);
                streamed.rate() * streamed.share_in_flight(groups * candidate.shape.sub_groups)
            }),
            // As many work-groups run at once as the shape is made for. Slow operations keep the rate from telling one shape
            // from another.
            _ => shapes
                .iter()
                .map(paying)
                .find_map(|candidates| most(candidates, |candidate| self.streamed(candidate).rate())),
        };
        best.or_else(|| {
            let candidate = self.make(shapes.last()?, wanted_depth?)?;
            (candidate.carried.registers <= MOST_REGISTERS).then_some(candidate)
        })
    }

    fn make(&self, preset: &Preset, levels: usize) -> Option<Candidate> {
        let shape = shape(self.tuning, self.recurrences, self.rank, preset);
        if shape.rows * shape.columns > MOST_CELLS {
            return None;
        }
        let tile = shape.tile(self.reaches, self.rank, levels, Leaves::Inputs)?;
        Some(Candidate { carried: Carried::new(self.nest, self.recurrences, &tile, &shape), shape, tile })
    }

    fn pays(&self, Candidate { shape, carried, tile }: &Candidate, preset: &Preset) -> bool {
        let suits = match self.character {
            Character::Usual => true,
            Character::Slow(operations) => tile.levels == 2 || tile.levels * operations <= MOST_SLOW,
            Character::Pointwise => computed_values(tile, shape) <= MOST_COMPUTED_OF_POINTWISE,
        };
        suits
            && computed_values(tile, shape) <= MOST_COMPUTED[self.rank]
            && carried.registers <= preset.registers
            && exchanged_bytes(&carried.blocks, shape) <= self.profile.local_limit
            && tile.redundancy() < MOST_REDUNDANT
    }

    fn streamed<'b>(&'b self, Candidate { shape, tile, .. }: &'b Candidate) -> Streamed<'b> {
        Streamed { recurrences: self.recurrences, tile, shape, profile: self.profile, arithmetic: self.arithmetic }
    }
}

/// The candidate that promises most.
fn most(candidates: Vec<Candidate>, promise: impl Fn(&Candidate) -> f64) -> Option<Candidate> {
    let promised = candidates.into_iter().map(|candidate| (promise(&candidate), candidate));
    promised.max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, best)| best)
}

/// Values that a work-item computes in a step: each is a line of the kernel, several times over, and the device's compiler
/// has to get through them.
fn computed_values(tile: &Tile, shape: &StreamShape) -> i64 {
    tile.stages.len() as i64 * shape.rows * shape.columns
}

/// Such values that are not too many, by rank. In one dimension they stand in a kernel once for full and once for partial
/// tiles.
const MOST_COMPUTED: [i64; 4] = [0, 512, 200, 200];

/// The same where a tile's depth has no other bound than the time that compilers take.
const MOST_COMPUTED_OF_POINTWISE: i64 = 100;

/// Bytes of local memory up to which two sets of exchanged rows pay: they cost addresses, and cache.
const MOST_OF_TWO_SETS: i64 = 32 * 1024;

/// Whether sub-groups gain when they wait for their neighbours alone: two short waits in a row take the place of one, but
/// they need not all be at the same place.
fn pairs_pay(sub_groups: i64, levels: usize) -> bool {
    sub_groups <= MOST_NEIGHBOURS && (levels <= 3 || sub_groups > 12)
}

/// Registers that nobody can want, not even spilled to memory.
const MOST_REGISTERS: i64 = 1024;

/// Computed cells for each useful one, ghost columns aside.
const MOST_REDUNDANT: f64 = 2.0;
