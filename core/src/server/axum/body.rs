//! The body of a response: the frames that an agent writes.

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
use crate::server::Run;
use crate::server::heartbeat::{Beat, Heartbeat};
use crate::server::writer::RunWriter;

/// The stream of frames; polling it runs the agent.
pub(super) struct RunBody {
    pub run: Run,
    pub work: Arc<Work>,
    pub clock: Clock,
    pub heartbeat: HeartbeatTimer,
    pub is_over: bool,
}

/// The next piece of a run.
pub enum Piece {
    Frames(Bytes),
    /// A ping is due: WebSockets fill silence with pings.
    #[cfg_attr(not(feature = "websocket"), allow(dead_code))] // Only WebSockets send pings.
    Ping,
}

impl Piece {
    /// The bytes of a response of HTTP, which has no pings.
    pub fn into_bytes(self) -> Bytes {
        match self {
            Self::Frames(bytes) => bytes,
            Self::Ping => Bytes::new(),
        }
    }
}

impl Stream for RunBody {
    type Item = Result<Bytes, Cut>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_piece(context).map(|piece| piece.map(|piece| piece.map(Piece::into_bytes)))
    }
}

impl RunBody {
    pub fn poll_piece(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Piece, Cut>>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        if self.clock.has_run_out() {
            return self.cut();
        }
        self.run.clear_waker();
        if !self.run.has_ended() {
            self.work.poll(context);
        }
        let waiting = self.run.take();
        report_notes(&self.run);
        if self.run.has_ended() {
            self.work.release();
        }
        if !waiting.is_empty() {
            return frames(waiting);
        }
        if self.run.has_ended() || self.work.is_over() {
            self.is_over = true;
            return Poll::Ready(None);
        }
        match self.heartbeat.poll(&self.run, context) {
            Beat::Comment => return frames(self.run.with(RunWriter::take)),
            Beat::Ping => return Poll::Ready(Some(Ok(Piece::Ping))),
            Beat::GiveUp => return self.cut(),
            Beat::Nothing => {}
        }
        if !self.run.wake_later(context.waker()) {
            // Another task has written, or has ended the run: poll again.
            context.waker().wake_by_ref();
        }
        Poll::Pending
    }

    fn cut(&mut self) -> Poll<Option<Result<Piece, Cut>>> {
        self.is_over = true;
        Poll::Ready(Some(Err(Cut)))
    }
}

fn frames(bytes: Vec<u8>) -> Poll<Option<Result<Piece, Cut>>> {
    Poll::Ready(Some(Ok(Piece::Frames(bytes.into()))))
}

impl Drop for RunBody {
    fn drop(&mut self) {
        self.work.abandon();
    }
}

/// The client has not read the end of its run in time, or answers no pings: the connection is closed.
#[derive(Debug)]
pub struct Cut;

impl fmt::Display for Cut {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the client did not read the rest of the run in time, or did not answer pings")
    }
}

impl std::error::Error for Cut {}

/// Checks for silence on the connection, by a timer.
pub(super) struct HeartbeatTimer {
    begun: Instant,
    timer: Option<Pin<Box<Sleep>>>,
}

impl HeartbeatTimer {
    /// Makes the timer of heartbeats whose times count from now.
    pub fn new(run: &Run, heartbeat: Option<Heartbeat>) -> Self {
        let next = run.with(|writer| {
            writer.keep_alive(heartbeat);
            writer.next_check()
        });
        Self { begun: Instant::now(), timer: next.map(|next| Box::pin(sleep(next))) }
    }

    /// Returns the action that is due. If there is none, the task is woken at the next check.
    fn poll(&mut self, run: &Run, context: &mut Context<'_>) -> Beat {
        while let Some(timer) = &mut self.timer
            && timer.as_mut().poll(context).is_ready()
        {
            let now = self.begun.elapsed();
            // `is_behind` is false: this body is not polled while the client does not read.
            let (beat, next) = run.with(|writer| (writer.check_silence(now, false), writer.next_check()));
            match next {
                Some(next) => timer.as_mut().reset(Instant::now() + next.saturating_sub(now)),
                None => self.timer = None,
            }
            if beat != Beat::Nothing {
                return beat;
            }
        }
        Beat::Nothing
    }
}
