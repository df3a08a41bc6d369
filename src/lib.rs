//! Rewrites stencil loop nests of a C program into OpenCL kernels with overlapped time tiling.

pub mod back;
pub mod cli;
pub mod device;
pub mod front;
pub mod ir;
pub mod kernel;
pub mod model;
pub mod options;
pub mod pipeline;
pub mod poly;
pub mod report;
pub mod rewrite;
pub mod source;
pub mod tile;
pub mod valid;
