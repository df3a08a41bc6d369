//! Values of the runtime's types in C, their members by name.

use std::fmt::Display;

use super::runtime::members;
use crate::text::{Writer, quote};

/// A member of a structure and its value in C.
pub type Member<'a> = (&'a str, &'a dyn Display);

/// An initialiser; what is zero is left out.
///
/// # Panics
/// If these are not all members of the structure, in order.
pub fn initializer(structure: &str, values: &[Member<'_>]) -> String {
    let values: Vec<String> = set(structure, values).map(|(name, value)| format!(".{name} = {value}")).collect();
    if values.is_empty() { "{ 0 }".into() } else { format!("{{ {} }}", values.join(", ")) }
}

/// Writes the initialiser of a variable, a member a line.
///
/// # Panics
/// As [`initializer`].
pub fn write_initializer(writer: &mut Writer, variable: &str, structure: &str, values: &[Member<'_>]) {
    writer.block_with_end(format_args!("static const {structure} {variable} ="), "};", |writer| {
        set(structure, values).for_each(|(name, value)| writer.line(format_args!(".{name} = {value},")));
    });
}

/// Writes a table that `head` declares, an initialiser a line.
pub fn write_table(writer: &mut Writer, head: impl Display, rows: &[String]) {
    writer.block_with_end(format_args!("{head} ="), "};", |writer| {
        rows.iter().for_each(|row| writer.line(format_args!("{row},")));
    });
}

/// Writes an assignment to a variable.
///
/// # Panics
/// As [`initializer`].
pub fn write_assignment(writer: &mut Writer, variable: &str, structure: &str, values: &[Member<'_>]) {
    writer.line(format_args!("{variable} = ({structure}){};", initializer(structure, values)));
}

/// The values that are not zero.
fn set(structure: &str, values: &[Member<'_>]) -> impl Iterator<Item = (String, String)> {
    assert!(are_all(structure, values), "these are not the members of {structure}");
    let is_set = |(_, value): &(String, String)| value != "0" && value != "NULL";
    let values: Vec<_> = values.iter().map(|(name, value)| ((*name).to_owned(), value.to_string())).collect();
    values.into_iter().filter(is_set)
}

/// Whether both sides know the same members.
fn are_all(structure: &str, values: &[Member<'_>]) -> bool {
    let names: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
    names == members(structure)
}

/// The value of a member that is an array.
pub fn list(values: &[i64]) -> String {
    let is_set = values.iter().any(|value| *value != 0);
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    if is_set { format!("{{ {} }}", values.join(", ")) } else { "0".into() }
}

/// The value of a member that tells whether something is so.
pub fn flag(is_so: bool) -> i32 {
    i32::from(is_so)
}

/// The value of a member that is a text.
pub fn text_or_null(text: Option<&str>) -> String {
    text.map_or_else(|| "NULL".into(), quote)
}

#[cfg(test)]
mod tests {
    use super::{Member, are_all, initializer, list};

    #[test]
    fn what_is_zero_is_left_out() {
        assert_eq!(initializer("stencil_swap", &[("field", &0), ("slot", &2)]), "{ .slot = 2 }");
        assert_eq!(initializer("stencil_swap", &[("field", &0), ("slot", &0)]), "{ 0 }");
        let corners: [Member<'_>; 2] = [("lo", &list(&[1, 0])), ("hi", &list(&[0, 0]))];
        assert_eq!(initializer("stencil_box", &corners), "{ .lo = { 1, 0 } }");
    }

    #[test]
    fn members_that_one_side_alone_knows_are_found() {
        assert!(are_all("stencil_swap", &[("field", &0), ("slot", &0)]));
        assert!(!are_all("stencil_swap", &[("field", &0)]));
        assert!(!are_all("stencil_swap", &[("field", &0), ("slots", &0)]));
        assert!(!are_all("stencil_swap", &[("field", &0), ("slot", &0), ("buffer", &0)]));
        assert!(!are_all("stencil_swap", &[("slot", &0), ("field", &0)]));
    }
}
