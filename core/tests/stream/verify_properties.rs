//! Verification on random streams.

use crate::random_events;

use ag_ui_native::bindings::verify::{EntityKind, EventVerifier, OpenEntity};
use ag_ui_native::types::{
    Event, MessagesSnapshotEvent, ReasoningEndEvent, ReasoningMessageEndEvent, RunFinishedEvent,
    RunStartedEvent, StepFinishedEvent, SubagentFinishedEvent, TextMessageEndEvent, TextMessageStartEvent,
    ToolCallEndEvent,
};
use ag_ui_native::{Code, Error, Limits, Profile, from_json};
use proptest::prelude::*;
use random_events::{ANY, stream};
use serde_json::{Value, json};

/// A run of random events.
fn run() -> impl Strategy<Value = Vec<Event>> {
    stream(ANY, 60).prop_map(|events| {
        let start = Event::from(RunStartedEvent::default());
        std::iter::once(start).chain(events).collect()
    })
}

/// Returns the event that closes an open entity.
fn closing(kind: EntityKind, open: OpenEntity<'_>) -> Event {
    let subagent_run_id = open.subagent_run_id.map(str::to_owned);
    let id = open.id.to_owned();
    macro_rules! end {
        ($event:ident) => {{
            let mut event = $event::new(id);
            event.subagent_run_id = subagent_run_id;
            event.into()
        }};
    }
    match kind {
        EntityKind::Step => end!(StepFinishedEvent),
        EntityKind::TextMessage => end!(TextMessageEndEvent),
        EntityKind::ReasoningMessage => end!(ReasoningMessageEndEvent),
        EntityKind::ReasoningSpan => end!(ReasoningEndEvent),
        EntityKind::ToolCall => end!(ToolCallEndEvent),
        EntityKind::Subagent => SubagentFinishedEvent::new(id).into(),
    }
}

