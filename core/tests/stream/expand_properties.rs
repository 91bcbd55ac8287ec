//! Chunk expansion on random streams.

use crate::random_events;

use ag_ui_native::bindings::expand::{ChunkExpander, Expansion};
use ag_ui_native::bindings::verify::EventVerifier;
use ag_ui_native::types::{
    Event, ReasoningMessageChunkEvent, ReasoningMessageContentEvent, RunFinishedEvent, RunStartedEvent,
    TextMessageChunkEvent, TextMessageContentEvent, ToolCallArgsEvent, ToolCallChunkEvent,
};
use ag_ui_native::{Code, Limits};
use proptest::prelude::*;
use random_events::{ANY, CHUNKS, is_chunk, stream};

/// Every event made or passed on; chunks that are refused are left out.
fn expanded(events: &[Event]) -> Vec<Event> {
    let mut expander = ChunkExpander::default();
    let expansions = events.iter().filter_map(|event| expander.expand(event.clone()).ok());
    expansions.flat_map(|Expansion { made, passed }| made.into_iter().chain(passed)).collect()
}

/// Id and delta of a chunk.
fn said(chunk: &Event) -> (Option<&str>, &str) {
    let (id, delta) = match chunk {
        Event::TextMessageChunk(TextMessageChunkEvent { message_id: id, delta, .. })
        | Event::ToolCallChunk(ToolCallChunkEvent { tool_call_id: id, delta, .. })
        | Event::ReasoningMessageChunk(ReasoningMessageChunkEvent { message_id: id, delta, .. }) => {
            (id, delta)
        }
        other => panic!("{} is no chunk", other.tag()),
    };
    (id.as_deref(), delta.as_deref().unwrap_or_default())
}

/// Id and delta of a content event.
fn content(event: &Event) -> Option<(&str, &str)> {
    match event {
        Event::TextMessageContent(TextMessageContentEvent { message_id: id, delta, .. })
        | Event::ToolCallArgs(ToolCallArgsEvent { tool_call_id: id, delta, .. })
        | Event::ReasoningMessageContent(ReasoningMessageContentEvent { message_id: id, delta, .. }) => {
            Some((id, delta))
        }
        _ => None,
    }
}

/// Returns the chunk with ids and names that only its own agent uses.
fn at_home(mut chunk: Event) -> Event {
    let home = chunk.subagent_run_id().map_or("parent".to_owned(), |tag| format!("of {tag}"));
    let settle = |id: &mut Option<String>| {
        id.get_or_insert_default().push_str(&home);
    };
    match &mut chunk {
        Event::TextMessageChunk(chunk) => settle(&mut chunk.message_id),
        Event::ToolCallChunk(chunk) => {
            settle(&mut chunk.tool_call_id);
            chunk.parent_message_id = None;
        }
        Event::ReasoningMessageChunk(chunk) => settle(&mut chunk.message_id),
        _ => {}
    }
    chunk
}

fn untagged(mut chunk: Event) -> Event {
    match &mut chunk {
        Event::TextMessageChunk(chunk) => chunk.subagent_run_id = None,
        Event::ToolCallChunk(chunk) => chunk.subagent_run_id = None,
        Event::ReasoningMessageChunk(chunk) => chunk.subagent_run_id = None,
        _ => {}
    }
    chunk
}

