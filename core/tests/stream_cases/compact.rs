//! Section `compact`.

use ag_ui_native::bindings::compact::compact;
use ag_ui_native::{Event, Profile, from_json};
use serde_json::{Value, json};

use super::{Case, judge, recorded};

#[test]
fn lists_are_compacted_as_recorded() {
    judge("compact", false, outcome);
}

fn outcome(case: &Case) -> Value {
    let events = case.input["events"].as_array().unwrap().iter();
    // A relay may hold events of unknown types.
    let events: Vec<Event> =
        events.map(|event| from_json(event.to_string(), Profile::Relay).unwrap().0).collect();
    let compacted = compact(&events).into_events(&events);
    let again = compact(&compacted).into_events(&compacted);
    assert_eq!(again, compacted, "{}", case.name);
    json!({ "events": recorded(&compacted) })
}
