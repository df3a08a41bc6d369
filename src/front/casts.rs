//! Names in parentheses: `(x) - y` is a difference if `x` is a variable, and a cast if it is a type.
//!
//! The grammar does not know which names are types. It takes `(x)` for a cast before `+` and `-`, and for a value before `*`,
//! `&` and `(`. So types are written as `int` before the text is parsed, and what was misread is corrected after it: values
//! lose their parentheses, which they do not need there.

use std::iter;
use std::rc::Rc;

use tree_sitter::{Node, Tree};

use super::declarations::Scope;
use super::selections::find_selections;
use super::symbols::Symbol;
use super::tree::{CastNames, Given, Unit, ancestors, children_within, declared_identifier, fields, node_at, nodes_in};

/// What the grammar took for something else.
#[derive(Debug, PartialEq, Eq)]
pub enum Misread {
    /// Parentheses around a value that were read as a cast.
    Value { open: usize, close: usize },
    /// A value for which `int` was written, since it has the name of a type elsewhere.
    Type { at: usize },
}

impl Unit<'_> {
    /// Parses the text, with parentheses read as C does; `None` if it is too far from C, as in [`Unit::parse_text`].
    pub fn parse(&mut self) -> Option<Tree> {
        let given = self.given();
        let known = self.parsed.borrow().find(&given);
        if let Some((corrected, tree)) = known {
            (self.text, self.plain_types) = (corrected.text, corrected.plain_types);
            return Some(tree);
        }
        let like = self.parsed.borrow().nearest(&self.text);
        let tree = self.parse_anew(like)?;
        self.parsed.borrow_mut().keep(given, self.given(), &tree);
        Some(tree)
    }

    /// What is parsed.
    pub fn given(&self) -> Given {
        Given { text: self.text.clone(), plain_types: self.plain_types.clone() }
    }

    /// Parses the text, of one `like` it only what is not in that.
    fn parse_anew(&mut self, mut like: Option<(String, Tree)>) -> Option<Tree> {
        loop {
            let tree = self.parse_text(like.as_ref().map(|(text, tree)| (text.as_str(), tree)))?;
            let misread = find_misread(self, tree.root_node());
            let selections = if misread.is_empty() { find_selections(self, tree.root_node()) } else { Vec::new() };
            if misread.is_empty() && selections.is_empty() {
                return Some(tree);
            }
            like = Some((self.text.clone(), tree.clone()));
            selections.iter().for_each(|selection| self.select(selection));
            misread.into_iter().for_each(|place| self.correct(place));
        }
    }

    /// Writes what was misread so that the grammar cannot read it in the same way again.
    fn correct(&mut self, place: Misread) {
        match place {
            Misread::Value { open, close } => {
                self.text.replace_range(open..open + 1, " ");
                self.text.replace_range(close..close + 1, " ");
            }
            Misread::Type { at } => {
                let name = self.plain_types.remove(&at).expect("a name was replaced here");
                self.text.replace_range(at..at + name.len(), &name);
            }
        }
    }
}

/// What was misread in the tree of `unit`.
pub fn find_misread(unit: &Unit, root: Node) -> Vec<Misread> {
    let files = names_in_files(unit, root);
    let is_type = |name: &str| files.iter().any(|(_, names)| names.types.contains(name));
    let is_variable = |name: &str| files.iter().any(|(_, names)| names.variables.contains(name));
    let is_value = |name: &str, node: Node| {
        if name.starts_with("__builtin_") {
            return name != "__builtin_va_list";
        }
        let is_type_name = is_type(name) || name.starts_with('_');
        is_variable(name) && (!is_type_name || is_value_at(unit, root, node, name))
    };
    let casts = files.iter().flat_map(|(start, names)| names.casts.iter().map(move |cast| (*start, cast)));
    let casts = casts.filter_map(|(start, (name, at))| {
        let cast =
            node_at(root, start + at.start, |it| it.kind() == "cast_expression" && it.byte_range().len() == at.len());
        cast.filter(|cast| is_value(name, *cast))
    });
    let values = casts.filter_map(|node| {
        let ty = node.child_by_field_name("type")?;
        if let Some(parameters) = factor_in_parentheses(ty) {
            return Some(Misread::Value { open: parameters.start_byte(), close: parameters.end_byte() - 1 });
        }
        let close = ty.next_sibling()?;
        Some(Misread::Value { open: node.start_byte(), close: close.start_byte() })
    });
    let types = unit.plain_types.iter().filter(|(at, name)| {
        let node = root.descendant_for_byte_range(**at, **at + 1);
        node.is_some_and(|node| is_value(name, node))
    });
    values.chain(types.map(|(at, _)| Misread::Type { at: *at })).collect()
}

fn is_value_at(unit: &Unit, root: Node, node: Node, name: &str) -> bool {
    let scope = Scope::at(unit, &ancestors(root, node), node.start_byte());
    matches!(scope.get(name), Some(Symbol::Variable(_) | Symbol::Constant(_)))
}

