//! Prints a program as C, in the form of a case of `accept`.

mod expr;
mod folds;
mod globals;
mod host;
mod loops;
mod memory;
mod nest;
mod rotation;
mod routines;
mod scope;
mod statement;
mod text;
mod totals;
mod turns;
mod walls;

use std::cell::RefCell;

use globals::{Linkage, declare_scalar, write_directives, write_globals, write_types};
use routines::Routines;
use scope::Scope;
use text::Text;

use super::model::Program;

/// Names by number: fields, `n` of each axis, that of steps included, loop variables and scalars.
const FIELDS: [&str; 16] = ["a", "b", "c", "d", "e", "f", "g", "h", "u", "v", "w", "z", "x", "y", "o", "r"];
const SIZES: [&str; 5] = ["n", "m", "p", "q", "steps"];
const PLACES: [&str; 5] = ["i", "j", "k", "l", "t"];
const SCALARS: [&str; 4] = ["alpha", "beta", "omega", "kappa"];

/// A file of a program besides the one with the nest.
pub struct Source {
    /// Its path from the folder of the program.
    pub path: String,
    pub text: String,
}

/// The file of the nest, whose directives name the other C file if there is one, and the other files, which are in a folder
/// `stem`; `title` says what the case is about.
pub fn write_program(program: &Program, title: &str, stem: &str) -> (String, Vec<Source>) {
    let routines = RefCell::default();
    let main = Scope::new(program, &routines);
    let mut nest = Text::default();
    if program.setting.is_function {
        memory::write_function(&mut nest, &main);
    }
    memory::write_main(&mut nest, &main);
    let mut text = Text::default();
    write_directives(&mut text, program, title);
    let others = if routines.borrow().has_elsewhere() { write_others(&mut text, &main, stem) } else { Vec::new() };
    if others.is_empty() {
        text.line("#include \"memory.h\"".to_string());
        text.blank();
        write_types(&mut text, &main);
    }
    write_globals(&mut text, &main, if others.is_empty() { Linkage::Internal } else { Linkage::Defined });
    let routines = routines.borrow();
    routines.write_before(&mut text);
    text.append(&nest);
    routines.write_behind(&mut text);
    (text.finish(), others)
}

/// The other C file and the header of both; begins the file of the nest.
fn write_others(text: &mut Text, main: &Scope, stem: &str) -> Vec<Source> {
    text.line(format!("// with: {stem}/other.c"));
    text.line(format!("#include \"{stem}/shared.h\""));
    text.blank();
    let (mut other, mut shared) = (Text::default(), Text::default());
    let routines: std::cell::Ref<Routines> = main.routines.borrow();
    other.line("#include \"shared.h\"".to_string());
    routines.write_elsewhere(&mut other);
    shared.line("#include \"memory.h\"".to_string());
    write_types(&mut shared, main);
    write_globals(&mut shared, main, Linkage::Declared);
    routines.write_shared(&mut shared);
    let source = |name: &str, text: Text| Source { path: format!("{stem}/{name}"), text: text.finish() };
    vec![source("other.c", other), source("shared.h", shared)]
}
