//! The state machine of one request for a run: attempts and their pauses, redirects, refusals, and time limits. It has no I/O, no clock and
//! no random numbers: the host gives each input with its time, and gets the next command.

mod command;
mod limits;
mod looking;
mod state;
mod steps;
mod subject;

use std::fmt;
use std::mem;
use std::time::Duration;

use super::retry::Retry;
use super::timeout::Timeout;
use crate::client::transport::encoding::ContentEncoding;
use crate::client::transport::redirect::Redirects;
use crate::client::transport::response_head::ResponseHead;
use crate::error::{Code, Error};
use state::{Hop, Looking, Refusal, RequestState, Then};

pub use command::{AnswerHead, Command, Moment, RequestFailure, Sending};
pub use limits::{Deadline, Limit, TimeLimits};
pub use subject::{Purpose, Subject, no_active_run, over_http_only};

/// The options of a request.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExchangeOptions {
    /// True to prefer protobuf.
    pub protobuf: bool,
    /// The redirects that are followed.
    pub redirects: Redirects,
    /// The retries; without them a request is sent once.
    pub retry: Option<Retry>,
    /// The time limits.
    pub limits: TimeLimits,
}

/// A request on its way, from [`Command::Prepare`] to [`Command::Events`] or [`Command::Fail`].
///
/// Each input returns the next command. A late input changes nothing, and returns [`Command::Wait`].
pub struct Exchange {
    options: ExchangeOptions,
    /// The deadline of the limit `total`.
    ends: Option<Duration>,
    state: RequestState,
    hop: Hop,
    /// The number of the attempt, from 1.
    number: u32,
    is_aborted: bool,
    subject: Subject,
    /// The search for a run whose answer is lost.
    looking: Option<Looking>,
}

impl Exchange {
    /// A request of a run that began at that moment. Its first command is [`Command::Prepare`].
    pub fn new(options: ExchangeOptions, begun: Duration) -> Self {
        let ends = options.limits.total.and_then(|total| begun.checked_add(total));
        Self {
            options,
            ends,
            state: RequestState::Preparing,
            hop: Hop::new(""),
            number: 1,
            is_aborted: false,
            subject: Subject::default(),
            looking: None,
        }
    }

    /// Sets the run or the thread that the request is about.
    #[must_use]
    pub fn about(self, subject: Subject) -> Self {
        Self { subject, ..self }
    }

    /// True if the answer to the start of the run was lost: the run is looked for, and the first failure counts.
    pub fn has_lost_answer(&self) -> bool {
        self.looking.is_some()
    }

    /// The purpose of the current attempt.
    fn purpose(&self) -> Purpose {
        if self.has_lost_answer() { Purpose::Join } else { self.subject.purpose }
    }

    /// The number of the attempt, from 1.
    pub fn attempt(&self) -> u32 {
        self.number
    }

    /// The deadline of the last command; `None` means no limit. When it has passed, the host calls `tick`.
    pub fn deadline(&self) -> Option<Deadline> {
        let own = match &self.state {
            RequestState::Preparing => None,
            RequestState::Asked { since, is_connected } => {
                self.awaited(*is_connected).and_then(|limit| limit.after(*since))
            }
            RequestState::Refused { until, .. } => until.map(Deadline::without_failure),
            RequestState::Pausing { until } => Some(Deadline::without_failure(*until)),
            RequestState::Closing(_) | RequestState::Over => return None,
        };
        Deadline::earlier(own, self.total())
    }

    /// The limit of the current wait: for the head, or for the connection of a WebSocket, which its host sees.
    fn awaited(&self, is_connected: bool) -> Option<Limit> {
        let limits = &self.options.limits;
        let sees = limits.connect.is_some() && self.hop.is_socket();
        if sees && !is_connected { limits.connection() } else { limits.answer(is_connected) }
    }

    /// The host has prepared the attempt: its address, and the names of the application's headers.
    pub fn prepared<'n>(
        &mut self,
        moment: Moment,
        url: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Command {
        if !matches!(self.state, RequestState::Preparing) {
            return Command::Wait;
        }
        self.hop = Hop::new(url);
        if let Some(query) = self.subject.location(self.purpose(), &self.hop.address.url) {
            let (agent, _) = self.hop.address.url.split_once('?').unwrap_or((&self.hop.address.url, ""));
            self.hop.address.url = [agent, &query].concat();
        }
        names.into_iter().for_each(|name| self.hop.note(name));
        self.send(moment.now)
    }

    /// The connection is open: the wait for the head begins.
    pub fn connected(&mut self, moment: Moment) -> Command {
        if let RequestState::Asked { since, is_connected: is_connected @ false } = &mut self.state {
            (*since, *is_connected) = (moment.now, true);
        }
        Command::Wait
    }

