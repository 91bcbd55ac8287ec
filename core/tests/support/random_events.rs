//! Random events with few ids, tags and names, so that many events are about the same entity.
#![allow(dead_code)] // Each test is a crate of its own and uses what it needs.

use ag_ui_native::bindings::schema::FieldDef;
use ag_ui_native::types::Event;
use ag_ui_native::{Profile, from_json};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

/// The types of events. A type that is listed more often is more likely.
pub const ANY: &[&str] = &[
    "RUN_STARTED",
    "RUN_FINISHED",
    "RUN_ERROR",
    "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_END",
    "TEXT_MESSAGE_CHUNK",
    "TEXT_MESSAGE_CHUNK",
    "TEXT_MESSAGE_CHUNK",
    "TOOL_CALL_START",
    "TOOL_CALL_START",
    "TOOL_CALL_ARGS",
    "TOOL_CALL_END",
    "TOOL_CALL_CHUNK",
    "TOOL_CALL_CHUNK",
    "TOOL_CALL_CHUNK",
    "TOOL_CALL_RESULT",
    "STATE_SNAPSHOT",
    "STATE_DELTA",
    "MESSAGES_SNAPSHOT",
    "ACTIVITY_SNAPSHOT",
    "ACTIVITY_DELTA",
    "RAW",
    "CUSTOM",
    "STEP_STARTED",
    "STEP_STARTED",
    "STEP_FINISHED",
    "REASONING_START",
    "REASONING_MESSAGE_START",
    "REASONING_MESSAGE_START",
    "REASONING_MESSAGE_CONTENT",
    "REASONING_MESSAGE_END",
    "REASONING_MESSAGE_CHUNK",
    "REASONING_MESSAGE_CHUNK",
    "REASONING_END",
    "REASONING_ENCRYPTED_VALUE",
    "SUBAGENT_STARTED",
    "SUBAGENT_STARTED",
    "SUBAGENT_FINISHED",
    "SUBAGENT_ERROR",
];

/// Chunks alone.
pub const CHUNKS: &[&str] = &["TEXT_MESSAGE_CHUNK", "TOOL_CALL_CHUNK", "REASONING_MESSAGE_CHUNK"];

/// A stream of events of the given types.
pub fn stream(types: &'static [&'static str], length: usize) -> impl Strategy<Value = Vec<Event>> {
    vec((prop::sample::select(types), vec(any::<u8>(), 20)), 0..length)
        .prop_map(|events| events.into_iter().map(|(name, draws)| event(name, &draws)).collect())
}

/// An event that the strict profile accepts; each member has a draw of its own.
fn event(name: &str, draws: &[u8]) -> Event {
    let (_, ty) = Event::UNION.variant(name).unwrap();
    let mut members = serde_json::Map::new();
    for (field, &draw) in ty.fields.iter().zip(draws) {
        let left_out = field.is_optional() && draw % 8 < 3;
        if !left_out && let Some(value) = member(name, field, draw / 8) {
            members.insert(field.wire.into(), value);
        }
    }
    from_json(Value::Object(members).to_string(), Profile::Strict).unwrap().0
}

fn member(name: &str, field: &FieldDef, draw: u8) -> Option<Value> {
    let one_of = |values: &[&str]| json!(values[usize::from(draw) % values.len()]);
    Some(match field.wire {
        "type" => json!(name),
        "messageId" | "toolCallId" | "parentMessageId" | "entityId" => one_of(&["a", "b", ""]),
        "subagentRunId" | "parentSubagentRunId" => one_of(&["s", "t", ""]),
        "threadId" | "runId" | "message" | "encryptedValue" | "activityType" => json!("x"),
        "encryptedValueType" => one_of(&["p", "q"]),
        "role" if name.starts_with("TEXT") => one_of(&["assistant", "user"]),
        "role" if name == "TOOL_CALL_RESULT" => json!("tool"),
        "role" => json!("reasoning"),
        "subtype" => one_of(&["tool-call", "message"]),
        "delta" | "patch" if name == "STATE_DELTA" || name == "ACTIVITY_DELTA" => json!([]),
        "delta" | "name" | "stepName" | "toolCallName" => one_of(&["n", "m", ""]),
        "timestamp" => json!(draw),
        "metadata" => json!({ "draw": draw }),
        "content" if name == "TOOL_CALL_RESULT" => json!("x"),
        "rawEvent" | "snapshot" | "content" | "event" | "value" => json!({}),
        "replace" => json!(draw < 16),
        "messages" => messages(draw),
        "input" => json!({"threadId": "x", "runId": "x", "messages": messages(draw)}),
        _ => return None,
    })
}

/// Messages of several kinds, owners and ids.
fn messages(draw: u8) -> Value {
    let call = |id| json!([{"id": id, "type": "function", "function": {"name": "n", "arguments": ""}}]);
    let all = [
        json!({"id": "a", "role": "assistant", "toolCalls": call("a"), "subagentRunId": "s"}),
        json!({"id": "a", "role": "assistant", "toolCalls": call("b")}),
        json!({"id": "b", "role": "reasoning", "content": "x", "encryptedValue": "y", "encryptedValueType": "r", "subagentRunId": "t"}),
        json!({"id": "a", "role": "activity", "activityType": "x", "content": {}, "subagentRunId": "s"}),
        json!({"id": "", "role": "user", "content": "x"}),
    ];
    all.into_iter()
        .enumerate()
        .filter(|(index, _)| draw >> index & 1 == 1)
        .map(|(_, message)| message)
        .collect()
}

/// Returns true if the event is a chunk.
pub fn is_chunk(event: &Event) -> bool {
    CHUNKS.contains(&event.tag())
}
