//! The operations over the tables of an engine.

use std::time::Duration;

use super::log::LogRecord;
use super::storage::{Storage, ThreadRecord};
use crate::durable::key::{LogKey, ThreadKey};
use crate::durable::operation::{Operation, Read};
use crate::durable::reply::{Hint, Page, Reply, ThreadInfo};

/// The result of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executed {
    /// The reply to its sender.
    pub reply: Reply,
    /// The hints to those who watch these logs.
    pub hints: Vec<(LogKey, Hint)>,
}

/// Executes an operation. The tables execute one at a time, and keep all that it writes or, behind a failure, nothing.
pub fn execute<S: Storage>(
    storage: &mut S,
    now: Duration,
    operation: &Operation,
) -> Result<Executed, S::Failure> {
    let mut execution = Execution { storage, now, hints: Vec::new() };
    if !is_read(operation) {
        execution.delete_expired()?;
    }
    let reply = match operation {
        Operation::Create(create) => execution.create(create),
        Operation::Claim { key, owner, lease } => execution.claim(key, owner, *lease),
        Operation::Append(append) => execution.append(append),
        Operation::Renew { key, epoch, lease } => execution.renew(key, *epoch, *lease),
        Operation::Attend { key } => execution.attend(key),
        Operation::Read(read) => execution.read(read),
        Operation::Cancel { key } => execution.cancel(key),
        Operation::Info { key } => execution.info(key),
        Operation::Delete { key } => execution.delete_log(key).map(|()| Reply::Done),
        Operation::ReadThread { thread } => execution.read_thread(thread),
        Operation::DeleteThread { thread } => execution.delete_thread(thread),
    }?;
    Ok(Executed { reply, hints: execution.hints })
}

/// True for an operation that writes nothing, unless it finds a run that is lost.
pub fn is_read(operation: &Operation) -> bool {
    matches!(operation, Operation::Read(_) | Operation::Info { .. } | Operation::ReadThread { .. })
}

/// An operation that is executed.
pub struct Execution<'s, S> {
    pub storage: &'s mut S,
    pub now: Duration,
    /// The hints to those who watch.
    pub hints: Vec<(LogKey, Hint)>,
}

impl<S: Storage> Execution<'_, S> {
    /// The log, unless its time is over.
    pub fn log(&mut self, key: &LogKey) -> Result<Option<LogRecord>, S::Failure> {
        Ok(self.storage.log(key)?.filter(|log| !log.is_expired(self.now)))
    }

    /// The thread, unless its time is over.
    pub fn thread(&mut self, key: &ThreadKey) -> Result<Option<ThreadRecord>, S::Failure> {
        Ok(self.storage.thread(key)?.filter(|thread| !thread.is_expired(self.now)))
    }

    fn read(&mut self, read: &Read) -> Result<Reply, S::Failure> {
        self.end_if_lost(&read.key)?;
        let Some(log) = self.log(&read.key)? else { return Ok(Reply::Unknown) };
        if read.after.is_some_and(|cursor| cursor.incarnation != log.incarnation) {
            return Ok(Reply::Replaced);
        }
        let after = read.after.map_or(0, |cursor| cursor.number);
        if after >= log.next {
            return Ok(Reply::Ahead);
        }
        Ok(Reply::Page(Page {
            incarnation: log.incarnation,
            first: after + 1,
            frames: self.storage.frames(&read.key, after, read.max_bytes)?,
            next: log.next,
            is_closed: log.is_closed,
        }))
    }

    fn cancel(&mut self, key: &LogKey) -> Result<Reply, S::Failure> {
        let Some(mut log) = self.log(key)? else { return Ok(Reply::Unknown) };
        log.is_cancelled = true;
        self.storage.put_log(key, log)?;
        self.hints.push((key.clone(), Hint::Cancelled));
        Ok(Reply::Done)
    }

    fn info(&mut self, key: &LogKey) -> Result<Reply, S::Failure> {
        self.end_if_lost(key)?;
        Ok(self.log(key)?.map_or(Reply::Unknown, |log| Reply::Info(log.info())))
    }

    fn read_thread(&mut self, key: &ThreadKey) -> Result<Reply, S::Failure> {
        self.end_active_if_lost(key)?;
        let Some(thread) = self.thread(key)? else { return Ok(Reply::Thread(ThreadInfo::default())) };
        let snapshot = self.storage.snapshot(key)?;
        Ok(Reply::Thread(thread.info(snapshot)))
    }
}