/// Returns the entity that an event opens (`true`) or closes, by kind, id and, for steps, owner.
fn change(event: &Event) -> Option<(bool, EntityKind, &str, Option<&str>)> {
    let tag = event.subagent_run_id();
    Some(match event {
        Event::StepStarted(e) => (true, EntityKind::Step, &e.step_name, tag),
        Event::StepFinished(e) => (false, EntityKind::Step, &e.step_name, tag),
        Event::TextMessageStart(e) => (true, EntityKind::TextMessage, &e.message_id, None),
        Event::TextMessageEnd(e) => (false, EntityKind::TextMessage, &e.message_id, None),
        Event::ReasoningMessageStart(e) => (true, EntityKind::ReasoningMessage, &e.message_id, None),
        Event::ReasoningMessageEnd(e) => (false, EntityKind::ReasoningMessage, &e.message_id, None),
        Event::ReasoningStart(e) => (true, EntityKind::ReasoningSpan, &e.message_id, None),
        Event::ReasoningEnd(e) => (false, EntityKind::ReasoningSpan, &e.message_id, None),
        Event::ToolCallStart(e) => (true, EntityKind::ToolCall, &e.tool_call_id, None),
        Event::ToolCallEnd(e) => (false, EntityKind::ToolCall, &e.tool_call_id, None),
        Event::SubagentStarted(e) => (true, EntityKind::Subagent, &e.subagent_run_id, None),
        Event::SubagentFinished(e) => (false, EntityKind::Subagent, &e.subagent_run_id, None),
        Event::SubagentError(e) => (false, EntityKind::Subagent, &e.subagent_run_id, None),
        _ => return None,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// See `OwnersUpdate` for the reason.
    #[test]
    fn messages_can_wait_for_the_first_tag_of_their_run(events in run()) {
        let (mut whole, mut late) = (EventVerifier::default(), EventVerifier::default());
        let (mut waiting, mut is_tagged) = (Vec::new(), false);
        for event in &events {
            let (messages, begins) = match event {
                Event::MessagesSnapshot(e) => (e.messages.as_slice(), false),
                Event::RunStarted(e) => (e.input.as_ref().map_or(&[][..], |input| &input.messages), true),
                _ => (&[][..], false),
            };
            let has_tag = messages.iter().any(|message| message.subagent_run_id().is_some());
            if event.subagent_run_id().is_some() || has_tag && !begins {
                is_tagged = true;
                let messages = std::mem::take(&mut waiting);
                if late.is_running() {
                    late.admit(&MessagesSnapshotEvent::new(messages).into()).unwrap();
                }
            }
            let found = match event {
                Event::MessagesSnapshot(_) if !is_tagged => {
                    waiting.extend_from_slice(messages);
                    late.admit(&MessagesSnapshotEvent::default().into())
                }
                event => late.admit(event),
            };
            if begins && found.is_ok() {
                (waiting, is_tagged) = (Vec::new(), has_tag);
            }
            prop_assert_eq!(format!("{found:?}"), format!("{:?}", whole.admit(event)));
        }
    }

    #[test]
    fn a_refused_event_changes_nothing(events in run()) {
        let mut guard = EventVerifier::default();
        let mut fresh = EventVerifier::default();
        for event in &events {
            let judged = guard.judge(event);
            prop_assert_eq!(&guard.admit(event), &judged);
            if judged.is_ok() {
                prop_assert_eq!(fresh.check(event), Ok(()));
            }
            prop_assert_eq!(guard.is_running(), fresh.is_running());
        }
    }

    #[test]
    fn a_failure_ends_the_stream(events in run()) {
        let mut verifier = EventVerifier::default();
        let mut failed = false;
        for event in &events {
            match verifier.check(event) {
                Ok(()) => prop_assert!(!failed),
                Err(error) => {
                    let code = if failed { Code::DecoderFailed } else { Code::SequenceBroken };
                    prop_assert_eq!(error.code(), code);
                    failed = true;
                }
            }
        }
    }

    #[test]
    fn what_is_open_is_what_was_opened_and_not_closed_in_order(events in run()) {
        let mut verifier = EventVerifier::default();
        let mut open: Vec<(EntityKind, &str, Option<&str>)> = Vec::new();
        for event in events.iter().filter(|event| verifier.admit(event).is_ok()) {
            match change(event) {
                Some((true, kind, id, owner)) => open.push((kind, id, owner)),
                Some((false, kind, id, owner)) => open.retain(|other| *other != (kind, id, owner)),
                None if matches!(event, Event::RunStarted(_)) => open.clear(),
                None => {}
            }
        }
        for &kind in EntityKind::ALL {
            let found = verifier.open(kind).into_iter();
            let mut found: Vec<_> = found.map(|open| (open.id, open.subagent_run_id)).collect();
            let mut wanted: Vec<_> =
                open.iter().filter(|open| open.0 == kind).map(|&(_, id, owner)| (id, owner)).collect();
            if kind == EntityKind::Step {
                // By owner; the order within one owner is that of the stable sort.
                found.sort_by_key(|step| step.1);
                wanted.sort_by_key(|step| step.1);
            } else {
                found = found.into_iter().map(|(id, _)| (id, None)).collect();
            }
            prop_assert_eq!(found, wanted);
        }
    }

    #[test]
    fn a_run_can_finish_once_what_is_open_is_closed(events in run()) {
        let mut verifier = EventVerifier::default();
        for event in &events {
            let _ = verifier.admit(event);
        }
        if !verifier.is_running() {
            verifier.check(&RunStartedEvent::default().into()).unwrap();
        }
        prop_assert_eq!(verifier.finish().unwrap_err().code(), Code::StreamTruncated);
        for &kind in EntityKind::ALL {
            let ends: Vec<_> = verifier.open(kind).into_iter().map(|open| closing(kind, open)).collect();
            let finish = RunFinishedEvent::default().into();
            prop_assert_eq!(ends.is_empty() || verifier.judge(&finish).is_err(), true);
            for end in &ends {
                prop_assert_eq!(verifier.check(end), Ok(()));
            }
        }
        prop_assert_eq!(verifier.check(&RunFinishedEvent::default().into()), Ok(()));
        prop_assert_eq!(verifier.finish(), Ok(()));
    }

    #[test]
    fn no_more_is_open_than_allowed(events in run(), most in 0usize..4) {
        let mut narrow = EventVerifier::new(Limits::default().with_open_entities(most));
        for event in &events {
            let open: usize = EntityKind::ALL.iter().map(|&kind| narrow.open(kind).len()).sum();
            prop_assert!(open <= most);
            if let Err(Error { limit: Some(limit), .. }) = narrow.admit(event) {
                prop_assert_eq!((limit, open), ("open_entities", most));
            }
        }
    }
}

fn start(id: &str) -> Event {
    TextMessageStartEvent::new(id).into()
}

#[test]
fn closed_messages_do_not_count_as_open() {
    let mut verifier = EventVerifier::new(Limits::default().with_open_entities(1));
    verifier.check(&RunStartedEvent::default().into()).unwrap();
    for id in ["a", "b", "c"] {
        verifier.check(&start(id)).unwrap();
        let end = TextMessageEndEvent::new(id);
        verifier.check(&end.into()).unwrap();
    }
    verifier.check(&start("d")).unwrap();
    let error = verifier.check(&start("e")).unwrap_err();
    assert_eq!((error.code(), error.limit), (Code::LimitExceeded, Some("open_entities")));
}

#[test]
fn what_is_kept_is_limited() {
    let verifier = |limit: usize| {
        let mut verifier = EventVerifier::new(Limits::default().with_id_bytes(limit));
        verifier.check(&RunStartedEvent::default().into()).unwrap();
        verifier
    };
    let call = json!({"id": "long", "type": "function", "function": {"name": "", "arguments": ""}});
    let snapshot = |message: Value| json!({"type": "MESSAGES_SNAPSHOT", "messages": [message]});
    let kept = [
        json!({"type": "TEXT_MESSAGE_START", "messageId": "long"}),
        json!({"type": "TEXT_MESSAGE_START", "messageId": "", "subagentRunId": "long"}),
        json!({"type": "TOOL_CALL_START", "toolCallId": "long", "toolCallName": ""}),
        json!({"type": "TOOL_CALL_RESULT", "messageId": "long", "toolCallId": "", "content": ""}),
        json!({"type": "REASONING_START", "messageId": "long"}),
        json!({"type": "REASONING_MESSAGE_START", "messageId": "long", "role": "reasoning"}),
        json!({"type": "STEP_STARTED", "stepName": "long"}),
        json!({"type": "ACTIVITY_SNAPSHOT", "messageId": "long", "activityType": "", "content": {}}),
        json!({"type": "SUBAGENT_STARTED", "subagentRunId": "long", "name": ""}),
        snapshot(json!({"id": "long", "role": "user", "content": ""})),
        snapshot(json!({"id": "", "role": "user", "content": "", "subagentRunId": "long"})),
        snapshot(json!({"id": "", "role": "assistant", "toolCalls": [call]})),
    ];
    for event in kept {
        let (event, _) = from_json::<Event>(event.to_string(), Profile::Strict).unwrap();
        let error = verifier(3).check(&event).unwrap_err();
        assert_eq!((error.code(), error.limit), (Code::LimitExceeded, Some("id_bytes")), "{event:?}");
        assert_eq!(verifier(4).check(&event), Ok(()));
    }
}
