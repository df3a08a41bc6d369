//! The text of a function in the place of its call: parameters become variables that get what is given to them, names that stand
//! around the call are kept apart, and what is returned takes the place of the call in its statement.
//!
//! It is made twice: of the user's text, and of what the preprocessor has made of that. Whoever puts the former into the file sees
//! whether the preprocessor makes the latter of it: macros that hide names, or mean something else there, are so found.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use tree_sitter::Node;

use super::copying::{Level, Marks, copied};
use super::given_pointers::leaves_pointers;
use super::meanings::{Lacking, text_of};
use super::names::is_touched;
use crate::front::declarations::{Scope, has_word};
use crate::front::tree::{
    Unit, address_of, ancestors, assigned, children, declared_identifier, fields, named, nodes_in, parameter_list,
};
use crate::front::types::CType;
use crate::source::{Span, TokenKind, lex, line_start};

/// A call that can be written out.
#[derive(Clone, Debug)]
pub struct CallInPlace {
    /// The statement with the call.
    pub statement: Span,
    /// Whether no braces are around it.
    pub is_alone: bool,
    /// What takes its place, on lines of its own, indented as the statement is.
    pub lines: String,
    /// The same on one line.
    pub line: String,
    /// The declarations that it needs, if there are any.
    pub declarations: Option<Declarations>,
    /// What the whole text should be behind the preprocessor.
    pub expected: String,
}

/// Declarations that a written-out call needs.
#[derive(Clone, Debug)]
pub struct Declarations {
    /// Where they have to stand: before the function with the call.
    pub place: Span,
    /// They, on lines of their own.
    pub lines: String,
    /// The same on one line.
    pub line: String,
}

/// A call that may be written out.
pub struct CallToWriteOut<'u, 't> {
    /// The statement.
    pub statement: Node<'t>,
    /// The call in it.
    pub call: Node<'t>,
    /// The definition of the function around it.
    pub caller: Node<'t>,
    /// That of the called function,
    pub definition: Node<'t>,
    /// its body,
    pub body: Node<'t>,
    /// and the `return` at its end.
    pub result: Option<Node<'t>>,
    /// Whether no braces are around the statement.
    pub is_alone: bool,
    /// What has to be declared before the function around it.
    pub lacking: Vec<Lacking<'u, 't>>,
}

/// What is put in of the function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Its text as somebody wrote it.
    Written,
    /// What the preprocessor makes of that.
    Preprocessed,
}

/// Writes out one call.
pub struct Writing<'c, 'u, 's, 't> {
    unit: &'u Unit<'s>,
    call: &'c CallToWriteOut<'u, 't>,
    /// Parameters that become variables, and what is given to them.
    bound: Vec<(Node<'t>, Node<'t>)>,
    /// New names.
    renamed: BTreeMap<String, String>,
    /// What is put in.
    form: Form,
    /// What stands in the place of tokens where the function gets the names of what pointers lead to in the place of these.
    replaced: Vec<(Node<'t>, String)>,
    /// Whether nothing else mentions the function, which no other file can call.
    is_unused: bool,
}

impl<'c, 'u, 's, 't> Writing<'c, 'u, 's, 't> {
    /// Looks whether a call can be written out in a form; `puts_given`: with what is given in the place of parameters that are pointers,
    /// if that is as good.
    pub fn new(
        unit: &'u Unit<'s>,
        root: Node<'t>,
        call: &'c CallToWriteOut<'u, 't>,
        (form, puts_given): (Form, bool),
    ) -> Option<Self> {
        let parameters = call.definition.child_by_field_name("declarator").and_then(parameter_list)?;
        let parameters: Vec<Node> =
            children(parameters).into_iter().filter(|it| unit.text(*it).trim() != "void").collect();
        let arguments = children(call.call.child_by_field_name("arguments")?);
        let has_effects =
            |node: Node| matches!(node.kind(), "call_expression" | "update_expression") || assigned(node).is_some();
        if parameters.len() != arguments.len() || arguments.iter().any(|it| nodes_in(*it).any(has_effects)) {
            return None;
        }
        let scope = |node: Node<'t>| Scope::at(unit, &ancestors(root, node), node.start_byte());
        let (inner, outer) = (scope(call.body.child(1)?), scope(call.statement));
        let is_same = |parameter: Node<'t>, argument: Node<'t>| {
            is_as_good(unit, root, call, (parameter, argument), (&inner, &outer), puts_given)
        };
        let (put, bound): (Vec<_>, Vec<_>) =
            parameters.into_iter().zip(arguments).partition(|(parameter, argument)| is_same(*parameter, *argument));
        let is_unused = is_called_once(unit, root, call.definition);
        let mut writing = Self { unit, call, bound, renamed: BTreeMap::new(), form, replaced: Vec::new(), is_unused };
        let name =
            |it: Node| it.child_by_field_name("declarator").and_then(declared_identifier).map(|it| unit.text(it));
        for (parameter, argument) in put {
            let own = name(parameter)?;
            let given = unit.text(address_of(unit, argument).unwrap_or(argument));
            if address_of(unit, argument).is_some() {
                writing.replaced.extend(named(unit, call.body, own).filter_map(|it| without_pointer(unit, it, given)));
            }
            writing.renamed.insert(own.to_owned(), given.to_owned());
        }
        writing.tell_apart(&scope(call.definition))?;
        Some(writing)
    }

