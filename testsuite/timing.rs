//! How long tests take: the twenty slowest, the sum of each group and that of each program which they ran, told at the end of a
//! run.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// So many of the slowest tests are named.
const SLOWEST: usize = 20;

/// Names of the tests that have ended, with their wall time.
static TIMES: Mutex<Vec<(String, Duration)>> = Mutex::new(Vec::new());

/// Names of programs that tests ran, with their wall time.
static COMMANDS: Mutex<BTreeMap<String, (Duration, usize)>> = Mutex::new(BTreeMap::new());

/// So many of the programs that took longest are named.
const LONGEST: usize = 10;

/// Keeps how long a program runs, until it is dropped.
pub struct CommandTimer {
    name: String,
    start: Instant,
}

impl CommandTimer {
    /// For the program at `path`, which starts now.
    pub fn new(path: &Path) -> Self {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Self { name, start: Instant::now() }
    }
}

impl Drop for CommandTimer {
    fn drop(&mut self) {
        let mut commands = COMMANDS.lock().unwrap_or_else(PoisonError::into_inner);
        let sum = commands.entry(std::mem::take(&mut self.name)).or_default();
        *sum = (sum.0 + self.start.elapsed(), sum.1 + 1);
    }
}

/// Runs `check` and keeps how long it took.
pub fn timed<T>(name: String, check: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = check();
    TIMES.lock().unwrap_or_else(PoisonError::into_inner).push((name, start.elapsed()));
    result
}

/// Three tables, if several tests have run.
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
    print_command_times();
}

/// What ran longest.
pub fn print_command_times() {
    let commands = std::mem::take(&mut *COMMANDS.lock().unwrap_or_else(PoisonError::into_inner));
    let mut commands: Vec<_> = commands.into_iter().collect();
    commands.sort_by_key(|(_, (time, _))| std::cmp::Reverse(*time));
    let commands =
        commands.iter().take(LONGEST).map(|(name, (time, count))| line(*time, &format!("{name} ({count} times)")));
    print("the programs that took longest, all times that they ran", commands);
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
