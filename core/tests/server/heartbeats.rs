//! Heartbeats over sockets: one table of scripts for all servers (`tests/fixtures/server/server_heartbeats.json`). The
//! pauses are short, because they are tested themselves.

use crate::support;

use std::time::Duration;

use ag_ui_native::server::axum::{RunOptions, agent_with, flush};
use ag_ui_native::server::{Ending, Run};
use ag_ui_native::types::CustomEvent;
use ag_ui_native::{Error, Value};
use axum::Router;
use futures_util::SinkExt;
use serde::Deserialize;
use serde_json::Value as Json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::Message;

const HEARTBEAT: Duration = Duration::from_millis(40);
const PATIENCE: Duration = Duration::from_secs(30);
const INPUT: &str = r#"{"threadId":"t","runId":"r","messages":[]}"#;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Script {
    name: String,
    over: String,
    client: Option<String>,
    agent: Vec<String>,
    expect: Vec<String>,
}

/// The types of the events that a client has received; heartbeats in a row count as one.
struct Seen {
    signs: Vec<String>,
    beats: watch::Sender<usize>,
}

impl Seen {
    fn see(&mut self, sign: &str) {
        if sign == "beats" {
            self.beats.send_modify(|beats| *beats += 1);
        }
        if self.signs.last().is_none_or(|last| last != sign) {
            self.signs.push(sign.to_owned());
        }
    }

    fn see_event(&mut self, json: &[u8]) {
        let event: Json = serde_json::from_slice(json).unwrap();
        self.see(event["type"].as_str().unwrap());
    }
}

/// An agent that carries out a script; a step waits until its client has received the heartbeat before.
async fn act(
    run: Run,
    steps: Vec<String>,
    mut beats: watch::Receiver<usize>,
) -> Result<Option<Value>, Error> {
    for step in steps {
        match step.as_str() {
            "beats" => {
                let before = *beats.borrow_and_update();
                beats.wait_for(|beats| *beats > before).await.unwrap();
            }
            "write" => run.send(CustomEvent::new("c", 1))?,
            "finish" => run.end(Ending::Success(None))?,
            "go on" => sleep(3 * HEARTBEAT).await,
            "wait" => std::future::pending().await,
            "flow" => {
                let begun = Instant::now();
                while begun.elapsed() < 5 * HEARTBEAT {
                    run.send(CustomEvent::new("c", 1))?;
                    flush().await;
                    sleep(Duration::from_millis(1)).await;
                }
            }
            "return" => return Ok(None),
            _ => panic!("{step}"),
        }
        flush().await;
    }
    Ok(None)
}

/// Reads an answer to its end.
async fn ask(mut client: TcpStream, seen: &mut Seen) {
    let head =
        "POST / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\n";
    let request = format!("{head}content-length: {}\r\n\r\n{INPUT}", INPUT.len());
    client.write_all(request.as_bytes()).await.unwrap();
    let mut received = Vec::new();
    while client.read_buf(&mut received).await.unwrap() > 0 {
        while let Some(end) = received.windows(2).position(|two| two == b"\n\n") {
            let frame: Vec<u8> = received.drain(..end + 2).take(end).collect();
            // The last line: those before it belong to the chunk of HTTP.
            let line = frame.rsplit(|&byte| byte == b'\n').next().unwrap();
            match line.strip_prefix(b"data: ") {
                Some(json) => seen.see_event(json),
                None => seen.see("beats"),
            }
        }
    }
}

/// Reads frames of a WebSocket as they come. A client that is silent answers nothing.
async fn converse(address: &str, client: TcpStream, seen: &mut Seen, is_silent: bool) {
    let (mut socket, _) = client_async(format!("ws://{address}/"), client).await.unwrap();
    socket.send(Message::text(INPUT)).await.unwrap();
    let connection = socket.get_mut();
    loop {
        let mut head = [0; 2];
        if connection.read_exact(&mut head).await.is_err() {
            assert!(is_silent, "it was left");
            return;
        }
        let mut length = usize::from(head[1]);
        if length == 126 {
            length = usize::from(connection.read_u16().await.unwrap());
        }
        let mut content = vec![0; length];
        connection.read_exact(&mut content).await.unwrap();
        match head[0] & 0xf {
            1 => seen.see_event(&content),
            9 => {
                seen.see("beats");
                if !is_silent {
                    connection.write_all(&[0x8a, 0x80, 0, 0, 0, 0]).await.unwrap();
                }
            }
            8 if is_silent => {}
            8 => return assert_eq!(content, 1000_u16.to_be_bytes()),
            other => panic!("{other}"),
        }
    }
}

#[tokio::test]
async fn the_table() {
    for script in support::fixture::<Vec<Script>>("server_heartbeats") {
        let mut seen = Seen { signs: vec![], beats: watch::Sender::new(0) };
        let beats = seen.beats.clone();
        let steps = script.agent.clone();
        let options = RunOptions::default().with_heartbeat(HEARTBEAT);
        let app = agent_with(move |run| act(run, steps.clone(), beats.subscribe()), options);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        tokio::spawn(async move { axum::serve(listener, Router::new().route("/", app)).await.unwrap() });
        let client = TcpStream::connect(&address).await.unwrap();
        let asked = async {
            match script.over.as_str() {
                "http" => ask(client, &mut seen).await,
                _ => converse(&address, client, &mut seen, script.client.is_some()).await,
            }
        };
        timeout(PATIENCE, asked).await.unwrap();
        assert_eq!(seen.signs, script.expect, "{}", script.name);
    }
}