    /// Gives new names to what the function declares where the caller has these names already.
    fn tell_apart(&mut self, of_file: &Scope<'t>) -> Option<()> {
        let (unit, call) = (self.unit, self.call);
        let around = words_of(unit, call.caller);
        let declared: BTreeSet<&str> = names_declared(unit, call.definition);
        let here = names_declared(unit, call.caller);
        let mut words = nodes_in(call.definition).filter(|it| matches!(it.kind(), "identifier" | "type_identifier"));
        let is_other = |it: Node| {
            let name = unit.text(it);
            let is_tag = it.parent().is_some_and(|parent| parent.kind().ends_with("_specifier"));
            if is_tag { defines_tag(unit, call.caller, name) } else { !declared.contains(name) && here.contains(name) }
        };
        if words.any(is_other) {
            return None;
        }
        let of_user = String::from_utf8_lossy(unit.source.bytes());
        // What blocks within it declare stays in these.
        for name in names_in_block(unit, call).into_iter().filter(|name| around.contains(*name)) {
            if self.renamed.contains_key(name) {
                continue;
            }
            if of_file.get(name).is_some() {
                return None;
            }
            let is_free = |new: &String| !unit.text.contains(new) && !of_user.contains(new);
            let new = (1..).map(|number| format!("{name}_{number}")).find(is_free)?;
            self.renamed.insert(name.to_owned(), new);
        }
        Some(())
    }

    /// The texts.
    pub fn written(&self) -> Option<CallInPlace> {
        let CallToWriteOut { statement, caller, is_alone, ref lacking, .. } = *self.call;
        let unit = self.unit;
        let (before, behind) = (&unit.text[..statement.start_byte()], &unit.text[statement.end_byte()..]);
        let (above, before) = before.split_at(caller.start_byte());
        let declared = |level| text_of(unit, lacking, level);
        let expected = self.text(Level::Preprocessed)?;
        let braced = if is_alone { format!("{{ {expected} }}") } else { expected };
        let span = unit.span(statement);
        let of_user = &unit.source.bytes()[span.start..span.end];
        let ends = of_user.ends_with(b";") && !of_user.windows(2).any(|two| two == b"/*" || two == b"*/");
        let place = unit.span(caller);
        let declarations = Declarations {
            place: place.at(place.start, place.start),
            lines: declared(Level::Lines)?.join("\n"),
            line: declared(Level::Line)?.join(" "),
        };
        let declared = declared(Level::Preprocessed)?.join(" ");
        ends.then_some(CallInPlace {
            statement: span,
            is_alone,
            lines: self.text(Level::Lines)?,
            line: self.text(Level::Line)?,
            declarations: (!declarations.lines.is_empty()).then_some(declarations),
            expected: format!("{above}{declared} {before}{braced}{behind}"),
        })
    }

