//! The seven messages of a conversation, and tool calls.

use super::content::Content;
use super::enums::Role;

shared! { Types;
    /// The member of types that can belong to a subagent's work.
    Attributable;
    /// The id of the subagent invocation to which it belongs; absent means the agent itself.
    subagent_run_id: Option<String> = "subagentRunId", 0;
}

shared! { Types;
    /// The members that developer, system, assistant and user messages share.
    BaseMessage;
    /// The id of the subagent invocation to which the message belongs; absent means the agent itself.
    subagent_run_id: Option<String> = "subagentRunId", 10;
    /// The id of the message within the conversation.
    id: String = "id", 1;
    /// The author of the message.
    role: String = "role", 2;
    /// The display name of the author.
    name: Option<String> = "name", 4;
    /// A provider's opaque value; it is sent back in a later turn.
    encrypted_value: Option<String> = "encryptedValue", 11;
    /// The producer's name for this kind of value; it is sent back with the value.
    encrypted_value_type: Option<String> = "encryptedValueType", 14 since 1.1 about encrypted_value;
    /// Any key-value data about the message.
    metadata: Option<crate::Object> = "metadata", 9;
}

message! {
    /// Instructions by the application's developer.
    DeveloperMessage;
    /// The id of the subagent invocation to which the message belongs; absent means the agent itself.
    subagent_run_id: Option<String> = "subagentRunId", 10;
    /// The id of the message within the conversation.
    id: String = "id", 1;
    @ role "role" = "developer", 2;
    /// The display name of the author.
    name: Option<String> = "name", 4;
    /// A provider's opaque value; it is sent back in a later turn.
    encrypted_value: Option<String> = "encryptedValue", 11;
    /// The producer's name for this kind of value; it is sent back with the value.
    encrypted_value_type: Option<String> = "encryptedValueType", 14 since 1.1 about encrypted_value;
    /// Any key-value data about the message.
    metadata: Option<crate::Object> = "metadata", 9;
    /// The text.
    content: String = "content", 3;
}

message! {
    /// Instructions to the model.
    SystemMessage;
    /// The id of the subagent invocation to which the message belongs; absent means the agent itself.
    subagent_run_id: Option<String> = "subagentRunId", 10;
    /// The id of the message within the conversation.
    id: String = "id", 1;
    @ role "role" = "system", 2;
    /// The display name of the author.
    name: Option<String> = "name", 4;
    /// A provider's opaque value; it is sent back in a later turn.
    encrypted_value: Option<String> = "encryptedValue", 11;
    /// The producer's name for this kind of value; it is sent back with the value.
    encrypted_value_type: Option<String> = "encryptedValueType", 14 since 1.1 about encrypted_value;
    /// Any key-value data about the message.
    metadata: Option<crate::Object> = "metadata", 9;
    /// The text.
    content: String = "content", 3;
}

object! { Types;
    /// The function that a tool call names, with its arguments.
    FunctionCall;
    /// The name of the tool.
    name: String = "name", 1;
    /// The arguments as JSON text; not checked, and incomplete while they stream in.
    arguments: String = "arguments", 2;
}

object! { Types;
    /// A call of a tool, made by the assistant.
    ToolCall;
    /// The id of the call.
    id: String = "id", 1;
    @ r#type "type" = "function", 2;
    /// The called function.
    function: FunctionCall = "function", 3;
    /// A provider's opaque value; it is sent back in a later turn.
    encrypted_value: Option<String> = "encryptedValue", 5;
    /// The producer's name for this kind of value; it is sent back with the value.
    encrypted_value_type: Option<String> = "encryptedValueType", 6 since 1.1 about encrypted_value;
    /// Any key-value data about the call.
    metadata: Option<crate::Object> = "metadata", 4;
}

message! {
    /// The text of the model and its tool calls.
    AssistantMessage;
    /// The id of the subagent invocation to which the message belongs; absent means the agent itself.
    subagent_run_id: Option<String> = "subagentRunId", 10;
    /// The id of the message within the conversation.
    id: String = "id", 1;
    @ role "role" = "assistant", 2;
    /// The display name of the author.
    name: Option<String> = "name", 4;
    /// A provider's opaque value; it is sent back in a later turn.
    encrypted_value: Option<String> = "encryptedValue", 11;
    /// The producer's name for this kind of value; it is sent back with the value.
    encrypted_value_type: Option<String> = "encryptedValueType", 14 since 1.1 about encrypted_value;
    /// Any key-value data about the message.
    metadata: Option<crate::Object> = "metadata", 9;
    /// The text, if any.
    content: Option<String> = "content", 3;
    /// The tool calls, if any.
    tool_calls: Option<Vec<ToolCall>> = "toolCalls", 5;
}

message! {
    /// A message of the user.
    UserMessage;
    /// The id of the subagent invocation to which the message belongs; absent means the agent itself.
    subagent_run_id: Option<String> = "subagentRunId", 10;
    /// The id of the message within the conversation.
    id: String = "id", 1;
    @ role "role" = "user", 2;
    /// The display name of the author.
    name: Option<String> = "name", 4;
    /// A provider's opaque value; it is sent back in a later turn.
    encrypted_value: Option<String> = "encryptedValue", 11;
    /// The producer's name for this kind of value; it is sent back with the value.
    encrypted_value_type: Option<String> = "encryptedValueType", 14 since 1.1 about encrypted_value;
    /// Any key-value data about the message.
    metadata: Option<crate::Object> = "metadata", 9;
    /// Text, or parts of text and media.
    content: Content = "content", 3 or 8;
}

