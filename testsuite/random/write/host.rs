//! What the host does between two steps, or within one.

use super::super::model::{Host, HostCode};
use super::super::ways::Parts;
use super::expr::write_element;
use super::folds::show_fold;
use super::rotation::write_rotation;
use super::scope::Scope;
use super::text::Text;

/// What stands behind so many items of a step.
pub fn write_host(text: &mut Text, scope: &Scope, stands: impl Fn(usize) -> bool) {
    for code in scope.program.host.iter().filter(|code| stands(code.behind)) {
        text.open(format!("if (t % {} == {})", code.every, code.phase));
        match &code.kind {
            Host::Print => text.line("printf(\"step %d\\n\", t);".to_string()),
            Host::Stop => text.line("break;".to_string()),
            Host::End => text.line("exit(0);".to_string()),
            Host::Read { field, loops } => write_read(text, scope, code, *field, *loops),
            Host::Store { field } => {
                let element = element_at(scope, code, *field, 0, None);
                text.line(format!("{element} = 3;"));
            }
            Host::Swap(fields) => write_rotation(text, scope, fields),
            Host::Look { fold } => show_fold(text, scope, *fold),
            Host::Restart { fold } => {
                text.line(format!("{} = {};", scope.fold(*fold), scope.program.folds[*fold].initial));
            }
            Host::Note { fold } => text.line(format!("noted[t & 127] = (double){};", scope.fold(*fold))),
            Host::Gather { fold } => text.line(format!("gathered += {};", scope.fold(*fold))),
            Host::Vary { scalar } => {
                let scalar = scope.scalar(*scalar);
                text.line(format!("{scalar} = {scalar} > 2 ? 1 : {scalar} + 1;"));
            }
            Host::Feed { fold, scalar } => {
                text.line(format!("{} = {} > 1 ? 1 : 2;", scope.scalar(*scalar), scope.fold(*fold)));
            }
        }
        text.close();
    }
}

/// Adds elements up; any NaN is as good as any other.
fn write_read(text: &mut Text, scope: &Scope, code: &HostCode, field: usize, loops: usize) {
    let (extents, shape) = (dims(scope, field), &scope.program.fields[field]);
    let (loops, last) = (loops.min(extents.len()), extents.len() - 1);
    let has_row = code.spelling % 3 == 1 && loops > 0 && shape.form.is_flat() && shape.packing.is_none();
    text.line("double read = 0;".to_string());
    for (dimension, extent) in extents.iter().enumerate().skip(extents.len() - loops) {
        if has_row && dimension == last {
            let first = element_at(scope, code, field, loops, Some("0"));
            text.line(format!("const {} *row = &{first};", scope.element(field)));
        }
        let kind = scope.program.setting.index.name();
        text.open(format!("for ({kind} x{dimension} = 0; x{dimension} < {extent}; x{dimension}++)"));
    }
    let element = if has_row { format!("row[x{last}]") } else { element_at(scope, code, field, loops, None) };
    text.line(format!("read += (double){element};"));
    (0..loops).for_each(|_| text.close());
    text.line("printf(\"read %a\\n\", read != read ? 0.5 : read);".to_string());
}

/// The extents of the dimensions that are no slots and no parts of elements.
fn dims(scope: &Scope, field: usize) -> Vec<String> {
    let first = usize::from(scope.program.fields[field].slots > 1);
    scope.extents(field)[first..first + scope.program.fields[field].dims.len()].to_vec()
}

/// An element: the last dimensions have the variables of the loops, but for the last one if it is given.
fn element_at(scope: &Scope, code: &HostCode, field: usize, loops: usize, last: Option<&str>) -> String {
    let shape = &scope.program.fields[field];
    let extents = dims(scope, field);
    let slot = (shape.slots > 1).then(|| match code.spelling % 4 {
        0 => "0".to_string(),
        1 => (shape.slots - 1).to_string(),
        _ => format!("t % {}", shape.slots),
    });
    let fixed = |dimension: usize| match (usize::from(code.spelling) / 4 + dimension) % 3 {
        0 => "0".to_string(),
        1 => format!("({}) / 2", extents[dimension]),
        _ => format!("({}) - 1", extents[dimension]),
    };
    let subscript = |dimension: usize| match last {
        Some(last) if dimension + 1 == extents.len() => last.to_string(),
        _ if dimension + loops >= extents.len() => format!("x{dimension}"),
        _ => fixed(dimension),
    };
    let part = shape.packing.filter(|packing| packing.kind == Parts::Last).map(|packing| packing.part.to_string());
    let subscripts: Vec<String> = slot.into_iter().chain((0..extents.len()).map(subscript)).chain(part).collect();
    write_element(scope, field, &subscripts, code.spelling)
}