/// What the program's files declare, with where each of them begins; what is in none of the others is the user's.
fn names_in_files(unit: &Unit, root: Node) -> Vec<(usize, Rc<CastNames>)> {
    if root.has_error() {
        // What is not C may go on into the next file.
        return vec![(0, Rc::new(CastNames::of(unit, &[root], 0)))];
    }
    let others = unit.other_files();
    let ends = others.iter().map(|file| file.start).chain([unit.text.len()]);
    let own = iter::once(0).chain(others.iter().map(|file| file.end)).zip(ends);
    let own: Vec<Node> = own.flat_map(|(start, end)| children_within(root, start..end)).collect();
    let mut found = vec![(0, Rc::new(CastNames::of(unit, &own, 0)))];
    for file in others {
        let text = &unit.text[file.clone()];
        let known = unit.parsed.borrow().cast_names(text);
        let names = known.unwrap_or_else(|| {
            let names = CastNames::of(unit, &children_within(root, file.clone()), file.start);
            unit.parsed.borrow_mut().keep_cast_names(text, names)
        });
        found.push((file.start, names));
    }
    found
}

impl CastNames {
    /// In these nodes of a file that begins at `start`.
    fn of(unit: &Unit, nodes: &[Node], start: usize) -> Self {
        let mut names = Self::default();
        nodes.iter().flat_map(|node| nodes_in(*node)).for_each(|node| names.note(unit, node, start));
        names
    }

    fn note(&mut self, unit: &Unit, node: Node, start: usize) {
        let name = |declarator: &Node| declared_identifier(*declarator).map(|name| unit.text(name).to_owned());
        match node.kind() {
            "type_definition" => self.types.extend(fields(node, "declarator").iter().filter_map(name)),
            "declaration" | "parameter_declaration" | "function_definition" => {
                self.variables.extend(fields(node, "declarator").iter().filter_map(name));
            }
            "enumerator" => {
                self.variables.extend(node.child_by_field_name("name").map(|name| unit.text(name).to_owned()));
            }
            "cast_expression" => {
                let at = node.start_byte() - start..node.end_byte() - start;
                let name = node.child_by_field_name("type").and_then(lone_name);
                self.casts.extend(name.map(|name| (unit.text(name).to_owned(), at)));
            }
            _ => {}
        }
    }
}

/// The name in `x`, `x[i]` and `x(y)`, if these were read as types.
fn lone_name(ty: Node) -> Option<Node> {
    let declarator = ty.child_by_field_name("declarator");
    let is_postfix =
        |declarator: Node| matches!(declarator.kind(), "abstract_array_declarator" | "abstract_function_declarator");
    let name = ty.child(0).filter(|name| name.kind() == "type_identifier")?;
    (declarator.is_none_or(is_postfix) || factor_in_parentheses(ty).is_some()).then_some(name)
}

/// The parentheses around `a[i]` in `x * (a[i])[k]`, which the grammar takes for a pointer to functions of an `a[i]`.
fn factor_in_parentheses(ty: Node) -> Option<Node> {
    let mut inner = ty.child_by_field_name("declarator").filter(|it| it.kind() == "abstract_pointer_declarator")?;
    while let Some(declarator) = inner.child_by_field_name("declarator") {
        inner = declarator;
    }
    inner.child_by_field_name("parameters")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Preprocessed, SourceFile};

    /// The casts in a function with `body`, as they are written after parsing.
    fn casts(body: &str) -> Vec<String> {
        let head = "typedef double real; enum { K }; double f(double); void g(int x, double *a, double d)";
        let source = SourceFile::new("a.c", Vec::new());
        let preprocessed = Preprocessed::new(format!("{head} {{ {body} }}").into_bytes());
        let mut unit = Unit::new(&source, &preprocessed);
        let tree = unit.parse().unwrap();
        assert!(!tree.root_node().has_error(), "{}", unit.text);
        let casts = nodes_in(tree.root_node()).filter(|node| node.kind() == "cast_expression");
        casts.map(|cast| unit.text(cast).split_whitespace().collect()).collect()
    }

    #[test]
    fn values_are_not_cast_to() {
        assert_eq!(casts("d = (x) + (x+2)*(x);"), [""; 0]);
        assert_eq!(casts("d = (a[x]) - a[1] + (a[x]) - (K) + 1; d = (K) - (f(d)) + 1 - -(d) + 1;"), [""; 0]);
        assert_eq!(casts("d = (__builtin_huge_val()) - 1;"), [""; 0]);
        assert_eq!(casts("d = -(d * (a[x])[1]) - x + 1 / (d * (a)[x]) - d;"), [""; 0]);
    }

    #[test]
    fn types_are_cast_to() {
        assert_eq!(casts("d = (int)-x + (real)-x + (real)*a;"), ["(int)-x", "(int)-x", "(int)*a"]);
    }

    #[test]
    fn names_are_those_of_the_scope() {
        assert_eq!(casts("double real = 2; d = (real)-x + (real)*x;"), [""; 0]);
        assert_eq!(casts("{ double real = 2; d = (real)-x * 2; } d = (real)-d;"), ["(int)-d"]);
    }
}
