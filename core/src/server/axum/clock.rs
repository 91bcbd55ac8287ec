//! What ends a run from outside: its time, and the end of its server.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout_at};

use super::options::Options;
use super::shutdown::Shutdown;
use super::work::Work;
use crate::server::{Cause, Run};

/// Ends a run when it is time to, in a task of its own: the body of an answer is not polled while its client does not read. Dropped, it does
/// no more.
pub(super) struct Clock {
    task: Option<JoinHandle<()>>,
    has_run_out: Arc<AtomicBool>,
}

impl Clock {
    /// A clock for a run that may take until then.
    pub fn start(run: &Run, work: &Arc<Work>, deadline: Option<Instant>, options: &Options) -> Self {
        let has_run_out = Arc::<AtomicBool>::default();
        if deadline.is_none() && options.shutdown.is_none() {
            return Self { task: None, has_run_out };
        }
        let (run, work, struck) = (run.clone(), Arc::clone(work), Arc::clone(&has_run_out));
        let (shutdown, grace) = (options.shutdown.clone(), options.grace);
        let task = tokio::spawn(async move {
            let cause = first(deadline, shutdown.as_ref()).await;
            let is_limited = run.decide(cause.clone());
            if run.is_running() {
                work.cancel(cause).await;
            }
            if !is_limited {
                // It has ended by itself: who reads the rest has time until the server ends.
                run.decide(first(None, shutdown.as_ref()).await);
            }
            sleep(grace).await;
            struck.store(true, Ordering::SeqCst);
            drop(run.take());
        });
        Self { task: Some(task), has_run_out }
    }

    /// True if the client has had its time to take what was left.
    pub fn has_run_out(&self) -> bool {
        self.has_run_out.load(Ordering::SeqCst)
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

/// What ends the run that lasts until the first of both.
async fn first(deadline: Option<Instant>, shutdown: Option<&Shutdown>) -> Cause {
    let begun = async {
        match shutdown {
            Some(shutdown) => shutdown.begun().await,
            None => std::future::pending().await,
        }
        Cause::Stopped
    };
    match deadline {
        Some(deadline) => timeout_at(deadline, begun).await.unwrap_or(Cause::TimedOut),
        None => begun.await,
    }
}
