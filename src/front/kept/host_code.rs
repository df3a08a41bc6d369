//! What the host's own code between steps does to the arrays of a nest.
//!
//! Nothing is known of where pointers lead, so code counts as harmless only if it follows none: it computes with variables, and
//! calls functions of which the same can be seen, or that are known to reach no memory but what they are given for that. What
//! reads through pointers needs the arrays; what stores through them, or calls what cannot be seen, may do anything.

use tree_sitter::Node;

use super::parts::parts_of;
use super::program::Program;
use super::step::Step;
use super::{Asks, Need, Place};
use crate::front::Failable;
use crate::front::calls::is_known_to_nests;
use crate::front::declarations::has_word;
use crate::front::pragma::{Reach, Vouched};
use crate::front::tree::{
    Unit, address_of, assigned, children, declared_identifier, fields, mentions, strip_parentheses, walk,
};
use crate::ir::{Expr, ExprKind, Handle, HostValue, Nest, ParamValue, ScalarType, Selector};
use crate::source::Diagnostic;

/// Functions look into functions so deep.
pub const MAX_DEPTH: usize = 12;

/// Functions of libraries that reach no array of numbers: they write text, look at the clock, or end the program at once.
const HARMLESS: &[&str] = &[
    "abort",
    "abs",
    "__assert_fail",
    "atof",
    "atoi",
    "clock",
    "clock_gettime",
    "difftime",
    "drand48",
    "fclose",
    "fdopen",
    "feof",
    "ferror",
    "fflush",
    "fgetc",
    "fileno",
    "fopen",
    "fprintf",
    "fputc",
    "fputs",
    "fseek",
    "ftell",
    "getc",
    "getchar",
    "getenv",
    "getpid",
    "getrusage",
    "gettimeofday",
    "isatty",
    "labs",
    "lrand48",
    "mkdir",
    "MPI_Wtime",
    "nanosleep",
    "omp_get_max_threads",
    "omp_get_num_devices",
    "omp_get_num_procs",
    "omp_get_num_threads",
    "omp_get_thread_num",
    "omp_get_wtime",
    "omp_set_dynamic",
    "omp_set_num_threads",
    "pclose",
    "perror",
    "popen",
    "printf",
    "putc",
    "putchar",
    "puts",
    "rand",
    "random",
    "remove",
    "rename",
    "rewind",
    "sched_yield",
    "sleep",
    "snprintf",
    "sprintf",
    "srand",
    "srand48",
    "srandom",
    "strcmp",
    "strlen",
    "strncmp",
    "system",
    "time",
    "times",
    "usleep",
    "vprintf",
];

/// Functions of libraries that read what they are given.
pub const READING: &[&str] = &["fwrite", "memcmp", "write"];

/// What is known of a nest's arrays.
pub struct HostCode<'p, 's, 't> {
    program: &'p Program<'p, 's, 't>,
    /// Variables that lead to arrays.
    bases: Vec<String>,
    /// Variables of which arrays are parts.
    wholes: Vec<String>,
    /// Those of them that are pointers.
    pointers: Vec<String>,
    /// What the nest itself follows or is given, as it is written, and its type if it is a number.
    values: Vec<(String, Option<ScalarType>)>,
    /// Whether elements of its arrays may be members of structures, to which pointers lead.
    has_records: bool,
    /// Names of what leads to buffers, and whether that is where they begin.
    buffers: Vec<(String, bool)>,
    vouched: &'p [Vouched],
    root: Node<'t>,
}

/// Variables of a function that are arrays, and not the caller's.
pub type OwnArrays = Vec<String>;

