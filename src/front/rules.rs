//! Scalars that carry a value from one step to the next by a rule: what a step leaves in them is made of scalars, constants
//! and the step alone, as in `time += dt` or `now = 1 - now`.
//!
//! A nest that is refused for such a scalar is read once more. A scout takes what scalars hold before a step for parameters
//! and so finds what the step makes of them. Where their values in step `s` have a closed form ([`Form`]), that is what the
//! nest is read with then. All others are left to the driver, which takes the steps one by one: see [`Rule`].
//!
//! Example: in `for (t = 0; t < n; t++) { a[1 - now][i] = time * a[now][i]; now = 1 - now; time += dt; }` with `now = 0` at
//! first, `now` is `t % 2`, and `time` an element of an array that the driver fills.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;

use super::Failable;
use super::file_tree::FileTree;
use super::forms::Form;
use super::reader::{Binding, Change, Reader};
use super::tree::Unit;
use super::types::CType;
use super::unused::roots_of_sweeps;
use crate::ir::{Access, Expr, ExprKind, Handle, HostValue, Loop, Param, ParamValue, Rule, ScalarType};
use crate::source::{Diagnostic, Span};

/// What the scout takes for a scalar's value before a step, and what it finds it to hold after it.
type Scouted = (Handle<Expr>, Option<Handle<Expr>>);

/// What a reader knows of the scalars that steps change.
#[derive(Debug, Default)]
pub struct Rules {
    /// Whether the nest is read to find out.
    is_scout: bool,
    /// Whether the nest is a step of a loop that the host keeps, whose calls bring what scalars hold before a step.
    is_of_kept: bool,
    /// What their values are, by variable.
    forms: BTreeMap<HostValue, Form>,
    /// What they hold before the first step.
    firsts: BTreeMap<Handle<HostValue>, Handle<Expr>>,
    /// What the scout found, by variable.
    scouted: BTreeMap<Handle<HostValue>, Scouted>,
    /// Those whose values the driver computes, with the arrays.
    pub series: Vec<Series>,
    /// What indices that turn hold at first, where that is no constant; see [`Form::TurnFrom`].
    pub starts: Vec<Handle<Param>>,
}

/// A scalar whose values the driver computes.
#[derive(Clone, Copy, Debug)]
pub struct Series {
    /// The user's variable.
    variable: Handle<HostValue>,
    /// The base of the array of its values.
    values: Handle<HostValue>,
    /// Where it is assigned first.
    pub assigned: Span,
}

/// Whether a refusal may be one of a scalar that a rule would mend.
pub fn may_follow_a_rule(refusal: &Diagnostic) -> bool {
    ["scalar-carried", "scalar-live-out", "loop-bound"].contains(&refusal.code)
}

/// The rules of the scalars that the steps of the nest at `node` change; `None` without any.
///
/// # Errors
/// The nest is refused whatever such scalars hold.
pub fn find_rules<'t>(unit: &Unit, file: &FileTree<'t>, node: Node<'t>) -> Failable<Option<Rules>> {
    let mut scout = Reader::new(unit, file, node);
    scout.rules.is_scout = true;
    scout.find_scratch(node);
    scout.statement(node)?;
    let carried = scout.carried_by_rules();
    let mut forms = scout.stored_forms(&carried);
    for &variable in &carried {
        let form = scout.form(variable);
        forms.insert(scout.nest.values[variable].clone(), form);
    }
    Ok((!forms.is_empty()).then(|| Rules { forms, ..Rules::default() }))
}

/// The rules of the scalars that the step at `node` of a loop that the host keeps changes, with scalars that it folds over points
/// or without; `None` without any, or if the device would have to know more of one than each call tells.
///
/// # Errors
/// The nest is refused whatever such scalars hold.
pub fn find_rules_of_step<'t>(
    unit: &Unit,
    file: &FileTree<'t>,
    node: Node<'t>,
    folds: bool,
) -> Failable<Option<Rules>> {
    let mut scout = Reader::new(unit, file, node);
    scout.rules.is_scout = true;
    scout.rules.is_of_kept = true;
    scout.folds.are_allowed = folds;
    scout.find_scratch(node);
    scout.statement(node)?;
    let carried = scout.carried_by_rules();
    let mut forms = scout.stored_forms(&carried);
    for variable in carried {
        let form = match scout.form(variable) {
            Form::Listed if scout.is_real(variable) || scout.goes_into_sweeps(variable) => Form::Given,
            Form::Listed if folds => continue,
            Form::Listed => return Ok(None),
            form => form,
        };
        forms.insert(scout.nest.values[variable].clone(), form);
    }
    Ok((!forms.is_empty()).then(|| Rules { forms, is_of_kept: true, ..Rules::default() }))
}

