//! What the nest does to memory.

use super::conditions::front;
use super::headers::{Header, wrap};
use super::values::compound;
use super::{Axis, Draft, Field, Form, rows};
use crate::random::dialect::model::{Expr, For, Place, Shape, Start, Stmt, Unary, Variable};
use crate::random::dialect::types::{DOUBLE, INT, Integer, Named, Operator, Type};

/// Storage shapes; a new one joins by an entry.
const SHAPES: &[Form<For>] = &[
    Form { name: "shape: copy", weight: 22, draw: copy },
    Form { name: "shape: in place", weight: 8, draw: in_place },
    Form { name: "shape: in place, stepped", weight: 6, draw: in_place_stepped },
    Form { name: "shape: two sweeps", weight: 12, draw: two_sweeps },
    Form { name: "shape: border that some steps read", weight: 9, draw: border_of_some_steps },
    Form { name: "shape: copy back", weight: 9, draw: copy_back },
    Form { name: "shape: ping-pong", weight: 12, draw: ping_pong },
    Form { name: "shape: scalars set by the nest", weight: 10, draw: scalars },
    Form { name: "shape: unrolled loop", weight: 10, draw: unrolled },
    Form { name: "shape: slots by step", weight: 5, draw: slots },
    Form { name: "shape: rows of another length", weight: 4, draw: rows::before_the_nest },
    Form { name: "shape: rows of another length within the nest", weight: 5, draw: rows::within_the_nest },
    Form { name: "shape: scalar under a pointer", weight: 4, draw: aliased },
    Form { name: "shape: one array under two names", weight: 8, draw: one_array },
    Form { name: "shape: source that may be null", weight: 8, draw: source_or_null },
];

pub fn draw_nest(draft: &mut Draft) -> For {
    draft.choose(SHAPES)
}

impl Draft<'_> {
    /// Loops over space around what `body` draws; loop variables of earlier loops are out of scope.
    fn sweep(&mut self, body: impl FnOnce(&mut Self) -> Vec<Stmt>) -> For {
        let mut headers: Vec<Header> = Vec::new();
        self.axes.clear();
        for axis in 0..self.rank {
            let low = self.random.pick(&[2, 2, 2, 1, 0, -1]);
            let shift = (2 - low).max(0);
            let high = self.sizes[axis] - 2 - shift - self.random.within(0, 2);
            let stem = self.random.pick(&[["i", "x"], ["j", "y"], ["k", "z"]][axis]);
            let (variable, header) = self.header(stem, low, high);
            headers.push(header);
            self.axes.push(Axis { variable, low, high });
        }
        let mut body = body(self);
        for header in headers.split_off(1).into_iter().rev() {
            body = vec![Stmt::For(Box::new(wrap(header, body)))];
        }
        wrap(headers.remove(0), body)
    }

    /// A time loop around what `body` draws.
    fn stepped(&mut self, body: impl FnOnce(&mut Self) -> Vec<Stmt>) -> For {
        let steps = self.random.pick(&[1, 2, 3, 3, 4, 5]);
        let first = self.random.pick(&[0, 0, 0, 1, -1]);
        let (variable, header) = self.header("t", first, first + steps);
        self.time = Some(variable);
        let body = body(self);
        wrap(header, body)
    }

    /// `target = value;` in one of its forms, perhaps under a condition.
    fn store(&mut self, target: Expr, value: Expr) -> Stmt {
        let stmt = match self.random.within(0, 19) {
            0 => {
                self.feature("assignment under (void)");
                Stmt::Void(Expr::assign(target, value))
            }
            1 => {
                self.feature("assignment behind a comma");
                let c = self.field("c", DOUBLE);
                let here = self.here();
                let (first, copied) = (self.element(c, &here), self.any_element());
                let first = Expr::Assign(Some(Operator::Add), Box::new(first), Box::new(copied));
                Stmt::Do(Expr::Comma(Box::new(first), Box::new(Expr::assign(target, value))))
            }
            _ => Stmt::Do(Expr::assign(target, value)),
        };
        self.guarded(stmt)
    }

    fn guarded(&mut self, stmt: Stmt) -> Stmt {
        match self.guard() {
            Some(condition) => Stmt::If(condition, vec![stmt], Vec::new()),
            None => stmt,
        }
    }

    /// `target += value;`, perhaps under a condition.
    fn update(&mut self, target: Expr, value: Expr, ty: Type) -> Stmt {
        if value == Expr::int(1) && self.random.chance(30) {
            let (is_up, is_prefix) = (self.random.chance(70), self.random.chance(40));
            return self.guarded(Stmt::Do(Expr::Step { target: Box::new(target), is_up, is_prefix }));
        }
        let operator = compound(self, ty);
        let is_integral = operator.is_integral();
        let value = if is_integral { Expr::Cast(INT, Box::new(value)) } else { value };
        self.guarded(Stmt::Do(Expr::Assign(Some(operator), Box::new(target), Box::new(value))))
    }

    /// Elements of a field near the place.
    fn reads(&mut self, field: Field, reach: i64) -> Vec<Expr> {
        let count = self.random.pick(&[1, 1, 2, 3]);
        (0..count)
            .map(|_| {
                let offsets = self.offsets(reach);
                self.element(field, &offsets)
            })
            .collect()
    }

    fn target(&mut self, field: Field) -> Expr {
        let offsets = if self.random.chance(20) { self.offsets(1) } else { self.here() };
        self.element(field, &offsets)
    }

    fn two_fields(&mut self) -> (Field, Field) {
        let ty = self.element_type();
        let other = if self.random.chance(75) { ty } else { self.element_type() };
        (self.field("a", ty), self.field("b", other))
    }
}

