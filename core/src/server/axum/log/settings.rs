//! The log of a server, and who may use it.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};

use axum::http::request::Parts;

use crate::bindings::durable::{Log, LogAction, LogOptions, PrefixCache};

/// The largest sum of the bytes of the prefixes that a server keeps.
const PREFIX_BYTES: usize = 64 << 20;

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
    pub(super) prefixes: Arc<Mutex<PrefixCache>>,
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
        let prefixes = Arc::new(Mutex::new(PrefixCache::new(PREFIX_BYTES)));
        Self { log: Arc::new(log), options: LogOptions::default(), authorize: None, prefixes }
    }

    /// The same log with these options.
    #[must_use]
    pub fn with_options(self, options: LogOptions) -> Self {
        Self { options, ..self }
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

impl fmt::Debug for RunLog {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RunLog").field("options", &self.options).finish_non_exhaustive()
    }
}
