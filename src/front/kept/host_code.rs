//! What is known of a nest's arrays where the host's own code between steps is looked at.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::libraries::{READING, STORING, is_exit, is_harmless};
use super::program::Program;
use super::step::Step;
use crate::front::calls::is_known_to_nests;
use crate::front::declarations::Scope;
use crate::front::pragma::Vouched;
use crate::front::structures::Structure;
use crate::front::tree::{Unit, strip_parentheses};
use crate::front::types::CType;
use crate::ir::{Expr, ExprKind, Handle, HostValue, Nest, ParamValue, ScalarType, Selector, Variable};

/// Functions look into functions so deep.
pub const MAX_DEPTH: usize = 12;

/// What is known of a nest's arrays.
pub struct HostCode<'p, 's, 't> {
    pub(super) program: &'p Program<'p, 's, 't>,
    /// Variables that lead to arrays.
    pub(super) bases: Vec<String>,
    /// Variables of which arrays are parts.
    pub(super) wholes: Vec<String>,
    /// Scalars of which the memory is an array.
    scalars: Vec<String>,
    /// The same of members of structures, by their own names,
    members: Vec<String>,
    /// and the variables and members in which these are.
    holders: Vec<String>,
    /// Those of them that are pointers.
    pub(super) pointers: Vec<String>,
    /// What the nest itself follows or is given, as it is written, and its type if it is a number.
    values: Vec<(String, Option<ScalarType>)>,
    /// Whether elements of its arrays may be members of structures, to which pointers lead.
    pub(super) has_records: bool,
    /// These structures, word by word as they are described; none if they are not known.
    records: BTreeSet<Vec<String>>,
    /// Whether elements of its arrays are bytes, as characters are.
    pub(super) has_characters: bool,
    /// The types of its elements.
    element_types: BTreeSet<ScalarType>,
    /// Names of what leads to buffers, and whether that is where they begin.
    buffers: Vec<(String, bool)>,
    /// Those that are elements of an array of pointers, and where that is declared.
    elements: Vec<(String, usize)>,
    vouched: &'p [Vouched],
    /// What leads to none of its arrays in the function around its loop.
    pub(super) own: Own,
    /// Whether all its arrays are in static storage.
    pub(super) has_only_static: bool,
    /// Whether kernels go by what elements of arrays of subscripts are known to be.
    pub has_index_arrays: bool,
    /// The root of the text's tree.
    pub root: Node<'t>,
}

/// What names of a function lead to no array but its own.
#[derive(Clone, Debug, Default)]
pub struct Own {
    /// Variables that are arrays, and not the caller's.
    pub arrays: Vec<String>,
    /// Parameters that point to variables of the caller's.
    pub pointers: Vec<String>,
}

impl<'p, 's, 't> HostCode<'p, 's, 't> {
    /// Of the nest's arrays.
    pub fn new(program: &'p Program<'p, 's, 't>, root: Node<'t>, nest: &Nest, vouched: &'p [Vouched]) -> Self {
        let none = Self {
            program,
            bases: Vec::new(),
            wholes: Vec::new(),
            scalars: Vec::new(),
            members: Vec::new(),
            holders: Vec::new(),
            pointers: Vec::new(),
            values: Vec::new(),
            has_records: false,
            records: BTreeSet::new(),
            has_characters: false,
            element_types: BTreeSet::new(),
            buffers: Vec::new(),
            elements: Vec::new(),
            vouched,
            own: Own::default(),
            has_only_static: false,
            has_index_arrays: false,
            root,
        };
        none.with(nest)
    }

