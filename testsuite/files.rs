//! How the tool treats files: inputs are never touched, outputs are replaced whole or not at all.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use tempfile::TempDir;

use crate::case::suite;
use crate::command::{Outcome, clean, run, tool};
use crate::trials_of;

pub fn trials() -> Vec<Trial> {
    trials_of(
        "files",
        &[
            ("links_do_not_lead_to_the_input", check_links),
            ("results_do_not_meet", check_distinct),
            ("included_files_are_inputs", check_headers),
            ("dependency_files_spare_the_input", check_dependency_file),
            ("the_wrapper_spares_its_sources", check_wrapper),
            ("a_rewritten_file_can_be_an_input", check_rewritten_input),
            ("a_full_disk_leaves_the_old_files", check_no_room),
            ("a_folder_that_cannot_be_written_stays_as_it_is", check_read_only),
            ("modes_are_kept_and_new_files_follow_the_umask", check_modes),
            ("a_killed_tool_leaves_whole_files", check_killed),
        ],
    )
}

const OUTPUTS: [&str; 4] = ["a.ocl.c", "a.stencil.c", "a.stencil.cl", "a.stencil.h"];

/// A new folder with a marked program `a.c`.
fn folder_with_program() -> Result<TempDir> {
    let folder = tempfile::tempdir()?;
    fs::copy(suite("programs/two_regions.c"), folder.path().join("a.c"))?;
    fs::copy(suite("accept/include/dump.h"), folder.path().join("dump.h"))?;
    Ok(folder)
}

/// Everything in a folder by name; of a link, where it leads.
fn contents(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let read = |entry: std::io::Result<fs::DirEntry>| -> Result<(String, Vec<u8>)> {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = match fs::read_link(&path) {
            Ok(target) => target.into_os_string().into_encoded_bytes(),
            Err(_) if path.is_dir() => Vec::new(),
            Err(_) => fs::read(&path)?,
        };
        Ok((name, bytes))
    };
    fs::read_dir(folder)?.map(read).collect()
}

/// Runs the tool with these words in `folder`. It must end with that exit code and change nothing there.
fn refuses(folder: &Path, words: &[&str], code: i32) -> Result<Outcome> {
    let before = contents(folder)?;
    let outcome = run(tool(folder).args(words))?.exited_with(code)?;
    ensure!(contents(folder)? == before, "something changed\n{}", outcome.describe());
    Ok(outcome)
}

fn check_links() -> Result<()> {
    for (number, output) in OUTPUTS.iter().enumerate() {
        let folder = folder_with_program()?;
        let (input, output) = (folder.path().join("a.c"), folder.path().join(output));
        if number % 2 == 0 {
            fs::hard_link(&input, &output)?
        } else {
            symlink("a.c", &output)?
        }
        refuses(folder.path(), &["a.c"], 2)?.check_says("is an input; it would be overwritten")?;
    }
    let folder = folder_with_program()?;
    symlink(".", folder.path().join("same"))?;
    for words in [["a.c", "-o", "a.c"], ["a.c", "-o", "same/a.c"], ["same/a.c", "-o", "./a.c"]] {
        refuses(folder.path(), &words, 2)?.check_says("is an input; it would be overwritten")?;
    }
    // A link to a file elsewhere: a symbolic one leads there, a hard one is cut.
    let elsewhere = tempfile::tempdir()?;
    let (soft, hard) = (elsewhere.path().join("soft"), elsewhere.path().join("hard"));
    fs::write(&soft, "old")?;
    fs::write(&hard, "old")?;
    symlink(&soft, folder.path().join("a.ocl.c"))?;
    fs::hard_link(&hard, folder.path().join("a.stencil.c"))?;
    let before = fs::read(folder.path().join("a.c"))?;
    run(tool(folder.path()).args(["a.c", "-d", "same"]))?.succeeded()?;
    ensure!(fs::read(folder.path().join("a.c"))? == before, "the input changed");
    ensure!(fs::read(&soft)? == fs::read(folder.path().join("a.ocl.c"))?, "the link is none any more");
    ensure!(fs::read(&hard)? == b"old", "a file elsewhere was written");
    Ok(())
}

fn check_distinct() -> Result<()> {
    let folder = folder_with_program()?;
    fs::copy(folder.path().join("a.c"), folder.path().join("b.c"))?;
    symlink(".", folder.path().join("same"))?;
    for words in [["a.c", "./a.c"], ["a.c", "same/a.c"]] {
        refuses(folder.path(), &words, 2)?.check_says("two results would be written to")?;
    }
    symlink("b.ocl.c", folder.path().join("a.ocl.c"))?;
    refuses(folder.path(), &["a.c", "b.c"], 2)?.check_says("two results would be written to")?;
    // The output of the first would be the second input.
    fs::remove_file(folder.path().join("a.ocl.c"))?;
    fs::copy(folder.path().join("a.c"), folder.path().join("a.ocl.c"))?;
    refuses(folder.path(), &["a.c", "a.ocl.c"], 2)?.check_says("is an input")?;
    Ok(())
}

