//! Those who watch logs.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::durable::key::LogKey;
use crate::durable::reply::Hint;

type Callback = Arc<dyn Fn(Hint) + Send + Sync>;

#[derive(Default)]
pub struct Watchers(Mutex<Watched>);

#[derive(Default)]
struct Watched {
    logs: HashMap<LogKey, WatchedLog>,
    count: u64,
}

#[derive(Default)]
struct WatchedLog {
    /// The news that were told.
    seen: News,
    callbacks: Vec<(u64, Callback)>,
}

/// The parts of a log that hints report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct News {
    /// The number of the next frame.
    pub next: u64,
    pub is_cancelled: bool,
}

impl Watchers {
    pub fn add(self: &Arc<Self>, key: LogKey, callback: Callback) -> SqliteWatch {
        let mut watched = self.lock();
        watched.count += 1;
        let number = watched.count;
        watched.logs.entry(key.clone()).or_default().callbacks.push((number, callback));
        SqliteWatch { watchers: Arc::clone(self), key, number, process: process::id() }
    }

    pub fn is_empty(&self) -> bool {
        self.lock().logs.is_empty()
    }

    /// The number of logs that are watched.
    pub fn count(&self) -> usize {
        self.lock().logs.len()
    }

    pub fn keys(&self) -> Vec<LogKey> {
        self.lock().logs.keys().cloned().collect()
    }

    /// Gives a hint to the watchers of the log.
    pub fn hint(&self, key: &LogKey, hint: Hint) {
        let mut watched = self.lock();
        let Some(log) = watched.logs.get_mut(key) else { return };
        match hint {
            Hint::Appended { next } => log.seen.next = next,
            Hint::Cancelled => log.seen.is_cancelled = true,
        }
        let callbacks = log.callbacks.clone();
        drop(watched);
        for (_, callback) in callbacks {
            // A callback that panics ends nothing but itself.
            let _ = catch_unwind(AssertUnwindSafe(|| callback(hint)));
        }
    }

    /// Gives hints of the changes since the last hints.
    pub fn look(&self, key: &LogKey, news: News) {
        let Some(seen) = self.lock().logs.get(key).map(|log| log.seen) else { return };
        if news.next != seen.next {
            self.hint(key, Hint::Appended { next: news.next });
        }
        if news.is_cancelled && !seen.is_cancelled {
            self.hint(key, Hint::Cancelled);
        }
    }

    fn remove(&self, key: &LogKey, number: u64) {
        let mut watched = self.lock();
        let Some(log) = watched.logs.get_mut(key) else { return };
        let callback = log.callbacks.iter().position(|(other, _)| *other == number);
        let callback = callback.map(|index| log.callbacks.swap_remove(index));
        if log.callbacks.is_empty() {
            watched.logs.remove(key);
        }
        // What the callback owns may watch, too.
        drop(watched);
        drop(callback);
    }

    fn lock(&self) -> MutexGuard<'_, Watched> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A watcher of a log, until it is dropped. A hint that is on its way may still come.
#[must_use = "hints come until it is dropped"]
pub struct SqliteWatch {
    watchers: Arc<Watchers>,
    key: LogKey,
    number: u64,
    process: u32,
}

impl Drop for SqliteWatch {
    fn drop(&mut self) {
        // After a fork a lock of the parent may stay locked for ever.
        if self.process == process::id() {
            self.watchers.remove(&self.key, self.number);
        }
    }
}
