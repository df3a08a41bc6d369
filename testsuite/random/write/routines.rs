//! Functions of the program's own, met while the nest is written.

use super::super::model::{Program, STEPS};
use super::super::needs::Needs;
use super::super::ways::{Kind, Routine, Turn};
use super::folds::fold_parameters;
use super::scope::{Scope, has_local_sizes, is_member, is_member_scalar};
use super::text::Text;
use super::turns::turns;
use super::{FIELDS, PLACES, SCALARS, SIZES, declare_scalar};

/// All functions, those that are called before those that call them.
#[derive(Default)]
pub struct Routines(Vec<Function>);

struct Function {
    name: String,
    result: String,
    parameters: Vec<Parameter>,
    body: Text,
    routine: Routine,
}

/// A parameter and what the call passes for it.
pub struct Parameter {
    pub name: String,
    pub declaration: String,
    pub argument: String,
}

/// What a function is for.
pub struct Purpose<'a> {
    /// Its name begins so.
    pub stem: &'a str,
    pub result: &'a str,
    pub needs: Needs,
    /// It is about one point.
    pub has_places: bool,
    /// Pointers in the structure change places.
    pub changes_structure: bool,
    /// It gets no sizes and no numbers.
    pub is_bare: bool,
    /// Parameters behind all others.
    pub extra: Vec<Parameter>,
}

impl<'a> Purpose<'a> {
    pub fn of(stem: &'a str, needs: Needs) -> Self {
        let (has_places, changes_structure, is_bare) = (false, false, false);
        Self { stem, result: "void", needs, has_places, changes_structure, is_bare, extra: Vec::new() }
    }
}

/// A call of a function with the body that `write` writes; a function that is there already is called again.
pub fn call(outer: &Scope, routine: Routine, purpose: Purpose, write: impl FnOnce(&mut Text, &Scope)) -> String {
    let mut inner = outer.callee(routine.is_elsewhere);
    let mut parameters = parameters(outer, &mut inner, routine, &purpose);
    parameters.extend(purpose.extra);
    let arguments: Vec<String> = parameters.iter().map(|parameter| parameter.argument.clone()).collect();
    let mut body = Text::inside();
    write(&mut body, &inner);
    let routine = settle(routine, outer, &inner, &parameters);
    let result = purpose.result.to_string();
    let function = Function { name: String::new(), result, parameters, body, routine };
    let name = outer.routines.borrow_mut().add(purpose.stem, function);
    format!("{name}({})", arguments.join(", "))
}

/// The nearest way in which C has the function.
fn settle(routine: Routine, outer: &Scope, inner: &Scope, parameters: &[Parameter]) -> Routine {
    let is_shared = inner.is_elsewhere && !outer.is_elsewhere;
    let has_arrays = parameters.iter().any(|parameter| parameter.declaration.contains('['));
    let kind = match routine.kind {
        _ if is_shared => Kind::External,
        Kind::OldStyle if has_arrays || parameters.is_empty() => Kind::Static,
        kind => kind,
    };
    let is_behind = routine.is_behind && !inner.is_elsewhere && kind != Kind::OldStyle;
    Routine { kind, is_behind, is_elsewhere: inner.is_elsewhere, ..routine }
}

fn parameters(outer: &Scope, inner: &mut Scope, routine: Routine, purpose: &Purpose) -> Vec<Parameter> {
    let program = outer.program;
    let names_members = purpose.needs.fields.iter().any(|field| is_member(program, *field));
    let mut parameters = Vec::new();
    if !purpose.is_bare || names_members {
        parameters.extend(structure_parameter(outer, inner, !purpose.changes_structure));
    }
    if purpose.is_bare {
        return parameters;
    }
    parameters.extend(size_parameters(outer));
    let mut add_number = |kind: &str, name: &str| parameters.push(Parameter::same(name, format!("{kind} {name}")));
    let needs = &purpose.needs;
    if needs.fields.iter().any(|field| program.fields[*field].has_steps()) {
        add_number("int", SIZES[STEPS]);
    }
    if (needs.uses_step || needs.uses_turn && program.setting.turn == Turn::Step) && program.time.is_some() {
        add_number("int", "t");
    }
    if needs.uses_turn && program.setting.turn == Turn::Variable {
        turns(program).for_each(|turn| add_number("int", turn.name));
    }
    if purpose.has_places {
        PLACES[..program.rank].iter().for_each(|place| add_number(program.setting.index.name(), place));
    }
    parameters.extend(scalar_parameters(program));
    parameters.extend(fold_parameters(outer, &purpose.needs.folds));
    parameters.extend(field_parameters(outer, inner, routine, &purpose.needs));
    parameters
}

impl Parameter {
    /// A variable that has the same name on both sides.
    pub fn same(name: &str, declaration: String) -> Self {
        Self { name: name.to_string(), declaration, argument: name.to_string() }
    }
}

pub fn structure_parameter(outer: &Scope, inner: &Scope, is_const: bool) -> Vec<Parameter> {
    if outer.program.setting.structure.is_none() {
        return Vec::new();
    }
    let qualifier = if is_const && inner.has_pointer { "const " } else { "" };
    let star = if inner.has_pointer { "*" } else { "" };
    let address = if inner.has_pointer && !outer.has_pointer { "&" } else { "" };
    let declaration = format!("{qualifier}struct grid {star}grid");
    vec![Parameter { name: "grid".to_string(), declaration, argument: format!("{address}grid") }]
}

