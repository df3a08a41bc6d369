//! The clauses of a `#pragma stencil` line.

use std::ops::Range;

use strsim::levenshtein;

use crate::ir::{Clauses, FpMode, StrategyName};
use crate::source::{Diagnostic, Span};

use super::Failable;

const KNOWN: [&str; 10] =
    ["time_tile", "tile", "per_item", "work_group", "strategy", "fp", "name", "scratch", "restrict", "extent"];

/// Mistakes of one pragma that are told at once.
const MAX_ERRORS: usize = 8;

/// An `extent(A[0:n][0:m])` clause: the array and the texts of its sizes, outermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The array or pointer.
    pub array: String,
    /// Number of elements in each dimension, as C expressions.
    pub sizes: Vec<String>,
}

/// Where clauses stand in the user's file.
pub struct Place<'a> {
    /// The pragma with the lines that continue it.
    pub line: &'a str,
    /// Its span.
    pub span: Span,
}

impl Place<'_> {
    /// Where the clause `name` is in the line, at or behind `from`.
    fn find(&self, name: &str, from: usize) -> Option<Range<usize>> {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let start = self.line[from..].match_indices(name).map(|(at, _)| from + at).find(|at| {
            let (before, behind) = (&self.line[..*at], &self.line[at + name.len()..]);
            !name.is_empty() && !before.ends_with(is_part) && !behind.starts_with(is_part)
        })?;
        let behind = &self.line[start + name.len()..];
        let is_call = behind.trim_start().starts_with('(');
        let end = start + name.len() + if is_call { closing(behind).unwrap_or(behind.trim_end().len()) } else { 0 };
        Some(start..end)
    }

    /// The span of a part of the line, or of the whole line.
    fn span(&self, part: Option<Range<usize>>) -> Span {
        let Some(Range { start, end }) = part else { return self.span };
        // Of a line that is not UTF-8 every byte is a character.
        let is_utf8 = self.line.len() == self.span.end - self.span.start;
        let offset = |at: usize| self.span.start + if is_utf8 { at } else { self.line[..at].chars().count() };
        Span::new(offset(start), offset(end))
    }
}

/// The place behind the parenthesis that closes the first one of `text`.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(at + 1),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Reads the clauses in `text`, what follows `#pragma stencil`.
///
/// # Errors
/// Every clause that is unknown, malformed, or given twice, up to a few.
pub fn read_clauses(text: &str, place: &Place) -> Result<(Clauses, Vec<Extent>), Vec<Diagnostic>> {
    let mut clauses = Clauses::default();
    let mut extents = Vec::new();
    let mut errors = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    let mut rest = text.trim_start();
    let mut read_until = place.line.find("stencil").map_or(0, |at| at + "stencil".len());
    while !rest.is_empty() {
        let part = place.find(first_word(rest), read_until);
        read_until = part.as_ref().map_or(read_until, |part| part.end);
        let span = place.span(part);
        let (name, arguments, behind) = match split_clause(rest, span) {
            Ok(parts) => parts,
            Err(error) => {
                errors.push(*error);
                break;
            }
        };
        let result = if !KNOWN.contains(&name) {
            Err(unknown(name, span))
        } else if seen.contains(&name) && name != "extent" {
            Err(malformed(span, format!("the clause `{name}` is given twice"), "keep one of them"))
        } else {
            read_clause(&mut clauses, &mut extents, name, arguments, span)
        };
        errors.extend(result.err().map(|error| *error));
        if errors.len() == MAX_ERRORS {
            break;
        }
        seen.push(name);
        rest = behind.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
    }
    if errors.is_empty() { Ok((clauses, extents)) } else { Err(errors) }
}

fn first_word(text: &str) -> &str {
    &text[..text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len())]
}

/// Cuts `name(arguments)` off the front of `text`.
fn split_clause(text: &str, span: Span) -> Failable<(&str, &str, &str)> {
    let name = first_word(text);
    if name.is_empty() {
        return Err(malformed(span, format!("`{text}` does not begin with a clause"), "write e.g. `tile(64, 16)`"));
    }
    let behind = text[name.len()..].trim_start();
    if let Some(end) = closing(behind).filter(|_| behind.starts_with('(')) {
        return Ok((name, behind[1..end - 1].trim(), &behind[end..]));
    }
    if !KNOWN.contains(&name) {
        return Err(unknown(name, span));
    }
    if behind.starts_with('(') {
        return Err(malformed(span, format!("the parenthesis behind `{name}` is not closed"), "add the missing `)`"));
    }
    Err(malformed(span, format!("the clause `{name}` has no arguments in parentheses"), "write e.g. `tile(64, 16)`"))
}

