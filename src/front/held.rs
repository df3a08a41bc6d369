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
use super::marked::MarkedNest;
use super::pragma::StatedValue;
use super::reader::{Binding, Reader};
use super::tree::{Unit, assigned, assigned_element, named, nodes_in, stores, walk};
use super::types::CType;
use super::unroll::REACHES;
use super::wanted::Taken;
use crate::ir::{Expr, ExprKind, Handle, HostValue, ParamValue, RangeCheck, ScalarType};
use crate::source::{Diagnostic, Span};

/// The largest number that a program is taken to mean for good if it is only where a variable begins.
const MAX_TOLD: i64 = 16;

/// The largest number of buffers that a program is taken to mean for good.
const MAX_BUFFERS: i64 = 4;

/// Reads a nest with the values that its clauses state and, if it is refused or will be, with those that the program begins with.
/// What is refused then is what else stands in the way.
pub fn with_values(
    unit: &Unit,
    stated: &[StatedValue],
    read: impl Fn(&Unit) -> Failable<MarkedNest>,
) -> Failable<MarkedNest> {
    unit.wanted.take();
    let held = stated.iter().map(|stated| (stated.name.clone(), stated.value)).collect();
    let mut taken = Taken { held, ..Taken::default() };
    let mut found = read_taking(unit, &taken, &read);
    let mut bounded = BTreeSet::new();
    loop {
        let wanted = unit.wanted.take();
        let is_needed = wanted.is_needed;
        bounded.extend(wanted.bounded.iter().copied());
        if !taken.take(wanted) || found.is_ok() && !is_needed {
            break;
        }
        found = read_taking(unit, &taken, &read).or_else(|refusal| found.map_err(|_| refusal));
    }
    while found.is_err() && bounded != taken.bounded {
        taken.bounded.clone_from(&bounded);
        found = match read_bounded(unit, &taken, &read) {
            // Such loops do not help.
            Some(Err(refusal)) if refusal.code == "scalar-carried" => found,
            other => other.unwrap_or(found),
        };
        let wanted = unit.wanted.take();
        bounded.extend(wanted.bounded);
        if found.is_ok() {
            taken.bounded = wanted.windows;
        }
    }
    if taken.bounded.len() > 1 && found.is_ok() {
        found = with_fewest_bounded(unit, taken, &read).map_or(found, Ok);
    }
    found
}

/// Reads a nest with loops of bounded length. What can be read without them now is a nest of the host's, of which nobody would
/// expect it.
fn read_bounded(
    unit: &Unit,
    taken: &Taken,
    read: impl Fn(&Unit) -> Failable<MarkedNest>,
) -> Option<Failable<MarkedNest>> {
    unit.wanted.borrow_mut().has_clamped = false;
    let found = read_taking(unit, taken, read);
    let is_clamped = unit.wanted.borrow().has_clamped;
    let has_none = found.as_ref().is_ok_and(|marked| marked.nest.lengths().next().is_none()) && !is_clamped;
    if has_none { None } else { Some(found) }
}

/// The same with none of these loops that can be read otherwise, now that others are of bounded length: loops over space are not
/// short.
fn with_fewest_bounded(
    unit: &Unit,
    mut taken: Taken,
    read: impl Fn(&Unit) -> Failable<MarkedNest>,
) -> Option<MarkedNest> {
    let mut fewest = None;
    for bounded in taken.bounded.clone() {
        taken.bounded.remove(&bounded);
        match read_bounded(unit, &taken, &read) {
            Some(Ok(marked)) => fewest = Some(marked),
            _ => drop(taken.bounded.insert(bounded)),
        }
    }
    fewest
}

fn read_taking<T>(unit: &Unit, taken: &Taken, read: impl Fn(&Unit) -> Failable<T>) -> Failable<T> {
    if taken.is_nothing() {
        return read(unit);
    }
    let mut unit = unit.clone();
    unit.taken.clone_from(taken);
    read(&unit)
}

