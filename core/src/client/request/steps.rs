//! Decides the next step of a request: follow a redirect, try again, or fail.

use std::time::Duration;

use super::command::{Command, Moment, RequestFailure, Sending};
use super::limits::{Deadline, Limit};
use super::state::{Hop, RequestState, Then};
use super::subject::Purpose;
use super::{Exchange, ExchangeOptions, Redirects};
use crate::client::reconnect::RESUME_HEADER;
use crate::client::retry::Attempt;
use crate::client::timeout::Timeout;
use crate::client::transport::encoding::ACCEPT_ENCODING;
use crate::client::transport::headers::accept;
use crate::client::transport::redirect::{CREDENTIALS, check_redirect};
use crate::error::{Code, Error};

const JSON: &str = "application/json";

impl Exchange {
    /// Sends the attempt to its address.
    pub(super) fn send(&mut self, now: Duration) -> Command {
        self.state = RequestState::Asked { since: now, is_connected: false };
        let (limits, purpose) = (&self.options.limits, self.purpose());
        let bounded = |limit: Option<Limit>| self.bounded(now, limit);
        Command::Send(Sending {
            method: purpose.method(),
            url: self.hop.address.url.clone(),
            has_input: purpose == Purpose::Start,
            headers: self.headers(),
            left_behind: if self.hop.is_away { &CREDENTIALS } else { &[] },
            connect: bounded(limits.connection()),
            head: bounded(limits.answer(true)),
        })
    }

    /// The headers that the client sets: those that the application does not set, and those that only the client may set.
    fn headers(&self) -> Vec<(&'static str, String)> {
        let Self { options: ExchangeOptions { protobuf, .. }, hop, .. } = self;
        let (is_socket, purpose) = (hop.is_socket(), self.purpose());
        let mut headers = Vec::new();
        if !purpose.has_events() {
            headers.push(("accept", JSON.to_owned()));
        } else if *protobuf || !is_socket {
            headers.push(("accept", accept(*protobuf)));
        }
        // The request for a WebSocket has no body, and its messages are not encoded.
        if !is_socket && purpose.method() == "POST" {
            headers.push(("content-type", JSON.to_owned()));
        }
        if purpose == Purpose::Join {
            // Bytes that are compressed cannot be read up to a cut.
            headers.push(("accept-encoding", "identity".to_owned()));
        } else if !is_socket && !hop.has_encodings {
            headers.push(("accept-encoding", ACCEPT_ENCODING.to_owned()));
        }
        if self.subject.reconnect.is_some() && purpose.has_events() {
            headers.push((RESUME_HEADER.0, RESUME_HEADER.1.to_owned()));
        }
        if let Some(own) = hop.address.authorization.as_ref().filter(|_| !hop.is_authorized) {
            headers.push(("authorization", own.clone()));
        }
        headers
    }

    /// Closes the request or the answer.
    pub(super) fn close(&mut self, then: Then) -> Command {
        self.state = RequestState::Closing(then);
        Command::Close
    }

    /// Keeps the state, and waits.
    pub(super) fn wait_in(&mut self, state: RequestState) -> Command {
        self.state = state;
        Command::Wait
    }

    /// An attempt has failed: makes another one, or fails.
    pub(super) fn judge(
        &mut self,
        moment: Moment,
        failure: RequestFailure,
        retry_after: Option<&str>,
    ) -> Command {
        let failure = self.purpose().refused(failure);
        if let Some(command) = self.look(moment, &failure, retry_after) {
            return command;
        }
        let limit = failure.error.limit;
        let attempt = Attempt {
            number: self.number,
            code: failure.error.code(),
            status: failure.status,
            timeout: Timeout::ALL.iter().copied().find(|timeout| Some(timeout.as_str()) == limit),
            retry_after,
            now: moment.wall,
            chance: moment.chance,
        };
        let pause = self.options.retry.and_then(|retry| retry.pause(&attempt));
        self.try_again(moment.now, pause).unwrap_or_else(|| self.fail(failure))
    }

    /// Returns the command before another attempt, which follows after a pause; `None` without a pause, or if `total` is reached.
    pub(super) fn try_again(&mut self, now: Duration, pause: Option<Duration>) -> Option<Command> {
        let pause = pause.filter(|_| self.ends.is_none_or(|ends| now < ends))?;
        if self.is_aborted {
            return Some(self.fail(Error::new(Code::RunAborted, "").into()));
        }
        self.number += 1;
        let until = now.saturating_add(pause);
        self.state = RequestState::Pausing { until };
        Some(Command::Sleep(until))
    }

    pub(super) fn fail(&mut self, failure: RequestFailure) -> Command {
        self.state = RequestState::Over;
        Command::Fail(Box::new(failure))
    }

    /// The deadline of the limit `total`.
    pub(super) fn total(&self) -> Option<Deadline> {
        self.ends.map(|at| Deadline { at, timeout: Some(Timeout::Total) })
    }

    /// The limit, or the rest of `total` if that is less.
    pub(super) fn bounded(&self, now: Duration, limit: Option<Limit>) -> Option<Limit> {
        Limit::within(limit, self.ends, now).map(|(lasts, limit)| Limit { lasts, ..limit })
    }
}

impl Hop {
    /// The address to which a redirect leads.
    pub(super) fn redirected(&self, status: u16, there: &str, redirects: Redirects) -> Result<Self, Error> {
        let any_origin = redirects == Redirects::Any;
        let stays = check_redirect(status, self.followed, &self.address.url, there, any_origin)?;
        Ok(Self {
            address: self.address.clone().redirected(there, stays),
            followed: self.followed + 1,
            is_away: self.is_away || !stays,
            ..*self
        })
    }
}
