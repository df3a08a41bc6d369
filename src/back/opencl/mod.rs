//! Kernels as OpenCL C 1.2.

mod cache;
mod held;
mod meeting;
mod sub_group;
mod types;

use super::c::{Arithmetic, Body, Dialect};
use crate::index::WorkItem;
use crate::ir::{ExprKind, Function, Nest, ScalarType};
use crate::kernel::{Argument, ArgumentKind, Held, Kernel, Shuffle, Statement, Subject};
use crate::options::FpMode;
use crate::poly::is_reserved;
use crate::text::Writer;
use cache::{prefetch_macro, store_functions, write_store};
use held::{write_fold, write_given, write_hold};
use meeting::meeting_function;
use sub_group::{
    exchange_macros, place_macros, shuffle_functions, write_exchange_arrays, write_place, write_shuffles,
    write_size_demand,
};
pub use types::type_name;

/// OpenCL C.
pub struct OpenCl;

/// How the first argument of a kernel begins that is a buffer.
pub const BUFFER: &str = "__global ";

/// What kernels with tiles ask for, in the text.
pub const TILES: &str = "get_num_groups(";

/// What kernels with a cell a work-item ask for.
pub const CELLS: &str = "get_global_id(";

/// The type of positions in buffers, which the runtime chooses for the buffers that it makes.
const POSITION: &str = "STENCIL_POSITION";

/// Whether kernels may choose between texts that wait; the driver defines it as 0 for compilers that make other code of that.
const MAY_CHOOSE: &str = "STENCIL_MAY_CHOOSE";

/// Indices and conditions of kernels.
pub const ARITHMETIC: Arithmetic = Arithmetic { type_name, work_item };

/// What a kernel needs that chooses between texts.
fn choice_macro(kernel: &Kernel) -> Option<String> {
    let chooses = kernel.has(|statement| matches!(statement, Statement::Way { .. }));
    chooses.then(|| format!("#ifndef {MAY_CHOOSE}\n#define {MAY_CHOOSE} 1\n#endif\n"))
}

impl Dialect for OpenCl {
    fn arithmetic(&self) -> &'static Arithmetic {
        &ARITHMETIC
    }

    fn write_prelude(&self, writer: &mut Writer, nests: &[&Nest], fp: FpMode) {
        if nests.iter().any(|nest| uses_double(nest)) {
            writer.line("#pragma OPENCL EXTENSION cl_khr_fp64 : enable");
        }
        let contract = if fp == FpMode::Strict { "OFF" } else { "ON" };
        writer.line(format_args!("#pragma OPENCL FP_CONTRACT {contract}"));
        writer.line("");
        writer.line(format_args!("#ifndef {POSITION}"));
        writer.line(format_args!("#define {POSITION} long"));
        writer.line("#endif");
        writer.line("#define floord(n, d) (((n) < 0) ? -((-(n) + (d) - 1) / (d)) : (n) / (d))");
        for function in [Function::Fmin, Function::Fmax] {
            for ty in [ScalarType::F32, ScalarType::F64] {
                if nests.iter().any(|nest| calls(nest, function, ty)) {
                    write_minmax(writer, function, ty);
                }
            }
        }
        writer.line("");
    }

    fn helpers(&self, kernel: &Kernel) -> Vec<String> {
        let mut all = shuffle_functions(kernel);
        all.extend(exchange_macros(kernel));
        all.extend(place_macros(kernel));
        all.extend(meeting_function(kernel));
        all.extend(choice_macro(kernel));
        all.extend(prefetch_macro(kernel));
        all.extend(store_functions(kernel));
        all
    }

    fn write_kernel(&self, writer: &mut Writer, subject: &Subject<'_>, kernel: &Kernel) {
        debug_assert_eq!(exposed(subject, kernel), None, "the program may have this name too");
        let [x, y, z] = kernel.work_group;
        let arguments: Vec<String> =
            kernel.arguments.iter().map(|argument| argument_declaration(subject, argument)).collect();
        write_size_demand(writer, kernel);
        writer.line(format_args!("__kernel __attribute__((reqd_work_group_size({x}, {y}, {z})))"));
        writer.line(format_args!("void {}(", kernel.name));
        writer.line(format_args!("    {}", arguments.join(", ")));
        writer.block(")", |writer| {
            for array in &kernel.local_arrays {
                let size: i64 = array.extents.iter().product();
                writer.line(format_args!("__local {} {}[{size}];", type_name(array.element), array.name));
            }
            write_exchange_arrays(writer, kernel);
            Body { dialect: self, subject, kernel }.write(writer, &kernel.body);
        });
    }

    fn position_type(&self) -> &'static str {
        POSITION
    }

    fn mask_type(&self) -> &'static str {
        "uint"
    }

    fn may_choose(&self) -> &'static str {
        MAY_CHOOSE
    }

    fn read_pointer(&self, element: ScalarType, name: &str) -> String {
        format!("__global const {} *{name}", type_name(element))
    }

    fn call(&self, function: Function, ty: ScalarType, arguments: &[String]) -> String {
        let arguments = arguments.join(", ");
        match function {
            Function::Fmin | Function::Fmax => format!("{}({arguments})", minmax_name(function, ty)),
            // OpenCL's abs gives an unsigned integer.
            Function::Abs => format!("({})abs({arguments})", type_name(ty)),
            _ => format!("{}({arguments})", function.name()),
        }
    }

    fn write_unroll(&self, writer: &mut Writer) {
        writer.line("#pragma unroll");
    }

    fn write_sub_group(&self, writer: &mut Writer, kernel: &Kernel, lane: &str, member: Option<&str>) {
        write_place(writer, kernel, lane, member);
    }

    fn write_shuffles(&self, writer: &mut Writer, kernel: &Kernel, element: ScalarType, shuffles: &[Shuffle]) {
        write_shuffles(writer, kernel, element, shuffles);
    }

    fn write_load(&self, writer: &mut Writer, element: ScalarType, to: &[String], from: &str) {
        if let [to] = to {
            writer.line(format_args!("{to} = {from};"));
            return;
        }
        let vector = format!("{}{}", type_name(element), to.len());
        writer.block("", |writer| {
            writer.line(format_args!("const {vector} vector = *(__global const {vector} *)&{from};"));
            let parts: Vec<String> = to.iter().enumerate().map(|(i, to)| format!("{to} = vector.s{i:x};")).collect();
            writer.line(parts.join(" "));
        });
    }

    fn write_store(&self, writer: &mut Writer, element: ScalarType, to: &str, from: &[String], leaves_first: bool) {
        write_store(writer, element, to, from, leaves_first);
    }

    fn write_prefetch(&self, writer: &mut Writer, from: &str) {
        writer.line(format_args!("STENCIL_PREFETCH(&{from});"));
    }

    fn write_hold(&self, writer: &mut Writer, levels: &[Held]) {
        write_hold(writer, levels);
    }

    fn write_fold(&self, writer: &mut Writer, held: &Held, values: &[String], holds: &str) {
        write_fold(writer, held, values, holds);
    }

    fn write_given(&self, writer: &mut Writer, buffer: &str, levels: &[Held]) {
        write_given(writer, buffer, levels);
    }

    fn write_barrier(&self, writer: &mut Writer) {
        writer.line("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
    }

    fn write_meeting(&self, writer: &mut Writer, kernel: &Kernel, member: &str) {
        writer.line(format_args!("stencil_meet({member}, {});", kernel.work_group[1]));
    }
}

