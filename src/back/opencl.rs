//! Kernels as OpenCL C 1.2.

use super::cache::{prefetch_macro, store_functions, write_prefetch, write_store};
use super::expr::{Scope, locals_of, write_expr};
use super::meeting::{meeting_function, write_meeting};
use super::sub_group::{
    exchange_macros, place_macros, shuffle_functions, write_exchange_arrays, write_place, write_shuffles,
    write_size_demand,
};
use crate::ir::{Access, Expr, ExprKind, FpMode, Function, Handle, Local, Loop, Nest, Param, ScalarType};
use crate::kernel::{Argument, ArgumentKind, Compute, Condition, Index, Kernel, Place, Statement, Subject, origin};
use crate::poly::is_reserved;
use crate::text::Writer;

/// The type of positions in buffers, which the runtime chooses for the buffers that it makes.
const POSITION: &str = "STENCIL_POSITION";

/// What a kernel needs before it, piece by piece; other kernels may need the same, which a file has once.
pub fn helpers(kernel: &Kernel) -> Vec<String> {
    let mut all = shuffle_functions(kernel);
    all.extend(exchange_macros(kernel));
    all.extend(place_macros(kernel));
    all.extend(meeting_function(kernel));
    all.extend(prefetch_macro(kernel));
    all.extend(store_functions(kernel));
    all
}

/// A kernel without its helpers.
pub fn write_kernel(writer: &mut Writer, subject: &Subject<'_>, kernel: &Kernel) {
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
            writer.line(format_args!("__local {} {}[{size}];", array.element.opencl_name(), array.name));
        }
        write_exchange_arrays(writer, kernel);
        write_body(writer, subject, kernel, &kernel.body);
    });
}

/// A name that the kernel declares although a scalar of the program may have it.
fn exposed<'a>(subject: &'a Subject<'_>, kernel: &'a Kernel) -> Option<&'a str> {
    let cells = subject.analysis.names.cells(kernel.rank);
    kernel.declared().into_iter().find(|name| !is_reserved(name) && !cells.iter().any(|cell| cell == name))
}

/// What every kernel file needs, once.
pub fn write_prelude(writer: &mut Writer, nests: &[&Nest], fp: FpMode) {
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

/// C leaves the sign of `fmin(0.0, -0.0)` open; this is what the common C libraries do.
fn write_minmax(writer: &mut Writer, function: Function, ty: ScalarType) {
    let relation = if function == Function::Fmin { "<" } else { ">" };
    let (name, t) = (minmax_name(function, ty), ty.opencl_name());
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
    let element = |field: usize| subject.recurrences.storage.fields[field].element.opencl_name();
    match argument.kind {
        ArgumentKind::Input { field, .. } => {
            // Where a slot is also the output's, the host passes two different buffers for a tile kernel.
            format!("__global const {} *restrict {name}", element(field))
        }
        ArgumentKind::Output { field, .. } | ArgumentKind::InPlace { field, .. } => {
            format!("__global {} *restrict {name}", element(field))
        }
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
            format!("const {} {name}", subject.analysis.nest.params[param].ty.opencl_name())
        }
        ArgumentKind::Element { read } => {
            let nest = subject.analysis.nest;
            format!("const {} {name}", nest.arrays[nest.accesses[read].array].element.opencl_name())
        }
    }
}

fn write_body(writer: &mut Writer, subject: &Subject<'_>, kernel: &Kernel, body: &[Statement]) {
    body.iter().for_each(|statement| write_statement(writer, subject, kernel, statement));
}

