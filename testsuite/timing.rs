//! How long tests take: the twenty slowest and the sum of each group, told at the end of a run.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// So many of the slowest tests are named.
const SLOWEST: usize = 20;

/// Names of the tests that have ended, with their wall time.
static TIMES: Mutex<Vec<(String, Duration)>> = Mutex::new(Vec::new());

/// Runs `check` and keeps how long it took.
pub fn timed<T>(name: String, check: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = check();
    TIMES.lock().unwrap_or_else(PoisonError::into_inner).push((name, start.elapsed()));
    result
}

/// Two tables, if several tests have run.
pub fn print_times() {
    let mut times = std::mem::take(&mut *TIMES.lock().unwrap_or_else(PoisonError::into_inner));
    if times.len() < 2 {
        return;
    }
    times.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
    let slowest = times.iter().take(SLOWEST).map(|(name, time)| line(*time, name));
    let groups = group_times(&times);
    let groups = groups.iter().map(|(group, (time, count))| line(*time, &format!("{group} ({count} tests)")));
    print("the slowest tests", slowest);
    print("all tests of each group, which run side by side", groups);
}

/// The sum over the tests of each group, and their number; the longest first.
fn group_times(times: &[(String, Duration)]) -> Vec<(&str, (Duration, usize))> {
    let mut groups: BTreeMap<&str, (Duration, usize)> = BTreeMap::new();
    for (name, time) in times {
        let sum = groups.entry(name.split("::").next().unwrap_or(name)).or_default();
        *sum = (sum.0 + *time, sum.1 + 1);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, (time, _))| std::cmp::Reverse(*time));
    groups
}

fn line(time: Duration, what: &str) -> String {
    format!("{:9.2} s  {what}\n", time.as_secs_f64())
}

fn print(title: &str, lines: impl Iterator<Item = String>) {
    // Nobody listens if stdout is closed.
    let _ = write!(std::io::stdout(), "{title}:\n{}\n", lines.collect::<String>());
}
