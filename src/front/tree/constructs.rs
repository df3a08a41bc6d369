//! OpenMP's directives: the words of their constructs, and which variables these give each thread for its own.
//!
//! OpenMP 5.2, sections 5.1 (loop variables) and 5.4 (clauses). Behind a construct a variable of which each thread had one
//! of its own holds what it held before it.

use tree_sitter::Node;

use super::Unit;
use crate::source::{Span, directive_words};

/// Clauses that name variables.
const PRIVATE: &str = "private";
const FIRSTPRIVATE: &str = "firstprivate";

/// Clauses by which the last iteration leaves variables as without threads.
const LASTING: [&str; 2] = ["lastprivate", "linear"];

/// Clauses that say how many loops belong to a construct.
const DEPTHS: [&str; 2] = ["collapse", "ordered"];

/// Constructs whose loops give each thread loop variables of its own, unless they are also `simd`, which leaves them as without
/// threads.
const LOOPS: [&str; 3] = ["for", "distribute", "taskloop"];

/// One of OpenMP's directives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Construct {
    /// Where it begins; it is blank in the text.
    pub at: usize,
    /// The words before its clauses, such as `parallel` and `for`.
    pub words: Vec<String>,
    /// Its clauses with the names and numbers in each.
    clauses: Vec<(String, Vec<String>)>,
}

/// A variable of which each thread has one of its own within a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Own {
    /// What it is called, there and outside.
    pub name: String,
    /// A place in the directive that makes it, which no other variable has.
    pub made_at: usize,
    /// Whether it begins with what that outside holds.
    pub is_copied: bool,
}

impl Construct {
    /// The directive at `directive`, if it is one of OpenMP's.
    pub fn read(text: &[u8], directive: Span) -> Option<Self> {
        let words: Vec<String> =
            directive_words(text, directive).map(|word| String::from_utf8_lossy(word).into_owned()).collect();
        let [pragma, omp, rest @ ..] = words.as_slice() else { return None };
        if pragma != "pragma" || omp != "omp" || rest.is_empty() {
            return None;
        }
        let mut construct = Self { at: directive.start, ..Self::default() };
        let (mut depth, mut is_behind_name) = (0, false);
        for (index, word) in rest.iter().enumerate() {
            match word.as_str() {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ if depth > 0 => {
                    let is_word = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                    construct.clauses.last_mut().filter(|_| is_word).into_iter().for_each(|it| it.1.push(word.clone()));
                }
                "," => {}
                _ => {
                    is_behind_name |= rest.get(index + 1).is_some_and(|next| next == "(") || is_lone_clause(word);
                    match is_behind_name {
                        true => construct.clauses.push((word.clone(), Vec::new())),
                        false => construct.words.push(word.clone()),
                    }
                }
            }
        }
        Some(construct)
    }

    /// Whether the construct is one of these, or combined with one.
    pub fn is_one_of(&self, constructs: &[&str]) -> bool {
        self.words.iter().any(|word| constructs.contains(&word.as_str()))
    }

    /// The names in its clauses of these kinds.
    pub fn named_in<'c>(&'c self, kinds: &'c [&str]) -> impl Iterator<Item = &'c str> {
        let clauses = self.clauses.iter().filter(|(kind, _)| kinds.contains(&kind.as_str()));
        clauses.flat_map(|(_, names)| names.iter().map(String::as_str))
    }

    /// The names in all of its clauses.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.clauses.iter().flat_map(|(_, names)| names.iter().map(String::as_str))
    }

    /// The first word.
    pub fn name(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    /// How many loops give each thread a variable of its own.
    fn depth(&self) -> usize {
        if !self.is_one_of(&LOOPS) || self.is_one_of(&["simd"]) {
            return 0;
        }
        self.named_in(&DEPTHS).filter_map(|depth| depth.parse().ok()).max().unwrap_or(1)
    }
}

/// Whether a word of a directive is a clause that has no parentheses.
fn is_lone_clause(word: &str) -> bool {
    ["nowait", "ordered", "untied", "mergeable", "nogroup"].contains(&word)
}

