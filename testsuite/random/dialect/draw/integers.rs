//! Integers of known value whose way to it leads through C's conversions.

use super::{Draft, Form};
use crate::random::dialect::model::{Expr, Place, Shape, Unary, Variable};
use crate::random::dialect::types::{INT, Integer, LONG, Named, Operator, SIZE, Type, UNSIGNED};

/// Makes an expression of a value.
type Detour = fn(&mut Draft, i64) -> Expr;

/// Ways to spell an integer that the draft's target asks for; a new one joins by an entry.
const DETOURS: &[Form<Detour>] = &[
    Form { name: "parameter of any type", weight: 12, draw: |_| typed_parameter },
    Form { name: "wide integer cut by a cast", weight: 6, draw: |_| cut_by_cast },
    Form { name: "wide integer cut by a declaration", weight: 6, draw: |_| cut_by_declaration },
    Form { name: "unsigned sum that wraps", weight: 8, draw: |_| wrapping_sum },
    Form { name: "unsigned product that wraps", weight: 4, draw: |_| wrapping_product },
    Form { name: "constant converted by its declaration", weight: 10, draw: |_| converted_constant },
    Form { name: "enumerator", weight: 6, draw: |_| enumerator },
    Form { name: "conditional of two types", weight: 8, draw: |_| conditional },
    Form { name: "sizeof", weight: 6, draw: |_| by_sizeof },
    Form { name: "sizeof of a variable-length array", weight: 5, draw: |_| by_sizeof_variable },
    Form { name: "arithmetic", weight: 12, draw: |_| arithmetic },
    Form { name: "character constant", weight: 2, draw: |_| character },
    Form { name: "complement or sign", weight: 4, draw: |_| complement },
    Form { name: "real constant cut to an integer", weight: 5, draw: |_| cut_real },
    Form { name: "sum of reals cut to an integer", weight: 4, draw: |_| cut_sum },
    Form { name: "enumerated variable", weight: 5, draw: |_| enumerated },
];

impl Draft<'_> {
    /// An expression of this value, plain or wild.
    pub fn valued(&mut self, target: i64) -> Expr {
        if self.is_wild() { self.detour(target) } else { self.plain(target) }
    }

    /// A literal or an `int` parameter.
    pub fn plain(&mut self, target: i64) -> Expr {
        if self.is_plain || self.random.chance(65) {
            return Expr::int(target);
        }
        Expr::Var(self.parameter(INT, target))
    }

    /// A wild one; its C value is the target whenever the types allow it.
    pub fn detour(&mut self, target: i64) -> Expr {
        let way = self.choose(DETOURS);
        way(self, target)
    }

    /// A parameter that is called with this value, converted to its type.
    pub fn parameter(&mut self, ty: Named, value: i64) -> Variable {
        let stem = self.random.pick(&["n", "m", "q", "off", "lim", "w", "len", "p0"]);
        let place =
            self.random.pick(&[Place::Parameter, Place::Parameter, Place::Parameter, Place::Local, Place::Global]);
        let value = self.literal(value);
        self.scalar(stem, ty, place, value)
    }

    /// A literal of a type that holds the value, in one of C's notations.
    pub fn literal(&mut self, value: i64) -> Expr {
        let size = i128::from(value).abs();
        let suffixes: &[(&str, Integer)] = &[
            ("", Integer::INT),
            ("", Integer::INT),
            ("u", Integer::UNSIGNED),
            ("L", Integer::LONG),
            ("UL", Integer::UNSIGNED_LONG),
            ("LL", Integer::LONG_LONG),
            ("ull", Integer::UNSIGNED_LONG_LONG),
        ];
        let is_plain = !self.is_wild() || value < 0;
        let (mut suffix, mut ty) = if is_plain { suffixes[0] } else { self.random.pick(suffixes) };
        if !ty.holds(size) {
            (suffix, ty) = if Integer::UNSIGNED.holds(size) && value >= 0 { suffixes[2] } else { suffixes[3] };
        }
        let digits = if is_plain { size.to_string() } else { self.digits(size) };
        let literal = Expr::Int(size, ty, format!("{digits}{suffix}"));
        if value < 0 { Expr::Unary(Unary::Minus, Box::new(literal)) } else { literal }
    }

    fn digits(&mut self, size: i128) -> String {
        match self.random.within(0, 3) {
            0 => format!("0x{size:x}"),
            1 => format!("0{size:o}"),
            _ => size.to_string(),
        }
    }
}

fn typed_parameter(draft: &mut Draft, target: i64) -> Expr {
    let ty = draft.type_where(|ty| ty.holds(i128::from(target)) || !ty.is_signed && ty.bits >= 32);
    Expr::Var(draft.parameter(ty, target))
}

fn wide(draft: &mut Draft, target: i64, bits: u32) -> Expr {
    let above = draft.random.pick(&[1, 1, 2, -1, 3]);
    let raw = target + (above << bits);
    if draft.random.chance(30) && raw > 0 {
        return draft.literal(raw);
    }
    let ty = draft.type_where(|ty| ty.bits > bits && ty.holds(i128::from(raw)));
    Expr::Var(draft.parameter(ty, raw))
}

