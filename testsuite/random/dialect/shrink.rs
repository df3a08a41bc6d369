//! Makes a failing unit smaller as long as it has a meaning and fails in the same way.

use std::time::{Duration, Instant};

use super::check::{Kind, check};
use super::interpret::interpret;
use super::model::{Expr, Shape, Stmt, Unit};
use super::program::{Plan, Program};
use super::types::{DOUBLE, INT};
use super::visit::{each_expr_mut, each_list_mut};

/// Ways to make a unit smaller, coarse ones first; each gives candidates. A new one joins by an entry.
const REDUCTIONS: &[fn(&Unit) -> Vec<Unit>] =
    &[without_statements, without_conditions, plain_declarations, smaller_expressions, smaller_initialisers];

/// The smallest program with a unit that fails like this one; the whole program if the unit does not fail alone.
pub fn shrink(program: &Program, unit: &Unit, kind: Kind, limit: Duration) -> Program {
    let start = Instant::now();
    let fails = |program: &Program| check(program, false)[0].failure() == Some(kind);
    let mut best = program.with_unit(unit);
    if limit.is_zero() {
        return best;
    }
    if !fails(&best) {
        return program.clone();
    }
    let plain = Plan { options: Vec::new(), profile: None };
    for simpler in [Program { plan: plain, ..best.clone() }] {
        if fails(&simpler) {
            best = simpler;
        }
    }
    while let Some(smaller) = REDUCTIONS.iter().flat_map(|reduction| reduction(&best.units[0])).find_map(|unit| {
        let candidate = best.with_unit(&unit);
        let is_in_time = start.elapsed() < limit;
        (is_in_time && interpret(&unit).is_ok() && fails(&candidate)).then_some(candidate)
    }) {
        best = smaller;
    }
    best
}

fn changed(unit: &Unit, change: impl FnOnce(&mut Unit)) -> Unit {
    let mut copy = unit.clone();
    change(&mut copy);
    copy
}

/// Calls `change` with copies of the unit and the number of a list and a statement within it.
fn each_statement(unit: &Unit, change: impl Fn(&mut Vec<Stmt>, usize)) -> Vec<Unit> {
    let mut lengths = Vec::new();
    each_list_mut(&mut unit.body.clone(), &mut |list| lengths.push(list.len()));
    let places = lengths.iter().enumerate().flat_map(|(list, length)| (0..*length).map(move |at| (list, at)));
    places
        .map(|(wanted, at)| {
            changed(unit, |copy| {
                let mut number = 0;
                let mut is_done = false;
                each_list_mut(&mut copy.body, &mut |list| {
                    if number == wanted && !is_done {
                        is_done = true;
                        change(list, at);
                    }
                    number += 1;
                });
            })
        })
        .filter(|copy| copy.body != unit.body)
        .collect()
}

fn is_nest(stmt: &Stmt) -> bool {
    let mut is_found = matches!(stmt, Stmt::Nest(_));
    let mut list = vec![stmt.clone()];
    each_list_mut(&mut list, &mut |list| is_found |= list.iter().any(|stmt| matches!(stmt, Stmt::Nest(_))));
    is_found
}

fn without_statements(unit: &Unit) -> Vec<Unit> {
    each_statement(unit, |list, at| {
        if !is_nest(&list[at]) && !matches!(list[at], Stmt::Label(_)) {
            list.remove(at);
        }
    })
}

/// The statements of an `if`, a loop around the nest and the like without it.
fn without_conditions(unit: &Unit) -> Vec<Unit> {
    each_statement(unit, |list, at| {
        let inner = match &list[at] {
            Stmt::If(_, then, otherwise) if otherwise.is_empty() => then.clone(),
            Stmt::For(header) if is_nest(&list[at]) => header.body.clone(),
            Stmt::While(_, body) | Stmt::DoWhile(body, _) => body.clone(),
            Stmt::Switch(_, cases) => cases.iter().flat_map(|(_, body)| body.clone()).collect(),
            _ => return,
        };
        let inner = inner.into_iter().filter(|stmt| !matches!(stmt, Stmt::Break | Stmt::Continue));
        list.splice(at..=at, inner);
    })
}

fn plain_declarations(unit: &Unit) -> Vec<Unit> {
    let mut results = Vec::new();
    if unit.is_old_style {
        results.push(changed(unit, |copy| copy.is_old_style = false));
    }
    for clause in 0..unit.clauses.len() {
        results.push(changed(unit, |copy| {
            copy.clauses.remove(clause);
        }));
    }
    if !unit.hiding.is_empty() {
        results.push(changed(unit, |copy| copy.hiding.clear()));
    }
    for (variable, declared) in unit.variables.iter().enumerate() {
        let plain = if declared.ty.ty.is_real() { DOUBLE } else { INT };
        if declared.ty != plain {
            results.push(changed(unit, |copy| copy.variables[variable].ty = plain));
        }
        if !declared.qualifier.is_empty() && declared.qualifier != "enum" {
            results.push(changed(unit, |copy| copy.variables[variable].qualifier = ""));
        }
    }
    results.retain(|copy| super::write::write_unit(copy, 0) != super::write::write_unit(unit, 0));
    results
}

/// The expression with one of its nodes replaced by one of the node's own parts, or by a number.
fn simpler_expr(expr: &Expr) -> Vec<Expr> {
    let mut results: Vec<Expr> = expr.parts().into_iter().cloned().collect();
    if !matches!(expr, Expr::Int(..) | Expr::Var(_) | Expr::Assign(..) | Expr::Step { .. }) {
        results.extend([Expr::int(1), Expr::int(0)]);
    }
    let count = expr.parts().len();
    for part in 0..count {
        for simpler in simpler_expr(expr.parts()[part]) {
            let mut copy = expr.clone();
            *copy.parts_mut().swap_remove(part) = simpler;
            results.push(copy);
        }
    }
    results
}

fn smaller_expressions(unit: &Unit) -> Vec<Unit> {
    let mut exprs = Vec::new();
    each_expr_mut(&mut unit.body.clone(), &mut |expr| exprs.push(expr.clone()));
    let candidates = exprs
        .iter()
        .enumerate()
        .flat_map(|(at, expr)| simpler_expr(expr).into_iter().map(move |simpler| (at, simpler)));
    candidates
        .map(|(wanted, simpler)| {
            changed(unit, |copy| {
                let mut number = 0;
                each_expr_mut(&mut copy.body, &mut |expr| {
                    if number == wanted {
                        *expr = simpler.clone();
                    }
                    number += 1;
                });
            })
        })
        .collect()
}

fn smaller_initialisers(unit: &Unit) -> Vec<Unit> {
    let mut results = Vec::new();
    for (variable, declared) in unit.variables.iter().enumerate() {
        let is_scalar = matches!(declared.shape, Shape::Scalar);
        for simpler in declared.value.iter().filter(|_| is_scalar).flat_map(simpler_expr) {
            results.push(changed(unit, |copy| copy.variables[variable].value = Some(simpler)));
        }
    }
    results.retain(|copy| super::write::write_unit(copy, 0) != super::write::write_unit(unit, 0));
    results
}
