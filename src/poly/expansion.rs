//! Arrays that the iterations of a loop over space share: on the device each has elements of its own.
//!
//! In `for (i..) { for (j..) flux[j] = f(u, i, j); for (j..) u[i][j] += flux[j] - flux[j - 1]; }` all iterations of the loop over `i`
//! store in `flux`, and each reads what it has stored itself. With `own[i][j]`, an array of the driver's, in the place of `flux[j]`
//! they are apart, and `flux[j] = own[last][j]` behind the loop stores what the last one leaves. That an iteration reads nothing
//! but its own is what [`Dataflow::check_grids`](super::Dataflow::check_grids) finds.

use std::collections::BTreeSet;

use super::driver_arrays::{add_array, spread_positions};
use crate::ir::{Access, Array, BinaryOp, Expr, ExprKind, Handle, Loop, MAX_RANK, Nest, ScalarType, Statement};
use crate::source::Span;

/// What iterations share.
struct Shared {
    array: Handle<Array>,
    /// The loops by which no element is chosen that is stored, outermost first.
    loops: Vec<Handle<Loop>>,
    /// The accesses of the array in these loops that the statements need.
    accesses: BTreeSet<Handle<Access>>,
    /// The statements that store there.
    statements: Vec<usize>,
}

/// The nest with elements for each iteration of loops that share some; `None` if there are none of which that is known to be right.
pub fn expanded(nest: &Nest) -> Option<Nest> {
    let all = shared(nest);
    if all.is_empty() {
        return None;
    }
    let mut nest = nest.clone();
    let stores: usize = all.iter().map(|shared| shared.statements.len()).sum();
    spread_positions(&mut nest, 2 * stores as u32 + 2);
    let mut waiting = Vec::new();
    for shared in &all {
        expand(&mut nest, shared, &mut waiting);
    }
    store_behind(&mut nest, waiting);
    Some(nest)
}

/// What the iterations of loops share in a nest.
fn shared(nest: &Nest) -> Vec<Shared> {
    let mut found: Vec<Shared> = Vec::new();
    let needed = needed(nest);
    for statement in &nest.step.statements {
        let write = &nest.accesses[statement.write];
        let loops: Vec<_> = nest.clock.space(&write.loops).filter(|this| !nest.moves_with(write, *this)).collect();
        let is_known = |it: &Shared| it.array == write.array && it.loops.first() == loops.first();
        if !loops.is_empty() && !found.iter().any(is_known) {
            found.extend(shared_in(nest, &needed, write.array, loops));
        }
    }
    found
}

/// The accesses that the statements need.
fn needed(nest: &Nest) -> BTreeSet<Handle<Access>> {
    let statements = || nest.step.statements.iter();
    let writes = statements().map(|it| it.write);
    let roots = statements().flat_map(|it| {
        let write = &nest.accesses[it.write];
        write.subscripts.iter().chain(&write.guards).copied().chain([it.value])
    });
    let reads = nest.reachable(roots).into_iter().filter_map(|part| match nest.exprs[part].kind {
        ExprKind::Read(read) => Some(read),
        _ => None,
    });
    reads.chain(writes).collect()
}

/// What the iterations of `loops` share of an array.
fn shared_in(
    nest: &Nest,
    needed: &BTreeSet<Handle<Access>>,
    array: Handle<Array>,
    loops: Vec<Handle<Loop>>,
) -> Option<Shared> {
    let Array { buffers, history, strides, .. } = &nest.arrays[array];
    if buffers.len() > 1 || history.is_some() || nest.is_scalar(array) || strides.len() + loops.len() > MAX_RANK {
        return None;
    }
    let outermost = loops[0];
    let replaced: BTreeSet<_> = nest.step.statements.iter().map(|it| it.first).collect();
    let within = nest.accesses.iter().filter(|(_, it)| it.array == array && it.loops.contains(&outermost));
    let accesses: BTreeSet<_> =
        within.map(|(access, _)| access).filter(|it| needed.contains(it) || !replaced.contains(it)).collect();
    let all = nest.step.statements.iter().enumerate();
    let statements: Vec<usize> = all.filter(|(_, it)| accesses.contains(&it.write)).map(|(index, _)| index).collect();
    let is_of_all = |access: &Handle<Access>| {
        let access = &nest.accesses[*access];
        access.buffer.is_none() && loops.iter().all(|this| access.loops.contains(this))
    };
    let is_alike = |index: &usize| {
        let write = &nest.accesses[nest.step.statements[*index].write];
        let inner = write.loops.iter().filter(|this| **this != outermost && !nest.clock.counts(**this));
        let bounds = inner.flat_map(|this| [nest.loops[*this].first, nest.loops[*this].bound]);
        let places = bounds.chain(write.guards.iter().chain(&write.steps).chain(&write.subscripts).copied());
        !mentions_one_of(nest, places, &loops)
    };
    let is_right = accesses.len() > statements.len()
        && accesses.is_subset(needed)
        && accesses.iter().all(is_of_all)
        && statements.iter().all(is_alike)
        && loops.iter().all(|this| last(nest, *this).is_some())
        && !mentions_one_of(nest, [nest.loops[outermost].first, nest.loops[outermost].bound], &loops);
    is_right.then_some(Shared { array, loops, accesses, statements })
}

