//! The state of a request.

use std::time::Duration;

use super::command::RequestFailure;
use crate::client::reconnect::Reconnect;
use crate::client::transport::address::Address;
use crate::client::transport::redirect::is_socket;
use crate::client::transport::response_head::ResponseHead;
use crate::error::Error;

/// The status with which a connection becomes a WebSocket.
const SWITCHING_PROTOCOLS: u16 = 101;

pub(super) enum RequestState {
    /// The host prepares the attempt.
    Preparing,
    /// The host waits for the head, since this moment or since the connection.
    Asked { since: Duration, is_connected: bool },
    /// The host reads the body of a refusal.
    Refused { refusal: Refusal, until: Option<Duration> },
    /// The host closes the answer.
    Closing(Then),
    /// The request is sent again at that moment.
    Pausing { until: Duration },
    /// The request is over: with events, or failed.
    Over,
}

/// The step after the answer is closed.
pub(super) enum Then {
    /// Follow a redirect.
    Follow(Hop),
    /// The attempt has failed: try again, or fail.
    Judge { failure: RequestFailure, retry_after: Option<String> },
}

/// The address of an attempt, and the redirects before it.
pub(super) struct Hop {
    pub address: Address,
    /// The application sends its own header `authorization`.
    pub is_authorized: bool,
    /// The application sends its own header `accept-encoding`.
    pub has_encodings: bool,
    /// The number of redirects before it.
    pub followed: usize,
    /// True if a redirect has led to another origin.
    pub is_away: bool,
}

/// The search for a run whose answer is lost.
pub(super) struct Looking {
    /// The failure of the start; the request fails with it if no run is found.
    pub first: RequestFailure,
    pub attempts: Reconnect,
}

/// A refusal: an answer without events, as far as it was read.
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

    /// True if events follow this head: the answer succeeds, or the WebSocket is open.
    pub fn is_answered_by(&self, head: ResponseHead<'_>) -> bool {
        if self.is_socket() { head.status == SWITCHING_PROTOCOLS } else { head.is_success() }
    }

    /// Notes a header of the application.
    pub fn note(&mut self, name: &str) {
        self.is_authorized |= name.eq_ignore_ascii_case("authorization");
        self.has_encodings |= name.eq_ignore_ascii_case("accept-encoding");
    }
}

impl Refusal {
    /// Makes the failure, from the part of the body that was read.
    pub fn judged(self) -> Then {
        let head = ResponseHead { status: self.status, content_type: self.content_type.as_deref() };
        let (error, payload) = head.failure(&self.body);
        let failure = RequestFailure { error, status: Some(self.status), payload: Some(payload) };
        Then::Judge { failure, retry_after: self.retry_after }
    }
}
