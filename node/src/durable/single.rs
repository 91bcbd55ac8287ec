//! Cancels and reads of threads.

use ag_ui_native::bindings::durable::{SingleCommand, SingleOperation};
use napi_derive::napi;

use super::handles::{LogCommand, LogOperation, LogReply, given};
use super::response::{log_refusal, refusal};
use super::time::{duration, milliseconds};

/// One operation of a request.
#[napi]
#[derive(Debug)]
pub struct LogSingle {
    pub(super) single: SingleOperation,
}

#[napi]
impl LogSingle {
    /// `send` with an operation, or `response` with its text.
    #[napi(catch_unwind)]
    pub fn poll(&mut self, now: f64) -> Option<LogCommand> {
        Some(match self.single.poll(duration(now))? {
            SingleCommand::Send { ticket, operation } => LogCommand::send(operation, ticket),
            SingleCommand::Done(done) => {
                let text = done.map_or_else(|refused| log_refusal(&refused), refusal);
                LogCommand::of_text("response", Some(text))
            }
        })
    }

    /// Takes the reply to an operation; none if the engine has failed.
    #[napi(catch_unwind)]
    pub fn reply(&mut self, now: f64, operation: &LogOperation, reply: Option<&LogReply>) {
        if let Some(ticket) = operation.ticket {
            self.single.reply(duration(now), ticket, given(reply));
        }
    }

    /// The time of the next poll.
    #[napi(catch_unwind)]
    pub fn deadline(&self) -> Option<f64> {
        self.single.deadline().map(milliseconds)
    }
}
