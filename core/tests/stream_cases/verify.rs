//! Section `verify`.

use ag_ui_native::bindings::verify::EventVerifier;
use ag_ui_native::types::{Event, RunStartedEvent};
use ag_ui_native::{Code, Error, Profile, Rule, from_json};
use serde_json::{Map, Value, json};

use super::{Cases, failure, fixture, judge};

/// The verdict on the events, as the cases record it.
fn verdict(events: &[Event]) -> Value {
    let mut verifier = EventVerifier::default();
    for (index, event) in events.iter().enumerate() {
        if let Err(error) = verifier.check(event) {
            assert_eq!(verifier.check(event).unwrap_err().code(), Code::DecoderFailed);
            return failure(json!(index), error.rule().unwrap().as_str(), Value::Object(Map::new()));
        }
    }
    json!({ "accepted": events.len() })
}

#[test]
fn streams_are_verified_as_recorded() {
    judge("verify", true, |case| verdict(&case.events()));
}

fn relayed(event: &Value) -> Event {
    from_json::<Event>(event.to_string(), Profile::Relay).unwrap().0
}

/// Unknown members and events, which only a relay keeps, except in the cases about shapes.
#[test]
fn what_a_relay_keeps_is_verified_as_recorded() {
    let known = |rule: &Value| rule.is_null() || Rule::ALL.iter().any(|known| known.as_str() == rule);
    let cases = fixture::<Cases>("stream-cases").cases.into_iter();
    let extra: Vec<_> = cases
        .filter(|case| case.section == "verify" && case.schema.as_deref() == Some("extra"))
        .filter(|case| known(&case.expected["rule"]))
        .collect();
    assert_eq!(extra.len(), 3);
    for case in extra {
        let events: Vec<_> = case.input["events"].as_array().unwrap().iter().map(relayed).collect();
        assert_eq!(verdict(&events), case.expected, "{}", case.name);
    }
}

/// Returns the refusal of the last of the events, which follow RUN_STARTED.
fn refusal(events: &[Value]) -> Error {
    let mut verifier = EventVerifier::default();
    verifier.check(&RunStartedEvent::default().into()).unwrap();
    let (last, before) = events.split_last().unwrap();
    for event in before {
        verifier.check(&relayed(event)).unwrap();
    }
    verifier.check(&relayed(last)).unwrap_err().of_event(events.len())
}

#[test]
fn errors_name_the_event_the_entity_and_its_owner() {
    let text = |verb: &str, tag: &str| {
        let kind = format!("TEXT_MESSAGE_{verb}");
        json!({"type": kind, "messageId": "m1", "delta": "secret", "role": "user", "subagentRunId": tag})
    };
    let foreign = refusal(&[text("START", "s1"), text("CONTENT", "s2")]);
    assert_eq!(
        foreign.to_string(),
        "event 2 (TEXT_MESSAGE_CONTENT): V14: the entity belongs to another agent (TEXT_MESSAGE_CONTENT under subagent \
         \"s2\", message \"m1\" of subagent \"s1\"); send its events under the `subagentRunId` it began with"
    );
    let step =
        |verb: &str| json!({"type": format!("STEP_{verb}"), "stepName": "plan", "subagentRunId": "s1"});
    let untagged = json!({"type": "STEP_FINISHED", "stepName": "plan"});
    let held = refusal(&[step("STARTED"), untagged]);
    assert_eq!(held.issues[0].detail, "step \"plan\" under the parent agent, open under subagent \"s1\"");
    let finish = json!({"type": "RUN_FINISHED", "threadId": "t", "runId": "r"});
    let left = refusal(&[step("STARTED"), finish]);
    assert_eq!(left.issues[0].detail, "\"plan\" of subagent \"s1\"");
}

#[test]
fn ids_in_messages_are_short_few_and_on_one_line() {
    let start = |id: &str| json!({"type": "TEXT_MESSAGE_START", "messageId": id});
    let finish = json!({"type": "RUN_FINISHED", "threadId": "t", "runId": "r"});
    let mut events: Vec<_> = (0..13).map(|index| start(&index.to_string())).collect();
    events.push(finish);
    let many = refusal(&events).issues.remove(0).detail;
    assert_eq!(many, r#""0", "1", "2", "3", "4", "5", "6", "7", "8", "9" and 3 more"#);

    let end =
        |id: &str| refusal(&[json!({"type": "TEXT_MESSAGE_END", "messageId": id})]).issues.remove(0).detail;
    assert_eq!(end("a\nb\"\u{202e}"), r#"TEXT_MESSAGE_END of message "a\nb\"\u{202e}""#);
    assert_eq!(end(&"é".repeat(65)), format!("TEXT_MESSAGE_END of message \"{}\"...", "é".repeat(64)));
}
