//! Clients of runs that others have started: they join, open the thread, cancel and detach, over sockets.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use ag_ui_native::client::{Agent, HttpAgent, Redirects, Response, RunOutcome, RunParameters, RunRequest};
use ag_ui_native::durable::MemoryLog;
use ag_ui_native::server::Run;
use ag_ui_native::server::axum::{RunLog, RunOptions, agent_with};
use ag_ui_native::types::{Message, Tool, UserMessage};
use ag_ui_native::{Error, Limits, Value};
use axum::Router;

use crate::resuming::{Server, WORDS, agent, breaking, proxy};
use crate::until::until;

const TEXT: &str = "0 1 2 3 4 5 ";

/// An agent of the thread `t`.
fn tab(address: SocketAddr) -> HttpAgent {
    agent(address).with_thread_id("t")
}

fn named(run_id: &str) -> RunParameters {
    RunParameters::default().with_run_id(run_id)
}

async fn wait_for(what: &'static str, is_done: impl Fn() -> bool + Send + Sync + 'static) {
    tokio::task::spawn_blocking(move || until(what, is_done)).await.unwrap();
}

#[tokio::test]
async fn a_run_of_another_client_is_joined() {
    let server = Server::start();
    let (mut starter, mut other) = (tab(server.address), tab(proxy(server.address, vec![800, 600], false)));
    let mut run = starter.run(named("r"));
    run.next().await.unwrap().unwrap();
    let joined = tokio::spawn(async move { other.join("r").to_end().await.map(|result| (result, other)) });
    server.permits.add_permits(WORDS);
    assert_eq!(run.to_end().await.unwrap().text(), TEXT);
    let (joined, other) = joined.await.unwrap().unwrap();
    assert_eq!((joined.text().as_str(), joined.run_id.as_str(), joined.warnings.len()), (TEXT, "r", 0));
    assert!(joined.is_success());
    assert_eq!(other.messages().unwrap().len(), 1);
    assert_eq!(server.begun.load(SeqCst), 1);
}

#[tokio::test]
async fn a_joined_run_goes_on_when_it_is_left() {
    let server = Server::start();
    let (mut starter, mut other) = (tab(server.address), tab(server.address));
    let mut run = starter.run(named("r"));
    run.next().await.unwrap().unwrap();
    let mut joined = other.join("r");
    joined.next().await.unwrap().unwrap();
    assert_eq!(joined.into_result().outcome, Some(RunOutcome::Aborted));
    server.permits.add_permits(WORDS);
    assert_eq!(run.to_end().await.unwrap().text(), TEXT);
    assert_eq!(server.dropped.load(SeqCst), 1);
}

#[tokio::test]
async fn a_run_that_is_detached_goes_on() {
    let server = Server::start();
    server.permits.add_permits(2);
    let (mut starter, mut other) = (tab(server.address), tab(server.address));
    let mut run = starter.run(named("r"));
    for _ in 0..3 {
        run.next().await.unwrap().unwrap();
    }
    let left = run.detach();
    assert_eq!((left.outcome.clone(), left.text().as_str()), (Some(RunOutcome::Aborted), "0 "));
    server.permits.add_permits(WORDS);
    assert_eq!(other.join("r").to_end().await.unwrap().text(), TEXT);
}

#[tokio::test]
async fn a_run_is_cancelled_from_elsewhere_and_by_its_reader() {
    for is_own in [false, true] {
        let server = Server::start();
        let (mut starter, other) = (tab(server.address), tab(server.address));
        let mut run = starter.run(named("r"));
        run.next().await.unwrap().unwrap();
        if is_own {
            run.cancel().await.unwrap();
        } else {
            other.cancel("r").await.unwrap();
        }
        assert_eq!(run.to_end().await.unwrap().outcome, Some(RunOutcome::Cancelled));
        let dropped = Arc::clone(&server.dropped);
        wait_for("the agent is cancelled", move || dropped.load(SeqCst) == 1).await;
    }
}

#[tokio::test]
async fn a_thread_is_opened_and_its_active_run_is_joined() {
    let server = Server::start();
    server.permits.add_permits(WORDS);
    let (mut starter, mut other) = (tab(server.address), tab(server.address));
    assert!(other.connect().to_end().await.unwrap().is_success());
    assert!(other.messages().unwrap().is_empty());
    starter.add_message(UserMessage::new("u", "one"));
    starter.run_to_end(named("first")).await.unwrap();
    other.set_messages(&[UserMessage::new("x", "forgotten").into()]);
    let opened = other.connect().to_end().await.unwrap();
    assert_eq!((opened.run_id.as_str(), opened.is_success(), opened.new_messages.len()), ("first", true, 0));
    assert_eq!(other.messages().unwrap().len(), 2);
    let mut run = starter.run(named("second"));
    run.next().await.unwrap().unwrap();
    let (begun, has_begun) = tokio::sync::oneshot::channel();
    let joined = tokio::spawn(async move {
        let mut run = other.connect();
        run.next().await.unwrap().unwrap();
        begun.send(()).unwrap();
        run.to_end().await.map(|result| (result, other))
    });
    has_begun.await.unwrap();
    server.permits.add_permits(WORDS);
    run.to_end().await.unwrap();
    let (joined, other) = joined.await.unwrap().unwrap();
    assert_eq!((joined.run_id.as_str(), joined.text().as_str()), ("second", TEXT));
    assert_eq!(other.messages().unwrap().len(), 3);
}