impl<'p, 's, 't> HostCode<'p, 's, 't> {
    /// Of the nest's arrays.
    pub fn new(program: &'p Program<'p, 's, 't>, root: Node<'t>, nest: &Nest, vouched: &'p [Vouched]) -> Self {
        let (mut bases, mut wholes, mut pointers) = (Vec::new(), Vec::new(), Vec::new());
        let values = nest.arrays.iter().flat_map(|(_, array)| &array.buffers).map(|buffer| buffer.variable);
        for value in values.collect::<Vec<Handle<HostValue>>>() {
            let HostValue { variable, path } = &nest.values[value];
            let is_part = path.iter().any(|selector| !matches!(selector, Selector::Dereference));
            if is_part { &mut wholes } else { &mut bases }.push(variable.name.clone());
            if path.first() == Some(&Selector::Dereference) {
                pointers.push(variable.name.clone());
            }
        }
        let numbers = nest.params.iter().filter_map(|(_, param)| match param.value {
            ParamValue::Variable(value) => Some((nest.values.text(value).to_owned(), Some(param.ty))),
            ParamValue::Expression { .. } | ParamValue::IsSet { .. } => None,
        });
        let buffers = nest.arrays.iter().flat_map(|(_, array)| &array.buffers);
        let buffers = buffers.map(|buffer| (nest.values.text(buffer.variable).to_owned(), None));
        let is_one = |stride: &Handle<Expr>| matches!(nest.exprs[*stride].kind, ExprKind::Int(1));
        let has_records = nest.arrays.iter().any(|(_, array)| !array.strides.last().is_some_and(is_one));
        let values = numbers.chain(buffers).collect();
        let buffers = nest.arrays.iter().flat_map(|(_, array)| &array.buffers);
        let buffers = buffers.map(|buffer| (nest.values.text(buffer.variable).to_owned(), buffer.offset.is_none()));
        Self { program, bases, wholes, pointers, values, has_records, buffers: buffers.collect(), vouched, root }
    }

    /// The text.
    pub fn unit(&self) -> &'p Unit<'s> {
        self.program.unit
    }

    /// The program's functions.
    pub fn program(&self) -> &'p Program<'p, 's, 't> {
        self.program
    }