    /// What stands in the place of the call.
    fn text(&self, level: Level) -> Option<String> {
        let CallToWriteOut { statement, call, body, result, definition, .. } = *self.call;
        let mut statements = Vec::new();
        for (parameter, argument) in &self.bound {
            let (declared, given) =
                (self.parameter(level, *parameter)?, self.piece(level, argument.byte_range(), false)?);
            statements.push(format!("{declared} = {given};"));
        }
        let end = result.map_or(body.end_byte() - 1, |result| result.start_byte());
        statements.push(self.piece(level, body.start_byte() + 1..end, true)?);
        let before = self.piece(level, statement.start_byte()..call.start_byte(), false)?;
        if !before.is_empty() {
            let (value, behind) =
                (self.value(level)?, self.piece(level, call.end_byte()..statement.end_byte(), false)?);
            statements.push(format!("{before} {value}{behind}"));
        }
        if self.is_unused {
            let name = definition.child_by_field_name("declarator").and_then(declared_identifier)?;
            statements.push(format!("(void){};", self.unit.text(name)));
        }
        statements.retain(|it| !it.is_empty());
        let gap = if level == Level::Lines { format!("\n{}", self.indent()) } else { " ".to_owned() };
        Some(statements.join(&gap))
    }

    /// A parameter as a variable.
    fn parameter(&self, level: Level, parameter: Node<'t>) -> Option<String> {
        let declarator = parameter.child_by_field_name("declarator")?;
        if declarator.kind() != "array_declarator" {
            return self.piece(level, parameter.byte_range(), true);
        }
        // The outermost array is a pointer.
        let mut outermost = declarator;
        while let Some(inner) = outermost.child_by_field_name("declarator").filter(|it| it.kind() == "array_declarator")
        {
            outermost = inner;
        }
        let name = outermost.child_by_field_name("declarator").filter(|it| it.kind() == "identifier")?;
        let ty = self.piece(level, parameter.start_byte()..name.start_byte(), true)?;
        let (name, rest) = (self.piece(level, name.byte_range(), true)?, outermost.end_byte()..declarator.end_byte());
        let rest = if rest.is_empty() { String::new() } else { self.piece(level, rest, true)? };
        Some(if rest.is_empty() { format!("{ty} *{name}") } else { format!("{ty} (*{name}){rest}") })
    }

    /// What the call gives, of the type that the function returns.
    fn value(&self, level: Level) -> Option<String> {
        let CallToWriteOut { definition, result, body, .. } = *self.call;
        let (value, ty) = (result?.named_child(0)?, definition.child_by_field_name("type")?);
        let declares = |it: &Node| {
            let is_of_type = it.kind() == "declaration"
                && it.child_by_field_name("type").map(|it| self.unit.text(it)) == Some(self.unit.text(ty));
            let is_it = |it: Node| {
                let name = it.child_by_field_name("declarator").unwrap_or(it);
                name.kind() == "identifier" && self.unit.text(name) == self.unit.text(value)
            };
            is_of_type && fields(*it, "declarator").into_iter().any(is_it)
        };
        let text = self.piece(level, value.byte_range(), true)?;
        if value.kind() == "identifier" && children(body).iter().any(declares) {
            return Some(text);
        }
        let ty = self.piece(level, ty.byte_range(), true)?;
        Some(format!("({ty})({text})"))
    }

    /// The blanks before the statement.
    fn indent(&self) -> String {
        let (bytes, start) = (self.unit.source.bytes(), self.unit.span(self.call.statement).start);
        let line = &bytes[line_start(bytes, start)..start];
        let blanks = line.iter().take_while(|it| it.is_ascii_whitespace()).count();
        String::from_utf8_lossy(&line[..blanks]).into_owned()
    }

    /// A piece of the text from one offset of the preprocessed text to another, with new names if it is the function's.
    fn piece(&self, level: Level, range: Range<usize>, is_of_function: bool) -> Option<String> {
        let nothing = BTreeMap::new();
        let names = if is_of_function { &self.renamed } else { &nothing };
        let text = &self.unit.text[range.clone()];
        if text.trim().is_empty() {
            return Some(String::new());
        }
        let marks = if is_of_function { self.marks(level)? } else { Marks::default() };
        if level == Level::Preprocessed {
            return copied(self.unit.text.as_bytes(), Span::new(range.start, range.end), (names, &marks), None);
        }
        let start = range.start + text.len() - text.trim_start().len();
        let range = start..start + text.trim().len();
        let (bytes, span) = if is_of_function { self.place(level, range)? } else { self.unit.written_at(range)? };
        let indent = self.indent();
        let lines = (level == Level::Lines && is_of_function).then(|| (self.own_indent(), indent.as_bytes()));
        copied(bytes, span, (names, &marks), lines)
    }

