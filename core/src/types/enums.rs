//! Closed sets of strings.

string_enum! { Types;
    /// Who a message is from.
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
    /// Who a streamed text message may be from.
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
    /// What an encrypted reasoning value belongs to.
    ReasoningEncryptedValueSubtype {
        /// A tool call.
        ToolCall = "tool-call",
        /// A message.
        Message = "message",
        .. Unknown
    }
}

string_enum! { Types;
    /// Whether an interrupt was answered or given up.
    ResumeStatus {
        /// Answered.
        Resolved = "resolved",
        /// Given up.
        Cancelled = "cancelled",
        .. Unknown
    }
}
