//! What people expect of any command: colours, pipes, standard input, help, flags that they paste, the man page.

use std::fs::{self, File};
use std::process::{Command, Stdio};

use anyhow::{Result, ensure};
use libtest_mimic::Trial;
use tempfile::TempDir;

use crate::command::{Outcome, clean, run, tool};
use crate::trials_of;

pub fn trials() -> Vec<Trial> {
    trials_of(
        "conventions",
        &[
            ("colours_follow_the_option", check_color_option),
            ("colours_follow_terminal_and_environment", check_colors_of_terminals),
            ("a_reader_may_leave_early", check_broken_pipe),
            ("a_refusal_stays_one_without_reader", check_closed_stderr),
            ("standard_input_is_a_source", check_standard_input),
            ("standard_input_has_no_name", check_unnamed_input),
            ("help_is_a_command", check_help),
            ("flags_of_a_build_are_taken", check_build_flags),
            ("headers_get_rules_of_their_own", check_phony_targets),
            ("the_man_page_has_all_options", check_man),
            ("completions_are_shell_scripts", check_completions),
        ],
    )
}

const HEAT: &str = "\
void heat(int n, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
}
";

/// A folder with a nest that is rewritten, `heat.c`, and one that is refused, `bad.c`.
fn folder() -> Result<TempDir> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("heat.c"), HEAT)?;
    fs::write(folder.path().join("bad.c"), HEAT.replace("b[i] =", "a[i] ="))?;
    Ok(folder)
}

const ESCAPE: &str = "\x1b[";

fn check_color_option() -> Result<()> {
    let folder = folder()?;
    let cases: [(&[&str], &[&str], bool); 5] = [
        (&[], &[], false),
        (&["--color", "always"], &["NO_COLOR"], true),
        (&["--color=never"], &["CLICOLOR_FORCE"], false),
        (&[], &["CLICOLOR_FORCE"], true),
        (&["--color", "auto"], &["CLICOLOR_FORCE", "NO_COLOR"], false),
    ];
    for (words, variables, has_colours) in cases {
        let mut command = without_wishes(tool(folder.path()));
        command.args(words).arg("bad.c").envs(variables.iter().map(|name| (name, "1")));
        let outcome = run(&mut command)?.exited_with(1)?;
        ensure!(outcome.stderr.contains(ESCAPE) == has_colours, "{variables:?}\n{}", outcome.describe());
    }
    Ok(())
}

/// `script` gives its command a terminal.
fn check_colors_of_terminals() -> Result<()> {
    let folder = folder()?;
    let line = format!("{} bad.c", tool(folder.path()).get_program().to_string_lossy());
    for (variable, value, has_colours) in [("TERM", "xterm", true), ("TERM", "dumb", false), ("NO_COLOR", "1", false)] {
        let mut command = without_wishes(clean("script", folder.path()));
        command.args(["-qec", &line, "/dev/null"]).env("TERM", "xterm").env(variable, value);
        let outcome = run(&mut command)?.exited_with(1)?;
        let text = String::from_utf8_lossy(&outcome.stdout).into_owned();
        ensure!(text.contains("gauss-seidel"), "{}", outcome.describe());
        ensure!(text.contains(ESCAPE) == has_colours, "{variable}={value}\n{}", outcome.describe());
    }
    Ok(())
}

/// The environment of the tests may wish for colours itself.
fn without_wishes(mut command: Command) -> Command {
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
        command.env_remove(name);
    }
    command
}