    /// What the user vouches for of a function.
    pub fn vouched(&self, function: &str) -> Option<&'p Vouched> {
        self.vouched.iter().find(|it| it.function == function)
    }

    /// Whether code calls functions for which the user vouches.
    pub fn calls_vouched(&self, bodies: &[Node]) -> bool {
        let mut found = false;
        for body in bodies {
            walk(*body, &mut |node| {
                let called = (node.kind() == "call_expression").then(|| self.program.called(node)).flatten();
                found |= called.is_some_and(|name| self.vouched(name).is_some());
                !found
            });
        }
        found
    }

    /// Whether a name leads to one array of the nest, and not to several buffers.
    pub fn is_plain(&self, array: &str) -> bool {
        let named: Vec<_> = self.buffers.iter().filter(|(name, _)| name == array).collect();
        matches!(named.as_slice(), [(_, true)])
    }

    /// A function that code calls and that cannot be seen.
    pub fn unseen(&self, code: Node<'t>) -> Option<String> {
        let mut found = None;
        for body in self.bodies_of(code, usize::MAX)? {
            walk(body, &mut |node| {
                let called = (node.kind() == "call_expression").then(|| self.program.called(node)).flatten();
                let is_known = |name: &&str| {
                    self.program.definition(name).is_some()
                        || self.vouched(name).is_some()
                        || is_known_to_nests(name)
                        || READING.contains(name)
                        || HARMLESS.contains(name)
                };
                found = found.take().or(called.filter(|name| !is_known(name)).map(str::to_owned));
                found.is_none()
            });
        }
        found
    }

    /// Whether the file takes the address of a variable of that name.
    pub fn takes_address(&self, name: &str) -> bool {
        self.program.unit.takes_address(self.root, name)
    }

    /// Whether each step of the nest follows the pointers of a path of members.
    pub fn follows(&self, path: &str) -> bool {
        self.values.iter().any(|(value, _)| value == path)
    }

    /// The type of a number that the nest is given, as it is written.
    pub fn type_of(&self, path: &str) -> Option<ScalarType> {
        self.values.iter().find(|(value, _)| value == path)?.1
    }

    /// A statement, and the bodies of all functions that it may call; `None` if they are too many.
    pub fn bodies_of(&self, statement: Node<'t>, most: usize) -> Option<Vec<Node<'t>>> {
        let mut bodies = vec![statement];
        let mut next = 0;
        while let Some(body) = bodies.get(next).copied() {
            next += 1;
            walk(body, &mut |node| {
                let called = (node.kind() == "call_expression").then(|| self.program.called(node)).flatten();
                let called = called.filter(|name| self.vouched(name).is_none());
                bodies.extend(called.and_then(|name| self.program.body(name)).filter(|it| !bodies.contains(it)));
                true
            });
            if bodies.len() > most {
                return None;
            }
        }
        Some(bodies)
    }

    /// The statements of the loop `outer` before which arrays are needed.
    ///
    /// # Errors
    /// Code at a place where nothing can be put before it needs arrays, or jumps to a label.
    pub fn places(&self, outer: Node<'t>, step: &Step) -> Failable<Vec<Place>> {
        let mut places = Vec::new();
        self.check_jumps(outer)?;
        self.visit_loop(outer, step, &mut places)?;
        Ok(places)
    }

    fn check_jumps(&self, outer: Node) -> Failable<()> {
        let mut jump = None;
        walk(outer, &mut |node| {
            if matches!(node.kind(), "goto_statement" | "labeled_statement" | "gnu_asm_expression") {
                jump = jump.or(Some(node));
            }
            jump.is_none()
        });
        let Some(jump) = jump else { return Ok(()) };
        let message = "the host keeps this loop, and where control goes from here cannot be told";
        let error = Diagnostic::error("kept-step", message, self.program.unit.span(jump));
        Err(Box::new(error.with_help("write it without `goto`, labels and `asm`")))
    }

    /// Goes through a loop that the step is in.
    fn visit_loop(&self, node: Node<'t>, step: &Step, places: &mut Vec<Place>) -> Failable<()> {
        for field in ["initializer", "condition", "update"] {
            let Some(part) = node.child_by_field_name(field) else { continue };
            if self.need_of_host(part) > Need::Nothing {
                return Err(self.needy_head(part));
            }
        }
        match node.child_by_field_name("body") {
            Some(body) => self.visit(body, step, true, &mut Need::default(), places),
            None => Ok(()),
        }
    }

    /// Refuses a head of a loop that reads what may be in arrays.
    fn needy_head(&self, part: Node) -> Box<Diagnostic> {
        let mut followed = None;
        walk(part, &mut |node| {
            let is_followed = node.kind() == "pointer_expression" && address_of(self.program.unit, node).is_none();
            followed = followed.or(is_followed.then_some(node));
            true
        });
        let (message, span, help) = match followed {
            Some(place) => (
                format!(
                    "the host keeps this loop, and `{}` in its head may be an element of an array",
                    self.program.text(place)
                ),
                self.program.unit.span(place),
                "copy it into a variable before the loop, or where it changes, and test that",
            ),
            None => (
                "the host keeps this loop, and its head needs elements of arrays".to_owned(),
                self.program.unit.span(part),
                "compute it into a variable at the end of the loop's body",
            ),
        };
        Box::new(Diagnostic::error("kept-step", message, span).with_help(help))
    }

    /// Goes through a statement; `known` is what the driver has brought since the last step.
    fn visit(
        &self,
        node: Node<'t>,
        step: &Step,
        is_alone: bool,
        known: &mut Need,
        places: &mut Vec<Place>,
    ) -> Failable<()> {
        if step.has(node) {
            *known = Need::Nothing;
            return Ok(());
        }
        let has_step = step.is_in(node);
        match node.kind() {
            // All threads of a team would do what is put in there.
            _ if !has_step && self.program.unit.has_construct_above(node) => {}
            "compound_statement" => {
                for child in children(node) {
                    self.visit(child, step, false, known, places)?;
                }
                return Ok(());
            }
            "for_statement" | "while_statement" | "do_statement" if has_step => {
                self.visit_loop(node, step, places)?;
                *known = Need::Nothing;
                return Ok(());
            }
            "if_statement" => {
                let condition = node.child_by_field_name("condition");
                let need = condition.map_or(Need::Nothing, |condition| self.need_of_host(condition));
                if need < Need::All {
                    if let Some(condition) = condition.filter(|_| need > *known) {
                        self.add_place(step, (node, condition), (Need::Read, is_alone, false), known, places);
                    }
                    let then = node.child_by_field_name("consequence");
                    let otherwise =
                        node.child_by_field_name("alternative").and_then(|it| children(it).first().copied());
                    for branch in then.into_iter().chain(otherwise) {
                        self.visit(branch, step, true, &mut known.clone(), places)?;
                    }
                    return Ok(());
                }
            }
            _ => {}
        }
        let returns = returns(node);
        let need = if returns { Need::All } else { self.need_of_host(node) };
        if need > *known {
            self.add_place(step, (node, node), (need, is_alone, returns), known, places);
        }
        Ok(())
    }

    /// Something is put before the statement `before`, in which `code` needs arrays.
    fn add_place(
        &self,
        step: &Step,
        (before, code): (Node<'t>, Node<'t>),
        (need, is_alone, returns): (Need, bool, bool),
        known: &mut Need,
        places: &mut Vec<Place>,
    ) {
        let parts = if need == Need::Read { parts_of(self, self.root, code) } else { None };
        if parts.is_none() {
            *known = need;
        }
        if parts.as_ref().is_none_or(|parts| !parts.is_empty()) {
            let span = self.program.unit.statement_span(before.start_byte(), before.end_byte());
            let unseen = if need == Need::All { self.unseen(code) } else { None };
            let parts = parts.unwrap_or_default();
            let is_within = step.is_behind_leg(before);
            places.push(Place { span, need, is_alone, returns, parts, asks: Asks::Nothing, unseen, is_within });
        }
    }

    /// What code of the function around the loop needs.
    pub fn need_of_host(&self, node: Node) -> Need {
        self.need(node, &OwnArrays::new(), 0)
    }

    /// What code needs. `own` are arrays of the function that it is in.
    fn need(&self, node: Node, own: &OwnArrays, depth: usize) -> Need {
        if let Some(place) = assigned(node) {
            let value = node.child_by_field_name("right").map_or(Need::Nothing, |right| self.need(right, own, depth));
            return value.max(self.need_to_store(place, own, depth));
        }
        let inner =
            |node: Node| children(node).into_iter().map(|child| self.need(child, own, depth)).max().unwrap_or_default();
        match node.kind() {
            "call_expression" => self.need_of_call(node, own, depth),
            "subscript_expression" if self.is_own_array(node, own) => inner(node),
            "subscript_expression" => inner(node).max(Need::Read),
            "pointer_expression" => match address_of(self.program.unit, node) {
                Some(place) if is_variable(place) => Need::Nothing,
                Some(place) if self.is_own_array(place, own) => inner(place),
                Some(_) => Need::All,
                None => inner(node).max(Need::Read),
            },
            "sizeof_expression" | "string_literal" | "type_descriptor" => Need::Nothing,
            "gnu_asm_expression" => Need::All,
            "field_expression" => match node.child_by_field_name("argument").map(strip_parentheses) {
                Some(argument) if argument.kind() == "identifier" => {
                    if self.may_be_element(node) {
                        Need::Read
                    } else {
                        Need::Nothing
                    }
                }
                Some(argument) => self.need(argument, own, depth),
                None => Need::All,
            },
            "identifier" if self.wholes.iter().any(|whole| whole == self.program.text(node)) => Need::All,
            _ => inner(node),
        }
    }

    fn need_to_store(&self, place: Node, own: &OwnArrays, depth: usize) -> Need {
        match place.kind() {
            "identifier" if self.wholes.iter().any(|whole| whole == self.program.text(place)) => Need::All,
            _ if is_variable(place) => {
                if self.may_be_element(place) {
                    Need::All
                } else {
                    Need::Nothing
                }
            }
            "subscript_expression" if self.is_own_array(place, own) => {
                children(place).into_iter().map(|child| self.need(child, own, depth)).max().unwrap_or_default()
            }
            _ => Need::All,
        }
    }

    fn need_of_call(&self, call: Node, own: &OwnArrays, depth: usize) -> Need {
        let arguments = call.child_by_field_name("arguments").map(children).unwrap_or_default();
        let is_base = |it: &Node| {
            self.bases.iter().chain(&self.wholes).any(|base| base == self.program.text(strip_parentheses(*it)))
        };
        let given = || arguments.iter().map(|it| self.need(*it, own, depth)).max().unwrap_or_default();
        let passed = || arguments.iter().map(|it| self.need_of_argument(*it, own, depth)).max().unwrap_or_default();
        let Some(name) = self.program.called(call) else { return Need::All };
        if let Some(vouched) = self.vouched(name) {
            return match vouched.reach {
                Reach::Nothing => passed(),
                Reach::Reads => passed().max(Need::Read),
                Reach::Writes => Need::All,
            };
        }
        match self.program.body(name) {
            Some(body) if depth < MAX_DEPTH => passed().max(self.need(body, &self.own_arrays(body), depth + 1)),
            Some(_) => Need::All,
            None if self.program.defines(name) => Need::All,
            None if is_known_to_nests(name) => given(),
            None if READING.contains(&name) => passed().max(Need::Read),
            None if HARMLESS.contains(&name) && !arguments.iter().any(is_base) => given(),
            None => Need::All,
        }
    }

    /// What is needed to pass a value to a function that can be seen: addresses of elements and of structures read nothing.
    fn need_of_argument(&self, argument: Node, own: &OwnArrays, depth: usize) -> Need {
        let argument = strip_parentheses(argument);
        let passed = |nodes: Vec<Node>| {
            nodes.into_iter().map(|it| self.need_of_argument(it, own, depth)).max().unwrap_or_default()
        };
        match address_of(self.program.unit, argument) {
            Some(place) if place.kind() == "subscript_expression" => passed(children(place)),
            _ if argument.kind() == "binary_expression" => passed(children(argument)),
            _ if self.pointers.iter().any(|pointer| pointer == self.program.text(argument)) => Need::Nothing,
            _ => self.need(argument, own, depth),
        }
    }

    /// The arrays that a function's body declares for each of its calls. Their names mean nothing else in it: they are declared
    /// once, in its outermost block, and not used before.
    pub fn own_arrays(&self, body: Node) -> OwnArrays {
        let mut declared = Vec::new();
        walk(body, &mut |node| {
            if node.kind() == "declaration" {
                declared.extend(fields(node, "declarator").into_iter().filter_map(|it| self.declared_name(it)));
            }
            true
        });
        let is_once = |name: &&str| declared.iter().filter(|other| *other == name).count() == 1;
        let mut found = Vec::new();
        for declaration in children(body).into_iter().filter(|child| child.kind() == "declaration") {
            let before = children(body).into_iter().take_while(|child| child.start_byte() < declaration.start_byte());
            let before: Vec<_> = before.collect();
            let is_new = |name: &&str| !before.iter().any(|it| mentions(self.program.unit, *it, name));
            let is_automatic = !has_word(self.program.unit, declaration, "storage_class_specifier", "static")
                && !has_word(self.program.unit, declaration, "storage_class_specifier", "extern");
            let arrays = fields(declaration, "declarator").into_iter().filter(|it| is_automatic && is_array(*it));
            let names = arrays.filter_map(|it| self.declared_name(it)).filter(is_once).filter(is_new);
            found.extend(names.map(str::to_owned));
        }
        found
    }

    /// The variable that a declarator declares, with or without a value.
    fn declared_name(&self, declarator: Node) -> Option<&'p str> {
        Some(self.program.text(declared_identifier(declarator)?))
    }

    /// Whether `p->x` may be an element of an array of the nest's.
    pub fn may_be_element(&self, place: Node) -> bool {
        let mut here = strip_parentheses(place);
        let mut follows = false;
        while here.kind() == "field_expression"
            && let Some(inner) = here.child_by_field_name("argument")
        {
            follows |= here.child_by_field_name("operator").is_some_and(|it| self.program.text(it) == "->");
            here = strip_parentheses(inner);
        }
        follows && self.has_records
    }

    /// Whether an element is one of an array of the function's own.
    pub fn is_own_array(&self, element: Node, own: &OwnArrays) -> bool {
        let mut here = strip_parentheses(element);
        while here.kind() == "subscript_expression"
            && let Some(inner) = here.child_by_field_name("argument")
        {
            here = strip_parentheses(inner);
        }
        here.kind() == "identifier" && own.iter().any(|name| name == self.program.text(here))
    }
}

