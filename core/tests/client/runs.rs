//! `tests/fixtures/client/client_runs.json`: the result of a client's call, by each way to read it; and local agents
//! beside remote ones.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use ag_ui_native::client::{
    AbortHandle, Agent, AgentStateMutation, AgentSubscriber, AgentSubscriberParams, ClientError, HttpAgent,
    LocalAgent, Next, Payload, Response, RunOutcome, RunParameters, RunRequest, RunResult, Transport,
};
use ag_ui_native::server::Run;
use ag_ui_native::server::axum::{RunOptions, agent_with};
use ag_ui_native::types::{Event, Interrupt, Message, ResumeEntry, RunAgentInput, Tool};
use ag_ui_native::{Error, Profile, from_json, to_json};
use axum::Router;
use futures_util::stream;
#[cfg(feature = "websocket")]
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
#[cfg(feature = "websocket")]
use {ag_ui_native::client::WebSocketAgent, tokio_tungstenite::tungstenite::Message as SocketMessage};

fn table(part: &str) -> Vec<Value> {
    let table = include_str!("../../../tests/fixtures/client/client_runs.json");
    let mut table: Value = serde_json::from_str(table).unwrap();
    serde_json::from_value(table[part].take()).unwrap()
}

fn plain(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Listens to each event; may stop one, and may handle a failure.
struct Listens {
    stops: Value,
    takes: bool,
}
impl AgentSubscriber for Listens {
    fn on_event(&self, _: &AgentSubscriberParams<'_>, event: &Event) -> Option<AgentStateMutation> {
        (self.stops == event.tag()).then(AgentStateMutation::stop)
    }

    fn on_run_failed(&self, _: &AgentSubscriberParams<'_>, _: &ClientError) -> Option<AgentStateMutation> {
        self.takes.then(AgentStateMutation::stop)
    }
}

/// Returns the result of a function of the table.
fn gives(tool: &Value, arguments: &Value) -> Result<ag_ui_native::Value, String> {
    if let Some(reason) = tool["raises"].as_str() {
        return Err(reason.to_owned());
    }
    Ok(match tool["gives"].as_str() {
        Some("nan") => vec![1.0, f64::NAN].into(),
        Some("nothing" | "abort") => ().into(),
        Some(_) => arguments.clone().into(),
        None => tool["returns"].clone().into(),
    })
}

/// The requests, the called functions, and a handle that aborts the agent.
#[derive(Clone, Default)]
struct Log {
    aborts: Arc<Mutex<Option<AbortHandle>>>,
    requests: Arc<Mutex<Vec<Value>>>,
    called: Arc<Mutex<Vec<Value>>>,
}

/// Returns the events with which a script answers the next request.
fn answer(case: &Value, log: &Log, body: &str) -> Vec<Value> {
    let mut requests = log.requests.lock().unwrap();
    let asked = plain(body);
    let events = list(&case["answers"][requests.len()]).iter().cloned().map(|mut event| {
        for (member, scripted) in [("threadId", "t"), ("runId", "r")] {
            if event[member] == scripted {
                event[member] = asked[member].clone();
            }
        }
        event
    });
    let events = events.collect();
    requests.push(asked);
    events
}

/// The way to an agent that answers by a script.
fn scripted(case: &Value, log: &Log) -> impl Transport + use<> {
    let (case, log) = (case.clone(), log.clone());
    move |request: RunRequest| {
        let events = answer(&case, &log, &request.body().unwrap());
        let pieces = events.into_iter().map(|event| Ok::<_, Infallible>(format!("data: {event}\n\n")));
        let pieces = stream::iter(pieces.collect::<Vec<_>>());
        async move { Ok(Response::new(pieces)) }
    }
}

/// Serves the answers at a WebSocket, each event as a message, until the returned value is dropped.
#[cfg(feature = "websocket")]
async fn socket(case: &Value, log: &Log) -> (WebSocketAgent, tokio::task::JoinHandle<()>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}/", listener.local_addr().unwrap());
    let (case, log) = (case.clone(), log.clone());
    let serving = tokio::spawn(async move {
        loop {
            let (connection, _) = listener.accept().await.unwrap();
            let mut socket = tokio_tungstenite::accept_async(connection).await.unwrap();
            let asked = socket.next().await.unwrap().unwrap();
            for event in answer(&case, &log, asked.to_text().unwrap()) {
                // A client that has left does not read, which is no error here.
                let _ = socket.send(SocketMessage::text(event.to_string())).await;
            }
            let _ = socket.close(None).await;
        }
    });
    (WebSocketAgent::new(url), serving)
}

