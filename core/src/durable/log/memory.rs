//! The logs of one process.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::{Log, OnHint, ReplyFuture};
use crate::durable::key::LogKey;
use crate::durable::operation::Operation;
use crate::durable::reply::Hint;
use crate::durable::store::{MemoryStore, StoreLimits};

/// Keeps logs in memory: runs outlive their connections, and end with the process.
///
/// A server of several worker processes needs another engine: each process knows only its own runs.
pub struct MemoryLog {
    begun: Instant,
    store: Mutex<MemoryStore>,
    watchers: Arc<Mutex<Watchers>>,
}

#[derive(Default)]
struct Watchers {
    by_log: HashMap<LogKey, HashMap<u64, Arc<OnHint>>>,
    count: u64,
}

/// Ends the watch when it is dropped.
struct Watch {
    key: LogKey,
    number: u64,
    watchers: Arc<Mutex<Watchers>>,
}

impl MemoryLog {
    /// Logs within these limits.
    pub fn new(limits: StoreLimits) -> Self {
        let store = Mutex::new(MemoryStore::new(limits));
        Self { begun: Instant::now(), store, watchers: Arc::default() }
    }
}

impl Default for MemoryLog {
    fn default() -> Self {
        Self::new(StoreLimits::default())
    }
}

impl fmt::Debug for MemoryLog {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("MemoryLog")
    }
}

impl Log for MemoryLog {
    fn execute(&self, operation: Operation) -> ReplyFuture<'_> {
        let executed = lock(&self.store).execute(self.begun.elapsed(), operation);
        for (key, hint) in executed.hints {
            self.tell(&key, hint);
        }
        Box::pin(std::future::ready(Ok(executed.reply)))
    }

    fn watch(&self, key: &LogKey, on_hint: OnHint) -> Box<dyn Send + Sync> {
        let mut watchers = lock(&self.watchers);
        watchers.count += 1;
        let number = watchers.count;
        watchers.by_log.entry(key.clone()).or_default().insert(number, Arc::new(on_hint));
        Box::new(Watch { key: key.clone(), number, watchers: Arc::clone(&self.watchers) })
    }
}

impl MemoryLog {
    /// Tells a hint to those who watch the log. They are called when nothing is locked.
    fn tell(&self, key: &LogKey, hint: Hint) {
        let told: Vec<_> =
            lock(&self.watchers).by_log.get(key).into_iter().flat_map(HashMap::values).cloned().collect();
        for on_hint in told {
            on_hint(hint);
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let mut watchers = lock(&self.watchers);
        if let Some(of_log) = watchers.by_log.get_mut(&self.key) {
            of_log.remove(&self.number);
            if of_log.is_empty() {
                watchers.by_log.remove(&self.key);
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
