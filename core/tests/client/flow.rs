//! `tests/fixtures/client/middleware.json`: the events of an answer that middleware sees, and the effect of the events
//! that it yields.

use crate::scripted;

use std::sync::{Arc, Mutex};

use ag_ui_native::bindings::decode::DeclaredType;
use ag_ui_native::client::{
    AgentStateMutation, AgentSubscriber, AgentSubscriberParams, Events, Next, RunParameters,
};
use ag_ui_native::types::RunAgentInput;
use ag_ui_native::{Event, Issue, Profile, ProtocolVersion, Warning, to_json};
use futures_util::stream::{self, StreamExt};
use serde_json::{Value, json};

type Log = Arc<Mutex<Vec<Value>>>;

fn plain<T: DeclaredType>(value: &T) -> Value {
    serde_json::from_str(&to_json(value)).unwrap()
}

/// A warning or an error in a line: its code, the rule, the event, the place.
fn summary(issue: &Issue, at: Option<usize>) -> String {
    let rule = issue.rule.map(|rule| rule.as_str().to_owned());
    let at = at.map(|at| format!("at {at}"));
    let parts = [Some(issue.code.to_string()), rule, at, Some(issue.path.clone())];
    parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Records the events, and replaces those of some types by other events.
fn watch(seen: &Log, instead: &Value) -> impl Fn(RunAgentInput, Next) -> Events + Send + Sync + use<> {
    let (seen, instead) = (Arc::clone(seen), instead.clone());
    move |input, next| {
        let (seen, instead) = (Arc::clone(&seen), instead.clone());
        Events::new(next.run(input).flat_map(move |event| {
            seen.lock().unwrap().extend(event.as_ref().ok().map(plain));
            let others = event.as_ref().ok().and_then(|event| instead[event.tag()].as_array());
            let given = others.map(|others| others.iter().map(|other| Ok(raw(other))).collect());
            stream::iter(given.unwrap_or_else(|| vec![event]))
        }))
    }
}

/// An event of an application, of any form.
fn raw(event: &Value) -> Event {
    match event.clone().into() {
        ag_ui_native::Value::Object(members) => Event::Unknown(members),
        other => panic!("{other:?}"),
    }
}

struct Shown(Log);

impl AgentSubscriber for Shown {
    fn on_event(&self, _: &AgentSubscriberParams<'_>, event: &Event) -> Option<AgentStateMutation> {
        self.0.lock().unwrap().push(plain(event));
        None
    }
}

async fn tell(case: &Value, profile: Profile) -> Value {
    let (seen, shown, warned) = (Log::default(), Log::default(), Log::default());
    let heard = Arc::clone(&warned);
    let (agent, _) = scripted::scripted(&[case["answer"].as_array().unwrap()]);
    let mut agent = agent
        .with_thread_id("t")
        .with_profile(profile)
        .with_middleware(watch(&seen, &case["instead"]))
        .with_on_warning(move |warning: &Warning| {
            heard.lock().unwrap().push(summary(&warning.issue, Some(warning.event_index)).into());
        });
    if let Some(peer) = case["peer"].as_str() {
        agent = agent.with_peer(ProtocolVersion::parse(peer).unwrap());
    }
    agent.subscribe(Arc::new(Shown(Arc::clone(&shown))));
    let done = agent.run_to_end(RunParameters::default().with_run_id("r")).await;
    let mut found = json!({});
    let mut put = |name: &str, log: Log| {
        let log = Arc::into_inner(log).map_or_else(Vec::new, |log| log.into_inner().unwrap());
        if !log.is_empty() {
            found[name] = log.into();
        }
    };
    drop(agent);
    put("sees", seen);
    put("shows", shown);
    put("warnings", warned);
    if let Err(failed) = done {
        let error = failed.error();
        let none = Issue::new(error.code(), "", "");
        found["error"] = summary(error.issues.first().unwrap_or(&none), error.event_index).into();
    }
    found
}

#[tokio::test(flavor = "current_thread")]
async fn middleware_sees_what_came() {
    let cases: Vec<Value> =
        serde_json::from_str(include_str!("../../../tests/fixtures/client/middleware.json")).unwrap();
    for case in &cases {
        for (name, profile) in [("strict", Profile::Strict), ("tolerant", Profile::Tolerant)] {
            assert_eq!(tell(case, profile).await, case[name], "{} {name}", case["name"]);
        }
    }
}
