//! Memory of the host's that no array of the nest is in: what the function around the loop has allocated for a variable, or
//! declared as an array, and nobody can have given to the nest.
//!
//! Such a variable gets nothing but new memory, and its value goes nowhere but into calls. What these make of it nobody knows, but
//! the variables that lead to the nest's arrays have their values before, or get new memory, too, or change roles in a step.

use std::collections::BTreeMap;
use std::ops::Range;

use tree_sitter::Node;

use super::host_code::{HostCode, Own};
use super::lifetimes::is_lasting;
use super::step::Step;
use crate::front::grids::allocation;
use crate::front::tree::{
    address_of, ancestors, assigned, children, declared_identifier, fields, is_loop, named, nodes_in, without_casts,
};
use crate::front::types::CType;

/// Functions that allocate look into functions so deep.
const MAX_DEPTH: usize = 3;

/// What is done to a variable where its name stands.
#[derive(Clone, Copy)]
enum Use<'t> {
    /// It is declared.
    Declared(Node<'t>),
    /// It gets a value, or none where it is declared.
    Set(Option<Node<'t>>),
    /// An element is used, or it is compared.
    Looked,
    /// A function gets it.
    Given,
    /// A function returns it.
    Returned,
    /// Its address is taken.
    Addressed,
    /// It goes elsewhere.
    Leaks,
}

impl<'p, 't> HostCode<'p, '_, 't> {
    /// What of the function around a loop leads to no array of the nest.
    pub fn fresh(&self, outer: Node<'t>, step: &Step) -> Own {
        let function = ancestors(self.root, outer).into_iter().find(|it| it.kind() == "function_definition");
        let Some(function) = function.filter(|function| !jumps(*function)) else { return Own::default() };
        let Some(settled) = self.settled(function, outer, step) else { return Own::default() };
        let mut places: BTreeMap<&str, Vec<Node>> = BTreeMap::new();
        for name in nodes_in(function).filter(|node| node.kind() == "identifier") {
            places.entry(self.program().text(name)).or_default().push(name);
        }
        let names = self.declared_in(function).into_iter().filter(|name| !self.leads_to_array(name));
        let is_fresh =
            |name: &str| places.get(name).is_some_and(|places| self.is_fresh(function, (name, places), settled));
        let names = names.filter(|name| is_fresh(name)).map(str::to_owned);
        Own { arrays: names.collect(), pointers: Vec::new() }
    }

    /// The place behind which the variables that lead to the nest's arrays get no value but new memory, outside of steps; `None` if
    /// that cannot be told.
    fn settled(&self, function: Node<'t>, outer: Node<'t>, step: &Step) -> Option<usize> {
        let scope = self.scope_at(outer);
        let mut last = function.start_byte();
        for name in self.plain_bases()? {
            let variable = scope.variable(name)?;
            let (uses, is_own) = (self.uses(function, name), function.byte_range().contains(&variable.declared_at));
            let declarations = uses.iter().filter(|(_, used)| matches!(used, Use::Declared(_))).count();
            let is_parameter = uses.iter().any(|(_, it)| matches!(it, Use::Declared(it) if it.kind() != "declaration"));
            if matches!(variable.ty, CType::Array(..)) && !is_parameter && declarations <= 1 {
                continue;
            }
            if !is_own || declarations != 1 {
                return None;
            }
            for (place, used) in uses.into_iter().filter(|(place, _)| !is_in_step(step, *place)) {
                match used {
                    Use::Set(Some(value)) if self.allocates(value, 0) || self.is_base(value) => {}
                    Use::Set(Some(_)) => last = last.max(with_loops(function, place).end),
                    Use::Declared(declaration) if is_lasting(self.unit(), declaration) => return None,
                    Use::Addressed => return None,
                    _ => {}
                }
            }
        }
        Some(last)
    }

    /// Variables of a function's body that lead to memory which it has allocated itself: nothing that a step is given can be there
    /// before it has returned. Their names mean nothing else in it.
    pub fn own_memory(&self, body: Node<'t>) -> Vec<String> {
        let declared = self.declared_in(body);
        let is_own = |name: &&str| {
            let uses = self.uses(body, name);
            let mut declarations = uses.iter().filter_map(|(place, used)| match used {
                Use::Declared(declaration) => Some((*place, *declaration)),
                _ => None,
            });
            let (Some((first, declaration)), None) = (declarations.next(), declarations.next()) else { return false };
            let block = declaration.parent().filter(|it| it.kind() == "compound_statement");
            let is_in_block = |place: Node| {
                let block = block.map(|it| it.end_byte()).unwrap_or_default();
                first.start_byte() <= place.start_byte() && place.end_byte() <= block
            };
            let is_new = uses.iter().all(|(place, used)| match used {
                Use::Set(Some(value)) => is_in_block(*place) && (self.is_nothing(*value) || self.allocates(*value, 0)),
                Use::Addressed | Use::Leaks => false,
                _ => is_in_block(*place),
            });
            is_new && self.leads_to_numbers(declaration, name) && !is_lasting(self.unit(), declaration)
        };
        if jumps(body) { Vec::new() } else { declared.into_iter().filter(is_own).map(str::to_owned).collect() }
    }

    fn is_base(&self, value: Node) -> bool {
        self.leads_to_array(self.program().text(without_casts(value)))
    }

    /// Whether a variable of a function, whose name stands at `places`, has new memory only, from a place behind `settled` on, and
    /// gives it to calls at most.
    fn is_fresh(&self, function: Node<'t>, (name, places): (&str, &[Node<'t>]), settled: usize) -> bool {
        let uses = self.uses_at_all(places.iter().copied());
        let mut declarations = uses.iter().filter_map(|(_, used)| match used {
            Use::Declared(declaration) => Some(*declaration),
            _ => None,
        });
        let (Some(declaration), None) = (declarations.next(), declarations.next()) else { return false };
        let begins = |place: &Node| with_loops(function, *place).start >= settled;
        let is_new = uses.iter().all(|(place, used)| match used {
            Use::Declared(_) | Use::Looked | Use::Set(None) => true,
            Use::Set(Some(value)) => self.is_nothing(*value) || self.allocates(*value, 0) && begins(place),
            Use::Given => begins(place),
            Use::Returned | Use::Addressed | Use::Leaks => false,
        });
        is_new && !is_lasting(self.unit(), declaration) && self.leads_to_numbers(declaration, name)
    }

    /// Whether a variable is an array of numbers, or a pointer to some.
    pub fn leads_to_numbers(&self, declaration: Node<'t>, name: &str) -> bool {
        let scope = self.program().scope_around(declaration, declaration.end_byte());
        let mut ty = scope.variable(name).map(|variable| &variable.ty);
        while let Some(CType::Array(inner, _)) = ty {
            ty = Some(inner);
        }
        let is_pointer_to_some =
            |ty: &CType| matches!(ty, CType::Pointer(inner) if matches!(**inner, CType::Scalar(_)));
        let is_array = scope.variable(name).is_some_and(|it| matches!(it.ty, CType::Array(..)));
        ty.is_some_and(|ty| matches!(ty, CType::Scalar(_)) && is_array || !is_array && is_pointer_to_some(ty))
    }

    /// Whether a value is memory that nobody else has.
    fn allocates(&self, value: Node<'t>, depth: usize) -> bool {
        if let Some(call) = allocation(self.unit(), value) {
            return self.program().called(call).is_some_and(|name| !self.program().defines(name));
        }
        let call = without_casts(value);
        let name = self.program().called(call).filter(|_| call.kind() == "call_expression" && depth < MAX_DEPTH);
        name.and_then(|name| self.program().definition(name)).is_some_and(|it| self.returns_new(it, depth + 1))
    }

    /// Whether all that a function returns is memory that nobody else has.
    fn returns_new(&self, function: Node<'t>, depth: usize) -> bool {
        let returns = nodes_in(function).filter(|node| node.kind() == "return_statement");
        let returned: Vec<_> = returns.map(|node| children(node).first().copied()).collect();
        !jumps(function)
            && !returned.is_empty()
            && returned.into_iter().all(|value| {
                let Some(value) = value.map(without_casts) else { return false };
                self.is_nothing(value) || self.allocates(value, depth) || self.holds_new(function, value, depth)
            })
    }

    /// Whether a variable of a function gets new memory and nobody else does.
    fn holds_new(&self, function: Node<'t>, variable: Node<'t>, depth: usize) -> bool {
        let uses = self.uses(function, self.program().text(variable));
        let declarations = uses.iter().filter(|(_, used)| matches!(used, Use::Declared(_)));
        let is_local = variable.kind() == "identifier" && declarations.count() == 1;
        is_local
            && uses.iter().all(|(_, used)| match used {
                Use::Declared(declaration) => !is_lasting(self.unit(), *declaration),
                Use::Set(value) => value.is_none_or(|value| self.is_nothing(value) || self.allocates(value, depth)),
                Use::Looked | Use::Returned => true,
                Use::Given | Use::Addressed | Use::Leaks => false,
            })
    }

    fn is_nothing(&self, value: Node) -> bool {
        let value = without_casts(value);
        self.program().text(value) == "0" || value.kind() == "null"
    }

    /// What a function does to a variable, wherever the name stands in it.
    fn uses(&self, function: Node<'t>, name: &str) -> Vec<(Node<'t>, Use<'t>)> {
        self.uses_at_all(named(self.unit(), function, name))
    }

    fn uses_at_all(&self, names: impl Iterator<Item = Node<'t>>) -> Vec<(Node<'t>, Use<'t>)> {
        names.flat_map(|node| self.uses_at(node).into_iter().map(move |used| (node, used))).collect()
    }

    fn uses_at(&self, name: Node<'t>) -> Vec<Use<'t>> {
        if let Some(declaration) = declaration_of(name) {
            let value = initial_value(name, declaration);
            return vec![Use::Declared(declaration), Use::Set(value)];
        }
        let mut here = name;
        while let Some(around) = here.parent() {
            let is_only_value = || around.child_by_field_name("value") == Some(here);
            match around.kind() {
                "parenthesized_expression" => {}
                "cast_expression" if is_only_value() => {}
                "binary_expression" => {
                    let operator = around.child_by_field_name("operator").map(|it| self.program().text(it));
                    if !operator.is_some_and(|it| ["+", "-"].contains(&it)) {
                        return vec![Use::Looked];
                    }
                }
                "subscript_expression" if around.child_by_field_name("argument") == Some(here) => {
                    let pointer = around.parent().filter(|it| address_of(self.unit(), *it) == Some(around));
                    let Some(pointer) = pointer else { return vec![Use::Looked] };
                    here = pointer;
                    continue;
                }
                "pointer_expression" if address_of(self.unit(), around).is_none() => return vec![Use::Looked],
                "pointer_expression" => return vec![Use::Addressed],
                "assignment_expression" if assigned(around) == Some(here) && here == name => {
                    let is_plain =
                        around.child_by_field_name("operator").is_some_and(|it| self.program().text(it) == "=");
                    let is_alone = around.parent().is_some_and(|it| it.kind() == "expression_statement");
                    let value = around.child_by_field_name("right").filter(|_| is_plain && is_alone);
                    return vec![value.map_or(Use::Leaks, |value| Use::Set(Some(value)))];
                }
                "argument_list" => return vec![Use::Given],
                "return_statement" => return vec![Use::Returned],
                "unary_expression" | "sizeof_expression" | "if_statement" | "while_statement" | "for_statement" => {
                    return vec![Use::Looked];
                }
                _ => return vec![Use::Leaks],
            }
            here = around;
        }
        vec![Use::Leaks]
    }
}

