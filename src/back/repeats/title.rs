//! What a macro is called, by what is in it.

use super::tree::{Node, NodeId, Tree};
use crate::back::opencl::{BUFFER, CELLS, TILES};

/// A macro's name and the words of the comment above it.
#[derive(Debug)]
pub struct Title {
    /// What the name begins with.
    pub base: &'static str,
    /// What is in the macro.
    pub text: String,
}

type Test = fn(&[String]) -> bool;

/// What the lines of a run tell about it, the name, and the words; the first that fits counts. Numbers are left out of lines.
const TITLES: &[(Test, &str, &str)] = &[
    (|lines| lines[0].starts_with(BUFFER), "ARGUMENTS", "Arguments of kernels"),
    (|lines| any(lines, TILES), "TILE", "Which tile this is"),
    (|lines| any(lines, CELLS), "SWEEP", "A cell of a sweep"),
    (|lines| lines.iter().all(|line| second_word(line).starts_with("win")), "REGISTERS", "Registers"),
    (|lines| any(lines, "STENCIL_EXCHANGE"), "EXCHANGE", "Registers of neighbours"),
    (|lines| any(lines, "|= "), "MASK", "Which cells of a block lie where"),
    (|lines| any(lines, "stored") || any(lines, "single_now"), "STORE", "Cells on their way out"),
    (|lines| any(lines, "halo"), "HALO", "Cells around the domain"),
    (|lines| any(lines, "vector.s"), "LOAD", "Cells on their way in"),
    (|lines| any(lines, "STENCIL_PREFETCH"), "PREFETCH", "Rows on their way into the cache"),
    (|lines| lines.iter().all(|line| is_moves(line)), "AGE", "Rows of registers become older"),
    (|lines| any(lines, "for ("), "LOOP", "A loop"),
    (|lines| lines[0].starts_with("const bool "), "INSIDE", "What the tile's place makes sure"),
    (|lines| lines[0].starts_with("const "), "VALUES", "Values"),
];

fn any(lines: &[String], mark: &str) -> bool {
    lines.iter().any(|line| line.contains(mark))
}

fn second_word(line: &str) -> &str {
    line.split(' ').nth(1).unwrap_or_default()
}

/// `win = win; win = win;`
fn is_moves(line: &str) -> bool {
    line.split("; ").all(|part| part.split(" = ").count() == 2 && part.split(" = ").all(|side| side.starts_with("win")))
}

impl Title {
    /// The title of a run.
    pub fn new(tree: &Tree, run: &[NodeId]) -> Self {
        let (lines, comments) = texts(tree, run);
        let words = comments.iter().map(|text| text.trim_start_matches("/* ").trim_end_matches(" */"));
        if let Some(level) = words.clone().find(|words| words.starts_with("level ")) {
            return Self { base: "LEVEL", text: format!("As in {level}") };
        }
        let found = TITLES.iter().find(|(fits, _, _)| fits(&lines));
        let (base, text) = found.map_or(("PART", "Lines that are alike"), |(_, base, text)| (*base, *text));
        Self { base, text: text.to_owned() }
    }
}

/// The lines of a run without their numbers, and its comments.
fn texts(tree: &Tree, run: &[NodeId]) -> (Vec<String>, Vec<String>) {
    let (mut lines, mut comments) = (Vec::new(), Vec::new());
    let mut add = |node: &Node| {
        lines.extend(node.parts.iter().map(|(line, _)| line.texts.concat()));
        comments.extend(node.comments.iter().filter(|line| line.is_literal()).map(|line| line.text(&tree.words, &[])));
    };
    for node in run.iter().map(|node| &tree.nodes[*node]) {
        add(node);
        for block in node.parts.iter().filter_map(|(_, block)| *block) {
            tree.visit(block, 0, &mut |node, _| add(node));
        }
    }
    (lines, comments)
}
