//! One table for all servers of WebSockets (`tests/fixtures/server/websocket_cases.json`), over real connections; and the end of the server.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

use ag_ui_native::bindings::server::{Close, Handshake};
use ag_ui_native::protobuf::from_frame;
use ag_ui_native::server::axum::{RunOptions, Shutdown, agent_with, flush};
use ag_ui_native::server::{Cors, Ending, Refusal, Run, WireFormat};
use ag_ui_native::stream::EventVerifier;
use ag_ui_native::types::Interrupt;
use ag_ui_native::{Code, Error, Event, Profile, Value, from_json, to_json};
use axum::Router;
use axum::body::Body;
use axum::handler::Handler;
use axum::http::{Request, Version};
use futures_util::{SinkExt, StreamExt};
use serde_json::Value as Json;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{Error as SocketError, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::until::until_async;

type Socket = WebSocketStream<TcpStream>;

const INPUT: &str = r#"{"threadId":"t","runId":"r","messages":[{"id":"u","role":"user","content":"Hi"}]}"#;
const PATIENCE: Duration = Duration::from_secs(30);

struct Fate(Arc<AtomicBool>);

impl Drop for Fate {
    fn drop(&mut self) {
        self.0.store(true, SeqCst);
    }
}

/// The agents that the table names.
async fn act(name: String, run: Run, fate: Fate) -> Result<Option<Value>, Error> {
    let message = run.text_message()?;
    message.write("Hello")?;
    flush().await;
    drop(message);
    match name.as_str() {
        "fail" => return Err(Error::new(Code::Internal, "no such thing")),
        "ask" => run.interrupt(vec![Interrupt::new("i", "confirmation")])?,
        "wait" => pending().await,
        _ => {}
    }
    std::mem::forget(fate);
    Ok(Some("done".into()))
}

fn seconds(json: &Json) -> Option<Duration> {
    json.as_f64().map(Duration::from_secs_f64)
}

fn options(given: &Json) -> RunOptions {
    let mut options = RunOptions::default();
    options.time_limit = seconds(&given["time_limit"]);
    options.body_timeout = seconds(&given["body_timeout"]).unwrap_or(options.body_timeout);
    options.accept_wildcards = given["accept_wildcards"] == true;
    for (name, value) in given["limits"].as_object().into_iter().flatten() {
        *options.limits.get_mut(name).unwrap() = usize::try_from(value.as_u64().unwrap()).unwrap();
    }
    options.cors = match &given["cors"] {
        Json::String(_) => Some(Cors::Any),
        Json::Array(origins) => Some(Cors::Origins(origins.iter().map(|one| text(one).to_owned()).collect())),
        _ => None,
    };
    let Some(pending) = given["pending_interrupts"].as_array() else { return options };
    let read = |each: &Json| from_json::<Interrupt>(each.to_string(), Profile::Strict).unwrap().0;
    let pending: Vec<Interrupt> = pending.iter().map(read).collect();
    options.with_pending_interrupts(move |_| std::future::ready(Ok::<_, Error>(pending.clone())))
}

fn text(json: &Json) -> &str {
    json.as_str().unwrap()
}

fn hex(json: &Json) -> Vec<u8> {
    let digits = text(json);
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
}

/// Serves an agent, and returns its address.
async fn serve(name: &str, options: RunOptions) -> (String, Arc<AtomicBool>) {
    let fate = Arc::<AtomicBool>::default();
    let (name, seen) = (name.to_owned(), Arc::clone(&fate));
    let agent = move |run| act(name.clone(), run, Fate(Arc::clone(&seen)));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let app = Router::new().route("/", agent_with(agent, options));
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    (address, fate)
}

/// Opens a WebSocket as a case requests it, and returns the subprotocol.
async fn open(address: &str, case: &Json) -> Result<(Socket, Option<String>), SocketError> {
    let mut request = format!("ws://{address}/").into_client_request().unwrap();
    for (name, value) in case["headers"].as_object().into_iter().flatten() {
        let name: &'static str = if name == "origin" { "origin" } else { "accept" };
        request.headers_mut().insert(name, text(value).replace("<host>", address).parse().unwrap());
    }
    if let Some(protocols) = case["protocols"].as_array() {
        let offered = protocols.iter().map(text).collect::<Vec<_>>().join(", ");
        request.headers_mut().insert("sec-websocket-protocol", offered.parse().unwrap());
    }
    let (socket, answer) = client_async(request, TcpStream::connect(address).await.unwrap()).await?;
    assert!(!answer.headers().contains_key("sec-websocket-extensions"));
    let protocol = answer.headers().get("sec-websocket-protocol");
    Ok((socket, protocol.map(|name| name.to_str().unwrap().to_owned())))
}

async fn say(socket: &mut Socket, what: &Json) {
    if what["raw"].is_string() {
        socket.get_mut().write_all(&hex(&what["raw"])).await.unwrap();
    } else if what["text"].is_string() {
        socket.send(Message::text(text(&what["text"]))).await.unwrap();
    } else {
        socket.send(Message::binary(hex(&what["binary"]))).await.unwrap();
    }
}

/// The next message with an event, or the frame that closes the connection.
async fn next(socket: &mut Socket) -> Result<Message, CloseFrame> {
    loop {
        match timeout(PATIENCE, socket.next()).await.unwrap() {
            Some(Ok(Message::Close(frame))) => return Err(frame.unwrap()),
            Some(Ok(message @ (Message::Text(_) | Message::Binary(_)))) => return Ok(message),
            Some(Ok(_)) => {}
            other => panic!("{other:?}"),
        }
    }
}

/// All messages, and how the connection was closed.
async fn read(socket: &mut Socket) -> (Vec<Message>, CloseFrame) {
    let mut messages = Vec::new();
    loop {
        match next(socket).await {
            Ok(message) => messages.push(message),
            Err(frame) => return (messages, frame),
        }
    }
}

fn event_of(message: &Message) -> Event {
    match message {
        Message::Text(text) => from_json(text.as_bytes(), Profile::Strict).unwrap().0,
        message => {
            let bytes = message.clone().into_data();
            let length = u32::try_from(bytes.len()).unwrap().to_be_bytes();
            from_frame(&[&length, &bytes[..]].concat(), Profile::Strict).unwrap().0
        }
    }
}

fn json(event: &Event) -> Json {
    serde_json::from_str(&to_json(event)).unwrap()
}

async fn carry_out(case: &Json) {
    let expect = &case["expect"];
    let (address, fate) = serve(text(&case["agent"]), options(&case["options"])).await;
    let opened = open(&address, case).await;
    if let Some(status) = expect["status"].as_u64() {
        let Err(SocketError::Http(answer)) = opened else { panic!("it is open") };
        let body: Json = serde_json::from_slice(answer.body().as_ref().unwrap()).unwrap();
        assert_eq!((u64::from(answer.status().as_u16()), &body["code"]), (status, &expect["code"]));
        return;
    }
    let (mut socket, protocol) = opened.unwrap();
    assert_eq!(protocol.as_deref(), expect["protocol"].as_str());
    for message in case["send"].as_array().unwrap() {
        say(&mut socket, message).await;
    }
    match case["client"].as_str() {
        Some("close at once") => socket.close(None).await.unwrap(),
        Some(how) => {
            next(&mut socket).await.unwrap();
            if how == "close" {
                socket.close(None).await.unwrap();
            } else {
                drop(socket);
            }
        }
        None => {
            let (messages, frame) = read(&mut socket).await;
            check(&messages, &frame, expect);
        }
    }
    if expect["agent"] == "cancelled" {
        until_async("the agent is cancelled", || fate.load(SeqCst)).await;
    }
}

fn check(messages: &[Message], frame: &CloseFrame, expect: &Json) {
    assert_eq!(u64::from(u16::from(frame.code)), expect["close"][0]);
    if let Some(reason) = expect["close"][1].as_str() {
        assert_eq!(frame.reason.as_str(), reason);
    }
    assert!(messages.iter().all(|message| message.is_text() == (expect["kind"] == "text")));
    assert_eq!(messages.is_empty(), expect["kind"].is_null());
    let events: Vec<Event> = messages.iter().map(event_of).collect();
    let mut verifier = EventVerifier::default();
    for event in &events {
        verifier.check(event).unwrap();
    }
    if !expect["end"].is_null() {
        verifier.finish().unwrap();
        assert_eq!(json(events.last().unwrap()), expect["end"]);
    }
}

#[tokio::test]
async fn the_table() {
    let cases: Vec<Json> =
        serde_json::from_str(include_str!("../../../tests/fixtures/server/websocket_cases.json")).unwrap();
    for case in &cases {
        eprintln!("{}", case["name"]);
        carry_out(case).await;
    }
}

#[tokio::test]
async fn a_server_that_shuts_down_waits_for_its_runs_and_goes_away() {
    let shutdown = Shutdown::new();
    let options = RunOptions::default().with_shutdown(shutdown.clone());
    let agent = agent_with(|run| act("wait".into(), run, Fate(Arc::default())), options);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let server = axum::serve(listener, Router::new().route("/", agent))
        .with_graceful_shutdown(async move { drop(stopped.await) });
    let waits = shutdown.clone();
    let done = tokio::spawn(async move { waits.wait_for(server, PATIENCE).await });
    let (mut socket, _) = open(&address, &Json::Null).await.unwrap();
    socket.send(Message::text(INPUT)).await.unwrap();
    while !next(&mut socket).await.unwrap().to_text().unwrap().contains("Hello") {}
    shutdown.begin();
    stop.send(()).unwrap();
    let (messages, frame) = read(&mut socket).await;
    assert_eq!(u16::from(frame.code), Close::GOING_AWAY);
    assert_eq!(json(&event_of(messages.last().unwrap()))["outcome"]["type"], "cancelled");
    // The server waits for the answer to that frame.
    while let Some(Ok(_)) = socket.next().await {}
    timeout(PATIENCE, done).await.unwrap().unwrap().unwrap();
}

#[tokio::test]
async fn a_server_that_shuts_down_leaves_at_once_who_has_not_asked() {
    let shutdown = Shutdown::new();
    let (address, _) = serve("wait", RunOptions::default().with_shutdown(shutdown.clone())).await;
    let (mut open_before, _) = open(&address, &Json::Null).await.unwrap();
    shutdown.begin();
    let (mut open_behind, _) = open(&address, &Json::Null).await.unwrap();
    for socket in [&mut open_before, &mut open_behind] {
        let (messages, frame) = read(socket).await;
        assert_eq!((messages.len(), u16::from(frame.code)), (0, Close::GOING_AWAY));
    }
}

/// A request over HTTP/2 (RFC 8441) has no header `Host`. The test needs no connection of HTTP/2 to see which requests
/// are refused.
#[tokio::test]
async fn over_http_2_the_authority_says_whose_server_it_is() {
    let status = async |origin: &str| {
        let agent = |_: Run| async { Ok::<_, Error>(None) };
        let request =
            Request::connect("https://a.example/").version(Version::HTTP_2).header("origin", origin);
        let route = agent_with::<_, _, _, ()>(agent, RunOptions::default());
        route.call(request.body(Body::empty()).unwrap(), ()).await.status().as_u16()
    };
    assert_eq!(status("https://b.example").await, 403);
    assert_ne!(status("https://a.example").await, 403);
}

#[tokio::test]
async fn in_silence_it_pings() {
    let options = RunOptions::default().with_heartbeat(Duration::from_millis(5));
    let (address, _) = serve("wait", options).await;
    let (mut socket, _) = open(&address, &Json::Null).await.unwrap();
    socket.send(Message::text(INPUT)).await.unwrap();
    let pinged = async { while !matches!(socket.next().await, Some(Ok(Message::Ping(_)))) {} };
    timeout(PATIENCE, pinged).await.unwrap();
}

/// Serves an agent, asks it for a run, and reads nothing.
async fn unread<F>(agent: impl Fn(Run) -> F + Clone + Send + Sync + 'static, options: RunOptions) -> Socket
where
    F: Future<Output = Result<Option<Value>, Error>> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let app = Router::new().route("/", agent_with(agent, options));
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    let (mut socket, _) = open(&address, &Json::Null).await.unwrap();
    socket.send(Message::text(INPUT)).await.unwrap();
    socket
}

/// Returns when the server has closed the connection: writing to it fails then.
async fn until_left(socket: &mut Socket) {
    let left = async {
        while socket.get_mut().write_all(&[0x8a, 0x80, 0, 0, 0, 0]).await.is_ok() {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(PATIENCE, left).await.unwrap();
}

#[tokio::test]
async fn a_client_that_reads_nothing_holds_no_agent_that_is_stopped() {
    for is_shutdown in [false, true] {
        let shutdown = Shutdown::new();
        let mut options = RunOptions::default()
            .with_shutdown(shutdown.clone())
            .with_grace(Duration::from_millis(50))
            .with_max_waiting(usize::MAX);
        if !is_shutdown {
            options = options.with_time_limit(Duration::from_millis(200));
        }
        let (begun, over) = (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
        let (begins, ends) = (Arc::clone(&begun), Arc::clone(&over));
        let flood = move |run: Run| {
            let (begins, fate) = (Arc::clone(&begins), Fate(Arc::clone(&ends)));
            async move {
                let _fate = fate;
                let message = run.text_message()?;
                loop {
                    message.write(&"x".repeat(65_536))?;
                    flush().await;
                    begins.store(true, SeqCst);
                }
                #[allow(unreachable_code)] // It says what this returns.
                Ok(None)
            }
        };
        let mut socket = unread(flood, options).await;
        until_async("the agent begins", || begun.load(SeqCst)).await;
        if is_shutdown {
            shutdown.begin();
        }
        until_async("the agent is over", || over.load(SeqCst)).await;
        until_left(&mut socket).await;
    }
}

#[tokio::test]
async fn a_client_that_reads_nothing_holds_no_agent_behind_the_end_of_its_run() {
    let shutdown = Shutdown::new();
    let options = RunOptions::default()
        .with_shutdown(shutdown.clone())
        .with_grace(Duration::from_millis(50))
        .with_max_waiting(usize::MAX);
    let done = Arc::<AtomicBool>::default();
    let says = Arc::clone(&done);
    let agent = move |run: Run| {
        let says = Arc::clone(&says);
        async move {
            run.write(&"x".repeat(32_000_000))?;
            run.end(Ending::Success(None))?;
            flush().await;
            flush().await;
            says.store(true, SeqCst);
            Ok(None)
        }
    };
    let mut socket = unread(agent, options).await;
    until_async("the agent is done", || done.load(SeqCst)).await;
    shutdown.begin();
    until_left(&mut socket).await;
}

#[test]
fn an_unknown_subprotocol_is_none() {
    let handshake = Handshake { protocols: Some("token, other"), ..Handshake::default() };
    let agreed = handshake.agree(None, false).unwrap();
    assert_eq!((agreed.wire_format, agreed.protocol), (WireFormat::Text, None));
}

#[test]
fn a_page_of_the_servers_own_is_known_behind_what_ends_tls() {
    let may = |origin, host| {
        Handshake { origin: Some(origin), host, ..Handshake::default() }.agree(None, false).is_ok()
    };
    assert!(may("https://a.example", Some("a.example")));
    assert!(may("https://a.example", Some("A.example:443")));
    assert!(!may("http://a.example", Some("a.example:443")));
    assert!(!may("https://a.example", Some("b.example")));
    assert!(!may("https://a.example", None));
    assert!(!may("https://a.example.b.example", Some("a.example")));
    assert!(!may("null", Some("null")));
}

#[test]
fn where_origins_are_named_host_says_nothing() {
    let cors = Cors::Origins(vec!["https://a.example".into()]);
    let may = |origin, host| {
        let handshake = Handshake { origin: Some(origin), host: Some(host), ..Handshake::default() };
        handshake.agree(Some(&cors), false).is_ok()
    };
    assert!(may("https://a.example", "a.example") && may("https://a.example", "b.example"));
    // A name that stands for this server now.
    assert!(!may("https://b.example", "b.example"));
}

#[test]
fn reasons_are_short_enough_for_a_frame() {
    let mut error = Error::new(Code::InvalidValue, "");
    error.issues[0].path = format!("/x{}", "é".repeat(100));
    let close = Close::from(&Refusal(error));
    assert_eq!((close.code, close.reason.len()), (1007, 122));
    assert!(close.reason.starts_with("invalid_value /xéé") && close.reason.ends_with('é'));
}
