//! The kernel cache of rewritten programs: what it saves, and that nobody but the user can put anything into it.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use tempfile::TempDir;

use crate::case::suite;
use crate::command::{Outcome, clean, run};
use crate::compare::check_same_bytes;
use crate::program::{Translated, on_device};
use crate::trials_of;

pub fn trials() -> Vec<Trial> {
    trials_of(
        "kernel_cache",
        &[
            ("a_second_run_starts_faster", check_faster),
            ("changed_kernels_are_not_taken_from_it", check_changed_kernels),
            ("its_place_follows_the_environment", check_place),
            ("untrusted_folders_are_not_used", check_untrusted_folders),
            ("untrusted_files_are_replaced", check_untrusted_files),
            ("borrowed_rights_turn_it_off", check_setuid),
            ("processes_share_it", check_concurrent),
            ("a_killed_program_leaves_it_usable", check_killed),
        ],
    )
}

/// What one program of the test says when its kernels come from the cache, or go there.
const TAKEN: &str = "is taken from the cache";
const STORED: &str = "is stored";

/// User and group that own nothing here.
const NOBODY: u32 = 65534;

/// A rewritten program of one region with few kernels, and a folder that may become its cache.
struct Bench {
    folder: TempDir,
    program: PathBuf,
    expected: Vec<u8>,
}

impl Bench {
    fn new() -> Result<Self> {
        let translated = Translated::new("accept/single_sweep.c", &["--strategy", "direct"])?;
        let program = translated.build()?;
        Ok(Self { folder: translated.folder, program, expected: translated.expected })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The program on the device, with that cache, telling what it does.
    fn command(&self, cache: impl AsRef<Path>) -> Command {
        let mut command = on_device(&self.program);
        command.envs([("STENCIL_STRICT", "1"), ("STENCIL_VERBOSE", "1")]);
        command.env("STENCIL_CACHE", cache.as_ref());
        command
    }

    /// Runs it; the results must be the original's.
    fn run(&self, command: &mut Command) -> Result<Outcome> {
        let outcome = run(command)?.succeeded()?;
        check_same_bytes("stdout", &self.expected, &outcome.stdout)?;
        Ok(outcome)
    }

    /// Runs it with that cache; stderr must hold `text`.
    fn says(&self, cache: impl AsRef<Path>, text: &str) -> Result<Outcome> {
        let outcome = self.run(&mut self.command(cache))?;
        outcome.check_says(text)?;
        Ok(outcome)
    }
}

/// The only program in a folder. Beside programs there are but empty files that say which nests have run.
fn only_file(folder: &Path) -> Result<PathBuf> {
    let mut programs = programs(folder)?;
    ensure!(programs.len() == 1, "one program expected in {}: {programs:?}", folder.display());
    Ok(programs.remove(0))
}

fn programs(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut programs = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "started") {
            ensure!(mode(&path)? == 0o600 && fs::metadata(&path)?.len() == 0, "{} is not empty", path.display());
        } else {
            programs.push(path);
        }
    }
    Ok(programs)
}

fn set_mode(path: &Path, mode: u32) -> Result<()> {
    Ok(fs::set_permissions(path, Permissions::from_mode(mode))?)
}

fn mode(path: &Path) -> Result<u32> {
    Ok(fs::metadata(path)?.permissions().mode() & 0o777)
}

/// Only root may give files away; other users cannot make the situation that the test is about.
fn is_root() -> Result<bool> {
    use std::os::unix::fs::MetadataExt;
    Ok(tempfile::NamedTempFile::new()?.as_file().metadata()?.uid() == 0)
}

/// PoCL's own cache is off, so that there is something to save.
fn check_faster() -> Result<()> {
    let bench = Bench::new()?;
    let cache = bench.path("cache");
    let timed = |text: &str| -> Result<Duration> {
        let start = Instant::now();
        let outcome = bench.run(bench.command(&cache).env("POCL_KERNEL_CACHE", "0"))?;
        outcome.check_says(text)?;
        Ok(start.elapsed())
    };
    let first = timed(STORED)?;
    ensure!(mode(&cache)? == 0o700 && mode(&only_file(&cache)?)? == 0o600, "others may look into the cache");
    let second = timed(TAKEN)?;
    ensure!(second < first / 2, "the first run took {first:?}, the second {second:?}");
    Ok(())
}

