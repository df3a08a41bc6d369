//! Reads of one array whose elements differ by constants, as those of a stencil's points do.
//!
//! What holds for one of them holds for the others but for where the array or a domain ends, which isl must see for each. It
//! sees it for all at once if the offset is made a dimension of the instances: the three reads of `a[i - 1] + a[i] + a[i + 1]`
//! become `R4[t, i, o] -> A0[0, i + o]` with `-1 <= o <= 1`. Offsets that fill no box make several groups.

use std::collections::{BTreeMap, BTreeSet};

use isl_bindings::{DimKind, Map, Set};

use super::Affine;
use crate::ir::{Access, BinaryOp, Expr, ExprKind, Handle, Loop, Nest, UnaryOp};

/// Whether reads that differ by constants are analysed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// Together: fast.
    Grouped,
    /// Each alone, so that what is refused is said of the very read that breaks a rule.
    Apart,
}

/// Reads that differ by the offsets of a box. The instances of all are those of the first one with a dimension more for each
/// dimension of the array in which the box is wider than one element.
#[derive(Clone, Debug)]
pub struct ReadGroup {
    /// The first in the program and the others, with their elements' distances from its own.
    pub members: Vec<(Handle<Access>, Vec<i64>)>,
    /// The least of the distances.
    pub lo: Vec<i64>,
    /// The greatest of the distances.
    pub hi: Vec<i64>,
}

impl ReadGroup {
    /// A read alone.
    pub fn single(nest: &Nest, read: Handle<Access>) -> Self {
        let zero = vec![0; nest.accesses[read].subscripts.len()];
        Self { members: vec![(read, zero.clone())], lo: zero.clone(), hi: zero }
    }

    /// The read that the group is called by.
    pub fn first(&self) -> Handle<Access> {
        self.members[0].0
    }

    /// The dimensions of the array in which offsets differ.
    pub fn wide(&self) -> impl Iterator<Item = usize> {
        (0..self.lo.len()).filter(|d| self.lo[*d] < self.hi[*d])
    }

    /// One of the reads, as instances of the whole group.
    fn alone(&self, member: &(Handle<Access>, Vec<i64>)) -> Self {
        Self { members: vec![member.clone()], lo: self.lo.clone(), hi: self.hi.clone() }
    }

    /// Each of the reads with its part of a relation of the group, `[p] -> { K0[t, x, y, o] -> B[z] }`.
    ///
    /// # Errors
    /// isl's errors.
    pub fn apart(&self, relation: &Map) -> isl_bindings::Result<Vec<(Self, Map)>> {
        self.members.iter().map(|member| Ok((self.alone(member), self.at(relation, &member.1)?))).collect()
    }

    /// The part of a relation of the group, `[p] -> { K0[t, x, y, o] -> B[z] }`, that the read at an offset has.
    ///
    /// # Errors
    /// isl's errors.
    pub fn at(&self, relation: &Map, offset: &[i64]) -> isl_bindings::Result<Map> {
        let mut part = relation.clone();
        for (position, d) in (self.first_offset(relation)?..).zip(self.wide()) {
            part = part.fix_si(DimKind::In, position, offset[d])?;
        }
        Ok(part)
    }

    /// A relation of the group, `[p] -> { K0[t, x, y, o] -> B[z] }`, without the offsets: what any of the reads has.
    ///
    /// # Errors
    /// isl's errors.
    pub fn joined(&self, relation: &Map) -> isl_bindings::Result<Map> {
        let (first, count) = (self.first_offset(relation)?, self.wide().count());
        let joined = if count == 0 { relation.clone() } else { relation.project_out(DimKind::In, first, count)? };
        named(&joined, DimKind::In, relation)
    }

    /// A relation of points, `[p] -> { K0[t, x, y] -> S3[t, i, j] }`, for each offset alike:
    /// `[p] -> { K0[t, x, y, o] -> S3[t, i, j, o] }`.
    ///
    /// # Errors
    /// isl's errors.
    pub fn for_each_offset(&self, relation: &Map) -> isl_bindings::Result<Map> {
        let (from, to, count) = (relation.dim(DimKind::In)?, relation.dim(DimKind::Out)?, self.wide().count());
        let mut each = relation.clone();
        if count > 0 {
            each = each.insert_dims(DimKind::In, from, count)?.insert_dims(DimKind::Out, to, count)?;
        }
        for offset in 0..count {
            each = each.equate(DimKind::In, from + offset, DimKind::Out, to + offset)?;
        }
        named(&named(&each, DimKind::In, relation)?, DimKind::Out, relation)
    }

