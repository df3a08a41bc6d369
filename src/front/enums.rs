//! Enumerations: constants are `int`, and the type is the one that gcc and clang take where no flag or attribute says
//! otherwise: `unsigned` if no constant is negative, else `int`.

use tree_sitter::Node;

use super::declarations::Scope;
use super::numbers::Constant;
use super::symbols::{Symbol, Variable};
use super::tree::{Unit, children, walk};
use super::types::CType;
use crate::ir::{BinaryOp, ScalarType};

/// What messages call the types of enumerations and their constants where those are no `int`.
const BEYOND_INT: &str = "an enumeration type that compilers choose in different ways, beyond `int`";

impl<'t> Scope<'t> {
    /// Declares the tags of all structures, and the tags and constants of all enumerations, whose bodies stand in `node`,
    /// those in structures included, which C puts into the scope around; parameters have scopes of their own.
    pub fn declare_tags(&mut self, unit: &Unit, node: Node<'t>) {
        if !["enum", "struct"].iter().any(|word| unit.text(node).contains(word)) {
            return;
        }
        let end = node.end_byte();
        walk(node, &mut |inner| {
            match inner.kind() {
                "enum_specifier" => self.declare_enumeration(unit, inner, end),
                "struct_specifier" => self.declare_structure(unit, inner, end),
                _ => {}
            }
            !matches!(inner.kind(), "compound_statement" | "parameter_list")
        });
    }

    /// Attributes up to `end` count for the type.
    fn declare_structure(&mut self, unit: &Unit, specifier: Node<'t>, end: usize) {
        if specifier.child_by_field_name("body").is_none() {
            return;
        }
        if let Some(name) = specifier.child_by_field_name("name") {
            self.declare_tag(unit, specifier, name, end);
        }
        self.note_members(unit, specifier);
    }

    fn declare_tag(&mut self, unit: &Unit, specifier: Node<'t>, name: Node<'t>, end: usize) {
        let ty = if unit.has_type_attribute(specifier.start_byte(), end) {
            CType::Unknown("a type that an attribute changes")
        } else {
            CType::Structure(specifier)
        };
        self.insert(format!("struct {}", unit.text(name)), Symbol::Type(ty));
    }

    /// Attributes up to `end` count for the type.
    fn declare_enumeration(&mut self, unit: &Unit, specifier: Node<'t>, end: usize) {
        let Some(body) = specifier.child_by_field_name("body") else { return };
        let mut next = Some(Constant::from_bits(ScalarType::I32, 0));
        for enumerator in children(body) {
            let Some(name) = enumerator.child_by_field_name("name") else { continue };
            if let Some(value) = enumerator.child_by_field_name("value") {
                next = self.typed_constant(unit, value);
            }
            // Beyond `int`, compilers and standards differ in the type.
            next = next.filter(|value| value.as_i64().is_some_and(|value| i32::try_from(value).is_ok()));
            let symbol = match next.and_then(|value| value.converted(ScalarType::I32)) {
                Some(value) => Symbol::Constant(value),
                None => Symbol::Variable(Variable::unusable(BEYOND_INT, enumerator)),
            };
            self.insert(unit.text(name).to_owned(), symbol);
            let one = Constant::from_bits(ScalarType::I64, 1);
            next = next.and_then(|value| value.binary(BinaryOp::Add, one));
        }
        if let Some(name) = specifier.child_by_field_name("name") {
            let ty = self.enumeration_type(unit, specifier, end);
            self.insert(tag(unit.text(name)), Symbol::Type(ty));
        }
    }

    /// The type that `specifier` names or, with its constants declared already, describes.
    pub fn enumeration(&self, unit: &Unit, specifier: Node<'t>, end: usize) -> CType<'t> {
        let name = specifier.child_by_field_name("name").map(|name| unit.text(name));
        match name.and_then(|name| self.get(&tag(name))) {
            Some(Symbol::Type(ty)) => ty.clone(),
            _ if name.is_none() => self.enumeration_type(unit, specifier, end),
            _ => CType::Other(unit.text(specifier).to_owned()),
        }
    }

    fn enumeration_type(&self, unit: &Unit, specifier: Node<'t>, end: usize) -> CType<'t> {
        let is_fixed = specifier.child_by_field_name("underlying_type").is_some() || specifier.has_error();
        if is_fixed || unit.has_type_attribute(specifier.start_byte(), end) {
            return CType::Unknown("an enumeration type of a size of its own");
        }
        let Some(body) = specifier.child_by_field_name("body") else { return CType::Unknown(BEYOND_INT) };
        let mut ty = ScalarType::U32;
        for name in children(body).into_iter().filter_map(|enumerator| enumerator.child_by_field_name("name")) {
            match self.get(unit.text(name)) {
                Some(Symbol::Constant(value)) if value.as_i64().is_some_and(|value| value < 0) => ty = ScalarType::I32,
                Some(Symbol::Constant(_)) => {}
                _ => return CType::Unknown(BEYOND_INT),
            }
        }
        CType::Scalar(ty)
    }
}

/// What the tag `name` is called among other names.
fn tag(name: &str) -> String {
    format!("enum {name}")
}
