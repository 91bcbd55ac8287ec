"""The capabilities that an agent declares. An absent member is undeclared, which does not mean unsupported.

Generated from the declaration in core/src/types: `make generate`.
"""

from typing import Any, Dict, List, Optional

from pydantic import Field

from ag_ui_native.core.base import GeneratedBaseModel
from ag_ui_native.core.types import Metadata, Tool


class SubagentInfo(GeneratedBaseModel):
    """A subagent the agent can hand work to."""

    name: str
    """Its name."""
    description: Optional[str] = Field(default=None)
    """Description of its work."""


class IdentityCapabilities(GeneratedBaseModel):
    """The identity of the agent."""

    name: Optional[str] = Field(default=None)
    """Display name."""
    type: Optional[str] = Field(default=None)
    """Framework or kind of agent."""
    description: Optional[str] = Field(default=None)
    """Description of the agent."""
    version: Optional[str] = Field(default=None)
    """Its version."""
    provider: Optional[str] = Field(default=None)
    """Name of the provider."""
    documentation_url: Optional[str] = Field(default=None)
    """URL of the documentation."""
    metadata: Optional[Metadata] = Field(default=None)
    """Free key-value data."""


class TransportCapabilities(GeneratedBaseModel):
    """The transports of the agent."""

    streaming: Optional[bool] = Field(default=None)
    """Streams events."""
    websocket: Optional[bool] = Field(default=None)
    """Speaks over a WebSocket."""
    http_binary: Optional[bool] = Field(default=None)
    """Speaks the protobuf form over HTTP."""
    push_notifications: Optional[bool] = Field(default=None)
    """Pushes notifications."""
    resumable: Optional[bool] = Field(default=None)
    """Lets a broken stream be taken up again."""


class ToolsCapabilities(GeneratedBaseModel):
    """The agent's tools."""

    supported: Optional[bool] = Field(default=None)
    """Calls tools."""
    items: Optional[List[Tool]] = Field(default=None)
    """The tools it brings along."""
    parallel_calls: Optional[bool] = Field(default=None)
    """Calls several at once."""
    client_provided: Optional[bool] = Field(default=None)
    """Calls tools that the client offers."""


class OutputCapabilities(GeneratedBaseModel):
    """The output that the agent can produce."""

    structured_output: Optional[bool] = Field(default=None)
    """Output that follows a schema."""
    supported_mime_types: Optional[List[str]] = Field(default=None)
    """Media types it can produce."""


class StateCapabilities(GeneratedBaseModel):
    """The agent's use of the shared state."""

    snapshots: Optional[bool] = Field(default=None)
    """Sends snapshots."""
    deltas: Optional[bool] = Field(default=None)
    """Sends deltas."""
    memory: Optional[bool] = Field(default=None)
    """Remembers across conversations."""
    persistent_state: Optional[bool] = Field(default=None)
    """Keeps the state between runs."""


class MultiAgentCapabilities(GeneratedBaseModel):
    """The agent's work with other agents."""

    supported: Optional[bool] = Field(default=None)
    """Works with other agents."""
    delegation: Optional[bool] = Field(default=None)
    """Delegates work."""
    handoffs: Optional[bool] = Field(default=None)
    """Hands the conversation over."""
    subagents: Optional[List[SubagentInfo]] = Field(default=None)
    """The subagents it can invoke."""


class ReasoningCapabilities(GeneratedBaseModel):
    """The agent's reasoning."""

    supported: Optional[bool] = Field(default=None)
    """Reasons."""
    streaming: Optional[bool] = Field(default=None)
    """Streams its reasoning."""
    encrypted: Optional[bool] = Field(default=None)
    """Hands reasoning over in encrypted form."""


class MultimodalInputCapabilities(GeneratedBaseModel):
    """Media the agent accepts."""

    image: Optional[bool] = Field(default=None)
    """Pictures."""
    audio: Optional[bool] = Field(default=None)
    """Sound."""
    video: Optional[bool] = Field(default=None)
    """Film."""
    pdf: Optional[bool] = Field(default=None)
    """PDF documents."""
    file: Optional[bool] = Field(default=None)
    """Any file."""


class MultimodalOutputCapabilities(GeneratedBaseModel):
    """Media the agent produces."""

    image: Optional[bool] = Field(default=None)
    """Pictures."""
    audio: Optional[bool] = Field(default=None)
    """Sound."""


class MultimodalCapabilities(GeneratedBaseModel):
    """Media in and out."""

    input: Optional[MultimodalInputCapabilities] = Field(default=None)
    """The accepted media."""
    output: Optional[MultimodalOutputCapabilities] = Field(default=None)
    """The produced media."""


class ExecutionCapabilities(GeneratedBaseModel):
    """The limits and features of a run of the agent."""

    code_execution: Optional[bool] = Field(default=None)
    """Runs code."""
    sandboxed: Optional[bool] = Field(default=None)
    """Runs it in a sandbox."""
    max_iterations: Optional[int] = Field(default=None, ge=0, le=9007199254740991)
    """The maximum number of rounds of calls and reasoning in one run."""
    max_execution_time: Optional[int] = Field(default=None, ge=0, le=9007199254740991)
    """The longest duration of a run, in milliseconds."""


class HumanInTheLoopCapabilities(GeneratedBaseModel):
    """The ways in which people take part in a run."""

    supported: Optional[bool] = Field(default=None)
    """People can take part."""
    approvals: Optional[bool] = Field(default=None)
    """Asks for approval."""
    interventions: Optional[bool] = Field(default=None)
    """Lets people change its plan while it runs."""
    feedback: Optional[bool] = Field(default=None)
    """Learns from feedback within the session."""
    interrupts: Optional[bool] = Field(default=None)
    """Ends runs with interrupts and takes the answers in the next input."""
    approve_with_edits: Optional[bool] = Field(default=None)
    """Takes changed arguments in the answer to a tool call's interrupt."""


class AgentCapabilities(GeneratedBaseModel):
    """Everything an agent declares about itself."""

    identity: Optional[IdentityCapabilities] = Field(default=None)
    """The identity."""
    transport: Optional[TransportCapabilities] = Field(default=None)
    """The transports."""
    tools: Optional[ToolsCapabilities] = Field(default=None)
    """Its tools."""
    output: Optional[OutputCapabilities] = Field(default=None)
    """The output."""
    state: Optional[StateCapabilities] = Field(default=None)
    """The use of the shared state."""
    multi_agent: Optional[MultiAgentCapabilities] = Field(default=None)
    """The work with other agents."""
    reasoning: Optional[ReasoningCapabilities] = Field(default=None)
    """Its reasoning."""
    multimodal: Optional[MultimodalCapabilities] = Field(default=None)
    """Media in and out."""
    execution: Optional[ExecutionCapabilities] = Field(default=None)
    """The limits and features of a run."""
    human_in_the_loop: Optional[HumanInTheLoopCapabilities] = Field(default=None)
    """The ways in which people take part."""
    custom: Optional[Dict[str, Any]] = Field(default=None)
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
