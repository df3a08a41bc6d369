//! What host code needs of a nest's arrays.
//!
//! Nothing is known of where pointers lead, so code counts as harmless only if it follows none: it computes with variables, and
//! calls functions of which the same can be seen, or that are known to reach no memory but what they are given for that. What
//! reads through pointers needs the arrays; what stores through them, or calls what cannot be seen, may do anything.

use tree_sitter::Node;

use super::Need;
use super::host_code::{HostCode, MAX_DEPTH, Own};
use super::libraries::{READING, STORING, is_harmless, read_by, stored_by};
use crate::front::calls::is_known_to_nests;
use crate::front::pragma::Reach;
use crate::front::tree::{address_of, assigned, children, strip_parentheses};
use crate::front::types::CType;

impl<'t> HostCode<'_, '_, 't> {
    /// What code of the function around the loop needs.
    pub fn need_of_host(&self, node: Node<'t>) -> Need {
        self.need(node, &self.own, 0)
    }

    /// What code needs. `own` are arrays of the function that it is in.
    fn need(&self, node: Node<'t>, own: &Own, depth: usize) -> Need {
        if self.tells_threads(node) {
            return Need::All;
        }
        if let Some(place) = assigned(node) {
            let value = node.child_by_field_name("right").map_or(Need::Nothing, |right| self.need(right, own, depth));
            return value.max(self.need_to_store(place, own, depth));
        }
        let inner =
            |node: Node| children(node).into_iter().map(|child| self.need(child, own, depth)).max().unwrap_or_default();
        let is_memory = |place: Node| self.is_scalar(place) || self.holds_scalar(place);
        match node.kind() {
            "call_expression" => self.need_of_call(node, own, depth),
            "subscript_expression" if self.is_buffer(node) => Need::Nothing,
            "subscript_expression" if self.is_own_array(node, own) => inner(node),
            "subscript_expression" => self.need_of_element(node, own, depth),
            "pointer_expression" => match address_of(self.program.unit, node) {
                Some(place) if is_memory(strip_parentheses(place)) => Need::All,
                Some(place) if is_variable(place) || self.is_buffer(place) => Need::Nothing,
                Some(place) if self.is_own_array(place, own) => inner(place),
                Some(_) => Need::All,
                None if self.is_own_pointer(node, own) => Need::Nothing,
                None if self.leads_to_own(node.child_by_field_name("argument"), own) => inner(node),
                None => inner(node).max(Need::Read),
            },
            "sizeof_expression" | "string_literal" | "type_descriptor" => Need::Nothing,
            "gnu_asm_expression" => Need::All,
            "field_expression" if self.is_scalar(node) => Need::Read,
            "field_expression" => self.need_of_member(node, own, depth).max(self.need_of_value(node)),
            "identifier" if self.wholes.iter().any(|whole| whole == self.program.text(node)) => Need::All,
            "identifier" if self.is_scalar(node) => Need::Read,
            "identifier" => self.need_of_value(node),
            _ => inner(node),
        }
    }

    /// What is needed to come to a member.
    fn need_of_member(&self, member: Node<'t>, own: &Own, depth: usize) -> Need {
        match member.child_by_field_name("argument").map(strip_parentheses) {
            Some(argument) if argument.kind() == "identifier" => {
                if self.may_be_element(member) {
                    Need::Read
                } else {
                    Need::Nothing
                }
            }
            Some(argument) => {
                let followed = if self.follows_to_record(member) { Need::Read } else { Need::Nothing };
                let leading = match argument.kind() {
                    "field_expression" => self.need_of_member(argument, own, depth),
                    _ => self.need(argument, own, depth),
                };
                leading.max(followed)
            }
            None => Need::All,
        }
    }

    /// What is needed to read an element, and what leads to it, such as a pointer in an array of pointers.
    fn need_of_element(&self, element: Node<'t>, own: &Own, depth: usize) -> Need {
        let [argument, index] = ["argument", "index"].map(|part| element.child_by_field_name(part));
        let is_whole = |it: &Node| self.wholes.iter().any(|whole| whole == self.program.text(*it));
        let leading = argument.map(strip_parentheses).filter(|it| !(it.kind() == "identifier" && is_whole(it)));
        let parts = leading.into_iter().chain(index).map(|it| self.need(it, own, depth));
        parts.max().unwrap_or_default().max(Need::Read)
    }

