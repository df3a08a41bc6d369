//! Scalars that loops over space carry from point to point: `x = a[i + 1] + v; v = a[i]; a[i] = x;`.
//!
//! What such a scalar holds in an iteration is what the iteration before made of elements. So it becomes an array of the step's
//! own, its trail, with an element for each iteration: `x = a[i + 1] + v[i - 1]; v[i] = a[i]; a[i] = x;`, and `v[first - 1] = before` in
//! front of the loop. All that is known of arrays holds then. On the host, which takes the iterations one by one, all
//! elements of a trail are in one place.
//!
//! Only a nest that is refused for what such a scalar carries is read so. A scalar that goes into its own next value, as a sum does,
//! has no trail.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;

use super::Failable;
use super::arrays::Element;
use super::reader::{Binding, Change, Reader, Unknown};
use super::rotation::Group;
use super::types::CType;
use super::wanted::Carried;
use crate::ir::{self, Access, Array, BinaryOp, Expr, ExprKind, Handle, HostValue, Loop, ScalarType, Statement};
use crate::source::{Diagnostic, Span};

/// What a reader knows of scalars that loops carry from point to point.
#[derive(Debug, Default)]
pub struct Trails {
    /// Where the loops around the present place begin in the text.
    starts: Vec<usize>,
    /// By loop around the present place, the scalars that have trails there.
    open: Vec<Vec<Trail>>,
    /// The bases of all trails, with the scalars.
    bases: BTreeMap<Handle<HostValue>, Handle<HostValue>>,
    /// What the outermost loop carries, and why it does not if that is a loop over time.
    of_outermost: BTreeMap<Handle<HostValue>, Box<Diagnostic>>,
    /// Whether the header of a loop is read, which the iterations before decide about.
    is_in_header: bool,
    /// The scalars that are folded in a loop, which may have trails instead.
    folded: BTreeSet<(usize, Handle<HostValue>)>,
}

/// A scalar that a loop may carry from point to point.
#[derive(Clone, Debug)]
pub struct Trail {
    variable: Handle<HostValue>,
    ty: ScalarType,
    /// Where the loop assigns it first.
    assigned: Span,
    /// What it holds in front of the loop.
    before: Option<Handle<Expr>>,
    /// How many conditions on indices and parameters hold in front of the loop.
    guards: usize,
    /// The root of the array, and the refusal without it, once the scalar is read.
    read: Option<(usize, Box<Diagnostic>)>,
}

/// What is to be stored in front of a loop, once it is known whether it is read.
pub struct BeforeLoop {
    position: Vec<u32>,
    statements: usize,
    copies: usize,
}

/// A scalar behind a loop that carried it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trailed {
    root: usize,
    ty: ScalarType,
    this: Handle<Loop>,
    /// How many loops are around that one.
    depth: usize,
}

impl Trails {
    /// Where the loops around the present place begin in the text, outermost first.
    pub fn starts(&self) -> &[usize] {
        &self.starts
    }
}

impl<'t> Reader<'_, '_, 't> {
    /// In front of a loop: finds those of the scalars that it changes that may have trails there.
    pub fn prepare_trails(&mut self, node: Node<'t>, changed: &[Change]) -> BeforeLoop {
        let may_be = self.strips.is_empty() && self.data_conditions.is_empty();
        let trails = changed.iter().filter_map(|change| self.trail(node.start_byte(), *change).filter(|_| may_be));
        let trails: Vec<Trail> = trails.collect::<Vec<_>>();
        let position = if trails.is_empty() { self.position.clone() } else { self.next_position() };
        self.trails.starts.push(node.start_byte());
        self.trails.open.push(trails);
        BeforeLoop { position, statements: self.nest.step.statements.len(), copies: self.copies.len() }
    }

    fn trail(&mut self, start: usize, (variable, assigned): Change) -> Option<Trail> {
        let declared = self.declaration_of(variable).filter(|it| !it.is_volatile)?;
        let ty = declared.ty.number()?;
        let key = Carried { start, scalar: self.nest.values[variable].clone() };
        if !self.unit.taken.trails.contains(&key) {
            return None;
        }
        let before = match self.bindings.get(&variable) {
            Some(Binding::Scalar(value)) => Some(*value),
            None if self.loops.is_empty() => Some(self.param(variable, ty, assigned)),
            _ => None,
        };
        Some(Trail { variable, ty, assigned, before, guards: self.guards.len(), read: None })
    }

