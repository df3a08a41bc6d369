//! `memcpy`, `memmove` and `memset` of whole rows as loops over elements.

use std::collections::BTreeMap;

use tree_sitter::Node;

use super::Failable;
use super::expressions::Value;
use super::function_pointers::Callee;
use super::integral::Trust;
use super::objects::Place;
use super::polynomial::{Indeterminate, Polynomial};
use super::reader::{BlockCopy, PointerValue, Reader};
use super::runs::Run;
use super::tree::{address_of, children, strip_parentheses};
use super::types::CType;
use crate::ir::{Access, BinaryOp, Expr, ExprKind, Handle, Loop, Param, ParamValue, ScalarType, Statement};
use crate::source::{Diagnostic, Span};

const HELP: &str = "write the copy as loops over the elements";

impl<'t> Reader<'_, '_, 't> {
    /// A call whose value is not used.
    pub fn call_statement(&mut self, node: Node<'t>) -> Failable<()> {
        let (function, arguments) = (self.field(node, "function")?, self.field(node, "arguments")?);
        let name = match self.callee(function)? {
            Callee::Own(definition) => return self.own_call(node, definition).map(|_| ()),
            Callee::Other(name) => self.text(name),
        };
        let arguments = children(arguments);
        match (name, arguments.as_slice()) {
            (_, [argument]) if self.frees_grid(name, *argument) => Ok(()),
            ("memcpy" | "memmove", [target, origin, bytes]) => {
                self.check_is_library(node, name)?;
                let target = self.first_element(*target)?;
                let origin = self.first_element(*origin)?;
                let bytes = self.byte_count(*bytes)?;
                self.note_copy(node, target, origin, bytes)
            }
            ("memset", [target, value, bytes]) => {
                self.check_is_library(node, name)?;
                let target = self.first_element(*target)?;
                let value = self.scalar(*value)?;
                if self.constant(value) != Some(0) {
                    let help = "write it as loops that store the value in the elements";
                    return self.refuse(node, "memcpy", "the array is filled with bytes that are not 0", help);
                }
                let bytes = self.byte_count(*bytes)?;
                self.note_zeros(node, target, bytes)
            }
            (_, [argument]) if self.note_setting(name, *argument)? => Ok(()),
            _ => self.refuse_call(node, name),
        }
    }

    fn byte_count(&mut self, node: Node<'t>) -> Failable<Handle<Expr>> {
        let bytes = self.scalar(node)?;
        Ok(self.integral(bytes, self.here(), Trust::Checks).unwrap_or(bytes))
    }

    fn note_copy(
        &mut self,
        node: Node<'t>,
        target: PointerValue<'t>,
        origin: PointerValue<'t>,
        bytes: Handle<Expr>,
    ) -> Failable<()> {
        if self.scope.structure(&target.pointee).is_some() {
            return self.note_structures(node, &target, Some(&origin), bytes);
        }
        let element = |pointer: &PointerValue<'t>| self.roots[pointer.root].ty.element().0.clone();
        if element(&target) != element(&origin) {
            let help = "copy between arrays of one type of elements";
            return self.refuse(node, "memcpy", "the two arrays have elements of different types", help);
        }
        if target.root == origin.root && self.roots[target.root].ty.element().1 < 2 {
            return self.refuse(node, "memcpy", "an array is copied onto itself", HELP);
        }
        let origin = self.access(origin.root, origin.subscripts, self.span(node));
        self.note_fill(node, target, Some(origin), bytes)
    }

    /// Notes what fills an array of structures, all bytes of them.
    fn note_structures(
        &mut self,
        node: Node<'t>,
        target: &PointerValue<'t>,
        origin: Option<&PointerValue<'t>>,
        bytes: Handle<Expr>,
    ) -> Failable<()> {
        let structure = self.structure_of(node, &target.pointee)?;
        if origin.is_some_and(|origin| !self.is_same_type(&origin.pointee, &target.pointee)) {
            let help = "copy between arrays of one type of structures";
            return self.refuse(node, "memcpy", "the two arrays have structures of different types", help);
        }
        for run in self.copied_runs(node, structure)? {
            let origin = origin.map(|origin| self.view_from(node, origin, run)).transpose()?;
            let target = self.view_from(node, target, run)?;
            let origin = origin.map(|origin| self.access(origin.root, origin.subscripts, self.span(node)));
            self.note_fill(node, target, origin, bytes)?;
        }
        Ok(())
    }