    /// Of another nest's arrays, too.
    pub fn with(mut self, nest: &Nest) -> Self {
        // The driver's own arrays are nobody else's.
        let buffers = || nest.buffers().filter(|buffer| !nest.is_of_driver(buffer.variable));
        for buffer in buffers() {
            let HostValue { variable, path } = &nest.values[buffer.variable];
            let is_part = path.iter().any(|selector| !matches!(selector, Selector::Dereference));
            let names = match path.as_slice() {
                [Selector::Address] => &mut self.scalars,
                _ if is_part => &mut self.wholes,
                _ => &mut self.bases,
            };
            names.push(variable.name.clone());
            if path.last() == Some(&Selector::Address) && path.len() > 1 {
                let name = |selector: &Selector| match selector {
                    Selector::Member(name) => Some(name.clone()),
                    _ => None,
                };
                let mut names: Vec<String> = path.iter().filter_map(name).collect();
                self.members.extend(names.pop());
                self.holders.extend(names.into_iter().chain([variable.name.clone()]));
            }
            if path.first() == Some(&Selector::Dereference) {
                self.pointers.push(variable.name.clone());
            }
        }
        let numbers = nest.params.iter().filter_map(|(_, param)| match param.value {
            ParamValue::Variable(value) => Some((nest.values.text(value).to_owned(), Some(param.ty))),
            ParamValue::Expression { .. } | ParamValue::IsSet { .. } => None,
        });
        self.values.extend(numbers);
        for buffer in buffers() {
            let text = nest.values.text(buffer.variable);
            self.values.push((text.to_owned(), None));
            let HostValue { variable, path } = &nest.values[buffer.variable];
            if let [Selector::Element(_)] = path[..] {
                self.elements.push((text.to_owned(), variable.declared_at));
            }
            let named = (text.to_owned(), buffer.offset.is_none());
            if !self.buffers.contains(&named) {
                self.buffers.push(named);
            }
        }
        let is_one = |stride: &Handle<Expr>| matches!(nest.exprs[*stride].kind, ExprKind::Int(1));
        self.has_records |= nest.arrays.iter().any(|(_, array)| !array.strides.last().is_some_and(is_one));
        self.has_records |= !nest.records.is_empty();
        self.records.extend(nest.records.iter().cloned());
        self.has_characters |= nest.arrays.iter().any(|(_, array)| array.element.size() == 1);
        self.element_types.extend(nest.arrays.iter().map(|(_, array)| array.element.unsigned()));
        self.has_index_arrays |= !nest.index_arrays.is_empty();
        self.has_only_static = false;
        self
    }

    /// With what is known of the function around a loop with this step.
    pub fn around(mut self, outer: Node<'t>, step: &Step) -> Self {
        self.own = self.fresh(outer, step);
        self.has_only_static = self.are_all_static(outer);
        self
    }

    /// What leads to none of its arrays in the function around its loop.
    pub fn own_of_host(&self) -> &Own {
        &self.own
    }

    /// The variables that lead to arrays, if all are named by nothing but variables.
    pub fn plain_bases(&self) -> Option<impl Iterator<Item = &str>> {
        let is_plain = self.wholes.is_empty() && self.pointers.is_empty();
        is_plain.then(|| self.bases.iter().map(String::as_str))
    }

    /// The text.
    pub fn unit(&self) -> &'p Unit<'s> {
        self.program.unit
    }

    /// The program's functions.
    pub fn program(&self) -> &'p Program<'p, 's, 't> {
        self.program
    }

