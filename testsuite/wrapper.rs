//! The compiler wrapper, `stencil-rewrite cc gcc ...`, and the makefiles of the examples.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use tempfile::TempDir;

use crate::case::{project, suite};
use crate::command::{Outcome, clean, run, tool, with_quick_gcc};
use crate::compare::check_same_bytes;
use crate::program::on_device_unoptimised;
use crate::trials_of;

pub fn trials() -> Vec<Trial> {
    trials_of(
        "wrapper",
        &[
            ("compiles_then_links", check_compile_then_link),
            ("compiles_and_links_at_once", check_at_once),
            ("compiles_several_sources", check_several_sources),
            ("compiles_loops_that_the_host_keeps", check_kept),
            ("shares_one_device", check_shared_device),
            ("passes_other_files_through", check_pass_through),
            ("preprocesses_like_the_compiler", check_preprocess),
            ("answers_like_the_compiler", check_query),
            ("fails_like_the_compiler", check_failure),
            ("leaves_no_files_behind", check_no_litter),
            ("tells_what_it_does_not_rewrite", check_passed_over),
            ("tells_of_headers_with_nests", check_marked_headers),
            ("reads_standard_input_like_the_compiler", check_standard_input),
            ("follows_the_compilers_contraction", check_contraction),
            ("make_with_the_wrapper_as_compiler", check_make),
            ("make_with_pattern_rules", check_make_rules),
        ],
    )
}

const FLAGS: [&str; 4] = ["-O2", "-ffp-contract=off", "-Wall", "-DWEIGHT=0.2"];

/// A copy of the program of three files.
pub fn copy_pair() -> Result<TempDir> {
    let folder = tempfile::tempdir()?;
    copy_folder(&suite("programs/pair"), folder.path())?;
    Ok(folder)
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("no folder {}", from.display()))? {
        let path = entry?.path();
        if path.is_file() {
            fs::copy(&path, to.join(path.file_name().unwrap_or_default()))?;
        }
    }
    Ok(())
}

/// What the three files print when gcc alone builds them in `folder`.
pub fn expected_output(folder: &Path) -> Result<Vec<u8>> {
    let mut gcc = clean("gcc", folder);
    gcc.args(FLAGS).args(["-Wno-unknown-pragmas", "main.c", "heat.c", "wave.c", "-o", "plain", "-lm"]);
    run(&mut gcc)?.succeeded()?;
    Ok(run(&mut clean(folder.join("plain"), folder))?.succeeded()?.stdout)
}

/// `stencil-rewrite cc gcc` with the flags and `arguments`.
fn wrap(folder: &Path, arguments: &[&str]) -> Result<Outcome> {
    run(with_quick_gcc(tool(folder).args(["cc", "gcc"]).args(FLAGS).args(arguments)))
}

/// Runs `./name`, on the device only; it must print `expected`.
pub fn check_runs(folder: &Path, name: &str, expected: &[u8]) -> Result<Outcome> {
    let mut command = on_device_unoptimised(&folder.join(name));
    let outcome = run(command.env("STENCIL_STRICT", "1").env("STENCIL_VERBOSE", "1"))?.succeeded()?;
    check_same_bytes("stdout", expected, &outcome.stdout)?;
    outcome.check_says("stencil: device")?;
    Ok(outcome)
}

fn check_compile_then_link() -> Result<()> {
    let folder = copy_pair()?;
    let expected = expected_output(folder.path())?;
    for name in ["main", "heat", "wave"] {
        let (source, object) = (format!("{name}.c"), format!("{name}.o"));
        wrap(folder.path(), &["-MMD", "-c", &source, "-o", &object])?.succeeded()?;
        let rules = fs::read_to_string(folder.path().join(format!("{name}.d")))?;
        let has_all = [&object, &source, "fields.h"].iter().all(|word| rules.contains(*word));
        ensure!(has_all, "the dependency file of {name}:\n{rules}");
    }
    wrap(folder.path(), &["main.o", "heat.o", "wave.o", "-o", "program", "-lm"])?.succeeded()?;
    check_runs(folder.path(), "program", &expected)?;
    Ok(())
}

