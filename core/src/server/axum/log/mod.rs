//! Runs with a log: they go on without their clients, which resume, join and cancel them.

mod connection;
mod driver;
mod machines;
mod run;
mod settings;

use std::fmt::Display;
use std::future::Future;
use std::sync::PoisonError;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request as HttpRequest;
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use uuid::Uuid;

use self::connection::Connection;
use self::driver::{Clock, Driver};
pub use self::settings::RunLog;
use super::options::RunOptions;
use super::{RunBody, body_of, judged, receive_input, with_headers};
use crate::bindings::durable::{
    Admission, Admitted, Create, Cursor, Incarnation, InputDigest, LogKey, LogPolicy, LogRefusal, LogRequest,
    LogRequestHead, Operation, Producer, Reader, Recorder, Reply, ThreadKey, resumes, thread_response,
};
use crate::error::{Code, Error};
use crate::json::Value;
use crate::server::{Accepted, Refusal, RequestHead, Run, WireFormat};
use crate::types::RunAgentInput;

type Headers = Vec<(&'static str, String)>;

/// Answers one request about runs with a log.
pub async fn respond<A, F, E>(request: HttpRequest, agent: A, options: RunOptions, log: RunLog) -> Response
where
    A: FnOnce(Run) -> F + Send + 'static,
    F: Future<Output = Result<Option<Value>, E>> + Send + 'static,
    E: Display + Send + 'static,
{
    let (parts, body) = request.into_parts();
    let judge = |head: RequestHead<'_>| {
        head.accept_log(options.cors.as_ref(), options.accept_wildcards, &options.limits)
    };
    let Accepted { wire_format, cors } = match judged(&parts, judge) {
        Ok(accepted) => accepted,
        Err(answer) => return answer.into_response(),
    };
    let server = Server { parts, options, log, wire_format, cors };
    match server.answer(body, agent).await {
        Ok(response) => response,
        Err(refusal) => refusal.response(server.cors.clone()).into_response(),
    }
}

struct Server {
    parts: Parts,
    options: RunOptions,
    log: RunLog,
    wire_format: WireFormat,
    cors: Headers,
}

impl Server {
    async fn answer<A, F, E>(&self, body: Body, agent: A) -> Result<Response, LogRefusal>
    where
        A: FnOnce(Run) -> F + Send + 'static,
        F: Future<Output = Result<Option<Value>, E>> + Send + 'static,
        E: Display + Send + 'static,
    {
        let head = LogRequestHead {
            method: self.parts.method.as_str(),
            // A route of axum answers its own path only: the forms below it are queries.
            path: "",
            query: self.parts.uri.query().unwrap_or_default(),
            last_event_id: self.header("last-event-id"),
        };
        match LogRequest::read(head).map_err(|Refusal(error)| error)? {
            LogRequest::Run { after } => {
                let input = receive_input(body, &self.options).await.map_err(|Refusal(error)| error)?;
                self.run(input, after, agent).await
            }
            request => self.look(request).await,
        }
    }

    /// Starts a run, or reads the one that has been started.
    async fn run<A, F, E>(
        &self,
        input: RunAgentInput,
        after: Option<Cursor>,
        agent: A,
    ) -> Result<Response, LogRefusal>
    where
        A: FnOnce(Run) -> F + Send + 'static,
        F: Future<Output = Result<Option<Value>, E>> + Send + 'static,
        E: Display + Send + 'static,
    {
        let (thread_id, run_id) = (input.thread_id.clone(), input.run_id.clone());
        let action = LogRequest::Run { after }.action();
        let scope = self.scope(action, &thread_id, &run_id).await?;
        let key = LogKey::new(&scope, &thread_id, &run_id)?;
        let policy = self.log.options.policy(resumes(self.header("ag-ui-resume")));
        let create = Create {
            parent: input.parent_run_id.as_deref().map(|parent| key.thread().log(parent)).transpose()?,
            key: key.clone(),
            incarnation: Incarnation::new_random(),
            run_id: run_id.clone(),
            digest: InputDigest::of(&input),
            owner: Uuid::new_v4().to_string(),
            lease: self.log.options.lease,
            policy,
        };
        let clock = Clock::start();
        let admission = Admission::new(create, self.log.options.admission());
        let mut driver = Driver::new(admission, self.log.log.clone(), clock);
        let reader_options = self.log.options.reader();
        let reader = match driver.next().await {
            Some(Admitted::Created { incarnation, epoch, leased_at }) => {
                self.start(input, &key, &policy, (epoch, leased_at), clock, agent)?;
                Reader::new(key.clone(), Some(Cursor { incarnation, number: 0 }), reader_options)
            }
            Some(Admitted::Exists(_)) => self.reader(&key, after),
            Some(Admitted::Refused(refusal)) => return Err(refusal),
            None => return Err(Error::new(Code::LogUnavailable, "").into()),
        };
        Ok(self.read(key, reader, &thread_id, &run_id).await)
    }

