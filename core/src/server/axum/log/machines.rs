//! The machines that a server drives.

use std::time::Duration;

use super::driver::{Machine, Step};
use crate::bindings::durable::{
    Admission, AdmissionCommand, Admitted, EngineFailure, Hint, LogNotice, LogRefusal, LogStream,
    LogStreamCommand, ProducerCommand, Recorder, Reply, SingleCommand, SingleOperation, Ticket,
};
use crate::server::PlainResponse;

impl Machine for Admission {
    type Command = Admitted;

    fn step(&mut self, now: Duration) -> Option<Step<Admitted>> {
        self.poll(now).map(|command| match command {
            AdmissionCommand::Send { ticket, operation } => Step::Send(ticket, operation),
            AdmissionCommand::Decided(admitted) => Step::Other(admitted),
        })
    }

    fn take_reply(&mut self, now: Duration, ticket: Ticket, reply: Result<Reply, EngineFailure>) {
        self.reply(now, ticket, reply);
    }

    fn take_hint(&mut self, _: Hint) {}

    fn next_step(&self) -> Option<Duration> {
        self.deadline()
    }

    fn next_notice(&mut self) -> Option<LogNotice> {
        self.take_notice()
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

    fn take_hint(&mut self, _: Hint) {}

    fn next_step(&self) -> Option<Duration> {
        self.deadline()
    }
}
