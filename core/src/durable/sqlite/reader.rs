//! The thread that reads.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::clock::Clock;
use super::connection::SharedConnection;
use super::failure::Failure;
use super::job::{Job, Message};
use super::tables::Tables;
use super::watch::{News, Watchers};
use crate::durable::operation::Operation;
use crate::durable::reply::Reply;
use crate::durable::store::{Storage, execute};

pub struct Reader {
    pub connection: SharedConnection,
    pub clock: Arc<Clock>,
    pub watchers: Arc<Watchers>,
    pub messages: Receiver<Message>,
    pub writer: Sender<Message>,
}

impl Reader {
    pub fn run(self) {
        while let Ok(message) = self.messages.recv() {
            match message {
                Message::Execute(job) => self.execute(job),
                Message::Look => self.look(),
                Message::End => break,
            }
        }
        self.connection.close();
        let _ = self.writer.send(Message::End);
    }

    fn execute(&self, job: Job) {
        let read = |connection: &mut Connection| read(connection, &self.clock, &job.operation);
        match self.connection.with(read) {
            Some(Err(Failure::MustWrite)) => {
                let _ = self.writer.send(Message::Execute(job));
            }
            Some(result) => job.answer(result.map_err(Into::into)),
            None => {}
        }
    }

    /// Gives hints to watchers about writes of other processes.
    fn look(&self) {
        for key in self.watchers.keys() {
            let log = self.connection.with(|connection| {
                let mut tables = Tables { connection, can_write: false };
                tables.log(&key).ok().flatten()
            });
            if let Some(log) = log.flatten() {
                self.watchers.look(&key, News { next: log.next, is_cancelled: log.is_cancelled });
            }
        }
    }
}

fn read(connection: &mut Connection, clock: &Clock, operation: &Operation) -> Result<Reply, Failure> {
    let transaction = Transaction::new(connection, TransactionBehavior::Deferred)?;
    let mut tables = Tables { connection: &transaction, can_write: false };
    let executed = execute(&mut tables, clock.now(), operation)?;
    transaction.commit()?;
    Ok(executed.reply)
}
