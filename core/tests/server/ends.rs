//! Ways to end a run, by itself and from outside, and what the agent does afterwards: the answer ends with the run,
//! also if the client does not read it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use ag_ui_native::client::{LocalAgent, RunParameters};
use ag_ui_native::server::axum::{RunOptions, Shutdown, agent_with, flush, respond};
use ag_ui_native::server::{Cause, Ending, Guard, GuardMode, Run, StateFlush};
use ag_ui_native::stream::EventDecoder;
use ag_ui_native::types::{
    CustomEvent, Interrupt, RunErrorEvent, RunFinishedCancelledOutcome, RunFinishedEvent,
};
use ag_ui_native::{Code, Error, Limits, Value, protobuf, sse};
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use futures_util::StreamExt;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

const INPUT: &str = r#"{"threadId":"t","runId":"r","messages":[]}"#;

/// Says so when it is dropped.
struct Live(UnboundedSender<&'static str>);

impl Drop for Live {
    fn drop(&mut self) {
        let _ = self.0.send("dropped");
    }
}

/// An agent that writes for ever, as fast as it can.
async fn flood(run: Run, live: Live) -> Result<Option<Value>, Error> {
    let _live = live;
    let message = run.text_message()?;
    loop {
        message.write(&"x".repeat(10_000))?;
        flush().await;
    }
}

/// A server of such an agent until it is stopped, with its address and a record of the agent's end.
struct Server {
    address: SocketAddr,
    dropped: UnboundedReceiver<&'static str>,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<std::io::Result<()>>,
}

async fn serve(options: RunOptions) -> Server {
    let (says, dropped) = unbounded_channel();
    let floods = move |run: Run| flood(run, Live(says.clone()));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = Router::new().route("/", agent_with(floods, options));
    let (stop, stopped) = oneshot::channel();
    let stopped = async { drop(stopped.await) };
    let serving = tokio::spawn(axum::serve(listener, app).with_graceful_shutdown(stopped).into_future());
    Server { address, dropped, stop, serving }
}

/// A client that has read the head of the answer, and reads no more.
async fn ask_and_stall(address: SocketAddr) -> TcpStream {
    let asking = move || {
        let mut client = TcpStream::connect(address).unwrap();
        let head = "POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json";
        write!(client, "{head}\r\ncontent-length: {}\r\n\r\n{INPUT}", INPUT.len()).unwrap();
        client.read_exact(&mut [0; 100]).unwrap();
        client
    };
    tokio::task::spawn_blocking(asking).await.unwrap()
}

async fn within_reason<F: Future>(future: F) -> F::Output {
    tokio::time::timeout(Duration::from_secs(20), future).await.expect("it comes to no end")
}

#[tokio::test(flavor = "current_thread")]
async fn the_time_limit_ends_an_agent_whose_client_does_not_read() {
    let mut options = RunOptions::default();
    options.time_limit = Some(Duration::from_millis(300));
    let mut server = serve(options).await;
    let _client = ask_and_stall(server.address).await;
    assert_eq!(within_reason(server.dropped.recv()).await, Some("dropped"));
}

#[tokio::test(flavor = "current_thread")]
async fn a_shutdown_ends_an_agent_whose_client_does_not_read() {
    let shutdown = Shutdown::new();
    let mut options = RunOptions::default();
    options.shutdown = Some(shutdown.clone());
    let mut server = serve(options).await;
    let _client = ask_and_stall(server.address).await;
    // Until nothing more can be sent.
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(server.dropped.try_recv().is_err());
    shutdown.begin();
    assert_eq!(within_reason(server.dropped.recv()).await, Some("dropped"));
}

#[test]
fn a_server_does_not_wait_for_clients_that_do_not_read() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut client = runtime.block_on(async {
        let shutdown = Shutdown::new();
        let mut options = RunOptions::default();
        options.shutdown = Some(shutdown.clone());
        let mut server = serve(options).await;
        let client = ask_and_stall(server.address).await;
        // Until nothing more can be sent.
        tokio::time::sleep(Duration::from_millis(300)).await;
        shutdown.begin();
        server.stop.send(()).unwrap();
        assert_eq!(within_reason(server.dropped.recv()).await, Some("dropped"));
        let serving = async { server.serving.await.unwrap() };
        within_reason(shutdown.wait_for(serving, Duration::from_millis(300))).await.unwrap();
        client
    });
    drop(runtime);
    // It is closed with the runtime. What had been sent is still there to be read.
    client.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut rest = Vec::new();
    client.read_to_end(&mut rest).unwrap();
    assert!(!text(rest).contains("RUN_FINISHED"));
}

