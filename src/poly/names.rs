//! Names of parameters, loops and cell coordinates in isl's notation and in generated C.

use std::collections::{BTreeMap, HashSet};

use super::reserved::{is_generated, reserved};
use crate::ir::{Array, ExprKind, Handle, HostValue, Loop, Nest, Param, ScalarType};

/// Unique names for everything that appears in an integer set of one nest.
///
/// The same names serve in isl's notation, in the host driver and in the kernels.
#[derive(Clone, Debug)]
pub struct Names {
    params: Vec<String>,
    in_sets: Vec<bool>,
    loops: Vec<String>,
    steps: String,
    cells: Vec<String>,
    values: BTreeMap<Handle<HostValue>, String>,
}

impl Names {
    /// Names for `nest`; the user's own names wherever they are free.
    pub fn new(nest: &Nest) -> Self {
        let mut used: HashSet<String> = reserved().map(str::to_string).chain(called(nest)).collect();
        let params = nest.params.handles().map(|it| unique(&mut used, &identifier(nest.param_name(it)))).collect();
        let text = |this: &Loop| identifier(nest.values.text(this.variable));
        let loops = nest.loops.iter().map(|(_, this)| unique(&mut used, &text(this))).collect();
        let steps = unique(&mut used, "time_steps");
        let rows = |array: &Array| array.rank() + usize::from(array.history.is_some());
        let rank = nest.arrays.iter().map(|(_, array)| rows(array)).max().unwrap_or(0);
        let cells = (0..rank).map(|d| unique(&mut used, &format!("x{d}"))).collect();
        Self { params, in_sets: params_in_sets(nest), loops, steps, cells, values: value_names(nest) }
    }

    /// The parameter's name.
    pub fn param(&self, param: Handle<Param>) -> &str {
        &self.params[param.index()]
    }

    /// What names of the host function's parameters are made of, for a value that leads to an array, that the nest leaves
    /// changed, or that it watches.
    pub fn value(&self, value: Handle<HostValue>) -> &str {
        &self.values[&value]
    }

    /// The loop's name as a set dimension.
    pub fn loop_variable(&self, l: Handle<Loop>) -> &str {
        &self.loops[l.index()]
    }

    /// The parameter that counts time steps.
    pub fn steps(&self) -> &str {
        &self.steps
    }

    /// Cell coordinates `x0, x1, ...` of an array of this rank, outermost first.
    pub fn cells(&self, rank: usize) -> &[String] {
        &self.cells[..rank]
    }

    /// The parameters that bounds, subscripts and conditions mention, in order, the number of time steps last.
    pub fn all_params(&self) -> impl Iterator<Item = &str> {
        let in_sets = self.params.iter().zip(&self.in_sets).filter(|(_, is_used)| **is_used);
        in_sets.map(|(name, _)| name.as_str()).chain([self.steps.as_str()])
    }

    /// `[n, m, time_steps] -> `
    pub fn prefix(&self) -> String {
        format!("[{}] -> ", self.all_params().collect::<Vec<_>>().join(", "))
    }
}

/// The functions of C's library that drivers and kernels may call for the nest.
fn called(nest: &Nest) -> impl Iterator<Item = String> {
    nest.exprs.iter().filter_map(|(_, expr)| match &expr.kind {
        ExprKind::Call(function, _) if expr.ty == ScalarType::F32 => Some(format!("{}f", function.name())),
        ExprKind::Call(function, _) => Some(function.name().to_owned()),
        _ => None,
    })
}

/// Which parameters bounds, subscripts, conditions and extents mention; every other one only slows isl down.
fn params_in_sets(nest: &Nest) -> Vec<bool> {
    // Steps are counted by a parameter of their own.
    let needs_steps = nest.needs_possible_steps();
    let is_needed = |this: Handle<Loop>| needs_steps || !nest.clock.counts(this);
    let bounds = nest.loops.iter().flat_map(|(this, l)| [Some(l.first), is_needed(this).then_some(l.bound)]);
    let bounds = bounds.flatten();
    let accesses = nest.accesses.iter();
    let in_accesses =
        accesses.flat_map(|(_, a)| a.subscripts.iter().chain(&a.buffer).chain(&a.guards).chain(&a.steps).copied());
    let rows = |array: &Array| array.history.as_ref().and_then(|history| history.rows);
    let extents = nest.arrays.iter().flat_map(|(_, it)| it.extents.iter().copied().chain([rows(it)]).flatten());
    let allocated = nest.arrays.iter().flat_map(|(_, it)| it.allocated.iter().copied());
    let covers = nest.covers.iter().flat_map(|cover| cover.guards.iter().chain([&cover.taken]).copied());
    let mut found = vec![false; nest.params.len()];
    for expr in nest.reachable(bounds.chain(in_accesses).chain(extents).chain(allocated).chain(covers)) {
        if let ExprKind::Param(param) = nest.exprs[expr].kind {
            found[param.index()] = true;
        }
    }
    found
}

/// Identifiers for what the host function gets the address of, each of one value.
fn value_names(nest: &Nest) -> BTreeMap<Handle<HostValue>, String> {
    let bases = nest.buffers().map(|buffer| buffer.variable);
    let pointers = nest.step.exchanged_pointers().flat_map(|left| left.held.iter().chain([&left.variable]).copied());
    let scalars = nest.left_scalars().into_iter().map(|(variable, _)| variable);
    let folded = nest.step.folds.left().map(|it| it.variable);
    let watched = nest.watched.iter().map(|(variable, _)| *variable);
    let (mut used, mut names) = (HashSet::new(), BTreeMap::new());
    for value in bases.chain(pointers).chain(scalars).chain(folded).chain(watched) {
        names.entry(value).or_insert_with(|| distinct(&mut used, identifier(nest.values.text(value))));
    }
    names
}

/// A C identifier for what the user writes as `text`: a variable's own name, and e.g. `g_u` for `g->u`.
fn identifier(text: &str) -> String {
    let words: Vec<&str> = text.split(|c| "*()[].->+ ".contains(c)).filter(|word| !word.is_empty()).collect();
    words.join("_")
}

fn unique(used: &mut HashSet<String>, wanted: &str) -> String {
    let wanted = if is_generated(wanted) { format!("user_{wanted}") } else { wanted.to_string() };
    distinct(used, wanted)
}

/// `wanted`, or it with a number if that is used.
fn distinct(used: &mut HashSet<String>, wanted: String) -> String {
    let mut name = wanted.clone();
    let mut count = 0;
    while !used.insert(name.clone()) {
        count += 1;
        name = format!("{wanted}_{count}");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{HostValue, Selector, Variable};
    use crate::source::FileId;

    #[test]
    fn each_value_has_an_identifier_of_its_own() {
        let mut nest = Nest::default();
        let mut value = |name: &str, declared_at, path| {
            let variable = Variable { file: FileId::default(), declared_at, name: name.to_owned() };
            nest.values.intern(HostValue { variable, path })
        };
        let member = |name: &str| Selector::Member(name.to_owned());
        let all = [
            value("u", 1, vec![]),
            value("u", 2, vec![]),
            value("g", 3, vec![Selector::Dereference, member("u")]),
            value("g_u", 4, vec![]),
            value("p", 5, vec![Selector::Dereference]),
            value("cell", 6, vec![Selector::EachElement, member("f"), Selector::Element(3)]),
        ];
        nest.watched = all.map(|value| (value, None)).to_vec();
        let names = Names::new(&nest);
        assert_eq!(all.map(|value| names.value(value)), ["u", "u_1", "g_u", "g_u_1", "p", "cell_f_3"]);
    }
}
