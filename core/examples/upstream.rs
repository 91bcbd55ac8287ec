//! The Rust part of `tests/upstream/run.py`: reads one request per line, and writes one line per answer.
#![allow(clippy::print_stdout)] // It is a command.

use std::error::Error as StdError;
use std::io::{self, BufRead};

use ag_ui_native::bindings::decode::DeclaredType;
use ag_ui_native::client::{HttpAgent, RunParameters};
use ag_ui_native::types::Message;
use ag_ui_native::{
    Error, Event, Issue, Limits, Profile, ProtocolVersion, from_json, read_run_input, to_json,
};
use serde_json::{Value, json};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn StdError>> {
    for line in io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        let told = match request["url"].as_str() {
            Some(url) => run(url, &request).await?,
            None => json!({ "failed": read(&request).err().map(|error| error.code().to_string()) }),
        };
        println!("{told}");
    }
    Ok(())
}

/// Reads a document strictly.
fn read(request: &Value) -> Result<(), Error> {
    match request.get("event") {
        Some(event) => from_json::<Event>(event.to_string(), Profile::Strict).map(drop),
        None => read_run_input(request["input"].to_string(), Profile::Strict, Limits::default()).map(drop),
    }
}

async fn run(url: &str, request: &Value) -> Result<Value, Box<dyn StdError>> {
    let text = |name: &str| request[name].as_str().unwrap_or_default();
    // Stored messages may contain parts of older versions, which this profile translates.
    let read = |message: &Value| {
        from_json::<Message>(message.to_string(), Profile::Tolerant).map(|(message, _)| message)
    };
    let stored =
        request["messages"].as_array().into_iter().flatten().map(read).collect::<Result<Vec<_>, _>>()?;
    let mut agent = HttpAgent::new(url).with_thread_id(text("threadId")).with_messages(&stored);
    if let Some(peer) = request["peer"].as_str().and_then(ProtocolVersion::parse) {
        agent = agent.with_peer(peer);
    }
    let (mut events, mut failed) = (Vec::new(), None);
    let mut told = agent.run(RunParameters::default().with_run_id(text("runId")));
    while let Some(event) = told.next().await {
        match event {
            Ok(event) => events.push(plain(&event)),
            Err(error) => failed = Some(error.error().code().to_string()),
        }
    }
    let result = told.result();
    let line = |issue: &Issue| format!("{} {} {}", issue.code, issue.path, issue.message());
    let of_events = result.warnings.iter().map(|warning| json!([warning.event_index, line(&warning.issue)]));
    let of_input = result.input_warnings.iter().map(|issue| json!([null, line(issue)]));
    let warnings: Vec<Value> = of_events.chain(of_input).collect();
    drop(told);
    let messages: Vec<Value> = agent.conversation().message_values().skip(stored.len()).map(plain).collect();
    let state = plain(agent.state());
    Ok(
        json!({ "failed": failed, "events": events, "warnings": warnings, "messages": messages, "state": state }),
    )
}

fn plain<T: DeclaredType>(value: &T) -> Value {
    serde_json::from_str(&to_json(value)).unwrap_or_default()
}
