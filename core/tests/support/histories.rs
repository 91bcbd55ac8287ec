//! Random conversations that a replay of random events starts with.

use ag_ui_native::types::{Event, Message, Role};
use ag_ui_native::{Profile, from_json};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;

/// The start of a replay: any messages of these ids, and in some of them any calls of those.
pub fn history(ids: [&'static str; 3], call_ids: [&'static str; 3]) -> impl Strategy<Value = Vec<Message>> {
    let call = |id: &str| json!({"id": id, "type": "function", "function": {"name": "n", "arguments": "x"}});
    (vec(0..6_u8, 3), vec(0..4_usize, 3)).prop_map(move |(kinds, holders)| {
        let messages = ids.iter().zip(kinds).enumerate().filter_map(|(place, (id, kind))| {
            let held = call_ids.iter().zip(&holders).filter(|(_, holder)| **holder == place);
            let calls: Vec<_> = held.map(|(id, _)| call(id)).collect();
            Some(match kind {
                0 if calls.is_empty() => json!({"id": id, "role": "assistant", "content": "x"}),
                0 => json!({"id": id, "role": "assistant", "toolCalls": calls}),
                1 => json!({"id": id, "role": "user", "content": "x"}),
                2 => json!({"id": id, "role": "reasoning", "content": "x"}),
                3 => json!({"id": id, "role": "activity", "activityType": "x", "content": {}}),
                4 => json!({"id": id, "role": "tool", "toolCallId": call_ids[0], "content": "x"}),
                _ => return None,
            })
        });
        from_json(json!(messages.collect::<Vec<_>>()).to_string(), Profile::Strict).unwrap().0
    })
}

/// The messages that may be there when the events come: no thought has the id of a text message, and calls stand where they begin.
pub fn fitting(mut history: Vec<Message>, events: &[Event]) -> Vec<Message> {
    let begins = |id: &str| {
        events.iter().any(|event| matches!(event, Event::TextMessageStart(event) if event.message_id == id))
    };
    let stands = |call: &str, id: &str| {
        events.iter().all(|event| match event {
            Event::ToolCallStart(event) if event.tool_call_id == call => {
                event.parent_message_id.as_deref().filter(|parent| !parent.is_empty()).unwrap_or(call) == id
            }
            _ => true,
        })
    };
    history.retain(|message| message.role() != Some(Role::Reasoning) || !begins(message.id()));
    for message in &mut history {
        if let Message::Assistant(message) = message
            && let Some(calls) = &mut message.tool_calls
        {
            calls.retain(|call| stands(&call.id, &message.id));
        }
    }
    history
}