fn read_clause(
    clauses: &mut Clauses,
    extents: &mut Vec<Extent>,
    name: &str,
    arguments: &str,
    span: Span,
) -> Failable<()> {
    match name {
        "time_tile" => clauses.time_tile = Some(one_number(name, arguments, span)?),
        "tile" => clauses.tile = numbers(name, arguments, span)?,
        "per_item" => clauses.per_item = Some(one_number(name, arguments, span)?),
        "work_group" => clauses.work_group = numbers(name, arguments, span)?,
        "strategy" => {
            clauses.strategy = Some(match arguments {
                "direct" => StrategyName::Direct,
                "local" => StrategyName::Local,
                "stream" => StrategyName::Stream,
                "rows" => StrategyName::Rows,
                _ => return Err(bad_choice(name, arguments, "direct`, `local`, `stream` or `rows", span)),
            });
        }
        "fp" => {
            clauses.fp = Some(match arguments {
                "strict" => FpMode::Strict,
                "contract" => FpMode::Contract,
                "fast" => FpMode::Fast,
                _ => return Err(bad_choice(name, arguments, "strict`, `contract` or `fast", span)),
            });
        }
        "name" => clauses.name = Some(identifier(name, arguments, span)?),
        "scratch" => clauses.scratch = identifiers(name, arguments, span)?,
        "restrict" => clauses.restrict = identifiers(name, arguments, span)?,
        _ => {
            for argument in split_at_commas(arguments) {
                extents.push(read_extent(argument.trim(), span)?);
            }
        }
    }
    Ok(())
}

fn numbers(name: &str, arguments: &str, span: Span) -> Failable<Vec<u32>> {
    let number = |text: &str| without_parentheses(text).parse().ok().filter(|number| *number > 0);
    arguments.split(',').map(number).collect::<Option<Vec<u32>>>().ok_or_else(|| {
        let message = format!("`{name}({arguments})` needs positive numbers");
        malformed(span, message, "write numbers, or macros that are numbers")
    })
}

/// A number as macros often have it: `(4)`.
fn without_parentheses(text: &str) -> &str {
    let text = text.trim();
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    inner.map_or(text, without_parentheses)
}

fn one_number(name: &str, arguments: &str, span: Span) -> Failable<u32> {
    match numbers(name, arguments, span)?.as_slice() {
        [number] => Ok(*number),
        _ => Err(malformed(span, format!("`{name}` takes one number"), "remove the others")),
    }
}

fn identifiers(name: &str, arguments: &str, span: Span) -> Failable<Vec<String>> {
    arguments.split(',').map(|word| identifier(name, word.trim(), span)).collect()
}

fn identifier(name: &str, word: &str, span: Span) -> Failable<String> {
    let is_identifier = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_identifier {
        return Ok(word.to_owned());
    }
    Err(malformed(span, format!("`{word}` in `{name}` is not a C identifier"), "write a plain name"))
}

/// The parts of `text` between the commas outside all brackets.
fn split_at_commas(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

fn read_extent(arguments: &str, span: Span) -> Failable<Extent> {
    let bad = || {
        let message = format!("`extent({arguments})` is not understood");
        malformed(span, message, "write the array with a range for each dimension, as in `extent(a[0:n][0:m])`")
    };
    let open = arguments.find('[').ok_or_else(bad)?;
    let array = identifier("extent", arguments[..open].trim(), span)?;
    let ranges = arguments[open..].trim().strip_prefix('[').and_then(|text| text.strip_suffix(']')).ok_or_else(bad)?;
    let sizes = ranges.split("][").map(|range| {
        let (start, size) = range.split_once(':')?;
        (start.trim() == "0" && !size.trim().is_empty()).then(|| size.trim().to_owned())
    });
    Ok(Extent { array, sizes: sizes.collect::<Option<_>>().ok_or_else(bad)? })
}

fn bad_choice(name: &str, given: &str, choices: &str, span: Span) -> Box<Diagnostic> {
    malformed(span, format!("`{name}({given})` is not known"), &format!("write `{choices}`"))
}

fn malformed(span: Span, message: String, help: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("pragma-clause", message, span).with_help(help))
}

