//! `_Generic(x, float: fmaxf, default: fmax)` is what it selects, where that is plain to see: the rest is blanked.
//!
//! Programs select so by `float` and `double`. Of other types more than one is the same to us, such as `long` and `long long`, so
//! selections by them stay and are refused where a nest meets them.

use std::ops::Range;

use tree_sitter::Node;

use super::declarations::Scope;
use super::extensions::blank;
use super::tree::{Unit, ancestors, children, nodes_in};
use super::types::CType;
use crate::ir::ScalarType;

/// What is kept of a selection that is surely made.
#[derive(Debug, PartialEq, Eq)]
pub struct Selection {
    whole: Range<usize>,
    selected: Range<usize>,
    /// Whether it is an operand without parentheses, too.
    is_operand: bool,
}

impl Unit<'_> {
    /// Writes what is selected where the selection stands.
    pub fn select(&mut self, selection: &Selection) {
        let Selection { whole, selected, is_operand } = selection;
        let mut text = std::mem::take(&mut self.text).into_bytes();
        blank(&mut text[whole.start..selected.start]);
        blank(&mut text[selected.end..whole.end]);
        if !is_operand {
            (text[selected.start - 1], text[whole.end - 1]) = (b'(', b')');
        }
        self.text = String::from_utf8(text).expect("blanking keeps UTF-8");
    }
}

/// The selections in the tree of `unit` that are surely made, none within another.
pub fn find_selections(unit: &Unit, root: Node) -> Vec<Selection> {
    if !unit.text.contains("_Generic") {
        return Vec::new();
    }
    let is_innermost = |node: &Node| nodes_in(*node).filter(|it| it.kind() == "generic_expression").count() == 1;
    let generic = nodes_in(root).filter(|node| node.kind() == "generic_expression");
    generic.filter(is_innermost).filter_map(|node| selection(unit, root, node)).collect()
}

fn selection(unit: &Unit, root: Node, node: Node) -> Option<Selection> {
    let parts = children(node);
    let (controlling, associations) = parts.split_first()?;
    let scope = Scope::at(unit, &ancestors(root, node), node.start_byte());
    let CType::Scalar(ty @ (ScalarType::F32 | ScalarType::F64)) = scope.type_of(unit, *controlling)? else {
        return None;
    };
    let is_real = |ty: ScalarType| matches!(ty, ScalarType::F32 | ScalarType::F64);
    let (mut chosen, mut otherwise) = (None, None);
    for association in associations.chunks(2) {
        let [name, value] = association else { return None };
        match (unit.text(*name), scope.type_name(unit, *name)) {
            ("default", _) => otherwise = Some(*value),
            ("float", _) if ty == ScalarType::F32 => chosen = Some(*value),
            ("double", _) if ty == ScalarType::F64 => chosen = Some(*value),
            ("float" | "double", _) => {}
            // It may be the same type under another name, or a qualified one, which no value has.
            (_, CType::Scalar(other)) if is_real(other) => return None,
            _ => {}
        }
    }
    let value = chosen.or(otherwise)?;
    let is_operand =
        matches!(value.kind(), "identifier" | "number_literal" | "call_expression" | "parenthesized_expression");
    Some(Selection { whole: node.byte_range(), selected: value.byte_range(), is_operand })
}

#[cfg(test)]
mod tests {
    use crate::front::tree::Unit;
    use crate::source::{Preprocessed, SourceFile};

    /// The value that `x` is given, as it is written after parsing.
    fn selected(value: &str) -> String {
        let head = "typedef double real; double f(double); float g(float); long double h(long double);\n\
                    void all(float a, double b, real c, long double d, int i) { double x";
        let source = SourceFile::new("a.c", Vec::new());
        let preprocessed = Preprocessed::new(format!("{head} = {value}; }}").into_bytes());
        let mut unit = Unit::new(&source, &preprocessed);
        let tree = unit.parse().unwrap();
        assert!(!tree.root_node().has_error(), "{}", unit.text);
        let from = unit.text.rfind(" = ").unwrap() + 3;
        unit.text[from..unit.text.len() - 3].split_whitespace().collect()
    }

    #[test]
    fn functions_are_selected_by_real_types() {
        assert_eq!(selected("_Generic(a, float: g, default: f)(a)"), "g(a)");
        assert_eq!(selected("_Generic((a) + (b), float: g, default: f)(a)"), "f(a)");
        assert_eq!(selected("_Generic((c), long double: h, float: g, double: f)(c)"), "f(c)");
        assert_eq!(selected("_Generic(_Generic(a, float: g, double: f)(a), float: g, double: f)(b)"), "g(b)");
        assert_eq!(
            selected("_Generic(f(a) * 2, const float: g, default: f)(b)"),
            "_Generic(f(a)*2,constfloat:g,default:f)(b)"
        );
    }

    #[test]
    fn what_is_no_operand_keeps_parentheses() {
        assert_eq!(selected("2 * _Generic(b, float: a + 1, double: b + 1)"), "2*(b+1)");
        assert_eq!(selected("2 * _Generic(b, float: 1, double: 2)"), "2*2");
    }

    #[test]
    fn what_is_not_surely_selected_stays() {
        for value in [
            "_Generic(i, int: f, default: f)(b)",
            "_Generic(d, float: g, default: f)(b)",
            "_Generic(b, real: f, float: g)(b)",
            "_Generic(unknown(b), float: g, default: f)(b)",
        ] {
            assert_eq!(selected(value), value.replace(' ', ""));
        }
    }
}
