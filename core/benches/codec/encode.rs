//! From Rust values to JSON text.

use ag_ui_core::event::Event as PeerEvent;
use ag_ui_native::{Event, Profile, from_json, to_json};
use serde_json::{Value, from_str, to_string};

use crate::Scenarios;
use crate::measure::Operation;
use crate::models::FlatEvent;

pub fn operations(scenarios: &Scenarios) -> Vec<Operation<'_>> {
    scenarios
        .documents
        .iter()
        .filter(|(name, _)| *name != "input")
        .map(|(name, json)| event(name, json))
        .collect()
}

fn event<'a>(name: &str, json: &'a str) -> Operation<'a> {
    let ours = from_json::<Event>(json, Profile::Strict).expect("a valid event").0;
    let peer: PeerEvent = from_str(json).expect("a valid event");
    let flat: FlatEvent<'_> = from_str(json).expect("a valid event");
    let tree: Value = from_str(json).expect("JSON");
    assert_eq!(to_json(&ours), json, "{name}");
    assert_eq!(from_str::<Value>(&to_string(&peer).expect("JSON")).expect("JSON"), tree, "{name}");
    Operation::new(format!("encode {name}"), 1)
        .with("ours", move || to_json(&ours))
        .with("ag-ui-core", move || to_string(&peer))
        .with("serde_json struct", move || to_string(&flat))
        .with("serde_json Value", move || to_string(&tree))
}
