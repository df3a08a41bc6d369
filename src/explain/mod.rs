//! Pages about diagnostics, one a code: what it means, an example, the remedy, and the example mended.
//!
//! A page is Markdown for people and a test at once: what stands under `## Example` must give the page's code and no other,
//! what stands under `## Remedy` must be accepted without it. `README.md` is all pages in one document.

use strsim::jaro_winkler;

/// The pages by their codes, in alphabetical order.
macro_rules! pages {
    ($($code:literal),* $(,)?) => {
        &[$(($code, include_str!(concat!("pages/", $code, ".md")))),*]
    };
}

/// Each code and its page.
pub const PAGES: &[(&str, &str)] = pages![
    "address-of",
    "analysis-failed",
    "array-size",
    "assignment-in-expression",
    "cells-change-with-time",
    "conditional-loop",
    "device",
    "element-may-not-exist",
    "file",
    "flat-subscript",
    "fp-mode",
    "gauss-seidel",
    "held-value",
    "inactive-pragma",
    "inexact-function",
    "kept-each-step",
    "kept-step",
    "kept-sync",
    "language",
    "lent-variable",
    "library-name",
    "local-array",
    "loop-bound",
    "loop-form",
    "loop-variable",
    "memcpy",
    "name-in-use",
    "negative-remainder",
    "nest-extent",
    "never-executed",
    "no-parallel-storage",
    "no-pragma",
    "no-space-loop",
    "no-statement",
    "no-sum",
    "no-time-tiles",
    "not-affine",
    "not-granted",
    "not-rewritten",
    "openmp-private",
    "openmp-team",
    "out-of-memory",
    "outer-loop-carries",
    "outside-array",
    "pointer-branch",
    "pointer-live-out",
    "pointer-to-pointer",
    "pointer-type",
    "pointer-value",
    "pragma-clause",
    "pragma-in-header",
    "pragma-place",
    "preprocessor",
    "register",
    "resident",
    "rewritten-file",
    "rotation",
    "scalar-carried",
    "scalar-live-out",
    "struct-member",
    "subscript",
    "sweeps-depend-on-each-other",
    "syntax",
    "too-complex",
    "too-large",
    "too-many-dimensions",
    "too-slow",
    "tuning-file",
    "tuning-size",
    "tuning-too-large",
    "tuning-unused",
    "undeclared",
    "uninitialised",
    "unknown-clause",
    "unknown-function",
    "unsupported-call",
    "unsupported-cast",
    "unsupported-expression",
    "unsupported-statement",
    "unsupported-target",
    "unsupported-type",
    "usage",
    "volatile",
    "wraps-around",
    "written-twice",
];

/// The page about the code, which may stand in brackets as messages show it.
pub fn page(code: &str) -> Option<&'static str> {
    let code = bare(code);
    PAGES.iter().find(|(name, _)| *name == code).map(|(_, text)| *text)
}

/// How alike two words must be for one to be suggested for the other; 1 is equal.
const ALIKE: f64 = 0.8;

/// The code whose spelling is the nearest, if one is near.
pub fn nearest(code: &str) -> Option<&'static str> {
    let code = bare(code);
    let likeness = |name: &str| jaro_winkler(&code, name);
    let alike = PAGES.iter().map(|(name, _)| *name).filter(|name| likeness(name) > ALIKE);
    alike.max_by(|left, right| likeness(left).total_cmp(&likeness(right)))
}

/// `[Gauss_Seidel]` is meant for `gauss-seidel`.
fn bare(code: &str) -> String {
    code.trim_matches(['[', ']']).to_ascii_lowercase().replace('_', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_found_as_people_copy_them() {
        assert!(page("gauss-seidel").is_some_and(|page| page.starts_with("# gauss-seidel\n")));
        assert_eq!(page("[Gauss_Seidel]"), page("gauss-seidel"));
        assert_eq!(page("gauss"), None);
    }

    #[test]
    fn a_misspelt_code_has_a_neighbour_and_another_word_has_none() {
        assert_eq!(nearest("gaus-siedel"), Some("gauss-seidel"));
        assert_eq!(nearest("gauss"), Some("gauss-seidel"));
        assert_eq!(nearest("weather"), None);
    }

    #[test]
    fn pages_stand_in_order_under_their_own_names() {
        assert!(PAGES.is_sorted_by_key(|(code, _)| *code));
        for (code, text) in PAGES {
            assert!(text.starts_with(&format!("# {code}\n\n")), "{code}");
        }
    }
}