#[tokio::test]
async fn a_run_that_is_not_known_is_an_error() {
    let server = Server::start();
    let mut other = tab(server.address);
    let error = other.join("other").to_end().await.unwrap_err();
    assert_eq!((error.code().as_str(), error.status()), ("run_unknown", Some(404)));
    assert_eq!(other.cancel("other").await.unwrap_err().code().as_str(), "run_unknown");
    let mut local = Agent::over(|_: RunRequest| async {
        Ok(Response::new(futures_util::stream::empty::<Result<Vec<u8>, std::io::Error>>()))
    });
    for error in [
        local.join("r").to_end().await.unwrap_err(),
        local.connect().to_end().await.unwrap_err(),
        local.cancel("r").await.unwrap_err(),
    ] {
        assert_eq!(error.code().as_str(), "run_unknown");
        assert!(error.to_string().contains("over HTTP"), "{error}");
    }
}

/// A server with a run of one long text, for so many clients.
fn long_text(length: usize, clients: usize) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let text = "x".repeat(length);
    let events = [
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#.to_owned(),
        r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#.to_owned(),
        format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"{text}"}}"#),
        r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#.to_owned(),
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#.to_owned(),
    ];
    let frames = events.iter().enumerate();
    let frames =
        frames.map(|(at, event)| format!("id: BwcHBwcHBwcHBwcHBwcHBw-{}\ndata: {event}\n\n", at + 1));
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nag-ui-cursor: BwcHBwcHBwcHBwcHBwcHBw-0\r\ncontent-location: ?thread=t&run=r\r\nconnection: close\r\n\r\n";
    let answer = head.to_owned() + &frames.collect::<String>();
    std::thread::spawn(move || {
        for client in listener.incoming().take(clients) {
            let (mut client, mut received) = (client.unwrap(), vec![]);
            while !received.ends_with(b"}") {
                let mut piece = [0; 4096];
                let count = client.read(&mut piece).unwrap();
                received.extend(&piece[..count]);
            }
            // A client that has had enough closes the connection.
            let _ = client.write_all(answer.as_bytes());
        }
    });
    address
}

#[tokio::test]
async fn the_limits_of_an_agent_hold_for_runs_with_a_log() {
    let length = 17 << 20;
    let address = long_text(length, 3);
    for (event_bytes, code) in
        [(32 << 20, None), (1 << 10, Some("limit_exceeded")), (16 << 20, Some("limit_exceeded"))]
    {
        let mut agent = tab(address).with_limits(Limits::default().with_event_bytes(event_bytes));
        match agent.run_to_end(named("r")).await {
            Ok(result) => assert_eq!((result.text().len(), None), (length, code)),
            Err(error) => assert_eq!(Some(error.code().as_str()), code),
        }
    }
}

#[tokio::test]
async fn tools_are_called_by_the_client_that_has_started_the_run() {
    let app = agent_with(
        |run: Run| async move {
            if run.input().messages.last().is_some_and(|message| matches!(message, Message::Tool(_))) {
                run.text_message()?.write("Done")?;
            } else {
                run.tool_call("look")?.write("{}")?;
            }
            Ok::<Option<Value>, Error>(None)
        },
        RunOptions::default().with_log(RunLog::public(MemoryLog::default())),
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, Router::new().route("/agent", app)).await });
    let calls: [Arc<AtomicUsize>; 2] = Default::default();
    let [mut starter, mut other] = calls.clone().map(|calls| {
        tab(address).with_tool(Tool::new("look", ""), move |_: Value| {
            calls.fetch_add(1, SeqCst);
            async { Ok::<_, Error>("seen") }
        })
    });
    assert_eq!(starter.run_to_end(named("r")).await.unwrap().runs().len(), 2);
    let joined = other.join("r").to_end().await.unwrap();
    assert_eq!((joined.pending_tool_call_ids().len(), joined.runs().len()), (1, 1));
    assert_eq!(calls.map(|calls| calls.load(SeqCst)), [1, 0]);
}

#[tokio::test]
async fn secrets_stay_behind_when_a_run_of_another_origin_is_resumed() {
    let (there, heads) = breaking(2);
    let here = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = here.local_addr().unwrap();
    std::thread::spawn(move || {
        let (mut client, _) = here.accept().unwrap();
        let mut received = Vec::new();
        while !received.ends_with(b"}") {
            let mut piece = [0; 4096];
            let count = client.read(&mut piece).unwrap();
            received.extend(&piece[..count]);
        }
        let head = format!(
            "HTTP/1.1 307 Away\r\nlocation: http://localhost:{}/agent\r\ncontent-length: 0\r\n\r\n",
            there.port()
        );
        client.write_all(head.as_bytes()).unwrap();
    });
    let mut agent = HttpAgent::new(format!("http://{address}/agent"))
        .with_redirects(Redirects::Any)
        .with_header("authorization", "secret")
        .with_header("cookie", "secret")
        .with_header("x-other", "told");
    let _ = tokio::time::timeout(Duration::from_secs(60), agent.ask("count")).await.unwrap();
    let heads = heads.join().unwrap();
    assert_eq!(heads.iter().map(|head| &head[..4]).collect::<Vec<_>>(), ["post", "get "]);
    for head in heads {
        assert!(!head.contains("secret") && head.contains("x-other: told"), "{head}");
    }
}