/// The declaration that a name is declared in, if it is what stands in a declarator.
fn declaration_of(name: Node) -> Option<Node> {
    let mut here = name;
    while let Some(around) = here.parent() {
        match around.kind() {
            "pointer_declarator" | "array_declarator" | "init_declarator"
                if around.child_by_field_name("declarator") == Some(here) => {}
            "declaration" | "parameter_declaration" if fields(around, "declarator").contains(&here) => {
                return Some(around);
            }
            _ => return None,
        }
        here = around;
    }
    None
}

/// The value that a pointer is declared with.
fn initial_value<'t>(name: Node<'t>, declaration: Node<'t>) -> Option<Node<'t>> {
    let declarators = fields(declaration, "declarator");
    let declarator = declarators.into_iter().find(|it| declared_identifier(*it) == Some(name))?;
    declarator.child_by_field_name("value").filter(|value| value.kind() != "initializer_list")
}

/// The place of a node, or of the outermost loop around it.
fn with_loops(function: Node, node: Node) -> Range<usize> {
    let around = std::iter::successors(Some(node), Node::parent).take_while(|it| *it != function);
    let loops = around.filter(|it| is_loop(*it));
    loops.last().unwrap_or(node).byte_range()
}

fn jumps(function: Node) -> bool {
    nodes_in(function).any(|node| matches!(node.kind(), "goto_statement" | "gnu_asm_expression"))
}

