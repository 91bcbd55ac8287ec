//! The compatibility layer: the official client's results for the shapes of 0.x, and input for older peers.

use crate::support;

use std::sync::atomic::{AtomicUsize, Ordering};

use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::compat::{self, Boundary, ProtocolVersion};
use ag_ui_native::bindings::decode::{DeclaredType, DocumentReader};
use ag_ui_native::bindings::decoder::Decoder;
use ag_ui_native::bindings::ids::{IdGenerator, IdKind};
use ag_ui_native::bindings::schema::FieldType;
use ag_ui_native::bindings::to_value;
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::types::{ContentPart, Message, RunAgentInput, UserMessage};
use ag_ui_native::{Code, Event, Issue, Limits, Profile, Value, from_json, to_json};
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use support::{fixture, report};

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    kind: String,
    #[serde(default)]
    events: Vec<Json>,
    #[serde(default)]
    input: Json,
    ceiling: Option<String>,
    declared: Option<String>,
    #[serde(default)]
    expected: Json,
    #[serde(default)]
    warnings: Vec<Json>,
    warning: Option<String>,
}

impl Case {
    fn ceiling(&self) -> ProtocolVersion {
        ProtocolVersion::parse(self.ceiling.as_deref().unwrap()).unwrap()
    }
}

/// `<id:1>`, `<id:2>`, ...
#[derive(Default)]
struct Numbered(AtomicUsize);

