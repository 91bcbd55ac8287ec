//! An engine in memory. Other engines answer as it does.

mod append;
mod create;
mod lease;
mod log;
mod retention;
mod thread;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use super::key::{LogKey, ThreadKey};
use super::operation::{Operation, Read};
use super::reply::{Hint, Reply};
pub use log::END_BYTES;
use log::Log;
use thread::Thread;

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
    /// The hints of the operation.
    hints: Vec<(LogKey, Hint)>,
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
        Self { limits, ..Self::default() }
    }

    /// Executes an operation.
    pub fn execute(&mut self, now: Duration, operation: Operation) -> Executed {
        self.delete_expired(now);
        let reply = match operation {
            Operation::Create(create) => self.create(now, *create),
            Operation::Claim { key, owner, lease } => self.claim(now, &key, owner, lease),
            Operation::Append(append) => self.append(now, append),
            Operation::Renew { key, epoch, lease } => self.renew(now, &key, epoch, lease),
            Operation::Attend { key } => self.attend(now, &key),
            Operation::Read(read) => self.read(now, &read),
            Operation::Cancel { key } => self.cancel(&key),
            Operation::Info { key } => self.info(now, &key),
            Operation::Delete { key } => {
                self.delete(now, &key);
                Reply::Done
            }
            Operation::ReadThread { thread } => self.read_thread(now, &thread),
            Operation::DeleteThread { thread } => {
                self.delete_thread(now, &thread);
                Reply::Done
            }
        };
        Executed { reply, hints: std::mem::take(&mut self.hints) }
    }

    fn read(&mut self, now: Duration, read: &Read) -> Reply {
        self.end_if_lost(now, &read.key);
        self.logs.get(&read.key).map_or(Reply::Unknown, |log| log.read(read.after, read.max_bytes))
    }

    fn info(&mut self, now: Duration, key: &LogKey) -> Reply {
        self.end_if_lost(now, key);
        self.logs.get(key).map_or(Reply::Unknown, |log| Reply::Info(log.info()))
    }

    fn cancel(&mut self, key: &LogKey) -> Reply {
        let Some(log) = self.logs.get_mut(key) else { return Reply::Unknown };
        log.is_cancelled = true;
        self.hints.push((key.clone(), Hint::Cancelled));
        Reply::Done
    }

    fn hint_frames(&mut self, key: &LogKey) {
        if let Some(log) = self.logs.get(key) {
            self.hints.push((key.clone(), Hint::Appended { next: log.next() }));
        }
    }
}