    /// The first of the members in a run of the structures to which `whole` points.
    fn view_from(&mut self, node: Node<'t>, whole: &PointerValue<'t>, run: Run) -> Failable<PointerValue<'t>> {
        let structure = self.structure_of(node, &whole.pointee)?;
        let root = self.view(node, whole, structure, run)?;
        let first = self.int(ScalarType::I64, run.elements().0, self.span(node));
        let subscripts = whole.subscripts.iter().copied().chain([first]).collect();
        Ok(PointerValue { root, subscripts, pointee: CType::Scalar(run.element) })
    }

    /// Notes that an array is filled with zeros.
    pub fn note_zeros(&mut self, node: Node<'t>, target: PointerValue<'t>, bytes: Handle<Expr>) -> Failable<()> {
        match self.scope.structure(&target.pointee) {
            Some(_) => self.note_structures(node, &target, None, bytes),
            None => self.note_fill(node, target, None, bytes),
        }
    }

    /// Notes what fills an array: copies of elements, or zeros.
    fn note_fill(
        &mut self,
        node: Node<'t>,
        target: PointerValue<'t>,
        origin: Option<Handle<Access>>,
        bytes: Handle<Expr>,
    ) -> Failable<()> {
        if !self.data_conditions.is_empty() {
            return self.refuse(node, "memcpy", "whether the array is copied depends on data", HELP);
        }
        let span = self.span(node);
        let target = self.access(target.root, target.subscripts, span);
        let statement = self.nest.step.statements.len();
        self.stored.clear();
        self.copies.push(BlockCopy { target, origin, bytes, statement, span });
        Ok(())
    }

    /// The first element behind a pointer argument.
    fn first_element(&mut self, node: Node<'t>) -> Failable<PointerValue<'t>> {
        let span = self.span(node);
        let node = self.array_behind_address(node)?.unwrap_or(node);
        let mut pointer = match self.value(node)? {
            Value::Pointer(pointer) => pointer,
            Value::Address(object) => match self.elements_behind(object, span) {
                Some(pointer) => pointer,
                None => {
                    let message = format!("`{}` is a variable, and no array", self.name(object));
                    return self.refuse(node, "memcpy", message, "assign it, as in `p = q;`");
                }
            },
            _ => return self.refuse(node, "syntax", "this is not a pointer", HELP),
        };
        if let CType::Untyped(seen) = pointer.pointee {
            pointer.pointee = *seen;
        }
        while let CType::Array(inner, _) = pointer.pointee {
            pointer.pointee = *inner;
            pointer.subscripts.push(self.int(ScalarType::I64, 0, span));
        }
        if matches!(pointer.pointee, CType::Pointer(_)) {
            return self.refuse_table_copy(node, &pointer);
        }
        Ok(pointer)
    }

    /// The array whose address an argument is: `&a` leads to where `a` begins.
    fn array_behind_address(&mut self, argument: Node<'t>) -> Failable<Option<Node<'t>>> {
        let Some(place) = address_of(self.unit, strip_parentheses(argument)) else { return Ok(None) };
        let Some(Place::Object(object)) = self.designated(place)? else { return Ok(None) };
        match self.declaration_of(object).map(|it| &it.ty) {
            Some(CType::Array(..)) => Ok(Some(place)),
            Some(CType::Pointer(_)) => {
                let message = format!("`{}` is a pointer, and its own bytes are meant here", self.name(object));
                let help = format!("write `{}` for the elements to which it leads", self.text(place));
                self.refuse(argument, "memcpy", message, &help)
            }
            _ => Ok(None),
        }
    }

    /// Turns the copies into statements with loops of their own.
    ///
    /// `strides` are those of the final arrays, by handle; `node` is the nest.
    pub fn expand_copies(&mut self, node: Node<'t>, strides: &[Vec<Polynomial>]) -> Failable<()> {
        for copy in std::mem::take(&mut self.copies).into_iter().rev() {
            let sizes = self.copied_sizes(&copy, strides, &|polynomial| Some(polynomial.clone()));
            let sizes = sizes.or_else(|| {
                let values = self.initial_values(node);
                self.copied_sizes(&copy, strides, &|polynomial| with_values(polynomial, &values))
            });
            // A read of what such a grid holds at first is refused later.
            if sizes.is_none() && self.is_grid_declared_once(self.nest.accesses[copy.target].array) {
                continue;
            }
            let sizes = sizes.ok_or_else(|| {
                let message = "the copy is not known to be one of whole rows of two arrays of one shape";
                Box::new(Diagnostic::error("memcpy", message, copy.span).with_help(HELP))
            })?;
            let loops: Vec<_> = sizes.iter().map(|size| self.loop_over(size, copy.span)).collect();
            let place = self.nest.accesses[copy.target].position.clone();
            for (access, last) in copy.origin.map(|origin| (origin, 0)).into_iter().chain([(copy.target, 2)]) {
                self.extend_access(access, &loops, copy.span);
                let mut position = place.clone();
                position.extend(std::iter::repeat_n(0, loops.len() - 1));
                position.push(last);
                self.nest.accesses[access].position = position;
            }
            let ty = self.nest.arrays[self.nest.accesses[copy.target].array].element;
            let value = match copy.origin {
                Some(origin) => self.expr(ty, ExprKind::Read(origin), copy.span),
                None => self.zero(ty, copy.span),
            };
            let statement = Statement { write: copy.target, first: copy.target, value, span: copy.span };
            self.nest.step.statements.insert(copy.statement, statement);
        }
        Ok(())
    }

    /// Number of elements copied in each dimension; `rewrite` is applied to all sizes first.
    fn copied_sizes(
        &self,
        copy: &BlockCopy,
        strides: &[Vec<Polynomial>],
        rewrite: &impl Fn(&Polynomial) -> Option<Polynomial>,
    ) -> Option<Vec<Polynomial>> {
        let (target, origin) =
            (&self.nest.accesses[copy.target], &self.nest.accesses[copy.origin.unwrap_or(copy.target)]);
        let (shape, other) = (&strides[target.array.index()], &strides[origin.array.index()]);
        let first = self.first_in_block(target.array);
        let run = self.nest.arrays[target.array].members.map(|members| members.elements(self.element_size(target)));
        let starts_rows = |access: &Access| {
            let last = access.subscripts.len() - 1;
            let start = |d| if d == last { run.map_or(0, |(first, _)| first) } else { 0 };
            (first + 1..=last).all(|d| self.constant(access.subscripts[d]) == Some(start(d)))
        };
        let is_onto_itself = copy.origin.is_some() && target.array == origin.array && target.buffer.is_none();
        let is_same_shape = shape == other
            && self.nest.arrays[target.array].members == self.nest.arrays[origin.array].members
            && first == self.first_in_block(origin.array);
        if !is_same_shape || is_onto_itself || !starts_rows(target) || !starts_rows(origin) {
            return None;
        }
        let shape = &shape[first..];
        let size = self.element_size(target);
        let elements = rewrite(&self.polynomial(copy.bytes)?)?.exactly_divided(&Polynomial::constant(size))?;
        let shape: Vec<_> = shape.iter().map(rewrite).collect::<Option<_>>()?;
        let mut sizes = vec![elements.exactly_divided(&shape[0])?];
        for pair in shape.windows(2) {
            sizes.push(pair[0].exactly_divided(&pair[1])?);
        }
        if let Some((first, end)) = run {
            *sizes.last_mut()? = Polynomial::constant(end - first);
        }
        Some(sizes)
    }

    fn element_size(&self, access: &Access) -> i64 {
        self.nest.arrays[access.array].element.size() as i64
    }

    /// What integer variables were declared with, as polynomials of other variables, where nothing changed since.
    pub fn initial_values(&mut self, nest: Node<'t>) -> BTreeMap<Handle<Param>, Polynomial> {
        let mut values = BTreeMap::new();
        // Reading an initialiser may add parameters; those come from declarations further up and are not followed.
        for handle in self.nest.params.handles() {
            let ParamValue::Variable(value) = self.nest.params[handle].value else { continue };
            let (name, Some(variable)) = (self.name(value).to_owned(), self.declaration_of(value).cloned()) else {
                continue;
            };
            let Some(initialiser) = variable.initialiser.filter(|_| !variable.is_static) else { continue };
            let is_fixed = !self.is_other_since(nest, &name, variable.declared_at)
                && self.is_plain_and_fixed(nest, initialiser, variable.declared_at);
            if is_fixed {
                let value = self.scalar(initialiser).ok().map(|value| self.convert(value, self.nest.params[handle].ty));
                let value = value.and_then(|value| self.fixed_polynomial(value));
                values.extend(value.map(|value| (handle, value)));
            }
        }
        values
    }

    fn zero(&mut self, ty: ScalarType, span: Span) -> Handle<Expr> {
        if ty.is_float() { self.expr(ty, ExprKind::Float("0.0".into()), span) } else { self.int(ty, 0, span) }
    }

    /// A loop over so many elements.
    pub fn loop_over(&mut self, size: &Polynomial, span: Span) -> Handle<Loop> {
        let first = self.int(ScalarType::I64, 0, span);
        let bound = self.polynomial_expr(size, span);
        let name = self.unused_name("element");
        let variable = self.undeclared(name);
        let relation = BinaryOp::Less;
        let this = Loop { variable, ty: ScalarType::I64, outlives: false, first, relation, bound, step: 1 };
        self.nest.loops.push(this, span)
    }

    fn extend_access(&mut self, access: Handle<Access>, loops: &[Handle<Loop>], span: Span) {
        let first = self.first_in_block(self.nest.accesses[access].array);
        for (dimension, this) in (first..).zip(loops) {
            let index = self.expr(ScalarType::I64, ExprKind::Index(*this), span);
            let start = self.nest.accesses[access].subscripts[dimension];
            let subscript = self.index_sum(start, index, span);
            self.nest.accesses[access].subscripts[dimension] = subscript;
            self.nest.accesses[access].loops.push(*this);
        }
    }
}

/// `polynomial` with parameters replaced by their values, to any depth.
fn with_values(polynomial: &Polynomial, values: &BTreeMap<Handle<Param>, Polynomial>) -> Option<Polynomial> {
    let mut current = polynomial.clone();
    // Each round goes one declaration further up.
    for _ in 0..=values.len() {
        let mut next = Polynomial::default();
        for (monomial, coefficient) in current.terms() {
            let mut product = Polynomial::constant(coefficient);
            for symbol in monomial {
                let value = match symbol {
                    Indeterminate::Param(param) => values.get(param).cloned(),
                    _ => None,
                };
                product = product.times(&value.unwrap_or_else(|| Polynomial::term(vec![*symbol], 1)))?;
            }
            next = next.plus(&product, 1)?;
        }
        if next == current {
            break;
        }
        current = next;
    }
    Some(current)
}
