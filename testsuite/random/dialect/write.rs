//! Units → C.

use super::model::{Declared, Expr, For, Place, Shape, Start, Stmt, Unary, Unit, Variable};
use super::types::{Integer, Operator, Type};

/// Elements around an array of the caller that no nest may change.
const GUARD: &str = "GUARD";

/// The text of a unit: its declarations, the marked function, and `run_N`, which calls it and shows what memory holds.
pub fn write_unit(unit: &Unit, number: usize) -> String {
    let mut writer = Writer { unit, number, lines: Vec::new(), depth: 0 };
    writer.unit();
    writer.lines.join("\n") + "\n"
}

/// Variables that the text needs.
fn used_variables(unit: &Unit) -> Vec<bool> {
    let mut used: Vec<bool> = vec![false; unit.variables.len()];
    unit.hiding.iter().for_each(|variable| used[*variable] = true);
    let mut mark = |expr: &Expr| expr.variables().into_iter().for_each(|variable| used[variable] = true);
    super::visit::each_expr(&unit.body, &mut mark);
    super::visit::each_declared(&unit.body, &mut |variable| used[variable] = true);
    // What initialisers name is needed too, in any order.
    loop {
        let mut more = Vec::new();
        for declared in unit.variables.iter().zip(&used).filter(|(_, is_used)| **is_used).map(|(declared, _)| declared)
        {
            let sizes = match &declared.shape {
                Shape::Array(sizes) => sizes.as_slice(),
                _ => &[],
            };
            more.extend(declared.value.iter().chain(sizes).flat_map(Expr::variables));
        }
        if more.iter().all(|variable| used[*variable]) {
            return used;
        }
        more.into_iter().for_each(|variable| used[variable] = true);
    }
}

/// Precedence of what is no operator with two operands.
const COMMA: u8 = 0;
const ASSIGNMENT: u8 = 1;
const CONDITIONAL: u8 = 2;
const BINARY: u8 = 2;
const UNARY: u8 = 13;
const POSTFIX: u8 = 14;
const PRIMARY: u8 = 15;

