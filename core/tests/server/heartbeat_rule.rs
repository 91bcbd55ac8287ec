//! The times at which a comment is due: one table for all servers (`tests/fixtures/server/server_heartbeat_rule.json`), by core alone. The clock is the script's.

use crate::simulation;
use crate::support;

use std::time::Duration;

use ag_ui_native::bindings::server::{Beat, Heartbeat, RunWriter};
use ag_ui_native::server::{Ending, WireFormat};
use ag_ui_native::types::{CustomEvent, RunAgentInput};
use ag_ui_native::{Limits, sse};
use proptest::prelude::*;
use serde::Deserialize;

/// Times are in seconds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Script {
    name: String,
    pause: u64,
    #[serde(default)]
    websocket: bool,
    #[serde(default)]
    binary: bool,
    #[serde(default)]
    writes: Vec<u64>,
    #[serde(default)]
    heard: Vec<u64>,
    behind: Option<(u64, u64)>,
    end: Option<u64>,
    until: u64,
    comments: Vec<u64>,
    #[serde(default)]
    pings: Vec<u64>,
    given_up: Option<u64>,
}

/// The seconds in which a comment or a ping leaves, and in which the client is given up.
fn beats(script: &Script) -> (Vec<u64>, Vec<u64>, Option<u64>) {
    let wire_format = if script.binary { WireFormat::Binary } else { WireFormat::Text };
    let pause = Duration::from_secs(script.pause);
    let mut run = RunWriter::new(wire_format, Limits::default());
    run.start(&RunAgentInput::new("t", "r", vec![]), false).unwrap();
    run.keep_alive(if script.websocket {
        Heartbeat::of_pings(pause, Duration::ZERO)
    } else {
        Heartbeat::of_comments(wire_format, pause, Duration::ZERO)
    });
    run.clear();
    let (mut comments, mut pings) = (Vec::new(), Vec::new());
    for second in 1..=script.until {
        if script.end == Some(second) {
            run.end_run(Ending::Success(None)).unwrap();
        }
        if script.heard.contains(&second) {
            run.heard();
        }
        let is_behind = script.behind.is_some_and(|(from, to)| (from..to).contains(&second));
        if script.writes.contains(&second) || script.behind.is_some_and(|(from, _)| from == second) {
            run.send(CustomEvent::new("c", 1).into(), None).unwrap();
        }
        if !is_behind {
            run.clear();
        }
        let now = Duration::from_secs(second);
        if run.next_check().is_some_and(|next| next <= now) {
            match run.check_silence(now, is_behind) {
                Beat::Nothing => assert!(is_behind || run.waiting().is_empty()),
                Beat::Comment => {
                    assert_eq!(run.take(), b": \n\n");
                    comments.push(second);
                }
                Beat::Ping => pings.push(second),
                Beat::GiveUp => return (comments, pings, Some(second)),
            }
        }
    }
    (comments, pings, None)
}

#[test]
fn silence_is_filled_when_it_is_due() {
    for script in support::fixture::<Vec<Script>>("server_heartbeat_rule") {
        let expected = (script.comments.clone(), script.pings.clone(), script.given_up);
        assert_eq!(beats(&script), expected, "{}", script.name);
    }
}

#[test]
fn it_may_be_looked_for_late() {
    let seconds = Duration::from_secs;
    let mut heartbeat = Heartbeat::of_comments(WireFormat::Text, seconds(8), seconds(100)).unwrap();
    assert_eq!(heartbeat.deadline(), seconds(102));
    assert_eq!(heartbeat.check_silence(seconds(300), false), Beat::Comment);
    heartbeat.written();
    assert_eq!(heartbeat.check_silence(seconds(301), false), Beat::Nothing);
    assert_eq!(heartbeat.deadline(), seconds(303));
    assert_eq!(heartbeat.check_silence(seconds(308), false), Beat::Comment, "the comment was no event");
}

#[test]
fn a_comment_is_no_event() {
    assert!(
        WireFormat::Text.heartbeat().unwrap().starts_with(':') && WireFormat::Binary.heartbeat().is_none()
    );
    assert_eq!(WireFormat::Text.content_type(), sse::MEDIA_TYPE);
}

proptest! {
    #![proptest_config(simulation::drawn())]

    /// For random writes, answers and delays, and for any times of the checks: there is always a time of the next check,
    /// a silence is filled at the first look after its pause and nothing else is sent, and a client that is given up
    /// has not answered the last pings.
    #[test]
    fn schedules(
        is_comment: bool,
        pause in 1_u64..1_000,
        checks in prop::collection::vec((0_u64..400, prop::bool::weighted(0.3), prop::bool::weighted(0.2), prop::bool::weighted(0.1)), 0..60),
    ) {
        let pause = Duration::from_millis(pause);
        let wire_format = WireFormat::Text;
        let heartbeat = if is_comment { Heartbeat::of_comments(wire_format, pause, Duration::ZERO) } else { Heartbeat::of_pings(pause, Duration::ZERO) };
        let mut heartbeat = heartbeat.unwrap();
        let (mut since, mut checked, mut unanswered) = (Duration::ZERO, Duration::ZERO, 0);
        for (late, is_written, is_heard, is_behind) in checks {
            let due = heartbeat.deadline();
            prop_assert!(due > checked && due <= checked + pause, "{:?} behind {:?}", due, checked);
            if is_written {
                heartbeat.written();
            }
            if is_heard {
                heartbeat.heard();
            }
            unanswered = if is_heard || is_behind { 0 } else { unanswered };
            // Mostly in time.
            checked = due + Duration::from_millis(late.saturating_sub(300));
            let beat = heartbeat.check_silence(checked, is_behind);
            let is_silent = !is_written && !is_behind;
            prop_assert_eq!(beat != Beat::Nothing, is_silent && checked >= since + pause);
            match beat {
                Beat::Nothing => {}
                Beat::Comment => heartbeat.written(),
                Beat::Ping => unanswered += 1,
                Beat::GiveUp => prop_assert!(!is_comment && unanswered == 4, "{} pings", unanswered),
            }
            if beat != Beat::Nothing || !is_silent {
                since = checked;
            }
        }
    }
}
