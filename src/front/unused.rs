//! Parameters that nothing needs in the end, such as the size given to `memcpy`, are not passed to the host function.

use std::collections::BTreeSet;

use crate::ir::{Arena, Expr, ExprKind, Handle, Nest, Param, ParamValue};

/// Removes every parameter that no loop, array, access or statement uses.
pub fn remove_unused_params(nest: &mut Nest) {
    let mut used = BTreeSet::new();
    for expr in roots(nest) {
        collect(nest, expr, &mut used);
    }
    let mut params = Arena::default();
    let mut renamed = Vec::with_capacity(nest.params.len());
    for (handle, param) in nest.params.iter() {
        let span = nest.params.span(handle);
        renamed.push(used.contains(&handle).then(|| params.push(param.clone(), span)));
    }
    nest.params = params;
    for expr in nest.exprs.handles() {
        if let ExprKind::Param(param) = nest.exprs[expr].kind {
            // An expression that nothing uses may name a parameter that is gone.
            nest.exprs[expr].kind = renamed[param.index()].map_or(ExprKind::Int(0), ExprKind::Param);
        }
    }
}

/// The expressions that the nest is made of.
fn roots(nest: &Nest) -> Vec<Handle<Expr>> {
    let mut roots = roots_of_sweeps(nest);
    roots.extend(nest.locals.iter().map(|(_, local)| local.value));
    roots.extend(nest.step.folds.updates().into_iter().map(|update| update.value));
    roots
}

/// The expressions that are needed beside the value of one of the statements.
pub fn roots_beside(nest: &Nest, statement: usize) -> Vec<Handle<Expr>> {
    let mut roots = roots_of_sweeps(nest);
    roots.extend(nest.step.folds.updates().into_iter().map(|update| update.value));
    let place = roots.iter().position(|it| *it == nest.step.statements[statement].value);
    roots.remove(place.expect("values of statements are roots"));
    roots
}

/// As [`roots`], but for locals, which may be left over, and what the host folds.
pub fn roots_of_sweeps(nest: &Nest) -> Vec<Handle<Expr>> {
    let mut roots = roots_of_places(nest);
    roots.extend(nest.accesses.iter().flat_map(|(_, access)| access.conditions.iter().copied()));
    roots.extend(nest.step.statements.iter().map(|statement| statement.value));
    roots.extend(nest.step.replayed_values());
    roots.extend(nest.step.rules.iter().flat_map(|rule| [rule.first, rule.next]));
    roots.extend(nest.step.listed.iter().map(|listed| listed.value));
    roots
}

/// The expressions that say where something is done, and how often.
pub fn roots_of_places(nest: &Nest) -> Vec<Handle<Expr>> {
    let mut roots = Vec::new();
    roots.extend(nest.loops.iter().flat_map(|(_, this)| [this.first, this.bound]));
    roots.extend(nest.arrays.iter().flat_map(|(_, array)| array.exprs()));
    for (_, access) in nest.accesses.iter() {
        roots.extend(access.subscripts.iter().chain(&access.guards).chain(&access.steps).copied().chain(access.buffer));
    }
    for check in &nest.range_checks {
        roots.push(check.value);
        roots.extend(&check.guards);
    }
    roots.extend(nest.covers.iter().flat_map(|cover| cover.guards.iter().copied().chain([cover.taken])));
    roots.extend(nest.index_arrays.iter().map(|index| index.rule));
    roots.extend(nest.step.until.iter().map(|until| until.condition));
    roots.extend(nest.step.grids.iter().flat_map(|grid| &grid.sizes));
    roots.extend(nest.step.left_pointers.iter().filter_map(|pointer| pointer.offset));
    roots
}

fn collect(nest: &Nest, expr: Handle<Expr>, used: &mut BTreeSet<Handle<Param>>) {
    let kind = &nest.exprs[expr].kind;
    if let ExprKind::Param(param) = kind
        && used.insert(*param)
        && let ParamValue::Expression { value, .. } = nest.params[*param].value
    {
        collect(nest, value, used);
    }
    for operand in kind.operands() {
        collect(nest, operand, used);
    }
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{function, read};

    #[test]
    fn only_what_is_used_is_passed() {
        let body = "long bytes = n * 8;\n#pragma stencil\nfor (int t = 0; t < 3; t++) {
            for (int i = 1; i < n; i++) b[i] = a[i - 1];
            memcpy(a, b, bytes); }";
        let nest = read(&function("int n, double *a, double *b", body));
        let names: Vec<_> = nest.params.handles().map(|param| nest.param_name(param)).collect();
        assert_eq!(names, ["n"]);
    }
}