    /// The reads that have a part in a relation of the group, `[p] -> { K0[t, x, y, o] -> B[z] }`, which is not empty.
    ///
    /// # Errors
    /// isl's errors.
    pub fn members_in(&self, relation: &Map) -> isl_bindings::Result<Vec<&(Handle<Access>, Vec<i64>)>> {
        if self.members.len() == 1 {
            return Ok(self.members.iter().collect());
        }
        let first = self.first_offset(relation)?;
        let offsets = relation.domain()?.reset_tuple_id()?.project_out(DimKind::SET, 0, first)?;
        let offsets = offsets.project_out_all_params()?;
        if self.offsets(&offsets)?.is_subset(&offsets)? {
            return Ok(self.members.iter().collect());
        }
        let mut found = Vec::new();
        for member in &self.members {
            let mut offset = offsets.clone();
            for (position, d) in self.wide().enumerate() {
                offset = offset.fix_si(DimKind::SET, position, member.1[d])?;
            }
            if !offset.is_empty()? {
                found.push(member);
            }
        }
        Ok(found)
    }

    /// `{ [o] }`, all offsets of the group.
    fn offsets(&self, like: &Set) -> isl_bindings::Result<Set> {
        let bounds: Vec<_> = self.wide().map(|d| format!("{} <= o{d} <= {}", self.lo[d], self.hi[d])).collect();
        let names: Vec<_> = self.wide().map(|d| format!("o{d}")).collect();
        Set::parse(like.context(), &format!("{{ [{}] : {} }}", names.join(", "), bounds.join(" and ")))
    }

    /// Where the offsets begin in the instances of a relation.
    fn first_offset(&self, relation: &Map) -> isl_bindings::Result<usize> {
        Ok(relation.dim(DimKind::In)? - self.wide().count())
    }

    fn of_box(offsets: &mut Offsets, (lo, hi): (Vec<i64>, Vec<i64>)) -> Self {
        let within = |offset: &Vec<i64>| (0..lo.len()).all(|d| (lo[d]..=hi[d]).contains(&offset[d]));
        let (mut members, mut rest) = (Vec::new(), Offsets::new());
        for (offset, reads) in std::mem::take(offsets) {
            if within(&offset) {
                members.extend(reads.into_iter().map(|read| (read, offset.clone())));
            } else {
                rest.insert(offset, reads);
            }
        }
        *offsets = rest;
        members.sort();
        let first = members[0].1.clone();
        let from_first =
            |offset: &[i64]| -> Vec<i64> { offset.iter().zip(&first).map(|(o, first)| o - first).collect() };
        let (lo, hi) = (from_first(&lo), from_first(&hi));
        let members = members.iter().map(|(read, offset)| (*read, from_first(offset))).collect();
        Self { members, lo, hi }
    }
}

/// A relation with the name of a tuple of another one.
fn named(relation: &Map, kind: DimKind, like: &Map) -> isl_bindings::Result<Map> {
    match like.tuple_name(kind)? {
        Some(name) => relation.set_tuple_name(kind, &name),
        None => Ok(relation.clone()),
    }
}

/// Reads by the constant parts of their subscripts.
type Offsets = BTreeMap<Vec<i64>, Vec<Handle<Access>>>;

/// Fewer reads take isl no longer one by one.
const FEWEST: usize = 8;

/// All groups that are worth it among those that statements need, `reads_of` by statement.
pub fn read_groups(affine: Affine<'_>, reads_of: &[Vec<Handle<Access>>]) -> Vec<ReadGroup> {
    let mut readers: BTreeMap<Handle<Access>, Vec<usize>> = BTreeMap::new();
    for (statement, reads) in reads_of.iter().enumerate() {
        reads.iter().for_each(|read| readers.entry(*read).or_default().push(statement));
    }
    let mut alike: BTreeMap<Kind, Offsets> = BTreeMap::new();
    for (read, readers) in readers {
        if let Some((kind, offset)) = kind_of(affine, read, readers) {
            alike.entry(kind).or_default().entry(offset).or_default().push(read);
        }
    }
    let mut groups = Vec::new();
    for mut offsets in alike.into_values() {
        while !offsets.is_empty() {
            let largest = box_at_first(&offsets);
            groups.push(ReadGroup::of_box(&mut offsets, largest));
        }
    }
    groups.retain(|group| group.members.len() >= FEWEST);
    groups
}

/// What reads have in common that differ by constants: everything that says which elements they read when.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    array: usize,
    buffer: String,
    /// The subscripts without their constants, but for those that a written array's planes are told apart by.
    subscripts: Vec<String>,
    loops: Vec<Handle<Loop>>,
    guards: Vec<Handle<Expr>>,
    steps: Vec<Handle<Expr>>,
    is_speculative: bool,
    /// No write comes between them.
    place: (Vec<u32>, usize),
    readers: Vec<usize>,
}

