//! Jumps out of a part of the nest: `continue`, `break` in a `switch` or in a loop that is executed iteration by iteration,
//! `return` in a called function.
//!
//! What stands behind a jump runs where the jump was not taken, so a block goes on under the opposite of the conditions under
//! which it was left: `if (c) continue; b[i] = 1;` is `if (c) ; else b[i] = 1;`.

use tree_sitter::Node;

use super::Failable;
use super::reader::Reader;
use crate::ir::{BinaryOp, Expr, Gap, Handle, UnaryOp};
use crate::source::Span;

/// What can be left before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The present iteration of a loop.
    Iteration,
    /// A loop that is executed iteration by iteration.
    Loop,
    /// A `switch`.
    Switch,
    /// A called function.
    Function,
}

/// A jump that was read and whose target is still ahead.
#[derive(Clone, Debug)]
pub struct Jump {
    /// What it leaves, an index of [`Reader::exits`].
    target: usize,
    /// All conditions around it, outermost first.
    conditions: Vec<Handle<Expr>>,
}

/// Whether the present block was left.
pub enum Left {
    /// It was not.
    Never,
    /// Where the condition holds.
    If(Handle<Expr>),
    /// In any case.
    Always,
}

impl<'t> Reader<'_, '_, 't> {
    /// Executes statements that follow one another.
    pub fn statements(&mut self, nodes: &[Node<'t>]) -> Failable<()> {
        if let Some(end) = self.end_of_program(nodes) {
            return self.end(end);
        }
        let before = self.jumps.len();
        for (index, node) in nodes.iter().enumerate() {
            self.note_gap(*node);
            self.statement(*node)?;
            if self.has_ended {
                return Ok(());
            }
            let span = self.span(*node);
            match self.left_since(before, span) {
                Left::Never => {}
                Left::If(condition) => {
                    let opposite = self.unary(UnaryOp::Not, condition, span);
                    return self.where_holds(opposite, span, |reader| reader.statements(&nodes[index + 1..]));
                }
                Left::Always => return Ok(()),
            }
        }
        Ok(())
    }

    /// Notes the place of a gap that `node` follows in the loop over time. The host may look there at what was stored before.
    fn note_gap(&mut self, node: Node<'t>) {
        if !self.unit.gaps.contains(&node.start_byte()) || self.position.len() != 2 {
            return;
        }
        self.settle_folds_of_leg();
        if let [_, place] = self.position[..] {
            self.nest.step.gaps.push(Gap { place, ..Gap::default() });
            self.stored.clear();
        }
    }

    /// Runs `read` for something that jumps may leave.
    pub fn within<R>(&mut self, exit: Exit, read: impl FnOnce(&mut Self) -> Failable<R>) -> Failable<R> {
        self.exits.push(exit);
        let result = read(self);
        self.exits.pop();
        let open = self.exits.len();
        self.jumps.retain(|jump| jump.target < open);
        result
    }

    /// Leaves the innermost of `exits`; `None` if there is none in the present function.
    pub fn jump(&mut self, exits: &[Exit]) -> Option<Exit> {
        let here = self.exits.iter().rposition(|exit| *exit == Exit::Function).unwrap_or(0);
        let target = here + self.exits[here..].iter().rposition(|exit| exits.contains(exit))?;
        self.jumps.push(Jump { target, conditions: self.conditions.clone() });
        Some(self.exits[target])
    }

    /// `break`, or `continue`.
    pub fn jump_statement(&mut self, node: Node<'t>) -> Failable<()> {
        let found = match node.kind() {
            "continue_statement" => self.jump(&[Exit::Iteration]),
            _ if self.breaks_a_loop() => self.jump(&[Exit::Loop]),
            _ => self.jump(&[Exit::Iteration, Exit::Switch]).filter(|exit| *exit == Exit::Switch),
        };
        found.map_or_else(|| self.refuse_statement(node), |_| Ok(()))
    }

    /// Whether all loops of the present function around the present place are executed iteration by iteration.
    pub fn is_in_no_other_loop(&self) -> bool {
        let here = self.exits.iter().rposition(|exit| *exit == Exit::Function).unwrap_or(0);
        let mut iterations = (here..self.exits.len()).filter(|at| self.exits[*at] == Exit::Iteration);
        iterations.all(|at| at > here && self.exits[at - 1] == Exit::Loop)
    }

    /// Whether a `break` here leaves a loop that is executed iteration by iteration.
    fn breaks_a_loop(&self) -> bool {
        let innermost = self.exits.iter().rposition(|exit| matches!(exit, Exit::Iteration | Exit::Switch));
        innermost.is_some_and(|at| at > 0 && self.exits[at - 1..=at] == [Exit::Loop, Exit::Iteration])
    }

    /// The conditions around the present place that do not stand around the present block as well: those from `outer` on.
    pub fn conditions_since(&mut self, conditions: &[Handle<Expr>], outer: usize, span: Span) -> Option<Handle<Expr>> {
        conditions[outer..].iter().copied().reduce(|all, next| self.binary(BinaryOp::And, all, next, span))
    }

    /// Whether the jumps read since there were `before` of them leave the present block.
    pub fn left_since(&mut self, before: usize, span: Span) -> Left {
        let outer = self.conditions.len();
        let mut left: Option<Handle<Expr>> = None;
        let jumps: Vec<_> = self.jumps[before..].iter().map(|jump| jump.conditions.clone()).collect();
        for conditions in jumps {
            let Some(condition) = self.conditions_since(&conditions, outer, span) else { return Left::Always };
            left = Some(match left {
                Some(other) => self.binary(BinaryOp::Or, other, condition, span),
                None => condition,
            });
        }
        left.map_or(Left::Never, Left::If)
    }

    /// Runs `read` where `condition` holds, as the only branch of an `if`.
    pub fn where_holds(
        &mut self,
        condition: Handle<Expr>,
        span: Span,
        read: impl FnOnce(&mut Self) -> Failable<()>,
    ) -> Failable<()> {
        self.branches(condition, span, read, |_| Ok(()))
    }
}
