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
    pub(in crate::client) content_encoding: Option<String>,
    /// The header `Location` as an absolute URL; empty if it is none.
    pub(in crate::client) location: Option<String>,
    /// It is for one run: what follows its end is not waited for.
    pub(in crate::client) is_one_run: bool,
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
    pub(in crate::client) fn answer_head(&self) -> AnswerHead<'_> {
        AnswerHead {
            status: self.status,
            content_type: self.content_type.as_deref(),
            content_encoding: self.content_encoding.as_deref(),
            location: self.location.as_deref(),
            retry_after: self.retry_after.as_deref(),
        }
    }

    /// The same when the reader has gone.
    pub(in crate::client) fn without_body(self) -> Self {
        Self { body: Box::pin(Nothing), ..self }
    }

    /// The same with its body as it was before it was encoded.
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
pub(in crate::client) struct Nothing;

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
            match ready!(body.as_mut().poll_next(context)) {
                Some(Ok(piece)) => gunzip.feed(&piece),
                end => return Poll::Ready(end),
            }
        }
    }
}
