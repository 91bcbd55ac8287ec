//! The time for which logs and threads are kept, and the room for new ones.

use std::collections::BTreeSet;
use std::time::Duration;

use super::{MemoryStore, StoreLimits};
use crate::durable::key::LogKey;

impl MemoryStore {
    pub(super) fn delete_expired(&mut self, now: Duration) {
        let expired = |expiries: &BTreeSet<(Duration, LogKey)>| {
            expiries.first().filter(|(at, _)| *at <= now).map(|(_, key)| key.clone())
        };
        while let Some(key) = expired(&self.open_expiries).or_else(|| expired(&self.closed_expiries)) {
            self.delete(now, &key);
        }
        while let Some((_, key)) = self.thread_expiries.first().filter(|(at, _)| *at <= now).cloned() {
            self.forget_thread(&key);
        }
    }

    pub(super) fn delete(&mut self, now: Duration, key: &LogKey) {
        let Some(log) = self.logs.remove(key) else { return };
        self.bytes = self.bytes.saturating_sub(log.bytes());
        let expiries = if log.is_closed { &mut self.closed_expiries } else { &mut self.open_expiries };
        expiries.remove(&(log.expires_at, key.clone()));
        self.forget_run(now, key);
    }

    /// Deletes logs that have ended, then threads without an active run, the earliest first, until so many more of each
    /// and so many bytes fit. Returns false if they do not.
    pub(super) fn make_room(&mut self, logs: usize, threads: usize, bytes: usize) -> bool {
        let StoreLimits { max_logs, max_threads, max_bytes } = self.limits;
        loop {
            let lacks_threads = self.threads.len() + threads > max_threads;
            let lacks_bytes = self.bytes.saturating_add(bytes) > max_bytes;
            let lacks_logs = self.logs.len() + logs > max_logs;
            if !(lacks_logs || lacks_threads || lacks_bytes) {
                return true;
            }
            let log = self.closed_expiries.first().filter(|_| lacks_logs || lacks_bytes).cloned();
            let thread = self.thread_expiries.first().filter(|_| lacks_threads || lacks_bytes).cloned();
            match (log, thread) {
                (Some((_, log)), _) => self.delete(Duration::ZERO, &log),
                (None, Some((_, thread))) => self.forget_thread(&thread),
                (None, None) => return false,
            }
        }
    }
}
