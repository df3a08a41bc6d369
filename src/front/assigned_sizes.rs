//! Sizes that a nest is read with as what the program assigns to them: `row = nz; plane = ny * nz;` where subscripts have
//! `i * plane + j * row + k`, and loops run to `ny` and `nz`.
//!
//! If the file assigns such a variable once, and a nest cannot be read without, what is assigned stands for it. That the variable
//! holds this in front of the nest is what the driver sees.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use tree_sitter::Node;

use super::delinearize::Flat;
use super::polynomial::{Indeterminate, Polynomial, Ranges};
use super::reader::Reader;
use super::tree::{nodes_in, strip_parentheses, target};
use crate::ir::{BinaryOp, Expr, Handle, HostValue, RangeCheck, ScalarType};
use crate::source::Span;

impl<'t> Reader<'_, '_, 't> {
    /// Notes which sizes in flat subscripts might be what is assigned to them. Where one is a part of what an index moves by, it hardly
    /// is anything else.
    pub fn want_assigned_sizes(&self, flat: &[Flat]) {
        let flat: Vec<&Polynomial> = flat.iter().map(|(flat, _)| flat).collect();
        let moved: Vec<_> =
            flat.iter().filter_map(|flat| flat.by_index()).flat_map(|(by, _)| by.into_values()).collect();
        let parts: Vec<&Polynomial> = moved.iter().filter(|by| by.terms().count() > 1).collect();
        let is_part = !self.assigned_names(&parts).is_empty();
        let mut wanted = self.unit.wanted.borrow_mut();
        wanted.ways.assigned.extend(self.assigned_names(&flat));
        wanted.is_needed |= is_part;
    }

    /// The sizes in polynomials to which the file assigns something once.
    fn assigned_names(&self, polynomials: &[&Polynomial]) -> Vec<String> {
        let is_assigned = |name: &str| self.assigned_to(name).is_some_and(|value| !self.is_first_value(value));
        self.sizes_in(polynomials).filter(|name| is_assigned(name)).map(str::to_owned).collect()
    }

    /// Notes that a loop should end at what is assigned to the size there, or at what that begins with.
    pub fn want_assigned_end(&self, end: &Polynomial) {
        let names: Vec<_> = self.sizes_in(&[end]).filter(|name| self.assigned_to(name).is_some()).collect();
        let mut wanted = self.unit.wanted.borrow_mut();
        wanted.is_needed |= !names.is_empty();
        wanted.ways.assigned.extend(names.into_iter().map(str::to_owned));
    }

    fn sizes_in(&self, polynomials: &[&Polynomial]) -> impl Iterator<Item = &str> {
        let terms = polynomials.iter().flat_map(|it| it.terms()).flat_map(|(monomial, _)| monomial.iter());
        let params: Vec<_> = terms
            .filter_map(|symbol| match symbol {
                Indeterminate::Param(param) => Some(*param),
                _ => None,
            })
            .collect();
        params.into_iter().filter_map(|param| self.plain_size(param))
    }

    fn is_first_value(&self, value: Node<'t>) -> bool {
        value.parent().is_some_and(|declarator| begun(declarator).is_some())
    }

    /// The variables that flat subscripts add where no index moves, and that hold the sizes of planes, as far as that is plain to see:
    /// `plane` in `a[plane + i * n + j]` behind `plane = n * m`.
    pub fn products_in(&self, flat: &[Flat], ranges: &Ranges) -> BTreeSet<Indeterminate> {
        let rests = flat.iter().filter_map(|(flat, _)| flat.by_index()).map(|(_, rest)| rest);
        let alone = rests.flat_map(|rest| {
            let symbols = rest.terms().filter_map(|(monomial, _)| <[_; 1]>::try_from(monomial.as_slice()).ok());
            symbols.map(|[symbol]| symbol).collect::<BTreeSet<_>>()
        });
        let alone: BTreeSet<_> = alone.collect();
        let holds = |symbol: Indeterminate, size: &Polynomial| {
            flat.iter().all(|(flat, _)| {
                let planes = Polynomial::term(vec![symbol], flat.coefficient(&vec![symbol]));
                let inside = flat.plus(&planes, -1);
                inside.is_some_and(|inside| is_within(&inside, size, ranges))
            })
        };
        alone
            .into_iter()
            .filter(|symbol| self.product_held(*symbol).is_some_and(|size| holds(*symbol, &size)))
            .collect()
    }

