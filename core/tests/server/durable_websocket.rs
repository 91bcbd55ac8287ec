//! Runs with a log over WebSockets of axum: they are stored, go on without the connection, and are read over HTTP.

use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

use ag_ui_native::durable::{LogOptions, MemoryLog};
use ag_ui_native::server::axum::{RunLog, RunOptions};
use futures_util::{SinkExt, StreamExt};
use serde_json::Value as Json;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::durable::{Agent, Servers, input};
use crate::until::until;

type Socket = WebSocketStream<TcpStream>;

const PATIENCE: Duration = Duration::from_secs(30);

async fn open(servers: &Servers, accept: &str, input: String) -> Socket {
    let address = servers.addresses[0];
    let mut request = format!("ws://{address}/agent").into_client_request().unwrap();
    for (name, value) in [("accept", accept), ("ag-ui-resume", "1")] {
        request.headers_mut().insert(name, value.parse().unwrap());
    }
    let stream = TcpStream::connect(address).await.unwrap();
    let (mut socket, _) = client_async(request, stream).await.unwrap();
    socket.send(Message::Text(input.into())).await.unwrap();
    socket
}

/// The next message; `None` is the close frame, which is checked.
async fn next(socket: &mut Socket, closed: (u16, &str)) -> Option<Message> {
    loop {
        match timeout(PATIENCE, socket.next()).await.unwrap().unwrap().unwrap() {
            Message::Ping(_) | Message::Pong(_) => {}
            Message::Close(frame) => {
                let frame = frame.unwrap();
                assert_eq!((u16::from(frame.code), frame.reason.as_str()), closed);
                return None;
            }
            message => return Some(message),
        }
    }
}

async fn rest(socket: &mut Socket, code: u16, reason: &str) -> Vec<Message> {
    let mut messages = Vec::new();
    while let Some(message) = next(socket, (code, reason)).await {
        messages.push(message);
    }
    messages
}

fn start(agent: &Agent) -> Servers {
    Servers::start(agent, &RunOptions::default().with_log(RunLog::public(MemoryLog::default())))
}

fn block_on(work: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work);
}

fn json(message: &Message) -> Json {
    serde_json::from_str(message.to_text().unwrap()).unwrap()
}

#[test]
fn a_websocket_gets_the_events_of_the_log() {
    let agent = Agent::new(2);
    agent.go_on(2);
    let servers = start(&agent);
    block_on(async {
        let mut first = open(&servers, "text/event-stream", input("t", "r")).await;
        let messages = rest(&mut first, 1000, "").await;
        let types: Vec<Json> = messages.iter().map(|message| json(message)["type"].clone()).collect();
        assert_eq!((&types[0], types.last().unwrap()), (&"RUN_STARTED".into(), &"RUN_FINISHED".into()));
        let mut again = open(&servers, "text/event-stream", input("t", "r")).await;
        assert_eq!(rest(&mut again, 1000, "").await, messages, "the same run, from its beginning");
        let mut binary = open(&servers, "application/vnd.ag-ui.event+proto", input("t", "r")).await;
        let binary = rest(&mut binary, 1000, "").await;
        assert!(binary.len() == messages.len() && binary.iter().all(Message::is_binary));
        assert_eq!(agent.begun.load(SeqCst), 1);
        let mut other = open(&servers, "text/event-stream", input("t", "r").replace("{}", "{\"a\":1}")).await;
        assert_eq!(rest(&mut other, 1008, "run_conflict").await, []);
        let mut foreign = input("t", "q");
        foreign = foreign.replace(
            "\"messages\"",
            "\"resume\":[{\"interruptId\":\"i\",\"status\":\"resolved\"}],\"messages\"",
        );
        let mut foreign = open(&servers, "text/event-stream", foreign).await;
        assert_eq!(rest(&mut foreign, 1008, "unknown_interrupt /resume/0/interruptId").await, []);
    });
}

#[test]
fn a_run_goes_on_without_its_websocket() {
    let agent = Agent::new(2);
    let servers = start(&agent);
    block_on(async {
        let mut socket = open(&servers, "text/event-stream", input("t", "r")).await;
        for event in ["RUN_STARTED", "TEXT_MESSAGE_START"] {
            assert_eq!(json(&next(&mut socket, (0, "")).await.unwrap())["type"], event);
        }
        drop(socket);
        let mut joined = servers.ask("GET", "?thread=t&run=r", &[], "");
        agent.go_on(2);
        joined.until("RUN_FINISHED");
        until("the agent ends", || agent.dropped.load(SeqCst) == 1);
    });
}

#[test]
fn silence_is_filled_with_pings_until_the_connection_ends() {
    let agent = Agent::new(1);
    let log = RunLog::public(MemoryLog::default());
    let options = LogOptions { max_connection: Duration::from_millis(600), ..LogOptions::default() };
    let options = RunOptions::default().with_log(log.with_options(options));
    let servers = Servers::start(&agent, &options.with_heartbeat(Duration::from_millis(50)));
    block_on(async {
        let mut socket = open(&servers, "text/event-stream", input("t", "r")).await;
        let mut pings = 0;
        let code = loop {
            match timeout(PATIENCE, socket.next()).await.unwrap().unwrap().unwrap() {
                Message::Ping(_) => pings += 1,
                Message::Close(frame) => break u16::from(frame.unwrap().code),
                _ => {}
            }
        };
        assert_eq!(code, 1001, "the client asks again, and is authorized again");
        assert!(pings >= 5, "{pings} pings: a client that answers them is not given up");
        agent.go_on(1);
        servers.ask("GET", "?thread=t&run=r", &[], "").until("RUN_FINISHED");
    });
}

#[test]
fn a_websocket_is_authorized() {
    let agent = Agent::new(0);
    let log = RunLog::new(MemoryLog::default(), |request, action, thread, run| {
        let is_start = (action.as_str(), thread, run) == ("start", Some("t"), Some("r"));
        let user = request.headers.get("ag-ui-resume").map(|_| "user".to_owned());
        async move { user.filter(|_| is_start) }
    });
    let servers = Servers::start(&agent, &RunOptions::default().with_log(log));
    block_on(async {
        let mut socket = open(&servers, "text/event-stream", input("t", "q")).await;
        assert_eq!(rest(&mut socket, 1008, "run_unknown").await, []);
        let mut socket = open(&servers, "text/event-stream", input("t", "r")).await;
        assert!(!rest(&mut socket, 1000, "").await.is_empty());
    });
}
