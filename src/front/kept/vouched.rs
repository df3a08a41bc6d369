//! What the user vouches for of functions that the tool cannot see.

use tree_sitter::Node;

use super::host_code::HostCode;
use crate::front::Failable;
use crate::front::pragma::{Vouched, WrittenClauses};
use crate::ir::Nest;
use crate::source::{Diagnostic, Span};

/// A nest that the driver runs as a whole calls no function of the host's.
///
/// # Errors
/// A clause says what one does.
pub fn check_not_vouched(clauses: &WrittenClauses) -> Failable<()> {
    let Some(Vouched { function, span, .. }) = clauses.vouched.first() else { return Ok(()) };
    let message =
        format!("a clause says what `{function}` does, but the host does nothing between the steps of this nest");
    Err(wrong(message, *span, "take the clause out"))
}

/// The functions are called by the loop `outer`, and the arrays are the nest's.
///
/// # Errors
/// One is not.
pub fn check_vouched(code: &HostCode, nest: &Nest, outer: Node, vouched: &[Vouched]) -> Failable<()> {
    for Vouched { function, arrays, span, .. } in vouched {
        if !calls(code, outer, function) {
            let message = format!("a clause says what `{function}` does, which this loop does not call");
            return Err(wrong(message, *span, "correct the name, or take the clause out"));
        }
        let known = names_of_arrays(nest);
        if let Some(array) = arrays.iter().find(|array| !known.contains(array)) {
            let message = format!("a clause names `{array}`, which is no array of this nest");
            let known: Vec<_> = known.iter().map(|name| format!("`{name}`")).collect();
            return Err(wrong(message, *span, &format!("the arrays of this nest are {}", known.join(", "))));
        }
    }
    Ok(())
}

fn wrong(message: String, span: Span, help: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("pragma-clause", message, span).with_help(help))
}

fn calls(code: &HostCode, outer: Node, function: &str) -> bool {
    let bodies = code.bodies_of(outer, usize::MAX).unwrap_or_default().into_iter();
    bodies.flat_map(|body| code.program().calls_in(body)).any(|called| called == function)
}

fn names_of_arrays(nest: &Nest) -> Vec<String> {
    let buffers = nest.buffers();
    let own = buffers.filter(|buffer| !nest.is_of_driver(buffer.variable));
    let mut names: Vec<String> = own.map(|buffer| nest.values.text(buffer.variable).to_owned()).collect();
    names.dedup();
    names
}