    /// The product that a variable is given in front of the nest, made of what the nest is read with.
    fn product_held(&self, symbol: Indeterminate) -> Option<Polynomial> {
        let Indeterminate::Param(param) = symbol else { return None };
        let variable = self.variable_of(param).filter(|variable| self.nest.values[*variable].path.is_empty())?;
        let value = self.value_before(variable).or_else(|| self.assigned_to(self.name(variable)));
        let value = strip_parentheses(value?);
        let is_product = value.child_by_field_name("operator").is_some_and(|operator| self.text(operator) == "*");
        if is_product { self.sizes_of(value) } else { None }
    }

    fn sizes_of(&self, node: Node<'t>) -> Option<Polynomial> {
        let side = |name| self.sizes_of(strip_parentheses(node.child_by_field_name(name)?));
        match node.kind() {
            "number_literal" => self.text(node).parse().ok().map(Polynomial::constant),
            "identifier" => {
                let is_it = |param| {
                    let variable = self.variable_of(param).filter(|it| self.nest.values[*it].path.is_empty());
                    variable.is_some_and(|variable| self.name(variable) == self.text(node))
                };
                let param = self.nest.params.iter().map(|(param, _)| param).find(|param| is_it(*param))?;
                Some(Polynomial::term(vec![Indeterminate::Param(param)], 1))
            }
            "binary_expression" => match self.text(node.child_by_field_name("operator")?) {
                "*" => side("left")?.times(&side("right")?),
                "+" => side("left")?.plus(&side("right")?, 1),
                "-" => side("left")?.plus(&side("right")?, -1),
                _ => None,
            },
            _ => None,
        }
    }

    /// What stands for a size; the driver makes sure of that.
    pub fn assigned_size(&mut self, variable: Handle<HostValue>, ty: ScalarType, span: Span) -> Option<Handle<Expr>> {
        if let Some(known) = self.assigned_sizes.get(&variable) {
            return *known;
        }
        let name = self.name(variable).to_owned();
        if !self.unit.taken.ways.assigned.contains(&name) || ty != ScalarType::I32 {
            return None;
        }
        self.assigned_sizes.insert(variable, None);
        let value = self.plain_integer(self.assigned_to(&name)?, ty).filter(|value| self.is_of_params(*value))?;
        self.require_assigned(variable, value, span);
        self.assigned_sizes.insert(variable, Some(value));
        Some(value)
    }

    /// Whether an integer is made of what does not change in the nest.
    fn is_of_params(&self, value: Handle<Expr>) -> bool {
        let is_fixed = |symbol: &Indeterminate| matches!(symbol, Indeterminate::Param(_));
        self.polynomial(value).is_some_and(|it| it.terms().all(|(monomial, _)| monomial.iter().all(is_fixed)))
    }

    fn require_assigned(&mut self, variable: Handle<HostValue>, value: Handle<Expr>, span: Span) {
        let held = self.param(variable, self.ty(value), span);
        let (held, value) = (self.long(held), self.polynomial(value));
        let Some(value) = value else { return };
        let value = self.polynomial_expr(&value, span);
        let value = self.long(value);
        let value = self.binary(BinaryOp::Sub, held, value, span);
        self.nest.range_checks.push(RangeCheck::exactly(value, 0));
    }

