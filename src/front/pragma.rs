//! The clauses of a `#pragma stencil` line.

use std::collections::VecDeque;

use strsim::levenshtein;

use crate::options::{Clauses, FpMode, Order, StrategyName};
use crate::settings::Setting;
use crate::source::{Clause, Diagnostic, Parentheses, Pragma, Span, find_clauses, tokens};

use super::Failable;

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

/// What a function that the host calls between steps does to the arrays of a nest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// It reaches none: `pure`.
    Nothing,
    /// It reads elements: `host_reads`.
    Reads,
    /// It changes elements: `host_writes`.
    Writes,
}

/// What the user vouches for of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vouched {
    /// The function.
    pub function: String,
    /// What it does.
    pub reach: Reach,
    /// The arrays to which it does that; none if it may be all.
    pub arrays: Vec<String>,
    /// Where the clause stands.
    pub span: Span,
}

/// What a `value(n = 3)` clause says that a variable holds in front of the nest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatedValue {
    /// The variable.
    pub name: String,
    /// What it holds.
    pub value: i64,
    /// Where the clause stands.
    pub span: Span,
}

/// The clauses of a pragma as they are written: names of variables mean what they mean at the nest.
#[derive(Clone, Debug, Default)]
pub struct WrittenClauses {
    /// Those without names of variables.
    pub clauses: Clauses,
    /// `scratch(A, ...)`
    pub scratch: Vec<String>,
    /// `restrict(A, B, ...)`
    pub restrict: Vec<String>,
    /// `extent(A[0:n][0:m])`
    pub extents: Vec<Extent>,
    /// `value(n = 3)`
    pub values: Vec<StatedValue>,
    /// `pure(f)`, `host_reads(f: A)`, `host_writes(f: A)`
    pub vouched: Vec<Vouched>,
}

/// Where clauses stand in the user's file, in the order in which they are read.
#[derive(Default)]
pub struct Places<'a> {
    source: &'a [u8],
    clauses: VecDeque<Clause>,
    pragma: Span,
}

impl<'a> Places<'a> {
    /// Those of a pragma in `source`.
    pub fn new(source: &'a [u8], pragma: &Pragma) -> Self {
        Self { source, clauses: find_clauses(source, pragma.words).into(), pragma: pragma.lines }
    }

    /// The place of the next clause `name`; that of the pragma if there is none.
    fn next(&mut self, name: &str) -> Span {
        let is_named = |clause: &Clause| &self.source[clause.name.start..clause.name.end] == name.as_bytes();
        match self.clauses.iter().position(is_named).filter(|_| !name.is_empty()) {
            Some(index) => self.clauses.drain(..=index).next_back().map_or(self.pragma, |clause| clause.span),
            None => self.pragma,
        }
    }
}

/// Reads the clauses in `text`, what follows `#pragma stencil`.
///
/// # Errors
/// The clauses that are unknown, malformed or given twice, up to a few.
pub fn read_clauses(text: &str, mut places: Places) -> Result<WrittenClauses, Vec<Diagnostic>> {
    let mut read = WrittenClauses::default();
    let mut errors = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for clause in find_clauses(text.as_bytes(), Span::new(0, text.len())) {
        let name = &text[clause.name.start..clause.name.end];
        let span = places.next(name);
        let result = arguments_of(text, &clause, span).and_then(|(setting, arguments)| {
            let is_repeated = !may_be_repeated(setting) && seen.contains(&name);
            if is_repeated { Err(twice(name, span)) } else { read_clause(&mut read, setting, arguments, span) }
        });
        seen.push(name);
        errors.extend(result.err().map(|error| *error));
        // Behind a clause without its parentheses nothing can be trusted.
        if errors.len() == MAX_ERRORS || !matches!(clause.arguments, Parentheses::Closed(_)) {
            break;
        }
    }
    if errors.is_empty() { Ok(read) } else { Err(errors) }
}

/// What a clause asks for, and what is in its parentheses.
fn arguments_of<'t>(text: &'t str, clause: &Clause, span: Span) -> Failable<(Setting, &'t str)> {
    let name = &text[clause.name.start..clause.name.end];
    if name.is_empty() {
        let rest = &text[clause.span.start..];
        return Err(malformed(span, format!("`{rest}` does not begin with a clause"), "write e.g. `tile(64, 16)`"));
    }
    let setting = Setting::of_clause(name).ok_or_else(|| unknown(name, span))?;
    match clause.arguments {
        Parentheses::Closed(arguments) => Ok((setting, text[arguments.start..arguments.end].trim())),
        Parentheses::Open => {
            Err(malformed(span, format!("the parenthesis behind `{name}` is not closed"), "add the missing `)`"))
        }
        Parentheses::None => {
            let message = format!("the clause `{name}` has no arguments in parentheses");
            Err(malformed(span, message, "write e.g. `tile(64, 16)`"))
        }
    }
}

