//! Where nests and calls stand in the user's file.

use crate::back::NestPlace;
use crate::front::{Asks, KeptLoop, MarkedNest, Need, Part, Pieces, Place};
use crate::rewrite::{KeptEdits, KeptEnd, KeptPlace, has_shared_conditionals, pragma_beside_code};
use crate::source::{Diagnostic, Preprocessed, SourceFile};

/// Where OpenMP counts, its pragmas stand directly above loops, so the nest's call must find a place above them.
pub fn check_call_place(
    source: &SourceFile,
    preprocessed: &Preprocessed,
    marked: &MarkedNest,
) -> Result<(), Vec<Diagnostic>> {
    check_kept_places(source, marked)?;
    let place = if is_guarded_as_step(marked) { marked.nest.span.start } else { marked.nest.pragma.start };
    let beside = || pragma_beside_code(source.bytes(), place);
    let Some(pragma) = Some(()).filter(|()| preprocessed.target().has_openmp).and_then(|()| beside()) else {
        return Ok(());
    };
    let message = "the nest's call has no place between this pragma and the code of another branch of its conditional";
    let error = Diagnostic::error("pragma-place", message, source.span(pragma.start, pragma.end))
        .with_help("put the pragma into a conditional of its own, directly above `#pragma stencil`");
    Err(vec![error])
}

/// In a loop that the host keeps a call finds no place between pragmas of OpenMP that other code shares conditionals with.
fn check_kept_places(source: &SourceFile, marked: &MarkedNest) -> Result<(), Vec<Diagnostic>> {
    let Some(kept) = &marked.kept else { return Ok(()) };
    let mut places = kept.places.iter().map(|place| place.span);
    let Some(place) = places.find(|place| has_shared_conditionals(source.bytes(), place.start)) else { return Ok(()) };
    let message = "a call has no place above this, between a pragma of OpenMP and other code in its conditional";
    let error = Diagnostic::error("pragma-place", message, place);
    Err(vec![error.with_help("put the pragma into a conditional of its own, directly above the loop")])
}

/// What a nest is called and where it stands that has this number.
pub fn place(source: &SourceFile, MarkedNest { nest, name, .. }: &MarkedNest, number: usize) -> NestPlace {
    let file = source.path().file_name().unwrap_or_default().to_string_lossy();
    let location = format!("{file}:{}", source.position(nest.pragma.start).0);
    NestPlace { name: name.clone(), number, location, chain: None }
}

/// Whether a nest is a step of a loop that the host keeps, or the last one of a chain, behind which something is called, too.
fn is_guarded_as_step(marked: &MarkedNest) -> bool {
    marked.kept.is_some() || marked.chain.as_ref().is_some_and(|chain| chain.end.is_some())
}

/// Where the calls of a nest stand; `None` if there is only the one in its place.
pub fn edits_of_step(marked: &MarkedNest, calls: &[String]) -> Option<KeptEdits> {
    is_guarded_as_step(marked).then(|| match &marked.kept {
        Some(kept) => KeptEdits { behind: ends(marked), ..kept_edits(kept, calls) },
        None => {
            let legs = vec![(marked.nest.span, calls[0].clone())];
            KeptEdits { behind: ends(marked), legs, ..KeptEdits::default() }
        }
    })
}

/// What is called behind a loop that the host keeps, and behind a chain.
fn ends(MarkedNest { nest, kept, chain, .. }: &MarkedNest) -> Vec<KeptEnd> {
    let of_chain = chain.as_ref().and_then(|chain| chain.end);
    let of_loop = kept.as_ref().map(|kept| (kept.span, kept.is_alone));
    let call =
        if chain.is_none() { Some("end") } else { Some("values").filter(|_| nest.step.folds.are_settled_late()) };
    let of_loop = of_loop.filter(|end| Some(*end) != of_chain).zip(call);
    let all = of_loop.into_iter().chain(of_chain.map(|end| (end, "end")));
    all.map(|((span, is_alone), call)| KeptEnd { span, is_alone, call }).collect()
}

/// Where the calls stand in a loop that the host keeps.
fn kept_edits(kept: &KeptLoop, calls: &[String]) -> KeptEdits {
    let legs = kept.legs.iter().copied().zip(calls.iter().cloned()).collect();
    let asked = |asks| match asks {
        Asks::Nothing => None,
        Asks::Comparisons => Some("compare"),
        Asks::Values => Some("values"),
    };
    let places = kept.places.iter().map(|it| KeptPlace {
        span: it.span,
        stands: it.stands,
        call: match it.need {
            Need::All => "end",
            Need::Store => "store",
            Need::Read => "sync",
            Need::Nothing => asked(it.asks).unwrap_or("values"),
        },
        scalars: asked(it.asks).filter(|_| matches!(it.need, Need::Read | Need::Store)),
        parts: anything(it)
            .chain(it.parts.iter().map(reading))
            .chain(it.stored.iter().enumerate().map(storing))
            .collect(),
    });
    let outliving = kept.outliving.iter().map(|declared| (kept.span, declared.clone())).collect();
    let declared = kept.declared.clone();
    KeptEdits { behind: Vec::new(), legs, outliving, declared, places: places.collect() }
}

/// The function that brings all arrays, where something is read besides what is stored that may be anywhere.
fn anything(place: &Place) -> impl Iterator<Item = (&'static str, String)> {
    place.reads_anything.then(|| ("sync", String::new())).into_iter()
}

/// The function that brings a part, and its arguments.
fn reading(part: &Part) -> (&'static str, String) {
    let function = match &part.pieces {
        Some(Pieces::Rows { .. }) => "sync_rows",
        Some(Pieces::Behind { .. }) => "sync_behind",
        None => return ("sync_part", range(part)),
    };
    (function, with_pieces(part))
}

/// The function that is told of a part that will be stored, and its arguments.
fn storing((number, part): (usize, &Part)) -> (&'static str, String) {
    let function = match (&part.pieces, number) {
        (Some(Pieces::Behind { .. }), 0) => "store_behind",
        (Some(Pieces::Behind { .. }), _) => "store_behind_too",
        (_, 0) => "store",
        _ => "store_too",
    };
    (function, with_pieces(part))
}

fn range(Part { from, to, .. }: &Part) -> String {
    format!("{from}, {}", to.as_deref().unwrap_or("0"))
}

fn with_pieces(part: &Part) -> String {
    let (one, other) = match &part.pieces {
        Some(Pieces::Rows { stride, length }) => (stride.as_str(), length.as_str()),
        Some(Pieces::Behind { first, end }) => (first.as_str(), end.as_str()),
        None => ("0", "0"),
    };
    format!("{}, {one}, {other}", range(part))
}