/// As with `| head`, but the pipe is closed before the tool writes.
fn check_broken_pipe() -> Result<()> {
    let folder = folder()?;
    let forms: [&[&str]; 6] = [
        &["--dump", "kernel", "heat.c"],
        &["--diff", "heat.c"],
        &["--help"],
        &["--explain", "gauss-seidel"],
        &["--generate", "man"],
        &["--generate", "complete-zsh"],
    ];
    for words in forms {
        let mut child = tool(folder.path()).args(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        drop(child.stdout.take());
        let output = child.wait_with_output()?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        ensure!(output.status.success() && !said.contains("pipe"), "{words:?}: {}: {said}", output.status);
    }
    Ok(())
}

fn check_closed_stderr() -> Result<()> {
    let folder = folder()?;
    let mut child = tool(folder.path()).arg("bad.c").stderr(Stdio::piped()).spawn()?;
    drop(child.stderr.take());
    let status = child.wait()?;
    ensure!(status.code() == Some(1), "{status}");
    Ok(())
}

/// The tool with a file of the folder on its standard input.
fn with_input(folder: &TempDir, name: &str, words: &[&str]) -> Result<Outcome> {
    let input = File::open(folder.path().join(name))?;
    run(tool(folder.path()).args(words).stdin(input))
}

/// All that is made of it is what is made of a file, but for the name.
fn check_standard_input() -> Result<()> {
    let folder = folder()?;
    for compiler in ["gcc", "clang"] {
        let dump = with_input(&folder, "heat.c", &["--cc", compiler, "--dump", "kernel", "-"])?.succeeded()?;
        let expected = run(tool(folder.path()).args(["--dump", "kernel", "heat.c"]))?.succeeded()?;
        let expected = String::from_utf8(expected.stdout)?.replace("heat_stencil", "stdin_stencil");
        ensure!(dump.stdout == expected.as_bytes(), "another kernel\n{}", dump.describe());
    }
    let diff = with_input(&folder, "heat.c", &["--diff", "-"])?.succeeded()?;
    ensure!(
        String::from_utf8_lossy(&diff.stdout).contains("\n-#pragma stencil\n+    while (!stdin_stencil_1("),
        "no diff"
    );
    run(tool(folder.path()).args(["-o", "out.c", "heat.c"]))?.succeeded()?;
    let read = |name: &str| fs::read_to_string(folder.path().join(name));
    let expected = (read("out.c")?, read("out.stencil.c")?);
    with_input(&folder, "heat.c", &["-o", "out.c", "-"])?.succeeded()?;
    ensure!(read("out.c")? == expected.0, "another rewritten file");
    ensure!(read("out.stencil.c")?.replace("<stdin>", "heat.c") == expected.1, "another driver");
    let refused = with_input(&folder, "bad.c", &["-o", "bad.ocl.c", "-"])?.exited_with(1)?;
    refused.check_says("┌─ <stdin>:6:13")
}

fn check_unnamed_input() -> Result<()> {
    let folder = folder()?;
    let before = fs::read_dir(folder.path())?.count();
    let lines: [&[&str]; 5] =
        [&["-"], &["-d", ".", "-"], &["--diff", "-", "-"], &["-MD", "-o", "x.c", "-"], &["tune", "-"]];
    for words in lines {
        with_input(&folder, "heat.c", words)?.exited_with(2)?.check_says("standard input")?;
    }
    ensure!(fs::read_dir(folder.path())?.count() == before, "files were written");
    fs::copy(folder.path().join("heat.c"), folder.path().join("-"))?;
    run(tool(folder.path()).arg("./-"))?.succeeded()?;
    ensure!(folder.path().join("-.ocl.c").exists(), "a file called - is none");
    Ok(())
}

fn check_help() -> Result<()> {
    let folder = tempfile::tempdir()?;
    for form in ["tune", "devices", "cc"] {
        let help = run(tool(folder.path()).args(["help", form]))?.succeeded()?;
        let usage = format!("Usage: stencil-rewrite {form} ");
        ensure!(String::from_utf8_lossy(&help.stdout).contains(&usage), "{}", help.describe());
    }
    Ok(())
}

/// What a makefile has in `CFLAGS`; `_OPENMP` shows that what matters to the preprocessor reaches it.
fn check_build_flags() -> Result<()> {
    let folder = folder()?;
    let guarded = format!("#ifdef _OPENMP\n{HEAT}#endif\n");
    fs::write(folder.path().join("guarded.c"), guarded)?;
    let flags =
        "-O2 -g -Wall -Wextra -Werror -pedantic -w -pipe -march=native -std=c99 -fopenmp -ffast-math -pthread -fPIC";
    run(tool(folder.path()).args(flags.split(' ')).arg("guarded.c"))?.succeeded()?;
    run(tool(folder.path()).args(["-O2", "guarded.c"]))?.exited_with(1)?.check_says("no-pragma")?;
    for flag in ["-c", "-S", "-lm"] {
        run(tool(folder.path()).args([flag, "heat.c"]))?.exited_with(2)?;
    }
    Ok(())
}

fn check_phony_targets() -> Result<()> {
    let folder = folder()?;
    fs::write(folder.path().join("sizes.h"), "enum { SIZE = 8 };\n")?;
    fs::write(folder.path().join("heat.c"), format!("#include \"sizes.h\"\n{HEAT}"))?;
    run(tool(folder.path()).args(["-MMD", "-MP", "-MF", "rules.d", "heat.c"]))?.succeeded()?;
    let rules = fs::read_to_string(folder.path().join("rules.d"))?;
    ensure!(rules.contains("heat.c sizes.h") && rules.lines().any(|line| line == "sizes.h:"), "{rules}");
    run(tool(folder.path()).args(["-MP", "heat.c"]))?.exited_with(2)?;
    Ok(())
}

fn generate(kind: &str) -> Result<String> {
    let folder = tempfile::tempdir()?;
    Ok(String::from_utf8(run(tool(folder.path()).args(["--generate", kind]))?.succeeded()?.stdout)?)
}

fn check_man() -> Result<()> {
    let page = generate("man")?;
    ensure!(page.contains(".TH stencil-rewrite 1"), "no title:\n{page}");
    let plain = page.replace("\\-", "-");
    for part in ["--explain", "--time-tile", "--budget", "--measure", "Exit codes", "STENCIL-REWRITE TUNE"] {
        ensure!(plain.contains(part), "no {part} in\n{page}");
    }
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("page.1"), page)?;
    let formatted = run(clean("man", folder.path()).args(["--warnings", "-E", "UTF-8", "-l", "page.1"]));
    let Ok(formatted) = formatted else { return Ok(()) };
    let formatted = formatted.succeeded()?;
    ensure!(formatted.stderr.is_empty(), "{}", formatted.describe());
    let text = String::from_utf8_lossy(&formatted.stdout).into_owned();
    ensure!(text.contains("NAME") && text.contains("--explain <CODE>"), "{text}");
    Ok(())
}

fn check_completions() -> Result<()> {
    let folder = tempfile::tempdir()?;
    for (shell, is_certain) in [("bash", true), ("zsh", false), ("fish", false)] {
        let script = generate(&format!("complete-{shell}"))?;
        ensure!(
            script.contains("explain") && script.contains("budget"),
            "{shell} does not know all options:\n{script}"
        );
        fs::write(folder.path().join(shell), script)?;
        match run(clean(shell, folder.path()).args(["-n", shell])) {
            Ok(outcome) => drop(outcome.succeeded()?),
            Err(error) => ensure!(!is_certain, "{error:#}"),
        }
    }
    // What bash itself offers behind `--exp`.
    let ask = ". ./bash; COMP_WORDS=(stencil-rewrite --exp); COMP_CWORD=1; \
               _stencil__rewrite stencil-rewrite --exp stencil-rewrite; echo ${COMPREPLY[@]}";
    let offered = run(clean("bash", folder.path()).args(["-c", ask]))?.succeeded()?;
    ensure!(offered.stdout == b"--explain\n", "{}", offered.describe());
    Ok(())
}
