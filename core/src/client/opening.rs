//! From a request to an answer with events: timeouts, refusals, further attempts.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::response::ResponseHead;
use super::result::{ClientError, Failure};
use super::retry::Attempt;
use super::settings::Settings;
use super::timeout::Timeout;
use super::transport::{Request, Response, Transport};
use crate::error::Error;

/// An answer that has been asked for.
pub(super) type Opening = Pin<Box<dyn Future<Output = Result<Response, ClientError>> + Send>>;

/// Asks for runs.
pub(super) type Open = Arc<dyn Fn(Request) -> Opening + Send + Sync>;

/// What asks for the runs of an agent.
pub(super) fn opener<T: Transport>(transport: &Arc<T>, settings: Settings) -> Open {
    let transport = Arc::clone(transport);
    Arc::new(move |request| {
        let transport = Arc::clone(&transport);
        Box::pin(async move { open(&*transport, request, settings).await.map_err(ClientError::from) })
    })
}

/// Asks for a run, and again while that makes sense.
async fn open<T: Transport>(
    transport: &T,
    request: Request,
    settings: Settings,
) -> Result<Response, Failure> {
    let mut number = 1;
    loop {
        let failure = match attempt(transport, &request, settings).await {
            Ok(response) => return Ok(response),
            Err(failure) => failure,
        };
        let attempt = Attempt {
            number,
            code: failure.error.code(),
            status: failure.status,
            timeout: Timeout::ALL
                .iter()
                .copied()
                .find(|timeout| failure.error.limit == Some(timeout.as_str())),
            retry_after: failure.retry_after.as_deref(),
            now: now(),
            chance: chance(),
        };
        match settings.retry.pause(&attempt) {
            Some(pause) => tokio::time::sleep(pause).await,
            None => return Err(failure),
        }
        number += 1;
    }
}

/// Asks once.
async fn attempt<T: Transport>(
    transport: &T,
    request: &Request,
    settings: Settings,
) -> Result<Response, Failure> {
    let timeouts = settings.timeouts;
    let idle = timeouts.idle.map(|limit| (Timeout::Idle, limit));
    let limit = timeouts.first_byte.map(|limit| (Timeout::FirstByte, limit)).or(idle);
    let mut response = within(limit, transport.open(request)).await??;
    if response.head().is_success() {
        return Ok(response);
    }
    let mut body = Vec::new();
    let reading = async {
        while body.len() < ResponseHead::MOST_PAYLOAD {
            let piece = poll_fn(|context| response.body.as_mut().poll_next(context)).await;
            let Some(Ok(piece)) = piece else { break };
            body.extend_from_slice(&piece);
        }
    };
    // What is missing of it matters less than the status.
    let longest = ResponseHead::LONGEST_PAYLOAD;
    let limit = timeouts.idle.map_or(longest, |limit| limit.min(longest));
    let _ = tokio::time::timeout(limit, reading).await;
    let (error, payload) = response.head().failure(&body);
    let (status, payload) = (Some(response.status), Some(payload));
    Err(Failure { status, payload, retry_after: response.retry_after, ..error.into() })
}

/// Waits no longer than the limit.
async fn within<F: Future>(limit: Option<(Timeout, Duration)>, future: F) -> Result<F::Output, Error> {
    match limit {
        Some((timeout, limit)) => {
            tokio::time::timeout(limit, future).await.map_err(|_| timeout.error_after(limit))
        }
        None => Ok(future.await),
    }
}

/// The time, in milliseconds since the Unix epoch.
pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// A number from 0 to 1 that nobody can foretell.
fn chance() -> f64 {
    let [.., first, second] = uuid::Uuid::new_v4().into_bytes();
    f64::from(u16::from_be_bytes([first, second])) / f64::from(u16::MAX)
}