    /// The text of which pieces of the function are taken, and where in it that is which stands there in the unit's.
    fn place(&self, level: Level, range: Range<usize>) -> Option<(&[u8], Span)> {
        match (level, self.form) {
            (Level::Preprocessed, _) => Some((self.unit.text.as_bytes(), Span::new(range.start, range.end))),
            (_, Form::Preprocessed) => Some(self.unit.preprocessed_at(range)),
            (_, Form::Written) => self.unit.written_at(range),
        }
    }

    /// The braces that statements get which have none, where all stands on one line: compilers warn of statements behind them there;
    /// and the tokens in whose place others stand.
    fn marks(&self, level: Level) -> Option<Marks> {
        let span = |node: Node| self.place(level, node.byte_range()).map(|(_, span)| span);
        let replaced = self.replaced.iter().map(|(it, text)| Some((span(*it)?.start, text.clone())));
        let mut marks = Marks { replaced: replaced.collect::<Option<_>>()?, ..Marks::default() };
        if level == Level::Lines {
            return Some(marks);
        }
        let fields = ["body", "consequence", "alternative"];
        let parts =
            nodes_in(self.call.body).flat_map(|node| fields.map(|field| node.child_by_field_name(field))).flatten();
        let part = |node: Node<'t>| if node.kind() == "else_clause" { node.named_child(0) } else { Some(node) };
        let is_bare = |node: &Node| node.kind().ends_with("_statement") && node.kind() != "compound_statement";
        for bare in parts.filter_map(part).filter(is_bare) {
            let span = span(bare)?;
            *marks.before.entry(span.start).or_default() += 1;
            *marks.behind.entry(span.end).or_default() += 1;
        }
        Some(marks)
    }

    /// The blanks before the function's first statement.
    fn own_indent(&self) -> &[u8] {
        let first = children(self.call.body).first().copied();
        let Some((bytes, first)) = first.and_then(|it| self.place(Level::Lines, it.byte_range())) else { return &[] };
        let (line, first) = (line_start(bytes, first.start), first.start);
        if bytes[line..first].iter().all(u8::is_ascii_whitespace) { &bytes[line..first] } else { &[] }
    }
}

/// Whether the variable that is given to a parameter is as good as that: neither changes while the function runs, nothing there hides
/// it, and it has the parameter's name or is, where that may be, an array or a pointer. So is a variable whose address is given, if the
/// function only follows that.
fn is_as_good<'t>(
    unit: &Unit,
    root: Node<'t>,
    call: &CallToWriteOut<'_, 't>,
    (parameter, argument): (Node<'t>, Node<'t>),
    (inner, outer): (&Scope<'t>, &Scope<'t>),
    puts_given: bool,
) -> bool {
    let declared = parameter.child_by_field_name("declarator").and_then(declared_identifier);
    let address = address_of(unit, argument);
    let Some(given) = address.or(Some(argument)).filter(|it| it.kind() == "identifier") else { return false };
    let Some(own_name) = declared.map(|it| unit.text(it)) else { return false };
    let name = unit.text(given);
    let (Some(own), Some(given)) = (inner.variable(own_name), outer.variable(name)) else { return false };
    let is_array = matches!(given.ty, CType::Array(..));
    let is_pointer = matches!(given.ty, CType::Pointer(..));
    let is_exposed = || unit.takes_address_of(root, name, given.declared_at);
    let is_left = || !is_exposed() || is_pointer && leaves_pointers(unit, root, call.body);
    let is_plain = || !given.is_static && !given.is_volatile && is_left();
    let is_only_followed = || named(unit, call.body, own_name).all(|it| without_pointer(unit, it, name).is_some());
    let is_safe = if address.is_some() { !is_array && is_only_followed() } else { is_array || is_plain() };
    let has_sizes = nodes_in(call.body).any(|it| it.kind() == "sizeof_expression");
    let is_kept = !(is_touched(unit, inner, call.body, own_name) || is_array && has_sizes);
    let given = given.ty.clone().decayed();
    let given = if address.is_some() { CType::Pointer(Box::new(given)) } else { given };
    let own = own.ty.clone().decayed();
    let is_hidden = || {
        let in_block = names_in_block(unit, call);
        names_declared(unit, call.definition).contains(name) && !in_block.contains(name)
    };
    let is_put =
        address.is_none() && own_name == name || puts_given && matches!(own, CType::Pointer(..)) && !is_hidden();
    is_put && is_safe && is_kept && is_alike(unit, &own, &given)
}

