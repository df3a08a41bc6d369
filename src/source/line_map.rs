//! From preprocessed text back to the user's file.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::path::PathBuf;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::lexer::tokens;
use super::{STANDARD_INPUT, SourceFile, Span};

/// Lines of a file that one token map may span; longer stretches are cut off.
const MAX_STRETCH: usize = 400;

/// For each line of preprocessed text, where it comes from.
#[derive(Clone, Debug, Default)]
pub struct LineMap {
    line_starts: Vec<usize>,
    /// Line of the original file, counted from 0; `None` for text of headers.
    original_lines: Vec<Option<usize>>,
    /// Whether each line comes from a header that the preprocessor calls the system's.
    is_of_system: Vec<bool>,
    /// Headers in the order of their first appearance.
    pub headers: Vec<Header>,
    token_maps: RefCell<HashMap<usize, TokenMap>>,
}

/// A file that was included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// As the preprocessor names it.
    pub path: PathBuf,
    /// Whether the preprocessor calls it a system header.
    pub is_system: bool,
}

/// A place in a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderPlace {
    /// The header as the preprocessor names it.
    pub header: String,
    /// The line in it, counted from 1.
    pub line: usize,
    /// The line of the original file that includes it, counted from 0.
    pub include: usize,
}

/// The tokens of one preprocessed line.
type TokenMap = Vec<Token>;

/// A token of preprocessed text.
#[derive(Clone, Copy, Debug)]
struct Token {
    span: Span,
    /// What it comes from in the original file.
    original: Span,
    /// The same, or all of the macro's use if it comes from an argument and is in no parentheses itself: a statement that begins or
    /// ends with it does not begin or end within the use.
    whole: Span,
    /// Whether it stands in the original file as it is, and in no macro's use.
    is_itself: bool,
}

impl LineMap {
    /// Reads the `# line "file" flags` markers of `text`, the preprocessed form of a file. The first of them names that
    /// file, in a spelling that depends on the compiler.
    pub fn new(text: &str) -> Self {
        let mut main_file = None;
        let mut map = Self::default();
        let mut known = BTreeSet::new();
        let (mut file_is_main, mut is_of_system, mut line, mut start) = (true, false, 0, 0);
        for text_line in text.split_inclusive('\n') {
            map.line_starts.push(start);
            start += text_line.len();
            if let Some(marker) = parse_marker(text_line) {
                map.original_lines.push(None);
                line = marker.line.saturating_sub(1);
                let is_pseudo = marker.is_pseudo();
                if !is_pseudo {
                    main_file.get_or_insert_with(|| marker.file.clone());
                }
                file_is_main = main_file.as_ref() == Some(&marker.file);
                is_of_system = marker.is_system && !file_is_main;
                if !file_is_main && !is_pseudo && known.insert(marker.file.clone()) {
                    map.headers.push(Header { path: marker.file.into(), is_system: marker.is_system });
                }
            } else {
                map.original_lines.push(file_is_main.then_some(line));
                line += 1;
            }
            map.is_of_system.push(is_of_system);
        }
        map
    }

