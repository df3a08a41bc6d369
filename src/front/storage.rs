//! From the user's variables to arrays with buffers, strides and subscripts.

use tree_sitter::Node;

use super::Failable;
use super::polynomial::{Indeterminate, Polynomial, Ranges, Sizes};
use super::reader::Reader;
use super::rotation::Group;
use super::unknown::reduction;
use crate::ir::{
    Access, Arena, Array, BinaryOp, Buffer, Clock, Expr, ExprKind, Handle, HostValue, Loop, ScalarType, Statement,
};
use crate::source::{Diagnostic, Span};

/// What all groups of one nest share.
struct Context<'c, 't> {
    node: Node<'t>,
    time: Option<Handle<Loop>>,
    ranges: Ranges,
    clauses: &'c [Sizes],
}

impl<'t> Reader<'_, '_, 't> {
    /// Turns the roots and raw accesses of the nest at `node` into arrays and final accesses; `clauses` are the sizes
    /// that `extent` clauses give.
    pub fn resolve_storage(&mut self, node: Node<'t>, clauses: &[Sizes]) -> Failable<()> {
        self.bindings.clear();
        for access in self.nest.accesses.handles().collect::<Vec<_>>() {
            self.integral_subscripts(access)?;
        }
        self.check_fixed_elements()?;
        self.split_whole_loops();
        let groups = self.groups(node)?;
        self.record_in_every_step(&groups);
        let time = self.nest.loops.handles().next();
        let context = Context { node, time, ranges: self.ranges(), clauses };
        let (mut arrays, mut strides) = (Arena::default(), Vec::new());
        let (mut resolved, mut lone_reads) = (Vec::new(), Vec::new());
        for group in &groups {
            let (lone, accesses) = self.without_lone_reads(group, clauses);
            let span = self.nest.arrays.span(self.root_array(group.roots[0]));
            if let Some(array) = self.trail_array(group, &accesses, span) {
                resolved.push((arrays.push(array, span), accesses));
                strides.push(Vec::new());
                continue;
            }
            if let Some(planes) = self.planes(group, &accesses) {
                for (leading, accesses) in planes {
                    let (array, array_strides) = self.resolve_plane(group.roots[0], &leading, &accesses, node, span)?;
                    resolved.push((arrays.push(array, span), accesses));
                    strides.push(array_strides);
                }
                continue;
            }
            let (array, array_strides) = self.resolve_group(group, &accesses, &context, span)?;
            let handle = arrays.push(array, span);
            strides.push(array_strides);
            resolved.push((handle, accesses));
            if !lone.is_empty() {
                let (array, array_strides) = self.resolve_group(group, &lone, &context, span)?;
                lone_reads.push((arrays.push(array, span), lone));
                strides.push(array_strides);
            }
        }
        for (array, accesses) in resolved.into_iter().chain(lone_reads) {
            for access in accesses {
                self.nest.accesses[access].array = array;
            }
        }
        self.nest.arrays = arrays;
        self.note_left_pointers(&groups)?;
        self.expand_copies(node, &strides)?;
        self.join_branches();
        if let Some(time) = time {
            self.keep_histories(time);
        }
        if let Some(time) = time.filter(|time| !self.has_index_in_writes(*time)) {
            self.check_windows(time)?;
            self.nest.clock = Clock::Counted { time };
            self.store_in_every_step(time);
        }
        self.note_grids()?;
        self.finish_trails()?;
        self.check_time()
    }

    /// Buffers may only be chosen by a loop over time.
    fn check_time(&self) -> Failable<()> {
        let chosen = self.nest.accesses.iter().find(|(_, access)| {
            access.buffer.is_some_and(|buffer| self.constant(buffer).is_none() && !self.nest.clock.has_steps())
        });
        let Some((access, _)) = chosen else { return self.check_space() };
        let span = self.nest.accesses.span(access);
        let message = "the array behind this element changes in a loop that runs over space";
        let error = Diagnostic::error("rotation", message, span);
        let Some((outer, kept)) = self.nest.kept_in_each_iteration() else {
            return Err(Box::new(error.with_help("exchange arrays only in an outermost loop over time steps")));
        };
        let variable = self.name(self.nest.loops[outer].variable);
        let text =
            format!("another element in each iteration of the loop over `{variable}`, so that is no loop over time");
        let help = format!("mark the loops inside the loop over `{variable}`, which the host then runs, instead");
        Err(Box::new(error.with_label(self.nest.accesses.span(kept), text).with_help(help)))
    }

    /// Inside the loop over time some store must be in a loop over space.
    fn check_space(&self) -> Failable<()> {
        let is_in_space = |it: &Statement| !self.nest.clock.has_steps() || self.nest.accesses[it.write].loops.len() > 1;
        let Some(first) =
            self.nest.step.statements.first().filter(|_| !self.nest.step.statements.iter().any(is_in_space))
        else {
            return self.check_folded_elements();
        };
        let array = &self.nest.arrays[self.nest.accesses[first.write].array].name;
        let message = format!("every iteration writes the same element of `{array}`");
        Err(Box::new(
            Diagnostic::error("no-space-loop", message, first.span)
                .because("no loop variable is in the subscript, so nothing can run in parallel")
                .with_help("mark a nest that computes many elements instead, if there is one in it")
                .without_remedy(),
        ))
    }

