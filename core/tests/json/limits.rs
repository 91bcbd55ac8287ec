//! The cost of hostile input: nesting, size, and text in error messages.

use ag_ui_native::bindings::MAX_ISSUES;
use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::decode::DocumentReader;
use ag_ui_native::bindings::decoder::Decoder;
use ag_ui_native::bindings::patch;
use ag_ui_native::bindings::schema::FieldType;
use ag_ui_native::bindings::validate::Nothing;
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::bindings::verify::EventVerifier;
use ag_ui_native::types::JsonPatchOperation;
use ag_ui_native::{Code, Error, Event, Limits, Object, Profile, Value, from_json, to_json};

fn read(json: &str, limits: Limits) -> Result<Option<String>, Error> {
    let mut reader = DocumentReader::new(Profile::Relay, limits);
    let decoded = reader.event(json.as_bytes(), &mut TypedBuild)?;
    Ok(decoded.value.map(|slot| to_json(&Event::from_validated(Some(slot)))))
}

fn nested(levels: usize) -> String {
    format!(r#"{{"type":"RAW","event":{}1{}}}"#, "[".repeat(levels), "]".repeat(levels))
}

#[test]
fn a_million_levels_are_refused_without_recursion() {
    for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
        for closed in [true, false] {
            let inside = open.repeat(1_000_000);
            let end = if closed { close.repeat(1_000_000) } else { String::new() };
            let json = format!(r#"{{"type":"RAW","event":{inside}{end}}}"#);
            let error = read(&json, Limits::default()).unwrap_err();
            assert_eq!((error.code(), error.limit), (Code::LimitExceeded, Some("depth")));
        }
    }
}

#[test]
fn the_deepest_nesting_that_can_be_asked_for_is_read_written_and_dropped() {
    let limits = Limits::default().with_depth(usize::MAX);
    let deepest = nested(Limits::MAX_DEPTH - 1);
    assert_eq!(read(&deepest, limits).unwrap().as_deref(), Some(deepest.as_str()));
    assert_eq!(read(&nested(Limits::MAX_DEPTH), limits).unwrap_err().code(), Code::LimitExceeded);
}

#[test]
fn a_limit_is_named_with_its_value() {
    let error = read(&nested(9), Limits::default().with_depth(7)).unwrap_err();
    assert!(error.to_string().contains("depth is 7"), "{error}");
    let error = read(&nested(9), Limits::default().with_event_bytes(20)).unwrap_err();
    assert_eq!(error.limit, Some("event_bytes"));
    assert!(error.to_string().contains("event_bytes is 20"), "{error}");
}

#[test]
fn messages_do_not_repeat_the_payload() {
    let secret = "secret".repeat(1000);
    let documents = [
        format!(r#"{{"type":"{secret}"}}"#),
        format!(r#"{{"type":"STEP_STARTED","stepName":["{secret}"]}}"#),
        format!(r#"{{"type":"STEP_STARTED","stepName":"s","{secret}":1}}"#),
        format!(r#"{{"type":"TEXT_MESSAGE_START","messageId":"m","role":"{secret}"}}"#),
        format!(r#"{{"type":"STATE_DELTA","delta":[{{"op":"{secret}"}}]}}"#),
        format!(r#"{{"type":"STATE_DELTA","delta":[{{"op":"add","path":"{secret}"}}]}}"#),
        format!(r#"{{"type":"STATE_SNAPSHOT","snapshot":{{"{secret}":x}}}}"#),
        format!(r#"{{"type":"STATE_SNAPSHOT","snapshot":"{secret}""#),
    ];
    for document in documents {
        let mut reader = DocumentReader::new(Profile::Strict, Limits::default());
        let error = reader.event(document.as_bytes(), &mut TypedBuild).unwrap_err();
        let shown = error.to_string();
        assert!(shown.chars().count() < 600, "{shown}");
    }
}

#[test]
fn of_a_million_faults_some_are_told() {
    let members: Vec<_> = (0..1_000_000).map(|at| format!(r#""m{at}":0"#)).collect();
    let json = format!(r#"{{"type":"STEP_STARTED","stepName":"s",{}}}"#, members.join(","));
    for profile in [Profile::Strict, Profile::Tolerant] {
        let mut reader = DocumentReader::new(profile, Limits::default());
        let told = match reader.event(json.as_bytes(), &mut TypedBuild) {
            Ok(decoded) => decoded.warnings,
            Err(error) => error.issues,
        };
        assert_eq!(told.len(), MAX_ISSUES);
        assert!(told.iter().all(|issue| issue.code == Code::UnknownField));
    }
}

#[test]
fn a_message_counts_the_other_faults() {
    let error =
        read(r#"{"type":"STEP_STARTED","stepName":1,"timestamp":true}"#, Limits::default()).unwrap_err();
    assert!(error.to_string().ends_with("(and 1 more)"), "{error}");
    let wrong = r#"{"op":"add","path":1}"#;
    let json = format!(r#"{{"type":"STATE_DELTA","delta":[{}]}}"#, [wrong; 1000].join(","));
    let error = read(&json, Limits::default()).unwrap_err();
    assert!(error.to_string().ends_with("(and at least 99 more)"), "{error}");
}

fn decoder(limits: Limits) -> Decoder {
    Decoder::new(None, Rules::default(), limits).unwrap()
}

#[test]
fn the_id_of_a_frame_has_a_limit() {
    let id = "x".repeat(64 * 1024);
    let frame = |id: &str| format!("id: {id}\ndata: {{\"type\":\"RAW\",\"event\":1}}\n\n");
    let mut decoder = decoder(Limits::default());
    decoder.feed(frame(&id).as_bytes(), &mut Nothing, &mut |_| Ok(())).unwrap();
    assert_eq!(decoder.last_event_id(), id.as_bytes());
    let error = decoder.feed(frame(&(id + "x")).as_bytes(), &mut Nothing, &mut |_| Ok(())).unwrap_err();
    assert_eq!((error.code(), error.limit), (Code::LimitExceeded, Some("id_bytes")));
}

#[test]
fn a_stream_has_so_many_warnings_and_one_that_says_so() {
    let mut decoder = decoder(Limits::default().with_warnings(3));
    let mut told = Vec::new();
    for _ in 0..4 {
        let events = "data: {\"type\":\"NONE\"}\n\n".repeat(2);
        decoder.feed(events.as_bytes(), &mut Nothing, &mut |_| Ok(())).unwrap();
        told.extend(decoder.take_warnings());
    }
    let codes: Vec<_> = told.iter().map(|warning| (warning.event_index, warning.issue.code)).collect();
    let unknown = |index| (index, Code::UnknownEventType);
    assert_eq!(codes, [unknown(0), unknown(1), unknown(2), (3, Code::LimitExceeded)]);
    assert_eq!(told[3].issue.detail, "warnings is 3");
}

fn verify(events: &str, limits: Limits) -> Result<(), Error> {
    let events: Vec<Event> = from_json(events, Profile::Strict).unwrap().0;
    let mut verifier = EventVerifier::new(limits);
    events.iter().try_for_each(|event| verifier.check(event))
}

#[test]
fn a_run_has_a_limit_of_what_is_remembered() {
    let start = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
    let limits = Limits::default().with_run_entities(2);
    let pairs = [
        r#"{"type":"SUBAGENT_STARTED","subagentRunId":"ID","name":"n"},{"type":"SUBAGENT_FINISHED","subagentRunId":"ID"}"#,
        r#"{"type":"TEXT_MESSAGE_START","messageId":"ID"},{"type":"TEXT_MESSAGE_END","messageId":"ID"}"#,
        r#"{"type":"TOOL_CALL_START","toolCallId":"ID","toolCallName":"n"},{"type":"TOOL_CALL_END","toolCallId":"ID"}"#,
        r#"{"type":"STEP_STARTED","stepName":"n","subagentRunId":"ID"},{"type":"STEP_FINISHED","stepName":"n","subagentRunId":"ID"}"#,
        r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"ID","activityType":"t","content":{}}"#,
        r#"{"type":"TOOL_CALL_RESULT","messageId":"ID","toolCallId":"c","content":""}"#,
    ];
    for pair in pairs {
        let run = |ids: &[&str]| {
            let pairs: Vec<_> = ids.iter().map(|id| pair.replace("ID", id)).collect();
            format!("[{start},{}]", pairs.join(","))
        };
        verify(&run(&["a", "b"]), limits).unwrap();
        let error = verify(&run(&["a", "b", "c"]), limits).unwrap_err();
        assert_eq!((error.code(), error.limit), (Code::LimitExceeded, Some("run_entities")), "{pair}");
    }
    let message = r#"{"id":"m","role":"user","content":""}"#;
    let snapshot =
        format!(r#"[{start},{{"type":"MESSAGES_SNAPSHOT","messages":[{message},{message},{message}]}}]"#);
    assert_eq!(verify(&snapshot, limits).unwrap_err().limit, Some("run_entities"));
}

#[test]
fn the_name_of_a_tool_has_a_limit() {
    let name = "x".repeat(11);
    let events = format!(
        r#"[{{"type":"RUN_STARTED","threadId":"t","runId":"r"}},{{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"{name}"}}]"#
    );
    verify(&events, Limits::default().with_id_bytes(11)).unwrap();
    let error = verify(&events, Limits::default().with_id_bytes(10)).unwrap_err();
    assert_eq!((error.code(), error.limit), (Code::LimitExceeded, Some("id_bytes")));
}

#[test]
fn how_far_a_patch_moves_items_has_a_limit() {
    let list = || Value::from(vec![Value::Null; 10]);
    let object = || Value::from((0..10).map(|at| (at.to_string(), Value::Null)).collect::<Object>());
    let cases = [
        (list(), r#"{"op":"add","path":"/0","value":1}"#, 10),
        (list(), r#"{"op":"add","path":"/10","value":1}"#, 0),
        (list(), r#"{"op":"remove","path":"/2"}"#, 8),
        (list(), r#"{"op":"move","from":"/4","path":"/1"}"#, 6 + 8),
        (list(), r#"{"op":"copy","from":"/4","path":"/9"}"#, 1),
        (list(), r#"{"op":"replace","path":"/4","value":1}"#, 0),
        (object(), r#"{"op":"remove","path":"/3"}"#, 7),
        (object(), r#"{"op":"add","path":"/new","value":1}"#, 0),
    ];
    for (document, operation, shifts) in cases {
        let operations = [from_json::<JsonPatchOperation>(operation, Profile::Strict).unwrap().0];
        let apply = |patch_shifts| {
            let mut patched = document.clone();
            let limits = Limits::default().with_patch_shifts(patch_shifts);
            (patch::apply(&mut patched, &operations, &limits), patched)
        };
        apply(shifts).0.unwrap();
        if let Some(fewer) = shifts.checked_sub(1) {
            let (result, patched) = apply(fewer);
            let error = result.unwrap_err();
            assert_eq!(
                (error.code(), error.limit),
                (Code::LimitExceeded, Some("patch_shifts")),
                "{operation}"
            );
            assert_eq!((error.operation, patched), (Some(0), document.clone()), "{operation}");
        }
    }
}

#[test]
fn a_diff_moves_no_more_items_than_a_patch_may() {
    // Each item of the first half goes: as edits, that would move what stands behind it again and again.
    let old: Vec<_> = (0..40_000).map(|at| Value::from(i64::from(at))).collect();
    let new: Vec<_> = old
        .iter()
        .enumerate()
        .filter(|(at, _)| at % 2 == 1 || *at > 20_000)
        .map(|(_, item)| item.clone())
        .collect();
    let (mut old, new) = (Value::from(old), Value::from(new));
    let operations = patch::diff(&old, &new);
    patch::apply(&mut old, &operations, &Limits::default()).unwrap();
    assert_eq!(old, new);
}
