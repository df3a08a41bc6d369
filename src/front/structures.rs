//! Structures: their members, and where these lie.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::declarations::Scope;
use super::symbols::Symbol;
use super::tree::{Unit, children, fields};
use super::types::{CType, base_type, declared, words};

/// A structure, by the specifier that lists its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Structure<'t> {
    specifier: Node<'t>,
}

/// A member.
#[derive(Clone, Debug)]
pub struct Member<'t> {
    /// Its declared type.
    pub ty: CType<'t>,
    /// Whether its declaration says `volatile`.
    pub is_volatile: bool,
}

impl<'t> Scope<'t> {
    /// The structure that a type is; `None` for others, for unions and for structures whose layout an attribute changes.
    pub fn structure(&self, ty: &CType<'t>) -> Option<Structure<'t>> {
        match ty {
            CType::Structure(specifier) => Some(Structure { specifier: *specifier }),
            // A name that was used before the structure was described.
            CType::Other(name) if name.starts_with("struct ") => match self.get(name)? {
                Symbol::Type(CType::Structure(specifier)) => Some(Structure { specifier: *specifier }),
                _ => None,
            },
            _ => None,
        }
    }
}

impl<'t> Structure<'t> {
    /// Whether it is the structure `other`, perhaps described by the same header in another file of the program.
    pub fn is(self, unit: &Unit, other: Self) -> bool {
        // Markers of lines, which are blank here, take more or less room in each file.
        let words = |it: Self| unit.text(it.specifier).split_whitespace();
        self == other || words(self).eq(words(other))
    }

    /// As it is described, word by word.
    pub fn words(self, unit: &Unit) -> Vec<String> {
        unit.text(self.specifier).split_whitespace().map(str::to_owned).collect()
    }

    /// As this structure and those of which it has members, or arrays, are described.
    pub fn with_inner(self, unit: &Unit, scope: &Scope<'t>) -> BTreeSet<Vec<String>> {
        let mut found = BTreeSet::from([self.words(unit)]);
        for name in self.names(unit) {
            let member = self.member(unit, scope, &name);
            let inner = member.and_then(|it| scope.structure(it.ty.without_arrays()));
            found.extend(inner.into_iter().flat_map(|it| it.with_inner(unit, scope)));
        }
        found
    }

    /// The specifier that lists the members.
    pub fn specifier(self) -> Node<'t> {
        self.specifier
    }

    /// Whether its members tell where they lie.
    fn is_plain(self, unit: &Unit, scope: &Scope<'t>) -> bool {
        let node = self.specifier;
        let says = |word: &str| words(unit.text(node)).any(|it| it == word);
        !node.has_error()
            && !unit.packing.is_packed(node.end_byte())
            && !unit.has_alignment(node.start_byte(), node.end_byte())
            && !["_Alignas", "alignas"].into_iter().any(says)
            && self.names_all()
            && !self.declarations().iter().any(|it| scope.has_aligned_type(unit, *it))
    }

    /// Whether all its members have names.
    pub fn names_all(self) -> bool {
        self.declarations().iter().all(|it| it.child_by_field_name("declarator").is_some())
    }

