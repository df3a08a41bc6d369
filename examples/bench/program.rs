//! A C program of the examples: as it is, and rewritten.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::command::{Outcome, Step};

/// Type of the grids' elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Element {
    /// `double`
    Double,
    /// `float`
    Single,
}

impl Element {
    /// `double` or `single`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Double => "double",
            Self::Single => "single",
        }
    }

    /// Its size.
    pub fn bytes(self) -> f64 {
        match self {
            Self::Double => 8.0,
            Self::Single => 4.0,
        }
    }
}

/// How far arithmetic may differ from the original; the tool's `--fp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum FpMode {
    /// Bit-identical.
    Strict,
    /// `a * b + c` may be fused.
    Contract,
}

impl FpMode {
    /// As the tool takes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Contract => "contract",
        }
    }
}

/// A source, and what compiler and tool must be told about it.
#[derive(PartialEq)]
pub struct Program<'a> {
    /// The tool that rewrites it.
    pub tool: &'a Path,
    /// Absolute path of the C file.
    pub source: PathBuf,
    /// `-D` flags.
    pub flags: Vec<String>,
    /// Flags of the tool that choose a plan.
    pub plan: Vec<String>,
    /// The floating-point mode.
    pub fp: FpMode,
    /// Whether compiling takes its time.
    pub is_optimised: bool,
}

/// An executable with the commands that made it, which one can repeat in an empty folder.
pub struct Built {
    folder: PathBuf,
    executable: PathBuf,
    /// The commands.
    pub commands: Vec<String>,
}

impl Program<'_> {
    fn stem(&self) -> String {
        self.source.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Compiles it as it is.
    ///
    /// # Errors
    /// What the compiler says.
    pub fn build_original(&self, folder: &Path) -> Result<Built> {
        let executable = folder.join(format!("{}-original", self.stem()));
        let compiler = self.compiler(folder).arg(&self.source).arg("-o").arg(&executable).arg("-lm").run()?;
        Ok(Built { folder: folder.to_owned(), executable, commands: vec![in_folder(&compiler, folder)] })
    }

    /// Rewrites it and compiles the result.
    ///
    /// # Errors
    /// What the tool or the compiler says.
    pub fn build_rewritten(&self, folder: &Path) -> Result<Built> {
        let stem = self.stem();
        let executable = folder.join(&stem);
        let rewriting = self.tool(folder).args(["-d", "."]).arg(&self.source).run()?;
        let files = [format!("{stem}.ocl.c"), format!("{stem}.stencil.c")];
        let compiler = self.compiler(folder).args(files).arg("-o").arg(&executable).args(["-lOpenCL", "-lm"]).run()?;
        let commands = [rewriting, compiler].iter().map(|outcome| in_folder(outcome, folder)).collect();
        Ok(Built { folder: folder.to_owned(), executable, commands })
    }

    /// The plan of that name for its nest, as the tool tells it.
    ///
    /// # Errors
    /// The tool does not tell it.
    pub fn plan(&self, name: &str) -> Result<Value> {
        let told = self.tool(Path::new(".")).args(["--dump", "plan"]).arg(&self.source).run()?;
        let text = String::from_utf8(told.stdout)?;
        let plans: Vec<Value> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
        plans.into_iter().find(|plan| plan["plan"] == name).with_context(|| format!("no plan `{name}` in\n{text}"))
    }

    fn tool(&self, folder: &Path) -> Step {
        Step::new(self.tool, folder).args(["--fp", self.fp.name()]).args(&self.plan).args(&self.flags)
    }

    /// `-ffp-contract=off` is what strict results are identical to; kernels do not see it.
    fn compiler(&self, folder: &Path) -> Step {
        let include = format!("-I{}", self.source.parent().unwrap_or(Path::new(".")).display());
        let optimisation = if self.is_optimised { "-O2" } else { "-O0" };
        let words = [optimisation, "-w", "-ffp-contract=off", &include];
        Step::compiler(folder).args(words).args(&self.flags)
    }
}

impl Built {
    /// The command that runs it.
    pub fn step(&self, arguments: &[u32]) -> Step {
        Step::new(&self.executable, &self.folder).args(arguments.iter().map(u32::to_string))
    }

    /// Runs such a command; `commands` keeps it.
    ///
    /// # Errors
    /// The program fails.
    pub fn run(&mut self, step: Step) -> Result<Outcome> {
        let outcome = step.run()?;
        let line = in_folder(&outcome, &self.folder);
        if !self.commands.contains(&line) {
            self.commands.push(line);
        }
        Ok(outcome)
    }
}

/// The command line with paths relative to the folder.
fn in_folder(outcome: &Outcome, folder: &Path) -> String {
    outcome.line.replace(&format!("{}/", folder.display()), "./")
}
