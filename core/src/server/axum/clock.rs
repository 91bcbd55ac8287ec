//! The clock of a run: its time limit, and the shutdown of its server.

use std::future::pending;
use std::sync::Arc;

use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout_at};

use super::options::RunOptions;
use super::shutdown::Shutdown;
use super::work::Work;
use crate::server::{Cause, Run};

/// Ends a run at its time limit or at the server's shutdown. It is a task of its own, because the body is not polled
/// while the client does not read. Dropping it stops the task.
pub(super) struct Clock {
    task: Option<JoinHandle<()>>,
    /// True when the time for reading the rest is over.
    has_run_out: Arc<watch::Sender<bool>>,
}

impl Clock {
    /// Starts the clock of a run with this deadline.
    pub fn start(run: &Run, work: &Arc<Work>, deadline: Option<Instant>, options: &RunOptions) -> Self {
        let has_run_out = Arc::new(watch::Sender::new(false));
        if deadline.is_none() && options.shutdown.is_none() {
            return Self { task: None, has_run_out };
        }
        let (run, work, struck) = (run.clone(), Arc::clone(work), Arc::clone(&has_run_out));
        let shutdown = options.shutdown.clone();
        let task = tokio::spawn(async move {
            let cause = first(deadline, shutdown.as_ref()).await;
            run.decide(cause.clone());
            if run.is_running() {
                work.cancel(cause).await;
            }
            let grace = loop {
                match run.grace() {
                    Some(grace) => break grace,
                    // The agent itself has ended the run: the client may read until the server shuts down.
                    None => run.decide(first(None, shutdown.as_ref()).await),
                }
            };
            sleep(grace).await;
            struck.send_replace(true);
            drop(run.take());
        });
        Self { task: Some(task), has_run_out }
    }

    /// True if the time for reading the rest is over.
    pub fn has_run_out(&self) -> bool {
        *self.has_run_out.borrow()
    }

    /// Completes when the time for reading the rest is over.
    #[cfg(feature = "websocket")]
    pub fn run_out(&self) -> impl Future<Output = ()> + use<> {
        let mut has_run_out = self.has_run_out.subscribe();
        async move {
            if has_run_out.wait_for(|has_run_out| *has_run_out).await.is_err() {
                pending::<()>().await;
            }
        }
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

/// Waits for the deadline or the shutdown, and returns the cause.
async fn first(deadline: Option<Instant>, shutdown: Option<&Shutdown>) -> Cause {
    let begun = async {
        match shutdown {
            Some(shutdown) => shutdown.begun().await,
            None => pending().await,
        }
        Cause::Stopped
    };
    match deadline {
        Some(deadline) => timeout_at(deadline, begun).await.unwrap_or(Cause::TimedOut),
        None => begun.await,
    }
}
