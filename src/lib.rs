//! Rewrites stencil loop nests of a C program into OpenCL kernels with overlapped time tiling.

pub mod cli;
pub mod options;
pub mod pipeline;
pub mod source;
pub mod front;
pub mod ir;
pub mod poly;
pub mod valid;
pub mod tile;
pub mod model;
pub mod kernel;
pub mod back;
pub mod rewrite;
pub mod report;
