//! Scalars that the host hands on within a step, and back.
//!
//! ```c
//! sum = (double)sum; /* stencil handover */
//! for (i = 0; i < n; i++) u[i] /= sqrt(sum);
//! ```

use super::changed::Changed;
use super::edit::Edits;
use super::layout::TextStyle;
use crate::front::Handover;
use crate::source::{SourceFile, Span, Token, line_ending, line_start};

/// The comment behind what was put in.
const MARK: &str = "/* stencil handover */";

/// Lets the host of `source` hand scalars on.
pub fn hand_over(source: &SourceFile, handovers: &[Handover], style: &TextStyle) -> Changed {
    let text = source.bytes();
    let mut edits = Edits::of(handovers.first().map(|it| it.before.file).unwrap_or_default());
    for Handover { before, name, ty } in handovers {
        let line = line_start(text, before.start);
        let blanks = &text[line..before.start];
        let gap = match style {
            TextStyle::Readable if blanks.iter().all(u8::is_ascii_whitespace) => {
                format!("{}{}", line_ending(text), String::from_utf8_lossy(blanks))
            }
            _ => " ".to_owned(),
        };
        edits.insert(before.start, format!("{name} = ({}){name}; {MARK}{gap}", ty.c_name()));
    }
    Changed::new(source, edits)
}

/// What was put in by [`hand_over`] in a file that has been rewritten.
pub fn find_handed_over(text: &[u8], tokens: &[Token]) -> Vec<Span> {
    let is_mark = |index: &usize| text[tokens[*index].span.start..tokens[*index].span.end] == *MARK.as_bytes();
    let lengths = |index: usize| (8..=10).filter(move |length| *length <= index + 1);
    let found = |index: usize| lengths(index).find_map(|length| handed_over(text, &tokens[index + 1 - length..=index]));
    (0..tokens.len()).filter(is_mark).filter_map(found).collect()
}

/// What some tokens are of that with the line that they are alone on; types have up to three words.
fn handed_over(text: &[u8], tokens: &[Token]) -> Option<Span> {
    let words: Vec<&[u8]> = tokens.iter().map(|token| &text[token.span.start..token.span.end]).collect();
    let [name, b"=", b"(", ref ty @ .., b")", other, b";", _] = words[..] else { return None };
    if name != other || !ty.iter().all(|word| word.iter().all(u8::is_ascii_lowercase)) {
        return None;
    }
    let (start, end) = (tokens[0].span.start, tokens[tokens.len() - 1].span.end);
    let line = line_start(text, start);
    let is_alone = text[line..start].iter().all(u8::is_ascii_whitespace);
    let next = text[end..].iter().position(|byte| *byte == b'\n').filter(|_| is_alone);
    match next {
        Some(next) if text[end..end + next].iter().all(u8::is_ascii_whitespace) => {
            Some(Span::new(line, end + next + 1))
        }
        _ => Some(Span::new(start, end + usize::from(text.get(end) == Some(&b' ')))),
    }
}
