//! The body of a run with a log: it goes on over several connections.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_core::Stream;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Url};
use tokio::runtime::Handle;
use tokio::time::{Instant, Sleep, sleep, timeout};

use super::opening::now;
use super::request::Detaching;
use super::response::{Body, Response};
use crate::client::reconnect::{Reconnect, ReconnectOptions};
use crate::client::resumable::{CANCEL_TIMEOUT, ResumableHead, ResumableStream, ResumeStep};
use crate::error::{Code, Error};
use crate::limits::Limits;

/// The headers of the application for the next request.
pub type OwnHeaders =
    Arc<dyn Fn() -> Pin<Box<dyn Future<Output = Result<HeaderMap, Error>> + Send>> + Send + Sync>;

/// The response that goes on.
pub struct Begun {
    pub headers: OwnHeaders,
    pub client: Client,
    /// The address of the request.
    pub url: Url,
    pub options: ReconnectOptions,
    pub limits: Limits,
    pub detaching: Detaching,
}

/// Reads a run to its end. When a connection is lost, it reads on by the next one; dropped before the end, it cancels the
/// run, unless its reader has detached.
struct Resuming {
    begun: Begun,
    stream: ResumableStream,
    reconnect: Reconnect,
    state: State,
    /// Ends when the connection has been silent for too long.
    silence: Pin<Box<Sleep>>,
    /// Returned after the bytes before it.
    failure: Option<Error>,
}

enum State {
    Reading(Body),
    Connecting(Pin<Box<dyn Future<Output = Attempt> + Send>>),
    Over,
}

/// The outcome of an attempt to go on.
enum Attempt {
    /// The status, the head and the body of the next response.
    Answered(u16, HeaderMap, Body),
    /// There was no response.
    Lost,
    /// The application has no headers.
    Failed(Error),
}

/// Returns the body that goes on over several connections, or the body itself if the server does not say how.
pub fn resuming(head: &HeaderMap, body: Body, begun: Begun) -> Result<Body, Body> {
    match ResumableStream::new(&resumable_head(head), begun.limits) {
        Some(stream) => {
            let reconnect = Reconnect::new(begun.options);
            let silence = Box::pin(sleep(silence_of(&stream)));
            let state = State::Reading(body);
            Ok(Box::pin(Resuming { begun, stream, reconnect, state, silence, failure: None }))
        }
        None => Err(body),
    }
}

fn resumable_head(head: &HeaderMap) -> ResumableHead<'_> {
    let text = |name: &str| head.get(name).and_then(|value| value.to_str().ok());
    ResumableHead {
        cursor: text("ag-ui-cursor"),
        prefix: text("ag-ui-prefix"),
        heartbeat: text("ag-ui-heartbeat"),
        location: text("content-location"),
        content_type: text(CONTENT_TYPE.as_str()).unwrap_or_default(),
        retry_after: text("retry-after"),
    }
}

/// Without heartbeats, silence is no fault.
fn silence_of(stream: &ResumableStream) -> Duration {
    stream.silence().unwrap_or(Duration::from_secs(86_400 * 365))
}

