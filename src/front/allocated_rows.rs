//! Rows that the function around the nest has allocated in a loop before it: `for (i = 0; i < n; i++) u[i] = malloc(m * sizeof **u);`.
//!
//! Then all elements are there, whatever data say of them later, as long as nobody else changes the table: all that names it in the
//! function is such a loop, elements of rows, or what functions of the file get to use their elements.

use tree_sitter::Node;

use super::grids::allocation;
use super::polynomial::Polynomial;
use super::reader::Reader;
use super::tree::{
    address_of, assigned, children, declared_identifier, defined_name, fields, is_loop, named, nodes_in,
    parameter_list, plain_assignment, strip_parentheses, subscripted, target, without_casts,
};
use super::types::CType;
use crate::ir::{Expr, Handle, HostValue, ScalarType};
use crate::source::Span;

/// Calls within calls that are looked into.
const MAX_DEPTH: usize = 4;

impl<'t> Reader<'_, '_, 't> {
    /// How many rows these tables have and how many elements each row, if all have been allocated alike.
    pub fn allocated_rows(&mut self, tables: &[Handle<HostValue>], span: Span) -> Option<Vec<Handle<Expr>>> {
        let all: Option<Vec<_>> = tables.iter().map(|table| self.allocated_rows_of(*table)).collect();
        let all = all?;
        let first = all.first().filter(|first| all.iter().all(|other| other == *first))?;
        Some(first.iter().map(|size| self.polynomial_expr(size, span)).collect())
    }

    fn allocated_rows_of(&mut self, table: Handle<HostValue>) -> Option<[Polynomial; 2]> {
        let function = self.enclosing_function()?;
        let variable = self.declaration_of(table)?.clone();
        let is_own =
            function.byte_range().contains(&variable.declared_at) && !variable.is_static && !variable.is_volatile;
        if !is_own || !self.nest.values[table].path.is_empty() || nodes_in(function).any(jumps_anywhere) {
            return None;
        }
        let element = match &variable.ty {
            CType::Pointer(rows) | CType::Array(rows, _) => match &**rows {
                CType::Pointer(element) => match **element {
                    CType::Scalar(element) => element,
                    _ => return None,
                },
                _ => return None,
            },
            _ => return None,
        };
        let name = self.name(table).to_owned();
        let mentions: Vec<Node<'t>> = named(self.unit, function, &name).collect();
        let (mut rows, mut tables) = (Vec::new(), Vec::new());
        for mention in mentions {
            if let Some(value) = self.allocation_of_row(mention) {
                rows.push((mention, value));
            } else if let Some(statement) = self.allocation_of_table(mention) {
                tables.extend(statement);
            } else if !self.is_in_marked(mention)
                && !self.leaves_table(mention, 0)
                && !self.frees_behind(function, mention)
            {
                return None;
            }
        }
        let [(row, value)] = rows[..] else { return None };
        let header = self.loop_over_rows(row)?;
        let begins = tables.iter().map(Node::end_byte).max().unwrap_or(variable.declared_at);
        if tables.len() > 1
            || begins > header.start_byte()
            || !tables.iter().chain([&header]).all(|it| self.is_before(*it))
        {
            return None;
        }
        let count = header.child_by_field_name("condition")?.child_by_field_name("right")?;
        let count = self.size_since(count, header)?;
        let length = self.elements_of(value, element, header)?;
        Some([count, length])
    }

