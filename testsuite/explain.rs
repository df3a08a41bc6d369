//! The pages of `--explain`: each code of the sources has one, and each example does what its page says.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use stencil_rewrite::explain::PAGES;

use crate::case::project;
use crate::command::{Outcome, run, tool};
use crate::golden::check_golden;
use crate::sources::rust_files;
use crate::{trial, trials_of};

pub fn trials() -> Vec<Trial> {
    let pages = PAGES.iter().map(|(code, text)| trial(format!("explain::{code}"), move || check_page(code, text)));
    let others = trials_of(
        "explain",
        &[
            ("every_code_has_a_page", check_codes),
            ("every_file_is_a_page", check_files),
            ("the_document_is_made_of_the_pages", check_document),
            ("the_tool_prints_pages", check_printed),
        ],
    );
    pages.chain(others).collect()
}

/// Codes that only a fault or a machine without memory or time brings about; their pages say so.
const WITHOUT_EXAMPLE: [&str; 3] = ["analysis-failed", "out-of-memory", "too-slow"];

/// Code blocks of a page, as files and a command.
struct Example {
    files: Vec<(String, String)>,
    command: Option<String>,
}

impl Example {
    /// `None` if there is no code. A block that begins with a comment of one name is the file of that name.
    fn read(text: &str) -> Option<Self> {
        let mut example = Self { files: Vec::new(), command: None };
        for block in text.split("```").skip(1).step_by(2) {
            let (language, content) = block.split_once('\n')?;
            let first = content.lines().next().unwrap_or_default();
            let name = match language {
                "sh" => {
                    example.command = Some(first.to_string());
                    continue;
                }
                "toml" => "example.stencil.toml",
                _ => first.strip_prefix("// ").filter(|name| !name.contains(' ')).unwrap_or("example.c"),
            };
            example.files.push((name.to_string(), content.to_string()));
        }
        (!example.files.is_empty() || example.command.is_some()).then_some(example)
    }

    fn run(&self) -> Result<Outcome> {
        let folder = tempfile::tempdir()?;
        for (name, content) in &self.files {
            fs::write(folder.path().join(name), content)?;
        }
        let mut command = tool(folder.path());
        let line = self.command.as_deref().unwrap_or("stencil-rewrite example.c");
        let (environment, arguments) = line.split_once("stencil-rewrite ").context("no command of the tool")?;
        for (name, value) in environment.split_whitespace().filter_map(|word| word.split_once('=')) {
            command.env(name, value);
        }
        run(command.args(arguments.split_whitespace()))
    }
}

/// The codes of all that the tool said, for people or as JSON.
fn codes(outcome: &Outcome) -> BTreeSet<String> {
    let code = |line: &str| match line.strip_prefix('{') {
        Some(_) => Some(serde_json::from_str::<serde_json::Value>(line).ok()?["code"].as_str()?.to_string()),
        None => {
            let (severity, rest) = line.split_once('[')?;
            let is_severity = ["error", "warning", "note"].contains(&severity);
            Some(rest.split_once("]: ")?.0.to_string()).filter(|_| is_severity)
        }
    };
    outcome.stderr.lines().filter_map(code).collect()
}

/// The example gives the page's code and no other; mended, it is accepted without it.
fn check_page(code: &str, text: &str) -> Result<()> {
    let (wrong, mended) = text.split_once("\n## Remedy\n").context("no remedy")?;
    if code == "device" && cfg!(not(feature = "device")) {
        return Ok(());
    }
    let examples = (Example::read(wrong), Example::read(mended));
    let (Some(wrong), Some(mended)) = examples else {
        ensure!(WITHOUT_EXAMPLE.contains(&code), "the page has no example or none of the remedy");
        return Ok(());
    };
    ensure!(!WITHOUT_EXAMPLE.contains(&code), "the page has an example");
    let outcome = wrong.run()?;
    ensure!(codes(&outcome) == BTreeSet::from([code.to_string()]), "{code} alone expected\n{}", outcome.describe());
    let outcome = mended.run()?.succeeded()?;
    ensure!(!codes(&outcome).contains(code), "the remedy does not help\n{}", outcome.describe());
    Ok(())
}

