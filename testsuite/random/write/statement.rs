//! Statements of a sweep: a store, in line or in a function, under a condition.

use super::super::carried::Carried;
use super::super::model::{Condition, Expr, Statement, Sweep};
use super::super::needs::Needs;
use super::super::ways::{GuardWay, Routine, Way};
use super::carried::write_carried;
use super::expr::{write_condition, write_expr};
use super::routines::{self, Parameter, Purpose};
use super::running::{running, write_running, write_target};
use super::scope::Scope;
use super::text::Text;
use super::totals::{totals_of, write_totals};

/// Statement number `index` of a sweep.
pub fn write_statement(text: &mut Text, scope: &Scope, sweep: &Sweep, index: usize) {
    let is_last = index + 1 == sweep.statements.len() && !sweep.loops.is_empty();
    let mut statement = sweep.statements[index].clone();
    let carried = Carried::of(scope.program, sweep).filter(|carried| carried.statement == index);
    let run = running(scope.program, sweep).filter(|(it, _)| *it == index).map(|(_, run)| run);
    if matches!(statement.way, Way::Running(_)) && run.is_none() {
        statement.way = Way::Direct;
    }
    if !is_last && statement.guard_way == GuardWay::Continue {
        statement.guard_way = GuardWay::If;
    }
    let before = values_before(&statement);
    let has_block = !totals_of(before.iter().copied()).is_empty();
    if has_block {
        text.open_block();
        write_totals(text, scope, before);
    }
    match (run, carried) {
        (Some(run), _) => write_running(text, scope, sweep, &statement, run, &write_expr(scope, &statement.value)),
        (_, Some(carried)) => write_carried(text, &scope.with_carried(carried.clone()), &statement, &carried),
        _ => write_way(text, scope, &statement, index),
    }
    if has_block {
        text.close();
    }
}

/// The values of which the loop's body computes the sums, and no function.
fn values_before(statement: &Statement) -> Vec<&Expr> {
    let value = Some(&statement.value)
        .filter(|_| matches!(statement.way, Way::Direct | Way::Local | Way::Running(_) | Way::Carried));
    let has_otherwise = match statement.way {
        Way::Direct | Way::Local | Way::Out(_) | Way::Running(_) | Way::Carried => true,
        Way::Result(_) | Way::Store(_) => false,
    };
    value.into_iter().chain(statement.otherwise.as_ref().filter(|_| has_otherwise)).collect()
}

fn write_way(text: &mut Text, scope: &Scope, statement: &Statement, index: usize) {
    match statement.way {
        Way::Direct | Way::Running(_) | Way::Carried => {
            write_choice(text, scope, statement, &write_expr(scope, &statement.value))
        }
        Way::Local => {
            let element = element(scope, statement);
            text.line(format!("{element} value{index} = {};", write_expr(scope, &statement.value)));
            write_choice(text, scope, statement, &format!("value{index}"));
        }
        Way::Result(routine) => write_result(text, scope, statement, routine),
        Way::Out(routine) => write_out(text, scope, statement, routine, index),
        Way::Store(routine) => {
            let purpose = Purpose { has_places: true, ..Purpose::of("point", Needs::of_statement(statement)) };
            let call = routines::call(scope, routine, purpose, |body, inner| write_store(body, inner, statement));
            text.line(format!("{call};"));
        }
    }
}

fn element(scope: &Scope, statement: &Statement) -> &'static str {
    scope.program.fields[statement.target.field].element.names().0
}

/// `target = value;`
pub fn write_set(text: &mut Text, scope: &Scope, statement: &Statement, value: &str) {
    text.line(format!("{} {} {value};", write_target(scope, statement), statement.assign.symbol()));
}

/// `if (guard) target = value; else target = otherwise;`, in one of its ways.
pub fn write_choice(text: &mut Text, scope: &Scope, statement: &Statement, value: &str) {
    let Some(guard) = &statement.guard else { return write_set(text, scope, statement, value) };
    let otherwise = statement.otherwise.as_ref().map(|otherwise| write_expr(scope, otherwise));
    match (statement.guard_way, remainder(scope, guard)) {
        (GuardWay::Continue, _) => write_continue(text, scope, statement, guard, value, otherwise),
        (GuardWay::Switch, Some((number, case))) => {
            text.open(format!("switch ({number})"));
            text.line(format!("case {case}:"));
            write_set(text, scope, statement, value);
            text.line("break;".to_string());
            text.line("default:".to_string());
            otherwise.iter().for_each(|otherwise| write_set(text, scope, statement, otherwise));
            text.line("break;".to_string());
            text.close();
        }
        _ => {
            text.open_bare(format!("if ({})", write_condition(scope, guard)));
            write_set(text, scope, statement, value);
            text.close_bare();
            if let Some(otherwise) = otherwise {
                text.open_bare("else".to_string());
                write_set(text, scope, statement, &otherwise);
                text.close_bare();
            }
        }
    }
}

