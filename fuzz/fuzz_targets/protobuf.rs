//! Tests protobuf: decodes and encodes any bytes as a message, and encodes and decodes events of the fixtures.
#![no_main]

use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::decode::DocumentReader;
use ag_ui_native::bindings::protobuf::ProtobufEncoder;
use ag_ui_native::bindings::schema::FieldType;
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::{Event, Limits, Profile, to_json};
use ag_ui_native_fuzz::spelling::{Dice, spell};
use ag_ui_native_fuzz::ways::{PROFILES, both_ways_of_message};
use ag_ui_native_fuzz::{EVENTS, one_of};
use libfuzzer_sys::fuzz_target;

fn decode(message: &[u8]) -> Option<Event> {
    let mut reader = DocumentReader::new(Profile::Tolerant, Limits::default());
    let decoded = reader.protobuf(message, &mut TypedBuild).ok()?;
    decoded.value.map(|slot| Event::from_validated(Some(slot)))
}

fn encode(json: &str, rules: Rules) -> Option<Vec<u8>> {
    let mut encoder = ProtobufEncoder::new(rules, Limits::default());
    encoder.encode(json.as_bytes()).ok()?.message.map(<[u8]>::to_vec)
}

fuzz_target!(|bytes: &[u8]| {
    for profile in PROFILES {
        let [short, general] = both_ways_of_message(bytes, profile);
        assert_eq!(short, general);
    }
    let mut messages = vec![bytes.to_vec()];
    let mut dice = Dice(bytes);
    let text = spell(one_of(&EVENTS, &mut dice), &mut dice);
    messages.extend(encode(&text, Rules::of(Profile::Tolerant)));
    for message in messages {
        // A decoded message, encoded by us, must decode to the same event.
        let Some(event) = decode(&message) else { continue };
        let Some(ours) = encode(&to_json(&event), Rules::of(Profile::Tolerant)) else { continue };
        let again = decode(&ours).expect("a message of ours");
        assert_eq!(encode(&to_json(&again), Rules::of(Profile::Tolerant)), Some(ours));
    }
});
