//! The capabilities that an agent declares. An absent member is undeclared, which does not mean
//! unsupported.

use super::run::Tool;

object! { Capabilities;
    /// A subagent to which the agent can hand work.
    SubagentInfo;
    /// The name of the subagent.
    name: String = "name", 0;
    /// The description of the work that the subagent does.
    description: Option<String> = "description", 0;
}

object! { Capabilities;
    /// The identity of the agent.
    IdentityCapabilities;
    /// The display name of the agent.
    name: Option<String> = "name", 0;
    /// The framework or the kind of the agent.
    r#type: Option<String> = "type", 0;
    /// The description of the agent.
    description: Option<String> = "description", 0;
    /// The version of the agent.
    version: Option<String> = "version", 0;
    /// The name of the provider.
    provider: Option<String> = "provider", 0;
    /// The URL of the documentation.
    documentation_url: Option<String> = "documentationUrl", 0;
    /// Any other data, as keys and values.
    metadata: Option<crate::Object> = "metadata", 0;
}

object! { Capabilities;
    /// The transports of the agent.
    TransportCapabilities;
    /// The agent streams events.
    streaming: Option<bool> = "streaming", 0;
    /// The agent accepts WebSocket connections.
    websocket: Option<bool> = "websocket", 0;
    /// The agent sends the protobuf form over HTTP.
    http_binary: Option<bool> = "httpBinary", 0;
    /// The agent pushes notifications.
    push_notifications: Option<bool> = "pushNotifications", 0;
    /// A client can resume a broken stream.
    resumable: Option<bool> = "resumable", 0;
}

object! { Capabilities;
    /// The agent's tools.
    ToolsCapabilities;
    /// The agent calls tools.
    supported: Option<bool> = "supported", 0;
    /// The tools of the agent itself.
    items: Option<Vec<Tool>> = "items", 0;
    /// The agent calls several tools at once.
    parallel_calls: Option<bool> = "parallelCalls", 0;
    /// The agent calls tools that the client offers.
    client_provided: Option<bool> = "clientProvided", 0;
}

object! { Capabilities;
    /// The output that the agent can produce.
    OutputCapabilities;
    /// The agent can produce output that follows a schema.
    structured_output: Option<bool> = "structuredOutput", 0;
    /// The media types that the agent can produce.
    supported_mime_types: Option<Vec<String>> = "supportedMimeTypes", 0;
}

object! { Capabilities;
    /// The agent's use of the shared state.
    StateCapabilities;
    /// The agent sends snapshots of the state.
    snapshots: Option<bool> = "snapshots", 0;
    /// The agent sends deltas of the state.
    deltas: Option<bool> = "deltas", 0;
    /// The agent keeps a memory across conversations.
    memory: Option<bool> = "memory", 0;
    /// The agent keeps the state between runs.
    persistent_state: Option<bool> = "persistentState", 0;
}

object! { Capabilities;
    /// The agent's work with other agents.
    MultiAgentCapabilities;
    /// The agent works with other agents.
    supported: Option<bool> = "supported", 0;
    /// The agent delegates work to other agents.
    delegation: Option<bool> = "delegation", 0;
    /// The agent hands the conversation over to other agents.
    handoffs: Option<bool> = "handoffs", 0;
    /// The subagents that the agent can invoke.
    subagents: Option<Vec<SubagentInfo>> = "subagents", 0;
}

object! { Capabilities;
    /// The agent's reasoning.
    ReasoningCapabilities;
    /// The agent can reason.
    supported: Option<bool> = "supported", 0;
    /// The agent streams its reasoning.
    streaming: Option<bool> = "streaming", 0;
    /// The agent sends its reasoning in encrypted form.
    encrypted: Option<bool> = "encrypted", 0;
}

object! { Capabilities;
    /// The media that the agent accepts.
    MultimodalInputCapabilities;
    /// Pictures.
    image: Option<bool> = "image", 0;
    /// Sound.
    audio: Option<bool> = "audio", 0;
    /// Videos.
    video: Option<bool> = "video", 0;
    /// PDF documents.
    pdf: Option<bool> = "pdf", 0;
    /// Any file.
    file: Option<bool> = "file", 0;
}

object! { Capabilities;
    /// The media that the agent produces.
    MultimodalOutputCapabilities;
    /// Pictures.
    image: Option<bool> = "image", 0;
    /// Sound.
    audio: Option<bool> = "audio", 0;
}

object! { Capabilities;
    /// Media in and out.
    MultimodalCapabilities;
    /// The accepted media.
    input: Option<MultimodalInputCapabilities> = "input", 0;
    /// The produced media.
    output: Option<MultimodalOutputCapabilities> = "output", 0;
}

object! { Capabilities;
    /// The limits and features of a run of the agent.
    ExecutionCapabilities;
    /// The agent runs code.
    code_execution: Option<bool> = "codeExecution", 0;
    /// The agent runs code in a sandbox.
    sandboxed: Option<bool> = "sandboxed", 0;
    /// The maximum number of iterations in one run.
    max_iterations: Option<u64> = "maxIterations", 0;
    /// The maximum duration of a run, in milliseconds.
    max_execution_time: Option<u64> = "maxExecutionTime", 0;
}

object! { Capabilities;
    /// The ways in which people take part in a run.
    HumanInTheLoopCapabilities;
    /// People can take part in a run.
    supported: Option<bool> = "supported", 0;
    /// The agent asks for approval.
    approvals: Option<bool> = "approvals", 0;
    /// People can change the plan of the agent while it runs.
    interventions: Option<bool> = "interventions", 0;
    /// The agent learns from feedback within the session.
    feedback: Option<bool> = "feedback", 0;
    /// The agent ends runs with interrupts and takes the answers in the next input.
    interrupts: Option<bool> = "interrupts", 0;
    /// The agent takes changed arguments in the answer to the interrupt of a tool call.
    approve_with_edits: Option<bool> = "approveWithEdits", 0;
}

object! { Capabilities;
    /// The capabilities that an agent declares about itself.
    AgentCapabilities;
    /// The identity of the agent.
    identity: Option<IdentityCapabilities> = "identity", 0;
    /// The transports.
    transport: Option<TransportCapabilities> = "transport", 0;
    /// The tools.
    tools: Option<ToolsCapabilities> = "tools", 0;
    /// The output.
    output: Option<OutputCapabilities> = "output", 0;
    /// The use of the shared state.
    state: Option<StateCapabilities> = "state", 0;
    /// The work with other agents.
    multi_agent: Option<MultiAgentCapabilities> = "multiAgent", 0;
    /// The reasoning.
    reasoning: Option<ReasoningCapabilities> = "reasoning", 0;
    /// Media in and out.
    multimodal: Option<MultimodalCapabilities> = "multimodal", 0;
    /// The limits and features of a run.
    execution: Option<ExecutionCapabilities> = "execution", 0;
    /// The ways in which people take part.
    human_in_the_loop: Option<HumanInTheLoopCapabilities> = "humanInTheLoop", 0;
    /// Capabilities that the categories above do not cover.
    custom: Option<crate::Object> = "custom", 0;
}
