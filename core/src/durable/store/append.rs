//! New frames of a log, and its end.

use super::log::{END_BYTES, LogRecord};
use super::operations::Execution;
use super::storage::Storage;
use crate::durable::frame::{Frame, Snapshot};
use crate::durable::key::LogKey;
use crate::durable::operation::Append;
use crate::durable::reply::{Hint, Reply};

impl<S: Storage> Execution<'_, S> {
    pub(super) fn append(&mut self, append: &Append) -> Result<Reply, S::Failure> {
        let Append { key, first, frames, end, .. } = append;
        let Some(mut log) = self.log(key)? else { return Ok(Reply::Unknown) };
        let (skipped, bytes) = match log.fit(append) {
            Ok(fit) => fit,
            Err(reply) => return Ok(reply),
        };
        let (stored, frames) = frames.split_at(skipped);
        debug_assert!(self.has(key, *first, stored)?, "a repetition has the same frames");
        if frames.is_empty() {
            return Ok(Reply::Appended { next: log.next });
        }
        let snapshot = end.as_ref().and_then(|end| end.snapshot.as_ref());
        // A short end always fits, so that the thread is free.
        let has_room = self.make_room(0, 0, bytes + snapshot.map_or(0, Snapshot::len))?;
        if !has_room && (end.is_none() || bytes > END_BYTES) {
            return Ok(Reply::TooBig);
        }
        self.storage.append(key, &mut log, frames)?;
        let next = log.next;
        self.hints.push((key.clone(), Hint::Appended { next }));
        if end.is_some() {
            self.close(key, log, snapshot)?;
        }
        Ok(Reply::Appended { next })
    }

    fn has(&mut self, key: &LogKey, first: u64, frames: &[Frame]) -> Result<bool, S::Failure> {
        let bytes = frames.iter().map(Frame::len).sum();
        Ok(frames.is_empty() || self.storage.frames(key, first.saturating_sub(1), bytes)? == frames)
    }

    /// Closes a log: its thread is free.
    pub(super) fn close(
        &mut self,
        key: &LogKey,
        mut log: LogRecord,
        snapshot: Option<&Snapshot>,
    ) -> Result<(), S::Failure> {
        log.is_closed = true;
        log.expires_at = self.now.saturating_add(log.policy.keep);
        let keep_thread = log.policy.keep_thread;
        self.storage.put_log(key, log)?;
        self.end_run(key, keep_thread, snapshot)
    }
}
