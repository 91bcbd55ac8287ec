//! The logs of one process.

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::watchers::Watchers;
use super::{Log, OnHint, ReplyFuture};
use crate::durable::key::LogKey;
use crate::durable::operation::Operation;
use crate::durable::store::{MemoryStore, StoreLimits};

/// Keeps logs in memory: runs outlive their connections, and end with the process.
///
/// A server of several worker processes needs another engine: each process knows only its own runs.
///
/// ```
/// use ag_ui_native::durable::{MemoryLog, StoreLimits};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let log = MemoryLog::new(StoreLimits { max_logs: 1000, ..StoreLimits::default() });
/// # Ok(())
/// # }
/// ```
pub struct MemoryLog {
    begun: Instant,
    store: Mutex<MemoryStore>,
    watchers: Watchers<LogKey>,
}

impl MemoryLog {
    /// Logs within these limits.
    pub fn new(limits: StoreLimits) -> Self {
        let store = Mutex::new(MemoryStore::new(limits));
        Self { begun: Instant::now(), store, watchers: Watchers::default() }
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
        let executed = self
            .store
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .execute(self.begun.elapsed(), operation);
        for (key, hint) in executed.hints {
            self.watchers.tell(&key, hint);
        }
        Box::pin(std::future::ready(Ok(executed.reply)))
    }

    fn watch(&self, key: &LogKey, on_hint: OnHint) -> Box<dyn Send + Sync> {
        Box::new(self.watchers.add(key.clone(), on_hint))
    }
}
