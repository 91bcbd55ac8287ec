//! `tests/fixtures/stream/requirements.json`: the requirements of the specification, and the verdict of each profile.

use crate::scripted;

use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use ag_ui_native::bindings::decode::DocumentReader;
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::client::{Next, RunParameters};
use ag_ui_native::server::{Run, axum::agent};
use ag_ui_native::stream::{EventDecoder, EventPipeline};
use ag_ui_native::types::{Message, ResumeEntry};
use ag_ui_native::{
    Error, Event, Issue, Limits, Profile, ProtocolVersion, Warning, from_json, protobuf, read_run_input,
    to_json,
};
use axum::Router;
use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// A warning or an error in a line: its code, the rule, the event, the place.
fn summary(issue: &Issue, at: Option<usize>) -> Value {
    let rule = issue.rule.map(|rule| rule.as_str().to_owned());
    let parts =
        [Some(issue.code.to_string()), rule, at.map(|at| format!("at {at}")), Some(issue.path.clone())];
    let parts: Vec<String> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    parts.join(" ").into()
}

fn brief_error(error: &Error, is_indexed: bool) -> Value {
    let none = Issue::new(error.code(), "", "");
    summary(error.issues.first().unwrap_or(&none), error.event_index.filter(|_| is_indexed))
}

fn verdict(error: Option<Value>, mut warnings: Vec<Value>) -> Value {
    warnings.sort_by_key(Value::to_string);
    let mut found = json!({});
    if let Some(error) = error {
        found["error"] = error;
    }
    if !warnings.is_empty() {
        found["warnings"] = warnings.into();
    }
    found
}

fn plain<T: ag_ui_native::bindings::decode::DeclaredType>(value: &T) -> Value {
    serde_json::from_str(&to_json(value)).unwrap()
}

/// Returns true if `found` has every wanted member, and none that is wanted as "(absent)". Lists have the same length.
fn is_within(wanted: &Value, found: &Value) -> bool {
    match (wanted, found) {
        (Value::Object(wanted), Value::Object(found)) => {
            wanted.iter().all(|(key, value)| match found.get(key) {
                None => value == "(absent)",
                Some(found) => value != "(absent)" && is_within(value, found),
            })
        }
        (Value::Array(wanted), Value::Array(found)) => {
            wanted.len() == found.len()
                && wanted.iter().zip(found).all(|(wanted, found)| is_within(wanted, found))
        }
        _ => wanted == found,
    }
}

/// Feeds a stream, or the bytes of one, to a pipeline. If protobuf has all of its events, the result over protobuf must
/// be the same.
fn tell_stream(case: &Value, profile: Profile) -> Value {
    if let Some(body) = case["body"].as_str() {
        return tell_bytes(body.as_bytes(), EventPipeline::new(), case, profile);
    }
    let events = case["stream"].as_array().unwrap();
    let text: String = events.iter().map(scripted::frame).collect();
    let found = tell_bytes(text.as_bytes(), EventPipeline::new(), case, profile);
    let framed =
        |event: &Value| protobuf::to_frame(&from_json::<Event>(event.to_string(), Profile::Strict)?.0);
    if let Ok(frames) = events.iter().map(framed).collect::<Result<Vec<_>, Error>>() {
        let pipeline = EventPipeline::for_content_type(protobuf::MEDIA_TYPE).unwrap();
        assert_eq!(tell_bytes(&frames.concat(), pipeline, case, profile), found, "{text}");
    }
    found
}

fn tell_bytes(bytes: &[u8], pipeline: EventPipeline, case: &Value, profile: Profile) -> Value {
    let mut pipeline = pipeline.with_profile(profile);
    if let Some(peer) = case["peer"].as_str() {
        pipeline = pipeline.with_peer(ProtocolVersion::parse(peer).unwrap());
    }
    let error = pipeline.feed(bytes).find_map(Result::err).or_else(|| pipeline.close().find_map(Result::err));
    let warnings = pipeline.take_warnings();
    let warnings =
        warnings.iter().map(|warning| summary(&warning.issue, Some(warning.event_index))).collect();
    let mut found = verdict(error.map(|error| brief_error(&error, true)), warnings);
    found["messages"] = pipeline.conversation().message_values().map(plain).collect();
    found["state"] = plain(&pipeline.conversation().state);
    found
}

