//! Which statements of a kept loop may be left to the host although devices could do what they do: those of one kind, or of several.

use tree_sitter::Node;

use super::fed::fed;
use super::program::Program;
use super::records::{kept_values, rare_sweeps, snapshots};

/// The statements in the loop `outer` of each kind, then those of each two kinds, then all; none twice.
pub fn choices<'t>(program: &Program<'_, '_, 't>, outer: Node<'t>) -> Vec<Vec<Node<'t>>> {
    let kinds = [snapshots, rare_sweeps, kept_values, fed].map(|find| find(program, outer));
    let mut found = Vec::new();
    for count in [1, 2, kinds.len()] {
        for chosen in (0_u32..1 << kinds.len()).filter(|it| it.count_ones() as usize == count) {
            let of_chosen = kinds.iter().enumerate().filter(|(kind, _)| chosen & (1 << kind) != 0);
            let mut statements: Vec<_> = of_chosen.flat_map(|(_, statements)| statements).copied().collect();
            statements.sort_by_key(Node::start_byte);
            statements.dedup();
            if !statements.is_empty() && !found.contains(&statements) {
                found.push(statements);
            }
        }
    }
    found
}
