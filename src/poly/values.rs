//! What isl finds as expressions and conditions of generated code.

use isl_bindings::{AstExpr, AstOp, AstTerm};

use crate::index::{Condition, Index, Operator, Relation};

/// The value of an expression.
pub fn index(expression: &AstExpr) -> isl_bindings::Result<Index> {
    let (op, operands) = match expression.term()? {
        AstTerm::Id(name) => return Ok(Index::Name(name)),
        AstTerm::Int(value) => return Ok(Index::Const(value)),
        AstTerm::Op(op, operands) => (op, operands),
    };
    let binary = match op {
        AstOp::Minus => return Ok(Index::Negate(Box::new(index(&operands[0])?))),
        AstOp::Cond | AstOp::Select => {
            return Ok(condition(&operands[0])?.select(index(&operands[1])?, index(&operands[2])?));
        }
        AstOp::Max => Operator::Max,
        AstOp::Min => Operator::Min,
        AstOp::Add => Operator::Add,
        AstOp::Sub => Operator::Sub,
        AstOp::Mul => Operator::Mul,
        AstOp::FdivQ => Operator::FloorDiv,
        AstOp::Div | AstOp::PdivQ => Operator::Div,
        AstOp::PdivR | AstOp::ZdivR => Operator::Rem,
        _ => return Ok(Index::Truth(Box::new(condition(expression)?))),
    };
    let mut rest = operands.iter();
    let first = index(rest.next().expect("an operator has operands"))?;
    rest.try_fold(first, |left, right| Ok(Index::binary(binary, left, index(right)?)))
}

/// What an expression says if it is not zero.
pub fn condition(expression: &AstExpr) -> isl_bindings::Result<Condition> {
    let AstTerm::Op(op, operands) = expression.term()? else {
        return Ok(match index(expression)? {
            Index::Const(0) => Condition::Any(Vec::new()),
            Index::Const(_) => Condition::All(Vec::new()),
            other => Condition::Not(Box::new(Condition::equal(other, Index::Const(0)))),
        });
    };
    let relation = match op {
        AstOp::And | AstOp::AndThen => return Ok(Condition::All(joined(&operands, conjuncts)?)),
        AstOp::Or | AstOp::OrElse => return Ok(Condition::Any(joined(&operands, alternatives)?)),
        AstOp::Eq => Relation::Equal,
        AstOp::Le => Relation::LessEqual,
        AstOp::Lt => Relation::Less,
        AstOp::Ge => Relation::GreaterEqual,
        AstOp::Gt => Relation::Greater,
        _ => return Ok(Condition::Not(Box::new(Condition::equal(index(expression)?, Index::Const(0))))),
    };
    Ok(Condition::Compare(relation, index(&operands[0])?, index(&operands[1])?))
}

/// The parts of all operands of a logical operator.
fn joined(operands: &[AstExpr], parts: fn(Condition) -> Vec<Condition>) -> isl_bindings::Result<Vec<Condition>> {
    let mut joined = Vec::new();
    for operand in operands {
        joined.extend(parts(condition(operand)?));
    }
    Ok(joined)
}

fn conjuncts(condition: Condition) -> Vec<Condition> {
    match condition {
        Condition::All(parts) => parts,
        other => vec![other],
    }
}

fn alternatives(condition: Condition) -> Vec<Condition> {
    match condition {
        Condition::Any(parts) => parts,
        all @ Condition::All(_) => vec![Condition::Group(Box::new(all))],
        other => vec![other],
    }
}
