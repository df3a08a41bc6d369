//! Executes statements symbolically: scalars become locals, assignments to elements become statements.

use tree_sitter::Node;

use super::Failable;
use super::arrays::Element;
use super::expressions::{Value, compound_operator};
use super::function_pointers::is_pointer_to_function;
use super::headers::is_counting_while;
use super::objects::Place;
use super::reader::{Binding, Reader, Unknown};
use super::statics::StaticUse;
use super::tree::{children, fields, strip_parentheses, walk};
use super::types::{CType, declared};
use crate::ir::{BinaryOp, Expr, ExprKind, Handle, HostValue, Local, ScalarType, UnaryOp};
use crate::source::Span;

impl<'t> Reader<'_, '_, 't> {
    /// Executes one statement.
    pub fn statement(&mut self, node: Node<'t>) -> Failable<()> {
        self.check_growth(node)?;
        match self.unit.has_construct_above(node) {
            true => self.statement_with_constructs(node),
            false => self.statement_itself(node),
        }
    }

    /// Executes one statement, whatever of OpenMP's directives stands above it.
    pub fn statement_itself(&mut self, node: Node<'t>) -> Failable<()> {
        match node.kind() {
            "compound_statement" => self.block(node),
            "declaration" => self.with_updates(node, |reader| reader.declaration(node)),
            "type_definition" | "enum_specifier" | "struct_specifier" | "union_specifier" => {
                self.scope.declare(self.unit, node, false, true);
                Ok(())
            }
            "expression_statement" if self.ends_program(node) => self.end(node),
            "expression_statement" if self.is_message_never_written(node) => Ok(()),
            "expression_statement" => match children(node).first() {
                Some(expression) => self.with_updates(node, |reader| reader.expression_statement(node, *expression)),
                None => Ok(()),
            },
            "if_statement" => self.if_statement(node),
            "switch_statement" => self.switch_statement(node),
            "break_statement" | "continue_statement" => self.jump_statement(node),
            "return_statement" => self.return_statement(node),
            "for_statement" => self.for_statement(node),
            "do_statement" if self.runs_once(node) => {
                let body = self.field(node, "body")?;
                self.statement(body)
            }
            "while_statement" | "do_statement" if is_counting_while(self.unit, node) => self.for_statement(node),
            "while_statement" => self.while_statement(node),
            _ => self.refuse_statement(node),
        }
    }

    /// Refuses a statement that no nest can have.
    pub fn refuse_statement(&self, node: Node<'t>) -> Failable<()> {
        let (what, help) = match node.kind() {
            "while_statement" | "do_statement" => ("a `while` loop", "write it as a counted `for` loop"),
            "goto_statement" | "labeled_statement" => ("`goto`", "write the control flow with `for` and `if`"),
            "break_statement" | "return_statement" if self.is_once_a_step(node) => {
                let help = "let the host decide between the steps: mark the loops inside this loop, not this loop";
                ("leaving a loop early", help)
            }
            "break_statement" | "return_statement" => {
                ("leaving a loop early", "find out where it ends in a loop before the nest that is not marked")
            }
            "gnu_asm_expression" => ("`asm`", "write it in C, or take it out"),
            _ => ("this statement", "use assignments, `if` and `for` in a nest"),
        };
        self.refuse(node, "unsupported-statement", format!("{what} is not supported in a nest"), help)
    }

    /// Whether `node` is the `do { ... } while (0)` that macros wrap around statements.
    fn runs_once(&self, node: Node<'t>) -> bool {
        let condition = node.child_by_field_name("condition");
        condition.and_then(|condition| self.scope.constant(self.unit, condition)) == Some(0)
    }

    fn block(&mut self, node: Node<'t>) -> Failable<()> {
        let mark = self.scope.enter();
        let result = self.statements(&children(node));
        self.leave_scope(mark);
        result
    }

    /// What a block declares once more by `extern` holds what it held.
    ///
    /// # Errors
    /// It is a variable that cannot be named where the nest stands.
    fn declare_again(&mut self, node: Node<'t>) -> Failable<()> {
        self.scope.declare_tags(self.unit, node);
        for declarator in fields(node, "declarator") {
            let name = declared(self.unit, declarator, CType::Other(String::new())).0;
            let identity = |reader: &Self| Some(reader.scope.variable(&name)?.identity(reader.unit.source.id(), &name));
            let before = identity(self);
            self.scope.declare_variable(self.unit, node, declarator, false, false);
            let is_function = self.scope.variable(&name).is_some_and(|it| matches!(it.ty, CType::Function(_)));
            if self.frames.is_empty() && !is_function && before != identity(self) {
                let message = format!("the nest uses a variable `{name}` that cannot be named where it stands");
                let help = format!("declare `{name}` before the function, and let no other variable hide it");
                return self.refuse(declarator, "undeclared", message, &help);
            }
        }
        Ok(())
    }