impl<'t> Reader<'_, '_, 't> {
    /// Takes up what integers hold in this nest.
    pub fn hold_values(&mut self) {
        for (name, value) in &self.unit.taken.held {
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
        let of_member = self.unit.taken.ways.members.get(&self.nest.values[variable]).copied();
        let value = self.held.get(&variable).copied().or(of_member)?;
        if !self.nest.held.iter().any(|(known, _)| *known == variable) {
            self.nest.held.push((variable, value));
            let param = self.param(variable, ty, span);
            self.nest.range_checks.push(RangeCheck::exactly(param, value));
        }
        Some(self.int(ty, value, span))
    }

    /// Leaves in the nest what no clause says of integers.
    ///
    /// # Errors
    /// A clause is about one that the nest does not read.
    pub fn check_stated_values(&mut self, stated: &[StatedValue]) -> Failable<()> {
        let is_read = |name: &str| self.nest.held.iter().any(|(variable, _)| self.name(*variable) == name);
        let Some(StatedValue { name, span, .. }) = stated.iter().find(|stated| !is_read(&stated.name)) else {
            let values = &self.nest.values;
            self.nest.held.retain(|(variable, _)| stated.iter().all(|it| it.name != values.text(*variable)));
            return Ok(());
        };
        let message = format!("a clause says what `{name}` holds, which is no integer that this nest gets");
        let error = Diagnostic::error("pragma-clause", message, *span);
        Err(Box::new(
            error.with_help("name an integer variable that the nest reads and does not assign, or remove the clause"),
        ))
    }

    /// Notes that the number of iterations of a loop should be known, if variables of the host's decide it alone.
    pub fn want_length(&mut self, body: Node<'t>, start: &Start<'t>) -> Failable<()> {
        let is_inner = !self.loops.is_empty() && self.is_plain_header(start);
        if !is_inner {
            return Ok(());
        }
        let variable = self.name(start.variable).to_owned();
        let runs_over_space = stores(body, |place| self.mentions(place, &variable));
        let accumulates = self.accumulates(body, &variable);
        let adds_again = accumulates && self.adds_again(body, &variable);
        let is_wanted =
            adds_again || !runs_over_space && accumulates || self.needs_constant_subscripts(body, &variable, false);
        if !is_wanted && !runs_over_space && self.accumulates_within(body, &variable) {
            return self.want_window(body, start);
        }
        if !is_wanted {
            return Ok(());
        }
        let saved = self.bindings.insert(start.variable, Binding::Scalar(start.first));
        let condition = self.scalar(start.condition);
        match saved {
            Some(saved) => self.bindings.insert(start.variable, saved),
            None => self.bindings.remove(&start.variable),
        };
        let Ok(condition) = condition else { return Ok(()) };
        let deciding = self.deciding(condition);
        let mut are_told = deciding.is_some();
        for variable in deciding.unwrap_or_default() {
            let name = self.name(variable).to_owned();
            let begins_with = self.told_value(variable);
            let told = begins_with.filter(|value| value.unsigned_abs() <= MAX_TOLD.unsigned_abs());
            are_told &= begins_with.is_some();
            let mut wanted = self.unit.wanted.borrow_mut();
            wanted.values.extend(told.map(|value| (name.clone(), value)));
            wanted.is_needed |= adds_again;
            self.open_lengths.insert(name);
        }
        if are_told { Ok(()) } else { self.want_window(body, start) }
    }

    /// Notes that a number should be known by which `remainder` divides, if that is kept or a subscript outside of loops over space, as
    /// in `now = (now + 1) % buffers;`: so many buffers have to be told apart.
    pub fn want_number_of_buffers(&mut self, remainder: Node<'t>, divisor: Handle<Expr>) {
        if self.loops.len() > 1 {
            return;
        }
        let around = std::iter::successors(Some(remainder), Node::parent);
        let is_plain = |it: &Node| matches!(it.kind(), "parenthesized_expression" | "cast_expression");
        let around = around.skip(1).find(|it| !is_plain(it)).map_or("", |it| it.kind());
        let is_kept = matches!(around, "init_declarator" | "assignment_expression" | "subscript_expression")
            || remainder.kind() == "assignment_expression";
        let deciding = self.deciding(divisor).filter(|_| is_kept).unwrap_or_default();
        for variable in deciding {
            let told = self.told_value(variable).filter(|value| (2..=MAX_BUFFERS).contains(value));
            let name = self.name(variable).to_owned();
            self.unit.wanted.borrow_mut().values.extend(told.map(|value| (name, value)));
        }
    }

    /// Whether the body of a loop adds to an element whose subscripts do not have the loop's variable.
    fn adds_again(&self, body: Node<'t>, variable: &str) -> bool {
        let mut found = false;
        walk(body, &mut |node| {
            let is_compound = node.child_by_field_name("operator").is_some_and(|it| self.text(it) != "=");
            let element = assigned_element(node).filter(|_| is_compound);
            found |= element.is_some_and(|element| !self.mentions(element, variable));
            node.kind() != "for_statement" && !found
        });
        found
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
        let assignment = |place: Node<'t>| {
            let mut around = std::iter::successors(place.parent(), Node::parent);
            around.find(|it| it.kind() != "parenthesized_expression").filter(|it| assigned(*it) == Some(place))
        };
        let mut assignments = named(self.unit, *self.ancestors.last()?, name).filter_map(assignment);
        let only = assignments.next().filter(|_| assignments.next().is_none())?;
        only.child_by_field_name("right")
    }

    /// The value of an expression whose variables hold constants at the present place.
    pub fn constant_here(&mut self, node: Node<'t>) -> Option<i64> {
        let is_known = nodes_in(node).all(|inner| match inner.kind() {
            "identifier" => self.holds_constant(inner),
            kind => !REACHES.contains(&kind) && !matches!(kind, "assignment_expression" | "update_expression"),
        });
        if !is_known {
            return None;
        }
        let value = self.scalar(node).ok()?;
        self.constant(value)
    }

