//! The compiler wrapper: does what the compiler does, with marked nests rewritten on the way.
//!
//! Every object has all that it needs but OpenCL, so that any linker, archive or partial link will do: a build may link with
//! the compiler itself, or long after. Only where one command compiles and links several sources do they share the runtime.
//!
//! A source without the pragma never gets here: the compiler replaces this process, with exactly the same arguments
//! unless it links. A marked source is rewritten into a temporary folder, compiled there together with its driver, and
//! both objects become the one object that the build expects.

mod ccache;
mod command;
mod dependencies;
mod flags;
mod fp;
mod includes;
mod link;
mod passed_over;
mod run;
mod unit;
mod workplace;

use anyhow::Result;
use std::ffi::OsString;
use std::fs::File;
use std::path::PathBuf;

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
use unit::{Compiler, MarkedSource};
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
    // Objects that somebody else links have the runtime in them; those that are linked here and now share one.
    let shares_runtime = line.mode == Mode::Link && marked.len() > 1;
    let compiler = Compiler::new(arguments, line, folder.path(), shares_runtime)?;
    let mut replaced = Vec::new();
    for (number, path) in marked.iter().enumerate() {
        let place = folder.path().join(number.to_string());
        std::fs::create_dir(&place)?;
        let source = MarkedSource::new(path, line, place);
        match source.compile(&compiler)? {
            Ok(None) => {}
            Ok(Some(objects)) if line.mode == Mode::Compile => {
                if let Err(exit) = source.join(&compiler, &objects)? {
                    return Ok(exit);
                }
                replaced.push((path, Vec::new()));
            }
            Ok(Some(objects)) => replaced.push((path, objects)),
            Err(exit) => return Ok(exit),
        }
    }
    if line.mode == Mode::Link {
        link::check_static(line, !replaced.is_empty())?;
    }
    if let Some((_, objects)) = replaced.first_mut().filter(|_| shares_runtime) {
        match compiler.compile_runtime(folder.path())? {
            Ok(object) => objects.push(object),
            Err(exit) => return Ok(exit),
        }
    }
    let rest = remaining_command(line, &replaced);
    match rest {
        Some(command) => exit_code_with(&command, input),
        None => Ok(Exit::Success),
    }
}

/// The sources that seem to hold the pragma.
fn marked_sources(line: &CommandLine) -> Vec<PathBuf> {
    let sources = line.arguments.iter().filter(|argument| argument.kind == Kind::Source);
    sources.map(|argument| PathBuf::from(&argument.words[0])).filter(|path| may_be_marked(path)).collect()
}

/// The user's command with objects in place of the rewritten sources; `None` if it has nothing left to do.
fn remaining_command(line: &CommandLine, replaced: &[(&PathBuf, Vec<PathBuf>)]) -> Option<Vec<OsString>> {
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