pub fn size_parameters(outer: &Scope) -> Vec<Parameter> {
    let program = outer.program;
    let rank = if has_local_sizes(program) { program.rank } else { 0 };
    let index = program.setting.index.name();
    SIZES[..rank].iter().map(|size| Parameter::same(size, format!("{index} {size}"))).collect()
}

pub fn scalar_parameters(program: &Program) -> Vec<Parameter> {
    let scalars = program.scalars.iter().enumerate();
    let scalars = scalars.filter(|(index, scalar)| !scalar.is_global && !is_member_scalar(program, *index));
    scalars.map(|(index, scalar)| Parameter::same(SCALARS[index], declare_scalar(index, scalar))).collect()
}

/// The fields get names by their order, so that functions that do the same with other fields have the same text.
fn field_parameters(outer: &Scope, inner: &mut Scope, routine: Routine, needs: &Needs) -> Vec<Parameter> {
    let program = outer.program;
    let can_name = |field: usize| {
        !outer.is_parameter(field) && (program.fields[field].form.is_global() || is_member(program, field))
    };
    let mut arrays: Vec<usize> = Vec::new();
    for array in needs.fields.iter().map(|field| program.array_of(*field)) {
        if !arrays.contains(&array) {
            arrays.push(array);
        }
    }
    let (passed, named): (Vec<usize>, Vec<usize>) =
        arrays.iter().partition(|field| routine.passes_fields || !can_name(**field));
    let mut free = FIELDS.iter().filter(|name| !named.iter().any(|field| FIELDS[*field] == **name));
    let mut parameters = Vec::new();
    for field in passed {
        let name = free.next().expect("as many names as fields");
        inner.name_parameter(field, name.to_string());
        let is_flat = program.fields[field].form.is_flat();
        let is_written = needs.written.iter().any(|other| program.array_of(*other) == field);
        let qualifier = if is_flat && !is_written { "const " } else { "" };
        let declaration = format!("{qualifier}{}", inner.declare(field, name));
        parameters.push(Parameter { name: name.to_string(), declaration, argument: outer.field(field) });
    }
    parameters
}

impl Routines {
    /// The name of a function like this one, which is added if there is none.
    fn add(&mut self, stem: &str, function: Function) -> String {
        if let Some(same) = self.0.iter().find(|other| other.is_same(&function)) {
            return same.name.clone();
        }
        let name = format!("{stem}{}", self.0.len());
        self.0.push(Function { name: name.clone(), ..function });
        name
    }

    pub fn has_elsewhere(&self) -> bool {
        self.0.iter().any(|function| function.routine.is_elsewhere)
    }

    /// What the header of several files declares.
    pub fn write_shared(&self, text: &mut Text) {
        let shared = self.0.iter().filter(|f| f.routine.is_elsewhere && f.routine.kind == Kind::External);
        shared.for_each(|function| text.line(format!("{};", function.head())));
    }

    /// The definitions of the other file.
    pub fn write_elsewhere(&self, text: &mut Text) {
        self.0.iter().filter(|function| function.routine.is_elsewhere).for_each(|function| function.write(text));
    }

    /// What stands before the function of the nest.
    pub fn write_before(&self, text: &mut Text) {
        let (behind, before): (Vec<&Function>, Vec<&Function>) = self.here().partition(|f| f.routine.is_behind);
        behind.iter().for_each(|function| text.line(format!("{};", function.head())));
        before.iter().for_each(|function| function.write(text));
    }

    /// What stands behind it.
    pub fn write_behind(&self, text: &mut Text) {
        self.here().filter(|function| function.routine.is_behind).for_each(|function| function.write(text));
    }

    fn here(&self) -> impl Iterator<Item = &Function> {
        self.0.iter().filter(|function| !function.routine.is_elsewhere)
    }
}

impl Function {
    fn is_same(&self, other: &Self) -> bool {
        let declarations = |f: &Self| f.parameters.iter().map(|p| p.declaration.clone()).collect::<Vec<_>>();
        self.body == other.body
            && self.result == other.result
            && self.routine == other.routine
            && declarations(self) == declarations(other)
    }

    /// `static double value(int n, const double *a)`
    fn head(&self) -> String {
        let kind = match self.routine.kind {
            Kind::Static => "static ",
            Kind::StaticInline => "static inline ",
            Kind::External | Kind::OldStyle => "",
        };
        let is_old = self.routine.kind == Kind::OldStyle;
        let text = |parameter: &Parameter| if is_old { &parameter.name } else { &parameter.declaration }.clone();
        let parameters: Vec<String> = self.parameters.iter().map(text).collect();
        let parameters = if parameters.is_empty() { "void".to_string() } else { parameters.join(", ") };
        format!("{kind}{} {}({parameters})", self.result, self.name)
    }

    fn write(&self, text: &mut Text) {
        text.blank();
        if self.routine.kind == Kind::OldStyle {
            let declarations: String = self.parameters.iter().map(|p| format!(" {};", p.declaration)).collect();
            text.open(format!("{}{declarations}", self.head()));
        } else {
            text.open(self.head());
        }
        text.append(&self.body);
        text.close();
    }
}
