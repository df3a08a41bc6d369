//! Marked nests that follow each other with nothing between them that needs their arrays: what one computes stays on the device
//! for the next.
//!
//! ```c
//! #pragma stencil
//!     for (t = 0; t < 100; t++) smooth(a, b);      // a call
//!     printf("smooth\n");
//! #pragma stencil
//!     for (i = 1; i < n - 1; i++) b[i] = 2 * a[i]; // a call
//!                                                  // the arrays come back here
//! ```
//!
//! A chain is made of statements of one block, or of the loops around that block, too, if nothing in them needs the arrays. Some of
//! the nests may be steps of loops that the host keeps: within these it gets what it needs as if they stood alone.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::MAX_FRAMES;
use super::host_code::HostCode;
use super::kept_loop::{Asks, Chain, KeptLoop, Need, Place};
use super::names::declared_in;
use super::program::{Program, Trust};
use super::step::Step;
use crate::front::MarkedNest;
use crate::front::file_tree::FileTree;
use crate::front::headers::has_jump;
use crate::front::tree::{Unit, ancestors, children, declared_identifier, is_loop, loop_at, nodes_in};
use crate::ir::{Clock, Handle, HostValue, Nest, ParamValue, ScalarType, Selector, Team};
use crate::source::{Diagnostic, Span};

/// How often a loop around a chain is expected to run.
const EXPECTED_ITERATIONS: usize = 32;

/// What reading the nests of a file has given.
type Nests = [Result<MarkedNest, Vec<Diagnostic>>];

/// A marked nest that may be in a chain.
struct Member<'a, 'p, 's, 't> {
    number: usize,
    node: Node<'t>,
    nest: &'a Nest,
    /// The loop that it is a step of, if the host keeps that.
    kept: Option<&'a KeptLoop>,
    /// What host code does to its arrays.
    code: HostCode<'p, 's, 't>,
}

/// A chain that was found.
struct Found {
    /// Its nests.
    numbers: Vec<usize>,
    /// What it ends with, and whether that is the only statement of an `if` or a loop.
    end: (Span, bool),
    /// Whether the host may end the program by `exit` before that.
    may_exit: bool,
    expected: usize,
}

/// Finds the chains among the nests of a file.
pub fn find_chains(unit: &Unit, file: &FileTree, nests: &mut Nests) {
    let root = file.root;
    let nodes = (0..nests.len()).filter_map(|number| Some((number, node_of(unit, root, nests, number)?)));
    let nodes: Vec<(usize, Node)> = nodes.collect();
    if nodes.len() < 2 {
        return;
    }
    let program = Program::new(unit, file, Trust::Doubt);
    let member = |(number, node): (usize, _)| {
        let MarkedNest { nest, kept, .. } = nests[number].as_ref().ok()?;
        let code = HostCode::new(&program, root, nest, &[]);
        Some(Member { number, node, nest, kept: kept.as_ref(), code })
    };
    let members: Vec<Member> = nodes.into_iter().filter_map(member).collect();
    let mut found = Vec::new();
    let mut rest = members.as_slice();
    while let [_, others @ ..] = rest {
        let length = run_length(&program, rest);
        let chain = if length > 1 { closed(&program, root, &rest[..length]) } else { None };
        rest = if chain.is_some() { &rest[length..] } else { others };
        found.extend(chain);
    }
    found.into_iter().for_each(|chain| chain.enter(nests));
}

/// The nest of that number in the text, or the loop that the host keeps, if the host could do all of it in the driver's place.
fn node_of<'t>(unit: &Unit, root: Node<'t>, nests: &Nests, number: usize) -> Option<Node<'t>> {
    let marked = nests[number].as_ref().ok()?;
    let nest = &marked.nest;
    let step = &nest.step;
    let is_recorded = matches!(nest.clock, Clock::Recorded { .. });
    let is_plain = step.rules.is_empty()
        && step.listed.is_empty()
        && (is_recorded || step.folds.accumulators.is_empty())
        && step.gaps.is_empty()
        && step.until.is_none()
        && nest.index_arrays.is_empty()
        && nest.team == Team::None
        && !nest.arrays.iter().any(|(_, array)| array.history.is_some());
    let node = loop_at(root, unit.start_behind_pragma(number))?;
    (is_recorded == marked.kept.is_some() && is_plain && unit.file_at(node.start_byte()).is_none()).then_some(node)
}

