//! Arrays of structures as arrays of their members' type: `cell[i].f[k]` of `struct { double rho, f[9]; } *cell` is element
//! `[i][1 + k]` of an array with rows of ten.
//!
//! All members that a nest uses must be of one type, and the structure a whole number of such elements long.

use tree_sitter::Node;

use super::Failable;
use super::objects::Place;
use super::reader::{PointerValue, Reader};
use super::structures::{Structure, size};
use super::tree::strip_parentheses;
use super::types::CType;
use crate::ir::ScalarType;

/// Where a member lies among the elements that its structure is seen as.
struct Component<'t> {
    /// The type of the elements.
    element: CType<'t>,
    /// How many of them a structure consists of.
    count: i64,
    /// How many come before the member.
    first: i64,
    /// What a pointer to the member points to.
    pointee: CType<'t>,
}

impl<'t> Reader<'_, '_, 't> {
    /// The pointer to the member that `node` names of the structure to which `whole` points.
    pub fn component(&mut self, node: Node<'t>, whole: PointerValue<'t>) -> Failable<PointerValue<'t>> {
        let member = self.field(node, "field")?;
        self.component_called(node, whole, self.text(member))
    }

    /// As [`component`](Self::component) for the member `name`.
    pub fn component_called(
        &mut self,
        node: Node<'t>,
        whole: PointerValue<'t>,
        name: &str,
    ) -> Failable<PointerValue<'t>> {
        self.component_at(node, whole, &[name])
    }

    /// As [`component`](Self::component) for a member of members, `path`, outermost first.
    pub fn component_at(
        &mut self,
        node: Node<'t>,
        whole: PointerValue<'t>,
        path: &[&str],
    ) -> Failable<PointerValue<'t>> {
        let Some(structure) = self.scope.structure(&whole.pointee) else {
            return self.refuse_member(node, "this is no structure whose members a nest can use");
        };
        let Some(component) = self.component_of(structure, path) else {
            let message = "this member cannot be seen as elements of an array";
            let help = "use structures whose members are numbers of one type, or an array for each member";
            return self.refuse(node, "struct-member", message, help);
        };
        let seen = seen_as_elements(&self.roots[whole.root].ty, &component.element, component.count);
        let Some(seen) = seen else {
            let name = self.root_name(whole.root);
            let message = format!("members of different types are used of the structures in `{name}`");
            return self.refuse(node, "struct-member", message, "use an array of its own for the members of each type");
        };
        let array = self.root_array(whole.root);
        self.nest.has_records = true;
        self.nest.arrays[array].element = component.element.element_type();
        self.roots[whole.root].ty = seen;
        let first = self.int(ScalarType::I64, component.first, self.span(node));
        let mut subscripts = whole.subscripts;
        subscripts.push(first);
        Ok(PointerValue { root: whole.root, subscripts, pointee: component.pointee })
    }

    /// The element that `node` names as a member of a structure within one that is an element: `cell[i].velocity.x`.
    pub fn inner_component(&mut self, node: Node<'t>) -> Failable<Option<PointerValue<'t>>> {
        let mut path = vec![self.text(self.field(node, "field")?)];
        let mut outer = strip_parentheses(self.field(node, "argument")?);
        while outer.kind() == "field_expression" && !self.is_arrow(node) {
            path.insert(0, self.text(self.field(outer, "field")?));
            let argument = strip_parentheses(self.field(outer, "argument")?);
            if self.is_arrow(outer) || argument.kind() != "field_expression" {
                let whole = self.place_around(outer)?;
                let Some(Place::Element(element)) = whole else { return Ok(None) };
                let structure = self.scope.structure(&element.pointee);
                let member = structure.and_then(|it| it.member(self.unit, &self.scope, path[0]));
                let is_inner = member.is_some_and(|member| self.scope.structure(&member.ty).is_some());
                return if is_inner { self.component_at(node, element, &path).map(Some) } else { Ok(None) };
            }
            outer = argument;
        }
        Ok(None)
    }

    fn component_of(&self, structure: Structure<'t>, path: &[&str]) -> Option<Component<'t>> {
        let (mut within, mut start) = (structure, 0);
        let (name, outer) = path.split_last()?;
        for name in outer {
            let member = within.member(self.unit, &self.scope, name).filter(|member| !member.is_volatile)?;
            start += within.offset(self.unit, &self.scope, name)?;
            within = self.scope.structure(&member.ty)?;
        }
        let member = within.member(self.unit, &self.scope, name).filter(|member| !member.is_volatile)?;
        let element = match &member.ty {
            CType::Array(inner, Some(_)) => (**inner).clone(),
            other => other.clone(),
        };
        if !matches!(element, CType::Scalar(_)) {
            return None;
        }
        let bytes = element.element_type().size() as i64;
        let in_elements = |size: i64| (size % bytes == 0).then_some(size / bytes);
        let count = in_elements(size(self.unit, &self.scope, &CType::Structure(structure.specifier()))?)?;
        let first = in_elements(start + within.offset(self.unit, &self.scope, name)?)?;
        let pointee = match &member.ty {
            CType::Array(inner, _) => {
                CType::Record(inner.clone(), in_elements(size(self.unit, &self.scope, &member.ty)?)?)
            }
            scalar => scalar.clone(),
        };
        Some(Component { element, count, first, pointee })
    }
}

/// The type of an array of structures with each of them seen as `count` elements; `None` if it is seen otherwise already.
fn seen_as_elements<'t>(ty: &CType<'t>, element: &CType<'t>, count: i64) -> Option<CType<'t>> {
    Some(match ty {
        CType::Pointer(inner) => CType::Pointer(Box::new(seen_as_elements(inner, element, count)?)),
        CType::Array(inner, size) => CType::Array(Box::new(seen_as_elements(inner, element, count)?), *size),
        CType::Record(seen, _) => return (**seen == *element).then(|| ty.clone()),
        _ => CType::Record(Box::new(element.clone()), count),
    })
}

#[cfg(test)]
mod tests {
    use crate::front::tests::read;

    /// The text of a nest that smooths a member of structures under a condition on data.
    fn text(declaration: &str, clause: &str, place: &str, west: &str) -> String {
        let loops = "for (int t = 0; t < steps; t++) for (int i = 0; i < n; i++) for (int j = 1; j < m; j++)";
        let body = format!("if (a[{place}].v > 0) b[{place}].f[1] = a[{west}].u;");
        read(&format!(
            "struct cell {{ double u, v; }}; struct list {{ double f[3]; }};
             void f(int n, int m, int steps, const struct cell {declaration}, struct list *b) {{
             #pragma stencil {clause}\n{loops} {body} }}"
        ))
        .to_string()
        .replace("(long long)", "")
    }

    #[test]
    fn clauses_count_structures() {
        let clause = "extent(a[0:n][0:m]) extent(b[0:n][0:m])";
        let flat = text("*a", clause, "i * m + j", "i * m + j - 1");
        assert!(flat.contains("array double a[n][m][2] strides (m * 2), 2, 1"), "{flat}");
        assert!(flat.contains("b[i][j][1]") && flat.contains("a[i][(j - 1)][0]"), "{flat}");
    }

    #[test]
    fn members_of_members_are_elements() {
        let text = read(
            "struct vec { double x, y; }; struct cell { double rho; struct vec v; double f[3]; };
             void g(int n, int m, struct cell **c, struct cell *d) {
             #pragma stencil\nfor (int i = 0; i < n; i++) for (int j = 1; j < m; j++)
             { c[i][j].v.y = c[i][j].rho + c[i][j].f[2]; d[i * m + j].v.x = (d + i * m + j)->v.y; } }",
        )
        .to_string()
        .replace("(long long)", "");
        assert!(text.contains("c[i][j][2] = (c[i][j][0] + c[i][j][5])"), "{text}");
        assert!(text.contains("d[i][j][1] = d[i][j][2]"), "{text}");
    }
}
