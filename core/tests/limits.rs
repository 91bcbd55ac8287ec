//! What hostile input may cost: nesting, size, and text in error messages.

use ag_ui_native::decode::DocumentReader;
use ag_ui_native::read::MAX_ISSUES;
use ag_ui_native::schema::FieldType;
use ag_ui_native::typed::TypedBuild;
use ag_ui_native::{Code, Error, Event, Limits, Profile, to_json};

fn read(json: &str, limits: Limits) -> Result<Option<String>, Error> {
    let mut reader = DocumentReader::new(Profile::Relay, limits);
    let decoded = reader.event(json.as_bytes(), &mut TypedBuild)?;
    Ok(decoded.value.map(|slot| to_json(&Event::from_slot(Some(slot)))))
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
    let limits = Limits { depth: usize::MAX, ..Limits::default() };
    let deepest = nested(Limits::MAX_DEPTH - 1);
    assert_eq!(read(&deepest, limits).unwrap().as_deref(), Some(deepest.as_str()));
    assert_eq!(read(&nested(Limits::MAX_DEPTH), limits).unwrap_err().code(), Code::LimitExceeded);
}

#[test]
fn a_limit_is_named_with_its_value() {
    let error = read(&nested(9), Limits { depth: 7, ..Limits::default() }).unwrap_err();
    assert!(error.to_string().contains("depth is 7"), "{error}");
    let error = read(&nested(9), Limits { event_bytes: 20, ..Limits::default() }).unwrap_err();
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
