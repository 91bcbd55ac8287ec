//! Section `pipeline` again, with an agent of the client.

use ag_ui_native::bindings::Category;
use ag_ui_native::client::{Agent, Response, RunParameters, RunRequest};
use ag_ui_native::types::ResumeEntry;
use ag_ui_native::{Code, Error, Profile, from_json, to_json};
use futures_util::stream;
use serde_json::{Value, json};

use super::apply::{Session, plain, values};
use super::pipeline::number_uuids;
use super::{Case, failure, judge};

fn told(case: &Case) -> Value {
    let list = |name: &str| case.input[name].as_array().cloned().unwrap_or_default();
    let pieces: Vec<_> =
        list("events").iter().map(|event| Ok::<_, Error>(format!("data: {event}\n\n"))).collect();
    let start = Session::of(case).conversation;
    let mut agent = Agent::over(move |_: RunRequest| {
        let pieces = pieces.clone();
        async { Ok(Response::new(stream::iter(pieces))) }
    })
    .with_messages(&start.messages().unwrap())
    .with_state(start.state)
    .with_pending_interrupts(start.pending_interrupts);
    let resume: Vec<ResumeEntry> =
        list("resume").iter().map(|entry| from_json(entry.to_string(), Profile::Strict).unwrap().0).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let end = runtime.block_on(agent.run_to_end(RunParameters::default().with_resume(resume)));

    let conversation = agent.conversation();
    let messages: Value = conversation.message_values().map(plain).collect();
    let mut outcome = json!({ "messages": messages, "state": plain(&conversation.state) });
    if !conversation.pending_interrupts.is_empty() || case.input.get("pendingInterrupts").is_some() {
        outcome["pendingInterrupts"] = values(&conversation.pending_interrupts);
    }
    let run = match end {
        Ok(run) => run,
        // The reference accepts a stream that ends early.
        Err(error) if error.code() == Code::StreamTruncated => error.run().clone(),
        Err(error) => {
            let error = error.error();
            let at = error.event_index.map_or(json!(-1), |index| json!(index));
            let rule = error.rule().map_or("E01", |rule| rule.as_str());
            if error.code().category() == Category::Validation {
                outcome["paths"] = error.issues.iter().map(|issue| json!(issue.path)).collect();
            }
            return number_uuids(&failure(at, rule, outcome));
        }
    };
    if let Some(result) = run.result() {
        outcome["result"] = plain(result);
    }
    let ids = run.new_messages.iter().map(|message| {
        let message: Value = serde_json::from_str(&to_json(message)).unwrap();
        message["id"].clone()
    });
    outcome["newMessages"] = ids.collect();
    number_uuids(&outcome)
}

#[test]
fn agents_of_the_client_come_to_the_same() {
    judge("pipeline", false, told);
}
