//! The parts of memory that a statement of host code reads and stores, as far as its text tells them.
//!
//! Each is a range of addresses between two C expressions that can be computed before the statement: subscripts are made of what
//! the statement does not change and of variables of counted loops, and functions are looked into, with what they are given in
//! the place of their parameters. Whatever is not understood gives no parts at all, and then everything may be read.

mod calls;
mod counted;
mod integers;
mod scalars;
mod stores;

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use tree_sitter::Node;

use super::corners::{Code, Corners};
use super::host_code::{HostCode, Own};
use super::memory::Memory;
use super::needs::is_variable;
use super::{Need, Part};
use crate::front::declarations::{Scope, has_word};
use crate::front::headers::assignments;
use crate::front::tree::{
    Unit, address_of, ancestors, assigned, children, declared_identifier, fields, nodes_in, strip_parentheses,
};
use crate::front::types::CType;
use crate::ir::ScalarType;

/// More parts of one statement are not told apart, of those that it reads,
const MOST_PARTS: usize = 4;
/// and of those that it stores.
const MOST_STORED: usize = 8;
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
    own: Own,
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
    found: Touched,
    /// Types of the elements that it stores.
    stored_types: Vec<ScalarType>,
    /// Variables and paths of members of which the parts are made.
    names: RefCell<BTreeSet<String>>,
}

/// The parts that a statement reads, and those that it stores.
#[derive(Clone, Debug, Default)]
pub struct Touched {
    /// What it reads; more may be anywhere.
    pub read: Vec<Part>,
    pub reads_anything: bool,
    pub stored: Vec<Part>,
}

impl Touched {
    /// Whether it touches nothing.
    pub fn is_empty(&self) -> bool {
        self.read.is_empty() && !self.reads_anything && self.stored.is_empty()
    }

    /// What is of use: nothing where something is read of which nothing is known, and nothing is stored.
    fn told(self) -> Option<Self> {
        match (self.reads_anything, self.stored.is_empty()) {
            (false, _) => Some(self),
            (true, false) => Some(Self { read: Vec::new(), ..self }),
            (true, true) => None,
        }
    }
}

