//! The state of reading one nest by symbolic execution of its statements.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use tree_sitter::Node;

use super::Failable;
use super::control_flow::ControlFlow;
use super::counters::Counter;
use super::coverage::Partly;
use super::declarations::Scope;
use super::digits::Counting;
use super::exits::{Exit, Jump};
use super::file_tree::FileTree;
use super::folds::Drafts;
use super::frames::{Frame, Functions};
use super::function_pointers::Callee;
use super::kept::insertion::END;
use super::left::Lost;
use super::limits::Facts;
use super::local_pointers::LocalPointer;
use super::numbers::Constant;
use super::rotation::Move;
use super::rules::Rules;
use super::runs::Run;
use super::stores::Stored;
use super::strips::Strip;
use super::symbols::Variable;
use super::trails::{Trailed, Trails};
use super::tree::{Unit, ancestors};
use super::types::CType;
use crate::ir::{Access, Array, Expr, ExprKind, Handle, HostValue, Loop, Nest, Param, Replay, ScalarType};
use crate::source::{Diagnostic, Span};

/// Elements of a table, by their subscripts.
pub type Elements = Rc<BTreeMap<Vec<usize>, Constant>>;

/// A nest under construction.
pub struct Reader<'u, 's, 't> {
    /// The text and its tree's way back to the original file.
    pub unit: &'u Unit<'s>,
    /// Its tree.
    pub file: FileTree<'t>,
    /// The nest.
    pub node: Node<'t>,
    /// The nodes around the nest, innermost first.
    pub ancestors: Vec<Node<'t>>,
    /// Names visible at the present place.
    pub scope: Scope<'t>,
    /// What has been read. Arrays are one per [`Root`] and accesses have one subscript per C dimension until storage is
    /// resolved.
    pub nest: Nest,
    /// Parallel to `nest.exprs`.
    pub facts: Vec<Facts>,
    /// The largest number of operands in `facts`.
    pub most_operands: u32,
    /// The variables behind accesses; parallel to `nest.arrays`.
    pub roots: Vec<Root<'t>>,
    /// What variables hold at the present place; a variable that is not here holds what it held before the nest.
    pub bindings: Bindings<'t>,
    /// The declarations of the variables that the nest names.
    pub variables: BTreeMap<Handle<HostValue>, Variable<'t>>,
    /// Loops around the present place.
    pub loops: Vec<Handle<Loop>>,
    /// The present place in the 2d+1 schedule.
    pub position: Vec<u32>,
    /// Conditions on indices and parameters that hold at the present place.
    pub guards: Vec<Handle<Expr>>,
    /// The conditions on data around the present place, outermost first.
    pub data_conditions: Vec<Handle<Expr>>,
    /// All conditions around the present place, outermost first.
    pub conditions: Vec<Handle<Expr>>,
    /// What jumps can leave at the present place, outermost first.
    pub exits: Vec<Exit>,
    /// The jumps that were read and whose targets are still ahead.
    pub jumps: Vec<Jump>,
    /// Whether the program ends where the present place is, which so is never reached.
    pub has_ended: bool,
    /// The calls around the present place, outermost first.
    pub frames: Vec<Frame<'t>>,
    /// The functions that the file defines.
    pub functions: Functions<'t>,
    /// What each of the loops around the present place changes.
    pub changing: Vec<BTreeSet<Handle<HostValue>>>,
    /// Scalars that loops leave as they find them, to which no pointer leads.
    pub restored: BTreeSet<Handle<HostValue>>,
    /// How many loops stood around the declarations of variables in the nest.
    pub declared_in: BTreeMap<Handle<HostValue>, usize>,
    /// The grids that the step declares.
    pub grids: BTreeMap<Handle<HostValue>, Grid>,
    /// The lengths of rows as they were where the types were declared, by where the lengths stand.
    pub lengths: BTreeMap<usize, Handle<Expr>>,
    /// Variables declared before the nest that it assigns, with the first assignment; loop variables are not here.
    pub assigned: BTreeMap<Handle<HostValue>, Span>,
    /// What the loops and assignments read so far at the present level leave in variables that outlive the nest.
    pub replay: Vec<Replay>,
    /// Scalars that outlive the nest and whose last value is not known, with the reason.
    pub lost: BTreeMap<Handle<HostValue>, Lost>,
    /// The function around the nest.
    pub control_flow: ControlFlow,
    /// Unsigned parameters that stand for their signed representatives, which the driver checks not to be negative.
    pub naturals: BTreeSet<Handle<Param>>,
    /// Remainders of the outermost loop's index, and parities of others, that occur in subscripts.
    pub time_terms: RefCell<Vec<Handle<Expr>>>,
    /// Copies of whole arrays by library calls.
    pub copies: Vec<BlockCopy>,
    /// The parallel regions of OpenMP around the present place, outermost first, with that around the nest.
    pub regions: Vec<Region>,
    /// Whether the present place is reached once for each iteration, and not by each thread of a team.
    pub runs_once: bool,
    /// Variables that hold, with that, what they would not where OpenMP's directives are heeded.
    pub sequential: BTreeMap<Handle<HostValue>, Option<Binding<'t>>>,
    /// The first construct by which a team made outside of the nest shares it.
    pub shared_by: Option<String>,
    /// Reads of elements of integer arrays by constant subscripts, with their roots.
    pub lone_integers: BTreeMap<Handle<Access>, usize>,
    /// Roots of which an element is taken to be a number of the host's, and where.
    pub fixed_roots: BTreeMap<usize, Span>,
    /// Whether pointers in small tables are variables that may be exchanged.
    pub exchanges_rows: bool,
    /// Pointers to numbers of which it is known whether the nest only follows them, with that.
    pub lone_pointers: BTreeMap<Handle<HostValue>, bool>,
    /// Roots of tables that the driver compares with what they are declared with, and all their elements' subscripts.
    pub tables: BTreeMap<usize, Vec<Vec<i64>>>,
    /// The loops over strips around the present place.
    pub strips: Vec<Strip>,
    /// By root, what the present iteration stored last in an array, if it touched no other element of it since.
    pub stored: BTreeMap<usize, Stored>,
    /// What pointers hold after an iteration of the outermost loop.
    pub moves: Vec<Move<'t>>,
    /// Scalars that steps change by rules.
    pub rules: Rules,
    /// Scalars that steps fold over points.
    pub folds: Drafts,
    /// Scalars that loops over space carry from point to point.
    pub trails: Trails,
    /// What loops that are over have counted beside their own variables.
    pub counted: Vec<(Handle<Loop>, Counter<'t>)>,
    /// The `k++` in the statement at the present place that take effect before or behind it.
    pub updates: BTreeSet<usize>,
    /// Arrays of the function whose elements are scalars to the nest, by the offsets of their declarators.
    pub scratch: BTreeSet<usize>,
    /// What integers are taken to hold in front of the nest.
    pub held: BTreeMap<Handle<HostValue>, i64>,
    /// Numbers of structures for which others stand, which the driver compares with these.
    pub replaced: BTreeSet<Handle<HostValue>>,
    /// What tables hold that the program fills, by the offsets of their declarators.
    pub filled: BTreeMap<usize, Option<Elements>>,
    /// Names of arrays that no rule fills anywhere in the file.
    pub without_rule: BTreeSet<String>,
    /// What is assigned to sizes, which stands for them; `None` for one that is being looked at, or has nothing.
    pub assigned_sizes: BTreeMap<Handle<HostValue>, Option<Handle<Expr>>>,
    /// Loops through whose numbers a nest counts.
    pub counting: BTreeMap<Handle<Loop>, Counting>,
    /// Variables of the host's that say how often loops run that would be executed iteration by iteration if that were known.
    pub open_lengths: BTreeSet<String>,
    /// How many iterations are written out of each loop in the present one, which is of bounded length.
    pub room: Option<i64>,
    /// Loops of bounded length with no other around them than the outermost one, which is here, too.
    pub windows_of_outermost: Vec<(Handle<Loop>, Span)>,
}