    /// Forgets the variables declared since `mark`; those that they hid hold what they held there.
    pub fn leave_scope(&mut self, mark: usize) {
        for (name, variable) in self.scope.leave(mark).into_iter().filter(|(_, variable)| variable.is_inside) {
            let value = self.nest.values.variable(variable.identity(self.unit.source.id(), &name));
            self.forget(value);
        }
    }

    pub fn declaration(&mut self, node: Node<'t>) -> Failable<()> {
        let is_of_file = super::declarations::has_word(self.unit, node, "storage_class_specifier", "extern");
        if is_of_file {
            return self.declare_again(node);
        }
        let is_static = super::declarations::has_word(self.unit, node, "storage_class_specifier", "static");
        let mut starts_unassigned = false;
        if is_static && !super::declarations::has_word(self.unit, node, "type_qualifier", "const") {
            let Some(used) = self.use_of_statics(node) else {
                let help = match self.is_work_space(node) {
                    true => {
                        "if it is work space, let nothing but the nest call the function; otherwise declare it before the nest"
                    }
                    false => "let each call give it a value before it looks at it, or declare it before the nest",
                };
                return self.refuse(
                    node,
                    "unsupported-statement",
                    "a static variable is declared inside the nest",
                    help,
                );
            };
            starts_unassigned = used == StaticUse::AssignedFirst;
        }
        self.scope.declare_tags(self.unit, node);
        for declarator in fields(node, "declarator") {
            if self.declare_local_array(node, declarator)? {
                continue;
            }
            // The initialiser still sees the names before the declaration.
            let initialiser = declarator.child_by_field_name("value").filter(|_| !starts_unassigned);
            let initialiser = initialiser.map(without_braces);
            let is_list = initialiser.is_some_and(|value| value.kind() == "initializer_list");
            if let Some(value) = initialiser
                && self.declare_memory(node, declarator, value)?
            {
                continue;
            }
            let value = match initialiser.filter(|_| !is_list) {
                Some(value) => Some((self.whole_value(value)?, value)),
                None => None,
            };
            let base = super::types::base_type(self.unit, &self.scope, node);
            let name = declared(self.unit, declarator, base).0;
            self.scope.declare_variable(self.unit, node, declarator, false, true);
            let span = self.span(declarator);
            let Some(variable) = self.host_value(&name) else { continue };
            self.declared_in.insert(variable, self.loops.len());
            if let Some(ty) = self.declaration_of(variable).map(|it| it.ty.clone()) {
                self.note_lengths_of(&ty);
            }
            if let Some(list) = initialiser.filter(|_| is_list) {
                let is_structure =
                    self.declaration_of(variable).is_some_and(|it| self.scope.structure(&it.ty).is_some());
                if !is_structure {
                    return self.unsupported(list);
                }
                self.list_structure(list, variable)?;
                continue;
            }
            match value {
                Some((value, at)) => self.bind(at, variable, value, span)?,
                None => {
                    for leaf in self.leaves(declarator, variable) {
                        self.bindings.insert(leaf, Binding::Unknown(Unknown::Uninitialised, span));
                    }
                }
            }
        }
        Ok(())
    }

    /// Executes an expression for what it changes.
    pub fn expression_statement(&mut self, statement: Node<'t>, node: Node<'t>) -> Failable<()> {
        let node = strip_parentheses(node);
        match node.kind() {
            "assignment_expression" if self.assign_memory(node)? => Ok(()),
            "assignment_expression" => self.assignment(node),
            "update_expression" => {
                let (operator, argument) = (self.field(node, "operator")?, self.field(node, "argument")?);
                let op = if self.text(operator) == "++" { BinaryOp::Add } else { BinaryOp::Sub };
                let one = self.int(ScalarType::I32, 1, self.span(node));
                self.assign(node, argument, Some(op), Value::Scalar(one))
            }
            "comma_expression" => {
                for part in [self.field(node, "left")?, self.field(node, "right")?] {
                    self.expression_statement(statement, part)?;
                }
                Ok(())
            }
            "call_expression" => self.call_statement(node),
            "conditional_expression" => self.chosen_effect(node),
            "extension_expression" if children(node).len() == 1 => {
                self.expression_statement(statement, children(node)[0])
            }
            "compound_statement" => self.statement(node),
            "cast_expression" if self.is_void_cast(node) => {
                let value = self.field(node, "value")?;
                if has_effect(value) { self.expression_statement(statement, value) } else { Ok(()) }
            }
            "gnu_asm_expression" => self.refuse_statement(node),
            _ => self.refuse(statement, "unsupported-statement", "this statement does nothing in a nest", "remove it"),
        }
    }

