//! What declarations make of other variables: whoever measures a nest need not be asked for that.

use std::collections::BTreeMap;

use tree_sitter::Node;

use super::polynomial::{Indeterminate, Polynomial};
use super::reader::Reader;
use crate::ir::{Handle, HostValue, Nest, Param, ParamValue, SumOfProducts};

impl<'t> Reader<'_, '_, 't> {
    /// Notes the integer parameters whose declarations compute them from variables that still have their values.
    pub fn note_initial_values(&mut self, node: Node<'t>) {
        // The initialisers are read for their values alone, and leave no trace in the nest.
        let nest = self.nest.clone();
        let (facts, naturals, roots) = (self.facts.len(), self.naturals.clone(), self.roots.len());
        let initial = self.initial_values(node);
        let sum = |(param, value): (_, &Polynomial)| Some((self.variable_of(param)?, self.in_variables(value)?));
        let found: BTreeMap<_, _> = initial.iter().map(|(param, value)| (*param, value)).filter_map(sum).collect();
        // Values are told apart for good.
        let values = std::mem::take(&mut self.nest.values);
        self.nest = Nest { values, ..nest };
        self.facts.truncate(facts);
        self.roots.truncate(roots);
        self.naturals = naturals;
        self.nest.initial_values = found;
    }

    /// The variable of the user's that a parameter is.
    pub fn variable_of(&self, param: Handle<Param>) -> Option<Handle<HostValue>> {
        match self.nest.params[param].value {
            ParamValue::Variable(variable) => Some(variable),
            _ => None,
        }
    }

    fn in_variables(&self, value: &Polynomial) -> Option<SumOfProducts> {
        let variable = |symbol: &Indeterminate| match symbol {
            Indeterminate::Param(param) => self.variable_of(*param),
            _ => None,
        };
        value
            .terms()
            .map(|(product, factor)| Some((factor, product.iter().map(variable).collect::<Option<_>>()?)))
            .collect()
    }
}
