//! An agent at work.

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

/// An agent at work. The body of its run polls it; the body and the clock may take it away.
pub(super) struct Work {
    run: Run,
    /// Nothing when it has come to its end.
    task: Mutex<Option<Task>>,
    /// The end of its time.
    deadline: Option<Instant>,
}

impl Work {
    pub fn new(run: Run, task: impl Future<Output = ()> + Send + 'static, deadline: Option<Instant>) -> Self {
        Self { run, task: Mutex::new(Some(Box::pin(task))), deadline }
    }

    /// Goes on with it. A panic is its failure.
    pub fn poll(&self, context: &mut Context<'_>) {
        // Who has it else is taking it away.
        let Ok(mut task) = self.task.try_lock() else { return };
        let Some(work) = &mut *task else { return };
        match watch(|| work.as_mut().poll(context)) {
            Ok(Poll::Pending) => {}
            Ok(Poll::Ready(())) => *task = None,
            Err(place) => {
                report_panic(&self.run, &place);
                // What it writes when it is dropped comes too late.
                self.run.conclude(Cause::Raised(None));
                self.discard(task.take());
            }
        }
    }

    /// True if it has come to its end, or is being taken away.
    pub fn is_over(&self) -> bool {
        self.task.try_lock().is_ok_and(|task| task.is_none())
    }

    /// Ends the run, and drops the agent with it. Waits while it is at something that it does not await.
    pub async fn cancel(&self, cause: Cause) {
        let mut task = self.task.lock().await;
        self.run.conclude(cause);
        report_notes(&self.run);
        self.discard(task.take());
    }

    /// Has the agent go on in a task of its own after the end of its run: the body of a client that reads nothing is not polled.
    pub fn release_at_end(self: &Arc<Self>) {
        let Ok(runtime) = Handle::try_current() else { return };
        let work = Arc::downgrade(self);
        self.run.when_ended(move || {
            // Who polls it now releases it behind that.
            let idle = work.upgrade().filter(|work| work.task.try_lock().is_ok_and(|task| task.is_some()));
            if let Some(work) = idle {
                runtime.spawn(async move { work.release() });
            }
        });
    }

    /// Lets go of an agent whose run has ended: one that has ended it itself goes on in a task of its own.
    pub fn release(&self) {
        let Ok(mut task) = self.task.try_lock() else { return };
        let Some(work) = task.take() else { return };
        if self.run.is_cancelled() {
            self.discard(Some(work));
        } else {
            tokio::spawn(go_on(work, self.run.clone(), self.deadline));
        }
    }

    /// The client has gone.
    pub fn abandon(&self) {
        if !self.run.has_ended() {
            self.run.conclude(Cause::ClientGone);
        }
        if let Ok(mut task) = self.task.try_lock() {
            self.discard(task.take());
        }
    }

    /// Drops an agent, which may panic at that, too.
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
