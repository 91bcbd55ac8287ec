//! What an event changes: small mechanical operations that a host carries out on objects of its own.

use crate::error::Issue;
use crate::types::{Interrupt, JsonPatchOperation, Message, ToolCall};
use crate::{Object, Value};

/// What one event does to a conversation, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reduction {
    /// The changes.
    pub changes: Vec<Change>,
    /// The messages count as changed, even where nothing differs.
    pub messages: bool,
    /// What was ignored or is suspicious.
    pub warnings: Vec<Issue>,
}

/// Number of a message, given when it is inserted and valid until the next [`Change::Arrange`].
pub type Slot = usize;

/// What a change applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A message.
    Message(Slot),
    /// A tool call of a message: its place in the list of calls.
    Call(Slot, usize),
}

/// A member that holds a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Member {
    /// `content` of a message, `function.arguments` of a tool call.
    Text,
    /// `function.name` of a tool call.
    Name,
    /// `encryptedValue`
    EncryptedValue,
    /// `activityType`
    ActivityType,
    /// `subagentRunId`
    SubagentRunId,
}

/// One operation. Hosts need to know nothing of the protocol to carry it out.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A new message; the ones from `position` on move up.
    Insert {
        /// Its number: one more than the last.
        slot: Slot,
        /// Where it stands.
        position: usize,
        /// The message.
        message: Message,
    },
    /// Another message takes the place of one.
    Replace {
        /// Which.
        slot: Slot,
        /// The new message.
        message: Message,
    },
    /// The whole list is arranged anew; after this a message's number is its place.
    Arrange(Vec<Arranged>),
    /// A new call behind the others of a message; the list is made if it is missing or null.
    AddCall {
        /// Of which message.
        slot: Slot,
        /// The call.
        call: ToolCall,
    },
    /// Text is appended to what [`Member::Text`] names, which is a string.
    Append {
        /// To what.
        place: Place,
        /// The text.
        text: String,
    },
    /// A member is set, or removed.
    Set {
        /// Of what.
        place: Place,
        /// Which.
        member: Member,
        /// The value; nothing removes the member.
        value: Option<String>,
    },
    /// An activity's content is replaced.
    SetContent {
        /// Of which message.
        slot: Slot,
        /// The content.
        content: Object,
    },
    /// Metadata is laid over what is there: per key the new value. What is there and no object gives way.
    Merge {
        /// Of what.
        place: Place,
        /// The new metadata.
        metadata: Object,
    },
    /// A patch of an activity's content. Where it applies, the activity's type is set too, and the messages count
    /// as changed.
    PatchContent {
        /// Of which message.
        slot: Slot,
        /// The operations.
        operations: Vec<JsonPatchOperation>,
        /// The type.
        activity_type: String,
    },
    /// The state is replaced.
    SetState(Value),
    /// A patch of the state.
    PatchState {
        /// The operations.
        operations: Vec<JsonPatchOperation>,
        /// Some operations were unknown and have been left out: the state no longer follows the agent's.
        incomplete: bool,
    },
    /// The interrupts that wait for an answer.
    SetInterrupts(Vec<Interrupt>),
    /// A message is complete.
    MessageEnded(Slot),
    /// A tool call is complete: its place among the calls of a message.
    CallEnded(Slot, usize),
    /// A run has finished.
    RunFinished(RunEnd),
    /// A run has failed.
    RunFailed {
        /// What went wrong, for people.
        message: String,
        /// What went wrong, for programs.
        code: Option<String>,
    },
}

/// A place in a list arranged anew.
#[derive(Clone, Debug, PartialEq)]
pub enum Arranged {
    /// A message that was there.
    Kept(Slot),
    /// A new one.
    New(Message),
}

/// How a run has finished.
#[derive(Clone, Debug, PartialEq)]
pub enum RunEnd {
    /// With or without a result.
    Success {
        /// The result.
        result: Option<Value>,
        /// The calls that the application is to answer.
        pending_tool_call_ids: Vec<String>,
    },
    /// It waits for answers.
    Interrupt(Vec<Interrupt>),
    /// It was cancelled.
    Cancelled,
}
