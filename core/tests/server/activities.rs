//! The events that an activity sends: one table for all languages (`tests/fixtures/server/activities.json`).

use crate::support;

use ag_ui_native::bindings::server::{Activity, RunWriter};
use ag_ui_native::server::WireFormat;
use ag_ui_native::stream::EventDecoder;
use ag_ui_native::types::RunAgentInput;
use ag_ui_native::{Event, Limits, Profile, from_json, to_json};
use serde_json::{Value as Json, json};

/// The event of a step, and whether it is an update.
fn event(step: &Json) -> (Event, bool) {
    let (kind, about) = if step[0] == "patch" { ("DELTA", "patch") } else { ("SNAPSHOT", "content") };
    let mut event =
        json!({"type": format!("ACTIVITY_{kind}"), "messageId": "m", "activityType": "PLAN", about: step[1]});
    if let Some(replace) = step.get(2) {
        event["replace"] = replace.clone();
    }
    (from_json(event.to_string(), Profile::Strict).unwrap().0, step[0] == "update")
}

fn shown(event: &Json) -> Json {
    match (&event["patch"], event.get("replace")) {
        (Json::Null, None) => json!(["whole", event["content"]]),
        (Json::Null, Some(replace)) => json!(["whole", event["content"], replace]),
        (patch, _) => json!(["delta", patch]),
    }
}

#[test]
fn only_what_has_changed_goes_out_where_it_is_known_what_the_client_has() {
    let cases: Vec<Json> = support::fixture("activities");
    assert!(cases.len() > 4);
    for case in cases {
        let mut run = RunWriter::new(WireFormat::Text, Limits::default());
        run.start(&RunAgentInput::new("t", "r", vec![]), false).unwrap();
        let mut activity = Activity::default();
        for step in case["steps"].as_array().unwrap() {
            let (event, is_update) = event(step);
            run.send_activity(&mut activity, event, is_update, None).unwrap();
        }
        let events: Vec<Event> = EventDecoder::new().feed(&run.take()).map(Result::unwrap).collect();
        let events: Vec<Json> =
            events.iter().skip(1).map(|event| serde_json::from_str(&to_json(event)).unwrap()).collect();
        let sent: Vec<Json> = events.iter().map(shown).collect();
        assert_eq!(Json::from(sent), case["events"], "{}", case["name"]);
    }
}

#[test]
fn a_patch_that_does_not_apply_changes_nothing() {
    let mut run = RunWriter::new(WireFormat::Text, Limits::default());
    run.start(&RunAgentInput::new("t", "r", vec![]), false).unwrap();
    let mut activity = Activity::default();
    run.send_activity(&mut activity, event(&json!(["begin", {"a": 1}])).0, false, None).unwrap();
    let (known, sent) = (activity.clone(), run.waiting().len());
    let patch = event(&json!(["patch", [{"op": "remove", "path": "/b"}]])).0;
    let refused = run.send_activity(&mut activity, patch, false, None).unwrap_err();
    assert_eq!((refused.operation, run.waiting().len()), (Some(0), sent));
    assert_eq!(activity.0, known.0);
}
