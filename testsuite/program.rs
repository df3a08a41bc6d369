//! A program in one C file: its original build, its rewritten build, its runs.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

use crate::case::suite;
use crate::command::{Outcome, clean, run, tool, with_quick_linker};
use crate::shared;

/// What rewritten programs must survive.
const WARNINGS: [&str; 3] = ["-Wall", "-Wextra", "-Werror"];

/// Why a device may leave strict divisions of single precision to the original loops.
pub const INEXACT: &str = "single-precision division is not correctly rounded";

/// A source and what compilers must be told about it.
#[derive(Clone, Debug)]
pub struct Program {
    /// Absolute path of the C file. All commands run in its folder.
    pub source: PathBuf,
    /// `-I -D -U` and the like, for the compiler and the tool.
    pub flags: Vec<String>,
    /// Further flags of the compiler; they come last and so win.
    pub cflags: Vec<String>,
    /// Its other files, absolute: the tool reads functions in them, the compiler links them.
    pub with: Vec<PathBuf>,
}

/// The files that one run of the tool wrote.
#[derive(Clone, Debug)]
pub struct Rewritten {
    pub folder: PathBuf,
    stem: String,
    runtime: Runtime,
}

/// Where the runtime is: in each driver, as users get it by default, or apart, so that a run of the tests compiles it once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runtime {
    InDriver,
    Apart,
}

impl Program {
    fn folder(&self) -> &Path {
        self.source.parent().unwrap_or(Path::new("."))
    }

    /// Builds the program as it is, with fused multiply-add forbidden.
    pub fn build_original(&self, executable: &Path) -> Result<()> {
        self.build_original_with(&["-O2"], executable)
    }

    /// The same with flags of the caller's choice.
    pub fn build_original_with(&self, flags: &[&str], executable: &Path) -> Result<()> {
        let mut gcc = self.compiler("gcc");
        gcc.args(flags).args(["-Wall", "-Wextra", "-Wno-unknown-pragmas"]).args(&self.cflags);
        run(gcc.arg(&self.source).args(&self.with).arg("-o").arg(executable).arg("-lm"))?
            .succeeded()
            .context("the original")?;
        Ok(())
    }

    /// Rewrites it into the new folder `folder` with `--fp strict` and `options`; returns also what the tool said.
    pub fn rewrite(&self, options: &[&str], folder: &Path) -> Result<(Rewritten, Outcome)> {
        self.rewrite_with(Runtime::InDriver, options, folder)
    }

    /// The same with the runtime in that place.
    pub fn rewrite_with(&self, runtime: Runtime, options: &[&str], folder: &Path) -> Result<(Rewritten, Outcome)> {
        fs::create_dir_all(folder)?;
        let mut command = self.strict_tool(options);
        if runtime == Runtime::Apart {
            command.arg("--runtime").arg(shared::runtime_source()?);
        }
        let outcome = run(command.arg("-d").arg(folder))?.succeeded()?;
        let stem = self.source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let files = Rewritten { folder: folder.to_path_buf(), stem, runtime };
        for file in [files.host(), files.driver(), files.header(), files.kernels()] {
            ensure!(file.exists(), "the tool did not write {}\n{}", file.display(), outcome.describe());
        }
        Ok((files, outcome))
    }

    /// The tool with everything but where its output goes.
    pub fn strict_tool(&self, options: &[&str]) -> Command {
        let mut command = tool(self.folder());
        command.args(["--fp", "strict"]).args(options).args(&self.flags);
        command.args(self.with.iter().map(|path| format!("--with={}", path.display())));
        command.arg(self.source.file_name().unwrap_or_default());
        command
    }

    /// Builds what the tool wrote. The driver, a large file, is optimised only if `optimises_driver`; otherwise it is compiled
    /// by clang, which is done sooner.
    pub fn build_rewritten(&self, files: &Rewritten, optimises_driver: bool, executable: &Path) -> Result<()> {
        self.build_rewritten_with(files, optimises_driver, &[], executable)
    }

