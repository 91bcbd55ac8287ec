//! Agents of the client with misbehaving peers: the cases that all three languages read.

use crate::peer;

use std::fmt::Write;
use std::time::Duration;

use ag_ui_native::client::{
    ClientError, HttpAgent, Next, Payload, Redirects, Retry, RunOutcome, RunParameters, RunResult, Timeouts,
};
use ag_ui_native::types::{Message, RunAgentInput};
use ag_ui_native::{Limits, to_json};
use peer::Peer;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Case {
    name: String,
    script: Option<Value>,
    scripts: Option<Vec<Value>>,
    host: Option<String>,
    #[serde(default)]
    options: Value,
    expect: Value,
}

fn milliseconds(value: &Value) -> Option<Duration> {
    value.as_f64().map(|milliseconds| Duration::from_secs_f64(milliseconds / 1000.0))
}

/// The agent of a case.
fn agent(case: &Case, url: &str) -> HttpAgent {
    let options = &case.options;
    let timeout = |name: &str| milliseconds(&options[format!("{name}_timeout_ms")]);
    let mut timeouts = Timeouts::default();
    timeouts.first_byte = timeout("first_byte");
    timeouts.total = timeout("total");
    timeouts.idle = timeout("idle").or(timeouts.idle);
    let mut agent = HttpAgent::new(url).with_timeouts(timeouts);
    // The scripted server does not know a run that is looked for.
    #[cfg(feature = "durable")]
    {
        agent = agent.with_reconnect(None);
    }
    if options["redirects"] == "none" {
        agent = agent.with_redirects(Redirects::None);
    }
    if let Some(retry) = options["retry"].as_object() {
        let attempts = u32::try_from(retry["attempts"].as_u64().unwrap()).unwrap();
        let first = milliseconds(&retry["first_ms"]).unwrap();
        let longest = milliseconds(&retry["longest_ms"]).unwrap();
        agent = agent.with_retry(Retry { attempts, first, longest, ..Retry::default() });
    }
    if let Some(bytes) = options["limits"]["event_bytes"].as_u64() {
        agent = agent.with_limits(Limits::default().with_event_bytes(usize::try_from(bytes).unwrap()));
    }
    agent
}

fn plain(document: impl AsRef<str>) -> Value {
    serde_json::from_str(document.as_ref()).unwrap()
}

/// Returns the result of a run as the cases record it: with the members that a case expects.
fn outcome(case: &Case, agent: &HttpAgent, end: &Result<RunResult, ClientError>, attempts: usize) -> Value {
    let mut found = json!({});
    let run = match end {
        Ok(run) => {
            found["outcome"] = run.outcome.as_ref().unwrap().as_str().into();
            run
        }
        Err(error) => {
            assert_eq!(error.run().outcome, None);
            found["code"] = error.code().as_str().into();
            found["limit"] = error.error().limit.into();
            found["rule"] = error.error().rule().map(ag_ui_native::Rule::as_str).into();
            found["status"] = error.status().into();
            found["message"] = error.to_string().into();
            found["payload"] = match error.payload() {
                Some(Payload::Json(payload)) => plain(to_json(payload)),
                Some(Payload::Text(text)) => text.as_str().into(),
                None => Value::Null,
            };
            error.run()
        }
    };
    let messages = agent.messages().unwrap();
    assert_eq!(run.new_messages, messages);
    let texts: Vec<_> = messages
        .iter()
        .map(|message| match message {
            Message::Assistant(message) => message.content.clone().unwrap_or_default(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(run.text(), texts.concat());
    found["lengths"] = texts.iter().map(String::len).collect();
    found["messages"] = texts.into();
    found["state"] = plain(to_json(agent.state()));
    found["interrupts"] = agent.pending_interrupts().iter().map(|interrupt| interrupt.id.clone()).collect();
    if let Some(RunOutcome::Error { message, code }) = &run.outcome {
        found["error"] = json!({ "message": message, "code": code });
    }
    found["lastEventId"] = run.last_event_id.clone().into();
    found["attempts"] = attempts.into();
    let expected = case.expect.as_object().unwrap();
    found.as_object_mut().unwrap().retain(|name, _| expected.contains_key(name));
    found
}

#[tokio::test(flavor = "current_thread")]
async fn faults() {
    let cases: Vec<Case> =
        serde_json::from_str(include_str!("../../../tests/fixtures/client/client_faults.json")).unwrap();
    let mut wrong = String::new();
    // Middleware that changes nothing changes no end.
    for (case, through) in cases.iter().flat_map(|case| [(case, false), (case, true)]) {
        let scripts = case.scripts.clone().or_else(|| case.script.clone().map(|script| vec![script]));
        let peer = match scripts {
            Some(scripts) => Some(Peer::follow(scripts).await),
            None => None,
        };
        let address = match &peer {
            Some(peer) => peer.address,
            None => Peer::unreachable().await,
        };
        let host = case.host.as_deref().unwrap_or("127.0.0.1");
        let mut agent = agent(case, &format!("http://{host}:{}/", address.port()));
        if through {
            agent = agent.with_middleware(|input: RunAgentInput, next: Next| next.run(input));
        }
        let run = agent.run_to_end(RunParameters::default());
        let end = tokio::time::timeout(Duration::from_secs(30), run).await.expect(&case.name);
        let attempts = peer.map_or(0, |peer| peer.requests.lock().unwrap().len());
        let found = outcome(case, &agent, &end, attempts);
        if found != case.expect {
            let _ = write!(
                wrong,
                "\n{}, through middleware: {through}\n  expected {}\n  found    {found} ({:?})",
                case.name,
                case.expect,
                end.err()
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
