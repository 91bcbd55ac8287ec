//! The engine in memory.

use ag_ui_native::bindings::durable::{Executed, MemoryStore, StoreLimits};
use napi_derive::napi;

use super::handles::{LogOperation, LogReply, hint_text, key_text};
use super::time::duration;

/// The logs of one process.
#[napi]
#[derive(Debug)]
pub struct MemoryLogStore {
    store: MemoryStore,
}

/// The result of an operation. `hints` are pairs of a key and a hint, one after the other.
#[napi(object, object_from_js = false)]
pub struct LogExecuted {
    pub reply: LogReply,
    pub hints: Vec<String>,
}

#[napi]
impl MemoryLogStore {
    /// A store with these limits.
    #[napi(constructor, catch_unwind)]
    pub fn new(max_logs: Option<f64>, max_threads: Option<f64>, max_bytes: Option<f64>) -> Self {
        let limits = StoreLimits::default();
        let limits = StoreLimits {
            max_logs: max_logs.map_or(limits.max_logs, count),
            max_threads: max_threads.map_or(limits.max_threads, count),
            max_bytes: max_bytes.map_or(limits.max_bytes, count),
        };
        Self { store: MemoryStore::new(limits) }
    }

    /// Executes an operation at a time.
    #[napi(catch_unwind)]
    pub fn execute(&mut self, now: f64, operation: &LogOperation) -> LogExecuted {
        let Executed { reply, hints } = self.store.execute(duration(now), operation.operation.clone());
        let hints = hints.iter().flat_map(|(key, hint)| [key_text(key), hint_text(*hint)]).collect();
        LogExecuted { reply: LogReply { reply }, hints }
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // It saturates.
fn count(number: f64) -> usize {
    number as usize
}
