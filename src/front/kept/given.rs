//! What the host gives each step of a loop that it keeps.
//!
//! The driver of a counted nest knows all steps before the device starts: it lists what functions of the library give in each,
//! and `src[t]` is an element like any other. Of a recorded step it knows no more than it is told. So the call brings such
//! values, as it brings any scalar: of `for (t = 0; t < n; t++) { ...; a[k] += sin(w * t) + src[t]; print(a); }` it is
//! `nest(t, ..., sin(w * (double)t), ((const double *)src)[t])`.

use std::collections::{BTreeMap, BTreeSet};

use super::insertion::COUNTER;
use super::program::Program;
use super::wheels::make_wheels;
use crate::front::removal::remove_accesses;
use crate::ir::{
    Access, Array, BinaryOp, Expr, ExprKind, Function, Handle, HostValue, Loop, Nest, Param, ParamValue, ScalarType,
    Selector, UnaryOp, Variable,
};

/// Expressions are written so deep.
const MAX_DEPTH: usize = 60;

/// Makes values that the call brings of what each step needs and the host alone can tell. Where the host does nothing within a step,
/// sweeps find them on wheels, so that several steps may run at once; all else needs them as scalars, before the next step.
pub fn give_values(nest: &mut Nest, program: &Program, time: Handle<Loop>, has_gaps: bool) {
    let host = Host { nest, program, time };
    let listed = nest.step.listed.iter().map(|it| (it.read, host.text(it.value, 0)));
    let elements = host.elements_of_step().into_iter().map(|it| (it, host.element(it)));
    let given: BTreeMap<Handle<Access>, String> =
        listed.chain(elements).filter_map(|(read, text)| Some((read, text?))).collect();
    watch(nest, &given);
    let mut params = params_of(nest, &given);
    let on_wheels = if has_gaps { BTreeMap::new() } else { split_off_wheels(nest, &mut params) };
    for expr in nest.exprs.handles() {
        if let ExprKind::Read(read) = nest.exprs[expr].kind
            && let Some(param) = params.get(&read)
        {
            nest.exprs[expr].kind = ExprKind::Param(*param);
        }
    }
    nest.step.listed.retain(|listed| !given.contains_key(&listed.read));
    make_wheels(nest, time, &on_wheels);
    remove_accesses(nest, &params.into_keys().collect());
}

/// Takes those out that folds do not need, which look at the last step alone.
fn split_off_wheels(
    nest: &Nest,
    params: &mut BTreeMap<Handle<Access>, Handle<Param>>,
) -> BTreeMap<Handle<Access>, Handle<Param>> {
    let folded = nest.reachable(nest.step.folds.updates().into_iter().map(|update| update.value));
    let folded = folded.into_iter().filter_map(|part| match nest.exprs[part].kind {
        ExprKind::Read(read) => params.get(&read).copied(),
        _ => None,
    });
    let folded: BTreeSet<_> = folded.collect();
    let (scalars, on_wheels) = std::mem::take(params).into_iter().partition(|(_, param)| folded.contains(param));
    *params = scalars;
    on_wheels
}

/// Lets the driver see that no store of the nest changes what the call reads before it.
fn watch(nest: &mut Nest, given: &BTreeMap<Handle<Access>, String>) {
    for read in given.keys() {
        let (array, span) = (&nest.arrays[nest.accesses[*read].array], nest.accesses.span(*read));
        let base = array.buffers[0].variable;
        if nest.step.is_filled_by_driver(base) {
            continue;
        }
        let (element, name) = (array.element, first_element(nest, array.element, base));
        let variable = Variable { file: span.file, declared_at: 0, name };
        let watched = (nest.values.expression(variable, nest.values.text(base).to_owned()), Some(element));
        if !nest.watched.contains(&watched) {
            nest.watched.push(watched);
        }
    }
}

/// `((const double *)src)[0]`
fn first_element(nest: &Nest, element: ScalarType, base: Handle<HostValue>) -> String {
    format!("((const {} *){})[0]", element.c_name(), nest.values.to_c(base))
}

/// The scalars, one for each text.
fn params_of(nest: &mut Nest, given: &BTreeMap<Handle<Access>, String>) -> BTreeMap<Handle<Access>, Handle<Param>> {
    let mut known: BTreeMap<&str, Handle<Param>> = BTreeMap::new();
    let mut params = BTreeMap::new();
    for (read, text) in given {
        let param = known.entry(text).or_insert_with(|| {
            let (array, span) = (&nest.arrays[nest.accesses[*read].array], nest.accesses.span(*read));
            let name = format!("given_{}", array.name.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default());
            let variable = Variable { file: span.file, declared_at: span.start, name: text.clone() };
            let (ty, variable) = (array.element, nest.values.expression(variable, name));
            nest.params.push(Param { ty, value: ParamValue::Variable(variable) }, span)
        });
        params.insert(*read, *param);
    }
    params
}