    /// The array of a root before storage is resolved.
    pub fn root_array(&self, root: usize) -> Handle<Array> {
        self.nest.arrays.handles().nth(root).expect("every root has an array")
    }

    /// No element may stand for a scalar to which all points of a step add something.
    fn check_folded_elements(&self) -> Failable<()> {
        let time = self.nest.clock.time();
        let is_folded = |it: &&Statement| {
            let write = &self.nest.accesses[it.write];
            let is_in_space =
                |part: Handle<Expr>| matches!(self.kind(part), ExprKind::Index(this) if Some(*this) != time);
            let is_itself = |part: Handle<Expr>| matches!(self.kind(part), ExprKind::Read(read) if self.nest.accesses[*read].array == write.array);
            write.loops.iter().any(|around| Some(*around) != time)
                && write.guards.is_empty()
                && !self.nest.reachable(write.subscripts.iter().copied()).into_iter().any(is_in_space)
                && self.nest.reachable([it.value]).into_iter().any(is_itself)
        };
        let Some(folded) = self.nest.step.statements.iter().find(is_folded) else { return Ok(()) };
        let name = &self.nest.arrays[self.nest.accesses[folded.write].array].name;
        Err(Box::new(reduction(&format!("an element of `{name}`"), folded.span)))
    }

    /// Whether a written element depends on the index of `this`.
    fn has_index_in_writes(&self, this: Handle<Loop>) -> bool {
        let is_it = |part: &Expr| matches!(part.kind, ExprKind::Index(it) | ExprKind::Iteration(it) if it == this);
        let depends = |expr: &Handle<Expr>| self.any(*expr, &is_it);
        self.nest
            .step
            .statements
            .iter()
            .any(|statement| self.nest.accesses[statement.write].subscripts.iter().any(depends))
    }

    fn accesses_of(&self, group: &Group) -> Vec<Handle<Access>> {
        let arrays: Vec<_> = group.roots.iter().map(|root| self.root_array(*root)).collect();
        self.nest.accesses.handles().filter(|access| arrays.contains(&self.nest.accesses[*access].array)).collect()
    }

    /// The accesses of a group, and before them those that form an array of their own: reads of elements that no loop
    /// moves, of a flat array that the nest does not write. They say nothing about its rows and need not lie within them.
    ///
    /// What is read only under a condition on data stays with the others, which may show that it exists.
    fn without_lone_reads(&self, group: &Group, clauses: &[Sizes]) -> (Vec<Handle<Access>>, Vec<Handle<Access>>) {
        let all = self.accesses_of(group);
        let variable = self.roots[group.roots[0]].variable;
        let is_written = |access: &Handle<Access>| self.nest.step.statements.iter().any(|it| it.write == *access);
        let is_copied = |access: &Handle<Access>| {
            self.copies.iter().any(|copy| copy.origin == Some(*access) || copy.target == *access)
        };
        let is_flat = |access: &Handle<Access>| self.nest.accesses[*access].subscripts.len() == 1;
        if group.roots.len() > 1
            || clauses.iter().any(|(other, _)| *other == variable)
            || all.iter().any(|access| is_written(access) || is_copied(access) || !is_flat(access))
        {
            return (Vec::new(), all);
        }
        let is_lone = |access: &Handle<Access>| {
            let Access { subscripts, is_speculative, .. } = &self.nest.accesses[*access];
            let coefficients = self.polynomial(subscripts[0]).and_then(|subscript| subscript.by_index());
            !is_speculative && coefficients.is_some_and(|(coefficients, _)| coefficients.is_empty())
        };
        let (lone, others): (Vec<_>, Vec<_>) = all.iter().copied().partition(is_lone);
        if others.is_empty() { (Vec::new(), all) } else { (lone, others) }
    }

    /// First and last values of loops' indices and time terms.
    pub fn ranges(&self) -> Ranges {
        let mut ranges = self.index_ranges();
        ranges.extend(self.time_ranges());
        ranges
    }

    /// First and last index of each loop whose bounds are polynomials of parameters.
    pub fn index_ranges(&self) -> Ranges {
        let range = |this: &Loop| {
            let (first, bound) = (self.polynomial(this.first)?, self.polynomial(this.bound)?);
            let one = Polynomial::constant(1);
            let range = match this.relation {
                BinaryOp::Less => (first, bound.plus(&one, -1)?),
                BinaryOp::NotEqual if this.step > 0 => (first, bound.plus(&one, -1)?),
                BinaryOp::LessEqual => (first, bound),
                BinaryOp::GreaterEqual => (bound, first),
                _ => (bound.plus(&one, 1)?, first),
            };
            let is_invariant = |it: &Polynomial| it.by_index().is_some_and(|(indices, _)| indices.is_empty());
            (is_invariant(&range.0) && is_invariant(&range.1)).then_some(range)
        };
        let loops = self.nest.loops.iter();
        loops.filter_map(|(handle, this)| Some((Indeterminate::Index(handle), range(this)?))).collect()
    }

