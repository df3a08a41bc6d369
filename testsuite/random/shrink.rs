//! Makes a failing program smaller as long as it fails in the same way.

use std::time::{Duration, Instant};

use super::folds::{Exit, FoldPlace, Norm, Restart};
use super::model::{
    Assign, Base, Element, Expr, Field, Follows, Form, Index, Item, Program, Quiet, STEPS, Subscript, Sweep, TimeForm,
    Values,
};
use super::ways::{Division, GuardWay, Routine, Sizes, Turn, WallWay, Way};

/// After this time the smallest program found so far has to do.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// A way to make a program smaller: all its results. A new form of programs joins by an entry.
const REDUCTIONS: &[fn(&Program) -> Vec<Program>] = &[
    fewer_runs,
    fewer_items,
    fewer_folds,
    less_host_code,
    fewer_statements,
    fewer_axes,
    simpler_statements,
    simpler_values,
    simpler_folds,
    fewer_functions,
    simpler_functions,
    simpler_setting,
    simpler_fields,
    simpler_loops,
    simpler_references,
    smaller_runs,
];

/// The smallest program found for which `fails` still holds; `fails` is given valid programs or not.
pub fn shrink(program: &Program, mut fails: impl FnMut(&Program) -> bool) -> Program {
    let start = Instant::now();
    let mut best = program.clone();
    loop {
        let candidates = REDUCTIONS.iter().flat_map(|reduce| reduce(&best));
        let smaller = candidates
            .map(|mut candidate| {
                candidate.drop_unused();
                candidate
            })
            .take_while(|_| start.elapsed() < TIME_LIMIT)
            .find(|candidate| fails(candidate));
        match smaller {
            Some(smaller) => best = smaller,
            None => return best,
        }
    }
}

/// A copy of `program` with a change.
fn changed(program: &Program, change: impl FnOnce(&mut Program)) -> Program {
    let mut copy = program.clone();
    change(&mut copy);
    copy
}

fn fewer_runs(program: &Program) -> Vec<Program> {
    if program.runs.len() < 2 {
        return Vec::new();
    }
    (0..program.runs.len()).map(|run| changed(program, |copy| copy.runs = vec![program.runs[run].clone()])).collect()
}

fn fewer_items(program: &Program) -> Vec<Program> {
    if program.items.len() < 2 {
        return Vec::new();
    }
    let without = |item| changed(program, |copy| drop(copy.items.remove(item)));
    (0..program.items.len()).rev().map(without).collect()
}

fn fewer_folds(program: &Program) -> Vec<Program> {
    let count = if program.folds.len() > 1 { program.folds.len() } else { 0 };
    let mut results: Vec<Program> = (0..count).map(|fold| changed(program, |copy| copy.remove_fold(fold))).collect();
    if let Some(exit) = &program.exit {
        results.push(changed(program, |copy| copy.exit = None));
        let simpler = [
            Exit { norm: None, ..exit.clone() },
            Exit { norm: exit.norm.map(|norm| Norm { shown: None, ..norm }), ..exit.clone() },
            Exit { is_late: false, ..exit.clone() },
        ];
        let simpler = simpler.into_iter().filter(|it| it.norm != exit.norm || it.is_late != exit.is_late);
        results.extend(simpler.map(|it| changed(program, |copy| copy.exit = Some(it))));
    }
    results.extend(each_sweep(program, |sweep| {
        let count = if sweep.foldings.len() > 1 { sweep.foldings.len() } else { 0 };
        (0..count).map(|index| changed_sweep(sweep, |copy| drop(copy.foldings.remove(index)))).collect()
    }));
    results
}

fn simpler_folds(program: &Program) -> Vec<Program> {
    let mut results = Vec::new();
    for (index, fold) in program.folds.iter().enumerate() {
        if fold.place != FoldPlace::Local {
            results.push(changed(program, |copy| copy.folds[index].place = FoldPlace::Local));
        }
        if fold.finish.is_some() {
            results.push(changed(program, |copy| copy.folds[index].finish = None));
        }
        if fold.restart != Restart::Never {
            results.push(changed(program, |copy| copy.folds[index].restart = Restart::Never));
        }
    }
    results.extend(each_sweep(program, |sweep| {
        let mut results = Vec::new();
        if sweep.gives_fold {
            results.push(changed_sweep(sweep, |copy| copy.gives_fold = false));
        }
        for (index, folding) in sweep.foldings.iter().enumerate() {
            if folding.spelling != 0 {
                results.push(changed_sweep(sweep, |copy| copy.foldings[index].spelling = 0));
            }
            if folding.guard.is_some() {
                results.push(changed_sweep(sweep, |copy| copy.foldings[index].guard = None));
            }
        }
        results
    }));
    results
}

