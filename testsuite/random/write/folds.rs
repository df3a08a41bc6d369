//! Scalars that are folded over points: declared, begun, folded, finished and looked at.

use super::super::folds::{Exit, ExitPlace, Finish, Fold, FoldKind, FoldPlace, Folding, Restart};
use super::super::model::{Element, Item, Program, Sweep, TimeForm};
use super::super::needs::Needs;
use super::super::ways::Routine;
use super::PLACES;
use super::expr::{write_condition, write_expr};
use super::routines::{self, Parameter, Purpose};
use super::scope::Scope;
use super::text::Text;

/// A variable of a fold: what it holds, or a place of it.
pub struct FoldVariable {
    pub name: String,
    pub kind: &'static str,
    pub initial: String,
}

/// The variables of a fold.
pub fn variables(program: &Program, fold: usize) -> Vec<FoldVariable> {
    let Fold { element, kind, initial, .. } = program.folds[fold];
    let own = FoldVariable { name: format!("fold{fold}"), kind: element.names().0, initial: initial.to_string() };
    let place = |axis: usize| FoldVariable {
        name: format!("fold{fold}_{}", PLACES[axis]),
        kind: "int",
        initial: format!("-{}", axis + 1),
    };
    let places = if kind == FoldKind::Place { 0..program.rank } else { 0..0 };
    std::iter::once(own).chain(places.map(place)).collect()
}

/// All variables of folds that are at a place.
pub fn variables_at(program: &Program, place: FoldPlace) -> Vec<FoldVariable> {
    let is_there = |fold: &usize| program.folds[*fold].place == place;
    (0..program.folds.len()).filter(is_there).flat_map(|fold| variables(program, fold)).collect()
}

/// Declares those that are at a place, with their values.
pub fn declare_folds(text: &mut Text, program: &Program, place: FoldPlace) {
    for FoldVariable { name, kind, initial } in variables_at(program, place) {
        text.line(format!("{kind} {name} = {initial};"));
    }
}

/// Values of those that are members.
pub fn set_members(text: &mut Text, main: &Scope) {
    for FoldVariable { name, initial, .. } in variables_at(main.program, FoldPlace::Member) {
        text.line(format!("grid.{name} = {initial};"));
    }
}

/// Prints what folds at a place hold.
pub fn show_folds(text: &mut Text, scope: &Scope, is_there: impl Fn(FoldPlace) -> bool) {
    for fold in 0..scope.program.folds.len() {
        if is_there(scope.program.folds[fold].place) {
            show_fold(text, scope, fold);
        }
    }
}

/// Any NaN is as good as any other.
pub fn show_fold(text: &mut Text, scope: &Scope, fold: usize) {
    for (number, FoldVariable { name, .. }) in variables(scope.program, fold).into_iter().enumerate() {
        let value = scope.fold_variable(fold, &name);
        let is_real = number == 0 && scope.program.folds[fold].element.is_real();
        text.line(match is_real {
            true => format!("printf(\"{name} %a\\n\", {value} != {value} ? 0.5 : (double){value});"),
            false => format!("printf(\"{name} %ld\\n\", (long){value});"),
        });
    }
}

/// The parameters of the function of the nest by which it gets pointers, and what is passed for them.
pub fn pointer_parameters(program: &Program) -> Vec<Parameter> {
    let pointer = |variable: FoldVariable| Parameter {
        declaration: format!("{} *{}", variable.kind, variable.name),
        argument: format!("&{}", variable.name),
        name: variable.name,
    };
    variables_at(program, FoldPlace::Pointer).into_iter().map(pointer).collect()
}

/// What a function of a part of a step gets to fold these.
pub fn fold_parameters(outer: &Scope, folds: &[usize]) -> Vec<Parameter> {
    let program = outer.program;
    let is_passed = |fold: &&usize| matches!(program.folds[**fold].place, FoldPlace::Local | FoldPlace::Pointer);
    let mut parameters = Vec::new();
    for fold in folds.iter().filter(is_passed) {
        parameters.extend(variables(program, *fold).into_iter().map(|FoldVariable { name, kind, .. }| Parameter {
            declaration: format!("{kind} *{name}"),
            argument: if outer.has_fold_pointer(*fold) { name.clone() } else { format!("&{name}") },
            name,
        }));
    }
    parameters
}

/// What begins anew before an item of a step.
pub fn write_restarts(text: &mut Text, scope: &Scope, items: &[Item], index: usize) {
    for (fold, of) in scope.program.folds.iter().enumerate() {
        let begins = match of.restart {
            Restart::Never => false,
            Restart::First => index == 0 && items.iter().any(|item| folds_in(item, fold)),
            Restart::Beside => items.iter().position(|item| folds_in(item, fold)) == Some(index),
        };
        if begins {
            text.line(format!("{} = {};", scope.fold(fold), of.initial));
        }
    }
}

