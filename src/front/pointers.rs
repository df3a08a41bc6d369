//! Pointers of a declared type to arrays that may have been declared otherwise.

use tree_sitter::Node;

use super::Failable;
use super::expressions::Value;
use super::polynomial::Polynomial;
use super::reader::{PointerValue, Reader};
use super::types::CType;
use crate::ir::{BinaryOp, Expr, Handle, ScalarType};

impl<'t> Reader<'_, '_, 't> {
    /// `pointer` as a pointer to `pointee`; `None` if that would look at the array through another type. Rows must be
    /// known to have one length: the array's own is what accesses count with.
    pub fn seen_as(&mut self, pointee: &CType<'t>, pointer: PointerValue<'t>) -> Option<PointerValue<'t>> {
        let PointerValue { root, subscripts, pointee: origin } = pointer;
        let origin = match origin {
            CType::Untyped(seen) => *seen,
            seen => seen,
        };
        if pointee.is_void() {
            return Some(PointerValue { root, subscripts, pointee: CType::Untyped(Box::new(origin)) });
        }
        if self.is_same_type(pointee, &origin) {
            return Some(PointerValue { root, subscripts, pointee: origin });
        }
        self.seen_flat_or_in_rows(pointee, PointerValue { root, subscripts, pointee: origin })
    }

    /// A pointer to rows as one to their first element, or flat memory as rows.
    fn seen_flat_or_in_rows(&mut self, pointee: &CType<'t>, pointer: PointerValue<'t>) -> Option<PointerValue<'t>> {
        let PointerValue { root, mut subscripts, pointee: origin } = pointer;
        let is_flat = |ty: &CType| matches!(ty, CType::Scalar(_));
        if is_flat(pointee) && *innermost(&origin) == *pointee {
            let zero = self.int(ScalarType::I64, 0, self.nest.arrays.span(self.root_array(root)));
            subscripts.resize(self.roots[root].ty.element().1, zero);
            return Some(PointerValue { root, subscripts, pointee: pointee.clone() });
        }
        let sees_rows = is_flat(&origin) && !is_flat(pointee) && *innermost(pointee) == origin;
        sees_rows.then(|| PointerValue { root, subscripts, pointee: pointee.clone() })
    }

    /// Whether a pointer sees flat memory as rows: all subscripts are there, and it still leads to an array.
    pub fn sees_rows(&self, pointer: &PointerValue<'t>) -> bool {
        let is_array = matches!(pointer.pointee, CType::Array(..));
        is_array && pointer.subscripts.len() == self.roots[pointer.root].ty.element().1
    }

    /// How many elements of flat memory `index` counts for a pointer that sees it as rows.
    pub fn flat_index(
        &mut self,
        node: Node<'t>,
        mut pointee: &CType<'t>,
        mut index: Handle<Expr>,
    ) -> Failable<Handle<Expr>> {
        let span = self.span(node);
        while let CType::Array(inner, length) = pointee {
            let Some(length) = length else { return self.unsupported(node) };
            let length = self.array_length(node, *length)?;
            let (whole, length) = (self.convert(index, ScalarType::I64), self.convert(length, ScalarType::I64));
            index = self.binary(BinaryOp::Mul, whole, length, span);
            pointee = inner;
        }
        Ok(index)
    }

    /// Whether two types are surely the same; an array without length goes with any.
    pub fn is_same_type(&mut self, left: &CType<'t>, right: &CType<'t>) -> bool {
        match (left, right) {
            (CType::Array(left, length), CType::Array(right, other)) => {
                let has_same_length = match (length, other) {
                    (Some(length), Some(other)) => length == other || self.is_same_length(*length, *other),
                    _ => true,
                };
                has_same_length && self.is_same_type(left, right)
            }
            (CType::Pointer(left), CType::Pointer(right)) => self.is_same_type(left, right),
            _ => match (self.scope.structure(left), self.scope.structure(right)) {
                (Some(left), Some(right)) => left.is(self.unit, right),
                _ => left == right,
            },
        }
    }

    /// Whether two arrays surely have equal lengths, each computed at its own place.
    fn is_same_length(&mut self, left: Node<'t>, right: Node<'t>) -> bool {
        let (left, right) = (self.length_polynomial(left), self.length_polynomial(right));
        left.is_some() && left == right
    }

    fn length_polynomial(&mut self, length: Node<'t>) -> Option<Polynomial> {
        let length = self.array_length(length, length).ok()?;
        self.fixed_polynomial(length)
    }

    /// The length of an array that is declared before the nest or within it; what `node` uses it for is refused if the
    /// variables it was computed from may have changed since.
    pub fn array_length(&mut self, node: Node<'t>, length: Node<'t>) -> Failable<Handle<Expr>> {
        if let Some(known) = self.lengths.get(&length.start_byte()) {
            return Ok(*known);
        }
        let is_constant = self.scope.array_length(self.unit, length).is_some();
        let is_here = node.start_byte() < length.start_byte() && length.end_byte() <= node.end_byte();
        if !is_constant
            && !is_here
            && (!self.frames.is_empty() || !self.is_plain_and_fixed(self.node, length, length.start_byte()))
        {
            let message =
                format!("the length `{}` of an array may have changed since its declaration", self.text(length));
            let help = "keep the length in a variable that nothing assigns after the array's declaration";
            return self.refuse(node, "array-size", message, help);
        }
        self.length(length)
    }

    /// Keeps the lengths of the rows that an argument of a call leads to: the callee has other names.
    pub fn note_row_lengths(&mut self, argument: Node<'t>, value: &Value<'t>) {
        let ty = match value {
            Value::Pointer(pointer) => Some(pointer.pointee.clone()),
            Value::Address(object) => self.declaration_of(*object).map(|it| it.ty.clone()),
            _ => None,
        };
        for length in ty.iter().flat_map(CType::lengths) {
            if let Ok(known) = self.array_length(argument, length) {
                self.lengths.insert(length.start_byte(), known);
            }
        }
    }

    /// Keeps the lengths in the type of a parameter or of a variable that is declared here, made of what the function's variables hold now.
    pub fn note_lengths_of(&mut self, ty: &CType<'t>) {
        for length in ty.lengths() {
            self.lengths.remove(&length.start_byte());
            if let Ok(known) = self.length(length) {
                self.lengths.insert(length.start_byte(), known);
            }
        }
    }

    /// The length of an array, of the type that its expression has; what it is made of is read as it is now.
    pub fn length(&mut self, length: Node<'t>) -> Failable<Handle<Expr>> {
        let span = self.span(length);
        let constant = self.scope.array_length(self.unit, length);
        match constant.and_then(|constant| self.constant_expr(constant, span)) {
            Some(length) => Ok(length),
            None => self.scalar(length),
        }
    }
}

