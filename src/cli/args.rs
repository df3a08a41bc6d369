//! What was typed.

use anstream::ColorChoice;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

use crate::options::{DeviceKindName, FpMode, StrategyName};
use crate::report::{Dump, Format};
use crate::settings::Setting;
use crate::tune::search::Method;

/// Rewrites the loop nests marked with `#pragma stencil` into time-tiled OpenCL kernels.
///
/// For FILE.c it writes FILE.ocl.c, the same program with each marked nest behind a call, and FILE.stencil.c, .h and
/// .cl: the host driver, its header and the kernels. Compile FILE.ocl.c with FILE.stencil.c and link with -lOpenCL.
#[derive(Debug, Parser)]
#[command(name = "stencil-rewrite", version, args_conflicts_with_subcommands = true, override_usage = USAGE, after_help = AFTER_HELP)]
pub struct Arguments {
    /// Another form of the command.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Explain a diagnostic, such as gauss-seidel, with examples
    #[arg(long, value_name = "CODE")]
    pub explain: Option<String>,
    /// Print the man page or completions for a shell
    #[arg(long, value_name = "KIND", conflicts_with = "explain")]
    pub generate: Option<GenerateArgument>,
    /// Whether messages have colours; auto: on a terminal, if NO_COLOR, CLICOLOR_FORCE and TERM agree
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    pub color: ColorArgument,
    /// The main form.
    #[command(flatten)]
    pub rewrite: RewriteArguments,
}

const USAGE: &str = "\
stencil-rewrite [OPTIONS] <FILE.c>...
       stencil-rewrite <COMMAND>
       stencil-rewrite --explain <CODE> | --generate <KIND>";

const AFTER_HELP: &str = "\
Compiler flags: -I -D -U -include -imacros -isystem -iquote -idirafter -isysroot -std= -ansi -nostdinc -undef, joined or
separate, and -O -f -m -pthread reach the preprocessor; -g -W -w -pedantic -pipe are taken and mean nothing here. The
preprocessor is $CC, `cc` if unset; $CC is split at white space. How numbers are computed follows from --fp alone.

Dependencies for make: -MD or -MMD (without system headers), -MP, -MF FILE, -MT TARGET.

Exit codes: 0 done; 1 input refused, file error or no device, nothing written; 2 usage.";

/// Other forms of the command.
// The help shows the words as they are written here.
#[allow(rustdoc::invalid_html_tags)]
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compiles like COMPILER, with marked nests rewritten on the way: make CC='stencil-rewrite cc gcc'
    Cc(WrapperArguments),
    /// Searches the best plans for the nests of FILE.c on a device of this machine and keeps them in FILE.stencil.toml
    Tune(TuneArguments),
    /// Lists the OpenCL devices that rewritten programs can run on, as STENCIL_DEVICE=<index> counts them
    Devices(DevicesArguments),
}

impl Arguments {
    /// The form of all messages.
    pub fn message_format(&self) -> Format {
        match &self.command {
            Some(Command::Devices(listing)) => listing.message_format.into(),
            Some(_) => Format::Human,
            None => self.rewrite.message_format.into(),
        }
    }
}

/// The device listing's arguments.
#[derive(Debug, Args)]
pub struct DevicesArguments {
    /// Measure what each device can do at most
    #[arg(long)]
    pub measure: bool,
    /// Keep what is measured in this tuning file, for plans of these devices' own
    #[arg(long, value_name = "FILE", requires = "measure")]
    pub tuning: Option<PathBuf>,
    /// Form of the listing: text, or a JSON object a line
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub message_format: FormatArgument,
}