/// A statement that a team of threads runs.
#[derive(Clone, Debug, Default)]
pub struct Region {
    /// The statement, with the directive that makes the team.
    pub range: Range<usize>,
    /// Variables declared outside of it of which each thread has one of its own, but those that the nest declares.
    pub own: Vec<String>,
}

/// What variables hold.
pub type Bindings<'t> = BTreeMap<Handle<HostValue>, Binding<'t>>;

/// A variable that is assigned, and the first place where it is.
pub type Change = (Handle<HostValue>, Span);

/// A grid that the step declares.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Numbers of elements, outermost first; none if they are not declared.
    pub extents: Vec<Handle<Expr>>,
    /// The product of these is how many bytes it has.
    pub sizes: Vec<Handle<Expr>>,
    /// Where it is declared.
    pub declared: Span,
    /// Whether a step declares it several times.
    pub is_declared_again: bool,
}

/// A variable through which array elements are reached.
#[derive(Clone, Debug)]
pub struct Root<'t> {
    /// The variable.
    pub variable: Handle<HostValue>,
    /// Its declared type.
    pub whole: CType<'t>,
    /// The same, or that of what is seen of it.
    pub ty: CType<'t>,
    /// Of structures the members that are seen.
    pub view: Option<View<'t>>,
}

/// Members of one type that follow each other in each of the structures in an array.
#[derive(Clone, Copy, Debug)]
pub struct View<'t> {
    /// The specifier of the structure.
    pub structure: Node<'t>,
    /// The members.
    pub run: Run,
}

