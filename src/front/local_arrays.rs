//! Small arrays whose elements are scalars to the nest: those declared in it, and scratch arrays of the function around it.
//!
//! Each element is a variable of its own, `q[3]`, that statements give values as they do to any scalar. So subscripts must be
//! constants once loops with constant bounds are written out, and an element must get a value in an iteration before it is
//! read there.

use tree_sitter::Node;

use super::Failable;
use super::declarations::{Symbol, Variable};
use super::expressions::Value;
use super::headers::target;
use super::numbers::Constant;
use super::reader::{Binding, Change, Reader, Unknown};
use super::tree::{children, strip_parentheses, walk};
use super::types::{CType, base_type, declared};
use super::unroll::MAX_ITERATIONS;
use crate::ir::{self, BinaryOp, Expr, Handle, HostValue, ScalarType, Selector};
use crate::source::Span;

/// Elements of one array.
const MAX_ELEMENTS: i64 = 1024;

/// An array of a known shape.
#[derive(Clone, Debug)]
pub struct Shape<'t> {
    /// The variable.
    pub variable: Variable<'t>,
    /// Numbers of elements, outermost first.
    pub extents: Vec<i64>,
    /// Type of the elements.
    pub element: CType<'t>,
}

impl Shape<'_> {
    /// The subscripts of all elements, in the order in which they lie.
    fn places(&self) -> Vec<Vec<i64>> {
        let mut places = vec![Vec::new()];
        for extent in &self.extents {
            let longer =
                |place: &Vec<i64>| (0..*extent).map(|last| [place.as_slice(), &[last]].concat()).collect::<Vec<_>>();
            places = places.iter().flat_map(longer).collect();
        }
        places
    }
}

