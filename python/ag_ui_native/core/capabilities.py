"""The capabilities that an agent declares. An absent member is undeclared, which does not mean unsupported.

Generated from the declaration in core/src/types: `make generate`.
"""

from typing import Any, Dict, List, Optional

from pydantic import Field

from ag_ui_native.core.base import GeneratedBaseModel
from ag_ui_native.core.types import Metadata, Tool


class SubagentInfo(GeneratedBaseModel):
    """A subagent to which the agent can hand work.

    Examples:
        >>> from ag_ui_native.core import SubagentInfo
        >>> info = SubagentInfo(name="researcher", description="Finds sources.")
        >>> print(info.model_dump_json(by_alias=True))
        {"name":"researcher","description":"Finds sources."}
    """

    name: str
    """The name of the subagent."""
    description: Optional[str] = None
    """The description of the work that the subagent does."""


class IdentityCapabilities(GeneratedBaseModel):
    """The identity of the agent.

    Examples:
        >>> from ag_ui_native.core import IdentityCapabilities
        >>> capabilities = IdentityCapabilities(name="Helper", version="1.2.0", provider="example.org")
        >>> print(capabilities.model_dump_json(by_alias=True))
        {"name":"Helper","version":"1.2.0","provider":"example.org"}
    """

    name: Optional[str] = None
    """The display name of the agent."""
    type: Optional[str] = None
    """The framework or the kind of the agent."""
    description: Optional[str] = None
    """The description of the agent."""
    version: Optional[str] = None
    """The version of the agent."""
    provider: Optional[str] = None
    """The name of the provider."""
    documentation_url: Optional[str] = None
    """The URL of the documentation."""
    metadata: Optional[Metadata] = None
    """Any other data, as keys and values."""


class TransportCapabilities(GeneratedBaseModel):
    """The transports of the agent.

    Examples:
        >>> from ag_ui_native.core import TransportCapabilities
        >>> capabilities = TransportCapabilities(streaming=True, http_binary=True)
        >>> print(capabilities.model_dump_json(by_alias=True))
        {"streaming":true,"httpBinary":true}
    """

    streaming: Optional[bool] = None
    """The agent streams events."""
    websocket: Optional[bool] = None
    """The agent accepts WebSocket connections."""
    http_binary: Optional[bool] = None
    """The agent sends the protobuf form over HTTP."""
    push_notifications: Optional[bool] = None
    """The agent pushes notifications."""
    resumable: Optional[bool] = None
    """A client can resume a broken stream."""


class ToolsCapabilities(GeneratedBaseModel):
    """The agent's tools.

    Examples:
        >>> from ag_ui_native.core import ToolsCapabilities
        >>> capabilities = ToolsCapabilities(supported=True, client_provided=True)
        >>> print(capabilities.model_dump_json(by_alias=True))
        {"supported":true,"clientProvided":true}
    """

    supported: Optional[bool] = None
    """The agent calls tools."""
    items: Optional[List[Tool]] = None
    """The tools of the agent itself."""
    parallel_calls: Optional[bool] = None
    """The agent calls several tools at once."""
    client_provided: Optional[bool] = None
    """The agent calls tools that the client offers."""


class OutputCapabilities(GeneratedBaseModel):
    """The output that the agent can produce.

    Examples:
        >>> from ag_ui_native.core import OutputCapabilities
        >>> capabilities = OutputCapabilities(structured_output=True, supported_mime_types=["text/plain"])
        >>> print(capabilities.model_dump_json(by_alias=True))
        {"structuredOutput":true,"supportedMimeTypes":["text/plain"]}
    """

    structured_output: Optional[bool] = None
    """The agent can produce output that follows a schema."""
    supported_mime_types: Optional[List[str]] = None
    """The media types that the agent can produce."""


class StateCapabilities(GeneratedBaseModel):
    """The agent's use of the shared state.

    Examples:
        >>> from ag_ui_native.core import StateCapabilities
        >>> capabilities = StateCapabilities(snapshots=True, deltas=True)
        >>> print(capabilities.model_dump_json(by_alias=True))
        {"snapshots":true,"deltas":true}
    """

    snapshots: Optional[bool] = None
    """The agent sends snapshots of the state."""
    deltas: Optional[bool] = None
    """The agent sends deltas of the state."""
    memory: Optional[bool] = None
    """The agent keeps a memory across conversations."""
    persistent_state: Optional[bool] = None
    """The agent keeps the state between runs."""


class MultiAgentCapabilities(GeneratedBaseModel):
    """The agent's work with other agents.

    Examples:
        >>> from ag_ui_native.core import MultiAgentCapabilities, SubagentInfo
        >>> capabilities = MultiAgentCapabilities(
        ...     supported=True,
        ...     subagents=[SubagentInfo(name="researcher")],
        ... )
        >>> print(capabilities.model_dump_json(by_alias=True))
        {"supported":true,"subagents":[{"name":"researcher"}]}
    """

    supported: Optional[bool] = None
    """The agent works with other agents."""
    delegation: Optional[bool] = None
    """The agent delegates work to other agents."""
    handoffs: Optional[bool] = None
    """The agent hands the conversation over to other agents."""
    subagents: Optional[List[SubagentInfo]] = None
    """The subagents that the agent can invoke."""


class ReasoningCapabilities(GeneratedBaseModel):
    """The agent's reasoning.

    Examples:
        >>> from ag_ui_native.core import ReasoningCapabilities
        >>> capabilities = ReasoningCapabilities(supported=True, streaming=True)
        >>> print(capabilities.model_dump_json(by_alias=True))
        {"supported":true,"streaming":true}
    """

    supported: Optional[bool] = None
    """The agent can reason."""
    streaming: Optional[bool] = None
    """The agent streams its reasoning."""
    encrypted: Optional[bool] = None
    """The agent sends its reasoning in encrypted form."""


