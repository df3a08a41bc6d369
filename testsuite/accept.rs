//! Programs that the tool must rewrite so that nothing changes but where they run.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, anyhow, ensure};
use libtest_mimic::Trial;
use stencil_rewrite::rewrite::{Original, write_diff};
use stencil_rewrite::source::SourceFile;
use stencil_rewrite::text::Fnv;

use crate::case::{Case, read_cases, suite};
use crate::command::{Outcome, clean, run};
use crate::compare::check_same_bytes;
use crate::generated;
use crate::literals::join_string_constants;
use crate::program::{Program, Rewritten, Runtime, on_device, on_device_unoptimised};
use crate::trial;

/// Longer files of kernels, in bytes, are optimised in runs over all programs only.
const LONG: u64 = 40_000;

/// PoCL takes a minute for streams in longer files if each work-item has several cells.
const LONG_STREAM: u64 = 50_000;

/// A plan that the options force. Sizes are odd and small, so that there are partial tiles everywhere.
#[derive(Clone, Copy)]
pub struct Variant {
    pub name: &'static str,
    pub options: &'static [&'static str],
    /// Whether its kernels, unless they are long, are optimised in every run of the tests, for ten times the compile time; a
    /// run over all programs optimises the others' as well.
    pub is_optimised: bool,
}

impl Variant {
    /// Whether it is the tool's own choice.
    pub fn is_default(&self) -> bool {
        self.options.is_empty()
    }

    /// Programs that are as users get them have all of the driver in one file.
    pub fn runtime(&self) -> Runtime {
        if self.is_default() && self.is_optimised { Runtime::InDriver } else { Runtime::Apart }
    }

    /// A program rewritten with this plan, to be run on the device under test.
    pub fn on_device(&self, files: &Rewritten, executable: &Path) -> Result<Command> {
        let is_optimised = is_whole() || self.is_optimised && files.kernel_size()? <= LONG;
        Ok(if is_optimised { on_device(executable) } else { on_device_unoptimised(executable) })
    }
}

/// Whether a run is to spare no time.
pub fn is_whole() -> bool {
    std::env::var_os("TESTSUITE_WHOLE").is_some()
}

/// The tool's own choice.
pub const DEFAULT: Variant = Variant { name: "default", options: &[], is_optimised: true };

/// The same without optimised kernels.
const DEFAULT_UNOPTIMISED: Variant = Variant { is_optimised: false, ..DEFAULT };

/// One kernel launch a step.
pub const DIRECT: Variant = Variant { name: "direct", options: &["--strategy", "direct"], is_optimised: false };

/// Local memory without time tiling.
pub const LOCAL_ONE: Variant =
    Variant { name: "local-1", options: &["--strategy", "local", "--time-tile", "1"], is_optimised: false };

/// Time tiles of three steps; of the sizes, those of dimensions that a nest does not have are ignored.
pub const LOCAL_THREE: Variant = Variant {
    name: "local-3",
    options: &["--strategy", "local", "--time-tile", "3", "--tile", "5,7,3", "--work-group", "4,2,1"],
    is_optimised: false,
};

/// Streamed time tiles of two steps with that many cells a work-item.
macro_rules! stream_options {
    ($cells:literal) => {
        &["--strategy", "stream", "--time-tile", "2", "--per-item", $cells, "--tile", "1,8,5,1", "--work-group", "32,2"]
    };
}

/// Time tiles of two steps, streamed; what cannot be streamed is the same as in local memory, of which a GPU has enough in
/// four dimensions too.
pub const STREAM: Variant = Variant { name: "stream", options: stream_options!("2"), is_optimised: false };

/// The same with one cell a work-item.
const STREAM_ONE: Variant = Variant { name: "stream-1", options: stream_options!("1"), is_optimised: false };

/// Time tiles of four steps that stream a row at a time, so that levels but the first and last are a loop; what cannot be streamed is in local memory.
pub const ROWS: Variant = Variant {
    name: "rows",
    options: &["--strategy", "rows", "--time-tile", "4", "--tile", "7,5,4"],
    is_optimised: false,
};

/// All of them.
const ALL: [Variant; 6] = [DEFAULT, DIRECT, LOCAL_ONE, LOCAL_THREE, STREAM, ROWS];

