//! Damage that may put a dependence into a sweep; the tracer says whether it did.

use std::collections::BTreeSet;

use super::draw::Random;
use super::model::{Item, Program, Reference, Slot, Sweep};

/// A kind of damage; a new disguise joins by an entry.
pub struct Mutation {
    pub name: &'static str,
    damage: fn(&mut Program, &mut Random),
}

pub const MUTATIONS: &[Mutation] = &[
    Mutation { name: "reads what it writes", damage: read_the_target },
    Mutation { name: "reads another field", damage: read_another_field },
    Mutation { name: "reads further away", damage: read_further },
    Mutation { name: "sweep left out", damage: drop_item },
    Mutation { name: "sweeps exchanged", damage: exchange_items },
    Mutation { name: "sweeps merged", damage: merge_sweeps },
    Mutation { name: "copy covers a part", damage: shrink_loop },
    Mutation { name: "exchange of pointers elsewhere", damage: move_rotation },
    Mutation { name: "another slot", damage: change_slot },
    Mutation { name: "one element for all points", damage: write_one_element },
];

/// Damages `program` in one or two ways.
pub fn mutate(program: &mut Program, random: &mut Random) {
    for _ in 0..random.within(1, 2) {
        let mutation = &MUTATIONS[random.within(0, MUTATIONS.len() as i64 - 1) as usize];
        (mutation.damage)(program, random);
        program.features.push(mutation.name);
    }
    program.drop_unused();
}

/// A number below `count`, if there is one.
fn below(random: &mut Random, count: usize) -> Option<usize> {
    (count > 0).then(|| random.within(0, count as i64 - 1) as usize)
}

/// Changes one of the elements that some statement reads.
fn change_read(program: &mut Program, random: &mut Random, change: impl Fn(&mut Reference, &mut Random, usize)) {
    let fields = program.fields.clone();
    let mut sweeps: Vec<_> = program
        .items
        .iter_mut()
        .filter_map(|item| if let Item::Sweep(sweep) = item { Some(sweep) } else { None })
        .collect();
    let Some(sweep) = below(random, sweeps.len()) else { return };
    let Some(statement) = below(random, sweeps[sweep].statements.len()) else { return };
    let statement = &mut sweeps[sweep].statements[statement];
    let target = statement.target.field;
    let count = statement.value.reads().len();
    let Some(chosen) = below(random, count) else { return };
    let mut number = 0;
    statement.value.change_references(&mut |reference| {
        // Fields of other shapes have other subscripts.
        if number == chosen && fields[reference.field].dims.len() == fields[target].dims.len() {
            let before = reference.clone();
            change(reference, random, target);
            let (old, new) = (&fields[before.field], &fields[reference.field]);
            // Some operators take integers only.
            if new.element.is_real() != old.element.is_real() || new.dims.len() != reference.subscripts.len() {
                *reference = before;
            }
        }
        number += 1;
    });
}

fn read_the_target(program: &mut Program, random: &mut Random) {
    change_read(program, random, |reference, _, target| reference.field = target);
}

fn read_another_field(program: &mut Program, random: &mut Random) {
    let count = program.fields.len();
    change_read(program, random, |reference, random, _| {
        reference.field = below(random, count).unwrap_or(reference.field);
    });
}

fn read_further(program: &mut Program, random: &mut Random) {
    change_read(program, random, |reference, random, _| {
        let axis = random.within(0, reference.subscripts.len() as i64 - 1) as usize;
        reference.subscripts[axis].offset += random.within(-2, 2);
    });
}

fn drop_item(program: &mut Program, random: &mut Random) {
    if program.items.len() > 1
        && let Some(item) = below(random, program.items.len())
    {
        program.items.remove(item);
    }
}

fn exchange_items(program: &mut Program, random: &mut Random) {
    if let (Some(a), Some(b)) = (below(random, program.items.len()), below(random, program.items.len())) {
        program.items.swap(a, b);
    }
}

/// Puts the statements of a sweep into the loops of the one before it, if that has a loop over each axis that they name.
fn merge_sweeps(program: &mut Program, random: &mut Random) {
    let Some(second) = below(random, program.items.len()) else { return };
    if second == 0 {
        return;
    }
    if let (Item::Sweep(first), Item::Sweep(other)) = (program.items[second - 1].clone(), program.items[second].clone())
        && axes_of(&first) == axes_of(&other)
        && first.step_guard == other.step_guard
    {
        let mut merged = first;
        merged.statements.extend(other.statements);
        program.items.splice(second - 1..=second, [Item::Sweep(merged)]);
    }
}

fn axes_of(sweep: &Sweep) -> BTreeSet<usize> {
    sweep.loops.iter().map(|it| it.axis).collect()
}

fn shrink_loop(program: &mut Program, random: &mut Random) {
    let Some(item) = below(random, program.items.len()) else { return };
    let Item::Sweep(sweep) = &mut program.items[item] else { return };
    if let Some(space_loop) = below(random, sweep.loops.len()) {
        sweep.loops[space_loop].low.offset += random.within(0, 2);
        sweep.loops[space_loop].high.offset -= random.within(0, 2);
        sweep.loops[space_loop].is_descending ^= program.setting.index.is_signed();
    }
}

fn move_rotation(program: &mut Program, random: &mut Random) {
    let Some(from) = program.items.iter().position(|item| matches!(item, Item::Rotate(_))) else { return };
    let item = program.items.remove(from);
    let to = random.within(0, program.items.len() as i64) as usize;
    program.items.insert(to, item);
}

fn change_slot(program: &mut Program, random: &mut Random) {
    let slots: Vec<i64> = program.fields.iter().map(|field| field.slots as i64).collect();
    change_read(program, random, |reference, random, _| {
        if slots[reference.field] > 1 {
            reference.slot = Slot::Step(random.within(0, slots[reference.field] - 1));
        }
    });
}

/// `a[i][0] = ...` in loops over `i` and `j`.
fn write_one_element(program: &mut Program, random: &mut Random) {
    let Some(item) = below(random, program.items.len()) else { return };
    let Item::Sweep(sweep) = &mut program.items[item] else { return };
    let Some(statement) = below(random, sweep.statements.len()) else { return };
    let subscripts = &mut sweep.statements[statement].target.subscripts;
    if let Some(axis) = below(random, subscripts.len()) {
        subscripts[axis].scale = 0;
        subscripts[axis].offset = 0;
    }
}
