//! Static variables of functions that are called in a step: their values outlive the calls, and a device has none of them.
//!
//! It makes no difference where each call gives such a variable a value before it looks at it, or where nothing assigns it. Nor does
//! it where the nest makes all calls, as long as each step stores what it reads: then an array of work space is one of the step's own
//! memory, as if it were declared without `static`.

use tree_sitter::Node;

use super::declarations::has_word;
use super::reader::Reader;
use super::tree::{
    Unit, address_of, assigned, children, declared_identifier, defined_name, fields, mentions, named, nodes_in,
    plain_assignment, strip_parentheses, subscripted, takes_address_in,
};
use super::types::{CType, base_type, declared};

/// How a call of its function uses a static variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StaticUse {
    /// It gives it a value first, or no call finds what another has left.
    AssignedFirst,
    /// It only looks at the value that the declaration gives it.
    Constant,
}

impl<'t> Reader<'_, '_, 't> {
    /// How calls use the static variables of a declaration; `None` if their values may go from one call to another, out of the nest
    /// or into it.
    pub fn use_of_statics(&self, declaration: Node<'t>) -> Option<StaticUse> {
        let is_of_nest = || self.is_work_space(declaration) && self.is_within_nest(declaration);
        self.use_in_block(declaration).or_else(|| is_of_nest().then_some(StaticUse::AssignedFirst))
    }

