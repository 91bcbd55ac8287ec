//! Writes random streams as servers make them, for other tools to check:
//! `cargo run --example server_streams COUNT SEED` prints COUNT written runs, and as many streams that a guard has
//! repaired. One JSON object per line: `kind`, `events`, and the agent's `state`.

#[path = "../tests/support/random_events.rs"]
mod random_events;
#[path = "../tests/support/random_runs.rs"]
mod random_runs;

use std::io::Write;

use ag_ui_native::server::{Ending, Guard, GuardMode, WireFormat};
use ag_ui_native::types::{Event, RunAgentInput, StateSnapshotEvent};
use ag_ui_native::{Limits, Object, Value, to_json};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse().expect("a number"));
    let (count, seed): (u64, u64) = (arguments.next().unwrap_or(100), arguments.next().unwrap_or(1));
    let seed: Vec<u8> = [seed; 4].iter().flat_map(|part| part.to_le_bytes()).collect();
    let mut runner =
        TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for _ in 0..count {
        let (calls, ending) = draw(&mut runner, &(vec(random_runs::call(), 0..40), random_runs::ending()));
        let (frames, state) = random_runs::write(&calls, &ending, WireFormat::Text);
        let frames = String::from_utf8(frames).expect("text");
        let events =
            frames.split_terminator("\n\n").map(|frame| frame.trim_start_matches("data: ").to_owned());
        print(&mut out, "run", &events.collect::<Vec<_>>(), state)?;

        let (given, fails) =
            draw(&mut runner, &(random_events::stream(random_events::ANY, 30), any::<bool>()));
        let (events, state) = mended(given, fails);
        print(&mut out, "guarded", &events.iter().map(to_json).collect::<Vec<_>>(), state)?;
    }
    Ok(())
}

fn draw<S: Strategy>(runner: &mut TestRunner, strategy: &S) -> S::Value {
    strategy.new_tree(runner).expect("no value is refused").current()
}

/// Returns the stream as the guard repairs it, with a different state in each snapshot, and the last state that is
/// sent.
fn mended(given: Vec<Event>, fails: bool) -> (Vec<Event>, Value) {
    let input = RunAgentInput::new("thread", "run", vec![]);
    let mut guard = Guard::new(GuardMode::Fix, Limits::default()).for_input(&input);
    let (mut out, mut state) = (Vec::new(), Value::from(Object::default()));
    for (at, mut event) in given.into_iter().enumerate() {
        if let Event::StateSnapshot(snapshot) = &mut event {
            snapshot.snapshot = Object::from_iter([("at", at.to_string())]).into();
        }
        let guarded = guard.push(event).expect("the run is known");
        if let Some(Event::StateSnapshot(StateSnapshotEvent { snapshot, .. })) = &guarded.passed {
            state = snapshot.clone();
        }
        out.extend(guarded.made.into_iter().chain(guarded.passed));
    }
    out.extend(
        if fails { guard.end_run(&Ending::agent_failed(None)) } else { guard.finish() }.expect("ended"),
    );
    (out, state)
}

fn print(out: &mut impl Write, kind: &str, events: &[String], state: Value) -> std::io::Result<()> {
    let snapshot = to_json(&StateSnapshotEvent::new(state));
    let state = snapshot.trim_start_matches(r#"{"type":"STATE_SNAPSHOT","snapshot":"#);
    let state = state.strip_suffix('}').expect("an object");
    writeln!(out, r#"{{"kind":"{kind}","state":{state},"events":[{}]}}"#, events.join(","))
}
