//! Runs whose connection is lost: the client reads on, over a proxy that cuts connections.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use ag_ui_native::client::{HttpAgent, ReconnectOptions, RunParameters};
use ag_ui_native::durable::{LogOptions, MemoryLog};
use ag_ui_native::server::Run;
use ag_ui_native::server::axum::{RunLog, RunOptions, agent_with};
use ag_ui_native::types::UserMessage;
use ag_ui_native::{Error, Value};
use axum::Router;
use tokio::sync::Semaphore;

use crate::until::until;

pub const WORDS: usize = 6;

/// A server with a log, whose agent writes a word for each permit.
pub struct Server {
    pub address: SocketAddr,
    pub permits: Arc<Semaphore>,
    pub begun: Arc<AtomicUsize>,
    pub dropped: Arc<AtomicUsize>,
    _end: tokio::sync::oneshot::Sender<()>,
}

struct Dropped(Arc<AtomicUsize>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, SeqCst);
    }
}

impl Server {
    pub fn start() -> Self {
        let (permits, begun, dropped) = (Arc::new(Semaphore::new(0)), Arc::default(), Arc::default());
        let parts = (Arc::clone(&permits), Arc::clone(&begun), Arc::clone(&dropped));
        let agent = move |run: Run| {
            let (permits, begun, dropped): (Arc<Semaphore>, Arc<AtomicUsize>, Arc<AtomicUsize>) =
                parts.clone();
            async move {
                begun.fetch_add(1, SeqCst);
                let _dropped = Dropped(dropped);
                let message = run.text_message()?;
                for number in 0..WORDS {
                    permits.acquire().await.unwrap().forget();
                    message.write(&format!("{number} "))?;
                }
                Ok::<Option<Value>, Error>(None)
            }
        };
        let options = LogOptions { grace: Duration::from_secs(3600), ..LogOptions::default() };
        let log = RunLog::public(MemoryLog::default()).with_options(options);
        let options = RunOptions::default().with_log(log).with_heartbeat(Duration::from_millis(200));
        let app: Router = Router::new().route("/agent", agent_with(agent, options));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        listener.set_nonblocking(true).unwrap();
        let (end, ended) = tokio::sync::oneshot::channel::<()>();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async move {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                tokio::spawn(async move { axum::serve(listener, app).await });
                let _ = ended.await;
            });
        });
        Self { address, permits, begun, dropped, _end: end }
    }
}

/// A proxy whose next connections pass on this number of bytes of the answer each, and are then cut, or hang.
pub fn proxy(server: SocketAddr, lengths: Vec<usize>, hangs: bool) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let mut lengths = lengths.into_iter();
        let mut hanging = vec![];
        for client in listener.incoming() {
            let (Ok(mut client), Ok(mut upstream)) = (client, TcpStream::connect(server)) else { return };
            let (mut from, mut to) = (client.try_clone().unwrap(), upstream.try_clone().unwrap());
            std::thread::spawn(move || std::io::copy(&mut from, &mut to));
            let length = lengths.next();
            let mut passed = 0;
            let mut buffer = [0; 64];
            loop {
                let room = length.map_or(buffer.len(), |length| buffer.len().min(length - passed));
                if room == 0 {
                    break;
                }
                match upstream.read(&mut buffer[..room]) {
                    Ok(count @ 1..) if client.write_all(&buffer[..count]).is_ok() => passed += count,
                    _ => break,
                }
            }
            let _ = upstream.shutdown(Shutdown::Both);
            if hangs && length.is_some() {
                hanging.push(client);
            } else {
                let _ = client.shutdown(Shutdown::Both);
            }
        }
    });
    address
}

pub fn agent(address: SocketAddr) -> HttpAgent {
    let options = ReconnectOptions { first: Duration::from_millis(5), ..ReconnectOptions::default() };
    HttpAgent::new(format!("http://{address}/agent")).with_reconnect(Some(options))
}