    /// The same with these flags for a runtime that is apart.
    pub fn build_rewritten_with(
        &self,
        files: &Rewritten,
        optimises_driver: bool,
        of_runtime: &[&str],
        executable: &Path,
    ) -> Result<()> {
        let object = files.folder.join("driver.o");
        // One program has one runtime of OpenMP.
        let compiler =
            if optimises_driver || self.flags.iter().any(|flag| flag == "-fopenmp") { "gcc" } else { "clang" };
        let optimisation = if optimises_driver { "-O2" } else { "-O0" };
        let flags = [&[optimisation, "-std=c99"][..], &WARNINGS].concat();
        let mut driver = self.compiler(compiler);
        driver.args(&flags).arg("-c").arg(files.driver()).arg("-o").arg(&object);
        run(&mut driver)?.succeeded().context("the driver")?;
        let runtime = files.runtime_object(compiler, &[&flags, of_runtime].concat())?;
        self.link_rewritten(files, [object].into_iter().chain(runtime), executable)
    }

    /// Builds the rewritten source with the objects of the driver and, if it is apart, of the runtime.
    pub fn link_rewritten(
        &self,
        files: &Rewritten,
        objects: impl Iterator<Item = PathBuf>,
        executable: &Path,
    ) -> Result<()> {
        let mut gcc = self.compiler("gcc");
        gcc.args(["-O2", "-std=c99"])
            .args(WARNINGS)
            .args(&self.cflags)
            .arg(files.host())
            .args(self.others(files))
            .args(objects);
        run(gcc.arg("-o").arg(executable).args(["-lOpenCL", "-lm"]))?.succeeded().context("the rewritten source")?;
        Ok(())
    }

    /// Builds what the tool wrote in one go with `flags` and, before the libraries, further `inputs` of the linker.
    pub fn build_watched(
        &self,
        files: &Rewritten,
        flags: &[&str],
        inputs: &[PathBuf],
        executable: &Path,
    ) -> Result<()> {
        let own = self.cflags.iter().map(String::as_str);
        let flags: Vec<&str> = ["-O0", "-std=c99", "-g"].into_iter().chain(own).chain(flags.iter().copied()).collect();
        let mut gcc = self.compiler("gcc");
        gcc.args(&flags)
            .args([files.host(), files.driver()])
            .args(self.others(files))
            .args(files.runtime_object("gcc", &flags)?)
            .args(inputs);
        run(gcc.arg("-o").arg(executable).args(["-lOpenCL", "-lm"]))?.succeeded().context("the watched program")?;
        Ok(())
    }

    /// The program's other files: what the tool has written of them, with the folder of their headers, or as they are.
    fn others(&self, files: &Rewritten) -> Vec<OsString> {
        let words = |file: &PathBuf| {
            let copy = files.folder.join(file.with_extension("ocl.c").file_name().unwrap_or_default());
            let folder = file.parent().filter(|_| copy.exists());
            let headers = folder.map(|folder| ["-iquote".into(), folder.into()]);
            headers.into_iter().flatten().chain([if copy.exists() { copy } else { file.clone() }.into()])
        };
        self.with.iter().flat_map(words).collect()
    }

    /// A compiler with the flags that the program's results depend on.
    fn compiler(&self, name: &str) -> Command {
        let mut compiler = clean(name, self.folder());
        compiler.arg("-ffp-contract=off").args(&self.flags);
        compiler
    }
}

impl Rewritten {
    /// Whether the driver is as users get it.
    pub fn has_runtime(&self) -> bool {
        self.runtime == Runtime::InDriver
    }

    /// The rewritten source.
    pub fn host(&self) -> PathBuf {
        self.file("ocl.c")
    }

    /// The OpenCL driver that the rewritten source calls.
    pub fn driver(&self) -> PathBuf {
        self.file("stencil.c")
    }

