//! A tile that holds both ends of a dimension.

/// How the first tile of a dimension holds both of its ends.
#[derive(Clone, Copy)]
pub(super) struct Seam {
    pub dimension: usize,
    /// Cells of a tile, ghost zones included.
    pub all: i64,
    /// Cells before its core.
    pub before: i64,
    /// Neighbouring cells that no seam divides.
    pub unit: i64,
    /// Cells of the halo at the first end, as they lie behind the seam.
    pub halo_before: i64,
    /// Cells of the halo at the last end, which lie before the seam.
    pub halo_behind: i64,
    /// Cells of the core behind the seam, at least: as many as the second tile's ghost zone has, so that it may be a full one.
    pub least_shift: i64,
    /// Whether there are never more, and what lies before the seam is padded to whole units.
    pub is_padded: bool,
    /// Cells of the domain that the first tile can hold.
    pub holds: i64,
}