/// Whether the host goes on behind its code, and this needs no array of nests.
fn is_harmless<'t>(program: &Program<'_, '_, 't>, members: &[Member<'_, '_, '_, 't>], code: Node<'t>) -> bool {
    let leaves = nodes_in(code).any(|node| {
        let kinds = ["return_statement", "goto_statement", "labeled_statement", "gnu_asm_expression"];
        kinds.contains(&node.kind())
    });
    let is_marked = program.unit.pragmas.iter().any(|(offset, _)| code.byte_range().contains(offset));
    !leaves && !is_marked && members.iter().all(|member| member.code.need_of_host(code) == Need::Nothing)
}

impl<'t> Member<'_, '_, '_, 't> {
    /// Whether two nests have an array in common.
    fn shares(&self, other: &Self) -> bool {
        let names = |nest: &Nest| -> BTreeSet<String> {
            nest.buffers().map(|buffer| nest.values.text(buffer.variable).to_owned()).collect()
        };
        !names(self.nest).is_disjoint(&names(other.nest))
    }

    /// Whether memory of scalars is among a nest's arrays, which others may be given by value.
    fn stores_scalars(&self) -> bool {
        self.nest.arrays.handles().any(|array| self.nest.is_scalar(array))
    }

    /// Whether what a nest is given, or folds into, may be an element of arrays that one of these writes.
    fn may_be_given_elements(&self, members: &[Self]) -> bool {
        let written: Vec<bool> = members.iter().flat_map(|it| written_floats(it.nest)).collect();
        let is_met = |value: Handle<HostValue>, ty: ScalarType| {
            is_followed(self.nest, value) && written.contains(&ty.is_float())
        };
        let is_given = self.nest.params.iter().any(|(_, param)| match param.value {
            ParamValue::Variable(value) => is_met(value, param.ty),
            ParamValue::Expression { .. } | ParamValue::IsSet { .. } => false,
        });
        is_given || self.nest.step.folds.accumulators.iter().any(|it| is_met(it.variable, it.ty))
    }

    /// Whether what the host does in a loop that it keeps needs nothing else of all these nests' arrays than of the nest's own.
    fn is_kept_alike(&self, members: &[Self]) -> bool {
        let Some(kept) = self.kept else { return true };
        let own = HostCode::new(self.code.program(), self.code.root, self.nest, &[]);
        let all = members.iter().fold(own, |all, member| all.with(member.nest));
        let step = Step::again(self.node, &kept.step);
        let found = all.around(self.node, &step).places(self.node, &step);
        found.is_ok_and(|(places, fixed)| fixed.is_empty() && needs(&places) == needs(&kept.places))
    }
}

/// What places need of arrays.
fn needs(places: &[Place]) -> Vec<Place> {
    let needy = places.iter().filter(|place| place.need > Need::Nothing);
    needy.map(|place| Place { asks: Asks::Nothing, ..place.clone() }).collect()
}

/// Whether a value is behind a pointer, as far as its text tells, which calls bring as the host computes it.
fn is_followed(nest: &Nest, value: Handle<HostValue>) -> bool {
    let text = nest.values.to_c(value);
    let follows = text.contains('[') || text.contains("->") || text.contains("(*") || text.starts_with('*');
    follows || nest.values[value].path.contains(&Selector::Dereference)
}

/// For each array that a nest writes whether its elements are floating-point numbers.
fn written_floats(nest: &Nest) -> impl Iterator<Item = bool> {
    let arrays = nest.step.statements.iter().map(|statement| nest.accesses[statement.write].array);
    arrays.map(|array| ScalarType::is_float(nest.arrays[array].element))
}

/// How many of the nests are a chain from the first one on.
fn run_length<'t>(program: &Program<'_, '_, 't>, members: &[Member<'_, '_, '_, 't>]) -> usize {
    let mut length = 1;
    while let Some(next) = members.get(length) {
        let chain = &members[..=length];
        let between = between(members[length - 1].node, next.node);
        let goes_on = between.is_some_and(|between| between.into_iter().all(|code| is_harmless(program, chain, code)));
        let shares = members[..length].iter().any(|member| member.shares(next));
        let is_clear =
            chain.iter().all(|it| !it.may_be_given_elements(chain) && !it.stores_scalars() && it.is_kept_alike(chain));
        if !(goes_on && shares && is_clear) {
            break;
        }
        length += 1;
    }
    length
}

