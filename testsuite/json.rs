//! `--message-format json`: every line has the form that `src/report/json.md` describes.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use serde_json::{Map, Value};
use stencil_rewrite::explain::page;

use crate::case::{Case, project, read_cases, suite};
use crate::command::{Outcome, run, tool};
use crate::reject::prepare;
use crate::{trial, trials_of};

pub fn trials() -> Vec<Trial> {
    let cases = read_cases(&suite("reject")).into_iter();
    let cases = cases.map(|case| trial(format!("json::{}", case.name()), move || check_case(&case)));
    let others = trials_of(
        "json",
        &[
            ("errors_without_a_place", check_failures),
            ("the_described_lines_have_the_form", check_description),
            ("what_is_no_such_line_is_found", check_checks),
        ],
    );
    cases.chain(others).collect()
}

/// The same diagnostics as in the golden for people, each at a place of its file.
fn check_case(case: &Case) -> Result<()> {
    let folder = prepare(case)?;
    let name = case.path.file_name().unwrap_or_default();
    let mut command = tool(folder.path());
    let outcome =
        run(command.args(["--message-format", "json"]).args(case.words("flags")).arg(name))?.exited_with(1)?;
    let lines = read_lines(&outcome)?;
    lines.iter().try_for_each(|line| check_places(line, folder.path()))?;
    let heads = lines.iter().map(|line| {
        let text = |field: &str| line[field].as_str().unwrap_or_default();
        format!("{}[{}]: {}", text("severity"), text("code"), text("message"))
    });
    let golden = fs::read_to_string(case.path.with_extension("stderr"))?;
    let is_head = |line: &&str| ["error[", "warning[", "note["].iter().any(|start| line.starts_with(start));
    ensure!(heads.eq(golden.lines().filter(is_head)), "other diagnostics than in the golden\n{}", outcome.describe());
    Ok(())
}

/// What the tool wrote on stderr: nothing but lines of the form.
fn read_lines(outcome: &Outcome) -> Result<Vec<Value>> {
    ensure!(!outcome.stderr.is_empty(), "nothing is said\n{}", outcome.describe());
    outcome.stderr.lines().map(read_line).collect()
}

fn read_line(line: &str) -> Result<Value> {
    let value = serde_json::from_str(line).with_context(|| format!("no JSON: {line}"))?;
    check_form(&value).with_context(|| format!("in {line}"))?;
    Ok(value)
}

const FIELDS: [&str; 10] =
    ["version", "severity", "code", "message", "file", "start", "end", "label", "labels", "help"];

fn check_form(line: &Value) -> Result<()> {
    let object = with_fields(line, &FIELDS)?;
    ensure!(object["version"] == 1, "the version is not 1");
    ensure!(["error", "warning", "note"].map(Value::from).contains(&object["severity"]), "no severity");
    let code = object["code"].as_str().context("the code is no string")?;
    ensure!(page(code).is_some(), "no page explains {code}");
    ensure!(object["message"].as_str().is_some_and(|text| !text.is_empty()), "no message");
    ensure!(object["label"].is_string(), "the label is no string");
    let is_known = object["file"].as_str().is_some_and(|file| !file.is_empty());
    ensure!(is_known || object["file"].is_null(), "the file is neither a name nor null");
    if !(object["start"].is_null() && object["end"].is_null()) {
        ensure!(is_known, "a place in no file");
        check_span(line)?;
    }
    for label in object["labels"].as_array().context("the labels are no array")? {
        with_fields(label, &["start", "end", "message"])?;
        check_span(label)?;
        ensure!(is_known && label["message"].is_string(), "a label says nothing");
    }
    let help = object["help"].as_array().context("the help is no array")?;
    ensure!(help.iter().all(Value::is_string), "a help is no string");
    Ok(())
}