/// The pieces of the answer to a request.
async fn answer<F, E>(
    options: RunOptions,
    agent: impl FnOnce(Run) -> F + Send + 'static,
) -> axum::body::BodyDataStream
where
    F: Future<Output = Result<Option<Value>, E>> + Send + 'static,
    E: std::fmt::Display + Send + 'static,
{
    let request = Request::post("/").header("content-type", "application/json");
    respond(request.body(Body::from(INPUT)).unwrap(), agent, options).await.into_body().into_data_stream()
}

fn text(bytes: impl AsRef<[u8]>) -> String {
    String::from_utf8(bytes.as_ref().to_vec()).unwrap()
}

#[tokio::test(flavor = "current_thread", start_paused = true)]
async fn what_a_client_does_not_take_in_time_is_cut() {
    for late in [false, true] {
        let mut options = RunOptions::default();
        options.time_limit = Some(Duration::from_secs(10));
        options.grace = Duration::from_secs(3);
        let waits = |run: Run| async move {
            run.text_message()?.write("Hello")?;
            std::future::pending::<Result<Option<Value>, Error>>().await
        };
        let mut pieces = answer(options, waits).await;
        assert!(text(pieces.next().await.unwrap().unwrap()).contains("Hello"));
        tokio::time::sleep(Duration::from_secs(if late { 14 } else { 12 })).await;
        let rest = pieces.next().await.unwrap();
        assert_eq!(rest.is_err(), late, "after the grace time");
        if let Ok(rest) = rest {
            assert!(text(rest).contains("run_timeout"));
        }
        assert!(pieces.next().await.is_none());
    }
}

#[tokio::test(flavor = "current_thread", start_paused = true)]
async fn a_run_that_has_ended_by_itself_is_not_cut_by_its_time_limit() {
    let mut options = RunOptions::default();
    options.time_limit = Some(Duration::from_secs(10));
    let (says, mut heard) = unbounded_channel();
    let hands_over = |run: Run| async move {
        run.text_message()?.write("Hello")?;
        let _ = says.send(run);
        std::future::pending::<Result<Option<Value>, Error>>().await
    };
    let mut pieces = answer(options, hands_over).await;
    assert!(text(pieces.next().await.unwrap().unwrap()).contains("Hello"));
    heard.recv().await.unwrap().end(Ending::Success(None)).unwrap();
    tokio::time::sleep(Duration::from_secs(100)).await;
    assert!(text(pieces.next().await.unwrap().unwrap()).contains("RUN_FINISHED"));
}

#[tokio::test(flavor = "current_thread")]
async fn other_tasks_learn_that_the_client_has_gone() {
    let (says, mut heard) = unbounded_channel();
    let spawns = move |run: Run| {
        let (own, says) = (run.clone(), says.clone());
        async move {
            tokio::spawn(async move {
                let message = own.text_message().unwrap();
                message.write("Hello").unwrap();
                assert!(!own.is_cancelled());
                own.cancelled().await;
                let error = message.write("?").unwrap_err();
                let _ = says.send((own.is_cancelled(), own.is_running(), error.code().as_str()));
            });
            std::future::pending::<Result<Option<Value>, Error>>().await
        }
    };
    let mut pieces = answer(RunOptions::default(), spawns.clone()).await;
    while !text(pieces.next().await.unwrap().unwrap()).contains("Hello") {}
    drop(pieces);
    assert_eq!(within_reason(heard.recv()).await, Some((true, false, "sequence_broken")));

    // The same where time is up.
    let mut options = RunOptions::default();
    options.time_limit = Some(Duration::from_millis(200));
    let mut agent = LocalAgent::with_server(spawns, options);
    let run = agent.run_to_end(RunParameters::default()).await.unwrap();
    assert_eq!(run.outcome.map(|outcome| outcome.as_str()), Some("error"));
    assert_eq!(within_reason(heard.recv()).await, Some((true, false, "sequence_broken")));
}

