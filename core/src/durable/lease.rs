//! The lease of a run: it is renewed after a third of it, so that its process keeps it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::exchange::{EngineFailure, Exchange, Ticket};
use super::operation::Operation;
use super::reply::Reply;

/// A lease, as one who renews it sees it. All who renew it share its end.
#[derive(Debug)]
pub struct Lease {
    renew: Operation,
    lasts: Duration,
    /// The time between two renewals.
    pause: Duration,
    patience: Duration,
    exchange: Exchange,
    renew_at: Duration,
    /// True if a renewal was asked for since the last one was sent.
    is_asked: bool,
    until: Arc<Mutex<Duration>>,
}

impl Lease {
    /// A lease of this length that was taken at that time.
    pub fn new(
        renew: Operation,
        taken_at: Duration,
        lasts: Duration,
        pause: Duration,
        patience: Duration,
    ) -> Self {
        Self {
            renew,
            lasts,
            pause,
            patience,
            exchange: Exchange::new(patience),
            renew_at: taken_at.saturating_add(pause),
            is_asked: false,
            until: Arc::new(Mutex::new(taken_at.saturating_add(lasts))),
        }
    }

    /// Another one who renews the same lease.
    pub fn renewal(&self) -> Renewal {
        let lease = Self {
            renew: self.renew.clone(),
            exchange: Exchange::new(self.patience),
            until: Arc::clone(&self.until),
            ..*self
        };
        Renewal { lease, tickets: 0, is_over: false }
    }

    /// Renews it now.
    pub fn ask(&mut self) {
        self.renew_at = Duration::ZERO;
        self.is_asked = true;
    }

    /// The renewal that is due.
    pub fn poll(&mut self, now: Duration, tickets: &mut u64) -> Option<(Ticket, Operation)> {
        if !self.exchange.is_free(now) || self.renew_at > now {
            return None;
        }
        self.is_asked = false;
        Some((self.exchange.send(now, tickets), self.renew.clone()))
    }

    /// Takes the reply to a renewal, if this is one. Returns the time at which it was sent.
    pub fn take(&mut self, ticket: Ticket) -> Option<Duration> {
        self.exchange.take(ticket)
    }

    /// The renewal that was sent at that time has succeeded.
    pub fn renewed(&mut self, now: Duration, sent_at: Duration) {
        self.exchange.succeed();
        let mut until = self.until.lock().unwrap_or_else(PoisonError::into_inner);
        *until = sent_at.saturating_add(self.lasts).max(*until);
        drop(until);
        self.wait(now);
    }

    /// A renewal has no reply: it is repeated.
    pub fn fail(&mut self, now: Duration) {
        self.exchange.fail(now);
    }

    /// Waits until the next renewal. The reply to the last one may be older than what has been asked for.
    pub fn wait(&mut self, now: Duration) {
        self.renew_at = if self.is_asked { now } else { now.saturating_add(self.pause) };
    }

    /// True if the last renewal has no reply.
    pub fn has_failed(&self) -> bool {
        self.exchange.has_failed()
    }

    /// True if the lease is over, as far as is known here.
    pub fn is_over(&self, now: Duration) -> bool {
        *self.until.lock().unwrap_or_else(PoisonError::into_inner) <= now
    }

    /// The time at which [`poll`](Self::poll) is to be called.
    pub fn deadline(&self) -> Duration {
        self.exchange.deadline().max(self.renew_at)
    }
}

/// Renews the lease of a run besides its `Producer`, which learns of it: in another thread, while the event loop of the run is
/// blocked. It ends when the lease is lost, or the run has ended.
#[derive(Debug)]
pub struct Renewal {
    lease: Lease,
    tickets: u64,
    is_over: bool,
}

impl Renewal {
    /// The operation to send; `None` until its reply or the deadline.
    pub fn poll(&mut self, now: Duration) -> Option<(Ticket, Operation)> {
        if self.is_over { None } else { self.lease.poll(now, &mut self.tickets) }
    }

    /// Takes the reply to an operation. Replies to operations that were repeated since are ignored.
    #[allow(clippy::needless_pass_by_value)] // Each machine takes the reply over, as the trait `Machine` hands it.
    pub fn reply(&mut self, now: Duration, ticket: Ticket, reply: Result<Reply, EngineFailure>) {
        let Some(sent_at) = self.lease.take(ticket) else { return };
        match reply {
            Ok(Reply::Renewed { .. }) => self.lease.renewed(now, sent_at),
            // The producer learns the reason from its own renewal.
            Ok(_) => self.is_over = true,
            Err(EngineFailure) => self.lease.fail(now),
        }
    }

    /// The time of the next call of [`poll`](Self::poll), unless a reply comes before; `None` at the end.
    pub fn deadline(&self) -> Option<Duration> {
        (!self.is_over).then(|| self.lease.deadline())
    }
}
