//! From JSON text to Rust values.

use std::hint::black_box;

use ag_ui_core::event::Event as PeerEvent;
use ag_ui_core::types::input::RunAgentInput as PeerInput;
use ag_ui_native::bindings::schema::DeclaredType;
use ag_ui_native::stream::EventDecoder;
use ag_ui_native::types::RunAgentInput;
use ag_ui_native::{Error, Event, Profile, borrow_json, from_json, to_json};
use serde_json::{Value, from_slice, from_str, to_value};

use crate::Scenarios;
use crate::measure::Operation;
use crate::models::{FlatEvent, RunAgentInput as PlainInput};

pub fn operations(scenarios: &Scenarios) -> Vec<Operation<'_>> {
    let mut operations = Vec::new();
    for (name, json) in &scenarios.documents {
        operations.push(if name == "input" { input(json) } else { event(name, json) });
        operations.push(if name == "input" { borrowed_input(json) } else { borrowed_event(name, json) });
    }
    operations.push(events(&scenarios.events));
    for (name, size) in [("16 KB", 16 << 10), ("64 KB", 64 << 10)] {
        let reads = scenarios.stream.chunks(size).map(<[u8]>::to_vec).collect();
        operations.push(stream(&format!("decode a stream, reads of {name}, each event"), reads));
    }
    operations.push(stream("decode a stream, one event a read, each event", scenarios.frames.clone()));
    operations
}

fn read<T: DeclaredType>(json: &str) -> T {
    from_json(json, Profile::Tolerant).expect("a valid document").0
}

fn event<'a>(name: &str, json: &'a str) -> Operation<'a> {
    let tree: Value = from_str(json).expect("JSON");
    let ours = from_str::<Value>(&to_json(&read::<Event>(json))).expect("JSON");
    let peer = to_value(from_str::<PeerEvent>(json).expect("a valid event")).expect("JSON");
    let flat = to_value(from_str::<FlatEvent<'_>>(json).expect("a valid event")).expect("JSON");
    assert!(ours == tree && peer == tree && flat == tree, "{name}: {ours} {peer} {flat}");
    Operation::new(format!("decode {name}"), 1)
        .with("ours", || read::<Event>(json))
        .with("ag-ui-core", || from_str::<PeerEvent>(json))
        .with("serde_json struct", || from_str::<FlatEvent<'_>>(json))
        .with("serde_json Value", || from_str::<Value>(json))
}

fn input(json: &str) -> Operation<'_> {
    let ours = from_str::<Value>(&to_json(&read::<RunAgentInput>(json))).expect("JSON");
    let peer = to_value(from_str::<PeerInput>(json).expect("a valid input")).expect("JSON");
    assert!(ours == peer, "input");
    Operation::new("decode RunAgentInput", 1)
        .with("ours", || read::<RunAgentInput>(json))
        .with("ag-ui-core", || from_str::<PeerInput>(json))
        .with("serde_json struct", || from_str::<PlainInput>(json))
        .with("serde_json Value", || from_str::<Value>(json))
}

/// The form whose texts are borrowed. The peer crate has no such form.
fn borrowed_event<'a>(name: &str, json: &'a str) -> Operation<'a> {
    let read = move || borrow_json::<Event>(json, Profile::Tolerant).expect("a valid event").0;
    assert_eq!(read().into_owned(), self::read::<Event>(json), "{name}");
    Operation::new(format!("decode {name}, borrowed"), 1)
        .with("ours", read)
        .with("ag-ui-core", || from_str::<PeerEvent>(json))
        .with("serde_json struct", || from_str::<FlatEvent<'_>>(json))
}

fn borrowed_input(json: &str) -> Operation<'_> {
    let read = move || borrow_json::<RunAgentInput>(json, Profile::Tolerant).expect("a valid input").0;
    assert_eq!(read().into_owned(), self::read::<RunAgentInput>(json));
    Operation::new("decode RunAgentInput, borrowed", 1)
        .with("ours", read)
        .with("ag-ui-core", || from_str::<PeerInput>(json))
}

/// The events of the stream, without its frames.
fn events(events: &[String]) -> Operation<'_> {
    let ours = move || {
        for json in events {
            black_box(read::<Event>(json));
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
    let mut decoder = EventDecoder::new();
    let mut count = 0;
    let mut take = |event: Result<Event, Error>| {
        black_box(event.expect("a valid stream"));
        count += 1;
    };
    for read in reads {
        decoder.feed(read).for_each(&mut take);
    }
    decoder.close().for_each(&mut take);
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