fn check_headers() -> Result<()> {
    let folder = folder_with_program()?;
    fs::rename(folder.path().join("dump.h"), folder.path().join("a.stencil.h"))?;
    let source = fs::read_to_string(folder.path().join("a.c"))?.replace("dump.h", "a.stencil.h");
    fs::write(folder.path().join("a.c"), source)?;
    refuses(folder.path(), &["a.c"], 2)?.check_says("a.stencil.h is an input; it would be overwritten")?;
    fs::create_dir(folder.path().join("out"))?;
    run(tool(folder.path()).args(["a.c", "-d", "out"]))?.succeeded()?;
    Ok(())
}

fn check_dependency_file() -> Result<()> {
    let folder = folder_with_program()?;
    fs::hard_link(folder.path().join("a.c"), folder.path().join("a.d"))?;
    for file in ["a.c", "a.d", "./a.c"] {
        refuses(folder.path(), &["-MD", "-MF", file, "a.c"], 2)?.check_says("is an input")?;
    }
    refuses(folder.path(), &["-MD", "-MF", "a.ocl.c", "a.c"], 2)?.check_says("two results")?;
    Ok(())
}

fn check_wrapper() -> Result<()> {
    let folder = folder_with_program()?;
    fs::hard_link(folder.path().join("a.c"), folder.path().join("link.o"))?;
    for output in ["a.c", "./a.c", "link.o"] {
        for mode in ["-c", "-lm"] {
            refuses(folder.path(), &["cc", "gcc", mode, "a.c", "-o", output], 2)?.check_says("is an input")?;
        }
        refuses(folder.path(), &["cc", "gcc", "-c", "-MD", "-MF", output, "a.c"], 2)?.check_says("is an input")?;
    }
    Ok(())
}

fn check_rewritten_input() -> Result<()> {
    let folder = folder_with_program()?;
    fs::rename(folder.path().join("a.c"), folder.path().join("a.ocl.c"))?;
    let before = fs::read(folder.path().join("a.ocl.c"))?;
    run(tool(folder.path()).arg("a.ocl.c"))?.succeeded()?;
    ensure!(fs::read(folder.path().join("a.ocl.c"))? == before, "the input changed");
    ensure!(folder.path().join("a.ocl.ocl.c").exists(), "there are {:?}", contents(folder.path())?.keys());
    Ok(())
}

/// The tool under a limit on the size of files, which writing meets as it meets a full disk.
fn check_no_room() -> Result<()> {
    let folder = folder_with_program()?;
    for prepare in [false, true] {
        if prepare {
            run(tool(folder.path()).arg("a.c"))?.succeeded()?;
            let source = fs::read_to_string(folder.path().join("a.c"))?;
            fs::write(folder.path().join("a.c"), source.replace("0.3 *", "0.7 *"))?;
        }
        let before = contents(folder.path())?;
        for blocks in ["0", "1", "16"] {
            let mut shell = clean("sh", folder.path());
            // Nothing tells a process of the limit but the error of its call.
            shell.args(["-c", "trap '' XFSZ; ulimit -f \"$1\"; shift; exec \"$@\"", "sh", blocks]);
            let outcome = run(shell.arg(env!("CARGO_BIN_EXE_stencil-rewrite")).arg("a.c"))?.exited_with(1)?;
            outcome.check_says("cannot write")?;
            ensure!(contents(folder.path())? == before, "something changed\n{}", outcome.describe());
        }
    }
    Ok(())
}

/// No user, root neither, can make files in the first folder.
fn check_read_only() -> Result<()> {
    let folder = folder_with_program()?;
    refuses(folder.path(), &["a.c", "-d", "/proc/self"], 1)?.check_says("cannot write /proc/self/a.stencil.cl")?;
    refuses(folder.path(), &["a.c", "-d", "missing"], 1)?.check_says("cannot write missing/a.stencil.cl")?;
    fs::create_dir(folder.path().join("a.ocl.c"))?;
    refuses(folder.path(), &["a.c"], 1)?.check_says("cannot write a.ocl.c: it is not a regular file")?;
    let long = format!("{}.c", "n".repeat(245));
    fs::copy(folder.path().join("a.c"), folder.path().join(&long))?;
    refuses(folder.path(), &["-MD", &long], 1)?.check_says("File name too long")?;
    Ok(())
}

fn check_modes() -> Result<()> {
    let folder = folder_with_program()?;
    let mode =
        |name: &str| -> Result<u32> { Ok(fs::metadata(folder.path().join(name))?.permissions().mode() & 0o7777) };
    let mut shell = clean("sh", folder.path());
    shell.args(["-c", "umask 027; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_stencil-rewrite"), "a.c"]);
    run(&mut shell)?.succeeded()?;
    ensure!(OUTPUTS.iter().all(|output| mode(output).is_ok_and(|mode| mode == 0o640)), "the umask is not followed");
    let modes = [0o600, 0o444, 0o755, 0o4664];
    for (output, mode) in OUTPUTS.iter().zip(modes) {
        fs::set_permissions(folder.path().join(output), Permissions::from_mode(mode))?;
    }
    run(tool(folder.path()).arg("a.c"))?.succeeded()?;
    for (output, old) in OUTPUTS.iter().zip(modes) {
        ensure!(mode(output)? == old & 0o777, "{output} had the mode {old:o} and has {:o}", mode(output)?);
    }
    Ok(())
}

