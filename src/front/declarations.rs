//! What each name means at a nest: types, constants and variables in scope before it.

use std::collections::HashMap;

use tree_sitter::Node;

use super::literals::{char_value, integer_literal};
use super::tree::{Unit, children, fields, strip_parentheses};
use super::types::{CType, base_type, declared};

/// What a name stands for.
#[derive(Clone, Debug)]
pub enum Symbol<'t> {
    /// A type name.
    Type(CType<'t>),
    /// An enumeration constant.
    Constant(i64),
    /// A variable or a parameter.
    Variable(Variable<'t>),
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable<'t> {
    /// Its declared type; parameters are decayed.
    pub ty: CType<'t>,
    /// Offset of its declarator in the preprocessed text.
    pub declared_at: usize,
    /// Whether it lives in static storage.
    pub is_static: bool,
    /// Whether its declaration says `volatile`.
    pub is_volatile: bool,
    /// Whether it is declared inside the nest.
    pub is_inside: bool,
    /// Its value if it is a constant integer with a constant initialiser.
    pub constant: Option<i64>,
    /// The initialiser of an integer.
    pub initialiser: Option<Node<'t>>,
}

/// The names visible at one place.
#[derive(Clone, Debug, Default)]
pub struct Scope<'t> {
    names: HashMap<String, Symbol<'t>>,
    hidden: Vec<(String, Option<Symbol<'t>>)>,
}

impl<'t> Scope<'t> {
    /// The names visible at a place within `ancestors`, innermost first.
    pub fn at(unit: &Unit, ancestors: &[Node<'t>], place: usize) -> Self {
        let mut scope = Self::default();
        let mut is_global = true;
        for ancestor in ancestors.iter().rev() {
            if ancestor.kind() == "function_definition" {
                is_global = false;
                scope.declare_parameters(unit, *ancestor);
                continue;
            }
            for child in children(*ancestor).into_iter().take_while(|child| child.end_byte() <= place) {
                scope.declare(unit, child, is_global, false);
            }
        }
        scope.hidden.clear();
        scope
    }

    /// What `name` stands for.
    pub fn get(&self, name: &str) -> Option<&Symbol<'t>> {
        self.names.get(name)
    }

    /// The variable `name`.
    pub fn variable(&self, name: &str) -> Option<&Variable<'t>> {
        match self.get(name) {
            Some(Symbol::Variable(variable)) => Some(variable),
            _ => None,
        }
    }

    /// A mark to which [`Scope::leave`] goes back.
    pub fn enter(&self) -> usize {
        self.hidden.len()
    }

    /// Forgets what was declared since `mark` and returns those names.
    pub fn leave(&mut self, mark: usize) -> Vec<String> {
        let mut left = Vec::new();
        while self.hidden.len() > mark {
            if let Some((name, before)) = self.hidden.pop() {
                match before {
                    Some(symbol) => self.names.insert(name.clone(), symbol),
                    None => self.names.remove(&name),
                };
                left.push(name);
            }
        }
        left
    }

    fn insert(&mut self, name: String, symbol: Symbol<'t>) {
        let before = self.names.insert(name.clone(), symbol);
        self.hidden.push((name, before));
    }

    fn declare_parameters(&mut self, unit: &Unit, function: Node<'t>) {
        let Some(mut declarator) = function.child_by_field_name("declarator") else { return };
        while declarator.kind() != "function_declarator" {
            let Some(inner) = declarator.child_by_field_name("declarator") else { return };
            declarator = inner;
        }
        let Some(list) = declarator.child_by_field_name("parameters") else { return };
        for parameter in children(list) {
            let Some(name) = parameter.child_by_field_name("declarator") else { continue };
            let base = base_type(unit, self, parameter);
            let (name, ty) = declared(unit, name, base);
            let variable = Variable {
                ty: ty.decayed(),
                declared_at: parameter.start_byte(),
                is_static: false,
                is_volatile: has_word(unit, parameter, "type_qualifier", "volatile"),
                is_inside: false,
                constant: None,
                initialiser: None,
            };
            self.insert(name, Symbol::Variable(variable));
        }
    }

    /// Declares what `node` declares, if it is a declaration.
    pub fn declare(&mut self, unit: &Unit, node: Node<'t>, is_global: bool, is_inside: bool) {
        match node.kind() {
            "declaration" => self.declare_variables(unit, node, is_global, is_inside),
            "type_definition" => {
                self.declare_enumerators(unit, node);
                let base = base_type(unit, self, node);
                for declarator in fields(node, "declarator") {
                    let (name, ty) = declared(unit, declarator, base.clone());
                    self.insert(name, Symbol::Type(ty));
                }
            }
            "enum_specifier" => self.declare_enumeration(unit, node),
            _ => {}
        }
    }

    fn declare_variables(&mut self, unit: &Unit, node: Node<'t>, is_global: bool, is_inside: bool) {
        self.declare_enumerators(unit, node);
        let base = base_type(unit, self, node);
        let is_const = has_word(unit, node, "type_qualifier", "const");
        let is_static = is_global
            || has_word(unit, node, "storage_class_specifier", "static")
            || has_word(unit, node, "storage_class_specifier", "extern");
        for declarator in fields(node, "declarator") {
            let (name, ty) = declared(unit, declarator, base.clone());
            let is_integer = matches!(&ty, CType::Scalar(ty) if ty.is_integer());
            let initialiser = declarator.child_by_field_name("value").filter(|_| is_integer);
            let variable = Variable {
                ty,
                declared_at: declarator.start_byte(),
                is_static,
                is_volatile: has_word(unit, node, "type_qualifier", "volatile"),
                is_inside,
                constant: initialiser.filter(|_| is_const).and_then(|value| self.constant(unit, value)),
                initialiser,
            };
            self.insert(name, Symbol::Variable(variable));
        }
    }

    fn declare_enumerators(&mut self, unit: &Unit, node: Node<'t>) {
        if let Some(specifier) = node.child_by_field_name("type").filter(|node| node.kind() == "enum_specifier") {
            self.declare_enumeration(unit, specifier);
        }
    }

    fn declare_enumeration(&mut self, unit: &Unit, specifier: Node<'t>) {
        let Some(body) = specifier.child_by_field_name("body") else { return };
        let mut next = Some(0);
        for enumerator in children(body) {
            let Some(name) = enumerator.child_by_field_name("name") else { continue };
            if let Some(value) = enumerator.child_by_field_name("value") {
                next = self.constant(unit, value);
            }
            let Some(value) = next else { continue };
            self.insert(unit.text(name).to_owned(), Symbol::Constant(value));
            next = value.checked_add(1);
        }
    }

    /// The value of an integer constant expression.
    pub fn constant(&self, unit: &Unit, node: Node<'t>) -> Option<i64> {
        let node = strip_parentheses(node);
        let field = |name| node.child_by_field_name(name).and_then(|operand| self.constant(unit, operand));
        match node.kind() {
            "number_literal" => integer_literal(unit.text(node)).map(|(value, _)| value),
            "char_literal" => char_value(unit.text(node)),
            "identifier" => match self.get(unit.text(node))? {
                Symbol::Constant(value) => Some(*value),
                Symbol::Variable(variable) => variable.constant,
                Symbol::Type(_) => None,
            },
            "unary_expression" => {
                let value = field("argument")?;
                match unit.text(node.child_by_field_name("operator")?) {
                    "-" => value.checked_neg(),
                    "+" => Some(value),
                    "~" => Some(!value),
                    _ => Some(i64::from(value == 0)),
                }
            }
            "binary_expression" => {
                let (left, right) = (field("left")?, field("right")?);
                match unit.text(node.child_by_field_name("operator")?) {
                    "+" => left.checked_add(right),
                    "-" => left.checked_sub(right),
                    "*" => left.checked_mul(right),
                    "/" => left.checked_div(right),
                    "%" => left.checked_rem(right),
                    "<<" => left.checked_shl(u32::try_from(right).ok()?),
                    ">>" => left.checked_shr(u32::try_from(right).ok()?),
                    "&" => Some(left & right),
                    "|" => Some(left | right),
                    "^" => Some(left ^ right),
                    _ => None,
                }
            }
            "conditional_expression" => {
                if field("condition")? != 0 {
                    field("consequence")
                } else {
                    field("alternative")
                }
            }
            _ => None,
        }
    }
}

/// Whether `node` has a child of `kind` that reads `word`.
pub fn has_word(unit: &Unit, node: Node, kind: &str, word: &str) -> bool {
    children(node).iter().any(|child| child.kind() == kind && unit.text(*child) == word)
}
