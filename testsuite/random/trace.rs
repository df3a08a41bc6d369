//! Which element each access of a program touches and who wrote it: decides whether a program is valid and legal.
//!
//! Values are not computed. A statement under a condition on data is taken to run and to keep the element's old value
//! as well, which is what an analysis of the program has to assume.

use std::collections::{BTreeSet, HashSet};

use super::carried::Carried;
use super::folds::Folding;
use super::model::{Condition, Expr, Form, Item, Point, Program, Reference, Run, STEPS, Slot, Statement, Sweep};

/// A statement by its number in the program, and where and when it ran.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Instance {
    statement: usize,
    place: Vec<i64>,
}

/// What one run of a program does to memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The sweeps of each step can be put into an order in which all points of a sweep are independent.
    Legal,
    /// A statement needs what it computes itself at another point in the same step.
    Illegal,
    /// Statements need each other within a step, but no point is shown to need another one of its own statement.
    Entangled,
    /// A statement writes an element twice in a step; nothing else is wrong.
    Overwriting,
    /// It touches an element that does not exist.
    Invalid(String),
}

/// Follows a run of `program`.
pub fn trace(program: &Program, run: &Run) -> Verdict {
    let mut tracer = Tracer::new(program, run, HashSet::new());
    if let Err(message) = tracer.follow() {
        return Verdict::Invalid(message);
    }
    let in_cycles = statements_in_cycles(&tracer.needs);
    if in_cycles.is_empty() {
        return if tracer.overwrites { Verdict::Overwriting } else { Verdict::Legal };
    }
    let mut tracer = Tracer::new(program, run, in_cycles);
    match tracer.follow() {
        Ok(()) if tracer.needs_itself => Verdict::Illegal,
        Ok(()) => Verdict::Entangled,
        Err(message) => Verdict::Invalid(message),
    }
}

/// Fails if a run touches an element that does not exist.
pub fn check_elements(program: &Program, run: &Run) -> Result<(), String> {
    Tracer::new(program, run, HashSet::new()).follow()
}

/// Whether the outermost loop is in no subscript of what the sweep writes: then it is the loop over time.
fn counts_steps(sweep: &Sweep) -> bool {
    let Some(outermost) = sweep.loops.first() else { return false };
    let mut targets = sweep.statements.iter().flat_map(|statement| &statement.target.subscripts);
    sweep.loops.len() > 1 && targets.all(|subscript| subscript.axis != outermost.axis || subscript.scale == 0)
}

/// The statements from which a chain of needs leads back to them.
fn statements_in_cycles(needs: &BTreeSet<(usize, usize)>) -> HashSet<usize> {
    let mut reached = needs.clone();
    loop {
        let longer: Vec<(usize, usize)> = reached
            .iter()
            .flat_map(|(from, middle)| {
                needs.iter().filter(move |(start, _)| start == middle).map(|(_, to)| (*from, *to))
            })
            .filter(|pair| !reached.contains(pair))
            .collect();
        if longer.is_empty() {
            return reached.iter().filter(|(from, to)| from == to).map(|(from, _)| *from).collect();
        }
        reached.extend(longer);
    }
}

/// An element and what its value in the present step is made of.
#[derive(Clone, Debug, Default)]
struct Cell {
    /// Step of the last write, and the statement.
    written: Option<(usize, usize)>,
    /// Instances of watched statements of the same step that the value needs, the writer included.
    made_of: BTreeSet<Instance>,
}

struct Tracer<'p> {
    program: &'p Program,
    run: &'p Run,
    sizes: Vec<i64>,
    /// Statements whose instances are kept apart.
    watched: HashSet<usize>,
    memory: Vec<Vec<Cell>>,
    /// Which memory each field's name reaches now.
    reached: Vec<usize>,
    step: usize,
    time: i64,
    /// Statements and those whose values they read in the same step.
    needs: BTreeSet<(usize, usize)>,
    needs_itself: bool,
    overwrites: bool,
    /// What a scalar has for the present iteration of the innermost loop.
    carried: Option<(Carried, Cell)>,
}