fn copy_body(draft: &mut Draft, a: Field, b: Field) -> Vec<Stmt> {
    let reads = draft.reads(a, 2);
    let value = draft.value(&reads);
    let target = draft.target(b);
    if draft.random.chance(25) {
        return vec![draft.update(target, value, b.ty.ty)];
    }
    let mut body = vec![draft.store(target, value)];
    if draft.random.chance(20) {
        let c = draft.field("c", draft.unit.variables[b.variable].ty);
        let (read, target) = (draft.reads(a, 2), draft.target(c));
        if draft.random.chance(30) {
            draft.feature("chained assignment");
            let here = draft.here();
            let first = draft.element(b, &here);
            let chain = Expr::assign(target, Expr::assign(first, read[0].clone()));
            return vec![Stmt::Do(chain)];
        }
        let value = draft.value(&read);
        body.push(draft.store(target, value));
    }
    body
}

fn copy(draft: &mut Draft) -> For {
    let (a, b) = draft.two_fields();
    draft.sweep(|draft| copy_body(draft, a, b))
}

fn in_place_body(draft: &mut Draft, a: Field, c: Field) -> Vec<Stmt> {
    let value = if draft.random.chance(40) {
        Expr::int(1)
    } else {
        let reads = draft.reads(c, 2);
        draft.value(&reads)
    };
    let here = draft.here();
    let target = draft.element(a, &here);
    vec![draft.update(target, value, a.ty.ty)]
}

fn in_place(draft: &mut Draft) -> For {
    let (a, c) = draft.two_fields();
    draft.sweep(|draft| in_place_body(draft, a, c))
}

fn in_place_stepped(draft: &mut Draft) -> For {
    let (a, c) = draft.two_fields();
    draft.stepped(|draft| vec![Stmt::For(Box::new(draft.sweep(|draft| in_place_body(draft, a, c))))])
}

/// One field grows, another is copied from it.
fn two_sweeps(draft: &mut Draft) -> For {
    let (a, b) = draft.two_fields();
    draft.stepped(|draft| {
        let first = draft.sweep(|draft| vec![grow(draft, a)]);
        let second = draft.sweep(|draft| copy_body(draft, a, b));
        vec![Stmt::For(Box::new(first)), Stmt::For(Box::new(second))]
    })
}

/// `a[i] += 2;` without a condition
fn grow(draft: &mut Draft, a: Field) -> Stmt {
    let here = draft.here();
    let target = draft.element(a, &here);
    let summand = draft.random.within(1, 3);
    let value = draft.valued(summand);
    Stmt::Do(Expr::Assign(Some(Operator::Add), Box::new(target), Box::new(value)))
}

