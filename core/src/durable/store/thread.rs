//! The data of a thread: its active run, its last run, and the snapshot of its messages and state.

use std::time::Duration;

use super::operations::Execution;
use super::storage::{Run, Storage, ThreadRecord};
use crate::durable::frame::Snapshot;
use crate::durable::key::{LogKey, ThreadKey};
use crate::durable::operation::Create;
use crate::durable::reply::{Reply, ThreadInfo};

impl ThreadRecord {
    /// The refusal of a new run.
    pub fn refuse(&self, create: &Create) -> Option<Reply> {
        if let Some(Run { run_id, .. }) = &self.active {
            return Some(Reply::Busy { run_id: run_id.to_string() });
        }
        let Run { key, run_id } = self.last.as_ref()?;
        let is_stale = create.parent.as_ref().is_some_and(|parent| parent != key);
        is_stale.then(|| Reply::Stale { run_id: run_id.to_string() })
    }

    /// True if the time is over for which the thread is kept.
    pub fn is_expired(&self, now: Duration) -> bool {
        self.active.is_none() && self.expires_at <= now
    }

    pub fn info(&self, snapshot: Option<Snapshot>) -> ThreadInfo {
        let run_id = |run: &Option<Run>| run.as_ref().map(|run| run.run_id.to_string());
        ThreadInfo {
            active_run: run_id(&self.active),
            last_run: run_id(&self.last),
            version: self.version,
            snapshot,
        }
    }
}

impl<S: Storage> Execution<'_, S> {
    /// Starts a run. Without a snapshot, that of an earlier run stays.
    pub(super) fn start_run(&mut self, run: Run, snapshot: Option<&Snapshot>) -> Result<(), S::Failure> {
        let key = run.key.thread().clone();
        let mut thread = self.storage.thread(&key)?.unwrap_or_default();
        thread.active = Some(run);
        thread.version += u64::from(snapshot.is_some());
        self.storage.put_thread(&key, thread)?;
        self.replace_snapshot(&key, snapshot)
    }

    /// Ends the active run of a thread. Without a snapshot, the last one stays.
    pub(super) fn end_run(
        &mut self,
        key: &LogKey,
        keep: Duration,
        snapshot: Option<&Snapshot>,
    ) -> Result<(), S::Failure> {
        let Some(mut thread) = self.storage.thread(key.thread())? else { return Ok(()) };
        thread.last = thread.active.take();
        thread.version += 1;
        thread.keep = keep;
        thread.expires_at = self.now.saturating_add(keep);
        self.storage.put_thread(key.thread(), thread)?;
        self.replace_snapshot(key.thread(), snapshot)
    }

    fn replace_snapshot(&mut self, key: &ThreadKey, snapshot: Option<&Snapshot>) -> Result<(), S::Failure> {
        snapshot.map_or(Ok(()), |snapshot| self.storage.put_snapshot(key, snapshot.clone()))
    }

    /// Forgets the active run of a thread, if it is this one. The thread is kept for its time.
    pub(super) fn forget_run(&mut self, key: &LogKey) -> Result<(), S::Failure> {
        let Some(mut thread) = self.storage.thread(key.thread())? else { return Ok(()) };
        if thread.active.take_if(|run| run.key == *key).is_none() {
            return Ok(());
        }
        thread.expires_at = thread.expires_at.max(self.now);
        self.storage.put_thread(key.thread(), thread)
    }

    pub(super) fn delete_thread(&mut self, key: &ThreadKey) -> Result<Reply, S::Failure> {
        while let Some(log) = self.storage.log_of(key)? {
            self.storage.delete_log(&log)?;
        }
        self.storage.delete_thread(key)?;
        Ok(Reply::Done)
    }
}
