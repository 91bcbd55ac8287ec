//! The response of a transport: its head, and its body as a stream.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;

use super::encoding::ContentEncoding;
use super::gunzip::Gunzip;
use super::response_head::ResponseHead;
use crate::client::request::AnswerHead;
use crate::error::{Code, Error};

/// The body of an answer, in pieces.
///
/// ```
/// use ag_ui_native::client::{Body, Response};
///
/// let response = Response::new(futures_util::stream::iter([Ok::<_, std::io::Error>(": ping\n\n")]));
/// let body: Body = response.body;
/// ```
pub type Body = Pin<Box<dyn Stream<Item = Result<Bytes, Error>> + Send>>;

/// An answer whose body is not read yet.
///
/// ```
/// use ag_ui_native::client::Response;
///
/// let pieces = futures_util::stream::iter([Ok::<_, std::io::Error>(": ping\n\n")]);
/// let response = Response::new(pieces).with_content_type("text/event-stream").with_status(200);
/// assert_eq!(response.content_type.as_deref(), Some("text/event-stream"));
/// ```
#[non_exhaustive]
pub struct Response {
    /// Its status.
    pub status: u16,
    /// The header `Content-Type`. It decides the transport of the events.
    pub content_type: Option<String>,
    /// The header `Retry-After`.
    pub retry_after: Option<String>,
    /// The body.
    pub body: Body,
    /// The header `Content-Encoding`.
    pub(in crate::client) content_encoding: Option<String>,
    /// The header `Location` as an absolute URL; empty if it is none.
    pub(in crate::client) location: Option<String>,
    /// The header `AG-UI-Cursor`.
    pub(in crate::client) cursor: Option<String>,
    /// True if the answer has one run: reading stops at its end.
    pub(in crate::client) is_one_run: bool,
}

impl Response {
    /// An answer with events, as server-sent events unless another content type is set. Errors of the body that are not of this crate
    /// become `connection_lost`.
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
            cursor: None,
            is_one_run: false,
        }
    }

    /// Sets the content type.
    #[must_use]
    pub fn with_content_type(self, content_type: impl Into<String>) -> Self {
        Self { content_type: Some(content_type.into()), ..self }
    }

    /// Sets the status.
    #[must_use]
    pub fn with_status(self, status: u16) -> Self {
        Self { status, ..self }
    }

    /// The head.
    pub(in crate::client) fn head(&self) -> ResponseHead<'_> {
        ResponseHead { status: self.status, content_type: self.content_type.as_deref() }
    }

    /// The members of the head that an exchange reads.
    pub(in crate::client) fn answer_head(&self) -> AnswerHead<'_> {
        AnswerHead {
            status: self.status,
            content_type: self.content_type.as_deref(),
            content_encoding: self.content_encoding.as_deref(),
            location: self.location.as_deref(),
            retry_after: self.retry_after.as_deref(),
            cursor: self.cursor.as_deref(),
        }
    }

    /// Removes the body.
    pub(in crate::client) fn without_body(self) -> Self {
        Self { body: Box::pin(Nothing), ..self }
    }

    /// Decodes the body.
    pub(in crate::client) fn decoded(self, encoding: ContentEncoding) -> Self {
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

/// Converts the pieces and errors of a body.
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
                let lost = |_| Error::new(Code::ConnectionLost, "before the end of the body");
                error.into().downcast::<Error>().map_or_else(lost, |ours| *ours)
            });
            Some(piece)
        })
    }
}

/// A body that is not read.
pub(in crate::client) struct Nothing;

impl Stream for Nothing {
    type Item = Result<Bytes, Error>;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(None)
    }
}

/// A compressed body.
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
            match ready!(body.as_mut().poll_next(context)) {
                Some(Ok(piece)) => gunzip.feed(&piece),
                end => return Poll::Ready(end),
            }
        }
    }
}
