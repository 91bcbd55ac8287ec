//! Plainly valid documents are read by a short way. Random events, valid and not, must come out as the general way has
//! them; `direct_documents.rs` has the nested types.

use ag_ui_native::decode::DocumentReader;
use ag_ui_native::schema::FieldType;
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
