//! What a program hears of its agents' failures, and the client does not.

use std::fmt::{Debug, Write as _};
use std::future::Future;
use std::sync::{Arc, Mutex};

use ag_ui_native::server::axum::{Options, respond};
use ag_ui_native::server::{Run, Transport};
use ag_ui_native::{Profile, Value, from_json};
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Notes what a subscriber is told of this crate's events.
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

/// What the client reads of a run of this agent, and what is logged meanwhile.
async fn answered<F>(accept: &str, agent: impl FnOnce(Run) -> F + Send + 'static) -> (String, Vec<String>)
where
    F: Future<Output = Result<Option<Value>, String>> + Send + 'static,
{
    let heard = Heard::default();
    let _guard = tracing::subscriber::set_default(heard.clone());
    let body = r#"{"threadId":"t-1","runId":"r-1","state":null,"messages":[],"tools":[],"context":[],"forwardedProps":null}"#;
    let request = Request::post("/").header("content-type", "application/json").header("accept", accept);
    let response = respond(request.body(Body::from(body)).unwrap(), agent, Options::default()).await;
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
    let (read, logged) = answered(Transport::Binary.content_type(), agent).await;
    assert!(read.contains("agent_failed"), "{read}");
    let [line] = logged.as_slice() else { panic!("{logged:?}") };
    assert!(line.contains("the agent failed") && line.contains("result"), "{line}");
}

#[tokio::test(flavor = "current_thread")]
async fn nothing_is_logged_of_a_run_that_succeeds() {
    let (read, logged) = answered("text/event-stream", |_: Run| async { Ok(None) }).await;
    assert!(read.contains("RUN_FINISHED") && logged.is_empty(), "{read} {logged:?}");
}
