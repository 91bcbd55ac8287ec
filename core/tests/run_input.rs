//! Bodies of requests: the run's input that is read from them, whatever version has written it.

mod support;

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
