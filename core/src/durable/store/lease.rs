//! Who writes a log, and for how long.

use std::time::Duration;

use super::MemoryStore;
use crate::durable::key::{LogKey, ThreadKey};
use crate::durable::reply::Reply;

impl MemoryStore {
    pub(super) fn claim(&mut self, now: Duration, key: &LogKey, owner: String, lease: Duration) -> Reply {
        let Some(log) = self.logs.get_mut(key) else { return Reply::Unknown };
        match log.claim(now, owner) {
            Ok(epoch) => {
                self.take_lease(key, now.saturating_add(lease));
                Reply::Claimed { epoch }
            }
            Err(reply) => reply,
        }
    }

    pub(super) fn renew(&mut self, now: Duration, key: &LogKey, epoch: u64, lease: Duration) -> Reply {
        let Some(log) = self.logs.get_mut(key) else { return Reply::Unknown };
        if log.is_closed {
            return Reply::Closed;
        }
        if log.epoch != epoch {
            return Reply::Fenced;
        }
        let renewed =
            Reply::Renewed { is_cancelled: log.is_cancelled, is_attended: log.attended_until > now };
        self.take_lease(key, now.saturating_add(lease));
        renewed
    }

    pub(super) fn attend(&mut self, now: Duration, key: &LogKey) -> Reply {
        let Some(log) = self.logs.get_mut(key) else { return Reply::Unknown };
        log.attend(now);
        Reply::Done
    }

    /// Ends the active run of a thread, if its lease is over.
    pub(super) fn end_active_if_lost(&mut self, now: Duration, thread: &ThreadKey) {
        let active = self.threads.get(thread).and_then(|thread| thread.active.as_ref());
        if let Some(key) = active.map(|run| run.key.clone()) {
            self.end_if_lost(now, &key);
        }
    }

    /// Ends a run whose lease is over.
    pub(super) fn end_if_lost(&mut self, now: Duration, key: &LogKey) {
        let Some(log) = self.logs.get_mut(key) else { return };
        if log.is_closed || log.lease_until > now {
            return;
        }
        self.bytes += log.lose_producer();
        self.close(now, key, None);
        self.hint_frames(key);
    }

    fn take_lease(&mut self, key: &LogKey, until: Duration) {
        let Some(log) = self.logs.get_mut(key) else { return };
        self.open_expiries.remove(&(log.expires_at, key.clone()));
        log.take_lease(until);
        self.open_expiries.insert((log.expires_at, key.clone()));
    }
}
