//! What a request is about: a run that it starts, or a run or thread of which a server keeps a log.

use super::command::{AnswerHead, RequestFailure};
use crate::client::reconnect::ReconnectOptions;
use crate::client::transport::run_address::{
    cancel_location, relative_address, run_location, thread_location,
};
use crate::error::{Code, Error};

/// The purpose of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// Start a run, by its input.
    #[default]
    Start,
    /// Read a run that was started elsewhere.
    Join,
    /// Cancel a run.
    Cancel,
    /// Read the messages, the state and the pending interrupts of a thread.
    Thread,
}

/// The run or the thread that a request is about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Subject {
    /// The purpose.
    pub purpose: Purpose,
    /// The id of the thread.
    pub thread_id: String,
    /// The id of the run; empty if the request is about the thread.
    pub run_id: String,
    /// The times of reconnecting; `None` to end with the connection.
    pub reconnect: Option<ReconnectOptions>,
}

impl Purpose {
    /// All purposes.
    pub const ALL: [Self; 4] = [Self::Start, Self::Join, Self::Cancel, Self::Thread];

    /// The name, the same in every language.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Join => "join",
            Self::Cancel => "cancel",
            Self::Thread => "thread",
        }
    }

    /// The method of the request.
    pub(super) fn method(self) -> &'static str {
        if matches!(self, Self::Start | Self::Cancel) { "POST" } else { "GET" }
    }

    /// True if the answer has events.
    pub(super) fn has_events(self) -> bool {
        matches!(self, Self::Start | Self::Join)
    }

    /// True if an answer with this head is the one that is asked for; `None` if its status alone decides. A run can only be
    /// read from a server that says where it begins.
    pub(super) fn accepts(self, head: &AnswerHead<'_>) -> Option<bool> {
        (self == Self::Join).then(|| head.status == 200 && head.cursor.is_some())
    }

    /// The failure of a request that was refused.
    pub(super) fn refused(self, failure: RequestFailure) -> RequestFailure {
        let error = match (self, failure.status) {
            (Self::Join | Self::Cancel | Self::Thread, Some(404)) | (Self::Join, Some(204)) => {
                Error::new(Code::RunUnknown, "")
            }
            (Self::Join, Some(200)) => {
                Error::new(Code::HttpError, "status 200 without the header `AG-UI-Cursor`")
                    .advise("ask a server with a log, and let its proxies pass the headers `AG-UI-*`")
            }
            _ => return failure,
        };
        RequestFailure { error, ..failure }
    }
}

/// The error of a client that asks for a run or a thread over another transport than HTTP.
pub fn over_http_only() -> Error {
    let detail = "runs are joined and cancelled, and threads opened, over HTTP";
    Error::new(Code::RunUnknown, detail).advise("use an agent over HTTP for the same thread")
}

/// The error of a client that cancels its active run while it has none.
pub fn no_active_run() -> Error {
    Error::new(Code::RunUnknown, "the agent has no active run").advise("pass the id of the run")
}

impl Subject {
    /// The reference from the agent's URL to the address of the request; `None` for that URL itself.
    pub(super) fn location(&self, purpose: Purpose, url: &str) -> Option<String> {
        let (agent, Self { thread_id, run_id, .. }) = (relative_address(url), self);
        match purpose {
            Purpose::Start => None,
            Purpose::Join => Some(run_location(&agent, thread_id, run_id)),
            Purpose::Cancel => Some(cancel_location(&agent, thread_id, run_id)),
            Purpose::Thread => Some(thread_location(&agent, thread_id)),
        }
    }
}
