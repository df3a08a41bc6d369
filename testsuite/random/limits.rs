//! Legal programs that the tool is known to refuse.

use super::model::Program;

/// A refusal that is no failure.
pub struct Limit {
    /// The rule that the tool names.
    pub rule: &'static str,
    /// Why the tool cannot do it.
    pub reason: &'static str,
    /// Whether it explains the refusal of this program.
    explains: fn(&Program) -> bool,
}

/// Keep this list short: each entry is a promise that the tool does not keep yet.
pub const LIMITS: &[Limit] = &[];

/// The limit that explains why the tool refuses `program` by `rule`, if one does.
pub fn find_limit(program: &Program, rule: &str) -> Option<&'static Limit> {
    LIMITS.iter().find(|limit| limit.rule == rule && (limit.explains)(program))
}
