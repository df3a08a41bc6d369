//! Integer expressions and conditions.

use crate::back::expr::Precedence;
use crate::index::{Condition, Index, Operator, Relation, WorkItem};
use crate::ir::ScalarType;

/// What dialects of C spell differently.
pub struct Arithmetic {
    /// The name of a type.
    pub type_name: fn(ScalarType) -> &'static str,
    /// What a work-item asks for in a dimension, as an `int`.
    pub work_item: fn(WorkItem, usize) -> String,
}

impl Arithmetic {
    /// An index as text.
    pub fn index(&self, index: &Index) -> String {
        self.bare(index).0
    }

    /// An index as an operand of a sum or a comparison.
    pub fn summand(&self, operand: &Index) -> String {
        self.operand(operand, Precedence::Sum)
    }

    /// An index as an operand of a product.
    pub fn factor(&self, operand: &Index) -> String {
        self.operand(operand, Precedence::Unary)
    }

    fn operand(&self, operand: &Index, at_least: Precedence) -> String {
        let (text, precedence) = self.bare(operand);
        if precedence < at_least { format!("({text})") } else { text }
    }

    fn bare(&self, index: &Index) -> (String, Precedence) {
        match index {
            Index::Const(value) => (value.to_string(), Precedence::Unary),
            Index::Name(name) => (name.clone(), Precedence::Primary),
            Index::WorkItem(what, dimension) => ((self.work_item)(*what, *dimension), Precedence::Unary),
            Index::Convert(ty, inner) => {
                (format!("({}){}", (self.type_name)(*ty), self.factor(inner)), Precedence::Unary)
            }
            Index::Negate(inner) => (format!("-{}", self.operand(inner, Precedence::Primary)), Precedence::Unary),
            Index::Binary(op, left, right) => self.binary(*op, left, right),
            Index::Select(condition, then, otherwise) => {
                let (then, otherwise) = (self.index(then), self.index(otherwise));
                (format!("{} ? {then} : {otherwise}", self.condition(condition)), Precedence::Conditional)
            }
            Index::Truth(condition) => (format!("({})", self.condition(condition)), Precedence::Primary),
        }
    }

    fn binary(&self, op: Operator, left: &Index, right: &Index) -> (String, Precedence) {
        let infix = |symbol: &str, own, of_left, of_right| {
            let (left, right) = (self.operand(left, of_left), self.operand(right, of_right));
            (format!("{left} {symbol} {right}"), own)
        };
        let call = |name: &str| (format!("{name}({}, {})", self.index(left), self.index(right)), Precedence::Primary);
        match (op, right) {
            (Operator::Add, Index::Const(value)) if *value < 0 => {
                (format!("{} - {}", self.operand(left, Precedence::Sum), value.unsigned_abs()), Precedence::Sum)
            }
            (Operator::Add, _) => infix("+", Precedence::Sum, Precedence::Sum, Precedence::Sum),
            (Operator::Sub, _) => infix("-", Precedence::Sum, Precedence::Sum, Precedence::Product),
            (Operator::Mul, _) => infix("*", Precedence::Product, Precedence::Unary, Precedence::Unary),
            (Operator::Div, _) => infix("/", Precedence::Product, Precedence::Unary, Precedence::Unary),
            (Operator::Rem, _) => infix("%", Precedence::Product, Precedence::Unary, Precedence::Unary),
            (Operator::BitAnd, _) => infix("&", Precedence::BitAnd, Precedence::Sum, Precedence::Sum),
            (Operator::FloorDiv, _) => call("floord"),
            (Operator::Min, _) => call("min"),
            (Operator::Max, _) => call("max"),
        }
    }

    /// A condition as text.
    pub fn condition(&self, condition: &Condition) -> String {
        let join = |parts: &[Condition], part: fn(&Self, &Condition) -> String, operator: &str| {
            parts.iter().map(|it| part(self, it)).collect::<Vec<_>>().join(operator)
        };
        match condition {
            Condition::Compare(relation, left, right) => {
                let (left, right) = (self.operand(left, Precedence::Sum), self.operand(right, Precedence::Sum));
                format!("{left} {} {right}", symbol(*relation))
            }
            Condition::All(parts) if parts.is_empty() => "1".into(),
            Condition::All(parts) => join(parts, Self::conjunct, " && "),
            Condition::Any(parts) if parts.is_empty() => "0".into(),
            Condition::Any(parts) => join(parts, Self::condition, " || "),
            Condition::Not(part) => match &**part {
                Condition::Named(name) => format!("!{name}"),
                other => format!("!({})", self.condition(other)),
            },
            Condition::Group(part) => format!("({})", self.condition(part)),
            Condition::Bits { mask, bits } => format!("({mask} & {bits:#x}u) != 0"),
            Condition::Named(name) => name.clone(),
        }
    }

    /// A condition that holds together with others.
    fn conjunct(&self, part: &Condition) -> String {
        match part {
            Condition::Any(parts) if parts.len() > 1 => format!("({})", self.condition(part)),
            _ => self.condition(part),
        }
    }
}

fn symbol(relation: Relation) -> &'static str {
    match relation {
        Relation::Equal => "==",
        Relation::Less => "<",
        Relation::LessEqual => "<=",
        Relation::Greater => ">",
        Relation::GreaterEqual => ">=",
    }
}

#[cfg(test)]
mod tests {
    use crate::back::opencl::ARITHMETIC;
    use crate::index::Condition::{All, Any, Named, Not};
    use crate::index::{Condition, Index};

    #[test]
    fn alternatives_among_conditions_keep_together() {
        let condition = |it: &Condition| ARITHMETIC.condition(it);
        let [a, b, c] = ["a", "b", "c"].map(|name| Named(name.into()));
        assert_eq!(condition(&All(vec![Any(vec![a.clone(), b.clone()]), c.clone()])), "(a || b) && c");
        assert_eq!(condition(&Any(vec![All(vec![a.clone(), b.clone()]), c.clone()])), "a && b || c");
        assert_eq!(condition(&All(vec![Any(vec![a.clone()]), b.clone()])), "a && b");
        assert_eq!((condition(&Any(Vec::new())), condition(&All(Vec::new()))), ("0".to_owned(), "1".to_owned()));
        assert_eq!(condition(&c), "c");
        assert_eq!(condition(&Not(Box::new(All(vec![Not(Box::new(a)), b])))), "!(!a && b)");
    }

    #[test]
    fn operands_keep_together() {
        let [a, b] = ["a", "b"].map(Index::name);
        let index = |it: Index| ARITHMETIC.index(&it);
        let choice = || Condition::less(a.clone(), b.clone()).select(a.clone(), b.clone().plus(1));
        assert_eq!(index(choice().times(2).plus(-1)), "(a < b ? a : b + 1) * 2 - 1");
        assert_eq!(index(a.clone().minus(choice()).minus(a.clone().plus(3))), "a - (a < b ? a : b + 1) - (a + 3)");
        assert_eq!(index(a.clone().plus(31).masked(31).sum(b.clone())), "(a + 31 & 31) + b");
        assert_eq!(index(Index::Negate(Box::new(a.clone().minus(b.clone()))).sum(b.clone())), "-(a - b) + b");
        let truth = Index::Truth(Box::new(Condition::less(b.clone(), a.clone())));
        assert_eq!(index(a.minus(truth).divided_by(b)), "(a - (b < a)) / b");
    }
}