/// One field grows, another is copied from it and the cells around it where and while a front of steps and places says so.
/// Bounds are mostly literals: of others nobody knows which steps read the border.
fn border_of_some_steps(draft: &mut Draft) -> For {
    if draft.random.chance(90) {
        draft.make_plain();
    }
    let (a, b) = draft.two_fields();
    draft.stepped(|draft| {
        let first = draft.sweep(|draft| vec![grow(draft, a)]);
        let second = draft.sweep(|draft| {
            let reads = draft.reads(a, 2);
            let value = if draft.random.chance(60) { reads[0].clone() } else { draft.value(&reads) };
            let here = draft.here();
            let target = draft.element(b, &here);
            let operator = draft.random.chance(30).then_some(Operator::Add);
            let store = Stmt::Do(Expr::Assign(operator, Box::new(target), Box::new(value)));
            vec![Stmt::If(front(draft), vec![store], Vec::new())]
        });
        let mut body = vec![Stmt::For(Box::new(first)), Stmt::For(Box::new(second))];
        if draft.random.chance(20) {
            body.reverse();
        }
        body
    })
}

fn copy_back(draft: &mut Draft) -> For {
    let ty = draft.element_type();
    let (a, b) = (draft.field("a", ty), draft.field("b", ty));
    draft.stepped(|draft| {
        let first = draft.sweep(|draft| copy_body(draft, a, b));
        let second = draft.sweep(|draft| {
            let here = draft.here();
            let (target, value) = (draft.element(a, &here), draft.element(b, &here));
            vec![draft.store(target, value)]
        });
        vec![Stmt::For(Box::new(first)), Stmt::For(Box::new(second))]
    })
}

/// Pointers of one type to fields of one type.
fn pointers(draft: &mut Draft, stems: &[&str]) -> Vec<Field> {
    let ty = draft.element_type();
    let rows = draft.rows();
    let place = draft.random.pick(&[Place::Parameter, Place::Parameter, Place::Local, Place::Global]);
    let fields: Vec<Field> = stems.iter().map(|stem| draft.pointer_with_rows(stem, ty, place, rows.clone())).collect();
    draft.fields.extend(&fields);
    fields
}

fn pointer_like(draft: &mut Draft, field: Field, stem: &str, place: Place, value: Option<Expr>) -> Variable {
    let declared = draft.unit.variables[field.variable].clone();
    draft.declare(stem, declared.ty, declared.shape, place, value)
}

fn set(target: Variable, value: Variable) -> Stmt {
    Stmt::Do(Expr::assign(Expr::Var(target), Expr::Var(value)))
}

/// Two buffers whose pointers change places, and other pointers beside them.
fn ping_pong(draft: &mut Draft) -> For {
    let is_triple = draft.random.chance(20);
    let fields = pointers(draft, if is_triple { &["a", "b", "c"] } else { &["a", "b"] });
    let (a, b) = (fields[0], fields[1]);
    draft.stepped(|draft| {
        let mut body = Vec::new();
        let (mut from, mut to) = (a, b);
        // `cur = A; nxt = B;` at the start of a step
        if draft.random.chance(25) {
            draft.feature("pointers set at the start of a step");
            let place = draft.random.pick(&[Place::Local, Place::Local, Place::Global]);
            let [current, next] = [("cur", a), ("nxt", b)].map(|(stem, field)| {
                let value = Expr::Var(field.variable);
                let value = (place == Place::Local).then_some(value);
                Field { variable: pointer_like(draft, field, stem, place, value), ..field }
            });
            body.extend([set(current.variable, a.variable), set(next.variable, b.variable)]);
            (from, to) = (current, next);
        }
        let sweep = draft.sweep(|draft| {
            let reads = draft.reads(from, 1);
            let (value, target) = (draft.value(&reads), draft.element(to, &draft.here()));
            vec![draft.store(target, value)]
        });
        body.push(Stmt::For(Box::new(sweep)));
        if draft.random.chance(25) {
            body.extend(remember(draft, a, b));
        }
        // Pointers beside two that stay hold one value from the first step on.
        let is_still = draft.random.chance(if body.len() > 1 { 35 } else { 10 });
        if is_still {
            draft.feature("no exchange");
        } else {
            body.extend(exchange(draft, &fields));
        }
        body
    })
}

