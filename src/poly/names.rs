//! Names of parameters, loops and cell coordinates in isl's notation and in generated C.

use std::collections::HashSet;

use super::reserved::{is_generated, reserved};
use crate::ir::{ExprKind, Handle, Loop, Nest, Param};

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
}

impl Names {
    /// Names for `nest`; the user's own names wherever they are free.
    pub fn new(nest: &Nest) -> Self {
        let mut used: HashSet<String> = reserved().map(str::to_string).collect();
        let params = nest.params.iter().map(|(_, param)| unique(&mut used, &param.name)).collect();
        let loops = nest.loops.iter().map(|(_, l)| unique(&mut used, &l.variable)).collect();
        let steps = unique(&mut used, "time_steps");
        let rank = nest.arrays.iter().map(|(_, array)| array.rank()).max().unwrap_or(0);
        let cells = (0..rank).map(|d| unique(&mut used, &format!("x{d}"))).collect();
        Self { params, in_sets: params_in_sets(nest), loops, steps, cells }
    }

    /// The parameter's name.
    pub fn param(&self, param: Handle<Param>) -> &str {
        &self.params[param.index()]
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

/// Which parameters bounds, subscripts, conditions and extents mention; every other one only slows isl down.
fn params_in_sets(nest: &Nest) -> Vec<bool> {
    // Steps are counted by a parameter of their own, so the time loop's bound does not matter.
    let bounds = nest.loops.iter().flat_map(|(this, l)| [Some(l.first), (Some(this) != nest.time).then_some(l.bound)]);
    let bounds = bounds.flatten();
    let accesses = nest.accesses.iter();
    let in_accesses =
        accesses.flat_map(|(_, a)| a.subscripts.iter().chain(&a.buffer).chain(&a.guards).chain(&a.steps).copied());
    let extents = nest.arrays.iter().flat_map(|(_, array)| array.extents.iter().flatten().copied());
    let mut found = vec![false; nest.params.len()];
    for expr in nest.reachable(bounds.chain(in_accesses).chain(extents)) {
        if let ExprKind::Param(param) = nest.exprs[expr].kind {
            found[param.index()] = true;
        }
    }
    found
}

fn unique(used: &mut HashSet<String>, wanted: &str) -> String {
    let wanted = if is_generated(wanted) { format!("user_{wanted}") } else { wanted.to_string() };
    let mut name = wanted.clone();
    let mut count = 0;
    while !used.insert(name.clone()) {
        count += 1;
        name = format!("{wanted}_{count}");
    }
    name
}
