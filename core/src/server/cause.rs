//! The causes of a run's end, and the notes about it for the log.

use super::ending::Ending;
use crate::error::Error;
use crate::json::Value;

/// The cause of a run's end.
///
/// ```
/// use ag_ui_native::Limits;
/// use ag_ui_native::server::{Cause, Run, WireFormat};
/// use ag_ui_native::types::RunAgentInput;
///
/// let input = RunAgentInput::new("t1", "r1", vec![]);
/// let run = Run::begin(input, WireFormat::Text, false, Limits::default())?;
/// run.conclude(Cause::Returned(None));
/// assert!(!run.is_running());
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Cause {
    /// The agent has returned, with or without a result.
    Returned(Option<Value>),
    /// The agent has failed. The client gets the text, if there is one, only if errors are shown.
    Raised(Option<String>),
    /// The agent's own task was cancelled.
    CalledOff,
    /// The state cannot be sent at an await, where no call of the agent can return the error.
    Unsent,
    /// The agent has exceeded its time limit.
    TimedOut,
    /// The server stops the run.
    Stopped,
    /// The client has disconnected.
    ClientGone,
    /// More bytes are waiting to be sent than allowed.
    ClientTooSlow,
}

impl Cause {
    /// Returns the cause with this name, for causes without data.
    #[doc(hidden)]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "called_off" => Some(Self::CalledOff),
            "timed_out" => Some(Self::TimedOut),
            "stopped" => Some(Self::Stopped),
            _ => None,
        }
    }

    /// True if the agent was told to stop, and may still be running.
    pub(super) fn is_forced(&self) -> bool {
        self.is_limited() || *self == Self::ClientGone
    }

    /// True if the time for reading the end is limited.
    pub(super) fn is_limited(&self) -> bool {
        matches!(self, Self::TimedOut | Self::Stopped)
    }

    pub(super) fn ending(self, show_errors: bool) -> Ending {
        match self {
            Self::Returned(result) => Ending::Success(result),
            Self::Raised(text) => Ending::agent_failed(text.filter(|_| show_errors).as_deref()),
            Self::Unsent => Ending::agent_failed(None),
            Self::CalledOff | Self::Stopped | Self::ClientGone => Ending::Cancelled,
            Self::TimedOut => Ending::run_timeout(),
            Self::ClientTooSlow => Ending::client_too_slow(),
        }
    }
}

/// The result of a conclusion.
#[derive(Debug)]
#[non_exhaustive]
pub struct Conclusion<E> {
    /// The run was ended although its agent may still be running: later writes of the agent are dropped.
    pub is_forced: bool,
    /// A note for the log, besides the agent's own error.
    pub note: Option<Note<E>>,
}

/// The result of an end by the agent itself: a note for the log, or the reason why the run continues.
pub type OwnEnd<E> = Result<Option<Note<E>>, Unended<E>>;

/// The reason why a run continues that its agent wanted to end.
#[derive(Debug)]
#[non_exhaustive]
pub enum Unended<E> {
    /// The end needs the state, which could not be sent.
    State(E),
    /// The end was refused.
    Refused(Error),
}

impl From<Unended<Error>> for Error {
    fn from(unended: Unended<Error>) -> Self {
        let (Unended::State(error) | Unended::Refused(error)) = unended;
        error
    }
}

/// A note for the log about a state or a result that the client does not get.
///
/// ```
/// use ag_ui_native::Limits;
/// use ag_ui_native::server::{Cause, Run, WireFormat};
/// use ag_ui_native::types::RunAgentInput;
///
/// let input = RunAgentInput::new("t1", "r1", vec![]);
/// let run = Run::begin(input, WireFormat::Text, false, Limits::default())?;
/// run.conclude(Cause::Returned(None));
/// for note in run.take_notes() {
///     println!("{} (a failure: {})", note.text(), note.is_failure());
/// }
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Note<E> {
    /// The agent has returned a value after it had ended the run itself.
    ValueLost(Error),
    /// The state could not be sent: the run has ended without it.
    StateLeftOut(E),
    /// The state could not be sent, so the run has ended as failed.
    StateFailed(E),
    /// The end could not be sent as given, mostly because of its result, so the run has ended as failed.
    EndRefused(Error),
}

/// The log message of an agent that has failed.
pub const FAILED: &str = "the agent failed";

impl<E> Note<E> {
    /// True if the agent has failed. Otherwise the note is a warning.
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::StateFailed(_) | Self::EndRefused(_))
    }

    /// The note as text for people.
    pub fn text(&self) -> &'static str {
        match self {
            Self::ValueLost(_) => {
                "the agent returned a value after it had ended its run: the value is not sent; pass the result to `finish` instead"
            }
            Self::StateLeftOut(_) => "the state could not be sent: the run ended without it",
            Self::StateFailed(_) | Self::EndRefused(_) => FAILED,
        }
    }
}
