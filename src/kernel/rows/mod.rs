//! Strategy `rows`: time tiles that stream through the cache, a row at a time, for CPUs.
//!
//! A work-item owns a tile and streams along the outermost dimension: at row `z` every stage computes its row (a plane in
//! three dimensions) `z - lag`, from its first column to its last, in plain loops that compilers vectorise. Windows in local
//! memory, which on a CPU is the cache, keep of each stage the rows that others still read; rows that were there before the
//! launch are read where they are. Beside what a sweep writes, windows hold what its slot held.
//!
//! Levels that do the same are a loop in the text, and its start is an argument: compilers take seconds for what is unrolled,
//! and tiles of all depths are one kernel. See [`Steady`].
//!
//! It is the pipeline of [`stream`](super::stream) with another storage: whole rows in memory instead of registers with
//! rotated names, and a row that was delivered in the same step is at hand with all its columns.

mod boundary;
#[cfg(test)]
mod boundary_tests;
mod builder;
mod copies;
mod turn;
mod windows;

use super::{Division, Kernel, Role, Subject, Tiles};
use crate::tile::{Leaves, Pipeline, PipelineRules, Steady, StreamTile, Tile};
use boundary::Text;
use builder::Builder;

/// The kernels that advance a tile by its levels in one launch, for each of the tiles, which differ in nothing but depth and in
/// what they leave. Kernels of the same name have the same text.
pub fn rows_kernels(subject: &Subject<'_>, names: &[String], tiles: &[Tile]) -> Vec<Kernel> {
    let mut kernels: Vec<Kernel> = Vec::new();
    let text = text_of_all(tiles);
    let pipeline = tiles.get(text).map(|tile| whole_rows(subject, tile));
    let stream = pipeline.as_ref().map(|pipeline| subject.stream(&tiles[text], pipeline));
    let steady = stream.and_then(Steady::of);
    let shares = |tile: &Tile| {
        let (Some(stream), Some(steady)) = (stream, &steady) else { return false };
        let leaves = stream.tile.leaves;
        steady.is_for(tile.levels) && (tile.leaves == leaves || leaves == Leaves::Results && may_leave_less(stream))
    };
    let begin = tiles.iter().position(shares).unwrap_or(tiles.len());
    let members: Vec<&Tile> = tiles[begin..].iter().take_while(|tile| shares(tile)).collect();
    let of_all = names.get(begin).map(|name| rows_kernel(subject, name, &tiles[text], &members));
    for (index, (tile, name)) in tiles.iter().zip(names).enumerate() {
        let kernel = match &of_all {
            Some(kernel) if (begin..begin + members.len()).contains(&index) => kernel.clone(),
            _ => rows_kernel(subject, name, tile, &[tile]),
        };
        kernels.push(Kernel { role: Role::Tiles(tiles_of(tile)), ..kernel });
    }
    kernels
}

/// A tile may be no shorter than its ghost zone: more would be computed twice than once.
fn tiles_of(tile: &Tile) -> Tiles {
    let least = tile.region().extents()[0] - tile.core[0];
    Tiles { is_cut: vec![true; tile.core.len()], division: Division::Shortened { least }, ..Tiles::of(tile) }
}

/// The tile whose text may do for all: of the deepest ones that which leaves most.
fn text_of_all(tiles: &[Tile]) -> usize {
    usize::from(tiles.len() > 1 && tiles[1].levels == tiles[0].levels)
}

fn whole_rows(subject: &Subject<'_>, tile: &Tile) -> Pipeline {
    Pipeline::new(subject.analysis.nest, subject.recurrences(), tile, PipelineRules::WHOLE_ROWS)
}

/// Whether a launch may leave out the stores for results alone: buffers that it takes for written hold the same afterwards.
fn may_leave_less(StreamTile { recurrences, tile, pipeline }: StreamTile<'_>) -> bool {
    let alone = tile.stages.iter().filter(|stage| tile.is_for_results_alone(recurrences, stage));
    alone.map(|stage| stage.slot(recurrences)).all(|slot| {
        let is_read = tile.slots.get(&slot).is_some_and(|used| used.has_halo || used.has_input);
        !is_read || pipeline.is_in_place(slot)
    })
}

/// The kernel of a tile, with which all `members` can do.
fn rows_kernel(subject: &Subject<'_>, name: &str, tile: &Tile, members: &[&Tile]) -> Kernel {
    let pipeline = whole_rows(subject, tile);
    let least = members.iter().map(|member| member.levels).min().unwrap_or(tile.levels);
    let stream = subject.stream(tile, &pipeline);
    let text = Text {
        stream,
        steady: Steady::of(stream),
        most_skipped: tile.levels - least,
        may_leave_less: members.iter().any(|member| member.leaves != tile.leaves),
    };
    Builder::new(subject, &text).build(name, tiles_of(tile))
}
