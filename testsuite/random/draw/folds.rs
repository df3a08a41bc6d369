//! Scalars that steps fold over points, and what looks at them.

use super::super::folds::{
    Exit, ExitPlace, Finish, Fold, FoldKind, FoldPlace, Folding, Norm, NormKind, NormPlace, Restart,
};
use super::super::model::{Condition, Element, Expr, Host, HostCode, Item, Program, Reference, Sweep};
use super::super::needs::condition_uses_step;
use super::values::{binary, call, reads_under_condition};
use super::{Draft, Random, host};

/// Of so many programs of 100 steps fold something.
const FOLDING: u32 = 25;

const REAL_KINDS: &[FoldKind] = &[
    FoldKind::Sum,
    FoldKind::Sum,
    FoldKind::Difference,
    FoldKind::Most,
    FoldKind::Most,
    FoldKind::Least,
    FoldKind::Place,
    FoldKind::Last,
    FoldKind::Mixed,
    FoldKind::Rows,
];

const INTEGER_KINDS: &[FoldKind] = &[
    FoldKind::Sum,
    FoldKind::Difference,
    FoldKind::Most,
    FoldKind::Least,
    FoldKind::Place,
    FoldKind::Count,
    FoldKind::Count,
    FoldKind::Any,
    FoldKind::All,
    FoldKind::Last,
    FoldKind::Mixed,
    FoldKind::Bits,
    FoldKind::Rows,
];

const LIMITS: &[&str] = &["0", "1e-6", "0.01", "0.2", "0.5", "1.5", "7", "60", "1000"];

