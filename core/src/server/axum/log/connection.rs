//! A response whose events come from a log.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use tokio::time::{Sleep, sleep};

use super::driver::Driver;
use crate::bindings::durable::{
    Cursor, LogKey, LogRefusal, LogResponse, PrefixCache, Reader, ReaderCommand, encode_frames, encode_prefix,
};
use crate::error::Error;
use crate::server::WireFormat;
use crate::server::axum::response::with_headers;
use crate::server::heartbeat::{Beat, Heartbeat};

/// The facts of a response besides its frames.
pub struct Connection<'c> {
    pub wire_format: WireFormat,
    pub thread_id: &'c str,
    pub run_id: &'c str,
    pub path: &'c str,
    pub key: LogKey,
    pub heartbeat: Duration,
    pub longest: Duration,
    pub prefixes: Arc<Mutex<PrefixCache>>,
    pub cors: Vec<(&'static str, String)>,
}

impl Connection<'_> {
    /// Waits until the log can be read, or is refused.
    pub async fn respond(self, mut driver: Driver<Reader>) -> Result<Response, LogRefusal> {
        let Self { wire_format, thread_id, run_id, path, heartbeat, cors, .. } = self;
        let (after, prefix) = match driver.next().await {
            Some(ReaderCommand::Opened { after, prefix }) => (after, prefix),
            Some(ReaderCommand::End(end)) => {
                return match LogRefusal::of_reader(end) {
                    Some(refusal) => Err(refusal),
                    None => Ok(with_headers(StatusCode::NO_CONTENT.into_response(), cors)),
                };
            }
            _ => return Ok(StatusCode::INTERNAL_SERVER_ERROR.into_response()),
        };
        let beats = Heartbeat::of_comments(wire_format, heartbeat, driver.now());
        let said = beats.is_some().then_some(heartbeat);
        let headers =
            LogResponse { wire_format, thread_id, run_id, after, prefix, heartbeat: said, path }.headers();
        let body = LogBody {
            driver,
            wire_format,
            key: self.key,
            heartbeat: beats,
            beat: Box::pin(sleep(beats.map_or(Duration::ZERO, |_| heartbeat / 4))),
            end: Box::pin(sleep(self.longest)),
            prefixes: self.prefixes,
            is_over: false,
        };
        let response = (wire_format.headers(), Body::from_stream(body)).into_response();
        Ok(with_headers(with_headers(response, headers), cors))
    }
}

/// The frames of a log as the body of a response. Dropping it ends reading, and nothing else.
struct LogBody {
    driver: Driver<Reader>,
    wire_format: WireFormat,
    key: LogKey,
    heartbeat: Option<Heartbeat>,
    /// The time of the next look for silence.
    beat: Pin<Box<Sleep>>,
    /// The longest duration of the connection is over.
    end: Pin<Box<Sleep>>,
    prefixes: Arc<Mutex<PrefixCache>>,
    is_over: bool,
}

impl Stream for LogBody {
    type Item = Result<Bytes, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        loop {
            let Poll::Ready(command) = self.driver.poll_next(context) else { break };
            let encoded = match command {
                Some(ReaderCommand::Frames { after, frames }) => self.frames(after, &frames),
                Some(ReaderCommand::Prefix(prefix)) => {
                    let encoded = encode_prefix(self.wire_format, &prefix);
                    lock(&self.prefixes).put(self.key.clone(), *prefix);
                    encoded
                }
                // The client resumes: what follows is for its next connection.
                Some(ReaderCommand::End(_)) | None => {
                    self.is_over = true;
                    return Poll::Ready(None);
                }
                Some(ReaderCommand::Opened { .. } | ReaderCommand::Send { .. }) => continue,
            };
            self.is_over = encoded.is_err();
            match encoded {
                // A prefix without events.
                Ok(bytes) if bytes.is_empty() => {}
                encoded => {
                    if let Some(heartbeat) = &mut self.heartbeat {
                        heartbeat.written();
                    }
                    return Poll::Ready(Some(encoded.map(Bytes::from)));
                }
            }
        }
        if self.end.as_mut().poll(context).is_ready() {
            self.is_over = true;
            return Poll::Ready(None);
        }
        if self.poll_beat(context) {
            return Poll::Ready(Some(Ok(Bytes::from_static(COMMENT.as_bytes()))));
        }
        Poll::Pending
    }
}

/// See [`WireFormat::heartbeat`].
const COMMENT: &str = ": \n\n";

impl LogBody {
    fn frames(&self, after: Cursor, frames: &[crate::durable::Frame]) -> Result<Vec<u8>, Error> {
        encode_frames(self.wire_format, after, frames)
    }

    /// True if a comment is due.
    fn poll_beat(&mut self, context: &mut Context<'_>) -> bool {
        let Some(heartbeat) = &mut self.heartbeat else { return false };
        while self.beat.as_mut().poll(context).is_ready() {
            let now = self.driver.now();
            let beat = heartbeat.check_silence(now, false);
            let next = heartbeat.deadline().saturating_sub(now).max(Duration::from_millis(1));
            self.beat.as_mut().reset(tokio::time::Instant::now() + next);
            if beat == Beat::Comment {
                heartbeat.written();
                // The timer has to be armed again for the next look.
                let _ = self.beat.as_mut().poll(context);
                return true;
            }
        }
        false
    }
}

fn lock(prefixes: &Mutex<PrefixCache>) -> std::sync::MutexGuard<'_, PrefixCache> {
    prefixes.lock().unwrap_or_else(PoisonError::into_inner)
}
