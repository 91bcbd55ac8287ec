//! Changes of a conversation: small mechanical operations that a host applies to its own objects.

use crate::error::Issue;
use crate::types::{Interrupt, JsonPatchOperation, Message, TokenUsage, ToolCall};
use crate::{Object, Value};

/// The effect of one event on a conversation, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reduction {
    /// The changes.
    pub changes: Vec<Change>,
    /// True if the messages count as changed, even if none differs.
    pub messages: bool,
    /// Warnings about ignored or suspicious parts of the event.
    pub warnings: Vec<Issue>,
}

impl Reduction {
    /// The reduction that appends text.
    pub fn appending(place: Place, text: &str) -> Self {
        let changes = vec![Change::Append { place, text: text.to_owned() }];
        Self { changes, messages: true, warnings: Vec::new() }
    }
}

/// Number of a message, given when it is inserted and valid until the next [`Change::Arrange`].
pub type Slot = usize;

/// The target of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A message.
    Message(Slot),
    /// A tool call of a message: its index in [`Member::ToolCalls`].
    Call(Slot, usize),
}

macro_rules! members {
    ($($(#[doc = $doc:literal])+ $member:ident = $($key:literal).+;)+) => {
        /// A member that changes affect. Hosts know it by its path.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Member { $($(#[doc = $doc])+ $member,)+ }

        impl Member {
            /// Every member.
            pub const ALL: &'static [Self] = &[$(Self::$member),+];

            /// Its path in its message or call: the keys on the way, its own last.
            pub const fn path(self) -> &'static [&'static str] {
                match self { $(Self::$member => &[$($key),+],)+ }
            }
        }
    };
}

members! {
    /// The content of a message.
    Content = "content";
    /// The arguments of a tool call.
    Arguments = "function"."arguments";
    /// The name of a tool call.
    Name = "function"."name";
    /// The encrypted value of a message or call.
    EncryptedValue = "encryptedValue";
    /// The producer's name for that kind of value.
    EncryptedValueType = "encryptedValueType";
    /// The type of an activity.
    ActivityType = "activityType";
    /// The owner of a message.
    SubagentRunId = "subagentRunId";
    /// The metadata of a message or call.
    Metadata = "metadata";
    /// The calls of a message.
    ToolCalls = "toolCalls";
}

impl Place {
    /// The member that holds the text.
    pub fn text(self) -> Member {
        match self {
            Self::Message(_) => Member::Content,
            Self::Call(..) => Member::Arguments,
        }
    }
}

macro_rules! change_kinds {
    ($($(#[doc = $doc:literal])+ $kind:ident = $name:literal;)+) => {
        /// The kind of a change, as programs see it. The names are the same in every language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ChangeKind { $($(#[doc = $doc])+ $kind,)+ }

        impl ChangeKind {
            /// Every kind, in order.
            pub const ALL: &'static [Self] = &[$(Self::$kind),+];

            /// The kind's name in every language.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$kind => $name,)+ }
            }

            /// The kind with this name.
            pub fn named(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$kind),)+ _ => None }
            }
        }
    };
}

change_kinds! {
    /// A new message.
    MessageInserted = "message_inserted";
    /// A message replaced another.
    MessageReplaced = "message_replaced";
    /// The list of messages was rearranged.
    MessagesArranged = "messages_arranged";
    /// A message is complete.
    MessageEnded = "message_ended";
    /// A new tool call.
    CallAdded = "call_added";
    /// A tool call is complete.
    CallEnded = "call_ended";
    /// Text was appended to a message or to the arguments of a call.
    TextAppended = "text_appended";
    /// A member was set or removed.
    MemberSet = "member_set";
    /// An activity's content was replaced.
    ContentSet = "content_set";
    /// An activity's content was patched.
    ContentPatched = "content_patched";
    /// Metadata was merged into the existing one.
    MetadataMerged = "metadata_merged";
    /// The state was replaced.
    StateSet = "state_set";
    /// The state was patched.
    StatePatched = "state_patched";
    /// A patch did not apply. The host finds that out.
    PatchFailed = "patch_failed";
    /// The pending interrupts changed.
    InterruptsSet = "interrupts_set";
    /// A run has finished.
    RunFinished = "run_finished";
    /// A run has failed.
    RunFailed = "run_failed";
}

