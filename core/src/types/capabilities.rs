//! The capabilities that an agent declares. An absent member is undeclared, which does not mean
//! unsupported.

use super::run::Tool;

object! { Capabilities;
    /// A subagent the agent can hand work to.
    SubagentInfo;
    /// Its name.
    name: String = "name", 0;
    /// Description of its work.
    description: Option<String> = "description", 0;
}

object! { Capabilities;
    /// The identity of the agent.
    IdentityCapabilities;
    /// Display name.
    name: Option<String> = "name", 0;
    /// Framework or kind of agent.
    r#type: Option<String> = "type", 0;
    /// Description of the agent.
    description: Option<String> = "description", 0;
    /// Its version.
    version: Option<String> = "version", 0;
    /// Name of the provider.
    provider: Option<String> = "provider", 0;
    /// URL of the documentation.
    documentation_url: Option<String> = "documentationUrl", 0;
    /// Free key-value data.
    metadata: Option<crate::Object> = "metadata", 0;
}

object! { Capabilities;
    /// The transports of the agent.
    TransportCapabilities;
    /// Streams events.
    streaming: Option<bool> = "streaming", 0;
    /// Speaks over a WebSocket.
    websocket: Option<bool> = "websocket", 0;
    /// Speaks the protobuf form over HTTP.
    http_binary: Option<bool> = "httpBinary", 0;
    /// Pushes notifications.
    push_notifications: Option<bool> = "pushNotifications", 0;
    /// Lets a broken stream be taken up again.
    resumable: Option<bool> = "resumable", 0;
}

object! { Capabilities;
    /// The agent's tools.
    ToolsCapabilities;
    /// Calls tools.
    supported: Option<bool> = "supported", 0;
    /// The tools it brings along.
    items: Option<Vec<Tool>> = "items", 0;
    /// Calls several at once.
    parallel_calls: Option<bool> = "parallelCalls", 0;
    /// Calls tools that the client offers.
    client_provided: Option<bool> = "clientProvided", 0;
}

object! { Capabilities;
    /// The output that the agent can produce.
    OutputCapabilities;
    /// Output that follows a schema.
    structured_output: Option<bool> = "structuredOutput", 0;
    /// Media types it can produce.
    supported_mime_types: Option<Vec<String>> = "supportedMimeTypes", 0;
}

object! { Capabilities;
    /// The agent's use of the shared state.
    StateCapabilities;
    /// Sends snapshots.
    snapshots: Option<bool> = "snapshots", 0;
    /// Sends deltas.
    deltas: Option<bool> = "deltas", 0;
    /// Remembers across conversations.
    memory: Option<bool> = "memory", 0;
    /// Keeps the state between runs.
    persistent_state: Option<bool> = "persistentState", 0;
}

object! { Capabilities;
    /// The agent's work with other agents.
    MultiAgentCapabilities;
    /// Works with other agents.
    supported: Option<bool> = "supported", 0;
    /// Delegates work.
    delegation: Option<bool> = "delegation", 0;
    /// Hands the conversation over.
    handoffs: Option<bool> = "handoffs", 0;
    /// The subagents it can invoke.
    subagents: Option<Vec<SubagentInfo>> = "subagents", 0;
}

object! { Capabilities;
    /// The agent's reasoning.
    ReasoningCapabilities;
    /// Reasons.
    supported: Option<bool> = "supported", 0;
    /// Streams its reasoning.
    streaming: Option<bool> = "streaming", 0;
    /// Hands reasoning over in encrypted form.
    encrypted: Option<bool> = "encrypted", 0;
}

object! { Capabilities;
    /// Media the agent accepts.
    MultimodalInputCapabilities;
    /// Pictures.
    image: Option<bool> = "image", 0;
    /// Sound.
    audio: Option<bool> = "audio", 0;
    /// Film.
    video: Option<bool> = "video", 0;
    /// PDF documents.
    pdf: Option<bool> = "pdf", 0;
    /// Any file.
    file: Option<bool> = "file", 0;
}

object! { Capabilities;
    /// Media the agent produces.
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
    /// Runs code.
    code_execution: Option<bool> = "codeExecution", 0;
    /// Runs it in a sandbox.
    sandboxed: Option<bool> = "sandboxed", 0;
    /// The maximum number of rounds of calls and reasoning in one run.
    max_iterations: Option<u64> = "maxIterations", 0;
    /// The longest duration of a run, in milliseconds.
    max_execution_time: Option<u64> = "maxExecutionTime", 0;
}

object! { Capabilities;
    /// The ways in which people take part in a run.
    HumanInTheLoopCapabilities;
    /// People can take part.
    supported: Option<bool> = "supported", 0;
    /// Asks for approval.
    approvals: Option<bool> = "approvals", 0;
    /// Lets people change its plan while it runs.
    interventions: Option<bool> = "interventions", 0;
    /// Learns from feedback within the session.
    feedback: Option<bool> = "feedback", 0;
    /// Ends runs with interrupts and takes the answers in the next input.
    interrupts: Option<bool> = "interrupts", 0;
    /// Takes changed arguments in the answer to a tool call's interrupt.
    approve_with_edits: Option<bool> = "approveWithEdits", 0;
}

object! { Capabilities;
    /// Everything an agent declares about itself.
    AgentCapabilities;
    /// The identity.
    identity: Option<IdentityCapabilities> = "identity", 0;
    /// The transports.
    transport: Option<TransportCapabilities> = "transport", 0;
    /// Its tools.
    tools: Option<ToolsCapabilities> = "tools", 0;
    /// The output.
    output: Option<OutputCapabilities> = "output", 0;
    /// The use of the shared state.
    state: Option<StateCapabilities> = "state", 0;
    /// The work with other agents.
    multi_agent: Option<MultiAgentCapabilities> = "multiAgent", 0;
    /// Its reasoning.
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
