//! The table of requests that every server answers alike (`tests/fixtures/server/server_cases.json`), over real sockets.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ag_ui_native::server::axum::{RunOptions, agent_with, begin, flush, stream};
use ag_ui_native::server::{Cors, Ending, Refusal, Run};
use ag_ui_native::stream::{EventDecoder, EventVerifier};
use ag_ui_native::types::Interrupt;
use ag_ui_native::{Event, Limits, Profile, Value, from_json, to_json};
use axum::Router;
use serde_json::Value as Json;

use crate::until::until;

const PIECE: usize = 65_536;

/// An error of an agent's own.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The fate of an agent.
#[derive(Default)]
struct Fate {
    written: AtomicUsize,
    cancelled: AtomicBool,
}

/// Cleans up when the agent is dropped: in Rust a cancelled agent does not return.
struct Cleanup(Run, Arc<Fate>);

impl Drop for Cleanup {
    fn drop(&mut self) {
        let _ = self.0.text_message().and_then(|message| message.write("I go."));
        self.1.cancelled.store(true, SeqCst);
    }
}

/// The agents that the table names.
async fn act(name: String, run: Run, fate: Arc<Fate>) -> Result<Option<Value>, Failure> {
    let message = run.text_message()?;
    let piece = "x".repeat(PIECE);
    match name.as_str() {
        "flood" => {
            for _ in 0..1000 {
                message.write(&piece)?;
                flush().await;
                fate.written.fetch_add(PIECE, SeqCst);
            }
        }
        "hurry" => loop {
            for _ in 0..1000 {
                message.write(&piece)?;
            }
            flush().await;
        },
        "shrug" => {
            for _ in 0..1000 {
                for _ in 0..1000 {
                    let _ = message.write(&piece);
                }
                flush().await;
                if !run.is_running() {
                    break;
                }
            }
        }
        "endless" => {
            let _cleanup = Cleanup(run.clone(), fate);
            loop {
                message.write(&piece)?;
                flush().await;
            }
        }
        _ => {
            message.write("Hello")?;
            flush().await;
            drop(message);
        }
    }
    match name.as_str() {
        "fail" => return Err("no such thing".into()),
        "cancel" => run.end(Ending::Cancelled)?,
        "ask" => run.interrupt(vec![Interrupt::new("i", "confirmation")])?,
        "pause" => tokio::time::sleep(Duration::from_millis(500)).await,
        "wait" => {
            let _cleanup = Cleanup(run.clone(), fate);
            std::future::pending::<()>().await;
        }
        _ => {}
    }
    Ok(Some("done".into()))
}

fn seconds(json: &Json) -> Option<Duration> {
    json.as_f64().map(Duration::from_secs_f64)
}

/// The options of a case as Rust has them.
fn options(given: &Json) -> RunOptions {
    let mut options = RunOptions::default();
    options.time_limit = seconds(&given["time_limit"]);
    options.body_timeout = seconds(&given["body_timeout"]).unwrap_or(options.body_timeout);
    options.heartbeat = seconds(&given["heartbeat"]).unwrap_or(options.heartbeat);
    let number = |json: &Json| json.as_u64().map(|number| usize::try_from(number).unwrap());
    options.max_waiting = number(&given["max_waiting"]).unwrap_or(options.max_waiting);
    for (name, value) in given["limits"].as_object().into_iter().flatten() {
        *options.limits.get_mut(name).unwrap() = number(value).unwrap();
    }
    options.show_errors = given["show_errors"] == true;
    options.accept_wildcards = given["accept_wildcards"] == true;
    options.cors = match &given["cors"] {
        Json::String(_) => Some(Cors::Any),
        Json::Array(origins) => {
            Some(Cors::Origins(origins.iter().map(|origin| text(origin).to_owned()).collect()))
        }
        _ => None,
    };
    options
}

fn text(json: &Json) -> &str {
    json.as_str().unwrap()
}

/// The server of a case.
fn app(case: &Json, fate: &Arc<Fate>) -> Router {
    let options = options(&case["options"]);
    let (name, fate) = (text(&case["agent"]).to_owned(), Arc::clone(fate));
    let agent = move |run| act(name.clone(), run, Arc::clone(&fate));
    let Some(pending) = case["options"]["pending_interrupts"].as_array() else {
        return Router::new().route("/", agent_with(agent, options));
    };
    let pending: Vec<Interrupt> =
        pending.iter().map(|each| from_json(each.to_string(), Profile::Strict).unwrap().0).collect();
    let handler = async move |request: axum::extract::Request| {
        let run = begin(request, &options).await?;
        run.input().check_resume(&pending, 0)?;
        Ok::<_, Refusal>(stream(run, agent, &options))
    };
    Router::new().route("/", axum::routing::any(async |request| handler(request).await))
}

/// A connection on which the request of a case has been sent.
fn send(address: SocketAddr, case: &Json, is_whole: bool) -> std::net::TcpStream {
    let request = &case["request"];
    let body = text(&request["body"]);
    let is_chunked = request["chunked"] == true;
    let mut head = format!("{} / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n", text(&request["method"]));
    for (name, value) in request["headers"].as_object().unwrap() {
        head.extend([name, ": ", text(value), "\r\n"]);
    }
    let (framing, body) = if is_chunked {
        ("transfer-encoding: chunked".to_owned(), format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len()))
    } else {
        (format!("content-length: {}", body.len() + usize::from(!is_whole)), body.to_owned())
    };
    let mut socket = std::net::TcpStream::connect(address).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    socket.write_all(format!("{head}{framing}\r\n\r\n{body}").as_bytes()).unwrap();
    socket
}

