//! What ends a run from outside, also where nobody reads its answer.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use ag_ui_native::client::{LocalAgent, RunOptions};
use ag_ui_native::server::axum::{Options, Shutdown, agent_with, flush, respond};
use ag_ui_native::server::{Ending, Run, StateFlush};
use ag_ui_native::types::RunFinishedEvent;
use ag_ui_native::{Error, Value};
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

/// An agent that writes for ever, as fast as it may.
async fn flood(run: Run, live: Live) -> Result<Option<Value>, Error> {
    let _live = live;
    let message = run.text_message()?;
    loop {
        message.write(&"x".repeat(10_000))?;
        flush().await;
    }
}

/// A server of such an agent, until it is told to stop; where it listens, and what becomes of the agent.
struct Server {
    address: SocketAddr,
    dropped: UnboundedReceiver<&'static str>,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<std::io::Result<()>>,
}

async fn serve(options: Options) -> Server {
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
    let mut options = Options::default();
    options.time_limit = Some(Duration::from_millis(300));
    let mut server = serve(options).await;
    let _client = ask_and_stall(server.address).await;
    assert_eq!(within_reason(server.dropped.recv()).await, Some("dropped"));
}

#[tokio::test(flavor = "current_thread")]
async fn a_shutdown_ends_an_agent_whose_client_does_not_read() {
    let shutdown = Shutdown::new();
    let mut options = Options::default();
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
        let mut options = Options::default();
        options.shutdown = Some(shutdown.clone());
        let mut server = serve(options).await;
        let client = ask_and_stall(server.address).await;
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
    options: Options,
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
        let mut options = Options::default();
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
    let mut options = Options::default();
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
    let mut pieces = answer(Options::default(), spawns.clone()).await;
    while !text(pieces.next().await.unwrap().unwrap()).contains("Hello") {}
    drop(pieces);
    assert_eq!(within_reason(heard.recv()).await, Some((true, false, "sequence_broken")));

    // The same where time is up.
    let mut options = Options::default();
    options.time_limit = Some(Duration::from_millis(200));
    let mut agent = LocalAgent::new_with(spawns, options);
    let run = agent.run_to_end(RunOptions::default()).await.unwrap();
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
    let pieces = answer(Options::default(), keeps).await;
    assert_eq!(pieces.map(Result::unwrap).collect::<Vec<_>>().await.len(), 1);
    let run = heard.recv().await.unwrap();
    let mut cancelled = pin!(run.cancelled());
    assert!(!run.is_cancelled() && !run.is_running());
    assert_eq!(cancelled.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Pending);
    // Who serves runs says so.
    assert_eq!(run.cancel(Ending::Cancelled).unwrap_err().code().as_str(), "sequence_broken");
    assert_eq!(cancelled.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(()));
}

#[tokio::test(flavor = "current_thread")]
async fn an_agent_that_swallows_too_much_waiting_has_failed() {
    let mut options = Options::default();
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

#[tokio::test(flavor = "current_thread")]
async fn the_state_goes_before_an_end_that_the_agent_writes_itself() {
    let ends = |run: Run| async move {
        run.with_state(|state| *state = vec![Value::from(1)].into());
        run.send(RunFinishedEvent::new("t", "r"))?;
        Ok::<Option<Value>, Error>(None)
    };
    let pieces = answer(Options::default().with_state_flush(StateFlush::End), ends).await;
    let read = pieces.map(|piece| text(piece.unwrap())).collect::<String>().await;
    let types: Vec<_> = read.matches("STATE_SNAPSHOT").chain(read.matches("RUN_FINISHED")).collect();
    assert_eq!(types, ["STATE_SNAPSHOT", "RUN_FINISHED"], "{read}");
}
