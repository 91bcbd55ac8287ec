//! The task that runs an agent.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::runtime::Handle;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout_at};

use super::panics::watch;
use super::report::{report_notes, report_panic};
use crate::server::{Cause, Run};

type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The task that runs an agent. The body of the response polls it; the body and the clock may remove it.
pub(super) struct Work {
    run: Run,
    /// `None` when the agent has ended.
    task: Mutex<Option<Task>>,
    /// The end of the agent's time limit.
    deadline: Option<Instant>,
}

impl Work {
    pub fn new(run: Run, task: impl Future<Output = ()> + Send + 'static, deadline: Option<Instant>) -> Self {
        Self { run, task: Mutex::new(Some(Box::pin(task))), deadline }
    }

    /// Polls the agent. A panic counts as its failure.
    pub fn poll(&self, context: &mut Context<'_>) {
        // If it is locked, another task is removing the agent.
        let Ok(mut task) = self.task.try_lock() else { return };
        let Some(work) = &mut *task else { return };
        match watch(|| work.as_mut().poll(context)) {
            Ok(Poll::Pending) => {}
            Ok(Poll::Ready(())) => *task = None,
            Err(place) => {
                report_panic(&self.run, &place);
                // Concluded first: events that the agent writes while it is dropped come too late.
                self.run.conclude(Cause::Raised(None));
                self.discard(task.take());
            }
        }
    }

    /// True if the agent has ended, or is being removed.
    pub fn is_over(&self) -> bool {
        self.task.try_lock().is_ok_and(|task| task.is_none())
    }

    /// Ends the run, and drops the agent. If the agent is being polled, it waits for the end of that poll.
    pub async fn cancel(&self, cause: Cause) {
        let mut task = self.task.lock().await;
        self.run.conclude(cause);
        report_notes(&self.run);
        self.discard(task.take());
    }

    /// Moves the agent to a task of its own after the end of its run: the body is not polled while its client does not
    /// read.
    pub fn release_at_end(self: &Arc<Self>) {
        let Ok(runtime) = Handle::try_current() else { return };
        let work = Arc::downgrade(self);
        self.run.when_ended(move || {
            // If the body is polling the agent now, it releases the agent itself after that.
            let idle = work.upgrade().filter(|work| work.task.try_lock().is_ok_and(|task| task.is_some()));
            if let Some(work) = idle {
                runtime.spawn(async move { work.release() });
            }
        });
    }

    /// Removes the agent of a run that has ended. If the agent has ended the run itself, it continues in a task of its
    /// own.
    pub fn release(&self) {
        let Ok(mut task) = self.task.try_lock() else { return };
        let Some(work) = task.take() else { return };
        if self.run.is_cancelled() {
            self.discard(Some(work));
        } else {
            tokio::spawn(go_on(work, self.run.clone(), self.deadline));
        }
    }

    /// Called when the client has disconnected.
    pub fn abandon(&self) {
        if !self.run.has_ended() {
            self.run.conclude(Cause::ClientGone);
        }
        if let Ok(mut task) = self.task.try_lock() {
            self.discard(task.take());
        }
    }

    /// Drops the agent, which may panic.
    fn discard(&self, task: Option<Task>) {
        if let Err(place) = watch(|| drop(task)) {
            report_panic(&self.run, &place);
        }
    }
}

async fn go_on(mut task: Task, run: Run, deadline: Option<Instant>) {
    let working = poll_fn(|context| {
        watch(|| task.as_mut().poll(context)).unwrap_or_else(|place| {
            report_panic(&run, &place);
            Poll::Ready(())
        })
    });
    match deadline {
        Some(deadline) => drop(timeout_at(deadline, working).await),
        None => working.await,
    }
}