fn less_host_code(program: &Program) -> Vec<Program> {
    let count = if program.host.len() > 1 { program.host.len() } else { 0 };
    (0..count).map(|index| changed(program, |copy| drop(copy.host.remove(index)))).collect()
}

/// One program for each sweep of `program` and each of its results of `reduce`.
fn each_sweep(program: &Program, reduce: impl Fn(&Sweep) -> Vec<Sweep>) -> Vec<Program> {
    let mut results = Vec::new();
    for (index, item) in program.items.iter().enumerate() {
        let Item::Sweep(sweep) = item else { continue };
        for smaller in reduce(sweep) {
            results.push(changed(program, |copy| copy.items[index] = Item::Sweep(smaller)));
        }
    }
    results
}

fn changed_sweep(sweep: &Sweep, change: impl FnOnce(&mut Sweep)) -> Sweep {
    let mut copy = sweep.clone();
    change(&mut copy);
    copy
}

fn fewer_statements(program: &Program) -> Vec<Program> {
    each_sweep(program, |sweep| {
        let count = if sweep.statements.len() > 1 { sweep.statements.len() } else { 0 };
        (0..count).map(|index| changed_sweep(sweep, |copy| drop(copy.statements.remove(index)))).collect()
    })
}

/// Removes an axis altogether, unless it is the only one of a field.
fn fewer_axes(program: &Program) -> Vec<Program> {
    if program.rank < 2 {
        return Vec::new();
    }
    let is_needed = |axis| {
        let is_only = |field: &Field| field.dims.iter().all(|dim| dim.axis == axis || dim.axis == STEPS);
        program.fields.iter().any(|field| is_only(field) && field.dims.iter().any(|dim| dim.axis == axis))
    };
    let axes = (0..program.rank).filter(|axis| !is_needed(*axis));
    axes.map(|axis| changed(program, |copy| copy.remove_axis(axis))).collect()
}

impl Program {
    fn remove_axis(&mut self, removed: usize) {
        self.rank -= 1;
        let shift = |axis: &mut usize| *axis -= usize::from(*axis > removed && *axis != STEPS);
        self.change_references(&mut |reference| {
            reference.subscripts.retain(|subscript| subscript.axis != removed);
            reference.subscripts.iter_mut().for_each(|subscript| shift(&mut subscript.axis));
        });
        for field in &mut self.fields {
            field.dims.retain(|dim| dim.axis != removed);
            field.dims.iter_mut().for_each(|dim| shift(&mut dim.axis));
        }
        for run in &mut self.runs {
            run.sizes.remove(removed);
        }
        for value in self.values_mut() {
            value.change_expressions(&mut |expr| match expr {
                Expr::Place(axis) if *axis == removed => *expr = Expr::Integer(1),
                Expr::Place(axis) => shift(axis),
                Expr::Select(condition, ..) => condition.remove_axis(removed),
                _ => {}
            });
        }
        for item in &mut self.items {
            let Item::Sweep(sweep) = item else { continue };
            sweep.loops.retain(|space_loop| space_loop.axis != removed);
            sweep.loops.iter_mut().for_each(|space_loop| shift(&mut space_loop.axis));
            sweep.statements.iter_mut().flat_map(|statement| &mut statement.guard).for_each(|g| g.remove_axis(removed));
            sweep.foldings.iter_mut().flat_map(|folding| &mut folding.guard).for_each(|g| g.remove_axis(removed));
        }
    }
}

