//! What is stored: elements, places, parameters and constants of all types.

use super::conditions::is_integer;
use super::{Draft, Field, Form};
use crate::random::dialect::interpret::type_of;
use crate::random::dialect::model::{Expr, Place, Shape, Unary};
use crate::random::dialect::types::{DOUBLE, FLOAT, Integer, LONG, Operator, Type};

/// Terms that are added to what a statement reads; a new one joins by an entry.
const TERMS: &[Form<Expr>] = &[
    Form { name: "value: place", weight: 4, draw: place },
    Form { name: "value: conditional of integer and real", weight: 9, draw: mixed_conditional },
    Form { name: "value: enumerated variable", weight: 6, draw: enumerated },
    Form { name: "value: integer parameter", weight: 6, draw: parameter },
    Form { name: "value: single precision constant", weight: 4, draw: single_constant },
    Form { name: "value: converted constant", weight: 5, draw: constant },
    Form { name: "value: cast", weight: 5, draw: cast },
    Form { name: "value: comparison", weight: 3, draw: comparison },
    Form { name: "value: integer division", weight: 4, draw: division },
    Form { name: "value: own function", weight: 1, draw: own_function },
    Form { name: "value: library name of an own function", weight: 5, draw: library_name },
    Form { name: "value: pointer to a function", weight: 2, draw: function_pointer },
    Form { name: "value: sizeof", weight: 2, draw: size },
    Form { name: "value: comma", weight: 1, draw: comma },
];

/// Names of the C library that a program may define for itself.
pub const LIBRARY: [&str; 12] =
    ["trunc", "floor", "ceil", "fabs", "sqrt", "round", "rint", "exp", "log", "sin", "cbrt", "tanh"];

