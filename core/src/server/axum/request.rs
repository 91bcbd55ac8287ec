//! Requests of axum: their heads, and the inputs in their bodies.

use std::future::poll_fn;
use std::pin::Pin;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use futures_core::Stream;
use tokio::time::timeout;

use super::options::RunOptions;
use crate::error::{Code, Error};
use crate::server::{Refusal, RequestBody, RequestHead, Run, WireFormat};
use crate::types::RunAgentInput;

/// Checks the head of a request.
pub(super) fn judged<R>(head: &Parts, judge: impl FnOnce(RequestHead<'_>) -> R) -> R {
    let text = |name| head.headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let accepted: Vec<_> =
        head.headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok()).collect();
    judge(RequestHead {
        method: head.method.as_str(),
        content_type: text(header::CONTENT_TYPE),
        accept: Some(&accepted.join(", ")),
        content_length: text(header::CONTENT_LENGTH),
        origin: text(header::ORIGIN),
        requested_method: text(header::ACCESS_CONTROL_REQUEST_METHOD),
        requested_headers: text(header::ACCESS_CONTROL_REQUEST_HEADERS),
    })
}

/// Receives a body, and reads the input in it.
pub(super) async fn receive_input(body: Body, options: &RunOptions) -> Result<RunAgentInput, Refusal> {
    let mut received = RequestBody::new(options.limits);
    timeout(options.body_timeout, receive(body, &mut received))
        .await
        .map_err(|_| RequestBody::timed_out())??;
    checked_input(received, options).await
}

/// Reads the input of a body. It answers the pending interrupts.
pub(super) async fn checked_input(body: RequestBody, options: &RunOptions) -> Result<RunAgentInput, Refusal> {
    let input = read_input(body).await?;
    if let Some(pending) = &options.pending_interrupts {
        pending.check(&input).await?;
    }
    Ok(input)
}

/// Receives a body, up to its maximum length.
async fn receive(body: Body, received: &mut RequestBody) -> Result<(), Refusal> {
    let mut pieces = body.into_data_stream();
    while let Some(piece) = poll_fn(|context| Pin::new(&mut pieces).poll_next(context)).await {
        received.receive(&piece.map_err(|_| Error::new(Code::StreamTruncated, "the body"))?)?;
    }
    Ok(())
}

/// The longest body in bytes that is read in the async task: a longer one takes milliseconds.
const LONG_BODY: usize = 64 * 1024;

/// Reads the input; a long one on a thread of its own, so that other requests do not wait.
async fn read_input(body: RequestBody) -> Result<RunAgentInput, Refusal> {
    let is_short = body.length() <= LONG_BODY;
    let read = move || body.read().map(|(input, _)| input);
    if is_short {
        return read();
    }
    let reading = tokio::task::spawn_blocking(read).await;
    reading.unwrap_or_else(|_| {
        Err(Error::new(Code::Internal, "the library panicked while it read the input").into())
    })
}

/// Begins a run with the options of its server.
pub(super) fn begin_run(
    input: RunAgentInput,
    wire_format: WireFormat,
    options: &RunOptions,
) -> Result<Run, Refusal> {
    let run = Run::begin(input, wire_format, options.echo_input, options.limits)?;
    Ok(run.with_max_waiting(options.max_waiting).with_state_flush(options.state_flush))
}