    /// Those of the scalars that the loop changes that have no trails there.
    pub fn without_trails(&self, changed: &[Change]) -> Vec<Change> {
        let open = self.trails.open.last().map_or(&[][..], Vec::as_slice);
        changed.iter().copied().filter(|(it, _)| open.iter().all(|trail| trail.variable != *it)).collect()
    }

    /// Notes that a loop folds scalars over its points.
    pub fn note_folded(&mut self, scalars: &[Change]) {
        let start = self.trails.starts.last().copied().unwrap_or_default();
        self.trails.folded.extend(scalars.iter().map(|(scalar, _)| (start, *scalar)));
    }

    /// Notes that a sweep needs a scalar that loops fold.
    pub fn want_trails_of(&self, scalar: Handle<HostValue>) {
        let folded = self.trails.folded.iter().filter(|(_, folded)| *folded == scalar);
        let scalars = folded.map(|(start, _)| Carried { start: *start, scalar: self.nest.values[scalar].clone() });
        self.unit.wanted.borrow_mut().trails.extend(scalars);
    }

    /// Reads what no trail can be for: the header of a loop that changes scalars.
    pub fn in_header<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.trails.is_in_header, true);
        let result = read(self);
        self.trails.is_in_header = outer;
        result
    }

    /// Notes that a loop around the present place would have to carry a scalar.
    pub fn want_trail(&self, scalar: Handle<HostValue>) {
        let mut around = self.changing.iter().zip(&self.trails.starts).rev();
        if let Some((_, start)) = around.find(|(changed, _)| changed.contains(&scalar)) {
            let scalar = self.nest.values[scalar].clone();
            self.unit.wanted.borrow_mut().trails.insert(Carried { start: *start, scalar });
        }
    }

    /// The value at the place of `node` of a scalar that an iteration before left there, if it has a trail.
    ///
    /// # Errors
    /// It has none, and why it would need one; or its value is not known for another reason.
    pub fn left_by_iteration(
        &mut self,
        node: Node<'t>,
        scalar: Handle<HostValue>,
        why: Unknown,
        assigned: Span,
    ) -> Failable<Handle<Expr>> {
        let refusal = self.unknown_value(node, scalar, why, assigned);
        if why != Unknown::Carried || self.trails.is_in_header {
            return Err(refusal);
        }
        let value = self.value_on_trail(scalar, &refusal, self.span(node));
        value.ok_or_else(|| {
            self.want_trail(scalar);
            refusal
        })
    }

    /// That value; `refusal` is why there is none without a trail.
    fn value_on_trail(&mut self, scalar: Handle<HostValue>, refusal: &Diagnostic, span: Span) -> Option<Handle<Expr>> {
        let depth = self.changing.iter().rposition(|changed| changed.contains(&scalar))?;
        let place = self.trails.open.get(depth)?.iter().position(|trail| trail.variable == scalar)?;
        let trail = self.trails.open[depth][place].clone();
        if trail.before.is_none() && self.guards.len() == trail.guards {
            // The first iteration would read it, too.
            return None;
        }
        let root = match &trail.read {
            Some((root, _)) => *root,
            None => self.lay_trail(depth, place, refusal),
        };
        let subscripts = self.place_before(depth, span);
        let element = Element { root, subscripts, ty: trail.ty, is_bool: false };
        match trail.before.filter(|_| depth == 0) {
            Some(before) => Some(self.unless_first(before, &element, span)),
            None => Some(self.read_element(&element, span)),
        }
    }

    /// What the first iteration of the outermost loop begins with, or the element in others.
    fn unless_first(&mut self, before: Handle<Expr>, element: &Element, span: Span) -> Handle<Expr> {
        let this = self.loops[0];
        let (ty, first) = (self.nest.loops[this].ty, self.nest.loops[this].first);
        let index = self.expr(ty, ExprKind::Index(this), span);
        let is_later = self.binary(BinaryOp::NotEqual, index, first, span);
        self.guards.push(is_later);
        let read = self.read_element(element, span);
        self.guards.pop();
        let before = self.convert(before, element.ty);
        self.expr(element.ty, ExprKind::Select(is_later, read, before), span)
    }

    /// Makes the array for a scalar.
    fn lay_trail(&mut self, depth: usize, place: usize, refusal: &Diagnostic) -> usize {
        let Trail { variable, ty, assigned, .. } = self.trails.open[depth][place];
        let name = self.nest.values.free_name(self.name(variable));
        let base = self.undeclared(name);
        let root = self.root(base, &CType::Array(Box::new(CType::Scalar(ty)), None), assigned);
        self.trails.bases.insert(base, variable);
        if depth == 0 {
            self.trails.of_outermost.insert(base, Box::new(refusal.clone()));
        }
        self.trails.open[depth][place].read = Some((root, Box::new(refusal.clone())));
        root
    }

    /// The subscripts of what the present iteration of the loop at `depth` leaves. The outermost loop, which may be one over time, is
    /// not among them.
    fn place_on_trail(&mut self, depth: usize, span: Span) -> Vec<Handle<Expr>> {
        let loops = self.loops[..=depth].iter().skip(1).copied().collect::<Vec<_>>();
        loops.into_iter().map(|this| self.index_of_loop(this, span)).collect()
    }

    /// The subscripts of what the iteration before left.
    fn place_before(&mut self, depth: usize, span: Span) -> Vec<Handle<Expr>> {
        let mut subscripts = self.place_on_trail(depth, span);
        if let Some(last) = subscripts.pop() {
            subscripts.push(self.step_back(last, self.loops[depth], span));
        }
        subscripts
    }

    fn step_back(&mut self, index: Handle<Expr>, this: Handle<Loop>, span: Span) -> Handle<Expr> {
        let back = self.int(ScalarType::I64, -self.nest.loops[this].step, span);
        self.index_sum(index, back, span)
    }

    fn index_of_loop(&mut self, this: Handle<Loop>, span: Span) -> Handle<Expr> {
        let index = self.expr(self.nest.loops[this].ty, ExprKind::Index(this), span);
        self.long(index)
    }

    /// At the end of an iteration of the innermost loop: it leaves what its scalars hold for the next one.
    ///
    /// # Errors
    /// What a scalar holds is not known, or made of what it held.
    pub fn continue_trails(&mut self) -> Failable<()> {
        let depth = self.loops.len() - 1;
        let open = self.trails.open.last().cloned().unwrap_or_default();
        let (mut ends, mut goes_into) = (Vec::new(), BTreeMap::new());
        for trail in open {
            let Some((root, refusal)) = trail.read else {
                // It may be folded there.
                self.want_no_trail(trail.variable);
                continue;
            };
            let Some(Binding::Scalar(end)) = self.bindings.get(&trail.variable).cloned() else {
                self.want_no_trail(trail.variable);
                return Err(refusal);
            };
            goes_into.insert(root, self.trails_in(end));
            ends.push((root, trail.variable, end, refusal));
        }
        for (root, variable, end, refusal) in ends {
            if is_in_circle(root, &goes_into) {
                self.want_no_trail(variable);
                return Err(refusal);
            }
            let span = self.nest.exprs.span(end);
            let subscripts = self.place_on_trail(depth, span);
            self.store(Element { root, subscripts, ty: self.ty(end), is_bool: false }, end, span, span)?;
        }
        Ok(())
    }

    /// The roots of the trails that a value is made of.
    fn trails_in(&self, value: Handle<Expr>) -> BTreeSet<usize> {
        let reads = self.nest.reachable([value]).into_iter().filter_map(|part| match self.kind(part) {
            ExprKind::Read(read) => Some(self.nest.accesses[*read].array),
            _ => None,
        });
        reads.map(Handle::index).filter(|root| self.trails.bases.contains_key(&self.roots[*root].variable)).collect()
    }

    /// Notes that a scalar has no trail in the innermost loop.
    fn want_no_trail(&self, scalar: Handle<HostValue>) {
        let start = self.trails.starts.last().copied().unwrap_or_default();
        let scalar = self.nest.values[scalar].clone();
        self.unit.wanted.borrow_mut().without.insert(Carried { start, scalar });
    }

    /// Behind a loop: the scalars that had trails there.
    pub fn leave_trails(&mut self) -> Vec<Trail> {
        self.trails.starts.pop();
        self.trails.open.pop().unwrap_or_default()
    }

    /// Behind a loop: stores in front of it what its scalars begin with; returns these scalars with their trails.
    pub fn begin_trails(&mut self, this: Handle<Loop>, before: &BeforeLoop) -> Vec<(Handle<HostValue>, Span, Trailed)> {
        let (open, depth) = (self.leave_trails(), self.loops.len());
        let mut begun = Vec::new();
        for (number, trail) in open.into_iter().filter(|_| depth > 0).enumerate() {
            let (Some((root, _)), Some(value)) = (trail.read, trail.before) else { continue };
            let mut subscripts = if depth > 1 { self.place_on_trail(depth - 1, trail.assigned) } else { Vec::new() };
            subscripts.push(self.step_back(self.nest.loops[this].first, this, trail.assigned));
            let value = self.convert(value, trail.ty);
            let write = self.access(root, subscripts, trail.assigned);
            self.nest.accesses[write].position.clone_from(&before.position);
            let statement = Statement { write, first: write, value, span: trail.assigned };
            self.nest.step.statements.insert(before.statements + number, statement);
            self.copies[before.copies..].iter_mut().for_each(|copy| copy.statement += 1);
            begun.push((trail.variable, trail.assigned, Trailed { root, ty: trail.ty, this, depth }));
        }
        begun
    }

    /// What a scalar holds behind the loop that carried it: what the last iteration left, or what it held in front of a loop without
    /// iterations. `None` if it is not known where that loop ends.
    pub fn last_on_trail(&mut self, trailed: Trailed, span: Span) -> Option<Handle<Expr>> {
        let Trailed { root, ty, this, depth } = trailed;
        let end = self.end_of_counting(this, ScalarType::I64, span)?;
        let Loop { first, step, .. } = self.nest.loops[this].clone();
        let first = self.long(first);
        let around = if depth > 1 { self.place_on_trail(depth - 1, span) } else { Vec::new() };
        let before = |reader: &mut Self, place| {
            let last = reader.step_back(place, this, span);
            let subscripts = around.iter().copied().chain([last]).collect();
            reader.read_element(&Element { root, subscripts, ty, is_bool: false }, span)
        };
        let relation = if step > 0 { BinaryOp::Less } else { BinaryOp::Greater };
        let has_iterations = self.binary(relation, first, end, span);
        self.guards.push(has_iterations);
        let left = before(self, end);
        self.guards.pop();
        let begun = before(self, first);
        Some(self.expr(ty, ExprKind::Select(has_iterations, left, begun), span))
    }

    /// The array that a trail is, before it is known which loops run over space.
    pub fn trail_array(&mut self, group: &Group, accesses: &[Handle<Access>], span: Span) -> Option<Array> {
        let base = self.roots[group.roots[0]].variable;
        let scalar = *self.trails.bases.get(&base)?;
        let rank = accesses.first().map_or(0, |access| self.nest.accesses[*access].subscripts.len());
        let strides = (0..rank).map(|_| self.int(ScalarType::I64, 0, span)).collect();
        let element = self.roots[group.roots[0]].ty.element_type();
        Some(Array::of_driver(self.name(scalar).to_owned(), element, base, strides))
    }

    /// Whether an array is a trail.
    pub fn is_trail(&self, array: Handle<Array>) -> bool {
        let base = self.nest.arrays[array].buffers.first();
        base.is_some_and(|base| self.trails.bases.contains_key(&base.variable))
    }

    /// Gives trails their last form, as it is known whether there are steps.
    ///
    /// # Errors
    /// The loop that carries a scalar is one over time.
    pub fn finish_trails(&mut self) -> Failable<()> {
        for array in self.nest.arrays.handles() {
            if !self.is_trail(array) {
                continue;
            }
            let base = self.nest.arrays[array].buffers[0].variable;
            let span = self.nest.arrays.span(array);
            if !self.nest.clock.has_steps() {
                self.spread_over_outermost(array, span);
            } else if let Some(refusal) = self.trails.of_outermost.get(&base) {
                return Err(refusal.clone());
            }
            let size = self.nest.arrays[array].element.size() as i64;
            let sizes = vec![self.int(ScalarType::I64, size, span)];
            self.nest.step.grids.push(ir::Grid { array, sizes, is_trail: true });
        }
        Ok(())
    }

    fn is_write(&self, access: Handle<Access>) -> bool {
        self.nest.step.statements.iter().any(|statement| statement.write == access)
    }

    /// Gives a trail elements for each iteration of the outermost loop, which runs over space.
    fn spread_over_outermost(&mut self, array: Handle<Array>, span: Span) {
        let is_carrier = self.trails.of_outermost.contains_key(&self.nest.arrays[array].buffers[0].variable);
        let zero = self.int(ScalarType::I64, 0, span);
        self.nest.arrays[array].strides.insert(0, zero);
        self.nest.arrays[array].extents.insert(0, None);
        for access in self.nest.accesses.handles() {
            if self.nest.accesses[access].array != array {
                continue;
            }
            let outermost = self.nest.accesses[access].loops[0];
            let index = self.index_of_loop(outermost, span);
            let subscript = match is_carrier && !self.is_write(access) {
                true => self.step_back(index, outermost, span),
                false => index,
            };
            self.nest.accesses[access].subscripts.insert(0, subscript);
        }
    }
}

