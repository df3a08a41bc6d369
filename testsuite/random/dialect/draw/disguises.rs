//! Names that hide each other and declarations in other clothes, after all else is drawn.

use super::{Draft, Form};
use crate::random::dialect::model::{Expr, Place, Shape, Start, Stmt, Variable};
use crate::random::dialect::types::{DOUBLE, FLOAT, HIDDEN_TYPE, INT, Operator};
use crate::random::dialect::visit::{each_declared, each_expr, each_expr_mut, each_list_mut};

/// Disguises of a whole unit; a new one joins by an entry.
const DISGUISES: &[Form<()>] = &[
    Form { name: "", weight: 60, draw: |_| () },
    Form { name: "definition of the old style", weight: 2, draw: old_style },
    Form { name: "old style, parameter hidden by a global", weight: 7, draw: hidden_old_style },
    Form { name: "parameter hides a global", weight: 6, draw: hidden },
    Form { name: "local hides a global", weight: 6, draw: hidden_local },
    Form { name: "inner variable hides an outer one", weight: 6, draw: hidden_outer },
    Form { name: "variable hides a type", weight: 4, draw: hidden_type },
    Form { name: "restrict", weight: 5, draw: restricted },
    Form { name: "pointers to constants", weight: 4, draw: constant_elements },
    Form { name: "constant pointers", weight: 4, draw: constant_pointers },
    Form { name: "register parameters", weight: 1, draw: registers },
];

pub fn disguise(draft: &mut Draft) {
    draft.choose(DISGUISES);
}

fn old_style(draft: &mut Draft) {
    draft.unit.is_old_style = true;
}

fn scalars_in(draft: &Draft, place: Place) -> Vec<Variable> {
    let is_wanted = |variable: &Variable| {
        let declared = &draft.unit.variables[*variable];
        declared.place == place && matches!(declared.shape, Shape::Scalar)
    };
    (0..draft.unit.variables.len()).filter(is_wanted).collect()
}

/// Another variable of the file under the name of one of the function.
fn hide(draft: &mut Draft, place: Place) {
    name_a_constant(draft, place);
    hide_pointers(draft, place);
    for variable in scalars_in(draft, place) {
        let name = format!("hidden{variable}_#");
        let own = draft.unit.variables[variable].ty;
        let other = draft.integer_type();
        let ty = if own.ty.is_real() { INT } else { draft.random.pick(&[DOUBLE, INT, other, other, own]) };
        let value = draft.random.within(1, 9);
        let global = draft.scalar("g", ty, Place::Global, Expr::int(value));
        draft.unit.variables[global].name.clone_from(&name);
        draft.unit.variables[variable].name = name;
        draft.unit.hiding.push(global);
    }
}

/// A real variable in place of a constant: where it is taken for an integer, what is stored tells.
fn name_a_constant(draft: &mut Draft, place: Place) {
    let mut named = None;
    each_expr(&draft.unit.body, &mut |expr| named = named.take().or_else(|| constant_in(expr, real_constant)));
    each_expr(&draft.unit.body, &mut |expr| named = named.take().or_else(|| constant_in(expr, summand)));
    let Some(constant) = named else { return };
    let (ty, value) = match constant {
        Expr::Real(_, true, _) => (FLOAT, constant.clone()),
        Expr::Real(..) => (DOUBLE, constant.clone()),
        _ => (DOUBLE, Expr::Real(1.5, false, "1.5".to_string())),
    };
    let variable = draft.scalar("real", ty, place, value);
    each_expr_mut(&mut draft.unit.body, &mut |expr| name_in(expr, &constant, variable));
}

fn constant_in(expr: &Expr, is_wanted: fn(&Expr) -> Option<&Expr>) -> Option<Expr> {
    is_wanted(expr).cloned().or_else(|| expr.parts().into_iter().find_map(|part| constant_in(part, is_wanted)))
}

fn real_constant(expr: &Expr) -> Option<&Expr> {
    matches!(expr, Expr::Real(..)).then_some(expr)
}

