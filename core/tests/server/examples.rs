//! Agents behind axum, asked over real sockets.

#[path = "../../examples/server.rs"]
#[allow(dead_code)] // Its `main` is not called.
mod server;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

use ag_ui_native::server::axum::{RunOptions, Shutdown, agent, agent_with, begin, flush, stream};
use ag_ui_native::server::{Ending, Refusal, Run};
use ag_ui_native::stream::EventPipeline;
use ag_ui_native::types::{Interrupt, Message, RunAgentInput, UserMessage};
use ag_ui_native::{Error, Event, Profile, Value, to_json};
use axum::Router;

fn input() -> String {
    to_json(&RunAgentInput::new("t", "r", vec![UserMessage::new("u", "Hello?").into()]))
}

fn connect(address: SocketAddr, head: &str, body: &str) -> TcpStream {
    let mut connection = TcpStream::connect(address).unwrap();
    // In HTTP 1.0 the end of the connection is the end of the body.
    let request = format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    connection.write_all(request.as_bytes()).unwrap();
    connection
}

/// The head of the answer to a request, and its body.
fn ask(address: SocketAddr, head: &str, body: &str) -> (String, Vec<u8>) {
    let mut answer = Vec::new();
    connect(address, head, body).read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap();
    (String::from_utf8(answer[..end].to_vec()).unwrap(), answer.split_off(end + 4))
}

/// Returns true if the input of a body is read on the thread of the request rather than on a thread for blocking work.
async fn is_read_at_once(state: &str) -> bool {
    let body = format!(r#"{{"threadId":"t","runId":"r","messages":[],"state":"{state}"}}"#);
    let request = axum::http::Request::post("/").header("content-type", "application/json");
    let request = request.body(axum::body::Body::from(body)).unwrap();
    let options = RunOptions::default();
    // Nothing that blocks is done as long as the only thread for it is held.
    let (release, held) = std::sync::mpsc::channel::<()>();
    tokio::task::spawn_blocking(move || held.recv());
    let mut begun = std::pin::pin!(begin(request, &options));
    let first = std::future::poll_fn(|context| std::task::Poll::Ready(begun.as_mut().poll(context))).await;
    let is_ready = first.is_ready();
    drop(release);
    let run = match first {
        std::task::Poll::Ready(run) => run,
        std::task::Poll::Pending => begun.await,
    };
    assert_eq!(run.unwrap().input().state.as_ref().and_then(Value::as_str).map(str::len), Some(state.len()));
    is_ready
}

#[test]
fn a_long_input_is_read_elsewhere() {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().max_blocking_threads(1).build().unwrap();
    runtime.block_on(async {
        assert!(is_read_at_once("short").await);
        assert!(!is_read_at_once(&"long".repeat(64 * 1024)).await);
    });
}

const POST: &str = "POST / HTTP/1.0\r\ncontent-type: application/json";

/// Serves `app`, and lets `asking` ask it from another thread.
async fn with<R: Send + 'static>(app: Router, asking: impl FnOnce(SocketAddr) -> R + Send + 'static) -> R {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = tokio::spawn(async { axum::serve(listener, app).await });
    let asked = tokio::task::spawn_blocking(move || asking(address)).await.unwrap();
    serving.abort();
    asked
}

/// The events of an answer, verified, with the messages they make.
fn read(head: &str, body: &[u8]) -> (Vec<Event>, Vec<Message>) {
    let of =
        |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().to_owned();
    let mut pipeline =
        EventPipeline::for_content_type(&of("content-type: ")).unwrap().with_profile(Profile::Strict);
    let events: Result<Vec<_>, _> = pipeline.feed(body).chain(pipeline.close()).collect();
    (events.unwrap(), pipeline.conversation().messages().unwrap())
}

fn last(head: &str, body: &[u8]) -> String {
    to_json(read(head, body).0.last().unwrap())
}

