//! Macros in the clauses of `#pragma stencil`, which preprocessors leave as they are.
//!
//! Sizes and numbers may be macros, as in `extent(p[0:NX][0:NY]) time_tile(STEPS)`. The compiler lists the definitions in the
//! order in which they stand (`-dD`). Those, with the sizes on lines of their own where the pragmas are, are preprocessed
//! once more: what comes out is what C makes of the sizes at that place. Names of arrays and words such as `rows` are no sizes.

use std::ops::Range;

use super::lexer::tokens;
use super::pragma::{pragma, stencil_pragma};
use super::{Preprocessed, Span};

/// The clauses whose arguments are numbers.
const NUMBERS: [&str; 4] = ["time_tile", "tile", "per_item", "work_group"];

/// Begins a line that holds a size; behind it is the size's number.
const MARK: &str = "stencil_size__";

/// The clauses of each pragma of a file, in order, with what is to be expanded in them.
pub struct Sizes<'t> {
    clauses: Vec<(&'t str, Vec<Range<usize>>)>,
}

impl<'t> Sizes<'t> {
    /// Finds the sizes in the pragmas of preprocessed text.
    pub fn find(preprocessed: &'t Preprocessed) -> Self {
        let clauses = preprocessed.text().lines().filter_map(stencil_pragma);
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
        let mut text = String::new();
        let (mut pragmas, mut number) = (self.clauses.iter(), 0);
        for line in listed.lines() {
            if let Some(words) = stencil_pragma(line) {
                let (_, ranges) = pragmas.next().filter(|(same, _)| *same == words)?;
                for range in ranges {
                    text += &format!("{MARK}{number} {}\n", &words[range.clone()]);
                    number += 1;
                }
            } else if is_definition(line) {
                text += line;
                text.push('\n');
            }
        }
        let is_macro = |name: &str| text.lines().any(|line| defined_name(line) == Some(name));
        self.all().any(|size| names_in(size).any(is_macro)).then_some(text)
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

/// What is a size or a list of numbers in clauses: arguments of some, and what is in brackets in `extent`.
fn sizes_in(words: &str) -> Vec<Range<usize>> {
    let all = tokens(words.as_bytes(), Span::new(0, words.len()));
    let word = |token: &Span| &words[token.start..token.end];
    let (mut found, mut clause, mut depth, mut start) = (Vec::new(), "", 0, 0);
    for (index, token) in all.iter().enumerate() {
        match word(token) {
            "(" | "[" => {
                let is_size = if depth == 0 { NUMBERS.contains(&clause) } else { clause == "extent" && depth == 1 };
                depth += 1;
                if is_size {
                    start = token.end;
                }
            }
            ")" | "]" => {
                depth -= 1;
                let is_size = if depth == 0 { NUMBERS.contains(&clause) } else { clause == "extent" && depth == 1 };
                if is_size {
                    found.push(start..token.start);
                }
            }
            name if depth == 0 => clause = name,
            _ => {}
        }
        if depth < 0 || index > MAX_TOKENS {
            return Vec::new();
        }
    }
    found
}

/// Tokens of the clauses of a pragma with sizes in which macros are known.
const MAX_TOKENS: usize = 1000;

fn names_in(size: &str) -> impl Iterator<Item = &str> {
    let words =
        tokens(size.as_bytes(), Span::new(0, size.len())).into_iter().map(|token| &size[token.start..token.end]);
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
}

/// Whether a line of text that the compiler lists with `-dD` says what macros mean.
fn is_definition(line: &str) -> bool {
    let is_saved = |words: &str| ["push_macro", "pop_macro"].iter().any(|word| words.trim_start().starts_with(word));
    line.starts_with("#define ") || line.starts_with("#undef ") || pragma(line).is_some_and(is_saved)
}

/// The macro that a line defines.
fn defined_name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("#define ")?;
    rest.split(|c: char| c.is_whitespace() || c == '(').next()
}

#[cfg(test)]
mod tests {
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
        let preprocessed = Preprocessed::new(text.as_bytes().to_vec());
        let sizes = Sizes::find(&preprocessed);
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
