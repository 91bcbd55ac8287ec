//! tests/fixtures/server/guarded_frames.json: the frames that leave a guard do not depend on the cuts of the stream.

use std::collections::BTreeMap;

use ag_ui_native::server::{Ending, FrameGuard, Guard, GuardMode, WireFormat};
use ag_ui_native::types::RunAgentInput;
use ag_ui_native::{Limits, Rule};
use serde::Deserialize;

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

/// What a guard has sent, its failure, and its warnings.
type Outcome = (Vec<String>, Option<String>, Vec<(usize, String)>);

/// Guards a stream in these pieces as a server does: in the mode `Fix` a failure ends the run.
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
    let mut frames = Vec::new();
    let mut send = |frame: &[u8]| frames.push(frame.escape_ascii().to_string());
    let fed = pieces.iter().try_for_each(|piece| guard.feed(piece, &mut send));
    let failure = fed.and_then(|()| guard.finish(&mut send)).err();
    if failure.is_some() {
        guard.end_run(&Ending::agent_failed(None), &mut send).unwrap();
    }
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
