//! What the checks have looked at, counted over all tests of a run.

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The counts of one group of checks.
pub struct Tally {
    group: &'static str,
    programs: AtomicUsize,
    runs: AtomicUsize,
    launches: AtomicUsize,
}

pub static KERNELS: Tally = Tally::new("kernels");
pub static HOST: Tally = Tally::new("host");
pub static POISON: Tally = Tally::new("poison");

impl Tally {
    const fn new(group: &'static str) -> Self {
        Self { group, programs: AtomicUsize::new(0), runs: AtomicUsize::new(0), launches: AtomicUsize::new(0) }
    }

    /// A program, built in one way, has passed `runs` runs with so many kernel launches.
    pub fn add(&self, runs: usize, launches: usize) {
        self.programs.fetch_add(1, Ordering::Relaxed);
        self.runs.fetch_add(runs, Ordering::Relaxed);
        self.launches.fetch_add(launches, Ordering::Relaxed);
    }

    fn print(&self) {
        let [programs, runs, launches] =
            [&self.programs, &self.runs, &self.launches].map(|count| count.load(Ordering::Relaxed));
        if programs > 0 {
            // Nobody listens if stdout is closed.
            let text = format!("{programs} programs, {runs} runs, {launches} kernel launches");
            let _ = writeln!(std::io::stdout(), "{}: {text} without fault", self.group);
        }
    }
}

/// One line for each group that has checked anything.
pub fn print_counts() {
    [&KERNELS, &HOST, &POISON].into_iter().for_each(Tally::print);
}