    /// Starts the agent in a task of its own.
    fn start<A, F, E>(
        &self,
        input: RunAgentInput,
        key: &LogKey,
        policy: &LogPolicy,
        (epoch, leased_at): (u64, Duration),
        clock: Clock,
        agent: A,
    ) -> Result<(), LogRefusal>
    where
        A: FnOnce(Run) -> F + Send + 'static,
        F: Future<Output = Result<Option<Value>, E>> + Send + 'static,
        E: Display + Send + 'static,
    {
        let producer = Producer::new(key.clone(), epoch, leased_at, self.log.options.producer(policy));
        let recorder = Recorder::new(producer, &input, self.options.limits);
        let run = Run::begin(input, WireFormat::Text, self.options.echo_input, self.options.limits)?;
        let run = run.with_max_waiting(self.options.max_waiting).with_state_flush(self.options.state_flush);
        let body: RunBody = body_of(run, agent, &self.options, None);
        let driver = Driver::new(recorder, self.log.log.clone(), clock).watching(key);
        tokio::spawn(run::record(body, driver));
        Ok(())
    }

    /// Reads or cancels a run, or reads a thread.
    async fn look(&self, request: LogRequest) -> Result<Response, LogRefusal> {
        let action = request.action();
        match request {
            LogRequest::Read { thread_id, run_id, after } => {
                let key = LogKey::new(&self.scope(action, &thread_id, &run_id).await?, &thread_id, &run_id)?;
                let reader = self.reader(&key, after);
                Ok(self.read(key, reader, &thread_id, &run_id).await)
            }
            LogRequest::Cancel { thread_id, run_id } => {
                let key = LogKey::new(&self.scope(action, &thread_id, &run_id).await?, &thread_id, &run_id)?;
                match self.execute(Operation::Cancel { key }).await? {
                    Reply::Done => Ok(with_headers(StatusCode::ACCEPTED.into_response(), self.cors.clone())),
                    _ => Err(Error::new(Code::RunUnknown, "").into()),
                }
            }
            LogRequest::Thread { thread_id } => {
                let thread = ThreadKey::new(&self.scope(action, &thread_id, "").await?, &thread_id)?;
                match self.execute(Operation::ReadThread { thread }).await? {
                    Reply::Thread(info) => {
                        Ok(thread_response(&thread_id, &info, self.cors.clone()).into_response())
                    }
                    _ => Err(Error::new(Code::LogUnavailable, "").into()),
                }
            }
            LogRequest::Run { .. } => Err(Error::new(Code::Internal, "a run is not looked at").into()),
        }
    }

    async fn execute(&self, operation: Operation) -> Result<Reply, LogRefusal> {
        let reply = self.log.log.execute(operation).await;
        reply.map_err(|_| Error::new(Code::LogUnavailable, "").into())
    }

    /// A reader behind a place, or one that joins.
    fn reader(&self, key: &LogKey, after: Option<Cursor>) -> Reader {
        let options = self.log.options.reader();
        if after.is_some() {
            return Reader::new(key.clone(), after, options);
        }
        let kept = self.log.prefixes.lock().unwrap_or_else(PoisonError::into_inner).get(key);
        Reader::join(key.clone(), kept, options)
    }

    async fn read(&self, key: LogKey, reader: Reader, thread_id: &str, run_id: &str) -> Response {
        let driver = Driver::new(reader, self.log.log.clone(), Clock::start()).watching(&key);
        let connection = Connection {
            wire_format: self.wire_format,
            thread_id,
            run_id,
            path: self.parts.uri.path(),
            key,
            heartbeat: self.options.heartbeat,
            longest: self.log.options.max_connection,
            prefixes: self.log.prefixes.clone(),
            cors: self.cors.clone(),
        };
        connection.respond(driver).await
    }

    async fn scope(
        &self,
        action: crate::durable::LogAction,
        thread_id: &str,
        run_id: &str,
    ) -> Result<String, LogRefusal> {
        let run_id = Some(run_id).filter(|run_id| !run_id.is_empty());
        let scope = self.log.scope(&self.parts, action, Some(thread_id), run_id).await;
        scope.ok_or_else(|| Error::new(Code::RunUnknown, "").into())
    }

    fn header(&self, name: &str) -> Option<&str> {
        let name = header::HeaderName::from_bytes(name.as_bytes()).ok()?;
        self.parts.headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok())
    }
}
