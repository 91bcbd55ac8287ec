//! The time limits of a request.

use std::time::Duration;

use crate::client::timeout::Timeout;
use crate::error::Error;

/// The time limits of a request; `None` means no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeLimits {
    /// For the connection, where a host can tell that from the wait for the head: `Duration::MAX` is for ever. Nothing where it cannot: then
    /// the connection is part of that wait.
    pub connect: Option<Duration>,
    /// For the head of each answer; `idle` counts where this is nothing.
    pub first_byte: Option<Duration>,
    /// For the next piece of an answer.
    pub idle: Option<Duration>,
    /// For the whole run.
    pub total: Option<Duration>,
}

/// One time limit, and the setting that it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The duration.
    pub lasts: Duration,
    /// The setting.
    pub timeout: Timeout,
}

/// Until when something is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// The moment.
    pub at: Duration,
    /// The limit that is over then; nothing if that is no failure, as at the end of a pause.
    pub timeout: Option<Timeout>,
}

impl Deadline {
    /// One with which something ends, and does not fail.
    pub(super) fn without_failure(at: Duration) -> Self {
        Self { at, timeout: None }
    }

    /// The earlier one; if neither is, the first.
    pub(super) fn earlier(first: Option<Self>, second: Option<Self>) -> Option<Self> {
        match (first, second) {
            (Some(first), Some(second)) => Some(if second.at < first.at { second } else { first }),
            (first, second) => first.or(second),
        }
    }
}

impl Limit {
    /// Until when that is, from a moment on.
    pub(super) fn after(self, since: Duration) -> Option<Deadline> {
        Some(Deadline { at: since.checked_add(self.lasts)?, timeout: Some(self.timeout) })
    }
}

impl TimeLimits {
    /// The limit for the head of an answer, and for the connection before it unless there is one.
    pub(super) fn answer(&self, is_connected: bool) -> Option<Limit> {
        let first = self.first_byte.map(|lasts| Limit { lasts, timeout: Timeout::FirstByte });
        let head = first.or(self.idle.map(|lasts| Limit { lasts, timeout: Timeout::Idle }))?;
        let connect = self.connect.filter(|_| !is_connected).unwrap_or_default();
        Some(Limit { lasts: head.lasts.saturating_add(connect), ..head })
    }

    /// The limit for a connection.
    pub(super) fn connection(&self) -> Option<Limit> {
        self.connect.map(|lasts| Limit { lasts, timeout: Timeout::Connect })
    }

    /// The error of a limit that is exceeded.
    pub(super) fn error(&self, timeout: Timeout) -> Error {
        let lasts = match timeout {
            Timeout::Connect => self.connect,
            Timeout::FirstByte => self.first_byte,
            Timeout::Idle => self.idle,
            Timeout::Total => self.total,
        };
        lasts.map_or_else(|| timeout.error(), |lasts| timeout.error_after(lasts))
    }
}