    /// The line of the preprocessed text that holds the byte at `offset`.
    fn preprocessed_line(&self, offset: usize) -> usize {
        self.line_starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// The line, counted from 0, of the original file that the preprocessed byte at `offset` comes from; `None` if it
    /// comes from a header.
    pub fn original_line(&self, offset: usize) -> Option<usize> {
        *self.original_lines.get(self.preprocessed_line(offset))?
    }

    /// Whether the preprocessed byte at `offset` comes from a header of the system.
    pub fn is_of_system(&self, offset: usize) -> bool {
        self.is_of_system.get(self.preprocessed_line(offset)).is_some_and(|is_of_system| *is_of_system)
    }

    /// The lines `first..end` of the original file that the preprocessed line of `offset` was made from: more than one
    /// for continued lines and for the arguments of a macro.
    pub fn original_lines(&self, text: &str, offset: usize) -> Option<(usize, usize)> {
        self.original_lines_of(text, self.preprocessed_line(offset))
    }

    fn original_lines_of(&self, text: &str, line: usize) -> Option<(usize, usize)> {
        let first = (*self.original_lines.get(line)?)?;
        let next = (line + 1..self.line_starts.len())
            .filter(|next| !self.line_text(text, *next).trim().is_empty())
            .find_map(|next| self.original_lines[next].filter(|original| *original >= first));
        let end = next.unwrap_or(first + 1).clamp(first + 1, first + MAX_STRETCH);
        Some((first, end))
    }

    /// Where in a header the preprocessed byte at `offset` comes from; `None` if it is the original file's.
    pub fn header_place(&self, text: &str, offset: usize) -> Option<HeaderPlace> {
        let here = self.preprocessed_line(offset);
        let marker_of = |line: usize| parse_marker(self.line_text(text, line));
        let (from, marker) = (0..here).rev().find_map(|line| Some((line, marker_of(line)?)))?;
        // The file goes on below the line of the include.
        let next = (here..self.line_starts.len()).find_map(|line| self.original_lines[line])?;
        let line = marker.line + here - from - 1;
        let is_header = self.original_lines[here].is_none();
        is_header.then_some(HeaderPlace { header: marker.file, line, include: next.saturating_sub(1) })
    }

    fn line_text<'t>(&self, text: &'t str, line: usize) -> &'t str {
        let end = self.line_starts.get(line + 1).copied().unwrap_or(text.len());
        &text[self.line_starts[line]..end]
    }

    /// The span in `source` of the preprocessed bytes `range`; text that a macro produced gives the macro's use, and so does a
    /// statement that is partly an argument of it.
    ///
    /// `None` if the text comes from a header.
    pub fn span(&self, text: &str, source: &SourceFile, range: Span) -> Option<Span> {
        let first = self.token(text, source, range.start, true)?;
        let last = self.token(text, source, range.end.max(range.start + 1) - 1, false)?;
        let is_statement = text.get(range.start..range.end).is_some_and(|text| text.ends_with([';', '}']));
        let [first, last] = [first, last].map(|it| if is_statement { it.whole } else { it.original });
        Some(first.to(last))
    }

    /// Whether it can be told in the original file where the statements of the preprocessed bytes `range` begin and end: macros that
    /// stand side by side cannot be told apart, nor can parts of what one of them makes.
    pub fn tells_apart(&self, text: &str, source: &SourceFile, range: Span) -> bool {
        let is_known = |offset: usize| {
            self.with_tokens(text, source, offset, |tokens, _| {
                let behind = tokens.partition_point(|token| token.span.end <= offset);
                let beside = [behind.checked_sub(1), Some(behind)].map(|at| at.and_then(|at| tokens.get(at)));
                beside.iter().any(|token| token.is_none_or(|token| token.is_itself))
            })
        };
        [range.start, range.end].into_iter().all(|offset| is_known(offset).unwrap_or(false))
    }

    fn token(&self, text: &str, source: &SourceFile, offset: usize, forward: bool) -> Option<Token> {
        self.with_tokens(text, source, offset, |map, original| {
            // Lines that macros make may have tens of thousands of tokens.
            let found = if forward {
                map.get(map.partition_point(|token| token.span.end <= offset))
            } else {
                map.partition_point(|token| token.span.start <= offset).checked_sub(1).map(|last| &map[last])
            };
            let line = || trimmed(source, source.line_span(original));
            let whole_line =
                || Token { span: Span::new(offset, offset), original: line(), whole: line(), is_itself: false };
            found.copied().unwrap_or_else(whole_line)
        })
    }

    /// Looks at the tokens of the line of `offset`, which comes from this one of the original file; `None` if it comes from a header.
    fn with_tokens<T>(
        &self,
        text: &str,
        source: &SourceFile,
        offset: usize,
        look: impl FnOnce(&TokenMap, usize) -> T,
    ) -> Option<T> {
        let line = self.preprocessed_line(offset);
        let original = (*self.original_lines.get(line)?)?;
        let mut maps = self.token_maps.borrow_mut();
        let map = maps.entry(line).or_insert_with(|| {
            let start = self.line_starts[line];
            let (first, end) = self.original_lines_of(text, line).unwrap_or((original, original + 1));
            let end = (first + 1..end).find(|line| is_directive(source, *line)).unwrap_or(end);
            token_map(text, Span::new(start, start + self.line_text(text, line).len()), source, (first, end))
        });
        Some(look(map, original))
    }
}

/// Whether a line is one of the preprocessor's: what stands behind it may be left out.
fn is_directive(source: &SourceFile, line: usize) -> bool {
    let span = source.line_span(line);
    source.bytes()[span.start..span.end].trim_ascii_start().starts_with(b"#")
}

