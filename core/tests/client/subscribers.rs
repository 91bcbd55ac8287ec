//! The callbacks of an agent's subscribers, and the effect of the values that they return: as recorded from the
//! official client.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex};

use ag_ui_native::client::{
    Agent, AgentStateMutation, AgentSubscriber, AgentSubscriberParams, ClientError, Next, Response,
    RunOutcome, RunParameters, RunRequest,
};
#[allow(clippy::wildcard_imports)] // All events.
use ag_ui_native::types::*;
use ag_ui_native::{Code, Error, Profile, from_json, to_json};
use futures_util::stream;
use serde::Deserialize;
use serde_json::{Map, Value, json};

#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    name: String,
    #[serde(default)]
    messages: Vec<Value>,
    state: Option<Value>,
    #[serde(default)]
    pending_interrupts: Vec<Value>,
    events: Option<Vec<Value>>,
    #[serde(default)]
    resume: Vec<Value>,
    #[serde(default)]
    fails: bool,
    #[serde(default)]
    actions: Vec<Map<String, Value>>,
    subscribers: Vec<Answers>,
    quirk: Option<String>,
    expected: Value,
}

#[derive(Clone, Deserialize)]
struct Answers {
    answers: BTreeMap<String, Vec<Value>>,
}

impl Case {
    /// Returns true if a subscriber's answer has no counterpart in Rust: it throws, or its members have a wrong type.
    fn is_of_others(&self) -> bool {
        let answers = self.subscribers.iter().flat_map(|subscriber| subscriber.answers.values().flatten());
        answers.into_iter().any(|answer| {
            let stop = &answer["stopPropagation"];
            answer.is_null() || answer.get("throw").is_some() || !(stop.is_null() || stop.is_boolean())
        })
    }
}

fn read<T: ag_ui_native::bindings::decode::DeclaredType>(document: &Value) -> T {
    from_json(document.to_string(), Profile::Tolerant).unwrap().0
}

fn all<T: ag_ui_native::bindings::decode::DeclaredType>(documents: &[Value]) -> Vec<T> {
    documents.iter().map(read).collect()
}

fn plain(document: impl AsRef<str>) -> Value {
    serde_json::from_str(document.as_ref()).unwrap()
}

/// A message as the cases have it.
fn summary(message: &Value) -> Value {
    let mut summary = vec![message["id"].clone(), message.get("content").cloned().unwrap_or_default()];
    if let Some(calls) = message["toolCalls"].as_array() {
        summary.push(calls.iter().map(|call| call["function"]["arguments"].clone()).collect());
    }
    summary.into()
}

fn briefs<'v>(messages: impl IntoIterator<Item = &'v ag_ui_native::Value>) -> Value {
    messages.into_iter().map(|message| summary(&plain(to_json(message)))).collect()
}

/// A subscriber that records its callbacks, and answers as the case says.
struct Recorder {
    number: usize,
    answers: Answers,
    told: Mutex<BTreeMap<String, usize>>,
    log: Arc<Mutex<Vec<Value>>>,
}

impl Recorder {
    fn take(
        &self,
        name: &str,
        run: &AgentSubscriberParams<'_>,
        further: &Value,
    ) -> Option<AgentStateMutation> {
        let conversation = run.conversation();
        let mut parameters = json!({
            "messages": briefs(conversation.message_values()),
            "state": plain(to_json(&conversation.state)),
        });
        parameters.as_object_mut().unwrap().extend(further.as_object().unwrap().clone());
        if run.input().is_none() {
            parameters["input"] = Value::Null;
        }
        self.log.lock().unwrap().push(json!([self.number, name, parameters]));
        let mut told = self.told.lock().unwrap();
        let count = told.entry(name.to_owned()).or_default();
        let mut answers = self.answers.answers.get(name).into_iter().flatten();
        let answer = answers.find(|answer| answer["at"].as_u64().is_none_or(|at| at == *count as u64));
        *count += 1;
        let answer = answer?;
        let mut mutation = if answer["stopPropagation"] == true {
            AgentStateMutation::stop()
        } else {
            AgentStateMutation::default()
        };
        if let Some(messages) = answer["messages"].as_array() {
            mutation = mutation.with_messages(all(messages));
        }
        if let Some(state) = answer.get("state") {
            mutation = mutation.with_state(read::<ag_ui_native::Value>(state));
        }
        Some(mutation)
    }
}