impl Draft<'_> {
    /// An array of the draft's sizes and the name by which the nest reaches it.
    pub fn field(&mut self, stem: &str, ty: Named) -> Field {
        let first = if self.is_plain { 5 } else { 0 };
        let field = match self.random.within(first, 9) {
            0..=4 => self.parameter_field(stem, ty),
            5..=7 => self.array_field(stem, ty, Place::Global),
            8 | 9 if self.is_plain => self.array_field(stem, ty, Place::Local),
            8 => self.array_field(stem, ty, Place::Local),
            _ => self.pointer_field(stem, ty, Place::Global),
        };
        self.fields.push(field);
        field
    }

    /// One that is reached by a pointer.
    pub fn parameter_field(&mut self, stem: &str, ty: Named) -> Field {
        self.pointer_field(stem, ty, Place::Parameter)
    }

    pub fn storage(&mut self, stem: &str, ty: Named) -> usize {
        let count = self.sizes.iter().product();
        let stem = format!("{stem}_data");
        self.declare(&stem, ty, Shape::Array(vec![Expr::int(count)]), Place::Caller, None)
    }

    /// The sizes of rows, of which pointers to elements have none.
    pub fn rows(&mut self) -> Vec<usize> {
        let is_flat = self.rank > 1 && self.random.chance(25);
        if is_flat { Vec::new() } else { self.sizes[1..].iter().map(|size| *size as usize).collect() }
    }

    pub fn pointer_field(&mut self, stem: &str, ty: Named, place: Place) -> Field {
        let rows = self.rows();
        self.pointer_with_rows(stem, ty, place, rows)
    }

    pub fn pointer_with_rows(&mut self, stem: &str, ty: Named, place: Place, rows: Vec<usize>) -> Field {
        let storage = self.storage(stem, ty);
        let is_flat = rows.is_empty();
        let is_cast = !is_flat && place != Place::Parameter;
        let value = Expr::Var(storage);
        let value = if is_cast { Expr::Untyped(Box::new(value)) } else { value };
        let variable = self.declare(stem, ty, Shape::Pointer(rows), place, Some(value));
        Field { variable, ty, is_flat }
    }

    fn array_field(&mut self, stem: &str, ty: Named, place: Place) -> Field {
        let sizes = self.sizes.clone();
        let sizes =
            sizes.into_iter().map(|size| if place == Place::Local { self.valued(size) } else { Expr::int(size) });
        let shape = Shape::Array(sizes.collect());
        let variable = self.declare(stem, ty, shape, place, None);
        Field { variable, ty, is_flat: false }
    }

    /// The element at these distances from the place of the loops.
    pub fn element(&mut self, field: Field, offsets: &[i64]) -> Expr {
        let axes = self.axes.clone();
        let positions: Vec<Expr> = axes
            .iter()
            .zip(offsets)
            .map(|(axis, offset)| {
                let distance = offset + (2 - axis.low).max(0);
                self.position(Expr::Var(axis.variable), distance)
            })
            .collect();
        self.element_at(field, positions)
    }

    pub fn element_at(&mut self, field: Field, positions: Vec<Expr>) -> Expr {
        if !field.is_flat || self.rank == 1 {
            return Expr::Index(field.variable, positions);
        }
        let sizes = self.sizes.clone();
        let flat = positions.into_iter().zip(sizes).reduce(|(sum, _), (position, size)| {
            (Expr::binary(Operator::Add, Expr::binary(Operator::Multiply, sum, Expr::int(size)), position), size)
        });
        Expr::Index(field.variable, flat.into_iter().map(|(sum, _)| sum).collect())
    }

    /// `i`, `i + 1`, `i - m`
    fn position(&mut self, place: Expr, distance: i64) -> Expr {
        let is_wild = self.random.chance(self.wildness / 3);
        if is_wild {
            self.feature("subscript of any type");
            let distance = self.detour(distance);
            return Expr::binary(Operator::Add, place, distance);
        }
        match distance {
            0 => place,
            1.. => Expr::binary(Operator::Add, place, Expr::int(distance)),
            _ => Expr::binary(Operator::Subtract, place, Expr::int(-distance)),
        }
    }

    /// Distances of one element from the place, at most `reach` along each axis.
    pub fn offsets(&mut self, reach: i64) -> Vec<i64> {
        (0..self.axes.len()).map(|_| self.random.within(-reach, reach)).collect()
    }

    pub fn here(&self) -> Vec<i64> {
        vec![0; self.axes.len()]
    }

    /// The element of any field at the place.
    pub fn any_element(&mut self) -> Expr {
        let field = self.random.pick(&self.fields.clone());
        let here = self.here();
        self.element(field, &here)
    }

    /// A value that reads these elements and perhaps more.
    pub fn value(&mut self, reads: &[Expr]) -> Expr {
        let mut value = reads[0].clone();
        for read in &reads[1..] {
            let operator = self.random.pick(&[Operator::Add, Operator::Add, Operator::Subtract]);
            value = Expr::binary(operator, value, read.clone());
        }
        let is_real = type_of(&self.unit, &value).is_ok_and(Type::is_real);
        if is_real && reads.len() > 1 && self.random.chance(70) {
            let half = Expr::Real(0.25, false, "0.25".to_string());
            value = Expr::binary(Operator::Multiply, half, value);
        }
        let terms = if self.random.chance(55) { 1 } else { 0 };
        for _ in 0..terms {
            let term = self.choose(TERMS);
            let operator = self.random.pick(&[Operator::Add, Operator::Add, Operator::Subtract]);
            value = Expr::binary(operator, value, term);
        }
        value
    }
}

use crate::random::dialect::types::Named;

fn place(draft: &mut Draft) -> Expr {
    let axis = draft.random.pick(&draft.axes.clone());
    Expr::Var(axis.variable)
}

