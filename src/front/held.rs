//! Integers of the host's that a nest is read for one value of, as the radius is in
//! `for (k = -radius; k <= radius; k++) sum += w[k + radius] * a[i + k];`.
//!
//! Loops over neighbours are executed iteration by iteration, and cells have constant distances from those that they need, so there must
//! be a number. A `value` clause says it, or the program does, where the variable begins with a small one: the driver sees before
//! the nest whether it holds that, and leaves the nest to the original loops if not. Only what cannot be read otherwise is
//! read so.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::Failable;
use super::loops::Start;
use super::pragma::StatedValue;
use super::reader::{Binding, Reader};
use super::tree::{Unit, assigned, walk};
use super::types::CType;
use super::unroll::REACHES;
use crate::ir::{Expr, ExprKind, Handle, HostValue, ParamValue, RangeCheck, ScalarType};
use crate::source::{Diagnostic, Span};

/// The largest number that a program is taken to mean for good if it is only where a variable begins.
const MAX_TOLD: i64 = 16;

/// What integers hold, by their names where the nest stands.
pub type Held = Vec<(String, i64)>;

/// Reads a nest with the values that its clauses state and, if it is refused, with those that the program begins with.
pub fn with_values<T>(unit: &Unit, stated: &[StatedValue], read: impl Fn(&Unit) -> Failable<T>) -> Failable<T> {
    unit.wanted.take();
    let mut held: Held = stated.iter().map(|stated| (stated.name.clone(), stated.value)).collect();
    let refusal = match read_with(unit, &held, &read) {
        Err(refusal) => refusal,
        found => return found,
    };
    loop {
        let wanted = unit.wanted.take().into_iter();
        let new: Held = wanted.filter(|(name, _)| held.iter().all(|(other, _)| other != name)).collect();
        if new.is_empty() {
            return Err(refusal);
        }
        held.extend(new);
        if let Ok(found) = read_with(unit, &held, &read) {
            return Ok(found);
        }
    }
}

fn read_with<T>(unit: &Unit, held: &Held, read: impl Fn(&Unit) -> Failable<T>) -> Failable<T> {
    if held.is_empty() {
        return read(unit);
    }
    let mut unit = unit.clone();
    unit.held.clone_from(held);
    read(&unit)
}

impl<'t> Reader<'_, '_, 't> {
    /// Takes up what integers hold in this nest.
    pub fn hold_values(&mut self) {
        for (name, value) in &self.unit.held {
            let variable = self.host_value(name).filter(|variable| self.is_integer(*variable));
            self.held.extend(variable.map(|variable| (variable, *value)));
        }
    }

    fn is_integer(&self, variable: Handle<HostValue>) -> bool {
        let declared = self.declaration_of(variable);
        declared.is_some_and(|it| matches!(it.ty, CType::Scalar(ty) if ty.is_integer()))
    }

    /// The number that a variable is taken to hold in front of the nest, which the driver then makes sure of.
    pub fn held_value(&mut self, variable: Handle<HostValue>, ty: ScalarType, span: Span) -> Option<Handle<Expr>> {
        let value = *self.held.get(&variable)?;
        if !self.nest.held.iter().any(|(known, _)| *known == variable) {
            self.nest.held.push((variable, value));
            let param = self.param(variable, ty, span);
            let (loops, guards) = (Vec::new(), Vec::new());
            self.nest.range_checks.push(RangeCheck { value: param, least: value, greatest: value, loops, guards });
        }
        Some(self.int(ty, value, span))
    }

    /// Refuses clauses about integers that the nest does not read.
    pub fn check_stated_values(&self, stated: &[StatedValue]) -> Failable<()> {
        let is_read = |name: &str| self.nest.held.iter().any(|(variable, _)| self.name(*variable) == name);
        let Some(StatedValue { name, span, .. }) = stated.iter().find(|stated| !is_read(&stated.name)) else {
            return Ok(());
        };
        let message = format!("a clause says what `{name}` holds, which is no integer that this nest gets");
        let error = Diagnostic::error("pragma-clause", message, *span);
        Err(Box::new(error.with_help("name an integer variable that the nest reads and does not assign, or remove the clause")))
    }