fn kind_of(affine: Affine<'_>, read: Handle<Access>, readers: Vec<usize>) -> Option<(Kind, Vec<i64>)> {
    let nest = affine.nest;
    let access = &nest.accesses[read];
    let is_written = nest.step.statements.iter().any(|statement| nest.accesses[statement.write].array == access.array);
    let buffer = access.buffer.map_or(Ok(String::new()), |buffer| affine.expression(buffer)).ok()?;
    let (mut subscripts, mut offset) = (Vec::new(), Vec::new());
    for &subscript in &access.subscripts {
        let Sum { terms, constant } = sum(affine, subscript)?;
        let is_plane = terms.is_empty() && is_written;
        subscripts.push(format!("{terms:?} {}", if is_plane { constant } else { 0 }));
        offset.push(constant);
    }
    let kind = Kind {
        array: access.array.index(),
        buffer,
        subscripts,
        loops: access.loops.clone(),
        guards: access.guards.clone(),
        steps: access.steps.clone(),
        is_speculative: access.is_speculative,
        place: place(nest, access),
        readers,
    };
    Some((kind, offset))
}

/// Where an access stands among the writes: the numbers before its last one, and how many writes with the same ones come
/// before it.
fn place(nest: &Nest, access: &Access) -> (Vec<u32>, usize) {
    let depth = access.loops.len();
    let (last, outer) = access.position.split_last().expect("every access has a position");
    let is_before = |write: &Access| {
        write.loops.get(..depth) == Some(&access.loops[..])
            && write.position[..depth] == *outer
            && write.position[depth] < *last
    };
    let writes = nest.step.statements.iter().flat_map(|statement| [statement.write, statement.first]);
    (outer.to_vec(), writes.filter(|write| is_before(&nest.accesses[*write])).count())
}

/// A box of offsets that are all there, with the first offset as its least corner; it grows along the fastest dimension first.
fn box_at_first(offsets: &Offsets) -> (Vec<i64>, Vec<i64>) {
    let lo = offsets.keys().next().expect("there is one").clone();
    let mut hi = lo.clone();
    for d in (0..lo.len()).rev() {
        loop {
            let (mut slab_lo, mut slab_hi) = (lo.clone(), hi.clone());
            slab_hi[d] += 1;
            slab_lo[d] = slab_hi[d];
            if !cells(&slab_lo, &slab_hi).iter().all(|cell| offsets.contains_key(cell)) {
                break;
            }
            hi = slab_hi;
        }
    }
    (lo, hi)
}

fn cells(lo: &[i64], hi: &[i64]) -> BTreeSet<Vec<i64>> {
    let mut cells = BTreeSet::from([Vec::new()]);
    for (lo, hi) in lo.iter().zip(hi) {
        cells = cells.iter().flat_map(|cell| (*lo..=*hi).map(|x| [cell.as_slice(), &[x]].concat())).collect();
    }
    cells
}

/// A sum of terms, each an expression in isl's notation with its factor, and of a constant.
#[derive(Default)]
struct Sum {
    terms: BTreeMap<String, i64>,
    constant: i64,
}

/// An integer expression as a sum; `None` if it is not affine or its numbers are too large.
fn sum(affine: Affine<'_>, expr: Handle<Expr>) -> Option<Sum> {
    let mut sum = Sum::default();
    sum.add(affine, expr, 1)?;
    sum.terms.retain(|_, factor| *factor != 0);
    Some(sum)
}

impl Sum {
    fn add(&mut self, affine: Affine<'_>, expr: Handle<Expr>, factor: i64) -> Option<()> {
        let nest = affine.nest;
        if let Some(constant) = affine.constant(expr) {
            self.constant = self.constant.checked_add(constant.checked_mul(factor)?)?;
            return Some(());
        }
        match nest.exprs[expr].kind {
            _ if !affine.is_over_integers(expr) => None,
            ExprKind::Local(local) => self.add(affine, nest.locals[local].value, factor),
            ExprKind::Convert(inner) => self.add(affine, inner, factor),
            ExprKind::Unary(UnaryOp::Negate, inner) => self.add(affine, inner, factor.checked_neg()?),
            ExprKind::Binary(BinaryOp::Add, left, right) => {
                self.add(affine, left, factor)?;
                self.add(affine, right, factor)
            }
            ExprKind::Binary(BinaryOp::Sub, left, right) => {
                self.add(affine, left, factor)?;
                self.add(affine, right, factor.checked_neg()?)
            }
            ExprKind::Binary(BinaryOp::Mul, left, right) => match (affine.constant(left), affine.constant(right)) {
                (Some(constant), _) => self.add(affine, right, factor.checked_mul(constant)?),
                (_, Some(constant)) => self.add(affine, left, factor.checked_mul(constant)?),
                _ => None,
            },
            _ => {
                let term = self.terms.entry(affine.expression(expr).ok()?).or_default();
                *term = term.checked_add(factor)?;
                Some(())
            }
        }
    }
}
