//! Loops that the host keeps, since it does something between the sweeps of two steps that no device can: it prints, looks at
//! the clock, decides whether to go on.
//!
//! Of such a loop the nest is one step: the statements that compute, from the first sweep to the last. They are read as the body
//! of a time loop that is put around them in the text, whose end only the driver knows:
//!
//! ```c
//! for (t = 0; t < steps; t++) {                                    // the host's
//!     long long stencil_end; for (; t < stencil_end; t++) {        // put in
//!     for (i = 1; i < n - 1; i++) b[i] = a[i-1] + a[i+1];
//!     tmp = a; a = b; b = tmp;
//!     }                                                            // put in
//!     if (t % 100 == 0) print(a, n);
//! }
//! ```
//!
//! So all that is known of nests holds for recorded steps. What the rest of the loop does to arrays is told by [`host_code`],
//! and which elements it reads by [`parts`].

mod bounds;
mod chains;
mod choices;
mod comparisons;
mod conditions;
mod copying;
mod corners;
mod counter;
mod declared;
mod definitions;
mod each_step;
mod elements;
mod equations;
mod exchanges;
mod fed;
mod followed;
mod frames;
mod fresh;
mod gaps;
mod given;
mod given_pointers;
mod handovers;
mod heads;
mod host_code;
mod in_place;
pub mod insertion;
mod kept_loop;
mod known;
mod legs;
mod libraries;
mod lifetimes;
mod made_of_steps;
mod meanings;
mod memory;
mod names;
mod needs;
mod operands;
mod own_arrays;
mod parts;
mod places;
mod program;
mod recorded;
mod records;
mod refusals;
mod step;
mod texts;
mod turning;
mod values;
mod versions;
mod vouched;
mod wheels;
mod whole_values;
mod writing_out;

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::Failable;
use super::file_tree::FileTree;
use super::marked::MarkedNest;
use super::marked_loop::pragma_at;
use super::reading::may_fold;
use super::readings::Mark;
use super::syntax::check_syntax;
use super::tree::{Unit, ancestors, loop_at};
use crate::ir::{Looks, Nest};
use crate::source::{Diagnostic, Span};
use bounds::{add, bounds, waits_for_order};
pub use chains::find_chains;
use choices::choices;
pub use conditions::{Body, Condition, NextStep, OWN_NAMES, StepInCondition, steps_in_conditions};
use each_step::{note_changed, note_needed};
use frames::{MAX_FRAMES, has_loop_of_host, note_beside, step_within};
pub use handovers::{Handover, handovers};
use heads::watch;
use host_code::HostCode;
pub use in_place::call_in_place;
pub use kept_loop::{Asks, Chain, KeptLoop, Need, Part, Pieces, Place, TAKEN_BY_HOST};
pub use operands::Stands;
use program::{Program, Trust};
use recorded::{Found, put_scalars_on_wheels, read_step};
use records::{kept_values, records};
use refusals::none_but_host;
pub use refusals::{with_steps_of_function, with_value_apart};
use step::{Extent, Foresight, Step, find_step};
use turning::{Turning, only_turns};
use values::{Around, looks};
pub use vouched::check_not_vouched;
use vouched::check_vouched;
pub use writing_out::{CallInPlace, Declarations};

/// Reads the loop behind a pragma as one that the host keeps; `None` if it does nothing but compute, or computes nothing.
///
/// # Errors
/// Its step is no nest, or the host does something between the sweeps that it must not.
pub fn read_kept(unit: &Unit, file: &FileTree, mark: Mark, refusal: &Diagnostic) -> Failable<Option<MarkedNest>> {
    let root = file.root;
    let Some(outer) = loop_at(root, unit.start_behind_pragma(mark.index)) else { return Ok(None) };
    check_syntax(unit, outer)?;
    if let Some(other) = unit.pragmas.iter().position(|(offset, _)| outer.byte_range().contains(offset)) {
        let message = "another nest is marked in this loop, which the host keeps";
        let span = pragma_at(unit, unit.pragmas[other].0)?.lines;
        let error = Diagnostic::error("kept-step", message, span);
        return Err(Box::new(error.with_help("take this pragma out: the loop's own is for all that it does")));
    }
    let program = Program::new(unit, file, Trust::Sound);
    let records = records(&program, outer);
    let read = |left: &[Node], derived| read_leaving(&program, root, (mark, outer), refusal, (left, derived));
    let found = read(&records, false);
    let pace = found.as_ref().ok().and_then(|it| it.as_ref()).map(Pace::of);
    if pace == Some(Pace::Ahead) {
        return found;
    }
    let left: Vec<Vec<Node>> =
        choices(&program, outer).into_iter().map(|chosen| [records.as_slice(), &chosen].concat()).collect();
    let mut others = left.iter().map(|left| read(left, false));
    let mut with_derived = [&records].into_iter().chain(&left).map(|left| read(left, true));
    let is_better =
        |it: Failable<Option<MarkedNest>>| it.ok().flatten().filter(|it| pace.is_none_or(|pace| Pace::of(it) < pace));
    let without = others.find_map(is_better).or_else(|| with_derived.find_map(is_better));
    without.map_or(found, |without| Ok(Some(without)))
}