/// What rows of rows are made of.
fn innermost<'c, 't>(mut ty: &'c CType<'t>) -> &'c CType<'t> {
    while let CType::Array(inner, _) = ty {
        ty = inner;
    }
    ty
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read};

    fn text(body: &str) -> String {
        let loops = "for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)";
        let nest = body.replace("LOOPS", loops);
        let parameters = "int n, int m, const double (*a)[m], double (*b)[m], const double *u, double *v";
        read(&function(parameters, &format!("#pragma stencil\nfor (int t = 0; t < 3; t++) {{ {nest} }}")))
            .to_string()
            .replace("(long long)", "")
    }

    #[test]
    fn a_pointer_to_the_first_element_of_rows_counts_over_their_ends() {
        for pointers in
            ["const double *p = &a[0][0]; double *q = b[0];", "const double *p = (const double *)a; double *q = *b;"]
        {
            let text = text(&format!("{pointers} LOOPS q[i*m + j] = p[(i - 1)*m + j] + p[i*m + j + 1];"));
            assert!(text.contains("b[i][j] = (a[(i - 1)][j] + a[i][(j + 1)])"), "{text}");
        }
    }

    #[test]
    fn flat_memory_is_seen_as_rows() {
        let view = "const double (*g)[m] = (const double (*)[m])u; double (*h)[m] = (double (*)[m])(v + m);";
        let text = text(&format!("{view} LOOPS h[i][j] = g[i - 1][j] + g[i][j + 1];"));
        assert!(text.contains("v[(i + 1)][j] = (u[(i - 1)][j] + u[i][(j + 1)])"), "{text}");
        let planes = self::text("double (*h)[n][m] = (double (*)[n][m])v; LOOPS h[2][i][j] = u[i * m + j];");
        assert!(planes.contains("= u[i][j]"), "{planes}");
    }
}