/// `2` of `a[i] += 2`
fn summand(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Assign(Some(Operator::Add), target, value) => {
            let is_constant = matches!((&**target, &**value), (Expr::Index(..), Expr::Int(..)));
            is_constant.then_some(value)
        }
        _ => None,
    }
}

/// Puts the variable in place of the real constant, or of the integer where it is a summand.
fn name_in(expr: &mut Expr, constant: &Expr, variable: Variable) {
    let is_here = |part: &Expr| part == constant;
    match expr {
        Expr::Real(..) if is_here(expr) => *expr = Expr::Var(variable),
        Expr::Assign(Some(Operator::Add), target, value) if matches!(**target, Expr::Index(..)) && is_here(value) => {
            **value = Expr::Var(variable);
        }
        _ => expr.parts_mut().into_iter().for_each(|part| name_in(part, constant, variable)),
    }
}

/// Other arrays under the names of pointers.
fn hide_pointers(draft: &mut Draft, place: Place) {
    let sizes = draft.sizes.clone();
    for variable in 0..draft.unit.variables.len() {
        let declared = draft.unit.variables[variable].clone();
        let Shape::Pointer(rows) = &declared.shape else { continue };
        if declared.place != place {
            continue;
        }
        let count: i64 = sizes.iter().product();
        let sizes = if rows.is_empty() { vec![count] } else { sizes.clone() };
        let sizes: Vec<Expr> = sizes.into_iter().map(Expr::int).collect();
        let name = format!("hidden{variable}_#");
        let global = draft.declare("g", declared.ty, Shape::Array(sizes), Place::Global, None);
        draft.unit.variables[global].name.clone_from(&name);
        draft.unit.variables[variable].name = name;
        draft.unit.hiding.push(global);
    }
}

/// An inner variable under the name of one that is in use around its scope, but not within.
fn hidden_outer(draft: &mut Draft) {
    let mut scopes: Vec<(Variable, Vec<Variable>)> = Vec::new();
    let mut body = draft.unit.body.clone();
    each_list_mut(&mut body, &mut |list| {
        for stmt in &*list {
            let declared = match stmt {
                Stmt::Declare(variable) => Some(*variable),
                Stmt::For(header) => match header.start {
                    Start::Declare(variable) => Some(variable),
                    Start::Do(_) => None,
                },
                _ => None,
            };
            scopes.extend(declared.map(|declared| (declared, named_in(draft, list))));
        }
    });
    let used = named_in(draft, &draft.unit.body);
    let outer: Vec<Variable> = [Place::Parameter, Place::Global, Place::Local]
        .into_iter()
        .flat_map(|place| scalars_in(draft, place))
        .filter(|outer| used.contains(outer) && draft.unit.variables[*outer].qualifier.is_empty())
        .collect();
    for (inner, named) in scopes {
        let free: Vec<Variable> = outer.iter().copied().filter(|outer| !named.contains(outer)).collect();
        if !free.is_empty() {
            let hidden = draft.random.pick(&free);
            draft.unit.variables[inner].name = draft.unit.variables[hidden].name.clone();
            return;
        }
    }
}

/// Variables that statements name, with those of the initialisers of what they declare.
fn named_in(draft: &Draft, body: &[Stmt]) -> Vec<Variable> {
    let mut named = Vec::new();
    each_expr(body, &mut |expr| named.extend(expr.variables()));
    each_declared(body, &mut |variable| {
        named.push(variable);
        named.extend(draft.unit.variables[variable].value.iter().flat_map(Expr::variables));
    });
    named
}

/// `typedef short shade_t;` in the file, a variable `shade_t` in the function
fn hidden_type(draft: &mut Draft) {
    let places = [Place::Parameter, Place::Local];
    let scalars: Vec<Variable> = places.into_iter().flat_map(|place| scalars_in(draft, place)).collect();
    if !scalars.is_empty() {
        let variable = draft.random.pick(&scalars);
        draft.unit.variables[variable].name = HIDDEN_TYPE.to_string();
    }
}

/// `const double *a`
fn constant_elements(draft: &mut Draft) {
    qualify(draft, "const elements", |draft, variable| {
        is_pointer_parameter(draft, variable)
            && !is_assigned(draft, variable)
            && !is_copied(draft, variable)
            && !has_stores(draft, variable)
    });
}