message! {
    /// The result of a tool call.
    ToolMessage;
    /// The id of the subagent invocation to which the message belongs; absent means the agent itself.
    subagent_run_id: Option<String> = "subagentRunId", 10;
    /// The id of the message within the conversation.
    id: String = "id", 1;
    @ role "role" = "tool", 2;
    /// Text, or parts of text and media.
    content: Content = "content", 3 or 8;
    /// The id of the answered call.
    tool_call_id: String = "toolCallId", 6;
    /// The description of the failure, if the tool failed.
    error: Option<String> = "error", 7;
    /// A provider's opaque value; it is sent back in a later turn.
    encrypted_value: Option<String> = "encryptedValue", 11;
    /// The producer's name for this kind of value; it is sent back with the value.
    encrypted_value_type: Option<String> = "encryptedValueType", 14 since 1.1 about encrypted_value;
    /// Any key-value data about the message.
    metadata: Option<crate::Object> = "metadata", 9;
}

message! {
    /// Structured progress shown to the person; never sent to a model.
    ActivityMessage;
    /// The id of the subagent invocation to which the message belongs; absent means the agent itself.
    subagent_run_id: Option<String> = "subagentRunId", 10;
    /// The id of the message within the conversation.
    id: String = "id", 1;
    @ role "role" = "activity", 2;
    /// The kind of activity.
    activity_type: String = "activityType", 12;
    /// The activity's data.
    content: crate::Object = "content", 13;
    /// Any key-value data about the message.
    metadata: Option<crate::Object> = "metadata", 9;
}

message! {
    /// The model's reasoning.
    ReasoningMessage;
    /// The id of the subagent invocation to which the message belongs; absent means the agent itself.
    subagent_run_id: Option<String> = "subagentRunId", 10;
    /// The id of the message within the conversation.
    id: String = "id", 1;
    @ role "role" = "reasoning", 2;
    /// The text.
    content: String = "content", 3;
    /// A provider's opaque value; it is sent back in a later turn.
    encrypted_value: Option<String> = "encryptedValue", 11;
    /// The producer's name for this kind of value; it is sent back with the value.
    encrypted_value_type: Option<String> = "encryptedValueType", 14 since 1.1 about encrypted_value;
    /// Any key-value data about the message.
    metadata: Option<crate::Object> = "metadata", 9;
}

union! { Types;
    /// One message of a conversation.
    Message by "role" as Shared {
        Developer(DeveloperMessage) = "developer",
        System(SystemMessage) = "system",
        Assistant(AssistantMessage) = "assistant",
        User(UserMessage) = "user",
        Tool(ToolMessage) = "tool",
        Activity(ActivityMessage) = "activity",
        Reasoning(ReasoningMessage) = "reasoning",
    }
}

/// Evaluates `$body` for the message inside any variant.
macro_rules! for_message {
    ($self:expr, $message:ident => $body:expr, unknown $object:ident => $other:expr) => {
        match $self {
            Message::Developer($message) => $body,
            Message::System($message) => $body,
            Message::Assistant($message) => $body,
            Message::User($message) => $body,
            Message::Tool($message) => $body,
            Message::Activity($message) => $body,
            Message::Reasoning($message) => $body,
            Message::Unknown($object) => $other,
        }
    };
}

impl Message {
    /// The message's id; empty if an unknown variant has none.
    pub fn id(&self) -> &str {
        for_message!(self, message => &message.id, unknown object => text_of(object, "id").unwrap_or_default())
    }

    /// The role of the author; `None` for a message that the protocol does not declare.
    pub fn role(&self) -> Option<Role> {
        Role::parse(self.tag())
    }

    /// The subagent invocation it belongs to; nothing for the agent itself.
    pub fn subagent_run_id(&self) -> Option<&str> {
        for_message!(self, message => message.subagent_run_id.as_deref(), unknown object => text_of(object, "subagentRunId"))
    }

    /// Takes the message from its subagent: it belongs to the agent itself.
    pub(crate) fn clear_subagent_run_id(&mut self) {
        for_message!(self, message => message.subagent_run_id = None, unknown object => { object.remove("subagentRunId"); });
    }

    /// The member `encryptedValueType`, mutable; `None` for a message that cannot have one.
    pub(crate) fn encrypted_value_type_mut(&mut self) -> Option<&mut Option<String>> {
        Some(match self {
            Self::Developer(message) => &mut message.encrypted_value_type,
            Self::System(message) => &mut message.encrypted_value_type,
            Self::Assistant(message) => &mut message.encrypted_value_type,
            Self::User(message) => &mut message.encrypted_value_type,
            Self::Tool(message) => &mut message.encrypted_value_type,
            Self::Reasoning(message) => &mut message.encrypted_value_type,
            Self::Activity(_) | Self::Unknown(_) => return None,
        })
    }

    /// The tools called; only assistant messages call any.
    pub fn tool_calls(&self) -> &[ToolCall] {
        match self {
            Self::Assistant(message) => message.tool_calls.as_deref().unwrap_or_default(),
            _ => &[],
        }
    }
}

fn text_of<'o>(object: &'o crate::Object, key: &str) -> Option<&'o str> {
    object.get(key).and_then(crate::Value::as_str)
}
