//! How much longer a search takes.

use std::time::Duration;

/// The time of measurements so far. Plans from the journal take none and do not count.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    measured: u32,
    spent: Duration,
}

impl Pace {
    /// Adds a measurement.
    pub fn add(&mut self, spent: Duration) {
        self.measured += 1;
        self.spent += spent;
    }

    /// Time for that many more plans, by the mean of all so far; `None` before the first.
    pub fn left(&self, plans: u64) -> Option<Duration> {
        let mean = self.spent.checked_div(self.measured)?;
        Some(mean.saturating_mul(u32::try_from(plans).unwrap_or(u32::MAX)))
    }
}

/// A time in words as coarse as it is sure.
pub fn roughly(time: Duration) -> String {
    match time.as_secs() {
        0..10 => "a few seconds".to_owned(),
        seconds @ 10..90 => format!("about {} s", seconds.div_ceil(10) * 10),
        seconds => format!("about {} min", seconds.div_ceil(60)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_long_measurement_does_not_make_the_time_jump() {
        let mut pace = Pace::default();
        assert_eq!(pace.left(10), None);
        (0..20).for_each(|_| pace.add(Duration::from_secs(2)));
        let before = pace.left(10).expect("a time");
        pace.add(Duration::from_secs(4));
        let after = pace.left(9).expect("a time");
        assert!(after < before && after > before / 2, "{before:?}, {after:?}");
    }

    #[test]
    fn times_are_told_coarsely() {
        let told = [3, 34, 61, 200].map(|seconds| roughly(Duration::from_secs(seconds)));
        assert_eq!(told, ["a few seconds", "about 40 s", "about 70 s", "about 4 min"]);
    }
}