/// Expressions as the host writes them where its call stands.
struct Host<'a, 'p, 's, 't> {
    nest: &'a Nest,
    program: &'a Program<'p, 's, 't>,
    time: Handle<Loop>,
}

impl Host<'_, '_, '_, '_> {
    /// The reads of elements that depend on the step and on no other loop, in arrays that the nest leaves alone.
    fn elements_of_step(&self) -> Vec<Handle<Access>> {
        let is_written = |array| self.nest.step.statements.iter().any(|it| self.nest.accesses[it.write].array == array);
        let is_of_rule = |array: Handle<Array>| {
            self.nest.arrays[array].buffers.iter().any(|it| self.nest.step.is_filled_by_driver(it.variable))
        };
        let accesses = self.nest.accesses.iter();
        let of_step =
            accesses.filter(|(_, it)| self.depends(&it.subscripts, true) && !self.depends(&it.subscripts, false));
        of_step.filter(|(_, it)| !is_written(it.array) && !is_of_rule(it.array)).map(|(read, _)| read).collect()
    }

    /// Whether the number of the step goes into expressions, or whether another index does.
    fn depends(&self, exprs: &[Handle<Expr>], on_time: bool) -> bool {
        let parts = self.nest.reachable(exprs.iter().copied());
        parts.into_iter().any(|part| match self.nest.exprs[part].kind {
            ExprKind::Index(this) | ExprKind::Iteration(this) => (this == self.time) == on_time,
            _ => false,
        })
    }

    /// An element as the host reads it; where conditions on the step and on sizes do not hold, it may not exist.
    fn element(&self, read: Handle<Access>) -> Option<String> {
        let access = &self.nest.accesses[read];
        let array = &self.nest.arrays[access.array];
        let ([buffer], [subscript]) = (array.buffers.as_slice(), access.subscripts.as_slice()) else { return None };
        let base = buffer.variable;
        let is_plain = access.buffer.is_none() && array.history.is_none() && !array.has_row_tables();
        let is_moved = self.nest.step.exchanged_pointers().any(|it| it.held.contains(&buffer.variable));
        let is_dense = matches!(self.nest.exprs[array.strides[0]].kind, ExprKind::Int(1));
        let is_sure = is_plain && is_dense && !is_moved && !access.is_speculative && !array.is_behind_pointer;
        if !is_sure || !array.element.is_float() || self.nest.values[base].path.contains(&Selector::EachElement) {
            return None;
        }
        let offset = buffer.offset.map_or(Some(String::new()), |it| Some(format!("{} + ", self.text(it, 0)?)))?;
        let (element, base) = (array.element.c_name(), self.nest.values.to_c(base));
        let text = format!("((const {element} *){base})[{offset}{}]", self.text(*subscript, 0)?);
        match self.conditions(access)? {
            conditions if conditions.is_empty() => Some(text),
            conditions => Some(format!("({} ? {text} : 0)", conditions.join(" && "))),
        }
    }

    /// What must hold of the step and of sizes where an element is read.
    fn conditions(&self, access: &Access) -> Option<Vec<String>> {
        let mut pending: Vec<_> = access.guards.iter().chain(&access.steps).copied().collect();
        let mut texts = Vec::new();
        while let Some(guard) = pending.pop() {
            match self.nest.exprs[guard].kind {
                ExprKind::Binary(BinaryOp::And, left, right) => pending.extend([left, right]),
                _ if !self.depends(&[guard], false) => texts.push(self.text(guard, 0)?),
                _ if self.depends(&[guard], true) => return None,
                // Of a place that a loop does not reach.
                _ => {}
            }
        }
        Some(texts)
    }

