//! The edits that turn the user's file into its rewritten form.

use super::edit::Edits;
use super::include::compute_include_offset;
use super::kept::guard_step;
use super::layout::{TextStyle, close, in_comment, is_blank, lines_above, newlines_in, statement};
use super::omp::find_loop_pragmas;
use super::replacement::Replacement;
use crate::source::{Span, directive_at, line_end, line_ending, line_start, text_start};
use crate::text::{WIDTH as LINE_WIDTH, quote};

/// The edits that make `text` call `replacements` instead of running their nests.
///
/// The pragma becomes `while (!CALL) {` and the nest, which is not touched, is followed by `}`: after the nest has run the
/// call answers that it is done, and may look at what the nest has left. If `drops_nests`, the head is `while (CALL, 0) {`,
/// and the nest never runs. Both are one statement, as the nest was, so that a nest may be the whole body of an `if` or a
/// `for`. People's files keep the pragma in a comment and name the call at the end, so that [`Original`](super::Original)
/// finds its way back. `header` is the file to include; it declares the calls and has no other effect.
pub fn compute_host_edits(
    text: &[u8],
    replacements: &[Replacement],
    header: &str,
    drops_nests: bool,
    style: &TextStyle,
) -> Edits {
    let Some(first) = replacements.iter().map(|replacement| replacement.pragma).min() else { return Edits::default() };
    let mut edits = Edits::of(first.file);
    insert_include(&mut edits, text, first.start, header, style);
    for replacement in replacements {
        match &replacement.kept {
            Some(kept) => guard_step(&mut edits, text, replacement, kept, drops_nests, style),
            None => guard_nest(&mut edits, text, replacement, drops_nests, style),
        }
    }
    edits
}

fn insert_include(edits: &mut Edits, text: &[u8], limit: usize, header: &str, style: &TextStyle) {
    let newline = line_ending(text);
    let include = format!("#include \"{header}\"{newline}");
    match style {
        TextStyle::Readable => edits.insert(compute_include_offset(text, limit), include),
        TextStyle::SameLines { original } => {
            let line = format!("#line 1 {}{newline}", quote(original));
            edits.insert(text_start(text), include + &line);
        }
    }
}

fn guard_nest(edits: &mut Edits, text: &[u8], replacement: &Replacement, drops_nest: bool, style: &TextStyle) {
    let Replacement { pragma, nest, call, .. } = replacement;
    let directive = directive_at(text, pragma.start).map_or(*pragma, |found| pragma.at(found.start, found.end));
    let indent = indent_of(text, replacement);
    let condition = if drops_nest { format!("{call}, 0") } else { format!("!{call}") };
    let head = format!("while ({condition}) {{");
    match find_loop_pragmas(text, directive.start) {
        Some(pragmas) => {
            let head = statement(text, &indent, &head, style);
            edits.insert(pragmas.start, lines_above(text, head, &pragmas, replacement.name(), style));
            edits.push(directive, replaced_directive(text, directive, style));
        }
        None => put_head(edits, text, directive, (&head, &indent), style),
    }
    close(edits, text, *nest, (&indent, "}", replacement.name()), style);
}

/// Puts the head, for people with that indentation, in the place of the pragma.
fn put_head(edits: &mut Edits, text: &[u8], directive: Span, (head, indent): (&str, &[u8]), style: &TextStyle) {
    let line = line_start(text, directive.start);
    let starts_line = is_blank(&text[line..directive.start]);
    let mut head = statement(text, if starts_line { indent } else { b"" }, head, style);
    if *style == TextStyle::Readable {
        let comment = in_comment(text, directive);
        let last = head.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let rest = &text[directive.end..line_end(text, directive.end)];
        let first = [&comment, rest].concat().split(|byte| *byte == b'\n').next().map_or(0, <[u8]>::len);
        if last.len() + first > LINE_WIDTH {
            head.extend([line_ending(text).as_bytes(), indent, b"   "].concat());
        }
        head.extend(comment);
    } else {
        head.extend(newlines_in(text, directive));
    }
    edits.push(directive.at(if starts_line { line } else { directive.start }, directive.end), head);
}

