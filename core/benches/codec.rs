//! Core against serde_json and ag-ui-core, every round of one run taking each competitor in turn.
//! `cargo bench --bench codec`; results go to `bench/results/rust.json`.
#![allow(clippy::print_stdout)] // It is a command.

use std::hint::black_box;
use std::time::Instant;

use ag_ui_native::decode::DocumentReader;
use ag_ui_native::schema::FieldType;
use ag_ui_native::typed::TypedBuild;
use ag_ui_native::{Event, Limits, Profile, to_json};

const ROUNDS: usize = 41;

struct Row<'a> {
    operation: &'a str,
    name: &'a str,
    run: Box<dyn FnMut() + 'a>,
    times: Vec<f64>,
}

fn text_event(length: usize) -> String {
    let delta = "the quick brown fox jumps over the lazy dog ".repeat(length / 44 + 1);
    format!(
        r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"3f0c2a1e-8d1b-4c59-9f57-0a6d3c1b2e4f","delta":"{}"}}"#,
        &delta[..length]
    )
}

fn state_snapshot(items: usize) -> String {
    let items: Vec<_> = (0..items)
        .map(|n| format!(r#"{{"id":{n},"name":"item {n}","price":{n}.25,"tags":["a","b"],"done":false}}"#))
        .collect();
    format!(r#"{{"type":"STATE_SNAPSHOT","snapshot":{{"items":[{}]}}}}"#, items.join(","))
}

fn messages_snapshot(count: usize) -> String {
    let messages: Vec<_> = (0..count)
        .map(|n| {
            let role = if n % 2 == 0 { "user" } else { "assistant" };
            format!(
                r#"{{"id":"message-{n}","role":"{role}","content":"What the message with number {n} says."}}"#
            )
        })
        .collect();
    format!(r#"{{"type":"MESSAGES_SNAPSHOT","messages":[{}]}}"#, messages.join(","))
}

fn main() {
    let cases = [
        ("text 40 B", text_event(40)),
        ("text 1 KB", text_event(1000)),
        ("state snapshot 2 KB", state_snapshot(30)),
        ("messages snapshot 100", messages_snapshot(100)),
    ];
    let mut rows = Vec::new();
    for (name, json) in &cases {
        let mut reader = DocumentReader::new(Profile::Tolerant, Limits::default());
        rows.push(Row {
            operation: "decode",
            name,
            run: Box::new(move || {
                let decoded = reader.event(json.as_bytes(), &mut TypedBuild).expect("the event is valid");
                black_box(Event::from_slot(decoded.value));
            }),
            times: Vec::new(),
        });
        rows.push(Row {
            operation: "decode (serde_json::Value)",
            name,
            run: Box::new(move || {
                black_box(serde_json::from_str::<serde_json::Value>(json).expect("the text is JSON"));
            }),
            times: Vec::new(),
        });
        let event = ag_ui_native::from_json::<Event>(json, Profile::Strict).expect("the event is valid").0;
        rows.push(Row {
            operation: "encode",
            name,
            run: Box::new(move || {
                black_box(to_json(&event));
            }),
            times: Vec::new(),
        });
    }
    for _ in 0..ROUNDS {
        for row in &mut rows {
            let iterations = 200;
            let start = Instant::now();
            for _ in 0..iterations {
                (row.run)();
            }
            row.times.push(start.elapsed().as_secs_f64() * 1e9 / f64::from(iterations));
        }
    }
    for row in &mut rows {
        row.times.sort_by(f64::total_cmp);
        println!("{:28} {:24} {:10.0} ns", row.operation, row.name, row.times[ROUNDS / 2]);
    }
}
