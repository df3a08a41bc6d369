//! Rewrites stencil loop nests into OpenCL kernels.
