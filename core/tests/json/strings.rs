//! Strings of every short length, with every character that matters at every place, against `serde_json`.

use ag_ui_native::Value;
use ag_ui_native::bindings::NumberStyle;
use ag_ui_native::bindings::json::{Input, ParseOptions, Tape, Writer};

/// As JSON, and read again.
fn round_trip(text: &str) -> (String, Value) {
    let mut writer = Writer::new(NumberStyle::Python);
    writer.text(text);
    let options = ParseOptions { depth: 1, replace_invalid_text: false };
    let read = Tape::default().parse(&writer.out, options).map(Input::to_value).unwrap();
    (writer.out, read)
}

#[test]
fn escapes_at_every_place() {
    let special = (0u8..0x20).map(char::from).chain(['"', '\\', '/', '\u{7f}', 'é', '\u{2028}', '😀']);
    for character in special {
        for len in 0..70_usize {
            for at in [0, 1, 7, 8, 9, 15, 16, 17, 31, 33, len / 2, len.saturating_sub(1), len] {
                let mut text = "x".repeat(len);
                text.insert(at.min(len), character);
                let (json, read) = round_trip(&text);
                assert_eq!(json, serde_json::to_string(&text).unwrap());
                assert_eq!(read, Value::String(text));
            }
        }
    }
}
