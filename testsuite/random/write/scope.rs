//! What fields, sizes and scalars are called where a part of the program stands.

use std::cell::RefCell;

use super::super::carried::Carried;
use super::super::folds::FoldPlace;
use super::super::model::{Element, Field, Form, Program, STEPS};
use super::super::ways::{Nesting, Packing, Parts, Sizes};
use super::routines::Routines;
use super::{FIELDS, SCALARS, SIZES};

/// The names in one function of the program.
#[derive(Clone)]
pub struct Scope<'p> {
    pub program: &'p Program,
    /// The functions met so far while the nest is written.
    pub routines: &'p RefCell<Routines>,
    /// Names of fields that are parameters.
    parameters: Vec<Option<String>>,
    /// The structure as it is here: a variable, or a pointer to it.
    pub has_pointer: bool,
    pub is_elsewhere: bool,
    /// Subscripts beside walls are variables of the loop's body.
    pub holds_walls: bool,
    /// They are in arrays.
    pub holds_tables: bool,
    /// In a loop over `s`: the axis along which it goes, and where it begins.
    pub run: Option<(usize, i64)>,
    /// What a scalar has of what the statement reads.
    pub carried: Option<Carried>,
    /// Whether functions around this get pointers to folds, by fold.
    fold_pointers: Vec<bool>,
    /// The fold that is a variable of the function's own.
    own_fold: Option<usize>,
}

impl<'p> Scope<'p> {
    /// `main`.
    pub fn new(program: &'p Program, routines: &'p RefCell<Routines>) -> Self {
        Self {
            program,
            routines,
            parameters: vec![None; program.fields.len()],
            has_pointer: false,
            is_elsewhere: false,
            holds_walls: false,
            holds_tables: false,
            run: None,
            carried: None,
            fold_pointers: vec![false; program.folds.len()],
            own_fold: None,
        }
    }

    /// A function that this one calls, before its parameters have names.
    pub fn callee(&self, is_elsewhere: bool) -> Self {
        let has_pointer = self.program.setting.structure.is_some_and(|structure| structure.by_pointer);
        let parameters = vec![None; self.program.fields.len()];
        Self {
            parameters,
            has_pointer,
            is_elsewhere: self.is_elsewhere || is_elsewhere,
            holds_walls: false,
            holds_tables: false,
            fold_pointers: vec![true; self.program.folds.len()],
            ..self.clone()
        }
    }

    /// The function of the nest.
    pub fn nest_function(&self) -> Self {
        let fold_pointers = self.program.folds.iter().map(|fold| fold.place == FoldPlace::Pointer).collect();
        Self { fold_pointers, ..self.callee(false) }
    }

    /// The same where a fold is a variable of the function's own.
    pub fn with_own_fold(&self, fold: usize) -> Self {
        let mut copy = self.clone();
        copy.own_fold = Some(fold);
        copy
    }

