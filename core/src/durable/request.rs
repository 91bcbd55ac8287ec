//! The requests of clients about runs with a log.
//!
//! Each has two forms: a query on the address of the agent, since a route such as `/agent` sees nothing below it, and a path
//! below that address.
//!
//! | request | query | path |
//! |---|---|---|
//! | start, join or resume a run | `POST` with the input | the same |
//! | read a run | `GET ?thread=T&run=R` | `GET /threads/T/runs/R` |
//! | cancel a run | `POST ?thread=T&cancel=R` | `POST /threads/T/runs/R/cancel` |
//! | read a thread | `GET ?thread=T` | `GET /threads/T` |
//!
//! A read resumes behind the cursor of `Last-Event-ID` or `after`; without one it joins.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::cursor::Cursor;
use super::key::{LogKey, ThreadKey};
use super::single::SingleOperation;
use crate::error::{Code, Error};
use crate::server::Refusal;

/// The parts of a request that decide what it asks for.
#[derive(Clone, Copy, Debug, Default)]
pub struct LogRequestHead<'r> {
    /// Its method.
    pub method: &'r str,
    /// The path below the address of the agent, percent-encoded: empty, or `/threads/T`, ...
    pub path: &'r str,
    /// The query, without the question mark.
    pub query: &'r str,
    /// The header `Last-Event-ID`.
    pub last_event_id: Option<&'r str>,
}

/// The thing that a client asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogRequest {
    /// Start the run of the body, or read it if it has been started.
    Run {
        /// The place behind which it is resumed; `None` joins.
        after: Option<Cursor>,
    },
    /// Read a run.
    Read {
        /// The id of the thread.
        thread_id: String,
        /// The id of the run.
        run_id: String,
        /// The place behind which it is resumed; `None` joins.
        after: Option<Cursor>,
    },
    /// Cancel a run.
    Cancel {
        /// The id of the thread.
        thread_id: String,
        /// The id of the run.
        run_id: String,
    },
    /// Read a thread.
    Thread {
        /// The id of the thread.
        thread_id: String,
    },
}

/// The kind of access that an application authorizes.
///
/// ```
/// use ag_ui_native::durable::LogAction;
///
/// assert_eq!(LogAction::Start.as_str(), "start");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogAction {
    /// Start a run.
    Start,
    /// Read a run or a thread.
    Read,
    /// Cancel a run.
    Cancel,
}

impl LogAction {
    /// The action by its name in every language.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Read => "read",
            Self::Cancel => "cancel",
        }
    }
}

impl LogRequest {
    /// Reads the head of a request.
    ///
    /// # Errors
    /// `cursor_invalid` (400); `method_not_allowed` (405); `run_unknown` (404) for an address that means nothing.
    pub fn read(head: LogRequestHead<'_>) -> Result<Self, Refusal> {
        let is_post = head.method.eq_ignore_ascii_case("POST");
        let is_get = head.method.eq_ignore_ascii_case("GET");
        let query = Query::read(head.query);
        let segments: Vec<&str> = head.path.split('/').filter(|segment| !segment.is_empty()).collect();
        let after = |query: &Query| cursor(head.last_event_id.or(query.after.as_deref()));
        let request = match segments[..] {
            [] => match (query.thread.clone(), query.run.clone(), query.cancel.clone()) {
                (Some(thread_id), None, Some(run_id)) => Self::Cancel { thread_id, run_id },
                (Some(thread_id), Some(run_id), None) => {
                    Self::Read { thread_id, run_id, after: after(&query)? }
                }
                (Some(thread_id), None, None) => Self::Thread { thread_id },
                (None, None, None) => Self::Run { after: after(&query)? },
                _ => return Err(unknown()),
            },
            ["threads", thread] => Self::Thread { thread_id: id(thread)? },
            ["threads", thread, "runs", run] => {
                Self::Read { thread_id: id(thread)?, run_id: id(run)?, after: after(&query)? }
            }
            ["threads", thread, "runs", run, "cancel"] => {
                Self::Cancel { thread_id: id(thread)?, run_id: id(run)? }
            }
            _ => return Err(unknown()),
        };
        let is_allowed = match request {
            Self::Run { .. } | Self::Cancel { .. } => is_post,
            Self::Read { .. } | Self::Thread { .. } => is_get,
        };
        if is_allowed { Ok(request) } else { Err(Error::new(Code::MethodNotAllowed, "").into()) }
    }

    /// The action to be authorized.
    pub fn action(&self) -> LogAction {
        match self {
            Self::Run { .. } => LogAction::Start,
            Self::Read { .. } | Self::Thread { .. } => LogAction::Read,
            Self::Cancel { .. } => LogAction::Cancel,
        }
    }

    /// The log that the request names, in the scope that the application gives.
    pub fn log(&self, scope: &str) -> Option<Result<LogKey, Error>> {
        match self {
            Self::Read { thread_id, run_id, .. } | Self::Cancel { thread_id, run_id } => {
                Some(LogKey::new(scope, thread_id, run_id))
            }
            Self::Run { .. } | Self::Thread { .. } => None,
        }
    }

    /// The operation of a cancel or of a read of a thread, in the scope that the application gives; `None` for a run.
    pub fn single(&self, scope: &str) -> Option<Result<SingleOperation, Error>> {
        Some(match self {
            Self::Run { .. } | Self::Read { .. } => return None,
            Self::Cancel { thread_id, run_id } => {
                LogKey::new(scope, thread_id, run_id).map(SingleOperation::cancel)
            }
            Self::Thread { thread_id } => ThreadKey::new(scope, thread_id)
                .map(|thread| SingleOperation::read_thread(thread, thread_id.clone())),
        })
    }
}

fn cursor(text: Option<&str>) -> Result<Option<Cursor>, Refusal> {
    // A browser sends an empty header if the last event had no id.
    text.filter(|text| !text.is_empty()).map(|text| text.parse().map_err(Refusal)).transpose()
}

fn id(segment: &str) -> Result<String, Refusal> {
    percent_decode_str(segment).decode_utf8().map(Cow::into_owned).map_err(|_| unknown())
}

fn unknown() -> Refusal {
    Error::new(Code::RunUnknown, "").into()
}

#[derive(Debug, Default)]
struct Query {
    thread: Option<String>,
    run: Option<String>,
    cancel: Option<String>,
    after: Option<String>,
}

impl Query {
    fn read(query: &str) -> Self {
        let mut read = Self::default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let member = match &*name {
                "thread" => &mut read.thread,
                "run" => &mut read.run,
                "cancel" => &mut read.cancel,
                "after" => &mut read.after,
                _ => continue,
            };
            *member = Some(value.into_owned());
        }
        read
    }
}
