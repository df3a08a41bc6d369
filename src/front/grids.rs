//! Grids that a step or an iteration in it declares, as `double next[n][m];`: nobody knows them outside of it, and it reads there what it has stored.
//!
//! They are arrays like those of the caller's, of numbers or of structures of numbers, but that the host has no memory for them.

use tree_sitter::Node;

use super::Failable;
use super::polynomial::{Indeterminate, Polynomial};
use super::reader::{Binding, Grid, PointerValue, Reader};
use super::structures::size;
use super::tree::{Unit, children, without_casts};
use super::types::{CType, base_type, declared};
use super::unroll::MAX_ITERATIONS;
use crate::ir::{self, Array, BinaryOp, Expr, Handle, HostValue, ScalarType};
use crate::source::{Diagnostic, Span};

/// Fewer elements are no grid.
const LEAST_GRID: i64 = 8;

impl<'t> Reader<'_, '_, 't> {
    /// Declares the array `name` as a grid, if its elements are numbers and so many that they are no scalars of a point.
    pub fn declare_grid(
        &mut self,
        (node, declarator): (Node<'t>, Node<'t>),
        name: &str,
        ty: &CType<'t>,
    ) -> Failable<bool> {
        let is_volatile = self.scope.variable(name).is_none_or(|variable| variable.is_volatile);
        let values = self.values_each_time(node, declarator);
        if is_volatile || values.is_some_and(|values| !self.are_zeros(values)) || self.is_of_point(declarator, name) {
            return Ok(false);
        }
        let (Some(extents), Some(value)) = (self.grid_extents(ty)?, self.host_value(name)) else { return Ok(false) };
        let span = self.span(declarator);
        let element = self.int(ScalarType::I64, self.bytes_of_element(ty), span);
        let sizes: Vec<_> = extents.iter().copied().chain([element]).collect();
        let grid = Grid { extents, sizes: sizes.clone(), declared: span, is_declared_again: false };
        self.add_grid(declarator, value, grid)?;
        if values.is_some() {
            let pointer = self.first_of_grid(value, ty, span);
            self.clear_grid(declarator, pointer, &sizes)?;
        }
        Ok(true)
    }

    /// Whether the elements of an array are so few that they are scalars of a point, as weights are. Where that cannot be, they may
    /// be a small grid, as in `int next[8][8];`.
    fn is_of_point(&self, declarator: Node<'t>, name: &str) -> bool {
        let is_in_space = self.loops.len() > 1;
        let is_small = |extent: &i64| is_in_space || *extent <= MAX_ITERATIONS as i64;
        let Some(shape) = self.shape(name).filter(|shape| shape.extents.iter().all(is_small)) else { return false };
        let place = self.unit.original(declarator.start_byte());
        if shape.extents.iter().product::<i64>() >= LEAST_GRID {
            self.unit.wanted.borrow_mut().ways.grids.insert(place);
        }
        !self.unit.taken.ways.grids.contains(&place)
    }

    /// Whether `{0}`, `{}` or the like is what an array is declared with.
    pub fn are_zeros(&self, values: Node<'t>) -> bool {
        let is_zero = |it: Node| it.kind() == "number_literal" && self.text(it).parse() == Ok(0.0);
        values.kind() == "initializer_list" && children(values).into_iter().all(is_zero)
    }

