//! Accesses under conditions on data that the program makes whatever the data are.
//!
//! Example: in `if (a[i] == 1) { b[i] = 2; continue; } if (a[i] == 2) { b[i] = 0; continue; } b[i] = 1;` one of the stores is made.
//! And `!(i == n - 1 && wall(j))` holds before the last `i`, whatever `wall` says.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use isl_bindings::{DimKind, Map, Set};

use super::{Affine, Memory, Result};
use crate::ir::{Access, Array, BinaryOp, Expr, ExprKind, Handle, UnaryOp};

/// So many conditions that sets cannot tell are tried in all ways.
const MOST_OPEN: usize = 6;

/// The elements of `array` that `accesses`, which are made under conditions on data, touch for certain, `[p] -> { A0[b, x, y] }`.
pub fn surely_touched(
    memory: &Memory<'_>,
    array: Handle<Array>,
    accesses: impl Iterator<Item = Handle<Access>>,
) -> Result<Vec<Set>> {
    let mut of_one_element: BTreeMap<Vec<String>, Vec<Handle<Access>>> = BTreeMap::new();
    for access in accesses.filter(|access| memory.nest.accesses[*access].array == array) {
        if let Some(element) = element_of(memory, access) {
            of_one_element.entry(element).or_default().push(access);
        }
    }
    of_one_element.values().filter_map(|accesses| elements_of(memory, accesses).transpose()).collect()
}

/// When an access may be made, and of which element, as texts.
fn element_of(memory: &Memory<'_>, access: Handle<Access>) -> Option<Vec<String>> {
    let affine = Affine { nest: memory.nest, names: memory.names };
    let Access { buffer, subscripts, .. } = &memory.nest.accesses[access];
    let places: std::result::Result<Vec<_>, _> =
        buffer.iter().chain(subscripts).map(|part| affine.expression(*part)).collect();
    Some([memory.instance(access), places.ok()?].concat())
}

/// The elements that one of these accesses, which are of one element at each instance, touches for certain.
fn elements_of(memory: &Memory<'_>, accesses: &[Handle<Access>]) -> Result<Option<Set>> {
    let mut open = Open { memory, conditions: Vec::new() };
    let mut made = Vec::new();
    for &access in accesses.iter().filter(|access| memory.nest.accesses[**access].steps.is_empty()) {
        if let (Some(map), Some(condition)) = (map_of(memory, access), open.condition_of(access)) {
            made.push((map.set_tuple_name(DimKind::In, "I")?, condition));
        }
    }
    let Some((first, _)) = made.first().filter(|_| open.conditions.len() <= MOST_OPEN) else { return Ok(None) };
    let head = format!("{}{{ I[{}] : ", memory.names.prefix(), memory.instance(accesses[0]).join(", "));
    let (mut all, mut surely) = (first.clone(), None);
    let nothing = Set::parse(&memory.context, &format!("{head}0 = 1 }}"))?;
    // Most conditions are the same for several outcomes.
    let mut known: BTreeMap<(usize, String), Set> = BTreeMap::new();
    for outcome in 0..1 << open.conditions.len() {
        let mut instances = nothing.clone();
        for (number, (map, condition)) in made.iter().enumerate() {
            let of_outcome = match known.entry((number, condition.text(outcome))) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    let Ok(holds) = memory.texts.set(&format!("{head}{} }}", new.key().1)) else { return Ok(None) };
                    new.insert(map.domain()?.intersect(&holds)?)
                }
            };
            instances = instances.union(of_outcome)?;
        }
        surely = Some(surely.map_or_else(|| Ok(instances.clone()), |surely: Set| surely.intersect(&instances))?);
    }
    for (map, _) in &made[1..] {
        all = all.union(map)?;
    }
    surely.map(|surely| Ok(all.intersect_domain(&surely)?.range()?)).transpose()
}

fn map_of<'m>(memory: &'m Memory<'_>, access: Handle<Access>) -> Option<&'m Map> {
    let statement = memory.nest.step.statements.iter().position(|it| it.write == access);
    statement.map_or_else(|| memory.reads.get(&access), |statement| memory.writes.get(statement))
}

/// When an access is made.
enum Condition {
    /// Where this holds, as isl reads it.
    Known(String),
    /// Where the condition of this number holds, of which sets cannot tell.
    Open(usize),
    Not(Box<Condition>),
    All(Vec<Condition>),
    Any(Vec<Condition>),
}

impl Condition {
    const NEVER: Self = Self::Any(Vec::new());
    const ALWAYS: Self = Self::All(Vec::new());