/// `(1 ? i : 0.5) / 2`
fn mixed_conditional(draft: &mut Draft) -> Expr {
    let is_first = draft.random.within(0, 1);
    let condition = if draft.random.chance(60) { draft.constant(is_first, 1) } else { draft.valued(is_first) };
    let integer = place(draft);
    let other = match draft.random.within(0, 3) {
        0 => Expr::Real(0.5, true, "0.5f".to_string()),
        1 => Expr::Int(3, Integer::UNSIGNED, "3u".to_string()),
        2 => Expr::Int(3, Integer::LONG, "3L".to_string()),
        _ => Expr::Real(1.5, false, "1.5".to_string()),
    };
    let (x, y) = if draft.random.chance(50) { (integer, other) } else { (other, integer) };
    let chosen = Expr::Conditional(Box::new(condition), Box::new(x), Box::new(y));
    let divisor = draft.random.within(2, 4);
    match draft.random.within(0, 3) {
        0 => Expr::Unary(Unary::Minus, Box::new(chosen)),
        _ => Expr::binary(Operator::Divide, chosen, Expr::int(divisor)),
    }
}

/// `-m` of an enumerated `m`
fn enumerated(draft: &mut Draft) -> Expr {
    let value = draft.random.within(0, 2);
    let enums: Vec<Named> =
        super::super::types::INTEGERS.iter().filter(|ty| ty.name.starts_with("enum")).copied().collect();
    let ty = draft.random.pick(&enums);
    let variable = Expr::Var(draft.parameter(ty, value));
    match draft.random.within(0, 2) {
        0 => Expr::Unary(Unary::Minus, Box::new(variable)),
        1 => Expr::binary(Operator::Subtract, variable, Expr::int(value + 1)),
        _ => {
            Expr::binary(Operator::Less, Expr::binary(Operator::Subtract, variable, Expr::int(value + 1)), Expr::int(0))
        }
    }
}

fn parameter(draft: &mut Draft) -> Expr {
    let value = draft.random.within(-4, 9);
    let integer = draft.detour(value);
    let real = Expr::Real(0.5, false, "0.5".to_string());
    if draft.random.chance(50) { Expr::binary(Operator::Multiply, real, integer) } else { integer }
}

/// `const float KF = 0.1;`
fn single_constant(draft: &mut Draft) -> Expr {
    let (value, text) = draft.random.pick(&[(0.1, "0.1"), (0.7, "0.7"), (1.0 / 3.0, "1.0 / 3.0"), (3.3, "3.3")]);
    let place = draft.random.pick(&[Place::Global, Place::Local, Place::Parameter]);
    let literal = if text.contains('/') {
        let (one, three) = (Expr::Real(1.0, false, "1.0".to_string()), Expr::Real(3.0, false, "3.0".to_string()));
        Expr::binary(Operator::Divide, one, three)
    } else {
        Expr::Real(value, false, text.to_string())
    };
    let ty = draft.random.pick(&[FLOAT, FLOAT, DOUBLE]);
    let variable = draft.scalar("KF", ty, place, literal);
    if place != Place::Parameter {
        draft.unit.variables[variable].qualifier = "const";
    }
    Expr::Var(variable)
}

/// `const long K = 0u - 1;`, `const char K = 200;`
fn constant(draft: &mut Draft) -> Expr {
    let value = match draft.random.within(0, 3) {
        0 => {
            let zero = Expr::Int(0, Integer::UNSIGNED, "0u".to_string());
            Expr::binary(Operator::Subtract, zero, Expr::int(1))
        }
        1 => {
            let high = Expr::Int(1 << 31, Integer::UNSIGNED, "0x80000000u".to_string());
            let shifted = Expr::binary(Operator::ShiftLeft, high, Expr::int(1));
            Expr::binary(Operator::Add, shifted, Expr::int(2))
        }
        _ => {
            let raw = draft.random.pick(&[200, 255, 300, 65_540, -1, 127]);
            draft.constant(raw, 1)
        }
    };
    let ty = if draft.random.chance(40) { LONG } else { draft.integer_type() };
    let place = draft.random.pick(&[Place::Global, Place::Local]);
    let variable = draft.scalar("K", ty, place, value);
    draft.unit.variables[variable].qualifier = "const";
    Expr::Var(variable)
}

