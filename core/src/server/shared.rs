//! The data that clones of a run share: the writer, and the tasks that wait.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use super::cancel::Waiters;
use super::cause::Note;
use super::writer::RunWriter;
use crate::defaults::MAX_WAITING;
use crate::error::Error;

/// The data that clones of a run share.
pub(super) struct Shared(Mutex<Parts>);

pub(super) struct Parts {
    writer: RunWriter,
    /// The limit of waiting bytes.
    pub max_waiting: usize,
    /// Wakes the task that waits for a write.
    pub waker: Option<Waker>,
    /// Called when the run has ended.
    on_end: Option<OnEnd>,
    /// The tasks that wait for the cancellation of the agent.
    pub waiters: Arc<Waiters>,
    /// The notes for the log, until the server takes them.
    pub notes: Vec<Note<Error>>,
}

/// A callback for the end of a run.
pub(super) type OnEnd = Box<dyn FnOnce() + Send>;

impl Shared {
    pub fn new(writer: RunWriter) -> Self {
        let waiters = Arc::default();
        let parts =
            Parts { writer, max_waiting: MAX_WAITING, waker: None, on_end: None, waiters, notes: Vec::new() };
        Self(Mutex::new(parts))
    }

    pub fn lock(&self) -> MutexGuard<'_, Parts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works with the locked writer. After the lock is released, it wakes the waiting task and calls the callback for the end.
    pub fn with<R>(&self, work: impl FnOnce(&mut RunWriter) -> R) -> R {
        let mut parts = self.lock();
        let result = work(&mut parts.writer);
        let waker = if parts.writer.waiting().is_empty() { None } else { parts.waker.take() };
        let on_end = if parts.writer.has_ended() { parts.on_end.take() } else { None };
        drop(parts);
        if let Some(on_end) = on_end {
            on_end();
        }
        if let Some(waker) = waker {
            waker.wake();
        }
        result
    }

    /// Sets a callback for the end of the run, of any kind. The state may be locked when it is called.
    #[cfg(feature = "server")]
    pub fn when_ended(&self, work: OnEnd) {
        self.lock().on_end = Some(work);
    }

    /// Sets the `waker` of the next write. Returns true if nothing is waiting to be sent; another task may have written
    /// meanwhile.
    #[cfg(feature = "server")]
    pub fn wake_later(&self, waker: &Waker) -> bool {
        let mut parts = self.lock();
        let is_idle = parts.writer.waiting().is_empty() && !parts.writer.has_ended();
        parts.waker = is_idle.then(|| waker.clone());
        is_idle
    }
}