/// What becomes of folds behind the last item of a step that folds them.
pub fn write_finishes(text: &mut Text, scope: &Scope, items: &[Item], index: usize) {
    for (fold, of) in scope.program.folds.iter().enumerate() {
        let is_last = items.iter().rposition(|item| folds_in(item, fold)) == Some(index);
        let Some(finish) = of.finish.filter(|_| is_last) else { continue };
        let name = scope.fold(fold);
        text.line(match finish {
            Finish::Root => format!("{name} = sqrt({name});"),
            Finish::Mean => format!("{name} /= {};", scope.size(0)),
            Finish::Scaled => format!("{name} = 0.25 * {name} + 1;"),
        });
    }
}

fn folds_in(item: &Item, fold: usize) -> bool {
    matches!(item, Item::Sweep(sweep) if sweep.foldings.iter().any(|it| it.fold == fold))
}

/// The sum of a row before the innermost loop.
pub fn write_row_start(text: &mut Text, scope: &Scope, sweep: &Sweep) {
    if let Some((_, fold)) = rows_of(scope.program, sweep) {
        text.line(format!("{} row = 0;", scope.program.folds[fold].element.names().0));
    }
}

/// What becomes of it behind that loop.
pub fn write_row_end(text: &mut Text, scope: &Scope, sweep: &Sweep) {
    let Some((folding, fold)) = rows_of(scope.program, sweep) else { return };
    let (name, is_real) = (scope.fold(fold), scope.program.folds[fold].element.is_real());
    let outer = PLACES[sweep.loops[0].axis];
    text.line(match folding.spelling % 4 {
        1 if is_real => format!("{name} += row * {outer};"),
        2 if has_one_zero(scope, &scope.program.folds[fold]) => format!("{name} = fmax({name}, row);"),
        3 => format!("if (row > {name}) {name} = row;"),
        _ => format!("{name} += row;"),
    });
}

/// The fold of a sweep that is of sums of rows; where there is one loop, the row is a point.
fn rows_of<'s>(program: &Program, sweep: &'s Sweep) -> Option<(&'s Folding, usize)> {
    let is_rows = |it: &&Folding| program.folds[it.fold].kind == FoldKind::Rows && sweep.loops.len() > 1;
    sweep.foldings.iter().find(is_rows).map(|folding| (folding, folding.fold))
}

/// What a point does to folds before or behind the statements of a sweep.
pub fn write_foldings(text: &mut Text, scope: &Scope, sweep: &Sweep, is_first: bool) {
    for (index, folding) in sweep.foldings.iter().enumerate().filter(|(_, it)| it.is_first == is_first) {
        write_folding(text, scope, sweep, folding, index);
    }
}

fn write_folding(text: &mut Text, scope: &Scope, sweep: &Sweep, folding: &Folding, index: usize) {
    let Fold { kind, element, .. } = scope.program.folds[folding.fold];
    let name = scope.fold(folding.fold);
    let condition = folding.guard.as_ref().map(|guard| write_condition(scope, guard));
    let is_condition = matches!(kind, FoldKind::Count | FoldKind::Any | FoldKind::All);
    if let Some(condition) = condition.as_ref().filter(|_| is_condition) {
        return text.line(write_counting(kind, &name, condition, folding.spelling));
    }
    if let Some(condition) = &condition {
        text.open(format!("if ({condition})"));
    }
    let value = write_expr(scope, &folding.value);
    let value = if folding.spelling % 3 == 1 {
        text.line(format!("{} given{index} = {value};", point_type(element, folding.spelling)));
        format!("given{index}")
    } else {
        format!("({value})")
    };
    match kind {
        FoldKind::Place => write_place(text, scope, sweep, folding, &value),
        FoldKind::Rows if sweep.loops.len() > 1 => text.line(format!("row += {value};")),
        FoldKind::Most | FoldKind::Least => write_extreme(text, scope, folding, &value),
        _ => text.line(write_sum(kind, element, &name, &value, folding.spelling)),
    }
    if condition.is_some() {
        text.close();
    }
}

/// Values are doubles, and so are variables that hold them, but for floats of some folds.
fn point_type(element: Element, spelling: u8) -> &'static str {
    match element {
        Element::Float if spelling.is_multiple_of(2) => "float",
        _ if element.is_real() => "double",
        _ => "long",
    }
}