impl Stream for Resuming {
    type Item = Result<Bytes, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        if let Some(error) = this.failure.take() {
            this.state = State::Over;
            return Poll::Ready(Some(Err(error)));
        }
        loop {
            match &mut this.state {
                State::Over => return Poll::Ready(None),
                State::Reading(body) => match body.as_mut().poll_next(context) {
                    Poll::Ready(Some(Ok(piece))) => {
                        this.silence.as_mut().reset(Instant::now() + silence_of(&this.stream));
                        let mut out = Vec::new();
                        this.failure = this.stream.feed(&piece, &mut out).err();
                        if !out.is_empty() {
                            this.reconnect.progress();
                        } else if let Some(error) = this.failure.take() {
                            this.state = State::Over;
                            return Poll::Ready(Some(Err(error)));
                        }
                        // Also without events: a heartbeat is a sign of life for the time limits of the run.
                        return Poll::Ready(Some(Ok(out.into())));
                    }
                    Poll::Ready(_) if this.stream.has_ended() => this.state = State::Over,
                    Poll::Ready(_) => this.connect(this.stream.asked_pause()),
                    Poll::Pending if this.silence.as_mut().poll(context).is_ready() => {
                        this.connect(this.stream.asked_pause());
                    }
                    Poll::Pending => return Poll::Pending,
                },
                State::Connecting(attempt) => match attempt.as_mut().poll(context) {
                    Poll::Pending => return Poll::Pending,
                    Poll::Ready(Attempt::Answered(status, head, body)) => {
                        match this.stream.answered(status, &resumable_head(&head), now()) {
                            ResumeStep::Read => this.state = State::Reading(body),
                            ResumeStep::Ended => this.state = State::Over,
                            ResumeStep::Retry(asked) => this.connect(asked),
                            ResumeStep::Refused(error) => this.fail(error),
                        }
                        this.silence.as_mut().reset(Instant::now() + silence_of(&this.stream));
                    }
                    Poll::Ready(Attempt::Lost) => this.connect(this.stream.asked_pause()),
                    Poll::Ready(Attempt::Failed(error)) => this.fail(error),
                },
            }
            if let Some(error) = this.failure.take() {
                this.state = State::Over;
                return Poll::Ready(Some(Err(error)));
            }
        }
    }
}

impl Resuming {
    fn fail(&mut self, error: Error) {
        self.failure = Some(error);
    }

    /// Begins the next attempt, or gives up.
    fn connect(&mut self, asked: Option<Duration>) {
        let Some(pause) = self.reconnect.next(asked, chance()) else {
            return self.fail(ResumableStream::given_up());
        };
        let Ok(url) = self.begun.url.join(self.stream.location()) else {
            return self.fail(Error::new(Code::ConnectionLost, "the address of the run is not a URL"));
        };
        let (headers, client) = (Arc::clone(&self.begun.headers), self.begun.client.clone());
        let (more, silence) = (self.stream.headers(), silence_of(&self.stream));
        self.state = State::Connecting(Box::pin(async move {
            sleep(pause).await;
            let attempt = async { attempt(headers().await, &client, url, more).await };
            timeout(silence, attempt).await.unwrap_or(Attempt::Lost)
        }));
    }
}

impl Drop for Resuming {
    /// The run would go on without its client, so it is cancelled, as well as that can be done, unless the client has detached.
    fn drop(&mut self) {
        let is_detached = self.begun.detaching.is_detached();
        if is_detached || matches!(self.state, State::Over) || self.stream.has_ended() {
            return;
        }
        let Ok(runtime) = Handle::try_current() else { return };
        let Ok(url) = self.begun.url.join(&self.stream.cancel_location()) else { return };
        let (headers, client) = (Arc::clone(&self.begun.headers), self.begun.client.clone());
        runtime.spawn(async move {
            let Ok(headers) = headers().await else { return };
            let request = client.post(url).headers(headers).header(CONTENT_TYPE, "application/json");
            // The server ends the run after its lease, or the application cancels it, if this does not arrive.
            let _ = request.timeout(CANCEL_TIMEOUT).send().await;
        });
    }
}

/// Requests the rest of the run.
async fn attempt(
    headers: Result<HeaderMap, Error>,
    client: &Client,
    url: Url,
    more: Vec<(&'static str, String)>,
) -> Attempt {
    let mut headers = match headers {
        Ok(headers) => headers,
        Err(error) => return Attempt::Failed(error),
    };
    headers.extend(more.into_iter().filter_map(|(name, value)| {
        Some((Some(HeaderName::from_static(name)), HeaderValue::try_from(value).ok()?))
    }));
    let Ok(answer) = client.get(url).headers(headers).send().await else { return Attempt::Lost };
    let head = answer.headers().clone();
    Attempt::Answered(answer.status().as_u16(), head, Response::new(answer.bytes_stream()).body)
}

/// A random number from 0 to 1.
fn chance() -> f64 {
    let (number, _) = uuid::Uuid::new_v4().as_u64_pair();
    #[allow(clippy::cast_precision_loss)] // It is random.
    let part = (number >> 11) as f64 / (1_u64 << 53) as f64;
    part
}