impl<'u, 't> Reader<'u, '_, 't> {
    /// The shape of the array `name`, if it is one of constant sizes.
    pub fn shape(&self, name: &str) -> Option<Shape<'t>> {
        let variable = self.scope.variable(name)?.clone();
        let (mut extents, mut rest) = (Vec::new(), variable.ty.clone());
        while let CType::Array(inner, size) = rest {
            extents.push(match size {
                Some(size) => self.scope.array_length(self.unit, size)?.as_i64()?,
                None if extents.is_empty() => children(initialiser(&variable)?).len() as i64,
                None => return None,
            });
            rest = *inner;
        }
        let count = extents.iter().try_fold(1_i64, |count, extent| count.checked_mul(*extent))?;
        let is_small = !extents.is_empty() && (1..=MAX_ELEMENTS).contains(&count);
        let is_plain = matches!(rest, CType::Scalar(_)) && !variable.is_volatile;
        (is_small && is_plain).then_some(Shape { variable, extents, element: rest })
    }

    /// The shape of the array `name`, if its elements are scalars to the nest.
    pub fn local_array(&self, name: &str) -> Option<Shape<'t>> {
        let variable = self.scope.variable(name)?;
        let is_local = variable.is_inside || self.scratch.contains(&variable.declared_at);
        self.shape(name).filter(|_| is_local)
    }

    /// The variable that is an element of such an array.
    fn element_variable(&mut self, name: &str, shape: &Shape<'t>, place: &[i64]) -> Handle<HostValue> {
        let variable = shape.variable.identity(self.unit.source.id(), name);
        let path = place.iter().copied().map(Selector::Element).collect();
        let element = self.nest.values.intern(HostValue { variable, path });
        let mut declared = shape.variable.clone();
        declared.ty = shape.element.clone();
        self.variables.entry(element).or_insert(declared);
        element
    }

    /// Declares the array that `declarator`, one of those in `node`, declares; false if it declares something else.
    pub fn declare_local_array(&mut self, node: Node<'t>, declarator: Node<'t>) -> Failable<bool> {
        let (name, ty) = declared(self.unit, declarator, base_type(self.unit, &self.scope, node));
        if !matches!(ty, CType::Array(..)) {
            return Ok(false);
        }
        self.scope.declare_variable(self.unit, node, declarator, false, true);
        let Some(shape) = self.shape(&name) else {
            let help = format!("give it constant sizes and at most {MAX_ELEMENTS} numbers that are not volatile");
            return self.refuse(declarator, "local-array", format!("`{name}` is no small array of numbers"), &help);
        };
        let places = shape.places();
        let values = match declarator.child_by_field_name("value") {
            Some(list) => Some(self.listed_elements(list, &shape)?),
            None => None,
        };
        let span = self.span(declarator);
        for (index, place) in places.iter().enumerate() {
            let element = self.element_variable(&name, &shape, place);
            match &values {
                None => {
                    self.bindings.insert(element, Binding::Unknown(Unknown::Uninitialised, span));
                }
                Some(values) => {
                    let at = values.get(index).copied().flatten();
                    let value = match at {
                        Some(value) => self.scalar(value)?,
                        None => self.int(ScalarType::I32, 0, span),
                    };
                    self.bind(at.unwrap_or(declarator), element, Value::Scalar(value), span)?;
                }
            }
        }
        Ok(true)
    }

    /// The initialisers of all elements, in order; elements without one are zero.
    fn listed_elements(&self, list: Node<'t>, shape: &Shape<'t>) -> Failable<Vec<Option<Node<'t>>>> {
        let found = (list.kind() == "initializer_list").then(|| elements_of(list, &shape.extents)).flatten();
        let help = "write the elements in order, each row in braces of its own";
        found.map_or_else(
            || self.refuse(list, "local-array", "the values of this array are not written one by one", help),
            Ok,
        )
    }

    /// The element of a local array that `place` names; `None` if it names something else.
    ///
    /// # Errors
    /// A subscript is no constant, or there is no such element.
    pub fn local_element(&mut self, place: Node<'t>) -> Failable<Option<Handle<HostValue>>> {
        let Some((name, indices)) = self.subscripted_name(place) else { return Ok(None) };
        let Some(shape) = self.local_array(name) else { return Ok(None) };
        if indices.len() != shape.extents.len() {
            return self.refuse_whole(place, name);
        }
        let mut subscripts = Vec::new();
        for (index, extent) in indices.into_iter().zip(&shape.extents) {
            let value = self.scalar(index)?;
            let Some(value) = self.constant(value) else {
                let message = format!("`{name}` is an array of the nest's own, and this subscript is no constant");
                let help = format!(
                    "let the loops over its elements have constant bounds (a macro or an `enum`) and at most \
                     {MAX_ITERATIONS} iterations"
                );
                return self.refuse(index, "local-array", message, &help);
            };
            if !(0..*extent).contains(&value) {
                let message = format!("`{name}` has no element {value}");
                return self.refuse(index, "local-array", message, "declare it with as many elements as the nest uses");
            }
            subscripts.push(value);
        }
        Ok(Some(self.element_variable(name, &shape, &subscripts)))
    }

    /// What an element of a local array holds.
    pub fn local_element_value(&mut self, place: Node<'t>) -> Failable<Option<Handle<Expr>>> {
        let Some(element) = self.local_element(place)? else { return self.table_value(place) };
        let name = self.name(element).to_owned();
        match self.bindings.get(&element).cloned() {
            Some(Binding::Scalar(value)) => Ok(Some(value)),
            Some(Binding::Unknown(why, assigned)) => Err(self.unknown_value(place, &name, why, assigned)),
            _ => Err(self.unknown_value(place, &name, Unknown::Carried, self.span(place))),
        }
    }

    /// Assigns `value`, or `place op value`, to an element of a local array.
    pub fn assign_local_element(
        &mut self,
        node: Node<'t>,
        place: Node<'t>,
        element: Handle<HostValue>,
        op: Option<BinaryOp>,
        value: Value<'t>,
    ) -> Failable<()> {
        let span = self.span(node);
        let value = match (op, value, op.is_some().then(|| self.local_element_value(place)).transpose()?.flatten()) {
            (Some(op), Value::Scalar(value), Some(old)) => Value::Scalar(self.arithmetic(node, op, old, value)?),
            (_, value, _) => value,
        };
        if self.is_from_outside(element) {
            self.assigned.entry(element).or_insert(span);
        }
        self.bind(node, element, value, span)
    }

    /// Refuses a local array that is used as a whole.
    pub fn refuse_whole<T>(&self, node: Node<'t>, name: &str) -> Failable<T> {
        let message = format!("`{name}` is an array of the nest's own, and no pointer can lead to it");
        self.refuse(node, "local-array", message, "name its elements one by one, with all subscripts")
    }

    /// For `name[i][j]` the name and the subscripts, outermost first.
    pub fn subscripted_name(&self, mut place: Node<'t>) -> Option<(&'u str, Vec<Node<'t>>)> {
        let mut subscripts = Vec::new();
        while place.kind() == "subscript_expression" {
            subscripts.insert(0, place.child_by_field_name("index")?);
            place = strip_parentheses(place.child_by_field_name("argument")?);
        }
        (place.kind() == "identifier" && !subscripts.is_empty()).then(|| (self.text(place), subscripts))
    }

    /// The element of a table of constant integers that `place` names, if its subscripts are constants.
    fn table_value(&mut self, place: Node<'t>) -> Failable<Option<Handle<Expr>>> {
        let Some((name, indices)) = self.subscripted_name(place) else { return Ok(None) };
        let Some(shape) = self.table(name) else { return Ok(None) };
        if indices.len() != shape.extents.len() || !indices.iter().all(|index| is_arithmetic(*index)) {
            return Ok(None);
        }
        let mut at = 0;
        for (index, extent) in indices.into_iter().zip(&shape.extents) {
            let value = self.scalar(index)?;
            let Some(value) = self.constant(value).filter(|value| (0..*extent).contains(value)) else {
                return Ok(None);
            };
            at = at * extent + value;
        }
        let value = self.listed_constant(&shape, at as usize);
        let span = self.span(place);
        Ok(value.and_then(|value| self.constant_expr(value, span)))
    }

    /// The shape of `name`, if it is an array of integers that never change, declared before the nest.
    pub fn table(&mut self, name: &str) -> Option<Shape<'t>> {
        let shape = self.shape(name).filter(|shape| !shape.variable.is_inside)?;
        let is_listed =
            matches!(shape.element, CType::Scalar(ty) if ty.is_integer()) && initialiser(&shape.variable).is_some();
        let variable = self.host_value(name).filter(|_| is_listed)?;
        self.qualifiers(variable).is_const.then_some(shape)
    }

    /// The constant that the initialiser gives to the element `at` of an array.
    fn listed_constant(&self, shape: &Shape<'t>, at: usize) -> Option<Constant> {
        let CType::Scalar(ty) = shape.element else { return None };
        let values = elements_of(initialiser(&shape.variable)?, &shape.extents)?;
        match values.get(at).copied().flatten() {
            Some(value) => self.scope.typed_constant(self.unit, value).filter(|_| is_number(value))?.converted(ty),
            None => Some(Constant::from_bits(ty, 0)),
        }
    }

    /// Adds the elements of local arrays that the loop `node` assigns.
    pub fn add_changed_elements(&mut self, node: Node<'t>, changed: &mut Vec<Change>) {
        for (name, span) in self.assigned_arrays(node) {
            let Some(shape) = self.local_array(name) else { continue };
            for place in shape.places() {
                changed.push((self.element_variable(name, &shape, &place), span));
            }
        }
    }

    /// The arrays of which the code in `node` assigns elements, each with the first place where it does.
    fn assigned_arrays(&self, node: Node<'t>) -> Vec<(&'u str, Span)> {
        let mut found: Vec<(&str, Span)> = Vec::new();
        walk(node, &mut |inner| {
            let target = inner.child_by_field_name("left").or_else(|| inner.child_by_field_name("argument"));
            let is_assignment = matches!(inner.kind(), "assignment_expression" | "update_expression");
            let target = target.filter(|_| is_assignment).map(strip_parentheses);
            if let Some((name, _)) = target.and_then(|target| self.subscripted_name(target))
                && !found.iter().any(|(other, _)| *other == name)
            {
                found.push((name, self.span(inner)));
            }
            true
        });
        found
    }

    /// Whether the code in `node` needs constant subscripts: it names an element of a local array, or computes an integer from a
    /// table of constants.
    pub fn needs_constant_subscripts(&mut self, node: Node<'t>) -> bool {
        let mut elements = Vec::new();
        walk(node, &mut |inner| {
            elements.extend(self.subscripted_name(inner).map(|(name, _)| (inner, name)));
            true
        });
        elements.into_iter().any(|(element, name)| {
            self.local_array(name).is_some() || self.is_in_integer(element) && self.table(name).is_some()
        })
    }

    /// Whether an element is part of a subscript, or of what an integer variable or a condition gets.
    fn is_in_integer(&self, element: Node<'t>) -> bool {
        let is_integer = |ty: &CType<'t>| matches!(ty, CType::Scalar(ty) if ty.is_integer());
        let mut inner = element;
        while let Some(outer) = inner.parent() {
            match outer.kind() {
                "subscript_expression" if outer.child_by_field_name("index") == Some(inner) => return true,
                "declaration" => return is_integer(&base_type(self.unit, &self.scope, outer)),
                "assignment_expression" => {
                    let name = target(outer).map(|target| self.text(target));
                    return name.and_then(|name| self.scope.variable(name)).is_some_and(|it| is_integer(&it.ty));
                }
                "if_statement" | "for_statement" => return true,
                kind if kind.ends_with("_statement") => return false,
                _ => inner = outer,
            }
        }
        false
    }

    /// Finds the arrays of the function that are scratch memory of the nest: no iteration of a loop over space has elements of
    /// its own there, so that nothing but scalars in disguise is stored.
    pub fn find_scratch(&mut self, nest: Node<'t>) {
        for (name, _) in self.assigned_arrays(nest) {
            let Some(shape) = self.shape(name).filter(|shape| !shape.variable.is_inside && !shape.variable.is_static)
            else {
                continue;
            };
            if self.is_scratch(nest, name) {
                self.scratch.insert(shape.variable.declared_at);
            }
        }
    }

    fn is_scratch(&mut self, nest: Node<'t>, name: &str) -> bool {
        let Some(variable) = self.host_value(name).filter(|variable| !self.may_be_pointed_to(*variable)) else {
            return false;
        };
        debug_assert!(self.is_from_outside(variable));
        let Some(elements) = self.all_elements(nest, name) else { return false };
        let subscripts: Vec<_> = elements.iter().flat_map(|(_, subscripts)| subscripts).copied().collect();
        let mut is_constant = |(element, subscripts): &(Node<'t>, Vec<Node<'t>>)| {
            let counters = self.short_loops_around(nest, *element);
            subscripts.iter().all(|subscript| self.is_of(*subscript, &counters))
        };
        elements.iter().all(&mut is_constant)
            && elements.iter().any(|(element, _)| self.is_stored_in_space(nest, *element, name, &subscripts))
    }

    /// The elements of the array `name` that the nest names, with their subscripts; `None` if it names the array otherwise.
    fn all_elements(&self, nest: Node<'t>, name: &str) -> Option<Vec<(Node<'t>, Vec<Node<'t>>)>> {
        let mut uses = Vec::new();
        walk(nest, &mut |inner| {
            if inner.kind() == "identifier" && self.text(inner) == name {
                uses.push(inner);
            }
            true
        });
        let element = |identifier: Node<'t>| {
            let is_part = |it: &Node<'t>| *it == identifier || it.kind() == "subscript_expression";
            let element = std::iter::successors(Some(identifier), Node::parent).take_while(is_part).last()?;
            self.subscripted_name(element)
                .filter(|(found, _)| *found == name)
                .map(|(_, subscripts)| (element, subscripts))
        };
        uses.into_iter().map(element).collect()
    }

    /// The variables of loops with constant bounds around a place in the nest.
    fn short_loops_around(&self, nest: Node<'t>, place: Node<'t>) -> Vec<&'u str> {
        let around = std::iter::successors(place.parent(), Node::parent).take_while(|it| *it != nest);
        let loops = around.filter(|it| it.kind() == "for_statement");
        loops.filter_map(|it| self.short_loop_variable(it)).collect()
    }

    /// The variable of a loop, if that runs to a constant.
    fn short_loop_variable(&self, node: Node<'t>) -> Option<&'u str> {
        let condition = strip_parentheses(node.child_by_field_name("condition")?);
        let (left, right) = (condition.child_by_field_name("left")?, condition.child_by_field_name("right")?);
        let (left, right) = (strip_parentheses(left), strip_parentheses(right));
        let (variable, bound) = if left.kind() == "identifier" { (left, right) } else { (right, left) };
        self.scope.constant(self.unit, bound)?;
        Some(self.text(variable))
    }

    /// Whether `expression` is made of constants and the variables `names`.
    fn is_of(&mut self, expression: Node<'t>, names: &[&str]) -> bool {
        let mut found = Vec::new();
        walk(expression, &mut |node| {
            found.extend((node.kind() == "identifier").then(|| self.text(node)));
            true
        });
        is_arithmetic(expression)
            && found
                .into_iter()
                .all(|name| names.contains(&name) || self.is_constant(name) || self.table(name).is_some())
    }

    fn is_constant(&self, name: &str) -> bool {
        match self.scope.get(name) {
            Some(Symbol::Constant(_)) => true,
            Some(Symbol::Variable(variable)) => variable.constant.is_some(),
            _ => false,
        }
    }

    /// Whether `element`, which `name` is the array of, is assigned in each iteration of a loop over space: no subscript of the
    /// array has the loop's variable, and one of another element that is assigned there does.
    fn is_stored_in_space(&self, nest: Node<'t>, element: Node<'t>, name: &str, subscripts: &[Node<'t>]) -> bool {
        let Some(assignment) = element.parent().filter(|it| it.kind() == "assignment_expression") else { return false };
        let around: Vec<_> = std::iter::successors(assignment.parent(), Node::parent)
            .take_while(|it| it.start_byte() >= nest.start_byte())
            .collect();
        let is_target = assignment.child_by_field_name("left") == Some(element);
        let is_conditional = around.iter().any(|it| matches!(it.kind(), "if_statement" | "conditional_expression"));
        let is_space = |it: &Node<'t>| {
            let variable = it.child_by_field_name("update").and_then(target).map(|target| self.text(target));
            variable.is_some_and(|variable| {
                !subscripts.iter().any(|subscript| self.mentions(*subscript, variable))
                    && self.stores_along(*it, variable, name)
            })
        };
        let mut loops = around.iter().filter(|it| it.kind() == "for_statement");
        is_target && !is_conditional && loops.any(is_space)
    }

    /// Whether the code in `node` assigns an element of another array than `name` with `variable` in a subscript.
    fn stores_along(&self, node: Node<'t>, variable: &str, name: &str) -> bool {
        let mut found = false;
        walk(node, &mut |inner| {
            let target = inner.child_by_field_name("left").filter(|_| inner.kind() == "assignment_expression");
            let element = target.map(strip_parentheses).and_then(|target| self.subscripted_name(target));
            found |= element.is_some_and(|(other, subscripts)| {
                other != name && subscripts.iter().any(|subscript| self.mentions(*subscript, variable))
            });
            !found
        });
        found
    }

    /// Why somebody may read what the nest leaves in a scratch array; `None` if nobody can.
    pub fn why_scratch_is_live(&self, name: &str) -> Option<&'static str> {
        let function = self.ancestors.iter().find(|around| around.kind() == "function_definition")?;
        let mut is_read = false;
        walk(*function, &mut |node| {
            let is_it = node.kind() == "identifier" && self.text(node) == name;
            is_read |= is_it && !self.is_only_written(node);
            node != self.node && !is_read
        });
        is_read.then_some("an element may be read outside of the nest")
    }

    /// The scratch arrays of the nest.
    pub fn scratch_values(&self) -> Vec<Handle<HostValue>> {
        let is_whole = |value: &Handle<HostValue>| self.nest.values[*value].path.is_empty();
        let scratch = self.variables.iter().filter(|(_, variable)| self.scratch.contains(&variable.declared_at));
        self.by_name(scratch.map(|(value, _)| *value).filter(is_whole))
    }

    /// Whether an identifier that names an array is part of its declaration, or of an element that is assigned.
    fn is_only_written(&self, identifier: Node<'t>) -> bool {
        let around = std::iter::successors(identifier.parent(), Node::parent);
        let mut around = around.skip_while(|it| {
            it.kind() == "subscript_expression" || it.kind().ends_with("_declarator") && it.kind() != "init_declarator"
        });
        let Some(outer) = around.next() else { return false };
        match outer.kind() {
            "declaration" => true,
            "init_declarator" => outer
                .child_by_field_name("declarator")
                .is_some_and(|it| it.end_byte() >= identifier.end_byte() && it.start_byte() <= identifier.start_byte()),
            "assignment_expression" => {
                let target = outer.child_by_field_name("left").is_some_and(|it| it.end_byte() >= identifier.end_byte());
                let is_plain = outer.child_by_field_name("operator").is_some_and(|it| self.text(it) == "=");
                let is_base =
                    outer.child_by_field_name("left").is_some_and(|it| it.start_byte() == identifier.start_byte());
                target && is_plain && is_base && outer.parent().is_some_and(|it| it.kind() == "expression_statement")
            }
            _ => false,
        }
    }

    /// Forgets the elements of an array that goes out of scope.
    pub fn forget_elements(&mut self, variable: &ir::Variable) {
        let values = &self.nest.values;
        self.bindings.retain(|value, _| values[*value].variable != *variable || values[*value].path.is_empty());
    }
}

