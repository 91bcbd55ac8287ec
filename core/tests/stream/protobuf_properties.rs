//! JSON to protobuf and back, frames that are cut in every way, and bytes that are not messages.

use crate::random_events;

use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::decode::DocumentReader;
use ag_ui_native::bindings::protobuf::{FrameReader, ProtobufEncoder, encode};
use ag_ui_native::bindings::schema::FieldType;
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::types::Event;
use ag_ui_native::{Limits, Profile, to_json};
use proptest::prelude::*;
use random_events::{ANY, stream};

fn read(message: &[u8]) -> Event {
    let decoded = DocumentReader::default().protobuf(message, &mut TypedBuild).unwrap();
    Event::from_validated(decoded.value)
}

/// Returns the event with the members that protobuf cannot leave out: the lists of a run's input.
fn filled(mut event: Event) -> Event {
    if let Event::RunStarted(started) = &mut event
        && let Some(input) = &mut started.input
    {
        input.tools.get_or_insert_default();
        input.context.get_or_insert_default();
        input.resume.get_or_insert_default();
    }
    event
}

/// The messages of frames that arrive in pieces.
fn frames(pieces: impl IntoIterator<Item = Vec<u8>>) -> Vec<Vec<u8>> {
    let mut reader = FrameReader::new(1 << 20);
    let mut messages = Vec::new();
    for piece in pieces {
        let mut take = |message: &[u8]| {
            messages.push(message.to_vec());
            Ok(())
        };
        reader.feed(&piece, &mut take).unwrap();
    }
    reader.finish().unwrap();
    messages
}

proptest! {
    #[test]
    fn what_both_forms_hold_comes_back(events in stream(ANY, 8)) {
        for event in events {
            let message = encode(&event).unwrap();
            prop_assert_eq!(to_json(&read(&message)), to_json(&filled(event)));
            prop_assert_eq!(encode(&read(&message)).unwrap(), message);
        }
    }

    #[test]
    fn cuts_change_nothing(events in stream(ANY, 6), size in 1usize..40) {
        let mut encoder = ProtobufEncoder::new(Rules::of(Profile::Strict), Limits::default());
        encoder.framed = true;
        let mut bytes = Vec::new();
        let mut messages = Vec::new();
        for event in &events {
            let frame = encoder.encode(to_json(event).as_bytes()).unwrap();
            bytes.extend_from_slice(frame.message.unwrap());
            messages.push(encode(event).unwrap());
        }
        prop_assert_eq!(frames([bytes.clone()]), messages.clone());
        prop_assert_eq!(frames(bytes.chunks(size).map(<[u8]>::to_vec)), messages);
    }

    #[test]
    fn any_bytes_are_an_event_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        if let Err(error) = DocumentReader::default().protobuf(&bytes, &mut TypedBuild) {
            prop_assert!(error.offset.is_none_or(|offset| offset <= bytes.len()));
        }
    }
}
