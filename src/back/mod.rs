//! From recurrences and plans to text: OpenCL C, the host driver, its header.

mod banner;
mod c;
mod driver;
mod expr;
mod hash;
mod host;
mod kernels;
mod left;
mod measure;
mod opencl;
mod plan;
mod quick;
mod ranges;
mod quote;
mod repeats;
mod runtime;
mod signature;
mod stage;
mod summary;
mod tables;
mod updates;
mod wrap;
mod writer;

use isl_bindings::{Context, ErrorKind};

pub use banner::Banner;
pub use hash::Fnv;
pub use measure::{ExpectedPlan, MeasuredNest, write_measured};
pub use quote::{plain_name, quote};
pub use stage::write_stage;
pub use wrap::wrap;
pub use writer::WIDTH as LINE_WIDTH;

use crate::ir::Nest;
use crate::options::{DeviceKindName, Options};
use crate::poly::{self, Failure, Memory, Names, Reads, Recurrences, check_divisors, check_extents};
use crate::source::Diagnostic;
use crate::{model, valid};
use plan::RegionPlan;
use quote::quote_line;
use writer::{WIDTH, Writer};

/// Operations that isl may spend on one nest, and so many more for each access. They are counted, not timed, so that the same
/// nests are refused on every machine. The nests of the examples and tests take a fifth of them at most.
const OPERATION_LIMIT: u64 = 5_000_000;
const OPERATIONS_AN_ACCESS: u64 = 25_000;

/// The text of one rewritten nest.
#[derive(Clone, Debug, Default)]
pub struct Region {
    /// The call that replaces the nest, e.g. `heat_stencil_1(n, u, &t)`.
    pub call: String,
    /// Declaration of the host function, without semicolon.
    pub prototype: String,
    /// What users' files have inline before it; empty where small calls are no different.
    pub inline: String,
    /// The host function and its tables, in C99.
    pub driver: String,
    /// The kernels, in OpenCL C 1.2.
    pub kernels: String,
    /// What the user should know.
    pub notes: Vec<Diagnostic>,
}

/// Translates a nest; `number` counts the nests of a file from 1 and `location` is its place, e.g. `heat.c:12`.
///
/// # Errors
/// Every rule that the nest breaks.
pub fn write_region(nest: &Nest, number: usize, location: &str, options: &Options) -> Result<Region, Vec<Diagnostic>> {
    with_plan(nest, number, location, options, |plan| {
        let mut driver = Writer::default();
        driver::write_region(&mut driver, plan)?;
        let mut inline = Writer::default();
        if !options.no_fallback {
            quick::write_inline(&mut inline, nest, plan.names());
        }
        Ok(Region {
            call: signature::call(nest, plan.names()),
            prototype: signature::prototype(nest, plan.names()),
            inline: inline.finish(),
            driver: driver.finish(),
            kernels: kernels::write_kernels(plan, kernels::MacroUse::Short),
            notes: [valid::note_inexact_functions(nest, plan.fp), plan.notes.clone()].concat(),
        })
    })
}

