//! Calls of tools that a run has started, and which of them have a result.

use crate::maps::IndexMap;
use crate::types::{Event, ToolCallChunkEvent};

/// What a run has done about its calls, in the order in which it first named them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calls(IndexMap<String, Call>);

#[derive(Clone, Copy, Debug, Default)]
struct Call {
    started: bool,
    answered: bool,
}

impl Calls {
    /// Takes note of what an event does about a call.
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

    /// The ids of those that were started here and have no result.
    pub fn pending(&self) -> Vec<String> {
        let pending = self.0.iter().filter(|(_, call)| call.started && !call.answered);
        pending.map(|(id, _)| id.clone()).collect()
    }

    fn call(&mut self, id: &str) -> &mut Call {
        let known = self.0.get_index_of(id);
        let at = known.unwrap_or_else(|| self.0.insert_full(id.to_owned(), Call::default()).0);
        &mut self.0[at]
    }
}
