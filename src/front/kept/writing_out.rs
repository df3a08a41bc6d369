//! The text of a function in the place of its call: parameters become variables that get what is given to them, names that stand
//! around the call are kept apart, and what is returned takes the place of the call in its statement.
//!
//! It is made twice: of the user's text, and of what the preprocessor has made of that. Whoever puts the former into the file sees
//! whether the preprocessor makes the latter of it: macros that hide names, or mean something else there, are so found.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;

use super::given_pointers::leaves_pointers;
use crate::front::declarations::{Scope, has_word};
use crate::front::tree::{
    Unit, address_of, ancestors, assigned, children, declared_identifier, fields, named, nodes_in, parameter_list,
};
use crate::front::types::CType;
use crate::source::{Span, TokenKind, directive_words, lex, line_start};

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
    /// What the whole text should be behind the preprocessor.
    pub expected: String,
}

/// A call that may be written out.
pub struct CallToWriteOut<'t> {
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
}

/// Where a text is, and how it is laid out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    /// The user's, in lines.
    Lines,
    /// The user's, on one line.
    Line,
    /// The preprocessed one.
    Preprocessed,
}

/// Writes out one call.
pub struct Writing<'c, 'u, 's, 't> {
    unit: &'u Unit<'s>,
    call: &'c CallToWriteOut<'t>,
    /// Parameters that become variables, and what is given to them.
    bound: Vec<(Node<'t>, Node<'t>)>,
    /// New names.
    renamed: BTreeMap<String, String>,
    /// Where the function follows pointers in whose place it gets the names of what they lead to.
    followed: Vec<Node<'t>>,
    /// Whether nothing else mentions the function, which no other file can call.
    is_unused: bool,
}