struct Writer<'u> {
    unit: &'u Unit,
    number: usize,
    lines: Vec<String>,
    depth: usize,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        self.lines.push(format!("{}{text}", "    ".repeat(self.depth)));
    }

    fn name(&self, variable: Variable) -> String {
        self.unit.variables[variable].name.replace('#', &self.number.to_string())
    }

    fn unit(&mut self) {
        let used = used_variables(self.unit);
        let with_place = |place: Place| -> Vec<Variable> {
            let is_wanted = |variable: &Variable| self.unit.variables[*variable].place == place && used[*variable];
            (0..used.len()).filter(is_wanted).collect()
        };
        let [globals, stores, parameters, locals] =
            [Place::Global, Place::Caller, Place::Parameter, Place::Local].map(with_place);
        self.line(&format!("/* {}: {} */", self.number, self.unit.features.join(", ")));
        stores.iter().for_each(|variable| self.storage(*variable));
        globals.iter().for_each(|variable| self.global(*variable));
        self.helpers();
        self.head(&parameters);
        self.depth += 1;
        for variable in &locals {
            let text = self.declaration(*variable);
            self.line(&format!("{text};"));
        }
        locals.iter().for_each(|variable| self.fill(*variable));
        self.body(&self.unit.body);
        for variable in parameters.iter().chain(&locals) {
            self.show(*variable);
        }
        self.depth -= 1;
        self.line("}");
        self.caller(&stores, &globals, &parameters);
    }

    fn storage(&mut self, variable: Variable) {
        let Shape::Array(sizes) = &self.unit.variables[variable].shape else { return };
        let ty = self.unit.variables[variable].ty.name;
        let size = self.expr(&sizes[0], PRIMARY);
        self.line(&format!("static {ty} {}[{GUARD} + {size} + {GUARD}];", self.name(variable)));
    }

    fn global(&mut self, variable: Variable) {
        let text = self.declaration(variable);
        let is_enumerator = self.unit.variables[variable].qualifier == "enum";
        self.line(&format!("{}{text};", if is_enumerator { "" } else { "static " }));
    }

    fn helpers(&mut self) {
        let mut called: Vec<usize> = Vec::new();
        super::visit::each_expr(&self.unit.body, &mut |expr| called.extend(expr.functions()));
        let of_inner = self.unit.variables.iter().filter_map(|declared| declared.value.as_ref());
        called.extend(of_inner.flat_map(Expr::functions));
        let helpers = self.unit.functions.iter().enumerate().filter(|(index, _)| called.contains(index));
        for (_, helper) in helpers {
            let parameter = helper.parameter.map_or("void".to_string(), |parameter| self.declaration(parameter));
            let name = helper.name.replace('#', &self.number.to_string());
            let value = self.expr(&helper.value, COMMA);
            self.line(&format!("static {} {name}({parameter})", helper.ty.name));
            self.line("{");
            self.line(&format!("    return {value};"));
            self.line("}");
        }
    }

    fn head(&mut self, parameters: &[Variable]) {
        let name = format!("unit_{}", self.number);
        let declarations: Vec<String> = parameters.iter().map(|variable| self.declarator(*variable)).collect();
        if self.unit.is_old_style && !parameters.is_empty() {
            let names: Vec<String> = parameters.iter().map(|variable| self.name(*variable)).collect();
            self.line(&format!("static void {name}({})", names.join(", ")));
            declarations.iter().for_each(|declaration| self.line(&format!("    {declaration};")));
        } else {
            let list = if declarations.is_empty() { "void".to_string() } else { declarations.join(", ") };
            self.line(&format!("static void {name}({list})"));
        }
        self.line("{");
    }

    /// `const double (*p)[7]`
    fn declarator(&self, variable: Variable) -> String {
        let declared = &self.unit.variables[variable];
        let name = self.name(variable);
        let declarator = match &declared.shape {
            Shape::Scalar => name,
            Shape::Function(_) => format!("(*{name})(double)"),
            Shape::Pointer(rows) if rows.is_empty() => format!("*{}{name}", self.pointer_qualifier(declared)),
            Shape::Pointer(rows) => format!("(*{}{name}){}", self.pointer_qualifier(declared), brackets(rows)),
            Shape::Array(sizes) => {
                let sizes: String = sizes.iter().map(|size| format!("[{}]", self.expr(size, COMMA))).collect();
                format!("{name}{sizes}")
            }
        };
        let is_pointer = matches!(declared.shape, Shape::Pointer(_));
        match declared.qualifier {
            "const elements" => format!("const {} {declarator}", declared.ty.name),
            "" | "restrict" => format!("{} {declarator}", declared.ty.name),
            _ if is_pointer && declared.qualifier == "const" => format!("{} {declarator}", declared.ty.name),
            qualifier => format!("{qualifier} {} {declarator}", declared.ty.name),
        }
    }

    /// Qualifiers of pointers are those of the pointer itself.
    fn pointer_qualifier(&self, declared: &Declared) -> &'static str {
        match declared.qualifier {
            "restrict" => "restrict ",
            "const" => "const ",
            _ => "",
        }
    }

    /// With the initialiser, but without `static` and the semicolon.
    fn declaration(&self, variable: Variable) -> String {
        let declared = &self.unit.variables[variable];
        let value = declared.value.as_ref().map(|value| self.expr(value, ASSIGNMENT));
        match (&declared.shape, value) {
            (Shape::Function(function), _) => {
                let target = self.unit.functions[*function].name.replace('#', &self.number.to_string());
                format!("{} = {target}", self.declarator(variable))
            }
            (_, Some(value)) if declared.qualifier == "enum" => format!("enum {{ {} = {value} }}", self.name(variable)),
            (_, Some(value)) if declared.place != Place::Parameter => {
                format!("{} = {value}", self.declarator(variable))
            }
            _ => self.declarator(variable),
        }
    }

    fn fill(&mut self, variable: Variable) {
        let name = self.name(variable);
        let ty = self.unit.variables[variable].ty;
        if let Shape::Array(_) = self.unit.variables[variable].shape {
            self.fill_cells(variable, &name, &format!("sizeof {name} / sizeof({})", ty.name));
        }
    }

    fn fill_cells(&mut self, variable: Variable, array: &str, count: &str) {
        let ty = self.unit.variables[variable].ty;
        if ty.ty == Type::Int(Integer::BOOL) {
            self.line(&format!("FILL_BOOL({array}, {count}, {variable});"));
        } else {
            self.line(&format!("FILL({}, {}, {array}, {count}, {variable});", ty.name, cell_kind(ty.ty)));
        }
    }

    fn body(&mut self, body: &[Stmt]) {
        for stmt in body {
            self.stmt(stmt);
        }
    }

    fn block(&mut self, head: &str, body: &[Stmt]) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        self.body(body);
        self.depth -= 1;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Declare(variable) => {
                let text = self.declaration(*variable);
                self.line(&format!("{text};"));
            }
            Stmt::Do(expr) => {
                let text = self.expr(expr, COMMA);
                self.line(&format!("{text};"));
            }
            Stmt::Void(expr) => {
                let text = self.expr(expr, COMMA);
                self.line(&format!("(void)({text});"));
            }
            Stmt::For(header) => self.write_for(header),
            Stmt::Nest(header) => {
                let extents: Vec<String> =
                    self.unit.clauses.iter().map(|&(variable, count)| self.extent(variable, count)).collect();
                let clause =
                    if extents.is_empty() { String::new() } else { format!(" extent({})", extents.join(", ")) };
                self.lines.push(format!("#pragma stencil{clause}"));
                self.write_for(header);
            }
            Stmt::If(condition, then, otherwise) => {
                let condition = self.expr(condition, COMMA);
                self.block(&format!("if ({condition})"), then);
                if !otherwise.is_empty() {
                    self.block("} else", otherwise);
                }
                self.line("}");
            }
            Stmt::While(condition, body) => {
                let condition = self.expr(condition, COMMA);
                self.block(&format!("while ({condition})"), body);
                self.line("}");
            }
            Stmt::DoWhile(body, condition) => {
                self.block("do", body);
                let condition = self.expr(condition, COMMA);
                self.line(&format!("}} while ({condition});"));
            }
            Stmt::Switch(value, cases) => self.switch(value, cases),
            Stmt::Break => self.line("break;"),
            Stmt::Continue => self.line("continue;"),
            Stmt::Goto(label) => self.line(&format!("goto label_{label};")),
            Stmt::Label(label) => self.line(&format!("label_{label}:;")),
            Stmt::Return => self.line("return;"),
        }
    }

    fn write_for(&mut self, header: &For) {
        let start = match &header.start {
            Start::Declare(variable) => self.declaration(*variable),
            Start::Do(expr) => self.expr(expr, COMMA),
        };
        let condition = self.expr(&header.condition, COMMA);
        let step = self.expr(&header.step, COMMA);
        self.block(&format!("for ({start}; {condition}; {step})"), &header.body);
        self.line("}");
    }

    fn switch(&mut self, value: &Expr, cases: &[(Option<i64>, Vec<Stmt>)]) {
        let value = self.expr(value, COMMA);
        self.line(&format!("switch ({value}) {{"));
        for (label, body) in cases {
            self.line(&label.map_or("default:;".to_string(), |label| format!("case {label}:;")));
            self.depth += 1;
            self.body(body);
            self.depth -= 1;
            if !matches!(body.last(), Some(Stmt::Break)) {
                self.line("/* fall through */");
            }
        }
        self.line("}");
    }

    fn show(&mut self, variable: Variable) {
        let declared = &self.unit.variables[variable];
        if !declared.is_shown() {
            return;
        }
        let (name, ty) = (self.name(variable), declared.ty);
        let kind = if ty.ty.is_real() { "REAL" } else { "INT" };
        let cells = cell_kind(ty.ty);
        match (&declared.shape, declared.place) {
            (Shape::Scalar, _) => self.line(&format!("SHOW_{kind}({name});")),
            (Shape::Array(sizes), Place::Caller) => {
                let count = self.expr(&sizes[0], PRIMARY);
                self.line(&format!("SHOW({}, {cells}, {name}, {GUARD} + {count} + {GUARD});", ty.name));
            }
            (Shape::Array(_), _) => {
                let count = format!("sizeof {name} / sizeof({})", ty.name);
                self.line(&format!("SHOW({}, {cells}, {name}, {count});", ty.name));
            }
            (Shape::Pointer(_), _) => self.show_pointer(variable),
            (Shape::Function(_), _) => {}
        }
    }

    /// `a[0:20]`, in every second unit with a macro.
    fn extent(&mut self, variable: Variable, count: i64) -> String {
        let name = self.name(variable);
        if !self.unit.seed.is_multiple_of(2) {
            return format!("{name}[0:{count}]");
        }
        let size = format!("SIZE_{}_{variable}", self.number);
        self.lines.push(format!("#define {size} {count}"));
        format!("{name}[0:{size}]")
    }

    /// As the distance from each array of the unit that it may point into.
    fn show_pointer(&mut self, variable: Variable) {
        let used = used_variables(self.unit);
        let pointer = self.name(variable);
        let is_local = |place: Place| matches!(place, Place::Local | Place::Parameter);
        let from_local = is_local(self.unit.variables[variable].place);
        self.line(&format!("printf(\"{pointer}:\");"));
        for (target, declared) in self.unit.variables.iter().enumerate() {
            let is_target = match declared.shape {
                Shape::Array(_) => true,
                Shape::Scalar => declared.place == Place::Local && declared.qualifier.is_empty(),
                _ => false,
            };
            let is_visible = declared.place != Place::Inner && (from_local || !is_local(declared.place));
            if is_target && is_visible && used[target] && declared.place != Place::Parameter {
                self.line(&format!("SHOW_WITHIN({pointer}, {});", self.name(target)));
            }
        }
        self.line("printf(\"\\n\");");
    }

    fn caller(&mut self, stores: &[Variable], globals: &[Variable], parameters: &[Variable]) {
        self.line(&format!("static void run_{}(void)", self.number));
        self.line("{");
        self.depth += 1;
        for variable in stores {
            let declared = &self.unit.variables[*variable];
            let Shape::Array(sizes) = &declared.shape else { continue };
            let (name, size) = (self.name(*variable), self.expr(&sizes[0], PRIMARY));
            self.fill_cells(*variable, &format!("{name} + {GUARD}"), &size);
        }
        for variable in globals {
            self.fill(*variable);
        }
        let arguments: Vec<String> = parameters.iter().map(|variable| self.argument(*variable)).collect();
        self.line(&format!("unit_{}({});", self.number, arguments.join(", ")));
        for variable in stores.iter().chain(globals) {
            self.show(*variable);
        }
        self.depth -= 1;
        self.line("}");
    }

    /// Cast to the parameter's type, which definitions of the old style need.
    fn argument(&self, variable: Variable) -> String {
        let declared = &self.unit.variables[variable];
        let value = declared.value.as_ref().map_or("0".to_string(), |value| self.expr(value, UNARY));
        match &declared.shape {
            Shape::Pointer(rows) if rows.is_empty() => value,
            Shape::Pointer(rows) => format!("({} (*){})({value})", declared.ty.name, brackets(rows)),
            _ => format!("({}){value}", declared.ty.name),
        }
    }

    /// The text of an expression, in parentheses if it binds less tightly than `least`.
    fn expr(&self, expr: &Expr, least: u8) -> String {
        let (text, precedence) = self.bare(expr);
        if precedence < least { format!("({text})") } else { text }
    }

    fn bare(&self, expr: &Expr) -> (String, u8) {
        match expr {
            Expr::Int(_, _, text) | Expr::Real(_, _, text) => (text.clone(), PRIMARY),
            Expr::Var(variable) => {
                let name = self.name(*variable);
                let is_store = self.unit.variables[*variable].place == Place::Caller;
                if is_store { (format!("{name} + {GUARD}"), BINARY + 9) } else { (name, PRIMARY) }
            }
            Expr::Index(variable, subscripts) => {
                let subscripts: String = subscripts.iter().map(|x| format!("[{}]", self.expr(x, COMMA))).collect();
                (format!("{}{subscripts}", self.name(*variable)), POSTFIX)
            }
            Expr::Address(x) => (format!("&{}", self.expr(x, UNARY)), UNARY),
            Expr::Unary(operator, x) => {
                let sign = match operator {
                    Unary::Plus => "+",
                    Unary::Minus => "-",
                    Unary::Not => "!",
                    Unary::Complement => "~",
                };
                // `- -x` is no decrement.
                (format!("{sign}{}", self.expr(x, POSTFIX)), UNARY)
            }
            Expr::Binary(operator, x, y) => self.binary(*operator, x, y),
            Expr::Conditional(condition, x, y) => {
                let [condition, x, y] = [condition, x, y].map(|part| self.expr(part, BINARY + 1));
                (format!("{condition} ? {x} : {y}"), CONDITIONAL)
            }
            Expr::Cast(named, x) => (format!("({}){}", named.name, self.expr(x, UNARY)), UNARY),
            Expr::Untyped(x) => (format!("(void *){}", self.expr(x, UNARY)), UNARY),
            Expr::SizeofType(named) => (format!("sizeof({})", named.name), UNARY),
            Expr::SizeofValue(x) => {
                let text = self.expr(x, COMMA);
                let is_plain = matches!(**x, Expr::Var(_) | Expr::Index(..));
                (if is_plain { format!("sizeof {text}") } else { format!("sizeof({text})") }, UNARY)
            }
            Expr::Assign(operator, target, value) => {
                let operator = operator.map_or("", Operator::text);
                let (target, value) = (self.expr(target, UNARY), self.expr(value, ASSIGNMENT));
                (format!("{target} {operator}= {value}"), ASSIGNMENT)
            }
            Expr::Step { target, is_up, is_prefix } => {
                let sign = if *is_up { "++" } else { "--" };
                let target = self.expr(target, POSTFIX);
                if *is_prefix { (format!("{sign}{target}"), UNARY) } else { (format!("{target}{sign}"), POSTFIX) }
            }
            Expr::Comma(x, y) => (format!("{}, {}", self.expr(x, ASSIGNMENT), self.expr(y, ASSIGNMENT)), COMMA),
            Expr::CallThrough(pointer, _, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|x| self.expr(x, ASSIGNMENT)).collect();
                (format!("{}({})", self.name(*pointer), arguments.join(", ")), POSTFIX)
            }
            Expr::Call(function, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|x| self.expr(x, ASSIGNMENT)).collect();
                let name = self.unit.functions[*function].name.replace('#', &self.number.to_string());
                (format!("{name}({})", arguments.join(", ")), POSTFIX)
            }
        }
    }

    /// With the parentheses that compilers' warnings ask for.
    fn binary(&self, operator: Operator, x: &Expr, y: &Expr) -> (String, u8) {
        let own = BINARY + operator.precedence();
        let is_arithmetic = matches!(operator.precedence(), 9 | 10);
        let inner = |part: &Expr, is_right: bool| {
            let Expr::Binary(other, ..) = part else { return own };
            let needs_none = other.precedence() >= 9 && (is_arithmetic || operator.is_comparison())
                || operator.is_logical() && (other.is_comparison() || *other == operator && !is_right);
            if needs_none { own + u8::from(is_right) } else { UNARY }
        };
        let (left, right) = (self.operand(x, inner(x, false)), self.operand(y, inner(y, true)));
        (format!("{left} {} {right}", operator.text()), own)
    }

    /// As [`expr`](Self::expr); a third of the units have names, elements and calls in parentheses, as macros give them.
    fn operand(&self, expr: &Expr, least: u8) -> String {
        let is_macro_like =
            self.unit.seed.is_multiple_of(3) && matches!(expr, Expr::Var(_) | Expr::Index(..) | Expr::Call(..));
        if is_macro_like { format!("({})", self.expr(expr, COMMA)) } else { self.expr(expr, least) }
    }
}

/// How the prelude's functions read elements of this type.
fn cell_kind(ty: Type) -> &'static str {
    match ty {
        Type::Int(integer) if integer.is_signed => "SIGNED_CELL",
        Type::Int(_) => "UNSIGNED_CELL",
        _ => "REAL_CELL",
    }
}

fn brackets(sizes: &[usize]) -> String {
    sizes.iter().map(|size| format!("[{size}]")).collect()
}