    fn need_to_store(&self, place: Node<'t>, own: &Own, depth: usize) -> Need {
        match place.kind() {
            "identifier" if self.wholes.iter().any(|whole| whole == self.program.text(place)) => Need::All,
            _ if self.is_scalar(place) => Need::Store,
            _ if is_variable(place) => {
                if self.may_be_element(place) {
                    Need::All
                } else {
                    self.need_to_store_value(place)
                }
            }
            "pointer_expression" if self.is_own_pointer(place, own) => Need::Nothing,
            "subscript_expression" if self.is_buffer(place) => Need::Nothing,
            "subscript_expression" | "pointer_expression" if self.is_own_element(place, own) => {
                children(place).into_iter().map(|child| self.need(child, own, depth)).max().unwrap_or_default()
            }
            "subscript_expression" | "pointer_expression" => {
                let inner = children(place).into_iter().map(|child| self.need(child, own, depth)).max();
                inner.unwrap_or_default().max(Need::Store)
            }
            _ => match self.structure_of(place) {
                Some(structure) => self.need_to_store(structure, own, depth),
                None => Need::All,
            },
        }
    }

    fn need_of_call(&self, call: Node<'t>, own: &Own, depth: usize) -> Need {
        let arguments = call.child_by_field_name("arguments").map(children).unwrap_or_default();
        let is_base = |it: &Node| {
            self.bases.iter().chain(&self.wholes).any(|base| base == self.program.text(strip_parentheses(*it)))
        };
        let given = || arguments.iter().map(|it| self.need(*it, own, depth)).max().unwrap_or_default();
        let passed = || arguments.iter().map(|it| self.need_of_argument(*it, own, depth)).max().unwrap_or_default();
        let Some(name) = self.program.called(call) else { return Need::All };
        if let Some(vouched) = self.vouched(name) {
            return match vouched.reach {
                Reach::Nothing => passed(),
                Reach::Reads => passed().max(Need::Read),
                Reach::Writes => Need::All,
            };
        }
        let text = || self.need_of_text(name, &arguments, own);
        match self.program.body(name) {
            Some(_) if self.is_variadic(name) && arguments.iter().any(is_base) => Need::All,
            Some(body) if depth < MAX_DEPTH => {
                let passed = if self.is_variadic(name) { given().max(text()) } else { passed() };
                passed.max(self.need(body, &self.own(body, &arguments, own), depth + 1))
            }
            Some(_) => Need::All,
            None if self.program.defines(name) => Need::All,
            None if is_known_to_nests(name) => given(),
            None if READING.contains(&name) || STORING.contains(&name) => {
                let reaches =
                    |places: &[usize]| places.iter().any(|it| !self.leads_to_own(arguments.get(*it).copied(), own));
                let stores = if reaches(stored_by(name)) { Need::Store } else { Need::Nothing };
                passed().max(stores).max(if reaches(read_by(name)) { Need::Read } else { Need::Nothing })
            }
            None if self.frees_own(name, &arguments, own) => Need::Nothing,
            None if is_harmless(name) && self.has_characters => given().max(text()),
            None if is_harmless(name) && !arguments.iter().any(is_base) => given(),
            None => Need::All,
        }
    }

    /// Whether a call gives back memory of the host's own.
    pub fn frees_own(&self, name: &str, arguments: &[Node<'t>], own: &Own) -> bool {
        name == "free" && self.leads_to_own(arguments.first().copied(), own)
    }

    /// What is needed to pass a value to a function that can be seen: addresses of elements and of structures read nothing.
    fn need_of_argument(&self, argument: Node<'t>, own: &Own, depth: usize) -> Need {
        let argument = strip_parentheses(argument);
        let passed = |nodes: Vec<Node<'t>>| {
            nodes.into_iter().map(|it| self.need_of_argument(it, own, depth)).max().unwrap_or_default()
        };
        match address_of(self.program.unit, argument) {
            Some(place) if self.is_buffer(place) => Need::Nothing,
            Some(place) if place.kind() == "subscript_expression" => passed(children(place)),
            _ if argument.kind() == "binary_expression" => passed(children(argument)),
            _ if self.pointers.iter().any(|pointer| pointer == self.program.text(argument)) => Need::Nothing,
            _ => self.need(argument, own, depth),
        }
    }