/// Whether a declarator, with or without a value, is one of an array, and not of a pointer to one.
fn is_array(declarator: Node) -> bool {
    let inner = declarator.child_by_field_name("declarator").filter(|_| declarator.kind() == "init_declarator");
    let declarator = inner.unwrap_or(declarator);
    let mut here = declarator;
    while here.kind() == "array_declarator"
        && let Some(inner) = here.child_by_field_name("declarator")
    {
        here = inner;
    }
    here.kind() == "identifier" && here != declarator
}

/// Whether a function of a library reaches no array of numbers.
pub fn is_harmless(name: &str) -> bool {
    HARMLESS.contains(&name)
}

/// Whether a place is a variable or a member of one, to which no pointer or subscript leads but one of a structure.
pub fn is_variable(place: Node) -> bool {
    let mut here = strip_parentheses(place);
    while here.kind() == "field_expression"
        && let Some(inner) = here.child_by_field_name("argument")
    {
        here = strip_parentheses(inner);
    }
    here.kind() == "identifier"
}

/// Whether a statement may return from the function.
fn returns(node: Node) -> bool {
    let mut found = false;
    walk(node, &mut |inner| {
        found |= inner.kind() == "return_statement";
        !found
    });
    found
}

#[cfg(test)]
mod tests {
    use crate::front::Need;
    use crate::front::tests::{function, needs};

