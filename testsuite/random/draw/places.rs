//! Loops over space and the elements that their points reach.

use super::super::model::{Assign, Element, Expr};
use super::super::model::{
    Base, Bound, Condition, Item, Loop, Reference, STEPS, Slot, Statement, Subscript, Sweep, Wall,
};
use super::Draft;

impl Draft<'_> {
    /// Loops over points whose neighbours all exist.
    pub fn interior(&mut self) -> Vec<Loop> {
        let mut loops: Vec<Loop> = (0..self.program.rank).map(|axis| self.interior_of(axis)).collect();
        if self.random.chance(10) && loops.len() > 1 {
            self.note("loops interchanged");
            loops.reverse();
        }
        loops
    }

    fn interior_of(&mut self, axis: usize) -> Loop {
        let (down, up) = self.reach[axis];
        let more = if self.random.chance(15) { 1 } else { 0 };
        let mut low = Bound { base: Base::Zero, offset: down + more };
        let mut high = Bound { base: Base::Size, offset: -up - more };
        if self.random.chance(6) {
            self.note("sub-domain");
            // Half of the size lies inside whenever the rest is not empty, see `classify`.
            let half = Bound { base: Base::Half, offset: 0 };
            if self.random.chance(50) { low = half } else { high = half }
        }
        self.spell(Loop { axis, low, high, stride: 1, is_descending: false, spelling: 0 })
    }

    /// Loops over all elements.
    pub fn everywhere(&mut self) -> Vec<Loop> {
        let whole = |axis| Loop {
            axis,
            low: Bound { base: Base::Zero, offset: 0 },
            high: Bound { base: Base::Size, offset: 0 },
            stride: 1,
            is_descending: false,
            spelling: 0,
        };
        (0..self.program.rank).map(|axis| self.spell(whole(axis))).collect()
    }

    fn spell(&mut self, space_loop: Loop) -> Loop {
        let is_descending = self.program.setting.index.is_signed() && self.random.chance(15);
        let stride = if self.random.chance(4) { self.random.within(2, 3) } else { 1 };
        if is_descending {
            self.note("descending loop");
        }
        if stride > 1 {
            self.note("loop with a stride");
        }
        Loop { is_descending, stride, spelling: self.random.spelling(), ..space_loop }
    }

    /// The element at the point itself.
    pub fn here(&mut self, field: usize) -> Reference {
        self.at(field, &vec![0; self.program.rank])
    }

    /// The element at an offset from the point.
    pub fn at(&mut self, field: usize, offset: &[i64]) -> Reference {
        let dims = self.program.fields[field].dims.clone();
        let subscripts = dims.iter().map(|dim| Subscript {
            axis: dim.axis,
            scale: if dim.axis == STEPS { 1 } else { dim.scale },
            size: 0,
            offset: offset.get(dim.axis).copied().unwrap_or_else(|| self.row_of(field)),
            wall: Wall::Open,
        });
        let subscripts = subscripts.collect();
        Reference { field, slot: Slot::Fixed(0), subscripts, spelling: self.random.spelling() }
    }

    /// A neighbour within reach, or the point itself.
    pub fn neighbour(&mut self, field: usize) -> Reference {
        let offset = self.draw_offset();
        self.at(field, &offset)
    }

    pub fn draw_offset(&mut self) -> Vec<i64> {
        let mut offset = vec![0; self.program.rank];
        if self.is_star {
            let axis = self.random.within(0, self.program.rank as i64 - 1) as usize;
            let (down, up) = self.reach[axis];
            offset[axis] = self.random.within(-down, up);
        } else {
            for (axis, (down, up)) in self.reach.clone().into_iter().enumerate() {
                offset[axis] = self.random.within(-down, up);
            }
        }
        offset
    }

    /// An element of a field that is only read: anything that exists.
    pub fn coefficient(&mut self, field: usize) -> Reference {
        let offset = self.draw_offset();
        let mut reference = self.at(field, &offset);
        if self.random.chance(15) {
            self.note("coefficient mirrored");
            let dims = self.program.fields[field].dims.clone();
            for (subscript, dim) in reference.subscripts.iter_mut().zip(dims) {
                *subscript = Subscript { scale: -1, size: 1, offset: -1, axis: dim.axis, wall: Wall::Open };
            }
        } else if self.random.chance(20) {
            self.note("coefficient that is the same everywhere");
            for subscript in &mut reference.subscripts {
                let size = self.random.within(0, 1);
                *subscript = Subscript { scale: 0, size, offset: -size, axis: subscript.axis, wall: Wall::Open };
            }
        }
        reference
    }

    /// Borders of some written field, set before or after everything else in a step.
    pub fn draw_borders(&mut self) {
        let fields: Vec<usize> = (0..self.program.fields.len())
            .filter(|field| self.program.is_written(*field) && self.program.fields[*field].slots == 1)
            .collect();
        if fields.is_empty() || !self.random.chance(20) {
            return;
        }
        let field = self.random.pick(&fields);
        let axis = self.random.within(0, self.program.rank as i64 - 1) as usize;
        let is_before = self.random.chance(50);
        self.note(if is_before { "border before" } else { "border after" });
        let sweep = self.border(field, axis);
        let position = if is_before { 0 } else { self.program.items.len() };
        self.program.items.insert(position, Item::Sweep(sweep));
    }

    /// `a[0][j] = a[1][j]; a[n - 1][j] = a[n - 2][j];`
    fn border(&mut self, field: usize, axis: usize) -> Sweep {
        let loops = self.everywhere().into_iter().filter(|space_loop| space_loop.axis != axis).collect();
        let mut statements = Vec::new();
        let both = self.random.chance(70);
        for is_high in [false, true] {
            if is_high && !both {
                continue;
            }
            let target = self.on_border(field, axis, is_high, 0);
            let element = self.program.fields[field].element;
            let inside = Expr::Read(self.on_border(field, axis, is_high, 1));
            let value = self.border_value(element, inside);
            statements.push(Statement::set(target, value));
        }
        Sweep::new(loops, statements)
    }

    fn border_value(&mut self, element: Element, inside: Expr) -> Expr {
        match self.random.within(0, 3) {
            0 => Expr::Integer(1),
            1 if element.is_real() => Expr::Negate(Box::new(inside)),
            2 if element.is_real() => Expr::Binary("*", Box::new(Expr::Real(3)), Box::new(Expr::Step)),
            _ => inside,
        }
    }

    /// The element `depth` steps inside the low or high end of an axis.
    fn on_border(&mut self, field: usize, axis: usize, is_high: bool, depth: i64) -> Reference {
        let mut reference = self.here(field);
        for subscript in reference.subscripts.iter_mut().filter(|subscript| subscript.axis == axis) {
            *subscript = if is_high {
                Subscript { axis, scale: 0, size: 1, offset: -1 - depth, wall: Wall::Open }
            } else {
                Subscript { axis, scale: 0, size: 0, offset: depth, wall: Wall::Open }
            };
        }
        reference
    }

    /// A field that collects what another one was in some steps at some places.
    pub fn draw_accumulator(&mut self) {
        let sources: Vec<usize> = (0..self.program.fields.len())
            .filter(|field| self.program.is_written(*field) && self.program.fields[*field].slots == 1)
            .collect();
        if sources.is_empty() || !self.random.chance(12) {
            return;
        }
        self.note("accumulator");
        let source = self.random.pick(&sources);
        let field = self.add_field(Element::Double);
        let (target, read) = (self.here(field), self.here(source));
        let mut statement = Statement::set(target, Expr::Read(read));
        statement.assign = Assign::Add;
        if self.random.chance(50) {
            statement.guard = Some(Condition::StepModulo { modulus: 2, remainder: self.random.within(0, 1) });
        }
        let loops = self.interior();
        self.push_item(Item::Sweep(Sweep::new(loops, vec![statement])));
    }
}