fn check_at_once() -> Result<()> {
    let folder = copy_pair()?;
    let expected = expected_output(folder.path())?;
    wrap(folder.path(), &["main.c", "heat.c", "wave.c", "-o", "program", "-lm"])?.succeeded()?;
    check_runs(folder.path(), "program", &expected)?;
    Ok(())
}

fn check_several_sources() -> Result<()> {
    let folder = copy_pair()?;
    let expected = expected_output(folder.path())?;
    wrap(folder.path(), &["-c", "main.c", "heat.c", "wave.c"])?.succeeded()?;
    wrap(folder.path(), &["main.o", "heat.o", "wave.o"])?.succeeded()?;
    check_runs(folder.path(), "a.out", &expected)?;
    Ok(())
}

/// The header of the driver stands before all others: loops that read or store parts of arrays, and steps in conditions.
fn check_kept() -> Result<()> {
    for case in ["kept_stores", "kept_conditions"] {
        let folder = tempfile::tempdir()?;
        copy_folder(&suite("accept/include"), folder.path())?;
        let source = format!("{case}.c");
        fs::copy(suite("accept").join(&source), folder.path().join(&source))?;
        let mut gcc = clean("gcc", folder.path());
        run(gcc.args(FLAGS).args(["-w", "-I.", &source, "-o", "plain", "-lm"]))?.succeeded()?;
        let expected = run(&mut clean(folder.path().join("plain"), folder.path()))?.succeeded()?.stdout;
        wrap(folder.path(), &["-I.", &source, "-o", "program", "-lm"])?.succeeded()?;
        check_runs(folder.path(), "program", &expected)?;
    }
    Ok(())
}

fn check_shared_device() -> Result<()> {
    let folder = copy_pair()?;
    let expected = expected_output(folder.path())?;
    wrap(folder.path(), &["main.c", "heat.c", "wave.c", "-o", "program"])?.succeeded()?;
    let outcome = check_runs(folder.path(), "program", &expected)?;
    ensure!(outcome.count_lines_with("stencil: device") == 1, "one device line expected\n{}", outcome.describe());
    Ok(())
}

fn check_pass_through() -> Result<()> {
    let folder = copy_pair()?;
    wrap(folder.path(), &["-c", "main.c", "-o", "wrapped.o"])?.succeeded()?;
    let mut gcc = clean("gcc", folder.path());
    run(with_quick_gcc(gcc.args(FLAGS).args(["-c", "main.c", "-o", "plain.o"])))?.succeeded()?;
    let (plain, wrapped) = (fs::read(folder.path().join("plain.o"))?, fs::read(folder.path().join("wrapped.o"))?);
    ensure!(plain == wrapped, "the objects of a file without the pragma differ");
    Ok(())
}

/// A nest as a file has it.
const NEST: &str = "void f(int n, double *a, double *b)\n{\n#pragma stencil\n    for (int i = 1; i < n; i++)\n        \
    b[i] = a[i - 1] * 0.3 + a[i];\n}\n";

/// Each form of a nest that the wrapper leaves to the compiler, with what it says.
fn check_passed_over() -> Result<()> {
    let folder = tempfile::tempdir()?;
    for name in ["a.c", "a.cpp", "a.inc", "a.i"] {
        fs::write(folder.path().join(name), NEST)?;
    }
    fs::write(folder.path().join("off.c"), format!("#ifdef FAST\n{NEST}#endif\nint x;\n"))?;
    let rows: [(&[&str], &[&str]); 9] = [
        (&["-c", "a.cpp"], &["a.cpp:3", "C++ is not supported"]),
        (&["-x", "c++", "-c", "a.c"], &["a.c:3", "C++ is not supported"]),
        (&["-x", "c++", "-c", "a.inc"], &["a.inc:3", "C++ is not supported"]),
        (&["-S", "a.c"], &["a.c:3", "assembly text"]),
        (&["-E", "a.c", "-o", "out.i"], &["a.c:3", "the preprocessor's output"]),
        (&["-c", "a.i"], &["a.i:3", "preprocessed text"]),
        (&["-c", "off.c"], &["off.c:4", "is in a part of the file that is not compiled"]),
        (&["-c", "a.c", "a.cpp"], &["a.cpp:3", "C++ is not supported"]),
        (&["-x", "c", "-c", "a.inc"], &[]),
    ];
    for (arguments, said) in rows {
        let outcome = wrap(folder.path(), arguments)?.succeeded()?;
        said.iter().try_for_each(|text| outcome.check_says(text)).with_context(|| format!("{arguments:?}"))?;
        ensure!(outcome.stderr.contains("warning[not-rewritten]") != said.is_empty(), "{}", outcome.describe());
    }
    Ok(())
}

