//! Builds with the compiler wrapper: ccache on either side of it, CMake, static programs.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use tempfile::TempDir;

use crate::command::{clean, run, tool, with_quick_gcc};
use crate::compare::check_same_bytes;
use crate::trials_of;
use crate::wrapper::{check_runs, copy_example, copy_pair, expected_output};

pub fn trials() -> Vec<Trial> {
    trials_of(
        "builds",
        &[
            ("ccache_inside_the_wrapper_hits", check_ccache_inside),
            ("ccache_around_the_wrapper_sees_the_tuning_file", check_ccache_outside),
            ("ccache_is_told_nothing_else", check_preprocessed_for_ccache),
            ("killed_compilations_leave_no_trap", check_left_folder),
            ("cmake_with_the_module", check_cmake_module),
            ("cmake_with_the_wrapper_as_compiler", check_cmake_compiler),
            ("cmake_with_launchers", check_cmake_launchers),
            ("a_static_program_without_library_is_refused", check_static),
            ("dependency_options_and_openmp_are_the_compilers", check_options),
        ],
    )
}

const TOOL: &str = env!("CARGO_BIN_EXE_stencil-rewrite");

/// A plan for the nest of a file with this stem.
fn plan(stem: &str, strategy: &str) -> String {
    format!("[[plan]]\nnest = \"{stem}_stencil_1\"\ndevice = \"cpu\"\nstrategy = \"{strategy}\"\n")
}

/// A ccache of its own.
struct Ccache {
    folder: TempDir,
}

impl Ccache {
    fn new() -> Result<Self> {
        Ok(Self { folder: tempfile::tempdir()? })
    }

    /// Compiles `heat.c` in `folder`; `words` hold wrapper, ccache and compiler. The object.
    fn compile(&self, folder: &Path, words: &[&str]) -> Result<Vec<u8>> {
        run(self.with_cache(clean(words[0], folder).args(&words[1..]).args(COMPILE)))?.succeeded()?;
        Ok(fs::read(folder.join("heat.o"))?)
    }

    /// Lets `command` use this cache, whatever the user has set.
    fn with_cache<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        let is_for_ccache = |name: &OsStr| name.to_string_lossy().starts_with("CCACHE_");
        for (name, _) in std::env::vars_os().filter(|(name, _)| is_for_ccache(name)) {
            command.env_remove(name);
        }
        with_quick_gcc(command)
            .env("CCACHE_DIR", self.folder.path())
            .env("CCACHE_CONFIGPATH", self.folder.path().join("none"))
    }

    /// Hits and misses since the last call.
    fn counts(&self) -> Result<(u64, u64)> {
        let mut command = clean("ccache", self.folder.path());
        let printed = run(self.with_cache(command.arg("--print-stats")))?.succeeded()?.stdout;
        run(self.with_cache(clean("ccache", self.folder.path()).arg("--zero-stats")))?.succeeded()?;
        let printed = String::from_utf8(printed)?;
        let lines = printed.lines().filter_map(|line| line.split_once('\t'));
        let counts: BTreeMap<&str, u64> = lines.filter_map(|(name, count)| Some((name, count.parse().ok()?))).collect();
        let count = |name: &str| counts.get(name).copied().with_context(|| format!("no {name} in {printed}"));
        Ok((count("direct_cache_hit")? + count("preprocessed_cache_hit")?, count("cache_miss")?))
    }
}

const COMPILE: [&str; 6] = ["-O1", "-g", "-DWEIGHT=0.2", "-c", "heat.c", "-oheat.o"];
const INSIDE: [&str; 4] = [TOOL, "cc", "ccache", "gcc"];
const OUTSIDE: [&str; 4] = ["ccache", TOOL, "cc", "gcc"];
const WITHOUT: [&str; 3] = [TOOL, "cc", "gcc"];

fn check_ccache_inside() -> Result<()> {
    let (folder, ccache) = (copy_pair()?, Ccache::new()?);
    let first = ccache.compile(folder.path(), &INSIDE)?;
    let (hits, misses) = ccache.counts()?;
    ensure!(hits == 0 && misses >= 2, "{hits} hits, {misses} misses of a new cache");
    check_same_bytes("the object", &first, &ccache.compile(folder.path(), &INSIDE)?)?;
    let (hits, misses) = ccache.counts()?;
    ensure!(hits >= 2 && misses == 0, "{hits} hits, {misses} misses of the same compilation");
    fs::write(folder.path().join("heat.stencil.toml"), plan("heat", "direct"))?;
    ensure!(ccache.compile(folder.path(), &INSIDE)? != first, "the tuning file changes nothing");
    Ok(())
}

