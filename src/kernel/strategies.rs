//! The kernels of each strategy.

use super::local::local_kernel;
use super::rows::rows_kernels;
use super::stream::stream_kernel;
use super::{Kernel, Subject};
use crate::model::TileStorage;
use crate::tile::Tile;

/// The kernels that advance tiles by their levels in one launch, one for each of `tiles`, which differ in nothing but depth and
/// in what they leave. Kernels of the same name have the same text.
pub fn tile_kernels(
    subject: &Subject<'_>,
    storage: &TileStorage,
    names: &[String],
    tiles: &[Tile],
    work_group: [u32; 3],
) -> Vec<Kernel> {
    let each = |kernel: &dyn Fn(&str, &Tile) -> Kernel| {
        names.iter().zip(tiles).map(|(name, tile)| kernel(name, tile)).collect()
    };
    match storage {
        TileStorage::Local => each(&|name, tile| local_kernel(subject, name, tile, work_group)),
        TileStorage::Registers(shape) => each(&|name, tile| stream_kernel(subject, name, tile, shape)),
        TileStorage::RowWindows => rows_kernels(subject, names, tiles),
    }
}
