//! What the log hears of runs: the client learns only that something has failed.

use std::fmt::Display;

use crate::server::{FAILED, Note, Run};
use crate::types::RunAgentInput;

/// What an agent has failed with.
pub(super) fn report(run: &Run, error: &dyn Display) {
    let RunAgentInput { thread_id, run_id, .. } = run.input();
    tracing::error!(target: "ag_ui_native::server", thread_id, run_id, %error, "{FAILED}");
}

/// Where it has panicked.
pub(super) fn report_panic(run: &Run, place: &str) {
    let RunAgentInput { thread_id, run_id, .. } = run.input();
    tracing::error!(target: "ag_ui_native::server", thread_id, run_id, place, code = "agent_failed", "the agent panicked");
}

/// What has become of a state or a result that the client does not have.
pub(super) fn report_notes(run: &Run) {
    for note in run.take_notes() {
        let text = note.text();
        match note {
            Note::StateFailed(error) | Note::EndRefused(error) => report(run, &error),
            Note::StateLeftOut(error) | Note::ValueLost(error) => {
                let RunAgentInput { thread_id, run_id, .. } = run.input();
                tracing::warn!(target: "ag_ui_native::server", thread_id, run_id, %error, "{text}");
            }
        }
    }
}