    pub fn header(&self) -> PathBuf {
        self.file("stencil.h")
    }

    /// The kernels, for people to read.
    pub fn kernels(&self) -> PathBuf {
        self.file("stencil.cl")
    }

    /// The size of the kernels' file in bytes.
    pub fn kernel_size(&self) -> Result<u64> {
        Ok(fs::metadata(self.kernels())?.len())
    }

    /// The runtime, compiled like this, if it is no part of the driver.
    pub fn runtime_object(&self, compiler: &str, flags: &[&str]) -> Result<Option<PathBuf>> {
        match self.runtime {
            Runtime::InDriver => Ok(None),
            Runtime::Apart => shared::runtime_object(compiler, flags).context("the runtime").map(Some),
        }
    }

    fn file(&self, extension: &str) -> PathBuf {
        self.folder.join(format!("{}.{extension}", self.stem))
    }
}

/// A program that prints the same each time, and what the tool made of it, in a folder of their own.
pub struct Translated {
    pub folder: TempDir,
    pub program: Program,
    pub files: Rewritten,
    /// What the original prints.
    pub expected: Vec<u8>,
}

impl Translated {
    /// Rewrites a program of the suite with these options of the tool.
    pub fn new(source: &str, options: &[&str]) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let include = format!("-I{}", suite("accept/include").display());
        let program = Program { source: suite(source), flags: vec![include], cflags: Vec::new(), with: Vec::new() };
        let original = folder.path().join("original");
        program.build_original(&original)?;
        let expected = run(&mut clean(&original, folder.path()))?.succeeded()?.stdout;
        let (files, _) = program.rewrite(options, &folder.path().join("rewritten"))?;
        Ok(Self { folder, program, files, expected })
    }

    /// Replaces text of the kernels in the driver; fails if there was none of `from`.
    pub fn damage_kernels(&self, from: &[&str], to: &str) -> Result<()> {
        let driver = fs::read_to_string(self.files.driver())?;
        let damage = |line: &str| from.iter().fold(line.to_string(), |text, from| text.replace(from, to));
        let is_kernel_text = |line: &str| line.trim_start().starts_with('"');
        let lines = driver.lines().map(|line| if is_kernel_text(line) { damage(line) } else { line.to_string() });
        let damaged = lines.collect::<Vec<_>>().join("\n") + "\n";
        ensure!(damaged != driver, "the driver has no {from:?}");
        Ok(fs::write(self.files.driver(), damaged)?)
    }

    /// Builds what the tool wrote.
    pub fn build(&self) -> Result<PathBuf> {
        let executable = self.folder.path().join("program");
        self.program.build_rewritten(&self.files, false, &executable)?;
        Ok(executable)
    }
}

/// Whether `TESTSUITE_DEVICE` names the device under test.
pub fn is_device_chosen() -> bool {
    std::env::var_os("TESTSUITE_DEVICE").is_some()
}

/// A built program, to be run on the device under test: a CPU unless `TESTSUITE_DEVICE` says otherwise.
pub fn on_device(executable: &Path) -> Command {
    let device = std::env::var("TESTSUITE_DEVICE").unwrap_or("cpu".to_string());
    let mut command = clean(executable, executable.parent().unwrap_or(Path::new(".")));
    with_quick_linker(command.env("STENCIL_DEVICE", device));
    command
}

/// The same without optimised kernels, for checks of what is around them.
pub fn on_device_unoptimised(executable: &Path) -> Command {
    let mut command = on_device(executable);
    leave_unoptimised(&mut command);
    command
}

/// Lets PoCL compile kernels as they are, in a fraction of the time. The kernel cache does not know of PoCL's own options.
pub fn leave_unoptimised(command: &mut Command) {
    command.envs([("POCL_EXTRA_BUILD_FLAGS", "-cl-opt-disable"), ("STENCIL_CACHE", "off")]);
}
