//! The nest as plain sequential C on arrays at other addresses, for `STENCIL_VERIFY`.

use super::driver::declare_integers;
use super::expr::{Scope, locals_of, write_expr};
use super::host::{HostScope, write_math};
use super::plan::RegionPlan;
use super::writer::Writer;
use crate::ir::{Access, BinaryOp, Expr, Handle, Loop, Nest};

/// One thing that a loop body does, with where it stands.
#[derive(Clone, Copy)]
enum Action {
    Read(Handle<Access>),
    Assign(usize),
}

/// Writes `static void NAME_original(void *const *bases, const void *context)`.
pub fn write_reference(writer: &mut Writer, plan: &RegionPlan<'_>) {
    let nest = plan.nest();
    let name = &nest.name;
    writer.block(format_args!("static void {name}_original(void *const *bases, const void *context)"), |writer| {
        writer.line(format_args!("const struct {name}_scalars *scalars = context;"));
        declare_integers(writer, plan);
        let mut actions = actions(nest);
        actions.sort_by(|a, b| {
            nest.accesses[access_of(nest, *a)].position.cmp(&nest.accesses[access_of(nest, *b)].position)
        });
        for (index, footprint) in plan.footprints.iter().enumerate() {
            let ty = nest.arrays[footprint.array].element.c_name();
            let base = format!("base{}_{}", footprint.array.index(), footprint.buffer);
            writer.line(format_args!("{ty} *const {base} = bases[{index}];"));
            writer.line(format_args!("(void){base};"));
        }
        for (array, info) in nest.arrays.iter().filter(|(_, info)| info.buffers.len() > 1) {
            let ty = info.element.c_name();
            let bases: Vec<String> = (0..info.buffers.len())
                .map(|buffer| match plan.find_array_index(array, buffer) {
                    Some(_) => format!("base{}_{buffer}", array.index()),
                    None => "0".into(),
                })
                .collect();
            writer.line(format_args!("{ty} *const buffers{}[] = {{ {} }};", array.index(), bases.join(", ")));
        }
        write_level(writer, plan, &actions, 0);
    });
    writer.line("");
}

fn actions(nest: &Nest) -> Vec<Action> {
    let mut all: Vec<Action> = (0..nest.statements.len()).map(Action::Assign).collect();
    let writes: Vec<_> = nest.statements.iter().map(|s| s.write).collect();
    all.extend(nest.accesses.handles().filter(|access| !writes.contains(access)).map(Action::Read));
    all
}

fn access_of(nest: &Nest, action: Action) -> Handle<Access> {
    match action {
        Action::Read(access) => access,
        Action::Assign(statement) => nest.statements[statement].write,
    }
}

/// Actions that share their first `depth` loops, in order.
fn write_level(writer: &mut Writer, plan: &RegionPlan<'_>, actions: &[Action], depth: usize) {
    let nest = plan.nest();
    let mut rest = actions;
    while let Some(first) = rest.first() {
        let loops = &nest.accesses[access_of(nest, *first)].loops;
        let Some(&this) = loops.get(depth) else {
            write_action(writer, plan, *first);
            rest = &rest[1..];
            continue;
        };
        let inside = |action: &&Action| {
            let access = &nest.accesses[access_of(nest, **action)];
            access.loops.get(depth) == Some(&this)
        };
        let count = rest.iter().take_while(inside).count();
        let (body, after) = rest.split_at(count);
        write_loop(writer, plan, this, body, depth);
        rest = after;
    }
}

fn write_loop(writer: &mut Writer, plan: &RegionPlan<'_>, this: Handle<Loop>, body: &[Action], depth: usize) {
    let nest = plan.nest();
    let Loop { first, relation, bound, step, .. } = &nest.loops[this];
    let name = plan.names().loop_variable(this);
    let math = |expr| write_math(nest, plan.names(), expr, "scalars->");
    let relation = match (relation, *step > 0) {
        (BinaryOp::NotEqual, true) => "<",
        (BinaryOp::NotEqual, false) => ">",
        (other, _) => other.symbol(),
    };
    let (first, bound) = (math(*first), math(*bound));
    if Some(this) == nest.time {
        // Within the body the name counts complete steps, as it does in integer sets.
        let steps = plan.names().steps();
        writer.block(format_args!("for (long long {name} = 0; {name} < {steps}; {name}++)"), |writer| {
            write_level(writer, plan, body, depth + 1);
        });
        return;
    }
    let head = format!("for (long long {name} = {first}; {name} {relation} {bound}; {name} += {step})");
    writer.block(head, |writer| write_level(writer, plan, body, depth + 1));
}

