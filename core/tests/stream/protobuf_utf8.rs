//! Texts of messages that are no UTF-8, in every kind of field and at every place, against the standard library.

use ag_ui_native::bindings::decode::DocumentReader;
use ag_ui_native::bindings::schema::FieldType;
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::types::{CustomEvent, TextMessageContentEvent};
use ag_ui_native::{Code, Event, Limits, Object, Profile, Value};

use crate::protobuf::field;

/// Surrogates, overlong and cut sequences, stray bytes, values behind U+10FFFF, and three sequences that are valid.
const PIECES: [&[u8]; 14] = [
    b"\xed\xa0\x80",
    b"\xed\xbf\xbf",
    b"\xc0\x80",
    b"\xc1\xbf",
    b"\xe0\x80\x80",
    b"\xf0\x80\x80\x80",
    b"\xf4\x90\x80\x80",
    b"\xe4\xbd",
    b"\xf0\x9f\x98",
    b"\x80",
    b"\xff",
    b"",
    "你".as_bytes(),
    "😀".as_bytes(),
];

/// A field that holds a text.
struct Place {
    /// Puts a text, which begins and ends with a known byte, into a message.
    message: fn(&[u8]) -> Vec<u8>,
    event: fn(&str) -> Event,
}

fn content(members: &[Vec<u8>]) -> Vec<u8> {
    field(2, &[field(1, &[8, 1]), members.concat()].concat())
}

/// A message of CUSTOM with this value.
fn custom(value: &[u8]) -> Vec<u8> {
    field(11, &[field(1, &[8, 10]), field(2, b"n"), field(3, value)].concat())
}

fn object(key: &str, value: Value) -> Value {
    let mut object = Object::default();
    object.insert(key, value);
    Value::Object(object)
}

/// A message of strings alone, which has a way of its own; one with another member; free values: a text, an item, a key.
const PLACES: [Place; 6] = [
    Place {
        message: |text| content(&[field(2, b"m"), field(3, text)]),
        event: |text| TextMessageContentEvent::new("m", text).into(),
    },
    Place {
        message: |text| content(&[field(2, text), field(3, b"d")]),
        event: |text| TextMessageContentEvent::new(text, "d").into(),
    },
    Place {
        message: |text| field(2, &[field(1, &[8, 1, 16, 5]), field(2, b"m"), field(3, text)].concat()),
        event: |text| TextMessageContentEvent::new("m", text).with_timestamp(5).into(),
    },
    Place {
        message: |text| custom(&field(3, text)),
        event: |text| CustomEvent::new("n", Value::from(text)).into(),
    },
    Place {
        message: |text| custom(&field(6, &field(1, &field(3, text)))),
        event: |text| CustomEvent::new("n", Value::Array(vec![text.into()])).into(),
    },
    Place {
        message: |text| custom(&field(5, &field(1, &[field(1, text), field(2, &field(3, b"v"))].concat()))),
        event: |text| CustomEvent::new("n", object(text, "v".into())).into(),
    },
];

/// Reads a message. Returns the event, or the error's code and offset.
fn read(reader: &mut DocumentReader, message: &[u8]) -> Result<Option<Event>, (Code, Option<usize>)> {
    let decoded = reader.protobuf(message, &mut TypedBuild).map_err(|error| (error.code(), error.offset))?;
    Ok(decoded.value.map(|event| Event::from_validated(Some(event))))
}

/// Calls `check` with every piece, within texts of every length round a step of sixty-four bytes.
fn each_text(mut check: impl FnMut(&[u8])) {
    for piece in PIECES {
        for filling in ["x", "é", "你"] {
            for before in 0..70_usize {
                for behind in [0, 1, 63] {
                    check(
                        &[
                            b"<",
                            filling.repeat(before).as_bytes(),
                            piece,
                            filling.repeat(behind).as_bytes(),
                            b">",
                        ]
                        .concat(),
                    );
                }
            }
        }
    }
}

fn position(message: &[u8], text: &[u8]) -> usize {
    message.windows(text.len()).position(|window| window == text).unwrap()
}

#[test]
fn texts_are_judged_as_by_the_standard_library() {
    let mut reader = DocumentReader::new(Profile::Tolerant, Limits::default());
    let mut refused = 0;
    each_text(|text| {
        for place in &PLACES {
            let message = (place.message)(text);
            let expected = std::str::from_utf8(text)
                .map(|text| Some((place.event)(text)))
                .map_err(|error| (Code::InvalidUtf8, Some(position(&message, text) + error.valid_up_to())));
            refused += usize::from(expected.is_err());
            assert_eq!(read(&mut reader, &message), expected, "{text:?}");
        }
    });
    assert!(refused > 40_000);
}

#[test]
fn texts_are_replaced_as_by_the_standard_library() {
    let mut reader = DocumentReader::new(Profile::Tolerant, Limits::default());
    reader.rules.replace_invalid_text = true;
    each_text(|text| {
        for place in &PLACES {
            let expected = (place.event)(&String::from_utf8_lossy(text));
            assert_eq!(read(&mut reader, &(place.message)(text)), Ok(Some(expected)), "{text:?}");
        }
    });
}

/// A text that stops within a character is no UTF-8, however the message goes on.
#[test]
fn texts_that_are_cut_are_refused() {
    let mut reader = DocumentReader::new(Profile::Tolerant, Limits::default());
    for filling in ["é", "你", "😀"] {
        let whole = filling.repeat(70);
        for length in 0..whole.len() {
            let text = &whole.as_bytes()[..length];
            for place in &PLACES[..3] {
                let read = read(&mut reader, &(place.message)(text));
                match std::str::from_utf8(text) {
                    Ok("") => {}
                    Ok(text) => assert_eq!(read, Ok(Some((place.event)(text)))),
                    Err(_) => assert_eq!(read.unwrap_err().0, Code::InvalidUtf8, "{text:?}"),
                }
            }
        }
    }
}
