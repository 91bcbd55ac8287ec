//! The connection of a run is lost: the pauses before the next ones, and their number.

use std::time::Duration;

use crate::defaults;

/// The header by which a client says that it reads on when the connection is lost.
pub const RESUME_HEADER: (&str, &str) = ("ag-ui-resume", "1");

/// True if a server that answers a request for a run with this status may answer another one later.
pub(super) fn is_passing(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500..=599)
}

/// The times of reconnecting.
///
/// ```
/// use ag_ui_native::client::{HttpAgent, ReconnectOptions};
///
/// let reconnect = ReconnectOptions { attempts: 5, ..ReconnectOptions::default() };
/// let agent = HttpAgent::new("http://127.0.0.1:8000/").with_reconnect(Some(reconnect));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReconnectOptions {
    /// The number of attempts without progress, after which the run has failed.
    pub attempts: u32,
    /// The pause before the second attempt; each further one is twice as long. The first attempt does not wait.
    pub first: Duration,
    /// The longest pause.
    pub longest: Duration,
    /// The random part of a pause, from 0 to 1.
    pub jitter: f64,
}

impl Default for ReconnectOptions {
    fn default() -> Self {
        let (first, longest) = (defaults::RECONNECT_FIRST, defaults::RECONNECT_LONGEST);
        let attempts = u32::try_from(defaults::RECONNECT_ATTEMPTS).unwrap_or(u32::MAX);
        Self { attempts, first, longest, jitter: defaults::RECONNECT_JITTER }
    }
}

/// Counts the attempts to go on with a run.
#[derive(Clone, Debug)]
pub struct Reconnect {
    options: ReconnectOptions,
    failures: u32,
}

impl Reconnect {
    /// No attempt has been made.
    pub fn new(options: ReconnectOptions) -> Self {
        Self { options, failures: 0 }
    }

    /// An event has arrived: the next attempt is the first one again.
    pub fn progress(&mut self) {
        self.failures = 0;
    }

    /// Returns the pause before the next attempt; `None` if there is no further one. `asked` is the pause that the server
    /// asks for, by `Retry-After` or `retry:`; `chance` is a random number from 0 to 1.
    pub fn next(&mut self, asked: Option<Duration>, chance: f64) -> Option<Duration> {
        if self.failures >= self.options.attempts {
            return None;
        }
        self.failures += 1;
        let own = match self.failures - 1 {
            0 => Duration::ZERO,
            number => self.options.first.saturating_mul(1 << (number - 1).min(31)).min(self.options.longest),
        };
        let part = |number: f64| if number.is_finite() { number.clamp(0.0, 1.0) } else { 0.0 };
        let pause = own.mul_f64(1.0 - part(self.options.jitter) * part(chance));
        Some(asked.map_or(pause, |asked| asked.max(pause)))
    }
}
