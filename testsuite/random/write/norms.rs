//! Values that the host computes of what a step folds, and by which it leaves the loop over time.

use super::super::folds::{Exit, Norm, NormKind, NormPlace};
use super::super::model::Program;
use super::folds::write_leaving;
use super::scope::Scope;
use super::text::Text;

/// The variables that outlive the loop.
pub fn declare_norm(text: &mut Text, program: &Program) {
    let Some(norm) = norm_of(program) else { return };
    if norm.place == NormPlace::Outside {
        text.line("double norm = -1;".to_string());
    }
    if norm.kind.has_memory() {
        text.line("double before = 1;".to_string());
    }
}

/// Prints what the loop leaves in them.
pub fn show_norm(text: &mut Text, program: &Program) {
    let Some(norm) = norm_of(program) else { return };
    if norm.place == NormPlace::Outside {
        text.line(shown("norm"));
    }
    if norm.kind.has_memory() {
        text.line(shown("before"));
    }
}

/// Computes the norm, prints it now and then, and leaves the loop by it.
pub fn write_norm(text: &mut Text, scope: &Scope, exit: &Exit, norm: Norm) {
    let fold = scope.fold(exit.fold);
    let value = value_of(scope, &fold, norm.kind);
    // Only variables of a real type keep all of it.
    let place = match norm.place {
        NormPlace::Fold if !scope.program.folds[exit.fold].element.is_real() => NormPlace::Step,
        place => place,
    };
    let name = match place {
        NormPlace::Condition => format!("({value})"),
        NormPlace::Fold => fold.clone(),
        NormPlace::Step | NormPlace::Outside => "norm".to_string(),
    };
    match place {
        NormPlace::Condition => {}
        NormPlace::Step => text.line(format!("double norm = {value};")),
        NormPlace::Fold | NormPlace::Outside => text.line(format!("{name} = {value};")),
    }
    let show = |text: &mut Text, is_before: bool| {
        if let Some((every, phase, _)) = norm.shown.filter(|(.., before)| *before == is_before) {
            text.open(format!("if (t % {every} == {phase})"));
            text.line(shown(&name));
            text.close();
        }
    };
    show(text, true);
    write_leaving(text, exit, &name);
    show(text, false);
    if norm.kind.has_memory() {
        text.line(format!("before = {fold};"));
    }
}

/// Any NaN is as good as any other.
fn shown(name: &str) -> String {
    format!("printf(\"norm %a\\n\", {name} != {name} ? 0.5 : (double){name});")
}

fn value_of(scope: &Scope, fold: &str, kind: NormKind) -> String {
    let count = scope.size(0);
    match kind {
        NormKind::Root => format!("sqrt(fabs((double){fold}))"),
        NormKind::RootMean => format!("sqrt({fold} / (double){count})"),
        NormKind::Mean => format!("{fold} / (double){count}"),
        NormKind::Absolute => format!("fabs((double){fold})"),
        NormKind::Scaled => format!("0.5 * {fold} + 1"),
        NormKind::Logarithm => format!("log10(fabs((double){fold}))"),
        NormKind::Ratio => format!("{fold} / before"),
        NormKind::Change => format!("fabs({fold} - before)"),
    }
}

/// The norm by which the loop is left.
fn norm_of(program: &Program) -> Option<Norm> {
    program.exit.as_ref().filter(|_| Exit::called(program).is_none())?.norm
}