fn write_statement(writer: &mut Writer, subject: &Subject<'_>, kernel: &Kernel, statement: &Statement) {
    match statement {
        Statement::Comment(text) => writer.line(format_args!("/* {} */", text.replace("*/", "* /"))),
        Statement::Position { name, layout, base, cell } => {
            let cell: Vec<String> = cell.iter().map(index).collect();
            writer.line(format_args!("const {POSITION} {name} = {};", position(*layout, base, &cell)));
        }
        Statement::Int { name, value } => writer.line(format_args!("const int {name} = {};", index(value))),
        Statement::Bool { name, value } => writer.line(format_args!("const bool {name} = {};", condition(value))),
        Statement::Long { name, value } => writer.line(format_args!("const long {name} = {};", index(value))),
        Statement::Buffer { name, element, number, buffers } => {
            let (last, others) = buffers.split_last().expect("there is a buffer to choose");
            let choices =
                others.iter().enumerate().map(|(k, buffer)| format!("{} == {k} ? {buffer} : ", factor(number)));
            let element = element.opencl_name();
            writer.line(format_args!("__global const {element} *{name} = {}{last};", choices.collect::<String>()));
        }
        Statement::Mask { name, bits } => {
            writer.line(format_args!("uint {name} = 0;"));
            for (bit, holds) in bits.iter().enumerate() {
                writer.line(format_args!("{name} |= {} ? {:#x}u : 0;", condition(holds), 1_u32 << bit));
            }
        }
        Statement::MaskIf { name, condition: holds, masks, otherwise } => {
            let masks = masks.join(" & ");
            let value = match condition(holds).as_str() {
                "1" => masks,
                holds => format!("{holds} ? {masks} : {otherwise:#x}u"),
            };
            writer.line(format_args!("const uint {name} = {value};"));
        }
        Statement::Loop { variable, first, last, step, body } => {
            let (first, last) = (index(first), index(last));
            let increment = if *step == 1 { format!("{variable}++") } else { format!("{variable} += {step}") };
            writer.block(format_args!("for (int {variable} = {first}; {variable} <= {last}; {increment})"), |writer| {
                write_body(writer, subject, kernel, body);
            });
        }
        Statement::If { condition: guard, body } => {
            writer.block(format_args!("if ({})", condition(guard)), |writer| {
                write_body(writer, subject, kernel, body);
            });
        }
        Statement::Choose { condition: guard, then, otherwise } => {
            writer.block(format_args!("if ({})", condition(guard)), |writer| {
                write_body(writer, subject, kernel, then);
            });
            writer.block("else", |writer| {
                write_body(writer, subject, kernel, otherwise);
            });
        }
        Statement::Unrolled { variable, count, body } => {
            writer.line("#pragma unroll");
            writer.block(format_args!("for (int {variable} = 0; {variable} < {count}; {variable}++)"), |writer| {
                write_body(writer, subject, kernel, body);
            });
        }
        Statement::Scope(body) => writer.block("", |writer| {
            write_body(writer, subject, kernel, body);
        }),
        Statement::Registers { element, names } => {
            let names: Vec<String> = names.iter().map(|name| format!("{name} = 0")).collect();
            writer.line(format_args!("{} {};", element.opencl_name(), names.join(", ")));
        }
        Statement::Moves(moves) => {
            let moves: Vec<String> = moves.iter().map(|(to, from)| format!("{to} = {from};")).collect();
            writer.line(moves.join(" "));
        }
        Statement::SubGroup { lane, member } => write_place(writer, kernel, lane, member.as_deref()),
        Statement::Shuffles { element, shuffles } => write_shuffles(writer, kernel, *element, shuffles),
        Statement::LoadVector { element, to, from } => write_load(writer, kernel, *element, to, from),
        Statement::Prefetch(from) => write_prefetch(writer, kernel, from),
        Statement::StoreVector { element, to, from, leaves_first } => {
            write_store(writer, kernel, *element, to, from, *leaves_first);
        }
        Statement::Copy { to, from } => {
            writer.line(format_args!("{} = {};", place(kernel, to), place(kernel, from)));
        }
        Statement::Select { to, mask, bits, from } => {
            let (to, from) = (place(kernel, to), place(kernel, from));
            let holds = condition(&Condition::Bits { mask: mask.clone(), bits: *bits });
            writer.line(format_args!("{to} = {holds} ? {from} : {to};"));
        }
        Statement::Compute(compute) => write_compute(writer, subject, kernel, compute),
        Statement::Barrier => writer.line("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"),
        Statement::NeighbourBarrier(member) => write_meeting(writer, kernel, member),
    }
}

fn write_load(writer: &mut Writer, kernel: &Kernel, element: ScalarType, to: &[String], from: &Place) {
    let from = place(kernel, from);
    if let [to] = to {
        writer.line(format_args!("{to} = {from};"));
        return;
    }
    let vector = format!("{}{}", element.opencl_name(), to.len());
    writer.block("", |writer| {
        writer.line(format_args!("const {vector} vector = *(__global const {vector} *)&{from};"));
        let parts: Vec<String> = to.iter().enumerate().map(|(i, to)| format!("{to} = vector.s{i:x};")).collect();
        writer.line(parts.join(" "));
    });
}

