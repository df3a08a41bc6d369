//! Stores that wait: what a sweep computes goes to an array of the driver's, and from there to its elements.
//!
//! Where `f[i][1] = g(f[i][1], f[i][2]); f[i][2] = h(...);` both need what was in `f` before, no order of the sweeps keeps that
//! for the second one. With `staged[i][1] = g(...); f[i][1] = staged[i][1];` the copy can come last. What the same step reads of
//! `f[i][1]` behind the store is read in the driver's array, too, which is on the device alone: so in `old = u[i]; u[i] = g(...);
//! change += fabs(u[i] - old);` the sum finds both values.
//!
//! So do stores of sweeps that read what their own points store, if no ring of slots keeps these apart: several of a step that each do
//! `a[i] = g(a[i + 1]);`.

use super::driver_arrays::{add_array, spread_positions};
use super::expansion::expanded;
use super::known_sizes::with_known_sizes;
use super::{Analysis, Effort, Names, Refusal, Result};
use crate::ir::{Access, Array, Expr, ExprKind, Handle, Nest, Statement};
use crate::source::Span;

/// Hands the analysis of a nest to `finish`; if there is no other way, with stores that wait, or for the sizes that the program
/// begins with.
///
/// # Errors
/// Why the nest as it was given cannot be rewritten.
pub fn analyse<T>(nest: &Nest, finish: impl FnOnce(&Analysis<'_>) -> T) -> Result<T> {
    let mut finish = Some(finish);
    let Some(sized) = with_known_sizes(nest) else { return analyse_as_it_is(nest, Effort::Whole, &mut finish) };
    match analyse_as_it_is(nest, Effort::Short, &mut finish) {
        Err(refusal) if may_be_of_sizes(&refusal) => {}
        Err(_) => return analyse_as_it_is(nest, Effort::Whole, &mut finish),
        found => return found,
    }
    let found = analyse_as_it_is(&sized, Effort::Whole, &mut finish);
    found.or_else(|_| analyse_as_it_is(nest, Effort::Whole, &mut finish))
}

/// Whether with known sizes the verdict may be another one.
fn may_be_of_sizes(refusal: &Refusal) -> bool {
    match refusal {
        Refusal::NotAffine { .. }
        | Refusal::NegativeRemainder(_)
        | Refusal::NotAssigned(_)
        | Refusal::WrittenTwice(_) => true,
        Refusal::OutsideArray { .. } | Refusal::ElementMayNotExist(_) | Refusal::NotStored(_) => true,
        Refusal::NeedsItself { .. } | Refusal::NeedEachOther { .. } | Refusal::NoStorage { .. } => true,
        Refusal::LongPeriod { .. } | Refusal::TooComplex => true,
        Refusal::NeverExecuted(_) | Refusal::CellsChangeWithTime(_) | Refusal::Failed(_) => false,
    }
}

fn analyse_as_it_is<T, F: FnOnce(&Analysis<'_>) -> T>(
    nest: &Nest,
    effort: Effort,
    finish: &mut Option<F>,
) -> Result<T> {
    let names = Names::new(nest);
    let refusal = match Analysis::new(nest, &names, effort) {
        Ok(analysis) => return Ok(finish.take().expect("it is analysed once")(&analysis)),
        Err(refusal) => refusal,
    };
    let other = match refusal {
        Refusal::WrittenTwice(_) => expanded(nest),
        _ => staged(nest, &refusal),
    };
    match other {
        Some(staged) => analyse_as_it_is(&staged, effort, finish).map_err(|other| match other {
            // Stores could wait otherwise.
            Refusal::ElementMayNotExist(access) if access.index() < nest.accesses.len() => other,
            _ => refusal,
        }),
        None => Err(refusal),
    }
}

/// The nest with stores that wait, if it was refused for some that can.
fn staged(nest: &Nest, refusal: &Refusal) -> Option<Nest> {
    let Refusal::NoStorage { array, waiting, of_step } = refusal else { return None };
    if waiting.is_empty() {
        return None;
    }
    let mut nest = nest.clone();
    spread_positions(&mut nest, PLACES);
    let own = add_array(&mut nest, "staged", *array, 0);
    let mut statements = Vec::new();
    for (index, statement) in nest.step.statements.clone().into_iter().enumerate() {
        match waiting.contains(&index) {
            true => statements.extend(in_two(&mut nest, statement, own)),
            false => statements.push(statement),
        }
    }
    nest.step.statements = statements;
    for read in of_step {
        nest.accesses[*read] = Access { array: own, buffer: None, ..nest.accesses[*read].clone() };
    }
    Some(nest)
}

/// How many places there are for each that there was.
const PLACES: u32 = 3;

/// A statement that stores in the driver's array, and one that brings that to the element.
fn in_two(nest: &mut Nest, statement: Statement, own: Handle<Array>) -> [Statement; 2] {
    let Statement { write, first, value, span } = statement;
    let given = nest.accesses[write].clone();
    let ty = nest.arrays[given.array].element;
    // The driver's array has all elements, also where it depends on data whether the program uses those that they are for.
    let stored = Access { array: own, buffer: None, is_speculative: false, ..given.clone() };
    let stored = add_access(nest, &stored, 0, span);
    let read = add_access(nest, &nest.accesses[stored].clone(), 1, span);
    nest.accesses[write] = moved(&given, 2);
    let copied = nest.exprs.push(Expr { ty, kind: ExprKind::Read(read) }, span);
    [Statement { write: stored, first: stored, value, span }, Statement { write, first, value: copied, span }]
}

fn add_access(nest: &mut Nest, access: &Access, places: u32, span: Span) -> Handle<Access> {
    nest.accesses.push(moved(access, places), span)
}

/// The access so many places later.
fn moved(access: &Access, places: u32) -> Access {
    let mut access = access.clone();
    *access.position.last_mut().expect("every access has a position") += places;
    access
}