fn simpler_statements(program: &Program) -> Vec<Program> {
    each_sweep(program, |sweep| {
        let mut results = Vec::new();
        if sweep.step_guard.is_some() {
            results.push(changed_sweep(sweep, |copy| copy.step_guard = None));
        }
        for (index, statement) in sweep.statements.iter().enumerate() {
            if statement.otherwise.is_some() {
                results.push(changed_sweep(sweep, |copy| copy.statements[index].otherwise = None));
            }
            if statement.guard.is_some() {
                results.push(changed_sweep(sweep, |copy| {
                    copy.statements[index].guard = None;
                    copy.statements[index].otherwise = None;
                }));
            }
            if statement.way != Way::Direct {
                results.push(changed_sweep(sweep, |copy| copy.statements[index].way = Way::Direct));
            }
            if statement.guard_way != GuardWay::If {
                results.push(changed_sweep(sweep, |copy| copy.statements[index].guard_way = GuardWay::If));
            }
            if statement.assign != Assign::Set {
                results.push(changed_sweep(sweep, |copy| copy.statements[index].assign = Assign::Set));
            }
        }
        results
    })
}

/// Every expression replaced by each of its parts, and every leaf by a constant.
fn simpler_values(program: &Program) -> Vec<Program> {
    let mut results = Vec::new();
    for value in 0..program.clone().values_mut().count() {
        for place in 0.. {
            let Some(candidates) = replace_at(program, value, place) else { break };
            results.extend(candidates);
        }
    }
    results
}

/// What becomes of the expression number `place`, outer ones first, of a value; `None` behind the last one.
fn replace_at(program: &Program, value: usize, place: usize) -> Option<Vec<Program>> {
    let mut original = program.clone();
    let root = original.values_mut().nth(value)?;
    let parts: Vec<Expr> = {
        let node = nth_node(root, &mut place.clone())?;
        let parts: Vec<Expr> = node.parts_mut().into_iter().map(|part| part.clone()).collect();
        if parts.is_empty() && !matches!(node, Expr::Integer(_) | Expr::Real(_)) {
            vec![Expr::Integer(1)]
        } else {
            parts
        }
    };
    let replaced = parts.into_iter().map(|part| {
        changed(program, |copy| {
            let root = copy.values_mut().nth(value).expect("the same values");
            *nth_node(root, &mut place.clone()).expect("the same expressions") = part;
        })
    });
    Some(replaced.collect())
}

fn nth_node<'e>(expr: &'e mut Expr, place: &mut usize) -> Option<&'e mut Expr> {
    if *place == 0 {
        return Some(expr);
    }
    *place -= 1;
    expr.parts_mut().into_iter().find_map(|part| nth_node(part, place))
}

fn simpler_setting(program: &Program) -> Vec<Program> {
    let plain = [
        changed(program, |copy| copy.setting.is_function = false),
        changed(program, |copy| copy.setting.index = Index::Int),
        changed(program, |copy| copy.setting.declares_before = false),
        changed(program, |copy| copy.setting.uses_loop_macro = false),
        changed(program, |copy| copy.setting.omits_braces = true),
        changed(program, |copy| copy.setting.states_extents = false),
        changed(program, |copy| copy.setting.sizes = Sizes::Local),
        changed(program, |copy| copy.setting.structure = None),
        changed(program, |copy| copy.setting.wall_way = WallWay::Direct),
        changed(program, |copy| copy.setting.turn = Turn::Step),
        changed(program, |copy| copy.setting.uses_while = false),
        changed(program, |copy| copy.setting.uses_commas = false),
        changed(program, |copy| copy.setting.is_called_twice = false),
        changed(program, |copy| (copy.setting.follows, copy.setting.quiet) = (Follows::Nothing, Quiet::Neither)),
        changed(program, |copy| copy.setting.quiet = Quiet::Neither),
        changed(program, |copy| {
            copy.setting.follows =
                if copy.setting.follows == Follows::Nothing { Follows::Nothing } else { Follows::Another };
        }),
    ];
    let mut results: Vec<Program> = plain.into_iter().filter(|copy| copy.setting != program.setting).collect();
    if program.time.is_some_and(|form| form != TimeForm::Up) {
        results.push(changed(program, |copy| copy.time = Some(TimeForm::Up)));
    }
    results
}

/// Parts of a step in line.
fn fewer_functions(program: &Program) -> Vec<Program> {
    let mut results = each_sweep(program, |sweep| {
        sweep
            .routine
            .iter()
            .map(|_| changed_sweep(sweep, |copy| (copy.routine, copy.gives_fold) = (None, false)))
            .collect()
    });
    let Division { step, exchange } = program.division;
    results.extend(step.map(|_| changed(program, |copy| copy.division.step = None)));
    results.extend(exchange.map(|_| changed(program, |copy| copy.division.exchange = None)));
    results
}

