//! Pointers to the memory of arrays.

use super::actions::Conditional;
use super::scope::StepScope;
use crate::back::host::HOST;
use crate::index::Index;
use crate::ir::{Access, Array, Expr, ExprKind, Handle};
use crate::text::Writer;

/// The pointers, one for each buffer of an array that a step uses.
pub struct Places {
    all: Vec<Pointer>,
}

/// A pointer.
struct Pointer {
    array: Handle<Array>,
    /// The buffer in C, if there are several.
    buffer: Option<(Handle<Expr>, String)>,
}

impl Places {
    /// The pointers that actions need.
    pub fn new(scope: &StepScope<'_>, actions: &[Conditional]) -> Self {
        let mut places = Self { all: Vec::new() };
        for Conditional { action, .. } in actions {
            let access = &scope.nest.accesses[action.access()];
            if places.find(scope, access).is_none() {
                let buffer = buffer(scope, access).map(|buffer| (buffer, scope.integer(buffer)));
                places.all.push(Pointer { array: access.array, buffer });
            }
        }
        places
    }

    fn find(&self, scope: &StepScope<'_>, access: &Access) -> Option<usize> {
        let buffer = buffer(scope, access).map(|buffer| scope.integer(buffer));
        self.all
            .iter()
            .position(|it| it.array == access.array && it.buffer.as_ref().map(|(_, text)| text) == buffer.as_ref())
    }

    /// Declares the pointers that are the same in all steps, and tables of those among which steps choose.
    pub fn write_fixed(&self, writer: &mut Writer, scope: &StepScope<'_>) {
        let mut tables: Vec<Handle<Array>> = Vec::new();
        for (number, Pointer { array, buffer }) in self.all.iter().enumerate() {
            let (ty, history) = (pointer_type(scope, *array), &scope.nest.arrays[*array].history);
            match buffer {
                Some((buffer, _)) if fixed(scope, *buffer).is_none() => {
                    if history.is_none() && !tables.contains(array) {
                        tables.push(*array);
                        let count = scope.nest.arrays[*array].buffers.len();
                        let all: Vec<String> = (0..count).map(|it| memory(scope, *array, it)).collect();
                        writer.line(format_args!("{ty}const buffers{}[] = {{ {} }};", array.index(), all.join(", ")));
                    }
                }
                _ => {
                    let buffer = buffer.as_ref().and_then(|(buffer, _)| fixed(scope, *buffer)).unwrap_or(0);
                    writer.line(format_args!("{ty}const base{number} = {};", memory(scope, *array, buffer)));
                }
            }
        }
    }

    /// Declares the pointers of a step.
    pub fn write_of_step(&self, writer: &mut Writer, scope: &StepScope<'_>) {
        for (number, Pointer { array, buffer }) in self.all.iter().enumerate() {
            let Some((buffer, text)) = buffer.as_ref().filter(|(it, _)| fixed(scope, *it).is_none()) else { continue };
            let ty = pointer_type(scope, *array);
            let memory = match &scope.nest.arrays[*array].history {
                Some(history) => {
                    let row = product(scope.index_of(*buffer), scope.index_of(history.stride));
                    format!("{} + ({})", memory(scope, *array, 0), HOST.index(&row))
                }
                None => format!("buffers{}[{text}]", array.index()),
            };
            writer.line(format_args!("{ty}const base{number} = {memory};"));
        }
    }

    /// An element in C.
    pub fn element(&self, scope: &StepScope<'_>, access: Handle<Access>) -> String {
        let access = &scope.nest.accesses[access];
        let array = &scope.nest.arrays[access.array];
        let number = self.find(scope, access).expect("all accesses have pointers");
        let mut base = format!("base{number}");
        let mut at = Index::Const(0);
        if let Some(history) = array.history.as_ref().filter(|history| history.is_table) {
            let row = access.buffer.map_or(Index::Const(0), |row| scope.index_of(row));
            base = followed(&base, &product(row, scope.index_of(history.stride)));
        }
        for (d, (subscript, stride)) in access.subscripts.iter().zip(&array.strides).enumerate() {
            at = at.sum(product(scope.index_of(*subscript), scope.index_of(*stride)));
            if array.pointers.get(d) == Some(&true) {
                base = followed(&base, &std::mem::replace(&mut at, Index::Const(0)));
            }
        }
        let at = HOST.index(&at);
        if has_tables(array) {
            format!("(({} *){base})[{at}]", array.element.c_name())
        } else {
            format!("{base}[{at}]")
        }
    }
}

/// The choice of a pointer that an access makes: rows behind tables are found element by element, as they may not exist.
fn buffer(scope: &StepScope<'_>, access: &Access) -> Option<Handle<Expr>> {
    let history = scope.nest.arrays[access.array].history.as_ref();
    access.buffer.filter(|_| history.is_none_or(|history| !history.is_table))
}

fn fixed(scope: &StepScope<'_>, buffer: Handle<Expr>) -> Option<usize> {
    match scope.nest.exprs[buffer].kind {
        ExprKind::Int(value) => usize::try_from(value).ok(),
        _ => None,
    }
}

/// Whether pointers stand in the memory that the array's own pointer leads to.
fn has_tables(array: &Array) -> bool {
    array.pointers.contains(&true) || array.history.as_ref().is_some_and(|history| history.is_table)
}

fn pointer_type(scope: &StepScope<'_>, array: Handle<Array>) -> String {
    let array = &scope.nest.arrays[array];
    if has_tables(array) { "void *const *".to_owned() } else { format!("{} *", array.element.c_name()) }
}

/// The memory of a buffer in C.
fn memory(scope: &StepScope<'_>, array: Handle<Array>, buffer: usize) -> String {
    let ty = pointer_type(scope, array);
    let array = &scope.nest.arrays[array];
    let buffer = &array.buffers[buffer];
    let (base, offset) = (scope.base(buffer.variable), buffer.offset.map(|offset| scope.index_of(offset)));
    if array.is_behind_pointer {
        return format!("({ty}){}", followed(&base, &offset.unwrap_or(Index::Const(0))));
    }
    let offset = offset.map(|offset| format!(" + ({})", HOST.index(&offset))).unwrap_or_default();
    format!("({ty}){base}{offset}")
}

/// A product, without a factor of 0 or 1.
fn product(number: Index, stride: Index) -> Index {
    match (number, stride) {
        (Index::Const(0), _) | (_, Index::Const(0)) => Index::Const(0),
        (Index::Const(1), stride) => stride,
        (number, stride) => number.multiplied_by(stride),
    }
}

/// The pointer in a table.
fn followed(table: &str, at: &Index) -> String {
    format!("stencil_followed({table}, {})", HOST.index(at))
}
