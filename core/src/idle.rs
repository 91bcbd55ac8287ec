//! The time that a client waits for the next piece of a stream.
//!
//! | | before its run has ended | after that |
//! |---|---|---|
//! | the answer to a request | `idle` for each piece | `idle` in all, from the first wait on: heartbeats and unknown events do not extend it |
//! | the same, where the order of events is not verified | the same | the same, again after each event |
//! | the same, of a connection for one run | the same | no time |
//! | the events of middleware | as long as the run may take | `idle` in all |
//!
//! A stream that stays silent after the end of its run has ended: that is no failure. Another run starts the rules anew.

use std::time::Duration;

/// The time that a client waits for the next piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdleWait {
    /// As long as it takes.
    Unlimited,
    /// No longer than this. A limit below a nanosecond is zero, and no end.
    AtMost(Duration),
    /// Not at all: the stream is at its end.
    AtEnd,
}

impl From<Option<Duration>> for IdleWait {
    fn from(idle: Option<Duration>) -> Self {
        idle.map_or(Self::Unlimited, Self::AtMost)
    }
}

/// The moment from which a client waits after the end of a run, and the number of signs of life until then.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct IdleTime(Option<(Duration, usize)>);

impl IdleTime {
    /// Returns the rest of `idle` at `now`. `lives` counts the signs of life: runs that have ended, and events if their order is not
    /// verified.
    pub(crate) fn left(&mut self, now: Duration, idle: Duration, lives: usize) -> IdleWait {
        let known = self.0.filter(|(_, before)| *before == lives);
        let (since, _) = *self.0.insert(known.unwrap_or((now, lives)));
        let left = since.saturating_add(idle).saturating_sub(now);
        if left.is_zero() { IdleWait::AtEnd } else { IdleWait::AtMost(left) }
    }
}
