//! Macros in the place of runs.

use std::rc::Rc;

use super::candidate::Candidate;
use super::line::{Line, Number};
use super::survey::Survey;
use super::title::Title;
use super::tree::{Node, NodeId, Sequence, Tree};

/// A run that is written once.
#[derive(Debug)]
pub struct Definition {
    /// What its name begins with.
    pub base: &'static str,
    /// What it stands for.
    pub body: Sequence,
    /// How many parameters it has.
    pub parameter_count: usize,
    /// What the run is, and how often there is one.
    pub comment: String,
}

/// A run that makes room for a call.
#[derive(Debug)]
pub struct Edit {
    place: (Sequence, usize),
    length: usize,
    call: NodeId,
}

/// Makes a macro of a candidate; the edits are to be made when all candidates of the survey have become macros.
pub fn define(tree: &mut Tree, survey: &Survey, candidate: &Candidate, number: usize) -> (Definition, Vec<Edit>) {
    let runs: Vec<Vec<NodeId>> = candidate
        .places
        .iter()
        .map(|place| survey.location(*place))
        .map(|(sequence, index)| tree.sequences[sequence][index..index + candidate.length].to_vec())
        .collect();
    let title = Title::new(tree, &runs[0]);
    let comments = merge_comments(tree, &runs, &candidate.arguments);
    let leading: Vec<Vec<Line>> = runs.iter().map(|run| std::mem::take(&mut tree.nodes[run[0]].comments)).collect();
    let (mut numbers, mut comments) = (candidate.parameters.iter(), comments.map(Vec::into_iter));
    for node in &runs[0] {
        rewrite(tree, *node, &mut numbers, &mut comments);
    }
    tree.sequences.push(runs[0].clone());
    let body = tree.sequences.len() - 1;
    let end = take_semicolon(tree, body);
    let mut edits = Vec::new();
    for ((place, arguments), comments) in candidate.places.iter().zip(&candidate.arguments).zip(leading) {
        let line = call(tree, arguments, end);
        let node = Node { comments, parts: vec![(line, None)], is_fixed: false, call: Some(number) };
        edits.push(Edit { place: survey.location(*place), length: candidate.length, call: tree.add(node) });
    }
    let comment = format!("/* {}; {} times. */", title.text, runs.len());
    (Definition { base: title.base, body, parameter_count: candidate.arguments[0].len(), comment }, edits)
}

/// Puts the calls in the places of the runs.
pub fn make_edits(tree: &mut Tree, mut edits: Vec<Edit>) {
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.place));
    for Edit { place: (sequence, index), length, call } in edits {
        tree.sequences[sequence].splice(index..index + length, [call]);
    }
}

/// What follows the macro's name: `(1, 0);`, or `;` if there is nothing to tell.
fn call(tree: &mut Tree, arguments: &[Number], end: &str) -> Line {
    let Some(between) = arguments.len().checked_sub(1) else {
        return Line { texts: tree.words.shared(vec![end.to_owned()]), numbers: Vec::new() };
    };
    let mut texts = vec![", ".to_owned(); between];
    texts.insert(0, "(".to_owned());
    texts.push(format!("){end}"));
    Line { texts: tree.words.shared(texts), numbers: arguments.to_vec() }
}

/// Leaves the last semicolon of a body to the calls, which then look like statements.
fn take_semicolon(tree: &mut Tree, body: Sequence) -> &'static str {
    let last = tree.sequences[body].last().map(|node| &mut tree.nodes[*node]);
    let Some((line, _)) = last.and_then(|node| node.parts.last_mut()) else { return "" };
    let mut texts = line.texts.to_vec();
    if !texts.last_mut().is_some_and(|text| text.ends_with(';') && text.pop().is_some()) {
        return "";
    }
    line.texts = tree.words.shared(texts);
    ";"
}

/// Puts parameters in the places of the numbers that differ, and the comments that all runs have into the body.
fn rewrite<'a>(
    tree: &mut Tree,
    node: NodeId,
    parameters: &mut impl Iterator<Item = &'a Option<u32>>,
    comments: &mut Option<impl Iterator<Item = Line>>,
) {
    let count = tree.nodes[node].comments.len();
    tree.nodes[node].comments = comments.iter_mut().flat_map(|comments| comments.take(count)).collect();
    let mut parts = std::mem::take(&mut tree.nodes[node].parts);
    for (line, block) in &mut parts {
        for number in &mut line.numbers {
            if let Some(Some(parameter)) = parameters.next() {
                *number = Number::Parameter(*parameter);
            }
        }
        for child in block.map(|block| tree.sequences[block].clone()).unwrap_or_default() {
            rewrite(tree, child, parameters, comments);
        }
    }
    tree.nodes[node].parts = parts;
}

/// The comments within a run that all of them have; numbers that differ are those of parameters, or `n`.
fn merge_comments(tree: &mut Tree, runs: &[Vec<NodeId>], arguments: &[Vec<Number>]) -> Option<Vec<Line>> {
    let all: Vec<Vec<Line>> = runs.iter().map(|run| comments_within(tree, run)).collect();
    let texts = |comments: &Vec<Line>| comments.iter().map(|line| Rc::clone(&line.texts)).collect::<Vec<_>>();
    if all.iter().any(|comments| texts(comments) != texts(&all[0])) {
        return None;
    }
    let some = tree.words.literal("n");
    let mut merged = all[0].clone();
    for (i, comment) in merged.iter_mut().enumerate() {
        for (j, number) in comment.numbers.iter_mut().enumerate() {
            let column: Vec<Number> = all.iter().map(|comments| comments[i].numbers[j]).collect();
            let is_column = |parameter: &usize| arguments.iter().zip(&column).all(|(row, n)| row[*parameter] == *n);
            *number = match (0..arguments[0].len()).find(is_column) {
                Some(parameter) => Number::Parameter(parameter as u32),
                None if matches!(number, Number::Literal(_)) && column.iter().all(|n| n == number) => *number,
                None => some,
            };
        }
    }
    Some(merged)
}

fn comments_within(tree: &Tree, run: &[NodeId]) -> Vec<Line> {
    let mut comments = Vec::new();
    for (i, node) in run.iter().map(|node| &tree.nodes[*node]).enumerate() {
        comments.extend(node.comments.iter().filter(|_| i > 0).cloned());
        for block in node.parts.iter().filter_map(|(_, block)| *block) {
            tree.visit(block, 0, &mut |node, _| comments.extend(node.comments.iter().cloned()));
        }
    }
    comments
}
