//! Agents over WebSockets: their requests and results, over real connections.

use std::time::Duration;

use ag_ui_native::client::{ClientError, Payload, Retry, RunParameters, Timeouts, WebSocketAgent};
use ag_ui_native::server::Run;
use ag_ui_native::server::axum::{RunOptions, agent_with};
use ag_ui_native::{Code, Error, Limits, Value};
use axum::Router;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value as Json, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::{WebSocketStream, accept_async};

type Socket = WebSocketStream<TcpStream>;

const PATIENCE: Duration = Duration::from_secs(30);

const EVENTS: [&str; 6] = [
    r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
    "{\"type\":\"TEXT_MESSAGE_START\",\n\"messageId\":\"m\"}",
    r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hel"}"#,
    r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"lo"}"#,
    r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#,
    r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
];

/// A server of one connection: `answer` answers after the input has been read.
async fn serves<F, W>(answer: F) -> (String, JoinHandle<()>)
where
    F: FnOnce(Socket) -> W + Send + 'static,
    W: Future<Output = ()> + Send,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}/", listener.local_addr().unwrap());
    let served = tokio::spawn(async move {
        let mut socket = accept_async(listener.accept().await.unwrap().0).await.unwrap();
        let input = socket.next().await.unwrap().unwrap();
        assert!(input.to_text().unwrap().starts_with("{\"threadId\":\"t\""));
        answer(socket).await;
    });
    (url, served)
}

async fn say(socket: &mut Socket, events: &[&str]) {
    for event in events {
        socket.send(Message::text(*event)).await.unwrap();
    }
}

fn agent(url: &str) -> WebSocketAgent {
    WebSocketAgent::new(url).with_thread_id("t")
}

fn run() -> RunParameters {
    RunParameters::default().with_run_id("r")
}

async fn failure(agent: WebSocketAgent) -> (ClientError, Vec<String>) {
    let mut agent = agent;
    let error = timeout(PATIENCE, agent.run_to_end(run())).await.unwrap().unwrap_err();
    let texts = agent.messages().unwrap().iter().map(ag_ui_native::to_json).collect();
    (error, texts)
}

#[tokio::test]
async fn it_is_closed_behind_the_end_of_the_run() {
    let (closed, hears) = oneshot::channel();
    let (url, served) = serves(async move |mut socket: Socket| {
        say(&mut socket, &EVENTS).await;
        // It says more than was asked for, and waits for the client.
        let _ = socket.send(Message::text(EVENTS[0])).await;
        while let Some(Ok(message)) = socket.next().await {
            if let Message::Close(_) = message {
                closed.send(()).unwrap();
                return;
            }
        }
    })
    .await;
    let mut agent = agent(&url);
    let result = timeout(PATIENCE, agent.run_to_end(run())).await.unwrap().unwrap();
    assert_eq!(result.text(), "Hello");
    timeout(PATIENCE, hears).await.unwrap().unwrap();
    served.await.unwrap();
}

