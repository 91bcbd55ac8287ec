//! The time limits of a request.

use std::time::Duration;

use crate::client::timeout::Timeout;
use crate::error::Error;

/// The time limits of a request; `None` means no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeLimits {
    /// The limit of the connection, if the host sees it apart from the wait for the head; `Duration::MAX` means no limit. `None` if the
    /// host does not see it: then the connection is part of that wait.
    pub connect: Option<Duration>,
    /// The limit for the head of each answer; if it is `None`, `idle` applies.
    pub first_byte: Option<Duration>,
    /// The limit for the next piece of an answer.
    pub idle: Option<Duration>,
    /// The limit for the whole run.
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

/// The end of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// The moment.
    pub at: Duration,
    /// The limit that is exceeded then; `None` if the end is no failure, as at the end of a pause.
    pub timeout: Option<Timeout>,
}

impl Deadline {
    /// A deadline that is no failure.
    pub(super) fn without_failure(at: Duration) -> Self {
        Self { at, timeout: None }
    }

    /// Returns the earlier deadline; of equal ones, the first.
    pub(super) fn earlier(first: Option<Self>, second: Option<Self>) -> Option<Self> {
        first.into_iter().chain(second).min_by_key(|deadline| deadline.at)
    }
}

impl Limit {
    /// Returns the limit of a wait that begins `passed` after the beginning of a call: `own`, or `total` if less is left of that. The time
    /// that is left comes first.
    pub fn within(own: Option<Self>, total: Option<Duration>, passed: Duration) -> Option<(Duration, Self)> {
        let own = own.map(|own| (own.lasts, own));
        let total =
            total.map(|lasts| (lasts.saturating_sub(passed), Self { lasts, timeout: Timeout::Total }));
        own.into_iter().chain(total).min_by_key(|(left, _)| *left)
    }

    /// Returns the deadline, counted from a moment.
    pub(super) fn after(self, since: Duration) -> Option<Deadline> {
        Some(Deadline { at: since.checked_add(self.lasts)?, timeout: Some(self.timeout) })
    }
}

impl TimeLimits {
    /// The limit for the head of an answer. It covers the connection, unless there is one already.
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
