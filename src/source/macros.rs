//! Macros in the clauses of `#pragma stencil`, which preprocessors leave as they are.
//!
//! Sizes and numbers may be macros, as in `extent(p[0:NX][0:NY]) time_tile(STEPS)`. The compiler lists the definitions in the
//! order in which they stand (`-dD`). Those, with the sizes on lines of their own where the pragmas are, are preprocessed
//! once more: what comes out is what C makes of the sizes at that place. Names of arrays and words such as `rows` are no sizes.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Span;
use super::lexer::{directive_words, directives, tokens};
use super::pragma::{Parentheses, Pragma, find_clauses, read_pragma};
use crate::settings::{Setting, Takes};

/// Begins a line that holds a size; behind it is the size's number.
const MARK: &str = "stencil_size__";

/// The clauses of each pragma of a file, in order, with what is to be expanded in them.
pub struct Sizes<'t> {
    clauses: Vec<(&'t str, Vec<Range<usize>>)>,
}

impl<'t> Sizes<'t> {
    /// The sizes in the pragmas of preprocessed text.
    pub fn of(text: &'t str, pragmas: &[Pragma]) -> Self {
        let clauses = pragmas.iter().map(|pragma| &text[pragma.words.start..pragma.words.end]);
        Self { clauses: clauses.map(|words| (words, sizes_in(words))).collect() }
    }

    /// Whether a name stands in one of them.
    pub fn have_names(&self) -> bool {
        self.all().any(|size| names_in(size).next().is_some())
    }

    /// The sizes, in order.
    fn all(&self) -> impl Iterator<Item = &'t str> {
        self.clauses.iter().flat_map(|(words, ranges)| ranges.iter().map(|range| &words[range.clone()]))
    }

    /// The text to preprocess: the definitions of `listed`, what the compiler prints with `-dD`, and the sizes among them;
    /// `None` if no macro is in a size.
    pub fn among_definitions(&self, listed: &str) -> Option<String> {
        let (mut text, mut macros) = (String::new(), BTreeSet::new());
        let (mut pragmas, mut number) = (self.clauses.iter(), 0);
        for directive in directives(listed.as_bytes()) {
            if let Some(pragma) = read_pragma(listed.as_bytes(), directive) {
                let words = &listed[pragma.words.start..pragma.words.end];
                let (_, ranges) = pragmas.next().filter(|(same, _)| *same == words)?;
                for range in ranges {
                    text += &format!("{MARK}{number} {}\n", &words[range.clone()]);
                    number += 1;
                }
            } else if let Some(name) = defined_name(listed.as_bytes(), directive) {
                macros.insert(name);
                text += &listed[directive.start..directive.end];
                text.push('\n');
            }
        }
        self.all().any(|size| names_in(size).any(|name| macros.contains(name.as_bytes()))).then_some(text)
    }

    /// The clauses of each pragma with the sizes that are in `expanded`, the result of preprocessing
    /// [`among_definitions`](Self::among_definitions).
    pub fn replaced(&self, expanded: &str) -> Vec<String> {
        let find = |number: usize| {
            let mark = format!("{MARK}{number} ");
            expanded.lines().find_map(|line| line.strip_prefix(&mark))
        };
        let mut number = 0;
        let replace = |(words, ranges): &(&str, Vec<Range<usize>>)| {
            let (mut result, mut end) = (String::new(), 0);
            for range in ranges {
                result += &words[end..range.start];
                result += find(number).unwrap_or(&words[range.clone()]);
                end = range.end;
                number += 1;
            }
            result + &words[end..]
        };
        self.clauses.iter().map(replace).collect()
    }
}

/// The sizes and lists of numbers in clauses: arguments of some, and what is in brackets in `extent`.
fn sizes_in(words: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for clause in find_clauses(words.as_bytes(), Span::new(0, words.len())) {
        let Parentheses::Closed(arguments) = clause.arguments else { return Vec::new() };
        match Setting::of_clause(&words[clause.name.start..clause.name.end]).map(Setting::takes) {
            Some(Takes::Extents) => found.extend(in_brackets(words, arguments)),
            Some(Takes::Numbers) => found.push(arguments.start..arguments.end),
            Some(Takes::Words) | None => {}
        }
    }
    if found.len() > MAX_SIZES { Vec::new() } else { found }
}

/// What is in the outermost brackets.
fn in_brackets(words: &str, arguments: Span) -> Vec<Range<usize>> {
    let (mut found, mut depth, mut start) = (Vec::new(), 0, 0);
    for token in tokens(words.as_bytes(), arguments) {
        match &words[token.start..token.end] {
            "(" | "[" => {
                depth += 1;
                start = if depth == 1 { token.end } else { start };
            }
            ")" | "]" => {
                depth -= 1;
                found.extend((depth == 0).then_some(start..token.start));
            }
            _ => {}
        }
    }
    found
}

/// Sizes in the clauses of a pragma in which macros are known.
const MAX_SIZES: usize = 250;

fn names_in(size: &str) -> impl Iterator<Item = &str> {
    let words =
        tokens(size.as_bytes(), Span::new(0, size.len())).into_iter().map(|token| &size[token.start..token.end]);
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
}

/// The macro that a directive defines; empty if it changes meanings in another way, `None` if it changes none.
fn defined_name(listed: &[u8], directive: Span) -> Option<&[u8]> {
    let mut words = directive_words(listed, directive);
    match words.next()? {
        b"define" => words.next(),
        b"undef" => Some(b""),
        b"pragma" if matches!(words.next()?, b"push_macro" | b"pop_macro") => Some(b""),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::pragma::find_pragmas;
    use super::*;

    fn sizes(words: &str) -> Vec<&str> {
        sizes_in(words).into_iter().map(|range| &words[range]).collect()
    }

    #[test]
    fn sizes_and_numbers_are_found_and_no_other_words() {
        let words = "time_tile(T) strategy(rows), extent( u[0:A(n[1])][0:M], v [0:N] ) tile(X, Y) name(N) restrict(a)";
        assert_eq!(sizes(words), ["T", "0:A(n[1])", "0:M", "0:N", "X, Y"]);
        assert!(sizes("tile(4))) extent(").is_empty());
    }

    #[test]
    fn definitions_count_where_the_pragma_stands() {
        let text = "#pragma stencil extent(p[0:N])\n#pragma stencil extent(p[0:N]) tile(T,4)\n";
        let sizes = Sizes::of(text, &find_pragmas(text.as_bytes()));
        assert!(sizes.have_names());
        let listed =
            "#define N 4\n#pragma stencil extent(p[0:N])\nint x;\n#undef N\n#pragma stencil extent(p[0:N]) tile(T,4)\n";
        let expected = "#define N 4\nstencil_size__0 0:N\n#undef N\nstencil_size__1 0:N\nstencil_size__2 T,4\n";
        assert_eq!(sizes.among_definitions(listed).as_deref(), Some(expected));
        assert_eq!(sizes.among_definitions(&listed.replace("#define N", "#define M")), None);
        let replaced = sizes.replaced("stencil_size__0 0:4\n\nstencil_size__2 8,4\n");
        assert_eq!(replaced, ["extent(p[0:4])", "extent(p[0:N]) tile(8,4)"]);
    }
}
