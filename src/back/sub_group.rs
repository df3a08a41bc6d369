//! Sub-groups of 32 work-items, and the exchange of registers within them.
//!
//! NVIDIA's OpenCL has no sub-groups, but takes the shuffle instruction in inline PTX, and its warps are consecutive
//! work-items. Elsewhere the driver defines `STENCIL_SUB_GROUPS` if the device has `cl_khr_subgroup_shuffle` and kernels can
//! demand the size (`cl_intel_required_subgroup_size`, which others than Intel have too). Local memory does it everywhere.

use crate::ir::ScalarType;
use crate::kernel::{Kernel, Shuffle, Statement};
use crate::text::Writer;
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

/// Macros that say which work-item of its sub-group this is, and which of the sub-groups. OpenCL leaves open which
/// work-items are together in a sub-group, so they ask.
pub fn place_macros(kernel: &Kernel) -> Option<String> {
    if !kernel.has(|statement| matches!(statement, Statement::SubGroup { .. })) {
        return None;
    }
    let item = "(int)get_local_id(0)";
    let (lane, member) = if is_wide(kernel) {
        (format!("{item} % {LANES}"), format!("{item} / {LANES}"))
    } else {
        (item.to_owned(), "(int)get_local_id(1)".to_owned())
    };
    let [lane_name, member_name] = place_names(kernel);
    let mut writer = Writer::unwrapped();
    writer.once(&format!("{lane_name}_IS_KNOWN"), |writer| {
        writer.line("#ifdef STENCIL_SUB_GROUPS");
        writer.line(format_args!("#define {lane_name} (int)get_sub_group_local_id()"));
        writer.line(format_args!("#define {member_name} (int)get_sub_group_id()"));
        writer.line("#else");
        writer.line(format_args!("#define {lane_name} {lane}"));
        writer.line(format_args!("#define {member_name} {member}"));
        writer.line("#endif");
    });
    Some(writer.finish())
}

/// Declares which work-item of its sub-group this is, and which of the sub-groups.
pub fn write_place(writer: &mut Writer, kernel: &Kernel, lane: &str, member: Option<&str>) {
    let [lane_name, member_name] = place_names(kernel);
    writer.line(format_args!("const int {lane} = {lane_name};"));
    if let Some(member) = member {
        writer.line(format_args!("const int {member} = {member_name};"));
    }
}

fn place_names(kernel: &Kernel) -> [&'static str; 2] {
    if is_wide(kernel) { ["STENCIL_WIDE_LANE", "STENCIL_WIDE_MEMBER"] } else { ["STENCIL_LANE", "STENCIL_MEMBER"] }
}

/// Whether rows of a work-group hold several sub-groups.
fn is_wide(kernel: &Kernel) -> bool {
    i64::from(kernel.work_group[0]) != LANES
}

/// Functions that shuffle one value, for the types that a kernel exchanges; each once in a file.
pub fn shuffle_functions(kernel: &Kernel) -> Vec<String> {
    let function = |(element, _): (ScalarType, usize)| {
        let guard = format!("STENCIL_SHUFFLE_{}", element.opencl_name().to_uppercase());
        let mut writer = Writer::unwrapped();
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
        writer.finish()
    };
    exchanged(kernel).into_iter().map(function).collect()
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

/// Macros for the exchanges of a kernel, each once in a file.
pub fn exchange_macros(kernel: &Kernel) -> Vec<String> {
    let mut macros = Vec::new();
    kernel.visit(&mut |statement| {
        let Statement::Shuffles { element, shuffles } = statement else { return };
        let text = exchange_macro(kernel, *element, &shuffles.iter().map(|shuffle| shuffle.lanes).collect::<Vec<_>>());
        if !macros.contains(&text) {
            macros.push(text);
        }
    });
    macros
}

/// The macro that exchanges as many registers with work-items so many lanes away.
fn exchange_macro(kernel: &Kernel, element: ScalarType, lanes: &[i64]) -> String {
    let (t, items) = (element.opencl_name(), work_items(kernel));
    let name = exchange_name(element, items, lanes);
    let parameters: Vec<String> = (0..lanes.len()).map(|i| format!("to{i}, from{i}")).collect();
    let head = format!("#define {name}({}) \\", parameters.join(", "));
    let at = |number: usize, lanes: i64| format!("exchange_{t}[place + {}]", number as i64 * items + lanes);
    let barrier = "barrier(CLK_LOCAL_MEM_FENCE);".to_owned();
    let shuffle = |(i, lanes): (usize, &i64)| {
        let direction = if *lanes < 0 { "up" } else { "down" };
        format!("to{i} = stencil_{direction}_{t}(from{i}, {});", lanes.abs())
    };
    let mut through_memory = vec![barrier.clone()];
    through_memory.extend((0..lanes.len()).map(|i| format!("{} = from{i};", at(i, 0))));
    through_memory.push(barrier);
    through_memory.extend(lanes.iter().enumerate().map(|(i, lanes)| format!("to{i} = {};", at(i, *lanes))));
    let mut writer = Writer::unwrapped();
    writer.once(&format!("{name}_IS_KNOWN"), |writer| {
        writer.line("#if defined(__NV_CL_C_VERSION) || defined(STENCIL_SUB_GROUPS)");
        write_macro(writer, &head, &lanes.iter().enumerate().map(shuffle).collect::<Vec<_>>());
        writer.line("#else");
        write_macro(writer, &head, &through_memory);
        writer.line("#endif");
    });
    writer.finish()
}

/// Calls give the last semicolon.
fn write_macro(writer: &mut Writer, head: &str, statements: &[String]) {
    writer.line(head);
    for (i, statement) in statements.iter().enumerate() {
        let is_last = i + 1 == statements.len();
        let statement = if is_last { statement.trim_end_matches(';').to_owned() } else { format!("{statement} \\") };
        writer.lines(&format!("    {statement}\n"));
    }
}

/// Says what is exchanged, e.g. `STENCIL_EXCHANGE_DOUBLE_128_2U1_D1`: twice from the lane below, once from that above.
fn exchange_name(element: ScalarType, items: i64, lanes: &[i64]) -> String {
    let mut name = format!("STENCIL_EXCHANGE_{}_{items}", element.opencl_name().to_uppercase());
    for equal in lanes.chunk_by(|a, b| a == b) {
        let count = if equal.len() > 1 { equal.len().to_string() } else { String::new() };
        let direction = if equal[0] < 0 { 'U' } else { 'D' };
        name += &format!("_{count}{direction}{}", equal[0].abs());
    }
    name
}

/// One exchange of several registers.
pub fn write_shuffles(writer: &mut Writer, kernel: &Kernel, element: ScalarType, shuffles: &[Shuffle]) {
    let lanes: Vec<i64> = shuffles.iter().map(|shuffle| shuffle.lanes).collect();
    let registers: Vec<String> = shuffles.iter().map(|shuffle| format!("{}, {}", shuffle.to, shuffle.from)).collect();
    let name = exchange_name(element, work_items(kernel), &lanes);
    writer.line(format_args!("{name}({});", registers.join(", ")));
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
