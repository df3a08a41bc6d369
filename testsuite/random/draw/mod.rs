//! Draws programs from seeds.
//!
//! Storage idioms come from one table ([`idioms::IDIOMS`]), shapes of values from another ([`values::SHAPES`]); a new form
//! joins by an entry there. What is drawn is traced, and drawn again until it is what was asked for.

mod feeds;
mod folds;
mod histories;
mod host;
mod idioms;
mod leaning;
mod packing;
mod places;
mod rules;
mod totals;
mod values;
mod walls;
mod ways;

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::experiment::Stream;
use super::limits::has_measured_loops;
use super::model::{
    Dim, Element, Field, Follows, Form, Index, Item, Program, Quiet, Run, Scalar, Setting, TimeForm, Values,
};
use super::mutate::mutate;
use super::needs::Needs;
use super::trace::{Verdict, check_elements, trace};
use super::ways::{Division, Sizes, Turn, WallWay};

/// Draws of one program before the next seed is better.
const ATTEMPTS: usize = 200;

/// Forms that are drawn where they are asked for, so that seeds give the programs that they have always given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Further {
    /// Loops at a point whose length only a run of the program says.
    pub has_measured_loops: bool,
    /// The host looks at what a sweep folds before the step goes on, and may leave it there.
    pub tells: bool,
    /// Sweeps need what others fold.
    pub feeds: bool,
    /// Reads lean to one side, and outputs get older levels.
    pub leans: bool,
}

impl Further {
    /// Whether the host keeps the loops of such programs.
    pub fn is_kept(self) -> bool {
        self.tells || self.feeds
    }

    /// Whether the program has what is asked for.
    fn is_in(self, program: &Program) -> bool {
        (!self.has_measured_loops || has_measured_loops(program))
            && (!self.tells || program.tells())
            && (!self.feeds || program.feeds())
    }
}

/// A program of the stream, or none if no attempt leads to one.
pub fn draw(random: &mut Random, stream: Stream, further: Further) -> Option<Program> {
    (0..ATTEMPTS).find_map(|_| {
        let mut program = Draft::new(random, further).draw();
        if !further.is_in(&program) {
            return None;
        }
        if !matches!(stream, Stream::Legal | Stream::Kept) && is_so(&program, |verdict| *verdict == Verdict::Legal) {
            mutate(&mut program, random);
        }
        let is_kept = stream != Stream::Kept || host::draw_host(&mut program, random, further);
        (is_kept && is_so(&program, |verdict| is_wanted(stream, verdict))).then_some(program)
    })
}

fn is_wanted(stream: Stream, verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Legal => matches!(stream, Stream::Legal | Stream::Kept),
        Verdict::Illegal => stream == Stream::Illegal,
        Verdict::Entangled | Verdict::Overwriting => stream == Stream::Unsure,
        Verdict::Invalid(_) => false,
    }
}

/// The verdict of a run in which every loop runs several times. Invalid if any run of the program is.
pub fn classify(program: &Program) -> Verdict {
    match program.runs.iter().find_map(|run| check_elements(program, run).err()) {
        Some(message) => Verdict::Invalid(message),
        None => trace(program, &generic_run(program)),
    }
}

/// Whether the verdict is one of those; the short run decides most programs.
fn is_so(program: &Program, is_one: impl Fn(&Verdict) -> bool) -> bool {
    is_one(&trace(program, &generic_run(program)))
        && program.runs.iter().all(|run| check_elements(program, run).is_ok())
}

/// A run with room for every neighbour on both sides of a few points, and no two sizes alike.
fn generic_run(program: &Program) -> Run {
    let reach = program.sweeps().flat_map(|sweep| &sweep.loops).map(|l| l.low.offset.abs() + l.high.offset.abs()).max();
    let sizes = (0..program.rank).map(|axis| reach.unwrap_or(0) + 6 + axis as i64).collect();
    Run { sizes, steps: 4 }
}

