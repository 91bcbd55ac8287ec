//! One operation of a request, such as a cancel.

use std::time::Duration;

use super::exchange::{EngineFailure, Exchange, Ticket};
use super::key::{LogKey, ThreadKey};
use super::operation::Operation;
use super::refusal::LogRefusal;
use super::reply::Reply;
use super::thread_response::thread_response;
use crate::defaults::LOG_PATIENCE;
use crate::error::Code;
use crate::server::PlainResponse;

/// A command to the host.
#[derive(Clone, Debug, PartialEq)]
pub enum SingleCommand {
    /// Send this operation to the engine, and give its reply to [`SingleOperation::reply`].
    Send {
        /// The number to give back.
        ticket: Ticket,
        /// The operation.
        operation: Operation,
    },
    /// The response to the request, without CORS headers, or its refusal. No command follows.
    Done(Result<PlainResponse, LogRefusal>),
}

/// Cancels a run, or reads a thread: one operation, which is repeated until the engine replies or the time is over.
#[derive(Debug)]
pub struct SingleOperation {
    operation: Operation,
    /// The id of the thread that is read.
    thread_id: String,
    exchange: Exchange,
    tickets: u64,
    until: Option<Duration>,
    reply: Option<Reply>,
    is_over: bool,
}

impl SingleOperation {
    /// Asks the producer of a log to end its run.
    pub fn cancel(key: LogKey) -> Self {
        Self::new(Operation::Cancel { key }, String::new())
    }

    /// Reads the data of a thread.
    pub fn read_thread(thread: ThreadKey, thread_id: String) -> Self {
        Self::new(Operation::ReadThread { thread }, thread_id)
    }

    fn new(operation: Operation, thread_id: String) -> Self {
        let exchange = Exchange::new(LOG_PATIENCE);
        Self { operation, thread_id, exchange, tickets: 0, until: None, reply: None, is_over: false }
    }

    /// Returns the next command; `None` until the next input or the deadline.
    pub fn poll(&mut self, now: Duration) -> Option<SingleCommand> {
        if self.is_over {
            return None;
        }
        if let Some(reply) = self.reply.take() {
            self.is_over = true;
            return Some(SingleCommand::Done(self.response(&reply)));
        }
        let until = *self.until.get_or_insert(now.saturating_add(LOG_PATIENCE));
        if !self.exchange.is_free(now) && now < until {
            return None;
        }
        if until <= now {
            self.is_over = true;
            return Some(SingleCommand::Done(Err(LogRefusal::new(Code::LogUnavailable))));
        }
        let ticket = self.exchange.send(now, &mut self.tickets);
        Some(SingleCommand::Send { ticket, operation: self.operation.clone() })
    }

    /// Takes the reply to the operation.
    pub fn reply(&mut self, now: Duration, ticket: Ticket, reply: Result<Reply, EngineFailure>) {
        if self.exchange.take(ticket).is_none() {
            return;
        }
        match reply {
            Ok(reply) => self.reply = Some(reply),
            Err(EngineFailure) => self.exchange.fail(now),
        }
    }

    /// The time of the next call of [`poll`](Self::poll), unless an input comes before; `None` at the end.
    pub fn deadline(&self) -> Option<Duration> {
        if self.is_over {
            return None;
        }
        let until = self.until.unwrap_or_default();
        Some(if self.reply.is_some() { Duration::ZERO } else { self.exchange.deadline().min(until) })
    }

    fn response(&self, reply: &Reply) -> Result<PlainResponse, LogRefusal> {
        match reply {
            Reply::Thread(thread) => Ok(thread_response(&self.thread_id, thread)),
            Reply::Done => {
                let headers = vec![("content-length", "0".to_owned())];
                Ok(PlainResponse { status: 202, headers, body: String::new() })
            }
            Reply::Unknown => Err(LogRefusal::new(Code::RunUnknown)),
            _ => Err(LogRefusal::new(Code::LogUnavailable)),
        }
    }
}
