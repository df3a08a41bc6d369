//! Subscripts that stop at a wall or go round, and what must stand before they do.

use super::super::model::{Item, Program, Reference, Subscript, Sweep, Wall};
use super::super::ways::WallWay;
use super::PLACES;
use super::scope::Scope;
use super::text::Text;

/// `(i == 0 ? 0 : i - 1)`, `MAX(i - 1, 0)`, `i_low1` or `i_low1[i]`, for the subscript `plain`.
pub fn write_walled(scope: &Scope, subscript: Subscript, plain: &str, spelling: u8) -> String {
    match scope.program.setting.wall_way {
        WallWay::Macro => by_macro(scope, subscript, plain),
        WallWay::Temporary if scope.holds_walls => name(subscript),
        WallWay::Table if scope.holds_tables => format!("{}[{}]", name(subscript), PLACES[subscript.axis]),
        _ => in_place(scope, subscript, plain, spelling),
    }
}

/// The variable or array for a subscript.
fn name(subscript: Subscript) -> String {
    let (kind, distance) = (if subscript.wall == Wall::Stop { "stop" } else { "ring" }, subscript.offset.abs());
    let side = if subscript.offset < 0 { "low" } else { "high" };
    format!("{}_{kind}_{side}{distance}", PLACES[subscript.axis])
}

fn by_macro(scope: &Scope, subscript: Subscript, plain: &str) -> String {
    let n = scope.size(subscript.axis);
    match (subscript.wall, subscript.offset < 0) {
        (Wall::Around, _) => format!("AROUND({plain}, {n})"),
        (_, true) => format!("LARGEST({plain}, 0)"),
        (_, false) => format!("LEAST({plain}, {n} - 1)"),
    }
}

fn in_place(scope: &Scope, subscript: Subscript, plain: &str, spelling: u8) -> String {
    let (i, n, offset) = (PLACES[subscript.axis], scope.size(subscript.axis), subscript.offset);
    let is_next = offset.abs() == 1;
    match (subscript.wall, offset < 0, spelling / 6 % 3) {
        (Wall::Stop, true, 0) if is_next => format!("({i} == 0 ? 0 : {plain})"),
        (Wall::Stop, true, 1) if is_next => format!("({i} - ({i} > 0))"),
        (Wall::Stop, true, _) => format!("({plain} < 0 ? 0 : {plain})"),
        (Wall::Stop, false, 0) if is_next => format!("({i} == {n} - 1 ? {i} : {plain})"),
        (Wall::Stop, false, 1) if is_next => format!("({i} + ({i} < {n} - 1))"),
        (Wall::Stop, false, _) => format!("({i} < {n} - {offset} ? {plain} : {n} - 1)"),
        (_, true, 0) if is_next => format!("({i} == 0 ? {n} - 1 : {plain})"),
        (_, true, 1) => format!("({plain} < 0 ? {plain} + {n} : {plain})"),
        (_, true, _) => format!("(({plain} + {n}) % {n})"),
        (_, false, 0) if is_next => format!("({i} < {n} - 1 ? {plain} : 0)"),
        (_, false, 1) => format!("({plain} >= {n} ? {plain} - {n} : {plain})"),
        (_, false, _) => format!("(({plain}) % {n})"),
    }
}

/// The macros, if the program uses them.
pub fn write_macros(text: &mut Text, program: &Program) {
    if program.setting.wall_way == WallWay::Macro && program.sweeps().any(|sweep| !walled(sweep).is_empty()) {
        text.line("#define LARGEST(a, b) ((a) > (b) ? (a) : (b))".to_string());
        text.line("#define LEAST(a, b) ((a) < (b) ? (a) : (b))".to_string());
        text.line("#define AROUND(i, n) ((((i) % (n)) + (n)) % (n))".to_string());
    }
}

/// Variables of a loop's body that `if` statements correct.
pub fn write_temporaries(text: &mut Text, scope: &Scope, sweep: &Sweep) {
    for subscript in walled(sweep) {
        let (name, n) = (name(subscript), scope.size(subscript.axis));
        write_corrected(text, subscript, &format!("{} {name}", scope.program.setting.index.name()), &name, &n);
    }
}

/// Whether the loop's body has such variables.
pub fn has_temporaries(program: &Program, sweep: &Sweep) -> bool {
    program.setting.wall_way == WallWay::Temporary && !walled(sweep).is_empty()
}

/// `target = i - 1; if (name < 0) name = 0;`
fn write_corrected(text: &mut Text, subscript: Subscript, target: &str, name: &str, n: &str) {
    let (i, offset) = (PLACES[subscript.axis], subscript.offset);
    let (beyond, corrected) = match (subscript.wall, offset < 0) {
        (Wall::Stop, true) => (format!("{name} < 0"), format!("{name} = 0")),
        (Wall::Stop, false) => (format!("{name} > {n} - 1"), format!("{name} = {n} - 1")),
        (_, true) => (format!("{name} < 0"), format!("{name} += {n}")),
        (_, false) => (format!("{name} >= {n}"), format!("{name} -= {n}")),
    };
    let sign = if offset < 0 { '-' } else { '+' };
    text.line(format!("{target} = {i} {sign} {};", offset.abs()));
    text.open_bare(format!("if ({beyond})"));
    text.line(format!("{corrected};"));
    text.close_bare();
}

/// Arrays of subscripts, filled by loops before the nest.
pub fn write_tables(text: &mut Text, scope: &Scope) {
    let program = scope.program;
    if program.setting.wall_way != WallWay::Table {
        return;
    }
    let mut all: Vec<Subscript> = program.sweeps().flat_map(walled).collect();
    all.sort_by_key(|subscript| name(*subscript));
    all.dedup();
    for subscript in all {
        let (table, n, i) = (name(subscript), scope.size(subscript.axis), PLACES[subscript.axis]);
        text.line(format!("int *{table} = malloc(({n}) * sizeof(int));"));
        text.open(format!("for (int {i} = 0; {i} < {n}; {i}++)"));
        let (offset, last) = (subscript.offset, format!("{n} - 1"));
        let plain = if offset < 0 { format!("{i} - {}", -offset) } else { format!("{i} + {offset}") };
        let value = match (subscript.wall, offset < 0) {
            (Wall::Stop, true) => format!("{plain} < 0 ? 0 : {plain}"),
            (Wall::Stop, false) => format!("{plain} > {last} ? {last} : {plain}"),
            (_, true) => format!("({plain} + {n}) % {n}"),
            (_, false) => format!("({plain}) % {n}"),
        };
        text.line(format!("{table}[{i}] = {value};"));
        text.close();
    }
}

/// The different subscripts of a sweep that stop or go round.
fn walled(sweep: &Sweep) -> Vec<Subscript> {
    let mut found: Vec<Subscript> = Vec::new();
    let mut add = |reference: &mut Reference| {
        for subscript in &reference.subscripts {
            if subscript.wall != Wall::Open && subscript.offset != 0 && !found.contains(subscript) {
                found.push(*subscript);
            }
        }
    };
    Item::Sweep(sweep.clone()).change_references(&mut add);
    found
}