    /// `expr` in C, in parentheses where it is no operand by itself; `None` if the host cannot say it.
    fn text(&self, expr: Handle<Expr>, depth: usize) -> Option<String> {
        let text = |it: Handle<Expr>| self.text(it, depth + 1);
        let Expr { ty, kind } = &self.nest.exprs[expr];
        if depth > MAX_DEPTH {
            return None;
        }
        Some(match kind {
            ExprKind::Int(value) => integer(*value, *ty),
            ExprKind::Float(digits) => float(digits, *ty)?,
            ExprKind::Index(this) if *this == self.time => self.step(),
            ExprKind::Index(_) | ExprKind::Iteration(_) | ExprKind::Accumulator(_) => return None,
            ExprKind::Param(param) => self.param(*param, depth)?,
            ExprKind::Local(local) => text(self.nest.locals[*local].value)?,
            ExprKind::Read(read) => {
                text(self.nest.step.listed.iter().find(|it| it.read == *read && it.over == [self.time])?.value)?
            }
            ExprKind::Unary(op, operand) => {
                let symbol = match op {
                    UnaryOp::Negate => "-",
                    UnaryOp::Not => "!",
                    UnaryOp::Complement => "~",
                };
                format!("({symbol}{})", text(*operand)?)
            }
            ExprKind::Binary(op, left, right) => format!("({} {} {})", text(*left)?, op.symbol(), text(*right)?),
            ExprKind::Select(condition, then, otherwise) => {
                format!("({} ? {} : {})", text(*condition)?, text(*then)?, text(*otherwise)?)
            }
            ExprKind::Convert(operand) => format!("({}){}", ty.c_name(), text(*operand)?),
            ExprKind::Call(function, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|it| text(*it)).collect::<Option<_>>()?;
                format!("{}({})", self.function(*function, *ty)?, arguments.join(", "))
            }
        })
    }

    /// The number of the step: calls bring what scalars hold before it, so that by the tool's own counter it is the first one.
    fn step(&self) -> String {
        let variable = self.nest.loops[self.time].variable;
        if self.nest.values.text(variable) == COUNTER { "0".to_owned() } else { self.nest.values.to_c(variable) }
    }

    fn param(&self, param: Handle<Param>, depth: usize) -> Option<String> {
        match &self.nest.params[param].value {
            ParamValue::Variable(variable) => {
                let text = self.nest.values.to_c(*variable);
                Some(if text.starts_with('*') { format!("({text})") } else { text })
            }
            ParamValue::Expression { value, .. } => self.text(*value, depth + 1),
            ParamValue::IsSet { pointer, .. } => Some(format!("({} != 0)", self.nest.values.to_c(*pointer))),
        }
    }

    /// The function's name, or the compiler's own for it where only another file of the program declares it.
    fn function(&self, function: Function, ty: ScalarType) -> Option<String> {
        let name = match ty {
            ScalarType::F64 => function.name().to_owned(),
            ScalarType::F32 => format!("{}f", function.name()),
            _ => return None,
        };
        Some(if self.program.declares(&name) { name } else { format!("__builtin_{name}") })
    }
}

fn integer(value: i64, ty: ScalarType) -> String {
    match ty {
        ScalarType::I32 if value >= 0 => value.to_string(),
        ScalarType::I32 if value > i64::from(i32::MIN) => format!("({value})"),
        ScalarType::U64 => format!("{}ULL", value as u64),
        _ if value == i64::MIN => format!("({})(-{}LL - 1)", ty.c_name(), i64::MAX),
        _ => format!("({}){value}LL", ty.c_name()),
    }
}

/// `None` for infinities and the like.
fn float(digits: &str, ty: ScalarType) -> Option<String> {
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let point = if digits.contains(['.', 'e', 'E', 'p', 'P']) { "" } else { ".0" };
    let suffix = if ty == ScalarType::F32 { "f" } else { "" };
    is_number.then(|| format!("{digits}{point}{suffix}"))
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read};
    use crate::ir::{Nest, ParamValue};

    /// A kept loop whose step adds `value` to an element.
    fn kept(value: &str) -> String {
        let sweeps = ["for (int i = 1; i < n; i++) a[i] = b[i - 1];", "for (int i = 1; i < n; i++) b[i] = a[i];"];
        let step = format!("{} a[3] += {value}; {} if (t % 5 == 0) print(t);", sweeps[0], sweeps[1]);
        let body = format!("int t;\n#pragma stencil\nfor (t = 0; t < steps; t++) {{ {step} }}");
        let parameters = "int n, int steps, int m, double w, double *src, double *a, double *b";
        format!("double exp(double);\nvoid print(int);\n{}", function(parameters, &body))
    }

    /// What the call gives for the last of the nest's scalars.
    fn last_given(nest: &Nest) -> String {
        let (_, param) = nest.params.iter().last().expect("it has parameters");
        let ParamValue::Variable(variable) = &param.value else { panic!("{param:?}") };
        nest.values.to_c(*variable)
    }

    #[test]
    fn calls_and_elements_of_the_step_are_given() {
        let call = read(&kept("exp(-w * t)"));
        assert_eq!(last_given(&call), "exp(((-w) * (double)t))");
        assert!(call.step.listed.is_empty() && call.arrays.len() == 3);
        assert!(call.to_string().contains(" + each_given_exp[(#t % 4096)]"), "{call}");
        let element = read(&kept("src[t]"));
        assert_eq!(last_given(&element), "((const double *)src)[(long long)t]");
        let last = read(&kept("(t < m ? src[m - t] : 0)"));
        assert_eq!(last_given(&last), "((t < m) ? ((const double *)src)[((long long)m - (long long)t)] : 0)");
    }

    #[test]
    fn the_driver_watches_what_is_read_before_the_step() {
        let nest = read(&kept("src[t]"));
        let watched: Vec<_> = nest.watched.iter().map(|(it, _)| nest.values.to_c(*it)).collect();
        assert_eq!(watched, ["((const double *)src)[0]"]);
    }
}