impl Rules {
    /// What is known of a scalar.
    pub fn form_of(&self, value: &HostValue) -> Option<&Form> {
        self.forms.get(value)
    }

    /// The scalars whose values the scout found.
    pub fn scouted(&self) -> impl Iterator<Item = Handle<HostValue>> {
        self.scouted.keys().copied()
    }
}

impl<'t> Reader<'_, '_, 't> {
    /// The scouted scalars that carry data, beside those that follow rules.
    fn stored_forms(&self, ruled: &[Handle<HostValue>]) -> BTreeMap<HostValue, Form> {
        let stored = if self.unit.stores_scalars { self.carried_by_data(ruled) } else { Vec::new() };
        stored.into_iter().map(|variable| (self.nest.values[variable].clone(), Form::Stored)).collect()
    }

    /// Whether what a scalar holds before the first step is a real number.
    fn is_real(&self, variable: Handle<HostValue>) -> bool {
        self.rules.firsts.get(&variable).is_some_and(|first| self.ty(*first).is_float())
    }

    /// Keeps what scalars hold before the outermost loop.
    pub fn note_firsts(&mut self, changed: &[Change]) {
        let is_outermost = self.loops.is_empty();
        for (variable, span) in changed.iter().filter(|_| is_outermost) {
            let Some(ty) = self.declaration_of(*variable).and_then(|it| it.ty.number()) else { continue };
            let form = self.rules.form_of(&self.nest.values[*variable]);
            let is_known = form.is_some_and(|form| *form != Form::Stored);
            if !self.rules.is_scout && !is_known {
                continue;
            }
            let first = match self.bindings.get(variable) {
                Some(Binding::Scalar(first)) => Some(*first).filter(|first| self.is_ruled(*first)),
                None if self.rules.is_of_kept => Some(self.param(*variable, ty, *span)),
                None => Some(self.constant_before(*variable, ty).unwrap_or_else(|| self.param(*variable, ty, *span))),
                _ => None,
            };
            self.rules.firsts.extend(first.map(|first| (*variable, first)));
        }
    }

    /// Gives scalars that follow a rule their values in an iteration of the outermost loop.
    pub fn enter_step(&mut self, this: Handle<Loop>, changed: &[Change]) -> Failable<()> {
        let is_outermost = self.loops.len() == 1;
        for (variable, span) in changed.iter().filter(|_| is_outermost) {
            let Some(first) = self.rules.firsts.get(variable).copied() else { continue };
            let is_counter = matches!(self.bindings.get(variable), Some(Binding::Index(_) | Binding::Scalar(_)));
            let form = self.rules.form_of(&self.nest.values[*variable]).cloned();
            let value = match form {
                _ if is_counter => continue,
                Some(Form::Listed) => self.listed(this, *variable, *span),
                Some(Form::Given) => first,
                Some(form) => {
                    if self.rules.is_of_kept {
                        self.nest.step.turns.extend(form.turned(*variable));
                    }
                    self.formed(&form, first, this, *span)?
                }
                None => {
                    let value = self.param(*variable, self.ty(first), *span);
                    self.rules.scouted.insert(*variable, (value, None));
                    value
                }
            };
            self.bindings.insert(*variable, Binding::Scalar(value));
        }
        Ok(())
    }

    /// What stands for scalars that are exchanged; the driver sees that one of them holds the same, which is `value`.
    pub fn exchanged_value(&mut self, value: Handle<Expr>, first: &HostValue, span: Span) -> Handle<Expr> {
        let known = self.rules.firsts.iter().find(|(scalar, _)| self.nest.values[**scalar] == *first);
        let first = *known.expect("what is exchanged changes").1;
        if first != value {
            self.check_equal_values([first, value], span);
        }
        first
    }