fn write_compute(writer: &mut Writer, subject: &Subject<'_>, kernel: &Kernel, compute: &Compute) {
    let nest = subject.analysis.nest;
    let scope = CellScope { subject, kernel, compute };
    let known = compute.known.as_ref().map(|(known, _)| *known);
    for local in locals_of(nest, &[compute.value], known) {
        let ty = nest.locals[local].ty.opencl_name();
        let value = write_expr(nest, &scope, nest.locals[local].value);
        writer.line(format_args!("const {ty} {} = {value};", scope.local(local)));
    }
    let value = write_expr(nest, &scope, compute.value);
    let ty = nest.exprs[compute.value].ty.opencl_name();
    if let [(target, None)] = compute.stores.as_slice() {
        writer.line(format_args!("{} = {value};", place(kernel, target)));
        return;
    }
    writer.line(format_args!("const {ty} result = {value};"));
    for (target, guard) in &compute.stores {
        let store = format!("{} = result;", place(kernel, target));
        match guard {
            None => writer.line(store),
            Some(guard) => writer.line(format_args!("if ({}) {store}", condition(guard))),
        }
    }
}

/// Names within the computation of one cell.
struct CellScope<'a> {
    subject: &'a Subject<'a>,
    kernel: &'a Kernel,
    compute: &'a Compute,
}

impl Scope for CellScope<'_> {
    fn param(&self, param: Handle<Param>) -> String {
        self.subject.analysis.names.param(param).to_string()
    }

    fn index(&self, l: Handle<Loop>) -> String {
        let nest = self.subject.analysis.nest;
        let ty = nest.loops[l].ty.opencl_name();
        if Some(l) == nest.time {
            let first = write_expr(nest, self, nest.loops[l].first);
            return format!("({ty})({first} + {} * {})", nest.loops[l].step, self.iteration(l));
        }
        match self.compute.loops.get(&l) {
            Some(value) => format!("({ty})({value})"),
            None => unreachable!("every loop variable in a value has been expressed by the cell"),
        }
    }

    fn iteration(&self, _: Handle<Loop>) -> String {
        self.compute.step.clone().expect("values that depend on time know their step")
    }

    fn local(&self, local: Handle<Local>) -> String {
        format!("v{}_{}", local.index(), identifier(&self.subject.analysis.nest.locals[local].name))
    }

    fn read(&self, access: Handle<Access>) -> String {
        if let Some(element) = self.compute.reads.get(&access) {
            return place(self.kernel, element);
        }
        let (buffer, layout) = &self.compute.general[&access];
        let nest = self.subject.analysis.nest;
        let cell = &nest.accesses[access].subscripts;
        let cell: Vec<String> = cell.iter().map(|s| format!("(long)({})", write_expr(nest, self, *s))).collect();
        format!("{buffer}[{}]", position(*layout, &origin(*layout), &cell))
    }

    fn known(&self, expr: Handle<Expr>) -> Option<String> {
        self.compute.known.as_ref().filter(|(known, _)| *known == expr).map(|(_, register)| register.clone())
    }

    fn type_name(&self, ty: ScalarType) -> &'static str {
        ty.opencl_name()
    }

    fn call(&self, function: Function, ty: ScalarType, arguments: &[String]) -> String {
        let arguments = arguments.join(", ");
        match function {
            Function::Fmin | Function::Fmax => format!("{}({arguments})", minmax_name(function, ty)),
            // OpenCL's abs gives an unsigned integer.
            Function::Abs => format!("({})abs({arguments})", ty.opencl_name()),
            _ => format!("{}({arguments})", function.name()),
        }
    }
}

