//! Runs a unit as an abstract machine does: what C leaves undefined is an error.
//!
//! It makes sure that a drawn unit has a meaning and does something. What memory holds afterwards is not taken from here but
//! from the compiled original.

use super::model::{Expr, Place, Shape, Start, Stmt, Unary, Unit, Variable};
use super::types::{Defined, Integer, Operator, Type, Undefined, compute};

/// Operations of one unit; more are not worth the time.
const LIMIT: usize = 60_000;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    Int(i128, Integer),
    Real(f64, Type),
    /// A variable and the distance from its first element, in elements.
    Pointer(Option<(Variable, i64)>),
}

impl Value {
    fn is_true(self) -> bool {
        match self {
            Self::Int(value, _) => value != 0,
            Self::Real(value, _) => value != 0.0,
            Self::Pointer(place) => place.is_some(),
        }
    }

    fn truth(is_true: bool) -> Self {
        Self::Int(i128::from(is_true), Integer::INT)
    }

    /// The value as C converts it to `ty`.
    pub fn convert(self, ty: Type) -> Defined<Self> {
        Ok(match (self, ty) {
            (Self::Pointer(_), _) => self,
            (Self::Int(value, _), Type::Int(integer)) => Self::Int(integer.convert(value), integer),
            (Self::Int(value, _), Type::Float) => Self::Real(f64::from(value as f32), ty),
            (Self::Int(value, _), Type::Double) => Self::Real(value as f64, ty),
            (Self::Real(value, _), Type::Float) => Self::Real(f64::from(value as f32), ty),
            (Self::Real(value, _), Type::Double) => Self::Real(value, ty),
            (Self::Real(value, _), Type::Int(Integer::BOOL)) => Self::Int(i128::from(value != 0.0), Integer::BOOL),
            (Self::Real(value, _), Type::Int(integer)) => {
                let whole = value.trunc();
                if !whole.is_finite() || whole.abs() > 1e19 || !integer.holds(whole as i128) {
                    return Err(Undefined::Conversion);
                }
                Self::Int(whole as i128, integer)
            }
        })
    }
}

/// How a statement ends.
#[derive(Clone, Copy, PartialEq)]
enum Flow {
    Next,
    Break,
    Continue,
    Goto(u8),
    Return,
}

/// What memory holds: a variable's elements, `None` where nothing has been stored yet.
#[derive(Clone, Default)]
struct Object {
    cells: Vec<Option<Value>>,
    dims: Vec<usize>,
}

/// What a run of a unit did.
#[derive(Clone, Copy, Default)]
pub struct Summary {
    /// Elements stored within the nest.
    pub stores: usize,
}

/// The state of a unit.
pub struct Machine<'u> {
    unit: &'u Unit,
    objects: Vec<Object>,
    operations: usize,
    is_in_nest: bool,
    summary: Summary,
}

/// Runs the unit from its caller's call to the end.
pub fn interpret(unit: &Unit) -> Defined<Summary> {
    let mut machine = Machine::new(unit)?;
    if machine.run(&unit.body)? == Flow::Break {
        return Err(Undefined::TypeMismatch);
    }
    // Values that are shown must be there.
    for (variable, declared) in unit.variables.iter().enumerate() {
        if declared.is_shown() && machine.objects[variable].cells.first().is_none_or(Option::is_none) {
            return Err(Undefined::NullPointer);
        }
    }
    Ok(machine.summary)
}

/// The first value of element `k` of an array, as the C macro `FILL` has it.
fn first_value(k: usize, seed: usize, ty: Type) -> Defined<Value> {
    let value = ((k * 7 + seed * 5) % 23) as i128 - 9;
    if ty.is_real() {
        return Value::Real(value as f64 * 0.5, Type::Double).convert(ty);
    }
    Value::Int(value, Integer::INT).convert(ty)
}

impl<'u> Machine<'u> {
    /// Everything that is declared before the body runs.
    pub fn new(unit: &'u Unit) -> Defined<Self> {
        let objects = vec![Object::default(); unit.variables.len()];
        let mut machine = Self { unit, objects, operations: 0, is_in_nest: false, summary: Summary::default() };
        for place in [Place::Global, Place::Caller, Place::Parameter, Place::Local] {
            for variable in 0..unit.variables.len() {
                if unit.variables[variable].place == place {
                    machine.declare(variable)?;
                }
            }
        }
        Ok(machine)
    }

