//! Values that are more than numbers of the host's: structures that code reads or stores as a whole, with the arrays in them or with
//! numbers that steps carry, numbers to which a pointer of the nest may lead, and atomic variables, by which threads tell each other
//! that arrays are ready.

use tree_sitter::Node;

use super::Need;
use super::host_code::HostCode;
use crate::front::declarations::Scope;
use crate::front::tree::{fields, strip_parentheses};
use crate::front::types::CType;

/// OpenMP's constructs by which threads order what they do.
const TELLS_THREADS: [&str; 5] = ["atomic", "barrier", "critical", "flush", "taskwait"];

impl<'t> HostCode<'_, '_, 't> {
    /// What is needed where the value of a variable or of a member stands.
    pub fn need_of_value(&self, node: Node<'t>) -> Need {
        let (names, node) = (self.program().value_names(), strip_parentheses(node));
        let (name, given) = match (node.kind(), node.child_by_field_name("field")) {
            ("identifier", _) => (self.program().text(node), &names.variables),
            ("field_expression", Some(member)) => (self.program().text(member), &names.members),
            _ => return Need::Nothing,
        };
        let [is_whole, is_given] = [&names.wholes, given].map(|names| names.contains(name));
        if names.atomics.contains(name) || self.holds_scalar(node) && !is_declared(node) {
            Need::All
        } else if (is_whole || is_given) && !is_declared(node) && self.has_elements(node, is_given) {
            Need::Read
        } else {
            Need::Nothing
        }
    }

    /// Whether threads may tell each other by a statement that arrays are ready, as OpenMP's directives above it say.
    pub fn tells_threads(&self, statement: Node) -> bool {
        let is_statement = statement.kind().ends_with("_statement") || statement.kind() == "declaration";
        is_statement
            && self.unit().preprocessed.target().has_openmp
            && self.unit().constructs_above(statement).any(|construct| construct.is_one_of(&TELLS_THREADS))
    }

    /// What is needed to store such a value.
    pub fn need_to_store_value(&self, place: Node<'t>) -> Need {
        if self.need_of_value(place) == Need::Nothing { Need::Nothing } else { Need::All }
    }

    /// Whether a value has elements in it that may be the nest's, or is one if a pointer may lead to it.
    fn has_elements(&self, node: Node<'t>, is_given: bool) -> bool {
        let scope = self.scope_at(node);
        let is_elsewhere = scope.variable(self.program().text(node)).is_some_and(|variable| {
            let takes = || self.unit().takes_address_of(self.root, self.program().text(node), variable.declared_at);
            !variable.is_static && !takes()
        });
        // An array is no value but where its elements are read.
        let ty = scope.type_of(self.unit(), node).filter(|ty| !matches!(ty, CType::Array(..)));
        ty.is_some_and(|ty| self.may_have_elements(&ty, &scope, is_given && !is_elsewhere))
    }

    fn may_have_elements(&self, ty: &CType<'t>, scope: &Scope<'t>, is_in_array: bool) -> bool {
        match ty {
            CType::Array(inner, _) => self.may_have_elements(inner, scope, true),
            CType::Scalar(_) | CType::Bool => is_in_array && ty.number().is_some_and(|it| self.may_be_of_nest(it)),
            CType::Structure(_) => scope.structure(ty).is_some_and(|structure| {
                let given = &self.program().value_names().members;
                structure.names(self.unit()).iter().any(|name| {
                    let member = structure.member(self.unit(), scope, name);
                    let is_element = is_in_array || given.contains(name);
                    member.is_some_and(|member| self.may_have_elements(&member.ty, scope, is_element))
                })
            }),
            CType::Other(written) => match scope.structure(ty) {
                Some(structure) => self.may_have_elements(&CType::Structure(structure.specifier()), scope, is_in_array),
                None => written.starts_with("union"),
            },
            _ => false,
        }
    }
}

/// Whether a name is what a declaration declares.
fn is_declared(name: Node) -> bool {
    name.kind() == "identifier" && name.parent().is_some_and(|it| fields(it, "declarator").contains(&name))
}

#[cfg(test)]
mod tests {
    use crate::front::Need;
    use crate::front::tests::{function, needs};

    /// What `code` needs behind the sweeps of a step; `before` stands before the function.
    fn need(before: &str, code: &str) -> Vec<Need> {
        let sweeps = "for (int i = 1; i < n - 1; i++) b[i] = a[i - 1]; for (int i = 1; i < n - 1; i++) a[i] = b[i];";
        let body = format!("int k = 0;\n#pragma stencil\nwhile (k < n) {{ k += 1 + k % 2;\n{sweeps}\n{code}\n}}");
        needs(&(before.to_owned() + &function("int n, double *a, double *b", &body)))
    }

