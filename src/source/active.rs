//! Which pragmas preprocessing leaves in, and where they come from.

use std::collections::BTreeSet;

use super::line_map::HeaderPlace;
use super::pragma::{Pragma, pragmas_of};
use super::{Preprocessed, SourceFile};

impl Pragma {
    /// Whether the pragma at `offset` of the preprocessed text was made from this one.
    pub fn is_at(&self, source: &SourceFile, preprocessed: &Preprocessed, offset: usize) -> bool {
        let line = preprocessed.map().original_line(offset);
        line.is_some_and(|line| self.line_numbers(source).contains(&line))
    }
}

/// Number of stencil pragmas, in the file and its headers.
pub fn count_pragmas(preprocessed: &Preprocessed) -> usize {
    preprocessed.pragmas().len()
}

/// The pragmas of the user's file that the preprocessor left out.
pub fn inactive_pragmas(source: &SourceFile, preprocessed: &Preprocessed) -> Vec<Pragma> {
    let line = |pragma: &Pragma| preprocessed.map().original_line(pragma.directive.start);
    let active: BTreeSet<usize> = preprocessed.pragmas().iter().filter_map(line).collect();
    let all = pragmas_of(source).into_iter();
    all.filter(|pragma| active.range(pragma.line_numbers(source)).next().is_none()).collect()
}

/// The pragmas in headers that the preprocessor left in.
pub fn pragmas_of_headers(preprocessed: &Preprocessed) -> Vec<HeaderPlace> {
    let text = preprocessed.text();
    let place = |pragma: &Pragma| preprocessed.map().header_place(text, pragma.directive.start);
    preprocessed.pragmas().iter().filter_map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_of_several_lines_are_one_pragma() {
        // Compilers number a directive of several lines by its first or its last one.
        let source = SourceFile::new("a.c", b"#pragma \\\n stencil\nint x;\n".to_vec());
        for text in ["# 1 \"a.c\"\n#pragma stencil\n", "# 1 \"a.c\"\n\n#pragma stencil\n"] {
            let preprocessed = Preprocessed::new(text.as_bytes().to_vec());
            assert!(inactive_pragmas(&source, &preprocessed).is_empty(), "{text:?}");
        }
    }

    #[test]
    fn pragmas_are_told_apart_by_where_they_are_and_whether_they_count() {
        let source = SourceFile::new("a.c", b"#if 0\n#pragma stencil\n#endif\n#pragma stencil\n".to_vec());
        let text = "# 1 \"a.c\"\n# 1 \"a.h\" 1\nint x;\n#pragma stencil\n# 4 \"a.c\" 2\n#pragma stencil\n";
        let preprocessed = Preprocessed::new(text.as_bytes().to_vec());
        assert_eq!(count_pragmas(&preprocessed), 2);
        let inactive: Vec<usize> =
            inactive_pragmas(&source, &preprocessed).iter().map(|pragma| pragma.directive.start).collect();
        assert_eq!(inactive, [6]);
        let places = pragmas_of_headers(&preprocessed);
        assert_eq!(places.iter().map(|place| (place.header.as_str(), place.line)).collect::<Vec<_>>(), [("a.h", 2)]);
    }
}