fn write_counting(kind: FoldKind, name: &str, condition: &str, spelling: u8) -> String {
    match (kind, spelling % 5) {
        (FoldKind::Count, 1) => format!("{name} += {condition};"),
        (FoldKind::Count, 2) => format!("{name} += ({condition}) ? 3 : 0;"),
        (FoldKind::Count, 3) => format!("{name} = ({condition}) ? {name} + 1 : {name};"),
        (FoldKind::Count, 4) => format!("if ({condition}) {name} -= 2; else {name}++;"),
        (FoldKind::Count, _) => format!("if ({condition}) {name}++;"),
        (FoldKind::Any, 1) => format!("{name} = {name} || ({condition});"),
        (FoldKind::Any, 2) => format!("{name} |= ({condition});"),
        (FoldKind::Any, 3) => format!("{name} = ({condition}) ? 1 : {name};"),
        (FoldKind::Any, 4) => format!("if ({condition}) {name} = 7;"),
        (FoldKind::Any, _) => format!("if ({condition}) {name} = 1;"),
        (_, 1) => format!("{name} = {name} && ({condition});"),
        (_, 2) => format!("{name} &= ({condition});"),
        (_, 3) => format!("{name} = ({condition}) ? {name} : 0;"),
        _ => format!("if (!({condition})) {name} = 0;"),
    }
}

fn write_sum(kind: FoldKind, element: Element, name: &str, value: &str, spelling: u8) -> String {
    let choice = spelling / 3 % 4;
    match (kind, choice) {
        (FoldKind::Sum, 1) => format!("{name} = {name} + {value};"),
        (FoldKind::Sum, 2) => format!("{name} = {value} + {name};"),
        (FoldKind::Difference, 1) => format!("{name} = {name} - {value};"),
        (FoldKind::Difference, _) => format!("{name} -= {value};"),
        (FoldKind::Last, _) => format!("{name} = {value};"),
        (FoldKind::Bits, 1) => format!("{name} |= {value};"),
        (FoldKind::Bits, 2) => format!("{name} &= {value};"),
        (FoldKind::Bits, _) => format!("{name} ^= {value};"),
        (FoldKind::Mixed, _) if !element.is_real() => format!("{name} = (3 * {name} + {value}) % 101;"),
        (FoldKind::Mixed, 1) => format!("{name} = {value} - {name};"),
        (FoldKind::Mixed, 2) => format!("{name} *= {value};"),
        (FoldKind::Mixed, _) => format!("{name} = 0.5 * {name} + {value};"),
        _ => format!("{name} += {value};"),
    }
}

/// Which of two zeros `fmax` gives nobody says: compilers exchange its arguments. Zero is added for that; GCC leaves that out where it
/// is added to an integer that has become real and been negated, which may be -0.
fn has_one_zero(scope: &Scope, fold: &Fold) -> bool {
    let has_integers = scope.program.fields.iter().any(|field| !field.element.is_real());
    fold.element.is_real() && fold.initial != "-0.0" && !has_integers
}

/// `if (x > m) m = x;` in one of its ways.
fn write_extreme(text: &mut Text, scope: &Scope, folding: &Folding, value: &str) {
    let fold = &scope.program.folds[folding.fold];
    let (kind, element) = (fold.kind, fold.element);
    let (name, is_most) = (scope.fold(folding.fold), kind == FoldKind::Most);
    let (more, less) = if is_most { (">", "<") } else { ("<", ">") };
    let function = if is_most { "fmax" } else { "fmin" };
    let suffix = if element == Element::Float && folding.spelling.is_multiple_of(2) { "f" } else { "" };
    text.line(match folding.spelling / 3 % 9 {
        0 | 1 if has_one_zero(scope, fold) => format!("{name} = {function}{suffix}({name}, {value} + 0);"),
        2 if has_one_zero(scope, fold) => format!("{name} = {function}{suffix}({value} + 0, {name});"),
        3 => format!("{name} = {value} {more} {name} ? {value} : {name};"),
        4 => format!("{name} = {name} {more} {value} ? {name} : {value};"),
        5 => format!("if ({name} {less} {value}) {name} = {value};"),
        6 => format!("if ({value} {more}= {name}) {name} = {value};"),
        7 => format!("{name} = {};", write_choosing(scope, folding, value, more)),
        _ => format!("if ({value} {more} {name}) {name} = {value};"),
    });
}