    /// The element of the array of a scalar's values for the present step.
    fn listed(&mut self, this: Handle<Loop>, variable: Handle<HostValue>, assigned: Span) -> Handle<Expr> {
        let name = self.name(variable).to_owned();
        // Files may have variables of the same name.
        let is_taken = self.rules.series.iter().any(|it| self.name(it.values) == name);
        let name = if is_taken { self.nest.values.free_name(&name) } else { name };
        let values = self.undeclared(name);
        self.rules.series.push(Series { variable, values, assigned });
        self.value_in_step(this, values, self.ty(self.rules.firsts[&variable]), 0, assigned)
    }

    /// What is in the array with the base `values` for the step that is `further` ahead.
    fn value_in_step(
        &mut self,
        this: Handle<Loop>,
        values: Handle<HostValue>,
        ty: ScalarType,
        further: i64,
        span: Span,
    ) -> Handle<Expr> {
        let root = self.root(values, &CType::Pointer(Box::new(CType::Scalar(ty))), span);
        let (step, further) =
            (self.expr(ScalarType::I64, ExprKind::Iteration(this), span), self.int(ScalarType::I64, further, span));
        let step = self.index_sum(step, further, span);
        let access = self.access(root, vec![step], span);
        self.expr(ty, ExprKind::Read(access), span)
    }

    /// Keeps what scalars hold at the end of an iteration of the outermost loop.
    ///
    /// # Errors
    /// What the driver would have to compute depends on data after all.
    pub fn leave_step(&mut self, this: Handle<Loop>) -> Failable<()> {
        if self.loops.len() != 1 {
            return Ok(());
        }
        let ends: Vec<_> = self.rules.scouted.keys().map(|it| (*it, self.bindings.get(it).cloned())).collect();
        for (variable, end) in ends {
            if let (Some(Binding::Scalar(end)), Some(entry)) = (end, self.rules.scouted.get_mut(&variable)) {
                entry.1 = Some(end);
            }
        }
        for Series { variable, values, assigned } in self.rules.series.clone() {
            let next = match self.bindings.get(&variable) {
                Some(Binding::Scalar(next)) if self.is_ruled(*next) => *next,
                _ => return Err(self.no_rule(variable, assigned)),
            };
            let (ty, first) = (self.ty(next), self.rules.firsts[&variable]);
            self.nest.step.rules.push(Rule { values, ty, first, next });
            let left = self.value_in_step(this, values, ty, 1, assigned);
            self.bindings.insert(variable, Binding::Scalar(left));
        }
        Ok(())
    }

    /// Refuses rules in a loop over space, where there are no steps, and those that choose elements by what no closed form tells.
    pub fn check_rules(&self) -> Failable<()> {
        if let Some(series) = self.rules.series.first().filter(|_| !self.nest.clock.has_steps()) {
            return Err(self.no_rule(series.variable, series.assigned));
        }
        for (access, Access { subscripts, array, .. }) in self.nest.accesses.iter() {
            let parts = self.nest.reachable(subscripts.iter().copied());
            let is_written = self.nest.step.statements.iter().any(|it| self.nest.accesses[it.write].array == *array);
            let chosen = parts.iter().find_map(|part| match self.kind(*part) {
                ExprKind::Read(read) => self.series_of(&self.nest.accesses[*read]).map(|series| series.variable),
                ExprKind::Param(param) if is_written && self.rules.starts.contains(param) => self.variable_of(*param),
                _ => None,
            });
            if let Some(variable) = chosen {
                return Err(self.chosen_by_no_form(variable, self.nest.accesses.span(access)));
            }
        }
        Ok(())
    }

    /// The scalar of whose values the array of `access` is.
    fn series_of(&self, access: &Access) -> Option<&Series> {
        let base = self.nest.arrays[access.array].buffers.first()?.variable;
        self.rules.series.iter().find(|series| series.values == base)
    }

    fn chosen_by_no_form(&self, variable: Handle<HostValue>, place: Span) -> Box<Diagnostic> {
        let name = self.name(variable);
        let time = self.nest.loops.iter().next().map_or("t", |(_, this)| self.name(this.variable));
        let message = format!("which element this is in a step follows from no closed form of `{name}`");
        let error = Diagnostic::error("scalar-carried", message, place);
        let error = error.with_help(format!(
            "let `{name}` start at a constant in front of the nest and turn, as `{name} = {time} % 2` does"
        ));
        Box::new(error.with_help("or let the host count the steps: mark the loops inside this loop, not this loop"))
    }

