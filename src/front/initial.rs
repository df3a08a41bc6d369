//! What declarations make of other variables: whoever measures a nest need not be asked for that.

use std::collections::BTreeMap;

use tree_sitter::Node;

use super::polynomial::{Indeterminate, Polynomial};
use super::reader::Reader;
use crate::ir::{ParamValue, SumOfProducts};

impl<'t> Reader<'_, '_, 't> {
    /// Notes the integer parameters whose declarations compute them from variables that still have their values.
    pub fn note_initial_values(&mut self, node: Node<'t>) {
        // The initialisers are read for their values alone, and leave no trace in the nest.
        let nest = self.nest.clone();
        let (facts, naturals, roots) = (self.facts.len(), self.naturals.clone(), self.roots.len());
        let values = self.initial_values(node);
        let named =
            |(handle, value): (_, &Polynomial)| Some((self.nest.params[handle].name.clone(), self.in_names(value)?));
        let found: BTreeMap<_, _> = values.iter().map(|(handle, value)| (*handle, value)).filter_map(named).collect();
        self.nest = nest;
        self.facts.truncate(facts);
        self.roots.truncate(roots);
        self.naturals = naturals;
        self.nest.initial_values = found;
    }

    fn in_names(&self, value: &Polynomial) -> Option<SumOfProducts> {
        let name = |symbol: &Indeterminate| match symbol {
            Indeterminate::Param(param) if self.nest.params[*param].value == ParamValue::Variable => {
                Some(self.nest.params[*param].name.clone())
            }
            _ => None,
        };
        value
            .terms()
            .map(|(product, factor)| Some((factor, product.iter().map(name).collect::<Option<_>>()?)))
            .collect()
    }
}
