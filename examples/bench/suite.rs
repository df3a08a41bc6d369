//! The stencils, and what one must know of them to turn seconds into rates.

use super::program::Element;

/// Where the cells of a grid lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grid {
    /// One dimension.
    Line,
    /// Two.
    Plane,
    /// Three, outermost first.
    Solid,
    /// Three, fastest first, around many fields.
    Seismic,
}

/// A program of the examples.
#[derive(Debug)]
pub struct Stencil {
    /// Name of the file without `.c`.
    pub name: &'static str,
    /// Its folder in `examples`.
    pub folder: &'static str,
    /// Form of its grid.
    pub grid: Grid,
    /// Operations of a point and half sweep, as the table in `examples/README.md` counts them.
    pub flops: u32,
    /// Half sweeps a step of the program's time loop; its argument counts half sweeps.
    pub half_sweeps: u32,
    /// Cells at each end of a dimension that no sweep writes.
    pub border: u32,
    /// Elements of a cell that must be read from memory and written to it at least once in a time tile of any depth.
    pub transfers: u32,
    /// Whether each step copies the whole grid, border included: such a copy is the largest sweep that the program tells.
    pub copies_border: bool,
    /// Whether the marked nest is one step, which the program calls in a loop.
    pub is_single_step: bool,
    /// Whether it is written for `float` alone.
    pub is_single_only: bool,
}

const fn stencil(
    name: &'static str,
    folder: &'static str,
    grid: Grid,
    flops: u32,
    border: u32,
    transfers: u32,
) -> Stencil {
    Stencil {
        name,
        folder,
        grid,
        flops,
        half_sweeps: 1,
        border,
        transfers,
        copies_border: false,
        is_single_step: false,
        is_single_only: false,
    }
}

const fn ebisu(name: &'static str, grid: Grid, flops: u32, border: u32) -> Stencil {
    stencil(name, "ebisu", grid, flops, border, 2)
}

const fn holewinski(name: &'static str, grid: Grid, flops: u32, border: u32, transfers: u32) -> Stencil {
    stencil(name, "holewinski", grid, flops, border, transfers)
}

const fn awp(name: &'static str, flops: u32, transfers: u32, is_single_step: bool) -> Stencil {
    Stencil { is_single_only: true, is_single_step, ..stencil(name, "awp", Grid::Seismic, flops, 0, transfers) }
}

const fn copying(stencil: Stencil) -> Stencil {
    Stencil { copies_border: true, ..stencil }
}

/// All of them, in the order of the papers' tables.
pub const STENCILS: [Stencil; 23] = [
    ebisu("j2d5pt", Grid::Plane, 9, 1),
    ebisu("j2d9pt", Grid::Plane, 17, 2),
    Stencil { half_sweeps: 2, ..ebisu("j2d9pt-gol", Grid::Plane, 17, 1) },
    copying(ebisu("j2d25pt", Grid::Plane, 49, 2)),
    ebisu("j3d7pt", Grid::Solid, 13, 1),
    ebisu("j3d13pt", Grid::Solid, 25, 2),
    ebisu("j3d17pt", Grid::Solid, 33, 1),
    ebisu("j3d27pt", Grid::Solid, 53, 1),
    ebisu("poisson", Grid::Solid, 37, 1),
    holewinski("jacobi-1d-3pt", Grid::Line, 3, 1, 2),
    holewinski("jacobi-1d-5pt", Grid::Line, 5, 2, 2),
    holewinski("jacobi-1d-7pt", Grid::Line, 7, 3, 2),
    holewinski("jacobi-2d", Grid::Plane, 5, 1, 2),
    copying(holewinski("jacobi-3d", Grid::Solid, 7, 1, 2)),
    holewinski("poisson-9pt", Grid::Plane, 9, 1, 2),
    holewinski("fdtd-2d", Grid::Plane, 11, 0, 6),
    holewinski("rician-denoising", Grid::Plane, 44, 1, 3),
    holewinski("gradient", Grid::Plane, 18, 1, 2),
    copying(holewinski("tv-update-2d", Grid::Plane, 59, 1, 2)),
    awp("uxx1", 20, 6, true),
    awp("xy1", 16, 5, false),
    awp("xyz1", 90, 11, true),
    awp("xyzq", 129, 19, false),
];

/// How large the grids are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// As EBISU's, sections 6.1 and 6.2: beyond every cache of a GPU.
    Gpu,
    /// Seconds on a few cores.
    Cpu,
    /// Fractions of a second anywhere.
    Quick,
    /// Not for timing: tiles inside, at the border and a remainder of steps, quickly computed without a device.
    Check,
}

/// Arguments of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Size {
    /// In the program's order.
    pub extents: Vec<u32>,
    /// Steps, or half sweeps.
    pub steps: u32,
}

impl Size {
    /// As the program takes them.
    pub fn arguments(&self) -> Vec<u32> {
        self.extents.iter().copied().chain([self.steps]).collect()
    }

    /// Cells that are at least `border` cells away from each face of the grid.
    fn cells_within(&self, border: u32) -> f64 {
        self.extents.iter().map(|extent| f64::from(extent.saturating_sub(2 * border))).product()
    }
}

impl Stencil {
    /// The arguments for grids of that scale.
    pub fn size(&self, scale: Scale) -> Size {
        let (extents, steps): (&[u32], u32) = match (self.grid, scale) {
            (Grid::Line, Scale::Gpu) => (&[67_108_864], 240),
            (Grid::Line, Scale::Cpu) => (&[4_000_000], 48),
            (Grid::Line, Scale::Quick) => (&[100_000], 12),
            (Grid::Line, Scale::Check) => (&[20_011], 41),
            (Grid::Plane, Scale::Gpu) => (&[8352, 8352], 240),
            (Grid::Plane, Scale::Cpu) => (&[2000, 2000], 48),
            (Grid::Plane, Scale::Quick) => (&[250, 260], 12),
            (Grid::Plane, Scale::Check) => (&[421, 517], 30),
            (Grid::Solid, Scale::Gpu) => (&[2560, 288, 384], 240),
            (Grid::Solid, Scale::Cpu) => (&[160, 144, 192], 24),
            (Grid::Solid, Scale::Quick) => (&[40, 44, 70], 4),
            (Grid::Solid, Scale::Check) => (&[150, 61, 131], 8),
            (Grid::Seismic, Scale::Gpu) => (&[512, 320, 320], 48),
            (Grid::Seismic, Scale::Cpu) => (&[192, 144, 160], 8),
            (Grid::Seismic, Scale::Quick) => (&[70, 44, 40], 4),
            (Grid::Seismic, Scale::Check) => (&[131, 61, 47], 6),
        };
        // Such a nest moves all its arrays to the device and back in every step.
        Size { extents: extents.to_vec(), steps: if self.is_single_step { steps.min(4) } else { steps } }
    }

    /// Cells that a (half) sweep computes.
    pub fn cells(&self, size: &Size) -> f64 {
        size.cells_within(self.border)
    }

    /// Cells of the largest sweep, from which the program computes the rate that it reports.
    pub fn largest_sweep(&self, size: &Size) -> f64 {
        size.cells_within(if self.copies_border { 0 } else { self.border })
    }

    /// What compilers and the tool must be told.
    pub fn flags(&self, element: Element, size: &Size) -> Vec<String> {
        let mut flags = Vec::new();
        if element == Element::Single && !self.is_single_only {
            flags.push("-DREAL=float".to_owned());
        }
        if self.name == "jacobi-2d" {
            let largest = size.extents.iter().max().unwrap_or(&1);
            flags.push(format!("-DMAX={largest}"));
        }
        flags
    }
}
