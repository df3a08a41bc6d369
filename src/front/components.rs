//! Arrays of structures as arrays of numbers: `cell[i].f[k]` of `struct { double rho, f[9]; } *cell` is element `[i][1 + k]` of
//! an array with rows of ten.
//!
//! Members of one type that follow each other are one array, a [view](Reader::view) of the structures: each of them is a row
//! of as many elements as it would have if it were made of them alone. `n` of `struct { double x; int n; } *cell` is element
//! `[i][2]` of an array of integers with rows of four. So the views of an array of structures share no byte.

use tree_sitter::Node;

use super::Failable;
use super::objects::Place;
use super::ranges::Interval;
use super::reader::{PointerValue, Reader, Root, View};
use super::runs::Run;
use super::structures::{Structure, size};
use super::tree::strip_parentheses;
use super::types::CType;
use crate::ir::{Access, Array, Handle, Members, ScalarType};
use crate::source::Diagnostic;

/// Where a member lies among the elements that its structure is seen as.
struct Component<'t> {
    /// How many come before the member.
    first: i64,
    /// What a pointer to the member points to.
    pointee: CType<'t>,
    /// The members that are seen together with it.
    run: Run,
}

impl<'t> Reader<'_, '_, 't> {
    /// The pointer to the member that `node` names of the structure to which `whole` points.
    pub fn component(&mut self, node: Node<'t>, whole: PointerValue<'t>) -> Failable<PointerValue<'t>> {
        let member = self.field(node, "field")?;
        self.component_at(node, whole, &[self.text(member)])
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
        let component = self.component_of(node, structure, path).inspect_err(|refusal| {
            if refusal.code == "struct-member" {
                self.want_single_structure(&whole, structure);
            }
        })?;
        if self.has_pointers(structure) {
            self.want_single_structure(&whole, structure);
        }
        let root = self.view(node, &whole, structure, component.run)?;
        let first = self.int(ScalarType::I64, component.first, self.span(node));
        let mut subscripts = whole.subscripts;
        subscripts.push(first);
        Ok(PointerValue { root, subscripts, pointee: component.pointee })
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
                if self.single_structure(&element)?.is_some() {
                    return Ok(None);
                }
                let structure = self.scope.structure(&element.pointee);
                let member = structure.and_then(|it| it.member(self.unit, &self.scope, path[0]));
                let is_inner = member.is_some_and(|member| self.scope.structure(&member.ty).is_some());
                return if is_inner { self.component_at(node, element, &path).map(Some) } else { Ok(None) };
            }
            outer = argument;
        }
        Ok(None)
    }

    fn component_of(&self, node: Node<'t>, structure: Structure<'t>, path: &[&str]) -> Failable<Component<'t>> {
        let Some(runs) = structure.runs(self.unit, &self.scope) else { return self.refuse_layout(node, structure) };
        let (ty, start) = self.member_at(node, structure, path)?;
        let element = match &ty {
            CType::Array(inner, Some(_)) => inner,
            other => other,
        };
        let found = runs.into_iter().find(|run| run.start <= start && start < run.end);
        let (Some(number), Some(run), Some(bytes)) = (element.number(), found, size(self.unit, &self.scope, &ty))
        else {
            return self.refuse_kind(node, &path.join("."), &ty);
        };
        let in_elements = |bytes: i64| bytes / number.size() as i64;
        let pointee = match &ty {
            CType::Array(inner, _) => CType::Record(inner.clone(), in_elements(bytes)),
            scalar => scalar.clone(),
        };
        Ok(Component { first: in_elements(start), pointee, run })
    }

    /// Refuses a member that is no number.
    fn refuse_kind<T>(&self, node: Node<'t>, name: &str, ty: &CType<'t>) -> Failable<T> {
        if matches!(ty, CType::Pointer(_)) {
            let message = format!("`{name}` is a pointer in each of the structures in an array");
            let help =
                "let a pointer lead to the one structure before the nest, as in `one = &all[k];`, and use its members";
            return self.refuse(node, "struct-member", message, help);
        }
        let message = format!("`{name}` is no number, and no row of numbers");
        let help = "use structures of numbers, with arrays of one dimension, or an array of its own";
        self.refuse(node, "struct-member", message, help)
    }

    /// The type of a member of members, and the byte of the structure at which it begins.
    fn member_at(&self, node: Node<'t>, structure: Structure<'t>, path: &[&str]) -> Failable<(CType<'t>, i64)> {
        let (mut ty, mut start) = (CType::Structure(structure.specifier()), 0);
        for name in path {
            let within = self.scope.structure(&ty);
            let member = within.and_then(|it| it.member(self.unit, &self.scope, name));
            let offset = within.and_then(|it| it.offset(self.unit, &self.scope, name));
            let Some((member, offset)) = member.filter(|member| !member.is_volatile).zip(offset) else {
                return self.refuse_member(node, &format!("`{name}` is no member that a nest can use"));
            };
            (ty, start) = (member.ty, start + offset);
        }
        Ok((ty, start))
    }

    /// Refuses a structure whose members may be anywhere in it.
    pub fn refuse_layout<T>(&self, node: Node<'t>, structure: Structure<'t>) -> Failable<T> {
        let (unit, scope) = (self.unit, &self.scope);
        let is_unknown = |name: &String| {
            let member = structure.member(unit, scope, name);
            member.is_none_or(|member| size(unit, scope, &member.ty).is_none())
        };
        let why = match structure.names(unit).into_iter().find(is_unknown) {
            Some(name) if name.is_empty() => "it has a bit-field without a name".to_owned(),
            Some(name) => format!("`{name}` is a bit-field, a union or of another type that nests do not know"),
            None if !structure.names_all() => "it has a member without a name".to_owned(),
            None => "an attribute or a pragma moves them".to_owned(),
        };
        let message = format!("where the members of this structure lie cannot be told: {why}");
        let help = "use structures of numbers and pointers that nothing packs or aligns";
        self.refuse(node, "struct-member", message, help)
    }

    /// The root of the members in a run of the structures to which `whole` points.
    pub fn view(
        &mut self,
        node: Node<'t>,
        whole: &PointerValue<'t>,
        structure: Structure<'t>,
        run: Run,
    ) -> Failable<usize> {
        self.nest.records.extend(structure.with_inner(self.unit, &self.scope));
        let main = self.main_root(whole.root);
        if self.structure_of_root(main).is_some_and(|it| !it.is(self.unit, structure)) {
            let message = format!("`{}` is seen as structures of another type", self.root_name(main));
            return self.refuse(node, "struct-member", message, "use the type with which it is declared");
        }
        if self.has_single_structures(structure) {
            self.want_single_structure(whole, structure);
            let message =
                format!("`{}` has structures that the nest names one by one, and others", self.root_name(main));
            let help = "let pointers lead to the structures before the nest, as in `one = &all[k];`";
            return self.refuse(node, "struct-member", message, help);
        }
        Ok(self.view_of(main, structure, run))
    }

    /// The structure of which an array is declared.
    fn structure_of_root(&self, root: usize) -> Option<Structure<'t>> {
        self.scope.structure(self.roots[root].whole.element().0)
    }

    /// The root of all that a root's variable leads to.
    pub fn main_root(&self, root: usize) -> usize {
        let variable = self.roots[root].variable;
        self.roots.iter().position(|it| it.variable == variable).unwrap_or(root)
    }

    /// The view of a run, which is made if there is none.
    fn view_of(&mut self, main: usize, structure: Structure<'t>, run: Run) -> usize {
        let variable = self.roots[main].variable;
        let is_it = |it: &Root| it.variable == variable && it.view.is_some_and(|view| view.run == run);
        self.roots.iter().position(is_it).unwrap_or_else(|| {
            let (root, array) = self.new_view(main, structure, run);
            self.add_view(main, root, array)
        })
    }

    fn new_view(&self, main: usize, structure: Structure<'t>, run: Run) -> (Root<'t>, Array) {
        let Root { variable, whole, .. } = self.roots[main].clone();
        let bytes = size(self.unit, &self.scope, &CType::Structure(structure.specifier())).unwrap_or(run.end);
        let count = bytes / run.element.size() as i64;
        let ty = seen_as_elements(&whole, &CType::Scalar(run.element), count);
        let members = (run.start > 0 || run.end < bytes).then_some(Members { bytes, start: run.start, end: run.end });
        let array = self.nest.arrays[self.root_array(main)].clone();
        let view = Some(View { structure: structure.specifier(), run });
        (Root { variable, whole, ty, view }, Array { element: run.element, members, ..array })
    }

    /// Adds a view; the first one takes the place of the whole.
    fn add_view(&mut self, main: usize, root: Root<'t>, array: Array) -> usize {
        let whole = self.root_array(main);
        if self.roots[main].view.is_none() {
            (self.nest.arrays[whole], self.roots[main]) = (array, root);
            return main;
        }
        let span = self.nest.arrays.span(whole);
        self.nest.arrays.push(array, span);
        self.roots.push(root);
        self.roots.len() - 1
    }

    /// The root of the same members of the structures that the variable of `main` leads to, if `like` is one of structures.
    pub fn view_like(&mut self, main: usize, like: usize) -> usize {
        let Some(View { structure, run }) = self.roots[like].view else { return main };
        let Some(structure) = self.scope.structure(&CType::Structure(structure)) else { return main };
        let is_same = self.structure_of_root(main).is_some_and(|it| it.is(self.unit, structure));
        if is_same { self.view_of(main, structure, run) } else { main }
    }

    /// Leaves it to the driver to check, where it is not sure, that accesses of a view stay within its members.
    pub fn check_inside_members(&mut self, root: usize, accesses: &[Handle<Access>]) -> Failable<()> {
        let array = self.root_array(root);
        let Some(View { run, .. }) = self.roots[root].view.filter(|_| self.nest.arrays[array].members.is_some()) else {
            return Ok(());
        };
        let (first, end) = run.elements();
        let within = Interval { lo: first.into(), hi: i128::from(end) - 1 };
        for access in accesses {
            let last = *self.nest.accesses[*access].subscripts.last().expect("views have rows");
            let place = self.place_of(*access);
            let is_inside = match self.constant(last) {
                Some(at) => (first..end).contains(&at),
                None => self.require_within(last, last, within, place).is_ok(),
            };
            if !is_inside {
                let message = format!("this element of `{}` may be outside of its member", self.root_name(root));
                let error = Diagnostic::error("struct-member", message, self.nest.accesses.span(*access));
                return Err(Box::new(error.with_help("subscript members within their own sizes")));
            }
        }
        Ok(())
    }
}

