//! Objects that the nest names: variables, members of structures, and what pointers to either lead to.
//!
//! Each is a [`HostValue`] with a declaration of its own, so that a member is bound, left and passed to the driver as a
//! variable is. Elements of arrays are no objects but places behind a root.

use tree_sitter::Node;

use super::Failable;
use super::expressions::Value;
use super::reader::{Binding, PointerValue, Reader, Unknown};
use super::structures::Structure;
use super::symbols::Variable;
use super::tree::strip_parentheses;
use super::types::CType;
use crate::ir::{ExprKind, Handle, HostValue, ScalarType, Selector};
use crate::source::Span;

/// What an expression designates.
#[derive(Clone, Debug)]
pub enum Place<'t> {
    /// An object.
    Object(Handle<HostValue>),
    /// What a pointer into an array leads to.
    Element(PointerValue<'t>),
}

impl<'t> Place<'t> {
    /// What a pointer leads to; `None` for what is no pointer.
    fn behind(pointer: Value<'t>) -> Option<Self> {
        match pointer {
            Value::Pointer(pointer) => Some(Self::Element(pointer)),
            Value::Address(object) => Some(Self::Object(object)),
            _ => None,
        }
    }
}

impl<'t> Reader<'_, '_, 't> {
    /// What `node` designates, where scalars are no elements; `None` for what is no place.
    pub fn designated(&mut self, node: Node<'t>) -> Failable<Option<Place<'t>>> {
        let node = strip_parentheses(node);
        match node.kind() {
            "identifier" => Ok(self.host_value(self.text(node)).map(Place::Object)),
            "subscript_expression" => {
                if let Some(element) = self.local_element(node)? {
                    return Ok(Some(Place::Object(element)));
                }
                if let Some(pointer) = self.table_pointer(node)? {
                    return Ok(Some(Place::Object(pointer)));
                }
                let (base, index) = (self.field(node, "argument")?, self.field(node, "index")?);
                Ok(Place::behind(self.subscripted(node, base, index)?))
            }
            "pointer_expression" if self.text(self.field(node, "operator")?) == "*" => {
                let argument = self.field(node, "argument")?;
                match self.value(argument)? {
                    Value::Local(pointer) => self.local_object(node, &pointer).map(|it| Some(Place::Object(it))),
                    pointer => Ok(Place::behind(pointer)),
                }
            }
            "field_expression" => self.member_place(node),
            "call_expression" | "compound_literal_expression" => match self.value(node)? {
                Value::Structure(value) => Ok(Some(Place::Object(value))),
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// `structure.member` or `pointer->member`.
    fn member_place(&mut self, node: Node<'t>) -> Failable<Option<Place<'t>>> {
        if let Some(element) = self.inner_component(node)? {
            return Ok(Some(Place::Element(element)));
        }
        let member = self.field(node, "field")?;
        match self.place_around(node)? {
            Some(Place::Object(object)) => {
                self.member(node, object, self.text(member)).map(|it| Some(Place::Object(it)))
            }
            Some(Place::Element(element)) => match self.single_structure(&element)? {
                Some(object) => self.member(node, object, self.text(member)).map(|it| Some(Place::Object(it))),
                None => self.component(node, element).map(|it| Some(Place::Element(it))),
            },
            None => self.refuse_member(node, "the structure is not one that the nest can name"),
        }
    }

    /// Whether a member is one of what a pointer leads to, `pointer->member`.
    pub fn is_arrow(&self, node: Node<'t>) -> bool {
        node.child_by_field_name("operator").is_some_and(|operator| self.text(operator) == "->")
    }

    /// The structure of which `node` names a member.
    pub fn place_around(&mut self, node: Node<'t>) -> Failable<Option<Place<'t>>> {
        let argument = self.field(node, "argument")?;
        Ok(if self.is_arrow(node) { Place::behind(self.value(argument)?) } else { self.place(argument)? })
    }

    /// Refuses a member that cannot be used.
    pub fn refuse_member<T>(&self, node: Node<'t>, message: &str) -> Failable<T> {
        let help = "copy the member into a local variable before the nest, or use an array of its own";
        self.refuse(node, "struct-member", message, help)
    }

    /// The member `name` of a structure.
    pub fn member(&mut self, node: Node<'t>, object: Handle<HostValue>, name: &str) -> Failable<Handle<HostValue>> {
        let Some(whole) = self.declaration_of(object).cloned() else { return self.unsupported(node) };
        let Some(ty) = self.scope.structure(&whole.ty).and_then(|it| it.member(self.unit, &self.scope, name)) else {
            let message = format!("`{}` is no structure whose members a nest can use", self.name(object));
            return self.refuse_member(node, &message);
        };
        let mut value = self.nest.values[object].clone();
        value.path.push(Selector::Member(name.to_owned()));
        Ok(self.part(value, whole.part(ty.ty, ty.is_volatile)))
    }

    /// The object to which the pointer `pointer`, whose value is that before the nest, leads.
    pub fn dereference(&mut self, pointer: Handle<HostValue>, pointee: CType<'t>) -> Option<Handle<HostValue>> {
        let whole = self.declaration_of(pointer)?.clone();
        let mut value = self.nest.values[pointer].clone();
        value.path.push(Selector::Dereference);
        Some(self.part(value, whole.part(pointee, false)))
    }

    /// The value, which that variable declares, or a part of it.
    pub fn part(&mut self, value: HostValue, variable: Variable<'t>) -> Handle<HostValue> {
        let value = self.nest.values.intern(value);
        self.variables.entry(value).or_insert(variable);
        value
    }

    /// What an object holds at the present place; `node` names it.
    pub fn object(&mut self, node: Node<'t>, value: Handle<HostValue>) -> Failable<Value<'t>> {
        let Some(variable) = self.declaration_of(value).cloned() else { return self.unsupported(node) };
        let (name, span) = (self.name(value).to_owned(), self.span(node));
        if variable.is_volatile {
            let help = match variable.ty {
                CType::Scalar(_) => "copy it into a variable that is not volatile before the nest",
                _ => "declare it without `volatile`, if nothing else reads or writes it in the meantime",
            };
            return self.refuse(node, "volatile", format!("`{name}` is volatile"), help);
        }
        if let Some(element) = self.memory_of(value) {
            return self.dereferenced(node, element);
        }
        self.note_sequential_read(value);
        match self.bindings.get(&value).cloned() {
            Some(Binding::Index(this)) => {
                let ty = self.nest.loops[this].ty;
                Ok(Value::Scalar(self.expr(ty, ExprKind::Index(this), span)))
            }
            Some(Binding::Scalar(expr)) => Ok(Value::Scalar(expr)),
            Some(Binding::Partly(part)) => self.partly_assigned(node, value, part),
            Some(Binding::Pointer(pointer)) => Ok(Value::Pointer(pointer)),
            Some(Binding::Address(object)) => Ok(Value::Address(object)),
            Some(Binding::Function(callee)) => Ok(Value::Function(callee)),
            Some(Binding::Local(pointer)) => Ok(Value::Local(pointer)),
            Some(Binding::Null) => Ok(Value::Null),
            Some(Binding::Unknown(why, assigned)) => {
                let left = match why {
                    Unknown::LeftByLoop(Some(this)) => self.value_behind(this, span).map(Value::Scalar),
                    Unknown::Counted(counter) => self.counted_behind(counter),
                    Unknown::OnTrail(trailed) => self.last_on_trail(trailed, span).map(Value::Scalar),
                    _ => None,
                };
                left.map_or_else(|| self.left_by_iteration(node, value, why, assigned).map(Value::Scalar), Ok)
            }
            None => self.initial_value(node, value, &variable),
        }
    }

    /// What a variable holds that has what it held before the nest.
    fn initial_value(
        &mut self,
        node: Node<'t>,
        value: Handle<HostValue>,
        variable: &Variable<'t>,
    ) -> Failable<Value<'t>> {
        let (name, span) = (self.name(value).to_owned(), self.span(node));
        if let (true, CType::Array(inner, _)) = (variable.is_inside, &variable.ty) {
            return match self.is_grid(value) {
                true => Ok(Value::Pointer(self.first_of(value, &variable.ty, inner, span))),
                false => self.refuse_whole(node, &name),
            };
        }
        if self.scope.structure(&variable.ty).is_some() {
            // Its members are looked up one by one.
            return Ok(Value::Structure(value));
        }
        if let Some(constant) = variable.constant.and_then(|constant| self.constant_expr(constant, span)) {
            return Ok(Value::Scalar(constant));
        }
        self.check_is_nameable(node, value)?;
        match &variable.ty {
            CType::Scalar(ty) => {
                let value = self.number_in_turn(value, *ty, span);
                let held = self.held_value(value, *ty, span).or_else(|| self.equal_size(value, *ty, span));
                let held = held.or_else(|| self.assigned_size(value, *ty, span));
                Ok(Value::Scalar(held.unwrap_or_else(|| self.whole_size(value, *ty, span))))
            }
            CType::Bool => Ok(Value::Scalar(self.param(value, ScalarType::U8, span))),
            CType::Pointer(inner) if self.scope.structure(inner).is_some() => {
                let object = self.dereference(value, (**inner).clone());
                object.map_or_else(|| self.unsupported(node), |object| Ok(Value::Address(object)))
            }
            CType::Pointer(_) if let Some(scalar) = self.behind_lone_pointer(node) => Ok(Value::Address(scalar)),
            CType::Pointer(inner) | CType::Array(inner, _) => {
                self.check_element(node, &name, inner)?;
                Ok(Value::Pointer(self.first_of(value, &variable.ty, inner, span)))
            }
            ty => self.refuse_type(node, &name, ty),
        }
    }

    /// A pointer to the first element of the array that the variable leads to.
    pub fn first_of(
        &mut self,
        value: Handle<HostValue>,
        ty: &CType<'t>,
        pointee: &CType<'t>,
        span: Span,
    ) -> PointerValue<'t> {
        let root = self.root(value, ty, span);
        let zero = self.int(ScalarType::I64, 0, span);
        PointerValue { root, subscripts: vec![zero], pointee: pointee.clone() }
    }

    /// The elements behind the pointer through which an object of the host's was reached: `g[i]` of a pointer `g`.
    pub fn elements_behind(&mut self, object: Handle<HostValue>, span: Span) -> Option<PointerValue<'t>> {
        let mut value = self.nest.values[object].clone();
        value.path.pop_if(|last| *last == Selector::Dereference)?;
        let pointer = self.nest.values.find(&value)?;
        let ty = self.declaration_of(pointer)?.ty.clone();
        let CType::Pointer(pointee) = &ty else { return None };
        Some(self.first_of(pointer, &ty, pointee, span))
    }

    /// Copies the members of one structure to another of the same type.
    pub fn assign_structure(
        &mut self,
        node: Node<'t>,
        target: Handle<HostValue>,
        from: Handle<HostValue>,
    ) -> Failable<()> {
        let other = self.structure_type(from);
        let same = self.structure_type(target).filter(|it| other.is_some_and(|other| it.is(self.unit, other)));
        let Some(structure) = same else {
            return self.refuse(node, "unsupported-type", "this structure is of another type", "assign its members");
        };
        if !structure.names_all() && self.is_from_outside(target) {
            let message = format!("`{}` has a member without a name", self.name(target));
            return self.refuse(
                node,
                "struct-member",
                message,
                "give the member a name, or assign those in it one by one",
            );
        }
        for name in structure.names(self.unit) {
            let [target, from] = [target, from].map(|object| self.member(node, object, &name));
            let (target, from) = (target?, from?);
            let ty = self.declaration_of(target).map(|it| it.ty.clone());
            let span = self.span(node);
            match ty {
                Some(ty) if self.scope.structure(&ty).is_some() => self.assign_structure(node, target, from)?,
                Some(CType::Scalar(_) | CType::Bool | CType::Pointer(_)) => match self.object(node, from) {
                    Ok(value) => {
                        self.note_assigned(target, span)?;
                        self.bind(node, target, value, span)?;
                    }
                    Err(_) => self.leave_uncopied(node, target, span)?,
                },
                _ => self.leave_uncopied(node, target, span)?,
            }
        }
        Ok(())
    }

    /// Notes that a member is not copied with its structure: only what is used later must be of a type that a nest can use, and all
    /// that outlives the nest.
    fn leave_uncopied(&mut self, node: Node<'t>, member: Handle<HostValue>, span: Span) -> Failable<()> {
        if self.is_from_outside(member) {
            let message = format!("`{}` is copied with its structure", self.name(member));
            return self.refuse(node, "struct-member", message, "assign the members one by one, arrays by `memcpy`");
        }
        self.bindings.insert(member, Binding::Unknown(Unknown::Uncopied, span));
        Ok(())
    }

    /// The structure that an object is.
    pub fn structure_type(&self, object: Handle<HostValue>) -> Option<Structure<'t>> {
        self.declaration_of(object).and_then(|it| self.scope.structure(&it.ty))
    }

    /// The scalars and pointers that an object consists of: itself, or the members of a structure.
    pub fn leaves(&mut self, node: Node<'t>, object: Handle<HostValue>) -> Vec<Handle<HostValue>> {
        let Some(structure) = self.structure_type(object) else { return vec![object] };
        let mut leaves = Vec::new();
        for name in structure.names(self.unit) {
            if let Ok(member) = self.member(node, object, &name) {
                leaves.extend(self.leaves(node, member));
            }
        }
        leaves
    }

    /// Forgets what an object and its members hold.
    pub fn forget(&mut self, object: Handle<HostValue>) {
        let whole = self.nest.values[object].clone();
        let is_part = |value: &Handle<HostValue>| {
            let value = &self.nest.values[*value];
            value.variable == whole.variable && value.path.starts_with(&whole.path)
        };
        let parts: Vec<_> = self.bindings.keys().copied().filter(is_part).collect();
        parts.iter().for_each(|part| _ = self.bindings.remove(part));
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{read, refusal};
    use crate::ir::LeftPointer;

    const GRID: &str = "typedef struct grid { int n; double c; struct { double *u, *v; } a; double w[3]; } grid;";

    fn text(parameters: &str, body: &str) -> String {
        format!("{GRID}\nvoid f({parameters})\n{{\n#pragma stencil\n{body}\n}}\n")
    }

    #[test]
    fn members_are_variables_by_their_paths() {
        let body = "for (int i = 1; i < g->n; i++) g->a.u[i] = s.c * (*g).a.v[i - 1] + g->w[1];";
        let nest = read(&text("grid *g, grid s", body)).to_string();
        for line in ["param int g->n", "param double s.c", "buffers g->a.u", "buffers g->a.v", "buffers g->w"] {
            assert!(nest.contains(line), "{line}\n{nest}");
        }
    }

    #[test]
    fn a_structure_of_the_nest_is_its_members() {
        let body =
            "for (int i = 1; i < g->n; i++) { grid s = *g, r; s.c *= 2; r = s; s.c = 0; g->a.u[i] = r.c * r.a.v[i]; }";
        let nest = read(&text("grid *g", body)).to_string();
        assert!(nest.contains("local double s.c.0 = (g->c * (double)2)"), "{nest}");
        assert!(nest.contains("= (s.c.0 * g->a.v["), "{nest}");
        let unset = "for (int i = 1; i < g->n; i++) { grid s; g->a.u[i] = s.c; }";
        assert_eq!(refusal(&text("grid *g", unset)).code, "uninitialised");
    }

    #[test]
    fn what_outlives_the_nest_is_copied_with_its_structure_or_not_at_all() {
        let swap = |members: &str| {
            let swap = "old = a; a = b; b = old;";
            let sweep = "for (int i = 1; i < a.n - 1; i++) b.u[i] = a.u[i - 1] + b.n;";
            let nest = format!("struct s old;\n#pragma stencil\nfor (int t = 0; t < steps; t++) {{ {sweep} {swap} }}");
            format!(
                "struct s {{ int n; double *u; {members} }};\nvoid f(int steps, struct s a, struct s b)\n{{\n{nest}\n}}"
            )
        };
        for members in ["", "float rate;", "struct { int k; double *v; } inner;"] {
            let nest = read(&swap(members));
            assert_eq!(nest.range_checks.len(), 1, "{nest}");
        }
        for members in ["union { int k; float x; };", "double w[2];", "void *more;", "int k : 3;"] {
            assert_eq!(refusal(&swap(members)).code, "struct-member", "{members}");
        }
    }

    #[test]
    fn what_is_assigned_through_a_pointer_is_compared_with_what_another_leads_to() {
        let swap = |from: &str| {
            format!(
                "for (int t = 0; t < g->n; t++) {{ for (int i = 1; i < g->n; i++) g->a.u[i] = {from}[i];
                 double *p = g->a.u; g->a.u = g->a.v; g->a.v = p; }}"
            )
        };
        let apart = |parameters, from| {
            let nest = read(&text(parameters, &swap(from)));
            let text = |value| nest.values.text(value).to_owned();
            nest.apart.iter().map(|(one, other)| (text(*one), text(*other))).collect::<Vec<_>>()
        };
        assert!(apart("grid *g", "g->a.v").is_empty() && apart("grid *g, double *v", "v").is_empty());
        let pairs = ["g->a.u", "g->a.v"].map(|assigned| (assigned.to_owned(), "h->a.v".to_owned()));
        assert_eq!(apart("grid *g, grid *h", "h->a.v"), pairs);
    }

    #[test]
    fn pointers_to_structures_lead_to_one_structure() {
        let moved = |value: &str| {
            let step = format!("for (int i = 1; i < g->n; i++) g->a.u[i] = {value}; grid *t = g; g = h; h = t;");
            text("grid *g, grid *h", &format!("for (int t = 0; t < 9; t++) {{ {step} }}"))
        };
        assert_eq!(refusal(&moved("1; g->n = t")).code, "rotation");
        for value in ["g->c", "h->n ? g->c : 1"] {
            let nest = read(&moved(value));
            assert!(nest.range_checks.iter().any(|check| (check.least, check.greatest) == (1, 1)), "{value}: {nest}");
        }
        let nest = read(&moved("h->a.u[i - 1] + h->n"));
        assert!(nest.to_string().contains("buffers h->a.u, g->a.u"), "{nest}");
        let is_member = |left: &LeftPointer| nest.values.text(left.variable).contains("->");
        assert!(!nest.step.left_pointers.iter().any(is_member), "the structures keep their pointers");
        assert!(nest.range_checks.iter().any(|check| (check.least, check.greatest) == (0, 0)), "{nest}");
    }
}
