//! Places in arrays to which host code comes by subscripts and pointers.

use super::corners::{Code, Corners};
use super::{Part, Pieces};
use crate::front::types::CType;

/// An element or a row of what a pointer leads to, or a pointer there.
#[derive(Clone, Debug)]
pub struct Memory<'t> {
    base: Code,
    subscripts: Vec<Corners>,
    /// It is a pointer to the element at the subscripts, and not the element.
    is_pointer: bool,
    /// It is found through a pointer in memory, as `u[i][j]` is if `u[i]` is one.
    is_behind_pointer: bool,
    /// So many subscripts lead to such a pointer, which need not be always the same one.
    table: Option<usize>,
    /// Its type, if that is known.
    pub ty: Option<CType<'t>>,
}

impl<'t> Memory<'t> {
    /// What a variable or a member leads to.
    pub fn new(base: Code, ty: Option<CType<'t>>) -> Self {
        Self { base, subscripts: Vec::new(), is_pointer: false, is_behind_pointer: false, table: None, ty }
    }

    /// The element with a subscript; `None` if nobody knows what leads there. One of several pointers in memory may do so if it leads
    /// to a row of elements.
    pub fn element(mut self, subscript: Corners) -> Option<Self> {
        let is_of_host = self.is_pointer || self.subscripts.is_empty();
        let leads = is_of_host || self.subscripts.iter().all(Corners::is_steady);
        let inner = match self.ty {
            Some(CType::Array(inner, _)) => Some(*inner),
            Some(CType::Pointer(inner)) if leads || matches!(*inner, CType::Scalar(_)) => {
                self.table = if is_of_host { self.table } else { Some(self.subscripts.len()) };
                self.is_behind_pointer |= !is_of_host;
                Some(*inner)
            }
            None if is_of_host => None,
            _ => return None,
        };
        match self.subscripts.last_mut().filter(|_| self.is_pointer) {
            Some(last) => *last = last.plus(&subscript),
            None => self.subscripts.push(subscript),
        }
        Some(Self { ty: inner, is_pointer: false, ..self })
    }

    /// A pointer to this element.
    pub fn address(self) -> Option<Self> {
        let ty = self.ty.map(|inner| CType::Pointer(Box::new(inner)));
        (!self.is_pointer && !self.subscripts.is_empty()).then_some(Self { ty, is_pointer: true, ..self })
    }

    /// The pointer so many elements on.
    pub fn advanced(self, by: Corners) -> Option<Self> {
        self.element(by)?.address()
    }

    /// Whether a pointer in memory leads to it, or to what it leads to.
    pub fn is_found_in_memory(&self) -> bool {
        let is_pointer = matches!(self.ty, Some(CType::Pointer(_))) && !self.is_pointer;
        self.is_behind_pointer || is_pointer && !self.subscripts.is_empty()
    }

    /// Whether it is an array, or part of one, and not an element.
    pub fn is_array(&self) -> bool {
        matches!(self.ty, Some(CType::Array(..)))
    }

    /// Whether one of several pointers in memory leads to it.
    fn is_in_table(&self) -> bool {
        self.table.is_some_and(|table| !self.subscripts[..table].iter().all(Corners::is_steady))
    }

    /// From the first to behind the last byte. `naturals` are texts of what is not negative.
    pub fn part(&self, naturals: &[String]) -> Option<Part> {
        self.check_order(naturals)?;
        let (last, outer) = self.subscripts.split_last().filter(|_| !self.is_pointer && !self.is_in_table())?;
        let from = self.written(|it| &it.low);
        let high: String = outer.iter().map(|it| format!("[{}]", it.high.text)).collect();
        let to = if last.has_past() {
            format!("&{}{high}[{}]", self.base.text, last.past().text)
        } else {
            format!("&{} + 1", self.written(|it| &it.high))
        };
        Some(Part { from: format!("&{from}"), to: Some(to), pieces: self.rows() })
    }

