//! Strategy `direct`: one work-item a point, one launch a sweep, no time tile.

use super::inputs::Arguments;
use super::{ArgumentKind, Condition, Index, Kernel, Role, Statement, Subject};
use crate::index::WorkItem;
use crate::tile::{CellBox, slot_at};

/// One kernel for each sweep, in the order of a time step.
pub fn direct_kernels(subject: &Subject<'_>, prefix: &str, work_group: [u32; 3]) -> Vec<Kernel> {
    let order = &subject.recurrences().order;
    order.iter().map(|sweep| direct_kernel(subject, &format!("{prefix}_sweep{sweep}"), *sweep, work_group)).collect()
}

fn direct_kernel(subject: &Subject<'_>, name: &str, sweep: usize, work_group: [u32; 3]) -> Kernel {
    let rank = subject.sweep_rank(sweep);
    let mut arguments = Arguments::default();
    let mut body = point_coordinates(subject, sweep, &mut arguments);
    let bounds = subject.domain(sweep, &mut arguments);
    let mut inside: Vec<Condition> =
        subject.cell(rank).into_iter().zip(&bounds).map(|(x, (_, hi))| Condition::less_equal(x, hi.clone())).collect();
    inside.extend(subject.membership(sweep));
    let compute = compute_in_place(subject, sweep, &mut arguments);
    body.push(Statement::If { condition: Condition::All(inside), body: vec![compute] });
    Kernel {
        name: name.to_string(),
        role: Role::Sweep(sweep),
        rank,
        work_group: folded(work_group, rank),
        reach: CellBox::cell(rank),
        arguments: arguments.finish(),
        local_arrays: Vec::new(),
        body,
    }
}

/// The work-group for an NDRange of `rank` dimensions: items of further ones join the fastest. The sweeps of a nest may
/// differ in rank, and share one choice.
fn folded(work_group: [u32; 3], rank: usize) -> [u32; 3] {
    let mut folded = work_group;
    for d in rank..3 {
        folded[0] *= folded[d];
        folded[d] = 1;
    }
    folded
}

/// The work-item's cell; of four dimensions the outer two share the third dimension of the NDRange.
fn point_coordinates(subject: &Subject<'_>, sweep: usize, arguments: &mut Arguments) -> Vec<Statement> {
    let rank = subject.sweep_rank(sweep);
    let bounds = subject.domain(sweep, arguments);
    let names = subject.analysis.names.cells(rank);
    let global = |dimension: usize| Index::WorkItem(WorkItem::Global, dimension);
    let mut body = Vec::new();
    for d in 0..rank {
        let (lo, _) = &bounds[d];
        let fastest_first = rank - 1 - d;
        let offset = if rank == 4 && d < 2 {
            let (lo1, hi1) = &bounds[1];
            let inner = hi1.clone().minus(lo1.clone()).plus(1);
            if d == 0 { global(2).divided_by(inner) } else { global(2).modulo(inner) }
        } else {
            global(fastest_first)
        };
        body.push(Statement::Int { name: names[d].clone(), value: lo.clone().sum(offset) });
    }
    body
}

fn compute_in_place(subject: &Subject<'_>, sweep: usize, arguments: &mut Arguments) -> Statement {
    let storage = &subject.recurrences().storage;
    let mut compute = subject.compute(sweep, Index::name("first_step"), arguments);
    let (field, choice) = storage.writes[sweep];
    let slot = slot_at(choice, 0, storage.fields[field].slots);
    for &read in &subject.recurrences().sweeps.sweeps[sweep].reads {
        subject.add_input(&mut compute, 0, read, Some((field, slot)), arguments);
    }
    let kind = ArgumentKind::InPlace { field, slot };
    let target = subject.global(kind, subject.cell(subject.sweep_rank(sweep)), arguments);
    compute.stores.push((target, None));
    Statement::Compute(compute)
}
