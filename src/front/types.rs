//! C types as declared, and how declarators build them.

use tree_sitter::Node;

use super::declarations::{Scope, Symbol};
use super::tree::{Unit, children};
use crate::ir::ScalarType;

/// A declared type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CType<'t> {
    /// An arithmetic type.
    Scalar(ScalarType),
    /// A pointer.
    Pointer(Box<CType<'t>>),
    /// An array with its size expression, if it has one.
    Array(Box<CType<'t>>, Option<Node<'t>>),
    /// Anything a nest cannot work on, as it is written.
    Other(String),
}

impl<'t> CType<'t> {
    /// The type of the elements under all pointers and arrays, and how many levels there are.
    pub fn element(&self) -> (&CType<'t>, usize) {
        match self {
            Self::Pointer(inner) | Self::Array(inner, _) => {
                let (element, levels) = inner.element();
                (element, levels + 1)
            }
            other => (other, 0),
        }
    }

    /// The type a function parameter of this declared type has.
    pub fn decayed(self) -> Self {
        match self {
            Self::Array(inner, _) => Self::Pointer(inner),
            other => other,
        }
    }
}

/// The type that the specifiers of `node` (a declaration, parameter, type name, ...) give.
pub fn base_type<'t>(unit: &Unit, scope: &Scope<'t>, node: Node<'t>) -> CType<'t> {
    let Some(specifier) = node.child_by_field_name("type") else { return CType::Other(String::new()) };
    let text = unit.text(specifier);
    match specifier.kind() {
        "primitive_type" | "sized_type_specifier" => match scalar_type(text) {
            Some(ty) => CType::Scalar(ty),
            None => CType::Other(text.to_owned()),
        },
        "type_identifier" => match scope.get(text) {
            Some(Symbol::Type(ty)) => ty.clone(),
            _ => scalar_type(text).map_or_else(|| CType::Other(text.to_owned()), CType::Scalar),
        },
        "enum_specifier" => CType::Scalar(ScalarType::I32),
        "struct_specifier" | "union_specifier" => {
            let name = specifier.child_by_field_name("name").map_or("", |name| unit.text(name));
            CType::Other(format!("{} {name}", specifier.kind().trim_end_matches("_specifier")).trim_end().to_owned())
        }
        _ => CType::Other(text.to_owned()),
    }
}

/// The arithmetic type that the words of `text` name, in any order.
pub fn scalar_type(text: &str) -> Option<ScalarType> {
    use ScalarType::{F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
    let fixed = match text {
        "int8_t" => Some(I8),
        "uint8_t" => Some(U8),
        "int16_t" => Some(I16),
        "uint16_t" => Some(U16),
        "int32_t" => Some(I32),
        "uint32_t" => Some(U32),
        "int64_t" | "ptrdiff_t" | "ssize_t" | "intptr_t" => Some(I64),
        "uint64_t" | "size_t" | "uintptr_t" => Some(U64),
        _ => None,
    };
    if fixed.is_some() {
        return fixed;
    }
    let (mut is_unsigned, mut shorts, mut longs, mut base) = (false, 0, 0, None);
    for word in text.split_whitespace() {
        match word {
            "unsigned" => is_unsigned = true,
            "signed" | "const" | "volatile" | "register" => {}
            "short" => shorts += 1,
            "long" => longs += 1,
            "char" | "int" | "float" | "double" => base = Some(word),
            _ => return None,
        }
    }
    let (signed, unsigned) = match (base, shorts, longs) {
        (Some("char"), 0, 0) => (I8, U8),
        (Some("float"), 0, 0) => return Some(F32),
        (Some("double"), 0, 0) => return Some(F64),
        (Some("double" | "float" | "char"), ..) => return None,
        (_, 1, 0) => (I16, U16),
        (_, 0, 0) => (I32, U32),
        _ => (I64, U64),
    };
    Some(if is_unsigned { unsigned } else { signed })
}

/// The name that `declarator` declares (empty for an abstract one) and its type, built around `base`.
pub fn declared<'t>(unit: &Unit, declarator: Node<'t>, base: CType<'t>) -> (String, CType<'t>) {
    let inner = declarator.child_by_field_name("declarator");
    let continue_with = |ty: CType<'t>| match inner {
        Some(inner) => declared(unit, inner, ty),
        None => (String::new(), ty),
    };
    match declarator.kind() {
        "pointer_declarator" | "abstract_pointer_declarator" => continue_with(CType::Pointer(Box::new(base))),
        "array_declarator" | "abstract_array_declarator" => {
            let size = declarator.child_by_field_name("size").filter(|size| size.kind() != "*");
            continue_with(CType::Array(Box::new(base), size))
        }
        "function_declarator" | "abstract_function_declarator" => continue_with(CType::Other("function".to_owned())),
        "init_declarator" => continue_with(base),
        "parenthesized_declarator" | "abstract_parenthesized_declarator" | "attributed_declarator" => {
            match children(declarator).into_iter().find(|child| child.kind() != "ms_call_modifier") {
                Some(child) => declared(unit, child, base),
                None => (String::new(), base),
            }
        }
        _ => (unit.text(declarator).to_owned(), base),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifier_words_may_come_in_any_order() {
        assert_eq!(scalar_type("long unsigned int"), Some(ScalarType::U64));
        assert_eq!(scalar_type("short"), Some(ScalarType::I16));
        assert_eq!(scalar_type("unsigned"), Some(ScalarType::U32));
        assert_eq!(scalar_type("long double"), None);
        assert_eq!(scalar_type("signed char"), Some(ScalarType::I8));
        assert_eq!(scalar_type("ptrdiff_t"), Some(ScalarType::I64));
    }
}
