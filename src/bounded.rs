//! Runs the translation of a file within a stack that suffices for all that is not refused, and ends it if it hangs.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::source::Diagnostic;

/// Stack of the thread that works; only what is used of it takes memory.
const STACK_BYTES: usize = 256 << 20;

/// Seconds that a translation may take by the clock on the wall, and for each nest on top of that. What is too complex is
/// refused by counts of operations, at the same place in every run, which takes a few seconds a nest where the machine is
/// slow; whoever gets here waits for something that those do not count.
const FIRST_SECONDS: u64 = 600;
const SECONDS_A_NEST: u64 = 60;

/// The result of `work`, which may be recursive.
///
/// Results never depend on the clock: work that takes too long is given up with an error that says so, and goes on until the
/// process ends.
///
/// # Errors
/// Those of `work`; the time is over; there is no memory for the stack.
pub fn run_bounded<T: Send + 'static>(
    nest_count: usize,
    work: impl FnOnce() -> Result<T, Vec<Diagnostic>> + Send + 'static,
) -> Result<T, Vec<Diagnostic>> {
    let seconds = FIRST_SECONDS.saturating_add(SECONDS_A_NEST.saturating_mul(nest_count as u64));
    run_for(Duration::from_secs(seconds), work)
}

fn run_for<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> Result<T, Vec<Diagnostic>> + Send + 'static,
) -> Result<T, Vec<Diagnostic>> {
    let (sender, receiver) = mpsc::channel();
    let worker = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || {
        // Nobody listens any more when the time is over.
        let _ = sender.send(work());
    });
    let worker = worker.map_err(|error| vec![no_stack(&error)])?;
    match receiver.recv_timeout(limit) {
        Ok(result) => result,
        Err(RecvTimeoutError::Timeout) => Err(vec![took_too_long(limit)]),
        Err(RecvTimeoutError::Disconnected) => match worker.join() {
            Err(panic) => std::panic::resume_unwind(panic),
            Ok(()) => unreachable!("the worker sends its result"),
        },
    }
}

fn took_too_long(limit: Duration) -> Diagnostic {
    let message = format!("the analysis of this file was given up after {} seconds", limit.as_secs());
    Diagnostic::error("too-slow", message, Default::default())
        .with_help("run it again if the machine was busy; else mark fewer or simpler nests and report this file")
}

fn no_stack(error: &std::io::Error) -> Diagnostic {
    Diagnostic::error("out-of-memory", format!("the analysis cannot be started: {error}"), Default::default())
        .with_help("raise the limit on virtual memory")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endless_work_is_given_up_and_deep_recursion_is_not() {
        let endless = || -> Result<(), Vec<Diagnostic>> {
            loop {
                std::hint::spin_loop();
            }
        };
        let diagnostics = run_for(Duration::from_millis(200), endless).expect_err("the time is over");
        assert_eq!(diagnostics[0].code, "too-slow");
        fn depth(left: usize) -> usize {
            if left == 0 { 0 } else { 1 + std::hint::black_box(depth)(left - 1) }
        }
        assert_eq!(run_bounded(0, || Ok(depth(1_000_000))).expect("a deep stack"), 1_000_000);
    }
}
