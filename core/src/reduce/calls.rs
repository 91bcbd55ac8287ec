//! The tool calls of a run, with the information which of them have a result.

use crate::collections::IndexMap;
use crate::types::{Event, ToolCallChunkEvent};

/// The state of a run's calls, in the order in which they were first named.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calls(IndexMap<String, CallEntry>);

#[derive(Clone, Copy, Debug, Default)]
struct CallEntry {
    started: bool,
    answered: bool,
}

impl Calls {
    /// Records the effect of an event on a call.
    #[inline]
    pub fn note(&mut self, event: &Event) {
        match event {
            Event::ToolCallStart(event) => self.call(&event.tool_call_id).started = true,
            Event::ToolCallChunk(ToolCallChunkEvent { tool_call_id: Some(id), .. }) => {
                self.call(id).started = true;
            }
            Event::ToolCallResult(event) => self.call(&event.tool_call_id).answered = true,
            Event::RunStarted(_) => self.0.clear(),
            _ => {}
        }
    }

    /// The ids of the calls that were started in this run and have no result.
    pub fn pending(&self) -> Vec<String> {
        let pending = self.0.iter().filter(|(_, call)| call.started && !call.answered);
        pending.map(|(id, _)| id.clone()).collect()
    }

    fn call(&mut self, id: &str) -> &mut CallEntry {
        let known = self.0.get_index_of(id);
        let at = known.unwrap_or_else(|| self.0.insert_full(id.to_owned(), CallEntry::default()).0);
        &mut self.0[at]
    }
}