    fn declare(&mut self, variable: Variable) -> Defined<()> {
        let declared = &self.unit.variables[variable];
        match &declared.shape {
            Shape::Function(_) => {}
            Shape::Scalar | Shape::Pointer(_) => {
                let value = declared.value.as_ref().map(|value| self.evaluate(value)).transpose()?;
                let converted = value.map(|value| value.convert(declared.ty.ty)).transpose()?;
                // An enumerator that no `int` holds is an extension, of a larger type.
                if let (Some(Value::Int(value, _)), Some(Value::Int(held, _))) = (value, converted)
                    && declared.qualifier == "enum"
                    && value != held
                {
                    return Err(Undefined::Conversion);
                }
                // File-level variables without an initialiser are zero.
                let cell = match (&declared.shape, declared.place) {
                    (Shape::Pointer(_), Place::Global) => converted.or(Some(Value::Pointer(None))),
                    _ => converted,
                };
                let is_pointer = matches!(declared.shape, Shape::Pointer(_));
                if cell.is_some_and(|cell| matches!(cell, Value::Pointer(_)) != is_pointer) {
                    return Err(Undefined::TypeMismatch);
                }
                self.objects[variable] = Object { cells: vec![cell], dims: Vec::new() };
            }
            Shape::Array(sizes) => self.declare_array(variable, sizes)?,
        }
        Ok(())
    }

    fn declare_array(&mut self, variable: Variable, sizes: &[Expr]) -> Defined<()> {
        let mut dims = Vec::new();
        for size in sizes {
            match self.evaluate(size)? {
                Value::Int(size @ 1..=4096, _) => dims.push(size as usize),
                _ => return Err(Undefined::OutOfBounds),
            }
        }
        let count: usize = dims.iter().product();
        let ty = self.unit.variables[variable].ty.ty;
        let cells = (0..count).map(|k| first_value(k, variable, ty).map(Some)).collect::<Defined<_>>()?;
        self.objects[variable] = Object { cells, dims };
        Ok(())
    }

    fn tick(&mut self) -> Defined<()> {
        self.operations += 1;
        if self.operations > LIMIT { Err(Undefined::TooLong) } else { Ok(()) }
    }

