//! Work that must not grow faster than its input: algorithms with the streams that are most expensive for them.
#![allow(dead_code)] // Those who use it take what they need.

#[cfg(feature = "durable")]
mod durable_growth;

use std::time::Duration;

use ag_ui_native::adapters::{ModelApi, ModelStream};
use ag_ui_native::bindings::client::{OutcomeKind, Runs};
use ag_ui_native::bindings::compact::compact;
use ag_ui_native::bindings::decoder::Decoder;
use ag_ui_native::bindings::json::PartialJson;
use ag_ui_native::bindings::pipeline::{Output, Pipeline, PipelineOptions, Stages};
use ag_ui_native::bindings::reduce::{Conversation, Reducer};
use ag_ui_native::bindings::validate::Nothing;
use ag_ui_native::bindings::{Rules, patch, protobuf};
use ag_ui_native::server::{Coalescer, Run, StateTracker, WireFormat};
use ag_ui_native::types::{Event, JsonPatchOperation, RunAgentInput};
use ag_ui_native::{Limits, Object, Profile, Value, from_json};

/// One kind of work, by its name; how much of it is up to the caller.
pub type Work = (&'static str, fn(usize));

/// Everything that grows.
pub fn all() -> impl Iterator<Item = &'static Work> {
    #[cfg(feature = "durable")]
    return ALL.iter().chain(durable_growth::ALL);
    #[cfg(not(feature = "durable"))]
    ALL.iter()
}