    /// What `code` needs behind the sweeps of a step; `before` stands before the function.
    fn need(before: &str, code: &str) -> Vec<Need> {
        let sweeps = "for (int i = 1; i < n - 1; i++) b[i] = a[i - 1]; for (int i = 1; i < n - 1; i++) a[i] = b[i];";
        let body = format!(
            "double s = 0; int k = 0;\n#pragma stencil\nwhile (k < n) {{ k += 1 + k % 2;\n{sweeps}\n{code}\n}}"
        );
        needs(&(before.to_owned() + &function("int n, double *a, double *b, double *c", &body)))
    }

    const OUTPUT: &str = "#include <stdio.h>\n";

    #[test]
    fn what_follows_no_pointer_needs_nothing() {
        for code in [
            "printf(\"%d\\n\", k);",
            "if (s > 1) break;",
            "s = s * 2; k++;",
            "fflush(stdout);",
            "rewind(stdout); fseek(stdout, 0, SEEK_SET);",
            "{ double *d = c; c = d; }",
        ] {
            assert_eq!(need(OUTPUT, code), [], "{code}");
        }
    }

    #[test]
    fn what_reads_elements_needs_them() {
        for code in [
            "s += a[3];",
            "s += *c;",
            "printf(\"%g\", b[k]);",
            "if (k == 3) for (int i = 0; i < n; i++) s += c[i];",
            "fwrite(a, 8, 3, stdout);",
        ] {
            assert_eq!(need(OUTPUT, code), [Need::Read], "{code}");
        }
        assert_eq!(need(OUTPUT, "if (k == 4) s = a[1]; s += b[2];"), [Need::Read, Need::Read]);
    }