#[tokio::test(flavor = "current_thread")]
async fn a_run_that_ends_as_it_is_to_is_not_cancelled() {
    let (says, mut heard) = unbounded_channel();
    let keeps = move |run: Run| async move {
        let _ = says.send(run);
        Ok::<Option<Value>, Error>(None)
    };
    let pieces = answer(RunOptions::default(), keeps).await;
    assert_eq!(pieces.map(Result::unwrap).collect::<Vec<_>>().await.len(), 1);
    let run = heard.recv().await.unwrap();
    let mut cancelled = pin!(run.cancelled());
    assert!(!run.is_cancelled() && !run.is_running());
    assert_eq!(cancelled.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Pending);
    // Code that serves runs calls `conclude`.
    run.conclude(Cause::Stopped);
    assert_eq!(cancelled.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(()));
}

#[tokio::test(flavor = "current_thread")]
async fn an_agent_that_swallows_too_much_waiting_has_failed() {
    let mut options = RunOptions::default();
    options.max_waiting = 1000;
    let hurries = |run: Run| async move {
        let message = run.text_message()?;
        let refused = (0..1000).find_map(|_| message.write("x").err().map(|error| error.code().as_str()));
        Ok::<Option<Value>, Error>(refused.map(Value::from))
    };
    let pieces = answer(options, hurries).await;
    let read = pieces.map(|piece| text(piece.unwrap())).collect::<String>().await;
    assert!(read.contains(r#""code":"client_too_slow""#) && !read.contains("RUN_FINISHED"), "{read}");
}

/// Ways to end a run, and the type of the last event.
const ENDINGS: [(&str, &str); 8] = [
    ("own event", "RUN_FINISHED"),
    ("own error", "RUN_ERROR"),
    ("own outcome", "RUN_FINISHED"),
    ("relay", "RUN_FINISHED"),
    ("success", "RUN_FINISHED"),
    ("interrupt", "RUN_FINISHED"),
    ("cancel", "RUN_FINISHED"),
    ("failure", "RUN_ERROR"),
];

fn end(run: &Run, ending: &str) -> Result<(), Error> {
    let finished = || RunFinishedEvent::new(&run.input().thread_id, &run.input().run_id);
    match ending {
        "own event" => run.send(finished()),
        "own error" => run.send(RunErrorEvent::new("no")),
        "own outcome" => run.send(finished().with_outcome(RunFinishedCancelledOutcome::new())),
        "relay" => relay(run),
        "success" => run.end(Ending::Success(Some("done".into()))),
        "interrupt" => run.interrupt(vec![Interrupt::new("i", "confirmation")]),
        "cancel" => run.end(Ending::Cancelled),
        _ => run.end(Ending::agent_failed(None)),
    }
}

/// Relays a run that breaks off, together with the events that a guard adds.
fn relay(run: &Run) -> Result<(), Error> {
    let mut guard = Guard::new(GuardMode::Fix, Limits::default()).for_input(run.input());
    let guarded = guard.push(CustomEvent::new("n", 1).into())?;
    let events = guarded.made.into_iter().chain(guarded.passed).chain(guard.finish()?);
    // It is the run of this server that has begun.
    events.skip(1).try_for_each(|event| run.send(event))
}

/// Things that the agent does after the end of the run.
const AFTER: [&str; 8] =
    ["returns", "returns a value", "fails", "panics", "writes", "writes later", "ends again", "hangs"];

async fn go_on(run: Run, after: &str) -> Result<Option<Value>, Error> {
    match after {
        "returns a value" => return Ok(Some(5.into())),
        "fails" => return Err(Error::new(Code::Internal, "after the end")),
        "panics" => panic!("after the end"),
        "writes" => run.write("after the end")?,
        "writes later" => {
            flush().await;
            run.write("after the end")?;
        }
        "ends again" => run.end(Ending::Success(None))?,
        "hangs" => std::future::pending().await,
        _ => {}
    }
    Ok(None)
}

/// The types of the events of an answer.
async fn types_of<A, F>(face: &str, agent: A, options: RunOptions) -> Vec<String>
where
    A: Fn(Run) -> F + Send + Sync + 'static,
    F: Future<Output = Result<Option<Value>, Error>> + Send + 'static,
{
    let mut types = Vec::new();
    if face == "local" {
        let mut agent = LocalAgent::with_server(agent, options);
        let mut run = agent.run(RunParameters::default());
        while let Some(event) = run.next().await {
            types.push(event.unwrap().tag().to_owned());
        }
        return types;
    }
    let request = Request::post("/").header("content-type", "application/json").header("accept", face);
    let mut pieces = respond(request.body(Body::from(INPUT)).unwrap(), agent, options)
        .await
        .into_body()
        .into_data_stream();
    let mut decoder = EventDecoder::for_content_type(face).unwrap();
    while let Some(piece) = pieces.next().await {
        types.extend(decoder.feed(&piece.unwrap()).map(|event| event.unwrap().tag().to_owned()));
    }
    types.extend(decoder.close().map(|event| event.unwrap().tag().to_owned()));
    types
}

const FACES: [&str; 3] = [sse::MEDIA_TYPE, protobuf::MEDIA_TYPE, "local"];

#[tokio::test(flavor = "current_thread")]
async fn the_answer_ends_with_the_run() {
    for (ending, last) in ENDINGS {
        for after in AFTER {
            for face in FACES {
                let agent = move |run: Run| async move {
                    end(&run, ending)?;
                    assert!(!run.is_running());
                    go_on(run, after).await
                };
                let types = within_reason(types_of(face, agent, RunOptions::default())).await;
                let name = format!("{face}: {ending}, {after}");
                assert_eq!(types.last().unwrap(), last, "{name}");
                let ends = types.iter().filter(|tag| matches!(tag.as_str(), "RUN_FINISHED" | "RUN_ERROR"));
                assert_eq!(ends.count(), 1, "{name}: {types:?}");
            }
        }
    }
}

#[tokio::test(flavor = "current_thread")]
async fn the_state_goes_before_each_end() {
    let flushes = [(StateFlush::Await, 1), (StateFlush::End, 1), (StateFlush::Manual, 0)];
    for (ending, last) in ENDINGS.into_iter().filter(|(ending, _)| *ending != "relay") {
        for (state_flush, states) in flushes {
            let agent = move |run: Run| async move {
                run.set_state(vec![Value::from(1)]);
                end(&run, ending)?;
                Ok(None)
            };
            let options = RunOptions::default().with_state_flush(state_flush);
            let types = types_of(sse::MEDIA_TYPE, agent, options).await;
            let expected = ["STATE_SNAPSHOT"].into_iter().take(states).chain([last]);
            assert!(types[1..].iter().eq(expected), "{ending}, {state_flush:?}: {types:?}");
        }
    }
}

#[tokio::test(flavor = "current_thread")]
async fn an_end_of_its_own_with_something_open_is_refused_and_the_agent_has_failed() {
    for ending in ["own event", "own outcome"] {
        let agent = move |run: Run| async move {
            let _message = run.text_message()?;
            end(&run, ending)?;
            Ok(None)
        };
        let types = types_of(sse::MEDIA_TYPE, agent, RunOptions::default()).await;
        assert_eq!(types.last().unwrap(), "RUN_ERROR", "{ending}: {types:?}");
    }
}