/// An event, or a run's input, by itself.
fn tell_document(case: &Value, profile: Profile) -> Value {
    let read = match case.get("event") {
        Some(event) => DocumentReader::new(profile, Limits::default())
            .event(event.to_string().as_bytes(), &mut TypedBuild)
            .map(|read| read.warnings),
        None => read_run_input(case["input"].to_string(), profile, Limits::default())
            .map(|(_, warnings)| warnings),
    };
    match read {
        Ok(warnings) => verdict(None, warnings.iter().map(|issue| summary(issue, None)).collect()),
        Err(error) => verdict(Some(brief_error(&error, false)), Vec::new()),
    }
}

/// Reads messages as a program has them. Rust cannot hold a value that is not a message, so the error comes from reading.
fn messages(given: &Value, profile: Profile) -> Result<Vec<Message>, Issue> {
    let read = |(at, message): (usize, &Value)| {
        from_json(message.to_string(), profile).map(|(message, _)| message).map_err(|error| {
            let issue = error.issues[0].clone();
            Issue { path: format!("/messages/{at}{}", issue.path), ..issue }
        })
    };
    given.as_array().into_iter().flatten().enumerate().map(read).collect()
}

/// Runs an agent of the client. The result is that of the last run.
async fn tell_client(case: &Value, profile: Profile) -> Value {
    let (start, runs) = (&case["client"]["start"], case["client"]["runs"].as_array().unwrap());
    let answers: Vec<&[Value]> =
        runs.iter().map(|run| run["answer"].as_array().unwrap().as_slice()).collect();
    let warnings: Arc<Mutex<Vec<Value>>> = Arc::default();
    let heard = Arc::clone(&warnings);
    let (agent, asked) = scripted::scripted(&answers);
    let mut agent =
        agent.with_thread_id("t").with_profile(profile).with_on_warning(move |warning: &Warning| {
            heard.lock().unwrap().push(summary(&warning.issue, None));
        });
    if let Some(peer) = start["peer"].as_str() {
        agent = agent.with_peer(ProtocolVersion::parse(peer).unwrap());
    }
    let seen: Arc<Mutex<Vec<Value>>> = Arc::default();
    if case["tolerant"].get("seen").is_some() {
        let seen = Arc::clone(&seen);
        agent = agent.with_middleware(move |input, next: Next| {
            let seen = Arc::clone(&seen);
            next.run(input).inspect(move |event| seen.lock().unwrap().extend(event.as_ref().ok().map(plain)))
        });
    }
    if let Some(state) = start.get("state") {
        agent = agent.with_state(state.clone());
    }
    let given = messages(&start["messages"], Profile::Relay)
        .and_then(|given| Ok([given, messages(&start["stored"], Profile::Tolerant)?].concat()));
    let mut error = given.as_ref().err().map(|issue| summary(issue, None));
    agent.add_messages(given.unwrap_or_default());
    let mut outcome = None;
    for run in runs {
        if error.is_some() {
            break;
        }
        warnings.lock().unwrap().clear();
        let mut options = RunParameters::default().with_run_id(run["runId"].as_str().unwrap_or("r"));
        if let Some(resume) = run["resume"].as_array() {
            let entries =
                resume.iter().map(|entry| from_json::<ResumeEntry>(entry.to_string(), Profile::Strict));
            options = options.with_resume(entries.map(|entry| entry.unwrap().0).collect());
        }
        match agent.run_to_end(options).await {
            Ok(run) => {
                warnings.lock().unwrap().extend(run.input_warnings.iter().map(|issue| summary(issue, None)));
                outcome = run.outcome.map(|outcome| outcome.as_str());
            }
            Err(failed) => (outcome, error) = (None, Some(brief_error(failed.error(), false))),
        }
    }
    let mut found = verdict(error, std::mem::take(&mut *warnings.lock().unwrap()));
    if let Some(outcome) = outcome {
        found["outcome"] = outcome.into();
    }
    found["messages"] = agent.conversation().message_values().map(plain).collect();
    found["state"] = plain(agent.state());
    let asked = asked.lock().unwrap();
    found["asked"] = asked.len().into();
    found["sent"] = asked.last().cloned().unwrap_or_default();
    found["seen"] = seen.lock().unwrap().clone().into();
    found
}

