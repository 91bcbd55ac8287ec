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

use super::operation::Operation;
pub use log::END_BYTES;
#[cfg(feature = "sqlite")]
pub use log::LogRecord;
#[cfg(feature = "sqlite")]
pub use operations::is_read;
pub use operations::{Executed, execute};
#[cfg(feature = "sqlite")]
pub use storage::{Lack, Run, Storage, ThreadRecord};
pub use tables::StoreLimits;
use tables::Tables;

/// The logs of one process. The host gives each operation the time of one monotonic clock.
#[derive(Debug, Default)]
pub struct MemoryStore {
    tables: Tables,
}

impl MemoryStore {
    /// A store without logs.
    pub fn new(limits: StoreLimits) -> Self {
        Self { tables: Tables::new(limits) }
    }

    /// Executes an operation.
    #[allow(clippy::needless_pass_by_value)] // An engine takes what it executes.
    pub fn execute(&mut self, now: Duration, operation: Operation) -> Executed {
        let Ok(executed) = execute(&mut self.tables, now, &operation);
        executed
    }
}
