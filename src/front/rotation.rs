//! Pointers that the time loop rotates.
//!
//! Example: `tmp = a; a = b; b = c; c = tmp;` lets `a` hold after a step what `b` held before it, and so on: the cycle
//! `a -> b -> c -> a`. Before step `s`, `a` points to buffer `s mod 3`, `b` to `(1 + s) mod 3`, `c` to `(2 + s) mod 3`.

use tree_sitter::Node;

use super::Failable;
use super::reader::{Binding, Change, PointerValue, Reader, Root, Unknown};
use super::types::CType;
use crate::ir::{Handle, HostValue, LeftPointer, Selector};
use crate::source::{Diagnostic, Span};

/// Variables that share one array, in the order of the buffers they first point to.
#[derive(Clone, Debug)]
pub struct Group {
    /// Indices of [`Reader::roots`].
    pub roots: Vec<usize>,
}

/// What a pointer variable holds after an iteration of the outermost loop.
#[derive(Clone, Debug)]
pub struct Move<'t> {
    /// The variable, an index of [`Reader::roots`].
    pub variable: usize,
    /// What it holds, in terms of what variables held before the iteration.
    pub held: Held<'t>,
    /// The assignment.
    pub span: Span,
    /// Whether it is a member of the structures that pointers lead to in turn: the structures themselves keep what they hold.
    pub is_of_structure: bool,
}

/// What a pointer holds.
#[derive(Clone, Debug)]
pub enum Held<'t> {
    /// A place in an array.
    Place(PointerValue<'t>),
    /// What cannot be told.
    Unknown(Unknown),
}

impl<'t> Reader<'_, '_, 't> {
    /// Records what pointers hold after one iteration of the outermost loop.
    ///
    /// # Errors
    /// Members of a structure are used through a pointer that the loop changes.
    pub fn note_rotation(&mut self, changed: &[Change]) -> Failable<()> {
        for (variable, span) in changed {
            let Some(ty) = self.declaration_of(*variable).map(|it| it.ty.clone()) else { continue };
            if ty.number().is_some() {
                continue;
            }
            let held = match self.bindings.get(variable).cloned() {
                Some(Binding::Pointer(pointer)) => Held::Place(pointer),
                Some(Binding::Address(object)) => match self.elements_behind(object, *span) {
                    Some(pointer) => Held::Place(pointer),
                    None => Held::Unknown(Unknown::Uncopied),
                },
                Some(Binding::Unknown(why, _)) => Held::Unknown(why),
                _ => {
                    self.check_members(*variable, *span)?;
                    continue;
                }
            };
            let this = self.root(*variable, &ty, *span);
            self.moves.push(Move { variable: this, held, span: *span, is_of_structure: false });
        }
        self.note_structures_in_turn()
    }

    /// What a pointer leads to that the loop over time changes is another structure in each step.
    pub fn check_members(&self, pointer: Handle<HostValue>, span: Span) -> Failable<()> {
        let value = &self.nest.values[pointer];
        let is_member = |other: &Handle<HostValue>| {
            let other = &self.nest.values[*other];
            let behind = other.path.strip_prefix(value.path.as_slice()).filter(|_| other.variable == value.variable);
            matches!(behind, Some([Selector::Dereference, _, ..]))
        };
        let member = self.nest.values.handles().find(is_member);
        member.map_or(Ok(()), |member| self.refuse_other_structure(pointer, member, span))
    }

    /// Refuses a member of a structure that is another one in each step.
    pub fn refuse_other_structure(
        &self,
        pointer: Handle<HostValue>,
        member: Handle<HostValue>,
        span: Span,
    ) -> Failable<()> {
        let [pointer, member] = [pointer, member].map(|value| self.name(value));
        let message = format!("`{member}` is used, and `{pointer}` leads to another structure in each step");
        let error = Diagnostic::error("rotation", message, span);
        Err(Box::new(error.with_help("exchange the pointers to arrays that the two structures hold instead")))
    }

    /// The variable to whose first element `held` leads.
    pub fn held_root(&self, held: &Held<'t>) -> Option<usize> {
        match held {
            Held::Place(pointer)
                if !self.is_in_row(pointer) && pointer.subscripts.iter().all(|it| self.constant(*it) == Some(0)) =>
            {
                Some(pointer.root)
            }
            _ => None,
        }
    }