    /// The same for a program that differs in what the host does.
    pub fn of<'q>(&self, program: &'q Program) -> Scope<'q>
    where
        'p: 'q,
    {
        Scope { program, ..self.clone() }
    }

    /// The same where arrays of subscripts are filled.
    pub fn with_tables(&self) -> Self {
        Self { holds_tables: true, ..self.clone() }
    }

    /// The same in a loop over `s`.
    pub fn with_run(&self, axis: usize, first: i64) -> Self {
        Self { run: Some((axis, first)), ..self.clone() }
    }

    /// The same in a loop's body that has variables for walls, or has none.
    pub fn with_walls(&self, holds_walls: bool) -> Self {
        Self { holds_walls, ..self.clone() }
    }

    /// The same in a statement of which a scalar has what it reads.
    pub fn with_carried(&self, carried: Carried) -> Self {
        Self { carried: Some(carried), ..self.clone() }
    }

    pub fn name_parameter(&mut self, field: usize, name: String) {
        self.parameters[field] = Some(name);
    }

    pub fn is_parameter(&self, field: usize) -> bool {
        self.parameters[self.program.array_of(field)].is_some()
    }

    /// The array that has the field: `a`, or `grid->a`
    pub fn field(&self, field: usize) -> String {
        let field = self.program.array_of(field);
        match &self.parameters[field] {
            Some(name) => name.clone(),
            None if is_member(self.program, field) => self.member(FIELDS[field]),
            None => FIELDS[field].to_string(),
        }
    }

    /// `n`, or `grid->size.n`
    pub fn size(&self, axis: usize) -> String {
        match self.program.setting.structure.and_then(|structure| structure.sizes) {
            _ if axis == STEPS => SIZES[axis].to_string(),
            Some(Nesting::Flat) => self.member(SIZES[axis]),
            Some(Nesting::Nested) => self.member(&format!("size.{}", SIZES[axis])),
            None => SIZES[axis].to_string(),
        }
    }

    /// `fold0`, `(*fold0)`, `grid->fold0`
    pub fn fold(&self, fold: usize) -> String {
        self.fold_variable(fold, &format!("fold{fold}"))
    }

    /// The same for another variable of the fold.
    pub fn fold_variable(&self, fold: usize, name: &str) -> String {
        match self.program.folds[fold].place {
            _ if self.own_fold == Some(fold) => name.to_string(),
            FoldPlace::Global => name.to_string(),
            FoldPlace::Member => self.member(name),
            FoldPlace::Local | FoldPlace::Pointer if self.fold_pointers[fold] => format!("(*{name})"),
            FoldPlace::Local | FoldPlace::Pointer => name.to_string(),
        }
    }

    pub fn has_fold_pointer(&self, fold: usize) -> bool {
        self.fold_pointers[fold]
    }

    pub fn scalar(&self, scalar: usize) -> String {
        if is_member_scalar(self.program, scalar) { self.member(SCALARS[scalar]) } else { SCALARS[scalar].to_string() }
    }

    fn member(&self, name: &str) -> String {
        format!("grid{}{name}", if self.has_pointer { "->" } else { "." })
    }

    /// The texts of the extents of a field's array, slots first.
    pub fn extents(&self, field: usize) -> Vec<String> {
        let field = &self.program.fields[field];
        let slots = (field.slots > 1).then(|| field.slots.to_string());
        let dims = field.dims.iter().map(|dim| {
            let is_fixed = field.form == Form::Fixed;
            let name = if is_fixed { format!("MAX_{}", SIZES[dim.axis].to_uppercase()) } else { self.size(dim.axis) };
            let scaled = if dim.scale == 1 { name } else { format!("{} * {name}", dim.scale) };
            if dim.extra == 0 { scaled } else { format!("{scaled} + {}", dim.extra) }
        });
        let parts =
            field.packing.filter(|packing| packing.kind == Parts::Last).map(|packing| packing.parts.to_string());
        slots.into_iter().chain(dims).chain(parts).collect()
    }

    /// `(size_t)2 * (n) * (m + 1)`, members of structures counted one by one.
    pub fn element_count(&self, field: usize) -> String {
        let members = self.program.fields[field].packing.filter(|packing| packing.kind != Parts::Last);
        let members = members.map(|packing| packing.parts.to_string());
        let factors = self.extents(field).into_iter().chain(members).map(|extent| format!("({extent})"));
        format!("(size_t){}", factors.collect::<Vec<_>>().join(" * "))
    }

    /// The type of an element of a field's array.
    pub fn element(&self, field: usize) -> String {
        let Field { element, packing, .. } = &self.program.fields[field];
        let structure = packing.and_then(|packing| structure_name(*element, packing));
        structure.unwrap_or_else(|| element.names().0.to_string())
    }

    /// `double *a`, `double (*a)[m]`, `double **a` or `double a[n][m]`, with any name or none.
    pub fn declare(&self, field: usize, name: &str) -> String {
        let (form, element) = (self.program.fields[field].form, self.element(field));
        let extents = self.extents(field);
        match form {
            Form::Flat | Form::GlobalFlat => format!("{element} *{name}"),
            Form::Tables => format!("{element} {}{name}", "*".repeat(extents.len())),
            Form::Rows => self.declare_rows(field, name),
            Form::Variable | Form::Fixed => format!("{element} {name}{}", ranges(&extents)),
        }
    }

    /// `double (*a)[m]`, for all forms but tables.
    pub fn declare_rows(&self, field: usize, name: &str) -> String {
        let (element, extents) = (self.element(field), self.extents(field));
        if extents.len() == 1 {
            format!("{element} *{name}")
        } else {
            format!("{element} (*{name}){}", ranges(&extents[1..]))
        }
    }
}

/// `struct double_cell2`, if parts are members.
pub fn structure_name(element: Element, packing: Packing) -> Option<String> {
    let kind = match packing.kind {
        Parts::Last => return None,
        Parts::Members => "cell",
        Parts::Listed => "list",
    };
    Some(format!("struct {}_{kind}{}", element.names().1, packing.parts))
}

/// `[n][m]`
fn ranges(extents: &[String]) -> String {
    extents.iter().map(|extent| format!("[{extent}]")).collect()
}

/// Whether the field is a member of the structure.
pub fn is_member(program: &Program, field: usize) -> bool {
    let form = program.fields[field].form;
    program.setting.structure.is_some_and(|s| s.holds_fields) && matches!(form, Form::Flat | Form::Tables)
}

pub fn is_member_scalar(program: &Program, scalar: usize) -> bool {
    program.setting.structure.is_some_and(|s| s.holds_scalars) && !program.scalars[scalar].is_global
}

/// Whether sizes are variables of functions, which hand them on.
pub fn has_local_sizes(program: &Program) -> bool {
    program.setting.sizes == Sizes::Local && program.setting.structure.is_none_or(|s| s.sizes.is_none())
}
