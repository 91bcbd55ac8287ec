//! The end of a run.

use super::{Change, EventReduction, RunEnd};
use crate::types::{RunFinishedEvent, RunFinishedOutcome};

impl EventReduction<'_> {
    /// Applies RUN_FINISHED. `pending` are the calls without a result; the event's own list takes precedence.
    pub(super) fn run_finished(&mut self, event: RunFinishedEvent, pending: Vec<String>) {
        let end = match event.outcome {
            Some(RunFinishedOutcome::Interrupt(outcome)) => RunEnd::Interrupt(outcome.interrupts),
            Some(RunFinishedOutcome::Cancelled(_)) => RunEnd::Cancelled,
            outcome => {
                let named = match outcome {
                    Some(RunFinishedOutcome::Success(outcome)) => outcome.pending_tool_call_ids,
                    _ => None,
                };
                let pending_tool_call_ids = named.filter(|ids| !ids.is_empty()).unwrap_or(pending);
                RunEnd::Success { result: event.result, pending_tool_call_ids }
            }
        };
        let interrupts =
            if let RunEnd::Interrupt(interrupts) = &end { interrupts.clone() } else { Vec::new() };
        self.change(Change::SetInterrupts(interrupts));
        self.change(Change::RunFinished { end, usage: event.usage });
    }
}
