//! A readable text form of a nest.

use std::fmt::{self, Display, Formatter};

use super::{
    Access, Buffer, Comparison, Expr, ExprKind, Fold, Given, Handle, Listed, Loop, Nest, ParamValue, Setting, Turned,
    UnaryOp,
};

/// The text of an expression in C's notation; array elements are written `a{buffer}[i][j]`, parameters and locals by
/// name.
pub fn expression(nest: &Nest, expr: Handle<Expr>) -> String {
    let Expr { ty, kind } = &nest.exprs[expr];
    let text = |operand: &Handle<Expr>| expression(nest, *operand);
    match kind {
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Float(digits) => digits.clone(),
        ExprKind::Index(this) => nest.values.text(nest.loops[*this].variable).to_owned(),
        ExprKind::Iteration(this) => format!("#{}", nest.values.text(nest.loops[*this].variable)),
        ExprKind::Param(param) => nest.param_name(*param).to_owned(),
        ExprKind::Local(local) => format!("{}.{}", nest.locals[*local].name, local.index()),
        ExprKind::Accumulator(number) => match nest.step.folds.accumulators.get(*number) {
            Some(accumulator) => nest.values.text(accumulator.variable).to_owned(),
            // What nothing needs any more may name one that is gone.
            None => format!("accumulator#{number}"),
        },
        ExprKind::Read(access) => self::access(nest, *access),
        ExprKind::Unary(op, operand) => {
            let symbol = match op {
                UnaryOp::Negate => "-",
                UnaryOp::Not => "!",
                UnaryOp::Complement => "~",
            };
            format!("{symbol}{}", text(operand))
        }
        ExprKind::Binary(op, left, right) => format!("({} {} {})", text(left), op.symbol(), text(right)),
        ExprKind::Select(condition, then, otherwise) => {
            format!("({} ? {} : {})", text(condition), text(then), text(otherwise))
        }
        ExprKind::Convert(operand) => format!("({}){}", ty.c_name(), text(operand)),
        ExprKind::Call(function, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(text).collect();
            format!("{}({})", function.name(), arguments.join(", "))
        }
    }
}

/// The text of an array element.
pub fn access(nest: &Nest, access: Handle<Access>) -> String {
    let Access { array, buffer, subscripts, .. } = &nest.accesses[access];
    let buffer = buffer.map(|buffer| format!("{{{}}}", expression(nest, buffer))).unwrap_or_default();
    let subscripts: String = subscripts.iter().map(|subscript| format!("[{}]", expression(nest, *subscript))).collect();
    format!("{}{buffer}{subscripts}", nest.arrays[*array].name)
}

/// The text of the address of a buffer, e.g. `u + n * m`.
pub fn buffer(nest: &Nest, buffer: &Buffer) -> String {
    let variable = nest.values.text(buffer.variable);
    match buffer.offset {
        Some(offset) => format!("{variable} + {}", expression(nest, offset)),
        None => variable.to_owned(),
    }
}

impl Display for Nest {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (handle, param) in self.params.iter() {
            write!(f, "param {} {}", param.ty.c_name(), self.param_name(handle))?;
            match &param.value {
                ParamValue::Variable(_) => writeln!(f)?,
                ParamValue::Expression { value, .. } => writeln!(f, " = {}", expression(self, *value))?,
                ParamValue::IsSet { pointer, .. } => writeln!(f, " = {} != 0", self.values.text(*pointer))?,
            }
        }
        self.write_arrays(f)?;
        for (handle, local) in self.locals.iter() {
            let value = expression(self, local.value);
            writeln!(f, "local {} {}.{} = {value}", local.ty.c_name(), local.name, handle.index())?;
        }
        for (handle, this) in self.loops.iter() {
            self.write_loop(f, handle, this)?;
        }
        for statement in &self.step.statements {
            let target = self.place(statement.write);
            writeln!(f, "{target} {} = {}", access(self, statement.write), expression(self, statement.value))?;
        }
        for (handle, read) in self.accesses.iter() {
            if !self.step.statements.iter().any(|statement| statement.write == handle) {
                let speculative = if read.is_speculative { " speculative" } else { "" };
                writeln!(f, "read {} {}{speculative}", self.place(handle), access(self, handle))?;
            }
        }
        for rule in &self.step.rules {
            let (first, next) = (expression(self, rule.first), expression(self, rule.next));
            writeln!(f, "rule {} {} = {first}, {next}", rule.ty.c_name(), self.values.text(rule.values))?;
        }
        for Turned { variable, by, period } in &self.step.turns {
            let period = period.map(|period| format!(" modulo {period}")).unwrap_or_default();
            writeln!(f, "turn {} by {by}{period}", self.values.text(*variable))?;
        }
        if let Some(until) = &self.step.until {
            writeln!(f, "while {}", expression(self, until.condition))?;
        }
        for Listed { values, over, value, .. } in &self.step.listed {
            let (ty, name) = (self.exprs[*value].ty.c_name(), self.values.text(*values));
            let over = over.iter().map(|this| self.values.text(self.loops[*this].variable));
            let over = over.collect::<Vec<_>>().join(", ");
            writeln!(f, "list {ty} {name} over {over} = {}", expression(self, *value))?;
        }
        for Given { values, param } in &self.step.given {
            writeln!(f, "give {} = {}", self.values.text(*values), self.param_name(*param))?;
        }
        self.write_folds(f, &self.step.folds.actions, "")?;
        for Comparison { left, op, right, .. } in &self.step.folds.comparisons {
            writeln!(f, "compare {} {} {}", expression(self, *left), op.symbol(), expression(self, *right))?;
        }
        for pointer in self.step.exchanged_pointers() {
            let held: Vec<&str> = pointer.held.iter().map(|variable| self.values.text(*variable)).collect();
            let (first, cycle) = held.split_at(pointer.recurs_from);
            let first: String = first.iter().map(|name| format!("{name} ")).collect();
            let offset = pointer.offset.map(|offset| format!(" + {}", expression(self, offset))).unwrap_or_default();
            let variable = self.values.text(pointer.variable);
            writeln!(f, "pointer {variable} = {first}({}){offset}", cycle.join(" "))?;
        }
        for scalar in self.step.replayed() {
            writeln!(f, "leave {} = {}", self.values.text(scalar.variable), expression(self, scalar.value))?;
        }
        for Setting { function, value } in self.step.settings() {
            writeln!(f, "set {function}({})", expression(self, *value))?;
        }
        for (variable, _) in &self.watched {
            writeln!(f, "watch {}", self.values.text(*variable))?;
        }
        Ok(())
    }
}

