//! What a call is given.

use crate::back::host::write_math;
use crate::back::nest::NestToWrite;
use crate::back::signature::parameters;
use crate::ir::{Handle, Loop, Param};
use crate::text::Writer;

/// Declares its structure, the recording, and the chain if it is the first of one.
pub fn write_arguments(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let name = &plan.place.name;
    writer.line("/* What a call is given. */");
    writer.block_with_end(format_args!("struct {name}_arguments"), "};", |writer| {
        for parameter in parameters(plan.nest(), plan.names()) {
            writer.line(format_args!("{}{};", parameter.ty, parameter.name));
        }
    });
    writer.line("");
    writer.line(format_args!("static STENCIL_THREAD struct {name}_arguments {name}_first;"));
    writer.line(format_args!("static STENCIL_THREAD stencil_recording {name}_recording;"));
    if let Some(chain) = plan.place.chain.as_ref().filter(|chain| chain.is_first) {
        writer.line(format_args!(
            "static STENCIL_THREAD stencil_chain {} = {{ {}, 0, NULL, 0, NULL, NULL }};",
            chain.name, chain.expected
        ));
    }
}

/// `void *` and `int ` as they stand before `const`.
pub fn constant(ty: &str) -> String {
    if ty.ends_with(' ') { ty.to_owned() } else { format!("{ty} ").replace("* ", "*") }
}

/// Declares what the loop over time counts up to in so many steps.
pub fn write_end_of_time(writer: &mut Writer, plan: &NestToWrite<'_>, steps: &str) {
    let (nest, names) = (plan.nest(), plan.names());
    let (Some(time), Some(end)) = (nest.clock.time(), nest.clock.end()) else { return };
    let Loop { first, step, .. } = &nest.loops[time];
    let first = write_math(nest, names, *first, "");
    writer.line(format_args!("const long long {} = {first} + {steps} * ({step});", names.param(end)));
}

/// Whether calls bring a scalar.
pub fn is_passed(plan: &NestToWrite<'_>, param: Handle<Param>) -> bool {
    plan.nest().params[param].value.is_passed() && plan.nest().clock.end() != Some(param)
}
