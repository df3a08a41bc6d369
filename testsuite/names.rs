//! Odd file names and compilers: nothing that comes from outside is taken for an option, for shell text or for C.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use tempfile::TempDir;

use crate::case::suite;
use crate::command::{clean, run, tool, with_quick_gcc};
use crate::compare::check_same_bytes;
use crate::program::on_device_unoptimised;
use crate::trials_of;

pub fn trials() -> Vec<Trial> {
    trials_of(
        "names",
        &[
            ("odd_names_make_valid_c", check_odd_names),
            ("odd_folders_make_valid_c", check_odd_folder),
            ("other_endings_are_c_too", check_other_endings),
            ("dependency_files_escape_names", check_dependencies),
            ("compilers_are_no_shell_text", check_compiler),
            ("compilers_may_have_arguments", check_compiler_arguments),
            ("flags_are_no_shell_text", check_flags),
            ("drivers_take_no_name_that_programs_may_have", check_driver_names),
        ],
    )
}

/// File names, some in Latin-1, that C, shells, make or the compiler could take for something else.
const NAMES: [&[u8]; 20] = [
    b"a b.c",
    b"-x.c",
    b"quo\"te.c",
    b"quo'te.c",
    b"new\nline.c",
    b"$(touch pwned).c",
    b"`touch pwned`.c",
    b"a; touch pwned;.c",
    b"lat\xe9.c",
    b"utf\xc3\xa9.c",
    b"back\\slash\\.c",
    b"trigraph??!.c",
    b"*.c",
    b"hash#dollar$.c",
    b"%s%n.c",
    b"tab\t.c",
    b"bidi\xe2\x80\xae.c",
    b"@file.c",
    b"<x>.c",
    b"two.dots.c",
];

/// What the compiler would not take for C by its name is C all the same, unless the name is one of another language.
fn check_other_endings() -> Result<()> {
    for name in ["sweep.inc", "sweep", "sweep.h", "sweep.txt"] {
        let folder = folder_with(OsStr::new(name))?;
        let diff = run(tool(folder.path()).args(["--diff", name]))?.succeeded()?;
        let diff = String::from_utf8_lossy(&diff.stdout).into_owned();
        ensure!(diff.contains("+    while (!sweep_stencil_1("), "{name}: {diff}");
    }
    Ok(())
}

/// A folder with a marked program of that name, which says where it is.
fn folder_with(name: &OsStr) -> Result<TempDir> {
    let folder = tempfile::tempdir()?;
    let source = fs::read_to_string(suite("accept/single_sweep.c"))?;
    fs::create_dir_all(folder.path().join(name).parent().context("a file")?)?;
    fs::write(folder.path().join(name), source)?;
    fs::copy(suite("accept/include/dump.h"), folder.path().join("dump.h"))?;
    Ok(folder)
}

/// The name with another ending, in a spelling that is no option.
fn beside(name: &OsStr, suffix: &str) -> PathBuf {
    let mut stem = Path::new(".").join(name).with_extension("").into_os_string();
    stem.push(suffix);
    stem.into()
}

fn check_no_shell_ran(folder: &Path) -> Result<()> {
    ensure!(!folder.join("pwned").exists(), "a shell ran in {}", folder.display());
    Ok(())
}

/// Rewrites and compiles a source of that name.
fn check_name(name: &OsStr, standard: &str) -> Result<()> {
    let folder = folder_with(name)?;
    let before = fs::read(folder.path().join(name))?;
    run(tool(folder.path()).args(["--no-fallback", "-I.", "-MD", "--"]).arg(name))?.succeeded()?;
    let mut gcc = clean("gcc", folder.path());
    gcc.args([standard, "-I.", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]);
    gcc.args([beside(name, ".ocl.c"), beside(name, ".stencil.c")]);
    run(&mut gcc)?.succeeded()?;
    ensure!(fs::read(folder.path().join(name))? == before, "the input changed");
    check_no_shell_ran(folder.path())
}

