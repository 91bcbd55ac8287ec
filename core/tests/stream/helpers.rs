//! The helper functions: inputs and outputs as every language has them.

use crate::support;

use ag_ui_native::Level;
use ag_ui_native::bindings::decode::DocumentReader;
use ag_ui_native::bindings::ids::{IdGenerator, IdKind, TimestampGenerator, UuidGenerator};
use ag_ui_native::bindings::schema::FieldType;
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::bindings::{Rules, metadata};
use ag_ui_native::types::{Content, ContentPart, TextMessageChunkEvent, TokenUsage, UserMessage};
use ag_ui_native::validate;
use ag_ui_native::{Error, Event, Issue, Limits, Object, Profile, Value, from_json, to_json};
use support::{Expected, expected, fixture, listed, report};

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    function: String,
    input: String,
    output: Option<String>,
    matches: Option<String>,
    #[serde(default)]
    errors: Vec<Expected>,
    #[serde(default)]
    warnings: Vec<Expected>,
}

/// The result of a call: JSON text with warnings, or errors.
type Output = Result<(String, Vec<Issue>), Error>;

fn call(function: &str, input: &str) -> Output {
    let Ok(Value::Array(arguments)) = serde_json::from_str(input) else { panic!("{input}") };
    let first = arguments[0].clone();
    let word = |at: usize| arguments.get(at).and_then(Value::as_str);
    let written = match function {
        "token_usage_from_langchain" => {
            optional(TokenUsage::from_langchain(&first, word(1), word(2)).as_ref())
        }
        "token_usage_from_ai_sdk" => optional(TokenUsage::from_ai_sdk(&first, word(1), word(2)).as_ref()),
        "aggregate_token_usage" => {
            let entries: Vec<TokenUsage> = from_json(to_json(&first), Profile::Strict)?.0;
            to_json(&TokenUsage::aggregate(&entries)?)
        }
        "merge_metadata" => optional(metadata::merge(object(&arguments[0]), object(&arguments[1])).as_ref()),
        "content_to_text" => to_json(&content(first).to_text()),
        "content_has_media" => to_json(&content(first).has_media()),
        "content_parts" => to_json::<Vec<ContentPart>>(&content(first).parts()),
        "thread_id_of" => optional(typed(&first).thread_id().map(str::to_owned).as_ref()),
        "run_id_of" => optional(typed(&first).run_id().map(str::to_owned).as_ref()),
        "generate_id" => UuidGenerator.id(kind(word(0))),
        "generate_timestamp_id" => {
            let Value::Number(milliseconds) = &arguments[2] else { panic!("{input}") };
            let milliseconds = milliseconds.as_int().map_or(0, i64::unsigned_abs);
            let prefix = word(0).unwrap_or_default().to_owned();
            TimestampGenerator { prefix, clock: || milliseconds }.id(kind(word(1)))
        }
        "validate_non_empty" => {
            let rules = Rules { non_empty: true, ..Rules::of(Profile::Strict) };
            return event(&first, rules).map(|(_, warnings)| (String::new(), warnings));
        }
        "read_go_member_names" => return event(&first, Rules { go_member_names: true, ..Rules::default() }),
        other => panic!("no function is called {other}"),
    };
    Ok((written, Vec::new()))
}

fn optional<T: FieldType>(value: Option<&T>) -> String {
    value.map_or_else(|| "null".to_owned(), to_json)
}

fn object(value: &Value) -> Option<&Object> {
    value.as_object()
}

fn kind(name: Option<&str>) -> IdKind {
    let found = IdKind::ALL.iter().find(|kind| Some(kind.name()) == name);
    *found.unwrap_or_else(|| panic!("no kind is called {name:?}"))
}

/// The content of a message that has it.
fn content(value: Value) -> Content {
    let members = [("id", Value::from("m")), ("role", Value::from("user")), ("content", value)];
    let message = Object::from_iter(members);
    from_json::<UserMessage>(to_json(&message), Profile::Strict).expect("content").0.content
}

fn typed(value: &Value) -> Event {
    from_json(to_json(value), Profile::Tolerant).expect("an event").0
}

fn event(value: &Value, rules: Rules) -> Output {
    let mut reader = DocumentReader::new(Profile::Strict, Limits::default());
    reader.rules = rules;
    let decoded = reader.event(to_json(value).as_bytes(), &mut TypedBuild)?;
    Ok((to_json(&Event::from_validated(decoded.value)), decoded.warnings))
}

#[test]
fn every_call_comes_out_as_recorded() {
    let cases: Vec<Case> = fixture("helpers");
    let mut failures = Vec::new();
    for case in &cases {
        let got = call(&case.function, &case.input);
        let good = match (&got, &case.matches) {
            (Err(error), _) => listed(&error.issues) == expected(&case.errors),
            (Ok((text, _)), Some(pattern)) => regex_lite::Regex::new(pattern).unwrap().is_match(text),
            (Ok((text, warnings)), None) => {
                let same = case.output.as_ref().is_none_or(|output| output == text);
                same && case.errors.is_empty() && listed(warnings) == expected(&case.warnings)
            }
        };
        if !good {
            failures.push(format!("{}: got {got:?}, wanted {:?} {:?}", case.name, case.output, case.errors));
        }
    }
    report(&failures, cases.len());
}

#[test]
fn ids_differ() {
    let ids: std::collections::BTreeSet<_> = (0..1000).map(|_| UuidGenerator.id(IdKind::Run)).collect();
    assert_eq!(ids.len(), 1000);
}

#[test]
fn values_made_in_rust_are_checked() {
    let good = TextMessageChunkEvent::new().with_delta("x");
    validate(&good, Level::NonEmpty).unwrap();
    let silent = TextMessageChunkEvent::default();
    validate(&silent, Level::Protocol).unwrap();
    assert_eq!(validate(&silent, Level::NonEmpty).unwrap_err().code().as_str(), "empty_value");
    let late = TextMessageChunkEvent::new().with_timestamp(1 << 53);
    let error = validate(&late, Level::Protocol).unwrap_err();
    assert_eq!((error.code().as_str(), error.path()), ("number_out_of_range", "/timestamp"));
}
