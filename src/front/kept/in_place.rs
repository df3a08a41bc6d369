//! Calls in marked loops that can be written out: what the function does then stands in the place of its call, so that the host can
//! do some of it between the sweeps of a step, as in `t += step(u, v, n);` where `step` folds what its own sweeps need.
//!
//! A function is written out where its text means the same behind that of the loop: see [`super::writing_out`].

use tree_sitter::Node;

use super::meanings::{Lacking, Meanings};
use super::program::{Program, Trust};
use super::writing_out::{CallInPlace, CallToWriteOut, Form, Writing, is_called_once};
use crate::front::declarations::{Scope, has_word};
use crate::front::file_tree::FileTree;
use crate::front::qualifiers::Qualifiers;
use crate::front::symbols::Variable;
use crate::front::tree::{
    Unit, ancestors, assigned, children, declared_identifier, fields, is_loop, loop_at, nodes_in, parameter_list,
};
use crate::front::types::{CType, base_type};
use crate::source::Span;

/// What no function may have that is written out: it would mean something else in another function.
const OF_ITS_FUNCTION: [&str; 11] = [
    "__func__",
    "__FUNCTION__",
    "__PRETTY_FUNCTION__",
    "alloca",
    "__builtin_alloca",
    "setjmp",
    "_setjmp",
    "__builtin_va_start",
    "__builtin_return_address",
    "__builtin_frame_address",
    "__builtin_apply_args",
];

/// The ways to write out the first call in a marked loop for which there are any, of a function because of which, or at whose call,
/// something is refused.
pub fn call_in_place(unit: &Unit, root: Node, refused: &[Span]) -> Vec<CallInPlace> {
    let program = Program::new(unit, &FileTree::new(root), Trust::Sound);
    let outer = (0..unit.pragmas.len()).filter_map(|index| loop_at(root, unit.start_behind_pragma(index)));
    let finder = Finder { program: &program, root, refused };
    let statements = outer.filter_map(|outer| Some((outer, outer.child_by_field_name("body")?)));
    let statements = statements.flat_map(|(outer, body)| nodes_in(body).map(move |it| (outer, it)));
    let write = |call: CallToWriteOut| {
        let ways = forms(unit, call.definition).iter().flat_map(|form| [(*form, true), (*form, false)]);
        ways.filter_map(|way| Writing::new(unit, root, &call, way)?.written()).collect::<Vec<_>>()
    };
    statements
        .filter_map(|(outer, statement)| finder.call(outer, statement))
        .map(write)
        .find(|written| !written.is_empty())
        .unwrap_or_default()
}

/// In which forms a function can be put into the file, the best first. Macros of other files may mean nothing there.
fn forms(unit: &Unit, definition: Node) -> &'static [Form] {
    let place = definition.start_byte();
    match unit.file_at(place) {
        None if !unit.is_of_header(place) => &[Form::Written],
        _ => &[Form::Written, Form::Preprocessed],
    }
}

struct Finder<'a, 'p, 's, 't> {
    program: &'a Program<'p, 's, 't>,
    root: Node<'t>,
    refused: &'a [Span],
}

impl<'a, 't> Finder<'a, '_, '_, 't> {
    /// The call that a statement of a marked loop makes and that may be written out.
    fn call(&self, outer: Node<'t>, statement: Node<'t>) -> Option<CallToWriteOut<'a, 't>> {
        let call = self.only_call(statement)?;
        let definition = self.program.definition(self.program.called(call)?)?;
        let body = definition.child_by_field_name("body")?;
        let unit = self.program.unit;
        let around = statement.parent()?;
        let is_alone = is_loop(around) && around.child_by_field_name("body") == Some(statement);
        let is_in_block = around.kind() == "compound_statement" && !has_labels(around);
        let is_near = self.is_refused(outer, statement, body);
        let is_good = is_near && (is_alone || is_in_block) && self.is_readable(definition, body);
        let caller = ancestors(self.root, statement).into_iter().find(|it| it.kind() == "function_definition")?;
        let result = self.result(definition, body, statement)?;
        if !is_good || caller == definition {
            return None;
        }
        let is_of_file = unit.file_at(definition.start_byte()).is_none();
        let lacking = if is_of_file { Vec::new() } else { self.lacking(caller, definition)? };
        Some(CallToWriteOut { statement, call, caller, definition, body, result, is_alone, lacking })
    }

    /// What has to be declared before the function `caller` so that a function of another file means the same there.
    fn lacking(&self, caller: Node<'t>, definition: Node<'t>) -> Option<Vec<Lacking<'a, 't>>> {
        let unit = self.program.unit;
        let there = unit.section(definition.start_byte());
        Meanings::new(unit, self.root, caller, there).lacking_for(definition)
    }

    /// Whether something is refused in the function or in one that it calls, at the statement, or in the head of the marked loop.
    fn is_refused(&self, outer: Node<'t>, statement: Node<'t>, body: Node<'t>) -> bool {
        let contains = |whole: Span| {
            let is_in = |it: &Span| it.file == whole.file && whole.start <= it.start && it.end <= whole.end;
            whole.start < whole.end && self.refused.iter().any(is_in)
        };
        let unit = self.program.unit;
        let start = outer.child_by_field_name("body").map_or(outer.end_byte(), |body| body.start_byte());
        let head = unit.span_between(outer.start_byte(), start);
        let does_much = || self.program.bodies_of(vec![body], |_| true).any(|body| nodes_in(body).any(is_loop));
        contains(unit.span(statement))
            || contains(head) && does_much()
            || self.program.bodies_of(vec![body], |_| true).any(|body| contains(unit.span(body)))
    }

