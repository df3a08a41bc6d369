//! The edits of a loop that the host keeps: its step is guarded as a nest is, and calls stand where the host needs the arrays and
//! behind the loop.

use super::edit::Edits;
use super::layout::{TextStyle, close, in_comment, is_blank, lines_above, name_comment, newlines_in, statement};
use super::marks::from_line_start;
use super::omp::{find_loop_pragmas, is_block_of_construct};
use super::replacement::{KeptEdits, Replacement, called};
use crate::front::Stands;
use crate::source::{Span, directive_at, line_end, line_ending, line_start};
use crate::text::WIDTH as LINE_WIDTH;

/// Makes the edits: a comment in the place of the pragma, `while (!CALL) {` and `}` around each leg of the step, `NAME_sync();`,
/// `NAME_store(...);`, `NAME_values();`, `NAME_compare();` or `NAME_end();` before what needs arrays, and `NAME_end();` behind the loop.
pub fn guard_step(
    edits: &mut Edits,
    text: &[u8],
    replacement: &Replacement,
    kept: &KeptEdits,
    drops_nest: bool,
    style: &TextStyle,
) {
    let Replacement { pragma, .. } = replacement;
    let name = replacement.name();
    let directive = directive_at(text, pragma.start).map_or(*pragma, |found| pragma.at(found.start, found.end));
    let comment = match style {
        TextStyle::Readable => [&in_comment(text, directive)[1..], name_comment(name, style).as_bytes()].concat(),
        TextStyle::SameLines { .. } => newlines_in(text, directive),
    };
    edits.push(directive, comment);
    for end in kept.behind.iter().filter(|end| end.is_alone) {
        edits.insert(end.span.start, format!("{{{} ", name_comment(name, style)));
    }
    let commented = |declared: &String| format!("{declared}{}", name_comment(&variables(name), style));
    for (kept_loop, declared) in &kept.outliving {
        put_before(edits, text, *kept_loop, (&commented(declared), name), style);
    }
    for code in kept.declared.iter().map(commented) {
        put_before(edits, text, kept.legs[0].0, (&code, name), style);
    }
    for (leg, call) in &kept.legs {
        let condition = if drops_nest { format!("{call}, 0") } else { format!("!{call}") };
        put_before(edits, text, *leg, (&format!("while ({condition}) {{"), name), style);
        close(edits, text, *leg, (indent_at(text, leg.start), "}", called(call)), style);
    }
    for place in &kept.places {
        let function = &format!("{name}_{}", place.call);
        let mut calls =
            if place.parts.is_empty() { vec![format!("{function}()")] } else { part_calls(name, &place.parts) };
        if let Some(scalars) = place.scalars {
            calls.insert(0, format!("{name}_{scalars}()"));
        }
        if place.stands == Stands::AsOperand {
            put_into(edits, text, place.span, &calls, style);
            continue;
        }
        let calls: Vec<String> = calls.iter().map(|call| format!("{call};")).collect();
        if place.stands == Stands::InBlock && !is_block_of_construct(text, place.span.start) {
            for call in &calls {
                put_before(edits, text, place.span, (call, name), style);
            }
            continue;
        }
        let code = format!("{{ {}", calls.join(" "));
        let has_line = from_line_start(text, place.span.start) < place.span.start;
        let line = line_end(text, place.span.start) - line_start(text, place.span.start);
        let is_long = line + code.len() + function.len() + " } /*  */ ".len() > LINE_WIDTH;
        let has_parts = !place.parts.is_empty();
        match find_loop_pragmas(text, place.span.start) {
            Some(_) => put_before(edits, text, place.span, (&code, name), style),
            None if *style == TextStyle::Readable && (has_line || has_parts) && (is_long || has_line && has_parts) => {
                edits.insert(place.span.start, on_lines(text, place.span.start, &calls, has_line));
            }
            None => edits.insert(place.span.start, code + " "),
        }
        close_inline(edits, place.span, function, style);
    }
    for end in &kept.behind {
        let closing = format!("{name}_{}();{}", end.call, if end.is_alone { " }" } else { "" });
        close(edits, text, end.span, (indent_at(text, end.span.start), &closing, name), style);
    }
}

/// What a comment holds that stands behind a declaration of what a step declares.
pub fn variables(name: &str) -> String {
    format!("{name}_variables")
}

/// The calls that bring parts of arrays, or tell what will be stored.
fn part_calls(name: &str, parts: &[(&str, String)]) -> Vec<String> {
    parts.iter().map(|(function, arguments)| format!("{name}_{function}({arguments})")).collect()
}

/// A brace and calls on lines of their own, before what stands at `offset`, which begins its line or does not.
fn on_lines(text: &[u8], offset: usize, calls: &[String], has_line: bool) -> Vec<u8> {
    let deeper = if has_line { &b""[..] } else { b"    " };
    let (ending, indent) = (line_ending(text).as_bytes(), [indent_at(text, offset), deeper].concat());
    let brace = if has_line { "{ " } else { "" };
    let lines = calls.iter().enumerate().map(|(number, call)| {
        let code = if number == 0 { format!("{brace}{call}") } else { call.clone() };
        [&statement(text, &indent, &code, &TextStyle::Readable), ending].concat()
    });
    let lines = lines.collect::<Vec<_>>().concat();
    if has_line {
        return [&lines[indent.len()..], &indent].concat();
    }
    [&b"{"[..], ending, &lines, &indent].concat()
}

/// Puts a brace behind a statement.
fn close_inline(edits: &mut Edits, statement: Span, function: &str, style: &TextStyle) {
    edits.insert(statement.end, format!(" }}{}", name_comment(function, style)));
}

/// Puts calls before an operand, which then is on the next line if that is for people and the line becomes too long.
fn put_into(edits: &mut Edits, text: &[u8], operand: Span, calls: &[String], style: &TextStyle) {
    let line = line_end(text, operand.start) - line_start(text, operand.start);
    let length = calls.iter().map(|call| call.len() + ", ".len()).sum::<usize>();
    let is_long = *style == TextStyle::Readable && line + length + "()".len() > LINE_WIDTH;
    let indent = if is_long { indent_at(text, operand.start) } else { b"" };
    let space = if is_long { [line_ending(text).as_bytes(), indent, b"        "].concat() } else { b" ".to_vec() };
    let before = calls.iter().map(|call| [call.as_bytes(), b",", &space].concat());
    edits.insert(operand.start, [b"(".to_vec(), before.collect::<Vec<_>>().concat()].concat());
    edits.insert(operand.end, ")");
}

/// Puts `code` before a statement and OpenMP's pragmas above it, for people on a line of its own.
fn put_before(edits: &mut Edits, text: &[u8], before: Span, (code, name): (&str, &str), style: &TextStyle) {
    let indent = indent_at(text, before.start);
    let line = line_start(text, before.start);
    if let Some(pragmas) = find_loop_pragmas(text, before.start) {
        let code = statement(text, indent, code, style);
        edits.insert(pragmas.start, lines_above(text, code, &pragmas, name, style));
        return;
    }
    if *style == TextStyle::Readable && line + indent.len() == before.start {
        let mut code = statement(text, indent, code, style);
        code.extend(line_ending(text).as_bytes());
        edits.insert(line, code);
    } else {
        edits.insert(before.start, format!("{code} "));
    }
}

/// The blanks at the start of the line of `offset`.
fn indent_at(text: &[u8], offset: usize) -> &[u8] {
    let line = line_start(text, offset);
    let before = &text[line..offset];
    if is_blank(before) {
        before
    } else {
        &before[..before.iter().take_while(|byte| byte.is_ascii_whitespace()).count()]
    }
}
