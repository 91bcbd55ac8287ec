//! Runs that are written by random calls.

use ag_ui_native::bindings::server::{Entity, RunWriter};
use ag_ui_native::server::{Ending, StateTracker, WireFormat};
use ag_ui_native::types::{
    AssistantMessage, CustomEvent, Interrupt, MessagesSnapshotEvent, RunAgentInput, RunStartedEvent,
    StepStartedEvent, SubagentStartedEvent, TextMessageEndEvent, TextMessageStartEvent, ToolCallStartEvent,
    UserMessage,
};
use ag_ui_native::{Limits, Object, Value};
use proptest::prelude::*;

#[derive(Clone, Debug)]
pub enum Call {
    Message(u8),
    Reasoning(u8),
    Tool(u8),
    Step(u8),
    Subagent(u8),
    Write(usize, String),
    End(usize),
    EndById(u8),
    Custom,
    Messages(u8),
    State(u8, u8),
}

pub fn call() -> impl Strategy<Value = Call> {
    // Few ids, so that they meet.
    let id = 0u8..4;
    prop_oneof![
        id.clone().prop_map(Call::Message),
        id.clone().prop_map(Call::Reasoning),
        id.clone().prop_map(Call::Tool),
        id.clone().prop_map(Call::Step),
        id.clone().prop_map(Call::Subagent),
        (0usize..12, ".{0,6}").prop_map(|(entity, delta)| Call::Write(entity, delta)),
        (0usize..12, ".{0,6}").prop_map(|(entity, delta)| Call::Write(entity, delta)),
        (0usize..12).prop_map(Call::End),
        id.clone().prop_map(Call::EndById),
        Just(Call::Custom),
        id.clone().prop_map(Call::Messages),
        (id, any::<u8>()).prop_map(|(key, value)| Call::State(key, value)),
    ]
}

pub fn ending() -> impl Strategy<Value = Ending> {
    prop_oneof![
        Just(Ending::Success(None)),
        Just(Ending::Success(Some(Value::from(Object::from_iter([("a", 1)]))))),
        Just(Ending::Interrupt(vec![Interrupt::new("i", "confirmation")])),
        Just(Ending::Cancelled),
        Just(Ending::Error { message: "no".into(), code: Some("agent_failed".into()) }),
    ]
}

/// Carries the calls out, with the tag of every third subagent; a refused call leaves no trace. Returns the frames and
/// the state.
pub fn write(calls: &[Call], ending: &Ending, wire_format: WireFormat) -> (Vec<u8>, Value) {
    let input = RunAgentInput::new("t", "r", vec![UserMessage::new("0", "Hello").into()]);
    // Protobuf does not tell absent lists from empty ones.
    let input = input.with_tools(vec![]).with_context(vec![]).with_resume(vec![]);
    let mut run = RunWriter::new(wire_format, Limits::default());
    run.start(&input, true).unwrap();
    let mut entities: Vec<Entity> = Vec::new();
    let (mut state, mut tracker) =
        (Object::default(), StateTracker::new().with_base(Object::default().into()).unwrap());
    for (at, call) in calls.iter().enumerate() {
        let tag = (at % 3 == 0).then(|| (at % 4).to_string());
        let tag = tag.as_deref();
        let before = run.waiting().len();
        let opened = match call {
            Call::Message(id) => Some(run.open(TextMessageStartEvent::new(id.to_string()).into(), tag)),
            Call::Reasoning(id) => Some(run.open_reasoning(&id.to_string(), tag)),
            Call::Tool(id) => Some(run.open(ToolCallStartEvent::new(id.to_string(), "look").into(), tag)),
            Call::Step(id) => Some(run.open(StepStartedEvent::new(id.to_string()).into(), tag)),
            Call::Subagent(id) => Some(run.open(SubagentStartedEvent::new(id.to_string(), "s").into(), tag)),
            _ => None,
        };
        let refused = match (opened, call) {
            (Some(Ok(entity)), _) => {
                entities.push(entity);
                false
            }
            (Some(Err(_)), _) => true,
            (_, Call::Write(entity, delta)) => {
                entities.get(*entity).is_some_and(|entity| run.write(*entity, delta).is_err())
            }
            (_, Call::End(entity)) => {
                if let Some(entity) = entities.get(*entity) {
                    run.end(*entity).unwrap();
                }
                false
            }
            (_, Call::EndById(id)) => run.send(TextMessageEndEvent::new(id.to_string()).into(), tag).is_err(),
            (_, Call::Messages(id)) => {
                let message = AssistantMessage::new(id.to_string());
                let message = match tag {
                    Some(tag) => message.with_subagent_run_id(tag),
                    None => message,
                };
                run.send(MessagesSnapshotEvent::new(vec![message.into()]).into(), None).is_err()
            }
            (_, Call::State(key, value)) => {
                // Half of the time a member goes.
                let key = key.to_string();
                if value % 2 == 0 {
                    state.insert(key, i64::from(*value));
                } else {
                    state.remove(&key);
                }
                let event = tracker.flush(&state.clone().into()).unwrap();
                event.is_some_and(|event| run.send(event, tag).is_err())
            }
            _ => run.send(CustomEvent::new("c", 1).into(), tag).is_err(),
        };
        assert!(!refused || run.waiting().len() == before, "what is refused writes nothing: {call:?}");
    }
    run.end_run(ending.clone()).unwrap();
    assert!(run.end_run(ending.clone()).is_err() && !run.is_running());
    let length = run.waiting().len();
    for entity in entities {
        let rule = run.write(entity, "late").unwrap_err().rule().unwrap().as_str();
        assert!(matches!(rule, "V01" | "V02"), "{rule}");
        run.end(entity).unwrap();
    }
    assert!(run.send(RunStartedEvent::new("t", "r").into(), None).is_err());
    assert_eq!(run.waiting().len(), length, "nothing is written after the end");
    (run.take(), state.into())
}
