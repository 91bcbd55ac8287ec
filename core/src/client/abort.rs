//! Aborting a run from another task or thread.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Waker};

/// Aborts the current run of an agent, from any task or thread.
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
/// let handle = agent.abort_handle();
/// assert!(!handle.abort(), "no run is active");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct AbortHandle {
    state: Arc<Mutex<AbortState>>,
}

#[derive(Debug, Default)]
struct AbortState {
    running: bool,
    aborted: bool,
    waker: Option<Waker>,
}

impl AbortHandle {
    /// Aborts the current run: it ends with the outcome `aborted`, and its connection is closed. Returns false if there is none.
    pub fn abort(&self) -> bool {
        let mut state = self.state();
        state.aborted = state.running;
        let (aborted, waker) = (state.aborted, state.waker.take());
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
        aborted
    }

    /// Begins a run. It lasts as long as the returned value.
    pub(super) fn begin(&self) -> Running {
        *self.state() = AbortState { running: true, ..AbortState::default() };
        Running(self.clone())
    }

    fn state(&self) -> MutexGuard<'_, AbortState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The current run of an agent.
#[derive(Debug)]
pub(super) struct Running(AbortHandle);

impl Running {
    /// Returns true if the run was aborted. Otherwise the task is woken when it is.
    pub fn is_aborted(&self, context: &Context<'_>) -> bool {
        let mut state = self.0.state();
        if !state.aborted && !state.waker.as_ref().is_some_and(|known| known.will_wake(context.waker())) {
            state.waker = Some(context.waker().clone());
        }
        state.aborted
    }

    /// True if it has been aborted.
    pub fn has_aborted(&self) -> bool {
        self.0.state().aborted
    }

    /// Ends the run.
    pub fn end(&self) {
        *self.0.state() = AbortState::default();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}
