//! Those who are told the hints of logs.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::OnHint;
use crate::durable::reply::Hint;

/// The functions that are told hints, by log or by channel.
pub struct Watchers<K>(Arc<Mutex<Watched<K>>>);

struct Watched<K> {
    functions: HashMap<K, HashMap<u64, Arc<OnHint>>>,
    count: u64,
}

/// Ends the watch when it is dropped.
pub struct Watch<K: Eq + Hash> {
    key: K,
    number: u64,
    watchers: Watchers<K>,
}

impl<K> Default for Watchers<K> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Watched { functions: HashMap::new(), count: 0 })))
    }
}

impl<K> Clone for Watchers<K> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K: Clone + Eq + Hash> Watchers<K> {
    pub fn add(&self, key: K, on_hint: OnHint) -> Watch<K> {
        let mut watched = self.lock();
        watched.count += 1;
        let number = watched.count;
        watched.functions.entry(key.clone()).or_default().insert(number, Arc::new(on_hint));
        Watch { key, number, watchers: self.clone() }
    }

    /// Tells a hint to those who watch. They are called when nothing is locked.
    pub fn tell<Q: Eq + Hash + ?Sized>(&self, key: &Q, hint: Hint)
    where
        K: Borrow<Q>,
    {
        let told: Vec<_> =
            self.lock().functions.get(key).into_iter().flat_map(HashMap::values).cloned().collect();
        for on_hint in told {
            // A function that panics ends neither the operation that tells it nor the others.
            let _ = catch_unwind(AssertUnwindSafe(|| on_hint(hint)));
        }
    }

    /// What is watched.
    #[cfg(feature = "redis")]
    pub fn keys(&self) -> std::collections::HashSet<K> {
        self.lock().functions.keys().cloned().collect()
    }
}

impl<K> Watchers<K> {
    fn lock(&self) -> MutexGuard<'_, Watched<K>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash> Drop for Watch<K> {
    fn drop(&mut self) {
        let mut watched = self.watchers.lock();
        let Some(functions) = watched.functions.get_mut(&self.key) else { return };
        let removed = functions.remove(&self.number);
        if functions.is_empty() {
            watched.functions.remove(&self.key);
        }
        // What the function owns may watch, too.
        drop(watched);
        drop(removed);
    }
}
