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
//!
//! It stands before the whole loop if its name means nothing else in the function. Then it lives as long as the steps are recorded,
//! so that the driver can give it its value when somebody looks.

use std::ops::Range;

use tree_sitter::Node;

use super::program::Program;
use crate::front::tree::{declared_identifier, fields, mentions, named};
use crate::source::Span;

/// A declaration of variables in a step.
#[derive(Clone)]
pub struct Declared {
    /// The names of the variables, if the declaration can stand before the whole loop; else none.
    pub outliving: Vec<String>,
    /// Its words for the type, in the text that is read.
    pub words: Range<usize>,
    /// The same in the user's file.
    pub span: Span,
    /// The declaration without a value, in the user's words.
    pub written: String,
    /// The same in the words of the text that is read.
    pub read: String,
}

/// A declaration beside a step that stands before the loop instead.
#[derive(Clone)]
pub struct Lasting {
    /// Where it stands in the user's file, without its semicolon.
    pub span: Span,
    /// It as it stands before the loop, and what gives it zeros.
    pub written: Vec<String>,
}

/// The declaration as one that can stand before the step, whose statements before it are `before`; `None` if it cannot.
pub fn declared_before(program: &Program, declaration: Node, before: &[Node]) -> Option<Declared> {
    let unit = program.unit;
    let declarators = fields(declaration, "declarator");
    let variables = declarators.iter().map(|it| initialised(*it)).collect::<Option<Vec<_>>>()?;
    let names: Vec<&str> = variables.iter().map(|(name, _)| program.text(*name)).collect();
    let (first, start) = (declarators.first()?, declaration.start_byte());
    let end = start + unit.text[start..first.start_byte()].trim_end().len();
    let span = unit.span_between(start, end);
    let text = unit.source.bytes();
    let written = std::str::from_utf8(text.get(span.start..span.end)?).ok()?;
    let behind = text[span.end..].trim_ascii_start();
    let is_direct = behind.starts_with(names[0].as_bytes()) && is_words(written) && is_words(&unit.text[start..end]);
    let is_used = |name: &&str| {
        let mut all = variables.iter().map(|(_, value)| value).chain(before);
        all.any(|it| mentions(unit, *it, name))
    };
    let declared = |words: &str| Some(format!("{} {};", plain_words(words)?, names.join(", ")));
    let (written, read) = (declared(written)?, declared(&unit.text[start..end])?);
    let outliving = if means_nothing_else(program, declaration, &names) { names.clone() } else { Vec::new() };
    let outliving = outliving.into_iter().map(str::to_owned).collect();
    (is_direct && !names.iter().any(is_used)).then_some(Declared { outliving, words: start..end, span, written, read })
}

/// The variable and the value of a declarator that is neither a pointer nor an array.
fn initialised(declarator: Node) -> Option<(Node, Node)> {
    let name = declarator.child_by_field_name("declarator").filter(|it| it.kind() == "identifier")?;
    let value = declarator.child_by_field_name("value").filter(|it| it.kind() != "initializer_list")?;
    Some((name, value))
}

/// Whether names stand in the function of a declaration only for what it declares.
fn means_nothing_else(program: &Program, declaration: Node, names: &[&str]) -> bool {
    let mut around = std::iter::successors(declaration.parent(), Node::parent);
    let Some(function) = around.find(|it| it.kind() == "function_definition") else { return false };
    let scope = declaration.start_byte()..declaration.parent().map_or(0, |block| block.end_byte());
    let is_declared_anew = |name: &Node| {
        let mut around = std::iter::successors(name.parent(), Node::parent);
        let other = around.find(|it| matches!(it.kind(), "declaration" | "parameter_declaration"));
        let declarators = other.filter(|it| *it != declaration).map(|it| fields(it, "declarator"));
        declarators.into_iter().flatten().filter_map(declared_identifier).any(|it| it == *name)
    };
    let mut all = names.iter().flat_map(|name| named(program.unit, function, name));
    all.all(|name| scope.contains(&name.start_byte()) && !is_declared_anew(&name))
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
