//! The times at which the file is checked for writes of other processes.

use std::time::{Duration, Instant};

/// The longest time between two checks: a write is found then, though nothing hints at it.
const LONGEST: Duration = Duration::from_millis(20);
/// The shortest time between two checks.
const SHORTEST: Duration = Duration::from_micros(500);
/// The share of each watched log in that time: each is read after a change.
const OF_LOG: Duration = Duration::from_micros(20);

/// After a change, or a sign of one, the file is checked soon; then after twice the time, again and again, up to the longest.
pub struct Pace {
    checked_at: Instant,
    pause: Duration,
}

impl Pace {
    pub fn new() -> Self {
        Self { checked_at: Instant::now(), pause: Duration::ZERO }
    }

    /// The time until the next check.
    pub fn rest(&self) -> Duration {
        self.pause.saturating_sub(self.checked_at.elapsed())
    }

    /// There is a sign of a change, which may not be visible yet.
    pub fn hurry(&mut self, watched: usize) {
        self.pause = self.pause.min(shortest(watched));
    }

    /// The file was checked.
    pub fn checked(&mut self, watched: usize, has_changed: bool) {
        self.checked_at = Instant::now();
        self.pause =
            if has_changed { shortest(watched) } else { (self.pause * 2).clamp(shortest(watched), LONGEST) };
    }
}

fn shortest(watched: usize) -> Duration {
    let logs = u32::try_from(watched).unwrap_or(u32::MAX);
    OF_LOG.saturating_mul(logs).clamp(SHORTEST, LONGEST)
}
