//! The compiler wrapper: does what the compiler does, with marked nests rewritten on the way.
//!
//! Every object has all that it needs but OpenCL, so that any linker, archive or partial link will do: a build may link with
//! the compiler itself, or long after. The runtime is in each in a form of which linkers keep one.
//!
//! A source without the pragma never gets here: the compiler replaces this process, with exactly the same arguments
//! unless it links. A marked source is rewritten into a temporary folder, compiled there together with its driver, and
//! their objects and the runtime's become the one object that the build expects.

mod ccache;
mod comdat;
mod command;
mod dependencies;
mod flags;
mod fp;
mod includes;
mod link;
mod passed_over;
mod run;
mod runtime;
mod unit;
mod workplace;

use anyhow::Result;
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};

use super::args::WrapperArguments;
use super::exit::Exit;
use super::overwriting::check_output;
use crate::report::Manner;
pub use command::CommandLine;
use command::Mode;
use dependencies::Dependencies;
use flags::Kind;
use passed_over::{PassedOver, may_be_marked};
use run::{exit_code_with, replace_process};
use unit::{Compiler, MarkedSource, Objects};
use workplace::Workplace;

/// Runs the wrapper; returns only when there was something to rewrite.
///
/// # Errors
/// When the compiler cannot be run, or a source or the temporary folder cannot be read or written.
pub fn run(arguments: WrapperArguments) -> Result<Exit> {
    let line = CommandLine::parse(&arguments.compiler);
    let is_compiled = matches!(line.mode, Mode::Compile | Mode::Link);
    if !line.has_inputs() || !is_compiled && !line.gives_text() {
        return replace_process(&arguments.compiler, None);
    }
    if ccache::asks(&line) {
        return ccache::preprocess(&arguments.compiler, &line, &marked_sources(&line));
    }
    let passed_over = PassedOver::new(&line, Manner { is_quiet: arguments.quiet, ..Manner::default() });
    let marked = if is_compiled { marked_sources(&line) } else { Vec::new() };
    let input = passed_over.warn(|path| marked.iter().any(|marked| marked == path))?;
    if marked.is_empty() {
        let mut command = arguments.compiler.clone();
        if line.mode == Mode::Link {
            link::check_static(&line, false)?;
            command.extend(link::opencl_flags(&line, false));
        }
        return replace_process(&command, input);
    }
    rewrite_and_compile(&arguments, &line, &marked, input)
}

fn rewrite_and_compile(
    arguments: &WrapperArguments,
    line: &CommandLine,
    marked: &[PathBuf],
    input: Option<File>,
) -> Result<Exit> {
    let dependency_file = Dependencies::read(line).and_then(|wanted| wanted.file).map(PathBuf::from);
    for output in [line.output(), dependency_file] {
        check_output(output.as_deref(), marked)?;
    }
    let folder = Workplace::new(line)?;
    let compiler = Compiler::new(arguments, line, folder.path())?;
    let replaced = match replace_sources(line, marked, &compiler, folder.path())? {
        Ok(replaced) => replaced,
        Err(exit) => return Ok(exit),
    };
    if line.mode == Mode::Link {
        link::check_static(line, !replaced.is_empty())?;
    }
    match remaining_command(line, &replaced) {
        Some(command) => exit_code_with(&command, input),
        None => Ok(Exit::Success),
    }
}

