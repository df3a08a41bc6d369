//! OpenMP's directives above a nest and in it.
//!
//! A nest that makes its teams of threads itself is run by one thread, and so is its driver. Where the team is made outside,
//! by a parallel region around the nest or in a function that calls its own, each thread comes to the nest, and to its driver
//! ([`Team::Shares`]): what they bring is compared there. Where the compiler does not heed such directives, nothing of that
//! happens; the header sees to it that the rewritten file is compiled so, too.
//!
//! What each thread has for its own ([`Own`]) is another variable than that of the same name outside.

use std::collections::BTreeSet;
use std::iter;

use tree_sitter::Node;

use super::Failable;
use super::frames::Frame;
use super::left::Lost;
use super::reader::{Binding, Reader, Region, Unknown};
use super::symbols::{Symbol, Variable};
use super::tree::{Construct, Own, ancestors, declared_identifier, named, nodes_in, target};
use super::types::CType;
use crate::ir::{Handle, HostValue, Nest, ParamValue, Team};

/// Constructs that a team of threads shares, or waits at.
const OF_TEAM: [&str; 9] = ["for", "loop", "distribute", "sections", "single", "master", "masked", "scope", "barrier"];

/// Those whose iterations the threads share.
const SHARED_LOOPS: [&str; 3] = ["for", "loop", "distribute"];

/// Constructs that make a team, or several.
const MAKES_TEAM: [&str; 3] = ["parallel", "teams", "target"];

/// Constructs within which not all threads of a team are at the same place.
const OF_SOME: [&str; 9] = ["single", "master", "masked", "critical", "sections", "section", "task", "ordered", "for"];

/// Constructs that threads run through one after the other.
const ONE_BY_ONE: [&str; 2] = ["critical", "atomic"];

/// Clauses whose variables hold behind a shared loop what they would without threads.
const COMBINED: [&str; 4] = ["reduction", "lastprivate", "linear", "in_reduction"];

const ANOTHER_REGION: &str =
    "put `#pragma omp parallel for` at the loops of the nest instead of a parallel region around it";

impl<'t> Reader<'_, '_, 't> {
    /// Finds the parallel region around the nest; without one in sight, that is all of its function.
    pub fn find_region(&mut self) {
        for at in &self.ancestors {
            let made = self.unit.constructs_above(*at).find(|construct| construct.is_one_of(&MAKES_TEAM));
            if let Some(construct) = made {
                let own = self.unit.own_of_threads(*at).into_iter().map(|own| own.name).collect();
                self.regions = vec![Region { range: construct.at..at.end_byte(), own }];
                self.runs_once = construct.is_one_of(&SHARED_LOOPS);
                return;
            }
            if at.kind() == "function_definition" {
                self.regions = vec![Region { range: at.byte_range(), own: Vec::new() }];
                return;
            }
        }
    }

    /// Executes a statement that has directives above it.
    pub fn statement_with_constructs(&mut self, node: Node<'t>) -> Failable<()> {
        let unit = self.unit;
        let pragma = unit.pragmas.iter().map(|(at, _)| *at).find(|at| node == self.node && unit.is_above(*at, node));
        let (mut made, mut combined, ran_once) = (None, None::<Vec<&str>>, self.runs_once);
        for construct in unit.constructs_above(node) {
            // The call stands below what stands above the nest's pragma, but for the directives of its loop.
            let is_outside = pragma.is_some_and(|pragma| construct.at < pragma);
            if construct.is_one_of(&MAKES_TEAM) {
                made.get_or_insert(construct.at);
            } else if made.is_none() && construct.is_one_of(&OF_TEAM) {
                let is_above_call = is_outside && !construct.is_one_of(&SHARED_LOOPS);
                if !is_above_call && self.regions.len() == 1 {
                    self.share(construct);
                }
            }
            if made.is_none() && construct.is_one_of(&SHARED_LOOPS) {
                combined.get_or_insert_default().extend(construct.named_in(&COMBINED));
            }
            match construct {
                it if it.is_one_of(&ONE_BY_ONE) => self.check_done_by_each(node)?,
                it if it.is_one_of(&OF_SOME) => self.runs_once = true,
                it if it.is_one_of(&MAKES_TEAM) => self.runs_once = false,
                _ => {}
            }
        }
        let differing = combined.map_or_else(Vec::new, |combined| self.differing_behind(node, &combined));
        if let Some(at) = made {
            self.regions.push(Region { range: at..node.end_byte(), own: Vec::new() });
        }
        let own = unit.own_of_threads(node);
        let result = self.with_own_variables(node, &own);
        self.note_sequential(node, &differing);
        self.regions.truncate(self.regions.len() - usize::from(made.is_some()));
        self.runs_once = ran_once;
        let span = self.span(node);
        for variable in differing.into_iter().filter(|_| unit.preprocessed.target().has_openmp) {
            self.bindings.insert(variable, Binding::Unknown(Unknown::LeftByLoop(None), span));
            self.lose(variable, Lost::Value(OF_SOME_THREAD));
        }
        result
    }