/// `last = a;`, perhaps with `older = last;` before it
fn remember(draft: &mut Draft, a: Field, b: Field) -> Vec<Stmt> {
    draft.feature("pointer that only remembers");
    let place = draft.random.pick(&[Place::Local, Place::Global]);
    let pointer = |draft: &mut Draft, stem: &str| {
        let first = draft.random.pick(&[a, b]).variable;
        pointer_like(draft, a, stem, place, (place == Place::Local).then_some(Expr::Var(first)))
    };
    let last = pointer(draft, "last");
    let mut body = vec![set(last, draft.random.pick(&[a, b]).variable)];
    if draft.random.chance(30) {
        draft.feature("pointer that remembers two steps");
        let older = pointer(draft, "older");
        body.insert(0, set(older, last));
    }
    body
}

/// A rotation of the pointers; two of them may use one helper variable twice.
fn exchange(draft: &mut Draft, fields: &[Field]) -> Vec<Stmt> {
    let is_inner = draft.random.chance(60);
    let place = if is_inner { Place::Inner } else { Place::Local };
    let first = Expr::Var(fields[0].variable);
    let value = Some(first.clone());
    if !is_inner {
        draft.feature("helper of a swap outlives the nest");
    }
    let helper = pointer_like(draft, fields[0], "tmp", place, value);
    let mut body =
        vec![if is_inner { Stmt::Declare(helper) } else { Stmt::Do(Expr::assign(Expr::Var(helper), first)) }];
    for pair in fields.windows(2) {
        body.push(set(pair[0].variable, pair[1].variable));
    }
    body.push(set(fields[fields.len() - 1].variable, helper));
    if fields.len() == 2 && draft.random.chance(20) {
        draft.feature("two swaps with one helper");
        let others = pointers(draft, &["u", "v"]);
        let is_same = draft.unit.variables[others[0].variable].ty == draft.unit.variables[fields[0].variable].ty
            && others[0].is_flat == fields[0].is_flat;
        if is_same {
            body.extend([
                set(helper, others[0].variable),
                set(others[0].variable, others[1].variable),
                set(others[1].variable, helper),
            ]);
        }
    }
    body
}

/// `s = a[i]; b[i] = s;`, with the scalar in use after the nest.
fn scalars(draft: &mut Draft) -> For {
    let (a, b) = draft.two_fields();
    let ty = if draft.random.chance(60) { a.ty } else { draft.integer_type() };
    let place = draft.random.pick(&[Place::Local, Place::Local, Place::Global, Place::Inner]);
    let stem = draft.random.pick(&["s", "sum", "v"]);
    let scalar = draft.scalar(stem, ty, place, Expr::int(9));
    if place != Place::Inner {
        draft.feature("scalar outlives the nest");
        draft.is_surrounded = draft.random.chance(75);
    }
    let body = |draft: &mut Draft| {
        let read = draft.reads(a, 1);
        let value = draft.value(&read);
        let mut body = if place == Place::Inner {
            draft.unit.variables[scalar].value = Some(value);
            vec![Stmt::Declare(scalar)]
        } else {
            vec![Stmt::Do(Expr::assign(Expr::Var(scalar), value))]
        };
        if draft.random.chance(25) {
            let change = draft.valued(2);
            body.push(Stmt::Do(Expr::Assign(Some(Operator::Add), Box::new(Expr::Var(scalar)), Box::new(change))));
        }
        let target = draft.target(b);
        let value = draft.value(&[Expr::Var(scalar)]);
        body.push(draft.store(target, value));
        body
    };
    if draft.random.chance(25) {
        return draft.stepped(|draft| vec![Stmt::For(Box::new(draft.sweep(body)))]);
    }
    draft.sweep(body)
}

