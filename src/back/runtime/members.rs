//! The members of the runtime's types, as `*_types.c` declare them: the one description that tables follow.

use std::sync::LazyLock;

use super::TYPES;

static CODE: LazyLock<String> = LazyLock::new(|| without_comments(TYPES));

/// The members of a structure, in order.
///
/// # Panics
/// If there is no such structure.
pub fn members(structure: &str) -> Vec<String> {
    let is_end = |end: &str| end.trim_start().starts_with(&format!("{structure};"));
    // The name of a structure is before its members or behind them.
    let body = CODE.split("struct ").find_map(|rest| {
        let (head, rest) = rest.split_once('{')?;
        let (body, end) = rest.split_once('}')?;
        (head.trim() == structure || is_end(end)).then(|| body.to_owned())
    });
    let body = body.unwrap_or_else(|| panic!("the runtime has no structure {structure}"));
    body.split(';').flat_map(declared).collect()
}

/// The names in `int a, b[2]` and in `int (*f)(int)`.
fn declared(declaration: &str) -> Vec<String> {
    let declaration = declaration.trim();
    if let Some((_, function)) = declaration.split_once("(*") {
        return function.split(')').take(1).map(str::to_owned).collect();
    }
    let name = |declarator: &str| {
        let words = declarator.split('[').next().unwrap_or_default();
        words.split([' ', '*']).rfind(|word| !word.is_empty()).map(str::to_owned)
    };
    declaration.split(',').filter_map(name).collect()
}

fn without_comments(text: &str) -> String {
    let mut parts = text.split("/*");
    let code = parts.next().unwrap_or_default().to_owned();
    parts.fold(code, |code, part| code + part.split_once("*/").map_or("", |(_, behind)| behind))
}

#[cfg(test)]
mod tests {
    use super::members;

    #[test]
    fn members_are_those_of_the_declarations() {
        assert_eq!(members("stencil_box"), ["lo", "hi"]);
        assert_eq!(members("stencil_result"), ["array", "field", "slot", "box", "contains"]);
        assert_eq!(members("stencil_scalar"), ["size", "value"]);
        assert_eq!(members("stencil_account").first().map(String::as_str), Some("host_factor"));
    }
}
