//! Text that kernels repeat, written once as macros.
//!
//! Tiles of several steps repeat a level's text for every level, kernels of several depths repeat each other's, and all that
//! differs are numbers: those in the names of registers, offsets, masks. Runs of statements that are equal but for numbers
//! become macros with the numbers that differ as parameters. **What the preprocessor makes of the result are the tokens
//! that were there before**, so that compilers see no difference.
//!
//! The macro that saves most comes first (as in the compression by grammars of Nevill-Manning and Witten 1997, and Apostolico
//! and Lonardi 2000); what others have in common with it, and bodies of macros with each other, is found in later rounds.

mod candidate;
mod definition;
mod line;
mod runs;
mod survey;
mod title;
mod tree;

use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashSet};
use std::rc::Rc;

use candidate::Candidate;
use definition::{Definition, define, make_edits};
use runs::equal_runs;
use survey::Survey;
use tree::{Sequence, Tree};

/// A macro that saves less is not worth the reader's while.
const LEAST_SAVING: usize = 500;

/// Rounds after which hardly anything is left to save.
const MOST_ROUNDS: usize = 12;

/// Kernels with what they repeat written apart.
#[derive(Debug)]
pub struct Shared {
    /// The macros; those that others need come first.
    pub macros: Vec<Macro>,
    /// The kernels in their order.
    pub kernels: Vec<String>,
}

/// A macro's text.
#[derive(Debug)]
pub struct Macro {
    /// Comment and definition.
    pub text: String,
    /// The kernels that need it.
    pub users: BTreeSet<usize>,
}

/// Writes what the texts repeat as macros whose names begin with capitals and end with `suffix` and a number.
pub fn share_repeats(kernels: &[String], suffix: &str) -> Shared {
    let mut sharing = Sharing::new(kernels, suffix);
    for _ in 0..MOST_ROUNDS {
        if !sharing.run_round() {
            break;
        }
    }
    sharing.finish()
}

struct Sharing<'a> {
    tree: Tree,
    kernels: Vec<Sequence>,
    definitions: Vec<Definition>,
    /// Parts of names in the kernels.
    taken: BTreeSet<String>,
    suffix: &'a str,
}

impl<'a> Sharing<'a> {
    fn new(kernels: &[String], suffix: &'a str) -> Self {
        let mut tree = Tree::default();
        let kernels: Vec<Sequence> = kernels.iter().map(|kernel| tree.read(kernel)).collect();
        let (mut taken, mut known) = (BTreeSet::new(), HashSet::new());
        for kernel in &kernels {
            tree.visit(*kernel, 0, &mut |node, _| {
                let lines = node.parts.iter().map(|(line, _)| line);
                let lines = lines.filter(|line| known.insert(Rc::as_ptr(&line.texts)));
                taken.extend(lines.flat_map(|line| line.name_parts().map(str::to_owned)));
            });
        }
        Self { tree, kernels, definitions: Vec::new(), taken, suffix }
    }

    /// Whether there was anything to save.
    fn run_round(&mut self) -> bool {
        let bodies = self.definitions.iter().map(|definition| definition.body);
        let mut survey = Survey::new(&self.tree, self.kernels.iter().copied().chain(bodies));
        let candidates = choose(&self.tree, &mut survey);
        let mut edits = Vec::new();
        for candidate in &candidates {
            let (definition, calls) = define(&mut self.tree, &survey, candidate, self.definitions.len());
            self.definitions.push(definition);
            edits.extend(calls);
        }
        make_edits(&mut self.tree, edits);
        !candidates.is_empty()
    }

    fn finish(mut self) -> Shared {
        let mut users = vec![BTreeSet::new(); self.definitions.len()];
        let mut order = Vec::new();
        for (kernel, sequence) in self.kernels.iter().enumerate() {
            self.add_user(*sequence, kernel, &mut users, &mut order);
        }
        self.tree.macro_names = self.macro_names(&order);
        let macros =
            order.into_iter().map(|number| Macro { text: self.macro_text(number), users: users[number].clone() });
        let text = |kernel: &Sequence| {
            let mut lines = Vec::new();
            self.tree.lines(*kernel, 0, &[], &mut lines);
            lines.join("\n") + "\n"
        };
        Shared { macros: macros.collect(), kernels: self.kernels.iter().map(text).collect() }
    }

    /// Notes that a kernel needs the macros of a sequence, and those that they need.
    fn add_user(&self, sequence: Sequence, kernel: usize, users: &mut [BTreeSet<usize>], order: &mut Vec<usize>) {
        let mut calls = Vec::new();
        self.tree.visit(sequence, 0, &mut |node, _| calls.extend(node.call));
        for number in calls {
            if users[number].insert(kernel) {
                self.add_user(self.definitions[number].body, kernel, users, order);
                if !order.contains(&number) {
                    order.push(number);
                }
            }
        }
    }

    /// The macros' names, counted as they stand in the text.
    fn macro_names(&self, order: &[usize]) -> Vec<String> {
        let mut names = vec![String::new(); self.definitions.len()];
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for number in order {
            let base = self.definitions[*number].base;
            let count = counts.entry(base).or_default();
            *count += 1;
            let prefix = if self.taken.contains(&format!("{base}_")) { "STENCIL_" } else { "" };
            names[*number] = format!("{prefix}{base}_{}{count}", self.suffix);
        }
        names
    }

    fn macro_text(&self, number: usize) -> String {
        let (definition, name) = (&self.definitions[number], &self.tree.macro_names[number]);
        let names: Vec<String> = parameter_names(&self.taken).take(definition.parameter_count).collect();
        let list = if names.is_empty() { String::new() } else { format!("({})", names.join(", ")) };
        let mut lines = Vec::new();
        self.tree.lines(definition.body, 1, &names, &mut lines);
        format!("{}\n#define {name}{list} \\\n{}\n", definition.comment, lines.join(" \\\n"))
    }
}

/// The runs that become macros, the most profitable first.
fn choose(tree: &Tree, survey: &mut Survey) -> Vec<Candidate> {
    let runs = equal_runs(&survey.symbols);
    let bound = |run: &runs::Run| run.places.len() * survey.size(run.places[0], run.length, 8);
    let mut heap: BinaryHeap<_> = runs.iter().enumerate().map(|(number, run)| (bound(run), number)).collect();
    let mut chosen = Vec::new();
    while let Some((_, number)) = heap.pop() {
        let run = &runs[number];
        let Some(candidate) = Candidate::new(survey, run.length, &run.places, LEAST_SAVING) else { continue };
        if heap.peek().is_some_and(|(next, _)| *next > candidate.saving) {
            heap.push((candidate.saving, number));
            continue;
        }
        candidate.places.iter().for_each(|place| survey.touch(tree, *place, run.length));
        chosen.push(candidate);
    }
    chosen
}

/// `a`, `b` and so on without those that are parts of names.
fn parameter_names(taken: &BTreeSet<String>) -> impl Iterator<Item = String> {
    let single = ('a'..='z').map(String::from);
    let double = ('a'..='z').flat_map(|first| ('a'..='z').map(move |second| format!("{first}{second}")));
    single.chain(double).filter(|name| !taken.contains(name))
}
