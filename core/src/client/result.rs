//! The result of a run.

use std::fmt;

use super::request::RequestFailure;
use super::runs::outcome::outcome_error;
use super::transport::response_head::Payload;
use crate::error::{Code, Error, Issue};
use crate::json::Value;
use crate::reduce::RunEnd;
use crate::types::{Interrupt, Message, TokenUsage};
use crate::warning::Warning;

/// The outcome of a run.
///
/// ```
/// use ag_ui_native::client::RunOutcome;
///
/// # use ag_ui_native::client::LocalAgent;
/// # use ag_ui_native::server::Run;
/// # use ag_ui_native::{Error, Value};
/// # async fn greet(run: Run) -> Result<Option<Value>, Error> {
/// #     run.text_message()?.write("Hello!")?;
/// #     Ok(None)
/// # }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), ag_ui_native::client::ClientError> {
/// let result = LocalAgent::new(greet).ask("Hi").await?.result;
/// assert_eq!(result.outcome.as_ref().map(RunOutcome::as_str), Some("success"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RunOutcome {
    /// The run has succeeded.
    Success {
        /// Its return value.
        result: Option<Value>,
        /// Calls of tools without an answer.
        pending_tool_call_ids: Vec<String>,
    },
    /// The run waits for answers to its interrupts.
    Interrupt(Vec<Interrupt>),
    /// The agent has cancelled the run.
    Cancelled,
    /// RUN_ERROR: the agent has failed.
    Error {
        /// The error message, for people.
        message: String,
        /// The error code, for programs.
        code: Option<String>,
    },
    /// The client has aborted the run.
    Aborted,
}

impl RunOutcome {
    /// Its name, the same in every language.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Success { .. } => "success",
            Self::Interrupt(_) => "interrupt",
            Self::Cancelled => "cancelled",
            Self::Error { .. } => "error",
            Self::Aborted => "aborted",
        }
    }
}

impl From<RunEnd> for RunOutcome {
    fn from(end: RunEnd) -> Self {
        match end {
            RunEnd::Success { result, pending_tool_call_ids } => {
                Self::Success { result, pending_tool_call_ids }
            }
            RunEnd::Interrupt(interrupts) => Self::Interrupt(interrupts),
            RunEnd::Cancelled => Self::Cancelled,
        }
    }
}

/// The result of a call: complete after its last event, partial before.
///
/// ```
/// use ag_ui_native::client::RunResult;
///
/// # use ag_ui_native::client::LocalAgent;
/// # use ag_ui_native::server::Run;
/// # use ag_ui_native::{Error, Value};
/// # async fn greet(run: Run) -> Result<Option<Value>, Error> {
/// #     run.text_message()?.write("Hello!")?;
/// #     Ok(None)
/// # }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), ag_ui_native::client::ClientError> {
/// let result: RunResult = LocalAgent::new(greet).ask("Hi").await?.result;
/// assert!(result.is_success());
/// assert_eq!((result.text().as_str(), result.new_messages.len()), ("Hello!", 1));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RunResult {
    /// The conversation.
    pub thread_id: String,
    /// The id of the run; if a call has several runs, of the last one.
    pub run_id: String,
    /// The outcome; `None` if the run has not ended.
    pub outcome: Option<RunOutcome>,
    /// The messages that this call has added, in the order of the conversation.
    pub new_messages: Vec<Message>,
    /// The token usage that the agent reports, one entry for each model: the sum of all runs.
    pub usage: Vec<TokenUsage>,
    /// Warnings about events that were repaired, reduced or could not be applied.
    pub warnings: Vec<Warning>,
    /// Warnings about the input, such as members left out for a peer of an older version.
    pub input_warnings: Vec<Issue>,
    /// The last event id of its stream.
    pub last_event_id: Option<String>,
    /// The end as the agent stated it. The run may fail or be aborted after that.
    pub(super) end: Option<RunOutcome>,
    /// The runs of the call, if there are several.
    pub(super) parts: Vec<RunResult>,
}

impl RunResult {
    /// True if the run has succeeded.
    pub fn is_success(&self) -> bool {
        matches!(self.outcome, Some(RunOutcome::Success { .. }))
    }

    /// The runs of the call, each by itself. There are several if tools have answered and the agent was run again, or if an answer has
    /// several runs. Data of a whole answer, such as its warnings, is in its last run.
    pub fn runs(&self) -> &[RunResult] {
        if self.parts.is_empty() { std::slice::from_ref(self) } else { &self.parts }
    }

