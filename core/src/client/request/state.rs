//! The state of a request.

use std::time::Duration;

use super::command::RequestFailure;
use crate::client::transport::address::Address;
use crate::client::transport::redirect::is_socket;
use crate::client::transport::response_head::ResponseHead;
use crate::error::Error;

/// The status of a connection that is a WebSocket from then on.
const SWITCHING_PROTOCOLS: u16 = 101;

pub(super) enum State {
    /// The host prepares what the attempt is made with.
    Preparing,
    /// The head is waited for, since this moment, or since there is a connection.
    Asked { since: Duration, is_connected: bool },
    /// The body of a refusal is read.
    Refused { refusal: Refusal, until: Option<Duration> },
    /// The answer is given up.
    Closing(Then),
    /// It is asked for again then.
    Pausing { until: Duration },
    /// It has come to events, or to nothing.
    Over,
}

/// The step that follows when the answer is closed.
pub(super) enum Then {
    /// A redirect is followed.
    Follow(Hop),
    /// It has failed: perhaps it is asked for again.
    Judge { failure: RequestFailure, retry_after: Option<String> },
}

/// The address of an attempt, and the redirects before it.
pub(super) struct Hop {
    pub address: Address,
    /// The application says itself who asks.
    pub is_authorized: bool,
    /// It says itself what may be encoded how.
    pub has_encodings: bool,
    /// The number of redirects before it.
    pub followed: usize,
    /// One of them has led to another origin.
    pub is_away: bool,
}

/// An answer without events, as far as it is read.
pub(super) struct Refusal {
    pub status: u16,
    pub content_type: Option<String>,
    pub retry_after: Option<String>,
    pub body: Vec<u8>,
}

impl Then {
    pub fn fail(failure: RequestFailure) -> Self {
        Self::Judge { failure, retry_after: None }
    }
}

impl From<Error> for Then {
    fn from(error: Error) -> Self {
        Self::fail(error.into())
    }
}

impl Hop {
    pub fn new(url: &str) -> Self {
        let address = Address::of(url);
        Self { address, is_authorized: false, has_encodings: false, followed: 0, is_away: false }
    }

    /// True if a WebSocket is asked for.
    pub fn is_socket(&self) -> bool {
        is_socket(&self.address.url)
    }

    /// True if events follow a head: that of an answer, or that of a WebSocket which is open.
    pub fn is_answered_by(&self, head: ResponseHead<'_>) -> bool {
        if self.is_socket() { head.status == SWITCHING_PROTOCOLS } else { head.is_success() }
    }

    /// The application has a header of this name.
    pub fn note(&mut self, name: &str) {
        self.is_authorized |= name.eq_ignore_ascii_case("authorization");
        self.has_encodings |= name.eq_ignore_ascii_case("accept-encoding");
    }
}

impl Refusal {
    /// Makes the failure, from the body as far as it was read.
    pub fn judged(self) -> Then {
        let head = ResponseHead { status: self.status, content_type: self.content_type.as_deref() };
        let (error, payload) = head.failure(&self.body);
        let failure = RequestFailure { error, status: Some(self.status), payload: Some(payload) };
        Then::Judge { failure, retry_after: self.retry_after }
    }
}
