//! Numbers that have one value before what the host does within a step and another one behind it.
//!
//! Of `s = dot(q, q); s = sqrt(s); for (...) p[i] = q[i] / s; s = dot(p, q);` each leg knows an `s` of its own: the first one folds it, the
//! second one is given what the host makes of that, the third one folds it anew. So a leg is read with another name for it, and the host,
//! which has one variable, writes its own name in all calls.

use std::collections::BTreeSet;
use std::ops::Range;

use super::names::{self, Changed};
use super::program::Program;
use super::step::Step;
use crate::front::tree::{declared_identifier, fields, is_loop, mentions, named, nodes_in};
use crate::front::types::CType;
use crate::ir::{HostValue, Nest, ScalarType};
use tree_sitter::Node;

/// What some legs in a row know of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The variable's name.
    pub name: String,
    /// What these legs call it; the first ones by its name.
    pub known_as: String,
    /// Their numbers, counted from 0.
    pub legs: Range<usize>,
    /// Where they name it, in the text that is read.
    pub ends: Vec<usize>,
    ty: ScalarType,
}

/// The versions of variables of which a step has several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Versions(Vec<Version>);

impl Versions {
    /// Finds them: numbers of the function's own, of which nobody takes the address, and that say nowhere how often or where something is
    /// done.
    pub fn of<'t>(program: &Program<'_, '_, 't>, root: Node<'t>, step: &Step<'t>) -> Self {
        let gaps = step.gaps.iter().flat_map(|gap| &gap.statements);
        let names: BTreeSet<&str> = gaps
            .flat_map(|it| nodes_in(*it))
            .filter(|it| it.kind() == "identifier")
            .map(|it| program.text(it))
            .collect();
        Self(names.into_iter().flat_map(|name| versions(program, root, step, name)).collect())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Version> {
        self.0.iter()
    }

    /// Declarations of the names that are not the variables' own.
    pub fn declarations(&self) -> String {
        let own = self.0.iter().filter(|it| it.legs.start > 0);
        own.map(|it| format!("{} {}; ", it.ty.c_name(), it.known_as)).collect()
    }

    /// What is put behind the variables' names, and where.
    pub fn endings(&self) -> Vec<(usize, &str)> {
        let ending = |it: &'_ Version| it.known_as.len() - it.name.len();
        let all = self.0.iter().filter(|it| it.legs.start > 0);
        let mut found: Vec<_> = all
            .flat_map(|it| it.ends.iter().map(|end| (*end, &it.known_as[it.known_as.len() - ending(it)..])))
            .collect();
        found.sort_unstable();
        found
    }

    /// The version that a value of a nest is, if there are several of it.
    pub fn find(&self, value: &HostValue) -> Option<&Version> {
        let is_it = |it: &&Version| it.known_as == value.variable.name && value.path.is_empty();
        self.0.iter().find(is_it)
    }

    /// Whether there are several of that variable.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|it| it.name == name)
    }

    /// A value as the program names it.
    pub fn original(&self, value: &HostValue) -> HostValue {
        let mut original = value.clone();
        if let Some(version) = self.find(value) {
            original.variable.name.clone_from(&version.name);
        }
        original
    }

    /// Lets the host write the variables' own names.
    pub fn give_back(&self, nest: &mut Nest) {
        for handle in nest.values.handles().collect::<Vec<_>>() {
            let value = nest.values[handle].clone();
            if let Some(version) = self.find(&value).filter(|it| it.legs.start > 0) {
                nest.values.lend(value.variable.clone(), version.name.clone());
                nest.values.expression(value.variable, version.name.clone());
            }
        }
    }
}

/// Those of one variable, from the first leg on; none if it has only one.
fn versions<'t>(program: &Program<'_, '_, 't>, root: Node<'t>, step: &Step<'t>, name: &str) -> Vec<Version> {
    let unit = program.unit;
    let legs = step.legs();
    let is_named = |leg: &[Node]| leg.iter().any(|it| mentions(unit, *it, name));
    let changes = |it: &Node| names::changed(unit, *it, true).contains(&Changed::named(name));
    let mut starts = vec![0];
    for (number, gap) in step.gaps.iter().enumerate() {
        let start = starts[starts.len() - 1];
        let is_looked_at = gap.statements.iter().any(|it| mentions(unit, *it, name));
        let is_changed = gap.statements.iter().any(changes)
            || is_looked_at && legs[start..=number].iter().any(|leg| leg.iter().any(changes));
        if is_changed
            && legs[..=number].iter().any(|leg| is_named(leg))
            && legs[number + 1..].iter().any(|leg| is_named(leg))
        {
            starts.push(number + 1);
        }
    }
    let Some(ty) = own_number(program, root, step, name).filter(|_| starts.len() > 1) else { return Vec::new() };
    let ends = |legs: &[&[Node<'t>]]| {
        let all = legs.concat();
        all.into_iter().flat_map(|it| named(unit, it, name).map(|it| it.end_byte()).collect::<Vec<_>>()).collect()
    };
    let stops = starts[1..].iter().copied().chain([legs.len()]);
    let mut found = Vec::new();
    for (number, (start, stop)) in starts.iter().copied().zip(stops).enumerate() {
        let mut known_as = name.to_owned();
        for count in number.. {
            if number == 0 || known_as != name && !mentions(unit, root, &known_as) {
                break;
            }
            known_as = format!("{name}_{}", count + 1);
        }
        found.push(Version { name: name.to_owned(), known_as, legs: start..stop, ends: ends(&legs[start..stop]), ty });
    }
    found
}

/// The type of a variable, if it is the same number wherever legs name it, of the function's own, and nothing but its name
/// leads to it.
fn own_number<'t>(program: &Program<'_, '_, 't>, root: Node<'t>, step: &Step<'t>, name: &str) -> Option<ScalarType> {
    let unit = program.unit;
    let statements: Vec<Node<'t>> = step.statements.iter().copied().filter(|it| mentions(unit, *it, name)).collect();
    let is_declared = |it: &Node| {
        let all = nodes_in(*it).filter(|node| node.kind() == "declaration");
        let mut names = all.flat_map(|it| fields(it, "declarator")).filter_map(declared_identifier);
        names.any(|it| program.text(it) == name)
    };
    let first = step.legs()[0];
    let is_declared_within = |it: &&Node<'t>| is_declared(it) && !(first.contains(it) && it.kind() == "declaration");
    if statements.iter().any(|it| is_declared_within(&it)) {
        return None;
    }
    let mut found: Option<(usize, ScalarType)> = None;
    for statement in statements.iter().filter(|it| it.kind() != "declaration") {
        let scope = program.scope_at(*statement);
        let variable = scope.variable(name).filter(|it| !it.is_static && !it.is_volatile)?;
        let CType::Scalar(ty) = variable.ty else { return None };
        let known = *found.get_or_insert((variable.declared_at, ty));
        if !(ty.is_float() || goes_into_values(program, *statement, name)) || known != (variable.declared_at, ty) {
            return None;
        }
    }
    found.filter(|(declared_at, _)| !unit.takes_address_of(root, name, *declared_at)).map(|(_, ty)| ty)
}

