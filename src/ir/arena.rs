//! Arenas with typed handles; the span of a value is stored beside it.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use crate::source::Span;

/// The place of a `T` in its [`Arena`].
pub struct Handle<T> {
    index: u32,
    marker: PhantomData<fn() -> T>,
}

impl<T> Handle<T> {
    /// Position in the arena, counted from 0 in order of insertion.
    pub fn index(self) -> usize {
        self.index as usize
    }
}

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Handle<T> {}
impl<T> PartialEq for Handle<T> {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}
impl<T> Eq for Handle<T> {}
impl<T> PartialOrd for Handle<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> Ord for Handle<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.index.cmp(&other.index)
    }
}
impl<T> Hash for Handle<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.index.hash(state);
    }
}
impl<T> fmt::Debug for Handle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}]", self.index)
    }
}

/// A growing list of values that are referred to by [`Handle`].
#[derive(Clone, Debug)]
pub struct Arena<T> {
    data: Vec<T>,
    spans: Vec<Span>,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self { data: Vec::new(), spans: Vec::new() }
    }
}

impl<T> Arena<T> {
    /// Adds `value`, found at `span`.
    pub fn push(&mut self, value: T, span: Span) -> Handle<T> {
        let index = u32::try_from(self.data.len()).expect("an arena holds fewer than 2^32 values");
        self.data.push(value);
        self.spans.push(span);
        Handle { index, marker: PhantomData }
    }

    /// Where the value stands in the original file.
    pub fn span(&self, handle: Handle<T>) -> Span {
        self.spans[handle.index()]
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// Whether it holds no value.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// All values with their handles, in order of insertion.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Handle<T>, &T)> {
        self.data.iter().enumerate().map(|(index, value)| (Handle { index: index as u32, marker: PhantomData }, value))
    }

    /// All handles, in order of insertion.
    pub fn handles(&self) -> impl DoubleEndedIterator<Item = Handle<T>> + use<T> {
        (0..self.data.len() as u32).map(|index| Handle { index, marker: PhantomData })
    }
}

impl<T> Index<Handle<T>> for Arena<T> {
    type Output = T;
    fn index(&self, handle: Handle<T>) -> &T {
        &self.data[handle.index()]
    }
}

impl<T> IndexMut<Handle<T>> for Arena<T> {
    fn index_mut(&mut self, handle: Handle<T>) -> &mut T {
        &mut self.data[handle.index()]
    }
}