/// Whether expressions are made of the variable of one of these loops.
fn mentions_one_of(nest: &Nest, roots: impl IntoIterator<Item = Handle<Expr>>, loops: &[Handle<Loop>]) -> bool {
    nest.reachable(roots).into_iter().any(|part| match nest.exprs[part].kind {
        ExprKind::Index(this) | ExprKind::Iteration(this) => loops.contains(&this),
        _ => false,
    })
}

/// What the variable of a loop is compared with in its last iteration: the bound, and what is added to that.
fn last(nest: &Nest, this: Handle<Loop>) -> Option<(Handle<Expr>, i64)> {
    let Loop { relation, bound, step, .. } = nest.loops[this];
    match (relation, step) {
        (BinaryOp::Less, 1) => Some((bound, -1)),
        (BinaryOp::LessEqual, 1) | (BinaryOp::GreaterEqual, -1) => Some((bound, 0)),
        (BinaryOp::Greater, -1) => Some((bound, 1)),
        _ => None,
    }
}

/// Gives iterations elements of their own; what the last one leaves is `waiting` to be stored.
fn expand(nest: &mut Nest, shared: &Shared, waiting: &mut Vec<(Handle<Loop>, Statement)>) {
    let own = add_array(nest, "own", shared.array, shared.loops.len());
    for index in &shared.statements {
        let statement = nest.step.statements[*index].clone();
        let given = nest.accesses[statement.write].clone();
        let stored = nest.accesses.push(given.clone(), statement.span);
        let behind = behind(nest, shared, (given, own), 2 * waiting.len() as u32 + 1, statement.span);
        let copied = nest.exprs.push(behind.1, statement.span);
        nest.accesses[statement.write] = behind.0;
        waiting.push((shared.loops[0], Statement { value: copied, ..statement.clone() }));
        nest.step.statements[*index] = Statement { write: stored, first: stored, ..statement };
        give_own(nest, stored, shared, own);
    }
    let stores: BTreeSet<_> = waiting.iter().map(|(_, statement)| statement.write).collect();
    for access in shared.accesses.iter().filter(|it| !stores.contains(it)) {
        give_own(nest, *access, shared, own);
    }
}

/// Makes an access one of the iteration's own element.
fn give_own(nest: &mut Nest, access: Handle<Access>, shared: &Shared, own: Handle<Array>) {
    let span = nest.accesses.span(access);
    let places: Vec<_> = shared.loops.iter().map(|this| place(nest, *this, span)).collect();
    let subscripts = places.into_iter().chain(nest.accesses[access].subscripts.iter().copied()).collect();
    // The driver's array has all elements, also where it depends on data whether the program uses those that they are for.
    nest.accesses[access] = Access { array: own, subscripts, is_speculative: false, ..nest.accesses[access].clone() };
}

/// The variable of a loop, as a subscript.
fn place(nest: &mut Nest, this: Handle<Loop>, span: Span) -> Handle<Expr> {
    let index = nest.exprs.push(Expr { ty: nest.loops[this].ty, kind: ExprKind::Index(this) }, span);
    widened(nest, index, span)
}

fn widened(nest: &mut Nest, expr: Handle<Expr>, span: Span) -> Handle<Expr> {
    match nest.exprs[expr].ty {
        ScalarType::I64 => expr,
        _ => nest.exprs.push(Expr { ty: ScalarType::I64, kind: ExprKind::Convert(expr) }, span),
    }
}

/// The store of what the last iteration leaves, the `number`th behind the loops, and its value.
fn behind(
    nest: &mut Nest,
    shared: &Shared,
    (given, own): (Access, Handle<Array>),
    number: u32,
    span: Span,
) -> (Access, Expr) {
    let mut write = given;
    let mut subscripts = Vec::new();
    for this in &shared.loops {
        let (bound, more) = last(nest, *this).expect("seen before");
        let bound = widened(nest, bound, span);
        let more = nest.exprs.push(Expr { ty: ScalarType::I64, kind: ExprKind::Int(more) }, span);
        let sum = ExprKind::Binary(BinaryOp::Add, bound, more);
        let last = nest.exprs.push(Expr { ty: ScalarType::I64, kind: sum }, span);
        let first = widened(nest, nest.loops[*this].first, span);
        let relation = if nest.loops[*this].step > 0 { BinaryOp::LessEqual } else { BinaryOp::GreaterEqual };
        let runs = ExprKind::Binary(relation, first, last);
        write.guards.push(nest.exprs.push(Expr { ty: ScalarType::I32, kind: runs }, span));
        subscripts.push(last);
    }
    subscripts.extend(&write.subscripts);
    leave_loops(&mut write, &shared.loops, number);
    let read = Access { array: own, subscripts, is_speculative: false, ..write.clone() };
    *write.position.last_mut().expect("every access has a position") += 1;
    let ty = nest.arrays[own].element;
    let read = nest.accesses.push(read, span);
    (write, Expr { ty, kind: ExprKind::Read(read) })
}

