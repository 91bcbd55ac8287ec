//! Agents of the client's, against our own server and scripted peers.

#[path = "../../examples/chat.rs"]
#[allow(dead_code)] // Its `main` is not called.
mod chat;
use crate::peer;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use ag_ui_native::client::{
    Agent, HttpAgent, LocalAgent, Redirects, RunOutcome, RunParameters, RunResult, Transport,
};
use ag_ui_native::server::axum::flush;
use ag_ui_native::server::{self, Ending, Run};
use ag_ui_native::types::{
    ActivityMessage, Context, Interrupt, Message, ResumeEntry, ResumeStatus, Tool, UserMessage,
};
use ag_ui_native::{Code, Error, Event, Object, to_json};
use axum::Router;
use peer::Peer;
use serde::Deserialize;
use serde_json::{Value, json};

fn plain(document: impl AsRef<str>) -> Value {
    serde_json::from_str(document.as_ref()).unwrap()
}

/// Serves `app` until the test is over.
async fn serve(app: Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async { axum::serve(listener, app).await });
    format!("http://{address}/")
}

async fn echo(run: Run) -> Result<Option<ag_ui_native::Value>, Error> {
    let said = match run.input().messages.last() {
        Some(Message::User(message)) => format!("{:?}", message.content),
        other => format!("{other:?}"),
    };
    let message = run.text_message()?;
    for piece in ["You ", "said ", &said] {
        message.write(piece)?;
        flush().await;
    }
    drop(message);
    run.state_snapshot(Object::from([("turns", i64::try_from(run.input().messages.len()).unwrap())]))?;
    Ok(Some("done".into()))
}

