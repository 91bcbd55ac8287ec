//! Serves agents by axum: a function of a [`Run`] answers requests.

mod body;
mod clock;
mod interrupts;
#[cfg(feature = "durable")]
mod log;
mod options;
mod panics;
mod report;
mod shutdown;
#[cfg(feature = "websocket")]
mod websocket;
mod work;

use std::fmt::Display;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request as HttpRequest;
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, any};
use futures_core::Stream;
use tokio::time::{Instant, timeout};

use self::body::{HeartbeatTimer, RunBody};
use self::clock::Clock;
pub use self::interrupts::PendingInterrupts;
#[cfg(feature = "durable")]
pub use self::log::RunLog;
pub use self::options::RunOptions;
use self::report::{report, report_notes};
pub use self::shutdown::Shutdown;
use self::work::Work;
use super::heartbeat::Heartbeat;
use super::{Accepted, Cause, PlainResponse, Refusal, RequestBody, RequestHead, Run, WireFormat};
use crate::error::{Code, Error};
use crate::json::Value;
use crate::types::RunAgentInput;

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
pub async fn respond<A, F, E>(request: HttpRequest, agent: A, options: RunOptions) -> Response
where
    A: FnOnce(Run) -> F + Send + 'static,
    F: Future<Output = Result<Option<Value>, E>> + Send + 'static,
    E: Display + Send + 'static,
{
    #[cfg(feature = "durable")]
    if let Some(log) = options.log.clone() {
        return log::respond(request, agent, options, log).await;
    }
    #[cfg(feature = "websocket")]
    if websocket::is_asked_for(&request) {
        let served = options.clone();
        let begin = move |body, wire_format| async move {
            let run = start(body, wire_format, &served).await?;
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

fn with_headers(mut response: Response, headers: Vec<(&'static str, String)>) -> Response {
    for (name, value) in headers {
        // The value came from a header, so it is valid.
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(name, value);
        }
    }
    response
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

/// Checks the head of a request.
fn judged<R>(head: &Parts, judge: impl FnOnce(RequestHead<'_>) -> R) -> R {
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

/// Receives a body, and begins the run that it asks for.
async fn receive_run(body: Body, wire_format: WireFormat, options: &RunOptions) -> Result<Run, Refusal> {
    begin_run(receive_input(body, options).await?, wire_format, options)
}

/// Receives a body, and reads the input in it.
async fn receive_input(body: Body, options: &RunOptions) -> Result<RunAgentInput, Refusal> {
    let mut received = RequestBody::new(options.limits);
    timeout(options.body_timeout, receive(body, &mut received))
        .await
        .map_err(|_| RequestBody::timed_out())??;
    checked_input(received, options).await
}

/// Begins the run that a received body asks for.
#[cfg(feature = "websocket")]
async fn start(body: RequestBody, wire_format: WireFormat, options: &RunOptions) -> Result<Run, Refusal> {
    begin_run(checked_input(body, options).await?, wire_format, options)
}

/// Reads the input of a body. It answers the pending interrupts.
async fn checked_input(body: RequestBody, options: &RunOptions) -> Result<RunAgentInput, Refusal> {
    let input = read_input(body).await?;
    if let Some(pending) = &options.pending_interrupts {
        pending.check(&input).await?;
    }
    Ok(input)
}

fn begin_run(input: RunAgentInput, wire_format: WireFormat, options: &RunOptions) -> Result<Run, Refusal> {
    let run = Run::begin(input, wire_format, options.echo_input, options.limits)?;
    Ok(run.with_max_waiting(options.max_waiting).with_state_flush(options.state_flush))
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

/// Responds with a run that has been begun.
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

/// The frames of a run; polling them runs the agent.
fn body_of<A, F, E>(run: Run, agent: A, options: &RunOptions, heartbeat: Option<Heartbeat>) -> RunBody
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

/// Lets the written frames be sent. They are also sent whenever the agent waits for something else.
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
