//! Integers of subscripts, bounds and conditions.

use super::scope::{DONE, StepScope};
use crate::back::host::HOST;
use crate::index::Index;
use crate::ir::{Access, BinaryOp, Expr, ExprKind, Handle, Loop, ScalarType, UnaryOp};

/// Something that must hold.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The expression that it is about.
    pub expr: Handle<Expr>,
    /// It in C.
    pub text: String,
}

impl StepScope<'_> {
    /// An integer in `long long`.
    pub fn integer(&self, expr: Handle<Expr>) -> String {
        HOST.index(&self.index_of(expr))
    }

    /// An integer that is one over the integers, or as C computes it.
    pub fn index_of(&self, expr: Handle<Expr>) -> Index {
        self.over_integers(expr).unwrap_or_else(|| Index::Name(format!("(long long)({})", self.value(expr))))
    }

    /// That a condition holds, or does not.
    pub fn holds(&self, expr: Handle<Expr>, holds: bool) -> Condition {
        if let ExprKind::Unary(UnaryOp::Not, inner) = self.nest.exprs[expr].kind {
            return self.holds(inner, !holds);
        }
        let text = self.comparison(expr, holds).unwrap_or_else(|| {
            let text = self.value(expr);
            let is_name = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            match (holds, is_name) {
                (true, _) => text,
                (false, true) => format!("!{text}"),
                (false, false) => format!("!({text})"),
            }
        });
        Condition { expr, text }
    }

    /// A comparison of two integers, or the opposite one.
    fn comparison(&self, expr: Handle<Expr>, holds: bool) -> Option<String> {
        let ExprKind::Binary(op, left, right) = self.nest.exprs[expr].kind else { return None };
        let op = if holds { op } else { op.opposite() };
        let (left, right) = (self.over_integers(left)?, self.over_integers(right)?);
        let sides = [left, right].map(|side| HOST.summand(&side));
        op.is_comparison().then(|| sides.join(&format!(" {} ", op.symbol())))
    }

    /// The buffer and the subscripts of an access.
    pub fn cell(&self, access: Handle<Access>) -> Vec<String> {
        let Access { buffer, subscripts, .. } = &self.nest.accesses[access];
        buffer.iter().chain(subscripts).map(|part| self.integer(*part)).collect()
    }

    /// The head of a loop over space.
    pub fn loop_head(&self, this: Handle<Loop>) -> String {
        let Loop { first, relation, bound, step, .. } = self.nest.loops[this];
        let name = self.names.loop_variable(this);
        let (first, bound) = (self.integer(first), HOST.summand(&self.index_of(bound)));
        let relation = match relation {
            BinaryOp::NotEqual if step > 0 => BinaryOp::Less,
            BinaryOp::NotEqual => BinaryOp::Greater,
            other => other,
        };
        let count = match step {
            1 => format!("{name}++"),
            -1 => format!("{name}--"),
            _ => format!("{name} += {step}"),
        };
        format!("for (long long {name} = {first}; {name} {} {bound}; {count})", relation.symbol())
    }

    /// An expression of which every part has in `long long` the value that C computes.
    fn over_integers(&self, expr: Handle<Expr>) -> Option<Index> {
        let Expr { ty, kind } = &self.nest.exprs[expr];
        match kind {
            _ if ty.is_float() => None,
            ExprKind::Int(value) => {
                (*value != i64::MIN && (*value >= 0 || !ty.is_unsigned())).then_some(Index::Const(*value))
            }
            ExprKind::Index(this) => Some(Index::name(self.names.loop_variable(*this))),
            ExprKind::Iteration(this) => self.nest.clock.counts(*this).then(|| Index::name(DONE)),
            // What stands under a parameter's name is its signed representative.
            ExprKind::Param(param) => (*ty != ScalarType::U32).then(|| Index::name(self.names.param(*param))),
            ExprKind::Local(local) => self.over_integers(self.nest.locals[*local].value),
            ExprKind::Convert(inner) => self.converted(*ty, *inner),
            ExprKind::Unary(UnaryOp::Negate, inner) if !ty.is_unsigned() => {
                Some(Index::Negate(Box::new(self.over_integers(*inner)?)))
            }
            ExprKind::Binary(op, left, right) if !ty.is_unsigned() => self.operation(*op, *left, *right),
            _ => None,
        }
    }

    /// A conversion that keeps all values.
    fn converted(&self, to: ScalarType, inner: Handle<Expr>) -> Option<Index> {
        let from = self.nest.exprs[inner].ty;
        if let ExprKind::Param(param) = self.nest.exprs[inner].kind
            && from.representative() == to
        {
            return Some(Index::name(self.names.param(param)));
        }
        let is_wider = to.size() > from.size() && (!to.is_unsigned() || from.is_unsigned());
        let is_kept = from.is_integer() && (to == from || is_wider || to == ScalarType::I64);
        if is_kept { self.over_integers(inner) } else { None }
    }

    fn operation(&self, op: BinaryOp, left: Handle<Expr>, right: Handle<Expr>) -> Option<Index> {
        let (left, right) = (self.over_integers(left)?, self.over_integers(right)?);
        match (op, &left, &right) {
            (BinaryOp::Add, ..) => Some(left.sum(right)),
            (BinaryOp::Sub, ..) => Some(left.minus(right)),
            (BinaryOp::Mul, Index::Const(a), Index::Const(b)) => a.checked_mul(*b).map(Index::Const),
            (BinaryOp::Mul, ..) => Some(left.multiplied_by(right)),
            (BinaryOp::Div, _, Index::Const(1..)) => Some(left.divided_by(right)),
            (BinaryOp::Rem, _, Index::Const(1..)) => Some(left.modulo(right)),
            (BinaryOp::BitAnd, _, Index::Const(mask @ 0..)) => {
                // Compilers ask for parentheses around sums here.
                let left = Index::Name(format!("({})", HOST.index(&left)));
                Some(left.masked(*mask))
            }
            _ => None,
        }
    }
}
