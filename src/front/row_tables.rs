//! Arrays whose rows are found through tables of pointers: `double **u`, `double *u[N]`, `double (**u)[m]`.
//!
//! A table is taken to be fixed while the nest runs: whole arrays may be exchanged, but not their rows.

use tree_sitter::Node;

use super::Failable;
use super::reader::{PointerValue, Reader};
use super::types::CType;
use crate::ir::{Array, Handle};

impl CType<'_> {
    /// For each pointer and array whether its elements are pointers themselves; empty if none has such elements.
    pub fn pointers(&self) -> Vec<bool> {
        let mut found = Vec::new();
        let mut rest = self;
        while let Self::Pointer(inner) | Self::Array(inner, _) = rest {
            found.push(matches!(**inner, Self::Pointer(_)));
            rest = inner;
        }
        if found.contains(&true) { found } else { Vec::new() }
    }
}

impl<'t> Reader<'_, '_, 't> {
    /// Whether a pointer leads to what another pointer in memory leads to, and not to what the variable does.
    pub fn is_in_row(&self, pointer: &PointerValue<'t>) -> bool {
        self.roots[pointer.root].ty.pointers().iter().take(pointer.subscripts.len() - 1).any(|is_pointer| *is_pointer)
    }

    /// The outermost dimension whose elements lie one after another in a single block of memory with all further inside.
    pub fn first_in_block(&self, array: Handle<Array>) -> usize {
        self.nest.arrays[array].pointers.iter().rposition(|is_pointer| *is_pointer).map_or(0, |last| last + 1)
    }

    /// Refuses a copy of pointers to rows, the first of which `pointer` points to.
    pub fn refuse_table_copy<T>(&self, node: Node<'t>, pointer: &PointerValue<'t>) -> Failable<T> {
        let message = format!("this copies pointers to rows of `{}`, not their elements", self.root_name(pointer.root));
        self.refuse(node, "pointer-to-pointer", message, "copy the elements of each row, in loops")
    }

    /// Refuses an assignment to `place`, the row that `pointer` points to.
    pub fn refuse_row<T>(&self, place: Node<'t>, pointer: &PointerValue<'t>) -> Failable<T> {
        let name = self.root_name(pointer.root);
        let message = format!("a row of `{name}` is replaced, and rows must stay where they are while the nest runs");
        let help = format!(
            "exchange the whole array: `tmp = {name}; {name} = b; b = tmp;`, or exchange rows in a loop that is not marked"
        );
        self.refuse(place, "pointer-to-pointer", message, &help)
    }
}
