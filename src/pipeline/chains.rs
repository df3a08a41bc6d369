//! Nests whose arrays stay on the device from one to the next.

use super::input::NestOrErrors;
use crate::back::{self, ChainPlace};
use crate::front::{Chain, MarkedNest};
use crate::options::Options;
use crate::poly::Names;
use crate::source::Diagnostic;

/// Leaves nests apart where none may be in chains, where not all can be read, or the host could not go on if the device failed.
pub fn drop_chains(nests: &mut [NestOrErrors], options: &Options, may_be_chained: bool) {
    let may_be_chained = may_be_chained && nests.iter().all(Result::is_ok);
    let fails = |nest: &NestOrErrors| {
        let marked = nest.as_ref().ok()?;
        let chain = marked.chain.as_ref()?;
        let why_not = || back::can_take_steps(&marked.nest, &Names::new(&marked.nest));
        (!may_be_chained || options.takes_steps || why_not().is_some()).then_some(chain.first)
    };
    let broken: Vec<usize> = nests.iter().filter_map(fails).collect();
    let is_broken = |marked: &MarkedNest| marked.chain.as_ref().is_some_and(|it| broken.contains(&it.first));
    for marked in nests.iter_mut().flatten().filter(|marked| is_broken(marked)) {
        marked.chain = None;
    }
}

/// A nest's place in a chain; all nests of the file are `called` that.
pub fn chain_place(marked: &MarkedNest, called: &[String]) -> Option<ChainPlace> {
    let Chain { first, next, expected, .. } = marked.chain.as_ref()?;
    let name = &called[*first];
    Some(ChainPlace {
        name: format!("{name}_chain"),
        is_first: *name == marked.name,
        is_last: next.is_none(),
        expected: *expected,
    })
}

/// What is said of a nest whose arrays stay on the device.
pub fn note_resident(chain: &Chain, marked: &MarkedNest) -> Option<Diagnostic> {
    let message = "what this nest computes stays on the device for the next one";
    let note = Diagnostic::note("resident", message, marked.nest.pragma).with_label(chain.next?, "which is here");
    Some(note.because("nothing between the two needs their arrays"))
}
