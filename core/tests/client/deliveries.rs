//! The notifications of subscribers, their order, and the effect of the values that callbacks return: the scripts that
//! all three languages read, and random schedules.

use crate::simulation;

use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use ag_ui_native::bindings::client::{
    AbortHandle, Agent, AgentStateMutation, AgentSubscriber, AgentSubscriberParams, Callback, CallbackResult,
    Callbacks, ClientError, Counts, Delivered, Delivery, DeliveryStep, Notify, Reduce, Reduced, Response,
    RunOutcome, RunParameters, RunRequest, RunResult, Transport,
};
use ag_ui_native::bindings::reduce::ChangeKind;
use ag_ui_native::types::{
    Event, EventType, Message, RunErrorEvent, RunFinishedEvent, TextMessageContentEvent, TextMessageEndEvent,
    ToolCallArgsEvent,
};
use ag_ui_native::{Profile, from_json, to_json};
use futures_util::stream;
use proptest::prelude::*;
use serde_json::{Value, json};

fn all(fixture: &str) -> Value {
    let text = include_str!("../../../tests/fixtures/client/deliveries.json");
    serde_json::from_str::<Value>(text).unwrap()[fixture].take()
}

fn named(name: &str) -> Callback {
    Callback::all().find(|callback| callback.name() == name).unwrap_or_else(|| panic!("{name}"))
}

/// Returns the set of these callbacks.
fn subscriber(names: &Value) -> Callbacks {
    names.as_array().unwrap().iter().map(|name| named(name.as_str().unwrap())).collect()
}

pub fn answer(words: &[&str]) -> CallbackResult {
    let has = |word| words.contains(&word);
    CallbackResult { stop: has("stop"), messages: has("messages"), state: has("state") }
}

fn reduced(words: &[&str]) -> Reduced {
    let kinds = words.iter().filter_map(|word| match *word {
        "message" => Some(ChangeKind::MessageEnded),
        "call" => Some(ChangeKind::CallEnded),
        _ => None,
    });
    let (messages, state) = (words.contains(&"messages"), words.contains(&"state"));
    Reduced { messages, state, ..Reduced::default() }.with_kinds(kinds)
}

/// Carries out a line of a script; `ticket` is that of the pending notification.
pub fn feed(delivery: &mut Delivery, input: &str, ticket: u32) -> DeliveryStep {
    let words: Vec<&str> = input.split(' ').collect();
    match words[0] {
        "late" => feed(delivery, &words[1..].join(" "), ticket.wrapping_sub(1)),
        "event" => delivery.event(EventType::parse(words[1])),
        "initialized" => delivery.initialized(),
        "failed" => delivery.failed(),
        "finalized" => delivery.finalized(),
        "changed" => delivery.changed(reduced(&words)),
        "answered" => delivery.answered(ticket, answer(&words)),
        "raised" => delivery.raised(ticket),
        "absent" => delivery.absent(ticket),
        "left" => delivery.left(ticket),
        "reduced" => delivery.reduced(reduced(&words)),
        "cut" => delivery.cut(),
        input => panic!("{input}"),
    }
}

/// A step as the scripts have it.
pub fn step_text(step: DeliveryStep) -> String {
    match step {
        DeliveryStep::Notify(Notify { callback, subscriber, subject, .. }) => {
            let subject = subject.map(|place| format!(" {place}")).unwrap_or_default();
            format!("notify {subscriber} {}{subject}", callback.name())
        }
        DeliveryStep::Reduce(Reduce::Whole) => "reduce whole".to_owned(),
        DeliveryStep::Reduce(Reduce::Begin) => "reduce begin".to_owned(),
        DeliveryStep::Reduce(Reduce::End) => "reduce end".to_owned(),
        DeliveryStep::Done(Delivered { stopped, messages, state, counts }) => {
            let counts = match counts {
                Counts::Whole => "whole",
                Counts::End => "end",
                Counts::BareEnd => "bare_end",
                Counts::Nothing => "nothing",
            };
            let words = [(stopped, "stopped"), (messages, "messages"), (state, "state"), (true, counts)];
            let words = words.into_iter().filter(|(is_said, _)| *is_said).map(|(_, word)| word);
            format!("done {}", words.collect::<Vec<_>>().join(" "))
        }
        DeliveryStep::Raise => "raise".to_owned(),
        DeliveryStep::Wait => "wait".to_owned(),
    }
}

