//! What soaks of all kinds do: seeds for all cores until the time is over.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};

use crate::timing::print_command_times;

/// The first words of a soak's command line, `MINUTES [FIRST-SEED [FOLDER]]`.
pub struct Soak {
    name: &'static str,
    time: Duration,
    first_seed: u64,
    /// A program has so many seeds and begins at a multiple of them, so that a seed is in the same program always.
    step: u64,
    /// Where failures are kept.
    pub folder: PathBuf,
}

impl Soak {
    pub fn new(name: &'static str, step: u64, arguments: &[String], usage: &str) -> Result<Self> {
        let minutes: f64 =
            arguments.first().with_context(|| usage.to_owned())?.parse().context("MINUTES is no number")?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
        let first = arguments.get(1).map_or(Ok(now * 1000), |seed| seed.parse()).context("FIRST-SEED is no number")?;
        let first_seed = first / step * step;
        let beside = || std::env::temp_dir().join(format!("{name}-{first_seed}"));
        let folder = arguments.get(2).map_or_else(beside, PathBuf::from);
        Ok(Self { name, time: Duration::from_secs_f64(60.0 * minutes), first_seed, step, folder })
    }

    /// Lets all cores work on seeds, on no more than so many, and says how that went; true if nothing failed.
    pub fn run<T: Tally>(&self, seeds: u64, work: impl Fn(u64, &Mutex<T>) + Sync) -> Result<bool> {
        fs::create_dir_all(&self.folder)?;
        let (workers, folder) = (thread::available_parallelism()?.get(), self.folder.display());
        say(&format!("{}: seeds from {}, {workers} workers, failures in {folder}", self.name, self.first_seed));
        let tally = Mutex::new(T::default());
        let (next, start) = (AtomicU64::new(self.first_seed), Instant::now());
        let is_left = |seed: &u64| *seed < self.first_seed.saturating_add(seeds);
        let work = || {
            while start.elapsed() < self.time {
                let seed = Some(next.fetch_add(self.step, Ordering::Relaxed)).filter(is_left);
                let Some(seed) = seed else { break };
                work(seed, &tally);
            }
        };
        thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
        let tally = tally.into_inner().expect("no worker panicked");
        say(&tally.describe(start.elapsed()));
        print_command_times();
        Ok(!tally.has_failures())
    }
}

/// Counts of what was done.
pub trait Tally: Default + Send {
    fn has_failures(&self) -> bool;

    fn describe(&self, time: Duration) -> String;
}

/// The exit code of a soak that ended so.
pub fn exit_code(name: &str, end: Result<bool>) -> ExitCode {
    match end {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            say(&format!("{name}: {error:#}"));
            ExitCode::from(2)
        }
    }
}

/// Prints a line. A soak whose output nobody reads any more still keeps what fails.
pub fn say(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}
