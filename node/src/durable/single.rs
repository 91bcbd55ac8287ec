//! Cancels and reads of threads.

use ag_ui_native::bindings::durable::{Reply, SingleCommand, SingleOperation};
use napi_derive::napi;

use super::handles::{LogCommand, LogOperation, LogReply, given};
use super::response::{cancel_response, read_response, refusal};
use super::time::{duration, milliseconds};

/// One operation of a request.
#[napi]
#[derive(Debug)]
pub struct LogSingle {
    pub(super) single: SingleOperation,
    /// Writes the response to the reply.
    pub(super) response: Response,
}

/// The response to a reply.
#[derive(Debug)]
pub(super) enum Response {
    Cancel,
    Thread { thread_id: String },
}

#[napi]
impl LogSingle {
    /// `send` with an operation, or `response` with its text.
    #[napi(catch_unwind)]
    pub fn poll(&mut self, now: f64) -> Option<LogCommand> {
        Some(match self.single.poll(duration(now))? {
            SingleCommand::Send { ticket, operation } => LogCommand::send(operation, ticket),
            SingleCommand::Done(Ok(reply)) => {
                LogCommand::of_text("response", Some(self.response.text(&reply)))
            }
            SingleCommand::Done(Err(refused)) => {
                LogCommand::of_text("response", Some(refusal(refused.response(Vec::new()))))
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

impl Response {
    fn text(&self, reply: &Reply) -> String {
        match (self, reply) {
            (Self::Cancel, reply) => refusal(cancel_response(reply)),
            (Self::Thread { thread_id }, reply) => refusal(read_response(thread_id, reply)),
        }
    }
}
