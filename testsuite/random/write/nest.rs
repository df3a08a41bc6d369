//! The marked nest: pragma, time loop, sweeps, copies and rules.

use std::ptr;

use super::super::carried::Carried;
use super::super::folds::{Exit, FoldPlace};
use super::super::model::{Advance, Expr, Follows, Form, Host, Item, Program, Quiet, Statement, Sweep, TimeForm};
use super::super::needs::Needs;
use super::super::ways::{GuardWay, Routine};
use super::expr::{write_condition, write_expr};
use super::folds::{
    declare_folds, is_do, is_while, show_folds, write_finishes, write_foldings, write_giving, write_going_on,
    write_leaving, write_restarts,
};
use super::host::write_host;
use super::loops::write_loops;
use super::norms::{declare_norm, show_norm, write_norm};
use super::rotation::{may_be_exchanged, may_be_function, rotated_fields, write_exchange, write_rotation};
use super::routines::{self, Purpose};
use super::running::running;
use super::scope::Scope;
use super::statement::write_statement;
use super::text::Text;
use super::totals::{length_of, sums_of_variable_length};
use super::turns::{turns, write_first_turns, write_next_turns};
use super::walls::{has_temporaries, write_tables, write_temporaries};
use super::{FIELDS, PLACES, SCALARS};

/// Declarations before the nest, the nest, and prints of what outlives it besides arrays.
pub fn write_nest(text: &mut Text, scope: &Scope) {
    let program = scope.program;
    for field in rotated_fields(program) {
        text.line(format!("const void *{}_start = {};", FIELDS[field], scope.field(field)));
    }
    if program.setting.declares_before {
        declare_loop_variables(text, program);
    }
    declare_folds(text, program, FoldPlace::Local);
    if gathers(program) {
        text.line("double gathered = 0;".to_string());
    }
    if notes(program) {
        text.line("static double noted[128];".to_string());
    }
    declare_norm(text, program);
    write_first_turns(text, program);
    write_tables(text, scope);
    let scope = &scope.with_tables();
    // A `do` loop that follows another one begins where that has ended.
    let never_ends = |form| form == TimeForm::NotEqual && is_do(program) && program.setting.follows != Follows::Nothing;
    let in_time = |form| parts(if never_ends(form) { TimeForm::Up } else { form });
    let while_loop = program.time.filter(|form| is_while(program, Some(*form))).map(in_time);
    if let Some((first, ..)) = while_loop {
        text.line(format!("{}{first};", if program.setting.declares_before { "" } else { "int " }));
    }
    let is_in_turn = program.setting.follows == Follows::AnotherInTurn;
    if is_in_turn {
        text.open("for (int pass = 0; pass < 2; pass++)".to_string());
    }
    let quiet = Program { host: Vec::new(), ..program.clone() };
    let of = |place: Quiet| if program.setting.quiet == place { scope.of(&quiet) } else { scope.of(program) };
    write_marked(text, &of(Quiet::First), while_loop);
    if program.setting.follows != Follows::Nothing {
        text.line("printf(\"again\\n\");".to_string());
        write_marked(text, &of(Quiet::Second), while_loop);
    }
    if is_in_turn {
        text.close();
    }
    write_survivors(text, scope);
    show_folds(text, scope, |place| place == FoldPlace::Local);
    if gathers(program) {
        text.line("printf(\"gathered %a\\n\", gathered != gathered ? 0.5 : gathered);".to_string());
    }
    if notes(program) {
        text.open("for (int note = 0; note < 128; note++)".to_string());
        text.line("printf(\"%a\\n\", noted[note] != noted[note] ? 0.5 : noted[note]);".to_string());
        text.close();
    }
    show_norm(text, program);
}

/// The pragma and the nest; a `while` loop over time has these parts.
fn write_marked(text: &mut Text, scope: &Scope, while_loop: Option<(&str, &str, &str)>) {
    let program = scope.program;
    text.directive(&format!("#pragma stencil{}", write_clauses(scope)));
    match program.time {
        Some(form) => {
            let (inside, in_head) = parts_of_step(program);
            text.open(time_loop(scope, form, in_head));
            write_host(text, scope, |behind| behind == 0);
            write_step(text, scope, inside);
            write_host(text, scope, |behind| behind > 0 && (behind >= inside.len() || is_function(scope, inside)));
            write_exit(text, scope, |exit| !exit.is_within(inside.len()) || is_function(scope, inside));
            write_next_turns(text, program);
            while_loop.iter().for_each(|(_, _, next)| text.line(format!("{next};")));
            match while_loop.filter(|_| is_do(program)) {
                Some((_, bound, _)) => text.close_with(&format!(" while ({});", going_on(scope, bound))),
                None => text.close(),
            }
        }
        None => program.items.iter().for_each(|item| write_item(text, scope, item)),
    }
}