    /// The same for an element of a row behind one of several pointers in a table: these are told, and where in their rows it may be.
    pub fn behind(&self, naturals: &[String]) -> Option<Part> {
        self.check_order(naturals)?;
        let (last, outer) = self.subscripts.split_last().filter(|(_, outer)| self.table == Some(outer.len()))?;
        let table = |at: fn(&Corners) -> &Code| {
            let subscripts = outer.iter().map(|it| format!("[{}]", at(it).text));
            format!("&{}{}", self.base.text, subscripts.collect::<String>())
        };
        let size = format!("sizeof {}{}", self.base.text, "[0]".repeat(self.subscripts.len()));
        let [first, end] = [&last.low, &last.past()].map(|it| match it.text.as_str() {
            "0" => "0".to_owned(),
            "1" => size.clone(),
            _ => format!("{} * {size}", it.factor()),
        });
        let (from, to) = (table(|it| &it.low), format!("{} + 1", table(|it| &it.high)));
        Some(Part { from, to: Some(to), pieces: Some(Pieces::Behind { first, end }) })
    }

    /// The pieces in a row that elements are in, where subscripts before the last one change, or where the last one does by more
    /// than one: the shortest of them, as rows of planes are at equal distances, too.
    fn rows(&self) -> Option<Pieces> {
        let last = self.subscripts.len() - 1;
        let all = self.subscripts.iter().enumerate();
        let all = all.flat_map(|(level, it)| it.scales.iter().map(move |scale| (level, scale)));
        let apart: Vec<_> = all.filter(|(level, scale)| *level < last || !scale.is_empty()).collect();
        let level = apart.iter().map(|(level, _)| *level).max()?;
        let scale = apart.iter().filter(|it| it.0 == level).map(|it| it.1).min_by_key(|scale| scale.len())?;
        let is_multiple = |it: &(usize, &Vec<String>)| scale.is_empty() || it.0 == level && has_factors(it.1, scale);
        if !apart.iter().all(is_multiple) {
            return None;
        }
        let size = |level: usize| format!("sizeof {}{}", self.base.text, "[0]".repeat(level + 1));
        let stride = scale.iter().cloned().chain([size(level)]).collect::<Vec<_>>().join(" * ");
        let span = &self.subscripts[last].span;
        let length = if span.text == "1" { size(last) } else { format!("{} * {}", span.factor(), size(last)) };
        Some(Pieces::Rows { stride, length })
    }

    /// From where a pointer leads, so many bytes.
    pub fn bytes(&self, count: &Code, naturals: &[String]) -> Option<Part> {
        self.check_order(naturals).filter(|()| !self.is_in_table())?;
        let sign = if self.is_pointer { "&" } else { "" };
        let [from, last] = [self.written(|it| &it.low), self.written(|it| &it.high)].map(|it| format!("{sign}{it}"));
        Some(Part { from, to: Some(format!("(const char *){last} + {}", count.operand())), pieces: None })
    }

    fn written(&self, at: impl Fn(&Corners) -> &Code) -> String {
        let subscripts = self.subscripts.iter().map(|it| format!("[{}]", at(it).text));
        self.base.text.clone() + &subscripts.collect::<String>()
    }

    /// Where a factor may be negative, the ends are exchanged, which can be seen when they are known, if there is one loop.
    fn check_order(&self, naturals: &[String]) -> Option<()> {
        let varying: usize = self.subscripts.iter().map(|it| it.varying).sum();
        let mut factors = self.subscripts.iter().flat_map(|it| &it.factors);
        (varying <= 1 || factors.all(|factor| naturals.contains(factor))).then_some(())
    }
}

/// Whether a product has all these factors; both are sorted.
fn has_factors(product: &[String], factors: &[String]) -> bool {
    let mut rest = product.iter();
    factors.iter().all(|factor| rest.any(|it| it == factor))
}
