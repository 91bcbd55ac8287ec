//! The time that a client waits for more of a stream.
//!
//! | | before its run has ended | behind that |
//! |---|---|---|
//! | the answer to a request | `idle` for each piece | `idle` in all, from the first wait on: neither heartbeats nor unknown events are life |
//! | the same, where the order of events is not verified | the same | the same, again behind each event |
//! | the same, of a connection that is for one run | the same | not at all |
//! | the events of middleware | as long as the run may take | `idle` in all |
//!
//! A stream that brings nothing more behind the end of its run is at its end: that is no failure. With another run it begins anew.

use std::time::Duration;

/// The moment from which a client waits behind the end of a run, and the number of what has come then that is life.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct IdleTime(Option<(Duration, usize)>);

impl IdleTime {
    /// The rest of `idle` at `now`, after so much that is life: runs that have ended, and events if their order is not verified.
    pub(crate) fn left(&mut self, now: Duration, idle: Duration, lives: usize) -> Duration {
        let known = self.0.filter(|(_, before)| *before == lives);
        let (since, _) = *self.0.insert(known.unwrap_or((now, lives)));
        since.saturating_add(idle).saturating_sub(now)
    }
}