    fn first_of_grid(&mut self, value: Handle<HostValue>, ty: &CType<'t>, span: Span) -> PointerValue<'t> {
        let CType::Array(inner, _) = ty else { unreachable!("a grid has elements") };
        let mut pointer = self.first_of(value, ty, inner, span);
        while let CType::Array(inner, _) = pointer.pointee {
            pointer.pointee = *inner;
            pointer.subscripts.push(self.int(ScalarType::I64, 0, span));
        }
        pointer
    }

    /// Fills a grid with zeros; the product of `sizes` is how many bytes it has.
    fn clear_grid(&mut self, node: Node<'t>, first: PointerValue<'t>, sizes: &[Handle<Expr>]) -> Failable<()> {
        let span = self.span(node);
        let bytes = sizes.iter().copied().reduce(|left, right| self.binary(BinaryOp::Mul, left, right, span));
        self.note_zeros(node, first, bytes.expect("an element has a size"))
    }

    /// Notes a grid; functions that are called several times declare it as often.
    fn add_grid(&mut self, node: Node<'t>, value: Handle<HostValue>, mut grid: Grid) -> Failable<()> {
        grid.is_declared_again = self.is_grid(value);
        let known = self.grids.insert(value, grid.clone());
        if known.is_some_and(|known| !self.are_same(&known.sizes, &grid.sizes)) {
            let message = format!("`{}` is declared with other sizes before", self.name(value));
            return self.refuse(node, "local-array", message, "give it the same sizes in all calls");
        }
        Ok(())
    }

    /// Declares what `declarator`, one of those in `node`, declares with the value `value`, if that is memory of the step's own:
    /// `double *next = malloc(n * sizeof *next)`.
    pub fn declare_memory(&mut self, node: Node<'t>, declarator: Node<'t>, value: Node<'t>) -> Failable<bool> {
        if allocation(self.unit, value).is_none() {
            return Ok(false);
        }
        let (name, _) = declared(self.unit, declarator, base_type(self.unit, &self.scope, node));
        self.scope.declare_variable(self.unit, node, declarator, false, true);
        let Some(variable) = self.host_value(&name) else { return Ok(false) };
        self.declared_in.insert(variable, self.loops.len());
        self.declare_allocated(value, variable)
    }

    /// Gives the variable that `node` assigns memory of the step's own, if it declares the variable, and that is what it assigns.
    pub fn assign_memory(&mut self, node: Node<'t>) -> Failable<bool> {
        let (target, value) = (self.field(node, "left")?, self.field(node, "right")?);
        let is_plain = target.kind() == "identifier" && self.text(self.field(node, "operator")?) == "=";
        if !is_plain || allocation(self.unit, value).is_none() {
            return Ok(false);
        }
        let variable = self.host_value(self.text(target)).filter(|variable| !self.is_from_outside(*variable));
        variable.map_or(Ok(false), |variable| self.declare_allocated(value, variable))
    }

    /// Gives a variable memory of the step's own, if that is what it is declared with.
    fn declare_allocated(&mut self, value: Node<'t>, variable: Handle<HostValue>) -> Failable<bool> {
        let ty = self.declaration_of(variable).map(|it| it.ty.clone());
        let Some(CType::Pointer(element)) = ty else { return Ok(false) };
        let Some(sizes) = self.allocated(value)?.filter(|_| matches!(*element, CType::Scalar(_))) else {
            return Ok(false);
        };
        let span = self.span(value);
        let grid = Grid { extents: Vec::new(), sizes: sizes.clone(), declared: span, is_declared_again: false };
        self.add_grid(value, variable, grid)?;
        let pointer = self.first_of(variable, &CType::Array(element.clone(), None), &element, span);
        self.bindings.insert(variable, Binding::Pointer(pointer.clone()));
        if self.gives_zeros(value) {
            self.clear_grid(value, pointer, &sizes)?;
        }
        Ok(true)
    }

    /// Whether an allocation fills what it gives with zeros.
    fn gives_zeros(&self, value: Node<'t>) -> bool {
        let function = allocation(self.unit, value).and_then(|call| call.child_by_field_name("function"));
        function.is_some_and(|function| self.text(function) == "calloc")
    }

    /// How many bytes a call asks for, if it asks for memory: the factors.
    fn allocated(&mut self, value: Node<'t>) -> Failable<Option<Vec<Handle<Expr>>>> {
        let Some(call) = allocation(self.unit, value) else { return Ok(None) };
        let function = self.field(call, "function")?;
        if self.defines(self.text(function)) {
            return Ok(None);
        }
        let mut sizes = Vec::new();
        for argument in children(self.field(call, "arguments")?) {
            let size = self.scalar(argument)?;
            let Some(size) = self.fixed_size(size) else { return Ok(None) };
            let span = self.span(argument);
            sizes.extend(self.extent_exprs(&[Some(size)], span).into_iter().flatten());
        }
        Ok(Some(sizes))
    }

    /// Whether a call gives such memory back.
    pub fn frees_grid(&self, name: &str, argument: Node<'t>) -> bool {
        let variable = self.scope.variable(self.text(argument));
        let value = variable.map(|it| it.identity(self.unit.source.id(), self.text(argument)));
        let value = value.and_then(|variable| self.nest.values.find(&HostValue { variable, path: Vec::new() }));
        name == "free" && !self.defines(name) && value.is_some_and(|value| self.is_grid(value))
    }

    /// The sizes of an array of numbers, or of structures of them, if they are sums of products of what does not change.
    fn grid_extents(&mut self, ty: &CType<'t>) -> Failable<Option<Vec<Handle<Expr>>>> {
        let (mut extents, mut rest) = (Vec::new(), ty);
        while let CType::Array(inner, Some(size)) = rest {
            let size = self.length(*size)?;
            if self.fixed_size(size).is_none() {
                return Ok(None);
            }
            extents.push(size);
            rest = inner;
        }
        let has_numbers = matches!(rest, CType::Scalar(_)) || self.is_of_numbers(rest);
        Ok(has_numbers.then_some(extents).filter(|extents| !extents.is_empty()))
    }

    /// Whether a type is one of structures that consist of numbers of one type and of nothing else: an array of them is one of these
    /// numbers.
    pub fn is_of_numbers(&self, ty: &CType<'t>) -> bool {
        let Some(structure) = self.scope.structure(ty) else { return false };
        let has_others = structure.has_volatile(self.unit, &self.scope) || self.has_pointers(structure);
        let all = structure.bytes(self.unit, &self.scope);
        !has_others && matches!(all.as_deref(), Some([_])) && structure.runs(self.unit, &self.scope) == all
    }

    /// How many bytes an element has of an array whose elements are numbers, or structures.
    fn bytes_of_element(&self, ty: &CType<'t>) -> i64 {
        let whole = size(self.unit, &self.scope, ty.without_arrays());
        whole.unwrap_or(ty.element_type().size() as i64)
    }

    /// What a size is that is the same in all iterations of all loops.
    fn fixed_size(&mut self, size: Handle<Expr>) -> Option<Polynomial> {
        let is_fixed = |it: &Indeterminate| matches!(it, Indeterminate::Param(_));
        self.fixed_polynomial(size).filter(|it| it.terms().all(|(term, _)| term.iter().all(is_fixed)))
    }

    /// Whether an array is a grid that each step declares once: what it holds then nobody finds there but in what the step leaves
    /// as it was.
    pub fn is_grid_declared_once(&self, array: Handle<Array>) -> bool {
        let grids = self.nest.arrays[array].buffers.iter().filter_map(|buffer| self.grids.get(&buffer.variable));
        let again: Vec<bool> = grids.map(|grid| grid.is_declared_again).collect();
        !again.is_empty() && again.iter().all(|is_again| !is_again)
    }

    /// Whether a variable is a grid of the step's.
    pub fn is_grid(&self, value: Handle<HostValue>) -> bool {
        self.grids.contains_key(&value)
    }

    /// Tells the nest which of its arrays are such grids.
    pub fn note_grids(&mut self) -> Failable<()> {
        for array in self.nest.arrays.handles() {
            let buffers = self.nest.arrays[array].buffers.clone();
            let Some(grid) = buffers.iter().find_map(|buffer| self.grids.get(&buffer.variable)) else { continue };
            let name = &self.nest.arrays[array].name;
            if buffers.len() > 1 {
                let message = format!("the arrays `{name}` change places, and the step declares some of them");
                let error = Diagnostic::error("local-array", message, grid.declared);
                return Err(Box::new(error.with_help("declare them before the nest")));
            }
            let sizes = grid.sizes.clone();
            self.nest.step.grids.push(ir::Grid { array, sizes, is_trail: false });
        }
        Ok(())
    }
}

/// Whether a call of the library's function `name` gives a grid of the step's memory, or takes it back.
pub fn is_of_grid(unit: &Unit, call: Node, name: &str) -> bool {
    let around = std::iter::successors(call.parent(), Node::parent);
    let mut around = around.skip_while(|it| matches!(it.kind(), "cast_expression" | "parenthesized_expression"));
    let is_declared_with = around.next().is_some_and(|it| {
        let target = it.child_by_field_name("left").is_some_and(|target| target.kind() == "identifier");
        it.kind() == "init_declarator" || target && it.kind() == "assignment_expression"
    });
    name == "free" || is_declared_with && allocation(unit, call).is_some()
}

/// The call of a function of the library that `value`, without casts, is, if that gives memory.
pub fn allocation<'t>(unit: &Unit, value: Node<'t>) -> Option<Node<'t>> {
    let value = without_casts(value);
    let name = value.child_by_field_name("function").filter(|_| value.kind() == "call_expression")?;
    ["malloc", "calloc"].contains(&&unit.text[name.byte_range()]).then_some(value)
}