pub fn ticket_of(step: DeliveryStep) -> Option<u32> {
    if let DeliveryStep::Notify(Notify { ticket, .. }) = step { Some(ticket) } else { None }
}

#[test]
fn scripts() {
    for script in all("machine").as_array().unwrap() {
        let subscribers = script["subscribers"].as_array().unwrap().iter().map(subscriber);
        let mut delivery = Delivery::new(subscribers);
        let mut ticket = 0;
        for step in script["steps"].as_array().unwrap() {
            let (input, then) = (step[0].as_str().unwrap(), step[1].as_str().unwrap());
            let found = feed(&mut delivery, input, ticket);
            assert_eq!(step_text(found), then, "{}: {input}", script["name"]);
            ticket = ticket_of(found).unwrap_or(ticket);
        }
    }
}

#[test]
fn callbacks_have_names_and_numbers() {
    let all: Vec<_> = Callback::all().collect();
    for (number, callback) in all.iter().enumerate() {
        assert_eq!(callback.number(), number);
        assert_eq!(Callback::named(&callback.name()), Some(*callback));
        assert!(Callbacks::ALL.has(*callback));
    }
    assert!(all.len() < 64);
    assert_eq!(Callback::named("on_mesage"), None);
    let wants = |names: &[&str]| Delivery::new([names.iter().copied().map(named).collect()]).wants_events();
    assert!(!wants(&["on_run_initialized", "on_run_failed", "on_run_finalized"]) && !wants(&[]));
    assert!(wants(&["on_state_changed"]) && wants(&["on_raw_event"]) && wants(&["on_event"]));
}

const ENDS: [&str; 2] = ["RUN_FINISHED", "RUN_ERROR"];

/// Random input of a host: input that fits the open step, and input that does not.
pub fn input() -> impl Strategy<Value = String> {
    let kinds = EventType::ENUM.values.iter().chain(&["LATER"]).copied().collect::<Vec<_>>();
    // Ends are drawn more often than other events.
    let kind = prop_oneof![3 => prop::sample::select(kinds), 1 => prop::sample::select(ENDS.to_vec())];
    let flags =
        prop::collection::vec(prop::sample::select(vec!["messages", "state", "message", "call", ""]), 0..4);
    let answer =
        prop::collection::vec(prop::sample::select(vec!["stop", "messages", "state", "", "", ""]), 1..3);
    let with = |first: &'static str| move |words: Vec<&str>| format!("{first} {}", words.join(" "));
    let lone = vec![
        "initialized",
        "failed",
        "finalized",
        "raised",
        "absent",
        "left",
        "cut",
        "late answered stop",
        "late left",
    ];
    prop_oneof![
        4 => kind.prop_map(|kind| format!("event {kind}")),
        8 => answer.prop_map(with("answered")),
        4 => flags.clone().prop_map(with("reduced")),
        1 => flags.prop_map(with("changed")),
        3 => prop::sample::select(lone).prop_map(str::to_owned),
        2 => Just("left".to_owned()),
    ]
}

pub fn subscribers() -> impl Strategy<Value = Vec<Callbacks>> {
    let some = prop::collection::vec(prop::sample::select(Callback::all().collect::<Vec<_>>()), 0..20);
    let one = prop_oneof![Just(Callbacks::ALL), some.prop_map(|some| some.into_iter().collect())];
    prop::collection::vec(one, 0..4)
}

/// Returns the rank of a step; the rank never falls while an event is delivered.
fn rung(step: DeliveryStep) -> usize {
    match step {
        DeliveryStep::Notify(Notify { callback, .. }) => match callback {
            Callback::RunInitialized | Callback::RunFailed | Callback::RunFinalized | Callback::Event => 0,
            Callback::Typed(_) => 2,
            Callback::NewMessage | Callback::NewToolCall => 4,
            Callback::MessagesChanged => 5,
            Callback::StateChanged => 6,
        },
        DeliveryStep::Reduce(Reduce::End) => 1,
        DeliveryStep::Reduce(_) => 3,
        DeliveryStep::Done(_) | DeliveryStep::Raise | DeliveryStep::Wait => 7,
    }
}

