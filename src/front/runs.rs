//! What structures hold: numbers of one type that follow each other, and the bytes between them.

use super::declarations::Scope;
use super::structures::{Structure, size};
use super::tree::Unit;
use super::types::CType;
use crate::ir::ScalarType;

/// Longer arrays of structures in structures are not looked into.
const MOST_INNER: i64 = 64;

/// Numbers of one type, with nothing between them; places are bytes of the structure. Pointers are numbers of their size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Their type.
    pub element: ScalarType,
    /// Where the first one begins.
    pub start: i64,
    /// What is behind the last one.
    pub end: i64,
}

impl Run {
    /// The first of its elements, and the one behind the last, as elements of its type are counted from the structure's start.
    pub fn elements(self) -> (i64, i64) {
        let size = self.element.size() as i64;
        (self.start / size, self.end / size)
    }
}

impl<'t> Structure<'t> {
    /// The numbers that it consists of, in order; `None` if its layout is not known.
    pub fn runs(self, unit: &Unit, scope: &Scope<'t>) -> Option<Vec<Run>> {
        let mut runs = Vec::new();
        add_numbers(unit, scope, &CType::Structure(self.specifier()), 0, &mut runs)?;
        Some(runs)
    }

    /// Its members that are no structures, by their paths from it, in order.
    pub fn paths(self, unit: &Unit, scope: &Scope<'t>) -> Vec<Vec<String>> {
        let of_member = |name: String| {
            let inner = self.member(unit, scope, &name).and_then(|member| scope.structure(&member.ty));
            let below = inner.map_or_else(|| vec![Vec::new()], |inner| inner.paths(unit, scope));
            below.into_iter().map(move |path| [vec![name.clone()], path].concat()).collect::<Vec<_>>()
        };
        self.names(unit).into_iter().flat_map(of_member).collect()
    }

    /// Whether something in it is volatile.
    pub fn has_volatile(self, unit: &Unit, scope: &Scope<'t>) -> bool {
        self.names(unit).iter().filter_map(|name| self.member(unit, scope, name)).any(|member| {
            let inner = scope.structure(member.ty.element().0).filter(|_| !matches!(member.ty, CType::Pointer(_)));
            member.is_volatile || inner.is_some_and(|inner| inner.has_volatile(unit, scope))
        })
    }

    /// All its bytes: the same, and what is between, which is padding for instance.
    pub fn bytes(self, unit: &Unit, scope: &Scope<'t>) -> Option<Vec<Run>> {
        let whole = size(unit, scope, &CType::Structure(self.specifier()))?;
        let (mut all, mut end) = (Vec::new(), 0);
        for run in self.runs(unit, scope)? {
            all.extend(between(end, run.start));
            all.push(run);
            end = run.end;
        }
        all.extend(between(end, whole));
        Some(all)
    }
}

/// Bytes that are no numbers, if there are any, as the largest integers of which they are a whole number.
fn between(start: i64, end: i64) -> Option<Run> {
    let is_whole = |element: &ScalarType| [start, end].iter().all(|at| at % element.size() as i64 == 0);
    let element = [ScalarType::U64, ScalarType::U32, ScalarType::U16].into_iter().find(is_whole);
    (start < end).then_some(Run { element: element.unwrap_or(ScalarType::U8), start, end })
}

/// Adds the numbers in what has a type and begins at `start`.
fn add_numbers<'t>(unit: &Unit, scope: &Scope<'t>, ty: &CType<'t>, start: i64, runs: &mut Vec<Run>) -> Option<()> {
    if let Some(structure) = scope.structure(ty) {
        for (_, member, offset) in structure.layout(unit, scope)? {
            if !member.is_volatile {
                add_numbers(unit, scope, &member.ty, start + offset, runs)?;
            }
        }
        return Some(());
    }
    match ty {
        CType::Array(inner, Some(length)) => {
            let (length, bytes) = (scope.array_length(unit, *length)?.as_i64()?, size(unit, scope, inner)?);
            match inner.number() {
                Some(element) => add_run(Run { element, start, end: start + length * bytes }, runs),
                None if length <= MOST_INNER => {
                    for index in 0..length {
                        add_numbers(unit, scope, inner, start + index * bytes, runs)?;
                    }
                }
                None => {}
            }
        }
        _ => {
            let number = ty.number().or(matches!(ty, CType::Pointer(_)).then_some(ScalarType::U64));
            if let Some(element) = number {
                add_run(Run { element, start, end: start + element.size() as i64 }, runs);
            }
        }
    }
    Some(())
}

/// Adds numbers to those before them, or as a run of their own.
fn add_run(run: Run, runs: &mut Vec<Run>) {
    match runs.last_mut().filter(|last| last.element == run.element && last.end == run.start) {
        Some(last) => last.end = run.end,
        None => runs.push(run),
    }
}
