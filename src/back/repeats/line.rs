//! Lines of kernels as text with numbers in it.
//!
//! A number is a run of digits within a name (`win12_0_1` has three) or a whole constant of C (`0x1u`, `0.25f`). In the body
//! of a macro some are parameters; those within names are pasted together with what is around them.

use std::collections::HashMap;

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
    /// The text before each number and behind the last one.
    pub texts: Vec<String>,
    /// The numbers.
    pub numbers: Vec<Number>,
}

/// Texts that numbers refer to, each once.
#[derive(Debug, Default)]
pub struct Words {
    texts: Vec<String>,
    places: HashMap<String, u32>,
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

impl Line {
    /// Finds the numbers of a line of C; string constants have none.
    pub fn read(text: &str, words: &mut Words) -> Self {
        let mut line = Self { texts: vec![String::new()], numbers: Vec::new() };
        line.add(text, words);
        line
    }

    /// Adds a text that begins outside comments and constants.
    fn add(&mut self, text: &str, words: &mut Words) {
        let mut end = 0;
        for token in lex_in_line(text.as_bytes(), Span::new(0, text.len())) {
            self.add_text(&text[end..token.span.start]);
            end = token.span.end;
            let token_text = &text[token.span.start..end];
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
        (Line::read(text, &mut words), words)
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