/// A tuning file that comes, changes and goes: the object is each time what it is without ccache.
fn check_ccache_outside() -> Result<()> {
    let (folder, ccache) = (copy_pair()?, Ccache::new()?);
    let tuning = folder.path().join("heat.stencil.toml");
    let mut seen = Vec::new();
    for plan in [None, Some(plan("heat", "direct")), Some(plan("heat", "local")), None] {
        match &plan {
            Some(plan) => fs::write(&tuning, plan)?,
            None if tuning.exists() => fs::remove_file(&tuning)?,
            None => {}
        }
        let expected = ccache.compile(folder.path(), &WITHOUT)?;
        let is_known = seen.contains(&expected);
        check_same_bytes("the object", &expected, &ccache.compile(folder.path(), &OUTSIDE)?)?;
        let count = ccache.counts()?;
        ensure!(count == if is_known { (1, 0) } else { (0, 1) }, "{count:?} hits and misses with {plan:?}");
        check_same_bytes("the object", &expected, &ccache.compile(folder.path(), &OUTSIDE)?)?;
        ensure!(ccache.counts()? == (1, 0), "the second compilation is no hit with {plan:?}");
        seen.push(expected);
    }
    ensure!(seen[0] != seen[1] && seen[1] != seen[2] && seen[0] == seen[3], "tuning changes nothing");
    Ok(())
}

/// What is added for ccache is line markers; a source without the pragma gets none.
fn check_preprocessed_for_ccache() -> Result<()> {
    let folder = copy_pair()?;
    for (name, count) in [("heat.c", 4), ("main.c", 0)] {
        let plain = run(clean("gcc", folder.path()).args(["-DWEIGHT=0.2", "-E", name]))?.succeeded()?.stdout;
        for output in ["-", "out.i"] {
            let mut command = tool(folder.path());
            command.args(["cc", "gcc", "-DWEIGHT=0.2", "-E", name, "-o", output]).env("UNCACHED_ERR_FD", "2");
            let outcome = run(&mut command)?.succeeded()?;
            let text = if output == "-" { outcome.stdout.clone() } else { fs::read(folder.path().join(output))? };
            let (same, added) = text.split_at(plain.len().min(text.len()));
            check_same_bytes("the preprocessed text", &plain, same)?;
            let added = String::from_utf8(added.to_vec())?;
            ensure!(added.lines().filter(|line| line.starts_with("# ")).count() == count, "added:\n{added}");
            ensure!(added.lines().count() == count && outcome.stderr.is_empty(), "{}", outcome.describe());
        }
    }
    Ok(())
}

/// Folders of equal names serve one compilation after another, also if one was killed, and never two at once.
fn check_left_folder() -> Result<()> {
    let (folder, temporary) = (copy_pair()?, tempfile::tempdir()?);
    let compile = || {
        let mut command = tool(folder.path());
        with_quick_gcc(command.args(["cc", "gcc"]).args(COMPILE)).env("TMPDIR", temporary.path());
        command
    };
    run(&mut compile())?.succeeded()?;
    let expected = fs::read(folder.path().join("heat.o"))?;
    for pause in [50, 200, 400] {
        let mut child = compile().spawn()?;
        sleep(Duration::from_millis(pause));
        child.kill()?;
        child.wait()?;
    }
    run(&mut compile())?.succeeded()?;
    check_same_bytes("the object", &expected, &fs::read(folder.path().join("heat.o"))?)?;
    let mut children = [compile().spawn()?, compile().spawn()?];
    for child in &mut children {
        ensure!(child.wait()?.success(), "one of two compilations at once fails");
    }
    check_same_bytes("the object", &expected, &fs::read(folder.path().join("heat.o"))?)
}

/// A copy of the example of CMake with that list file, if it is not its own; and what the program prints without the tool.
fn cmake_project(lists: Option<&str>) -> Result<(TempDir, PathBuf, Vec<u8>)> {
    let (top, make) = copy_example("make")?;
    run(&mut clean("make", &make))?.succeeded()?;
    let expected = run(&mut clean(make.join("wave"), &make))?.succeeded()?.stdout;
    let (_other, source) = copy_example("cmake")?;
    let folder = top.path().join("cmake");
    fs::create_dir(&folder)?;
    for file in ["CMakeLists.txt", "StencilRewrite.cmake"] {
        fs::copy(source.join(file), folder.join(file))?;
    }
    lists.map_or(Ok(()), |lists| fs::write(folder.join("CMakeLists.txt"), lists))?;
    Ok((top, folder, expected))
}

/// Configures and builds; the program must print `expected`.
fn check_cmake(folder: &Path, expected: &[u8], configure: &mut Command) -> Result<()> {
    run(with_quick_gcc(configure.args(["-S", ".", "-B", "build"])))?.succeeded()?;
    run(with_quick_gcc(clean("cmake", folder).args(["--build", "build"])))?.succeeded()?;
    check_runs(&folder.join("build"), "wave", expected)?;
    Ok(())
}

const PLAIN_LISTS: &str = "cmake_minimum_required(VERSION 3.21)\nproject(wave LANGUAGES C)\nset(CMAKE_C_STANDARD 99)\n\
    set(CMAKE_C_EXTENSIONS OFF)\nadd_executable(wave ../make/main.c ../make/wave.c)\ntarget_link_libraries(wave m)\n";

fn check_cmake_compiler() -> Result<()> {
    let (_top, folder, expected) = cmake_project(Some(PLAIN_LISTS))?;
    check_cmake(&folder, &expected, clean("cmake", &folder).env("CC", format!("{TOOL} cc gcc")))
}

