//! Lines of kernels as text with numbers in it.
//!
//! A number is a run of digits within a name (`win12_0_1` has three) or a whole constant of C (`0x1u`, `0.25f`). In the body
//! of a macro some are parameters; those within names are pasted together with what is around them.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::source::{Span, TokenKind, lex_in_line};

/// What stands in a number's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// Text, by its place in [`Words`].
    Literal(u32),
    /// A parameter of the macro in whose body the line is.
    Parameter(u32),
}

/// A line without its indentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The text before each number and behind the last one; the same object in all lines that have the same.
    pub texts: Rc<Vec<String>>,
    /// The numbers.
    pub numbers: Vec<Number>,
}

/// A line with what its tokens tell.
#[derive(Clone, Debug)]
pub struct ReadLine {
    /// The line.
    pub line: Line,
    /// The kind of its first token.
    pub kind: Option<TokenKind>,
    /// The bracket that its last token is, if that opens something.
    pub opened: Option<char>,
}

/// Texts that numbers refer to, each once, and what lines have in common.
#[derive(Debug, Default)]
pub struct Words {
    texts: Vec<String>,
    places: HashMap<String, u32>,
    shared: HashSet<Rc<Vec<String>>>,
    lines: HashMap<String, ReadLine>,
}

impl Words {
    /// The number with that text.
    pub fn literal(&mut self, text: &str) -> Number {
        if let Some(place) = self.places.get(text) {
            return Number::Literal(*place);
        }
        let place = self.texts.len() as u32;
        self.texts.push(text.to_owned());
        self.places.insert(text.to_owned(), place);
        Number::Literal(place)
    }

    /// The texts of a line as the object that all lines with these texts have.
    pub fn shared(&mut self, texts: Vec<String>) -> Rc<Vec<String>> {
        if let Some(known) = self.shared.get(&texts) {
            return Rc::clone(known);
        }
        let texts = Rc::new(texts);
        self.shared.insert(Rc::clone(&texts));
        texts
    }

    /// Finds the numbers of a line of C; string constants have none. Kernels repeat most of their lines.
    pub fn read(&mut self, text: &str) -> ReadLine {
        if let Some(known) = self.lines.get(text) {
            return known.clone();
        }
        let mut parts = Parts { texts: vec![String::new()], numbers: Vec::new() };
        let (kind, last) = parts.add(text, self);
        let opened = last.chars().next().filter(|bracket| matches!(bracket, '(' | '{'));
        let line = Line { texts: self.shared(parts.texts), numbers: parts.numbers };
        let is_directive = text.starts_with('#');
        let read = ReadLine {
            line,
            kind: if is_directive { Some(TokenKind::Directive) } else { kind },
            opened: opened.filter(|_| !is_directive),
        };
        self.lines.insert(text.to_owned(), read.clone());
        read
    }

    /// The length of each text.
    pub fn sizes(&self) -> Vec<usize> {
        self.texts.iter().map(String::len).collect()
    }

    /// What a number looks like; parameters have these names.
    pub fn text<'a>(&'a self, number: Number, names: &'a [String]) -> &'a str {
        match number {
            Number::Literal(place) => &self.texts[place as usize],
            Number::Parameter(parameter) => &names[parameter as usize],
        }
    }
}

/// A line that is being read.
struct Parts {
    texts: Vec<String>,
    numbers: Vec<Number>,
}

impl Parts {
    /// Adds a text that begins outside comments and constants; the kind of its first token, and its last one.
    fn add<'t>(&mut self, text: &'t str, words: &mut Words) -> (Option<TokenKind>, &'t str) {
        let (mut end, mut kind, mut last) = (0, None, "");
        for token in lex_in_line(text.as_bytes(), Span::new(0, text.len())) {
            self.add_text(&text[end..token.span.start]);
            end = token.span.end;
            let token_text = &text[token.span.start..end];
            kind = kind.or(Some(token.kind));
            last = token_text;
            match token.kind {
                TokenKind::Number => self.add_number(token_text, words),
                TokenKind::Word => self.add_name(token_text, words),
                TokenKind::Comment => {
                    self.add_text(&token_text[..2]);
                    self.add(&token_text[2..], words);
                }
                TokenKind::Quoted | TokenKind::Punctuation | TokenKind::Directive => self.add_text(token_text),
            }
        }
        self.add_text(&text[end..]);
        (kind, last)
    }

    fn add_name(&mut self, name: &str, words: &mut Words) {
        let mut rest = name;
        while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
            let (before, from) = rest.split_at(start);
            self.add_text(before);
            let end = from.find(|c: char| !c.is_ascii_digit()).unwrap_or(from.len());
            self.add_number(&from[..end], words);
            rest = &from[end..];
        }
        self.add_text(rest);
    }

    fn add_text(&mut self, text: &str) {
        self.texts.last_mut().expect("there is a text behind the last number").push_str(text);
    }

    fn add_number(&mut self, text: &str, words: &mut Words) {
        self.numbers.push(words.literal(text));
        self.texts.push(String::new());
    }
}

impl Line {
    /// The line as the preprocessor reads it; parameters have these names.
    pub fn text(&self, words: &Words, names: &[String]) -> String {
        let mut text = self.texts[0].clone();
        for (i, number) in self.numbers.iter().enumerate() {
            let is_parameter = matches!(number, Number::Parameter(_));
            let pastes = |is_joined: bool| if is_parameter && is_joined { "##" } else { "" };
            text += pastes(text.ends_with(is_in_name));
            text += words.text(*number, names);
            let behind = &self.texts[i + 1];
            text += pastes(behind.starts_with(is_in_name));
            text += behind;
        }
        text
    }

    /// Whether no number is a parameter.
    pub fn is_literal(&self) -> bool {
        self.numbers.iter().all(|number| matches!(number, Number::Literal(_)))
    }

    /// The parts of names and the names that the line holds; a parameter must be called otherwise.
    pub fn name_parts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().flat_map(|text| text.split(|c| !is_in_name(c))).filter(|part| !part.is_empty())
    }
}

fn is_in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Line, Words) {
        let mut words = Words::default();
        (words.read(text).line, words)
    }

    #[test]
    fn numbers_are_digits_within_names_and_whole_constants() {
        let text = "win12_0_m1 = 0.25f * (f0_0in[here0 - 8] + 0x1.8p-3) + \"a1\";";
        let (line, words) = read(text);
        let numbers: Vec<&str> = line.numbers.iter().map(|number| words.text(*number, &[])).collect();
        assert_eq!(numbers, ["12", "0", "1", "0.25f", "0", "0", "0", "8", "0x1.8p-3"]);
        assert_eq!(line.text(&words, &[]), text);
    }

    #[test]
    fn parameters_within_names_are_pasted() {
        let (mut line, words) = read("win12_0_m1 = 4 * win3;");
        for place in [0, 2, 3, 4] {
            line.numbers[place] = Number::Parameter(place as u32);
        }
        let names = ["a", "b", "c", "d", "e"].map(str::to_owned);
        assert_eq!(line.text(&words, &names), "win##a##_0_m##c = d * win##e;");
    }
}
