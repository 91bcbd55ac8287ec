//! The thread that writes.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::clock::Clock;
use super::connection::SharedConnection;
use super::failure::Failure;
use super::job::{Job, Message};
use super::notice::Notice;
use super::pace::Pace;
use super::tables::Tables;
use super::watch::Watchers;
use crate::durable::store::{Executed, execute};
use crate::error::Error;

/// The largest number of operations that one transaction executes.
const GROUP: usize = 512;

pub struct Writer {
    pub connection: SharedConnection,
    pub clock: Arc<Clock>,
    pub watchers: Arc<Watchers>,
    pub messages: Receiver<Message>,
    /// The thread that looks at the logs that other processes have written.
    pub reader: Sender<Message>,
    /// Says at once that a process has written, if the system can.
    pub notice: Option<Notice>,
}

impl Writer {
    pub fn run(mut self) {
        let mut pace = Pace::new();
        let mut version = None;
        let mut is_ended = false;
        while !is_ended {
            let mut jobs = Vec::new();
            let mut message = self.receive(&pace);
            loop {
                match message {
                    Ok(Message::Execute(job)) => jobs.push(job),
                    Ok(Message::Look) => pace.hurry(self.watchers.count()),
                    Ok(Message::End) | Err(RecvTimeoutError::Disconnected) => is_ended = true,
                    Err(RecvTimeoutError::Timeout) => {}
                }
                if is_ended || jobs.len() == GROUP {
                    break;
                }
                let Ok(next) = self.messages.try_recv() else { break };
                message = Ok(next);
            }
            self.execute(jobs);
            if pace.rest().is_zero() && !self.watchers.is_empty() {
                let has_changed = self.look(&mut version);
                pace.checked(self.watchers.count(), has_changed);
            }
        }
        self.notice.take();
        self.connection.with(checkpoint);
        self.connection.close();
    }

    fn receive(&self, pace: &Pace) -> Result<Message, RecvTimeoutError> {
        if self.watchers.is_empty() {
            return self.messages.recv().map_err(|_| RecvTimeoutError::Disconnected);
        }
        self.messages.recv_timeout(pace.rest())
    }

    /// Executes operations, gives their replies, and gives hints to watchers.
    fn execute(&self, jobs: Vec<Job>) {
        if jobs.is_empty() {
            return;
        }
        let results = self.connection.with(|connection| execute_all(connection, &self.clock, &jobs));
        let Some(results) = results else { return };
        for executed in results.iter().flatten() {
            for (key, hint) in &executed.hints {
                self.watchers.hint(key, *hint);
            }
        }
        for (job, result) in jobs.into_iter().zip(results) {
            job.answer(result.map(|executed| executed.reply));
        }
    }

    /// Has the reader look if another connection than this one has written. Returns true if it has.
    fn look(&self, version: &mut Option<i64>) -> bool {
        let read = |connection: &mut Connection| {
            connection.pragma_query_value(None, "data_version", |row| row.get(0)).ok()
        };
        let now: Option<i64> = self.connection.with(read).flatten();
        let has_changed = now != *version;
        if has_changed {
            *version = now;
            let _ = self.reader.send(Message::Look);
        }
        has_changed
    }
}

/// Executes operations in one transaction. If that fails, each has a transaction of its own.
fn execute_all(connection: &mut Connection, clock: &Clock, jobs: &[Job]) -> Vec<Result<Executed, Error>> {
    match transact(connection, clock, jobs) {
        Ok(executed) => executed.into_iter().map(Ok).collect(),
        Err(failure) if failure.is_busy() || jobs.len() == 1 => {
            let error = Error::from(failure);
            jobs.iter().map(|_| Err(error.clone())).collect()
        }
        Err(_) => {
            jobs.iter().flat_map(|job| execute_all(connection, clock, std::slice::from_ref(job))).collect()
        }
    }
}

fn transact(connection: &mut Connection, clock: &Clock, jobs: &[Job]) -> Result<Vec<Executed>, Failure> {
    // Dropped, it is rolled back.
    let transaction = Transaction::new(connection, TransactionBehavior::Immediate)?;
    // The time is asked for within the transaction, so that it does not go back from one to the next.
    let now = clock.now();
    let mut tables = Tables { connection: &transaction, can_write: true };
    let executed =
        jobs.iter().map(|job| execute(&mut tables, now, &job.operation)).collect::<Result<_, _>>()?;
    transaction.commit()?;
    Ok(executed)
}

/// Moves the contents of the write-ahead log into the file, as far as other processes allow it.
fn checkpoint(connection: &mut Connection) {
    let _ = connection.busy_timeout(Duration::ZERO);
    let _ = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
}