    /// The values that remainders of loops' indices take.
    fn time_ranges(&self) -> Ranges {
        // The terms are found by reading every subscript once.
        for (_, access) in self.nest.accesses.iter() {
            for subscript in &access.subscripts {
                self.polynomial(*subscript);
            }
        }
        let range = |term: &Handle<Expr>| {
            let last = match self.kind(*term) {
                ExprKind::Binary(BinaryOp::Rem, _, modulus) => self.constant(*modulus)? - 1,
                ExprKind::Binary(BinaryOp::BitAnd, _, mask) => self.constant(*mask)?,
                _ => return None,
            };
            Some((Polynomial::constant(0), Polynomial::constant(last)))
        };
        let terms = self.time_terms.borrow();
        let ranges = terms.iter().enumerate().filter_map(|(place, term)| Some((place, range(term)?)));
        let both = |(place, range): (usize, (Polynomial, Polynomial))| {
            [(Indeterminate::Time(place), range.clone()), (Indeterminate::Parity(place), range)]
        };
        ranges.flat_map(both).collect()
    }

    fn resolve_group(
        &mut self,
        group: &Group,
        accesses: &[Handle<Access>],
        context: &Context<'_, 't>,
        span: Span,
    ) -> Failable<(Array, Vec<Polynomial>)> {
        let root = self.roots[group.roots[0]].clone();
        if self.nest.step.is_filled_by_driver(root.variable) {
            let array = self.listed_array(root.variable, root.ty.element_type(), span);
            return Ok((array, vec![Polynomial::constant(1)]));
        }
        let variables: Vec<_> = group.roots.iter().map(|root| self.roots[*root].variable).collect();
        let mut layout = self.declared_layout(&root, context.node, span)?;
        let known = context
            .clauses
            .iter()
            .find(|(variable, _)| variables.contains(variable))
            .map(|(_, sizes)| sizes.as_slice());
        if let Some(sizes) = known.filter(|_| layout.strides.len() > 1) {
            self.state_extents(&mut layout, sizes, &root)?;
        }
        let mut buffers: Vec<Buffer> =
            variables.iter().map(|variable| Buffer { variable: *variable, offset: None }).collect();
        if group.roots.len() > 1 {
            self.set_rotating_buffers(group, accesses, context.time, span);
        } else if let Some(count) = self.leading_buffers(&layout, accesses, context.time) {
            buffers = self.split_leading(root.variable, count, &mut layout, accesses, span);
        }
        if layout.strides.len() == 1 {
            let count = self.resolve_flat(&mut layout, accesses, &context.ranges, known)?;
            if let Some(count) = count.filter(|_| group.roots.len() == 1 && !layout.is_behind_pointer) {
                buffers = self.split_leading(root.variable, count, &mut layout, accesses, span);
            }
        } else {
            self.split_runs_over_rows(&layout, accesses, &context.ranges);
            self.normalise_subscripts(accesses);
            let sizes = known.filter(|sizes| root.ty.is_of_records() && sizes.len() > 1);
            self.split_flat_rows(&mut layout, accesses, &context.ranges, sizes);
            self.split_flat_blocks(&mut layout, accesses, &context.ranges);
        }
        self.check_inside_members(group.roots[0], accesses)?;
        let is_doubted = accesses.iter().any(|access| self.nest.accesses[*access].is_speculative);
        let is_table = layout.pointers.len() == 2 && known.is_none() && is_doubted;
        let allocated = if is_table { self.allocated_rows(&variables, span) } else { None };
        let array = Array {
            name: variables.iter().map(|variable| self.name(*variable)).collect::<Vec<_>>().join("/"),
            element: self.nest.arrays[self.root_array(group.roots[0])].element,
            buffers,
            strides: self.stride_exprs(&layout.strides, span),
            pointers: layout.pointers,
            is_behind_pointer: layout.is_behind_pointer,
            extents: self.extent_exprs(&layout.extents, span),
            length: layout.length,
            allocated: allocated.unwrap_or_default(),
            history: None,
            members: self.nest.arrays[self.root_array(group.roots[0])].members,
        };
        Ok((array, layout.strides))
    }

    /// The array of values that the driver computes.
    pub fn listed_array(&mut self, base: Handle<HostValue>, element: ScalarType, span: Span) -> Array {
        Array::of_driver(self.name(base).to_owned(), element, base, self.stride_exprs(&[Polynomial::constant(1)], span))
    }
}
