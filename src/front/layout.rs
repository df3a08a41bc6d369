//! Strides and extents of arrays: as types and clauses give them, and as expressions.

use tree_sitter::Node;

use super::Failable;
use super::polynomial::{Indeterminate, Polynomial};
use super::reader::{Reader, Root};
use super::tree::nodes_in;
use super::types::CType;
use crate::ir::{BinaryOp, Expr, Handle, Loop};
use crate::source::{Diagnostic, Span};

/// Strides and extents of an array as declared or recovered.
pub struct ArrayLayout {
    /// Distance in elements between neighbours in each dimension, outermost first.
    pub strides: Vec<Polynomial>,
    /// As [`Array::pointers`](crate::ir::Array::pointers).
    pub pointers: Vec<bool>,
    /// As [`Array::is_behind_pointer`](crate::ir::Array::is_behind_pointer).
    pub is_behind_pointer: bool,
    /// Number of elements in each dimension where it is known.
    pub extents: Vec<Option<Polynomial>>,
    /// Number of elements of a flat array, if it is a constant.
    pub length: Option<i64>,
}

impl<'t> Reader<'_, '_, 't> {
    /// Adds what an `extent` clause says of an array whose type has dimensions; both must agree. Sizes are of structures, not of
    /// what is in them; those of a flat array of structures wait for its rows.
    pub fn state_extents(&self, layout: &mut ArrayLayout, sizes: &[Polynomial], root: &Root) -> Failable<()> {
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

    /// The strides of the box of all indices of loops.
    pub fn strides_of_box(&mut self, space: &[Handle<Loop>], span: Span) -> Option<Vec<Handle<Expr>>> {
        let lengths: Option<Vec<_>> = space.iter().map(|this| self.length_of(*this)).collect();
        let mut strides = vec![Polynomial::constant(1)];
        for length in lengths?.iter().skip(1).rev() {
            strides.insert(0, strides[0].times(length)?);
        }
        Some(self.stride_exprs(&strides, span))
    }

    /// How many indices there are from the first to the last iteration of a loop, if no other loop changes that.
    pub fn length_of(&self, this: Handle<Loop>) -> Option<Polynomial> {
        let Loop { first, bound, relation, step, .. } = &self.nest.loops[this];
        let inclusive = match relation {
            BinaryOp::Less | BinaryOp::Greater | BinaryOp::NotEqual => 0,
            BinaryOp::LessEqual | BinaryOp::GreaterEqual => 1,
            _ => return None,
        };
        let (from, to) = if *step > 0 { (first, bound) } else { (bound, first) };
        let length = self.polynomial(*to)?.plus(&self.polynomial(*from)?, -1)?;
        let is_fixed =
            |(monomial, _): (&Vec<Indeterminate>, i64)| monomial.iter().all(|it| matches!(it, Indeterminate::Param(_)));
        let is_fixed = length.terms().all(is_fixed);
        length.plus(&Polynomial::constant(inclusive), 1).filter(|_| is_fixed)
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

    /// The dimensions that the C type gives.
    pub fn declared_layout(&mut self, root: &Root<'t>, nest: Node<'t>, span: Span) -> Failable<ArrayLayout> {
        let mut extents = Vec::new();
        let grid = self.grids.get(&root.variable).map(|grid| grid.extents.clone()).unwrap_or_default();
        let mut rest = &root.ty;
        loop {
            match rest {
                CType::Array(inner, _) if extents.len() < grid.len() => {
                    extents.push(self.fixed_polynomial(grid[extents.len()]));
                    rest = inner;
                }
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
        let names = nodes_in(size).filter(|node| node.kind() == "identifier").map(|node| self.text(node));
        let has_changed = |name: &&str| {
            let variable = self.scope.variable(name);
            variable.is_some_and(|it| it.declared_at > since || self.is_other_since(nest, name, since))
        };
        let Some(changed) = names.filter(has_changed).last() else { return Ok(()) };
        let name = self.name(root.variable);
        let message = format!("the size of `{name}` was computed from `{changed}`, which may have changed since");
        let help = format!("keep the size in a variable that nothing assigns after `{name}` is declared");
        Err(Box::new(Diagnostic::error("array-size", message, span).with_help(help)))
    }
}