async fn run(agent: &mut HttpAgent) -> String {
    agent.add_message(UserMessage::new("u", "Hello"));
    let reply = agent.ask("count").await.unwrap();
    reply.text()
}

#[tokio::test]
async fn a_run_that_is_cut_several_times_comes_whole() {
    // The head of an answer has some 400 bytes, an event some 150.
    for lengths in [
        vec![1],
        vec![200, 1, 0, 700],
        vec![700],
        vec![450, 600],
        vec![900, 901, 333, 555],
        vec![1200, 1, 1, 800],
    ] {
        let server = Server::start();
        server.permits.add_permits(WORDS);
        let mut agent = agent(proxy(server.address, lengths.clone(), false));
        assert_eq!(run(&mut agent).await, "0 1 2 3 4 5 ", "{lengths:?}");
        assert_eq!(server.begun.load(SeqCst), 1);
    }
}

#[tokio::test]
async fn a_silent_connection_is_given_up() {
    let server = Server::start();
    server.permits.add_permits(WORDS);
    let mut agent = agent(proxy(server.address, vec![800], true));
    assert_eq!(run(&mut agent).await, "0 1 2 3 4 5 ");
}

#[tokio::test]
async fn a_server_that_is_gone_ends_the_run() {
    let server = Server::start();
    server.permits.add_permits(2);
    let address = proxy(server.address, [vec![900], vec![0; 20]].concat(), false);
    let mut agent = agent(address);
    agent.add_message(UserMessage::new("u", "Hello"));
    let mut run = agent.run(RunParameters::default());
    let mut failure = None;
    while let Some(event) = run.next().await {
        failure = event.err();
    }
    assert_eq!(failure.unwrap().code().as_str(), "connection_lost");
}

#[tokio::test]
async fn a_run_that_is_left_is_cancelled() {
    let server = Server::start();
    server.permits.add_permits(2);
    let mut agent = agent(server.address);
    agent.add_message(UserMessage::new("u", "Hello"));
    let mut run = agent.run(RunParameters::default());
    for _ in 0..3 {
        run.next().await.unwrap().unwrap();
    }
    drop(run);
    let dropped = Arc::clone(&server.dropped);
    tokio::task::spawn_blocking(move || until("the agent is cancelled", || dropped.load(SeqCst) == 1))
        .await
        .unwrap();
}

/// A server whose first response breaks off and whose further ones have nothing. Returns the heads of the requests.
pub fn breaking(count: usize) -> (SocketAddr, std::thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let heads = std::thread::spawn(move || {
        let mut heads = vec![];
        for client in listener.incoming().take(count) {
            let (mut client, mut head) = (client.unwrap(), vec![]);
            while !head.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                client.read_exact(&mut byte).unwrap();
                head.extend(byte);
            }
            let answer = match heads.len() {
                0 => {
                    "200 OK\r\ncontent-type: text/event-stream\r\nag-ui-cursor: BwcHBwcHBwcHBwcHBwcHBw-0\r\ncontent-location: /agent?thread=t&run=r"
                }
                _ => "204 No Content",
            };
            client.write_all(format!("HTTP/1.1 {answer}\r\nconnection: close\r\n\r\n").as_bytes()).unwrap();
            client.shutdown(Shutdown::Write).unwrap();
            // The body of the request.
            let _ = std::io::copy(&mut client, &mut std::io::sink());
            heads.push(String::from_utf8(head).unwrap().to_lowercase());
        }
        heads
    });
    (address, heads)
}

#[tokio::test]
async fn the_rest_is_asked_for_with_the_same_credentials() {
    let (address, heads) = breaking(2);
    let mut agent = HttpAgent::new(format!("http://user:pw@{address}/agent")).with_header("x-mine", "1");
    agent.add_message(UserMessage::new("u", "Hello"));
    let _ = agent.ask("count").await;
    for head in heads.join().unwrap() {
        assert!(head.contains("authorization: basic dxnlcjpwdw==") && head.contains("x-mine: 1"), "{head}");
    }
}