/// Nests in headers are told once a header, if they are compiled; a header that is not compiled is none.
fn check_marked_headers() -> Result<()> {
    let folder = tempfile::tempdir()?;
    fs::create_dir(folder.path().join("inc"))?;
    fs::write(folder.path().join("inc/nest.h"), format!("#ifndef OFF\nstatic {NEST}#endif\n"))?;
    fs::write(folder.path().join("all.h"), "#include <nest.h>\n")?;
    for name in ["a.c", "a.cpp"] {
        fs::write(folder.path().join(name), "#include \"all.h\"\nvoid g(double *a) { f(9, a, a + 9); }\n")?;
        let outcome = wrap(folder.path(), &["-Iinc", "-c", name])?.succeeded()?;
        outcome.check_says("inc/nest.h:4")?;
        outcome.check_says("nests in headers are not rewritten")?;
    }
    fs::write(folder.path().join("b.c"), "#define OFF\n#include \"all.h\"\nint x;\n")?;
    let outcome = wrap(folder.path(), &["-Iinc", "-c", "b.c"])?.succeeded()?;
    ensure!(outcome.stderr.is_empty(), "{}", outcome.describe());
    Ok(())
}

fn check_standard_input() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut marked = tool(folder.path());
    fs::write(folder.path().join("a.c"), NEST)?;
    marked.args(["cc", "gcc", "-x", "c", "-c", "-o", "a.o", "-"]).stdin(fs::File::open(folder.path().join("a.c"))?);
    let outcome = run(&mut marked)?.succeeded()?;
    outcome.check_says("text from standard input is not rewritten")?;
    ensure!(folder.path().join("a.o").exists(), "no object was written");
    fs::write(folder.path().join("b.c"), "int x = VALUE;\n")?;
    let mut plain = tool(folder.path());
    plain.args(["cc", "gcc", "-DVALUE=7", "-E", "-P", "-"]).stdin(fs::File::open(folder.path().join("b.c"))?);
    check_same_bytes("the preprocessed text", b"int x = 7;\n", &run(&mut plain)?.succeeded()?.stdout)
}

/// What the wrapper says of fusing follows the compiler that it wraps; `--quiet` stops it.
#[cfg(target_arch = "x86_64")]
fn check_contraction() -> Result<()> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("a.c"), NEST)?;
    let rows: [(&[&str], &str, bool); 4] = [
        (&["gcc"], "-std=c99", false),
        (&["clang"], "-std=c99", true),
        (&["gcc"], "-std=gnu99", true),
        (&["-q", "gcc"], "-std=gnu99", false),
    ];
    for (compiler, dialect, is_told) in rows {
        let mut command = tool(folder.path());
        command.arg("cc").args(compiler).args(["-O2", "-mfma", dialect, "-c", "a.c"]);
        let outcome = run(&mut command)?.succeeded()?;
        let says = outcome.stderr.contains("the device may fuse a * b + c, as the compiler does with -mfma");
        ensure!(says == is_told, "{compiler:?} {dialect}\n{}", outcome.describe());
    }
    Ok(())
}

#[cfg(not(target_arch = "x86_64"))]
fn check_contraction() -> Result<()> {
    Ok(())
}

