//! Variables of the program and what they lead to, told apart by declarations and not by spelling.

use std::collections::BTreeMap;
use std::ops::Index;

use super::{Arena, Handle};
use crate::source::{FileId, Span};

/// A variable, by its declaration.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable {
    /// The file whose compilation declares it.
    pub file: FileId,
    /// Offset of its declarator in that file's preprocessed text.
    pub declared_at: usize,
    /// Its spelling.
    pub name: String,
}

/// One step from a value to another that it leads to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Selector {
    /// The member of that name.
    Member(String),
    /// What a pointer points to.
    Dereference,
    /// The element of that index.
    Element(i64),
    /// The element whose index is what a variable holds in front of the nest, and so much more.
    ElementAt(Variable, i64),
    /// Each element in turn: the dimension of an array of structures.
    EachElement,
    /// Its address: a number that is an array of one element.
    Address,
}

/// Something that the host can name where the nest stands: a variable, or what a path from one leads to.
///
/// Example: the member `u` of what `g` points to is `g`, [`Selector::Dereference`], [`Selector::Member`]: `g->u`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostValue {
    /// Where the path begins.
    pub variable: Variable,
    /// The way from there; empty for the variable itself.
    pub path: Vec<Selector>,
}

impl HostValue {
    /// It as C where the variable is `root`; of [each element](Selector::EachElement) the first.
    fn to_c(&self, root: &str) -> String {
        let sign = if self.path.last() == Some(&Selector::Address) { "&" } else { "" };
        sign.to_owned() + &self.written(root, "0")
    }

    /// It as people write it: each element is `[.]`, and an address what it is of.
    fn text(&self) -> String {
        self.written(&self.variable.name, ".")
    }

    fn written(&self, root: &str, each: &str) -> String {
        let mut text = root.to_owned();
        // A dereference is written when it is known what follows it.
        let mut is_pending = false;
        for selector in &self.path {
            text = match selector {
                Selector::Member(name) => format!("{}{}{name}", operand(&text), if is_pending { "->" } else { "." }),
                Selector::Dereference | Selector::Address => starred(&text, is_pending),
                Selector::Element(index) => format!("{}[{index}]", operand(&starred(&text, is_pending))),
                Selector::ElementAt(index, more) => {
                    let more = if *more == 0 { String::new() } else { format!(" + {more}LL") };
                    format!("{}[{}{more}]", operand(&starred(&text, is_pending)), index.name)
                }
                Selector::EachElement => format!("{}[{each}]", operand(&starred(&text, is_pending))),
            };
            is_pending = *selector == Selector::Dereference;
        }
        starred(&text, is_pending)
    }
}

/// `*text`, if it is to be dereferenced.
fn starred(text: &str, is_dereferenced: bool) -> String {
    if is_dereferenced { format!("*{text}") } else { text.to_owned() }
}

/// `text` as what a postfix operator applies to.
fn operand(text: &str) -> String {
    if text.starts_with('*') { format!("({text})") } else { text.to_owned() }
}

/// Host values, each once: two handles are equal exactly when the variables and the paths are.
#[derive(Clone, Debug, Default)]
pub struct HostValues {
    values: Arena<HostValue>,
    texts: Vec<String>,
    known: BTreeMap<HostValue, Handle<HostValue>>,
    /// What the host writes for variables that it cannot name where the nest stands.
    lent: BTreeMap<Variable, String>,
}

impl HostValues {
    /// The handle of `value`, which is added if it is new.
    pub fn intern(&mut self, value: HostValue) -> Handle<HostValue> {
        if let Some(known) = self.find(&value) {
            return known;
        }
        self.texts.push(value.text());
        let handle = self.values.push(value.clone(), Span::default());
        self.known.insert(value, handle);
        handle
    }

    /// The handle of an expression of the host's, which is the name of `variable`; people read `text`.
    pub fn expression(&mut self, variable: Variable, text: String) -> Handle<HostValue> {
        let handle = self.variable(variable);
        self.texts[handle.index()] = text;
        handle
    }

