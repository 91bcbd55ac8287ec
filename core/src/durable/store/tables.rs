//! The tables of the engine in memory.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::convert::Infallible;
use std::time::Duration;

use super::log::LogRecord;
use super::storage::{Lack, Storage, ThreadRecord};
use crate::durable::frame::{Frame, Snapshot};
use crate::durable::key::{LogKey, ThreadKey};

/// The limits of a [`MemoryStore`](super::MemoryStore). A log or a thread that has no active run makes room before its time is over.
///
/// ```
/// use ag_ui_native::durable::{MemoryLog, StoreLimits};
///
/// let log = MemoryLog::new(StoreLimits { max_bytes: 64 * 1024 * 1024, ..StoreLimits::default() });
/// ```
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

#[derive(Debug, Default)]
pub struct Tables {
    limits: StoreLimits,
    /// The logs; those of a thread lie together.
    logs: BTreeMap<LogKey, Log>,
    threads: HashMap<ThreadKey, Thread>,
    /// The times at which open logs are deleted, unless their leases are renewed.
    open_expiries: BTreeSet<(Duration, LogKey)>,
    /// The times at which closed logs are deleted.
    closed_expiries: BTreeSet<(Duration, LogKey)>,
    /// The times at which threads without an active run are deleted.
    thread_expiries: BTreeSet<(Duration, ThreadKey)>,
    /// The sum of the bytes of all frames and snapshots.
    bytes: usize,
}

#[derive(Debug)]
struct Log {
    record: LogRecord,
    frames: Vec<Frame>,
}

#[derive(Debug, Default)]
struct Thread {
    record: ThreadRecord,
    snapshot: Option<Snapshot>,
}

impl Thread {
    fn bytes(&self) -> usize {
        self.snapshot.as_ref().map_or(0, Snapshot::len)
    }
}

impl Tables {
    pub fn new(limits: StoreLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    fn expiries(&mut self, log: &LogRecord) -> &mut BTreeSet<(Duration, LogKey)> {
        if log.is_closed { &mut self.closed_expiries } else { &mut self.open_expiries }
    }
}

impl Storage for Tables {
    type Failure = Infallible;

    fn log(&mut self, key: &LogKey) -> Result<Option<LogRecord>, Infallible> {
        Ok(self.logs.get(key).map(|log| log.record.clone()))
    }

    fn put_log(&mut self, key: &LogKey, record: LogRecord) -> Result<(), Infallible> {
        let Some(log) = self.logs.get_mut(key) else {
            self.expiries(&record).insert((record.expires_at, key.clone()));
            self.logs.insert(key.clone(), Log { record, frames: Vec::new() });
            return Ok(());
        };
        let place = |record: &LogRecord| (record.is_closed, record.expires_at);
        let is_moved = place(&log.record) != place(&record);
        let before = std::mem::replace(&mut log.record, record.clone());
        if is_moved {
            self.expiries(&before).remove(&(before.expires_at, key.clone()));
            self.expiries(&record).insert((record.expires_at, key.clone()));
        }
        Ok(())
    }

    fn delete_log(&mut self, key: &LogKey) -> Result<(), Infallible> {
        if let Some(Log { record, .. }) = self.logs.remove(key) {
            self.bytes = self.bytes.saturating_sub(record.bytes);
            self.expiries(&record).remove(&(record.expires_at, key.clone()));
        }
        Ok(())
    }

    fn append(&mut self, key: &LogKey, record: &mut LogRecord, frames: &[Frame]) -> Result<(), Infallible> {
        record.count(frames);
        if let Some(log) = self.logs.get_mut(key) {
            self.bytes += record.bytes - log.record.bytes;
            log.record.next = record.next;
            log.record.bytes = record.bytes;
            log.frames.extend_from_slice(frames);
        }
        Ok(())
    }

    fn frames(&mut self, key: &LogKey, after: u64, max_bytes: usize) -> Result<Vec<Frame>, Infallible> {
        let start = usize::try_from(after).unwrap_or(usize::MAX);
        let mut left = max_bytes;
        let fits = |(index, frame): &(usize, &Frame)| {
            let fits = *index == 0 || frame.len() <= left;
            left = left.saturating_sub(frame.len());
            fits
        };
        let unread = self.logs.get(key).and_then(|log| log.frames.get(start..)).unwrap_or_default();
        Ok(unread.iter().enumerate().take_while(fits).map(|(_, frame)| frame.clone()).collect())
    }

    fn log_of(&mut self, thread: &ThreadKey) -> Result<Option<LogKey>, Infallible> {
        let first = self.logs.range(thread.first_log()..).next();
        Ok(first.map(|(log, _)| log).filter(|log| log.thread() == thread).cloned())
    }

    fn thread(&mut self, key: &ThreadKey) -> Result<Option<ThreadRecord>, Infallible> {
        Ok(self.threads.get(key).map(|thread| thread.record.clone()))
    }

    fn put_thread(&mut self, key: &ThreadKey, record: ThreadRecord) -> Result<(), Infallible> {
        let is_idle = record.active.is_none();
        let expires_at = record.expires_at;
        let thread = self.threads.entry(key.clone()).or_default();
        let before = std::mem::replace(&mut thread.record, record);
        if before.active.is_none() {
            self.thread_expiries.remove(&(before.expires_at, key.clone()));
        }
        if is_idle {
            self.thread_expiries.insert((expires_at, key.clone()));
        }
        Ok(())
    }

    fn delete_thread(&mut self, key: &ThreadKey) -> Result<(), Infallible> {
        if let Some(thread) = self.threads.remove(key) {
            self.bytes = self.bytes.saturating_sub(thread.bytes());
            self.thread_expiries.remove(&(thread.record.expires_at, key.clone()));
        }
        Ok(())
    }

    fn snapshot(&mut self, key: &ThreadKey) -> Result<Option<Snapshot>, Infallible> {
        Ok(self.threads.get(key).and_then(|thread| thread.snapshot.clone()))
    }

    fn put_snapshot(&mut self, key: &ThreadKey, snapshot: Snapshot) -> Result<(), Infallible> {
        if let Some(thread) = self.threads.get_mut(key) {
            self.bytes = self.bytes.saturating_sub(thread.bytes()) + snapshot.len();
            thread.snapshot = Some(snapshot);
        }
        Ok(())
    }

    fn first_expiry(&mut self) -> Result<Option<(Duration, LogKey)>, Infallible> {
        let firsts = [self.open_expiries.first(), self.closed_expiries.first()];
        Ok(firsts.into_iter().flatten().min().cloned())
    }

    fn first_closed_expiry(&mut self) -> Result<Option<(Duration, LogKey)>, Infallible> {
        Ok(self.closed_expiries.first().cloned())
    }

    fn first_thread_expiry(&mut self) -> Result<Option<(Duration, ThreadKey)>, Infallible> {
        Ok(self.thread_expiries.first().cloned())
    }

    fn lack(&self, logs: usize, threads: usize, bytes: usize) -> Lack {
        let StoreLimits { max_logs, max_threads, max_bytes } = self.limits;
        Lack {
            logs: self.logs.len() + logs > max_logs,
            threads: self.threads.len() + threads > max_threads,
            bytes: self.bytes.saturating_add(bytes) > max_bytes,
        }
    }
}
