//! Sub-groups of 32 work-items, and the exchange of registers within them.
//!
//! NVIDIA's OpenCL has no sub-groups, but takes the shuffle instruction in inline PTX, and its warps are consecutive
//! work-items. Elsewhere the driver defines `STENCIL_SUB_GROUPS` if the device has `cl_khr_subgroup_shuffle` and kernels can
//! demand the size (`cl_intel_required_subgroup_size`, which others than Intel have too). Local memory does it everywhere.

use super::writer::Writer;
use crate::ir::ScalarType;
use crate::kernel::{Kernel, Shuffle, Statement};
use crate::tile::LANES;

/// Elements before and behind an exchange array, where the outermost lanes look for neighbours that they lack.
const PADDING: i64 = 8;

/// What precedes the kernels' own `__kernel`: the demand for sub-groups of this size, where kernels have sub-groups.
pub fn write_size_demand(writer: &mut Writer, kernel: &Kernel) {
    if !kernel.has_sub_groups() {
        return;
    }
    writer.line("#ifdef STENCIL_SUB_GROUPS");
    writer.line(format_args!("__attribute__((intel_reqd_sub_group_size({LANES})))"));
    writer.line("#endif");
}

/// Declares which work-item of its sub-group this is, and which of the sub-groups. OpenCL leaves open which work-items
/// are together in a sub-group, so they ask.
pub fn write_place(writer: &mut Writer, kernel: &Kernel, lane: &str, member: Option<&str>) {
    let item = "(int)get_local_id(0)";
    let (lane_here, member_here) = if i64::from(kernel.work_group[0]) == LANES {
        (item.to_owned(), "(int)get_local_id(1)".to_owned())
    } else {
        (format!("{item} % {LANES}"), format!("{item} / {LANES}"))
    };
    let declare = |writer: &mut Writer, lane_value: &str, member_value: &str| {
        writer.line(format_args!("const int {lane} = {lane_value};"));
        if let Some(member) = member {
            writer.line(format_args!("const int {member} = {member_value};"));
        }
    };
    writer.line("#ifdef STENCIL_SUB_GROUPS");
    declare(writer, "(int)get_sub_group_local_id()", "(int)get_sub_group_id()");
    writer.line("#else");
    declare(writer, &lane_here, &member_here);
    writer.line("#endif");
}

/// Functions that shuffle one value, for the types that a kernel exchanges; each once in a file.
pub fn write_shuffle_functions(writer: &mut Writer, kernel: &Kernel) {
    for (element, _) in exchanged(kernel) {
        let guard = format!("STENCIL_SHUFFLE_{}", element.opencl_name().to_uppercase());
        writer.once(&guard, |writer| {
            writer.line("#if defined(__NV_CL_C_VERSION)");
            for direction in ["up", "down"] {
                write_ptx_function(writer, element, direction);
            }
            writer.line("#elif defined(STENCIL_SUB_GROUPS)");
            for (direction, sign) in [("up", '-'), ("down", '+')] {
                write_khr_function(writer, element, direction, sign);
            }
            writer.line("#endif");
        });
    }
}

/// The outermost lanes take what the other end has: what a lane outside holds is undefined.
fn write_khr_function(writer: &mut Writer, element: ScalarType, direction: &str, sign: char) {
    let t = element.opencl_name();
    writer.block(format_args!("static inline {t} stencil_{direction}_{t}({t} value, int lanes)"), |writer| {
        let lane = format!("(get_sub_group_local_id() {sign} (uint)lanes) % {LANES}");
        writer.line(format_args!("return sub_group_shuffle(value, {lane});"));
    });
}