fn declare_loop_variables(text: &mut Text, program: &Program) {
    // Values that no loop gives them, so that a loop that is not executed shows.
    let variables = used_axes(program).into_iter().map(|axis| format!("{} = {}", PLACES[axis], 90 + axis));
    text.line(format!("{} {};", program.setting.index.name(), variables.collect::<Vec<_>>().join(", ")));
    if program.time.is_some() {
        text.line("int t = -9;".to_string());
    }
}

/// The axes over which some loop runs.
fn used_axes(program: &Program) -> Vec<usize> {
    (0..program.rank).filter(|axis| program.sweeps().any(|sweep| sweep.loops.iter().any(|l| l.axis == *axis))).collect()
}

fn write_clauses(scope: &Scope) -> String {
    write_extents(scope) + &write_lengths(scope.program)
}

/// What variables hold that say how many elements sums have.
fn write_lengths(program: &Program) -> String {
    let stated = sums_of_variable_length(program).into_iter().filter(|total| total.states_length());
    stated.map(|it| format!(" value({} = {})", length_of(it).unwrap_or_default(), it.reads.len())).collect()
}

fn write_extents(scope: &Scope) -> String {
    let program = scope.program;
    if !program.setting.states_extents {
        return String::new();
    }
    let is_unbounded = |index: &usize| {
        let form = program.fields[*index].form;
        form.is_pointer() || form == Form::Variable && program.setting.is_function
    };
    let clauses = program.arrays().into_iter().filter(is_unbounded).map(|index| {
        let ranges: String = scope.extents(index).iter().map(|extent| format!("[0:{extent}]")).collect();
        format!(" extent({}{ranges})", scope.field(index))
    });
    clauses.collect()
}

fn write_survivors(text: &mut Text, scope: &Scope) {
    let program = scope.program;
    if program.setting.declares_before {
        for axis in used_axes(program) {
            text.line(format!("printf(\"{0} = %ld\\n\", (long){0});", PLACES[axis]));
        }
        if program.time.is_some() {
            text.line("printf(\"t = %d\\n\", t);".to_string());
        }
    }
    turns(program).for_each(|turn| text.line(format!("printf(\"{0} = %d\\n\", {0});", turn.name)));
    for scalar in program.ruled_scalars() {
        let (name, text_of) = (SCALARS[scalar], scope.scalar(scalar));
        text.line(format!("printf(\"{name} = %a\\n\", (double){text_of});"));
    }
    let fields = rotated_fields(program);
    for field in &fields {
        for start in &fields {
            let (field, start) = (scope.field(*field), FIELDS[*start]);
            text.line(format!("printf(\"%d\", (const void *){field} == {start}_start);"));
        }
        text.line("printf(\"\\n\");".to_string());
    }
}

/// The head of the loop over time, with what else it does between two steps.
fn time_loop(scope: &Scope, form: TimeForm, in_head: &[Item]) -> String {
    let (first, condition, next) = parts(form);
    if is_do(scope.program) {
        return "do".to_string();
    }
    let condition = going_on(scope, condition);
    if scope.program.setting.uses_while {
        return format!("while ({condition})");
    }
    let kind = if scope.program.setting.declares_before { "" } else { "int " };
    let more = in_head.iter().filter_map(|item| if let Item::Advance(it) = item { Some(it) } else { None });
    let more: String = more.map(|advance| format!(", {}", write_rule(scope, advance))).collect();
    format!("for ({kind}{first}; {condition}; {next}{more})")
}

/// The condition of the loop over time, which may compute a part of a step.
fn going_on(scope: &Scope, bound: &str) -> String {
    let Some(exit) = &scope.program.exit else { return bound.to_string() };
    let value = match called(scope.program).filter(|_| exit.place.is_condition_of_loop()) {
        Some((sweep, routine)) => format!("({})", write_sweep_giving(scope, sweep, routine)),
        None => scope.fold(exit.fold),
    };
    write_going_on(exit, bound, &value)
}

/// The sweep that stands in the condition by which the loop over time ends, and its function.
fn called(program: &Program) -> Option<(&Sweep, Routine)> {
    match &program.items[Exit::called(program)?] {
        Item::Sweep(sweep) => Some((sweep, sweep.routine?)),
        _ => None,
    }
}