fn cut_by_cast(draft: &mut Draft, target: i64) -> Expr {
    let narrow = draft.type_where(|ty| ty.bits > 1 && ty.bits < 64 && ty.holds(i128::from(target)));
    let Type::Int(integer) = narrow.ty else { return Expr::int(target) };
    let raw = wide(draft, target, integer.bits);
    Expr::Cast(narrow, Box::new(raw))
}

fn cut_by_declaration(draft: &mut Draft, target: i64) -> Expr {
    let narrow = draft.type_where(|ty| ty.bits > 1 && ty.bits < 64 && ty.holds(i128::from(target)));
    let Type::Int(integer) = narrow.ty else { return Expr::int(target) };
    let raw = wide(draft, target, integer.bits);
    let variable = draft.scalar("cut", narrow, Place::Local, raw);
    Expr::Var(variable)
}

fn wrapping_sum(draft: &mut Draft, target: i64) -> Expr {
    let ty = draft.type_where(|ty| !ty.is_signed && ty.bits >= 32);
    let step = draft.random.within(1, 12);
    let (raw, operator) =
        if draft.random.chance(70) { (target - step, Operator::Add) } else { (target + step, Operator::Subtract) };
    // A negative argument is converted to the unsigned type.
    let variable = draft.parameter(ty, raw);
    Expr::binary(operator, Expr::Var(variable), Expr::int(step))
}

fn wrapping_product(draft: &mut Draft, target: i64) -> Expr {
    let ty = draft.type_where(|ty| !ty.is_signed && ty.bits == 32);
    let raw = (1 << 31) + target.div_euclid(2);
    let variable = draft.parameter(ty, raw);
    let product = Expr::binary(Operator::Multiply, Expr::Var(variable), Expr::int(2));
    if target % 2 == 0 { product } else { Expr::binary(Operator::Add, product, Expr::int(1)) }
}

/// `const unsigned char K = 300;`
fn converted_constant(draft: &mut Draft, target: i64) -> Expr {
    let ty = draft.type_where(|ty| ty.bits > 1);
    let Type::Int(integer) = ty.ty else { return Expr::int(target) };
    let raw = if integer.bits < 64 && draft.random.chance(60) { target + (1 << integer.bits) } else { target };
    let value = draft.constant(raw, 2);
    let place = draft.random.pick(&[Place::Local, Place::Global, Place::Global]);
    let variable = draft.scalar("K", ty, place, value);
    draft.unit.variables[variable].qualifier = "const";
    Expr::Var(variable)
}

fn enumerator(draft: &mut Draft, target: i64) -> Expr {
    let mut value = draft.constant(target, 2);
    if draft.random.chance(25) && (0..=1).contains(&target) {
        // ~0u >> 31
        let ones = Expr::Unary(Unary::Complement, Box::new(Expr::Int(0, Integer::UNSIGNED, "0u".to_string())));
        value = Expr::binary(Operator::ShiftRight, ones, Expr::int(31));
    }
    let variable = draft.scalar("B", INT, Place::Global, value);
    draft.unit.variables[variable].qualifier = "enum";
    Expr::Var(variable)
}

fn conditional(draft: &mut Draft, target: i64) -> Expr {
    let is_first = draft.random.chance(50);
    let condition = match draft.random.within(0, 3) {
        0 => Expr::Var(draft.parameter(INT, i64::from(is_first))),
        1 => draft.constant(i64::from(is_first), 1),
        _ => Expr::int(i64::from(is_first)),
    };
    let other = draft.random.within(-3, 9);
    let (wanted, other) = (draft.literal(target), draft.literal(other));
    let (first, second) = if is_first { (wanted, other) } else { (other, wanted) };
    Expr::Conditional(Box::new(condition), Box::new(first), Box::new(second))
}

fn by_sizeof(draft: &mut Draft, target: i64) -> Expr {
    let ty = draft.integer_type();
    let Ok(count) = usize::try_from(target) else { return Expr::int(target) };
    if count == ty.ty.bytes() {
        return Expr::SizeofType(ty);
    }
    if count == 0 {
        return Expr::binary(Operator::Subtract, Expr::SizeofType(ty), Expr::int(ty.ty.bytes() as i64));
    }
    let size = draft.constant(target, 1);
    let array = draft.declare("pad", ty, Shape::Array(vec![size]), Place::Local, None);
    elements_of(draft, array)
}

/// `sizeof pad / sizeof pad[0]`, the second one perhaps with an operand that must not be evaluated.
fn elements_of(draft: &mut Draft, array: Variable) -> Expr {
    let ty = draft.unit.variables[array].ty;
    let element = match draft.random.within(0, 2) {
        0 => Expr::SizeofType(ty),
        1 => Expr::SizeofValue(Box::new(Expr::Index(array, vec![Expr::int(0)]))),
        _ => Expr::SizeofValue(Box::new(Expr::Index(array, vec![Expr::int(9999)]))),
    };
    let count = Expr::binary(Operator::Divide, Expr::SizeofValue(Box::new(Expr::Var(array))), element);
    if draft.random.chance(50) { Expr::Cast(INT, Box::new(count)) } else { count }
}