/// The type of an array of structures with each of them seen as `count` elements.
fn seen_as_elements<'t>(ty: &CType<'t>, element: &CType<'t>, count: i64) -> CType<'t> {
    let inside = |inner: &CType<'t>| Box::new(seen_as_elements(inner, element, count));
    match ty {
        CType::Pointer(inner) => CType::Pointer(inside(inner)),
        CType::Array(inner, size) => CType::Array(inside(inner), *size),
        _ => CType::Record(Box::new(element.clone()), count),
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};

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

    const MIXED: &str = "struct mixed { float v; int k; double w[2]; float u; };\n";

    #[test]
    fn members_of_several_types_are_arrays_of_their_own() {
        let swap = "struct mixed *c = a; a = b; b = c;";
        let body = format!(
            "#pragma stencil\nfor (int t = 0; t < n; t++) {{ for (int i = 1; i < n - 1; i++)
             {{ b[i].k = a[i - 1].k; b[i].v = a[i].u; b[i].w[1] = a[i].w[0]; }} {swap} }}"
        );
        let text = read(&(MIXED.to_owned() + &function("int n, struct mixed *a, struct mixed *b", &body))).to_string();
        let arrays: Vec<&str> = text.lines().filter(|line| line.starts_with("array")).collect();
        assert_eq!(arrays.len(), 4, "{text}");
        assert!(text.contains("array int a/b[][8] strides 8, 1 buffers a, b"), "{text}");
        assert!(text.contains("[i][2] = a/b{(#t % 2)}[i][1]"), "{text}");
    }

    #[test]
    fn subscripts_of_members_stay_within_them() {
        let element = |subscript: &str| {
            let body = format!("#pragma stencil\nfor (int i = 0; i < n; i++) a[i].v = a[i].w[{subscript}];");
            MIXED.to_owned() + &function("int n, int k, struct mixed *a", &body)
        };
        assert_eq!(read(&element("1")).range_checks.len(), read(&element("k")).range_checks.len() - 1);
        assert_eq!(refusal(&element("2")).code, "struct-member");
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