/// Returns a step without its statement of changes.
pub fn without_changes(step: DeliveryStep) -> DeliveryStep {
    match step {
        DeliveryStep::Done(done) => DeliveryStep::Done(Delivered { messages: false, state: false, ..done }),
        step => step,
    }
}

/// Returns the input that fits a step once the random input is used up: an answer, or a reduction.
pub fn fitting(step: DeliveryStep) -> &'static str {
    match step {
        DeliveryStep::Notify(_) => "answered",
        DeliveryStep::Reduce(_) => "reduced messages state message call",
        step => panic!("nothing follows {step:?}"),
    }
}

proptest! {
    #![proptest_config(simulation::drawn())]

    /// For random input at any time: steps come in their order; a subscriber is notified once in a place, only if it
    /// has the callback, and not after another subscriber has stopped the event; late input changes nothing; and the
    /// delivery ends.
    #[test]
    fn schedules(subscribers in subscribers(), inputs in prop::collection::vec(input(), 0..60)) {
        let mut delivery = Delivery::new(subscribers.clone());
        // The open step, the ticket of the last notification, and the input so far.
        let (mut open, mut ticket, mut said) = (DeliveryStep::Wait, 0, Vec::new());
        let mut is_end = false;
        let mut inputs = inputs.into_iter();
        for left in (0..600).rev() {
            prop_assert!(left > 0, "no end");
            let is_open = matches!(open, DeliveryStep::Notify(_) | DeliveryStep::Reduce(_));
            let input = match inputs.next() {
                Some(input) => input,
                None if is_open => fitting(open).to_owned(),
                None => break,
            };
            let step = feed(&mut delivery, &input, ticket);
            let word = input.split(' ').next().unwrap();
            let is_answer = matches!(word, "answered" | "raised" | "absent" | "left");
            let fits = match open {
                DeliveryStep::Notify(_) => is_answer || word == "cut",
                DeliveryStep::Reduce(_) => word == "reduced" || word == "cut",
                _ => !is_answer && word != "reduced" && word != "late",
            };
            prop_assert_eq!(step == DeliveryStep::Wait, !fits, "{} to {:?}", &input, open);
            if !fits {
                continue;
            }
            if let Some(kind) = input.strip_prefix("event ") {
                is_end = ENDS.contains(&kind);
            } else if !is_open {
                is_end = matches!(input.as_str(), "failed" | "finalized");
            }
            // The end of a run counts even if its callbacks are not awaited.
            prop_assert!(!(is_end && word == "left" && step == DeliveryStep::Raise), "an end that is left behind {:?}", open);
            let counts = if let DeliveryStep::Done(Delivered { counts, .. }) = step { counts } else { Counts::Whole };
            prop_assert!(!(is_end && counts == Counts::Nothing), "an end that does not count");
            if is_open && word != "cut" {
                prop_assert!(rung(step) >= rung(open), "{:?} behind {:?}", step, open);
            }
            if let (DeliveryStep::Notify(before), DeliveryStep::Notify(now)) = (open, step) {
                let is_same = is_answer && before.callback == now.callback && before.subject == now.subject;
                prop_assert!(!is_same || before.subscriber < now.subscriber);
                let is_asked = rung(open) < 3;
                let has_stopped = is_asked && ((word == "answered" && input.contains("stop")) || word == "absent");
                prop_assert!(!(is_same && has_stopped), "{:?} behind one who has stopped it", step);
            }
            if let DeliveryStep::Notify(Notify { callback, subscriber, ticket: number, .. }) = step {
                prop_assert!(subscribers[subscriber].has(callback));
                prop_assert_eq!(number, ticket + 1);
                ticket = number;
            }
            said.push(input);
            open = step;
        }
        // With planned steps the result is the same; changes are stated only if they matter.
        let lean = Delivery::new(subscribers.clone());
        for (mut ahead, reports) in [(lean.clone().reporting_changes(), true), (lean.clone(), false)] {
            let mut strict = lean.clone();
            let (mut steps, mut at, mut open) = (vec![DeliveryStep::Wait], 0, DeliveryStep::Wait);
            for input in &said {
                let ticket = ticket_of(open).unwrap_or_default();
                open = feed(&mut strict, input, ticket);
                let words: Vec<_> = input.split(' ').collect();
                let is_ahead = match words[0] {
                    "answered" => answer(&words) == CallbackResult::default(),
                    "reduced" => at + 1 < steps.len(),
                    _ => false,
                };
                if is_ahead {
                    at += 1;
                } else {
                    let ticket = ticket_of(steps[at]).unwrap_or_default();
                    let first = feed(&mut ahead, input, ticket);
                    (steps, at) = (ahead.ahead(first), 0);
                }
                let shown = |step| step_text(if reports { step } else { without_changes(step) });
                prop_assert_eq!(shown(steps[at]), shown(open), "behind {}", input);
            }
        }
    }
}