fn check_span(value: &Value) -> Result<()> {
    let byte = |end: &str| -> Result<u64> {
        let position = &value[end];
        with_fields(position, &["line", "column", "byte"])?;
        ensure!(["line", "column"].iter().all(|field| position[*field].as_u64() > Some(0)), "counted from 0");
        position["byte"].as_u64().context("the byte is no number")
    };
    ensure!(byte("start")? <= byte("end")?, "the end is before the start");
    Ok(())
}

fn with_fields<'v>(value: &'v Value, names: &[&str]) -> Result<&'v Map<String, Value>> {
    let object = value.as_object().context("no object")?;
    let has_all = names.iter().all(|name| object.contains_key(*name));
    ensure!(has_all && object.len() == names.len(), "the fields are {:?}", object.keys().collect::<Vec<_>>());
    Ok(object)
}

/// Lines and columns are those of the bytes in the file.
fn check_places(line: &Value, folder: &Path) -> Result<()> {
    let bytes = fs::read(folder.join(line["file"].as_str().context("no file")?))?;
    let labels = line["labels"].as_array().into_iter().flatten();
    for place in std::iter::once(line).chain(labels) {
        for end in ["start", "end"] {
            let position = &place[end];
            let byte = position["byte"].as_u64().context("no byte")? as usize;
            let before = bytes.get(..byte).context("behind the end of the file")?;
            let newlines = before.iter().filter(|byte| **byte == b'\n').count();
            let column = byte - before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1) + 1;
            ensure!(position["line"] == newlines + 1 && position["column"] == column, "no such place: {line}");
        }
    }
    Ok(())
}

/// Errors of files, command lines and devices are lines as well.
fn check_failures() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let source =
        "void f(int n, double *a)\n{\n#pragma stencil\n    for (int i = 0; i < n; i++)\n        a[i] = 1;\n}\n";
    fs::write(folder.path().join("a.c"), source)?;
    let cases: [(&[&str], i32, &str, Option<&str>); 6] = [
        (&["missing.c"], 1, "file", Some("missing.c")),
        (&["a.c", "-d", "nowhere"], 1, "file", Some("nowhere/a.stencil.cl")),
        (&["a.c", "--tuning", "missing.toml"], 1, "file", Some("missing.toml")),
        (&["a.c", "-MP"], 2, "usage", None),
        (&["--nonsense", "a.c"], 2, "usage", None),
        (&["--explain", "nonsense"], 2, "usage", None),
    ];
    for (words, exit, code, file) in cases {
        let outcome = run(tool(folder.path()).args(["--message-format", "json"]).args(words))?.exited_with(exit)?;
        let [line] = &read_lines(&outcome)?[..] else { anyhow::bail!("one line expected\n{}", outcome.describe()) };
        ensure!(line["code"] == code && line["file"].as_str() == file, "{code} of {file:?} expected in {line}");
        ensure!(line["start"].is_null(), "a place: {line}");
    }
    Ok(())
}

fn check_description() -> Result<()> {
    let text = fs::read_to_string(project().join("src/report/json.md"))?;
    let lines = text.split("```json\n").nth(1).context("no example")?.split("```").next().unwrap_or_default();
    ensure!(lines.lines().count() == 2, "two lines expected");
    lines.lines().try_for_each(|line| read_line(line).map(drop))?;
    for field in FIELDS {
        ensure!(text.contains(&format!("`{field}`")), "`{field}` is not described");
    }
    Ok(())
}

fn check_checks() -> Result<()> {
    let good = r#"{"version":1,"severity":"note","code":"file","message":"m","file":null,"start":null,"end":null,"label":"","labels":[],"help":[]}"#;
    read_line(good)?;
    let damages = [("1", "2"), ("note", "hint"), ("code\":\"file", "code\":\"fil"), ("\"m\"", "\"\""), ("[]}", "[1]}")];
    for (from, to) in damages.into_iter().chain([("\"start\":null", "\"start\":{}"), ("\"label\":\"\",", "")]) {
        let bad = good.replacen(from, to, 1);
        ensure!(bad != good && read_line(&bad).is_err(), "{bad} passes");
    }
    Ok(())
}
