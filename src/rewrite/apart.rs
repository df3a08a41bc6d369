//! Steps that conditions compute, or of whose values statements make more, as statements of their own, and back.
//!
//! ```c
//! while (change(u, v) > tol) { t++; }
//!
//! while (1) /* stencil step */ {
//!     /* not while ( */
//!     double stencil_value_1 = change(u, v);
//!     if (!(stencil_value_1 /* stencil step */ > tol)) { break /* stencil step */; } /* not { */ t++; }
//!
//! changes[t] = change(u, v);
//!
//! /* not changes[t] = */
//! double stencil_value_1 = change(u, v);
//! changes[t] = stencil_value_1 /* stencil step */;
//! ```
//!
//! What is left out stands in comments, and a comment stands in, before or behind all that is put in.

use super::changed::Changed;
use super::edit::Edits;
use super::layout::TextStyle;
use crate::front::{Body, Condition, NextStep, OWN_NAMES, StepInCondition};
use crate::source::{SourceFile, Span, Token, TokenKind, line_ending, line_start};

/// What the comments hold that tell of text that was put in.
const MARK: &str = "/* stencil step */";

/// Puts the steps of `source` into statements of their own.
pub fn steps_apart(source: &SourceFile, steps: &[StepInCondition], style: &TextStyle) -> Changed {
    let text = source.bytes();
    let mut edits = Edits::of(steps.first().map(|step| step.step.file).unwrap_or_default());
    for (number, step) in steps.iter().enumerate() {
        put_apart(&mut edits, text, step, number + 1, style);
    }
    Changed::new(source, edits)
}

fn put_apart(edits: &mut Edits, text: &[u8], found: &StepInCondition, number: usize, style: &TextStyle) {
    let StepInCondition { step, before, value, stands, .. } = found;
    let own = format!("{OWN_NAMES}{number}");
    let (declared, name) = match value {
        Ok(name) => (String::new(), name.as_str()),
        Err(ty) => (format!("{ty} {own} = "), own.as_str()),
    };
    let left_out = String::from_utf8_lossy(&text[before.start..before.end]).into_owned();
    let gap = gap(text, found, style);
    let comment = format!("/* not {left_out} */{gap}{declared}");
    // What opens in the part before the step goes on behind it.
    let opened = match left_out.strip_prefix("&&") {
        Some(opened) => opened.trim_start(),
        None => left_out.split_once('(').map_or("", |(_, opened)| opened),
    };
    match stands {
        Condition::If { whole, is_alone } => {
            let brace = if *is_alone { format!("{{ {MARK}{gap}") } else { String::new() };
            edits.push(*before, brace + &comment);
            edits.insert(step.end, format!(";{gap}if ({opened}{name} {MARK}"));
            if *is_alone {
                edits.insert(whole.end, format!(" {MARK} }}"));
            }
        }
        Condition::Statement { whole, is_alone } => {
            let brace = if *is_alone { format!("{{ {MARK}{gap}") } else { String::new() };
            edits.push(*before, brace + &comment);
            let (mut made, mut end) = (format!("{left_out}{name}"), step.end);
            for (place, NextStep { before, step, ty }) in found.more.iter().enumerate() {
                let between = String::from_utf8_lossy(&text[before.start..before.end]);
                let own = format!("{own}_{}", place + 2);
                edits.push(*before, format!(";{gap}/* not {between} */{gap}{ty} {own} = "));
                made += &format!("{between}{own}");
                end = step.end;
            }
            edits.insert(end, format!(";{gap}{made} {MARK}"));
            if *is_alone {
                edits.insert(whole.end, format!(" {MARK} }}"));
            }
        }
        Condition::Head { whole, end, body } => {
            edits.push(*before, format!("while (1) {MARK} {{{gap}{comment}"));
            edits.insert(step.end, format!(";{gap}if (!({opened}{name} {MARK}"));
            edits.insert(end + 1, format!("){} {{ break {MARK}; }}", before_break(*body, &gap)));
            open_body(edits, *whole, *body);
        }
        Condition::Rest { end, update, body } => {
            let next = update.map(|it| String::from_utf8_lossy(&text[it.start..it.end - 1]).into_owned());
            edits.push(*before, format!("{}) {{{gap}{comment}", next.unwrap_or_default()));
            edits.insert(step.end, format!(";{gap}if (!({opened}{name} {MARK}"));
            match update {
                Some(update) => {
                    edits.insert(*end, format!(")){} {{ break {MARK}; }}", before_break(*body, &gap)));
                    let left_out = String::from_utf8_lossy(&text[update.start..update.end]).into_owned();
                    edits.push(*update, format!(" /* not {left_out} */"));
                }
                None => edits.insert(end + 1, format!("){} {{ break {MARK}; }}", before_break(*body, &gap))),
            }
            open_body(edits, *before, *body);
        }
        Condition::Tail { brace, end } => {
            edits.push(step.at(*brace, brace + 1), "/* not } */");
            edits.push(*before, comment);
            edits.insert(step.end, format!(";{gap}if (!({opened}{name} {MARK}"));
            edits.insert(end + 1, format!(") break; }} {MARK} while (1)"));
        }
    }
}

