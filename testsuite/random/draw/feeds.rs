//! Sweeps that need what the program folds: a step gets what the step before it, or a sweep before it, has folded.

use super::super::folds::{Fold, FoldKind};
use super::super::model::{Condition, Element, Expr, Item};
use super::Draft;
use super::values::{binary, call};

impl Draft<'_> {
    /// Lets statements need what other sweeps fold.
    pub fn feed_statements(&mut self) {
        for _ in 0..self.random.pick(&[1, 1, 2]) {
            let places = self.fed_places();
            if places.is_empty() {
                return;
            }
            let (item, statement, fold) = self.random.pick(&places);
            self.note("fold: needed by a sweep");
            let fed = self.fed(fold);
            let way = self.random.within(0, 3);
            let Item::Sweep(sweep) = &mut self.program.items[item] else { continue };
            let statement = &mut sweep.statements[statement];
            let value = statement.value.clone();
            statement.value = match way {
                0 => binary("+", value, binary("*", Expr::Real(1), fed)),
                1 => binary("*", value, fed),
                _ => binary("/", value, binary("+", Expr::Real(10), call("fabs", vec![fed]))),
            };
        }
    }

    /// Sweeps and statements of theirs that store real numbers, with folds that other sweeps fold.
    fn fed_places(&self) -> Vec<(usize, usize, usize)> {
        let mut found = Vec::new();
        for (index, item) in self.program.items.iter().enumerate() {
            let Item::Sweep(sweep) = item else { continue };
            if sweep.gives_fold {
                // It gets no others.
                continue;
            }
            for (number, statement) in sweep.statements.iter().enumerate() {
                let element = self.program.fields[statement.target.field].element;
                let folds = (0..self.program.folds.len()).filter(|fold| {
                    let is_own = sweep.foldings.iter().any(|folding| folding.fold == *fold);
                    element.is_real() && !is_own && is_number(&self.program.folds[*fold])
                });
                found.extend(folds.map(|fold| (index, number, fold)));
            }
        }
        found
    }

    /// Something small that is made of a fold, and never of infinities.
    fn fed(&mut self, fold: usize) -> Expr {
        let value = Expr::Fold(fold);
        if !self.program.folds[fold].element.is_real() {
            let value = Expr::Cast(Element::Long, Box::new(value));
            return match self.random.within(0, 2) {
                0 => choose(Condition::Data(value, self.random.pick(&["<", ">=", "=="]), Expr::Integer(3))),
                _ => Expr::Cast(Element::Double, Box::new(binary("%", value, Expr::Integer(7)))),
            };
        }
        let limit = Expr::Real(self.random.within(-3, 12));
        match self.random.within(0, 3) {
            0 => choose(Condition::Data(value, self.random.pick(&["<", ">", "<=", ">="]), limit)),
            _ => {
                let is_small = Condition::Data(call("fabs", vec![value.clone()]), "<", Expr::Integer(1000));
                Expr::Select(Box::new(is_small), Box::new(value), Box::new(Expr::Real(5)))
            }
        }
    }
}

/// Whether it is one number, and no NaN at first, whose sign would be nobody's business.
fn is_number(fold: &Fold) -> bool {
    fold.kind != FoldKind::Place && !fold.initial.contains("NAN") && !fold.initial.contains('/')
}

fn choose(condition: Condition) -> Expr {
    Expr::Select(Box::new(condition), Box::new(Expr::Real(9)), Box::new(Expr::Real(4)))
}
