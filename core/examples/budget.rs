//! The operations on which Rust programs spend their time: `budget DATA` lists them, `budget DATA count` runs them for
//! a tool that counts instructions. DATA is the output of `bench/scenarios.py`. A line has the number of times that an
//! operation is done between its two marks, and its name. `diff` is not included: its count differs by 3 % with the
//! seeds of a process. It is in `benches/patch.rs`, and counted in Python and Node.
#![allow(clippy::print_stdout)] // It is a command.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;

use ag_ui_native::bindings::server::RunWriter;
use ag_ui_native::patch::apply;
use ag_ui_native::protobuf::{from_frame, to_frame};
use ag_ui_native::server::{Ending, StateTracker, WireFormat};
use ag_ui_native::stream::{EventDecoder, EventPipeline, EventVerifier};
use ag_ui_native::types::{JsonPatchOperation, RunAgentInput, TextMessageStartEvent, ToolCallStartEvent};
use ag_ui_native::{Event, Limits, Profile, from_json, read_run_input, to_sse};

const EVENTS: usize = 500;
const WORDS: &str = "a piece of text of forty characters, yes";

/// The name of an operation, the number of times that it is done, and the work.
type Operation<'a> = (&'static str, usize, Box<dyn FnMut() + 'a>);

fn operation<'a, T>(name: &'static str, times: usize, mut work: impl FnMut() -> T + 'a) -> Operation<'a> {
    (name, times, Box::new(move || drop(black_box(work()))))
}

/// Calls a function of the C library that nothing else calls: the counting tool recognizes it.
fn mark() {
    black_box(std::process::id());
}

fn event(json: &str) -> Event {
    from_json(json, Profile::Tolerant).expect("an event").0
}

fn documents(texts: &BTreeMap<String, String>) -> Vec<Operation<'_>> {
    let [text, messages, input] = ["text", "messages", "input"].map(|name| texts[name].as_str());
    let events = ["text", "state snapshot", "state delta", "messages"].map(|name| event(&texts[name]));
    let [one, snapshot, delta, many] = events;
    let (written, read) = (one.clone(), to_frame(&one).expect("an event that protobuf has"));
    vec![
        operation("encode text", 200, move || to_sse(&one)),
        operation("encode a state snapshot of 2 KB", 20, move || to_sse(&snapshot)),
        operation("encode a state delta of 5 operations", 50, move || to_sse(&delta)),
        operation("encode a snapshot of 100 messages", 10, move || to_sse(&many)),
        operation("decode text", 200, move || event(text)),
        operation("decode a snapshot of 100 messages", 5, move || event(messages)),
        operation("read a run input of 57 KB", 5, move || {
            read_run_input(input, Profile::Tolerant, Limits::default()).expect("an input")
        }),
        operation("protobuf, encode text", 200, move || to_frame(&written)),
        operation("protobuf, decode text", 200, move || from_frame(&read, Profile::Tolerant)),
    ]
}

fn streams(stream: &str) -> Vec<Operation<'_>> {
    let frames: Vec<&str> = stream.split_inclusive("\n\n").take(EVENTS).collect();
    let whole = frames.concat();
    let events: Vec<Event> = frames.iter().map(|frame| event(&frame["data: ".len()..])).collect();
    let reads = frames.clone();
    vec![
        operation("decode 500 events in one read", 1, move || {
            EventDecoder::new().feed(whole.as_bytes()).count()
        }),
        operation("decode 500 events, one a read", 1, move || {
            let mut decoder = EventDecoder::new();
            reads.iter().map(|read| decoder.feed(read.as_bytes()).count()).sum::<usize>()
        }),
        operation("verify 500 events", 1, move || {
            let mut verifier = EventVerifier::new(Limits::default());
            for event in &events {
                verifier.check(event).expect("a valid stream");
            }
        }),
        operation("make a conversation of 500 events, one a read", 1, move || {
            let mut pipeline = EventPipeline::new();
            frames.iter().map(|read| pipeline.feed(read.as_bytes()).count()).sum::<usize>()
        }),
    ]
}

fn states(texts: &BTreeMap<String, String>) -> Vec<Operation<'_>> {
    let input: RunAgentInput = from_json(&texts["input"], Profile::Tolerant).expect("an input").0;
    let old = input.state.expect("a state");
    let change = |name: &str| {
        let text = format!(r#"{{"op":"replace","path":"/items/7/name","value":"{name}"}}"#);
        [from_json::<JsonPatchOperation>(text, Profile::Strict).expect("an operation").0]
    };
    let mut new = old.clone();
    apply(&mut new, &change("changed"), &Limits::default()).expect("a name");
    let (mut patched, mut tracker, operations) = (old.clone(), StateTracker::new(), change("other"));
    vec![
        operation("patch of one operation", 200, move || {
            apply(&mut patched, &operations, &Limits::default())
        }),
        operation("track a state that changes", 10, move || {
            (tracker.flush(&old).expect("a state"), tracker.flush(&new).expect("a state"))
        }),
    ]
}

/// The operations of agents that write, as servers send it.
fn runs() -> Vec<Operation<'static>> {
    fn run(write: impl Fn(&mut RunWriter)) -> usize {
        let mut run = RunWriter::new(WireFormat::Text, Limits::default());
        run.start(&RunAgentInput::new("t", "r", vec![]), false).expect("a new run");
        write(&mut run);
        run.end_run(Ending::Success(None)).expect("an open run");
        run.take().len()
    }
    vec![
        operation("a run of 500 tokens", 1, || {
            run(|run| {
                let message = run.open(TextMessageStartEvent::new("m").into(), None).expect("a new message");
                for _ in 0..EVENTS {
                    run.write(message, WORDS).expect("an open message");
                }
            })
        }),
        operation("a run of 50 tool calls", 1, || {
            run(|run| {
                for at in 0..EVENTS / 10 {
                    let start = ToolCallStartEvent::new(format!("c{at}"), "get_weather");
                    let call = run.open(start.into(), None).expect("a new call");
                    for piece in [r#"{"city": "#, r#""Paris", "#, r#""days": 2}"#] {
                        run.write(call, piece).expect("an open call");
                    }
                    run.end(call).expect("an open call");
                }
            })
        }),
    ]
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let data = Path::new(arguments.first().expect("a directory"));
    let read = |name: &str| std::fs::read_to_string(data.join(name)).expect("bench/scenarios.py has run");
    let (texts, stream) = (read("documents.json"), read("stream.sse"));
    let texts: BTreeMap<String, String> = serde_json::from_str(&texts).expect("a map of texts");
    let operations =
        documents(&texts).into_iter().chain(streams(&stream)).chain(states(&texts)).chain(runs());
    for (name, times, mut work) in operations {
        if arguments.len() == 1 {
            println!("{times} {name}");
            continue;
        }
        // A first call makes everything that is made only once.
        work();
        work();
        mark();
        (0..times).for_each(|_| work());
        mark();
    }
}