/// Returns the further arguments of a callback for the type of an event.
fn details(run: &AgentSubscriberParams<'_>, event: &Event) -> Value {
    let message = |id: &str| run.message(id).map(|message| plain(to_json(message)));
    let text = |name: &str, id: &str| json!({ name: run.text(id).unwrap_or_default() });
    match event {
        Event::TextMessageContent(event) => text("textMessageBuffer", &event.message_id),
        Event::TextMessageEnd(event) => text("textMessageBuffer", &event.message_id),
        Event::ReasoningMessageContent(event) => text("reasoningMessageBuffer", &event.message_id),
        Event::ReasoningMessageEnd(event) => text("reasoningMessageBuffer", &event.message_id),
        Event::ToolCallArgs(event) => {
            let (name, arguments) = run.tool_call(&event.tool_call_id).unwrap_or_default();
            json!({ "toolCallName": name, "toolCallBuffer": arguments })
        }
        Event::ToolCallEnd(event) => {
            let (name, arguments) = run.tool_call(&event.tool_call_id).unwrap_or_default();
            let arguments = serde_json::from_str(arguments).unwrap_or_else(|_| json!({}));
            json!({ "toolCallName": name, "toolCallArgs": arguments })
        }
        Event::ActivitySnapshot(event) => {
            let mut details = json!({});
            if let Some(existing) = message(&event.message_id) {
                details["existingMessage"] = summary(&existing);
                if existing["role"] == "activity" {
                    details["activityMessage"] = summary(&existing);
                }
            }
            details
        }
        Event::ActivityDelta(event) => {
            json!({ "activityMessage": message(&event.message_id).as_ref().map(summary) })
        }
        Event::RunFinished(_) => match run.outcome().unwrap() {
            RunOutcome::Success { result, pending_tool_call_ids } => {
                let mut details =
                    json!({ "outcome": "success", "pendingToolCallIds": pending_tool_call_ids });
                if let Some(result) = result {
                    details["result"] = plain(to_json(&result));
                }
                details
            }
            RunOutcome::Interrupt(interrupts) => {
                let ids: Vec<_> = interrupts.into_iter().map(|interrupt| interrupt.id).collect();
                json!({ "outcome": "interrupt", "interrupts": ids })
            }
            other => json!({ "outcome": other.as_str() }),
        },
        _ => json!({}),
    }
}

/// The callbacks for types of events, each by its name elsewhere.
macro_rules! recorder {
    ($($callback:ident($type:ident) = $name:literal,)+) => {
        impl AgentSubscriber for Recorder {
            fn on_run_initialized(&self, run: &AgentSubscriberParams<'_>) -> Option<AgentStateMutation> {
                let input = run.input().unwrap().messages.iter();
                let input: Vec<_> = input.map(|message| summary(&plain(to_json(message)))).collect();
                self.take("onRunInitialized", run, &json!({ "input": input }))
            }

            fn on_run_failed(&self, run: &AgentSubscriberParams<'_>, _: &ClientError) -> Option<AgentStateMutation> {
                self.take("onRunFailed", run, &json!({}))
            }

            fn on_run_finalized(&self, run: &AgentSubscriberParams<'_>) -> Option<AgentStateMutation> {
                self.take("onRunFinalized", run, &json!({}))
            }

            fn on_event(&self, run: &AgentSubscriberParams<'_>, event: &Event) -> Option<AgentStateMutation> {
                self.take("onEvent", run, &json!({ "event": event.tag() }))
            }

            fn on_new_message(&self, run: &AgentSubscriberParams<'_>, message: &Message) {
                self.take("onNewMessage", run, &json!({ "message": summary(&plain(to_json(message))) }));
            }

            fn on_new_tool_call(&self, run: &AgentSubscriberParams<'_>, call: &ToolCall) {
                let summary = (&call.id, &call.function.name, &call.function.arguments);
                self.take("onNewToolCall", run, &json!({ "toolCall": summary }));
            }

            fn on_messages_changed(&self, run: &AgentSubscriberParams<'_>) {
                self.take("onMessagesChanged", run, &json!({}));
            }

            fn on_state_changed(&self, run: &AgentSubscriberParams<'_>) {
                self.take("onStateChanged", run, &json!({}));
            }

            $(fn $callback(&self, run: &AgentSubscriberParams<'_>, event: &$type) -> Option<AgentStateMutation> {
                self.take($name, run, &details(run, &event.clone().into()))
            })+
        }
    };
}