    /// The head of the answer has come.
    pub fn head(&mut self, moment: Moment, head: &AnswerHead<'_>) -> Command {
        if !matches!(self.state, RequestState::Asked { .. }) {
            return Command::Wait;
        }
        let encoding = ContentEncoding::of(head.content_encoding.unwrap_or_default());
        let response = head.response();
        let purpose = self.purpose();
        if purpose.accepts(head).unwrap_or_else(|| self.hop.is_answered_by(response)) {
            return match encoding {
                Ok(encoding) => {
                    self.state = RequestState::Over;
                    Command::Events { content_type: response.event_type().to_owned(), encoding }
                }
                Err(error) => self.close(error.into()),
            };
        }
        let follows = response.is_redirect() && self.options.redirects != Redirects::None;
        if let Some(there) = head.location.filter(|_| follows) {
            let then = self.hop.redirected(head.status, there, self.options.redirects);
            return self.close(then.map_or_else(Then::from, Then::Follow));
        }
        let refusal = Refusal {
            status: head.status,
            content_type: head.content_type.map(str::to_owned),
            retry_after: head.retry_after.map(str::to_owned),
            body: Vec::new(),
        };
        let is_event_stream = purpose == Purpose::Join && response.is_success();
        let has_reason = !is_event_stream && !self.has_lost_answer();
        let Some(encoding) = encoding.ok().filter(|_| has_reason) else {
            // The status says enough.
            return self.close(refusal.judged());
        };
        // The status matters more than the rest of the body.
        let longest = ResponseHead::LONGEST_PAYLOAD;
        let longest = self.options.limits.idle.map_or(longest, |idle| idle.min(longest));
        self.state = RequestState::Refused { refusal, until: moment.now.checked_add(longest) };
        Command::Refusal(encoding)
    }

    /// A decoded piece of a refusal's body has arrived.
    pub fn piece(&mut self, piece: &[u8]) -> Command {
        let RequestState::Refused { refusal, .. } = &mut self.state else { return Command::Wait };
        let room = ResponseHead::MOST_PAYLOAD - refusal.body.len();
        refusal.body.extend_from_slice(&piece[..piece.len().min(room)]);
        if piece.len() < room { Command::Wait } else { self.end() }
    }

    /// The body of a refusal is complete.
    pub fn end(&mut self) -> Command {
        match mem::replace(&mut self.state, RequestState::Over) {
            RequestState::Refused { refusal, .. } => self.close(refusal.judged()),
            other => self.wait_in(other),
        }
    }

    /// The last command has failed.
    pub fn failed(&mut self, moment: Moment, failure: RequestFailure) -> Command {
        match self.state {
            RequestState::Preparing | RequestState::Asked { .. } => self.judge(moment, failure, None),
            // The status and the received part of the body say enough.
            _ => self.end(),
        }
    }

    /// A library that applies limits itself has waited too long: for the connection if `connecting`, else for the head.
    pub fn late(&mut self, moment: Moment, connecting: bool) -> Command {
        let RequestState::Asked { since, .. } = self.state else { return self.end() };
        let limits = self.options.limits;
        let limit = if connecting { limits.connection() } else { limits.answer(true) };
        let own = if connecting { Timeout::Connect } else { Timeout::FirstByte };
        let timeout = self.bounded(since, limit).map_or(own, |limit| limit.timeout);
        self.judge(moment, limits.error(timeout).into(), None)
    }

    /// The answer has been closed.
    pub fn closed(&mut self, moment: Moment) -> Command {
        match mem::replace(&mut self.state, RequestState::Over) {
            RequestState::Closing(Then::Follow(hop)) => {
                self.hop = hop;
                self.send(moment.now)
            }
            RequestState::Closing(Then::Judge { failure, retry_after }) => {
                self.judge(moment, failure, retry_after.as_deref())
            }
            other => self.wait_in(other),
        }
    }

    /// Gives the time: a deadline may have passed.
    pub fn tick(&mut self, moment: Moment) -> Command {
        let Some(deadline) = self.deadline().filter(|deadline| deadline.at <= moment.now) else {
            return Command::Wait;
        };
        let late = deadline.timeout.map(|timeout| self.options.limits.error(timeout).into());
        match (&self.state, late) {
            (RequestState::Asked { .. }, Some(failure)) => self.close(Then::fail(failure)),
            (RequestState::Preparing | RequestState::Pausing { .. }, Some(failure)) => {
                self.judge(moment, failure, None)
            }
            (RequestState::Pausing { .. }, None) => {
                self.state = RequestState::Preparing;
                Command::Prepare
            }
            _ => self.end(),
        }
    }

    /// The caller has aborted the request.
    pub fn aborted(&mut self, moment: Moment) -> Command {
        let failure = Error::new(Code::RunAborted, "").into();
        match &mut self.state {
            RequestState::Preparing | RequestState::Pausing { .. } => self.judge(moment, failure, None),
            RequestState::Asked { .. } | RequestState::Refused { .. } => self.close(Then::fail(failure)),
            RequestState::Closing(then @ Then::Follow(_)) => {
                *then = Then::fail(failure);
                Command::Wait
            }
            // The earlier failure counts, unless the request is sent again.
            RequestState::Closing(Then::Judge { .. }) => {
                self.is_aborted = true;
                Command::Wait
            }
            RequestState::Over => Command::Wait,
        }
    }
}

impl fmt::Debug for Exchange {
    /// Leaves out the address and the payload: they may hold secrets.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Exchange").field("attempt", &self.number).finish_non_exhaustive()
    }
}