/// The search's arguments.
#[derive(Debug, Args)]
pub struct TuneArguments {
    /// The C file
    #[arg(value_name = "FILE.c")]
    pub file: PathBuf,
    /// Value of a variable that the nests use; once for each of their integer variables
    #[arg(long, value_name = "NAME=VALUE", value_delimiter = ',', value_parser = parse_size)]
    pub size: Vec<(String, String)>,
    /// Only the nest of that name
    #[arg(long, value_name = "NAME")]
    pub nest: Option<String>,
    /// Method of search
    #[arg(long, value_name = "METHOD", default_value = "greedy")]
    pub search: MethodArgument,
    /// Plans to run for each nest, or how long to search: 50, 300s
    #[arg(long, value_name = "COUNT|SECONDS", default_value = "50", value_parser = parse_budget)]
    pub budget: Budget,
    /// Seed of random choices
    #[arg(long, value_name = "N", default_value = "0")]
    pub seed: u64,
    /// Forget what an earlier search has measured
    #[arg(long)]
    pub restart: bool,
    /// Device, as STENCIL_DEVICE names it
    #[arg(long, value_name = "DEVICE")]
    pub device: Option<OsString>,
    /// Floating-point mode
    #[arg(long = Setting::Fp.flag(), value_name = "MODE", value_parser = one_of(FpMode::ALL, FpMode::name))]
    pub fp: Option<FpMode>,
    /// Another file of the program, whose functions nests may call
    #[arg(long, value_name = "FILE.c")]
    pub with: Vec<PathBuf>,
    /// Tuning file, instead of FILE.stencil.toml beside FILE.c
    #[arg(long, value_name = "FILE")]
    pub tuning: Option<PathBuf>,
    /// Compiler to preprocess and build with, instead of $CC
    #[arg(long, value_name = "COMMAND")]
    pub cc: Option<OsString>,
    /// Hand one more flag to the preprocessor
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    pub cflag: Vec<OsString>,
}

/// How long to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Budget {
    /// Plans to run.
    Count(u64),
    /// Seconds.
    Seconds(u64),
}

/// Takes one of `all` by its name.
fn one_of<T: Copy + Send + Sync + 'static, const N: usize>(
    all: [T; N],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let find = move |word: String| all.into_iter().find(|choice| name(*choice) == word).expect("a possible value");
    PossibleValuesParser::new(all.map(name)).map(find)
}

fn parse_size(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("NAME=VALUE is expected")?;
    let is_number = value.parse::<i64>().is_ok() || value.parse::<f64>().is_ok_and(f64::is_finite);
    if is_number { Ok((name.to_owned(), value.to_owned())) } else { Err(format!("`{value}` is no number")) }
}

fn parse_budget(text: &str) -> Result<Budget, String> {
    let number = |text: &str| text.parse().ok().filter(|number| *number > 0);
    let budget = match text.strip_suffix('s') {
        Some(seconds) => number(seconds).map(Budget::Seconds),
        None => number(text).map(Budget::Count),
    };
    budget.ok_or_else(|| "a number of plans, or of seconds as in 300s, is expected".to_owned())
}

/// The compiler wrapper's arguments.
#[derive(Debug, Args)]
pub struct WrapperArguments {
    /// Print warnings and errors, but no notes
    #[arg(short, long)]
    pub quiet: bool,
    /// Compile nests that cannot be rewritten as they are (also STENCIL_KEEP_UNSUPPORTED=1)
    #[arg(long)]
    pub keep_unsupported: bool,
    /// Another file of the program, whose functions nests may call
    #[arg(long, value_name = "FILE.c")]
    pub with: Vec<PathBuf>,
    /// Floating-point mode, instead of the one that follows from the compiler's flags
    #[arg(long = Setting::Fp.flag(), value_name = "MODE", value_parser = one_of(FpMode::ALL, FpMode::name))]
    pub fp: Option<FpMode>,
    /// Kernels for this kind of device only; on others the original loops run
    #[arg(long, value_name = "KIND")]
    pub kernels_for: Option<KindArgument>,
    /// The compiler and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMPILER ARGS")]
    pub compiler: Vec<OsString>,
}

