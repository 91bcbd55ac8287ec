"""Answers to interrupts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ag_ui_native.client import rules

if TYPE_CHECKING:
    from ag_ui_native.core import Interrupt, ResumeEntry

__all__ = ["Answers", "InterruptAnswer", "approve", "cancel", "edit", "reject", "respond"]


@dataclass(frozen=True, slots=True)
class InterruptAnswer:
    """An answer to an interrupt, without its id.

    Examples:
        >>> from ag_ui_native.client import InterruptAnswer, respond
        >>> respond("blue") == InterruptAnswer("resolved", "blue")
        True
    """

    status: Literal["resolved", "cancelled"]
    """`resolved` for an answer, `cancelled` for none."""
    payload: Any = None
    """The payload: any JSON value."""


Answers: TypeAlias = "Mapping[str, InterruptAnswer | Any] | Iterable[ResumeEntry]"
"""Answers by interrupt id: payloads, or the results of `approve`, `reject` and the others. Or the entries themselves.

Examples:
    >>> from ag_ui_native.client import Answers, SyncLocalAgent, approve
    >>> from ag_ui_native.server import Run
    >>> async def ask(run: Run) -> None:
    ...     await run.interrupt({"id": "i1", "reason": "confirmation"})
    >>> agent = SyncLocalAgent(ask)
    >>> agent.run_agent().outcome
    'interrupt'
    >>> answers: Answers = {"i1": approve()}
    >>> [entry.payload for entry in agent.build_resume(answers)]
    [{'approved': True}]
"""


def approve(**more: Any) -> InterruptAnswer:
    """Approves an interrupt.

    Examples:
        >>> from ag_ui_native.client import approve
        >>> approve(comment="Go on.").payload
        {'comment': 'Go on.', 'approved': True}
    """
    return InterruptAnswer("resolved", {**more, "approved": True})


def reject(reason: str | None = None) -> InterruptAnswer:
    """Rejects an interrupt.

    Examples:
        >>> from ag_ui_native.client import reject
        >>> reject("Too expensive.").payload
        {'approved': False, 'reason': 'Too expensive.'}
    """
    return InterruptAnswer("resolved", {"approved": False} | ({} if reason is None else {"reason": reason}))


def edit(arguments: Mapping[str, Any]) -> InterruptAnswer:
    """Approves a tool call with other arguments.

    Examples:
        >>> from ag_ui_native.client import edit
        >>> edit({"to": "ada@example.org"}).payload
        {'approved': True, 'editedArgs': {'to': 'ada@example.org'}}
    """
    return InterruptAnswer("resolved", {"approved": True, "editedArgs": dict(arguments)})


def respond(payload: Any = None) -> InterruptAnswer:
    """Answers with any JSON value.

    Examples:
        >>> from ag_ui_native.client import respond
        >>> respond({"colour": "blue"}).payload
        {'colour': 'blue'}
    """
    return InterruptAnswer("resolved", payload)


def cancel() -> InterruptAnswer:
    """Cancels an interrupt: the only answer to one that has expired.

    Examples:
        >>> from ag_ui_native.client import cancel
        >>> cancel().status
        'cancelled'
    """
    return InterruptAnswer("cancelled")


def resume_of(pending: Iterable[Interrupt], answers: Answers) -> list[ResumeEntry]:
    """Converts answers to entries, in the order of the interrupts."""
    if not isinstance(answers, Mapping):
        return rules.build_resume(pending, answers)
    entries: list[Any] = []
    for interrupt_id, given in answers.items():
        answer = given if isinstance(given, InterruptAnswer) else InterruptAnswer("resolved", given)
        payload = {} if answer.payload is None else {"payload": answer.payload}
        entries.append({"interruptId": interrupt_id, "status": answer.status, **payload})
    return rules.build_resume(pending, entries)
