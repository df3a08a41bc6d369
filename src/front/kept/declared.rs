//! What a step declares for the statements behind it: the braces around a step end the scope of such a variable.
//!
//! So it is declared before them, and its declaration in the step becomes an assignment: of `int done = step(u, v);` the host has
//!
//! ```c
//! int done;
//! while (!legacy_stencil_1(n, u, v, &done)) {
//! /* not int */ done = step(u, v);
//! }
//! if (done) break;
//! ```

use std::ops::Range;

use tree_sitter::Node;

use super::program::Program;
use crate::front::tree::{fields, mentions};
use crate::source::Span;

/// A declaration of one variable in a step.
#[derive(Clone)]
pub struct Declared {
    /// Its words for the type, in the text that is read.
    pub words: Range<usize>,
    /// The same in the user's file.
    pub span: Span,
    /// The declaration without a value, in the user's words.
    pub written: String,
    /// The same in the words of the text that is read.
    pub read: String,
}

/// The declaration as one that can stand before the step, whose statements before it are `before`; `None` if it cannot.
pub fn declared_before(program: &Program, declaration: Node, before: &[Node]) -> Option<Declared> {
    let unit = program.unit;
    let [declarator] = fields(declaration, "declarator")[..] else { return None };
    let name = declarator.child_by_field_name("declarator").filter(|it| it.kind() == "identifier")?;
    let value = declarator.child_by_field_name("value").filter(|it| it.kind() != "initializer_list")?;
    let (name, start) = (program.text(name), declaration.start_byte());
    let end = start + unit.text[start..declarator.start_byte()].trim_end().len();
    let span = unit.span_between(start, end);
    let text = unit.source.bytes();
    let written = std::str::from_utf8(text.get(span.start..span.end)?).ok()?;
    let behind = text[span.end..].trim_ascii_start();
    let is_direct = behind.starts_with(name.as_bytes()) && is_words(written) && is_words(&unit.text[start..end]);
    let is_new = !mentions(unit, value, name) && !before.iter().any(|it| mentions(unit, *it, name));
    let declared = |words: &str| Some(format!("{} {name};", plain_words(words)?));
    let (written, read) = (declared(written)?, declared(&unit.text[start..end])?);
    (is_direct && is_new).then_some(Declared { words: start..end, span, written, read })
}

fn is_words(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == ' ')
}

/// The words but for `const`, as the variable is assigned now; `None` where they say more than a type.
fn plain_words(words: &str) -> Option<String> {
    let words: Vec<&str> = words.split_whitespace().filter(|word| *word != "const").collect();
    let is_more = |word: &&str| ["static", "extern", "volatile", "register", "_Thread_local", "auto"].contains(word);
    (!words.is_empty() && !words.iter().any(is_more)).then(|| words.join(" "))
}
