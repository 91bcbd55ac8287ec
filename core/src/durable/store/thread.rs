//! What is kept of a thread: its active run, its last run, and the snapshot at the end of a run.

use std::time::Duration;

use super::MemoryStore;
use crate::durable::frame::Snapshot;
use crate::durable::key::{LogKey, ThreadKey};
use crate::durable::operation::Create;
use crate::durable::reply::{Reply, ThreadInfo};

#[derive(Debug)]
pub struct Run {
    pub key: LogKey,
    pub run_id: String,
}

#[derive(Debug, Default)]
pub struct Thread {
    pub active: Option<Run>,
    last: Option<Run>,
    version: u64,
    snapshot: Option<Snapshot>,
    /// The time at which the thread is deleted, if no run is active.
    pub expires_at: Duration,
}

impl Thread {
    /// The refusal of a new run.
    pub fn refuse(&self, create: &Create) -> Option<Reply> {
        if let Some(Run { run_id, .. }) = &self.active {
            return Some(Reply::Busy { run_id: run_id.clone() });
        }
        let Run { key, run_id } = self.last.as_ref()?;
        let is_stale = create.parent.as_ref().is_some_and(|parent| parent != key);
        is_stale.then(|| Reply::Stale { run_id: run_id.clone() })
    }

    pub fn info(&self) -> ThreadInfo {
        let run_id = |run: &Option<Run>| run.as_ref().map(|run| run.run_id.clone());
        ThreadInfo {
            active_run: run_id(&self.active),
            last_run: run_id(&self.last),
            version: self.version,
            snapshot: self.snapshot.clone(),
        }
    }

    pub fn bytes(&self) -> usize {
        self.snapshot.as_ref().map_or(0, Snapshot::len)
    }
}

impl MemoryStore {
    pub(super) fn read_thread(&mut self, now: Duration, key: &ThreadKey) -> Reply {
        self.end_active_if_lost(now, key);
        Reply::Thread(self.threads.get(key).map(Thread::info).unwrap_or_default())
    }

    pub(super) fn start_run(&mut self, run: Run) {
        let key = run.key.thread().clone();
        let thread = self.threads.entry(key.clone()).or_default();
        self.thread_expiries.remove(&(thread.expires_at, key));
        thread.active = Some(run);
    }

    /// Ends the active run of a thread. Without a snapshot, that of an earlier run stays.
    pub(super) fn end_run(&mut self, expires_at: Duration, key: &LogKey, snapshot: Option<Snapshot>) {
        let Some(thread) = self.threads.get_mut(key.thread()) else { return };
        thread.last = thread.active.take();
        thread.version += 1;
        thread.expires_at = expires_at;
        if let Some(snapshot) = snapshot {
            self.bytes = self.bytes.saturating_sub(thread.bytes());
            thread.snapshot = Some(snapshot);
            self.bytes += thread.bytes();
        }
        self.thread_expiries.insert((expires_at, key.thread().clone()));
    }

    /// Forgets the active run of a thread, if it is this one. The thread is kept for its time.
    pub(super) fn forget_run(&mut self, now: Duration, key: &LogKey) {
        let Some(thread) = self.threads.get_mut(key.thread()) else { return };
        if thread.active.take_if(|run| run.key == *key).is_none() {
            return;
        }
        thread.expires_at = thread.expires_at.max(now);
        self.thread_expiries.insert((thread.expires_at, key.thread().clone()));
    }

    pub(super) fn delete_thread(&mut self, now: Duration, key: &ThreadKey) {
        while let Some((log, _)) =
            self.logs.range(key.first_log()..).next().filter(|(log, _)| log.thread() == key)
        {
            let log = log.clone();
            self.delete(now, &log);
        }
        self.forget_thread(key);
    }

    /// Deletes what is kept of a thread without an active run.
    pub(super) fn forget_thread(&mut self, key: &ThreadKey) {
        let Some(thread) = self.threads.remove(key) else { return };
        self.bytes = self.bytes.saturating_sub(thread.bytes());
        self.thread_expiries.remove(&(thread.expires_at, key.clone()));
    }
}
