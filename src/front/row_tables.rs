//! Arrays whose rows are found through tables of pointers: `double **u`, `double *u[N]`, `double (**u)[m]`.
//!
//! A table is taken to be fixed while the nest runs: whole arrays may be exchanged, but not their rows.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::Failable;
use super::delinearize::delinearize;
use super::layout::ArrayLayout;
use super::polynomial::Ranges;
use super::reader::{PointerValue, Reader};
use super::types::CType;
use crate::ir::{Access, Array, Handle};

impl CType<'_> {
    /// For each pointer and array whether its elements are pointers themselves; empty if none has such elements.
    pub fn pointers(&self) -> Vec<bool> {
        let mut found = Vec::new();
        let mut rest = self;
        while let Self::Pointer(inner) | Self::Array(inner, _) | Self::Record(inner, _) = rest {
            found.push(matches!(**inner, Self::Pointer(_)));
            rest = inner;
        }
        if found.contains(&true) { found } else { Vec::new() }
    }
}

impl ArrayLayout {
    /// Its leading dimension has become a choice of buffer.
    pub fn leave_leading_pointers(&mut self) {
        if self.pointers.is_empty() {
            return;
        }
        self.is_behind_pointer = self.pointers.remove(0);
        if !self.pointers.contains(&true) {
            self.pointers.clear();
        }
    }

    /// Its leading dimension has become as many as `count`.
    pub fn splice_pointers(&mut self, count: usize) {
        if !self.pointers.is_empty() {
            self.pointers.splice(0..0, vec![false; count - 1]);
        }
    }
}

impl<'t> Reader<'_, '_, 't> {
    /// Finds the dimensions behind the last subscript where rows have more than one: `f[q][i*m + j]` of `double **f`.
    pub fn split_flat_blocks(&mut self, layout: &mut ArrayLayout, accesses: &[Handle<Access>], ranges: &Ranges) {
        if !layout.pointers.iter().rev().nth(1).is_some_and(|is_pointer| *is_pointer) {
            return;
        }
        let last = layout.strides.len() - 1;
        let flat = |access: &Handle<Access>| self.flat(*access, last, ranges);
        let Some(flat) = accesses.iter().map(flat).collect::<Option<Vec<_>>>() else { return };
        let Some(shape) = delinearize(&flat, ranges, &BTreeSet::new()).filter(|shape| shape.strides.len() > 1) else {
            return;
        };
        for (access, subscripts) in accesses.iter().zip(&shape.subscripts) {
            let span = self.nest.accesses.span(*access);
            let subscripts: Vec<_> = subscripts.iter().map(|it| self.polynomial_expr(it, span)).collect();
            self.nest.accesses[*access].subscripts.splice(last.., subscripts);
        }
        let count = shape.strides.len();
        layout.extents.splice(last.., vec![None; count]);
        layout.pointers.splice(last.., vec![false; count]);
        layout.strides.splice(last.., shape.strides);
    }

    /// Whether a pointer leads to what another pointer in memory leads to, and not to what the variable does.
    pub fn is_in_row(&self, pointer: &PointerValue<'t>) -> bool {
        self.roots[pointer.root].ty.pointers().iter().take(pointer.subscripts.len() - 1).any(|is_pointer| *is_pointer)
    }

    /// The outermost dimension whose elements lie one after another in a single block of memory with all further inside.
    pub fn first_in_block(&self, array: Handle<Array>) -> usize {
        self.nest.arrays[array].pointers.iter().rposition(|is_pointer| *is_pointer).map_or(0, |last| last + 1)
    }

    /// Refuses a copy of pointers to rows, the first of which `pointer` points to.
    pub fn refuse_table_copy<T>(&self, node: Node<'t>, pointer: &PointerValue<'t>) -> Failable<T> {
        let message = format!("this copies pointers to rows of `{}`, not their elements", self.root_name(pointer.root));
        self.refuse(node, "pointer-to-pointer", message, "copy the elements of each row, in loops")
    }

    /// Refuses an assignment to `place`, the row that `pointer` points to.
    pub fn refuse_row<T>(&self, place: Node<'t>, pointer: &PointerValue<'t>) -> Failable<T> {
        let name = self.root_name(pointer.root);
        let message = format!("a row of `{name}` is replaced, and rows must stay where they are while the nest runs");
        let help = "exchange the arrays themselves, as in `tmp = a; a = b; b = tmp;`, or copy the elements";
        self.refuse(place, "pointer-to-pointer", message, help)
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};

    const POINTS: &str = "for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)";

    /// The text form of a nest that does `body` in each step.
    fn text(parameters: &str, body: &str) -> String {
        let steps = format!("#pragma stencil\nfor (int t = 0; t < steps; t++) {{ {body} }}");
        read(&function(&format!("int n, int m, int steps, {parameters}"), &steps))
            .to_string()
            .replace("(long long)", "")
    }

