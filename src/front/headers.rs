//! Loops that begin, count and end in other words than `for (i = first; i < bound; i++)`: with several variables, without a
//! first value of their own, or as a `while` whose body counts.

use tree_sitter::Node;

use super::Failable;
use super::loops::Start;
use super::reader::{Binding, Change, Reader};
use super::tree::{
    Unit, address_of, children, declared_identifier, fields, mentions, nodes_in, strip_parentheses, target, walk,
};
use super::types::CType;
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, HostValue, Loop, ScalarType};

/// A loop's header, and where its variable is counted.
pub struct Counting<'t> {
    /// What stands before the first semicolon.
    initialiser: Option<Node<'t>>,
    condition: Node<'t>,
    /// What stands behind the second semicolon, part by part.
    updates: Vec<Node<'t>>,
    /// The one that counts; it may be a statement of the body.
    pub update: Node<'t>,
}

/// How the loop `node` counts, if its header is none of one variable that is set, tested and counted.
pub fn counting<'t>(unit: &Unit, node: Node<'t>) -> Option<Counting<'t>> {
    let initialiser = node.child_by_field_name("initializer");
    let updates = node.child_by_field_name("update").map(comma_parts).unwrap_or_default();
    let is_one = |it: Node| it.kind() != "comma_expression" && fields(it, "declarator").len() <= 1;
    if initialiser.is_some_and(is_one) && updates.len() == 1 {
        return None;
    }
    let condition = strip_parentheses(node.child_by_field_name("condition")?);
    let counts = |part: &Node<'t>| target(*part).is_some_and(|target| mentions(unit, condition, unit.text(target)));
    let update = match updates.as_slice() {
        [] => counted_in_body(unit, node, counts)?,
        parts => *parts.iter().find(|part| counts(part))?,
    };
    let name = unit.text(target(update)?);
    (assignments(unit, node, name, initialiser) == 1).then_some(Counting { initialiser, condition, updates, update })
}

/// Whether `node` is a `while` or a `do` loop that counts like a `for`.
pub fn is_counting_while(unit: &Unit, node: Node) -> bool {
    matches!(node.kind(), "while_statement" | "do_statement") && counting(unit, node).is_some()
}

