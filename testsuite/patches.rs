//! Sources that are patched in place with what `--diff` prints, and rewritten again afterwards.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use tempfile::TempDir;

use crate::case::suite;
use crate::command::{Outcome, clean, run, tool};
use crate::compare::check_same_bytes;
use crate::program::on_device_unoptimised;
use crate::trials_of;

pub fn trials() -> Vec<Trial> {
    trials_of(
        "patches",
        &[
            ("patch_and_git_take_the_diff", check_patching),
            ("a_patched_program_runs_and_is_rewritten_to_itself", check_again),
            ("a_patched_program_without_fallback_runs", check_no_fallback),
            ("a_rewritten_file_gives_the_same_kernels", check_rewritten_input),
            ("stale_calls_are_replaced", check_stale_calls),
            ("the_generated_header_need_not_be_there", check_dependencies),
            ("places_are_those_of_the_patched_file", check_places),
            ("changed_calls_are_refused", check_changed_calls),
        ],
    )
}

/// Programs with several nests, foreign line ends and bytes, no last newline, register variables, and macros.
const PROGRAMS: [&str; 6] = [
    "programs/two_regions.c",
    "accept/text_crlf.c",
    "accept/text_no_final_newline.c",
    "accept/text_latin1.c",
    "accept/left_register.c",
    "accept/macro_whole_nest.c",
];

const RESULTS: [&str; 4] = ["a.ocl.c", "a.stencil.c", "a.stencil.cl", "a.stencil.h"];

/// A folder `src` with a program as `a.c` and the headers of the suite, in a folder of its own.
struct Project {
    top: TempDir,
}

impl Project {
    fn new(program: &str) -> Result<Self> {
        let project = Self { top: tempfile::tempdir()? };
        fs::create_dir(project.source())?;
        fs::copy(suite(program), project.file("a.c"))?;
        for header in fs::read_dir(suite("accept/include"))? {
            let header = header?;
            if header.path().is_file() {
                fs::copy(header.path(), project.source().join(header.file_name()))?;
            }
        }
        Ok(project)
    }

    fn source(&self) -> PathBuf {
        self.top.path().join("src")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.source().join(name)
    }

    fn read(&self, name: &str) -> Result<Vec<u8>> {
        fs::read(self.file(name)).with_context(|| format!("no {name}"))
    }

    /// Changes the text of `a.c`, which must hold what is replaced.
    fn change(&self, from: &str, to: &str) -> Result<()> {
        let text = String::from_utf8(self.read("a.c")?)?;
        ensure!(text.contains(from), "no {from:?} in\n{text}");
        Ok(fs::write(self.file("a.c"), text.replace(from, to))?)
    }

    /// The tool in the source's folder.
    fn tool(&self, words: &[&str]) -> Result<Outcome> {
        run(tool(&self.source()).args(words))
    }

    /// What the tool prints in `folder` as the diff of the source.
    fn diff_in(&self, folder: &Path, options: &[&str]) -> Result<PathBuf> {
        let name = if folder == self.source() { "a.c" } else { "./src/a.c" };
        let diff = self.top.path().join("diff");
        fs::write(&diff, run(tool(folder).args(options).args(["--diff", name]))?.succeeded()?.stdout)?;
        Ok(diff)
    }

    /// Patches the source with its diff.
    fn patch(&self, options: &[&str]) -> Result<()> {
        apply(&self.diff_in(&self.source(), options)?, &self.source(), &GIT)
    }

    /// Builds the C files and runs the program, on the device only if there is more than one.
    fn output_of(&self, sources: &[&str]) -> Result<Vec<u8>> {
        let program = self.file("program");
        let mut gcc: Command = clean("gcc", &self.source());
        gcc.args(["-O0", "-std=gnu99", "-ffp-contract=off", "-Wall", "-Wextra"]);
        gcc.arg(if sources.len() > 1 { "-Werror" } else { "-Wno-unknown-pragmas" }).args(sources);
        run(gcc.args(["-o", "program", "-lOpenCL", "-lm"]))?.succeeded()?;
        Ok(run(on_device_unoptimised(&program).env("STENCIL_STRICT", "1"))?.succeeded()?.stdout)
    }

