//! Parses arguments of a tool call that arrive in pieces, with their value after each piece.

use ag_ui_native::Limits;
use ag_ui_native::bindings::json::PartialJson;
use jiter::{JsonValue, PartialMode};

use crate::measure::Operation;

/// 10 KB in deltas of 20 characters.
pub fn arguments() -> Operation<'static> {
    let items: Vec<_> = (0..180)
        .map(|number| format!(r#"{{"id":{number},"name":"a \"name\" of an item, {number}"}}"#))
        .collect();
    let text = format!("[{}]", items.join(","));
    let pieces: Vec<String> =
        text.as_bytes().chunks(20).map(|piece| String::from_utf8(piece.to_vec()).expect("ASCII")).collect();
    let all = text.clone();
    Operation::new(format!("arguments of {} KB in {} deltas", text.len() / 1000, pieces.len()), 1)
        .with("ours", move || {
            let mut partial = PartialJson::new(Limits::default());
            for piece in &pieces {
                partial.feed(piece).expect("JSON");
                std::hint::black_box(partial.value());
            }
            partial
        })
        .with("jiter", move || {
            let mut end = 0;
            while end < all.len() {
                end = (end + 20).min(all.len());
                let value =
                    JsonValue::parse_with_config(&all.as_bytes()[..end], false, PartialMode::TrailingStrings);
                std::hint::black_box(value.expect("JSON"));
            }
        })
}
