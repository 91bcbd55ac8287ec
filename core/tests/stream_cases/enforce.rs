//! Section `enforce`: reading with the tolerant profile alone has the result of enforcement.

use ag_ui_native::bindings::decode::DocumentReader;
use ag_ui_native::bindings::profile::{Profile, Rules, Undeclared};
use ag_ui_native::bindings::schema::FieldType;
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::types::Event;
use ag_ui_native::{Code, Error, Issue, Limits};
use serde_json::{Value, json};

use super::{Case, Cases, failure, fixture, judge, recorded};

#[test]
fn the_tolerant_profile_enforces_as_the_reference_does() {
    judge("enforce", false, |case| outcome(case, enforcement()));
}

/// Cases in which the specification's text decides: about tags, closed sets and states.
const BY_THE_TEXT: [&str; 5] = [
    "unknown text role is fatal",
    "encrypted value subtype is closed",
    "message without a role is removed too",
    "unknown patch operation is removed from the patch",
    "run input state null becomes absent",
];

#[test]
fn without_its_leniency_it_enforces_as_the_reference_does_in_every_case() {
    let rules = Rules { nulls: Undeclared::Refuse, repair: false, ..enforcement() };
    let cases = fixture::<Cases>("stream-cases").cases.into_iter().filter(|case| case.section == "enforce");
    let mut count = 0;
    for case in cases {
        let is_same = outcome(&case, rules) == case.expected;
        assert_eq!(is_same, !BY_THE_TEXT.contains(&case.name.as_str()), "{}", case.name);
        count += 1;
    }
    assert!(count > 40, "{count}");
}

/// The compatibility boundary is a stage of its own in the reference.
fn enforcement() -> Rules {
    Rules { fill_lists: true, legacy: false, ..Rules::of(Profile::Tolerant) }
}

fn outcome(case: &Case, rules: Rules) -> Value {
    let mut reader = DocumentReader::new(Profile::Tolerant, Limits::default());
    reader.rules = rules;
    let mut events = Vec::new();
    let mut stripped = Vec::new();
    for (index, event) in case.input["events"].as_array().unwrap().iter().enumerate() {
        match reader.event(event.to_string().as_bytes(), &mut TypedBuild) {
            Ok(decoded) => {
                let name = event["type"].as_str().unwrap();
                stripped.extend(decoded.warnings.iter().filter_map(|issue| removed(name, issue)));
                events.extend(decoded.value.map(|slot| Event::from_validated(Some(slot))));
            }
            Err(error) => return violation(index, &error, &events),
        }
    }
    let mut outcome = json!({ "events": recorded(&events) });
    if !stripped.is_empty() {
        outcome["stripped"] = json!(stripped);
    }
    outcome
}

fn removed(event: &str, issue: &Issue) -> Option<String> {
    match issue.code {
        Code::UnknownField | Code::UnknownVariant => Some(format!("{event} {}", issue.path)),
        Code::UnknownEventType => Some(format!("dropped {event}")),
        _ => None,
    }
}

fn violation(index: usize, error: &Error, events: &[Event]) -> Value {
    let paths: Vec<_> = error.issues.iter().map(|issue| &issue.path).collect();
    failure(json!(index), "E01", json!({ "paths": paths, "events": recorded(events) }))
}
