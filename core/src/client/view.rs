//! The view of a run that subscribers get.

use std::sync::PoisonError;

use super::arguments::Arguments;
use super::result::RunOutcome;
use crate::json::Value;
use crate::reduce::{Conversation, Place, Reducer, RunEnd};
use crate::types::RunAgentInput;

/// A run as subscribers see it.
#[derive(Clone, Copy, Debug)]
pub struct RunView<'r> {
    pub(super) conversation: &'r Conversation,
    pub(super) reducer: Option<&'r Reducer>,
    pub(super) input: Option<&'r RunAgentInput>,
    pub(super) end: Option<&'r RunEnd>,
    pub(super) arguments: &'r Arguments,
}

impl<'r> RunView<'r> {
    /// The conversation as it is now.
    pub fn conversation(&self) -> &'r Conversation {
        self.conversation
    }

    /// The input of the run; `None` if the application itself changes the conversation.
    pub fn input(&self) -> Option<&'r RunAgentInput> {
        self.input
    }

    /// The message with an id, as JSON.
    pub fn message(&self, id: &str) -> Option<&'r Value> {
        match self.reducer?.message(id)? {
            Place::Message(slot) | Place::Call(slot, _) => Some(self.conversation.message(slot)),
        }
    }

    /// The text of a message so far: before the effect of an event, without its delta.
    pub fn text(&self, id: &str) -> Option<&'r str> {
        self.message(id)?.as_object()?.get("content")?.as_str()
    }

    /// The name and the arguments of a tool call so far.
    pub fn tool_call(&self, id: &str) -> Option<(&'r str, &'r str)> {
        let Place::Call(slot, at) = self.reducer?.call(id)? else { return None };
        let calls = self.conversation.message(slot).as_object()?.get("toolCalls")?.as_array()?;
        let function = calls.get(at)?.as_object()?.get("function")?.as_object()?;
        Some((function.get("name")?.as_str()?, function.get("arguments")?.as_str()?))
    }

    /// Parses the arguments of a tool call so far, as if everything that is open in them were closed. Calling it for each delta reads each
    /// byte once.
    pub fn partial_arguments(&self, id: &str) -> Option<Value> {
        let (_, text) = self.tool_call(id)?;
        Some(self.arguments.lock().unwrap_or_else(PoisonError::into_inner).value(id, text))
    }

    /// Before the effect of RUN_FINISHED: how the run ends.
    pub fn outcome(&self) -> Option<RunOutcome> {
        self.end.cloned().map(RunOutcome::from)
    }
}