    fn is_void_cast(&self, node: Node<'t>) -> bool {
        node.child_by_field_name("type").is_some_and(|ty| self.text(ty).trim() == "void")
    }

    fn assignment(&mut self, node: Node<'t>) -> Failable<()> {
        let (left, right) = (self.field(node, "left")?, self.field(node, "right")?);
        let operator = self.field(node, "operator")?;
        let op = compound_operator(self.text(operator));
        // Chained assignments `a = b = value` run from the right.
        let inner = strip_parentheses(right);
        if inner.kind() == "assignment_expression" {
            self.assignment(inner)?;
            let again = self.field(inner, "left")?;
            let value = self.value(again)?;
            return self.assign(node, left, op, value);
        }
        let value = self.whole_value(right)?;
        if matches!(value, Value::Function(_)) && !self.is_pointer_to_function(self.text(strip_parentheses(left))) {
            return self.refuse_function(right);
        }
        self.assign(node, left, op, value)
    }

    /// Assigns `value`, or `target op value`, to `target`.
    fn assign(&mut self, node: Node<'t>, target: Node<'t>, op: Option<BinaryOp>, value: Value<'t>) -> Failable<()> {
        let span = self.span(node);
        let target = strip_parentheses(target);
        let element = match self.place(target)? {
            Some(Place::Object(object)) => {
                let value = match op {
                    None => value,
                    Some(op) => {
                        let old = self.object(target, object)?;
                        self.combined(node, op, old, value)?
                    }
                };
                self.check_is_no_index(target, object)?;
                // Of a structure, it is the members that are.
                if self.structure_type(object).is_none() {
                    self.note_assigned(object, self.span(target))?;
                }
                return self.bind(node, object, value, span);
            }
            Some(Place::Element(element)) if op.is_none() && self.scope.structure(&element.pointee).is_some() => {
                return self.store_structure(node, &element, value);
            }
            place => self.element(target, place)?,
        };
        let value = match value {
            Value::Scalar(value) => value,
            Value::Structure(_) | Value::StructureAt(_) => {
                let message = "a structure is stored as a whole";
                return self.refuse(node, "unsupported-type", message, "store its members one by one");
            }
            _ => {
                return self.refuse(node, "pointer-value", "a pointer is stored in an array", "store numbers only");
            }
        };
        let value = match op {
            None => value,
            Some(op) => {
                let old = self.read_chosen(&element, self.span(target))?;
                self.arithmetic(node, op, old, value)?
            }
        };
        let place = self.span(target);
        self.store_chosen(element, value, place, span)
    }

