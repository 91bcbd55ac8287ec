//! The thread that writes.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::clock::Clock;
use super::connection::SharedConnection;
use super::failure::Failure;
use super::job::{Job, Message};
use super::tables::Tables;
use super::watch::Watchers;
use crate::durable::store::{Executed, execute};
use crate::error::Error;

/// The time between two checks for writes of other processes, while there are watchers.
const LOOK: Duration = Duration::from_millis(20);
/// The largest number of operations that one transaction executes.
const GROUP: usize = 512;

pub struct Writer {
    pub connection: SharedConnection,
    pub clock: Arc<Clock>,
    pub watchers: Arc<Watchers>,
    pub messages: Receiver<Message>,
    /// The thread that checks for writes of other processes.
    pub reader: Sender<Message>,
}

impl Writer {
    pub fn run(self) {
        let mut looked_at = Instant::now();
        let mut version = None;
        let mut is_ended = false;
        while !is_ended {
            let mut jobs = Vec::new();
            match self.receive() {
                Ok(Message::Execute(job)) => jobs.push(job),
                Ok(Message::Look) | Err(RecvTimeoutError::Timeout) => {}
                Ok(Message::End) | Err(RecvTimeoutError::Disconnected) => is_ended = true,
            }
            while jobs.len() < GROUP {
                match self.messages.try_recv() {
                    Ok(Message::Execute(job)) => jobs.push(job),
                    Ok(Message::Look) => {}
                    Ok(Message::End) => is_ended = true,
                    Err(_) => break,
                }
            }
            self.execute(jobs);
            if looked_at.elapsed() >= LOOK && !self.watchers.is_empty() {
                looked_at = Instant::now();
                self.look(&mut version);
            }
        }
        self.connection.with(checkpoint);
        self.connection.close();
    }

    fn receive(&self) -> Result<Message, RecvTimeoutError> {
        if self.watchers.is_empty() {
            return self.messages.recv().map_err(|_| RecvTimeoutError::Disconnected);
        }
        self.messages.recv_timeout(LOOK)
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

    /// Has the reader look if another connection than this one has written.
    fn look(&self, version: &mut Option<i64>) {
        let read = |connection: &mut Connection| {
            connection.pragma_query_value(None, "data_version", |row| row.get(0)).ok()
        };
        let now: Option<i64> = self.connection.with(read).flatten();
        if now != *version {
            *version = now;
            let _ = self.reader.send(Message::Look);
        }
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
