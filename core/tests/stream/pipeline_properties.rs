//! Properties of pipelines and of reduction over random streams.

use crate::random_events;

use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::decoder::{EventReader, ReadEvent};
use ag_ui_native::bindings::expand::{ChunkExpander, Expansion};
use ag_ui_native::bindings::pipeline::{Output, OutputKind, Pipeline, PipelineOptions, Stages};
use ag_ui_native::bindings::reduce::{Conversation, Place, Reducer};
use ag_ui_native::bindings::schema::{FieldType, Validated};
use ag_ui_native::bindings::validate::Nothing;
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::bindings::verify::EventVerifier;
use ag_ui_native::types::Event;
use ag_ui_native::{Error, Limits, Object, Profile, Value, from_json, to_json, to_sse};
use proptest::prelude::*;
use random_events::{ANY, is_chunk, stream};

#[test]
fn plain_text_is_read_for_nothing_but_its_place() {
    let start = [
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
        r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#,
        r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f","parentMessageId":"m"}"#,
    ];
    let plain = [
        (r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a\nb"}"#, Place::Message(0), "a\nb"),
        (r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{\"a\":"}"#, Place::Call(0, 0), "{\"a\":"),
    ];
    let other = [
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"c","timestamp":1}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"d","metadata":{}}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"e","subagentRunId":"s"}"#,
    ];
    let mut pipeline = Pipeline::new(None, PipelineOptions::default(), &[]).unwrap();
    let mut found = Vec::new();
    let texts = start.into_iter().chain(plain.map(|(json, ..)| json)).chain(other);
    let stream: String = texts.flat_map(|json| ["data: ", json, "\n\n"]).collect();
    let fed =
        pipeline.feed(stream.as_bytes(), &mut Nothing, &mut |output: Output<'_, ()>, _: &mut Reducer| {
            if let OutputKind::Appended(place, text) = output.kind {
                found.push((output.index, place, text.to_owned()));
            }
            Ok(())
        });
    // Events with a tag do not belong to the run itself.
    assert!(fed.is_err());
    let expected = plain.iter().zip(3..).map(|((_, place, text), index)| (index, *place, (*text).to_owned()));
    assert_eq!(found, expected.collect::<Vec<_>>());
}

/// The results of a pipeline for the pieces of a stream.
#[derive(Debug, PartialEq)]
struct Run {
    outputs: Vec<(usize, String)>,
    messages: Vec<Value>,
    state: Value,
    error: Option<Error>,
}