fn unknown(name: &str, span: Span) -> Box<Diagnostic> {
    let diagnostic = Diagnostic::error("unknown-clause", format!("there is no clause `{name}`"), span);
    let nearest = KNOWN.iter().min_by_key(|known| levenshtein(name, known)).copied().unwrap_or_default();
    let all = format!("the clauses are: {}", KNOWN.join(", "));
    let is_near = 2 * levenshtein(name, nearest) <= nearest.len();
    Box::new(diagnostic.with_help(if is_near { format!("did you mean `{nearest}`? {all}") } else { all }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Failable<(Clauses, Vec<Extent>)> {
        let line = format!("#pragma stencil {text}");
        let place = Place { line: &line, span: Span::new(0, line.len()) };
        read_clauses(text, &place).map_err(|mut errors| Box::new(errors.remove(0)))
    }

    #[test]
    fn every_mistake_has_its_place() {
        let line = "  #pragma stencil tile(0)  tile(4)\\\n fp( exact )";
        let place = Place { line, span: Span::new(100, 100 + line.len()) };
        let errors = read_clauses("tile(0) tile(4) fp(exact)", &place).unwrap_err();
        let places: Vec<_> =
            errors.iter().map(|it| &line[it.primary.span.start - 100..it.primary.span.end - 100]).collect();
        assert_eq!(places, ["tile(0)", "tile(4)", "fp( exact )"]);
    }

    #[test]
    fn places_are_right_in_lines_that_are_not_utf8() {
        // Four bytes, each a character of two bytes here.
        let line = "#pragma stencil name(\u{ff}\u{ff}) tile(\u{ff}\u{ff})";
        let place = Place { line, span: Span::new(0, line.chars().count()) };
        let errors = read_clauses("name(x) tile(\u{ff}\u{ff})", &place).unwrap_err();
        assert_eq!((errors[0].primary.span.start, errors[0].primary.span.end), (25, 33));
    }

    #[test]
    fn few_mistakes_are_told_at_once() {
        let errors = read_clauses(&"tile(0) ".repeat(5000), &Place { line: "", span: Span::default() }).unwrap_err();
        assert_eq!(errors.len(), MAX_ERRORS);
    }

    #[test]
    fn every_clause_is_read() {
        let text = "time_tile(4) tile(64, 8) per_item(2) work_group(32,4) strategy(local) fp(fast) name(heat) \
                    scratch(b) restrict(a, b) extent(a[0:n][0:(m + 2)], c[0:n])";
        let (clauses, extents) = read(text).unwrap();
        assert_eq!((clauses.time_tile, clauses.tile, clauses.per_item), (Some(4), vec![64, 8], Some(2)));
        assert_eq!((clauses.strategy, clauses.fp), (Some(StrategyName::Local), Some(FpMode::Fast)));
        assert_eq!(
            (clauses.name.as_deref(), clauses.scratch, clauses.restrict.len()),
            (Some("heat"), vec!["b".into()], 2)
        );
        assert_eq!(extents[0], Extent { array: "a".into(), sizes: vec!["n".into(), "(m + 2)".into()] });
        assert_eq!(extents[1], Extent { array: "c".into(), sizes: vec!["n".into()] });
    }

    #[test]
    fn mistakes_are_named_with_a_remedy() {
        assert!(read("tiel(4)").unwrap_err().help[0].contains("`tile`"));
        assert!(read("timetile").unwrap_err().help[0].contains("`time_tile`"));
        assert!(read("tile(N)").unwrap_err().help[0].contains("macros"));
        assert_eq!(read("tile(0)").unwrap_err().code, "pragma-clause");
        assert!(read("fp(exact)").unwrap_err().help[0].contains("strict"));
        assert!(read("tile(1) tile(2)").unwrap_err().message.contains("twice"));
        assert!(read("extent(a)").is_err() && read("tile(4").is_err());
    }
}