/// What is written behind the `=` of a variable's declaration.
fn initialiser<'t>(variable: &Variable<'t>) -> Option<Node<'t>> {
    variable.declarator?.child_by_field_name("value").filter(|value| value.kind() == "initializer_list")
}

/// The initialisers in a list for all elements of an array, `None` for those that have none; rows stand in braces of their own.
fn elements_of<'t>(list: Node<'t>, extents: &[i64]) -> Option<Vec<Option<Node<'t>>>> {
    let (extent, inner) = extents.split_first()?;
    let values = children(list);
    if values.len() as i64 > *extent || values.iter().any(|value| value.kind() == "initializer_pair") {
        return None;
    }
    let mut found = Vec::new();
    for value in &values {
        match (value.kind() == "initializer_list", inner.is_empty()) {
            (false, true) => found.push(Some(*value)),
            (true, false) => found.extend(elements_of(*value, inner)?),
            _ => return None,
        }
    }
    found.resize(extents.iter().product::<i64>() as usize, None);
    Some(found)
}

/// Whether an expression has names, numbers, operators and elements alone, so that it may be read twice.
fn is_arithmetic(expression: Node) -> bool {
    let mut is_arithmetic = true;
    walk(expression, &mut |node| {
        let kinds = [
            "identifier",
            "number_literal",
            "unary_expression",
            "binary_expression",
            "parenthesized_expression",
            "subscript_expression",
        ];
        is_arithmetic &= kinds.contains(&node.kind());
        is_arithmetic
    });
    is_arithmetic
}

