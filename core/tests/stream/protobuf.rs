//! The binary transport compared with the official package, written and read.

use crate::support;

use std::collections::HashMap;

use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::decode::DocumentReader;
use ag_ui_native::bindings::protobuf::ProtobufEncoder;
use ag_ui_native::bindings::schema::FieldType;
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::{Code, Event, Limits, Profile, to_json};

#[derive(serde::Deserialize)]
struct Fixture {
    encode: Vec<Encode>,
    decode: Vec<Decode>,
}

#[derive(serde::Deserialize)]
struct Encode {
    name: String,
    json: String,
    hex: String,
}

#[derive(serde::Deserialize)]
struct Decode {
    name: String,
    hex: String,
    json: Option<String>,
    error: Option<String>,
}

/// A case in which our result differs: our result, and the reason.
#[derive(serde::Deserialize)]
struct Exception {
    name: String,
    outcome: String,
}

/// Our outcome in each case in which it differs.
fn exceptions() -> HashMap<String, String> {
    let exceptions: Vec<Exception> = support::fixture("protobuf-exceptions");
    let ours = exceptions.into_iter().filter(|exception| !exception.outcome.ends_with("in JavaScript"));
    ours.map(|exception| (exception.name, exception.outcome)).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}

/// The event, or the code of the error.
fn read(reader: &mut DocumentReader, json: &str) -> Result<Option<String>, Code> {
    let decoded = reader.event(json.as_bytes(), &mut TypedBuild).map_err(|error| error.code())?;
    Ok(decoded.value.map(|slot| to_json(&Event::from_validated(Some(slot)))))
}

fn read_protobuf(reader: &mut DocumentReader, message: &[u8]) -> Result<Option<String>, Code> {
    let decoded = reader.protobuf(message, &mut TypedBuild).map_err(|error| error.code())?;
    Ok(decoded.value.map(|slot| to_json(&Event::from_validated(Some(slot)))))
}

/// Returns true if both are the same event: numbers by their value, members in any order.
fn is_same(one: &Result<Option<String>, String>, other: &Result<Option<String>, String>) -> bool {
    match (one, other) {
        (Ok(Some(one)), Ok(Some(other))) => {
            let [one, other] = [one, other].map(|json| serde_json::from_str::<serde_json::Value>(json));
            matches!((one, other), (Ok(one), Ok(other)) if is_equal(&one, &other))
        }
        _ => one == other,
    }
}

fn is_equal(one: &serde_json::Value, other: &serde_json::Value) -> bool {
    use serde_json::Value::{Array, Number, Object};
    match (one, other) {
        (Number(one), Number(other)) => one.as_f64() == other.as_f64(),
        (Array(one), Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_equal(one, other))
        }
        (Object(one), Object(other)) => {
            let is_there = |(key, value)| other.get(key).is_some_and(|other| is_equal(value, other));
            one.len() == other.len() && one.iter().all(is_there)
        }
        _ => one == other,
    }
}

#[test]
fn events_become_the_official_bytes_and_come_back() {
    let fixture: Fixture = support::fixture("protobuf");
    let mut exceptions = exceptions();
    let mut encoder = ProtobufEncoder::new(Rules::of(Profile::Strict), Limits::default());
    let mut reader = DocumentReader::default();
    let mut wrong = Vec::new();
    for case in &fixture.encode {
        let outcome = match encoder.encode(case.json.as_bytes()) {
            Ok(made) if hex(made.message.unwrap_or_default()) == case.hex => "official bytes",
            Ok(_) => "other bytes",
            Err(error) => error.code().as_str(),
        };
        let expected = exceptions.remove(&case.name);
        if outcome != expected.as_deref().unwrap_or("official bytes") {
            wrong.push(format!("{}: {outcome}", case.name));
        }
        if let Err(code) = read_protobuf(&mut reader, &bytes(&case.hex)) {
            wrong.push(format!("{}: {code}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(fixture.encode.len() > 900);
}

#[test]
fn messages_are_read_as_the_official_package_reads_them() {
    let fixture: Fixture = support::fixture("protobuf");
    let exceptions = exceptions();
    let mut reader = DocumentReader::default();
    let mut wrong = Vec::new();
    for case in &fixture.decode {
        let ours = read_protobuf(&mut reader, &bytes(&case.hex)).map_err(|code| code.to_string());
        let official = match (&case.json, case.error.as_deref()) {
            (Some(json), _) => read(&mut reader, json).map_err(|code| code.to_string()),
            (None, Some("unknown_event_type")) => Ok(None),
            // Which error is ours to say.
            _ => Err(ours.clone().err().unwrap_or_default()),
        };
        let as_expected = match (exceptions.get(&case.name), &ours) {
            (None, _) => is_same(&ours, &official),
            (Some(own), Err(code)) => own == code && official.is_ok(),
            (Some(own), Ok(None)) => own == "unknown_event_type" && official.is_err(),
            (Some(own), Ok(Some(_))) => own == "event" && official.is_err(),
        };
        if !as_expected {
            wrong.push(format!("{} {}: {ours:?}, not {official:?}", case.name, case.hex));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(fixture.decode.len() > 500);
}

/// A field with a length.
pub fn field(number: u8, content: &[u8]) -> Vec<u8> {
    let mut field = vec![number << 3 | 2];
    let mut length = content.len();
    while length >= 0x80 {
        field.push(u8::try_from(length & 0x7f).unwrap() | 0x80);
        length >>= 7;
    }
    field.push(u8::try_from(length).unwrap());
    [field, content.to_vec()].concat()
}

#[test]
fn hostile_messages_cost_no_more_than_their_size_allows() {
    // Every level of the value comes in two parts, which the decoder must join.
    let mut value = field(3, &vec![b'x'; 1 << 20]);
    for _ in 0..150 {
        value = [field(6, &field(1, &value)), field(6, &[])].concat();
    }
    let event = [field(1, &[8, 10]), field(2, b"n"), field(3, &value)].concat();
    let mut reader = DocumentReader::default();
    assert_eq!(read_protobuf(&mut reader, &field(11, &event)), Err(Code::InvalidProtobuf));
    // Parts of the protocol's own levels are put together, as often as they come.
    let part = field(3, &[field(1, &[8, 2]), field(2, b"m")].concat());
    assert!(matches!(read_protobuf(&mut reader, &part.repeat(1000)), Ok(Some(_))));
}

/// A message without a JSON form cannot be passed to middleware, so it is refused before.
#[test]
fn numbers_in_undeclared_members_are_judged_before_middleware() {
    // The envelope's field 99: an empty message.
    let message = [0x9a, 0x06, 0x00];
    let read = |profile| {
        let mut reader = DocumentReader::new(profile, Limits::default());
        reader.rules = Rules::of(profile).before_middleware();
        let decoded = reader.protobuf(&message, &mut TypedBuild).map_err(|error| error.code())?;
        Ok((decoded.value.is_none(), decoded.warnings[0].code))
    };
    assert_eq!(read(Profile::Strict), Err(Code::UnknownEventType));
    assert_eq!(read(Profile::Tolerant), Ok((true, Code::UnknownEventType)));
}
