//! Loops over frames of several steps each, and over steps that are made of sub-steps: the step is one of a loop within.

use tree_sitter::Node;

use super::program::Program;
use super::recorded::Found;
use super::step::{Extent, Step, find_step};
use crate::front::marked::MarkedNest;
use crate::front::tree::children;
use crate::source::Diagnostic;

/// Steps are looked for in loops within so many others that the host keeps.
pub const MAX_FRAMES: usize = 3;

/// Whether the host keeps one of the loops in `outer`, beside which others sweep.
pub fn has_loop_of_host<'t>(program: &Program<'_, '_, 't>, outer: Node<'t>) -> bool {
    let sweeping = sweeping_in(program, outer);
    sweeping.len() > 1 && loop_of_host(program, &sweeping).is_some()
}

/// Whether one of the loops in `outer` takes sub-steps: beside others, keeping a value of each of them, or all that `outer` has.
pub fn has_sub_steps<'t>(program: &Program<'_, '_, 't>, outer: Node<'t>) -> bool {
    loop_of_sub_steps(program, &sweeping_in(program, outer)).is_some()
}

fn sweeping_in<'t>(program: &Program<'_, '_, 't>, outer: Node<'t>) -> Vec<Node<'t>> {
    let body = outer.child_by_field_name("body");
    let statements = body.map(|it| if it.kind() == "compound_statement" { children(it) } else { vec![it] });
    statements.unwrap_or_default().into_iter().filter(|it| program.sweeps(*it)).collect()
}

/// The only loop among statements that sweep which the host keeps, as it does something else in it.
fn loop_of_host<'t>(program: &Program<'_, '_, 't>, sweeping: &[Node<'t>]) -> Option<Node<'t>> {
    only(sweeping.iter().copied().filter(|it| program.repeats(*it) && !program.computes(*it)))
}

/// The only loop among them that takes sub-steps: others sweep beside it, and it has sweeps of its own in it.
fn loop_of_sub_steps<'t>(program: &Program<'_, '_, 't>, sweeping: &[Node<'t>]) -> Option<Node<'t>> {
    only(sweeping.iter().copied().filter(|it| program.repeats(*it) && step_of_loop(program, *it).is_some()))
}

fn only<'t>(mut found: impl Iterator<Item = Node<'t>>) -> Option<Node<'t>> {
    found.next().filter(|_| found.next().is_none())
}

/// The step of a loop over time.
fn step_of_loop<'t>(program: &Program<'_, '_, 't>, inner: Node<'t>) -> Option<Step<'t>> {
    find_step(program, inner, Extent::Folds).ok().flatten().filter(|step| !step.moves(program))
}

/// Reads the step of a loop within `outer` in which all sweeps are, those of a loop that the host keeps, or sub-steps: `outer` is for
/// frames of several steps, say.
pub fn step_within<'t>(
    program: &Program<'_, '_, 't>,
    outer: Node<'t>,
    read: &impl Fn(Step<'t>, bool) -> Found<'t>,
    depth: usize,
) -> Option<(Step<'t>, MarkedNest)> {
    let sweeping = sweeping_in(program, outer);
    let inner = match sweeping[..] {
        [inner] => inner,
        _ => loop_of_host(program, &sweeping).or_else(|| loop_of_sub_steps(program, &sweeping))?,
    };
    if !program.repeats(inner) || depth == MAX_FRAMES {
        return None;
    }
    let step = step_of_loop(program, inner)?;
    let found = [false, true].into_iter().find_map(|folds| read(step.clone(), folds).ok());
    found.or_else(|| step_within(program, inner, read, depth + 1))
}

/// What is said where others sweep beside the sub-steps that a step is one of.
pub fn note_beside<'t>(program: &Program<'_, '_, 't>, outer: Node<'t>, step: &Step<'t>) -> Option<Diagnostic> {
    let sweeping = sweeping_in(program, outer);
    let inner = *sweeping.iter().find(|it| program.repeats(**it) && step.is_in(**it) && !step.has(**it))?;
    let other = sweeping.iter().find(|it| **it != inner)?;
    let span = |node: Node| program.unit.statement_span(node.start_byte(), node.end_byte());
    let note = Diagnostic::note(
        "kept-sync",
        "the host computes this, and gets what it needs of the arrays for it",
        span(*other),
    );
    let note = note.because("it stands beside a loop over time, of which each iteration is a step of the device's");
    Some(note.with_help(
        "mark that loop and each loop beside it by a pragma of its own, instead of the loop around them: then the device computes \
         all of them, and their arrays stay there from one to the next",
    ))
}