/// A source of choices.
pub struct Random(ChaCha8Rng);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A number from `low` to `high`, both included.
    pub fn within(&mut self, low: i64, high: i64) -> i64 {
        self.0.random_range(low..=high)
    }

    /// True in `percent` of 100 cases.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.0.random_ratio(percent, 100)
    }

    pub fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices.choose(&mut self.0).expect("something to choose from").clone()
    }

    pub fn spelling(&mut self) -> u8 {
        if self.chance(40) { 0 } else { self.0.random() }
    }
}

/// A program under construction.
pub struct Draft<'r> {
    random: &'r mut Random,
    program: Program,
    /// How far reads go down and up on each axis.
    reach: Vec<(i64, i64)>,
    /// Reads are of the axes' own neighbours only, not of diagonal ones.
    is_star: bool,
    /// Fields that the nest only reads.
    coefficients: Vec<usize>,
    /// Elements of most fields.
    element: Element,
    /// Fields with a row for each step that is not row `t`, and how far from that it is.
    rows: Vec<(usize, i64)>,
    /// Sums in loops so far.
    totals: usize,
    further: Further,
}

impl<'r> Draft<'r> {
    fn new(random: &'r mut Random, further: Further) -> Self {
        let rank = random.pick(&[1, 1, 2, 2, 2, 3, 3, 4]);
        let setting = draw_setting(random);
        let element = draw_element(random);
        let time = draw_time(random);
        let program = Program {
            rank,
            fields: Vec::new(),
            time: Some(time),
            items: Vec::new(),
            host: Vec::new(),
            scalars: Vec::new(),
            folds: Vec::new(),
            exit: None,
            combines: false,
            tables: Vec::new(),
            setting,
            runs: Vec::new(),
            division: Division::default(),
            features: vec![["rank 1", "rank 2", "rank 3", "rank 4"][rank - 1]],
        };
        let is_star = random.chance(60);
        let mut draft = Self {
            random,
            program,
            reach: Vec::new(),
            is_star,
            coefficients: Vec::new(),
            element,
            rows: Vec::new(),
            totals: 0,
            further,
        };
        draft.reach = draft.draw_reach();
        if further.leans {
            draft.lean();
        }
        draft
    }

    fn draw(mut self) -> Program {
        self.draw_scalars();
        self.draw_coefficients();
        let idioms = if self.random.chance(25) { 2 } else { 1 };
        for _ in 0..idioms {
            let idiom = self.random.pick(idioms::IDIOMS);
            self.note(idiom.name);
            (idiom.add)(&mut self);
        }
        if self.further.leans {
            self.draw_outputs();
        }
        if idioms == 1 && is_timeless(&self.program) && self.random.chance(60) {
            self.note("no time loop");
            self.program.time = None;
        } else {
            self.draw_borders();
            self.draw_accumulator();
            self.draw_record();
            self.draw_source();
            self.draw_rules();
        }
        self.program.drop_unused();
        self.settle_extents();
        self.draw_runs();
        self.draw_tables();
        self.draw_ways();
        self.draw_folds();
        self.draw_follower();
        self.program
    }

    /// Lets another nest follow, where nothing remembers how often the first one has run; drawn last, so that all else is what it
    /// would be without.
    fn draw_follower(&mut self) {
        let is_plain = self.program.folds.is_empty() && self.program.exit.is_none();
        if is_plain && may_follow(&self.program) && self.random.chance(25) {
            let follows = self.random.pick(&[Follows::Another, Follows::AnotherInTurn]);
            let_follow(&mut self.program, follows);
        }
    }

    /// Lets rows be found through tables; drawn last, so that all else is what it would be without.
    fn draw_tables(&mut self) {
        let may_be_table = |field: &Field| field.form == Form::Rows && field.slots.min(2) + field.dims.len() > 2;
        let is_copied = self.program.items.iter().any(|item| matches!(item, Item::Copy { .. }));
        if is_copied || !self.program.fields.iter().any(may_be_table) || !self.random.chance(40) {
            return;
        }
        self.note("tables of rows");
        self.program.fields.iter_mut().filter(|field| may_be_table(field)).for_each(|field| field.form = Form::Tables);
    }

    /// Names something that was drawn.
    fn note(&mut self, feature: &'static str) {
        if !self.program.features.contains(&feature) {
            self.program.features.push(feature);
        }
    }

