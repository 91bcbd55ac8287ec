//! The logs of one machine, in a file.

use std::fmt;
use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use super::{Log, OnHint, ReplyFuture};
use crate::durable::exchange::EngineFailure;
use crate::durable::key::LogKey;
use crate::durable::operation::Operation;
use crate::durable::reply::Reply;
use crate::durable::sqlite::{SqliteOptions, SqliteStore};
use crate::error::Error;

/// Keeps logs in a file of SQLite, for all processes of one machine.
///
/// ```
/// use ag_ui_native::durable::{SQLiteLog, SqliteOptions};
///
/// let path = std::env::temp_dir().join(format!("example-log-{}.db", std::process::id()));
/// let log = SQLiteLog::open(&path, SqliteOptions::default())?;
/// drop(log);
/// # for end in ["", "-wal", "-shm"] {
/// #     let _ = std::fs::remove_file(format!("{}{end}", path.display()));
/// # }
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
pub struct SQLiteLog(SqliteStore);

impl SQLiteLog {
    /// Opens a file, or makes it for its owner alone.
    ///
    /// # Errors
    /// A file of another application or of a newer format; one that cannot be opened.
    pub fn open(path: impl AsRef<Path>, options: SqliteOptions) -> Result<Self, Error> {
        SqliteStore::open(path, options).map(Self)
    }
}

impl fmt::Debug for SQLiteLog {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SQLiteLog")
    }
}

impl Log for SQLiteLog {
    fn execute(&self, operation: Operation) -> ReplyFuture<'_> {
        let awaited = Arc::new(Mutex::new(Awaited::default()));
        let told = Arc::clone(&awaited);
        self.0
            .execute(operation, move |reply| told.lock().unwrap_or_else(PoisonError::into_inner).set(reply));
        Box::pin(Awaiting(awaited))
    }

    fn watch(&self, key: &LogKey, on_hint: OnHint) -> Box<dyn Send + Sync> {
        // Without hints the log is looked at each second.
        match self.0.watch(key.clone(), on_hint) {
            Ok(watch) => Box::new(watch),
            Err(_) => Box::new(()),
        }
    }
}

/// A reply that a thread of the store gives.
#[derive(Default)]
struct Awaited {
    reply: Option<Result<Reply, EngineFailure>>,
    waker: Option<Waker>,
}

impl Awaited {
    fn set(&mut self, reply: Result<Reply, Error>) {
        self.reply = Some(reply.map_err(|_| EngineFailure));
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

struct Awaiting(Arc<Mutex<Awaited>>);

impl Future for Awaiting {
    type Output = Result<Reply, EngineFailure>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut awaited = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(reply) = awaited.reply.take() {
            return Poll::Ready(reply);
        }
        awaited.waker = Some(context.waker().clone());
        Poll::Pending
    }
}