    /// What `table[i] = malloc(...)` allocates.
    fn allocation_of_row(&self, mention: Node<'t>) -> Option<Node<'t>> {
        let row = mention.parent().filter(|it| it.kind() == "subscript_expression")?;
        let (left, value) = plain_assignment(self.unit, row.parent()?)?;
        allocation(self.unit, value).filter(|_| left == row && row.child_by_field_name("argument") == Some(mention))
    }

    /// The statement that gives a table memory for the pointers to its rows, or declares it; nothing if that does not give memory.
    fn allocation_of_table(&self, mention: Node<'t>) -> Option<Option<Node<'t>>> {
        let around = mention.parent()?;
        if let Some((left, value)) = plain_assignment(self.unit, around) {
            let statement = around.parent().filter(|it| it.kind() == "expression_statement")?;
            return (left == mention && allocation(self.unit, value).is_some()).then_some(Some(statement));
        }
        let is_declarator = |it: &Node<'t>| it.kind().ends_with("_declarator");
        let declarators = std::iter::successors(Some(mention), Node::parent).skip(1).take_while(is_declarator);
        let declarator = declarators.last().unwrap_or(mention);
        let declaration = declarator.parent().filter(|it| it.kind() == "declaration")?;
        let value = declarator.child_by_field_name("value");
        let is_it = declared_identifier(declarator) == Some(mention);
        match value.filter(|value| !["0", "NULL"].contains(&self.text(without_casts(*value)))) {
            None => is_it.then_some(None),
            Some(value) => (is_it && allocation(self.unit, value).is_some()).then_some(Some(declaration)),
        }
    }

    /// The loop from 0 on that gives each row its memory, by an assignment for `mention[i]`.
    fn loop_over_rows(&self, mention: Node<'t>) -> Option<Node<'t>> {
        let statement = mention.parent()?.parent()?.parent().filter(|it| it.kind() == "expression_statement")?;
        let body = statement.parent()?;
        let header = if body.kind() == "compound_statement" { body.parent()? } else { body };
        let index = mention.parent()?.child_by_field_name("index").filter(|it| it.kind() == "identifier")?;
        let name = self.text(index);
        let part = |part| header.child_by_field_name(part).filter(|_| header.kind() == "for_statement");
        let (start, condition, update) = (part("initializer")?, part("condition")?, part("update")?);
        let first = match start.child_by_field_name("declarator") {
            Some(declarator) => {
                (declarator.child_by_field_name("declarator")?, declarator.child_by_field_name("value")?)
            }
            None => plain_assignment(self.unit, start)?,
        };
        let counts = update.kind() == "update_expression" && self.text(update).contains("++");
        let is_below = condition.child_by_field_name("operator").is_some_and(|it| self.text(it) == "<");
        let is_it = |node: Option<Node<'t>>| node.is_some_and(|node| self.text(node) == name);
        let is_counted = is_it(Some(first.0)) && self.text(first.1) == "0" && is_below && counts;
        let are_all = is_it(condition.child_by_field_name("left")) && is_it(target(update));
        let body = part("body")?;
        let is_changed = nodes_in(body).any(|it| {
            let changed = assigned(it).or_else(|| address_of(self.unit, it));
            is_it(changed) || matches!(it.kind(), "break_statement" | "continue_statement")
        });
        (is_counted && are_all && !is_changed).then_some(header)
    }

    /// Whether a statement is always executed before the nest is: it stands in a block around the nest.
    fn is_before(&self, statement: Node<'t>) -> bool {
        let is_around = statement.parent().is_some_and(|block| self.ancestors.contains(&block));
        is_around && statement.end_byte() <= self.node.start_byte() && !self.is_repeated(statement)
    }

    fn is_repeated(&self, statement: Node<'t>) -> bool {
        std::iter::successors(statement.parent(), Node::parent).any(is_loop)
    }

    fn is_in_marked(&self, mention: Node<'t>) -> bool {
        self.node.start_byte() <= mention.start_byte() && mention.end_byte() <= self.node.end_byte()
    }

    /// Whether a mention of a table changes neither it nor its rows: an element, a row of which nobody gets the place, or an argument
    /// of a function that does no more.
    fn leaves_table(&mut self, mention: Node<'t>, depth: usize) -> bool {
        let place = subscripted(mention);
        let mut around = std::iter::successors(place.parent(), Node::parent);
        let Some(around) = around.find(|it| it.kind() != "parenthesized_expression") else { return false };
        if place != mention {
            let is_row = mention.parent() == Some(place);
            let is_it = |it: Node<'t>| strip_parentheses(it) == place;
            return !is_row
                || !assigned(around).is_some_and(is_it) && !address_of(self.unit, around).is_some_and(is_it);
        }
        match around.kind() {
            "unary_expression" | "sizeof_expression" => true,
            // An `if` asks whether there is memory.
            "if_statement" => true,
            "binary_expression" => {
                let operator = around.child_by_field_name("operator").map(|it| self.text(it));
                matches!(operator, Some("==" | "!="))
            }
            "argument_list" => {
                let Some(call) = around.parent() else { return false };
                let position = children(around).iter().position(|it| *it == mention);
                position.is_some_and(|position| depth < MAX_DEPTH && self.callee_leaves(call, position, depth))
            }
            "pointer_expression" => {
                let mut outer = std::iter::successors(around.parent(), Node::parent);
                outer
                    .find(|it| !it.kind().ends_with("_expression") || it.kind() == "sizeof_expression")
                    .is_some_and(|it| it.kind() == "sizeof_expression")
            }
            _ => false,
        }
    }

    /// Whether the function that `call` calls only uses elements of what it gets as its argument at `position`.
    fn callee_leaves(&mut self, call: Node<'t>, position: usize, depth: usize) -> bool {
        let Some(function) = call.child_by_field_name("function").filter(|it| it.kind() == "identifier") else {
            return false;
        };
        let Some(definition) = self.defined_at(self.text(function), call.start_byte()) else { return false };
        let parameters = parameter_list(definition).map(children).unwrap_or_default();
        let declarator = parameters.get(position).and_then(|it| it.child_by_field_name("declarator"));
        let (Some(name), Some(body)) =
            (declarator.and_then(declared_identifier), definition.child_by_field_name("body"))
        else {
            return false;
        };
        let mentions: Vec<Node<'t>> = named(self.unit, body, self.text(name)).collect();
        defined_name(self.unit, definition) == Some(self.text(function))
            && mentions.into_iter().all(|mention| self.leaves_table(mention, depth + 1))
    }

    /// Whether a mention gives memory back when the nest is over.
    fn frees_behind(&self, function: Node<'t>, mention: Node<'t>) -> bool {
        let around = std::iter::successors(mention.parent(), Node::parent).take_while(|it| *it != function);
        let around: Vec<Node<'t>> = around.collect();
        let is_free = around.iter().any(|it| {
            let callee = it.child_by_field_name("function").filter(|_| it.kind() == "call_expression");
            callee.is_some_and(|callee| self.text(callee) == "free" && !self.defines("free"))
        });
        let is_around_nest =
            |it: &Node<'t>| it.start_byte() <= self.node.start_byte() && self.node.end_byte() <= it.end_byte();
        let repeats = around
            .iter()
            .any(|it| is_around_nest(it) && it.kind() != "compound_statement" && it.kind() != "if_statement");
        is_free && mention.start_byte() > self.node.end_byte() && !repeats
    }

    /// How many elements a call allocates.
    fn elements_of(&mut self, call: Node<'t>, element: ScalarType, header: Node<'t>) -> Option<Polynomial> {
        let arguments = children(call.child_by_field_name("arguments")?);
        let (one, other) = match arguments[..] {
            [one, other] => (one, other),
            [only] => {
                let product = strip_parentheses(only);
                let is_product = product.child_by_field_name("operator").is_some_and(|it| self.text(it) == "*");
                let side = |side| product.child_by_field_name(side).filter(|_| is_product);
                (side("left")?, side("right")?)
            }
            _ => return None,
        };
        let is_size = |it: Node| strip_parentheses(it).kind() == "sizeof_expression";
        let (size, count) = if is_size(one) { (one, other) } else { (other, one) };
        let size = if is_size(size) { self.scalar(size).ok()? } else { return None };
        let is_of_element = self.constant(size) == Some(element.size() as i64);
        self.size_since(count, header).filter(|_| is_of_element)
    }

    /// What an integer in a loop before the nest is all the time, and still is at the nest.
    fn size_since(&mut self, node: Node<'t>, header: Node<'t>) -> Option<Polynomial> {
        let declares = |name: &str| {
            let declared =
                nodes_in(header).filter(|it| it.kind() == "declaration").flat_map(|it| fields(it, "declarator"));
            declared.filter_map(declared_identifier).any(|it| self.text(it) == name)
        };
        let is_own = nodes_in(node).any(|it| it.kind() == "identifier" && declares(self.text(it)));
        if is_own || !self.is_plain_and_fixed(self.node, node, header.start_byte()) {
            return None;
        }
        let value = self.plain_integer(node, ScalarType::I64)?;
        self.fixed_polynomial(value)
    }
}

/// Whether control may go on elsewhere than it seems.
fn jumps_anywhere(node: Node) -> bool {
    matches!(node.kind(), "labeled_statement" | "goto_statement" | "gnu_asm_expression")
}

#[cfg(test)]
mod tests {
    use crate::front::tests::read;

    const USED: &str =
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) if (mask[i * m + j]) b[i][j] = a[i][j];";
    const TABLES: &str = "double **a = malloc(n * sizeof *a), **b; b = (double **)malloc(n * sizeof *b);";
    const ROWS: &str =
        "for (i = 0; i < n; i++) { a[i] = malloc(m * sizeof **a); b[i] = (double *)calloc(m, sizeof(double)); }";

    /// Whether the nest knows how long the rows of both arrays are.
    fn are_known(tables: &str, rows: &str, before: &str, behind: &str) -> bool {
        let text = format!(
            "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *); void other(double **);\n\
             static void fill(int n, int m, double **u) {{ for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) u[i][j] = i; }}\n\
             static void both(int n, int m, double **u) {{ fill(n, m, u); u[0][0] = 1; }}\n\
             static void cut(double **u) {{ u[1] = malloc(8); }}\nstatic void twice(double **u) {{ cut(u); }}\n\
             void f(int n, int m, int k, const int *mask) {{ int i; {tables} {rows} {before}\n#pragma stencil\n{USED}\n{behind} }}\n"
        );
        let nest = read(&text);
        let known = nest.arrays.iter().filter(|(_, it)| it.allocated.len() == 2).count();
        known == 2
    }

    #[test]
    fn rows_that_a_loop_allocates_are_there() {
        for (before, behind) in [
            ("", ""),
            ("fill(n, m, a); both(n, m, b);", "for (i = 0; i < n; i++) { free(a[i]); free(b[i]); } free(a);"),
            ("double *row = a[3]; row[2] = 7; a[2][3] += b[1][1];", "other(0);"),
            ("if (!a || b == 0) return;", ""),
        ] {
            assert!(are_known(TABLES, ROWS, before, behind), "{before} {behind}");
        }
        let apart = "for (i = 0; i < n; i++) a[i] = malloc(sizeof(double) * m); for (int l = 0; l < n; ++l) b[l] = malloc(sizeof(double) * (m));";
        assert!(are_known(TABLES, apart, "", ""));
        assert!(are_known("double *a[40], *b[40];", ROWS, "", ""));
    }

    #[test]
    fn rows_that_may_be_others_are_not_known() {
        for before in [
            "m = k;",
            "n++;",
            "a[1] = malloc(8);",
            "for (i = 0; i < 3; i++) a[i] = malloc(8);",
            "other(a);",
            "cut(a);",
            "twice(b);",
            "double **w = a; w[2] = b[1];",
            "double ***w = &a; (*w)[2] = b[1];",
            "double **w = &a[2]; *w = b[1];",
            "(a[2]) = b[1];",
            "a[2]++;",
            "free(a); a = malloc(n * sizeof *a);",
            "if (k) goto end; a[2][2] = 1; end:;",
        ] {
            assert!(!are_known(TABLES, ROWS, before, ""), "{before}");
        }
        for rows in [
            "for (i = 1; i < n; i++) { a[i] = malloc(m * sizeof **a); b[i] = malloc(m * sizeof **a); }",
            "for (i = 0; i < n; i += 2) { a[i] = malloc(m * sizeof **a); b[i] = malloc(m * sizeof **a); }",
            "for (i = 0; i < n; i++) { a[i] = malloc(i * sizeof **a); b[i] = malloc(i * sizeof **a); }",
            "for (int k = 0; k < n; k++) { a[k] = malloc(k * sizeof **a); b[k] = malloc(k * sizeof **a); }",
            "for (i = 0; i < n; i++) { int m = i; a[i] = malloc(m * sizeof **a); b[i] = malloc(m * sizeof **a); }",
            "for (i = 0; i < n; i++) { a[i] = malloc(m * sizeof **a); b[i] = malloc(m * sizeof **a); m = 3; }",
            "for (i = 0; i < n; i++) { if (i == 3) continue; a[i] = malloc(m * sizeof **a); b[i] = malloc(m * sizeof **a); }",
            "for (i = 0; i < n; i++) { if (i < 3) a[i] = malloc(m * sizeof **a); b[i] = malloc(m * sizeof **a); }",
            "for (i = 0; i < n; i++) { a[i] = malloc(m * sizeof(float)); b[i] = malloc(m * sizeof **a); }",
            "for (i = 0; i < n; i++) { a[i] = malloc(m); b[i] = malloc(m * sizeof **a); }",
            "if (k) for (i = 0; i < n; i++) { a[i] = malloc(m * sizeof **a); b[i] = malloc(m * sizeof **a); }",
            "for (i = 0; i < n; i++) { a[i] = malloc(m * sizeof **a); b[i] = a[i]; }",
        ] {
            assert!(!are_known(TABLES, rows, "", ""), "{rows}");
        }
    }
}