    fn draw_reach(&mut self) -> Vec<(i64, i64)> {
        let largest = match (self.program.rank, self.is_star) {
            (1, _) | (2, true) => 4,
            (2, false) | (3, true) => 2,
            _ => 1,
        };
        let symmetric = self.random.chance(60);
        let radius = self.random.within(0, largest);
        let one = |random: &mut Random| (random.within(0, largest), random.within(0, largest));
        let reach: Vec<_> =
            (0..self.program.rank).map(|_| if symmetric { (radius, radius) } else { one(self.random) }).collect();
        self.note(["radius 0", "radius 1", "radius 2", "radius 3", "radius 4"][radius as usize]);
        self.note(if symmetric { "symmetric" } else { "asymmetric" });
        self.note(if self.is_star { "star" } else { "box" });
        reach
    }

    fn draw_scalars(&mut self) {
        for _ in 0..self.random.within(0, 2) {
            let element = self.random.pick(&[Element::Double, Element::Float, Element::Int, Element::Char]);
            let scalar = Scalar { element, tenths: self.random.within(-30, 30), is_global: self.random.chance(30) };
            self.program.scalars.push(scalar);
        }
    }

    /// Fields that are only read, of any shape whose elements the reads of [`places`] reach.
    fn draw_coefficients(&mut self) {
        for _ in 0..self.random.pick(&[0, 0, 1, 2]) {
            let element = self.random.pick(&[Element::Double, Element::Float, Element::Char, Element::UnsignedChar]);
            let dims = self.coefficient_dims();
            let field = self.add_shaped_field(element, dims);
            self.coefficients.push(field);
        }
    }

    fn coefficient_dims(&mut self) -> Vec<Dim> {
        let mut axes: Vec<usize> = (0..self.program.rank).collect();
        let kind = self.random.within(0, 4);
        if kind == 4 {
            self.note("coefficient of each step");
            axes.retain(|_| self.random.chance(30));
            let axes = axes.into_iter().map(|axis| Dim { axis, scale: 1, extra: 0 });
            return [self.step_dim(0)].into_iter().chain(axes).collect();
        }
        if kind == 1 && axes.len() > 1 {
            self.note("coefficient of lower rank");
            axes.remove(self.random.within(0, axes.len() as i64 - 1) as usize);
        } else if kind == 2 && axes.len() > 1 {
            self.note("coefficient transposed");
            axes.reverse();
        } else {
            self.note("coefficient");
        }
        let scale = if kind == 3 { 2 } else { 1 };
        axes.into_iter().map(|axis| Dim { axis, scale, extra: 0 }).collect()
    }

    /// A field with one element a point.
    fn add_field(&mut self, element: Element) -> usize {
        let extra = if self.random.chance(15) { self.random.within(1, 3) } else { 0 };
        let dims = (0..self.program.rank).map(|axis| Dim { axis, scale: 1, extra }).collect();
        self.add_shaped_field(element, dims)
    }

    fn add_shaped_field(&mut self, element: Element, dims: Vec<Dim>) -> usize {
        let form =
            self.random.pick(&[Form::Flat, Form::Flat, Form::GlobalFlat, Form::Rows, Form::Variable, Form::Fixed]);
        let values = if self.random.chance(20) { Values::Special } else { Values::Noise };
        self.note(match form {
            Form::Flat => "flat pointer",
            Form::GlobalFlat => "global pointer",
            Form::Rows => "pointer to rows",
            Form::Tables => "tables of rows",
            Form::Variable => "array of variable length",
            Form::Fixed => "array of constant size",
        });
        self.note(element.names().0);
        if values == Values::Special {
            self.note("special values");
        }
        self.program.fields.push(Field { element, form, dims, slots: 1, values, packing: None });
        self.program.fields.len() - 1
    }

    /// Most fields have the program's element type.
    fn draw_field_element(&mut self) -> Element {
        if self.random.chance(80) { self.element } else { draw_element(self.random) }
    }