    /// The code with which it is refused.
    fn code(parameters: &str, body: &str) -> &'static str {
        let steps = format!("#pragma stencil\nfor (int t = 0; t < steps; t++) {{ {body} }}");
        refusal(&function(&format!("int n, int m, int steps, {parameters}"), &steps)).code
    }

    #[test]
    fn rows_are_a_dimension_like_any_other() {
        let spellings = [
            ("b[i][j] = a[i - 1][j + 1];", "a[(i - 1)][(j + 1)]"),
            ("*(b[i] + j) = (*(a + i - 1))[j + 1];", "a[(i + -1)][(j + 1)]"),
            ("double *out = b[i]; const double *in = a[i - 1] + 1; out[j] = in[j];", "a[(i - 1)][(1 + j)]"),
            ("double **above = a - 1; *(*(b + i) + j) = *(above[i] + 1 + j);", "a[(-1 + i)][(1 + j)]"),
        ];
        for (spelling, read) in spellings {
            let text = text("double **a, double **b", &format!("{POINTS} {{ {spelling} }}"));
            assert!(text.contains("array double b[][] strides 1, 1 pointers in 0 buffers b"), "{text}");
            assert!(text.contains(&format!("b[i][j] = {read}")), "{text}");
        }
    }

    #[test]
    fn what_a_table_leads_to_has_dimensions_of_its_own() {
        let flat = text("double **f", &format!("{POINTS} f[1][i*m + j] = f[0][(i - 1)*m + j];"));
        assert!(
            flat.contains("array double f[][][] strides 1, m, 1 pointers in 0") && flat.contains("f[1][i][j] ="),
            "{flat}"
        );
        let blocks = text("double (**b)[20]", &format!("{POINTS} b[1][i][j] = b[0][i - 1][j];"));
        assert!(blocks.contains("b[][][20] strides 1, 20, 1 pointers in 0 buffers b"), "{blocks}");
    }

    #[test]
    fn rows_of_structures_have_their_members_as_a_dimension() {
        let cells = |statement: &str| {
            let body = format!("#pragma stencil\nfor (int t = 0; t < 9; t++) {{ {POINTS} {{ {statement} }} }}");
            let parameters = "int n, int m, struct cell **a, struct cell **b";
            let text = format!("struct cell {{ double v, f[3]; }};\n{}", function(parameters, &body));
            read(&text).to_string().replace("(long long)", "")
        };
        let text = cells("b[i][j].v = a[i - 1][j].f[2] + a[i][j].v;");
        assert!(text.contains("b[][][4] strides 1, 4, 1 pointers in 0"), "{text}");
        assert!(text.contains("b[i][j][0] = (a[(i - 1)][j][3] + a[i][j][0])"), "{text}");
        let row = cells("struct cell *row = b[i]; row[j].v = (*(a[i] + j + 1)).v; (row + j)->f[0] = 1;");
        assert!(
            row.contains("b[i][j][0] = a[i][((j + 1))][0]") || row.contains("b[i][j][0] = a[i][(j + 1)][0]"),
            "{row}"
        );
    }

    #[test]
    fn whole_tables_are_exchanged_and_chosen_by_the_step() {
        let swap = "double **tmp = a; a = b; b = tmp;";
        let swapped = text("double **a, double **b", &format!("{POINTS} b[i][j] = a[i][j - 1]; {swap}"));
        assert!(swapped.contains("strides 1, 1 pointers in 0 buffers a, b"), "{swapped}");
        let chosen = text("double **u[2]", &format!("{POINTS} u[(t + 1) % 2][i][j] = u[t % 2][i][j - 1];"));
        assert!(chosen.contains("u[][] strides 1, 1 pointers in 0 pointers u, u + 1"), "{chosen}");
        let flat = text("double *u[2]", "for (int i = 1; i < n; i++) u[(t + 1) % 2][i] = u[t % 2][i - 1];");
        assert!(flat.contains("strides 1 pointers u, u + 1"), "{flat}");
    }

    #[test]
    fn tables_must_stay_as_they_are() {
        let update = format!("{POINTS} b[i][j] = a[i][j - 1];");
        for change in
            ["a[0] = b[0];", "double *row = a[1]; a[1] = a[2]; a[2] = row;", "memcpy(a, b, n * sizeof *a);", "a[1]++;"]
        {
            let body = format!("{update} {change} {update}");
            assert_eq!(code("double **a, double **b", &body), "pointer-to-pointer", "{change}");
        }
        // A row is no array that two variables could exchange.
        let first = "double *p = a[0]; a = b; b = p;";
        assert_eq!(code("double **a, double **b", &format!("{update} {first} {update}")), "pointer-type");
        let row = format!("{POINTS} q[j] = p[j]; p = a[0]; {POINTS} p[j] = q[j];");
        assert_eq!(code("double **a, double **b, double *p, double *q", &row), "rotation");
    }

    #[test]
    fn scalars_that_a_row_may_reach_are_watched() {
        let body = format!("double c = 0.5, *p = &c; use(p);\n#pragma stencil\n{POINTS} u[i][j] = c * u[i][j];");
        let nest = read(&format!("extern double *u[20]; void use(double *p);\n{}", function("int n, int m", &body)));
        assert!(nest.to_string().contains("watch c"), "{nest}");
    }

    #[test]
    fn what_is_stored_under_a_condition_on_data_may_be_no_row() {
        for (parameters, is_speculative) in [("double **a, double *f", true), ("double (*a)[20], double *f", false)] {
            let body = format!("#pragma stencil\n{POINTS} if (f[i] > 0) a[i][j] = 1;");
            let nest = read(&function(&format!("int n, int m, {parameters}"), &body));
            assert_eq!(nest.accesses[nest.step.statements[0].write].is_speculative, is_speculative);
        }
    }
}
