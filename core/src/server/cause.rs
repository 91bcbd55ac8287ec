//! Why a run ends, and what is to be told of that.

use super::ending::Ending;
use crate::error::Error;
use crate::json::Value;

/// Why a run comes to its end, as its server knows.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Cause {
    /// The agent has returned, maybe with a result.
    Returned(Option<Value>),
    /// It has failed. The client sees its text, if there is one, only where errors are shown.
    Raised(Option<String>),
    /// It has called itself off.
    CalledOff,
    /// Its state cannot be sent at an await, and no call of the agent's can return the error.
    Unsent,
    /// It has taken longer than it may.
    TimedOut,
    /// Its server stops it.
    Stopped,
    /// Its client has gone.
    ClientGone,
    /// More waits to be sent than may.
    ClientTooSlow,
}

impl Cause {
    /// The cause of this name, of those that are known without the agent's word.
    #[doc(hidden)]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "called_off" => Some(Self::CalledOff),
            "timed_out" => Some(Self::TimedOut),
            "stopped" => Some(Self::Stopped),
            _ => None,
        }
    }

    /// True if the agent has been told to stop, and may be at work still.
    pub(super) fn is_forced(&self) -> bool {
        self.is_limited() || *self == Self::ClientGone
    }

    /// True if the client has but so long to read the end.
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
    /// The conclusion has ended the run of an agent that was told to stop: later writes of the agent are dropped.
    pub is_forced: bool,
    /// A note for the log, besides the agent's own error.
    pub note: Option<Note<E>>,
}

/// The result of an end by the agent itself: a note for the log, or why the run goes on.
pub type OwnEnd<E> = Result<Option<Note<E>>, Unended<E>>;

/// Why a run goes on that its agent wanted to end.
#[derive(Debug)]
#[non_exhaustive]
pub enum Unended<E> {
    /// The state could not be sent, which the end needs.
    State(E),
    /// The end is refused.
    Refused(Error),
}

impl From<Unended<Error>> for Error {
    fn from(unended: Unended<Error>) -> Self {
        let (Unended::State(error) | Unended::Refused(error)) = unended;
        error
    }
}

/// A note for the log about a state or a result that the client does not get.
#[derive(Debug)]
#[non_exhaustive]
pub enum Note<E> {
    /// The agent has returned a value behind an end of its own.
    ValueLost(Error),
    /// The state could not be sent: the run has ended without it.
    StateLeftOut(E),
    /// The state could not be sent, and that has ended the run: the agent has failed.
    StateFailed(E),
    /// The end could not be sent as it was to be, mostly for its result: the agent has failed.
    EndRefused(Error),
}

/// The log message of an agent that has failed.
pub const FAILED: &str = "the agent failed";

impl<E> Note<E> {
    /// True if it is said of an agent that has failed. Otherwise it is a warning.
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::StateFailed(_) | Self::EndRefused(_))
    }

    /// The note as text for people.
    pub fn text(&self) -> &'static str {
        match self {
            Self::ValueLost(_) => {
                "the agent returned a value after it had ended its run itself: the value is lost"
            }
            Self::StateLeftOut(_) => "the state could not be sent",
            Self::StateFailed(_) | Self::EndRefused(_) => FAILED,
        }
    }
}
