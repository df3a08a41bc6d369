//! What nests are called: in the generated text, and in tuning files.

use super::MarkedNest;
use crate::options::Clauses;
use crate::source::{Diagnostic, SourceFile, Span, tokens};

/// What follows a nest's name and an underscore in names of the driver.
const GENERATED: [&str; 16] = [
    "scalars",
    "geometry",
    "original",
    "region",
    "fields",
    "plans",
    "writes_",
    "row_",
    "gpu_",
    "cpu_",
    "tuned_",
    "measured_",
    "asked",
    "turn",
    "quick",
    "inline",
];

/// Gives each nest the name of its clause or, with its number among the pragmas of the file, of `stem`, and refuses those
/// whose names, there or in tuning files, another one has or needs, or a function of the file has.
pub fn give_names(nests: &mut [Result<MarkedNest, Vec<Diagnostic>>], source: &SourceFile, stem: &str) {
    let mut taken: Vec<([String; 2], Span)> = Vec::new();
    let words = tokens(source.bytes(), source.whole());
    for (number, result) in (1..).zip(nests) {
        let Ok(MarkedNest { nest, clauses, name, .. }) = result else { continue };
        *name = clauses.name.clone().unwrap_or_else(|| default_name(stem, number));
        let names = [name.clone(), tuned_name(source, clauses, number)];
        let clash = taken.iter().find(|(others, _)| (0..2).any(|which| clashes(&names[which], &others[which])));
        if let Some(used) = find_call(source.bytes(), &words, name) {
            *result = Err(vec![name_in_use(name, nest.pragma, used)]);
            continue;
        }
        match clash {
            None => taken.push((names, nest.pragma)),
            Some((others, first)) => *result = Err(vec![names_clash(&names, nest.pragma, others, *first)]),
        }
    }
}

/// The nest's name in tuning files, which does not depend on where the results are written.
pub fn tuned_name(source: &SourceFile, clauses: &Clauses, number: usize) -> String {
    let stem = source.path().file_stem().unwrap_or_default().to_string_lossy();
    clauses.name.clone().unwrap_or_else(|| default_name(&stem, number))
}

/// The host function of the nest with that number, counted from 1 over all pragmas of the file.
fn default_name(stem: &str, number: usize) -> String {
    let identifier: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let prefix = if identifier.starts_with(|first: char| first.is_ascii_alphabetic()) { "" } else { "s" };
    format!("{prefix}{identifier}_stencil_{number}")
}

/// Where the file calls, declares or defines a function of that name.
fn find_call(text: &[u8], words: &[Span], name: &str) -> Option<Span> {
    let is = |span: Span, word: &[u8]| &text[span.start..span.end] == word;
    words.windows(2).find(|pair| is(pair[0], name.as_bytes()) && is(pair[1], b"(")).map(|pair| pair[0])
}

/// Whether two nests cannot have these names at once, because one's is or could be a name in the other's text.
fn clashes(one: &str, other: &str) -> bool {
    let needs = |name: &str, longer: &str| {
        let rest = longer.strip_prefix(name).and_then(|rest| rest.strip_prefix('_'));
        rest.is_some_and(|rest| {
            GENERATED.iter().any(|word| rest == *word || word.ends_with('_') && rest.starts_with(word))
        })
    };
    one == other || needs(one, other) || needs(other, one)
}

fn names_clash(names: &[String; 2], pragma: Span, others: &[String; 2], first: Span) -> Diagnostic {
    let which = usize::from(!clashes(&names[0], &others[0]));
    let (name, other) = (&names[which], &others[which]);
    let message = match (name == other, which) {
        (true, 0) => format!("two nests are called `{name}`"),
        (true, _) => format!("two nests are called `{name}` in tuning files"),
        (false, _) => {
            format!("two nests are called `{other}` and `{name}`, and what is generated for one has the other's name")
        }
    };
    Diagnostic::error("pragma-clause", message, pragma)
        .with_label(first, "the first one")
        .with_help("give each nest a name of its own in its `name` clause")
}

/// A call that the tool once wrote would run another nest, if its own pragma is gone.
fn name_in_use(name: &str, pragma: Span, used: Span) -> Diagnostic {
    Diagnostic::error("name-in-use", format!("this nest would be called `{name}`, and the file has such a function"), pragma)
        .with_label(used, "here")
        .with_help("give the nest another name in its `name` clause")
        .with_help(format!(
            "if the tool wrote this call, it stands before the comment that holds its pragma: `while (!{name}(...)) {{ /* #pragma stencil */`"
        ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_names_are_identifiers() {
        assert_eq!(default_name("jacobi-2d", 1), "jacobi_2d_stencil_1");
        assert_eq!(default_name("2d", 3), "s2d_stencil_3");
        assert_eq!(default_name("é", 1), "s__stencil_1");
    }

    /// The diagnostics of nests with these `name` clauses in `x.c`, written as `y`.
    fn refused(names: &[Option<&str>]) -> Vec<bool> {
        let nest = |name: &Option<&str>| {
            let clauses = Clauses { name: name.map(Into::into), ..Clauses::default() };
            Ok(MarkedNest { clauses, ..MarkedNest::default() })
        };
        let mut nests: Vec<_> = names.iter().map(nest).collect();
        give_names(&mut nests, &SourceFile::new("x.c", Vec::new()), "y");
        nests.iter().map(Result::is_err).collect()
    }

    #[test]
    fn names_of_functions_are_not_taken() {
        for (text, is_refused) in [
            ("while (!x_stencil_1(a)) { }", true),
            ("int x_stencil_1(int);", true),
            ("int x_stencil_1; /* x_stencil_1() */\n#define F x_stencil_1()\n", false),
            ("x_stencil_11(); ax_stencil_1();", false),
        ] {
            let mut nests = [Ok(MarkedNest::default())];
            give_names(&mut nests, &SourceFile::new("x.c", text.as_bytes().to_vec()), "x");
            assert_eq!(nests[0].is_err(), is_refused, "{text}");
        }
    }

    #[test]
    fn names_are_compared_when_they_are_final() {
        assert_eq!(refused(&[Some("y_stencil_2"), None]), [false, true], "the generated functions are equal");
        assert_eq!(refused(&[Some("x_stencil_2"), None]), [false, true], "a tuning file cannot tell them apart");
        assert_eq!(refused(&[Some("z_stencil_2"), None, None]), [false; 3]);
        assert_eq!(refused(&[Some("heat"), Some("heat_2"), Some("heat")]), [false, false, true]);
        assert_eq!(refused(&[Some("heat_original"), Some("heat"), Some("heats")]), [false, true, false]);
        assert_eq!(refused(&[Some("heat"), Some("heat_gpu_steps4")]), [false, true]);
    }
}
