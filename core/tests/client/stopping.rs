//! Runs that are stopped: ends that a subscriber stops are ends all the same, and an abort may come before a run begins.

use crate::scripted;

use std::sync::Arc;

use ag_ui_native::client::{
    AgentStateMutation, AgentSubscriber, AgentSubscriberParams, RunOutcome, RunParameters,
};
use ag_ui_native::types::{Event, RunErrorEvent, RunFinishedEvent};
use scripted::{finished, says, scripted, started};
use serde_json::{Value, json};

/// Stops an end in the callback for all events.
struct AsAnyEvent;

impl AgentSubscriber for AsAnyEvent {
    fn on_event(&self, _: &AgentSubscriberParams<'_>, event: &Event) -> Option<AgentStateMutation> {
        matches!(event, Event::RunFinished(_) | Event::RunError(_)).then(AgentStateMutation::stop)
    }
}

/// Stops an end in the callback for its type.
struct AsItself;

impl AgentSubscriber for AsItself {
    fn on_run_finished_event(
        &self,
        _: &AgentSubscriberParams<'_>,
        _: &RunFinishedEvent,
    ) -> Option<AgentStateMutation> {
        Some(AgentStateMutation::stop())
    }

    fn on_run_error_event(
        &self,
        _: &AgentSubscriberParams<'_>,
        _: &RunErrorEvent,
    ) -> Option<AgentStateMutation> {
        Some(AgentStateMutation::stop())
    }
}

async fn outcome(end: &Value, subscriber: Arc<dyn AgentSubscriber>) -> Option<RunOutcome> {
    let (mut agent, _) = scripted(&[&[started(), end.clone()]]);
    agent.subscribe(subscriber);
    let result = agent.run_to_end(RunParameters::default()).await.unwrap();
    assert!(agent.pending_interrupts().is_empty());
    result.outcome
}

#[tokio::test(flavor = "current_thread")]
async fn an_end_that_a_subscriber_stops_is_an_end_all_the_same() {
    let mut returns = finished();
    returns["result"] = json!(5);
    let success = |result: Option<ag_ui_native::Value>| {
        Some(RunOutcome::Success { result, pending_tool_call_ids: vec![] })
    };
    // If `on_event` stops the end of a run, the result of the run is not reported.
    assert_eq!(outcome(&returns, Arc::new(AsAnyEvent)).await, success(None));
    assert_eq!(outcome(&returns, Arc::new(AsItself)).await, success(Some(5.into())));

    let error = json!({"type": "RUN_ERROR", "message": "broken", "code": "c"});
    let failed = Some(RunOutcome::Error { message: "broken".to_owned(), code: Some("c".to_owned()) });
    assert_eq!(outcome(&error, Arc::new(AsAnyEvent)).await, failed);
    assert_eq!(outcome(&error, Arc::new(AsItself)).await, failed);

    let mut asks = finished();
    asks["outcome"] = json!({"type": "interrupt", "interrupts": [{"id": "i", "reason": "r"}]});
    assert_eq!(outcome(&asks, Arc::new(AsAnyEvent)).await, Some(RunOutcome::Interrupt(vec![])));
}

#[tokio::test(flavor = "current_thread")]
async fn aborted_before_it_begins() {
    let (mut agent, requests) = scripted(&[&says("Hello")]);
    let handle = agent.abort_handle();
    assert!(!handle.abort(), "nothing to abort yet");
    let mut run = agent.run(RunParameters::default());
    assert!(handle.abort());
    assert!(run.next().await.is_none());
    assert_eq!(run.into_result().outcome, Some(RunOutcome::Aborted));
    assert!(requests.lock().unwrap().is_empty());
}
