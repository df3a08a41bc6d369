//! The text of what the tool writes: its size, its lines, and that kernels without their repeats are the same to a compiler.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;

use crate::accept::{DEFAULT, ROWS, STREAM, Variant, program_of};
use crate::case::{Case, find_c_files, project, read_cases, suite};
use crate::command::{clean, run};
use crate::examples::root;
use crate::program::{Program, Rewritten};
use crate::trial;

/// Characters that a line may have.
const WIDTH: usize = 119;

/// Bytes that a driver of an example may have beside the runtime.
const DRIVER: u64 = 150_000;

/// What selects the dialects of the kernels' text, and which of its kernels a call compiles.
const DEFINITIONS: [&[&str]; 6] = [
    &[],
    &["-D__NV_CL_C_VERSION=1"],
    &["-D__NV_CL_C_VERSION=1", "-DSTENCIL_KEEPS_LINES"],
    &["-DSTENCIL_SUB_GROUPS"],
    &["-DSTENCIL_NEST=1", "-DSTENCIL_PLAN=0", "-DSTENCIL_KERNELS=1"],
    &["-D__NV_CL_C_VERSION=1", "-DSTENCIL_NEST=1", "-DSTENCIL_PLAN=1", "-DSTENCIL_KERNELS=6"],
];

/// One accept case in so many is tried.
const STRIDE: usize = 12;

pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for case in all_examples() {
        let folder = case.folder().file_name().unwrap_or_default().to_string_lossy().into_owned();
        trials.push(trial(format!("generated::{folder}::{}", case.name()), move || check_example(&case)));
    }
    for (index, case) in read_cases(&suite("accept")).into_iter().enumerate().filter(|(index, _)| index % STRIDE == 0) {
        let variant = [DEFAULT, STREAM, ROWS][index / STRIDE % 3];
        let check = move || check_same_tokens(&program_of(&case, &[]), variant, tempfile::tempdir()?.path());
        let name = read_cases(&suite("accept"))[index].name();
        trials.push(trial(format!("generated::tokens_{name}"), check));
    }
    trials.push(trial("generated::texts_without_repeats_differ".to_string(), check_comparison));
    trials
}

/// All examples, those of several files included.
fn all_examples() -> Vec<Case> {
    let folders = fs::read_dir(root()).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = folders.filter(|path| path.is_dir()).flat_map(|path| find_c_files(&path)).collect();
    files.sort();
    let is_marked = |path: &PathBuf| fs::read_to_string(path).is_ok_and(|text| text.contains("#pragma stencil"));
    files.into_iter().filter(is_marked).map(Case::read).collect()
}

/// The driver is small, all lines are short, and the kernels are the same without their macros.
fn check_example(case: &Case) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let examples = root();
    let program = program_of(case, &[&examples]);
    let (files, _) = program.rewrite(&[], folder.path())?;
    check_lines(&program, &files)?;
    let (size, runtime) = (fs::metadata(files.driver())?.len(), runtime_size()?);
    ensure!(size < DRIVER + runtime, "the driver has {size} bytes, of which the runtime is about {runtime}");
    check_same_tokens(&program, DEFAULT, folder.path())
}

fn runtime_size() -> Result<u64> {
    let files = fs::read_dir(project().join("src/back/runtime"))?.flatten().map(|entry| entry.path());
    let sources = files.filter(|path| path.extension().is_some_and(|end| end == "c"));
    sources.map(|path| Ok(fs::metadata(path)?.len())).sum()
}

/// A line of the original, if the end of its nest was marked in it.
fn without_mark(line: &str) -> String {
    let mark = line.find(" } /* ").and_then(|start| Some((start, start + line[start..].find("*/")? + 2)));
    mark.map_or_else(|| line.to_owned(), |(start, end)| line[..start].to_owned() + &line[end..])
}

/// No generated line is long; of the rewritten source the lines count that the original does not have.
pub fn check_lines(program: &Program, files: &Rewritten) -> Result<()> {
    let original = fs::read(&program.source)?;
    let original = String::from_utf8_lossy(&original).into_owned();
    let is_new = |line: &str| !original.lines().any(|other| other == line || other == without_mark(line));
    for file in [files.host(), files.driver(), files.header(), files.kernels()] {
        let text = fs::read(&file)?;
        let text = String::from_utf8_lossy(&text);
        let long = text.lines().find(|line| line.chars().count() > WIDTH && is_new(line));
        ensure!(long.is_none(), "{} has the line {}", file.display(), long.unwrap_or_default());
    }
    Ok(())
}

/// The preprocessor makes the same of the kernels' file as of the text in which every statement stands where it is executed.
fn check_same_tokens(program: &Program, variant: Variant, folder: &Path) -> Result<()> {
    let (files, _) = program.rewrite(variant.options, &folder.join(variant.name))?;
    let plain = folder.join("plain.cl");
    fs::write(&plain, run(program.strict_tool(variant.options).args(["--dump", "kernel"]))?.succeeded()?.stdout)?;
    for definitions in DEFINITIONS {
        let [short, plain] = [&files.kernels(), &plain].map(|file| tokens(file, definitions));
        ensure!(!short.as_ref().is_ok_and(String::is_empty) || definitions.len() > 2, "there is nothing to compare");
        ensure!(short? == plain?, "{definitions:?}: the tokens differ");
    }
    Ok(())
}

/// What the preprocessor makes of a file, each token behind a space. White space that only parts tokens differs.
fn tokens(file: &Path, definitions: &[&str]) -> Result<String> {
    let mut gcc = clean("gcc", file.parent().unwrap_or(Path::new(".")));
    gcc.args(["-E", "-P", "-undef", "-x", "c"]).args(definitions).arg(file);
    let text = String::from_utf8(run(&mut gcc)?.succeeded()?.stdout).context("kernels are ASCII")?;
    Ok(split_tokens(&text).join(" "))
}

/// Names and numbers, string constants, and all other characters by themselves.
fn split_tokens(text: &str) -> Vec<&str> {
    let is_in_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            c if is_in_word(c) => rest.find(|c| !is_in_word(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

/// The comparison finds a token that is torn apart, and the macros are there.
fn check_comparison() -> Result<()> {
    let split = |text| split_tokens(text).join(" ");
    ensure!(split("a=b+ 1.5f;") == split("a = b +1.5f ;") && split("a1") != split("a 1"), "tokens are not told apart");
    let case = all_examples().into_iter().find(|case| case.name() == "jacobi-2d").context("an example")?;
    let folder = tempfile::tempdir()?;
    let examples = root();
    let program = program_of(&case, &[&examples]);
    let (files, _) = program.rewrite(&[], folder.path())?;
    let kernels = fs::read_to_string(files.kernels())?;
    ensure!(kernels.contains("#define LEVEL_1("), "no level has become a macro");
    let plain = run(program.strict_tool(&[]).args(["--dump", "kernel"]))?.succeeded()?.stdout;
    ensure!(3 * kernels.len() < plain.len(), "{} of {} bytes are left", kernels.len(), plain.len());
    fs::write(files.kernels(), kernels.replacen("win##a##_0_0_0", "win##a##_1_0_0", 1))?;
    let plain_file = folder.path().join("plain.cl");
    fs::write(&plain_file, plain)?;
    ensure!(tokens(&files.kernels(), &[])? != tokens(&plain_file, &[])?, "a damaged macro is not found");
    Ok(())
}
