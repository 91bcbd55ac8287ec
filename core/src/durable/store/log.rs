//! One log.

use std::sync::Arc;
use std::time::Duration;

use crate::durable::cursor::Incarnation;
use crate::durable::digest::InputDigest;
use crate::durable::frame::Frame;
use crate::durable::operation::{Append, Create, LogPolicy};
use crate::durable::reply::{LogInfo, Reply};

/// The room for the frames that end a run, beyond the limit of its log.
pub const END_BYTES: usize = 64 << 10;

/// The record of a log: all but its frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogRecord {
    pub incarnation: Incarnation,
    pub digest: InputDigest,
    pub policy: LogPolicy,
    pub owner: Arc<str>,
    pub epoch: u64,
    pub lease_until: Duration,
    /// The time until which the run goes on without a client that reads it.
    pub attended_until: Duration,
    /// The time at which the log is deleted.
    pub expires_at: Duration,
    /// The number of the next frame.
    pub next: u64,
    /// The sum of the bytes of its frames.
    pub bytes: usize,
    pub is_closed: bool,
    pub is_cancelled: bool,
}

impl LogRecord {
    pub fn new(now: Duration, create: &Create) -> Self {
        let mut log = Self {
            incarnation: create.incarnation,
            digest: create.digest,
            policy: create.policy,
            owner: create.owner.as_str().into(),
            epoch: 1,
            lease_until: Duration::ZERO,
            attended_until: Duration::ZERO,
            expires_at: Duration::ZERO,
            next: 1,
            bytes: 0,
            is_closed: false,
            is_cancelled: false,
        };
        log.attend(now);
        log.take_lease(now.saturating_add(create.lease));
        log
    }

    pub fn take_lease(&mut self, until: Duration) {
        self.lease_until = until;
        self.expires_at = until.saturating_add(self.policy.keep);
    }

    /// True if the run has not ended and its lease is over.
    pub fn is_lost(&self, now: Duration) -> bool {
        !self.is_closed && self.lease_until <= now
    }

    /// True if the time is over for which the log is kept.
    pub fn is_expired(&self, now: Duration) -> bool {
        self.expires_at <= now
    }

    /// A client reads: the grace time begins anew.
    pub fn attend(&mut self, now: Duration) {
        let grace = self.policy.grace.unwrap_or(Duration::MAX);
        self.attended_until = self.attended_until.max(now.saturating_add(grace));
    }

    /// The reply to the creation of a log that exists.
    pub fn create_again(&self, create: &Create) -> Reply {
        if self.digest != create.digest {
            return Reply::Conflict;
        }
        let is_repeated = self.epoch == 1 && *self.owner == *create.owner && self.next == 1;
        if is_repeated && !self.is_closed {
            // The reply to the first request was lost.
            return Reply::Created { incarnation: self.incarnation, epoch: self.epoch };
        }
        Reply::Exists(self.info())
    }

    /// Gives the lease to a process. A log with frames is not given to another one: its agent has begun, and runs once.
    pub fn claim(&mut self, now: Duration, owner: &str, lease: Duration) -> Result<u64, Reply> {
        if self.is_closed {
            return Err(Reply::Closed);
        }
        let is_free = *self.owner == *owner || self.lease_until <= now;
        if !is_free || self.next > 1 {
            return Err(Reply::Held);
        }
        self.owner = owner.into();
        self.epoch += 1;
        self.take_lease(now.saturating_add(lease));
        Ok(self.epoch)
    }

    /// Returns the number of frames that are stored already, and the bytes of the others; or the refusal.
    pub fn fit(&self, append: &Append) -> Result<(usize, usize), Reply> {
        let Append { epoch, first, frames, end, .. } = append;
        if *epoch != self.epoch {
            return Err(Reply::Fenced);
        }
        let next = self.next;
        let Some(stored) = next.checked_sub(*first).filter(|_| *first > 0) else {
            return Err(Reply::Gap { next });
        };
        let skipped = usize::try_from(stored).unwrap_or(usize::MAX).min(frames.len());
        if skipped == frames.len() {
            return Ok((skipped, 0));
        }
        if self.is_closed {
            return Err(Reply::Closed);
        }
        let bytes = frames[skipped..].iter().map(Frame::len).sum();
        let room = self.policy.max_bytes.saturating_add(if end.is_some() { END_BYTES } else { 0 });
        if self.bytes.saturating_add(bytes) > room {
            return Err(Reply::TooBig);
        }
        Ok((skipped, bytes))
    }

    /// Counts frames that are stored.
    pub fn count(&mut self, frames: &[Frame]) {
        self.next += frames.len() as u64;
        self.bytes += frames.iter().map(Frame::len).sum::<usize>();
    }

    pub fn info(&self) -> LogInfo {
        LogInfo {
            incarnation: self.incarnation,
            digest: self.digest,
            next: self.next,
            is_closed: self.is_closed,
            is_cancelled: self.is_cancelled,
        }
    }
}
