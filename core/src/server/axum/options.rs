//! The options of servers.

use std::fmt::Display;
use std::future::Future;
use std::time::Duration;

use super::interrupts::PendingInterrupts;
#[cfg(feature = "durable")]
use super::log::RunLog;
use super::shutdown::Shutdown;
use crate::defaults;
use crate::limits::Limits;
use crate::server::{Cors, StateFlush};
use crate::types::{Interrupt, RunAgentInput};

/// The options of a server.
///
/// ```
/// use std::time::Duration;
/// use ag_ui_native::server::{Cors, axum::RunOptions};
///
/// let options = RunOptions::default().with_time_limit(Duration::from_secs(300)).with_cors(Cors::Any);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RunOptions {
    /// The limits of requests and runs; `input_bytes` bounds a request's body.
    pub limits: Limits,
    /// Puts the request's input into RUN_STARTED.
    pub echo_input: bool,
    /// Puts the text of the agent's error into RUN_ERROR. Without it, the client learns only that the agent failed.
    pub show_errors: bool,
    /// Answers with protobuf if the header `Accept` is `*/*` or `application/*`; without this, only if it names protobuf.
    pub accept_wildcards: bool,
    /// The silence after which a comment is sent, so that proxies keep the connection; only on the text transport.
    pub heartbeat: Duration,
    /// The time limit for receiving a request's body.
    pub body_timeout: Duration,
    /// The time limit of a run. After it the agent is dropped, and the run ends with the code `run_timeout`. No limit by default.
    pub time_limit: Option<Duration>,
    /// The time that a client has to read the end of a run that was ended by its time limit or the shutdown. After it
    /// the rest is dropped, and the connection is closed.
    pub grace: Duration,
    /// The limit of waiting bytes for an agent that writes without awaiting; see [`Run::with_max_waiting`](crate::server::Run::with_max_waiting).
    pub max_waiting: usize,
    /// The times at which the state is sent automatically.
    pub state_flush: StateFlush,
    /// Ends all runs when the server shuts down.
    pub shutdown: Option<Shutdown>,
    /// The origins of web pages that may send requests. A handler that uses [`begin`](super::begin) and
    /// [`stream`](super::stream) must set the headers itself.
    pub cors: Option<Cors>,
    /// Returns the interrupts of a conversation that wait for an answer. A request that does not answer one of them is
    /// refused.
    pub pending_interrupts: Option<PendingInterrupts>,
    /// The log of the runs, with which they outlive their connections. A handler that uses [`begin`](super::begin) and
    /// [`stream`](super::stream) has none.
    #[cfg(feature = "durable")]
    pub log: Option<RunLog>,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            echo_input: false,
            show_errors: false,
            accept_wildcards: false,
            heartbeat: defaults::HEARTBEAT,
            body_timeout: defaults::BODY_TIMEOUT,
            time_limit: None,
            grace: defaults::END_GRACE,
            max_waiting: defaults::MAX_WAITING,
            state_flush: StateFlush::default(),
            shutdown: None,
            cors: None,
            pending_interrupts: None,
            #[cfg(feature = "durable")]
            log: None,
        }
    }
}

macro_rules! setters {
    ($($(#[doc = $doc:literal])+ $setter:ident($member:ident: $type:ty) = $value:expr;)+) => {
        impl RunOptions {
            $($(#[doc = $doc])+
            #[must_use]
            pub fn $setter(self, $member: $type) -> Self {
                Self { $member: $value, ..self }
            })+
        }
    };
}

setters! {
    /// Sets [`limits`](Self::limits).
    with_limits(limits: Limits) = limits;
    /// Sets [`echo_input`](Self::echo_input).
    with_echo_input(echo_input: bool) = echo_input;
    /// Sets [`show_errors`](Self::show_errors).
    with_show_errors(show_errors: bool) = show_errors;
    /// Sets [`accept_wildcards`](Self::accept_wildcards).
    with_accept_wildcards(accept_wildcards: bool) = accept_wildcards;
    /// Sets [`heartbeat`](Self::heartbeat); zero sends none.
    with_heartbeat(heartbeat: Duration) = heartbeat;
    /// Sets [`body_timeout`](Self::body_timeout).
    with_body_timeout(body_timeout: Duration) = body_timeout;
    /// Sets [`time_limit`](Self::time_limit); `None` sets no limit.
    with_time_limit(time_limit: impl Into<Option<Duration>>) = time_limit.into();
    /// Sets [`grace`](Self::grace).
    with_grace(grace: Duration) = grace;
    /// Sets [`max_waiting`](Self::max_waiting).
    with_max_waiting(max_waiting: usize) = max_waiting;
    /// Sets [`state_flush`](Self::state_flush).
    with_state_flush(state_flush: StateFlush) = state_flush;
    /// Sets [`shutdown`](Self::shutdown).
    with_shutdown(shutdown: Shutdown) = Some(shutdown);
    /// Sets [`cors`](Self::cors).
    with_cors(cors: Cors) = Some(cors);
}

#[cfg(feature = "durable")]
impl RunOptions {
    /// Sets [`log`](Self::log).
    #[must_use]
    pub fn with_log(self, log: RunLog) -> Self {
        Self { log: Some(log), ..self }
    }
}

impl RunOptions {
    /// Sets the function that returns the interrupts of a conversation that wait for an answer. A request that does not
    /// answer one of them (rule L01), or does not cancel an expired one (L02), is refused. An error of the function is
    /// logged.
    #[must_use]
    pub fn with_pending_interrupts<F, W, E>(self, find: F) -> Self
    where
        F: Fn(RunAgentInput) -> W + Send + Sync + 'static,
        W: Future<Output = Result<Vec<Interrupt>, E>> + Send + 'static,
        E: Display,
    {
        Self { pending_interrupts: Some(PendingInterrupts::new(find)), ..self }
    }
}
