//! The end of a server: runs end before it does.

use std::pin::Pin;
use std::sync::Arc;

use tokio::sync::watch;

/// Tells runs that their server shuts down: each ends as cancelled, and its agent is dropped. Clones are the same.
///
/// ```no_run
/// use ag_ui_native::server::{Run, axum::{Options, Shutdown, agent_with}};
/// use ag_ui_native::{Error, Value};
///
/// # async fn serve(terminated: impl Future<Output = ()> + Send + 'static) -> std::io::Result<()> {
/// let shutdown = Shutdown::new();
/// let mut options = Options::default();
/// options.shutdown = Some(shutdown.clone());
/// let agent = agent_with(|_: Run| async { Ok::<Option<Value>, Error>(None) }, options);
/// let app: axum::Router = axum::Router::new().route("/", agent);
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
/// let ending = async move {
///     terminated.await;
///     shutdown.begin();
/// };
/// axum::serve(listener, app).with_graceful_shutdown(ending).await
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Shutdown(Arc<watch::Sender<bool>>);

impl Shutdown {
    /// One that has not begun.
    pub fn new() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }

    /// Ends all runs; those that are asked for later end at once.
    pub fn begin(&self) {
        self.0.send_replace(true);
    }

    /// Comes to its end when it has begun.
    pub(super) fn begun(&self) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let mut begun = self.0.subscribe();
        Box::pin(async move {
            if begun.wait_for(|has_begun| *has_begun).await.is_err() {
                // Nobody is left who could begin it.
                std::future::pending::<()>().await;
            }
        })
    }
}

impl Default for Shutdown {
    fn default() -> Self {
        Self::new()
    }
}