/// The parts that a statement touches; `None` if that cannot be told.
pub fn touched_by<'t>(code: &HostCode<'_, '_, 't>, root: Node<'t>, statement: Node<'t>) -> Option<Touched> {
    let outer = Rc::new(code.scope_at(statement));
    let bodies = code.bodies_of(statement, MOST_CALLS)?;
    let mut frame = Frame {
        body: statement,
        scope: outer.clone(),
        meanings: HashMap::new(),
        naturals: Vec::new(),
        own: code.own_of_host().clone(),
        depth: 0,
    };
    let calls_unseen = code.calls_vouched(&bodies);
    let (found, stored_types, names) = (Touched::default(), Vec::new(), RefCell::default());
    let mut parts = Parts { code, root, outer, bodies, calls_unseen, calls: 0, found, stored_types, names };
    parts.visit(statement, &mut frame)?;
    parts.is_steady().then_some(parts.found)?.told()
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

    /// Goes through code.
    fn visit(&mut self, node: Node<'t>, frame: &mut Frame<'t>) -> Option<()> {
        if let Some(place) = assigned(node) {
            self.visit_target(place, frame)?;
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
                None if self.code.is_own_pointer(node, &frame.own) => Some(()),
                None if self.code.is_own_element(node, &frame.own) => self.visit_all(children(node), frame),
                None => self.read(node, frame),
            },
            "sizeof_expression" | "string_literal" | "type_descriptor" => Some(()),
            "identifier" | "field_expression" if self.code.is_scalar(node) => {
                let part = self.scalar(node, frame)?;
                self.add(part)
            }
            "identifier" | "field_expression" if self.code.need_of_value(node) > Need::Nothing => None,
            "field_expression" => self.visit_member(node, frame),
            "gnu_asm_expression" => None,
            "for_statement" => self.visit_for(node, frame),
            "compound_statement" => self.visit_all(children(node), &mut frame.clone()),
            "declaration" => self.visit_declaration(node, frame),
            _ => self.visit_all(children(node), frame),
        }
    }

    /// What leads to a member.
    fn visit_member(&mut self, node: Node<'t>, frame: &mut Frame<'t>) -> Option<()> {
        match node.child_by_field_name("argument").map(strip_parentheses)? {
            argument if argument.kind() == "identifier" => (!self.code.may_be_element(node)).then_some(()),
            _ if self.code.follows_to_record(node) => None,
            argument if argument.kind() == "field_expression" => self.visit_member(argument, frame),
            argument => self.visit(argument, frame),
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
        let place = self.memory(node, frame);
        if place.as_ref().is_some_and(Memory::is_array) {
            return Some(());
        }
        match place.and_then(|place| self.part_of(&place, node, frame)) {
            Some(part) => self.add(part),
            None => {
                self.found.reads_anything = true;
                self.visit_all(children(node), frame)
            }
        }
    }

    /// The part of memory that an element or a row of elements is in, by what leads to it.
    fn part_of(&self, place: &Memory, node: Node, frame: &Frame) -> Option<Part> {
        let plain = place.part(&frame.naturals).filter(|_| self.can_be_found(place, node, frame));
        plain.or_else(|| place.behind(&frame.naturals))
    }

    /// Whether a place can be told before the statement: a pointer in memory that leads to it is looked at then, so the statement
    /// must do so, too.
    fn can_be_found(&self, place: &Memory, node: Node, frame: &Frame) -> bool {
        !place.is_found_in_memory() || frame.depth == 0 && !self.calls_unseen && is_surely_reached(node, frame.body)
    }

    fn add(&mut self, part: Part) -> Option<()> {
        if !self.found.read.contains(&part) {
            self.found.read.push(part);
        }
        self.found.reads_anything |= self.found.read.len() > MOST_PARTS;
        Some(())
    }

    /// The place that an expression names or points to.
    fn memory(&self, node: Node<'t>, frame: &Frame<'t>) -> Option<Memory<'t>> {
        let node = strip_parentheses(node);
        match node.kind() {
            "identifier" => self.named_memory(self.text(node), frame),
            "field_expression" => {
                let ty = frame.scope.type_of(self.unit(), node);
                let ty = ty.filter(|ty| matches!(ty.element(), (CType::Scalar(_), 1..)));
                Some(Memory::new(Code::primary(self.path(node, frame)?), ty))
            }
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
        self.names.borrow_mut().insert(name.to_owned());
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
                let path = format!("{base}->{member}");
                let is_reached = frame.depth == 0 && is_surely_reached(node, frame.body);
                let is_known = is_reached || self.code.follows(&path) || self.is_led_to_for_good(&base);
                Some(path).filter(|_| !self.calls_unseen && is_known)?
            }
            (_, None) => format!("{base}.{member}"),
            _ => return None,
        };
        self.names.borrow_mut().insert(path.clone());
        (!is_changed).then_some(path)
    }

    /// Whether each step of the nest follows a pointer to a structure that the function around the statement never changes.
    fn is_led_to_for_good(&self, pointer: &str) -> bool {
        let is_own = self.outer.variable(pointer).is_some_and(|it| !it.is_static && !it.is_volatile);
        let is_changed = self.function().is_none_or(|function| assignments(self.unit(), function, pointer, None) > 0);
        is_own && !is_changed && self.code.follows_members_of(pointer)
    }

    /// The function around the statement.
    fn function(&self) -> Option<Node<'t>> {
        ancestors(self.root, self.bodies[0]).into_iter().find(|it| it.kind() == "function_definition")
    }

    fn changes_member(&self, body: Node<'t>, member: &str) -> bool {
        nodes_in(body).any(|node| {
            let place = assigned(node).or_else(|| address_of(self.unit(), node));
            let is_it =
                |place: Node| place.child_by_field_name("field").is_some_and(|field| self.text(field) == member);
            place.is_some_and(is_it)
        })
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
        let declarations = nodes_in(body).filter(|inner| inner.kind() == "declaration");
        let names = declarations.flat_map(|it| fields(it, "declarator")).filter_map(declared_identifier);
        names.filter(|it| self.text(*it) == name).count()
    }
}

/// Whether a statement evaluates an expression whatever happens.
fn is_surely_reached(node: Node, statement: Node) -> bool {
    let evaluates = |it: Node| match it.kind() {
        "binary_expression" => it.child_by_field_name("operator").is_some_and(|it| !matches!(it.kind(), "&&" | "||")),
        kind => {
            kind.ends_with("_expression") && kind != "conditional_expression"
                || matches!(kind, "expression_statement" | "declaration" | "init_declarator" | "argument_list")
        }
    };
    evaluates(node) && (node == statement || node.parent().is_some_and(|above| is_surely_reached(above, statement)))
}

#[cfg(test)]
mod tests {
    use crate::front::Part;
    use crate::front::tests::places_behind_sweeps;

    /// The ranges that `code` reads behind the sweeps of a step; none if it may read everything.
    fn parts(before: &str, code: &str) -> Vec<String> {
        let head = "int n, int m, double *a, double *b, double *c, double (*d)[n][m], double **e, struct grid *g, struct grid h";
        let shown = |part: Part| format!("{} {}", part.from, part.to.unwrap_or_default());
        places_behind_sweeps(before, head, code).into_iter().flat_map(|place| place.parts).map(shown).collect()
    }

    #[test]
    fn elements_rows_and_planes_are_ranges() {
        for (code, expected) in [
            ("s += a[3];", "&a[3] &a[4]"),
            ("s += e[k][2];", "&e[k][2] &e[k][3]"),
            ("s += k ? e[1][2] : 0;", "&e[1][2] &e[1][3]"),
            ("double q = k ? e[1][2] : 0;", "&e[1] &e[1] + 1"),
            ("for (int j = 0; j < m; j++) s += e[m][j];", "&e[m] &e[m] + 1"),
            ("for (int i = 0; i < n; i++) s += e[i][m - 1];", "&e[0] &e[n - 1] + 1"),
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
            ("s += g->u[1];", "&g->u[1] &g->u[2]"),
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
            "for (;;) { s += g->u[1]; break; }",
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