/// What stands between two statements that are put in: for people the next one has a line of its own.
fn gap(text: &[u8], found: &StepInCondition, style: &TextStyle) -> String {
    if *style != TextStyle::Readable {
        return " ".to_owned();
    }
    let line = line_start(text, found.before.start);
    let blanks = text[line..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let deeper = if matches!(found.stands, Condition::If { .. } | Condition::Statement { .. }) { "" } else { "    " };
    format!("{}{}{deeper}", line_ending(text), String::from_utf8_lossy(&text[line..line + blanks]))
}

/// One statement may follow on the line.
fn before_break(body: Body, gap: &str) -> &str {
    if matches!(body, Body::Alone(_)) { gap } else { "" }
}

/// The body's brace stands before the step already; one statement gets a brace behind it.
fn open_body(edits: &mut Edits, place: Span, body: Body) {
    match body {
        Body::Braced(brace) => edits.push(place.at(brace, brace + 1), "/* not { */"),
        Body::Alone(end) => edits.insert(end, format!(" {MARK} }}")),
    }
}

/// What was put in by [`steps_apart`] in a file that has been rewritten.
pub fn find_put_in(text: &[u8], tokens: &[Token]) -> Vec<Span> {
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == TokenKind::Comment) {
        let comment = &text[token.span.start..token.span.end];
        if comment == MARK.as_bytes() {
            found.extend(put_in_at(text, tokens, index));
        } else if let Some(left_out) = left_out(comment).or_else(|| made_of_step(text, tokens, index)) {
            let start = token.span.start + b"/* not ".len();
            found.extend([Span::new(token.span.start, start), Span::new(start + left_out.len(), token.span.end)]);
            match left_out[0] {
                b'{' | b'}' => {}
                b';' => found.push(Span::new(token.span.start - 1, start)),
                _ => found.extend(around_step(text, tokens, index).into_iter().flatten()),
            }
        }
    }
    found
}

/// What a comment holds that was left out, if that is no word.
fn left_out(comment: &[u8]) -> Option<&[u8]> {
    let inner = comment.strip_prefix(b"/* not ")?.strip_suffix(b" */")?;
    let opens = |word: &[u8]| inner.strip_prefix(word).is_some_and(|rest| rest.trim_ascii_start().starts_with(b"("));
    let is_other = [&b"&&"[..], b"{", b"}", b";"].iter().any(|it| inner.starts_with(it));
    (is_other || opens(b"if") || opens(b"while")).then_some(inner)
}

/// What the comment at `index` holds that was left out, if a statement makes something of the value of the step behind it.
fn made_of_step<'t>(text: &'t [u8], tokens: &[Token], index: usize) -> Option<&'t [u8]> {
    let span = tokens[index].span;
    let inner = text[span.start..span.end].strip_prefix(b"/* not ")?.strip_suffix(b" */")?;
    let first = first_of_step(text, tokens, index + 1)?;
    let own = tokens.get(first.checked_sub(2)?)?;
    (own.kind == TokenKind::Word && word(text, own).starts_with(OWN_NAMES.as_bytes())).then_some(inner)
}

fn word<'t>(text: &'t [u8], token: &Token) -> &'t [u8] {
    &text[token.span.start..token.span.end]
}

