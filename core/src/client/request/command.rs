//! The commands of a request to its host, and the inputs that the host gives.

use std::fmt;
use std::time::Duration;

use super::limits::Limit;
use crate::client::transport::encoding::ContentEncoding;
use crate::client::transport::response_head::{Payload, ResponseHead};
use crate::error::Error;

/// The next step. The host answers each command but `Wait` by one of the inputs of an [`Exchange`](super::Exchange).
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Have ready what the attempt is made with, such as the application's headers: `prepared`, or `failed`.
    Prepare,
    /// Send the request: `head`, `failed` or `late`; before them `connected`, by hosts that see it.
    Send(Sending),
    /// Read the body, which is encoded so: `piece` by piece, then `end` or `failed`.
    Refusal(ContentEncoding),
    /// There is nothing new: go on with what the last command asks for.
    Wait,
    /// Give up what was sent, or the answer that is open: `closed`.
    Close,
    /// Do nothing before this moment: `tick`.
    Sleep(Duration),
    /// It has come to an answer with events: read them.
    Events {
        /// The content type to decode them by.
        content_type: String,
        /// The encoding of the body.
        encoding: ContentEncoding,
    },
    /// It has come to nothing.
    Fail(Box<RequestFailure>),
}

/// One request, as it is sent.
#[derive(Clone, PartialEq)]
pub struct Sending {
    /// The URL, without credentials.
    pub url: String,
    /// Headers that replace the application's headers of these names.
    pub headers: Vec<(&'static str, String)>,
    /// Headers of the application that do not go along, by their names in lower case. Where there are any, nor does anything else
    /// that says who asks.
    pub left_behind: &'static [&'static str],
    /// The time limit of the connection, for libraries that watch it themselves.
    pub connect: Option<Limit>,
    /// The time limit of the head once there is a connection, for the same libraries.
    pub head: Option<Limit>,
}

/// The head of an answer.
#[derive(Clone, Copy, Debug, Default)]
pub struct AnswerHead<'h> {
    /// Its status.
    pub status: u16,
    /// The header `Content-Type`.
    pub content_type: Option<&'h str>,
    /// The header `Content-Encoding`; several lines are one, with commas between them.
    pub content_encoding: Option<&'h str>,
    /// The header `Location` as an absolute URL; empty for what is none.
    pub location: Option<&'h str>,
    /// The header `Retry-After`.
    pub retry_after: Option<&'h str>,
}

impl<'h> AnswerHead<'h> {
    /// The members that tell events from a redirect and a refusal.
    pub(super) fn response(&self) -> ResponseHead<'h> {
        ResponseHead { status: self.status, content_type: self.content_type }
    }
}

/// When something happens, by the host's clocks; and a number from 0 to 1 that chance has given, since pauses depend on it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Moment {
    /// The time since a fixed moment.
    pub now: Duration,
    /// In milliseconds since the Unix epoch: servers ask for pauses until a date.
    pub wall: i64,
    /// Left to chance.
    pub chance: f64,
}

/// The failure of a request.
#[derive(Clone, PartialEq)]
pub struct RequestFailure {
    /// The error.
    pub error: Error,
    /// The status of the answer, if there was one.
    pub status: Option<u16>,
    /// The body of the answer, if the server refused the request.
    pub payload: Option<Payload>,
}

impl From<Error> for RequestFailure {
    fn from(error: Error) -> Self {
        Self { error, status: None, payload: None }
    }
}

impl fmt::Debug for Sending {
    /// Neither the address nor headers: they may hold secrets.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Sending").field("left_behind", &self.left_behind).finish_non_exhaustive()
    }
}

impl fmt::Debug for RequestFailure {
    /// Leaves out the payload: it may hold secrets.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("RequestFailure");
        shown.field("error", &self.error).field("status", &self.status).finish_non_exhaustive()
    }
}