/// How often the device waits for the host.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Pace {
    /// It need not in each step.
    Ahead,
    /// In each step, as the host folds what that gives in order.
    Folding,
    /// In each step, as the host needs arrays.
    Sharing,
}

impl Pace {
    fn of(marked: &MarkedNest) -> Self {
        let shares = |place: &Place| place.is_within && place.is_each_step && place.need >= Need::Read;
        match &marked.kept {
            Some(kept) if kept.alone.is_some() || kept.places.iter().any(shares) => Self::Sharing,
            _ if waits_for_order(marked) => Self::Folding,
            _ => Self::Ahead,
        }
    }
}

/// Why a loop is not kept in which the host would store in an array what a step folds, as in `sums[t] = sqrt(sum / n);`.
pub fn refusal_of_values(unit: &Unit, file: &FileTree, mark: Mark, refusal: &Diagnostic) -> Option<Box<Diagnostic>> {
    let root = file.root;
    let outer = loop_at(root, unit.start_behind_pragma(mark.index))?;
    let program = Program::new(unit, file, Trust::Sound);
    let values = kept_values(&program, outer);
    let left = [records(&program, outer), values.clone()].concat();
    let read = || read_leaving(&program, root, (mark, outer), refusal, (&left, false));
    (!values.is_empty()).then(|| read().err()).flatten().filter(|it| it.code == "kept-step")
}

/// Whether one loop in that behind a pragma takes sub-steps.
pub fn has_sub_steps(unit: &Unit, file: &FileTree, index: usize) -> bool {
    let outer = loop_at(file.root, unit.start_behind_pragma(index));
    outer.is_some_and(|outer| frames::has_sub_steps(&Program::new(unit, file, Trust::Sound), outer))
}

/// Reads the loop behind a pragma with a step of the only loop in it that takes sub-steps.
pub fn read_sub_steps(unit: &Unit, file: &FileTree, mark: Mark) -> Option<MarkedNest> {
    read_otherwise(unit, file, mark, Reading::Within)
}

/// Reads the loop behind a pragma as one of which the host takes one step after the other, whatever else it does.
pub fn read_each_step(unit: &Unit, file: &FileTree, mark: Mark) -> Option<MarkedNest> {
    read_otherwise(unit, file, mark, Reading::EachStep)
}

fn read_otherwise(unit: &Unit, file: &FileTree, mark: Mark, reading: Reading) -> Option<MarkedNest> {
    let root = file.root;
    let outer = loop_at(root, unit.start_behind_pragma(mark.index))?;
    let program = Program::new(unit, file, Trust::Sound);
    let found = read_loop(&program, root, (mark, outer), reading);
    found.ok().flatten().map(|(marked, _)| marked)
}

