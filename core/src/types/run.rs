//! The start and the end of a run: input, tools, interrupts, outcomes, token usage.

use super::enums::ResumeStatus;
use super::messages::Message;

object! { Types;
    /// A tool that the model may call.
    Tool;
    /// The name by which the model calls the tool.
    name: String = "name", 1;
    /// The description of the tool for the model.
    description: String = "description", 2;
    /// The JSON Schema of its arguments; not checked.
    parameters: Option<crate::Value> = "parameters", 3;
    /// Any key-value data about the tool.
    metadata: Option<crate::Object> = "metadata", 4;
}

object! { Types;
    /// A piece of background information that the application gives the agent.
    Context;
    /// The description of the text.
    description: String = "description", 1;
    /// The text.
    value: String = "value", 2;
}

object! { Types;
    /// The answer to one interrupt.
    ResumeEntry;
    /// The id of the answered interrupt.
    interrupt_id: String = "interruptId", 1;
    /// The status: answered or cancelled.
    status: ResumeStatus = "status", 2;
    /// The answer.
    payload: Option<crate::Value> = "payload", 3;
    /// Any key-value data about the answer.
    metadata: Option<crate::Object> = "metadata", 4;
}

object! { Types;
    /// The input of a run, as a client sends it.
    RunAgentInput;
    /// The id of the conversation.
    thread_id: String = "threadId", 1;
    /// The id of the run.
    run_id: String = "runId", 2;
    /// The protocol version of the client, `MAJOR.MINOR`.
    protocol_version: Option<String> = "protocolVersion", 10;
    /// The id of an earlier run from which this one branches.
    parent_run_id: Option<String> = "parentRunId", 3;
    /// The shared state; without one, the member is left out. `null` means no state.
    state: Option<crate::Value> = "state", 4 read null_is_absent;
    /// The conversation so far.
    messages: Vec<Message> = "messages", 5;
    /// Tools that the client offers; absent and empty mean the same.
    tools: Option<Vec<Tool>> = "tools", 6 read absent_is_empty as list;
    /// Background information for the agent; absent and empty mean the same.
    context: Option<Vec<Context>> = "context", 7 read absent_is_empty as list;
    /// Any other data of the application for the agent.
    forwarded_props: Option<crate::Value> = "forwardedProps", 8;
    /// The answers to the interrupts that ended the run before.
    resume: Option<Vec<ResumeEntry>> = "resume", 9 as list;
}

object! { Types;
    /// A question that must be answered before the agent can go on.
    Interrupt;
    /// The id of the subagent invocation that asks; absent means the agent itself.
    subagent_run_id: Option<String> = "subagentRunId", 8;
    /// The id of the interrupt.
    id: String = "id", 1;
    /// The reason of the question, from an open set.
    reason: String = "reason", 2;
    /// The question, for the person.
    message: Option<String> = "message", 3;
    /// The id of the tool call that the question is about.
    tool_call_id: Option<String> = "toolCallId", 4;
    /// The JSON Schema of the answer; not checked.
    response_schema: Option<crate::Object> = "responseSchema", 5 as value;
    /// The time at which the question expires, ISO 8601 by convention.
    expires_at: Option<String> = "expiresAt", 6;
    /// Any key-value data about the interrupt.
    metadata: Option<crate::Object> = "metadata", 7 as value;
}

object! { Events;
    /// The run succeeded.
    RunFinishedSuccessOutcome;
    @ r#type "type" = "success", 0;
    /// The ids of the calls that the client still has to answer; absent or empty: those without a result in the stream.
    pending_tool_call_ids: Option<Vec<String>> = "pendingToolCallIds", 8;
}

object! { Events;
    /// The run waits for answers.
    RunFinishedInterruptOutcome;
    @ r#type "type" = "interrupt", 0;
    /// The questions, at least one.
    interrupts: Vec<Interrupt> = "interrupts", 6 min 1;
}

object! { Events;
    /// The run was cancelled.
    RunFinishedCancelledOutcome;
    @ r#type "type" = "cancelled", 0;
}

union! { Events;
    /// The outcome of a run.
    RunFinishedOutcome by "type" as Beside {
        Success(RunFinishedSuccessOutcome) = "success",
        Interrupt(RunFinishedInterruptOutcome) = "interrupt",
        Cancelled(RunFinishedCancelledOutcome) = "cancelled",
    }
}

object! { Events;
    /// The subagent succeeded.
    SubagentFinishedSuccessOutcome;
    @ r#type "type" = "success", 0;
}

object! { Events;
    /// The subagent waits for answers.
    SubagentFinishedSuspendedOutcome;
    @ r#type "type" = "suspended", 0;
    /// The ids of the interrupts for which the subagent waits.
    interrupt_ids: Option<Vec<String>> = "interruptIds", 5;
}

union! { Events;
    /// The outcome of a subagent's work.
    SubagentFinishedOutcome by "type" as Beside {
        Success(SubagentFinishedSuccessOutcome) = "success",
        Suspended(SubagentFinishedSuspendedOutcome) = "suspended",
    }
}

object! { Events;
    /// The tokens used with one model of one provider.
    TokenUsage;
    /// The provider that runs the model.
    provider: Option<String> = "provider", 1;
    /// The model.
    model: Option<String> = "model", 2;
    /// The tokens that the model has read, cached ones included.
    input_tokens: Option<u64> = "inputTokens", 3;
    /// The tokens that the model has written, reasoning included.
    output_tokens: Option<u64> = "outputTokens", 4;
    /// The tokens of input and output together.
    total_tokens: Option<u64> = "totalTokens", 5;
    /// The part of the output that was reasoning.
    reasoning_tokens: Option<u64> = "reasoningTokens", 6;
    /// The part of the input that came from a cache.
    cached_input_tokens: Option<u64> = "cachedInputTokens", 7;
    /// The part of the input that was put into a cache.
    cache_write_input_tokens: Option<u64> = "cacheWriteInputTokens", 8;
}
