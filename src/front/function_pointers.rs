//! Pointers to functions: a call through one is a call of the function to which it leads, if that is plain to see.
//!
//! It is where the pointer gets its value in the nest, or has the one that stands in its declaration or in front of the nest
//! and that nothing changes, or is the parameter of a function that is called at one place.

use tree_sitter::Node;

use super::Failable;
use super::declarations::has_word;
use super::reader::{Binding, Reader};
use super::symbols::Variable;
use super::tree::{
    ancestors, assigned, children, declared_identifier, defined_name, mentions, named, nodes_in, parameter_list,
    strip_parentheses,
};
use super::types::{CType, words};
use crate::ir::{Handle, HostValue};
use crate::source::Diagnostic;

/// The function that a call runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Callee<'t> {
    /// The program's own, by its definition.
    Own(Node<'t>),
    /// Another one, by what names it.
    Other(Node<'t>),
}

impl<'t> Reader<'_, '_, 't> {
    /// The function that an expression in front of the parentheses of a call leads to.
    ///
    /// # Errors
    /// It is a pointer, and nobody sees which.
    pub fn callee(&mut self, function: Node<'t>) -> Failable<Callee<'t>> {
        self.found_callee(function).map_or_else(|| self.refuse_pointer(function), Ok)
    }

    /// As [`callee`](Self::callee); `None` where that fails.
    pub fn found_callee(&mut self, function: Node<'t>) -> Option<Callee<'t>> {
        let node = self.without_indirection(function);
        match node.kind() {
            "identifier" if self.is_pointer_to_function(self.text(node)) => self.pointed_function(node),
            "identifier" => Some(self.definition(self.text(node)).map_or(Callee::Other(node), Callee::Own)),
            "subscript_expression" => self.function_in_table(node),
            _ => None,
        }
    }

    /// The function that an expression is the address of; `None` for values of other types.
    pub fn function_value(&mut self, node: Node<'t>) -> Option<Callee<'t>> {
        let inner = self.without_indirection(node);
        let name = (inner.kind() == "identifier").then(|| self.text(inner))?;
        let is_function = self.scope.variable(name).is_some_and(|it| matches!(it.ty, CType::Function(_)));
        (is_function || self.is_pointer_to_function(name)).then(|| self.found_callee(inner))?
    }

    /// A function is what a pointer to it leads to, and both may be called.
    fn without_indirection(&self, function: Node<'t>) -> Node<'t> {
        let mut node = strip_parentheses(function);
        while node.kind() == "pointer_expression" {
            let Some(inner) = node.child_by_field_name("argument") else { break };
            node = strip_parentheses(inner);
        }
        node
    }

    pub fn is_pointer_to_function(&self, name: &str) -> bool {
        self.scope.variable(name).is_some_and(|variable| is_pointer_to_function(&variable.ty))
    }

    /// Refuses a function that is stored.
    pub fn refuse_function<T>(&self, node: Node<'t>) -> Failable<T> {
        let ty = CType::Function(Box::new(CType::Other(String::new())));
        self.refuse_type(node, self.text(node), &ty)
    }

    fn refuse_pointer<T>(&self, function: Node<'t>) -> Failable<T> {
        let message = format!("it is not known here to which function `{}` leads", self.text(function));
        Err(Box::new(
            Diagnostic::error("unknown-function", message, self.span(function))
                .with_help("call the function by its name")
                .with_help("or declare the pointer `const` with the function as its value"),
        ))
    }

    fn pointed_function(&mut self, name: Node<'t>) -> Option<Callee<'t>> {
        let pointer = self.host_value(self.text(name))?;
        match self.bindings.get(&pointer) {
            Some(Binding::Function(callee)) => Some(*callee),
            Some(_) => None,
            None if self.changing.iter().any(|changed| changed.contains(&pointer)) => None,
            None => self.function_before(pointer),
        }
    }

    /// The function to which a pointer leads that has its value from outside the nest.
    fn function_before(&mut self, pointer: Handle<HostValue>) -> Option<Callee<'t>> {
        let variable = self.declaration_of(pointer).filter(|it| !it.is_inside && !it.is_volatile)?.clone();
        let name = self.name(pointer).to_owned();
        let value = match self.value_before(pointer) {
            Some(value) => value,
            None if self.is_fixed(&variable, &name) => variable.declarator?.child_by_field_name("value")?,
            None => self.argument_of_only_call(&variable, &name)?,
        };
        self.named_directly(value)
    }

    /// The element of a table of functions that nothing changes.
    fn function_in_table(&mut self, element: Node<'t>) -> Option<Callee<'t>> {
        let (name, indices) = self.subscripted_name(element)?;
        let [index] = indices.as_slice() else { return None };
        let variable = self.scope.variable(name)?.clone();
        let is_table = matches!(&variable.ty, CType::Array(inner, _) if is_pointer_to_function(inner));
        if !is_table || variable.is_volatile || !self.is_fixed(&variable, name) {
            return None;
        }
        let list = variable.declarator?.child_by_field_name("value").filter(|it| it.kind() == "initializer_list")?;
        let index = self.scalar(*index).ok().and_then(|index| self.constant(index))?;
        let value = *children(list).get(usize::try_from(index).ok()?)?;
        self.named_directly(value)
    }

    /// The function whose name an expression is, with or without `&`.
    fn named_directly(&mut self, value: Node<'t>) -> Option<Callee<'t>> {
        let node = self.without_indirection(value);
        let name = (node.kind() == "identifier").then(|| self.text(node))?;
        let root = *self.ancestors.last()?;
        let around = ancestors(root, node).into_iter().find(|it| it.kind() == "function_definition");
        if around.is_some_and(|function| self.declares(function, name)) {
            return None;
        }
        match self.defined_at(name, node.start_byte()) {
            Some(definition) => Some(Callee::Own(definition)),
            None => {
                let is_function = self.scope.variable(name).is_some_and(|it| matches!(it.ty, CType::Function(_)));
                is_function.then_some(Callee::Other(node))
            }
        }
    }

    /// Whether a function has a variable or parameter `name`.
    fn declares(&self, function: Node<'t>, name: &str) -> bool {
        let declares = ["declaration", "parameter_declaration", "function_definition"];
        let inner = nodes_in(function).skip(1).filter(|node| declares.contains(&node.kind()));
        let declarators = inner.flat_map(|node| super::tree::fields(node, "declarator"));
        declarators.filter_map(declared_identifier).any(|it| self.text(it) == name)
    }

    /// Whether a variable holds what its declaration says for as long as the program runs.
    fn is_fixed(&self, variable: &Variable<'t>, name: &str) -> bool {
        let is_constant = variable.declarator.is_some_and(|declarator| self.has_constant_pointer(declarator));
        let Some(file) = self.ancestors.last() else { return false };
        is_constant || variable.is_static && variable.is_internal && self.is_never_changed(*file, name)
    }

    /// Whether the pointer that is declared is `const`.
    fn has_constant_pointer(&self, declarator: Node<'t>) -> bool {
        let Some(identifier) = declared_identifier(declarator) else { return false };
        let mut around = identifier.parent();
        while let Some(node) = around.filter(|it| it.kind() != "pointer_declarator") {
            around = node.parent().filter(|_| node != declarator);
        }
        around.is_some_and(|pointer| {
            words(&self.unit.text[pointer.start_byte()..identifier.start_byte()]).any(|word| word == "const")
        })
    }

    /// Whether no code in `within` assigns the variable `name` or an element of it, or takes an address from which it could be.
    fn is_never_changed(&self, within: Node<'t>, name: &str) -> bool {
        let is_stored = |node: Node| {
            let place = assigned(node).or_else(|| super::tree::address_of(self.unit, node));
            place.is_some_and(|place| mentions(self.unit, place, name))
        };
        !nodes_in(within).any(is_stored) && !named(self.unit, within, name).any(|node| self.decays(node))
    }

    /// Whether a name stands for the address of an array of pointers, through which these could be changed.
    fn decays(&self, name: Node<'t>) -> bool {
        let is_table = self.scope.variable(self.text(name)).is_some_and(|it| matches!(it.ty, CType::Array(..)));
        let parent = name.parent();
        let is_declared = parent.is_some_and(|it| it.kind().ends_with("declarator"));
        let is_element = parent.is_some_and(|it| it.kind() == "subscript_expression");
        is_table && !is_declared && !is_element
    }

    /// What the only call of the function around the nest gives its parameter `name`.
    fn argument_of_only_call(&self, variable: &Variable<'t>, name: &str) -> Option<Node<'t>> {
        let function = self.enclosing_function()?;
        let list = children(parameter_list(function.child_by_field_name("declarator")?)?);
        let place = list.iter().position(|it| it.byte_range().contains(&variable.declared_at))?;
        let is_static = has_word(self.unit, function, "storage_class_specifier", "static");
        if !is_static || !self.is_never_changed(function, name) {
            return None;
        }
        let call = self.only_call(defined_name(self.unit, function)?)?;
        children(call.child_by_field_name("arguments")?).get(place).copied()
    }

    /// The only use of the function `name` in the program, if it is a call.
    fn only_call(&self, name: &str) -> Option<Node<'t>> {
        let is_declared = |node: &Node| node.parent().is_some_and(|it| it.kind().ends_with("declarator"));
        let uses = named(self.unit, *self.ancestors.last()?, name).filter(|node| !is_declared(node));
        let uses: Vec<_> = uses.collect();
        let [only] = uses.as_slice() else { return None };
        only.parent().filter(|it| it.kind() == "call_expression" && it.child_by_field_name("function") == Some(*only))
    }
}

/// Whether a type is that of pointers to functions.
pub fn is_pointer_to_function(ty: &CType) -> bool {
    matches!(ty, CType::Pointer(inner) if matches!(**inner, CType::Function(_)))
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{read_all, refusal};

    const FUNCTIONS: &str = "double sin(double);
        static double half(double x) { return x * 0.5; } static double twice(double x) { return x * 2; }
        static double (*const constant)(double) = half; static double (*fixed)(double) = &twice;
        static double (*table[])(double) = { half, twice }; double (*anyone)(double) = half;
        static double (*set)(double) = half; void change(void) { set = twice; }
        static double applied(double (*g)(double), double x) { return (*g)(x); }\n";

    fn text(before: &str, value: &str) -> String {
        format!(
            "{FUNCTIONS}static void f(int n, double *a, double *b, double (*p)(double))\n{{\n{before}\n#pragma stencil\n\
             for (int i = 0; i < n; i++) a[i] = {value};\n}}\nvoid h(int n, double *a, double *b) {{ f(n, a, b, twice); }}\n"
        )
    }

    fn value(before: &str, value: &str) -> String {
        let nests = read_all(&text(before, value));
        nests[0].as_ref().unwrap_or_else(|errors| panic!("{errors:?}")).to_string()
    }

    #[test]
    fn a_call_through_a_pointer_is_one_of_the_function() {
        for (before, called, name) in [
            ("", "constant(b[i])", "half"),
            ("", "(*fixed)(b[i])", "twice"),
            ("", "table[1](b[i])", "twice"),
            ("", "p(b[i])", "twice"),
            ("", "applied(half, b[i])", "half"),
            ("double (*g)(double); g = &half;", "g(b[i])", "half"),
            ("double (*const g)(double) = twice;", "applied(g, b[i])", "twice"),
            ("double (*g)(double) = sin;", "g(b[i]) + half(b[i])", "half"),
        ] {
            let found = value(before, called);
            assert!(found.contains(&format!("{name}.")), "{called}: {found}");
        }
    }

    #[test]
    fn what_another_function_may_change_is_refused() {
        let unknown = |text: &str| {
            let refused = refusal(text);
            assert_eq!(refused.code, "unknown-function", "{text}");
            assert!(refused.message.contains("to which function"), "{}", refused.message);
        };
        for (before, value) in [
            ("", "anyone(b[i])"),
            ("", "set(b[i])"),
            ("", "table[n](b[i])"),
            ("double (*g)(double) = half; if (n > 5) g = twice;", "g(b[i])"),
            ("double (*g)(double) = half, (**q)(double) = &g; *q = twice;", "g(b[i])"),
        ] {
            unknown(&text(before, value));
        }
        unknown(&text("", "p(b[i])").replace("void h(", "void k(int n, double *a) { f(n, a, a, half); } void h("));
        unknown(&text("", "p(b[i])").replace("static void f", "void f"));
    }

    #[test]
    fn a_pointer_that_steps_change_is_not_what_it_was_before() {
        let body = "double (*g)(double) = half;\n#pragma stencil\nfor (int t = 0; t < 9; t++) { \
                    for (int i = 0; i < n; i++) a[i] = g(a[i]); g = twice; }";
        let text = format!("{FUNCTIONS}void f(int n, double *a)\n{{\n{body}\n}}\n");
        let refused = refusal(&text);
        assert!(["unknown-function", "pointer-value"].contains(&refused.code), "{refused:?}");
    }
}