/// The statements between two of a block; `None` if they are not.
fn between<'t>(one: Node<'t>, other: Node<'t>) -> Option<Vec<Node<'t>>> {
    let block = one.parent().filter(|block| block.kind() == "compound_statement" && other.parent() == Some(*block))?;
    let is_between = |it: &Node| one.end_byte() <= it.start_byte() && it.end_byte() <= other.start_byte();
    Some(children(block).into_iter().filter(is_between).collect())
}

/// A chain of nests, if there is no way out of it but over its end.
fn closed<'t>(program: &Program<'_, '_, 't>, root: Node<'t>, members: &[Member<'_, '_, '_, 't>]) -> Option<Found> {
    let [first, .., last] = members else { return None };
    let scope = scope(program, members);
    let between = between(first.node, last.node).unwrap_or_default();
    let is_member = |code: &Node| members.iter().any(|member| member.node == *code);
    if scope.is_none() && between.iter().any(|code| !is_member(code) && has_jump(*code)) {
        return None;
    }
    let code = scope.map_or_else(|| [vec![first.node], between, vec![last.node]].concat(), |scope| vec![scope]);
    let may_exit = code.into_iter().any(|code| first.code.may_exit(code));
    let is_alone = scope.is_some_and(|scope| {
        ancestors(root, scope).first().is_some_and(|around| around.kind() != "compound_statement")
    });
    let end = scope.unwrap_or(last.node);
    let span = program.unit.statement_span(end.start_byte(), end.end_byte());
    let expected = members.len() * if scope.is_some() { EXPECTED_ITERATIONS } else { 1 };
    Some(Found {
        numbers: members.iter().map(|member| member.number).collect(),
        end: (span, is_alone),
        may_exit,
        expected,
    })
}

impl Found {
    /// Gives the nests their places in it.
    fn enter(self, nests: &mut Nests) {
        let (first, mut next) = (self.numbers[0], None);
        for number in self.numbers.into_iter().rev() {
            let Ok(marked) = &mut nests[number] else { continue };
            let end = Some(self.end).filter(|_| next.is_none());
            marked.nest.step.may_exit |= self.may_exit;
            marked.chain = Some(Chain { first, next, expected: self.expected, end });
            next = Some(marked.nest.pragma);
        }
    }
}

/// The outermost loop around the nests in which nothing else needs their arrays; `None` if there is none.
fn scope<'t>(program: &Program<'_, '_, 't>, members: &[Member<'_, '_, '_, 't>]) -> Option<Node<'t>> {
    let [first, .., last] = members else { return None };
    let (mut inner, mut found) = (first.node.start_byte()..last.node.end_byte(), None);
    let mut block = first.node.parent()?;
    for _ in 0..MAX_FRAMES {
        let around = block.parent().filter(|it| is_loop(*it));
        let Some(around) = around else { break };
        let is_beside = |it: &Node| it.end_byte() <= inner.start || inner.end <= it.start_byte();
        let head = children(around).into_iter().filter(|it| *it != block);
        let beside = children(block).into_iter().filter(is_beside).collect::<Vec<_>>();
        let is_clear = head.chain(beside).all(|code| is_harmless(program, members, code));
        if !is_clear || declares_bases(program, members, around) {
            break;
        }
        (inner, found) = (around.byte_range(), Some(around));
        match around.parent().filter(|it| it.kind() == "compound_statement") {
            Some(next) => block = next,
            None => break,
        }
    }
    found
}

/// Whether a loop declares what leads to the nests' arrays, so that it is not there behind it.
fn declares_bases(program: &Program, members: &[Member], around: Node) -> bool {
    let of_nest = |nest| Nest::buffers(nest).map(|buffer| nest.values[buffer.variable].variable.name.as_str());
    let bases: BTreeSet<&str> = members.iter().flat_map(|member| of_nest(member.nest)).collect();
    let mut declared = declared_in(around).filter_map(declared_identifier);
    declared.any(|name| bases.contains(program.text(name)))
}