/// All functions plain at once, then each by itself.
fn simpler_functions(program: &Program) -> Vec<Program> {
    let count = program.clone().routines_mut().count();
    let plain = changed(program, |copy| copy.routines_mut().for_each(|routine| *routine = Routine::PLAIN));
    let one = |number| changed(program, |copy| *copy.routines_mut().nth(number).expect("as many") = Routine::PLAIN);
    let results = std::iter::once(plain).chain((0..count).map(one));
    results.filter(|copy| format!("{copy:?}") != format!("{program:?}")).collect()
}

fn simpler_fields(program: &Program) -> Vec<Program> {
    let mut results = Vec::new();
    if program.fields.iter().any(|field| field.element != Element::Double) {
        results.push(changed(program, |copy| {
            copy.fields.iter_mut().for_each(|field| field.element = Element::Double);
        }));
    }
    for (index, field) in program.fields.iter().enumerate() {
        if field.element != Element::Double {
            results.push(changed(program, |copy| copy.fields[index].element = Element::Double));
        }
        if field.form != Form::Flat {
            results.push(changed(program, |copy| copy.fields[index].form = Form::Flat));
        }
        if field.packing.is_some() {
            results.push(changed(program, |copy| copy.fields[index].packing = None));
        }
        if field.values != Values::Noise {
            results.push(changed(program, |copy| copy.fields[index].values = Values::Noise));
        }
        if field.dims.iter().any(|dim| dim.extra != 0) {
            results.push(changed(program, |copy| copy.fields[index].dims.iter_mut().for_each(|dim| dim.extra = 0)));
        }
    }
    results
}

fn simpler_loops(program: &Program) -> Vec<Program> {
    each_sweep(program, |sweep| {
        let mut results = Vec::new();
        for (index, space_loop) in sweep.loops.iter().enumerate() {
            let mut simpler = Vec::new();
            if space_loop.spelling != 0 || space_loop.is_descending {
                simpler.push(super::model::Loop { spelling: 0, is_descending: false, ..*space_loop });
            }
            if space_loop.stride != 1 {
                simpler.push(super::model::Loop { stride: 1, ..*space_loop });
            }
            let mut plain = *space_loop;
            plain.low.base = Base::Zero;
            plain.high.base = Base::Size;
            plain.low.offset -= i64::from(plain.low.offset > 0);
            plain.high.offset += i64::from(plain.high.offset < 0);
            simpler.push(plain);
            let simpler = simpler.into_iter().filter(|simpler| simpler != space_loop);
            results.extend(simpler.map(|simpler| changed_sweep(sweep, |copy| copy.loops[index] = simpler)));
        }
        results
    })
}

/// Plain spellings everywhere, and offsets one by one nearer to zero.
fn simpler_references(program: &Program) -> Vec<Program> {
    let plain = changed(program, |copy| copy.change_references(&mut |reference| reference.spelling = 0));
    let mut results = vec![plain];
    let mut count = 0;
    program.clone().change_references(&mut |reference| count += reference.subscripts.len());
    for place in 0..count {
        let mut next = 0;
        let nearer = changed(program, |copy| {
            copy.change_references(&mut |reference| {
                for subscript in &mut reference.subscripts {
                    if next == place && *subscript != here(*subscript) {
                        subscript.offset -= subscript.offset.signum();
                    }
                    next += 1;
                }
            });
        });
        results.push(nearer);
    }
    let is_smaller = |copy: &Program| format!("{:?}", copy.items) != format!("{:?}", program.items);
    results.retain(is_smaller);
    results
}

/// The subscript without its offset; those at borders keep theirs.
fn here(subscript: Subscript) -> Subscript {
    if subscript.size == 0 && subscript.scale != 0 { Subscript { offset: 0, ..subscript } } else { subscript }
}

fn smaller_runs(program: &Program) -> Vec<Program> {
    let mut results = Vec::new();
    for (index, run) in program.runs.iter().enumerate() {
        for axis in 0..run.sizes.len() {
            let size = run.sizes[axis];
            for smaller in [size / 2, size - 1] {
                if smaller > 0 && smaller < size {
                    results.push(changed(program, |copy| copy.runs[index].sizes[axis] = smaller));
                }
            }
        }
        for smaller in [1, run.steps - 1] {
            if smaller > 0 && smaller < run.steps {
                results.push(changed(program, |copy| copy.runs[index].steps = smaller));
            }
        }
    }
    results
}