/// Gives a chunk, or the events of its expansion, another id.
fn set_id(event: &mut Event, id: &str) {
    match event {
        Event::TextMessageChunk(event) => event.message_id = Some(id.to_owned()),
        Event::ToolCallChunk(event) => event.tool_call_id = Some(id.to_owned()),
        Event::ReasoningMessageChunk(event) => event.message_id = Some(id.to_owned()),
        Event::TextMessageStart(event) => id.clone_into(&mut event.message_id),
        Event::TextMessageContent(event) => id.clone_into(&mut event.message_id),
        Event::TextMessageEnd(event) => id.clone_into(&mut event.message_id),
        Event::ToolCallStart(event) => id.clone_into(&mut event.tool_call_id),
        Event::ToolCallArgs(event) => id.clone_into(&mut event.tool_call_id),
        Event::ToolCallEnd(event) => id.clone_into(&mut event.tool_call_id),
        Event::ReasoningMessageStart(event) => id.clone_into(&mut event.message_id),
        Event::ReasoningMessageContent(event) => id.clone_into(&mut event.message_id),
        Event::ReasoningMessageEnd(event) => id.clone_into(&mut event.message_id),
        other => panic!("{} has no id of a stream", other.tag()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_stream_in_place_of_one_like_it_comes_to_the_same(
        chunks in stream(CHUNKS, 20).prop_map(|chunks| chunks.into_iter().map(untagged).collect::<Vec<_>>()),
        rest in stream(ANY, 20),
    ) {
        let mut expander = ChunkExpander::default();
        for chunk in chunks {
            let Ok(expansion) = expander.expand(chunk.clone()) else { continue };
            if !expander.has_renewed(&expansion.made) {
                continue;
            }
            let [last, one, other] = [said(&chunk).0.unwrap().to_owned(), "one".to_owned(), "other".to_owned()];
            let mut renewed = expansion.made.clone();
            set_id(&mut renewed[0], &last);
            renewed[1..].iter_mut().for_each(|event| set_id(event, &one));
            let chunk_of = |id: &str| { let mut chunk = chunk.clone(); set_id(&mut chunk, id); chunk };
            let mut seen = expander.clone();
            prop_assert_eq!(seen.expand(chunk_of(&one)).unwrap().made, renewed);
            // An expander that has not received one of the chunks behaves like one that has.
            let mut unseen = expander.clone();
            seen.expand(chunk_of(&other)).unwrap();
            unseen.expand(chunk_of(&other)).unwrap();
            for event in &rest {
                let [found, expected] = [&mut unseen, &mut seen].map(|expander| expander.expand(event.clone()));
                prop_assert_eq!(format!("{found:?}"), format!("{expected:?}"));
            }
        }
    }

    #[test]
    fn expansion_leaves_no_chunk_and_nothing_to_expand(events in stream(ANY, 40)) {
        let once = expanded(&events);
        prop_assert!(!once.iter().any(is_chunk));
        prop_assert_eq!(&expanded(&once), &once);
    }

    #[test]
    fn what_is_no_chunk_passes_unchanged_and_in_order(events in stream(ANY, 40)) {
        let mut expander = ChunkExpander::default();
        for event in events {
            match expander.expand(event.clone()) {
                Ok(Expansion { passed, .. }) => prop_assert_eq!(passed, (!is_chunk(&event)).then_some(event)),
                Err(_) => prop_assert!(is_chunk(&event)),
            }
        }
    }

    #[test]
    fn every_chunk_says_what_it_said_to_whom_it_said_it(events in stream(ANY, 40)) {
        let mut expander = ChunkExpander::default();
        for event in events {
            let Ok(Expansion { made, .. }) = expander.expand(event.clone()) else { continue };
            if !is_chunk(&event) {
                let is_end = |made: &Event| made.tag().ends_with("_END") && made.timestamp().is_none();
                prop_assert!(made.iter().all(is_end));
                continue;
            }
            let (id, delta) = said(&event);
            let contents: Vec<_> = made.iter().filter_map(content).collect();
            prop_assert!(contents.len() <= 1);
            prop_assert_eq!(contents.first().map_or("", |content| content.1), delta);
            if let (Some(id), Some(content)) = (id, contents.first()) {
                prop_assert_eq!(content.0, id);
            }
            for made in made.iter().filter(|made| !made.tag().ends_with("_END")) {
                prop_assert_eq!(made.timestamp(), event.timestamp());
                prop_assert_eq!(made.metadata(), event.metadata());
                let tag = event.subagent_run_id();
                prop_assert!(tag.is_none() || made.subagent_run_id() == tag);
            }
        }
    }

    #[test]
    fn a_refused_chunk_changes_nothing(events in stream(ANY, 40)) {
        let mut expander = ChunkExpander::default();
        let is_legal = |event: &&Event| expander.expand((*event).clone()).is_ok();
        let legal: Vec<_> = events.iter().filter(is_legal).cloned().collect();
        prop_assert_eq!(expanded(&legal), expanded(&events));
    }

    #[test]
    fn chunks_under_ids_of_their_own_agents_are_a_legal_run(chunks in stream(CHUNKS, 40)) {
        let mut events = vec![Event::from(RunStartedEvent::default())];
        events.extend(chunks.into_iter().map(at_home));
        events.push(RunFinishedEvent::default().into());
        let mut verifier = EventVerifier::default();
        for event in expanded(&events) {
            prop_assert_eq!(verifier.check(&event), Ok(()));
        }
        prop_assert_eq!(verifier.finish(), Ok(()));
    }
}

fn text(id: &str, tag: &str) -> Event {
    TextMessageChunkEvent::new().with_message_id(id).with_subagent_run_id(tag).into()
}

#[test]
fn open_streams_are_limited_and_closed_ones_do_not_count() {
    let mut expander = ChunkExpander::new(Limits::default().with_open_entities(2));
    for id in ["a", "b", "c"] {
        expander.expand(text(id, "s")).unwrap();
    }
    expander.expand(text("d", "t")).unwrap();
    let error = expander.expand(text("e", "u")).unwrap_err();
    assert_eq!((error.code(), error.limit), (Code::LimitExceeded, Some("open_entities")));
    // Its own lane is closed by it.
    expander.expand(text("f", "t")).unwrap();
}

#[test]
fn what_is_kept_is_limited() {
    let limits = Limits::default().with_id_bytes(3);
    let call = |id: &str, name: &str, parent: &str, tag: &str| {
        let chunk = ToolCallChunkEvent::new().with_tool_call_id(id).with_tool_call_name(name);
        Event::from(chunk.with_parent_message_id(parent).with_subagent_run_id(tag))
    };
    let long = "long";
    for event in
        [call(long, "", "", ""), call("", long, "", ""), call("", "", long, ""), call("", "", "", long)]
    {
        assert_eq!(ChunkExpander::new(limits).expand(event).unwrap_err().limit, Some("id_bytes"));
    }
    assert!(ChunkExpander::new(limits).expand(call("abc", "abc", "abc", "abc")).is_ok());
}
