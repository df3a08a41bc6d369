//! Sets and maps that are written as text, each read by isl once: to read one takes it as long as a simple operation.

use std::cell::RefCell;
use std::collections::BTreeMap;

use isl_bindings::{Context, Map, Set};

use super::Result;

/// What texts in isl's notation mean.
pub struct Texts {
    context: Context,
    sets: RefCell<BTreeMap<String, Set>>,
    maps: RefCell<BTreeMap<String, Map>>,
}

impl Texts {
    /// No text so far.
    pub fn new(context: &Context) -> Self {
        Self { context: context.clone(), sets: RefCell::default(), maps: RefCell::default() }
    }

    /// The set of a text.
    ///
    /// # Errors
    /// isl's errors.
    pub fn set(&self, text: &str) -> Result<Set> {
        known(&self.sets, text, || Set::parse(&self.context, text))
    }

    /// The map of a text.
    ///
    /// # Errors
    /// isl's errors.
    pub fn map(&self, text: &str) -> Result<Map> {
        known(&self.maps, text, || Map::parse(&self.context, text))
    }
}

fn known<T: Clone>(
    read: &RefCell<BTreeMap<String, T>>,
    text: &str,
    parse: impl FnOnce() -> isl_bindings::Result<T>,
) -> Result<T> {
    if let Some(known) = read.borrow().get(text) {
        return Ok(known.clone());
    }
    let parsed = parse()?;
    read.borrow_mut().insert(text.to_owned(), parsed.clone());
    Ok(parsed)
}