fn cast(draft: &mut Draft) -> Expr {
    let ty = draft.integer_type();
    let value = draft.random.pick(&[3, 200, 300, -1, 70_000]);
    let value = draft.detour(value);
    let place = place(draft);
    Expr::Cast(ty, Box::new(Expr::binary(Operator::Add, value, place)))
}

fn comparison(draft: &mut Draft) -> Expr {
    let condition = draft.condition();
    let factor = draft.random.within(2, 5);
    Expr::binary(Operator::Multiply, condition, Expr::int(factor))
}

/// Of negative numbers too, by parameters.
fn division(draft: &mut Draft) -> Expr {
    let place = place(draft);
    let (distance, divisor) = (draft.random.within(3, 9), draft.random.pick(&[-3, 2, 3, 5]));
    let ty = draft.type_where(|ty| ty.holds(i128::from(divisor)));
    let divisor = Expr::Var(draft.parameter(ty, divisor));
    let operator = draft.random.pick(&[Operator::Divide, Operator::Remainder]);
    Expr::binary(operator, Expr::binary(Operator::Subtract, place, Expr::int(distance)), divisor)
}

/// `static double NAME(double x) { return x + 1; }` called at an element.
fn call_of(draft: &mut Draft, name: &str, is_pointer: bool) -> Expr {
    let parameter = draft.scalar("x", DOUBLE, Place::Inner, Expr::int(0));
    draft.unit.variables[parameter].value = None;
    draft.unit.variables[parameter].name = "x".to_string();
    let summand = draft.random.within(1, 9);
    let operator = draft.random.pick(&[Operator::Add, Operator::Subtract]);
    let value = Expr::binary(operator, Expr::Var(parameter), Expr::int(summand));
    let own = if is_pointer { "own_#" } else { name };
    let own = if draft.unit.functions.iter().any(|helper| helper.name == own) { "second_own_#" } else { own };
    let function = draft.helper(own, DOUBLE, Some(parameter), value.clone());
    let element = draft.any_element();
    if !is_pointer {
        return Expr::Call(function, vec![element]);
    }
    let pointer = draft.declare("call", DOUBLE, Shape::Function(function), Place::Local, None);
    draft.unit.variables[pointer].name = name.to_string();
    Expr::CallThrough(pointer, function, vec![element])
}

fn own_function(draft: &mut Draft) -> Expr {
    call_of(draft, "own_#", false)
}

fn library_name(draft: &mut Draft) -> Expr {
    if draft.unit.functions.iter().any(|helper| LIBRARY.contains(&helper.name.as_str())) {
        return own_function(draft);
    }
    let name = draft.random.pick(&LIBRARY);
    call_of(draft, name, false)
}

fn function_pointer(draft: &mut Draft) -> Expr {
    let is_taken = draft.unit.variables.iter().any(|declared| matches!(declared.shape, Shape::Function(_)));
    if is_taken {
        return own_function(draft);
    }
    let name = draft.random.pick(&["floor", "ceil", "call", "fabs"]);
    call_of(draft, name, true)
}

fn size(draft: &mut Draft) -> Expr {
    let element = draft.any_element();
    let size = Expr::SizeofValue(Box::new(element));
    if draft.random.chance(50) { size } else { Expr::Unary(Unary::Minus, Box::new(size)) }
}

fn comma(draft: &mut Draft) -> Expr {
    let (first, second) = (place(draft), draft.any_element());
    Expr::Comma(Box::new(first), Box::new(second))
}

/// Operators of compound assignments that elements of the type may have.
pub fn compound(draft: &mut Draft, ty: Type) -> Operator {
    let integral: &[Operator] =
        if is_integer(ty) { &[Operator::BitXor, Operator::BitAnd, Operator::BitOr] } else { &[] };
    let all = [&[Operator::Add, Operator::Add, Operator::Add, Operator::Subtract], integral].concat();
    draft.random.pick(&all)
}
