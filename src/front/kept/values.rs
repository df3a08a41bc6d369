//! Where the host looks at scalars that steps fold.

use std::ops::Range;

use tree_sitter::Node;

use super::operands::{Stands, operand_in};
use super::program::Program;
use super::step::Step;
use crate::front::declarations::has_word;
use crate::front::tree::{ancestors, children, declared_identifier, fields, nodes_in, takes_address_in, walk};
use crate::ir::{ExprKind, Fold, Folds, Nest, Update};
use crate::source::Span;

/// A statement or an operand, and how it stands.
pub type Look = (Span, Stands);

/// A loop that the host keeps, and its step.
pub struct Around<'a, 'p, 's, 't> {
    /// The program.
    pub program: &'p Program<'p, 's, 't>,
    /// The whole text's tree.
    pub root: Node<'t>,
    /// The outermost of the loops.
    pub outer: Node<'t>,
    /// The step.
    pub step: &'a Step<'t>,
}

impl<'t> Around<'_, '_, '_, 't> {
    /// Visits the code around the step.
    pub fn walk_host(&self, visit: &mut impl FnMut(Node<'t>) -> bool) {
        walk(self.outer, &mut |node| !self.step.has(node) && visit(node));
    }

    /// Whether a statement stands under a condition in the loop.
    pub fn is_conditional(&self, (span, _): Look) -> bool {
        let mut found = false;
        self.walk_host(&mut |node| {
            let whole = self.program.unit.statement_span(node.start_byte(), node.end_byte());
            let is_around = node.kind() == "if_statement" && !self.step.is_in(node);
            found |= is_around && whole.start < span.start && span.end <= whole.end;
            !found
        });
        found
    }
}

/// The statements of a loop before which the host looks at scalars of these names that its steps fold, but for some comparisons;
/// `None` if it may look at them after each step, or before all of them have got new values.
pub fn looks(around: &Around, nest: &Nest, names: &[&str], compared: &[Range<usize>]) -> Option<Vec<Look>> {
    let Around { program, root, outer, step } = *around;
    let folds = &nest.step.folds;
    let is_one = |number: &usize| names.contains(&nest.values.text(folds.accumulators[*number].variable));
    let start_anew = (0..folds.accumulators.len()).filter(is_one).all(|number| starts_anew(nest, folds, number));
    let function = ancestors(root, outer).into_iter().find(|around| around.kind() == "function_definition")?;
    let are_own = names.iter().all(|name| {
        outlives_loop(program, (function, outer), step, name) && !takes_address_in(program.unit, function, name)
    });
    let looks = Looks { program, step, names, compared };
    let mut places = Vec::new();
    (start_anew && are_own && looks.visit_loop(outer, &mut places)).then_some(places)
}

/// Whether a step first of all gives a scalar a value that does not depend on what it holds before.
pub fn starts_anew(nest: &Nest, folds: &Folds, number: usize) -> bool {
    let needs = |update: &Update| {
        let mut parts = nest.reachable([update.value]).into_iter();
        parts.any(|part| matches!(nest.exprs[part].kind, ExprKind::Accumulator(it) if it == number))
    };
    for action in &folds.actions {
        let updates = action.updates();
        let sets = updates.iter().any(|update| update.accumulator == number);
        match action {
            _ if updates.iter().any(needs) => return false,
            Fold::Set(_) if sets => return true,
            Fold::Loop(..) if sets => return false,
            _ => {}
        }
    }
    false
}

/// Whether a name stands for one variable in a function, which outlives the loop: a variable of the function's own whose only
/// declaration is in front of the loop.
pub fn is_declared_once(program: &Program, function: Node, outer: Node, name: &str) -> bool {
    let is_own = |node: &Node| {
        let has_word = |word| has_word(program.unit, *node, "storage_class_specifier", word);
        let is_declaration = node.kind() == "declaration" && !has_word("static") && !has_word("extern");
        is_declaration || node.kind() == "parameter_declaration"
    };
    let declarators = nodes_in(function).filter(is_own).flat_map(|node| fields(node, "declarator"));
    let declared = declarators.filter_map(declared_identifier).filter(|it| program.text(*it) == name);
    let declared: Vec<_> = declared.collect();
    matches!(declared.as_slice(), [one] if one.start_byte() < outer.start_byte())
}

/// Whether a name stands for one variable in a function, which outlives the loop, or can.
fn outlives_loop(program: &Program, (function, outer): (Node, Node), step: &Step, name: &str) -> bool {
    step.declares(name) || is_declared_once(program, function, outer, name)
}

/// What is looked for.
struct Looks<'a, 'p, 's, 't> {
    program: &'p Program<'p, 's, 't>,
    step: &'a Step<'t>,
    names: &'a [&'a str],
    /// Where comparisons stand that do not count.
    compared: &'a [Range<usize>],
}

impl Looks<'_, '_, '_, '_> {
    /// Whether a piece of code has one of the names.
    fn has(&self, node: Node) -> bool {
        let mut found = false;
        walk(node, &mut |inner| {
            found |= inner.kind() == "identifier" && self.names.contains(&self.program.text(inner));
            !found && !self.compared.contains(&inner.byte_range())
        });
        found
    }

    /// Goes through a loop that the step is in; `false` if its head has one of the names.
    fn visit_loop(&self, node: Node, places: &mut Vec<Look>) -> bool {
        let mut head = ["initializer", "condition", "update"].iter().filter_map(|it| node.child_by_field_name(it));
        if head.any(|part| self.has(part)) {
            return false;
        }
        node.child_by_field_name("body").is_none_or(|body| self.visit(body, Stands::Alone, &mut false, places))
    }

    /// Whether the condition of an `if` or an expression can be computed without the names, but perhaps for one operand, of which
    /// note is taken.
    fn may_pass_by(&self, node: Node, known: bool, places: &mut Vec<Look>) -> bool {
        if !node.child_by_field_name("condition").is_none_or(|it| self.has(it)) {
            return true;
        }
        let operand = operand_in(self.program.unit, node, &|it| self.has(it));
        let look = operand.map(|(_, span)| (span, Stands::AsOperand));
        places.extend(look.filter(|_| !known));
        look.is_some()
    }

    /// Goes through a statement; `known` is whether the host has the values of the last step.
    fn visit(&self, node: Node, stands: Stands, known: &mut bool, places: &mut Vec<Look>) -> bool {
        if self.step.has(node) {
            *known = false;
            return true;
        }
        match node.kind() {
            "compound_statement" => {
                return children(node).into_iter().all(|child| self.visit(child, Stands::InBlock, known, places));
            }
            "for_statement" | "while_statement" | "do_statement" if self.step.is_in(node) => {
                *known = false;
                return self.visit_loop(node, places);
            }
            "if_statement" if self.may_pass_by(node, *known, places) => {
                let then = node.child_by_field_name("consequence");
                let otherwise = node.child_by_field_name("alternative").and_then(|it| children(it).first().copied());
                return then
                    .into_iter()
                    .chain(otherwise)
                    .all(|branch| self.visit(branch, Stands::Alone, &mut known.clone(), places));
            }
            _ if !self.has(node) => return true,
            "expression_statement" if self.may_pass_by(node, *known, places) => return true,
            _ => {}
        }
        let span = self.program.unit.statement_span(node.start_byte(), node.end_byte());
        if !std::mem::replace(known, true) {
            places.push((span, stands));
        }
        !self.step.is_in(node)
    }
}
