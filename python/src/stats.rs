//! Counters of the native paths, for tests.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A counter.
#[derive(Debug)]
pub struct Counter(AtomicU64);

impl Counter {
    /// Adds one.
    #[inline]
    pub fn add(&self) {
        self.0.store(self.0.load(Relaxed) + 1, Relaxed);
    }

    /// Returns the count.
    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

/// Instances made by calling a class.
pub static CONSTRUCTED: Counter = Counter(AtomicU64::new(0));
/// Objects written as JSON.
pub static ENCODED: Counter = Counter(AtomicU64::new(0));
/// Documents read.
pub static DECODED: Counter = Counter(AtomicU64::new(0));
