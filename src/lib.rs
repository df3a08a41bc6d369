//! Rewrites stencil loop nests of a C program into OpenCL kernels with overlapped time tiling.

pub mod front;
pub mod ir;
pub mod source;
