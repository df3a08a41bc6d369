//! A seed → a unit.
//!
//! A unit is a storage shape ([`shapes::SHAPES`]) that is legal in most cases, around which integers, names and control flow are
//! drawn from tables. Whether what was drawn has a meaning is not thought through here: the unit is run
//! ([`super::interpret`]) and drawn again if it has none.

mod conditions;
mod disguises;
mod headers;
mod integers;
mod rows;
mod shapes;
mod surroundings;
mod values;

use super::interpret::interpret;
use super::model::{Declared, Expr, Helper, Place, Shape, Stmt, Unit, Variable};
pub use values::LIBRARY;

use super::types::{DOUBLE, FLOAT, INTEGERS, Named, Type};
pub use crate::random::draw::Random;

/// Draws before a seed is given up.
const ATTEMPTS: usize = 300;

/// The feature of [`Draft::is_plain`].
const PLAIN: &str = "plain bounds and arrays";

/// One form of something: its name in the summary, how often it is drawn among those of its table, and the drawing.
pub struct Form<T> {
    pub name: &'static str,
    pub weight: u32,
    pub draw: fn(&mut Draft) -> T,
}

/// The unit of a seed; none if no attempt gives one with a meaning.
pub fn draw_unit(seed: u64) -> Option<Unit> {
    let mut random = Random::new(seed);
    (0..ATTEMPTS).find_map(|_| {
        let unit = Draft::new(&mut random, seed).draw();
        let summary = interpret(&unit).ok()?;
        let is_idle = summary.stores == 0;
        (!is_idle || random.chance(10)).then_some(unit)
    })
}

/// The name by which the nest reaches an array.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub variable: Variable,
    pub ty: Named,
    /// One subscript for all dimensions.
    pub is_flat: bool,
}

/// A loop over space that stands around the statement that is being drawn.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    pub variable: Variable,
    /// The first place, and the one behind the last, as the benign header has them.
    pub low: i64,
    pub high: i64,
}

/// A unit under construction.
pub struct Draft<'r> {
    pub random: &'r mut Random,
    pub unit: Unit,
    pub rank: usize,
    /// Elements of each dimension of every field, slowest first.
    pub sizes: Vec<i64>,
    pub axes: Vec<Axis>,
    pub time: Option<Variable>,
    /// Percentage of slots that are drawn wild.
    wildness: u32,
    /// Bounds are literals and arrays declared with their sizes, so that only conditions, values and surroundings are hard.
    pub is_plain: bool,
    fields: Vec<Field>,
    /// Names that are taken.
    names: Vec<String>,
    /// Control flow must stand around the nest.
    is_surrounded: bool,
    /// Statements before the marked nest.
    pub before: Vec<Stmt>,
}

impl<'r> Draft<'r> {
    fn new(random: &'r mut Random, seed: u64) -> Self {
        let rank = random.pick(&[1, 1, 1, 1, 2, 2, 2, 3]);
        let range = [(14, 24), (8, 12), (6, 7)][rank - 1];
        let sizes = (0..rank).map(|_| random.within(range.0, range.1)).collect();
        let is_plain = random.chance(35);
        let wildness = if is_plain { 0 } else { random.pick(&[5, 15, 15, 25, 25, 40]) };
        let sizes_known = if is_plain { PLAIN } else { "" };
        let unit = Unit {
            seed,
            variables: Vec::new(),
            functions: Vec::new(),
            body: Vec::new(),
            is_old_style: false,
            clauses: Vec::new(),
            hiding: Vec::new(),
            features: vec![["rank 1", "rank 2", "rank 3"][rank - 1], sizes_known],
        };
        Self {
            random,
            unit,
            rank,
            sizes,
            axes: Vec::new(),
            time: None,
            wildness,
            is_plain,
            fields: Vec::new(),
            names: Vec::new(),
            is_surrounded: false,
            before: Vec::new(),
        }
    }

    fn draw(mut self) -> Unit {
        let nest = shapes::draw_nest(&mut self);
        let around = surroundings::surround(&mut self, nest);
        let mut body = std::mem::take(&mut self.before);
        body.extend(around);
        self.unit.body = body;
        self.state_extents();
        disguises::disguise(&mut self);
        self.unit.features.sort_unstable();
        self.unit.features.dedup();
        self.unit.features.retain(|feature| !feature.is_empty());
        self.unit
    }

