//! What host code stores: elements, and bytes by functions of the library.
//!
//! The parts are told before the statement, so nothing of which they are made may change within it. Names tell of assignments;
//! stores through pointers change no variable of another type, and none whose address nobody takes.

use tree_sitter::Node;

use super::{Frame, MOST_STORED, Parts};
use crate::front::kept::corners::{Code, Corners};
use crate::front::kept::libraries::read_by;
use crate::front::kept::needs::is_variable;
use crate::front::kept::{Need, Part};
use crate::front::tree::{children, strip_parentheses};
use crate::front::types::CType;
use crate::ir::ScalarType;

impl<'t> Parts<'_, '_, '_, 't> {
    /// What is assigned, and what its subscripts read.
    pub(super) fn visit_target(&mut self, place: Node<'t>, frame: &mut Frame<'t>) -> Option<()> {
        match place.kind() {
            _ if self.code.is_scalar(place) => {
                let part = self.scalar(place, frame)?;
                self.add_stored(part, frame.scope.type_of(self.unit(), place).as_ref())
            }
            _ if is_variable(place) => (self.code.need_to_store_value(place) == Need::Nothing).then_some(()),
            "subscript_expression" if self.code.is_own_array(place, &frame.own) => {
                self.visit_all(children(place), frame)
            }
            "pointer_expression" if self.code.is_own_pointer(place, &frame.own) => Some(()),
            "pointer_expression" if self.code.is_own_element(place, &frame.own) => {
                self.visit_all(children(place), frame)
            }
            "subscript_expression" if self.code.structure_of(place).is_none() => {
                self.visit_indices(place, frame)?;
                self.store(place, frame)
            }
            "pointer_expression" => {
                self.visit(place.child_by_field_name("argument")?, frame)?;
                self.store(place, frame)
            }
            _ => {
                let structure = self.code.structure_of(place)?;
                self.visit_subscripts(place, structure, frame)?;
                if self.code.is_own_array(structure, &frame.own) {
                    return self.visit_all(children(structure), frame);
                }
                self.visit_indices(structure, frame)?;
                let part = self.part_of(&self.memory(structure, frame)?, structure, frame)?;
                self.add_stored(part, self.code.type_at(place).as_ref())
            }
        }
    }

    /// What subscripts read that lead from a structure to an element of a member of it.
    fn visit_subscripts(&mut self, place: Node<'t>, structure: Node<'t>, frame: &mut Frame<'t>) -> Option<()> {
        let around = std::iter::successors(Some(place), |it| it.child_by_field_name("argument").map(strip_parentheses));
        let indices = around.take_while(|it| *it != structure).filter_map(|it| it.child_by_field_name("index"));
        self.visit_all(indices.collect(), frame)
    }

    /// An element that is stored.
    fn store(&mut self, node: Node<'t>, frame: &Frame<'t>) -> Option<()> {
        let place = self.memory(node, frame)?;
        let ty = place.ty.clone().or_else(|| frame.scope.type_of(self.unit(), node));
        let part = self.part_of(&place, node, frame)?;
        self.add_stored(part, ty.as_ref())
    }

    /// A part whose elements, of some type, are stored.
    fn add_stored(&mut self, part: Part, ty: Option<&CType>) -> Option<()> {
        self.stored_types.push(match ty? {
            CType::Scalar(ty) => *ty,
            // Members may be integers.
            CType::Structure(_) if !self.code.has_records => ScalarType::I32,
            _ => return None,
        });
        if !self.found.stored.contains(&part) {
            self.found.stored.push(part);
        }
        (self.found.stored.len() <= MOST_STORED).then_some(())
    }

    /// A function of the library that stores so many bytes to its first argument, and may read as many from its second.
    pub(super) fn store_bytes(&mut self, name: &str, arguments: &[Node<'t>], frame: &Frame<'t>) -> Option<()> {
        let factors = if name == "fread" { arguments.get(1..3)? } else { arguments.get(2..3)? };
        read_by(name).iter().try_for_each(|place| self.read_at(*arguments.get(*place)?, factors, frame))?;
        if self.code.leads_to_own(arguments.first().copied(), &frame.own) {
            return Some(());
        }
        let (part, ty) = self.piece(*arguments.first()?, &self.bytes(factors, frame)?, frame)?;
        self.add_stored(part, ty.as_ref())
    }

    /// So many bytes of memory from where a pointer leads, and the type of its elements.
    pub(super) fn piece(
        &self,
        pointer: Node<'t>,
        count: &Code,
        frame: &Frame<'t>,
    ) -> Option<(Part, Option<CType<'t>>)> {
        let memory = self.memory(pointer, frame).filter(|it| self.can_be_found(it, pointer, frame))?;
        let ty = memory.ty.clone().or_else(|| frame.scope.type_of(self.unit(), pointer)).and_then(pointee);
        let part = memory.bytes(count, &frame.naturals)?;
        Some((part, ty))
    }

    /// The product of numbers of bytes.
    pub(super) fn bytes(&self, factors: &[Node<'t>], frame: &Frame<'t>) -> Option<Code> {
        let mut count = Corners::steady(Code::primary("1"), Some(ScalarType::U64));
        for factor in factors {
            let factor = self.integer(*factor, frame)?;
            count = count.times(&if factor.is_number() { factor } else { factor.cast(ScalarType::U64) })?;
        }
        Some(count.high)
    }

    /// Whether nothing that the statement stores may be what the parts are made of.
    pub(super) fn is_steady(&self) -> bool {
        let is_out_of_reach = |name: &String| {
            let variable = self.outer.variable(name);
            let is_hidden = variable.is_none_or(|variable| !variable.is_static || variable.is_internal);
            let is_exposed = match (variable, self.function()) {
                (Some(variable), Some(function)) if !variable.is_static => self.code.has_address_of(name, function),
                _ => self.code.takes_address(name),
            };
            !name.contains(['.', '>']) && is_hidden && !is_exposed
        };
        self.stored_types.iter().all(|ty| ty.is_float()) || self.names.borrow().iter().all(is_out_of_reach)
    }
}

/// The type of the elements that a pointer leads to, or of those of an array of arrays.
fn pointee(pointer: CType) -> Option<CType> {
    let (CType::Pointer(mut inner) | CType::Array(mut inner, _)) = pointer else { return None };
    while let CType::Array(next, _) = *inner {
        inner = next;
    }
    Some(*inner)
}

#[cfg(test)]
mod tests {
    use crate::front::tests::places_behind_sweeps;
    use crate::front::{Part, Pieces};

    /// The ranges that `code` stores behind the sweeps of a step; none if they cannot be told.
    fn stored(before: &str, code: &str) -> Vec<String> {
        let head = "int n, int m, double *a, double *b, int *c, double (*d)[n][m], double **e, struct grid h, FILE *f";
        let shown = |Part { from, to, pieces }: Part| {
            let pieces = match pieces {
                Some(Pieces::Rows { stride, length }) => format!(" by {stride} of {length}"),
                Some(Pieces::Behind { first, end }) => format!(" behind {first} {end}"),
                None => String::new(),
            };
            format!("{from} {}{pieces}", to.unwrap_or_default())
        };
        places_behind_sweeps(before, head, code).into_iter().flat_map(|place| place.stored).map(shown).collect()
    }

    #[test]
    fn elements_rows_and_columns_are_stored() {
        for (code, expected) in [
            ("a[k] = drand48();", "&a[k] &a[k] + 1"),
            ("*(a + m) += drand48();", "&a[m] &a[m] + 1"),
            ("for (int j = 0; j < m; j++) a[j] = drand48();", "&a[0] &a[m]"),
            (
                "for (int i = 0; i < n; i++) a[i * m] = drand48();",
                "&a[0] &a[(n - 1) * m] + 1 by m * sizeof a[0] of sizeof a[0]",
            ),
            (
                "for (int i = 1; i < n; i++) for (int j = 2; j <= m; j++) a[(k * n + i) * m + j] = drand48();",
                "&a[(k * n + 1) * m + 2] &a[(k * n + (n - 1)) * m + m] + 1 by m * sizeof a[0] of (m + 1 - 2) * sizeof a[0]",
            ),
            (
                "for (int i = 0; i < n; i++) for (int j = 1; j < m; j++) d[i][0][j] = drand48();",
                "&d[0][0][1] &d[n - 1][0][m] by sizeof d[0] of (m - 1) * sizeof d[0][0][0]",
            ),
            (
                "for (int i = 0; i < n; i++) for (int j = 1; j < n; j++) d[i][j][m - 1] = drand48();",
                "&d[0][1][m - 1] &d[n - 1][n - 1][m - 1] + 1 by sizeof d[0][0] of sizeof d[0][0][0]",
            ),
            ("memset(a + m, 0, m * sizeof *a); s = drand48();", "&a[m] (const char *)&a[m] + m * 8"),
            ("s = fread(&a[k], sizeof(double), m, f);", "&a[k] (const char *)&a[k] + 8 * (unsigned long long)m"),
            ("for (int i = 0; i < n; i++) e[i][0] = drand48();", "&e[0] &e[n - 1] + 1 behind 0 sizeof e[0][0]"),
            (
                "for (int j = 1; j < m - 1; j++) e[k][j] = drand48();",
                "&e[k] &e[k] + 1 behind sizeof e[0][0] (m - 1) * sizeof e[0][0]",
            ),
            ("h.u[3] = drand48();", "&h.u[3] &h.u[4]"),
        ] {
            assert_eq!(stored("", code), [expected], "{code}");
        }
    }

    #[test]
    fn functions_store_where_they_are_called() {
        let before = "static void fill(double *p, int q) { for (int i = 0; i < q; i++) p[i] = drand48(); }\n";
        assert_eq!(stored(before, "fill(a + k, m);"), ["&a[k] &a[k + m]"]);
    }

    #[test]
    fn what_may_change_meanwhile_is_not_told() {
        for code in [
            "e[k] = drand48() > 0 ? a : b;",
            "a[(int)b[0]] = drand48();",
            "int q = 1; c = &q; for (int j = 0; j < q; j++) c[j] = (int)drand48();",
        ] {
            assert_eq!(stored("", code), [""; 0], "{code}");
        }
    }
}
