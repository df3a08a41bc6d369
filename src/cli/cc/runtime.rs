//! The runtime of the wrapper's objects: each holds it, so that any linker will do, and a program has it once.

use anyhow::{Context, Result};
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::comdat::link_once;
use super::command::CommandLine;
use super::flags::{Kind, is_for_code};
use super::run::exit_code_of;
use crate::back::{runtime_functions, write_runtime};
use crate::cli::exit::Exit;
use crate::text::Fnv;

/// The runtime under names of its own.
///
/// A linker takes the first of several equal names. So these tell apart what must not stand for each other: runtimes of two
/// versions of the tool, and code for two machines, as in a program that asks the processor which of its functions to call.
pub struct Runtime {
    text: String,
    /// The functions that drivers call, each with its name here.
    functions: Vec<(String, String)>,
}

impl Runtime {
    /// The runtime for what that command line compiles.
    pub fn new(line: &CommandLine) -> Self {
        let text = write_runtime();
        let mut hash = Fnv::new();
        hash.write(text.as_bytes());
        let arguments = line.arguments.iter().filter(|argument| argument.kind == Kind::Flag);
        let words = arguments.filter(|argument| is_for_code(&argument.words[0])).flat_map(|argument| &argument.words);
        words.for_each(|word| hash.write(word.as_bytes()));
        let rename = |name: String| (format!("{name}_{:08x}", hash.folded()), name);
        let functions = runtime_functions().into_iter().map(rename).map(|(here, name)| (name, here)).collect();
        Self { text, functions }
    }

    /// Flags that give the functions their names, in drivers and in the runtime.
    pub fn name_flags(&self) -> impl Iterator<Item = OsString> {
        self.functions.iter().map(|(name, here)| format!("-D{name}={here}").into())
    }

    /// Compiles it in `folder` with `command`; gives the object.
    ///
    /// # Errors
    /// When a file cannot be read or written or the compiler cannot be run. What it refuses is an [`Exit`].
    pub fn compile(&self, mut command: Vec<OsString>, folder: &Path) -> Result<Result<PathBuf, Exit>> {
        let (source, object) = (folder.join("runtime.c"), folder.join("runtime.o"));
        std::fs::write(&source, &self.text).with_context(|| format!("cannot write {}", source.display()))?;
        command.extend([source.into(), "-o".into(), object.clone().into()]);
        Ok(match exit_code_of(&command)? {
            Exit::Success => self.let_be_linked_once(&object).map(|()| Ok(object))?,
            failure => Err(failure),
        })
    }

    /// Where an object can have no group, each in a program keeps its own runtime, which works as well.
    fn let_be_linked_once(&self, object: &Path) -> Result<()> {
        let bytes = std::fs::read(object).with_context(|| format!("cannot read {}", object.display()))?;
        let (_, signature) = &self.functions[0];
        let grouped = link_once(&bytes, signature).map(|grouped| std::fs::write(object, grouped));
        grouped.unwrap_or(Ok(())).with_context(|| format!("cannot write {}", object.display()))
    }
}