impl<'p> Tracer<'p> {
    fn new(program: &'p Program, run: &'p Run, watched: HashSet<usize>) -> Self {
        let sizes = run.all_sizes();
        let elements = |extents: Vec<i64>| usize::try_from(extents.iter().product::<i64>()).unwrap_or(0);
        let memory =
            program.fields.iter().map(|field| vec![Cell::default(); elements(field.extents(&sizes))]).collect();
        let reached = (0..program.fields.len()).collect();
        Self {
            program,
            run,
            sizes: sizes.clone(),
            watched,
            memory,
            reached,
            step: 0,
            time: 0,
            needs: BTreeSet::new(),
            needs_itself: false,
            overwrites: false,
            carried: None,
        }
    }

    fn follow(&mut self) -> Result<(), String> {
        let times = self.program.time.map_or(vec![0], |form| form.values(self.run.steps));
        for (step, time) in times.into_iter().enumerate() {
            (self.step, self.time) = (step, time);
            let mut number = 0;
            for item in &self.program.items {
                match item {
                    Item::Sweep(sweep) => {
                        self.follow_sweep(sweep, number)?;
                        number += sweep.statements.len();
                    }
                    Item::Copy { to, from } => {
                        self.check_copy(*to, *from)?;
                        self.follow_copy(*to, *from, number);
                        number += 1;
                    }
                    Item::Rotate(fields) => self.rotate(fields),
                    Item::Advance(_) => {}
                }
            }
        }
        Ok(())
    }

    fn rotate(&mut self, fields: &[usize]) {
        let first = self.reached[fields[0]];
        for pair in fields.windows(2) {
            self.reached[pair[0]] = self.reached[pair[1]];
        }
        self.reached[fields[fields.len() - 1]] = first;
    }

    /// Arrays of constant size are larger than others of the same extents in most runs.
    fn check_copy(&self, to: usize, from: usize) -> Result<(), String> {
        let is_fixed = |field: usize| self.program.fields[field].form == Form::Fixed;
        if is_fixed(to) == is_fixed(from) { Ok(()) } else { Err("memcpy between arrays of two sizes".into()) }
    }

    fn follow_copy(&mut self, to: usize, from: usize, number: usize) {
        let (to, from) = (self.reached[to], self.reached[from]);
        for index in 0..self.memory[from].len() {
            let place = vec![index as i64];
            let cell = self.memory[from][index].clone();
            let made_of = self.use_value(&cell, number, &place);
            self.write(to, index, number, &place, made_of);
        }
    }

    fn follow_sweep(&mut self, sweep: &Sweep, number: usize) -> Result<(), String> {
        if sweep.step_guard.is_some_and(|(modulus, remainder)| self.time % modulus != remainder) {
            return Ok(());
        }
        let mut place = vec![0; STEPS + 1];
        place[STEPS] = self.time;
        self.follow_loops(sweep, 0, &mut place, number)
    }

    /// Notes what a scalar carries into the first iteration of the innermost loop.
    fn start_carrying(&mut self, sweep: &Sweep, place: &[i64]) -> Result<(), String> {
        self.carried = None;
        let (Some(carried), Some(inner)) = (Carried::of(self.program, sweep), sweep.loops.last()) else {
            return Ok(());
        };
        let mut first = place.to_vec();
        first[inner.axis] = inner.first(&self.sizes);
        let (memory, index) = self.element(&carried.read, &first)?;
        self.carried = Some((carried, self.memory[memory][index].clone()));
        Ok(())
    }

    fn follow_loops(&mut self, sweep: &Sweep, depth: usize, place: &mut Vec<i64>, number: usize) -> Result<(), String> {
        if self.needs_itself {
            return Ok(()); // No more is to be known.
        }
        let Some(space_loop) = sweep.loops.get(depth) else {
            let mut statements = sweep.statements.iter().enumerate();
            statements.try_for_each(|(index, statement)| self.follow_statement(statement, place, (number, index)))?;
            return sweep.foldings.iter().try_for_each(|folding| self.follow_folding(folding, place));
        };
        if depth + 1 == sweep.loops.len() {
            self.start_carrying(sweep, place)?;
        }
        let is_time = depth == 0 && self.program.time.is_none() && counts_steps(sweep);
        for (step, value) in space_loop.values(&self.sizes).into_iter().enumerate() {
            if is_time {
                self.step = step;
            }
            place[space_loop.axis] = value;
            self.follow_loops(sweep, depth + 1, place, number)?;
        }
        Ok(())
    }