    #[test]
    fn a_structure_with_elements_is_read_and_stored_as_a_whole() {
        let before = "struct field { double u[40]; int k; }; struct both { struct field f; double w; };\n\
            struct times { double at, by; int steps[3]; }; union any { double u; long k; };\n\
            struct both s, r; struct times p, q; union any x, y; struct field get(void) { return s.f; }\n\
            typedef double line[9]; line row; static int look(const double *x) { return x != 0; }\n\
            struct cell { double u; }; struct cells { struct cell of[9]; } c, d;\n";
        for (code, expected) in [
            ("r.f = s.f;", vec![Need::All]),
            ("r.w = s.w; r.f.k = s.f.k;", vec![]),
            ("struct field f = s.f; k += f.k;", vec![Need::Read]),
            ("k += get().k;", vec![Need::Read]),
            ("p = q;", vec![]),
            ("x = y;", vec![Need::All]),
            ("d = c;", vec![Need::All]),
            ("struct field *f = &s.f; k += f->k;", vec![]),
            ("look(row);", vec![]),
        ] {
            assert_eq!(need(before, code), expected, "{code}");
        }
    }

    #[test]
    fn a_pointer_of_the_nest_may_lead_to_a_number_whose_address_is_given() {
        let code = "s = err;";
        let other = "static double err, *p, s; int scan(double *e);";
        for (code, before, expected) in [
            (code, "void g(void) { scan(&err); }", vec![]),
            (code, "void g(void) { p = &err; }", vec![Need::Read]),
            (code, "void f(); void g(void) { f(3, &err, p); }", vec![Need::Read]),
            ("s = 1; err = s;", "void g(void) { p = &err; }", vec![Need::All]),
            ("double err = 1; s = err;", "void g(void) { p = &err; }", vec![]),
        ] {
            assert_eq!(need(&format!("{other} {before}\n"), code), expected, "{code} {before}");
        }
    }

    #[test]
    fn atomic_variables_may_tell_other_threads_that_arrays_are_ready() {
        let before = "typedef _Atomic int flag; _Atomic int ready; flag done, all[3]; struct s { flag at; int by; } s; int plain;\n";
        for (code, expected) in [
            ("ready = k;", vec![Need::All]),
            ("while (!done) ;", vec![Need::All]),
            ("all[1] = 1;", vec![Need::All]),
            ("s.at++;", vec![Need::All]),
            ("s.by++; plain = 1;", vec![]),
        ] {
            assert_eq!(need(before, code), expected, "{code}");
        }
    }

    #[test]
    fn members_that_carry_what_steps_make_of_elements_are_elements() {
        let before = "int puts(const char *); struct s { double w; float far; }; struct o { struct s in; int k; } p, q; struct s r;\n\
            static double by(struct o x) { return x.in.far; } static void at(struct o *x) { x->in.w = 1; }\n";
        let sweep = |to: &str, from: &str| {
            format!("for (int i = 1; i < n - 1; i++) {to}[i] = p.in.w * {from}[i - 1] + {from}[i + 1];")
        };
        let (first, second) = (sweep("b", "a"), sweep("a", "b"));
        for (code, expected) in [
            ("k += p.in.w > 1;", vec![Need::Read]),
            ("p.in.w = 1;", vec![Need::Store]),
            ("k += p.in.far > 1; p.k = k;", vec![]),
            ("{ r = p.in; puts(\"\"); }", vec![Need::All]),
            ("{ p.in = r; puts(\"\"); }", vec![Need::All]),
            ("{ q = p; puts(\"\"); }", vec![Need::All]),
            ("k += by(p) > 1;", vec![Need::All]),
            ("{ at(&p); puts(\"\"); }", vec![Need::All]),
            ("{ double *x = &p.in.w; *x = 2; puts(\"\"); }", vec![Need::All]),
        ] {
            let step = format!("{first} p.in.w = 0.5 * p.in.w + a[1]; {second}");
            let body = format!("int k = 0;\n#pragma stencil\nwhile (k < n) {{ k += 1 + k % 2;\n{step}\n{code}\n}}");
            let text = before.to_owned() + &function("int n, double *a, double *b", &body);
            assert_eq!(needs(&text), expected, "{code}");
        }
    }
}