/// How the directive `// fallback:` lets a rewritten program run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fallback {
    /// The device must do the work.
    Forbidden,
    /// The original loops may run.
    Allowed,
    /// The original loops must run, and the program must say so.
    Expected,
}

pub fn trials() -> Vec<Trial> {
    let cases = read_cases(&suite("accept"));
    let trial_of = |case: Case| {
        let name = format!("accept::{}", case.name());
        let variants = variants_of(&name);
        trial(name, move || check(&case, &[], variants))
    };
    cases.into_iter().map(trial_of).collect()
}

/// The plans under which a program is tried, by its name, so that a new one changes nothing for others: to save time, the
/// tool's own choice, and for half of all programs one of the forced ones, for a fifth optimised kernels.
pub fn variants_of(name: &str) -> &'static [Variant] {
    const SOME: [&[Variant]; 10] = [
        &[DEFAULT_UNOPTIMISED, DIRECT],
        &[DEFAULT_UNOPTIMISED, LOCAL_ONE],
        &[DEFAULT_UNOPTIMISED, LOCAL_THREE],
        &[DEFAULT_UNOPTIMISED, STREAM],
        &[DEFAULT_UNOPTIMISED, ROWS],
        &[DEFAULT_UNOPTIMISED],
        &[DEFAULT],
        &[DEFAULT_UNOPTIMISED],
        &[DEFAULT],
        &[DEFAULT_UNOPTIMISED],
    ];
    let mut hash = Fnv::new();
    hash.write(name.as_bytes());
    if is_whole() { &ALL } else { SOME[hash.folded() as usize % SOME.len()] }
}

/// Rewrites, builds and runs `case` once per variant; every run must print what the original prints.
///
/// `includes` are folders with headers, besides `include` in the case's own folder.
pub fn check(case: &Case, includes: &[&Path], variants: &[Variant]) -> Result<()> {
    case.check_directives(&["args", "flags", "cflags", "with", "fallback", "form", "notes"])?;
    let folder = tempfile::tempdir()?;
    let program = program_of(case, includes);
    let expected = run_original(&program, folder.path(), &case.runs())?;
    for variant in variants {
        let output = folder.path().join(variant.name);
        let check = || -> Result<()> {
            let (files, said) = rewrite(&program, variant, &output)?;
            generated::check_lines(&program, &files)?;
            if variant.is_default() {
                check_notes(case, &said)?;
                check_diff(&program, &files)?;
                check_restored(&program, &files)?;
                check_embedded(&files)?;
            }
            let executable = output.join("program");
            program.build_rewritten(&files, is_whole(), &executable)?;
            check_runs(case, || variant.on_device(&files, &executable), &expected)
        };
        check().with_context(|| format!("variant {}", variant.name))?;
    }
    Ok(())
}

/// Rewrites with a plan whose kernels PoCL compiles soon, if it matters.
fn rewrite(program: &Program, variant: &Variant, output: &Path) -> Result<(Rewritten, Outcome)> {
    let rewritten = program.rewrite_with(variant.runtime(), variant.options, output)?;
    if is_whole() || variant.name != STREAM.name || rewritten.0.kernel_size()? <= LONG_STREAM {
        return Ok(rewritten);
    }
    program.rewrite_with(variant.runtime(), STREAM_ONE.options, output)
}

/// The program of a case: its folder, its `include` folder and what its directives say.
pub fn program_of(case: &Case, includes: &[&Path]) -> Program {
    let folder = case.folder();
    let own = folder.join("include");
    let mut flags: Vec<String> =
        [folder, &own].iter().chain(includes).map(|path| format!("-I{}", path.display())).collect();
    flags.extend(case.words("flags"));
    let with = case.words("with").iter().map(|file| folder.join(file)).collect();
    Program { source: case.path.clone(), flags, cflags: case.words("cflags"), with }
}

/// What the original prints, run by run.
pub fn run_original(program: &Program, folder: &Path, runs: &[Vec<String>]) -> Result<Vec<Vec<u8>>> {
    let executable = folder.join("original");
    program.build_original(&executable)?;
    let outputs = runs.iter().map(|arguments| {
        let outcome = run(clean(&executable, folder).args(arguments))?.succeeded()?;
        ensure!(!outcome.stdout.is_empty(), "the original prints nothing");
        Ok(outcome.stdout)
    });
    outputs.collect()
}