fn read_clause(read: &mut WrittenClauses, setting: Setting, arguments: &str, span: Span) -> Failable<()> {
    let clauses = &mut read.clauses;
    let name = setting.clause();
    match setting {
        Setting::TimeTile => clauses.time_tile = Some(one_number(name, arguments, span)?),
        Setting::Tile => clauses.tile = numbers(name, arguments, span)?,
        Setting::PerItem => clauses.per_item = Some(one_number(name, arguments, span)?),
        Setting::WorkGroup => clauses.work_group = numbers(name, arguments, span)?,
        Setting::Strategy => {
            clauses.strategy = Some(one_of(StrategyName::ALL, StrategyName::name, name, arguments, span)?);
        }
        Setting::Fp => clauses.fp = Some(one_of(FpMode::ALL, FpMode::name, name, arguments, span)?),
        Setting::Reduction => {
            clauses.reduction = Some(one_of(Order::ALL, Order::name, name, arguments, span)?);
        }
        Setting::Name => clauses.name = Some(identifier(name, arguments, span)?),
        Setting::Scratch => read.scratch = identifiers(name, arguments, span)?,
        Setting::Restrict => read.restrict = identifiers(name, arguments, span)?,
        Setting::Extent => read_extents(&mut read.extents, arguments, span)?,
        Setting::Value => read_values(&mut read.values, arguments, span)?,
        Setting::Pure => {
            for function in identifiers(name, arguments, span)? {
                vouch(read, Vouched { function, reach: Reach::Nothing, arrays: Vec::new(), span })?;
            }
        }
        Setting::HostReads => vouch(read, read_vouched(name, Reach::Reads, arguments, span)?)?,
        Setting::HostWrites => vouch(read, read_vouched(name, Reach::Writes, arguments, span)?)?,
    }
    Ok(())
}

/// Whether each of several clauses of that name is about something else.
fn may_be_repeated(setting: Setting) -> bool {
    matches!(setting, Setting::Extent | Setting::Value | Setting::Pure | Setting::HostReads | Setting::HostWrites)
}

/// `f` or `f: a, b`
fn read_vouched(name: &str, reach: Reach, arguments: &str, span: Span) -> Failable<Vouched> {
    let (function, arrays) = match arguments.split_once(':') {
        Some((function, arrays)) => (function, identifiers(name, arrays, span)?),
        None => (arguments, Vec::new()),
    };
    Ok(Vouched { function: identifier(name, function.trim(), span)?, reach, arrays, span })
}

fn vouch(read: &mut WrittenClauses, vouched: Vouched) -> Failable<()> {
    if read.vouched.iter().any(|other| other.function == vouched.function) {
        let message = format!("two clauses say what `{}` does", vouched.function);
        return Err(malformed(vouched.span, message, "keep one of them, with all arrays: `host_reads(f: a, b)`"));
    }
    read.vouched.push(vouched);
    Ok(())
}

fn twice(name: &str, span: Span) -> Box<Diagnostic> {
    malformed(span, format!("the clause `{name}` is given twice"), "keep one of them")
}

fn read_extents(extents: &mut Vec<Extent>, arguments: &str, span: Span) -> Failable<()> {
    for argument in split_at_commas(arguments) {
        extents.push(read_extent(argument.trim(), span)?);
    }
    Ok(())
}

