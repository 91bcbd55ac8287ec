//! Carries out the commands of an [`Exchange`]: from a request to an answer with events.

use std::future::{Future, pending, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::time::{Instant, timeout_at};

use super::redirect::Redirects;
use super::request::{Detaching, Prepared, RunRequest, Transport};
use super::response::{Nothing, Response};
use crate::client::options::AgentSettings;
use crate::client::request::{
    Command, Exchange, ExchangeOptions, Moment, Purpose, Sending, Subject, TimeLimits, over_http_only,
};
use crate::client::result::{ClientError, Failure};
use crate::error::Error;

/// A request whose answer has not arrived yet.
pub(in crate::client) type Opening = Pin<Box<dyn Future<Output = Result<Response, ClientError>> + Send>>;

/// The function that requests runs.
pub(in crate::client) type Open = Arc<dyn Fn(RunRequest) -> Opening + Send + Sync>;

/// Returns the function that requests the runs of an agent, or asks something else about them.
pub(in crate::client) fn opener<T: Transport>(
    transport: &Arc<T>,
    settings: AgentSettings,
    purpose: Purpose,
    detaching: Detaching,
) -> Open {
    let transport = Arc::clone(transport);
    Arc::new(move |request| {
        let (transport, detaching) = (Arc::clone(&transport), detaching.clone());
        let request = RunRequest { purpose, detaching, ..request };
        Box::pin(async move {
            if purpose != Purpose::Start && !transport.is_over_http() {
                return Err(over_http_only().into());
            }
            open(&*transport, &request, settings).await.map_err(ClientError::from)
        })
    })
}

/// Requests a run, with retries. The limit `total` is applied by the run.
async fn open<T: Transport>(
    transport: &T,
    request: &RunRequest,
    settings: AgentSettings,
) -> Result<Response, Failure> {
    let AgentSettings { timeouts, retry, protobuf, .. } = settings;
    let limits = TimeLimits { first_byte: timeouts.first_byte, idle: timeouts.idle, ..TimeLimits::default() };
    let redirects = transport.followed_redirects();
    let mut asking = Asking::new(transport, request, ExchangeOptions { protobuf, redirects, retry, limits });
    loop {
        match asking.step().await {
            Command::Events { .. } => return Ok(asking.taken()),
            Command::Fail(failure) => return Err(Failure::from(*failure)),
            _ => {}
        }
    }
}

/// Sends one request without limits of time, follows redirects, and returns the answer after its head.
pub(in crate::client) async fn open_once<T: Transport>(
    transport: &T,
    request: &RunRequest,
    redirects: Redirects,
) -> Result<Response, Error> {
    let options = ExchangeOptions { protobuf: request.protobuf, redirects, ..ExchangeOptions::default() };
    let mut asking = Asking::new(transport, request, options);
    loop {
        match asking.step().await {
            Command::Events { .. } | Command::Refusal(_) => return Ok(asking.taken()),
            // If the body of a refusal cannot be read, its status is enough.
            Command::Fail(failure) if failure.status.is_some() => return Ok(asking.taken()),
            Command::Fail(failure) => return Err(failure.error),
            _ => {}
        }
    }
}

/// A request in progress.
struct Asking<'a, T> {
    transport: &'a T,
    request: &'a RunRequest,
    exchange: Exchange,
    begun: Instant,
    /// The next command of the request.
    command: Command,
    prepared: Prepared,
    answer: Option<Response>,
}

impl<'a, T: Transport> Asking<'a, T> {
    fn new(transport: &'a T, request: &'a RunRequest, options: ExchangeOptions) -> Self {
        let RunRequest { input, purpose, .. } = request;
        let exchange = Exchange::new(options, Duration::ZERO).about(Subject {
            purpose: *purpose,
            thread_id: input.thread_id.clone(),
            run_id: input.run_id.clone(),
            reconnect: transport.reconnecting(),
        });
        let (begun, command) = (Instant::now(), Command::Prepare);
        Self { transport, request, exchange, begun, command, prepared: Prepared::default(), answer: None }
    }

