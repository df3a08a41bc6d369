//! The clauses of a `#pragma stencil` line.

use crate::ir::{Clauses, FpMode, StrategyName};
use crate::source::{Diagnostic, Span};

use super::Failable;

const KNOWN: [&str; 10] =
    ["time_tile", "tile", "per_item", "work_group", "strategy", "fp", "name", "scratch", "restrict", "extent"];

/// An `extent(A[0:n][0:m])` clause: the array and the texts of its sizes, outermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The array or pointer.
    pub array: String,
    /// Number of elements in each dimension, as C expressions.
    pub sizes: Vec<String>,
}

/// Reads the clauses in `text`, what follows `#pragma stencil`; `span` is the pragma's line.
///
/// # Errors
/// An unknown clause, a malformed one, or one that is given twice.
pub fn read_clauses(text: &str, span: Span) -> Failable<(Clauses, Vec<Extent>)> {
    let mut clauses = Clauses::default();
    let mut extents = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (name, arguments, behind) = split_clause(rest, span)?;
        if !KNOWN.contains(&name) {
            return Err(unknown(name, span));
        }
        if seen.contains(&name) && name != "extent" {
            return Err(malformed(span, format!("the clause `{name}` is given twice"), "keep one of them"));
        }
        seen.push(name);
        read_clause(&mut clauses, &mut extents, name, arguments, span)?;
        rest = behind.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
    }
    Ok((clauses, extents))
}

/// Cuts `name(arguments)` off the front of `text`.
fn split_clause(text: &str, span: Span) -> Failable<(&str, &str, &str)> {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    let (name, behind) = text.split_at(end);
    let mut depth = 0;
    let behind = behind.trim_start();
    for (at, c) in behind.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Ok((name, behind[1..at].trim(), &behind[at + 1..])),
            ')' => depth -= 1,
            _ if depth == 0 => break,
            _ => {}
        }
    }
    if !name.is_empty() && !KNOWN.contains(&name) {
        return Err(unknown(name, span));
    }
    let word = if name.is_empty() { text } else { name };
    Err(malformed(span, format!("the clause `{word}` has no arguments in parentheses"), "write e.g. `tile(64, 16)`"))
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
                _ => return Err(bad_choice(name, arguments, "direct` or `local", span)),
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
        _ => extents.push(read_extent(arguments, span)?),
    }
    Ok(())
}

fn numbers(name: &str, arguments: &str, span: Span) -> Failable<Vec<u32>> {
    let number = |text: &str| text.trim().parse().ok().filter(|number| *number > 0);
    arguments.split(',').map(number).collect::<Option<Vec<u32>>>().ok_or_else(|| {
        let message = format!("`{name}({arguments})` needs positive numbers");
        malformed(span, message, "macros are not expanded in this pragma: write the numbers themselves")
    })
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
    let nearest = KNOWN.iter().min_by_key(|known| distance(name, known)).copied().unwrap_or_default();
    Box::new(diagnostic.with_help(format!("the nearest clause is `{nearest}`; all are: {}", KNOWN.join(", "))))
}

/// Levenshtein's distance between two words.
fn distance(left: &str, right: &str) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in right.bytes().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Failable<(Clauses, Vec<Extent>)> {
        read_clauses(text, Span::default())
    }

    #[test]
    fn every_clause_is_read() {
        let text = "time_tile(4) tile(64, 8) per_item(2) work_group(32,4) strategy(local) fp(fast) name(heat) \
                    scratch(b) restrict(a, b) extent(a[0:n][0:(m + 2)])";
        let (clauses, extents) = read(text).unwrap();
        assert_eq!((clauses.time_tile, clauses.tile, clauses.per_item), (Some(4), vec![64, 8], Some(2)));
        assert_eq!((clauses.strategy, clauses.fp), (Some(StrategyName::Local), Some(FpMode::Fast)));
        assert_eq!(
            (clauses.name.as_deref(), clauses.scratch, clauses.restrict.len()),
            (Some("heat"), vec!["b".into()], 2)
        );
        assert_eq!(extents, [Extent { array: "a".into(), sizes: vec!["n".into(), "(m + 2)".into()] }]);
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
