//! The commands that a request gives to its host, and the inputs of the host.

use std::fmt;
use std::time::Duration;

use super::limits::Limit;
use crate::client::transport::encoding::ContentEncoding;
use crate::client::transport::response_head::{Payload, ResponseHead};
use crate::error::Error;

/// The next step. The host answers each command but `Wait` by one of the inputs of an [`Exchange`](super::Exchange).
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Prepare the attempt, such as the application's headers. Answered by `prepared` or `failed`.
    Prepare,
    /// Send the request. Answered by `head`, `failed` or `late`, and before them by `connected` if the host sees the connection.
    Send(Sending),
    /// Read the body of a refusal, in this encoding. Answered by `piece` for each piece, then by `end` or `failed`.
    Refusal(ContentEncoding),
    /// Continue with the last command.
    Wait,
    /// Close the request or the open answer. Answered by `closed`.
    Close,
    /// Do nothing before this moment. Answered by `tick`.
    Sleep(Duration),
    /// Read the events of the answer: the request is over.
    Events {
        /// The content type by which they are decoded.
        content_type: String,
        /// The encoding of the body.
        encoding: ContentEncoding,
    },
    /// The request has failed.
    Fail(Box<RequestFailure>),
}

/// One request, as it is sent.
#[derive(Clone, PartialEq)]
pub struct Sending {
    /// The method.
    pub method: &'static str,
    /// The URL, without credentials.
    pub url: String,
    /// True if the body is the input of the run; false for no body.
    pub has_input: bool,
    /// Headers that replace the application's headers of these names.
    pub headers: Vec<(&'static str, String)>,
    /// The names, in lower case, of application headers that are not sent. If there are any, no other credentials are sent either.
    pub left_behind: &'static [&'static str],
    /// The time limit of the connection, for libraries that apply it themselves.
    pub connect: Option<Limit>,
    /// The time limit of the head after the connection, for the same libraries.
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
    /// The header `Location` as an absolute URL; empty if it is none.
    pub location: Option<&'h str>,
    /// The header `Retry-After`.
    pub retry_after: Option<&'h str>,
    /// The header `AG-UI-Cursor`.
    pub cursor: Option<&'h str>,
}

impl<'h> AnswerHead<'h> {
    /// The members that distinguish events, a redirect and a refusal.
    pub(super) fn response(&self) -> ResponseHead<'h> {
        ResponseHead { status: self.status, content_type: self.content_type }
    }
}

/// The time of an input by the host's clocks, and a random number for pauses.
#[derive(Clone, Copy, Debug, Default)]
pub struct Moment {
    /// The time since a fixed moment.
    pub now: Duration,
    /// The milliseconds since the Unix epoch: servers ask for pauses until a date.
    pub wall: i64,
    /// A random number from 0 to 1.
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
    /// Leaves out the address and headers: they may hold secrets.
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
