//! Prints a program as C, in the form of a case of `accept`.

mod carried;
mod expr;
mod folds;
mod globals;
mod host;
mod loops;
mod memory;
mod nest;
mod norms;
mod rotation;
mod running;
mod routines;
mod scope;
mod statement;
mod text;
mod totals;
mod turns;
mod walls;

use std::cell::RefCell;

use globals::{Linkage, declare_scalar, define_scalar, write_directives, write_globals, write_types};
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
    let (mut before, mut behind) = (Text::default(), Text::default());
    routines.borrow().write_before(&mut before);
    routines.borrow().write_behind(&mut behind);
    let is_elsewhere = routines.borrow().has_elsewhere();
    let is_hidden = |index: usize| {
        let is_named = [&before, &nest, &behind].into_iter().any(|text| text.has_word(SCALARS[index]));
        is_elsewhere && !is_named && program.scalars[index].tenths % 2 == 0
    };
    let hidden: Vec<usize> = (0..program.scalars.len()).filter(|index| is_hidden(*index)).collect();
    let mut text = Text::default();
    write_directives(&mut text, program, title);
    let others = if is_elsewhere { write_others(&mut text, &main, stem, &hidden) } else { Vec::new() };
    if others.is_empty() {
        text.line("#include \"memory.h\"".to_string());
        text.blank();
        write_types(&mut text, &main);
    }
    write_globals(&mut text, &main, if others.is_empty() { Linkage::Internal } else { Linkage::Defined }, &hidden);
    [&before, &nest, &behind].into_iter().for_each(|part| text.append(part));
    (text.finish(), others)
}

/// The other C file and the header of both; begins the file of the nest. The `hidden` scalars are declared in the other C file alone.
fn write_others(text: &mut Text, main: &Scope, stem: &str, hidden: &[usize]) -> Vec<Source> {
    text.line(format!("// with: {stem}/other.c"));
    text.line(format!("#include \"{stem}/shared.h\""));
    text.blank();
    let (mut other, mut shared) = (Text::default(), Text::default());
    let routines: std::cell::Ref<Routines> = main.routines.borrow();
    other.line("#include \"shared.h\"".to_string());
    hidden.iter().for_each(|index| define_scalar(&mut other, main.program, *index, Linkage::Defined));
    routines.write_elsewhere(&mut other);
    shared.line("#include \"memory.h\"".to_string());
    write_types(&mut shared, main);
    write_globals(&mut shared, main, Linkage::Declared, hidden);
    routines.write_shared(&mut shared);
    let source = |name: &str, text: Text| Source { path: format!("{stem}/{name}"), text: text.finish() };
    vec![source("other.c", other), source("shared.h", shared)]
}
