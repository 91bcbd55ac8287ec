//! tests/fixtures/server/guarded_frames.json: the frames that leave a guard do not depend on the cuts of the stream.

use std::collections::BTreeMap;

use ag_ui_native::server::{Ending, FrameGuard, Guard, GuardMode, WireFormat};
use ag_ui_native::types::RunAgentInput;
use ag_ui_native::{Error, Event, Limits, Rule, to_sse};
use proptest::prelude::*;
use proptest::sample::select;
use serde::Deserialize;

use crate::random_events::{ANY, stream};
use crate::support::{self, Body};

#[derive(Deserialize)]
struct Fixture {
    frames: BTreeMap<String, BTreeMap<String, Body>>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    name: String,
    given: Vec<String>,
    #[serde(default)]
    input: bool,
    #[serde(default)]
    limits: BTreeMap<String, usize>,
    protobuf_failure: Option<String>,
    fix: Verdict,
    report: Verdict,
    error: Verdict,
}

#[derive(Deserialize)]
struct Verdict {
    sent: Vec<String>,
    failure: Option<String>,
    #[serde(default)]
    warnings: Vec<(usize, String)>,
}

/// The frames that a guard has sent, its failure, and its warnings.
type Outcome = (Vec<String>, Option<String>, Vec<(usize, String)>);

/// Passes a stream in these pieces on as a server does: in the mode `Fix` a failure ends the run.
fn passed<'a>(
    guard: &mut FrameGuard,
    mut pieces: impl Iterator<Item = &'a [u8]>,
) -> (Vec<String>, Option<Error>) {
    let mut frames = Vec::new();
    let mut send = |frame: &[u8]| frames.push(frame.escape_ascii().to_string());
    let fed = pieces.try_for_each(|piece| guard.feed(piece, &mut send));
    let failure = fed.and_then(|()| guard.finish(&mut send)).err();
    if failure.is_some() {
        guard.end_run(&Ending::agent_failed(None), &mut send).unwrap();
    }
    (frames, failure)
}

/// Guards the stream of a case in these pieces.
fn guarded(case: &Case, mode: GuardMode, wire_format: WireFormat, pieces: &[&[u8]]) -> Outcome {
    let mut limits = Limits::default();
    for (name, value) in &case.limits {
        *limits.get_mut(name).unwrap() = *value;
    }
    let mut guard = Guard::new(mode, limits);
    if case.input {
        guard = guard.for_input(&RunAgentInput::new("t", "r", vec![]));
    }
    let mut guard = FrameGuard::new(guard, Some(wire_format.content_type())).unwrap();
    assert_eq!(guard.wire_format(), wire_format);
    let (frames, failure) = passed(&mut guard, pieces.iter().copied());
    let named = |code: &str, rule: Option<&str>| rule.unwrap_or(code).to_owned();
    let failure = failure.map(|error| named(error.code().as_str(), error.rule().map(Rule::as_str)));
    let told = guard.take_warnings().into_iter().map(|warning| {
        let rule = warning.issue.rule.map(Rule::as_str);
        (warning.event_index, named(warning.issue.code.as_str(), rule))
    });
    (frames, failure, told.collect())
}

#[test]
fn frames_leave_a_guard_in_the_same_way_however_the_stream_is_cut() {
    let Fixture { frames, cases } = support::fixture("guarded_frames");
    let mut tried = 0;
    for case in &cases {
        for (key, wire_format) in [("text", WireFormat::Text), ("protobuf", WireFormat::Binary)] {
            let bytes = |names: &[String]| -> Option<Vec<Vec<u8>>> {
                names.iter().map(|name| frames[name].get(key).map(Body::bytes)).collect()
            };
            let Some(given) = bytes(&case.given) else { continue };
            let whole = given.concat();
            let mut ways: Vec<Vec<&[u8]>> = [1, 7, 64].map(|size| whole.chunks(size).collect()).into();
            ways.push(vec![&whole, b""]);
            ways.push(given.iter().map(Vec::as_slice).collect());
            let modes = [GuardMode::Fix, GuardMode::Report, GuardMode::Error];
            for (mode, verdict) in modes.into_iter().zip([&case.fix, &case.report, &case.error]) {
                let Some(sent) = bytes(&verdict.sent) else { continue };
                let failure = match &case.protobuf_failure {
                    Some(failure) if wire_format == WireFormat::Binary => Some(failure.clone()),
                    _ => verdict.failure.clone(),
                };
                let sent: Vec<_> = sent.iter().map(|frame| frame.escape_ascii().to_string()).collect();
                let expected = (sent, failure, verdict.warnings.clone());
                for way in &ways {
                    let place = format!("{}, {key}, {mode:?}, {} pieces", case.name, way.len());
                    assert_eq!(guarded(case, mode, wire_format, way), expected, "{place}");
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 400, "{tried}");
}

/// The events that a guard of typed events passes and adds, and its failure.
fn guarded_events(mut guard: Guard, given: &[Event]) -> (Vec<Event>, Option<Error>) {
    let mut events = Vec::new();
    let fed = given.iter().try_for_each(|event| {
        let guarded = guard.push(event.clone())?;
        events.extend(guarded.made.into_iter().chain(guarded.passed));
        Ok(())
    });
    let failure = fed.and_then(|()| guard.finish().map(|made| events.extend(made))).err();
    if failure.is_some() {
        events.extend(guard.end_run(&Ending::agent_failed(None)).unwrap());
    }
    (events, failure)
}

proptest! {
    #[test]
    fn frames_are_those_of_the_events_that_a_guard_passes(
        given in stream(ANY, 20),
        mode in select(&[GuardMode::Fix, GuardMode::Report, GuardMode::Error]),
        is_known: bool,
        size in 1..400_usize,
    ) {
        let guard = || {
            let guard = Guard::new(mode, Limits::default());
            if is_known { guard.for_input(&RunAgentInput::new("thread", "run", vec![])) } else { guard }
        };
        let (events, failure) = guarded_events(guard(), &given);
        // Of a stream without an end, a guard of frames warns in the mode `Report`.
        let failure = failure.filter(|_| mode != GuardMode::Report);
        let bytes: String = given.iter().map(to_sse).collect();
        let mut frames = FrameGuard::new(guard(), None).unwrap();
        let (frames, failed) = passed(&mut frames, bytes.as_bytes().chunks(size));
        prop_assert_eq!(failed.map(|error| error.code()), failure.map(|error| error.code()));
        prop_assert_eq!(frames.len(), events.len());
        // Ids of runs that a guard makes are different each time.
        for (frame, event) in frames.iter().zip(&events).filter(|(frame, _)| !frame.contains("run-")) {
            prop_assert_eq!(frame, &to_sse(event).as_bytes().escape_ascii().to_string());
        }
    }
}
