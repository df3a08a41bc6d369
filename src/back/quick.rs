//! What users' files have of a host function, inline in the header: the answer to small calls, as they may be very many.

use super::nest::NestToWrite;
use super::runtime::QUICK;
use super::signature::{left_name, left_types, parameter_names, prototype};
use super::updates::Updates;
use crate::ir::{Handle, HostValue, Nest};
use crate::poly::Names;
use crate::text::{WIDTH, Writer, wrap};

/// Words of C that `quick.c` and [`write_inline`] use. Where one is a macro of the user's, C means something else here than in
/// the driver.
const WORDS: [&str; 18] = [
    "char", "const", "double", "enum", "extern", "float", "if", "int", "long", "return", "short", "signed", "sizeof",
    "static", "struct", "typedef", "unsigned", "void",
];

/// `STENCIL_SIZES`
const SIZES: usize = 4;

/// Writes what drivers and users' files must both know, for [`write_inline`]; `inlines` writes the functions themselves.
pub fn write_inlines(writer: &mut Writer, inlines: impl FnOnce(&mut Writer)) {
    let words: Vec<String> = WORDS.iter().map(|word| format!("!defined({word})")).collect();
    writer.line(format_args!("#if defined(__GNUC__) && !defined(STENCIL_DRIVER) && {}", words.join(" && ")));
    writer.lines(&wrap(QUICK, WIDTH));
    let gcc = |writer: &mut Writer, pragmas: &[&str]| {
        writer.line("#if !defined(__clang__)");
        pragmas.iter().for_each(|pragma| writer.line(format_args!("#pragma GCC diagnostic {pragma}")));
        writer.line("#endif");
    };
    gcc(
        writer,
        &["push", "ignored \"-Wredundant-decls\"", "ignored \"-Wuninitialized\"", "ignored \"-Wmaybe-uninitialized\""],
    );
    inlines(writer);
    gcc(writer, &["pop"]);
    writer.line("#endif");
}

/// Writes two functions that stand before the host function in users' files: what is inline for every compiler, and what it
/// calls, which answers.
pub fn write_inline(writer: &mut Writer, plan: &NestToWrite<'_>) {
    let name = &plan.place.name;
    writer.line("");
    // A host function calls nothing in the user's file. So variables that have no address may stay in registers across a call.
    writer.line("#if !defined(__clang__)");
    writer.line(format_args!("extern __attribute__((__leaf__)) {};", prototype(plan)));
    writer.line("#endif");
    writer.line(format_args!("extern __thread stencil_quick {name}_quick;"));
    let names = parameter_names(plan.nest(), plan.names());
    let arguments = names.join(", ");
    let answering = prototype(plan).replacen(name, &format!("{name}_answer"), 1).replace("(void)", "()");
    let comma = if names.is_empty() { "" } else { ", " };
    let answering = answering.replace(')', &format!("{comma}const void *stencil_frame)"));
    writer.block(format_args!("STENCIL_ANSWERING {answering}"), |writer| {
        write_answers(writer, plan, "stencil_frame");
        writer.line(format_args!("return {name}({arguments});"));
    });
    let inline = prototype(plan).replacen(name, &format!("{name}_inline"), 1);
    writer.block(format_args!("STENCIL_QUICKLY {inline}"), |writer| write_call(writer, plan, &names));
    writer.line(format_args!("#define {name} {name}_inline"));
}

