//! Integer expressions of host code as C text, at the least and at the greatest values of the loops' variables in them.

use crate::ir::ScalarType;

/// C text, and how tightly its outermost operator binds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// The text.
    pub text: String,
    level: Level,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Other,
    Sum,
    Product,
    Unary,
    Primary,
}

impl Code {
    /// A name, a path of members or a number.
    pub fn primary(text: impl Into<String>) -> Self {
        Self { text: text.into(), level: Level::Primary }
    }

    /// Any expression.
    pub fn other(text: impl Into<String>) -> Self {
        Self { text: text.into(), level: Level::Other }
    }

    /// The number that it is, in the decimal system.
    fn number(&self) -> Option<i64> {
        let is_decimal = self.text == "0" || !self.text.starts_with('0');
        self.text.parse().ok().filter(|_| self.level == Level::Primary && is_decimal)
    }

    fn at(&self, least: Level) -> String {
        if self.level < least { format!("({})", self.text) } else { self.text.clone() }
    }

    /// The text as an operand of a sum.
    pub fn operand(&self) -> String {
        self.at(Level::Product)
    }

    /// The text as a factor.
    pub fn factor(&self) -> String {
        self.at(Level::Unary)
    }

    /// The text with a cast before it.
    pub fn cast(&self, ty: &str) -> Self {
        Self { text: format!("({ty}){}", self.at(Level::Unary)), level: Level::Unary }
    }

    /// The factors of a product of names and numbers; else the text as one.
    fn factors(&self) -> Vec<String> {
        let is_plain = self.level == Level::Product && !self.text.contains(['/', '%', '(']);
        if is_plain { self.text.split(" * ").map(str::to_owned).collect() } else { vec![self.at(Level::Unary)] }
    }

    fn plus(&self, other: &Self) -> Self {
        if let Some(sum) = self.number().zip(other.number()).and_then(|(a, b)| small(a.checked_add(b))) {
            return sum;
        }
        match (self.number(), other.number()) {
            (_, Some(0)) => self.clone(),
            (Some(0), _) => other.clone(),
            _ => Self { text: format!("{} + {}", self.at(Level::Sum), other.at(Level::Product)), level: Level::Sum },
        }
    }

    fn minus(&self, other: &Self) -> Self {
        if let Some(difference) = self.number().zip(other.number()).and_then(|(a, b)| small(a.checked_sub(b))) {
            return difference;
        }
        match other.number() {
            Some(0) => self.clone(),
            _ => Self { text: format!("{} - {}", self.at(Level::Sum), other.at(Level::Product)), level: Level::Sum },
        }
    }

    /// The product.
    pub fn times(&self, other: &Self) -> Self {
        match (self.number(), other.number()) {
            (Some(0), _) | (_, Some(0)) => Self::primary("0"),
            (Some(1), _) => other.clone(),
            (_, Some(1)) => self.clone(),
            _ => Self {
                text: format!("{} * {}", self.at(Level::Product), other.at(Level::Unary)),
                level: Level::Product,
            },
        }
    }
}

/// A number that an `int` holds and that needs no sign.
fn small(number: Option<i64>) -> Option<Code> {
    let number = number.filter(|it| (0..=i64::from(i32::MAX)).contains(it))?;
    Some(Code::primary(number.to_string()))
}

/// An integer expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corners {
    /// Its least value.
    pub low: Code,
    /// Its greatest value.
    pub high: Code,
    /// One more, where that needs fewer words.
    past: Option<Code>,
    /// How many variables of loops there are in it.
    pub varying: usize,
    /// For each of them what it is multiplied with, sorted; its own value is a number of values in a row if that is nothing.
    pub scales: Vec<Vec<String>>,
    /// How many values in a row it may have as long as nothing changes but those variables.
    pub span: Code,
    /// Factors which must not be negative, or least and greatest are exchanged.
    pub factors: Vec<String>,
    /// What must not be negative so that it is not, either.
    pub doubts: Vec<String>,
    /// Its type, if that is known.
    pub ty: Option<ScalarType>,
}

impl Corners {
    /// A value that stays as it is.
    pub fn steady(code: Code, ty: Option<ScalarType>) -> Self {
        let is_natural = code.number().is_some_and(|it| it >= 0) || ty.is_some_and(ScalarType::is_unsigned);
        let doubts = if is_natural { Vec::new() } else { vec![code.text.clone()] };
        let (scales, factors, span) = (Vec::new(), Vec::new(), Code::primary("1"));
        Self { low: code.clone(), high: code, past: None, varying: 0, scales, span, factors, doubts, ty }
    }

    /// The variable of a loop, from `first` to `last`, or to before it.
    pub fn counted(first: &Self, last: &Self, is_inclusive: bool) -> Self {
        let one = Code::primary("1");
        let high = if is_inclusive { last.high.clone() } else { last.high.minus(&one) };
        let past = if is_inclusive { last.past.clone() } else { Some(last.high.clone()) };
        let end = if is_inclusive { last.high.plus(&one) } else { last.high.clone() };
        Self {
            scales: vec![Vec::new()],
            span: end.minus(&first.low),
            low: first.low.clone(),
            high,
            past,
            varying: 1 + first.varying + last.varying,
            factors: [&first.factors[..], &last.factors].concat(),
            doubts: first.doubts.clone(),
            ty: first.ty.filter(|ty| Some(*ty) == last.ty),
        }
    }