    fn declarations(self) -> Vec<Node<'t>> {
        let body = self.specifier.child_by_field_name("body");
        let declarations = body.map(children).unwrap_or_default();
        declarations.into_iter().filter(|it| it.kind() == "field_declaration").collect()
    }

    fn declarators(self) -> Vec<(Node<'t>, Node<'t>)> {
        let declarations = self.declarations().into_iter();
        declarations
            .flat_map(|it| fields(it, "declarator").into_iter().map(move |declarator| (it, declarator)))
            .collect()
    }

    /// The names of the members in order.
    pub fn names(self, unit: &Unit) -> Vec<String> {
        let name = |declarator| declared(unit, declarator, CType::Other(String::new())).0;
        self.declarators().into_iter().map(|(_, declarator)| name(declarator)).collect()
    }

    /// The member called `name`; `None` for bit-fields too.
    pub fn member(self, unit: &Unit, scope: &Scope<'t>, name: &str) -> Option<Member<'t>> {
        let place = self.names(unit).iter().position(|other| other == name)?;
        declared_member(unit, scope, self.declarators()[place])
    }

    /// Its members up to the first one whose size is not known, in order, and where each begins, in bytes, as the System V ABI and
    /// those like it lay structures out.
    pub fn laid_out(self, unit: &Unit, scope: &Scope<'t>) -> Vec<(String, Member<'t>, i64)> {
        let (mut found, mut end) = (Vec::new(), Some(0));
        let names = self.names(unit).into_iter().filter(|_| self.is_plain(unit, scope));
        for (name, place) in names.zip(self.declarators()) {
            let Some(member) = declared_member(unit, scope, place) else { break };
            let start = end.zip(alignment(unit, scope, &member.ty)).map(|(end, alignment)| up_to(end, alignment));
            let Some(start) = start else { break };
            end = size(unit, scope, &member.ty).map(|size| start + size);
            found.push((name, member, start));
        }
        found
    }

    /// The same if the sizes of all members before the last one are known.
    pub fn layout(self, unit: &Unit, scope: &Scope<'t>) -> Option<Vec<(String, Member<'t>, i64)>> {
        let known = self.laid_out(unit, scope);
        (known.len() == self.declarators().len()).then_some(known)
    }

    /// Where the member called `name` begins, in bytes; `None` if some size is not known.
    pub fn offset(self, unit: &Unit, scope: &Scope<'t>, name: &str) -> Option<i64> {
        let known = self.laid_out(unit, scope);
        known.into_iter().find_map(|(other, _, start)| (other == name).then_some(start))
    }

    fn size(self, unit: &Unit, scope: &Scope<'t>) -> Option<i64> {
        let (_, last, start) = self.layout(unit, scope)?.pop()?;
        Some(up_to(start + size(unit, scope, &last.ty)?, self.alignment(unit, scope)?))
    }

    fn alignment(self, unit: &Unit, scope: &Scope<'t>) -> Option<i64> {
        let members = self.declarators().into_iter().map(|place| {
            let member = declared_member(unit, scope, place)?;
            alignment(unit, scope, &member.ty)
        });
        members.collect::<Option<Vec<_>>>()?.into_iter().max()
    }
}

/// What a declarator in a declaration of members declares; `None` for bit-fields.
fn declared_member<'t>(
    unit: &Unit,
    scope: &Scope<'t>,
    (declaration, declarator): (Node<'t>, Node<'t>),
) -> Option<Member<'t>> {
    let is_bit_field = children(declaration).iter().any(|child| child.kind() == "bitfield_clause");
    let known = scope.member_type(declarator).cloned();
    let ty = known.unwrap_or_else(|| declared(unit, declarator, base_type(unit, scope, declaration)).1);
    let is_volatile = words(unit.text(declaration)).any(|word| word == "volatile");
    (!is_bit_field).then_some(Member { ty, is_volatile })
}

/// The size of a type in bytes, structures included.
pub fn size<'t>(unit: &Unit, scope: &Scope<'t>, ty: &CType<'t>) -> Option<i64> {
    match (ty, scope.structure(ty)) {
        (_, Some(structure)) => structure.size(unit, scope),
        (CType::Array(inner, Some(length)), _) => {
            size(unit, scope, inner)?.checked_mul(scope.array_length(unit, *length)?.as_i64()?)
        }
        _ => scope.size_of(unit, ty)?.as_i64(),
    }
}

fn alignment<'t>(unit: &Unit, scope: &Scope<'t>, ty: &CType<'t>) -> Option<i64> {
    match (ty, scope.structure(ty)) {
        (_, Some(structure)) => structure.alignment(unit, scope),
        (CType::Array(inner, _), _) => alignment(unit, scope, inner),
        _ => size(unit, scope, ty),
    }
}

fn up_to(bytes: i64, alignment: i64) -> i64 {
    (bytes + alignment - 1) / alignment * alignment
}
