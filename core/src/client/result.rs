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
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RunOutcome {
    /// It did what it was asked to.
    Success {
        /// Its return value.
        result: Option<Value>,
        /// Calls of tools without an answer.
        pending_tool_call_ids: Vec<String>,
    },
    /// It waits for answers.
    Interrupt(Vec<Interrupt>),
    /// The agent has called it off.
    Cancelled,
    /// RUN_ERROR: the agent has failed.
    Error {
        /// The error message, for people.
        message: String,
        /// The error code, for programs.
        code: Option<String>,
    },
    /// It was aborted here.
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

/// A run that is over, or as far as it has come.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RunResult {
    /// The conversation.
    pub thread_id: String,
    /// The run; where tools have answered and runs followed, the last one.
    pub run_id: String,
    /// The outcome; `None` if the run has not ended.
    pub outcome: Option<RunOutcome>,
    /// The messages that this call has added, in the order of the conversation.
    pub new_messages: Vec<Message>,
    /// The tokens that it says it has used, one entry a model: those of all its runs.
    pub usage: Vec<TokenUsage>,
    /// Warnings about events that were repaired, reduced or could not be applied.
    pub warnings: Vec<Warning>,
    /// Warnings about the input, such as members left out for a peer of an older version.
    pub input_warnings: Vec<Issue>,
    /// The id last set in its stream.
    pub last_event_id: Option<String>,
    /// The end as the agent stated it. The run may fail or be aborted after that.
    pub(super) end: Option<RunOutcome>,
    /// The runs that this is made of, where there are several.
    pub(super) rounds: Vec<RunResult>,
}

impl RunResult {
    /// True if it did what it was asked to.
    pub fn is_success(&self) -> bool {
        matches!(self.outcome, Some(RunOutcome::Success { .. }))
    }

    /// The runs that this is made of, each by itself: several where tools have answered and the agent was asked again, or
    /// where an answer has several. What is known of an answer as a whole, such as its warnings, stands with its last run.
    pub fn runs(&self) -> &[RunResult] {
        if self.rounds.is_empty() { std::slice::from_ref(self) } else { &self.rounds }
    }

    /// The run's return value. This and the next three are the agent's own end, also if the run fails or is aborted afterwards.
    pub fn result(&self) -> Option<&Value> {
        match &self.end {
            Some(RunOutcome::Success { result, .. }) => result.as_ref(),
            _ => None,
        }
    }

    /// The questions that it waits with.
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

    /// Itself, unless the run was to end in another way: `run_failed` for RUN_ERROR and for a run that has failed otherwise,
    /// `run_cancelled`, `run_aborted`. A run that waits for answers is no error.
    ///
    /// # Errors
    /// With the result as its [`run`](ClientError::run).
    pub fn error_for_outcome(self) -> Result<Self, ClientError> {
        match self.outcome_error() {
            Some(error) => Err(ClientError::from(error).with_run(self)),
            None => Ok(self),
        }
    }

    /// The error of an outcome that is no success.
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

/// A run that has failed: the server could not be reached, refused, fell silent, or sent what is no run. What came before is in the
/// agent's conversation.
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

    /// The status of the answer, where the server has refused.
    pub fn status(&self) -> Option<u16> {
        self.0.status
    }

    /// The body of the refusal.
    pub fn payload(&self) -> Option<&Payload> {
        self.0.payload.as_ref()
    }

    /// The run as far as it had come.
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