/// Analyses a nest, chooses its plans, and hands them to `use_plan`.
fn with_plan<T>(
    nest: &Nest,
    number: usize,
    location: &str,
    options: &Options,
    use_plan: impl Fn(&RegionPlan<'_>) -> poly::Result<T>,
) -> Result<T, Vec<Diagnostic>> {
    let names = Names::new(nest);
    let analyse = |context: &Context, reads: Reads| {
        let memory = Memory::new(context, nest, &names, reads)?;
        with_plan_of(&memory, number, location, options, &use_plan)
    };
    // Together reads are analysed faster, and apart what is wrong with one of them shows.
    let together = within_limit(nest, |context| analyse(context, Reads::Grouped));
    if together.is_ok() || !poly::has_read_groups(nest, &names) {
        return together;
    }
    within_limit(nest, |context| analyse(context, Reads::Apart))
}

fn with_plan_of<T>(
    memory: &Memory<'_>,
    number: usize,
    location: &str,
    options: &Options,
    use_plan: impl Fn(&RegionPlan<'_>) -> poly::Result<T>,
) -> poly::Result<T> {
    let nest = memory.nest;
    check_divisors(memory)?;
    check_extents(memory)?;
    let recurrences = Recurrences::new(memory, |sweeps| valid::check_order(nest, sweeps))?
        .map_err(|array| valid::storage_not_found(nest, array))?;
    let tuning = options.tuning_for(&nest.clauses);
    let tuned = options.tuned_for(nest);
    let reaches = model::compute_reaches(nest, &recurrences)?;
    let mut plans = model::choose(nest, &recurrences, reaches.as_ref(), &tuning, &tuned, &options.measured)?;
    let ungranted = model::note_ungranted(nest, &recurrences, reaches.as_ref(), &tuning, &tuned, &plans);
    let is_wanted = |is_gpu| options.kernels_for.is_none_or(|kind| (kind == DeviceKindName::Gpu) == is_gpu);
    plans.retain(|plan| is_wanted(plan.profile.is_gpu));
    let mut plan = RegionPlan::new(memory, &recurrences, &plans, location.to_string(), number)?;
    plan.fp = options.fp_for(&nest.clauses);
    plan.no_fallback = options.no_fallback;
    plan.kernels_for = options.kernels_for;
    plan.notes = ungranted;
    use_plan(&plan)
}

/// The result of an analysis, which may take a number of operations that the nest's accesses give.
fn within_limit<T>(nest: &Nest, analyse: impl Fn(&Context) -> poly::Result<T>) -> Result<T, Vec<Diagnostic>> {
    let limit = OPERATION_LIMIT + OPERATIONS_AN_ACCESS * nest.accesses.len() as u64;
    let context = Context::new().map_err(|error| vec![isl_failed(nest, &error, limit)])?;
    let mut rejected = None;
    let outcome = context.with_operation_limit(limit, || match analyse(&context) {
        Ok(value) => Ok(Some(value)),
        Err(Failure::Isl(error)) => Err(error),
        Err(Failure::Rejected(diagnostics)) => {
            rejected = Some(diagnostics);
            Ok(None)
        }
    });
    match (outcome, rejected) {
        (_, Some(diagnostics)) => Err(diagnostics),
        (Ok(value), None) => Ok(value.expect("a nest is either translated or rejected")),
        (Err(error), None) => Err(vec![isl_failed(nest, &error, limit)]),
    }
}

fn isl_failed(nest: &Nest, error: &isl_bindings::Error, limit: u64) -> Diagnostic {
    if error.kind == ErrorKind::OperationLimit {
        return Diagnostic::error("too-complex", "this nest is too complex to analyse", nest.span)
            .because(format!("its dependences need more than {limit} operations on integer sets"))
            .with_help("let the branches of an `if` set scalars, and store each element once, behind the `if`")
            .with_help("or split the nest into several marked ones, each with fewer assignments");
    }
    Diagnostic::error("analysis-failed", format!("the analysis of this nest failed: {error}"), nest.span)
        .with_help("please report this nest; it can be left as it is with --keep-unsupported")
}

/// The kernel file: all regions' kernels, for people to read; the driver embeds it.
pub fn write_kernels(banner: &Banner, stem: &str, regions: &[Region]) -> String {
    let mut writer = Writer::default();
    banner.write(&mut writer, &format!("Kernels, which {stem}.stencil.c embeds."));
    let mut text = writer.finish();
    regions.iter().for_each(|region| text += &region.kernels);
    text
}

/// The header that the rewritten file includes.
pub fn write_header(banner: &Banner, stem: &str, regions: &[Region]) -> String {
    let guard = identifier(&format!("{}_STENCIL_H", stem.to_uppercase()));
    let guard = if guard.starts_with(|c: char| c.is_ascii_digit()) { format!("STENCIL_{guard}") } else { guard };
    let mut writer = Writer::default();
    banner.write(
        &mut writer,
        "Host functions. Each gives 1 if the nest's work is done. 0 means that nothing has changed: the original loops must \
         run, and then the function be called again.",
    );
    writer.once(&guard, |writer| {
        regions.iter().for_each(|region| writer.line(format_args!("{};", region.prototype)));
        if regions.iter().any(|region| !region.inline.is_empty()) {
            writer.line("");
            quick::write_inlines(writer, |writer| regions.iter().for_each(|region| writer.lines(&region.inline)));
        }
    });
    writer.finish()
}

/// The driver: the runtime or its interface, the kernels as strings, and one host function a nest.
pub fn write_driver(banner: &Banner, stem: &str, regions: &[Region], has_runtime_apart: bool) -> String {
    let mut writer = Writer::default();
    banner.write(&mut writer, "Host driver: C99, OpenCL 1.2 and libc only.");
    writer.lines(&if has_runtime_apart { runtime::interface() } else { runtime::text() });
    writer.line(format_args!("#include \"{stem}.stencil.h\""));
    writer.lines(&write_regions(&write_kernels(banner, stem, regions), regions));
    writer.finish()
}

/// The runtime for all drivers of a program that have only its interface.
pub fn write_runtime() -> String {
    let mut writer = Writer::default();
    Banner::of_runtime().write(&mut writer, "Runtime of host drivers: C99, OpenCL 1.2 and libc only.");
    writer.lines(&runtime::apart());
    writer.finish()
}

/// The part of a driver behind the runtime and the declarations of its functions, with the text of its kernels.
fn write_regions(kernels: &str, regions: &[Region]) -> String {
    let mut writer = Writer::default();
    writer.line("#include <math.h>");
    writer.line("");
    writer.line("#define floord(n, d) (((n) < 0) ? -((-(n) + (d) - 1) / (d)) : (n) / (d))");
    writer.line("");
    writer.block_with_end("static const char *const stencil_source[] =", "};", |writer| {
        kernels.lines().for_each(|line| write_quoted(writer, line));
    });
    writer.line("");
    regions.iter().for_each(|region| writer.lines(&region.driver));
    writer.finish()
}

/// A line of a table of strings. Parentheses tell compilers that several constants are meant to be one.
fn write_quoted(writer: &mut Writer, line: &str) {
    match quote_line(line, WIDTH - 7).as_slice() {
        [whole] => writer.line(format_args!("{whole},")),
        constants => {
            let (last, first) = constants.split_last().expect("a line has a constant");
            writer.line("(");
            first.iter().for_each(|constant| writer.line(constant));
            writer.line(last);
            writer.line("),");
        }
    }
}

/// Letters, digits and underscores of a user's name.
fn identifier(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}
