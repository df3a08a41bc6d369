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
    /// The candidate of a run at those of the places that are free and do not overlap; `None` if less than `least` is saved.
    pub fn new(survey: &Survey, length: usize, places: &[usize], least: usize) -> Option<Self> {
        // Where it is easy to see, nothing is compared.
        most_saved(survey, length, places).filter(|most| *most >= least)?;
        let places = survey.free_places(length, places);
        let most = most_saved(survey, length, &places).filter(|most| places.len() >= 2 && *most >= least)?;
        let (parameters, arguments) = find_parameters(survey, length, &places)?;
        let pasted = parameters.iter().flatten().count();
        let calls: usize = places.iter().zip(&arguments).map(|(place, row)| survey.call_size(*place, row)).sum();
        let saving = most.checked_sub(calls + 3 * pasted).filter(|saving| *saving >= least)?;
        Some(Self { length, places, parameters, arguments, saving })
    }
}

/// What would be saved if the calls of the macro were nothing.
fn most_saved(survey: &Survey, length: usize, places: &[usize]) -> Option<usize> {
    let first = *places.first()?;
    let body = survey.size(first, length, 1) + 3 * survey.lines(first, length);
    let now: usize = places.iter().map(|place| survey.size(*place, length, survey.depth(*place))).sum();
    now.checked_sub(body + DEFINITION)
}

type Parameters = (Vec<Option<u32>>, Vec<Vec<Number>>);

/// The parameter that each number is and what the parameters are in each place, if they are not too many.
fn find_parameters(survey: &Survey, length: usize, places: &[usize]) -> Option<Parameters> {
    let rows: Vec<&[Number]> = places.iter().map(|place| survey.numbers(*place, length)).collect();
    let mut columns = HashMap::new();
    let mut parameters = Vec::new();
    let mut arguments: Vec<Vec<Number>> = vec![Vec::new(); places.len()];
    for (i, first) in rows[0].iter().enumerate() {
        let is_constant = matches!(first, Number::Literal(_)) && rows.iter().all(|row| row[i] == *first);
        let parameter = (!is_constant).then(|| {
            let column: Vec<Number> = rows.iter().map(|row| row[i]).collect();
            *columns.entry(column).or_insert_with_key(|column| {
                arguments.iter_mut().zip(column).for_each(|(row, number)| row.push(*number));
                arguments[0].len() as u32 - 1
            })
        });
        parameters.push(parameter);
        if columns.len() > MOST_PARAMETERS {
            return None;
        }
    }
    Some((parameters, arguments))
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