impl Draft<'_> {
    /// Folds, drawn last, so that all else is what it would be without.
    pub fn draw_folds(&mut self) {
        let is_wanted = self.further.tells || self.further.feeds || self.random.chance(FOLDING);
        if !is_wanted || self.sources().is_empty() {
            return;
        }
        self.note("folds");
        for _ in 0..self.random.pick(&[1, 1, 1, 2, 2, 3]) {
            self.draw_fold();
        }
        self.draw_results();
        self.program.combines = self.random.chance(60);
        self.program.setting.is_called_twice = self.program.setting.is_function && self.random.chance(25);
        if self.program.setting.is_called_twice {
            self.note("nest called twice");
        }
        if self.program.can_be_recorded() && self.random.chance(if self.further.tells { 80 } else { 40 }) {
            self.draw_exit();
        }
        if self.further.tells {
            self.draw_telling();
        }
        if self.further.feeds {
            self.feed_statements();
        }
    }

    /// The sweeps whose points may be folded.
    fn sources(&self) -> Vec<usize> {
        let may_fold = |item: &Item| match item {
            Item::Sweep(sweep) => {
                !sweep.loops.is_empty() && sweep.step_guard.is_none() && !references(sweep).is_empty()
            }
            _ => false,
        };
        (0..self.program.items.len()).filter(|item| may_fold(&self.program.items[*item])).collect()
    }

    fn draw_fold(&mut self) {
        let is_real = self.random.chance(60);
        let kind = self.random.pick(if is_real { REAL_KINDS } else { INTEGER_KINDS });
        let element = self.fold_element(is_real);
        let fold = self.program.folds.len();
        let fold_of = Fold {
            element,
            kind,
            initial: self.initial(kind, element),
            restart: self.restart(),
            place: self.fold_place(),
            finish: self.finish(kind, element),
        };
        self.program.folds.push(fold_of);
        self.note(feature(kind));
        let count = if self.random.chance(15) { 2 } else { 1 };
        for _ in 0..count {
            let source = self.random.pick(&self.sources());
            let has_own_loop = self.program.time.is_some() && self.random.chance(45);
            if has_own_loop { self.fold_in_own_loop(fold, source) } else { self.fold_beside(fold, source) }
        }
    }

    fn fold_element(&mut self, is_real: bool) -> Element {
        use Element::{Double, Float, Int, Long, Short, Unsigned, UnsignedChar, UnsignedLong};
        let reals = [Double, Double, Float];
        let integers = [Int, Int, Int, Long, Unsigned, UnsignedLong, Short, UnsignedChar];
        self.random.pick(if is_real { &reals } else { &integers })
    }

    fn initial(&mut self, kind: FoldKind, element: Element) -> &'static str {
        if element.is_real() && self.random.chance(8) {
            self.note("fold: begins with NaN");
            return self.random.pick(&["0.0 / 0.0", "NAN"]);
        }
        let reals: &[&str] = match kind {
            FoldKind::Most | FoldKind::Place => &["-1e30", "0", "-0.0", "-INFINITY", "0.25"],
            FoldKind::Least => &["1e30", "0", "-0.0", "INFINITY", "-0.25"],
            _ => &["0", "0.0", "-0.0", "1", "-2.5"],
        };
        let integers: &[&str] = match kind {
            FoldKind::Most | FoldKind::Place => &["-100", "0", "-1"],
            FoldKind::Least => &["200", "0", "100"],
            FoldKind::All => &["1", "1", "3"],
            _ => &["0", "0", "1", "-1"],
        };
        self.random.pick(if element.is_real() { reals } else { integers })
    }

    fn restart(&mut self) -> Restart {
        match self.random.within(0, 9) {
            _ if self.program.time.is_none() => Restart::Never,
            0..=2 => Restart::Never,
            3..=6 => Restart::First,
            _ => Restart::Beside,
        }
    }

    fn fold_place(&mut self) -> FoldPlace {
        let setting = self.program.setting;
        match self.random.within(0, 19) {
            0 | 1 => FoldPlace::Global,
            2 | 3 if setting.is_function => FoldPlace::Pointer,
            4 | 5 if setting.structure.is_some_and(|structure| structure.by_pointer) => FoldPlace::Member,
            _ => FoldPlace::Local,
        }
    }

    fn finish(&mut self, kind: FoldKind, element: Element) -> Option<Finish> {
        let may_finish = element.is_real() && kind == FoldKind::Sum && self.program.time.is_some();
        (may_finish && self.random.chance(30)).then(|| self.random.pick(&[Finish::Root, Finish::Mean, Finish::Scaled]))
    }

    /// In the sweep's own loops.
    fn fold_beside(&mut self, fold: usize, source: usize) {
        let Item::Sweep(sweep) = &self.program.items[source] else { return };
        let (references, axes) = (references(sweep), axes_of(sweep));
        let folding = self.folding(fold, &references, &axes, true);
        let is_rows = self.program.folds[fold].kind == FoldKind::Rows;
        let kinds: Vec<FoldKind> = self.program.folds.iter().map(|it| it.kind).collect();
        let Item::Sweep(sweep) = &mut self.program.items[source] else { return };
        // One sum of rows a sweep has a name.
        let has_rows = sweep.foldings.iter().any(|it| kinds[it.fold] == FoldKind::Rows);
        if !is_rows || !has_rows {
            sweep.foldings.push(folding);
        }
    }

    /// In loops of its own, over the same points or over all.
    fn fold_in_own_loop(&mut self, fold: usize, source: usize) {
        self.note("fold: loop of its own");
        let Item::Sweep(sweep) = &self.program.items[source] else { return };
        let (mut loops, mut reads) = (sweep.loops.clone(), references(sweep));
        if self.random.chance(30) {
            let fields = self.program.fields.iter();
            let is_whole = |(_, field): &(usize, &super::Field)| field.slots == 1 && !field.has_steps();
            let whole: Vec<usize> = fields.enumerate().filter(is_whole).map(|(field, _)| field).collect();
            if !whole.is_empty() {
                loops = self.everywhere();
                reads = vec![self.here(whole[0]), self.here(whole[whole.len() - 1])];
            }
        }
        let mut sweep = Sweep::new(loops, Vec::new());
        let folding = self.folding(fold, &reads, &axes_of(&sweep), false);
        sweep.foldings.push(folding);
        sweep.routine = self.random.chance(30).then(|| self.draw_routine());
        let place = match self.random.within(0, 3) {
            0 => source,
            1 => self.program.items.len(),
            _ => source + 1,
        };
        self.program.items.insert(place, Item::Sweep(sweep));
    }

    fn folding(&mut self, fold: usize, reads: &[Reference], axes: &[usize], may_choose: bool) -> Folding {
        let Fold { element, kind, .. } = self.program.folds[fold];
        let (one, other) = (self.random.pick(reads), self.random.pick(reads));
        let value =
            if element.is_real() { self.real_value(one.clone(), other, axes) } else { self.whole_value(&one, axes) };
        let needs_guard = matches!(kind, FoldKind::Count | FoldKind::Any | FoldKind::All);
        let guard = match () {
            () if needs_guard => Some(self.fold_condition(&one, axes)),
            () if may_choose && self.random.chance(20) => self.condition_on(&one, axes),
            () => None,
        };
        Folding { fold, value, guard, is_first: self.random.chance(25), spelling: self.random.spelling() }
    }

    /// A condition on the value of a point, or, now and then, on the point.
    fn fold_condition(&mut self, one: &Reference, axes: &[usize]) -> Condition {
        if self.random.chance(15)
            && let Some(condition) = self.condition_on(one, axes)
        {
            return condition;
        }
        let op = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let limit = if self.is_real(one) { Expr::Real(self.random.within(-4, 4)) } else { Expr::Integer(5) };
        Condition::Data(Expr::Read(one.clone()), op, limit)
    }

    /// Any condition, if it is on places along these axes, and on steps only where there are some.
    fn condition_on(&mut self, one: &Reference, axes: &[usize]) -> Option<Condition> {
        let condition = self.condition(std::slice::from_ref(one));
        let is_known = self.program.time.is_some() || !condition_uses_step(&condition);
        (is_known && condition.axes().iter().all(|axis| axes.contains(axis))).then_some(condition)
    }

    fn is_real(&self, reference: &Reference) -> bool {
        self.program.fields[reference.field].element.is_real()
    }

    fn real_value(&mut self, one: Reference, other: Reference, axes: &[usize]) -> Expr {
        let read = |reference: Reference, is_real| match is_real {
            true => Expr::Read(reference),
            false => Expr::Cast(Element::Double, Box::new(Expr::Read(reference))),
        };
        let (a, b) = (read(one.clone(), self.is_real(&one)), read(other.clone(), self.is_real(&other)));
        let difference = || binary("-", a.clone(), b.clone());
        match self.random.within(0, 13) {
            0..=2 => call("fabs", vec![difference()]),
            3 | 4 => binary("*", difference(), difference()),
            5 => binary("*", a.clone(), a),
            6 => binary("*", Expr::Place(self.random.pick(axes)), a),
            7 if self.is_real(&one) => {
                self.note("fold: zeros of both signs");
                binary("*", Expr::Real(0), a)
            }
            8 => {
                self.note("fold: quotients");
                binary("/", a, binary("+", b, Expr::Real(0)))
            }
            9 => call("sqrt", vec![call("fabs", vec![a])]),
            10 if self.program.time.is_some() => binary("*", a, Expr::Step),
            // Which of two zeros `fmin` gives nobody says.
            11 => call("fmin", vec![binary("+", a, Expr::Real(0)), binary("+", b, Expr::Real(0))]),
            12 => Expr::Negate(Box::new(a)),
            _ => a,
        }
    }

    /// A small integer.
    fn whole_value(&mut self, one: &Reference, axes: &[usize]) -> Expr {
        let term = if self.is_real(one) {
            let sum = binary("*", Expr::Real(70), Expr::Read(one.clone()));
            Expr::Cast(Element::Int, Box::new(super::values::clamp(sum)))
        } else {
            Expr::Read(one.clone())
        };
        match self.random.within(0, 3) {
            0 => binary("+", binary("%", term, Expr::Integer(97)), Expr::Place(self.random.pick(axes))),
            1 => binary("&", binary("%", term, Expr::Integer(1000)), Expr::Integer(63)),
            _ => binary("%", term, Expr::Integer(97)),
        }
    }

    /// Functions of loops that give what they fold as their results.
    fn draw_results(&mut self) {
        for item in 0..self.program.items.len() {
            let chance = self.random.chance(40);
            let Item::Sweep(sweep) = &self.program.items[item] else { continue };
            let is_plain = |it: &Folding| self.program.folds[it.fold].kind != FoldKind::Place;
            let can_give = sweep.routine.is_some() && sweep.foldings.len() == 1 && sweep.foldings.iter().all(is_plain);
            if !can_give || !chance || self.program.time.is_none() {
                continue;
            }
            self.note("fold: result of a function");
            if let Item::Sweep(sweep) = &mut self.program.items[item] {
                sweep.gives_fold = true;
            }
        }
    }

    fn draw_exit(&mut self) {
        let given: Vec<usize> =
            self.program.sweeps().filter(|sweep| sweep.gives_fold).map(|sweep| sweep.foldings[0].fold).collect();
        let any: Vec<usize> = (0..self.program.folds.len()).collect();
        let prefers_given = self.random.chance(70);
        let fold = self.random.pick(if prefers_given && !given.is_empty() { &given } else { &any });
        let places = [
            (ExitPlace::Head, "exit: head of the loop"),
            (ExitPlace::HeadFirst, "exit: head of the loop"),
            (ExitPlace::Do, "exit: do"),
            (ExitPlace::Break, "exit: break"),
            (ExitPlace::Break, "exit: break"),
            (ExitPlace::Return, "exit: return"),
        ];
        let (place, name) = self.random.pick(&places);
        let place =
            if place == ExitPlace::Return && !self.program.setting.is_function { ExitPlace::Break } else { place };
        self.note(name);
        let op = self.random.pick(&[">", ">", ">=", "<", "<=", "!="]);
        let limit = self.random.pick(LIMITS);
        let (is_negated, calls) = (self.random.chance(40), self.random.chance(60));
        let (behind, norm, is_late) = (usize::MAX, None, false);
        self.program.exit = Some(Exit { fold, place, op, limit, is_negated, calls, behind, norm, is_late });
        if calls && Exit::called(&self.program).is_none() && place == ExitPlace::Head {
            self.program.exit.iter_mut().for_each(|exit| exit.place = ExitPlace::Break);
        }
        if Exit::called(&self.program).is_some() {
            self.note("exit: step in the condition");
        }
        let (least, more) = (i64::from(place == ExitPlace::Do), host::MORE_STEPS);
        self.program.runs.iter_mut().for_each(|run| run.steps = (run.steps * more).max(least));
    }

    /// Lets the host look at folds within the step.
    fn draw_telling(&mut self) {
        self.program.division.step = None;
        let count = self.program.items.len() as i64;
        if count < 2 {
            return;
        }
        let place = self.random.pick(&[ExitPlace::Break, ExitPlace::Break, ExitPlace::Return]);
        let place = if self.program.setting.is_function { place } else { ExitPlace::Break };
        let calls = self.random.chance(15);
        let behind = self.place_behind_fold();
        let norm = self.random.chance(70).then(|| self.draw_norm());
        let is_late = self.random.chance(25);
        if let Some(exit) = &mut self.program.exit {
            *exit = Exit { place, calls, behind, norm, is_late, ..exit.clone() };
            self.note("told: exit");
        }
        if let Some(name) = self.program.exit.as_ref().and(norm).map(|norm| norm_feature(norm.kind)) {
            self.note(name);
        }
        for _ in 0..self.random.pick(&[0, 0, 1, 1, 2]) {
            let code = draw_look(&self.program, self.random);
            let kind = match code.kind {
                Host::Restart { fold } | Host::Gather { fold } if self.random.chance(60) => Host::Note { fold },
                kind => kind,
            };
            let behind = self.place_behind_fold();
            self.note(if matches!(kind, Host::Note { .. }) { "told: kept in an array" } else { "told: host looks" });
            self.program.host.push(HostCode { kind, behind, ..code });
        }
    }

    /// The place within a step behind something that it folds.
    fn place_behind_fold(&mut self) -> usize {
        let last = self.program.items.len() - 1;
        let folds = |item: &Item| matches!(item, Item::Sweep(sweep) if !sweep.foldings.is_empty());
        let first = self.program.items.iter().position(folds).unwrap_or(0);
        let usual = (first + 1).min(last);
        if self.random.chance(60) { usual } else { self.random.within(1, last as i64) as usize }
    }

    fn draw_norm(&mut self) -> Norm {
        let kinds = [
            NormKind::Root,
            NormKind::RootMean,
            NormKind::RootMean,
            NormKind::Mean,
            NormKind::Absolute,
            NormKind::Scaled,
            NormKind::Logarithm,
            NormKind::Ratio,
            NormKind::Change,
        ];
        let places = [
            NormPlace::Condition,
            NormPlace::Condition,
            NormPlace::Fold,
            NormPlace::Step,
            NormPlace::Step,
            NormPlace::Outside,
            NormPlace::Outside,
        ];
        let (kind, place, every) = (self.random.pick(&kinds), self.random.pick(&places), self.random.within(1, 6));
        let shown = self.random.chance(50).then(|| (every, self.random.within(0, every - 1), self.random.chance(50)));
        Norm { kind, place, shown }
    }
}