fn is_in_step(step: &Step, node: Node) -> bool {
    step.statements.iter().any(|it| it.start_byte() <= node.start_byte() && node.end_byte() <= it.end_byte())
}

#[cfg(test)]
mod tests {
    use crate::front::Need;
    use crate::front::tests::{function, places};

    /// What host code behind a step needs of `a` and `b`, in a function that begins with `start`.
    fn needs(before: &str, start: &str, code: &str) -> Vec<Need> {
        let sweeps = "for (int i = 1; i < n - 1; i++) b[i] = a[i - 1]; for (int i = 1; i < n - 1; i++) a[i] = b[i];";
        let body = format!(
            "{start}\ndouble s = 0; int k = 0;\n#pragma stencil\nwhile (k < n) {{ k += 1 + k % 2;\n{sweeps}\n{code}\n}}"
        );
        let head =
            "#include <stdio.h>\n#include <stdlib.h>\nvoid keep(double *); double *kept(void); double **table;\n";
        let text = head.to_owned() + before + &function("int n, double *a, double *b", &body);
        places(&text).iter().map(|place| place.need).collect()
    }

    const ALLOCATED: &str = "double *w = NULL; w = (double *)malloc(n * sizeof(double)); if (!w) n = 0;";
    const USED: &str =
        "w[3] = k; s += *(w + k); s += memcmp(w, &w[1], 8); fwrite(w, 8, 1, stdout); printf(\"%g\", w[k]);";