    /// Whether an identifier names a scalar of which is known what it holds at the present place.
    pub fn is_bound_here(&self, node: Node<'t>) -> bool {
        let name = self.text(node);
        let variable = || {
            let variable = self.scope.variable(name)?.identity(self.unit.source.id(), name);
            self.nest.values.find(&HostValue { variable, path: Vec::new() })
        };
        let is_bound = |it| matches!(self.bindings.get(&it), Some(Binding::Scalar(_) | Binding::Index(_)));
        self.scope.constant(self.unit, node).is_some() || variable().is_some_and(is_bound)
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

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, read_all, refusal};
    use crate::ir::Nest;

    /// A nest over `i` with a sum of elements from `first` to `last` away.
    fn sum(before: &str, clauses: &str, (first, last): (&str, &str)) -> String {
        let body = format!(
            "{before}\n#pragma stencil {clauses}\nfor (int i = 9; i < n - 9; i++) {{ double s = 0;
             for (int k = {first}; k <= {last}; k++) s += w[k + {last}] * a[i + k]; b[i] = s; }}"
        );
        function("int n, int r, const double *a, double *b, const double *w", &body)
    }

    /// The least and the greatest value of what the driver looks at.
    fn checked(nest: &Nest) -> Vec<(i64, i64)> {
        nest.range_checks.iter().map(|check| (check.least, check.greatest)).collect()
    }

    #[test]
    fn clauses_say_how_often_loops_run() {
        let nest = read(&sum("", "value(r = 2)", ("-r", "r")));
        assert_eq!((nest.loops.len(), checked(&nest)), (1, vec![(2, 2)]), "{nest}");
        assert!(nest.held.is_empty(), "no note on what a clause says");
        assert!(nest.to_string().contains("param int r\n"), "{nest}");
    }

    #[test]
    fn programs_say_it_where_the_variable_begins() {
        for before in ["int q = 2; look(&q);", "int q; q = 2; look(&q);", "int q; if (n > 3) q = 2;"] {
            let nest = read(&format!("void look(int *);\n{}", sum(before, "", ("-q", "q"))));
            assert_eq!((nest.loops.len(), checked(&nest)), (1, vec![(2, 2)]), "{nest}");
            assert_eq!(nest.held.len(), 1);
        }
        let both = "int q = 2, p = 1; look(&q); look(&p);";
        let nest = read(&format!("void look(int *);\n{}", sum(both, "", ("-p", "q"))));
        assert_eq!((nest.loops.len(), nest.held.len()), (1, 2), "{nest}");
    }

    #[test]
    fn nothing_else_is_taken_to_hold() {
        let begins = |before: &str| format!("void look(int *);\n{}", sum(before, "", ("-q", "q")));
        let refused = refusal(&begins("int q = 99; look(&q);"));
        assert_eq!(refused.code, "scalar-carried");
        assert!(refused.help.iter().any(|help| help.contains("`value(q = 3)`")), "{refused:?}");
        for before in ["int q = n; look(&q);", "int q; q = 2; q = 3; look(&q);", "int q; look(&q);"] {
            let nest = read(&begins(before));
            assert_eq!((nest.held.len(), nest.lengths().count()), (0, 1), "{nest}");
        }
        // What can be read without is.
        let body = "int q = 2; look(&q);\n#pragma stencil\nfor (int i = q; i < n - q; i++) b[i] = a[i - 1] + a[i + q];";
        let nest = read(&format!("void look(int *);\n{}", function("int n, const double *a, double *b", body)));
        assert!(nest.held.is_empty() && nest.to_string().contains("param int q\n"), "{nest}");
    }

    #[test]
    fn elements_to_which_a_loop_adds_are_sums_too() {
        let nest = |length: &str| {
            let body = format!(
                "int q = {length}; look(&q);\n#pragma stencil\nfor (int i = 0; i < n - 9; i++) {{ b[i] = 0;
                 for (int k = 0; k < q; k++) b[i] += a[i + k]; }}"
            );
            format!("void look(int *);\n{}", function("int n, const double *a, double *b", &body))
        };
        assert_eq!(read(&nest("3")).loops.len(), 1);
        assert_eq!(read(&nest("33")).loops.len(), 2);
    }

    #[test]
    fn clauses_about_what_is_not_read_are_refused() {
        for clause in ["value(m = 2)", "value(n = 20) value(a = 3)", "value(i = 2)"] {
            let nests = read_all(&sum("", &format!("value(r = 2) {clause}"), ("-r", "r")));
            assert_eq!(nests[0].as_ref().unwrap_err()[0].code, "pragma-clause", "{clause}");
        }
    }
}
