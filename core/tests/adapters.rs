//! Streams of models, and requests to them: `tests/fixtures/adapters/` has what the providers send and take.

mod support;

use ag_ui_native::adapters::{ModelApi, ModelStream};
use ag_ui_native::server::{Run, WireFormat};
use ag_ui_native::types::{EventType, Message, RunAgentInput, Tool};
use ag_ui_native::{Error, Event, Limits, to_json};
use serde::Deserialize;
use serde_json::{Value, json};
use support::fixture;

#[derive(Deserialize)]
struct StreamCase {
    name: String,
    api: String,
    body: String,
    events: Value,
    reply: Option<Value>,
    error: Option<Failure>,
    usage: Option<Value>,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Failure {
    code: String,
    message: Option<String>,
    path: Option<String>,
}

/// The data of a body's events, without the marker of the end.
fn chunks(body: &str) -> impl Iterator<Item = &str> {
    body.lines().filter_map(|line| line.strip_prefix("data: ")).filter(|data| *data != "[DONE]")
}

fn api(name: &str) -> ModelApi {
    ModelApi::named(name).unwrap()
}

fn values(events: &[Event]) -> Value {
    events.iter().map(|event| serde_json::from_str::<Value>(&to_json(event)).unwrap()).collect()
}

/// Reads a body to its end. Returns the events, and the reply or the error.
fn read(case: &StreamCase) -> (Vec<Event>, Result<Value, Error>, Option<Value>) {
    let mut stream = ModelStream::new(api(&case.api), "m");
    let mut events = Vec::new();
    let pushed = chunks(&case.body).try_for_each(|chunk| stream.push(chunk).map(|made| events.extend(made)));
    events.extend(stream.close());
    assert!(stream.close().is_empty(), "{}: nothing is open behind the end", case.name);
    let usage = stream.usage();
    let reply = pushed.and_then(|()| stream.reply());
    let reply = reply.map(|reply| serde_json::from_str(&to_json(&reply.to_value(usage.as_ref()))).unwrap());
    (events, reply, usage.map(|usage| serde_json::from_str(&to_json(&usage)).unwrap()))
}

#[test]
fn streams_of_models_are_events_and_replies() {
    for case in fixture::<Vec<StreamCase>>("model_streams") {
        let (events, reply, usage) = read(&case);
        let name = format!("{}: {}", case.api, case.name);
        assert_eq!(values(&events), case.events, "{name}");
        assert_eq!(usage, case.usage, "{name}");
        match (reply, case.reply) {
            (Ok(reply), Some(expected)) => assert_eq!(reply, expected, "{name}"),
            (Err(error), None) => {
                let message = Some(error.to_string());
                let failure = Failure { code: error.code().as_str().to_owned(), message, path: None };
                assert_eq!(Some(failure), case.error, "{name}");
            }
            (reply, _) => panic!("{name}: {reply:?}"),
        }
    }
}

#[derive(Deserialize)]
struct ChunkCase {
    api: String,
    chunks: Vec<String>,
    text: String,
}

/// Hosts write such numbers as null.
#[test]
fn numbers_that_json_does_not_have_are_null() -> Result<(), Error> {
    for case in fixture::<Vec<ChunkCase>>("model_chunks") {
        let mut stream = ModelStream::new(api(&case.api), "m");
        for chunk in &case.chunks {
            stream.push(&chunk.replace("\"$NaN\"", "null"))?;
        }
        assert_eq!(stream.reply()?.text, case.text);
    }
    Ok(())
}

#[test]
fn the_events_of_a_stream_are_legal_in_a_run() -> Result<(), Error> {
    for case in fixture::<Vec<StreamCase>>("model_streams") {
        let input = RunAgentInput::new("t", "r", vec![]);
        let run = Run::begin(input, WireFormat::Text, false, Limits::default())?;
        for event in read(&case).0 {
            run.send(event)?;
        }
    }
    Ok(())
}

/// The values that differ from `value` in one place: it is absent, null, or of another kind.
fn changed(value: &Value) -> Vec<Value> {
    let mut found = vec![Value::Null, json!(""), json!(7), json!([]), json!({})];
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let with = |inner: Option<Value>| {
                    let mut other = members.clone();
                    match inner {
                        Some(inner) => other.insert(name.clone(), inner),
                        None => other.remove(name),
                    };
                    Value::Object(other)
                };
                found.push(with(None));
                found.extend(changed(member).into_iter().map(|inner| with(Some(inner))));
            }
        }
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                found.extend(changed(item).into_iter().map(|inner| {
                    let mut other = items.clone();
                    other[place] = inner;
                    Value::Array(other)
                }));
            }
        }
        _ => {}
    }
    found
}