fn position(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

/// Returns the head of an answer, and its body without the chunked encoding.
fn parsed(answer: &[u8]) -> (String, Vec<u8>) {
    let end = position(answer, b"\r\n\r\n").unwrap();
    let head = String::from_utf8(answer[..end].to_vec()).unwrap().to_ascii_lowercase();
    let mut rest = &answer[end + 4..];
    if !head.contains("transfer-encoding: chunked") {
        return (head, rest.to_vec());
    }
    let mut body = Vec::new();
    while let Some(line) = position(rest, b"\r\n") {
        let length = usize::from_str_radix(std::str::from_utf8(&rest[..line]).unwrap(), 16).unwrap();
        body.extend_from_slice(&rest[line + 2..line + 2 + length]);
        rest = &rest[line + 4 + length..];
    }
    (head, body)
}

/// Reads until the first text arrives, then closes the connection in the way that the case names.
fn go(mut socket: std::net::TcpStream, how: &str, fate: &Fate) {
    let mut seen = Vec::new();
    while position(&seen, b"Hello").or(position(&seen, b"xxx")).is_none() {
        let mut piece = [0; 1000];
        let length = socket.read(&mut piece).unwrap();
        assert!(length > 0);
        seen.extend_from_slice(&piece[..length]);
    }
    match how {
        "close" => drop(socket),
        // Unread data makes the close a reset.
        "reset" => {
            until("nothing comes", || socket.peek(&mut [0; 1]).unwrap() > 0);
            drop(socket);
        }
        _ => {
            socket.shutdown(Shutdown::Write).unwrap();
            until("the agent goes on", || fate.cancelled.load(SeqCst));
        }
    }
    until("the agent goes on", || fate.cancelled.load(SeqCst));
}

fn check(case: &Json, address: SocketAddr, fate: &Fate) {
    let (client, expected) = (text(&case["client"]), &case["expect"]);
    let mut socket = send(address, case, client != "stall");
    if matches!(client, "close" | "reset" | "vanish") {
        return go(socket, client, fate);
    }
    if client == "slow" {
        let mut before = usize::MAX;
        while before != fate.written.load(SeqCst) || (before == 0 && case["agent"] == "flood") {
            before = fate.written.load(SeqCst);
            // The agent writes nothing more in this time.
            std::thread::sleep(Duration::from_millis(300));
        }
        let most = expected["bytes_waiting"].as_u64().unwrap_or(1);
        assert!((before as u64) < most, "{before} bytes wait for a client that reads nothing");
    }
    let mut answer = Vec::new();
    socket.read_to_end(&mut answer).unwrap();
    let (head, body) = parsed(&answer);
    assert!(head.starts_with(&format!("http/1.1 {}", expected["status"])), "{head}");
    let header = |name: &str| head.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
    for (name, value) in expected["headers"].as_object().unwrap() {
        assert_eq!(header(name), value.as_str().map(str::to_ascii_lowercase).as_deref(), "{name}");
    }
    if let Some(members) = expected["body"].as_object() {
        let body: Json = serde_json::from_slice(&body).unwrap();
        for (name, value) in members {
            assert_eq!(&body[name], value, "{name}");
        }
        assert_ne!(text(&body["message"]), "");
    }
    if !expected["end"].is_null() {
        let decoder = EventDecoder::for_content_type(header("content-type").unwrap()).unwrap();
        let mut decoder = decoder.with_profile(Profile::Strict);
        let events: Vec<Event> = decoder.feed(&body).chain(decoder.close()).map(Result::unwrap).collect();
        let mut verifier = EventVerifier::new(Limits::default());
        let judged: Result<(), _> = events.iter().try_for_each(|event| verifier.check(event));
        judged.and_then(|()| verifier.finish()).unwrap();
        assert_eq!(to_json(events.last().unwrap()), expected["end"].to_string());
        let comments = position(&body, b"\n\n: \n\n").is_some();
        assert_eq!(comments, expected["heartbeats"] == true, "heartbeats");
    }
    if expected["agent"] == "cancelled" {
        until("the agent goes on", || fate.cancelled.load(SeqCst));
    }
}

#[tokio::test(flavor = "current_thread")]
async fn every_server_answers_alike() {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/server/server_cases.json");
    let cases: Vec<Json> = serde_json::from_str(&std::fs::read_to_string(fixture).unwrap()).unwrap();
    assert!(cases.len() > 30);
    let failed = Arc::new(Mutex::new(Vec::new()));
    for case in cases {
        let fate = Arc::<Fate>::default();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = app(&case, &fate);
        let serving = tokio::spawn(async { axum::serve(listener, app).await });
        let name = case["name"].clone();
        let failed = Arc::clone(&failed);
        if tokio::task::spawn_blocking(move || check(&case, address, &fate)).await.is_err() {
            failed.lock().unwrap().push(name);
        }
        serving.abort();
    }
    assert!(failed.lock().unwrap().is_empty(), "{failed:?}");
}
