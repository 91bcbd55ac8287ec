"""The exceptions of this package, and their parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ag_ui_native import _native

if TYPE_CHECKING:
    from ag_ui_native.client.result import RunResult
    from ag_ui_native.stream import Applied

__all__ = [
    "AGUIConnectionError",
    "AGUIError",
    "AGUIInternalError",
    "AGUILimitError",
    "AGUIPatchError",
    "AGUISequenceError",
    "AGUIStreamError",
    "AGUIValidationError",
    "Issue",
    "ProtocolWarning",
]


class Issue(NamedTuple):
    """One fault of a document.

    Examples:
        >>> from ag_ui_native import AGUIValidationError, Issue, read_run_input
        >>> try:
        ...     read_run_input('{"threadId": "t1", "messages": []}')
        ... except AGUIValidationError as error:
        ...     issue: Issue = error.issues[0]
        ...     print(issue.code, issue.path)
        missing_field /runId
    """

    code: str
    """Its stable name, the same in every language."""
    path: str
    """JSON pointer to the place, within the event."""
    message: str
    """Description of the fault, with advice."""


class ProtocolWarning(NamedTuple):
    """Something that was repaired or left out.

    Examples:
        >>> from ag_ui_native import ProtocolWarning, read_run_input
        >>> def show(warning: ProtocolWarning) -> None:
        ...     print(warning.code, warning.path)
        >>> for warning in read_run_input('{"threadId": "t1", "runId": "r1", "messages": [], "mood": "fine"}').warnings:
        ...     show(warning)
        unknown_field /mood
    """

    code: str
    """Its stable name, the same in every language."""
    path: str
    """JSON pointer to the place, within the event."""
    message: str
    """Description of the repair."""
    event_index: int | None = None
    """The index of the event in its stream, counting from 0."""
    rule: str | None = None
    """The rule of event streams that it is about."""

    def __str__(self) -> str:
        place = "" if self.event_index is None else f"event {self.event_index}: "
        return f"{place}{self.code}: {self.message}"


class AGUIError(Exception):
    """Any failure that this package reports. Attributes that do not apply are None or empty.

    Examples:
        >>> from ag_ui_native import AGUIError
        >>> from ag_ui_native.patch import apply_patch
        >>> try:
        ...     apply_patch({}, [{"op": "remove", "path": "/tasks"}])
        ... except AGUIError as error:
        ...     print(type(error).__name__, error.code, error.operation)
        AGUIPatchError patch_target_missing 0
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "internal",
        path: str = "",
        event_index: int | None = None,
        event_type: str | None = None,
        rule: str | None = None,
        limit: str | None = None,
        offset: int | None = None,
        operation: int | None = None,
        issues: Sequence[Issue] = (),
        partial: Sequence[Any] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        """Description of the failure, for people."""
        self.code = code
        """Its stable name, the same in every language."""
        self.path = path
        """JSON pointer to the place, within the event."""
        self.event_index = event_index
        """The index of the event in its stream, counting from 0."""
        self.event_type = event_type
        """The type of the event, if it is declared."""
        self.rule = rule
        """The sequence rule that was broken."""
        self.limit = limit
        """The limit that was exceeded."""
        self.offset = offset
        """Byte offset of a fault in the text itself."""
        self.operation = operation
        """The index of the operation of a patch, counting from 0."""
        self.issues: tuple[Issue, ...] = tuple(issues)
        """All issues, in order."""
        self.partial: list[Any] = list(partial)
        """The events of the failing call that were complete."""
        self.applied: Applied[Any, Any, Any, Any] | None = None
        """The conversation at that time, if ``apply_events`` has raised the error."""
        self.run: RunResult | None = None
        """The result of the run so far, if an agent of ``ag_ui_native.client`` has raised the
        error.
        """

    @property
    def documentation(self) -> str | None:
        """The address of the documentation of the broken rule or of the code. None if the code is not of this package."""
        return _native.documentation_of(self.code, self.rule)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message,), self.__dict__


