//! The kernels of a nest as text, within conditions by which the host's build options choose.

use std::collections::BTreeSet;

use super::c::Dialect;
use super::nest::NestToWrite;
use super::opencl::OpenCl;
use super::repeats::{Macro, Shared, share_repeats};
use crate::kernel::Kernel;
use crate::text::{Writer, wrap};

/// Characters of a line, so that the driver's line that quotes it has fewer than 120.
const WIDTH: usize = 108;

/// What kernels are written in.
const DIALECT: &dyn Dialect = &OpenCl;

/// How kernels are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MacroUse {
    /// What kernels repeat stands in macros.
    Short,
    /// Every statement stands where it is executed.
    Plain,
}

/// A kernel with what chooses it.
struct Chosen<'a> {
    kernel: &'a Kernel,
    /// Number of its plan.
    plan: usize,
    /// Its bit in `STENCIL_KERNELS`.
    bit: u32,
}

/// The kernels of one nest.
pub fn write_kernels(plan: &NestToWrite<'_>, style: MacroUse) -> String {
    let chosen = choices(plan);
    let texts: Vec<String> = chosen.iter().map(|chosen| kernel_text(plan, chosen.kernel)).collect();
    let suffix = if plan.place.number == 1 { String::new() } else { format!("{}_", plan.place.number) };
    let shared = match style {
        MacroUse::Short => share_repeats(&texts, &suffix),
        MacroUse::Plain => Shared { macros: Vec::new(), kernels: texts },
    };
    let mut writer = Writer::unwrapped();
    let nest = plan.place.number;
    writer.line(format_args!("#if !defined(STENCIL_NEST) || STENCIL_NEST == {nest}"));
    DIALECT.write_prelude(&mut writer, &[plan.nest()], plan.fp);
    let plans_of = |users: &BTreeSet<usize>| users.iter().map(|user| chosen[*user].plan).collect::<BTreeSet<_>>();
    for definition in shared.macros.iter().filter(|definition| plans_of(&definition.users).len() > 1) {
        writer.lines(&definition.text);
        writer.line("");
    }
    for number in 0..plan.plans.len() {
        writer.line(format_args!("#if !defined(STENCIL_PLAN) || STENCIL_PLAN == {number}"));
        write_plan(&mut writer, &chosen, &shared, number);
        writer.line("#endif");
    }
    writer.line("#endif");
    wrap(&writer.finish(), WIDTH)
}

/// All texts of kernels. The runtime's `stencil_wanted_bits` counts in the same way: a bit for each text of tile kernels, one for
/// all sweeps.
fn choices<'a>(plan: &'a NestToWrite<'_>) -> Vec<Chosen<'a>> {
    let mut chosen = Vec::new();
    for (number, kernels) in plan.plans.iter().enumerate() {
        let mut bit = 1_u32;
        for kernel in kernels.texts().map(|texts| &texts[0]) {
            chosen.push(Chosen { kernel, plan: number, bit });
            if kernel.tiles().is_some() && bit < 1 << 30 {
                bit <<= 1;
            }
        }
    }
    chosen
}

fn kernel_text(plan: &NestToWrite<'_>, kernel: &Kernel) -> String {
    let mut writer = Writer::unwrapped();
    DIALECT.write_kernel(&mut writer, plan.subject, kernel);
    writer.finish()
}

/// What several kernels of the plan need, and then each kernel with what it alone needs.
fn write_plan(writer: &mut Writer, chosen: &[Chosen<'_>], shared: &Shared, plan: usize) {
    let is_of_plan = |users: &BTreeSet<usize>| users.iter().all(|user| chosen[*user].plan == plan);
    let macros: Vec<&Macro> = shared.macros.iter().filter(|definition| is_of_plan(&definition.users)).collect();
    let mut pieces = helpers(chosen, plan);
    for definition in macros.iter().filter(|definition| definition.users.len() > 1) {
        let bits = definition.users.iter().fold(0, |bits, user| bits | chosen[*user].bit);
        pieces.push((bits, definition.text.clone() + "\n"));
    }
    for equal in pieces.chunk_by(|a, b| a.0 == b.0) {
        write_guarded(writer, equal[0].0, |writer| equal.iter().for_each(|(_, text)| writer.lines(text)));
    }
    for (number, kernel) in chosen.iter().enumerate().filter(|(_, kernel)| kernel.plan == plan) {
        write_guarded(writer, kernel.bit, |writer| {
            for own in macros.iter().filter(|definition| definition.users.iter().eq([&number])) {
                writer.lines(&(own.text.clone() + "\n"));
            }
            writer.lines(&shared.kernels[number]);
        });
        writer.line("");
    }
}

/// The helpers of a plan's kernels, each once, with the bits of the kernels that need it.
fn helpers(chosen: &[Chosen<'_>], plan: usize) -> Vec<(u32, String)> {
    let mut helpers: Vec<(u32, String)> = Vec::new();
    for Chosen { kernel, bit, .. } in chosen.iter().filter(|chosen| chosen.plan == plan) {
        for text in DIALECT.helpers(kernel) {
            match helpers.iter_mut().find(|(_, known)| *known == text) {
                Some((bits, _)) => *bits |= bit,
                None => helpers.push((*bit, text)),
            }
        }
    }
    helpers
}

fn write_guarded(writer: &mut Writer, bits: u32, body: impl FnOnce(&mut Writer)) {
    writer.line(format_args!("#if !defined(STENCIL_KERNELS) || (STENCIL_KERNELS & {bits})"));
    body(writer);
    writer.line("#endif");
}