fn run<'b>(pieces: impl IntoIterator<Item = &'b [u8]>, stages: Stages) -> Run {
    let mut pipeline = Pipeline::new(None, PipelineOptions { stages, ..Default::default() }, &[]).unwrap();
    let mut conversation = Conversation::new(&[], Object::default().into(), Limits::default());
    let mut outputs = Vec::new();
    let mut take = |output: Output<'_, ()>, reducer: &mut Reducer| {
        outputs.push((output.index, format!("{:?}", output.kind)));
        if let Some(reduction) = output.kind.into_reduction() {
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
    let messages = conversation.message_values().cloned().collect();
    Run { outputs, messages, state: conversation.state, error }
}

fn text(events: &[Event]) -> String {
    events.iter().map(to_sse).collect()
}

/// Splits the bytes at the given places, taken modulo the length of the rest.
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

/// Runs of few ids, mostly without members that are optional; then anything.
fn runs() -> impl Strategy<Value = Vec<Event>> {
    const TYPES: &[&str] = &[
        r#""TEXT_MESSAGE_START","messageId":"ID","role":"user""#,
        r#""TOOL_CALL_START","toolCallId":"ID","toolCallName":"f""#,
        r#""REASONING_MESSAGE_START","messageId":"ID","role":"reasoning""#,
        r#""SUBAGENT_STARTED","subagentRunId":"ID","name":"n""#,
        r#""TEXT_MESSAGE_CONTENT","messageId":"ID","delta":"é""#,
        r#""TEXT_MESSAGE_CONTENT","messageId":"ID","delta":"x""#,
        r#""TEXT_MESSAGE_CONTENT","messageId":"ID","delta":"\"\n\u0001""#,
        r#""TEXT_MESSAGE_CONTENT","messageId":"ID","delta":"x","metadata":{"a":1}"#,
        r#""TOOL_CALL_ARGS","toolCallId":"ID","delta":"x""#,
        r#""REASONING_MESSAGE_CONTENT","messageId":"ID","delta":"x""#,
        r#""STATE_DELTA","delta":[]"#,
        r#""STATE_SNAPSHOT","snapshot":{"ID":1}"#,
        r#""CUSTOM","name":"ID","value":null"#,
        r#""RAW","event":[1]"#,
        r#""TEXT_MESSAGE_CHUNK","messageId":"ID","delta":"x","metadata":{"a":1}"#,
        r#""TEXT_MESSAGE_END","messageId":"ID""#,
    ];
    let one = (prop::sample::select(TYPES), prop::sample::select(&["a", "b"][..]), 0..8_u8).prop_map(
        |(json, id, more)| {
            let tag =
                if more == 0 && !json.contains("subagentRunId") { r#","subagentRunId":"a""# } else { "" };
            let time = if more == 1 { r#","timestamp":5"# } else { "" };
            let json = format!(r#"{{"type":{}{tag}{time}}}"#, json.replace("ID", id));
            from_json::<Event>(json, Profile::Strict).unwrap().0
        },
    );
    let start = from_json::<Event>(r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#, Profile::Strict);
    let start = start.unwrap().0;
    (prop::collection::vec(one, 0..12), stream(ANY, 4), 0..8_u8).prop_map(move |(run, rest, odd)| {
        let start = (odd > 0).then(|| start.clone());
        start.into_iter().chain(run).chain(rest).collect()
    })
}

fn reduce(events: impl IntoIterator<Item = Event>) -> (Vec<Value>, Value) {
    let mut reducer = Reducer::default().with_profile(Profile::Tolerant);
    let mut conversation = Conversation::new(&[], Object::default().into(), Limits::default());
    for event in events {
        for change in reducer.apply(event, false).unwrap().changes {
            conversation.apply(change);
        }
    }
    (conversation.message_values().cloned().collect(), conversation.state)
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
                let expansion = expander.expand(event.clone())?;
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
        let probe = Event::from(ag_ui_native::types::TextMessageContentEvent::new("a", "PROBE"));
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn text_is_added_the_short_way_as_it_is_the_general_one(events in runs(), expand: bool, verify: bool) {
        let reductions = |text: &str| {
            let stages = Stages { expand, verify, reduce: true };
            let mut pipeline = Pipeline::new(None, PipelineOptions { stages, ..Default::default() }, &[]).unwrap();
            let mut made = Vec::new();
            let fed = pipeline.feed(text.as_bytes(), &mut Nothing, &mut |output: Output<'_, ()>, _: &mut Reducer| {
                made.push((output.index, output.incomplete, output.kind.into_reduction()));
                Ok(())
            });
            (made, fed, pipeline.take_warnings())
        };
        let text = text(&events);
        // A space in front of the first key asks for the general way of reading.
        prop_assert_eq!(reductions(&text), reductions(&text.replace("data: {", "data: { ")));
    }

    #[test]
    fn a_pipeline_that_does_not_reduce_does_as_its_stages_do(
        events in runs(),
        expand: bool,
        verify: bool,
        spaced: bool,
    ) {
        // A space in front of the first key asks for the general way of reading.
        let text = text(&events).replace("data: {", if spaced { "data: { " } else { "data: {" });
        let stages = Stages { expand, verify, reduce: false };
        let mut pipeline =
            Pipeline::new(None, PipelineOptions { stages, ..Default::default() }, &[]).unwrap();
        let mut piped = Vec::new();
        let fed = pipeline.feed(text.as_bytes(), &mut TypedBuild, &mut |output: Output<'_, Validated>, _: &mut Reducer| {
            piped.push(match output.kind {
                OutputKind::Passed(slot) => (output.index, Event::from_validated(Some(slot))),
                OutputKind::Made(event) => (output.index, event),
                OutputKind::Reduced(_) | OutputKind::Appended(..) => unreachable!(),
            });
            Ok(())
        });

        let mut expander = ChunkExpander::default();
        let mut verifier = EventVerifier::default();
        let mut staged = Vec::new();
        let mut reader = EventReader::enforcing(Rules::default(), Limits::default());
        let each = events.iter().enumerate().try_for_each(|(index, event)| {
            let Some(ReadEvent { event, .. }) = reader.read(to_json(event).as_bytes())? else { return Ok(()) };
            let expansion = if expand {
                expander.expand(event.clone()).map_err(|error| error.of_event(index))?
            } else {
                Expansion { made: Vec::new(), passed: Some(event) }
            };
            for event in expansion.made.into_iter().chain(expansion.passed) {
                if verify {
                    verifier.check(&event).map_err(|error| error.of_event(index))?;
                }
                staged.push((index, event));
            }
            Ok(())
        });
        prop_assert_eq!(fed, each);
        prop_assert_eq!(piped, staged);
    }
}