    /// `extent(a[0:20])` for pointers to elements, which conditions on data need.
    fn state_extents(&mut self) {
        if !self.is_plain && !self.random.chance(60) {
            return;
        }
        let count: i64 = self.sizes.iter().product();
        let mut used = Vec::new();
        super::visit::each_expr(&self.unit.body, &mut |expr| used.extend(expr.variables()));
        for field in &self.fields {
            let is_pointer =
                matches!(&self.unit.variables[field.variable].shape, Shape::Pointer(rows) if rows.is_empty());
            if is_pointer
                && used.contains(&field.variable)
                && !self.unit.clauses.iter().any(|(variable, _)| *variable == field.variable)
            {
                self.unit.clauses.push((field.variable, count));
            }
        }
        if !self.unit.clauses.is_empty() {
            self.unit.features.push("extent clause");
        }
    }

    /// An entry of a table, drawn by weight; its name becomes a feature.
    pub fn choose<T>(&mut self, table: &'static [Form<T>]) -> T {
        let total: u32 = table.iter().map(|form| form.weight).sum();
        let mut ticket = self.random.within(0, i64::from(total) - 1) as u32;
        for form in table {
            if ticket < form.weight {
                self.feature(form.name);
                return (form.draw)(self);
            }
            ticket -= form.weight;
        }
        unreachable!("the ticket is below the sum of the weights")
    }

    pub fn feature(&mut self, name: &'static str) {
        if !name.is_empty() {
            self.unit.features.push(name);
        }
    }

    /// Literals as bounds from here on, and arrays with their sizes.
    pub fn make_plain(&mut self) {
        self.is_plain = true;
        self.wildness = 0;
        self.feature(PLAIN);
    }

    /// Whether this slot is drawn wild.
    pub fn is_wild(&mut self) -> bool {
        self.random.chance(self.wildness)
    }

    /// A name that nothing else has; `#` makes it one of the file.
    pub fn name(&mut self, stem: &str, place: Place) -> String {
        let mark = if matches!(place, Place::Global | Place::Caller) { "_#" } else { "" };
        let candidates = (0..).map(|k| if k == 0 { format!("{stem}{mark}") } else { format!("{stem}{k}{mark}") });
        let name = candidates.into_iter().find(|name| !self.names.contains(name)).expect("numbers do not end");
        self.names.push(name.clone());
        name
    }

    pub fn declare(&mut self, stem: &str, ty: Named, shape: Shape, place: Place, value: Option<Expr>) -> Variable {
        let name = self.name(stem, place);
        self.unit.variables.push(Declared { name, ty, shape, place, qualifier: "", value });
        self.unit.variables.len() - 1
    }

    pub fn scalar(&mut self, stem: &str, ty: Named, place: Place, value: Expr) -> Variable {
        self.declare(stem, ty, Shape::Scalar, place, Some(value))
    }

    /// A function of the file; its name may hold `#`.
    pub fn helper(&mut self, name: &str, ty: Named, parameter: Option<Variable>, value: Expr) -> usize {
        self.unit.functions.push(Helper { name: name.to_string(), ty, parameter, value });
        self.unit.functions.len() - 1
    }

    pub fn integer_type(&mut self) -> Named {
        self.random.pick(INTEGERS)
    }

    /// An integer type whose values have `bits` bits and this sign.
    pub fn type_where(&mut self, is_wanted: impl Fn(super::types::Integer) -> bool) -> Named {
        let is_wanted = |named: &&Named| matches!(named.ty, Type::Int(integer) if is_wanted(integer));
        let choices: Vec<Named> = INTEGERS.iter().filter(is_wanted).copied().collect();
        self.random.pick(&choices)
    }

    /// The type of a field's elements.
    pub fn element_type(&mut self) -> Named {
        match self.random.within(0, 9) {
            0..=4 => DOUBLE,
            5 => FLOAT,
            6 | 7 => self.random.pick(&INTEGERS[..4]),
            _ => self.integer_type(),
        }
    }
}