/// What was put in of which the comment at `index` tells; what is behind a step is found with that.
fn put_in_at(text: &[u8], tokens: &[Token], index: usize) -> Option<Span> {
    let before = |words: &[&[u8]]| {
        let start = index.checked_sub(words.len())?;
        let is_it = tokens[start..index].iter().zip(words).all(|(token, it)| word(text, token) == *it);
        is_it.then(|| tokens[start].span.start)
    };
    let at = |offset: usize| tokens.get(index + offset).map(|token| (word(text, token), token.span.end));
    let end_of = |offset: usize| at(offset).map(|(_, end)| end);
    let next_of = |offset: usize| tokens.get(index + offset).map(|token| token.span.start);
    let space_before = |start: usize| start - usize::from(start > 0 && text[start - 1] == b' ');
    let mark = tokens[index].span;
    if let Some(start) = before(&[b"while", b"(", b"1", b")"]) {
        return Some(Span::new(start, next_of(2)?));
    }
    if let Some(start) = before(&[b")", b"break", b";", b"}"]) {
        return Some(Span::new(start, end_of(4)?));
    }
    if let Some(start) = before(&[b")", b"{", b"break"]) {
        let is_of_for = before(&[b")", b")", b"{", b"break"]).filter(|_| has_update(text, tokens, index + 3));
        return Some(Span::new(is_of_for.unwrap_or(start), end_of(2)?));
    }
    if let Some(start) = before(&[b"{"]) {
        return Some(Span::new(start, next_of(1)?));
    }
    (at(1)?.0 == b"}").then(|| Span::new(space_before(mark.start), tokens[index + 1].span.end))
}

/// Whether a token is a comment with what a `for` does before its next iteration.
fn has_update(text: &[u8], tokens: &[Token], index: usize) -> bool {
    tokens.get(index).and_then(|token| left_out(word(text, token))).is_some_and(|it| it.starts_with(b";"))
}

/// What was put in around the step behind the comment at `index`: what ends a head before it, what declares its value, and what
/// goes on with the condition.
fn around_step(text: &[u8], tokens: &[Token], index: usize) -> Option<Vec<Span>> {
    let comment = tokens[index].span;
    let first = first_of_step(text, tokens, index + 1)?;
    let mut found = vec![Span::new(comment.end, tokens[first].span.start)];
    let behind = (first..tokens.len()).find(|at| word(text, &tokens[*at]) == b";")?;
    let is_next = |at: &usize| tokens[*at].kind == TokenKind::Comment && made_of_step(text, tokens, *at).is_some();
    let is_mark = |at: &usize| word(text, &tokens[*at]) == MARK.as_bytes();
    let mark = (behind..tokens.len()).find(|at| is_mark(at) || is_next(at))?;
    if !is_mark(&mark) {
        found.push(Span::new(tokens[behind].span.start, tokens[mark].span.start));
        return Some(found);
    }
    found.push(Span::new(tokens[behind].span.start, tokens[mark].span.end));
    if text[comment.start..].starts_with(b"/* not &&") {
        found.push(Span::new(end_of_head(text, tokens, index)?, comment.start));
    }
    Some(found)
}

/// Where a head ends that was closed before the comment at `index`: before its parenthesis, or what a `for` does next.
fn end_of_head(text: &[u8], tokens: &[Token], index: usize) -> Option<usize> {
    let closing = index.checked_sub(2)?;
    let (mut depth, mut semicolon) = (0, None);
    for at in (0..=closing).rev() {
        match word(text, &tokens[at]) {
            b")" => depth += 1,
            b"(" if depth == 1 => break,
            b"(" => depth -= 1,
            b";" if depth == 1 => semicolon = semicolon.or(Some(at)),
            _ => {}
        }
    }
    Some(tokens[semicolon.unwrap_or(closing)].span.start)
}

