//! A C program of the examples: as it is, and rewritten.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
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

/// An executable with the commands that made it, which one can repeat in a folder that holds nothing but `examples`.
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
        let compiling = self.compiler(folder).arg(&self.source).arg("-o").arg(&executable).arg("-lm").run()?;
        Ok(self.built(folder, executable, &[compiling]))
    }

    /// Rewrites it and compiles the result.
    ///
    /// # Errors
    /// What the tool or the compiler says.
    pub fn build_rewritten(&self, folder: &Path) -> Result<Built> {
        let rewriting = self.tool(folder).args(["-d", "."]).arg(&self.source).run()?;
        let (executable, compiling) = self.compile_rewritten(folder)?;
        Ok(self.built(folder, executable, &[rewriting, compiling]))
    }

    /// What commands made in a folder, which name sources as seen from the folder that holds `examples`.
    fn built(&self, folder: &Path, executable: PathBuf, commands: &[Outcome]) -> Built {
        let sources = self.source.ancestors().nth(3).unwrap_or(Path::new("")).display().to_string();
        let told = |outcome| in_folder(outcome, folder).replace(&format!("{sources}/"), "");
        Built { folder: folder.to_owned(), executable, commands: commands.iter().map(told).collect() }
    }

    fn compile_rewritten(&self, folder: &Path) -> Result<(PathBuf, Outcome)> {
        let stem = self.stem();
        let executable = folder.join(&stem);
        let files = [format!("{stem}.ocl.c"), format!("{stem}.stencil.c")];
        let compiler = self.compiler(folder).args(files).arg("-o").arg(&executable).args(["-lOpenCL", "-lm"]);
        Ok((executable, compiler.run()?))
    }

    /// Compiles again what `build_rewritten` made, every tile now taken for a full one. Kernels keep their text for partial
    /// tiles, since it is an argument that rules these out, but never run it, and the results are wrong.
    ///
    /// # Errors
    /// The kernels do not tell full from partial tiles, or what the compiler says.
    pub fn build_unbounded(&self, built: &Built) -> Result<Built> {
        let stem = self.stem();
        let driver = format!("{stem}.stencil.c");
        let text = fs::read_to_string(built.folder.join(&driver))?;
        ensure!(text.contains("const bool inside"), "the kernels have no partial tiles");
        let editing = Step::new("sed", &built.folder).args(["-i", "-E", EVERY_TILE_INSIDE, &driver]).run()?;
        let (executable, compiling) = self.compile_rewritten(&built.folder)?;
        Ok(self.built(&built.folder, executable, &[editing, compiling]))
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

/// Says of every tile that it reaches the end of no dimension, by conditions that are always so, which compilers cannot know.
const EVERY_TILE_INSIDE: &str = r"s/(const bool inside([0-9]) =) .*;/\1 tile_lo\2 > -1000000000;/";

/// The command line with paths relative to the folder.
fn in_folder(outcome: &Outcome, folder: &Path) -> String {
    outcome.line.replace(&format!("{}/", folder.display()), "./")
}