    fn run(&mut self, body: &[Stmt]) -> Defined<Flow> {
        let mut at = 0;
        while at < body.len() {
            match self.step(&body[at])? {
                Flow::Next => at += 1,
                Flow::Goto(label) => match body.iter().position(|stmt| *stmt == Stmt::Label(label)) {
                    Some(position) => at = position + 1,
                    None => return Ok(Flow::Goto(label)),
                },
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    fn step(&mut self, stmt: &Stmt) -> Defined<Flow> {
        self.tick()?;
        match stmt {
            Stmt::Declare(variable) => self.declare(*variable)?,
            Stmt::Do(expr) | Stmt::Void(expr) => drop(self.evaluate(expr)?),
            Stmt::For(header) => return self.run_for(header),
            Stmt::Nest(header) => {
                self.is_in_nest = true;
                let flow = self.run_for(header)?;
                self.is_in_nest = false;
                return Ok(flow);
            }
            Stmt::If(condition, then, otherwise) => {
                let is_true = self.evaluate(condition)?.is_true();
                return self.run(if is_true { then } else { otherwise });
            }
            Stmt::While(condition, body) => {
                while self.evaluate(condition)?.is_true() {
                    match self.run(body)? {
                        Flow::Next | Flow::Continue => self.tick()?,
                        Flow::Break => break,
                        flow => return Ok(flow),
                    }
                }
            }
            Stmt::DoWhile(body, condition) => loop {
                match self.run(body)? {
                    Flow::Next | Flow::Continue => self.tick()?,
                    Flow::Break => break,
                    flow => return Ok(flow),
                }
                if !self.evaluate(condition)?.is_true() {
                    break;
                }
            },
            Stmt::Switch(value, cases) => return self.run_switch(value, cases),
            Stmt::Break => return Ok(Flow::Break),
            Stmt::Continue => return Ok(Flow::Continue),
            Stmt::Goto(label) => return Ok(Flow::Goto(*label)),
            Stmt::Label(_) => {}
            Stmt::Return => return Ok(Flow::Return),
        }
        Ok(Flow::Next)
    }

    fn run_switch(&mut self, value: &Expr, cases: &[(Option<i64>, Vec<Stmt>)]) -> Defined<Flow> {
        let Value::Int(value, _) = self.evaluate(value)? else { return Err(Undefined::TypeMismatch) };
        let is_value = |(label, _): &(Option<i64>, Vec<Stmt>)| label.is_some_and(|label| i128::from(label) == value);
        let is_default = |(label, _): &(Option<i64>, Vec<Stmt>)| label.is_none();
        let Some(first) = cases.iter().position(is_value).or_else(|| cases.iter().position(is_default)) else {
            return Ok(Flow::Next);
        };
        for (_, body) in &cases[first..] {
            match self.run(body)? {
                Flow::Next => {}
                Flow::Break => return Ok(Flow::Next),
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    fn run_for(&mut self, header: &super::model::For) -> Defined<Flow> {
        match &header.start {
            Start::Declare(variable) => self.declare(*variable)?,
            Start::Do(expr) => drop(self.evaluate(expr)?),
        }
        while self.evaluate(&header.condition)?.is_true() {
            self.tick()?;
            match self.run(&header.body)? {
                Flow::Next | Flow::Continue => {}
                Flow::Break => break,
                flow => return Ok(flow),
            }
            self.evaluate(&header.step)?;
        }
        Ok(Flow::Next)
    }

    pub fn evaluate(&mut self, expr: &Expr) -> Defined<Value> {
        self.tick()?;
        match expr {
            Expr::Int(value, integer, _) => Ok(Value::Int(*value, *integer)),
            Expr::Real(value, is_float, _) => {
                Ok(Value::Real(*value, if *is_float { Type::Float } else { Type::Double }))
            }
            Expr::Var(_) | Expr::Index(..) => self.read(expr),
            Expr::Address(place) => {
                let (variable, offset) = self.place(place)?;
                Ok(Value::Pointer(Some((variable, offset))))
            }
            Expr::Unary(operator, x) => {
                let x = self.evaluate(x)?;
                unary(*operator, x)
            }
            Expr::Binary(operator, x, y) if operator.is_logical() => {
                let first = self.evaluate(x)?.is_true();
                if first == (*operator == Operator::Or) {
                    return Ok(Value::truth(first));
                }
                Ok(Value::truth(self.evaluate(y)?.is_true()))
            }
            Expr::Binary(operator, x, y) => {
                let (x, y) = (self.evaluate(x)?, self.evaluate(y)?);
                binary(*operator, x, y)
            }
            Expr::Conditional(condition, x, y) => {
                let is_true = self.evaluate(condition)?.is_true();
                let value = self.evaluate(if is_true { x } else { y })?;
                let ty = type_of(self.unit, expr)?;
                value.convert(ty)
            }
            Expr::Cast(named, x) => self.evaluate(x)?.convert(named.ty),
            Expr::Untyped(x) => match self.evaluate(x)? {
                Value::Int(0, _) => Ok(Value::Pointer(None)),
                value => Ok(value),
            },
            Expr::SizeofType(named) => Ok(Value::Int(named.ty.bytes() as i128, Integer::UNSIGNED_LONG)),
            Expr::SizeofValue(x) => Ok(Value::Int(self.size_of(x)?, Integer::UNSIGNED_LONG)),
            Expr::Assign(operator, target, value) => self.assign(*operator, target, value),
            Expr::Step { target, is_up, is_prefix } => self.step_by_one(target, *is_up, *is_prefix),
            Expr::Comma(x, y) => {
                self.evaluate(x)?;
                self.evaluate(y)
            }
            Expr::Call(function, arguments) | Expr::CallThrough(_, function, arguments) => {
                self.call(*function, arguments)
            }
        }
    }

    fn size_of(&self, x: &Expr) -> Defined<i128> {
        if let Expr::Var(variable) = x {
            let declared = &self.unit.variables[*variable];
            match declared.shape {
                Shape::Array(_) => {
                    return Ok((self.objects[*variable].cells.len() * declared.ty.ty.bytes()) as i128);
                }
                Shape::Pointer(_) => return Ok(8),
                _ => {}
            }
        }
        Ok(type_of(self.unit, x)?.bytes() as i128)
    }

    /// The object and the element that an expression designates.
    fn place(&mut self, expr: &Expr) -> Defined<(Variable, i64)> {
        match expr {
            Expr::Var(variable) => Ok((*variable, 0)),
            Expr::Index(variable, subscripts) => {
                let mut positions = Vec::new();
                for subscript in subscripts {
                    let Value::Int(position, _) = self.evaluate(subscript)? else {
                        return Err(Undefined::TypeMismatch);
                    };
                    positions.push(position);
                }
                let (object, offset) = self.element(*variable, &positions)?;
                let is_inside = offset >= 0 && (offset as usize) < self.objects[object].cells.len();
                if is_inside { Ok((object, offset)) } else { Err(Undefined::OutOfBounds) }
            }
            _ => Err(Undefined::TypeMismatch),
        }
    }

    fn element(&mut self, variable: Variable, positions: &[i128]) -> Defined<(Variable, i64)> {
        let unit = self.unit;
        let (object, start, inner) = match &unit.variables[variable].shape {
            Shape::Array(_) => {
                let dims = self.objects[variable].dims.clone();
                let Some((&first, inner)) = dims.split_first() else { return Err(Undefined::OutOfBounds) };
                if positions[0] < 0 || positions[0] >= first as i128 {
                    return Err(Undefined::OutOfBounds);
                }
                (variable, 0, inner.to_vec())
            }
            Shape::Pointer(rows) => match self.objects[variable].cells.first() {
                Some(Some(Value::Pointer(Some((object, start))))) => (*object, *start, rows.clone()),
                _ => return Err(Undefined::NullPointer),
            },
            _ => return Err(Undefined::TypeMismatch),
        };
        if positions.len() != inner.len() + 1 || unit.variables[object].ty.ty != unit.variables[variable].ty.ty {
            return Err(Undefined::TypeMismatch);
        }
        let mut offset = positions[0];
        for (position, size) in positions[1..].iter().zip(&inner) {
            if *position < 0 || *position >= *size as i128 {
                return Err(Undefined::OutOfBounds);
            }
            offset = offset * *size as i128 + position;
        }
        let offset = i64::try_from(offset).map_err(|_| Undefined::OutOfBounds)?;
        Ok((object, start + offset))
    }

    fn read(&mut self, expr: &Expr) -> Defined<Value> {
        if let Expr::Var(variable) = expr
            && matches!(self.unit.variables[*variable].shape, Shape::Array(_))
        {
            return Ok(Value::Pointer(Some((*variable, 0))));
        }
        let (object, offset) = self.place(expr)?;
        self.objects[object].cells.get(offset as usize).copied().flatten().ok_or(Undefined::NullPointer)
    }

    fn store(&mut self, target: &Expr, value: Value) -> Defined<Value> {
        let (object, offset) = self.place(target)?;
        let declared = &self.unit.variables[object];
        let is_pointer = matches!(declared.shape, Shape::Pointer(_));
        let value = value.convert(declared.ty.ty)?;
        let is_constant = declared.qualifier.contains("const") && !is_pointer;
        if matches!(value, Value::Pointer(_)) != is_pointer || is_constant {
            return Err(Undefined::TypeMismatch);
        }
        if self.is_in_nest && matches!(target, Expr::Index(..)) {
            self.summary.stores += 1;
        }
        let cell = self.objects[object].cells.get_mut(offset as usize).ok_or(Undefined::OutOfBounds)?;
        *cell = Some(value);
        Ok(value)
    }

    fn assign(&mut self, operator: Option<Operator>, target: &Expr, value: &Expr) -> Defined<Value> {
        let value = self.evaluate(value)?;
        let Some(operator) = operator else { return self.store(target, value) };
        let old = self.read(target)?;
        self.store(target, binary(operator, old, value)?)
    }

    fn step_by_one(&mut self, target: &Expr, is_up: bool, is_prefix: bool) -> Defined<Value> {
        let old = self.read(target)?;
        let operator = if is_up { Operator::Add } else { Operator::Subtract };
        let new = self.store(target, binary(operator, old, Value::Int(1, Integer::INT))?)?;
        Ok(if is_prefix { new } else { old })
    }

    fn call(&mut self, function: usize, arguments: &[Expr]) -> Defined<Value> {
        let helper = &self.unit.functions[function];
        if let (Some(parameter), [argument]) = (helper.parameter, arguments) {
            let value = self.evaluate(argument)?.convert(self.unit.variables[parameter].ty.ty)?;
            self.objects[parameter] = Object { cells: vec![Some(value)], dims: Vec::new() };
        }
        self.evaluate(&helper.value)?.convert(helper.ty.ty)
    }
}

fn unary(operator: Unary, x: Value) -> Defined<Value> {
    Ok(match (operator, x) {
        (Unary::Not, x) => Value::truth(!x.is_true()),
        (_, Value::Pointer(_)) | (Unary::Complement, Value::Real(..)) => return Err(Undefined::TypeMismatch),
        (Unary::Minus, Value::Real(x, ty)) => Value::Real(-x, ty),
        (Unary::Plus, x @ Value::Real(..)) => x,
        (operator, Value::Int(x, ty)) => {
            let ty = ty.promoted();
            let exact = match operator {
                Unary::Minus => -x,
                Unary::Complement => !x,
                _ => x,
            };
            Value::Int(ty.result(exact)?, ty)
        }
    })
}

fn binary(operator: Operator, x: Value, y: Value) -> Defined<Value> {
    match (x, y) {
        (Value::Int(x, left), Value::Int(y, right)) => {
            let ty = if operator.is_shift() { left.promoted() } else { left.common(right) };
            let y = if operator.is_shift() { y } else { ty.convert(y) };
            let result = compute(operator, ty, ty.convert(x), y)?;
            Ok(Value::Int(result, if operator.is_comparison() { Integer::INT } else { ty }))
        }
        (Value::Pointer(x), Value::Pointer(y)) if matches!(operator, Operator::Equal | Operator::NotEqual) => {
            Ok(Value::truth(operator.compare(&x, &y)))
        }
        (Value::Pointer(x), Value::Int(0, _)) | (Value::Int(0, _), Value::Pointer(x))
            if matches!(operator, Operator::Equal | Operator::NotEqual) =>
        {
            Ok(Value::truth(x.is_none() == (operator == Operator::Equal)))
        }
        (Value::Pointer(Some((object, offset))), Value::Int(y, _)) if operator == Operator::Add => {
            Ok(Value::Pointer(Some((object, offset + i64::try_from(y).map_err(|_| Undefined::OutOfBounds)?))))
        }
        (Value::Pointer(_), _) | (_, Value::Pointer(_)) => Err(Undefined::TypeMismatch),
        (x, y) => real_binary(operator, x, y),
    }
}

fn real_binary(operator: Operator, x: Value, y: Value) -> Defined<Value> {
    let ty = type_of_value(x)?.common(type_of_value(y)?);
    let (Value::Real(x, _), Value::Real(y, _)) = (x.convert(ty)?, y.convert(ty)?) else {
        return Err(Undefined::TypeMismatch);
    };
    if operator.is_integral() {
        return Err(Undefined::TypeMismatch);
    }
    let exact = match operator {
        Operator::Add => x + y,
        Operator::Subtract => x - y,
        Operator::Multiply => x * y,
        // Which NaN a division makes is the machine's choice.
        Operator::Divide if y == 0.0 => return Err(Undefined::DivisionByZero),
        Operator::Divide => x / y,
        _ => return Ok(Value::truth(operator.compare(&x, &y))),
    };
    if !exact.is_finite() || exact.abs() > 1e30 {
        return Err(Undefined::Overflow);
    }
    Value::Real(exact, Type::Double).convert(ty)
}

fn type_of_value(value: Value) -> Defined<Type> {
    match value {
        Value::Int(_, integer) => Ok(Type::Int(integer)),
        Value::Real(_, ty) => Ok(ty),
        Value::Pointer(_) => Err(Undefined::TypeMismatch),
    }
}

/// The type of an expression that is no pointer, without evaluating it.
pub fn type_of(unit: &Unit, expr: &Expr) -> Defined<Type> {
    match expr {
        Expr::Int(_, integer, _) => Ok(Type::Int(*integer)),
        Expr::Real(_, is_float, _) => Ok(if *is_float { Type::Float } else { Type::Double }),
        Expr::Var(variable) => match unit.variables[*variable].shape {
            Shape::Scalar => Ok(unit.variables[*variable].ty.ty),
            _ => Err(Undefined::TypeMismatch),
        },
        Expr::Index(variable, _) => Ok(unit.variables[*variable].ty.ty),
        Expr::Address(_) | Expr::Untyped(_) => Err(Undefined::TypeMismatch),
        Expr::Unary(Unary::Not, _) => Ok(Type::Int(Integer::INT)),
        Expr::Unary(_, x) => type_of(unit, x).map(Type::promoted),
        Expr::Binary(operator, x, y) => Ok(operator.type_of(type_of(unit, x)?, type_of(unit, y)?)),
        Expr::Conditional(_, x, y) => Ok(type_of(unit, x)?.common(type_of(unit, y)?)),
        Expr::Cast(named, _) => Ok(named.ty),
        Expr::SizeofType(_) | Expr::SizeofValue(_) => Ok(Type::Int(Integer::UNSIGNED_LONG)),
        Expr::Assign(_, target, _) | Expr::Step { target, .. } => type_of(unit, target),
        Expr::Comma(_, y) => type_of(unit, y),
        Expr::Call(function, _) | Expr::CallThrough(_, function, _) => Ok(unit.functions[*function].ty.ty),
    }
}
