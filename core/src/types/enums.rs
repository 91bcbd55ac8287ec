//! Closed sets of strings.

string_enum! { Types;
    /// The role of a message's author.
    Role {
        /// Instructions by the application's developer.
        Developer = "developer",
        /// Instructions to the model.
        System = "system",
        /// The model.
        Assistant = "assistant",
        /// The person.
        User = "user",
        /// The result of a tool call.
        Tool = "tool",
        /// Structured progress shown to the person.
        Activity = "activity",
        /// The model's reasoning.
        Reasoning = "reasoning",
    }
}

string_enum! { Events;
    /// The role of a streamed text message's author.
    TextMessageRole {
        /// Instructions by the application's developer.
        Developer = "developer",
        /// Instructions to the model.
        System = "system",
        /// The model.
        Assistant = "assistant",
        /// The person.
        User = "user",
    }
}

string_enum! { Events;
    /// The one role of a streamed tool result.
    ToolCallResultRole {
        /// The result of a tool call.
        Tool = "tool",
    }
}

string_enum! { Events;
    /// The one role of a streamed reasoning message.
    ReasoningMessageRole {
        /// The model's reasoning.
        Reasoning = "reasoning",
    }
}

string_enum! { Events;
    /// The kind of thing that an encrypted reasoning value belongs to.
    ReasoningEncryptedValueSubtype {
        /// A tool call.
        ToolCall = "tool-call",
        /// A message.
        Message = "message",
        .. Unknown
    }
}

string_enum! { Types;
    /// The answer's status: answered or given up.
    ResumeStatus {
        /// Answered.
        Resolved = "resolved",
        /// Given up.
        Cancelled = "cancelled",
        .. Unknown
    }
}
