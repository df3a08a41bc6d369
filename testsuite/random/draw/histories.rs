//! Arrays with a row for each step: whole histories, records of places and lines, sources.

use super::super::model::{Assign, Condition, Dim, Element, Expr, Item, Loop, Reference, STEPS, Statement};
use super::super::model::{Subscript, Sweep, TimeForm, Wall};
use super::Draft;
use super::values::binary;

/// All of what each step computes, in a row of its own that the next steps read.
pub fn history(draft: &mut Draft) {
    let (levels, stride) = (draft.random.pick(&[1, 1, 2]), draft.step_stride());
    let newest = match draft.program.time {
        Some(TimeForm::Down) => -1,
        Some(TimeForm::FromOne) if draft.random.chance(50) => levels - 1,
        _ => stride * levels,
    };
    let element = draft.draw_field_element();
    let field = draft.add_field(element);
    let rows = draft.step_dim(newest.max(newest - stride * levels));
    draft.program.fields[field].dims.insert(0, rows);
    draft.rows.push((field, newest));
    let mut reads: Vec<Reference> = (0..draft.random.within(1, 6)).map(|_| draft.neighbour(field)).collect();
    for read in &mut reads {
        read.move_row(-stride * draft.random.within(1, levels));
    }
    let target = draft.here(field);
    // A row begins as what is stored first, not as what was there before.
    let statement = Statement { assign: Assign::Set, ..draft.statement(target, reads) };
    let loops = draft.interior();
    draft.push_item(Item::Sweep(Sweep::new(loops, vec![statement])));
}

impl Reference {
    /// Names the same place of another step.
    fn move_row(&mut self, rows: i64) {
        self.subscripts.iter_mut().filter(|subscript| subscript.axis == STEPS).for_each(|it| it.offset += rows);
    }
}

impl Draft<'_> {
    /// What the loop over time adds to its variable.
    fn step_stride(&self) -> i64 {
        match self.program.time {
            Some(TimeForm::Down) => -1,
            Some(TimeForm::Twos) => 2,
            _ => 1,
        }
    }

    /// A dimension with the rows `t` and `t + ahead` of every step.
    pub fn step_dim(&mut self, ahead: i64) -> Dim {
        let scale = if self.program.time == Some(TimeForm::Twos) { 2 } else { 1 };
        let more = if self.random.chance(30) { 1 } else { 0 };
        Dim { axis: STEPS, scale, extra: ahead.max(0) + 1 + more }
    }

    /// How far from row `t` the step's own row of a field is.
    pub fn row_of(&self, field: usize) -> i64 {
        self.rows.iter().find(|(other, _)| *other == field).map_or(0, |(_, row)| *row)
    }

    fn written_fields(&self) -> Vec<usize> {
        let fields = &self.program.fields;
        (0..fields.len()).filter(|field| self.program.is_written(*field) && fields[*field].slots == 1).collect()
    }

    /// What some field is in each step at a place, on a line or everywhere.
    pub fn draw_record(&mut self) {
        let sources = self.written_fields();
        if sources.is_empty() || !self.random.chance(12) {
            return;
        }
        let source = self.random.pick(&sources);
        let axes = self.kept_axes();
        self.note(if axes.is_empty() { "record of a place" } else { "record of a line" });
        let target = self.record_of(source, &axes);
        let read = self.fixed_outside(source, &axes);
        let mut statement = Statement::set(target, Expr::Read(read));
        if self.random.chance(20) {
            statement.guard = Some(Condition::StepModulo { modulus: 2, remainder: self.random.within(0, 1) });
        }
        self.insert_sweep(&axes, statement);
    }

    fn record_of(&mut self, source: usize, axes: &[usize]) -> Reference {
        let mut dims: Vec<Dim> = axes.iter().map(|axis| Dim { axis: *axis, scale: 1, extra: 0 }).collect();
        let is_last = dims.len() < self.program.rank && self.random.chance(20);
        let at = if is_last { dims.len() } else { 0 };
        let rows = self.step_dim(0);
        dims.insert(at, rows);
        let element = if self.random.chance(80) { self.program.fields[source].element } else { Element::Double };
        let field = self.add_shaped_field(element, dims);
        self.here(field)
    }

    /// `u[k] += src[t];`, or the same on a line or everywhere.
    pub fn draw_source(&mut self) {
        let is_real = |field: &usize| self.program.fields[*field].element.is_real();
        let targets: Vec<usize> = self.written_fields().into_iter().filter(is_real).collect();
        if targets.is_empty() || !self.random.chance(12) {
            return;
        }
        self.note("source");
        let field = self.random.pick(&targets);
        let axes = self.kept_axes();
        let target = self.fixed_outside(field, &axes);
        let rows = self.step_dim(0);
        let element = self.random.pick(&[Element::Double, Element::Double, Element::Float]);
        let source = self.add_shaped_field(element, vec![rows]);
        let read = Expr::Read(self.here(source));
        let value = if self.random.chance(50) { read } else { binary("*", Expr::Real(3), read) };
        let mut statement = Statement::set(target, value);
        statement.assign = self.random.pick(&[Assign::Add, Assign::Add, Assign::Sub, Assign::Set]);
        self.insert_sweep(&axes, statement);
    }

    /// None, all but one, or all axes of space.
    fn kept_axes(&mut self) -> Vec<usize> {
        let removed = self.random.within(0, self.program.rank as i64 - 1) as usize;
        match self.random.within(0, 9) {
            0..=5 => Vec::new(),
            6..=8 => (0..self.program.rank).filter(|axis| *axis != removed).collect(),
            _ => (0..self.program.rank).collect(),
        }
    }

    /// The element at the point along `axes`, and at a fixed place along all others.
    fn fixed_outside(&mut self, field: usize, axes: &[usize]) -> Reference {
        let mut reference = self.here(field);
        for subscript in reference.subscripts.iter_mut() {
            if subscript.axis != STEPS && !axes.contains(&subscript.axis) {
                let size = self.random.within(0, 1);
                let axis = subscript.axis;
                *subscript = Subscript { axis, scale: 0, size, offset: -size, wall: Wall::Open };
            }
        }
        reference
    }

    /// A sweep over all places of `axes`, mostly behind all others.
    fn insert_sweep(&mut self, axes: &[usize], statement: Statement) {
        let is_kept = |space_loop: &Loop| axes.contains(&space_loop.axis);
        let loops = self.everywhere().into_iter().filter(is_kept).collect();
        let (place, last) = (self.random.within(0, self.program.items.len() as i64) as usize, self.program.items.len());
        let place = if self.random.chance(60) { last } else { place };
        self.program.items.insert(place, Item::Sweep(Sweep::new(loops, vec![statement])));
    }
}
