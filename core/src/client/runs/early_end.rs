//! Decides how a call ends early, and what its host does then.
//!
//! | what ends it | when | outcome | the message of the call | subscribers | the error |
//! |---|---|---|---|---|---|
//! | a failure | before the request: refused | `failed`, of a run before | is not added | | is raised |
//! | a failure | after the request | `failed` | is removed, unless the run has changed anything | are notified | is raised, unless one of them handles it: then the result has it |
//! | an abort, which leaves no error or `run_aborted` | after the request, or tools are at work | `aborted` | stays | are notified | another error is reported |
//! | an abort | all has come | as it was | stays | | the same |
//! | the reader detaches | any | as of an abort | stays | | the same |
//! | anything | after one of these | as it was | as it was | | is reported |
//!
//! "All has come" means that the last run has ended and no tool is at work. A lost connection or a timeout then changes nothing: `loss.rs`.
//!
//! Callbacks that are notified of an early end share [`CALLBACK_GRACE`], and so do the callbacks that hold up a run because of earlier changes.
//! A callback that has not returned by then is abandoned, the others are called, and the call reports that once.

use std::time::Duration;

use super::{OutcomeKind, Runs};
use crate::defaults::CALLBACK_GRACE;
use crate::error::{Code, Error};

/// The cause of the early end of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cause<'c> {
    /// The code of the error, which may not be one of this crate's. `None`: there was no error, and the call was aborted.
    pub error: Option<&'c str>,
    /// The call was aborted, even if it failed afterwards; or the host ends the task or the program that waits for it.
    pub is_aborted: bool,
    /// The reader has gone, and subscribers are not notified.
    pub is_detached: bool,
    /// The run has changed something.
    pub has_changes: bool,
}

/// The steps that the host takes.
#[allow(clippy::struct_excessive_bools)] // Each is something to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EarlyEnd {
    /// The message that the call began with is removed from the conversation: a caller that tries again sends it again.
    pub removes_message: bool,
    /// Subscribers are notified that the run has failed: with the error, or with `run_aborted`.
    pub notifies: bool,
    /// The error is raised unless a subscriber handles it: then the result has it as its failure.
    pub raises: bool,
    /// The error did not end the call: it is reported, as errors of callbacks are.
    pub reports: bool,
}

impl Runs {
    /// Ends the call early. Only the first call decides the outcome.
    pub fn end(&mut self, cause: Cause<'_>) -> EarlyEnd {
        let is_asked = self.asked.is_some();
        let is_error = cause.error.is_some_and(|code| code != Code::RunAborted.as_str());
        let is_aborted = cause.is_aborted || cause.is_detached || !is_error;
        let is_second = std::mem::replace(&mut self.is_over, true);
        if is_second || is_aborted {
            let is_cut = !is_second && self.stop(true);
            return EarlyEnd {
                notifies: is_cut && is_asked && !cause.is_detached,
                reports: cause.error.is_some_and(|code| !is_caused_by_abort(code)),
                ..EarlyEnd::default()
            };
        }
        self.stop(false);
        let removes_message = is_asked && self.requested() == 1 && !cause.has_changes;
        EarlyEnd { removes_message, notifies: is_asked, raises: true, reports: false }
    }

    /// Returns the moment until which the host waits for callbacks, from `now` on. The callbacks that are notified of the end of the call
    /// (`of_end`) share one moment; each wait for earlier callbacks has its own.
    pub fn callback_deadline(&mut self, now: Duration, of_end: bool) -> Duration {
        let own = now.saturating_add(CALLBACK_GRACE);
        if of_end { *self.end_callbacks_until.get_or_insert(own) } else { own }
    }

    /// A callback has not returned in time. Returns the error to be reported; `None` if it was reported before.
    pub fn late(&mut self) -> Option<Error> {
        if std::mem::replace(&mut self.is_late, true) {
            return None;
        }
        let detail = format!("callback_grace is {} s", CALLBACK_GRACE.as_secs_f64());
        Some(Error { limit: Some("callback_grace"), ..Error::new(Code::TimedOut, detail) })
    }

    /// Returns true if a subscriber has handled the failure: then no error is raised. `stops`: one of the subscribers that were notified of
    /// the end has stopped it.
    pub fn is_handled(&self, stops: bool) -> bool {
        stops && self.cut() == Some(OutcomeKind::Failed)
    }
}

/// True if an abort, which closes the connection, causes errors of this code.
fn is_caused_by_abort(code: &str) -> bool {
    [Code::RunAborted, Code::ConnectionLost, Code::ConnectionFailed, Code::StreamTruncated]
        .iter()
        .any(|own| own.as_str() == code)
}