fn check_cmake_launchers() -> Result<()> {
    let (_top, folder, expected) = cmake_project(Some(PLAIN_LISTS))?;
    let launcher = |kind: &str| format!("-DCMAKE_C_{kind}_LAUNCHER={TOOL};cc");
    check_cmake(&folder, &expected, clean("cmake", &folder).args([launcher("COMPILER"), launcher("LINKER")]))
}

/// A change of files.
#[derive(Clone, Copy, Debug)]
enum Change {
    Nothing,
    Touched(&'static str),
    Tuning(Option<&'static str>),
}

impl Change {
    fn make(self, top: &Path) -> Result<()> {
        let tuning = top.join("make/wave.stencil.toml");
        match self {
            Self::Nothing => {}
            Self::Touched(name) => {
                fs::File::options().append(true).open(top.join(name))?.set_modified(SystemTime::now())?;
            }
            Self::Tuning(Some(strategy)) => fs::write(tuning, plan("wave", strategy))?,
            Self::Tuning(None) => fs::remove_file(tuning)?,
        }
        Ok(())
    }
}

/// What a build makes again after each change.
fn check_cmake_module() -> Result<()> {
    let (top, folder, expected) = cmake_project(None)?;
    check_cmake(&folder, &expected, clean("cmake", &folder).arg(format!("-DSTENCIL_REWRITE={TOOL}")))?;
    let rows: [(Change, &[&str]); 6] = [
        (Change::Nothing, &[]),
        (Change::Touched("support.h"), &["main"]),
        (Change::Touched("make/wave.h"), &["main", "wave"]),
        (Change::Tuning(Some("direct")), &["wave"]),
        (Change::Tuning(Some("local")), &["wave"]),
        (Change::Tuning(None), &["wave"]),
    ];
    for (change, built) in rows {
        // File systems and make tell times apart that are some milliseconds from each other.
        sleep(Duration::from_millis(20));
        change.make(top.path())?;
        let said = run(with_quick_gcc(clean("cmake", &folder).args(["--build", "build"])))?.succeeded()?;
        let said = String::from_utf8(said.stdout)?;
        let is_built =
            |name: &str| said.lines().any(|line| line.contains("Building") && line.ends_with(&format!("{name}.c.o")));
        for name in ["main", "wave"] {
            ensure!(is_built(name) == built.contains(&name), "{name}.c.o after {change:?}:\n{said}");
        }
        if let Change::Tuning(strategy) = change {
            let plan = if strategy.is_some() { "plan tuned_1," } else { "plan cpu," };
            check_runs(&folder.join("build"), "wave", &expected)?.check_says(plan)?;
        }
    }
    Ok(())
}

fn check_static() -> Result<()> {
    let folder = copy_pair()?;
    let wrap =
        |words: &[&str]| run(with_quick_gcc(tool(folder.path()).args(["cc", "gcc", "-DWEIGHT=0.2"]).args(words)));
    for name in ["main.c", "heat.c", "wave.c"] {
        wrap(&["-c", name])?.succeeded()?;
    }
    run(clean("ar", folder.path()).args(["rc", "libnests.a", "heat.o", "wave.o"]))?.succeeded()?;
    let rows: [&[&str]; 4] = [
        &["-static", "main.o", "heat.o", "wave.o", "-lm"],
        &["-static-pie", "main.c", "heat.c", "wave.c", "-lm"],
        &["-static", "main.o", "libnests.a", "-lm"],
        &["-static", "main.o", "-L.", "-lnests", "-lm"],
    ];
    for words in rows {
        let outcome = wrap(words)?.exited_with(1)?;
        outcome.check_says("there is no libOpenCL.a")?;
        outcome.check_says("link without -static")?;
        ensure!(!outcome.stderr.contains("undefined reference"), "the linker ran\n{}", outcome.describe());
    }
    fs::write(folder.path().join("plain.c"), "int main(void) { return 0; }\n")?;
    wrap(&["-static", "plain.c", "-o", "plain"])?.succeeded()?;
    Ok(())
}

fn check_options() -> Result<()> {
    let folder = copy_pair()?;
    let expected = expected_output(folder.path())?;
    let common = ["cc", "gcc", "-O2", "-ffp-contract=off", "-DWEIGHT=0.2", "-fopenmp", "-pthread"];
    for name in ["main", "heat", "wave"] {
        let mut command = tool(folder.path());
        command.args(common).args(["-MD", "-MP", "-MQ", &format!("out/{name}$x.o"), "-c", &format!("{name}.c")]);
        run(with_quick_gcc(&mut command))?.succeeded()?;
        let rules = fs::read_to_string(folder.path().join(format!("{name}.d")))?;
        ensure!(rules.starts_with(&format!("out/{name}$$x.o:")), "-MQ is not followed:\n{rules}");
        ensure!(rules.lines().any(|line| line == "fields.h:"), "-MP is not followed:\n{rules}");
    }
    run(tool(folder.path()).args(common).args(["main.o", "heat.o", "wave.o", "-o", "program", "-lm"]))?.succeeded()?;
    check_runs(folder.path(), "program", &expected)?;
    Ok(())
}
