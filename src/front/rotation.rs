//! Pointers that the time loop rotates.
//!
//! Example: `tmp = a; a = b; b = c; c = tmp;` lets `a` hold after a step what `b` held before it, and so on: the cycle
//! `a -> b -> c -> a`. Before step `s`, `a` points to buffer `s mod 3`, `b` to `(1 + s) mod 3`, `c` to `(2 + s) mod 3`.

use tree_sitter::Node;

use super::Failable;
use super::reader::{Binding, Reader, Unknown};
use super::types::CType;
use crate::ir::{Array, Handle, RotatedPointer};
use crate::source::{Diagnostic, Span};

/// Variables that share one array, in the order of the buffers they first point to.
#[derive(Clone, Debug)]
pub struct Group {
    /// Indices of [`Reader::roots`].
    pub roots: Vec<usize>,
}

/// What a pointer variable holds after an iteration of the outermost loop: what `held` held before it.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    /// The variable, an index of [`Reader::roots`].
    pub variable: usize,
    /// Another variable.
    pub held: usize,
    /// The assignment.
    pub span: Span,
}

impl<'t> Reader<'_, '_, 't> {
    /// Records what pointers hold after one iteration of the outermost loop.
    pub fn note_rotation(&mut self, node: Node<'t>, changed: &[(String, Span)]) -> Failable<()> {
        for (name, span) in changed {
            let Some(variable) = self.scope.variable(name).cloned() else { continue };
            if matches!(variable.ty, CType::Scalar(_)) {
                continue;
            }
            let held = match self.bindings.get(name) {
                Some(Binding::Pointer(pointer))
                    if pointer.subscripts.iter().all(|subscript| self.constant(*subscript) == Some(0)) =>
                {
                    pointer.root
                }
                None => continue,
                other => {
                    let is_conditional = matches!(other, Some(Binding::Unknown(Unknown::Branch, _)));
                    let (message, help) = if is_conditional {
                        let help =
                            "exchange the arrays in every step, or copy the elements under the condition instead";
                        (format!("whether `{name}` is exchanged depends on a condition"), help)
                    } else {
                        let help = "exchange whole arrays: `tmp = a; a = b; b = tmp;`";
                        (format!("`{name}` does not point to the start of an array after a time step"), help)
                    };
                    let header = Span::new(self.span(node).start, self.span(node).start + 3);
                    let diagnostic =
                        Diagnostic::error("rotation", message, *span).with_label(header, "the loop over time");
                    return Err(Box::new(diagnostic.with_help(help)));
                }
            };
            let this = self.root(name, &variable.ty, variable.declared_at, *span);
            self.moves.push(Move { variable: this, held, span: *span });
        }
        Ok(())
    }

    /// The cycles of the rotation and all other variables one by one.
    pub fn groups(&mut self) -> Failable<Vec<Group>> {
        self.moves.retain(|it| it.variable != it.held);
        let (temporary, moves): (Vec<_>, Vec<_>) = self.moves.iter().partition(|it| self.is_temporary(it));
        self.temporaries = temporary;
        let mut groups: Vec<Group> = Vec::new();
        for root in 0..self.roots.len() {
            let is_known = groups.iter().any(|group| group.roots.contains(&root));
            if is_known || self.temporaries.iter().any(|it| it.variable == root) {
                continue;
            }
            groups.push(Group { roots: self.cycle(root, &moves)? });
        }
        Ok(groups)
    }

    /// Whether nobody needs what the variable holds at the start of a step.
    fn is_temporary(&self, this: &Move) -> bool {
        let array = self.nest.arrays.handles().nth(this.variable);
        let is_used = self.nest.accesses.iter().any(|(_, access)| Some(access.array) == array);
        !is_used && !self.moves.iter().any(|other| other.held == this.variable)
    }

    fn cycle(&self, start: usize, moves: &[Move]) -> Failable<Vec<usize>> {
        let mut roots = vec![start];
        let mut here = start;
        while let Some(next) = moves.iter().find(|it| it.variable == here).map(|it| it.held) {
            if next == start {
                return self.checked_cycle(roots, moves);
            }
            if roots.contains(&next) {
                return Err(self.not_a_permutation(here, next, moves));
            }
            roots.push(next);
            here = next;
        }
        // The chain ends at a variable that keeps what it holds: two variables would hold it after the step.
        if roots.len() > 1 { Err(self.not_a_permutation(roots[roots.len() - 2], here, moves)) } else { Ok(roots) }
    }

    fn checked_cycle(&self, roots: Vec<usize>, moves: &[Move]) -> Failable<Vec<usize>> {
        let first = self.roots[roots[0]].ty.element();
        let other = roots.iter().find(|root| self.roots[**root].ty.element() != first || !self.is_pointer(**root));
        match other {
            None => Ok(roots),
            Some(other) => Err(self.not_a_permutation(roots[0], *other, moves)),
        }
    }

    fn is_pointer(&self, root: usize) -> bool {
        matches!(self.roots[root].ty, CType::Pointer(_))
    }

    fn not_a_permutation(&self, left: usize, right: usize, moves: &[Move]) -> Box<Diagnostic> {
        let (left_name, right_name) = (&self.roots[left].name, &self.roots[right].name);
        let span = moves.iter().find(|it| it.variable == left).map_or(self.nest.span, |it| it.span);
        let message = format!("after a time step `{left_name}` and `{right_name}` are not exchanged in a cycle");
        Box::new(
            Diagnostic::error("rotation", message, span)
                .because("two pointers would lead to one array, or an array would be lost")
                .with_help("exchange whole arrays of one type: `tmp = a; a = b; b = tmp;`"),
        )
    }

    /// Records which variables point where, for the host to leave them as the original does.
    pub fn note_pointers(&mut self, nest: Node<'t>, group: &Group, array: Handle<Array>) {
        let count = group.roots.len();
        if count == 1 {
            return;
        }
        for (start, root) in group.roots.iter().enumerate() {
            self.push_pointer(*root, array, start);
        }
        for temporary in self.temporaries.clone() {
            // What a helper holds matters only where it is read later.
            let name = &self.roots[temporary.variable].name;
            let is_static = self.scope.variable(name).is_some_and(|variable| variable.is_static);
            if !is_static && !self.is_read_after(nest, name) {
                continue;
            }
            if let Some(place) = group.roots.iter().position(|root| *root == temporary.held) {
                self.push_pointer(temporary.variable, array, (place + count - 1) % count);
            }
        }
    }

    fn push_pointer(&mut self, root: usize, array: Handle<Array>, start: usize) {
        let variable = self.roots[root].name.clone();
        let outlives = self.scope.variable(&variable).is_some_and(|variable| !variable.is_inside);
        self.nest.rotated_pointers.push(RotatedPointer { variable, array, start, outlives });
    }
}
