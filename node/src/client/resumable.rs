//! A run with a log whose connection is lost: the rules by which `lib/client/transport/resuming.cts` reads on.

use ag_ui_native::Object;
use ag_ui_native::bindings::client::{
    self, CANCEL_TIMEOUT, Reconnect, ReconnectOptions, ResumableStream, ResumeStep,
};
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;

use crate::client::{Members, object};
use crate::durable::time::milliseconds;
use crate::error;
use crate::options::ReaderOptions;

/// The headers of a response.
#[napi(object)]
#[derive(Clone, Debug)]
pub struct ResumableHead {
    pub cursor: Option<String>,
    pub prefix: Option<String>,
    pub heartbeat: Option<String>,
    pub location: Option<String>,
    pub content_type: String,
    pub retry_after: Option<String>,
}

/// The events of a piece, and the description of the error behind them.
#[napi(object)]
pub struct ResumedEvents {
    pub bytes: Uint8Array,
    pub error: Option<String>,
}

/// The next step: `read`, `ended`, `pause` before the next attempt, or `fail` with the description of the error.
#[napi(object)]
#[derive(Debug)]
pub struct ResumedStep {
    pub kind: String,
    pub pause: Option<f64>,
    pub error: Option<String>,
}

/// The stream of a run over its connections.
#[napi]
#[derive(Debug)]
pub struct ResumableRun {
    stream: ResumableStream,
    reconnect: Reconnect,
}

#[napi]
impl ResumableRun {
    /// The run of a response; nothing if its server does not say how to resume. The options are JSON text.
    #[napi(catch_unwind)]
    #[allow(clippy::needless_pass_by_value)] // napi hands values over.
    pub fn open(head: ResumableHead, reconnect: String, options: String) -> Option<ResumableRun> {
        let limits = ReaderOptions::parse(&options).ok()?.limits;
        let stream = ResumableStream::new(&head.borrowed(), limits)?;
        Some(Self { stream, reconnect: Reconnect::new(reconnect_options(&object(&reconnect))) })
    }

    /// The time to wait for the answer to a cancel.
    #[napi(catch_unwind)]
    pub fn cancel_timeout() -> f64 {
        milliseconds(CANCEL_TIMEOUT)
    }

    /// Takes the next bytes of the connection.
    #[napi(catch_unwind)]
    #[allow(clippy::needless_pass_by_value)] // napi hands bytes over.
    pub fn feed(&mut self, bytes: Uint8Array) -> ResumedEvents {
        let mut out = Vec::new();
        let fed = self.stream.feed(&bytes, &mut out);
        if !out.is_empty() {
            self.reconnect.progress();
        }
        ResumedEvents { bytes: out.into(), error: fed.err().map(|failed| error::describe(&failed)) }
    }

    /// The connection is lost, or an attempt had no answer. `chance` is a random number from 0 to 1.
    #[napi(catch_unwind)]
    pub fn lost(&mut self, chance: f64) -> ResumedStep {
        let step = if self.stream.has_ended() {
            ResumeStep::Ended
        } else {
            ResumeStep::Retry(self.stream.asked_pause())
        };
        self.next(step, chance)
    }

    /// Takes the response to a request for the rest of the run. `wall` is the time in milliseconds since the Unix epoch.
    #[napi(catch_unwind)]
    #[allow(clippy::needless_pass_by_value, clippy::cast_possible_truncation)] // napi hands values over; the time saturates.
    pub fn answered(&mut self, status: u32, head: ResumableHead, chance: f64, wall: f64) -> ResumedStep {
        let step = self.stream.answered(super::short(status), &head.borrowed(), wall as i64);
        self.next(step, chance)
    }

    /// The headers of the request for the rest of the run, as JSON text.
    #[napi(catch_unwind)]
    pub fn headers(&self) -> String {
        let headers = self.stream.headers().into_iter();
        error::text(&headers.map(|(name, value)| (name.to_owned(), value)).collect::<Object>().into())
    }

    /// True if the last event has ended the run.
    #[napi(catch_unwind, getter)]
    pub fn has_ended(&self) -> bool {
        self.stream.has_ended()
    }

    /// The address of the rest of the run, relative to that of the request.
    #[napi(catch_unwind, getter)]
    pub fn location(&self) -> String {
        self.stream.location().to_owned()
    }

    /// The address by which the run is cancelled.
    #[napi(catch_unwind, getter)]
    pub fn cancel_location(&self) -> String {
        self.stream.cancel_location()
    }

    /// The time of silence after which the connection counts as lost.
    #[napi(catch_unwind, getter)]
    pub fn silence(&self) -> Option<f64> {
        self.stream.silence().map(milliseconds)
    }
}

impl ResumableRun {
    fn next(&mut self, step: ResumeStep, chance: f64) -> ResumedStep {
        let told = |kind: &str| ResumedStep { kind: kind.into(), pause: None, error: None };
        let failed = |failure| ResumedStep { error: Some(error::describe(&failure)), ..told("fail") };
        match step {
            ResumeStep::Read => told("read"),
            ResumeStep::Ended => told("ended"),
            ResumeStep::Retry(asked) => match self.reconnect.next(asked, chance) {
                Some(pause) => ResumedStep { pause: Some(milliseconds(pause)), ..told("pause") },
                None => failed(ResumableStream::given_up()),
            },
            ResumeStep::Refused(failure) => failed(failure),
        }
    }
}

impl ResumableHead {
    fn borrowed(&self) -> client::ResumableHead<'_> {
        client::ResumableHead {
            cursor: self.cursor.as_deref(),
            prefix: self.prefix.as_deref(),
            heartbeat: self.heartbeat.as_deref(),
            location: self.location.as_deref(),
            content_type: &self.content_type,
            retry_after: self.retry_after.as_deref(),
        }
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // It saturates.
pub fn reconnect_options(given: &Members) -> ReconnectOptions {
    let default = ReconnectOptions::default();
    ReconnectOptions {
        attempts: given.number("attempts").map_or(default.attempts, |count| count as u32),
        first: given.time("first").unwrap_or(default.first),
        longest: given.time("longest").unwrap_or(default.longest),
        jitter: given.number("jitter").unwrap_or(default.jitter),
    }
}
