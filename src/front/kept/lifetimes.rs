//! Arrays that a kept loop declares for each of its iterations: recorded steps are taken later than the iteration that asks for
//! them, and what the driver then reads and writes must still be there.
//!
//! So they are declared before the loop: of `for (...) { double next[n]; ...` the host has
//!
//! ```c
//! double next[n > 0 ? n : 1];
//! __builtin_memset(&next, 0, sizeof next);
//! for (...) {
//!     /* not double next[n] */;
//! ```
//!
//! An array without a value holds anything when an iteration begins, so what the one before it left there does as well. Before the
//! first one it has zeros, as the driver copies also elements that nothing has stored yet. One with a
//! value that is the same in each iteration, which nothing stores in, has it before the loop.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::declared::Lasting;
use super::names::{self, Changed, declared_in};
use super::program::Program;
use super::step::Step;
use crate::front::Failable;
use crate::front::declarations::has_word;
use crate::front::tree::{
    Unit, ancestors, assigned, children, declared_identifier, fields, first_identifier, is_assigned, loop_at, named,
    nodes_in, subscripted,
};
use crate::front::types::CType;
use crate::ir::Nest;
use crate::source::{Diagnostic, Span};

/// The declarations in the loop `outer`, beside its step, of arrays that the step is given.
///
/// # Errors
/// One cannot stand before the loop.
pub fn lasting<'t>(
    program: &Program<'_, '_, 't>,
    root: Node<'t>,
    outer: Node<'t>,
    (step, nest): (&Step<'t>, &Nest),
) -> Failable<Vec<Lasting>> {
    let given = given(program, outer, nest);
    let is_of_step =
        |it: &Node| step.statements.iter().any(|statement| statement.byte_range().contains(&it.start_byte()));
    let declarations = nodes_in(outer).filter(|it| it.kind() == "declaration" && !is_of_step(it));
    let declarations = declarations.filter(|it| !is_lasting(program.unit, *it));
    let mut found = Vec::new();
    for declaration in declarations {
        let loop_of_host = LoopOfHost { program, root, outer, declaration };
        let is_short = |it: &Node| {
            let name = declared_identifier(*it).map(|name| program.text(name));
            name.is_some_and(|name| given.contains(name) && loop_of_host.is_memory(*it, nest, name))
        };
        let short: Vec<Node> = fields(declaration, "declarator").into_iter().filter(is_short).collect();
        let Some(first) = short.first() else { continue };
        found.push(loop_of_host.lasting(&short).ok_or_else(|| loop_of_host.refusal(*first))?);
    }
    Ok(found)
}

/// Whether a declaration is one of what outlives the block around it.
pub fn is_lasting(unit: &Unit, declaration: Node) -> bool {
    ["static", "extern"].iter().any(|word| has_word(unit, declaration, "storage_class_specifier", word))
}

