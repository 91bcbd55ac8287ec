//! What an event changes: small mechanical operations that a host carries out on objects of its own.

use crate::error::Issue;
use crate::types::{Interrupt, JsonPatchOperation, Message, TokenUsage, ToolCall};
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

impl Reduction {
    /// Text, behind what is there.
    pub fn appending(place: Place, text: &str) -> Self {
        let changes = vec![Change::Append { place, text: text.to_owned() }];
        Self { changes, messages: true, warnings: Vec::new() }
    }
}

/// Number of a message, given when it is inserted and valid until the next [`Change::Arrange`].
pub type Slot = usize;

/// What a change applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A message.
    Message(Slot),
    /// A tool call of a message: its place in the list that [`Member::ToolCalls`] is.
    Call(Slot, usize),
}

macro_rules! members {
    ($($(#[doc = $doc:literal])+ $member:ident = $($key:literal).+;)+) => {
        /// A member that changes touch. Hosts know it by its path.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Member { $($(#[doc = $doc])+ $member,)+ }

        impl Member {
            /// Every member.
            pub const ALL: &'static [Self] = &[$(Self::$member),+];

            /// Where it stands in its message or call: the keys on the way, its own last.
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
    /// What the producer calls that kind of value.
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
    /// The member that holds its text.
    pub fn text(self) -> Member {
        match self {
            Self::Message(_) => Member::Content,
            Self::Call(..) => Member::Arguments,
        }
    }
}

macro_rules! change_kinds {
    ($($(#[doc = $doc:literal])+ $kind:ident = $name:literal;)+) => {
        /// What happened, as programs see it: the same names in every language.
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
    /// Another message took the place of one.
    MessageReplaced = "message_replaced";
    /// The list of messages was arranged anew.
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
    /// Metadata was laid over what was there.
    MetadataMerged = "metadata_merged";
    /// The state was replaced.
    StateSet = "state_set";
    /// The state was patched.
    StatePatched = "state_patched";
    /// A patch did not apply: what a host finds out.
    PatchFailed = "patch_failed";
    /// Other interrupts wait for an answer.
    InterruptsSet = "interrupts_set";
    /// A run has finished.
    RunFinished = "run_finished";
    /// A run has failed.
    RunFailed = "run_failed";
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
    /// Text is appended to what [`Place::text`] names, which is a string.
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
    RunFinished {
        /// In which way.
        end: RunEnd,
        /// The tokens it has used, as far as it says.
        usage: Option<Vec<TokenUsage>>,
    },
    /// A run has failed.
    RunFailed {
        /// What went wrong, for people.
        message: String,
        /// What went wrong, for programs.
        code: Option<String>,
        /// The tokens it has used, as far as it says.
        usage: Option<Vec<TokenUsage>>,
    },
}

impl Change {
    /// What programs see happen, if the change can be carried out.
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

    /// The member of a message or call that it changes, if it changes one.
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
