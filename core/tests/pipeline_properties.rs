//! Properties of pipelines and of reduction over random streams.

#[path = "support/random_events.rs"]
mod random_events;

use ag_ui_native::expand::ChunkExpander;
use ag_ui_native::pipeline::{EventPipeline, Output, OutputKind, PipelineOptions, Stages};
use ag_ui_native::read::Nothing;
use ag_ui_native::reduce::{Conversation, Reducer};
use ag_ui_native::types::Event;
use ag_ui_native::{Error, Limits, Object, Value, to_sse};
use proptest::prelude::*;
use random_events::{ANY, is_chunk, stream};

/// What a pipeline made of the pieces of a stream.
#[derive(Debug, PartialEq)]
struct Run {
    outputs: Vec<(usize, String)>,
    messages: Vec<Value>,
    state: Value,
    error: Option<Error>,
}

fn run<'b>(pieces: impl IntoIterator<Item = &'b [u8]>, stages: Stages) -> Run {
    let mut pipeline =
        EventPipeline::new(None, PipelineOptions { stages, ..Default::default() }, &[]).unwrap();
    let mut conversation = Conversation::new(&[], Object::default().into(), Limits::default());
    let mut outputs = Vec::new();
    let mut take = |output: Output<()>, reducer: &mut Reducer| {
        outputs.push((output.index, format!("{:?}", output.kind)));
        if let OutputKind::Reduced(reduction) = output.kind {
            for change in reduction.changes {
                if let Some((slot, activity_type)) = conversation.apply(change).unpatched {
                    reducer.content_unpatched(slot, &activity_type);
                }
            }
        }
        Ok(())
    };
    let fed = pieces.into_iter().try_for_each(|piece| pipeline.feed(piece, &mut Nothing, &mut take));
    let error = fed.and_then(|()| pipeline.close(&mut Nothing, &mut take)).err();
    let messages = conversation.messages().cloned().collect();
    Run { outputs, messages, state: conversation.state, error }
}

fn text(events: &[Event]) -> String {
    events.iter().map(to_sse).collect()
}

/// The pieces between the given places, taken modulo what is left.
fn split<'t>(bytes: &'t [u8], places: &[usize]) -> Vec<&'t [u8]> {
    let mut rest = bytes;
    let mut pieces = Vec::new();
    for place in places {
        let (piece, behind) = rest.split_at(place % (rest.len() + 1));
        pieces.push(piece);
        rest = behind;
    }
    pieces.push(rest);
    pieces
}

fn reduce(events: impl IntoIterator<Item = Event>) -> (Vec<Value>, Value) {
    let mut reducer = Reducer::default();
    let mut conversation = Conversation::new(&[], Object::default().into(), Limits::default());
    for event in events {
        for change in reducer.apply(event, false).unwrap().changes {
            conversation.apply(change);
        }
    }
    (conversation.messages().cloned().collect(), conversation.state)
}

proptest! {
    #[test]
    fn the_pieces_of_a_stream_do_not_matter(
        events in stream(ANY, 30),
        places in prop::collection::vec(0..500_usize, 0..20),
        verify: bool,
    ) {
        let stages = Stages { verify, ..Stages::default() };
        let text = text(&events);
        let whole = run([text.as_bytes()], stages);
        prop_assert_eq!(&run(split(text.as_bytes(), &places), stages), &whole);
        prop_assert_eq!(&run(text.as_bytes().chunks(1), stages), &whole);
    }

    #[test]
    fn everything_before_a_failure_comes_out(events in stream(ANY, 30)) {
        let whole = run([text(&events).as_bytes()], Stages::default());
        if let Some(at) = whole.error.as_ref().and_then(|error| error.event_index) {
            let before = run([text(&events[..at]).as_bytes()], Stages::default());
            // The failing event may have closed what chunks began before it.
            prop_assert!(whole.outputs.starts_with(&before.outputs));
            prop_assert!(whole.outputs[before.outputs.len()..].iter().all(|(index, _)| *index == at));
        }
    }

    #[test]
    fn a_pipeline_reduces_as_the_reducer_does(events in stream(ANY, 30)) {
        let mut expander = ChunkExpander::default();
        let expanded: Result<Vec<Vec<Event>>, Error> = events
            .iter()
            .map(|event| {
                let expansion = expander.push(event.clone())?;
                Ok(expansion.made.into_iter().chain(expansion.passed).collect())
            })
            .collect();
        prop_assume!(expanded.is_ok());
        let stages = Stages { verify: false, ..Stages::default() };
        let piped = run([text(&events).as_bytes()], stages);
        prop_assert_eq!((piped.messages, piped.state), reduce(expanded.unwrap().into_iter().flatten()));
    }

    #[test]
    fn messages_come_with_the_ids_that_the_reducer_knows(events in stream(ANY, 40)) {
        // Slots and places must stay in step between core and mirror: text goes to the first message of its id.
        let events: Vec<Event> = events.into_iter().filter(|event| !is_chunk(event)).collect();
        let (messages, _) = reduce(events.clone());
        let probe = Event::from(ag_ui_native::types::TextMessageContentEvent {
            message_id: "a".into(),
            delta: "PROBE".into(),
            ..Default::default()
        });
        let (probed, _) = reduce(events.into_iter().chain([probe]));
        let changed: Vec<usize> =
            (0..messages.len()).filter(|&place| messages[place] != probed[place]).collect();
        let id = |message: &Value| message.as_object().unwrap().get("id").and_then(Value::as_str).map(str::to_owned);
        let role = |message: &Value| message.as_object().unwrap().get("role").and_then(Value::as_str).map(str::to_owned);
        let first = messages.iter().position(|message| id(message).as_deref() == Some("a"));
        let expected: Vec<usize> =
            first.into_iter().filter(|&place| role(&messages[place]).as_deref() != Some("activity")).collect();
        prop_assert_eq!(changed, expected);
    }
}
