//! The owners of ids.

use std::fmt;

use indexmap::Equivalent;

use crate::collections::HashMap;
use crate::error::quoted;

/// The owner of an event or entity: the subagent invocation of its tag, or the parent agent if it has no tag.
/// The empty string is a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Owner<'a>(pub Option<&'a str>);

impl Equivalent<Option<String>> for Owner<'_> {
    fn equivalent(&self, key: &Option<String>) -> bool {
        self.0 == key.as_deref()
    }
}

impl fmt::Display for Owner<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(tag) => write!(formatter, "subagent {}", quoted(tag)),
            None => formatter.write_str("the parent agent"),
        }
    }
}

/// The owners of ids. They are kept after their entities are closed.
#[derive(Clone, Debug, Default)]
pub(super) struct Owners(HashMap<String, Option<String>>);

impl Owners {
    pub fn get(&self, id: &str) -> Option<Owner<'_>> {
        self.0.get(id).map(|owner| Owner(owner.as_deref()))
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Records an owner, unless one is recorded.
    pub fn record_first(&mut self, id: &str, owner: Owner<'_>) {
        self.0.entry(id.to_owned()).or_insert_with(|| owner.0.map(str::to_owned));
    }

    /// Records an owner, and replaces an earlier one.
    pub fn record(&mut self, id: &str, owner: Owner<'_>) {
        self.0.insert(id.to_owned(), owner.0.map(str::to_owned));
    }
}