recorder! {
    on_run_started_event(RunStartedEvent) = "onRunStartedEvent",
    on_run_finished_event(RunFinishedEvent) = "onRunFinishedEvent",
    on_run_error_event(RunErrorEvent) = "onRunErrorEvent",
    on_step_started_event(StepStartedEvent) = "onStepStartedEvent",
    on_step_finished_event(StepFinishedEvent) = "onStepFinishedEvent",
    on_subagent_started_event(SubagentStartedEvent) = "onSubagentStartedEvent",
    on_subagent_finished_event(SubagentFinishedEvent) = "onSubagentFinishedEvent",
    on_subagent_error_event(SubagentErrorEvent) = "onSubagentErrorEvent",
    on_text_message_start_event(TextMessageStartEvent) = "onTextMessageStartEvent",
    on_text_message_content_event(TextMessageContentEvent) = "onTextMessageContentEvent",
    on_text_message_end_event(TextMessageEndEvent) = "onTextMessageEndEvent",
    on_tool_call_start_event(ToolCallStartEvent) = "onToolCallStartEvent",
    on_tool_call_args_event(ToolCallArgsEvent) = "onToolCallArgsEvent",
    on_tool_call_end_event(ToolCallEndEvent) = "onToolCallEndEvent",
    on_tool_call_result_event(ToolCallResultEvent) = "onToolCallResultEvent",
    on_state_snapshot_event(StateSnapshotEvent) = "onStateSnapshotEvent",
    on_state_delta_event(StateDeltaEvent) = "onStateDeltaEvent",
    on_messages_snapshot_event(MessagesSnapshotEvent) = "onMessagesSnapshotEvent",
    on_activity_snapshot_event(ActivitySnapshotEvent) = "onActivitySnapshotEvent",
    on_activity_delta_event(ActivityDeltaEvent) = "onActivityDeltaEvent",
    on_raw_event(RawEvent) = "onRawEvent",
    on_custom_event(CustomEvent) = "onCustomEvent",
    on_reasoning_start_event(ReasoningStartEvent) = "onReasoningStartEvent",
    on_reasoning_message_start_event(ReasoningMessageStartEvent) = "onReasoningMessageStartEvent",
    on_reasoning_message_content_event(ReasoningMessageContentEvent) = "onReasoningMessageContentEvent",
    on_reasoning_message_end_event(ReasoningMessageEndEvent) = "onReasoningMessageEndEvent",
    on_reasoning_end_event(ReasoningEndEvent) = "onReasoningEndEvent",
    on_reasoning_encrypted_value_event(ReasoningEncryptedValueEvent) = "onReasoningEncryptedValueEvent",
}

/// Returns the result of a case, with or without middleware that changes nothing.
fn outcome(case: &Case, through: bool) -> Value {
    let sent = Arc::new(Mutex::new(Value::Null));
    let (seen, events, fails) = (Arc::clone(&sent), case.events.clone().unwrap_or_default(), case.fails);
    let mut agent = Agent::over(move |request: RunRequest| {
        let input = plain(request.body().unwrap());
        let messages: Value = input["messages"].as_array().unwrap().iter().map(summary).collect();
        *seen.lock().unwrap() = json!({ "messages": messages, "state": input["state"] });
        let mut pieces: Vec<_> = events.iter().map(|event| Ok(format!("data: {event}\n\n"))).collect();
        if fails {
            pieces.push(Err("lost"));
        }
        async { Ok(Response::new(stream::iter(pieces))) }
    })
    .with_messages(&all::<Message>(&case.messages))
    .with_pending_interrupts(all::<Interrupt>(&case.pending_interrupts));
    if through {
        agent = agent.with_middleware(|input: RunAgentInput, next: Next| next.run(input));
    }
    if let Some(state) = &case.state {
        agent.set_state(read::<ag_ui_native::Value>(state));
    }
    let log = Arc::new(Mutex::new(Vec::new()));
    for (number, answers) in case.subscribers.iter().enumerate() {
        let (answers, log) = (answers.clone(), Arc::clone(&log));
        agent.subscribe(Arc::new(Recorder { number, answers, told: Mutex::default(), log }));
    }
    let mut found = json!({});
    if case.events.is_some() {
        let resume = (!case.resume.is_empty()).then(|| all::<ResumeEntry>(&case.resume));
        let mut options = RunParameters::default().with_run_id("r");
        options.resume = resume;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        match runtime.block_on(agent.run_to_end(options)) {
            Ok(run) => {
                let ids = run.new_messages.iter().map(|message| plain(to_json(message))["id"].clone());
                found["newMessages"] = ids.collect();
                if let Some(result) = run.result() {
                    found["result"] = plain(to_json(result));
                }
            }
            Err(_) => found["rejects"] = true.into(),
        }
        let sent = sent.lock().unwrap().take();
        if !sent.is_null() {
            found["sent"] = sent;
        }
    }
    for (action, argument) in case.actions.iter().flatten() {
        match action.as_str() {
            "addMessage" => agent.add_message(read::<Message>(argument)),
            "addMessages" => agent.add_messages(all(argument.as_array().unwrap())),
            "setMessages" => agent.set_messages(&all::<Message>(argument.as_array().unwrap())),
            "setState" => agent.set_state(read::<ag_ui_native::Value>(argument)),
            other => panic!("{other}"),
        }
    }
    let conversation = agent.conversation();
    found["messages"] = conversation.message_values().map(|message| plain(to_json(message))).collect();
    found["state"] = plain(to_json(&conversation.state));
    let ids: Vec<_> = agent.pending_interrupts().iter().map(|interrupt| interrupt.id.clone()).collect();
    if !ids.is_empty() {
        found["pendingInterrupts"] = ids.into();
    }
    found["calls"] = std::mem::take(&mut *log.lock().unwrap()).into();
    found
}

