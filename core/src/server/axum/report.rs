//! The log of runs. The client learns only that a run has failed.

use std::fmt::Display;

use crate::server::bindings::FAILED;
use crate::server::{Note, Run};
use crate::types::RunAgentInput;

/// Logs the error of an agent.
pub(super) fn report(run: &Run, error: &dyn Display) {
    let RunAgentInput { thread_id, run_id, .. } = run.input();
    tracing::error!(target: "ag_ui_native::server", thread_id, run_id, %error, "{FAILED}");
}

/// Logs the place of an agent's panic.
pub(super) fn report_panic(run: &Run, place: &str) {
    let RunAgentInput { thread_id, run_id, .. } = run.input();
    tracing::error!(target: "ag_ui_native::server", thread_id, run_id, place, code = "agent_failed", "the agent panicked");
}

/// Logs the notes about a state or a result that the client does not get.
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
