//! Section `chunks`.

use ag_ui_native::bindings::expand::ChunkExpander;
use ag_ui_native::types::Event;
use ag_ui_native::{Profile, from_json};
use serde_json::{Value, json};

use super::{Cases, failure, fixture, judge, recorded};

/// Returns the expansion of the events, as the cases record it.
fn expanded(events: Vec<Event>) -> Value {
    let mut expander = ChunkExpander::default();
    let mut out = Vec::new();
    for (index, event) in events.into_iter().enumerate() {
        match expander.expand(event) {
            Ok(expansion) => out.extend(expansion.made.into_iter().chain(expansion.passed)),
            Err(error) => {
                let rule = error.rule().unwrap().as_str();
                return failure(json!(index), rule, json!({ "events": recorded(&out) }));
            }
        }
    }
    json!({ "events": recorded(&out) })
}

#[test]
fn chunks_expand_as_recorded() {
    judge("chunks", true, |case| expanded(case.events()));
}

/// Unknown members and events, which only a relay keeps.
#[test]
fn what_a_relay_keeps_expands_as_recorded() {
    let relayed = |event: &Value| from_json::<Event>(event.to_string(), Profile::Relay).unwrap().0;
    let cases = fixture::<Cases>("stream-cases").cases.into_iter();
    let extra: Vec<_> =
        cases.filter(|case| case.section == "chunks" && case.schema.as_deref() == Some("extra")).collect();
    assert_eq!(extra.len(), 6);
    for case in extra {
        let events = case.input["events"].as_array().unwrap().iter().map(relayed).collect();
        assert_eq!(expanded(events), case.expected, "{}", case.name);
    }
}