/// Whether the body stores elements through the pointer.
fn has_stores(draft: &Draft, variable: Variable) -> bool {
    fn stores(expr: &Expr, variable: Variable) -> bool {
        let is_target = match expr {
            Expr::Assign(_, target, _) | Expr::Step { target, .. } => {
                matches!(&**target, Expr::Index(array, _) if *array == variable)
            }
            _ => false,
        };
        is_target || expr.parts().into_iter().any(|part| stores(part, variable))
    }
    let mut is_found = false;
    each_expr(&draft.unit.body, &mut |expr| is_found |= stores(expr, variable));
    is_found
}

fn hidden(draft: &mut Draft) {
    hide(draft, Place::Parameter);
}

fn hidden_local(draft: &mut Draft) {
    hide(draft, Place::Local);
}

fn hidden_old_style(draft: &mut Draft) {
    hide(draft, Place::Parameter);
    old_style(draft);
}

/// Whether the body assigns to the variable.
fn is_assigned(draft: &Draft, variable: Variable) -> bool {
    fn assigns(expr: &Expr, variable: Variable) -> bool {
        let is_target = match expr {
            Expr::Assign(_, target, _) | Expr::Step { target, .. } => **target == Expr::Var(variable),
            Expr::Address(target) => **target == Expr::Var(variable),
            _ => false,
        };
        is_target || expr.parts().into_iter().any(|part| assigns(part, variable))
    }
    let mut is_found = false;
    each_expr(&draft.unit.body, &mut |expr| is_found |= assigns(expr, variable));
    let initialisers = draft.unit.variables.iter().filter_map(|declared| declared.value.as_ref());
    is_found || initialisers.into_iter().any(|expr| assigns(expr, variable))
}

/// Whether another variable is set from this one.
fn is_copied(draft: &Draft, variable: Variable) -> bool {
    fn names(expr: &Expr, variable: Variable) -> bool {
        *expr == Expr::Var(variable) || expr.parts().into_iter().any(|part| names(part, variable))
    }
    let mut is_found = false;
    each_expr(&draft.unit.body, &mut |expr| is_found |= names(expr, variable));
    is_found || draft.unit.variables.iter().filter_map(|declared| declared.value.as_ref()).any(|x| names(x, variable))
}

fn qualify(draft: &mut Draft, qualifier: &'static str, is_wanted: impl Fn(&Draft, Variable) -> bool) {
    for variable in 0..draft.unit.variables.len() {
        if is_wanted(draft, variable) && draft.unit.variables[variable].qualifier.is_empty() {
            draft.unit.variables[variable].qualifier = qualifier;
        }
    }
}

fn is_pointer_parameter(draft: &Draft, variable: Variable) -> bool {
    let declared = &draft.unit.variables[variable];
    let is_to_array = declared.value.as_ref().is_some_and(|value| matches!(value, Expr::Var(_)));
    declared.place == Place::Parameter && matches!(declared.shape, Shape::Pointer(_)) && is_to_array
}

fn restricted(draft: &mut Draft) {
    qualify(draft, "restrict", |draft, variable| {
        is_pointer_parameter(draft, variable) && !is_assigned(draft, variable) && !is_copied(draft, variable)
    });
}

fn constant_pointers(draft: &mut Draft) {
    qualify(draft, "const", |draft, variable| is_pointer_parameter(draft, variable) && !is_assigned(draft, variable));
}

fn registers(draft: &mut Draft) {
    qualify(draft, "register", |draft, variable| {
        let declared = &draft.unit.variables[variable];
        let is_place = matches!(declared.place, Place::Parameter | Place::Local);
        is_place && !matches!(declared.shape, Shape::Array(_) | Shape::Function(_)) && !has_address(draft, variable)
    });
}

fn has_address(draft: &Draft, variable: Variable) -> bool {
    let address = Expr::Address(Box::new(Expr::Var(variable)));
    draft.unit.variables.iter().any(|declared| declared.value.as_ref() == Some(&address))
}
