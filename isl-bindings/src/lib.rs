//! Safe bindings to isl.
