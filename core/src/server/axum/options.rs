//! How agents are served.

use std::time::Duration;

use super::shutdown::Shutdown;
use crate::limits::Limits;
use crate::server::{Cors, Run, StateFlush};

/// How agents are served.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// What requests and runs may cost; `event_bytes` bounds a request's body, too.
    pub limits: Limits,
    /// Have RUN_STARTED carry the request's input.
    pub echo_input: bool,
    /// Have RUN_ERROR carry the text of the agent's error. Without it the client learns only that the agent failed.
    pub show_errors: bool,
    /// Answer with protobuf to those who take anything; otherwise only to those who name it.
    pub wildcards: bool,
    /// After how long a silence a comment is sent, so that proxies keep the connection; on the text transport only.
    pub heartbeat: Duration,
    /// How long a request's body may take to arrive.
    pub body_timeout: Duration,
    /// How long a run may take: then the agent is dropped, and the run ends with the code `run_timeout`. Any time by default.
    pub time_limit: Option<Duration>,
    /// How many bytes may wait where an agent writes without awaiting; see [`Run::with_max_waiting`].
    pub max_waiting: usize,
    /// When the state is sent.
    pub state_flush: StateFlush,
    /// Ends all runs when the server shuts down.
    pub shutdown: Option<Shutdown>,
    /// The origins whose pages may ask. A handler that uses [`begin`](super::begin) and [`stream`](super::stream) answers for that itself.
    pub cors: Option<Cors>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            echo_input: false,
            show_errors: false,
            wildcards: false,
            heartbeat: Duration::from_secs(15),
            body_timeout: Duration::from_secs(30),
            time_limit: None,
            max_waiting: Run::MAX_WAITING,
            state_flush: StateFlush::default(),
            shutdown: None,
            cors: None,
        }
    }
}
