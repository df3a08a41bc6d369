//! What a declaration says of a variable besides its type.

use std::ops::Range;

use tree_sitter::Node;

use super::tree::{Unit, children};

/// Storage class and qualifiers of one variable.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Qualifiers {
    /// It is `static`.
    pub is_static: bool,
    /// It is declared here but defined elsewhere.
    pub is_extern: bool,
    /// Something in its declaration is volatile.
    pub is_volatile: bool,
    /// It never changes. A pointer to constant data is none.
    pub is_const: bool,
    /// It is a `restrict` pointer, or may be one by the name of its type.
    pub is_restrict: bool,
    /// The word `register` in the preprocessed text.
    pub register: Option<Range<usize>>,
}

impl Qualifiers {
    /// Adds what another declaration of a variable of the file says.
    pub fn declare_again(&mut self, other: &Self) {
        self.is_static |= other.is_static;
        self.is_const |= other.is_const;
        self.is_restrict |= other.is_restrict;
        self.is_volatile |= other.is_volatile;
    }

    /// Those of `declarator` in `declaration`, which may declare a parameter.
    pub fn of(unit: &Unit, declaration: Node, declarator: Node) -> Self {
        let words = |kind: &'static str| children(declaration).into_iter().filter(move |child| child.kind() == kind);
        let has_class = |word: &str| words("storage_class_specifier").any(|child| unit.text(child) == word);
        let has_qualifier = |word: &str| words("type_qualifier").any(|child| unit.text(child) == word);
        let own = own_text(unit, declarator);
        let is_pointer = own.contains('*');
        let has_named_type =
            declaration.child_by_field_name("type").is_some_and(|ty| ty.kind() == "type_identifier") && !is_pointer;
        Self {
            is_static: has_class("static"),
            is_extern: has_class("extern"),
            is_volatile: has_qualifier("volatile") || own.contains("volatile"),
            is_const: has_qualifier("const") && !is_pointer,
            is_restrict: own.contains("restrict") || has_named_type,
            register: words("storage_class_specifier")
                .find(|it| unit.text(*it) == "register")
                .map(|it| it.byte_range()),
        }
    }
}

/// The text of a declarator without its initialiser.
fn own_text<'u>(unit: &'u Unit, declarator: Node) -> &'u str {
    let end = declarator.child_by_field_name("value").map_or(declarator.end_byte(), |value| value.start_byte());
    &unit.text[declarator.start_byte()..end]
}