/// Each rewritten source with the objects to link in its place; none where the build gets an object of it.
fn replace_sources<'a>(
    line: &CommandLine,
    marked: &'a [PathBuf],
    compiler: &Compiler<'_>,
    folder: &Path,
) -> Result<Result<Vec<Replaced<'a>>, Exit>> {
    let mut compiled = Vec::new();
    for (number, path) in marked.iter().enumerate() {
        let place = folder.join(number.to_string());
        std::fs::create_dir(&place)?;
        let source = MarkedSource::new(path, line, place);
        match source.compile(compiler)? {
            Ok(objects) => compiled.extend(objects.map(|objects| (path, source, objects))),
            Err(exit) => return Ok(Err(exit)),
        }
    }
    let mut runtime = None;
    if compiled.iter().any(|(.., objects)| objects.driver.is_some()) {
        match compiler.compile_runtime(folder)? {
            Ok(object) => runtime = Some(object),
            Err(exit) => return Ok(Err(exit)),
        }
    }
    let mut replaced = Vec::new();
    for (path, source, Objects { host, driver }) in compiled {
        let is_joined = line.mode == Mode::Compile;
        let runtime = driver.as_ref().and_then(|_| if is_joined { runtime.clone() } else { runtime.take() });
        let mut objects: Vec<PathBuf> = [Some(host), driver, runtime].into_iter().flatten().collect();
        if is_joined && let Err(exit) = source.join(compiler, &std::mem::take(&mut objects))? {
            return Ok(Err(exit));
        }
        replaced.push((path, objects));
    }
    Ok(Ok(replaced))
}

/// A rewritten source and the objects to link in its place.
type Replaced<'a> = (&'a PathBuf, Vec<PathBuf>);

/// The sources that seem to hold the pragma.
fn marked_sources(line: &CommandLine) -> Vec<PathBuf> {
    let sources = line.arguments.iter().filter(|argument| argument.kind == Kind::Source);
    sources.map(|argument| PathBuf::from(&argument.words[0])).filter(|path| may_be_marked(path)).collect()
}

/// The user's command with objects in place of the rewritten sources; `None` if it has nothing left to do.
fn remaining_command(line: &CommandLine, replaced: &[Replaced<'_>]) -> Option<Vec<OsString>> {
    let objects_of = |argument: &command::Argument| {
        let is_source = argument.kind == Kind::Source;
        replaced.iter().find(|(path, _)| is_source && path.as_os_str() == argument.words[0]).map(|(_, objects)| objects)
    };
    let is_left = |argument: &command::Argument| argument.is_input() && objects_of(argument).is_none();
    if line.mode == Mode::Compile && !line.arguments.iter().any(is_left) {
        return None;
    }
    let mut command = line.compiler.clone();
    for argument in &line.arguments {
        match objects_of(argument) {
            Some(objects) if line.language_is_forced() && !objects.is_empty() => {
                command.extend(["-x".into(), "none".into()]);
                command.extend(objects.iter().map(Into::into));
                command.extend(["-x".into(), "c".into()]);
            }
            Some(objects) => command.extend(objects.iter().map(Into::into)),
            None => command.extend(argument.words.iter().cloned()),
        }
    }
    if line.mode == Mode::Link {
        command.extend(link::opencl_flags(line, !replaced.is_empty()));
    }
    Some(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remaining(line: &str, path: &str, objects: &[&str]) -> Option<String> {
        let words: Vec<OsString> = line.split(' ').map(Into::into).collect();
        let replaced = PathBuf::from(path);
        let objects = objects.iter().map(PathBuf::from).collect();
        let command = remaining_command(&CommandLine::parse(&words), &[(&replaced, objects)])?;
        Some(command.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn objects_take_the_place_of_sources_when_linking() {
        let command = remaining("gcc -O2 a.c b.c -o p -lm", "a.c", &["t/h.o", "t/d.o"]).expect("a link");
        assert!(command.starts_with("gcc -O2 t/h.o t/d.o b.c -o p -lm "), "{command}");
        assert!(command.contains("-lOpenCL"), "{command}");
        let command = remaining("gcc -x c a.c", "a.c", &["h.o"]).expect("a link");
        assert!(command.starts_with("gcc -x c -x none h.o -x c"), "{command}");
    }

    #[test]
    fn other_sources_are_still_compiled() {
        assert_eq!(remaining("gcc -c a.c b.c", "a.c", &[]).as_deref(), Some("gcc -c b.c"));
        assert_eq!(remaining("gcc -c a.c -o x.o", "a.c", &[]), None);
    }
}
