//! Where in a loop of the host's arrays are needed.

use tree_sitter::Node;

use super::each_step::is_each_step;
use super::heads::FixedPlace;
use super::host_code::HostCode;
use super::operands::{Stands, operand_in, operand_of_head};
use super::parts::{Touched, touched_by};
use super::step::Step;
use super::{Asks, Need, Place};
use crate::front::Failable;
use crate::front::tree::{address_of, children, first_identifier, is_loop, mentions, nodes_in, walk};
use crate::source::{Diagnostic, Span};

impl<'t> HostCode<'_, '_, 't> {
    /// The statements of the loop `outer` before which arrays are needed, and what heads of loops read that must be no element.
    ///
    /// # Errors
    /// Code at a place where nothing can be put before it needs arrays, or jumps to a label.
    pub fn places(&self, outer: Node<'t>, step: &Step) -> Failable<(Vec<Place>, Vec<FixedPlace>)> {
        let (mut places, mut fixed) = (Vec::new(), Vec::new());
        self.check_jumps(outer)?;
        for part in heads_around(outer, step) {
            match self.fixed_places(part, outer) {
                Some(found) => fixed.extend(found),
                None if self.add_head(step, part, &mut places) => {}
                None => return Err(self.needy_head(part)),
            }
        }
        self.visit_loop(outer, step, &mut places)?;
        places.sort_by_key(|place| place.span.start);
        Ok((places, fixed))
    }

    fn check_jumps(&self, outer: Node) -> Failable<()> {
        let is_lost = |node: &Node| match node.kind() {
            "goto_statement" => !self.goes_outside(outer, *node),
            kind => matches!(kind, "labeled_statement" | "gnu_asm_expression"),
        };
        let Some(jump) = nodes_in(outer).find(is_lost) else { return Ok(()) };
        let message = "the host keeps this loop, and where control goes from here cannot be told";
        let error = Diagnostic::error("kept-step", message, self.unit().span(jump));
        Err(Box::new(
            error.with_help("write it without `goto`, labels and `asm`; jumps may go to labels outside the loop"),
        ))
    }

    /// Whether a jump goes to a label of the function that is not in the loop `outer`.
    fn goes_outside(&self, outer: Node, jump: Node) -> bool {
        let function =
            std::iter::successors(outer.parent(), Node::parent).find(|it| it.kind() == "function_definition");
        let name = |node: Node| node.child_by_field_name("label").map(|label| self.program().text(label));
        let mut found = false;
        walk(function.unwrap_or(outer), &mut |node| {
            found |= node.kind() == "labeled_statement" && name(node) == name(jump);
            node != outer && !found
        });
        found
    }

    /// Goes through a loop that the step is in.
    fn visit_loop(&self, node: Node<'t>, step: &Step, places: &mut Vec<Place>) -> Failable<()> {
        match node.child_by_field_name("body") {
            Some(body) => self.visit(body, step, Stands::Alone, &mut Need::default(), places),
            None => Ok(()),
        }
    }

    /// Refuses a head of a loop that reads what may be in arrays.
    fn needy_head(&self, part: Node) -> Box<Diagnostic> {
        let is_followed = |node: &Node| node.kind() == "pointer_expression" && address_of(self.unit(), *node).is_none();
        let followed = nodes_in(part).find(is_followed);
        let (message, span, help) = match followed {
            Some(place) => (
                format!(
                    "the host keeps this loop, and `{}` in its head may be an element of an array",
                    self.program().text(place)
                ),
                self.unit().span(place),
                "copy it into a variable before the loop, or where it changes, and test that",
            ),
            None => (
                "the host keeps this loop, and its head needs elements of arrays".to_owned(),
                self.unit().span(part),
                match part.parent().and_then(|it| it.child_by_field_name("initializer")) == Some(part) {
                    true => "compute it into a variable before the loop",
                    false => "compute it into a variable at the end of the loop's body",
                },
            ),
        };
        Box::new(Diagnostic::error("kept-step", message, span).with_help(help))
    }

    /// Goes through a statement; `known` is what the driver has brought since the last step.
    fn visit(
        &self,
        node: Node<'t>,
        step: &Step,
        stands: Stands,
        known: &mut Need,
        places: &mut Vec<Place>,
    ) -> Failable<()> {
        if step.has(node) {
            *known = Need::Nothing;
            return Ok(());
        }
        let has_step = step.is_in(node);
        match node.kind() {
            // All threads of a team would do what is put in there.
            _ if !has_step && self.unit().has_construct_above(node) => {}
            "compound_statement" => {
                for child in children(node) {
                    self.visit(child, step, Stands::InBlock, known, places)?;
                }
                return Ok(());
            }
            "for_statement" | "while_statement" | "do_statement" if has_step => {
                self.visit_loop(node, step, places)?;
                *known = Need::Nothing;
                return Ok(());
            }
            "if_statement" => {
                let condition = node.child_by_field_name("condition");
                let need = condition.map_or(Need::Nothing, |condition| self.need_of_host(condition));
                let is_put = need > *known && self.add_operand(step, node, need, known, places);
                if need < Need::Store || is_put {
                    if let Some(condition) = condition.filter(|_| need > *known && !is_put) {
                        let before = self.statement_span(node);
                        self.add_place(step, (before, condition), (Need::Read, stands, false), known, places);
                    }
                    let then = node.child_by_field_name("consequence");
                    let otherwise =
                        node.child_by_field_name("alternative").and_then(|it| children(it).first().copied());
                    for branch in then.into_iter().chain(otherwise) {
                        self.visit(branch, step, Stands::Alone, &mut known.clone(), places)?;
                    }
                    return Ok(());
                }
            }
            _ => {}
        }
        let returns = leaves(node);
        let need = if returns { Need::All } else { self.need_of_host(node) };
        if need > *known && !self.add_operand(step, node, need, known, places) {
            self.add_place(step, (self.statement_span(node), node), (need, stands, returns), known, places);
        }
        Ok(())
    }

