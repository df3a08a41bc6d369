//! Calls of the program's own functions: the body of the callee is read where the call stands, in its own scope, with its
//! parameters bound to the caller's values.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use tree_sitter::Node;

use super::Failable;
use super::declarations::{Scope, has_word};
use super::exits::Exit;
use super::expressions::Value;
use super::file_names::FileNames;
use super::file_tree::Definitions;
use super::function_pointers::Callee;
use super::qualifiers::Qualifiers;
use super::reader::Reader;
use super::syntax::check_syntax;
use super::tree::{Shared, ancestors, children, defined_name, nodes_in, parameter_list, strip_parentheses};
use super::types::CType;
use crate::ir::{Expr, Handle, HostValue};
use crate::source::{Diagnostic, Span};

/// A call that is being read.
pub struct Frame<'t> {
    /// The definition of the called function.
    pub definition: Node<'t>,
    /// The call in the user's file; empty if it stands elsewhere.
    pub call: Span,
    /// What names mean where the call stands.
    pub caller: Scope<'t>,
    /// How many conditions stand around the call.
    pub conditions: usize,
    /// How many loops stand around the call.
    pub loops: usize,
    /// The values of the `return` statements read so far, with all conditions around each.
    pub returned: Vec<(Vec<Handle<Expr>>, Value<'t>)>,
}

/// What the file defines, and what names mean in it.
#[derive(Default)]
pub struct Functions<'t> {
    /// Those of all files; found when the first call is read.
    definitions: Option<Rc<Definitions<'t>>>,
    /// What names mean at the start of a body, by where it starts.
    scopes: BTreeMap<usize, Scope<'t>>,
    /// What the names of files mean, by where these start; those that files share are the same.
    pub names: BTreeMap<usize, Rc<FileNames<'t>>>,
    /// Where the variables are declared first that files share, if that has been asked.
    pub shared: Option<Rc<Shared>>,
    /// Whether a function of another file than that of the nest has been read.
    pub are_of_several_files: bool,
    /// The file-scope names of the program's other files, the last one first, and of the file of the nest where it stands; found
    /// when that matters.
    pub files: Vec<Scope<'t>>,
    /// What the file's declarations say of its variables.
    pub qualifiers: OnceCell<BTreeMap<String, Qualifiers>>,
    /// Where variables of these names get values: what assigns to them, and what declares them with a value.
    pub values: OnceCell<BTreeMap<String, Vec<Range<usize>>>>,
}

