//! Index arrays that the program fills by a rule, as `north[i] = i - 1; north[0] = 0;`.
//!
//! The loop that fills an array, somewhere in the file, tells the rule, and a subscript takes what the rule gives in place of
//! what the array holds. Nothing is concluded from that loop: the driver compares the elements with the rule before it starts.

use tree_sitter::Node;

use super::Failable;
use super::integers::is_invariant;
use super::reader::Reader;
use super::tree::{assigned, nodes_in, strip_parentheses};
use crate::ir::{Access, BinaryOp, Expr, ExprKind, Handle, IndexArray, ScalarType, UnaryOp};
use crate::source::Diagnostic;

/// An assignment to elements of an array.
#[derive(Clone, Copy)]
struct Filling<'u, 't> {
    /// The subscript.
    place: Node<'t>,
    value: Node<'t>,
    /// The variable of a loop around it, if that is the subscript.
    variable: Option<&'u str>,
}

impl<'u, 't> Reader<'u, '_, 't> {
    /// What `access`, an element of an index array, is by the rule that fills the array, if there is one.
    pub fn by_rule(&mut self, access: Handle<Access>) -> Option<Handle<Expr>> {
        let Access { array, subscripts, guards, is_speculative, .. } = self.nest.accesses[access].clone();
        let [element] = subscripts.as_slice() else { return None };
        let is_always_read = !is_speculative && guards.is_empty();
        if !is_always_read || !self.nest.arrays[array].element.is_integer() || self.plain_polynomial(*element).is_none()
        {
            return None;
        }
        let known = self.nest.index_arrays.iter().find(|it| {
            let Access { array: other, subscripts, loops, .. } = &self.nest.accesses[it.read];
            *other == array && *loops == self.nest.accesses[access].loops && self.is_same(subscripts[0], *element)
        });
        if let Some(known) = known {
            return Some(known.rule);
        }
        let rule = self.rule(access, *element)?;
        self.nest.index_arrays.push(IndexArray { read: access, rule });
        Some(rule)
    }

    fn rule(&mut self, access: Handle<Access>, element: Handle<Expr>) -> Option<Handle<Expr>> {
        let array = &self.nest.arrays[self.nest.accesses[access].array];
        let (name, ty, span) = (array.name.clone(), array.element, self.nest.accesses.span(access));
        let mut rule = None;
        if self.without_rule.contains(&name) {
            return None;
        }
        let fillings = self.fillings(&name);
        if fillings.is_empty() {
            self.without_rule.insert(name);
        }
        for Filling { place, value, variable } in fillings {
            let value = self.rule_value(value, variable, element)?;
            let value = self.convert(value, ty);
            rule = Some(match (variable, rule) {
                (Some(_), _) => value,
                (None, before) => {
                    let place = self.rule_value(place, None, element)?;
                    let is_there = self.binary(BinaryOp::Equal, element, place, span);
                    self.expr(ty, ExprKind::Select(is_there, value, before?), span)
                }
            });
        }
        rule
    }

    /// The assignments to an array, those of the function around the nest if there are any.
    fn fillings(&self, name: &str) -> Vec<Filling<'u, 't>> {
        let within = |node: Option<Node<'t>>| node.map(|node| self.fillings_in(node, name)).unwrap_or_default();
        let here = within(self.enclosing_function());
        if here.is_empty() { within(self.ancestors.last().copied()) } else { here }
    }

    fn fillings_in(&self, node: Node<'t>, name: &str) -> Vec<Filling<'u, 't>> {
        nodes_in(node).filter_map(|node| self.filling(node, name)).collect()
    }

    fn filling(&self, node: Node<'t>, name: &str) -> Option<Filling<'u, 't>> {
        let target = node.child_by_field_name("left").filter(|_| node.kind() == "assignment_expression")?;
        let target = strip_parentheses(target);
        let base = target.child_by_field_name("argument").filter(|_| target.kind() == "subscript_expression")?;
        if self.text(base) != name || self.text(node.child_by_field_name("operator")?) != "=" {
            return None;
        }
        let place = strip_parentheses(target.child_by_field_name("index")?);
        let variable = Some(self.text(place)).filter(|variable| counts(self, node, variable));
        Some(Filling { place, value: node.child_by_field_name("right")?, variable })
    }

    /// What plain arithmetic of `variable`, which stands for `element`, and of what the nest does not change gives.
    fn rule_value(&mut self, node: Node<'t>, variable: Option<&str>, element: Handle<Expr>) -> Option<Handle<Expr>> {
        let span = self.nest.exprs.span(element);
        match node.kind() {
            "parenthesized_expression" => self.rule_value(node.named_child(0)?, variable, element),
            "identifier" if Some(self.text(node)) == variable => Some(element),
            "identifier" | "number_literal" => {
                let value = self.scalar(node).ok()?;
                is_invariant(self, value).then_some(value)
            }
            "unary_expression" if self.text(node.child_by_field_name("operator")?) == "-" => {
                let operand = self.rule_value(node.child_by_field_name("argument")?, variable, element)?;
                Some(self.unary(UnaryOp::Negate, operand, span))
            }
            "binary_expression" => {
                let op = BinaryOp::of_symbol(self.text(node.child_by_field_name("operator")?))?;
                let left = self.rule_value(node.child_by_field_name("left")?, variable, element)?;
                let right = self.rule_value(node.child_by_field_name("right")?, variable, element)?;
                self.arithmetic(node, op, left, right).ok()
            }
            "conditional_expression" => {
                let part = |name| node.child_by_field_name(name);
                let condition = self.rule_value(part("condition")?, variable, element)?;
                let condition = self.truth(condition);
                let then = self.rule_value(part("consequence")?, variable, element)?;
                let otherwise = self.rule_value(part("alternative")?, variable, element)?;
                let common = self.ty(then).common(self.ty(otherwise));
                let (then, otherwise) = (self.convert(then, common), self.convert(otherwise, common));
                Some(self.expr(common, ExprKind::Select(condition, then, otherwise), span))
            }
            _ => None,
        }
    }

    /// Sees that no store of the nest may change an index array: the driver compares it once, and does not see which memory
    /// it shares with others.
    pub fn check_index_arrays(&self) -> Failable<()> {
        let written = |index: &IndexArray| {
            let array = self.nest.accesses[index.read].array;
            let element = self.nest.arrays[array].element;
            let is_like = |other: ScalarType| other.size() == 1 || other.representative() == element.representative();
            let mut targets =
                self.nest.step.statements.iter().map(|it| it.write).chain(self.copies.iter().map(|it| it.target));
            targets.find(|target| is_like(self.nest.arrays[self.nest.accesses[*target].array].element))
        };
        // Where tables are is known, so the driver sees that no store leads there.
        let is_table = |it: &&IndexArray| self.tables.contains_key(&self.nest.accesses[it.read].array.index());
        let rules = self.nest.index_arrays.iter().filter(|it| !is_table(it));
        let Some((index, target)) = rules.into_iter().find_map(|it| Some((it, written(it)?))) else {
            return Ok(());
        };
        let name = &self.nest.arrays[self.nest.accesses[index.read].array].name;
        let message = format!("the elements of `{name}` choose others, and this store may change them");
        let element = self.nest.accesses.span(index.read);
        let error = Diagnostic::error("subscript", message, self.nest.accesses.span(target))
            .with_label(element, "they choose here");
        Err(Box::new(error.with_help("compute the subscript in place, as in `i == 0 ? n - 1 : i - 1`")))
    }
}