/// The token in whose place another stands where a pointer gives way to the name of what it leads to: `s` for `*p`, `s.n` for `p->n`,
/// `f(&s)` for `f(p)`.
fn without_pointer<'t>(unit: &Unit, pointer: Node<'t>, name: &str) -> Option<(Node<'t>, String)> {
    let around = pointer.parent()?;
    let is = |token: &Node, text: &str| unit.text(*token) == text;
    match around.kind() {
        "pointer_expression" => around.child(0).filter(|star| is(star, "*")).map(|star| (star, String::new())),
        "field_expression" => {
            let arrow = around.child_by_field_name("operator").filter(|arrow| is(arrow, "->"));
            arrow.map(|arrow| (arrow, ".".to_owned()))
        }
        "argument_list" => Some((pointer, format!("&{name}"))),
        _ => None,
    }
}

/// Whether two types are the same but for lengths of rows, which C wants to be the same; structures are so described.
fn is_alike(unit: &Unit, one: &CType, other: &CType) -> bool {
    match (one, other) {
        (CType::Pointer(one), CType::Pointer(other)) | (CType::Array(one, _), CType::Array(other, _)) => {
            is_alike(unit, one, other)
        }
        (CType::Structure(one), CType::Structure(other)) => {
            unit.text(*one).split_whitespace().eq(unit.text(*other).split_whitespace())
        }
        (one, other) => one == other,
    }
}

/// Whether a function is of its file alone, and nothing there mentions it but one call.
pub fn is_called_once(unit: &Unit, root: Node, definition: Node) -> bool {
    let Some(name) = definition.child_by_field_name("declarator").and_then(declared_identifier) else { return false };
    let is_static = has_word(unit, definition, "storage_class_specifier", "static");
    let is_inline = has_word(unit, definition, "storage_class_specifier", "inline");
    let is_declared = |it: &Node| it.parent().is_some_and(|parent| parent.kind() == "function_declarator");
    is_static && !is_inline && named(unit, root, unit.text(name)).filter(|it| !is_declared(it)).count() == 1
}

/// The names of parameters and of variables of a function's outermost block.
fn names_in_block<'u>(unit: &'u Unit, call: &CallToWriteOut) -> BTreeSet<&'u str> {
    let parameters = call.definition.child_by_field_name("declarator").and_then(parameter_list).map(children);
    let declared = children(call.body).into_iter().filter(|it| it.kind() == "declaration");
    let declarators =
        parameters.unwrap_or_default().into_iter().chain(declared).flat_map(|it| fields(it, "declarator"));
    declarators.filter_map(declared_identifier).map(|it| &unit.text[it.byte_range()]).collect()
}

/// The names of variables, types and constants that a function declares, without tags.
fn names_declared<'u>(unit: &'u Unit, definition: Node) -> BTreeSet<&'u str> {
    let mut found = BTreeSet::new();
    for node in nodes_in(definition) {
        match node.kind() {
            "declaration" | "parameter_declaration" | "type_definition" => {
                let names = fields(node, "declarator").into_iter().filter_map(declared_identifier);
                found.extend(names.map(|it| &unit.text[it.byte_range()]));
            }
            "enumerator" => found.extend(node.child_by_field_name("name").map(|it| &unit.text[it.byte_range()])),
            _ => {}
        }
    }
    found
}

/// Whether a structure, a union or an enumeration of that name is defined in a function.
fn defines_tag(unit: &Unit, definition: Node, name: &str) -> bool {
    let is_it = |node: Node| {
        let tag = node.child_by_field_name("name").filter(|_| node.kind().ends_with("_specifier"));
        tag.is_some_and(|tag| unit.text(tag) == name && node.child_by_field_name("body").is_some())
    };
    nodes_in(definition).any(is_it)
}

/// All words in a function, before and behind the preprocessor.
fn words_of(unit: &Unit, definition: Node) -> BTreeSet<String> {
    let span = unit.span(definition);
    let of_user = (unit.source.bytes(), Span::new(span.start, span.end));
    let texts = [of_user, (unit.text.as_bytes(), Span::new(definition.start_byte(), definition.end_byte()))];
    let words = texts.into_iter().flat_map(|(text, range)| {
        lex(text, range)
            .filter(|token| token.kind == TokenKind::Word)
            .map(move |token| String::from_utf8_lossy(&text[token.span.start..token.span.end]).into_owned())
    });
    words.collect()
}
