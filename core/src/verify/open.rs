//! The open names, in the order of opening.

use super::owners::Owner;
use crate::collections::IndexMap;

/// An open entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenEntity<'v> {
    /// Its id, or the name of a step.
    pub id: &'v str,
    /// The subagent invocation that it belongs to; `None` for the agent itself.
    pub subagent_run_id: Option<&'v str>,
}

/// The open names, each with its place in the order of opening.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenSet {
    places: IndexMap<String, u64>,
    opened: u64,
}

impl OpenSet {
    pub fn contains(&self, name: &str) -> bool {
        // Most calls ask for the name opened last.
        self.places.last().is_some_and(|(last, _)| last == name) || self.places.contains_key(name)
    }

    pub fn insert(&mut self, name: &str) {
        self.places.insert(name.to_owned(), self.opened);
        self.opened += 1;
    }

    pub fn remove(&mut self, name: &str) {
        self.places.swap_remove(name);
    }

    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// The names in the order in which they were opened.
    pub fn in_order(&self) -> Vec<&str> {
        let mut names: Vec<_> = self.places.iter().collect();
        names.sort_unstable_by_key(|&(_, place)| *place);
        names.into_iter().map(|(name, _)| name.as_str()).collect()
    }
}

/// The open steps of each owner.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps {
    /// In the order of each owner's first step; an owner stays when its steps are finished.
    by_owner: IndexMap<Option<String>, OpenSet>,
    open: usize,
}

impl Steps {
    pub fn contains(&self, name: &str, owner: Owner<'_>) -> bool {
        self.by_owner.get(&owner).is_some_and(|names| names.contains(name))
    }

    /// The first owner under which a step of this name is open.
    pub fn holder(&self, name: &str) -> Option<Owner<'_>> {
        let mut owners = self.by_owner.iter();
        owners.find_map(|(owner, names)| names.contains(name).then_some(Owner(owner.as_deref())))
    }

    pub fn insert(&mut self, name: &str, owner: Owner<'_>) {
        self.by_owner.entry(owner.0.map(str::to_owned)).or_default().insert(name);
        self.open += 1;
    }

    pub fn remove(&mut self, name: &str, owner: Owner<'_>) {
        let Some(names) = self.by_owner.get_mut(&owner) else { return };
        let before = names.len();
        names.remove(name);
        self.open -= before - names.len();
    }

    pub fn len(&self) -> usize {
        self.open
    }

    /// Number of owners that have had steps.
    pub fn owner_count(&self) -> usize {
        self.by_owner.len()
    }

    /// The steps, by owner, and in the order in which they were opened.
    pub fn in_order(&self) -> Vec<OpenEntity<'_>> {
        let mut open = Vec::with_capacity(self.open);
        for (owner, names) in &self.by_owner {
            let subagent_run_id = owner.as_deref();
            open.extend(names.in_order().into_iter().map(|id| OpenEntity { id, subagent_run_id }));
        }
        open
    }
}
