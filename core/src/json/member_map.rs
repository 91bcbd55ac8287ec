//! A map in the order in which its keys first appeared. Few keys are compared one by one, many have hashes.

use std::fmt;

use smol_str::SmolStr;

use crate::collections::IndexMap;

/// A key. One of up to 23 bytes takes no memory of its own.
pub type Key = SmolStr;

/// At most these keys are compared one by one.
const FEW: usize = 8;

/// The members of an object.
#[derive(Clone)]
pub enum MemberMap<V> {
    Few(Vec<(Key, V)>),
    Many(IndexMap<Key, V>),
}

impl<V: fmt::Debug> fmt::Debug for MemberMap<V> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_map().entries(self.iter()).finish()
    }
}

impl<V> Default for MemberMap<V> {
    fn default() -> Self {
        Self::Few(Vec::new())
    }
}

impl<V> MemberMap<V> {
    /// Takes memory for just these members.
    pub fn of(members: impl ExactSizeIterator<Item = (Key, V)>) -> Self {
        if members.len() > FEW {
            return Self::Many(members.collect());
        }
        let mut map = Self::Few(Vec::with_capacity(members.len()));
        for (key, value) in members {
            map.insert(key, value);
        }
        map
    }

    pub fn len(&self) -> usize {
        match self {
            Self::Few(members) => members.len(),
            Self::Many(members) => members.len(),
        }
    }

    /// Returns the place of `key`.
    #[inline]
    pub fn place(&self, key: &str) -> Option<usize> {
        match self {
            Self::Few(members) => members.iter().position(|(other, _)| other == key),
            Self::Many(members) => members.get_index_of(key),
        }
    }

    /// Returns the value at the place of a key.
    #[inline]
    pub fn value(&self, place: usize) -> &V {
        match self {
            Self::Few(members) => &members[place].1,
            Self::Many(members) => &members[place],
        }
    }

    /// Returns the value at the place of a key, mutable.
    #[inline]
    pub fn value_mut(&mut self, place: usize) -> &mut V {
        match self {
            Self::Few(members) => &mut members[place].1,
            Self::Many(members) => &mut members[place],
        }
    }

    /// Sets a value. A new key comes last. Returns the earlier value.
    #[inline]
    pub fn insert(&mut self, key: Key, value: V) -> Option<V> {
        let Some(place) = self.place(&key) else {
            self.insert_at(self.len(), key, value);
            return None;
        };
        Some(std::mem::replace(self.value_mut(place), value))
    }

    /// Adds a new key at a place among the others.
    pub fn insert_at(&mut self, place: usize, key: Key, value: V) {
        if let Self::Few(members) = self {
            if members.len() < FEW {
                return members.insert(place, (key, value));
            }
            *self = Self::Many(std::mem::take(members).into_iter().collect());
        }
        if let Self::Many(members) = self {
            members.shift_insert(place, key, value);
        }
    }

    /// Removes the member at a place; the others keep their order.
    pub fn remove_at(&mut self, place: usize) -> Option<V> {
        match self {
            Self::Few(members) => (place < members.len()).then(|| members.remove(place).1),
            Self::Many(members) => members.shift_remove_index(place).map(|(_, value)| value),
        }
    }

    /// Returns the members, in order.
    pub fn iter(&self) -> MemberIter<'_, V> {
        match self {
            Self::Few(members) => MemberIter::Few(members.iter()),
            Self::Many(members) => MemberIter::Many(members.iter()),
        }
    }

    /// Returns the values, mutable.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        let (few, many) = match self {
            Self::Few(members) => (Some(members), None),
            Self::Many(members) => (None, Some(members)),
        };
        let few = few.into_iter().flatten().map(|(_, value)| value);
        few.chain(many.into_iter().flat_map(IndexMap::values_mut))
    }

    /// Returns the members with their memory.
    pub fn into_members(self) -> Vec<(Key, V)> {
        match self {
            Self::Few(members) => members,
            Self::Many(members) => members.into_iter().collect(),
        }
    }
}

/// The members of a map, in order.
#[derive(Clone, Debug)]
pub enum MemberIter<'a, V> {
    Few(std::slice::Iter<'a, (Key, V)>),
    Many(indexmap::map::Iter<'a, Key, V>),
}

impl<'a, V> Iterator for MemberIter<'a, V> {
    type Item = (&'a str, &'a V);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Few(members) => members.next().map(|(key, value)| (key.as_str(), value)),
            Self::Many(members) => members.next().map(|(key, value)| (key.as_str(), value)),
        }
    }
}
