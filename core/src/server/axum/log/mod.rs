//! Runs with a log: they go on without their clients, which resume, join and cancel them.

mod connection;
mod driver;
mod run;
mod settings;

use std::fmt::Display;
use std::future::Future;
use std::sync::OnceLock;

use axum::body::Body;
use axum::extract::Request as HttpRequest;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};

#[cfg(feature = "websocket")]
use self::connection::LogBody;
use self::driver::{Clock, Driver, notify};
use self::settings::Draining;
pub use self::settings::RunLog;
use super::body::RunBody;
use super::interrupts::unix_millis;
use super::options::RunOptions;
#[cfg(feature = "websocket")]
use super::request::checked_input;
use super::request::{begin_run, judged, receive_input};
use super::response::{body_of, with_headers};
use super::shutdown::Shutdown;
#[cfg(feature = "websocket")]
use super::websocket;
use crate::bindings::durable::{
    Begun, Channel, Cursor, LogAccepted, LogAction, LogHead, LogKey, LogNotice, LogRefusal, LogRequest,
    LogStart, LogStartHead, LogStream, LogStreamHead, LogSubject, Place, SingleOperation, ThreadKey,
};
use crate::error::{Code, Error};
use crate::json::Value;
#[cfg(feature = "websocket")]
use crate::server::bindings::Close;
use crate::server::{RequestHead, Run, WireFormat};
use crate::types::RunAgentInput;

type Headers = Vec<(&'static str, String)>;

/// Answers one request about runs with a log.
pub async fn respond<A, F, E>(request: HttpRequest, agent: A, options: RunOptions, log: RunLog) -> Response
where
    A: FnOnce(Run) -> F + Send + 'static,
    F: Future<Output = Result<Option<Value>, E>> + Send + 'static,
    E: Display + Send + 'static,
{
    #[cfg(feature = "websocket")]
    if websocket::is_asked_for(&request) {
        return respond_to_websocket(request, agent, options, log).await;
    }
    let (parts, body) = request.into_parts();
    let accept = |request: RequestHead<'_>| {
        let last_event_id = text(&parts, "last-event-id");
        let (path, query) = (parts.uri.path(), parts.uri.query().unwrap_or_default());
        let head = LogHead { request, path, query, last_event_id };
        head.accept(options.cors.as_ref(), options.accept_wildcards, &options.limits)
    };
    let LogAccepted { request, wire_format, cors, address } = match judged(&parts, accept) {
        Ok(accepted) => accepted,
        Err(answer) => return answer.into_response(),
    };
    let subject = OnceLock::new();
    let server = Server { parts, address, options, log, wire_format, cors, subject };
    let answer = match request {
        LogRequest::Run { after } => server.run(body, after, agent).await,
        request => server.look(request).await,
    };
    answer.unwrap_or_else(|refusal| {
        let subject = server.subject.get().cloned().unwrap_or_default();
        let notice = LogNotice::refused(refusal.code().as_str(), subject);
        notify(server.log.on_log.as_ref(), &notice);
        refusal.response(server.cors.clone()).into_response()
    })
}

/// Sends a run on a WebSocket, from its beginning. It goes on without it, and is read over HTTP.
#[cfg(feature = "websocket")]
async fn respond_to_websocket<A, F, E>(
    request: HttpRequest,
    agent: A,
    options: RunOptions,
    log: RunLog,
) -> Response
where
    A: FnOnce(Run) -> F + Send + 'static,
    F: Future<Output = Result<Option<Value>, E>> + Send + 'static,
    E: Display + Send + 'static,
{
    let (parts, body) = request.into_parts();
    let request = HttpRequest::from_parts(parts.clone(), body);
    let run_options = options.clone();
    let begin = move |body, wire_format| async move {
        let (address, subject) = (String::new(), OnceLock::new());
        let server = Server { parts, address, options: run_options, log, wire_format, cors: vec![], subject };
        let input = checked_input(body, &server.options).await.map_err(|refusal| Close::from(&refusal))?;
        let reading = server.start(input, agent).await.map_err(|refusal| refusal.close())?;
        let stream = server.stream(reading, Channel::WebSocket { has_pings: true });
        Ok(LogBody::new(stream, &server.closing()))
    };
    websocket::respond(request, begin, options).await
}

fn text<'p>(parts: &'p Parts, name: &str) -> Option<&'p str> {
    parts.headers.get(name).and_then(|value| value.to_str().ok())
}

/// A run that a client reads.
struct Reading {
    key: LogKey,
    thread_id: String,
    run_id: String,
    /// The place behind which it is read; `None` joins.
    after: Option<Cursor>,
    /// True if the request has begun the run.
    is_new: bool,
    /// Counts the client.
    seat: Place,
}

struct Server {
    parts: Parts,
    /// The path of the agent's address.
    address: String,
    options: RunOptions,
    log: RunLog,
    wire_format: WireFormat,
    cors: Headers,
    /// The run that the request is about, once its scope is asked for.
    subject: OnceLock<LogSubject>,
}

impl Server {
    /// Starts a run, or reads the one that has been started.
    async fn run<A, F, E>(&self, body: Body, after: Option<Cursor>, agent: A) -> Result<Response, LogRefusal>
    where
        A: FnOnce(Run) -> F + Send + 'static,
        F: Future<Output = Result<Option<Value>, E>> + Send + 'static,
        E: Display + Send + 'static,
    {
        let input = receive_input(body, &self.options).await?;
        let mut reading = self.start(input, agent).await?;
        if !reading.is_new {
            reading.after = after;
        }
        self.read(reading).await
    }

