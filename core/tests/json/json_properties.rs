//! The parser and the writer against random values and broken text, with serde_json as the second opinion.

use ag_ui_native::bindings::NumberStyle;
use ag_ui_native::bindings::json::{Input, ParseOptions, Syntax, Tape, Writer};
use ag_ui_native::{Code, Number, Object, Value};
use proptest::collection::vec;
use proptest::prelude::*;

const STYLES: [NumberStyle; 3] = [NumberStyle::Python, NumberStyle::PythonBarePlus, NumberStyle::JavaScript];

fn parse(text: &str) -> Result<Value, Syntax> {
    let mut tape = Tape::default();
    tape.parse(text, ParseOptions { depth: 100, replace_invalid_text: false }).map(Input::to_value)
}

fn write(value: &Value, style: NumberStyle) -> String {
    let mut writer = Writer::new(style);
    writer.value(value);
    writer.out
}

fn long_integer() -> impl Strategy<Value = Number> {
    (any::<bool>(), 1u8..10, vec(0u8..10, 18..60)).prop_map(|(negative, first, rest)| {
        let digits = std::iter::once(first).chain(rest).map(|digit| char::from(b'0' + digit));
        let sign = if negative { "-" } else { "" };
        Number::parse(&format!("{sign}{}", digits.collect::<String>()))
    })
}

fn number() -> impl Strategy<Value = Number> {
    prop_oneof![
        any::<i64>().prop_map(Number::Int),
        (-1000i64..1000).prop_map(Number::Int),
        any::<f64>().prop_filter("JSON has it", |float| float.is_finite()).prop_map(Number::Float),
        (-1_000_000i32..1_000_000, -12i32..24)
            .prop_map(|(digits, power)| Number::Float(f64::from(digits) * 10f64.powi(power))),
        long_integer(),
    ]
}

/// Strings with many characters that need an escape.
fn text() -> impl Strategy<Value = String> {
    let character = prop_oneof![
        4 => any::<char>(),
        4 => (0x20u8..0x7f).prop_map(char::from),
        1 => (0u8..0x20).prop_map(char::from),
        1 => prop::sample::select(vec!['"', '\\', '/', '\u{7f}', '\u{2028}', '\u{ffff}', '\u{1f600}']),
    ];
    vec(character, 0..40).prop_map(String::from_iter)
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        number().prop_map(Value::Number),
        text().prop_map(Value::String),
    ];
    leaf.prop_recursive(5, 60, 8, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..8).prop_map(Value::Array),
            vec((text(), inner), 0..8).prop_map(|members| Value::Object(Object::from_iter(members))),
        ]
    })
}

/// Returns true if two values are equal, with numbers compared by their value.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        #[allow(clippy::float_cmp)] // Exactly the same double is what is asked for.
        (Value::Number(left), Value::Number(right)) => left == right || left.as_f64() == right.as_f64(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            // In order, too.
            left.len() == right.len()
                && left.iter().zip(right).all(|(left, right)| left.0 == right.0 && same(left.1, right.1))
        }
        _ => left == right,
    }
}

/// Returns true if the value has a number that serde cannot hold.
fn is_beyond_serde(value: &Value) -> bool {
    match value {
        Value::Number(Number::Literal(text)) => text.parse::<i128>().is_err(),
        Value::Array(items) => items.iter().any(is_beyond_serde),
        Value::Object(members) => members.iter().any(|(_, value)| is_beyond_serde(value)),
        _ => false,
    }
}

/// The text with spaces where JSON allows them: around every token outside strings.
fn spaced(json: &str, spaces: &[&str]) -> String {
    let (mut out, mut inside, mut escaped) = (String::new(), false, false);
    for (index, character) in json.chars().enumerate() {
        let token = !inside && "{}[],:".contains(character);
        let space = spaces[index % spaces.len()];
        out.push_str(if token { space } else { "" });
        out.push(character);
        out.push_str(if token { space } else { "" });
        inside ^= character == '"' && !escaped;
        escaped = inside && character == '\\' && !escaped;
    }
    out
}

