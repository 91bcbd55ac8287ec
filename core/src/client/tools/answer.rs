//! The message that answers a call of a tool.

use crate::encode::to_json;
use crate::ids::IdKind;
use crate::limits::Limits;
use crate::types::{Message, ToolMessage};

/// The message that answers a call of a tool. A failed tool answers with its error, so that the model can react. An answer longer than the
/// limit `event_bytes` becomes an error, too: a server with the same limit would refuse the next request.
pub fn answer_tool(tool_call_id: &str, answer: Result<String, String>, limits: &Limits) -> Message {
    let length = answer.as_ref().map_or_else(String::len, String::len);
    let message = answer_of(tool_call_id, answer);
    // A byte takes at most six bytes in JSON, and the rest of a message is short.
    if length.saturating_mul(6).saturating_add(MOST_AROUND) <= limits.event_bytes
        || to_json(&message).len() <= limits.event_bytes
    {
        return message;
    }
    let most = limits.event_bytes;
    answer_of(tool_call_id, Err(format!("The result is too long for a message (event_bytes is {most}).")))
}

/// The maximum number of bytes of a message besides the answer.
const MOST_AROUND: usize = 4096;

fn answer_of(tool_call_id: &str, answer: Result<String, String>) -> Message {
    let (content, error) = match answer {
        Ok(content) => (content, None),
        Err(error) => {
            let error = if error.is_empty() { "the tool failed".to_owned() } else { error };
            (error.clone(), Some(error))
        }
    };
    let mut message = ToolMessage::new(IdKind::Message.new_id(), content, tool_call_id);
    message.error = error;
    message.into()
}
