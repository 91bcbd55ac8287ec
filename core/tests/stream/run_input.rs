//! Bodies of requests: the run's input is read from every version of the protocol.

use crate::support;

use ag_ui_native::{Limits, Profile, read_run_input, to_json};
use support::{Body, Expected, expected, fixture, listed};

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    body: Body,
    profile: Option<String>,
    #[serde(default)]
    limits: std::collections::HashMap<String, usize>,
    input: Option<String>,
    #[serde(default)]
    warnings: Vec<Expected>,
    error: Option<Failed>,
}

#[derive(Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Failed {
    code: String,
    path: String,
    limit: Option<String>,
}

#[test]
fn every_body_is_read_as_recorded() {
    for case in fixture::<Vec<Case>>("run-input") {
        let name = &case.name;
        let profile = case.profile.as_deref().and_then(Profile::parse).unwrap_or_default();
        let mut limits = Limits::default();
        for (limit, value) in &case.limits {
            *limits.get_mut(limit).expect(limit) = *value;
        }
        match read_run_input(case.body.bytes(), profile, limits) {
            Ok(read) => {
                assert_eq!(Some(to_json(&read.0)), case.input, "{name}");
                assert_eq!(listed(&read.1), expected(&case.warnings), "{name}");
            }
            Err(error) => {
                let failed = Failed {
                    code: error.code().to_string(),
                    path: error.path().to_owned(),
                    limit: error.limit.map(str::to_owned),
                };
                assert_eq!(Some(failed), case.error, "{name}");
            }
        }
    }
}

#[test]
fn values_are_counted_before_a_tree_is_made() {
    let of = |state: &str| format!(r#"{{"threadId":"t","runId":"r","messages":[],"state":[{state}]}}"#);
    let read = |state: &str, most: usize| {
        let limits = Limits::default().with_input_values(most);
        read_run_input(of(state), Profile::Tolerant, limits).map_err(|error| (error.limit, error.to_string()))
    };
    // The object and its four members count five.
    for (state, count) in [
        ("", 5),
        ("0", 6),
        ("0,0", 7),
        ("[],{}", 7),
        ("[ ] , { }", 7),
        (r#"{"a":0}"#, 7),
        (r#""[,\"{,""#, 6),
        ("[[[]]]", 8),
    ] {
        assert!(read(state, count).is_ok(), "{state}");
        let padded = format!("{state}{}", " ".repeat(100));
        assert_eq!(read(&padded, count - 1).unwrap_err().0, Some("input_values"), "{state}");
    }
    let (limit, said) =
        read(&vec![r#"{"a":0}"#; 600_000].join(","), Limits::default().input_values).unwrap_err();
    assert_eq!(limit, Some("input_values"));
    assert!(said.contains("input_values is 1000000"), "{said}");
}
