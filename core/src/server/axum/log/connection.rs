//! A response whose events come from a log.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use futures_core::Stream;

use super::driver::Driver;
use super::settings::Draining;
use crate::bindings::durable::{LogRefusal, LogStream, LogStreamCommand};
use crate::server::axum::body::{Cut, Piece};
use crate::server::axum::response::with_headers;
use crate::server::bindings::Close;

/// Waits until the log can be read, or is refused.
pub async fn respond(
    mut driver: Driver<LogStream>,
    draining: &Draining,
    cors: Vec<(&'static str, String)>,
) -> Result<Response, LogRefusal> {
    Ok(match driver.next().await {
        Some(LogStreamCommand::Opened(headers)) => {
            let body = Body::from_stream(LogBody::new(driver, draining));
            with_headers(with_headers(body.into_response(), headers), cors)
        }
        Some(LogStreamCommand::Refused(Some(refusal))) => return Err(refusal),
        Some(LogStreamCommand::Refused(None)) => with_headers(StatusCode::NO_CONTENT.into_response(), cors),
        _ => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    })
}

/// The frames of a log for a client. Dropping it ends reading, and nothing else.
pub struct LogBody {
    driver: Driver<LogStream>,
    /// Completes when the process shuts down; `None` behind that.
    begun: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    /// The end of a WebSocket behind the last frame.
    close: Close,
    is_over: bool,
}

impl LogBody {
    pub fn new(driver: Driver<LogStream>, draining: &Draining) -> Self {
        let begun: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(draining.begun());
        Self { driver, begun: Some(begun), close: Close::with_code(Close::GOING_AWAY), is_over: false }
    }

    pub fn poll_piece(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Piece, Cut>>> {
        if self.begun.as_mut().is_some_and(|begun| begun.as_mut().poll(context).is_ready()) {
            self.begun = None;
            let now = self.driver.now();
            self.driver.machine.drain(now);
        }
        while !self.is_over {
            match ready!(self.driver.poll_next(context)) {
                Some(LogStreamCommand::Bytes(bytes)) => {
                    return Poll::Ready(Some(Ok(Piece::Frames(bytes.into()))));
                }
                Some(LogStreamCommand::Ping) => return Poll::Ready(Some(Ok(Piece::Ping))),
                Some(LogStreamCommand::GiveUp) => {
                    self.is_over = true;
                    return Poll::Ready(Some(Err(Cut)));
                }
                Some(LogStreamCommand::End(code)) => self.end(Close::with_code(code)),
                Some(LogStreamCommand::Refused(Some(refusal))) => self.end(refusal.close()),
                // A WebSocket has neither head nor status; the driver sends the operations.
                Some(
                    LogStreamCommand::Opened(_)
                    | LogStreamCommand::Refused(None)
                    | LogStreamCommand::Send { .. },
                ) => {}
                None => self.is_over = true,
            }
        }
        Poll::Ready(None)
    }

    fn end(&mut self, close: Close) {
        self.close = close;
        self.is_over = true;
    }
}

impl Stream for LogBody {
    type Item = Result<Bytes, Cut>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_piece(context).map(|piece| piece.map(|piece| piece.map(Piece::into_bytes)))
    }
}

#[cfg(feature = "websocket")]
impl crate::server::axum::websocket::Source for LogBody {
    fn poll_piece(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Piece, Cut>>> {
        self.poll_piece(context)
    }

    fn heard(&mut self) {
        self.driver.machine.heard();
    }

    fn close(&self) -> Close {
        self.close.clone()
    }
}