/// Whether what is on a trail goes into what is there an iteration later.
fn is_in_circle(root: usize, goes_into: &BTreeMap<usize, BTreeSet<usize>>) -> bool {
    let (mut seen, mut pending) = (BTreeSet::new(), vec![root]);
    while let Some(next) = pending.pop() {
        let fresh = goes_into.get(&next).into_iter().flatten().filter(|it| seen.insert(**it));
        pending.extend(fresh);
    }
    seen.contains(&root)
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};

    /// A nest of steps with `before` and the loop with this body.
    fn nest(before: &str, body: &str) -> String {
        let body = format!(
            "double v, w, x;\n#pragma stencil\nfor (int t = 0; t < steps; t++) {{ {before} for (int i = 1; i < n; i++) {{ {body} }} }}"
        );
        function("int n, int steps, double *a, const double *b", &body)
    }

    #[test]
    fn what_an_iteration_leaves_is_an_element_of_a_trail() {
        let text = read(&nest("v = a[0];", "x = a[i] + v; v = a[i]; a[i] = x;")).to_string();
        for line in [
            "array double v[] strides 0 ",
            "v.0 = a[0]",
            "v[0] = v.0",
            "v[(long long)i] = v.2",
            "+ v[((long long)i + -1)])",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        let text = read(&nest("v = a[0]; w = a[1];", "x = v + w; v = w; w = a[i]; a[i] = x;")).to_string();
        assert!(text.contains("= w[((long long)i + -1)]"), "{text}");
    }

    #[test]
    fn a_loop_has_a_trail_only_for_what_it_reads() {
        let body = "for (int i = 0; i < n; i++) { x = v; v = b[i]; a[i] = x; } for (int i = 0; i < n; i++) { v = a[i]; a[i] = 2 * v; }";
        let body = format!("double v = 0, x;\n#pragma stencil\nfor (int t = 0; t < steps; t++) {{ v = 1; {body} }}");
        let nest = read(&function("int n, int steps, double *a, const double *b", &body));
        assert_eq!(nest.step.grids.len(), 1, "{nest}");
    }

    #[test]
    fn behind_its_loop_a_scalar_is_the_last_of_its_trail() {
        let nest = |header: &str| {
            let sweep = format!("for ({header}) {{ w = a[i]; a[i] += v; v = w; }} a[0] = v;");
            let body =
                format!("double v, w;\n#pragma stencil\nfor (int t = 0; t < steps; t++) {{ v = a[0]; {sweep} }}");
            function("int n, int steps, double *a", &body)
        };
        let text = read(&nest("int i = 1; i < n; i++")).to_string();
        assert!(text.contains("a[0] = ") && text.matches("v[").count() > 4, "{text}");
        assert_eq!(refusal(&nest("int i = 1; i < n; i += 2")).code, "scalar-carried");
    }

    #[test]
    fn a_loop_over_space_around_the_nest_has_trails() {
        let body = "double v = 3;\n#pragma stencil\nfor (int i = 1; i < n; i++) { a[i] = v; v = b[i]; }";
        let text = read(&function("int n, double *a, const double *b", body)).to_string();
        assert!(text.contains("i != 1") && text.contains("? v[((long long)i + -1)] : "), "{text}");
    }

    #[test]
    fn what_goes_into_its_next_value_has_none() {
        for body in [
            "a[i] = v; v = v + b[i];",
            "a[i] = v; if (b[i] > 0) v = b[i];",
            "a[i] = v; x = v; v = w; w = x;",
            "if (i > t) continue; a[i] = v; v = b[i];",
        ] {
            assert_eq!(refusal(&nest("v = 0; w = 1;", body)).code, "scalar-carried", "{body}");
        }
        assert_eq!(refusal(&nest("", "a[i] = v; v = b[i];")).code, "scalar-carried");
    }
}
