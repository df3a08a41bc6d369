//! Exchanges of pointers, in line or in a function.

use super::super::model::{Form, Item, Program};
use super::super::needs::Needs;
use super::super::ways::Routine;
use super::FIELDS;
use super::routines::{self, Parameter, Purpose};
use super::scope::{Scope, is_member};
use super::text::Text;

/// The fields whose pointers change places.
pub fn rotated_fields(program: &Program) -> Vec<usize> {
    let fields = |item: &Item| if let Item::Rotate(fields) = item { fields.clone() } else { Vec::new() };
    let mut fields: Vec<usize> = program.items.iter().flat_map(fields).collect();
    fields.sort_unstable();
    fields.dedup();
    fields
}

/// Whether a function can do it: it cannot exchange pointers that are variables of its caller.
pub fn may_be_function(program: &Program) -> bool {
    let by_pointer = program.setting.structure.is_some_and(|structure| structure.by_pointer);
    let outlives = |field: usize| program.fields[field].form.is_global() || by_pointer && is_member(program, field);
    rotated_fields(program).into_iter().all(outlives)
}

/// Whether a function can get their addresses.
pub fn may_be_exchanged(scope: &Scope, fields: &[usize]) -> bool {
    fields.iter().all(|field| matches!(scope.program.fields[*field].form, Form::Flat | Form::GlobalFlat | Form::Tables))
}

/// `exchange(&a, &b);`, or `exchange();` for pointers that the function knows by itself.
pub fn write_exchange(text: &mut Text, scope: &Scope, routine: Routine, fields: &[usize]) {
    let has_names = !routine.passes_fields && may_be_function(scope.program);
    let needs = if has_names { Needs { fields: fields.to_vec(), ..Needs::default() } } else { Needs::default() };
    let parameter = |(place, field): (usize, &usize)| {
        let name = FIELDS[place];
        let declaration = scope.declare(*field, &format!("*{name}"));
        Parameter { name: name.to_string(), declaration, argument: format!("&{}", scope.field(*field)) }
    };
    let extra = if has_names { Vec::new() } else { fields.iter().enumerate().map(parameter).collect() };
    let purpose = Purpose { changes_structure: true, extra, is_bare: true, ..Purpose::of("exchange", needs) };
    let call = routines::call(scope, routine, purpose, |body, inner| {
        let name = |(place, field): (usize, &usize)| {
            if has_names { inner.field(*field) } else { format!("*{}", FIELDS[place]) }
        };
        write_rotation_of(body, inner, fields, &fields.iter().enumerate().map(name).collect::<Vec<_>>());
    });
    text.line(format!("{call};"));
}

/// `double *kept = a; a = b; b = kept;`
pub fn write_rotation(text: &mut Text, scope: &Scope, fields: &[usize]) {
    write_rotation_of(text, scope, fields, &fields.iter().map(|field| scope.field(*field)).collect::<Vec<_>>());
}

fn write_rotation_of(text: &mut Text, scope: &Scope, fields: &[usize], names: &[String]) {
    let kept = format!("{}_kept", names[0].trim_start_matches('*').rsplit(['.', '>']).next().unwrap_or_default());
    text.line(format!("{} = {};", scope.declare(fields[0], &kept), names[0]));
    for pair in names.windows(2) {
        text.line(format!("{} = {};", pair[0], pair[1]));
    }
    text.line(format!("{} = {kept};", names[names.len() - 1]));
}
