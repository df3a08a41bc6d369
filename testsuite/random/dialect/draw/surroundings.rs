//! What stands around the nest in its function, and who reads afterwards what the nest has set.

use super::{Draft, Form};
use crate::random::dialect::model::{Expr, For, Place, Shape, Start, Stmt, Variable};
use crate::random::dialect::types::{INT, Operator};

/// Puts statements around the nest.
type Surrounding = fn(&mut Draft, Stmt) -> Vec<Stmt>;

/// Control flow around the nest; a new one joins by an entry.
const SURROUNDINGS: &[Form<Surrounding>] = &[
    Form { name: "", weight: 46, draw: |_| |_, nest| vec![nest] },
    Form { name: "around: loop left by break", weight: 7, draw: |_| left_by_break },
    Form { name: "around: loop with continue", weight: 6, draw: |_| with_continue },
    Form { name: "around: while (1)", weight: 6, draw: |_| endless },
    Form { name: "around: do while (0)", weight: 6, draw: |_| once },
    Form { name: "around: switch", weight: 6, draw: |_| switch },
    Form { name: "around: goto", weight: 6, draw: |_| by_goto },
    Form { name: "around: early return", weight: 5, draw: |_| early_return },
    Form { name: "around: repeated", weight: 6, draw: |_| repeated },
    Form { name: "around: condition", weight: 6, draw: |_| conditional },
];

pub fn surround(draft: &mut Draft, nest: For) -> Vec<Stmt> {
    // The first form is none; what a nest leaves in scalars is of interest where jumps lead past later assignments.
    let form = draft.choose(if draft.is_surrounded { &SURROUNDINGS[1..] } else { SURROUNDINGS });
    form(draft, Stmt::Nest(Box::new(nest)))
}

/// Statements that overwrite what the nest may have set.
fn resets(draft: &mut Draft) -> Vec<Stmt> {
    let variables = 0..draft.unit.variables.len();
    let is_scalar = |variable: &Variable| {
        let declared = &draft.unit.variables[*variable];
        let is_set = ["s", "sum", "v", "i", "j", "x", "y", "t"].contains(&declared.name.trim_end_matches("_#"));
        matches!(declared.shape, Shape::Scalar)
            && matches!(declared.place, Place::Local | Place::Global)
            && declared.qualifier.is_empty()
            && declared.value.is_some()
            && is_set
    };
    let scalars: Vec<Variable> = variables.filter(is_scalar).collect();
    scalars.into_iter().map(|variable| Stmt::Do(Expr::assign(Expr::Var(variable), Expr::int(0)))).collect()
}

fn counter(draft: &mut Draft) -> Variable {
    draft.declare("turn", INT, Shape::Scalar, Place::Inner, Some(Expr::int(0)))
}

fn rounds(draft: &mut Draft, variable: Variable, count: i64, body: Vec<Stmt>) -> Stmt {
    let condition = Expr::binary(Operator::Less, Expr::Var(variable), draft.plain(count));
    let step = Expr::Step { target: Box::new(Expr::Var(variable)), is_up: true, is_prefix: false };
    Stmt::For(Box::new(For { start: Start::Declare(variable), condition, step, body }))
}

fn at(variable: Variable, value: i64) -> Expr {
    Expr::binary(Operator::Equal, Expr::Var(variable), Expr::int(value))
}

fn left_by_break(draft: &mut Draft, nest: Stmt) -> Vec<Stmt> {
    let variable = counter(draft);
    let last = draft.random.within(0, 2);
    let mut body = vec![nest, Stmt::If(at(variable, last), vec![Stmt::Break], Vec::new())];
    body.extend(resets(draft));
    vec![rounds(draft, variable, 3, body)]
}

fn with_continue(draft: &mut Draft, nest: Stmt) -> Vec<Stmt> {
    let variable = counter(draft);
    let skipped = draft.random.within(0, 2);
    let mut body = vec![nest, Stmt::If(at(variable, skipped), vec![Stmt::Continue], Vec::new())];
    body.extend(resets(draft));
    vec![rounds(draft, variable, skipped + 1, body)]
}

fn endless(draft: &mut Draft, nest: Stmt) -> Vec<Stmt> {
    let variable = draft.scalar("turn", INT, Place::Local, Expr::int(0));
    let step = Expr::Step { target: Box::new(Expr::Var(variable)), is_up: true, is_prefix: false };
    let mut body = vec![nest, Stmt::If(at(variable, 1), vec![Stmt::Break], Vec::new()), Stmt::Do(step)];
    body.extend(resets(draft));
    vec![Stmt::While(Expr::int(1), body)]
}

fn once(draft: &mut Draft, nest: Stmt) -> Vec<Stmt> {
    let is_left = draft.random.within(0, 1);
    let condition = Expr::Var(draft.parameter(INT, is_left));
    let mut body = vec![nest, Stmt::If(condition, vec![Stmt::Break], Vec::new())];
    body.extend(resets(draft));
    vec![Stmt::DoWhile(body, Expr::int(0))]
}

/// The nest in one case, the resets in the next one, with or without a `break` between them.
fn switch(draft: &mut Draft, nest: Stmt) -> Vec<Stmt> {
    let mode = draft.random.within(0, 1);
    let mode = Expr::Var(draft.parameter(INT, mode));
    let mut first = vec![nest];
    if draft.random.chance(70) {
        first.push(Stmt::Break);
    }
    let mut last = resets(draft);
    last.push(Stmt::Break);
    let label = draft.random.pick(&[None, Some(7)]);
    vec![Stmt::Switch(mode, vec![(Some(0), Vec::new()), (Some(1), first), (label, last)])]
}

fn by_goto(draft: &mut Draft, nest: Stmt) -> Vec<Stmt> {
    let is_taken = i64::from(draft.random.chance(75));
    let condition = Expr::Var(draft.parameter(INT, is_taken));
    let mut body = vec![nest, Stmt::If(condition, vec![Stmt::Goto(1)], Vec::new())];
    body.extend(resets(draft));
    body.push(Stmt::Label(1));
    body
}

/// Only what stands at file level is shown then.
fn early_return(draft: &mut Draft, nest: Stmt) -> Vec<Stmt> {
    let is_taken = i64::from(draft.random.chance(75));
    let condition = Expr::Var(draft.parameter(INT, is_taken));
    let mut body = vec![nest, Stmt::If(condition, vec![Stmt::Return], Vec::new())];
    body.extend(resets(draft));
    body
}

fn repeated(draft: &mut Draft, nest: Stmt) -> Vec<Stmt> {
    let variable = counter(draft);
    vec![rounds(draft, variable, 2, vec![nest])]
}

fn conditional(draft: &mut Draft, nest: Stmt) -> Vec<Stmt> {
    let value = i64::from(draft.random.chance(85));
    let condition = draft.valued(value);
    let otherwise = resets(draft);
    vec![Stmt::If(condition, vec![nest], otherwise)]
}
