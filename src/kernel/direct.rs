//! Strategy `direct`: one work-item a point, one launch a sweep, no time tile.

use super::inputs::Arguments;
use super::{ArgumentKind, Condition, Index, Kernel, Statement, Subject};
use crate::tile::{Leaves, Region, slot_at};

/// One kernel for each sweep, in the order of a time step.
pub fn direct_kernels(subject: &Subject<'_>, prefix: &str, work_group: [u32; 3]) -> Vec<Kernel> {
    let order = &subject.recurrences.order;
    order.iter().map(|sweep| direct_kernel(subject, &format!("{prefix}_sweep{sweep}"), *sweep, work_group)).collect()
}

fn direct_kernel(subject: &Subject<'_>, name: &str, sweep: usize, work_group: [u32; 3]) -> Kernel {
    let rank = subject.sweep_rank(sweep);
    let mut arguments = Arguments::default();
    let mut body = point_coordinates(subject, sweep, &mut arguments);
    let bounds = subject.domain(sweep, &mut arguments);
    let mut inside: Vec<Condition> =
        subject.cell(rank).into_iter().zip(&bounds).map(|(x, (_, hi))| Condition::LessEqual(x, hi.clone())).collect();
    inside.extend(subject.membership(sweep).map(|text| Condition::Text(text.to_string())));
    let compute = compute_in_place(subject, sweep, &mut arguments);
    body.push(Statement::If { condition: Condition::All(inside), body: vec![compute] });
    Kernel {
        name: name.to_string(),
        levels: 0,
        leaves: Leaves::Inputs,
        sweep,
        rank,
        work_group: folded(work_group, rank),
        tile: Vec::new(),
        end_of_stream: 0,
        halves_last: false,
        least_chunk: 0,
        reach: Region::cell(rank),
        is_cut: Vec::new(),
        rim: Region::cell(rank),
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
    let global = |dimension: usize| Index::name(format!("(int)get_global_id({dimension})"));
    let mut body = Vec::new();
    for d in 0..rank {
        let (lo, _) = &bounds[d];
        let fastest_first = rank - 1 - d;
        let offset = if rank == 4 && d < 2 {
            let (lo1, hi1) = &bounds[1];
            let inner = Index::name(format!("({} - {} + 1)", text(hi1), text(lo1)));
            if d == 0 { global(2).divided_by(inner) } else { global(2).modulo(inner) }
        } else {
            global(fastest_first)
        };
        body.push(Statement::Int { name: names[d].clone(), value: lo.clone().sum(offset) });
    }
    body
}

fn text(index: &Index) -> &str {
    match index {
        Index::Name(name) => name,
        _ => unreachable!("bounds are arguments"),
    }
}

fn compute_in_place(subject: &Subject<'_>, sweep: usize, arguments: &mut Arguments) -> Statement {
    let storage = &subject.recurrences.storage;
    let mut compute = subject.compute(sweep, "first_step".to_string());
    subject.declare_needs(sweep, arguments);
    let (field, ring) = storage.writes[sweep];
    let written = (field, slot_at(ring, 0, storage.fields[field].slots));
    for &read in &subject.recurrences.sweeps.sweeps[sweep].reads {
        let place = &storage.reads[&(sweep, read)];
        let slot = slot_at(place.slot, 0, storage.fields[place.field].slots);
        let kind = if (place.field, slot) == written {
            ArgumentKind::InPlace { field, slot }
        } else {
            ArgumentKind::Input { field: place.field, slot }
        };
        let cell = subject.touched(sweep, read);
        subject.add_read(&mut compute, read, kind, cell, arguments);
    }
    let kind = ArgumentKind::InPlace { field: written.0, slot: written.1 };
    let target = subject.global(kind, subject.cell(subject.sweep_rank(sweep)), arguments);
    compute.stores.push((target, None));
    Statement::Compute(compute)
}