/// Kills the tool at each step of its writing, or, if `TESTSUITE_KILLS` says how often, at moments spread over its run.
fn check_killed() -> Result<()> {
    let changed = Changed::new()?;
    match std::env::var("TESTSUITE_KILLS") {
        Ok(count) => changed.check_moments(count.parse()?),
        Err(_) if may_trace()? => changed.check_steps(),
        Err(_) => changed.check_moments(KILLS),
    }
}

/// Kills where no process may be traced.
const KILLS: u32 = 60;

/// Whether strace works here; in some containers nobody may trace another process.
fn may_trace() -> Result<bool> {
    let mut strace = clean("strace", Path::new("/"));
    Ok(run(strace.args(["-qq", "-o", "/dev/null", "true"]))?.code == Some(0))
}

/// Arguments for a run that begins to write soon.
const QUICK: [&str; 3] = ["--strategy", "direct", "a.c"];

/// The calls by which the tool writes, as strace names them. What others see of a folder changes in no other.
const CALLS: [&str; 4] = ["write", "fchmod", "fsync", "/^rename"];

/// A program that has changed since it was rewritten.
struct Changed {
    folder: TempDir,
    old: BTreeMap<String, Vec<u8>>,
    new: BTreeMap<String, Vec<u8>>,
    /// How long rewriting it takes.
    duration: Duration,
}

impl Changed {
    fn new() -> Result<Self> {
        let folder = folder_with_program()?;
        run(tool(folder.path()).args(QUICK))?.succeeded()?;
        let old = contents(folder.path())?;
        let source = fs::read_to_string(folder.path().join("a.c"))?;
        fs::write(folder.path().join("a.c"), source.replace("0.3 *", "0.7 *"))?;
        let start = Instant::now();
        run(tool(folder.path()).args(QUICK))?.succeeded()?;
        let duration = start.elapsed();
        let new = contents(folder.path())?;
        Ok(Self { folder, old, new, duration })
    }

    /// Kills before each step: some outputs are old then and some new, in every number.
    fn check_steps(&self) -> Result<()> {
        let mut counts = BTreeSet::new();
        for call in CALLS {
            counts.extend(
                (1..).map_while(|time| self.count_new_before(call, time).transpose()).collect::<Result<Vec<_>>>()?,
            );
        }
        let differ = OUTPUTS.iter().filter(|output| self.old[**output] != self.new[**output]).count();
        ensure!(differ > 1 && counts.into_iter().eq(0..=differ), "no kill fell between two of {differ} files");
        Ok(())
    }

    /// The number of new outputs when the tool is about to make this call for that time; `None` if it never is.
    fn count_new_before(&self, call: &str, time: u32) -> Result<Option<usize>> {
        self.restore()?;
        let is_killed = self.kill_before(call, time)?;
        let count = self.count_new().with_context(|| format!("after a kill before {call} {time}"))?;
        Ok(is_killed.then_some(count))
    }

    /// Most of a run is spent before anything is written.
    fn check_moments(&self, kills: u32) -> Result<()> {
        for kill in 0..kills {
            self.restore()?;
            self.kill_after(self.duration / 2 + self.duration * kill / kills)?;
            self.count_new().with_context(|| format!("after kill {kill}"))?;
        }
        Ok(())
    }

    fn restore(&self) -> Result<()> {
        OUTPUTS.iter().try_for_each(|output| Ok(fs::write(self.folder.path().join(output), &self.old[*output])?))
    }

    /// The number of outputs that are new, where each must be old or new; what was half written is removed.
    fn count_new(&self) -> Result<usize> {
        let mut count = 0;
        for (name, bytes) in contents(self.folder.path())? {
            if name.starts_with(".stencil-") && name.ends_with(".tmp") {
                fs::remove_file(self.folder.path().join(name))?;
                continue;
            }
            let (is_old, is_new) = (bytes == self.old[&name], bytes == self.new[&name]);
            ensure!(is_new || (is_old && name != "a.c"), "{name} is neither the old nor the new file");
            count += usize::from(is_new && !is_old && name != "a.c");
        }
        Ok(count)
    }

    /// Whether there was such a call.
    fn kill_before(&self, call: &str, time: u32) -> Result<bool> {
        let mut strace = clean("strace", self.folder.path());
        strace.args(["-qq", "-o", "/dev/null", "-e", &format!("inject={call}:signal=KILL:when={time}")]);
        let outcome = run(strace.arg(env!("CARGO_BIN_EXE_stencil-rewrite")).args(QUICK))?;
        if outcome.code.is_none() {
            return Ok(true);
        }
        outcome.succeeded().map(|_| false)
    }

    fn kill_after(&self, delay: Duration) -> Result<()> {
        let mut child = tool(self.folder.path()).args(QUICK).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        thread::sleep(delay);
        child.kill().context("a child that nobody waited for")?;
        child.wait()?;
        Ok(())
    }
}
