//! Boxes of cells.

/// A box of cells relative to the tile's origin, inclusive, outermost dimension first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellBox {
    /// First cell.
    pub lo: Vec<i64>,
    /// Last cell.
    pub hi: Vec<i64>,
}

impl CellBox {
    /// A cell.
    pub fn cell(rank: usize) -> Self {
        Self { lo: vec![0; rank], hi: vec![0; rank] }
    }

    /// Number of cells in each dimension.
    pub fn extents(&self) -> Vec<i64> {
        self.lo.iter().zip(&self.hi).map(|(lo, hi)| hi - lo + 1).collect()
    }

    /// Number of cells; the largest number if there are more.
    pub fn volume(&self) -> i64 {
        self.extents().into_iter().fold(1, i64::saturating_mul)
    }

    /// Every cell of this box moved by every offset of the other one.
    pub fn dilated(&self, offsets: &Self) -> Self {
        let sum = |a: &[i64], b: &[i64]| a.iter().zip(b).map(|(a, b)| a + b).collect();
        Self { lo: sum(&self.lo, &offsets.lo), hi: sum(&self.hi, &offsets.hi) }
    }

    /// The smallest box around both.
    pub fn hull(&self, other: &Self) -> Self {
        Self {
            lo: self.lo.iter().zip(&other.lo).map(|(a, b)| *a.min(b)).collect(),
            hi: self.hi.iter().zip(&other.hi).map(|(a, b)| *a.max(b)).collect(),
        }
    }
}
