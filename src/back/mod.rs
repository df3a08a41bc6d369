//! From recurrences and plans to text: OpenCL C, the host driver, its header.

mod arguments;
mod banner;
mod c;
mod call;
mod driver;
mod expr;
mod folds;
mod host;
mod index_arrays;
mod initializer;
mod kernels;
mod lacking;
mod left;
mod measure;
mod nest;
mod opencl;
mod quick;
mod recorded;
mod ranges;
mod repeats;
mod rules;
mod rows;
mod runtime;
mod signature;
mod steps;
mod tables;
mod team;
mod touched;
mod updates;

pub use banner::Banner;
pub use kernels::{MacroUse, write_kernels as write_nest_kernels};
pub use measure::write_measuring;
pub use nest::{ChainPlace, NestPlace, NestToWrite};
pub use steps::{can_take_steps, write_steps};

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Lent, Team};
use crate::text::{WIDTH, Writer, plain_name, quote_line};

/// The text of one rewritten nest.
#[derive(Clone, Debug, Default)]
pub struct NestText {
    /// The call that replaces the nest, e.g. `heat_stencil_1(n, u, &t)`, or those that replace the legs of its step.
    pub calls: Vec<String>,
    /// Declaration of the host function, without semicolon.
    pub prototype: String,
    /// Declarations of what brings the arrays of a loop back that the host keeps.
    pub beside: Vec<String>,
    /// Declarations of variables of other files that the calls name, by their names.
    pub variables: BTreeMap<String, String>,
    /// Variables that other files lend to the calls.
    pub lent: BTreeSet<Lent>,
    /// Where it stands, if it must not be compiled for OpenMP.
    pub without_openmp: Option<String>,
    /// What users' files have inline before it; empty where small calls are no different.
    pub inline: String,
    /// The host function and its tables, in C99.
    pub driver: String,
    /// The kernels, in OpenCL C 1.2.
    pub kernels: String,
}

