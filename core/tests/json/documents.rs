//! Single documents, and the result of each profile.

use crate::support;

use std::collections::BTreeSet;

use ag_ui_native::bindings::decode::{DeclaredType, DocumentReader};
use ag_ui_native::bindings::profile::Undeclared;
use ag_ui_native::bindings::schema::{TYPES, UNIONS};
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::types::RunAgentInput;
use ag_ui_native::{Event, Limits, Profile, to_json};
use support::{Expected, expected, fixture, listed, read_as, report};

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    r#type: String,
    json: String,
    strict: Verdict,
    tolerant: Option<Verdict>,
    relay: Option<Verdict>,
    python: Option<String>,
    zod: Option<String>,
    /// The value that the official Python models write where strict refuses; for the drop-in classes.
    #[allow(dead_code)] // The Python runner reads it; named here so that no other member can slip in.
    python_value: Option<String>,
    zod_value: Option<String>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Verdict {
    value: Option<String>,
    #[serde(default)]
    dropped: bool,
    errors: Option<Vec<Expected>>,
    #[serde(default)]
    warnings: Vec<Expected>,
}

/// Describes the difference from the verdict.
fn difference(case: &Case, verdict: &Verdict, profile: Profile) -> Option<String> {
    let got = match read_as(&case.r#type, &case.json, profile) {
        Err(error) => {
            let got = listed(&error.issues);
            let wanted = verdict.errors.as_deref().map(expected);
            return (wanted.as_ref() != Some(&got)).then(|| format!("got errors {got:?}, wanted {wanted:?}"));
        }
        Ok(got) => got,
    };
    let warnings = listed(&got.warnings);
    let good = verdict.errors.is_none()
        && verdict.dropped == got.value.is_none()
        && verdict.value == got.value
        && warnings == expected(&verdict.warnings);
    (!good).then(|| format!("got {:?} with {warnings:?}, wanted {:?}", got.value, verdict.value))
}

#[test]
fn every_case_comes_out_as_recorded() {
    let cases: Vec<Case> = fixture("documents");
    let mut failures = Vec::new();
    for case in &cases {
        for (profile, verdict) in [
            (Profile::Strict, Some(&case.strict)),
            (Profile::Tolerant, case.tolerant.as_ref()),
            (Profile::Relay, case.relay.as_ref()),
        ] {
            let verdict = verdict.unwrap_or(&case.strict);
            if let Some(difference) = difference(case, verdict, profile) {
                failures.push(format!("{} ({profile}): {difference}\n    {}", case.name, case.json));
            }
        }
    }
    report(&failures, cases.len() * 3);
}

#[test]
fn every_declared_type_has_a_smallest_and_a_fullest_case() {
    let cases: Vec<Case> = fixture("documents");
    let names: BTreeSet<_> = cases.iter().map(|case| case.name.as_str()).collect();
    for ty in TYPES {
        for size in ["smallest", "fullest"] {
            assert!(names.contains(format!("{} {size}", ty.name).as_str()), "{} has no {size} case", ty.name);
        }
    }
    let read: BTreeSet<_> = cases.iter().map(|case| case.r#type.as_str()).collect();
    for union in UNIONS {
        let is_inside = ["PartSource", "ContentPart", "RunFinishedOutcome", "SubagentFinishedOutcome"];
        assert!(read.contains(union.name) || is_inside.contains(&union.name), "{} is never read", union.name);
    }
}

#[test]
fn strict_differs_from_the_official_packages_only_where_it_is_meant_to() {
    // The errors that each package does not report. Both packages accept everything that strict accepts.
    let python = [
        "invalid_json", // NaN and Infinity
        "limit_exceeded",
        "missing_field", // the tag of a class, and members under their Python names
        "null_not_allowed",
        "unknown_field",
        "wrong_type", // integers and booleans from strings and from each other
    ];
    let zod = [
        "limit_exceeded",
        "lone_surrogate",
        "null_not_allowed", // a run's state
        "unknown_field",
    ];
    for case in fixture::<Vec<Case>>("documents") {
        let errors = case.strict.errors.as_deref().unwrap_or_default();
        for (verdict, allowed) in [(&case.python, python.as_slice()), (&case.zod, zod.as_slice())] {
            match verdict.as_deref() {
                Some("accepts") => {
                    let odd = errors.iter().find(|error| !allowed.contains(&error.code.as_str()));
                    assert!(odd.is_none(), "{}: {odd:?}", case.name);
                }
                Some("rejects") => assert!(!errors.is_empty(), "{}: we accept it", case.name),
                _ => {}
            }
        }
    }
}

#[test]
fn lists_of_a_run_input_can_be_filled_as_zod_fills_them() {
    let mut filled = 0;
    for case in fixture::<Vec<Case>>("documents") {
        let is_filled = |error: &Expected| error.code == "null_not_allowed";
        let Some(zod) = case.zod_value.as_ref() else { continue };
        if !case.strict.errors.iter().flatten().all(is_filled) {
            continue;
        }
        let mut reader = DocumentReader::new(Profile::Strict, Limits::default());
        reader.rules.fill_lists = true;
        // A state of null is absent there.
        reader.rules.nulls = Undeclared::Drop;
        let written = match case.r#type.as_str() {
            "Event" => to_json::<Event>(&value(&mut reader, &case.json)),
            _ => to_json::<RunAgentInput>(&value(&mut reader, &case.json)),
        };
        assert_eq!(&written, zod, "{}", case.name);
        filled += 1;
    }
    assert!(filled > 5, "{filled}");
}

fn value<T: DeclaredType>(reader: &mut DocumentReader, json: &str) -> T {
    let decoded = reader.value(json.as_bytes(), T::DECLARED_KIND, &mut TypedBuild).unwrap();
    T::from_validated(decoded.value)
}
