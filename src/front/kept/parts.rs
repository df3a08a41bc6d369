//! The parts of memory that a statement of host code reads, as far as its text tells them.
//!
//! Each is a range of addresses between two C expressions that can be computed before the statement: subscripts are made of what
//! the statement does not change and of variables of counted loops, and functions are looked into, with what they are given in
//! the place of their parameters. Whatever is not understood gives no parts at all, and then everything may be read.

use std::collections::HashMap;
use std::rc::Rc;

use tree_sitter::Node;

use super::Part;
use super::corners::{Code, Corners};
use super::host_code::{HostCode, MAX_DEPTH, OwnArrays, READING, is_harmless, is_variable};
use super::memory::Memory;
use crate::front::calls::is_known_to_nests;
use crate::front::declarations::{Scope, Symbol, has_word};
use crate::front::headers::assignments;
use crate::front::literals::integer_literal;
use crate::front::pragma::{Reach, Vouched};
use crate::front::tree::{
    Unit, address_of, ancestors, assigned, children, declared_identifier, fields, mentions, parameter_list,
    strip_parentheses, target, walk,
};
use crate::front::types::CType;
use crate::ir::ScalarType;

/// More parts of one statement are not told apart.
const MOST_PARTS: usize = 4;
/// So many calls are looked into.
const MOST_CALLS: usize = 64;

/// What a name means in a function that is looked into, or in a loop.
#[derive(Clone, Debug)]
enum Meaning<'t> {
    Integer(Corners),
    Memory(Memory<'t>),
    /// A structure, or `&` and one, or a pointer to one.
    Path(String),
    Unknown,
}

/// Where code stands.
#[derive(Clone)]
struct Frame<'t> {
    /// The statement, or the body of the function that it calls.
    body: Node<'t>,
    scope: Rc<Scope<'t>>,
    meanings: HashMap<String, Meaning<'t>>,
    /// Texts of values that are known not to be negative.
    naturals: Vec<String>,
    own: OwnArrays,
    depth: usize,
}

/// Finds the parts that one statement reads.
struct Parts<'c, 'p, 's, 't> {
    code: &'c HostCode<'p, 's, 't>,
    root: Node<'t>,
    /// The names at the statement.
    outer: Rc<Scope<'t>>,
    /// The statement, and bodies of all functions that it may call.
    bodies: Vec<Node<'t>>,
    /// Whether it may call functions that cannot be seen: what these reach may change.
    calls_unseen: bool,
    calls: usize,
    found: Vec<Part>,
}

/// The parts that a statement reads which stores through no pointer; `None` if that cannot be told.
pub fn parts_of<'t>(code: &HostCode<'_, '_, 't>, root: Node<'t>, statement: Node<'t>) -> Option<Vec<Part>> {
    let outer = Rc::new(Scope::at(code.unit(), &ancestors(root, statement), statement.start_byte()));
    let bodies = code.bodies_of(statement, MOST_CALLS)?;
    let mut frame = Frame {
        body: statement,
        scope: outer.clone(),
        meanings: HashMap::new(),
        naturals: Vec::new(),
        own: OwnArrays::new(),
        depth: 0,
    };
    let calls_unseen = code.calls_vouched(&bodies);
    let mut parts = Parts { code, root, outer, bodies, calls_unseen, calls: 0, found: Vec::new() };
    parts.visit(statement, &mut frame)?;
    Some(parts.found)
}

impl<'p, 't> Parts<'_, 'p, '_, 't> {
    fn unit(&self) -> &'p Unit<'_> {
        self.code.unit()
    }