fn parts(form: TimeForm) -> (&'static str, &'static str, &'static str) {
    match form {
        TimeForm::Up => ("t = 0", "t < steps", "t++"),
        TimeForm::FromOne => ("t = 1", "t <= steps", "++t"),
        TimeForm::Down => ("t = steps", "t > 0", "t--"),
        TimeForm::Twos => ("t = 0", "t < 2 * steps", "t += 2"),
        TimeForm::NotEqual => ("t = 0", "t != steps", "++t"),
    }
}

/// What stands in the body of the loop over time, and what in its head.
fn parts_of_step(program: &Program) -> (&[Item], &[Item]) {
    let (mut items, setting) = (&program.items[..], program.setting);
    if let (Some(index), Some(exit)) = (Exit::called(program), &program.exit)
        && exit.place.is_condition_of_loop()
    {
        items = if index == 0 { &items[1..] } else { &items[..index] };
    }
    let is_rule = |item: &Item| matches!(item, Item::Advance(advance) if advance.guard.is_none());
    let can_be = setting.uses_commas && !is_while(program, program.time) && program.division.step.is_none();
    let behind = items.iter().rev().take_while(|item| can_be && is_rule(item)).count();
    items.split_at(items.len() - behind.min(items.len().saturating_sub(1)))
}

/// `alpha += 0.3`
fn write_rule(scope: &Scope, advance: &Advance) -> String {
    let name = scope.scalar(advance.scalar);
    match &advance.value {
        Expr::Binary("+", left, right) if matches!(**left, Expr::Scalar(scalar) if scalar == advance.scalar) => {
            format!("{name} += {}", write_expr(scope, right))
        }
        value => format!("{name} = {}", write_expr(scope, value)),
    }
}

/// Whether a step is a function.
fn is_function(scope: &Scope, items: &[Item]) -> bool {
    scope.program.division.step.is_some() && may_be_function(scope.program) && !items.is_empty()
}

/// The items of a step, with what the host does between them, or a call of the function that has them.
fn write_step(text: &mut Text, scope: &Scope, items: &[Item]) {
    let Some(routine) = scope.program.division.step.filter(|_| is_function(scope, items)) else {
        return write_items_with_host(text, scope, items);
    };
    let purpose = Purpose { changes_structure: true, ..Purpose::of("step", Needs::of_items(items)) };
    let routine = Routine { passes_fields: false, ..routine };
    let call = routines::call(scope, routine, purpose, |body, inner| {
        declare_again(body, inner, &items.iter().filter_map(sweep_in_line).collect::<Vec<_>>());
        write_items(body, inner, items);
    });
    text.line(format!("{call};"));
}

/// The items of a step, with what begins and finishes folds and what the host does between them.
fn write_items_with_host(text: &mut Text, scope: &Scope, items: &[Item]) {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            write_host(text, scope, |behind| behind == index);
            write_exit(text, scope, |exit| exit.behind == index);
        }
        write_restarts(text, scope, items, index);
        write_item(text, scope, item);
        write_finishes(text, scope, items, index);
    }
}

/// What leaves the loop over time by a fold, if it stands there.
fn write_exit(text: &mut Text, scope: &Scope, stands: impl Fn(&Exit) -> bool) {
    let exit = scope.program.exit.as_ref().filter(|exit| Exit::called(scope.program).is_none() && stands(exit));
    match exit.map(|exit| (exit, exit.norm)) {
        Some((exit, Some(norm))) => write_norm(text, scope, exit, norm),
        Some((exit, None)) => write_leaving(text, exit, &scope.fold(exit.fold)),
        None => {}
    }
}

fn write_items(text: &mut Text, scope: &Scope, items: &[Item]) {
    for (index, item) in items.iter().enumerate() {
        write_restarts(text, scope, items, index);
        write_item(text, scope, item);
        write_finishes(text, scope, items, index);
    }
}

fn gathers(program: &Program) -> bool {
    program.host.iter().any(|code| matches!(code.kind, Host::Gather { .. }))
}

fn notes(program: &Program) -> bool {
    program.host.iter().any(|code| matches!(code.kind, Host::Note { .. }))
}

/// The sweep that stands where the item does, not in a function.
fn sweep_in_line(item: &Item) -> Option<&Sweep> {
    if let Item::Sweep(sweep) = item { Some(sweep).filter(|sweep| sweep.routine.is_none()) } else { None }
}

/// Loop variables that are declared before the nest are declared again in a function that has a part of it.
fn declare_again(text: &mut Text, scope: &Scope, sweeps: &[&Sweep]) {
    let program = scope.program;
    let has_loop = |axis: &usize| sweeps.iter().any(|sweep| sweep.loops.iter().any(|l| l.axis == *axis));
    let axes: Vec<&str> = (0..program.rank).filter(has_loop).map(|axis| PLACES[axis]).collect();
    if program.setting.declares_before && !axes.is_empty() {
        text.line(format!("{} {};", program.setting.index.name(), axes.join(", ")));
    }
}