/// What a variable holds at some place in the nest.
#[derive(Clone, Debug, PartialEq)]
pub enum Binding<'t> {
    /// The index of a loop around the place.
    Index(Handle<Loop>),
    /// A scalar value of the variable's type.
    Scalar(Handle<Expr>),
    /// A scalar value in some cases.
    Partly(Partly),
    /// A pointer into an array.
    Pointer(PointerValue<'t>),
    /// A pointer to an object.
    Address(Handle<HostValue>),
    /// A pointer to a function.
    Function(Callee<'t>),
    /// A pointer into a local array.
    Local(LocalPointer<'t>),
    /// A null pointer.
    Null,
    /// Nothing known, with the reason and the place of the assignment.
    Unknown(Unknown, Span),
}

/// Why the value of a variable is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// It is declared without a value.
    Uninitialised,
    /// A loop assigns it, and the value of an earlier iteration would be read.
    Carried,
    /// A condition decided whether the present iteration assigns it.
    Skipped,
    /// An inner loop that is already over assigned it; it counts that loop if there is one here.
    LeftByLoop(Option<Handle<Loop>>),
    /// As before, and each iteration of that loop added the same: an index of [`Reader::counted`].
    Counted(usize),
    /// As before, and it is the last of what that loop left to its iterations.
    OnTrail(Trailed),
    /// Only one branch of an `if` assigned it a pointer.
    Branch,
    /// It is a member of a type that a nest cannot use, and its structure was assigned as a whole.
    Uncopied,
}

impl Unknown {
    /// Whether an inner loop that is over assigned it.
    pub fn is_left_by_loop(self) -> bool {
        matches!(self, Self::LeftByLoop(_) | Self::Counted(_) | Self::OnTrail(_))
    }
}

/// A pointer into an array.
#[derive(Clone, Debug, PartialEq)]
pub struct PointerValue<'t> {
    /// The variable that leads to the array, an index of [`Reader::roots`].
    pub root: usize,
    /// Subscripts applied so far, outermost first; pointer arithmetic adds to the last.
    pub subscripts: Vec<Handle<Expr>>,
    /// What it points to.
    pub pointee: CType<'t>,
}

/// A call of `memcpy`, `memmove` or `memset`; the accesses name the first elements.
#[derive(Clone, Debug)]
pub struct BlockCopy {
    /// Where to.
    pub target: Handle<Access>,
    /// Where from; `None`: zeros.
    pub origin: Option<Handle<Access>>,
    /// Number of bytes.
    pub bytes: Handle<Expr>,
    /// How many statements come before it.
    pub statement: usize,
    /// The call.
    pub span: Span,
}

impl<'u, 's, 't> Reader<'u, 's, 't> {
    /// Starts to read the nest `node`.
    pub fn new(unit: &'u Unit<'s>, file: &FileTree<'t>, node: Node<'t>) -> Self {
        let ancestors = ancestors(file.root, node);
        let control_flow = unit.ways.clone().unwrap_or_else(|| ControlFlow::around(unit, &ancestors, node));
        let place = node.start_byte();
        let names = file.names(unit, place);
        let mut reader = Self {
            unit,
            file: file.clone(),
            node,
            scope: Scope::within(names, unit, &ancestors, place),
            ancestors,
            nest: Nest::default(),
            facts: Vec::new(),
            most_operands: 0,
            roots: Vec::new(),
            bindings: BTreeMap::new(),
            variables: BTreeMap::new(),
            loops: Vec::new(),
            position: vec![0],
            guards: Vec::new(),
            data_conditions: Vec::new(),
            conditions: Vec::new(),
            exits: Vec::new(),
            jumps: Vec::new(),
            has_ended: false,
            frames: Vec::new(),
            functions: Functions::default(),
            changing: Vec::new(),
            restored: BTreeSet::new(),
            declared_in: BTreeMap::new(),
            grids: BTreeMap::new(),
            lengths: BTreeMap::new(),
            assigned: BTreeMap::new(),
            replay: Vec::new(),
            lost: BTreeMap::new(),
            control_flow,
            naturals: BTreeSet::new(),
            time_terms: RefCell::default(),
            copies: Vec::new(),
            regions: Vec::new(),
            runs_once: true,
            sequential: BTreeMap::new(),
            shared_by: None,
            lone_integers: BTreeMap::new(),
            fixed_roots: BTreeMap::new(),
            exchanges_rows: false,
            lone_pointers: BTreeMap::new(),
            tables: BTreeMap::new(),
            strips: Vec::new(),
            stored: BTreeMap::new(),
            moves: Vec::new(),
            rules: Rules::default(),
            folds: Drafts::default(),
            trails: Trails::default(),
            counted: Vec::new(),
            updates: BTreeSet::new(),
            scratch: BTreeSet::new(),
            held: BTreeMap::new(),
            replaced: BTreeSet::new(),
            filled: BTreeMap::new(),
            without_rule: BTreeSet::new(),
            assigned_sizes: BTreeMap::new(),
            counting: BTreeMap::new(),
            open_lengths: BTreeSet::new(),
            room: None,
            windows_of_outermost: Vec::new(),
        };
        reader.hold_values();
        reader.hold_equal_sizes();
        reader.functions.names.insert(unit.section(place).start, Rc::clone(reader.scope.file()));
        reader
    }