/// A request to a server whose agent sends the events one by one.
async fn tell_server(case: &Value) -> Value {
    let asked = &case["server"];
    let body = asked["body"].as_str().map_or_else(|| asked["body"].to_string(), str::to_owned);
    let events: Vec<String> = asked["agent"].as_array().unwrap().iter().map(Value::to_string).collect();
    let told = agent(move |run: Run| {
        let events = events.clone();
        async move {
            for event in &events {
                run.send(from_json::<Event>(event, Profile::Strict)?.0)?;
            }
            Ok::<_, Error>(None)
        }
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = tokio::spawn(async { axum::serve(listener, Router::new().route("/", told)).await });
    let mut connection = tokio::net::TcpStream::connect(address).await.unwrap();
    // In HTTP 1.0 the end of the connection is the end of the body.
    let accept = asked["accept"].as_str().unwrap_or("text/event-stream");
    let head = format!("POST / HTTP/1.0\r\ncontent-type: application/json\r\naccept: {accept}\r\n");
    let request = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
    connection.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    connection.read_to_end(&mut answer).await.unwrap();
    serving.abort();
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(answer[..end].to_vec()).unwrap().to_ascii_lowercase();
    let status: u16 = head.split(' ').nth(1).unwrap().parse().unwrap();
    if status != 200 {
        return json!({ "status": status });
    }
    let content_type = head.lines().find_map(|line| line.strip_prefix("content-type: ")).unwrap();
    let mut decoder = EventDecoder::for_content_type(content_type).unwrap();
    let events: Vec<Value> = decoder.feed(&answer[end + 4..]).map(|event| plain(&event.unwrap())).collect();
    json!({ "status": status, "type": content_type.split(';').next(), "events": events })
}

/// Returns the names of the members that differ from the wanted ones.
fn judge(case: &Value, wanted: &Value, found: &Value) -> Vec<String> {
    let differs = |name: &&str| wanted.get(*name) != found.get(*name);
    let mut wrong: Vec<String> =
        ["error", "warnings"].into_iter().filter(differs).map(str::to_owned).collect();
    for name in ["status", "type", "events", "outcome", "asked", "sent", "seen", "messages", "state"] {
        let of_all = if wanted.get("error").is_none() && ["messages", "state"].contains(&name) {
            case.get(name)
        } else {
            None
        };
        let both = wanted.get(name).or(of_all);
        if both.is_some_and(|both| !found.get(name).is_some_and(|found| is_within(both, found))) {
            wrong.push(name.to_owned());
        }
    }
    for path in wanted["unsent"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let pointer = format!("/{}", path.replace('.', "/"));
        if !found["sent"].is_object() || found["sent"].pointer(&pointer).is_some() {
            wrong.push(path.to_owned());
        }
    }
    wrong
}

async fn tell(case: &Value, profile: &str) -> Value {
    let read = match profile {
        "strict" => Profile::Strict,
        "relay" => Profile::Relay,
        _ => Profile::Tolerant,
    };
    if profile == "answer" {
        tell_server(case).await
    } else if case.get("client").is_some() {
        tell_client(case, read).await
    } else if case.get("event").or(case.get("input")).is_some() {
        tell_document(case, read)
    } else {
        tell_stream(case, read)
    }
}

#[tokio::test(flavor = "current_thread")]
async fn requirements() {
    let fixture = include_str!("../../../tests/fixtures/stream/requirements.json");
    let cases: Vec<Value> = serde_json::from_str(fixture).unwrap();
    let mut report = String::new();
    for case in &cases {
        for profile in ["strict", "tolerant", "relay", "answer"] {
            let Some(wanted) = case.get(profile) else { continue };
            let found = tell(case, profile).await;
            let mut wrong = judge(case, wanted, &found);
            if let Some(today) = case["today"].get(profile) {
                wrong = if wrong.is_empty() {
                    vec!["it is right now: take `today` away".into()]
                } else {
                    judge(case, today, &found)
                };
            }
            if !wrong.is_empty() {
                let _ =
                    writeln!(report, "{} {} {profile}: {wrong:?} of {found}", case["page"], case["number"]);
            }
        }
    }
    assert!(report.is_empty(), "\n{report}");
    assert!(cases.len() > 150);
}