/// Reads the loop `outer`, of whose statements some are left to the host; with `derived` what is made of folded scalars behind sweeps
/// belongs to the step.
fn read_leaving<'t>(
    program: &Program<'_, '_, 't>,
    root: Node<'t>,
    (mark, outer): (Mark, Node<'t>),
    refusal: &Diagnostic,
    (left, derived): (&[Node<'t>], bool),
) -> Failable<Option<MarkedNest>> {
    let mut sound = program.anew(Trust::Sound);
    sound.joins_derived = derived;
    sound.leave_to_host(left);
    let found = read_foreseeing(&sound, root, (mark, outer), refusal);
    if matches!(found, Ok(Some(_))) || !sound.has_trusted() {
        return found.and_then(|found| found.map_or_else(|| none_but_host(&sound, outer, refusal), |it| Ok(Some(it))));
    }
    let mut doubted = program.anew(Trust::Doubt);
    doubted.joins_derived = derived;
    doubted.leave_to_host(left);
    match (read_foreseeing(&doubted, root, (mark, outer), refusal), found) {
        (Ok(Some(found)), _) => Ok(Some(found)),
        (_, Err(refusal)) | (Err(refusal), _) => Err(refusal),
        _ => none_but_host(&doubted, outer, refusal),
    }
}

/// Reads the loop `outer`; if what the host does around its step is foreseen, without that, too.
fn read_foreseeing<'t>(
    program: &Program<'_, '_, 't>,
    root: Node<'t>,
    outer: (Mark, Node<'t>),
    refusal: &Diagnostic,
) -> Failable<Option<MarkedNest>> {
    let read = |reading| read_loop(program, root, outer, reading);
    let Some((mut marked, foresees)) = read(Reading::Foreseeing(refusal))? else { return Ok(None) };
    if foresees != Foresight::Nothing {
        let plain = match read(Reading::Plain(refusal)) {
            Err(_) if foresees == Foresight::Certain => return Ok(Some(marked)),
            plain => plain?,
        };
        let Some((plain, _)) = plain else { return Ok(None) };
        if !only_turns(&marked.nest, &plain.nest) {
            return Ok(Some(plain));
        }
        marked.plain = Some(Box::new(plain));
    }
    marked.within = read(Reading::Within).ok().flatten().map(|(within, _)| Box::new(within));
    Ok(Some(marked))
}

/// How a loop is read; with why it is no nest as a whole.
#[derive(Clone, Copy)]
enum Reading<'d> {
    /// With what the host does around its step.
    Foreseeing(&'d Diagnostic),
    /// Without.
    Plain(&'d Diagnostic),
    /// With a step of a loop within it.
    Within,
    /// With its own step, though it does nothing else.
    EachStep,
}

/// Reads the loop `outer` of a program of whose functions that sweep something is thought, and tells what is foreseen of what the
/// host does around its step. Folds that the device cannot tell in time are left to the host if there are sweeps beside them.
fn read_loop<'t>(
    program: &Program<'_, '_, 't>,
    root: Node<'t>,
    (mark, outer): (Mark, Node<'t>),
    reading: Reading,
) -> Failable<Option<(MarkedNest, Foresight)>> {
    let read = |may_fold| read_loop_as(program, root, (mark, outer), (reading, may_fold));
    let has_folds = || matches!(find_step(program, outer, Extent::Folds), Ok(Some(_)));
    match read(true) {
        Err(refusal) if !matches!(reading, Reading::Within) && has_folds() => {
            read(false).ok().flatten().map(Some).ok_or(refusal)
        }
        found => found,
    }
}

/// The same, with or without a step that folds.
fn read_loop_as<'t>(
    program: &Program<'_, '_, 't>,
    root: Node<'t>,
    (mark, outer): (Mark, Node<'t>),
    (reading, may_fold): (Reading, bool),
) -> Failable<Option<(MarkedNest, Foresight)>> {
    let unit = program.unit;
    let may_foresee = matches!(reading, Reading::Foreseeing(_));
    let read = |step, folds| read_wide(program, root, mark, step, (folds, may_foresee));
    let found = match reading {
        Reading::Within => step_within(program, outer, &read, 0),
        Reading::EachStep => match find_step(program, outer, Extent::SweepsAlone)? {
            Some(step) => Some(read(step.without_counter(), false)?),
            None => None,
        },
        _ if has_loop_of_host(program, outer)
            && let Some(found) = step_within(program, outer, &read, 0) =>
        {
            Some(found)
        }
        Reading::Foreseeing(refusal) | Reading::Plain(refusal) => {
            match choose_step(program, outer, (refusal, may_fold), &read) {
                Ok(None) | Err(_) if let Some(found) = step_within(program, outer, &read, 0) => Some(found),
                found => found?,
            }
        }
    };
    let Some((mut step, mut marked)) = found else { return Ok(None) };
    let is_alone = ancestors(root, outer).first().is_some_and(|around| around.kind() != "compound_statement");
    if is_alone {
        // Nothing can be declared before it.
        step.declared.iter_mut().for_each(|it| it.outliving.clear());
    }
    let host_code = HostCode::new(program, root, &marked.nest, &mark.clauses.vouched).around(outer, &step);
    check_vouched(&host_code, &marked.nest, outer, &mark.clauses.vouched)?;
    let (mut places, fixed) = host_code.places(outer, &step)?;
    let mut found_bounds = None;
    if !marked.nest.step.folds.accumulators.is_empty() {
        let folds = &marked.nest.step.folds;
        let around = Around { program, root, outer, step: &step };
        let names: Vec<&str> = folds.left().map(|it| marked.nest.values.text(it.variable)).collect();
        // The call of a step brings what the step before it has folded, if a sweep needs that.
        let is_needed = needs_folded_before(&marked.nest);
        let looks = looks(&around, &marked.nest, &names, &[]).filter(|_| !folds.tells_early && !is_needed);
        // Within a step, what the one before it folds must be there before the first leg.
        let looks = looks.filter(|all| all.iter().all(|(span, _)| !step.is_around(unit, *span)));
        found_bounds = bounds(&around, &marked.nest, &places, &looks).filter(|_| !is_needed);
        marked.nest.step.folds.looks = match &looks {
            None => Looks::AfterEach,
            Some(places) if places.is_empty() => Looks::Behind,
            Some(_) => Looks::Within,
        };
        // Where the host looks at each step, the device runs ahead as long as scalars keep their values.
        let is_rare = looks.as_ref().is_some_and(|all| all.iter().all(|look| around.is_conditional(*look)));
        if let Some(time) = marked.nest.clock.time().filter(|_| is_rare) {
            put_scalars_on_wheels(&mut marked.nest, program, time, &step);
        }
        looks.into_iter().flatten().for_each(|look| add(&mut places, Place::of_values(look)));
    }
    watch(&mut marked.nest, fixed);
    marked.nest.step.may_exit = host_code.may_exit(outer);
    marked.nest.step.host_stores = places.iter().any(|place| !place.stored.is_empty());
    let reads_pieces = |place: &Place| place.parts.iter().any(|part| part.pieces.is_some());
    marked.nest.step.host_reads_pieces = places.iter().any(reads_pieces);
    for part in step.legs().into_iter().chain([&[outer][..]]) {
        unit.check_told_apart(part[0].start_byte(), part[part.len() - 1].end_byte())?;
    }
    let legs = step.spans(unit);
    marked.nest.span = legs[0].to(legs[legs.len() - 1]);
    let lasting = &step.lasting;
    places.retain(|place| lasting.iter().all(|it| it.span.start != place.span.start));
    marked.nest.dropped_words.extend(step.declared.iter().map(|it| it.span));
    marked.nest.dropped_words.extend(lasting.iter().map(|it| it.span));
    let declared = |outlives: bool| {
        let declared = step.declared.iter().filter(move |it| it.outliving.is_empty() != outlives);
        declared.map(|it| it.written.clone()).collect()
    };
    let (mut outliving, declared): (Vec<String>, _) = (declared(true), declared(false));
    outliving.extend(lasting.iter().flat_map(|it| it.written.iter().cloned()));
    let needing = places.iter().find_map(note_needed);
    let alone = note_beside(program, outer, &step);
    let alone = alone.or(needing).or_else(|| note_changed(&marked.nest, program, &step));
    let (span, foresees, step) = (unit.span(outer), step.foresees, step.start()..step.end());
    marked.kept =
        Some(KeptLoop { span, is_alone, legs, outliving, declared, places, bounds: found_bounds, alone, step });
    Ok(Some((marked, foresees)))
}

/// Whether a step is given what the one before it folds.
fn needs_folded_before(nest: &Nest) -> bool {
    nest.step.folds.left().any(|it| nest.is_given(it.variable))
}

/// Whether what is refused may be what the host does of a loop whose step is a nest: scalars, or when the loop ends.
fn may_be_left(refusal: &Diagnostic) -> bool {
    may_fold(refusal) || ["loop-bound", "loop-form"].contains(&refusal.code)
}

/// Whether what is refused stands in the loop's body, or in functions that it calls, beside the step.
fn is_beside<'t>(program: &Program<'_, '_, 't>, outer: Node<'t>, step: &Step<'t>, refusal: &Diagnostic) -> bool {
    let place = refusal.primary.span;
    let is_in = |whole: Span| whole.file == place.file && whole.start <= place.start && place.end <= whole.end;
    let reaches = |statements| program.bodies_of(statements, |_| true).any(|body| is_in(program.unit.span(body)));
    let body = outer.child_by_field_name("body").into_iter().collect();
    reaches(body) && !reaches(step.statements.clone())
}

/// Reads the step of a loop: one that folds scalars, if it may, where that brings more of the loop to the device or there is no
/// other.
fn choose_step<'t>(
    program: &Program<'_, '_, 't>,
    outer: Node<'t>,
    (refusal, may_fold_scalars): (&Diagnostic, bool),
    read: &impl Fn(Step<'t>, bool) -> Found<'t>,
) -> Failable<Option<(Step<'t>, MarkedNest)>> {
    let plain = find_step(program, outer, Extent::Sweeps);
    let folding = find_step(program, outer, Extent::Folds).ok().flatten().filter(|_| may_fold_scalars);
    let loops = |step: &Step| step.statements.iter().filter(|it| program.loops(**it)).count();
    let brings_more = folding.as_ref().is_some_and(|folding| match &plain {
        Ok(Some(plain)) => loops(folding) > loops(plain),
        Ok(None) => may_be_left(refusal),
        Err(_) => true,
    });
    let (first, second) = if brings_more { (folding, None) } else { (None, folding) };
    if let Some(step) = first
        && let Ok(found) = read(step, true)
    {
        return Ok(Some(found));
    }
    let Some(plain) = plain? else {
        let alone = find_step(program, outer, Extent::SweepsAlone).ok().flatten();
        let alone = alone.filter(|step| may_be_left(refusal) || is_beside(program, outer, step, refusal));
        return Ok(alone.and_then(|step| read(step, false).ok()));
    };
    match (read(plain, false), second) {
        (Err(error), Some(step)) if may_fold(&error) => read(step, true).map(Some),
        (found, _) => found.map(Some),
    }
}

/// Reads a step with the single elements that are stored around it, if that can be, without them, or with less.
fn read_wide<'t>(
    program: &Program<'_, '_, 't>,
    root: Node<'t>,
    mark: Mark,
    step: Step<'t>,
    (folds, may_foresee): (bool, bool),
) -> Found<'t> {
    let read_alone = |mut step: Step<'t>| -> Found<'t> {
        let read = |turning: &Turning<'t>| read_step(program, root, mark, (&step, turning), folds);
        let known = Turning::known(program, root, &step);
        let turning = may_foresee.then(|| Turning::of(program, &step, known.as_ref())).flatten();
        let mut all = turning.into_iter().chain(known);
        let turned = all.find_map(|turning| Some((read(&turning).ok()?, turning.foresight())));
        let ((marked, lasting), foresees) = match turned {
            Some(turned) => turned,
            None => (read(&Turning::default())?, Foresight::Nothing),
        };
        (step.foresees, step.lasting) = (foresees, lasting);
        Ok((step, marked))
    };
    let read = |step: Step<'t>| -> Found<'t> {
        let of_rows = |step: Step<'t>| step.of_rows(program).and_then(|step| read_alone(step).ok());
        read_alone(step.clone()).or_else(|refusal| of_rows(step).ok_or(refusal))
    };
    let (wide, mut less) = (step.with_points(program).map(read), step.with_less(program).map(read));
    let narrow = read(step).or_else(|refusal| less.find(Result::is_ok).unwrap_or(Err(refusal)));
    match (wide, narrow) {
        (Some(Ok(wide)), Ok(narrow)) if count_written(&wide.1.nest) > count_written(&narrow.1.nest) => Ok(narrow),
        (Some(Ok(wide)), Ok(narrow)) if is_changed(program, &wide) && !is_changed(program, &narrow) => Ok(narrow),
        (Some(Ok(wide)), _) => Ok(wide),
        // What stores elements within the step would be part of it if its variables had names here.
        (Some(Err(hidden)), Err(_)) if hidden.code == "undeclared" => Err(hidden),
        (_, narrow) => narrow,
    }
}

/// Whether each step may bring other sizes and places.
fn is_changed<'t>(program: &Program<'_, '_, 't>, (step, marked): &(Step<'t>, MarkedNest)) -> bool {
    note_changed(&marked.nest, program, step).is_some()
}

/// How many arrays a nest writes. If elements beside sweeps belong to none of theirs, nobody knows whether they are apart.
fn count_written(nest: &Nest) -> usize {
    let written = nest.step.statements.iter().map(|statement| nest.accesses[statement.write].array);
    written.collect::<BTreeSet<_>>().len()
}