fn check_preprocess() -> Result<()> {
    let folder = copy_pair()?;
    let wrapped = wrap(folder.path(), &["-E", "heat.c"])?.succeeded()?;
    let plain = run(clean("gcc", folder.path()).args(FLAGS).args(["-E", "heat.c"]))?.succeeded()?;
    check_same_bytes("the preprocessed text", &plain.stdout, &wrapped.stdout)
}

/// Build systems ask the compiler for its version and its target before anything else.
fn check_query() -> Result<()> {
    let folder = tempfile::tempdir()?;
    for query in ["-dumpmachine", "-dumpversion", "--version"] {
        let wrapped = run(tool(folder.path()).args(["cc", "gcc", query]))?.succeeded()?;
        let plain = run(clean("gcc", folder.path()).arg(query))?.succeeded()?;
        check_same_bytes(query, &plain.stdout, &wrapped.stdout)?;
    }
    Ok(())
}

/// An error elsewhere in a file with a nest is told with the original's name and line.
fn check_failure() -> Result<()> {
    let folder = copy_pair()?;
    let source = fs::read_to_string(folder.path().join("heat.c"))?;
    let lines = source.lines().count();
    fs::write(folder.path().join("heat.c"), format!("{source}int broken(void) {{ return missing_name; }}\n"))?;
    let wrapped = wrap(folder.path(), &["-c", "heat.c", "-o", "heat.o"])?;
    let plain = run(clean("gcc", folder.path()).args(FLAGS).args(["-c", "heat.c", "-o", "heat.o"]))?;
    ensure!(wrapped.code == plain.code, "gcc ends with {:?}\n{}", plain.code, wrapped.describe());
    wrapped.check_says(&format!("heat.c:{}:", lines + 1))?;
    wrapped.check_says("missing_name")?;
    ensure!(!folder.path().join("heat.o").exists(), "a failed compilation left an object");
    Ok(())
}

fn check_no_litter() -> Result<()> {
    let folder = copy_pair()?;
    wrap(folder.path(), &["-c", "heat.c", "-o", "heat.o"])?.succeeded()?;
    let mut names: Vec<_> = fs::read_dir(folder.path())?.flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    ensure!(names == ["fields.h", "heat.c", "heat.o", "main.c", "wave.c"], "there are {names:?}");
    Ok(())
}

/// A copy of one of the examples with a makefile; the second value is its folder.
pub fn copy_example(name: &str) -> Result<(TempDir, PathBuf)> {
    let top = tempfile::tempdir()?;
    copy_folder(&project().join("examples"), top.path())?;
    let folder = top.path().join(name);
    copy_folder(&project().join("examples").join(name), &folder)?;
    Ok((top, folder))
}

fn check_make() -> Result<()> {
    let (_plain_top, plain) = copy_example("make")?;
    run(&mut clean("make", &plain))?.succeeded()?;
    let expected = run(&mut clean(plain.join("wave"), &plain))?.succeeded()?.stdout;
    let (_top, folder) = copy_example("make")?;
    let compiler = format!("CC={} cc gcc", env!("CARGO_BIN_EXE_stencil-rewrite"));
    run(with_quick_gcc(clean("make", &folder).arg(compiler)))?.succeeded()?;
    check_runs(&folder, "wave", &expected)?;
    Ok(())
}

fn check_make_rules() -> Result<()> {
    let (_top, folder) = copy_example("make-rules")?;
    run(clean("make", &folder).arg("plain"))?.succeeded()?;
    let expected = run(&mut clean(folder.join("plate-plain"), &folder))?.succeeded()?.stdout;
    let tool = format!("STENCIL_REWRITE={}", env!("CARGO_BIN_EXE_stencil-rewrite"));
    run(with_quick_gcc(clean("make", &folder).arg(&tool)))?.succeeded()?;
    check_runs(&folder, "plate", &expected)?;
    let again = run(clean("make", &folder).args(["-q", &tool]))?;
    ensure!(again.code == Some(0), "a second make would build again\n{}", again.describe());
    Ok(())
}
