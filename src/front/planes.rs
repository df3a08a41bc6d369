//! Arrays whose leading subscripts do not change in the nest, as `A[from][i]` and `A[to][i]`.
//!
//! Whether two such subscripts are equal is known when the nest starts. So each of them is an array of its own; the driver
//! compares all arrays and runs the original loops where two are the same memory.

use tree_sitter::Node;

use super::Failable;
use super::polynomial::Polynomial;
use super::reader::Reader;
use super::rotation::Group;
use crate::ir::{Access, Array, Buffer, Handle};
use crate::source::{Diagnostic, Span};

/// Accesses by their leading subscript.
pub type Planes = Vec<(Polynomial, Vec<Handle<Access>>)>;

impl<'t> Reader<'_, '_, 't> {
    /// The planes of a written array, if sets cannot tell whether they differ; `None` for any other array.
    pub fn planes(&self, group: &Group, accesses: &[Handle<Access>]) -> Option<Planes> {
        let is_written = |access: &Handle<Access>| self.nest.step.statements.iter().any(|it| it.write == *access);
        let has_row_tables = !self.roots[group.roots[0]].ty.pointers().is_empty();
        if group.roots.len() > 1 || has_row_tables || !self.copies.is_empty() || !accesses.iter().any(is_written) {
            return None;
        }
        let mut planes = Planes::new();
        for access in accesses {
            let subscripts = &self.nest.accesses[*access].subscripts;
            let leading = self.polynomial(subscripts[0]).filter(|_| subscripts.len() > 1)?;
            if !leading.by_index()?.0.is_empty() {
                return None;
            }
            match planes.iter_mut().find(|(other, _)| *other == leading) {
                Some((_, members)) => members.push(*access),
                None => planes.push((leading, vec![*access])),
            }
        }
        let (first, _) = planes.first()?;
        let is_told_apart = planes
            .iter()
            .all(|(other, _)| other.plus(first, -1).is_some_and(|difference| difference.as_constant().is_some()));
        (!is_told_apart).then_some(planes)
    }

    /// One plane as an array, and its strides.
    pub fn resolve_plane(
        &mut self,
        root: usize,
        leading: &Polynomial,
        accesses: &[Handle<Access>],
        nest: Node<'t>,
        span: Span,
    ) -> Failable<(Array, Vec<Polynomial>)> {
        let mut layout = self.declared_layout(&self.roots[root].clone(), nest, span)?;
        let (stride, _) = (layout.strides.remove(0), layout.extents.remove(0));
        for access in accesses {
            self.nest.accesses[*access].subscripts.remove(0);
        }
        self.normalise_subscripts(accesses);
        self.check_inside_members(root, accesses)?;
        let Some(offset) = leading.times(&stride) else {
            let message =
                format!("the first subscript of `{}` is not a product of integer variables", self.root_name(root));
            let help = "compute the subscript into an integer variable before the nest";
            return Err(Box::new(Diagnostic::error("array-size", message, span).with_help(help)));
        };
        let offset = (!offset.is_zero()).then(|| self.polynomial_expr(&offset, span));
        let variable = self.roots[root].variable;
        let array = Array {
            name: self.name(variable).to_owned(),
            element: self.nest.arrays[self.root_array(root)].element,
            buffers: vec![Buffer { variable, offset }],
            strides: self.stride_exprs(&layout.strides, span),
            pointers: Vec::new(),
            is_behind_pointer: false,
            extents: self.extent_exprs(&layout.extents, span),
            length: None,
            allocated: Vec::new(),
            history: None,
            members: self.nest.arrays[self.root_array(root)].members,
        };
        Ok((array, layout.strides))
    }
}