    /// What the user vouches for of a function.
    pub fn vouched(&self, function: &str) -> Option<&'p Vouched> {
        self.vouched.iter().find(|it| it.function == function)
    }

    /// Whether code calls functions for which the user vouches.
    pub fn calls_vouched(&self, bodies: &[Node]) -> bool {
        bodies.iter().flat_map(|body| self.program.calls_in(*body)).any(|name| self.vouched(name).is_some())
    }

    /// Whether a name leads to one array of the nest, and not to several buffers.
    pub fn is_plain(&self, array: &str) -> bool {
        let named: Vec<_> = self.buffers.iter().filter(|(name, _)| name == array).collect();
        matches!(named.as_slice(), [(_, true)])
    }

    /// Whether an element is a pointer that each call brings, such as `buf[0]`.
    pub fn is_buffer(&self, element: Node<'t>) -> bool {
        let name = element.child_by_field_name("argument").map(strip_parentheses);
        let Some(name) = name.filter(|it| element.kind() == "subscript_expression" && it.kind() == "identifier") else {
            return false;
        };
        let text = self.program.text(element);
        let mut declared = self.elements.iter().filter(|(name, _)| name == text).map(|(_, declared_at)| *declared_at);
        let variable = || {
            let scope = self.scope_at(element);
            scope.variable(self.program.text(name)).map(|variable| variable.declared_at)
        };
        declared.next().is_some_and(|declared_at| variable() == Some(declared_at))
    }

    /// Whether a variable leads to arrays of the nest.
    pub fn leads_to_array(&self, name: &str) -> bool {
        self.bases.iter().chain(&self.wholes).chain(&self.scalars).any(|base| base == name)
    }

    /// Whether an expression is a scalar of which the memory is an array, or may be one that is a member of a structure.
    pub fn is_scalar(&self, node: Node) -> bool {
        let names = |all: &[String], name: Node| all.iter().any(|it| it == self.program.text(name));
        match node.child_by_field_name("field") {
            Some(field) => names(&self.members, field),
            None => node.kind() == "identifier" && names(&self.scalars, node),
        }
    }

    /// Whether an expression is a structure, or may be one, with a member of which the memory is an array.
    pub fn holds_scalar(&self, node: Node) -> bool {
        let name = node.child_by_field_name("field").unwrap_or(node);
        self.holders.iter().any(|it| it == self.program.text(name))
    }

    /// A function that code calls and that cannot be seen.
    pub fn unseen(&self, code: Node<'t>) -> Option<String> {
        let is_known = |name: &str| {
            self.program.definition(name).is_some()
                || self.vouched(name).is_some()
                || is_known_to_nests(name)
                || READING.contains(&name)
                || STORING.contains(&name)
                || is_harmless(name)
        };
        let bodies = self.bodies_of(code, usize::MAX)?.into_iter();
        bodies.flat_map(|body| self.program.calls_in(body)).find(|name| !is_known(name)).map(str::to_owned)
    }

    /// Whether code may end the program by `exit`.
    pub fn may_exit(&self, code: Node<'t>) -> bool {
        let bodies = self.bodies_of(code, usize::MAX).unwrap_or_default().into_iter();
        let mut called = bodies.flat_map(|body| self.program.calls_in(body));
        called.any(|name| is_exit(name) && !self.program.defines(name))
    }

    /// Whether the file takes the address of a variable of that name.
    pub fn takes_address(&self, name: &str) -> bool {
        self.program.unit.takes_address(self.root, name)
    }

    /// Whether anything takes the address of the variable that a value is of.
    pub fn takes_address_of(&self, value: &HostValue) -> bool {
        let Variable { name, declared_at, .. } = &value.variable;
        self.program.unit.takes_address_of(self.root, name, *declared_at)
    }

    /// Whether each step of the nest follows the pointers of a path of members.
    pub fn follows(&self, path: &str) -> bool {
        self.values.iter().any(|(value, _)| value == path)
    }

    /// Whether each step of the nest follows this pointer to a structure.
    pub fn follows_members_of(&self, pointer: &str) -> bool {
        self.values.iter().any(|(value, _)| value.strip_prefix(pointer).is_some_and(|rest| rest.starts_with("->")))
    }

    /// The type of an expression where it stands.
    pub fn type_at(&self, node: Node<'t>) -> Option<CType<'t>> {
        self.scope_at(node).type_of(self.unit(), node)
    }

    /// What names mean where a node stands.
    pub fn scope_at(&self, node: Node<'t>) -> Scope<'t> {
        self.program.scope_at(node)
    }

    /// Whether what has this type, or what it points to, may be a structure of which elements of the nest's arrays are members.
    pub fn may_be_record(&self, ty: Option<&CType<'t>>, scope: &Scope<'t>) -> bool {
        let structure = ty.and_then(|ty| scope.structure(ty.element().0));
        let is_known = |it: Structure| !self.records.is_empty() && !self.records.contains(&it.words(self.unit()));
        self.has_records && !structure.is_some_and(is_known)
    }

    /// Whether a number of this type in some memory may be an element of the nest's arrays.
    pub fn may_be_of_nest(&self, ty: ScalarType) -> bool {
        self.has_characters || self.element_types.contains(&ty.unsigned())
    }

    /// The type of a number that the nest is given, as it is written.
    pub fn type_of(&self, path: &str) -> Option<ScalarType> {
        self.values.iter().find(|(value, _)| value == path)?.1
    }

    /// A statement, and the bodies of all functions that it may call; `None` if they are too many.
    pub fn bodies_of(&self, statement: Node<'t>, most: usize) -> Option<Vec<Node<'t>>> {
        let bodies = self.program.bodies_of(vec![statement], |name| self.vouched(name).is_none());
        let bodies: Vec<_> = bodies.take(most.saturating_add(1)).collect();
        (bodies.len() <= most).then_some(bodies)
    }
}
