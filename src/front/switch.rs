//! `switch` as a chain of conditions.

use tree_sitter::Node;

use super::Failable;
use super::exits::{Exit, Left};
use super::reader::Reader;
use super::tree::children;
use crate::ir::{BinaryOp, Expr, Handle, ScalarType, UnaryOp};

/// The statements behind one label.
struct Case<'t> {
    node: Node<'t>,
    /// Whether the value is the label's; `None` for `default`.
    matches: Option<Handle<Expr>>,
    statements: Vec<Node<'t>>,
}

impl<'t> Reader<'_, '_, 't> {
    /// Executes the statements behind each label where the value is that label's, or where those before it run into it.
    pub fn switch_statement(&mut self, node: Node<'t>) -> Failable<()> {
        let cases = self.cases(node)?;
        let span = self.span(node);
        let labels = cases.iter().filter_map(|case| case.matches);
        let any = labels.reduce(|one, other| self.binary(BinaryOp::Or, one, other, span));
        let other = match any {
            Some(any) => self.unary(UnaryOp::Not, any, span),
            None => self.int(ScalarType::I32, 1, span),
        };
        self.within(Exit::Switch, |reader| {
            let mut entered: Option<Handle<Expr>> = None;
            for case in &cases {
                let here = case.matches.unwrap_or(other);
                let condition = match entered {
                    Some(before) => reader.binary(BinaryOp::Or, before, here, span),
                    None => here,
                };
                entered = reader.case(case, condition)?;
            }
            Ok(())
        })
    }

    /// Executes the statements of one case where `condition` holds; returns when those of the next one follow.
    fn case(&mut self, case: &Case<'t>, condition: Handle<Expr>) -> Failable<Option<Handle<Expr>>> {
        if self.constant(condition) == Some(0) {
            return Ok(None);
        }
        let (before, span) = (self.jumps.len(), self.span(case.node));
        if self.constant(condition).is_some() {
            self.statements(&case.statements)?;
        } else {
            self.where_holds(condition, span, |reader| reader.statements(&case.statements))?;
        }
        if is_left(case) {
            return Ok(None);
        }
        Ok(match self.left_since(before, span) {
            Left::Never => Some(condition),
            Left::If(left) => {
                let stays = self.unary(UnaryOp::Not, left, span);
                Some(self.binary(BinaryOp::And, condition, stays, span))
            }
            Left::Always => None,
        })
    }

    fn cases(&mut self, node: Node<'t>) -> Failable<Vec<Case<'t>>> {
        let (condition, body) = (self.field(node, "condition")?, self.field(node, "body")?);
        let span = self.span(condition);
        let value = self.scalar(condition)?;
        let value = self.convert(value, self.ty(value).promoted());
        let value = self.local("selector", value, span);
        let mut cases = Vec::new();
        for child in children(body) {
            if child.kind() != "case_statement" {
                let help = "write the `switch` as `if` and `else`";
                let message = "a statement before the first label of a `switch` is never executed";
                return self.refuse(child, "unsupported-statement", message, help);
            }
            let label = child.child_by_field_name("value");
            let statements: Vec<_> = children(child).into_iter().filter(|it| Some(*it) != label).collect();
            let matches = label.map(|label| self.is_label(value, label)).transpose()?;
            cases.push(Case { node: child, matches, statements });
        }
        Ok(cases)
    }

    fn is_label(&mut self, value: Handle<Expr>, label: Node<'t>) -> Failable<Handle<Expr>> {
        let expected = self.scalar(label)?;
        let expected = self.convert(expected, self.ty(value));
        Ok(self.binary(BinaryOp::Equal, value, expected, self.span(label)))
    }
}

/// Whether nothing runs from a case into the next one.
fn is_left(case: &Case) -> bool {
    case.statements.last().is_some_and(|last| {
        let inner = if last.kind() == "compound_statement" { children(*last).last().copied() } else { Some(*last) };
        inner.is_some_and(|it| matches!(it.kind(), "break_statement" | "continue_statement" | "return_statement"))
    })
}