fn write_item(text: &mut Text, scope: &Scope, item: &Item) {
    match item {
        // The pragma stands above a loop.
        Item::Sweep(sweep) => match sweep.routine.filter(|_| scope.program.time.is_some()) {
            Some(routine) => {
                let exit = scope.program.exit.as_ref();
                let is_called = called(scope.program).is_some_and(|(called, _)| ptr::eq(called, sweep));
                let call = write_sweep_call(scope, sweep, routine);
                match exit.filter(|_| is_called) {
                    Some(exit) => write_leaving(text, exit, &format!("({call})")),
                    None => text.line(format!("{call};")),
                }
            }
            None => write_sweep(text, scope, sweep),
        },
        Item::Advance(advance) => {
            if let Some(guard) = &advance.guard {
                text.open_bare(format!("if ({})", write_condition(scope, guard)));
            }
            text.line(format!("{};", write_rule(scope, advance)));
            if advance.guard.is_some() {
                text.close_bare();
            }
        }
        Item::Copy { to, from } => {
            let field = &scope.program.fields[*to];
            let bytes = match field.form {
                Form::Fixed if !scope.is_parameter(*to) => format!("sizeof {}", FIELDS[*to]),
                _ => format!("{} * sizeof({})", scope.element_count(*to), field.element.names().0),
            };
            text.line(format!("memcpy({}, {}, {bytes});", scope.field(*to), scope.field(*from)));
        }
        Item::Rotate(fields) => match scope.program.division.exchange {
            Some(routine) if may_be_exchanged(scope, fields) => write_exchange(text, scope, routine, fields),
            _ => write_rotation(text, scope, fields),
        },
    }
}

/// The call of a sweep's function.
fn write_sweep_call(scope: &Scope, sweep: &Sweep, routine: Routine) -> String {
    if sweep.gives_fold {
        return write_sweep_giving(scope, sweep, routine);
    }
    let needs = Needs::of_items(&[Item::Sweep(sweep.clone())]);
    let purpose = Purpose { changes_structure: !sweep.foldings.is_empty(), ..Purpose::of("sweep", needs) };
    routines::call(scope, routine, purpose, |body, inner| write_sweep_body(body, inner, sweep))
}

/// The call of a sweep's function that gives what it folds.
fn write_sweep_giving(scope: &Scope, sweep: &Sweep, routine: Routine) -> String {
    write_giving(scope, sweep, routine, |body, inner| write_sweep_body(body, inner, sweep))
}

fn write_sweep_body(body: &mut Text, inner: &Scope, sweep: &Sweep) {
    declare_again(body, inner, &[sweep]);
    write_sweep(body, inner, sweep);
}

fn write_sweep(text: &mut Text, scope: &Scope, sweep: &Sweep) {
    if let Some((modulus, remainder)) = sweep.step_guard {
        text.open(format!("if (t % {modulus} == {remainder})"));
    }
    let is_bare = scope.program.setting.omits_braces && is_one_statement(scope.program, sweep);
    let has_temporaries = has_temporaries(scope.program, sweep);
    let has_variable = running(scope.program, sweep).is_some() || Carried::of(scope.program, sweep).is_some();
    let is_bare = is_bare && !has_temporaries && !has_variable;
    let scope = &scope.with_walls(has_temporaries);
    // What goes along is declared in a block of the sweep's own.
    let has_block = sweep.loops.len() == 1 && has_variable;
    if has_block {
        text.open_block();
    }
    write_loops(text, scope, sweep, is_bare, |text| {
        if has_temporaries {
            write_temporaries(text, scope, sweep);
        }
        write_foldings(text, scope, sweep, true);
        (0..sweep.statements.len()).for_each(|index| write_statement(text, scope, sweep, index));
        write_foldings(text, scope, sweep, false);
    });
    if has_block {
        text.close();
    }
    if sweep.step_guard.is_some() {
        text.close();
    }
}

fn is_one_statement(program: &Program, sweep: &Sweep) -> bool {
    let is_one = |statement: &Statement| !statement.way.has_local() && statement.guard_way != GuardWay::Continue;
    // A border of no loops inside no time loop would be a nest of no loop.
    sweep.statements.iter().all(is_one)
        && sweep.statements.len() == 1
        && sweep.foldings.is_empty()
        && program.time.is_some()
}
