//! Decides how a call ends early, and what its host does then.
//!
//! | what ends it | when | outcome | what was said | subscribers | the error |
//! |---|---|---|---|---|---|
//! | a failure | before it is asked for: refused | `failed`, of a run before | stays unsaid | | is raised |
//! | a failure | asked for | `failed` | is taken back, unless anything has changed | hear of it | is raised, unless one of them takes it on: then the result has it |
//! | an abort, which leaves no error or `run_aborted` | asked for, or tools are at work | `aborted` | stays | hear of it | what is raised beside it is reported |
//! | an abort | all has come | as it was | stays | | the same |
//! | nobody reads on, and nobody is to hear of that | any | as of an abort | stays | | the same |
//! | anything | behind one of these | as it was | as it was | | is reported |
//!
//! All has come when the last run has ended and no tool is at work. A connection or a time that is lost then ends nothing: `loss.rs`.
//!
//! Callbacks that are told of such an end share [`LEFT_GRACE`]; so do those over what was added before a run, once that waits for them. A
//! callback that has not returned then is left, the others are called all the same, and it is reported once a call.

use std::time::Duration;

use super::{OutcomeKind, Runs};
use crate::defaults::LEFT_GRACE;
use crate::error::{Code, Error};

/// The cause of a call's early end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cause<'c> {
    /// The code of the error that came, which may be none of ours; nothing if none did: then the call was aborted.
    pub error: Option<&'c str>,
    /// The call was aborted, whatever came afterwards; or the host ends the task or the program that waits for it.
    pub is_aborted: bool,
    /// The reader has gone, and subscribers are not told.
    pub is_quiet: bool,
    /// The run has changed something.
    pub is_heard: bool,
}

/// The steps that a host takes then.
#[allow(clippy::struct_excessive_bools)] // Each is something to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// The message that the call began with is taken out of the conversation: a caller that asks again says it again.
    pub takes_back: bool,
    /// Subscribers are told that the run has failed: by the error, or `run_aborted`.
    pub tells: bool,
    /// The error is raised, unless a subscriber takes it on: then the result has it as its failure.
    pub raises: bool,
    /// The error has not ended the call: it is reported, as what callbacks raise.
    pub reports: bool,
}

impl Runs {
    /// The call ends early. What is said first counts.
    pub fn end(&mut self, cause: Cause<'_>) -> Ending {
        let is_asked = self.asked.is_some();
        let is_error = cause.error.is_some_and(|code| code != Code::RunAborted.as_str());
        let is_aborted = cause.is_aborted || cause.is_quiet || !is_error;
        let is_second = std::mem::replace(&mut self.is_over, true);
        if is_second || is_aborted {
            let is_cut = !is_second && self.stop(true);
            return Ending {
                tells: is_cut && is_asked && !cause.is_quiet,
                reports: cause.error.is_some_and(|code| !comes_of_an_abort(code)),
                ..Ending::default()
            };
        }
        self.stop(false);
        let takes_back = is_asked && self.rounds() == 1 && !cause.is_heard;
        Ending { takes_back, tells: is_asked, raises: true, reports: false }
    }

    /// The moment until which the host waits for callbacks from `now` on. All that are told of the end of the call (`of_end`) share one; each wait
    /// for callbacks that were called before has its own.
    pub fn callback_deadline(&mut self, now: Duration, of_end: bool) -> Duration {
        let own = now.saturating_add(LEFT_GRACE);
        if of_end { *self.told_until.get_or_insert(own) } else { own }
    }

    /// A callback has not returned within the time that callbacks share. The error to be reported, as what they raise; nothing if it was.
    pub fn late(&mut self) -> Option<Error> {
        if std::mem::replace(&mut self.is_late, true) {
            return None;
        }
        let detail = format!("callback_grace is {} s", LEFT_GRACE.as_secs_f64());
        Some(Error { limit: Some("callback_grace"), ..Error::new(Code::TimedOut, detail) })
    }

    /// Subscribers were told of the end. Whether one of them, who `stops` it, has taken a failure on.
    pub fn takes_on(&self, stops: bool) -> bool {
        stops && self.cut() == Some(OutcomeKind::Failed)
    }
}

/// True if an error with this code is what an abort does: it closes the connection.
fn comes_of_an_abort(code: &str) -> bool {
    [Code::RunAborted, Code::ConnectionLost, Code::ConnectionFailed, Code::StreamTruncated]
        .iter()
        .any(|own| own.as_str() == code)
}
