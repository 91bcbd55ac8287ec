//! The rules of engines over tables ([`storage::Storage`]), and the engine in memory. Other engines answer as it does.

mod append;
mod create;
mod lease;
mod log;
mod operations;
mod retention;
mod storage;
mod tables;
mod thread;

use std::time::Duration;

use super::key::LogKey;
use super::operation::Operation;
use super::reply::{Hint, Reply};
pub use log::END_BYTES;
use tables::Tables;

/// The limits of a [`MemoryStore`]. A log or a thread that has no active run makes room before its time is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreLimits {
    /// The largest number of logs.
    pub max_logs: usize,
    /// The largest number of threads.
    pub max_threads: usize,
    /// The largest sum of the bytes of frames and snapshots.
    pub max_bytes: usize,
}

impl Default for StoreLimits {
    fn default() -> Self {
        Self { max_logs: 10_000, max_threads: 10_000, max_bytes: 256 << 20 }
    }
}

/// The logs of one process. The host gives each operation the time of one monotonic clock.
#[derive(Debug, Default)]
pub struct MemoryStore {
    tables: Tables,
}

/// The result of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executed {
    /// The reply to its sender.
    pub reply: Reply,
    /// The hints to those who watch these logs.
    pub hints: Vec<(LogKey, Hint)>,
}

impl MemoryStore {
    /// A store without logs.
    pub fn new(limits: StoreLimits) -> Self {
        Self { tables: Tables::new(limits) }
    }

    /// Executes an operation.
    #[allow(clippy::needless_pass_by_value)] // An engine takes what it executes.
    pub fn execute(&mut self, now: Duration, operation: Operation) -> Executed {
        let Ok(executed) = operations::execute(&mut self.tables, now, &operation);
        executed
    }
}