#[cfg(test)]
mod tests {
    use crate::front::tests::{chains, function};

    const FIRST: &str = "\n#pragma stencil\nfor (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];\n";
    const SECOND: &str = "\n#pragma stencil\nfor (int i = 1; i < n - 1; i++) a[i] = b[i];\n";
    const OTHER: &str = "\n#pragma stencil\nfor (int i = 1; i < n - 1; i++) d[i] = 2 * c[i];\n";

    fn found(before: &str, body: &str) -> Vec<Option<usize>> {
        let parameters = "int n, double *a, double *b, double *c, double *d, const double *h, struct grid *g";
        chains(
            &(format!("#include <stdio.h>\nstruct grid {{ double weight; int count; }};\n{before}\n")
                + &function(parameters, body)),
        )
    }

    #[test]
    fn nests_that_share_arrays_follow_each_other() {
        assert_eq!(found("", &[FIRST, SECOND].concat()), [Some(0), Some(0)]);
        assert_eq!(found("", &[FIRST, OTHER].concat()), [None, None]);
        assert_eq!(
            found("", &[OTHER, FIRST, "double s = n; printf(\"%g\", s);", SECOND].concat()),
            [None, Some(1), Some(1)]
        );
    }

    #[test]
    fn nothing_between_them_needs_arrays_or_leads_away() {
        for code in ["printf(\"%g\", b[3]);", "c[2] = n;", "f(a);", "if (n > 7) return;", "out: n++;", "{ goto out; }"]
        {
            let body = [FIRST, code, SECOND].concat() + if code.contains("goto") { "out: ;" } else { "" };
            assert_eq!(found("void f(double *);", &body), [None, None], "{code}");
        }
    }

    #[test]
    fn loops_around_them_may_be_left_between() {
        let around = |head: &str, code: &str| found("", &[head, "{", FIRST, code, SECOND, "}"].concat());
        assert_eq!(around("while (n++ < 9)", "if (n == 7) break;"), [Some(0), Some(0)]);
        // Without the loop in the chain its end would be missed.
        assert_eq!(around("while (h[0] > n)", "if (n == 7) break;"), [None, None]);
        assert_eq!(around("while (h[0] > n)", ""), [Some(0), Some(0)]);
    }

    const KEPT: &str = "\n#pragma stencil\nfor (int t = 0; t < n; t++) { for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1]; \
                        for (int i = 1; i < n - 1; i++) a[i] = b[i]; printf(\"%d\", t); CODE }\n";

    #[test]
    fn loops_that_the_host_keeps_follow_each_other() {
        let with = |code: &str| KEPT.replace("CODE", code);
        for code in ["", "if (t == 3) break;", "if (t == 3) return;", "printf(\"%g\", c[3]);", "if (t == 2) f(a);"] {
            assert_eq!(
                found("void f(double *);", &[with(code).as_str(), SECOND].concat()),
                [Some(0), Some(0)],
                "{code}"
            );
            assert_eq!(found("void f(double *);", &[SECOND, &with(code)].concat()), [Some(0), Some(0)], "{code}");
        }
        // An element may be given, and what is harmless for one nest's arrays may be another's.
        let given = with("").replace("a[i + 1]", "a[i + 1] + h[t]");
        assert_eq!(found("", &[&given, SECOND].concat()), [None, None]);
        let reading = with("if (t == 2) printf(\"%g\", g->weight);");
        let of_records = "\n#pragma stencil\nfor (int i = 1; i < n - 1; i++) g[i].weight = b[i];\n";
        assert_eq!(found("", &[&reading, SECOND].concat()), [Some(0), Some(0)]);
        assert_eq!(found("", &[&with(""), of_records].concat()), [Some(0), Some(0)]);
        assert_eq!(found("", &[&reading, of_records].concat()), [None, None]);
    }

    #[test]
    fn what_a_nest_is_given_is_no_element_of_the_others() {
        let second = |value: &str| {
            let nest = format!("\n#pragma stencil\nfor (int i = 1; i < n; i++) a[i] = b[i] * {value};\n");
            found("", &[FIRST, &nest].concat())
        };
        assert_eq!(second("g->count"), [Some(0), Some(0)]);
        assert_eq!(second("g->weight"), [None, None]);
    }
}
