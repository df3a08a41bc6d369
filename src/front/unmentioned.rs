//! What headers of the system declare and nothing mentions: most of a preprocessed file. It is not parsed.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::extensions::blank;
use super::plain_types::is_name;
use crate::source::{Span, tokens};

/// A declaration at file scope, as a range of words.
struct Declaration<'t> {
    words: Range<usize>,
    /// What it may declare: of other names that stand in it, those that are no plain `typedef`'s are here, too.
    names: Vec<&'t [u8]>,
}

/// Blanks the declarations of which `may_go` holds at their offset if neither the rest of the text nor `clauses` need them, and
/// takes their words out. Returns where they were, with what stood before each, such as attributes.
pub fn blank_unmentioned(
    text: &mut [u8],
    words: &mut Vec<Span>,
    clauses: &[&str],
    may_go: impl Fn(usize) -> bool,
) -> Vec<Range<usize>> {
    let (mut gone, mut kept, mut next) = (Vec::new(), Vec::with_capacity(words.len()), 0);
    for declaration in unmentioned(text, words, clauses, may_go) {
        let before = declaration.start.checked_sub(1).map_or(0, |before| words[before].end);
        let (start, end) = (words[declaration.start].start, words[declaration.end - 1].end);
        blank(&mut text[start..end]);
        kept.extend_from_slice(&words[next..declaration.start]);
        next = declaration.end;
        gone.push(before..end);
    }
    kept.extend_from_slice(&words[next..]);
    *words = kept;
    gone
}

/// The declarations that nothing names but such declarations, as ranges of words.
fn unmentioned(text: &[u8], spans: &[Span], clauses: &[&str], may_go: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let words: Vec<&[u8]> = spans.iter().map(|span| &text[span.start..span.end]).collect();
    let mut found = declarations(&words);
    found.retain(|range| may_go(spans[range.start].start));
    let typedefs: HashSet<&[u8]> = found.iter().filter_map(|range| plain_typedef(&words[range.clone()])).collect();
    let named = |range: Range<usize>| Declaration { names: names(&words[range.clone()], &typedefs), words: range };
    let declarations: Vec<Declaration> = found.into_iter().map(named).collect();
    let mut needs = Needs::new(&declarations);
    let end = declarations.iter().fold(0, |end, declaration| {
        needs.mention_all(&words[end..declaration.words.start]);
        declaration.words.end
    });
    needs.mention_all(&words[end..]);
    for clause in clauses.iter().map(|clause| clause.as_bytes()) {
        let named = tokens(clause, Span::new(0, clause.len()));
        named.into_iter().for_each(|span| needs.mention(&clause[span.start..span.end]));
    }
    while let Some(index) = needs.new.pop() {
        needs.mention_all(&words[declarations[index].words.clone()]);
    }
    let gone = declarations.into_iter().zip(needs.is_needed).filter(|(_, is_needed)| !is_needed);
    gone.map(|(declaration, _)| declaration.words).collect()
}

/// Which declarations are needed.
struct Needs<'t> {
    /// The declarations of each name that was not mentioned yet.
    owners: HashMap<&'t [u8], Vec<usize>>,
    is_needed: Vec<bool>,
    /// Those of which nobody has looked yet what they mention themselves.
    new: Vec<usize>,
}

impl<'t> Needs<'t> {
    fn new(declarations: &[Declaration<'t>]) -> Self {
        let mut owners: HashMap<&[u8], Vec<usize>> = HashMap::new();
        for (index, declaration) in declarations.iter().enumerate() {
            declaration.names.iter().for_each(|name| owners.entry(name).or_default().push(index));
        }
        Self { owners, is_needed: vec![false; declarations.len()], new: Vec::new() }
    }

    fn mention(&mut self, name: &[u8]) {
        for index in self.owners.remove(name).into_iter().flatten() {
            if !std::mem::replace(&mut self.is_needed[index], true) {
                self.new.push(index);
            }
        }
    }

    fn mention_all(&mut self, words: &[&[u8]]) {
        words.iter().for_each(|word| self.mention(word));
    }
}

/// Where at file scope what begins with a word of [`STARTS`] is a declaration.
fn declarations(words: &[&[u8]]) -> Vec<Range<usize>> {
    let (mut found, mut depth, mut is_start, mut at) = (Vec::new(), 0, true, 0);
    while let Some(word) = words.get(at) {
        let length = Some(&words[at..]).filter(|_| is_start && STARTS.contains(word)).and_then(declaration);
        if let Some(length) = length {
            found.push(at..at + length);
            at += length;
            continue;
        }
        match *word {
            b"{" => depth += 1,
            b"}" => depth -= 1,
            _ => {}
        }
        is_start = depth == 0 && matches!(*word, b";" | b"}");
        at += 1;
    }
    found
}

/// What a declaration that may go begins with.
const STARTS: [&[u8]; 5] = [b"extern", b"typedef", b"struct", b"union", b"enum"];

/// Words beside those of types that are no names.
const OTHERS: [&[u8]; 6] = [b"restrict", b"sizeof", b"static", b"asm", b"__asm", b"__asm__"];

fn is_asm(word: &[u8]) -> bool {
    word.ends_with(b"asm") || word == b"__asm__"
}

/// The number of words of the declaration with which words begin: no function, and nothing that has a value.
fn declaration(words: &[&[u8]]) -> Option<usize> {
    let (mut depth, mut last): (_, &[u8]) = (0, b"");
    for (index, word) in words.iter().enumerate() {
        match *word {
            b"{" if last == b")" => return None,
            b"=" if depth == 0 => return None,
            b";" if depth == 0 => return Some(index + 1),
            b"(" | b"[" | b"{" => depth += 1,
            b")" | b"]" | b"}" => depth -= 1,
            // Parameters in the old style are declared here.
            word if depth == 0 && last == b")" && is_word(word) && !is_asm(word) => return None,
            _ => {}
        }
        last = word;
    }
    None
}

/// The name that a declaration makes one of a type, if it stands at the declaration's end.
fn plain_typedef<'t>(words: &[&'t [u8]]) -> Option<&'t [u8]> {
    let [b"typedef", .., name, b";"] = words else { return None };
    Some(*name).filter(|name| is_word(name))
}

