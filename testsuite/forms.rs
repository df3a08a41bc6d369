//! The page of forms: which C the tool rewrites and which it refuses, made of the cases themselves.
//!
//! A case of `accept` says `// form: CHAPTER: C`, and what stands behind the chapter must stand in its source. A case of
//! `reject` needs no such line: its golden file tells the line of C and what the tool says of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;

use crate::case::{Case, project, read_cases, suite};
use crate::golden::check_golden;
use crate::trials_of;

/// Chapters of accepted forms, in the page's order.
const CHAPTERS: [&str; 13] = [
    "time levels",
    "subscripts",
    "rows behind pointers",
    "structures",
    "calls",
    "scalars by rule",
    "scalars from point to point",
    "scalars read behind a nest",
    "sums, maxima and counts over points",
    "bodies",
    "loops",
    "records and sources",
    "loops that the host keeps",
];

/// Codes whose messages are about the command line, the pragma or the tool's limits rather than about the C below the pragma.
const NOT_OF_FORMS: [&str; 3] = ["clause", "pragma", "tuning"];

pub fn trials() -> Vec<Trial> {
    trials_of("forms", &[("the_page_is_made_of_the_cases", check_page)])
}

fn check_page() -> Result<()> {
    let text = format!("{HEAD}{}{REFUSED}{}", accepted()?, refused()?);
    check_golden(&project().join("testsuite/FORMS.md"), &text)
}

const HEAD: &str = "# Forms of C\n\n\
    What may stand below `#pragma stencil`, and what is refused, each with a line of C. Made of the cases of the test suite by\n\
    `UPDATE_GOLDENS=1 cargo test --test testsuite -- forms::`: what is accepted here runs on a device in every run of the tests and\n\
    prints what the original prints; what is refused here is refused with this message. Forms go together freely.\n\n\
    # Accepted\n";

const REFUSED: &str = "\n# Refused\n\n\
    The codes lead to pages that tell why, with an example and what helps.\n";

/// A table for each chapter.
fn accepted() -> Result<String> {
    let mut rows: BTreeMap<&str, String> = BTreeMap::new();
    let cases = read_cases(&suite("accept"));
    for case in &cases {
        let source = one_line(&String::from_utf8_lossy(&fs::read(&case.path)?));
        for form in case.directives("form") {
            let (chapter, code) = form.split_once(": ").with_context(|| format!("{}: `{form}`", case.name()))?;
            ensure!(CHAPTERS.contains(&chapter), "{}: `{chapter}` is no chapter of {CHAPTERS:?}", case.name());
            // The directive itself holds the text, too.
            ensure!(source.matches(code).count() > 1, "{}: its source does not hold `{code}`", case.name());
            *rows.entry(chapter).or_default() += &row([quoted(code), link(case, "accept")]);
        }
    }
    let chapters = CHAPTERS.map(|chapter| {
        let rows = rows.get(chapter).map_or("", String::as_str);
        format!("\n## {}\n\n| C | case |\n|---|---|\n{rows}", capitalised(chapter))
    });
    Ok(chapters.concat())
}

/// A table for each code of diagnostics.
fn refused() -> Result<String> {
    let mut rows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for case in read_cases(&suite("reject")) {
        let golden = fs::read_to_string(case.path.with_extension("stderr"))?;
        for refusal in refusals(&golden) {
            if NOT_OF_FORMS.iter().any(|part| refusal.code.contains(part)) {
                continue;
            }
            let source = fs::read(&case.path)?;
            let Some(line) = line_of(&String::from_utf8_lossy(&source), &case, refusal.place) else { continue };
            let cells = [quoted(&line), refusal.message.replace('|', "\\|"), link(&case, "reject")];
            rows.entry(refusal.code.to_string()).or_default().insert(row(cells));
        }
    }
    let chapter = |(code, rows): (&String, &BTreeSet<String>)| {
        let rows: String = rows.iter().map(String::as_str).collect();
        format!("\n## [{code}](../src/explain/pages/{code}.md)\n\n| C | message | case |\n|---|---|---|\n{rows}")
    };
    Ok(rows.iter().map(chapter).collect())
}

/// One error of a golden file.
struct Refusal<'a> {
    code: &'a str,
    message: &'a str,
    /// `FILE:LINE:COLUMN`.
    place: &'a str,
}

fn refusals(golden: &str) -> Vec<Refusal<'_>> {
    let lines: Vec<&str> = golden.lines().collect();
    let pairs = lines.windows(2).filter_map(|pair| {
        let (code, message) = pair[0].strip_prefix("error[")?.split_once("]: ")?;
        let place = pair[1].trim_start().strip_prefix("┌─ ")?;
        Some(Refusal { code, message, place })
    });
    pairs.collect()
}

/// The line of the case's own source at a place; `None` for places in headers.
fn line_of(source: &str, case: &Case, place: &str) -> Option<String> {
    let mut parts = place.split(':');
    let name = case.path.file_name()?.to_string_lossy();
    let line: usize = parts.next().filter(|file| *file == name).and(parts.next())?.parse().ok()?;
    source.lines().nth(line.checked_sub(1)?).map(one_line)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn quoted(code: &str) -> String {
    format!("`{}`", code.replace('|', "\\|"))
}

fn link(case: &Case, folder: &str) -> String {
    format!("[{0}]({folder}/{0}.c)", case.name())
}

fn row<const COLUMNS: usize>(cells: [String; COLUMNS]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

fn capitalised(text: &str) -> String {
    let (first, rest) = text.split_at(1);
    first.to_uppercase() + rest
}
