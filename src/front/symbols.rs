//! What names stand for.

use tree_sitter::Node;

use super::numbers::Constant;
use super::types::CType;
use crate::ir;
use crate::source::FileId;

/// What a name stands for.
#[derive(Clone, Debug)]
pub enum Symbol<'t> {
    /// A type name.
    Type(CType<'t>),
    /// An enumeration constant.
    Constant(Constant),
    /// A variable, a parameter or a function.
    Variable(Variable<'t>),
}

impl Symbol<'_> {
    /// Where a variable that other files see is declared first.
    pub fn shared(&self) -> Option<usize> {
        match self {
            Self::Variable(variable) if variable.is_shared() => Some(variable.first_declared_at),
            _ => None,
        }
    }

    /// Takes a variable that other files see for the one that is declared there, if it is declared elsewhere, too.
    pub fn share(&mut self, first_declared: Option<usize>) {
        if let Self::Variable(variable) = self
            && variable.is_shared()
            && let Some(place) = first_declared
        {
            variable.first_declared_at = place;
        }
    }
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable<'t> {
    /// Its declared type; parameters are decayed.
    pub ty: CType<'t>,
    /// Offset of its declarator in the preprocessed text.
    pub declared_at: usize,
    /// Offset of the first declarator of a variable that the file declares more than once; else the same.
    pub first_declared_at: usize,
    /// Whether it lives in static storage.
    pub is_static: bool,
    /// Whether its declaration says `static`, so that no other file sees it if it is one of the file's.
    pub is_internal: bool,
    /// Whether its declaration says `volatile`.
    pub is_volatile: bool,
    /// Whether it is declared inside the nest.
    pub is_inside: bool,
    /// Its value if it is a constant integer with a constant initialiser.
    pub constant: Option<Constant>,
    /// The initialiser of an integer.
    pub initialiser: Option<Node<'t>>,
    /// Its declarator, if it has one.
    pub declarator: Option<Node<'t>>,
}

impl<'t> Variable<'t> {
    /// Whether other files see it.
    pub fn is_shared(&self) -> bool {
        self.is_static && !self.is_internal
    }

    /// A variable or function of type `ty` in automatic storage, declared by `node`.
    pub fn new(ty: CType<'t>, node: Node<'t>) -> Self {
        let declared_at = node.start_byte();
        Self {
            ty,
            declared_at,
            first_declared_at: declared_at,
            is_static: false,
            is_internal: false,
            is_volatile: false,
            is_inside: false,
            constant: None,
            initialiser: None,
            declarator: Some(node),
        }
    }

    /// Something that a nest cannot use, since it has `ty`, a type in words.
    pub fn unusable(ty: &'static str, node: Node<'t>) -> Self {
        Self::new(CType::Unknown(ty), node)
    }

    /// A part of it, or of what it leads to, of type `ty`.
    pub fn part(&self, ty: CType<'t>, is_volatile: bool) -> Self {
        let is_volatile = self.is_volatile || is_volatile;
        Self { ty, is_volatile, constant: None, initialiser: None, declarator: None, ..self.clone() }
    }

    /// That of the same name and type which OpenMP gives each thread for its own; a place in the directive tells it from others.
    pub fn own_of_thread(&self, made_at: usize, is_inside: bool) -> Self {
        Self {
            declared_at: made_at,
            first_declared_at: made_at,
            is_static: false,
            is_internal: false,
            is_inside,
            constant: None,
            initialiser: None,
            declarator: None,
            ..self.clone()
        }
    }

    /// A variable of type `ty` of the nest's own, which `node` makes.
    pub fn of_nest(ty: CType<'t>, node: Node<'t>) -> Self {
        Self { is_inside: true, ..Self::new(ty, node) }
    }

    /// Whether another one, seen from elsewhere in the text, is this one.
    pub fn is_same(&self, other: &Self) -> bool {
        self.first_declared_at == other.first_declared_at
    }

    /// What tells it from all other variables of the program.
    pub fn identity(&self, file: FileId, name: &str) -> ir::Variable {
        ir::Variable { file, declared_at: self.first_declared_at, name: name.to_owned() }
    }
}
