//! New frames of a log, and its end.

use std::time::Duration;

use super::MemoryStore;
use crate::durable::frame::Snapshot;
use crate::durable::key::LogKey;
use crate::durable::operation::Append;
use crate::durable::reply::Reply;

impl MemoryStore {
    pub(super) fn append(&mut self, now: Duration, append: Append) -> Reply {
        let Append { key, epoch, first, frames, end } = append;
        let Some(log) = self.logs.get(&key) else { return Reply::Unknown };
        let (skipped, bytes) = match log.fit(epoch, first, &frames, end.is_some()) {
            Ok(fit) => fit,
            Err(reply) => return reply,
        };
        if skipped == frames.len() {
            return Reply::Appended { next: log.next() };
        }
        let snapshot_bytes = end.as_ref().and_then(|end| end.snapshot.as_ref()).map_or(0, Snapshot::len);
        if !self.make_room(0, 0, bytes + snapshot_bytes) && end.is_none() {
            return Reply::TooBig;
        }
        let Some(log) = self.logs.get_mut(&key) else { return Reply::Unknown };
        log.push(frames.into_iter().skip(skipped));
        self.bytes += bytes;
        let next = log.next();
        self.hint_frames(&key);
        if let Some(end) = end {
            self.close(now, &key, end.snapshot);
        }
        Reply::Appended { next }
    }

    /// Closes a log: its thread is free.
    pub(super) fn close(&mut self, now: Duration, key: &LogKey, snapshot: Option<Snapshot>) {
        let Some(log) = self.logs.get_mut(key) else { return };
        self.open_expiries.remove(&(log.expires_at, key.clone()));
        log.is_closed = true;
        log.expires_at = now.saturating_add(log.policy.keep);
        let thread_expires_at = now.saturating_add(log.policy.keep_thread);
        self.closed_expiries.insert((log.expires_at, key.clone()));
        self.end_run(thread_expires_at, key, snapshot);
    }
}
