//! The transports that carry a run.

use std::fmt;
use std::future::{Future, ready};
use std::pin::Pin;
use std::task::{Context, Poll, ready as ready_or_return};

use bytes::Bytes;
use futures_core::Stream;
use reqwest::header::{HeaderName, HeaderValue};

use super::encoding::ContentEncoding;
use super::gunzip::Gunzip;
use super::headers::accept;
use super::redirect::Redirects;
use super::request::{AnswerHead, Sending};
use super::response::ResponseHead;
use crate::encode::try_to_json;
use crate::error::{Code, Error};
use crate::limits::Limits;
use crate::types::RunAgentInput;

/// Takes requests for runs to an agent. A function of a [`Request`] is one, too.
///
/// ```
/// use ag_ui_native::Error;
/// use ag_ui_native::client::{Agent, Request, Response, RunOptions};
/// use futures_util::stream;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), ag_ui_native::client::ClientError> {
/// let recorded = |_: Request| async {
///     let pieces = ["data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n",
///         "data: {\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n"];
///     Ok(Response::new(stream::iter(pieces.map(Ok::<_, std::io::Error>))))
/// };
/// let run = Agent::over(recorded).run_to_end(RunOptions::default()).await?;
/// assert!(run.is_success());
/// # Ok(())
/// # }
/// ```
pub trait Transport: Send + Sync + 'static {
    /// Asks for a run: the answer's head is there when this is.
    fn open(&self, request: &Request) -> impl Future<Output = Result<Response, Error>> + Send;

    /// Has ready what an attempt is made with.
    #[doc(hidden)]
    fn prepare_attempt(&self, _: &Request) -> impl Future<Output = Result<Prepared, Error>> + Send {
        ready(Ok(Prepared::default()))
    }

    /// Asks once, as it is said. Transports without addresses and headers just ask.
    #[doc(hidden)]
    fn send_attempt(
        &self,
        request: &Request,
        _: &Prepared,
        _: &Sending,
    ) -> impl Future<Output = Result<Response, Error>> + Send {
        self.open(request)
    }

    /// Which redirects are followed.
    #[doc(hidden)]
    fn followed_redirects(&self) -> Redirects {
        Redirects::None
    }
}

/// The data of an attempt.
#[doc(hidden)]
#[derive(Default)]
pub struct Prepared {
    pub(super) url: String,
    /// Those of the application.
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
    pub(super) body: Bytes,
}

impl<F, Answer> Transport for F
where
    F: Fn(Request) -> Answer + Send + Sync + 'static,
    Answer: Future<Output = Result<Response, Error>> + Send,
{
    fn open(&self, request: &Request) -> impl Future<Output = Result<Response, Error>> + Send {
        self(request.clone())
    }
}

/// The request of a run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Request {
    /// The input.
    pub input: RunAgentInput,
    /// Protobuf is understood and preferred.
    pub protobuf: bool,
    /// The limits of events.
    pub(super) limits: Limits,
}

impl Request {
    /// A request for a run.
    pub fn new(input: RunAgentInput) -> Self {
        Self { input, protobuf: false, limits: Limits::default() }
    }

    /// Its body: JSON text.
    ///
    /// # Errors
    /// `wrong_type` with the path for a number that JSON does not have, in the state say.
    pub fn body(&self) -> Result<String, Error> {
        try_to_json(&self.input)
    }

    /// The content types that are understood, as the header `Accept` has them.
    pub fn accept(&self) -> String {
        accept(self.protobuf)
    }
}

/// Pieces of an answer's body.
pub type Body = Pin<Box<dyn Stream<Item = Result<Bytes, Error>> + Send>>;

/// An answer of which the body is still to come.
#[non_exhaustive]
pub struct Response {
    /// Its status.
    pub status: u16,
    /// The header `Content-Type`: which transport its events come by.
    pub content_type: Option<String>,
    /// The header `Retry-After`.
    pub retry_after: Option<String>,
    /// The body.
    pub body: Body,
    /// The header `Content-Encoding`.
    pub(super) content_encoding: Option<String>,
    /// The header `Location` as an absolute URL; empty for what is none.
    pub(super) location: Option<String>,
    /// It is for one run: what follows its end is not waited for.
    pub(super) is_one_run: bool,
}

impl Response {
    /// An answer with events, by server-sent events unless the content type says otherwise. Errors of the body that are none of this
    /// crate's are `connection_lost`.
    pub fn new<S, B, E>(body: S) -> Self
    where
        S: Stream<Item = Result<B, E>> + Send + 'static,
        B: Into<Bytes>,
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let body = Box::pin(Pieces(Box::pin(body)));
        Self {
            status: 200,
            content_type: None,
            retry_after: None,
            body,
            content_encoding: None,
            location: None,
            is_one_run: false,
        }
    }

    /// The same of another content type.
    #[must_use]
    pub fn with_content_type(self, content_type: impl Into<String>) -> Self {
        Self { content_type: Some(content_type.into()), ..self }
    }

    /// The same of another status.
    #[must_use]
    pub fn with_status(self, status: u16) -> Self {
        Self { status, ..self }
    }

    /// The head.
    pub fn head(&self) -> ResponseHead<'_> {
        ResponseHead { status: self.status, content_type: self.content_type.as_deref() }
    }

    /// All that is looked at of the head.
    pub(super) fn answer_head(&self) -> AnswerHead<'_> {
        AnswerHead {
            status: self.status,
            content_type: self.content_type.as_deref(),
            content_encoding: self.content_encoding.as_deref(),
            location: self.location.as_deref(),
            retry_after: self.retry_after.as_deref(),
        }
    }

    /// The same when the reader has gone.
    pub(super) fn without_body(self) -> Self {
        Self { body: Box::pin(Nothing), ..self }
    }

    /// The same with its body as it was before it was encoded.
    pub(super) fn decoded(self, encoding: ContentEncoding) -> Self {
        match encoding {
            ContentEncoding::Identity => self,
            ContentEncoding::Gzip => {
                Self { body: Box::pin(Decoded { body: self.body, gunzip: Gunzip::default() }), ..self }
            }
        }
    }
}

impl fmt::Debug for Response {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Response").field("head", &self.head()).finish_non_exhaustive()
    }
}

/// A body of any kind as pieces, and its errors as ours.
struct Pieces<S>(Pin<Box<S>>);

impl<S, B, E> Stream for Pieces<S>
where
    S: Stream<Item = Result<B, E>>,
    B: Into<Bytes>,
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Item = Result<Bytes, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(context).map(|piece| {
            let piece = piece?.map(Into::into).map_err(|error| {
                let lost = |_| Error::new(Code::ConnectionLost, "within the body");
                error.into().downcast::<Error>().map_or_else(lost, |ours| *ours)
            });
            Some(piece)
        })
    }
}

/// A body that is not read.
pub(super) struct Nothing;

impl Stream for Nothing {
    type Item = Result<Bytes, Error>;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(None)
    }
}

/// A body that comes compressed.
struct Decoded {
    body: Body,
    gunzip: Gunzip,
}

impl Stream for Decoded {
    type Item = Result<Bytes, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Self { body, gunzip } = &mut *self;
        loop {
            if let Some(made) = gunzip.step()? {
                return Poll::Ready(Some(Ok(Bytes::copy_from_slice(made))));
            }
            match ready_or_return!(body.as_mut().poll_next(context)) {
                Some(Ok(piece)) => gunzip.feed(&piece),
                end => return Poll::Ready(end),
            }
        }
    }
}
