//! Ways to keep the old and the new step, each an entry of one table.

use super::super::model::Expr;
use super::super::model::{Form, Item, Loop, Reference, Slot, Statement, Sweep};
use super::super::ways::{Routine, Way};
use super::Draft;

/// A storage idiom: it adds its fields and its part of a step.
#[derive(Clone, Copy)]
pub struct Idiom {
    pub name: &'static str,
    pub add: fn(&mut Draft),
}

/// All idioms.
pub const IDIOMS: &[Idiom] = &[
    Idiom { name: "copy back", add: copy_back },
    Idiom { name: "copy back with memcpy", add: copy_back_with_memcpy },
    Idiom { name: "copy first", add: copy_first },
    Idiom { name: "half sweeps", add: half_sweeps },
    Idiom { name: "there and back", add: there_and_back },
    Idiom { name: "swap", add: swap },
    Idiom { name: "swap first", add: swap_first },
    Idiom { name: "rotation of three", add: rotation_of_three },
    Idiom { name: "two slots", add: two_slots },
    Idiom { name: "three slots", add: three_slots },
    Idiom { name: "two buffers of one array", add: two_buffers_of_one_array },
    Idiom { name: "two time levels", add: two_time_levels },
    Idiom { name: "in place", add: in_place },
    Idiom { name: "fields in turn", add: fields_in_turn },
    Idiom { name: "chain", add: chain },
    Idiom { name: "coupled fields", add: coupled_fields },
    Idiom { name: "red and black", add: red_and_black },
    Idiom { name: "history", add: super::histories::history },
    Idiom { name: "walls", add: super::walls::walls },
    Idiom { name: "going round", add: super::walls::going_round },
    Idiom { name: "single sweep", add: single_sweep },
];

impl Draft<'_> {
    /// A field of the program's type whose pointer may change places with its twin's.
    pub fn add_pointer_pair(&mut self) -> (usize, usize) {
        let element = self.draw_field_element();
        let first = self.add_field(element);
        self.program.fields[first].form = self.random.pick(&[Form::Flat, Form::Flat, Form::GlobalFlat, Form::Rows]);
        (first, self.add_twin(first))
    }

    fn add_pair(&mut self) -> (usize, usize) {
        let element = self.draw_field_element();
        let first = self.add_field(element);
        (first, self.add_twin(first))
    }

    /// Reads of neighbours in `source`, and now and then one of another field.
    fn reads(&mut self, source: usize) -> Vec<Reference> {
        let count = self.random.within(1, 6);
        let mut reads: Vec<Reference> = (0..count).map(|_| self.neighbour(source)).collect();
        if self.random.chance(20) {
            let other = self.random.within(0, self.program.fields.len() as i64 - 1) as usize;
            let is_coefficient = self.coefficients.contains(&other);
            let read = if is_coefficient { self.coefficient(other) } else { self.neighbour(other) };
            reads.push(read);
        }
        reads
    }

    /// `target = f(source)` at all points of `loops`.
    fn update_over(&mut self, loops: Vec<Loop>, target: usize, source: usize) -> Item {
        let reads = self.reads(source);
        let element = self.here(target);
        let statement = self.statement(element, reads);
        Item::Sweep(Sweep::new(loops, vec![statement]))
    }

    fn update(&mut self, target: usize, source: usize) {
        let loops = self.interior();
        let item = self.update_over(loops, target, source);
        self.push_item(item);
    }

    pub fn copy(&mut self, loops: Vec<Loop>, to: usize, from: usize) {
        let (target, read) = (self.here(to), self.here(from));
        let statements = vec![Statement::set(target, Expr::Read(read))];
        self.push_item(Item::Sweep(Sweep::new(loops, statements)));
    }
}

fn copy_back(draft: &mut Draft) {
    let (a, b) = draft.add_pair();
    draft.update(b, a);
    let loops = if draft.random.chance(30) { draft.everywhere() } else { draft.interior() };
    draft.copy(loops, a, b);
}

fn copy_back_with_memcpy(draft: &mut Draft) {
    let (a, b) = draft.add_pair();
    draft.update(b, a);
    draft.push_item(Item::Copy { to: a, from: b });
}

fn copy_first(draft: &mut Draft) {
    let (a, old) = draft.add_pair();
    if draft.random.chance(40) {
        draft.push_item(Item::Copy { to: old, from: a });
    } else {
        let loops = draft.everywhere();
        draft.copy(loops, old, a);
    }
    draft.update(a, old);
}

fn half_sweeps(draft: &mut Draft) {
    let (u, v) = draft.add_pair();
    draft.update(v, u);
    draft.update(u, v);
}

/// One function, called with the fields in both orders.
fn there_and_back(draft: &mut Draft) {
    let element = draft.draw_field_element();
    let u = draft.add_field(element);
    let twin = draft.program.fields[u].clone();
    draft.program.fields.push(twin);
    let v = draft.program.fields.len() - 1;
    let loops = draft.interior();
    let Item::Sweep(mut there) = draft.update_over(loops, v, u) else { return };
    there.routine = Some(Routine { passes_fields: true, ..draft.draw_routine() });
    let mut back = Item::Sweep(there.clone());
    back.change_references(&mut |reference| match reference.field {
        field if field == u => reference.field = v,
        field if field == v => reference.field = u,
        _ => {}
    });
    draft.push_item(Item::Sweep(there));
    draft.push_item(back);
}

fn swap(draft: &mut Draft) {
    let (a, b) = draft.add_pointer_pair();
    draft.update(b, a);
    draft.push_item(Item::Rotate(vec![a, b]));
}