    /// Starts the agent in a task of its own, unless the run has been started before. The run is read from its beginning.
    async fn start<A, F, E>(&self, input: RunAgentInput, agent: A) -> Result<Reading, LogRefusal>
    where
        A: FnOnce(Run) -> F + Send + 'static,
        F: Future<Output = Result<Option<Value>, E>> + Send + 'static,
        E: Display + Send + 'static,
    {
        let Self { options, log, .. } = self;
        let (thread_id, run_id) = (input.thread_id.clone(), input.run_id.clone());
        let scope = self.scope(LogAction::Start, &thread_id, &run_id).await?;
        let seat = log.seat(&scope)?;
        let head = LogStartHead {
            scope: &scope,
            resume: text(&self.parts, "ag-ui-resume"),
            // Without a function of the application, the thread knows what waits for an answer.
            now: options.pending_interrupts.is_none().then(unix_millis),
            is_draining: options.shutdown.as_ref().is_some_and(Shutdown::has_begun),
        };
        let start = LogStart::new(head, input, options.limits, &log.options, &log.occupancy)?;
        let (key, clock) = (start.key().clone(), Clock::start());
        let mut driver = Driver::new(start, log.log.clone(), clock).noticing(log.on_log.clone());
        let unavailable = || Err(Error::new(Code::LogUnavailable, "").into());
        let Begun { beginning, is_new } = driver.next().await.unwrap_or_else(unavailable)?;
        if let Some(recorder) = driver.machine.recorder() {
            let run = begin_run(driver.machine.into_input(), WireFormat::Text, options)?;
            // At the shutdown the run has time to end.
            let lasting = RunOptions { shutdown: None, ..options.clone() };
            let body: RunBody = body_of(run, agent, &lasting, None);
            let driver =
                Driver::new(recorder, log.log.clone(), clock).watching(&key).noticing(log.on_log.clone());
            tokio::spawn(run::record(body, driver, log.draining(options.shutdown.clone())));
        }
        Ok(Reading { key, thread_id, run_id, after: Some(beginning), is_new, seat })
    }

    /// Reads or cancels a run, or reads a thread.
    async fn look(&self, request: LogRequest) -> Result<Response, LogRefusal> {
        let action = request.action();
        match request {
            LogRequest::Read { thread_id, run_id, after } => {
                let scope = self.scope(action, &thread_id, &run_id).await?;
                let (seat, key) = (self.log.seat(&scope)?, LogKey::new(&scope, &thread_id, &run_id)?);
                self.read(Reading { key, thread_id, run_id, after, is_new: false, seat }).await
            }
            LogRequest::Cancel { thread_id, run_id } => {
                let key = LogKey::new(&self.scope(action, &thread_id, &run_id).await?, &thread_id, &run_id)?;
                self.execute(SingleOperation::cancel(key)).await
            }
            LogRequest::Thread { thread_id } => {
                let thread = ThreadKey::new(&self.scope(action, &thread_id, "").await?, &thread_id)?;
                self.execute(SingleOperation::read_thread(thread, thread_id)).await
            }
            LogRequest::Run { .. } => Err(Error::new(Code::Internal, "a run is not looked at").into()),
        }
    }

    async fn execute(&self, single: SingleOperation) -> Result<Response, LogRefusal> {
        let mut driver = Driver::new(single, self.log.log.clone(), Clock::start());
        let unavailable = || Err(Error::new(Code::LogUnavailable, "").into());
        let response = driver.next().await.unwrap_or_else(unavailable)?;
        Ok(with_headers(response.into_response(), self.cors.clone()))
    }

    async fn read(&self, reading: Reading) -> Result<Response, LogRefusal> {
        connection::respond(self.stream(reading, Channel::Http), &self.closing(), self.cors.clone()).await
    }

    /// What a connection waits for until it has to end.
    fn closing(&self) -> Draining {
        self.log.closing(self.options.shutdown.clone())
    }

    fn stream(&self, reading: Reading, channel: Channel) -> Driver<LogStream> {
        let Reading { key, thread_id, run_id, after, is_new, seat } = reading;
        let RunLog { log, options, prefixes, on_log, .. } = &self.log;
        let head = LogStreamHead {
            key: key.clone(),
            thread_id,
            run_id,
            address: self.address.clone(),
            wire_format: self.wire_format,
            channel,
            heartbeat: self.options.heartbeat,
            after,
            is_new,
        };
        let stream = LogStream::new(head, seat, options, prefixes);
        Driver::new(stream, log.clone(), Clock::start()).watching(&key).noticing(on_log.clone())
    }

    async fn scope(&self, action: LogAction, thread_id: &str, run_id: &str) -> Result<String, LogRefusal> {
        let run_id = Some(run_id).filter(|run_id| !run_id.is_empty());
        let scope = self.log.scope(&self.parts, action, Some(thread_id), run_id).await;
        let (thread, run) = (Some(thread_id.to_owned()), run_id.map(str::to_owned));
        let _ = self.subject.set(LogSubject { scope: scope.clone(), thread_id: thread, run_id: run });
        scope.ok_or_else(|| Error::new(Code::RunUnknown, "").into())
    }
}
