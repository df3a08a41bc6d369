//! Words that the rewritten file leaves out.

use super::edit::Edits;
use super::layout::TextStyle;
use crate::source::{Span, Token};

/// What stands around a word that people read and compilers do not.
const AROUND: [&[u8]; 2] = [b"/* not ", b" */"];

/// Leaves out `words` of `text`; people see them in comments, from which [`Original`](super::Original) takes them back, and a
/// compiler that reports columns of the original gets blanks. A word may be named more than once.
pub fn drop_words(edits: &mut Edits, text: &[u8], mut words: Vec<Span>, style: &TextStyle) {
    words.sort_unstable_by_key(|word| word.start);
    words.dedup();
    for word in words {
        if *style == TextStyle::Readable {
            edits.push(word, [AROUND[0], &text[word.start..word.end], AROUND[1]].concat());
        } else {
            edits.push(word, " ".repeat(word.end - word.start));
        }
    }
}

/// What makes a comment of words, if `is_it` says that they were left out.
pub fn around(text: &[u8], token: Token, is_it: impl Fn(&[u8]) -> bool) -> Option<[Span; 2]> {
    let Span { start, end, .. } = token.span;
    let word = text[start..end].strip_prefix(AROUND[0])?.strip_suffix(AROUND[1])?;
    is_it(word).then(|| [Span::new(start, start + AROUND[0].len()), Span::new(end - AROUND[1].len(), end)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_see_a_comment_and_compilers_the_same_columns() {
        let text = b"register int t, i;";
        let word = Span::new(0, 8);
        let dropped = |style| {
            let mut edits = Edits::default();
            drop_words(&mut edits, text, vec![word, word], &style);
            String::from_utf8(edits.apply(text)).unwrap()
        };
        assert_eq!(dropped(TextStyle::Readable), "/* not register */ int t, i;");
        assert_eq!(dropped(TextStyle::SameLines { original: b"a.c".to_vec() }), "         int t, i;");
    }
}
