//! The results of a reducer for undeclared members and types: `relayed.json`.

use crate::support;

use ag_ui_native::Code;
use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::decoder::EventReader;
use ag_ui_native::bindings::reduce::{Conversation, Reducer};
use ag_ui_native::{Limits, Object, Profile, to_json};
use serde_json::{Value, json};
use support::fixture;

#[test]
fn unknown_roles_and_odd_contents() {
    for case in fixture::<Vec<Value>>("relayed") {
        let mut reader = EventReader::new(Rules::of(Profile::Relay), Limits::default());
        let mut reducer = Reducer::new(&[]);
        let mut conversation = Conversation::new(&[], Object::default().into(), Limits::default());
        for event in case["events"].as_array().unwrap() {
            let read = reader.read(event.to_string().as_bytes()).unwrap().unwrap();
            let reduction = reducer.apply(read.event, false).unwrap();
            reduction.warnings.into_iter().for_each(|issue| reader.warn(read.index, issue));
            for change in reduction.changes {
                conversation.apply(change);
            }
        }
        let messages: Vec<Value> = conversation
            .message_values()
            .map(|message| serde_json::from_str(&to_json(message)).unwrap())
            .collect();
        let told: Vec<Value> = reader
            .take_warnings()
            .iter()
            .map(|warning| json!([warning.event_index, warning.issue.code.as_str(), warning.issue.path]))
            .collect();
        assert_eq!(json!([messages, told]), json!([case["messages"], case["warnings"]]), "{}", case["name"]);
    }
}

#[test]
fn metadata_grows_to_its_limit() {
    let limits = Limits::default().with_metadata_members(3);
    let mut reader = EventReader::new(Rules::default(), limits);
    let mut reducer = Reducer::new(&[]).with_limits(limits);
    let mut apply = |json: String| {
        let read = reader.read(json.as_bytes()).unwrap().unwrap();
        reducer.apply(read.event, false)
    };
    apply(r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#.into()).unwrap();
    let end = |keys: &str| format!(r#"{{"type":"TEXT_MESSAGE_END","messageId":"m","metadata":{{{keys}}}}}"#);
    for _ in 0..3 {
        apply(end(r#""a":1,"b":2"#)).unwrap();
        apply(end(r#""b":3,"c":4"#)).unwrap();
    }
    let error = apply(end(r#""d":1"#)).unwrap_err();
    assert_eq!((error.code(), error.limit), (Code::LimitExceeded, Some("metadata_members")));
}