    fn text(&self, node: Node) -> &'p str {
        self.code.program().text(node)
    }

    fn visit_all(&mut self, nodes: Vec<Node<'t>>, frame: &mut Frame<'t>) -> Option<()> {
        nodes.into_iter().try_for_each(|node| self.visit(node, frame))
    }

    /// Goes through code of which is known that it stores only into variables and arrays of its own.
    fn visit(&mut self, node: Node<'t>, frame: &mut Frame<'t>) -> Option<()> {
        if let Some(place) = assigned(node) {
            let inside = if is_variable(place) { Vec::new() } else { children(place) };
            self.visit_all(inside, frame)?;
            return self.visit_all(node.child_by_field_name("right").into_iter().collect(), frame);
        }
        match node.kind() {
            "call_expression" => self.call(node, frame),
            "subscript_expression" if self.code.is_own_array(node, &frame.own) => self.visit_all(children(node), frame),
            "subscript_expression" => self.read(node, frame),
            "pointer_expression" => match address_of(self.unit(), node) {
                Some(place) if is_variable(place) => Some(()),
                Some(place) if self.code.is_own_array(place, &frame.own) => self.visit_all(children(place), frame),
                Some(place) if place.kind() == "subscript_expression" => self.visit_indices(place, frame),
                Some(_) => None,
                None => self.read(node, frame),
            },
            "sizeof_expression" | "string_literal" | "type_descriptor" => Some(()),
            "field_expression" => match node.child_by_field_name("argument").map(strip_parentheses)? {
                argument if argument.kind() == "identifier" => (!self.code.may_be_element(node)).then_some(()),
                argument => self.visit(argument, frame),
            },
            "gnu_asm_expression" => None,
            "for_statement" => self.visit_for(node, frame),
            "compound_statement" => self.visit_all(children(node), &mut frame.clone()),
            "declaration" => self.visit_declaration(node, frame),
            _ => self.visit_all(children(node), frame),
        }
    }

    /// What subscripts read of an element whose address is taken, and what leads to it.
    fn visit_indices(&mut self, node: Node<'t>, frame: &mut Frame<'t>) -> Option<()> {
        self.visit(node.child_by_field_name("index")?, frame)?;
        let argument = strip_parentheses(node.child_by_field_name("argument")?);
        match argument.kind() {
            "subscript_expression" => self.memory(argument, frame).map(|_| ()),
            _ => self.visit(argument, frame),
        }
    }

    /// An element that is read. What leads to it is no memory, or nothing is known of it.
    fn read(&mut self, node: Node<'t>, frame: &mut Frame<'t>) -> Option<()> {
        let place = self.memory(node, frame)?;
        if place.is_array() {
            return Some(());
        }
        let part = place.part(&frame.naturals)?;
        self.add(part)
    }

    fn add(&mut self, part: Part) -> Option<()> {
        if !self.found.contains(&part) {
            self.found.push(part);
        }
        (self.found.len() <= MOST_PARTS).then_some(())
    }

    /// The place that an expression names or points to.
    fn memory(&self, node: Node<'t>, frame: &Frame<'t>) -> Option<Memory<'t>> {
        let node = strip_parentheses(node);
        match node.kind() {
            "identifier" => self.named_memory(self.text(node), frame),
            "field_expression" => Some(Memory::new(Code::primary(self.path(node, frame)?), None)),
            "subscript_expression" => {
                let argument = self.memory(node.child_by_field_name("argument")?, frame)?;
                argument.element(self.integer(node.child_by_field_name("index")?, frame)?)
            }
            "pointer_expression" => match address_of(self.unit(), node) {
                Some(place) => self.memory(place, frame)?.address(),
                None => {
                    let zero = Corners::steady(Code::primary("0"), Some(ScalarType::I32));
                    self.memory(node.child_by_field_name("argument")?, frame)?.element(zero)
                }
            },
            "binary_expression" if self.text(node.child_by_field_name("operator")?) == "+" => {
                let [left, right] = ["left", "right"].map(|side| node.child_by_field_name(side));
                match self.memory(left?, frame) {
                    Some(pointer) => pointer.advanced(self.integer(right?, frame)?),
                    None => self.memory(right?, frame)?.advanced(self.integer(left?, frame)?),
                }
            }
            _ => None,
        }
    }

    fn named_memory(&self, name: &str, frame: &Frame<'t>) -> Option<Memory<'t>> {
        match frame.meanings.get(name) {
            Some(Meaning::Memory(memory)) => return Some(memory.clone()),
            Some(_) => return None,
            None => {}
        }
        let ty = self.steady_type(name, frame)?;
        let leads = matches!(ty, CType::Pointer(_) | CType::Array(..));
        leads.then(|| Memory::new(Code::primary(name), Some(ty)))
    }

    /// The type of a variable of the host's that nothing in the statement changes, under its own name.
    fn steady_type(&self, name: &str, frame: &Frame<'t>) -> Option<CType<'t>> {
        let variable = self.outer.variable(name)?;
        let here = frame.scope.variable(name)?;
        let is_same = here.is_same(variable);
        let changes = |body: &Node| assignments(self.unit(), *body, name, None) > 0;
        let is_changed = match variable.ty {
            CType::Array(..) => false,
            _ if variable.is_static => self.calls_unseen || self.bodies.iter().any(changes),
            _ => changes(&self.bodies[0]),
        };
        let is_hidden = self.declares(frame.body, name);
        (is_same && !is_changed && !is_hidden && !variable.is_volatile).then(|| variable.ty.clone())
    }

    fn declares(&self, body: Node<'t>, name: &str) -> bool {
        self.declaration_of(body, name).is_some()
    }

    /// A path of members as the host writes it, if nothing in the statement changes it.
    fn path(&self, node: Node<'t>, frame: &Frame<'t>) -> Option<String> {
        let node = strip_parentheses(node);
        if node.kind() == "identifier" {
            let name = self.text(node);
            return match frame.meanings.get(name) {
                Some(Meaning::Path(path)) => Some(path.clone()),
                Some(_) => None,
                None => self.steady_type(name, frame).map(|_| name.to_owned()),
            };
        }
        let field = node.child_by_field_name("field").filter(|_| node.kind() == "field_expression")?;
        let (base, member) = (self.path(node.child_by_field_name("argument")?, frame)?, self.text(field));
        let is_changed = self.bodies.iter().any(|body| self.changes_member(*body, member));
        let path = match (self.text(node.child_by_field_name("operator")?), base.strip_prefix('&')) {
            ("->", Some(structure)) => format!("{structure}.{member}"),
            ("->", None) => {
                Some(format!("{base}->{member}")).filter(|path| !self.calls_unseen && self.code.follows(path))?
            }
            (_, None) => format!("{base}.{member}"),
            _ => return None,
        };
        (!is_changed).then_some(path)
    }

    fn changes_member(&self, body: Node<'t>, member: &str) -> bool {
        let mut found = false;
        walk(body, &mut |node| {
            let place = assigned(node).or_else(|| address_of(self.unit(), node));
            let is_it =
                |place: Node| place.child_by_field_name("field").is_some_and(|field| self.text(field) == member);
            found |= place.is_some_and(is_it);
            !found
        });
        found
    }

    /// The values of an integer expression.
    fn integer(&self, node: Node<'t>, frame: &Frame<'t>) -> Option<Corners> {
        let node = strip_parentheses(node);
        let corners = match node.kind() {
            "identifier" => self.named_integer(self.text(node), frame)?,
            "number_literal" => self.number(self.text(node))?,
            "field_expression" => {
                let path = self.path(node, frame)?;
                let ty = self.code.type_of(&path);
                Corners::steady(Code::primary(path), ty)
            }
            "unary_expression" if self.text(node.child_by_field_name("operator")?) == "-" => {
                let zero = Corners::steady(Code::primary("0"), Some(ScalarType::I32));
                zero.minus(&self.integer(node.child_by_field_name("argument")?, frame)?)
            }
            "cast_expression" | "call_expression" => match frame.scope.cast_of(self.unit(), node)? {
                (CType::Scalar(ty), value) if ty.is_integer() => self.integer(value, frame)?.cast(ty),
                _ => return None,
            },
            "sizeof_expression" => {
                let size = frame.scope.typed_constant(self.unit(), node)?;
                Corners::steady(Code::primary(size.as_i64()?.to_string()), Some(size.ty))
            }
            "binary_expression" => self.binary(node, frame)?,
            _ => return None,
        };
        Some(corners)
    }

    fn binary(&self, node: Node<'t>, frame: &Frame<'t>) -> Option<Corners> {
        let [left, right] = ["left", "right"].map(|side| node.child_by_field_name(side));
        let (left, right) = (self.integer(left?, frame)?, self.integer(right?, frame)?);
        match self.text(node.child_by_field_name("operator")?) {
            "+" => Some(left.plus(&right)),
            "-" => Some(left.minus(&right)),
            "*" => left.times(&right),
            operator @ ("/" | "%") => left.divided(operator, &right).or_else(|| {
                let is_natural = left.doubts.iter().all(|it| frame.naturals.contains(it));
                left.remainder(&right).filter(|_| operator == "%" && is_natural)
            }),
            _ => None,
        }
    }

    fn number(&self, text: &str) -> Option<Corners> {
        let constant = integer_literal(text)?;
        let code = if text.starts_with('-') { Code::other(text) } else { Code::primary(text) };
        Some(Corners::steady(code, Some(constant.ty)))
    }

    fn named_integer(&self, name: &str, frame: &Frame<'t>) -> Option<Corners> {
        match frame.meanings.get(name) {
            Some(Meaning::Integer(corners)) => return Some(corners.clone()),
            Some(_) => return None,
            None => {}
        }
        if let Some(Symbol::Constant(constant)) = self.outer.get(name)
            && !self.declares(frame.body, name)
        {
            let is_same = matches!(frame.scope.get(name), Some(Symbol::Constant(here)) if here == constant);
            return is_same.then(|| Corners::steady(Code::primary(name), Some(constant.ty)));
        }
        match self.steady_type(name, frame)? {
            CType::Scalar(ty) if ty.is_integer() => Some(Corners::steady(Code::primary(name), Some(ty))),
            _ => None,
        }
    }

    /// What a call reads.
    fn call(&mut self, node: Node<'t>, frame: &mut Frame<'t>) -> Option<()> {
        let arguments = node.child_by_field_name("arguments").map(children).unwrap_or_default();
        self.visit_all(arguments.clone(), frame)?;
        let name = self.code.program().called(node)?;
        if let Some(vouched) = self.code.vouched(name) {
            return self.read_vouched(vouched, frame);
        }
        match self.code.program().definition(name) {
            Some(definition) if frame.depth < MAX_DEPTH => self.enter(definition, &arguments, frame),
            Some(_) => None,
            None if self.code.program().defines(name) => None,
            None if is_known_to_nests(name) => Some(()),
            None if READING.contains(&name) => self.read_bytes(name, &arguments, frame),
            None => is_harmless(name).then_some(()),
        }
    }

    /// Whole arrays that a function reads for which the user vouches.
    fn read_vouched(&mut self, vouched: &Vouched, frame: &Frame<'t>) -> Option<()> {
        if vouched.reach == Reach::Reads && vouched.arrays.is_empty() {
            return None;
        }
        for array in vouched.arrays.iter().filter(|_| vouched.reach != Reach::Nothing) {
            let is_here =
                self.code.is_plain(array) && self.outer.variable(array)?.is_same(frame.scope.variable(array)?);
            let is_steady = is_here && self.steady_type(array, frame).is_some();
            self.add(Part { from: is_steady.then(|| array.clone())?, to: None })?;
        }
        Some(())
    }

    /// A function of the library that reads so many bytes.
    fn read_bytes(&mut self, name: &str, arguments: &[Node<'t>], frame: &Frame<'t>) -> Option<()> {
        let (pointers, factors) = match name {
            "fwrite" => (&arguments[..1], arguments.get(1..3)?),
            "write" => (arguments.get(1..2)?, arguments.get(2..3)?),
            "memcmp" => (arguments.get(..2)?, arguments.get(2..3)?),
            _ => return None,
        };
        let mut count = Corners::steady(Code::primary("1"), Some(ScalarType::U64));
        for factor in factors {
            let factor = self.integer(*factor, frame)?;
            count = count.times(&if factor.is_number() { factor } else { factor.cast(ScalarType::U64) })?;
        }
        for pointer in pointers {
            let part = self.memory(*pointer, frame)?.bytes(&count.high, &frame.naturals)?;
            self.add(part)?;
        }
        Some(())
    }

    /// What a function reads.
    fn enter(&mut self, definition: Node<'t>, arguments: &[Node<'t>], caller: &Frame<'t>) -> Option<()> {
        self.calls += 1;
        let body = definition.child_by_field_name("body").filter(|_| self.calls <= MOST_CALLS)?;
        let scope = Rc::new(Scope::at(self.unit(), &ancestors(self.root, body), body.start_byte()));
        let list = definition.child_by_field_name("declarator").and_then(parameter_list).map(children)?;
        let mut frame = Frame {
            body,
            scope,
            meanings: HashMap::new(),
            naturals: caller.naturals.clone(),
            own: self.code.own_arrays(body),
            depth: caller.depth + 1,
        };
        let is_void = list.len() == 1 && arguments.is_empty();
        let parameters: Vec<Node> = list.iter().map_while(|it| declared_in(*it)).collect();
        if !is_void && (parameters.len() != list.len() || list.len() != arguments.len()) {
            return None;
        }
        for (parameter, argument) in parameters.into_iter().zip(arguments) {
            let name = self.text(parameter);
            let is_steady = assignments(self.unit(), body, name, None) == 0 && !self.declares(body, name);
            let ty = frame.scope.variable(name).map(|variable| variable.ty.clone()).filter(|_| is_steady);
            let meaning = ty.and_then(|ty| self.passed(&ty, *argument, caller)).unwrap_or(Meaning::Unknown);
            frame.meanings.insert(name.to_owned(), meaning);
        }
        self.visit(body, &mut frame)
    }

    /// What a value means as a parameter or a variable of some type.
    fn passed(&self, ty: &CType<'t>, value: Node<'t>, frame: &Frame<'t>) -> Option<Meaning<'t>> {
        match ty {
            CType::Scalar(ty) if ty.is_integer() => Some(Meaning::Integer(self.integer(value, frame)?.cast(*ty))),
            CType::Pointer(inner) if matches!(**inner, CType::Structure(_)) => self.structure(ty, value, frame),
            CType::Structure(_) => self.structure(ty, value, frame),
            CType::Pointer(inner) => {
                let memory = self.memory(value, frame)?;
                let is_same = match memory.ty.as_ref()? {
                    CType::Pointer(other) | CType::Array(other, _) => is_same_element(inner, other),
                    _ => false,
                };
                is_same.then_some(Meaning::Memory(memory))
            }
            _ => None,
        }
    }

    /// A structure or a pointer to one.
    fn structure(&self, ty: &CType<'t>, value: Node<'t>, frame: &Frame<'t>) -> Option<Meaning<'t>> {
        let value = strip_parentheses(value);
        let place = address_of(self.unit(), value);
        let named = place.unwrap_or(value);
        let name = Some(self.text(named)).filter(|_| named.kind() == "identifier" && !self.calls_unseen)?;
        if let Some(Meaning::Path(path)) = frame.meanings.get(name) {
            return place.is_none().then(|| Meaning::Path(path.clone()));
        }
        let known = self.steady_type_but_address(name, frame)?;
        let known = if place.is_some() { CType::Pointer(Box::new(known)) } else { known };
        let sign = if place.is_some() { "&" } else { "" };
        (known == *ty).then(|| Meaning::Path(format!("{sign}{name}")))
    }

    /// As `steady_type` of a structure, whose address may be passed: its members are looked at one by one.
    fn steady_type_but_address(&self, name: &str, frame: &Frame<'t>) -> Option<CType<'t>> {
        let (variable, here) = (self.outer.variable(name)?, frame.scope.variable(name)?);
        let is_same = here.is_same(variable) && !self.declares(frame.body, name);
        let assigns = |body: &Node| {
            let mut found = false;
            walk(*body, &mut |node| {
                found |= target(node).is_some_and(|it| self.text(it) == name);
                !found
            });
            found
        };
        (is_same && !self.bodies.iter().any(assigns)).then(|| variable.ty.clone())
    }

    /// A declaration: what it declares is known if nothing changes it.
    fn visit_declaration(&mut self, node: Node<'t>, frame: &mut Frame<'t>) -> Option<()> {
        for declarator in fields(node, "declarator") {
            self.visit_all(declarator.child_by_field_name("value").into_iter().collect(), frame)?;
            let Some(name) = declared_identifier(declarator).map(|it| self.text(it)) else { continue };
            let meaning = self.declared(node, declarator, name, frame).unwrap_or(Meaning::Unknown);
            frame.meanings.insert(name.to_owned(), meaning);
        }
        Some(())
    }

    fn declared(&self, node: Node<'t>, declarator: Node<'t>, name: &str, frame: &Frame<'t>) -> Option<Meaning<'t>> {
        let value = declarator.child_by_field_name("value")?;
        let is_static = has_word(self.unit(), node, "storage_class_specifier", "static");
        let is_once = self.count_declarations(frame.body, name) == 1;
        if is_static || !is_once || assignments(self.unit(), frame.body, name, None) > 0 {
            return None;
        }
        let mut scope = Scope::clone(&frame.scope);
        scope.declare(self.unit(), node, false, false);
        let ty = scope.variable(name).filter(|it| !it.is_volatile)?.ty.clone();
        self.passed(&ty, value, frame)
    }

    fn count_declarations(&self, body: Node<'t>, name: &str) -> usize {
        let mut count = 0;
        walk(body, &mut |inner| {
            if inner.kind() == "declaration" {
                let names = fields(inner, "declarator").into_iter().filter_map(declared_identifier);
                count += names.filter(|it| self.text(*it) == name).count();
            }
            true
        });
        count
    }

    fn visit_for(&mut self, node: Node<'t>, frame: &mut Frame<'t>) -> Option<()> {
        let mut inside = frame.clone();
        for field in ["initializer", "condition", "update"] {
            self.visit_all(node.child_by_field_name(field).into_iter().collect(), &mut inside)?;
        }
        if let Some((name, corners, naturals)) = self.counted(node, frame) {
            inside.meanings.insert(name.to_owned(), Meaning::Integer(corners));
            inside.naturals.extend(naturals);
        }
        self.visit_all(node.child_by_field_name("body").into_iter().collect(), &mut inside)
    }

    /// The variable of a counted loop, its values, and what is not negative within it.
    fn counted(&self, node: Node<'t>, frame: &Frame<'t>) -> Option<(&'p str, Corners, Vec<String>)> {
        let update = strip_parentheses(node.child_by_field_name("update")?);
        let name = self.text(target(update)?);
        let first = self.first_value(node, name, frame)?;
        let condition = strip_parentheses(node.child_by_field_name("condition")?);
        let [left, right] = ["left", "right"].map(|side| condition.child_by_field_name(side).map(strip_parentheses));
        let (left, right) = (left?, right?);
        let is_left = left.kind() == "identifier" && self.text(left) == name;
        let other = if is_left { right } else { left };
        let is_other = right.kind() == "identifier" && self.text(right) == name;
        if condition.kind() != "binary_expression" || is_left == is_other || mentions(self.unit(), other, name) {
            return None;
        }
        let bound = self.integer(other, frame)?;
        bound.ty.zip(first.ty)?;
        let own = self.type_of_counter(node, name, frame)?;
        let (bound, first) = (bound.in_loop_of(own), first.in_loop_of(own));
        let relation = self.text(condition.child_by_field_name("operator")?);
        let is_down = self.counts_down(update)?;
        let is_below = matches!(relation, "<" | "<=") == is_left;
        if !matches!(relation, "<" | "<=" | ">" | ">=") || is_below == is_down {
            return None;
        }
        let is_inclusive = relation.ends_with('=');
        let (start, limit) = if is_down { (other, self.first_of(node)?) } else { (self.first_of(node)?, other) };
        let is_natural = self.integer(start, frame)?.doubts.iter().all(|it| frame.naturals.contains(it));
        let naturals = if is_natural { self.naturals_of(limit, frame) } else { Vec::new() };
        if is_down {
            let one = Corners::steady(Code::primary("1"), Some(ScalarType::I32));
            let low = if is_inclusive { bound } else { bound.plus(&one) };
            return Some((name, Corners::counted(&low, &first, true), naturals));
        }
        let corners = Corners::counted(&first, &bound, is_inclusive);
        Some((name, corners, naturals))
    }

    /// What is not negative if a bound is above zero or is zero: it, and what a number is taken from in it.
    fn naturals_of(&self, bound: Node<'t>, frame: &Frame<'t>) -> Vec<String> {
        let bound = strip_parentheses(bound);
        let operator = bound.child_by_field_name("operator").filter(|_| bound.kind() == "binary_expression");
        let inner = bound.child_by_field_name("left").filter(|_| {
            operator.is_some_and(|it| self.text(it) == "-")
                && bound.child_by_field_name("right").is_some_and(|it| it.kind() == "number_literal")
        });
        let steady = self.integer(bound, frame).filter(Corners::is_steady).map(|it| it.low.text);
        steady.into_iter().chain(inner.map(|it| self.naturals_of(it, frame)).unwrap_or_default()).collect()
    }

    /// Whether a loop counts down, by a number.
    fn counts_down(&self, update: Node<'t>) -> Option<bool> {
        let operator = self.text(update.child_by_field_name("operator")?);
        let by = update.child_by_field_name("right");
        let is_number = by.is_none_or(|by| by.kind() == "number_literal" && integer_literal(self.text(by)).is_some());
        match operator {
            "++" | "+=" if is_number => Some(false),
            "--" | "-=" if is_number => Some(true),
            _ => None,
        }
    }

    /// The type of a loop's variable.
    fn type_of_counter(&self, node: Node<'t>, name: &str, frame: &Frame<'t>) -> Option<ScalarType> {
        let initializer = node.child_by_field_name("initializer").filter(|it| it.kind() == "declaration");
        let ty = match initializer.or_else(|| self.declaration_of(frame.body, name)) {
            Some(declaration) => {
                let mut scope = Scope::clone(&frame.scope);
                scope.declare(self.unit(), declaration, false, false);
                scope.variable(name)?.ty.clone()
            }
            None if frame.depth == 0 => self.outer.variable(name)?.ty.clone(),
            None => return None,
        };
        if let CType::Scalar(ty) = ty { Some(ty).filter(|ty| ty.is_integer()) } else { None }
    }

    fn declaration_of(&self, body: Node<'t>, name: &str) -> Option<Node<'t>> {
        let mut found = None;
        walk(body, &mut |inner| {
            let is_it = |it: Node| declared_identifier(it).is_some_and(|it| self.text(it) == name);
            if inner.kind() == "declaration" && fields(inner, "declarator").into_iter().any(is_it) {
                found = found.or(Some(inner));
            }
            found.is_none()
        });
        found
    }

    /// What a loop's variable is set to at first.
    fn first_of(&self, node: Node<'t>) -> Option<Node<'t>> {
        let initializer = strip_parentheses(node.child_by_field_name("initializer")?);
        match initializer.kind() {
            "declaration" => fields(initializer, "declarator").first()?.child_by_field_name("value"),
            _ => initializer.child_by_field_name("right"),
        }
    }

    /// What a loop begins with, if nothing in it but its head changes its variable.
    fn first_value(&self, node: Node<'t>, name: &str, frame: &Frame<'t>) -> Option<Corners> {
        let initializer = strip_parentheses(node.child_by_field_name("initializer")?);
        let changes = assignments(self.unit(), node, name, None);
        if initializer.kind() == "declaration" {
            let declarators = fields(initializer, "declarator");
            let declarator = declarators.first().filter(|_| declarators.len() == 1)?;
            let is_it = declared_identifier(*declarator).is_some_and(|it| self.text(it) == name);
            let is_alone = self.count_declarations(node, name) == 1 && changes == 1;
            return self.integer(self.first_of(node).filter(|_| is_it && is_alone)?, frame);
        }
        let is_plain = initializer.kind() == "assignment_expression"
            && initializer.child_by_field_name("operator").is_some_and(|it| self.text(it) == "=")
            && target(initializer).is_some_and(|it| self.text(it) == name);
        let is_own = match frame.depth {
            0 => self.outer.variable(name).is_some_and(|variable| !variable.is_static),
            _ => self.declares(frame.body, name),
        };
        let is_alone = self.count_declarations(node, name) == 0 && changes == 2;
        self.integer(self.first_of(node).filter(|_| is_plain && is_own && is_alone)?, frame)
    }
}

/// The name that a parameter declares.
fn declared_in(parameter: Node) -> Option<Node> {
    declared_identifier(parameter.child_by_field_name("declarator")?)
}

/// Whether elements are of one type, whatever the sizes of arrays.
fn is_same_element(a: &CType, b: &CType) -> bool {
    match (a, b) {
        (CType::Scalar(a), CType::Scalar(b)) => a == b,
        (CType::Array(a, _), CType::Array(b, _)) | (CType::Pointer(a), CType::Pointer(b)) => is_same_element(a, b),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::front::Part;
    use crate::front::tests::{function, places};

    /// The ranges that `code` reads behind the sweeps of a step; none if it may read everything.
    fn parts(before: &str, code: &str) -> Vec<String> {
        let sweeps = "for (int i = 1; i < n - 1; i++) b[i] = a[i - 1]; for (int i = 1; i < n - 1; i++) a[i] = b[i];";
        let body = format!(
            "double s = 0; int k = 0; double x = 0;\n#pragma stencil\nwhile (k < n) {{ k += 1 + k % 2;\n{sweeps}\nif (k % 3 == 0) {{\n{code}\n}} }}"
        );
        let head = "int n, int m, double *a, double *b, double *c, double (*d)[n][m], double **e, struct grid *g, struct grid h";
        let text =
            format!("#include <stdio.h>\n{before}struct grid {{ int n; double *u; }};\n{}", function(head, &body));
        let shown = |part: Part| format!("{} {}", part.from, part.to.unwrap_or_default());
        places(&text).into_iter().flat_map(|place| place.parts).map(shown).collect()
    }

    #[test]
    fn elements_rows_and_planes_are_ranges() {
        for (code, expected) in [
            ("s += a[3];", "&a[3] &a[4]"),
            ("s += *(a + k * m);", "&a[k * m] &a[k * m] + 1"),
            ("for (int j = 0; j < m; j++) s += a[k / 2 * m + j];", "&a[k / 2 * m] &a[k / 2 * m + m]"),
            ("for (int j = m - 1; j >= 2; --j) s += a[j];", "&a[2] &a[m - 1] + 1"),
            ("for (int i = 1; i <= n; i++) s += b[i - 1];", "&b[0] &b[n - 1] + 1"),
            (
                "for (int i = 0; i < n; i++) for (int j = 0; j < m; j += 2) s += a[i * m + j];",
                "&a[0] &a[(n - 1) * m + m]",
            ),
            ("for (int i = 0; i < n; i++) s += a[i * m];", "&a[0] &a[(n - 1) * m] + 1"),
            (
                "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) s += d[1][i][j];",
                "&d[1][0][0] &d[1][n - 1][n - 1]",
            ),
            ("for (int j = 0; j < m; j++) { const double *p = a + k; s += p[j]; }", "&a[k] &a[k + m]"),
            ("s += h.u[h.n - 1];", "&h.u[h.n - 1] &h.u[h.n - 1] + 1"),
            ("fwrite(a + k, sizeof *a, m, stdout);", "&a[k] (const char *)&a[k] + 8 * (unsigned long long)m"),
        ] {
            assert_eq!(parts("", code), [expected], "{code}");
        }
    }

    #[test]
    fn functions_get_their_arguments() {
        let of = |body: &str, call: &str| {
            parts(&format!("int w; static double look(double *p, long q) {{ {body} }}\n"), call)
        };
        assert_eq!(
            of("return p[q + 1];", "s += look(a + m, k);"),
            ["&a[m + ((long long)k + 1)] &a[m + ((long long)k + 1)] + 1"]
        );
        assert_eq!(of("return p[w];", "s += look(&c[k], 0);"), ["&c[k + w] &c[k + w] + 1"]);
        assert_eq!(
            of("double r = 0; for (long i = 0; i < q; i++) r += p[i]; return r;", "s += look(a, 9);"),
            ["&a[0] &a[(long long)9]"]
        );
        assert_eq!(of("q++; return p[q];", "s += look(a, k);"), [""; 0]);
        assert_eq!(of("p++; return p[0];", "s += look(a, k);"), [""; 0]);
        assert_eq!(of("w++; return p[w];", "s += look(a, k);"), [""; 0]);
    }

    #[test]
    fn what_cannot_be_told_may_be_everything() {
        for code in [
            "s += a[(int)b[0]];",
            "for (;;) { s += a[k]; k++; break; }",
            "for (;;) { int m = k; m++; s += a[m]; break; }",
            "for (;;) { { int m = 3; x += m; } s += a[m]; break; }",
            "for (;;) { double *p = c; p++; s += p[0]; break; }",
            "for (int j = 0; j < x; j++) s += a[j];",
            "for (int j = 0; j < m; j += k) s += a[j];",
            "for (int j = 0; j < m; j++) { s += a[j]; j++; }",
            "for (int i = 0; i < n; i++) for (int j = 1; j < n; j++) s += a[i * m + j];",
            "for (int i = 0; i < n; i++) s += a[i * i];",
            "s += e[1][2];",
            "s += g->u[1];",
            "for (;;) { h.u = c; s += h.u[1]; break; }",
            "s += a[m / k];",
            "s += a[0] + a[1] + a[2] + a[3] + a[4];",
            "s += (k ? a : b)[1];",
        ] {
            assert_eq!(parts("", code), [""; 0], "{code}");
        }
    }

    #[test]
    fn names_of_other_variables_are_no_names_here() {
        let code = "s += look(c);";
        assert_eq!(parts("int m; static double look(double *p) { return p[m]; }\n", code), [""; 0]);
        assert_eq!(parts("static double look(double *p) { int m = 2; return p[m]; }\n", code), ["&c[2] &c[3]"]);
        assert_eq!(parts("static double look(float *p) { return p[1]; }\n", code), [""; 0]);
    }
}