    /// What the file assigns to a variable of that name, or begins it with, if it does so once and nobody gets a pointer to it, as
    /// `scanf` does.
    fn assigned_to(&self, name: &str) -> Option<Node<'t>> {
        let root = self.ancestors.last().copied().filter(|root| !self.unit.takes_address(*root, name))?;
        let [only] = self.functions.values.get_or_init(|| self.values_in(root)).get(name)?.as_slice() else {
            return None;
        };
        let only = root.named_descendant_for_byte_range(only.start, only.end)?;
        let value = match only.child_by_field_name("operator") {
            Some(operator) => only.child_by_field_name("right").filter(|_| self.text(operator) == "="),
            None => only.child_by_field_name("value"),
        };
        value.filter(|value| !self.mentions(*value, name))
    }

    /// What gives values to variables below `root`, by their names.
    fn values_in(&self, root: Node) -> BTreeMap<String, Vec<Range<usize>>> {
        let mut found: BTreeMap<String, Vec<Range<usize>>> = BTreeMap::new();
        for node in nodes_in(root) {
            if let Some(variable) = target(node).or_else(|| begun(node)) {
                found.entry(self.text(variable).to_owned()).or_default().push(node.byte_range());
            }
        }
        found
    }
}

/// Whether a flat subscript is less than a size wherever its indices are.
fn is_within(flat: &Polynomial, size: &Polynomial, ranges: &Ranges) -> bool {
    let Some((coefficients, _)) = flat.by_index() else { return false };
    let largest = flat.substituted(&|this| {
        let (first, last) = ranges.get(&this)?;
        Some(if coefficients.get(&this)?.is_surely_nonnegative() { last } else { first }.clone())
    });
    let left = largest.and_then(|largest| size.plus(&largest, -1)?.plus(&Polynomial::constant(1), -1));
    left.is_some_and(|left| left.is_surely_nonnegative())
}

/// The variable that a declaration begins with a value.
fn begun(node: Node) -> Option<Node> {
    let name = node.child_by_field_name("declarator").filter(|_| node.kind() == "init_declarator")?;
    (name.kind() == "identifier").then_some(name)
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read};

    /// A nest whose rows and planes are what `assigned` says.
    fn nest(assigned: &str) -> String {
        let update = "for (int i = 0; i < n - 1; i++) { for (int j = 0; j < m - 1; j++) { for (int k = 0; k < l - 1; k++) \
            { a[at] = b[at + row] + b[at + plane]; at++; } at++; } at += row; }";
        let body = format!("#pragma stencil\nfor (int t = 0; t < 9; t++) {{ int at = 0; {update} }}");
        format!("int n, m, l, row, plane;\nvoid sizes(void) {{ {assigned} }}\n")
            + &function("double *a, double *b", &body)
    }

    #[test]
    fn what_is_assigned_stands_for_sizes() {
        let nest = read(&nest("row = l; plane = m * row;"));
        let text = nest.to_string().replace("(long long)", "");
        assert!(text.contains("a[i][j][k] = (b[i][(j + 1)][k] + b[(i + 1)][j][k])"), "{text}");
        assert_eq!(nest.range_checks.iter().filter(|it| (it.least, it.greatest) == (0, 0)).count(), 2, "{text}");
    }

    /// The strides of an array that `size` is added to in subscripts of rows of `m` elements.
    fn strides(size: &str) -> usize {
        let update =
            "for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) a[s + i * m + j] = a[i * m + j - m];";
        let body = format!("int s = {size};\n#pragma stencil\nfor (int t = 0; t < 9; t++) {update}");
        let nest = read(&function("int n, int m, int l, double *a", &body));
        nest.arrays.iter().map(|(_, array)| array.strides.len()).sum()
    }

    #[test]
    fn products_of_sizes_are_planes_where_rows_fit_in() {
        assert_eq!(strides("n * m"), 3);
        assert_eq!(strides("(n + 2) * m"), 3);
        assert_eq!(strides("(n - 2) * m"), 2);
        assert_eq!(strides("l * m"), 2);
        assert_eq!(strides("n + m"), 2);
    }

    #[test]
    fn sizes_that_are_assigned_in_several_places_are_their_own() {
        for assigned in [
            "row = l; row = m; plane = m * l;",
            "row++; plane++;",
            "row = l + row; plane = row * plane;",
            "row = l; ask(&row); plane = m * l; ask(&plane);",
        ] {
            let text = read(&nest(assigned)).to_string().replace("(long long)", "");
            assert!(text.contains("strides value_row_plus_m_times_l_minus_l, l, 1"), "{assigned}: {text}");
        }
    }
}
