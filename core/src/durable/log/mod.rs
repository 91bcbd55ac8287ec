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
///
/// ```
/// use ag_ui_native::durable::{Operation, Reply, ReplyFuture};
///
/// fn execute(_operation: Operation) -> ReplyFuture<'static> {
///     Box::pin(async { Ok(Reply::Done) })
/// }
/// ```
pub type ReplyFuture<'l> = Pin<Box<dyn Future<Output = Result<Reply, EngineFailure>> + Send + 'l>>;

/// A function that is told the hints of a log. It may be called from any thread, and returns at once.
///
/// ```
/// use ag_ui_native::durable::{Hint, Log, LogKey, MemoryLog, OnHint};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let on_hint: OnHint = Box::new(|hint: Hint| println!("{hint:?}"));
/// let watching = MemoryLog::default().watch(&LogKey::new("user-7", "t1", "r1")?, on_hint);
/// drop(watching);
/// # Ok(())
/// # }
/// ```
pub type OnHint = Box<dyn Fn(Hint) + Send + Sync>;

/// An engine that keeps the logs of runs. Its replies are those of [`MemoryLog`], to every operation.
///
/// ```
/// use ag_ui_native::durable::{Log, MemoryLog, Operation, Reply};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let log = MemoryLog::default();
/// let reply = log.execute(Operation::delete_thread("user-7", "t1")?).await.unwrap();
/// assert_eq!(reply, Reply::Done);
/// # Ok(())
/// # }
/// ```
pub trait Log: Send + Sync + 'static {
    /// Executes an operation.
    fn execute(&self, operation: Operation) -> ReplyFuture<'_>;

    /// Tells `on_hint` the hints of a log, until the returned value is dropped. Hints may be lost, so an engine may have
    /// none.
    fn watch(&self, key: &LogKey, on_hint: OnHint) -> Box<dyn Send + Sync>;
}
