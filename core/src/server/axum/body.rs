//! The body of an answer: what an agent writes.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Bytes;
use futures_core::Stream;
use tokio::time::{Instant, Sleep, sleep};

use crate::server::{Ending, Run};

/// What the agent writes while it is polled.
pub(super) struct Frames {
    pub run: Run,
    /// Nothing when the agent has come to its end.
    pub work: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    /// Comes to its end when the server shuts down.
    pub shutdown: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    pub heartbeat: Option<Heartbeat>,
}

impl Stream for Frames {
    type Item = Result<Bytes, std::convert::Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        this.run.wake_later(None);
        if this.run.has_ended() {
            return Poll::Ready(this.rest());
        }
        if let Some(shutdown) = &mut this.shutdown
            && shutdown.as_mut().poll(context).is_ready()
        {
            let _ = this.run.end(Ending::Cancelled);
            // What it writes when it is dropped comes too late.
            this.work = None;
            return Poll::Ready(this.rest());
        }
        if let Some(work) = &mut this.work {
            match catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context))) {
                Ok(Poll::Pending) => {}
                Ok(Poll::Ready(())) => this.work = None,
                Err(_) => {
                    // The panic's message is on the server's error output already.
                    this.work = None;
                    let _ = this.run.end(Ending::agent_failed(None));
                }
            }
        }
        let waiting = this.run.take();
        if !waiting.is_empty() {
            if let Some(heartbeat) = &mut this.heartbeat {
                heartbeat.put_off();
            }
            return Poll::Ready(Some(Ok(waiting.into())));
        }
        if this.work.is_none() {
            return Poll::Ready(None);
        }
        if let Some(heartbeat) = &mut this.heartbeat
            && heartbeat.timer.as_mut().poll(context).is_ready()
        {
            heartbeat.put_off();
            return Poll::Ready(Some(Ok(Bytes::from_static(heartbeat.comment.as_bytes()))));
        }
        // Other tasks may write, too.
        this.run.wake_later(Some(context.waker().clone()));
        Poll::Pending
    }
}

impl Frames {
    /// What waits still when the run has ended. The agent that has ended its run may be at work: it goes on by itself, and nobody waits for it.
    fn rest(&mut self) -> Option<Result<Bytes, std::convert::Infallible>> {
        if let Some(work) = self.work.take() {
            tokio::spawn(work);
        }
        let waiting = self.run.take();
        (!waiting.is_empty()).then(|| Ok(waiting.into()))
    }
}

/// Fills silence.
pub(super) struct Heartbeat {
    comment: &'static str,
    pause: Duration,
    timer: Pin<Box<Sleep>>,
}

impl Heartbeat {
    pub fn new(comment: &'static str, pause: Duration) -> Self {
        Self { comment, pause, timer: Box::pin(sleep(pause)) }
    }

    fn put_off(&mut self) {
        self.timer.as_mut().reset(Instant::now() + self.pause);
    }
}
