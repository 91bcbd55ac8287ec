//! The client's state in an agent's hands: after every kind of change the client has the same state at the end.

use crate::support;

use ag_ui_native::server::{Ending, OpenEntry, Run, StateFlush, WireFormat};
use ag_ui_native::stream::{EventDecoder, EventPipeline};
use ag_ui_native::types::{CustomEvent, RunAgentInput, StateDeltaEvent};
use ag_ui_native::{Error, Event, Limits, Object, Value, from_json, to_json};
use proptest::collection::vec;
use proptest::prelude::*;

fn value(json: &str) -> Value {
    let event = format!(r#"{{"type":"CUSTOM","name":"","value":{json}}}"#);
    from_json::<CustomEvent>(event, ag_ui_native::Profile::Strict).unwrap().0.value
}

fn run(given: Option<Value>) -> Run {
    let mut input = RunAgentInput::new("t", "r", vec![]);
    input.state = given;
    Run::begin(input, WireFormat::Text, false, Limits::default()).unwrap()
}

/// Sets a member of the state.
fn put(run: &Run, key: &str, value: impl Into<Value>) {
    run.with_state(|state| match state {
        Value::Object(members) => drop(members.insert(key, value)),
        other => panic!("{other:?}"),
    });
}

/// Returns the waiting events about the state, and RUN_ERROR.
fn taken(run: &Run) -> Vec<String> {
    let frames = String::from_utf8(run.take()).unwrap();
    let events =
        frames.split_terminator("\n\n").map(|frame| frame.strip_prefix("data: ").unwrap().to_owned());
    events.filter(|event| event.contains("STATE_") || event.contains("RUN_ERROR")).collect()
}

/// Returns the state of a client that began with `given`, after the stream of the whole run.
fn client(given: &Value, frames: &[u8]) -> Value {
    let mut pipeline = EventPipeline::new().with_state(given.clone());
    let events: Result<Vec<Event>, _> = pipeline.feed(frames).chain(pipeline.close()).collect();
    events.unwrap();
    pipeline.conversation().state.clone()
}

#[test]
fn what_has_changed_is_sent_when_frames_are_taken_and_at_the_end() {
    let run = run(Some(value(r#"{"plan":["look around","think again","then leap"],"done":0}"#)));
    assert_eq!(taken(&run), [""; 0]);
    put(&run, "done", 1);
    assert_eq!(
        taken(&run),
        [r#"{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/done","value":1}]}"#]
    );
    assert_eq!(taken(&run), [""; 0]);
    run.set_state(Object::from([("a", 1)]));
    assert_eq!(run.state(), value(r#"{"a":1}"#));
    run.end(Ending::Success(None)).unwrap();
    assert_eq!(taken(&run), [r#"{"type":"STATE_SNAPSHOT","snapshot":{"a":1}}"#]);
    run.flush_state().unwrap();
    run.set_state(2);
    assert_eq!(run.flush_state().unwrap_err().rule().unwrap().as_str(), "V02");
}

#[test]
fn clients_without_a_state_get_one() {
    for (given, sent) in [
        (None, r#"{"type":"STATE_SNAPSHOT","snapshot":{"a":1}}"#),
        (Some(Value::Null), r#"{"type":"STATE_SNAPSHOT","snapshot":{"a":1}}"#),
    ] {
        let run = run(given);
        assert_eq!(run.state(), value("{}"));
        put(&run, "a", 1);
        assert_eq!(taken(&run), [sent]);
    }
}

#[test]
fn it_is_sent_when_it_was_said_to_be() {
    let change = |run: &Run| run.with_state(|state| *state = 1.into());
    let end = run(None).with_state_flush(StateFlush::End);
    change(&end);
    assert_eq!(taken(&end), [""; 0]);
    end.end(Ending::Cancelled).unwrap();
    assert_eq!(taken(&end).len(), 1);

    let manual = run(None).with_state_flush(StateFlush::Manual);
    change(&manual);
    manual.flush_state().unwrap();
    manual.flush_state().unwrap();
    manual.set_state(2);
    manual.end(Ending::Cancelled).unwrap();
    assert_eq!(taken(&manual), [r#"{"type":"STATE_SNAPSHOT","snapshot":1}"#]);
}

#[test]
fn a_state_that_no_event_can_carry_is_the_agents_failure() {
    let run = run(None);
    run.set_state(f64::NAN);
    assert!(run.flush_state().is_err());
    assert!(run.end(Ending::Success(None)).is_err() && run.is_running());
    assert!(taken(&run)[0].contains(r#""code":"agent_failed""#));
    assert!(!run.is_running());
}

#[test]
fn what_an_agent_sends_itself_is_followed() {
    let run = run(Some(value(
        r#"{"list":[1],"other":"long enough to make a snapshot the longer one of the two"}"#,
    )));
    let (part, _open) = run.subagent("s").unwrap();
    put(&run, "mine", 1);
    let delta: StateDeltaEvent = from_json(
        r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/list/-","value":2}]}"#,
        ag_ui_native::Profile::Strict,
    )
    .unwrap()
    .0;
    part.send(delta.clone()).unwrap();
    assert_eq!(run.state().as_object().unwrap().get("list"), Some(&value("[1,2]")));
    let sent = taken(&run);
    assert!(sent.len() == 2 && sent[0].contains("/mine") && sent[1].contains("/list/-"), "{sent:?}");
    part.state_snapshot(3).unwrap();
    assert_eq!(run.state(), Value::from(3));
    assert_eq!(
        run.send(delta).unwrap_err().code().as_str(),
        "patch_target_missing",
        "there is no list any more"
    );
    assert_eq!(taken(&run).len(), 1, "the client has it");
}

#[test]
fn a_delta_that_may_not_be_sent_changes_nothing() {
    let run = run(Some(value(r#"{"list":[1],"other":"long enough to make a snapshot the longer one"}"#)));
    run.with_state(|_| ());
    run.end(Ending::Success(None)).unwrap();
    let delta: StateDeltaEvent = from_json(
        r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/list/-","value":2}]}"#,
        ag_ui_native::Profile::Strict,
    )
    .unwrap()
    .0;
    assert_eq!(run.send(delta).unwrap_err().code().as_str(), "sequence_broken");
    assert_eq!(run.state().as_object().unwrap().get("list"), Some(&value("[1]")));
}

#[test]
fn what_is_only_read_is_not_compared() {
    let run = run(Some(Value::Null));
    assert_eq!((run.state(), run.state_as::<Value>().unwrap()), (value("{}"), value("{}")));
    assert_eq!(taken(&run), [""; 0]);
    run.with_state(|_| ());
    assert_eq!(
        taken(&run),
        [r#"{"type":"STATE_SNAPSHOT","snapshot":{}}"#],
        "it was in hand: it is looked at"
    );
}

#[cfg(feature = "serde_json")]
#[test]
fn states_may_be_of_a_type() {
    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Plan {
        steps: Vec<String>,
    }
    let run = run(Some(value(r#"{"steps":["look"]}"#)));
    let mut plan: Plan = run.state_as().unwrap();
    plan.steps.push("leap".into());
    run.set_state_of(&plan).unwrap();
    assert_eq!(run.state(), value(r#"{"steps":["look","leap"]}"#));
    assert!(run.set_state_of(&std::collections::HashMap::from([((1, 2), 3)])).is_err());
    assert_eq!(run.state_as::<Plan>().unwrap(), plan);
}

#[test]
fn more_than_may_wait_ends_the_run() {
    let run = run(None).with_max_waiting(1000);
    let message = run.text_message().unwrap();
    let refused = (0..1000).find_map(|_| message.write("and so on").err()).unwrap();
    assert_eq!((refused.code().as_str(), refused.limit), ("client_too_slow", Some("max_waiting")));
    assert!(!run.is_running());
    let frames = String::from_utf8(run.take()).unwrap();
    let (before, last) = frames.trim_end().rsplit_once("\n\n").unwrap();
    assert!(
        before.ends_with(&format!(
            "data: {{\"type\":\"TEXT_MESSAGE_END\",\"messageId\":\"{}\"}}",
            message.id()
        ))
    );
    assert!(last.contains(r#""code":"client_too_slow""#), "{last}");
    assert!(frames.len() < 2000);
}

#[derive(Clone, Debug)]
enum Step {
    Put(String, Value),
    Remove(String),
    Replace(Value),
    Send(Value),
    Flush,
    Take,
    Write,
}

fn step() -> impl Strategy<Value = Step> {
    let key = "[a-c/~]{0,2}";
    let leaf =
        prop_oneof![Just(Value::Null), (-3i64..3).prop_map(Value::from), ".{0,3}".prop_map(Value::from)];
    let any = leaf.prop_recursive(3, 12, 4, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((key, inner), 0..4).prop_map(|members| Object::from_iter(members).into()),
        ]
    });
    prop_oneof![
        4 => (key, any.clone()).prop_map(|(key, value)| Step::Put(key, value)),
        2 => key.prop_map(Step::Remove),
        1 => any.clone().prop_map(Step::Replace),
        1 => any.prop_map(Step::Send),
        2 => Just(Step::Flush),
        2 => Just(Step::Take),
        1 => Just(Step::Write),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_client_has_the_state_at_the_end(given in step(), steps in vec(step(), 0..20)) {
        let given = match given { Step::Replace(value) | Step::Put(_, value) => value, _ => Object::default().into() };
        let run = run(Some(given.clone()));
        let mut frames = Vec::new();
        for step in steps {
            match step {
                Step::Put(key, value) => run.with_state(|state| match state {
                    Value::Object(members) => drop(members.insert(key, value)),
                    Value::Array(items) => items.push(value),
                    other => *other = value,
                }),
                Step::Remove(key) => run.with_state(|state| match state {
                    Value::Object(members) => drop(members.remove(&key)),
                    Value::Array(items) => drop(items.pop()),
                    _ => {}
                }),
                Step::Replace(value) => run.set_state(value),
                Step::Send(value) => run.state_snapshot(value).unwrap(),
                Step::Flush => run.flush_state().unwrap(),
                Step::Take => frames.extend(run.take()),
                Step::Write => run.text_message().unwrap().write("x").unwrap(),
            }
        }
        run.end(Ending::Success(None)).unwrap();
        frames.extend(run.take());
        let (mut seen, empty) = (client(&given, &frames), Value::from(Object::default()));
        // A client without a state is given an empty one: nothing need be sent to it.
        if given == Value::Null && seen == Value::Null && run.state() == empty {
            seen = empty;
        }
        // Values, not texts: members that are removed and put back have another order, of which no patch tells.
        prop_assert_eq!(seen, run.state());
    }
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Order {
    name: String,
    given: Value,
    #[serde(default)]
    limits: Object,
    #[serde(default, rename = "warnings")]
    _warnings: usize,
    steps: Vec<Written>,
    events: Vec<String>,
}

#[derive(Default, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Written {
    state: Option<Object>,
    write: Option<String>,
    open: Option<String>,
    text: Option<String>,
    end: bool,
    call: Option<Value>,
    custom: Option<Value>,
    flush: bool,
    delta: Option<Value>,
    r#await: bool,
}

impl Written {
    fn run(self, run: &Run, open: &mut Vec<OpenEntry>) -> Result<(), Error> {
        match self {
            Self { state: Some(members), .. } => run.with_state(|state| match state {
                Value::Object(state) => {
                    members.into_iter().for_each(|(key, value)| drop(state.insert(key, value)));
                }
                other => panic!("{other:?}"),
            }),
            Self { write: Some(text), .. } => run.write(&text)?,
            Self { open: Some(kind), .. } if kind == "step" => open.push(run.step("s")?),
            Self { open: Some(_), .. } => open.push(run.text_message()?),
            Self { text: Some(text), .. } => open.last().unwrap().write(&text)?,
            Self { end: true, .. } => open.pop().unwrap().end(&Ending::Success(None))?,
            Self { call: Some(arguments), .. } => drop(run.call_tool("t", &arguments)?),
            Self { custom: Some(value), .. } => run.send(CustomEvent::new("c", value))?,
            Self { delta: Some(delta), .. } => {
                let event = format!(r#"{{"type":"STATE_DELTA","delta":{}}}"#, to_json(&delta));
                run.send(from_json::<StateDeltaEvent>(event, ag_ui_native::Profile::Strict).unwrap().0)?;
            }
            Self { flush: true, .. } => run.flush_state()?,
            _ => panic!("no such step"),
        }
        Ok(())
    }
}

/// An event by its type; a STATE_DELTA by its paths and values.
fn short(event: Event) -> String {
    match event {
        Event::StateDelta(event) => {
            let operations = event.delta.iter().map(|operation| {
                let operation: Value = serde_json::from_str(&to_json(operation)).unwrap();
                let member = |name| operation.as_object().and_then(|operation| operation.get(name)).unwrap();
                let value = member("value");
                let value = value.as_str().map_or_else(|| to_json(value), str::to_owned);
                format!("{} {value}", member("path").as_str().unwrap())
            });
            operations.collect::<Vec<_>>().join(" ")
        }
        event => event.event_type().unwrap().as_str().to_owned(),
    }
}

#[test]
fn the_state_goes_right_before_what_is_awaited() {
    for wire_format in [WireFormat::Text, WireFormat::Binary] {
        for case in support::fixture::<Vec<Order>>("state_order") {
            let mut input = RunAgentInput::new("t", "r", vec![]);
            input.state = Some(case.given);
            let mut limits = Limits::default();
            for (name, value) in &case.limits {
                *limits.get_mut(name).unwrap() = to_json(value).parse().unwrap();
            }
            let run = Run::begin(input, wire_format, false, limits).unwrap();
            let (mut frames, mut open) = (Vec::new(), Vec::new());
            for call in case.steps {
                let is_awaited = call.r#await;
                call.run(&run, &mut open).unwrap();
                if is_awaited {
                    frames.extend(run.take());
                }
            }
            run.end(Ending::Success(None)).unwrap();
            frames.extend(run.take());
            let mut decoder = EventDecoder::for_content_type(wire_format.content_type()).unwrap();
            let events: Result<Vec<_>, _> = decoder.feed(&frames).map(|event| event.map(short)).collect();
            let events = events.unwrap();
            assert_eq!(events[1..events.len() - 1], case.events, "{} {wire_format:?}", case.name);
        }
    }
}

#[derive(serde::Deserialize)]
struct Unsent {
    name: String,
    given: Value,
    steps: Vec<UnsentStep>,
    events: Vec<Value>,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "lowercase")]
enum UnsentStep {
    Set(Object),
    Nest(usize),
    Flush(String),
}

#[test]
fn behind_a_state_event_that_could_not_be_sent_the_client_has_what_it_had() {
    for case in support::fixture::<Vec<Unsent>>("state_unsent") {
        let mut input = RunAgentInput::new("t", "r", vec![]);
        input.state = Some(case.given);
        let run = Run::begin(input, WireFormat::Binary, false, Limits::default()).unwrap();
        for step in case.steps {
            match step {
                UnsentStep::Set(members) => {
                    members.into_iter().for_each(|(name, value)| put(&run, &name, value));
                }
                UnsentStep::Nest(0) => run.with_state(|state| match state {
                    Value::Object(members) => drop(members.remove("nest")),
                    other => panic!("{other:?}"),
                }),
                UnsentStep::Nest(depth) => {
                    let nested = (0..depth).fold(Value::from(1), |inner, _| vec![inner].into());
                    put(&run, "nest", nested);
                }
                UnsentStep::Flush(code) => {
                    let refused = run.flush_state().err().map(|error| error.code().as_str());
                    assert_eq!(refused.unwrap_or_default(), code, "{}", case.name);
                }
            }
        }
        run.end(Ending::Success(None)).unwrap();
        let mut decoder = EventDecoder::for_content_type(WireFormat::Binary.content_type()).unwrap();
        let events: Result<Vec<_>, _> = decoder.feed(&run.take()).collect();
        let events = events.unwrap();
        let sent: Vec<Value> = events[1..events.len() - 1]
            .iter()
            .map(|event| serde_json::from_str(&to_json(event)).unwrap())
            .collect();
        assert_eq!(sent, case.events, "{}", case.name);
    }
}
