//! How fast a plan is, and how sure that is.

use serde::{Deserialize, Serialize};
use std::fmt::{self, Display};

/// The rate of several runs, in GCells/s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rate {
    /// Half of the runs are faster.
    pub median: f64,
    /// How far the middle half of the runs lie from it at most.
    pub spread: f64,
}

impl Rate {
    /// That of at least one run.
    pub fn of_runs(mut runs: Vec<f64>) -> Option<Self> {
        runs.sort_by(f64::total_cmp);
        let last = runs.len().checked_sub(1)?;
        let median = (runs[last / 2] + runs[last.div_ceil(2)]) / 2.0;
        let (low, high) = (runs[last / 4], runs[last - last / 4]);
        Some(Self { median, spread: (median - low).max(high - median) })
    }

    /// Whether the difference is more than chance explains.
    pub fn is_clearly_above(&self, other: &Self) -> bool {
        self.median - other.median > self.spread.max(other.spread)
    }
}

impl Display for Rate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = if self.median > 0.0 { 100.0 * self.spread / self.median } else { 0.0 };
        write!(formatter, "{:.3} GCells/s (± {percent:.1} %)", self.median)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slow_run_in_five_is_no_spread() {
        let rate = Rate::of_runs(vec![2.0, 0.5, 2.1, 1.9, 2.0]).expect("runs");
        assert!((rate.median - 2.0).abs() < 1e-9 && (rate.spread - 0.1).abs() < 1e-9, "{rate:?}");
        assert_eq!(rate.to_string(), "2.000 GCells/s (± 5.0 %)");
        assert_eq!(Rate::of_runs(Vec::new()), None);
        assert_eq!(Rate::of_runs(vec![3.0]), Some(Rate { median: 3.0, spread: 0.0 }));
    }

    #[test]
    fn what_is_within_the_spread_is_not_better() {
        let present = Rate { median: 2.0, spread: 0.1 };
        assert!(!Rate { median: 2.05, spread: 0.0 }.is_clearly_above(&present));
        assert!(!Rate { median: 2.15, spread: 0.2 }.is_clearly_above(&present));
        assert!(Rate { median: 2.15, spread: 0.1 }.is_clearly_above(&present));
    }
}