    pub fn no_rule(&self, variable: Handle<HostValue>, assigned: Span) -> Box<Diagnostic> {
        let message = format!("`{}` carries a value from one iteration to the next", self.name(variable));
        let help = "write what it holds in terms of the loop's variables and of elements, as in `b[i - 1]`";
        Box::new(Diagnostic::error("scalar-carried", message, assigned).with_help(help))
    }

    /// Whether the driver can compute a value: of parameters, the step, and values of rules.
    pub fn is_ruled(&self, value: Handle<Expr>) -> bool {
        let time = self.nest.loops.handles().next();
        let is_value = |access: &Access| {
            let root = self.nest.arrays.handles().position(|array| array == access.array);
            root.is_some_and(|root| self.rules.series.iter().any(|it| it.values == self.roots[root].variable))
        };
        self.nest.reachable([value]).into_iter().all(|part| match self.kind(part) {
            ExprKind::Read(access) => is_value(&self.nest.accesses[*access]),
            ExprKind::Index(this) | ExprKind::Iteration(this) => Some(*this) == time,
            _ => true,
        })
    }

    /// The scalars whose value before a step matters and that follow a rule: only such scalars go into it.
    fn carried_by_rules(&self) -> Vec<Handle<HostValue>> {
        let ends = self.rules.scouted.iter().filter_map(|(variable, (_, end))| Some((*variable, (*end)?)));
        let mut ruled: BTreeMap<_, _> = ends.filter(|(_, end)| self.is_ruled(*end)).collect();
        loop {
            let is_open = |(_, end): &(&Handle<HostValue>, &Handle<Expr>)| {
                self.scalars_in(**end).iter().any(|it| !ruled.contains_key(it))
            };
            let Some(open) = ruled.iter().find(is_open).map(|(variable, _)| *variable) else { break };
            ruled.remove(&open);
        }
        self.by_name(ruled.into_keys().filter(|variable| self.is_needed(*variable)))
    }

    /// The scouted scalars whose values before the step go into `value`.
    pub fn scalars_in(&self, value: Handle<Expr>) -> BTreeSet<Handle<HostValue>> {
        let mut found = BTreeSet::new();
        for part in self.nest.reachable([value]) {
            let ExprKind::Param(param) = *self.kind(part) else { continue };
            match &self.nest.params[param].value {
                ParamValue::Variable(variable) => {
                    found.extend(self.rules.scouted.contains_key(variable).then_some(*variable));
                }
                ParamValue::Expression { value, .. } => found.extend(self.scalars_in(*value)),
                ParamValue::IsSet { .. } => {}
            }
        }
        found
    }

    /// Whether anything is made of what a scalar holds before a step.
    pub fn is_needed(&self, variable: Handle<HostValue>) -> bool {
        let (value, end) = self.rules.scouted[&variable];
        let others = self.rules.scouted.iter().filter(|(other, _)| **other != variable);
        let ends = others.filter_map(|(_, (_, end))| *end);
        let statements = self.nest.step.statements.iter().map(|statement| statement.value);
        let accesses = self.nest.accesses.iter().flat_map(|(_, it)| it.subscripts.iter().chain(&it.guards).copied());
        let locals = self.nest.locals.iter().map(|(_, local)| local.value);
        let bounds = self.nest.loops.iter().flat_map(|(_, this)| [this.first, this.bound]);
        let operands = self.nest.exprs.iter().flat_map(|(_, expr)| expr.kind.operands());
        end != Some(value)
            && ends.chain(statements).chain(accesses).chain(locals).chain(bounds).chain(operands).any(|it| it == value)
    }

    /// Whether sweeps need what a scouted scalar holds before the step, but not to find elements.
    fn goes_into_sweeps(&self, variable: Handle<HostValue>) -> bool {
        let has = |root: Handle<Expr>| self.scalars_in(root).contains(&variable);
        let mut subscripts = self.nest.accesses.iter().flat_map(|(_, access)| access.subscripts.iter().copied());
        !subscripts.any(has) && roots_of_sweeps(&self.nest).into_iter().any(has)
    }

    /// What the scout takes for the value of a scalar before a step.
    pub fn scouted_value(&self, variable: Handle<HostValue>) -> Option<Handle<Expr>> {
        self.rules.scouted.get(&variable).map(|(value, _)| *value)
    }

    /// What a scouted scalar holds after a step.
    pub fn scouted_end(&self, variable: Handle<HostValue>) -> Option<Handle<Expr>> {
        self.rules.scouted.get(&variable)?.1
    }