    /// The structure in an array of which a place is a member, or an element of a member: `seen[k]` of `seen[k].time` and of
    /// `seen[k].trace[t]`; none if the nest's arrays may have such members.
    pub fn structure_of(&self, place: Node<'t>) -> Option<Node<'t>> {
        let mut here = strip_parentheses(place);
        while let Some(row) = self.row_of(here) {
            here = row;
        }
        let member = here;
        while let Some((whole, false)) = whole_of(here) {
            here = whole;
        }
        (here.kind() == "subscript_expression" && here != member && !self.has_records).then_some(here)
    }

    /// The array that an element is a part of, if that is a member, or a part of one.
    fn row_of(&self, element: Node<'t>) -> Option<Node<'t>> {
        let row = element.child_by_field_name("argument").filter(|_| element.kind() == "subscript_expression")?;
        let row = strip_parentheses(row);
        let is_array = matches!(self.type_at(row), Some(CType::Array(..)));
        let is_member = row.kind() == "field_expression" || self.row_of(row).is_some();
        (is_array && is_member).then_some(row)
    }

    /// Whether `p->x` may be an element of an array of the nest's.
    pub fn may_be_element(&self, place: Node<'t>) -> bool {
        let mut here = strip_parentheses(place);
        let Some((whole, _)) = whole_of(here) else { return false };
        let mut follows = false;
        while let Some((whole, is_followed)) = whole_of(here) {
            follows |= is_followed;
            here = whole;
        }
        follows && self.has_records && [whole, place].into_iter().any(|it| self.may_be_record_at(it))
    }

    /// Whether a member is one of a structure to which an expression points, as in `(cells + i)->x`, and an array of the nest's may
    /// have such members.
    pub fn follows_to_record(&self, member: Node<'t>) -> bool {
        let is_followed = member.child_by_field_name("operator").is_some_and(|it| self.program.text(it) == "->");
        let pointer = member.child_by_field_name("argument").map(strip_parentheses).filter(|_| is_followed);
        pointer.is_some_and(|pointer| self.has_records && self.may_be_record_at(pointer))
    }

    /// Whether what an expression is or points to may be a structure of which the nest's arrays have members; numbers are none.
    fn may_be_record_at(&self, node: Node<'t>) -> bool {
        let scope = self.scope_at(node);
        let ty = scope.type_of(self.unit(), node);
        ty.as_ref().is_none_or(|ty| ty.number().is_none()) && self.may_be_record(ty.as_ref(), &scope)
    }
}

/// Whether a place is a variable or a member of one, to which no pointer or subscript leads but one of a structure.
pub fn is_variable(place: Node) -> bool {
    let mut here = strip_parentheses(place);
    while let Some((whole, _)) = whole_of(here) {
        here = whole;
    }
    here.kind() == "identifier"
}

/// For a member of a structure what stands before its name, and whether that is a pointer which is followed; for `(&s)->x`, as
/// macros write it, `s`.
fn whole_of<'t>(member: Node<'t>) -> Option<(Node<'t>, bool)> {
    let before = member.child_by_field_name("argument").filter(|_| member.kind() == "field_expression")?;
    let before = strip_parentheses(before);
    let is = |node: Node, text| node.child_by_field_name("operator").is_some_and(|it| it.kind() == text);
    match before.child_by_field_name("argument").filter(|_| before.kind() == "pointer_expression" && is(before, "&")) {
        Some(variable) => Some((strip_parentheses(variable), false)),
        None => Some((before, is(member, "->"))),
    }
}

#[cfg(test)]
mod tests {
    use crate::front::Need;
    use crate::front::tests::{function, needs};

    /// What `code` needs behind the sweeps of a step; `before` stands before the function.
    fn need(before: &str, code: &str) -> Vec<Need> {
        let sweeps = "for (int i = 1; i < n - 1; i++) b[i] = a[i - 1]; for (int i = 1; i < n - 1; i++) a[i] = b[i];";
        let body = format!(
            "double s = 0; int k = 0;\n#pragma stencil\nwhile (k < n) {{ k += 1 + k % 2;\n{sweeps}\n{code}\n}}"
        );
        needs(&(before.to_owned() + &function("int n, double *a, double *b, double *c", &body)))
    }

    const OUTPUT: &str = "#include <stdio.h>\n#include <stdlib.h>\n";

    #[test]
    fn what_follows_no_pointer_needs_nothing() {
        for code in [
            "printf(\"%d\\n\", k);",
            "if (s > 1) break;",
            "s = s * 2; k++;",
            "fflush(stdout);",
            "rewind(stdout); fseek(stdout, 0, SEEK_SET);",
            "{ double *d = c; c = d; }",
            "{ div_t q; (&q)->quot = k; (&q)->rem = (&q)->quot; }",
        ] {
            assert_eq!(need(OUTPUT, code), [], "{code}");
        }
    }