    /// Carries out the command. Returns the next one; the last one needs no action.
    async fn step(&mut self) -> Command {
        let next = match self.command.clone() {
            Command::Prepare => self.prepare().await,
            Command::Send(sending) => self.send(&sending).await,
            Command::Refusal(_) | Command::Wait => self.read().await,
            Command::Close => {
                self.answer = self.answer.take().map(Response::without_body);
                self.exchange.closed(self.moment())
            }
            Command::Sleep(_) => {
                within(self.until(), pending::<()>()).await;
                self.tick()
            }
            end @ (Command::Events { .. } | Command::Fail(_)) => end,
        };
        if let Command::Events { encoding, .. } | Command::Refusal(encoding) = next {
            self.answer = self.answer.take().map(|answer| answer.decoded(encoding));
        }
        self.command = next.clone();
        next
    }

    /// Returns the answer with events.
    fn taken(&mut self) -> Response {
        self.answer.take().unwrap_or_else(|| Response::new(Nothing))
    }

    async fn prepare(&mut self) -> Command {
        let preparing = self.transport.prepare_attempt(self.request);
        match within(self.until(), preparing).await {
            Some(Ok(prepared)) => {
                self.prepared = prepared;
                let Prepared { url, headers, .. } = &self.prepared;
                let names = headers.iter().map(|(name, _)| name.as_str());
                self.exchange.prepared(moment(self.begun), url, names)
            }
            Some(Err(error)) => self.exchange.failed(self.moment(), error.into()),
            None => self.tick(),
        }
    }

    async fn send(&mut self, sending: &Sending) -> Command {
        let sent = self.transport.send_attempt(self.request, &self.prepared, sending);
        match within(self.until(), sent).await {
            Some(Ok(answer)) => {
                let command = self.exchange.head(self.moment(), &answer.answer_head());
                self.answer = Some(answer);
                command
            }
            Some(Err(error)) => self.exchange.failed(self.moment(), error.into()),
            None => self.tick(),
        }
    }

    /// Reads a piece of a refusal's body.
    async fn read(&mut self) -> Command {
        let Some(mut answer) = self.answer.take() else { return self.exchange.end() };
        let next = poll_fn(|context| answer.body.as_mut().poll_next(context));
        let piece = within(self.until(), next).await;
        self.answer = Some(answer);
        match piece {
            Some(Some(Ok(piece))) => self.exchange.piece(&piece),
            Some(Some(Err(error))) => self.exchange.failed(self.moment(), error.into()),
            Some(None) => self.exchange.end(),
            None => self.tick(),
        }
    }

    /// The deadline.
    fn until(&self) -> Option<Instant> {
        // A time too long to be represented means no limit.
        self.exchange.deadline().and_then(|deadline| self.begun.checked_add(deadline.at))
    }

    /// Reports to the exchange that a deadline has passed.
    fn tick(&mut self) -> Command {
        self.exchange.tick(self.moment())
    }

    fn moment(&self) -> Moment {
        moment(self.begun)
    }
}

/// Waits for a future until a moment; `None` if the moment comes first.
async fn within<F: Future>(until: Option<Instant>, future: F) -> Option<F::Output> {
    match until {
        Some(until) => timeout_at(until, future).await.ok(),
        None => Some(future.await),
    }
}

fn moment(begun: Instant) -> Moment {
    Moment { now: begun.elapsed(), wall: now(), chance: chance() }
}

/// The time, in milliseconds since the Unix epoch.
pub(in crate::client) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// A random number from 0 to 1.
fn chance() -> f64 {
    let [.., first, second] = uuid::Uuid::new_v4().into_bytes();
    f64::from(u16::from_be_bytes([first, second])) / f64::from(u16::MAX)
}