    /// `old op value`, which `node` assigns.
    fn combined(&mut self, node: Node<'t>, op: BinaryOp, old: Value<'t>, value: Value<'t>) -> Failable<Value<'t>> {
        match (old, value) {
            (Value::Scalar(old), Value::Scalar(value)) => self.arithmetic(node, op, old, value).map(Value::Scalar),
            (Value::Pointer(old), Value::Scalar(mut value)) if matches!(op, BinaryOp::Add | BinaryOp::Sub) => {
                if op == BinaryOp::Sub {
                    value = self.convert(value, ScalarType::I64);
                    value = self.unary(UnaryOp::Negate, value, self.span(node));
                }
                self.moved(node, old, value).map(Value::Pointer)
            }
            _ => self.refuse(node, "pointer-value", "pointers are combined", "use indices instead"),
        }
    }

    /// A loop's variable is changed by its header alone.
    fn check_is_no_index(&self, target: Node<'t>, object: Handle<HostValue>) -> Failable<()> {
        let Some(Binding::Index(this)) = self.bindings.get(&object) else { return Ok(()) };
        let header = self.nest.loops.span(*this);
        let diagnostic = self.refuse(
            target,
            "loop-variable",
            format!("the loop variable `{}` is changed in the loop's body", self.name(object)),
            "let the loop count in its header alone, as in `i += 2`",
        );
        diagnostic.map_err(|error| Box::new(error.with_label(header, "its loop")))
    }

    /// Gives a variable a new value.
    pub fn bind(&mut self, node: Node<'t>, variable: Handle<HostValue>, value: Value<'t>, span: Span) -> Failable<()> {
        self.outlives(node, variable)?;
        // A member gets its value with its structure.
        if let Value::Scalar(value) = value
            && let Some(memory) = self.memory_of(variable)
        {
            return self.store_chosen(Element::behind(memory), value, span, span);
        }
        let name = self.name(variable).to_owned();
        let declaration = self.declaration_of(variable);
        let binding = match (value, declaration.map(|it| (it.ty.clone(), it.is_volatile))) {
            (_, Some((_, true))) => {
                let help = "use a variable that is not volatile";
                return self.refuse(node, "volatile", format!("`{name}` is volatile"), help);
            }
            (Value::Scalar(value), Some((CType::Scalar(ty), _))) => {
                let value = self.convert(value, ty);
                Binding::Scalar(self.local(&name, value, span))
            }
            (Value::Scalar(value), Some((CType::Bool, _))) => {
                let truth = self.truth(value);
                let value = self.convert(truth, ScalarType::U8);
                Binding::Scalar(self.local(&name, value, span))
            }
            (Value::Pointer(pointer), Some((CType::Pointer(pointee), _))) => match self.seen_as(&pointee, pointer) {
                Some(pointer) => Binding::Pointer(pointer),
                None => {
                    let message = format!("`{name}` points to another type, or to rows of another length, than this");
                    let help = "use pointers of one type, or index the array itself";
                    return self.refuse(node, "pointer-type", message, help);
                }
            },
            (Value::Address(object), Some((CType::Pointer(pointee), _))) => {
                self.address(node, &name, object, &pointee)?
            }
            (Value::Function(callee), Some((ty, _)))
                if is_pointer_to_function(&ty) && !self.is_from_outside(variable) =>
            {
                Binding::Function(callee)
            }
            (Value::Local(pointer), Some((CType::Pointer(pointee), _))) if !self.is_from_outside(variable) => {
                if !self.leads_to(&pointer, &pointee) {
                    let message = format!("`{name}` points to another type, or to rows of another length, than this");
                    return self.refuse(node, "pointer-type", message, "use pointers to what the array consists of");
                }
                Binding::Local(pointer)
            }
            (Value::Null, Some((CType::Pointer(_), _))) if !self.is_from_outside(variable) => Binding::Null,
            (Value::Scalar(zero), Some((CType::Pointer(_), _)))
                if self.constant(zero) == Some(0) && !self.is_from_outside(variable) =>
            {
                Binding::Null
            }
            (Value::StructureAt(from), Some(_)) => return self.load_structure(node, variable, &from),
            (Value::Structure(from), Some(_)) => return self.assign_structure(node, variable, from),
            _ => {
                let message = format!("`{name}` cannot hold this value in a nest");
                return self.refuse(node, "unsupported-type", message, "use integer, `float` or `double` scalars");
            }
        };
        self.bindings.insert(variable, binding);
        Ok(())
    }

    /// A local that holds `value`; what is computed from indices and parameters alone, and names, stand for themselves.
    pub fn local(&mut self, name: &str, value: Handle<Expr>, span: Span) -> Handle<Expr> {
        let ty = self.ty(value);
        use ExprKind::{Accumulator, Float, Local as Named, Param};
        let is_leaf = matches!(self.kind(value), Named(_) | Accumulator(_) | Param(_) | Float(_));
        let is_pure_index = ty.is_integer() && !self.is_made_of_data(value);
        if is_leaf || is_pure_index {
            return value;
        }
        let local = self.nest.locals.push(Local { name: name.to_owned(), ty, value }, span);
        self.expr(ty, ExprKind::Local(local), span)
    }
}

/// The initialiser of a scalar, which C lets stand in braces.
fn without_braces(initialiser: Node) -> Node {
    match children(initialiser).as_slice() {
        [value] if initialiser.kind() == "initializer_list" && value.kind() != "initializer_pair" => *value,
        _ => initialiser,
    }
}

/// Whether an expression assigns or calls something.
fn has_effect(expression: Node) -> bool {
    let mut found = false;
    walk(expression, &mut |node| {
        found |= matches!(node.kind(), "assignment_expression" | "update_expression" | "call_expression");
        !found && node.kind() != "sizeof_expression"
    });
    found
}