/// Puts an access behind the outermost of these loops, so many places later, and out of the others.
fn leave_loops(access: &mut Access, loops: &[Handle<Loop>], number: u32) {
    let outermost = access.loops.iter().position(|it| *it == loops[0]).expect("it is in all of them");
    let mut position = access.position[..=outermost].to_vec();
    position[outermost] += number;
    let inner = (outermost + 1..access.loops.len()).filter(|at| !loops.contains(&access.loops[*at]));
    // The first loop that stays stands where the outermost one did, and what it has in it where the last loop did.
    let places: Vec<u32> = inner.map(|at| access.position[at]).collect();
    position.extend(places.iter().skip(1));
    let innermost = *access.position.last().expect("every access has a position");
    position.extend((!places.is_empty()).then_some(innermost));
    access.position = position;
    access.loops.retain(|it| !loops.contains(it));
}

/// Puts statements behind the last one of the loop that they wait for.
fn store_behind(nest: &mut Nest, waiting: Vec<(Handle<Loop>, Statement)>) {
    let is_in = |it: &Statement, this| nest.accesses[it.write].loops.contains(&this);
    let statements = &nest.step.statements;
    let place = |this| statements.iter().rposition(|it| is_in(it, this)).expect("it is of a statement in the loop");
    let mut behind: Vec<_> = waiting.into_iter().map(|(this, it)| (place(this), it)).collect();
    // The last ones come first, so that places stay.
    behind.sort_by_key(|(place, _)| std::cmp::Reverse(*place));
    for (place, statement) in behind {
        nest.step.statements.insert(place + 1, statement);
    }
}

#[cfg(test)]
mod tests {
    use crate::poly::{Analysis, Effort, Names};
    use crate::testing::nest_of;

    fn rows(text: &str) -> String {
        format!(
            "double u[90][70], r[99];\nvoid f(int n, int m, int steps) {{\n#pragma stencil\n\
             for (int t = 0; t < steps; t++) {{ {text} }}\n}}\n"
        )
    }

    fn is_refused(text: &str) -> bool {
        let nest = nest_of(text);
        let nest = super::expanded(&nest).unwrap_or(nest);
        let names = Names::new(&nest);
        Analysis::new(&nest, &names, Effort::Whole).is_err()
    }

    #[test]
    fn iterations_that_read_what_they_store_get_rows_of_their_own() {
        let store = "for (int j = 0; j < m; j++) r[j] = 0.5 * u[i][j];";
        let load = "for (int j = 1; j < m; j++) u[i][j] += r[j - 1];";
        let around = |head: &str, body: &str| rows(&format!("for ({head}) {{ {body} }}"));
        for head in ["int i = 0; i < n; i++", "int i = n - 1; i >= 0; i--", "unsigned i = 2; i <= (unsigned)n; i++"] {
            assert!(!is_refused(&around(head, &format!("{store} {load}"))), "{head}");
        }
        let up = "int i = 0; i < n; i++";
        let before = format!("{load} {store}");
        let less = format!("{} {load}", store.replace("j = 0", "j = 1"));
        let triangle = format!("{store} {load}").replace("j < m", "j < i");
        let some = format!("{store} {load}").replace("for (int j = 0", "if (i > 2) for (int j = 0");
        for body in [before, less, triangle, some] {
            assert!(is_refused(&around(up, &body)), "{body}");
        }
        assert!(is_refused(&around("int i = 0; i < n; i += 2", &format!("{store} {load}"))));
    }

    #[test]
    fn what_the_last_iteration_leaves_stands_behind_the_loops() {
        let text = rows(
            "for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) r[j] = 0.5 * u[i][j];
             for (int j = 1; j < m; j++) u[i][j] += r[j - 1]; }",
        );
        let expanded = super::expanded(&nest_of(&text)).expect("a row is shared");
        let writes: Vec<_> = expanded.step.statements.iter().map(|it| &expanded.accesses[it.write]).collect();
        let names: Vec<_> = writes.iter().map(|it| expanded.arrays[it.array].name.as_str()).collect();
        assert_eq!(names, ["own_0", "u", "r"]);
        assert!(writes.iter().all(|it| it.position.len() == it.loops.len() + 1));
        assert!(writes[2].position > writes[1].position && writes[2].loops.len() + 1 == writes[0].loops.len());
    }
}
