//! The encrypted values of a provider that are kept, and their types.

use crate::support;

use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::decode::DocumentReader;
use ag_ui_native::bindings::protobuf::ProtobufEncoder;
use ag_ui_native::bindings::reduce::{Conversation, Reducer};
use ag_ui_native::bindings::schema::FieldType;
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::server::{Run, WireFormat};
use ag_ui_native::stream::compact_events;
use ag_ui_native::types::{Message, RunAgentInput};
use ag_ui_native::{Code, Event, Limits, Profile, from_json, to_json};
use serde_json::Value;
use support::{Expected, expected, fixture, listed, read_as, report};

#[derive(serde::Deserialize)]
struct Cases {
    documents: Vec<Document>,
    conversations: Vec<Talk>,
    protobuf: Vec<Bytes>,
}

#[derive(serde::Deserialize)]
struct Document {
    name: String,
    r#type: String,
    json: String,
    strict: Verdict,
    tolerant: Option<Verdict>,
    relay: Option<Verdict>,
}

#[derive(serde::Deserialize)]
struct Verdict {
    value: Option<String>,
    errors: Option<Vec<Expected>>,
    #[serde(default)]
    warnings: Vec<Expected>,
}

#[derive(serde::Deserialize)]
struct Talk {
    name: String,
    profiles: Vec<String>,
    start: Vec<Value>,
    events: Vec<Value>,
    messages: Vec<Value>,
    warnings: Vec<(usize, String)>,
}

#[derive(serde::Deserialize)]
struct Bytes {
    name: String,
    json: String,
    hex: String,
}

fn profile(name: &str) -> Profile {
    match name {
        "strict" => Profile::Strict,
        "tolerant" => Profile::Tolerant,
        _ => Profile::Relay,
    }
}

#[test]
fn a_type_stands_beside_its_value_only() {
    let Cases { documents, .. } = fixture("encrypted_values");
    let mut failures = Vec::new();
    for case in &documents {
        for (name, verdict) in [
            ("strict", Some(&case.strict)),
            ("tolerant", case.tolerant.as_ref()),
            ("relay", case.relay.as_ref()),
        ] {
            let verdict = verdict.unwrap_or(&case.strict);
            let (value, told, wanted) = match read_as(&case.r#type, &case.json, profile(name)) {
                Ok(got) => (got.value, listed(&got.warnings), expected(&verdict.warnings)),
                Err(error) => {
                    (None, listed(&error.issues), expected(verdict.errors.as_deref().unwrap_or_default()))
                }
            };
            if (&value, &told) != (&verdict.value, &wanted) {
                failures.push(format!("{} ({name}): {value:?} {told:?}", case.name));
            }
        }
    }
    report(&failures, documents.len() * 3);
}

/// Messages and warnings of a conversation.
fn reduced(start: &[Message], events: &[Event]) -> (Vec<Value>, Vec<(usize, String)>) {
    let mut reducer = Reducer::new(start);
    let mut conversation = Conversation::new(start, ag_ui_native::Value::Null, Limits::default());
    let mut warnings = Vec::new();
    for (index, event) in events.iter().enumerate() {
        let reduction = reducer.apply(event.clone(), false).unwrap();
        warnings.extend(reduction.warnings.iter().map(|issue| (index, issue.code.to_string())));
        reduction.changes.into_iter().for_each(|change| _ = conversation.apply(change));
    }
    let plain = |message: &Message| serde_json::from_str(&to_json(message)).unwrap();
    (conversation.messages().unwrap().iter().map(plain).collect(), warnings)
}

#[test]
fn a_type_is_of_one_value() {
    let Cases { conversations, .. } = fixture("encrypted_values");
    for case in conversations {
        for name in &case.profiles {
            let read = |event: &Value| from_json::<Event>(event.to_string(), profile(name)).unwrap().0;
            let events: Vec<Event> = case.events.iter().map(read).collect();
            let start =
                case.start.iter().map(|message| from_json(message.to_string(), Profile::Strict).unwrap().0);
            let start: Vec<Message> = start.collect();
            let wanted = (case.messages.clone(), case.warnings.clone());
            assert_eq!(reduced(&start, &events), wanted, "{} {name}", case.name);
            let (compact, _) = compact_events(&events);
            assert_eq!(reduced(&start, &compact).0, wanted.0, "{} compacted", case.name);
        }
    }
}

#[test]
fn protobuf_has_slots_for_it() {
    let Cases { protobuf, .. } = fixture("encrypted_values");
    for case in protobuf {
        let event = from_json::<Event>(&case.json, Profile::Strict).unwrap().0;
        let mut encoder = ProtobufEncoder::new(Rules::of(Profile::Strict), Limits::default());
        let bytes = encoder.encode(case.json.as_bytes()).unwrap().message.unwrap().to_vec();
        let wanted =
            (0..case.hex.len()).step_by(2).map(|at| u8::from_str_radix(&case.hex[at..at + 2], 16).unwrap());
        assert_eq!(bytes, wanted.collect::<Vec<u8>>(), "{}", case.name);
        let mut reader = DocumentReader::new(Profile::Strict, Limits::default());
        let decoded = reader.message(&bytes, &mut TypedBuild).unwrap();
        assert_eq!(Event::from_validated(decoded.value), event, "{}", case.name);
    }
}

#[test]
fn what_is_open_in_a_run_has_one() {
    let input = RunAgentInput::new("t", "r", vec![]);
    let run = Run::begin(input, WireFormat::Text, false, Limits::default()).unwrap();
    let thought = run.reasoning().unwrap();
    thought.encrypted_value("A", Some("p.t")).unwrap();
    run.tool_call("look").unwrap().encrypted_value("B", None).unwrap();
    let error = run.step("s").unwrap().encrypted_value("C", None).unwrap_err();
    assert_eq!(error.code(), Code::InvalidValue);
    let text = String::from_utf8(run.take()).unwrap();
    let written: Vec<Event> = text
        .split("\n\n")
        .filter(|frame| frame.contains("ENCRYPTED"))
        .map(|frame| from_json(&frame["data: ".len()..], Profile::Strict).unwrap().0)
        .collect();
    let [Event::ReasoningEncryptedValue(one), Event::ReasoningEncryptedValue(other)] = &written[..] else {
        panic!("{text}")
    };
    assert_eq!((one.encrypted_value_type.as_deref(), one.entity_id.as_str()), (Some("p.t"), thought.id()));
    assert_eq!((other.encrypted_value_type.as_deref(), other.encrypted_value.as_str()), (None, "B"));
}