#[tokio::test(flavor = "current_thread")]
async fn our_server_answers_over_both_transports_and_without_a_socket() {
    async fn talk<T: Transport>(mut agent: Agent<T>) -> Agent<T> {
        let reply = agent.ask("Hello?").await.unwrap();
        assert_eq!(reply.text(), r#"You said Text("Hello?")"#);
        assert_eq!((reply.thread_id(), reply.result.result()), (agent.thread_id(), Some(&"done".into())));
        assert_eq!(reply.result.runs(), std::slice::from_ref(&reply.result));

        let mut stream = agent.ask_stream("And?");
        let mut pieces = Vec::new();
        while let Some(piece) = stream.next().await {
            pieces.push(piece.unwrap());
        }
        let reply = stream.into_reply();
        assert_eq!((pieces.len(), pieces.concat()), (3, reply.text()));
        assert_eq!(reply.result.new_messages.len(), 1);
        assert_eq!(agent.messages().unwrap().len(), 4);
        assert_eq!(to_json(agent.state()), r#"{"turns":3}"#);
        agent
    }
    let url = serve(Router::new().route("/", server::axum::agent(echo))).await;
    talk(HttpAgent::new(&url)).await;
    talk(HttpAgent::new(&url).with_protobuf()).await;
    talk(LocalAgent::new(echo)).await;
    let agent = talk(LocalAgent::new(echo).with_protobuf()).await;

    // Each copy has its own conversation from then on.
    let mut other = agent.clone();
    other.ask("Only here").await.unwrap();
    assert_eq!((agent.messages().unwrap().len(), other.messages().unwrap().len()), (4, 6));
}

#[tokio::test(flavor = "current_thread")]
async fn a_run_is_seen_event_by_event() {
    let mut agent = LocalAgent::new(echo).with_state(Object::from([("turns", 7)]));
    agent.add_message(UserMessage::new("q", "Hello?"));
    let mut run = agent.run(RunParameters::default().with_run_id("mine").with_parent_run_id("before"));
    let mut lengths = Vec::new();
    while let Some(event) = run.next().await {
        match event.unwrap() {
            Event::RunStarted(event) => assert_eq!(event.run_id, "mine"),
            Event::TextMessageContent(_) => {
                let messages = run.conversation().messages().unwrap();
                let [_, Message::Assistant(message)] = messages.as_slice() else { panic!("{messages:?}") };
                lengths.push(message.content.as_ref().unwrap().len());
                assert_eq!(to_json(&run.conversation().state), r#"{"turns":7}"#);
            }
            _ => {}
        }
    }
    assert_eq!(lengths, [4, 9, 23], "the conversation is where the event is");
    assert!(run.next().await.is_none());
    assert!(run.result().is_success());
}

#[tokio::test(flavor = "current_thread")]
async fn what_is_sent() {
    let script =
        json!([{"send": "HTTP/1.1 401 Unauthorized\r\ncontent-length: 9\r\n\r\na secret!"}, {"hang": true}]);
    let peer = Peer::follow(vec![script]).await;
    let activity = ActivityMessage::new("a", "plan", Object::from([("steps", 1)]));
    let mut agent = HttpAgent::new(format!("http://{}/there?key=secret", peer.address))
        .with_thread_id("t")
        .with_messages(&[UserMessage::new("q", "Hello?").into(), activity.into()])
        .with_header("authorization", "Bearer secret")
        .with_header("Content-Type", "text/plain")
        .with_header("x-name", "Zoë")
        .with_headers_from(|| async { Ok(vec![("x-token".to_owned(), "fresh".to_owned())]) })
        .with_protobuf();
    let options = RunParameters::default()
        .with_run_id("r")
        .with_parent_run_id("before")
        .with_tools(vec![Tool::new("look", "Looks.")])
        .with_context(vec![Context::new("zone", "UTC")])
        .with_forwarded_props(Object::from([("a", 1)]));
    let error = agent.run_to_end(options).await.unwrap_err();
    assert_eq!((error.code(), error.status()), (Code::HttpError, Some(401)));
    let told = format!("{error} {error:?} {agent:?}");
    assert!(!told.contains("secret"), "{told}");
    let request = peer.requests.lock().unwrap().concat();
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("POST /there?key=secret HTTP/1.1"), "{head}");
    for line in [
        "authorization: Bearer secret",
        "x-token: fresh",
        // One byte of ISO-8859-1, which is no UTF-8.
        "x-name: Zo\u{fffd}",
        "content-type: application/json",
        "accept: application/vnd.ag-ui.event+proto, text/event-stream;q=0.5",
    ] {
        assert_eq!(head.lines().filter(|there| *there == line).count(), 1, "{line} in {head}");
    }
    assert!(!head.contains("text/plain"));
    assert_eq!(
        plain(body),
        json!({
            "threadId": "t", "runId": "r", "parentRunId": "before", "protocolVersion": "1.1", "state": {},
            "messages": [{"id": "q", "role": "user", "content": "Hello?"}],
            "tools": [{"name": "look", "description": "Looks."}],
            "context": [{"description": "zone", "value": "UTC"}],
            "forwardedProps": {"a": 1},
        })
    );
}

#[tokio::test(flavor = "current_thread")]
async fn what_cannot_be_sent() {
    for none in ["no URL", "", "ftp://127.0.0.1/", "http://", "http://[::1", "http://a.example:99999/"] {
        let error = HttpAgent::try_new(none).unwrap_err();
        assert_eq!((error.code(), error.path()), (Code::InvalidValue, "/url"), "{none}");
    }
    assert!(HttpAgent::try_new("http://user:secret@127.0.0.1:1/run?x#y").is_ok());
    let mut agent = HttpAgent::new("no URL");
    assert_eq!(agent.ask("Hello?").await.unwrap_err().code(), Code::ConnectionFailed);
    let mut agent = HttpAgent::new("ftp://127.0.0.1/");
    assert_eq!(agent.ask("Hello?").await.unwrap_err().code(), Code::ConnectionFailed);
    let mut agent = HttpAgent::new("http://127.0.0.1/").with_header("x", "a\r\nb: secret");
    let error = agent.ask("Hello?").await.unwrap_err();
    assert!(error.code() == Code::InvalidHeader && !error.to_string().contains("secret"), "{error}");

    let mut agent = HttpAgent::new("http://127.0.0.1/");
    let error = agent.build_resume(vec![ResumeEntry::new("i", ResumeStatus::Cancelled)]).unwrap_err();
    assert_eq!(error.code(), Code::UnknownInterrupt);
    agent.set_messages(&[]);
    assert!(agent.messages().unwrap().is_empty());
}

#[tokio::test(flavor = "current_thread")]
async fn interrupts_are_answered() {
    let asks = |run: Run| async move {
        match &run.input().resume {
            None => run.interrupt(vec![Interrupt::new("i", "confirmation")])?,
            Some(answers) => run.end(Ending::Success(Some(to_json(answers).into())))?,
        }
        Ok::<_, Error>(None)
    };
    let mut agent = LocalAgent::new(asks);
    let run = agent.ask("Do it").await.unwrap().result;
    assert_eq!(
        (run.interrupts(), run.outcome.as_ref().unwrap().as_str()),
        (agent.pending_interrupts(), "interrupt")
    );
    let refused = agent.run_to_end(RunParameters::default()).await.unwrap_err();
    assert_eq!(refused.error().rule().unwrap().as_str(), "L01");
    assert_eq!(agent.pending_interrupts().len(), 1);

    let mut answer = ResumeEntry::new("i", ResumeStatus::Resolved);
    answer.payload = Some(true.into());
    let resume = agent.build_resume(vec![answer]).unwrap();
    let run = agent.run_to_end(RunParameters::default().with_resume(resume)).await.unwrap();
    assert!(run.result().unwrap().as_str().unwrap().contains(r#""payload":true"#), "{run:?}");
    assert!(agent.pending_interrupts().is_empty());
}

#[derive(Deserialize)]
struct Place {
    town: String,
}

/// Calls `weather` for each of these, until something has answered.
fn calls(
    arguments: &'static [&'static str],
) -> impl Fn(Run) -> std::future::Ready<Result<Option<ag_ui_native::Value>, Error>> {
    move |run| {
        let answered = matches!(run.input().messages.last(), Some(Message::Tool(_)));
        let called = arguments.iter().filter(|_| !answered).try_for_each(|arguments| {
            let name = if arguments.contains("nobody") { "unknown" } else { "weather" };
            run.tool_call(name)?.write(arguments)
        });
        std::future::ready(called.map(|()| None))
    }
}

#[tokio::test(flavor = "current_thread")]
async fn tools_answer_and_the_agent_goes_on() {
    let with = |agent: LocalAgent| {
        agent.with_tool(Tool::new("weather", "The weather."), |place: Place| async move {
            if place.town == "Atlantis" { Err("under water") } else { Ok(format!("Rain in {}", place.town)) }
        })
    };
    let answers = |run: &RunResult| -> Vec<(String, Option<String>)> {
        let tool = |message: &Message| match message {
            Message::Tool(message) => Some((format!("{:?}", message.content), message.error.clone())),
            _ => None,
        };
        run.new_messages.iter().filter_map(tool).collect()
    };
    let mut agent = with(LocalAgent::new(calls(&[
        r#"{"town":"Bath"}"#,
        r#"{"town":"Atlantis"}"#,
        "{",
        r#"{"place":1}"#,
    ])));
    let run = agent.ask("How is it?").await.unwrap().result;
    assert!(run.is_success() && run.runs().len() == 2 && run.pending_tool_call_ids().is_empty(), "{run:?}");
    let answered = answers(&run);
    assert_eq!(answered[0], (r#"Text("Rain in Bath")"#.into(), None));
    assert_eq!(answered[1].1.as_deref(), Some("under water"));
    assert_eq!(answered[2].1.as_deref(), Some("The arguments are not valid JSON."));
    assert!(
        answered[3]
            .1
            .as_ref()
            .unwrap()
            .starts_with("The arguments do not match the schema of the tool. town: "),
        "{answered:?}"
    );

    // One call has no tool here: the others are answered, and the result has the call as pending.
    let mut agent = with(LocalAgent::new(calls(&[r#"{"town":"Bath"}"#, r#"{"nobody":1}"#])));
    let run = agent.ask("How is it?").await.unwrap().result;
    assert_eq!((run.runs().len(), run.pending_tool_call_ids().len(), answers(&run).len()), (1, 1, 1));

    // An agent that never has enough.
    let greedy = |run: Run| async move {
        run.tool_call("weather")?.write(r#"{"town":"Bath"}"#)?;
        Ok::<_, Error>(None)
    };
    let mut agent = with(LocalAgent::new(greedy)).with_max_runs(3);
    let error = agent.ask("How is it?").await.unwrap_err();
    assert_eq!((error.code(), error.error().limit), (Code::TooManyRuns, Some("max_runs")));
    assert_eq!((error.run().runs().len(), answers(error.run()).len()), (3, 3), "no call is left open");
}

#[tokio::test(flavor = "current_thread")]
async fn leaving_a_run_closes_the_connection() {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    let start = "data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n\
        data: {\"type\":\"TEXT_MESSAGE_CHUNK\",\"messageId\":\"m\",\"delta\":\"Hel\"}\n\n";
    let stages = [
        json!([{"hang": true}]),
        json!([{"send": head}, {"hang": true}]),
        json!([{"send": head.to_owned() + start}, {"hang": true}]),
        json!([{"send": head.to_owned() + start}, {"repeat": 100_000, "send": ":\n\n", "pause_ms": 1}]),
    ];
    for (stage, script) in stages.iter().enumerate() {
        for aborted in [true, false] {
            let peer = Peer::follow(vec![script.clone()]).await;
            let mut agent = HttpAgent::new(format!("http://{}/", peer.address));
            let handle = agent.abort_handle();
            assert!(!handle.abort(), "nothing goes on");
            let mut run = agent.run(RunParameters::default());
            let mut events = 0;
            let mut until_asked = Box::pin(async {
                while peer.requests.lock().unwrap().is_empty() {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
                // Nothing shows that the run waits for its next piece.
                tokio::time::sleep(Duration::from_millis(50)).await;
            });
            loop {
                tokio::select! {
                    event = run.next() => {
                        event.unwrap().unwrap();
                        events += 1;
                    }
                    () = &mut until_asked => break,
                }
            }
            assert_eq!(events, if stage >= 2 { 3 } else { 0 });
            if aborted {
                let elsewhere = std::thread::spawn(move || handle.abort());
                assert!(run.next().await.is_none());
                assert!(elsewhere.join().unwrap());
                assert_eq!(run.result().outcome, Some(RunOutcome::Aborted));
                let text = run.result().text();
                assert_eq!(text, if stage >= 2 { "Hel" } else { "" });
            } else {
                drop(run);
                assert!(!handle.abort());
            }
            for _ in 0..1000 {
                if *peer.left.lock().unwrap() == 1 {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            assert_eq!(*peer.left.lock().unwrap(), 1, "stage {stage}, aborted: {aborted}");
        }
    }
}

#[tokio::test(flavor = "current_thread")]
async fn an_agent_in_the_program_ends_with_its_run() {
    /// Is counted when it goes.
    struct Guard(Arc<AtomicUsize>);
    impl Drop for Guard {
        fn drop(&mut self) {
            self.0.fetch_add(1, SeqCst);
        }
    }
    let gone = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&gone);
    let mut agent = LocalAgent::new(move |run: Run| {
        let guard = Guard(Arc::clone(&counter));
        async move {
            let _guard = guard;
            run.text_message()?.write("Hello")?;
            flush().await;
            std::future::pending::<Result<Option<ag_ui_native::Value>, Error>>().await
        }
    });
    let handle = agent.abort_handle();
    for (number, aborted) in [true, false].into_iter().enumerate() {
        let mut run = agent.run(RunParameters::default());
        for _ in 0..3 {
            run.next().await.unwrap().unwrap();
        }
        assert_eq!(gone.load(SeqCst), number);
        if aborted {
            handle.abort();
            assert!(run.next().await.is_none());
        } else {
            drop(run);
        }
        assert_eq!(gone.load(SeqCst), number + 1);
    }
}

#[tokio::test(flavor = "current_thread")]
async fn the_example_chats() {
    let asked = |run: Run| async move {
        let said = run.input().messages.len();
        run.text_message()?.write(&format!("{said} so far."))?;
        if said > 2 { Err(Box::<dyn std::error::Error + Send + Sync>::from("tired")) } else { Ok(None) }
    };
    let chat = async |url| -> String {
        let mut screen = Vec::new();
        chat::chat(&mut HttpAgent::new(url), &b"Hello?\nAnd?\n"[..], &mut screen).await.unwrap();
        String::from_utf8(screen).unwrap()
    };
    let mut options = server::axum::RunOptions::default();
    options.show_errors = true;
    let url = serve(Router::new().route("/", server::axum::agent_with(asked, options))).await;
    assert_eq!(chat(url).await, "1 so far.\n3 so far.[the agent failed: tired]\n");
    let shown = chat(format!("http://{}/", Peer::unreachable().await)).await;
    assert_eq!(shown.matches("[connection_failed: ").count(), 2, "{shown}");
}

/// The answer that sends a request elsewhere.
fn moved(location: &str) -> Value {
    json!([{"send": format!("HTTP/1.1 307 Moved\r\ncontent-length: 0\r\nlocation: {location}\r\n\r\n")}, {"close": true}])
}

#[tokio::test(flavor = "current_thread")]
async fn credentials_stay_where_they_belong() {
    let refusal = json!([{"send": "HTTP/1.1 401 No\r\ncontent-length: 0\r\n\r\n"}, {"close": true}]);
    let there = Peer::follow(vec![refusal.clone(), refusal]).await;
    let url = |peer: &Peer| format!("http://{}/", peer.address);
    let here = Peer::follow(vec![moved(&url(&there)), moved("/again"), moved(&url(&there))]).await;
    let with = |agent: HttpAgent| agent.with_header("authorization", "Bearer x").with_header("x-mine", "1");

    let mut agent = with(HttpAgent::new(url(&here))).with_redirects(Redirects::Any);
    assert_eq!(agent.ask("Hello?").await.unwrap_err().status(), Some(401));
    let request = there.requests.lock().unwrap().concat();
    assert!(request.contains("x-mine: 1") && !request.contains("authorization"), "{request}");

    // Within the origin they go along; a client that follows by itself is found out.
    let mut agent = with(HttpAgent::new(url(&here)));
    assert_eq!(agent.ask("Hello?").await.unwrap_err().code(), Code::RedirectRefused);
    assert_eq!(here.requests.lock().unwrap().concat().matches("authorization").count(), 3);
    let here = Peer::follow(vec![moved(&url(&there))]).await;
    let mut agent = HttpAgent::new(url(&here)).with_client(reqwest_that_follows());
    assert_eq!(agent.ask("Hello?").await.unwrap_err().code(), Code::RedirectRefused);
}

fn reqwest_that_follows() -> reqwest::Client {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls =
        rustls::ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let tls = tls.with_root_certificates(rustls::RootCertStore::empty()).with_no_client_auth();
    reqwest::Client::builder().tls_backend_preconfigured(tls).build().unwrap()
}

#[tokio::test(flavor = "current_thread")]
async fn a_slow_reader_holds_the_agent_back() {
    let written = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&written);
    let floods = move |run: Run| {
        let counter = Arc::clone(&counter);
        async move {
            let message = run.text_message()?;
            for _ in 0..1000 {
                message.write(&"x".repeat(64 * 1024))?;
                counter.fetch_add(1, SeqCst);
                flush().await;
            }
            Ok::<_, Error>(None)
        }
    };
    let url = serve(Router::new().route("/", server::axum::agent(floods))).await;
    let mut agent = HttpAgent::new(url);
    let mut run = agent.run(RunParameters::default());
    run.next().await.unwrap().unwrap();
    // Nothing more is written in this time.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let held = written.load(SeqCst);
    assert!(held < 500, "{held} of 1000 pieces of 64 KiB were written for a reader that takes none");
    assert_eq!(run.to_end().await.unwrap().text().len(), 1000 * 64 * 1024);
    assert_eq!(agent.messages().unwrap().len(), 1);
}