impl Nest {
    fn write_folds(&self, f: &mut Formatter<'_>, actions: &[Fold], around: &str) -> fmt::Result {
        for action in actions {
            match action {
                Fold::Loop(this, inner) => {
                    let index = self.values.text(self.loops[*this].variable);
                    self.write_folds(f, inner, &format!("{around}[{index}]"))?;
                }
                Fold::Set(updates) => {
                    for update in updates {
                        let variable = self.step.folds.accumulators[update.accumulator].variable;
                        let value = expression(self, update.value);
                        writeln!(f, "fold {}{around} = {value}", self.values.text(variable))?;
                    }
                }
            }
        }
        Ok(())
    }

    fn write_arrays(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (_, array) in self.arrays.iter() {
            let texts = |exprs: Vec<Handle<Expr>>| -> Vec<String> {
                exprs.into_iter().map(|expr| expression(self, expr)).collect()
            };
            let extents: String = array
                .extents
                .iter()
                .map(|extent| format!("[{}]", extent.map(|extent| expression(self, extent)).unwrap_or_default()))
                .collect();
            let buffers: Vec<String> = array.buffers.iter().map(|it| buffer(self, it)).collect();
            let strides = texts(array.strides.clone()).join(", ");
            let element = array.element.c_name();
            let buffers = buffers.join(", ");
            let places = if array.is_behind_pointer { "pointers" } else { "buffers" };
            write!(f, "array {element} {}{extents} strides {strides}", array.name)?;
            for d in (0..array.rank()).filter(|d| array.pointers.get(*d) == Some(&true)) {
                write!(f, " pointers in {d}")?;
            }
            if let Some(history) = &array.history {
                write!(f, " rows of steps {} apart", expression(self, history.stride))?;
            }
            writeln!(f, " {places} {buffers}")?;
        }
        Ok(())
    }

    fn write_loop(&self, f: &mut Formatter<'_>, handle: Handle<Loop>, this: &Loop) -> fmt::Result {
        let name = self.values.text(this.variable);
        let (first, bound) = (expression(self, this.first), expression(self, this.bound));
        let time = if self.clock.counts(handle) { " time" } else { "" };
        let outlives = if this.outlives { " outlives" } else { "" };
        let ty = this.ty.c_name();
        let relation = this.relation.symbol();
        writeln!(f, "loop {ty} {name} = {first}; {name} {relation} {bound}; {name} += {}{time}{outlives}", this.step)
    }

    /// The schedule place and the guards of an access, e.g. `[0, t, 1, i, 0] if (i > 1)`.
    fn place(&self, handle: Handle<Access>) -> String {
        let Access { loops, position, guards, .. } = &self.accesses[handle];
        let mut parts = Vec::new();
        for (level, number) in position.iter().enumerate() {
            parts.push(number.to_string());
            parts.extend(loops.get(level).map(|this| self.values.text(self.loops[*this].variable).to_owned()));
        }
        let guards: String = guards.iter().map(|guard| format!(" if {}", expression(self, *guard))).collect();
        format!("[{}]{guards}", parts.join(", "))
    }
}