    /// The run's return value. This and the next three are the agent's own end, also if the run fails or is aborted afterwards.
    pub fn result(&self) -> Option<&Value> {
        match &self.end {
            Some(RunOutcome::Success { result, .. }) => result.as_ref(),
            _ => None,
        }
    }

    /// The interrupts of the run.
    pub fn interrupts(&self) -> &[Interrupt] {
        match &self.end {
            Some(RunOutcome::Interrupt(interrupts)) => interrupts,
            _ => &[],
        }
    }

    /// Calls of tools without an answer.
    pub fn pending_tool_call_ids(&self) -> &[String] {
        match &self.end {
            Some(RunOutcome::Success { pending_tool_call_ids, .. }) => pending_tool_call_ids,
            _ => &[],
        }
    }

    /// The agent's own error: its message, and its code.
    pub fn error(&self) -> Option<(&str, Option<&str>)> {
        match &self.end {
            Some(RunOutcome::Error { message, code }) => Some((message, code.as_deref())),
            _ => None,
        }
    }

    /// Returns the result, or an error for another outcome: `run_failed` for RUN_ERROR and for a run that has failed otherwise,
    /// `run_cancelled`, `run_aborted`. An interrupted run is no error.
    ///
    /// # Errors
    /// The error of the outcome; its [`run`](ClientError::run) is the result.
    pub fn error_for_outcome(self) -> Result<Self, ClientError> {
        match self.outcome_error() {
            Some(error) => Err(ClientError::from(error).with_run(self)),
            None => Ok(self),
        }
    }

    /// Returns the error of an outcome that is no success.
    pub(super) fn outcome_error(&self) -> Option<Error> {
        let agent_code = self.error().and_then(|(_, code)| code);
        outcome_error(self.outcome.as_ref().map_or("failed", RunOutcome::as_str), agent_code)
    }

    /// The text of the assistant's new messages, one after the other.
    pub fn text(&self) -> String {
        let texts = self.new_messages.iter().filter_map(|message| match message {
            Message::Assistant(message) => message.content.as_deref(),
            _ => None,
        });
        texts.collect()
    }
}

/// The failure of a run: the server was not reached, refused the request, stopped sending, or sent an invalid run. The agent's conversation
/// keeps all changes before the failure.
///
/// ```
/// use ag_ui_native::Code;
/// use ag_ui_native::client::{ClientError, HttpAgent};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let error: ClientError = HttpAgent::new("http://127.0.0.1:1/").ask("Hi").await.unwrap_err();
/// assert_eq!((error.code(), error.status()), (Code::ConnectionFailed, None));
/// # }
/// ```
#[derive(Clone)]
pub struct ClientError(Box<Failure>);

/// The failure of a run.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub error: Error,
    pub status: Option<u16>,
    pub payload: Option<Payload>,
    pub run: RunResult,
}

impl ClientError {
    /// The error.
    pub fn error(&self) -> &Error {
        &self.0.error
    }

    /// Its code.
    pub fn code(&self) -> Code {
        self.0.error.code()
    }

    /// The status of the answer, if the server has refused the request.
    pub fn status(&self) -> Option<u16> {
        self.0.status
    }

    /// The body of the refusal.
    pub fn payload(&self) -> Option<&Payload> {
        self.0.payload.as_ref()
    }

    /// The result of the run before it failed.
    pub fn run(&self) -> &RunResult {
        &self.0.run
    }

    pub(super) fn with_run(mut self, run: RunResult) -> Self {
        self.0.run = run;
        self
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        RequestFailure::from(error).into()
    }
}

impl From<RequestFailure> for Failure {
    fn from(failure: RequestFailure) -> Self {
        let RequestFailure { error, status, payload } = failure;
        Self { error, status, payload, run: RunResult::default() }
    }
}

impl From<Failure> for ClientError {
    fn from(failure: Failure) -> Self {
        Self(Box::new(failure))
    }
}

impl From<Error> for ClientError {
    fn from(error: Error) -> Self {
        Failure::from(error).into()
    }
}

impl fmt::Debug for ClientError {
    /// Leaves out messages and payloads: errors end in logs.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { error, status, .. } = &*self.0;
        let mut shown = formatter.debug_struct("ClientError");
        shown.field("error", error).field("status", status).finish_non_exhaustive()
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.error.fmt(formatter)
    }
}

impl std::error::Error for ClientError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0.error)
    }
}
