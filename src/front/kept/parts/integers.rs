//! Integers of host code at both ends of their ranges, as C expressions.

use tree_sitter::Node;

use super::{Frame, Meaning, Parts, is_surely_reached};
use crate::front::headers::assignments;
use crate::front::kept::corners::{Code, Corners};
use crate::front::literals::integer_literal;
use crate::front::symbols::Symbol;
use crate::front::tree::{named, strip_parentheses};
use crate::front::types::CType;
use crate::ir::ScalarType;

impl<'t> Parts<'_, '_, '_, 't> {
    /// The values of an integer expression.
    pub(super) fn integer(&self, node: Node<'t>, frame: &Frame<'t>) -> Option<Corners> {
        let node = strip_parentheses(node);
        let corners = match node.kind() {
            "identifier" => self.named_integer(self.text(node), frame)?,
            "number_literal" => self.number(self.text(node))?,
            "field_expression" => {
                let path = self.path(node, frame)?;
                let declared = || match frame.scope.type_of(self.unit(), node)? {
                    CType::Scalar(ty) if ty.is_integer() => Some(ty),
                    _ => None,
                };
                let ty = self.code.type_of(&path).or_else(declared);
                Corners::steady(Code::primary(path), ty)
            }
            "update_expression" => self.counted_up(node, frame)?,
            "unary_expression" if self.text(node.child_by_field_name("operator")?) == "-" => {
                let zero = Corners::steady(Code::primary("0"), Some(ScalarType::I32));
                zero.minus(&self.integer(node.child_by_field_name("argument")?, frame)?)
            }
            "cast_expression" | "call_expression" => match frame.scope.cast_of(self.unit(), node)? {
                (CType::Scalar(ty), value) if ty.is_integer() => self.integer(value, frame)?.cast(ty),
                _ => return None,
            },
            "sizeof_expression" => {
                let size = frame.scope.typed_constant(self.unit(), node)?;
                Corners::steady(Code::primary(size.as_i64()?.to_string()), Some(size.ty))
            }
            "binary_expression" => self.binary(node, frame)?,
            _ => return None,
        };
        Some(corners)
    }

    /// What `k++` is where nothing else in the statement has the name: what `k` is before it.
    fn counted_up(&self, node: Node<'t>, frame: &Frame<'t>) -> Option<Corners> {
        let place = node.child(0).filter(|it| it.kind() == "identifier" && frame.depth == 0)?;
        let name = self.text(place);
        let variable = self.outer.variable(name).filter(|it| !it.is_volatile)?;
        let is_alone = named(self.unit(), frame.body, name).count() == 1 && is_surely_reached(node, frame.body);
        let changes = |body: &Node| assignments(self.unit(), *body, name, None) > 0;
        let is_others = variable.is_static && (self.calls_unseen || self.bodies[1..].iter().any(changes));
        self.names.borrow_mut().insert(name.to_owned());
        match variable.ty {
            CType::Scalar(ty) if ty.is_integer() && is_alone && !is_others => {
                Some(Corners::steady(Code::primary(name), Some(ty)))
            }
            _ => None,
        }
    }

    fn binary(&self, node: Node<'t>, frame: &Frame<'t>) -> Option<Corners> {
        let [left, right] = ["left", "right"].map(|side| node.child_by_field_name(side));
        let (left, right) = (self.integer(left?, frame)?, self.integer(right?, frame)?);
        match self.text(node.child_by_field_name("operator")?) {
            "+" => Some(left.plus(&right)),
            "-" => Some(left.minus(&right)),
            "*" => left.times(&right),
            operator @ ("/" | "%") => left.divided(operator, &right).or_else(|| {
                let is_natural = left.doubts.iter().all(|it| frame.naturals.contains(it));
                left.remainder(&right).filter(|_| operator == "%" && is_natural)
            }),
            _ => None,
        }
    }

    fn number(&self, text: &str) -> Option<Corners> {
        let constant = integer_literal(text)?;
        let code = if text.starts_with('-') { Code::other(text) } else { Code::primary(text) };
        Some(Corners::steady(code, Some(constant.ty)))
    }

    fn named_integer(&self, name: &str, frame: &Frame<'t>) -> Option<Corners> {
        match frame.meanings.get(name) {
            Some(Meaning::Integer(corners)) => return Some(corners.clone()),
            Some(_) => return None,
            None => {}
        }
        if let Some(Symbol::Constant(constant)) = self.outer.get(name)
            && !self.declares(frame.body, name)
        {
            let is_same = matches!(frame.scope.get(name), Some(Symbol::Constant(here)) if here == constant);
            return is_same.then(|| Corners::steady(Code::primary(name), Some(constant.ty)));
        }
        match self.steady_type(name, frame)? {
            CType::Scalar(ty) if ty.is_integer() => Some(Corners::steady(Code::primary(name), Some(ty))),
            _ => None,
        }
    }
}