/// Writes the call that answers.
///
/// It hands out addresses of variables of its own, not of the user's: compilers keep one whose address nobody else has in a
/// register while the original loops run. What these variables hold is hidden from compilers, which would warn of users'
/// variables that seem to have no value yet where the nest is said to have run.
fn write_call(writer: &mut Writer, plan: &NestToWrite<'_>, names: &[String]) {
    let own = owned(plan.nest(), plan.names());
    let argument = |name: &String| {
        let is_own = own.iter().any(|(left, _)| left == name);
        if is_own { format!("&stencil_{name}") } else { name.clone() }
    };
    let frame = "__builtin_frame_address(0)".to_owned();
    let arguments: Vec<String> = names.iter().map(argument).chain([frame]).collect();
    let call = format!("{}_answer({})", plan.place.name, arguments.join(", "));
    if own.is_empty() {
        return writer.line(format_args!("return {call};"));
    }
    own.iter().for_each(|(left, ty)| writer.line(format_args!("{ty}stencil_{left};")));
    writer.line("int stencil_answer;");
    writer.line("");
    take_in(writer, &own);
    writer.line(format_args!("stencil_answer = {call};"));
    hand_back(writer, &own);
    writer.line("return stencil_answer;");
}

fn take_in(writer: &mut Writer, own: &[(String, String)]) {
    for (left, _) in own {
        writer.line(format_args!("__builtin_memcpy(&stencil_{left}, {left}, sizeof stencil_{left});"));
        writer.line(format_args!("__asm__(\"\" : \"+m\"(stencil_{left}));"));
    }
}

fn hand_back(writer: &mut Writer, own: &[(String, String)]) {
    for (left, _) in own {
        writer.line(format_args!("__builtin_memcpy({left}, &stencil_{left}, sizeof stencil_{left});"));
    }
}

/// Names and types of the variables that nothing but the nest can reach while it runs.
fn owned(nest: &Nest, names: &Names) -> Vec<(String, String)> {
    let is_watched = |variable: Handle<HostValue>| nest.watched.iter().any(|(watched, _)| *watched == variable);
    let all = left_types(nest).into_iter().filter(|(variable, _)| !is_watched(*variable));
    all.map(|(variable, ty)| (left_name(names, variable), ty)).collect()
}

/// Writes the answers that need no look at anything but the nest's `stencil_quick`.
pub fn write_answers(writer: &mut Writer, plan: &NestToWrite<'_>, frame: &str) {
    let name = &plan.place.name;
    writer.line(format_args!("if (stencil_has_just_run(&{name}_quick, {frame}))"));
    writer.line("    return 1;");
    writer.line(format_args!("if (STENCIL_USUALLY(stencil_is_small(&{name}_quick, {}, {frame})))", fits(plan)));
    writer.line("    return 0;");
}

/// Whether a call is small: it is where its sizes are those of one that was.
fn fits(plan: &NestToWrite<'_>) -> String {
    let (nest, names, name) = (plan.nest(), plan.names(), &plan.place.name);
    let Some(Updates { text, sizes }) = Updates::new(nest, names) else { return "0".to_owned() };
    let fits = format!("stencil_fits(&{name}_quick, {text})");
    // Where a number may not fit into a `long`, its place would not tell it from others.
    if sizes.is_empty()
        || sizes.len() > SIZES
        || sizes.iter().any(|size| nest.params[*size].ty.c_name().contains("long long"))
    {
        return fits;
    }
    let for_each = |function: &str| {
        let sizes = sizes.iter().enumerate();
        let calls =
            sizes.map(|(place, size)| format!("{function}(&{name}_quick, {place}, (long){})", names.param(*size)));
        calls.collect::<Vec<_>>().join(" && ")
    };
    format!("STENCIL_USUALLY({}) || ({fits} && {})", for_each("stencil_is_kept"), for_each("stencil_keep"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Span, tokens};

    #[test]
    fn words_of_c_that_the_header_uses_must_not_be_macros() {
        let words =
            tokens(QUICK.as_bytes(), Span::new(0, QUICK.len())).into_iter().map(|span| &QUICK[span.start..span.end]);
        let is_of_c = |word: &&str| word.starts_with(|c: char| c.is_ascii_lowercase()) && !word.starts_with("stencil_");
        for word in words.filter(is_of_c) {
            assert!(WORDS.contains(&word), "`{word}`");
        }
    }
}