    /// The call in `f(a);`, `x = f(a);`, `x += f(a);` or `T x = f(a);`, where nothing else of the statement depends on when it is made.
    fn only_call(&self, statement: Node<'t>) -> Option<Node<'t>> {
        let is_call = |node: &Node| node.kind() == "call_expression";
        match statement.kind() {
            "expression_statement" => {
                let expression = statement.named_child(0)?;
                if expression.kind() != "assignment_expression" {
                    return Some(expression).filter(is_call);
                }
                let [place, value] = ["left", "right"].map(|side| expression.child_by_field_name(side));
                let operator = self.program.text(expression.child_by_field_name("operator")?);
                self.is_steady(place?, operator != "=").then_some(value?).filter(is_call)
            }
            "declaration" => {
                let [declarator] = fields(statement, "declarator")[..] else { return None };
                let is_plain = declarator.child_by_field_name("declarator").is_some_and(|it| it.kind() == "identifier");
                let is_static = has_word(self.program.unit, statement, "storage_class_specifier", "static");
                declarator.child_by_field_name("value").filter(|it| is_call(it) && is_plain && !is_static)
            }
            _ => None,
        }
    }

    /// Whether what an assignment changes is the same, and if it is looked at holds the same, whatever the call does: C does not say
    /// what is done first.
    fn is_steady(&self, place: Node<'t>, is_looked_at: bool) -> bool {
        match place.kind() {
            "identifier" => {
                let name = self.program.text(place);
                let scope = Scope::at(self.program.unit, &ancestors(self.root, place), place.start_byte());
                let is_own = |it: &Variable| {
                    let is_exposed = || self.program.unit.takes_address_of(self.root, name, it.declared_at);
                    !it.is_static && !it.is_volatile && !is_exposed()
                };
                !is_looked_at || scope.variable(name).is_some_and(is_own)
            }
            "field_expression" if !is_looked_at => place
                .child_by_field_name("argument")
                .is_some_and(|base| base.kind() == "identifier" && self.is_steady(base, true)),
            _ => false,
        }
    }

    /// Whether a function is of a kind that can be written out: parameters with names, no jumps but those of loops, and nothing that
    /// belongs to its function alone.
    fn is_readable(&self, definition: Node<'t>, body: Node<'t>) -> bool {
        let unit = self.program.unit;
        let parameters = definition.child_by_field_name("declarator").and_then(parameter_list).map(children);
        let is_named =
            |it: &Node| it.kind() == "parameter_declaration" && (self.name_of(*it).is_some() || self.is_void(*it));
        let has_names = parameters.is_some_and(|all| all.iter().all(is_named));
        let declares_types = |node: &Node| {
            let is_tag = matches!(node.kind(), "struct_specifier" | "union_specifier" | "enum_specifier");
            is_tag && node.child_by_field_name("body").is_some()
        };
        let is_called_once = || is_called_once(unit, self.root, definition);
        let is_bad = |node: Node| match node.kind() {
            "goto_statement"
            | "labeled_statement"
            | "gnu_asm_expression"
            | "type_definition"
            | "function_definition"
            | "ERROR" => true,
            "declaration" => {
                let has = |word| has_word(unit, node, "storage_class_specifier", word);
                let is_constant =
                    || fields(node, "declarator").iter().all(|it| Qualifiers::of(unit, node, *it).is_const);
                // There is one of these for all calls.
                has("extern") || has("static") && !is_constant() && !is_called_once()
            }
            "identifier" => OF_ITS_FUNCTION.contains(&self.program.text(node)),
            _ => declares_types(&node),
        };
        has_names && !nodes_in(body).any(is_bad)
    }

    fn name_of(&self, parameter: Node<'t>) -> Option<Node<'t>> {
        declared_identifier(parameter.child_by_field_name("declarator")?)
    }

    fn is_void(&self, parameter: Node<'t>) -> bool {
        self.program.text(parameter).trim() == "void"
    }

    /// The only `return`, at the end of the function; none if there is none and the statement needs no value.
    fn result(&self, definition: Node<'t>, body: Node<'t>, statement: Node<'t>) -> Option<Option<Node<'t>>> {
        let returns: Vec<Node> = nodes_in(body).filter(|it| it.kind() == "return_statement").collect();
        let last = children(body).last().copied();
        let needs_value = statement.named_child(0)?.kind() != "call_expression";
        let [result] = returns[..] else { return (returns.is_empty() && !needs_value).then_some(None) };
        let value = result.named_child(0);
        let has_effects =
            |node: Node| matches!(node.kind(), "call_expression" | "update_expression") || assigned(node).is_some();
        let is_dropped = !needs_value && value.is_some_and(|value| nodes_in(value).any(has_effects));
        let is_plain =
            definition.child_by_field_name("declarator").is_some_and(|it| it.kind() == "function_declarator");
        let scope = Scope::at(self.program.unit, &ancestors(self.root, definition), definition.start_byte());
        let ty = base_type(self.program.unit, &scope, definition);
        let is_number = matches!(ty, CType::Scalar(_));
        let is_good = last == Some(result) && !is_dropped && (!needs_value || value.is_some() && is_plain && is_number);
        is_good.then_some(Some(result))
    }
}

fn has_labels(block: Node) -> bool {
    children(block).iter().any(|it| it.kind() == "labeled_statement")
}
