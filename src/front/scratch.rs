//! Arrays of the function around a nest that are scratch memory to it: in each point it writes what it reads there.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::handed::Handed;
use super::reader::Reader;
use super::symbols::Symbol;
use super::tables::is_arithmetic;
use super::tree::{named, nodes_in, strip_parentheses, subscripted, target, walk};
use crate::ir::{Handle, HostValue};

impl<'u, 't> Reader<'u, '_, 't> {
    /// Finds the arrays of the function that are scratch memory of the nest: no iteration of a loop over space has elements of
    /// its own there, so that nothing but scalars in disguise is stored.
    pub fn find_scratch(&mut self, nest: Node<'t>) {
        let assigned = self.assigned_arrays(nest).into_iter().map(|(name, _)| name);
        let handed = self.handed_in(nest);
        for name in assigned.chain(handed.iter().map(|(_, name, _)| *name)).collect::<BTreeSet<_>>() {
            let Some(shape) = self.shape(name).filter(|shape| !shape.variable.is_inside && !shape.variable.is_static)
            else {
                continue;
            };
            if self.is_scratch(nest, name, &handed) {
                self.scratch.insert(shape.variable.declared_at);
            }
        }
    }

    /// Whether the array `name` is scratch memory, where these calls get arrays.
    fn is_scratch(&mut self, nest: Node<'t>, name: &str, handed: &[(Node<'t>, &'u str, Handed<'t>)]) -> bool {
        let Some(variable) = self.host_value(name).filter(|variable| !self.may_be_pointed_to(*variable)) else {
            return false;
        };
        debug_assert!(self.is_from_outside(variable));
        let Some(elements) = self.all_elements(nest, name) else { return false };
        let handed = handed.iter().filter(|(_, found, _)| *found == name);
        let storing: Vec<_> = handed.filter(|(.., handed)| self.stores_behind(handed)).collect();
        if !storing.iter().all(|(.., handed)| self.stores_only_known(handed, Self::are_constant))
            || !elements.iter().all(|(_, subscripts)| self.are_constant(nest, subscripts))
        {
            return false;
        }
        let subscripts: Vec<_> = elements.iter().flat_map(|(_, subscripts)| subscripts).copied().collect();
        let stored = elements.iter().filter_map(|(element, _)| {
            let assignment = element.parent().filter(|it| it.kind() == "assignment_expression")?;
            (assignment.child_by_field_name("left") == Some(*element)).then_some(assignment)
        });
        let calls = storing.iter().map(|(call, ..)| *call);
        stored.chain(calls).any(|place| self.is_in_space(nest, place, name, &subscripts))
    }

    /// Whether subscripts in `code` are made of constants and of the variables of loops with constant bounds there.
    fn are_constant(&mut self, code: Node<'t>, subscripts: &[Node<'t>]) -> bool {
        subscripts.iter().all(|subscript| {
            let counters = self.short_loops_around(code, *subscript);
            self.is_of(*subscript, &counters)
        })
    }

    /// The elements of the array `name` that the nest names, with their subscripts; `None` if it names the array otherwise, but as what
    /// a function gets.
    fn all_elements(&mut self, nest: Node<'t>, name: &str) -> Option<Vec<(Node<'t>, Vec<Node<'t>>)>> {
        let is_handed = |it: &Node<'t>| it.parent().is_some_and(|list| list.kind() == "argument_list");
        let names: Vec<_> = named(self.unit, nest, name).collect();
        let (handed, others): (Vec<_>, Vec<_>) = names.into_iter().partition(is_handed);
        if !handed.into_iter().all(|it| self.handed(it).is_some()) {
            return None;
        }
        let element = |identifier: Node<'t>| {
            let element = subscripted(identifier);
            self.subscripted_name(element)
                .filter(|(found, _)| *found == name)
                .map(|(_, subscripts)| (element, subscripts))
        };
        others.into_iter().map(element).collect()
    }

    /// The variables of loops with constant bounds around a place in the nest.
    fn short_loops_around(&self, nest: Node<'t>, place: Node<'t>) -> Vec<&'u str> {
        let around = std::iter::successors(place.parent(), Node::parent).take_while(|it| *it != nest);
        let loops = around.filter(|it| it.kind() == "for_statement");
        loops.filter_map(|it| self.short_loop_variable(it)).collect()
    }

    /// The variable of a loop, if that runs to a constant.
    fn short_loop_variable(&self, node: Node<'t>) -> Option<&'u str> {
        let condition = strip_parentheses(node.child_by_field_name("condition")?);
        let (left, right) = (condition.child_by_field_name("left")?, condition.child_by_field_name("right")?);
        let (left, right) = (strip_parentheses(left), strip_parentheses(right));
        let (variable, bound) = if left.kind() == "identifier" { (left, right) } else { (right, left) };
        self.scope.constant(self.unit, bound)?;
        Some(self.text(variable))
    }

    /// Whether `expression` is made of constants and the variables `names`.
    fn is_of(&mut self, expression: Node<'t>, names: &[&str]) -> bool {
        is_arithmetic(expression)
            && nodes_in(expression).filter(|node| node.kind() == "identifier").all(|node| {
                let name = self.text(node);
                names.contains(&name) || self.is_constant(name) || self.is_table(name)
            })
    }

    fn is_constant(&self, name: &str) -> bool {
        match self.scope.get(name) {
            Some(Symbol::Constant(_)) => true,
            Some(Symbol::Variable(variable)) => variable.constant.is_some(),
            _ => false,
        }
    }

    /// Whether `place`, where an element of the array `name` is assigned, is executed in each iteration of a loop over space: no
    /// subscript of the array has the loop's variable, and one of another element that is assigned there does.
    fn is_in_space(&self, nest: Node<'t>, place: Node<'t>, name: &str, subscripts: &[Node<'t>]) -> bool {
        let around: Vec<_> = std::iter::successors(place.parent(), Node::parent)
            .take_while(|it| it.start_byte() >= nest.start_byte())
            .collect();
        let is_conditional = around.iter().any(|it| matches!(it.kind(), "if_statement" | "conditional_expression"));
        let is_space = |it: &Node<'t>| {
            let variable = it.child_by_field_name("update").and_then(target).map(|target| self.text(target));
            variable.is_some_and(|variable| {
                !subscripts.iter().any(|subscript| self.mentions(*subscript, variable))
                    && self.stores_along(*it, variable, name)
            })
        };
        let mut loops = around.iter().filter(|it| it.kind() == "for_statement");
        !is_conditional && loops.any(is_space)
    }

    /// Whether the code in `node` assigns an element of another array than `name` with `variable` in a subscript.
    fn stores_along(&self, node: Node<'t>, variable: &str, name: &str) -> bool {
        nodes_in(node).any(|inner| {
            let target = inner.child_by_field_name("left").filter(|_| inner.kind() == "assignment_expression");
            let element = target.map(strip_parentheses).and_then(|target| self.subscripted_name(target));
            element.is_some_and(|(other, subscripts)| {
                other != name && subscripts.iter().any(|subscript| self.mentions(*subscript, variable))
            })
        })
    }

    /// Why somebody may read what the nest leaves in a scratch array; `None` if nobody can.
    pub fn why_scratch_is_live(&self, name: &str) -> Option<&'static str> {
        let function = self.enclosing_function()?;
        let mut is_read = false;
        walk(function, &mut |node| {
            let is_it = node.kind() == "identifier" && self.text(node) == name;
            is_read |= is_it && !self.is_only_written(node);
            node != self.node && !is_read
        });
        is_read.then_some("an element may be read outside of the nest")
    }

    /// The scratch arrays of the nest.
    pub fn scratch_values(&self) -> Vec<Handle<HostValue>> {
        let is_whole = |value: &Handle<HostValue>| self.nest.values[*value].path.is_empty();
        let scratch = self.variables.iter().filter(|(_, variable)| self.scratch.contains(&variable.declared_at));
        self.by_name(scratch.map(|(value, _)| *value).filter(is_whole))
    }

    /// Whether an identifier that names an array is part of its declaration, or of an element that is assigned.
    fn is_only_written(&self, identifier: Node<'t>) -> bool {
        let around = std::iter::successors(identifier.parent(), Node::parent);
        let mut around = around.skip_while(|it| {
            it.kind() == "subscript_expression" || it.kind().ends_with("_declarator") && it.kind() != "init_declarator"
        });
        let Some(outer) = around.next() else { return false };
        match outer.kind() {
            "declaration" => true,
            "init_declarator" => outer
                .child_by_field_name("declarator")
                .is_some_and(|it| it.end_byte() >= identifier.end_byte() && it.start_byte() <= identifier.start_byte()),
            "assignment_expression" => {
                let target = outer.child_by_field_name("left").is_some_and(|it| it.end_byte() >= identifier.end_byte());
                let is_plain = outer.child_by_field_name("operator").is_some_and(|it| self.text(it) == "=");
                let is_base =
                    outer.child_by_field_name("left").is_some_and(|it| it.start_byte() == identifier.start_byte());
                target && is_plain && is_base && outer.parent().is_some_and(|it| it.kind() == "expression_statement")
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, point_nest, read, refusal};

    #[test]
    fn scratch_arrays_of_the_function_are_scalars_where_nobody_reads_them_later() {
        let stored = read(&point_nest("double q[2];", "q[0] = b[i]; q[1] = q[0] * 2; a[i] = q[1];")).to_string();
        assert!(stored.contains("a[(long long)i] = q[1].1\n"), "{stored}");
        let read_later = |body: &str| point_nest("double q[2];", body).replace("\n}\n", "\na[0] = q[0]; }\n");
        let left = read(&read_later("q[0] = b[i]; a[i] = q[0];")).to_string();
        assert!(left.contains("leave q[0] = q[0].0\n"), "{left}");
        let folded = read(&read_later("q[0] = a[i]; a[i] = q[0] + 1;")).to_string();
        assert!(folded.contains("fold q[0][i] = value_0[i]\n"), "{folded}");
        assert_eq!(refusal(&point_nest("double q[2];", "a[i] = q[0]; q[0] += b[i];")).code, "scalar-carried");
        let set_later = point_nest("double q[2];", "q[0] = a[i]; a[i] = q[0] + 1;").replace("\n}\n", "\nq[0] = 3; }\n");
        assert!(!read(&set_later).to_string().contains("leave"));
    }

    #[test]
    fn small_grids_are_no_scratch() {
        let body = "double q[8], r[8];\n#pragma stencil\nfor (int t = 0; t < n; t++) {
            for (int i = 1; i < 7; i++) q[i] = r[i - 1]; for (int i = 1; i < 7; i++) r[i] = q[i]; }\na[0] = r[1] + q[0];";
        let text = read(&function("int n, double *a", body)).to_string();
        assert!(text.contains("array double q[8]") && text.contains("array double r[8]"), "{text}");
    }
}
