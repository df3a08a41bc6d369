//! Small arrays whose elements are scalars to the nest: those declared in it, and scratch arrays of the function around it.
//!
//! Each element is a variable of its own, `q[3]`, that statements give values as they do to any scalar. So subscripts must be
//! constants once loops with constant bounds are written out, and an element must get a value in an iteration before it is
//! read there.

use tree_sitter::Node;

use super::Failable;
use super::expressions::Value;
use super::local_pointers::LocalPointer;
use super::reader::{Binding, Change, Reader, Unknown};
use super::symbols::Variable;
use super::tree::{
    address_of, assigned, children, declared_identifier, fields, named, nodes_in, strip_parentheses, subscripted,
};
use super::types::{CType, base_type, declared};
use super::unroll::MAX_ITERATIONS;
use crate::ir::{Expr, ExprKind, Handle, HostValue, Loop, ScalarType, Selector};
use crate::source::{Diagnostic, Span};

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

/// An array in a nest is none whose elements are scalars.
pub fn no_small_array(name: &str, declared: Span) -> Box<Diagnostic> {
    let error = Diagnostic::error("local-array", format!("`{name}` is no small array of numbers"), declared);
    Box::new(error.with_help("give it sizes that are the same in all iterations, and numbers that are not volatile"))
}

impl Shape<'_> {
    /// The subscripts of all elements, in the order in which they lie.
    pub fn places(&self) -> Vec<Vec<i64>> {
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
    /// The shape of the array `name`, if it is one of numbers and of constant sizes.
    pub fn shape(&self, name: &str) -> Option<Shape<'t>> {
        self.shape_of_any(name).filter(|shape| matches!(shape.element, CType::Scalar(_)))
    }

    /// As [`shape`](Self::shape) for elements of any type.
    pub fn shape_of_any(&self, name: &str) -> Option<Shape<'t>> {
        self.shape_of_variable(name, self.scope.variable(name)?.clone())
    }

    /// The same of the variable that the name stands for.
    pub fn shape_of_variable(&self, name: &str, variable: Variable<'t>) -> Option<Shape<'t>> {
        let (mut extents, mut rest) = (Vec::new(), variable.ty.clone());
        while let CType::Array(inner, size) = rest {
            extents.push(match size {
                Some(size) => self.scope.array_length(self.unit, size)?.as_i64()?,
                None if extents.is_empty() => children(self.listed_values(name, &variable)?).len() as i64,
                None => return None,
            });
            rest = *inner;
        }
        let count = extents.iter().try_fold(1_i64, |count, extent| count.checked_mul(*extent))?;
        let is_small = !extents.is_empty() && (1..=MAX_ELEMENTS).contains(&count);
        (is_small && !variable.is_volatile).then_some(Shape { variable, extents, element: rest })
    }

    /// The values with which the array `name` is declared, here or in the file of the program that defines it.
    pub fn listed_values(&self, name: &str, variable: &Variable<'t>) -> Option<Node<'t>> {
        let is_shared = !variable.is_inside && variable.is_shared();
        initialiser(variable).or_else(|| self.values_elsewhere(name).filter(|_| is_shared))
    }

    /// The values with which the only definition defines the array `name` that the files of the program share.
    fn values_elsewhere(&self, name: &str) -> Option<Node<'t>> {
        let declarations = children(*self.ancestors.last()?).into_iter().filter(|it| it.kind() == "declaration");
        let is_hidden = |it: &Node<'t>| children(*it).iter().any(|word| self.text(*word) == "static");
        let declarators = declarations.filter(|it| !is_hidden(it)).flat_map(|it| fields(it, "declarator"));
        let is_it = |it: &Node<'t>| declared_identifier(*it).is_some_and(|found| self.text(found) == name);
        let values = declarators.filter(is_it).filter_map(|it| it.child_by_field_name("value"));
        let mut values = values.filter(|value| value.kind() == "initializer_list");
        values.next().filter(|_| values.next().is_none())
    }

    /// The shape of the array `name`, if its elements are scalars to the nest.
    pub fn local_array(&self, name: &str) -> Option<Shape<'t>> {
        let variable = self.scope.variable(name)?;
        let is_local = variable.is_inside || self.scratch.contains(&variable.declared_at);
        let whole = HostValue { variable: variable.identity(self.unit.source.id(), name), path: Vec::new() };
        let is_grid = self.nest.values.find(&whole).is_some_and(|whole| self.is_grid(whole));
        self.shape(name).filter(|_| is_local && !is_grid)
    }

    /// The variable that is an element of such an array.
    pub fn element_variable(&mut self, name: &str, shape: &Shape<'t>, place: &[i64]) -> Handle<HostValue> {
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
        if self.declare_grid((node, declarator), &name, &ty)? {
            return Ok(true);
        }
        let Some(shape) = self.shape(&name) else {
            return Err(no_small_array(&name, self.span(declarator)));
        };
        if let Some(array) = self.host_value(&name) {
            self.declared_in.insert(array, self.loops.len());
        }
        let places = shape.places();
        let values = match self.values_each_time(node, declarator) {
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
        match self.local_place(place)? {
            Some(pointer) => self.local_object(place, &pointer).map(Some),
            None => Ok(None),
        }
    }

    /// A pointer to the first element of the row of a local array that `place` names; `None` if it names something else.
    pub fn local_row(&mut self, place: Node<'t>) -> Failable<Option<LocalPointer<'t>>> {
        Ok(self.local_place(place)?.filter(|pointer| !pointer.is_to_element()).map(LocalPointer::decayed))
    }

    /// Where the element or row of a local array is that `place` names.
    pub fn local_place(&mut self, place: Node<'t>) -> Failable<Option<LocalPointer<'t>>> {
        let Some((name, indices)) = self.subscripted_name(place) else { return Ok(None) };
        let Some(mut pointer) = self.local_pointer(name) else { return Ok(None) };
        for (level, index) in indices.into_iter().enumerate() {
            let value = self.scalar(index)?;
            let Some(value) = self.constant(value) else { return self.refuse_subscript(index, value, name) };
            let start = if level > 0 { pointer.decayed() } else { pointer };
            match start.clone().moved(value).filter(|it| it.place.len() <= it.shape.extents.len()) {
                Some(moved) => pointer = moved,
                None => return self.refuse_whole(place, name),
            }
        }
        Ok(Some(pointer))
    }

    fn refuse_subscript<T>(&self, index: Node<'t>, value: Handle<Expr>, name: &str) -> Failable<T> {
        let message = format!("`{name}` is an array of the nest's own, and this subscript is no constant");
        if self.is_row(value) {
            let help = format!("declare `{name}` as a global array: its elements are then no scalars of the nest");
            return self.refuse(index, "local-array", message, &help);
        }
        let help = format!(
            "let the loops over its elements have constant bounds (a macro or an `enum`) and at most {MAX_ITERATIONS} \
             iterations"
        );
        let choice = format!("or choose among its elements by conditions, as in `k == 0 ? {name}[0] : {name}[1]`");
        self.refuse(index, "local-array", message, &help).map_err(|error| Box::new(error.with_help(choice)))
    }

    /// Whether a subscript runs over so many elements that they are a row of the grid and none of a point's.
    pub fn is_row(&self, subscript: Handle<Expr>) -> bool {
        let is_long = |this: Handle<Loop>| {
            let Loop { first, bound, .. } = self.nest.loops[this];
            let ends = self.constant(first).zip(self.constant(bound));
            ends.is_some_and(|(first, bound)| bound.abs_diff(first) > MAX_ITERATIONS as u64)
        };
        self.any(subscript, &|part| matches!(part.kind, ExprKind::Index(this) if is_long(this)))
    }

    /// Refuses a local array that is used as a whole.
    pub fn refuse_whole<T>(&self, node: Node<'t>, name: &str) -> Failable<T> {
        let message = format!("`{name}` is an array of the nest's own, and this is no constant place in it");
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

    /// Adds the elements of local arrays that the loop `node` assigns.
    pub fn add_changed_elements(&mut self, node: Node<'t>, changed: &mut Vec<Change>) {
        for (name, span) in self.assigned_arrays(node) {
            let Some(shape) = self.local_array(name) else { continue };
            let places = self.assigned_places(node, name, &shape).unwrap_or_else(|| shape.places());
            for place in places {
                changed.push((self.element_variable(name, &shape, &place), span));
            }
        }
        self.add_handed_elements(node, changed);
    }

    /// The elements of a local array that the code in `node` may assign, if it names the array by its elements alone, and assigns
    /// those with constant subscripts.
    fn assigned_places(&self, node: Node<'t>, name: &str, shape: &Shape<'t>) -> Option<Vec<Vec<i64>>> {
        let mut places = Vec::new();
        for identifier in named(self.unit, node, name) {
            let element = subscripted(identifier);
            let (_, subscripts) = self.subscripted_name(element).filter(|(found, _)| *found == name)?;
            let mut around = std::iter::successors(element.parent(), Node::parent);
            let user = around.find(|it| it.kind() != "parenthesized_expression")?;
            let is_named_whole = subscripts.len() < shape.extents.len() || address_of(self.unit, user).is_some();
            if is_named_whole {
                return None;
            }
            if assigned(user) == Some(element) {
                let constant = |it: &Node<'t>| self.scope.constant(self.unit, *it);
                places.push(subscripts.iter().map(constant).collect::<Option<Vec<_>>>()?);
            }
        }
        Some(places)
    }

    /// The arrays of which the code in `node` assigns elements, each with the first place where it does.
    pub fn assigned_arrays(&self, node: Node<'t>) -> Vec<(&'u str, Span)> {
        let mut found: Vec<(&str, Span)> = Vec::new();
        for inner in nodes_in(node) {
            if let Some((name, _)) = assigned(inner).and_then(|place| self.subscripted_name(place))
                && !found.iter().any(|(other, _)| *other == name)
            {
                found.push((name, self.span(inner)));
            }
        }
        found
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

#[cfg(test)]
mod tests {
    use crate::front::tests::{point_nest, read, refusal};

    fn value(before: &str, body: &str) -> String {
        let text = read(&point_nest(before, body)).to_string();
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
    fn what_is_no_scalar_is_refused_by_name() {
        for (body, message) in [
            ("double w[3]; w[c[i]] = 1; a[i] = w[0];", "this subscript is no constant"),
            ("double w[3]; w[3] = 1; a[i] = w[3];", "`w` has no element 3"),
            ("double w[3], *p = w; p[0] = 1; a[i] = *(p + c[i]);", "no constant place in it"),
            ("double w[i]; w[0] = 1; a[i] = w[0];", "`w` is no small array of numbers"),
            ("double w[2] = {[1] = 2}; a[i] = w[0];", "are not written one by one"),
            ("double w[2][2] = {{1, 2}}; a[i] = w[0][0] + w[1];", "no constant place in it"),
        ] {
            let refusal = refusal(&point_nest("", body));
            assert_eq!(refusal.code, "local-array", "{body}");
            assert!(refusal.message.contains(message), "{body}: {}", refusal.message);
        }
        assert_eq!(refusal(&point_nest("", "double w[2]; w[0] = b[i]; a[i] = w[1];")).code, "uninitialised");
        let help = |body: &str| refusal(&point_nest("", body)).help.remove(0);
        let row = help("double w[99] = {1}; for (int k = 0; k < 99; k++) w[k] = b[k]; a[i] = w[0];");
        assert!(row.contains("declare `w` as a global array"), "{row}");
        let chosen = help("double w[3]; w[c[i]] = 1; a[i] = w[0];");
        assert!(chosen.contains("at most 64"), "{chosen}");
    }
}
