//! Grids that a step declares, as `double next[n][m];`: nobody knows them outside of it, and it reads there what it has stored.
//!
//! They are arrays like those of the caller's, but that the host has no memory for them.

use tree_sitter::Node;

use super::Failable;
use super::local_arrays::no_small_array;
use super::reader::{Grid, Reader};
use super::types::CType;
use super::unroll::MAX_ITERATIONS;
use crate::ir::{Expr, Handle, HostValue};
use crate::source::Diagnostic;

impl<'t> Reader<'_, '_, 't> {
    /// Declares the array `name` as a grid, if its elements are numbers and so many that they are no scalars of a point.
    pub fn declare_grid(&mut self, declarator: Node<'t>, name: &str, ty: &CType<'t>) -> Failable<bool> {
        if self.loops.len() > 1 {
            return Ok(false);
        }
        let is_small = |extent: &i64| *extent <= MAX_ITERATIONS as i64;
        let is_of_point = self.shape(name).is_some_and(|shape| shape.extents.iter().all(is_small));
        let is_volatile = self.scope.variable(name).is_none_or(|variable| variable.is_volatile);
        if is_of_point || is_volatile || declarator.child_by_field_name("value").is_some() {
            return Ok(false);
        }
        let (Some(extents), Some(value)) = (self.grid_extents(ty)?, self.host_value(name)) else { return Ok(false) };
        let grid = Grid { extents, depth: self.loops.len(), declared: self.span(declarator) };
        let known = self.grids.insert(value, grid.clone());
        if known.is_some_and(|known| !self.are_same(&known.extents, &grid.extents)) {
            let message = format!("`{name}` is declared with other sizes before");
            return self.refuse(declarator, "local-array", message, "give it the same sizes in all calls");
        }
        Ok(true)
    }

    /// The sizes of an array of numbers, if they are sums of products of what does not change.
    fn grid_extents(&mut self, ty: &CType<'t>) -> Failable<Option<Vec<Handle<Expr>>>> {
        let (mut extents, mut rest) = (Vec::new(), ty);
        while let CType::Array(inner, Some(size)) = rest {
            let size = self.length(*size)?;
            if self.fixed_polynomial(size).is_none() {
                return Ok(None);
            }
            extents.push(size);
            rest = inner;
        }
        Ok(matches!(rest, CType::Scalar(_)).then_some(extents).filter(|extents| !extents.is_empty()))
    }

    /// Whether a variable is a grid of the step's.
    pub fn is_grid(&self, value: Handle<HostValue>) -> bool {
        self.grids.contains_key(&value)
    }

    /// Tells the nest which of its arrays are such grids.
    pub fn note_grids(&mut self) -> Failable<()> {
        let depth = usize::from(self.nest.clock.has_steps());
        for array in self.nest.arrays.handles() {
            let buffers = self.nest.arrays[array].buffers.clone();
            let Some(grid) = buffers.iter().find_map(|buffer| self.grids.get(&buffer.variable)) else { continue };
            let name = &self.nest.arrays[array].name;
            if grid.depth > depth {
                return Err(no_small_array(name, grid.declared));
            }
            if buffers.len() > 1 {
                let message = format!("the arrays `{name}` change places, and the step declares some of them");
                let error = Diagnostic::error("local-array", message, grid.declared);
                return Err(Box::new(error.with_help("declare them before the nest")));
            }
            self.nest.step.grids.push(array);
        }
        Ok(())
    }
}