    /// Notes variables that a statement leaves otherwise than where OpenMP's directives are heeded, which they are not.
    fn note_sequential(&mut self, node: Node<'t>, differing: &[Handle<HostValue>]) {
        if self.unit.preprocessed.target().has_openmp {
            return;
        }
        let own = self.unit.own_where_heeded(node);
        let own = own.into_iter().filter_map(|own| self.host_value(&own.name)).collect::<Vec<_>>();
        for variable in own.into_iter().chain(differing.iter().copied()) {
            self.sequential.insert(variable, self.bindings.get(&variable).cloned());
        }
    }

    /// Notes that what a variable holds is read: the nest is another one where that is not what it holds for a compiler that heeds
    /// OpenMP's directives.
    pub fn note_sequential_read(&mut self, variable: Handle<HostValue>) {
        if self.sequential.get(&variable).is_some_and(|held| *held == self.bindings.get(&variable).cloned()) {
            self.nest.team = Team::Unheeded;
        }
    }

    /// The same of what is behind the nest.
    fn note_sequential_left(&mut self) {
        let is_changed = |it: &Handle<HostValue>| self.assigned.contains_key(it) || self.counts_from_outside(*it);
        let mut changed = self.sequential.keys().copied().filter(is_changed);
        if changed.any(|variable| self.why_live(variable).is_some()) {
            self.nest.team = Team::Unheeded;
        }
    }