    /// A second field like `field`, with the same shape and type.
    fn add_twin(&mut self, field: usize) -> usize {
        let mut twin = self.program.fields[field].clone();
        if !twin.form.is_pointer() && self.random.chance(30) {
            twin.form = self.random.pick(&[Form::Flat, Form::Rows, Form::Variable]);
        }
        self.program.fields.push(twin);
        self.program.fields.len() - 1
    }

    /// Flat arrays do not show their sizes; where data decides what is read, the pragma must.
    fn settle_extents(&mut self) {
        let statements = || self.program.sweeps().flat_map(|sweep| &sweep.statements);
        let is_data = statements().any(values::reads_under_condition);
        if is_data || self.random.chance(10) {
            self.program.setting.states_extents = true;
            // Nothing says that `n` is at most the constant size of an array.
            let fixed = self.program.fields.iter_mut().filter(|field| is_data && field.form == Form::Fixed);
            fixed.for_each(|field| field.form = Form::Variable);
            self.note("extent clause");
        }
    }

    fn draw_runs(&mut self) {
        let usual = [23, 13, 8, 6][self.program.rank - 1];
        for kind in 0..3 {
            let (low, high) = match kind {
                0 => (usual, 2 * usual),
                1 => (1, 4),
                _ => (3, usual),
            };
            let sizes = (0..self.program.rank).map(|_| self.random.within(low, high)).collect();
            let steps = self.random.pick(&[0, 1, 2, 3, 4, 5, 7, 8, 9, 11]);
            let steps = if kind == 0 { steps.max(2) } else { steps };
            self.program.runs.push(Run { sizes, steps });
        }
        if self.program.rank == 3 && self.random.chance(40) {
            self.note("several tiles a row");
            let sizes = vec![self.random.within(3, 6), self.random.within(3, 30), self.random.within(40, 250)];
            self.program.runs.push(Run { sizes, steps: self.random.within(2, 5) });
        }
    }

    /// Appends a sweep.
    fn push_item(&mut self, item: Item) {
        self.program.items.push(item);
    }
}

/// Whether the program is one sweep in which the step has no part.
fn is_timeless(program: &Program) -> bool {
    matches!(program.items.as_slice(), [Item::Sweep(_)]) && !needs_step(&program.items)
}

fn needs_step(items: &[Item]) -> bool {
    let needs = Needs::of_items(items);
    needs.uses_step || needs.uses_turn
}

fn draw_setting(random: &mut Random) -> Setting {
    Setting {
        is_function: random.chance(60),
        index: random.pick(&[Index::Int, Index::Int, Index::Int, Index::Long, Index::Unsigned, Index::Size]),
        declares_before: random.chance(40),
        uses_loop_macro: random.chance(10),
        omits_braces: random.chance(50),
        states_extents: false,
        sizes: Sizes::Local,
        structure: None,
        wall_way: random.pick(&[WallWay::Direct, WallWay::Macro, WallWay::Temporary, WallWay::Table]),
        turn: random.pick(&[Turn::Step, Turn::Step, Turn::Step, Turn::Variable, Turn::Global]),
        uses_while: random.chance(8),
        uses_commas: random.chance(50),
        is_called_twice: false,
        follows: Follows::Nothing,
        quiet: Quiet::Neither,
    }
}

/// Whether nothing remembers how often a nest has run.
fn may_follow(program: &Program) -> bool {
    !program.setting.uses_while && program.setting.turn == Turn::Step && program.ruled_scalars().is_empty()
}

fn let_follow(program: &mut Program, follows: Follows) {
    program.setting.follows = follows;
    program.features.push("nests that follow");
}

fn draw_element(random: &mut Random) -> Element {
    if random.chance(60) {
        random.pick(&[Element::Double, Element::Double, Element::Float])
    } else {
        random.pick(&Element::ALL)
    }
}

fn draw_time(random: &mut Random) -> TimeForm {
    let forms = [
        TimeForm::Up,
        TimeForm::Up,
        TimeForm::Up,
        TimeForm::FromOne,
        TimeForm::Down,
        TimeForm::Twos,
        TimeForm::NotEqual,
    ];
    random.pick(&forms)
}
