//! Calls of functions whose last bits depend on the library, where all that goes into them is known before the nest starts: the
//! host makes these calls, with the compiler and the library of the original.
//!
//! What no iteration changes becomes a parameter. What depends on one loop alone, the step for instance, or on loops over space, is
//! listed: an element of an array that the driver fills, see [`Listed`].
//!
//! Example: in `for (t = 0; t < n; t++) { ...; a[k] += exp(-w) * sin(w * t); }` the product is `value_exp_w * sin[#t]`.

use super::polynomial::Polynomial;
use super::reader::Reader;
use crate::ir::{
    Access, Array, BinaryOp, Expr, ExprKind, Handle, HostValue, Listed, Loop, MAX_RANK, Param, ParamValue, ScalarType,
    display,
};

/// Parts of what the driver computes for one element, with every scalar replaced by its value.
const MAX_PARTS: u32 = 1_000;

/// What goes into a value that the host can compute.
#[derive(Default)]
struct Inputs {
    /// The loops on whose iterations it depends.
    loops: Vec<Handle<Loop>>,
    /// Its parts, shared ones counted as often as they occur.
    parts: u32,
}

impl Inputs {
    fn note(&mut self, this: Handle<Loop>) {
        if !self.loops.contains(&this) {
            self.loops.push(this);
        }
    }
}