    /// Statement `index` of a sweep whose first one has the number `first`.
    fn follow_statement(
        &mut self,
        statement: &Statement,
        place: &[i64],
        (first, index): (usize, usize),
    ) -> Result<(), String> {
        let number = first + index;
        let guard = statement.guard.as_ref();
        let holds = guard.is_none_or(|guard| guard.may_hold(place, self.time, &self.sizes));
        let is_data = guard.is_some_and(|guard| guard.is_data());
        let mut reads: Vec<Reference> = guard.iter().flat_map(|guard| guard.reads()).cloned().collect();
        let point = Point { place, step: self.time, sizes: &self.sizes };
        let values = [&statement.value].into_iter().chain(&statement.otherwise);
        reads.extend(values.flat_map(Expr::totals).flat_map(|total| &total.reads).cloned());
        let mut value = |expr: &Expr| reads.extend(expr.reads_at(&point).into_iter().cloned());
        if holds || statement.way.has_local() {
            value(&statement.value);
        }
        if let Some(otherwise) = &statement.otherwise
            && (!holds || is_data)
        {
            value(otherwise);
        }
        let writes = holds || statement.otherwise.is_some();
        if writes && (statement.assign != super::model::Assign::Set || is_data && statement.otherwise.is_none()) {
            reads.push(statement.target.clone());
        }
        let carried = self.carried.take_if(|(carried, _)| carried.statement == index);
        let mut made_of = BTreeSet::new();
        for read in &reads {
            let cell = match &carried {
                Some((carried, cell)) if carried.is(read) => cell.clone(),
                _ => self.element(read, place).map(|(memory, index)| self.memory[memory][index].clone())?,
            };
            made_of.extend(self.use_value(&cell, number, place));
        }
        if let Some((carried, _)) = carried {
            let (memory, index) = self.element(&carried.here(), place)?;
            self.carried = Some((carried, self.memory[memory][index].clone()));
        }
        if writes {
            let (memory, index) = self.element(&statement.target, place)?;
            self.write(memory, index, number, place, made_of);
        }
        Ok(())
    }

    /// What is folded must exist.
    fn follow_folding(&self, folding: &Folding, place: &[i64]) -> Result<(), String> {
        let guard = folding.guard.iter().flat_map(Condition::reads);
        let mut reads = folding.value.reads().into_iter().chain(guard);
        reads.try_for_each(|read| self.element(read, place).map(drop))
    }

    /// The memory and the element in it that a reference names.
    fn element(&self, reference: &Reference, place: &[i64]) -> Result<(usize, usize), String> {
        let field = &self.program.fields[reference.field];
        let slot = (field.slots > 1).then(|| match reference.slot {
            Slot::Fixed(slot) => slot,
            Slot::Step(shift) => (self.time + shift) % field.slots as i64,
        });
        let places = reference.subscripts.iter().map(|subscript| subscript.value(place, &self.sizes));
        let mut index = 0;
        for (value, extent) in slot.into_iter().chain(places).zip(field.extents(&self.sizes)) {
            if value < 0 || value >= extent {
                return Err(format!("field {} at {place:?}: {value} of {extent}", reference.field));
            }
            index = index * extent + value;
        }
        Ok((self.reached[reference.field], index as usize))
    }

    /// Notes that an instance of statement `number` needs an element; returns what that is made of in this step.
    fn use_value(&mut self, cell: &Cell, number: usize, place: &[i64]) -> BTreeSet<Instance> {
        let Some((step, writer)) = cell.written else { return BTreeSet::new() };
        if step != self.step {
            return BTreeSet::new();
        }
        let made_of = cell.made_of.clone();
        self.needs.insert((number, writer));
        self.needs_itself |= made_of.iter().any(|instance| instance.statement == number && instance.place != place);
        made_of
    }

    fn write(&mut self, memory: usize, index: usize, number: usize, place: &[i64], mut made_of: BTreeSet<Instance>) {
        if self.watched.contains(&number) {
            made_of.insert(Instance { statement: number, place: place.to_vec() });
        }
        self.overwrites |= self.memory[memory][index].written == Some((self.step, number));
        self.memory[memory][index] = Cell { written: Some((self.step, number)), made_of };
    }
}