fn norm_feature(kind: NormKind) -> &'static str {
    match kind {
        NormKind::Root => "told: root",
        NormKind::RootMean => "told: root of a mean",
        NormKind::Mean => "told: mean",
        NormKind::Absolute => "told: absolute value",
        NormKind::Scaled => "told: scaled",
        NormKind::Logarithm => "told: logarithm",
        NormKind::Ratio => "told: ratio to the step before",
        NormKind::Change => "told: change since the step before",
    }
}

/// What the host does with a fold: it prints it, adds it up, or computes a scalar of the next steps with it.
pub fn draw_look(program: &Program, random: &mut Random) -> HostCode {
    let fold = random.within(0, program.folds.len() as i64 - 1) as usize;
    let kind = match (random.within(0, 9), program.scalars.len()) {
        (0..=3, _) => Host::Look { fold },
        (4, _) => Host::Restart { fold },
        (9, scalars @ 1..) => Host::Feed { fold, scalar: random.within(0, scalars as i64 - 1) as usize },
        _ => Host::Gather { fold },
    };
    let every = if random.chance(40) { 1 } else { random.within(2, 9) };
    HostCode {
        kind,
        every,
        phase: random.within(0, every - 1),
        behind: if random.chance(20) { 0 } else { usize::MAX },
        spelling: 0,
    }
}

fn axes_of(sweep: &Sweep) -> Vec<usize> {
    sweep.loops.iter().map(|it| it.axis).collect()
}

/// The elements that a sweep touches at all of its points.
fn references(sweep: &Sweep) -> Vec<Reference> {
    let certain = sweep.statements.iter().filter(|it| it.guard.is_none() && !reads_under_condition(it));
    certain.flat_map(|it| it.value.reads().into_iter().chain([&it.target]).cloned()).collect()
}

fn feature(kind: FoldKind) -> &'static str {
    match kind {
        FoldKind::Sum => "fold: sum",
        FoldKind::Difference => "fold: difference",
        FoldKind::Most => "fold: largest",
        FoldKind::Least => "fold: least",
        FoldKind::Place => "fold: place of the largest",
        FoldKind::Count => "fold: count",
        FoldKind::Any => "fold: any",
        FoldKind::All => "fold: all",
        FoldKind::Last => "fold: last",
        FoldKind::Mixed => "fold: in order",
        FoldKind::Bits => "fold: bits",
        FoldKind::Rows => "fold: rows",
    }
}
