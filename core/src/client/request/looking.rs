//! A run whose start was sent and whose answer is lost: it may have begun, and a server without a log would execute a second
//! request again. So the run is looked for, as by a client that joins it. A join whose answer is lost is sent again in the same way.

use super::Exchange;
use super::command::{Command, Moment, RequestFailure};
use super::state::Looking;
use super::subject::Purpose;
use crate::client::reconnect::{Reconnect, is_passing};
use crate::client::retry::retry_after;
use crate::client::timeout::Timeout;
use crate::error::Code;

impl Exchange {
    /// Returns the next command after an attempt to find the run has failed, or after the failure that begins the search; `None`
    /// if the run is not looked for.
    pub(super) fn look(
        &mut self,
        moment: Moment,
        failure: &RequestFailure,
        retry_after_header: Option<&str>,
    ) -> Option<Command> {
        let code = failure.error.code();
        let is_join = self.subject.purpose == Purpose::Join;
        if self.looking.is_none() {
            let reconnect = self.subject.reconnect.filter(|_| self.subject.purpose.has_events())?;
            if code != Code::ConnectionLost {
                return None;
            }
            self.looking = Some(Looking { first: failure.clone(), attempts: Reconnect::new(reconnect) });
        }
        let looking = self.looking.as_mut()?;
        let is_too_late = failure.error.limit == Some(Timeout::Total.as_str());
        let is_found_later = match code {
            Code::ConnectionFailed | Code::ConnectionLost => true,
            Code::TimedOut => !is_too_late,
            Code::HttpError => failure.status.is_some_and(is_passing),
            _ => false,
        };
        let asked = retry_after_header.and_then(|text| retry_after(text, moment.wall));
        let pause = if is_found_later { looking.attempts.next(asked, moment.chance) } else { None };
        if let Some(command) = self.try_again(moment.now, pause) {
            return Some(command);
        }
        // A join has changed nothing, so its last failure counts.
        let is_last = is_join || is_too_late || code == Code::RunAborted;
        let first = self.looking.as_ref().filter(|_| !is_last).map(|looking| looking.first.clone());
        Some(self.fail(first.unwrap_or_else(|| failure.clone())))
    }
}