    fn results(&self) -> Result<Vec<Vec<u8>>> {
        RESULTS.iter().map(|name| self.read(name)).collect()
    }

    /// Fails unless the results are what they were.
    fn check_results(&self, expected: &[Vec<u8>]) -> Result<()> {
        let pairs = RESULTS.iter().zip(expected).zip(self.results()?);
        pairs.into_iter().try_for_each(|((name, expected), actual)| check_same_bytes(name, expected, &actual))
    }
}

const GIT: [&str; 3] = ["git", "apply", "--whitespace=nowarn"];

/// Lets a command, which starts in `folder`, apply a diff.
fn apply(diff: &Path, folder: &Path, command: &[&str]) -> Result<()> {
    run(clean(command[0], folder).args(&command[1..]).stdin(fs::File::open(diff)?))?.succeeded()?;
    Ok(())
}

/// Commands apply a patch in the folder of the source and in the one above.
fn check_patching() -> Result<()> {
    for program in PROGRAMS {
        let project = Project::new(program)?;
        let original = project.read("a.c")?;
        project.tool(&["a.c"])?.succeeded()?;
        let expected = project.read("a.ocl.c")?;
        let patch = ["patch", "--binary", "--fuzz=0", "-s"];
        let with_p1 = |command: &[&'static str]| [command, &["-p1"]].concat();
        let from_above = vec![with_p1(&patch), GIT.to_vec(), with_p1(&GIT)];
        let beside = [from_above.clone(), vec![patch.to_vec()]].concat();
        for (folder, commands) in [(project.top.path().to_owned(), from_above), (project.source(), beside)] {
            let diff = project.diff_in(&folder, &[])?;
            for command in commands {
                apply(&diff, &folder, &command).with_context(|| format!("{program}: {command:?}"))?;
                check_same_bytes("the patched source", &expected, &project.read("a.c")?)?;
                fs::write(project.file("a.c"), &original)?;
            }
        }
    }
    Ok(())
}

/// Patches a program, builds and runs it, and rewrites it again; `options` are for the tool.
fn check_patched(program: &str, options: &[&str]) -> Result<()> {
    let project = Project::new(program)?;
    let expected = project.output_of(&["a.c"])?;
    let rewrite = [options, &["a.c"]].concat();
    project.tool(&rewrite)?.succeeded()?;
    let results = project.results()?;
    RESULTS.iter().try_for_each(|name| fs::remove_file(project.file(name)))?;
    project.patch(options)?;
    let patched = project.read("a.c")?;
    check_same_bytes("the patched source", &results[0], &patched)?;
    project.tool(&rewrite)?.succeeded()?;
    project.check_results(&results)?;
    check_same_bytes("the source", &patched, &project.read("a.c")?)?;
    let diff = project.tool(&[options, &["--diff", "a.c"]].concat())?.succeeded()?;
    check_same_bytes("the diff of a file that is up to date", b"", &diff.stdout)?;
    check_same_bytes("stdout", &expected, &project.output_of(&["a.c", "a.stencil.c"])?)
}

fn check_again() -> Result<()> {
    PROGRAMS.iter().try_for_each(|program| check_patched(program, &[]).context(*program))
}

fn check_no_fallback() -> Result<()> {
    PROGRAMS[..2].iter().try_for_each(|program| check_patched(program, &["--no-fallback"]).context(*program))
}

fn check_rewritten_input() -> Result<()> {
    let project = Project::new("programs/two_regions.c")?;
    project.tool(&["a.c"])?.succeeded()?;
    let kernels = String::from_utf8(project.read("a.stencil.cl")?)?;
    project.tool(&["a.ocl.c"])?.succeeded()?;
    let again = String::from_utf8(project.read("a.ocl.stencil.cl")?)?;
    check_same_bytes("the kernels", kernels.as_bytes(), again.replace("a.ocl", "a").replace("a_ocl", "a").as_bytes())?;
    let host = String::from_utf8(project.read("a.ocl.ocl.c")?)?;
    ensure!(host.matches("#include \"a").count() == 1 && !host.contains("a_stencil_"), "two generations:\n{host}");
    Ok(())
}

/// What the user changes in a patched file, clauses in the comment too, has the effect that it would have in the original.
fn check_stale_calls() -> Result<()> {
    let project = Project::new("programs/two_regions.c")?;
    let edit = |project: &Project| -> Result<()> {
        project
            .change("int n, int steps, double *a, double *b)", "int n, int steps, double *a, double *b, double w)")?;
        project.change("0.3 * (", "w * (")?;
        project.change("blur(n, steps, a, b);", "blur(n, steps, a, b, 0.3);")
    };
    edit(&project)?;
    project.change("double w)\n{\n#pragma stencil\n", "double w)\n{\n#pragma stencil time_tile(2)\n")?;
    project.tool(&["a.c"])?.succeeded()?;
    let expected = project.results()?;
    let project = Project::new("programs/two_regions.c")?;
    project.patch(&[])?;
    edit(&project)?;
    project.change(
        "a_stencil_1(steps, n, a, b)) { /* #pragma stencil */",
        "a_stencil_1(steps, n, a, b)) { /* #pragma stencil time_tile(2) */",
    )?;
    project.tool(&["a.c"])?.succeeded()?;
    project.check_results(&expected)
}

/// Between patching and the first run of the tool there is no generated header; it is no prerequisite of itself later.
fn check_dependencies() -> Result<()> {
    let project = Project::new("programs/two_regions.c")?;
    project.patch(&[])?;
    for _ in 0..2 {
        project.tool(&["-MMD", "-MF", "rules.d", "a.c"])?.succeeded()?;
        let rules = String::from_utf8(project.read("rules.d")?)?;
        let words: Vec<&str> = rules.split_whitespace().filter(|word| *word != "\\").collect();
        let expected = ["a.ocl.c", "a.stencil.c", "a.stencil.h", "a.stencil.cl:", "a.c", "dump.h"];
        ensure!(words == expected, "the rules are\n{rules}");
    }
    Ok(())
}

fn check_places() -> Result<()> {
    let project = Project::new("programs/two_regions.c")?;
    project.patch(&[])?;
    project.change("a[i] = b[i];", "a[i] = a[i - 1];")?;
    let text = String::from_utf8(project.read("a.c")?)?;
    let line = 1 + text.lines().position(|line| line.contains("a[i] = a[i - 1]")).context("the line")?;
    project.tool(&["a.c"])?.exited_with(1)?.check_says(&format!("a.c:{line}:"))?;
    project.change("a[i] = a[i - 1];", "a[i] = b[i];\n#error \"stop here\"")?;
    let outcome = project.tool(&["a.c"])?.exited_with(1)?;
    outcome.check_says("stop here")?;
    ensure!(!outcome.stderr.contains("/stencil-"), "a temporary name is told\n{}", outcome.describe());
    Ok(())
}

fn check_changed_calls() -> Result<()> {
    let rows = [
        ("} /* a_stencil_1 */", "}", "its end, `} /* a_stencil_1 */`, is not there any more"),
        ("#include \"a.stencil.h\"\n", "#include \"a.stencil.h\"\n#include \"b.stencil.h\"\n", "includes two headers"),
        // Otherwise the first call would run the second nest.
        (
            "a_stencil_1(steps, n, a, b)) { /* #pragma stencil */",
            "a_stencil_1(steps, n, a, b)) {",
            "would be called `a_stencil_1`",
        ),
    ];
    for (from, to, said) in rows {
        let project = Project::new("programs/two_regions.c")?;
        project.patch(&[])?;
        project.change(from, to)?;
        project.tool(&["a.c"])?.exited_with(1)?.check_says(said)?;
        ensure!(!project.file("a.ocl.c").exists(), "a refused file was written");
    }
    Ok(())
}
