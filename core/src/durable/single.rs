//! One operation of a request, such as a cancel.

use std::time::Duration;

use super::exchange::{EngineFailure, Exchange, Ticket};
use super::operation::Operation;
use super::refusal::LogRefusal;
use super::reply::Reply;
use crate::error::Code;

/// The longest time to wait for a reply.
const PATIENCE: Duration = Duration::from_secs(5);

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
    /// The reply, or the refusal `log_unavailable`. No command follows.
    Done(Result<Reply, LogRefusal>),
}

/// Executes one operation, which is repeated until the engine replies or the time is over.
#[derive(Debug)]
pub struct SingleOperation {
    operation: Operation,
    exchange: Exchange,
    tickets: u64,
    until: Option<Duration>,
    reply: Option<Reply>,
    is_over: bool,
}

impl SingleOperation {
    /// Executes this operation.
    pub fn new(operation: Operation) -> Self {
        let exchange = Exchange::new(PATIENCE);
        Self { operation, exchange, tickets: 0, until: None, reply: None, is_over: false }
    }

    /// Returns the next command; `None` until the next input or the deadline.
    pub fn poll(&mut self, now: Duration) -> Option<SingleCommand> {
        if self.is_over {
            return None;
        }
        if let Some(reply) = self.reply.take() {
            self.is_over = true;
            return Some(SingleCommand::Done(Ok(reply)));
        }
        let until = *self.until.get_or_insert(now.saturating_add(PATIENCE));
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
}