#[tokio::test]
async fn what_servers_do() {
    let limited = |url: &str| agent(url).with_limits(Limits::default().with_event_bytes(100));
    let long = format!(r#"{{"type":"CUSTOM","name":"n","value":"{}"}}"#, "x".repeat(200));
    let cases: Vec<(Vec<Message>, Option<u16>, Code, bool)> = vec![
        (
            EVENTS[..3].iter().map(|event| Message::text(*event)).collect(),
            Some(1000),
            Code::StreamTruncated,
            true,
        ),
        (
            EVENTS[..3].iter().map(|event| Message::text(*event)).collect(),
            Some(1011),
            Code::StreamTruncated,
            true,
        ),
        (EVENTS[..3].iter().map(|event| Message::text(*event)).collect(), None, Code::ConnectionLost, true),
        (vec![], Some(1000), Code::StreamTruncated, false),
        (vec![], Some(1008), Code::HttpError, false),
        (
            vec![Message::text(EVENTS[0]), Message::binary(&b"oh"[..])],
            Some(1000),
            Code::WrongContentType,
            false,
        ),
        (vec![Message::text(EVENTS[0]), Message::text("oh")], Some(1000), Code::InvalidJson, false),
        (vec![Message::text(EVENTS[0]), Message::text(long)], Some(1000), Code::LimitExceeded, false),
    ];
    for (messages, close, code, has_text) in cases {
        let (url, served) = serves(async move |mut socket: Socket| {
            for message in messages {
                socket.send(message).await.unwrap();
            }
            match close {
                Some(code) => {
                    let _ = socket.close(Some(CloseFrame { code: code.into(), reason: "why".into() })).await;
                    while let Some(Ok(_)) = socket.next().await {}
                }
                None => drop(socket),
            }
        })
        .await;
        let (error, texts) = failure(limited(&url)).await;
        assert_eq!(error.code(), code);
        assert_eq!(texts.iter().any(|text| text.contains("Hel")), has_text);
        served.await.unwrap();
    }
}

#[tokio::test]
async fn silence_is_no_fault_unless_it_is_said_to_be() {
    for timeouts in [
        Timeouts::default().with_idle(Duration::from_millis(50)),
        Timeouts::default().with_idle(None).with_first_byte(Duration::from_millis(50)),
        Timeouts::default().with_idle(None).with_total(Duration::from_millis(50)),
    ] {
        let (url, served) =
            serves(async |mut socket: Socket| while let Some(Ok(_)) = socket.next().await {}).await;
        let (error, _) = failure(agent(&url).with_timeouts(timeouts)).await;
        assert_eq!(error.code(), Code::TimedOut);
        served.await.unwrap();
    }
}

/// A server that answers each request with the next of these answers.
async fn answers(answers: Vec<String>) -> (String, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}/", listener.local_addr().unwrap());
    let served = tokio::spawn(async move {
        let mut asked = Vec::new();
        for answer in answers {
            let mut stream = listener.accept().await.unwrap().0;
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                head.push(stream.read_u8().await.unwrap());
            }
            stream.write_all(answer.as_bytes()).await.unwrap();
            asked.push(String::from_utf8(head).unwrap().to_ascii_lowercase());
        }
        asked
    });
    (url, served)
}

#[tokio::test]
async fn what_opens_no_websocket() {
    let answer = |head: &str| format!("HTTP/1.1 {head}\r\ncontent-length: 0\r\n\r\n");
    let refusal = answer("401 X");
    for (given, code, count) in [
        (vec![refusal.clone()], Code::HttpError, 1),
        (vec![answer("307 X\r\nlocation: /there"), refusal.clone()], Code::HttpError, 2),
        (vec![answer("307 X\r\nlocation: ws://127.0.0.1:1/")], Code::RedirectRefused, 1),
        (vec![answer("200 X")], Code::HttpError, 1),
        (vec!["oh\r\n\r\n".to_owned()], Code::ConnectionFailed, 1),
    ] {
        let (url, served) = answers(given).await;
        let url = url.replace("ws://", "ws://user:pass@");
        let (error, _) = failure(agent(&url).with_header("x-token", "a").with_protobuf()).await;
        assert_eq!(error.code(), code);
        let asked = served.await.unwrap();
        assert_eq!(asked.len(), count);
        for head in asked {
            assert!(head.contains("\r\nx-token: a\r\n") && head.contains("\r\nauthorization: basic "));
            assert!(head.contains("\r\naccept: application/vnd.ag-ui.event+proto"));
            assert!(!head.contains("sec-websocket-extensions"));
        }
    }
    for url in ["ws://127.0.0.1:1/", "http://127.0.0.1/", "nowhere"] {
        assert_eq!(failure(agent(url)).await.0.code(), Code::ConnectionFailed);
    }
    assert_eq!(WebSocketAgent::try_new("http://a.example/").unwrap_err().path(), "/url");
    assert_eq!(WebSocketAgent::try_new("wss://a.example/").unwrap().url(), "wss://a.example/");
}

#[tokio::test]
async fn a_server_that_answers_nothing() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}/", listener.local_addr().unwrap());
    let (error, _) = failure(agent(&url).with_connect_timeout(Some(Duration::from_millis(50)))).await;
    assert_eq!(error.code(), Code::TimedOut);
}