/// One operation. A host can apply it without knowing the protocol.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A new message; the ones from `position` on move up.
    Insert {
        /// Its number: one more than the last.
        slot: Slot,
        /// Its place in the list.
        position: usize,
        /// The message.
        message: Message,
    },
    /// A message replaces another.
    Replace {
        /// The replaced message.
        slot: Slot,
        /// The new message.
        message: Message,
    },
    /// The whole list is rearranged. Afterwards a message's number is its place.
    Arrange(Vec<Arranged>),
    /// A new call is added to a message; the list is created if it is missing or null.
    AddCall {
        /// The message.
        slot: Slot,
        /// The call.
        call: ToolCall,
    },
    /// Text is appended to the member [`Place::text`], which is a string.
    Append {
        /// The message or call.
        place: Place,
        /// The text.
        text: String,
    },
    /// A member is set, or removed.
    Set {
        /// The message or call.
        place: Place,
        /// The member.
        member: Member,
        /// The value; nothing removes the member.
        value: Option<String>,
    },
    /// An activity's content is replaced.
    SetContent {
        /// The message.
        slot: Slot,
        /// The content.
        content: Object,
    },
    /// Metadata is merged: the new value of a key counts. Existing metadata that is not an object is
    /// replaced.
    Merge {
        /// The message or call.
        place: Place,
        /// The new metadata.
        metadata: Object,
    },
    /// A patch of an activity's content. If it applies, the activity's type is set too, and the messages count as
    /// changed.
    PatchContent {
        /// The message.
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
        /// Unknown operations were dropped, so the state no longer follows the agent's.
        incomplete: bool,
    },
    /// The pending interrupts are replaced.
    SetInterrupts(Vec<Interrupt>),
    /// A message is complete.
    MessageEnded(Slot),
    /// A tool call is complete. The second number is its index among the calls of the message.
    CallEnded(Slot, usize),
    /// A run has finished.
    RunFinished {
        /// The outcome.
        end: RunEnd,
        /// The tokens used, if reported.
        usage: Option<Vec<TokenUsage>>,
    },
    /// A run has failed.
    RunFailed {
        /// Description of the failure, for people.
        message: String,
        /// Code of the failure, for programs.
        code: Option<String>,
        /// The tokens used, if reported.
        usage: Option<Vec<TokenUsage>>,
    },
}

impl Change {
    /// The kind of the change, provided that it can be applied.
    pub fn kind(&self) -> ChangeKind {
        match self {
            Self::Insert { .. } => ChangeKind::MessageInserted,
            Self::Replace { .. } => ChangeKind::MessageReplaced,
            Self::Arrange(_) => ChangeKind::MessagesArranged,
            Self::AddCall { .. } => ChangeKind::CallAdded,
            Self::Append { .. } => ChangeKind::TextAppended,
            Self::Set { .. } => ChangeKind::MemberSet,
            Self::SetContent { .. } => ChangeKind::ContentSet,
            Self::Merge { .. } => ChangeKind::MetadataMerged,
            Self::PatchContent { .. } => ChangeKind::ContentPatched,
            Self::SetState(_) => ChangeKind::StateSet,
            Self::PatchState { .. } => ChangeKind::StatePatched,
            Self::SetInterrupts(_) => ChangeKind::InterruptsSet,
            Self::MessageEnded(_) => ChangeKind::MessageEnded,
            Self::CallEnded(..) => ChangeKind::CallEnded,
            Self::RunFinished { .. } => ChangeKind::RunFinished,
            Self::RunFailed { .. } => ChangeKind::RunFailed,
        }
    }

    /// The member of a message or call that it changes, if any.
    pub fn member(&self) -> Option<Member> {
        match self {
            Self::AddCall { .. } => Some(Member::ToolCalls),
            Self::Append { place, .. } => Some(place.text()),
            Self::Set { member, .. } => Some(*member),
            Self::SetContent { .. } | Self::PatchContent { .. } => Some(Member::Content),
            Self::Merge { .. } => Some(Member::Metadata),
            _ => None,
        }
    }
}

/// A place in a rearranged list.
#[derive(Clone, Debug, PartialEq)]
pub enum Arranged {
    /// An existing message.
    Kept(Slot),
    /// A new message.
    New(Message),
}

/// The outcome of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum RunEnd {
    /// The run succeeded.
    Success {
        /// The result.
        result: Option<Value>,
        /// The calls that the application must answer.
        pending_tool_call_ids: Vec<String>,
    },
    /// The run waits for answers.
    Interrupt(Vec<Interrupt>),
    /// The run was cancelled.
    Cancelled,
}
