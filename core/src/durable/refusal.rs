//! The refusals of requests about runs with a log, as HTTP responses.

use std::time::Duration;

use super::reader::ReaderEnd;
use crate::error::{Code, Error};
use crate::server::bindings::Close;
use crate::server::{PlainResponse, Refusal};

/// The time after which a client tries again, if the server cannot answer now.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// The refusal of a request about a run with a log.
#[derive(Clone, Debug, PartialEq)]
pub struct LogRefusal {
    error: Box<Error>,
    /// The id of the run that is in the way.
    run_id: Option<String>,
}

impl From<Error> for LogRefusal {
    fn from(error: Error) -> Self {
        Self { error: error.into(), run_id: None }
    }
}

impl From<Refusal> for LogRefusal {
    fn from(Refusal(error): Refusal) -> Self {
        error.into()
    }
}

impl LogRefusal {
    pub(super) fn new(code: Code) -> Self {
        Error::new(code, "").into()
    }

    pub(super) fn thread_busy(run_id: String) -> Self {
        Self { run_id: Some(run_id), ..Self::new(Code::ThreadBusy) }
    }

    pub(super) fn thread_stale(run_id: String) -> Self {
        Self { run_id: Some(run_id), ..Self::new(Code::ThreadStale) }
    }

    /// The refusal of a reader that could not be opened; `None` if nothing is behind its cursor, which is status 204.
    pub fn of_reader(end: ReaderEnd) -> Option<Self> {
        let code = match end {
            ReaderEnd::Closed => return None,
            ReaderEnd::Unknown => Code::RunUnknown,
            ReaderEnd::Trimmed => Code::LogTrimmed,
            ReaderEnd::Replaced => Code::LogReplaced,
            ReaderEnd::Ahead => Code::CursorAhead,
            ReaderEnd::Unavailable => Code::LogUnavailable,
            ReaderEnd::Drained => Code::ServerDraining,
            ReaderEnd::Damaged => Code::Internal,
        };
        Some(Self::new(code))
    }

    /// The code of the refusal.
    pub fn code(&self) -> Code {
        self.error.code()
    }

    /// The code and the reason that close a WebSocket instead of a run.
    pub fn close(&self) -> Close {
        Close::from(&Refusal((*self.error).clone()))
    }

    /// The response, with the given CORS headers. The body is that of every refusal, with `activeRunId` or `lastRunId` if a run
    /// is in the way.
    pub fn response(&self, cors: Vec<(&'static str, String)>) -> PlainResponse {
        let member = match self.code() {
            Code::ThreadBusy => "activeRunId",
            _ => "lastRunId",
        };
        let members = self.run_id.as_ref().map(|run_id| (member, run_id.as_str()));
        let mut response = Refusal((*self.error).clone()).response_with(members, cors);
        if matches!(response.status, 429 | 503) {
            response.headers.push(("retry-after", RETRY_AFTER.as_secs().to_string()));
        }
        response
    }
}