/// The only statement of the loop's body, executed in each iteration, for which `counts` holds.
fn counted_in_body<'t>(unit: &Unit, node: Node<'t>, counts: impl Fn(&Node<'t>) -> bool) -> Option<Node<'t>> {
    let body = node.child_by_field_name("body").filter(|body| body.kind() == "compound_statement")?;
    let statements = children(body).into_iter().filter(|it| it.kind() == "expression_statement");
    let expressions = statements.filter_map(|it| children(it).first().copied().map(strip_parentheses));
    let found: Vec<_> = expressions.filter(counts).collect();
    match found.as_slice() {
        [update] if !has_jump(body) && !declares(unit, body, unit.text(target(*update)?)) => Some(*update),
        _ => None,
    }
}

/// Whether something in `body` may leave an iteration of its loop before the end; what leaves loops inside does not.
pub fn has_jump(body: Node) -> bool {
    jumps(body, &["continue_statement", "break_statement"])
}

/// Whether a jump in the body of a loop may leave that loop before its end.
pub fn has_break(body: Node) -> bool {
    jumps(body, &["break_statement"])
}

/// Whether `node` has a jump that is `open`, or one to anywhere.
fn jumps(node: Node, open: &[&str]) -> bool {
    let mut found = false;
    walk(node, &mut |inner| {
        let inside: Option<&[&str]> = match inner.kind() {
            "switch_statement" if open.contains(&"continue_statement") => Some(&["continue_statement"]),
            "switch_statement" | "for_statement" | "while_statement" | "do_statement" => Some(&[]),
            _ => None,
        };
        found |= match (inside, inner.kind()) {
            (Some(inside), _) => children(inner).into_iter().any(|child| jumps(child, inside)),
            (None, "return_statement" | "goto_statement" | "labeled_statement") => true,
            (None, kind) => open.contains(&kind),
        };
        !found && inside.is_none()
    });
    found
}

/// Whether a declaration in `node` is of a variable `name`.
pub fn declares(unit: &Unit, node: Node, name: &str) -> bool {
    nodes_in(node).any(|inner| {
        let is_it = |it: Node| declared_identifier(it).is_some_and(|it| unit.text(it) == name);
        inner.kind() == "declaration" && fields(inner, "declarator").into_iter().any(is_it)
    })
}

/// How often the code in `node`, without `left_out`, assigns a variable `name` or takes its address.
pub fn assignments(unit: &Unit, node: Node, name: &str, left_out: Option<Node>) -> usize {
    places_of_assignments(unit, node, name, left_out).len()
}

/// Where it does, in the order of the text.
pub fn places_of_assignments(unit: &Unit, node: Node, name: &str, left_out: Option<Node>) -> Vec<usize> {
    let mut places = Vec::new();
    if !unit.text[node.byte_range()].contains(name) {
        return places;
    }
    walk(node, &mut |inner| {
        if Some(inner) == left_out {
            return false;
        }
        let assigned = target(inner).or_else(|| address_of(unit, inner));
        places.extend(assigned.filter(|assigned| unit.text(*assigned) == name).map(|_| inner.start_byte()));
        true
    });
    places
}

/// The parts of a comma expression, in order.
pub fn comma_parts(expression: Node) -> Vec<Node> {
    let expression = strip_parentheses(expression);
    if expression.kind() != "comma_expression" {
        return vec![expression];
    }
    let parts = ["left", "right"].into_iter().filter_map(|name| expression.child_by_field_name(name));
    parts.flat_map(comma_parts).collect()
}

impl<'t> Reader<'_, '_, 't> {
    /// Reads the beginning of such a loop: the other variables get their first values, too.
    pub fn start_counting(&mut self, node: Node<'t>, counting: Counting<'t>) -> Failable<Start<'t>> {
        self.initialise(node, counting.initialiser)?;
        let Some(target) = target(counting.update) else { return self.not_canonical(counting.update) };
        let (variable, ty) = self.counter_variable(self.text(target), counting.update, "declare it before the nest")?;
        let at = counting.initialiser.unwrap_or(target);
        let first = match self.bindings.get(&variable).cloned() {
            Some(Binding::Scalar(first)) => first,
            Some(Binding::Unknown(why, assigned)) => {
                return Err(self.unknown_value(target, variable, why, assigned));
            }
            None if self.is_from_outside(variable) => match self.constant_before(variable, ty) {
                Some(first) => first,
                None => self.param(variable, ty, self.span(at)),
            },
            _ => return self.not_canonical(node),
        };
        self.check_bound(at, first)?;
        let Counting { condition, update, updates, .. } = counting;
        let start = self.start_at(node, (variable, ty), first, (condition, update))?;
        Ok(Start { updates, runs_first: node.kind() == "do_statement", ..start })
    }

    /// Reads what stands before the first semicolon of the loop `node`.
    pub fn initialise(&mut self, node: Node<'t>, initialiser: Option<Node<'t>>) -> Failable<()> {
        match initialiser {
            Some(declaration) if declaration.kind() == "declaration" => self.declaration(declaration)?,
            Some(assignments) => {
                for part in comma_parts(assignments) {
                    if part.kind() != "assignment_expression" {
                        return self.not_canonical(part);
                    }
                    self.expression_statement(node, part)?;
                }
            }
            None => {}
        }
        Ok(())
    }

    /// Adds to what a loop changes what its header declares and the loop changes, too; takes out what its header sets and
    /// nothing in it changes.
    pub fn sort_out_changes(&mut self, node: Node<'t>, variable: Handle<HostValue>, changed: &mut Vec<Change>) {
        let Some(initialiser) = node.child_by_field_name("initializer") else { return };
        let unit = self.unit;
        let is_changed = |name: &str| assignments(unit, node, name, Some(initialiser)) > 0;
        if initialiser.kind() == "comma_expression" {
            let set: Vec<_> = comma_parts(initialiser).into_iter().filter_map(target).map(|it| self.text(it)).collect();
            let is_kept = |(it, _): &Change| {
                let name = self.name(*it);
                set.contains(&name) && !is_changed(name) && self.is_changed_by_name_only(node, *it)
            };
            let (kept, others): (Vec<_>, Vec<_>) = changed.iter().copied().partition(is_kept);
            *changed = others;
            if self.loops.is_empty() {
                self.note_before_loop(&kept);
            }
        }
        for declarator in fields(initialiser, "declarator").into_iter().filter(|_| initialiser.kind() == "declaration")
        {
            let name = declared_identifier(declarator).map(|name| self.text(name)).filter(|name| is_changed(name));
            let declared = name.and_then(|name| self.host_value(name)).filter(|declared| *declared != variable);
            changed.extend(declared.map(|declared| (declared, self.span(declarator))));
        }
    }

    /// Whether all that changes a variable in `node` names it: no function that is called there can reach it.
    pub fn is_changed_by_name_only(&self, node: Node<'t>, variable: Handle<HostValue>) -> bool {
        self.is_own_local(variable) || !nodes_in(node).any(|inner| inner.kind() == "call_expression")
    }

    /// Reads what stands behind the second semicolon of a loop with several variables, or sees that the body of a `while` has
    /// counted; the loop's variable is its index again.
    pub fn update_variables(&mut self, this: Handle<Loop>, start: &Start<'t>) -> Failable<()> {
        if start.is_real {
            return self.update_real_loop(this, start);
        }
        if start.updates.is_empty() {
            let (before, step) = (self.index(this), self.nest.loops[this].step);
            if !self.has_grown(start.variable, before, step) {
                return self.not_counting(start.update);
            }
        }
        for part in start.updates.iter().filter(|_| start.updates.len() > 1) {
            if *part == start.update {
                let next = self.next_index(this);
                self.bindings.insert(start.variable, next);
            } else {
                self.expression_statement(*part, *part)?;
            }
        }
        self.bindings.insert(start.variable, Binding::Index(this));
        Ok(())
    }

    /// What the loop's variable holds in the next iteration.
    fn next_index(&mut self, this: Handle<Loop>) -> Binding<'t> {
        let (Loop { ty, step, .. }, span) = (self.nest.loops[this].clone(), self.nest.loops.span(this));
        let (index, step) = (self.index(this), self.int(ScalarType::I64, step, span));
        let step = self.convert(step, ty.promoted());
        let next = self.binary(BinaryOp::Add, index, step, span);
        Binding::Scalar(self.convert(next, ty))
    }

    /// What the variable of a loop is while its body runs: one that counts in the body may change there.
    pub fn running(&mut self, this: Handle<Loop>, start: &Start<'t>) -> Binding<'t> {
        if start.updates.is_empty() { Binding::Scalar(self.index(this)) } else { Binding::Index(this) }
    }

    fn index(&mut self, this: Handle<Loop>) -> Handle<Expr> {
        let (ty, span) = (self.nest.loops[this].ty, self.nest.loops.span(this));
        self.expr(ty, ExprKind::Index(this), span)
    }

    /// The integer variable `name` with which a loop counts at `node`; `help` is for one that is not declared.
    pub fn counter_variable(
        &mut self,
        name: &str,
        node: Node<'t>,
        help: &str,
    ) -> Failable<(Handle<HostValue>, ScalarType)> {
        if self.scope.get(name).is_none() {
            let message = format!("`{name}` is not declared where the nest can see it");
            return self.refuse(node, "undeclared", message, help);
        }
        let Some(variable) = self.host_value(name) else { return self.not_canonical(node) };
        self.counter_of(variable, node)
    }

    /// As [`counter_variable`](Self::counter_variable) for one that has been found.
    pub fn counter_of(&self, variable: Handle<HostValue>, node: Node<'t>) -> Failable<(Handle<HostValue>, ScalarType)> {
        match self.declaration_of(variable).map(|declared| declared.ty.clone()) {
            Some(CType::Scalar(ty)) if ty.is_integer() => Ok((variable, ty)),
            Some(CType::Scalar(_)) => self.refuse(
                node,
                "loop-form",
                "a loop counts with a floating-point variable",
                "count with an integer and compute the floating-point value from it",
            ),
            _ => self.not_canonical(node),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};
    use crate::ir::Nest;

    fn nest(before: &str, text: &str) -> String {
        function(
            "int n, int t, int steps, double *a, double *b",
            &format!("{before}\n#pragma stencil\n{text}\nb[0] = t;"),
        )
    }

    const SWEEP: &str = "for (int i = 0; i < n; i++) a[i] += t;";

    fn header(nest: &Nest) -> String {
        nest.to_string().lines().find(|line| line.starts_with("loop")).unwrap_or_default().to_owned()
    }

    #[test]
    fn loops_go_on_from_what_their_variable_holds() {
        let from = |before: &str, text: &str| header(&read(&nest(before, &format!("{text} {SWEEP}"))));
        let go_on = "for (; t < steps; t++)";
        assert_eq!(from("", go_on), "loop int t = t; t < steps; t += 1 time outlives");
        assert_eq!(from("t = 3;", go_on), "loop int t = 3; t < steps; t += 1 time outlives");
        assert_eq!(from("t = 3; if (n) t = 4;", go_on), "loop int t = t; t < steps; t += 1 time outlives");
    }

    #[test]
    fn a_while_counts_once_in_each_iteration() {
        let counts = |body: &str| read_all_first(&nest("t = 0;", &format!("while (t < steps) {{ {body} }}")));
        let passes_over = SWEEP.replace("a[i]", "{ if (i == 3) continue; a[i]") + "}";
        let chooses = "for (int i = 0; i < n; i++) switch (i % 2) { case 0: a[i] = t; break; default: b[i] = t; }";
        for body in [
            format!("{SWEEP} t++;"),
            format!("t += 1; {SWEEP}"),
            format!("{{ {SWEEP} }} t = t + 1;"),
            format!("{passes_over} t++;"),
            format!("{chooses} t++;"),
        ] {
            assert_eq!(counts(&body).unwrap(), "loop int t = 0; t < steps; t += 1 time outlives");
        }
        for body in [
            format!("{SWEEP} if (n) t++;"),
            format!("{SWEEP} t++; t++;"),
            format!("{SWEEP} {{ int t = 0; t++; }} t++;"),
            format!("if (n) continue; {SWEEP} t++;"),
            format!("switch (n) {{ case 1: continue; }} {SWEEP} t++;"),
            format!("{SWEEP} n++;"),
        ] {
            assert!(counts(&body).unwrap().contains("stencil_step"), "{body}");
        }
    }

    #[test]
    fn a_do_that_counts_runs_while_its_condition_holds() {
        let nest = |before: &str, body: &str, condition: &str| {
            read_all_first(&nest(before, &format!("do {{ {SWEEP} {body} }} while ({condition});")))
        };
        assert_eq!(nest("t = 0;", "t++;", "t < steps").unwrap(), "loop int t = 0; t < steps; t += 1 time outlives");
        assert_eq!(nest("", "t += 2;", "t <= n").unwrap(), "loop int t = t; t <= n; t += 2 time outlives");
        assert!(nest("t = 9;", "t++;", "t < 9").unwrap().contains("stencil_step"));
        assert!(nest("", "if (n) t++;", "t < n").unwrap().contains("stencil_step"));
        let checked = read(&super::tests::nest("t = 0;", &format!("do {{ {SWEEP} t++; }} while (t < steps);")));
        assert!(checked.range_checks.iter().any(|check| check.least == 1), "{checked}");
        let real = format!("double x = 0;\n#pragma stencil\ndo {{ {SWEEP} x += 0.5; }} while (x < n);");
        assert!(header(&read(&function("int n, int t, double *a", &real))).contains("stencil_step"));
    }

    fn read_all_first(text: &str) -> Result<String, &'static str> {
        let nest = crate::front::tests::read_all(text).remove(0);
        nest.map(|nest| header(&nest)).map_err(|errors| errors[0].code)
    }

    #[test]
    fn what_follows_the_count_sees_the_next_value() {
        let text = |updates: &str| {
            let head = format!("for (int t = 0, k = 7; t < steps; {updates})");
            read(&nest("", &format!("{head} for (int i = 0; i < n; i++) a[i] = k;"))).to_string()
        };
        assert!(text("t++, k = t").contains("rule int k = 7, (t + 1)\n"));
        assert!(text("k = t, t++").contains("rule int k = 7, t\n"));
    }

    #[test]
    fn members_of_structures_count_steps() {
        let text = |nest: &str| {
            let state = "typedef struct { int t, steps; double *a; } state;";
            format!("{state}\n{}", function("int n, state *s, state r", &format!("#pragma stencil\n{nest}")))
        };
        for (nest, expected) in [
            ("for (s->t = 0; s->t < s->steps; s->t++)", "loop int s->t = 0; s->t < s->steps; s->t += 1 time outlives"),
            ("for ((*s).t = 2; s->t <= r.steps; s->t = s->t + 2)", "s->t = 2; s->t <= r.steps; s->t += 2"),
            ("for (r.t = s->t; r.t < 9; (r).t++)", "loop int r.t = s->t; r.t < 9; r.t += 1 time"),
        ] {
            let shown = header(&read(&text(&format!("{nest} for (int i = 0; i < n; i++) s->a[i] += s->t;"))));
            assert!(shown.contains(expected), "{shown}");
        }
        let other = |head: &str| text(&format!("{head} for (int i = 0; i < n; i++) s->a[i] += 1;"));
        // What counts otherwise is the host's.
        for head in ["for (s->t = 0; s->t < 9; r.t++)", "for (s->steps = 0; s->t < 9; s->t++)"] {
            assert!(read(&other(head)).clock.end().is_some(), "{head}");
        }
        assert_eq!(refusal(&other("for (s->a[0] = 0; s->t < 9; s->t++)")).code, "kept-step");
        let sweep = "for (int i = 0; i < n; i++) s->a[i] += 1;";
        let inside = format!("for (s->t = 0; s->t < 9; s->t++) {{ {sweep} s->t++; {sweep} }}");
        assert_eq!(refusal(&text(&inside)).code, "loop-variable");
    }

    #[test]
    fn several_variables_that_change_are_no_bounds() {
        assert_eq!(refusal(&nest("int i, k;", "for (i = 0, k = n; i < k; i++, k--) a[i] = 1;")).code, "loop-bound");
        assert_eq!(refusal(&nest("int i, k;", "for (i = 0, k = n; i < n; k++) a[i] = 1;")).code, "loop-form");
        assert_eq!(refusal(&nest("int i, k;", "for (i = 0, k = 1; i < n; i++, i++) a[i] = k;")).code, "loop-form");
    }
}