/// A program whose kernels differ, in text or build options, has another key.
fn check_changed_kernels() -> Result<()> {
    let bench = Bench::new()?;
    let cache = bench.path("cache");
    bench.says(&cache, STORED)?;
    let driver = bench.path("rewritten/single_sweep.stencil.c");
    let text = fs::read_to_string(&driver)?;
    for (from, to) in
        [("#pragma OPENCL FP_CONTRACT OFF", "#pragma  OPENCL FP_CONTRACT OFF"), ("-cl-std=CL1.2", "-cl-std=CL1.2 -w")]
    {
        let changed = text.replace(from, to);
        ensure!(changed != text, "the driver has no `{from}`");
        fs::write(&driver, changed)?;
        let rewritten = bench.path("rewritten");
        let mut gcc = clean("gcc", &rewritten);
        gcc.args(["-w", "-ffp-contract=off", "single_sweep.ocl.c", "single_sweep.stencil.c", "-o"]).arg(&bench.program);
        gcc.arg(format!("-I{}", suite("accept/include").display()));
        run(gcc.args(["-lOpenCL", "-lm"]))?.succeeded()?;
        bench.says(&cache, STORED)?;
        bench.says(&cache, TAKEN)?;
    }
    ensure!(programs(&cache)?.len() == 3, "three programs expected in the cache");
    Ok(())
}

fn check_place() -> Result<()> {
    let bench = Bench::new()?;
    let (home, xdg) = (bench.path("home"), bench.path("xdg"));
    fs::create_dir(&home)?;
    let set = |cache: &str| {
        let mut command = bench.command(cache);
        command.env("HOME", &home).env("XDG_CACHE_HOME", &xdg);
        command
    };
    // PoCL has a cache of its own.
    let outcome = bench.run(set("").env("STENCIL_DEVICE", "cpu").env_remove("STENCIL_CACHE"))?;
    outcome.check_says("not used: the driver has a cache of its own")?;
    bench.run(&mut set("off"))?.check_says("not used: STENCIL_CACHE=off")?;
    bench.run(&mut set("cache"))?.check_says("not used: STENCIL_CACHE is neither on, off nor an absolute path")?;
    // Who has not asked for words is told, too.
    let told = bench.run(set("maybe").env_remove("STENCIL_VERBOSE"))?;
    told.check_says("kernel cache: not used: STENCIL_CACHE is neither on, off nor an absolute path")?;
    ensure!(told.stderr.lines().count() == 1, "told more than once\n{}", told.describe());
    let quiet = bench.run(set("maybe").env_remove("STENCIL_VERBOSE").env("STENCIL_QUIET", "1"))?;
    ensure!(quiet.stderr.is_empty(), "told in spite of STENCIL_QUIET\n{}", quiet.describe());
    ensure!(!xdg.exists() && !bench.path("cache").exists(), "a folder was made for a cache that is not used");
    bench.run(&mut set("on"))?.check_says(STORED)?;
    ensure!(mode(&xdg.join("stencil-rewrite"))? == 0o700, "the cache has a wrong mode");
    only_file(&xdg.join("stencil-rewrite"))?;
    for relative in ["", "relative"] {
        bench.run(set("on").env("XDG_CACHE_HOME", relative))?.check_says("kernel cache: program")?;
    }
    only_file(&home.join(".cache/stencil-rewrite"))?;
    let outcome = bench.run(set("on").env_remove("XDG_CACHE_HOME").env("HOME", "relative"))?;
    outcome.check_says("not used: neither XDG_CACHE_HOME nor HOME is an absolute path")
}

/// Whoever could write such a folder could make the program run code of his choice.
fn check_untrusted_folders() -> Result<()> {
    let bench = Bench::new()?;
    let good = bench.path("good");
    bench.says(&good, STORED)?;
    let refused = |path: &Path, why: &str| -> Result<()> {
        let outcome = bench.says(path, why)?;
        ensure!(outcome.count_lines_with("kernel cache: not used") == 1, "{}", outcome.describe());
        ensure!(outcome.count_lines_with("kernel cache: program") == 0, "{}", outcome.describe());
        Ok(())
    };
    let link = bench.path("link");
    symlink(&good, &link)?;
    refused(&link, "it is no folder or a symbolic link")?;
    refused(Path::new(&format!("{}//", link.display())), "it is no folder or a symbolic link")?;
    let file = bench.path("file");
    fs::write(&file, "")?;
    refused(&file, "it is no folder or a symbolic link")?;
    refused(&bench.path("missing/cache"), "No such file or directory")?;
    for open_mode in [0o701, 0o710, 0o720, 0o704, 0o702, 0o777] {
        set_mode(&good, open_mode)?;
        refused(&good, "other users may read or write it")?;
    }
    set_mode(&good, 0o700)?;
    if is_root()? {
        chown(&good, Some(NOBODY), None)?;
        refused(&good, "it belongs to another user")?;
        chown(&good, Some(0), None)?;
    }
    bench.says(&good, TAKEN)?;
    // It is nothing to trouble the user with.
    set_mode(&good, 0o777)?;
    let outcome = bench.run(bench.command(&good).env_remove("STENCIL_VERBOSE"))?;
    ensure!(outcome.stderr.is_empty(), "silence expected\n{}", outcome.describe());
    Ok(())
}

