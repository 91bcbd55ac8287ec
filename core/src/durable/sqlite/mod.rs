//! The engine on a disk: a file of SQLite, for all processes of one machine.
//!
//! Writes of a process are done by one thread, which commits all that wait in one transaction. Reads are done by another
//! one, so they do not wait for writes.

mod batch;
mod clock;
mod connection;
mod failure;
mod file;
mod forks;
mod job;
mod notice;
mod opened;
mod options;
mod pace;
mod reader;
mod tables;
mod watch;
mod writer;

use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::key::LogKey;
use super::operation::Operation;
use super::reply::{Hint, Reply};
use crate::error::Error;
use clock::Clock;
use failure::unavailable;
use job::Job;
use opened::{Opened, Source};
pub use options::{SqliteOptions, Synchronous};
pub use watch::SqliteWatch;

/// The logs of the processes of one machine, in a file.
///
/// A store that is dropped finishes its operations, and ends its threads; [`close`](Self::close) waits for that. A child
/// after a fork opens the file anew.
pub struct SqliteStore {
    opened: Arc<Opened>,
}

impl SqliteStore {
    /// Opens a file, or makes it for its owner alone. A file of another application, or of a newer format, is refused.
    pub fn open(path: impl AsRef<Path>, options: SqliteOptions) -> Result<Self, Error> {
        Self::open_with_clock(path.as_ref(), options, Clock::of_machine())
    }

    /// Opens a file with a clock of the caller's own, and the name of its start.
    pub fn open_at(
        path: impl AsRef<Path>,
        options: SqliteOptions,
        boot: &str,
        now: impl Fn() -> Duration + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        Self::open_with_clock(path.as_ref(), options, Clock::new(boot, now))
    }

    fn open_with_clock(path: &Path, options: SqliteOptions, clock: Clock) -> Result<Self, Error> {
        let path =
            std::path::absolute(path).map_err(|error| unavailable(format!("{}: {error}", path.display())))?;
        let opened = Opened::open(Source { path, options, clock: clock.into() }.into())?;
        Ok(Self { opened })
    }

    /// Executes an operation, and calls back from a thread of the store. It returns at once.
    ///
    /// If there is no reply, the error says why. A store that is closed calls back before it returns.
    pub fn execute(&self, operation: Operation, reply: impl FnOnce(Result<Reply, Error>) + Send + 'static) {
        let job = Job::new(operation, Box::new(reply));
        match self.opened.of_this_process() {
            Ok(opened) => opened.execute(job),
            Err(error) => job.answer(Err(error)),
        }
    }

    /// Calls back from a thread of the store when the log changes, until the result is dropped. Writes of this process are reported at
    /// once, those of other processes after about a millisecond, or after 20 where the system does not notice them; a hint may be lost.
    pub fn watch(
        &self,
        key: LogKey,
        hint: impl Fn(Hint) + Send + Sync + 'static,
    ) -> Result<SqliteWatch, Error> {
        let opened = self.opened.of_this_process()?;
        let watch = opened.watchers.add(key, Arc::new(hint));
        opened.look();
        Ok(watch)
    }

    /// Call this before a fork, and [`after_fork`](Self::after_fork) behind it, on the same thread: it waits for the transactions of
    /// all stores of the process, and holds the next ones, so that the child finds no file in use.
    pub fn before_fork() {
        forks::hold();
    }

    /// Call this behind a fork, in the parent and in the child.
    pub fn after_fork() {
        forks::release();
    }

    /// Ends the store, and waits until all its operations are done. From one of its callbacks it does not wait.
    pub fn close(&self) {
        let Some(opened) = self.opened.if_opened() else { return };
        let threads = opened.end();
        if threads.iter().any(|other| other.thread().id() == thread::current().id()) {
            return;
        }
        for other in threads {
            let _ = other.join();
        }
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        if !self.opened.is_own() {
            // What belongs to the parent stays as it is: its locks may be locked for ever.
            std::mem::forget(Arc::clone(&self.opened));
        }
        if let Some(opened) = self.opened.if_opened() {
            opened.end();
        }
    }
}