/// Returns true if each answer has at most one run: a WebSocket is closed after its first run.
#[cfg(feature = "websocket")]
fn is_for_sockets(case: &Value) -> bool {
    let runs = |answer: &Value| list(answer).iter().filter(|event| event["type"] == "RUN_STARTED").count();
    list(&case["answers"]).iter().all(|answer| runs(answer) < 2)
}

/// Sets up the agent for a case.
fn prepared<T: Transport>(agent: Agent<T>, case: &Value, log: &Log) -> Agent<T> {
    let mut agent = agent.with_pending_interrupts(read(&case["pendingInterrupts"]));
    for tool in list(&case["tools"]) {
        let (called, aborts, does) = (Arc::clone(&log.called), Arc::clone(&log.aborts), tool.clone());
        let mut declared = Tool::new(text(&tool["name"]), text(&tool["description"]));
        declared.parameters = tool.get("parameters").cloned().map(Into::into);
        agent = agent.with_tool(declared, move |arguments: Value| {
            called.lock().unwrap().push(json!([does["name"], arguments]));
            if does["gives"] == "abort" {
                aborts.lock().unwrap().as_ref().unwrap().abort();
            }
            std::future::ready(gives(&does, &arguments))
        });
    }
    if let Some(max_runs) = case["maxRuns"].as_u64() {
        agent = agent.with_max_runs(usize::try_from(max_runs).unwrap());
    }
    agent.set_parent_run_id(case["parentRunId"].as_str().map(str::to_owned));
    *log.aborts.lock().unwrap() = Some(agent.abort_handle());
    agent
}

fn read<T: ag_ui_native::bindings::decode::DeclaredType>(documents: &Value) -> Vec<T> {
    let read = |document: &Value| from_json::<T>(document.to_string(), Profile::Strict).unwrap().0;
    list(documents).iter().map(read).collect()
}

fn options_of(run: &Value) -> RunParameters {
    let mut options = RunParameters::default().with_tools(read(&run["tools"]));
    options.run_id = run["runId"].as_str().map(str::to_owned);
    options.parent_run_id = run["parentRunId"].as_str().map(str::to_owned);
    options.resume = run.get("resume").map(read::<ResumeEntry>);
    options
}

/// A result as the table has it.
fn shown(result: &RunResult, asked: &[Value]) -> Value {
    let place = asked.iter().position(|id| *id == result.run_id);
    let message = |message: &Message| {
        let message = plain(&to_json(message));
        json!([message["role"], message["content"]])
    };
    json!({
        "id": place.map_or_else(|| result.run_id.clone(), |place| format!("#{}", place + 1)),
        "outcome": result.outcome.as_ref().map_or("failed", RunOutcome::as_str),
        "text": result.text(),
        "returns": result.result().map(|result| plain(&to_json(result))),
        "error": result.error(),
        "usage": result.usage.iter().map(|usage| plain(&to_json(usage))).collect::<Vec<_>>(),
        "pending": result.pending_tool_call_ids(),
        "interrupts": result.interrupts().iter().map(|interrupt| &interrupt.id).collect::<Vec<_>>(),
        "warnings": result.input_warnings.iter().chain(result.warnings.iter().map(|warning| &warning.issue)).map(|issue| issue.code.as_str()).collect::<Vec<_>>(),
        "places": result.warnings.iter().map(|warning| json!([warning.event_index, warning.issue.code.as_str()])).collect::<Vec<_>>(),
        "messages": result.new_messages.len(),
        "newMessages": result.new_messages.iter().map(message).collect::<Vec<_>>(),
    })
}

