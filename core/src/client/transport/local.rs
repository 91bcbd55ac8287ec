//! Agents in the same program, without a socket.

use std::fmt::{self, Display};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum::body::Body;
use axum::http;
use axum::http::header::{ACCEPT, CONTENT_TYPE, HeaderName, RETRY_AFTER};

use super::request::{RunRequest, Transport};
use super::response::Response;
use crate::client::agent::Agent;
use crate::error::{Code, Error};
use crate::json::Value;
use crate::server::Run;
use crate::server::axum::{RunOptions, respond};

type ResponseFuture = Pin<Box<dyn Future<Output = http::Response<Body>> + Send>>;

/// The transport to a function of a [`Run`]: it is served as by a server.
///
/// ```
/// use ag_ui_native::client::{Agent, LocalTransport};
///
/// # use ag_ui_native::client::LocalAgent;
/// # use ag_ui_native::server::Run;
/// # use ag_ui_native::{Error, Value};
/// # async fn greet(run: Run) -> Result<Option<Value>, Error> {
/// #     run.text_message()?.write("Hello!")?;
/// #     Ok(None)
/// # }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), ag_ui_native::client::ClientError> {
/// let agent: Agent<LocalTransport> = LocalAgent::new(greet);
/// assert!(agent.pending_interrupts().is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct LocalTransport {
    answer: Arc<dyn Fn(http::Request<Body>) -> ResponseFuture + Send + Sync>,
}

/// An agent that is a function in the same program.
///
/// ```
/// # use ag_ui_native::client::LocalAgent;
/// # use ag_ui_native::server::Run;
/// # use ag_ui_native::{Error, Value};
/// # async fn greet(run: Run) -> Result<Option<Value>, Error> {
/// #     run.text_message()?.write("Hello!")?;
/// #     Ok(None)
/// # }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), ag_ui_native::client::ClientError> {
/// let mut agent = LocalAgent::new(greet);
/// assert_eq!(agent.ask("Hi").await?.text(), "Hello!");
/// # Ok(())
/// # }
/// ```
pub type LocalAgent = Agent<LocalTransport>;

impl LocalAgent {
    /// A new conversation with an agent. The agent is polled while events are read, and dropped with the run. Its error reaches the client
    /// as from a server: with its text only if the option `show_errors` is set.
    ///
    /// ```
    /// use ag_ui_native::client::LocalAgent;
    /// use ag_ui_native::server::Run;
    /// use ag_ui_native::{Error, Value};
    ///
    /// async fn greet(run: Run) -> Result<Option<Value>, Error> {
    ///     let message = run.text_message()?;
    ///     message.write("Hello")?;
    ///     Ok(None)
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), ag_ui_native::client::ClientError> {
    /// let mut agent = LocalAgent::new(greet);
    /// assert_eq!(agent.ask("Hi").await?.text(), "Hello");
    /// # Ok(())
    /// # }
    /// ```
    pub fn new<A, F, E>(agent: A) -> Self
    where
        A: Fn(Run) -> F + Send + Sync + 'static,
        F: Future<Output = Result<Option<Value>, E>> + Send + 'static,
        E: Display + Send + 'static,
    {
        Self::with_server(agent, RunOptions::default())
    }

    /// Like [`new`](Self::new), with options of the server.
    pub fn with_server<A, F, E>(agent: A, options: RunOptions) -> Self
    where
        A: Fn(Run) -> F + Send + Sync + 'static,
        F: Future<Output = Result<Option<Value>, E>> + Send + 'static,
        E: Display + Send + 'static,
    {
        let agent = Arc::new(agent);
        let answer = move |request| -> ResponseFuture {
            let agent = Arc::clone(&agent);
            Box::pin(respond(request, move |run| agent(run), options.clone()))
        };
        Self::over(LocalTransport { answer: Arc::new(answer) })
    }
}

impl Transport for LocalTransport {
    async fn open(&self, request: &RunRequest) -> Result<Response, Error> {
        let asked = http::Request::post("/")
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, request.accept())
            .body(Body::from(request.body()?));
        let asked = asked.map_err(|_| Error::new(Code::Internal, "the request cannot be made"))?;
        let answer = (self.answer)(asked).await;
        let text = |name: HeaderName| Some(answer.headers().get(name)?.to_str().ok()?.to_owned());
        let (content_type, retry_after) = (text(CONTENT_TYPE), text(RETRY_AFTER));
        let status = answer.status().as_u16();
        let answer = Response::new(answer.into_body().into_data_stream());
        Ok(Response { status, content_type, retry_after, ..answer })
    }
}

impl fmt::Debug for LocalTransport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("LocalTransport").finish_non_exhaustive()
    }
}