/// A name that the kernel declares although a scalar of the program may have it.
fn exposed<'a>(subject: &'a Subject<'_>, kernel: &'a Kernel) -> Option<&'a str> {
    let cells = subject.analysis.names.cells(kernel.rank);
    kernel.declared().into_iter().find(|name| !is_reserved(name) && !cells.iter().any(|cell| cell == name))
}

/// C leaves the sign of `fmin(0.0, -0.0)` open; this is what the common C libraries do.
fn write_minmax(writer: &mut Writer, function: Function, ty: ScalarType) {
    let relation = if function == Function::Fmin { "<" } else { ">" };
    let (name, t) = (minmax_name(function, ty), type_name(ty));
    writer.once(&name.to_uppercase(), |writer| {
        writer.block(format_args!("static {t} {name}({t} x, {t} y)"), |writer| {
            writer.line(format_args!("return isnan(x) ? y : isnan(y) ? x : x {relation} y ? x : y;"));
        });
    });
}

fn minmax_name(function: Function, ty: ScalarType) -> String {
    format!("stencil_{}{}", function.name(), if ty == ScalarType::F32 { "f" } else { "" })
}

fn calls(nest: &Nest, wanted: Function, ty: ScalarType) -> bool {
    nest.exprs.iter().any(|(_, e)| e.ty == ty && matches!(&e.kind, ExprKind::Call(function, _) if *function == wanted))
}

/// Whether a kernel of the nest needs double precision.
pub fn uses_double(nest: &Nest) -> bool {
    nest.exprs.iter().any(|(_, e)| e.ty == ScalarType::F64)
        || nest.arrays.iter().any(|(_, array)| array.element == ScalarType::F64)
}

fn argument_declaration(subject: &Subject<'_>, argument: &Argument) -> String {
    let name = &argument.name;
    let element = |field: usize| type_name(subject.recurrences().storage.fields[field].element);
    match argument.kind {
        ArgumentKind::Input { field, .. } => {
            // Where a slot is also the output's, the host passes two different buffers for a tile kernel.
            format!("__global const {} *restrict {name}", element(field))
        }
        ArgumentKind::Output { field, .. } | ArgumentKind::InPlace { field, .. } => {
            format!("__global {} *restrict {name}", element(field))
        }
        ArgumentKind::Held { element, .. } => format!("__global {} *restrict {name}", type_name(element)),
        ArgumentKind::Origin { .. } | ArgumentKind::Stride { .. } => format!("const {POSITION} {name}"),
        ArgumentKind::Step => format!("const long {name}"),
        ArgumentKind::DomainLo { .. }
        | ArgumentKind::DomainHi { .. }
        | ArgumentKind::TileLo { .. }
        | ArgumentKind::TileHi { .. }
        | ArgumentKind::Chunk
        | ArgumentKind::WholeParts
        | ArgumentKind::StreamEnd
        | ArgumentKind::Skipped { .. }
        | ArgumentKind::Results => format!("const int {name}"),
        ArgumentKind::Scalar { param } => {
            format!("const {} {name}", type_name(subject.analysis.nest.params[param].ty))
        }
        ArgumentKind::Element { read } => {
            let nest = subject.analysis.nest;
            format!("const {} {name}", type_name(nest.arrays[nest.accesses[read].array].element))
        }
    }
}

fn work_item(what: WorkItem, dimension: usize) -> String {
    let function = match what {
        WorkItem::Group => "get_group_id",
        WorkItem::Local => "get_local_id",
        WorkItem::Global => "get_global_id",
        WorkItem::Groups => "get_num_groups",
    };
    format!("(int){function}({dimension})")
}
