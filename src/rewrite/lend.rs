//! Copies of files that lend their variables to nests of other files.

use crate::ir::Lent;
use crate::source::{Span, TokenKind, lex, line_start};

/// Stands above the functions.
const HEAD: &[u8] = b"/* Lends variables of this file to nests of other files. */";

/// `text`, a file, with functions at its end that return the addresses of variables.
pub fn lend<'l>(text: &[u8], lent: impl IntoIterator<Item = &'l Lent>) -> Vec<u8> {
    let mut result = text.to_vec();
    if !text.ends_with(b"\n") {
        result.push(b'\n');
    }
    result.push(b'\n');
    result.extend_from_slice(HEAD);
    result.push(b'\n');
    for Lent { name, declaration, .. } in lent {
        // What the file calls so here may be a macro by now.
        let function = format!("#undef {name}\n{declaration};\n{declaration}\n{{\n    return &{name};\n}}\n");
        result.extend_from_slice(function.as_bytes());
    }
    result
}

/// What [`lend`] has put behind a file.
pub fn find_lent(text: &[u8]) -> Option<Span> {
    let tokens = lex(text, Span::new(0, text.len())).filter(|token| token.kind == TokenKind::Comment);
    let head = tokens.map(|token| token.span).find(|it| text[it.start..it.end] == *HEAD)?;
    let start = line_start(text, head.start);
    let start = if text[..start].ends_with(b"\n\n") { start - 1 } else { start };
    Some(Span::new(start, text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn the_original_is_found_in_a_copy() {
        let lent = Lent {
            file: PathBuf::from("a.c"),
            stem: "a".into(),
            name: "n".into(),
            declaration: "int (*a_stencil_n(void))".into(),
        };
        let text = b"static int n;\n";
        let copy = lend(text, [&lent]);
        let behind = find_lent(&copy).expect("functions");
        assert_eq!((&copy[..behind.start], behind.end), (&text[..], copy.len()));
        assert!(String::from_utf8_lossy(&copy).contains("\n{\n    return &n;\n}\n"));
    }
}