/// The first token of a step, behind guards, declarations and calls of the driver: no step begins with a call.
fn first_of_step(text: &[u8], tokens: &[Token], mut index: usize) -> Option<usize> {
    loop {
        let here = tokens.get(index)?;
        match word(text, here) {
            _ if here.kind == TokenKind::Comment => index += 1,
            b"while" => index = 1 + (index..tokens.len()).find(|at| word(text, &tokens[*at]) == b"{")?,
            _ if here.kind == TokenKind::Word && word(text, tokens.get(index + 1)?) == b"(" => {
                index = 1 + (index..tokens.len()).find(|at| word(text, &tokens[*at]) == b";")?;
            }
            _ => break,
        }
    }
    let is_own =
        |at: &usize| tokens[*at].kind == TokenKind::Word && word(text, &tokens[*at]).starts_with(OWN_NAMES.as_bytes());
    let declared = (index..tokens.len()).take_while(|at| !matches!(word(text, &tokens[*at]), b"(")).find(is_own);
    match declared {
        Some(at) if word(text, tokens.get(at + 1)?) == b";" => first_of_step(text, tokens, at + 2),
        Some(at) => Some(at + 2),
        None => Some(index),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{FileId, lex};

    const TEXT: &str = "x;\n  while ((d = f(a)) > t) { y; }\n  if (!g(a) && z) break;\n  s[t] = -h(a) / 2;\nw;\n";

    fn find(text: &str) -> Span {
        let start = TEXT.find(text).expect("it is there");
        Span { file: FileId::default(), start, end: start + text.len() }
    }

    fn apart(style: &TextStyle) -> Changed {
        let at = |text: &str| find(text).start;
        let head = StepInCondition {
            marked: find("while ((d = f(a)) > t) { y; }"),
            step: find("d = f(a)"),
            before: find("while (("),
            value: Ok("d".to_owned()),
            only_folds: false,
            more: Vec::new(),
            stands: Condition::Head {
                whole: find("while ((d = f(a)) > t) { y; }"),
                end: at(") {"),
                body: Body::Braced(at("{")),
            },
        };
        let whole = find("if (!g(a) && z) break;");
        let condition = StepInCondition {
            marked: whole,
            step: find("g(a)"),
            before: find("if (!"),
            value: Err("int".to_owned()),
            only_folds: false,
            more: Vec::new(),
            stands: Condition::If { whole, is_alone: false },
        };
        let whole = find("s[t] = -h(a) / 2;");
        let stored = StepInCondition {
            marked: whole,
            step: find("h(a)"),
            before: find("s[t] = -"),
            value: Err("int".to_owned()),
            only_folds: false,
            more: Vec::new(),
            stands: Condition::Statement { whole, is_alone: false },
        };
        steps_apart(&SourceFile::new("x.c", TEXT.as_bytes().to_vec()), &[head, condition, stored], style)
    }

    #[test]
    fn steps_are_statements_of_their_own() {
        let expected = "x;\n  while (1) /* stencil step */ {\n      /* not while (( */\n      d = f(a);\n      \
            if (!((d /* stencil step */) > t)) { break /* stencil step */; } /* not { */ y; }\n  /* not if (! */\n  \
            int stencil_value_2 = g(a);\n  if (!stencil_value_2 /* stencil step */ && z) break;\n  /* not s[t] = - */\n  \
            int stencil_value_3 = h(a);\n  s[t] = -stencil_value_3 /* stencil step */ / 2;\nw;\n";
        assert_eq!(String::from_utf8_lossy(apart(&TextStyle::Readable).source.bytes()), expected);
    }

    #[test]
    fn lines_stay_for_compilers() {
        let style = TextStyle::SameLines { original: b"x.c".to_vec() };
        let lines = |text: &[u8]| text.iter().filter(|byte| **byte == b'\n').count();
        assert_eq!(lines(apart(&style).source.bytes()), lines(TEXT.as_bytes()));
    }

    #[test]
    fn the_file_comes_back() {
        for style in [TextStyle::Readable, TextStyle::SameLines { original: b"x.c".to_vec() }] {
            let text = apart(&style).source.bytes().to_vec();
            let tokens: Vec<Token> = lex(&text, Span::new(0, text.len())).collect();
            let put_in = find_put_in(&text, &tokens);
            let is_left = |at: &usize| !put_in.iter().any(|span| span.start <= *at && *at < span.end);
            let back: Vec<u8> = (0..text.len()).filter(is_left).map(|at| text[at]).collect();
            assert_eq!(String::from_utf8_lossy(&back), TEXT);
        }
    }

    #[test]
    fn calls_of_the_driver_may_stand_before_a_step() {
        let text = "/* not s[t] = - */ x_sync_part(&a[0], &a[n]); int stencil_value_1 = h(a); \
                    s[t] = -stencil_value_1 /* stencil step */;";
        let tokens: Vec<Token> = lex(text.as_bytes(), Span::new(0, text.len())).collect();
        let put_in = find_put_in(text.as_bytes(), &tokens);
        let is_left = |at: &usize| !put_in.iter().any(|span| span.start <= *at && *at < span.end);
        let back: Vec<u8> = (0..text.len()).filter(is_left).map(|at| text.as_bytes()[at]).collect();
        assert_eq!(String::from_utf8_lossy(&back), "s[t] = -h(a);");
    }

    #[test]
    fn places_are_those_in_the_file_as_it_was() {
        let apart = apart(&TextStyle::Readable);
        let text = String::from_utf8_lossy(apart.source.bytes()).into_owned();
        for word in ["x;", "d = f(a)", "> t", "y; }", "g(a)", "&& z", "h(a)", "/ 2", "w;"] {
            let start = text.find(word).expect("it is there");
            assert_eq!(apart.offset(start), find(word).start, "{word}");
        }
    }
}
