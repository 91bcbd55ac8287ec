//! The interface of an engine to servers in Rust.

mod memory;
#[cfg(feature = "redis")]
mod redis;
#[cfg(feature = "sqlite")]
mod sqlite;
mod watchers;

use std::future::Future;
use std::pin::Pin;

use super::exchange::EngineFailure;
use super::key::LogKey;
use super::operation::Operation;
use super::reply::{Hint, Reply};

pub use memory::MemoryLog;
#[cfg(feature = "redis")]
pub use redis::RedisLog;
#[cfg(feature = "sqlite")]
pub use sqlite::SQLiteLog;

/// The reply of an engine, once it has come.
pub type ReplyFuture<'l> = Pin<Box<dyn Future<Output = Result<Reply, EngineFailure>> + Send + 'l>>;

/// A function that is told the hints of a log. It may be called from any thread, and returns at once.
pub type OnHint = Box<dyn Fn(Hint) + Send + Sync>;

/// An engine that keeps the logs of runs. Its replies are those of [`MemoryLog`], to every operation.
pub trait Log: Send + Sync + 'static {
    /// Executes an operation.
    fn execute(&self, operation: Operation) -> ReplyFuture<'_>;

    /// Tells `on_hint` the hints of a log, until the returned value is dropped. Hints may be lost, so an engine may have
    /// none.
    fn watch(&self, key: &LogKey, on_hint: OnHint) -> Box<dyn Send + Sync>;
}