/// A damage of a file of the cache, and what the program says about it.
type Damage = (fn(&Path) -> Result<()>, &'static str);

fn check_untrusted_files() -> Result<()> {
    let mut damages: Vec<Damage> = vec![
        (|file| set_mode(file, 0o620), "other users may write it"),
        (|file| set_mode(file, 0o602), "other users may write it"),
        (|file| change_byte(file, 0), "it is damaged"),
        (|file| change_byte(file, 20), "it is damaged"),
        (|file| change_byte(file, 60), "it is damaged"),
        (|file| change_byte(file, 5000), "it is damaged"),
        (|file| Ok(fs::write(file, "")?), "it has a wrong size"),
        (|file| Ok(fs::OpenOptions::new().write(true).open(file)?.set_len(1000)?), "it is damaged"),
        (|file| Ok(fs::OpenOptions::new().write(true).open(file)?.set_len(1 << 40)?), "it has a wrong size"),
        (|file| Ok(fs::write(file, vec![0; 1000])?), "it is damaged"),
        (replace_by_link, "it is a symbolic link"),
        (replace_by_pipe, "it is no regular file"),
    ];
    if is_root()? {
        damages.push((|file| Ok(chown(file, Some(NOBODY), None)?), "it belongs to another user"));
    }
    let bench = Bench::new()?;
    let cache = bench.path("cache");
    bench.says(&cache, STORED)?;
    let file = only_file(&cache)?;
    for (damage, why) in damages {
        damage(&file)?;
        let outcome = bench.says(&cache, &format!("is built from source: {why}"))?;
        outcome.check_says(STORED)?;
        bench.says(&cache, TAKEN).with_context(|| format!("after a file of which it says {why}"))?;
        ensure!(only_file(&cache)? == file && mode(&file)? == 0o600, "{} was not replaced", file.display());
    }
    Ok(())
}

fn change_byte(file: &Path, at: usize) -> Result<()> {
    let mut bytes = fs::read(file)?;
    bytes[at] ^= 0x10;
    Ok(fs::write(file, bytes)?)
}

/// The link leads to a good copy, which nobody can trust to stay good.
fn replace_by_link(file: &Path) -> Result<()> {
    let target = file.with_file_name("../copy");
    fs::rename(file, &target)?;
    Ok(symlink(&target, file)?)
}

/// Opening a pipe for reading waits for a writer, unless one asks not to.
fn replace_by_pipe(file: &Path) -> Result<()> {
    fs::remove_file(file)?;
    run(clean("mkfifo", Path::new("/")).arg(file))?.succeeded()?;
    Ok(())
}

fn check_setuid() -> Result<()> {
    if !is_root()? {
        return Ok(());
    }
    let bench = Bench::new()?;
    set_mode(bench.folder.path(), 0o777)?;
    for (user, group, mode) in [(Some(NOBODY), None, 0o4755), (None, Some(NOBODY), 0o2755)] {
        chown(&bench.program, user.or(Some(0)), group.or(Some(0)))?;
        set_mode(&bench.program, mode)?;
        let cache = bench.path("cache");
        let outcome = bench.run(bench.command(&cache).env("POCL_CACHE_DIR", bench.folder.path()))?;
        outcome.check_says("not used: the program runs with rights that its caller lacks")?;
        ensure!(!cache.exists(), "a folder was made for a cache that is not used");
    }
    Ok(())
}

fn check_concurrent() -> Result<()> {
    let bench = Bench::new()?;
    let cache = bench.path("cache");
    for _ in 0..3 {
        thread::scope(|scope| {
            let runs: Vec<_> = (0..6).map(|_| scope.spawn(|| bench.says(&cache, "kernel cache: program"))).collect();
            runs.into_iter().try_for_each(|run| run.join().expect("running does not panic").map(drop))
        })?;
        bench.says(&cache, TAKEN)?;
        fs::remove_file(only_file(&cache)?)?;
    }
    Ok(())
}

/// Kills the program at moments spread over its run: what is in the cache afterwards is whole or not taken.
fn check_killed() -> Result<()> {
    let bench = Bench::new()?;
    let cache = bench.path("cache");
    let start = Instant::now();
    bench.says(&cache, STORED)?;
    let whole = start.elapsed();
    fs::remove_dir_all(&cache)?;
    for step in 1..=12 {
        let mut child = bench.command(&cache).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        thread::sleep(whole * step / 12);
        child.kill()?;
        child.wait()?;
        let outcome = bench.says(&cache, "kernel cache: program")?;
        ensure!(outcome.count_lines_with("damaged") == 0, "half a file\n{}", outcome.describe());
        bench.says(&cache, TAKEN)?;
        fs::remove_dir_all(&cache)?;
    }
    Ok(())
}
