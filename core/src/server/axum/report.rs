//! What the log hears of runs: the client learns only that something has failed.

use std::fmt::Display;

use crate::server::Run;
use crate::server::run::Unsent;
use crate::types::RunAgentInput;

/// What an agent has failed with.
pub(super) fn report(run: &Run, error: &dyn Display) {
    let RunAgentInput { thread_id, run_id, .. } = run.input();
    tracing::error!(target: "ag_ui_native::server", thread_id, run_id, %error, "the agent failed");
}

/// Where it has panicked.
pub(super) fn report_panic(run: &Run, place: &str) {
    let RunAgentInput { thread_id, run_id, .. } = run.input();
    tracing::error!(target: "ag_ui_native::server", thread_id, run_id, place, code = "agent_failed", "the agent panicked");
}

/// Why the client does not have the state, if that is so: it may be what has ended the run.
pub(super) fn report_unsent(run: &Run) {
    let Some(Unsent { error, has_ended_the_run }) = run.take_unsent() else { return };
    if has_ended_the_run {
        return report(run, &error);
    }
    let RunAgentInput { thread_id, run_id, .. } = run.input();
    tracing::warn!(target: "ag_ui_native::server", thread_id, run_id, %error, "the state could not be sent");
}
