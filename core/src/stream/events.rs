//! Events as a `futures` stream.

use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::vec::IntoIter;

use futures_core::Stream;

use super::EventDecoder;
use crate::types::Event;

/// The events of a response's body. A failure is the last item: a [`crate::Error`], or the error of the body.
///
/// ```
/// use ag_ui_native::stream::EventDecoder;
/// use futures_util::{StreamExt, stream};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
/// let body = stream::iter([Ok::<_, std::io::Error>("data: {\"type\":\"RUN_ERROR\","), Ok("\"message\":\"no\"}\n\n")]);
/// let mut events = EventDecoder::new().decode(body);
/// while let Some(event) = events.next().await {
///     assert_eq!(event?.tag(), "RUN_ERROR");
/// }
/// # Ok(())
/// # }
/// ```
pub struct EventStream<B> {
    body: Pin<Box<B>>,
    /// `None` once the stream has ended.
    decoder: Option<EventDecoder>,
    waiting: IntoIter<Result<Event, crate::Error>>,
}

impl EventDecoder {
    /// Decodes a whole body while it arrives.
    pub fn decode<B>(self, body: B) -> EventStream<B> {
        EventStream { body: Box::pin(body), decoder: Some(self), waiting: Vec::new().into_iter() }
    }
}

impl<B, C, E> Stream for EventStream<B>
where
    B: Stream<Item = Result<C, E>>,
    C: AsRef<[u8]>,
    E: Into<Box<dyn Error + Send + Sync>>,
{
    type Item = Result<Event, Box<dyn Error + Send + Sync>>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            match self.waiting.next() {
                Some(Ok(event)) => return Poll::Ready(Some(Ok(event))),
                Some(Err(error)) => {
                    self.decoder = None;
                    return Poll::Ready(Some(Err(error.into())));
                }
                None => {}
            }
            if self.decoder.is_none() {
                return Poll::Ready(None);
            }
            let piece = match self.body.as_mut().poll_next(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(piece) => piece,
            };
            let Some(mut decoder) = self.decoder.take() else { return Poll::Ready(None) };
            match piece {
                Some(Ok(bytes)) => {
                    self.waiting = decoder.feed(bytes.as_ref()).collect::<Vec<_>>().into_iter();
                    self.decoder = Some(decoder);
                }
                Some(Err(error)) => return Poll::Ready(Some(Err(error.into()))),
                None => self.waiting = decoder.close().collect::<Vec<_>>().into_iter(),
            }
        }
    }
}

impl<B> fmt::Debug for EventStream<B> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("EventStream").field("decoder", &self.decoder).finish_non_exhaustive()
    }
}