    /// In isl's notation, if the bits of `outcome` say which of the open conditions hold.
    fn text(&self, outcome: usize) -> String {
        let joined = |parts: &[Self], word: &str, neutral: &str| {
            let texts = parts.iter().map(|part| part.text(outcome)).chain([neutral.to_owned()]);
            format!("({})", texts.collect::<Vec<_>>().join(word))
        };
        match self {
            Self::Known(text) => format!("({text})"),
            Self::Open(number) if outcome >> number & 1 == 1 => Self::ALWAYS.text(outcome),
            Self::Open(_) => Self::NEVER.text(outcome),
            Self::Not(inner) => format!("(not ({}))", inner.text(outcome)),
            Self::All(parts) => joined(parts, " and ", "0 = 0"),
            Self::Any(parts) => joined(parts, " or ", "0 = 1"),
        }
    }
}

/// Conditions of which sets cannot tell: by their expressions, or a comparison by its operands.
struct Open<'m> {
    memory: &'m Memory<'m>,
    conditions: Vec<(Option<BinaryOp>, Vec<Handle<Expr>>)>,
}

impl Open<'_> {
    /// When an access is made; `None` of what is read only to be stored again.
    fn condition_of(&mut self, access: Handle<Access>) -> Option<Condition> {
        let nest = self.memory.nest;
        if let Some(statement) = nest.step.statements.iter().find(|it| it.write == access) {
            return Some(self.stored(statement.value, nest.accesses[access].array));
        }
        let members = self.memory.members_of(access);
        if members.iter().any(|member| nest.accesses[*member].is_kept_value) {
            return None;
        }
        let conditions: Vec<_> = members.iter().flat_map(|member| &nest.accesses[*member].conditions).collect();
        Some(Condition::All(conditions.into_iter().map(|condition| self.condition(*condition)).collect()))
    }

    /// When a statement stores another value than its element has.
    fn stored(&mut self, value: Handle<Expr>, array: Handle<Array>) -> Condition {
        let nest = self.memory.nest;
        match nest.exprs[value].kind {
            ExprKind::Select(condition, then, otherwise) => {
                let [then, otherwise] = [then, otherwise].map(|side| self.stored(side, array));
                let [holds, fails] = [self.condition(condition), self.condition(condition)];
                let fails = Condition::Not(Box::new(fails));
                Condition::Any(vec![Condition::All(vec![holds, then]), Condition::All(vec![fails, otherwise])])
            }
            ExprKind::Convert(inner) => self.stored(inner, array),
            ExprKind::Local(local) => self.stored(nest.locals[local].value, array),
            ExprKind::Read(read) if nest.accesses[read].array == array => Condition::NEVER,
            _ => Condition::ALWAYS,
        }
    }

    fn condition(&mut self, expr: Handle<Expr>) -> Condition {
        let nest = self.memory.nest;
        let is_zero = |expr: Handle<Expr>| matches!(nest.exprs[expr].kind, ExprKind::Int(0));
        match nest.exprs[expr].kind {
            ExprKind::Local(local) => self.condition(nest.locals[local].value),
            ExprKind::Binary(BinaryOp::NotEqual, inner, zero) if is_zero(zero) => self.condition(inner),
            ExprKind::Binary(BinaryOp::Equal, inner, zero) if is_zero(zero) => {
                Condition::Not(Box::new(self.condition(inner)))
            }
            ExprKind::Unary(UnaryOp::Not, inner) => Condition::Not(Box::new(self.condition(inner))),
            ExprKind::Binary(BinaryOp::And, left, right) => {
                Condition::All(vec![self.condition(left), self.condition(right)])
            }
            ExprKind::Binary(BinaryOp::Or, left, right) => {
                Condition::Any(vec![self.condition(left), self.condition(right)])
            }
            _ => self.known(expr).map_or_else(|| self.open(expr), Condition::Known),
        }
    }

    /// A condition on places, of which sets tell what C does.
    fn known(&self, expr: Handle<Expr>) -> Option<String> {
        let affine = Affine { nest: self.memory.nest, names: self.memory.names };
        let mut rounded = Vec::new();
        affine.nonnegative_operands(expr, &mut rounded);
        affine.condition(expr).ok().filter(|_| rounded.is_empty() && affine.is_signed(expr))
    }

    fn open(&mut self, expr: Handle<Expr>) -> Condition {
        match self.memory.nest.exprs[expr].kind {
            ExprKind::Binary(BinaryOp::NotEqual, left, right) => {
                Condition::Not(Box::new(self.number((Some(BinaryOp::Equal), vec![left, right]))))
            }
            ExprKind::Binary(BinaryOp::Equal, left, right) => self.number((Some(BinaryOp::Equal), vec![left, right])),
            _ => self.number((None, vec![expr])),
        }
    }

    fn number(&mut self, condition: (Option<BinaryOp>, Vec<Handle<Expr>>)) -> Condition {
        let known = self.conditions.iter().position(|it| *it == condition);
        Condition::Open(known.unwrap_or_else(|| {
            self.conditions.push(condition);
            self.conditions.len() - 1
        }))
    }
}
