//! Storage places of cells.

use super::Body;
use super::position::position;
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
