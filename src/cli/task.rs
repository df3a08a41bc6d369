//! What the main form's arguments mean.

use anyhow::Result;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::args::RewriteArguments;
use super::exit::UsageError;
use super::outputs::{DependencyRequest, FileTask};
use super::overwriting::check_outputs;
use crate::options::{FpMode, Options, Tuning};
use crate::report::{Dump, Manner};
use crate::source::{Preprocessor, STANDARD_INPUT};
use crate::text::plain_name;

/// All that a run of the main form does.
#[derive(Debug)]
pub struct Task {
    /// How every input is rewritten.
    pub options: Options,
    /// The inputs and their outputs.
    pub units: Vec<FileTask>,
    /// What becomes of the results.
    pub action: Action,
    /// How diagnostics are printed.
    pub manner: Manner,
    /// The dependency files that are asked for.
    pub dependencies: Option<DependencyRequest>,
    /// Where the runtime is written, if it is not part of the drivers.
    pub runtime: Option<PathBuf>,
    /// Where results are written, if not beside their inputs.
    pub folder: Option<PathBuf>,
}

/// What becomes of the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Files are written.
    Write,
    /// A diff is printed.
    Diff,
    /// A stage is printed.
    Dump(Dump),
}

impl Task {
    /// Reads a task out of the arguments and the value of `$CC`, which `--cc` overrides.
    ///
    /// # Errors
    /// A [`UsageError`] if an input would be overwritten or outputs would meet in one file.
    pub fn new(arguments: RewriteArguments, compiler: Option<OsString>) -> Result<Self> {
        if arguments.output.is_some() && arguments.files.len() > 1 {
            return Err(UsageError("-o names one file; use -d for several inputs".into()).into());
        }
        let dependencies = dependency_request(&arguments)?;
        if arguments.tuning.is_some() && arguments.files.len() > 1 {
            return Err(UsageError("--tuning names one file; it cannot serve several inputs".into()).into());
        }
        let units: Result<Vec<_>> = arguments
            .files
            .iter()
            .map(|file| {
                let unit = file_task(file, arguments.output.as_deref(), arguments.directory.as_deref())?;
                Ok(FileTask { tuning: tuning_file(&arguments, &unit), ..unit })
            })
            .collect();
        let units = units?;
        let action = match arguments.dump {
            Some(stage) => Action::Dump(stage.into()),
            None if arguments.diff => Action::Diff,
            None => Action::Write,
        };
        check_standard_input(&arguments, action)?;
        let parent = |output: &Path| without_dash(output).parent().map(Path::to_owned);
        let folder =
            arguments.output.as_deref().map_or_else(|| arguments.directory.as_deref().map(without_dash), parent);
        let runtime = arguments.runtime.as_deref().map(without_dash);
        if action == Action::Write {
            check_outputs(&units, dependencies.as_ref(), runtime.as_deref())?;
        }
        Ok(Self {
            dependencies,
            runtime,
            folder,
            manner: Manner { format: arguments.message_format.into(), is_quiet: arguments.quiet },
            options: options(arguments, compiler),
            units,
            action,
        })
    }
}

/// Checks that standard input is read once, and that what is written of it has a name.
fn check_standard_input(arguments: &RewriteArguments, action: Action) -> Result<()> {
    let problem = match arguments.files.iter().filter(|file| is_standard_input(file)).count() {
        0 => return Ok(()),
        1 if action == Action::Write && arguments.output.is_none() => {
            "standard input has no name that the results could follow; name the rewritten file with -o"
        }
        1 if arguments.dependencies || arguments.user_dependencies => {
            "-MD and -MMD need a file; standard input is none"
        }
        1 => return Ok(()),
        _ => "standard input can be read once only",
    };
    Err(UsageError(problem.into()).into())
}

