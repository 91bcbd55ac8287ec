//! One operation at a time, repeated until it has a reply.

use std::time::Duration;

/// The first and the longest pause between two attempts.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));

/// The number of an operation that was sent. The host gives it back with the reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ticket(u64);

/// An operation has no reply: the engine cannot be reached, or has failed. It may have been executed.
///
/// ```
/// use ag_ui_native::durable::{EngineFailure, Log, LogKey, OnHint, Operation, ReplyFuture};
///
/// struct Broken;
///
/// impl Log for Broken {
///     fn execute(&self, _operation: Operation) -> ReplyFuture<'_> {
///         Box::pin(async { Err(EngineFailure) })
///     }
///
///     fn watch(&self, _key: &LogKey, _on_hint: OnHint) -> Box<dyn Send + Sync> {
///         Box::new(())
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineFailure;

/// The exchange of one kind of operation: at most one operation waits for its reply.
#[derive(Debug)]
pub struct Exchange {
    /// The longest time to wait for a reply.
    patience: Duration,
    sent: Option<Sent>,
    /// The number of attempts without a reply since the last reply.
    failures: u32,
    /// The end of the pause before the next attempt.
    rests_until: Duration,
}

#[derive(Debug)]
struct Sent {
    ticket: Ticket,
    at: Duration,
}

impl Exchange {
    pub fn new(patience: Duration) -> Self {
        Self { patience, sent: None, failures: 0, rests_until: Duration::ZERO }
    }

    /// True if an operation can be sent now. One that waits for its reply too long has failed.
    pub fn is_free(&mut self, now: Duration) -> bool {
        if self.sent.as_ref().is_some_and(|sent| sent.at.saturating_add(self.patience) <= now) {
            self.sent = None;
            self.fail(now);
        }
        self.sent.is_none() && self.rests_until <= now
    }

    pub fn send(&mut self, now: Duration, tickets: &mut u64) -> Ticket {
        *tickets += 1;
        let ticket = Ticket(*tickets);
        self.sent = Some(Sent { ticket, at: now });
        ticket
    }

    /// Ends the exchange of this ticket. Returns the time at which the operation was sent; `None` for another ticket.
    pub fn take(&mut self, ticket: Ticket) -> Option<Duration> {
        let sent = self.sent.take_if(|sent| sent.ticket == ticket)?;
        Some(sent.at)
    }

    pub fn succeed(&mut self) {
        self.failures = 0;
    }

    pub fn fail(&mut self, now: Duration) {
        let (first, longest) = PAUSES;
        self.rests_until = now.saturating_add(first.saturating_mul(1 << self.failures.min(10)).min(longest));
        self.failures += 1;
    }

    pub fn has_failed(&self) -> bool {
        self.failures > 0
    }

    /// The time at which [`is_free`](Self::is_free) can change.
    pub fn deadline(&self) -> Duration {
        self.sent.as_ref().map_or(self.rests_until, |sent| sent.at.saturating_add(self.patience))
    }
}
