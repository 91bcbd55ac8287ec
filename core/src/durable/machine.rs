//! The part that all machines of durable runs have: hosts drive them over an engine.

use std::time::Duration;

use super::exchange::{EngineFailure, Ticket};
use super::lease::Renewal;
use super::notice::LogNotice;
use super::operation::Operation;
use super::producer::ProducerCommand;
use super::recorder::Recorder;
use super::refusal::LogRefusal;
use super::reply::{Hint, Reply};
use super::single::{SingleCommand, SingleOperation};
use super::stream::{LogStream, LogStreamCommand};
use crate::server::PlainResponse;

/// A step of a machine.
#[derive(Clone, Debug, PartialEq)]
pub enum Step<C> {
    /// Send this operation to the engine, and give its reply and the ticket to [`Machine::take_reply`].
    Send(Ticket, Operation),
    /// A command that the host carries out.
    Other(C),
}

/// A machine that sends operations to an engine.
///
/// After each input, and at the time of the next step, the host carries out the steps until there are none.
pub trait Machine {
    /// The commands besides operations.
    type Command;

    /// Returns the next step; `None` until the next input or the time of the next step.
    fn step(&mut self, now: Duration) -> Option<Step<Self::Command>>;

    /// Takes the reply to an operation.
    fn take_reply(&mut self, now: Duration, ticket: Ticket, reply: Result<Reply, EngineFailure>);

    /// Takes a hint of the log.
    fn take_hint(&mut self, _: Hint) {}

    /// The time of the next step, unless an input comes before; `None` at the end.
    fn next_step(&self) -> Option<Duration>;

    /// The next notice for the application. Asked behind each step.
    fn next_notice(&mut self) -> Option<LogNotice> {
        None
    }
}

impl Machine for Recorder {
    type Command = ProducerCommand;

    fn step(&mut self, now: Duration) -> Option<Step<ProducerCommand>> {
        self.poll(now).map(|command| match command {
            ProducerCommand::Send { ticket, operation } => Step::Send(ticket, operation),
            command => Step::Other(command),
        })
    }

    fn take_reply(&mut self, now: Duration, ticket: Ticket, reply: Result<Reply, EngineFailure>) {
        self.reply(now, ticket, reply);
    }

    fn take_hint(&mut self, hint: Hint) {
        self.hint(hint);
    }

    fn next_step(&self) -> Option<Duration> {
        self.deadline()
    }

    fn next_notice(&mut self) -> Option<LogNotice> {
        self.take_notice()
    }
}

impl Machine for LogStream {
    type Command = LogStreamCommand;

    fn step(&mut self, now: Duration) -> Option<Step<LogStreamCommand>> {
        self.poll(now).map(|command| match command {
            LogStreamCommand::Send { ticket, operation } => Step::Send(ticket, operation),
            command => Step::Other(command),
        })
    }

    fn take_reply(&mut self, now: Duration, ticket: Ticket, reply: Result<Reply, EngineFailure>) {
        self.reply(now, ticket, reply);
    }

    fn take_hint(&mut self, hint: Hint) {
        self.hint(hint);
    }

    fn next_step(&self) -> Option<Duration> {
        self.deadline()
    }

    fn next_notice(&mut self) -> Option<LogNotice> {
        self.take_notice()
    }
}

impl Machine for SingleOperation {
    type Command = Result<PlainResponse, LogRefusal>;

    fn step(&mut self, now: Duration) -> Option<Step<Self::Command>> {
        self.poll(now).map(|command| match command {
            SingleCommand::Send { ticket, operation } => Step::Send(ticket, operation),
            SingleCommand::Done(done) => Step::Other(done),
        })
    }

    fn take_reply(&mut self, now: Duration, ticket: Ticket, reply: Result<Reply, EngineFailure>) {
        self.reply(now, ticket, reply);
    }

    fn next_step(&self) -> Option<Duration> {
        self.deadline()
    }
}

impl Machine for Renewal {
    type Command = std::convert::Infallible;

    fn step(&mut self, now: Duration) -> Option<Step<Self::Command>> {
        self.poll(now).map(|(ticket, operation)| Step::Send(ticket, operation))
    }

    fn take_reply(&mut self, now: Duration, ticket: Ticket, reply: Result<Reply, EngineFailure>) {
        self.reply(now, ticket, reply);
    }

    fn next_step(&self) -> Option<Duration> {
        self.deadline()
    }
}