/// Whether the name stands for standard input; a file of that name is `./-`.
pub fn is_standard_input(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// The tuning file that is named, or the one beside the input if there is one.
fn tuning_file(arguments: &RewriteArguments, unit: &FileTask) -> Option<PathBuf> {
    let beside = || find_tuning_beside(&unit.input).filter(|_| !unit.is_standard_input);
    arguments.tuning.clone().or_else(beside).filter(|_| !arguments.no_tuning)
}

/// The tuning file beside the input, if there is one.
pub fn find_tuning_beside(input: &Path) -> Option<PathBuf> {
    Some(tuning_beside(input)).filter(|path| path.exists())
}

/// `legacy.stencil.toml` for `legacy.c`.
pub fn tuning_beside(input: &Path) -> PathBuf {
    input.with_extension("stencil.toml")
}

fn options(arguments: RewriteArguments, compiler: Option<OsString>) -> Options {
    let compiler = split_command(arguments.cc.or(compiler));
    Options {
        tuning: Tuning {
            strategy: arguments.strategy,
            time_tile: arguments.time_tile,
            tile: arguments.tile,
            work_group: arguments.work_group,
            per_item: arguments.per_item,
            fp: arguments.fp,
        },
        tuned: Vec::new(),
        measured: Vec::new(),
        default_fp: FpMode::Strict,
        no_fallback: arguments.no_fallback,
        keep_unsupported: arguments.keep_unsupported,
        kernels_for: arguments.kernels_for.map(Into::into),
        has_runtime_apart: arguments.runtime.is_some(),
        takes_steps: arguments.take_steps,
        copies_beside: true,
        beside: arguments.with,
        preprocessor: Preprocessor { compiler, flags: arguments.cflag },
    }
}

/// The words of `$CC`; `cc` if it has none.
pub fn split_command(command: Option<OsString>) -> Vec<OsString> {
    let command = command.unwrap_or_default();
    let words = command.as_bytes().split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let words: Vec<OsString> = words.map(|word| OsStr::from_bytes(word).to_owned()).collect();
    if words.is_empty() { vec!["cc".into()] } else { words }
}

fn file_task(file: &Path, output: Option<&Path>, directory: Option<&Path>) -> Result<FileTask> {
    let is_standard_input = is_standard_input(file);
    let input = if is_standard_input { STANDARD_INPUT.into() } else { without_dash(file) };
    let name = |path: &Path| path.file_stem().map(OsStr::to_owned);
    let missing_name = || UsageError(format!("{} names no file", input.display()));
    let (folder, stem, host) = match output {
        Some(output) => {
            let output = without_dash(output);
            let stem = name(&output).ok_or_else(missing_name)?;
            let stem = stem.as_bytes().strip_suffix(b".ocl").unwrap_or(stem.as_bytes());
            (output.parent().unwrap_or(Path::new("")).to_owned(), OsStr::from_bytes(stem).to_owned(), output)
        }
        None => {
            let folder = directory.or(input.parent()).unwrap_or(Path::new(""));
            let folder = without_dash(folder);
            let stem = if is_standard_input { Some("stdin".into()) } else { name(&input) };
            let stem = stem.ok_or_else(missing_name)?;
            let host = folder.join(with_suffix(&stem, ".ocl.c"));
            (folder, stem, host)
        }
    };
    let beside = |suffix| folder.join(with_suffix(&stem, suffix));
    let unit_stem = plain_name(&stem.to_string_lossy());
    Ok(FileTask {
        driver: beside(".stencil.c"),
        header: folder.join(format!("{unit_stem}.stencil.h")),
        kernels: beside(".stencil.cl"),
        stem: unit_stem,
        tuning: None,
        host,
        input,
        is_standard_input,
    })
}

fn dependency_request(arguments: &RewriteArguments) -> Result<Option<DependencyRequest>> {
    let is_wanted = arguments.dependencies || arguments.user_dependencies;
    let has_details =
        arguments.dependency_file.is_some() || !arguments.dependency_target.is_empty() || arguments.phony_targets;
    if !is_wanted && has_details {
        return Err(UsageError("-MF, -MT and -MP need -MD or -MMD".into()).into());
    }
    if arguments.dependency_file.is_some() && arguments.files.len() > 1 {
        return Err(UsageError("-MF names one file; it cannot serve several inputs".into()).into());
    }
    Ok(is_wanted.then(|| DependencyRequest {
        has_system_headers: arguments.dependencies,
        has_phony_targets: arguments.phony_targets,
        file: arguments.dependency_file.as_deref().map(without_dash),
        targets: arguments.dependency_target.clone(),
    }))
}

/// The same path in a spelling that no program takes for an option.
pub fn without_dash(path: &Path) -> PathBuf {
    if path.as_os_str().as_bytes().starts_with(b"-") { Path::new(".").join(path) } else { path.to_owned() }
}

fn with_suffix(stem: &OsStr, suffix: &str) -> OsString {
    let mut name = stem.to_owned();
    name.push(suffix);
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::Arguments;
    use clap::Parser;
    use std::fs;

    fn unit(file: &str, output: Option<&str>, directory: Option<&str>) -> [String; 4] {
        let unit = file_task(Path::new(file), output.map(Path::new), directory.map(Path::new)).expect("a task");
        unit.outputs().map(|path| path.display().to_string())
    }

    #[test]
    fn results_stand_beside_the_input_or_where_asked() {
        assert_eq!(unit("d/x.c", None, None), ["d/x.stencil.cl", "d/x.stencil.h", "d/x.stencil.c", "d/x.ocl.c"]);
        assert_eq!(unit("d/x.c", None, Some("e")), ["e/x.stencil.cl", "e/x.stencil.h", "e/x.stencil.c", "e/x.ocl.c"]);
        assert_eq!(unit("x.c", Some("e/y.c"), None), ["e/y.stencil.cl", "e/y.stencil.h", "e/y.stencil.c", "e/y.c"]);
        assert_eq!(unit("x.c", Some("y.ocl.c"), None), ["y.stencil.cl", "y.stencil.h", "y.stencil.c", "y.ocl.c"]);
    }

    #[test]
    fn odd_names_stay_files() {
        assert_eq!(unit("-x.c", None, None)[3], "./-x.ocl.c");
        assert_eq!(
            unit("a b\n\".c", None, None),
            ["a b\n\".stencil.cl", "a b__.stencil.h", "a b\n\".stencil.c", "a b\n\".ocl.c"]
        );
    }

    #[test]
    fn the_compiler_is_split_at_white_space() {
        assert_eq!(split_command(Some(" ccache  gcc -m64 ".into())), ["ccache", "gcc", "-m64"]);
        assert_eq!(split_command(Some(" ".into())), ["cc"]);
        assert_eq!(split_command(None), ["cc"]);
    }

    /// Reads what is typed after the tool's name.
    fn task(words: &[&str]) -> Result<Task> {
        let arguments = Arguments::try_parse_from(std::iter::once("s").chain(words.iter().copied()))?;
        Task::new(arguments.rewrite, None)
    }

    #[test]
    fn inputs_are_never_overwritten() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = |name: &str| folder.path().join(name).display().to_string();
        let (input, link) = (path("a.c"), path("a.stencil.c"));
        fs::write(&input, "").expect("a written file");
        assert!(task(&[&input]).is_ok());
        assert!(task(&[&input, "-o", &input]).expect_err("the input is the output").is::<UsageError>());
        fs::hard_link(&input, &link).expect("a link");
        assert!(task(&[&input]).expect_err("an output is a link to the input").is::<UsageError>());
        assert!(task(&[&input, "--diff"]).is_ok());
    }

    #[test]
    fn dependency_files_overwrite_neither_inputs_nor_results() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = |name: &str| folder.path().join(name).display().to_string();
        let input = path("a.c");
        fs::write(&input, "").expect("a written file");
        let with_file = |file: String| task(&["--dependencies", &format!("--dependency-file={file}"), &input]);
        assert!(with_file(path("a.d")).is_ok());
        assert!(with_file(input.clone()).expect_err("the input").is::<UsageError>());
        assert!(with_file(path("a.ocl.c")).expect_err("a result").is::<UsageError>());
    }

    #[test]
    fn results_that_meet_through_links_are_found() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = |name: &str| folder.path().join(name).display().to_string();
        fs::create_dir(path("d")).expect("a folder");
        std::os::unix::fs::symlink("d", path("link")).expect("a link");
        std::os::unix::fs::symlink("b.ocl.c", path("d/a.ocl.c")).expect("a link");
        for name in ["a.c", "b.c"] {
            fs::write(path("d") + "/" + name, "").expect("a written file");
        }
        assert!(task(&[&path("d/b.c"), &path("link/b.c")]).expect_err("one folder").is::<UsageError>());
        assert!(task(&[&path("d/a.c"), &path("d/b.c")]).expect_err("a link to a result").is::<UsageError>());
        assert!(task(&[&path("d/a.c")]).is_ok());
    }

    #[test]
    fn results_of_different_inputs_do_not_meet() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = |name: &str| folder.path().join(name).display().to_string();
        for name in ["a", "b"] {
            fs::create_dir(path(name)).expect("a folder");
            fs::write(path(name) + "/x.c", "").expect("a written file");
        }
        let (a, b, out) = (path("a/x.c"), path("b/x.c"), path("out"));
        assert!(task(&[&a, &b, "-d", &out]).expect_err("the same outputs").is::<UsageError>());
        assert!(task(&["a.c", "b.c", "-o", "c.c"]).expect_err("one name for two").is::<UsageError>());
        assert!(task(&["a.c", "--dependency-file=x"]).expect_err("no -MD").is::<UsageError>());
    }
}
