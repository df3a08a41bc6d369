//! What would be saved if a run of nodes became a macro.

use std::collections::HashMap;

use super::line::Number;
use super::survey::Survey;

/// More parameters than these make a macro that nobody reads.
const MOST_PARAMETERS: usize = 20;

/// What a line costs beside its text, in the driver that embeds it.
const LINE: usize = 10;

/// What the head of a definition and the comment above it cost.
const DEFINITION: usize = 110;

/// The name of a macro with its parentheses.
const NAME: usize = 12;

/// A run that several places have but for numbers.
#[derive(Debug)]
pub struct Candidate {
    /// The nodes of the run.
    pub length: usize,
    /// Where it begins, without overlap; places of a [`Survey`].
    pub places: Vec<usize>,
    /// For each number of the run, in order, the parameter that it is.
    pub parameters: Vec<Option<u32>>,
    /// For each place what the parameters are there.
    pub arguments: Vec<Vec<Number>>,
    /// By how many characters the text becomes shorter.
    pub saving: usize,
}

impl Candidate {
    /// The candidate of a run at those of the places that are free and do not overlap; `None` if nothing is saved.
    pub fn new(survey: &Survey, length: usize, places: &[usize]) -> Option<Self> {
        let places = survey.free_places(length, places);
        if places.len() < 2 {
            return None;
        }
        let rows: Vec<Vec<Number>> = places.iter().map(|place| survey.numbers(*place, length)).collect();
        let mut columns = HashMap::new();
        let mut parameters = Vec::new();
        let mut arguments: Vec<Vec<Number>> = vec![Vec::new(); places.len()];
        for i in 0..rows[0].len() {
            let column: Vec<Number> = rows.iter().map(|row| row[i]).collect();
            let is_constant = matches!(column[0], Number::Literal(_)) && column.iter().all(|n| *n == column[0]);
            let parameter = (!is_constant).then(|| {
                *columns.entry(column).or_insert_with_key(|column| {
                    arguments.iter_mut().zip(column).for_each(|(row, number)| row.push(*number));
                    arguments[0].len() as u32 - 1
                })
            });
            parameters.push(parameter);
        }
        if columns.len() > MOST_PARAMETERS {
            return None;
        }
        let candidate = Self { length, places, parameters, arguments, saving: 0 };
        let saving = candidate.saved(survey)?;
        Some(Self { saving, ..candidate })
    }

    fn saved(&self, survey: &Survey) -> Option<usize> {
        let pasted = self.parameters.iter().flatten().count();
        let body = survey.size(self.places[0], self.length, 1) + 3 * survey.lines(self.places[0], self.length);
        let calls: usize =
            self.places.iter().zip(&self.arguments).map(|(place, row)| survey.call_size(*place, row)).sum();
        let now: usize = self.places.iter().map(|place| survey.size(*place, self.length, survey.depth(*place))).sum();
        now.checked_sub(calls + body + 3 * pasted + DEFINITION)
    }
}

impl Survey {
    /// The characters of the nodes in a driver, that many blocks deep.
    pub fn size(&self, place: usize, length: usize, depth: usize) -> usize {
        self.text_size(place, length) + self.lines(place, length) * (LINE + 4 * depth)
    }

    fn call_size(&self, place: usize, arguments: &[Number]) -> usize {
        let arguments: usize = arguments.iter().map(|number| self.number_size(*number) + 2).sum();
        LINE + 4 * self.depth(place) + NAME + arguments
    }
}
