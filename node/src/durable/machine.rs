//! The machines that JavaScript drives: the part that all of them have.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use ag_ui_native::bindings::durable::{EngineFailure, LogRefusal, Machine, Step};
use ag_ui_native::bindings::server::PlainResponse;
use napi_derive::napi;

use super::handles::{LogCommand, LogOperation, LogReply, hint_of};
use super::notice::notice_text;
use super::response::{log_refusal, refusal};
use super::time::{duration, milliseconds};

/// A machine of core, of any kind.
trait Driven: fmt::Debug {
    fn poll(&self, now: f64) -> Option<LogCommand>;
    fn reply(&self, now: f64, operation: &LogOperation, reply: Option<&LogReply>);
    fn hint(&self, hint: &str);
    fn deadline(&self) -> Option<f64>;
    fn notice(&self) -> Option<String>;
}

impl<M> Driven for RefCell<M>
where
    M: Machine + fmt::Debug,
    M::Command: Into<LogCommand>,
{
    fn poll(&self, now: f64) -> Option<LogCommand> {
        Some(match self.borrow_mut().step(duration(now))? {
            Step::Send(ticket, operation) => LogCommand::send(operation, ticket),
            Step::Other(command) => command.into(),
        })
    }

    fn reply(&self, now: f64, operation: &LogOperation, reply: Option<&LogReply>) {
        if let Some(ticket) = operation.ticket {
            let reply = reply.map(|reply| reply.reply.clone()).ok_or(EngineFailure);
            self.borrow_mut().take_reply(duration(now), ticket, reply);
        }
    }

    fn hint(&self, hint: &str) {
        if let Some(hint) = hint_of(hint) {
            self.borrow_mut().take_hint(hint);
        }
    }

    fn deadline(&self) -> Option<f64> {
        self.borrow().next_step().map(milliseconds)
    }

    fn notice(&self) -> Option<String> {
        self.borrow_mut().next_notice().map(|notice| notice_text(&notice))
    }
}

/// A machine that sends operations to an engine. Its owner says what its commands are.
#[napi]
#[derive(Debug)]
pub struct LogMachine {
    machine: Rc<dyn Driven>,
}

impl LogMachine {
    /// The machine of an object that has methods of its own, too.
    pub(super) fn of<M>(machine: &Rc<RefCell<M>>) -> Self
    where
        M: Machine + fmt::Debug + 'static,
        M::Command: Into<LogCommand>,
    {
        Self { machine: Rc::clone(machine) as Rc<dyn Driven> }
    }
}

#[napi]
impl LogMachine {
    /// The next command: `send` with an operation, or one that its owner describes. None until the next input or the deadline.
    #[napi(catch_unwind)]
    pub fn poll(&self, now: f64) -> Option<LogCommand> {
        self.machine.poll(now)
    }

    /// Takes the reply to an operation; none if the engine has failed.
    #[napi(catch_unwind)]
    pub fn reply(&self, now: f64, operation: &LogOperation, reply: Option<&LogReply>) {
        self.machine.reply(now, operation, reply);
    }

    /// Takes a hint, which is JSON text.
    #[napi(catch_unwind)]
    #[allow(clippy::needless_pass_by_value)] // napi hands strings over.
    pub fn hint(&self, hint: String) {
        self.machine.hint(&hint);
    }

    /// The time of the next poll; none at the end.
    #[napi(catch_unwind)]
    pub fn deadline(&self) -> Option<f64> {
        self.machine.deadline()
    }

    /// The next notice for the application, as JSON text. Asked behind each command.
    #[napi(catch_unwind)]
    pub fn notice(&self) -> Option<String> {
        self.machine.notice()
    }
}

impl From<LogRefusal> for LogCommand {
    fn from(refused: LogRefusal) -> Self {
        Self::of_text("refused", Some(log_refusal(&refused)))
    }
}

/// `response` with its text, or `refused` with the refusal.
impl From<Result<PlainResponse, LogRefusal>> for LogCommand {
    fn from(done: Result<PlainResponse, LogRefusal>) -> Self {
        done.map_or_else(Self::from, |response| Self::of_text("response", Some(refusal(response))))
    }
}
