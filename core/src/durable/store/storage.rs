//! The tables of an engine. The rules of the operations are written over them once.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use super::log::LogRecord;
use crate::durable::frame::{Frame, Snapshot};
use crate::durable::key::{LogKey, ThreadKey};

/// Tables that one operation at a time reads and writes.
pub trait Storage {
    /// The reason for which a table cannot be read or written.
    type Failure: Debug;

    fn log(&mut self, key: &LogKey) -> Result<Option<LogRecord>, Self::Failure>;

    /// Creates or replaces the record of a log.
    fn put_log(&mut self, key: &LogKey, log: LogRecord) -> Result<(), Self::Failure>;

    /// Deletes a log with its frames.
    fn delete_log(&mut self, key: &LogKey) -> Result<(), Self::Failure>;

    /// Stores frames behind the last one, and counts them in the record: `next` and `bytes`.
    fn append(&mut self, key: &LogKey, log: &mut LogRecord, frames: &[Frame]) -> Result<(), Self::Failure>;

    /// Reads the frames behind this number, as many as fit, but at least one if there is one.
    fn frames(&mut self, key: &LogKey, after: u64, max_bytes: usize) -> Result<Vec<Frame>, Self::Failure>;

    /// A log of the thread.
    fn log_of(&mut self, thread: &ThreadKey) -> Result<Option<LogKey>, Self::Failure>;

    fn thread(&mut self, key: &ThreadKey) -> Result<Option<ThreadRecord>, Self::Failure>;

    /// Creates or replaces the record of a thread. Its snapshot stays.
    fn put_thread(&mut self, key: &ThreadKey, thread: ThreadRecord) -> Result<(), Self::Failure>;

    /// Deletes a thread with its snapshot.
    fn delete_thread(&mut self, key: &ThreadKey) -> Result<(), Self::Failure>;

    fn snapshot(&mut self, key: &ThreadKey) -> Result<Option<Snapshot>, Self::Failure>;

    /// Replaces the snapshot of a thread.
    fn put_snapshot(&mut self, key: &ThreadKey, snapshot: Snapshot) -> Result<(), Self::Failure>;

    /// The log that is deleted first.
    fn first_expiry(&mut self) -> Result<Option<(Duration, LogKey)>, Self::Failure>;

    /// The closed log that is deleted first.
    fn first_closed_expiry(&mut self) -> Result<Option<(Duration, LogKey)>, Self::Failure>;

    /// The thread without an active run that is deleted first.
    fn first_thread_expiry(&mut self) -> Result<Option<(Duration, ThreadKey)>, Self::Failure>;

    /// The room that so many more logs, threads and bytes lack.
    fn lack(&self, logs: usize, threads: usize, bytes: usize) -> Lack;
}

/// The kinds of room that are missing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lack {
    pub logs: bool,
    pub threads: bool,
    pub bytes: bool,
}

/// A run of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub key: LogKey,
    pub run_id: Arc<str>,
}

/// The record of a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadRecord {
    pub active: Option<Run>,
    /// The run that ended last.
    pub last: Option<Run>,
    /// Rises by one when a run begins with a snapshot, and when a run ends.
    pub version: u64,
    /// The time after the end of a run for which the thread is kept.
    pub keep: Duration,
    /// The time at which the thread is deleted, if no run is active.
    pub expires_at: Duration,
}