/// The main form's arguments.
#[derive(Debug, Args)]
pub struct RewriteArguments {
    /// C files to rewrite; - is standard input
    #[arg(required_unless_present_any = ["explain", "generate"], value_name = "FILE.c")]
    pub files: Vec<PathBuf>,
    /// Name of the rewritten file; the others follow its stem
    #[arg(short, long, value_name = "FILE", conflicts_with = "directory", allow_hyphen_values = true)]
    pub output: Option<PathBuf>,
    /// Write into DIR instead of beside the input
    #[arg(short, long, value_name = "DIR", allow_hyphen_values = true)]
    pub directory: Option<PathBuf>,
    /// Print a unified diff for `patch` or `git apply`; write nothing
    #[arg(long, conflicts_with = "dump")]
    pub diff: bool,
    /// Print one stage of the translation of each nest; write nothing
    #[arg(long, value_name = "STAGE")]
    pub dump: Option<DumpArgument>,
    /// Never run the original nests: without a usable device the program stops
    #[arg(long)]
    pub no_fallback: bool,
    /// Leave nests that cannot be rewritten as they are, with a warning
    #[arg(long)]
    pub keep_unsupported: bool,
    /// strict: bit-identical; contract: a*b+c may be fused; fast: as -ffast-math
    #[arg(long = Setting::Fp.flag(), value_name = "MODE", value_parser = one_of(FpMode::ALL, FpMode::name))]
    pub fp: Option<FpMode>,
    /// Form of diagnostics
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub message_format: FormatArgument,
    /// Print warnings and errors, but no notes
    #[arg(short, long)]
    pub quiet: bool,
    /// Kernel strategy, instead of the pragma's
    #[arg(long = Setting::Strategy.flag(), value_name = "NAME", value_parser = one_of(StrategyName::ALL, StrategyName::name))]
    pub strategy: Option<StrategyName>,
    /// Time steps per kernel launch, instead of the pragma's
    #[arg(long = Setting::TimeTile.flag(), value_name = "T", value_parser = clap::value_parser!(u32).range(1..))]
    pub time_tile: Option<u32>,
    /// Cells of a tile, fastest dimension first
    #[arg(long = Setting::Tile.flag(), value_name = "X,Y,Z", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..))]
    pub tile: Vec<u32>,
    /// Work-items of a work-group, fastest dimension first
    #[arg(long = Setting::WorkGroup.flag(), value_name = "X,Y,Z", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..))]
    pub work_group: Vec<u32>,
    /// Points per work-item along the fastest dimension
    #[arg(long = Setting::PerItem.flag(), value_name = "E", value_parser = clap::value_parser!(u32).range(1..))]
    pub per_item: Option<u32>,
    /// Kernels for this kind of device only; on others the original loops run
    #[arg(long, value_name = "KIND")]
    pub kernels_for: Option<KindArgument>,
    /// Write what all drivers of a program share into FILE, which is compiled once
    #[arg(long, value_name = "FILE.c", allow_hyphen_values = true)]
    pub runtime: Option<PathBuf>,
    /// Another file of the program, whose functions nests may call; files that are given together see each other
    #[arg(long, value_name = "FILE.c")]
    pub with: Vec<PathBuf>,
    /// Tuning file, instead of FILE.stencil.toml beside FILE.c
    #[arg(long, value_name = "FILE", conflicts_with = "no_tuning")]
    pub tuning: Option<PathBuf>,
    /// Use no tuning file
    #[arg(long)]
    pub no_tuning: bool,
    /// Compiler to preprocess with, instead of $CC
    #[arg(long, value_name = "COMMAND")]
    pub cc: Option<OsString>,
    /// Hand one more flag to the preprocessor
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    pub cflag: Vec<OsString>,
    #[arg(long, hide = true)]
    pub take_steps: bool,
    #[arg(long, hide = true, conflicts_with = "user_dependencies")]
    pub dependencies: bool,
    #[arg(long, hide = true)]
    pub user_dependencies: bool,
    #[arg(long, hide = true)]
    pub phony_targets: bool,
    #[arg(long, hide = true, allow_hyphen_values = true)]
    pub dependency_file: Option<PathBuf>,
    #[arg(long, hide = true, allow_hyphen_values = true)]
    pub dependency_target: Vec<OsString>,
}

