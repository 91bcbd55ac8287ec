//! The end of a run: which replies and results there are, which of them are errors; and streams that are dropped.

use crate::scripted;

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ag_ui_native::Code;
use ag_ui_native::client::{Agent, Response, RunOutcome, RunParameters, RunRequest};
use futures_util::stream::{self, StreamExt};
use scripted::{frame, says, scripted};
use serde_json::{Value, json};

/// A run with a text message and this end.
fn ends(end: Value) -> Vec<Value> {
    let mut events = says("Hel");
    *events.last_mut().unwrap() = end;
    events
}

fn finished(outcome: &Value) -> Value {
    json!({"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": outcome})
}

#[tokio::test(flavor = "current_thread")]
async fn an_answer_or_a_question_is_no_error() {
    let asks = json!({"type": "interrupt", "interrupts": [{"id": "i", "reason": "ask"}]});
    for events in [says("Hel"), ends(finished(&asks))] {
        let (mut agent, _) = scripted(&[&events]);
        let reply = agent.ask("Hi").await.unwrap().error_for_outcome().unwrap();
        assert_eq!((reply.to_string().as_str(), reply.messages().len()), ("Hel", 1));
        reply.result.error_for_outcome().unwrap();
    }
}

#[tokio::test(flavor = "current_thread")]
async fn anything_else_is_one() {
    let failed = json!({"type": "RUN_ERROR", "message": "The key sk-123 is wrong", "code": "rate_limit"});
    for (code, end) in
        [(Code::RunFailed, failed), (Code::RunCancelled, finished(&json!({"type": "cancelled"})))]
    {
        let (mut agent, _) = scripted(&[&ends(end)]);
        let reply = agent.ask("Hi").await.unwrap();
        let error = reply.clone().error_for_outcome().unwrap_err();
        assert_eq!((error.code(), error.run()), (code, &reply.result));
        assert_eq!(reply.to_string(), format!("Hel\n[{error}]"));
        assert_eq!(error.to_string().contains("rate_limit"), code == Code::RunFailed);
        assert!(!error.to_string().contains("sk-123"));
    }
    let (mut agent, _) = scripted(&[&says("Hel")[..2]]);
    let failure = agent.ask("Hi").await.unwrap_err();
    assert_eq!(failure.run().clone().error_for_outcome().unwrap_err().code(), Code::RunFailed);
}

/// Counts the answers that have been dropped.
struct Left(Arc<AtomicUsize>);

impl Drop for Left {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[tokio::test(flavor = "current_thread")]
async fn who_drops_a_stream_leaves_its_run() {
    let left = Arc::new(AtomicUsize::new(0));
    let counts = Arc::clone(&left);
    let mut agent = Agent::over(move |_: RunRequest| {
        let noted = Left(Arc::clone(&counts));
        let begun: Vec<_> = says("Hel")[..3].iter().map(|event| Ok::<_, Infallible>(frame(event))).collect();
        let pieces = stream::iter(begun).chain(stream::pending());
        async move {
            Ok(Response::new(pieces.inspect(move |_| {
                let _ = &noted;
            })))
        }
    });
    let mut reply = agent.ask_stream("Hi");
    assert_eq!(reply.next().await.unwrap().unwrap(), "Hel");
    drop(reply);
    assert_eq!(left.load(Ordering::Relaxed), 1);
    let mut events = agent.run(RunParameters::default());
    events.next().await.unwrap().unwrap();
    drop(events);
    assert_eq!(left.load(Ordering::Relaxed), 2);
    // A stream that was not read has not begun.
    drop(agent.ask_stream("Not said"));
    let before = agent.messages().unwrap().len();
    let mut reply = agent.ask_stream("Again");
    reply.next().await.unwrap().unwrap();
    let reply = reply.into_reply();
    assert_eq!((left.load(Ordering::Relaxed), reply.result.outcome.clone()), (3, Some(RunOutcome::Aborted)));
    assert_eq!(reply.error_for_outcome().unwrap_err().code(), Code::RunAborted);
    assert!(agent.messages().unwrap().len() <= before + 2);
}