impl Unit<'_> {
    /// OpenMP's directives directly above a statement, whether the compiler heeds them or not; nothing that was put into the text
    /// has one.
    pub fn constructs_above<'u>(&'u self, statement: Node) -> impl Iterator<Item = &'u Construct> {
        let constructs = if self.is_put_in(statement.start_byte()) { &[] } else { self.constructs.as_slice() };
        constructs.iter().filter(move |construct| self.is_above(construct.at, statement))
    }

    /// The variables declared outside of a statement of which each thread has one of its own within it; none where the compiler
    /// does not heed OpenMP's directives.
    pub fn own_of_threads(&self, statement: Node) -> Vec<Own> {
        if self.preprocessed.target().has_openmp { self.own_where_heeded(statement) } else { Vec::new() }
    }

    /// The same for a compiler that heeds them.
    pub fn own_where_heeded(&self, statement: Node) -> Vec<Own> {
        let mut all: Vec<Own> = Vec::new();
        for construct in self.constructs_above(statement) {
            let lasting: Vec<&str> = construct.named_in(&LASTING).collect();
            let own = |name: &str, is_copied| Own { name: name.to_owned(), made_at: construct.at, is_copied };
            let copied = construct.named_in(&[FIRSTPRIVATE]).map(|name| own(name, true));
            let fresh = construct.named_in(&[PRIVATE]).map(|name| own(name, false));
            let loops = loop_variables(self, statement, construct.depth()).into_iter().map(|name| own(name, false));
            for found in copied.chain(fresh).chain(loops).filter(|own| !lasting.contains(&own.name.as_str())) {
                match all.iter_mut().find(|own| own.name == found.name) {
                    Some(known) => known.is_copied &= found.is_copied,
                    None => all.push(Own { made_at: found.made_at + all.len(), ..found }),
                }
            }
        }
        all
    }
}

/// The variables, not declared in their headers, of the outermost `depth` loops of a nest.
fn loop_variables<'u>(unit: &'u Unit, statement: Node, depth: usize) -> Vec<&'u str> {
    let (mut found, mut at) = (Vec::new(), Some(statement));
    while let Some(node) = at.filter(|_| found.len() < depth) {
        if node.kind() == "compound_statement" {
            at = super::children(node).into_iter().find(|child| child.kind() != "comment");
            continue;
        }
        let Some(start) = node.child_by_field_name("initializer").filter(|_| node.kind() == "for_statement") else {
            break;
        };
        let target = super::target(start).filter(|target| target.kind() == "identifier");
        found.push(target.map_or("", |target| unit.text(target)));
        at = node.child_by_field_name("body");
    }
    found.retain(|name| !name.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Construct {
        let text = format!("#pragma omp {text}");
        Construct::read(text.as_bytes(), Span::new(0, text.len())).unwrap()
    }

    #[test]
    fn clauses_name_variables() {
        let both = read("parallel for private(i, j) schedule(static, 4), num_threads(f(n)) firstprivate(w) nowait");
        assert_eq!(both.words, ["parallel", "for"]);
        assert_eq!(both.named_in(&[PRIVATE]).collect::<Vec<_>>(), ["i", "j"]);
        assert_eq!(both.named_in(&[FIRSTPRIVATE]).collect::<Vec<_>>(), ["w"]);
        assert_eq!(read("threadprivate(a, b)").named_in(&["threadprivate"]).collect::<Vec<_>>(), ["a", "b"]);
        assert!(Construct::read(b"#pragma once", Span::new(0, 12)).is_none());
    }

    #[test]
    fn loops_of_a_construct_are_counted() {
        for (directive, depth) in [
            ("for", 1),
            ("parallel for collapse(3) private(x)", 3),
            ("for ordered", 1),
            ("for ordered(2)", 2),
            ("taskloop", 1),
            ("parallel for simd", 0),
            ("simd collapse(2)", 0),
            ("parallel", 0),
            ("loop", 0),
        ] {
            assert_eq!(read(directive).depth(), depth, "{directive}");
        }
    }
}