/// Aligns the tokens of a preprocessed line with those of the original lines it comes from.
fn token_map(text: &str, line: Span, source: &SourceFile, lines: (usize, usize)) -> TokenMap {
    let whole = source.line_span(lines.0).to(source.line_span(lines.1 - 1));
    let old_tokens = tokens(source.bytes(), whole);
    let new_tokens = tokens(text.as_bytes(), line);
    let old_words: Vec<&[u8]> = old_tokens.iter().map(|span| &source.bytes()[span.start..span.end]).collect();
    let new_words: Vec<&[u8]> = new_tokens.iter().map(|span| &text.as_bytes()[span.start..span.end]).collect();
    let groups = parenthesized(&old_words);
    let is_alone: Vec<bool> = parenthesized(&new_words).iter().map(Option::is_none).collect();
    let place = |words: Range<usize>| old_tokens[words.start].to(old_tokens[words.end - 1]);
    let mut map = Vec::with_capacity(new_tokens.len());
    for op in capture_diff_slices(Algorithm::Myers, &old_words, &new_words) {
        let (old, new) = (op.old_range(), op.new_range());
        for (step, index) in new.enumerate() {
            let words = match op {
                DiffOp::Equal { .. } => old.start + step..old.start + step + 1,
                _ if !old.is_empty() => old.clone(),
                // It stands behind the token before.
                _ => old.start.saturating_sub(1)..old.start.max(1).min(old_tokens.len()),
            };
            let token = if words.is_empty() {
                let original = trimmed(source, source.line_span(lines.0));
                Token { span: new_tokens[index], original, whole: original, is_itself: false }
            } else {
                let around = [words.start, words.end - 1].map(|at| groups[at].clone().filter(|_| is_alone[index]));
                let original = place(words);
                let is_itself = matches!(op, DiffOp::Equal { .. }) && around.iter().all(Option::is_none);
                let whole = around.into_iter().flatten().map(place).fold(original, Span::to);
                Token { span: new_tokens[index], original, whole, is_itself }
            };
            map.push(token);
        }
    }
    map
}

