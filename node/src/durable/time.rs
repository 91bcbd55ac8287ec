//! Times of JavaScript: milliseconds of a monotonic clock, as doubles.

use std::time::Duration;

/// Converts milliseconds. Negative ones, and those that are no numbers, are 0; too large ones are the longest duration.
pub fn duration(milliseconds: f64) -> Duration {
    // The larger of a value that is no number and 0 is 0.
    Duration::try_from_secs_f64(milliseconds.max(0.0) / 1000.0).unwrap_or(Duration::MAX)
}

/// Converts to milliseconds.
pub fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
