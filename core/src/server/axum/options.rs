//! The options of servers.

use std::fmt::Display;
use std::future::Future;
use std::time::Duration;

use super::interrupts::PendingInterrupts;
use super::shutdown::Shutdown;
use crate::defaults;
use crate::limits::Limits;
use crate::server::{Cors, StateFlush};
use crate::types::{Interrupt, RunAgentInput};

/// The options of a server.
///
/// ```
/// use std::time::Duration;
/// use ag_ui_native::server::{Cors, axum::Options};
///
/// let options = Options::default().with_time_limit(Duration::from_secs(300)).with_cors(Cors::Any);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The limits of requests and runs; `input_bytes` bounds a request's body.
    pub limits: Limits,
    /// Have RUN_STARTED carry the request's input.
    pub echo_input: bool,
    /// Have RUN_ERROR carry the text of the agent's error. Without it the client learns only that the agent failed.
    pub show_errors: bool,
    /// Answer with protobuf to those who take anything; otherwise only to those who name it.
    pub wildcards: bool,
    /// After how long a silence a comment is sent, so that proxies keep the connection; on the text transport only.
    pub heartbeat: Duration,
    /// The time limit for receiving a request's body.
    pub body_timeout: Duration,
    /// The time limit of a run. After it the agent is dropped, and the run ends with the code `run_timeout`. No limit by default.
    pub time_limit: Option<Duration>,
    /// The time that a client has to read the rest of a run that its time limit or the shutdown has ended. After it the rest is dropped, and
    /// the answer is cut.
    pub grace: Duration,
    /// The limit of waiting bytes for an agent that writes without awaiting; see [`Run::with_max_waiting`](crate::server::Run::with_max_waiting).
    pub max_waiting: usize,
    /// The times at which the state is sent.
    pub state_flush: StateFlush,
    /// Ends all runs when the server shuts down.
    pub shutdown: Option<Shutdown>,
    /// The origins whose pages may ask. A handler that uses [`begin`](super::begin) and [`stream`](super::stream) answers for that itself.
    pub cors: Option<Cors>,
    /// The interrupts of a conversation that wait for an answer: a request that leaves one unanswered is refused.
    pub pending_interrupts: Option<PendingInterrupts>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            echo_input: false,
            show_errors: false,
            wildcards: false,
            heartbeat: defaults::HEARTBEAT,
            body_timeout: defaults::BODY_TIMEOUT,
            time_limit: None,
            grace: defaults::END_GRACE,
            max_waiting: defaults::MAX_WAITING,
            state_flush: StateFlush::default(),
            shutdown: None,
            cors: None,
            pending_interrupts: None,
        }
    }
}

macro_rules! setters {
    ($($(#[doc = $doc:literal])+ $setter:ident($member:ident: $type:ty) = $value:expr;)+) => {
        impl Options {
            $($(#[doc = $doc])+
            #[must_use]
            pub fn $setter(self, $member: $type) -> Self {
                Self { $member: $value, ..self }
            })+
        }
    };
}

setters! {
    /// The same with other [`limits`](Self::limits).
    with_limits(limits: Limits) = limits;
    /// The same, echoing the input or not: [`echo_input`](Self::echo_input).
    with_echo_input(echo_input: bool) = echo_input;
    /// The same, showing errors or not: [`show_errors`](Self::show_errors).
    with_show_errors(show_errors: bool) = show_errors;
    /// The same, taking wildcards for protobuf or not: [`wildcards`](Self::wildcards).
    with_wildcards(wildcards: bool) = wildcards;
    /// The same, filling silence after so long; zero for never: [`heartbeat`](Self::heartbeat).
    with_heartbeat(heartbeat: Duration) = heartbeat;
    /// The same with so long for a request's body: [`body_timeout`](Self::body_timeout).
    with_body_timeout(body_timeout: Duration) = body_timeout;
    /// The same with so long for a run; `None` for any time: [`time_limit`](Self::time_limit).
    with_time_limit(time_limit: impl Into<Option<Duration>>) = time_limit.into();
    /// The same with so long for the rest of a run that had to end: [`grace`](Self::grace).
    with_grace(grace: Duration) = grace;
    /// The same with room for so many bytes: [`max_waiting`](Self::max_waiting).
    with_max_waiting(max_waiting: usize) = max_waiting;
    /// The same, sending the state at other times: [`state_flush`](Self::state_flush).
    with_state_flush(state_flush: StateFlush) = state_flush;
    /// The same, ending runs when the server shuts down: [`shutdown`](Self::shutdown).
    with_shutdown(shutdown: Shutdown) = Some(shutdown);
    /// The same with these origins: [`cors`](Self::cors).
    with_cors(cors: Cors) = Some(cors);
}

impl Options {
    /// The same, with a function that knows which interrupts a conversation waits with: a request that leaves one unanswered (rule L01), or
    /// does not cancel one that has expired (L02), is refused. Its error is for the log.
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