/// What stands in the place of a pragma whose head is further up.
fn replaced_directive(text: &[u8], directive: Span, style: &TextStyle) -> Vec<u8> {
    match style {
        TextStyle::Readable => in_comment(text, directive).split_off(1),
        TextStyle::SameLines { .. } => newlines_in(text, directive),
    }
}

/// The nest's indentation, or the pragma's if the nest does not start its line.
fn indent_of(text: &[u8], replacement: &Replacement) -> Vec<u8> {
    let indent = |offset| {
        let before = &text[line_start(text, offset)..offset];
        is_blank(before).then(|| before.to_vec())
    };
    indent(replacement.nest.start).or_else(|| indent(replacement.pragma.start)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rewrites the pragma and the nest between `<` and `>` of each `#pragma stencil`.
    fn rewrite(marked: &str, drops_nests: bool, style: &TextStyle) -> String {
        let text = marked.replace(['«', '»'], "");
        let mut replacements = Vec::new();
        let mut removed = 0;
        let mut start = 0;
        for (offset, mark) in marked.match_indices(['«', '»']) {
            let place = offset - removed;
            removed += mark.len();
            if mark == "«" {
                start = place;
                continue;
            }
            let pragma = text[..start].rfind("#pragma stencil").expect("a pragma before the nest");
            let call = format!("f{}()", replacements.len() + 1);
            let pragma = Span::new(pragma, pragma + 1);
            replacements.push(Replacement { pragma, nest: Span::new(start, place), call, kept: None });
        }
        let edits = compute_host_edits(text.as_bytes(), &replacements, "x.stencil.h", drops_nests, style);
        String::from_utf8(edits.apply(text.as_bytes())).expect("the tests' texts are UTF-8")
    }

    fn readable(marked: &str) -> String {
        rewrite(marked, false, &TextStyle::Readable)
    }

    #[test]
    fn the_nest_is_guarded_and_not_touched() {
        assert_eq!(
            readable(
                "void f()\n{\n#pragma stencil tile(8) \\\n  time_tile(2)  // why\n    «for (;;) {\n      a;\n    }»\n}\n"
            ),
            "#include \"x.stencil.h\"\nvoid f()\n{\n    while (!f1()) { /* #pragma stencil tile(8) \\\n  time_tile(2) */  // why\n    for (;;) {\n      a;\n    }\n    } /* f1 */\n}\n"
        );
    }

    #[test]
    fn a_long_pragma_has_a_line_of_its_own() {
        let clauses = "extent(a[0:n])".repeat(7);
        assert_eq!(
            readable(&format!("  #pragma stencil {clauses}\n  «for (;;) a;»\n")),
            format!(
                "#include \"x.stencil.h\"\n  while (!f1()) {{\n      /* #pragma stencil {clauses} */\n  for (;;) a;\n  }} /* f1 */\n"
            )
        );
    }

    #[test]
    fn the_line_ending_of_the_file_is_used() {
        assert_eq!(
            readable("#include <a.h>\r\n#pragma stencil\r\n«for (;;) a;» // b\r\n"),
            "#include <a.h>\r\n#include \"x.stencil.h\"\r\nwhile (!f1()) { /* #pragma stencil */\r\nfor (;;) a; // b\r\n} /* f1 */\r\n"
        );
    }

    #[test]
    fn a_nest_that_shares_its_line_is_closed_on_it() {
        assert_eq!(
            readable("{\n  #pragma stencil\n  «for (;;) a;» b; }"),
            "#include \"x.stencil.h\"\n{\n  while (!f1()) { /* #pragma stencil */\n  for (;;) a; } /* f1 */ b; }"
        );
        assert_eq!(
            readable("#pragma stencil\n«for (;;) a;» /* b\n */ c;"),
            "#include \"x.stencil.h\"\nwhile (!f1()) { /* #pragma stencil */\nfor (;;) a; } /* f1 */ /* b\n */ c;"
        );
    }

    #[test]
    fn an_else_stays_with_its_if() {
        assert_eq!(
            readable("if (p)\n#pragma stencil\n  «for (;;) a;»\n#ifdef X\n/* c */ else b;\n#endif\n"),
            "#include \"x.stencil.h\"\nif (p)\n  while (!f1()) { /* #pragma stencil */\n  for (;;) a;\n  } /* f1 */\n#ifdef X\n/* c */ else b;\n#endif\n"
        );
    }

    #[test]
    fn several_nests_share_one_include() {
        assert_eq!(
            readable("#pragma stencil\n«for (;;) a;»\n#pragma stencil\n«for (;;) b;»\n"),
            "#include \"x.stencil.h\"\nwhile (!f1()) { /* #pragma stencil */\nfor (;;) a;\n} /* f1 */\nwhile (!f2()) { /* #pragma stencil */\nfor (;;) b;\n} /* f2 */\n"
        );
    }

    #[test]
    fn without_fallback_one_statement_remains() {
        assert_eq!(
            rewrite("if (p)\n#pragma stencil\n#pragma omp for\n  «for (;;) a;» // b\n", true, &TextStyle::Readable),
            "#include \"x.stencil.h\"\nif (p)\n  while (f1(), 0) { /* #pragma stencil */\n#pragma omp for\n  for (;;) a; // b\n  } /* f1 */\n"
        );
    }

    #[test]
    fn openmps_pragmas_stay_on_their_loop() {
        assert_eq!(
            readable(
                "if (p)\n  #pragma omp for \\\n private(a)\n  // why\n  #pragma stencil\n#pragma omp simd\n  «for (;;) a;»\n"
            ),
            "#include \"x.stencil.h\"\nif (p)\n  while (!f1()) {\n  #pragma omp for \\\n private(a)\n  // why\n  /* #pragma stencil */\n#pragma omp simd\n  for (;;) a;\n  } /* f1 */\n"
        );
        let style = TextStyle::SameLines { original: b"x.c".to_vec() };
        assert_eq!(
            rewrite("x;\n#pragma omp for\n#pragma stencil \\\n tile(4)\n  «for (;;) a;»\n", false, &style),
            "#include \"x.stencil.h\"\n#line 1 \"x.c\"\nx;\n  while (!f1()) {\n#line 2\n#pragma omp for\n\n\n  for (;;) a; }\n"
        );
    }

    #[test]
    fn conditionals_around_openmps_pragmas_are_left_for_the_call() {
        let marked = "#ifdef X\n  x;\n  #pragma omp for\n#endif\n  #pragma stencil\n  «for (;;) a;»\n";
        assert_eq!(
            readable(marked),
            "#include \"x.stencil.h\"\n#ifdef X\n  x;\n#endif /* f1 */\n  while (!f1()) {\n#ifdef X\n  #pragma omp for\n#endif\n  /* #pragma stencil */\n  for (;;) a;\n  } /* f1 */\n"
        );
        let style = TextStyle::SameLines { original: b"x.c".to_vec() };
        assert!(rewrite(marked, false, &style).contains("{\n#ifdef X\n#line 3\n  #pragma omp for\n#endif\n"));
    }

    #[test]
    fn the_compilers_layout_keeps_every_line_number() {
        let marked = "int x;\n#pragma stencil \\\n tile(4)\n  «for (;;)\n    a;»\nint last;\n";
        let style = TextStyle::SameLines { original: b"d\\\"/x.c".to_vec() };
        for drops_nests in [false, true] {
            let text = rewrite(marked, drops_nests, &style);
            let (head, body) = text.split_once("#line 1 \"d\\\\\\\"/x.c\"\n").expect("a line directive");
            assert_eq!(head, "#include \"x.stencil.h\"\n");
            assert_eq!(body.lines().position(|line| line == "int last;"), Some(5), "{text}");
        }
    }
}