/// `further(fold0, x)`, a function of the program's own.
fn write_choosing(scope: &Scope, folding: &Folding, value: &str, more: &str) -> String {
    let kind = scope.program.folds[folding.fold].element.names().0;
    let parameter = |name: &str, argument: &str| Parameter {
        name: name.to_string(),
        declaration: format!("{kind} {name}"),
        argument: argument.to_string(),
    };
    let extra = vec![parameter("one", &scope.fold(folding.fold)), parameter("other", value)];
    let purpose = Purpose { result: kind, is_bare: true, extra, ..Purpose::of("further", Needs::default()) };
    routines::call(scope, Routine::PLAIN, purpose, |body, _| {
        body.line(format!("return other {more} one ? other : one;"));
    })
}

/// `if (x > m) { m = x; m_i = i; }`
fn write_place(text: &mut Text, scope: &Scope, sweep: &Sweep, folding: &Folding, value: &str) {
    let name = scope.fold(folding.fold);
    let test = match folding.spelling / 3 % 3 {
        1 => format!("{value} >= {name}"),
        2 => format!("{name} < {value}"),
        _ => format!("{value} > {name}"),
    };
    text.open(format!("if ({test})"));
    text.line(format!("{name} = {value};"));
    for space_loop in &sweep.loops {
        let place = PLACES[space_loop.axis];
        let variable = scope.fold_variable(folding.fold, &format!("fold{}_{place}", folding.fold));
        text.line(format!("{variable} = (int){place};"));
    }
    text.close();
}

/// The condition by which the loop over time goes on, with what bounds the steps; `value` is the fold that decides.
pub fn write_going_on(exit: &Exit, bound: &str, value: &str) -> String {
    let goes_on = goes_on(exit, value);
    match exit.place {
        ExitPlace::Head => format!("{bound} && {goes_on}"),
        ExitPlace::HeadFirst | ExitPlace::Do => format!("{goes_on} && {bound}"),
        ExitPlace::Break | ExitPlace::Return => bound.to_string(),
    }
}

fn goes_on(exit: &Exit, value: &str) -> String {
    let limit = exit.limit;
    if exit.is_negated {
        format!("!({value} {} {limit})", opposite(exit.op))
    } else {
        format!("{value} {} {limit}", exit.op)
    }
}

/// The comparison that holds where another one does not, not-a-numbers aside.
fn opposite(op: &str) -> &'static str {
    match op {
        ">" => "<=",
        ">=" => "<",
        "<" => ">=",
        "<=" => ">",
        _ => "==",
    }
}

/// `if (fold0 <= 0.5) break;`, where the loop is left so.
pub fn write_leaving(text: &mut Text, exit: &Exit, value: &str) {
    let keyword = match exit.place {
        ExitPlace::Break => "break",
        ExitPlace::Return => "return",
        _ => return,
    };
    let limit = exit.limit;
    let leaves = if exit.is_negated {
        format!("!({value} {} {limit})", exit.op)
    } else {
        format!("{value} {} {limit}", opposite(exit.op))
    };
    let leaves = if exit.is_late { format!("t > 2 && {leaves}") } else { leaves };
    text.open_bare(format!("if ({leaves})"));
    text.line(format!("{keyword};"));
    text.close_bare();
}

/// Whether the loop over time ends with its condition.
pub fn is_do(program: &Program) -> bool {
    program.exit.as_ref().is_some_and(|exit| exit.place == ExitPlace::Do)
}

/// Whether the loop over time is a `while` or `do` loop.
pub fn is_while(program: &Program, time: Option<TimeForm>) -> bool {
    time.is_some() && (program.setting.uses_while || is_do(program))
}

/// The call of a function that gives what it folds.
pub fn write_giving(scope: &Scope, sweep: &Sweep, routine: Routine, write: impl FnOnce(&mut Text, &Scope)) -> String {
    let fold = sweep.foldings[0].fold;
    let Fold { element, restart, initial, .. } = scope.program.folds[fold];
    let (kind, name) = (element.names().0, format!("fold{fold}"));
    let goes_on = restart == Restart::Never;
    let taken = Parameter { declaration: format!("{kind} {name}"), argument: scope.fold(fold), name: name.clone() };
    let extra = if goes_on { vec![taken] } else { Vec::new() };
    let needs = Needs { folds: Vec::new(), ..Needs::of_items(&[Item::Sweep(sweep.clone())]) };
    let purpose = Purpose { result: kind, extra, ..Purpose::of("folded", needs) };
    let call = routines::call(scope, routine, purpose, |body, inner| {
        if !goes_on {
            body.line(format!("{kind} {name} = {initial};"));
        }
        write(body, &inner.with_own_fold(fold));
        body.line(format!("return {name};"));
    });
    format!("{} = {call}", scope.fold(fold))
}
