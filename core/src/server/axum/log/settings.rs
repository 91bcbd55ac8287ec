//! The log of a server, and who may use it.

use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;

use axum::http::request::Parts;
use tokio::sync::watch;

use super::driver::OnLog;
use crate::bindings::durable::{Log, LogAction, LogNotice, LogOptions, Occupancy, Place, PrefixCache};
use crate::error::Error;
use crate::server::axum::shutdown::Shutdown;

type Scope = Pin<Box<dyn Future<Output = Option<String>> + Send>>;
type Authorize = dyn Fn(&Parts, LogAction, Option<&str>, Option<&str>) -> Scope + Send + Sync;

/// The log of a server: runs go on without their clients, which resume, join and cancel them.
///
/// ```
/// use ag_ui_native::durable::MemoryLog;
/// use ag_ui_native::server::axum::{RunLog, RunOptions};
///
/// let log = RunLog::new(MemoryLog::default(), |request, _action, _thread_id, _run_id| {
///     let user = request.headers.get("x-user").and_then(|user| user.to_str().ok()).map(str::to_owned);
///     async move { user } // the scope of the request: users see only their own runs
/// });
/// let options = RunOptions::default().with_log(log);
/// ```
#[derive(Clone)]
pub struct RunLog {
    pub(super) log: Arc<dyn Log>,
    pub(super) options: LogOptions,
    pub(super) authorize: Option<Arc<Authorize>>,
    pub(super) prefixes: PrefixCache,
    pub(super) occupancy: Occupancy,
    pub(super) on_log: Option<OnLog>,
    /// True when the process shuts down. Each run listens, and [`RunLog::drain`] waits for it.
    is_draining: Arc<watch::Sender<bool>>,
    /// The same for connections, which are not awaited.
    is_closing: Arc<watch::Sender<bool>>,
}

impl RunLog {
    /// A log whose requests are authorized by a function of the request, the action, and the ids of thread and run. It
    /// returns the scope: a request sees only the threads of its scope. Without a scope it is answered with status 404.
    pub fn new<L, A, F>(log: L, authorize: A) -> Self
    where
        L: Log,
        A: Fn(&Parts, LogAction, Option<&str>, Option<&str>) -> F + Send + Sync + 'static,
        F: Future<Output = Option<String>> + Send + 'static,
    {
        let authorize: Arc<Authorize> =
            Arc::new(move |parts, action, thread, run| Box::pin(authorize(parts, action, thread, run)));
        Self { authorize: Some(authorize), ..Self::public(log) }
    }

    /// A log that everybody may read who knows the ids of thread and run.
    pub fn public(log: impl Log) -> Self {
        Self {
            log: Arc::new(log),
            options: LogOptions::default(),
            authorize: None,
            prefixes: PrefixCache::default(),
            occupancy: Occupancy::default(),
            on_log: None,
            is_draining: Arc::new(watch::Sender::new(false)),
            is_closing: Arc::new(watch::Sender::new(false)),
        }
    }

    /// The same log with these options.
    #[must_use]
    pub fn with_options(self, options: LogOptions) -> Self {
        Self { options, ..self }
    }

    /// Calls this function with what happens to runs and to requests, for metrics and logs of the application. It is called on
    /// the server's tasks, so it should be fast.
    #[must_use]
    pub fn with_on_log(self, on_log: impl Fn(&LogNotice) + Send + Sync + 'static) -> Self {
        Self { on_log: Some(Arc::new(on_log)), ..self }
    }

    /// Starts no more runs, and waits until those of this process have ended: each has the time
    /// [`LogOptions::drain`], and ends with RUN_ERROR `producer_lost` after it. Connections that read end a second later,
    /// whatever run they read: their clients resume at another process. Call it when the process shuts down, while its connections
    /// are still open. A [`Shutdown`] of the options does the same for its server.
    ///
    /// ```
    /// use ag_ui_native::durable::{LogOptions, MemoryLog};
    /// use ag_ui_native::server::axum::RunLog;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let log = RunLog::public(MemoryLog::default()).with_options(LogOptions::default());
    /// log.drain().await;
    /// # }
    /// ```
    pub async fn drain(&self) {
        self.occupancy.drain();
        self.is_closing.send_replace(true);
        self.is_draining.send_replace(true);
        self.is_draining.closed().await;
    }

    /// What a run waits for until it has to end.
    pub(super) fn draining(&self, shutdown: Option<Shutdown>) -> Draining {
        Draining::new(&self.is_draining, shutdown)
    }

    /// What a connection waits for until it has to end.
    pub(super) fn closing(&self, shutdown: Option<Shutdown>) -> Draining {
        Draining::new(&self.is_closing, shutdown)
    }

    /// Counts a connection that reads runs of a scope.
    pub(super) fn seat(&self, scope: &str) -> Result<Place, Error> {
        self.occupancy.reader(scope, self.options.max_readers)
    }

    /// The scope of a request.
    pub(super) async fn scope(
        &self,
        parts: &Parts,
        action: LogAction,
        thread_id: Option<&str>,
        run_id: Option<&str>,
    ) -> Option<String> {
        match &self.authorize {
            Some(authorize) => authorize(parts, action, thread_id, run_id).await,
            None => Some(String::new()),
        }
    }
}

/// Says when the process shuts down. The shutdown waits until it is dropped.
pub struct Draining {
    is_draining: watch::Receiver<bool>,
    shutdown: Option<(Shutdown, watch::Receiver<bool>)>,
}

impl Draining {
    fn new(said: &watch::Sender<bool>, shutdown: Option<Shutdown>) -> Self {
        let shutdown = shutdown.map(|shutdown| (shutdown.clone(), shutdown.hold()));
        Self { is_draining: said.subscribe(), shutdown }
    }

    /// Completes when the process shuts down.
    pub fn begun(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut is_draining = self.is_draining.clone();
        let shutdown = self.shutdown.as_ref().map(|(shutdown, _)| shutdown.clone());
        async move {
            // The sender lives as long as its log: without it, no shutdown is said.
            let mut said = pin!(is_draining.wait_for(|is_draining| *is_draining));
            let mut shut = shutdown.map(|shutdown| Box::pin(async move { shutdown.begun().await }));
            poll_fn(|context| {
                let is_shut = shut.as_mut().is_some_and(|shut| shut.as_mut().poll(context).is_ready());
                let is_said = said.as_mut().poll(context).is_ready();
                if is_shut || is_said { Poll::Ready(()) } else { Poll::Pending }
            })
            .await;
        }
    }
}

impl fmt::Debug for RunLog {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RunLog").field("options", &self.options).finish_non_exhaustive()
    }
}