    /// Puts something before the operand in a statement that needs arrays; `false` if there is none that may be passed by.
    fn add_operand(&self, step: &Step, node: Node<'t>, need: Need, known: &Need, places: &mut Vec<Place>) -> bool {
        let needs = |part: Node<'t>| self.need_of_host(part) > Need::Nothing;
        let Some((operand, span)) = operand_in(self.unit(), node, &needs) else { return false };
        self.add_place(step, (span, operand), (need, Stands::AsOperand, false), &mut known.clone(), places);
        true
    }

    /// Puts something before the operand in the condition of a loop that reads arrays; `false` if it does more, or stands elsewhere.
    fn add_head(&self, step: &Step, part: Node<'t>, places: &mut Vec<Place>) -> bool {
        let is_condition = part.parent().and_then(|it| it.child_by_field_name("condition")) == Some(part);
        let needs = |part: Node<'t>| self.need_of_host(part) > Need::Nothing;
        let is_read = is_condition && self.need_of_host(part) == Need::Read;
        let Some((operand, span)) = operand_of_head(self.unit(), part, &needs).filter(|_| is_read) else {
            return false;
        };
        self.add_place(step, (span, operand), (Need::Read, Stands::AsOperand, false), &mut Need::default(), places);
        true
    }

    /// What a statement between two legs of a step stores and reads, if its text tells that, and no sweep of the step has a name of where
    /// it stores.
    pub fn stored_within(&self, step: &Step<'t>, statement: Node<'t>) -> Option<Touched> {
        let program = self.program();
        let touched = touched_by(self, self.root, statement)
            .filter(|it| !self.has_index_arrays && !it.stored.is_empty() && !it.reads_anything)?;
        let bodies: Vec<Node> = program.bodies_of(step.statements.clone(), |_| true).collect();
        let is_apart = |place: Node| {
            first_identifier(place)
                .is_some_and(|it| !bodies.iter().any(|body| mentions(program.unit, *body, program.text(it))))
        };
        let mut stored = program.bodies_of(vec![statement], |_| true).flat_map(|body| program.stored(body));
        stored.all(is_apart).then_some(touched)
    }

    fn statement_span(&self, statement: Node) -> Span {
        self.unit().statement_span(statement.start_byte(), statement.end_byte())
    }

    /// Something is put before the place `span`, in which `code` needs arrays.
    fn add_place(
        &self,
        step: &Step,
        (span, code): (Span, Node<'t>),
        (need, stands, returns): (Need, Stands, bool),
        known: &mut Need,
        places: &mut Vec<Place>,
    ) {
        let is_within = step.is_behind_leg(code);
        let touched = match need {
            Need::Nothing | Need::Read => touched_by(self, self.root, code),
            Need::Store if is_within => self.stored_within(step, code),
            Need::Store if !self.has_index_arrays => touched_by(self, self.root, code),
            _ => None,
        };
        let need = if touched.is_none() && need == Need::Store { Need::All } else { need };
        if touched.is_none() {
            *known = need;
        }
        if touched.as_ref().is_none_or(|touched| !touched.is_empty()) {
            let unseen = if need == Need::All { self.unseen(code) } else { None };
            let Touched { mut read, mut reads_anything, stored } = touched.unwrap_or_default();
            read.retain(|_| *known == Need::Nothing || stored.is_empty());
            reads_anything &= *known == Need::Nothing;
            let asks = Asks::Nothing;
            let parts = read;
            let is_each_step = is_each_step(step, code, stands);
            places.push(Place {
                span,
                need,
                stands,
                returns,
                parts,
                reads_anything,
                stored,
                asks,
                unseen,
                is_within,
                is_each_step,
            });
        }
    }
}

/// What stands in the heads of a loop and of those in it that the step is in.
fn heads_around<'t>(outer: Node<'t>, step: &Step) -> Vec<Node<'t>> {
    let mut heads = Vec::new();
    walk(outer, &mut |node| {
        let is_loop = is_loop(node);
        if node == outer || is_loop && step.is_in(node) {
            heads.extend(["initializer", "condition", "update"].iter().filter_map(|it| node.child_by_field_name(it)));
        }
        !step.has(node)
    });
    heads
}

/// Whether a statement may return from the function, or jump to a label.
fn leaves(node: Node) -> bool {
    nodes_in(node).any(|inner| matches!(inner.kind(), "return_statement" | "goto_statement"))
}
