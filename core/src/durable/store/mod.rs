//! An engine in memory. Other engines answer as it does.

mod create;
mod log;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use super::key::LogKey;
use super::operation::{Append, Operation, Read};
use super::reply::Reply;
use log::Log;

/// The limits of a [`MemoryStore`]. A log that has ended makes room before its time is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreLimits {
    /// The largest number of logs.
    pub max_logs: usize,
    /// The largest sum of the bytes of their frames.
    pub max_bytes: usize,
}

impl Default for StoreLimits {
    fn default() -> Self {
        Self { max_logs: 10_000, max_bytes: 256 << 20 }
    }
}

/// The logs of one process. The host gives each operation the time of one monotonic clock.
#[derive(Debug, Default)]
pub struct MemoryStore {
    limits: StoreLimits,
    logs: HashMap<LogKey, Log>,
    /// The active run of each thread that has one.
    active: HashMap<Arc<str>, ActiveRun>,
    /// The ends of the leases of logs that are open.
    leases: BTreeSet<(Duration, LogKey)>,
    /// The times at which closed logs are deleted.
    expiries: BTreeSet<(Duration, LogKey)>,
    /// The sum of the bytes of all frames.
    bytes: usize,
}

#[derive(Debug)]
struct ActiveRun {
    key: LogKey,
    run_id: String,
}

impl MemoryStore {
    /// A store without logs.
    pub fn new(limits: StoreLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Executes an operation.
    pub fn execute(&mut self, now: Duration, operation: Operation) -> Reply {
        self.delete_expired(now);
        match operation {
            Operation::Create(create) => self.create(now, create),
            Operation::Claim { key, owner, lease } => self.claim(now, &key, owner, lease),
            Operation::Append(append) => self.append(now, append),
            Operation::Renew { key, epoch, lease } => self.renew(now, &key, epoch, lease),
            Operation::Read(read) => self.read(&read),
            Operation::Cancel { key } => self.cancel(&key),
            Operation::Info { key } => {
                self.logs.get(&key).map_or(Reply::Unknown, |log| Reply::Info(log.info()))
            }
            Operation::ExpireLeases => self.expire_leases(now),
            Operation::Delete { key } => {
                self.delete(&key);
                Reply::Done
            }
        }
    }

    /// The number of the next frame of a log, for hints; `None` if there is no such log.
    pub fn next(&self, key: &LogKey) -> Option<u64> {
        self.logs.get(key).map(Log::next)
    }

    fn claim(&mut self, now: Duration, key: &LogKey, owner: String, lease: Duration) -> Reply {
        let Some(log) = self.logs.get_mut(key) else { return Reply::Unknown };
        let before = log.lease_until;
        match log.claim(now, owner, lease) {
            Ok(epoch) => {
                self.move_lease(key, before, now.saturating_add(lease));
                Reply::Claimed { epoch }
            }
            Err(reply) => reply,
        }
    }

    fn renew(&mut self, now: Duration, key: &LogKey, epoch: u64, lease: Duration) -> Reply {
        let Some(log) = self.logs.get_mut(key) else { return Reply::Unknown };
        if log.is_closed {
            return Reply::Closed;
        }
        if log.epoch != epoch {
            return Reply::Fenced;
        }
        let before = log.lease_until;
        log.lease_until = now.saturating_add(lease);
        let is_cancelled = log.is_cancelled;
        self.move_lease(key, before, now.saturating_add(lease));
        Reply::Renewed { is_cancelled }
    }

    fn append(&mut self, now: Duration, append: Append) -> Reply {
        let Append { key, epoch, first, frames, is_end } = append;
        let Some(log) = self.logs.get(&key) else { return Reply::Unknown };
        let room = self.limits.max_bytes.saturating_sub(self.bytes);
        let (skipped, bytes) = match log.fit(epoch, first, &frames, is_end) {
            Ok(fit) => fit,
            Err(reply) => return reply,
        };
        if bytes > room && !self.make_room(1, bytes) && !is_end {
            return Reply::TooBig;
        }
        let Some(log) = self.logs.get_mut(&key) else { return Reply::Unknown };
        let is_new_end = is_end && !log.is_closed;
        log.push(frames.into_iter().skip(skipped));
        self.bytes += bytes;
        let next = log.next();
        if is_new_end {
            self.close(now, &key);
        }
        Reply::Appended { next }
    }

    fn read(&self, read: &Read) -> Reply {
        self.logs.get(&read.key).map_or(Reply::Unknown, |log| log.read(read.after, read.max_bytes))
    }

    fn cancel(&mut self, key: &LogKey) -> Reply {
        let Some(log) = self.logs.get_mut(key) else { return Reply::Unknown };
        log.is_cancelled = true;
        Reply::Done
    }

    fn expire_leases(&mut self, now: Duration) -> Reply {
        let mut count = 0;
        while self.leases.first().is_some_and(|(until, _)| *until <= now) {
            let Some((_, key)) = self.leases.first().cloned() else { break };
            let Some(log) = self.logs.get_mut(&key) else { break };
            self.bytes += log.lose_producer();
            self.close(now, &key);
            count += 1;
        }
        Reply::Expired { count }
    }

    /// Closes a log: its thread is free.
    fn close(&mut self, now: Duration, key: &LogKey) {
        let Some(log) = self.logs.get_mut(key) else { return };
        self.leases.remove(&(log.lease_until, key.clone()));
        log.is_closed = true;
        log.expires_at = now.saturating_add(log.keep());
        self.expiries.insert((log.expires_at, key.clone()));
        self.free_thread(key);
    }

    fn free_thread(&mut self, key: &LogKey) {
        if self.active.get(key.thread()).is_some_and(|run| run.key == *key) {
            self.active.remove(key.thread());
        }
    }

    fn delete_expired(&mut self, now: Duration) {
        while self.expiries.first().is_some_and(|(at, _)| *at <= now) {
            let Some((_, key)) = self.expiries.pop_first() else { return };
            self.delete(&key);
        }
    }

    fn delete(&mut self, key: &LogKey) {
        let Some(log) = self.logs.remove(key) else { return };
        self.bytes -= log.bytes();
        self.leases.remove(&(log.lease_until, key.clone()));
        self.expiries.remove(&(log.expires_at, key.clone()));
        self.free_thread(key);
    }

    /// Deletes logs that have ended, the earliest first, until so many more logs and bytes fit. Returns false if they do
    /// not.
    fn make_room(&mut self, logs: usize, bytes: usize) -> bool {
        let StoreLimits { max_logs, max_bytes } = self.limits;
        while self.logs.len() + logs > max_logs || self.bytes.saturating_add(bytes) > max_bytes {
            let Some((_, key)) = self.expiries.pop_first() else { return false };
            self.delete(&key);
        }
        true
    }

    fn move_lease(&mut self, key: &LogKey, before: Duration, after: Duration) {
        self.leases.remove(&(before, key.clone()));
        self.leases.insert((after, key.clone()));
    }
}