impl<'t> Reader<'_, '_, 't> {
    /// The definition of the function that `name` stands for at the present place, if the program has it.
    pub fn definition(&mut self, name: &str) -> Option<Node<'t>> {
        let variable = self.scope.variable(name).filter(|variable| matches!(variable.ty, CType::Function(_)))?;
        let declared_at = variable.declared_at;
        let found = self.defined_at(name, declared_at)?;
        // A function within a function may hide it; a prototype there does not.
        let all = self.functions.definitions.iter().flat_map(|it| it.values()).flatten();
        let mut around = all.filter(|it| it.byte_range().contains(&declared_at));
        let hides = |it: &Node<'t>| {
            let body = it.child_by_field_name("body").filter(|body| body.byte_range().contains(&declared_at));
            body.is_some_and(|body| self.defines_within(body, name))
        };
        (!around.any(hides)).then_some(found)
    }

    /// Whether a function is defined within the body of another.
    fn defines_within(&self, body: Node<'t>, name: &str) -> bool {
        let mut inner = nodes_in(body).filter(|node| node.kind() == "function_definition");
        inner.any(|inner| defined_name(self.unit, inner) == Some(name))
    }

    /// The definition of the function that the file-scope name `name` stands for at `place`.
    pub fn defined_at(&mut self, name: &str, place: usize) -> Option<Node<'t>> {
        let known = self.functions.definitions.get_or_insert_with(|| self.file.definitions(self.unit));
        let all = known.get(name)?;
        let here = self.unit.section(place);
        let is_static = |it: &Node<'t>| has_word(self.unit, *it, "storage_class_specifier", "static");
        let own = all.iter().find(|it| here.contains(&it.start_byte()));
        own.or_else(|| all.iter().find(|it| !is_static(it))).copied()
    }

    /// Executes the body of `definition` for the call `node`; `None` if it returns nothing.
    pub fn own_call(&mut self, node: Node<'t>, definition: Node<'t>) -> Failable<Option<Value<'t>>> {
        let name = defined_name(self.unit, definition).unwrap_or_default();
        if self.is_being_called(definition) {
            let message = format!("`{name}` calls itself");
            return self.refuse(node, "unsupported-call", message, "write the recursion as a loop");
        }
        check_syntax(self.unit, definition)?;
        self.check_directives(definition)?;
        let arguments = self.field(node, "arguments")?;
        let arguments = children(arguments);
        let parameters = self.parameters(node, definition, arguments.len())?;
        let mut values = Vec::with_capacity(arguments.len());
        for argument in &arguments {
            let value = self.value(*argument)?;
            self.note_row_lengths(*argument, &value);
            values.push((value, *argument));
        }
        let caller = self.enter_function(definition);
        let (conditions, loops) = (self.conditions.len(), self.loops.len());
        let call = self.unit.span(node);
        self.frames.push(Frame { definition, call, caller, conditions, loops, returned: Vec::new() });
        let result = self.bind_parameters(&parameters, values).and_then(|()| self.body(definition));
        let Some(frame) = self.frames.pop() else { return Ok(None) };
        let result = result.and_then(|()| self.returned(node, &frame));
        for parameter in &parameters {
            if let Some(value) = self.host_value(parameter) {
                self.forget(value);
            }
        }
        self.leave_function(definition, frame.caller);
        result.map_err(|error| self.called_from(node, definition, name, error))
    }

    /// Executes a call within an expression, whose parts C evaluates in any order: it may change nothing.
    pub fn call_for_value(&mut self, node: Node<'t>, definition: Node<'t>) -> Failable<Value<'t>> {
        let before = (self.nest.step.statements.len(), self.copies.len(), self.bindings.clone());
        let value = self.own_call(node, definition)?;
        let changes = |reader: &Self| {
            let is_named = |(value, _): &(&Handle<HostValue>, _)| !reader.is_unnamed(**value);
            !reader.bindings.iter().filter(is_named).eq(before.2.iter().filter(is_named))
        };
        if (self.nest.step.statements.len(), self.copies.len()) != (before.0, before.1) || changes(self) {
            let message = "a function that changes variables or array elements is called within an expression";
            return self.refuse(node, "unsupported-call", message, "call it in a statement of its own");
        }
        self.returned_value(node, value)
    }

    fn returned_value(&self, node: Node<'t>, value: Option<Value<'t>>) -> Failable<Value<'t>> {
        match value {
            Some(value) => Ok(value),
            None => self.refuse(node, "syntax", "this function returns nothing", "call it as a statement"),
        }
    }

    /// The value of a whole expression, to which nothing is added: a function that it calls may change what it likes.
    pub fn whole_value(&mut self, node: Node<'t>) -> Failable<Value<'t>> {
        let inner = strip_parentheses(node);
        let function = inner.child_by_field_name("function").filter(|_| inner.kind() == "call_expression");
        match function.and_then(|function| self.found_callee(function)) {
            Some(Callee::Own(definition)) => {
                let value = self.own_call(inner, definition)?;
                self.returned_value(inner, value)
            }
            _ => self.value(node),
        }
    }

    /// Where the function around the nest begins.
    pub fn function_start(&self) -> usize {
        self.enclosing_function().unwrap_or(self.node).start_byte()
    }

    /// The innermost call around the present place that stands in the user's file.
    pub fn visible_call(&self) -> Option<Span> {
        self.frames.iter().rev().map(|frame| frame.call).find(|call| call.end > 0)
    }

    /// Says by which call the nest gets to the place of an error.
    fn called_from(&self, node: Node<'t>, definition: Node<'t>, name: &str, error: Box<Diagnostic>) -> Box<Diagnostic> {
        let span = self.span(node);
        if let Some((file, _)) = self.unit.file_at(definition.start_byte())
            && !error.message.contains("in `")
        {
            let message = format!("in `{name}` of {}: {}", file.path.display(), error.message);
            return Box::new(Diagnostic { message, ..*error });
        }
        if error.primary.span == span || error.secondary.iter().any(|label| label.span == span) {
            return error;
        }
        Box::new(error.with_label(span, format!("in this call of `{name}`")))
    }

    /// The names of the parameters of `definition`, which `node` gives `count` arguments.
    fn parameters(&self, node: Node<'t>, definition: Node<'t>, count: usize) -> Failable<Vec<String>> {
        let list = definition.child_by_field_name("declarator").and_then(parameter_list);
        let list = list.map(children).unwrap_or_default();
        let is_void = |parameter: &Node| self.text(*parameter).trim() == "void";
        let mut names = Vec::new();
        for parameter in list.iter().filter(|parameter| !is_void(parameter)) {
            let declarator = parameter.child_by_field_name("declarator").unwrap_or(*parameter);
            match super::tree::declared_identifier(declarator) {
                Some(name) => names.push(self.text(name).to_owned()),
                None => {
                    let help = "write its body in place, or give it parameters that all have names";
                    return self.refuse(node, "unsupported-call", "this function cannot be read here", help);
                }
            }
        }
        if names.len() != count {
            let message = format!("the function takes {} argument(s) and gets {count}", names.len());
            return self.refuse(node, "syntax", message, "call it as it is defined");
        }
        Ok(names)
    }

    /// What names mean in the body of `definition`.
    fn scope_within(&mut self, definition: Node<'t>) -> Scope<'t> {
        if let Some(scope) = self.functions.scopes.remove(&definition.start_byte()) {
            return scope;
        }
        let (Some(root), Some(body)) = (self.ancestors.last(), definition.child_by_field_name("body")) else {
            return Scope::default();
        };
        let (root, place) = (*root, body.start_byte());
        let names = self.names_of_file(place);
        let mut scope = Scope::within(names, self.unit, &ancestors(root, body), place);
        if self.unit.file_at(place).is_some() {
            scope.share(&self.shared());
        }
        scope.take_inside(definition);
        scope
    }

    /// Numbers first: the lengths of rows are made of them.
    fn bind_parameters(&mut self, names: &[String], values: Vec<(Value<'t>, Node<'t>)>) -> Failable<()> {
        let is_number = |value: &Value| matches!(value, Value::Scalar(_));
        let pairs = || names.iter().zip(&values);
        let (numbers, others): (Vec<_>, Vec<_>) = pairs().partition(|(_, (value, _))| is_number(value));
        for (name, (value, node)) in numbers.into_iter().chain(others) {
            let Some(parameter) = self.host_value(name) else { continue };
            let ty = self.declaration_of(parameter).map(|it| it.ty.clone());
            if let Some(ty) = ty {
                self.note_lengths_of(&ty);
            }
            self.declared_in.insert(parameter, self.loops.len());
            self.bind(*node, parameter, value.clone(), self.span(*node))?;
        }
        Ok(())
    }

    fn body(&mut self, definition: Node<'t>) -> Failable<()> {
        let body = self.field(definition, "body")?;
        let mark = self.scope.enter();
        let result = self.within(Exit::Function, |reader| reader.statements(&children(body)));
        self.leave_scope(mark);
        result
    }

    /// Whether a function is being read whose call is not over.
    pub fn is_being_called(&self, definition: Node<'t>) -> bool {
        self.frames.iter().any(|frame| frame.definition == definition)
    }

    /// Runs `read` with the names of the body of `definition`.
    pub fn inside(&mut self, definition: Node<'t>, read: impl FnOnce(&mut Self)) {
        let outer = self.enter_function(definition);
        read(self);
        self.leave_function(definition, outer);
    }

    /// Lets names mean what they do in the body of `definition`; returns what they meant before.
    fn enter_function(&mut self, definition: Node<'t>) -> Scope<'t> {
        let scope = self.scope_within(definition);
        std::mem::replace(&mut self.scope, scope)
    }

    fn leave_function(&mut self, definition: Node<'t>, outer: Scope<'t>) {
        let scope = std::mem::replace(&mut self.scope, outer);
        self.functions.scopes.insert(definition.start_byte(), scope);
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{read_all, refusal};
    use crate::ir::Nest;

    /// A nest with `body`, behind `definitions`.
    fn text(definitions: &str, body: &str) -> String {
        format!(
            "{definitions}\nvoid f(int n, int steps, double *a, double *b, double *c)\n{{\n#pragma stencil\n\
             for (int t = 0; t < steps; t++) {{ {body} }}\n}}\n"
        )
    }

    /// What such a nest reads as, with the names of parameters and locals made equal to those of the body in place.
    fn statements(definitions: &str, body: &str) -> Vec<String> {
        let nests = read_all(&text(definitions, body));
        let nest: &Nest = nests[0].as_ref().unwrap_or_else(|errors| panic!("{errors:?}"));
        nest.to_string().lines().filter(|line| line.starts_with('[')).map(str::to_owned).collect()
    }

    const STEP: &str = "static void step(double *to, const double *from, int m)
        { int i; for (i = 1; i < m - 1; i++) to[i] = from[i - 1] + from[i + 1]; }";

    fn in_place(to: &str, from: &str) -> String {
        format!("for (int i = 1; i < n - 1; i++) {to}[i] = {from}[i - 1] + {from}[i + 1];")
    }

    #[test]
    fn a_call_is_the_body_in_place() {
        let expected = statements("", &(in_place("b", "a") + &in_place("a", "b")));
        assert_eq!(statements(STEP, "step(b, a, n); step(a, b, n);"), expected);
        let twice = format!("{STEP} void both(double *p, double *q, int n) {{ step(q, p, n); step(p, q, n); }}");
        assert_eq!(statements(&twice, "both(a, b, n);"), expected);
        let later = "void step(double *, const double *, int); static inline void step();";
        assert_eq!(statements(&format!("{later}\n{STEP}"), "step(b, a, n); step(a, b, n);"), expected);
        let old = "void step(to, from, m) double *to, *from; int m;
            { int i; for (i = 1; i < m - 1; i++) to[i] = from[i - 1] + from[i + 1]; }";
        assert_eq!(statements(old, "step(b, a, n); step(a, b, n);"), expected);
    }

    #[test]
    fn names_are_those_of_the_function() {
        let globals = "static int m; static double w[64];
            static double at(int n) { return w[n] * m; }
            static void g(double *a, int n) { for (int i = 0; i < n; i++) a[i] = at(i); }";
        let found = statements(globals, "g(b, n);");
        assert_eq!(found, ["[0, t, 0, i, 1] b[(long long)i] = at.0"]);
        let nest = read_all(&text(globals, "g(b, n);")).remove(0).unwrap().to_string();
        assert!(nest.contains("local double at.0 = (w[(long long)i] * (double)m)"), "{nest}");
    }

    #[test]
    fn the_first_return_whose_conditions_hold_gives_the_value() {
        let limited = "static double limited(double x) { if (x < 0) return 0; if (x > 1) { return 1; } return x; }";
        let expected = "for (int i = 0; i < n; i++) b[i] = a[i] < 0 ? 0 : !(a[i] < 0) && a[i] > 1 ? 1 : a[i];";
        let (found, expected) = (statements(limited, "for (int i = 0; i < n; i++) b[i] = limited(a[i]);"), expected);
        assert_eq!(found.len(), statements("", expected).len());
        let sign = "static int sign(int i) { if (i > 5) return 1; else if (i < 3) return -1; else return 0; }";
        let found = statements(sign, "for (int i = 0; i < n; i++) b[i] = sign(i) * a[i];");
        assert!(found[0].contains("? 1 :") && found[0].contains("? (-1) : 0") || found[0].contains("-1"), "{found:?}");
    }

    #[test]
    fn a_structure_is_handed_on_by_value() {
        let functions = "struct grid { int n; double w; };
            static double at(struct grid g, int i, const double *p) { g.n -= 1; return p[i - 1] * g.w; }
            static void sweep(struct grid g, double *p, const double *q)
            { for (int i = 1; i < g.n; i++) p[i] = at(g, i, q); }
            static struct grid whole;";
        let found = statements(functions, "sweep(whole, b, a); sweep(whole, a, b);");
        assert_eq!(found.len(), 2, "{found:?}");
    }

    #[test]
    fn pointers_to_variables_are_out_parameters() {
        let swap = "static void swap(double **p, double **q) { double *t = *p; *p = *q; *q = t; }";
        let plain = in_place("b", "a") + "double *t = a; a = b; b = t;";
        let plain = statements("", &plain.replace("double *t", "double *x").replace("b = t", "b = x"));
        assert_eq!(statements(swap, &(in_place("b", "a") + "swap(&a, &b);")), plain);
        let both =
            "static void both(const double *p, int i, double *s, double *d) { *s = p[i] + p[i+1]; *d = *s - 1; }";
        let found =
            statements(both, "for (int i = 0; i < n; i++) { double s, d; both(a, i, &s, &d); b[i] = s; c[i] = d; }");
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn what_a_function_leaves_is_known_to_the_loops_around_its_call() {
        // The value of the step before would be read.
        let count = "static double s; static void count(double *p, int i) { p[i] = s; s = p[i] + 1; }";
        assert_eq!(refusal(&text(count, "for (int i = 0; i < n; i++) count(a, i);")).code, "scalar-carried");
        let next = "static void next(double *s) { *s += 1; }";
        let nest = "double s = 0; for (int i = 0; i < n; i++) { a[i] = s; next(&s); }";
        assert_eq!(refusal(&text(next, nest)).code, "scalar-carried");
        let through = "static void next(double *s) { double *p = s; *p += 1; }";
        assert_eq!(refusal(&text(through, nest)).code, "scalar-carried");
        let assigned = "static void next(double *s) { double *p; p = s; *p += 1; }";
        assert_eq!(refusal(&text(assigned, nest)).code, "unsupported-target");
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        let cases = [
            ("double g(double x) { return x > 1 ? g(x - 1) : x; }", "b[i] = g(a[i]);", "unsupported-call"),
            ("double g(double *x) { *x = 1; return 2; }", "b[i] = 1 + g(&a[i]);", "unsupported-call"),
            ("double g(double x) { if (x > 1) return 2; }", "b[i] = g(a[i]);", "uninitialised"),
            ("double g(double x) { static double s; s += x; return s; }", "b[i] = g(a[i]);", "unsupported-statement"),
            ("double g(const double *x) { for (;;) if (*x > 1) return 2; }", "b[i] = g(&a[i]);", "loop-form"),
            ("void g(double x) { }", "b[i] = g(a[i]);", "syntax"),
            ("double g(double x, ...) { return x; }", "b[i] = g(a[i], 1);", "unsupported-call"),
            ("double (*g)(double);", "b[i] = g(a[i]);", "unknown-function"),
            ("double g(double);", "b[i] = g(a[i]);", "unknown-function"),
        ];
        for (definition, statement, code) in cases {
            let refused = refusal(&text(definition, &format!("for (int i = 0; i < n; i++) {{ {statement} }}")));
            assert_eq!(refused.code, code, "{definition}");
        }
    }

    #[test]
    fn a_hidden_variable_of_a_function_is_refused() {
        let definition = "static double w; double g(double x) { return w * x; }";
        let hidden =
            text(definition, "for (int i = 0; i < n; i++) b[i] = g(a[i]);").replace("int n,", "int n, double w,");
        assert_eq!(refusal(&hidden).code, "undeclared");
    }
}
