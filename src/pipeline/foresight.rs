//! Nests that may be read in several ways. Those that foresee what the host does around their steps do without where that is more
//! than can be analysed. A loop over frames of several steps each may be read as one whose step is a frame, or as one that has a
//! loop over steps in it.

use crate::front::MarkedNest;
use crate::ir::Nest;
use crate::source::Diagnostic;
use crate::{poly, valid};

/// Chooses how nests in chains are read, once `read_within` has read them as loops over steps within, too; chains whose nests are
/// others now are none.
pub fn choose_in_chains<E>(nests: &mut [Result<MarkedNest, E>], read_within: impl Fn(&mut MarkedNest, usize)) {
    let numbered = nests.iter_mut().enumerate().filter_map(|(index, nest)| Some((index, nest.as_mut().ok()?)));
    let chained = numbered.filter(|(_, marked)| marked.chain.is_some());
    let broken = chained.filter_map(|(index, marked)| {
        read_within(marked, index);
        choose_in_chain(marked)
    });
    let broken: Vec<usize> = broken.collect();
    let is_broken = |marked: &MarkedNest| marked.chain.as_ref().is_some_and(|it| broken.contains(&it.first));
    nests.iter_mut().flatten().filter(|marked| is_broken(marked)).for_each(|marked| marked.chain = None);
}

/// Chooses how a nest is read that is in a chain; the first nest of the chain if it is another one now.
fn choose_in_chain(marked: &mut MarkedNest) -> Option<usize> {
    let chain = marked.chain.take()?;
    if choose(marked) {
        return Some(chain.first);
    }
    marked.chain = Some(chain);
    None
}

/// Chooses how a nest is read; whether it is another one now.
pub fn choose(marked: &mut MarkedNest) -> bool {
    let foresees_too_much = marked.plain.is_some() && !can_be_analysed(&marked.nest);
    if foresees_too_much {
        marked.foresee_nothing();
    }
    let has_steps_within =
        marked.within.as_ref().is_some_and(|within| !can_be_analysed(&marked.nest) && can_be_analysed(&within.nest));
    if has_steps_within {
        marked.step_within();
    }
    foresees_too_much || has_steps_within
}

fn can_be_analysed(nest: &Nest) -> bool {
    poly::analyse(nest, |analysis| valid::check_recorded(analysis).is_ok()).unwrap_or(false)
}

/// Does something with a nest, read in the first of the possible ways for which that can be done; outside of chains alone is
/// there more than one, and the last one may be read by `read_within`, which is told why the others do not do. It returns how it was
/// read, too.
///
/// # Errors
/// Why it cannot be done without what it foresees.
pub fn with_reading<T>(
    mut marked: MarkedNest,
    read_within: impl FnOnce(&mut MarkedNest, &[Diagnostic]),
    mut work: impl FnMut(&MarkedNest) -> Result<T, Vec<Diagnostic>>,
) -> Result<(MarkedNest, T), Vec<Diagnostic>> {
    let mut done = work(&marked);
    if marked.chain.is_none() {
        if done.is_err() && marked.plain.is_some() {
            marked.foresee_nothing();
            done = work(&marked);
        }
        if let Err(refusals) = &done {
            read_within(&mut marked, refusals);
        }
        if done.is_err() && marked.within.is_some() {
            marked.step_within();
            done = work(&marked).or(done);
        }
    }
    done.map(|done| (marked, done))
}
