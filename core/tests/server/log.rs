//! A program logs the failures of its agents; the client does not receive them.

use std::fmt::{Debug, Write as _};
use std::future::Future;
use std::sync::{Arc, Mutex};

use ag_ui_native::server::axum::{RunOptions, Shutdown, flush, respond};
use ag_ui_native::server::{Run, StateFlush, WireFormat};
use ag_ui_native::types::Interrupt;
use ag_ui_native::{Profile, Value, from_json};
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

const INPUT: &str = r#"{"threadId":"t-1","runId":"r-1","state":null,"messages":[],"tools":[],"context":[],"forwardedProps":null}"#;

/// Records the messages that this crate logs.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<String>>>);

impl Subscriber for Heard {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("ag_ui_native")
    }
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        let mut line = Line(format!("{} {}", event.metadata().level(), event.metadata().target()));
        event.record(&mut line);
        self.0.lock().unwrap().push(line.0);
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, " {field}={value:?}").unwrap();
    }
}

/// Returns the text that the client reads of a run of this agent, and the messages that were logged.
async fn answered<F>(accept: &str, agent: impl FnOnce(Run) -> F + Send + 'static) -> (String, Vec<String>)
where
    F: Future<Output = Result<Option<Value>, String>> + Send + 'static,
{
    answered_by(accept, agent, RunOptions::default()).await
}

async fn answered_by<F>(
    accept: &str,
    agent: impl FnOnce(Run) -> F + Send + 'static,
    options: RunOptions,
) -> (String, Vec<String>)
where
    F: Future<Output = Result<Option<Value>, String>> + Send + 'static,
{
    let heard = Heard::default();
    let _guard = tracing::subscriber::set_default(heard.clone());
    let request = Request::post("/").header("content-type", "application/json").header("accept", accept);
    let response = respond(request.body(Body::from(INPUT)).unwrap(), agent, options).await;
    let bytes = to_bytes(response.into_body(), 100_000).await.unwrap();
    let lines = heard.0.lock().unwrap().clone();
    (String::from_utf8_lossy(&bytes).into_owned(), lines)
}

#[tokio::test(flavor = "current_thread")]
async fn an_agents_error_is_logged_with_its_run() {
    let (read, logged) =
        answered("text/event-stream", |_: Run| async { Err("the model is away".to_owned()) }).await;
    assert!(read.contains(r#""code":"agent_failed""#) && !read.contains("the model is away"), "{read}");
    let [line] = logged.as_slice() else { panic!("{logged:?}") };
    assert!(line.starts_with("ERROR ag_ui_native::server "), "{line}");
    for part in ["the agent failed", "the model is away", "t-1", "r-1"] {
        assert!(line.contains(part), "{line}");
    }
}

#[tokio::test(flavor = "current_thread")]
async fn a_result_that_cannot_be_sent_is_logged() {
    let agent = |_: Run| async {
        let huge: Value = from_json("123456789012345678901234567890", Profile::Strict).unwrap().0;
        Ok(Some(huge))
    };
    let (read, logged) = answered(WireFormat::Binary.content_type(), agent).await;
    assert!(read.contains("agent_failed"), "{read}");
    let [line] = logged.as_slice() else { panic!("{logged:?}") };
    assert!(line.contains("the agent failed") && line.contains("result"), "{line}");
}

#[tokio::test(flavor = "current_thread")]
async fn nothing_is_logged_of_a_run_that_succeeds() {
    let (read, logged) = answered("text/event-stream", |_: Run| async { Ok(None) }).await;
    assert!(read.contains("RUN_FINISHED") && logged.is_empty(), "{read} {logged:?}");
}

/// Tells when it is dropped.
struct Live(Arc<Mutex<bool>>);

impl Drop for Live {
    fn drop(&mut self) {
        *self.0.lock().unwrap() = true;
    }
}

#[tokio::test(flavor = "current_thread")]
async fn a_state_that_cannot_be_sent_is_logged_and_ends_the_agent() {
    let is_dropped = Arc::new(Mutex::new(false));
    let alive = Live(Arc::clone(&is_dropped));
    let agent = |run: Run| async move {
        let _alive = alive;
        run.with_state(|state| *state = vec![Value::from(1), Value::from(f64::NAN)].into());
        std::future::pending().await
    };
    let (read, logged) = answered("text/event-stream", agent).await;
    assert!(read.contains("RUN_ERROR") && read.contains("agent_failed"), "{read}");
    assert!(*is_dropped.lock().unwrap(), "the response does not wait for it");
    let [line] = logged.as_slice() else { panic!("{logged:?}") };
    for part in ["ERROR ag_ui_native::server ", "the agent failed", "wrong_type", "/1", "t-1", "r-1"] {
        assert!(line.contains(part), "{part}: {line}");
    }
}

#[tokio::test(flavor = "current_thread")]
async fn a_state_that_cannot_be_sent_does_not_change_how_a_run_ends() {
    for (flush_at, closes) in [(StateFlush::Await, true), (StateFlush::End, false), (StateFlush::End, true)] {
        let shutdown = Shutdown::new();
        let mut options = RunOptions::default();
        options.state_flush = flush_at;
        options.shutdown = Some(shutdown.clone());
        let agent = move |run: Run| async move {
            let message = run.text_message().unwrap();
            flush().await;
            if closes {
                drop(message);
            } else {
                std::mem::forget(message);
            }
            shutdown.begin();
            run.set_state(f64::NAN);
            std::future::pending().await
        };
        let (read, logged) = answered_by("text/event-stream", agent, options).await;
        assert!(read.contains("TEXT_MESSAGE_END"), "{read}");
        let [line] = logged.as_slice() else { panic!("{logged:?}") };
        // Whichever comes first; with `Await` that is the state.
        let (event, said) = match flush_at {
            StateFlush::Await => ("\"code\":\"agent_failed\"", "ERROR ag_ui_native::server "),
            _ => ("\"outcome\":{\"type\":\"cancelled\"}", "WARN ag_ui_native::server "),
        };
        assert_eq!(read.matches("RUN_").count(), 2, "{read}");
        assert!(read.contains(event) && line.contains(said) && line.contains("wrong_type"), "{read} {line}");
    }
}

#[tokio::test(flavor = "current_thread")]
async fn a_panic_is_logged_with_its_place_and_without_its_text() {
    let agent = |_: Run| async {
        assert!(std::hint::black_box(false), "the secret");
        Ok(None)
    };
    let (read, logged) = answered("text/event-stream", agent).await;
    assert!(read.contains("agent_failed") && !read.contains("secret"), "{read}");
    let [line] = logged.as_slice() else { panic!("{logged:?}") };
    for part in ["ERROR ag_ui_native::server ", "panicked", "agent_failed", "server/log.rs:", "t-1", "r-1"] {
        assert!(line.contains(part), "{part}: {line}");
    }
    assert!(!line.contains("secret"), "{line}");
}

#[tokio::test(flavor = "current_thread")]
async fn a_panic_of_an_agent_that_goes_on_is_logged() {
    struct Panics;
    impl Drop for Panics {
        fn drop(&mut self) {
            assert!(std::hint::black_box(false), "the secret");
        }
    }
    // One that has ended its run, and one that panics when it is dropped.
    let heard = Heard::default();
    let _guard = tracing::subscriber::set_default(heard.clone());
    let ends = |run: Run| async move {
        run.interrupt(vec![Interrupt::new("i", "confirmation")]).unwrap();
        flush().await;
        assert!(std::hint::black_box(false), "the secret");
        Ok(None)
    };
    let fails = |run: Run| async move {
        let _panics = Panics;
        run.set_state(f64::NAN);
        std::future::pending().await
    };
    let request = || Request::post("/").header("content-type", "application/json").body(Body::from(INPUT));
    let ended = respond(request().unwrap(), as_agent(ends), RunOptions::default()).await;
    let ended = to_bytes(ended.into_body(), 100_000).await.unwrap();
    tokio::task::yield_now().await;
    let failed = respond(request().unwrap(), as_agent(fails), RunOptions::default()).await;
    let failed = to_bytes(failed.into_body(), 100_000).await.unwrap();
    assert!(String::from_utf8_lossy(&ended).contains("interrupt"));
    assert!(String::from_utf8_lossy(&failed).contains("agent_failed"));
    let lines = heard.0.lock().unwrap().clone();
    let said: Vec<_> = lines.iter().map(|line| line.contains("the agent panicked")).collect();
    assert_eq!(said, [true, false, true], "{lines:?}");
    assert!(lines.iter().all(|line| !line.contains("secret")), "{lines:?}");
}

/// Tells the compiler the type of an agent's error.
fn as_agent<F>(agent: impl FnOnce(Run) -> F) -> impl FnOnce(Run) -> F
where
    F: Future<Output = Result<Option<Value>, String>>,
{
    agent
}

#[tokio::test(flavor = "current_thread")]
async fn a_state_that_is_too_large_for_every_await_is_told_once() {
    let agent = |run: Run| async move {
        run.set_state(vec![Value::Null; 11_000]);
        let message = run.text_message().unwrap();
        for _ in 0..3 {
            flush().await;
            run.with_state(|state| {
                if let Value::Array(items) = state {
                    items.push(Value::Null);
                }
            });
            message.write("token").unwrap();
        }
        drop(message);
        flush().await;
        Ok(None)
    };
    let (read, logged) = answered("text/event-stream", agent).await;
    let (before, end) = read.split_once("TEXT_MESSAGE_END").unwrap();
    assert_eq!(before.matches("STATE_").count(), 2, "the first, and the one before the end");
    assert_eq!(end.matches("STATE_").count(), 0);
    let [line] = logged.as_slice() else { panic!("{logged:?}") };
    assert!(line.starts_with("WARN ag_ui_native::server ") && line.contains("t-1"), "{line}");
    for part in ["large_state", "11001 values", "state_values is 10000", "raise the limit named"] {
        assert!(line.contains(part), "{line}");
    }
}
