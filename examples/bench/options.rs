//! What was typed.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Parser;

use super::program::{Element, FpMode};
use super::suite::{STENCILS, Stencil};

/// Rewrites, builds, checks and times the stencils of the examples on an OpenCL device.
///
/// The compiler is $CC, `cc` if unset; $BENCH_TOOL names another stencil-rewrite than the one built with the bench.
#[derive(Debug, Parser)]
#[command(name = "stencils")]
pub struct Options {
    /// Only stencils with these names; `poisson` is one, `poisson-9pt` another
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Only this element type
    #[arg(long = "type", value_name = "TYPE")]
    pub element: Option<Element>,
    /// Floating-point mode of the timed programs; the checked ones are strict
    #[arg(long, value_name = "MODE", default_value = "contract")]
    pub fp: FpMode,
    /// `cpu`, `gpu`, an index as `stencil-rewrite devices` counts, or part of a name; default: a GPU if there is one
    #[arg(long)]
    pub device: Option<String>,
    /// Runs of each program, of which the fastest counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
    /// Tiny grids, to see whether all works: the figures mean nothing
    #[arg(long)]
    pub quick: bool,
    /// A flag of the tool for all programs instead of the model's plan, as in --plan=--time-tile=4
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    pub plan: Vec<String>,
    /// Where a tuning file has the plan, also time the one that the tool chooses by itself
    #[arg(long, conflicts_with = "plan")]
    pub own: bool,
    /// Also time streams with every tile taken for one that reaches no boundary: what do boundaries cost?
    #[arg(long)]
    pub boundaries: bool,
    /// Write all results with the commands that repeat them
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write a page with the table
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    /// Write plots; for these each stencil is also timed without time tiles
    #[arg(long, value_name = "FOLDER")]
    pub plots: Option<PathBuf>,
    /// The stencil that is plotted over time tile and points per work-item
    #[arg(long, value_name = "NAME")]
    pub explore: Option<String>,
    /// Time tiles of that plot
    #[arg(long, value_name = "T", value_delimiter = ',', default_values_t = [1, 2, 4, 6, 8, 10, 12])]
    pub depths: Vec<u32>,
    /// Points per work-item of that plot; default: 1, 2, 4 on a GPU, 64, 128, 256 on a CPU
    #[arg(long, value_name = "E", value_delimiter = ',')]
    pub items: Vec<u32>,
    /// Measure nothing; take the lines of files that --json wrote
    #[arg(long, value_name = "FILE", conflicts_with_all = ["only", "plan", "quick", "own", "boundaries"])]
    pub read: Vec<PathBuf>,
    /// The folder of the examples, instead of $BENCH_EXAMPLES
    #[arg(long, value_name = "FOLDER")]
    pub examples: Option<PathBuf>,
    /// What cargo gives to benches.
    #[arg(long, hide = true)]
    bench: bool,
}

impl Options {
    /// The tool: `BENCH_TOOL`, or the one that cargo built.
    ///
    /// # Errors
    /// When there is none.
    pub fn tool(&self) -> Result<PathBuf> {
        existing("BENCH_TOOL", None, option_env!("CARGO_BIN_EXE_stencil-rewrite"))
    }

    /// The folder of the examples: the flag, `BENCH_EXAMPLES`, or that of the checkout.
    ///
    /// # Errors
    /// When there is none.
    pub fn examples(&self) -> Result<PathBuf> {
        existing("BENCH_EXAMPLES", self.examples.clone(), Some(concat!(env!("CARGO_MANIFEST_DIR"), "/examples")))
    }

    /// The stencils that are asked for.
    ///
    /// # Errors
    /// A name that no stencil has.
    pub fn stencils(&self) -> Result<Vec<&'static Stencil>> {
        for name in self.only.iter().chain(&self.explore) {
            let names: Vec<&str> = STENCILS.iter().map(|stencil| stencil.name).collect();
            ensure!(names.contains(&name.as_str()), "no stencil `{name}`; there are {}", names.join(", "));
        }
        let is_asked = |stencil: &&Stencil| self.only.is_empty() || self.only.iter().any(|name| name == stencil.name);
        Ok(STENCILS.iter().filter(is_asked).collect())
    }

    /// The element types to time a stencil with.
    pub fn elements(&self, stencil: &Stencil, has_double: bool) -> Vec<Element> {
        let is_possible = |element: &Element| match element {
            Element::Double => has_double && !stencil.is_single_only,
            Element::Single => true,
        };
        let all = [Element::Double, Element::Single].into_iter().filter(is_possible);
        all.filter(|element| self.element.is_none_or(|asked| asked == *element)).collect()
    }
}

/// The first of a value, an environment variable and a default that is given, as an absolute path.
fn existing(variable: &str, given: Option<PathBuf>, default: Option<&str>) -> Result<PathBuf> {
    let path = given.or_else(|| std::env::var_os(variable).map(PathBuf::from)).or(default.map(PathBuf::from));
    let path = path.with_context(|| format!("{variable} is not set"))?;
    Path::new(&path).canonicalize().with_context(|| format!("{} ({variable} can name another)", path.display()))
}
