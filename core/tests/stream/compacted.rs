//! tests/fixtures/stream/compacted.json: a compacted stream results in the same messages, in the same order, with any
//! messages before it.

use crate::support;

use ag_ui_native::bindings::reduce::{Conversation, Reducer};
use ag_ui_native::stream::compact_events;
use ag_ui_native::types::Message;
use ag_ui_native::{Event, Limits, Object, Profile, from_json, to_json};
use serde_json::Value;
use support::fixture;

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    start: Vec<Value>,
    events: Vec<Value>,
    messages: Vec<Value>,
}

fn messages(start: &[Message], events: &[Event]) -> Vec<Value> {
    let mut reducer = Reducer::new(start).with_profile(Profile::Tolerant);
    let mut conversation = Conversation::new(start, Object::default().into(), Limits::default());
    for event in events {
        for change in reducer.apply(event.clone(), false).unwrap().changes {
            conversation.apply(change);
        }
    }
    conversation.message_values().map(|message| serde_json::from_str(&to_json(message)).unwrap()).collect()
}

#[test]
fn what_is_compacted_comes_to_the_same() {
    for case in fixture::<Vec<Case>>("compacted") {
        let start: Vec<Message> = case
            .start
            .iter()
            .map(|message| from_json(message.to_string(), Profile::Strict).unwrap().0)
            .collect();
        let events: Vec<Event> = case
            .events
            .iter()
            .map(|event| from_json(event.to_string(), Profile::Strict).unwrap().0)
            .collect();
        let compacted = compact_events(&events).0;
        for list in [&events, &compacted] {
            assert_eq!(messages(&start, list), case.messages, "{}", case.name);
        }
    }
}
