//! Lines of kernels as text with numbers in it.
//!
//! A number is a run of digits within a name (`win12_0_1` has three) or a whole constant of C (`0x1u`, `0.25f`). In the body
//! of a macro some are parameters; those within names are pasted together with what is around them.

use std::collections::HashMap;

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
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '"' | '\'' => quoted_length(rest, first),
                _ if starts_constant(rest) => constant_length(rest),
                _ if is_in_name(first) => rest.find(|c| !is_in_name(c)).unwrap_or(rest.len()),
                _ => first.len_utf8(),
            };
            let (token, behind) = rest.split_at(length);
            line.add(token, words);
            rest = behind;
        }
        line
    }

    fn add(&mut self, token: &str, words: &mut Words) {
        if starts_constant(token) {
            return self.add_number(token, words);
        }
        let mut rest = token;
        while let Some(start) = rest.find(|c: char| c.is_ascii_digit()).filter(|_| starts_name(token)) {
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

fn starts_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Whether a constant of C starts here, e.g. `0x1u` or `.5`.
fn starts_constant(text: &str) -> bool {
    text.strip_prefix('.').unwrap_or(text).starts_with(|c: char| c.is_ascii_digit())
}

fn constant_length(text: &str) -> usize {
    let mut before = ' ';
    let is_behind = |c: char| {
        let is_sign_of_exponent = matches!(c, '+' | '-') && matches!(before, 'e' | 'E' | 'p' | 'P');
        before = c;
        !is_in_name(c) && c != '.' && !is_sign_of_exponent
    };
    text.find(is_behind).unwrap_or(text.len())
}

fn quoted_length(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    let ends = |(_, c): &(usize, char)| {
        let is_end = *c == quote && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        is_end
    };
    text.char_indices().skip(1).find(ends).map_or(text.len(), |(place, _)| place + 1)
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