/// A loop of few iterations whose bounds are known, around a sum.
fn unrolled(draft: &mut Draft) -> For {
    let (a, b) = draft.two_fields();
    draft.sweep(|draft| {
        let (low, high) = draft.random.pick(&[(-1, 2), (0, 3), (-2, 3), (0, 2), (-1, 1)]);
        let sum_type = if draft.random.chance(70) { DOUBLE } else { draft.integer_type() };
        let sum = draft.scalar("sum", sum_type, Place::Inner, Expr::int(0));
        let counter_type = if draft.is_wild() { draft.integer_type() } else { INT };
        let counter = draft.declare("d", counter_type, Shape::Scalar, Place::Inner, None);
        let start = if draft.is_wild() { draft.constant(low, 1) } else { Expr::int(low) };
        draft.unit.variables[counter].value = Some(start);
        let condition = unrolled_condition(draft, counter, high);
        let axis = draft.rank - 1;
        let shift = (2 - draft.axes[axis].low).max(0);
        let mut positions: Vec<Expr> = Vec::new();
        for (place, own) in draft.axes.clone().into_iter().enumerate() {
            let distance = (2 - own.low).max(0);
            let position = Expr::binary(Operator::Add, Expr::Var(own.variable), Expr::int(distance));
            let near = Expr::binary(
                Operator::Add,
                Expr::binary(Operator::Add, Expr::Var(own.variable), Expr::Var(counter)),
                Expr::int(shift),
            );
            positions.push(if place == axis { near } else { position });
        }
        let element = draft.element_at(a, positions);
        let mut inner = vec![Stmt::Do(Expr::Assign(Some(Operator::Add), Box::new(Expr::Var(sum)), Box::new(element)))];
        inner.extend(change_of_counter(draft, counter, low, high));
        let is_up = true;
        let step = Expr::Step { target: Box::new(Expr::Var(counter)), is_up, is_prefix: draft.random.chance(30) };
        let inner = For { start: Start::Declare(counter), condition, step, body: inner };
        let target = draft.target(b);
        let value = draft.value(&[Expr::Var(sum)]);
        let store = draft.store(target, value);
        vec![Stmt::Declare(sum), Stmt::For(Box::new(inner)), store]
    })
}

fn unrolled_condition(draft: &mut Draft, counter: Variable, high: i64) -> Expr {
    let place = Expr::Var(counter);
    match draft.random.within(0, 7) {
        0 => {
            draft.feature("unrolled: unsigned bound");
            let bound = Expr::Int(i128::from(high), Integer::UNSIGNED, format!("{high}u"));
            Expr::binary(Operator::Less, place, bound)
        }
        1 => {
            draft.feature("unrolled: bound of any kind");
            Expr::binary(Operator::Less, place, draft.constant(high, 2))
        }
        2 => Expr::binary(Operator::NotEqual, place, Expr::int(high)),
        3 => Expr::binary(Operator::LessEqual, place, Expr::int(high - 1)),
        4 => {
            draft.feature("unrolled: sizeof bound");
            let ty = draft.random.pick(&super::super::types::INTEGERS[..6]);
            Expr::binary(Operator::Less, Expr::binary(Operator::Add, place, Expr::int(1)), Expr::SizeofType(ty))
        }
        _ => Expr::binary(Operator::Less, place, Expr::int(high)),
    }
}

/// `if (k == 1) k = 2;`
fn change_of_counter(draft: &mut Draft, counter: Variable, low: i64, high: i64) -> Option<Stmt> {
    if !draft.random.chance(30) {
        return None;
    }
    draft.feature("unrolled: body changes the loop variable");
    let at = draft.random.within(low, high - 1);
    let place = || Expr::Var(counter);
    let change = match draft.random.within(0, 2) {
        0 => Expr::assign(place(), Expr::int(at + 1)),
        1 => Expr::Assign(Some(Operator::Add), Box::new(place()), Box::new(Expr::int(1))),
        _ => Expr::Step { target: Box::new(place()), is_up: true, is_prefix: false },
    };
    Some(Stmt::If(Expr::binary(Operator::Equal, place(), Expr::int(at)), vec![Stmt::Do(change)], Vec::new()))
}

