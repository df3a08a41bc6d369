//! Ways to write a program that was drawn: functions, structures, global variables.

use std::mem;

use super::super::carried::Carried;
use super::super::model::{Form, Item};
use super::super::ways::{GuardWay, Kind, Nesting, Routine, Run, Sizes, Structure, Way};
use super::Draft;

impl Draft<'_> {
    /// How a value gets to its element.
    pub fn draw_way(&mut self) -> Way {
        let way = match self.random.within(0, 99) {
            0..=11 => Way::Local,
            12..=18 => Way::Result(self.draw_routine()),
            19..=24 => Way::Out(self.draw_routine()),
            25..=30 => Way::Store(self.draw_routine()),
            31..=36 => Way::Running(Run::Subscript),
            37..=40 => Way::Running(Run::Pointer),
            _ => Way::Direct,
        };
        match way {
            Way::Result(_) => self.note("function of a point: result"),
            Way::Out(_) => self.note("function of a point: out-parameter"),
            Way::Store(_) => self.note("function of a point: store"),
            Way::Running(_) => self.note("running subscript or pointer"),
            Way::Direct | Way::Local | Way::Carried => {}
        }
        way
    }

    pub fn draw_guard_way(&mut self) -> GuardWay {
        let ways = [GuardWay::If, GuardWay::If, GuardWay::Continue, GuardWay::Switch];
        let way = self.random.pick(&ways);
        match way {
            GuardWay::Continue => self.note("continue"),
            GuardWay::Switch => self.note("switch"),
            GuardWay::If => {}
        }
        way
    }

    /// Scalars that carry elements from point to point; more of them where the next point would overwrite the element.
    fn draw_carried(&mut self) {
        let mut items = mem::take(&mut self.program.items);
        for item in &mut items {
            let Item::Sweep(sweep) = item else { continue };
            let mut copy = sweep.clone();
            copy.statements.iter_mut().for_each(|statement| statement.way = Way::Carried);
            let Some(carried) = Carried::of(&self.program, &copy) else { continue };
            let statement = &mut sweep.statements[carried.statement];
            let is_in_place = statement.target.field == carried.read.field;
            if self.random.chance(if is_in_place { 70 } else { 15 }) {
                self.note("scalar from point to point");
                statement.way = Way::Carried;
            }
        }
        self.program.items = items;
    }

    pub fn draw_routine(&mut self) -> Routine {
        let kinds = [Kind::Static, Kind::Static, Kind::StaticInline, Kind::External, Kind::OldStyle];
        Routine {
            kind: self.random.pick(&kinds),
            passes_fields: self.random.chance(60),
            is_behind: self.random.chance(25),
            is_elsewhere: false,
        }
    }

    /// Drawn last, as they may be had with all that is drawn before.
    pub fn draw_ways(&mut self) {
        self.draw_carried();
        self.draw_places_of_variables();
        self.draw_packing();
        if self.random.chance(35) {
            self.draw_division();
        }
        if self.random.chance(20) {
            self.draw_other_file();
        }
    }

    fn draw_places_of_variables(&mut self) {
        match self.random.within(0, 99) {
            0..=14 => {
                self.note("global sizes");
                self.program.setting.sizes = Sizes::Global;
            }
            15..=22 => {
                self.note("all global");
                self.program.setting.sizes = Sizes::Global;
                self.program.scalars.iter_mut().for_each(|scalar| scalar.is_global = true);
                let flat = self.program.fields.iter_mut().filter(|field| field.form == Form::Flat);
                flat.for_each(|field| field.form = Form::GlobalFlat);
            }
            23..=42 => self.draw_structure(),
            _ => {}
        }
    }

    fn draw_structure(&mut self) {
        self.note("structure");
        let structure = Structure {
            by_pointer: self.random.chance(70),
            sizes: self.random.pick(&[None, Some(Nesting::Flat), Some(Nesting::Flat), Some(Nesting::Nested)]),
            holds_scalars: self.random.chance(60),
            // Clauses name variables, not members.
            holds_fields: self.random.chance(60) && !self.program.setting.states_extents,
        };
        self.note(if structure.by_pointer { "structure by pointer" } else { "structure by value" });
        if structure.holds_fields {
            self.note("arrays as members");
        }
        self.program.setting.structure = Some(structure);
    }

    /// Sweeps, steps and exchanges that are functions.
    fn draw_division(&mut self) {
        let mut routines = Vec::new();
        for _ in 0..self.program.items.len() {
            routines.push(self.random.chance(70).then(|| self.draw_routine()));
        }
        for (item, routine) in self.program.items.iter_mut().zip(routines) {
            if let Item::Sweep(sweep) = item
                && sweep.routine.is_none()
            {
                sweep.routine = routine;
            }
        }
        if self.program.sweeps().any(|sweep| sweep.routine.is_some()) {
            self.note("sweeps in functions");
        }
        if self.program.time.is_some() && self.random.chance(25) {
            self.note("step in a function");
            self.program.division.step = Some(self.draw_routine());
        }
        if self.program.items.iter().any(|item| matches!(item, Item::Rotate(_))) && self.random.chance(60) {
            self.note("exchange in a function");
            self.program.division.exchange = Some(self.draw_routine());
        }
    }

    fn draw_other_file(&mut self) {
        let count = self.program.routines_mut().count();
        if count == 0 {
            return;
        }
        self.note("two files");
        let moves: Vec<bool> = (0..count).map(|_| self.random.chance(70)).collect();
        self.program.routines_mut().zip(moves).for_each(|(routine, moves)| routine.is_elsewhere = moves);
    }
}