impl<'c, 'u, 's, 't> Writing<'c, 'u, 's, 't> {
    /// Looks whether a call can be written out, with what is given in the place of parameters that are pointers, if that is as good.
    pub fn new(unit: &'u Unit<'s>, root: Node<'t>, call: &'c CallToWriteOut<'t>, puts_given: bool) -> Option<Self> {
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
        let mut writing = Self { unit, call, bound, renamed: BTreeMap::new(), followed: Vec::new(), is_unused };
        let name =
            |it: Node| it.child_by_field_name("declarator").and_then(declared_identifier).map(|it| unit.text(it));
        for (parameter, argument) in put {
            let own = name(parameter)?;
            if address_of(unit, argument).is_some() {
                writing.followed.extend(named(unit, call.body, own).filter_map(followed_by));
            }
            let given = address_of(unit, argument).unwrap_or(argument);
            writing.renamed.insert(own.to_owned(), unit.text(given).to_owned());
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
        let statement = self.call.statement;
        let (before, behind) = (&self.unit.text[..statement.start_byte()], &self.unit.text[statement.end_byte()..]);
        let expected = self.text(Level::Preprocessed)?;
        let braced = if self.call.is_alone { format!("{{ {expected} }}") } else { expected };
        let span = self.unit.span(statement);
        let of_user = &self.unit.source.bytes()[span.start..span.end];
        let ends = of_user.ends_with(b";") && !of_user.windows(2).any(|two| two == b"/*" || two == b"*/");
        ends.then_some(CallInPlace {
            statement: span,
            is_alone: self.call.is_alone,
            lines: self.text(Level::Lines)?,
            line: self.text(Level::Line)?,
            expected: format!("{before}{braced}{behind}"),
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
        let ty = self.piece(level, ty.byte_range(), false)?;
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
    fn piece(&self, level: Level, range: std::ops::Range<usize>, is_of_function: bool) -> Option<String> {
        let nothing = BTreeMap::new();
        let names = if is_of_function { &self.renamed } else { &nothing };
        let text = &self.unit.text[range.clone()];
        if text.trim().is_empty() {
            return Some(String::new());
        }
        let marks = if is_of_function { self.marks(level) } else { Marks::default() };
        if level == Level::Preprocessed {
            return copied(self.unit.text.as_bytes(), Span::new(range.start, range.end), (names, &marks), None);
        }
        let start = range.start + text.len() - text.trim_start().len();
        let span = self.unit.span_between(start, start + text.trim().len());
        let span = Span::new(span.start, span.end);
        let bytes = self.unit.source.bytes();
        let indent = self.indent();
        let lines = (level == Level::Lines && is_of_function).then(|| (self.own_indent(), indent.as_bytes()));
        copied(bytes, span, (names, &marks), lines)
    }

    /// The braces that statements get which have none, where all stands on one line: compilers warn of statements behind them there;
    /// and the stars that are left out.
    fn marks(&self, level: Level) -> Marks {
        let span = |node: Node| match level {
            Level::Preprocessed => Span::new(node.start_byte(), node.end_byte()),
            _ => self.unit.span(node),
        };
        let mut marks = Marks { gone: self.followed.iter().map(|it| span(*it).start).collect(), ..Marks::default() };
        if level == Level::Lines {
            return marks;
        }
        let fields = ["body", "consequence", "alternative"];
        let parts =
            nodes_in(self.call.body).flat_map(|node| fields.map(|field| node.child_by_field_name(field))).flatten();
        let part = |node: Node<'t>| if node.kind() == "else_clause" { node.named_child(0) } else { Some(node) };
        let is_bare = |node: &Node| node.kind().ends_with("_statement") && node.kind() != "compound_statement";
        for bare in parts.filter_map(part).filter(is_bare) {
            let span = span(bare);
            *marks.before.entry(span.start).or_default() += 1;
            *marks.behind.entry(span.end).or_default() += 1;
        }
        marks
    }

    /// The blanks before the function's first statement.
    fn own_indent(&self) -> &[u8] {
        let bytes = self.unit.source.bytes();
        let Some(first) = children(self.call.body).first().map(|it| self.unit.span(*it).start) else { return &[] };
        let line = line_start(bytes, first);
        if bytes[line..first].iter().all(u8::is_ascii_whitespace) { &bytes[line..first] } else { &[] }
    }
}

/// How many braces open before the tokens that begin at these offsets, and close behind those that end there, and which tokens are
/// left out.
#[derive(Default)]
struct Marks {
    before: BTreeMap<usize, usize>,
    behind: BTreeMap<usize, usize>,
    gone: BTreeSet<usize>,
}

/// Copies a piece of text with new names and marks, in lines, whose indentation is changed from the first to the second one, or on one line
/// without comments; `None` if it has directives that count.
fn copied(
    text: &[u8],
    range: Span,
    (names, marks): (&BTreeMap<String, String>, &Marks),
    lines: Option<(&[u8], &[u8])>,
) -> Option<String> {
    let mut copy = Vec::new();
    let (mut at, mut before): (usize, &[u8]) = (range.start, b"");
    for token in lex(text, range) {
        let word = &text[token.span.start..token.span.end];
        put_gap(&mut copy, &text[at..token.span.start], lines);
        at = token.span.end;
        copy.extend(b"{ ".repeat(marks.before.get(&token.span.start).copied().unwrap_or_default()));
        match token.kind {
            TokenKind::Directive if is_hint(text, token.span) => continue,
            _ if marks.gone.contains(&token.span.start) => {}
            TokenKind::Directive => return None,
            TokenKind::Comment if lines.is_some() => copy.extend(word),
            TokenKind::Comment => put_gap(&mut copy, b" ", None),
            TokenKind::Word if !matches!(before, b"." | b"->" | b"struct" | b"union" | b"enum") => {
                let new = names.get(std::str::from_utf8(word).ok()?);
                if new.is_some() && before == b"goto" {
                    return None;
                }
                copy.extend(new.map_or(word, |new| new.as_bytes()));
            }
            _ => copy.extend(word),
        }
        copy.extend(b" }".repeat(marks.behind.get(&token.span.end).copied().unwrap_or_default()));
        if token.kind != TokenKind::Comment {
            before = word;
        }
    }
    let ends_in_comment = lines.is_some()
        && copy.rsplit(|it| *it == b'\n').next().is_some_and(|it| it.windows(2).any(|two| two == b"//"));
    let copy = String::from_utf8(copy).ok()?;
    (!ends_in_comment).then(|| copy.trim().to_owned())
}

/// Puts what stands between two tokens: its lines, or one blank.
fn put_gap(copy: &mut Vec<u8>, gap: &[u8], lines: Option<(&[u8], &[u8])>) {
    match (gap.iter().rposition(|it| *it == b'\n'), lines) {
        (Some(last), Some((from, to))) => {
            while copy.last().is_some_and(|it| matches!(it, b' ' | b'\t')) {
                copy.pop();
            }
            let is_begun = copy.iter().any(|it| !it.is_ascii_whitespace());
            let breaks = gap.iter().filter(|it| **it == b'\n').count().min(2);
            copy.extend(std::iter::repeat_n(b'\n', if is_begun && copy.last() != Some(&b'\n') { breaks } else { 0 }));
            let blanks = &gap[last + 1..];
            copy.extend(to);
            copy.extend(blanks.strip_prefix(from).unwrap_or_default());
        }
        _ if !gap.is_empty() && copy.last().is_some_and(|it| !it.is_ascii_whitespace()) => copy.push(b' '),
        _ => {}
    }
}

/// Whether a directive says only how fast a loop may run.
fn is_hint(text: &[u8], directive: Span) -> bool {
    let words: Vec<&[u8]> = directive_words(text, directive).collect();
    matches!(
        words[..],
        [b"pragma", b"omp", b"parallel", b"for", ..]
            | [b"pragma", b"omp", b"simd", ..]
            | [b"pragma", b"acc" | b"ivdep" | b"unroll" | b"vector", ..]
            | [b"pragma", b"GCC", b"ivdep" | b"unroll", ..]
            | [b"pragma", b"clang", b"loop", ..]
    )
}

/// Whether the variable that is given to a parameter is as good as that: neither changes while the function runs, nothing there hides
/// it, and it has the parameter's name or is, where that may be, an array or a pointer. So is a variable whose address is given, if the
/// function only follows that.
fn is_as_good<'t>(
    unit: &Unit,
    root: Node<'t>,
    call: &CallToWriteOut<'t>,
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
    let is_only_followed = || named(unit, call.body, own_name).all(|it| followed_by(it).is_some());
    let is_safe = if address.is_some() { !is_array && is_only_followed() } else { is_array || is_plain() };
    let has_sizes = nodes_in(call.body).any(|it| it.kind() == "sizeof_expression");
    let is_kept = !(is_touched(unit, call.body, own_name) || is_array && has_sizes);
    let given = given.ty.clone().decayed();
    let given = if address.is_some() { CType::Pointer(Box::new(given)) } else { given };
    let own = own.ty.clone().decayed();
    let is_hidden = || {
        let in_block = names_in_block(unit, call);
        names_declared(unit, call.definition).contains(name) && !in_block.contains(name)
    };
    let is_put =
        address.is_none() && own_name == name || puts_given && matches!(own, CType::Pointer(..)) && !is_hidden();
    is_put && is_safe && is_kept && is_alike(&own, &given)
}

/// What follows the pointer that a name stands for, `*p`.
fn followed_by(name: Node) -> Option<Node> {
    name.parent().filter(|it| it.kind() == "pointer_expression" && it.child(0).is_some_and(|star| star.kind() == "*"))
}

/// Whether two types are the same but for lengths of rows, which C wants to be the same.
fn is_alike(one: &CType, other: &CType) -> bool {
    match (one, other) {
        (CType::Pointer(one), CType::Pointer(other)) | (CType::Array(one, _), CType::Array(other, _)) => {
            is_alike(one, other)
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

/// Whether a name stands in `node` for a variable that is assigned there, or whose address is taken.
fn is_touched(unit: &Unit, node: Node, name: &str) -> bool {
    named(unit, node, name).any(|it| {
        let mut around = it;
        while let Some(parent) = around.parent().filter(|it| it.kind() == "parenthesized_expression") {
            around = parent;
        }
        let parent = around.parent();
        let is_changed = parent.and_then(assigned).is_some_and(|place| place == around);
        is_changed || parent.is_some_and(|it| it.kind() == "pointer_expression" && unit.text(it).starts_with('&'))
    })
}
