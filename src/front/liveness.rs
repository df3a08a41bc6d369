//! Which variables may be read after the nest, and who else may reach them.

use std::collections::BTreeMap;

use tree_sitter::Node;

use super::fixed::target_of;
use super::qualifiers::Qualifiers;
use super::reader::Reader;
use super::tree::{children, fields, is_loop, nodes_in};
use super::types::{CType, declared};
use crate::ir::{Handle, HostValue, Selector};

impl<'t> Reader<'_, '_, 't> {
    /// Why somebody may read what the nest leaves in a variable; `None` if nobody can.
    pub fn why_live(&self, variable: Handle<HostValue>) -> Option<&'static str> {
        if let Some(why) = self.control_flow.hidden() {
            return Some(why);
        }
        if self.declaration_of(variable).is_some_and(|it| self.scratch.contains(&it.declared_at)) {
            return self.why_scratch_is_live(&self.nest.values[variable].variable.name);
        }
        let Some(variable) = self.declared_in_function(variable) else {
            return Some("it lives outside the function, so other code may read it");
        };
        let qualifiers = self.control_flow.qualifiers(variable);
        if qualifiers.is_static || qualifiers.is_extern {
            Some("it keeps its value between calls of the function, so other code may read it")
        } else if qualifiers.is_volatile {
            Some("it is volatile")
        } else if self.control_flow.is_exposed(variable) {
            Some("its address is taken, so other code may read it")
        } else if self.control_flow.is_read_behind_nest(variable) {
            Some("its value may be read after the nest")
        } else {
            None
        }
    }

    /// The variable as the control flow of the function knows it, if it is declared there.
    fn declared_in_function(&self, variable: Handle<HostValue>) -> Option<usize> {
        let is_behind_pointer = self.nest.values[variable].path.contains(&Selector::Dereference);
        let declared_at = self.declaration_of(variable)?.declared_at;
        let declared_at = if self.unit.ways.is_some() { self.unit.original(declared_at) } else { declared_at };
        self.control_flow.local(declared_at).filter(|_| !is_behind_pointer)
    }

    /// Whether a pointer may lead to a variable, so that a store through the pointer changes it.
    pub fn may_be_pointed_to(&self, variable: Handle<HostValue>) -> bool {
        let qualifiers = self.qualifiers(variable);
        if qualifiers.is_const {
            return false;
        }
        if self.nest.values[variable]
            .path
            .windows(2)
            .any(|it| matches!(it, [Selector::Element(_), Selector::Member(_)]))
        {
            // Arrays are handed on as pointers to their elements.
            return true;
        }
        match self.declared_in_function(variable) {
            // It is the driver's, or what a gap declares for the statements behind it.
            None if self.is_put_in(variable) => false,
            _ if self.control_flow.hidden().is_some() => qualifiers.register.is_none(),
            Some(variable) => qualifiers.is_extern || self.control_flow.is_exposed(variable),
            None => !qualifiers.is_static || self.file_takes_address(&self.nest.values[variable].variable.name),
        }
    }

    fn is_put_in(&self, variable: Handle<HostValue>) -> bool {
        self.declaration_of(variable).is_some_and(|it| self.unit.is_put_in(it.declared_at))
    }

    /// What the declarations of a variable say.
    pub fn qualifiers(&self, variable: Handle<HostValue>) -> Qualifiers {
        if let Some(variable) = self.declared_in_function(variable) {
            return self.control_flow.qualifiers(variable);
        }
        let value = &self.nest.values[variable];
        // What the type of a member says is not looked up.
        let mut all = Qualifiers { is_restrict: !value.path.is_empty(), ..Qualifiers::default() };
        if value.path.contains(&Selector::Dereference) {
            return all;
        }
        let of_file = self.functions.qualifiers.get_or_init(|| self.qualifiers_in_file());
        if let Some(declared) = of_file.get(&value.variable.name) {
            all.declare_again(declared);
        }
        all
    }

    /// What all declarations of a variable of the file say together, by its name.
    fn qualifiers_in_file(&self) -> BTreeMap<String, Qualifiers> {
        let mut found: BTreeMap<String, Qualifiers> = BTreeMap::new();
        let all = self.ancestors.last().map(|file| children(*file)).unwrap_or_default();
        for declaration in all.into_iter().filter(|child| child.kind() == "declaration") {
            for declarator in fields(declaration, "declarator") {
                let name = declared(self.unit, declarator, CType::Other(String::new())).0;
                found.entry(name).or_default().declare_again(&Qualifiers::of(self.unit, declaration, declarator));
            }
        }
        found
    }

    /// Whether `&name` stands anywhere in the file.
    fn file_takes_address(&self, name: &str) -> bool {
        self.ancestors.last().is_none_or(|file| self.unit.takes_address(*file, name))
    }

    /// Whether a variable that gives the size of an array may have changed since the array's declaration.
    pub fn has_changed_since(&self, nest: Node<'t>, name: &str, declared_at: usize) -> bool {
        let Some(function) = self.enclosing_function() else { return false };
        let mut end = nest.end_byte();
        for parent in &self.ancestors {
            let is_loop = is_loop(*parent);
            if is_loop && declared_at < parent.start_byte() {
                end = parent.end_byte();
            }
        }
        nodes_in(function).any(|node| {
            let is_target = target_of(node).is_some_and(|target| self.text(target) == name);
            is_target && node.start_byte() > declared_at && node.start_byte() < end
        })
    }

    /// The function around the nest.
    pub fn enclosing_function(&self) -> Option<Node<'t>> {
        self.ancestors.iter().find(|around| around.kind() == "function_definition").copied()
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read_all};

    /// Whether nobody reads what the nest assigns to `s`, so that nothing is folded for it.
    fn is_dead(before: &str, after: &str) -> bool {
        let nest = "#pragma stencil\nfor (int i = 1; i < n; i++) { s = a[i]; a[i] = s + 1; }";
        let text = function("int n, double *a", &format!("double s = 0, r = 0;\n{before}\n{nest}\n{after}\na[0] = r;"));
        read_all(&text).remove(0).is_ok_and(|nest| nest.step.folds.accumulators.is_empty())
    }

    #[test]
    fn straight_code() {
        assert!(is_dead("", ""));
        assert!(is_dead("", "s = 1; r = s;"));
        assert!(!is_dead("", "r = s;"));
        assert!(!is_dead("", "s += 1;"));
        assert!(!is_dead("", "s++;"));
        assert!(!is_dead("", "a[(int)s] = 1;"));
        assert!(is_dead("", "return; r = s;"));
        assert!(!is_dead("", "return s;"));
        assert!(!is_dead("", "mystery(s);"));
    }

    #[test]
    fn branches_kill_only_together() {
        assert!(is_dead("", "if (n) s = 1; else { s = 2; } r = s;"));
        assert!(!is_dead("", "if (n) s = 1; r = s;"));
        assert!(!is_dead("", "if (n && (s = 1)) ; r = s;"));
        assert!(is_dead("", "if ((s = n) && n) ; r = s;"));
        assert!(!is_dead("", "n ? (s = 1) : 0; r = s;"));
        assert!(is_dead("", "n ? (s = 1) : (s = 2); r = s;"));
        assert!(is_dead("", "s = 1, r = s;"));
        assert!(!is_dead("", "r = s, s = 1;"));
        assert!(!is_dead("", "r = (s = 1) + s;"));
        assert!(is_dead("", "while ((s = mystery()) != 0) r = s;"));
    }

    #[test]
    fn loops_behind_the_nest_may_not_run() {
        assert!(!is_dead("", "for (int k = 0; k < n; k++) s = 1; r = s;"));
        assert!(is_dead("", "for (s = 0; s < n; s++) r = s;"));
        assert!(!is_dead("", "while (n--) s = 1; r = s;"));
        assert!(is_dead("", "do s = 1; while (n--); r = s;"));
        assert!(!is_dead("", "do { if (n) break; s = 1; } while (n--); r = s;"));
        assert!(!is_dead("", "do { if (n) continue; s = 1; } while (0); r = s;"));
        assert!(is_dead("", "for (;;) ; r = s;"));
        assert!(is_dead("", "while (1) ; r = s;"));
        assert!(!is_dead("", "while (1) if (n) break; r = s;"));
    }

    #[test]
    fn loops_around_the_nest_lead_back() {
        assert!(!is_dead("for (int k = 0; k < 3; k++) { r = s;", "}"));
        assert!(is_dead("for (int k = 0; k < 3; k++) { s = 1; r = s;", "}"));
        assert!(!is_dead("for (int k = 0; k < 3; k++) {", "if (k == 1) break; s = 0; } r = s;"));
        assert!(is_dead("for (int k = 0; k < 3; k++) {", "s = 0; if (k == 1) break; } r = s;"));
        assert!(!is_dead("for (int k = 0; k < 3; k++) {", "if (k == 1) continue; s = 0; } r = s;"));
        assert!(!is_dead("while (1) {", "if (n) break; s = 0; } r = s;"));
        assert!(!is_dead("do {", "if (n) break; s = 0; } while (0); r = s;"));
        assert!(is_dead("do {", "s = 0; } while (n--); r = s;"));
    }

    #[test]
    fn cases_fall_through() {
        assert!(!is_dead("", "switch (n) { case 1: s = 1; } r = s;"));
        assert!(!is_dead("", "switch (n) { case 1: s = 1; break; case 2: break; default: s = 2; } r = s;"));
        assert!(is_dead("", "switch (n) { case 1: s = 1; break; case 2: default: s = 2; } r = s;"));
        assert!(!is_dead("", "switch (n) { case 1: s = 1; case 2: r = s; }"));
        assert!(is_dead("", "switch (n) { case 1: s = 1; case 2: s = 3; r = s; }"));
        assert!(!is_dead("switch (n) { case 1:", "case 2: r = s; }"));
        assert!(is_dead("switch (n) { case 1:", "break; case 2: r = s; }"));
        assert!(!is_dead("", "switch (n) { case 0: do { s = 1; case 1: r = s; } while (0); }"));
    }

    #[test]
    fn labels_are_reached_from_their_jumps() {
        assert!(!is_dead("", "if (n) goto end; s = 1; end: r = s;"));
        assert!(is_dead("", "if (n) goto end; r = s = 1; end: ;"));
        assert!(!is_dead("again: r = s;", "if (n--) goto again;"));
        assert!(is_dead("again: s = 0; r = s;", "if (n--) goto again;"));
        assert!(!is_dead("", "void *to = &&end; goto *to; end: ;"));
    }

    #[test]
    fn names_belong_to_declarations() {
        assert!(is_dead("", "{ double s = 1; r = s; }"));
        assert!(!is_dead("", "{ double s = 1; r = s; } r = s;"));
        assert!(!is_dead("", "{ r = s; double s = 1; }"));
        assert!(is_dead("", "for (int s = 0; s < n; s++) r = s;"));
        assert!(!is_dead("", "{ double s; s = 1; } r = s;"));
        assert!(!is_dead("", "r = sizeof(char[(int)s]);"));
    }

    #[test]
    fn what_the_graph_does_not_show_keeps_variables_alive() {
        assert!(!is_dead("double *p = &s;", ""));
        assert!(!is_dead("", "mystery(&(s));"));
        assert!(!is_dead("if (setjmp(buffer)) r = 1;", ""));
        assert!(!is_dead("", "__asm__ volatile (\"\");"));
        assert!(!is_dead("double inner(void) { return s; }", ""));
        assert!(!is_dead("{ static double s;", "}"));
        assert!(!is_dead("{ extern double s;", "}"));
        assert!(!is_dead("double __attribute__((cleanup(f))) z;", ""));
        assert!(!is_dead("", "r = ({ s; });"));
        assert!(is_dead("", "r = ({ s = 1; s; });"));
        assert!(!is_dead("", "r = (s) - 1;"));
    }

    /// Whether rows of length `n` may be used that are declared between `before` and `behind`; `after` follows the nest.
    fn keeps_length(before: &str, behind: &str, after: &str) -> bool {
        let nest = "#pragma stencil\nfor (int i = 0; i < 8; i++) rows[i][0] = 1;";
        let body = format!("int m = 1, k = 0; {before}\ndouble rows[8][n];\n{behind}\n{nest}\n{after}");
        read_all(&function("int n, double *a", &body)).remove(0).is_ok()
    }

    #[test]
    fn lengths_that_change_on_the_way_to_the_nest() {
        assert!(keeps_length("n = 7; n++;", "m = n; k = -n; a[n] = 1; if (n == m) k = !n;", "n = 3; n--;"));
        assert!(!keeps_length("", "n = 7;", ""));
        assert!(!keeps_length("", "(n) += 7;", ""));
        assert!(!keeps_length("", "n--;", ""));
        assert!(!keeps_length("", "k = m + --n;", ""));
        assert!(!keeps_length("", "a = (double *)&n;", ""));
        assert!(keeps_length("", "m = 7; m++; k--;", ""));
    }

    #[test]
    fn lengths_that_change_in_loops_around_the_nest() {
        assert!(!keeps_length("", "for (k = 0; k < 3; k++) {", "n = 3; }"));
        assert!(!keeps_length("", "while (k++ < 3) {", "n++; }"));
        assert!(!keeps_length("", "do {", "n++; } while (k++ < 3);"));
        assert!(keeps_length("", "if (m) { for (k = 0; k < 3; k++) {", "} n = 3; }"));
        assert!(keeps_length("for (k = 0; k < 3; k++) {", "", "n = 3; }"));
        assert!(keeps_length("", "if (m) {", "} n = 3;"));
    }

    /// Whether a store through a pointer may change the global `s`, which `declaration` declares.
    fn is_watched(declaration: &str, elsewhere: &str) -> bool {
        let nest = "for (int i = 0; i < n; i++) a[i] = s * i;";
        let text = format!("{declaration}\n{elsewhere}\nvoid f(int n, double *a)\n{{\n#pragma stencil\n{nest}\n}}\n");
        !read_all(&text).remove(0).expect("it is read").watched.is_empty()
    }

    #[test]
    fn pointers_may_lead_to_what_others_can_name() {
        assert!(is_watched("double s;", ""));
        assert!(!is_watched("const double s;", ""));
        assert!(!is_watched("static double s;", "double g(double r) { return -s + (r & s) + *&r; }"));
        assert!(is_watched("static double s;", "double *g(void) { return &(s); }"));
        assert!(!is_watched("static double s; double r;", "double *g(void) { return &r; }"));
        assert!(is_watched("extern double s;", "static double r;"));
    }
}
