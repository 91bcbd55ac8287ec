//! Serde reads and writes the same values and texts as the crate's own functions.

use crate::{for_type_named, support};

use std::fmt::Debug;

use ag_ui_native::bindings::decode::DeclaredType;
use ag_ui_native::types::CustomEvent;
use ag_ui_native::{Code, Error, Profile, Value, from_json, to_json};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde::de::value::{Error as SerdeError, MapDeserializer};
use support::{fixture, report};

#[derive(Deserialize)]
struct Case {
    name: String,
    r#type: String,
    json: String,
}

/// Describes the difference between serde and the crate's own reader and writer.
fn difference<T: DeclaredType + DeserializeOwned + PartialEq + Debug>(json: &str) -> Option<String> {
    for profile in [Profile::Tolerant, Profile::Relay] {
        if let Ok((value, _)) = from_json::<T>(json, profile) {
            let (own, serde) = (to_json(&value), serde_json::to_string(&value));
            match serde {
                Ok(serde) if serde == own => {}
                other => return Some(format!("{profile}: {own} is written as {other:?}")),
            }
        }
    }
    let own = from_json::<T>(json, Profile::Tolerant).map(|(value, _)| value);
    let mut deserializer = serde_json::Deserializer::from_str(json);
    deserializer.disable_recursion_limit(); // Its own is lower than ours.
    let serde = T::deserialize(&mut deserializer).and_then(|value| deserializer.end().map(|()| value));
    let serde = serde.map_err(|error| error.to_string());
    match (own, serde) {
        (Ok(own), Ok(serde)) if own == serde => None,
        (Err(own), Err(serde)) if is_same(&own, &serde) => None,
        (own, serde) => Some(format!("{own:?}, and by serde {serde:?}")),
    }
}

fn is_same(own: &Error, serde: &str) -> bool {
    match own.code() {
        // Faults that serde_json meets itself.
        Code::InvalidJson | Code::InvalidUtf8 | Code::LoneSurrogate => true,
        // The place is not known yet.
        Code::LimitExceeded => serde.starts_with(own.code().as_str()),
        _ => serde.starts_with(&own.to_string()),
    }
}

#[test]
fn every_document_has_the_same_verdict_and_the_same_bytes() {
    let cases: Vec<Case> = fixture("documents");
    let mut failures = Vec::new();
    for case in &cases {
        if let Some(difference) = for_type_named!(case.r#type.as_str(), difference(&case.json)) {
            failures.push(format!("{}: {difference}", case.name));
        }
    }
    report(&failures, cases.len());
}

#[test]
fn every_free_value_has_the_same_bytes_or_is_refused() {
    let cases: Vec<ValueCase> = fixture("values");
    let mut refused = 0;
    for case in &cases {
        let event = format!(r#"{{"type":"CUSTOM","name":"n","value":{}}}"#, case.json);
        let Ok((event, _)) = from_json::<CustomEvent>(&event, Profile::Strict) else { continue };
        match serde_json::to_string(&event) {
            Ok(written) => assert_eq!(written, to_json(&event)),
            Err(error) => {
                assert!(error.to_string().starts_with("number_out_of_range"), "{error}");
                refused += 1;
            }
        }
    }
    assert!(cases.len() > 50 && (1..10).contains(&refused), "{refused} of {}", cases.len());
}

#[derive(Deserialize)]
struct ValueCase {
    json: String,
}

#[test]
fn numbers_that_come_as_text_are_numbers() {
    let read = |text: &str| {
        let token = [("$serde_json::private::Number", text)];
        Value::deserialize(MapDeserializer::<_, SerdeError>::new(token.into_iter()))
    };
    for text in ["123456789012345678901234567890", "-7", "1.5", "1e400"] {
        assert_eq!(to_json(&read(text).unwrap()), text);
    }
    for text in ["", "seven", "[]", "1 2", "\"7\""] {
        assert!(read(text).is_err(), "{text}");
    }
}

#[test]
fn nesting_is_limited_in_every_reader() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let read = |depth: usize| {
        let text = nested(depth);
        let mut deserializer = serde_json::Deserializer::from_str(&text);
        deserializer.disable_recursion_limit();
        Value::deserialize(&mut deserializer).map_err(|error| error.to_string())
    };
    assert!(read(200).is_ok());
    let error = read(201).unwrap_err();
    assert!(error.starts_with("limit_exceeded") && error.contains("depth is 200"), "{error}");
}

#[cfg(feature = "serde_json")]
#[test]
fn values_become_those_of_serde_json_and_come_back() {
    let cases: Vec<ValueCase> = fixture("values");
    let mut refused = 0;
    for case in &cases {
        let Ok((value, _)) = from_json::<Value>(&case.json, Profile::Strict) else { continue };
        match serde_json::Value::try_from(value.clone()) {
            Ok(theirs) => assert_eq!(Value::from(theirs), value),
            Err(error) => {
                assert_eq!((error.code(), error.path()), (Code::NumberOutOfRange, ""));
                refused += 1;
            }
        }
    }
    assert!(cases.len() > 50 && refused > 0, "{refused} of {}", cases.len());
    let theirs = serde_json::json!({"b": [1, -2.5, null], "a": {"big": u64::MAX, "yes": true}});
    assert_eq!(serde_json::Value::try_from(Value::from(theirs.clone())).unwrap(), theirs);
    let event = CustomEvent::new("made", theirs.clone());
    assert_eq!(serde_json::to_value(&event).unwrap()["value"], theirs);
}
