//! Calls of the C library's functions, and how they are told from the program's own of the same name.

use tree_sitter::Node;

use super::Failable;
use super::classification::Class;
use super::expressions::Value;
use super::function_pointers::Callee;
use super::reader::Reader;
use super::symbols::{Symbol, Variable};
use super::tree::{Unit, children, parameter_list};
use super::types::{CType, base_type, declared};
use crate::ir::{BinaryOp, Expr, ExprKind, Function, Handle, NAN, ScalarType, UnaryOp};
use crate::source::{Diagnostic, Span};

/// Library functions that do not return.
const ENDING: [&str; 10] = [
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "abort",
    "__assert_fail",
    "__assert",
    "__builtin_abort",
    "__builtin_trap",
    "__builtin_unreachable",
];

/// Gives its first argument, as a `long`, which compilers take to be the second one.
const EXPECTATION: &str = "__builtin_expect";

/// Library functions that write text.
const MESSAGES: [&str; 5] = ["fprintf", "fputs", "fputc", "fwrite", "perror"];

impl<'t> Reader<'_, '_, 't> {
    /// A call whose value is used.
    pub fn call(&mut self, node: Node<'t>) -> Failable<Value<'t>> {
        let function = self.field(node, "function")?;
        match self.callee(function)? {
            Callee::Own(definition) => self.call_for_value(node, definition),
            Callee::Other(name) => self.library_call(node, self.text(name)).map(Value::Scalar),
        }
    }

    /// A call of a function of C's library.
    fn library_call(&mut self, node: Node<'t>, name: &str) -> Failable<Handle<Expr>> {
        let arguments = self.field(node, "arguments")?;
        if let Some(ty) = infinity(name) {
            return Ok(self.infinity(ty, node));
        }
        if let Some(ty) = not_a_number(name).filter(|_| self.text(arguments).replace(' ', "") == "(\"\")") {
            return Ok(self.expr(ty, ExprKind::Float(NAN.into()), self.span(node)));
        }
        if name == EXPECTATION {
            let [value, _] = children(arguments)[..] else { return self.refuse_call(node, name) };
            let value = self.scalar(value)?;
            return Ok(self.convert(value, ScalarType::I64));
        }
        if let Some(class) = Class::of(name) {
            let [argument] = children(arguments)[..] else { return self.refuse_call(node, name) };
            return self.is_of_class(argument, class);
        }
        let Some((function, ty)) = library_function(name) else {
            return self.refuse_call(node, name);
        };
        self.check_is_library(node, name)?;
        let arguments = children(arguments);
        if arguments.len() != function.arity() {
            let message = format!("`{name}` takes {} argument(s)", function.arity());
            return self.refuse(node, "syntax", message, "call it as math.h declares it");
        }
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let value = self.scalar(argument)?;
            values.push(self.convert(value, ty));
        }
        let span = self.span(node);
        if let (Function::Pow, [base, exponent]) = (function, values.as_slice())
            && let Some(exponent) = self.whole_number(*exponent)
            && let Some(power) = self.power(*base, exponent, span)
        {
            return Ok(power);
        }
        Ok(self.expr(ty, ExprKind::Call(function, values), span))
    }

    /// The powers that gcc and clang compute without the library, whatever the floating-point mode.
    fn power(&mut self, base: Handle<Expr>, exponent: i64, span: Span) -> Option<Handle<Expr>> {
        match exponent {
            -1 => {
                let one = self.one(self.ty(base), span);
                Some(self.binary(BinaryOp::Div, one, base, span))
            }
            0 => Some(self.one(self.ty(base), span)),
            1 => Some(base),
            2 => {
                let base = self.local("base", base, span);
                Some(self.binary(BinaryOp::Mul, base, base, span))
            }
            _ => None,
        }
    }

    /// The constant that `expr` is, if it is a whole number.
    fn whole_number(&self, expr: Handle<Expr>) -> Option<i64> {
        let value = match self.kind(expr) {
            ExprKind::Float(text) => text.parse::<f64>().ok()?,
            ExprKind::Convert(operand) if self.ty(expr).is_float() => return self.whole_number(*operand),
            ExprKind::Unary(UnaryOp::Negate, operand) => return self.whole_number(*operand)?.checked_neg(),
            _ => return self.constant(expr),
        };
        (value.fract() == 0.0 && value.abs() < 1e9).then_some(value as i64)
    }

    fn one(&mut self, ty: ScalarType, span: Span) -> Handle<Expr> {
        self.expr(ty, ExprKind::Float("1.0".into()), span)
    }

    /// One divided by zero, which every OpenCL compiler takes.
    fn infinity(&mut self, ty: ScalarType, node: Node<'t>) -> Handle<Expr> {
        let span = self.span(node);
        let one = self.one(ty, span);
        let zero = self.expr(ty, ExprKind::Float("0.0".into()), span);
        self.binary(BinaryOp::Div, one, zero, span)
    }

    /// Refuses the call `node` of a function that devices do not have.
    pub fn refuse_call<T>(&self, node: Node<'t>, name: &str) -> Failable<T> {
        let message = format!("the function `{name}` cannot be called in a nest");
        let error = Diagnostic::error("unknown-function", message, self.span(node));
        let is_own = !name.starts_with("__builtin_")
            && self.scope.variable(name).is_none_or(|variable| self.unit.is_own(variable.declared_at));
        let error = if is_own && self.scope.get(name).is_none() && self.defines(name) {
            error.with_help(format!("declare `{name}` above its first call: the file defines it only below"))
        } else if is_own {
            error.with_help("name the file that defines it, `--with FILE.c`, or put its definition into a header")
        } else {
            error.because("only the host can do this; of the libraries, nests know the functions of math.h and memcpy")
        };
        let is_alone = node.parent().is_some_and(|parent| parent.kind() == "expression_statement");
        let host = if self.is_once_a_step(node) {
            "let the host call it between the steps: mark the loops inside this loop, not this loop"
        } else if is_alone && self.loops.len() <= 1 {
            "call it before the nest if once is enough, or let the host call it: mark the loops behind it, not this loop"
        } else if is_alone {
            "call it in a loop of its own that is not marked"
        } else {
            "compute its values into an array, in a loop of its own that is not marked"
        };
        Err(Box::new(error.with_help(if is_own { format!("or {host}") } else { host.to_owned() })))
    }