/// Changes recorded calls to those of a client in which the agent and its subscribers share one state: a state that an
/// event changes together with messages is set before the callbacks for the messages.
fn settle(calls: &mut [Value]) {
    let mut state = None;
    for call in calls.iter_mut().rev() {
        let name = call[1].as_str().unwrap().to_owned();
        let parameters = call[2].as_object_mut().unwrap();
        parameters.remove("agentMessages");
        parameters.remove("agentState");
        match (name.as_str(), &state) {
            // The application changes one after the other.
            _ if parameters.contains_key("input") => state = None,
            ("onStateChanged", _) => state = Some(parameters["state"].clone()),
            ("onMessagesChanged", Some(state)) => _ = parameters.insert("state".to_owned(), state.clone()),
            _ => state = None,
        }
    }
}

#[test]
fn subscribers_are_told_what_the_official_client_tells() {
    let cases: Vec<Case> =
        serde_json::from_str(include_str!("../../../tests/fixtures/client/subscriber_cases.json")).unwrap();
    let (mut wrong, mut compared) = (String::new(), 0);
    for case in cases.into_iter().filter(|case| case.quirk.is_none() && !case.is_of_others()) {
        let mut expected = case.expected.clone();
        settle(expected["calls"].as_array_mut().unwrap());
        let found = outcome(&case, false);
        assert_eq!(outcome(&case, true), found, "{}", case.name);
        compared += 1;
        if found == expected {
            continue;
        }
        let _ = write!(wrong, "\n{}", case.name);
        for (key, value) in found.as_object().unwrap() {
            if key == "calls" {
                let (ours, theirs) = (value.as_array().unwrap(), expected[key].as_array().unwrap());
                let at = ours.iter().zip(theirs).position(|(ours, theirs)| ours != theirs);
                let at = at.unwrap_or(ours.len().min(theirs.len()));
                let _ = write!(
                    wrong,
                    "\n  call {at}: expected {:?}\n           found {:?}",
                    theirs.get(at),
                    ours.get(at)
                );
            } else if *value != expected[key] {
                let _ = write!(wrong, "\n  {key}: expected {}, found {value}", expected[key]);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(compared > 60, "{compared}");
}

#[test]
fn a_removed_subscriber_is_not_called() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let mut agent =
        Agent::over(|_: RunRequest| async { Err::<Response, _>(Error::new(Code::ConnectionFailed, "")) });
    let subscribe = |agent: &mut Agent<_>, number| {
        let answers = Answers { answers: BTreeMap::new() };
        let log = Arc::clone(&log);
        agent.subscribe(Arc::new(Recorder { number, answers, told: Mutex::default(), log }))
    };
    let first = subscribe(&mut agent, 0);
    let second = subscribe(&mut agent, 1);
    assert!(agent.unsubscribe(first) && !agent.unsubscribe(first));
    // A copy has the same subscribers; they are notified of both.
    let mut other = agent.clone();
    agent.set_state(1);
    other.set_state(2);
    assert!(agent.unsubscribe(second));
    agent.set_state(3);
    let told: Vec<Value> = std::mem::take(&mut *log.lock().unwrap());
    assert_eq!(
        told.iter().map(|call| (&call[0], &call[2]["state"])).collect::<Vec<_>>(),
        [(&json!(1), &json!(1)), (&json!(1), &json!(2))]
    );
}