/// Returns the members of `found` that `wanted` has, too.
fn part(found: &Value, wanted: &Value) -> Value {
    let names = wanted.as_object().unwrap().keys().filter(|name| *name != "runs");
    names.map(|name| (name.clone(), found[name].clone())).collect::<serde_json::Map<_, _>>().into()
}

fn check(case: &Value, result: &RunResult, asked: &[Value], way: &str) {
    let judge = |wanted: &Value, found: &RunResult| {
        let mut wanted = wanted.clone();
        let found = part(&shown(found, asked), &wanted);
        wanted.as_object_mut().unwrap().remove("runs");
        assert_eq!(found, wanted, "{}, {way}", case["name"]);
    };
    let Some(expected) = case.get("result") else { return };
    judge(expected, result);
    let Some(runs) = expected["runs"].as_array() else { return };
    assert_eq!(result.runs().len(), runs.len(), "{}, {way}", case["name"]);
    runs.iter().zip(result.runs()).for_each(|(wanted, found)| judge(wanted, found));
}

fn seen_of(request: &Value) -> Value {
    let pairs = |member: &str, names: [&str; 2]| -> Vec<Value> {
        list(&request[member]).iter().map(|item| json!([item[names[0]], item[names[1]]])).collect()
    };
    json!({
        "runId": request["runId"],
        "tools": pairs("tools", ["name", "description"]),
        "messages": pairs("messages", ["role", "content"]),
        "parentRunId": request["parentRunId"],
        "resume": list(&request["resume"]).iter().map(|entry| &entry["interruptId"]).collect::<Vec<_>>(),
    })
}

/// Calls an agent as the case says, and compares the result.
async fn call<T: Transport>(agent: Agent<T>, case: &Value, way: &str, log: &Log) {
    let mut agent = prepared(agent, case, log);
    for run in list(&case["before"]) {
        agent.run_to_end(options_of(run)).await.unwrap();
    }
    if case["copied"] == true {
        agent = agent.clone();
    }
    let messages = [agent.messages().unwrap(), read(&case["said"])].concat();
    agent = agent.with_messages(&messages);
    if way == "middleware" {
        agent = agent.with_middleware(|input: RunAgentInput, next: Next| next.run(input));
    }
    let mut options = options_of(&case["run"]);
    if way == "subscriber" {
        options = options.with_subscriber(Arc::new(Listens {
            stops: case["stops"].clone(),
            takes: case["takes"] == true,
        }));
    }
    let ended = if way == "events" {
        let mut run = agent.run(options);
        let mut failure = None;
        while let Some(event) = run.next().await {
            let is_left = event.as_ref().is_ok_and(|event| event.tag() == case["leave"]);
            failure = event.err();
            if is_left {
                break;
            }
        }
        failure.map_or_else(|| Ok(run.into_result()), Err)
    } else {
        agent.run_to_end(options).await
    };
    let (code, result) = match ended {
        Ok(result) => (Value::Null, result),
        Err(failure) => (failure.code().as_str().into(), failure.run().clone()),
    };
    assert_eq!(code, case["raises"], "{}, {way}", case["name"]);
    let requests = log.requests.lock().unwrap();
    let own = &case["run"]["runId"];
    let asked = requests.iter().map(|request| &request["runId"]);
    let asked: Vec<_> = asked.map(|id| if id == own { Value::Null } else { id.clone() }).collect();
    check(case, &result, &asked, way);
    if let Some(wanted) = case["requests"].as_array() {
        let seen: Vec<_> =
            requests.iter().zip(wanted).map(|(request, wanted)| part(&seen_of(request), wanted)).collect();
        assert_eq!((requests.len(), &seen), (wanted.len(), wanted), "{}, {way}", case["name"]);
    }
    if let Some(called) = case.get("called") {
        assert_eq!(json!(*log.called.lock().unwrap()), *called, "{}, {way}", case["name"]);
    }
    if let Some(wanted) = case.get("told") {
        let messages = agent.messages().unwrap();
        let told = messages.iter().filter_map(|message| {
            let Message::Tool(answer) = message else { return None };
            let content = plain(&to_json(message))["content"].clone();
            assert!(answer.error.as_ref().is_none_or(|error| content == *error));
            Some(json!([answer.tool_call_id, content, answer.error.is_some()]))
        });
        assert_eq!(json!(told.collect::<Vec<_>>()), *wanted, "{}, {way}", case["name"]);
    }
}

