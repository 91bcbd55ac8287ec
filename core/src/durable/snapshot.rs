//! The thread of a run as its log keeps it.

use super::frame::Snapshot;
use crate::encode::to_value;
use crate::json::{NumberStyle, Object, Value, Writer};
use crate::profile::Profile;
use crate::stream::EventPipeline;
use crate::types::RunAgentInput;

/// The thread as the run of this input begins: its messages and its state. No interrupt waits, since the run answers them all.
pub(super) fn beginning(input: &RunAgentInput) -> EventPipeline {
    let thread = EventPipeline::new().with_profile(Profile::Relay).with_messages(&input.messages);
    match &input.state {
        Some(state) => thread.with_state(state.clone()),
        None => thread,
    }
}

/// The thread as JSON: its messages, its state, and the interrupts that wait for an answer.
pub(super) fn snapshot_of(thread: &EventPipeline) -> Snapshot {
    let conversation = thread.conversation();
    let messages: Vec<Value> = conversation.message_values().cloned().collect();
    let interrupts: Vec<Value> = conversation.pending_interrupts.iter().map(to_value).collect();
    let members = [
        ("messages", Value::from(messages)),
        ("state", conversation.state.clone()),
        ("interrupts", Value::from(interrupts)),
    ];
    let mut writer = Writer::new(NumberStyle::default());
    writer.value(&Value::from(Object::from_iter(members)));
    writer.out.into()
}
