//! What is asked of a server with a log besides events: to cancel a run, and the data of a thread.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;

use super::opening::Open;
use super::request::RunRequest;
use super::response::Body;
use crate::client::opened_thread::OpenedThread;
use crate::client::options::AgentSettings;
use crate::client::result::ClientError;
use crate::client::timeout::Timeout;
use crate::error::{Code, Error};
use crate::types::RunAgentInput;

/// A thread that is being read.
pub(in crate::client) type Connecting =
    Pin<Box<dyn Future<Output = Result<OpenedThread, ClientError>> + Send>>;

/// Cancels a run.
pub(in crate::client) async fn cancel_run(
    open: Open,
    thread_id: &str,
    run_id: &str,
    settings: AgentSettings,
) -> Result<(), ClientError> {
    let input = RunAgentInput::new(thread_id, run_id, Vec::new());
    open(RunRequest::by(input, settings)).await.map(drop)
}

/// Reads the data of a thread.
pub(in crate::client) async fn read_thread(
    open: Open,
    thread_id: String,
    settings: AgentSettings,
) -> Result<OpenedThread, ClientError> {
    let AgentSettings { limits, profile, timeouts, .. } = settings;
    let input = RunAgentInput::new(thread_id.as_str(), "", Vec::new());
    let mut response = open(RunRequest::by(input, settings)).await?;
    let mut body = Vec::new();
    while let Some(piece) = next(&mut response.body, timeouts.idle).await? {
        body.extend_from_slice(&piece);
        if body.len() > limits.event_bytes {
            let detail = format!("event_bytes is {}", limits.event_bytes);
            let error = Error { limit: Some("event_bytes"), ..Error::new(Code::LimitExceeded, detail) };
            return Err(error.into());
        }
    }
    let text = String::from_utf8_lossy(&body);
    Ok(OpenedThread::read(&text, &thread_id, profile, limits)?)
}

/// Returns the next piece of a body.
async fn next(body: &mut Body, idle: Option<Duration>) -> Result<Option<Bytes>, Error> {
    let piece = poll_fn(|context| body.as_mut().poll_next(context));
    let piece = match idle {
        Some(idle) => tokio::time::timeout(idle, piece).await.map_err(|_| Timeout::Idle.error_after(idle))?,
        None => piece.await,
    };
    piece.transpose()
}
