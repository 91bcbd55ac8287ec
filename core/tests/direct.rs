//! Plainly valid documents are read by a short way. Random events, valid and not, must come out as the general way has
//! them; `direct_documents.rs` has the nested types.

use ag_ui_native::decode::DocumentReader;
use ag_ui_native::schema::{FieldType, Kind};
use ag_ui_native::typed::TypedBuild;
use ag_ui_native::{Event, Limits, Profile, to_json};
use proptest::prelude::*;

/// A member in all the ways that decide which way is taken.
fn member() -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec![
        "messageId",
        "delta",
        "role",
        "name",
        "toolCallId",
        "toolCallName",
        "parentMessageId",
        "content",
        "timestamp",
        "message_id",
        "subagentRunId",
        "x",
        "type",
        "value",
        "threadId",
        "runId",
        "del\\u0074a",
        "",
    ]);
    let value = prop::sample::select(vec![
        "\"text\"",
        "\"\"",
        "\"assistant\"",
        "\"tool\"",
        "\"user\"",
        "\"a\\n\\\"b\\\\ \\/\"",
        "\"\\u00e9\"",
        "\"\\ud83d\"",
        "\"\\x\"",
        "\"你好😀\"",
        "null",
        "12",
        "\"12\"",
        "{}",
        "[]",
        "true",
        "\"TEXT_MESSAGE_END\"",
        "\"open",
        "\"\u{1}\"",
        "\"longer than one block of the scanner, which looks at sixty-four bytes at once\\tand then\"",
    ]);
    let colon = prop::sample::select(vec![":", ":", ":", ": ", " :", ":  "]);
    (key, colon, value).prop_map(|(key, colon, value)| format!("\"{key}\"{colon}{value}"))
}

fn document() -> impl Strategy<Value = String> {
    let tag = prop::sample::select(vec![
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_START",
        "TOOL_CALL_START",
        "TOOL_CALL_RESULT",
        "CUSTOM",
        "RUN_FINISHED",
        "STEP_STARTED",
        "UNKNOWN",
        "",
        "text_message_content",
    ]);
    let comma = prop::sample::select(vec![",", ",", ",", ", ", " ,", ",,"]);
    let end = prop::sample::select(vec!["}", "}", "}", "} ", " }", ",}", "", "}}"]);
    (tag, prop::collection::vec(member(), 0..5), comma, end, any::<bool>()).prop_map(
        |(tag, mut members, comma, end, first)| {
            let at = if first { 0 } else { members.len() };
            members.insert(at, format!("\"type\":\"{tag}\""));
            format!("{{{}{end}", members.join(comma))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn the_short_way_is_the_general_way(
        json in document(),
        profile in prop::sample::select(vec![Profile::Strict, Profile::Tolerant, Profile::Relay]),
        depth in 0usize..3,
    ) {
        let limits = Limits { depth, ..Limits::default() };
        let mut reader = DocumentReader::new(profile, limits);
        let short = reader.event(json.as_bytes(), &mut TypedBuild);
        reader.direct = false;
        let general = reader.event(json.as_bytes(), &mut TypedBuild);
        match (short, general) {
            (Ok(short), Ok(general)) => {
                let text = |value| to_json(&Event::from_slot(value));
                prop_assert_eq!(short.warnings, general.warnings);
                prop_assert_eq!(text(short.value), text(general.value));
            }
            (Err(short), Err(general)) => prop_assert_eq!(short.to_string(), general.to_string()),
            (short, general) => prop_assert!(false, "{short:?} is not {general:?}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn strings_are_read_as_the_json_that_they_stand_for(
        place in 0usize..40,
        strings in prop::collection::vec(
            prop::sample::select(vec!["", "a", "assistant", "user", "reasoning", "tool-call", "é😀", "\"\n\\\u{0}"]),
            0..4,
        ),
        profile in prop::sample::select(vec![Profile::Strict, Profile::Tolerant, Profile::Relay]),
        event_bytes in prop::sample::select(vec![usize::MAX, 40, 2000]),
    ) {
        let limits = Limits { event_bytes, ..Limits::default() };
        let reader = || DocumentReader::new(profile, limits);
        let read = reader().strings(place, &strings, &mut TypedBuild);
        let Some(variant) = Event::UNION.variants.get(place) else {
            prop_assert!(read.is_none());
            return Ok(());
        };
        let required = variant.ty.fields.iter().filter(|field| !field.is_optional() && !field.is_tag());
        let count = required.clone().count();
        let has_strings = required.clone().all(|field| matches!(field.kind, Kind::Text | Kind::Enum(_)));
        let members: serde_json::Map<_, _> = [("type", variant.tag)]
            .into_iter()
            .chain(required.map(|field| field.wire).zip(strings.iter().copied()))
            .map(|(key, text)| (key.to_owned(), text.into()))
            .collect();
        let json = serde_json::Value::Object(members).to_string();
        let expected = reader().event(json.as_bytes(), &mut TypedBuild);
        let of_event = |slot| Event::from_slot(Some(slot));
        match read {
            Some(read) => {
                let expected = expected.unwrap();
                prop_assert_eq!(read.value.map(of_event), expected.value.map(of_event));
                prop_assert_eq!((read.warnings, read.mended, read.ends_run), (expected.warnings, expected.mended, expected.ends_run));
            }
            // Left to the general way because of the limit, or because it is no event or odd.
            None if event_bytes < usize::MAX || strings.len() > count || !has_strings => {}
            None => prop_assert!(expected.map_or(true, |read| !read.warnings.is_empty()), "{}", json),
        }
    }
}