#[tokio::test(flavor = "current_thread")]
async fn a_call_comes_to_the_same() {
    for case in table("remote") {
        for way in ["run_to_end", "events", "subscriber", "middleware", "socket"] {
            if case["ways"].as_array().is_some_and(|ways| !ways.contains(&way.into())) {
                continue;
            }
            let log = Log::default();
            if way != "socket" {
                call(Agent::over(scripted(&case, &log)), &case, way, &log).await;
                continue;
            }
            #[cfg(feature = "websocket")]
            if is_for_sockets(&case) {
                let (agent, serving) = socket(&case, &log).await;
                call(agent, &case, way, &log).await;
                serving.abort();
            }
        }
    }
}

/// Returns the options with which the agent of a case is served.
fn served_by(server: &Value) -> RunOptions {
    let options = RunOptions::default().with_show_errors(server["showErrors"] == true);
    match server["pendingInterrupts"].clone() {
        Value::Null => options,
        known => options.with_pending_interrupts(move |_| {
            let known = known.as_array().map(|_| read::<Interrupt>(&known));
            std::future::ready(known.ok_or("unknown"))
        }),
    }
}

fn judge(case: &Value, ended: Result<RunResult, ClientError>, way: &str) {
    match ended {
        Ok(result) => {
            assert_eq!(case.get("raises"), None, "{}, {way}", case["name"]);
            check(case, &result, &[], way);
        }
        Err(failure) => {
            let Some(Payload::Json(payload)) = failure.payload() else { panic!("{failure:?}") };
            let rule = plain(&to_json(payload))["rule"].clone();
            let found = json!([failure.code().as_str(), failure.status(), rule]);
            assert_eq!(found, case["raises"], "{}, {way}", case["name"]);
        }
    }
}

#[tokio::test(flavor = "current_thread")]
async fn a_local_agent_is_as_a_remote_one() {
    for case in table("local") {
        let does = case["agent"].clone();
        let agent = move |run: Run| {
            let does = does.clone();
            async move {
                if let Some(reason) = does["raises"].as_str() {
                    return Err(reason.to_owned());
                }
                let message = run.text_message().map_err(|error: Error| error.to_string())?;
                message.write(&text(&does["says"])).map_err(|error| error.to_string())?;
                Ok(None)
            }
        };
        let options = served_by(&case["server"]);
        let mut local = LocalAgent::with_server(agent.clone(), options.clone());
        judge(&case, local.run_to_end(options_of(&case["run"])).await, "local");
        if case["server"].is_null() {
            let mut local = LocalAgent::new(agent.clone());
            judge(&case, local.run_to_end(options_of(&case["run"])).await, "local, by default");
        }
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = Router::new().route("/", agent_with(agent, options));
        let serving = tokio::spawn(async { axum::serve(listener, app).await });
        let mut remote = HttpAgent::new(format!("http://{address}/"));
        judge(&case, remote.run_to_end(options_of(&case["run"])).await, "remote");
        serving.abort();
    }
}
