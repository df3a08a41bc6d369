//! Numbers behind pointers that a nest only follows, by `*sum` itself and in functions that it gives them to, and assigns: each is a
//! scalar, as a variable would be.
//!
//! Example: in `void relax(int n, ..., double *sum)` the statement `*sum += d * d;` folds a scalar of the caller's, and does not
//! store an element of an array in each iteration. The function must follow the pointer before the nest or right behind it,
//! or each step of a kept loop do so, whatever happens: so it surely leads to a number, also where the nest has no iterations.

use tree_sitter::Node;

use super::ends::jumps_anywhere;
use super::function_pointers::Callee;
use super::reader::Reader;
use super::tree::{address_of, assigned, children, fields, nodes_in, parameter_list, strip_parentheses};
use super::types::{CType, declared};
use crate::ir::{Handle, HostValue};

/// Functions look into functions so deep.
const MAX_DEPTH: usize = 12;

impl<'t> Reader<'_, '_, 't> {
    /// The scalar that `node`, which follows a pointer, names.
    pub fn lone_scalar(&mut self, node: Node<'t>) -> Option<Handle<HostValue>> {
        followed(self, node).and_then(|pointer| self.behind_lone_pointer(pointer))
    }

    /// The scalar to which the pointer leads that `node` names.
    pub fn behind_lone_pointer(&mut self, node: Node<'t>) -> Option<Handle<HostValue>> {
        let node = strip_parentheses(node);
        let name = (node.kind() == "identifier" && self.frames.is_empty()).then(|| self.text(node))?;
        let variable = self.scope.variable(name).filter(|it| !it.is_inside && !it.is_volatile)?;
        let CType::Pointer(pointee) = variable.ty.clone() else { return None };
        let is_scalar = matches!(*pointee, CType::Scalar(_));
        let value = self.host_value(name).filter(|value| is_scalar && !self.bindings.contains_key(value))?;
        let is_lone = match self.lone_pointers.get(&value) {
            Some(known) => *known,
            None => {
                let is_lone = self.leads_to_number(name) && self.is_only_followed(name);
                self.lone_pointers.insert(value, is_lone);
                is_lone
            }
        };
        if is_lone { self.dereference(value, *pointee) } else { None }
    }

    /// Whether a pointer is surely followed before the nest, if that is reached, or directly behind it.
    fn leads_to_number(&self, name: &str) -> bool {
        let mut here = self.node;
        let is_behind = |it: &Node<'t>| it.start_byte() >= here.end_byte();
        let behind: Vec<_> = here.parent().map(children).unwrap_or_default().into_iter().filter(is_behind).collect();
        if self.is_followed_first(&behind, name) || self.is_followed_in_step(name) {
            return true;
        }
        while let Some(around) = here.parent().filter(|around| around.kind() != "function_definition") {
            let is_block = around.kind() == "compound_statement";
            let before = |it: &Node| *it != here;
            if is_block && children(around).into_iter().take_while(before).any(|it| self.follows_surely(it, name)) {
                return true;
            }
            here = around;
        }
        false
    }

    /// Whether the nest is the step of a kept loop, which the host takes once a call, and always follows a pointer.
    fn is_followed_in_step(&self, name: &str) -> bool {
        let is_whole = self.is_step_of_host() && self.unit.gaps.is_empty();
        let body = self.node.child_by_field_name("body").filter(|_| is_whole);
        let statements = body.map(children).unwrap_or_default().into_iter();
        statements.take_while(|it| !jumps_anywhere(*it)).any(|it| self.follows_surely(it, name))
    }