/// Why the host could not take recorded steps in the device's place; `None` if it can, or never must.
pub fn why_no_replay(plan: &NestToWrite<'_>) -> Option<&'static str> {
    Some(plan).filter(|plan| plan.is_recorded()).and_then(|plan| steps::can_take_steps(plan.program, plan.names()))
}

/// Writes a nest.
pub fn write_nest(plan: &NestToWrite<'_>) -> NestText {
    let mut driver = Writer::default();
    driver::write_nest(&mut driver, plan);
    let mut inline = Writer::default();
    let is_recorded = plan.is_recorded();
    if !plan.no_fallback && !is_recorded && plan.nest().team != Team::Shares {
        quick::write_inline(&mut inline, plan);
    }
    NestText {
        calls: signature::calls(plan),
        prototype: signature::prototype(plan),
        beside: recorded::prototypes(plan),
        variables: plan.nest().declarations.clone(),
        lent: plan.nest().lent.clone(),
        without_openmp: (plan.nest().team == Team::Unheeded).then(|| plan.place.location.clone()),
        inline: inline.finish(),
        driver: driver.finish(),
        kernels: kernels::write_kernels(plan, MacroUse::Short),
    }
}

/// The kernel file: all nests' kernels, for people to read; the driver embeds it.
pub fn write_kernels(banner: &Banner, stem: &str, nests: &[NestText]) -> String {
    let mut writer = Writer::default();
    banner.write(&mut writer, &format!("Kernels, which {stem}.stencil.c embeds."));
    let mut text = writer.finish();
    nests.iter().for_each(|nest| text += &nest.kernels);
    text
}

/// The header that the rewritten file includes.
pub fn write_header(banner: &Banner, stem: &str, nests: &[NestText]) -> String {
    let guard = identifier(&format!("{}_STENCIL_H", stem.to_uppercase()));
    let guard = if guard.starts_with(|c: char| c.is_ascii_digit()) { format!("STENCIL_{guard}") } else { guard };
    let mut writer = Writer::default();
    banner.write(
        &mut writer,
        "Host functions. Each gives 1 if the nest's work is done. 0 means that nothing has changed: the original loops must \
         run, and then the function be called again.",
    );
    writer.once(&guard, |writer| {
        if let Some(place) = nests.iter().find_map(|nest| nest.without_openmp.as_ref()) {
            writer.line("#ifdef _OPENMP");
            writer
                .line(format_args!("#error {}: OpenMP changes this nest; rewrite it with -fopenmp", plain_name(place)));
            writer.line("#endif");
        }
        let declared = nests.iter().flat_map(|nest| std::iter::once(&nest.prototype).chain(&nest.beside));
        declared.for_each(|prototype| writer.line(format_args!("{prototype};")));
        write_variables(writer, nests);
        write_lent(writer, nests);
        if nests.iter().any(|nest| !nest.inline.is_empty()) {
            writer.line("");
            quick::write_inlines(writer, |writer| nests.iter().for_each(|nest| writer.lines(&nest.inline)));
        }
    });
    writer.finish()
}

/// Declares, for the rewritten file, variables of the program's other files that it does not declare itself.
fn write_variables(writer: &mut Writer, nests: &[NestText]) {
    let all: BTreeMap<&String, &String> = nests.iter().flat_map(|nest| &nest.variables).collect();
    if all.is_empty() {
        return;
    }
    writer.line("");
    writer.line("#if !defined(STENCIL_DRIVER)");
    for (name, declaration) in all {
        writer.line(format_args!("#ifdef {name}"));
        writer.line(format_args!("#error `{name}` is a macro here, and a variable of another file that a nest needs"));
        writer.line("#endif");
        writer.line(format_args!("{declaration};"));
    }
    writer.line("#endif");
}

/// Declares, for the rewritten file, how it reaches variables of other files that it cannot name.
fn write_lent(writer: &mut Writer, nests: &[NestText]) {
    let all: BTreeSet<&Lent> = nests.iter().flat_map(|nest| &nest.lent).collect();
    if all.is_empty() {
        return;
    }
    writer.line("");
    writer.line("#if !defined(STENCIL_DRIVER)");
    all.iter().for_each(|lent| writer.line(format_args!("{};", lent.declaration)));
    let function = Lent::function("file##", "##name");
    writer.line(format_args!("#define {}(file, name) (*{function}())", Lent::MACRO));
    writer.line("#endif");
}

/// The driver: the runtime or its interface, the kernels as strings, and one host function a nest.
pub fn write_driver(banner: &Banner, stem: &str, nests: &[NestText], has_runtime_apart: bool) -> String {
    let mut writer = Writer::default();
    banner.write(&mut writer, "Host driver: C99, OpenCL 1.2 and libc only.");
    writer.lines(&if has_runtime_apart { runtime::interface() } else { runtime::text() });
    writer.line(format_args!("#include \"{stem}.stencil.h\""));
    writer.lines(&write_nests(&write_kernels(banner, stem, nests), nests));
    writer.finish()
}

/// The runtime for all drivers of a program that have only its interface.
pub fn write_runtime() -> String {
    let mut writer = Writer::default();
    Banner::of_runtime().write(&mut writer, "Runtime of host drivers: C99, OpenCL 1.2 and libc only.");
    writer.lines(&runtime::apart());
    writer.finish()
}

/// The functions of that runtime which drivers call, as linkers see them.
pub fn runtime_functions() -> Vec<String> {
    runtime::external_names()
}

/// The part of a driver behind the runtime and the declarations of its functions, with the text of its kernels.
fn write_nests(kernels: &str, nests: &[NestText]) -> String {
    let mut writer = Writer::default();
    if nests.is_empty() {
        return writer.finish();
    }
    writer.line("#include <math.h>");
    writer.line("");
    writer.line("#define floord(n, d) (((n) < 0) ? -((-(n) + (d) - 1) / (d)) : (n) / (d))");
    writer.line("");
    writer.block_with_end("static const char *const stencil_source[] =", "};", |writer| {
        kernels.lines().for_each(|line| write_quoted(writer, line));
    });
    writer.line("");
    nests.iter().for_each(|nest| writer.lines(&nest.driver));
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