    /// The values that `declarator`, one of those in `node`, is declared with each time that the step comes there.
    pub fn values_each_time(&self, node: Node<'t>, declarator: Node<'t>) -> Option<Node<'t>> {
        let has_word = |kind, word| has_word(self.unit, node, kind, word);
        let is_kept = has_word("storage_class_specifier", "static") && !has_word("type_qualifier", "const");
        let is_given = || self.use_of_statics(node) == Some(StaticUse::Constant);
        declarator.child_by_field_name("value").filter(|_| !is_kept || is_given())
    }

    /// How the block around a declaration uses the static variables that it declares.
    fn use_in_block(&self, declaration: Node<'t>) -> Option<StaticUse> {
        let block = declaration.parent().filter(|block| block.kind() == "compound_statement")?;
        let is_of_switch = block.parent().is_none_or(|around| around.kind() == "switch_statement");
        if is_of_switch || nodes_in(block).any(|part| matches!(part.kind(), "labeled_statement" | "goto_statement")) {
            return None;
        }
        let behind = children(block).into_iter().filter(|part| part.start_byte() > declaration.start_byte());
        let behind: Vec<Node<'t>> = behind.collect();
        let declarators = fields(declaration, "declarator");
        let mut uses = declarators.into_iter().map(|declarator| self.use_of_static(declaration, declarator, &behind));
        let first = uses.next()??;
        uses.all(|other| other == Some(first)).then_some(first)
    }

    fn use_of_static(&self, declaration: Node<'t>, declarator: Node<'t>, behind: &[Node<'t>]) -> Option<StaticUse> {
        let ty = declared(self.unit, declarator, base_type(self.unit, &self.scope, declaration)).1;
        let name = self.unit.text(declared_identifier(declarator)?);
        if let CType::Array(..) = ty {
            let is_known = declarator.child_by_field_name("value").is_some();
            let is_read =
                behind.iter().all(|part| named(self.unit, *part, name).all(|it| is_element_read(self.unit, it, &ty)));
            return (is_known && is_read).then_some(StaticUse::Constant);
        }
        let is_addressed = behind.iter().any(|part| takes_address_in(self.unit, *part, name));
        if !matches!(ty, CType::Scalar(_)) || is_addressed {
            return None;
        }
        let is_it = |target: Node<'t>| target.kind() == "identifier" && self.unit.text(target) == name;
        if !behind.iter().any(|part| nodes_in(*part).any(|node| assigned(node).is_some_and(is_it))) {
            let is_known = declarator.child_by_field_name("value").is_some();
            return is_known.then_some(StaticUse::Constant);
        }
        let first = behind.iter().find(|part| mentions(self.unit, **part, name))?;
        let assignment = children(*first).first().copied().map(strip_parentheses)?;
        let (left, right) = plain_assignment(self.unit, assignment)?;
        (first.kind() == "expression_statement" && is_it(left) && !mentions(self.unit, right, name))
            .then_some(StaticUse::AssignedFirst)
    }

    /// Whether a declaration is one of arrays of numbers, or of structures of them, that begin as nothing or zeros, and of numbers that the block behind it
    /// assigns before it names them otherwise, as those that count loops.
    pub fn is_work_space(&self, declaration: Node<'t>) -> bool {
        let block = declaration.parent();
        fields(declaration, "declarator").into_iter().all(|declarator| {
            let ty = declared(self.unit, declarator, base_type(self.unit, &self.scope, declaration)).1;
            let values = declarator.child_by_field_name("value");
            match (&ty, declared_identifier(declarator).zip(block)) {
                (CType::Array(..), _) => {
                    let has_numbers = matches!(innermost(&ty), CType::Scalar(_)) || self.is_of_numbers(innermost(&ty));
                    has_numbers && values.is_none_or(|values| self.are_zeros(values))
                }
                (CType::Scalar(_), Some((name, block))) => {
                    values.is_none() && self.is_assigned_first(block, self.text(name), declaration.end_byte())
                }
                _ => false,
            }
        })
    }

    /// Whether the first that `block` does with the number `name` behind a place is to assign it, on all ways.
    fn is_assigned_first(&self, block: Node<'t>, name: &str, behind: usize) -> bool {
        let Some(first) = named(self.unit, block, name).find(|it| it.start_byte() > behind) else { return true };
        let mut around = std::iter::successors(first.parent(), Node::parent).take_while(|it| *it != block);
        let is_plain = |it: Node<'t>| plain_assignment(self.unit, it).is_some_and(|(left, _)| left == first);
        let is_sure = |it: Node| matches!(it.kind(), "expression_statement" | "for_statement" | "compound_statement");
        around.next().is_some_and(is_plain) && around.all(is_sure)
    }

    /// Whether nobody but the nest comes to a declaration.
    fn is_within_nest(&self, declaration: Node<'t>) -> bool {
        match self.frames.last() {
            Some(frame) => self.is_called_by_nest_alone(frame.definition, &mut Vec::new()),
            None => declaration.parent().is_some_and(|block| self.is_part_of_nest(block)),
        }
    }

    fn is_part_of_nest(&self, node: Node<'t>) -> bool {
        self.node.start_byte() <= node.start_byte() && node.end_byte() <= self.node.end_byte()
    }

    /// Whether all that names a function are calls in the nest, or in functions that the nest alone calls; `seen` has those that are
    /// being asked about.
    fn is_called_by_nest_alone(&self, definition: Node<'t>, seen: &mut Vec<Node<'t>>) -> bool {
        if seen.contains(&definition) {
            return true;
        }
        seen.push(definition);
        let Some((name, root)) = defined_name(self.unit, definition).zip(self.ancestors.last()) else { return false };
        let is_hidden = has_word(self.unit, definition, "storage_class_specifier", "static");
        named(self.unit, *root, name).all(|mention| {
            let around: Vec<Node<'t>> = std::iter::successors(mention.parent(), Node::parent).collect();
            if let Some(declared) = around.iter().find(|it| it.kind() == "declaration")
                && around
                    .iter()
                    .any(|it| it.kind() == "function_declarator" && declared.byte_range().contains(&it.start_byte()))
            {
                return is_hidden || !self.unit.is_included(declared.start_byte());
            }
            let is_callee =
                around[0].kind() == "call_expression" && around[0].child_by_field_name("function") == Some(mention);
            match around.iter().find(|it| it.kind() == "function_definition") {
                Some(own) if *own == definition => {
                    own.child_by_field_name("body").is_some_and(|body| mention.start_byte() < body.start_byte())
                }
                Some(_) if self.is_part_of_nest(mention) => is_callee,
                Some(caller) => {
                    is_callee
                        && Some(*caller) != self.enclosing_function()
                        && self.is_called_by_nest_alone(*caller, seen)
                }
                None => false,
            }
        })
    }
}

/// The type of the numbers that an array consists of.
fn innermost<'c, 't>(mut ty: &'c CType<'t>) -> &'c CType<'t> {
    while let CType::Array(inner, _) = ty {
        ty = inner;
    }
    ty
}

