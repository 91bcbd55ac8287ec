//! Compaction from numbers, as a host hands them over, is that of the events.

use crate::random_events;

use std::collections::HashMap;

use ag_ui_native::bindings::compact::{
    CompactionPlan, Flag, KNOWN_STRINGS, Missing, ROW_WORDS, Shape, plan, read_plan, row_layout,
};
use ag_ui_native::to_json;
use ag_ui_native::types::Event;
use proptest::prelude::*;
use random_events::{ANY, is_chunk, stream};

/// Mostly events that compaction joins.
const STREAMS: &[&str] = &[
    "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_END",
    "TOOL_CALL_START",
    "TOOL_CALL_ARGS",
    "TOOL_CALL_ARGS",
    "TOOL_CALL_END",
    "TOOL_CALL_RESULT",
    "MESSAGES_SNAPSHOT",
    "STATE_SNAPSHOT",
    "STATE_DELTA",
    "CUSTOM",
];

/// A table in words, as a host writes it down of events that it has as JSON.
struct Words {
    numbers: HashMap<String, u32>,
    rows: Vec<u32>,
    listed: Vec<u32>,
    is_full: bool,
}

impl Words {
    fn of(events: &[Event], is_full: bool) -> Self {
        let numbers =
            KNOWN_STRINGS.iter().zip(1..).map(|(word, number)| ((*word).to_owned(), number)).collect();
        let mut words = Self { numbers, rows: Vec::new(), listed: Vec::new(), is_full };
        for event in events {
            words.push(&serde_json::from_str(&to_json(event)).unwrap());
        }
        words
    }

    fn number(&mut self, value: &serde_json::Value) -> u32 {
        let next = u32::try_from(self.numbers.len() + 1).unwrap();
        value.as_str().map_or(0, |text| *self.numbers.entry(text.to_owned()).or_insert(next))
    }

    fn push(&mut self, event: &serde_json::Value) {
        let variants = Event::UNION.variants;
        let place = variants.iter().position(|variant| variant.tag == event["type"]);
        let mut row = [u32::try_from(place.unwrap_or(variants.len())).unwrap(), 0, 0, 0, 0];
        let mut flag = |flag: Flag, is_there: bool| row[0] |= if is_there { flag as u32 } else { 0 };
        flag(Flag::Metadata, !event["metadata"].is_null());
        flag(Flag::Keeps, event["replace"] == false);
        let Some(ty) = place.map(|place| variants[place].ty) else { return self.rows.extend(row) };
        let of = row_layout(ty);
        let is_declared = |key: &str| ty.fields.iter().any(|field| field.wire == key);
        let carries = |key: &str| key == "timestamp" || key == "rawEvent" || !is_declared(key);
        let is_dressed = event.as_object().unwrap().keys().any(|key| carries(key));
        flag(Flag::Dressed, is_dressed && matches!(of.shape, Shape::Delta | Shape::State));
        let list = of.list.iter().fold(event, |value, key| &value[*key]).as_array();
        for (word, column) in row[1..].iter_mut().zip(of.columns) {
            *word = self.number(&event[*column]);
        }
        if let Some(messages) = list.filter(|_| self.is_full) {
            row[3] = u32::try_from(self.listed.len()).unwrap();
            for message in messages {
                self.list(message);
            }
            row[4] = u32::try_from(self.listed.len()).unwrap();
        }
        self.rows.extend(row);
    }

    fn list(&mut self, message: &serde_json::Value) {
        let calls = message["toolCalls"].as_array().cloned().unwrap_or_default();
        let (role, id) = (self.number(&message["role"]), self.number(&message["id"]));
        self.listed.extend([role, id, u32::try_from(calls.len()).unwrap()]);
        for call in &calls {
            let id = self.number(&call["id"]);
            self.listed.push(id);
        }
    }

    fn plan(&self) -> Result<Vec<u32>, Missing> {
        assert_eq!(self.rows.len() % ROW_WORDS, 0);
        let listed = self.is_full.then_some(&self.listed[..]);
        read_plan(self.numbers.len() + 1, &self.rows, listed).map(|plan| written(&plan))
    }
}

fn written(plan: &CompactionPlan) -> Vec<u32> {
    let mut words = Vec::new();
    plan.write(&mut words);
    words
}

proptest! {
    #[test]
    fn numbers_tell_what_events_tell(stream in prop_oneof![stream(ANY, 40), stream(STREAMS, 30)]) {
        let expected = written(&plan(&stream));
        for is_full in [false, true] {
            match Words::of(&stream, is_full).plan() {
                Ok(found) => prop_assert_eq!(&found, &expected),
                Err(Missing::Table) => prop_assert!(!is_full),
                Err(Missing::Events) => prop_assert!(stream.iter().any(is_chunk)),
            }
        }
    }

    #[test]
    fn any_words_come_to_a_recipe(rows in proptest::collection::vec(0..40_u32, 0..60), listed in proptest::collection::vec(0..9_u32, 0..20)) {
        let places = rows.iter().zip(0..).map(|(word, at)| if at % ROW_WORDS == 0 { word % 32 } else { *word });
        let _ = read_plan(7, &places.collect::<Vec<_>>(), Some(&listed));
    }
}
