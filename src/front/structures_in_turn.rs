//! Structures to which pointers lead in turn: `old = a; a = b; b = old;` of `struct { int n; double *u; } *a, *b`.
//!
//! What `a->u` names after a step is what `b->u` named before it, so the arrays of the members are exchanged as if the members were,
//! while the structures keep what they hold. The numbers that the nest reads from them are taken to be the same in all of them; the
//! driver sees before the nest whether they are.

use std::collections::BTreeSet;

use super::Failable;
use super::reader::{PointerValue, Reader};
use super::rotation::{Held, Move};
use super::types::CType;
use crate::ir::{BinaryOp, Handle, HostValue, Param, ParamValue, RangeCheck, ScalarType, Selector};
use crate::source::Span;

/// A pointer to a structure and the one that leads after a step to where it led before, and where that is assigned.
type Turn = (Handle<HostValue>, Handle<HostValue>, Span);

impl<'t> Reader<'_, '_, 't> {
    /// Lets the members of structures to which pointers lead in turn move with them.
    ///
    /// # Errors
    /// The nest changes numbers in a structure that another one follows, or asks whether pointers in it are set.
    pub fn note_structures_in_turn(&mut self) -> Failable<()> {
        let moves = self.moves.clone();
        let mut turns: Vec<Turn> = Vec::new();
        for Move { variable, held, span, .. } in &moves {
            let pointer = self.roots[*variable].variable;
            match self.held_root(held).map(|root| self.roots[root].variable) {
                Some(next) if next == pointer => {}
                Some(next) if self.lead_to_one_type(pointer, next) => turns.push((pointer, next, *span)),
                _ => self.check_members(pointer, *span)?,
            }
        }
        // Members of the last structures are found when those of the ones before have moved.
        let (mut known, mut compared) = (None, BTreeSet::new());
        while known != Some((self.moves.len(), compared.len())) {
            known = Some((self.moves.len(), compared.len()));
            for turn in &turns {
                self.compare_numbers_in_turn(turn, &mut compared)?;
                self.move_members(turn);
            }
        }
        Ok(())
    }

    /// Whether two pointers lead to structures of one type.
    fn lead_to_one_type(&mut self, one: Handle<HostValue>, other: Handle<HostValue>) -> bool {
        let [one, other] = [one, other].map(|pointer| match self.declaration_of(pointer).map(|it| it.ty.clone()) {
            Some(CType::Pointer(inner)) => self.scope.structure(&inner),
            _ => None,
        });
        one.zip(other).is_some_and(|(one, other)| one.is(self.unit, other))
    }

    /// The way from what a pointer leads to a part of it.
    fn behind(&self, pointer: Handle<HostValue>, part: Handle<HostValue>) -> Option<Vec<Selector>> {
        let (pointer, part) = (&self.nest.values[pointer], &self.nest.values[part]);
        let way = part.path.strip_prefix(pointer.path.as_slice()).filter(|_| part.variable == pointer.variable)?;
        matches!(way, [Selector::Dereference, _, ..]).then(|| way.to_vec())
    }

    /// The same part of what another pointer leads to.
    fn counterpart(&mut self, part: Handle<HostValue>, way: &[Selector], next: Handle<HostValue>) -> Handle<HostValue> {
        let mut value = self.nest.values[next].clone();
        value.path.extend(way.iter().cloned());
        let declared = self.variables[&next].part(self.variables[&part].ty.clone(), false);
        self.part(value, declared)
    }

    /// Leaves it to the driver to see that numbers of the structures are the same.
    fn compare_numbers_in_turn(
        &mut self,
        &(pointer, next, span): &Turn,
        compared: &mut BTreeSet<Handle<HostValue>>,
    ) -> Failable<()> {
        let changed = self.assigned.keys().copied();
        let asked = self.nest.params.iter().filter_map(|(_, param)| match param.value {
            ParamValue::IsSet { pointer, .. } => Some(pointer),
            _ => None,
        });
        if let Some(open) = changed.chain(asked).find(|it| self.behind(pointer, *it).is_some()) {
            return self.refuse_other_structure(pointer, open, span);
        }
        let params: Vec<Param> = self.nest.params.iter().map(|(_, param)| param.clone()).collect();
        for Param { ty, value } in params {
            let ParamValue::Variable(number) = value else { continue };
            let Some(way) = self.behind(pointer, number).filter(|_| compared.insert(number)) else { continue };
            let other = self.counterpart(number, &way, next);
            if ty.is_float() {
                self.check_same((number, other), ty, span);
            } else {
                self.want_one_number(number, other);
                self.check_equal((number, other), ty, span);
            }
        }
        Ok(())
    }

    /// Leaves it to the driver to see that two real numbers are the same: equal, and if they are zeros, of one sign. No NaN is.
    fn check_same(&mut self, (one, other): (Handle<HostValue>, Handle<HostValue>), ty: ScalarType, span: Span) {
        let [one, other] = [one, other].map(|number| self.param(number, ty, span));
        let unit = self.int(ScalarType::I32, 1, span);
        let [over_one, over_other] = [one, other].map(|value| self.binary(BinaryOp::Div, unit, value, span));
        let are_equal = self.binary(BinaryOp::Equal, one, other, span);
        let have_one_sign = self.binary(BinaryOp::Equal, over_one, over_other, span);
        let are_same = self.binary(BinaryOp::And, are_equal, have_one_sign, span);
        let are_same = self.expression_param(are_same);
        self.nest.range_checks.push(RangeCheck::exactly(are_same, 1));
    }

    /// Notes that one of two numbers that are equal should stand for both, if the nest reads both: an array has rows of one length.
    fn want_one_number(&self, one: Handle<HostValue>, other: Handle<HostValue>) {
        let is_read = |number| {
            let value = ParamValue::Variable(number);
            self.nest.params.iter().any(|(_, param)| param.value == value)
        };
        if !is_read(other) || one == other {
            return;
        }
        let [one, other] = [one, other].map(|number| self.nest.values[number].clone());
        let mut wanted = self.unit.wanted.borrow_mut();
        wanted.ways.in_turn.insert(one.clone().max(other.clone()), one.min(other));
        wanted.is_needed = true;
    }

    /// The number that stands for `number` here; the driver makes sure that it may.
    pub fn number_in_turn(&mut self, number: Handle<HostValue>, ty: ScalarType, span: Span) -> Handle<HostValue> {
        let mut value = &self.nest.values[number];
        while let Some(other) = self.unit.taken.ways.in_turn.get(value) {
            value = other;
        }
        let (value, declared) = (value.clone(), self.variables[&number].clone());
        let one = self.part(value, declared);
        if one != number && self.replaced.insert(number) {
            self.check_equal((one, number), ty, span);
        }
        one
    }

    fn move_members(&mut self, &(pointer, next, span): &Turn) {
        for root in 0..self.roots.len() {
            let (variable, whole) = (self.roots[root].variable, self.roots[root].whole.clone());
            let is_known = self.moves.iter().any(|it| it.variable == self.main_root(root));
            let Some(way) = self.behind(pointer, variable).filter(|_| !is_known) else { continue };
            let (CType::Pointer(pointee) | CType::Array(pointee, _)) = &whole else { continue };
            let other = self.counterpart(variable, &way, next);
            let held: PointerValue<'t> = self.first_of(other, &whole, pointee, span);
            let variable = self.main_root(root);
            self.moves.push(Move { variable, held: Held::Place(held), span, is_of_structure: true });
        }
    }
}