/// A subscriber that records its callbacks, and reacts as the script says.
struct Scripted {
    number: usize,
    reactions: Value,
    told: Arc<Mutex<Vec<String>>>,
    aborts: Arc<Mutex<Option<AbortHandle>>>,
}

fn read<T: ag_ui_native::bindings::decode::DeclaredType>(document: &Value) -> T {
    from_json(document.to_string(), Profile::Tolerant).unwrap().0
}

fn plain(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

impl Scripted {
    fn take(&self, name: &str) -> Option<AgentStateMutation> {
        self.take_shown(name, String::new)
    }

    /// `shown` returns the text so far of the message or call.
    fn take_shown(&self, name: &str, shown: impl FnOnce() -> String) -> Option<AgentStateMutation> {
        let reaction = self.reactions.get(name)?;
        let entry = format!("{} {name}", self.number);
        let mut told = self.told.lock().unwrap();
        let before = told.iter().filter(|told| told.split(": ").next() == Some(&entry)).count();
        told.push(if reaction["shows"] == true { format!("{entry}: {}", shown()) } else { entry });
        if reaction["at"].as_u64().is_some_and(|at| at != before as u64) {
            return None;
        }
        if reaction["aborts"] == true {
            self.aborts.lock().unwrap().as_ref().unwrap().abort();
        }
        let mut wanted =
            if reaction["stop"] == true { AgentStateMutation::stop() } else { AgentStateMutation::default() };
        if let Some(messages) = reaction["messages"].as_array() {
            wanted = wanted.with_messages(messages.iter().map(read).collect());
        }
        if let Some(state) = reaction.get("state") {
            wanted = wanted.with_state(read::<ag_ui_native::Value>(state));
        }
        Some(wanted)
    }
}

macro_rules! scripted {
    ($($callback:ident: $type:ident $(= |$run:ident, $event:ident| $shown:expr)?,)+) => {
        impl AgentSubscriber for Scripted {
            fn on_run_initialized(&self, _: &AgentSubscriberParams<'_>) -> Option<AgentStateMutation> {
                self.take("on_run_initialized")
            }

            fn on_run_failed(&self, _: &AgentSubscriberParams<'_>, _: &ClientError) -> Option<AgentStateMutation> {
                self.take("on_run_failed")
            }

            fn on_run_finalized(&self, _: &AgentSubscriberParams<'_>) -> Option<AgentStateMutation> {
                self.take("on_run_finalized")
            }

            fn on_event(&self, _: &AgentSubscriberParams<'_>, _: &Event) -> Option<AgentStateMutation> {
                self.take("on_event")
            }

            fn on_new_message(&self, _: &AgentSubscriberParams<'_>, _: &Message) {
                self.take("on_new_message");
            }

            fn on_messages_changed(&self, _: &AgentSubscriberParams<'_>) {
                self.take("on_messages_changed");
            }

            fn on_state_changed(&self, _: &AgentSubscriberParams<'_>) {
                self.take("on_state_changed");
            }

            $(#[allow(unused_variables)] // Most are about no text.
            fn $callback(&self, run: &AgentSubscriberParams<'_>, event: &$type) -> Option<AgentStateMutation> {
                $(let ($run, $event) = (run, event);
                return self.take_shown(stringify!($callback), || $shown);)?
                #[allow(unreachable_code)] // Of those that are about text.
                self.take(stringify!($callback))
            })+
        }
    };
}

scripted! {
    on_run_finished_event: RunFinishedEvent,
    on_run_error_event: RunErrorEvent,
    on_text_message_content_event: TextMessageContentEvent
        = |run, event| run.text(&event.message_id).unwrap_or("nothing").to_owned(),
    on_text_message_end_event: TextMessageEndEvent,
    on_tool_call_args_event: ToolCallArgsEvent
        = |run, event| run.tool_call(&event.tool_call_id).map_or("nothing", |(_, given)| given).to_owned(),
}

/// A result as the scripts have it.
fn shown(run: &RunResult) -> Value {
    json!({
        "outcome": run.outcome.as_ref().map_or("failed", RunOutcome::as_str),
        "usage": run.usage.iter().map(|entry| plain(&to_json(entry))).collect::<Value>(),
        "pending": run.pending_tool_call_ids(),
        "result": run.result().map(|result| plain(&to_json(result))),
        "error": run.error(),
        "interrupts": run.interrupts().iter().map(|asks| &asks.id).collect::<Vec<_>>(),
        "newMessages": run.new_messages.iter().map(Message::id).collect::<Vec<_>>(),
    })
}

/// Runs an agent, until an event of this type has come.
async fn run_whole<T: Transport>(
    agent: &mut Agent<T>,
    leave: Option<&Value>,
) -> Result<RunResult, ClientError> {
    let options = RunParameters::default().with_run_id("r");
    let Some(leave) = leave else { return agent.run_to_end(options).await };
    let mut events = agent.run(options);
    while let Some(event) = events.next().await {
        if event?.tag() == leave {
            break;
        }
    }
    Ok(events.into_result())
}

#[tokio::test]
async fn runs() {
    for case in all("runs").as_array().unwrap().iter().filter(|case| case.get("hosts").is_none()) {
        let name = case["name"].as_str().unwrap();
        let events = case["events"].as_array().unwrap().clone();
        let mut agent = Agent::over(move |request: RunRequest| {
            let asked = events.iter().cloned().map(|mut event| {
                if event.get("threadId").is_some() {
                    event["threadId"] = request.input.thread_id.as_str().into();
                }
                Ok::<_, Infallible>(format!("data: {event}\n\n"))
            });
            let pieces: Vec<_> = asked.collect();
            async move { Ok(Response::new(stream::iter(pieces))) }
        });
        let told = Arc::new(Mutex::new(Vec::new()));
        let aborts = Arc::new(Mutex::new(Some(agent.abort_handle())));
        for (number, reactions) in case["subscribers"].as_array().unwrap().iter().enumerate() {
            let (told, aborts) = (Arc::clone(&told), Arc::clone(&aborts));
            agent.subscribe(Arc::new(Scripted { number, reactions: reactions.clone(), told, aborts }));
        }
        let run = run_whole(&mut agent, case.get("leave")).await;
        let expected = case["result"].as_object().unwrap();
        assert_eq!(run.is_err(), expected.contains_key("raises"), "{name}: {run:?}");
        let run = run.unwrap_or_default();
        let mut found = shown(&run);
        let summary = |message: &ag_ui_native::Value| {
            let message = plain(&to_json(message));
            json!([message["id"], message["content"]])
        };
        found["conversation"] = agent.conversation().message_values().map(summary).collect();
        found["state"] = plain(&to_json(&agent.conversation().state));
        found["pendingInterrupts"] = agent.pending_interrupts().iter().map(|asks| asks.id.clone()).collect();
        for (member, value) in expected {
            assert_eq!(found[member], *value, "{name}: {member}");
        }
        assert_eq!(json!(*told.lock().unwrap()), case["told"], "{name}");
    }
}