#[tokio::test]
async fn a_server_of_ours() {
    let greet = |run: Run| async move {
        run.write("Hello")?;
        Ok::<Option<Value>, Error>(None)
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}/", listener.local_addr().unwrap());
    let app = Router::new().route("/", agent_with(greet, RunOptions::default()));
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    for protobuf in [false, true] {
        let mut agent = WebSocketAgent::new(&url);
        if protobuf {
            agent = agent.with_protobuf();
        }
        assert_eq!(agent.ask("Hi").await.unwrap().text(), "Hello");
        assert_eq!(agent.ask("Hi again").await.unwrap().text(), "Hello");
        assert_eq!(agent.messages().unwrap().len(), 4);
    }
}

#[derive(serde::Deserialize)]
struct Script {
    name: String,
    answers: Vec<Json>,
    retry: Option<u32>,
    connect: Option<f64>,
    #[serde(rename = "firstByte")]
    first_byte: Option<f64>,
    expect: serde_json::Map<String, Json>,
}

/// Answers one connection as a script says, and keeps it until it is dropped.
async fn answer(mut socket: TcpStream, script: &Json) -> Option<TcpStream> {
    if script == "nothing" {
        return Some(socket);
    }
    if let Some(status) = script["status"].as_u64() {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(socket.read_u8().await.unwrap());
        }
        let body = script["body"].as_str().unwrap();
        let mut lines = format!("HTTP/1.1 {status} x\r\ncontent-length: {}\r\n", body.len());
        for (name, value) in script["headers"].as_object().into_iter().flatten() {
            lines.extend([name.as_str(), ": ", value.as_str().unwrap(), "\r\n"]);
        }
        socket.write_all(format!("{lines}\r\n{body}").as_bytes()).await.unwrap();
        return Some(socket);
    }
    let mut opened = accept_async(socket).await.unwrap();
    opened.next().await.unwrap().unwrap();
    if script == "cut" {
        return None;
    }
    if script == "run" {
        let text = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hello"}"#;
        say(&mut opened, &[EVENTS[0], EVENTS[1], text, EVENTS[4], EVENTS[5]]).await;
    } else if let Some(close) = script["close"].as_array() {
        let code = u16::try_from(close[0].as_u64().unwrap()).unwrap();
        let frame = CloseFrame { code: code.into(), reason: close[1].as_str().unwrap().into() };
        opened.send(Message::Close(Some(frame))).await.unwrap();
    }
    Some(opened.into_inner())
}

/// Requests over a WebSocket and their results: one table for the clients of all languages.
#[tokio::test]
async fn the_table_of_requests() {
    let scripts: Vec<Script> =
        serde_json::from_str(include_str!("../../../tests/fixtures/client/websocket_requests.json")).unwrap();
    for script in scripts {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("ws://{}/", listener.local_addr().unwrap());
        let count = script.answers.len();
        let served = tokio::spawn(async move {
            let mut open = Vec::new();
            for each in &script.answers {
                open.push(answer(listener.accept().await.unwrap().0, each).await);
            }
            (listener, open)
        });
        let seconds = |given: Option<f64>| given.map(Duration::from_secs_f64);
        let mut agent = agent(&url)
            .with_timeouts(Timeouts::default().with_idle(None).with_first_byte(seconds(script.first_byte)))
            .with_connect_timeout(seconds(script.connect).or(Some(PATIENCE)));
        if let Some(attempts) = script.retry {
            let first = Duration::from_millis(1);
            agent = agent.with_retry(Retry { attempts, first, ..Retry::default() });
        }
        let found = match timeout(PATIENCE, agent.run_to_end(run())).await.unwrap() {
            Ok(result) => json!({"text": result.text()}),
            Err(error) => {
                let payload = error.payload().map(|payload| match payload {
                    Payload::Text(text) => Json::from(text.as_str()),
                    Payload::Json(_) => panic!("no text"),
                });
                let limit = error.error().limit;
                json!({"code": error.code().as_str(), "status": error.status(), "payload": payload, "limit": limit})
            }
        };
        for (member, wanted) in &script.expect {
            match member.as_str() {
                "asked" => assert_eq!(wanted.as_array().unwrap().len(), count, "{}", script.name),
                member => assert_eq!(&found[member], wanted, "{}: {member}", script.name),
            }
        }
        let (listener, _) = timeout(PATIENCE, served).await.unwrap().unwrap();
        assert!(timeout(Duration::ZERO, listener.accept()).await.is_err(), "{}", script.name);
    }
}