/// Whether `name` is the variable of a `for` statement around `node`.
fn counts(reader: &Reader, node: Node, name: &str) -> bool {
    let mut around = node.parent();
    while let Some(node) = around {
        let update = node.child_by_field_name("update").filter(|_| node.kind() == "for_statement");
        if update.and_then(assigned).is_some_and(|place| reader.text(place) == name) {
            return true;
        }
        around = node.parent();
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, read_all};

    const NEST: &str = "#pragma stencil\nfor (int i = 0; i < n; i++) b[i] = a[left[i]];";

    /// The nest behind loops that fill `left`.
    fn filled(filling: &str) -> String {
        function("int n, int *left, const double *a, double *b", &format!("{filling}\n{NEST}"))
    }

    #[test]
    fn the_loop_that_fills_an_array_tells_its_rule() {
        let nest = read(&filled("for (int k = 0; k < n; k++) left[k] = k - 1;\nleft[0] = n - 1;"));
        let text = nest.to_string().replace("(long long)", "");
        assert!(text.contains("((i == 0) ? a[(n - 1)] : a[(i - 1)])"), "{text}");
        assert_eq!(nest.index_arrays.len(), 1);
        let whole = read(&filled("for (int k = 0; k < n; k++) left[k] = k;")).to_string().replace("(long long)", "");
        assert!(whole.contains("= a[i]"), "{whole}");
    }

    #[test]
    fn a_rule_may_stand_in_another_function() {
        let helper = "void fill(int n, int *left) { for (int i = 0; i < n; i++) left[i] = i ? i - 1 : 0; }";
        let nest = read_all(&format!("{helper}\n{}", filled(""))).remove(0);
        assert!(nest.is_ok(), "{nest:?}");
    }

    #[test]
    fn rules_that_are_not_seen_stay_open() {
        for filling in ["", "for (int k = 0; k < n; k++) left[k] = rand();", "left[0] = 0;", "left[n] = left[0];"] {
            assert!(read(&filled(filling)).index_arrays.is_empty(), "{filling}");
        }
        let guarded = "for (int k = 0; k < n; k++) left[k] = k;
            #pragma stencil\nfor (int i = 0; i < n; i++) b[i] = i > 3 ? a[left[i]] : 0;";
        let text = function("int n, int *left, const double *a, double *b", guarded);
        assert!(read(&text).index_arrays.is_empty(), "the driver would read what the program may not have");
    }
}