impl IdGenerator for Numbered {
    fn id(&self, _kind: IdKind) -> String {
        format!("<id:{}>", self.0.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

/// The result of a case, and the warnings as the fixture has them.
type Outcome = (Json, Vec<Json>);

fn outcome(case: &Case) -> Outcome {
    match case.kind.as_str() {
        "stream" => read_stream(case),
        "upgrade" => {
            let mut input = free(&case.input);
            let issues = compat::upgrade_input(&mut input);
            (json_of(&input), issues.iter().map(|issue| json!([issue.code.as_str(), issue.path])).collect())
        }
        "downgrade" => {
            let mut input: RunAgentInput = typed(&case.input);
            let issues = input.downgrade(case.ceiling());
            let warnings = issues.iter().map(|issue| json!([issue.code.as_str(), issue.path])).collect();
            (serde_json::from_str(&to_json(&input)).unwrap(), warnings)
        }
        "receive" => receive(case),
        kind => panic!("{kind}"),
    }
}

fn read_stream(case: &Case) -> Outcome {
    let mut reader = DocumentReader::new(Profile::Tolerant, Limits::default());
    reader.rules.fill_lists = true;
    reader.boundary = Boundary::new(Numbered::default());
    let (mut events, mut warnings) = (Vec::new(), Vec::new());
    for (index, event) in case.events.iter().enumerate() {
        let decoded = reader.event(event.to_string().as_bytes(), &mut TypedBuild).unwrap();
        events.extend(decoded.value.map(|slot| written(&Event::from_validated(Some(slot)))));
        warnings.extend(decoded.warnings.iter().map(|issue| warned(index, issue)));
    }
    (events.into(), warnings)
}

fn receive(case: &Case) -> Outcome {
    let (mut events, mut warnings) = (Vec::new(), Vec::new());
    for (index, event) in case.events.iter().enumerate() {
        let mut reader = DocumentReader::new(Profile::Tolerant, Limits::default());
        reader.rules.fill_lists = true;
        let slot = reader.event(event.to_string().as_bytes(), &mut TypedBuild).unwrap().value;
        match compat::receive(Event::from_validated(slot), case.ceiling()) {
            Ok(event) => events.push(written(&event)),
            Err(issue) => warnings.push(warned(index, &issue)),
        }
    }
    (events.into(), warnings)
}

fn warned(index: usize, issue: &Issue) -> Json {
    json!([index, issue.code.as_str(), issue.path])
}

fn written(event: &Event) -> Json {
    serde_json::from_str(&to_json(event)).unwrap()
}

fn typed<T: DeclaredType>(json: &Json) -> T {
    from_json(json.to_string(), Profile::Strict).unwrap().0
}

/// JSON as core's own tree, by way of an event that holds any.
fn free(json: &Json) -> Value {
    let event = json!({ "type": "STATE_SNAPSHOT", "snapshot": json });
    match typed(&event) {
        Event::StateSnapshot(event) => event.snapshot,
        other => panic!("{other:?}"),
    }
}

fn json_of(value: &Value) -> Json {
    serde_json::from_str(&to_json(value)).unwrap()
}

fn sorted(mut warnings: Vec<Json>) -> Vec<String> {
    warnings.sort_by_key(Json::to_string);
    warnings.iter().map(Json::to_string).collect()
}

#[test]
fn every_kind_of_document_is_translated() {
    let of_event = |event: &Json| -> Vec<Json> {
        let holder = if event["type"] == "RUN_STARTED" { &event["input"] } else { event };
        holder["messages"].as_array().cloned().unwrap_or_default()
    };
    let mut count = 0;
    for case in fixture::<Vec<Case>>("compat") {
        let (old, new) = match case.kind.as_str() {
            "stream"
                if case.expected.as_array().is_some_and(|expected| expected.len() == case.events.len()) =>
            {
                let expected = case.expected.as_array().unwrap();
                (
                    case.events.iter().flat_map(of_event).collect(),
                    expected.iter().flat_map(of_event).collect(),
                )
            }
            "upgrade" => (of_event(&case.input), of_event(&case.expected)),
            _ => (Vec::new(), Vec::new()),
        };
        for (old, new) in old.iter().zip(&new) {
            assert_reads_alike::<Message>(old, new);
            if old["role"] == "user" {
                assert_reads_alike::<UserMessage>(old, new);
            }
            let parts = |message: &Json| message["content"].as_array().cloned().unwrap_or_default();
            let (old, new) = (parts(old), parts(new));
            if old.len() == new.len() {
                old.iter().zip(&new).for_each(|(old, new)| assert_reads_alike::<ContentPart>(old, new));
                count += old.iter().filter(|part| part["type"] == "binary").count();
            }
        }
    }
    assert!(count > 0);
}

/// The old document reads as the new one, with a warning where they differ.
fn assert_reads_alike<T: DeclaredType + PartialEq + std::fmt::Debug>(old: &Json, new: &Json) {
    let read = |json: &Json| from_json::<T>(json.to_string(), Profile::Tolerant);
    let (Ok((read_old, warnings)), Ok((read_new, _))) = (read(old), read(new)) else {
        assert_eq!(read(old).is_ok(), read(new).is_ok(), "{old}");
        return;
    };
    assert_eq!(read_old, read_new, "{old}");
    let binaries = |json: &Json| json.to_string().matches("\"binary\"").count();
    let is_translated = warnings.iter().any(|issue| issue.code == Code::LegacyShape);
    assert!(!is_translated || binaries(old) > binaries(new), "{old}: {warnings:?}");
}

#[test]
fn every_case_comes_out_as_recorded() {
    let cases: Vec<Case> = fixture("compat");
    let cases: Vec<_> = cases.into_iter().filter(|case| case.kind != "version").collect();
    let mut failures = Vec::new();
    for case in &cases {
        let (found, warnings) = outcome(case);
        if found != case.expected {
            failures.push(format!("{}:\n  wanted {}\n  got    {found}", case.name, case.expected));
        }
        let (warnings, wanted) = (sorted(warnings), sorted(case.warnings.clone()));
        if warnings != wanted {
            failures.push(format!("{}: warnings {warnings:?}, wanted {wanted:?}", case.name));
        }
    }
    report(&failures, cases.len());
}

#[test]
fn what_is_said_about_versions() {
    for case in fixture::<Vec<Case>>("compat").iter().filter(|case| case.kind == "version") {
        let issue = compat::check_protocol_version(case.declared.as_deref());
        let code = issue.map(|issue| issue.code.to_string());
        assert_eq!(code, case.warning, "{}", case.name);
    }
}

#[test]
fn ceilings_are_versions_of_up_to_three_numbers() {
    let version = |text| ProtocolVersion::parse(text);
    assert_eq!(version("1.1"), Some(ProtocolVersion::CURRENT));
    assert!(version("1.0") < version("1.1") && version("1.9") < version("1.10"));
    assert_eq!(version("1"), version("1.0.0"));
    assert_eq!(version("0.0.039"), Some(ProtocolVersion::new(0, 0, 39)));
    assert!(version("0.0.9") < version("0.0.10") && version("0.9") < version("0.10"));
    for none in ["", ".", "1.", "1..0", "1.0.0.0", "v1", "1.0-beta", "-1", "1,0", " 1"] {
        assert_eq!(version(none), None, "{none}");
    }
}

#[test]
fn strict_refuses_what_is_retired_and_a_relay_keeps_it() {
    let retired = fixture::<Vec<Case>>("compat").into_iter().filter(|case| case.kind == "stream");
    let mut refused = 0;
    for event in retired.flat_map(|case| case.events) {
        let json = event.to_string();
        refused += usize::from(from_json::<Event>(&json, Profile::Strict).is_err());
        let (relayed, warnings) = from_json::<Event>(&json, Profile::Relay).unwrap();
        assert_eq!((written(&relayed), warnings), (event, vec![]));
    }
    assert!(refused > 40, "{refused}");
}

#[test]
fn a_run_input_is_read_with_its_binary_parts() {
    let json = r#"{"threadId":"t","runId":"r","messages":[{"id":"u","role":"user","content":[{"type":"binary","mimeType":"image/png","url":"u"}]}]}"#;
    let (input, warnings) = from_json::<RunAgentInput>(json, Profile::Tolerant).unwrap();
    assert!(
        to_json(&input)
            .contains(r#"{"type":"image","source":{"type":"url","value":"u","mimeType":"image/png"}}"#)
    );
    assert_eq!(warnings.iter().map(|issue| issue.code).collect::<Vec<_>>(), [Code::LegacyShape]);
    assert!(warnings[0].message().contains("binary") && warnings[0].message().contains("image"));
}

#[test]
fn a_decoder_remembers_ids_for_its_stream_and_no_other() {
    let ids = |chunks: &[&str]| {
        let mut decoder = Decoder::new(None, Rules::default(), Limits::default()).unwrap();
        let mut ids = Vec::new();
        for chunk in chunks {
            let take = &mut |arrival: ag_ui_native::bindings::decoder::Arrival<'_, _>| {
                let event = written(&Event::from_validated(Some(arrival.value)));
                ids.push(event["messageId"].as_str().unwrap().to_owned());
                Ok(())
            };
            decoder.feed(format!("data: {chunk}\n\n").as_bytes(), &mut TypedBuild, take).unwrap();
        }
        ids
    };
    let stream = [r#"{"type":"THINKING_TEXT_MESSAGE_START"}"#, r#"{"type":"THINKING_TEXT_MESSAGE_END"}"#];
    let (first, second) = (ids(&stream), ids(&stream));
    assert_eq!(first[0], first[1]);
    assert_ne!(first[0], second[0]);
}

#[test]
fn a_hostile_list_of_parts_makes_no_flood_of_warnings() {
    let parts = vec![json!({ "type": "binary", "mimeType": "image/png", "data": "A" }); 20_000];
    let mut input = free(&json!({ "messages": [{ "id": "u", "role": "user", "content": parts }] }));
    assert_eq!(compat::upgrade_input(&mut input).len(), 100);
    assert!(!to_json(&input).contains("binary"));
}

#[test]
fn no_document_that_is_free_of_retired_shapes_is_touched() {
    #[derive(serde::Deserialize)]
    struct Document {
        r#type: String,
        json: String,
    }
    let mut translated = 0;
    for Document { r#type, json } in fixture::<Vec<Document>>("documents") {
        if r#type == "Event" && serde_json::from_str::<Json>(&json).is_ok_and(|json| json.is_object()) {
            let event = free(&serde_json::from_str(&json).unwrap());
            assert_eq!(Boundary::default().translate(event.clone()), (event, vec![]), "{json}");
            translated += 1;
        }
    }
    assert!(translated > 100, "{translated}");
}

/// Parts that often repeat each other, in both shapes.
fn part() -> impl Strategy<Value = Json> {
    let text = || prop_oneof![Just(""), Just("a"), Just("b")];
    let mime = || prop_oneof![Just("image/png"), Just("audio/x"), Just("x/y")];
    let kind = prop_oneof![Just("image"), Just("audio"), Just("document"), Just("text")];
    let source = || prop_oneof![Just("data"), Just("url")];
    let optional = |key: &'static str, text: Option<&'static str>| text.map(|text| (key, text));
    let old = (mime(), prop::option::of(text()), prop::option::of(text()), prop::option::of(text()))
        .prop_map(move |(mime, data, url, filename)| {
            let mut part = json!({ "type": "binary", "mimeType": mime });
            let members = [optional("data", data), optional("url", url), optional("filename", filename)];
            members.into_iter().flatten().for_each(|(key, text)| part[key] = text.into());
            part
        });
    let new = (kind, source(), text(), mime(), prop::option::of(text())).prop_map(
        |(kind, source, value, mime, filename)| {
            let mut part =
                json!({ "type": kind, "source": { "type": source, "value": value, "mimeType": mime } });
            if let Some(filename) = filename {
                part["metadata"] = json!({ "filename": filename });
            }
            part
        },
    );
    prop_oneof![old, new]
}

/// Another implementation of the specification's rule: for each part it searches the whole list.
fn upgraded(parts: &[Json]) -> Vec<Json> {
    let filled =
        |part: &Json, key: &str| part[key].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let upgrade = |part: &Json| {
        let (source, value) = match (filled(part, "data"), filled(part, "url")) {
            (Some(data), _) => ("data", data),
            (_, Some(url)) => ("url", url),
            _ => return Some(part.clone()),
        };
        let mime = part["mimeType"].as_str().unwrap();
        let kind = match mime.split_once('/') {
            Some((kind @ ("image" | "audio" | "video"), _)) => kind,
            _ => "document",
        };
        let mut new = json!({ "type": kind, "source": { "type": source, "value": value, "mimeType": mime } });
        let filename = filled(part, "filename");
        let is_mirror = parts.iter().any(|other| {
            let same_name = filename.as_deref().is_none_or(|name| other["metadata"]["filename"] == *name);
            other["type"] == new["type"] && other["source"] == new["source"] && same_name
        });
        if let Some(filename) = filename {
            new["metadata"] = json!({ "filename": filename });
        }
        (!is_mirror).then_some(new)
    };
    parts
        .iter()
        .filter_map(|part| if part["type"] == "binary" { upgrade(part) } else { Some(part.clone()) })
        .collect()
}

fn any_json() -> impl Strategy<Value = Json> {
    let words = prop::sample::select(vec![
        "type",
        "messages",
        "input",
        "content",
        "binary",
        "mimeType",
        "data",
        "THINKING_START",
        "MESSAGES_SNAPSHOT",
        "RUN_STARTED",
        "title",
        "image/png",
    ]);
    let leaf =
        prop_oneof![Just(Json::Null), any::<i32>().prop_map(Json::from), words.clone().prop_map(Json::from)];
    leaf.prop_recursive(5, 40, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            prop::collection::vec((words.clone(), inner), 0..4).prop_map(|members| {
                members
                    .into_iter()
                    .map(|(key, value)| (key.to_owned(), value))
                    .collect::<serde_json::Map<_, _>>()
                    .into()
            }),
        ]
    })
}

proptest! {
    #[test]
    fn parts_are_upgraded_as_the_specification_says(parts in prop::collection::vec(part(), 0..8)) {
        let wanted = upgraded(&parts);
        let mut input = free(&json!({ "messages": [{ "content": parts }] }));
        compat::upgrade_input(&mut input);
        prop_assert_eq!(&json_of(&input)["messages"][0]["content"], &Json::from(wanted));
    }

    #[test]
    fn an_upgrade_leaves_nothing_to_upgrade(parts in prop::collection::vec(part(), 0..8)) {
        let mut once = free(&json!({ "messages": [{ "content": parts }] }));
        compat::upgrade_input(&mut once);
        let mut twice = once.clone();
        prop_assert_eq!(compat::upgrade_input(&mut twice), vec![]);
        prop_assert_eq!(twice, once);
    }

    #[test]
    fn any_document_passes_the_boundary(json in any_json()) {
        let (first, _) = Boundary::new(Numbered::default()).translate(free(&json));
        let (again, issues) = Boundary::new(Numbered::default()).translate(first.clone());
        prop_assert_eq!((again, issues), (first, vec![]));
        // A document that the boundary has translated first, and one that the reader translates, have the same result.
        let mut reader = DocumentReader::new(Profile::Tolerant, Limits::default());
        reader.boundary = Boundary::new(Numbered::default());
        let read = |reader: &mut DocumentReader, text: String| {
            reader.event(text.as_bytes(), &mut TypedBuild).map(|decoded| decoded.value.map(|slot| Event::from_validated(Some(slot))))
        };
        let direct = read(&mut reader, json.to_string());
        let (translated, _) = Boundary::new(Numbered::default()).translate(free(&json));
        reader.rules.legacy = false;
        let by_hand = read(&mut reader, to_json(&translated));
        prop_assert_eq!(direct.is_ok(), by_hand.is_ok());
        prop_assert_eq!(direct.ok(), by_hand.ok());
    }

    #[test]
    fn versions_compare_as_numbers(left: [u32; 3], right: [u32; 3]) {
        let version = |[a, b, c]: [u32; 3]| ProtocolVersion::parse(&format!("{a}.{b}.{c}")).unwrap();
        prop_assert_eq!(version(left).cmp(&version(right)), left.cmp(&right));
        prop_assert_eq!(version(left).to_string(), format!("{}.{}.{}", left[0], left[1], left[2]));
    }
}

#[test]
fn a_typed_input_survives_a_peer_of_today() {
    let case = fixture::<Vec<Case>>("compat").into_iter().find(|case| case.kind == "downgrade").unwrap();
    let mut input: RunAgentInput = typed(&case.input);
    let before = to_value(&input);
    assert_eq!(input.downgrade(ProtocolVersion::CURRENT), vec![]);
    assert_eq!(to_value(&input), before);
}
