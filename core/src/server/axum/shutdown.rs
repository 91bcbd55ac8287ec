//! The shutdown of a server, which first ends its runs.

use std::future::{Future, IntoFuture, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::sleep;

/// Tells runs that their server is shutting down: each run ends as cancelled, and its agent is dropped. Clones share
/// their state.
///
/// ```no_run
/// use ag_ui_native::server::{Run, axum::{RunOptions, Shutdown, agent_with}};
/// use ag_ui_native::{Error, Value};
///
/// # async fn serve(terminated: impl Future<Output = ()> + Send + 'static) -> std::io::Result<()> {
/// let shutdown = Shutdown::new();
/// let options = RunOptions::default().with_shutdown(shutdown.clone());
/// let agent = agent_with(|_: Run| async { Ok::<Option<Value>, Error>(None) }, options);
/// let app: axum::Router = axum::Router::new().route("/", agent);
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
/// let begins = shutdown.clone();
/// let ending = async move {
///     terminated.await;
///     begins.begin();
/// };
/// let server = axum::serve(listener, app).with_graceful_shutdown(ending);
/// shutdown.wait_for(server, std::time::Duration::from_secs(10)).await
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Shutdown(Arc<watch::Sender<bool>>);

impl Shutdown {
    /// Makes a shutdown that has not begun.
    pub fn new() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }

    /// Ends all runs. Runs of later requests end at once.
    pub fn begin(&self) {
        self.0.send_replace(true);
    }

    /// True if the shutdown has begun.
    pub(super) fn has_begun(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits for a server that shuts down gracefully, up to `longest` after the shutdown has begun. A server waits for
    /// each connection, and cannot close one whose client does not read. Such connections are closed when the runtime
    /// is dropped, at the end of `main`. Choose a longer time than [`RunOptions::grace`](super::RunOptions::grace).
    ///
    /// # Errors
    /// Those of the server.
    pub async fn wait_for<S, E>(&self, server: S, longest: Duration) -> Result<(), E>
    where
        S: IntoFuture<Output = Result<(), E>>,
    {
        let all = async {
            let ended = server.into_future().await;
            if self.has_begun() {
                // The server does not track WebSockets, so they are awaited here.
                self.0.closed().await;
            }
            ended
        };
        let mut server = pin!(all);
        let over = async {
            self.begun().await;
            sleep(longest).await;
        };
        let mut over = pin!(over);
        poll_fn(|context| match server.as_mut().poll(context) {
            Poll::Pending if over.as_mut().poll(context).is_ready() => {
                tracing::warn!(target: "ag_ui_native::server", "the server stops with open connections: their clients do not read the end of their runs");
                Poll::Ready(Ok(()))
            }
            ended => ended,
        })
        .await
    }

    /// Makes the shutdown wait until the returned receiver is dropped.
    #[cfg(any(feature = "websocket", feature = "durable"))]
    pub(super) fn hold(&self) -> watch::Receiver<bool> {
        self.0.subscribe()
    }

    /// Completes when the shutdown has begun.
    pub(super) async fn begun(&self) {
        // The sender lives as long as this value, so no error is possible.
        let _ = self.0.subscribe().wait_for(|has_begun| *has_begun).await;
    }
}

impl Default for Shutdown {
    fn default() -> Self {
        Self::new()
    }
}
