//! When a comment is due: one table for all servers (`tests/fixtures/server_silence.json`), by core alone. The clock is the script's.

mod support;

use std::time::Duration;

use ag_ui_native::server::{Ending, RunWriter, Silence, Transport};
use ag_ui_native::types::{CustomEvent, RunAgentInput};
use ag_ui_native::{Limits, sse};
use serde::Deserialize;

/// Times are in seconds.
#[derive(Deserialize)]
struct Script {
    name: String,
    pause: u64,
    #[serde(default)]
    writes: Vec<u64>,
    behind: Option<(u64, u64)>,
    end: Option<u64>,
    #[serde(default)]
    binary: bool,
    until: u64,
    comments: Vec<u64>,
}

/// The seconds in which a comment leaves.
fn comments(script: &Script) -> Vec<u64> {
    let transport = if script.binary { Transport::Binary } else { Transport::Text };
    let mut run = RunWriter::new(transport, Limits::default());
    run.start(&RunAgentInput::new("t", "r", vec![]), false).unwrap();
    run.clear();
    let Some(mut silence) = Silence::new(transport, Duration::from_secs(script.pause), Duration::ZERO) else {
        return vec![];
    };
    // The beginning of the run.
    let (mut filled, mut is_sent) = (Vec::new(), true);
    for second in 1..=script.until {
        if script.end == Some(second) {
            run.end_run(Ending::Success(None)).unwrap();
        }
        let is_behind = script.behind.is_some_and(|(from, to)| (from..to).contains(&second));
        if script.writes.contains(&second) || script.behind.is_some_and(|(from, _)| from == second) {
            run.send(CustomEvent::new("c", 1).into(), None).unwrap();
        }
        if !is_behind && !run.waiting().is_empty() {
            is_sent = true;
            run.clear();
        }
        let now = Duration::from_secs(second);
        if silence.deadline() <= now {
            if silence.look(now, !is_behind && !std::mem::take(&mut is_sent)) {
                run.beat();
            }
            filled.extend((!run.waiting().is_empty() && !is_behind).then_some(second));
            if !is_behind {
                run.clear();
            }
        }
    }
    filled
}

#[test]
fn silence_is_filled_when_it_is_due() {
    for script in support::fixture::<Vec<Script>>("server_silence") {
        assert_eq!(comments(&script), script.comments, "{}", script.name);
    }
}

#[test]
fn a_comment_is_no_event() {
    assert!(Transport::Text.heartbeat().unwrap().starts_with(':') && Transport::Binary.heartbeat().is_none());
    assert_eq!(Transport::Text.content_type(), sse::MEDIA_TYPE);
}
