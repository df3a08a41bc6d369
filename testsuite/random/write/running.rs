//! Subscripts and pointers that run along with the innermost loop of a sweep: `a[at++] = value;`, `*at++ = value;`.

use super::super::model::{Loop, Program, Statement, Sweep, Wall};
use super::super::ways::{GuardWay, Run, Way};
use super::expr::{write_element_at, write_reference};
use super::loops::write_first_place;
use super::scope::Scope;
use super::statement::write_choice;
use super::text::Text;

/// What runs.
const NAME: &str = "at";

/// The number of the sweep's statement whose target is reached so.
pub fn running(program: &Program, sweep: &Sweep) -> Option<(usize, Run)> {
    // The pragma stands above a loop.
    let has_place = program.time.is_some() || sweep.loops.len() > 1;
    let continues = sweep.statements.iter().any(|statement| statement.guard_way == GuardWay::Continue);
    let runs = |statement: &Statement| match statement.way {
        Way::Running(run) if has_place && !continues && may_run(program, sweep, statement, run) => Some(run),
        _ => None,
    };
    sweep.statements.iter().enumerate().find_map(|(index, statement)| Some((index, runs(statement)?)))
}

/// Whether the last subscript of a flat array is the innermost loop's variable, which no other has, and something constant.
fn may_run(program: &Program, sweep: &Sweep, statement: &Statement, run: Run) -> bool {
    let (Some(inner), Some((last, outer))) = (sweep.loops.last(), statement.target.subscripts.split_last()) else {
        return false;
    };
    let field = &program.fields[statement.target.field];
    let is_plain = last.axis == inner.axis && last.scale == 1 && last.size == 0 && last.wall == Wall::Open;
    let is_apart = outer.iter().all(|it| it.axis != inner.axis || it.scale == 0);
    // What an empty loop would begin with must be no address.
    let may_point = run == Run::Subscript || program.setting.index.is_signed();
    let is_flat = field.form.is_flat() && field.packing.is_none();
    is_flat && is_plain && is_apart && may_point
}

/// Declares it before the innermost loop.
pub fn write_running_start(text: &mut Text, scope: &Scope, sweep: &Sweep) {
    let Some((index, run)) = running(scope.program, sweep) else { return };
    let (target, inner) = (&sweep.statements[index].target, sweep.loops.last().expect("it has a loop"));
    let element = element_at_start(scope, sweep, index, inner);
    let ty = scope.program.fields[target.field].element.names().0;
    text.line(match run {
        Run::Pointer => format!("{ty} *{NAME} = &{element};"),
        Run::Subscript => {
            let (_, index) = element.split_once('[').expect("it is flat");
            format!("long {NAME} = {};", index.strip_suffix(']').expect("it is an element"))
        }
    });
}

/// The target where the loop begins.
fn element_at_start(scope: &Scope, sweep: &Sweep, index: usize, inner: &Loop) -> String {
    let target = &sweep.statements[index].target;
    write_element_at(scope, target, target.subscripts.len() - 1, &write_first_place(scope, inner))
}

/// The statement that stores there, and the step.
pub fn write_running(text: &mut Text, scope: &Scope, sweep: &Sweep, statement: &Statement, run: Run, value: &str) {
    let inner = sweep.loops.last().expect("it has a loop");
    let sign = if inner.is_descending { '-' } else { '+' };
    if inner.stride == 1 && statement.guard.is_none() {
        let place = place(scope, statement, run, &format!("{NAME}{sign}{sign}"));
        return text.line(format!("{place} {} {value};", statement.assign.symbol()));
    }
    write_choice(text, scope, statement, value);
    text.line(format!("{NAME} {sign}= {};", inner.stride));
}

/// The target of a statement, in one of its ways.
pub fn write_target(scope: &Scope, statement: &Statement) -> String {
    match statement.way {
        Way::Running(run) => place(scope, statement, run, NAME),
        _ => write_reference(scope, &statement.target),
    }
}

fn place(scope: &Scope, statement: &Statement, run: Run, at: &str) -> String {
    match run {
        Run::Pointer => format!("*{at}"),
        Run::Subscript => format!("{}[{at}]", scope.field(statement.target.field)),
    }
}
