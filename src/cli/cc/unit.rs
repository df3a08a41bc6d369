//! One marked source on its way through the wrapper.

use anyhow::{Context, Result};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use super::command::CommandLine;
use super::dependencies::Dependencies;
use super::flags::{Kind, is_for_driver, is_for_machine};
use super::fp;
use super::run::exit_code_of;
use super::runtime::Runtime;
use crate::cli::args::WrapperArguments;
use crate::cli::dependencies::add_prerequisite;
use crate::cli::exit::Exit;
use crate::cli::rewrite::{read_source, report, with_tuning};
use crate::cli::task::find_tuning_beside;
use crate::options::{FpMode, Options, Tuning};
use crate::pipeline::{self, OutputStyle, Rewritten};
use crate::report::{Format, Manner};
use crate::rewrite::TextStyle;
use crate::source::{Diagnostic, Preprocessor, Severity, SourceFile, Span};
use crate::text::{Fnv, plain_name};

/// What the wrapper's runs of the compiler have in common.
pub struct Compiler<'line> {
    line: &'line CommandLine,
    /// All flags that matter when a source is compiled to an object.
    flags: Vec<OsString>,
    options: Options,
    manner: Manner,
    /// What the user should know about floating-point numbers.
    fp_notes: Vec<Diagnostic>,
    runtime: Runtime,
}

impl<'line> Compiler<'line> {
    /// Reads the compiler's command line; asks the compiler what its flags mean for numbers unless the user says it.
    /// `folder` is for files of ours.
    ///
    /// # Errors
    /// When the compiler cannot be run or the folder cannot be written.
    pub fn new(arguments: &WrapperArguments, line: &'line CommandLine, folder: &Path) -> Result<Self> {
        let flags: Vec<OsString> = line.words_of(Kind::Flag).filter(|flag| *flag != "-P").cloned().collect();
        let (default_fp, fp_notes) = match arguments.fp {
            Some(_) => (FpMode::Strict, Vec::new()),
            None => fp::deduce(line, folder)?
                .map_or_else(|| (FpMode::Strict, vec![fp::unknown()]), |deduced| (deduced.mode, deduced.notes())),
        };
        let options = Options {
            tuning: Tuning { fp: arguments.fp, ..Tuning::default() },
            tuned: Vec::new(),
            measured: Vec::new(),
            default_fp,
            no_fallback: false,
            keep_unsupported: arguments.keep_unsupported || keeps_unsupported(),
            kernels_for: arguments.kernels_for.map(Into::into),
            has_runtime_apart: true,
            takes_steps: false,
            copies_beside: false,
            beside: arguments.with.clone(),
            preprocessor: Preprocessor { compiler: line.compiler.clone(), flags: flags.clone() },
        };
        let manner = Manner { format: Format::Human, is_quiet: arguments.quiet };
        Ok(Self { line, flags, options, manner, fp_notes, runtime: Runtime::new(line) })
    }

    fn command(&self) -> Vec<OsString> {
        self.line.compiler.clone()
    }

    /// Compiles what drivers share; gives the object.
    ///
    /// # Errors
    /// When a file cannot be read or written or the compiler cannot be run. What it refuses is an [`Exit`].
    pub fn compile_runtime(&self, folder: &Path) -> Result<Result<PathBuf, Exit>> {
        // Its text goes with the folder, so there is nothing to look at with a debugger.
        self.runtime
            .compile(self.own_command(|flag| is_for_driver(flag) && !flag.as_bytes().starts_with(b"-g")), folder)
    }

    /// Compiles text of this tool: the user's target applies to it, the user's dialect, warnings and macros do not.
    fn own_command(&self, takes: impl Fn(&OsStr) -> bool) -> Vec<OsString> {
        let mut command = self.command();
        let arguments = self.line.arguments.iter().filter(|argument| argument.kind == Kind::Flag);
        for argument in arguments.filter(|argument| takes(&argument.words[0])) {
            command.extend(argument.words.iter().cloned());
        }
        command.extend(self.runtime.name_flags());
        command.extend(["-O2", "-ffp-contract=off", "-w", "-c"].map(Into::into));
        command
    }
}

/// What a source becomes.
pub struct Objects {
    /// Of the source itself.
    pub host: PathBuf,
    /// Of its driver, if any nest is rewritten.
    pub driver: Option<PathBuf>,
}

/// A source with the pragma.
pub struct MarkedSource<'line> {
    path: &'line Path,
    /// The object that the build expects, or would get if it did not link at once.
    object: PathBuf,
    /// A folder of its own.
    folder: PathBuf,
}