/// `b[i] = a[i + 1]`, mostly read no later than written, where `a` and `b` are one array.
fn one_array(draft: &mut Draft) -> For {
    let a = pointers(draft, &["a"])[0];
    let declared = draft.unit.variables[a.variable].clone();
    let b = Field { variable: pointer_like(draft, a, "b", declared.place, declared.value), ..a };
    draft.fields.push(b);
    let body = |draft: &mut Draft| {
        let reads = if draft.random.chance(60) { vec![draft.element(a, &draft.here())] } else { draft.reads(a, 1) };
        let value = draft.value(&reads);
        let target = draft.element(b, &draft.here());
        let mut body = vec![draft.store(target.clone(), value)];
        if draft.random.chance(20) {
            body.push(Stmt::Do(Expr::Assign(Some(Operator::Add), Box::new(target), Box::new(reads[0].clone()))));
        }
        body
    };
    if draft.random.chance(15) {
        return draft.stepped(|draft| vec![Stmt::For(Box::new(draft.sweep(body)))]);
    }
    draft.sweep(body)
}

/// `if (src) b[i] += src[i];`, `b[i] = src != 0 ? src[i] : 2;`
fn source_or_null(draft: &mut Draft) -> For {
    let fields = pointers(draft, &["a", "b", "src"]);
    let (a, b, source) = (fields[0], fields[1], fields[2]);
    draft.fields.retain(|field| field.variable != source.variable);
    if draft.random.chance(50) {
        draft.feature("source is null");
        draft.unit.variables[source.variable].value = Some(Expr::Untyped(Box::new(Expr::int(0))));
    }
    let body = |draft: &mut Draft| {
        let (here, test) = (draft.here(), is_set(draft, source));
        let (target, found) = (draft.element(b, &here), draft.element(source, &here));
        let reads = draft.reads(a, 1);
        let value = draft.value(&reads);
        if draft.random.chance(40) {
            let other = draft.literal(2);
            let chosen = Expr::Conditional(Box::new(test), Box::new(found), Box::new(other));
            return vec![draft.store(target, Expr::binary(Operator::Add, chosen, value))];
        }
        let added = Stmt::Do(Expr::Assign(Some(Operator::Add), Box::new(target.clone()), Box::new(found)));
        let test = if draft.random.chance(30) { Expr::binary(Operator::And, test, draft.condition()) } else { test };
        vec![draft.store(target, value), Stmt::If(test, vec![added], Vec::new())]
    };
    if draft.random.chance(40) {
        return draft.stepped(|draft| vec![Stmt::For(Box::new(draft.sweep(body)))]);
    }
    draft.sweep(body)
}

/// Whether a pointer is not null, in one of C's ways.
fn is_set(draft: &mut Draft, pointer: Field) -> Expr {
    let pointer = Expr::Var(pointer.variable);
    let null = || Expr::Untyped(Box::new(Expr::int(0)));
    let not = |test| Expr::Unary(Unary::Not, Box::new(test));
    match draft.random.within(0, 4) {
        0 => Expr::binary(Operator::NotEqual, pointer, Expr::int(0)),
        1 => Expr::binary(Operator::NotEqual, null(), pointer),
        2 => not(Expr::binary(Operator::Equal, pointer, null())),
        3 => not(not(pointer)),
        _ => pointer,
    }
}

/// `a[(t + 1) % 2][i] = a[t % 2][i - 1]`
fn slots(draft: &mut Draft) -> For {
    draft.rank = 1;
    draft.sizes.truncate(1);
    let ty = draft.element_type();
    let size = draft.sizes[0];
    let shape = Shape::Array(vec![Expr::int(2), Expr::int(size)]);
    let place = draft.random.pick(&[Place::Global, Place::Local]);
    let slots = draft.declare("a", ty, shape, place, None);
    draft.stepped(|draft| {
        let time = draft.time.map_or(Expr::int(0), Expr::Var);
        let form = draft.random.within(0, 3);
        draft.feature(["slot: remainder", "slot: conditional", "slot: bits", "slot: negation"][form as usize]);
        let (from, to) = slot_pair(form, &time);
        vec![Stmt::For(Box::new(draft.sweep(|draft| {
            let axis = draft.axes[0];
            let shift = (2 - axis.low).max(0);
            let here = Expr::binary(Operator::Add, Expr::Var(axis.variable), Expr::int(shift));
            let near = Expr::binary(Operator::Subtract, here.clone(), Expr::int(1));
            let reads = [Expr::Index(slots, vec![from.clone(), near]), Expr::Index(slots, vec![from, here.clone()])];
            let sum = Expr::binary(Operator::Add, reads[0].clone(), reads[1].clone());
            let store = Stmt::Do(Expr::assign(Expr::Index(slots, vec![to, here]), sum));
            vec![draft.guarded_by_place(store)]
        })))]
    })
}

