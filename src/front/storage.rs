//! From the user's variables to arrays with buffers, strides and subscripts.

use tree_sitter::Node;

use super::Failable;
use super::buffers::count_buffers;
use super::delinearize::{Flat, Ranges, delinearize, with_strides};
use super::polynomial::{Indeterminate, Polynomial, Sizes};
use super::reader::{Reader, Root};
use super::rotation::Group;
use super::tree::walk;
use super::types::CType;
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

/// Strides and extents of an array as declared or recovered.
pub struct ArrayLayout {
    /// Distance in elements between neighbours in each dimension, outermost first.
    pub strides: Vec<Polynomial>,
    /// As [`Array::pointers`].
    pub pointers: Vec<bool>,
    /// As [`Array::is_behind_pointer`].
    pub is_behind_pointer: bool,
    /// Number of elements in each dimension where it is known.
    pub extents: Vec<Option<Polynomial>>,
    /// Number of elements of a flat array, if it is a constant.
    pub length: Option<i64>,
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
        self.record_in_every_step();
        let time = self.nest.loops.handles().next();
        let groups = self.groups(node)?;
        let context = Context { node, time, ranges: self.ranges(), clauses };
        let (mut arrays, mut strides) = (Arena::default(), Vec::new());
        let (mut resolved, mut lone_reads) = (Vec::new(), Vec::new());
        for group in &groups {
            let (lone, accesses) = self.without_lone_reads(group, clauses);
            let span = self.nest.arrays.span(self.root_array(group.roots[0]));
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
            self.nest.clock = Clock::Counted { time };
            self.store_in_every_step(time);
        }
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
            return Ok(());
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
        let array = Array {
            name: variables.iter().map(|variable| self.name(*variable)).collect::<Vec<_>>().join("/"),
            element: self.nest.arrays[self.root_array(group.roots[0])].element,
            buffers,
            strides: self.stride_exprs(&layout.strides, span),
            pointers: layout.pointers,
            is_behind_pointer: layout.is_behind_pointer,
            extents: self.extent_exprs(&layout.extents, span),
            length: layout.length,
            history: None,
        };
        Ok((array, layout.strides))
    }

    /// The array of values that the driver computes.
    pub fn listed_array(&mut self, base: Handle<HostValue>, element: ScalarType, span: Span) -> Array {
        Array {
            name: self.name(base).to_owned(),
            element,
            buffers: vec![Buffer { variable: base, offset: None }],
            strides: self.stride_exprs(&[Polynomial::constant(1)], span),
            pointers: Vec::new(),
            is_behind_pointer: false,
            extents: vec![None],
            length: None,
            history: None,
        }
    }

    /// Adds what an `extent` clause says of an array whose type has dimensions; both must agree. Sizes are of structures, not of
    /// what is in them; those of a flat array of structures wait for its rows.
    fn state_extents(&self, layout: &mut ArrayLayout, sizes: &[Polynomial], root: &Root) -> Failable<()> {
        let is_same =
            |(declared, size): (&Option<Polynomial>, &Polynomial)| declared.as_ref().is_none_or(|it| it == size);
        let count = layout.extents.len() - usize::from(root.ty.is_of_records());
        if count == 1 && sizes.len() > 1 && count < layout.extents.len() {
            return Ok(());
        }
        if count != sizes.len() || !layout.extents.iter().zip(sizes).all(is_same) {
            let name = self.name(root.variable);
            let message = format!("the sizes in the `extent` clause of `{name}` are not those of its type");
            let help = format!("give as many sizes as `{name}` has dimensions; only the first one may be another");
            return Err(Box::new(Diagnostic::error("pragma-clause", message, self.nest.pragma).with_help(help)));
        }
        layout.extents.splice(..count, sizes.iter().cloned().map(Some));
        Ok(())
    }

    /// The numbers of elements in each dimension, where they are known.
    pub fn extent_exprs(&mut self, extents: &[Option<Polynomial>], span: Span) -> Vec<Option<Handle<Expr>>> {
        extents.iter().map(|extent| extent.as_ref().map(|extent| self.polynomial_expr(extent, span))).collect()
    }

    /// The strides as products of row lengths where they are, e.g. `(m + 2) * (n + 2)`.
    pub fn stride_exprs(&mut self, strides: &[Polynomial], span: Span) -> Vec<Handle<Expr>> {
        let mut exprs: Vec<Handle<Expr>> = Vec::with_capacity(strides.len());
        for (index, stride) in strides.iter().enumerate().rev() {
            let inner = strides.get(index + 1).zip(exprs.last().copied());
            let product = inner.and_then(|(inner, expr)| Some((stride.exactly_divided(inner)?, expr)));
            let expr = match product {
                Some((ratio, inner)) if self.constant(inner) != Some(1) => {
                    let ratio = self.polynomial_expr(&ratio, span);
                    let product = self.binary(BinaryOp::Mul, ratio, inner, span);
                    self.normalised(product)
                }
                _ => self.polynomial_expr(stride, span),
            };
            exprs.push(expr);
        }
        exprs.reverse();
        exprs
    }

    pub fn normalise_subscripts(&mut self, accesses: &[Handle<Access>]) {
        for access in accesses {
            let subscripts = self.nest.accesses[*access].subscripts.clone();
            let subscripts = subscripts.into_iter().map(|subscript| self.normalised(subscript)).collect();
            self.nest.accesses[*access].subscripts = subscripts;
        }
    }

    /// The dimensions that the C type gives.
    pub fn declared_layout(&mut self, root: &Root<'t>, nest: Node<'t>, span: Span) -> Failable<ArrayLayout> {
        let mut extents = Vec::new();
        let mut rest = &root.ty;
        loop {
            match rest {
                CType::Array(inner, Some(size)) => {
                    self.check_size(root, *size, nest, span)?;
                    let size = self.length(*size)?;
                    extents.push(self.fixed_polynomial(size));
                    rest = inner;
                }
                CType::Pointer(inner) | CType::Array(inner, None) => {
                    extents.push(None);
                    rest = inner;
                }
                CType::Record(inner, count) => {
                    extents.push(Some(Polynomial::constant(*count)));
                    rest = inner;
                }
                _ => break,
            }
        }
        let mut strides = vec![Polynomial::constant(1)];
        let pointers = root.ty.pointers();
        for (d, extent) in extents.iter().enumerate().skip(1).rev() {
            if pointers.get(d - 1) == Some(&true) {
                strides.insert(0, Polynomial::constant(1));
                continue;
            }
            let stride = extent.as_ref().and_then(|extent| extent.times(&strides[0]));
            let Some(stride) = stride else {
                let message =
                    format!("the row length of `{}` is not a product of integer variables", self.name(root.variable));
                let help = "compute it into an integer variable and declare the array with that";
                return Err(Box::new(Diagnostic::error("array-size", message, span).with_help(help)));
            };
            strides.insert(0, stride);
        }
        let length = extents[0].as_ref().filter(|_| extents.len() == 1).and_then(Polynomial::as_constant);
        Ok(ArrayLayout { strides, pointers, is_behind_pointer: false, extents, length })
    }

    /// The size of an array is that of its declaration, so what it was computed from must not have changed.
    fn check_size(&self, root: &Root<'t>, size: Node<'t>, nest: Node<'t>, span: Span) -> Failable<()> {
        if self.scope.array_length(self.unit, size).is_some() {
            return Ok(());
        }
        // A type that a `typedef` names has its size from there.
        let since = size.start_byte();
        let mut changed = None;
        walk(size, &mut |node| {
            let name = self.text(node);
            if let Some(variable) = self.scope.variable(name).filter(|_| node.kind() == "identifier")
                && (variable.declared_at > since || self.is_other_since(nest, name, since))
            {
                changed = Some(name);
            }
            true
        });
        let Some(changed) = changed else { return Ok(()) };
        let name = self.name(root.variable);
        let message = format!("the size of `{name}` was computed from `{changed}`, which may have changed since");
        let help = format!("keep the size in a variable that nothing assigns after `{name}` is declared");
        Err(Box::new(Diagnostic::error("array-size", message, span).with_help(help)))
    }

    /// A subscript of an access with the ranges of indices where it is made.
    pub fn flat(&self, access: Handle<Access>, dimension: usize, ranges: &Ranges) -> Option<Flat> {
        let Access { subscripts, guards, .. } = &self.nest.accesses[access];
        Some((self.polynomial(subscripts[dimension])?, self.ways_of_ranges(ranges, guards)))
    }

    fn ways_of_ranges(&self, ranges: &Ranges, guards: &[Handle<Expr>]) -> Vec<Ranges> {
        let mut ways = vec![self.narrowed(ranges, guards), self.told(ranges, guards)];
        ways.dedup();
        ways
    }

    /// Finds the dimensions behind one flat subscript; returns the number of buffers that a leading subscript such as
    /// `t % 2` chooses from.
    fn resolve_flat(
        &mut self,
        layout: &mut ArrayLayout,
        accesses: &[Handle<Access>],
        ranges: &Ranges,
        sizes: Option<&[Polynomial]>,
    ) -> Failable<Option<i64>> {
        let mut flat = Vec::with_capacity(accesses.len());
        let mut opaque = None;
        for access in accesses {
            match self.flat(*access, 0, ranges) {
                Some(polynomial) => flat.push(polynomial),
                None => opaque = opaque.or(Some(*access)),
            }
        }
        let shape = match sizes {
            _ if opaque.is_some() => None,
            Some(sizes) => {
                layout.extents = sizes.iter().cloned().map(Some).collect();
                strides_of(sizes).and_then(|strides| with_strides(&flat, strides))
            }
            None => delinearize(&flat, ranges),
        };
        let Some(shape) = shape else { return self.keep_flat(accesses, opaque).map(|()| None) };
        for (access, subscripts) in accesses.iter().zip(&shape.subscripts) {
            let span = self.nest.accesses.span(*access);
            let subscripts = subscripts.iter().map(|subscript| self.polynomial_expr(subscript, span)).collect();
            self.nest.accesses[*access].subscripts = subscripts;
        }
        if sizes.is_none() && shape.strides.len() > 1 {
            layout.extents = vec![None; shape.strides.len()];
        }
        layout.strides = shape.strides;
        let leading: Vec<_> = shape.subscripts.iter().map(|subscripts| &subscripts[0]).collect();
        Ok(if layout.strides.len() > 1 { count_buffers(&leading, ranges) } else { None })
    }

    /// Finds the dimensions behind subscripts that count over the ends of declared rows, as those of a pointer to the first
    /// element do.
    fn split_runs_over_rows(&mut self, layout: &ArrayLayout, accesses: &[Handle<Access>], ranges: &Ranges) {
        for access in accesses {
            let Some(flat) = self.run_over_rows(*access, layout) else { continue };
            let ranges = self.ways_of_ranges(ranges, &self.nest.accesses[*access].guards);
            let Some(shape) = with_strides(&[(flat, ranges)], layout.strides.clone()) else { continue };
            let span = self.nest.accesses.span(*access);
            let subscripts = shape.subscripts[0].iter().map(|it| self.polynomial_expr(it, span)).collect();
            self.nest.accesses[*access].subscripts = subscripts;
        }
    }

    /// The distance of an element from the first one, if an inner subscript moves by whole rows with some index.
    fn run_over_rows(&self, access: Handle<Access>, layout: &ArrayLayout) -> Option<Polynomial> {
        let subscripts = &self.nest.accesses[access].subscripts;
        let subscripts: Vec<_> = subscripts.iter().map(|it| self.polynomial(*it)).collect::<Option<_>>()?;
        let mut flat = Polynomial::default();
        let mut runs_over = false;
        for (level, (subscript, stride)) in subscripts.iter().zip(&layout.strides).enumerate() {
            flat = flat.plus(&subscript.times(stride)?, 1)?;
            let Some(Some(length)) = layout.extents.get(level).filter(|_| level > 0) else { continue };
            let is_row = |factor: &Polynomial| factor.divided(length).is_some_and(|(rows, _)| !rows.is_zero());
            runs_over |= subscript.by_index()?.0.values().any(is_row);
        }
        runs_over.then_some(flat)
    }

    /// Finds the dimensions behind the first subscript of a pointer to rows: `d[i + j*nx][0]` of `float (*d)[3]`.
    fn split_flat_rows(
        &mut self,
        layout: &mut ArrayLayout,
        accesses: &[Handle<Access>],
        ranges: &Ranges,
        sizes: Option<&[Polynomial]>,
    ) {
        let leading = |access: &Handle<Access>| self.flat(*access, 0, ranges);
        let Some(flat) = accesses.iter().map(leading).collect::<Option<Vec<_>>>() else { return };
        let is_affine = |flat: &Polynomial| {
            let coefficients = flat.by_index().map(|(coefficients, _)| coefficients);
            coefficients.is_none_or(|all| all.values().all(|coefficient| coefficient.as_constant().is_some()))
        };
        if layout.extents[0].is_some() || sizes.is_none() && flat.iter().all(|(flat, _)| is_affine(flat)) {
            return;
        }
        let shape = match sizes {
            Some(sizes) => strides_of(sizes).and_then(|strides| with_strides(&flat, strides)),
            None => delinearize(&flat, ranges),
        };
        let Some(shape) = shape.filter(|shape| shape.strides.len() > 1) else { return };
        let row = layout.strides[0].clone();
        let Some(strides) = shape.strides.iter().map(|stride| stride.times(&row)).collect::<Option<Vec<_>>>() else {
            return;
        };
        for (access, subscripts) in accesses.iter().zip(&shape.subscripts) {
            let span = self.nest.accesses.span(*access);
            let subscripts: Vec<_> = subscripts.iter().map(|it| self.polynomial_expr(it, span)).collect();
            self.nest.accesses[*access].subscripts.splice(0..1, subscripts);
        }
        let extents = sizes.map_or(vec![None; strides.len()], |sizes| sizes.iter().cloned().map(Some).collect());
        layout.extents.splice(0..1, extents);
        layout.splice_pointers(strides.len());
        layout.strides.splice(0..1, strides);
    }

    /// An array that is only read may have any subscript; a written one must be understood.
    fn keep_flat(&mut self, accesses: &[Handle<Access>], opaque: Option<Handle<Access>>) -> Failable<()> {
        let is_written = |access: &&Handle<Access>| self.nest.step.statements.iter().any(|it| it.write == **access);
        if let Some(written) = accesses.iter().find(is_written) {
            let diagnostic = match opaque {
                Some(opaque) => self.opaque_subscript(opaque, *written),
                None => {
                    let span = self.nest.accesses.span(*written);
                    Diagnostic::error("flat-subscript", "the dimensions behind this subscript cannot be told", span)
                        .with_help("write it as row times width plus column, or give the sizes: `extent(a[0:n][0:m])`")
                }
            };
            return Err(Box::new(diagnostic));
        }
        self.normalise_subscripts(accesses);
        Ok(())
    }
}

/// The strides of an array with these sizes.
fn strides_of(sizes: &[Polynomial]) -> Option<Vec<Polynomial>> {
    let mut strides = vec![Polynomial::constant(1)];
    for size in sizes.iter().skip(1).rev() {
        let stride = size.times(&strides[0])?;
        strides.insert(0, stride);
    }
    Some(strides)
}
