//! The host function of a nest that a team of OpenMP's threads shares: each thread calls it, and one does what there is to do.
//!
//! What the threads bring is compared, since each may have variables of its own; where it differs, the original loops run, which
//! the threads share. The master thread is the one that goes on, as what a thread remembers from one call to the next must be
//! the same for both calls of a turn. In the end each thread holds in its variables what the nest leaves there.
//!
//! Barriers: what other threads do before the nest is over before it begins, all values are compared before the first thread
//! goes on with them, the answer is there before it is read, and all threads have read it before the variable with it is gone.

use super::call::write_asking;
use super::nest::NestToWrite;
use super::signature::{Parameter, base_name, base_variables, left_name, left_types, parameters, prototype};
use crate::ir::{ParamValue, Team};
use crate::text::{Writer, quote};

/// Whether a team shares the nest.
fn is_shared(plan: &NestToWrite<'_>) -> bool {
    plan.nest().team == Team::Shares
}

/// Writes the host function for compilers that heed OpenMP's directives; what follows, up to [`write_end_of_team`], is for others.
pub fn write_team(writer: &mut Writer, plan: &NestToWrite<'_>) {
    if !is_shared(plan) {
        return;
    }
    let name = &plan.place.name;
    let brought = parameters(plan.nest(), plan.names());
    let left: Vec<(String, String)> =
        left_types(plan.nest()).into_iter().map(|(it, ty)| (left_name(plan.names(), it), ty)).collect();
    let is_left = |it: &&Parameter| left.iter().any(|(left, _)| *left == it.name);
    writer.line("#ifdef _OPENMP");
    writer.block_with_end(format_args!("struct {name}_team"), "};", |writer| {
        brought.iter().for_each(|it| writer.line(format_args!("{}{};", it.ty, it.name)));
        writer.line("const char *differing;");
        writer.line("int answer;");
    });
    writer.line("");
    writer.block(format_args!("STENCIL_NOINLINE {}", prototype(plan)), |writer| {
        let values: Vec<&str> = brought.iter().map(|it| it.name.as_str()).chain(["NULL", "0"]).collect();
        writer.line(format_args!("struct {name}_team own = {{ {} }}, *team;", values.join(", ")));
        writer.line("int answer;");
        writer.line("");
        writer.line("#pragma omp barrier");
        writer.line("#pragma omp single copyprivate(team)");
        writer.line("team = &own;");
        for it in brought.iter().filter(|it| !is_left(it)) {
            let shown = quote(shown(plan, &it.name));
            writer.block(format_args!("if (memcmp(&own.{0}, &team->{0}, sizeof own.{0}) != 0)", it.name), |writer| {
                writer.line("#pragma omp critical(stencil_team)");
                writer.line(format_args!("team->differing = {shown};"));
            });
        }
        writer.line("#pragma omp barrier");
        writer.line("#pragma omp master");
        writer.block("", |writer| {
            write_asking(writer, name);
            writer.line(format_args!("{name}_turn.differing = team->differing;"));
            let values: Vec<String> = brought.iter().map(|it| format!("team->{}", it.name)).collect();
            writer.line(format_args!("team->answer = {name}_asked({});", values.join(", ")));
        });
        writer.line("#pragma omp barrier");
        writer.line("answer = team->answer;");
        for (left, ty) in &left {
            writer.line(format_args!("if (answer && {left} != team->{left})"));
            writer.line(format_args!("    memcpy({left}, team->{left}, sizeof({}));", ty.trim_end()));
        }
        writer.line("#pragma omp barrier");
        writer.line("return answer;");
    });
    writer.line("#else");
}

/// Writes the end of what is for compilers that do not heed OpenMP's directives.
pub fn write_end_of_team(writer: &mut Writer, plan: &NestToWrite<'_>) {
    if is_shared(plan) {
        writer.line("#endif");
    }
}

/// Writes the answer of a call to which the threads of a team bring different values.
pub fn write_differing(writer: &mut Writer, plan: &NestToWrite<'_>) {
    if is_shared(plan) {
        let name = &plan.place.name;
        writer.block(format_args!("if ({name}_turn.differing)"), |writer| {
            writer.line("memset(&call, 0, sizeof call);");
            writer.line(format_args!("call.differing = {name}_turn.differing;"));
            writer.line(format_args!("return stencil_run(&{name}_nest, &call, &{name}_turn);"));
        });
    }
}

/// What the user calls what a parameter brings.
fn shown<'p>(plan: &'p NestToWrite<'_>, parameter: &'p str) -> &'p str {
    let (nest, names) = (plan.nest(), plan.names());
    let array = base_variables(nest).into_iter().find(|it| base_name(names, *it) == parameter);
    let scalar = nest.params.iter().find(|(handle, _)| names.param(*handle) == parameter);
    let scalar = scalar.and_then(|(_, param)| match param.value {
        ParamValue::Variable(variable) => Some(variable),
        _ => None,
    });
    array.or(scalar).map_or(parameter, |variable| nest.values.text(variable))
}
