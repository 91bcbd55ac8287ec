//! JSONTestSuite: each text is read alone, and inside an event on both paths; serde_json is the second opinion on verdicts and values.

use crate::support;

use ag_ui_native::bindings::json::{Input, ParseOptions, Tape};
use ag_ui_native::{Event, Limits, from_json, to_json};

use crate::ways;

#[derive(serde::Deserialize)]
struct Case {
    name: String,
    verdict: String,
    input: String,
}

/// Returns true if both are the same value. Minus zero is an integer for ours and a double for theirs.
fn same(ours: &str, theirs: &serde_json::Value) -> bool {
    serde_json::from_str::<serde_json::Value>(ours)
        .is_ok_and(|ours| ours.to_string().replace("-0.0", "0") == theirs.to_string().replace("-0.0", "0"))
}

#[test]
fn verdicts_and_values() {
    let cases: Vec<Case> = support::fixture("json-test-suite");
    assert!(cases.len() > 300);
    for Case { name, verdict, input } in cases {
        let theirs = serde_json::from_str::<serde_json::Value>(&input);
        let mut tape = Tape::default();
        let parsed = tape.parse(&input, ParseOptions { depth: 200, replace_invalid_text: false });
        assert!(verdict == "either" || parsed.is_ok() == (verdict == "accept"), "{name}: {parsed:?}");
        if let (Ok(ours), Ok(theirs)) = (&parsed, &theirs) {
            assert!(same(&to_json(&ours.to_value()), theirs), "{name}");
        }

        let json = format!(r#"{{"type":"CUSTOM","name":"n","value":{input}}}"#);
        for profile in ways::PROFILES {
            let [short, general] = ways::both_ways(json.as_bytes(), None, profile, Limits::default());
            assert_eq!(short, general, "{name}");
            match from_json::<Event>(&json, profile) {
                Ok((Event::Custom(event), _)) => {
                    assert_ne!(verdict, "refuse", "{name}");
                    let theirs = serde_json::from_str::<serde_json::Value>(&json);
                    assert!(
                        theirs.map_or(verdict == "either", |theirs| same(
                            &to_json(&event.value),
                            &theirs["value"]
                        )),
                        "{name}"
                    );
                }
                other => assert!(verdict != "accept", "{name}: {other:?}"),
            }
        }
    }
}
