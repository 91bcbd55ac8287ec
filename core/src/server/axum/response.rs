//! Responses of axum: plain ones, and the body that runs an agent.

use std::fmt::Display;
use std::future::Future;
use std::sync::Arc;

use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use tokio::time::Instant;

use super::body::{HeartbeatTimer, RunBody};
use super::clock::Clock;
use super::options::RunOptions;
use super::report::{report, report_notes};
use super::shutdown::Shutdown;
use super::work::Work;
use crate::json::Value;
use crate::server::heartbeat::Heartbeat;
use crate::server::{Cause, PlainResponse, Refusal, Run};

pub(super) fn with_headers(mut response: Response, headers: Vec<(&'static str, String)>) -> Response {
    for (name, value) in headers {
        // The value came from a header, so it is valid.
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        self.response(Vec::new()).into_response()
    }
}

impl IntoResponse for PlainResponse {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_REQUEST);
        with_headers((status, self.body).into_response(), self.headers)
    }
}

/// The frames of a run; polling them runs the agent.
pub(super) fn body_of<A, F, E>(
    run: Run,
    agent: A,
    options: &RunOptions,
    heartbeat: Option<Heartbeat>,
) -> RunBody
where
    A: FnOnce(Run) -> F + Send + 'static,
    F: Future<Output = Result<Option<Value>, E>> + Send + 'static,
    E: Display + Send + 'static,
{
    let run = run.with_shown_errors(options.show_errors).with_grace(options.grace);
    let deadline = options.time_limit.and_then(|limit| Instant::now().checked_add(limit));
    let work = Arc::new(Work::new(run.clone(), act(run.clone(), agent), deadline));
    work.release_at_end();
    if options.shutdown.as_ref().is_some_and(Shutdown::has_begun) {
        // The agent does not begin at all.
        run.conclude(Cause::Stopped);
    }
    let heartbeat = HeartbeatTimer::new(&run, heartbeat);
    RunBody { clock: Clock::start(&run, &work, deadline, options), run, work, heartbeat, is_over: false }
}

/// Runs the agent, and ends the run by its outcome.
async fn act<A, F, E>(run: Run, agent: A)
where
    A: FnOnce(Run) -> F,
    F: Future<Output = Result<Option<Value>, E>>,
    E: Display,
{
    let cause = match agent(run.clone()).await {
        Ok(result) => Cause::Returned(result),
        Err(error) => {
            report(&run, &error);
            Cause::Raised(Some(error.to_string()))
        }
    };
    run.conclude(cause);
    report_notes(&run);
}
