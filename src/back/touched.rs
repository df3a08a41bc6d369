//! The functions that the host calls before it touches parts of its arrays.

use crate::ir::Nest;

/// A function that the host calls before it touches a part of its arrays.
pub struct PartFunction {
    /// Behind the name of the nest, and that of the runtime.
    pub function: &'static str,
    /// The names of two numbers of bytes that tell of pieces.
    pieces: &'static [&'static str],
}

impl PartFunction {
    /// Its prototype.
    pub fn prototype(&self, name: &str) -> String {
        let pieces: String = self.pieces.iter().map(|it| format!(", unsigned long long {it}")).collect();
        format!("void {name}_{}(const volatile void *from, const volatile void *to{pieces})", self.function)
    }

    /// What it hands on to the runtime.
    pub fn arguments(&self) -> String {
        [&["from", "to"], self.pieces].concat().join(", ")
    }
}

/// Those that a nest needs.
pub fn part_functions(nest: &Nest) -> Vec<PartFunction> {
    let (rows, behind): (&'static [_], &'static [_]) = (&["stride", "length"], &["first", "end"]);
    let (reads, stores) = (nest.step.host_reads_pieces, nest.step.host_stores);
    let all: [(bool, &'static str, &'static [&'static str]); 7] = [
        (nest.clock.end().is_some(), "sync_part", &[]),
        (reads, "sync_rows", rows),
        (reads, "sync_behind", behind),
        (stores, "store", rows),
        (stores, "store_too", rows),
        (stores, "store_behind", behind),
        (stores, "store_behind_too", behind),
    ];
    let wanted = all.into_iter().filter(|(is_wanted, ..)| *is_wanted);
    wanted.map(|(_, function, pieces)| PartFunction { function, pieces }).collect()
}