    /// Whether one of these statements surely follows a pointer before control may go elsewhere and before it may lead elsewhere.
    fn is_followed_first(&self, statements: &[Node<'t>], name: &str) -> bool {
        for statement in statements {
            let is_it = |node: Node| node.kind() == "identifier" && self.text(node) == name;
            let changes = nodes_in(*statement)
                .filter_map(|node| assigned(node).or_else(|| address_of(self.unit, node)))
                .any(|place| is_it(strip_parentheses(place)));
            if changes {
                return false;
            }
            if self.follows_surely(*statement, name) {
                return true;
            }
            if jumps_anywhere(*statement) || nodes_in(*statement).any(|node| node.kind() == "call_expression") {
                return false;
            }
        }
        false
    }

    /// Whether a pointer is followed wherever a statement or an expression is executed.
    fn follows_surely(&self, node: Node<'t>, name: &str) -> bool {
        if followed(self, node).is_some_and(|pointer| self.text(pointer) == name) {
            return true;
        }
        let part = |field| node.child_by_field_name(field);
        let is_lazy = |it: Node| ["&&", "||"].contains(&self.text(it));
        let parts = match node.kind() {
            "if_statement" | "while_statement" | "switch_statement" | "conditional_expression" => {
                vec![part("condition")]
            }
            "for_statement" => vec![part("initializer"), part("condition")],
            "binary_expression" if part("operator").is_some_and(is_lazy) => vec![part("left")],
            "declaration" => fields(node, "declarator").into_iter().map(|it| it.child_by_field_name("value")).collect(),
            "expression_statement"
            | "return_statement"
            | "parenthesized_expression"
            | "argument_list"
            | "assignment_expression"
            | "binary_expression"
            | "unary_expression"
            | "update_expression"
            | "cast_expression"
            | "call_expression"
            | "comma_expression" => children(node).into_iter().map(Some).collect(),
            _ => Vec::new(),
        };
        parts.into_iter().flatten().any(|part| self.follows_surely(part, name))
    }

    /// Whether the nest, with the functions that it calls, follows a pointer wherever it names it, and assigns what it leads to.
    fn is_only_followed(&mut self, name: &str) -> bool {
        self.uses_of_pointer(self.node, name, 0) == Some(true)
    }

    /// Whether code assigns what a pointer leads to; `None` if it does anything else than to follow the pointer or to give it to
    /// functions that do no more.
    fn uses_of_pointer(&mut self, code: Node<'t>, name: &str, depth: usize) -> Option<bool> {
        let mut is_assigned = false;
        for node in nodes_in(code).collect::<Vec<_>>() {
            let target = assigned(node).and_then(|target| followed(self, target));
            if target.is_some_and(|target| self.text(target) == name) {
                is_assigned = true;
                // What counts a loop has to be a variable.
                if node.parent().is_some_and(|around| around.kind() == "for_statement") {
                    return None;
                }
            }
            if node.kind() == "identifier" && self.text(node) == name && !is_operand(self, node) {
                is_assigned |= self.uses_of_given(node, depth)?;
            }
        }
        Some(is_assigned)
    }

    /// The same of the function of the program to which a pointer is given by its name.
    fn uses_of_given(&mut self, pointer: Node<'t>, depth: usize) -> Option<bool> {
        let list = pointer.parent().filter(|it| it.kind() == "argument_list" && depth < MAX_DEPTH)?;
        let call = list.parent().filter(|it| it.kind() == "call_expression")?;
        let Some(Callee::Own(definition)) = self.found_callee(call.child_by_field_name("function")?) else {
            return None;
        };
        let at = children(list).into_iter().position(|it| it == pointer)?;
        let parameter = definition.child_by_field_name("declarator").and_then(parameter_list).map(children)?;
        let declarator = parameter.get(at)?.child_by_field_name("declarator")?;
        let is_pointer = declarator.kind() == "pointer_declarator"
            && declarator.child_by_field_name("declarator").is_some_and(|it| it.kind() == "identifier");
        let name = declared(self.unit, declarator, CType::Other(String::new())).0;
        let body = definition.child_by_field_name("body").filter(|_| is_pointer)?;
        let mut uses = None;
        self.inside(definition, |reader| uses = reader.uses_of_pointer(body, &name, depth + 1));
        uses
    }
}

/// The identifier that `node` follows, as `*sum` does `sum`.
fn followed<'t>(reader: &Reader<'_, '_, 't>, node: Node<'t>) -> Option<Node<'t>> {
    let is_it = node.kind() == "pointer_expression" && address_of(reader.unit, node).is_none();
    let operand = node.child_by_field_name("argument").filter(|_| is_it).map(strip_parentheses);
    operand.filter(|operand| operand.kind() == "identifier")
}

fn is_operand<'t>(reader: &Reader<'_, '_, 't>, identifier: Node<'t>) -> bool {
    let outer = std::iter::successors(identifier.parent(), Node::parent);
    let mut outer = outer.skip_while(|node| node.kind() == "parenthesized_expression");
    outer.next().and_then(|node| followed(reader, node)) == Some(identifier)
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read};

    fn text(body: &str) -> String {
        let nest = format!("*sum = 0;\n#pragma stencil\nfor (int i = 1; i < n; i++) {{ {body} }}");
        read(&function("int n, double *a, const double *b, double *sum", &nest)).to_string()
    }

    #[test]
    fn what_is_named_by_its_pointer_alone_is_a_scalar() {
        let folded = text("a[i] = b[i - 1]; *sum += b[i];");
        assert!(folded.contains("fold *sum[i] = ") || folded.contains("fold *sum"), "{folded}");
        assert!(!folded.contains("array double sum"), "{folded}");
    }

    #[test]
    fn other_pointers_lead_to_arrays() {
        for body in ["a[i] = b[i - 1] + *sum;", "a[i] = b[i - 1]; sum[i] = *sum;"] {
            assert!(text(body).contains("array double sum"), "{body}");
        }
    }

    /// A nest whose function `g` gets the pointer, with `before` it and `behind` it.
    fn given(callee: &str, before: &str, behind: &str) -> String {
        let nest = format!(
            "{before}\n#pragma stencil\nfor (int i = 1; i < n; i++) {{ a[i] = b[i - 1]; g(sum, b[i]); }}\n{behind}"
        );
        let nest = function("int n, double *a, const double *b, double *sum", &nest);
        read(&format!("double *kept;\n{callee}\n{nest}")).to_string()
    }

    #[test]
    fn pointers_may_be_given_on() {
        let callee = "void h(double *s, double d) { *s += d; } void g(double *s, double d) { h(s, d); }";
        for (before, behind) in
            [("*sum = 0;", ""), ("", "n += *sum > 0;"), ("", "if (*sum > 0 && n) return;"), ("", "h(0, *sum);")]
        {
            let folded = given(callee, before, behind);
            assert!(folded.contains("fold *sum") && !folded.contains("array double sum"), "{folded}");
        }
    }

    #[test]
    fn pointers_that_may_lead_nowhere_or_elsewhere_lead_to_arrays() {
        let callee = "void g(const double *s, double d) { }";
        for (before, behind) in [
            ("", ""),
            ("", "if (n) *sum = 1;"),
            ("", "if (n && *sum > 0) return;"),
            ("", "n = sizeof *sum;"),
            ("", "if (n) return; *sum = 1;"),
            ("", "sum = kept; *sum = 1;"),
            ("if (n) *sum = 1;", ""),
        ] {
            let text = "a[i] = b[i - 1] + *sum; *sum += 0 * b[i];";
            let nest = format!("{before}\n#pragma stencil\nfor (int i = 1; i < n; i++) {{ {text} }}\n{behind}");
            let nest = function("int n, double *a, const double *b, double *sum", &nest);
            let all = crate::front::tests::read_all(&format!("double *kept;\n{callee}\n{nest}"));
            assert!(all.into_iter().all(|nest| nest.is_err()), "{before} {behind}");
        }
    }
}