const ALL: &[Work] = &[
    ("events", |n| stream(n, |_| CUSTOM.to_owned())),
    ("messages read into structs", |n| {
        let message = r#"{"id":"m","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":"\"x\""}}]}"#;
        let messages = vec![message; n].join(",");
        let json = format!(r#"{{"type":"MESSAGES_SNAPSHOT","messages":[{messages}]}}"#);
        from_json::<Event>(&json, Profile::Strict).unwrap();
    }),
    ("a value read into a struct", |n| {
        let members = (0..n).map(|at| format!(r#""k{at}":[{{"a":"\n"}},1.5]"#)).collect::<Vec<_>>().join(",");
        let json = format!(r#"{{"type":"STATE_SNAPSHOT","snapshot":{{{members}}}}}"#);
        from_json::<Event>(&json, Profile::Strict).unwrap();
    }),
    ("events under one id", |n| {
        let id = "x".repeat(15 * n);
        decode(&format!("id: {id}\n{}", sse(CUSTOM).repeat(n)), 4096);
    }),
    ("one event in small pieces", |n| {
        decode(&sse(&CUSTOM.replace('1', &format!("[{}1]", "1,".repeat(n)))), 16);
    }),
    ("many data lines of one event", |n| decode(&format!("{}\n", "data:\n".repeat(n)), 4096)),
    ("events that are repaired", |n| {
        decode(&sse(&CUSTOM.replace("\"name\"", "\"odd\":1,\"name\"")).repeat(n), 4096);
    }),
    ("texts of one message", |n| {
        stream(n, |at| match at {
            0 => r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#.to_owned(),
            _ => r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"some text"}"#.to_owned(),
        });
    }),
    ("chunks of one message", |n| stream(n, |_| CHUNK.to_owned())),
    ("chunks of messages", |n| stream(n, |at| CHUNK.replace("\"m\"", &format!("\"m{at}\"")))),
    ("chunks of lanes", |n| {
        stream(n, |at| CHUNK.replace("\"m\"", &format!("\"m{at}\",\"subagentRunId\":\"s{at}\"")));
    }),
    ("metadata of one message", |n| {
        stream(n, |at| match at {
            0 => r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#.to_owned(),
            _ => format!(
                r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"x","metadata":{{"k{at}":1}}}}"#
            ),
        });
    }),
    ("open messages", |n| {
        stream(n, |at| format!(r#"{{"type":"TEXT_MESSAGE_START","messageId":"m{at}"}}"#));
    }),
    ("messages", |n| {
        stream(n, |at| {
            let end = if at % 2 == 0 { "START" } else { "END" };
            format!(r#"{{"type":"TEXT_MESSAGE_{end}","messageId":"m{}"}}"#, at / 2)
        });
    }),
    ("calls of one message", |n| {
        stream(n, |at| {
            format!(
                r#"{{"type":"TOOL_CALL_START","toolCallId":"c{at}","toolCallName":"f","parentMessageId":"m"}}"#
            )
        });
    }),
    ("calls of a chat completion", |n| {
        model(ModelApi::OpenAiChat, n, |at| {
            format!(
                r#"{{"choices":[{{"delta":{{"tool_calls":[{{"index":{at},"id":"c{at}","function":{{"name":"f","arguments":"{{}}"}}}}]}}}}]}}"#
            )
        });
    }),
    ("pieces of the first of many calls", |n| {
        model(ModelApi::OpenAiChat, n, |at| {
            let (index, id) = if at < n / 2 { (at, format!("c{at}")) } else { (0, String::new()) };
            format!(
                r#"{{"choices":[{{"delta":{{"tool_calls":[{{"index":{index},"id":"{id}","function":{{"name":"f","arguments":"1"}}}}]}}}}]}}"#
            )
        });
    }),
    ("ends of a chat completion with calls", |n| {
        model(ModelApi::OpenAiChat, n, |at| {
            format!(
                r#"{{"choices":[{{"delta":{{"tool_calls":[{{"id":"c{at}","function":{{"name":"f"}}}}]}},"finish_reason":"stop"}}]}}"#
            )
        });
    }),
    ("calls and reasoning of a response", |n| {
        model(ModelApi::OpenAiResponses, n, |at| {
            let (index, kind) = (at / 4, ["added", "done"][at / 2 % 2]);
            match at % 2 {
                0 => format!(
                    r#"{{"type":"response.output_item.{kind}","output_index":{index},"item":{{"type":"function_call","call_id":"c{index}","name":"f"}}}}"#
                ),
                _ => format!(r#"{{"type":"response.reasoning_text.delta","item_id":"r{at}","delta":"x"}}"#),
            }
        });
    }),
    ("tools that OpenAI runs", |n| {
        model(ModelApi::OpenAiResponses, n, |at| {
            let (index, kind) = (at / 2, ["added", "done"][at % 2]);
            format!(
                r#"{{"type":"response.output_item.{kind}","output_index":{index},"item":{{"type":"web_search_call","id":"w{index}","status":"completed"}}}}"#
            )
        });
    }),
    ("tools that Anthropic runs", |n| {
        model(ModelApi::Anthropic, n, |at| {
            let id = at / 2;
            let block = [
                format!(r#"{{"type":"server_tool_use","id":"s{id}","name":"f","input":{{}}}}"#),
                format!(r#"{{"type":"web_search_tool_result","tool_use_id":"s{id}","content":[]}}"#),
            ];
            format!(r#"{{"type":"content_block_start","index":{at},"content_block":{}}}"#, block[at % 2])
        });
    }),
    ("blocks of a message of Anthropic", |n| {
        model(ModelApi::Anthropic, n, |at| match at % 2 {
            0 => format!(
                r#"{{"type":"content_block_start","index":{at},"content_block":{{"type":"tool_use","id":"c{at}","name":"f"}}}}"#
            ),
            _ => r#"{"type":"content_block_delta","index":0,"delta":{"partial_json":"1"}}"#.to_owned(),
        });
    }),
    ("results of one call", |n| {
        stream(n, |at| {
            format!(r#"{{"type":"TOOL_CALL_RESULT","messageId":"r{at}","toolCallId":"c","content":"x"}}"#)
        });
    }),
    ("subagents", |n| {
        stream(n, |at| {
            let (kind, more) = if at % 2 == 0 { ("STARTED", r#","name":"n""#) } else { ("FINISHED", "") };
            format!(r#"{{"type":"SUBAGENT_{kind}","subagentRunId":"s{}"{more}}}"#, at / 2)
        });
    }),
    ("steps of owners", |n| {
        stream(n, |at| {
            let kind = if at % 2 == 0 { "STARTED" } else { "FINISHED" };
            format!(r#"{{"type":"STEP_{kind}","stepName":"n","subagentRunId":"s{}"}}"#, at / 2)
        });
    }),
    ("activity deltas", |n| {
        stream(n, |at| {
            match at {
            0 => r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"a","activityType":"t","content":{"items":[]}}"#.to_owned(),
            _ => r#"{"type":"ACTIVITY_DELTA","messageId":"a","activityType":"t","patch":[{"op":"add","path":"/items/-","value":1}]}"#.to_owned(),
        }
        });
    }),
    ("state deltas", |n| {
        stream(n, |at| {
            format!(r#"{{"type":"STATE_DELTA","delta":[{{"op":"add","path":"/k{at}","value":1}}]}}"#)
        });
    }),
    ("a snapshot of messages", |n| {
        let message = |at| format!(r#"{{"id":"m{at}","role":"user","content":"x"}}"#);
        let messages: Vec<_> = (0..n).map(message).collect();
        let snapshot = format!(r#"{{"type":"MESSAGES_SNAPSHOT","messages":[{}]}}"#, messages.join(","));
        stream(2, |_| snapshot.clone());
    }),
    ("arguments in pieces", |n| {
        let mut partial = PartialJson::new(Limits::default());
        partial.feed("[").unwrap();
        (0..n).for_each(|_| partial.feed(r#"{"a":"text"},"#).unwrap());
    }),
    ("a string in pieces", |n| {
        let mut partial = PartialJson::new(Limits::default());
        partial.feed("{\"a\":\"").unwrap();
        (0..n).for_each(|_| partial.feed("text").unwrap());
    }),
    ("compaction", |n| {
        let events = events(n, |at| match at % 4 {
            0 => format!(r#"{{"type":"TEXT_MESSAGE_START","messageId":"m{}"}}"#, at / 4),
            3 => format!(r#"{{"type":"TEXT_MESSAGE_END","messageId":"m{}"}}"#, at / 4),
            _ => format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"m{}","delta":"x"}}"#, at / 4),
        });
        compact(&events);
    }),
    ("compaction of open messages", |n| {
        let events = events(n, |at| {
            let kind = if at < n / 2 { "START" } else { "END" };
            format!(r#"{{"type":"TEXT_MESSAGE_{kind}","messageId":"m{}"}}"#, at % (n / 2).max(1))
        });
        compact(&events);
    }),
    ("compaction of streams at once", |n| {
        compact(&events(n, |at| one_of_two(at / 8, at % 2, (at % 8) / 2)));
    }),
    ("compaction of streams at once in many runs", |n| {
        let events = events(n, |at| match at % 10 {
            0 => r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#.into(),
            9 => r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#.into(),
            part => one_of_two(at / 10, (part - 1) % 2, (part - 1) / 2),
        });
        compact(&events);
    }),
    ("compaction of state", |n| {
        let events = events(n, |at| match at {
            0 => r#"{"type":"STATE_SNAPSHOT","snapshot":{}}"#.into(),
            _ => format!(r#"{{"type":"STATE_DELTA","delta":[{{"op":"add","path":"/k{at}","value":1}}]}}"#),
        });
        compact(&events);
    }),
    ("a patch", |n| {
        let mut document = Value::from(Object::default());
        patch::apply(
            &mut document,
            &operations(n, |at| format!(r#"{{"op":"add","path":"/k{at}","value":1}}"#)),
            &Limits::default(),
        )
        .unwrap();
    }),
    ("a patch that is undone", |n| {
        let mut document = object(n);
        let mut operations = operations(n, |at| format!(r#"{{"op":"replace","path":"/k{at}","value":1}}"#));
        operations.extend(
            from_json::<JsonPatchOperation>(r#"{"op":"remove","path":"/none"}"#, Profile::Strict)
                .map(|read| read.0),
        );
        patch::apply(&mut document, &operations, &Limits::default()).unwrap_err();
    }),
    ("a diff of few changes", |n| {
        let (old, new): (Vec<_>, Vec<_>) =
            (0..n).map(|at| (number(at), number(if at % 64 == 0 { at + n } else { at }))).unzip();
        patch::diff(&old.into(), &new.into());
    }),
    ("a diff of nothing in common", |n| {
        let list = |from: usize| Value::from((from..from + n).map(number).collect::<Vec<_>>());
        patch::diff(&list(0), &list(n));
    }),
    ("a tracked state with one change", |n| {
        let mut tracker = StateTracker::new();
        for change in 0..4 {
            let member = |at| (format!("k{at}"), Value::from(if at == 1 { change } else { 0 }));
            let state = Value::from((0..n).map(member).collect::<Object>());
            tracker.flush(&state).unwrap();
        }
    }),
    ("coalesced deltas", |n| {
        let mut coalescer = Coalescer::new(usize::MAX, Duration::MAX);
        let text = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"some text"}"#;
        for event in events(n, |_| text.to_owned()) {
            coalescer.push(event, Duration::ZERO);
        }
        coalescer.flush(Duration::ZERO);
    }),
    ("tokens beside a state that is not accessed", |n| serve(LARGE * n, n, |_| {})),
    ("tokens beside a small state", |n| serve(n, 100, |run| run.with_state(|_| {}))),
    ("tokens beside a large state", |n| serve(LARGE * n, n, |run| run.with_state(|_| {}))),
    ("awaited appends to a small list", |n| serve(n, 100, append)),
    ("awaited appends to a large list", |n| serve(LARGE * n, n, append)),
    ("relayed deltas of a large state", |n| relay(LARGE * n, n)),
    ("a diff of objects", |n| _ = patch::diff(&object(n), &Object::default().into())),
    ("one message of protobuf in small pieces", |n| {
        let event =
            from_json::<Event>(CUSTOM.replace('1', &format!("[{}1]", "1,".repeat(n))), Profile::Strict)
                .unwrap()
                .0;
        let message = protobuf::encode(&event).unwrap();
        let length = u32::try_from(message.len()).unwrap().to_be_bytes();
        let mut decoder =
            Decoder::new(Some(protobuf::MEDIA_TYPE), Rules::default(), Limits::default()).unwrap();
        for piece in [&length[..], &message].concat().chunks(16) {
            decoder.feed(piece, &mut Nothing, &mut |_| Ok(())).unwrap();
        }
    }),
    ("calls of one run that a client has answers to", |n| {
        let ids: Vec<String> = (0..n).map(|at| format!("c{at}")).collect();
        let mut runs = Runs::new(10);
        runs.ask("r");
        runs.ended(OutcomeKind::Success, &[], &ids);
        // The last one first: all others wait.
        ids.iter().rev().for_each(|id| runs.answered(id));
        assert!(runs.pending().is_empty());
    }),
    #[cfg(feature = "client")]
    ("a client's run behind a long conversation", ask),
    #[cfg(feature = "client")]
    ("calls of one run that a client's function answers", answer),
];

/// A run with `n` calls, which a function of the agent answers, and the next run.
#[cfg(feature = "client")]
fn answer(n: usize) {
    use ag_ui_native::client::{Agent, Response, RunParameters, RunRequest};
    use ag_ui_native::types::Tool;

    let events = move |request: RunRequest| async move {
        let first = std::iter::once(sse(r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#));
        let last = std::iter::once(sse(r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#));
        let count = if request.input.messages.is_empty() { n } else { 0 };
        let calls = (0..count).map(|at| {
            let start = format!(r#"{{"type":"TOOL_CALL_START","toolCallId":"c{at}","toolCallName":"look"}}"#);
            sse(&start) + &sse(&format!(r#"{{"type":"TOOL_CALL_END","toolCallId":"c{at}"}}"#))
        });
        let pieces = first.chain(calls).chain(last).map(Ok::<_, ag_ui_native::Error>);
        Ok(Response::new(futures_util::stream::iter(pieces)))
    };
    let look = |_: std::collections::HashMap<String, String>| std::future::ready(Ok::<_, String>("seen"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let mut agent = Agent::over(events).with_tool(Tool::new("look", ""), look);
    runtime.block_on(agent.run_to_end(RunParameters::default())).unwrap();
}

/// A run of `n` events on a conversation of `n` messages, requested by an agent of the client.
#[cfg(feature = "client")]
fn ask(n: usize) {
    use ag_ui_native::client::{Agent, Response, RunParameters, RunRequest};
    use ag_ui_native::types::UserMessage;

    let messages: Vec<_> = (0..n).map(|at| UserMessage::new(format!("u{at}"), "some text").into()).collect();
    let events = move |_: RunRequest| async move {
        let event = move |at: usize| match at {
            0 => sse(r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#),
            _ if at == n => sse(r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#),
            _ => sse(CHUNK),
        };
        Ok(Response::new(futures_util::stream::iter(
            (0..=n).map(move |at| Ok::<_, ag_ui_native::Error>(event(at))),
        )))
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let mut agent = Agent::over(events).with_messages(&messages);
    runtime.block_on(agent.run_to_end(RunParameters::default())).unwrap();
}

/// Of more values than `state_values`, and so not compared at every await: as many tokens as there are more values take no more each.
const LARGE: usize = 12;

/// A run on a state of `items` items. It awaits `tokens` tokens, and calls `act` before each.
fn serve(items: usize, tokens: usize, act: impl Fn(&Run)) {
    let mut input = RunAgentInput::new("t", "r", vec![]);
    input.state = Some((0..items).map(number).collect::<Vec<_>>().into());
    let run = Run::begin(input, WireFormat::Text, false, Limits::default()).unwrap();
    let message = run.text_message().unwrap();
    for _ in 0..tokens {
        act(&run);
        message.write("token").unwrap();
        run.take();
    }
}

/// A run on a state of `items` items. The agent itself sends `deltas` deltas of it.
fn relay(items: usize, deltas: usize) {
    let mut input = RunAgentInput::new("t", "r", vec![]);
    input.state = Some((0..items).map(number).collect::<Vec<_>>().into());
    let run = Run::begin(input, WireFormat::Text, false, Limits::default()).unwrap();
    let delta = r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/-","value":1}]}"#;
    let delta = from_json::<Event>(delta, Profile::Strict).unwrap().0;
    run.with_state(|_| {});
    for _ in 0..deltas {
        run.send(delta.clone()).unwrap();
        run.take();
    }
}

fn append(run: &Run) {
    run.with_state(|state| match state {
        Value::Array(items) => items.push(Value::Null),
        other => panic!("{other:?}"),
    });
}

const CUSTOM: &str = r#"{"type":"CUSTOM","name":"n","value":1}"#;
const CHUNK: &str = r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"some text"}"#;

fn sse(json: &str) -> String {
    format!("data: {json}\n\n")
}

fn number(at: usize) -> Value {
    Value::from(i64::try_from(at).unwrap())
}

fn object(n: usize) -> Value {
    (0..n).map(|at| (format!("k{at}"), Value::Null)).collect::<Object>().into()
}

fn operations(n: usize, json: impl Fn(usize) -> String) -> Vec<JsonPatchOperation> {
    (0..n).map(|at| from_json(json(at), Profile::Strict).unwrap().0).collect()
}

fn events(n: usize, json: impl Fn(usize) -> String) -> Vec<Event> {
    (0..n).map(|at| from_json(json(at), Profile::Strict).unwrap().0).collect()
}

fn decode(text: &str, piece: usize) {
    let mut decoder = Decoder::new(None, Rules::default(), Limits::default()).unwrap();
    for piece in text.as_bytes().chunks(piece) {
        if decoder.feed(piece, &mut Nothing, &mut |_| Ok(())).is_err() {
            return;
        }
        decoder.take_warnings();
    }
}

/// The stream of a model, of `n` chunks.
fn model(api: ModelApi, n: usize, chunk: impl Fn(usize) -> String) {
    let mut stream = ModelStream::new(api, "m");
    (0..n).for_each(|at| drop(stream.push(&chunk(at)).unwrap()));
    stream.close();
}

/// A run of `n` events, read one by one, verified and reduced.
fn stream(n: usize, event: impl Fn(usize) -> String) {
    let limits = Limits::default().with_open_entities(usize::MAX).with_metadata_members(usize::MAX);
    let options = PipelineOptions { limits, stages: Stages::default(), ..PipelineOptions::default() };
    let mut pipeline = Pipeline::new(None, options, &[]).unwrap();
    let mut conversation = Conversation::new(&[], Object::default().into(), Limits::default());
    let mut take = |output: Output<'_, ()>, _: &mut Reducer| {
        if let Some(reduction) = output.kind.into_reduction() {
            reduction.changes.into_iter().for_each(|change| _ = conversation.apply(change));
        }
        Ok(())
    };
    for at in 0..=n {
        let text = match at.checked_sub(1) {
            None => r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#.to_owned(),
            Some(at) => event(at),
        };
        pipeline.feed(sse(&text).as_bytes(), &mut Nothing, &mut take).unwrap();
    }
}

/// An event of one of two messages at once: `part` is its place in the message.
fn one_of_two(pair: usize, which: usize, part: usize) -> String {
    let (kind, more) =
        [("START", ""), ("CONTENT", r#","delta":"x""#), ("CONTENT", r#","delta":"x""#), ("END", "")][part];
    format!(r#"{{"type":"TEXT_MESSAGE_{kind}","messageId":"m{pair}-{which}"{more}}}"#)
}
