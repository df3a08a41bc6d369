//! Index arrays are compared with the rules that the kernels go by.

use super::expr::write_expr;
use super::host::{iterations, write_math};
use super::left::LeftScope;
use super::nest::NestToWrite;
use super::ranges::write_refused_call;
use crate::ir::{ExprKind, Handle, IndexArray, Loop, Nest};
use crate::text::{Writer, quote};

/// Reads all elements of index arrays that the nest reads; leaves the host function if one is another than its rule says.
pub fn write_index_arrays(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let nest = plan.nest();
    if nest.index_arrays.is_empty() {
        return;
    }
    for index in &nest.index_arrays {
        write_comparison(writer, plan, index, &nest.accesses[index.read].loops);
    }
    writer.line("if (call.index_array)");
    write_refused_call(writer, plan);
}

/// The loops around a read that its element depends on, and whether the others have an iteration.
fn write_comparison(writer: &mut Writer, plan: &NestToWrite<'_>, index: &IndexArray, loops: &[Handle<Loop>]) {
    let nest = plan.nest();
    let Some((this, inner)) = loops.split_first() else {
        let (scope, access) = (LeftScope::new(plan), &nest.accesses[index.read]);
        let (element, rule) = (scope.element(index.read), write_expr(nest, &scope, index.rule));
        writer.line(format_args!("if ({element} != ({rule}))"));
        writer.line(format_args!("    call.index_array = {};", quote(&nest.arrays[access.array].name)));
        return;
    };
    let Loop { first, step, .. } = &nest.loops[*this];
    let first = write_math(nest, plan.names(), *first, "scalars.");
    let count = iterations(nest, plan.names(), *this, "scalars.");
    let head = if is_needed(nest, index, *this, inner) {
        let name = plan.names().loop_variable(*this);
        format!(
            "for (long long {name} = {first}, rest_{name} = {count}; rest_{name} > 0; {name} += {step}, rest_{name}--)"
        )
    } else {
        format!("if ({count} > 0)")
    };
    writer.block(head, |writer| write_comparison(writer, plan, index, inner));
}

/// Whether the element, its rule or the header of an inner loop has the index of a loop.
fn is_needed(nest: &Nest, index: &IndexArray, this: Handle<Loop>, inner: &[Handle<Loop>]) -> bool {
    let headers = inner.iter().flat_map(|inner| [nest.loops[*inner].first, nest.loops[*inner].bound]);
    let roots = nest.accesses[index.read].subscripts.iter().copied().chain([index.rule]).chain(headers);
    nest.reachable(roots).into_iter().any(|part| matches!(nest.exprs[part].kind, ExprKind::Index(it) if it == this))
}
