//! One log.

use std::time::Duration;

use crate::durable::cursor::{Cursor, Incarnation};
use crate::durable::digest::InputDigest;
use crate::durable::frame::Frame;
use crate::durable::key::LogKey;
use crate::durable::operation::{Create, LogPolicy};
use crate::durable::reply::{LogInfo, Page, Reply};
use crate::error::Code;

/// The room for the frames that end a run, beyond the limit of its log.
pub const END_BYTES: usize = 64 << 10;

#[derive(Debug)]
pub struct Log {
    pub incarnation: Incarnation,
    digest: InputDigest,
    pub policy: LogPolicy,
    owner: String,
    pub epoch: u64,
    pub lease_until: Duration,
    /// The time until which the run goes on without a client that reads it.
    pub attended_until: Duration,
    /// The time at which the log is deleted.
    pub expires_at: Duration,
    frames: Vec<Frame>,
    bytes: usize,
    pub is_closed: bool,
    pub is_cancelled: bool,
}

impl Log {
    pub fn new(now: Duration, create: Create) -> (LogKey, Self) {
        let Create { key, incarnation, digest, owner, lease, policy, .. } = create;
        let mut log = Self {
            incarnation,
            digest,
            policy,
            owner,
            epoch: 1,
            lease_until: Duration::ZERO,
            attended_until: Duration::ZERO,
            expires_at: Duration::ZERO,
            frames: Vec::new(),
            bytes: 0,
            is_closed: false,
            is_cancelled: false,
        };
        log.attend(now);
        log.take_lease(now.saturating_add(lease));
        (key, log)
    }

    pub fn take_lease(&mut self, until: Duration) {
        self.lease_until = until;
        self.expires_at = until.saturating_add(self.policy.keep);
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
        let is_repeated = self.epoch == 1 && self.owner == create.owner && self.frames.is_empty();
        if is_repeated && !self.is_closed {
            // The reply to the first request was lost.
            return Reply::Created { incarnation: self.incarnation, epoch: self.epoch };
        }
        Reply::Exists(self.info())
    }

    /// Gives the lease to a process. A log with frames is not given to another one: its agent has begun, and runs once.
    pub fn claim(&mut self, now: Duration, owner: String) -> Result<u64, Reply> {
        if self.is_closed {
            return Err(Reply::Closed);
        }
        let is_free = self.owner == owner || self.lease_until <= now;
        if !is_free || !self.frames.is_empty() {
            return Err(Reply::Held);
        }
        self.owner = owner;
        self.epoch += 1;
        Ok(self.epoch)
    }

    /// Returns the number of frames that are stored already, and the bytes of the others; or the refusal.
    pub fn fit(
        &self,
        epoch: u64,
        first: u64,
        frames: &[Frame],
        is_end: bool,
    ) -> Result<(usize, usize), Reply> {
        if epoch != self.epoch {
            return Err(Reply::Fenced);
        }
        let next = self.next();
        let Some(stored) = next.checked_sub(first).filter(|_| first > 0) else {
            return Err(Reply::Gap { next });
        };
        let skipped = usize::try_from(stored).unwrap_or(usize::MAX).min(frames.len());
        debug_assert!(self.has(first, &frames[..skipped]), "a repetition has the same frames");
        if skipped == frames.len() {
            return Ok((skipped, 0));
        }
        if self.is_closed {
            return Err(Reply::Closed);
        }
        let bytes = frames[skipped..].iter().map(Frame::len).sum();
        let room = self.policy.max_bytes.saturating_add(if is_end { END_BYTES } else { 0 });
        if self.bytes + bytes > room {
            return Err(Reply::TooBig);
        }
        Ok((skipped, bytes))
    }

    fn has(&self, first: u64, frames: &[Frame]) -> bool {
        let start = usize::try_from(first.saturating_sub(1)).unwrap_or(usize::MAX);
        self.frames.get(start..).is_some_and(|stored| stored.starts_with(frames))
    }

    pub fn push(&mut self, frames: impl Iterator<Item = Frame>) {
        for frame in frames {
            self.bytes += frame.len();
            self.frames.push(frame);
        }
    }

    /// Ends a run whose producer is lost. Returns the bytes of the last frame.
    pub fn lose_producer(&mut self) -> usize {
        self.epoch += 1;
        let frame = Frame::run_error(Code::ProducerLost);
        let bytes = frame.len();
        self.push([frame].into_iter());
        bytes
    }

    pub fn read(&self, after: Option<Cursor>, max_bytes: usize) -> Reply {
        if after.is_some_and(|cursor| cursor.incarnation != self.incarnation) {
            return Reply::Replaced;
        }
        let after = after.map_or(0, |cursor| cursor.number);
        let next = self.next();
        if after >= next {
            return Reply::Ahead;
        }
        let start = usize::try_from(after).unwrap_or(usize::MAX);
        let mut left = max_bytes;
        let fits = |(index, frame): &(usize, &Frame)| {
            let fits = *index == 0 || frame.len() <= left;
            left = left.saturating_sub(frame.len());
            fits
        };
        let unread = self.frames.get(start..).unwrap_or_default();
        let frames = unread.iter().enumerate().take_while(fits).map(|(_, frame)| frame.clone()).collect();
        Reply::Page(Page {
            incarnation: self.incarnation,
            first: after + 1,
            frames,
            next,
            is_closed: self.is_closed,
        })
    }

    pub fn info(&self) -> LogInfo {
        LogInfo {
            incarnation: self.incarnation,
            digest: self.digest,
            next: self.next(),
            is_closed: self.is_closed,
            is_cancelled: self.is_cancelled,
        }
    }

    /// The number of the next frame.
    pub fn next(&self) -> u64 {
        self.frames.len() as u64 + 1
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }
}