    /// Whether the nest is the step of a loop that the host keeps, put into one that counts up to what no program says.
    pub fn is_step_of_host(&self) -> bool {
        self.node.child_by_field_name("condition").is_some_and(|it| self.mentions(it, END))
    }

    /// The text of `node`.
    pub fn text(&self, node: Node) -> &'u str {
        let unit: &'u Unit<'s> = self.unit;
        &unit.text[node.byte_range()]
    }

    /// Where `node` stands in the user's file, or the call that leads to the other file in which it does.
    pub fn span(&self, node: Node) -> Span {
        self.span_between(node, node.end_byte())
    }

    /// As [`span`](Self::span) from the start of `node` to `end`.
    pub fn span_between(&self, node: Node, end: usize) -> Span {
        let call = self.visible_call().filter(|_| self.unit.file_at(node.start_byte()).is_some());
        call.unwrap_or_else(|| self.unit.span_between(node.start_byte(), end))
    }

    /// A refusal at `node`, with the reason and the remedy.
    pub fn refuse<T>(&self, node: Node, code: &'static str, message: impl Into<String>, help: &str) -> Failable<T> {
        Err(Box::new(Diagnostic::error(code, message, self.span(node)).with_help(help)))
    }

    /// The child of `node` in the field `name`.
    pub fn field(&self, node: Node<'t>, name: &str) -> Failable<Node<'t>> {
        match node.child_by_field_name(name) {
            Some(child) => Ok(child),
            None => self.refuse(node, "syntax", "this C code is not understood", "write it in a plainer form"),
        }
    }

    /// The schedule place for the next access or statement at the present level.
    pub fn next_position(&mut self) -> Vec<u32> {
        let here = self.position.clone();
        if let Some(last) = self.position.last_mut() {
            *last += 1;
        }
        here
    }

    /// The root for a variable of the declared type `ty`.
    pub fn root(&mut self, variable: Handle<HostValue>, ty: &CType<'t>, span: Span) -> usize {
        if let Some(index) = self.roots.iter().position(|root| root.variable == variable) {
            return index;
        }
        let (name, element) = (self.name(variable).to_owned(), ty.element_type());
        let array = Array {
            name,
            element,
            buffers: vec![],
            strides: vec![],
            pointers: vec![],
            is_behind_pointer: false,
            extents: vec![],
            length: None,
            allocated: vec![],
            history: None,
            members: None,
        };
        self.nest.arrays.push(array, span);
        self.roots.push(Root { variable, whole: ty.clone(), ty: ty.clone(), view: None });
        self.roots.len() - 1
    }

    /// Records an access of the element that `subscripts` choose, at the present place.
    pub fn access(&mut self, root: usize, subscripts: Vec<Handle<Expr>>, span: Span) -> Handle<Access> {
        let array = self.nest.arrays.handles().nth(root).expect("every root has an array");
        let access = Access {
            array,
            buffer: None,
            subscripts,
            loops: self.loops.clone(),
            position: self.next_position(),
            guards: self.guards.clone(),
            steps: Vec::new(),
            is_speculative: !self.data_conditions.is_empty(),
            conditions: self.data_conditions.clone(),
            is_kept_value: false,
        };
        self.nest.accesses.push(access, span)
    }

    /// The kind of an expression.
    pub fn kind(&self, expr: Handle<Expr>) -> &ExprKind {
        &self.nest.exprs[expr].kind
    }

    /// The type of an expression.
    pub fn ty(&self, expr: Handle<Expr>) -> ScalarType {
        self.nest.exprs[expr].ty
    }
}