/// Whether an array of type `ty`, which `identifier` names, is named to read an element of it.
fn is_element_read(unit: &Unit, identifier: Node, ty: &CType) -> bool {
    let (element, mut rank, mut rest) = (subscripted(identifier), 0, ty);
    while let CType::Array(inner, _) = rest {
        (rank, rest) = (rank + 1, inner);
    }
    let mut inner = element;
    for _ in 0..rank {
        match inner.child_by_field_name("argument").filter(|_| inner.kind() == "subscript_expression") {
            Some(argument) => inner = argument,
            None => return false,
        }
    }
    let mut around =
        std::iter::successors(element.parent(), Node::parent).skip_while(|it| it.kind() == "parenthesized_expression");
    let is_changed = around.next().is_some_and(|it| {
        let is_it = |place: Node| strip_parentheses(place) == element;
        assigned(it).is_some_and(is_it) || address_of(unit, it).is_some_and(is_it)
    });
    inner == identifier && !is_changed
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{read, refusal};

    /// A nest whose points call a function with this body.
    fn called(body: &str) -> String {
        format!(
            "static double f(double x)\n{{ {body} }}\nvoid g(int n, double *a, const double *b)\n{{\n#pragma stencil\n\
             for (int i = 0; i < n; i++) a[i] = f(b[i]);\n}}\n"
        )
    }

    #[test]
    fn what_each_call_assigns_first_is_no_state() {
        for body in [
            "static double s; s = x * x; return s + 1;",
            "static double s, r; s = x; r = 2 * s; if (x > 0) s = r; return s;",
            "static double s = 3, r = 4; return s * x + r;",
            "static double s = 3; s = x; return s;",
            "static double s[2]; s[0] = x; return s[0];",
        ] {
            read(&called(body));
        }
    }

    /// A nest whose steps call a function with this declaration, this code before its sweeps and this behind them.
    fn stepped(declaration: &str, first: &str, last: &str, elsewhere: &str) -> String {
        format!(
            "void step(double *a) {{ static {declaration}; {first} for (int i = 1; i < 39; i++) w[i] = a[i - 1];\n\
             for (int i = 1; i < 39; i++) a[i] = w[i]; {last} }}\nvoid all(double *a) {{ step(a); }}\n\
             void g(int n, double *a) {{\n#pragma stencil\nfor (int t = 0; t < n; t++) all(a);\n{elsewhere}\n}}\n"
        )
    }

    #[test]
    fn work_space_of_functions_that_the_nest_alone_calls_is_the_steps_own() {
        for declaration in
            ["double w[40]", "double w[40] = { 0 }", "double w[40], v[2][8]", "double w[40]; static int k"]
        {
            let nest = read(&stepped(declaration, "", "", ""));
            assert_eq!(nest.step.grids.len(), 1, "{declaration}: {nest}");
        }
        read(&stepped("double w[40]; static int k", "for (k = 0; k < 2; k++) a[k] = k;", "", ""));
        read(&stepped("double w[40]; static double c[] = { 1, 2 }", "a[0] = c[1];", "", ""));
    }

    #[test]
    fn what_others_may_find_in_work_space_is_refused() {
        for (declaration, first, last, elsewhere) in [
            ("double w[40]", "", "", "step(a);"),
            ("double w[40]", "", "", "all(a);"),
            ("double w[40]", "", "", "void (*later)(double *) = step; later(a);"),
            ("double w[40] = { 1 }", "", "", ""),
            ("double w[40], *p", "", "", ""),
            ("double w[40]; static int k", "a[0] = k;", "", ""),
            ("double w[40]; static int k = 0", "k = 2; a[0] = k;", "k++;", "step(a);"),
            ("double w[40]; static double c[] = { 1, 2 }", "a[0] = c[1];", "c[0] = 3;", ""),
            ("double w[40]; static double c[] = { 1, 2 }", "double *p = c; a[0] = p[0];", "", ""),
        ] {
            let refused = refusal(&stepped(declaration, first, last, elsewhere));
            assert_eq!(refused.code, "unsupported-statement", "{declaration} {first} {last} {elsewhere}");
        }
        let left = format!("double *last;\n{}", stepped("double w[40]", "", "last = w;", ""));
        assert_eq!(refusal(&left).code, "pointer-live-out");
    }

    #[test]
    fn what_goes_from_call_to_call_is_refused() {
        for body in [
            "static double s; if (x > 0) s = x; return s;",
            "static double s = 0; s += x; return s;",
            "static double s = 1; s = s * x; return s;",
            "static double s = 3, r; r = x; return s + r;",
            "static double s; return s;",
            "static double s; static double *p = &s; s = x; *p += 1; return s;",
            "static int first = 1; if (first) { first = 0; return 0; } return x;",
        ] {
            assert_eq!(refusal(&called(body)).code, "unsupported-statement", "{body}");
        }
    }
}
