//! Our stages in Rust, on the streams that the Node run of `tests/differential` has written.
//!
//! Reads a line per stream, `[seed, [[stage, input, outcome], ...]]`, and writes `[seed, [outcome, ...]]`. The outcomes have the form
//! of those of `ours.mjs` and `ours.py`, word for word.

mod talk;

use std::io::{self, BufRead, Write};

use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::compact::{Compacted, compact};
use ag_ui_native::bindings::decoder::{Decoder, EventReader, ReadEvent, Warning};
use ag_ui_native::bindings::expand::ChunkExpander;
use ag_ui_native::bindings::schema::FieldType;
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::bindings::verify::EventVerifier;
use ag_ui_native::types::Event;
use ag_ui_native::{Error, Limits, Profile, to_json};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Value, json};

fn main() -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let (seed, stages): (u64, Vec<(String, Input, IgnoredAny)>) = serde_json::from_str(&line?)?;
        let outcomes: Vec<Value> = stages.iter().map(|(stage, given, _)| outcome(stage, given)).collect();
        writeln!(out, "{}", json!([seed, outcomes]))?;
    }
    out.flush()
}

/// A stream, and the conversation with which it starts. The JSON may be invalid text.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Input {
    events: Vec<Box<RawValue>>,
    /// The events as texts that may be spelled in any way, if given.
    texts: Option<Vec<String>>,
    messages: Vec<Box<RawValue>>,
    state: Option<Box<RawValue>>,
    pending_interrupts: Vec<Box<RawValue>>,
}

fn outcome(stage: &str, given: &Input) -> Value {
    match stage {
        "enforce" => passed(given, EventReader::enforcing(Rules::default(), Limits::default()), |_| Ok(())),
        "verify" => {
            let mut verifier = EventVerifier::default().with_profile(Profile::Strict);
            passed(given, strict(), |event| verifier.check(event))
        }
        "chunks" => expanded(given),
        "compact" => compacted(given),
        "decode" => decoded(given),
        stage => talk::outcome(stage, given),
    }
}

/// Makes a reader that accepts only valid events.
fn strict() -> EventReader {
    EventReader::new(Rules::of(Profile::Strict), Limits::default())
}

/// Converts core's value to serde's.
fn plain<T: FieldType + ag_ui_native::bindings::decode::DeclaredType>(value: &T) -> Value {
    let json = to_json(value);
    let mut reader = serde_json::Deserializer::from_str(&json);
    reader.disable_recursion_limit();
    Value::deserialize(&mut reader).unwrap_or_default()
}

fn failure(error: &Error) -> Value {
    let paths: Vec<&String> = error.issues.iter().map(|issue| &issue.path).collect();
    json!({
        "code": error.code().as_str(),
        "rule": error.rule().map(ag_ui_native::Rule::as_str),
        "index": error.event_index,
        "paths": paths,
        "message": error.to_string(),
    })
}

fn told(warnings: &[Warning]) -> Value {
    let row = |Warning { event_index, issue }: &Warning| {
        let rule = issue.rule.map(ag_ui_native::Rule::as_str);
        json!([event_index, issue.code.as_str(), issue.path, rule, issue.message()])
    };
    warnings.iter().map(row).collect()
}

/// Describes the result of a stage on a list of events.
fn ended(events: &[Value], warnings: &[Warning], result: Result<(), Error>) -> Value {
    let mut outcome = json!({ "events": events, "warnings": told(warnings) });
    if let Err(error) = result {
        outcome["error"] = failure(&error);
    }
    outcome
}

/// Reads the events and passes each to `take`.
fn read(
    given: &Input,
    reader: &mut EventReader,
    mut take: impl FnMut(ReadEvent) -> Result<(), Error>,
) -> Result<(), Error> {
    given.events.iter().try_for_each(|text| {
        let Some(read) = reader.read(text.get().as_bytes())? else { return Ok(()) };
        let index = read.index;
        take(read).map_err(|error| error.of_event(index))
    })
}

fn passed(
    given: &Input,
    mut reader: EventReader,
    mut judge: impl FnMut(&Event) -> Result<(), Error>,
) -> Value {
    let mut events = Vec::new();
    let result = read(given, &mut reader, |read| {
        judge(&read.event)?;
        events.push(plain(&read.event));
        Ok(())
    });
    ended(&events, &reader.take_warnings(), result)
}

fn expanded(given: &Input) -> Value {
    let (mut reader, mut expander) = (strict(), ChunkExpander::default());
    let mut events = Vec::new();
    let result = read(given, &mut reader, |read| {
        let expansion = expander.expand(read.event)?;
        events.extend(expansion.made.iter().chain(&expansion.passed).map(plain));
        Ok(())
    });
    ended(&events, &reader.take_warnings(), result)
}

fn compacted(given: &Input) -> Value {
    let mut reader = strict();
    let (mut typed, mut indexes) = (Vec::new(), Vec::new());
    let result = read(given, &mut reader, |read| {
        typed.push(read.event);
        indexes.push(read.index);
        Ok(())
    });
    let compaction = compact(&typed);
    let events = compaction.events.iter().map(|event| match event {
        Compacted::Kept(place) => plain(&typed[*place]),
        Compacted::Made(event) => plain(event.as_ref()),
    });
    let events: Vec<Value> = events.collect();
    for warning in compaction.warnings {
        reader.warn(indexes[warning.event_index], warning.issue);
    }
    ended(&events, &reader.take_warnings(), result)
}

fn decoded(given: &Input) -> Value {
    let mut decoder =
        Decoder::new(None, Rules::of(Profile::Relay), Limits::default()).expect("no media type");
    let mut events = Vec::new();
    let frames = talk::frames(given).concat();
    let result = decoder.feed(frames.as_bytes(), &mut TypedBuild, &mut |arrival| {
        events.push(plain(&Event::from_validated(Some(arrival.value))));
        Ok(())
    });
    ended(&events, &decoder.take_warnings(), result)
}