/// The codes that a file of the sources gives to diagnostics.
fn codes_of(text: &str) -> BTreeSet<&str> {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let first = ["error(", "warning(", "note(", "code: ", "code = ", "_CODE: &str = "];
    let first = first.iter().flat_map(|before| text.split(before).skip(1)).filter_map(literal);
    let later = text.split(".refuse(").skip(1).filter_map(|call| literal(call.split_once(',')?.1));
    // Where several refusals share a call, its code is the first of a tuple.
    let is_shared = text.contains("let (code,");
    let shared = text.split('(').skip(1).filter(|_| is_shared).filter_map(literal);
    first.chain(later).chain(shared).collect()
}

/// The kebab-case literal, followed by a comma or the like, that text begins with.
fn literal(text: &str) -> Option<&str> {
    let (word, rest) = text.trim_start().strip_prefix('"')?.split_once('"')?;
    let is_code = word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-') && !word.is_empty();
    (is_code && rest.starts_with([',', ';'])).then_some(word)
}

fn check_codes() -> Result<()> {
    let mut found = BTreeSet::new();
    for file in rust_files(&project().join("src"))? {
        if !file.ends_with("tests.rs") {
            found.extend(codes_of(&fs::read_to_string(&file)?).into_iter().map(str::to_string));
        }
    }
    let pages: BTreeSet<String> = PAGES.iter().map(|(code, _)| code.to_string()).collect();
    let without_page: Vec<_> = found.difference(&pages).collect();
    let without_code: Vec<_> = pages.difference(&found).collect();
    ensure!(without_page.is_empty(), "src/explain/pages has no page for {without_page:?}");
    ensure!(without_code.is_empty(), "src/explain/pages has pages for codes that nothing gives: {without_code:?}");
    Ok(())
}

fn check_files() -> Result<()> {
    for entry in fs::read_dir(project().join("src/explain/pages"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let is_page = PAGES.iter().any(|(code, _)| name == format!("{code}.md"));
        ensure!(is_page, "{name} is not in the table of src/explain/mod.rs");
    }
    Ok(())
}

/// `src/explain/README.md` is all pages, one after the other.
fn check_document() -> Result<()> {
    let mut text = String::from(
        "# Diagnostics\n\nWhat `stencil-rewrite --explain CODE` prints, made of the files in `pages` by\n\
         `UPDATE_GOLDENS=1 cargo test --test testsuite -- explain::the_document`. Every example is tried by a test.\n\n",
    );
    for (code, _) in PAGES {
        text += &format!("- [{code}](#{code})\n");
    }
    for (_, page) in PAGES {
        text += "\n";
        text += &with_lower_headings(page);
    }
    check_golden(&project().join("src/explain/README.md"), &text)
}

/// The same page as a section; code stays as it is.
fn with_lower_headings(page: &str) -> String {
    let mut is_code = false;
    let lines = page.split_inclusive('\n').map(|line| {
        is_code ^= line.starts_with("```");
        let is_heading = !is_code && line.starts_with('#');
        if is_heading { format!("#{line}") } else { line.to_string() }
    });
    lines.collect()
}

fn check_printed() -> Result<()> {
    let explain = |code: &str| run(tool(Path::new(".")).args(["--explain", code]));
    let outcome = explain("gauss-seidel")?.succeeded()?;
    let page = PAGES.iter().find(|(code, _)| *code == "gauss-seidel").context("no page")?.1;
    ensure!(outcome.stdout == page.as_bytes() && outcome.stderr.is_empty(), "{}", outcome.describe());
    let outcome = explain("gaus-seidl")?.exited_with(2)?;
    outcome.check_says("did you mean `gauss-seidel`?")
}
