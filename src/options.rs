//! What the user chose, beyond what the pragmas say.

use crate::ir::{Clauses, FpMode, StrategyName};
use crate::source::Preprocessor;

/// Choices that hold for a whole run of the tool.
#[derive(Clone, Debug)]
pub struct Options {
    /// Tuning flags; they win over clauses.
    pub tuning: Tuning,
    /// The floating-point mode where neither a flag nor a clause names one.
    pub default_fp: FpMode,
    /// Whether the original nests are dropped, so that a failure of the device ends the program.
    pub no_fallback: bool,
    /// Whether a nest that cannot be rewritten stays as it is, with a warning.
    pub keep_unsupported: bool,
    /// How the input is preprocessed.
    pub preprocessor: Preprocessor,
}

/// How a nest is to be run; `None` and empty where nothing is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tuning {
    /// Kernel strategy.
    pub strategy: Option<StrategyName>,
    /// Time steps per kernel launch.
    pub time_tile: Option<u32>,
    /// Cells of a tile, fastest dimension first.
    pub tile: Vec<u32>,
    /// Shape of a work-group in work-items, fastest dimension first.
    pub work_group: Vec<u32>,
    /// Points per work-item along the fastest dimension.
    pub per_item: Option<u32>,
    /// Floating-point mode.
    pub fp: Option<FpMode>,
}

impl Options {
    /// What is asked for a nest with these clauses: flags first, then clauses.
    pub fn tuning_for(&self, clauses: &Clauses) -> Tuning {
        let longer = |flag: &Vec<u32>, clause: &Vec<u32>| if flag.is_empty() { clause.clone() } else { flag.clone() };
        Tuning {
            strategy: self.tuning.strategy.or(clauses.strategy),
            time_tile: self.tuning.time_tile.or(clauses.time_tile),
            tile: longer(&self.tuning.tile, &clauses.tile),
            work_group: longer(&self.tuning.work_group, &clauses.work_group),
            per_item: self.tuning.per_item.or(clauses.per_item),
            fp: self.tuning.fp.or(clauses.fp),
        }
    }

    /// The floating-point mode of a nest with these clauses.
    pub fn fp_for(&self, clauses: &Clauses) -> FpMode {
        self.tuning.fp.or(clauses.fp).unwrap_or(self.default_fp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_win_over_clauses_and_clauses_over_defaults() {
        let preprocessor = Preprocessor { compiler: vec!["cc".into()], flags: Vec::new() };
        let tuning = Tuning { time_tile: Some(4), tile: vec![32], ..Tuning::default() };
        let mut options =
            Options { tuning, default_fp: FpMode::Contract, no_fallback: false, keep_unsupported: false, preprocessor };
        let clauses = Clauses { time_tile: Some(2), tile: vec![8, 8], per_item: Some(3), ..Clauses::default() };
        let chosen = options.tuning_for(&clauses);
        assert_eq!((chosen.time_tile, chosen.tile, chosen.per_item), (Some(4), vec![32], Some(3)));
        assert_eq!(options.fp_for(&clauses), FpMode::Contract);
        assert_eq!(options.fp_for(&Clauses { fp: Some(FpMode::Strict), ..clauses.clone() }), FpMode::Strict);
        options.tuning.fp = Some(FpMode::Fast);
        assert_eq!(options.fp_for(&Clauses { fp: Some(FpMode::Strict), ..clauses }), FpMode::Fast);
    }
}