class AGUIValidationError(AGUIError, ValueError):
    """A document that does not follow the protocol.

    Examples:
        >>> from ag_ui_native import AGUIValidationError
        >>> from ag_ui_native.stream import decode_event
        >>> try:
        ...     decode_event('{"type": "TEXT_MESSAGE_END"}')
        ... except AGUIValidationError as error:
        ...     print(error.code, error.path)
        missing_field /messageId
    """

    def errors(self) -> list[dict[str, Any]]:
        """The issues in the shape of ``pydantic.ValidationError.errors(include_input=False)``.

        Examples:
            >>> from ag_ui_native import AGUIValidationError
            >>> from ag_ui_native.stream import decode_event
            >>> try:
            ...     decode_event('{"type": "TEXT_MESSAGE_END"}')
            ... except AGUIValidationError as error:
            ...     print([(issue["type"], issue["loc"]) for issue in error.errors()])
            [('missing_field', ('messageId',))]
        """
        return [{"type": issue.code, "loc": _location(issue.path), "msg": issue.message} for issue in self.issues]


class AGUIStreamError(AGUIError):
    """Bytes that are no event stream, or an event stream that was cut.

    Examples:
        >>> from ag_ui_native import AGUIStreamError
        >>> from ag_ui_native.stream import EventDecoder
        >>> try:
        ...     EventDecoder("text/html")
        ... except AGUIStreamError as error:
        ...     print(error.code)
        wrong_content_type
    """


class AGUILimitError(AGUIError):
    """Input that costs more than is allowed.

    Examples:
        >>> from ag_ui_native import AGUILimitError, Limits
        >>> from ag_ui_native.stream import decode_event
        >>> try:
        ...     decode_event('{"type": "RAW", "event": [[[]]]}', limits=Limits(depth=2))
        ... except AGUILimitError as error:
        ...     print(error.limit)
        depth
    """


class AGUISequenceError(AGUIError):
    """An event that breaks the order of its stream; ``rule`` names the broken rule.

    Examples:
        >>> from ag_ui_native import AGUISequenceError
        >>> from ag_ui_native.stream import verify_events
        >>> try:
        ...     verify_events([{"type": "TEXT_MESSAGE_END", "messageId": "m1"}])
        ... except AGUISequenceError as error:
        ...     print(error.rule)
        V03
    """


class AGUIPatchError(AGUIError):
    """An invalid JSON Patch, or one that does not apply; ``operation`` is the index of the failing
    one.

    Examples:
        >>> from ag_ui_native import AGUIPatchError
        >>> from ag_ui_native.patch import apply_patch
        >>> try:
        ...     apply_patch({"a": 1}, [{"op": "test", "path": "/a", "value": 1}, {"op": "test", "path": "/a", "value": 2}])
        ... except AGUIPatchError as error:
        ...     print(error.code, error.operation)
        patch_test_failed 1
    """


class AGUIConnectionError(AGUIError):
    """A server that cannot be reached, refuses the request, or stops sending.

    Examples:
        >>> from ag_ui_native import AGUIConnectionError
        >>> from ag_ui_native.client import SyncHttpAgent
        >>> with SyncHttpAgent("http://127.0.0.1:1/") as agent:
        ...     try:
        ...         agent.run_agent()
        ...     except AGUIConnectionError as error:
        ...         print(error.code, error.status)
        connection_failed None
    """

    status: int | None = None
    """The status of the server's answer, if there was one."""
    payload: Any = None
    """The body of the answer: JSON as a value, anything else as text."""


class AGUIInternalError(AGUIError):
    """A fault of this package.

    Examples:
        >>> from ag_ui_native import AGUIError, AGUIInternalError
        >>> issubclass(AGUIInternalError, AGUIError)
        True
    """


def _location(pointer: str) -> tuple[int | str, ...]:
    tokens = [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]
    return tuple(int(token) if token.isdecimal() else token for token in tokens)
