//! A conversation as a model gets it.

use crate::collections::IndexMap;
use crate::types::{Content, Message, ReasoningMessage, ToolCall, ToolMessage};

/// One turn of the conversation.
#[derive(Debug)]
pub(super) enum Turn<'m> {
    /// Instructions of the developer or the system.
    Instructions { role: &'static str, text: &'m str },
    /// What the user says, and the place of the message.
    User(&'m Content, usize),
    /// The model's own reasoning.
    Reasoning(&'m ReasoningMessage),
    /// What the model has said and called. One of them is not empty.
    Assistant { text: &'m str, calls: Vec<Answered<'m>> },
}

/// A call with its result, and the place of the result.
#[derive(Debug)]
pub(super) struct Answered<'m> {
    pub call: &'m ToolCall,
    pub result: &'m ToolMessage,
    pub place: usize,
}

/// The turns of the conversation. Providers refuse calls without a result, results without a call, and other messages between them:
/// what a cut or cancelled run has left must not stop the conversation.
pub(super) fn turns(messages: &[Message]) -> Vec<Turn<'_>> {
    let own = || messages.iter().enumerate().filter(|(_, message)| message.subagent_run_id().is_none());
    let results: Results<'_> = own()
        .filter_map(|(place, message)| match message {
            Message::Tool(result) => Some((result.tool_call_id.as_str(), (result, place))),
            _ => None,
        })
        .collect();
    let mut turns: Vec<_> = own().filter_map(|(place, message)| turn(message, place, &results)).collect();
    // Reasoning that led to nothing is left out: what followed it was left out, or never came.
    let mut leads = false;
    let is_kept = |turn: &Turn<'_>| {
        let is_reasoning = matches!(turn, Turn::Reasoning(_));
        leads = matches!(turn, Turn::Assistant { .. }) || leads && is_reasoning;
        leads || !is_reasoning
    };
    let mut kept: Vec<_> = turns.iter().rev().map(is_kept).collect();
    turns.retain(|_| kept.pop().unwrap_or(true));
    turns
}

/// The results by the ids of their calls, with their places.
type Results<'m> = IndexMap<&'m str, (&'m ToolMessage, usize)>;

fn turn<'m>(message: &'m Message, place: usize, results: &Results<'m>) -> Option<Turn<'m>> {
    Some(match message {
        Message::Developer(message) => Turn::Instructions { role: "developer", text: &message.content },
        Message::System(message) => Turn::Instructions { role: "system", text: &message.content },
        Message::User(message) => Turn::User(&message.content, place),
        Message::Reasoning(message) => Turn::Reasoning(message),
        Message::Assistant(message) => {
            let text = message.content.as_deref().unwrap_or_default();
            let calls = message.tool_calls.iter().flatten().filter_map(|call| {
                let &(result, place) = results.get(call.id.as_str())?;
                Some(Answered { call, result, place })
            });
            let calls: Vec<_> = calls.collect();
            if text.is_empty() && calls.is_empty() {
                return None;
            }
            Turn::Assistant { text, calls }
        }
        Message::Tool(_) | Message::Activity(_) | Message::Unknown(_) => return None,
    })
}
