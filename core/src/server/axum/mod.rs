//! Serves agents by axum: a function of a [`Run`] answers requests.

mod body;
mod clock;
mod interrupts;
#[cfg(feature = "durable")]
mod log;
mod options;
mod panics;
mod report;
mod request;
mod response;
mod shutdown;
#[cfg(feature = "websocket")]
mod websocket;
mod work;

use std::fmt::Display;
use std::future::{Future, poll_fn};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request as HttpRequest;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, any};

pub use self::interrupts::PendingInterrupts;
#[cfg(feature = "durable")]
pub use self::log::RunLog;
pub use self::options::RunOptions;
#[cfg(feature = "websocket")]
use self::request::checked_input;
use self::request::{begin_run, judged, receive_input};
use self::response::{body_of, with_headers};
pub use self::shutdown::Shutdown;
#[cfg(feature = "websocket")]
use super::RequestBody;
#[cfg(feature = "websocket")]
use super::bindings::Close;
use super::heartbeat::Heartbeat;
use super::{Accepted, Refusal, RequestHead, Run, WireFormat};
use crate::json::Value;

/// Makes a route that runs `agent` for each request, with the default options. With the feature `websocket`, it accepts
/// WebSockets too.
///
/// The agent is polled while the client reads. It is dropped when the client disconnects, at its time limit, or when
/// the server shuts down. Its return value is the run's result. Its error ends the run with RUN_ERROR, and is logged by
/// `tracing` as an error of the target `ag_ui_native::server`, with the ids of thread and run. A panic is logged in the
/// same way, with its place; the panic hook is wrapped for that.
///
/// ```
/// use ag_ui_native::server::{Run, axum::agent};
/// use ag_ui_native::{Error, Value};
///
/// async fn greet(run: Run) -> Result<Option<Value>, Error> {
///     let message = run.text_message()?;
///     message.write("Hello")?;
///     Ok(None)
/// }
///
/// let app: axum::Router = axum::Router::new().route("/", agent(greet));
/// ```
pub fn agent<A, F, E, S>(agent: A) -> MethodRouter<S>
where
    A: Fn(Run) -> F + Send + Sync + 'static,
    F: Future<Output = Result<Option<Value>, E>> + Send + 'static,
    E: Display + Send + 'static,
    S: Clone + Send + Sync + 'static,
{
    agent_with(agent, RunOptions::default())
}

/// Makes the route of [`agent`], with options.
///
/// ```
/// use ag_ui_native::server::axum::{RunOptions, agent_with};
/// use std::time::Duration;
///
/// # use ag_ui_native::server::Run;
/// # use ag_ui_native::{Error, Value};
/// # async fn greet(run: Run) -> Result<Option<Value>, Error> {
/// #     run.text_message()?.write("Hello!")?;
/// #     Ok(None)
/// # }
/// let options = RunOptions::default()
///     .with_time_limit(Some(Duration::from_secs(60)))
///     .with_heartbeat(Duration::from_secs(15))
///     .with_body_timeout(Duration::from_secs(30))
///     .with_max_waiting(16 * 1024 * 1024)
///     .with_show_errors(false)
///     .with_echo_input(false);
/// let app: axum::Router = axum::Router::new().route("/", agent_with(greet, options));
/// ```
pub fn agent_with<A, F, E, S>(agent: A, options: RunOptions) -> MethodRouter<S>
where
    A: Fn(Run) -> F + Send + Sync + 'static,
    F: Future<Output = Result<Option<Value>, E>> + Send + 'static,
    E: Display + Send + 'static,
    S: Clone + Send + Sync + 'static,
{
    let agent = Arc::new(agent);
    any(move |request: HttpRequest| {
        let agent = Arc::clone(&agent);
        let options = options.clone();
        async move { respond(request, move |run| agent(run), options).await }
    })
}

