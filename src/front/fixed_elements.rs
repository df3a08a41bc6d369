//! Sizes that are elements of an array of integers, `d[1]`, where bounds and subscripts need them.
//!
//! An element with constant subscripts of an array that the nest does not store in is a variable of the host like any other: it
//! is passed by value, and the driver makes sure that no store of the nest leads there. So is one that a variable chooses which the
//! nest leaves alone: the place `x[shot]` of a source.

use super::Failable;
use super::loops::is_data;
use super::reader::Reader;
use super::types::CType;
use crate::ir::{Access, BinaryOp, Expr, ExprKind, Handle, HostValue, ParamValue, Selector};
use crate::source::{Diagnostic, Span};

impl<'t> Reader<'_, '_, 't> {
    /// Notes the read of an integer that may be a size.
    pub fn note_lone_integer(&mut self, read: Handle<Access>, root: usize) {
        let is_integer = matches!(self.roots[root].ty.element(), (CType::Scalar(ty), 1) if ty.is_integer());
        let subscripts = &self.nest.accesses[read].subscripts;
        if is_integer && subscripts.len() == 1 && self.chosen_by(subscripts[0]).is_some() {
            self.lone_integers.insert(read, root);
        }
    }

    /// What a subscript chooses that is the same in the whole nest: a constant, or a variable and a constant.
    fn chosen_by(&self, subscript: Handle<Expr>) -> Option<Selector> {
        match *self.kind(subscript) {
            _ if let Some(at) = self.constant(subscript) => (at >= 0).then_some(Selector::Element(at)),
            ExprKind::Convert(inner) if self.ty(inner).is_within(self.ty(subscript)) => self.chosen_by(inner),
            // No sum of unsigned numbers, which may wrap around.
            ExprKind::Binary(BinaryOp::Add, place, more) if !self.ty(subscript).is_unsigned() => {
                let Selector::ElementAt(index, before) = self.chosen_by(place)? else { return None };
                let more = self.constant(more).filter(|more| *more > 0)?.checked_add(before)?;
                Some(Selector::ElementAt(index, more))
            }
            ExprKind::Param(param) => {
                let ParamValue::Variable(index) = self.nest.params[param].value else { return None };
                let HostValue { variable, path } = &self.nest.values[index];
                path.is_empty().then(|| Selector::ElementAt(variable.clone(), 0))
            }
            _ => None,
        }
    }

    /// Lets `expr`, which must not depend on data, name elements of arrays as variables of the host, as far as it can.
    pub fn fix_elements(&mut self, expr: Handle<Expr>) {
        if self.lone_integers.is_empty() {
            return;
        }
        for part in self.nest.reachable([expr]).into_iter().rev() {
            let span = self.nest.exprs.span(part);
            match *self.kind(part) {
                ExprKind::Read(access) => {
                    if let Some(element) = self.fixed_element(access, span) {
                        self.nest.exprs[part].kind = self.kind(element).clone();
                    }
                }
                ExprKind::Local(local) => {
                    let value = self.nest.locals[local].value;
                    // A scalar that was kept apart because of the elements that it is made of.
                    if !self.any(value, &is_data) {
                        self.nest.exprs[part].kind = self.kind(value).clone();
                    }
                }
                _ => {}
            }
            self.facts[part.index()] = self.facts_of(self.ty(part), self.kind(part));
        }
    }

    /// The parameter that an element is.
    fn fixed_element(&mut self, access: Handle<Access>, span: Span) -> Option<Handle<Expr>> {
        let root = *self.lone_integers.get(&access)?;
        let variable = self.roots[root].variable;
        if self.changing.iter().any(|changing| changing.contains(&variable)) {
            return None;
        }
        let place = self.chosen_by(self.nest.accesses[access].subscripts[0])?;
        let (CType::Scalar(ty), _) = self.roots[root].ty.element() else { return None };
        let (ty, whole) = (*ty, self.declaration_of(variable)?.clone());
        let HostValue { variable, mut path } = self.nest.values[variable].clone();
        path.push(place);
        let value = self.nest.values.intern(HostValue { variable, path });
        self.variables.entry(value).or_insert_with(|| whole.part(CType::Scalar(ty), false));
        self.fixed_roots.entry(root).or_insert(span);
        Some(self.param(value, ty, span))
    }

    /// Refuses nests that store in an array of which an element is a size.
    pub fn check_fixed_elements(&self) -> Failable<()> {
        let stores = self.nest.step.statements.iter().map(|statement| statement.write);
        let written: Vec<_> = stores.chain(self.copies.iter().map(|copy| copy.target)).collect();
        for (root, span) in &self.fixed_roots {
            let array = self.root_array(*root);
            if let Some(exchanged) = self.assigned.get(&self.roots[*root].variable) {
                return Err(Box::new(self.size_is_changed(*root, *span, "exchanged here", *exchanged)));
            }
            if let Some(write) = written.iter().find(|write| self.nest.accesses[**write].array == array) {
                let stored = self.nest.accesses.span(*write);
                return Err(Box::new(self.size_is_changed(*root, *span, "stored in here", stored)));
            }
        }
        Ok(())
    }

    fn size_is_changed(&self, root: usize, span: Span, how: &str, place: Span) -> Diagnostic {
        let message =
            format!("an element of `{}` is a size here, and the nest changes that array", self.root_name(root));
        Diagnostic::error("loop-bound", message, span)
            .with_label(place, how)
            .with_help("copy the element into a variable before the nest")
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};

    const SWEEP: &str = "for (int i = 1; i < d[0] - 1; i++) for (int j = 1; j < d[1] - 1; j++)";

    #[test]
    fn sizes_may_be_elements() {
        let body = format!("#pragma stencil\n{SWEEP} {{ int k = i * d[1] + j; b[k] = a[k - 1] + d[2]; }}");
        let nest = read(&function("double *a, double *b, const int *d", &body));
        assert!(
            nest.to_string().replace("(long long)", "").contains("b[i][j] = (a[i][(j - 1)] + (double)d[2])"),
            "{nest}"
        );
        let body = format!("#pragma stencil\n{SWEEP} b[i * d[1] + j] = a[i * d[1] + j - 1] + d[2];");
        let nest = read(&function("double *a, double *b, const int *d", &body));
        let text = nest.to_string().replace("(long long)", "");
        assert!(text.contains("param int d[0]\n") && text.contains("param int d[1]\n"), "{text}");
        assert!(text.contains("b[i][j] = (a[i][(j - 1)] + (double)d[2])"), "{text}");
        // Only what is needed as a number of the host is one.
        assert!(!text.contains("param int d[2]"), "{text}");
    }

    #[test]
    fn sizes_that_the_nest_may_change_are_watched_or_refused() {
        let nest = |parameters: &str, store: &str| function(parameters, &format!("#pragma stencil\n{SWEEP} {store}"));
        assert!(read(&nest("double *a, int *d", "a[i * d[1] + j] = 1;")).watched.is_empty());
        assert_eq!(read(&nest("int *a, int *d", "a[i * d[1] + j] = 1;")).watched.len(), 2);
        assert_eq!(refusal(&nest("int *a, int *d", "d[i * 9 + j] = a[j];")).code, "loop-bound");
        let moved =
            "for (int t = 0; t < 9; t++) { for (int i = 0; i < d[0]; i++) a[i] = t; int *s = d; d = e; e = s; }";
        assert_eq!(
            refusal(&function("double *a, int *d, int *e", &format!("#pragma stencil\n{moved}"))).code,
            "loop-bound"
        );
    }
}