/// Whether an expression means the same wherever it stands: it names nothing.
fn is_number(expression: Node) -> bool {
    let mut is_number = true;
    walk(expression, &mut |node| {
        is_number &= node.kind() != "identifier";
        is_number
    });
    is_number
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};

    /// A nest over `i` with `body`, behind what `before` declares.
    fn nest(before: &str, body: &str) -> String {
        let text = format!("{before}\n#pragma stencil\nfor (int i = 1; i < n - 1; i++) {{ {body} }}");
        function("int n, int m, double *a, const double *b, const int *c", &text)
    }

    fn value(before: &str, body: &str) -> String {
        let text = read(&nest(before, body)).to_string();
        text.lines().find(|line| line.contains("] a[")).map(str::to_owned).unwrap_or(text)
    }

    #[test]
    fn elements_are_scalars() {
        let loops = "double w[3]; for (int k = 0; k < 3; k++) w[k] = b[i + k - 1];";
        let stored = value("", &format!("{loops} w[1] = w[1] * 2; a[i] = w[0] + w[1];"));
        assert!(stored.ends_with("= (w[0].0 + w[1].3)") || stored.contains("w[1]."), "{stored}");
        let listed = value("", "const int d[2][2] = {{1, 2}, {3}}; a[i] = b[i + d[1][0]] + d[1][1] + d[0][1];");
        assert!(listed.contains("b[((long long)i + 3)] + (double)0) + (double)2"), "{listed}");
        let counted = value("", "int e[] = {1, 2, 4}; e[1]++; a[i] = b[i + e[1]] + e[2];");
        assert!(counted.contains("b[((long long)i + 3)] + (double)4"), "{counted}");
    }

    #[test]
    fn scratch_arrays_of_the_function_are_scalars_where_nobody_reads_them_later() {
        let stored = value("double q[2];", "q[0] = b[i]; q[1] = q[0] * 2; a[i] = q[1];");
        assert!(stored.ends_with("= q[1].1"), "{stored}");
        let body = "q[0] = b[i]; a[i] = q[0];";
        assert_eq!(refusal(&nest("double q[2];", body).replace("\n}\n", "\na[0] = q[0]; }\n")).code, "scalar-live-out");
        assert_eq!(refusal(&nest("double q[2];", "a[i] = q[0]; q[0] = b[i];")).code, "scalar-carried");
        assert!(read(&nest("double q[2];", body).replace("\n}\n", "\nq[0] = 3; }\n")).to_string().contains("q[0]"));
    }

    #[test]
    fn small_grids_are_no_scratch() {
        let body = "double q[8], r[8];\n#pragma stencil\nfor (int t = 0; t < n; t++) {
            for (int i = 1; i < 7; i++) q[i] = r[i - 1]; for (int i = 1; i < 7; i++) r[i] = q[i]; }\na[0] = r[1] + q[0];";
        let text = read(&function("int n, double *a", body)).to_string();
        assert!(text.contains("array double q[8]") && text.contains("array double r[8]"), "{text}");
    }

    #[test]
    fn tables_of_constants_are_constants_in_subscripts() {
        let tables = "static const int cx[3] = {0, 1, -1};";
        let stored = value(tables, "double s = 0; for (int k = 0; k < 3; k++) s += b[i - cx[k]]; a[i] = s;");
        assert!(stored.contains("a[(long long)i]"), "{stored}");
        let text = read(&nest(tables, "double s = 0; for (int k = 0; k < 3; k++) s += b[i - cx[k]]; a[i] = s;"));
        assert!(!text.to_string().contains("cx"), "{text}");
        let data = read(&nest("double t[2] = {1, 2};", "a[i] = b[i] * t[1];")).to_string();
        assert!(data.contains("array double t[2]"), "{data}");
    }

    #[test]
    fn what_is_no_scalar_is_refused_by_name() {
        for (body, message) in [
            ("double w[3]; w[0] = 1; a[i] = w[c[i]];", "this subscript is no constant"),
            ("double w[3]; w[3] = 1; a[i] = w[3];", "`w` has no element 3"),
            ("double w[3], *p = w; a[i] = p[0];", "no pointer can lead to it"),
            ("double w[m]; w[0] = 1; a[i] = w[0];", "`w` is no small array of numbers"),
            ("double w[2] = {[1] = 2}; a[i] = w[0];", "are not written one by one"),
            ("double w[2][2] = {{1, 2}}; a[i] = w[0][0] + *w[1];", "no pointer can lead to it"),
        ] {
            let refusal = refusal(&nest("", body));
            assert_eq!(refusal.code, "local-array", "{body}");
            assert!(refusal.message.contains(message), "{body}: {}", refusal.message);
        }
        assert_eq!(refusal(&nest("", "double w[2]; w[0] = b[i]; a[i] = w[1];")).code, "uninitialised");
    }
}
