//! Decides if a request that began no run is sent again.

use std::time::Duration;

use super::timeout::Timeout;
use crate::defaults;
use crate::error::Code;
use crate::resume::http_date;

/// The number of attempts of a request and the pauses between them. Without this, an agent sends each request once.
///
/// Only the connection phase is repeated. A server that has sent one event has begun to work.
///
/// ```
/// use ag_ui_native::client::{HttpAgent, Retry};
/// use std::time::Duration;
///
/// let retry = Retry { attempts: 3, first: Duration::from_millis(500), ..Retry::default() };
/// let agent = HttpAgent::new("http://127.0.0.1:8000/").with_retry(retry);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Retry {
    /// The maximum number of attempts to send the request; 3 by default.
    pub attempts: u32,
    /// The pause before the second attempt; each further one is twice as long.
    pub first: Duration,
    /// The longest pause. If a server asks for a longer one, the request is not sent again.
    pub longest: Duration,
    /// The random part of a pause, from 0 to 1. It spreads the requests of many clients.
    pub jitter: f64,
}

impl Default for Retry {
    fn default() -> Self {
        let (first, longest) = (defaults::RETRY_FIRST, defaults::RETRY_LONGEST);
        let attempts = u32::try_from(defaults::RETRY_ATTEMPTS).unwrap_or(u32::MAX);
        Self { attempts, first, longest, jitter: defaults::RETRY_JITTER }
    }
}

/// An attempt that has failed before the first event.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<'r> {
    /// The number of the attempt, from 1.
    pub number: u32,
    /// The code of the failure.
    pub code: Code,
    /// The status of the answer, if there was one.
    pub status: Option<u16>,
    /// The timeout that was exceeded, if one was.
    pub timeout: Option<Timeout>,
    /// The header `Retry-After`.
    pub retry_after: Option<&'r str>,
    /// The time, in milliseconds since the Unix epoch.
    pub now: i64,
    /// A random number from 0 to 1.
    pub chance: f64,
}

impl Retry {
    /// Returns the pause before the next attempt; `None` if there is no further one.
    ///
    /// A request is sent again if there was no connection, or if the status is 408, 425, 429, 502, 503 or 504. The header `Retry-After` is
    /// honoured, in seconds or as a date.
    #[doc(hidden)]
    pub fn pause(&self, attempt: &Attempt<'_>) -> Option<Duration> {
        let is_passing = match attempt.code {
            Code::ConnectionFailed => true,
            Code::TimedOut => attempt.timeout == Some(Timeout::Connect),
            Code::HttpError => matches!(attempt.status, Some(408 | 425 | 429 | 502..=504)),
            _ => false,
        };
        if !is_passing || attempt.number >= self.attempts {
            return None;
        }
        let asked = attempt.retry_after.and_then(|text| retry_after(text, attempt.now));
        if asked.is_some_and(|asked| asked > self.longest) {
            return None;
        }
        let doublings = attempt.number.saturating_sub(1).min(31);
        let longest = self.first.saturating_mul(1 << doublings).min(self.longest);
        let jitter = if self.jitter.is_finite() { self.jitter.clamp(0.0, 1.0) } else { 0.0 };
        let chance = if attempt.chance.is_finite() { attempt.chance.clamp(0.0, 1.0) } else { 0.0 };
        let pause = longest.mul_f64(1.0 - jitter * chance);
        Some(asked.map_or(pause, |asked| asked.max(pause)))
    }
}

/// The pause that a `Retry-After` asks for (RFC 9110, 10.2.3).
pub(super) fn retry_after(text: &str, now: i64) -> Option<Duration> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    let until = http_date(text)?.saturating_sub(now);
    Some(Duration::from_millis(u64::try_from(until).unwrap_or(0)))
}
