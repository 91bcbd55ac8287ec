//! The lease of a log: the process that writes it, and the end of its time.

use std::time::Duration;

use super::operations::Execution;
use super::storage::Storage;
use crate::durable::frame::Frame;
use crate::durable::key::{LogKey, ThreadKey};
use crate::durable::reply::{Hint, Reply};
use crate::error::{Code, Error};

impl<S: Storage> Execution<'_, S> {
    pub(super) fn claim(&mut self, key: &LogKey, owner: &str, lease: Duration) -> Result<Reply, S::Failure> {
        let Some(mut log) = self.log(key)? else { return Ok(Reply::Unknown) };
        match log.claim(self.now, owner, lease) {
            Ok(epoch) => {
                self.storage.put_log(key, log)?;
                Ok(Reply::Claimed { epoch })
            }
            Err(reply) => Ok(reply),
        }
    }

    pub(super) fn renew(&mut self, key: &LogKey, epoch: u64, lease: Duration) -> Result<Reply, S::Failure> {
        let Some(mut log) = self.log(key)? else { return Ok(Reply::Unknown) };
        if log.is_closed {
            return Ok(Reply::Closed);
        }
        if log.epoch != epoch {
            return Ok(Reply::Fenced);
        }
        let renewed =
            Reply::Renewed { is_cancelled: log.is_cancelled, is_attended: log.attended_until > self.now };
        log.take_lease(self.now.saturating_add(lease));
        self.storage.put_log(key, log)?;
        Ok(renewed)
    }

    pub(super) fn attend(&mut self, key: &LogKey) -> Result<Reply, S::Failure> {
        let Some(mut log) = self.log(key)? else { return Ok(Reply::Unknown) };
        let before = log.attended_until;
        log.attend(self.now);
        if log.attended_until != before {
            self.storage.put_log(key, log)?;
        }
        Ok(Reply::Done)
    }

    /// Ends the active run of a thread, if its lease is over.
    pub(super) fn end_active_if_lost(&mut self, thread: &ThreadKey) -> Result<(), S::Failure> {
        match self.storage.thread(thread)?.and_then(|thread| thread.active) {
            Some(active) => self.end_if_lost(&active.key),
            None => Ok(()),
        }
    }

    /// Ends a run whose lease is over.
    pub(super) fn end_if_lost(&mut self, key: &LogKey) -> Result<(), S::Failure> {
        let Some(mut log) = self.storage.log(key)?.filter(|log| log.is_lost(self.now)) else {
            return Ok(());
        };
        if log.is_expired(self.now) {
            return self.delete_log(key);
        }
        log.epoch += 1;
        self.storage.append(key, &mut log, &[Frame::run_error(&Error::new(Code::ProducerLost, ""))])?;
        self.hints.push((key.clone(), Hint::Appended { next: log.next }));
        self.close(key, log, None)
    }
}
