//! `tests/fixtures/client/client_calls.json`: each request of a call, and the result of a call that ends early.

use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

use ag_ui_native::bindings::client::{AgentMembers, Cause, NextStep, OutcomeKind, Runs, read_members};
use ag_ui_native::bindings::decode::DeclaredType;
use ag_ui_native::client::{
    AbortHandle, Agent, AgentStateMutation, AgentSubscriber, AgentSubscriberParams, ClientError, Events,
    Next, Response, RunOutcome, RunParameters, RunRequest, RunResult, Timeouts, Transport,
};
use ag_ui_native::types::{Interrupt, Message, RunAgentInput, RunStartedEvent, Tool};
use ag_ui_native::{Code, Error, Limits, Profile, ProtocolVersion, from_json, to_json};
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};

fn table(part: &str) -> Vec<Value> {
    let table = include_str!("../../../tests/fixtures/client/client_calls.json");
    let mut table: Value = serde_json::from_str(table).unwrap();
    serde_json::from_value(table[part].take()).unwrap()
}

fn plain(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn texts(value: &Value) -> Vec<String> {
    list(value).iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

fn read<T: DeclaredType>(documents: &Value) -> Vec<T> {
    let read = |document: &Value| from_json::<T>(document.to_string(), Profile::Strict).unwrap().0;
    list(documents).iter().map(read).collect()
}

fn interrupts(ids: &Value) -> Vec<Interrupt> {
    texts(ids).iter().map(|id| Interrupt::new(id.as_str(), "tool_call")).collect()
}

fn version(peer: &Value) -> Option<ProtocolVersion> {
    peer.as_str().map(|peer| ProtocolVersion::parse(peer).unwrap())
}

/// Returns an input in the form of the table: ids that were made become `#1` and so on.
fn seen_of(input: &Value, made: &mut Vec<Value>, given: &Value) -> Value {
    let id = &input["runId"];
    if id != given && !made.contains(id) {
        made.push(id.clone());
    }
    let place = made.iter().position(|known| known == id);
    let tool = |tool: &Value| {
        format!("{} {}", tool["name"].as_str().unwrap(), tool["description"].as_str().unwrap())
    };
    json!({
        "runId": place.map_or_else(|| id.clone(), |place| format!("#{}", place + 1).into()),
        "parentRunId": input["parentRunId"],
        "resume": list(&input["resume"]).iter().map(|entry| &entry["interruptId"]).collect::<Vec<_>>(),
        "tools": list(&input["tools"]).iter().map(tool).collect::<Vec<_>>(),
        "messages": list(&input["messages"]).iter().map(|message| &message["content"]).collect::<Vec<_>>(),
        "state": input["state"],
        "forwardedProps": input["forwardedProps"],
    })
}

/// Returns the members of `found` that `wanted` has, too.
fn part(found: &Value, wanted: &Value) -> Value {
    let names = wanted.as_object().unwrap().keys();
    names.map(|name| (name.clone(), found[name].clone())).collect::<serde_json::Map<_, _>>().into()
}

/// Asks for a run: the input, and the codes of the warnings; or the code of the refusal.
fn ask(runs: &mut Runs, step: &Value) -> Result<(Value, Vec<String>), String> {
    let mut members = json!({"threadId": "t", "runId": "", "messages": []});
    members.as_object_mut().unwrap().extend(step["asks"].as_object().unwrap().clone());
    let mut input = read_members(&members.to_string(), Limits::default()).unwrap();
    let agent = AgentMembers {
        parent_run_id: step["agent"]["parentRunId"].as_str().map(str::to_owned),
        tools: read(&step["agent"]["tools"]),
        run_id: None,
    };
    let lost = runs.prepare(&mut input, agent, &interrupts(&step["pending"]), version(&step["peer"]), 0);
    match lost {
        Ok(lost) => {
            Ok((plain(&to_json(&input)), lost.iter().map(|issue| issue.code.as_str().to_owned()).collect()))
        }
        Err(error) => Err(error.code().as_str().to_owned()),
    }
}

#[test]
fn machine() {
    for case in table("machine") {
        let mut runs = Runs::new(10);
        let mut made = Vec::new();
        for step in list(&case["steps"]) {
            let at = format!("{}: {step}", case["name"]);
            if step.get("asks").is_some() {
                let asked = ask(&mut runs, step);
                assert_eq!(asked.as_ref().err().map(String::as_str), step["refused"].as_str(), "{at}");
                let Ok((input, warns)) = asked else { continue };
                let seen = seen_of(&input, &mut made, &step["asks"]["runId"]);
                let wanted = step.get("asked").cloned().unwrap_or_else(|| json!({}));
                assert_eq!(part(&seen, &wanted), wanted, "{at}");
                if let Some(wanted) = step.get("warns") {
                    assert_eq!(json!(warns), *wanted, "{at}");
                }
            } else if let Some(outcome) = step["ended"].as_str() {
                runs.ended(OutcomeKind::of(outcome).unwrap(), &[], &texts(&step["pending"]));
            } else if let Some(calls) = step.get("calls") {
                let pending = runs.pending();
                let named = pending.iter().map(|id| (id.as_str(), id.as_str()));
                assert_eq!(json!(runs.calls(named, |_| true)), *calls, "{at}");
            } else if let Some(id) = step["answered"].as_str() {
                runs.answered(id);
            } else if let Some(max_runs) = step["next"].as_u64() {
                runs = runs.next(usize::try_from(max_runs).unwrap());
            } else if let Some(wanted) = step.get("late") {
                let late = runs.late().map(|error| {
                    assert_eq!(error.limit, Some("callback_grace"), "{at}");
                    error.code().as_str()
                });
                assert_eq!(late, wanted.as_str(), "{at}");
            } else if let Some(code) = step["lost"].as_str() {
                assert_eq!(json!(runs.tolerates_loss(code)), step["finishes"], "{at}");
            } else if let Some(stops) = step["stops"].as_bool() {
                assert_eq!(json!(runs.is_handled(stops)), step["isHandled"], "{at}");
            } else if let Some(wanted) = step.get("then") {
                let found = match runs.next_step(step["stopped"] == true) {
                    Ok(NextStep::Answer(call)) => format!("answer {call}"),
                    Ok(other) => format!("{other:?}").to_lowercase(),
                    Err(error) => error.code().as_str().to_owned(),
                };
                assert_eq!(json!(found), *wanted, "{at}");
            } else if let Some(now) = step["now"].as_f64() {
                let until = runs
                    .callback_deadline(Duration::from_secs_f64(now.max(0.0)), step["ofEnd"] == true)
                    .as_secs_f64();
                assert_eq!(json!(until), json!(step["until"].as_f64()), "{at}");
            } else {
                let is = |name: &str| step["ends"][name] == true;
                let ending = runs.end(Cause {
                    error: step["ends"]["error"].as_str(),
                    is_aborted: is("aborted"),
                    is_detached: is("quiet"),
                    has_changes: is("heard"),
                });
                let does = [
                    ("removes_message", ending.removes_message),
                    ("notifies", ending.notifies),
                    ("raises", ending.raises),
                    ("reports", ending.reports),
                ];
                let does: Vec<_> =
                    does.iter().filter(|(_, is_done)| *is_done).map(|(name, _)| name).collect();
                assert_eq!(json!(does), step["does"], "{at}");
                let outcomes: Vec<_> = runs.all().iter().map(|run| run.outcome.as_str()).collect();
                if let Some(wanted) = step.get("outcomes") {
                    assert_eq!(json!(outcomes), *wanted, "{at}");
                }
            }
        }
    }
}

/// Reacts as the table says, and records each callback with the number of messages.
struct Scripted {
    reactions: Value,
    told: Arc<Mutex<Vec<String>>>,
    aborts: AbortHandle,
}

impl Scripted {
    fn take(&self, name: &str, run: &AgentSubscriberParams<'_>) -> Option<AgentStateMutation> {
        let reaction = self.reactions.get(name)?;
        self.told.lock().unwrap().push(format!("{name} {}", run.conversation().message_values().count()));
        if reaction["aborts"] == true {
            self.aborts.abort();
        }
        let mut wanted =
            if reaction["stop"] == true { AgentStateMutation::stop() } else { AgentStateMutation::default() };
        if let Some(state) = reaction.get("state") {
            let (state, _) = from_json::<ag_ui_native::Value>(state.to_string(), Profile::Strict).unwrap();
            wanted = wanted.with_state(state);
        }
        Some(wanted)
    }
}

impl AgentSubscriber for Scripted {
    fn on_run_initialized(&self, run: &AgentSubscriberParams<'_>) -> Option<AgentStateMutation> {
        self.take("on_run_initialized", run)
    }

    fn on_run_failed(&self, run: &AgentSubscriberParams<'_>, _: &ClientError) -> Option<AgentStateMutation> {
        self.take("on_run_failed", run)
    }

    fn on_run_finalized(&self, run: &AgentSubscriberParams<'_>) -> Option<AgentStateMutation> {
        self.take("on_run_finalized", run)
    }

    fn on_run_started_event(
        &self,
        run: &AgentSubscriberParams<'_>,
        _: &RunStartedEvent,
    ) -> Option<AgentStateMutation> {
        self.take("on_run_started_event", run)
    }

    fn on_new_message(&self, run: &AgentSubscriberParams<'_>, _: &Message) {
        self.take("on_new_message", run);
    }

    fn on_state_changed(&self, run: &AgentSubscriberParams<'_>) {
        self.take("on_state_changed", run);
    }
}

/// Sends requests as the table says, and records the result of each.
fn asking_again(case: &Value, mut input: RunAgentInput, next: Next, seen: Arc<Mutex<Vec<Value>>>) -> Events {
    let keeps: Vec<_> = list(&case["middleware"]).iter().map(|is_kept| *is_kept == true).collect();
    input.messages.extend(read::<Message>(&case["passes"]));
    let waits = case["waits"] == true;
    Events::generate(|sink| async move {
        for is_kept in keeps {
            let mut events = next.run(input.clone());
            let mut failure = None;
            while let Some(event) = events.next().await {
                match event {
                    Ok(event) if is_kept => sink.send(event).await,
                    Ok(_) => {}
                    Err(error) => failure = Some(error),
                }
            }
            seen.lock().unwrap().push(json!(failure.as_ref().map(|error| error.code().as_str())));
            if let Some(failure) = failure.filter(|_| is_kept) {
                return Err(failure);
            }
        }
        if waits {
            std::future::pending::<()>().await;
        }
        Ok(())
    })
}

fn outcome(result: &RunResult) -> &str {
    result.outcome.as_ref().map_or("failed", RunOutcome::as_str)
}

/// Answers as the table says, and records the requests.
fn transport(
    case: &Value,
    requests: Arc<Mutex<Vec<Value>>>,
    aborts: Arc<Mutex<Option<AbortHandle>>>,
) -> impl Transport {
    let (answers, ends) = (case["answers"].clone(), case["ends"].clone());
    move |request: RunRequest| {
        let mut requests = requests.lock().unwrap();
        let end = ends[requests.len()].as_str().map(str::to_owned);
        let aborts = aborts.lock().unwrap().clone();
        let events = list(&answers[requests.len()]).iter().cloned().map(|mut event| {
            for (member, scripted, asked) in
                [("threadId", "t", &request.input.thread_id), ("runId", "r", &request.input.run_id)]
            {
                if event[member] == scripted {
                    event[member] = asked.as_str().into();
                }
            }
            Ok::<_, Error>(format!("data: {event}\n\n"))
        });
        let pieces: Vec<_> = events.collect();
        requests.push(plain(&request.body().unwrap()));
        async move {
            if end.as_deref() == Some("refused") {
                return Err(Error::new(Code::ConnectionFailed, ""));
            }
            let behind = stream::poll_fn(move |_| match end.as_deref() {
                Some("lost") => Poll::Ready(Some(Err(Error::new(Code::ConnectionLost, "")))),
                Some("aborted") => {
                    aborts.as_ref().map(AbortHandle::abort);
                    Poll::Pending
                }
                _ => Poll::Ready(None),
            });
            Ok(Response::new(stream::iter(pieces).chain(behind)))
        }
    }
}

#[tokio::test(flavor = "current_thread")]
async fn runs() {
    for case in table("runs").into_iter().filter(|case| case.get("hosts").is_none()) {
        let name = &case["name"];
        let (requests, aborts) = (Arc::default(), Arc::default());
        let transport = transport(&case, Arc::clone(&requests), Arc::clone(&aborts));
        let mut agent = Agent::over(transport)
            .with_messages(&read::<Message>(&case["messagesBefore"]))
            .with_pending_interrupts(interrupts(&case["pendingInterrupts"]));
        if let Some(state) = case.get("stateBefore") {
            agent = agent.with_state(state.clone());
        }
        for tool in read::<Tool>(&case["tools"]) {
            agent = agent.with_tool(tool, |_: Value| std::future::ready(Ok::<_, String>("done")));
        }
        if let Some(max_runs) = case["maxRuns"].as_u64() {
            agent = agent.with_max_runs(usize::try_from(max_runs).unwrap());
        }
        if let Some(peer) = version(&case["peer"]) {
            agent = agent.with_peer(peer);
        }
        if let Some(idle) = case["idle"].as_f64() {
            let mut timeouts = Timeouts::default();
            timeouts.idle = Some(Duration::from_secs_f64(idle));
            agent = agent.with_timeouts(timeouts);
        }
        agent.set_parent_run_id(case["parentRunId"].as_str().map(str::to_owned));
        let told = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::new(Mutex::new(Vec::new()));
        if case.get("middleware").is_some() {
            let (case, seen) = (case.clone(), Arc::clone(&seen));
            agent = agent.with_middleware(move |input: RunAgentInput, next: Next| {
                asking_again(&case, input, next, Arc::clone(&seen))
            });
        }
        *aborts.lock().unwrap() = Some(agent.abort_handle());
        let (reactions, aborts) = (case["subscriber"].clone(), agent.abort_handle());
        agent.subscribe(Arc::new(Scripted { reactions, told: Arc::clone(&told), aborts }));

        let mut options = RunParameters::default().with_tools(read(&case["run"]["tools"]));
        options.run_id = case["run"]["runId"].as_str().map(str::to_owned);
        options.parent_run_id = case["run"]["parentRunId"].as_str().map(str::to_owned);
        let ended = if let Some(said) = case["said"].as_str() {
            agent.ask_with(said, options).await.map(|reply| reply.result.clone())
        } else if case.get("leave").is_some() {
            let mut run = agent.run(options);
            while let Some(event) = run.next().await {
                if event.unwrap().tag() == case["leave"] {
                    break;
                }
            }
            Ok(run.into_result())
        } else {
            agent.run_to_end(options).await
        };
        let (code, result) = match ended {
            Ok(result) => (Value::Null, result),
            Err(failure) => (failure.code().as_str().into(), failure.run().clone()),
        };
        assert_eq!(code, case["raises"], "{name}");
        if let Some(wanted) = case["outcome"].as_str() {
            assert_eq!(outcome(&result), wanted, "{name}");
        }
        if let Some(wanted) = case.get("told") {
            assert_eq!(json!(*told.lock().unwrap()), *wanted, "{name}");
        }
        if let Some(wanted) = case.get("seen") {
            assert_eq!(json!(*seen.lock().unwrap()), *wanted, "{name}");
        }
        let messages = agent.conversation().message_values().map(|message| plain(&to_json(message)));
        let contents: Vec<_> = messages.map(|message| message["content"].clone()).collect();
        assert_eq!(json!(contents), case["messages"], "{name}");
        if let Some(state) = case.get("state") {
            assert_eq!(plain(&to_json(agent.state())), *state, "{name}");
        }
        if let Some(wanted) = case.get("warnings") {
            let codes: Vec<_> = result.input_warnings.iter().map(|issue| issue.code.as_str()).collect();
            assert_eq!(json!(codes), *wanted, "{name}");
        }
        let Some(wanted) = case["requests"].as_array() else { continue };
        let requests = requests.lock().unwrap();
        assert_eq!(requests.len(), wanted.len(), "{name}");
        let mut made = vec![Value::Null];
        for (request, wanted) in requests.iter().zip(wanted) {
            let seen = seen_of(request, &mut made, &case["run"]["runId"]);
            assert_eq!(part(&seen, wanted), *wanted, "{name}");
        }
    }
}
