//! Scalars that a sweep's innermost loop carries: `x = a[i + 1] + before; before = a[i]; a[i] = x;`.

use super::super::carried::Carried;
use super::super::model::{Statement, Sweep};
use super::expr::{write_element_at, write_expr, write_reference};
use super::loops::write_first_place;
use super::scope::Scope;
use super::statement::{write_choice, write_set};
use super::text::Text;

/// The scalar.
pub const NAME: &str = "before";

/// Declares it before the innermost loop.
pub fn write_carried_start(text: &mut Text, scope: &Scope, sweep: &Sweep) {
    let Some(carried) = Carried::of(scope.program, sweep) else { return };
    let first = write_first_place(scope, sweep.loops.last().expect("it has a loop"));
    let element = write_element_at(scope, &carried.read, carried.dimension, &first);
    text.line(format!("{} {NAME} = {element};", ty(scope, &carried)));
}

/// The statement that needs it, and what the next iteration gets.
pub fn write_carried(text: &mut Text, scope: &Scope, statement: &Statement, carried: &Carried) {
    let here = write_reference(scope, &carried.here());
    let value = write_expr(scope, &statement.value);
    if statement.guard.is_none() && carried.read.spelling.is_multiple_of(2) {
        let element = scope.program.fields[statement.target.field].element.names().0;
        text.line(format!("{element} next = {value};"));
        text.line(format!("{NAME} = {here};"));
        write_set(text, scope, statement, "next");
    } else {
        text.line(format!("{} here = {here};", ty(scope, carried)));
        write_choice(text, scope, statement, &value);
        text.line(format!("{NAME} = here;"));
    }
}

fn ty(scope: &Scope, carried: &Carried) -> &'static str {
    scope.program.fields[carried.read.field].element.names().0
}
