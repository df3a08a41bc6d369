//! Stages in the text and the levels that they stand for.

use crate::kernel::Index;
use crate::kernel::inputs::steps_before;
use crate::tile::StreamStage;

/// The loop variable over steady levels.
pub(super) const AHEAD: &str = "ahead";

/// A stage in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn<'a> {
    /// The stage, of the first level that the text stands for.
    pub at: StreamStage<'a>,
    /// How many levels later the one is that it does at the time.
    pub ahead: Ahead,
}

/// A number of levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ahead {
    /// None.
    None,
    /// Those that the launch leaves out.
    Skipped,
    /// The loop variable, which begins with those.
    Loop,
}

impl Ahead {
    /// The number.
    pub fn levels(self) -> Index {
        match self {
            Self::None => Index::Const(0),
            Self::Skipped => Index::name("skipped"),
            Self::Loop => Index::name(AHEAD),
        }
    }

    /// An index that moves by `step` with every level.
    pub fn moves(self, index: Index, step: i64) -> Index {
        moved(index, self.levels(), step)
    }

    /// Steps that are complete before.
    pub fn steps_before(self, level: usize, may_skip: bool) -> Index {
        let before = match self {
            Self::Loop => steps_before(level).sum(self.levels()),
            Self::None | Self::Skipped => steps_before(level),
        };
        if may_skip && self != Self::Skipped { before.minus(Index::name("skipped")) } else { before }
    }

    /// The level, for readers.
    pub fn name_of(self, level: usize) -> String {
        match self {
            Self::None => format!("level {level}"),
            Self::Skipped => format!("level {level} + skipped"),
            Self::Loop => format!("level {level} + {AHEAD}"),
        }
    }
}

/// `index + times * step`
pub(super) fn moved(index: Index, times: Index, step: i64) -> Index {
    match (times, step) {
        (Index::Const(times), _) => index.plus(times * step),
        (_, 0) => index,
        (times, 1..) => index.sum(times.times(step)),
        (times, _) => index.minus(times.times(-step)),
    }
}
