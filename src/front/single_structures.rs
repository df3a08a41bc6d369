//! Structures in arrays that a nest names one by one: `chunk[0].u` of `struct { int nx; double *u; } *chunk`.
//!
//! Structures of numbers are rows of an array. If they hold pointers, too, they are objects, of which each has members of its
//! own; so their subscripts must be constants. Programs that are made for several such structures have loops over them,
//! `for (c = 0; c < count; c++)`, and most run with one: where an integer of the host's alone says how many there are, the nest is
//! read for one, and the driver sees before the nest whether that is so.

use std::collections::BTreeMap;

use tree_sitter::Node;

use super::Failable;
use super::reader::{PointerValue, Reader};
use super::structures::Structure;
use super::types::CType;
use super::unroll::MAX_ROUNDS;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, HostValue, Loop, ParamValue, Selector};

impl<'t> Reader<'_, '_, 't> {
    /// Whether the loop `node` over such structures is executed iteration by iteration.
    pub fn runs_in_rounds(&self, node: Node<'t>) -> bool {
        !self.loops.is_empty() && self.unit.taken.ways.rounds.contains(&self.unit.original(node.start_byte()))
    }

    /// Whether elements of arrays of this structure are objects.
    pub fn has_single_structures(&self, structure: Structure<'t>) -> bool {
        self.unit.taken.ways.singles.contains(&self.unit.original(structure.specifier().start_byte()))
    }

    /// The object that an element is, if elements of its type are objects here and its subscripts are constants.
    pub fn single_structure(&mut self, element: &PointerValue<'t>) -> Failable<Option<Handle<HostValue>>> {
        let structure = self.scope.structure(&element.pointee).filter(|it| self.has_single_structures(*it));
        let places: Option<Vec<i64>> = element.subscripts.iter().map(|it| self.constant(*it)).collect();
        let (Some(_), Some(places)) = (structure, places) else { return Ok(None) };
        let variable = self.roots[element.root].variable;
        let Some(whole) = self.declaration_of(variable).cloned().filter(|it| !it.is_inside) else { return Ok(None) };
        match &whole.ty {
            CType::Pointer(_) if places == [0] => Ok(self.dereference(variable, element.pointee.clone())),
            CType::Array(..) if places.len() == rank(&whole.ty) => {
                let mut value = self.nest.values[variable].clone();
                value.path.extend(places.into_iter().map(Selector::Element));
                Ok(Some(self.part(value, whole.part(element.pointee.clone(), false))))
            }
            _ => Ok(None),
        }
    }

    /// Whether a structure holds pointers, so that its numbers may be sizes of what these lead to.
    pub fn has_pointers(&self, structure: Structure<'t>) -> bool {
        let is_pointer = |name: &String| {
            let member = structure.member(self.unit, &self.scope, name);
            member.is_some_and(|it| matches!(it.ty, CType::Pointer(_)))
        };
        structure.names(self.unit).iter().any(is_pointer)
    }

    /// Notes that the element would have to be an object, if its subscripts are constants or would be if there were one element.
    pub fn want_single_structure(&self, element: &PointerValue<'t>, structure: Structure<'t>) {
        let (mut rounds, mut members) = (Vec::new(), BTreeMap::new());
        for subscript in element.subscripts.iter().filter(|it| self.constant(**it).is_none()) {
            for part in self.nest.reachable([*subscript]) {
                let ExprKind::Index(this) = *self.kind(part) else { continue };
                let Some((start, has_one_inside)) = self.start_of_round(this) else { return };
                rounds.push(self.unit.original(start));
                if self.runs_rarely(this) {
                    continue;
                }
                // A loop with just one inside is rather one over rows.
                let Some((count, value)) = self.for_one_iteration(this).filter(|_| !has_one_inside) else { return };
                members.insert(self.nest.values[count].clone(), value);
            }
            if rounds.is_empty() {
                return;
            }
        }
        let mut wanted = self.unit.wanted.borrow_mut();
        wanted.ways.singles.insert(self.unit.original(structure.specifier().start_byte()));
        wanted.ways.rounds.extend(rounds);
        wanted.ways.members.extend(members);
    }

    /// Where a loop within the nest begins, and whether there is one loop in it around the present place.
    fn start_of_round(&self, this: Handle<Loop>) -> Option<(usize, bool)> {
        let place = self.loops.iter().position(|other| *other == this).filter(|place| *place > 0)?;
        self.trails.starts().get(place).map(|start| (*start, self.loops.len() - place == 2))
    }

    /// The integer of the host's that alone says how often a loop runs, and what it holds if that is once.
    fn for_one_iteration(&self, this: Handle<Loop>) -> Option<(Handle<HostValue>, i64)> {
        let Loop { first, relation, bound, step, .. } = self.nest.loops[this];
        let first = self.constant(first).filter(|_| step == 1)?;
        let value = match relation {
            BinaryOp::Less | BinaryOp::NotEqual => first + 1,
            BinaryOp::LessEqual => first,
            _ => return None,
        };
        let ExprKind::Param(param) = *self.kind(self.unconverted(bound)) else { return None };
        match self.nest.params[param].value {
            ParamValue::Variable(variable) => Some((variable, value)),
            _ => None,
        }
    }

    /// Whether a loop has few iterations, whose number is known.
    fn runs_rarely(&self, this: Handle<Loop>) -> bool {
        let Loop { first, bound, step, .. } = self.nest.loops[this];
        let ends = self.constant(first).zip(self.constant(bound)).filter(|_| step == 1);
        ends.is_some_and(|(first, bound)| (first..first.saturating_add(MAX_ROUNDS as i64)).contains(&bound))
    }

    fn unconverted(&self, mut expr: Handle<Expr>) -> Handle<Expr> {
        while let ExprKind::Convert(inner) = *self.kind(expr) {
            expr = inner;
        }
        expr
    }
}

/// How many dimensions an array has.
fn rank(ty: &CType) -> usize {
    if let CType::Array(inner, _) = ty { 1 + rank(inner) } else { 0 }
}