    /// Notes that the number of iterations of a loop should be known, if variables of the host's decide it alone.
    pub fn want_length(&mut self, body: Node<'t>, start: &Start<'t>) -> Failable<()> {
        let variable = self.name(start.variable).to_owned();
        let is_inner = !self.loops.is_empty() && self.is_plain_header(start);
        if !is_inner || !self.accumulates(body, &variable) && !self.needs_constant_subscripts(body, &variable) {
            return Ok(());
        }
        let saved = self.bindings.insert(start.variable, Binding::Scalar(start.first));
        let condition = self.scalar(start.condition);
        match saved {
            Some(saved) => self.bindings.insert(start.variable, saved),
            None => self.bindings.remove(&start.variable),
        };
        let Ok(condition) = condition else { return Ok(()) };
        for variable in self.deciding(condition).unwrap_or_default() {
            let name = self.name(variable).to_owned();
            let told = self.told_value(variable).filter(|value| value.unsigned_abs() <= MAX_TOLD.unsigned_abs());
            self.unit.wanted.borrow_mut().extend(told.map(|value| (name.clone(), value)));
            self.open_lengths.insert(name);
        }
        Ok(())
    }

    /// The variables of the host's that an expression is made of, if it is made of nothing else.
    fn deciding(&self, expr: Handle<Expr>) -> Option<BTreeSet<Handle<HostValue>>> {
        let parts = self.nest.reachable([expr]);
        let of_part = |part: &Handle<Expr>| match self.kind(*part) {
            ExprKind::Param(param) => match self.nest.params[*param].value {
                ParamValue::Variable(variable) if self.nest.values[variable].path.is_empty() => Some(Some(variable)),
                _ => None,
            },
            ExprKind::Int(_) | ExprKind::Convert(_) | ExprKind::Unary(..) | ExprKind::Binary(..) => Some(None),
            _ => None,
        };
        let found: Option<Vec<_>> = parts.iter().map(of_part).collect();
        Some(found?.into_iter().flatten().filter(|variable| self.is_integer(*variable)).collect())
    }

    /// The number that the program gives a variable: where it is declared, or by its only assignment.
    fn told_value(&self, variable: Handle<HostValue>) -> Option<i64> {
        let declaration = self.declaration_of(variable)?;
        let value = match declaration.initialiser {
            Some(value) => value,
            None => self.only_assignment(self.name(variable))?,
        };
        self.scope.constant(self.unit, value)
    }

    /// What the file assigns to `name` where it does so once.
    fn only_assignment(&self, name: &str) -> Option<Node<'t>> {
        let (mut values, mut count) = (None, 0);
        walk(*self.ancestors.last()?, &mut |node| {
            if assigned(node).is_some_and(|target| self.text(target) == name) {
                values = node.child_by_field_name("right");
                count += 1;
            }
            true
        });
        values.filter(|_| count == 1)
    }

    /// The value of an expression whose variables hold constants at the present place.
    pub fn constant_here(&mut self, node: Node<'t>) -> Option<i64> {
        let mut is_known = true;
        walk(node, &mut |inner| {
            is_known &= match inner.kind() {
                "identifier" => self.holds_constant(inner),
                kind => !REACHES.contains(&kind) && !matches!(kind, "assignment_expression" | "update_expression"),
            };
            is_known
        });
        if !is_known {
            return None;
        }
        let value = self.scalar(node).ok()?;
        self.constant(value)
    }

    fn holds_constant(&self, node: Node<'t>) -> bool {
        let name = self.text(node);
        let variable = || {
            let variable = self.scope.variable(name)?.identity(self.unit.source.id(), name);
            self.nest.values.find(&HostValue { variable, path: Vec::new() })
        };
        let is_bound = |variable| match self.bindings.get(&variable) {
            Some(Binding::Scalar(value)) => self.constant(*value).is_some(),
            Some(_) => false,
            None => self.held.contains_key(&variable),
        };
        self.scope.constant(self.unit, node).is_some() || variable().is_some_and(is_bound)
    }
}
