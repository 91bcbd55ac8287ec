"""The result of a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

from ag_ui_native.client import rules
from ag_ui_native.errors import AGUIError

if TYPE_CHECKING:
    from ag_ui_native.changes import RunFailure
    from ag_ui_native.core import Interrupt, Message, TokenUsage
    from ag_ui_native.errors import ProtocolWarning

__all__ = ["Outcome", "RunResult"]

Outcome: TypeAlias = Literal["success", "interrupt", "cancelled", "error", "aborted", "failed"]
"""The outcome of a run: `success`, with an `interrupt`, `cancelled` by the agent, with an `error` of the agent (RUN_ERROR), `aborted` by
the application; `failed`: the run has not ended, because the connection, the server or its events have failed.

Examples:
    >>> from ag_ui_native.client import Outcome, SyncLocalAgent
    >>> from ag_ui_native.testing import scripted_agent
    >>> outcome: Outcome = SyncLocalAgent(scripted_agent([ValueError("no model")])).run_agent().outcome
    >>> outcome
    'error'
"""


@dataclass(slots=True, kw_only=True)
class RunResult:
    """The result of a call, with all its runs.

    Examples:
        >>> from ag_ui_native.client import SyncLocalAgent
        >>> from ag_ui_native.testing import scripted_agent
        >>> result = SyncLocalAgent(scripted_agent(["Hello!"])).run_agent().raise_for_outcome()
        >>> result.outcome, result.text, len(result.new_messages), result.interrupts
        ('success', 'Hello!', 1, [])
    """

    thread_id: str
    """The conversation."""
    run_id: str
    """The id of the run; of several, the last one."""
    outcome: Outcome = "failed"
    """The outcome."""
    result: Any = None
    """The agent's return value."""
    error: RunFailure | None = None
    """The agent's own error: `message` and `code`."""
    failure: Exception | None = None
    """The failure of the run, if a subscriber has handled it (`stop_propagation`)."""
    new_messages: list[Message] = field(default_factory=list)
    """The messages that the call has added."""
    interrupts: list[Interrupt] = field(default_factory=list)
    """The interrupts that wait for an answer."""
    pending_tool_call_ids: list[str] = field(default_factory=list)
    """The tool calls that wait for an answer."""
    usage: list[TokenUsage] = field(default_factory=list)
    """The token usage that the agent has reported: the sum of all runs, one entry for each model."""
    warnings: list[ProtocolWarning] = field(default_factory=list)
    """The warnings about repaired, dropped and ignored parts."""
    last_event_id: str = ""
    """The id last set in the stream."""
    runs: list[RunResult] = field(default_factory=list)
    """The result of each run. There are several if functions have answered tool calls and the agent was run again, or
    if one answer has several runs. Data of a whole answer, such as its warnings, are in its last run."""

    @property
    def text(self) -> str:
        """The text of the new messages of the assistant."""
        return "".join(m.content for m in self.new_messages if m.role == "assistant" and m.content is not None)

    def raise_for_outcome(self) -> Self:
        """Returns itself if the outcome is `success` or `interrupt`; an interrupt is a question.

        Raises AGUIError with the result as `run`: `run_failed` for an `error` of the agent, `run_cancelled`,
        `run_aborted`; and the `failure` that a subscriber has handled.
        """
        error = self.failure or outcome_error(self)
        if error is None:
            return self
        if isinstance(error, AGUIError):
            error.run = self
        raise error


def outcome_error(result: RunResult) -> AGUIError | None:
    """Makes the error of an outcome; None for success and interrupt."""
    return rules.outcome_error(result.outcome, None if result.error is None else result.error.code)