fn check_runs(case: &Case, program: impl Fn() -> Result<Command>, expected: &[Vec<u8>]) -> Result<()> {
    let fallback = fallback_of(case)?;
    for (arguments, expected) in case.runs().iter().zip(expected) {
        let mut command = program()?;
        if fallback == Fallback::Forbidden {
            command.env("STENCIL_STRICT", "1");
        }
        let outcome = run(command.args(arguments))?.succeeded()?;
        check_same_bytes(&format!("stdout with arguments {arguments:?}"), expected, &outcome.stdout)
            .with_context(|| format!("stderr: {}", outcome.stderr))?;
        if fallback == Fallback::Expected {
            outcome.check_says("running the original loops")?;
        }
    }
    Ok(())
}

fn fallback_of(case: &Case) -> Result<Fallback> {
    match case.directive("fallback") {
        None => Ok(Fallback::Forbidden),
        Some("allowed") => Ok(Fallback::Allowed),
        Some("expected") => Ok(Fallback::Expected),
        Some(other) => anyhow::bail!("`fallback: {other}` is neither allowed nor expected"),
    }
}

fn check_notes(case: &Case, said: &Outcome) -> Result<()> {
    match case.directive("notes") {
        Some("none") => ensure!(said.stderr.is_empty(), "the tool says something\n{}", said.describe()),
        Some(note) => said.check_says(note)?,
        None => {}
    }
    Ok(())
}

/// `patch` makes the rewritten file out of the original and what `--diff` prints, which is the same under all plans. Where programs are
/// not as users get them the tool does not run once more for it.
fn check_diff(program: &Program, files: &Rewritten) -> Result<()> {
    let diff = files.folder.join("host.diff");
    let patched = files.folder.join("patched.c");
    let printed = match is_whole() || files.has_runtime() {
        true => of_first_file(run(program.strict_tool(DIRECT.options).arg("--diff"))?.succeeded()?.stdout),
        false => diff_of(program, files)?,
    };
    fs::write(&diff, printed)?;
    let mut patch = clean("patch", &files.folder);
    patch.args(["--binary", "--silent", "--fuzz=0", "-o"]).arg(&patched).arg(&program.source).arg(&diff);
    run(&mut patch)?.succeeded().context("the diff does not apply")?;
    check_same_bytes("the patched source", &fs::read(files.host())?, &fs::read(patched)?)
}

/// What a diff of several files says of the first one.
fn of_first_file(mut diff: Vec<u8>) -> Vec<u8> {
    let next = diff.windows(5).position(|bytes| bytes == b"\n--- ");
    diff.truncate(next.map_or(diff.len(), |line| line + 1));
    diff
}

fn diff_of(program: &Program, files: &Rewritten) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    let name = program.source.file_name().unwrap_or_default();
    write_diff(&fs::read(&program.source)?, &fs::read(files.host())?, Path::new(name), &mut text)?;
    Ok(text)
}

/// The tool finds the original in what it wrote.
fn check_restored(program: &Program, files: &Rewritten) -> Result<()> {
    let restored = Original::of(&SourceFile::read(files.host())?).map_err(|error| anyhow!(error.message))?;
    check_same_bytes(
        "the restored source",
        &comparable(&fs::read(&program.source)?),
        &comparable(restored.source().bytes()),
    )
}

/// A source without what rewriting does not keep, blanks before the pragma.
fn comparable(text: &[u8]) -> Vec<u8> {
    let line = |line: &[u8]| match line.trim_ascii_start() {
        directive if directive.starts_with(b"#") => directive.to_vec(),
        _ => line.to_vec(),
    };
    text.split(|byte| *byte == b'\n').map(line).collect::<Vec<_>>().join(&b'\n')
}

/// The kernels that people read are the kernels that the driver builds.
fn check_embedded(files: &Rewritten) -> Result<()> {
    let driver = String::from_utf8_lossy(&fs::read(files.driver())?).into_owned();
    let kernels = fs::read_to_string(files.kernels())?;
    ensure!(kernels.contains("__kernel"), "{} has no kernel", files.kernels().display());
    let embedded = join_string_constants(&driver).contains(kernels.trim());
    ensure!(embedded, "the driver does not embed what {} holds", files.kernels().display());
    Ok(())
}