/// The variable of its size has another value since.
fn by_sizeof_variable(draft: &mut Draft, target: i64) -> Expr {
    if target < 1 {
        return by_sizeof(draft, target);
    }
    let ty = draft.integer_type();
    let size_type = draft.random.pick(&[INT, INT, LONG, UNSIGNED, SIZE]);
    let size = draft.scalar("size", size_type, Place::Local, Expr::int(target));
    let array = draft.declare("pad", ty, Shape::Array(vec![Expr::Var(size)]), Place::Local, None);
    let later = draft.random.within(1, 9);
    draft.before.push(super::Stmt::Do(Expr::assign(Expr::Var(size), Expr::int(later))));
    elements_of(draft, array)
}

fn arithmetic(draft: &mut Draft, target: i64) -> Expr {
    draft.sum_of(
        target,
        2,
        |draft, part| {
            if draft.random.chance(50) { typed_parameter(draft, part) } else { draft.literal(part) }
        },
    )
}

fn character(_: &mut Draft, target: i64) -> Expr {
    let code = i128::from(b'a') + i128::from(target);
    let Some(letter) = u8::try_from(code).ok().filter(u8::is_ascii_alphabetic) else { return Expr::int(target) };
    let literal = Expr::Int(code, Integer::INT, format!("'{}'", letter as char));
    Expr::binary(Operator::Subtract, literal, Expr::Int(i128::from(b'a'), Integer::INT, "'a'".to_string()))
}

fn complement(draft: &mut Draft, target: i64) -> Expr {
    let (operator, raw) = draft.random.pick(&[
        (Unary::Complement, -target - 1),
        (Unary::Complement, -target - 1),
        (Unary::Minus, -target),
        (Unary::Minus, -target),
        (Unary::Plus, target),
    ]);
    let ty = draft.type_where(|ty| ty.holds(i128::from(raw)) || !ty.is_signed && ty.bits >= 32);
    Expr::Unary(operator, Box::new(Expr::Var(draft.parameter(ty, raw))))
}

/// `static const int KI = 7 / 2.0;`
fn cut_real(draft: &mut Draft, target: i64) -> Expr {
    let ty = draft.type_where(|ty| ty.bits > 1 && ty.holds(i128::from(target)));
    let nearer = if target < 0 { 2 * target - 1 } else { 2 * target + 1 };
    let value = Expr::binary(Operator::Divide, Expr::int(nearer), Expr::Real(2.0, false, "2.0".to_string()));
    let variable = draft.scalar("KI", ty, Place::Global, value);
    draft.unit.variables[variable].qualifier = "const";
    Expr::Var(variable)
}

/// `(long)(n + 2.0)`
fn cut_sum(draft: &mut Draft, target: i64) -> Expr {
    let ty = draft.type_where(|ty| ty.bits > 1 && ty.holds(i128::from(target)));
    let by = draft.random.within(0, 3);
    let (operator, rest) = draft.random.pick(&[(Operator::Add, target - by), (Operator::Subtract, target + by)]);
    let rest = draft.plain(rest);
    let sum = Expr::binary(operator, rest, Expr::Real(by as f64, false, format!("{by}.0")));
    Expr::Cast(ty, Box::new(sum))
}

fn enumerated(draft: &mut Draft, target: i64) -> Expr {
    let enums: Vec<Named> =
        crate::random::dialect::types::INTEGERS.iter().filter(|ty| ty.name.starts_with("enum")).copied().collect();
    let ty = draft.random.pick(&enums);
    Expr::Var(draft.parameter(ty, target))
}

impl Draft<'_> {
    /// A constant expression of this value.
    pub fn constant(&mut self, target: i64, depth: u32) -> Expr {
        self.sum_of(target, depth, |draft, part| draft.literal(part))
    }

    /// An expression whose parts are made by `leaf` of their values.
    fn sum_of(&mut self, target: i64, depth: u32, leaf: fn(&mut Self, i64) -> Expr) -> Expr {
        if depth == 0 || target.abs() > 1 << 40 {
            return leaf(self, target);
        }
        let y = self.random.within(1, 9);
        let (operator, x, y) = match self.random.within(0, 9) {
            0..=2 => (Operator::Add, target - y, y),
            3 | 4 => (Operator::Subtract, target + y, y),
            5 => (Operator::Divide, target * y + target.signum() * self.random.within(0, y - 1), y),
            6 if target.abs() < 5 => (Operator::Remainder, target + target.signum() * 5 * self.random.within(0, 9), 5),
            7 if target >= 0 => {
                (Operator::ShiftRight, (target << (y % 5)) + self.random.within(0, (1 << (y % 5)) - 1), y % 5)
            }
            8 if target >= 0 && target % 2 == 0 => (Operator::ShiftLeft, target / 2, 1),
            _ if target % 3 == 0 => (Operator::Multiply, target / 3, 3),
            _ => return leaf(self, target),
        };
        let (x, y) = (self.sum_of(x, depth - 1, leaf), leaf(self, y));
        Expr::binary(operator, x, y)
    }
}