    #[test]
    fn what_reads_elements_needs_them() {
        for code in [
            "s += a[3];",
            "s += *c;",
            "printf(\"%g\", b[k]);",
            "if (k == 3) for (int i = 0; i < n; i++) s += c[i];",
            "fwrite(a, 8, 3, stdout);",
        ] {
            assert_eq!(need(OUTPUT, code), [Need::Read], "{code}");
        }
        assert_eq!(need(OUTPUT, "if (k == 4) s = a[1]; s += b[2];"), [Need::Read, Need::Read]);
    }

    #[test]
    fn members_of_structures_are_elements_if_the_nests_arrays_have_such() {
        for (members, other) in [("double x;", ""), ("double x, y;", ""), ("double x, y;", "g[i].y = 1;")] {
            let sweep = format!("for (int i = 1; i < n - 1; i++) {{ g[i].x = a[i - 1]; {other} }}");
            let step = format!("{sweep} for (int i = 1; i < n - 1; i++) a[i] = g[i].x;");
            let loops = format!("#pragma stencil\nfor (int t = 0; t < n; t++) {{ {step} printf(\"%d\", t);");
            let of = |code: &str| {
                let body = format!("double s = 0; struct p *q = g + 3;\n{loops} {code} }}");
                needs(
                    &(format!("{OUTPUT}struct p {{ {members} }};\n")
                        + &function("int n, double *a, struct p *g", &body)),
                )
            };
            assert_eq!(of("s += q->x;"), [Need::Read], "{members}");
            assert_eq!(of("s += t;"), [], "{members}");
        }
    }

    #[test]
    fn what_may_do_anything_ends_the_recording() {
        for code in ["return;", "report(a);", "free(a);", "s = c == &a[1];"] {
            assert_eq!(need("void report(double *);\n#include <stdlib.h>\n", code), [Need::All], "{code}");
        }
    }

    #[test]
    fn elements_may_be_stored_where_the_text_shows() {
        for code in ["a[3] = rand();", "*c = s;", "(*c)++;"] {
            assert_eq!(need("#include <stdlib.h>\n", code), [Need::Store], "{code}");
        }
        assert_eq!(need("", "a[(int)b[3]] = s;"), [Need::All]);
    }

    #[test]
    fn functions_are_looked_into() {
        let of =
            |body: &str| need(&format!("double *w; static double g(double *p, int k) {{ {body} }}\n"), "s += g(c, k);");
        assert_eq!(of("return k * 0.5;"), []);
        assert_eq!(of("double v[3]; v[0] = k; return v[0];"), []);
        assert_eq!(of("return p[k];"), [Need::Read]);
        assert_eq!(of("double v[3]; v[0] = p[k]; return v[0];"), [Need::Read]);
        assert_eq!(of("p[k] = 1; return 0;"), [Need::Store]);
        assert_eq!(of("static double v[3]; v[0] = k; return v[0];"), []);
        assert_eq!(of("static double v[3]; w = v; v[0] = k; return v[0];"), [Need::All]);
    }

    #[test]
    fn pointers_to_variables_lead_to_no_array() {
        let of = |body: &str, call: &str| need(&format!("static void g(double **p, double *q) {{ {body} }}\n"), call);
        assert_eq!(of("double *r = *p; *p = r + 1; *q = (*q) + 1;", "g(&c, &s);"), []);
        assert_eq!(of("*q = (*p)[3];", "g(&c, &s);"), [Need::Read]);
        for call in ["g(&c, a);", "g(&c, &a[3]);"] {
            assert_eq!(of("*q = 1;", call), [Need::Store], "{call}");
        }
        for (body, call) in [
            ("(*p)[1] = 1;", "g(&c, &s);"),
            ("**p = 1;", "g(&c, &s);"),
            ("q = *p; *q = 1;", "g(&c, &s);"),
            ("{ double *q = *p; *q = 1; }", "g(&c, &s);"),
            ("q++; *q = 1;", "g(&c, &s);"),
        ] {
            assert_eq!(of(body, call), [Need::All], "{body}");
        }
    }

    #[test]
    fn names_of_own_arrays_mean_nothing_else() {
        let of =
            |body: &str| need(&format!("double *w; static double g(double *p, int k) {{ {body} }}\n"), "s += g(c, k);");
        assert_eq!(of("{ double w[3]; w[0] = k; } w[1] = k; return 0;"), [Need::All]);
        assert_eq!(of("w[1] = k; double w[3]; w[0] = k; return w[0];"), [Need::All]);
        assert_eq!(of("double w[3]; w[0] = k; { double *w = p; w[0] = k; } return w[0];"), [Need::All]);
    }
}
