//! The time for which logs and threads are kept, and the room for new ones.

use super::operations::Execution;
use super::storage::{Lack, Storage};
use crate::durable::key::LogKey;

/// The largest number of logs, and of threads, that an operation deletes beside its own work. What is not deleted yet
/// is not found any more.
const SWEEP: usize = 8;

impl<S: Storage> Execution<'_, S> {
    pub(super) fn delete_expired(&mut self) -> Result<(), S::Failure> {
        for _ in 0..SWEEP {
            match self.storage.first_expiry()? {
                Some((at, key)) if at <= self.now => self.delete_log(&key)?,
                _ => break,
            }
        }
        for _ in 0..SWEEP {
            match self.storage.first_thread_expiry()? {
                Some((at, key)) if at <= self.now => self.storage.delete_thread(&key)?,
                _ => break,
            }
        }
        Ok(())
    }

    /// Deletes a log. If its run is active, its thread is free.
    pub(super) fn delete_log(&mut self, key: &LogKey) -> Result<(), S::Failure> {
        self.storage.delete_log(key)?;
        self.forget_run(key)
    }

    /// Deletes logs that have ended, then threads without an active run, the earliest first, until these numbers of logs, threads and bytes
    /// fit. Returns false if they do not fit.
    pub(super) fn make_room(
        &mut self,
        logs: usize,
        threads: usize,
        bytes: usize,
    ) -> Result<bool, S::Failure> {
        loop {
            let lack = self.storage.lack(logs, threads, bytes);
            if !(lack.logs || lack.threads || lack.bytes) {
                return Ok(true);
            }
            if !self.make_some_room(lack)? {
                return Ok(false);
            }
        }
    }

    fn make_some_room(&mut self, lack: Lack) -> Result<bool, S::Failure> {
        if (lack.logs || lack.bytes)
            && let Some((_, key)) = self.storage.first_closed_expiry()?
        {
            self.storage.delete_log(&key)?;
            return Ok(true);
        }
        if (lack.threads || lack.bytes)
            && let Some((_, key)) = self.storage.first_thread_expiry()?
        {
            self.storage.delete_thread(&key)?;
            return Ok(true);
        }
        Ok(false)
    }
}
