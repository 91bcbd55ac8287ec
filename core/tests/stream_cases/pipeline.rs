//! Section `pipeline`: bytes in, a conversation out.

use std::collections::{BTreeMap, BTreeSet};

use ag_ui_native::bindings::Category;
use ag_ui_native::bindings::pipeline::{Output, Pipeline, PipelineOptions};
use ag_ui_native::bindings::reduce::{Change, Conversation, Reducer, RunEnd};
use ag_ui_native::bindings::resume;
use ag_ui_native::bindings::validate::Nothing;
use ag_ui_native::stream::EventPipeline;
use ag_ui_native::types::{Interrupt, ResumeEntry};
use ag_ui_native::{Error, Profile, from_json};
use serde_json::{Value, json};

use super::apply::{Session, plain, values};
use super::{Case, Cases, failure, fixture, judge};

/// A time in 2026, about when the cases were recorded.
const NOW: i64 = 1_780_000_000_000;

fn run(case: &Case, session: &mut Session, result: &mut Option<Value>) -> Result<(), Error> {
    let list = |name: &str| case.input[name].as_array().cloned().unwrap_or_default().into_iter();
    let resume: Vec<ResumeEntry> =
        list("resume").map(|entry| from_json(entry.to_string(), Profile::Strict).unwrap().0).collect();
    let pending: Vec<Interrupt> = session.conversation.pending_interrupts.clone();
    resume::check(&pending, &resume, NOW)?;
    let messages = session.conversation.messages().unwrap();
    // The reference accepts a stream that ends early; so do pipelines that are not closed.
    let mut pipeline = Pipeline::new(None, PipelineOptions::default(), &messages)?;
    for event in list("events") {
        let frame = format!("data: {event}\n\n");
        pipeline.feed(frame.as_bytes(), &mut Nothing, &mut |output: Output<'_, ()>, _: &mut Reducer| {
            let reduction = output.kind.into_reduction().expect("reduced");
            for change in reduction.changes {
                if let Change::RunFinished { end: RunEnd::Success { result: found, .. }, .. } = &change {
                    *result = found.as_ref().map(plain);
                }
                session.conversation.apply(change);
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Random ids as the cases have them: numbered in order of appearance.
pub fn number_uuids(outcome: &Value) -> Value {
    let mut text = outcome.to_string();
    // Ids of ours begin with their kind: `msg-` and a UUID.
    let pattern = regex_lite::Regex::new("(msg-)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}").unwrap();
    let mut seen = BTreeMap::new();
    for found in pattern.find_iter(&text.clone()) {
        let number = seen.len() + 1;
        seen.entry(found.as_str().to_owned()).or_insert(number);
    }
    for (uuid, number) in seen {
        text = text.replace(&uuid, &format!("<uuid:{number}>"));
    }
    serde_json::from_str(&text).unwrap()
}

#[test]
fn pipeline() {
    judge("pipeline", false, |case| {
        let mut session = Session::of(case);
        let ids = |session: &Session| -> Vec<String> {
            session
                .conversation
                .message_values()
                .map(|message| plain(message)["id"].as_str().unwrap().to_owned())
                .collect()
        };
        let before: BTreeSet<String> = ids(&session).into_iter().collect();
        let mut result = None;
        let end = run(case, &mut session, &mut result);
        let mut outcome = session.result();
        let interrupts = &session.conversation.pending_interrupts;
        if !interrupts.is_empty() || case.input.get("pendingInterrupts").is_some() {
            outcome["pendingInterrupts"] = values(interrupts);
        }
        if let Err(error) = end {
            let at = error.event_index.map_or(json!(-1), |index| json!(index));
            let rule = error.rule().map_or("E01", |rule| rule.as_str());
            if error.code().category() == Category::Validation {
                outcome["paths"] = error.issues.iter().map(|issue| json!(issue.path)).collect();
            }
            return number_uuids(&failure(at, rule, outcome));
        }
        if let Some(result) = result {
            outcome["result"] = result;
        }
        outcome["newMessages"] =
            ids(&session).into_iter().filter(|id| !before.contains(id)).map(Value::from).collect();
        number_uuids(&outcome)
    });
}

#[test]
fn the_pipeline_of_rust_programs_keeps_the_same_conversation() {
    let mut compared = 0;
    for case in &fixture::<Cases>("stream-cases").cases {
        if case.section != "pipeline" {
            continue;
        }
        let mut session = Session::of(case);
        let messages = session.conversation.messages().unwrap();
        let mut pipeline = EventPipeline::new()
            .with_messages(&messages)
            .with_state(session.conversation.state.clone())
            .with_pending_interrupts(session.conversation.pending_interrupts.clone());
        let end = run(case, &mut session, &mut None);
        let events = case.input["events"].as_array().unwrap();
        let outcome = events.iter().try_for_each(|event| {
            pipeline.feed(format!("data: {event}\n\n").as_bytes()).try_for_each(|event| event.map(drop))
        });
        // Answers to interrupts are no matter of the stream.
        if end.as_ref().err().is_none_or(|error| error.event_index.is_some()) {
            // Messages may name ids that were made.
            let told = |error: Error| (error.code(), error.event_index, error.rule());
            assert_eq!(outcome.map_err(told), end.map_err(told), "{}", case.name);
            let conversation = pipeline.into_conversation();
            let all = |conversation: &Conversation| {
                let messages: Vec<Value> = conversation.message_values().map(plain).collect();
                let interrupts = values(&conversation.pending_interrupts);
                number_uuids(&json!([messages, plain(&conversation.state), interrupts]))
            };
            assert_eq!(all(&conversation), all(&session.conversation), "{}", case.name);
            compared += 1;
        }
    }
    assert!(compared > 10, "{compared}");
}