impl<'line> MarkedSource<'line> {
    /// The source at `path`, with the empty folder `folder` to work in.
    pub fn new(path: &'line Path, line: &CommandLine, folder: PathBuf) -> Self {
        Self { path, object: line.object_of(path), folder }
    }

    /// Rewrites and compiles; `None` if no pragma of the source counts.
    ///
    /// # Errors
    /// When a file cannot be read or written. What the compiler or the rewriting refuses is an [`Exit`].
    pub fn compile(&self, compiler: &Compiler<'_>) -> Result<Result<Option<Objects>, Exit>> {
        let source = read_source(self.path)?;
        let unit = self.unit(&source, compiler);
        let tuning = find_tuning_beside(self.path);
        let Some(options) = with_tuning(&compiler.options, tuning.as_deref(), compiler.manner)? else {
            return Ok(Err(Exit::Failure));
        };
        let rewritten = match pipeline::rewrite_source(&options, &source, &unit) {
            Ok(rewritten) => rewritten,
            Err(diagnostics) if diagnostics.iter().all(|diagnostic| diagnostic.code == "no-pragma") => {
                report(compiler.manner, &source, &left_alone(diagnostics))?;
                return Ok(Ok(None));
            }
            Err(diagnostics) => {
                report(compiler.manner, &source, &diagnostics)?;
                return Ok(Err(Exit::Failure));
            }
        };
        let mut notes = rewritten.notes.clone();
        notes.extend(compiler.fp_notes.iter().filter(|_| rewritten.nest_count > 0).cloned());
        report(compiler.manner, &source, &notes)?;
        self.write_files(&unit, &rewritten)?;
        let mut steps = self.dependency_command(compiler).into_iter().collect::<Vec<_>>();
        steps.push(self.host_command(compiler));
        if rewritten.nest_count > 0 {
            steps.push(self.driver_command(compiler));
        }
        for step in steps {
            match exit_code_of(&step)? {
                Exit::Success => {}
                failure => return Ok(Err(failure)),
            }
        }
        let beside = if rewritten.nest_count > 0 { compiler.options.beside.as_slice() } else { &[] };
        for path in tuning.iter().chain(beside) {
            self.add_dependency(compiler, path)?;
        }
        let driver = (rewritten.nest_count > 0).then(|| self.folder.join("driver.o"));
        Ok(Ok(Some(Objects { host: self.folder.join("host.o"), driver })))
    }

    /// Adds a file to the dependency file that the compiler wrote, if it did.
    fn add_dependency(&self, compiler: &Compiler<'_>, path: &Path) -> Result<()> {
        let Some(file) = Dependencies::read(compiler.line).map(|wanted| self.dependency_file(wanted.file)) else {
            return Ok(());
        };
        let failure = || format!("cannot change {}", Path::new(&file).display());
        let mut rules = std::fs::read(&file).with_context(failure)?;
        add_prerequisite(&mut rules, path);
        std::fs::write(&file, rules).with_context(failure)
    }

    fn dependency_file(&self, asked: Option<OsString>) -> OsString {
        asked.unwrap_or_else(|| self.object.with_extension("d").into_os_string())
    }

    /// Makes one object of several where the build expects it.
    ///
    /// # Errors
    /// When the compiler cannot be run. What it refuses is an [`Exit`].
    pub fn join(&self, compiler: &Compiler<'_>, objects: &[PathBuf]) -> Result<Result<(), Exit>> {
        let mut command = compiler.command();
        command.extend(compiler.flags.iter().filter(|flag| is_for_machine(flag)).cloned());
        command.extend(["-r", "-nostdlib", "-o"].map(Into::into));
        command.push(plain(&self.object));
        command.extend(objects.iter().map(Into::into));
        Ok(match exit_code_of(&command)? {
            Exit::Success => Ok(()),
            failure => Err(failure),
        })
    }

    /// Names that differ between any two objects of a program, and not between two builds of it.
    fn unit(&self, source: &SourceFile, compiler: &Compiler<'_>) -> OutputStyle {
        let mut hash = Fnv::new();
        hash.write(source.bytes());
        hash.write(self.path.as_os_str().as_bytes());
        hash.write(self.object.as_os_str().as_bytes());
        compiler.flags.iter().for_each(|flag| hash.write(flag.as_bytes()));
        let stem = plain_name(&self.path.file_stem().unwrap_or_default().to_string_lossy());
        OutputStyle {
            stem: format!("{stem}_{:08x}", hash.folded()),
            text: TextStyle::SameLines { original: self.path.as_os_str().as_bytes().to_vec() },
        }
    }