/// `--generate`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)]
pub enum GenerateArgument {
    Man,
    CompleteBash,
    CompleteZsh,
    CompleteFish,
}

/// Gives an argument its names on the command line and its meaning.
macro_rules! named_values {
    ($(#[$doc:meta])* $argument:ident => $meaning:ty { $($variant:ident => $value:expr),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
        pub enum $argument {
            $(#[allow(missing_docs)] $variant),*
        }

        impl From<$argument> for $meaning {
            fn from(argument: $argument) -> Self {
                match argument {
                    $($argument::$variant => $value),*
                }
            }
        }
    };
}

named_values! {
    /// `--kernels-for`
    KindArgument => DeviceKindName { Gpu => DeviceKindName::Gpu, Cpu => DeviceKindName::Cpu }
}
named_values! {
    /// `--search`
    MethodArgument => Method {
        Exhaustive => Method::Exhaustive,
        Greedy => Method::Greedy,
        Random => Method::Random,
        Genetic => Method::Genetic
    }
}
named_values! {
    /// `--message-format`
    FormatArgument => Format { Human => Format::Human, Json => Format::Json }
}
named_values! {
    /// `--color`
    ColorArgument => ColorChoice { Auto => ColorChoice::Auto, Always => ColorChoice::Always, Never => ColorChoice::Never }
}
named_values! {
    /// `--dump`
    DumpArgument => Dump {
        Nest => Dump::Nest,
        Flow => Dump::Flow,
        Tiles => Dump::Tiles,
        Plan => Dump::Plan,
        Kernel => Dump::Kernel,
        Steps => Dump::Steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn settings_are_flags_if_their_table_says_so() {
        let command = Arguments::command();
        for setting in Setting::all() {
            let name = setting.clause().replace('_', "-");
            let is_flag = command.get_arguments().any(|argument| argument.get_long() == Some(name.as_str()));
            assert_eq!(if is_flag { name.as_str() } else { "" }, setting.flag());
        }
    }

    #[test]
    fn a_wrapped_compiler_keeps_all_its_arguments() {
        let line =
            ["s", "cc", "--keep-unsupported", "gcc", "-c", "--help", "-o", "x.o", "--", "--fp=fast", "--fp", "x"];
        let arguments = Arguments::try_parse_from(line).expect("a valid command line");
        let Some(Command::Cc(wrapper)) = arguments.command else { panic!("no wrapper in {arguments:?}") };
        assert!(wrapper.keep_unsupported);
        assert_eq!(wrapper.compiler, line[3..].iter().map(OsString::from).collect::<Vec<_>>());
    }

    #[test]
    fn budgets_are_counts_or_seconds() {
        assert_eq!((parse_budget("50"), parse_budget("300s")), (Ok(Budget::Count(50)), Ok(Budget::Seconds(300))));
        assert!(["0", "0s", "s", "many"].iter().all(|text| parse_budget(text).is_err()));
        assert_eq!(parse_size("n=80"), Ok(("n".to_owned(), "80".to_owned())));
        assert!(["n", "n=", "n=m", "n=inf"].iter().all(|text| parse_size(text).is_err()));
    }

    #[test]
    fn tuning_values_are_positive_lists() {
        let parse = |flag: &str| Arguments::try_parse_from(["s", flag, "x.c"]).map(|arguments| arguments.rewrite.tile);
        assert_eq!(parse("--tile=32,8").expect("two sizes"), [32, 8]);
        assert!(parse("--tile=32,0").is_err());
    }
}
