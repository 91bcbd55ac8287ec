//! The body of an answer: what an agent writes.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::Bytes;
use futures_core::Stream;
use tokio::time::{Instant, Sleep, sleep};

use super::clock::Clock;
use super::report::report_notes;
use super::work::Work;
use crate::server::{Run, Silence, Transport};

/// What the agent writes while it is polled.
pub(super) struct Frames {
    pub run: Run,
    pub work: Arc<Work>,
    pub clock: Clock,
    pub heartbeat: Option<Heartbeat>,
    pub is_over: bool,
}

impl Stream for Frames {
    type Item = Result<Bytes, Cut>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        if this.is_over {
            return Poll::Ready(None);
        }
        if this.clock.has_run_out() {
            this.is_over = true;
            return Poll::Ready(Some(Err(Cut)));
        }
        this.run.wake_nobody();
        if !this.run.has_ended() {
            this.work.poll(context);
        }
        let waiting = this.run.take();
        report_notes(&this.run);
        if this.run.has_ended() {
            this.work.release();
        }
        if !waiting.is_empty() {
            if let Some(heartbeat) = &mut this.heartbeat {
                heartbeat.is_silent = false;
            }
            return Poll::Ready(Some(Ok(waiting.into())));
        }
        if this.run.has_ended() || this.work.is_over() {
            this.is_over = true;
            return Poll::Ready(None);
        }
        if let Some(heartbeat) = &mut this.heartbeat
            && heartbeat.is_due(context)
        {
            let comment = Transport::Text.heartbeat().unwrap_or_default();
            return Poll::Ready(Some(Ok(Bytes::from_static(comment.as_bytes()))));
        }
        if !this.run.wake_later(context.waker()) {
            // Another task has written, or ended the run.
            context.waker().wake_by_ref();
        }
        Poll::Pending
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        self.work.abandon();
    }
}

/// The client has not taken what was left of a run that had to end: the connection is closed.
#[derive(Debug)]
pub(super) struct Cut;

impl fmt::Display for Cut {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the client has not taken the rest of the run in time")
    }
}

impl std::error::Error for Cut {}

/// Fills silence.
pub(super) struct Heartbeat {
    silence: Silence,
    begun: Instant,
    timer: Pin<Box<Sleep>>,
    /// Nothing was sent since the last look.
    is_silent: bool,
}

impl Heartbeat {
    /// For a silence whose times count from now.
    pub fn new(silence: Silence) -> Self {
        let timer = Box::pin(sleep(silence.deadline()));
        Self { silence, begun: Instant::now(), timer, is_silent: true }
    }

    /// Whether a comment is due. Otherwise the task is woken when it may be.
    fn is_due(&mut self, context: &mut Context<'_>) -> bool {
        while self.timer.as_mut().poll(context).is_ready() {
            let now = self.begun.elapsed();
            let is_due = self.silence.look(now, std::mem::replace(&mut self.is_silent, true));
            let left = self.silence.deadline().saturating_sub(now);
            self.timer.as_mut().reset(Instant::now() + left);
            if is_due {
                return true;
            }
        }
        false
    }
}