class MultimodalInputCapabilities(GeneratedBaseModel):
    """The media that the agent accepts.

    Examples:
        >>> from ag_ui_native.core import MultimodalInputCapabilities
        >>> capabilities = MultimodalInputCapabilities(image=True, pdf=True)
        >>> print(capabilities.model_dump_json(by_alias=True))
        {"image":true,"pdf":true}
    """

    image: Optional[bool] = None
    """Pictures."""
    audio: Optional[bool] = None
    """Sound."""
    video: Optional[bool] = None
    """Videos."""
    pdf: Optional[bool] = None
    """PDF documents."""
    file: Optional[bool] = None
    """Any file."""


class MultimodalOutputCapabilities(GeneratedBaseModel):
    """The media that the agent produces.

    Examples:
        >>> from ag_ui_native.core import MultimodalOutputCapabilities
        >>> capabilities = MultimodalOutputCapabilities(image=True)
        >>> print(capabilities.model_dump_json(by_alias=True))
        {"image":true}
    """

    image: Optional[bool] = None
    """Pictures."""
    audio: Optional[bool] = None
    """Sound."""


class MultimodalCapabilities(GeneratedBaseModel):
    """Media in and out.

    Examples:
        >>> from ag_ui_native.core import MultimodalCapabilities, MultimodalInputCapabilities, MultimodalOutputCapabilities
        >>> capabilities = MultimodalCapabilities(
        ...     input=MultimodalInputCapabilities(image=True),
        ...     output=MultimodalOutputCapabilities(audio=True),
        ... )
        >>> print(capabilities.model_dump_json(by_alias=True))
        {"input":{"image":true},"output":{"audio":true}}
    """

    input: Optional[MultimodalInputCapabilities] = None
    """The accepted media."""
    output: Optional[MultimodalOutputCapabilities] = None
    """The produced media."""


class ExecutionCapabilities(GeneratedBaseModel):
    """The limits and features of a run of the agent.

    Examples:
        >>> from ag_ui_native.core import ExecutionCapabilities
        >>> capabilities = ExecutionCapabilities(code_execution=True, sandboxed=True, max_iterations=10)
        >>> print(capabilities.model_dump_json(by_alias=True))
        {"codeExecution":true,"sandboxed":true,"maxIterations":10}
    """

    code_execution: Optional[bool] = None
    """The agent runs code."""
    sandboxed: Optional[bool] = None
    """The agent runs code in a sandbox."""
    max_iterations: Optional[int] = Field(default=None, ge=0, le=9007199254740991)
    """The maximum number of iterations in one run."""
    max_execution_time: Optional[int] = Field(default=None, ge=0, le=9007199254740991)
    """The maximum duration of a run, in milliseconds."""


class HumanInTheLoopCapabilities(GeneratedBaseModel):
    """The ways in which people take part in a run.

    Examples:
        >>> from ag_ui_native.core import HumanInTheLoopCapabilities
        >>> capabilities = HumanInTheLoopCapabilities(supported=True, approvals=True)
        >>> print(capabilities.model_dump_json(by_alias=True))
        {"supported":true,"approvals":true}
    """

    supported: Optional[bool] = None
    """People can take part in a run."""
    approvals: Optional[bool] = None
    """The agent asks for approval."""
    interventions: Optional[bool] = None
    """People can change the plan of the agent while it runs."""
    feedback: Optional[bool] = None
    """The agent learns from feedback within the session."""
    interrupts: Optional[bool] = None
    """The agent ends runs with interrupts and takes the answers in the next input."""
    approve_with_edits: Optional[bool] = None
    """The agent takes changed arguments in the answer to the interrupt of a tool call."""


class AgentCapabilities(GeneratedBaseModel):
    """The capabilities that an agent declares about itself.

    Examples:
        >>> from ag_ui_native.core import AgentCapabilities, IdentityCapabilities, ToolsCapabilities
        >>> capabilities = AgentCapabilities(
        ...     identity=IdentityCapabilities(name="Helper"),
        ...     tools=ToolsCapabilities(supported=True),
        ... )
        >>> print(capabilities.model_dump_json(by_alias=True))
        {"identity":{"name":"Helper"},"tools":{"supported":true}}
    """

    identity: Optional[IdentityCapabilities] = None
    """The identity of the agent."""
    transport: Optional[TransportCapabilities] = None
    """The transports."""
    tools: Optional[ToolsCapabilities] = None
    """The tools."""
    output: Optional[OutputCapabilities] = None
    """The output."""
    state: Optional[StateCapabilities] = None
    """The use of the shared state."""
    multi_agent: Optional[MultiAgentCapabilities] = None
    """The work with other agents."""
    reasoning: Optional[ReasoningCapabilities] = None
    """The reasoning."""
    multimodal: Optional[MultimodalCapabilities] = None
    """Media in and out."""
    execution: Optional[ExecutionCapabilities] = None
    """The limits and features of a run."""
    human_in_the_loop: Optional[HumanInTheLoopCapabilities] = None
    """The ways in which people take part."""
    custom: Optional[Dict[str, Any]] = None
    """Capabilities that the categories above do not cover."""


SubAgentInfo = SubagentInfo

__all__ = [
    "SubagentInfo",
    "IdentityCapabilities",
    "TransportCapabilities",
    "ToolsCapabilities",
    "OutputCapabilities",
    "StateCapabilities",
    "MultiAgentCapabilities",
    "ReasoningCapabilities",
    "MultimodalInputCapabilities",
    "MultimodalOutputCapabilities",
    "MultimodalCapabilities",
    "ExecutionCapabilities",
    "HumanInTheLoopCapabilities",
    "AgentCapabilities",
    "SubAgentInfo",
]
