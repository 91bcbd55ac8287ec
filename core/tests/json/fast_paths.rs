//! Every fast path against the general one. They are compared on text in every legal spelling, and on damaged text: documents
//! that are all spelled alike prove nothing about the others.

use crate::spelling;
use crate::support;
use crate::ways;

use std::sync::LazyLock;

use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::decode::DocumentReader;
use ag_ui_native::bindings::protobuf::ProtobufEncoder;
use ag_ui_native::bindings::schema::{FieldDef, FieldType, Kind};
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::{Event, Limits, Profile, Value, from_json};
use proptest::prelude::*;
use spelling::{Dice, damage, spell};
use ways::{PROFILES, both_ways, both_ways_of_message, kind_named};

#[derive(serde::Deserialize)]
struct Case {
    r#type: String,
    json: String,
}

/// The documents of the fixtures that are JSON, each with its type: nested types, lists, free values, faults.
static DOCUMENTS: LazyLock<Vec<(&'static Kind, serde_json::Value)>> = LazyLock::new(|| {
    let cases: Vec<Case> = support::fixture("documents");
    let parsed = |case: &Case| Some((kind_named(&case.r#type), serde_json::from_str(&case.json).ok()?));
    let documents: Vec<_> = cases.iter().filter_map(parsed).collect();
    assert!(documents.len() > 2000);
    documents
});

#[test]
fn the_documents_of_the_fixtures() {
    let cases: Vec<Case> = support::fixture("documents");
    for case in &cases {
        for profile in PROFILES {
            let [short, general] =
                both_ways(case.json.as_bytes(), Some(kind_named(&case.r#type)), profile, Limits::default());
            assert_eq!(short, general, "{profile}: {}", case.json);
        }
    }
}

/// Places in which white space was once read as a number.
#[test]
fn space_before_values_inside_free_values() {
    for value in [
        "{\"a\":  \"b\"}",
        "[ \"x\"]",
        "[1,\n\"x\"]",
        "{\"a\":\t{\"b\":\r\n [ true , null ]}}",
        " \"x\"",
        "\n[]",
    ] {
        let expected: Value = serde_json::from_str(value).unwrap();
        let json = format!("{{\"type\":\"CUSTOM\",\"name\":\"n\",\"value\":{value}}}");
        for profile in PROFILES {
            let (event, warnings) = from_json::<Event>(&json, profile).unwrap();
            let Event::Custom(event) = event else { panic!("{event:?}") };
            assert_eq!(event.value, expected, "{json}");
            assert!(warnings.is_empty());
        }
    }
}

/// Returns true if two values are equal; minus zero equals zero, because `-0` is an integer for Python and a double for
/// serde_json.
fn same(one: &serde_json::Value, other: &serde_json::Value) -> bool {
    use serde_json::Value::{Array, Number, Object};
    match (one, other) {
        (Number(one), Number(other)) => {
            one == other || one.as_f64() == Some(0.0) && other.as_f64() == Some(0.0)
        }
        (Array(one), Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Object(one), Object(other)) => {
            let equal =
                |((key, one), (name, other)): ((&String, _), (&String, _))| key == name && same(one, other);
            one.len() == other.len() && one.iter().zip(other).all(equal)
        }
        (one, other) => one == other,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40_000))]

    #[test]
    fn documents_in_every_spelling(
        place in any::<prop::sample::Index>(),
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        profile in prop::sample::select(PROFILES.to_vec()),
        depth in prop::sample::select(vec![200, 200, 200, 0, 1, 2, 3]),
        as_event in any::<bool>(),
    ) {
        let (kind, value) = &DOCUMENTS[place.index(DOCUMENTS.len())];
        let mut dice = Dice(&bytes);
        let text = damage(spell(value, &mut dice), &mut dice);
        let limits = Limits::default().with_depth(depth);
        let kind = (!as_event).then_some(*kind);
        let [short, general] = both_ways(text.as_bytes(), kind, profile, limits);
        prop_assert_eq!(short, general, "{}", text);
    }

    #[test]
    fn free_values_in_every_spelling(
        place in any::<prop::sample::Index>(),
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        profile in prop::sample::select(PROFILES.to_vec()),
    ) {
        let (_, value) = &DOCUMENTS[place.index(DOCUMENTS.len())];
        let mut dice = Dice(&bytes);
        let event = serde_json::json!({"type": "CUSTOM", "name": "n", "value": value});
        let text = spell(&event, &mut dice);
        let [short, general] = both_ways(text.as_bytes(), None, profile, Limits::default());
        prop_assert_eq!(&short, &general, "{}", text);
        // `serde_json` must read the same value.
        if let Ok(theirs) = serde_json::from_str::<serde_json::Value>(&text)
            && let Ok((Event::Custom(event), _)) = from_json::<Event>(&text, profile)
        {
            let ours: serde_json::Value = serde_json::from_str(&ag_ui_native::to_json(&event.value)).unwrap();
            prop_assert!(same(&ours, &theirs["value"]), "{}", text);
        }
    }

    #[test]
    fn messages_of_strings(
        place in 0usize..31,
        strings in prop::collection::vec(prop::sample::select(vec!["", "a", "assistant", "é😀", "\"\n\\\u{0}"]), 4),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
        profile in prop::sample::select(PROFILES.to_vec()),
    ) {
        let variant = &Event::UNION.variants[place];
        let required = variant.ty.fields.iter().filter(|field| !field.is_optional() && !field.is_tag());
        let count = required.count().min(4);
        let mut encoder = ProtobufEncoder::new(Rules::of(Profile::Strict), Limits::default());
        let Some(Ok(encoded)) = encoder.encode_strings(place, &strings[..count]) else { return Ok(()) };
        let mut message = encoded.message.unwrap().to_vec();
        for (at, byte) in flips {
            let at = at.index(message.len());
            message[at] = byte;
        }
        let [short, general] = both_ways_of_message(&message, profile);
        prop_assert_eq!(short, general, "{:?}", message);
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
        let limits = Limits::default().with_event_bytes(event_bytes);
        let reader = || DocumentReader::new(profile, limits);
        let read = reader().strings(place, &strings, &mut TypedBuild);
        let Some(variant) = Event::UNION.variants.get(place) else {
            prop_assert!(read.is_none());
            return Ok(());
        };
        let required = variant.ty.fields.iter().filter(|field| !field.is_optional() && !field.is_tag());
        let count = required.clone().count();
        let has_strings = required.clone().all(|field| matches!(field.kind, Kind::Text | Kind::Enum(_)));
        let is_odd = |(field, text): (&FieldDef, &&str)| matches!(field.kind, Kind::Enum(set) if !set.values.contains(text));
        let has_odd_word = required.clone().zip(&strings).any(is_odd);
        let members: serde_json::Map<_, _> = [("type", variant.tag)]
            .into_iter()
            .chain(required.map(|field| field.wire).zip(strings.iter().copied()))
            .map(|(key, text)| (key.to_owned(), text.into()))
            .collect();
        let json = serde_json::Value::Object(members).to_string();
        let expected = reader().event(json.as_bytes(), &mut TypedBuild);
        let of_event = |slot| Event::from_validated(Some(slot));
        match read {
            Some(read) => {
                let expected = expected.unwrap();
                prop_assert_eq!(read.value.map(of_event), expected.value.map(of_event));
                prop_assert_eq!((read.warnings, read.repaired, read.ends_run), (expected.warnings, expected.repaired, expected.ends_run));
            }
            // Left to the general way because of the limit, or because it is no event or odd, as words of no closed set are.
            None if event_bytes < usize::MAX || strings.len() > count || !has_strings || has_odd_word => {}
            None => prop_assert!(expected.map_or(true, |read| !read.warnings.is_empty()), "{}", json),
        }
    }
}
