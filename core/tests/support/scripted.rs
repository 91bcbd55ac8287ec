//! An agent that answers from a script, without a network.
#![allow(dead_code)] // Each test is a crate of its own and uses what it needs.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use ag_ui_native::client::{Agent, Response, RunRequest, Transport};
use ag_ui_native::types::RunAgentInput;
use futures_util::stream;
use serde_json::{Value, json};

/// The requests, as JSON.
pub type Requests = Arc<Mutex<Vec<Value>>>;

/// Answers each request with the next list of events, and further requests with the last list.
pub fn scripted(answers: &[&[Value]]) -> (Agent<impl Transport>, Requests) {
    let requests = Requests::default();
    let seen = Arc::clone(&requests);
    let mut left: VecDeque<Vec<Value>> = answers.iter().map(|events| events.to_vec()).collect();
    let left = Arc::new(Mutex::new(move || {
        let next = if left.len() > 1 { left.pop_front() } else { left.front().cloned() };
        next.unwrap_or_default()
    }));
    let agent = Agent::over(move |request: RunRequest| {
        seen.lock().unwrap().push(serde_json::from_str(&request.body().unwrap()).unwrap());
        let mut events = (left.lock().unwrap())();
        for event in &mut events {
            of_run(event, &request.input);
        }
        async move { Ok(body(&events)) }
    });
    (agent, requests)
}

/// Replaces the ids `t` and `r` of the script by those of the request.
fn of_run(event: &mut Value, input: &RunAgentInput) {
    for (member, scripted, asked) in [("threadId", "t", &input.thread_id), ("runId", "r", &input.run_id)] {
        if event[member] == scripted {
            event[member] = asked.as_str().into();
        }
    }
}

/// Events, each as a piece of an answer.
pub fn body(events: &[Value]) -> Response {
    let pieces: Vec<_> = events.iter().map(|event| Ok::<_, Infallible>(frame(event))).collect();
    Response::new(stream::iter(pieces))
}

/// An event as the text transport has it.
pub fn frame(event: &Value) -> String {
    format!("data: {event}\n\n")
}

/// RUN_STARTED.
pub fn started() -> Value {
    json!({"type": "RUN_STARTED", "threadId": "t", "runId": "r"})
}

/// RUN_FINISHED.
pub fn finished() -> Value {
    json!({"type": "RUN_FINISHED", "threadId": "t", "runId": "r"})
}

/// A run with a text message.
pub fn says(text: &str) -> Vec<Value> {
    vec![
        started(),
        json!({"type": "TEXT_MESSAGE_START", "messageId": text, "role": "assistant"}),
        json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": text, "delta": text}),
        json!({"type": "TEXT_MESSAGE_END", "messageId": text}),
        finished(),
    ]
}

/// A run that calls tools. The id of each call is its argument, too.
pub fn calls(tools: &[(&str, &str)]) -> Vec<Value> {
    let events = tools.iter().flat_map(|(id, name)| {
        [
            json!({"type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": name}),
            json!({"type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": format!("{{\"id\":\"{id}\"}}")}),
            json!({"type": "TOOL_CALL_END", "toolCallId": id}),
        ]
    });
    [started()].into_iter().chain(events).chain([finished()]).collect()
}