/// The same through the wrapper, which makes more commands of the name.
fn check_wrapped_name(name: &OsStr, standard: &str) -> Result<()> {
    let folder = folder_with(name)?;
    let mut wrapper = tool(folder.path());
    wrapper.args(["cc", "gcc", standard, "-I.", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-c"]);
    wrapper.arg(beside(name, ".c")).args(["-MD", "-o", "object.o"]);
    let outcome = run(with_quick_gcc(&mut wrapper))?.succeeded()?;
    ensure!(outcome.stderr.is_empty(), "silence expected\n{}", outcome.describe());
    ensure!(folder.path().join("object.o").exists(), "no object");
    check_no_shell_ran(folder.path())
}

fn check_odd_names() -> Result<()> {
    for (number, name) in NAMES.into_iter().map(OsStr::from_bytes).enumerate() {
        let standard = if number % 2 == 0 { "-std=c99" } else { "-std=gnu17" };
        check_name(name, standard).with_context(|| format!("{name:?}"))?;
        if number % 4 == 0 {
            check_wrapped_name(name, standard).with_context(|| format!("{name:?}, wrapped"))?;
        }
    }
    check_name(OsStr::from_bytes(b"trigraph??=.c"), "-std=c99")?;
    check_name(OsStr::new(&format!("{}.c", "n".repeat(240))), "-std=c99")
}

/// A folder's name can hold what ends comments and strings once a file's name follows. The program runs.
fn check_odd_folder() -> Result<()> {
    let name = OsString::from_vec(b"d*/\"\\??/\xe9\n$(touch pwned)/x y.c".to_vec());
    let folder = folder_with(&name)?;
    let source = folder.path().join(&name);
    let text = fs::read_to_string(&source)?.replacen("return 0;", "puts(__FILE__); return 0;", 1);
    ensure!(text.contains("__FILE__"), "the program has no `return 0;`");
    fs::write(&source, text)?;
    let build = |words: &[&str], program: &str| -> Result<()> {
        let mut command = if words[0] == "gcc" { clean("gcc", folder.path()) } else { tool(folder.path()) };
        command.args(&words[usize::from(words[0] == "gcc")..]).args(["-std=c99", "-w", "-ffp-contract=off", "-I."]);
        run(with_quick_gcc(command.arg(&name).args(["-o", program, "-lm"])))?.succeeded()?;
        Ok(())
    };
    build(&["gcc"], "plain")?;
    build(&["cc", "gcc"], "accelerated")?;
    let expected = run(&mut clean(folder.path().join("plain"), folder.path()))?.succeeded()?.stdout;
    ensure!(expected.windows(3).any(|bytes| bytes == b"/\xe9\n"), "the program does not say where it is");
    let mut command = on_device_unoptimised(&folder.path().join("accelerated"));
    check_same_bytes("stdout", &expected, &run(command.env("STENCIL_STRICT", "1"))?.succeeded()?.stdout)?;
    check_no_shell_ran(folder.path())
}

/// `make` itself must find all files under names that mean something to it.
fn check_dependencies() -> Result<()> {
    let name = OsStr::new("a b$c#d.c");
    let folder = folder_with(name)?;
    run(tool(folder.path()).args(["-I.", "-MD", "-MF", "rules.d"]).arg(name))?.succeeded()?;
    fs::write(folder.path().join("Makefile"), "all: a\\ b$$c\\#d.ocl.c\ninclude rules.d\n")?;
    let make = || -> Result<Option<i32>> { Ok(run(clean("make", folder.path()).args(["-q", "all"]))?.code) };
    ensure!(make()? == Some(0), "make does not find all files");
    let newer = std::time::SystemTime::now() + std::time::Duration::from_secs(10);
    for prerequisite in [Path::new(name), Path::new("dump.h")] {
        let file = fs::File::options().append(true).open(folder.path().join(prerequisite))?;
        let old = file.metadata()?.modified()?;
        file.set_modified(newer)?;
        // There is no rule that makes the output, so make fails or says that work is left.
        let code = run(clean("make", folder.path()).args(["-n", "-d", "all"]))?;
        let text = String::from_utf8_lossy(&code.stdout).into_owned();
        let line = format!("Prerequisite '{}' is newer than target", prerequisite.display());
        ensure!(text.contains(&line), "make does not see that {} is newer", prerequisite.display());
        file.set_modified(old)?;
    }
    Ok(())
}

fn check_compiler() -> Result<()> {
    let name = OsStr::new("a.c");
    for compiler in [
        "gcc; touch pwned",
        "$(touch pwned)gcc",
        "`touch pwned`",
        "gcc -E && touch pwned",
        "gcc|touch pwned",
        "gcc\ntouch pwned",
    ] {
        let folder = folder_with(name)?;
        let before = fs::read_dir(folder.path())?.count();
        run(tool(folder.path()).env("CC", compiler).args(["-I.", "a.c"]))?.exited_with(1)?;
        run(tool(folder.path()).args(["--cc", compiler, "-I.", "a.c"]))?.exited_with(1)?;
        run(tool(folder.path()).args(["cc", compiler, "-I.", "-c", "a.c"]))?.failed()?;
        check_no_shell_ran(folder.path())?;
        ensure!(fs::read_dir(folder.path())?.count() == before, "files were written");
    }
    Ok(())
}

/// `$CC` may be a launcher, a compiler and flags; the path of `--cc` may hold anything but white space.
fn check_compiler_arguments() -> Result<()> {
    let folder = folder_with(OsStr::new("a.c"))?;
    let odd = folder.path().join("g$(touch${IFS}pwned)'\";cc");
    fs::write(&odd, "#!/bin/sh\nexec gcc \"$@\"\n")?;
    fs::set_permissions(&odd, fs::Permissions::from_mode(0o755))?;
    run(tool(folder.path()).env("CC", " env  A=$(touch${IFS}pwned) gcc\t-I. ").arg("a.c"))?.succeeded()?;
    run(tool(folder.path()).arg("--cc").arg(&odd).args(["-I.", "a.c"]))?.succeeded()?;
    run(tool(folder.path()).arg("cc").arg(&odd).args(["-I.", "-c", "a.c"]))?.succeeded()?;
    check_no_shell_ran(folder.path())
}

/// Flags reach the compiler as they are, in all forms of the command.
fn check_flags() -> Result<()> {
    let folder = folder_with(OsStr::new("a.c"))?;
    let source = fs::read_to_string(folder.path().join("a.c"))?;
    let text = source.replacen("return 0;", "puts(TEXT); return 0;", 1);
    fs::write(folder.path().join("a.c"), text)?;
    let flag = "-DTEXT=\"$(touch pwned)`touch pwned`; ' & | > pwned\"";
    run(tool(folder.path()).args(["-I.", flag, "-MD", "a.c"]))?.succeeded()?;
    run(with_quick_gcc(tool(folder.path()).args(["cc", "gcc", "-I.", flag, "a.c", "-o", "program", "-lm"])))?
        .succeeded()?;
    let printed = run(&mut on_device_unoptimised(&folder.path().join("program")))?.succeeded()?.stdout;
    let printed = String::from_utf8(printed)?;
    ensure!(printed.ends_with("$(touch pwned)`touch pwned`; ' & | > pwned\n"), "the program prints\n{printed}");
    check_no_shell_ran(folder.path())
}

/// What no program may define, because drivers take it from the C library.
const DRIVER_NAMES: &str = include_str!("../src/front/driver_names.txt");
/// What OpenCL's libraries take from it.
const LIBRARY_NAMES: &str = include_str!("../src/front/library_names.txt");
/// Programs whose drivers have different parts of the runtime.
const PROGRAMS: [&str; 3] = ["hidden_names", "kept_legs_folds", "folded_maxima"];

fn check_driver_names() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let sources = suite("accept");
    let include = format!("-I{}", sources.join("include").display());
    for program in PROGRAMS {
        let source = format!("{program}.c");
        fs::copy(sources.join(&source), folder.path().join(&source))?;
        run(tool(folder.path()).args([&include, &source]))?.succeeded()?;
        let driver = format!("{program}.stencil.c");
        for flag in ["-O0", "-O2"] {
            run(clean("gcc", folder.path()).args([flag, "-c", &driver, "-o", "driver.o"]))?.succeeded()?;
            let symbols = run(clean("nm", folder.path()).args(["-u", "driver.o"]))?.succeeded()?.stdout;
            let symbols = String::from_utf8(symbols)?;
            let taken: Vec<&str> = symbols.lines().filter_map(|line| line.split_whitespace().last()).collect();
            ensure!(taken.contains(&"writev"), "{program} has no runtime");
            for name in taken.into_iter().filter(|name| LIBRARY_NAMES.lines().any(|library| library == *name)) {
                ensure!(DRIVER_NAMES.lines().any(|known| known == name), "the driver of {program} calls `{name}`");
            }
        }
    }
    Ok(())
}
