//! From JSON text to Rust values.

use std::hint::black_box;

use ag_ui_core::event::Event as PeerEvent;
use ag_ui_core::types::input::RunAgentInput as PeerInput;
use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::decode::{DeclaredType, DocumentReader};
use ag_ui_native::bindings::decoder::{Arrival, Decoder};
use ag_ui_native::bindings::schema::{FieldType, Validated};
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::types::RunAgentInput;
use ag_ui_native::{Event, Limits, Profile, to_json};
use serde_json::{Value, from_slice, from_str, to_value};

use crate::Scenarios;
use crate::measure::Operation;
use crate::models::{FlatEvent, RunAgentInput as PlainInput};

pub fn operations(scenarios: &Scenarios) -> Vec<Operation<'_>> {
    let mut operations = Vec::new();
    for (name, json) in &scenarios.documents {
        operations.push(if name == "input" { input(json) } else { event(name, json) });
    }
    operations.push(events(&scenarios.events));
    for (name, size) in [("16 KB", 16 << 10), ("64 KB", 64 << 10)] {
        let reads = scenarios.stream.chunks(size).map(<[u8]>::to_vec).collect();
        operations.push(stream(&format!("decode a stream, reads of {name}, each event"), reads));
    }
    operations.push(stream("decode a stream, one event a read, each event", scenarios.frames.clone()));
    operations
}

fn reader() -> DocumentReader {
    DocumentReader::new(Profile::Tolerant, Limits::default())
}

fn our_event(reader: &mut DocumentReader, json: &str) -> Event {
    Event::from_validated(reader.event(json.as_bytes(), &mut TypedBuild).expect("a valid event").value)
}

fn event<'a>(name: &str, json: &'a str) -> Operation<'a> {
    let tree: Value = from_str(json).expect("JSON");
    let ours = from_str::<Value>(&to_json(&our_event(&mut reader(), json))).expect("JSON");
    let peer = to_value(from_str::<PeerEvent>(json).expect("a valid event")).expect("JSON");
    let flat = to_value(from_str::<FlatEvent<'_>>(json).expect("a valid event")).expect("JSON");
    assert!(ours == tree && peer == tree && flat == tree, "{name}: {ours} {peer} {flat}");
    let mut reader = reader();
    Operation::new(format!("decode {name}"), 1)
        .with("ours", move || our_event(&mut reader, json))
        .with("ag-ui-core", || from_str::<PeerEvent>(json))
        .with("serde_json struct", || from_str::<FlatEvent<'_>>(json))
        .with("serde_json Value", || from_str::<Value>(json))
}

fn input(json: &str) -> Operation<'_> {
    let decode = |reader: &mut DocumentReader| {
        let decoded = reader.value(json.as_bytes(), RunAgentInput::DECLARED_KIND, &mut TypedBuild);
        RunAgentInput::from_validated(decoded.expect("a valid input").value)
    };
    let ours = from_str::<Value>(&to_json(&decode(&mut reader()))).expect("JSON");
    let peer = to_value(from_str::<PeerInput>(json).expect("a valid input")).expect("JSON");
    assert!(ours == peer, "input");
    let mut reader = reader();
    Operation::new("decode RunAgentInput", 1)
        .with("ours", move || decode(&mut reader))
        .with("ag-ui-core", || from_str::<PeerInput>(json))
        .with("serde_json struct", || from_str::<PlainInput>(json))
        .with("serde_json Value", || from_str::<Value>(json))
}

/// The events of the stream, without its frames.
fn events(events: &[String]) -> Operation<'_> {
    let mut reader = reader();
    let ours = move || {
        for json in events {
            black_box(our_event(&mut reader, json));
        }
    };
    let peer = move || {
        for json in events {
            black_box(from_str::<PeerEvent>(json).expect("a valid event"));
        }
    };
    let flat = move || {
        for json in events {
            black_box(from_str::<FlatEvent<'_>>(json).expect("a valid event"));
        }
    };
    let count = u32::try_from(events.len()).expect("not that many");
    Operation::new("decode 10,000 events, each", count)
        .with("ours", ours)
        .with("ag-ui-core", peer)
        .with("serde_json struct", flat)
}

/// The stream as it arrives from the network. The peer crate has no decoder, so it gets the shortest loop that reads
/// this stream.
fn stream(name: &str, reads: Vec<Vec<u8>>) -> Operation<'static> {
    let count = our_stream(&reads);
    assert_eq!(count, peer_stream(&reads));
    let again = reads.clone();
    Operation::new(name, u32::try_from(count).expect("not that many"))
        .with("ours", move || our_stream(&reads))
        .with("ag-ui-core", move || peer_stream(&again))
}

fn our_stream(reads: &[Vec<u8>]) -> usize {
    let rules = Rules::of(Profile::Tolerant);
    let mut decoder = Decoder::new(None, rules, Limits::default()).expect("the media type is right");
    let mut count = 0;
    let mut take = |arrival: Arrival<'_, Validated>| {
        black_box(Event::from_validated(Some(arrival.value)));
        count += 1;
        Ok(())
    };
    for read in reads {
        decoder.feed(read, &mut TypedBuild, &mut take).expect("a valid stream");
    }
    decoder.close(&mut TypedBuild, &mut take).expect("a valid stream");
    count
}

fn peer_stream(reads: &[Vec<u8>]) -> usize {
    let mut count = 0;
    let mut rest = Vec::new();
    for read in reads {
        rest.extend_from_slice(read);
        let mut start = 0;
        while let Some(length) = rest[start..].windows(2).position(|pair| pair == b"\n\n") {
            let json = &rest[start + "data: ".len()..start + length];
            black_box(from_slice::<PeerEvent>(json).expect("a valid event"));
            start += length + 2;
            count += 1;
        }
        rest.drain(..start);
    }
    count
}