/// For each word the outermost parentheses around it, with what is called so: the words of `F(a, b)`.
fn parenthesized(words: &[&[u8]]) -> Vec<Option<Range<usize>>> {
    let mut found = vec![None; words.len()];
    let (mut depth, mut start) = (0_usize, 0);
    for (index, word) in words.iter().enumerate() {
        match *word {
            b"(" if depth == 0 => (depth, start) = (1, index),
            b"(" => depth += 1,
            b")" if depth == 1 => {
                let has_name =
                    start > 0 && words[start - 1].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
                let first = start - usize::from(has_name);
                found[start..=index].fill(Some(first..index + 1));
                depth = 0;
            }
            b")" => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    found
}

fn trimmed(source: &SourceFile, span: Span) -> Span {
    let bytes = &source.bytes()[span.start..span.end];
    let leading = bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let trailing = bytes[leading..].iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
    span.at(span.start + leading, span.end - trailing)
}

struct Marker {
    line: usize,
    file: String,
    is_system: bool,
}

impl Marker {
    /// Whether it names a part of the compiler, such as `<built-in>`, or the current folder.
    fn is_pseudo(&self) -> bool {
        let is_made_up = self.file.starts_with('<') && self.file.ends_with('>') && self.file != STANDARD_INPUT;
        is_made_up || self.file.ends_with('/')
    }
}

fn parse_marker(line: &str) -> Option<Marker> {
    let rest = line.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").map_or(rest, str::trim_start);
    let (number, rest) = rest.split_once(' ')?;
    let (quoted, flags) = rest.trim().strip_prefix('"')?.rsplit_once('"')?;
    let file = unescaped(quoted);
    let is_system = flags.split_whitespace().any(|flag| flag == "3");
    Some(Marker { line: number.parse().ok()?, file, is_system })
}

/// A file's name without the escapes of a string constant; bytes that are no UTF-8 are shown as U+FFFD.
fn unescaped(quoted: &str) -> String {
    let mut name = Vec::new();
    let mut rest = quoted.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let digits = tail.iter().take(3).take_while(|digit| matches!(digit, b'0'..=b'7')).count();
        let (byte, length) = match tail {
            [b'0'..=b'7', ..] if *first == b'\\' => {
                (tail[..digits].iter().fold(0u8, |value, digit| value.wrapping_mul(8) | (digit - b'0')), 1 + digits)
            }
            [b'n', ..] if *first == b'\\' => (b'\n', 2),
            [escaped, ..] if *first == b'\\' => (*escaped, 2),
            _ => (*first, 1),
        };
        name.push(byte);
        rest = &rest[length..];
    }
    String::from_utf8_lossy(&name).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapped(original: &str, preprocessed: &str, needle: &str) -> String {
        let source = SourceFile::new("a.c", original.as_bytes().to_vec());
        let map = LineMap::new(preprocessed);
        let at = preprocessed.find(needle).unwrap();
        let span = map.span(preprocessed, &source, Span::new(at, at + needle.len())).unwrap();
        source.text(span).into_owned()
    }

    #[test]
    fn plain_text_maps_to_itself() {
        assert_eq!(mapped("x  =  a [i] ; // y\n", "# 1 \"a.c\"\nx = a [i] ;\n", "a [i]"), "a [i]");
    }

    #[test]
    fn expanded_text_maps_to_the_macro() {
        let preprocessed = "# 1 \"a.c\"\n\nx = 3 * q + 1;\n";
        assert_eq!(mapped("#define F(v) 3 * v\nx = F(q) + 1;\n", preprocessed, "q"), "q");
        assert_eq!(mapped("#define T 3 * z\nx = T + 1;\n", "# 1 \"a.c\"\n\nx = 3 * z + 1;\n", "3 * z"), "T");
        let preprocessed = "# 1 \"a.c\"\n\nx = 1; { int q = a; a = b; b = q; }\n\nelse (y) = 2;\n";
        let original = "#define F(x, y) { int q = x; x = y; y = q; }\nx = 1; F(a,\n  b)\nelse (y) = 2;\n";
        let swap = ["{ int q = a; a = b; b = q; }", "a = b;", "b = q;"];
        assert!(swap.iter().all(|statement| mapped(original, preprocessed, statement) == "F(a,\n  b)"));
        assert_eq!(mapped(original, preprocessed, "x = 1; { int q = a; a = b; b = q; }"), "x = 1; F(a,\n  b)");
        assert_eq!(mapped(original, preprocessed, "(y) = 2;"), "(y) = 2;");
    }

    #[test]
    fn macros_side_by_side_are_not_told_apart() {
        let original = "#define F(x) x = 1;\n#define G y = 2; z = 3\nF(v) G;\nF(v)\nu = 4; G; w = 5;\n";
        let preprocessed = "# 1 \"a.c\"\n\n\nv = 1; y = 2; z = 3;\nv = 1;\nu = 4; y = 2; z = 3; w = 5;\n";
        let source = SourceFile::new("a.c", original.as_bytes().to_vec());
        let map = LineMap::new(preprocessed);
        let line = |number: usize| preprocessed.match_indices('\n').nth(number).unwrap().0;
        let is_told = |from: usize, statement: &str| {
            let start = from + preprocessed[from..].find(statement).unwrap();
            map.tells_apart(preprocessed, &source, Span::new(start, start + statement.len()))
        };
        assert!(
            !is_told(line(2), "v = 1;")
                && !is_told(line(2), "y = 2; z = 3;")
                && is_told(line(2), "v = 1; y = 2; z = 3;")
        );
        assert!(is_told(line(3), "v = 1;"));
        assert!(is_told(line(4), "u = 4;") && is_told(line(4), "w = 5;") && is_told(line(4), "y = 2; z = 3;"));
        assert!(!is_told(line(4), "y = 2;") && !is_told(line(4), "z = 3;"));
    }

    #[test]
    fn what_the_preprocessor_leaves_out_is_no_part_of_the_line_before() {
        let original = "#define T int\nT a = b; c = d;\n#if 0\ne = f;\n#endif\ng = h;\n";
        let preprocessed = "# 1 \"a.c\"\n\nint a = b; c = d;\n\n\n\ng = h;\n";
        assert_eq!(mapped(original, preprocessed, "c = d;"), "c = d;");
    }

    #[test]
    fn headers_are_listed_and_have_no_span() {
        let text = "# 0 \"<built-in>\"\n# 1 \"a.c\"\n# 1 \"/usr/include/s.h\" 1 3 4\nint s;\n# 2 \"a.c\" 2\nint x;\n";
        let map = LineMap::new(text);
        assert_eq!(map.headers, [Header { path: "/usr/include/s.h".into(), is_system: true }]);
        assert_eq!(map.original_line(text.find("int s").unwrap()), None);
        assert_eq!(map.original_line(text.find("int x").unwrap()), Some(1));
    }

    #[test]
    fn the_first_marker_names_the_file_in_any_spelling() {
        for name in ["a.c", r#"a\\b\"c.c"#, "a\\nb.c", "l\\351.c", "l?.c", "<x>.c"] {
            let text = format!("# 0 \"{name}\"\n# 0 \"<built-in>\"\n# 1 \"{name}\"\nint x;\n# 1 \"s.h\" 1\nint s;\n");
            let map = LineMap::new(&text);
            assert_eq!(map.original_line(text.find("int x").unwrap()), Some(0), "{name}");
            assert_eq!(map.original_line(text.find("int s").unwrap()), None, "{name}");
        }
    }

    #[test]
    fn names_in_markers_are_string_constants() {
        assert_eq!(unescaped(r#"a\\n\"b\303\251\n\7"#), "a\\n\"b\u{e9}\n\u{7}");
        assert_eq!(unescaped("end\\"), "end\\");
    }
}
