//! From nests to text: the device's kernels and the host driver.

use crate::ir::Nest;
use crate::options::Options;
use crate::pipeline::Stage;
use crate::source::Diagnostic;

/// What is generated for one nest.
#[derive(Clone, Debug, Default)]
pub struct Region {
    /// The expression that stands in for the nest, e.g. `heat_stencil_1(n, m, steps, u, v, &t)`; 0 if the device cannot
    /// be used.
    pub call: String,
    /// Declaration of the host function, with its semicolon.
    pub prototype: String,
    /// Definition of the host function and of its tables, in C.
    pub driver: String,
    /// The kernels, in OpenCL C.
    pub kernels: String,
    /// Notes and warnings.
    pub notes: Vec<Diagnostic>,
}

/// Generates the code for the nest with that number, counted from 1 over all pragmas of its file.
///
/// # Errors
/// The reasons why it cannot run on a device.
pub fn write_region(nest: &Nest, _number: usize, _options: &Options) -> Result<Region, Vec<Diagnostic>> {
    Err(vec![no_generator(nest)])
}

/// One stage behind the nest itself, as text for people.
///
/// # Errors
/// The reasons why the nest does not get that far.
pub fn write_stage(nest: &Nest, _number: usize, _options: &Options, _stage: Stage) -> Result<String, Vec<Diagnostic>> {
    Err(vec![no_generator(nest)])
}

fn no_generator(nest: &Nest) -> Diagnostic {
    Diagnostic::error("no-generator", "this build of the tool generates no device code", nest.pragma)
}

/// The host driver of a file: the regions, which need the header's declarations.
pub fn write_driver(stem: &str, regions: &[Region]) -> String {
    let bodies = regions.iter().map(|region| format!("\n{}", region.driver));
    format!("#include \"{stem}.stencil.h\"\n{}", bodies.collect::<String>())
}

/// The header of a file. It includes nothing, and its declarations name no parameters, so that no macro of the user's
/// can get in their way.
pub fn write_header(stem: &str, regions: &[Region]) -> String {
    let upper = stem.to_ascii_uppercase();
    let guard: String = upper.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let declarations: String = regions.iter().map(|region| format!("{}\n", region.prototype)).collect();
    format!("#ifndef STENCIL_{guard}_H\n#define STENCIL_{guard}_H\n\n{declarations}\n#endif\n")
}

/// The kernels of a file, for people.
pub fn write_kernels(stem: &str, regions: &[Region]) -> String {
    let texts = regions.iter().map(|region| format!("\n{}", region.kernels));
    format!("/* The kernels that {stem}.stencil.c holds. */\n{}", texts.collect::<String>())
}