/// Chunks that are absent, come twice, in another order, or with other values: nothing panics, and all events are legal.
#[test]
fn faulty_streams_are_legal_too() {
    for case in fixture::<Vec<StreamCase>>("model_streams") {
        let whole: Vec<&str> = chunks(&case.body).collect();
        for place in 0..whole.len() {
            let (before, after) = (&whole[..place], &whole[place + 1..]);
            // serde_json reads no halves of surrogate pairs.
            let Ok(chunk) = serde_json::from_str(whole[place]) else { continue };
            let other = changed(&chunk);
            let other = other.iter().map(|value| [before, &[&value.to_string()], after].concat().join("\n"));
            let mut streams: Vec<String> = other.collect();
            streams.push([before, after].concat().join("\n"));
            streams.push([before, &[whole[place]], &whole[place..]].concat().join("\n"));
            streams.push([after, before].concat().join("\n"));
            for lines in streams {
                let mut stream = ModelStream::new(api(&case.api), "m");
                let input = RunAgentInput::new("t", "r", vec![]);
                let run = Run::begin(input, WireFormat::Text, false, Limits::default()).unwrap();
                let made = lines.lines().flat_map(|chunk| stream.push(chunk).unwrap_or_default());
                for event in made.collect::<Vec<_>>().into_iter().chain(stream.close()) {
                    let sent = run.send(event);
                    assert!(sent.is_ok(), "{}: {}: {sent:?}\n{lines}", case.api, case.name);
                }
                let _ = stream.reply();
            }
        }
    }
}

#[test]
fn messages_of_errors_show_nothing_of_the_provider() {
    for case in fixture::<Vec<StreamCase>>("model_streams") {
        if let Err(error) = read(&case).1 {
            assert!(!error.to_string().contains("secret"), "{error}");
        }
    }
}

#[test]
fn what_is_no_chunk_is_refused() {
    let mut stream = ModelStream::new(ModelApi::Anthropic, "m");
    let mut refused = |chunk| stream.push(chunk).unwrap_err().code().as_str();
    assert_eq!(
        [refused("[DONE]"), refused("{"), refused("[]"), refused("1")],
        ["invalid_json", "invalid_json", "wrong_type", "wrong_type"]
    );
}

#[derive(Deserialize)]
struct NonChunks {
    before: Value,
    chunks: Vec<Value>,
    events: Vec<String>,
    error: Failure,
}

#[test]
fn values_that_are_no_chunks_are_refused_and_what_is_open_ends() -> Result<(), Error> {
    let cases: NonChunks = fixture("model_non_chunks");
    for chunk in cases.chunks {
        let mut stream = ModelStream::new(ModelApi::OpenAiChat, "m");
        let mut events = stream.push(&cases.before.to_string())?;
        let error = stream.push(&chunk.to_string()).unwrap_err();
        events.extend(stream.close());
        let message = Some(error.to_string());
        assert_eq!(Failure { code: error.code().as_str().to_owned(), message, path: None }, cases.error);
        let types = events.iter().filter_map(Event::event_type).map(EventType::as_str);
        assert_eq!(types.collect::<Vec<_>>(), cases.events, "{chunk}");
    }
    Ok(())
}

#[derive(Deserialize)]
struct RequestCase {
    name: String,
    messages: Value,
    openai_chat: Value,
    openai_responses: Value,
    anthropic: Value,
}

fn typed<T: ag_ui_native::bindings::decode::DeclaredType>(value: &Value) -> T {
    ag_ui_native::from_json(value.to_string(), ag_ui_native::Profile::Strict).unwrap().0
}

#[test]
fn conversations_are_requests() {
    for case in fixture::<Vec<RequestCase>>("model_requests") {
        let messages: Vec<Message> = typed(&case.messages);
        for (name, expected) in [
            ("openai_chat", &case.openai_chat),
            ("openai_responses", &case.openai_responses),
            ("anthropic", &case.anthropic),
        ] {
            let made = match api(name).messages(&messages) {
                Ok(made) => serde_json::from_str(&to_json(&made)).unwrap(),
                Err(error) => json!({"error": {"code": error.code().as_str(), "path": error.path()}}),
            };
            assert_eq!(made, *expected, "{name}: {}", case.name);
        }
    }
}

#[test]
fn tools_are_those_of_the_request() {
    let case: Value = fixture("model_tools");
    let tools: Vec<Tool> = typed(&case["tools"]);
    for &api in ModelApi::ALL {
        let made: Value = serde_json::from_str(&to_json(&api.tools(&tools))).unwrap();
        assert_eq!(made, case[api.name()]);
    }
}

#[test]
fn a_reply_goes_back_as_it_came() {
    let case = fixture::<Vec<StreamCase>>("model_streams");
    let case = case.iter().find(|case| case.name == "thinking with a signature, then a call").unwrap();
    let mut messages: Vec<Message> = typed(&read(case).1.unwrap()["messages"]);
    messages.push(typed(&json!({"id": "t", "role": "tool", "toolCallId": "toolu_a", "content": "rain"})));
    let made = ModelApi::Anthropic.messages(&messages).unwrap();
    let made: Value = serde_json::from_str(&to_json(&made)).unwrap();
    let thinking = json!({"type": "thinking", "thinking": "The user wants rain.", "signature": "EqQB/Cg=="});
    let call = json!({"type": "tool_use", "id": "toolu_a", "name": "look", "input": {}});
    assert_eq!(made["messages"][0], json!({"role": "assistant", "content": [thinking, call]}));
}
