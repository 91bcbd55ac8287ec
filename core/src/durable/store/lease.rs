//! Who writes a log, and for how long.

use std::time::Duration;

use super::MemoryStore;
use crate::durable::key::{LogKey, ThreadKey};
use crate::durable::reply::Reply;

impl MemoryStore {
    pub(super) fn claim(&mut self, now: Duration, key: &LogKey, owner: String, lease: Duration) -> Reply {
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

    pub(super) fn renew(&mut self, now: Duration, key: &LogKey, epoch: u64, lease: Duration) -> Reply {
        let Some(log) = self.logs.get_mut(key) else { return Reply::Unknown };
        if log.is_closed {
            return Reply::Closed;
        }
        if log.epoch != epoch {
            return Reply::Fenced;
        }
        let before = log.lease_until;
        log.lease_until = now.saturating_add(lease);
        let renewed =
            Reply::Renewed { is_cancelled: log.is_cancelled, is_attended: log.attended_until > now };
        self.move_lease(key, before, now.saturating_add(lease));
        renewed
    }

    pub(super) fn attend(&mut self, now: Duration, key: &LogKey) -> Reply {
        let Some(log) = self.logs.get_mut(key) else { return Reply::Unknown };
        log.attend(now);
        Reply::Done
    }

    pub(super) fn expire_leases(&mut self, now: Duration) -> Reply {
        let mut count = 0;
        while let Some((_, key)) = self.leases.first().filter(|(until, _)| *until <= now).cloned() {
            self.lose_producer(now, &key);
            count += 1;
        }
        Reply::Expired { count }
    }

    /// Ends the active run of a thread, if its lease is over.
    pub(super) fn expire_lease_of(&mut self, now: Duration, thread: &ThreadKey) {
        let active = self.threads.get(thread).and_then(|thread| thread.active.as_ref());
        let Some(key) = active.map(|run| run.key.clone()) else { return };
        if self.logs.get(&key).is_some_and(|log| log.lease_until <= now) {
            self.lose_producer(now, &key);
        }
    }

    /// Ends a run whose producer is lost.
    fn lose_producer(&mut self, now: Duration, key: &LogKey) {
        let Some(log) = self.logs.get_mut(key) else { return };
        self.bytes += log.lose_producer();
        self.close(now, key, None);
        self.hint_frames(key);
    }

    fn move_lease(&mut self, key: &LogKey, before: Duration, after: Duration) {
        self.leases.remove(&(before, key.clone()));
        self.leases.insert((after, key.clone()));
    }
}