    #[test]
    fn new_memory_is_none_of_the_nests() {
        for (before, start) in [
            ("", ALLOCATED),
            ("", "double *w = calloc(n, 8); keep(w);"),
            ("", "double w[100];"),
            ("", "double w[5] = {0, 1};"),
            (
                "static void *take(size_t n) { void *p = malloc(n); if (p == NULL) exit(1); return p; }\n",
                "double *w = take(8 * (size_t)n);",
            ),
        ] {
            assert_eq!(needs(before, start, USED), [], "{start}");
        }
        assert_eq!(needs("", "", &format!("double *w = malloc(80); {USED} free(w);")), []);
        assert_eq!(needs("", ALLOCATED, "if (printf(\".\")) memcpy(w, a, 8 * n);"), [Need::Read]);
        assert_eq!(needs("", ALLOCATED, "if (printf(\".\")) memcpy(a, w, 8 * n);"), [Need::Store]);
    }

    #[test]
    fn functions_are_told_of_it() {
        let before = "static void look(const void *p, int k) { printf(\"%g\", ((const double *)p)[k]); }\n\
            static void fill(double *p, int k) { for (int i = 0; i < k * k; i++) p[i] = i; look(p + 1, k); }\n";
        assert_eq!(needs(before, ALLOCATED, "fill(w, k); fill(&w[1], k); look(w, k);"), []);
        assert_ne!(needs(before, ALLOCATED, "fill(a, k);"), []);
        assert_eq!(needs("", ALLOCATED, "keep(w);"), [Need::All]);
        let cast = "static void mark(double *p) { ((double **)p)[0][1] = 2; }\n";
        assert_eq!(needs(cast, ALLOCATED, "mark(w);"), [Need::All]);
    }

    #[test]
    fn what_others_may_have_is_not_new() {
        for start in [
            "double *w = a;",
            "double *w = kept();",
            "static double *w; w = malloc(n);",
            "double *w = malloc(n); double *q = w; q[0] = 1;",
            "double *w = malloc(n); table[0] = w;",
            "double *w = malloc(n); double **p = &w; p[0] = a;",
            "double *w = malloc(n); keep(w); b = kept();",
            "double *w = malloc(n); for (int i = 0; i < 3; i++) { b = kept(); keep(w); }",
            "double w[100]; keep(w); b = kept();",
            "double **p = &b; double *w = malloc(n); keep(w); p[0] = kept();",
            "double *w = malloc(n); if (n > 3) w = a + 1;",
            "double *w = malloc(n); w++;",
        ] {
            assert_ne!(needs("", start, "w[3] = k;"), [], "{start}");
        }
        for code in ["table[0] = w;", "{ double *w = a; w[3] = 1; }"] {
            assert_ne!(needs("", ALLOCATED, &format!("{code} w[3] = k;")), [], "{code}");
        }
        assert_ne!(needs("", "double *w; again: w = malloc(n); keep(w); if (n > 7) goto again;", "w[3] = k;"), []);
    }
}
