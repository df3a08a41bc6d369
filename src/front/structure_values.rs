//! Structures as values: elements of arrays that are read and stored as a whole, and what functions return.

use tree_sitter::Node;

use super::Failable;
use super::arrays::Element;
use super::expressions::Value;
use super::reader::{Binding, PointerValue, Reader, Unknown};
use super::runs::Run;
use super::structures::Structure;
use super::tree::children;
use super::types::CType;
use crate::ir::{self, Expr, ExprKind, Handle, HostValue};
use crate::source::Span;

/// A member by its path, and the elements that it is, or why a nest cannot use it.
type ReadMember = (Vec<String>, Failable<Vec<Element>>);

/// Structures of more numbers are not copied point by point.
const MOST_ELEMENTS: usize = 64;

impl<'t> Reader<'_, '_, 't> {
    /// The members of a structure in an array.
    fn members_at(&mut self, node: Node<'t>, whole: &PointerValue<'t>) -> Failable<Vec<ReadMember>> {
        let structure = self.structure_of(node, &whole.pointee)?;
        let mut found = Vec::new();
        for path in structure.paths(self.unit, &self.scope) {
            let names: Vec<&str> = path.iter().map(String::as_str).collect();
            let member = self.component_at(node, whole.clone(), &names);
            let elements = member.and_then(|member| self.elements_of_member(node, member));
            found.push((path, elements));
        }
        Ok(found)
    }

    /// The elements of an array that all bytes of a structure in it are, as compilers copy padding, too.
    fn elements_at(&mut self, node: Node<'t>, whole: &PointerValue<'t>) -> Failable<Vec<Element>> {
        let structure = self.structure_of(node, &whole.pointee)?;
        let runs = self.copied_runs(node, structure)?;
        let mut found = Vec::new();
        for run in runs {
            let root = self.view(node, whole, structure, run)?;
            let (first, end) = run.elements();
            for place in first..end {
                let place = self.int(ir::ScalarType::I64, place, self.span(node));
                let subscripts = whole.subscripts.iter().copied().chain([place]).collect();
                found.push(Element { root, subscripts, ty: run.element, is_bool: false });
            }
        }
        if found.len() > MOST_ELEMENTS {
            let help = "copy the members that matter, or whole arrays by `memcpy`";
            return self.refuse(node, "struct-member", "a structure of so many numbers is copied at each point", help);
        }
        Ok(found)
    }

    /// All bytes of a structure that is copied as a whole.
    pub fn copied_runs(&self, node: Node<'t>, structure: Structure<'t>) -> Failable<Vec<Run>> {
        if structure.has_volatile(self.unit, &self.scope) {
            let message = "a structure with a member that is volatile is copied as a whole";
            return self.refuse(node, "volatile", message, "copy the members one by one that are not volatile");
        }
        let runs = structure.bytes(self.unit, &self.scope);
        runs.map_or_else(|| self.refuse_layout(node, structure), Ok)
    }

