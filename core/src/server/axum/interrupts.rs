//! The pending interrupts of a conversation, from the application.

use std::fmt::{self, Display};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::error::{Code, Error};
use crate::server::Refusal;
use crate::types::{Interrupt, RunAgentInput};

type Known = Pin<Box<dyn Future<Output = Result<Vec<Interrupt>, String>> + Send>>;

/// A function that returns the interrupts of a conversation that wait for an answer.
///
/// ```
/// use ag_ui_native::server::axum::RunOptions;
/// use ag_ui_native::types::Interrupt;
///
/// let options = RunOptions::default()
///     .with_pending_interrupts(|_input| async { Ok::<Vec<Interrupt>, ag_ui_native::Error>(vec![]) });
/// ```
#[derive(Clone)]
pub struct PendingInterrupts(Arc<dyn Fn(RunAgentInput) -> Known + Send + Sync>);

impl PendingInterrupts {
    pub(super) fn new<F, W, E>(find: F) -> Self
    where
        F: Fn(RunAgentInput) -> W + Send + Sync + 'static,
        W: Future<Output = Result<Vec<Interrupt>, E>> + Send + 'static,
        E: Display,
    {
        Self(Arc::new(move |input| {
            let known = find(input);
            Box::pin(async move { known.await.map_err(|error| error.to_string()) })
        }))
    }

    /// Refuses an input that does not answer a pending interrupt.
    pub(super) async fn check(&self, input: &RunAgentInput) -> Result<(), Refusal> {
        let pending = (self.0)(input.clone()).await.map_err(|error| {
            let RunAgentInput { thread_id, run_id, .. } = input;
            tracing::error!(target: "ag_ui_native::server", thread_id, run_id, %error, "the function of `pending_interrupts` failed: the request is answered with status 500");
            Error::new(Code::Internal, "")
        })?;
        Ok(input.check_resume(&pending, unix_millis())?)
    }
}

/// The time in milliseconds since the Unix epoch.
pub(super) fn unix_millis() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

impl fmt::Debug for PendingInterrupts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("PendingInterrupts")
    }
}
