//! Event streams as bytes: framing, decoding and failures, with the bytes cut in every way.

use crate::support;

use std::collections::BTreeMap;

use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::decoder::{Arrival, Decoder};
use ag_ui_native::bindings::schema::Validated;
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::stream::EventDecoder;
use ag_ui_native::{Error, Event, Limits, Profile, to_json};
use support::{Body, fixture, report};

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    chunks: Vec<Body>,
    content_type: Option<String>,
    #[serde(default)]
    options: Options,
    events: Vec<String>,
    #[serde(default)]
    warnings: Vec<Warned>,
    error: Option<Failed>,
    last_event_id: Option<String>,
    retry: Option<u64>,
}

#[derive(Default, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Options {
    profile: Option<String>,
    replace_invalid_text: bool,
    limits: BTreeMap<String, usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Warned {
    event_index: usize,
    code: String,
    path: String,
}

#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Failed {
    code: String,
    event_index: Option<usize>,
    path: String,
    limit: Option<String>,
}

/// The result of a stream.
#[derive(Debug, Default, PartialEq)]
struct Result {
    events: Vec<String>,
    warnings: Vec<Warned>,
    error: Option<Failed>,
    last_event_id: String,
    retry: Option<u64>,
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self {
            code: error.code().to_string(),
            event_index: error.event_index,
            path: error.path().to_owned(),
            limit: error.limit.map(str::to_owned),
        }
    }
}

fn decode(case: &Case, chunks: &[&[u8]]) -> Result {
    let options = &case.options;
    let profile =
        options.profile.as_deref().map_or(Profile::default(), |name| Profile::parse(name).expect(name));
    let mut limits = Limits::default();
    for (name, value) in &options.limits {
        *limits.get_mut(name).unwrap() = *value;
    }

    let mut result = Result::default();
    let decoder = match &case.content_type {
        Some(content_type) => EventDecoder::for_content_type(content_type),
        None => Ok(EventDecoder::new()),
    };
    let mut decoder = match decoder {
        Ok(decoder) => decoder.with_limits(limits).with_profile(profile),
        Err(error) => return Result { error: Some(error.into()), ..result },
    };
    if options.replace_invalid_text {
        decoder = decoder.replace_invalid_text();
    }
    let events = &mut result.events;
    let mut take = |event: std::result::Result<Event, Error>| event.map(|event| events.push(to_json(&event)));
    let mut outcome = chunks.iter().try_for_each(|chunk| decoder.feed(chunk).try_for_each(&mut take));
    if outcome.is_ok() {
        outcome = decoder.close().try_for_each(&mut take);
    }
    result.error = outcome.err().map(Failed::from);
    let warnings = decoder.take_warnings();
    result.warnings = warnings
        .into_iter()
        .map(|warning| Warned {
            event_index: warning.event_index,
            code: warning.issue.code.to_string(),
            path: warning.issue.path,
        })
        .collect();
    result.warnings.sort();
    result.last_event_id = String::from_utf8_lossy(decoder.last_event_id()).into_owned();
    result.retry = decoder.retry();
    result
}

fn wanted(case: &Case) -> Result {
    let mut warnings = case.warnings.clone();
    warnings.sort();
    Result {
        events: case.events.clone(),
        warnings,
        error: case.error.clone(),
        last_event_id: case.last_event_id.clone().unwrap_or_default(),
        retry: case.retry,
    }
}

#[test]
fn every_stream_comes_out_as_recorded_however_it_is_cut() {
    let cases: Vec<Case> = fixture("streams");
    let mut failures = Vec::new();
    for case in &cases {
        let chunks: Vec<Vec<u8>> = case.chunks.iter().map(Body::bytes).collect();
        let whole = chunks.concat();
        let wanted = wanted(case);
        let mut failed = false;
        let mut check = |how: &str, chunks: &[&[u8]]| {
            let got = decode(case, chunks);
            if got != wanted && !failed {
                failed = true; // One way to fail is enough to show.
                failures.push(format!("{} ({how}):\n     got {got:?}\n  wanted {wanted:?}", case.name));
            }
        };
        check("as given", &chunks.iter().map(Vec::as_slice).collect::<Vec<_>>());
        check("in one piece", &[&whole]);
        check("byte by byte", &whole.chunks(1).collect::<Vec<_>>());
        check("in threes", &whole.chunks(3).collect::<Vec<_>>());
        // At every place, or at some hundred places of a long stream.
        for at in (0..=whole.len()).step_by(1 + whole.len() / 300) {
            let (front, back) = whole.split_at(at);
            check("in two pieces", &[front, back]);
        }
    }
    report(&failures, cases.len());
}

#[test]
fn a_decoder_that_failed_stays_failed() {
    let mut decoder = Decoder::new(None, Rules::default(), Limits::default()).unwrap();
    let mut take = |_: Arrival<'_, Validated>| Ok(());
    assert!(decoder.feed(b"data: x\n\n", &mut TypedBuild, &mut take).is_err());
    let again = decoder.feed(b"data: {}\n\n", &mut TypedBuild, &mut take).unwrap_err();
    assert_eq!(again.code().as_str(), "decoder_failed");
    let closed = decoder.close(&mut TypedBuild, &mut take).unwrap_err();
    assert_eq!(closed.code().as_str(), "decoder_failed");
}

#[test]
fn events_left_out_are_counted() {
    let mut decoder = Decoder::new(None, Rules::default(), Limits::default()).unwrap();
    let mut taken = 0;
    let stream = b"data: {\"type\":\"NEWER\"}\n\ndata: {\"type\":\"STEP_STARTED\",\"stepName\":\"s\"}\n\n";
    let mut take = |_: Arrival<'_, Validated>| {
        taken += 1;
        Ok(())
    };
    decoder.feed(stream, &mut TypedBuild, &mut take).unwrap();
    assert_eq!((taken, decoder.event_count()), (1, 2));
    assert_eq!(decoder.take_warnings().len(), 1);
    assert!(decoder.take_warnings().is_empty());
}