#[tokio::test(flavor = "current_thread")]
async fn the_example_answers_over_both_transports() {
    let (text, binary) = with(server::app(), |address| {
        let accept = "accept: application/vnd.ag-ui.event+proto";
        (ask(address, POST, &input()), ask(address, &format!("{POST}\r\n{accept}"), &input()))
    })
    .await;
    assert!(
        text.0.starts_with("HTTP/1.0 200") && text.0.contains("content-type: text/event-stream"),
        "{}",
        text.0
    );
    assert!(
        text.0.contains("x-accel-buffering: no") && text.0.contains("cache-control: no-cache"),
        "{}",
        text.0
    );
    let (_, messages) = read(&text.0, &text.1);
    let [Message::Assistant(message)] = messages.as_slice() else { panic!("{messages:?}") };
    assert_eq!(message.content.as_deref(), Some("1 messages so far."));
    assert_eq!(read(&binary.0, &binary.1).0.len(), 6);
}

#[tokio::test(flavor = "current_thread")]
async fn refusals_say_what_to_do() {
    let mut options = RunOptions::default();
    options.limits.input_bytes = 1000;
    let app = Router::new().route("/", agent_with(|_: Run| async { Ok::<_, Error>(None) }, options));
    let answers = with(app, |address| {
        let cases: [(&str, String); 5] = [
            ("GET / HTTP/1.0", String::new()),
            ("POST / HTTP/1.0\r\ncontent-type: text/plain", input()),
            (POST, " ".repeat(2000)),
            (POST, "{".into()),
            (POST, r#"{"threadId":"t","runId":"r","messages":{}}"#.into()),
        ];
        cases.map(|(head, body)| ask(address, head, &body))
    })
    .await;
    let expected = [
        ("405", "method_not_allowed"),
        ("415", "unsupported_media_type"),
        ("413", "limit_exceeded"),
        ("400", "invalid_json"),
        ("400", "wrong_type"),
    ];
    for ((head, body), (status, code)) in answers.into_iter().zip(expected) {
        let body = String::from_utf8(body).unwrap();
        assert!(head.starts_with(&format!("HTTP/1.0 {status}")), "{head}");
        assert!(body.contains(&format!(r#""code":"{code}""#)) && head.contains("application/json"), "{body}");
        assert_eq!(head.contains("allow: POST"), status == "405");
    }
}

#[tokio::test(flavor = "current_thread")]
async fn every_path_ends_once() {
    let fails = |run: Run| async move {
        let message = run.text_message()?;
        message.write("half")?;
        Err::<Option<Value>, _>(Error::new(ag_ui_native::Code::Internal, "secret"))
    };
    let asks = |run: Run| async move {
        run.step("ask").map(std::mem::forget)?;
        run.interrupt(vec![Interrupt::new("i", "confirmation")])?;
        assert!(run.text_message().is_err());
        Ok::<Option<Value>, Error>(None)
    };
    let returns = |_: Run| async { Ok::<_, Error>(Some(Value::from("done"))) };
    let app = Router::new()
        .route("/fails", agent(fails))
        .route("/asks", agent(asks))
        .route("/returns", agent(returns));
    let [failed, asked, returned] = with(app, |address| {
        ["fails", "asks", "returns"].map(|path| {
            let (head, body) = ask(address, &POST.replace("/ ", &format!("/{path} ")), &input());
            last(&head, &body)
        })
    })
    .await;
    assert_eq!(
        failed,
        r#"{"type":"RUN_ERROR","message":"the agent failed; see the server's log","code":"agent_failed"}"#
    );
    assert!(asked.contains(r#""outcome":{"type":"interrupt""#), "{asked}");
    assert!(returned.contains(r#""result":"done""#), "{returned}");
}

#[tokio::test(flavor = "current_thread")]
async fn time_is_limited_and_interrupts_are_to_be_answered() {
    let mut options = RunOptions::default();
    options.time_limit = Some(Duration::from_millis(50));
    let slow = |run: Run| async move {
        let message = run.text_message()?;
        message.write("half")?;
        tokio::time::sleep(Duration::from_secs(60)).await;
        Ok::<Option<Value>, Error>(None)
    };
    let asked = |request: axum::extract::Request| async {
        let run = begin(request, &RunOptions::default()).await?;
        run.input().check_resume(&[Interrupt::new("i", "confirmation")], 0)?;
        Ok::<_, Refusal>(stream(
            run,
            |_: Run| async { Ok::<Option<Value>, Error>(None) },
            &RunOptions::default(),
        ))
    };
    let app =
        Router::new().route("/slow", agent_with(slow, options)).route("/asked", axum::routing::post(asked));
    let (slow, refused, answered) = with(app, |address| {
        let at = |path: &str| POST.replace("/ ", &format!("/{path} "));
        let resume = r#"{"threadId":"t","runId":"r","messages":[],"resume":[{"interruptId":"i","status":"resolved"}]}"#;
        (
            ask(address, &at("slow"), &input()),
            ask(address, &at("asked"), &input()),
            ask(address, &at("asked"), resume),
        )
    })
    .await;
    assert!(last(&slow.0, &slow.1).contains(r#""code":"run_timeout""#));
    let body = String::from_utf8(refused.1).unwrap();
    assert!(refused.0.starts_with("HTTP/1.0 422") && body.contains(r#""rule":"L01""#), "{body}");
    assert!(last(&answered.0, &answered.1).contains("RUN_FINISHED"));
}

#[tokio::test(flavor = "current_thread")]
async fn panics_end_the_run_and_other_tasks_may_write() {
    let panics = |run: Run| async move {
        let message = run.text_message()?;
        message.write("half")?;
        flush().await;
        assert!(message.id().is_empty(), "on purpose");
        Ok::<Option<Value>, Error>(None)
    };
    let spawns = |run: Run| async move {
        let given = run.clone();
        let task = tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(20)).await;
            given.text_message()?.write("from another task")
        });
        std::future::pending::<()>().await;
        drop(task);
        Ok::<Option<Value>, Error>(None)
    };
    let app = Router::new().route("/panics", agent(panics)).route("/spawns", agent(spawns));
    let panicked = with(app, |address| {
        let at = |path: &str| POST.replace("/ ", &format!("/{path} "));
        let mut spawned = connect(address, &at("spawns"), &input());
        spawned.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let mut seen = Vec::new();
        while !String::from_utf8_lossy(&seen).contains("from another task") {
            let mut piece = [0; 1000];
            let length = spawned.read(&mut piece).unwrap();
            seen.extend_from_slice(&piece[..length]);
        }
        ask(address, &at("panics"), &input())
    })
    .await;
    assert!(last(&panicked.0, &panicked.1).contains(r#""code":"agent_failed""#));
}

/// Reports that it is dropped.
struct Late(tokio::sync::mpsc::UnboundedSender<&'static str>);

impl Drop for Late {
    fn drop(&mut self) {
        self.0.send("dropped").unwrap();
    }
}

#[tokio::test(flavor = "current_thread")]
async fn an_agent_that_has_ended_its_run_goes_on_without_delaying_the_response() {
    let (done, mut cleaned) = tokio::sync::mpsc::unbounded_channel();
    let agent = move |run: Run| {
        let late = Late(done.clone());
        async move {
            run.end(Ending::Success(Some("answer".into())))?;
            tokio::time::sleep(Duration::from_millis(50)).await;
            late.0.send(run.text_message().unwrap_err().rule().unwrap().as_str()).unwrap();
            std::future::pending::<()>().await;
            Ok::<Option<Value>, Error>(None)
        }
    };
    let options = RunOptions::default();
    let mut limited = options.clone();
    limited.time_limit = Some(Duration::from_millis(200));
    let app = Router::new()
        .route("/", agent_with(agent.clone(), options))
        .route("/limited", agent_with(agent, limited));
    let (answers, seen) = with(app, move |address| {
        let answers = ["/ ", "/limited "].map(|path| {
            let mut connection = connect(address, &POST.replace("/ ", path), &input());
            connection.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
            let mut answer = Vec::new();
            connection.read_to_end(&mut answer).unwrap();
            String::from_utf8(answer).unwrap()
        });
        (answers, [(); 3].map(|()| cleaned.blocking_recv().unwrap()))
    })
    .await;
    for answer in answers {
        assert!(answer.ends_with("\"result\":\"answer\"}\n\n"), "{answer}");
    }
    assert_eq!(seen, ["V02", "V02", "dropped"], "the time limit is of the agent, too");
}

/// Says so when it is dropped.
struct Cleanup(Arc<AtomicBool>);

impl Drop for Cleanup {
    fn drop(&mut self) {
        self.0.store(true, SeqCst);
    }
}

#[tokio::test(flavor = "current_thread")]
async fn a_client_that_leaves_stops_the_agent() {
    let gone = Arc::new(AtomicBool::new(false));
    let cleanup = Arc::clone(&gone);
    let endless = move |run: Run| {
        let cleanup = Cleanup(Arc::clone(&cleanup));
        async move {
            let _cleanup = cleanup;
            let message = run.text_message()?;
            loop {
                message.write("and so on, ")?;
                flush().await;
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            #[allow(unreachable_code)]
            Ok::<Option<Value>, Error>(None)
        }
    };
    let app = Router::new().route("/", agent(endless));
    with(app, move |address| {
        let mut connection = connect(address, POST, &input());
        connection.read_exact(&mut [0; 300]).unwrap();
        assert!(!gone.load(SeqCst));
        drop(connection);
        for _ in 0..500 {
            if gone.load(SeqCst) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the agent is still at work");
    })
    .await;
}

#[tokio::test(flavor = "current_thread")]
async fn a_slow_client_holds_the_agent_back_and_silence_is_filled() {
    let mut options = RunOptions::default();
    options.heartbeat = Duration::from_millis(20);
    let silent = |run: Run| async move {
        let message = run.text_message()?;
        message.write("a")?;
        tokio::time::sleep(Duration::from_millis(150)).await;
        message.write("b")?;
        Ok::<Option<Value>, Error>(None)
    };
    let written = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counter = Arc::clone(&written);
    let floods = move |run: Run| {
        let counter = Arc::clone(&counter);
        async move {
            let message = run.text_message()?;
            for _ in 0..2000 {
                message.write(&"x".repeat(64 * 1024))?;
                counter.fetch_add(1, SeqCst);
                flush().await;
            }
            Ok::<Option<Value>, Error>(None)
        }
    };
    let app = Router::new().route("/silent", agent_with(silent, options)).route("/floods", agent(floods));
    with(app, move |address| {
        let (_, body) = ask(address, &POST.replace("/ ", "/silent "), &input());
        assert!(String::from_utf8(body).unwrap().matches("\n: \n\n").count() >= 2);

        let mut slow = connect(address, &POST.replace("/ ", "/floods "), &input());
        // The sockets are full after this time.
        std::thread::sleep(Duration::from_millis(300));
        let held = written.load(SeqCst);
        assert!(held < 500, "{held} of 2000 pieces of 64 KiB were written for a client that reads nothing");
        let mut all = Vec::new();
        slow.read_to_end(&mut all).unwrap();
        assert!(all.len() > 2000 * 64 * 1024);
    })
    .await;
}

#[tokio::test(flavor = "current_thread")]
async fn runs_end_before_their_server_does() {
    /// Records that it is dropped.
    struct Told(Arc<AtomicBool>);
    impl Drop for Told {
        fn drop(&mut self) {
            self.0.store(true, SeqCst);
        }
    }
    let dropped = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&dropped);
    let waits = move |run: Run| {
        let told = Told(Arc::clone(&told));
        async move {
            let _told = told;
            let message = run.text_message()?;
            message.write("Hello")?;
            std::future::pending::<()>().await;
            Ok::<_, Error>(None)
        }
    };
    let shutdown = Shutdown::new();
    let mut options = RunOptions::default();
    options.shutdown = Some(shutdown.clone());
    let app = Router::new().route("/", agent_with(waits, options));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let serving = axum::serve(listener, app).with_graceful_shutdown(async { stopped.await.unwrap() });
    let serving = tokio::spawn(async { serving.await });
    let answers = tokio::task::spawn_blocking(move || {
        let mut connection = connect(address, POST, &input());
        let mut answer = Vec::new();
        while !answer.windows(5).any(|bytes| bytes == b"Hello") {
            let mut piece = [0; 1024];
            let length = connection.read(&mut piece).unwrap();
            assert!(length > 0);
            answer.extend_from_slice(&piece[..length]);
        }
        shutdown.begin();
        connection.read_to_end(&mut answer).unwrap();
        // One that comes later ends at once.
        let (_, later) = ask(address, POST, &input());
        stop.send(()).unwrap();
        [answer, later]
    });
    let answers = tokio::time::timeout(Duration::from_secs(20), answers).await.unwrap().unwrap();
    tokio::time::timeout(Duration::from_secs(20), serving).await.unwrap().unwrap().unwrap();
    for answer in answers {
        let answer = String::from_utf8(answer).unwrap();
        assert!(answer.contains(r#""outcome":{"type":"cancelled"}"#) && answer.ends_with("\n\n"), "{answer}");
    }
    assert!(dropped.load(SeqCst));
}