    /// One more than its greatest value.
    pub fn past(&self) -> Code {
        self.past.clone().unwrap_or_else(|| self.high.plus(&Code::primary("1")))
    }

    /// Whether that needs no more words.
    pub fn has_past(&self) -> bool {
        self.past.is_some() || self.high.number().is_some()
    }

    /// Whether it stays as it is.
    pub fn is_steady(&self) -> bool {
        self.varying == 0
    }

    /// Whether it is a number.
    pub fn is_number(&self) -> bool {
        self.is_steady() && self.high.number().is_some()
    }

    /// The sum.
    pub fn plus(&self, other: &Self) -> Self {
        let past = other.past.as_ref().map(|past| self.high.plus(past));
        Self {
            past,
            doubts: self.doubts_with(other),
            ..self.combined(other, self.low.plus(&other.low), self.high.plus(&other.high))
        }
    }

    /// The difference.
    pub fn minus(&self, other: &Self) -> Self {
        self.combined(other, self.low.minus(&other.high), self.high.minus(&other.low))
    }

    /// The product; `None` if both factors change.
    pub fn times(&self, other: &Self) -> Option<Self> {
        let factor = if other.is_steady() { other } else { self };
        if !factor.is_steady() {
            return None;
        }
        let combined = self.combined(other, self.low.times(&other.low), self.high.times(&other.high));
        let of_sign = if combined.varying > 0 { &factor.doubts[..] } else { &[] };
        let factors = [&combined.factors[..], of_sign].concat();
        let doubts = self.doubts_with(other);
        Some(Self { factors, doubts, ..combined.scaled(&factor.high.factors()) })
    }

    /// The remainder of what is not negative by what stays as it is.
    pub fn remainder(&self, other: &Self) -> Option<Self> {
        let one = Code::primary("1");
        let factors = [&self.factors[..], &other.factors, &other.doubts].concat();
        let low = Code::primary("0");
        let (high, past) = (other.high.minus(&one), Some(other.high.clone()));
        let (varying, ty) = (1 + self.varying, self.ty.zip(other.ty).map(|(a, b)| a.common(b)));
        let (scales, span) = (vec![Vec::new()], other.high.clone());
        other.is_steady().then_some(Self { low, high, past, varying, scales, span, factors, doubts: Vec::new(), ty })
    }

    /// The quotient or the remainder by a number above zero; `None` if that is no such number.
    pub fn divided(&self, operator: &str, other: &Self) -> Option<Self> {
        other.high.number().filter(|it| *it > 0)?;
        if operator == "%" && !self.is_steady() {
            return None;
        }
        let divided = |code: &Code| Code {
            text: format!("{} {operator} {}", code.at(Level::Product), other.high.text),
            level: Level::Product,
        };
        let combined = self.combined(other, divided(&self.low), divided(&self.high));
        let span = combined.high.minus(&combined.low).plus(&Code::primary("1"));
        let span = if self.is_steady() { self.span.clone() } else { span };
        let scales = if self.is_steady() { Vec::new() } else { vec![Vec::new()] };
        Some(Self { doubts: self.doubts.clone(), scales, span, ..combined })
    }

    /// Converted to another type.
    pub fn cast(&self, ty: ScalarType) -> Self {
        if self.ty == Some(ty) {
            return self.clone();
        }
        let doubts = if ty.is_unsigned() { Vec::new() } else { self.doubts.clone() };
        let cast = |code: &Code| if code.text == "0" { code.clone() } else { code.cast(ty.c_name()) };
        Self { low: cast(&self.low), high: cast(&self.high), past: None, doubts, ty: Some(ty), ..self.clone() }
    }

    /// As an end of a loop whose variable has that type.
    pub fn in_loop_of(&self, ty: ScalarType) -> Self {
        if self.is_number() { Self { ty: Some(ty), ..self.clone() } } else { self.cast(ty) }
    }

    fn doubts_with(&self, other: &Self) -> Vec<String> {
        [&self.doubts[..], &other.doubts].concat()
    }

    fn combined(&self, other: &Self, low: Code, high: Code) -> Self {
        let ty = self.ty.zip(other.ty).map(|(a, b)| a.common(b));
        let (varying, factors) = (self.varying + other.varying, [&self.factors[..], &other.factors].concat());
        let doubts = vec![low.text.clone()];
        let (scales, span) = ([&self.scales[..], &other.scales].concat(), self.joint_span(other));
        Self { low, high, past: None, varying, scales, span, factors, doubts, ty }
    }

    /// The span of a sum.
    fn joint_span(&self, other: &Self) -> Code {
        match (self.span.number(), other.span.number()) {
            (_, Some(1)) => self.span.clone(),
            (Some(1), _) => other.span.clone(),
            _ => self.span.plus(&other.span).minus(&Code::primary("1")),
        }
    }

    /// The same, of which each variable is multiplied by these factors.
    fn scaled(self, factors: &[String]) -> Self {
        let is_one = factors == ["1"];
        let scaled = |scale: &Vec<String>| {
            let mut all = [&scale[..], factors].concat();
            all.sort();
            all
        };
        if is_one {
            return self;
        }
        Self { scales: self.scales.iter().map(scaled).collect(), span: Code::primary("1"), ..self }
    }
}