fn write_action(writer: &mut Writer, plan: &RegionPlan<'_>, action: Action) {
    let nest = plan.nest();
    let scope = plan.reference_scope();
    let access = access_of(nest, action);
    let Access { guards, steps, .. } = &nest.accesses[access];
    let text = |guard: &Handle<Expr>| format!("({})", write_expr(nest, &scope, *guard));
    let guards: Vec<String> = guards.iter().chain(steps).map(text).collect();
    match action {
        Action::Read(access) if nest.accesses[access].is_speculative => {}
        Action::Read(access) => {
            let ty = nest.arrays[nest.accesses[access].array].element.c_name();
            let element = scope.value(access);
            let guarded = if guards.is_empty() { element } else { format!("{} ? {element} : 0", guards.join(" && ")) };
            writer.line(format_args!("const {ty} r{} = {guarded};", access.index()));
            writer.line(format_args!("(void)r{};", access.index()));
        }
        Action::Assign(index) => {
            let statement = &nest.statements[index];
            let head = if guards.is_empty() { String::new() } else { format!("if ({})", guards.join(" && ")) };
            writer.block(head.trim(), |writer| {
                for local in locals_of(nest, &[statement.value], None) {
                    let ty = nest.locals[local].ty.c_name();
                    let value = write_expr(nest, &scope, nest.locals[local].value);
                    writer.line(format_args!("const {ty} {} = {value};", scope.local(local)));
                }
                let value = write_expr(nest, &scope, statement.value);
                writer.line(format_args!("{} = {value};", scope.element(statement.write)));
            });
        }
    }
}

/// Names within the sequential nest.
pub struct ReferenceScope<'a> {
    /// The plan of the nest.
    pub plan: &'a RegionPlan<'a>,
    /// The nest and its names.
    pub host: HostScope<'a>,
}

impl ReferenceScope<'_> {
    /// An array element as a value. No iteration reads an array without a place in the call's table.
    fn value(&self, access: Handle<Access>) -> String {
        let array = self.host.nest.accesses[access].array;
        let mut buffers = 0..self.host.nest.arrays[array].buffers.len();
        let has_place = buffers.any(|buffer| self.plan.find_array_index(array, buffer).is_some());
        if has_place { self.element(access) } else { "0".to_string() }
    }

    /// An array element as an lvalue.
    fn element(&self, access: Handle<Access>) -> String {
        let nest = self.host.nest;
        let Access { array, buffer, subscripts, .. } = &nest.accesses[access];
        let math = |expr| write_math_in_time(nest, self.host.names, expr);
        let base = match buffer {
            None => format!("base{}_0", array.index()),
            Some(buffer) => format!("buffers{}[{}]", array.index(), math(*buffer)),
        };
        let terms: Vec<String> = subscripts
            .iter()
            .zip(&nest.arrays[*array].strides)
            .map(|(subscript, stride)| format!("({}) * ({})", math(*subscript), math(*stride)))
            .collect();
        format!("{base}[{}]", terms.join(" + "))
    }
}

/// As `write_math` inside the time loop, where the loop's name counts steps.
fn write_math_in_time(nest: &Nest, names: &crate::poly::Names, expr: Handle<crate::ir::Expr>) -> String {
    use crate::ir::ExprKind;
    match &nest.exprs[expr].kind {
        ExprKind::Index(l) if Some(*l) == nest.time => {
            let time = &nest.loops[*l];
            format!(
                "({} + {} * {})",
                write_math(nest, names, time.first, "scalars->"),
                time.step,
                names.loop_variable(*l)
            )
        }
        ExprKind::Local(local) => write_math_in_time(nest, names, nest.locals[*local].value),
        ExprKind::Convert(inner) => write_math_in_time(nest, names, *inner),
        ExprKind::Binary(op, left, right) => format!(
            "({} {} {})",
            write_math_in_time(nest, names, *left),
            op.symbol(),
            write_math_in_time(nest, names, *right)
        ),
        ExprKind::Unary(crate::ir::UnaryOp::Negate, inner) => {
            format!("(-({}))", write_math_in_time(nest, names, *inner))
        }
        _ => write_math(nest, names, expr, "scalars->"),
    }
}

impl Scope for ReferenceScope<'_> {
    fn param(&self, param: Handle<crate::ir::Param>) -> String {
        self.host.param(param)
    }

    fn index(&self, l: Handle<Loop>) -> String {
        let ty = self.host.nest.loops[l].ty.c_name();
        if Some(l) == self.host.nest.time {
            let time = &self.host.nest.loops[l];
            let first = write_math(self.host.nest, self.host.names, time.first, "scalars->");
            return format!("({ty})({first} + {} * {})", time.step, self.host.names.loop_variable(l));
        }
        format!("({ty}){}", self.host.names.loop_variable(l))
    }

    fn iteration(&self, l: Handle<Loop>) -> String {
        self.host.iteration(l)
    }

    fn local(&self, local: Handle<crate::ir::Local>) -> String {
        format!("v{}", local.index())
    }

    fn read(&self, access: Handle<Access>) -> String {
        if self.host.nest.accesses[access].is_speculative {
            return self.value(access);
        }
        format!("r{}", access.index())
    }

    fn type_name(&self, ty: crate::ir::ScalarType) -> &'static str {
        ty.c_name()
    }

    fn call(&self, function: crate::ir::Function, ty: crate::ir::ScalarType, arguments: &[String]) -> String {
        self.host.call(function, ty, arguments)
    }
}
