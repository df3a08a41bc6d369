//! Values that tiles fold at each of their levels, so that the host, which looks at what a step's points come to before it asks
//! for the next step, can be told of several steps at a time.

use crate::ir::{Combination, Looks, Nest, PointValues};
use crate::options::Order;
use crate::poly::Recurrences;

/// What the points of each step come to, where it does not matter in which order they are combined.
#[derive(Clone, Debug)]
pub struct Folded {
    /// For each of the nest's [`values`](crate::ir::Folds::values) the sweep that gives it, and how it is combined.
    values: Vec<(usize, Combination)>,
}

impl Folded {
    /// What tiles fold of a nest; `None` if the host does not look at scalars before its loop ends, or must have all
    /// values that one is made of.
    pub fn new(nest: &Nest, recurrences: &Recurrences, order: Order) -> Option<Self> {
        let folds = &nest.step.folds;
        let is_combined =
            |number: usize| folds.actions.iter().any(|it| nest.folded_alone(it).is_some_and(|it| it.0 == number));
        let value = |(number, values): (usize, &PointValues)| {
            let statement = |sweep: usize| &nest.step.statements[recurrences.sweeps.sweeps[sweep].statement];
            let mut sweeps = 0..recurrences.sweeps.sweeps.len();
            let sweep = sweeps.find(|sweep| statement(*sweep).write == values.write)?;
            let how = combination(nest, values, order);
            (is_combined(number) && how != Combination::InOrder).then_some((sweep, how))
        };
        let values: Option<Vec<_>> = folds.values.iter().enumerate().map(value).collect();
        let values = values.filter(|values| folds.looks != Looks::Behind && !values.is_empty())?;
        Some(Self { values })
    }

    /// The number of the value that a sweep gives, and how it is combined.
    pub fn value_of(&self, sweep: usize) -> Option<(usize, Combination)> {
        let number = self.values.iter().position(|(of, _)| *of == sweep)?;
        Some((number, self.values[number].1))
    }
}

/// How what points give may be combined: sums of real numbers in the order of the original loops if that is wanted
/// and bounds are not enough.
pub fn combination(nest: &Nest, values: &PointValues, order: Order) -> Combination {
    match values.combination {
        Combination::Sum if order == Order::Original && nest.gives_real(values) && !values.is_bounded => {
            Combination::InOrder
        }
        other => other,
    }
}
