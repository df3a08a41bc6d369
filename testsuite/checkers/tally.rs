//! What the checks have looked at, counted over all tests of a run.

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The counts of one group of checks.
pub struct Tally {
    group: &'static str,
    builds: AtomicUsize,
    runs: AtomicUsize,
    launches: AtomicUsize,
    kernels: AtomicUsize,
    kernels_run: AtomicUsize,
}

pub static KERNELS: Tally = Tally::new("kernels");
pub static HOST: Tally = Tally::new("host");
pub static POISON: Tally = Tally::new("poison");

impl Tally {
    const fn new(group: &'static str) -> Self {
        let [builds, runs, launches, kernels, kernels_run] = [const { AtomicUsize::new(0) }; 5];
        Self { group, builds, runs, launches, kernels, kernels_run }
    }

    /// A program under one plan has passed `runs` runs with so many kernel launches.
    pub fn add(&self, runs: usize, launches: usize) {
        self.builds.fetch_add(1, Ordering::Relaxed);
        self.runs.fetch_add(runs, Ordering::Relaxed);
        self.launches.fetch_add(launches, Ordering::Relaxed);
    }

    /// Of the `kernels` of a plan so many have run at least once: the deepest time tiles need enough steps.
    pub fn add_kernels(&self, run: usize, kernels: usize) {
        self.kernels_run.fetch_add(run, Ordering::Relaxed);
        self.kernels.fetch_add(kernels, Ordering::Relaxed);
    }

    fn print(&self) {
        let [builds, runs, launches, kernels, run] =
            [&self.builds, &self.runs, &self.launches, &self.kernels, &self.kernels_run]
                .map(|count| count.load(Ordering::Relaxed));
        if builds == 0 {
            return;
        }
        let mut text = format!("{builds} builds, {runs} runs, {launches} kernel launches without fault");
        if kernels > 0 {
            text += &format!("; {run} of {kernels} kernels have run");
        }
        // Nobody listens if stdout is closed.
        let _ = writeln!(std::io::stdout(), "{}: {text}", self.group);
    }
}

/// One line for each group that has checked anything.
pub fn print_counts() {
    [&KERNELS, &HOST, &POISON].into_iter().for_each(Tally::print);
}
