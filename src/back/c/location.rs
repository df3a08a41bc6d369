//! Storage places of cells.

use super::Body;
use crate::index::Index;
use crate::ir::ScalarType;
use crate::kernel::Location;

impl Body<'_> {
    /// A storage place, as an operand of an assignment.
    pub(super) fn place(&self, place: &Location) -> String {
        match place {
            Location::Global { buffer, layout, base, cell } => {
                let cell: Vec<String> = cell.iter().map(|x| self.index(x)).collect();
                format!("{buffer}[{}]", position(*layout, base, &cell))
            }
            Location::Local { array, cell } => self.local(*array, cell),
            Location::Register(name) => name.clone(),
            Location::Element { array, at } => format!("{}[{}]", self.kernel.local_arrays[*array].name, self.index(at)),
        }
    }

    /// A cell of a local array.
    fn local(&self, array: usize, cell: &[Index]) -> String {
        let array = &self.kernel.local_arrays[array];
        // The loops of a lone work-item become vectors, unless an `int` has to be extended in every turn.
        let is_alone = self.kernel.work_group == [1; 3];
        let mut offset = String::new();
        for (d, x) in cell.iter().enumerate() {
            let origin = Index::name(format!("o{d}"));
            let origin = if is_alone { origin.converted(ScalarType::I64) } else { origin };
            let stride: i64 = array.extents[d + 1..].iter().product();
            let term = format!("({})", self.index(&x.clone().plus(-array.lo[d]).minus(origin)));
            let scaled = if stride == 1 { term } else { format!("{term} * {stride}") };
            offset = if d == 0 { scaled } else { format!("{offset} + {scaled}") };
        }
        format!("{}[{offset}]", array.name)
    }
}

/// The position of a cell that is counted from the one at `base`.
pub(super) fn position(layout: usize, base: &str, cell: &[String]) -> String {
    let last = cell.len() - 1;
    let mut position = base.to_string();
    for (d, x) in cell.iter().enumerate().filter(|(_, x)| *x != "0") {
        let (sign, x) = x.strip_prefix('-').filter(|x| !x.contains(' ')).map_or(('+', x.as_str()), |x| ('-', x));
        let x = if x.contains(' ') { format!("({x})") } else { x.to_string() };
        position += &match (d == last, x.as_str()) {
            (true, _) => format!(" {sign} {x}"),
            (false, "1") => format!(" {sign} stride{layout}_{d}"),
            (false, _) => format!(" {sign} {x} * stride{layout}_{d}"),
        };
    }
    position
}
