//! Coalesced events have the same result as the original events, in the same order, and no event waits longer than its
//! limit.

use crate::random_events;

use std::time::Duration;

use ag_ui_native::bindings::reduce::{Conversation, Reducer};
use ag_ui_native::bindings::verify::EventVerifier;
use ag_ui_native::server::{Coalescer, Guard, GuardMode};
use ag_ui_native::stream::ChunkExpander;
use ag_ui_native::types::{Event, RunAgentInput};
use ag_ui_native::{Error, Limits, Object, Profile, Value, from_json, to_json};
use proptest::collection::vec;
use proptest::prelude::*;
use random_events::{ANY, stream};

/// A legal stream of all types, in which each delta comes up to four times, with other text and metadata.
fn legal() -> impl Strategy<Value = Vec<Event>> {
    // Deltas are rarely legal: there must be many.
    const DELTAS: &[&str] = &["TEXT_MESSAGE_CONTENT", "TOOL_CALL_ARGS", "REASONING_MESSAGE_CONTENT"];
    let types: &'static [&'static str] = [ANY, &DELTAS.repeat(5)].concat().leak();
    (stream(types, 80), vec(1usize..5, 80)).prop_map(|(events, times)| {
        let mut guard =
            Guard::new(GuardMode::Fix, Limits::default()).for_input(&RunAgentInput::new("t", "r", vec![]));
        let mut out = Vec::new();
        for (event, times) in events.into_iter().zip(times) {
            let guarded = guard.push(event).unwrap();
            out.extend(guarded.made);
            let Some(event) = guarded.passed else { continue };
            let times = if is_delta(&event) { times } else { 1 };
            out.extend(
                (0..times).map(|time| if time == 0 { event.clone() } else { again(event.clone(), time) }),
            );
        }
        out.extend(guard.finish().unwrap());
        out
    })
}

/// Another delta of the same entity.
fn again(mut event: Event, time: usize) -> Event {
    let (delta, metadata) = match &mut event {
        Event::TextMessageContent(e) => (&mut e.delta, &mut e.metadata),
        Event::ToolCallArgs(e) => (&mut e.delta, &mut e.metadata),
        Event::ReasoningMessageContent(e) => (&mut e.delta, &mut e.metadata),
        _ => return event,
    };
    *delta += &time.to_string();
    *metadata = time.is_multiple_of(2).then(|| Object::from([("time", time.to_string())]));
    event
}

fn is_delta(event: &Event) -> bool {
    matches!(event, Event::TextMessageContent(_) | Event::ToolCallArgs(_) | Event::ReasoningMessageContent(_))
}

/// The conversation that the events come to, as a client makes it.
fn reduced(events: &[Event]) -> (Vec<Value>, Value) {
    let (mut expander, mut reducer) = (ChunkExpander::new(Limits::default()), Reducer::new(&[]));
    let mut conversation = Conversation::new(&[], Object::default().into(), Limits::default());
    for event in events {
        for event in expander.push(event.clone()).unwrap() {
            for change in reducer.apply(event, false).unwrap().changes {
                conversation.apply(change);
            }
        }
    }
    (conversation.message_values().cloned().collect(), conversation.state)
}

fn verify(events: &[Event]) -> Result<(), Error> {
    let (mut expander, mut verifier) = (ChunkExpander::new(Limits::default()), EventVerifier::default());
    for event in events {
        expander.push(event.clone())?.try_for_each(|event| verifier.check(&event))?;
    }
    verifier.finish()
}

/// Returns the content of the events in order: adjacent deltas of one entity are one text, with its metadata.
fn said(events: &[Event]) -> Vec<(String, String, Object)> {
    let mut out: Vec<(String, String, Object)> = Vec::new();
    for event in events {
        let (id, delta, metadata) = match event {
            Event::TextMessageContent(e) => (&e.message_id, &e.delta, &e.metadata),
            Event::ToolCallArgs(e) => (&e.tool_call_id, &e.delta, &e.metadata),
            Event::ReasoningMessageContent(e) => (&e.message_id, &e.delta, &e.metadata),
            other => {
                out.push((to_json(other), String::new(), Object::default()));
                continue;
            }
        };
        let entity = format!("{} {id:?} {:?}", event.tag(), event.subagent_run_id());
        if out.last().is_none_or(|(last, ..)| *last != entity) {
            out.push((entity, String::new(), Object::default()));
        }
        let (_, text, known) = out.last_mut().unwrap();
        *text += delta;
        for (key, value) in metadata.iter().flat_map(Object::iter) {
            known.insert(key, value.clone());
        }
    }
    out
}

/// Returns the events that joining must not lose.
fn raw_events(events: &[Event]) -> Vec<&Event> {
    events.iter().filter(|event| to_json(*event).contains("\"rawEvent\"")).collect()
}