    /// The handle of a variable itself.
    pub fn variable(&mut self, variable: Variable) -> Handle<HostValue> {
        self.intern(HostValue { variable, path: Vec::new() })
    }

    /// The handle of `value`, if it was added before.
    pub fn find(&self, value: &HostValue) -> Option<Handle<HostValue>> {
        self.known.get(value).copied()
    }

    /// A value as C where the nest stands.
    pub fn to_c(&self, value: Handle<HostValue>) -> String {
        let value = &self[value];
        value.to_c(self.lent.get(&value.variable).unwrap_or(&value.variable.name))
    }

    /// Lets the host write `text` for a variable.
    pub fn lend(&mut self, variable: Variable, text: String) {
        self.lent.insert(variable, text);
    }

    /// A value as people write it, e.g. `u`, `g->u` or `cell[.].f[3]`.
    pub fn text(&self, value: Handle<HostValue>) -> &str {
        &self.texts[value.index()]
    }

    /// `PREFIX_0`, or with the next number that makes it the name of no value.
    pub fn free_name(&self, prefix: &str) -> String {
        let names = (0..).map(|number| format!("{prefix}_{number}"));
        let is_free = |name: &String| self.texts.iter().all(|text| text != name);
        names.into_iter().find(is_free).expect("names do not run out")
    }

    /// All values, in the order in which they were added.
    pub fn handles(&self) -> impl Iterator<Item = Handle<HostValue>> + use<> {
        self.values.handles()
    }
}

impl Index<Handle<HostValue>> for HostValues {
    type Output = HostValue;
    fn index(&self, value: Handle<HostValue>) -> &HostValue {
        &self.values[value]
    }
}

#[cfg(test)]
mod tests {
    use super::Selector::{Address, Dereference, EachElement, Element};
    use super::*;

    fn variable(name: &str, declared_at: usize) -> Variable {
        Variable { file: FileId::default(), declared_at, name: name.to_owned() }
    }

    fn member(name: &str) -> Selector {
        Selector::Member(name.to_owned())
    }

    #[test]
    fn paths_are_written_as_c() {
        let cases = [
            ("p", vec![Dereference], "*p", "*p"),
            ("g", vec![Dereference, member("u")], "g->u", "g->u"),
            ("s", vec![member("grid"), member("nx")], "s.grid.nx", "s.grid.nx"),
            ("cell", vec![EachElement, member("f"), Element(3)], "cell[.].f[3]", "cell[0].f[3]"),
            ("p", vec![Dereference, Element(2)], "(*p)[2]", "(*p)[2]"),
            ("p", vec![Dereference, Dereference, member("n")], "(*p)->n", "(*p)->n"),
            ("a", vec![Element(1), Dereference, member("n"), Dereference], "*a[1]->n", "*a[1]->n"),
            ("x", vec![Address], "x", "&x"),
            ("g", vec![Dereference, member("x"), Address], "g->x", "&g->x"),
        ];
        let mut values = HostValues::default();
        for (name, path, text, c) in cases {
            let value = values.intern(HostValue { variable: variable(name, 0), path });
            assert_eq!((values.text(value), values.to_c(value).as_str()), (text, c));
        }
    }

    #[test]
    fn handles_are_equal_exactly_when_variable_and_path_are() {
        let mut values = HostValues::default();
        let path = || vec![Dereference, member("u")];
        let here = values.intern(HostValue { variable: variable("g", 10), path: path() });
        assert_eq!(values.intern(HostValue { variable: variable("g", 10), path: path() }), here);
        assert_ne!(values.variable(variable("g", 10)), here);
        let other = values.intern(HostValue { variable: variable("g", 20), path: path() });
        assert_ne!(other, here, "another function has a `g` of its own");
        assert_eq!(values.text(other), values.text(here));
        let elsewhere = Variable { file: FileId::new(1), ..variable("g", 10) };
        assert_ne!(values.intern(HostValue { variable: elsewhere, path: path() }), here);
    }
}