proptest! {
    #[test]
    fn what_is_written_reads_the_same(value in value()) {
        for style in STYLES {
            let text = write(&value, style);
            let again = parse(&text).unwrap();
            prop_assert!(same(&value, &again), "{text}");
            // Once written in a style, a value stays as it is.
            prop_assert_eq!(write(&again, style), text);
        }
    }

    #[test]
    fn pythons_spelling_keeps_integers_and_doubles_apart(value in value()) {
        prop_assert_eq!(parse(&write(&value, NumberStyle::Python)).unwrap(), value);
    }

    #[test]
    fn serde_json_reads_what_is_written(value in value()) {
        for style in STYLES {
            let text = write(&value, style);
            let theirs: serde_json::Value = serde_json::from_str(&text).unwrap();
            let ours: Value = serde_json::from_value(theirs).unwrap();
            prop_assert!(same(&value, &ours), "{text}");
        }
    }

    #[test]
    fn what_serde_json_writes_is_the_same(value in value()) {
        let Ok(theirs) = serde_json::to_string(&value) else {
            prop_assert!(is_beyond_serde(&value));
            return Ok(());
        };
        prop_assert_eq!(&theirs, &write(&value, NumberStyle::Python));
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        prop_assert!(same(&value, &parse(&pretty).unwrap()), "{pretty}");
    }

    #[test]
    fn space_between_tokens_changes_nothing(value in value(), seed in 1usize..7) {
        let text = write(&value, NumberStyle::Python);
        let spaced = spaced(&text, &["", " ", "\n", "\t", "\r\n", "  ", ""][..seed]);
        prop_assert_eq!(parse(&spaced).unwrap(), value);
    }

    #[test]
    fn broken_text_gets_the_verdict_of_serde_json(
        value in value(),
        edits in vec((any::<prop::sample::Index>(), 0usize..4, prop::sample::select(TOKENS)), 1..4),
    ) {
        let mut text: Vec<char> = write(&value, NumberStyle::Python).chars().collect();
        for (index, how, token) in edits {
            let at = index.index(text.len() + 1);
            match how {
                0 => drop(text.splice(at..at, token.chars())),
                1 if at < text.len() => drop(text.remove(at)),
                2 if at < text.len() => text[at..].reverse(),
                _ => text.truncate(at),
            }
            if text.is_empty() {
                break;
            }
        }
        let text = String::from_iter(text);
        compare(&text)?;
    }

    #[test]
    fn arbitrary_text_gets_the_verdict_of_serde_json(tokens in vec(prop::sample::select(TOKENS), 0..20)) {
        compare(&tokens.concat())?;
    }
}

/// Pieces that make and break JSON.
const TOKENS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\"a\"",
    "\"a\":",
    "1",
    "-",
    "0",
    ".",
    "e",
    "E",
    "+",
    "1e5",
    "-0",
    "0.5",
    "null",
    "true",
    "false",
    "nul",
    "\\",
    "\\u",
    "\\ud83d",
    "\\ude00",
    "\"\\ud83d\\ude00\"",
    "\\n",
    "\\/",
    "\n",
    " ",
    "\t",
    "\r",
    "\u{0}",
    "\u{1f}",
    "\u{7f}",
    "\u{feff}",
    "\u{a0}",
    "é",
    "😀",
    "//",
    "NaN",
    "Infinity",
    "1e400",
    "1e-400",
];

/// Both parsers take a text or neither does, and they read the same. serde_json refuses numbers beyond the range of a
/// double, which core keeps as they are written.
fn compare(text: &str) -> Result<(), TestCaseError> {
    let ours = parse(text);
    match serde_json::from_str::<serde_json::Value>(text) {
        Ok(theirs) => {
            let theirs: Value = serde_json::from_value(theirs).unwrap();
            let ours = ours.map_err(|error| TestCaseError::fail(format!("{text:?}: {error:?}")))?;
            prop_assert!(same(&ours, &theirs), "{text:?}: {ours:?}, {theirs:?}");
        }
        Err(theirs) if theirs.to_string().contains("number out of range") => {
            let out_of_range = ours.map_or(true, |ours| format!("{ours:?}").contains("Literal"));
            prop_assert!(out_of_range, "{text:?}");
        }
        Err(theirs) => {
            let Err(ours) = ours else { return Err(TestCaseError::fail(format!("{text:?}: {theirs}"))) };
            prop_assert!(matches!(ours.code, Code::InvalidJson | Code::LoneSurrogate), "{text:?}: {ours:?}");
            prop_assert!(ours.offset <= text.len(), "{text:?}: {ours:?}");
        }
    }
    Ok(())
}

#[test]
fn what_needs_an_escape_is_found_at_every_place() {
    // Scanning goes by words of bytes, so neighbours and the place in the word matter.
    let special = ['"', '\\', '\n', '\u{0}', '\u{1f}', '\u{20}', '\u{7f}', '\u{80}', 'é', '\u{2028}', '😀'];
    for before in ["a", "é", "\u{ff}", "\u{10ffff}"] {
        for length in 0..40 {
            for character in special {
                let text = format!("{}{character}{}", before.repeat(length), "z".repeat(40 - length));
                let value = Value::String(text.clone());
                let written = write(&value, NumberStyle::Python);
                assert_eq!(written, serde_json::to_string(&text).unwrap());
                assert_eq!(parse(&written).unwrap(), value);
            }
        }
    }
}

#[test]
fn a_tape_keeps_nothing_from_one_document_to_the_next() {
    let documents = [
        r#"{"a":["\ud83d"]}"#,
        r#"["\n\t","plain",{"k\u0065y":1}]"#,
        r"[[[",
        "1",
        r#""\ud83d""#,
        r#"{"a":{"a":{}}}"#,
        "",
    ];
    let mut tape = Tape::default();
    for replace_invalid_text in [false, true] {
        let options = ParseOptions { depth: 10, replace_invalid_text };
        for document in documents.iter().chain(documents.iter().rev()) {
            let reused = tape.parse(document, options).map(|root| (root.to_value(), root.replaced()));
            let mut fresh = Tape::default();
            assert_eq!(reused, fresh.parse(document, options).map(|root| (root.to_value(), root.replaced())));
        }
    }
}
