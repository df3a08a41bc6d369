//! Stores of the same elements on both sides of a condition.
//!
//! A lattice-Boltzmann cell stores all its populations in a branch for walls and once more in the one for the fluid:
//! `if (wall) { f[0] = x; f[1] = y; ... } else { f[0] = u; f[1] = v; ... }`. These become `f[0] = wall ? x : u; ...`, half as
//! many sweeps, whose domain is not what the condition leaves of it.

use super::reader::Reader;
use crate::ir::{Access, Expr, ExprKind, Handle, Statement, UnaryOp};

/// So many elements must be stored on both sides. The branches of fewer are better off as sweeps over the cells of each.
const MANY: usize = 5;

/// A statement whose element another one stores where its condition does not hold.
struct Pair {
    /// The index of the earlier statement.
    first: usize,
    /// That of the later one.
    second: usize,
    /// What holds for both.
    shared: Vec<Handle<Expr>>,
    /// What decides between them.
    condition: Handle<Expr>,
    /// Whether the earlier one is done where the condition holds.
    is_first_where_it_holds: bool,
}

impl Reader<'_, '_, '_> {
    /// Joins stores on both sides of conditions, from the innermost ones outward, where there are many.
    pub fn join_branches(&mut self) {
        let mut gone = Vec::new();
        loop {
            let pairs = self.pairs_of_branches(&gone);
            if pairs.len() < MANY {
                return;
            }
            for pair in &pairs {
                gone.push(self.nest.step.statements[pair.first].write);
                self.join(pair);
            }
            let mut firsts: Vec<usize> = pairs.iter().map(|pair| pair.first).collect();
            firsts.sort_unstable();
            for first in firsts.into_iter().rev() {
                self.nest.step.statements.remove(first);
            }
        }
    }

    /// Pairs without a statement in common; the writes `gone` are no statement's any more.
    fn pairs_of_branches(&mut self, gone: &[Handle<Access>]) -> Vec<Pair> {
        let writes: Vec<_> = self.nest.step.statements.iter().map(|statement| statement.write).collect();
        let guards: Vec<_> = writes.iter().map(|write| self.guard_parts(*write)).collect();
        let mut pairs: Vec<Pair> = Vec::new();
        for second in 0..writes.len() {
            let is_free = |first: &usize| pairs.iter().all(|pair| pair.first != *first && pair.second != *first);
            let candidates: Vec<usize> = (0..second).rev().filter(is_free).collect();
            let found = candidates.into_iter().find(|first| {
                !guards[*first].is_empty()
                    && !guards[second].is_empty()
                    && self.may_wait(writes[*first], writes[second], gone)
            });
            let Some(first) = found else { continue };
            if let Some((shared, condition, is_first_where_it_holds)) = self.sides(&guards[first], &guards[second]) {
                pairs.push(Pair { first, second, shared, condition, is_first_where_it_holds });
            }
        }
        pairs
    }

    /// The conditions of an access, each without `&&`.
    fn guard_parts(&mut self, access: Handle<Access>) -> Vec<Handle<Expr>> {
        let mut parts = Vec::new();
        for guard in self.nest.accesses[access].guards.clone() {
            self.conjuncts(guard, &mut parts);
        }
        parts
    }

    /// What two lists of conditions have in common, and the condition that is all they differ in: whether it holds for the
    /// first list.
    fn sides(
        &mut self,
        one: &[Handle<Expr>],
        other: &[Handle<Expr>],
    ) -> Option<(Vec<Handle<Expr>>, Handle<Expr>, bool)> {
        let shared = one.iter().zip(other).take_while(|(one, other)| self.is_same(**one, **other)).count();
        for (rest, opposite, is_first) in
            [(&one[shared..], &other[shared..], true), (&other[shared..], &one[shared..], false)]
        {
            if let [condition] = *rest
                && self.is_opposite(condition, opposite)
            {
                return Some((one[..shared].to_vec(), condition, is_first));
            }
        }
        None
    }

    /// Whether `parts` all hold just where `condition` does not.
    fn is_opposite(&mut self, condition: Handle<Expr>, parts: &[Handle<Expr>]) -> bool {
        let mut negated = Vec::new();
        match *self.kind(condition) {
            ExprKind::Unary(UnaryOp::Not, inner) => self.conjuncts(inner, &mut negated),
            _ => {
                let opposite = self.unary(UnaryOp::Not, condition, self.nest.exprs.span(condition));
                self.conjuncts(opposite, &mut negated);
            }
        }
        self.are_same(&negated, parts)
    }

    /// Whether two writes store one element in the same iteration, and nothing between them sees the first one or stores it.
    fn may_wait(&self, first: Handle<Access>, second: Handle<Access>, gone: &[Handle<Access>]) -> bool {
        let (one, other) = (&self.nest.accesses[first], &self.nest.accesses[second]);
        let depth = one.loops.len();
        let is_one_place =
            |access: &Access| access.loops.starts_with(&one.loops) && access.position[..depth] == one.position[..depth];
        let between = one.position[depth]..=other.position.get(depth).copied().unwrap_or_default();
        let is_seen = |(handle, access): (Handle<Access>, &Access)| {
            access.array == one.array
                && ![first, second].contains(&handle)
                && !gone.contains(&handle)
                && is_one_place(access)
                && between.contains(&access.position[depth])
                && !self.are_apart(access, one)
        };
        one.array == other.array
            && one.loops == other.loops
            && is_one_place(other)
            && self.is_one_element(one, other)
            && !self.nest.accesses.iter().any(is_seen)
    }

    pub fn is_one_element(&self, one: &Access, other: &Access) -> bool {
        let has_one_buffer = match (one.buffer, other.buffer) {
            (Some(one), Some(other)) => self.is_same(one, other),
            (one, other) => one == other,
        };
        has_one_buffer && self.are_same(&one.subscripts, &other.subscripts)
    }

    /// Whether two elements of one array are different ones in each iteration: other planes of a cell.
    fn are_apart(&self, one: &Access, other: &Access) -> bool {
        let are_different = |(one, other): (&Handle<Expr>, &Handle<Expr>)| {
            self.constant(*one).zip(self.constant(*other)).is_some_and(|(one, other)| one != other)
        };
        one.subscripts.iter().zip(&other.subscripts).any(are_different)
    }

    /// Lets the later statement of a pair store what either stores.
    fn join(&mut self, pair: &Pair) {
        let Statement { write: earlier, first, value, .. } = self.nest.step.statements[pair.first];
        let Statement { write, value: later, span, .. } = self.nest.step.statements[pair.second];
        let (holds, holds_not) = if pair.is_first_where_it_holds { (value, later) } else { (later, value) };
        let value = self.expr(self.ty(later), ExprKind::Select(pair.condition, holds, holds_not), span);
        self.nest.accesses[write].is_speculative |= self.nest.accesses[earlier].is_speculative;
        self.nest.accesses[write].guards = pair.shared.clone();
        self.nest.step.statements[pair.second] = Statement { write, first, value, span };
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read};

    /// The statements of a nest that stores five planes of `b` by `body`.
    fn statements(body: &str) -> Vec<String> {
        let text = format!(
            "#pragma stencil\nfor (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) {{ double x = a[i - 1][j]; {body} }}"
        );
        let nest = read(&function("int n, double (*a)[n], double (*b)[5][n], double *c", &text)).to_string();
        nest.lines().filter(|line| line.starts_with('[')).map(str::to_owned).collect()
    }

    /// Stores of all planes.
    fn all(value: &str) -> String {
        (0..5).map(|plane| format!("b[i][{plane}][j] = {value} + {plane};")).collect()
    }

    #[test]
    fn both_branches_are_one_statement() {
        for body in [
            format!("if (i == 1 || j == 1) {{ {} }} else {{ {} }}", all("x"), all("2 * x")),
            format!("if (i == 1 || j == 1) {{ {} continue; }} {}", all("x"), all("2 * x")),
            format!("if (i == 1 && j > 3) {{ {} }} else {{ {} }}", all("x"), all("2 * x")),
            format!("if (!(i == 1)) {{ {} }} else {{ {} }}", all("x"), all("2 * x")),
        ] {
            let statements = statements(&body);
            assert_eq!(statements.len(), 5, "{body}: {statements:#?}");
            assert!(statements[0].contains(" ? ") && !statements[0].contains("if "), "{body}: {statements:#?}");
        }
    }

    #[test]
    fn three_branches_are_one_statement() {
        let body = format!(
            "if (i == 1) {{ {} }} else if (j == 1) {{ {} }} else {{ {} }}",
            all("x"),
            all("2 * x"),
            all("3 * x")
        );
        let statements = statements(&body);
        assert_eq!(statements.len(), 5, "{statements:#?}");
        assert_eq!(statements[4].matches(" ? ").count(), 2, "{statements:#?}");
    }

    #[test]
    fn what_differs_in_more_than_the_condition_stays_apart() {
        let read_between = format!("if (i == 1) {{ {} c[j] = b[i][0][j]; }} else {{ {} }}", all("x"), all("2 * x"));
        let other_condition = format!("if (i == 1) {{ {} }} if (j != 1) {{ {} }}", all("x"), all("2 * x"));
        let few = "if (i == 1) { b[i][0][j] = x; b[i][1][j] = x; } else { b[i][0][j] = 2 * x; b[i][1][j] = 3 * x; }";
        for (body, count) in [(read_between.as_str(), 11), (&other_condition, 10), (few, 4)] {
            assert_eq!(statements(body).len(), count, "{body}");
        }
    }
}