/// `if (!(guard)) continue; target = value;`
fn write_continue(
    text: &mut Text,
    scope: &Scope,
    statement: &Statement,
    guard: &Condition,
    value: &str,
    otherwise: Option<String>,
) {
    text.open(format!("if (!({}))", write_condition(scope, guard)));
    otherwise.iter().for_each(|otherwise| write_set(text, scope, statement, otherwise));
    text.line("continue;".to_string());
    text.close();
    write_set(text, scope, statement, value);
}

/// The number that a condition compares with a constant, and the constant.
fn remainder(scope: &Scope, guard: &Condition) -> Option<(String, String)> {
    let is_remainder = matches!(guard, Condition::Parity { .. } | Condition::StepModulo { .. });
    let text = write_condition(scope, guard);
    let (number, case) = text.split_once(" == ").filter(|_| is_remainder)?;
    Some((number.to_string(), case.to_string()))
}

/// `target = value(a, i);`, whose function returns early where there are two values.
fn write_result(text: &mut Text, scope: &Scope, statement: &Statement, routine: Routine) {
    let needs = Needs::of_value(statement);
    let result = element(scope, statement);
    let purpose = Purpose { result, has_places: true, ..Purpose::of("value_at", needs) };
    let call = routines::call(scope, routine, purpose, |body, inner| {
        write_totals(body, inner, [&statement.value].into_iter().chain(choice(statement).map(|(_, it)| it)));
        if let Some((guard, otherwise)) = choice(statement) {
            body.open_bare(format!("if ({})", write_condition(inner, guard)));
            body.line(format!("return {};", write_expr(inner, &statement.value)));
            body.close_bare();
            body.line(format!("return {};", write_expr(inner, otherwise)));
        } else {
            body.line(format!("return {};", write_expr(inner, &statement.value)));
        }
    });
    match choice(statement) {
        Some(_) => write_set(text, scope, statement, &call),
        None => write_choice(text, scope, statement, &call),
    }
}

/// The condition and the second one of two values.
fn choice(statement: &Statement) -> Option<(&Condition, &Expr)> {
    statement.guard.as_ref().zip(statement.otherwise.as_ref())
}

/// `double value0; find(a, i, &value0); target = value0;`
fn write_out(text: &mut Text, scope: &Scope, statement: &Statement, routine: Routine, index: usize) {
    let element = element(scope, statement);
    let plain = Statement { guard: None, otherwise: None, ..statement.clone() };
    let (needs, declaration) = (Needs::of_value(&plain), format!("{element} *out"));
    let extra = vec![Parameter { name: "out".to_string(), declaration, argument: format!("&value{index}") }];
    let purpose = Purpose { has_places: true, extra, ..Purpose::of("find", needs) };
    let call = routines::call(scope, routine, purpose, |body, inner| {
        write_totals(body, inner, [&statement.value]);
        body.line(format!("*out = {};", write_expr(inner, &statement.value)));
    });
    text.line(format!("{element} value{index};"));
    text.line(format!("{call};"));
    write_choice(text, scope, statement, &format!("value{index}"));
}

/// The body of a function that stores, and returns early where a condition does not hold.
fn write_store(text: &mut Text, scope: &Scope, statement: &Statement) {
    write_totals(text, scope, [&statement.value].into_iter().chain(&statement.otherwise));
    if let Some(guard) = &statement.guard {
        text.open(format!("if (!({}))", write_condition(scope, guard)));
        if let Some(otherwise) = &statement.otherwise {
            write_set(text, scope, statement, &write_expr(scope, otherwise));
        }
        text.line("return;".to_string());
        text.close();
    }
    write_set(text, scope, statement, &write_expr(scope, &statement.value));
}