    /// What a scalar holds before the first step.
    pub fn first_value(&self, variable: Handle<HostValue>) -> Option<Handle<Expr>> {
        self.rules.firsts.get(&variable).copied()
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};

    /// A nest of steps that smooth `a`, in which `x` is used and `rest` follows.
    fn nest(before: &str, factor: &str, rest: &str) -> String {
        let sweep = format!("for (int i = 0; i < n; i++) a[i] = a[i] * ({factor});");
        let body = format!("{before}\n#pragma stencil\nfor (int t = 0; t < steps; t++) {{ {sweep} {rest} }}");
        function("int n, int steps, double dt, double *a", &body)
    }

    #[test]
    fn the_driver_takes_the_steps_of_what_has_no_closed_form() {
        let text = read(&nest("double time = 0;", "time", "time += dt;")).to_string();
        assert!(text.contains("a[(long long)i] = (a[(long long)i] * time[#t])"), "{text}");
        assert!(text.contains("local double time.0 = (time[#t] + dt)\n"), "{text}");
        assert!(text.contains("rule double time = time, time.0\n") && !text.contains("leave"), "{text}");
        let text = read(&nest("int k = 3;", "k", "if (t % 4 == 1) k = k * k; else k += t;")).to_string();
        assert!(text.contains("local int k.1 = (k[#t] + t)\n") && text.contains("rule int k = 3, k.2\n"), "{text}");
    }

    #[test]
    fn rules_may_need_each_other() {
        let text = read(&nest("double time = 0, step = dt;", "time", "time += step; if (t == 0) step = step + step;"));
        let rules: Vec<_> = text.step.rules.iter().map(|rule| text.values.text(rule.values)).collect();
        assert_eq!(rules, ["time", "step"]);
    }

    #[test]
    fn what_the_nest_leaves_is_the_element_behind_the_last_step() {
        let text = nest("double time = 0;", "time", "time += dt;").replace("\n}\n", "\na[0] = time; }\n");
        let text = read(&text).to_string();
        assert!(text.contains("leave time = time[(#t + 1)]\n"), "{text}");
    }

    #[test]
    fn what_no_step_needs_of_the_one_before_has_no_rule() {
        let text = "double time = 0, old;";
        let read = read(&nest(text, "time + old", "time += dt;").replace("for (int i", "old = time; for (int i"));
        assert_eq!(read.step.rules.len(), 1);
    }

    #[test]
    fn data_makes_no_rule() {
        for rest in ["time += a[0];", "time += dt; dt = a[1];", "if (a[0] > 0) time += dt;"] {
            let read = read(&nest("double time = 0;", "time", rest));
            assert!(read.step.rules.is_empty(), "{rest}: {read}");
        }
        let sum = "for (int i = 0; i < n; i++) sum += a[i];";
        let read = read(&nest("double time = 0, sum = 0;", "time", &format!("time += dt; {sum}")));
        assert!(read.step.rules.is_empty() && read.clock.end().is_some(), "{read}");
    }

    #[test]
    fn calls_bring_what_the_steps_of_a_kept_loop_turn_and_add_up() {
        let step =
            "for (int i = 1; i < 64; i++) a[1 - now][i] = time * a[now][i - 1] + k; now = !now; k -= 3; time += 0.5;";
        let globals = "static int now, k; static double time, a[2][64]; void print(int);";
        let text = format!(
            "{globals} static void step(void) {{ {step} }}\nvoid f(int steps)\n{{\n#pragma stencil\n\
             for (int t = 0; t < steps; t++) {{ step(); print(t); }}\n}}\n"
        );
        let nest = read(&text);
        let turns: Vec<_> =
            nest.step.turns.iter().map(|it| (nest.values.text(it.variable), it.by, it.period)).collect();
        assert_eq!(turns, [("now", 1, Some(2)), ("k", -3, None)]);
        assert!(nest.step.rules.is_empty() && nest.to_string().contains("param double time\n"), "{nest}");
    }

    #[test]
    fn a_loop_over_space_has_no_steps() {
        let body = "double x = 0;\n#pragma stencil\nfor (int i = 0; i < n; i++) { a[i] = x; x += 0.1; }";
        assert_eq!(refusal(&function("int n, double *a", body)).code, "scalar-carried");
    }
}
