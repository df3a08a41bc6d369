//! Accesses whose elements integer sets cannot tell, and those of elements that are not there.

use crate::ir::{Access, Expr, Handle, Nest, Nonlinear};
use crate::poly::{AffineRole, NonAffine};
use crate::source::{Diagnostic, NO_REMEDY};

/// The remedy for bounds that no integer set can hold.
const FIXED_BOUND: &str = "let the loop run to a bound that is a sum of loop variables, variables set before the nest and \
                           constants, and choose with an `if` inside";

/// The remedy for reads with any subscript.
const GATHER: &str = "copy what is read here into an array of its own, in a loop before the nest that is not marked, if the \
                      nest does not change it";

/// An expression of an access that integer sets cannot hold.
pub(super) fn not_affine(nest: &Nest, access: Handle<Access>, error: &NonAffine, role: AffineRole) -> Diagnostic {
    let array = &nest.arrays[nest.accesses[access].array].name;
    let span = if error.span.end > error.span.start { error.span } else { nest.accesses.span(access) };
    let what = match role {
        AffineRole::Subscript => "subscript",
        AffineRole::LoopBound => "loop bound",
        AffineRole::Condition => "condition",
    };
    let remedies = match role {
        AffineRole::Subscript => subscript_remedies(error.part, !is_write(nest, access)),
        _ => vec![FIXED_BOUND.into()],
    };
    let diagnostic = Diagnostic::error("not-affine", format!("this {what} is not affine"), span)
        .because(error.part.what())
        .with_label(nest.accesses.span(access), format!("needed to follow the values of `{array}`"));
    remedies.into_iter().fold(diagnostic, Diagnostic::with_help)
}

/// What to write instead of a subscript that no integer set can hold.
fn subscript_remedies(part: Nonlinear, is_read: bool) -> Vec<String> {
    match (part, is_read) {
        (Nonlinear::Element, true) => vec![GATHER.into()],
        (Nonlinear::Element, false) => vec![NO_REMEDY.into()],
        (_, true) => vec![part.remedy().into(), format!("or {GATHER}")],
        (_, false) => vec![part.remedy().into()],
    }
}

fn is_write(nest: &Nest, access: Handle<Access>) -> bool {
    nest.step.statements.iter().any(|statement| statement.write == access)
}

/// An element of a grid of the step's that it may not have stored.
pub(super) fn not_stored(nest: &Nest, read: Handle<Access>) -> Diagnostic {
    let array = nest.accesses[read].array;
    let is_trail = nest.step.grids.iter().any(|grid| grid.array == array && grid.is_trail);
    let (array, span) = (&nest.arrays[array].name, nest.accesses.span(read));
    if is_trail {
        let message =
            format!("`{array}` carries a value from one iteration to the next, and the first one may find none");
        return Diagnostic::error("scalar-carried", message, span)
            .with_help(format!("give `{array}` a value in front of the loop that carries it"));
    }
    let message = format!("the step declares `{array}`, and may not have stored this element of it");
    Diagnostic::error("local-array", message, span)
        .because("what an array holds that is declared here is not known")
        .with_help(format!("declare `{array}` before the nest, or store all that is read of it in each step"))
}

/// `/` or `%` of what may be negative.
pub(super) fn negative_remainder(nest: &Nest, operand: Handle<Expr>) -> Diagnostic {
    let span = nest.exprs.span(operand);
    Diagnostic::error("negative-remainder", "the left side of `/` or `%` may be negative", span)
        .because("C rounds toward zero here, which is not affine")
        .with_help("let the loop start at a constant that keeps it from being negative")
        .with_help("or compare without dividing, as in `2 * j + 1 >= k` for `j >= k / 2`")
}

/// An access that leaves an array of that extent in a dimension; `index` is what it reaches, if it is short.
pub(super) fn outside_array(
    nest: &Nest,
    access: Handle<Access>,
    dimension: usize,
    extent: &str,
    index: Option<&str>,
) -> Diagnostic {
    let array = &nest.arrays[nest.accesses[access].array];
    let kind = if is_write(nest, access) { "write" } else { "read" };
    let what = match array.rank() {
        1 => "the subscript".to_owned(),
        _ => format!("subscript {} of {}", dimension + 1, array.rank()),
    };
    let reaches = index.map_or_else(|| format!("{what} leaves it"), |index| format!("{what} reaches {index}"));
    let extent = extent.trim_start_matches('(').trim_end_matches(')');
    let message = format!("this {kind} is outside of `{}`", array.name);
    let diagnostic = Diagnostic::error("outside-array", message, nest.accesses.span(access))
        .because(format!("{reaches}, and the array is declared with {extent} there"))
        .with_help(match index {
            Some(index) if index.starts_with('-') => "let the loop begin later",
            _ => "let the loop end earlier, or declare the array larger",
        });
    match dimension {
        0 => diagnostic,
        _ => diagnostic.with_help(
            "to run over the ends of rows on purpose, use a pointer to the first element and one subscript, as in `p[i*m + j]`",
        ),
    }
}

/// An access under a condition on data to an element that nothing else shows to exist.
pub(super) fn element_may_not_exist(nest: &Nest, access: Handle<Access>) -> Diagnostic {
    let array = &nest.arrays[nest.accesses[access].array];
    let message = format!("whether this element of `{}` exists depends on data", array.name);
    let sizes: Vec<&str> = ["[0:n]", "[0:m]", "[0:l]", "[0:k]"].into_iter().take(array.rank()).collect();
    let clauses: Vec<String> = array.name.split('/').map(|name| format!("extent({name}{})", sizes.concat())).collect();
    let clause = format!("`{}`", clauses.join(" "));
    let error = Diagnostic::error("element-may-not-exist", message, nest.accesses.span(access));
    let is_nameable = array.buffers.iter().all(|buffer| nest.values[buffer.variable].path.is_empty());
    if !is_nameable {
        return error
            .because("it is used only under a condition, and for some bounds of the loops no other access shows that it is there")
            .with_help("if it is always there, read it into a variable in front of the condition");
    }
    if array.extents.first().is_some_and(Option::is_some) {
        return error
            .because("it is used only under a condition, and for some bounds of the loops it is beyond the size of the array")
            .with_help(format!("state the size by the variables that bound the loops, as in {clause}"));
    }
    error
        .because("it is used only under a condition, and no other access shows that the array reaches so far")
        .with_help(format!("state the size of the array on the pragma, as in {clause}"))
}