/// The names that a declaration may declare.
fn names<'t>(words: &[&'t [u8]], typedefs: &HashSet<&[u8]>) -> Vec<&'t [u8]> {
    let (parameters, own) = (parameters(words, typedefs), plain_typedef(words));
    let is_declared = |(index, word): &(usize, &&[u8])| {
        let is_tag = index.checked_sub(1).is_some_and(|before| matches!(words[before], b"struct" | b"union" | b"enum"));
        let is_used = typedefs.contains(*word) && own != Some(*word) || parameters.contains(index);
        is_tag || !is_used
    };
    let is_one = |word: &[u8]| is_word(word) && is_name(word) && !STARTS.contains(&word) && !OTHERS.contains(&word);
    words.iter().enumerate().filter(|(_, word)| is_one(word)).filter(is_declared).map(|(_, word)| *word).collect()
}

/// The words between the parentheses behind the name of a function with a plain prototype.
fn parameters(words: &[&[u8]], typedefs: &HashSet<&[u8]>) -> Range<usize> {
    let open = words.iter().position(|word| *word == b"(").filter(|_| words[0] == b"extern").unwrap_or(0);
    let is_function =
        open > 0 && is_word(words[open - 1]) && is_name(words[open - 1]) && !typedefs.contains(words[open - 1]);
    let mut depth = 0;
    let close = (open..words.len()).find(|index| {
        depth += match words[*index] {
            b"(" => 1,
            b")" => -1,
            _ => 0,
        };
        depth == 0
    });
    let close =
        close.filter(|close| is_function && words.get(close + 1).is_some_and(|next| *next == b";" || is_asm(next)));
    close.map_or(0..0, |close| open..close)
}

fn is_word(word: &[u8]) -> bool {
    word[0].is_ascii_alphabetic() || word[0] == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of declarations, a line each, those that are left with this text and this clause behind them.
    fn left(declarations: &str, text: &str, clause: &str) -> Vec<String> {
        let mut bytes = (declarations.to_owned() + text).into_bytes();
        let mut words = tokens(&bytes, Span::new(0, bytes.len()));
        blank_unmentioned(&mut bytes, &mut words, &[clause], |at| at < declarations.len());
        let left = String::from_utf8(bytes).unwrap();
        assert!(left.ends_with(text), "{left}");
        assert!(words.iter().all(|span| !left[span.start..span.end].contains(' ')));
        left[..declarations.len()].lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
    }

    #[test]
    fn what_nothing_needs_goes() {
        let declarations = "extern int f(int x);\ntypedef unsigned long size;\nstruct s { size n; };\nenum { A = 1, B };\n\
                            extern struct s *g(size x) __asm__(\"h\");\nextern T **o(T (*)(T));\nextern int v[3];\n";
        assert_eq!(left(declarations, "int x;", ""), [""; 0]);
        let all: Vec<&str> = declarations.lines().collect();
        assert_eq!(left(declarations, "int y = B;", ""), all[3..4]);
        assert_eq!(left(declarations, "int y = f(1);", ""), all[..1]);
        assert_eq!(left(declarations, "int y = g(1);", ""), [all[1], all[2], all[4]]);
        assert_eq!(left(declarations, "", "extent(p[0:v[0]])"), all[6..]);
    }

    #[test]
    fn what_is_more_than_a_declaration_stays() {
        let declarations = "extern int a = 1;\nstruct s f(int x) { }\nextern int g(x) int x; { }\n";
        assert_eq!(left(declarations, "", ""), declarations.lines().collect::<Vec<_>>());
    }

    #[test]
    fn names_in_odd_places_are_found() {
        for (declaration, use_) in [
            ("extern int (*n)(int x);", "n"),
            ("extern int a, (*k)(int x);", "k"),
            ("extern int (*h(int x))(int y);", "h"),
            ("typedef struct t { struct u *p; } t;", "struct u *q"),
            ("typedef int (*call)(int);", "call q"),
        ] {
            assert_eq!(left(&format!("{declaration}\n"), &format!("int z = {use_};"), ""), [declaration]);
            assert_eq!(left(&format!("{declaration}\n"), "int q;", ""), [""; 0], "{declaration}");
        }
    }
}