/// The slots that a step reads and writes.
fn slot_pair(form: i64, time: &Expr) -> (Expr, Expr) {
    let next = || Expr::binary(Operator::Add, time.clone(), Expr::int(1));
    let remainder = |x: Expr| Expr::binary(Operator::Remainder, x, Expr::int(2));
    let bit = |x: Expr| Expr::binary(Operator::BitAnd, x, Expr::int(1));
    let not = |x: Expr| Expr::Unary(super::super::model::Unary::Not, Box::new(x));
    match form {
        0 => (remainder(time.clone()), remainder(next())),
        1 => {
            let pick = |x, y| {
                Expr::Conditional(Box::new(remainder(time.clone())), Box::new(Expr::int(x)), Box::new(Expr::int(y)))
            };
            (pick(1, 0), pick(0, 1))
        }
        2 => (bit(time.clone()), bit(Expr::binary(Operator::BitXor, time.clone(), Expr::int(1)))),
        _ => (bit(time.clone()), not(bit(time.clone()))),
    }
}

impl Draft<'_> {
    /// No field of the draft is there yet, so that the condition is of places and steps only.
    fn guarded_by_place(&mut self, stmt: Stmt) -> Stmt {
        if self.fields.is_empty() { stmt } else { self.guarded(stmt) }
    }
}

/// `double k, *p = &k;` where the nest reads `k` and writes `p[i]`
fn aliased(draft: &mut Draft) -> For {
    draft.rank = 1;
    draft.sizes.truncate(1);
    let ty = draft.element_type();
    let a = draft.field("a", ty);
    let place = draft.random.pick(&[Place::Local, Place::Global]);
    let scalar = draft.scalar("k", ty, place, Expr::int(3));
    let address = Some(Expr::Address(Box::new(Expr::Var(scalar))));
    let pointer_place = if place == Place::Global { Place::Parameter } else { Place::Local };
    let p = draft.declare("p", ty, Shape::Pointer(Vec::new()), pointer_place, address);
    let b = draft.field("b", ty);
    draft.stepped(|draft| {
        let write = aliased_write(draft, p, ty, a);
        let read = draft.sweep(|draft| {
            let here = draft.here();
            let (target, element) = (draft.element(b, &here), draft.element(a, &here));
            vec![Stmt::Do(Expr::assign(target, Expr::binary(Operator::Add, element, Expr::Var(scalar))))]
        });
        let mut body = vec![Stmt::For(Box::new(write)), Stmt::For(Box::new(read))];
        if draft.random.chance(40) {
            body.reverse();
        }
        body
    })
}

/// `for (i = 0; i < 1; i++) p[i] = a[i + 3] + 1;`
fn aliased_write(draft: &mut Draft, p: Variable, _: Named, a: Field) -> For {
    let (variable, header) = draft.header("i", 0, 1);
    let place = Expr::Var(variable);
    let source = Expr::binary(Operator::Add, place.clone(), Expr::int(3));
    let value = draft.element_at(a, vec![source]);
    let store = if draft.random.chance(50) {
        Expr::assign(Expr::Index(p, vec![place]), Expr::binary(Operator::Add, value, Expr::int(1)))
    } else {
        Expr::Assign(Some(Operator::Add), Box::new(Expr::Index(p, vec![place])), Box::new(Expr::int(1)))
    };
    wrap(header, vec![Stmt::Do(store)])
}
