//! C types as declared, and how declarators build them.

use tree_sitter::Node;

use super::declarations::Scope;
use super::symbols::Symbol;
use super::tree::{Unit, children};
use crate::ir::ScalarType;

/// A declared type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CType<'t> {
    /// An arithmetic type.
    Scalar(ScalarType),
    /// `_Bool`: its objects are bytes that hold 0 or 1, and conversion to it is a test.
    Bool,
    /// A pointer.
    Pointer(Box<CType<'t>>),
    /// An array with its size expression, if it has one.
    Array(Box<CType<'t>>, Option<Node<'t>>),
    /// A function and the type of its result.
    Function(Box<CType<'t>>),
    /// What a `void *` leads to where it is known from what the pointer was made of.
    Untyped(Box<CType<'t>>),
    /// A type that is not known, in words such as "a type that an attribute changes".
    Unknown(&'static str),
    /// A structure, by the specifier that lists its members.
    Structure(Node<'t>),
    /// A structure, or an array in one, seen as that many elements in a row.
    Record(Box<CType<'t>>, i64),
    /// Anything else a nest cannot work on, as it is written.
    Other(String),
}

impl<'t> CType<'t> {
    /// The type of the elements under all pointers and arrays, and how many levels there are.
    pub fn element(&self) -> (&CType<'t>, usize) {
        match self {
            Self::Pointer(inner) | Self::Array(inner, _) | Self::Record(inner, _) => {
                let (element, levels) = inner.element();
                (element, levels + 1)
            }
            other => (other, 0),
        }
    }

    /// The type of the elements of all arrays.
    pub fn without_arrays(&self) -> &CType<'t> {
        match self {
            Self::Array(inner, _) | Self::Record(inner, _) => inner.without_arrays(),
            other => other,
        }
    }

    /// The type as which a number of this type is read and stored, if it is one.
    pub fn number(&self) -> Option<ScalarType> {
        match self {
            Self::Scalar(ty) => Some(*ty),
            Self::Bool => Some(ScalarType::U8),
            _ => None,
        }
    }

    /// The lengths of the arrays in the type, where they are written.
    pub fn lengths(&self) -> Vec<Node<'t>> {
        match self {
            Self::Array(inner, length) => length.iter().copied().chain(inner.lengths()).collect(),
            Self::Pointer(inner) | Self::Untyped(inner) => inner.lengths(),
            _ => Vec::new(),
        }
    }

    /// The type as which elements under all pointers and arrays are read; bytes if a nest cannot read them.
    pub fn element_type(&self) -> ScalarType {
        match self.element().0 {
            Self::Scalar(element) => *element,
            Self::Bool => ScalarType::U8,
            _ => ScalarType::I8,
        }
    }

    /// The type a function parameter of this declared type has, and an array or function as a value.
    pub fn decayed(self) -> Self {
        match self {
            Self::Array(inner, _) => Self::Pointer(inner),
            function @ Self::Function(_) => Self::Pointer(Box::new(function)),
            other => other,
        }
    }

    /// Whether its elements are structures, each seen as several numbers.
    pub fn is_of_records(&self) -> bool {
        match self {
            Self::Pointer(inner) | Self::Array(inner, _) => inner.is_of_records(),
            other => matches!(other, Self::Record(..)),
        }
    }

    /// Whether it is `void`.
    pub fn is_void(&self) -> bool {
        matches!(self, Self::Other(name) if name == "void")
    }
}

/// The type of what is declared `_Complex`, in words.
pub const COMPLEX: &str = "a complex type";

/// Words among the specifiers of a declaration that give a type devices do not have.
const FOREIGN_WORDS: [&str; 6] = ["_Complex", "__complex__", "_Imaginary", "_Atomic", "_Sat", "__auto_type"];

/// The type that the specifiers of `node` (a declaration, parameter, type name, ...) give.
pub fn base_type<'t>(unit: &Unit, scope: &Scope<'t>, node: Node<'t>) -> CType<'t> {
    let Some(specifier) = node.child_by_field_name("type") else { return CType::Other(String::new()) };
    let text = unit.text(specifier);
    let end = node.child_by_field_name("declarator").map_or(node.end_byte(), |declarator| declarator.start_byte());
    if let Some(word) = words(&unit.text[node.start_byte()..end]).find(|word| FOREIGN_WORDS.contains(word)) {
        return if word.contains("omplex") { CType::Unknown(COMPLEX) } else { CType::Other(word.to_owned()) };
    }
    let end = node.child_by_field_name("body").map_or(node.end_byte(), |body| body.start_byte());
    if unit.has_type_attribute(node.start_byte(), end) {
        return CType::Unknown("a type that an attribute changes");
    }
    if let Some(name) = unit.plain_types.get(&specifier.start_byte()) {
        // Where the name is no type, `int` stands for something that is no type name either.
        return match scope.get(name) {
            Some(Symbol::Type(ty)) => ty.clone(),
            _ => CType::Other(name.clone()),
        };
    }
    match specifier.kind() {
        "primitive_type" | "sized_type_specifier" | "type_identifier" => match scope.get(text) {
            Some(Symbol::Type(ty)) => ty.clone(),
            Some(_) => CType::Other(text.to_owned()),
            None if matches!(text, "_Bool" | "bool") => CType::Bool,
            None => scalar_type(text, unit.preprocessed.target().char_is_unsigned)
                .map_or_else(|| CType::Other(text.to_owned()), CType::Scalar),
        },
        "enum_specifier" => scope.enumeration(unit, specifier, node.end_byte()),
        "struct_specifier" | "union_specifier" => {
            let is_structure = specifier.kind() == "struct_specifier";
            if is_structure && specifier.child_by_field_name("body").is_some() {
                return CType::Structure(specifier);
            }
            let name = specifier.child_by_field_name("name").map_or("", |name| unit.text(name));
            let tag = format!("{} {name}", specifier.kind().trim_end_matches("_specifier")).trim_end().to_owned();
            match scope.get(&tag) {
                Some(Symbol::Type(ty)) => ty.clone(),
                _ => CType::Other(tag),
            }
        }
        _ => CType::Other(text.to_owned()),
    }
}

/// The words of `text` in the sense of C.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// The arithmetic type that the words of `text` name, in any order.
pub fn scalar_type(text: &str, char_is_unsigned: bool) -> Option<ScalarType> {
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
    let (mut sign, mut shorts, mut longs, mut base) = (None, 0, 0, None);
    for word in text.split_whitespace() {
        match word {
            "unsigned" | "signed" => sign = Some(word),
            "const" | "volatile" | "register" => {}
            "short" => shorts += 1,
            "long" => longs += 1,
            "char" | "int" | "float" | "double" => base = Some(word),
            _ => return None,
        }
    }
    let is_unsigned = match sign {
        Some(sign) => sign == "unsigned",
        None => base == Some("char") && char_is_unsigned,
    };
    let (signed, unsigned) = match (base, shorts, longs) {
        (Some("char"), 0, 0) => (I8, U8),
        (Some("float"), 0, 0) => return Some(F32),
        (Some("double"), 0, 0) => return Some(F64),
        (Some("double" | "float" | "char"), ..) => return None,
        (_, 1, 0) => (I16, U16),
        (_, 0, 0) => (I32, U32),
        (_, 0, 1 | 2) => (I64, U64),
        _ => return None,
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
        "function_declarator" | "abstract_function_declarator" => continue_with(CType::Function(Box::new(base))),
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
        let scalar_type = |text| super::scalar_type(text, false);
        assert_eq!(scalar_type("long unsigned int"), Some(ScalarType::U64));
        assert_eq!(scalar_type("short"), Some(ScalarType::I16));
        assert_eq!(scalar_type("unsigned"), Some(ScalarType::U32));
        assert_eq!(scalar_type("long double"), None);
        assert_eq!(scalar_type("signed char"), Some(ScalarType::I8));
        assert_eq!(scalar_type("ptrdiff_t"), Some(ScalarType::I64));
        assert_eq!(scalar_type("int long unsigned long"), Some(ScalarType::U64));
        assert_eq!(scalar_type("unsigned __int128"), None);
    }

    #[test]
    fn plain_char_has_the_sign_that_the_compiler_gives_it() {
        assert_eq!(
            (scalar_type("char", false), scalar_type("char", true)),
            (Some(ScalarType::I8), Some(ScalarType::U8))
        );
        assert_eq!(scalar_type("signed char", true), Some(ScalarType::I8));
    }
}
