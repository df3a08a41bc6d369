//! Words that no name of the program may be in isl's notation, in drivers and in kernels.

/// Words of isl's parser.
const ISL: &[&str] = &[
    "and", "or", "not", "implies", "mod", "floor", "ceil", "floord", "ceild", "max", "min", "exists", "true", "false",
    "infty", "rat", "NaN",
];

/// Keywords of C.
const C: &[&str] = &[
    "int", "long", "short", "char", "float", "double", "void", "unsigned", "signed", "struct", "union", "enum", "if",
    "else", "for", "while", "do", "switch", "case", "default", "break", "continue", "goto", "return", "sizeof",
    "static", "const",
];

/// Keywords and types of OpenCL C, in any version.
const OPENCL: &[&str] = &[
    "uchar",
    "ushort",
    "uint",
    "ulong",
    "half",
    "kernel",
    "global",
    "local",
    "constant",
    "private",
    "bool",
    "generic",
    "pipe",
    "complex",
    "imaginary",
    "read_only",
    "write_only",
    "read_write",
    "vec_step",
    "image1d_t",
    "image1d_array_t",
    "image1d_buffer_t",
    "image2d_t",
    "image2d_array_t",
    "image2d_depth_t",
    "image2d_array_depth_t",
    "image3d_t",
    "sampler_t",
    "event_t",
    "queue_t",
    "ndrange_t",
    "clk_event_t",
    "reserve_id_t",
    "size_t",
    "ptrdiff_t",
    "intptr_t",
    "uintptr_t",
];

/// Functions and macros that kernels use.
const BUILT_IN: &[&str] = &[
    "barrier",
    "CLK_LOCAL_MEM_FENCE",
    "CLK_GLOBAL_MEM_FENCE",
    "get_global_id",
    "get_global_size",
    "get_group_id",
    "get_local_id",
    "get_num_groups",
    "get_sub_group_id",
    "get_sub_group_local_id",
    "sub_group_shuffle",
    "isnan",
    "signbit",
    "as_int",
    "as_int2",
];

/// Macros of headers that drivers include. A program that does not include them may use the names.
const MATH: &[&str] = &[
    "M_E",
    "M_LOG2E",
    "M_LOG10E",
    "M_LN2",
    "M_LN10",
    "M_PI",
    "M_PI_2",
    "M_PI_4",
    "M_1_PI",
    "M_2_PI",
    "M_2_SQRTPI",
    "M_SQRT2",
    "M_SQRT1_2",
    "HUGE_VAL",
    "INFINITY",
    "NAN",
    "MAXFLOAT",
];

/// Names that drivers declare.
const DRIVER: &[&str] = &[
    "result",
    "first_step",
    "one_step",
    "scalars",
    "geometry",
    "call",
    "arrays",
    "layouts",
    "sweeps",
    "results",
    "values",
    "context",
    "bases",
    "addresses",
    "variables",
    "all_steps",
    "answer",
    "arguments",
    "given",
    "left",
    "now",
    "recording",
    "rooms",
    "outcomes",
    "one_end",
    "lowest",
    "highest",
];

/// Names that kernels declare.
const KERNEL: &[&str] = &[
    "cell",
    "chunk",
    "lane",
    "member",
    "number",
    "above",
    "below",
    "row",
    "first_row",
    "last_row",
    "phase",
    "set",
    "core",
    "vector",
    "linear",
    "part",
    "whole_parts",
    "stream_end",
    "late",
    "beside",
    "first",
    "place",
    "skipped",
    "ahead",
    "item",
    "items",
];

/// Prefixes of generated names and of vector types; a user's name that continues one with a digit gets another name.
const GENERATED: &[&str] = &[
    "o",
    "v",
    "r",
    "f",
    "lo",
    "hi",
    "origin",
    "stride",
    "tile_lo",
    "tile_hi",
    "local",
    "base",
    "buffers",
    "array_",
    "at_",
    "left_",
    "count_",
    "win",
    "edges",
    "tiles",
    "begin",
    "left_over",
    "before_seam",
    "shift",
    "joined",
    "seam",
    "across",
    "block_begin",
    "line_across",
    "line_begin",
    "ends",
    "inner",
    "order",
    "place",
    "first",
    "last",
    "inside",
    "uniform",
    "constant",
    "exchange_",
    "domain",
    "read",
    "halo",
    "halo_now",
    "rows",
    "columns",
    "held",
    "next",
    "g",
    "halo_first",
    "halo_next",
    "line",
    "line_read",
    "line_domain",
    "line_halo",
    "block",
    "here",
    "stored",
    "folded",
    "pair",
    "sum",
    "owned",
    "single",
    "vectors",
    "single_now",
    "row",
    "ring",
    "double",
    "float",
    "char",
    "short",
    "int",
    "long",
    "uchar",
    "ushort",
    "uint",
    "ulong",
];

/// All of them but those that begin like generated names.
pub(super) fn reserved() -> impl Iterator<Item = &'static str> {
    [ISL, C, OPENCL, BUILT_IN, MATH, DRIVER, KERNEL].into_iter().flatten().copied()
}

/// Whether drivers and kernels may declare a name, because none from the program ever becomes it.
pub fn is_reserved(name: &str) -> bool {
    reserved().any(|word| word == name) || is_generated(name)
}

/// Whether drivers and kernels may make up the name.
pub(super) fn is_generated(name: &str) -> bool {
    GENERATED.iter().any(|prefix| {
        name.strip_prefix(prefix)
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()) || prefix.ends_with('_'))
    })
}
