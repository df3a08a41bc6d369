//! OpenMP's directives above a nest and in it.
//!
//! The driver is called where the nest stands. A loop that the threads of a team share, `#pragma omp for` in a parallel region
//! around the nest, would be run by each of them as a whole. Where the compiler does not heed such directives, nothing of that
//! happens; the header sees to it that the rewritten file is compiled so, too.

use tree_sitter::Node;

use super::Failable;
use super::reader::Reader;

/// Constructs that a team of threads shares, or waits at.
const OF_TEAM: [&str; 9] = ["for", "loop", "distribute", "sections", "single", "master", "masked", "scope", "barrier"];

/// Constructs that make a team, or several.
const MAKES_TEAM: [&str; 3] = ["parallel", "teams", "target"];

impl<'t> Reader<'_, '_, 't> {
    /// Refuses a nest, or a function that it calls, with a construct of a team that is made outside of the nest, if there are
    /// teams at all.
    pub fn check_team(&mut self, node: Node<'t>) -> Failable<()> {
        for (at, construct) in &self.unit.constructs {
            if !self.unit.is_above(*at, node) && !(node.start_byte()..node.end_byte()).contains(at) {
                continue;
            }
            self.has_team |= MAKES_TEAM.contains(&construct.as_str());
            let is_shared = !self.has_team && OF_TEAM.contains(&construct.as_str());
            self.nest.is_of_team |= is_shared;
            if is_shared && self.unit.preprocessed.target().has_openmp {
                let message = format!("the threads of a team share this nest by `#pragma omp {construct}`");
                let help =
                    "put `#pragma omp parallel for` at the loops of the nest instead of a parallel region around it";
                return self.refuse(node, "openmp-team", message, help);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read};

    const SWEEP: &str = "for (int i = 1; i < n; i++) a[i] = b[i - 1];";

    fn text(before: &str, inside: &str) -> String {
        function(
            "int n, double *a, double *b",
            &format!("{before}\n#pragma stencil\nfor (int t = 0; t < 9; t++) {{\n{inside}\n{SWEEP} }}"),
        )
    }

    #[test]
    fn teams_are_made_in_the_nest_or_at_its_loop() {
        for (before, inside) in [
            ("", "#pragma omp parallel for"),
            ("", "#pragma omp simd"),
            ("#pragma omp parallel", "#pragma omp for"),
            ("#pragma omp barrier\n;", ""),
        ] {
            assert!(!read(&text(before, inside)).is_of_team, "{before}, {inside}");
        }
        for (before, inside) in
            [("", "#pragma omp for schedule(static)"), ("#pragma omp for", ""), ("", "#pragma omp single")]
        {
            assert!(read(&text(before, inside)).is_of_team, "{before}, {inside}");
        }
    }

    #[test]
    fn functions_that_the_nest_calls_belong_to_it() {
        let step = format!("void step(int n, double *a, double *b)\n{{\n#pragma omp for\n{SWEEP}\n}}\n");
        let nest =
            function("int n, double *a, double *b", "#pragma stencil\nfor (int t = 0; t < 9; t++) step(n, a, b);");
        assert!(read(&format!("{step}{nest}")).is_of_team);
    }
}