fn read_values(values: &mut Vec<StatedValue>, arguments: &str, span: Span) -> Failable<()> {
    for argument in split_at_commas(arguments) {
        let number = |text: &str| without_parentheses(text).parse().ok();
        let Some((name, value)) = argument.split_once('=').and_then(|(name, text)| Some((name, number(text)?))) else {
            let message = format!("`value({argument})` is not understood");
            return Err(malformed(
                span,
                message,
                "write a variable and the integer that it holds, as in `value(n = 3)`",
            ));
        };
        let name = identifier("value", name.trim(), span)?;
        if values.iter().any(|other| other.name == name) {
            return Err(malformed(span, format!("two clauses say what `{name}` holds"), "keep one of them"));
        }
        values.push(StatedValue { name, value, span });
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
    for token in tokens(text.as_bytes(), Span::new(0, text.len())) {
        match &text[token.start..token.end] {
            "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            "," if depth == 0 => {
                parts.push(&text[start..token.start]);
                start = token.end;
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

/// The one of `all` with the name that is given.
fn one_of<T: Copy, const N: usize>(
    all: [T; N],
    name_of: fn(T) -> &'static str,
    clause: &str,
    given: &str,
    span: Span,
) -> Failable<T> {
    all.into_iter().find(|choice| name_of(*choice) == given).ok_or_else(|| {
        let (last, others) = all.split_last().expect("there is a choice");
        let others = others.iter().map(|choice| name_of(*choice)).collect::<Vec<_>>().join("`, `");
        let others = if others.is_empty() { others } else { format!("`{others}` or ") };
        let help = format!("write {others}`{}`", name_of(*last));
        malformed(span, format!("`{clause}({given})` is not known"), &help)
    })
}

fn malformed(span: Span, message: String, help: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("pragma-clause", message, span).with_help(help))
}

fn unknown(name: &str, span: Span) -> Box<Diagnostic> {
    let diagnostic = Diagnostic::error("unknown-clause", format!("there is no clause `{name}`"), span);
    let known: Vec<&str> = Setting::all().map(Setting::clause).collect();
    let nearest = known.iter().min_by_key(|known| levenshtein(name, known)).copied().unwrap_or_default();
    let all = format!("the clauses are: {}", known.join(", "));
    let is_near = 2 * levenshtein(name, nearest) <= nearest.len();
    Box::new(diagnostic.with_help(if is_near { format!("did you mean `{nearest}`? {all}") } else { all }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::find_pragmas;

    fn read(text: &str) -> Failable<WrittenClauses> {
        read_clauses(text, Places::default()).map_err(|mut errors| Box::new(errors.remove(0)))
    }

    /// The text of `source` at each of the mistakes that are found in its clauses, which are `text` after preprocessing.
    fn mistakes(source: &[u8], text: &str) -> Vec<String> {
        let pragma = find_pragmas(source).remove(0);
        let errors = read_clauses(text, Places::new(source, &pragma)).unwrap_err();
        let places = errors.iter().map(|error| &source[error.primary.span.start..error.primary.span.end]);
        places.map(|place| place.escape_ascii().to_string()).collect()
    }

    #[test]
    fn every_mistake_has_its_place() {
        let line = b"x\n  #pragma /* tile(0) */ stencil tile(0)  tile(4)\\\n fp( exact )";
        assert_eq!(mistakes(line, "tile(0) tile(4) fp(exact)"), ["tile(0)", "tile(4)", "fp( exact )"]);
    }

    #[test]
    fn places_are_right_in_lines_that_are_not_utf8() {
        assert_eq!(mistakes(b"#pragma stencil name(\xff\xfe) tile(\xff)", "name(x) tile(?)"), [r"tile(\xff)"]);
    }

    #[test]
    fn few_mistakes_are_told_at_once() {
        assert_eq!(read_clauses(&"tile(0) ".repeat(5000), Places::default()).unwrap_err().len(), MAX_ERRORS);
    }

    #[test]
    fn every_clause_is_read() {
        let text = "time_tile(4) tile(64, 8) per_item(2) work_group(32,4) strategy(local) fp(fast) reduction( any_order ) name(heat) \
                    scratch(b) restrict(a, b) extent(a[0:n][0:(m + 2)], c[0:n]) pure(p, q) host_reads(r: a, b) host_writes( w ) \
                    value(k = -1, m = (3))";
        let WrittenClauses { clauses, scratch, restrict, extents, values, vouched } = read(text).unwrap();
        assert_eq!((clauses.time_tile, clauses.tile, clauses.per_item), (Some(4), vec![64, 8], Some(2)));
        assert_eq!((clauses.strategy, clauses.fp), (Some(StrategyName::Local), Some(FpMode::Fast)));
        assert_eq!(clauses.reduction, Some(Order::Any));
        assert_eq!((clauses.name.as_deref(), scratch, restrict.len()), (Some("heat"), vec!["b".into()], 2));
        assert_eq!(extents[0], Extent { array: "a".into(), sizes: vec!["n".into(), "(m + 2)".into()] });
        assert_eq!(extents[1], Extent { array: "c".into(), sizes: vec!["n".into()] });
        let values: Vec<_> = values.iter().map(|it| (it.name.as_str(), it.value)).collect();
        assert_eq!(values, [("k", -1), ("m", 3)]);
        let vouched: Vec<_> = vouched.iter().map(|it| (it.function.as_str(), it.reach, it.arrays.join(" "))).collect();
        let expected = [
            ("p", Reach::Nothing, ""),
            ("q", Reach::Nothing, ""),
            ("r", Reach::Reads, "a b"),
            ("w", Reach::Writes, ""),
        ];
        assert_eq!(vouched, expected.map(|(function, reach, arrays)| (function, reach, arrays.to_owned())));
    }

    #[test]
    fn mistakes_are_named_with_a_remedy() {
        assert!(read("tiel(4)").unwrap_err().help[0].contains("`tile`"));
        assert!(read("timetile").unwrap_err().help[0].contains("`time_tile`"));
        assert!(read("tile(N)").unwrap_err().help[0].contains("macros"));
        assert_eq!(read("tile(0)").unwrap_err().code, "pragma-clause");
        assert!(read("fp(exact)").unwrap_err().help[0].contains("strict"));
        assert_eq!(read("reduction(+: err)").unwrap_err().help[0], "write `any_order`");
        assert!(read("tile(1) tile(2)").unwrap_err().message.contains("twice"));
        assert!(read("pure(f) host_reads(f: a)").unwrap_err().help[0].contains("keep one"));
        assert!(read("pure(f: a)").is_err() && read("host_reads(f: )").is_err() && read("host_writes(: a)").is_err());
        assert!(read("extent(a)").is_err() && read("tile(4").is_err());
        assert!(read("value(n)").is_err() && read("value(n = m)").is_err() && read("value(3 = 3)").is_err());
        assert!(read("value(n = 3) value(n = 3)").unwrap_err().help[0].contains("keep one"));
    }
}