    /// Refuses the call `node` if `name`, a function of C's library, stands for anything else here.
    pub fn check_is_library(&self, node: Node<'t>, name: &str) -> Failable<()> {
        if name.starts_with("__builtin_") {
            return Ok(());
        }
        let Some(symbol) = self.scope.get(name) else {
            let message =
                format!("`{name}` is not declared, so the compiler may take it for a function of another type");
            let help = "include the header that declares it: math.h, stdlib.h or string.h";
            return self.refuse(node, "unknown-function", message, help);
        };
        let is_library = matches!(symbol, Symbol::Variable(variable) if self.is_as_in_library(variable, name));
        if is_library && !self.defines(name) {
            return Ok(());
        }
        let message = format!(
            "`{name}` is the program's own here and not a function of C's library, so it cannot be called in a nest"
        );
        self.refuse(node, "unknown-function", message, "write its body in place or as a macro")
    }

    /// Whether the variable is a function declared with the type that C's library gives it.
    fn is_as_in_library(&self, variable: &Variable<'t>, name: &str) -> bool {
        let CType::Function(result) = &variable.ty else { return false };
        let is_result = match (result_type(name), &**result) {
            (Some(expected), found) => expected == *found,
            (None, CType::Pointer(_)) => true,
            (None, _) => false,
        };
        let is_system = !self.unit.is_own(variable.declared_at);
        is_result && (is_system || variable.declarator.is_some_and(|it| self.has_library_parameters(it, name)))
    }

    /// Whether the parameters are those of the library; `()` says nothing of them.
    fn has_library_parameters(&self, declarator: Node<'t>, name: &str) -> bool {
        let Some((function, ty)) = library_function(name) else { return false };
        let Some(list) = parameter_list(declarator) else { return false };
        let is_renamed = self.text(declarator).contains("asm");
        let of_library = |parameter: &Node<'t>| {
            let base = base_type(self.unit, &self.scope, *parameter);
            let found = match parameter.child_by_field_name("declarator") {
                Some(declarator) => declared(self.unit, declarator, base).1,
                None => base,
            };
            found == CType::Scalar(ty)
        };
        let parameters = children(list);
        let is_open = parameters.is_empty();
        !is_renamed && (is_open || parameters.len() == function.arity() && parameters.iter().all(of_library))
    }

    /// Whether the program defines a function of that name, anywhere in the file. Headers of the library define
    /// `extern inline` functions that do what the library does.
    pub fn defines(&self, name: &str) -> bool {
        self.file.defines(self.unit, name)
    }
}

/// The type of what C calls `INFINITY`, `HUGE_VAL` and `HUGE_VALF` expand to.
fn infinity(name: &str) -> Option<ScalarType> {
    match name {
        "__builtin_inf" | "__builtin_huge_val" => Some(ScalarType::F64),
        "__builtin_inff" | "__builtin_huge_valf" => Some(ScalarType::F32),
        _ => None,
    }
}

/// The type of what C calls `NAN` expands to, with an empty string for its argument.
fn not_a_number(name: &str) -> Option<ScalarType> {
    match name {
        "__builtin_nan" => Some(ScalarType::F64),
        "__builtin_nanf" => Some(ScalarType::F32),
        _ => None,
    }
}

/// Whether C's library has a function of that name that does not return.
pub fn is_ending(name: &str) -> bool {
    ENDING.contains(&name)
}

/// Whether a call writes on standard error, if it is the library's function of that name.
pub fn is_message(unit: &Unit, call: Node) -> bool {
    let text = |node: Node| &unit.text[node.byte_range()];
    let name = call.child_by_field_name("function").map_or("", text);
    let arguments = call.child_by_field_name("arguments").map(children).unwrap_or_default();
    MESSAGES.contains(&name) && (name == "perror" || arguments.into_iter().any(|it| text(it) == "stderr"))
}

/// Whether nests may call a function of the library, which then reaches no memory.
pub fn is_known_to_nests(name: &str) -> bool {
    result_type(name).is_some() || Class::of(name).is_some()
}

/// The type of a call of a mathematical function of C's library, or of a compiler's.
pub fn result_type<'t>(name: &str) -> Option<CType<'t>> {
    let expected = (name == EXPECTATION).then_some(ScalarType::I64);
    let ty = infinity(name).or(not_a_number(name)).or(expected).or_else(|| library_function(name).map(|(_, ty)| ty));
    ty.map(CType::Scalar)
}

/// The function that C calls `name`, and the type of its arguments and result.
fn library_function(name: &str) -> Option<(Function, ScalarType)> {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    match name {
        "abs" => return Some((Function::Abs, ScalarType::I32)),
        "labs" | "llabs" => return Some((Function::Abs, ScalarType::I64)),
        _ => {}
    }
    if let Some(function) = Function::from_name(name) {
        return Some((function, ScalarType::F64));
    }
    let function = Function::from_name(name.strip_suffix('f')?)?;
    (function != Function::Abs).then_some((function, ScalarType::F32))
}
