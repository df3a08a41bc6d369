//! Where `#pragma stencil` stands: in the user's text, and in what the preprocessor makes of it.

use std::collections::BTreeSet;

use super::lexer::directives;
use super::line_map::HeaderPlace;
use super::{Preprocessed, SourceFile, Span, tokens};

/// What follows `#pragma` on a line of preprocessed text.
pub fn pragma(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("pragma")
}

/// What follows `#pragma stencil` on a line of preprocessed text.
pub fn stencil_pragma(line: &str) -> Option<&str> {
    let words = pragma(line)?.trim_start().strip_prefix("stencil")?;
    let is_word_end = !words.starts_with(|next: char| next.is_alphanumeric() || next == '_');
    is_word_end.then(|| words.trim())
}

/// The directives `#pragma stencil` of text that has not been preprocessed, in parts that are compiled or not.
pub fn stencil_pragmas(text: &[u8]) -> Vec<Span> {
    if !holds(text, b"stencil") {
        return Vec::new();
    }
    let is_pragma = |directive: &Span| {
        let words = tokens(text, Span::new(directive.start, directive.end));
        let words: Vec<&[u8]> = words.iter().map(|word| &text[word.start..word.end]).take(2).collect();
        words == [&b"pragma"[..], b"stencil"]
    };
    directives(text).into_iter().filter(is_pragma).collect()
}

/// Whether preprocessing the text may give a `#pragma stencil`, headers aside.
pub fn may_hold_pragma(text: &[u8]) -> bool {
    holds(text, b"stencil") && (holds(text, b"_Pragma") || !stencil_pragmas(text).is_empty())
}

fn holds(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|window| window == word)
}

/// The offset in the preprocessed text of each stencil pragma in it.
fn offsets(preprocessed: &Preprocessed) -> impl Iterator<Item = usize> {
    let starts = preprocessed.text().split_inclusive('\n').scan(0, |end, line| {
        let start = *end;
        *end += line.len();
        Some((start, line))
    });
    starts.filter(|(_, line)| stencil_pragma(line).is_some()).map(|(start, _)| start)
}

/// Number of stencil pragmas, in the file and its headers.
pub fn count_pragmas(preprocessed: &Preprocessed) -> usize {
    offsets(preprocessed).count()
}

/// The pragmas of the user's file that the preprocessor left out.
pub fn inactive_pragmas(source: &SourceFile, preprocessed: &Preprocessed) -> Vec<Span> {
    let active: BTreeSet<usize> =
        offsets(preprocessed).filter_map(|offset| preprocessed.map().original_line(offset)).collect();
    let all = stencil_pragmas(source.bytes()).into_iter();
    all.filter(|pragma| !active.contains(&source.line_of(pragma.start))).collect()
}

/// The pragmas in headers that the preprocessor left in.
pub fn pragmas_of_headers(preprocessed: &Preprocessed) -> Vec<HeaderPlace> {
    let place = |offset| preprocessed.map().header_place(preprocessed.text(), offset);
    offsets(preprocessed).filter_map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pragmas_are_found_with_any_spacing() {
        for text in [
            "#pragma stencil",
            "\n \t#  pragma\tstencil tile(4)\r\n",
            "/* c */ #pragma stencil",
            "# /* a\n */ pragma \\\n stencil",
            "%:pragma stencil\n",
            "#pragma stencil(x)",
        ] {
            assert_eq!(stencil_pragmas(text.as_bytes()).len(), 1, "{text:?}");
            assert!(may_hold_pragma(text.as_bytes()), "{text:?}");
        }
        for text in [
            "#pragma stencils",
            "#pragma omp stencil",
            "# define stencil",
            "pragma stencil",
            "#pragmastencil",
            "/*\n#pragma stencil\n*/",
            "char *s = \"\\\n#pragma stencil\";",
        ] {
            assert!(!may_hold_pragma(text.as_bytes()), "{text:?}");
        }
        assert!(may_hold_pragma(b"#define MARK _Pragma(\"stencil\")\n"));
    }

    #[test]
    fn pragmas_are_told_apart_by_where_they_are_and_whether_they_count() {
        let source = SourceFile::new("a.c", b"#if 0\n#pragma stencil\n#endif\n#pragma stencil\n".to_vec());
        let text = "# 1 \"a.c\"\n# 1 \"a.h\" 1\nint x;\n#pragma stencil\n# 4 \"a.c\" 2\n#pragma stencil\n";
        let preprocessed = Preprocessed::new(text.as_bytes().to_vec());
        assert_eq!(count_pragmas(&preprocessed), 2);
        let inactive: Vec<usize> = inactive_pragmas(&source, &preprocessed).iter().map(|span| span.start).collect();
        assert_eq!(inactive, [7]);
        let places = pragmas_of_headers(&preprocessed);
        assert_eq!(places.iter().map(|place| (place.header.as_str(), place.line)).collect::<Vec<_>>(), [("a.h", 2)]);
    }
}
