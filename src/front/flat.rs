//! Dimensions behind flat subscripts.

use std::collections::BTreeSet;

use super::Failable;
use super::buffers::count_buffers;
use super::delinearize::{Flat, Shape, delinearize, with_strides};
use super::integers::is_invariant;
use super::layout::ArrayLayout;
use super::polynomial::{Indeterminate, Polynomial, Ranges};
use super::reader::Reader;
use crate::ir::{Access, Expr, Handle};
use crate::source::Diagnostic;

/// So many elements at places that parameters decide may each have a parameter for its place.
const MAX_APART: usize = 4;

impl Reader<'_, '_, '_> {
    pub fn normalise_subscripts(&mut self, accesses: &[Handle<Access>]) {
        for access in accesses {
            let subscripts = self.nest.accesses[*access].subscripts.clone();
            let subscripts = subscripts.into_iter().map(|subscript| self.normalised(subscript)).collect();
            self.nest.accesses[*access].subscripts = subscripts;
        }
    }

    /// The dimensions behind subscripts: those of an array with these sizes, if they are given.
    fn shape_of(&self, flat: &[Flat], ranges: &Ranges, sizes: Option<&[Polynomial]>) -> Option<Shape> {
        match sizes {
            Some(sizes) => with_strides(flat, strides_of(sizes)?),
            None => delinearize(flat, ranges, &self.products_in(flat, ranges)),
        }
    }

    /// A subscript of an access with the ranges of indices where it is made.
    pub fn flat(&self, access: Handle<Access>, dimension: usize, ranges: &Ranges) -> Option<Flat> {
        let Access { subscripts, guards, .. } = &self.nest.accesses[access];
        let flat = self.polynomial(subscripts[dimension])?;
        let ways = self.ways_of_ranges(&flat, ranges, guards);
        Some((flat, ways))
    }

    /// The ranges under `guards` of the indices that a subscript has.
    fn ways_of_ranges(&self, flat: &Polynomial, ranges: &Ranges, guards: &[Handle<Expr>]) -> Vec<Ranges> {
        let named: BTreeSet<Indeterminate> = flat.terms().flat_map(|(monomial, _)| monomial.iter().copied()).collect();
        let is_needed = |it: &Indeterminate| !matches!(it, Indeterminate::Index(_)) || named.contains(it);
        let needed = ranges.iter().filter(|(it, _)| is_needed(it)).map(|(it, range)| (*it, range.clone())).collect();
        let mut ways = vec![self.narrowed(&needed, guards), self.told(&needed, guards)];
        ways.dedup();
        let quotients = self.ranges_of_quotients(flat);
        ways.iter_mut().for_each(|way| way.extend(quotients.clone()));
        ways
    }

    /// Finds the dimensions behind one flat subscript; returns the number of buffers that a leading subscript such as
    /// `t % 2` chooses from.
    pub fn resolve_flat(
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
        if let Some(sizes) = sizes.filter(|_| opaque.is_none()) {
            layout.extents = sizes.iter().cloned().map(Some).collect();
        }
        if sizes.is_none() && opaque.is_none() {
            self.want_equal_sizes(&flat, accesses);
            self.want_assigned_sizes(&flat);
        }
        let shape = if opaque.is_none() { self.shape_of(&flat, ranges, sizes) } else { None };
        let Some(shape) = shape else {
            if sizes.is_none() && opaque.is_none() {
                self.want_equal_sizes_of_opaque(&flat);
            }
            return self.keep_flat(accesses, opaque).map(|()| None);
        };
        if sizes.is_none() {
            self.want_equal_offsets(&shape, &flat);
        }
        let shares_products = self.shares_products(accesses);
        // Those of tables have many places, and tables no points that a sweep comes to.
        let is_grid = accesses.iter().any(|access| self.nest.step.statements.iter().any(|it| it.write == *access));
        for (number, access) in accesses.iter().enumerate() {
            let span = self.nest.accesses.span(*access);
            let place = is_grid.then(|| self.at_place(&flat[number], &shape, number, span)).flatten();
            let subscripts = place.unwrap_or_else(|| {
                let told = shape.subscripts[number].iter().map(|subscript| match shares_products {
                    true => self.sum_of_products(subscript, span),
                    false => self.polynomial_expr(subscript, span),
                });
                told.collect()
            });
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
    pub fn split_runs_over_rows(&mut self, layout: &ArrayLayout, accesses: &[Handle<Access>], ranges: &Ranges) {
        for access in accesses {
            let Some(flat) = self.run_over_rows(*access, layout) else { continue };
            let ranges = self.ways_of_ranges(&flat, ranges, &self.nest.accesses[*access].guards);
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
    pub fn split_flat_rows(
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
        let has_more_rows = layout.extents[0].is_some() && layout.extents.len() != 2;
        if has_more_rows || sizes.is_none() && flat.iter().all(|(flat, _)| is_affine(flat)) {
            return;
        }
        let Some(shape) = self.shape_of(&flat, ranges, sizes).filter(|shape| shape.strides.len() > 1) else { return };
        let row = layout.strides[0].clone();
        let Some(strides) = shape.strides.iter().map(|stride| stride.times(&row)).collect::<Option<Vec<_>>>() else {
            return;
        };
        for (access, subscripts) in accesses.iter().zip(&shape.subscripts) {
            let span = self.nest.accesses.span(*access);
            let subscripts: Vec<_> = subscripts.iter().map(|it| self.polynomial_expr(it, span)).collect();
            self.nest.accesses[*access].subscripts.splice(0..1, subscripts);
        }
        let declared = layout.extents.iter().flatten().map(Polynomial::as_constant).collect::<Option<Vec<_>>>();
        layout.length = declared.filter(|all| all.len() == 2).map(|all| all.iter().product());
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

    /// Whether accesses have subscripts with products of parameters in common, as those of a flat mask of weights with `2 * r + 1`
    /// columns: which of them come first is told by the rest.
    fn shares_products(&self, accesses: &[Handle<Access>]) -> bool {
        let is_fixed = |access: &&Handle<Access>| is_invariant(self, self.nest.accesses[**access].subscripts[0]);
        accesses.iter().filter(is_fixed).count() > MAX_APART
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