/// `shfl.sync` moves 32 bits; the last operand is the mask of all lanes.
fn write_ptx_function(writer: &mut Writer, element: ScalarType, direction: &str) {
    let t = element.opencl_name();
    let clamp = if direction == "up" { 0 } else { 31 };
    let instruction = |to: &str, from: &str| {
        format!(
            "__asm__ volatile(\"shfl.sync.{direction}.b32 %0, %1, %2, {clamp}, -1;\" : \"=r\"({to}) : \"r\"({from}), \
             \"r\"(lanes));"
        )
    };
    writer.block(format_args!("static inline {t} stencil_{direction}_{t}({t} value, int lanes)"), |writer| {
        if element.size() == 8 {
            writer.line("int2 from = as_int2(value), to;");
            writer.line(instruction("to.x", "from.x"));
            writer.line(instruction("to.y", "from.y"));
            writer.line(format_args!("return as_{t}(to);"));
        } else {
            let (to_bits, from_bits) = if element.size() == 4 {
                ("as_int(value)".to_string(), format!("as_{t}(to)"))
            } else {
                ("(int)value".to_string(), format!("({t})to"))
            };
            writer.line(format_args!("int from = {to_bits}, to;"));
            writer.line(instruction("to", "from"));
            writer.line(format_args!("return {from_bits};"));
        }
    });
}

/// Local memory for exchanges where there is no shuffle instruction.
pub fn write_exchange_arrays(writer: &mut Writer, kernel: &Kernel) {
    let exchanged = exchanged(kernel);
    if exchanged.is_empty() {
        return;
    }
    let items = work_items(kernel);
    let arrays: Vec<_> = exchanged
        .into_iter()
        .map(|(element, count)| (element.opencl_name(), count as i64 * items + 2 * PADDING))
        .collect();
    writer.line("#if !defined(__NV_CL_C_VERSION) && !defined(STENCIL_SUB_GROUPS)");
    for (t, size) in &arrays {
        writer.line(format_args!("__local {t} exchange_{t}[{size}];"));
    }
    writer.line(format_args!("const int place = {PADDING} + (int)get_local_id(0) + {LANES} * (int)get_local_id(1);"));
    // Nothing comes of what the outermost lanes take, but sanitizers tell values that nobody wrote.
    for (t, size) in &arrays {
        let head = format!("for (int i = place - {PADDING}; i < {size}; i += {items})");
        writer.block(head, |writer| writer.line(format_args!("exchange_{t}[i] = 0;")));
    }
    writer.line("#endif");
}

/// One exchange of several registers.
pub fn write_shuffles(writer: &mut Writer, kernel: &Kernel, element: ScalarType, shuffles: &[Shuffle]) {
    let t = element.opencl_name();
    writer.line("#if defined(__NV_CL_C_VERSION) || defined(STENCIL_SUB_GROUPS)");
    for Shuffle { to, from, lanes } in shuffles {
        let direction = if *lanes < 0 { "up" } else { "down" };
        writer.line(format_args!("{to} = stencil_{direction}_{t}({from}, {});", lanes.abs()));
    }
    writer.line("#else");
    let items = work_items(kernel);
    let at = |number: usize, lanes: i64| format!("exchange_{t}[place + {}]", number as i64 * items + lanes);
    writer.line("barrier(CLK_LOCAL_MEM_FENCE);");
    for (number, shuffle) in shuffles.iter().enumerate() {
        writer.line(format_args!("{} = {};", at(number, 0), shuffle.from));
    }
    writer.line("barrier(CLK_LOCAL_MEM_FENCE);");
    for (number, shuffle) in shuffles.iter().enumerate() {
        writer.line(format_args!("{} = {};", shuffle.to, at(number, shuffle.lanes)));
    }
    writer.line("#endif");
}

fn work_items(kernel: &Kernel) -> i64 {
    kernel.work_group.iter().copied().map(i64::from).product()
}

/// The types that a kernel exchanges, each with the largest number of values in one exchange.
fn exchanged(kernel: &Kernel) -> Vec<(ScalarType, usize)> {
    let mut found: Vec<(ScalarType, usize)> = Vec::new();
    kernel.visit(&mut |statement| {
        let Statement::Shuffles { element, shuffles } = statement else { return };
        match found.iter_mut().find(|(ty, _)| ty == element) {
            Some((_, count)) => *count = shuffles.len().max(*count),
            None => found.push((*element, shuffles.len())),
        }
    });
    found
}