/// The names of the variables that lead to arrays of a nest, and of all that the loop around its step makes of each other to get there.
fn given(program: &Program, outer: Node, nest: &Nest) -> BTreeSet<String> {
    let buffers = Nest::buffers(nest).map(|buffer| nest.values[buffer.variable].variable.name.clone());
    let mut found: BTreeSet<String> = buffers.collect();
    let made: Vec<(&str, Node)> = nodes_in(outer)
        .filter_map(|node| {
            let place = match node.kind() {
                "init_declarator" => declared_identifier(node),
                _ => assigned(node).and_then(first_identifier),
            };
            let value = node.child_by_field_name("value").or_else(|| node.child_by_field_name("right"))?;
            Some((program.text(place?), value))
        })
        .collect();
    loop {
        let of_given = made.iter().filter(|(name, _)| found.contains(*name)).flat_map(|(_, value)| nodes_in(*value));
        let names = of_given.filter(|it| it.kind() == "identifier").map(|it| program.text(it).to_owned());
        let more: Vec<String> = names.filter(|name| !found.contains(name)).collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}

/// A declaration in a loop that the host keeps.
struct LoopOfHost<'a, 'p, 's, 't> {
    program: &'a Program<'p, 's, 't>,
    root: Node<'t>,
    outer: Node<'t>,
    declaration: Node<'t>,
}

impl<'t> LoopOfHost<'_, '_, '_, 't> {
    /// Whether what a declarator declares is, or has in it, memory that the nest is given: a pointer leads elsewhere.
    fn is_memory(&self, declarator: Node<'t>, nest: &Nest, name: &str) -> bool {
        let scope = self.program.scope_around(self.declaration, self.declaration.end_byte());
        let is_array = |ty: Option<&CType>| ty.is_none_or(|ty| matches!(ty, CType::Array(..)));
        match scope.variable(name).map(|variable| &variable.ty) {
            Some(CType::Structure(_)) => Nest::buffers(nest).any(|buffer| {
                let text = nest.values.to_c(buffer.variable);
                let mut places = nodes_in(self.outer).filter(|it| self.program.text(*it) == text);
                let is_of_it = nest.values[buffer.variable].variable.name == name;
                is_of_it
                    && places.find(|it| it.kind() != "identifier").is_none_or(|place| {
                        let scope = self.program.scope_at(place);
                        is_array(scope.type_of(self.program.unit, place).as_ref())
                    })
            }),
            ty => is_array(ty) || declarator.kind() == "array_declarator",
        }
    }

    /// The declaration before the loop, if it can stand there, with zeros in those of its `short`-lived arrays that have no value.
    fn lasting(&self, short: &[Node<'t>]) -> Option<Lasting> {
        let Self { program, declaration, .. } = *self;
        let unit = program.unit;
        let declarators = fields(declaration, "declarator");
        let names: Vec<&str> =
            declarators.iter().filter_map(|it| declared_identifier(*it)).map(|it| program.text(it)).collect();
        let (start, last) = (declaration.start_byte(), declarators.last()?.end_byte());
        let span = unit.span_between(start, last);
        let written = std::str::from_utf8(unit.source.bytes().get(span.start..span.end)?).ok()?;
        let read = &unit.text[start..last];
        let count = |text: &str| text.matches(['[', '{', '(', ';']).filter(|it| *it != "(").count();
        let ends = unit.source.bytes()[span.end..].trim_ascii_start().starts_with(b";");
        let is_as_read = count(written) == count(read) && written.split(' ').next() == read.split(' ').next() && ends;
        let is_one_line =
            !written.contains(['\n', '\\', '"', '\'']) && !written.contains("/*") && !written.contains("//");
        let is_alone =
            ancestors(self.root, self.outer).first().is_none_or(|around| around.kind() != "compound_statement");
        let is_block = declaration.parent().is_some_and(|around| around.kind() == "compound_statement");
        let is_plain = !self.has_specifier_of_its_own() && declarators.iter().all(|it| self.is_movable(*it));
        let can_move = is_as_read && is_one_line && is_block && !is_alone && is_plain;
        if !can_move || !names.iter().all(|name| self.is_free_before(name)) {
            return None;
        }
        let mut written = written.to_owned();
        for size in self.varying_sizes(&declarators)?.into_iter().rev() {
            let size = size.start - span.start..size.end - span.start;
            let text = written.get(size.clone())?;
            let operand = if is_operand(text) { text.to_owned() } else { format!("({text})") };
            written.replace_range(size, &format!("{operand} > 0 ? {operand} : 1"));
        }
        let unset = short.iter().filter(|it| it.kind() != "init_declarator").filter_map(|it| declared_identifier(*it));
        let clear = |name: Node| {
            let name = program.text(name);
            format!("__builtin_memset(&{name}, 0, sizeof {name});")
        };
        Some(Lasting { span, written: [format!("{written};")].into_iter().chain(unset.map(clear)).collect() })
    }

    /// Whether it declares a type, too, or has a word that means something else before the loop.
    fn has_specifier_of_its_own(&self) -> bool {
        let first = fields(self.declaration, "declarator").first().map_or(0, Node::start_byte);
        let has_type = nodes_in(self.outer).any(|it| it.kind() == "type_definition");
        let specifiers = children(self.declaration).into_iter().filter(|it| it.start_byte() < first);
        let is_plain = |it: &Node| {
            matches!(
                it.kind(),
                "primitive_type" | "sized_type_specifier" | "type_identifier" | "type_qualifier" | "struct_specifier"
            )
        };
        let mut specifiers = specifiers.peekable();
        has_type || !specifiers.all(|it| is_plain(&it) && !self.program.text(it).contains('{'))
    }

    /// Whether a declarator says the same before the loop: sizes and values are the same there, and nothing stores where a value is.
    fn is_movable(&self, declarator: Node<'t>) -> bool {
        let (plain, value) = match declarator.kind() {
            "init_declarator" => {
                (declarator.child_by_field_name("declarator"), declarator.child_by_field_name("value"))
            }
            _ => (Some(declarator), None),
        };
        let is_declared = plain.is_some_and(|it| {
            std::iter::successors(Some(it), |it| it.child_by_field_name("declarator"))
                .all(|it| matches!(it.kind(), "array_declarator" | "pointer_declarator" | "identifier"))
        });
        let is_steady = value.is_none() || self.is_only_read(declarator);
        is_declared && is_steady && self.is_same(declarator)
    }

    /// Whether all names in it but its own mean the same before the loop and in each iteration.
    fn is_same(&self, declarator: Node<'t>) -> bool {
        let unit = self.program.unit;
        let bodies = self.program.bodies_of(vec![self.outer], |_| true);
        let changed: BTreeSet<Changed> = bodies.flat_map(|body| names::changed(unit, body, true)).collect();
        let own = declared_identifier(declarator);
        let is_declared_here = |name: &str| {
            let enumerators = nodes_in(self.outer).filter(|it| it.kind() == "enumerator");
            let enumerators = enumerators.filter_map(|it| it.child_by_field_name("name"));
            let variables = declared_in(self.outer).filter_map(declared_identifier).filter(|it| Some(*it) != own);
            enumerators.chain(variables).any(|it| self.program.text(it) == name)
        };
        nodes_in(declarator).all(|it| match it.kind() {
            "identifier" if Some(it) == own => true,
            "identifier" => {
                let name = self.program.text(it);
                !is_declared_here(name) && !changed.contains(&Changed::named(name))
            }
            "call_expression"
            | "assignment_expression"
            | "update_expression"
            | "subscript_expression"
            | "pointer_expression"
            | "field_expression" => false,
            _ => true,
        })
    }

    /// Whether the loop only reads single elements of it.
    fn is_only_read(&self, declarator: Node<'t>) -> bool {
        let Some(own) = declared_identifier(declarator) else { return false };
        let sizes = nodes_in(declarator).filter(|it| it.kind() == "array_declarator").count();
        named(self.program.unit, self.outer, self.program.text(own)).filter(|it| *it != own).all(|name| {
            let element = subscripted(name);
            let depth = std::iter::successors(Some(name), Node::parent).take_while(|it| *it != element).count();
            let is_addressed = element.parent().is_some_and(|it| it.kind() == "pointer_expression");
            depth == sizes && !is_assigned(element) && !is_addressed
        })
    }

    /// Whether a name means nothing else from the loop to the end of the block around it, and is not declared there.
    fn is_free_before(&self, name: &str) -> bool {
        let unit = self.program.unit;
        let Some(around) = self.outer.parent() else { return false };
        let scope = self.declaration.parent().map_or(0..0, |block| self.declaration.start_byte()..block.end_byte());
        named(unit, around, name).filter(|it| !scope.contains(&it.start_byte())).all(|other| {
            let declared_at = self.program.scope_at(other).variable(name).map(|it| it.declared_at);
            let own = std::iter::successors(Some(other), Node::parent).find(|it| it.kind() == "declaration");
            let declares = own.is_some_and(|it| {
                fields(it, "declarator").into_iter().filter_map(declared_identifier).any(|it| it == other)
            });
            let is_in_block = own.and_then(|it| it.parent()) == Some(around);
            let is_behind = other.start_byte() > self.outer.end_byte();
            match declares {
                true => !is_in_block && !self.is_in_loop(other) && !self.is_in_other_nest(around, other),
                false => {
                    other.end_byte() < self.outer.start_byte() || is_behind && declared_at > Some(self.outer.end_byte())
                }
            }
        })
    }

    /// Whether a node stands in another marked loop of a block, before which the same may have to be declared.
    fn is_in_other_nest(&self, block: Node<'t>, node: Node<'t>) -> bool {
        let unit = self.program.unit;
        let marked = (0..unit.pragmas.len()).filter_map(|index| loop_at(self.root, unit.start_behind_pragma(index)));
        let mut others = marked.filter(|it| *it != self.outer && it.parent() == Some(block));
        others.any(|it| it.byte_range().contains(&node.start_byte()))
    }

    fn is_in_loop(&self, node: Node) -> bool {
        self.outer.byte_range().contains(&node.start_byte())
    }

    /// The sizes that only a run says; `None` if control may come behind the declaration without passing it.
    fn varying_sizes(&self, declarators: &[Node<'t>]) -> Option<Vec<Span>> {
        let unit = self.program.unit;
        let scope = self.program.scope_at(self.outer);
        let arrays = declarators.iter().flat_map(|it| nodes_in(*it)).filter(|it| it.kind() == "array_declarator");
        let sizes = arrays.filter_map(|it| it.child_by_field_name("size"));
        let varies = |size: &Node<'t>| {
            nodes_in(*size).any(|it| it.kind() == "identifier" && scope.variable(self.program.text(it)).is_some())
        };
        let mut varying: Vec<Span> = sizes.filter(varies).map(|it| unit.span(it)).collect();
        varying.sort_by_key(|it| it.start);
        let function = ancestors(self.root, self.outer).into_iter().find(|it| it.kind() == "function_definition")?;
        let jumps = || nodes_in(function).any(|it| matches!(it.kind(), "goto_statement" | "case_statement"));
        (varying.is_empty() || !jumps()).then_some(varying)
    }

    fn refusal(&self, declarator: Node) -> Box<Diagnostic> {
        let name = declared_identifier(declarator).map_or("", |it| self.program.text(it));
        let message = format!(
            "`{name}` is declared in this loop, which the host keeps, and steps are taken later than they are asked for"
        );
        let error = Diagnostic::error("kept-step", message, self.program.unit.span(declarator));
        let help = match declarator.kind() {
            "init_declarator" => {
                format!("declare `{name}` before the loop, and give its elements their values here by assignments")
            }
            _ => format!("declare `{name}` before the loop"),
        };
        Box::new(error.with_help(help))
    }
}

/// Whether a text is an operand as it stands.
fn is_operand(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read_marked};

    /// What stands before a kept loop that declares this, and what of it its step is given; or why it is refused.
    fn before(declared: &str, behind: &str) -> Result<Vec<String>, String> {
        let sweeps = "for (int i = 1; i < 9; i++) w[i] = a[i - 1]; for (int i = 1; i < 9; i++) a[i] = w[i] * c[1];";
        let body = format!(
            "#pragma stencil\nfor (int t = 0; t < steps; t++) {{\n{declared}\nputchar('.');\n{sweeps}\nprintf(\"%g\", w[1]);\n}}\n{behind}"
        );
        let text = format!("#include <stdio.h>\n{}", function("int n, int m, int steps, double *a, double *c", &body));
        let read = read_marked(&text, &[]).remove(0);
        let kept = |marked: crate::front::MarkedNest| marked.kept.expect("the host keeps it").outliving;
        read.map(kept).map_err(|errors| errors[0].help[0].clone())
    }

    #[test]
    fn arrays_of_iterations_stand_before_the_loop() {
        let clear = "__builtin_memset(&w, 0, sizeof w);";
        let with_zeros = |declared: &str| Ok(vec![declared.to_owned(), clear.to_owned()]);
        assert_eq!(before("double w[10];", ""), with_zeros("double w[10];"));
        assert_eq!(before("float s; double w[10], v[3];", ""), with_zeros("double w[10], v[3];"));
        let size = "double w[(n > 9 ? n : 10) > 0 ? (n > 9 ? n : 10) : 1];";
        assert_eq!(before("double w[n > 9 ? n : 10];", ""), with_zeros(size));
        assert_eq!(before("double w[n];", ""), with_zeros("double w[n > 0 ? n : 1];"));
        let table = "const double c[2] = { 0.5, 2 };";
        assert_eq!(before(&format!("{table} static double w[10];"), ""), Ok(vec![table.to_owned()]));
        let other = "for (int i = 0; i < 3; i++) { double w = i; a[i] = w; }";
        assert_eq!(before("double w[10];", other), with_zeros("double w[10];"));
    }

    #[test]
    fn what_means_something_else_there_is_refused() {
        let help = || Err("declare `w` before the loop".to_owned());
        assert_eq!(before("int k = 10 + t; double w[k];", ""), help());
        assert!(before("double w[10]; if (t == 3) goto out;", "out: n = 1;").is_ok());
        assert_eq!(before("double w[n]; if (t == 3) goto out;", "out: n = 1;"), help());
        assert_eq!(before("double w[10];", "int w = 3; a[0] = w;"), help());
        assert_eq!(before("double w[\n10];", ""), help());
        let values = "declare `w` before the loop, and give its elements their values here by assignments";
        for declared in ["double w[10] = { 0 };", "double w[10] = { t };", "const double s = t; double w[10] = { s };"]
        {
            assert_eq!(before(declared, ""), Err(values.to_owned()), "{declared}");
        }
    }
}