    /// The structure that a type is.
    pub fn structure_of(&self, node: Node<'t>, ty: &CType<'t>) -> Failable<Structure<'t>> {
        let structure = self.scope.structure(ty);
        structure.map_or_else(|| self.refuse_member(node, "this is no structure whose members a nest can use"), Ok)
    }

    fn elements_of_member(&mut self, node: Node<'t>, member: PointerValue<'t>) -> Failable<Vec<Element>> {
        let CType::Record(inner, count) = member.pointee.clone() else { return Ok(vec![Element::behind(member)]) };
        let mut elements = Vec::new();
        for index in 0..count {
            let first = PointerValue { pointee: (*inner).clone(), ..member.clone() };
            let index = self.int(ir::ScalarType::I64, index, self.span(node));
            elements.push(Element::behind(self.moved(node, first, index)?));
        }
        Ok(elements)
    }

    /// Gives a structure of the nest's own the members of one in an array.
    pub fn load_structure(
        &mut self,
        node: Node<'t>,
        target: Handle<HostValue>,
        from: &PointerValue<'t>,
    ) -> Failable<()> {
        self.check_same_structure(node, target, &from.pointee)?;
        let span = self.span(node);
        for (path, elements) in self.members_at(node, from)? {
            let member = path.iter().try_fold(target, |whole, name| self.member(node, whole, name))?;
            self.note_assigned(member, span)?;
            let is_number = self.is_scalar(member);
            match elements.as_deref() {
                Ok([element]) if is_number => {
                    let value = self.read_chosen(element, span)?;
                    self.bind(node, member, Value::Scalar(value), span)?;
                }
                // Only what is used later must be of a type that a nest can use.
                _ => _ = self.bindings.insert(member, Binding::Unknown(Unknown::Uncopied, span)),
            }
        }
        Ok(())
    }

    /// Stores a structure in an array.
    pub fn store_structure(&mut self, node: Node<'t>, target: &PointerValue<'t>, value: Value<'t>) -> Failable<()> {
        let span = self.span(node);
        let (elements, values) = match value {
            Value::Structure(from) => {
                self.check_same_structure(node, from, &target.pointee)?;
                let values = self.numbers_of(node, from)?;
                let members = self.members_at(node, target)?.into_iter().map(|(_, elements)| elements);
                (members.collect::<Failable<Vec<_>>>()?.concat(), values)
            }
            Value::StructureAt(from) if self.is_same_type(&from.pointee, &target.pointee) => {
                let elements = self.elements_at(node, &from)?;
                let values = elements.iter().map(|element| self.read_chosen(element, span));
                let values = values.collect::<Failable<Vec<_>>>()?;
                (self.elements_at(node, target)?, values)
            }
            _ => return self.refuse(node, "unsupported-type", "this is no such structure", "assign its members"),
        };
        for (element, value) in elements.into_iter().zip(values) {
            self.store_chosen(element, value, span, span)?;
        }
        Ok(())
    }

    /// The members of a structure, which all must be numbers.
    fn numbers_of(&mut self, node: Node<'t>, from: Handle<HostValue>) -> Failable<Vec<Handle<Expr>>> {
        let leaves = self.leaves(node, from);
        let mut values = Vec::new();
        for leaf in leaves {
            match self.object(node, leaf)? {
                Value::Scalar(value) => values.push(value),
                _ => {
                    let message = format!("`{}` is no number", self.name(leaf));
                    return self.refuse(node, "unsupported-type", message, "store the members one by one");
                }
            }
        }
        Ok(values)
    }

    fn check_same_structure(&self, node: Node<'t>, object: Handle<HostValue>, ty: &CType<'t>) -> Failable<()> {
        let own = self.structure_type(object);
        let is_same = own.is_some_and(|own| self.scope.structure(ty).is_some_and(|other| own.is(self.unit, other)));
        if is_same {
            return Ok(());
        }
        self.refuse(node, "unsupported-type", "this structure is of another type", "assign its members")
    }

    /// Gives the members of a structure, in order, the values in braces; those without one are zero.
    pub fn list_structure(&mut self, list: Node<'t>, target: Handle<HostValue>) -> Failable<()> {
        let (members, values) = (self.leaves(list, target), children(list));
        let is_plain = |value: &Node<'t>| !matches!(value.kind(), "initializer_pair" | "initializer_list");
        let structure = self.structure_type(target);
        let names_all = structure.is_none_or(Structure::names_all);
        if values.len() > members.len() || !values.iter().all(is_plain) || !names_all {
            return self.unsupported(list);
        }
        let span = self.span(list);
        let mut found = Vec::new();
        for value in &values {
            found.push(self.value(*value)?);
        }
        for (index, member) in members.into_iter().enumerate() {
            let zero = self.int(ir::ScalarType::I32, 0, span);
            let value = found.get(index).cloned().unwrap_or(Value::Scalar(zero));
            self.bind(list, member, value, span)?;
        }
        Ok(())
    }

    /// `(type){...}` of a structure.
    pub fn compound_literal(&mut self, node: Node<'t>) -> Failable<Value<'t>> {
        let (ty, list) = (self.field(node, "type")?, self.field(node, "value")?);
        let ty = super::types::base_type(self.unit, &self.scope, ty);
        if self.scope.structure(&ty).is_none() {
            return self.unsupported(node);
        }
        let literal = self.unnamed(node, ty);
        self.list_structure(list, literal)?;
        Ok(Value::Structure(literal))
    }

    /// A variable of the nest's own of the type `ty` that nothing in the program can name.
    fn unnamed(&mut self, node: Node<'t>, ty: CType<'t>) -> Handle<HostValue> {
        let name = format!("value.{}", self.nest.values.handles().count());
        let variable = ir::Variable { file: self.unit.source.id(), declared_at: node.start_byte(), name };
        let value = self.nest.values.variable(variable);
        self.variables.insert(value, super::symbols::Variable::of_nest(ty, node));
        self.declared_in.insert(value, self.loops.len());
        value
    }

    /// Whether a value is part of a variable that nothing in the program can name.
    pub fn is_unnamed(&self, value: Handle<HostValue>) -> bool {
        self.nest.values[value].variable.name.starts_with("value.")
    }

    /// A structure as it is now, whatever is assigned to its members later.
    pub fn kept_structure(&mut self, node: Node<'t>, value: Value<'t>) -> Failable<Value<'t>> {
        let ty = match &value {
            Value::Structure(from) => self.declaration_of(*from).map(|it| it.ty.clone()),
            Value::StructureAt(from) => Some(from.pointee.clone()),
            _ => return Ok(value),
        };
        let Some(ty) = ty else { return Ok(value) };
        let kept = self.unnamed(node, ty);
        self.bind(node, kept, value, self.span(node))?;
        Ok(Value::Structure(kept))
    }

    /// The structure that is the one where `condition` holds, and the other elsewhere.
    pub fn chosen_structure(
        &mut self,
        node: Node<'t>,
        condition: Handle<Expr>,
        (then, otherwise): (Handle<HostValue>, Handle<HostValue>),
        span: Span,
    ) -> Failable<Handle<HostValue>> {
        let Some(ty) = self.declaration_of(then).map(|it| it.ty.clone()) else { return self.unsupported(node) };
        self.check_same_structure(node, otherwise, &ty)?;
        let chosen = self.unnamed(node, ty);
        let leaves = [chosen, then, otherwise].map(|object| self.leaves(node, object));
        for ((leaf, then), otherwise) in leaves[0].iter().zip(&leaves[1]).zip(&leaves[2]) {
            match (self.object(node, *then), self.object(node, *otherwise)) {
                (Ok(Value::Scalar(a)), Ok(Value::Scalar(b))) => {
                    let ty = self.ty(a);
                    let b = self.convert(b, ty);
                    let value = self.expr(ty, ExprKind::Select(condition, a, b), span);
                    self.bind(node, *leaf, Value::Scalar(value), span)?;
                }
                _ => _ = self.bindings.insert(*leaf, Binding::Unknown(Unknown::Branch, span)),
            }
        }
        Ok(chosen)
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};

    const TYPES: &str = "typedef struct { double x, y; } pair; typedef struct { double f[3]; } cell;
        typedef struct { double x; int y; } mixed;
        static pair both(const double *a, int i) { pair p; p.x = a[i - 1]; p.y = a[i + 1]; return p; }
        static pair sorted(pair p) { if (p.x < p.y) return p; pair q = { p.y, p.x }; return q; }
        static pair sum(pair p, pair q) { return (pair){ p.x + q.x, p.y + q.y }; }\n";

    fn text(statement: &str) -> String {
        let parameters = "int n, double *a, double *b, pair *p, pair *q, cell *c, cell *d, mixed *m";
        let body = format!("#pragma stencil\nfor (int i = 1; i < n - 1; i++) {{ {statement} }}");
        TYPES.to_owned() + &function(parameters, &body)
    }

    #[test]
    fn functions_return_structures() {
        let text = read(&text("pair s = sorted(both(a, i)); b[i] = s.x - s.y;")).to_string();
        assert!(text.contains("? a[((long long)i - 1)] : a[((long long)i + 1)]") || text.contains("?"), "{text}");
        assert_eq!(text.lines().filter(|line| line.contains("] b[")).count(), 1, "{text}");
    }

    #[test]
    fn elements_are_read_and_stored_as_a_whole() {
        for (statement, stores) in [
            ("q[i] = p[i];", 2),
            ("pair s = p[i - 1]; s.x += p[i + 1].y; q[i] = s;", 2),
            ("q[i] = sum(p[i - 1], sum(p[i], p[i + 1]));", 2),
            ("d[i] = c[i - 1];", 3),
            // A number of each type, and what is behind the last one.
            ("m[i] = m[i - 1];", 3),
            ("b[i] = sum(p[i], p[i - 1]).y;", 1),
        ] {
            let text = read(&text(statement)).to_string();
            let found = text.lines().filter(|line| line.starts_with("[0, i")).count();
            assert_eq!(found, stores, "{statement}: {text}");
        }
    }

    #[test]
    fn structures_of_other_types_are_refused() {
        assert_eq!(refusal(&text("cell s = c[i]; d[i] = s;")).code, "unsupported-type");
        assert_eq!(refusal(&text("p[i] = c[i];")).code, "unsupported-type");
    }
}
