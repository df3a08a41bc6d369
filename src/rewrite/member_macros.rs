//! Macros that stand for members of their own names, as in `#define N grid.N`.
//!
//! Where such a macro is in force, `grid.N` is no text that a compiler can read: it becomes `grid.grid.N`. What is inserted there
//! says `N`, as the file does.

use super::edit::Edits;
use crate::source::{Span, directive_words, directives, tokens};

/// The definition of a macro, or the end of one.
#[derive(Clone)]
struct Definition {
    place: usize,
    name: Vec<u8>,
    /// The words of the path to a member of that name, if the macro stands for one.
    path: Option<Vec<Vec<u8>>>,
}

/// Lets what is inserted into `text` name such macros where they are in force; `headers` are texts that the file includes.
pub fn name_member_macros(edits: &mut Edits, text: &[u8], headers: &[Vec<u8>]) {
    let mut in_headers = Vec::new();
    headers.iter().flat_map(|header| definitions(header)).for_each(|definition| note(&mut in_headers, definition));
    let definitions: Vec<_> = definitions(text).collect();
    edits.change_texts(|offset, inserted| {
        let mut in_force = in_headers.clone();
        let before = definitions.iter().take_while(|definition| definition.place < offset);
        before.for_each(|definition| note(&mut in_force, definition.clone()));
        while let Some(changed) = in_force.iter().find_map(|it| with_name(inserted, it)) {
            *inserted = changed;
        }
    });
}

/// The definitions of a text, in order.
fn definitions(text: &[u8]) -> impl Iterator<Item = Definition> {
    directives(text).filter_map(|directive| {
        let mut words = directive_words(text, directive).map(<[u8]>::to_vec);
        let defines = match words.next()?.as_slice() {
            b"define" => true,
            b"undef" => false,
            _ => return None,
        };
        let (name, body) = (words.next()?, words.collect());
        let path = if defines { path_to(&name, body) } else { None };
        Some(Definition { place: directive.start, name, path })
    })
}

/// `body`, without parentheses around it, if it is a path to a member called `name`.
fn path_to(name: &[u8], mut body: Vec<Vec<u8>>) -> Option<Vec<Vec<u8>>> {
    while body.len() > 2 && body[0] == b"(" && body[body.len() - 1] == b")" {
        body = body[1..body.len() - 1].to_vec();
    }
    let is_word = |word: &[u8]| word.first().is_some_and(|it| it.is_ascii_alphabetic() || *it == b'_');
    let fits = |(place, word): (usize, &Vec<u8>)| {
        if place % 2 == 0 { is_word(word) } else { [&b"."[..], b"->"].contains(&word.as_slice()) }
    };
    let is_path = body.len() > 2 && body.len() % 2 == 1 && body.iter().enumerate().all(fits);
    (is_path && body.last().is_some_and(|last| last == name)).then_some(body)
}

fn note(in_force: &mut Vec<Definition>, definition: Definition) {
    in_force.retain(|other| other.name != definition.name);
    in_force.extend(definition.path.is_some().then_some(definition));
}

/// `text` with the macro's name for the first of its paths that begins there.
fn with_name(text: &[u8], Definition { name, path, .. }: &Definition) -> Option<Vec<u8>> {
    let path = path.as_ref()?;
    let found = tokens(text, Span::new(0, text.len()));
    let word = |span: &Span| &text[span.start..span.end];
    let is_it = |place: usize| {
        let here = found.get(place..place + path.len());
        let is_member = place > 0 && [&b"."[..], b"->"].contains(&word(&found[place - 1]));
        !is_member && here.is_some_and(|here| here.iter().zip(path).all(|(span, part)| word(span) == part))
    };
    let place = (0..found.len()).find(|place| is_it(*place))?;
    let (from, to) = (found[place].start, found[place + path.len() - 1].end);
    Some([&text[..from], name, &text[to..]].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(text: &str, header: &str, inserted: &str) -> String {
        let mut edits = Edits::default();
        edits.insert(text.len(), inserted);
        name_member_macros(&mut edits, text.as_bytes(), &[header.as_bytes().to_vec()]);
        String::from_utf8(edits.apply(text.as_bytes())).unwrap()[text.len()..].to_owned()
    }

    #[test]
    fn members_are_called_as_the_file_calls_them() {
        let cases = [
            ("#define N grid.N\n", "", "f(grid.N, &grid.N, a.grid.N, grid.M);", "f(N, &N, a.grid.N, grid.M);"),
            ("#define N ( grid -> N ) /* cells */\n", "", "f(grid->N + 1);", "f(N + 1);"),
            ("#define N grid.N\n#undef N\n", "", "f(grid.N);", "f(grid.N);"),
            ("#define N grid.M\n#define M(grid) grid.M\n", "", "f(grid.N, grid.M);", "f(grid.N, grid.M);"),
            ("#define grid sim->grid\n#define N grid.N\n", "", "f(sim->grid.N);", "f(N);"),
            ("int n;\n", "#define N grid.N\n", "f(grid.N);", "f(N);"),
            ("#undef N\n", "#define N grid.N\n", "f(grid.N);", "f(grid.N);"),
        ];
        for (text, header, inserted, expected) in cases {
            assert_eq!(rewritten(text, header, inserted), expected);
        }
    }

    #[test]
    fn what_stands_before_the_definition_stays() {
        let text = "int f;\n#define N grid.N\n";
        let mut edits = Edits::default();
        edits.insert(0, "grid.N;");
        name_member_macros(&mut edits, text.as_bytes(), &[]);
        assert!(edits.apply(text.as_bytes()).starts_with(b"grid.N;int f;"));
    }
}