/// Whether a name stands in a statement where numbers are made, but neither in the head of a loop nor in a subscript.
fn goes_into_values(program: &Program, statement: Node, name: &str) -> bool {
    let parts = ["initializer", "condition", "update", "index"];
    let is_loop_or_element = |it: &Node| is_loop(*it) || it.kind() == "subscript_expression";
    let places = nodes_in(statement).filter(is_loop_or_element);
    let mut places = places.flat_map(|it| parts.into_iter().filter_map(move |part| it.child_by_field_name(part)));
    !places.any(|part| mentions(program.unit, part, name))
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read, refusal};
    use crate::ir::{Nest, ParamValue};

    /// A kept loop whose legs fold and need `s`, with `first` and `second` between them.
    fn with_gaps(first: &str, second: &str) -> String {
        let legs = [
            "s = 0; for (int i = 1; i < n - 1; i++) { b[i] = a[i - 1] + a[i + 1]; s += b[i] * b[i]; }",
            "for (int i = 1; i < n - 1; i++) a[i] = b[i] / s;",
            "s = 0; for (int i = 1; i < n - 1; i++) { b[i] = w * a[i]; s += b[i]; }",
        ];
        let body = format!(
            "double s = 0, w = 1;\n#pragma stencil\nfor (int t = 0; t < steps; t++) {{ {}\n{first}\n{}\n{second}\n{}\nprintf(\"%g\", s); }}",
            legs[0], legs[1], legs[2]
        );
        format!(
            "#include <stdio.h>\ndouble sqrt(double);\n{}",
            function("int n, int steps, double *a, double *b", &body)
        )
    }

    /// What the host writes for what legs fold, and for what only the calls for later legs bring.
    fn told_and_late(nest: &Nest) -> (Vec<String>, Vec<Vec<String>>) {
        let told = nest.step.folds.left().map(|it| format!("{} {:?}", nest.values.to_c(it.variable), it.leg)).collect();
        let text = |param| match nest.params[param].value {
            ParamValue::Variable(variable) => nest.values.to_c(variable),
            _ => panic!("{nest}"),
        };
        (told, nest.step.gaps.iter().map(|gap| gap.late.iter().map(|it| text(*it)).collect()).collect())
    }

    #[test]
    fn a_variable_is_folded_given_and_folded_anew() {
        let nest = read(&with_gaps("s = sqrt(s);", "w = 1 / s;"));
        assert!(nest.step.folds.tells_each_leg, "{nest}");
        let late = ["s", "w"].map(|it| vec![it.to_owned()]);
        assert_eq!(told_and_late(&nest), (["s Some(0)", "s Some(2)"].map(str::to_owned).to_vec(), late.to_vec()));
        assert_eq!(nest.step.gaps[1].gone.len(), 1, "the second leg's `s` is no longer there for the third one");
    }

    #[test]
    fn only_numbers_that_nobody_points_to_have_versions() {
        for declared in ["float s = 0", "double s = 0", "int s = 0"] {
            let source = with_gaps("s = sqrt(s);", "w = 1 / s;").replace("double s = 0", declared);
            assert!(read(&source).step.folds.tells_each_leg, "{declared}");
        }
        for (from, to) in [("double s = 0", "static double s"), ("w = 1 / s;", "scanf(\"%lf\", &s);")] {
            assert_eq!(
                refusal(&with_gaps("s = sqrt(s);", "w = 1 / s;").replace(from, to)).code,
                "scalar-carried",
                "{to}"
            );
        }
        let how_often =
            with_gaps("s = sqrt(s);", "w = 1 / s;").replace("i < n - 1; i++) a[i] = b[i] / s", "i < s; i++) a[i] = 1");
        assert_eq!(refusal(&how_often.replace("double s = 0", "int s = 0")).code, "loop-bound");
    }
}
