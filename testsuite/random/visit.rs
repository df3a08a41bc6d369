//! Walks over everything a program is made of, to change it.

use super::model::{Condition, Expr, Host, HostCode, Item, Program, Reference, Statement, Sweep};
use super::ways::Routine;

impl Program {
    /// All values, outermost only.
    pub fn values_mut<'a>(&'a mut self) -> impl Iterator<Item = &'a mut Expr> {
        self.items.iter_mut().flat_map(|item| match item {
            Item::Sweep(sweep) => {
                let values = |it: &'a mut Statement| [&mut it.value].into_iter().chain(&mut it.otherwise);
                let foldings = sweep.foldings.iter_mut().map(|folding| &mut folding.value);
                sweep.statements.iter_mut().flat_map(values).chain(foldings).collect()
            }
            Item::Advance(advance) => vec![&mut advance.value],
            Item::Copy { .. } | Item::Rotate(_) => Vec::new(),
        })
    }

    /// The functions of sweeps, of statements, of steps and of exchanges.
    pub fn routines_mut(&mut self) -> impl Iterator<Item = &mut Routine> {
        let of_items = self.items.iter_mut().flat_map(|item| match item {
            Item::Sweep(sweep) => {
                let of_statements = sweep.statements.iter_mut().filter_map(|statement| statement.way.routine_mut());
                sweep.routine.iter_mut().chain(of_statements).collect::<Vec<_>>()
            }
            _ => Vec::new(),
        });
        of_items.chain(&mut self.division.step).chain(&mut self.division.exchange)
    }

    /// Calls `change` with every element that the nest touches.
    pub fn change_references(&mut self, change: &mut impl FnMut(&mut Reference)) {
        self.items.iter_mut().for_each(|item| item.change_references(change));
    }

    /// Drops fields and scalars that nothing names; true if there were any.
    pub fn drop_unused(&mut self) -> bool {
        let before = (self.fields.len(), self.scalars.len());
        for field in (0..self.fields.len()).rev() {
            if !self.names_field(field) {
                self.remove_field(field);
            }
        }
        for scalar in (0..self.scalars.len()).rev() {
            if !self.names_scalar(scalar) {
                self.remove_scalar(scalar);
            }
        }
        before != (self.fields.len(), self.scalars.len())
    }

    /// Drops a fold, and all that names it.
    pub fn remove_fold(&mut self, removed: usize) {
        let shift = |fold: &mut usize| *fold -= usize::from(*fold > removed);
        self.folds.remove(removed);
        self.exit = self.exit.take().filter(|exit| exit.fold != removed);
        self.exit.iter_mut().for_each(|exit| shift(&mut exit.fold));
        self.host.retain(|code| code.kind.fold() != Some(removed));
        self.host.iter_mut().filter_map(|code| code.kind.fold_mut()).for_each(shift);
        for item in &mut self.items {
            if let Item::Sweep(sweep) = item {
                sweep.foldings.retain(|folding| folding.fold != removed);
                sweep.foldings.iter_mut().for_each(|folding| shift(&mut folding.fold));
                sweep.gives_fold &= !sweep.foldings.is_empty();
            }
        }
        self.items.retain(|item| !matches!(item, Item::Sweep(sweep) if sweep.is_empty()));
        self.change_expressions(&mut |expr| match expr {
            Expr::Fold(fold) if *fold == removed => *expr = Expr::Real(7),
            Expr::Fold(fold) => shift(fold),
            _ => {}
        });
    }

    fn names_field(&mut self, field: usize) -> bool {
        let mut is_named = self.items.iter().any(|item| match item {
            Item::Sweep(_) | Item::Advance(_) => false,
            Item::Copy { to, from } => [*to, *from].contains(&field),
            Item::Rotate(fields) => fields.contains(&field),
        });
        self.change_references(&mut |reference| is_named |= reference.field == field);
        is_named
    }

    fn remove_field(&mut self, removed: usize) {
        let shift = |field: &mut usize| *field -= usize::from(*field > removed);
        self.fields.remove(removed);
        self.change_references(&mut |reference| shift(&mut reference.field));
        self.host.retain(|code| match &code.kind {
            Host::Read { field, .. } | Host::Store { field } => *field != removed,
            Host::Swap(fields) => !fields.contains(&removed),
            _ => true,
        });
        for code in &mut self.host {
            match &mut code.kind {
                Host::Read { field, .. } | Host::Store { field } => shift(field),
                Host::Swap(fields) => fields.iter_mut().for_each(shift),
                _ => {}
            }
        }
        for item in &mut self.items {
            match item {
                Item::Sweep(_) | Item::Advance(_) => {}
                Item::Copy { to, from } => [to, from].into_iter().for_each(shift),
                Item::Rotate(fields) => fields.iter_mut().for_each(shift),
            }
        }
    }

    fn names_scalar(&mut self, scalar: usize) -> bool {
        let is_it = |item: &Item| matches!(item, Item::Advance(advance) if advance.scalar == scalar);
        let feeds = |code: &HostCode| code.kind.clone().scalar_mut().is_some_and(|fed| *fed == scalar);
        let mut is_named = self.items.iter().any(is_it) || self.host.iter().any(feeds);
        self.change_expressions(&mut |expr| is_named |= matches!(expr, Expr::Scalar(index) if *index == scalar));
        is_named
    }

    fn remove_scalar(&mut self, removed: usize) {
        self.scalars.remove(removed);
        for code in &mut self.host {
            if let Some(scalar) = code.kind.scalar_mut() {
                *scalar -= usize::from(*scalar > removed);
            }
        }
        for item in &mut self.items {
            if let Item::Advance(advance) = item {
                advance.scalar -= usize::from(advance.scalar > removed);
            }
        }
        self.change_expressions(&mut |expr| {
            if let Expr::Scalar(index) = expr {
                *index -= usize::from(*index > removed);
            }
        });
    }

    /// Calls `change` with every expression, inner ones first; not with those of guards, which hold no scalars.
    fn change_expressions(&mut self, change: &mut impl FnMut(&mut Expr)) {
        self.values_mut().for_each(|value| value.change_expressions(change));
    }
}

