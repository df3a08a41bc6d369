//! The sequences of a tree side by side, with what makes their nodes alike.

use std::collections::HashMap;
use std::rc::Rc;

use super::line::Number;
use super::tree::{NodeId, Sequence, Tree};

/// What is known of a node.
#[derive(Clone, Debug, Default)]
struct Described {
    /// Nodes of the same shape differ in numbers only.
    shape: u32,
    /// All their numbers, in the order of the text.
    numbers: Vec<Number>,
    /// Lines, without comments before the node.
    lines: usize,
    /// Characters of them, indented as within the node.
    size: usize,
    is_fixed: bool,
}

/// A place in the row of all nodes; separators between sequences have no node.
#[derive(Clone, Copy, Debug)]
struct Place {
    node: Option<NodeId>,
    sequence: Sequence,
    index: usize,
    depth: usize,
}

/// How much stands in a row of places.
#[derive(Clone, Copy, Debug, Default)]
struct Amounts {
    numbers: usize,
    lines: usize,
    size: usize,
}

/// All sequences as one row of symbols.
#[derive(Debug, Default)]
pub struct Survey {
    /// The shape of the node in each place; nodes that no other is like and separators have numbers of their own.
    pub symbols: Vec<u32>,
    places: Vec<Place>,
    /// What stands before each place, and in the end what stands in all.
    before: Vec<Amounts>,
    /// The numbers of all places, one place's behind another's.
    numbers: Vec<Number>,
    /// By node; none for nodes that are in no sequence.
    described: Vec<Option<Described>>,
    parents: Vec<Option<NodeId>>,
    shapes: HashMap<Vec<u32>, u32>,
    /// By the object that lines with the same texts share.
    texts: HashMap<*const Vec<String>, u32>,
    word_sizes: Vec<usize>,
    /// By node whether it is part of a macro now, or holds nodes that are.
    is_touched: Vec<bool>,
}

impl Survey {
    /// Surveys the sequences and all blocks in them.
    pub fn new(tree: &Tree, roots: impl IntoIterator<Item = Sequence>) -> Self {
        let mut survey = Self {
            word_sizes: tree.words.sizes(),
            described: vec![None; tree.nodes.len()],
            parents: vec![None; tree.nodes.len()],
            is_touched: vec![false; tree.nodes.len()],
            ..Self::default()
        };
        roots.into_iter().for_each(|root| survey.add_sequence(tree, root, 0, None));
        survey.add_up();
        survey
    }

    /// Makes of what is known of the nodes what is known of the row.
    fn add_up(&mut self) {
        let (mut own, mut all) = (self.shapes.len() as u32, Amounts::default());
        for place in &self.places {
            let node = place.node.and_then(|node| self.described[node].as_ref());
            own += 1;
            self.symbols.push(node.filter(|node| !node.is_fixed).map_or(own, |node| node.shape));
            self.before.push(all);
            if let Some(node) = node {
                self.numbers.extend(&node.numbers);
                all =
                    Amounts { numbers: self.numbers.len(), lines: all.lines + node.lines, size: all.size + node.size };
            }
        }
        self.before.push(all);
    }

    fn add_sequence(&mut self, tree: &Tree, sequence: Sequence, depth: usize, parent: Option<NodeId>) {
        for (index, node) in tree.sequences[sequence].iter().copied().enumerate() {
            self.parents[node] = parent;
            self.describe(tree, node);
            self.places.push(Place { node: Some(node), sequence, index, depth });
        }
        self.places.push(Place { node: None, sequence, index: 0, depth });
        for node in tree.sequences[sequence].iter().copied() {
            for block in tree.nodes[node].parts.iter().filter_map(|(_, block)| *block) {
                self.add_sequence(tree, block, depth + 1, Some(node));
            }
        }
    }

    fn describe(&mut self, tree: &Tree, id: NodeId) -> &Described {
        if self.described[id].is_some() {
            return self.described[id].as_ref().expect("it is described");
        }
        let node = &tree.nodes[id];
        let mut described = Described { is_fixed: node.is_fixed, ..Described::default() };
        let mut key = Vec::from_iter(node.call.map(|call| call as u32));
        key.push(u32::MAX);
        for (line, block) in &node.parts {
            let next = self.texts.len() as u32;
            key.push(*self.texts.entry(Rc::as_ptr(&line.texts)).or_insert(next));
            described.numbers.extend(&line.numbers);
            described.lines += 1 + usize::from(block.is_some());
            let numbers: usize = line.numbers.iter().map(|number| self.number_size(*number)).sum();
            described.size += numbers + line.texts.iter().map(String::len).sum::<usize>();
            for child in block.iter().flat_map(|block| &tree.sequences[*block]) {
                let child = self.describe(tree, *child);
                key.push(child.shape);
                described.numbers.extend(&child.numbers);
                described.lines += child.lines;
                described.size += child.size + 4 * child.lines;
                described.is_fixed |= child.is_fixed;
            }
            key.push(u32::MAX);
        }
        let next = self.shapes.len() as u32;
        described.shape = *self.shapes.entry(key).or_insert(next);
        self.described[id].insert(described)
    }

    fn nodes(&self, place: usize, length: usize) -> impl Iterator<Item = NodeId> {
        self.places[place..place + length].iter().filter_map(|place| place.node)
    }

    /// The numbers of `length` nodes.
    pub fn numbers(&self, place: usize, length: usize) -> &[Number] {
        &self.numbers[self.before[place].numbers..self.before[place + length].numbers]
    }

    /// Their lines.
    pub fn lines(&self, place: usize, length: usize) -> usize {
        self.before[place + length].lines - self.before[place].lines
    }

    /// The characters of these lines.
    pub fn text_size(&self, place: usize, length: usize) -> usize {
        self.before[place + length].size - self.before[place].size
    }

    /// The characters of a number.
    pub fn number_size(&self, number: Number) -> usize {
        match number {
            Number::Literal(word) => self.word_sizes[word as usize],
            Number::Parameter(_) => 1,
        }
    }

    /// How many blocks are around a place.
    pub fn depth(&self, place: usize) -> usize {
        self.places[place].depth
    }

    /// The sequence of a place, and which of its nodes is there.
    pub fn location(&self, place: usize) -> (Sequence, usize) {
        (self.places[place].sequence, self.places[place].index)
    }

    /// Those of the places, which rise, whose runs are free and do not overlap.
    pub fn free_places(&self, length: usize, places: &[usize]) -> Vec<usize> {
        let mut end = 0;
        let is_free = |place: usize| !self.nodes(place, length).any(|node| self.is_touched[node]);
        let take = |place: &&usize| {
            let is_taken = **place >= end && is_free(**place);
            end = if is_taken { **place + length } else { end };
            is_taken
        };
        places.iter().filter(take).copied().collect()
    }

    /// Takes a run out of further consideration, with all that is in it and around it.
    pub fn touch(&mut self, tree: &Tree, place: usize, length: usize) {
        let nodes: Vec<NodeId> = self.nodes(place, length).collect();
        let mut around = self.parents[nodes[0]];
        while let Some(node) = around {
            self.is_touched[node] = true;
            around = self.parents[node];
        }
        nodes.into_iter().for_each(|node| self.touch_inside(tree, node));
    }

    fn touch_inside(&mut self, tree: &Tree, node: NodeId) {
        self.is_touched[node] = true;
        for block in tree.nodes[node].parts.iter().filter_map(|(_, block)| *block) {
            tree.sequences[block].iter().for_each(|node| self.touch_inside(tree, *node));
        }
    }
}
