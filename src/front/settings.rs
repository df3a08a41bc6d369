//! Calls that set something by which no nest computes, such as the number of OpenMP's threads: the driver makes those of the last
//! iteration.

use tree_sitter::Node;

use super::Failable;
use super::integers::is_invariant;
use super::reader::Reader;
use super::symbols::Symbol;
use super::types::CType;
use crate::ir::{Loop, Replay, ScalarType, Setting};

/// Functions of OpenMP that get an `int`, return nothing, and change how later regions are run.
const SETTING: [&str; 4] = ["omp_set_dynamic", "omp_set_max_active_levels", "omp_set_nested", "omp_set_num_threads"];

/// Whether a function sets something by which no nest computes.
pub fn is_setting(name: &str) -> bool {
    SETTING.contains(&name)
}

impl<'t> Reader<'_, '_, 't> {
    /// Notes a call that sets something, in each iteration of the loops around it; of any other call nothing.
    pub fn note_setting(&mut self, name: &str, argument: Node<'t>) -> Failable<bool> {
        let Some(function) = SETTING.into_iter().find(|it| *it == name).filter(|_| self.is_of_library(name)) else {
            return Ok(false);
        };
        // A loop that may be empty in the last iteration of one around it would leave what an earlier iteration has set.
        let is_steady = |this: &Loop| is_invariant(self, this.first) && is_invariant(self, this.bound);
        let are_steady = self.loops.iter().all(|this| is_steady(&self.nest.loops[*this]));
        if self.is_under_condition() || !are_steady {
            return Ok(false);
        }
        let value = self.scalar(argument)?;
        let value = self.convert(value, ScalarType::I32);
        let is_known = self.why_unknown(value).is_none();
        if is_known {
            self.replay.push(Replay::Setting(Setting { function, value }));
        }
        Ok(is_known)
    }

    /// Whether a function is declared here and defined in none of the program's files.
    fn is_of_library(&self, name: &str) -> bool {
        let is_function =
            |symbol: &Symbol| matches!(symbol, Symbol::Variable(it) if matches!(it.ty, CType::Function(_)));
        self.scope.get(name).is_some_and(is_function) && !self.defines(name)
    }
}