    #[test]
    fn what_may_do_anything_ends_the_recording() {
        for code in ["a[3] = rand();", "*c = s;", "(*c)++;", "return;", "report(a);", "free(a);", "s = c == &a[1];"] {
            assert_eq!(need("void report(double *);\n#include <stdlib.h>\n", code), [Need::All], "{code}");
        }
    }

    #[test]
    fn functions_are_looked_into() {
        let of =
            |body: &str| need(&format!("double *w; static double g(double *p, int k) {{ {body} }}\n"), "s += g(c, k);");
        assert_eq!(of("return k * 0.5;"), []);
        assert_eq!(of("double v[3]; v[0] = k; return v[0];"), []);
        assert_eq!(of("return p[k];"), [Need::Read]);
        assert_eq!(of("double v[3]; v[0] = p[k]; return v[0];"), [Need::Read]);
        assert_eq!(of("p[k] = 1; return 0;"), [Need::All]);
        assert_eq!(of("static double v[3]; v[0] = k; return v[0];"), [Need::All]);
    }

    #[test]
    fn names_of_own_arrays_mean_nothing_else() {
        let of =
            |body: &str| need(&format!("double *w; static double g(double *p, int k) {{ {body} }}\n"), "s += g(c, k);");
        assert_eq!(of("{ double w[3]; w[0] = k; } w[1] = k; return 0;"), [Need::All]);
        assert_eq!(of("w[1] = k; double w[3]; w[0] = k; return w[0];"), [Need::All]);
        assert_eq!(of("double w[3]; w[0] = k; { double *w = p; w[0] = k; } return w[0];"), [Need::All]);
    }
}