impl Reader<'_, '_, '_> {
    /// Leaves to the host the calls that it can make.
    pub fn list_calls(&mut self) {
        for call in self.calls_for_host() {
            let loops = self.inputs_of(call).loops;
            match loops.is_empty() {
                true => self.make_param(call),
                false => self.make_element(call, loops),
            }
        }
    }

    /// The largest calls in what the nest stores and leaves that the host can make, each behind those within it.
    fn calls_for_host(&self) -> Vec<Handle<Expr>> {
        let mut pending: Vec<_> = self.nest.step.statements.iter().map(|statement| statement.value).collect();
        pending.extend(self.live_values());
        let mut is_seen = vec![false; self.nest.exprs.len()];
        let mut found = Vec::new();
        while let Some(part) = pending.pop() {
            if std::mem::replace(&mut is_seen[part.index()], true) {
                continue;
            }
            match self.kind(part) {
                ExprKind::Call(function, _) if !function.is_exact() && self.is_call_for_host(part) => found.push(part),
                ExprKind::Local(local) => pending.push(self.nest.locals[*local].value),
                kind => pending.extend(kind.operands()),
            }
        }
        // Operands are made before what they are operands of.
        found.sort();
        found
    }

    fn is_call_for_host(&self, call: Handle<Expr>) -> bool {
        let mut inputs = Inputs::default();
        if !self.is_known_before(call, &mut inputs) || !inputs.loops.iter().all(|this| self.is_countable(*this)) {
            return false;
        }
        let has_grid = |loops: &[Handle<Loop>]| {
            let is_of_space = loops.iter().all(|this| !self.nest.clock.counts(*this));
            is_of_space && loops.len() <= MAX_RANK && loops.iter().all(|this| self.length_of(*this).is_some())
        };
        inputs.loops.len() <= 1 || has_grid(&inputs.loops)
    }

    /// What goes into a value, its loops from the outermost one on.
    fn inputs_of(&self, value: Handle<Expr>) -> Inputs {
        let mut inputs = Inputs::default();
        self.is_known_before(value, &mut inputs);
        inputs.loops.sort();
        inputs
    }

    /// Whether nothing goes into a value but parameters, indices, and what the driver fills arrays with.
    fn is_known_before(&self, value: Handle<Expr>, inputs: &mut Inputs) -> bool {
        inputs.parts += 1;
        if inputs.parts > MAX_PARTS {
            return false;
        }
        match self.kind(value) {
            ExprKind::Index(this) | ExprKind::Iteration(this) => inputs.note(*this),
            ExprKind::Read(read) => match self.filled_over(*read) {
                Some(over) => over.into_iter().for_each(|this| inputs.note(this)),
                None => return false,
            },
            ExprKind::Local(local) => return self.is_known_before(self.nest.locals[*local].value, inputs),
            _ => {}
        }
        self.kind(value).operands().into_iter().all(|operand| self.is_known_before(operand, inputs))
    }

    /// The loops in whose present iteration the driver knows the element that `read` reads.
    fn filled_over(&self, read: Handle<Access>) -> Option<Vec<Handle<Loop>>> {
        let Access { array, subscripts, .. } = &self.nest.accesses[read];
        let base = self.nest.arrays[*array].buffers.first()?.variable;
        let is_present = subscripts.iter().all(|it| matches!(self.kind(*it), ExprKind::Iteration(_)));
        let is_of_rule = is_present && self.nest.step.rules.iter().any(|rule| rule.values == base);
        let listed = self.nest.step.listed.iter().find(|listed| listed.read == read);
        listed.map(|listed| listed.over.clone()).or(self
            .nest
            .clock
            .time()
            .filter(|_| is_of_rule)
            .map(|time| vec![time]))
    }

    /// Whether the driver can go through the iterations of a loop: those over space count from a constant, or down to one.
    fn is_countable(&self, this: Handle<Loop>) -> bool {
        let Loop { first, bound, .. } = self.nest.loops[this];
        let mut inputs = Inputs::default();
        let is_fixed = [first, bound].into_iter().all(|end| self.is_known_before(end, &mut inputs));
        self.nest.clock.counts(this) || self.lowest(this).is_some() && is_fixed && inputs.loops.is_empty()
    }

    /// The lowest index of a loop that counts by one, if that is constant.
    fn lowest(&self, this: Handle<Loop>) -> Option<i64> {
        let (end, more) = self.nest.loops[this].lowest()?;
        self.constant(end)?.checked_add(more)
    }

    /// Makes a parameter of a call that no iteration changes.
    fn make_param(&mut self, call: Handle<Expr>) {
        let known = self.nest.params.iter().find(|(_, param)| match param.value {
            ParamValue::Expression { value, .. } => self.is_same(value, call),
            ParamValue::Variable(_) | ParamValue::IsSet { .. } => false,
        });
        let param = known.map(|(param, _)| param).unwrap_or_else(|| {
            let (name, value) = (self.unused_name(&display::expression(&self.nest, call)), self.copy_of(call));
            let span = self.nest.exprs.span(call);
            self.nest.params.push(Param { ty: self.ty(value), value: ParamValue::Expression { name, value } }, span)
        });
        self.nest.exprs[call].kind = ExprKind::Param(param);
    }

    /// Makes an element of a call that depends on the iterations of loops.
    fn make_element(&mut self, call: Handle<Expr>, over: Vec<Handle<Loop>>) {
        let known = self.nest.step.listed.iter().find(|it| it.over == over && self.is_same(it.value, call));
        let read = known.map(|it| it.read).unwrap_or_else(|| self.list(call, over));
        self.nest.exprs[call].kind = ExprKind::Read(read);
    }

    /// Lists the values of a call, and reads the present one.
    fn list(&mut self, call: Handle<Expr>, over: Vec<Handle<Loop>>) -> Handle<Access> {
        let (values, value) = (self.base_for(call), self.copy_of(call));
        let span = self.nest.exprs.span(call);
        let strides = match over.as_slice() {
            [_] => self.stride_exprs(&[Polynomial::constant(1)], span),
            over => self.strides_of_box(over, span).expect("the lengths of the loops are known"),
        };
        let array = Array::of_driver(self.name(values).to_owned(), self.ty(value), values, strides);
        let array = self.nest.arrays.push(array, span);
        let subscripts = over.iter().map(|this| self.number_of_iteration(*this)).collect();
        let (loops, position) = self.place_within(&over);
        let read = Access::unconditional(array, subscripts, loops, position);
        let read = self.nest.accesses.push(read, span);
        self.nest.step.listed.push(Listed { values, over, value, read });
        read
    }

    /// The number of the present iteration of a loop over time, or of the present index of one over space, from the lowest one on.
    fn number_of_iteration(&mut self, over: Handle<Loop>) -> Handle<Expr> {
        let (ty, span) = (self.nest.loops[over].ty, self.nest.loops.span(over));
        if self.nest.clock.counts(over) {
            return self.expr(ScalarType::I64, ExprKind::Iteration(over), span);
        }
        let index = self.expr(ty, ExprKind::Index(over), span);
        let index = self.convert(index, ScalarType::I64);
        match self.lowest(over).expect("the loop counts from a constant, or down to one") {
            0 => index,
            lowest => {
                let lowest = self.int(ScalarType::I64, lowest, span);
                self.binary(BinaryOp::Sub, index, lowest, span)
            }
        }
    }

    /// The loops down to the innermost one of `over`, and where one of the statements within it stands among them.
    fn place_within(&self, over: &[Handle<Loop>]) -> (Vec<Handle<Loop>>, Vec<u32>) {
        let writes = self.nest.step.statements.iter().map(|statement| &self.nest.accesses[statement.write]);
        let depth_in = |loops: &[Handle<Loop>]| {
            let places = over.iter().map(|it| loops.iter().position(|this| this == it));
            places.collect::<Option<Vec<_>>>()?.into_iter().max()
        };
        let mut places = writes.filter_map(|it| Some((it, depth_in(&it.loops)? + 1)));
        let (write, depth) = places.next().expect("a statement has the call");
        (write.loops[..depth].to_vec(), write.position[..=depth].to_vec())
    }

    /// A base for the values of a call that is no variable of the user's, and no other base.
    fn base_for(&mut self, call: Handle<Expr>) -> Handle<HostValue> {
        let ExprKind::Call(function, _) = self.kind(call) else { unreachable!("only calls are listed") };
        let names =
            (1..).map(
                |number| if number == 1 { function.name().to_owned() } else { format!("{}_{number}", function.name()) },
            );
        let is_free = |name: &String| self.nest.values.handles().all(|it| self.nest.values.text(it) != name);
        let name = names.into_iter().find(is_free).expect("names do not run out");
        self.undeclared(name)
    }

    fn copy_of(&mut self, expr: Handle<Expr>) -> Handle<Expr> {
        let Expr { ty, kind } = self.nest.exprs[expr].clone();
        let span = self.nest.exprs.span(expr);
        self.expr(ty, kind, span)
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read};

    /// A nest of steps in which `value` is stored under the index `i`.
    fn nest(value: &str, rest: &str) -> String {
        let sweep = format!("for (int i = 2; i < n; i++) a[i] = a[i] * ({value});");
        let body = format!("double time = 0;\n#pragma stencil\nfor (int t = 0; t < steps; t++) {{ {sweep} {rest} }}");
        read(&function("int n, int steps, double w, float s, const double *b, double *a", &body)).to_string()
    }

    #[test]
    fn what_no_iteration_changes_is_a_parameter() {
        let text = nest("exp(-w) + exp(-w) + sqrt(w) + exp(-s * w)", "");
        assert!(text.contains("param double value_exp_minus_w = exp(-w)\n"), "{text}");
        assert!(text.contains("(value_exp_minus_w + value_exp_minus_w) + sqrt(w)"), "{text}");
        assert!(!text.contains("list "), "{text}");
    }

    #[test]
    fn what_depends_on_the_step_is_listed_once() {
        let text = nest("sin(w * t) + sin(t * w) + cosf(s * t) + sin(w * t)", "");
        assert!(text.contains("(((sin[#t] + sin_2[#t]) + (double)cos[#t]) + sin[#t])"), "{text}");
        assert!(text.contains("list double sin over t = sin((w * (double)t))\n"), "{text}");
        assert!(text.contains("list float cos over t = cos((s * (float)t))\n"), "{text}");
    }

    #[test]
    fn rules_and_calls_go_into_calls() {
        let text = nest("exp(sin(time))", "time += cos(time);");
        assert!(text.contains("list double exp over t = exp(sin(time[#t]))\n"), "{text}");
        assert!(text.contains("rule double time = time, time.0\n") && text.matches("list").count() == 1, "{text}");
    }

    #[test]
    fn an_index_that_counts_from_a_constant_is_listed() {
        let text = nest("sin(0.1 * i)", "");
        assert!(text.contains("sin[((long long)i - 2)]"), "{text}");
        assert!(text.contains("list double sin over i = sin((0.1 * (double)i))\n"), "{text}");
    }

    #[test]
    fn indices_of_several_loops_are_listed_together() {
        let text = |head: &str| {
            let sweep = format!("for (int i = 1; i < n; i++) {head} a[i * m + j] *= exp(0.5 * i * j) * sin(0.5 * j);");
            let body = format!("#pragma stencil\nfor (int t = 0; t < n; t++) {{ {sweep} }}");
            read(&function("int n, int m, double *a", &body)).to_string()
        };
        let up = text("for (int j = 0; j <= m - 3; j++)");
        assert!(up.contains("exp[((long long)i - 1)][(long long)j] * sin[(long long)j]"), "{up}");
        assert!(up.contains("list double exp over i, j = exp(((0.5 * (double)i) * (double)j))\n"), "{up}");
        let down = text("for (int j = m; j > 2; j--)");
        assert!(down.contains("exp[((long long)i - 1)][((long long)j - 3)] * sin[((long long)j - 3)]"), "{down}");
        let elsewhere = text("for (int j = m; j < 2 * m; j++)");
        assert!(!elsewhere.contains("list"), "{elsewhere}");
    }

    #[test]
    fn what_else_changes_is_left_to_the_device() {
        for value in ["exp(a[i])", "exp(b[t])", "sin(w * t + i)", "sin(w * t * i)", "sqrt(w * t)", "pow(w * t, 2)"] {
            let text = nest(value, "");
            assert!(!text.contains("list") && !text.contains("value_"), "{value}: {text}");
        }
    }
}
