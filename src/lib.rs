//! Rewrites stencil loop nests of a C program into OpenCL kernels with overlapped time tiling.

pub mod ir;
pub mod kernel;
pub mod poly;
pub mod source;
pub mod tile;
pub mod valid;