/// Letters, digits and underscores of a user's name.
pub fn identifier(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

pub(super) fn place(kernel: &Kernel, place: &Place) -> String {
    match place {
        Place::Global { buffer, layout, base, cell } => {
            let cell: Vec<String> = cell.iter().map(index).collect();
            format!("{buffer}[{}]", position(*layout, base, &cell))
        }
        Place::Local { array, cell } => {
            let array = &kernel.local_arrays[*array];
            // The loops of a lone work-item become vectors, unless an `int` has to be extended in every turn.
            let long = if kernel.work_group == [1; 3] { "(long)" } else { "" };
            let mut offset = String::new();
            for (d, x) in cell.iter().enumerate() {
                let stride: i64 = array.extents[d + 1..].iter().product();
                let relative = index(&x.clone().plus(-array.lo[d]));
                let term = format!("({relative} - {long}o{d})");
                let scaled = if stride == 1 { term } else { format!("{term} * {stride}") };
                offset = if d == 0 { scaled } else { format!("{offset} + {scaled}") };
            }
            format!("{}[{offset}]", array.name)
        }
        Place::Register(name) => name.clone(),
        Place::Element { array, at } => format!("{}[{}]", kernel.local_arrays[*array].name, index(at)),
    }
}

/// The position of a cell that is counted from the one at `base`.
fn position(layout: usize, base: &str, cell: &[String]) -> String {
    let last = cell.len() - 1;
    let mut position = base.to_string();
    for (d, x) in cell.iter().enumerate().filter(|(_, x)| *x != "0") {
        let (sign, x) = x.strip_prefix('-').filter(|x| !x.contains(' ')).map_or(('+', x.as_str()), |x| ('-', x));
        let x = if x.contains(' ') { format!("({x})") } else { x.to_string() };
        position += &match (d == last, x.as_str()) {
            (true, _) => format!(" {sign} {x}"),
            (false, "1") => format!(" {sign} stride{layout}_{d}"),
            (false, _) => format!(" {sign} {x} * stride{layout}_{d}"),
        };
    }
    position
}

pub(super) fn index(index_: &Index) -> String {
    match index_ {
        Index::Const(value) => value.to_string(),
        Index::Name(name) => name.clone(),
        Index::Add(left, right) => match &**right {
            Index::Const(value) if *value < 0 => format!("{} - {}", index(left), value.unsigned_abs()),
            right => format!("{} + {}", index(left), index(right)),
        },
        Index::Sub(left, right) => match &**right {
            Index::Add(..) | Index::Sub(..) => format!("{} - ({})", index(left), index(right)),
            right => format!("{} - {}", index(left), index(right)),
        },
        Index::Mul(left, right) => format!("{} * {}", factor(left), factor(right)),
        Index::Div(left, right) => format!("{} / {}", factor(left), factor(right)),
        Index::Rem(left, right) => format!("{} % {}", factor(left), factor(right)),
        Index::Min(left, right) => format!("min({}, {})", index(left), index(right)),
        Index::Max(left, right) => format!("max({}, {})", index(left), index(right)),
    }
}

fn factor(operand: &Index) -> String {
    match operand {
        Index::Add(..) | Index::Sub(..) | Index::Mul(..) | Index::Div(..) | Index::Rem(..) => {
            format!("({})", index(operand))
        }
        other => index(other),
    }
}

fn condition(guard: &Condition) -> String {
    let join = |parts: &[Condition], part: fn(&Condition) -> String, operator: &str| {
        parts.iter().map(part).collect::<Vec<_>>().join(operator)
    };
    match guard {
        Condition::LessEqual(left, right) => format!("{} <= {}", index(left), index(right)),
        Condition::Less(left, right) => format!("{} < {}", index(left), index(right)),
        Condition::All(parts) if parts.is_empty() => "1".into(),
        Condition::All(parts) => join(parts, conjunct, " && "),
        Condition::Any(parts) if parts.is_empty() => "0".into(),
        Condition::Any(parts) => join(parts, condition, " || "),
        Condition::Bits { mask, bits } => format!("({mask} & {bits:#x}u) != 0"),
        Condition::Named(name) => name.clone(),
        Condition::Text(text) => format!("({text})"),
    }
}

/// A condition that holds together with others.
fn conjunct(part: &Condition) -> String {
    match part {
        Condition::Any(parts) if parts.len() > 1 => format!("({})", condition(part)),
        _ => condition(part),
    }
}

#[cfg(test)]
mod tests {
    use super::condition;
    use crate::kernel::Condition::{All, Any, Named};

    #[test]
    fn alternatives_among_conditions_keep_together() {
        let [a, b, c] = ["a", "b", "c"].map(|name| Named(name.into()));
        assert_eq!(condition(&All(vec![Any(vec![a.clone(), b.clone()]), c.clone()])), "(a || b) && c");
        assert_eq!(condition(&Any(vec![All(vec![a.clone(), b.clone()]), c.clone()])), "a && b || c");
        assert_eq!(condition(&All(vec![Any(vec![a]), b])), "a && b");
        assert_eq!((condition(&Any(Vec::new())), condition(&All(Vec::new()))), ("0".to_owned(), "1".to_owned()));
        assert_eq!(condition(&c), "c");
    }
}