    /// Notes at which barriers a team waits that is made outside of the nest, in this or in a function that it calls: they need not
    /// stand above a statement.
    ///
    /// # Errors
    /// The code may be left by cancellation.
    pub fn check_directives(&mut self, code: Node<'t>) -> Failable<()> {
        let unit = self.unit;
        if !unit.preprocessed.target().has_openmp {
            return Ok(());
        }
        for construct in unit.constructs.iter().filter(|it| code.byte_range().contains(&it.at)) {
            match construct.name() {
                "barrier" if self.regions.len() == 1 && !self.is_in_region(construct.at, code) => self.share(construct),
                "cancel" => {
                    let message = "a nest cannot be cancelled by `#pragma omp cancel`";
                    return self.refuse(code, "openmp-team", message, "let the loop's condition say when it ends");
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether a place is in a parallel region that is made in this piece of code.
    fn is_in_region(&self, place: usize, code: Node<'t>) -> bool {
        let Some(node) = code.descendant_for_byte_range(place, place + 1) else { return false };
        let around = iter::once(node).chain(ancestors(self.file.root, node));
        let mut inside = around.take_while(|it| it.byte_range().len() < code.byte_range().len());
        inside.any(|it| self.unit.constructs_above(it).any(|construct| construct.is_one_of(&MAKES_TEAM)))
    }

    /// Notes that a team made outside of the nest shares it.
    fn share(&mut self, construct: &Construct) {
        let has_openmp = self.unit.preprocessed.target().has_openmp;
        self.nest.team = if has_openmp { Team::Shares } else { Team::Unheeded };
        self.shared_by.get_or_insert_with(|| construct.name().to_owned());
    }

    /// Refuses what each thread of a team does once, one after the other, where that is not the same as if one did it: each may
    /// add to a sum what it has found in its iterations, which begins with 0.
    fn check_done_by_each(&mut self, node: Node<'t>) -> Failable<()> {
        if self.runs_once {
            return Ok(());
        }
        let text = |node: Option<Node<'t>>| node.map_or("", |node| self.text(node));
        let is_right = |inner: &Node<'t>| {
            let part = |field| inner.child_by_field_name(field);
            match inner.kind() {
                "update_expression" => false,
                "assignment_expression" => {
                    let names = part("right").into_iter().flat_map(nodes_in).filter(|it| it.kind() == "identifier");
                    let names: Vec<&str> = names.map(|it| self.text(it)).collect();
                    let changes = text(part("operator")) != "=" || names.contains(&text(part("left")));
                    !changes || names.iter().any(|name| self.begins_with_zero(name, node))
                }
                _ => true,
            }
        };
        match nodes_in(node).all(|inner| is_right(&inner)) {
            true => Ok(()),
            false if !self.unit.preprocessed.target().has_openmp => {
                self.nest.team = Team::Unheeded;
                Ok(())
            }
            false => {
                let message = "each thread of a team does this, and so it is done as often as there are threads";
                let help = "put it under `#pragma omp single`, or into the loop that the threads share";
                self.refuse(node, "openmp-team", message, help)
            }
        }
    }

    /// Whether a variable is a thread's own, and gets the value 0 in the region before a statement.
    fn begins_with_zero(&self, name: &str, statement: Node<'t>) -> bool {
        let (Some(region), Some(variable)) = (self.regions.last(), self.scope.variable(name)) else { return false };
        let is_zero = |value: Option<Node<'t>>| {
            let value = value.map_or("", |value| self.text(value)).trim_end_matches(['f', 'F']);
            value.parse::<f64>().is_ok_and(|value| value == 0.0)
        };
        let before = region.range.start..statement.start_byte();
        let mut found = nodes_in(self.file.root).filter(|it| before.contains(&it.start_byte()));
        let is_own = region.range.contains(&variable.declared_at) || region.own.iter().any(|own| own == name);
        is_own
            && found.any(|it| match it.kind() {
                "init_declarator" => {
                    let declared = declared_identifier(it).is_some_and(|declared| self.text(declared) == name);
                    declared && is_zero(it.child_by_field_name("value"))
                }
                "assignment_expression" => {
                    let is_it = target(it).is_some_and(|target| self.text(target) == name);
                    is_it && is_zero(it.child_by_field_name("right"))
                }
                _ => false,
            })
    }

    /// Variables that each thread has for its own around a loop which they share, and that this changes: behind it each thread
    /// holds what the last of its own iterations gives.
    fn differing_behind(&mut self, node: Node<'t>, combined: &[&str]) -> Vec<Handle<HostValue>> {
        let own: Vec<String> = self.unit.own_where_heeded(node).into_iter().map(|own| own.name).collect();
        let Some(region) = self.regions.last().cloned() else { return Vec::new() };
        let changed = self.changed_in(node).into_iter().map(|(variable, _)| variable);
        let combined_later = self.combined_behind(node, region.range.end);
        let differs = |variable: &Handle<HostValue>| {
            let Some(declared) = self.declaration_of(*variable) else { return false };
            let name = self.name(*variable);
            let is_called_there = |frame: &Frame| {
                let function = frame.definition.byte_range();
                function.contains(&declared.declared_at) && !function.contains(&region.range.start)
            };
            let is_inside = region.range.contains(&declared.declared_at) || self.frames.iter().any(is_called_there);
            let is_of_thread = is_inside && !declared.is_static || region.own.iter().any(|own| own == name);
            is_of_thread
                && !combined.contains(&name)
                && !own.iter().any(|own| own == name)
                && !combined_later.iter().any(|later| later == name)
        };
        changed.filter(differs).collect()
    }

    /// The names in what the threads do one after the other up to `end`: by that they combine what each has found in its iterations,
    /// as `if (most < own) most = own;` does, which one thread with all iterations has found at once.
    fn combined_behind(&self, node: Node<'t>, end: usize) -> Vec<String> {
        let constructs = self.unit.constructs.iter();
        let places = constructs.filter(|it| it.is_one_of(&ONE_BY_ONE) && it.at > node.end_byte() && it.at < end);
        let statements = places.filter_map(|construct| {
            let mut behind = nodes_in(self.file.root).filter(|at| at.start_byte() > construct.at);
            behind.find(|at| at.kind().ends_with("_statement") && self.unit.is_above(construct.at, *at))
        });
        let names = statements.flat_map(nodes_in).filter(|it| it.kind() == "identifier");
        names.map(|name| self.text(name).to_owned()).collect()
    }

    /// Refuses a nest that a team shares which is made outside of it where the driver could not be called by all its threads,
    /// or not in place of the loops; and variables of each thread in storage that outlives teams.
    pub fn check_team(&mut self, node: Node<'t>) -> Failable<()> {
        self.check_thread_private(node)?;
        self.check_directives(node)?;
        self.note_sequential_left();
        if self.nest.team != Team::Shares {
            return Ok(());
        }
        let region = self.regions.first().map(|region| region.range.start).unwrap_or_default();
        let mut around = ancestors(self.file.root, node).into_iter().filter(|at| at.start_byte() >= region);
        let is_of_some = |at: Node<'t>| {
            let mut constructs = self.unit.constructs_above(at);
            constructs.any(|it| it.is_one_of(&OF_SOME) && !it.is_one_of(&MAKES_TEAM))
        };
        let is_kept = !self.unit.inserted.is_empty() || !self.folds.accumulators.is_empty();
        if !is_kept && !around.any(is_of_some) {
            return Ok(());
        }
        let construct = self.shared_by.as_deref().unwrap_or_default();
        let message = format!("the threads of a team share this nest by `#pragma omp {construct}`");
        let help = match is_kept {
            true => ANOTHER_REGION,
            false => "not all threads come to this place: put the nest outside of the construct around it",
        };
        self.refuse(node, "openmp-team", message, help)
    }

    /// Refuses a nest whose call would name a variable in a region that says of all its variables what they are, and does not know
    /// this one: a function that the nest calls may be where it is named.
    pub fn check_named_in_region(&self, node: Node<'t>) -> Failable<()> {
        if !self.unit.preprocessed.target().has_openmp {
            return Ok(());
        }
        let Nest { params, watched, step, .. } = &self.nest;
        let brought = params.iter().filter_map(|(_, param)| match param.value {
            ParamValue::Variable(variable) => Some(variable),
            _ => None,
        });
        let arrays = self.nest.buffers().map(|buffer| buffer.variable);
        let left = step.left_pointers.iter().map(|it| it.variable).chain(watched.iter().map(|(it, _)| *it));
        let left = left.chain(self.nest.left_scalars().into_iter().map(|(it, _)| it));
        let named: Vec<_> = brought.chain(arrays).chain(left).filter(|it| !self.nest.is_of_driver(*it)).collect();
        for at in self.ancestors.iter().take_while(|at| at.kind() != "function_definition") {
            let mut constructs = self.unit.constructs_above(*at).filter(|it| it.is_one_of(&MAKES_TEAM));
            let Some(construct) = constructs.find(|it| it.named_in(&["default"]).any(|what| what == "none")) else {
                continue;
            };
            let is_known = |variable: &Handle<HostValue>| {
                let whole = &self.nest.values[*variable].variable;
                construct.names().any(|name| name == whole.name) || at.byte_range().contains(&whole.declared_at)
            };
            let unknown = named.iter().filter(|it| !is_known(it));
            let unknown: BTreeSet<&str> = unknown.map(|it| self.nest.values[*it].variable.name.as_str()).collect();
            if let Some(first) = unknown.first() {
                let message = format!("the driver's call would name `{first}` here, which `default(none)` forbids");
                let all = unknown.iter().copied().collect::<Vec<_>>().join(", ");
                return self.refuse(node, "openmp-team", message, &format!("add `shared({all})` to that directive"));
            }
        }
        Ok(())
    }

    fn check_thread_private(&self, node: Node<'t>) -> Failable<()> {
        if !self.unit.preprocessed.target().has_openmp {
            return Ok(());
        }
        let mut all = self.unit.constructs.iter().flat_map(|construct| construct.named_in(&["threadprivate"]));
        let is_named = |name: &&str| self.nest.values.handles().any(|it| self.nest.values[it].variable.name == **name);
        match all.find(is_named) {
            Some(name) => self.refuse_own(node, name, "let all threads share it, or copy it"),
            None => Ok(()),
        }
    }

    fn refuse_own<T>(&self, node: Node<'t>, name: &str, help: &str) -> Failable<T> {
        let message = format!("each thread has a `{name}` of its own in this part of the nest");
        self.refuse(node, "openmp-private", message, help)
    }

    /// Executes a statement within which each thread has variables of its own: others than those of the same names outside,
    /// which hold behind it what they held before.
    fn with_own_variables(&mut self, node: Node<'t>, own: &[Own]) -> Failable<()> {
        let mark = self.scope.enter();
        for own in own {
            self.declare_own(node, own)?;
        }
        let result = self.statement_itself(node);
        self.leave_scope(mark);
        result
    }

    /// Whether no code of the function names a variable but where each thread has one of its own.
    fn is_of_threads_alone(&self, node: Node<'t>, name: &str, outside: &Variable<'t>) -> bool {
        let of_nest = self.ancestors.iter().find(|it| it.kind() == "function_definition").copied();
        let function = self.frames.last().map(|frame| frame.definition).or(of_nest);
        let Some(function) = function.filter(|it| it.byte_range().contains(&outside.declared_at)) else { return false };
        let declarator = outside.declarator.map(|it| it.byte_range()).unwrap_or_default();
        let has_own = |at: &Node| self.unit.own_of_threads(*at).iter().any(|own| own.name == name);
        named(self.unit, function, name).all(|it| {
            let is_there = node.byte_range().contains(&it.start_byte()) || declarator.contains(&it.start_byte());
            is_there || ancestors(self.file.root, it).iter().any(has_own)
        })
    }

    fn declare_own(&mut self, node: Node<'t>, own: &Own) -> Failable<()> {
        let Some(outside) = self.scope.variable(&own.name).cloned() else { return Ok(()) };
        let is_number_or_pointer = matches!(outside.ty, CType::Scalar(_) | CType::Bool | CType::Pointer(_));
        if !is_number_or_pointer {
            return match self.is_of_threads_alone(node, &own.name, &outside) {
                true => Ok(()),
                false => self.refuse_own(node, &own.name, "declare it within the loop that is shared"),
            };
        }
        let value = match self.host_value(&own.name).filter(|_| own.is_copied) {
            Some(outside) => Some(self.object(node, outside)?),
            None => None,
        };
        let variable = outside.own_of_thread(own.made_at, true);
        self.scope.insert(own.name.clone(), Symbol::Variable(variable));
        let Some(variable) = self.host_value(&own.name) else { return Ok(()) };
        self.declared_in.insert(variable, self.loops.len());
        let span = self.span(node);
        match value {
            Some(value) => self.bind(node, variable, value, span),
            None => {
                self.bindings.insert(variable, Binding::Unknown(Unknown::Uninitialised, span));
                Ok(())
            }
        }
    }
}

const OF_SOME_THREAD: &str = "each thread has its own, and shares the loop that assigns it with others";

#[cfg(test)]
mod tests {
    use super::Team;
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
            assert!(read(&text(before, inside)).team == Team::None, "{before}, {inside}");
        }
        for (before, inside) in
            [("", "#pragma omp for schedule(static)"), ("#pragma omp for", ""), ("", "#pragma omp single")]
        {
            assert_eq!(read(&text(before, inside)).team, Team::Unheeded, "{before}, {inside}");
        }
    }

    #[test]
    fn what_threads_would_have_for_their_own_makes_another_nest_only_if_somebody_reads_it() {
        let team = |behind: &str, later: &str| {
            let sweep = "for (i = 1; i < n - 1; i++) { w = a[i - 1]; b[i] = w; }";
            let body = format!(
                "int i; double w;\n#pragma stencil\nfor (int t = 0; t < 9; t++) {{\n#pragma omp parallel for private(w)\n{sweep}\n\
                 {behind} }}\n{later}"
            );
            read(&function("int n, double *a, double *b", &body)).team
        };
        assert_eq!(team("", ""), Team::None);
        assert_eq!(team("for (i = 1; i < n; i++) a[i] = b[i];", "w = 0; i = 1;"), Team::None);
        assert_eq!(team("", "a[0] = w;"), Team::Unheeded);
        assert_eq!(team("", "a[i] = 0;"), Team::Unheeded);
        assert_eq!(team("a[i] = 0;", ""), Team::Unheeded);
    }

    #[test]
    fn functions_that_the_nest_calls_belong_to_it() {
        let step = format!("void step(int n, double *a, double *b)\n{{\n#pragma omp for\n{SWEEP}\n}}\n");
        let nest =
            function("int n, double *a, double *b", "#pragma stencil\nfor (int t = 0; t < 9; t++) step(n, a, b);");
        assert_eq!(read(&format!("{step}{nest}")).team, Team::Unheeded);
    }
}