    /// What the variable of a root holds after an iteration.
    fn move_of(&self, root: usize) -> Option<&Move<'t>> {
        let main = self.main_root(root);
        self.moves.iter().find(|it| it.variable == main)
    }

    /// The root whose elements a root leads to after an iteration: of structures the same members.
    fn next_root(&self, root: usize) -> Option<usize> {
        let held = self.held_root(&self.move_of(root)?.held)?;
        let (variable, view) = (self.roots[held].variable, self.roots[root].view.map(|view| view.run));
        let is_it = |it: &Root| it.variable == variable && it.view.map(|view| view.run) == view;
        self.roots.iter().position(is_it).or(Some(held))
    }

    /// Gives variables that hold structures in turn the same views of them.
    fn share_views(&mut self) {
        let views = |reader: &Self| reader.roots.iter().filter(|root| root.view.is_some()).count();
        let mut known = None;
        while known != Some(views(self)) {
            known = Some(views(self));
            for root in 0..self.roots.len() {
                if let Some(held) = self.move_of(root).and_then(|it| self.held_root(&it.held)) {
                    self.view_like(self.main_root(held), root);
                }
            }
        }
    }

    /// The cycles of the rotation and all other variables with accesses one by one; `nest` is the outermost loop.
    pub fn groups(&mut self, nest: Node<'t>) -> Failable<Vec<Group>> {
        let moves = std::mem::take(&mut self.moves);
        self.moves = moves.into_iter().filter(|it| self.held_root(&it.held) != Some(it.variable)).collect();
        self.share_views();
        let needed = self.needed_roots(nest)?;
        let mut groups: Vec<Group> = Vec::new();
        for &root in &needed {
            if !groups.iter().any(|group| group.roots.contains(&root)) {
                groups.push(Group { roots: self.cycle(root)? });
            }
        }
        Ok(groups)
    }

    /// The variables whose value at the start of an iteration leads to an element that it uses, or that a later one
    /// uses; in order.
    fn needed_roots(&self, nest: Node<'t>) -> Failable<Vec<usize>> {
        let arrays: Vec<_> = self.nest.arrays.handles().collect();
        let is_used = |root: &usize| self.nest.accesses.iter().any(|(_, access)| access.array == arrays[*root]);
        let mut needed: Vec<usize> = (0..self.roots.len()).filter(is_used).collect();
        let mut at = 0;
        while let Some(&root) = needed.get(at) {
            at += 1;
            let Some(found) = self.move_of(root) else { continue };
            let held = self.next_root(root).ok_or_else(|| self.not_whole(found, nest))?;
            if !needed.contains(&held) {
                needed.push(held);
            }
        }
        needed.sort_unstable();
        Ok(needed)
    }

    /// Refuses a pointer that does not lead to the start of an array after a step.
    fn not_whole(&self, this: &Move<'t>, nest: Node<'t>) -> Box<Diagnostic> {
        let name = self.root_name(this.variable);
        let (message, help) = if matches!(this.held, Held::Unknown(Unknown::Branch)) {
            let help = "exchange the arrays in every step, or copy the elements under the condition instead";
            (format!("whether `{name}` is exchanged depends on a condition"), help)
        } else {
            let help = "exchange whole arrays: `tmp = a; a = b; b = tmp;`";
            (format!("`{name}` does not point to the start of an array after a time step"), help)
        };
        let header = self.span(nest);
        let header = header.at(header.start, header.start + 3);
        let diagnostic = Diagnostic::error("rotation", message, this.span).with_label(header, "the loop over time");
        Box::new(diagnostic.with_help(help))
    }

    fn cycle(&self, start: usize) -> Failable<Vec<usize>> {
        let mut roots = vec![start];
        let mut here = start;
        while let Some(next) = self.next_root(here) {
            if next == start {
                return self.checked_cycle(roots);
            }
            if roots.contains(&next) {
                return Err(self.not_a_permutation(here, next));
            }
            roots.push(next);
            here = next;
        }
        // The chain ends at a variable that keeps what it holds: two variables would hold it after the step.
        if roots.len() > 1 { Err(self.not_a_permutation(roots[roots.len() - 2], here)) } else { Ok(roots) }
    }

    fn checked_cycle(&self, roots: Vec<usize>) -> Failable<Vec<usize>> {
        let first = self.roots[roots[0]].ty.element();
        let may_move = |root: usize| self.is_pointer(root) || self.move_of(root).is_some_and(|it| it.is_of_structure);
        let other = roots.iter().find(|root| self.roots[**root].ty.element() != first || !may_move(**root));
        match other {
            None => Ok(roots),
            Some(other) => Err(self.not_a_permutation(roots[0], *other)),
        }
    }

    fn is_pointer(&self, root: usize) -> bool {
        matches!(self.roots[root].ty, CType::Pointer(_))
    }

    fn not_a_permutation(&self, left: usize, right: usize) -> Box<Diagnostic> {
        let (left_name, right_name) = (self.root_name(left), self.root_name(right));
        let span = self.move_of(left).map_or(self.nest.span, |it| it.span);
        let message = format!("after a time step `{left_name}` and `{right_name}` are not exchanged in a cycle");
        Box::new(
            Diagnostic::error("rotation", message, span)
                .because("two pointers would lead to one array, or an array would be lost")
                .with_help("exchange whole arrays of one type: `tmp = a; a = b; b = tmp;`"),
        )
    }

    /// Records what the host leaves in pointers: in those that rotate, and in others that somebody may read later.
    ///
    /// # Errors
    /// A pointer that may be read after the nest and whose value is not known.
    pub fn note_left_pointers(&mut self, groups: &[Group]) -> Failable<()> {
        let in_turn = groups.iter().filter(|group| group.roots.len() > 1).flat_map(|group| group.roots.clone());
        let of_structure: Vec<usize> =
            self.moves.iter().filter(|it| it.is_of_structure).map(|it| it.variable).collect();
        let mut rotating: Vec<usize> = Vec::new();
        for root in in_turn.map(|root| self.main_root(root)).filter(|root| !of_structure.contains(root)) {
            if !rotating.contains(&root) {
                rotating.push(root);
            }
        }
        let others = self.moves.iter().map(|it| it.variable);
        let others = others.filter(|root| !rotating.contains(root) && !of_structure.contains(root));
        for root in rotating.iter().copied().chain(others).collect::<Vec<_>>() {
            let variable = self.roots[root].variable;
            let why_live = self.why_live(variable);
            let is_left = rotating.contains(&root) && self.qualifiers(variable).register.is_none();
            if self.is_from_outside(variable) && (is_left || why_live.is_some()) {
                let pointer = self.left_pointer(root).ok_or_else(|| self.lost_pointer(root, why_live))?;
                self.nest.step.left_pointers.push(pointer);
            }
        }
        Ok(())
    }

    fn left_pointer(&self, root: usize) -> Option<LeftPointer> {
        let Held::Place(pointer) = &self.move_of(root)?.held else { return None };
        let is_start = self.held_root(&self.move_of(root)?.held).is_some();
        let offset = match pointer.subscripts.as_slice() {
            _ if is_start => None,
            // Rows of a flat pointer have one element.
            [offset] if self.roots[pointer.root].ty.element().1 == 1 && self.why_unknown(*offset).is_none() => {
                Some(*offset)
            }
            _ => return None,
        };
        let (held, recurs_from) = self.values_in_turn(pointer.root)?;
        if held.iter().any(|root| self.is_grid(self.roots[*root].variable)) {
            // The host has no memory for what the step declares.
            return None;
        }
        let element = self.roots[pointer.root].ty.element_type();
        let variable = self.roots[root].variable;
        let held = held.into_iter().map(|root| self.roots[root].variable).collect();
        Some(LeftPointer { variable, held, recurs_from, element, offset })
    }

    /// The variables whose first value `root` holds after 0, 1, ... iterations, and where they begin to recur.
    fn values_in_turn(&self, root: usize) -> Option<(Vec<usize>, usize)> {
        let mut held = vec![root];
        loop {
            let last = *held.last()?;
            let next = match self.move_of(last) {
                Some(found) => self.held_root(&found.held)?,
                None => last,
            };
            if let Some(place) = held.iter().position(|root| *root == next) {
                return Some((held, place));
            }
            held.push(next);
        }
    }

    fn lost_pointer(&self, root: usize, why_live: Option<&str>) -> Box<Diagnostic> {
        let name = self.root_name(root);
        let span = self.move_of(root).map_or(self.nest.span, |it| it.span);
        let why_live = why_live.unwrap_or("it is exchanged with others");
        let message = format!("`{name}` is assigned in the nest and outlives it");
        let help = format!(
            "if nobody needs the value, declare `{name}` inside the loop that assigns it; otherwise assign it after the nest"
        );
        Box::new(
            Diagnostic::error("pointer-live-out", message, span)
                .because(format!("{why_live}, and where it leads in the end cannot be told"))
                .with_help(help),
        )
    }
}
