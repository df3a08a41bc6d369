//! Limits on what is read, far above what people write: within them reading is quick and recursion stays shallow.

use tree_sitter::Node;

use super::Failable;
use super::reader::Reader;
use super::tree::Unit;
use crate::ir::{Access, Expr, ExprKind, MAX_RANK, Nest, ScalarType};
use crate::source::Diagnostic;

/// Marked nests in a file.
pub const MAX_NESTS: usize = 500;

/// Levels of the syntax tree: each bracket, operator or loop within another is one or two.
const MAX_DEPTH: usize = 1_000;

/// Loops around a statement.
const MAX_LOOPS: usize = 12;

/// Expressions in a nest.
pub const MAX_EXPRESSIONS: usize = 50_000;

/// Operands of one expression with every scalar replaced by its value.
const MAX_OPERANDS: u32 = 5_000;

/// What is known of an expression without looking at its operands again.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Number of operands at all levels, shared ones counted as often as they occur.
    pub operands: u32,
    /// Whether it is an integer made of parameters and constants alone.
    pub is_invariant: bool,
    /// Whether it is a number of any kind that is made so, and of functions that have one result everywhere.
    is_fixed: bool,
}

impl Reader<'_, '_, '_> {
    /// The facts of a new expression from those of its operands.
    pub fn facts_of(&self, ty: ScalarType, kind: &ExprKind) -> Facts {
        let varies = matches!(
            kind,
            ExprKind::Index(_)
                | ExprKind::Iteration(_)
                | ExprKind::Local(_)
                | ExprKind::Accumulator(_)
                | ExprKind::Read(_)
                | ExprKind::Call(..)
        );
        let is_exact = matches!(kind, ExprKind::Call(function, _) if function.is_exact());
        let mut facts = Facts { operands: 1, is_invariant: !varies && ty.is_integer(), is_fixed: !varies || is_exact };
        for operand in kind.operands() {
            let inner = self.facts[operand.index()];
            facts.operands = facts.operands.saturating_add(inner.operands);
            // `(int)(length / width)`
            let is_cut = matches!(kind, ExprKind::Convert(_)) && inner.is_fixed && self.ty(operand).is_float();
            facts.is_invariant &= inner.is_invariant || is_cut;
            facts.is_fixed &= inner.is_fixed;
        }
        facts
    }

    /// Brings what is known of expressions up to date.
    pub fn note_facts(&mut self) {
        while let Some(expr) = self.nest.exprs.handles().nth(self.facts.len()) {
            let Expr { ty, kind } = &self.nest.exprs[expr];
            let facts = self.facts_of(*ty, kind);
            self.most_operands = self.most_operands.max(facts.operands);
            self.facts.push(facts);
        }
    }

    /// Refuses a nest that has grown too large.
    pub fn check_growth(&self, node: Node) -> Failable<()> {
        if self.facts.len() > MAX_EXPRESSIONS {
            let message = format!("this nest has more than {MAX_EXPRESSIONS} expressions");
            return self.refuse(node, "too-large", message, "split it into several nests, or mark an inner part of it");
        }
        if self.most_operands > MAX_OPERANDS {
            let message =
                format!("this expression has more than {MAX_OPERANDS} operands after its variables are replaced");
            let help = "write subscripts, bounds and conditions as short sums, and keep other values in floating-point \
                        variables";
            return self.refuse(node, "too-large", message, help);
        }
        Ok(())
    }

    /// Refuses a loop inside too many others.
    pub fn check_loop_depth(&self, node: Node) -> Failable<()> {
        if self.loops.len() < MAX_LOOPS {
            return Ok(());
        }
        let message = format!("more than {MAX_LOOPS} loops are nested");
        self.refuse(node, "too-large", message, "mark an inner loop of the nest")
    }
}

/// Refuses arrays for whose dimensions the driver's tables have no room.
pub fn check_ranks(nest: &Nest) -> Failable<()> {
    let rank = |access: &Access| nest.arrays[access.array].rank();
    let Some((handle, access)) = nest.accesses.iter().find(|(_, access)| rank(access) > MAX_RANK) else {
        return Ok(());
    };
    let (name, rank) = (&nest.arrays[access.array].name, rank(access));
    let message = format!("`{name}` has {rank} dimensions; an array may have up to {MAX_RANK}");
    let help = "let a pointer lead to the part that the nest uses, as in `double (*p)[n][m][l] = a[1]`, \
                or let two dimensions become one";
    Err(Box::new(Diagnostic::error("too-many-dimensions", message, nest.accesses.span(handle)).with_help(help)))
}

/// Refuses a tree that recursion should not descend.
pub fn check_depth(unit: &Unit, root: Node) -> Failable<()> {
    let (mut cursor, mut depth) = (root.walk(), 0);
    loop {
        if depth > MAX_DEPTH {
            let message = format!("brackets, operators or statements are nested more than {MAX_DEPTH} deep here");
            let help = "write long expressions as several statements, and generated code as loops over tables";
            return Err(Box::new(Diagnostic::error("too-large", message, unit.span(cursor.node())).with_help(help)));
        }
        if cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Ok(());
            }
            depth -= 1;
        }
    }
}