impl Host {
    /// The fold that it looks at.
    pub fn fold(&self) -> Option<usize> {
        self.clone().fold_mut().copied()
    }

    /// The scalar that it gives a value.
    fn scalar_mut(&mut self) -> Option<&mut usize> {
        match self {
            Self::Feed { scalar, .. } | Self::Vary { scalar } => Some(scalar),
            _ => None,
        }
    }

    fn fold_mut(&mut self) -> Option<&mut usize> {
        match self {
            Self::Look { fold }
            | Self::Restart { fold }
            | Self::Gather { fold }
            | Self::Note { fold }
            | Self::Feed { fold, .. } => Some(fold),
            _ => None,
        }
    }
}

impl Sweep {
    /// Whether it does nothing.
    pub fn is_empty(&self) -> bool {
        self.statements.is_empty() && self.foldings.is_empty()
    }
}

impl Item {
    pub fn change_references(&mut self, change: &mut impl FnMut(&mut Reference)) {
        let Self::Sweep(sweep) = self else { return };
        for statement in &mut sweep.statements {
            change(&mut statement.target);
            statement.value.change_references(change);
            statement.otherwise.iter_mut().for_each(|value| value.change_references(change));
            statement.guard.iter_mut().for_each(|guard| guard.change_references(change));
        }
        for folding in &mut sweep.foldings {
            folding.value.change_references(change);
            folding.guard.iter_mut().for_each(|guard| guard.change_references(change));
        }
    }
}

impl Expr {
    /// The expressions it is directly made of.
    pub fn parts_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Self::Binary(_, a, b) => vec![a, b],
            Self::Select(condition, a, b) => {
                let mut parts: Vec<&mut Expr> = condition.parts_mut();
                parts.extend([&mut **a, &mut **b]);
                parts
            }
            Self::Negate(a) | Self::Cast(_, a) => vec![a],
            Self::Call(_, arguments) => arguments.iter_mut().collect(),
            Self::Read(_)
            | Self::Real(_)
            | Self::Integer(_)
            | Self::Scalar(_)
            | Self::Step
            | Self::Place(_)
            | Self::Total(_)
            | Self::Fold(_) => Vec::new(),
        }
    }

    pub fn change_expressions(&mut self, change: &mut impl FnMut(&mut Expr)) {
        self.parts_mut().into_iter().for_each(|part| part.change_expressions(change));
        change(self);
    }

    pub fn change_references(&mut self, change: &mut impl FnMut(&mut Reference)) {
        self.change_expressions(&mut |expr| match expr {
            Self::Read(reference) => change(reference),
            Self::Total(total) => total.reads.iter_mut().for_each(&mut *change),
            _ => {}
        });
    }
}

impl Condition {
    fn parts_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Self::Data(a, _, b) => vec![a, b],
            Self::Both(a, b) => a.parts_mut().into_iter().chain(b.parts_mut()).collect(),
            _ => Vec::new(),
        }
    }

    /// Conditions on a removed axis become one on the first.
    pub fn remove_axis(&mut self, removed: usize) {
        match self {
            Self::Place { axis, .. } => *axis -= usize::from(*axis > removed || *axis > 0 && *axis == removed),
            Self::Parity { axes, .. } => {
                axes.retain(|axis| *axis != removed);
                axes.iter_mut().for_each(|axis| *axis -= usize::from(*axis > removed));
                if axes.is_empty() {
                    axes.push(0);
                }
            }
            Self::Both(a, b) => {
                a.remove_axis(removed);
                b.remove_axis(removed);
            }
            Self::Data(..) | Self::StepModulo { .. } | Self::StepFrom(_) | Self::StepIs(_) => {}
        }
    }

    fn change_references(&mut self, change: &mut impl FnMut(&mut Reference)) {
        self.parts_mut().into_iter().for_each(|part| part.change_references(change));
    }
}
