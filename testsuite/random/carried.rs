//! Scalars that carry an element from one iteration of a sweep's innermost loop to the next.

use super::model::{Expr, Program, Reference, Slot, Statement, Subscript, Sweep, Wall};
use super::ways::{GuardWay, Way};

/// What a scalar carries.
#[derive(Clone, Debug)]
pub struct Carried {
    /// The number of the statement that needs it.
    pub statement: usize,
    /// The element as the statement reads it, one iteration behind.
    pub read: Reference,
    /// The subscript that the innermost loop changes.
    pub dimension: usize,
}

impl Carried {
    /// What the first statement that asks for it has carried, if it can be.
    pub fn of(program: &Program, sweep: &Sweep) -> Option<Self> {
        // The pragma stands above a loop.
        let has_place = program.time.is_some() || sweep.loops.len() > 1;
        let continues = sweep.statements.iter().any(|statement| statement.guard_way == GuardWay::Continue);
        if !has_place || continues {
            return None;
        }
        let statement = sweep.statements.iter().position(|statement| statement.way == Way::Carried)?;
        let mut reads = reads(&sweep.statements[statement]).into_iter();
        reads.find_map(|read| Some(Self { statement, read: read.clone(), dimension: behind(sweep, read)? }))
    }

    /// Whether a reference of the statement is to the scalar.
    pub fn is(&self, reference: &Reference) -> bool {
        *reference == Reference { spelling: reference.spelling, ..self.read.clone() }
    }

    /// What the scalar holds when the iteration ends: the element as it was before the statement.
    pub fn here(&self) -> Reference {
        let mut here = self.read.clone();
        here.subscripts[self.dimension].offset = 0;
        here
    }
}

/// What the statement reads, unless a loop of its own does.
fn reads(statement: &Statement) -> Vec<&Reference> {
    let values = [&statement.value].into_iter().chain(&statement.otherwise);
    if values.clone().any(|value| !value.totals().is_empty()) {
        Vec::new()
    } else {
        values.flat_map(Expr::reads).collect()
    }
}

/// The subscript in which a reference is one iteration of the innermost loop behind.
fn behind(sweep: &Sweep, reference: &Reference) -> Option<usize> {
    let inner = sweep.loops.last()?;
    let back = if inner.is_descending { inner.stride } else { -inner.stride };
    let is_of_inner = |subscript: &Subscript| subscript.axis == inner.axis && subscript.scale != 0;
    let mut dimensions = (0..reference.subscripts.len()).filter(|it| is_of_inner(&reference.subscripts[*it]));
    let (dimension, None) = (dimensions.next()?, dimensions.next()) else { return None };
    let subscript = reference.subscripts[dimension];
    let is_behind = subscript == Subscript { scale: 1, size: 0, offset: back, axis: inner.axis, wall: Wall::Open };
    (is_behind && reference.slot == Slot::Fixed(0)).then_some(dimension)
}