const AT: fn(u64) -> Duration = Duration::from_millis;

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_coalesced_comes_to_the_same(
        events in legal(),
        steps in vec(0u64..40, 200),
        max_bytes in 0usize..12,
        max_delay in 0u64..100,
    ) {
        let mut coalescer = Coalescer::new(max_bytes, AT(max_delay));
        let (mut out, mut now, mut waits_since) = (Vec::new(), 0, None);
        for (event, step) in events.iter().zip(steps.iter().cycle()) {
            now += step;
            if let Some(deadline) = coalescer.deadline().filter(|deadline| *deadline <= AT(now)) {
                out.extend(coalescer.flush(deadline));
            }
            if coalescer.deadline().is_none() {
                waits_since = None;
            }
            let made = coalescer.push(event.clone(), AT(now));
            // An event that is not a delta is not held, and no event overtakes it.
            prop_assert!(is_delta(event) || made.last() == Some(event));
            if !made.is_empty() {
                // A delta that waits now has just arrived.
                waits_since = None;
            }
            out.extend(made);
            match coalescer.deadline() {
                None => waits_since = None,
                Some(deadline) => {
                    let since = *waits_since.get_or_insert(now);
                    prop_assert!(deadline <= AT(since + max_delay));
                }
            }
        }
        out.extend(coalescer.flush(AT(now)));
        prop_assert_eq!(coalescer.flush(AT(now)), None);
        prop_assert_eq!(reduced(&out), reduced(&events));
        prop_assert!(verify(&events).is_ok() && verify(&out).is_ok());
        prop_assert_eq!(said(&out), said(&events));
        prop_assert_eq!(raw_events(&out), raw_events(&events));
        if max_delay == 0 {
            prop_assert_eq!(out, events);
        }
    }
}

fn event(json: &str) -> Event {
    from_json::<Event>(json, Profile::Relay).unwrap().0
}

fn text(delta: &str, more: &str) -> Event {
    event(&format!(r#"{{"type":"TEXT_MESSAGE_CONTENT"{more},"messageId":"m","delta":"{delta}"}}"#))
}

/// Pushes the deltas at once, one millisecond after a first one, and returns the events that come out.
fn coalesced(max_bytes: usize, deltas: &[Event]) -> Vec<String> {
    let mut coalescer = Coalescer::new(max_bytes, AT(10));
    let first = text("first", "");
    assert_eq!(coalescer.push(first.clone(), AT(0)), [first]);
    let mut out: Vec<_> = deltas.iter().flat_map(|delta| coalescer.push(delta.clone(), AT(1))).collect();
    out.extend(coalescer.flush(AT(9)));
    out.iter().map(to_json).collect()
}

fn texts(deltas: &[(&str, &str)]) -> Vec<String> {
    deltas.iter().map(|(delta, more)| to_json(&text(delta, more))).collect()
}

#[test]
fn metadata_is_merged_and_time_is_lost() {
    let deltas = [
        text("a", r#","timestamp":1"#),
        text("b", r#","metadata":{"x":1,"y":1}"#),
        text("c", r#","timestamp":2,"metadata":{"y":2}"#),
    ];
    assert_eq!(coalesced(99, &deltas), texts(&[("abc", r#","metadata":{"x":1,"y":2}"#)]));
    // A single delta is not changed.
    assert_eq!(coalesced(99, &deltas[..1]), texts(&[("a", r#","timestamp":1"#)]));
}

#[test]
fn other_tags_and_raw_events_are_not_joined() {
    let raw = r#","rawEvent":1"#;
    let deltas = [text("a", ""), text("b", raw), text("c", ""), text("d", "")];
    assert_eq!(coalesced(99, &deltas), texts(&[("a", ""), ("b", raw), ("cd", "")]));
    let tagged = event(r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"b","subagentRunId":"s"}"#);
    let other = event(r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"m","delta":"c"}"#);
    let deltas = [text("a", ""), tagged.clone(), tagged.clone(), other.clone()];
    let alone = [&tagged, &tagged, &other].map(to_json);
    assert_eq!(coalesced(99, &deltas), [texts(&[("a", "")]), alone.to_vec()].concat());
}

#[test]
fn bytes_are_bounded() {
    let deltas = ["aa", "bb", "cc", "long enough", "d", "\u{1f600}"].map(|delta| text(delta, ""));
    let out = ["aabb", "cc", "long enough", "d", "\u{1f600}"].map(|delta| (delta, ""));
    assert_eq!(coalesced(4, &deltas), texts(&out));
    assert_eq!(coalesced(0, &deltas[..2]), texts(&[("aa", ""), ("bb", "")]));
}

#[test]
fn slow_deltas_are_not_held() {
    let mut coalescer = Coalescer::new(99, AT(10));
    for at in [0, 10, 25, 35] {
        assert_eq!(coalescer.push(text("a", ""), AT(at)), [text("a", "")]);
        assert_eq!(coalescer.deadline(), None);
    }
    assert_eq!(coalescer.push(text("b", ""), AT(36)), []);
    assert_eq!(coalescer.deadline(), Some(AT(45)));
    assert_eq!(coalescer.push(text("c", ""), AT(45)), [text("bc", "")]);
    // A clock that is set back, or a deadline that never comes.
    assert_eq!(coalescer.push(text("d", ""), AT(1)), []);
    let mut coalescer = Coalescer::new(99, Duration::MAX);
    coalescer.push(text("a", ""), AT(1));
    assert_eq!(coalescer.push(text("b", ""), AT(99)), []);
    assert_eq!(coalescer.deadline(), Some(Duration::MAX));
}
