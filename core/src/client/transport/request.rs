//! The request of a run, and the transports that send it.

use std::future::{Future, ready};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use reqwest::header::{HeaderName, HeaderValue};

use super::headers::accept;
use super::redirect::Redirects;
use super::response::Response;
use crate::client::options::AgentSettings;
use crate::client::reconnect::ReconnectOptions;
use crate::client::request::{Purpose, Sending};
use crate::encode::try_to_json;
use crate::error::Error;
use crate::limits::Limits;
use crate::types::RunAgentInput;

/// Sends the requests of runs to an agent. A function of a [`RunRequest`] is a transport, too.
///
/// ```
/// use ag_ui_native::Error;
/// use ag_ui_native::client::{Agent, RunRequest, Response, RunParameters};
/// use futures_util::stream;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), ag_ui_native::client::ClientError> {
/// let recorded = |_: RunRequest| async {
///     let pieces = ["data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n",
///         "data: {\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n"];
///     Ok(Response::new(stream::iter(pieces.map(Ok::<_, std::io::Error>))))
/// };
/// let run = Agent::over(recorded).run_to_end(RunParameters::default()).await?;
/// assert!(run.is_success());
/// # Ok(())
/// # }
/// ```
pub trait Transport: Send + Sync + 'static {
    /// Requests a run. The future is ready when the head of the answer has arrived.
    fn open(&self, request: &RunRequest) -> impl Future<Output = Result<Response, Error>> + Send;

    /// Prepares an attempt.
    #[doc(hidden)]
    fn prepare_attempt(&self, _: &RunRequest) -> impl Future<Output = Result<Prepared, Error>> + Send {
        ready(Ok(Prepared::default()))
    }

    /// Sends one attempt. Transports without addresses and headers just open the request.
    #[doc(hidden)]
    fn send_attempt(
        &self,
        request: &RunRequest,
        _: &Prepared,
        _: &Sending,
    ) -> impl Future<Output = Result<Response, Error>> + Send {
        self.open(request)
    }

    /// The redirects that are followed.
    #[doc(hidden)]
    fn followed_redirects(&self) -> Redirects {
        Redirects::None
    }

    /// True if runs are joined and cancelled, and threads read, as over HTTP.
    #[doc(hidden)]
    fn is_over_http(&self) -> bool {
        false
    }

    /// The times of reconnecting; `None` to end with the connection.
    #[doc(hidden)]
    fn reconnecting(&self) -> Option<ReconnectOptions> {
        None
    }
}

/// Says if a run goes on at its server when it is left. It is shared by the stream of the run and its connections.
#[derive(Clone, Debug, Default)]
pub(in crate::client) struct Detaching(Arc<AtomicBool>);

impl Detaching {
    /// Lets the run go on.
    pub fn detach(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// True if the run goes on.
    pub fn is_detached(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl PartialEq for Detaching {
    fn eq(&self, other: &Self) -> bool {
        self.is_detached() == other.is_detached()
    }
}

/// The data of an attempt.
#[doc(hidden)]
#[derive(Default)]
pub struct Prepared {
    pub(in crate::client) url: String,
    /// The application's headers.
    pub(in crate::client) headers: Vec<(HeaderName, HeaderValue)>,
    pub(in crate::client) body: Bytes,
}

impl<F, ResponseFuture> Transport for F
where
    F: Fn(RunRequest) -> ResponseFuture + Send + Sync + 'static,
    ResponseFuture: Future<Output = Result<Response, Error>> + Send,
{
    fn open(&self, request: &RunRequest) -> impl Future<Output = Result<Response, Error>> + Send {
        self(request.clone())
    }
}

/// The request of a run.
///
/// ```
/// use ag_ui_native::client::RunRequest;
/// use ag_ui_native::types::RunAgentInput;
///
/// let request = RunRequest::new(RunAgentInput::new("t1", "r1", vec![]));
/// assert!(request.body()?.starts_with(r#"{"threadId":"t1""#));
/// assert!(request.accept().contains("text/event-stream"));
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RunRequest {
    /// The input.
    pub input: RunAgentInput,
    /// True to prefer protobuf.
    pub protobuf: bool,
    /// The limits of events.
    pub(in crate::client) limits: Limits,
    /// The purpose; only that of a start needs the whole input.
    pub(in crate::client) purpose: Purpose,
    pub(in crate::client) detaching: Detaching,
}

impl RunRequest {
    /// A request for a run.
    pub fn new(input: RunAgentInput) -> Self {
        let (limits, purpose, detaching) = (Limits::default(), Purpose::Start, Detaching::default());
        Self { input, protobuf: false, limits, purpose, detaching }
    }

    /// A request by an agent.
    pub(in crate::client) fn by(input: RunAgentInput, settings: AgentSettings) -> Self {
        Self { protobuf: settings.protobuf, limits: settings.limits, ..Self::new(input) }
    }

    /// Returns the body, as JSON text.
    ///
    /// # Errors
    /// `wrong_type` with the path for a number that JSON does not have, for example in the state.
    pub fn body(&self) -> Result<String, Error> {
        try_to_json(&self.input)
    }

    /// Returns the value of the header `Accept`.
    pub fn accept(&self) -> String {
        accept(self.protobuf)
    }
}