fn swap_first(draft: &mut Draft) {
    let (a, b) = draft.add_pointer_pair();
    draft.push_item(Item::Rotate(vec![a, b]));
    draft.update(b, a);
}

fn rotation_of_three(draft: &mut Draft) {
    let (old, now) = draft.add_pointer_pair();
    let next = draft.add_twin(now);
    let mut reads = draft.reads(now);
    reads.push(draft.neighbour(old));
    let target = draft.here(next);
    let statement = draft.statement(target, reads);
    let loops = draft.interior();
    draft.push_item(Item::Sweep(Sweep::new(loops, vec![statement])));
    draft.push_item(Item::Rotate(vec![old, now, next]));
}

/// Copies of a field one behind the other, selected by the step.
fn slots(draft: &mut Draft, count: usize) {
    let element = draft.draw_field_element();
    let field = draft.add_field(element);
    draft.program.fields[field].slots = count;
    let mut reads = Vec::new();
    for _ in 0..draft.random.within(1, 6) {
        let mut read = draft.neighbour(field);
        let back = draft.random.within(0, count as i64 - 2);
        read.slot = Slot::Step((count as i64 - back) % count as i64);
        reads.push(read);
    }
    let mut target = draft.here(field);
    target.slot = Slot::Step(1);
    let statement = draft.statement(target, reads);
    let loops = draft.interior();
    draft.push_item(Item::Sweep(Sweep::new(loops, vec![statement])));
}

fn two_slots(draft: &mut Draft) {
    slots(draft, 2);
}

fn three_slots(draft: &mut Draft) {
    slots(draft, 3);
}

fn two_buffers_of_one_array(draft: &mut Draft) {
    let element = draft.draw_field_element();
    let field = draft.add_field(element);
    draft.program.fields[field].slots = 2;
    for (to, from) in [(1, 0), (0, 1)] {
        let mut reads: Vec<Reference> = (0..draft.random.within(1, 4)).map(|_| draft.neighbour(field)).collect();
        reads.iter_mut().for_each(|read| read.slot = Slot::Fixed(from));
        let mut target = draft.here(field);
        target.slot = Slot::Fixed(to);
        let statement = draft.statement(target, reads);
        let loops = draft.interior();
        draft.push_item(Item::Sweep(Sweep::new(loops, vec![statement])));
    }
}

fn two_time_levels(draft: &mut Draft) {
    let (p, q) = draft.add_pointer_pair();
    let mut reads = draft.reads(p);
    reads.push(draft.here(q));
    let target = draft.here(q);
    let statement = draft.statement(target, reads);
    let loops = draft.interior();
    draft.push_item(Item::Sweep(Sweep::new(loops, vec![statement])));
    draft.push_item(Item::Rotate(vec![p, q]));
}

/// A field read and written by one sweep; which neighbours are still old depends on the loops.
fn in_place(draft: &mut Draft) {
    let element = draft.draw_field_element();
    let a = draft.add_field(element);
    draft.update(a, a);
}

/// Each field is updated from the others' present values, as in FDTD.
fn fields_in_turn(draft: &mut Draft) {
    let count = draft.random.within(2, 4) as usize;
    let fields: Vec<usize> = (0..count)
        .map(|_| {
            let element = draft.draw_field_element();
            draft.add_field(element)
        })
        .collect();
    for (index, target) in fields.iter().enumerate() {
        let source = fields[(index + 1) % count];
        let mut reads = draft.reads(source);
        reads.push(draft.here(*target));
        let element = draft.here(*target);
        let statement = draft.statement(element, reads);
        let loops = draft.interior();
        draft.push_item(Item::Sweep(Sweep::new(loops, vec![statement])));
    }
}

/// Sweeps that hand a value on through several fields, back to the first.
fn chain(draft: &mut Draft) {
    let (a, b) = draft.add_pair();
    let element = draft.draw_field_element();
    let c = draft.add_field(element);
    draft.update(b, a);
    draft.update(c, b);
    draft.update(a, c);
}

/// Two fields in one sweep, and their copies in another.
fn coupled_fields(draft: &mut Draft) {
    let ((u, un), (v, vn)) = (draft.add_pair(), draft.add_pair());
    let mut statements = Vec::new();
    for (target, own, other) in [(un, u, v), (vn, v, u)] {
        let mut reads = draft.reads(own);
        reads.push(draft.neighbour(other));
        let element = draft.here(target);
        statements.push(draft.statement(element, reads));
    }
    let loops = draft.interior();
    draft.push_item(Item::Sweep(Sweep::new(loops, statements)));
    let loops = draft.interior();
    let mut statements = Vec::new();
    for (to, from) in [(u, un), (v, vn)] {
        let (target, read) = (draft.here(to), draft.here(from));
        statements.push(Statement::set(target, Expr::Read(read)));
    }
    draft.push_item(Item::Sweep(Sweep::new(loops, statements)));
}

/// First the even, then the odd points of a field, in place.
fn red_and_black(draft: &mut Draft) {
    use super::super::model::Condition;
    let element = draft.draw_field_element();
    let a = draft.add_field(element);
    for remainder in 0..2 {
        let loops = draft.interior();
        let mut item = draft.update_over(loops, a, a);
        if let Item::Sweep(sweep) = &mut item {
            let axes = (0..draft.program.rank).collect();
            sweep.statements[0].guard = Some(Condition::Parity { axes, remainder });
            sweep.statements[0].otherwise = None;
            sweep.statements[0].way = Way::Direct;
        }
        draft.push_item(item);
    }
}

/// The output is never read.
fn single_sweep(draft: &mut Draft) {
    let (a, b) = draft.add_pair();
    draft.update(b, a);
}