    /// The rewritten source keeps its name, which the object's symbol table holds.
    fn host_path(&self) -> PathBuf {
        self.folder.join(self.path.file_name().unwrap_or_default()).with_extension("c")
    }

    fn driver_path(&self) -> PathBuf {
        self.folder.join("driver").join("driver.c")
    }

    fn write_files(&self, unit: &OutputStyle, rewritten: &Rewritten) -> Result<()> {
        let write = |path: PathBuf, content: &[u8]| {
            std::fs::write(&path, content).with_context(|| format!("cannot write {}", path.display()))
        };
        std::fs::create_dir(self.folder.join("driver"))?;
        write(self.host_path(), &rewritten.host_source)?;
        write(self.driver_path(), rewritten.driver.as_bytes())?;
        // Both include it, and both look for it beside themselves first.
        for folder in [self.folder.clone(), self.folder.join("driver")] {
            write(folder.join(format!("{}.stencil.h", unit.stem)), rewritten.header.as_bytes())?;
        }
        Ok(())
    }

    fn host_command(&self, compiler: &Compiler<'_>) -> Vec<OsString> {
        let mut command = compiler.command();
        // Before all other folders of that kind, as the folder of the including file is.
        command.extend(["-iquote".into(), plain(self.path.parent().unwrap_or(Path::new("")))]);
        command.extend(compiler.flags.iter().cloned());
        command.push(self.prefix_map());
        command.extend(without_lto(compiler));
        command.extend(["-c".into(), self.host_path().into(), "-o".into(), self.folder.join("host.o").into()]);
        command
    }

    /// Keeps the temporary folder's name out of debugging information, so that builds can be reproduced.
    fn prefix_map(&self) -> OsString {
        let mut flag = b"-fdebug-prefix-map=".to_vec();
        flag.extend_from_slice(self.folder.as_os_str().as_bytes());
        flag.push(b'=');
        flag.extend_from_slice(plain(self.path.parent().unwrap_or(Path::new(""))).as_bytes());
        OsString::from_vec(flag)
    }

    fn driver_command(&self, compiler: &Compiler<'_>) -> Vec<OsString> {
        let mut command = compiler.own_command(is_for_driver);
        command.extend([
            self.prefix_map(),
            self.driver_path().into(),
            "-o".into(),
            self.folder.join("driver.o").into(),
        ]);
        command
    }

    /// Lets the compiler write the dependency file that it would write for the original.
    fn dependency_command(&self, compiler: &Compiler<'_>) -> Option<Vec<OsString>> {
        let wanted = Dependencies::read(compiler.line)?;
        let mut command = compiler.command();
        command.extend(compiler.flags.iter().cloned());
        command.push(if wanted.has_system_headers { "-M" } else { "-MM" }.into());
        command.extend(wanted.other_words);
        if !wanted.has_target {
            command.extend(["-MQ".into(), self.object.clone().into()]);
        }
        command.extend(["-MF".into(), self.dependency_file(wanted.file), plain(self.path)]);
        Some(command)
    }
}

/// What `STENCIL_KEEP_UNSUPPORTED` says.
pub fn keeps_unsupported() -> bool {
    std::env::var_os("STENCIL_KEEP_UNSUPPORTED").is_some_and(|value| !value.is_empty() && value != "0")
}

/// Warnings that the pragmas of a source do not count; none if there only seemed to be one.
fn left_alone(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let is_told = |diagnostic: &Diagnostic| diagnostic.primary.span != Span::default();
    let warning = |diagnostic| Diagnostic { severity: Severity::Warning, code: "not-rewritten", ..diagnostic };
    diagnostics.into_iter().filter(is_told).map(warning).collect()
}

/// Two objects that are to become one must hold machine code.
fn without_lto(compiler: &Compiler<'_>) -> Option<OsString> {
    let has_lto = compiler.flags.iter().any(|flag| flag.as_bytes().starts_with(b"-flto"));
    has_lto.then(|| "-fno-lto".into())
}

/// The path in a spelling that a compiler takes for a path; the empty one is the current folder.
fn plain(path: &Path) -> OsString {
    match path.as_os_str().as_bytes() {
        b"" => ".".into(),
        bytes if bytes.starts_with(b"-") => Path::new(".").join(path).into(),
        _ => path.into(),
    }
}
