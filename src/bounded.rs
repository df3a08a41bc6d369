//! Runs the translation of a file within a stack and a time that suffice for all that is not refused.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

use crate::source::Diagnostic;

/// Stack of the thread that works; only what is used of it takes memory.
const STACK_BYTES: usize = 256 << 20;

/// Processor time for the translation of a file with few nests.
const FIRST_SECONDS: f64 = 4.0;

/// Processor time for each nest, many times what ordinary ones take.
const SECONDS_A_NEST: f64 = 0.2;

/// How often the clock is looked at.
const INTERVAL: Duration = Duration::from_millis(50);

/// The result of `work`, which may be recursive and may take long.
///
/// The operation limit of isl nearly always ends what takes too long, at the same place in every run. It counts
/// operations on numbers of any length alike, so this clock stands behind it. Work that is given up goes on until the
/// process ends.
///
/// # Errors
/// Those of `work`; the time is over; there is no memory for the stack.
pub fn run_bounded<T: Send + 'static>(
    nest_count: usize,
    work: impl FnOnce() -> Result<T, Vec<Diagnostic>> + Send + 'static,
) -> Result<T, Vec<Diagnostic>> {
    let seconds = FIRST_SECONDS + SECONDS_A_NEST * nest_count as f64;
    let (sender, receiver) = mpsc::channel();
    let worker = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || {
        // Nobody listens any more when the time is over.
        let _ = sender.send(work());
    });
    let worker = worker.map_err(|error| vec![no_stack(&error)])?;
    let clock = Clock::start();
    loop {
        match receiver.recv_timeout(INTERVAL) {
            Ok(result) => return result,
            Err(RecvTimeoutError::Timeout) if clock.seconds() < seconds => {}
            Err(RecvTimeoutError::Timeout) => return Err(vec![took_too_long(seconds)]),
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => unreachable!("the worker sends its result"),
            },
        }
    }
}

/// Time since its start: the processor's, so that a busy machine makes no difference, but never more than has passed,
/// so that other threads of the process do not count.
struct Clock {
    processor: ProcessTime,
    wall: Instant,
}

impl Clock {
    fn start() -> Self {
        Self { processor: ProcessTime::now(), wall: Instant::now() }
    }

    fn seconds(&self) -> f64 {
        self.processor.elapsed().min(self.wall.elapsed()).as_secs_f64()
    }
}

fn took_too_long(seconds: f64) -> Diagnostic {
    let message = format!("the analysis of this file was given up after {seconds:.1} seconds");
    Diagnostic::error("too-complex", message, Default::default())
        .with_help("divisions and remainders in subscripts and conditions cost most: mark fewer or simpler nests")
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
        let diagnostics = run_bounded(0, endless).expect_err("the time is over");
        assert_eq!(diagnostics[0].code, "too-complex");
        fn depth(left: usize) -> usize {
            if left == 0 { 0 } else { 1 + std::hint::black_box(depth)(left - 1) }
        }
        assert_eq!(run_bounded(0, || Ok(depth(1_000_000))).expect("a deep stack"), 1_000_000);
    }
}