/// Answers one request, for use in a handler of your own.
///
/// ```
/// use ag_ui_native::server::axum::{RunOptions, respond};
/// use axum::{extract::Request, response::Response};
///
/// # use ag_ui_native::server::Run;
/// # use ag_ui_native::{Error, Value};
/// # async fn greet(run: Run) -> Result<Option<Value>, Error> {
/// #     run.text_message()?.write("Hello!")?;
/// #     Ok(None)
/// # }
/// async fn handler(request: Request) -> Response {
///     respond(request, greet, RunOptions::default()).await
/// }
/// ```
pub async fn respond<A, F, E>(request: HttpRequest, agent: A, options: RunOptions) -> Response
where
    A: FnOnce(Run) -> F + Send + 'static,
    F: Future<Output = Result<Option<Value>, E>> + Send + 'static,
    E: Display + Send + 'static,
{
    #[cfg(feature = "durable")]
    if let Some(log) = options.log.clone() {
        // In a box: the future of a route without a log stays small.
        return Box::pin(log::respond(request, agent, options, log)).await;
    }
    #[cfg(feature = "websocket")]
    if websocket::is_asked_for(&request) {
        let served = options.clone();
        let begin = move |body, wire_format| async move {
            let run = start(body, wire_format, &served).await.map_err(|refusal| Close::from(&refusal))?;
            let heartbeat = Heartbeat::of_pings(served.heartbeat, Duration::ZERO);
            Ok(body_of(run, agent, &served, heartbeat))
        };
        return websocket::respond(request, begin, options).await;
    }
    let (head, body) = request.into_parts();
    let judge = |asked: RequestHead<'_>| {
        asked.accept(options.cors.as_ref(), options.accept_wildcards, &options.limits)
    };
    let Accepted { wire_format, cors } = match judged(&head, judge) {
        Ok(accepted) => accepted,
        Err(answer) => return answer.into_response(),
    };
    match receive_run(body, wire_format, &options).await {
        Ok(run) => with_headers(stream(run, agent, &options), cors),
        Err(refusal) => refusal.response(cors).into_response(),
    }
}

/// Reads a request and begins its run. Nothing is sent before [`stream`], so a handler may still refuse the request.
///
/// ```
/// use ag_ui_native::server::axum::{RunOptions, begin, stream};
/// use ag_ui_native::server::{Refusal, Run};
/// use ag_ui_native::types::Interrupt;
/// use ag_ui_native::{Error, Value};
/// use axum::response::Response;
///
/// async fn handler(request: axum::extract::Request) -> Result<Response, Refusal> {
///     let run = begin(request, &RunOptions::default()).await?;
///     let pending: Vec<Interrupt> = vec![]; // what this conversation waits for
///     run.input().check_resume(&pending, 1_800_000_000_000)?;
///     Ok(stream(run, |_: Run| async { Ok::<Option<Value>, Error>(None) }, &RunOptions::default()))
/// }
/// ```
///
/// # Errors
/// The refusal, which the handler returns as its response.
pub async fn begin(request: HttpRequest, options: &RunOptions) -> Result<Run, Refusal> {
    let (head, body) = request.into_parts();
    let wire_format = judged(&head, |asked| asked.wire_format(options.accept_wildcards, &options.limits))?;
    receive_run(body, wire_format, options).await
}

/// Receives a body, and begins the run that it asks for.
async fn receive_run(body: Body, wire_format: WireFormat, options: &RunOptions) -> Result<Run, Refusal> {
    begin_run(receive_input(body, options).await?, wire_format, options)
}

/// Begins the run that a received body asks for.
#[cfg(feature = "websocket")]
async fn start(body: RequestBody, wire_format: WireFormat, options: &RunOptions) -> Result<Run, Refusal> {
    begin_run(checked_input(body, options).await?, wire_format, options)
}

/// Responds with a run that has been begun.
///
/// ```
/// use ag_ui_native::server::Refusal;
/// use ag_ui_native::server::axum::{RunOptions, begin, stream};
/// use axum::{extract::Request, response::Response};
///
/// # use ag_ui_native::server::Run;
/// # use ag_ui_native::{Error, Value};
/// # async fn greet(run: Run) -> Result<Option<Value>, Error> {
/// #     run.text_message()?.write("Hello!")?;
/// #     Ok(None)
/// # }
/// async fn handler(request: Request) -> Result<Response, Refusal> {
///     let options = RunOptions::default();
///     let run = begin(request, &options).await?;
///     Ok(stream(run, greet, &options))
/// }
/// ```
pub fn stream<A, F, E>(run: Run, agent: A, options: &RunOptions) -> Response
where
    A: FnOnce(Run) -> F + Send + 'static,
    F: Future<Output = Result<Option<Value>, E>> + Send + 'static,
    E: Display + Send + 'static,
{
    let wire_format = run.wire_format();
    let heartbeat = Heartbeat::of_comments(wire_format, options.heartbeat, Duration::ZERO);
    (wire_format.headers(), Body::from_stream(body_of(run, agent, options, heartbeat))).into_response()
}

/// Lets the written frames be sent. They are also sent whenever the agent waits for something else.
///
/// ```
/// use ag_ui_native::server::{Run, axum::flush};
/// use ag_ui_native::{Error, Value};
///
/// async fn greet(run: Run) -> Result<Option<Value>, Error> {
///     let message = run.text_message()?;
///     message.write("Hel")?;
///     flush().await;
///     message.write("lo!")?;
///     Ok(None)
/// }
/// ```
pub async fn flush() {
    let mut waited = false;
    poll_fn(|context| {
        if std::mem::replace(&mut waited, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
